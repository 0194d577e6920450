//! Arguments to checked options: each row reads its value, then options that depend on each other are combined.
//!
//! Invariant: the result of [`check`] needs no further checks; every option of the table that works is read here, by
//! its row.

use super::args::{self, Args};
use super::configuration::Configuration;
use super::inputs::Inputs;
use super::lemmas::LemmaOptions;
use super::raw::{Action, Mode, Options, Raw};
use super::spec::{Effect, Group, OptionSpec, Scope, Standing};
use super::usage::{UsageError, UsageErrorKind};
use crate::outputs::{self, Kind};
use asp_base::threads;
use asp_control::GroundFormat;
pub use asp_report::{Format, Level, Quiet};
use asp_solve::{Candidates, Eliminate, OptMode, SolverParameters};

/// Reads the arguments of a command line.
pub fn check(args: &Args<'_>) -> Result<Action, UsageError> {
    let options = options(args, Scope::Run)?;
    Ok(options.map_or_else(|action| action, |options| Action::Run(Box::new(options))))
}

/// Reads arguments that may have options up to a scope. The inner error is an action to perform instead of a run.
pub(crate) fn options(args: &Args<'_>, scope: Scope) -> Result<Result<Options, Action>, UsageError> {
    let refuse_others = |args: &Args<'_>| match args.options.iter().find(|g| g.spec.scope > scope) {
        Some(other) => Err(UsageError::option(format!("unknown option: '{}'", other.spec.long))),
        None => Ok(()),
    };
    if let Some(file) = args.files.first().filter(|_| scope < Scope::Run) {
        return Err(UsageError::new(UsageErrorKind::File, *file));
    }
    refuse_others(args)?;
    let configuration = Configuration::read(args)?;
    let given = args;
    let args = &configuration.complete(args, 0)?;
    refuse_others(args)?;
    let (mut raw, wrong) = read(args);
    if let Some(action) = raw.action {
        return Ok(Err(action));
    }
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    search_without_learning(args, &mut raw)?;
    test_stability(&mut raw)?;
    let mut options = std::mem::take(&mut raw.options);
    options.files = args.files.iter().map(ToString::to_string).collect();
    options.solve.portfolio = portfolio(options.solve.solver, given, &configuration, options.solve.threads)?;
    choose_output(&raw, &mut options)?;
    let solve = &options.solve;
    if options.bound_file.is_some() && (solve.opt_mode != OptMode::Opt || !solve.opt_bounds.is_empty()) {
        let message = "'bound-file': needs --opt-mode=opt without bounds".to_string();
        return Err(UsageError::configuration(message));
    }
    if options.mode == Mode::Clasp {
        // Text input becomes facts of a program, and this mode has no program.
        if let Some(long) = ["grid", "csv", "json"].into_iter().find(|long| args.has(long)) {
            return Err(UsageError::option(format!(
                "'{long}' adds facts to a program, but with --mode=clasp the input is already ground"
            )));
        }
    }
    options.inputs = Inputs::new(|long| match long {
        "grid" => raw.grids.clone(),
        "csv" => raw.csv.clone(),
        "json" => raw.json.clone(),
        "csv-header" => raw.csv_header.clone().into_iter().collect(),
        _ => raw.csv_delimiter.clone().into_iter().collect(),
    })?;
    spare_files(&raw, &options)?;
    (options.lemmas, options.solve.lemmas) = LemmaOptions::open(&raw.lemmas)?;
    if let Some(other) = options.proof.as_ref().and_then(|_| unproven(&options)) {
        return Err(UsageError::option(format!("'--proof' does not go with {other}")));
    }
    if options.solve.threads > 1 && !threads::can_start() {
        options.solve.threads = 1;
        options.noted.push("parallel-mode");
    }
    if options.integers.least > options.integers.greatest {
        let message = "min-int must be smaller than or equal to max-int";
        return Err(UsageError::configuration(message));
    }
    // They are numbers of the input's atoms.
    if options.forced.is_some() && options.mode != Mode::Clasp {
        options.noted.push("compute");
    }
    Ok(Ok(options))
}

/// Refuses outputs that would replace what is read, or files of another kind.
fn spare_files(raw: &Raw, options: &Options) -> Result<(), UsageError> {
    let Inputs { grids, csv, json, .. } = &options.inputs;
    let data = [grids, csv, json].into_iter().flatten().map(|request| &request.file);
    let answers = options.start.iter().chain(options.near.iter().map(|(file, _)| file));
    let inputs = options.files.iter().chain(data).chain(&raw.lemmas.from).chain(answers).map(String::as_str);
    let wanted = [
        ("--html", &options.pictures.html, Kind::Page),
        ("--svg", &options.pictures.svg, Kind::Picture),
        ("--lemma-out", &raw.lemmas.to, Kind::Lemmas),
        ("--bound-file", &options.bound_file, Kind::Bounds),
        ("--proof", &options.proof, Kind::Proof),
    ];
    let wanted = wanted.iter().filter_map(|(option, file, kind)| Some((*option, file.as_deref()?, *kind)));
    outputs::check(wanted, inputs)
}

/// What else the options ask for that proofs do not cover.
fn unproven(options: &Options) -> Option<&'static str> {
    let others = [
        (options.solve.threads > 1, "several threads"),
        (options.lemmas.are_wanted(), "lemmas that are read or written"),
        (options.cube.is_some() || options.cubes.is_some(), "cubes"),
        (options.bound_file.is_some(), "a bound file"),
        (options.solve.no_search, "a search of no steps"),
        (!options.solve.opt_stop.is_empty(), "'--opt-stop'"),
        (options.near.is_some(), "'--near'"),
        (options.solve.opt_gap.is_wanted(), "a gap"),
        (options.ground_format.is_some(), "the output of the ground program"),
        (options.expand, "'--expand'"),
    ];
    others.into_iter().find(|o| o.0).map(|o| o.1)
}

/// Lets each row read its value. Returns what was read, and the first error.
fn read(args: &Args<'_>) -> (Raw, Option<UsageError>) {
    let mut raw = Raw::default();
    raw.options.solve.threads = 1;
    let (mut unused, mut wrong) = (Vec::new(), None);
    for given in &args.options {
        match (given.spec.read)(&given.taken_apart(), &mut raw) {
            Ok(Effect::Full) => {}
            Ok(Effect::Nothing) if given.spec.standing == Standing::Works => raw.note(given.spec.long),
            Ok(Effect::Nothing) => unused.push(given.spec.long),
            Err(why) => wrong = wrong.or(Some(why)),
        }
    }
    unused.into_iter().for_each(|option| raw.note(option));
    (raw, wrong)
}

/// The effect of `--no-lookback` on other options: nothing is learned, so there is nothing to share, to delete or to
/// restart for, and options that require learning are rejected.
fn search_without_learning(args: &Args<'_>, raw: &mut Raw) -> Result<(), UsageError> {
    if !raw.no_lookback {
        return Ok(());
    }
    let asks = |long: &str, none: &[&str]| {
        args.get(long).is_some_and(|g| {
            let value = g.taken_apart();
            !value.is_no() && !value.words().first().is_some_and(|w| none.contains(&w.as_str()))
        })
    };
    if asks("restarts", &[]) {
        return Err(UsageError::configuration("'no-lookback': restart options disabled!"));
    }
    if asks("heuristic", &["unit", "none", "domain"]) {
        let message = "'no-lookback': Heuristic requires lookback strategy!";
        return Err(UsageError::configuration(message));
    }
    let solve = &mut raw.options.solve;
    solve.solver.learning.enabled = false;
    solve.solver.restart.enabled = false;
    let lookahead = &mut solve.solver.lookahead;
    if !args.has("lookahead") {
        lookahead.candidates = Some(Candidates::Atoms);
    }
    lookahead.decides |= !args.has("heuristic");
    solve.translate.elimination = Eliminate::No;
    solve.threads = 1;
    Ok(())
}

/// The parameters of one search.
fn solver(args: &Args<'_>) -> Result<SolverParameters, UsageError> {
    let (mut raw, wrong) = read(args);
    wrong.map_or(Ok(()), Err)?;
    search_without_learning(args, &mut raw)?;
    Ok(raw.options.solve.solver)
}

/// Options that the tester accepts besides those of the search.
const OTHERS_OF_TESTER: [&str; 5] =
    ["configuration", "opt-strategy", "sat-prepro", "share", "learn-explicit"];

/// Parses the tester's options.
fn test_stability(raw: &mut Raw) -> Result<(), UsageError> {
    let Some(text) = &raw.tester else { return Ok(()) };
    let argv: Vec<String> = text.split_ascii_whitespace().map(str::to_string).collect();
    let own = |wrong: UsageError| wrong.within("<tester>");
    let args = args::parse(&argv).map_err(own)?;
    let unknown = |name: &str| own(UsageError::option(format!("unknown option: '{name}'")));
    let of_solver = |spec: &OptionSpec| {
        matches!(spec.group, Group::Search | Group::Lookback) || OTHERS_OF_TESTER.contains(&spec.long)
    };
    let foreign = args.options.iter().map(|g| g.spec).find(|spec| !of_solver(spec)).map(|spec| spec.long);
    if let Some(name) = args.files.first().copied().or(foreign) {
        return Err(unknown(name));
    }
    let tester = solver(&args).map_err(own)?;
    if tester == SolverParameters::default() {
        raw.note("tester");
    }
    raw.options.solve.tester = tester;
    Ok(())
}

/// The parameters of each thread, if the configuration has several sets of options.
fn portfolio(
    first: SolverParameters,
    given: &Args<'_>,
    configuration: &Configuration,
    threads: u32,
) -> Result<Vec<SolverParameters>, UsageError> {
    let count = configuration.sets().min(threads as usize);
    if count < 2 {
        return Ok(Vec::new());
    }
    let others = (1..count).map(|number| solver(&configuration.complete(given, number)?));
    std::iter::once(Ok(first)).chain(others).collect()
}

/// Chooses the output and its format.
fn choose_output(raw: &Raw, options: &mut Options) -> Result<(), UsageError> {
    let style = &mut options.style;
    let competition = Quiet { models: Level::Last, costs: Level::Last, calls: Level::Nothing };
    let default = if style.format == Format::Competition { competition } else { style.quiet };
    style.quiet = raw.quiet.unwrap_or(default);
    style.quiet_is_given = raw.quiet.is_some();
    let is_text =
        !matches!(style.format, Format::Json | Format::JsonLines | Format::Csv | Format::Competition);
    if options.pictures.text && !is_text {
        return Err(UsageError::option("'--show-grid' works with text output only"));
    }
    // The page may be passed on, so it must not name the user's folders.
    let names: Vec<&str> = options.files.iter().map(|f| f.rsplit(['/', '\\']).next().unwrap_or(f)).collect();
    options.pictures.title = if names.is_empty() { "stdin".into() } else { names.join(" ") };
    let output = match raw.output {
        Some(GroundFormat::Reify { .. }) => {
            Some(GroundFormat::Reify { sccs: raw.reify_sccs, steps: raw.reify_steps })
        }
        None if raw.text => Some(GroundFormat::Text),
        None if options.mode == Mode::Gringo => Some(GroundFormat::Aspif),
        output => output,
    };
    options.ground_format = raw.pre.or(output);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_base::diagnostic::WarningKind;
    use asp_solve::{Elimination, EnumMode, InprocessParameters, OptMode, OptStrategy};

    fn run(line: &str) -> Result<Action, String> {
        let argv: Vec<String> = line.split(' ').map(str::to_string).collect();
        args::parse(&argv).and_then(|args| check(&args)).map_err(|wrong| wrong.text("asp"))
    }

    #[track_caller]
    fn options(line: &str) -> Options {
        match run(line) {
            Ok(Action::Run(options)) => *options,
            other => panic!("{line}: {other:?}"),
        }
    }

    /// clasp's old numbers for strategies, which front ends still write.
    #[test]
    fn strategies_by_number() {
        for (number, words) in [
            (0, "bb"),
            (1, "bb,hier"),
            (2, "bb,inc"),
            (3, "bb,dec"),
            (4, "usc,0"),
            (5, "usc,disjoint"),
            (8, "usc,pmres,0"),
            (13, "usc,disjoint,stratify"),
        ] {
            let [by_number, by_words] = [number.to_string(), words.to_string()]
                .map(|value| options(&format!("a --opt-strategy={value}")));
            let [a, b] = [by_number, by_words].map(|o| o.solve.solver.optimize);
            assert_eq!((a.strategy, a.cores), (b.strategy, b.cores), "{number}");
        }
    }

    #[test]
    fn solver_options() {
        let o = options(
            "a 0 -e brave --opt-mode=optN,3,-1 --opt-strategy=usc,oll -t 2 --seed=7 --solve-limit=5,umax",
        );
        assert_eq!(o.solve.models, Some(0));
        assert_eq!(o.solve.enum_mode, EnumMode::Brave);
        assert_eq!((o.solve.opt_mode, o.solve.opt_bounds.as_slice()), (OptMode::OptN, &[3, -1][..]));
        assert_eq!(
            (o.solve.solver.optimize.strategy, o.solve.threads, o.solve.solver.seed),
            (OptStrategy::CoreGuided, 2, 7)
        );
        assert_eq!((o.solve.conflict_limit, o.solve.restart_limit), (Some(5), None));
        assert_eq!(options("-n -1").solve.models, None);
    }

    #[test]
    fn ground_input_takes_no_facts() {
        for line in ["--mode=clasp --grid=a", "--mode=clasp --csv=p=a", "--json=p=a --mode=clasp"] {
            assert!(run(line).is_err_and(|why| why.contains("is already ground")), "{line}");
        }
        assert_eq!(options("--mode=gringo --grid=a").inputs.grids.len(), 1);
    }

    #[test]
    fn preprocessing() {
        let elimination = |line: &str| options(line).solve.translate.elimination;
        assert_eq!(elimination(""), Eliminate::Auto);
        assert_eq!(elimination("--sat-prepro=0"), Eliminate::No);
        assert_eq!(elimination("--no-sat-prepro"), Eliminate::No);
        let limits = Elimination { rounds: Some(3), occurrences: Some(9), ..Elimination::default() };
        assert_eq!(elimination("--sat-prepro=2,3,occ=9"), Eliminate::Within(limits));
        let limits = Elimination { clauses: Some(7000), frozen: Some(60), ..Elimination::default() };
        assert_eq!(elimination("--sat-prepro=1,size=7,frozen=60"), Eliminate::Within(limits));
        let passes = |line: &str| {
            let InprocessParameters { probe, substitute, subsume, vivify, .. } =
                options(line).solve.solver.inprocess;
            [probe, substitute, subsume, vivify]
        };
        assert_eq!(passes("--inprocess=probe,vivify"), [true, false, false, true]);
        assert_eq!(passes("--inprocess=no"), [false; 4]);
    }

    #[test]
    fn nought_is_no_where_it_is_a_number_too() {
        let solver = |line: &str| options(line).solve.solver;
        assert_eq!(solver("--del-max=0").reduce.most, solver("--no-del-max").reduce.most);
        assert_eq!(solver("--counter-restarts=0").restart, solver("--counter-restarts=no").restart);
        assert_eq!(solver("--block-restarts=0").restart, solver("--block-restarts=no").restart);
        assert_eq!(solver("--vsids-progress=0").heuristic, solver("--vsids-progress=no").heuristic);
    }

    #[test]
    fn quiet_levels_follow_each_other() {
        let quiet = |line| {
            let q = options(line).style.quiet;
            (q.models, q.costs, q.calls)
        };
        assert_eq!(quiet("-q"), (Level::Nothing, Level::Nothing, Level::Nothing));
        assert_eq!(quiet("-q1"), (Level::Last, Level::Last, Level::Nothing));
        assert_eq!(quiet("-q2,0,1"), (Level::Nothing, Level::All, Level::Last));
        assert_eq!(quiet("--outf=1"), (Level::Last, Level::Last, Level::Nothing));
    }

    #[test]
    fn separators() {
        assert_eq!(options("--out-ifs=\\n").style.separator, '\n');
        assert!(run("--out-ifs=ab").is_err());
    }

    #[test]
    fn warnings_by_name() {
        let shows = |line| options(line).warnings.shows(WarningKind::AtomUndefined);
        assert!(
            shows("a") && !shows("-Wnone") && !shows("-Wno-atom-undefined") && shows("-Wnone --warn=all")
        );
        assert!(options("--warn=tuple-collapse").warnings.shows(WarningKind::Lint("tuple-collapse")));
        assert_eq!(
            run("-Watom-undefind").unwrap_err(),
            "In context '<asp>': 'atom-undefind' invalid value for: 'warn'; did you mean 'atom-undefined'?"
        );
    }

    #[test]
    fn noted_options_are_listed_once() {
        assert_eq!(options("--nant --eq=3 --configuration=auto").noted, ["eq", "nant"]);
        assert!(run("--configuration=trendi").unwrap_err().contains("trendy"));
        assert_eq!(options("--tester=--restarts=L,9").noted, [""; 0]);
        assert_eq!(options("--tester=--nant").noted, ["tester"]);
    }

    #[test]
    fn configurations() {
        let solver = |line: &str| options(line).solve.solver;
        assert_eq!(solver("--configuration=auto"), SolverParameters::default());
        assert_eq!(solver("--configuration=many"), SolverParameters::default());
        let tweety = solver("--configuration=Tweety");
        assert!(tweety.restart.local && tweety.heuristic.decay == 0.92);
        let other = solver("--configuration=tweety --heuristic=Vmtf");
        assert!(other.restart.local && other.heuristic.decay == 0.95);
        assert!(options("--configuration=tweety -t 3").solve.portfolio.is_empty());
        assert_eq!(options("--configuration=many -t 3").solve.portfolio.len(), 3);
        assert_eq!(options("--configuration=many -t 60").solve.portfolio.len(), 8);
        assert!(options("--configuration=frumpy").noted.is_empty());
        assert!(run("--no-lookback --restarts=L,3").is_err() && run("--no-lookback --restarts=no").is_ok());
        assert!(run("--configuration=tweety --no-lookback").is_err());
    }
}
