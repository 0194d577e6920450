//! Constraints that are kept for the search: the same answers as when they are instantiated, in every mode.
//!
//! The programs are near misses: comparisons off by one, terms that are no integers, facts among open atoms, negation,
//! externals, atoms that are shown or projected on. `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` choose others.

use super::rewriting::set;
use crate::support::compare::{self, MOST_MODELS};
use crate::support::generator::generate;
use crate::support::hunt::{number, one};
use crate::support::library::solve_under;
use crate::support::oracle::Oracle;
use crate::support::outcome::{Mode, Outcome};
use crate::support::records;
use crate::support::spawn;
use crate::support::tree::{render, text};
use asp::Control;
use asp_base::rng::Rng;
use asp_solve::{EnumMode, OptStrategy, SolveOptions};

/// A part, in one of `of` programs.
fn seldom(of: u64, part: &str, rng: &mut Rng) -> String {
    if rng.below(of) == 0 { part.to_string() } else { String::new() }
}

/// Open atoms, with facts and values that are no integers among them.
fn atoms(rng: &mut Rng) -> String {
    let p = &[
        "{ p(1..3,1..3) }.",
        "{ p(X,1..3) } = 1 :- X = 1..3.",
        "{ p(X,Y) : d(Y) } 1 :- d(X).",
        "p(1,1). p(2,3). { p(1..3,2) }.",
        "{ p(X,Y) : f(X,Y) }.",
        "{ p(1..2,1..2) }. p(X,Y) :- p(Y,X).",
        "p(X,Y) :- q(X), q(Y), not r(X). { r(1..2) }.",
        "{ p(X,X+1) : X = 1..3 }. p(3,1).",
    ];
    let q =
        &["{ q(1..3) }.", "{ q(X) : d(X) }.", "q(2). { q(1) ; q(3) }.", "{ q(1..3) } = 2.", "{ q(-1..1) }."];
    let d = &["d(1..3).", "d(1;2;a).", "d(1;f(1);\"s\").", "d(1;2;(1,2)).", "d(-1;1;x)."];
    let f = &["f(1,2). f(2,3). f(2,1).", "f(1,2). f(x,1). f(2,2).", "f(1..3,1).", "f(1,3). f(2,f(2))."];
    let mut out = format!("{} {} {} {}\n", one(p, rng), one(q, rng), one(d, rng), one(f, rng));
    out += &seldom(4, "#external p(4,1). ", rng);
    out += &seldom(4, "#external q(2). ", rng);
    out += &seldom(6, "s(X) :- p(X,_), not q(X). ", rng);
    out
}

/// A constraint over these atoms.
fn constraint(rng: &mut Rng) -> String {
    let literals = &[
        "p(A,B)",
        "p(A,B)",
        "p(B,C)",
        "p(C,D)",
        "p(A,D)",
        "p(B,A)",
        "q(A)",
        "q(B)",
        "q(C)",
        "f(A,B)",
        "f(B,C)",
        "p(A,A)",
        "p(A,1)",
        "p(A+1,B)",
        "p(2*A,B)",
        "q(A+B)",
        "d(A)",
        "p(A,f(B))",
        "q(1)",
        "f(A,D)",
    ];
    let tests = &[
        "A != B",
        "A < B",
        "A <= B",
        "A > C",
        "A+1 != B",
        "A+B < 4",
        "A+B = C",
        "B-A = D-C",
        "|A-B| = 1",
        "A*B > 2",
        "A/2 = B/2",
        "A \\ 2 = 0",
        "(A,B) < (C,D)",
        "(A,B) != (B,A)",
        "not q(A)",
        "not p(A,B)",
        "not p(B,A)",
        "not not q(B)",
        "not p(A+1,B)",
        "A != x",
        "A < a",
        "A = B",
        "C = A+1",
        "C = 2*A-B",
        "A = 1..2",
        "not f(A,B)",
        "not p(A,C), not p(C,A)",
        "A < f(B)",
        "2*A = B+1",
        "A > -B",
        "not not p(B,C)",
        "not d(A)",
        "B != 3",
    ];
    loop {
        let mut body: Vec<&str> = (0..2 + rng.below(3)).map(|_| one(literals, rng)).collect();
        (0..rng.below(4)).for_each(|_| body.push(one(tests, rng)));
        let text = match rng.below(4) {
            0 => count(&body.join(", "), rng),
            _ => format!(":- {}.\n", body.join(", ")),
        };
        let mut control = Control::new();
        control.add(&text);
        // An unsafe one says nothing.
        if control.ground().is_ok() {
            return text;
        }
    }
}

/// A constraint on the number of matches of a body.
fn count(body: &str, rng: &mut Rng) -> String {
    let outer = one(
        &["d(A)", "d(A), d(B), A != B", "A = 1..3", "f(A,E)", "q(A)", "d(B), B != 2", "d(A), not f(A,1)"],
        rng,
    );
    let tuple = one(&["A,B", "B", "B,C", "A", "A,B,C,D", "B+1", "1"], rng);
    let guard = one(&["> 1", ">= 2", "> 2", "> 0", ">= 4", "> 3", "= 2"], rng);
    match rng.below(6) {
        0 => format!(":- {outer}, not #count {{ {tuple} : {body} }} < 3.\n"),
        _ => format!(":- {outer}, #count {{ {tuple} : {body} }} {guard}.\n"),
    }
}

fn program(rng: &mut Rng) -> String {
    let mut out = atoms(rng);
    (0..1 + rng.below(3)).for_each(|_| out += &constraint(rng));
    // What is projected on must be what is shown.
    out += one(&["", "#show q/1. ", "#show q/1. #project q/1. "], rng);
    let objectives =
        &["#minimize { 1,A,B : p(A,B) }.", "#maximize { 1,A : q(A) }. #minimize { 2,A : p(A,1) }."];
    let objective = one(objectives, rng);
    out + &seldom(3, objective, rng)
}

/// A change of options of the call.
type Change = fn(&mut SolveOptions);

const CHANGES: &[(&str, Mode, Change)] = &[
    ("record", Mode::All, |o| o.enum_mode = EnumMode::Record),
    ("backtrack", Mode::All, |o| o.enum_mode = EnumMode::Backtrack),
    ("domains", Mode::All, |o| o.solver.phase.fixed = true),
    ("threads", Mode::All, |o| o.threads = 2),
    ("split", Mode::Opt, |o| (o.threads, o.split) = (2, true)),
    ("shown", Mode::ProjectShow, |_| {}),
    ("projected", Mode::Project, |_| {}),
    ("brave", Mode::Brave, |_| {}),
    ("cautious", Mode::Cautious, |_| {}),
    ("cautious in threads", Mode::Cautious, |o| o.threads = 2),
    ("optimum", Mode::Opt, |_| {}),
    ("optima", Mode::OptN, |_| {}),
    ("cores", Mode::OptN, |o| o.solver.optimize.strategy = OptStrategy::CoreGuided),
    ("costs", Mode::OptEnum, |_| {}),
    ("ignored", Mode::OptIgnore, |o| o.threads = 2),
];

fn keep(words: &'static str) -> impl Fn(&mut Control) {
    move |control: &mut Control| {
        control.settings.ground.lazy = Some(0);
        control.settings.ground.rewritings = set(words);
    }
}

/// How many constraints of a program are kept.
fn kept(program: &str) -> usize {
    let mut control = Control::new();
    keep("none")(&mut control);
    control.add(program);
    control.ground().map_or(0, |()| control.program().lazy.iter().map(|b| b.constraints.len()).sum())
}

#[test]
fn answers_are_the_same() {
    let (first, seeds) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 400));
    let (mut compared, mut any) = (0, 0);
    for seed in first..first + seeds {
        let mut rng = Rng::new(seed);
        let program = program(&mut rng);
        any += u64::from(kept(&program) > 0);
        for _ in 0..4 {
            let (name, mode, change) = CHANGES[rng.below(CHANGES.len() as u64) as usize];
            if mode == Mode::Project && !program.contains("#project") {
                // Projected on nothing, any one answer set may be told.
                continue;
            }
            let words = ["none", "all", "eager", "none,symmetry,decomposition"][rng.below(4) as usize];
            let expected = solve_under(&program, mode, 2000, &|_| {}, &change);
            if matches!(expected, Outcome::Rejected(_) | Outcome::TooMany | Outcome::Unfinished) {
                continue;
            }
            let found = solve_under(&program, mode, 2000, &keep(words), &change);
            assert_eq!(found, expected, "{name}, --rewrite={words}, seed {seed}\n{program}");
            compared += 1;
        }
    }
    assert!(compared > 2 * seeds && any * 10 > seeds * 7, "{compared}, {any} of {seeds}");
}

/// A program in which keys, free choices or sums may decide that a constraint waits.
fn estimated(rng: &mut Rng) -> String {
    if rng.below(3) == 0 {
        let free = &[
            "{ p(1..3,1..3) }.",
            "{ p(1..3,1..3) } 4.",
            "{ p(X,Y) : d(Y) } 2 :- d(X).",
            "{ p(1..3,1..2) }. p(X,Y) :- p(Y,X).",
            "{ p(1..2,1..3) }. p(1,X) :- q(X).",
        ];
        let more = &[
            "",
            ":- not p(1,2).",
            ":- #count { A,B : p(A,B) } < 2.",
            "#minimize { 1,A,B : p(A,B) }.",
            "p(3,3).",
        ];
        let mut out = format!("{} {{ q(1..3) }}. d(1..3). f(1,2). f(2,1).\n", one(free, rng));
        (0..1 + rng.below(3)).for_each(|_| out += &constraint(rng));
        return out + one(more, rng);
    }
    // Places of which few are left.
    let (m, r) = (11 + 6 * rng.below(6), rng.below(7));
    let mut out = "{ at(I,X,Y) : X = 0..31, Y = 0..35 } = 1 :- I = 1..2. side(1,2). side(2,3). side(3,1).\n"
        .to_string();
    out +=
        &format!(":- at(I,X,Y), (7*X+5*Y+3*I) \\ {m} != {r}. :- at(I,X,Y), X+Y > {}.\n", 8 + rng.below(30));
    for _ in 0..1 + rng.below(2) {
        let mut body =
            vec!["at(I,X,Y), at(J,U,V)", one(&["I < J", "I != J", "I < J, side(I,S), side(J,T)"], rng)];
        let sides = body[1].contains("side");
        let tests = &[
            "X < U+3",
            "U < X+2",
            "Y < V+4",
            "V <= Y+2",
            "X != U",
            "X+Y < U+V",
            "X-U > Y-V",
            "X = U",
            "2*X < 3*V",
            "|X-U| < 4",
            "Y \\ 2 = 0",
            "X*Y > 9",
            "not at(J,X,Y)",
        ];
        let by_sides = &["X < U+T", "U < X+S", "Y < V+T", "V < Y+S"];
        (0..1 + rng.below(4)).for_each(|_| body.push(one(if sides { by_sides } else { tests }, rng)));
        out += &format!(":- {}.\n", body.join(", "));
    }
    out + "#show at/3."
}

/// What is kept by estimate: from few instances on, with all rewritings.
#[test]
fn by_estimate() {
    let (first, seeds) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 25));
    let (mut compared, mut any) = (0, 0);
    for seed in first..first + seeds {
        let mut rng = Rng::new(seed);
        let program = estimated(&mut rng);
        let least = 1 + 20 * rng.below(2);
        let by_estimate = |control: &mut Control| {
            (control.settings.ground.lazy, control.settings.ground.lazy_where_few) = (Some(least), true);
            control.settings.ground.answers_only = true;
        };
        let mode = [Mode::All, Mode::OptN][usize::from(program.contains("#minimize"))];
        let expected = solve_under(&program, mode, 4000, &|_| {}, &|_| {});
        if matches!(expected, Outcome::Rejected(_) | Outcome::TooMany | Outcome::Unfinished) {
            continue;
        }
        let found = solve_under(&program, mode, 4000, &by_estimate, &|_| {});
        assert_eq!(found, expected, "seed {seed}\n{program}");
        compared += 1;
        let mut control = Control::new();
        by_estimate(&mut control);
        control.add(&program);
        any += u64::from(control.ground().is_ok() && !control.program().lazy.is_empty());
    }
    assert!(compared * 2 > seeds && any * 4 > compared, "{compared}, {any} of {seeds}");
}

/// A constraint over what the programs of `support::generator` have; it may be unsafe.
fn constraint_of_any_kind(rng: &mut Rng) -> String {
    let atoms = &[
        "p(X)",
        "p(X)",
        "p(Y)",
        "p(Z)",
        "q(X)",
        "q(Y)",
        "q(Y)",
        "q(Z)",
        "_s(X)",
        "_s(Z)",
        "p(X+1)",
        "q(2*X)",
        "r(X,Y)",
        "r(Y,X)",
        "r(Y,Z)",
        "a",
        "b",
        "c",
        "d",
        "e'",
        "x",
        "x(X)",
        "-p(X)",
        "-a",
        "edge(X,Y)",
        "dom(X)",
        "q(f(X))",
    ];
    let tests = &[
        "X != Y",
        "X < Y",
        "X <= Y",
        "X+1 != Y",
        "X+Y < 3",
        "X-Y = Z",
        "|X-Y| = 1",
        "X != x",
        "X < \"s\"",
        "X*Y > 1",
        "(X,Y) < (Y,Z)",
        "not p(X)",
        "not q(Y)",
        "not not _s(X)",
        "not a",
        "not b",
        "not not c",
        "not p(X+1)",
        "not -p(X)",
        "not r(X,Y)",
        "not edge(X,Y)",
        "X = 0..2",
        "Y = X+1",
        "not x(X)",
    ];
    let mut body: Vec<&str> = (0..2 + rng.below(2)).map(|_| one(atoms, rng)).collect();
    (0..rng.below(3)).for_each(|_| body.push(one(tests, rng)));
    match rng.below(8) {
        0 => count(&body.join(", ").replace('X', "A").replace('Y', "B").replace('Z', "C"), rng),
        _ => format!(":- {}.", body.join(", ")),
    }
}

/// Programs with every construct of the language, with constraints over their atoms; by clingo, too, where it is installed.
#[test]
fn of_all_kinds() {
    let (first, seeds) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 60));
    let mut oracle = Oracle::start();
    let (mut compared, mut any, mut all, mut by_clingo) = (0, 0, 0, 0);
    for (profile, _) in records::profiles() {
        for seed in first..first + seeds {
            let mut rng = Rng::new(seed);
            let mut case = generate(&profile, seed);
            // Most atoms that a program has by itself are facts, or never hold.
            let open = [
                "{ p(X) ; q(X) } :- dom(X).",
                "{ p(X) ; r(X,X) } :- dom(X). { a ; b }.",
                "{ q(X) : dom(X) }. { a ; p(1) }.",
            ];
            case.statements.push(text(one(&open, &mut rng)));
            for _ in 0..2 + rng.below(3) {
                let more = text(constraint_of_any_kind(&mut rng));
                let mut control = Control::new();
                control.add(&render(std::slice::from_ref(&more)));
                // An unsafe one says nothing.
                if control.ground().is_ok() {
                    case.statements.push(more);
                }
            }
            let program = render(&case.statements);
            let words = ["none", "all", "eager"][rng.below(3) as usize];
            let threads = 1 + u32::from(rng.below(4) == 0);
            let with_threads = |o: &mut SolveOptions| o.threads = threads;
            let expected = solve_under(&program, case.mode, MOST_MODELS, &|_| {}, &with_threads);
            if matches!(expected, Outcome::Rejected(_) | Outcome::TooMany | Outcome::Unfinished) {
                continue;
            }
            let found = solve_under(&program, case.mode, MOST_MODELS, &keep(words), &with_threads);
            let told = || {
                format!(
                    "profile {}, {:?}, --rewrite={words}, seed {seed}\n{program}",
                    profile.name, case.mode
                )
            };
            assert_eq!(found, expected, "{}", told());
            let constraints = kept(&program);
            compared += 1;
            any += u64::from(constraints > 0);
            all += constraints;
            // What clingo gets wrong of externals and of what depends on itself is known where it is compared by itself.
            if let Some(oracle) = oracle.as_mut().filter(|_| constraints > 0 && profile.external == 0.0) {
                let wrong = compare::mismatch(&case.statements, case.mode, oracle);
                assert!(wrong.is_none(), "clingo differs from an eager run, {}{wrong:?}", told());
                by_clingo += 1;
            }
        }
    }
    eprintln!("{compared} programs, {any} of which keep {all} constraints; {by_clingo} by clingo");
    assert!(compared > 3 * seeds && any * 3 > compared, "{compared}, {any} of {}", 6 * seeds);
}

/// Answer sets under assumptions, call after call, and cores.
#[test]
fn under_assumptions() {
    let seeds = number("ASP_RANDOM_COUNT", 150);
    let first = number("ASP_RANDOM_SEED", 0);
    let run = |program: &str, seed: u64, is_kept: bool| {
        let mut rng = Rng::new(seed);
        let mut control = Control::new();
        if is_kept {
            keep("none")(&mut control);
        }
        control.add(program);
        let mut all = Vec::new();
        for _ in 0..4 {
            let names = ["p(1,2)", "p(2,2)", "q(1)", "q(2)", "p(2,1)", "q(3)", "p(1,a)"];
            let assumed: Vec<_> = (0..1 + rng.below(3))
                .map(|_| (control.parse_term(one(&names, &mut rng)).expect("a term"), rng.below(3) > 0))
                .collect();
            let mut call = control.answers();
            for &(atom, holds) in &assumed {
                call = call.assume(atom, holds);
            }
            let mut handle = call.start().ok()?;
            let mut found = Vec::new();
            while let Some(answer) = handle.next().ok()? {
                let text = answer.to_string();
                let mut atoms: Vec<&str> = text.split(' ').collect();
                atoms.sort_unstable();
                found.push(atoms.join(" "));
            }
            found.sort_unstable();
            all.push(found);
        }
        Some(all)
    };
    let mut compared = 0;
    for seed in first..first + seeds {
        let mut rng = Rng::new(seed);
        let mut program = atoms(&mut rng);
        (0..1 + rng.below(3)).for_each(|_| program += &constraint(&mut rng));
        let Some(expected) = run(&program, seed, false) else { continue };
        assert_eq!(run(&program, seed, true), Some(expected), "seed {seed}\n{program}");
        compared += 1;
    }
    assert!(compared * 10 > seeds * 8, "{compared} of {seeds}");
}

/// Programs that grow: atoms and constraints of later steps, externals that change and get rules.
#[test]
fn over_steps() {
    let seeds = number("ASP_RANDOM_COUNT", 200);
    let first = number("ASP_RANDOM_SEED", 0);
    let run = |texts: &[String], seed: u64, is_kept: bool| {
        let mut rng = Rng::new(seed);
        let mut control = Control::new();
        if is_kept {
            keep("none")(&mut control);
        }
        texts.iter().for_each(|text| control.add(text));
        let mut all = Vec::new();
        for part in ["base", "second", "third"] {
            control.ground_parts(&[(part, Vec::new())]).ok()?;
            for name in ["p(4,1)", "q(2)", "p(5,1)"] {
                let term = control.parse_term(name).expect("a term");
                match rng.below(6) {
                    0 => drop(control.assign_external(term, true)),
                    1 => drop(control.assign_external(term, false)),
                    2 => drop(control.free_external(term)),
                    _ => {}
                }
            }
            let mut found = Vec::new();
            control
                .solve(0, |answer| {
                    let text = answer.to_string();
                    let mut atoms: Vec<&str> = text.split(' ').collect();
                    atoms.sort_unstable();
                    found.push(atoms.join(" "));
                    found.len() <= 3000
                })
                .ok()
                .filter(|_| found.len() <= 3000)?;
            found.sort_unstable();
            all.push(found);
        }
        Some(all)
    };
    let (mut compared, mut any) = (0, 0);
    for seed in first..first + seeds {
        let mut rng = Rng::new(seed);
        let mut texts = vec![atoms(&mut rng)];
        (0..1 + rng.below(2)).for_each(|_| texts[0] += &constraint(&mut rng));
        // An atom is derived in one step only: whether a second one is refused depends on what is known of the program by then.
        let mut later =
            vec!["{ p(5,1..2) }.", "{ q(5) }.", "#external p(5,1).", "p(4,1) :- q(1).", "{ p(6,X) : q(X) }."];
        for part in ["second", "third"] {
            let (more, constraint) = (one(&later, &mut rng), constraint(&mut rng));
            later.retain(|statement| *statement != more);
            texts.push(format!("#program {part}. {more} {}", seldom(2, &constraint, &mut rng)));
        }
        let Some(expected) = run(&texts, seed, false) else { continue };
        assert_eq!(run(&texts, seed, true), Some(expected), "seed {seed}\n{}", texts.concat());
        compared += 1;
        any += u64::from(kept(&texts[0]) > 0);
    }
    assert!(compared * 2 > seeds && any * 2 > compared, "{compared}, {any} of {seeds}");
}

/// The command, its statistics, and what grounds everything.
#[test]
fn with_the_command() {
    let program = "{ p(1..6,1..6) } = 6. :- p(A,B), p(C,D), A < C, B+D = 7, A+C != 7. #show.";
    let lazy = spawn::run(["-", "0", "-q", "--ground=lazy", "--stats"], program);
    let eager = spawn::run(["-", "0", "-q", "--ground=eager", "--stats"], program);
    let models = |text: &str| text.lines().find(|l| l.starts_with("Models")).map(str::to_owned);
    assert!(models(&lazy.stdout).is_some());
    assert_eq!(models(&lazy.stdout), models(&eager.stdout));
    let made = lazy.stdout.lines().find(|l| l.starts_with("Lazy"));
    assert!(made.is_some_and(|l| l.contains("1        (Instances: ")), "{}", lazy.stdout);
    assert!(!eager.stdout.contains("Lazy"));
    let text = |ground: &str| spawn::run(["-", "--text", ground], program).stdout;
    assert_eq!(text("--ground=lazy"), text("--ground=eager"));
}
