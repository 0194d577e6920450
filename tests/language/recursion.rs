//! Parts of recursive bodies that do not grow, cut out: the same answer sets as without, over random programs that derive
//! in rounds, by any kind of head, through negation, and in several steps. `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT`
//! choose others.

use super::rewriting::{agree, set};
use crate::support::hunt::{number, one};
use asp::Control;
use asp_base::rng::Rng;
use asp_rewrite::improve::Rewritings;

/// Atoms that are complete before the recursion, some of them open.
fn atoms(rng: &mut Rng) -> String {
    let e = &[
        "{ e(1..3,1..2) }.",
        "e(1,2). e(2,3). { e(3,1) ; e(2,1) }.",
        "e(1..3,1..3).",
        "{ e(X,X+1) : X = 1..3 }. e(4,1).",
    ];
    let d = &["{ d(1..3) }.", "d(1..3).", "d(2). { d(1) ; d(3) }.", "{ d(1..4) } = 1.", "d(x). { d(1..2) }."];
    let start = &["r(1,1).", "r(X,Y) :- e(X,Y).", "{ r(1,1..2) }.", "r(1,X) :- d(X). r(2,1)."];
    format!("{} {} {} f(1,2,3). f(2,1,3). f(2,2,1). f(1,1,x).\n", one(e, rng), one(d, rng), one(start, rng))
}

/// A recursive rule; it may be unsafe.
fn rule(rng: &mut Rng) -> String {
    let growing = &["r(X,Y)", "r(Y,Z)", "r(X,X)", "s(Y)", "r(Y,X)"];
    let complete = &[
        "e(X,D)",
        "e(D,Y)",
        "d(D)",
        "e(D,G)",
        "d(G)",
        "e(X,Y)",
        "f(D,G,X)",
        "f(X,D,G)",
        "d(D+1)",
        "not d(D)",
        "not e(D,X)",
        "e(D,D)",
    ];
    let tests = &[
        "D != X",
        "D < G",
        "G = D+1",
        "X != Y",
        "D = 1..2",
        "not r(Y,X)",
        "not s(X)",
        "Y+D != 3",
        "not not s(Y)",
        "not r(D,D)",
    ];
    let heads = &[
        "r(X,Z)",
        "r(X,Z)",
        "r(X,Y)",
        "r(Y,X)",
        "s(X)",
        "s(Y)",
        "{ r(X,Y) }",
        "{ s(X) : d(X) } 1",
        "s(X) | r(X,Y)",
        "r(X,D)",
        "",
        "{ s(D) }",
    ];
    let mut body: Vec<&str> = (0..1 + rng.below(2)).map(|_| one(growing, rng)).collect();
    (0..1 + rng.below(3)).for_each(|_| body.push(one(complete, rng)));
    (0..rng.below(3)).for_each(|_| body.push(one(tests, rng)));
    if rng.below(8) == 0 {
        body.push(one(&["#count { W : e(W,D) } > 0", "#count { W : r(W,X) } < 3", "d(W) : e(W,D)"], rng));
    }
    format!("{} :- {}.\n", one(heads, rng), body.join(", "))
}

/// A rule that is safe.
fn safe_rule(rng: &mut Rng) -> String {
    loop {
        let text = rule(rng);
        let mut control = Control::new();
        control.add(&text);
        if control.ground().is_ok() {
            return text;
        }
    }
}

fn program(rng: &mut Rng) -> String {
    let mut out = atoms(rng);
    (0..2 + rng.below(3)).for_each(|_| out += &safe_rule(rng));
    if rng.below(5) == 0 {
        out += one(&["#external d(4). ", "#external e(3,3). ", "#external r(2,2). "], rng);
    }
    out + one(&["", "s(X) :- r(X,X). ", "r(X,Y) :- s(X), s(Y). "], rng)
}

/// How many rules are cut that read what they derive.
fn cuts(program: &str) -> usize {
    let mut control = Control::new();
    control.settings.ground.rewritings = set("eager");
    control.settings.ground.explain = true;
    control.add(program);
    if control.ground().is_err() {
        return 0;
    }
    let is_cut = |name: &str, was: &str| name.contains("decomposition") && was.contains("r(");
    control.journal().map_or(0, |j| j.rewritten.iter().filter(|r| is_cut(&r.name, &r.was)).count())
}

#[test]
fn answers_are_the_same() {
    let (first, seeds) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 500));
    let (mut compared, mut any) = (0, 0);
    for seed in first..first + seeds {
        let program = program(&mut Rng::new(seed));
        any += u64::from(cuts(&program) > 0);
        compared += u64::from(agree(&program));
    }
    assert!(compared * 10 > seeds * 8 && any * 2 > seeds, "{compared}, {any} of {seeds}");
}

#[test]
fn over_steps() {
    let (first, seeds) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 200));
    let run = |parts: &[String], rewritings: Rewritings| {
        let mut control = Control::new();
        control.settings.ground.rewritings = rewritings;
        parts.iter().for_each(|part| control.add(part));
        let mut all = Vec::new();
        for part in ["base", "next"] {
            control.ground_parts(&[(part, Vec::new())]).ok()?;
            let mut found = Vec::new();
            let all_told = control.solve(0, |answer| {
                let text = answer.to_string();
                let mut atoms: Vec<&str> = text.split(' ').collect();
                atoms.sort_unstable();
                found.push(atoms.join(" "));
                found.len() <= 3000
            });
            all_told.ok().filter(|_| found.len() <= 3000)?;
            found.sort_unstable();
            all.push(found);
        }
        Some(all)
    };
    let mut compared = 0;
    for seed in first..first + seeds {
        let mut rng = Rng::new(seed);
        let rename = |text: String| text.replace("r(", "t(").replace("s(", "u(");
        let base = program(&mut rng);
        let next: String = (0..1 + rng.below(3)).map(|_| rename(safe_rule(&mut rng))).collect();
        let start = one(
            &["t(X,Y) :- r(X,Y).", "{ t(X,Y) : r(X,Y) }. e(5,1).", "u(X) :- s(X). t(1,2). { d(5) }."],
            &mut rng,
        );
        let parts = [base, format!("#program next. {start} {next}")];
        let Some(expected) = run(&parts, Rewritings::none()) else { continue };
        assert_eq!(run(&parts, set("all")).as_ref(), Some(&expected), "seed {seed}\n{}", parts.concat());
        assert_eq!(run(&parts, set("eager")), Some(expected), "seed {seed}\n{}", parts.concat());
        compared += 1;
    }
    assert!(compared * 10 > seeds * 6, "{compared} of {seeds}");
}

/// The instances of a rule with a part of two literals that multiplies.
#[test]
fn a_part_that_multiplies_is_cut() {
    let program = "{ d(1..30) }. e(X,(X*K)\\30+1) :- X = 1..30, K = 1..20. { r(1..30,1..30) }.
        r(X,Z) :- d(D), e(X,D), r(X,Y), r(Y,Z). #show r/2.";
    let count = |words: &str| {
        let mut control = Control::new();
        control.settings.ground.rewritings = set(words);
        control.add(program);
        control.ground().expect("a program");
        control.program().rules.len()
    };
    let (all, none) = (count("all"), count("no-decomposition"));
    assert!(all * 5 < none && all > 20_000, "{all} of {none}");
}
