//! One benchmark per stage, inside the process: lexer, parser, joins, propagation, unfounded sets, printing.
//!
//! `cargo bench` runs all, `cargo bench -- joins` those of a group. Invariant: inputs are generated here from fixed
//! seeds, outside the measured time. The figures are for comparing versions with each other; for whole runs beside
//! clingo see `side-by-side/`.

use std::fmt::Write as _;

use asp::Control;
use asp::Interrupt;
use asp_engine::parameters::SolverParameters;
use asp_engine::store::literal::{Lit, Var};
use asp_engine::{Engine, Outcome};
use asp_report::answer_set::{AnswerTable, Rendering};
use asp_solve::{Event, Flow, SolveOptions};
use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Numbers from a fixed seed (xorshift).
struct Numbers(u64);

impl Numbers {
    fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// Edges of a random graph as facts.
fn edges(nodes: u64, degree: u64) -> String {
    let mut numbers = Numbers::new();
    let mut text = String::new();
    for _ in 0..nodes * degree / 2 {
        let _ = writeln!(text, "edge({},{}).", numbers.below(nodes), numbers.below(nodes));
    }
    text
}

/// Rules of all kinds, about a megabyte.
fn rules() -> String {
    let mut text = String::new();
    for i in 0..6000 {
        let _ = writeln!(
            text,
            "value(X{i},Y+1,f(\"text {i}\",-3)) :- cell(X{i},Y), not other(Y,_), X{i} < 2*Y-{i}. % comment\n\
             {{ chosen(X,V) : domain(V), V != {i} }} = 1 :- item(X), #count {{ Z,W : near(X,Z,W) }} >= {i}.\n\
             :~ chosen(X,V), weight(V,W). [W@{}, X]",
            i % 3
        );
    }
    text
}

fn parsed(text: &str) -> Control {
    let mut control = Control::new();
    control.add(text);
    control.parse().unwrap();
    control
}

fn grounded(text: &str) -> Control {
    let mut control = parsed(text);
    control.ground().unwrap();
    control.lower().unwrap();
    control
}

mod reading {
    use super::*;

    #[divan::bench]
    fn lexer(bencher: Bencher<'_, '_>) {
        let text = rules();
        bencher.counter(BytesCount::of_str(&text)).bench(|| {
            let mut lexer = asp_syntax::lexer::Lexer::new(&text, 0);
            let mut tokens = 0u32;
            while let Some(token) = lexer.next_token() {
                tokens += u32::from(token.1.is_ok());
            }
            tokens
        });
    }

    #[divan::bench(sample_count = 20)]
    fn rules_to_syntax_tree(bencher: Bencher<'_, '_>) {
        let text = rules();
        bencher.counter(BytesCount::of_str(&text)).bench(|| parsed(&text));
    }

    #[divan::bench(sample_count = 20)]
    fn facts_to_syntax_tree(bencher: Bencher<'_, '_>) {
        let text = edges(20_000, 10);
        bencher.counter(BytesCount::of_str(&text)).bench(|| parsed(&text));
    }
}

/// Grounding only, from the syntax tree to the ground program.
mod joins {
    use super::*;

    fn ground(bencher: Bencher<'_, '_>, text: &str) {
        bencher.with_inputs(|| parsed(text)).bench_local_refs(|control| control.ground().unwrap());
    }

    #[divan::bench(sample_count = 20)]
    fn triangles(bencher: Bencher<'_, '_>) {
        let rule = "t(X,Y,Z) :- edge(X,Y), edge(Y,Z), edge(Z,X), X < Y, X < Z.";
        ground(bencher, &(edges(3000, 24) + rule));
    }

    #[divan::bench(sample_count = 20)]
    fn transitive_closure(bencher: Bencher<'_, '_>) {
        let rules = "path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), edge(Y,Z).";
        ground(bencher, &(edges(250, 4) + rules));
    }

    #[divan::bench(sample_count = 20)]
    fn choices_and_aggregates(bencher: Bencher<'_, '_>) {
        let rules = "n(1..60). { p(X,Y) : n(Y) } = 1 :- n(X). :- n(Y), #sum { X : p(X,Y) } > 90.\n\
                     q(X) :- #count { Y : p(X,Y), Y > 3 } >= 2, n(X).";
        ground(bencher, rules);
    }

    #[divan::bench(sample_count = 20)]
    fn pairwise_exclusion(bencher: Bencher<'_, '_>) {
        let rules = "n(1..15). { p(R,C,V) : n(V) } = 1 :- n(R), n(C).\n\
                     :- p(R,C1,V), p(R,C2,V), C1 != C2. :- p(R1,C,V), p(R2,C,V), R1 != R2.";
        ground(bencher, rules);
    }
}

mod propagation {
    use super::*;

    fn engine(variables: usize) -> (Engine, Vec<Var>) {
        let mut engine = Engine::new(&SolverParameters::default());
        let vars = (0..variables).map(|_| engine.new_var()).collect();
        (engine, vars)
    }

    /// One decision that implies a chain of 100,000 literals, half of them through clauses of three.
    #[divan::bench]
    fn chain(bencher: Bencher<'_, '_>) {
        const N: usize = 100_000;
        let (mut engine, vars) = engine(N);
        for i in 1..N {
            let before = if i % 2 == 0 { i - 1 } else { i.saturating_sub(2) };
            engine.add_clause(&[Lit::neg(vars[i - 1]), Lit::neg(vars[before]), Lit::pos(vars[i])]);
        }
        let assumptions = [[Lit::pos(vars[0])], [Lit::neg(vars[N - 1])]];
        let mut turn = 0;
        bencher.counter(ItemsCount::new(N)).bench_local(|| {
            turn += 1;
            engine.solve(&assumptions[turn % 2], &Interrupt::new())
        });
    }

    /// A complete search over random clauses at the threshold.
    #[divan::bench(sample_count = 20)]
    fn random_clauses(bencher: Bencher<'_, '_>) {
        let build = || {
            let mut numbers = Numbers::new();
            let (mut engine, vars) = engine(150);
            for _ in 0..645 {
                let mut lit = || Lit::new(vars[numbers.below(150) as usize], numbers.below(2) == 0);
                let clause = [lit(), lit(), lit()];
                engine.add_clause(&clause);
            }
            engine
        };
        bencher
            .with_inputs(build)
            .bench_local_refs(|engine| matches!(engine.solve(&[], &Interrupt::new()), Outcome::Sat));
    }
}

/// Solve calls on ground programs.
mod search {
    use super::*;

    fn solve(bencher: Bencher<'_, '_>, text: &str, models: u64) {
        let count = |control: &mut Control| {
            let mut found = 0u64;
            control
                .solve(models, |_| {
                    found += 1;
                    true
                })
                .unwrap();
            found
        };
        bencher.with_inputs(|| grounded(text)).bench_local_refs(count);
    }

    /// Cycles through all nodes: every partial tour may leave unfounded loops.
    #[divan::bench(sample_count = 20)]
    fn unfounded_sets(bencher: Bencher<'_, '_>) {
        let mut text = String::from("node(0..119).\n");
        for i in 0..120 {
            let _ = writeln!(text, "edge({i},{}). edge({i},{}).", (i + 1) % 120, (i * 7 + 13) % 120);
            let _ = writeln!(text, "edge({},{i}). edge({},{i}).", (i + 1) % 120, (i * 7 + 13) % 120);
        }
        text.push_str(
            "{ go(X,Y) : edge(X,Y) } = 1 :- node(X). { go(X,Y) : edge(X,Y) } = 1 :- node(Y).\n\
             reached(0). reached(Y) :- reached(X), go(X,Y). :- node(X), not reached(X).",
        );
        solve(bencher, &text, 1);
    }

    #[divan::bench(sample_count = 20)]
    fn enumeration(bencher: Bencher<'_, '_>) {
        let text = "n(1..4). { c(R,C,V) : n(V) } = 1 :- n(R), n(C).\n\
                    :- c(R,C,V), c(R,D,V), C < D. :- c(R,C,V), c(S,C,V), R < S.";
        solve(bencher, text, 0);
    }
}

mod printing {
    use super::*;

    /// One answer set of 2,000 atoms, repeatedly.
    fn print(bencher: Bencher<'_, '_>, rendering: &Rendering) {
        let text = "{ cell_has_number(R,C,V) : V = 1..20 } = 1 :- R = 1..20, C = 1..100.";
        let mut control = grounded(text);
        let table = AnswerTable::new(control.program(), control.symbols(), rendering, " ", false);
        let mut bencher = Some(bencher);
        control
            .solve_events(&SolveOptions::default(), &[], &mut |event, _, _| {
                if let (Event::Model(model), Some(bencher)) = (event, bencher.take()) {
                    let mut bytes = Vec::new();
                    table.write(&model, &mut bytes);
                    bencher.counter(BytesCount::new(bytes.len())).bench_local(|| {
                        bytes.clear();
                        table.write(&model, &mut bytes);
                        black_box(bytes.len())
                    });
                }
                Flow::Stop
            })
            .unwrap();
    }

    #[divan::bench]
    fn text(bencher: Bencher<'_, '_>) {
        print(bencher, &Rendering::Text { prefix: String::new(), suffix: String::new() });
    }

    #[divan::bench]
    fn json_terms(bencher: Bencher<'_, '_>) {
        print(bencher, &Rendering::JsonTerm);
    }
}
