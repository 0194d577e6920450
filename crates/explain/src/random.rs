//! Random programs for the tests of explanations, each statement with what remains when it is given up.
//!
//! Invariant: `off` of a statement is what [`super::inquiry::relax`] and [`super::inquiry::relaxed_facts`] turn it into.

use super::inquiry::Inquiry;
use super::inquiry::relaxed_facts::Which;
use asp_base::rng::Rng;
use asp_control::{Control, Source};
use asp_oracle::brute_force;

/// How a statement may be given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A fact, which may hold or not.
    Fact,
    /// A constraint, bound, comparison or edge.
    Limit,
    /// A rule that derives atoms.
    Rule,
    /// A statement that is never given up.
    Fixed,
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) role: Role,
    pub(super) text: String,
    /// What remains when it is given up; for a rule, the rule made optional.
    pub(super) off: String,
}

struct Maker(Rng);

const ATOMS: [&str; 6] = ["a", "b", "c", "-a", "p(1)", "p(2)"];

impl Maker {
    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.0.below(of.len() as u64) as usize]
    }

    fn atom(&mut self) -> &'static str {
        self.one(&ATOMS)
    }

    fn body(&mut self, least: u64, most: u64) -> String {
        let n = least + self.0.below(most - least + 1);
        let literals: Vec<String> = (0..n).map(|_| self.literal()).collect();
        literals.join(", ")
    }

    fn literal(&mut self) -> String {
        match self.0.below(15) {
            0 => format!("not not {}", self.atom()),
            1 => format!("{} : {}", self.atom(), self.atom()),
            2 => {
                let (function, relation) = (self.one(&["#sum", "#count", "#sum+"]), self.one(&["<=", ">="]));
                let (a, b, w) = (self.atom(), self.atom(), self.one(&["1", "2", "-1"]));
                format!("{function} {{ {w},x : {a}; 1,y : {b} }} {relation} {}", self.0.below(3))
            }
            3 => self.one(&["x", "not x"]).to_string(),
            4..8 => format!("not {}", self.atom()),
            _ => self.atom().to_string(),
        }
    }

    /// `:- BODY`, or nothing.
    fn when(&mut self) -> String {
        let body = self.body(0, 2);
        if body.is_empty() { body } else { format!(" :- {body}").replace(", ", "; ") }
    }

    fn statement(&mut self, number: usize) -> Statement {
        let make = |role, text: String, off: String| Statement { role, text, off };
        match self.0.below(20) {
            0..3 => {
                let a = self.atom();
                make(Role::Fact, format!("{a}."), format!("{{ {a} }}."))
            }
            3 => make(Role::Fact, "p(1;2).".into(), "{ p(1;2) }.".into()),
            4..8 => {
                let body = self.body(1, 2).replace(", ", "; ");
                make(Role::Limit, format!(":- {body}."), String::new())
            }
            8 => {
                let body = self.body(0, 2).replace(", ", "; ");
                make(Role::Limit, format!("2 < 1 :- {body}."), String::new())
            }
            9..11 => {
                let (a, b, when) = (self.atom(), self.atom(), self.when());
                let guard = self.one(&["= 1", ">= 1", "<= 1", "= 2"]);
                let bare = format!("{{ {a}; {b} }}{when}.");
                make(Role::Limit, format!("{{ {a}; {b} }} {guard}{when}."), bare)
            }
            11 => {
                let (a, b, when) = (self.atom(), self.atom(), self.when());
                let (function, relation) =
                    (self.one(&["#sum", "#min", "#count", "#sum+"]), self.one(&["<=", ">=", "!="]));
                let weights = if function == "#sum+" { ["1", "2"] } else { ["-1", "2"] };
                let elements = format!("{{ {},x : {a}; {},y : {b} }}", weights[0], weights[1]);
                let text = format!("{function} {elements} {relation} {}{when}.", self.0.below(3));
                make(Role::Limit, text, format!("{{ {a}; {b} }}{when}."))
            }
            12 => {
                let (u, v, a) = (self.0.below(3), self.0.below(3), self.atom());
                make(Role::Limit, format!("#edge ({u},{v}) : {a}."), String::new())
            }
            13 => {
                let a = self.atom();
                make(Role::Fixed, format!("{{ {a} }}."), format!("{{ {a} }}."))
            }
            14 => {
                let text = format!("#external x. [{}]", self.one(&["true", "false", "free"]));
                make(Role::Fixed, text.clone(), text)
            }
            kind => {
                let (a, b, mut body) = (self.atom(), self.atom(), self.body(1, 2).replace(", ", "; "));
                if self.0.chance(0.25) {
                    body = format!("not {a}; {body}");
                }
                let head = match kind {
                    15 if a != b => format!("{a} | {b}"),
                    16 if a != b => format!("{a} | {b} : {}", self.atom()),
                    17 => format!("n(N) :- N = #count {{ X : p(X) }}; p(1). {a}"),
                    _ => a.into(),
                };
                if kind == 17 {
                    let text = "n(N) :- N = #count { X : p(X) }.".to_string();
                    return make(Role::Fixed, text.clone(), text);
                }
                let switch = format!("switch{number}");
                let off = format!("{head} :- {body}; {switch}. {{ {switch} }}.");
                make(Role::Rule, format!("{head} :- {body}."), off)
            }
        }
    }
}

/// A random program.
pub(super) fn program(seed: u64) -> Vec<Statement> {
    let mut maker = Maker(Rng::new(seed));
    let n = 2 + maker.0.below(7);
    (0..n as usize).map(|i| maker.statement(i)).collect()
}

/// The text of the statements, one per line.
pub(super) fn text(statements: &[Statement]) -> String {
    statements.iter().map(|s| format!("{}\n", s.text)).collect()
}

/// A program opened for questions.
pub(super) fn open(text: &str, intervals: bool, rules: bool) -> Inquiry {
    let which = Which { intervals, sums: true, rules, ..Which::default() };
    Inquiry::open(&[Source::new("t.lp", text)], &Control::new, &Control::ground, &which)
        .unwrap_or_else(|e| panic!("{:?}: {text}", e.0))
}

/// Whether a program has an answer set, by brute force.
pub(super) fn is_satisfiable(text: &str) -> bool {
    let mut control = Control::new();
    control.add(text);
    control.ground().unwrap_or_else(|e| panic!("{e:?}: {text}"));
    !brute_force::answer_sets(control.program(), control.symbols()).is_empty()
}
