//! Random programs of statements, each with what remains when it is given up.
//!
//! Invariant: `off` of a statement is what `asp_explain::inquiry` turns it into (`relax`, `relaxed_facts`). Nothing else is used:
//! `tests/support/mod.rs` includes this file.

/// How a statement may be given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// A fact, which may hold or not.
    Fact,
    /// A constraint, bound, comparison or edge.
    Limit,
    /// A rule that derives atoms.
    Rule,
    /// A statement that is never given up.
    Fixed,
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) role: Role,
    pub(crate) text: String,
    /// What remains when it is given up; for a rule, the rule made optional.
    pub(crate) off: String,
}

/// What draws a number below another.
type Draw<'a> = dyn FnMut(u64) -> u64 + 'a;

struct Maker<'a>(&'a mut Draw<'a>);

/// The atoms that programs are about.
pub(crate) const ATOMS: [&str; 6] = ["a", "b", "c", "-a", "p(1)", "p(2)"];

impl Maker<'_> {
    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[(self.0)(of.len() as u64) as usize]
    }

    fn atom(&mut self) -> &'static str {
        self.one(&ATOMS)
    }

    fn body(&mut self, least: u64, most: u64) -> String {
        let n = least + (self.0)(most - least + 1);
        let literals: Vec<String> = (0..n).map(|_| self.literal()).collect();
        literals.join(", ")
    }

    fn literal(&mut self) -> String {
        match (self.0)(15) {
            0 => format!("not not {}", self.atom()),
            1 => format!("{} : {}", self.atom(), self.atom()),
            2 => {
                let (function, relation) = (self.one(&["#sum", "#count", "#sum+"]), self.one(&["<=", ">="]));
                let (a, b, w) = (self.signed(), self.signed(), self.one(&["1", "2", "-1"]));
                format!("{function} {{ {w},x : {a}; 1,y : {b} }} {relation} {}", (self.0)(4) as i64 - 1)
            }
            3 => self.one(&["x", "not x"]).to_string(),
            4..8 => format!("not {}", self.atom()),
            _ => self.atom().to_string(),
        }
    }

    /// A literal that is an atom with some signs.
    fn signed(&mut self) -> String {
        let sign = self.one(&["", "", "not ", "not not "]);
        format!("{sign}{}", self.atom())
    }

    /// `:- BODY`, or nothing.
    fn when(&mut self) -> String {
        let body = self.body(0, 2);
        if body.is_empty() { body } else { format!(" :- {body}").replace(", ", "; ") }
    }

    fn statement(&mut self, number: usize) -> Statement {
        let make = |role, text: String, off: String| Statement { role, text, off };
        match (self.0)(22) {
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
                let text = format!("{function} {elements} {relation} {}{when}.", (self.0)(3));
                make(Role::Limit, text, format!("{{ {a}; {b} }}{when}."))
            }
            12 => {
                let (u, v, a) = ((self.0)(3), (self.0)(3), self.atom());
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
                if (self.0)(4) == 0 {
                    body = format!("not {a}; {body}");
                }
                if kind == 18 {
                    body = format!("p(X); not p(X+1); {body}");
                }
                let head = match kind {
                    15 if a != b => format!("{a} | {b}"),
                    16 if a != b => format!("{a} | {b} : {}", self.atom()),
                    17 => format!("n(N) :- N = #count {{ X : p(X) }}; p(1). {a}"),
                    _ => a.into(),
                };
                if kind == 19 && (self.0)(10) < 3 {
                    return make(Role::Fixed, "p(1..2).".into(), "p(1..2).".into());
                }
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

/// A random program, from numbers that are drawn.
pub(crate) fn program<'a>(draw: &'a mut Draw<'a>) -> Vec<Statement> {
    let mut maker = Maker(draw);
    let n = 2 + (maker.0)(7);
    let mut statements: Vec<Statement> = (0..n as usize).map(|i| maker.statement(i)).collect();
    // Which of two values an external has depends on the order of grounding.
    let is_external = |s: &Statement| s.text.starts_with("#external");
    let first = statements.iter().position(is_external);
    let mut at = 0;
    statements.retain(|s| (!is_external(s) || first == Some(at), at += 1).0);
    statements
}

/// The text of the statements, one per line.
pub(crate) fn text(statements: &[Statement]) -> String {
    statements.iter().map(|s| format!("{}\n", s.text)).collect()
}
