//! Anonymous variables under negation in steps: projections are shared between calls, and mean what a predicate written by
//! hand for each call means.

use asp::Control;
use asp_base::rng::Rng;

/// A rule with the head `head` and literals `not p(s,t)` with `_` in some places, in both ways of writing; `call` is a term
/// that tells calls apart.
fn rule(rng: &mut Rng, head: &str, call: &str, auxiliaries: &mut usize) -> (String, String) {
    let mut body = ["a", "not b", "c(T)", "d(1)"][rng.below(4) as usize].replace('T', call);
    if call == "0" {
        body = body.replace("c(0)", "not a");
    }
    let (mut anonymous, mut by_hand, mut definitions) = (body.clone(), body, String::new());
    for _ in 0..1 + rng.below(2) {
        let name = ["p", "q"][rng.below(2) as usize];
        let places: Vec<&str> =
            (0..2).map(|_| ["_", "_", "0", "1", "X", call][rng.below(6) as usize]).collect();
        let kept: Vec<&str> = places.iter().map(|&p| if p == "_" { "0" } else { p }).collect();
        let free: Vec<&str> =
            places.iter().zip(["U", "V"]).map(|(&p, variable)| if p == "_" { variable } else { p }).collect();
        let number = auxiliaries.to_string();
        *auxiliaries += 1;
        anonymous += &format!(", not {name}({})", places.join(","));
        by_hand += &format!(", not aux({number},{call},{})", kept.join(","));
        definitions += &format!("aux({number},{call},{}) :- {name}({}).\n", kept.join(","), free.join(","));
    }
    (format!("{head} :- {anonymous}, d(X).\n"), format!("{head} :- {by_hand}, d(X).\n{definitions}"))
}

/// A random program with a base and steps, in both ways of writing.
fn programs(seed: u64) -> (String, String) {
    let mut rng = Rng::new(seed);
    let mut auxiliaries = 0;
    let mut both = (String::new(), String::new());
    let mut add = |(anonymous, by_hand): (String, String)| {
        both.0 += &anonymous;
        both.1 += &by_hand;
    };
    let same = |text: &str| (text.to_string(), text.to_string());
    add(same("#show p/2. #show q/2. #show z/2. #show c/1. d(0..1). { a; b }.\n"));
    for _ in 0..1 + rng.below(3) {
        let name = ["p", "q"][rng.below(2) as usize];
        let body = ["", " :- a", " :- not b"][rng.below(3) as usize];
        // Atoms of steps begin with their number: none is derived again.
        add(same(&format!("{name}(0,{}){body}.\n", rng.below(2))));
    }
    add(rule(&mut rng, "z(0,0)", "0", &mut auxiliaries));
    add(same("#program step(t). { c(t) }.\n"));
    for _ in 0..1 + rng.below(3) {
        let name = ["p", "q", "z"][rng.below(3) as usize];
        let last = ["0", "1", "X", "t"][rng.below(4) as usize];
        add(rule(&mut rng, &format!("{name}(t,{last})"), "t", &mut auxiliaries));
    }
    add(same("p(t,0) :- c(t).\n"));
    both
}

/// The answer sets after each step.
fn answers(text: &str) -> Vec<Vec<String>> {
    let mut control = Control::new();
    control.add(text);
    let mut after = Vec::new();
    control.ground().unwrap();
    for step in 1..=4 {
        let mut found = Vec::new();
        control
            .solve(0, |answer| {
                let mut terms: Vec<String> = answer.terms().map(|t| t.to_string()).collect();
                terms.sort_unstable();
                found.push(terms.join(" "));
                true
            })
            .unwrap();
        found.sort_unstable();
        after.push(found);
        let t = control.number(step);
        control.ground_parts(&[("step", vec![t])]).unwrap();
    }
    after
}

#[test]
fn are_as_predicates_written_by_hand() {
    let mut sets = 0;
    for seed in 0..300 {
        let (anonymous, by_hand) = programs(seed);
        let found = answers(&anonymous);
        sets += found.iter().map(Vec::len).sum::<usize>();
        assert_eq!(found, answers(&by_hand), "seed {seed}\n{anonymous}\n{by_hand}");
    }
    assert!(sets > 3000, "{sets} answer sets");
}

/// A step's projection covers what that step adds: a planning program has as many rules in every step.
#[test]
fn grow_with_what_is_new() {
    let mut control = Control::new();
    control.add(
        "block(1..5). { on(B,B+1,0) : block(B) }.
         #program step(t). { move(B,C,t) : block(B), block(C) }.
         on(B,C,t) :- move(B,C,t). on(B,C,t) :- on(B,C,t-1), not move(B,_,t).",
    );
    control.ground().unwrap();
    let mut rules = Vec::new();
    for step in 1..=12 {
        let before = control.program().rules.len();
        let t = control.number(step);
        control.ground_parts(&[("step", vec![t])]).unwrap();
        rules.push(control.program().rules.len() - before);
    }
    assert_eq!(rules[2], rules[11], "{rules:?}");
}
