//! Random programs with values of functions in all forms that the language has for them, made of pieces of text.
//!
//! What their answer sets are is not known here: they are compared with those of the same program under other settings.

use asp_base::rng::Rng;

const FACTS: &str = "#const n = 2. d(1..2). e(0..1). sym(a;1;2). num(0..3). hor(3). len(1,1;2,n). need(1,1;2,2). { c(1..2) }.\n";

/// Choices of the values of `f/2`.
const CHOICES: [&str; 20] = [
    "{ f(X,0..2) } = 1 :- d(X).",
    "{ f(X,0..2) } = 1 :- d(X).",
    "{ f(X,-1..n) } = 1 :- d(X).",
    "1 { f(X,0..n) } 1 :- d(X).",
    "1 = { f(X,1..n+1) } :- d(X).",
    "{ f(X,0..H) } = 1 :- d(X), hor(H).",
    "{ f(X,0..H-X) } = 1 :- d(X), hor(H).",
    "{ f(X,A..A+1) } = 1 :- len(X,A).",
    "{ f(X,0..2) } = 1 :- d(X), e(Y).",
    "{ f(X+1,0..2) } = 1 :- d(X).",
    "{ f(X/2,0..2) } = 1 :- d(X).",
    "{ f(X+1,0..2) } = 1 :- sym(X).",
    "{ f(2/X,0..2) } = 1 :- e(X).",
    "{ f(2-X,0..2/X) } = 1 :- sym(X).",
    "{ f(|X|,0..2) } = 1 :- sym(X), c(1).",
    "{ f(X,0..Y+1) } = 1 :- d(X), e(Y).",
    "{ f(X,0..H/Y) } = 1 :- d(X), hor(H), e(Y).",
    "{ f(X,0..Y) } = 1 :- d(X), sym(Y).",
    "{ f(X,0..2) } = 1 :- d(X), not c(X).",
    "{ f(X,0..2) } = 1 :- d(X), not e(X).",
];

const READERS: [&str; 78] = [
    "$f(1) < $f(2).",
    "$f(X) < $f(Y) :- d(X), d(Y), X < Y.",
    "$f(X) < Y :- d(X), sym(Y).",
    "$f(X)+1 < Y :- d(X), sym(Y).",
    "$f(X)+Y <= 3 :- d(X), sym(Y).",
    "$f(X) != a :- d(X).",
    "$f(X)*X <= n :- d(X).",
    "X*(1-$f(X)) <= Y-1 :- d(X), e(Y).",
    "$f(X)+$f(X+1) > 1 :- d(X).",
    "$f(3-X) > 0 :- d(X).",
    "0 <= $f(X) < $m :- d(X).",
    "not $f(X) > 1 :- c(X).",
    "$f(1) < 1; $f(2) < 1.",
    "c(1); $f(1) > 1.",
    "c(1); c(2); $f(1) > 1.",
    "c(X); $f(X) > 0 :- d(X).",
    "$f(1)+1 <= $m; $m+1 <= $f(1).",
    ":- $f(X) > 1, c(X).",
    ":- $f(X) = $f(Y), d(X), d(Y), X < Y.",
    ":- not $f(X) = $m, d(X).",
    ":- not c(X), $f(X) = 1.",
    ":- $f(1) > 0, $f(2) > 0.",
    ":- $f(1) > 0, not $f(2) > 0, $m = 1.",
    ":- 0 < $f(X) < 2, d(X).",
    ":- not 0 < $f(X) < 2, d(X).",
    ":- not not $f(X) < 1, d(X).",
    "h(X) :- $f(X) > 0.",
    "h(X) :- $f(X) > 0, not c(X).",
    "h(X) :- $f(X) > $g(X,Y), d(X), e(Y).",
    "h(X) :- d(X), not h(3-X), $f(X) > 1.",
    "h(V) :- V = $f(1).",
    "h(V) :- num(V), V = $f(1).",
    "h($f(X)) :- d(X).",
    "h(X) :- d(X), $f($f(X)) > 0.",
    "h(X) :- d(X), $f(X) > 0 : e(X).",
    "h :- $f(X) > 0 : d(X).",
    "h :- 1 { $f(X) > 0 : d(X) }.",
    "{ h(X) } :- $f(X) = 1.",
    "{ h(X) : $f(X) = 1 } :- d(X).",
    "h(X) : d(X) :- $f(1) = 1.",
    "c(X) :- $f(X) > 0, c(3-X), d(X).",
    "$f(1;2) < 2.",
    "$f(1..2) < 2.",
    "$f(_) < 2.",
    "$f(a) < 2.",
    "$f(n) < 2.",
    "#distinct { $f(X) : d(X) }.",
    "#distinct { $f(X) : d(X), e(Y) }.",
    "#distinct { $f(X)+Y*0 : d(X), e(Y) }.",
    "#distinct { $f(X) : d(X); $m; Y : e(Y) } :- c(1).",
    "#distinct { $f(X) : c(X) }.",
    "#distinct { $f(X)-$m : d(X) } :- d(X).",
    ":- #distinct { $f(X) : d(X) }.",
    ":- not #distinct { $f(X) : d(X) }, not c(1), $m > 0.",
    "#disjoint { $f(X)@D : len(X,D) }.",
    "#disjoint { $f(X)@D : len(X,D), e(Y) }.",
    "#disjoint { $f(X)@D-1 : len(X,D); $m@1 } :- c(2).",
    "#disjoint { $f(X)@1-D : len(X,D); $m@1 }.",
    "#disjoint { $f(X)@Y : d(X), sym(Y) }.",
    "#cumulative { $f(X)@D : len(X,D) } <= 1.",
    "#cumulative { $f(X)@D,R : len(X,D), need(X,R) } <= n.",
    "#cumulative { $f(X)@D,R : len(X,D), need(X,R) } <= C :- num(C), C > 1.",
    "#cumulative { $f(X)@D,R-1 : len(X,D), need(X,R), e(Y) } <= 1.",
    "#cumulative { $f(X)@1,1-R : need(X,R) } <= 0 :- c(1).",
    "#cumulative { $f(X)@1 : d(X) } <= Y-1 :- e(Y).",
    "#cumulative { $f(X)@1 : d(X), X > 2 } <= -1.",
    "#cumulative { $f(X)@1 : d(X) } < 2 :- not c(1).",
    ":- #sum { $f(X) : d(X) } > 2.",
    ":- #sum { $f(X),X : d(X), e(Y) } > 2.",
    ":- #sum { $f(X) : d(X), e(Y) } > 3, c(1).",
    ":- not #sum { $f(X),a,X : d(X); $m,b } < 4.",
    ":- 2 < #sum { $f(X),X : d(X); $m,X : d(X) }.",
    ":- #sum { $f(X),X : c(X) } > 1.",
    "h :- #sum { $f(X),Y : d(X), e(Y) } = $m.",
    "h :- #sum { 2*$f(X)+Y,X,Y : d(X), sym(Y) } > 4.",
    "h :- #sum+ { $f(X),X : d(X) } > 1.",
    ":- f(1,2).",
    "f(1,7).",
];

const COSTS: [&str; 18] = [
    "#minimize { $f(X) : d(X) }.",
    "#minimize { $f(X),X : d(X) }.",
    "#minimize { $f(X),X : d(X), e(Y) }.",
    "#minimize { $f(X),Y : d(X), e(Y) }.",
    "#minimize { $f(X)@X,X : d(X) }.",
    "#minimize { $f(X)@X : d(X) }.",
    "#minimize { $f(X)@Y : d(X), sym(Y) }.",
    "#maximize { $m }.",
    "#minimize { $m; $m }.",
    "#minimize { $m }. #minimize { $m }.",
    "#minimize { 2*$m-$f(X)@n,X : d(X) }.",
    "#minimize { 1,X : c(X) }.",
    "#minimize { $f(X),f,X : d(X); $m,m,X : d(X); X,c,X : c(X) }.",
    "#minimize { $f(X)*Y@1,X,Y : d(X), num(Y) }.",
    "#minimize { $f(X),X : c(X) }.",
    "#minimize { $f(X),X : d(X), X > 2 }.",
    ":~ d(X). [$f(X)@2,X]",
    ":~ $f(X) > 0, d(X). [1,X]",
];

const SHOWS: [&str; 10] = [
    "#show f/2.",
    "#show h/1.",
    "#show m/1. #show c/1.",
    "#show.",
    "#show X : c(X). #show f/2.",
    "#show X : $f(X) > 0.",
    "#show V : f(1,V).",
    "#show -f/2.",
    "#defined f/2. #show f/2. #show h/0.",
    "#show h/1. #show h/0. #show g/3.",
];

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let rng = &mut Rng::new(seed);
    let mut one = |of: &[&str]| of[rng.below(of.len() as u64) as usize].to_string();
    // Most of the choices are plain.
    let plain = seed.is_multiple_of(2);
    let mut lines = vec![one(if plain { &CHOICES[..8] } else { &CHOICES })];
    lines.push("{ m(0..2) } = 1.".into());
    lines.push("{ g(X,Y,0..1) } = 1 :- d(X), e(Y), X = 1.".into());
    for _ in 0..1 + seed / 2 % 3 {
        lines.push(one(&READERS));
    }
    for _ in 0..(seed / 6 % 4).saturating_sub(1) {
        lines.push(one(&COSTS));
    }
    if (seed / 24).is_multiple_of(3) {
        lines.push(one(&SHOWS));
    }
    format!("{FACTS}{}\n", lines.join("\n"))
}
