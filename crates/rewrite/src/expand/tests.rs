//! Text in, expansion out.

use super::Expander;
use crate::constants;
use asp_base::map::Set;
use asp_base::span::Sources;
use asp_base::symbol::Symbols;
use asp_syntax::{Input, NoFiles, parse, print};

/// What a program becomes, a statement a line, or its errors.
#[track_caller]
fn check(text: &str, wanted: &str) {
    let (mut symbols, mut sources, mut diagnostics) = (Symbols::new(), Sources::new(), Vec::new());
    let parsed = parse(vec![Input::new("t", text)], &mut symbols, &mut sources, &mut NoFiles);
    let mut expander = Expander::visible(&Set::default(), &symbols);
    let mut lines: Vec<String> = Vec::new();
    for s in &parsed.program.statements {
        let expanded = expander.statement(s, &mut symbols, &mut diagnostics);
        lines.extend(expanded.iter().map(|s| print::statement(s, &symbols)));
    }
    let errors = parsed.diagnostics.iter().chain(&diagnostics);
    lines.extend(errors.map(|d| format!("{}: {}", sources.text(d.labels[0].span), d.message)));
    assert_eq!(lines.join("\n"), wanted, "{text}");
}

#[test]
fn values_join_the_body() {
    check(":- $p(X) < 3.", "#false :- p(X,P); P < 3.");
    check("$p(X)+1 <= $q :- d(X).", "(P+1) <= Q :- d(X); p(X,P); q(Q).");
    check("a(P,$p) :- d(P).", "a(P,P2) :- d(P); p(P2).");
    check(":- $p(1) = $p(2), not $p(1) < $q.", "#false :- p(1,P); p(2,P2); P = P2; q(Q); not P < Q.");
    check("a :- $p($q(X)) = 1.", "a :- q(X,Q); p(Q,P); P = 1.");
    check(
        "{ a } $n :- 1 <= #count { X : d(X) } < $_n'.",
        "{ a } <= N :- _n'(_N'); 1 <= #count { X : d(X) } < _N'; n(N).",
    );
    check("#show $p.", "#show P : p(P).");
    check("$a > 1; b.", "A > 1; b :- a(A).");
}

#[test]
fn values_join_their_element() {
    check("{ a($p(X)) : d(X) }.", "{ a(P) : d(X), p(X,P) }.");
    check("a :- $p(X) > 0 : d(X).", "a :- P > 0 : d(X), p(X,P).");
    check(":- #count { $p(X) : d(X) } < 2.", "#false :- #count { P : d(X), p(X,P) } < 2.");
    check("a :- { b : $p = 1 } 1.", "a :- { b : p(P), P = 1 } <= 1.");
    check("&sum { x : $p = 1 } <= 3.", "&sum { x : p(P), P = 1 } <= 3.");
}

#[test]
fn lone_weights_are_told_apart() {
    check(
        ":- #sum { 2*$p(X) : d(X,Y); $q; $q; 3; $r,X : d(X,X) } > 3.",
        "#false :- #sum { (2*P),\"2*$p(X)\",X,Y : d(X,Y), p(X,P); Q,\"$q\" : q(Q); Q2,\"$q #2\" : q(Q2); 3; \
         R,X : d(X,X), r(R) } > 3.",
    );
    check(
        "#minimize { $p(X)@2 : d(X); $q }. #maximize { $q@1,x }.",
        ":~ d(X); p(X,P). [P@2,\"$p(X)\",X]\n:~ q(Q). [Q,\"$q\"]\n#maximize { Q@1,x : q(Q) }.",
    );
    check(
        "#program step(t). :~ a(X). [$p(X,t)]",
        "#program step(t).\n:~ a(X); p(X,t,P). [P,\"$p(X,t)\",X,t]\n#program base.",
    );
    check("#sum { $p(X) : a(X) : d(X) } 3.", "#sum { P,\"$p(X)\",X : a(X) : d(X), p(X,P) } <= 3.");
}

#[test]
fn arguments_that_are_several() {
    check(":- $p(1..3) > 1.", "#false :- Arg = (1..3); p(Arg,P); P > 1.");
    check(":- $p(a;b) > 1.", "#false :- Arg = (a;b); p(Arg,P); P > 1.");
    check(":- $p(a,1;b,2) > 1.", "#false :- (Arg,Arg2) = ((a,1);(b,2)); p(Arg,Arg2,P); P > 1.");
    check(":- #sum { $p(_) } > 1.", "#false :- #sum { P,\"$p(_)\",Arg : p(Arg,P) } > 1.");
    check(
        ":- $p(a;b,c) > 1.",
        "#false :- #inf > 1.\n$p(a;b,c): the alternatives have different numbers of arguments",
    );
}

#[test]
fn distinct_and_disjoint() {
    check("#distinct { $p(X) : d(X) }.", "#false :- d(X); p(X,P); d(X2); p(X2,P2); X < X2; P = P2.");
    check("#distinct { $a; $b+1 } :- c.", "#false :- c; a(A); b(B2); A = (B2+1).");
    check(
        "#disjoint { $s(X,K)@D : job(X,K,D) } :- m(K).",
        "#false :- m(K); job(X,K,D); s(X,K,S); job(X2,K,D2); s(X2,K,S2); (X,D) < (X2,D2); S < (S2+D2); S2 < (S+D); \
         D > 0; D2 > 0.",
    );
    check(
        ":- not #distinct { $p(X) : d(X) }, c(Y), #count { X : d(X) } > Y.",
        "#false :- c(Y); #count { X : d(X) } > Y; d(X2); p(X2,P); d(X3); p(X3,P2); X2 < X3; P = P2.",
    );
    check("a :- #distinct { $p; $q }.", "a :- not #count { 0 : p(P), q(Q2), P = Q2 } >= 1.");
}

#[test]
fn cumulative() {
    check(
        "#cumulative { $s(X)@D,R : job(X,D,R) } <= 5.",
        "start1(S) :- job(X,D,R); s(X,S).\n\
         #false :- start1(Time); #sum+ { R,X,D : job(X,D,R), s(X,S), S <= Time, Time < (S+D) } > 5.",
    );
    check(
        "#program p(t). #cumulative { $s(X)@1 : job(X,M); $t@2 } < $c(M) :- m(M).",
        "#program p(t).\n\
         start1(t,M,S) :- m(M); job(X,M); s(X,S).\n\
         start1(t,M,T) :- m(M); t(T).\n\
         #false :- m(M); start1(t,M,Time); c(M,C); #sum+ { 1,0,X : job(X,M), s(X,S), S <= Time, Time < (S+1); \
         1,1 : t(T), T <= Time, Time < (T+2) } >= C.\n#program base.",
    );
    check(
        "a :- #cumulative { $s@1 } < 2.",
        "a :- #cumulative { $s@1 } < 2.\n#cumulative { $s@1 } < 2: `#cumulative` stands in heads, or after `not` in a \
         body without a head",
    );
}

/// What a program becomes if functions of at least three values are integers; as it is if there are none.
#[track_caller]
fn check_kept(text: &str, wanted: &str) {
    let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
    let parsed = parse(vec![Input::new("t", text)], &mut symbols, &mut sources, &mut NoFiles);
    let constants = constants::evaluate(&parsed.program, &[], &mut symbols, &mut Vec::new());
    let kept = Expander::hidden().keep(&parsed.program, &constants, 3, &mut symbols);
    let program = kept.map(|k| k.program);
    let statements = program.as_ref().unwrap_or(&parsed.program).statements.iter();
    let lines: Vec<String> = statements.map(|s| print::statement(s, &symbols).replace("#$", "$")).collect();
    assert_eq!(lines[1..].join("\n"), wanted, "{text}");
    let first = if program.is_some() { "$p(X) :- d(X)." } else { "{ p(X,(0..2)) } = 1 :- d(X)." };
    assert_eq!(lines[0], first, "{text}");
}

const P: &str = "{ p(X,0..2) } = 1 :- d(X).";

#[test]
fn functions_that_only_values_read_are_integers() {
    let kept = |reader: &str, wanted: &str| {
        check_kept(&format!("{P} {reader}"), &format!("&dom {{ 0 .. 2 }} = $p(X) :- d(X).\n{wanted}"));
    };
    kept("$p(X) < 3 :- d(X).", "&sum { $p(X) } < 3 :- d(X); $p(X).");
    kept(
        "2*(1-$p(X))+Y != $p(X+1)*Y :- e(X,Y).",
        "&sum { (2 * 1) + (- 2 * $p(X)) + Y } != Y * $p(Arg) :- e(X,Y); $p(X); $p((X+1)); Arg = (X+1).",
    );
    kept("a :- 0 < $p(1) < 2.", "a :- $p(1); &sum { 0 } < $p(1); &sum { $p(1) } < 2.");
    kept("a :- not $p(1) < 2, b.", "a :- b; $p(1); &sum { $p(1) } >= 2.");
    kept(":- $p(1) > $p(2), c.", "&sum { $p(1) } <= $p(2) :- c; $p(1); $p(2).");
    kept("a; $p(1) > 1; $p(2) = 1.", "a :- $p(1); $p(2); &sum { $p(1) } <= 1; &sum { $p(2) } != 1.");
    kept("$p(1) > 1; $p(2) = 1.", "&sum { $p(2) } = 1 :- $p(1); $p(2); &sum { $p(1) } <= 1.");
    kept(":- 3 < #sum { $p(X) : d(X) }.", "&sum { $p(X) : d(X), $p(X) } <= 3.");
    kept("#disjoint { $p(X)@D : e(X,D,Y) } :- m(Y).", "&disjoint { $p(X) @ D : e(X,D,Y), $p(X) } :- m(Y).");
    kept("#distinct { $p(X) : e(X,Y) }.", "&distinct { $p(X) : e(X,#Y), $p(X) }.");
    kept(
        ":- not #cumulative { $p(X)@2*D : e(X,D) } <= 3, a.",
        "&cumulative { $p(X) @ Arg,1 : e(X,D), $p(X), Arg = (2*D) } <= 3 :- a.",
    );
    kept(
        "#minimize { $p(X)@2 : d(X) }. #show.",
        "#show.\n&minimize { $p(X) @ 2 : d(X), $p(X) }.\n&show { }.",
    );
    kept(
        "#maximize { $p(X),X : e(X,Y) }. #show p/2.",
        "#show p/2.\n&minimize { - $p(X) : e(X,#Y), $p(X) }.\n&show { $p / 1 }.",
    );
}

#[test]
fn other_functions_have_atoms() {
    let other = |reader: &str, wanted: &str| check_kept(&format!("{P} {reader}"), wanted);
    other("a :- $p(X) = 1 : d(X).", "a :- $p(X) = 1 : d(X).");
    other("a($p(1)).", "a($p(1)).");
    other("a(V) :- V = $p(1).", "a(V) :- V = $p(1).");
    other(":- p(1,2), $p(2) > 1.", "#false :- p(1,2); $p(2) > 1.");
    other("a :- |$p(1)-$p(2)| > 1.", "a :- |($p(1)-$p(2))| > 1.");
    other("a :- $p(1;2) > 1.", "a :- $p(1;2) > 1.");
    other("#project p/2. $p(1) > 1.", "#project p/2.\n$p(1) > 1.");
    other("&a { }. $p(1) > 1.", "&a { }.\n$p(1) > 1.");
    other("#minimize { $p(X),1 : d(X) }.", ":~ d(X). [$p(X),1]");
    other("#minimize { $p(X),X : d(X) }. #minimize { X,X : e(X) }.", ":~ d(X). [$p(X),X]\n:~ e(X). [X,X]");
    // Two choices, too few values, no reader.
    check_kept(
        &format!("{P} {{ p(X,4..7) }} = 1 :- e(X). $p(1) > 1."),
        "{ p(X,(4..7)) } = 1 :- e(X).\n$p(1) > 1.",
    );
    other("{ q(0..1) } = 1. $q > 0.", "{ q((0..1)) } = 1.\n$q > 0.");
}

#[test]
fn ends_without_a_value_are_told() {
    check_kept(
        &format!("{P} {{ q(0..H/2) }} = 1 :- h(H). $q > 0. $p(1) > 0."),
        "&dom { 0 .. 2 } = $p(X) :- d(X).\n$q :- h(H).\n$q#(H) :- h(H); Arg = (H/2).\n\
         &sum { $q# } > -2147483648 :- h(H); not $q#(H).\n&dom { 0 .. Arg } = $q :- h(H); Arg = (H/2).\n\
         &sum { $q } > 0 :- $q.\n&sum { $p(1) } > 0 :- $p(1).",
    );
}
