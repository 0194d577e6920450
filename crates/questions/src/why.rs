//! Why an atom holds, or why not: what is told of it.

use serde_json::{Value, json};

use super::phrases::{NO_ANSWER_SET, tree_text};
use asp_base::span::Span;
use asp_control::Error;
use asp_explain::atom::VALUE;
use asp_explain::given::Given;
use asp_explain::inquiry::Inquiry;
use asp_explain::inquiry::relaxed_facts::{ASKED, Which};
use asp_explain::tree::{Node, Section};
use asp_explain::why::{self, Answer, Asked, Forced};
use asp_explain::words::Words;
use asp_program::Literal;
use asp_program::integers::state::Known;

/// What stands above the derivation of an atom that is forced.
const DERIVED: &str = "In the answer set that is given:";

/// The facts that are relaxed at first.
pub fn which() -> Which {
    Which { sums: true, integers: true, ..Which::default() }
}

/// What is told of an atom.
pub struct Told {
    /// "always", "sometimes", "never", "unknown" or "no answer set".
    pub verdict: &'static str,
    /// Whether it holds in the answer set that is given, if that matters.
    pub here: Option<bool>,
    text: String,
    not: bool,
    node: Node,
    forced: Option<Forced>,
    /// What derives it in the answer set that is given, beside what forces it.
    derived: Option<Node>,
    is_given: bool,
}

/// An atom that is asked about.
pub struct About<'a> {
    /// Its text, name and arity.
    pub atom: (String, String, usize),
    /// Whether the question is why it does not hold.
    pub not: bool,
    /// The answer set that is meant.
    pub given: Option<&'a Given>,
}

/// Finds out why an atom holds or why not. `again` opens the program in another way.
pub fn answer(
    mut inquiry: Inquiry,
    again: &dyn Fn(&Which) -> Option<Inquiry>,
    about: About<'_>,
) -> Result<Told, Error> {
    let About { atom: (text, mut name, mut arity), not, given } = about;
    let mut which = which();
    let is_value = name == VALUE;
    if is_value {
        let is_variable = |known: &Known| {
            text.rsplit_once(" = ").is_some_and(|(name, _)| inquiry.symbols().display(known.name) == name)
        };
        if inquiry.program().integers.variables.iter().any(is_variable) {
            which.value = Some(text.clone());
        }
        match again(&which).filter(|_| which.value.is_some()) {
            Some(again) => (inquiry, name, arity) = (again, ASKED.into(), 0),
            None => {
                let node =
                    Node::new(format!("{text} is not the value of an integer variable of the program"));
                return Ok(Told {
                    verdict: "unknown",
                    here: None,
                    text,
                    not,
                    node,
                    forced: None,
                    derived: None,
                    is_given: given.is_some(),
                });
            }
        }
    }
    let atom_text = if is_value { &name } else { &text };
    let mut asked = why::find(&inquiry, atom_text, &name, arity);
    // Otherwise a variable or another term that is shown may have this value.
    let mut otherwise = None;
    if matches!(asked, Asked::NoInstance(_) | Asked::NoPredicate(_)) && inquiry.shows_other_terms() {
        otherwise = Some((std::mem::replace(&mut asked, Asked::Shown), name, arity));
        (name, arity) = (String::new(), 1);
    }
    if asked == Asked::Shown {
        which.shown = Some((name.clone(), arity));
    }
    for fact in [false, true] {
        // With intervals relaxed, too, what follows from facts has rules.
        (which.intervals, which.rules) = (fact, fact);
        if asked == if fact { Asked::Fact } else { Asked::Shown }
            && let Some(again) = again(&which)
        {
            inquiry = again;
            asked = why::find(&inquiry, &text, &name, arity);
        }
    }
    if let (Some(otherwise), Asked::NoInstance(_)) = (otherwise, &asked) {
        (asked, name, arity) = otherwise;
    }
    let words = Words::new(&inquiry);
    let (mut forced, mut here, mut derived): (Option<Forced>, Option<bool>, Option<Node>) =
        (None, None, None);
    // The variable with another value than the one that is asked about.
    let mut other: Option<String> = None;
    let (verdict, node) = match asked {
        Asked::Fact => {
            let node = Node { reason: "a fact, or it follows from facts alone".into(), ..Node::new(&text) };
            ("always", node)
        }
        Asked::NoInstance(spans) => {
            let mut node = Node::new(format!("not {text}"));
            node.reason = "no instance of these derives it".into();
            let of = |&s| Node { place: words.place_of(s), ..Node::new(place_text(&words, s)) };
            node.children = spans.iter().filter(|s| !s.is_none()).map(of).collect();
            ("never", node)
        }
        Asked::Shown => {
            let node = Node { reason: "a term that is shown".into(), ..Node::new(&text) };
            ("unknown", node)
        }
        Asked::NoPredicate(near) => {
            let mut node = Node::new(format!("no rule has {name}/{arity} in its head"));
            if !near.is_empty() {
                node.reason = format!("did you mean {}?", near.join(", "));
            }
            if name.is_empty() {
                node = Node::new(format!("{text} is not an atom, and no statement shows such a term"));
            }
            ("unknown", node)
        }
        Asked::Atom(atom) => {
            let literal = Literal::new(atom, not);
            let found = match given {
                None => (why::why(&inquiry, literal)?, None),
                Some(given) => why::why_in(&inquiry, literal, given)?,
            };
            derived = found.1;
            match found.0 {
                Answer::Stopped(reason) => return Err(Error::Stopped(reason)),
                Answer::NoAnswerSet => ("no answer set", Node::default()),
                Answer::NotGiven(why) => ("no answer set", Node::new(why.unwrap_or_default())),
                Answer::Here(node, holds) => {
                    here = Some(holds);
                    ("sometimes", node)
                }
                Answer::Always(found) => {
                    let why = found.why.clone();
                    forced = Some(found);
                    (if not { "never" } else { "always" }, why)
                }
                Answer::Never(found) => {
                    let why = found.why.clone();
                    forced = Some(found);
                    (if not { "always" } else { "never" }, why)
                }
                Answer::Sometimes(node, model) => {
                    other = words.variable_in(&text, &model).filter(|_| not);
                    ("sometimes", node)
                }
            }
        }
    };
    let mut node = node;
    if is_value {
        node.text.clone_from(&text);
        if verdict == "sometimes" {
            node = Node {
                reason: "other values are possible, too".into(),
                ..Node::new(other.as_ref().unwrap_or(&text))
            };
        }
        derived = None;
    }
    Ok(Told { verdict, here, text, not, node, forced, derived, is_given: given.is_some() })
}

impl Told {
    /// As text; trees are cut unless they are wanted in full.
    pub fn text(&self, full: bool) -> String {
        if self.verdict != "no answer set" {
            let derived = self.derived.iter().map(|d| format!("{DERIVED}\n{}", tree_text(d, full)));
            let derived: String = derived.collect();
            return format!("{}{}{derived}", self.heading(), tree_text(&self.node, full));
        }
        match (self.is_given, self.node.text.as_str()) {
            (false, _) => NO_ANSWER_SET.into(),
            (true, "") => "No answer set shows exactly what is given.\n".into(),
            (true, why) => format!("No answer set shows exactly what is given: {why}.\n"),
        }
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let mut value = json!({ "atom": self.text, "holds": self.verdict });
        if self.verdict != "no answer set" {
            value["why"] = self.node.to_json();
        } else if self.is_given {
            value["given"] = json!(self.text(false).trim_end());
        }
        if let Some(here) = self.here {
            value["here"] = json!(here);
        }
        if let Some(derived) = &self.derived {
            value["derived"] = derived.to_json();
        }
        if let Some(f) = &self.forced {
            (value["rules"], value["facts"], value["minimal"]) =
                (json!(f.rules), json!(f.facts), json!(f.minimal));
        }
        value
    }

    /// A title and the sections of a page.
    pub fn page(&self) -> (String, Vec<Section>) {
        let title = if self.not { format!("Why not {}?", self.text) } else { format!("Why {}?", self.text) };
        let section = |text, node: &Node| Section { text, trees: vec![node.clone()], ..Section::default() };
        let derived = self.derived.iter().map(|d| section(DERIVED.into(), d));
        (title, std::iter::once(section(self.heading(), &self.node)).chain(derived).collect())
    }

    fn heading(&self) -> String {
        let by = self.forced.as_ref().map(measure).unwrap_or_default();
        let text = &self.text;
        match (self.verdict, self.here, self.not) {
            ("always", ..) => format!("{text} holds in every answer set.{by}\n"),
            ("never", ..) => format!("{text} holds in no answer set.{by}\n"),
            ("sometimes", Some(true), _) => {
                format!("{text} holds in some answer sets, not in all; in the one that is given:\n")
            }
            ("sometimes", Some(false), _) => {
                format!("{text} holds in some answer sets, not in the one that is given:\n")
            }
            ("sometimes", None, false) => {
                format!("{text} holds in some answer sets, not in all; in one of them:\n")
            }
            ("sometimes", None, true) => {
                format!("{text} holds in some answer sets; in one where it does not:\n")
            }
            _ => String::new(),
        }
    }
}

/// How many rules and facts force it.
fn measure(forced: &Forced) -> String {
    let number = |n: usize, what: &str| match n {
        0 => None,
        1 => Some(format!("1 {what}")),
        n => Some(format!("{n} {what}s")),
    };
    let parts: Vec<String> =
        [number(forced.rules, "rule"), number(forced.facts, "fact")].into_iter().flatten().collect();
    match (forced.rules + forced.facts, forced.minimal) {
        (0, _) => String::new(),
        (1, _) => format!(" {} forces that.", parts[0]),
        (_, true) => format!(" {} force that; none of them can be left out.", parts.join(" and ")),
        (_, false) => format!(" {} force that; perhaps not all of them are needed.", parts.join(" and ")),
    }
}

fn place_text(words: &Words<'_>, span: Span) -> String {
    words.place_of(span).map(|p| p.text).unwrap_or_default()
}
