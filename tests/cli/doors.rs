//! Options by their scope: what a library takes changes its settings, what is the command line's alone is unknown there, and
//! libraries answer as the binary does.
//!
//! `tests/golden/doors.json` has what the binary finds under each option that a control takes; `ASP_UPDATE=1` rewrites it. The
//! package `clingo` on our library (`bindings/python/tests/test_options.py`) and the package `asp`
//! (`bindings/asp-python/tests/test_options.py`) must find the same.

use serde_json::{Value, json};

use super::effects::{Changes, ROWS, Row, dropped, program};
use crate::support::spawn;
use crate::support::update;
use asp_control::Settings;
use asp_options::raw::Options;
use asp_options::spec::{OptionSpec, Scope, Standing, Takes};
use asp_options::{args, parse_control, table};
use asp_solve::SolveOptions;

/// Where the outcomes are.
const FILE: &str = "tests/golden/doors.json";

/// Options that only tune the search must leave these programs their answers.
const MIXED: &str =
    "{ a(1..4) }. b ; c :- a(1). d :- e. e :- d. e :- a(2), not b. :- 3 { a(1..4) }. f :- not c, not d.";
const COSTS: &str = "1 { a; b; c }. d ; e :- a. #minimize { 2@2,a : a; 3@1,b : b; 1@1,c : c; 1@1,d : d }.";

/// What else has given another result through libraries than on the command line: option, program, arguments.
const MORE: &[(&str, &str, &str)] = &[
    ("max-int", "&sum { x } >= 5.", "--max-int=3"),
    ("min-int", "&sum { x } <= 5. &dom { 0..5 } = x.", "0 --min-int=3"),
    ("solve-limit", "{ a }.", "--solve-limit=0"),
    ("solve-limit", "{ a }.", "0 --solve-limit=0 -t2"),
    ("solve-limit", COSTS, "--solve-limit=0"),
    ("solve-limit", "{ a; b }.", "--solve-limit=0 --enum-mode=brave"),
    ("solve-limit", "{ a }. :- a. :- not a.", "--solve-limit=0"),
    ("opt-stop", COSTS, "--opt-strategy=bb --opt-stop=0,3"),
    ("opt-stop", COSTS, "--opt-strategy=bb --opt-stop=9,9 -t2"),
    ("opt-stop", COSTS, "--opt-mode=optN --opt-stop=9,9"),
    ("opt-mode", COSTS, "0 --opt-mode=enum,0,3"),
    ("project", "{ a; b }. #show a/0. #project b/0.", "0 --project"),
    ("project", "{ a; b }. #project b/0.", "0 --project=auto --enum-mode=domRec --heuristic=Domain"),
    ("show-preds", "{ a; b }.", "0 --show-preds=a/0"),
    ("warn", "a :- b.", ""),
    ("warn", "a :- b.", "--warn=no-atom-undefined"),
    ("warn", "a(X,Y) :- b(X), b(Y), X != Y. b(1..2).", "--warn=symmetric-inequality"),
];

fn words(line: &str) -> Vec<String> {
    spawn::words(line).map(str::to_string).collect()
}

/// An example of an option as it is given, for those without a row.
fn example(option: &OptionSpec) -> String {
    let value = match option.long {
        "cube" => "1@cubes.json",
        "grid" | "csv" | "json" => "p=file",
        "csv-header" => "yes",
        "csv-delimiter" => ";",
        "svg" | "html" | "proof" | "start" | "near" | "bound-file" | "hcc-out" => "file",
        _ => match ROWS.iter().find(|row| row.0 == option.long) {
            Some(row) => return own_word(row),
            None => "",
        },
    };
    match option.takes {
        Takes::Flag => format!("--{}", option.long),
        _ => format!("--{}={value}", option.long),
    }
}

/// A row's option as one word.
fn own_word(row: &Row) -> String {
    let words = words(row.4);
    let given = args::parse(&words).expect("arguments");
    given.get(row.0).expect("the row's option").word()
}

/// The arguments of a row that a control takes, too.
fn of_control(arguments: &str) -> Vec<String> {
    args::parse(&words(arguments)).expect("arguments").of_control()
}

/// Everything in options that a control sees: of the program, and of calls.
fn seen(options: &Options) -> [String; 2] {
    let settings = options.settings();
    let of_calls = format!("{:?} {:?} {}", settings.solve, options.project, options.style.stats);
    let program = Settings { solve: SolveOptions::default(), ..settings };
    [format!("{program:?} {:?} {:?}", options.texts(), options.warnings), of_calls]
}

#[test]
fn what_a_control_does_not_take_is_unknown_there() {
    let mut refused = 0;
    for option in table::OPTIONS {
        let word = example(option);
        let read = parse_control(std::slice::from_ref(&word));
        if option.scope == Scope::Run {
            let text = read.expect_err(&word).text("libclingo");
            assert_eq!(text, format!("In context '<libclingo>': unknown option: '{}'", option.long));
            refused += 1;
        } else if option.standing == Standing::Works {
            assert!(read.is_ok(), "{word}: {read:?}");
        }
    }
    assert!(refused > 40);
    let file = parse_control(&["file.lp".into()]).expect_err("a file");
    assert_eq!((file.text("libclingo").contains("'Positional Option'"), &*file.message), (true, "file.lp"));
    for action in ["--warn=help", "--rewrite=help"] {
        assert!(parse_control(&[action.into()]).is_err());
    }
}

#[test]
fn what_a_control_takes_changes_what_its_scope_says() {
    for row in ROWS {
        let &(option, _, _, without, with) = row;
        let spec = table::find(option).expect("an option");
        if spec.scope == Scope::Run {
            continue;
        }
        let read = |arguments: &str| seen(&parse_control(&of_control(arguments)).expect(arguments));
        let before = read(without);
        let after = read(&format!("{} {with}", dropped(without, with)));
        let [program, calls] = [0, 1].map(|part| before[part] != after[part]);
        assert_eq!((program, calls), (spec.scope == Scope::Control, spec.scope == Scope::Call), "{with}");
    }
}

/// What the binary finds: whether there are answers and, if it has found all of them, which ones.
fn outcome(option: &str, text: &str, words: &[String]) -> Value {
    let run = spawn::run(words.iter().map(String::as_str).chain(["--outf=2"]), text);
    let told: Value = serde_json::from_str(&run.stdout).unwrap_or_default();
    let is_told = |line: &&str| line.starts_with("info:") || line.starts_with("warning:");
    let messages = run.stderr.lines().filter(is_told).count();
    let result = told["Result"].as_str().unwrap_or("UNKNOWN");
    let models = &told["Models"];
    let mut outcome = json!({ "option": option, "program": text, "words": words, "result": result });
    if option == "warn" {
        outcome["messages"] = messages.into();
    }
    let witnesses = told["Call"].as_array().and_then(|calls| calls.last()?["Witnesses"].as_array());
    let mut found: Vec<Vec<&str>> = Vec::new();
    for witness in witnesses.into_iter().flatten() {
        let mut atoms: Vec<&str> =
            witness["Value"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        atoms.sort_unstable();
        found.push(atoms);
    }
    let has = |what: &str| words.iter().any(|word| word.to_lowercase().contains(what));
    if has("brave") || has("cautious") {
        outcome["last"] = json!(found.last());
    } else if !models["Costs"].is_null() && !has("optn") && !has("=enum") && !has("ignore") {
        outcome["costs"] = models["Costs"].clone();
    } else if models["More"] == "no" && !has("optn") {
        found.sort_unstable();
        outcome["models"] = json!(found);
    } else if !has("optn") {
        outcome["number"] = models["Number"].clone();
    }
    outcome
}

#[test]
fn libraries_are_told_what_the_binary_finds() {
    let mut cases: Vec<(&str, String, String)> = Vec::new();
    for &(option, changes, name, without, with) in ROWS {
        // What only ground input knows cannot be added as text.
        if table::find(option).is_some_and(|spec| spec.scope == Scope::Run) || without.contains("--mode") {
            continue;
        }
        let text = match changes {
            Changes::Figures if option.starts_with("opt-") => COSTS.into(),
            Changes::Figures => MIXED.into(),
            Changes::Something => program(name),
        };
        let without = match changes {
            Changes::Figures => &format!("0 {}", without.strip_prefix('0').unwrap_or(without)),
            Changes::Something => without,
        };
        cases.push((option, text, format!("{} {with}", dropped(without, with))));
    }
    cases.extend(
        MORE.iter().map(|&(option, text, arguments)| (option, text.to_string(), arguments.to_string())),
    );
    let outcomes = cases.iter().map(|(option, text, arguments)| {
        let mut words = of_control(arguments);
        if !words.iter().any(|word| word.starts_with("--models")) {
            let many = ["#minimize", "#maximize", ":~"].iter().any(|o| text.contains(o));
            let consequences = arguments.contains("brave") || arguments.contains("cautious");
            words.push(format!("--models={}", if many || consequences { 0 } else { 1 }));
        }
        outcome(option, text, &words)
    });
    let outcomes: Vec<Value> = outcomes.collect();
    let refused = table::OPTIONS.iter().filter(|option| option.scope == Scope::Run);
    let refused: Vec<Value> = refused.map(|option| json!([option.long, example(option)])).collect();
    let lines = |list: &[Value]| list.iter().map(Value::to_string).collect::<Vec<_>>().join(",\n");
    let text =
        format!("{{\"refused\": [\n{}\n],\n\"found\": [\n{}\n]}}\n", lines(&refused), lines(&outcomes));
    if update::is_wanted() {
        return update::write(FILE, text);
    }
    let recorded = std::fs::read_to_string(FILE).expect(FILE);
    let differs = recorded.lines().zip(text.lines()).find(|(recorded, now)| recorded != now);
    assert!(recorded == text, "{FILE}: ASP_UPDATE=1 rewrites it; first difference: {differs:#?}");
}
