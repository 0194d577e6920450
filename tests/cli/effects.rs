//! No dead options: every option that the table of options lists as working has a visible effect.
//!
//! Each row runs a program twice, without and with the option, and compares the exit code, the output with its
//! statistics (times masked), the messages, and a file if the option names one. Options that only tune the search must
//! change its figures and keep its answers. An option of the table without a row fails the test, as does one whose value
//! is accepted with the note that it has no effect.

use crate::support::spawn;
use std::fmt::Write as _;

use asp_base::rng::Rng;
use asp_options::spec::Standing;
use asp_options::table::OPTIONS;
use asp_rewrite::improve::Rewriting;

/// The difference that two runs must show.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Changes {
    /// Any visible difference.
    Something,
    /// The figures of the search, but not the answers.
    Figures,
}

use Changes::{Figures, Something};

/// Option, what it changes, program, arguments without it, and the option as given.
pub(super) type Row = (&'static str, Changes, &'static str, &'static str, &'static str);

const TINY: &str = "{a; b}. c :- not a. _x. #show.  #show a/0. #show b/0. #show _x/0.";
const OBJECTIVE: &str = "1 { a; b; c }. #minimize { 2@2,a : a; 3@1,b : b; 1@1,c : c }.";
const LOOPS: &str = "a :- b. b :- a. a :- c. b :- d. {c; d}.";
const EQUAL: &str = "{a; b; d}. c :- a, b. e :- a, b. f :- c, d. g :- e, d.";
const SMODELS_LOOP: &str = "3 2 2 3 0 0\n0\n2 _edge(1,2)\n3 _edge(2,1)\n0\nB+\n0\nB-\n1\n0\n1\n";
const SEATS: &str = "1 { a(P,H) : H = 1..8 } 1 :- P = 1..11. :~ a(P,H), a(Q,H), P < Q. [(P*Q*7)\\5+1,P,Q]";
const EXCLUSION: &str = "1 { p(R,C,N) : N = 1..3 } 1 :- R = 1..3, C = 1..3. :- p(R,C,N), p(R,D,N), C != D.";
const JOINS: &str = "v(1..30). e(X,Y) :- v(X), v(Y), X*Y\\3 = 1. { f(X,Z) } :- v(X), v(Z).
    a(X,Z) :- e(X,Y), e(Y,Z), f(X,Z). b(X,Z) :- e(X,Y), e(Y,Z), not f(X,Z).";
const PIGEONS: &str = "1 { p(P,H) : H = 1..6 } 1 :- P = 1..7. :- p(P,H), p(Q,H), P < Q.";
const KNAPSACK: &str = "{ t(1..20) }. #maximize { (X*X*7)\\23+9,X : t(X) }.
    :- #sum { (X*X*5)\\19+7,X : t(X) } > 90. :- #sum { (X*X*3)\\17+5,X : t(X) } > 80.";
const HEURISTIC: &str = "{a; b}. #heuristic a. [2,true] #heuristic b. [1,false]";

/// All options except those that are tested elsewhere.
pub(super) const ROWS: &[Row] = &[
    ("help", Something, TINY, "", "--help"),
    ("version", Something, TINY, "", "--version"),
    ("verbose", Something, TINY, "", "-V0"),
    ("mode", Something, TINY, "", "--mode=gringo"),
    ("time-limit", Something, "harder", "--solve-limit=1000", "--time-limit=1 --solve-limit=no"),
    ("memory-limit", Something, "{a(1..300000)}.", "-q", "--memory-limit=20"),
    ("list", Something, TINY, "", "--list"),
    ("generate", Something, TINY, "", "--generate=bash"),
    ("print-portfolio", Something, TINY, "", "--print-portfolio"),
    ("quiet", Something, TINY, "0", "--quiet"),
    ("outf", Something, TINY, "", "--outf=1"),
    ("stats", Something, TINY, "", "--stats"),
    ("progress", Something, "harder", "--time-limit=2", "--progress=always"),
    ("out-atomf", Something, TINY, "0", "--out-atomf=%s."),
    ("out-ifs", Something, TINY, "0", "--out-ifs=;"),
    ("out-hide-aux", Something, TINY, "0", "--out-hide-aux"),
    ("text", Something, TINY, "", "--text"),
    ("expand", Something, "{ a(1..3) } = 1. $a > 1.", "", "--expand"),
    ("output", Something, TINY, "", "--output=intermediate"),
    ("pre", Something, TINY, "", "--pre"),
    ("reify-sccs", Something, LOOPS, "--output=reify", "--reify-sccs"),
    ("reify-steps", Something, LOOPS, "--output=reify", "--reify-steps"),
    ("show-grid", Something, "1 { at(1,1,(x;y)) } 1.", "", "--show-grid=at"),
    ("models", Something, TINY, "", "--models=2"),
    ("enum-mode", Something, TINY, "0", "--enum-mode=brave"),
    ("enum-mode", Something, TINY, "0", "--enum-mode=cautious"),
    ("enum-mode", Figures, "enumeration", "0 --project=show", "--enum-mode=record"),
    ("enum-mode", Something, HEURISTIC, "0 --heuristic=Domain", "--enum-mode=domRec"),
    ("project", Something, "{a; b}. #show a/0.", "0", "--project=show"),
    ("opt-mode", Something, OBJECTIVE, "", "--opt-mode=ignore"),
    ("opt-mode", Something, OBJECTIVE, "", "--opt-mode=optN"),
    ("opt-mode", Something, OBJECTIVE, "", "--opt-mode=enum,2"),
    ("opt-stop", Something, OBJECTIVE, "--opt-strategy=bb", "--opt-stop=9,9"),
    ("gap", Something, KNAPSACK, "", "--gap=30"),
    ("gap-abs", Something, KNAPSACK, "", "--gap-abs=60"),
    ("opt-strategy", Figures, "levels", "--opt-strategy=bb,lin", "--opt-strategy=bb,hier"),
    ("opt-strategy", Figures, "levels", "--opt-strategy=bb,hier --no-opt-relax", "--opt-strategy=bb,inc"),
    ("opt-strategy", Figures, "levels", "--opt-strategy=bb,hier --no-opt-relax", "--opt-strategy=bb,dec"),
    ("opt-strategy", Figures, "levels", "--opt-strategy=bb,hier", "--opt-strategy=usc"),
    ("opt-strategy", Figures, "levels", "--opt-strategy=usc", "--opt-strategy=usc,one"),
    ("opt-strategy", Figures, "levels", "--opt-strategy=usc", "--opt-strategy=usc,k,3"),
    ("opt-strategy", Figures, "levels", "--opt-strategy=usc,k,3", "--opt-strategy=usc,k"),
    ("opt-strategy", Figures, "levels", "--opt-strategy=usc", "--opt-strategy=usc,pmres"),
    ("opt-strategy", Figures, "levels", "--opt-strategy=usc", "--opt-strategy=usc,disjoint"),
    ("opt-strategy", Figures, "levels", "--opt-strategy=usc", "--opt-strategy=usc,stratify"),
    ("opt-usc-shrink", Figures, "levels", "--opt-strategy=usc", "--opt-usc-shrink=no"),
    ("opt-usc-shrink", Figures, "levels", "--opt-strategy=usc --opt-usc-shrink=no", "--opt-usc-shrink=min"),
    ("opt-usc-shrink", Figures, "levels", "--opt-strategy=usc --opt-usc-shrink=no", "--opt-usc-shrink=lin"),
    ("opt-usc-shrink", Figures, "levels", "--opt-strategy=usc --opt-usc-shrink=no", "--opt-usc-shrink=inv"),
    ("opt-usc-shrink", Figures, "levels", "--opt-strategy=usc --opt-usc-shrink=no", "--opt-usc-shrink=bin"),
    ("opt-usc-shrink", Figures, "levels", "--opt-strategy=usc --opt-usc-shrink=no", "--opt-usc-shrink=rgs"),
    ("opt-usc-shrink", Figures, "levels", "--opt-strategy=usc --opt-usc-shrink=no", "--opt-usc-shrink=exp"),
    (
        "opt-usc-shrink",
        Figures,
        "levels",
        "--opt-strategy=usc --opt-usc-shrink=min",
        "--opt-usc-shrink=min,1",
    ),
    ("cutting-planes", Figures, KNAPSACK, "", "--cutting-planes=no"),
    ("opt-relax", Figures, KNAPSACK, "", "--no-opt-relax"),
    ("opt-heuristic", Figures, "packing", "--opt-strategy=bb", "--opt-heuristic=sign"),
    ("opt-heuristic", Figures, "levels", "--opt-strategy=bb,dec --no-opt-relax", "--opt-heuristic=model"),
    ("parallel-mode", Something, TINY, "", "--parallel-mode=2"),
    ("solve-limit", Figures, "hard", "--solve-limit=300", "--solve-limit=100"),
    ("solve-limit", Figures, "harder", "--solve-limit=100000,3", "--solve-limit=100000,2"),
    ("const", Something, "#const n = 2. a(1..n).", "", "--const n=3"),
    ("warn", Something, "a :- b.", "", "--warn=none"),
    ("min-int", Something, "&dom { (-9)..9 } = x.", "0", "--min-int=-1"),
    ("max-int", Something, "&dom { (-9)..9 } = x.", "0", "--max-int=-1"),
    ("value-atoms", Something, "&dom { 0..20 } = x.", "0", "--value-atoms=50"),
    ("ground-limit", Something, "a(1..100).", "", "--ground-limit=10"),
    (
        "ground",
        Something,
        "{ p(1..9,1..9) } = 9. :- p(A,B), p(C,D), A < C, B+D = 7, A+C != 7.",
        "--stats",
        "--ground=lazy",
    ),
    ("rewrite", Something, "a(1..9). b :- a(X), a(Y).", "--profile", "--rewrite=none"),
    (
        "rewrite",
        Something,
        "{ s(X,0..999) } = 1 :- X = 1..3. $s(X)+9 <= $s(X+1) :- X = 1..2. #minimize { $s(3) }.",
        "--stats",
        "--rewrite=no-values",
    ),
    ("rewrite", Something, "{p(1..3)}. a(X) :- p(X), not a(X).", "--text", "--rewrite=no-denial"),
    ("rewrite", Something, EXCLUSION, "--text", "--rewrite=no-exclusion"),
    (
        "rewrite",
        Something,
        "{g(1..30,1..30)}. walk(A,C,A+B+C) :- g(A,B), g(B,C). :- walk(_,_,S), S > 80. #show g/2.",
        "-q --explain-rewrites",
        "--rewrite=no-unfolding",
    ),
    (
        "rewrite",
        Something,
        "{get(1..2,I)} = 1 :- I = 1..9. :- S = #sum {I : get(1,I)}, T = #sum {I : get(2,I)}, |S-T| > 3.",
        "--text",
        "--rewrite=no-compared-sums",
    ),
    (
        "rewrite",
        Something,
        "{at(X,1..5,1..5)} = 1 :- X = 1..5. seen(X,A,D,E) :- at(X,A,B), at(X,C,D), at(X,E,F).",
        "-q --explain-rewrites",
        "--rewrite=no-chase",
    ),
    (
        "rewrite",
        Something,
        "q(1..200). w(A,B,A+B) :- q(A), q(B). r(C) :- w(3,4,C). #show r/1.",
        "--text",
        "--rewrite=no-demand",
    ),
    (
        "rewrite",
        Something,
        "{ x(K,0..9) } = 1 :- K = 1..4. :- x(1,A), x(2,B), x(3,C), x(4,D), 4*A+2*B = C+5*D.",
        "--text",
        "--rewrite=no-equations",
    ),
    (
        "rewrite",
        Something,
        "{p(1..4); q(1..4,1..4)}. :- p(X), q(X,Y), q(Y,X), p(Y), X != Y.",
        "--text",
        "--rewrite=no-symmetry",
    ),
    (
        "rewrite",
        Something,
        "d(0..9). s(A,B,C) :- d(A), d(B), d(C), 100*A+10*B+C = 905.",
        "-q --explain-rewrites",
        "--rewrite=no-partial-sums",
    ),
    ("rewrite", Something, JOINS, "-q --explain-rewrites", "--rewrite=no-sharing"),
    (
        "rewrite",
        Something,
        "{p(1..9,1..9); q(1..9,1..9)}. :- p(X,Y), q(X,Z).",
        "--text",
        "--rewrite=no-projection",
    ),
    (
        "rewrite",
        Something,
        "{p(1..9,1..9)}. :- p(A,B), p(B,C), p(C,D).",
        "--text",
        "--rewrite=no-decomposition",
    ),
    ("rewrite", Figures, PIGEONS, "", "--rewrite=no-value-sets"),
    (
        "rewrite",
        Figures,
        "{s(I,1..9)} = 1 :- I = 1..3. :- s(I,P), s(I+1,Q), Q < P+3.",
        "",
        "--rewrite=no-chains",
    ),
    ("explain-rewrites", Something, "a(1..9). b :- a(X), a(Y).", "", "--explain-rewrites"),
    ("profile", Something, TINY, "", "--profile"),
    ("show-preds", Something, "a. b.", "", "--show-preds=a/0"),
    ("seed", Figures, "hard", "--rand-freq=0.1", "--seed=7"),
    ("rand-freq", Figures, "hard", "", "--rand-freq=0.1"),
    ("heuristic", Something, HEURISTIC, "", "--heuristic=Domain"),
    ("heuristic", Figures, "hard", "", "--heuristic=Vmtf"),
    ("heuristic", Figures, SEATS, "--opt-strategy=bb", "--heuristic=Vsids"),
    ("sign-def", Figures, "hard", "", "--sign-def=pos"),
    ("sign-def", Figures, "hard", "", "--sign-def=rnd"),
    ("sign-def", Figures, "loops", "--sign-def=pos", "--sign-def=neg"),
    ("init-moms", Figures, "hard", "", "--no-init-moms"),
    ("init-moms", Figures, "packing", "--opt-strategy=bb", "--init-moms"),
    ("save-progress", Figures, "hard", "", "--save-progress=0"),
    ("save-progress", Figures, "packing", "--opt-strategy=bb --no-opt-relax", "--save-progress"),
    ("dom-mod", Something, "{a; b}.", "--heuristic=Domain", "--dom-mod=pos,all"),
    ("inprocess", Figures, "harder", "--solve-limit=20000", "--inprocess=no"),
    ("sat-prepro", Figures, "hard", "", "--sat-prepro=no"),
    ("strengthen", Figures, "hard", "", "--strengthen=no"),
    ("loops", Figures, "loops", "", "--loops=distinct"),
    ("loops", Figures, "loops", "", "--loops=no"),
    ("restarts", Figures, "hard", "", "--restarts=no"),
    ("restarts", Figures, "hard", "", "--restarts=L,32"),
    ("restarts", Figures, "hard", "--restarts=D,2,0.9", "--restarts=D,2,0.7"),
    ("restarts", Figures, "hard", "--restarts=D,2,0.9", "--restarts=D,100,0.9"),
    ("deletion", Figures, "hard", "", "--deletion=no"),
    ("deletion", Figures, "hard", "", "--deletion=basic,50"),
    ("restarts", Figures, "hard", "--restarts=L,32", "--restarts=F,32"),
    ("restarts", Figures, "hard", "--restarts=L,32", "--restarts=x,32,1.5"),
    ("restarts", Figures, "hard", "--restarts=L,32", "--restarts=+,32,9"),
    ("restarts", Figures, "hard", "--restarts=+,32,9", "--restarts=+,32,9,4"),
    ("reset-restarts", Figures, "enumerable", "0 --restarts=+,5,5", "--reset-restarts=repeat"),
    ("reset-restarts", Figures, "enumerable", "0 --restarts=+,5,5", "--reset-restarts=disable"),
    ("local-restarts", Figures, "hard", "--restarts=L,32", "--local-restarts"),
    ("counter-restarts", Figures, "hard", "--restarts=L,32", "--counter-restarts=3,9"),
    ("block-restarts", Figures, "hard", "--restarts=D,50,0.9", "--block-restarts=50,1.1,0"),
    ("restart-on-model", Figures, "enumerable", "0 --enum-mode=record", "--restart-on-model"),
    ("del-init", Figures, "hard", "--del-cfl=no", "--del-init=30,10,90"),
    ("del-grow", Figures, "hard", "--del-cfl=no --del-init=30,10,90", "--del-grow=2,9,F,100"),
    ("del-cfl", Figures, "hard", "", "--del-cfl=L,50"),
    ("del-cfl", Figures, "hard", "", "--del-cfl=no"),
    ("del-max", Figures, "hard", "", "--del-max=100"),
    ("del-glue", Figures, "hard", "", "--del-glue=5"),
    ("del-on-restart", Figures, "hard", "", "--del-on-restart=50"),
    ("strengthen", Figures, "hard", "", "--strengthen=local"),
    ("strengthen", Figures, "hard", "", "--strengthen=recursive,binary"),
    ("update-lbd", Figures, "hard", "", "--update-lbd=no"),
    ("update-lbd", Figures, "hard", "", "--update-lbd=glucose"),
    ("update-lbd", Figures, "hard", "", "--update-lbd=pseudo"),
    ("update-lbd", Figures, "hard", "", "--update-lbd=less,20"),
    ("update-act", Figures, "hard", "", "--update-act"),
    ("heuristic", Figures, "hard", "--heuristic=Vsids", "--heuristic=Vsids,80"),
    ("heuristic", Figures, "hard", "--heuristic=Vmtf", "--heuristic=Vmtf,3"),
    ("heuristic", Figures, "levels", "", "--heuristic=None"),
    ("heuristic", Figures, "enumerable", "", "--heuristic=Unit"),
    ("lookahead", Figures, "enumerable", "", "--lookahead=atom,5"),
    ("lookahead", Figures, "sums", "", "--lookahead=body"),
    ("vsids-progress", Figures, "hard", "", "--vsids-progress=80,1,100"),
    ("vsids-acids", Figures, "hard", "", "--vsids-acids"),
    ("sign-fix", Figures, "hard", "", "--sign-fix"),
    ("sign-def-disj", Figures, "disjunctions", "", "--sign-def-disj=pos"),
    ("rand-prob", Figures, "hard", "", "--rand-prob=5,20"),
    ("init-watches", Figures, "hard", "--sat-prepro=no", "--init-watches=least"),
    ("init-watches", Figures, "hard", "--sat-prepro=no", "--init-watches=rnd"),
    ("save-progress", Figures, "hard", "", "--save-progress=20"),
    ("no-lookback", Figures, "levels", "", "--no-lookback"),
    ("forget-on-step", Figures, "stepwise", "", "--forget-on-step=varScores"),
    ("forget-on-step", Figures, "stepwise", "", "--forget-on-step=signs"),
    ("forget-on-step", Figures, "stepwise", "", "--forget-on-step=lemmas"),
    ("configuration", Figures, "hard", "", "--configuration=frumpy"),
    ("configuration", Figures, "hard", "", "--configuration=jumpy"),
    ("configuration", Figures, "hard", "", "--configuration=tweety"),
    ("configuration", Figures, "hard", "", "--configuration=handy"),
    ("configuration", Figures, "hard", "", "--configuration=crafty"),
    ("configuration", Figures, "hard", "", "--configuration=trendy"),
    ("configuration", Figures, "hard", "--configuration=trendy", "--configuration=many"),
    ("configuration", Figures, "hard", "--configuration=trendy", "--configuration=handy --restarts=no"),
    ("lemma-out", Something, "hard", "", "--lemma-out=-"),
    ("lemma-out-lbd", Something, "hard", "--lemma-out=-", "--lemma-out-lbd=2"),
    ("lemma-out-max", Something, "hard", "--lemma-out=-", "--lemma-out-max=3"),
    ("lemma-out-dom", Something, "hidden", "--lemma-out=-", "--lemma-out-dom=output"),
    ("lemma-out-txt", Something, "hard", "--lemma-out=-", "--lemma-out-txt"),
    ("lemma-in", Something, "{a}.", "0", "--lemma-in=tests/golden/programs/lemmas.aspif"),
    ("trans-ext", Figures, "sums", "0", "--trans-ext=all"),
    ("trans-ext", Figures, "sums", "0", "--trans-ext=card"),
    ("trans-ext", Figures, "sums", "0", "--trans-ext=integ"),
    ("trans-ext", Figures, "sums", "0", "--trans-ext=scc"),
    ("trans-ext", Figures, "sums", "0", "--trans-ext=dynamic"),
    ("parse-maxsat", Something, "p cnf 1 2\n1 0\n-1 0\n", "--mode=clasp", "--parse-maxsat"),
    ("parse-ext", Something, SMODELS_LOOP, "--mode=clasp 0", "--parse-ext"),
    (
        "compute",
        Something,
        "asp 1 0 0\n1 1 2 1 2 0 0\n4 1 a 1 1\n4 1 b 1 2\n0\n",
        "--mode=clasp 0",
        "--compute=-2",
    ),
    ("tester", Figures, "quantified", "0", "--tester=--no-init-moms"),
    ("distribute", Figures, "harder", "--time-limit=1 -t2", "--distribute=no"),
    ("integrate", Figures, "harder", "--time-limit=1 -t3", "--integrate=unsat,0,ring"),
    ("eq", Figures, EQUAL, "", "--eq=0"),
    ("supp-models", Something, "{c}. a :- b. b :- a. a :- c.", "0", "--supp-models"),
    ("no-ufs-check", Something, "{c}. a :- b. b :- a. a :- c.", "0", "--no-ufs-check"),
];

/// Options that are tested elsewhere: they read or write files (`cubes.rs`, `data.rs`, `earlier.rs`, `picture.rs`), or only affect the time of
/// the exit.
const ELSEWHERE: &[&str] = &[
    "bound-file",
    "cube",
    "proof",
    "start",
    "near",
    "grid",
    "csv",
    "csv-header",
    "csv-delimiter",
    "json",
    "svg",
    "html",
    "fast-exit",
];

/// A program by its name, or the program itself.
pub(super) fn program(name: &str) -> String {
    let mut rng = Rng::new(5);
    let mut text = String::new();
    match name {
        // Random clauses of three literals where satisfiability is in the balance.
        "hard" | "harder" | "hidden" => {
            let atoms = if name == "harder" { 500 } else { 180 };
            if name == "hidden" {
                text.push_str("#show.\n");
            }
            let _ = writeln!(text, "{{ x(1..{atoms}) }}.");
            for _ in 0..(atoms as f64 * 4.35) as u32 {
                let literal = |rng: &mut Rng| {
                    format!("{}x({})", if rng.chance(0.5) { "not " } else { "" }, 1 + rng.below(atoms))
                };
                let body: Vec<String> = (0..3).map(|_| literal(&mut rng)).collect();
                let _ = writeln!(text, ":- {}.", body.join(", "));
            }
        }
        // Tours of a random graph.
        "loops" => {
            let nodes = 22;
            let _ = writeln!(text, "node(1..{nodes}).");
            for _ in 0..3 * nodes {
                let (a, b) = (1 + rng.below(nodes), 1 + rng.below(nodes));
                let _ = writeln!(text, "edge({a},{b}). edge({b},{a}).");
            }
            text.push_str(
                "1 { in(X,Y) : edge(X,Y), X != Y } 1 :- node(X). 1 { in(X,Y) : edge(X,Y), X != Y } 1 :- node(Y).
                 r(1). r(Y) :- r(X), in(X,Y). :- node(X), not r(X).",
            );
        }
        // A cover with two levels of costs.
        "levels" => {
            let (sets, elements) = (30, 45);
            let _ = writeln!(text, "{{ s(1..{sets}) }}.");
            for _ in 0..elements {
                let chosen: Vec<String> = (0..4).map(|_| format!("not s({})", 1 + rng.below(sets))).collect();
                let _ = writeln!(text, ":- {}.", chosen.join(", "));
            }
            for s in 1..=sets {
                let (first, second) = (1 + rng.below(5), 1 + rng.below(9));
                let _ = writeln!(text, ":~ s({s}). [{first}@2,{s}] :~ s({s}). [{second}@1,{s}]");
                let other = 1 + rng.below(sets);
                let _ = writeln!(text, ":~ s({s}), not s({other}). [2@1,{s},pair]");
            }
        }
        // As many as possible that do not exclude each other.
        "packing" => {
            let _ = writeln!(text, "{{ p(1..40) }}.");
            for p in 1..=40 {
                let _ = writeln!(text, "#maximize {{ {},{p} : p({p}) }}.", 1 + rng.below(9));
            }
            for _ in 0..150 {
                let _ = writeln!(
                    text,
                    ":- p({}), p({}), p(X), X < {}.",
                    1 + rng.below(40),
                    1 + rng.below(40),
                    rng.below(30)
                );
            }
        }
        // Few models, with conflicts between them.
        "enumerable" => {
            let _ = writeln!(text, "{{ x(1..60) }}.");
            for _ in 0..220 {
                let literal = |rng: &mut Rng| {
                    format!("{}x({})", if rng.chance(0.5) { "not " } else { "" }, 1 + rng.below(60))
                };
                let body: Vec<String> = (0..3).map(|_| literal(&mut rng)).collect();
                let _ = writeln!(text, ":- {}.", body.join(", "));
            }
        }
        // Random disjunctive rules over few atoms, with head cycles.
        "disjunctions" => {
            for _ in 0..40 {
                let atom = |rng: &mut Rng| 1 + rng.below(30);
                let (a, b, c, d) = (atom(&mut rng), atom(&mut rng), atom(&mut rng), atom(&mut rng));
                let _ = writeln!(text, "x({a}) ; x({b}) :- x({c}). x({d}) ; x({a}) ; x({c}) :- not x({b}).");
            }
        }
        // Several calls, each with conflicts.
        "stepwise" => {
            text.push_str("#include <incmode>. #const istop = \"UNSAT\". #const imax = 12. { x(1..130) }.\n");
            for _ in 0..490 {
                let literal = |rng: &mut Rng| {
                    format!("{}x({})", if rng.chance(0.5) { "not " } else { "" }, 1 + rng.below(130))
                };
                let body: Vec<String> = (0..3).map(|_| literal(&mut rng)).collect();
                let _ = writeln!(text, ":- {}.", body.join(", "));
            }
            text.push_str(
                "#program step(t).
                 :- x(3*t), x(2*t+1). :- not x(4*t), x(5*t). :- not x(5*t+1), not x(7*t).",
            );
        }
        // Is there an x such that for all y some rule applies?
        "quantified" => {
            for i in 1..=8 {
                let _ = writeln!(text, "x({i}) ; nx({i}). y({i}) ; ny({i}). y({i}) :- w. ny({i}) :- w.");
            }
            for _ in 0..45 {
                let literal = |rng: &mut Rng, name: &str| {
                    format!("{}{name}({})", if rng.chance(0.5) { "n" } else { "" }, 1 + rng.below(8))
                };
                let body = [literal(&mut rng, "x"), literal(&mut rng, "y"), literal(&mut rng, "y")];
                let _ = writeln!(text, "w :- {}.", body.join(", "));
            }
            text.push_str(":- not w.");
        }
        "sums" => text.push_str(
            "{ a(1..9) }. b :- 3 { a(1..6) }. c :- 9 #sum { X : a(X) }. :- 4 { a(3..9) }. :- #sum { X : a(X) } > 30.
             d :- 2 { e; a(1); a(2) }. e :- d, a(3). e :- a(4). f :- b, c, not d.",
        ),
        "enumeration" => text.push_str("{ a(1..6) }. :- a(1), a(2). b :- a(3). #show a/1."),
        text => return text.to_string(),
    }
    text
}

/// What is visible of a run.
#[derive(PartialEq, Debug)]
struct Seen {
    code: Option<i32>,
    output: String,
    messages: String,
}

impl Seen {
    /// The lines of the result, which must not change.
    fn answers(&self) -> Vec<&str> {
        let kept =
            ["SATISFIABLE", "UNSATISFIABLE", "OPTIMUM FOUND", "Models ", "Optimization :", "  Optimal"];
        let mut lines: Vec<&str> =
            self.output.lines().filter(|l| kept.iter().any(|k| l.starts_with(k))).collect();
        // The number of models on the way to the optimum depends on the search.
        if lines.iter().any(|l| l.starts_with("OPTIMUM")) {
            lines.retain(|l| !l.starts_with("Models "));
        }
        lines
    }
}

fn run(text: &str, arguments: &str) -> Seen {
    let run = spawn::run(spawn::words(arguments), text);
    let digits = |c: char| c.is_ascii_digit();
    let mask = |line: &str| -> String {
        let timed = ["Time ", "CPU Time", "Answer:", "Reading", "Grounding", "Preprocessing", "Solving"];
        let timed = timed.iter().any(|t| line.starts_with(t)) || line.contains(" ms") || line.contains("0.0");
        if timed { line.replace(digits, "") } else { line.to_string() }
    };
    let masked = |text: &str| -> String { text.lines().map(|l| mask(l) + "\n").collect() };
    Seen { code: run.code, output: masked(&run.stdout), messages: masked(&run.stderr) }
}

#[test]
fn every_option_that_works_changes_something() {
    let mut missing: Vec<&str> = Vec::new();
    for option in OPTIONS.iter().filter(|o| o.standing == Standing::Works) {
        if !ELSEWHERE.contains(&option.long) && !ROWS.iter().any(|r| r.0 == option.long) {
            missing.push(option.long);
        }
    }
    assert!(missing.is_empty(), "options without a row: {missing:?}");
    for rewriting in Rewriting::ALL {
        let argument = format!("--rewrite=no-{}", rewriting.name());
        assert!(ROWS.iter().any(|r| r.4 == argument), "no row for {argument}");
    }
    let mut failures = String::new();
    for &(option, changes, name, without, with) in ROWS {
        let text = program(name);
        let more = if changes == Figures { "--stats=2" } else { "" };
        let before = run(&text, &format!("{without} {more}"));
        let after = run(&text, &format!("{} {with} {more}", dropped(without, with)));
        let mut complain = |what: &str| {
            let _ = writeln!(failures, "--{option}, {name}: '{without}' and '{with}' {what}");
        };
        if before == after {
            complain("are the same");
        }
        if changes == Figures {
            if before.answers() != after.answers() {
                complain(&format!("give {:?} and {:?}", before.answers(), after.answers()));
            }
            if before.output == after.output {
                complain("have the same figures");
            }
        }
        if before.messages.contains("without effect") || after.messages.contains("without effect") {
            complain("are said to be without effect");
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

/// The arguments without those that give the same option.
pub(super) fn dropped(without: &str, with: &str) -> String {
    let name = |a: &str| a.split('=').next().unwrap_or("").to_string();
    let given: Vec<String> = with.split(' ').map(name).collect();
    without.split(' ').filter(|a| !given.contains(&name(a))).collect::<Vec<_>>().join(" ")
}
