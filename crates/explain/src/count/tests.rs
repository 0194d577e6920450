//! Counts and samples against enumeration.

use super::sample::{Drawn, sample};
use super::*;
use asp_base::map::Map;

fn prepared(text: &str) -> Control {
    let mut control = Control::new();
    control.add(text);
    control.ground().expect("it grounds");
    control.lower().expect("it is prepared");
    control
}

/// The count without the enumeration that comes first.
fn counted(control: &mut Control, project: bool) -> BigUint {
    let mut ready = ready(control, project).expect("small sums");
    let exact = ready.is_exact();
    match &mut ready.counter {
        None => BigUint::ZERO,
        Some(counter) if exact => counter.count().expect("no limit"),
        Some(_) => {
            let mut counting = Counting::new(project, Effort::default().first, None);
            counting.count_parts(control, &mut ready).expect("no limit").expect("not given up")
        }
    }
}

#[track_caller]
fn check(text: &str) {
    for project in [false, true] {
        let mut control = prepared(text);
        let (models, _) = enumerate(&mut control, 0, project, &[], |_, _| {}).expect("no limit");
        if models > 0 {
            assert_eq!(counted(&mut control, project).to_string(), models.to_string(), "{project}: {text}");
        }
        assert_eq!(
            count(&mut control, project, Effort::default()).expect("no limit").to_string(),
            models.to_string(),
            "{text}"
        );
    }
}

#[test]
fn counts_agree_with_enumeration() {
    check("#external s(1). [free] s(1) :- s(X). {a}. s(1) :- s(1), a. b :- s(1), a.");
    check("#external s(1). [true] s(1) :- s(X). {a}. :- s(1), a.");
    check("#external s. [free] {a;b}. a :- s. s :- a, b. s :- s.");
    check("{a;b;c}. d :- a, not b. #show d/0. #show a/0.");
    check("{p(1..8)}. :- p(X), p(X+1). #show. #show q(X) : p(X), X > 5.");
    check("3 {p(1..7)} 5. :- #sum { X : p(X) } > 12.");
    check("{p(1..6)}. q :- 7 <= #sum { X : p(X) } <= 11. :- not q.");
    check("a | b | c. d | e :- a. {f} :- not d. #show f/0.");
    check("1 {p(X,1..3)} 1 :- X = 1..5. :- p(X,C), p(X+1,C).");
    check(
        "{e(1,2); e(2,3); e(3,1); e(1,3)}. r(1). r(Y) :- r(X), e(X,Y). :- not r(3). {x;y}. #show e/2. #show x/0.",
    );
    check("{s(1..3)}. a(X) :- b(X). b(X) :- a(X). a(X) :- s(X). {z(1..4)}. :- z(1), z(2).");
    // A cycle whose atoms all hold connects parts that the completion separates.
    check(
        "{e(1,2)} = 1 :- x. {x}. {e(X,Y) : Y = 1..4, Y != X} = 1 :- X = 1..4. {e(X,Y) : X = 1..4, Y != X} = 1 :- Y = 1..4.\
           r(2) :- e(1,2). r(3) :- e(1,3). r(4) :- e(1,4). r(Y) :- r(X), e(X,Y). :- not r(1..4).",
    );
    check("{a;b}. {c;d}. p :- q. q :- p. p :- a. q :- c. :- not p. :- not q.");
    check("{a}. :- a. :- not a.");
    // Edges, in one component and in several.
    check("{ x(1..4) }. #edge (1,1) : x(1).");
    check("{ e(1..4,1..4) }. #edge (X,Y) : e(X,Y). :- e(X,X).");
    check(
        "{ x(1..3); y(1..3) }. #edge (a,b) : x(X). #edge (b,a) : y(Y). #edge (c,c) : x(1), y(2). #edge (a,z) : x(2).",
    );
    check("{ e(1..3,1..3) }. #edge (X,Y) : e(X,Y). r(1). r(Y) :- r(X), e(X,Y). :- not r(3). #show r/1.");
    // Positive recursion through sums and choices, and disjunctions outside and inside cycles.
    check(
        "{ s(1..3) }. a :- 2 #sum { 1 : b; 1 : c; 2 : s(1) }. b :- a. b :- s(2). { c } :- b. #show a/0. #show b/0.",
    );
    check("{ s(1..2) }. { a; b } :- c. c :- a. c :- b. a :- s(1). d | e :- a. e :- s(2).");
    check("{ s }. a | b :- s. a :- b. b :- a. c | d. { t(1..3) }. :- t(1), c.");
    check("{ s }. a | b. a :- b, s. b :- a, s. e :- a. #edge (1,2) : a. #edge (2,1) : b. { t(1..3) }.");
    check("#theory t { u { }; &x/0 : u, body }. { a }. b :- &x { }. :- a, b.");
    check("a. #show a/0.");
    check("{a;b}. #external c. [free] d :- c, a.");
    check("p(1..3). { q(X) : p(X) } = 2. #show. #show t : q(1). #show t : q(2).");
}

#[test]
fn structure_is_used() {
    let mut control = prepared("{p(1..300)}. 1 {q(X,1..3)} 1 :- X = 1..100. :- p(X), p(X+1), X \\ 10 = 1.");
    let expected = { (BigUint::from(1u32) << (300 - 60)) * BigUint::from(3u32).pow(130) };
    assert_eq!(count(&mut control, false, Effort::default()), Ok(expected));
    // A long chain has no independent parts at first, but splits at each decision.
    let mut control = prepared("{p(1..200)}. :- p(X), p(X+1).");
    let (mut a, mut b) = (BigUint::from(1u32), BigUint::from(1u32));
    for _ in 0..200 {
        (a, b) = (&a + b, a);
    }
    assert_eq!(count(&mut control, false, Effort::default()), Ok(a));
}

#[test]
fn samples_are_uniform() {
    for text in [
        "{p(1..10)}. :- p(X), p(X+1), p(X+2). #show p/1.",
        "{p(1..4)}. q(X) :- p(X), X > 2. #show q/1. #show p/1.",
    ] {
        let mut control = prepared(text);
        let number: u64 =
            count(&mut control, false, Effort::default()).expect("no limit").try_into().expect("small");
        let mut seen: Map<Vec<bool>, u64> = Map::default();
        let draws = 40 * number;
        let drawn = sample(&mut control, draws, 1, false, Effort::default(), |s| {
            *seen.entry(s.to_vec()).or_default() += 1
        });
        assert_eq!(drawn, Ok(Drawn::Uniformly));
        assert_eq!(seen.len() as u64, number);
        // Chi-squared: its mean is one less than the number of classes, its variance twice that.
        let chi: f64 = seen.values().map(|&n| (n as f64 - 40.0).powi(2) / 40.0).sum();
        let freedom = number as f64 - 1.0;
        assert!((chi - freedom).abs() < 5.0 * (2.0 * freedom).sqrt(), "{chi} for {freedom}");
    }
}

/// Shifts filled by two to four of some persons, who work at most five of them and one a day.
fn roster(persons: u32, days: u32) -> String {
    format!(
        "2 {{ works(P,D,1..2) : P = 1..{persons} }} 8 :- D = 1..{days}. :- P = 1..{persons}, 6 {{ works(P,_,_) }}.\
         2 {{ works(P,D,S) : P = 1..{persons} }} 4 :- D = 1..{days}, S = 1..2. :- works(P,D,1), works(P,D,2)."
    )
}

#[test]
fn probes_tell_the_number_on_average() {
    let recursive = "{ e(X,Y) : X = 1..3, Y = 1..3, X != Y }. r(1). r(Y) :- r(X), e(X,Y). :- not r(3).";
    let shown = "{ p(1..9) }. :- p(X), p(X+1). #show. #show q(X/2) : p(X).";
    for (text, project) in [(recursive, false), (shown, true)] {
        let mut control = prepared(text);
        let (models, _) = enumerate(&mut control, 0, project, &[], |_, _| {}).expect("no limit");
        let mean = bound::mean(&control, project, 100).expect("no limit");
        assert!((mean / models as f64 - 1.0).abs() < 0.4, "{mean} for {models}");
        let close = |seed| {
            let bits = bound::bits(&control, project, seed).expect("no limit");
            assert!(bits <= (models as f64).log2(), "{bits} for {models}");
            bits > (models as f64).log2() - 5.0
        };
        assert!((0..2).all(close), "{models}");
    }
}

#[test]
fn counting_is_given_up_with_a_bound() {
    let mut control = prepared(&roster(8, 7));
    let mut counting = Counting::new(false, 100, Some(WORK));
    assert_eq!(counting.count(&mut control), Ok(None));
    // Their number is 118581490866717312913920.
    let bits = counting.bits.expect("probed");
    assert!((MAX_ENUMERATED_BITS..=76.7).contains(&bits), "{bits}");
    // Few answer sets are counted, whatever work that takes.
    let mut control = prepared(&roster(4, 3));
    let exact = count(&mut control, false, Effort::default());
    assert_eq!(Counting::new(false, 1, Some(1)).count(&mut control), exact.map(Some));
}
