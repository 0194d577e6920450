//! Replies to "why does an atom hold", or why not.

use serde_json::{Value, json};

use super::phrases::{NO_ANSWER_SET, tree_text};
use super::verdict::Verdict;
use asp_base::span::Span;
use asp_control::Error;
use asp_explain::atom::{self, VALUE};
use asp_explain::inquiry::Inquiry;
use asp_explain::inquiry::relaxed_facts::{ASKED, Shown, Which};
use asp_explain::model_filter::ModelFilter;
use asp_explain::needed;
use asp_explain::renderer::Renderer;
use asp_explain::tree::{Node, Section};
use asp_explain::underivable::{self, Extent};
use asp_explain::why::{self, Answer, Asked, Forced};
use asp_program::Literal;
use asp_program::integers::state::Known;

/// The heading of the derivation of an atom that is forced.
const DERIVED: &str = "In the answer set that is given:";

/// The heading of the reason why no rule derives an atom where there is no answer set.
const ANYWAY: &str = "Grounding alone tells this:";

/// The footer of an explanation that has not been tested.
const NOT_KNOWN: &str = "perhaps other rules are needed, too";

/// The facts that are relaxed at first.
pub fn which() -> Which {
    Which { sums: true, integers: true, ..Which::default() }
}

/// The reply about an atom.
pub struct Told {
    /// In which answer sets it holds.
    pub verdict: Verdict,
    /// Whether it holds in the answer set that is given, if that matters.
    pub here: Option<bool>,
    text: String,
    not: bool,
    node: Node,
    forced: Option<Because>,
    /// Its derivation in the given answer set, besides what forces it.
    derived: Option<Node>,
    /// Where there is no answer set: why no rule derives it, whatever is given up.
    anyway: Option<Node>,
    /// All of `node` where that is more.
    whole: Option<Node>,
    is_given: bool,
    /// Whether the optimal answer sets are meant.
    of_optimal: bool,
}

/// An atom that is asked about.
pub struct About<'a> {
    /// Its text, name and arity.
    pub atom: (String, String, usize),
    /// Whether the question is why it does not hold.
    pub not: bool,
    /// The answer set that is meant.
    pub given: Option<&'a ModelFilter>,
    /// How the program was opened: [`which`], and perhaps with its optimum.
    pub which: Which,
}

/// The program opened so that it can be asked about an atom.
struct Place {
    inquiry: Inquiry,
    /// How it was opened.
    which: Which,
    asked: Asked,
    /// The text, name and arity under which the atom is found there.
    atom: (String, String, usize),
}

/// Opens the program in another way.
type Again<'a> = &'a dyn Fn(&Which) -> Option<Inquiry>;

impl Place {
    /// Finds an atom, or the value of an integer variable.
    fn of_atom(inquiry: Inquiry, mut which: Which, again: Again<'_>, atom: (String, String, usize)) -> Self {
        if atom.1 == VALUE {
            let is_variable = |known: &Known| {
                atom::claim(&atom.0).is_some_and(|(name, ..)| inquiry.symbols().display(known.name) == name)
            };
            if inquiry.program().integers.variables.iter().any(is_variable) {
                which.value = Some(atom.0.clone());
                if let Some(inquiry) = again(&which) {
                    return Self::found(inquiry, which, (ASKED.into(), ASKED.into(), 0));
                }
            }
            return Self { inquiry, which, asked: Asked::NoVariable, atom };
        }
        let mut found = Self::found(inquiry, which, atom);
        // Otherwise a term that is shown may be meant.
        let mut otherwise = None;
        if matches!(found.asked, Asked::NoInstance(_) | Asked::NoPredicate(_))
            && found.inquiry.shows_other_terms()
        {
            let other = (found.atom.0.clone(), String::new(), 1);
            let asked = std::mem::replace(&mut found.asked, Asked::Shown);
            otherwise = Some((asked, std::mem::replace(&mut found.atom, other)));
        }
        if found.asked == Asked::Shown {
            found.which.shown = Shown::Named(found.atom.1.clone(), found.atom.2);
            found.open_again(again);
        }
        if matches!(found.asked, Asked::Fact | Asked::NoInstance(_)) {
            // With intervals relaxed, too, what follows from facts has rules.
            (found.which.intervals, found.which.rules) = (true, true);
            found.open_again(again);
        }
        if let (Some((asked, atom)), Asked::NoInstance(_)) = (otherwise, &found.asked) {
            (found.asked, found.atom) = (asked, atom);
        }
        found
    }

    fn found(inquiry: Inquiry, which: Which, atom: (String, String, usize)) -> Self {
        let asked = why::find(&inquiry, &atom.0, &atom.1, atom.2);
        Self { inquiry, which, asked, atom }
    }

    /// Finds the atom in the program opened in another way, if it can be.
    fn open_again(&mut self, again: Again<'_>) {
        if let Some(inquiry) = again(&self.which) {
            self.asked = why::find(&inquiry, &self.atom.0, &self.atom.1, self.atom.2);
            self.inquiry = inquiry;
        }
    }

    /// Adds what a claim about the atom needs beside the statements that its explanation names.
    fn complete(&self, again: Again<'_>, forced: Forced) -> Result<Because, Error> {
        let Forced { holds, why, by, below, minimal } = forced;
        let (rules, facts) = (by.rules.len(), by.facts.len());
        let mut because = Because { why, rules, facts, minimal, caveat: None };
        let other = match self.which.rules {
            true => None,
            false => again(&Which { rules: true, ..self.which.clone() }),
        };
        let inquiry = other.as_ref().unwrap_or(&self.inquiry);
        because.caveat = inquiry.caveat();
        let there = why::find(inquiry, &self.atom.0, &self.atom.1, self.atom.2);
        let (&Asked::Atom(own), Asked::Atom(atom)) = (&self.asked, there) else { return Ok(because) };
        let claim = |atom| Literal::new(atom, !holds);
        let needed = match needed::beside(inquiry, Some(claim(atom)), &because.why.spans()) {
            Ok(needed) => needed,
            Err(Error::Stopped(reason)) => {
                because.minimal = false;
                because.why.children.push(Node::new(format!("{NOT_KNOWN}: {reason}")));
                return Ok(because);
            }
            Err(error) => return Err(error),
        };
        because.minimal = because.minimal
            && needed.minimal
            && needed::each(&self.inquiry, claim(own), &by, &needed)?
            && needed::each_certain(inquiry, claim(atom), &by, &needed)?;
        let others = |places: &[Span]| places.iter().filter(|place| !by.places.contains(place)).count();
        because.rules += others(&needed.rules);
        because.facts += others(&needed.facts);
        because.why.children.extend(needed.nodes);
        because.why.children.extend(below);
        Ok(because)
    }
}

/// The reasons that force an atom.
struct Because {
    /// Step by step.
    why: Node,
    rules: usize,
    facts: usize,
    /// Whether none of them can be left out.
    minimal: bool,
    /// Needed statements that are not named.
    caveat: Option<String>,
}

/// Finds out why an atom holds or why not. `again` opens the program in another way.
pub fn answer(inquiry: Inquiry, again: Again<'_>, about: About<'_>) -> Result<Told, Error> {
    let About { atom, not, given, which } = about;
    let (text, is_value) = (atom.0.clone(), atom.1 == VALUE);
    let mut told = Told {
        verdict: Verdict::Unknown,
        here: None,
        text: text.clone(),
        not,
        node: Node::default(),
        forced: None,
        derived: None,
        anyway: None,
        whole: None,
        is_given: given.is_some(),
        of_optimal: !which.optimum.is_empty(),
    };
    let place = Place::of_atom(inquiry, which, again, atom);
    let (inquiry, renderer) = (&place.inquiry, Renderer::new(&place.inquiry));
    let Asked::Atom(atom) = place.asked else {
        (told.verdict, told.node) = unsearched(&place, &renderer, &text);
        told.whole = (told.verdict == Verdict::Never)
            .then(|| underivable::why(inquiry, &renderer, (&text, &place.atom.1), Extent::Full));
        if let Some(why) = why::no_answer_set(inquiry, given)? {
            let node = std::mem::replace(&mut told.node, Node::new(why));
            let is_ground = matches!(place.asked, Asked::NoInstance(_) | Asked::NoPredicate(_));
            told.anyway = is_ground.then_some(node);
            told.verdict = Verdict::NoAnswerSet;
        }
        return Ok(told);
    };
    let literal = Literal::new(atom, not);
    let (answer, derived) = match given {
        None => (why::why(inquiry, literal)?, None),
        Some(given) => why::why_in(inquiry, literal, given)?,
    };
    told.derived = derived.filter(|_| !is_value);
    let mut other = None;
    match answer {
        Answer::Stopped(reason) => return Err(Error::Stopped(reason)),
        Answer::NoAnswerSet => told.verdict = Verdict::NoAnswerSet,
        Answer::NotGiven(why) => {
            (told.verdict, told.node) = (Verdict::NoAnswerSet, Node::new(why.unwrap_or_default()));
        }
        Answer::Here(node, holds) => {
            (told.verdict, told.here, told.node) = (Verdict::Sometimes, Some(holds), node);
        }
        Answer::Always(found) | Answer::Never(found) => {
            told.verdict = if found.holds { Verdict::Always } else { Verdict::Never };
            let mut because = place.complete(again, found)?;
            told.node = std::mem::take(&mut because.why);
            told.forced = Some(because);
        }
        Answer::Sometimes(node, model) => {
            (told.verdict, told.node) = (Verdict::Sometimes, node);
            // The variable with another value than the one that is asked about.
            other = renderer.variable_in(&text, &model).filter(|_| not);
        }
    }
    match told.verdict {
        Verdict::Sometimes if is_value => {
            let reason = "other values are possible, too".into();
            told.node = Node { reason, ..Node::new(other.unwrap_or(text)) };
        }
        Verdict::Always | Verdict::Never if is_value => told.node.text = text,
        _ => {}
    }
    Ok(told)
}

/// The reply about an atom for which no search is needed, if there is an answer set.
fn unsearched<'a>(place: &'a Place, renderer: &Renderer<'a>, text: &str) -> (Verdict, Node) {
    match &place.asked {
        Asked::Fact | Asked::Atom(_) => {
            let reason = "a fact, or it follows from facts alone".into();
            (Verdict::Always, Node { reason, ..Node::new(text) })
        }
        Asked::NoInstance(_) => {
            let of = (text, place.atom.1.as_str());
            (Verdict::Never, underivable::why(&place.inquiry, renderer, of, Extent::Short))
        }
        Asked::Shown => (Verdict::Unknown, Node { reason: "a term that is shown".into(), ..Node::new(text) }),
        Asked::NoVariable => {
            let is_value = atom::claim(text).is_none_or(|(_, relation, _)| relation == "=");
            let what = if is_value { "the value of" } else { "about" };
            let text = format!("{text} is not {what} an integer variable of the program");
            (Verdict::Unknown, Node::new(text))
        }
        Asked::NoPredicate(near) => {
            let (_, name, arity) = &place.atom;
            if name.is_empty() {
                let text = format!("{text} is not an atom, and no statement shows such a term");
                return (Verdict::Unknown, Node::new(text));
            }
            let mut node = Node::new(format!("no rule has {name}/{arity} in its head"));
            if !near.is_empty() {
                node.reason = format!("did you mean {}?", near.join(", "));
            }
            (Verdict::Unknown, node)
        }
    }
}

impl Told {
    /// Needed statements that are not named, if any.
    pub fn caveat(&self) -> Option<&str> {
        self.forced.as_ref()?.caveat.as_deref()
    }

    /// As text; trees are cut unless they are wanted in full.
    pub fn text(&self, full: bool) -> String {
        if self.verdict != Verdict::NoAnswerSet {
            let derived = self.derived.iter().map(|d| format!("{DERIVED}\n{}", tree_text(d, full)));
            let derived: String = derived.collect();
            return format!("{}{}{derived}", self.heading(), self.tree_text(full));
        }
        match (self.is_given, self.node.text.as_str()) {
            (false, _) => {
                let anyway = self.anyway.iter().map(|_| format!("{ANYWAY}\n{}", self.tree_text(full)));
                NO_ANSWER_SET.to_string() + &anyway.collect::<String>()
            }
            (true, "") => "No answer set shows exactly what is given.\n".into(),
            (true, why) => format!("No answer set shows exactly what is given: {why}.\n"),
        }
    }

    /// The tree that explains the atom.
    fn tree(&self, full: bool) -> &Node {
        let short = self.anyway.as_ref().unwrap_or(&self.node);
        self.whole.as_ref().filter(|_| full).unwrap_or(short)
    }

    /// The text of the tree; where `--full` shows more, this is said.
    fn tree_text(&self, full: bool) -> String {
        let text = tree_text(self.tree(full), full);
        let is_more = |whole: &Node| whole.to_text().lines().count() > text.lines().count();
        match !full && !text.ends_with(")\n") && self.whole.as_ref().is_some_and(is_more) {
            true => format!("{text}(`--full` shows more)\n"),
            false => text,
        }
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let mut value = json!({ "atom": self.text, "holds": self.verdict.to_string() });
        if self.verdict != Verdict::NoAnswerSet {
            value["why"] = self.node.to_json();
        } else if self.is_given {
            value["given"] = json!(self.text(false).trim_end());
        } else if let Some(anyway) = &self.anyway {
            value["why"] = anyway.to_json();
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
        if let Some(caveat) = self.caveat() {
            value["caveat"] = json!(caveat);
        }
        value
    }

    /// A title and the sections of a page.
    pub fn page(&self) -> (String, Vec<Section>) {
        let title = if self.not { format!("Why not {}?", self.text) } else { format!("Why {}?", self.text) };
        let section = |text, node: &Node| Section { text, trees: vec![node.clone()], ..Section::default() };
        let derived = self.derived.iter().map(|d| section(DERIVED.into(), d));
        let anyway = self.anyway.iter().map(|node| section(ANYWAY.into(), node));
        (title, std::iter::once(section(self.heading(), &self.node)).chain(derived).chain(anyway).collect())
    }

    fn heading(&self) -> String {
        let by = self.forced.as_ref().map(measure).unwrap_or_default();
        let (text, of) = (&self.text, if self.of_optimal { "optimal answer set" } else { "answer set" });
        match (&self.verdict, self.here, self.not) {
            (Verdict::Always, ..) => format!("{text} holds in every {of}.{by}\n"),
            (Verdict::Never, ..) => format!("{text} holds in no {of}.{by}\n"),
            (Verdict::Sometimes, Some(true), _) => {
                format!("{text} holds in some {of}s, not in all; in the one that is given:\n")
            }
            (Verdict::Sometimes, Some(false), _) => {
                format!("{text} holds in some {of}s, not in the one that is given:\n")
            }
            (Verdict::Sometimes, None, false) => {
                format!("{text} holds in some {of}s, not in all; in one of them:\n")
            }
            (Verdict::Sometimes, None, true) => {
                format!("{text} holds in some {of}s; in one where it does not:\n")
            }
            _ => String::new(),
        }
    }
}

/// How many rules and facts force it.
fn measure(forced: &Because) -> String {
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
