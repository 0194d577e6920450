//! Programs and what they are grounded to.
//!
//! `golden.txt` has one program per construct with its ground text and messages; every answer set of each was compared
//! with clingo's when it was recorded. To record it again after a change of the text form, run with `ASP_UPDATE=1`,
//! then read the difference.

use super::*;
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::rng::Rng;
use asp_base::span::Sources;
use asp_base::symbol::Symbols;
use asp_oracle::brute_force;
use asp_program::Program;
use asp_program::text;
use asp_rewrite::improve::Rewritings;
use asp_syntax::{self as syntax, Input, NoFiles};

struct Ground {
    result: Result<(), GroundError>,
    symbols: Symbols,
    sources: Sources,
    program: Program,
    diagnostics: Vec<Diagnostic>,
    instances: u64,
    /// Matches of single literals, with a profile.
    matches: u64,
}

fn run(program_text: &str, options: GroundOptions) -> Ground {
    let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
    let inputs = vec![Input::new("test", program_text)];
    let parsed = syntax::parse(inputs, &mut symbols, &mut sources, &mut NoFiles);
    let (mut program, mut diagnostics) = (Program::new(), parsed.diagnostics);
    let mut grounder = Grounder::new(options);
    let result = if grounder.add(&parsed.program, &[], &mut symbols, &mut diagnostics) {
        let base = symbols.intern("base");
        let interrupt = Interrupt::new();
        let parts = [(base, Vec::new())];
        grounder.ground(&parts, &mut symbols, &mut program, &interrupt, &mut diagnostics, Callers::default())
    } else {
        Err(GroundError::Invalid)
    };
    let matches = grounder.journal().rules.iter().map(|r| r.matches).sum();
    Ground { result, symbols, sources, program, diagnostics, instances: grounder.instances(), matches }
}

/// The ground program as text, then the messages (lints only if asked for) with the texts of their places.
fn ground(program_text: &str, lints: bool) -> String {
    let g = run(program_text, GroundOptions { keep_facts: true, ..GroundOptions::default() });
    let mut out = match g.result {
        Ok(()) => text::to_text(&g.program, &g.symbols),
        Err(_) => String::new(),
    };
    let wanted = |k: Option<WarningKind>| lints || !matches!(k, Some(WarningKind::Lint(_)));
    // Recursion that may not end is told of programs this small under review only.
    let review = run(program_text, GroundOptions { review: true, ..GroundOptions::default() });
    let is_endless = |d: &&Diagnostic| d.kind == Some(WarningKind::Termination);
    let endless = review.diagnostics.iter().filter(is_endless);
    for d in g.diagnostics.iter().filter(|d| wanted(d.kind)).chain(endless) {
        let kind = d.kind.map_or(String::new(), |k| format!(" [{}]", k.name()));
        out.push_str(&format!("{}: {}{kind}\n", format!("{:?}", d.severity).to_lowercase(), d.message));
        for l in &d.labels {
            let place = g.sources.locate(l.span).map_or((0, 0), |(_, line, column)| (line, column));
            let text = g.sources.text(l.span);
            let gap = if l.text.is_empty() { "" } else { " " };
            out.push_str(&format!("  {}:{} {text}{gap}{}\n", place.0, place.1, l.text));
        }
        d.help.iter().for_each(|h| out.push_str(&format!("  help: {h}\n")));
    }
    out
}

/// The answer sets' named atoms.
fn answer_sets(program_text: &str, rewritings: Rewritings) -> Vec<Vec<String>> {
    let g = run(program_text, GroundOptions { rewritings, ..GroundOptions::default() });
    assert_eq!(g.result, Ok(()), "{program_text}\n{:?}", g.diagnostics);
    let sets = brute_force::answer_sets(&g.program, &g.symbols);
    let mut sets: Vec<Vec<String>> =
        sets.iter().map(|s| s.atoms(&g.program, &g.symbols).into_iter().collect()).collect();
    sets.sort();
    sets
}

#[test]
fn golden() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/golden.txt");
    let recorded = std::fs::read_to_string(path).expect("the file is there");
    let (mut again, mut wrong) = (String::new(), Vec::new());
    for block in recorded.split("== ").skip(1) {
        let (name, rest) = block.split_once('\n').expect("a name");
        let (program, expected) = rest.split_once("--\n").unwrap_or((rest, ""));
        let actual = ground(program, name.starts_with("lint"));
        again.push_str(&format!("== {name}\n{program}--\n{actual}"));
        if actual != expected {
            wrong.push(format!("{name}: {program}is\n{actual}but was\n{expected}"));
        }
    }
    if std::env::var_os("ASP_UPDATE").is_some() {
        std::fs::write(path, again).expect("the file can be written");
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn rewritings_keep_the_answer_sets() {
    let recorded = include_str!("golden.txt");
    let mut eager = Rewritings::all();
    eager.obey("eager").unwrap();
    let (mut seen, mut changed) = (0, 0);
    for block in recorded.split("== ").skip(1) {
        let program = block.split_once("--\n").map_or(block, |b| b.0);
        let program = program.split_once('\n').map_or(program, |b| b.1);
        let plain =
            run(program, GroundOptions { rewritings: Rewritings::none(), ..GroundOptions::default() });
        if plain.result.is_err() || plain.program.atoms.len() > 10 {
            continue;
        }
        let expected = answer_sets(program, Rewritings::none());
        for rewritings in [Rewritings::all(), eager] {
            let g = run(program, GroundOptions { rewritings, ..GroundOptions::default() });
            if g.program.atoms.len() > 16 {
                continue;
            }
            changed += usize::from(g.program.rules.len() != plain.program.rules.len());
            assert_eq!(answer_sets(program, rewritings), expected, "{program}");
        }
        seen += 1;
    }
    assert!(seen > 140 && changed > 60, "{seen} {changed}");
}

#[test]
fn each_rewriting_saves_instances() {
    let programs = [
        ("exclusion", "{p(1..9,1..9)}. :- p(X,Y), p(X,Z), Y != Z."),
        ("symmetry", "{p(1..9)}. :- p(X), p(Y), X != Y, X+Y != 7."),
        ("projection", "{p(1..9,1..9)}. {q(1..9,1..9)}. :- p(X,Y), q(X,Z)."),
        ("projection", "{p(0,1..6,1..6)}. p(T+1,X,Z) :- p(T,X,_), p(T,_,Z), T < 4."),
        ("decomposition", "{p(1..9,1..9)}. :- p(A,B), p(B,C), p(C,D), p(D,E), A < B, D < E."),
        (
            "sharing",
            "{p(1..9,1..9)}. {r(1..9)}. a(X) :- p(X,Y), p(Y,Z), p(Z,W), r(X). b(X) :- p(X,Y), p(Y,Z), p(Z,W), not r(X).",
        ),
    ];
    let instances = |program: &str, rewritings| {
        run(program, GroundOptions { rewritings, ..GroundOptions::default() }).instances
    };
    let mut figures = String::new();
    for (name, program) in programs {
        let all = Rewritings::all();
        let mut without = all;
        without.obey(&format!("no-{name}")).unwrap();
        let (with, without) = (instances(program, all), instances(program, without));
        figures.push_str(&format!("{name} {with} {without}\n"));
    }
    assert_eq!(
        figures,
        "exclusion 90 405\nsymmetry 42 75\nprojection 324 891\nprojection 540 5220\ndecomposition 306 11745\nsharing 351 576\n"
    );
}

#[test]
fn cuts_are_left_where_equations_do_better() {
    for rule in [
        ":- p(R,C,N), p(S,D,N), R-S != 0, C = D.",
        ":- p(R,C,N), p(S,D,N), same(R,S), R != S, C = D.",
        ":- p(A,B,C), p(B,C,D), A < D.",
    ] {
        let program =
            format!("r(1..7). {{p(X,Y,Z) : r(X), r(Y), r(Z)}}. same(X,Y) :- r(X), r(Y), X/3 = Y/3. {rule}");
        let instances =
            |rewritings| run(&program, GroundOptions { rewritings, ..GroundOptions::default() }).instances;
        assert!(instances(Rewritings::all()) <= instances(Rewritings::none()), "{rule}");
    }
}

/// Joins with equations of calculated values, which an index serves, beside joins of the values themselves.
#[test]
fn rows_are_found_by_calculated_values() {
    let values = [
        "R-C", "R+C", "2*R-C", "C", "(R-1)/3", "|R-C|", "R*C", "R\\3", "R/C", "R**2-C", "~C", "R&C",
        "-(C+R)", "-C", "3-R",
    ];
    let mut pairs = 0;
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let mut number = |n: usize| rng.below(n as u64) as usize;
        let mut text = String::from("d(-6..6). e(0..2).\n");
        for _ in 0..20 + number(20) {
            text += &format!("q({},{}). ", number(13) as i64 - 6, number(13) as i64 - 6);
        }
        text += ["", "", "d(x). q(0,x).", "q(-2,a). q(a,a).", "d(3000000000). q(3000000000,0)."][number(5)];
        let (s, t) = (values[number(values.len())], values[number(values.len())]);
        let known = ["D", "D+E", "E-D", "-D", "D/2"][number(5)];
        text += &format!(
            "\na(R,C,D,E) :- d(D), e(E), q(R,C), {s} = {known}, E = {t}. v(R,C,X,Y) :- q(R,C), X = {s}, Y = {t}.
             b(R,C,D,E) :- d(D), e(E), K = {known}, v(R,C,K,E). w :- a(R,C,D,E), not b(R,C,D,E). w :- b(R,C,D,E), not a(R,C,D,E).
             m(D,N) :- d(D), N = #count {{ R,C : q(R,C), {s} = D }}. u(R,C,X) :- q(R,C), X = {s}. n(D,N) :- d(D), N = #count {{ R,C : u(R,C,D) }}.
             w :- m(D,N), not n(D,N). w :- n(D,N), not m(D,N)."
        );
        let found = ground(&text, false);
        assert!(found.contains("m(-6,") && !found.contains("\nw."), "seed {seed}\n{text}\n{found}");
        pairs += found.matches("\na(").count();
    }
    assert!(pairs > 1000, "{pairs}");
    // What has no value is told where it would be without the index, and only there.
    let far =
        ground("d(3..5). d(4000000000). q(3..5,1..6,1..6). p(R,C,D) :- d(D), q(D,R,C), R*C = D*D.", false);
    assert!(far.contains("p(5,5,5).") && !far.contains("overflow"), "{far}");
    for equation in ["R-C = D+1", "R-C+D = 2", "R*C = D+1"] {
        let text = format!("d(0..3). d(a). q(1..6,1..6). p(R,C,D) :- d(D), q(R,C), {equation}.");
        let found = ground(&text, false);
        assert!(found.contains("\np(") && found.contains("operation undefined"), "{text}\n{found}");
    }
    let count = "d(-20..20). q(1..20,1..20). n(D,N) :- d(D), N = #count { R,C : q(R,C), R-C = D }.";
    let matches = run(count, GroundOptions { profile: true, ..GroundOptions::default() }).matches;
    assert!(matches < 3000, "{matches}: all rows are looked at for each difference");
}

#[test]
fn instance_limit() {
    let options = GroundOptions { instance_limit: Some(10_000), ..GroundOptions::default() };
    let g = run("p(0). p(X+1) :- p(X).", options);
    assert_eq!(g.result, Err(GroundError::Stopped(StopReason::StepLimit)));
}
