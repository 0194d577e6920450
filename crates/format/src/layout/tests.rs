//! Texts and what formatting makes of them.

use super::*;

#[track_caller]
fn check(text: &str, wanted: &str) {
    let found = format(text);
    assert_eq!(found, wanted, "\n{found}");
    assert_eq!(format(&found), found, "not stable");
}

#[test]
fn blanks_around_what_is_not_a_term() {
    check("a:-b,not c,X=1..N,X!=Y+1.", "a :- b, not c, X = 1..N, X != Y+1.\n");
    check(":-a;b.", ":- a; b.\n");
    check("a|b:-c.", "a | b :- c.\n");
    check("p( X , Y+ 1,(a ; b) ).", "p(X,Y+1,(a;b)).\n");
    check("{p(X):q(X),r ;s}=1:-t.", "{ p(X) : q(X), r; s } = 1 :- t.\n");
    check("1{a;b}2.", "1 { a; b } 2.\n");
    check(":-#sum{W,X:p(W,X),q;1}>3.", ":- #sum { W,X : p(W,X), q; 1 } > 3.\n");
    check(":~a,b.[1@2,X]", ":~ a, b. [1@2,X]\n");
    check("#minimize{D@1,X:go(X),d(D)}.", "#minimize { D@1,X : go(X), d(D) }.\n");
    check("x:-|A-B|=- 1,-p(-2),not -q.", "x :- |A-B| = -1, -p(-2), not -q.\n");
    check("a:-||X|-|Y||>~1.", "a :- ||X|-|Y|| > ~1.\n");
    check("{}.", "{}.\n");
    check("a:-X = @f( 1 ) , not not b.", "a :- X = @f(1), not not b.\n");
    check("edge((1,2)) . a ?", "edge((1,2)).\na?\n");
}

#[test]
fn directives() {
    check("#show p / 2. #show X:p(X),q.", "#show p/2.\n#show X : p(X), q.\n");
    check("#const n=4.[override]", "#const n = 4. [override]\n");
    check("#include<incmode>.\n#include  \"a.lp\".", "#include <incmode>.\n#include \"a.lp\".\n");
    check("#external a:b.[true]", "#external a : b. [true]\n");
    check("#heuristic a:b.[1@2,true]", "#heuristic a : b. [1@2,true]\n");
    check("#edge(u,v;x,y):b.", "#edge (u,v;x,y) : b.\n");
    check("#program step( t ).", "#program step(t).\n");
    check("&diff{x-y; - - z:a,b}<=5:-c.", "&diff { x - y; - -z : a, b } <= 5 :- c.\n");
    check("#theory t {\n  a { + : 1, unary }\n}.", "#theory t {\n  a { + : 1, unary }\n}.\n");
    check("#script (lua) x  =  1 #end.", "#script (lua) x  =  1 #end.\n");
}

#[test]
fn facts_share_lines_and_rules_do_not() {
    check("a.  b. c:-d. e.\n\n\n\nf. g:-h.", "a. b.\nc :- d.\ne.\n\nf.\ng :- h.\n");
    let row = "p(11111,22222).  ".repeat(9);
    check(&row, &format!("{}\n", row.trim_end().replace("  ", " ")));
}

#[test]
fn comments_stay() {
    check("% a  \n\n\na. % b\n% c\n", "% a\n\na. % b\n% c\n");
    check("a.        % one\nbb :- cc.  % two\n", "a.        % one\nbb :- cc.  % two\n");
    check("a :- b, % why\n  c.", "a :-\n    b,  % why\n    c.\n");
    check("a :- b,\n % why\n  c.", "a :-\n    b,\n    % why\n    c.\n");
    check("a :- %* x *% b.", "a :- %* x *% b.\n");
    check("%* x\n y *%\na. %* z *% b :- c.", "%* x\n y *%\na. %* z *% b :- c.\n");
    check(":~ a. % cost\n [1]", ":~ a.  % cost\n    [1]\n");
    check("%only", "%only\n");
    check("", "");
}

#[test]
fn long_rules_are_broken() {
    let atom = |n: usize| format!("atom_number_{n}(First,Second,Third)");
    let body: Vec<String> = (1..=4).map(atom).collect();
    let (early, last) = (body[..2].join(", "), body[2..].join(", "));
    check(&format!("head(X):-{}.", body.join(",")), &format!("head(X) :-\n    {early},\n    {last}.\n"));
    check(&format!(":-{}.", body.join(",")), &format!(":- {early},\n    {last}.\n"));
    let elements: Vec<String> = (1..=4).map(|n| format!("{n},X : {}", atom(n))).collect();
    check(
        &format!(":-p,#sum{{{}}}>3.", elements.join(";")),
        &format!(
            ":- p,\n    #sum {{ {};\n    {} }} > 3.\n",
            elements[..2].join("; "),
            elements[2..].join("; ")
        ),
    );
    let pool = (1..=40).map(|n| n.to_string()).collect::<Vec<_>>().join(";");
    let found = format(&format!("p(({pool})) :- {}.", body.join(",")));
    assert!(found.lines().all(|l| l.len() <= WIDTH) && found.starts_with("p((1;2;"), "{found}");
    assert_eq!(format(&found), found);
}

#[test]
fn line_ends_and_marks_are_kept() {
    check("\u{feff}a.b.", "\u{feff}a. b.\n");
    check("a.\r\nb:-c.\r\n", "a.\r\nb :- c.\r\n");
}
