//! Random small programs that are safe and whose grounding ends, with every construct of the language.
//!
//! Safety: a rule's variables are chosen first, each with a literal that binds it. Termination: a head takes complex
//! terms only over variables that range over given facts; over others it gets a comparison that keeps values small.

mod bodies;
mod bounds;
mod directives;
mod profile;
mod rules;
mod terms;

pub use profile::Profile;

use super::outcome::Mode;
use super::tree::{Tree, list, seq, text};
use asp_base::rng::Rng;

/// A program and the question to ask about it.
pub struct Case {
    /// The statements.
    pub statements: Vec<Tree>,
    /// The question.
    pub mode: Mode,
}

/// The case of a seed.
pub fn generate(profile: &Profile, seed: u64) -> Case {
    let mut generator = Generator {
        rng: Rng::new(seed),
        profile,
        numbers: Vec::new(),
        extras: Vec::new(),
        classical: false,
        constant: false,
        theory: false,
        fresh: 0,
        given: false,
        all_given: false,
        whole: false,
        negated: false,
    };
    generator.program()
}

/// The variables of a rule and what is known about them.
#[derive(Clone, Debug, Default)]
struct Scope {
    variables: Vec<Variable>,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    /// Whether it ranges over values that no rule derives.
    finite: bool,
}

struct Generator<'a> {
    rng: Rng,
    profile: &'a Profile,
    /// The integers of `dom`.
    numbers: Vec<i64>,
    /// Other terms in `dom`.
    extras: Vec<&'static str>,
    classical: bool,
    constant: bool,
    theory: bool,
    fresh: u32,
    /// Whether positive atoms are over given facts only. In conditions of heads with bounds and of disjuncts, clingo
    /// misses what depends on the same head: `{ a ; b : a } = 2.` has no answer set there.
    given: bool,
    /// Whether negative ones are, too: the instances of an external may depend on when its body is instantiated.
    all_given: bool,
    /// Whether heads are without pools.
    whole: bool,
    /// Whether some body has a negated aggregate. Gringo keeps a rule under one that cannot hold, so that
    /// its atoms are no external ones.
    negated: bool,
}

const PROPOSITIONS: [&str; 5] = ["a", "b", "c", "d", "e'"];
const UNARY: [&str; 3] = ["p", "q", "_s"];
const RELATIONS: [&str; 7] = ["<", "<=", ">", ">=", "=", "!=", "=="];

impl Generator<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u64) as usize
    }
    fn chance(&mut self, p: f64) -> bool {
        self.rng.chance(p)
    }
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
    /// An index drawn by weight.
    fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut x = self.rng.unit() * weights.iter().sum::<f64>();
        for (i, w) in weights.iter().enumerate() {
            x -= w;
            if x < 0.0 {
                return i;
            }
        }
        weights.iter().rposition(|&w| w > 0.0).unwrap_or(0)
    }
    fn variable_name(&mut self) -> String {
        self.fresh += 1;
        match self.fresh {
            1 => "X".to_owned(),
            2 => "Y".to_owned(),
            3 => "Z".to_owned(),
            4 => "_W'".to_owned(),
            n => format!("V{n}"),
        }
    }

    fn program(&mut self) -> Case {
        let profile = self.profile;
        if profile.comparisons {
            return self.bounds_program();
        }
        let mut statements = Vec::new();
        self.numbers = match self.below(6) {
            0 => vec![1],
            1 => vec![0, 1],
            2 => vec![-1, 0, 1],
            3 => vec![1, 2, 3],
            _ => vec![1, 2],
        };
        if self.chance(profile.rich_terms) {
            let all = [
                "x", "y", "\"s\"", "f(1)", "f(x,2)", "(1,2)", "(x,)", "()", "#inf", "#sup", "-x", "-f(1)",
                "\"\"",
            ];
            self.extras =
                (0..1 + self.below(2)).map(|_| all[self.rng.below(all.len() as u64) as usize]).collect();
        }
        self.classical = self.chance(profile.classical);
        self.constant = self.chance(profile.directives);
        self.theory = self.chance(profile.directives * 0.4);
        if self.constant {
            let value = self.pick(&["1", "2", "1+1", "x", "(3-k2)", "f(1)"]);
            statements.push(text(format!("#const k = {value}.")));
            if value.contains("k2") {
                statements.push(text("#const k2 = 1."));
            }
        }
        if self.theory {
            statements.push(text(
                "#theory th { t { + : 1, binary, left; - : 2, unary }; &t/0 : t, {<=, >=}, t, body; &u/1 : t, any }.",
            ));
        }
        statements.extend(self.domain());
        let rules = 2 + self.below(7);
        for _ in 0..rules {
            statements.push(self.rule());
        }
        if self.chance(0.85) {
            let open = self.opener();
            statements.push(open);
        }
        let mut modes = vec![Mode::All; 6];
        if self.chance(profile.optimise) {
            for _ in 0..1 + self.below(3) {
                let objective = self.objective();
                statements.push(objective);
            }
            modes = vec![Mode::Opt, Mode::OptN, Mode::OptN, Mode::OptCore, Mode::OptEnum, Mode::OptIgnore];
        } else {
            modes.push(Mode::ProjectShow);
            if self.chance(profile.consequences) {
                modes = vec![Mode::Brave, Mode::Cautious];
            }
        }
        if self.chance(profile.project) && modes.contains(&Mode::All) {
            statements.extend(self.projection());
            modes = vec![Mode::Project];
        } else if self.chance(profile.show) {
            for _ in 0..1 + self.below(2) {
                let show = self.show();
                statements.push(show);
            }
        }
        while self.chance(profile.external) {
            let external = self.external();
            statements.extend(external);
        }
        while self.chance(profile.directives) {
            let directive = self.directive();
            statements.push(directive);
        }
        // Statements may come in any order.
        for i in (1..statements.len()).rev() {
            let j = self.below(i + 1);
            statements.swap(i, j);
        }
        let mode = self.pick(&modes);
        if mode == Mode::ProjectShow {
            // clingo does not project on names with an underscore.
            statements.iter_mut().for_each(|s| s.rename("_s", "s"));
        }
        Case { statements, mode }
    }

    /// Facts: `dom/1` and `edge/2`.
    fn domain(&mut self) -> Vec<Tree> {
        let mut out = Vec::new();
        let (first, last) = (self.numbers[0], self.numbers[self.numbers.len() - 1]);
        if first < last && self.chance(0.6) {
            out.push(text(format!("dom({first}..{last}).")));
        } else if self.chance(0.3) {
            let values: Vec<Tree> = self.numbers.iter().map(|n| text(n.to_string())).collect();
            out.push(seq([text("dom("), list(";", 1, values), text(").")]));
        } else {
            out.extend(self.numbers.iter().map(|n| text(format!("dom({n})."))));
        }
        out.extend(self.extras.iter().map(|x| text(format!("dom({x})."))));
        for _ in 0..self.below(5) {
            let (x, y) = (self.constant_term(), self.constant_term());
            out.push(seq([text("edge("), x, text(","), y, text(").")]));
        }
        out
    }
}
