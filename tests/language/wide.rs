//! The rewritings `compared-sums`, `unfolding` and `chase`: random programs, most of them near misses, with and without; programs
//! that grow.

use super::rewriting::{self, is_rewritten, set};
use crate::support::hunt::{number, one};
use crate::support::spawn;
use asp_base::rng::Rng;

/// A part, in one of `of` programs.
fn seldom(of: u64, part: &str, rng: &mut Rng) -> String {
    if rng.below(of) == 0 { part.to_string() } else { String::new() }
}

const RELATIONS: &[&str] = &["<", "<=", ">", ">=", "=", "!="];

fn aggregate(p: &str, rng: &mut Rng) -> String {
    let function = one(&["#sum", "#sum", "#sum", "#sum", "#count", "#sum+", "#min", "#max"], rng);
    let tuples = &[
        "V,I", "V,I", "V,I", "V", "I", "-V,I", "2*V,I", "V*I", "V-I,I", "V,I,z", "|V|,I", "V/2,I", "1,I",
        "I,V",
    ];
    let conditions = &[
        "get(P,I), v(I,V)",
        "get(P,I), v(I,V)",
        "a(I), v(I,V)",
        "get(P,I), v(I,V), not a(I)",
        "not a(I), v(I,V)",
        "get(P,I), V = 1..2",
        "a(I), V = I*2",
        "v(I,V)",
        "b(I), v(I,V), V > 0",
    ];
    let condition = one(conditions, rng).replace('P', p);
    let more = seldom(6, "; V,I : b(I), v(I,V)", rng);
    format!("{function} {{ {} : {condition}{more} }}", one(tuples, rng))
}

fn comparison(rng: &mut Rng) -> String {
    let forms = &[
        "S ~ T",
        "S ~ T",
        "S ~ T+K",
        "S-T ~ K",
        "2*S ~ T+K",
        "|S-T| ~ K",
        "S+T ~ K",
        "-S ~ T",
        "S ~ K",
        "S ~ K, T ~ K",
        "S*T ~ K",
        "S ~ x",
        "S ~ L, lim(L)",
        "S ~ L+T, lim(L)",
        "D = S-T, D ~ K",
        "S \\ 2 ~ T",
        "3*S-2*T ~ K*T-S",
        "lim(S), lim(T)",
        "|S-T| ~ |K|",
        "(S,1) ~ (T,1)",
        "|S-T| ~ L, lim(L)",
        "K*S ~ T",
    ];
    let form = one(forms, rng).replace('~', one(RELATIONS, rng));
    form.replace('K', one(&["0", "1", "-1", "2", "3", "5"], rng))
}

/// Sums that are assigned and compared, in one rule or over a head.
fn sums(rng: &mut Rng) -> String {
    let mut out = one(&["{ a(1..3) }. ", "{ a(1..2) }. "], rng).to_string();
    out += one(&["{ get(1..2,I) } = 1 :- I = 1..3. ", "{ get(1..2,1..2) }. "], rng);
    out += "b(1). { b(2) }. ";
    let values = &["1", "2", "3", "-1", "-2", "0", "5", "2", "1", "2", "x"];
    (1..4).for_each(|i| out += &format!("v({i},{}). ", one(values, rng)));
    out += &seldom(6, "v(2,3). ", rng);
    out += &format!("lim({}).\n", one(&["0", "1", "1..2", "-1", "2;c", "3"], rng));
    if rng.below(5) < 2 {
        let (s, t) = (aggregate("P", rng), aggregate(one(&["P", "3-P", "1"], rng), rng));
        let head = one(&["", "", "bad", "h(P)"], rng);
        out += &format!("{head} :- P = 1..2, S = {s}, T = {t}, {}.\n", comparison(rng));
    } else {
        out += &format!("t(P,S) :- P = 1..2, S = {}{}.\n", aggregate("P", rng), seldom(4, ", a(1)", rng));
        let other = &[
            "t(3,1).",
            "{ t(1,1) }.",
            "#external t(1,2).",
            "t(1,S) :- t(2,S), S > 1.",
            "t(3,S) :- S = #count { I : a(I) }.",
            "u :- t(1,2).",
            ":- not t(1,1), not t(2,2).",
            ":- #count { S : t(_,S) } > 1.",
        ];
        let other = one(other, rng);
        out += &seldom(2, other, rng);
        for _ in 0..1 + rng.below(2) {
            let (p, q) = (one(&["1", "P"], rng), one(&["2", "Q", "P+1"], rng));
            out += &format!(" :- t({p},S), t({q},T), {}.\n", comparison(rng));
        }
        out += &seldom(4, ":- t(1,S), t(2,S). ", rng);
    }
    let shown =
        &["#show get/2. #show a/1. #show b/1. #show bad/0.", "#show a/1. #show t/2.", "", "#show a/1."];
    out + one(shown, rng)
}

/// Heads that constraints read, and some that they do not only.
fn heads(rng: &mut Rng) -> String {
    let mut out = one(&["{ e(1..2,1..3) }. ", "{ e(X,1..3) } = 1 :- X = 1..3. "], rng).to_string();
    out += "{ c(1..2) }. w(2,5). ";
    let values = &["1", "2", "7", "x", "-3", "0", "f(1)", "(1,2)"];
    (1..4).for_each(|i| out += &format!("w({i},{}). ", one(values, rng)));
    let bodies = &[
        "e(A,B), e(B,C), w(A,S), w(B,T)",
        "e(A,B), e(B,C), w(A,S), T=1..2",
        "e(A,B), w(B,S), not c(A), T=S, C=B",
        "e(A,B), C = #count{X : e(A,X)}, w(A,S), T = B",
        "e(A,B), e(C,B), w(A,S), w(C,T), A != C",
        "e(A,B), c(C), w(C,S), T = -S",
        "w(A,S), w(B,T), not not c(A), C=A",
    ];
    let arguments = &[
        "A,B,C,S+T",
        "A,C,B,S",
        "A,B,C,(S,T)",
        "A,A,B,T",
        "A,B,C,f(S)",
        "A,B,3,S-T",
        "A,B,A+C,2*S",
        "C,B,1,S",
        "A,B,1..2,S",
    ];
    out += &format!("\np({}) :- {}.\n", one(arguments, rng), one(bodies, rng));
    let other = &[
        "p(A,B,A,1) :- e(A,B), c(A). ",
        "p(A,B,A,9) :- p(A,_,_,_), e(A,B). ",
        "{ p(A,B,1,1) } :- e(A,B). ",
        "p(1,1,1,1). ",
        "#external p(1,2,1,3). ",
        "q(A) :- p(A,_,_,_). ",
        ":- e(A,B), not p(A,B,_,_), c(1). ",
        "p(A,B,1,2) | q(A) :- e(A,B), c(2). ",
        ":- #count { A : p(A,B,C,D) } > 2. ",
        ":- p(A,B,_,_) : e(A,B). ",
    ];
    let other = one(other, rng);
    out += &seldom(2, other, rng);
    let readers = &[
        "p(A,B,C,S), S > 3",
        "p(A,B,C,D), D != x, A < B",
        "p(A,B,C,D), p(B,A,C,E), D < E",
        "p(A,A,_,_)",
        "p(A,B,C,(S,T)), S != T",
        "p(A,B,C,f(X)), c(X)",
        "p(X+1,X,_,S), c(X)",
        "p(A,B,C,S), p(C,B,A,S), A != C",
        "p(1,2,C,S), c(C)",
        "p(A,B,C,2*X), e(A,X)",
        "p(A,B,C,S), #count{X : e(X,B), X != A} > S",
        "p(A,B,C,S), not c(A), not e(B,C)",
        "p(A,B,C,-S), w(A,S)",
        "p(A,B,C,S) , S = 1..4",
        "p(A,B,C,S), not p(B,A,C,S)",
        "p(A,B,C,D), D = #count{X : c(X)}",
        "p(A,B,B,S+1), S >= 2",
        "p(A,B,C,S), c(2) : c(1)",
    ];
    (0..1 + rng.below(2)).for_each(|_| out += &format!(":- {}.\n", one(readers, rng)));
    out += one(&["", "#show e/2. ", "#show e/2. #show c/1. ", "#show e/2. #show c/1. #show q/1. "], rng);
    out + &seldom(8, "#show s(A) : p(A,_,_,_). ", rng)
}

/// Moves from place to place, with facts and choices that may break the key.
fn moves(rng: &mut Rng) -> String {
    let mut out = format!("e(1,1). e(1,2). e(2,1..3). e(3,{}). ", one(&["3", "1", "2..3"], rng));
    let steps = &[
        "{at(A,V,T+1) : e(U,V)} = 1 :- at(A,U,T), T < 2.",
        "{at(A,V,T+1) : e(U,V)} <= 1 :- at(A,U,T), T < 2.",
        "{at(A,V,T+1) : e(U,V)} = 1 :- at(A,U,T), T = 0..1.",
        "{at(A,V,T+1) : e(U,V)} :- at(A,U,T), T < 2.",
        "{at(A,V,T+1) : e(U,V)} 2 :- at(A,U,T), T < 2.",
        "1 {at(A,V,T+1) : e(U,V)} :- at(A,U,T), T < 2.",
        "{at(A,V,T+1) : e(U,V), not blk(V)} = 1 :- at(A,U,T), T < 2.",
        "at(A,V,T+1) : e(U,V) :- at(A,U,T), T < 2.",
        "{at(A,V,T+1) : e(U,V)} = 1 :- at(A,U,T), T < 2, not blk(U).",
        "#count{V,1 : at(A,V,T+1) : e(U,V)} = 1 :- at(A,U,T), T < 2.",
    ];
    let starts = &[
        "at(1,1,0). at(2,2,0).",
        "at(A,A,0) :- A=1..2.",
        "st(1,1). st(2,2). at(A,V,0) :- st(A,V).",
        "at(1,1,0). {at(2,2..3,0)} = 1.",
        "{at(A,1..2,0)} = 1 :- A = 1..2.",
        "{at(A,1..2,0)} :- A=1..2.",
        "at(1,1,-1). at(2,2,0).",
        "at(1,1,0). at(2,2,1).",
        "at(1,1,0). at(1,2,0).",
        "at(1,1,0). at(1,3,1). at(2,2,0).",
        "at(1,1,0). {at(2,2,0)}. {at(2,3,2)}.",
        "at(1,1,0). at(2,2,0). at(A,3,2) :- at(A,1,1).",
        "#external at(2,2,1). at(1,1,0). at(2,1,0).",
    ];
    out += &format!("{{ blk(3) }}.\n{}\n{}\n", one(steps, rng), one(starts, rng));
    let bodies = &[
        "at(A,U,T), at(A,V,T+1), at(B,V,T), at(B,U,T+1), A < B",
        "at(A,U,T), at(A,V,T+1), at(B,V,T), at(B,U,T+1), A < B, U != V",
        "at(A,U,T), at(A,V,T+1), at(A,W,T+2), U = W, U != V",
        "at(A,U,T), at(A,V,T), U < V",
        "at(A,U,T), at(A,V,S), T < S, U > V, not blk(U)",
        "at(A,U,T), at(A,V,T-1), at(B,U,T), at(B,V,T-1), A != B",
        "at(A,U,T), at(B,U,T), A < B",
        "at(A,V,T+1), at(A,U,T), at(A,W,T), W >= U, V = 3",
        "at(A,U,T), at(A,V,T+1), U > V, not e(U,V)",
        "at(A,U,X), at(A,V,X+2), at(B,V,X+1), A != B",
    ];
    (0..1 + rng.below(2)).for_each(|_| out += &format!(":- {}.\n", one(bodies, rng)));
    out + &seldom(3, "h(A,U,V) :- at(A,U,T), at(A,V,T+1), at(B,U,T+1), A != B.", rng)
}

/// Keys that constraints and choices say, or nearly say.
fn keys(rng: &mut Rng) -> String {
    let sets = &[
        "{s(1..4)}. ",
        "{s(1..3)}. s(4) :- not s(1). ",
        "{s(X) : X = 1..4} = 1. ",
        "{s(X) : X = 1..4} <= 1. ",
        "{s(X) : X=1..4} 2. ",
        "{f(1..2,1..3)}. s(X) :- f(1,X). ",
        "s(1). {s(2..3)}. ",
        "{s(1..2)}. s(x) :- not s(1). ",
    ];
    let functions = &[
        "{f(X,1..3)} = 1 :- X = 1..2. ",
        "{f(1..2,1..3)}. ",
        "{f(X,Y) : Y=1..3} <= 1 :- X=1..3. ",
        "{f(X,1..3)} = 1 :- s(X). ",
        "f(X,Y) : Y=1..2 :- X=1..2. ",
        "{f(X,Y) : Y=1..2, X=1..2} = 2. ",
        "{f(X,1..2)} = 1 :- X=1..2. {f(X,3)} :- X=1..2. ",
        "{f(X,1..2)} = 1 :- X=1..2. f(1,3) :- s(1). ",
    ];
    let mut out = format!("{}{}", one(sets, rng), one(functions, rng));
    let first = &[
        "s(X), s(Y), X != Y",
        "s(X), s(Y), X < Y",
        "s(X), s(Y), X > Y",
        "s(X), s(Y), X <= Y",
        "s(X), s(Y), X != Y, not f(1,1)",
        "s(X), s(Y), X < Y, X > 1",
        "s(X), s(Y), Y != X+1",
        "s(X), s(Y)",
        "s(X), s(X+1)",
        "s(X), not s(Y), X != Y, s(Y)",
        "s(X), s(Y), |X-Y| > 0",
        "s(X), s(Y), X != Y, X != 1",
    ];
    let second = &[
        "f(X,Y), f(X,Z), Y != Z",
        "f(X,Y), f(X,Z), Y < Z",
        "f(X,Y), f(Z,Y), X != Z",
        "f(X,_), f(Z,_), X < Z",
        "f(X,Y), f(X,Z), Y != Z, X > 1",
        "f(X,Y), f(X+1,Z), Y != Z",
        "f(X,Y), f(Z,W), X < Z",
        "f(X,Y), f(Z,W), (X,Y) < (Z,W)",
        "f(X,Y), f(X,Z), Y != Z, s(X)",
    ];
    let constraints = [one(first, rng), one(second, rng)];
    constraints.iter().for_each(|c| out += &seldom(2, &format!(":- {c}.\n"), rng));
    let bodies = &[
        "s(A), s(B), s(C)",
        "s(A), s(B), f(A,C), f(B,D), C != D",
        "f(A,B), f(A,C), s(B), s(C)",
        "s(A), s(B), A < B",
        "s(A), f(A,B), f(A,C)",
        "f(A,B), f(A,C), f(A,D), B < C",
        "s(A), s(B), A+B > 4",
        "f(A,B), f(C,B), f(A,D), f(C,D)",
        "s(A), not s(B), s(B)",
        "s(A), s(A+1)",
        "s(A), s(B), #count{X : f(A,X), f(B,X)} > 0",
        "s(A), s(B), not f(A,B)",
        "f(1,A), f(1,B), s(A), not s(B)",
        "f(A,B), f(A,C), not f(B,C)",
    ];
    let heads = &["p(A)", "p(A)", "", "{ p(A) }", "q", "p(A) | q", "{ p(A) : s(A) }", "s(A)"];
    for _ in 0..1 + rng.below(3) {
        out += &format!("{} :- {}.\n", one(heads, rng), one(bodies, rng));
    }
    out
}

/// Relations of which constraints over two of their atoms say something: keys, symmetry and antisymmetry, and what looks like these.
fn relations(rng: &mut Rng) -> String {
    let atom = |rng: &mut Rng, arity: u64, used: &mut Vec<&str>| {
        let args: Vec<&str> = (0..arity)
            .map(|_| {
                let arg = one(&["X", "Y", "Z", "W", "X", "Y", "_"], rng);
                if arg != "_" {
                    used.push(arg);
                }
                arg
            })
            .collect();
        format!("h({})", args.join(","))
    };
    let (arity, mut out) = match rng.below(3) {
        0 => (3, "d(1..2). {h(K,X,Y) : d(X), d(Y)} :- d(K). ".to_string()),
        1 => (2, "d(1..3). {h(X,Y) : d(X), d(Y), X != Y}. ".to_string()),
        _ => (2, "d(1..3). {h(X,Y) : d(X), d(Y)}. :- #count { X,Y : h(X,Y) } > 3. ".to_string()),
    };
    for _ in 0..1 + rng.below(2) {
        let mut used = vec!["1"];
        let (first, second) = (atom(rng, arity, &mut used), atom(rng, arity, &mut used));
        let (left, right) = (one(&used, rng), one(&used, rng));
        let relation = one(&["!=", "!=", "<", ">"], rng);
        out += &format!(":- {first}, {second}, {left} {relation} {right}.\n");
    }
    let mut used = Vec::new();
    let body: Vec<String> = (0..2 + rng.below(2)).map(|_| atom(rng, arity, &mut used)).collect();
    let head = one(&["", "", "q", "q"], rng);
    let last = match (used.first(), rng.below(3)) {
        (Some(v), 0) => format!(", not h({v}{})", ",1".repeat(arity as usize - 1)),
        (Some(v), 1) => format!(", {v} != {}", one(&used, rng)),
        _ => String::new(),
    };
    format!("{out}{head} :- {}{last}.\n", body.join(", "))
}

/// Rules that deny their own head, and constraints over two atoms of a predicate, with terms that have no value in some instances.
fn partial(rng: &mut Rng) -> String {
    let term = |v: &str, rng: &mut Rng| {
        let forms = ["V", "V+1", "2-V", "-V", "|V|", "2*V", "V/2", "1/V", "f(V+1)", "(V,-V)", "f(V)", "V*V"];
        one(&forms, rng).replace('V', v)
    };
    let mut members: Vec<&str> = Vec::new();
    for _ in 0..2 + rng.below(2) {
        members.push(one(&["0", "1", "2", "-1", "a", "b", "\"s\"", "f(1)", "(1,2)"], rng));
    }
    let mut out =
        format!("{{ p(({})) }}. k(1..2). {{ r(K,({})) }} :- k(K).\n", members.join(";"), members.join(";"));
    for _ in 0..1 + rng.below(3) {
        let (s, t) = (term("A", rng), term("B", rng));
        let relation = one(&["!=", "!=", "<", ">", "="], rng);
        let same = one(&["", "", ", |A| = |B|", ", |K| = |A|, K = 1"], rng);
        out += &match rng.below(5) {
            0 => format!("v({s}) :- p(A), not v({s}).\n"),
            1 => format!("-v({s},A) :- r(K,A), K > 1, not -v({s},A).\n"),
            2 => format!(
                ":- p(A), p(B), {s} {relation} {}{}.\n",
                s.replace('A', "B"),
                same.replace("|K|", "|1|").replace('K', "A")
            ),
            3 => format!(":- r(K,A), r(K,B), {s} {relation} {}{same}.\n", s.replace('A', "B")),
            _ => format!(":- p(A), r(2,B), {s} {relation} {t}.\n"),
        };
    }
    out
}

/// Programs of one kind with each of the sets of rewritings; at least one of `least` must be rewritten.
#[track_caller]
fn compare(random: fn(&mut Rng) -> String, name: &str, seeds: u64, least: u64) {
    let answers = |program: &str, words: &str| {
        rewriting::answers(program, set(words), |control| control.settings.ground.answers_only = true)
    };
    let first = number("ASP_RANDOM_SEED", 0);
    let seeds = number("ASP_RANDOM_COUNT", seeds);
    let (mut compared, mut rewritten) = (0, 0);
    for seed in first..first + seeds {
        let program = random(&mut Rng::new(seed));
        let Some(expected) = answers(&program, "none") else { continue };
        for words in
            ["all", "eager", &format!("none,eager,{name}"), "none,eager,compared-sums,unfolding,chase"]
        {
            let found = answers(&program, words);
            assert_eq!(found.expect("as many"), expected, "{words}, seed {seed}\n{program}");
        }
        compared += 1;
        rewritten += u64::from(is_rewritten(&program, name));
    }
    assert!(compared * 10 > seeds * 8, "{compared} of {seeds}");
    assert!(rewritten * least > seeds, "{rewritten} of {seeds}");
}

/// What reads a head that was unfolded may be read by others: its atoms, which were not made, say nothing of their arguments.
#[test]
fn what_is_unfolded_demands_nothing() {
    let program = "{ a(1..3) }. { e(X,1..2) } = 1 :- X = 1..2. e(1,3) :- a(1).
        p(B,B) :- e(_,B). q(C,1) :- e(_,_), a(C). :- p(A,_), q(|A|,-C). #show e/2. #show a/1.";
    assert!(is_rewritten(program, "unfolding"));
    let found = |words| {
        rewriting::answers(program, set(words), |control| control.settings.ground.answers_only = true)
    };
    let expected = found("none");
    assert_eq!(expected.as_ref().map(Vec::len), Some(11));
    for words in ["eager", "none,eager,unfolding,demand"] {
        assert_eq!(found(words), expected, "{words}");
    }
}

/// A program and what a second call adds to it: values of more sums, compared with those before, and more atoms.
fn growing(rng: &mut Rng) -> [String; 2] {
    let later = &[
        "{ get(3,1..3) }. t(3,S) :- S = #sum { V,I : get(3,I), v(I,V) }. :- t(3,S), t(1,T), S > T.",
        "{ a(4) }. v(4,2). t(4,S) :- S = #sum { V,I : a(I), v(I,V) }. :- t(4,S), t(P,T), P < 4, S < T.",
        "v(7,1). :- S = #sum { V,I : a(I), v(I,V) }, T = #count { I : get(1,I) }, S-T > 1.",
        "{ a(5) }. :- t(P,S), t(Q,T), P < Q, S+T > 4.",
        "{ a(6) }. v(6,-1). h(P) :- P = 1..2, S = #sum { V : a(I), v(I,V) }, T = #max { V : v(_,V) }, S < T.",
    ];
    [sums(rng), format!("#program later. {}", one(later, rng))]
}

#[test]
fn over_calls() {
    let answers = |texts: &[String; 2], words: &str| {
        let mut control = asp::Control::new();
        control.settings.ground.rewritings = set(words);
        control.settings.ground.explain = true;
        let mut all = Vec::new();
        texts.iter().for_each(|text| control.add(text));
        for part in ["base", "later"] {
            control.ground_parts(&[(part, Vec::new())]).ok()?;
            let mut found = Vec::new();
            let solved = control.solve(0, |answer| {
                let text = answer.to_string();
                let mut atoms: Vec<&str> = text.split(' ').collect();
                atoms.sort_unstable();
                found.push(atoms.join(" "));
                found.len() <= 3000
            });
            solved.ok().filter(|_| found.len() <= 3000)?;
            found.sort_unstable();
            all.push(found);
        }
        let journal = control.journal()?;
        Some((all, journal.rewritten.iter().any(|r| r.name.contains("compared-sums"))))
    };
    let (mut compared, mut rewritten) = (0, 0);
    for seed in 0..number("ASP_RANDOM_COUNT", 300) {
        let texts = growing(&mut Rng::new(seed));
        let Some((expected, _)) = answers(&texts, "none") else { continue };
        let (found, any) = answers(&texts, "eager").expect("as many");
        assert_eq!(found, expected, "seed {seed}\n{}\n{}", texts[0], texts[1]);
        (compared, rewritten) = (compared + 1, rewritten + u64::from(any));
    }
    assert!(compared > 100 && rewritten * 8 > compared, "{rewritten} of {compared}");
}

/// Where memory ends, what was expected of the rule is said, and what would help.
#[test]
fn memory_ends_with_what_was_expected() {
    let program = "{ s(1..40) }. :- s(X), s(Y), X != Y. p(A,B,C,D,E) :- s(A), s(B), s(C), s(D), s(E).";
    for (rewritings, why) in [
        ("--rewrite=none", "all rewritings are switched off (`--rewrite=none`)"),
        (
            "--rewrite=no-chase",
            "each instance has an atom of its own; `unfolding` would put the body into what",
        ),
    ] {
        let run = spawn::run(["-", "-q", "--memory-limit=150", rewritings], program);
        let expected = format!("= help: about 102400000 instances are expected: {why}");
        assert!(run.stderr.contains("grounding was stopped after"), "{}", run.stderr);
        assert!(run.stderr.contains(&expected), "{}", run.stderr);
    }
    assert_eq!(spawn::run(["-", "-q", "--memory-limit=150"], program).code, Some(10));
}

#[test]
fn compared_sums() {
    compare(sums, "compared-sums", 400, 5);
}

#[test]
fn unfolded_heads() {
    compare(heads, "unfolding", 400, 8);
}

#[test]
fn chased_moves() {
    compare(moves, "chase", 300, 10);
}

#[test]
fn chased_relations() {
    compare(relations, "chase", 300, 20);
}

/// An instance without a value is none, whatever a rewriting makes of the rule.
#[test]
fn terms_without_a_value() {
    compare(partial, "denial", 400, 20);
    compare(partial, "exclusion", 400, 20);
}

/// That two atoms which are each other's mirror image do not both hold says nothing of one of their columns alone.
#[test]
fn antisymmetry_is_no_key() {
    let program = "d(1..20). {h(X,Y)} :- d(X), d(Y), X != Y. :- h(X,Y), h(Y,X), X != Y.
        :- h(X,Y), h(Y,Z), not h(X,Z). :- not h(1,2). :- not h(2,3). :- h(1,3).";
    assert_eq!(spawn::run(["-"], program).code, Some(20));
    let cycle = "d(1..40). {beats(X,Y)} :- d(X), d(Y), X != Y. :- beats(X,Y), beats(Y,X), X < Y.
        cycle :- beats(X,Y), beats(Y,Z), beats(Z,X). :- not beats(1,2). :- not beats(2,3). :- not beats(3,1). :- cycle.";
    assert_eq!(spawn::run(["-"], cycle).code, Some(20));
}

#[test]
fn chased_keys() {
    compare(keys, "chase", 300, 10);
}
