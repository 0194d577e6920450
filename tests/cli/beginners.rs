//! Right programs that look like mistakes, and what is written by who has read one page of a guide.

use crate::mistakes::{loud, right};
use crate::support::spawn::{folder_with, run, run_in};

/// What is said of programs with an error, or in a note.
#[track_caller]
fn says(cases: &[(&str, &str)]) {
    for (program, words) in cases {
        let told = run(["-", "0"], program).stderr;
        assert!(told.contains(words), "{program}\n{told}");
    }
}

/// Of what is given there may be no instance that a rule is about.
#[test]
fn rules_without_an_instance() {
    for program in [
        "parent(tom,ann). male(tom). female(ann). mother(X,Y) :- parent(X,Y), female(X).",
        "mentor(eva,ida). mentor(tom,uli). intern(ida;uli). :- mentor(X,_), intern(X).",
        "lends(bank,tom). lends(bank,ida). person(tom;ida). private(X,Y) :- lends(X,Y), person(X).",
        "sends(a,b). sends(a,c). server(a). client(b;c). reply(X,Y) :- sends(X,Y), client(X), server(Y).
         request(X,Y) :- sends(X,Y), server(X), client(Y).",
        "door(hall,bath). door(hall,kitchen). wet(bath;kitchen). dry(hall). :- door(X,Y), wet(X), dry(Y).",
        "eats(wolf,goat). eats(lion,deer). herbivore(goat;deer). carnivore(wolf;lion).
         cannibal(X,Y) :- eats(X,Y), carnivore(Y).",
        "parent(tom,ann). parent(tom,eva). male(tom). female(ann;eva). father(X,Y) :- parent(X,Y), male(X).
         mother(X,Y) :- parent(X,Y), female(X). son(X,Y) :- parent(Y,X), male(X).",
        // Rules for either way round.
        "link(a,b). link(a,c). server(a). client(b;c). { sends(X,Y) : link(X,Y) }.
         reply(X,Y) :- sends(X,Y), client(X), server(Y). request(X,Y) :- sends(X,Y), server(X), client(Y).",
        "month(may;jun). { off(M) : month(M) } = 1. :- off(jul).",
        "pet(cat;dog). { owns(P) : pet(P) } = 1. food(seed) :- owns(rat).",
        "op(add;sub). { use(O) : op(O) } = 1. cost(3) :- use(mul). cost(5) :- use(and).",
        "team(team_a;team_b). { win(T) : team(T) } = 1. party :- win(team_c).",
        "food(apple;bread). { eat(F) : food(F) } = 1. :- eat(aple), eat(wine).",
    ] {
        right(program);
    }
}

/// What is written on purpose.
#[test]
fn terms_and_variables_on_purpose() {
    for program in [
        "expr(max(a,min(b,c))). sub(E) :- expr(E). sub(B) :- sub(max(_,B)). arg(A) :- sub(E), E = min(A,_).",
        "n(1..4). { in(X,Y) : n(X), n(Y) } = 3. mx(Z,X,Y) :- in(X,Y), Z = #max { X; Y }.",
        "disk(1..2). step(0..2). peg(1..3). { on(D,P,T) : peg(P) } :- disk(D), step(T).
         :- disk(D), step(T), not 1 { on(D,P,T) } 1.",
        "{ at(1..2,3,4) }. { s(1..3) }. takes(1,1..2). a :- 3 { at(E,D,S) }. b(N) :- N = { s(X) }.
         c(P) :- takes(P,_), 2 { at(E,D,S) : takes(P,E) }.",
        "move(1,2,3). move(X,Y,Z) :- move(Y,X,Z), X < Y. move(D,T) :- move(D,_,T).",
    ] {
        right(program);
    }
    loud("p(1..3). d(X,Y,abs(X-Y)) :- p(X), p(Y).", "no-function", "the absolute value is written `|X|`");
    loud("s(a,3). best(max(N)) :- s(_,N).", "no-function", "`Z = #max { X : p(X) }`");
    loud("s(3,4). r(max(X,Y)) :- s(X,Y).", "no-function", "`Z = #max { X; Y }`");
}

/// Variables that nothing binds, since something stands in the wrong place.
#[test]
fn unsafe_variables() {
    says(&[
        ("t(1). :- t(T), #count { R } >= 3.", "an element has terms, a colon and a condition"),
        ("in(1..3). #count { X : in(X) } <= 2.", "`:- #count { X : p(X) } > 2.`"),
        ("item(a,1). { buy(I) ; item(I,_) }.", "a condition stands behind a `:`, as in `{ p(X) : q(X) }`"),
        ("{ buy(I) }.", "what is chosen from stands behind a `:`"),
        ("b(1,2). #minimize { 1,P,D : b(P,E) }.", "`E` occurs nowhere else: is it meant here?"),
        ("x(1,2). x(2,3). :- x(1,A) > x(2,B).", "they stand by themselves: `x(1,A), x(2,B), A > B`"),
        ("in(1). w(1,3). :- #sum { W,X : in(X), w(X,W) > 2 }.", "behind its braces: `#sum { ... } > 2`"),
        (
            "#const n = 3. col(1..N).",
            "did you mean the constant `n`? `N` is a variable, as it begins with a capital",
        ),
        ("#const limit = 3. d(1..9). :- #sum { X : d(X) } > Limit.", "did you mean the constant `limit`?"),
        ("#const max_load = 3. d(1..9). :- d(X), X > MaxLoad.", "did you mean the constant `max_load`?"),
        ("#const n = 3. col(1..M).", "a comparison with a number bounds it too: `M <= 100`"),
    ]);
}

/// What stands between other signs than it should, in braces, statements and terms.
#[test]
fn statements_that_cannot_be_read() {
    let condition = "a condition stands behind a `:`";
    let separators = "the elements in braces are separated by `;`";
    says(&[
        ("{ a, b, c } = 2.", separators),
        (":- 2 { at(E,D,S), takes(P,E) }.", separators),
        ("n(1..3). { q(X) | n(X) }.", condition),
        ("n(1..3). { q(X) for n(X) }.", condition),
        ("n(1..3). { q(X) where n(X) }.", condition),
        ("n(1..3). { q(X) in n(X) }.", condition),
        ("#max { V,I : buy(I), w(I,V) }.", "`#maximize { W,X : p(X), w(X,W) }.`"),
        ("p(1:3).", "written with two dots: `1..9`"),
        ("n(1,..3).", "without a comma: `1..9`"),
        ("bus stop(a).", "a name is one word, as `bus_stop`"),
        ("exactly 1 { q(X) : n(X) }.", "exactly 1 is written `{ p(X) : q(X) } = 1`"),
        ("at most 2 { q(X) : n(X) }.", "at most 1 is written `{ p(X) : q(X) } 1`"),
        ("1 { p(X) : c(X) 1 }.", "a bound stands before or behind the braces"),
        ("n(1). q(Y) :- n(X), Y = X++.", "as in `Y = X+1`"),
        ("#domain n(X).", "each rule names its own"),
        ("select X from q.", "a query is written `p(X)?`"),
        ("?- q(X).", "`#show X : p(X).` shows what it would bind"),
        ("n(1). 1 { p(X) : n(X) } 1, { q(X) : n(X) } 1.", "write a rule for each choice"),
        ("n(1..3). q(X): -n(X).", "no space within the `:-`"),
        ("&dom { 0-latest } = end.", "an interval is written `0..latest`"),
        ("n(1..3). q(X) :- n(X), X != 1, 2.", "each comparison is written whole, as `X != 1, X != 2`; one"),
        ("q(X) :- X = 1, 2.", "one of several values is a pool, as `X = (1;2)`; each"),
        ("q(1). p(X) -: q(X).", "rules are written `head :- body.`"),
        ("q(1). p(X) -:- q(X).", "rules are written `head :- body.`"),
        ("q(1). p(X) :_ q(X).", "rules are written `head :- body.`"),
    ]);
    right("n(1..3). -n(4). { q(X) : -n(X) }. {r(X): -n(X)} :- n(1).");
}

/// The word that is wrong, and what was meant by it.
#[test]
fn misspelt_words() {
    let misspelt = "misspelt-constant";
    let horizon = "#const horizon = 3. t(0..horizon). { at(T) } :- t(T). :- at(1), not at(horizen).";
    loud(horizon, misspelt, "did you mean `horizon`?");
    let line = "stop(airport;centre;park). line(airprot,centre). line(centre,park). reach(airport).";
    let reach = "reach(Y) :- reach(X), line(X,Y). lost(S) :- stop(S), not reach(S).";
    loud(&format!("{line} {reach}"), misspelt, "did you mean `airport`?");
    let bank = "bank(left;right). opp(left,right). opp(right,left). obj(a;b). at(X,lefft,0) :- obj(X).";
    loud(&format!("{bank} at(X,C,T+1) :- at(X,B,T), opp(B,C), T < 3."), misspelt, "did you mean `left`?");
    right("person(ann;bob;hanna). owner(hannes). owner(bob). { rich(P) } :- person(P), owner(P).");
    says(&[
        ("#const size = 3. p(1..sise).", "did you mean `size`?"),
        ("p(1,3). q(X) :- p(X).", "`p(1;3)`, a range `p(1..3)`"),
        ("bus-stop(a).", "a name has no hyphen, as in `bus_stop`"),
        ("p(1..3). q(1). #show p(X) : p(X), q(X).", "add `#show.`"),
    ]);
    let shown = "parent(X,Y) :- father(X,Y), male(X). mother(a,b). male(a). #show father/2. #show mother/2.";
    assert!(!run(["-", "0"], shown).stderr.contains("did you mean"));
    right("p(1..3). q(1). #show. #show p(X) : p(X), q(X). #show X : p(X).");
}

/// What follows from an error is not told beside it.
#[test]
fn errors_alone() {
    for program in [
        "d(j,m,3). &dom { 0..9 } = s(J,M) :- d(J,M,_). &sum { s(J,M), D } <= 9 :- d(J,M,D).",
        "#const n := 3. #const s = n*(n*n+1)/2. p(1..s).",
        "Male(a). p(X) :- male(X).",
    ] {
        let check = run(["check", "-"], program).stderr;
        assert!(check.ends_with("1 error, 0 warnings, 0 notes\n"), "{program}\n{check}");
    }
}

/// Comparisons that hold always or never by the kinds of their sides, and constants that were meant for variables.
#[test]
fn terms_of_another_kind() {
    let always = "always-holds";
    loud("day(\"1\";\"2\"). { w(D) } :- day(D). :- w(D), D > 1.", always, "`D` can only be a string");
    loud("age(tom,old). adult(X) :- age(X,A), A >= 18.", always, "`A` can only be a name");
    loud("age(tom,old). child(X) :- age(X,A), 18 > A.", "never-holds", "`A` can only be a name");
    loud("n(1..3). p(X,Y) :- n(X), n(Y), sum(X,Y) > 4.", always, "`sum(X,Y,V), V > 4`");
    right("age(tom,30). age(bob,old). adult(X) :- age(X,A), A >= 18.");
    right("load(a,3). cap(a,none). fits(X) :- load(X,L), cap(X,C), L <= C.");
    let values = "v(1..3). { x(1,V) : v(V) } = 1. { x(2,V) : v(V) } = 1.";
    loud(&format!("{values} :- x(1) = A, x(2) = B, A > B."), "term-compared", "did you mean `$x(1) = A`?");
    right(&format!("{values} named(A) :- x(1,_), A = x(1)."));
    let colors = "node(a;b;c). color(r;g). edge(a,b). edge(b,c). { col(N,C) : color(C) } = 1 :- node(N).";
    loud(&format!("{colors} :- edge(x,y), col(x,C), col(y,C)."), "misspelt-constant", "did you mean `X`?");
    right(&format!("{colors} :- col(x,r)."));
}

/// Comparisons that hold in no instance of a file of its own, and guards of other shapes, are no mistakes.
#[test]
fn guards() {
    for program in [
        "p(X) :- X = (1;2;3), X != 4.",
        "n(1..3). q(X) :- n(X), X < 0. :- n(X), X > 9. :- n(X), X < 1. r(X,Y) :- n(X), n(Y), |X-Y| < 0.",
        "n(1..3). a ; b :- n(X), X = (1;7). :- n(X), X-1 > 5.",
        "#const debug = 0. n(1..3). { q(X) } :- n(X), debug = 1.",
        "n(1..3). q(X) :- n(X), X != none, X != 7.",
    ] {
        right(program);
    }
    let facts =
        [("facts.lp", "n(1..3).\n"), ("rules.lp", "{ q(X) : n(X) }.\nbig(X) :- n(X), X = 7.\n:- q(9).\n")];
    let folder = folder_with(&facts);
    let apart = run_in(folder.path(), ["check", "facts.lp", "rules.lp"], "");
    assert_eq!(apart.stderr, "0 errors, 0 warnings, 0 notes\n");
    loud("n(1..3). { q(X) : n(X) }. big(X) :- n(X), X = 7.", "never-holds", "1 to 3, never 7");
}

/// `1-n` for `1..n`, where nothing else gives a variable its values.
#[test]
fn differences_for_intervals() {
    let dash = "interval-dash";
    loud("#const n = 4. row(R) :- R = 1-n.", dash, "an interval is written `1..n`");
    loud("#const n = 4. row(0-n).", dash, "an interval is written `0..n`");
    loud("#const n = 4. { q(R,C) : C = 1-n } = 1 :- R = 1..n.", dash, "`1-n` is one number");
    for program in [
        "#const n = 4. d(1-n..n-1). { q(X) : d(X) }. :- q(X), X = 1-n.",
        "#const n = 4. corner(1-n,n-1). least(a,2-n). ends(1-n,n).",
        "#const player = 1. opponent(1-player). #const side = 0. other(S) :- S = 1-side.",
        "#const n = 4. a(1..n). m(X+Y) :- a(X), Y = 1-n. { b(X) : a(X) } :- Y = 1-n, Y < 0.",
    ] {
        right(program);
    }
}

/// A letter that is another one in a short word, also where the word is compared; words of their own are no slips.
#[test]
fn short_words() {
    let misspelt = "misspelt-constant";
    let day = "day(mon;tue;wed). { w(D) : day(D) } = 1.";
    loud(&format!("{day} :- w(D), D = mom."), misspelt, "did you mean `mon`?");
    loud(&format!("{day} :- w(D), D = teu."), misspelt, "did you mean `tue`?");
    loud(&format!("{day} :- w(D), D = \"mon\"."), misspelt, "did you mean `mon`?");
    right(&format!("{day} :- w(D), D = sun."));
    right(&format!("{day} :- w(D), D != mon."));
    let side = "side(left;right). obj(a;b). { at(O,S) : side(S) } = 1 :- obj(O).";
    loud(&format!("{side} :- at(a,lefd)."), misspelt, "did you mean `left`?");
    for program in [
        "tile(sand;rock). { at(T) : tile(T) } = 1. :- at(lock).",
        "month(may;jun). { off(M) : month(M) } = 1. :- off(M), M = jul.",
        "pet(cat;dog). { owns(P) : pet(P) } = 1. :- owns(P), P = cow.",
    ] {
        right(program);
    }
    let flower = "flower(rose;tulip;lily). likes(ann,tulp). likes(bob,rose). { plant(F) : flower(F) }.";
    loud(&format!("{flower} ok(P) :- likes(P,F), plant(F)."), misspelt, "no atom of `flower/1` has `tulp`");
}

/// Negated atoms whose arguments stand in each other's place.
#[test]
fn swapped_in_negated_atoms() {
    let meal = "person(tom;ida). food(soup;pie). likes(tom,soup). likes(ida,pie). { eats(P,F) : food(F) } = 1 :- person(P).";
    loud(
        &format!("{meal} :- eats(P,F), not likes(F,P)."),
        "swapped-arguments",
        "did you mean `not likes(P,F)`?",
    );
    right(&format!("{meal} :- eats(P,F), not likes(P,F)."));
    right("node(a;b;c). edge(a,b). edge(b,c). { in(X,Y) : edge(X,Y) }. :- in(X,Y), not edge(Y,X), X = c.");
    // What is sent either way may just not be there.
    right(
        "link(a,b). link(a,c). server(a). client(b;c). { sends(X,Y) : link(X,Y) }.
         reply(X,Y) :- sends(X,Y), client(Y), server(X). quiet(X,Y) :- client(X), server(Y), not sends(X,Y).",
    );
}

/// Bounds and comparisons that no values meet, and atoms where weights are wanted.
#[test]
fn aggregates_and_orders_that_never_hold() {
    let chosen = "n(1..3). { p(X) : n(X) }.";
    loud(&format!("{chosen} :- 2 < #sum {{ X : p(X) }} < 1."), "bounds-unmet", "at least 3 and at most 0");
    right(&format!("{chosen} :- -2 < #sum {{ X : p(X) }} < 1."));
    right(&format!("{chosen} :- #sum {{ X : p(X) }} < -1."));
    loud(
        &format!("{chosen} :- p(X), p(Y), X < Y, Y < X."),
        "never-holds",
        "no values of `X` and `Y` satisfy all these comparisons",
    );
    loud(
        &format!("{chosen} :- p(X), p(Y), X >= Y, Y > X."),
        "never-holds",
        "no values of `X` and `Y` satisfy all these comparisons",
    );
    right(&format!("{chosen} :- p(X), p(Y), X <= Y, X != Y."));
    for (body, told) in [
        ("X < Y, Y < Z, Z < X", "no values of `X`, `Y` and `Z` satisfy all these comparisons"),
        ("X <= Y, Y <= Z, Z < X", "no values of `X`, `Y` and `Z` satisfy"),
        ("X = Y, Y = Z, Z != X", "no values of `X`, `Y` and `Z` satisfy"),
        ("X > 5, X < Y, Y < 3, Z = 1", "no values of `X` and `Y` satisfy"),
        ("Y = X+1, Z = 1, Y < X", "no values of `X`, `X+1` and `Y` satisfy"),
        ("X = 1..3, X > 5, Y = Z", "`X` has no value that meets all"),
        ("X > \"a\", X < 9, Y = Z", "`X` has no value that meets all"),
    ] {
        loud(&format!("{chosen} :- p(X), p(Y), p(Z), {body}."), "never-holds", told);
    }
    for body in
        ["X <= Y, Y <= Z, Z <= X", "X < 5, X > 3, Y > Z", "X < Y, Y < Z, Z != X", "X < 9, X > #inf, Y > Z"]
    {
        right(&format!("{chosen} :- p(X), p(Y), p(Z), {body}."));
    }
    right(&format!("{chosen} q(f(1..2)). :- p(X), q(Y), Y < f(X)."));
    right(&format!("{chosen} :- p(X), p(Y), Y = 4-Y, X < Y."));
    for (body, help) in [
        ("X = 1, X = 2", "or a pool: `X = (1;2)`"),
        ("X = 3, 4 = X", "or a pool: `X = (3;4)`"),
        ("X < 2, X = 5", "write a rule for each\n"),
        ("Y = X+1, Y = Y+X", "as in `New = Y+X`"),
    ] {
        loud(&format!("{chosen} :- p(X), p(Y), {body}."), "never-holds", help);
    }
    loud(&format!("{chosen} :- p(X), p(Y), X+Y = Y."), "never-holds", "this holds only where `X` is 0");
    loud(&format!("{chosen} :- p(X), p(Y), Y = 1+Y, X < Y."), "never-holds", "which is not another one");
    let weights = "#minimize { W,X : p(X), w(X,W) }. :- not p(1).";
    loud(&format!("{chosen} w(1,#inf). {weights}"), "operation-undefined", "tuple ignored");
    let told = "did you mean `$x(1)+$x(2) != 4`?";
    let values = "v(1..3). { x(1,V) : v(V) } = 1. { x(2,V) : v(V) } = 1.";
    loud(&format!("{values} :- x(1)+x(2) != 4."), "term-compared", told);
    let once = run(["-", "0"], &format!("{values} :- x(1)+x(2) != 4.")).stderr;
    assert!(!once.contains("operation-undefined"), "{once}");
    let weights = "`x(1)` is a term here and no number";
    loud("{ x(1;2) }. :- #sum { x(1); x(2) } > 4.", "term-compared", weights);
    loud(&format!("{values} :- #sum {{ x(1); x(2) }} > 4."), "term-compared", "`V,x(1) : x(1,V)`");
    let weighed = "t(1..3). { w(X,1..2) : t(X) }.";
    loud(&format!("{weighed} :- #sum {{ w(X) : t(X) }} > 4."), "term-compared", "`V,X : t(X), w(X,V)`");
    loud(&format!("{weighed} :~ t(X). [w(X),X]"), "term-compared", "`:~ t(X), w(X,V). [V,X]`");
    loud(&format!("{weighed} #minimize {{ w(X)@2,X : t(X) }}."), "term-compared", "`V@2,X : t(X), w(X,V)`");
    right(&format!("{chosen} :- #sum {{ X,p(X) : p(X) }} > 4."));
}

/// Where nothing is asked for, and what is violated with which values.
#[test]
fn nothing_asked_for_and_nothing_left() {
    let item = "item(a,3). item(b,5). { buy(I) : item(I,_) }.";
    let total = "total(S) :- S = #sum { P,I : buy(I), item(I,P) }.";
    let least = "#minimize { V,I : buy(I), item(I,V) }.";
    loud(&format!("{item} {total} {least}"), "idle-objective", "no rule asks for atoms of `buy/1`");
    right(&format!("{item} {total} :- total(S), S < 4. {least}"));
    says(&[
        (
            "team(1..3). { g(A,B) : team(B), A < B } = 1 :- team(A), A < 3. plays(A) :- g(A,_). :- team(T), not plays(T).",
            "with T = 3",
        ),
        (
            "father(tom,ann). father(X,Y) :- parent(X,Y). old(X) :- parent(X,Y), parent(Y,_).",
            "are head and body of this rule exchanged?",
        ),
    ]);
}

/// Names that are like others, and meant.
#[test]
fn names_that_are_alike() {
    for program in [
        "kid(bart;bert;lisa). sick(bart;lisa). home(K) :- kid(K), sick(K).",
        "city(rome;roma). visit(rome).",
        "task(wash;wish;cook). needs(wash,2). needs(cook,1). { do(T) : task(T) }.",
        "room(hall;hell;gym). used(hall;gym). { free(R) : room(R) }.",
        "guest(anna;anne;bob). seat(anna,1). seat(bob,2). { at(G) : guest(G) }.",
        "guest(lorenz;lorentz;bob). seat(lorenz,1). seat(bob,2). { at(G) : guest(G) }.",
    ] {
        right(program);
    }
}

/// What a constant stands for is no misspelt word, nor is a general one.
#[test]
fn words_that_comparisons_name() {
    let people = "person(tim;ida;allan). { boss(P) : person(P) } = 1.";
    right(&format!("#const who = tom. {people} :- boss(P), P = who."));
    right(&format!("#const who = tom. {people} :- boss(who)."));
    right(&format!("{people} :- boss(P), P != tom."));
    loud(&format!("{people} :- boss(P), P = tom."), "misspelt-constant", "did you mean `tim`?");
    loud(&format!("{people} :- boss(P), P != allen."), "misspelt-constant", "did you mean `allan`?");
    right("size(nine;ten;mall). { s(X) : size(X) } = 1. :- s(X), X = none. :- s(X), X = all.");
}

/// Atoms that are named both ways round, and what is denied with `-`.
#[test]
fn both_ways_round() {
    for program in [
        "arc(a,x). arc(b,y). s(a;b). t(x;y). { use(X,Y) : arc(X,Y), not arc(Y,X) }.",
        "arc(a,x). arc(b,y). s(a;b). t(x;y). { use(X,Y) : arc(X,Y) }. :- use(X,Y), not use(Y,X).",
        "man(tom;tim). woman(ida;eva). { marry(M,W) : man(M), woman(W) }. { knows(M,W) : man(M), woman(W) }.
         :- marry(M,W), not knows(M,W), not knows(W,M).",
        "man(1;2). woman(ida;eva). { marry(M,W) : man(M), woman(W) }. { knows(M,W) : man(M), woman(W) }.
         :- marry(M,W), not knows(M,W), not knows(W,M).",
        "item(a,3). { buy(I) : item(I,_) }. -poor. poor :- #count { I : buy(I) } < 1.
         #minimize { P,I : buy(I), item(I,P) }.",
    ] {
        right(program);
    }
}

/// Comparisons of numbers with texts, functions and names of predicates.
#[test]
fn kinds_that_are_compared() {
    let age = "age(tom,20). age(ann,15).";
    let quotes = "did you mean `18`? a number has no quotes";
    loud(&format!("{age} adult(X) :- age(X,A), A > \"18\"."), "never-holds", quotes);
    loud(&format!("{age} minor(X) :- age(X,A), \"18\" > A."), "always-holds", quotes);
    loud(&format!("{age} exact(X) :- age(X,A), A = \"18\"."), "never-holds", quotes);
    loud(&format!("{age} other(X) :- age(X,A), A != \"18\"."), "always-holds", quotes);
    loud(&format!("{age} p(X) :- age(X,A), A < f(3)."), "always-holds", "`f(3)` is a function");
    loud(&format!("{age} p(X) :- age(X,A), X > \"m\"."), "never-holds", "`X` can only be a name");
    right(&format!("{age} p(X) :- age(X,A), A != none. q(X) :- age(X,A), A < #sup."));
    right("age(tom,\"20\"). age(ann,\"15\"). adult(X) :- age(X,A), A > \"18\".");
    right("v((1,2)). v(f(1)). p(X) :- v(X), X > f(0). q(X) :- v(X), X < (2,2).");
    let size = "size(5). word(big).";
    loud(&format!("{size} p(X) :- size(X), X < big."), "always-holds", "`big` is a name");
    // Such terms are there to be compared.
    right("obj(box(1)). obj(ball). box(1,red). { held(O) : obj(O) } = 1. :- held(O), O != ball, O < box(2).");
    // Another run may give the constant another value.
    right(&format!("#const limit = none. {age} p(X) :- age(X,A), A > limit."));
    let buy = "cost(a,3). cost(b,9). { buy(X) : cost(X,_) }.";
    let sum = ":- #sum { C,X : buy(X), cost(X,C) } >";
    let term = "term-compared";
    loud(&format!("{buy} {sum} \"10\"."), term, "did you mean `10`?");
    loud(&format!("{buy} {sum} limit. limit(10)."), term, "write `limit(L)` in the body, and `L` here");
    loud(
        &format!("{buy} {sum} limit(a). limit(a,10)."),
        term,
        "write `limit(a,L)` in the body, and `L` here",
    );
    right(&format!("{buy} limit(10). :- #sum {{ C,X : buy(X), cost(X,C) }} > L, limit(L)."));
    let count = "n(N) :- N = #count { X : buy(X) }. :- n(N), N > \"1\".";
    loud(&format!("{buy} {count}"), "never-holds", "did you mean `1`?");
}

/// Several slips in one atom or one column, and slips in texts.
#[test]
fn slips_beside_each_other() {
    let misspelt = "misspelt-constant";
    let side = "side(left;right). obj(ball;cube). { at(O,S) : side(S) } = 1 :- obj(O).";
    for words in ["did you mean `ball`?", "did you mean `left`?"] {
        loud(&format!("{side} :- at(bal,lefft)."), misspelt, words);
    }
    let city = "city(rome;madrid;bonn;paris). { go(X,Y) : road(X,Y) } 1 :- city(X).
        { go(X,Y) : road(X,Y) } 1 :- city(Y).";
    for words in ["did you mean `madrid`?", "did you mean `paris`?"] {
        let road = "road(rome,madrd). road(madrid,pariss). road(bonn,rome). road(paris,bonn).";
        loud(&format!("{city} {road}"), misspelt, words);
    }
    right(&format!("{city} road(rome,madrd). road(madrid,lisbon). road(bonn,rome)."));
    let nation = "nation(\"English\";\"Spanish\"). { lives(N,1..5) } = 1 :- nation(N).";
    loud(&format!("{nation} :- lives(\"Spannish\",2)."), misspelt, "did you mean `\"Spanish\"`?");
    loud(&format!("{nation} :- lives(english,1)."), misspelt, "did you mean `\"English\"`?");
    right(&format!("{nation} :- lives(\"Danish\",2)."));
}

/// Numbers that the domain of a variable does not have.
#[test]
fn numbers_outside_the_domain() {
    let pick = "num(1..5). { pick(X) : num(X) } = 1.";
    let never = "never-holds";
    loud(&format!("{pick} :- pick(X), X = 9."), never, "argument 1 of `pick/1` is 1 to 5, never 9");
    loud(&format!("{pick} r(X) :- num(X), 0 = X."), never, "argument 1 of `num/1` is 1 to 5, never 0");
    loud(&format!("{pick} :- pick(6)."), never, "argument 1 of `pick/1` is 1 to 5, never 6");
    for rule in [
        ":- pick(X), X = 5.",
        ":- pick(X), X != 9.",
        ":- pick(X), X = (5;6).",
        ":- not pick(9), pick(1).",
        "big(X) :- pick(X), X > 9.",
        "zero :- pick(0).",
        "clue(1,1). clue(2,5). clue(3,2). clue(4,3). clue(5,4). free(X) :- clue(X,N), N = 0.",
    ] {
        right(&format!("{pick} {rule}"));
    }
    right("#const n = 5. num(1..n). { pick(X) : num(X) } = 1. :- pick(X), X = 9.");
    right("num(1;2;7). { pick(X) : num(X) } = 1. :- pick(X), X = 4.");
}

/// Parentheses, signs and negations of other languages, and what to write.
#[test]
fn signs_of_other_languages() {
    says(&[
        ("q(1..3). { p(X) : q(X) }. :- (p(X) : q(X)).", "a literal with a condition has no parentheses"),
        ("q(1..3). r(X) :- q(X) & X > 1.", "`&` computes with the bits of numbers, and is no \"and\""),
        ("q(1..3). r(X) :- q(X) && X > 1.", "separated by `,`"),
        ("q(1..3). r(X) :- q(X) and X > 1.", "separated by `,`"),
        ("q(1..3). r(X) :- q(X) || X > 1.", "alternatives of a head are separated by `;`"),
        ("q(1..3). p(2). r(X) :- q(X), !p(X).", "default negation is written `not`"),
        ("q(1..3). p(2). r(X) :- q(X), not(p(X)).", "without parentheses around them"),
        ("p(1). s(1,2,3). q(X) :- p(X), not s(X,Y,Z).", "write `_` for `Y` and `Z`"),
    ]);
    right("q(1..3). r(X) :- q(X), X & 1 = 1, (X/2) & 1 = 0. s(X) :- q(X), (X+1) & 2 = 2.");
    right("q(1..3). r(X) :- q(X), X <> 1, X == 2.");
}

/// What `asp check` says of programs that have no answer set, or no end.
#[test]
fn programs_that_check_looks_through() {
    loud("p(1..3). { q(X) : p(X) } = 7.", "leaves-none", "violated whatever is chosen");
    for instance_may_follow in
        ["#defined p/1. :- not q. q :- p(X), X > 1.", ":- not q. q :- p(X), X > 1.", "{ q(X) : p(X) } = 7."]
    {
        let check = run(["check", "-"], instance_may_follow).stderr;
        assert!(!check.contains("leaves-none"), "{check}");
    }
    let check = run(["check", "-"], "p(0). p(X+1) :- p(X).").stderr;
    assert!(
        check.contains("add `X < limit`") && check.ends_with("0 errors, 1 warning, 0 notes\n"),
        "{check}"
    );
    // The places of a sum are data that end; each round passes through them.
    right(
        "sum(0..3). w(1..2). { v(X) : w(X) }. carry(0,0). col(P,C+S) :- carry(P,C), sum(P), S = #sum { X : v(X) }.
         carry(P+1,T/10) :- col(P,T).",
    );
    // A step reads the one before.
    let step = "#program step(t). at(t,X+1) :- at(t-1,X).";
    right(&format!(
        "#include <incmode>. #program base. at(0,0). {step} #program check(t). :- query(t), not at(t,3)."
    ));
    let circle = "at(0,0). col(P,C+1) :- at(P,C). at(P+1,T) :- col(P,T).";
    assert!(run(["check", "-"], circle).stderr.contains("[termination]"));
}

/// Hints at names: of the same sign, and not of what is made of the undefined one.
#[test]
fn names_that_hints_offer() {
    says(&[("tal(1). -tal(2). q :- -tla(1).", "did you mean `-tal/1`?")]);
    let check = |program: &str| run(["check", "-"], program).stderr;
    let told = check("island((R,C)) :- island(R,C,_). { land(P) : island(P) }.");
    assert!(
        !told.contains("did you mean") && told.contains("no rule here has the head `island/3`"),
        "{told}"
    );
    let told = check("render_as(r,line). cell(1..H,1..W) :- size(H,W). #show cell/2.");
    assert!(!told.contains("are they meant"), "{told}");
    let told = check("edge(1,2). path(X,Y) :- edge(X,Y). path(X,Z) :- path(X), edge(X,Z).");
    assert!(told.contains("did you mean `path/2`?"), "{told}");
}
