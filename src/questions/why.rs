//! Why an atom holds, or why not: what is told of it.

use serde_json::{Value, json};

use super::phrases::{NO_ANSWER_SET, tree_text};
use crate::base::span::Span;
use crate::control::Error;
use crate::explain::inquiry::Inquiry;
use crate::explain::relaxed_facts::Which;
use crate::explain::tree::{Node, Section};
use crate::explain::why::{self, Answer, Asked, Forced};
use crate::explain::words::Words;
use crate::program::Literal;

/// The facts that are relaxed at first.
pub(crate) fn which() -> Which {
    Which { sums: true, ..Which::default() }
}

/// What is told of an atom.
pub(crate) struct Told {
    /// "always", "sometimes", "never", "unknown" or "no answer set".
    pub(crate) verdict: &'static str,
    text: String,
    not: bool,
    node: Node,
    forced: Option<Forced>,
}

/// Finds out why an atom, given by its text, name and arity, holds or why not. `again` opens the program in another way.
pub(crate) fn answer(
    mut inquiry: Inquiry,
    again: &dyn Fn(&Which) -> Option<Inquiry>,
    (text, mut name, mut arity): (String, String, usize),
    not: bool,
) -> Result<Told, Error> {
    let mut which = which();
    let mut asked = why::find(&inquiry, &text, &name, arity);
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
    let mut forced: Option<Forced> = None;
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
            match why::why(&inquiry, literal) {
                Err(error) => return Err(error),
                Ok(Answer::Stopped(reason)) => return Err(Error::Stopped(reason)),
                Ok(Answer::NoAnswerSet) => ("no answer set", Node::default()),
                Ok(Answer::Always(found)) => {
                    let why = found.why.clone();
                    forced = Some(found);
                    (if not { "never" } else { "always" }, why)
                }
                Ok(Answer::Never(found)) => {
                    let why = found.why.clone();
                    forced = Some(found);
                    (if not { "always" } else { "never" }, why)
                }
                Ok(Answer::Sometimes(node, _)) => ("sometimes", node),
            }
        }
    };
    Ok(Told { verdict, text, not, node, forced })
}

impl Told {
    /// As text; trees are cut unless they are wanted in full.
    pub(crate) fn text(&self, full: bool) -> String {
        if self.verdict == "no answer set" {
            return NO_ANSWER_SET.into();
        }
        let heading = heading(&self.text, self.verdict, self.not, self.forced.as_ref());
        format!("{heading}{}", tree_text(&self.node, full))
    }

    /// As JSON.
    pub(crate) fn json(&self) -> Value {
        let mut value = json!({ "atom": self.text, "holds": self.verdict });
        if self.verdict != "no answer set" {
            value["why"] = self.node.to_json();
        }
        if let Some(f) = &self.forced {
            (value["rules"], value["facts"], value["minimal"]) =
                (json!(f.rules), json!(f.facts), json!(f.minimal));
        }
        value
    }

    /// A title and the sections of a page.
    pub(crate) fn page(&self) -> (String, Vec<Section>) {
        let title = if self.not { format!("Why not {}?", self.text) } else { format!("Why {}?", self.text) };
        let text = heading(&self.text, self.verdict, self.not, self.forced.as_ref());
        (title, vec![Section { text, trees: vec![self.node.clone()], ..Section::default() }])
    }
}

fn heading(text: &str, verdict: &str, not: bool, forced: Option<&Forced>) -> String {
    let by = forced.map(measure).unwrap_or_default();
    match (verdict, not) {
        ("always", _) => format!("{text} holds in every answer set.{by}\n"),
        ("never", _) => format!("{text} holds in no answer set.{by}\n"),
        ("sometimes", false) => format!("{text} holds in some answer sets, not in all; in one of them:\n"),
        ("sometimes", true) => format!("{text} holds in some answer sets; in one where it does not:\n"),
        _ => String::new(),
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
