//! Replies to "which statements and facts contradict each other".

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::phrases::tree_text;
use asp_base::diagnostic::Diagnostic;
use asp_base::interrupt::StopReason;
use asp_base::map::Set;
use asp_base::span::Span;
use asp_control::Error;
use asp_explain::conflict::{self, Conflict, Explained, Part};
use asp_explain::derivation_tree::DerivationTrees;
use asp_explain::infer::{Inference, TRYING};
use asp_explain::inquiry::relaxed_facts::Which;
use asp_explain::inquiry::{Inquiry, Kind};
use asp_explain::needed;
use asp_explain::renderer::{Renderer, and};
use asp_explain::tree::{self, Node, Section};
use asp_report::diagnostic;

/// The heading of rules that a contradiction needs besides the named ones.
const RULES: &str = "By these rules, too:";
/// How many instances of one statement are shown.
const SHOWN: usize = 8;
/// How many are shown of more.
const FEW: usize = 3;

/// The reply about a contradiction.
pub struct Told {
    message: String,
    json: Value,
    instances: Vec<Node>,
    instances_minimal: bool,
    steps: Option<Node>,
    /// Rules that the contradiction needs, too.
    rules: Vec<Node>,
    /// Needed statements that are not named, if any.
    pub caveat: Option<String>,
}

/// Finds the contradiction; `None` if there is an answer set. `again` opens the program in another way; `endless`: a time limit
/// ends the search for a smaller set.
pub fn answer(
    inquiry: Inquiry,
    which: &Which,
    again: &dyn Fn(&Which) -> Option<Inquiry>,
    endless: bool,
) -> Result<Option<Told>, Error> {
    let interrupt = inquiry.control.interrupt();
    let explain = |inquiry: &Inquiry, rules: bool| {
        conflict::explain(inquiry, rules, endless, &mut |parts| interrupt.note_instances(parts as u64))
    };
    let mut outcome = explain(&inquiry, false);
    let (mut other, mut opened) = (None, which.clone());
    match &outcome {
        Ok(Explained::Rules) => {
            opened.rules = true;
            other = again(&opened);
            outcome = explain(other.as_ref().unwrap_or(&inquiry), true);
        }
        // Facts with intervals may be to blame if no other fact is involved.
        Ok(Explained::Conflict(found)) if !which.intervals && !found.has_facts() => {
            let wide = Which { intervals: true, ..which.clone() };
            if let Some(again) = again(&wide)
                && let Ok(Explained::Conflict(wider)) = explain(&again, false)
                && wider.has_culprit()
            {
                (outcome, other, opened) = (Ok(Explained::Conflict(wider)), Some(again), wide);
            }
        }
        _ => {}
    }
    let inquiry = other.unwrap_or(inquiry);
    match outcome? {
        Explained::Consistent => Ok(None),
        Explained::Stopped(reason) => Err(Error::Stopped(reason)),
        Explained::Rules => Err(Error::Stopped(StopReason::StepLimit)),
        Explained::Conflict(conflict) => {
            let other = match opened.rules {
                true => None,
                false => again(&Which { rules: true, ..opened }),
            };
            Told::new(&inquiry, &conflict, other.as_ref().unwrap_or(&inquiry)).map(Some)
        }
    }
}

impl Told {
    /// The reply about a contradiction; `open` is the program opened with its rules.
    fn new(inquiry: &Inquiry, conflict: &Conflict, open: &Inquiry) -> Result<Self, Error> {
        let renderer = Renderer::new(inquiry);
        let mut steps = steps(inquiry, conflict);
        let met = met(inquiry, conflict, steps.as_ref());
        let rules = rules(open, conflict, steps.as_ref())?;
        if let Some(steps) = &mut steps {
            steps.children.extend(conflict.below(inquiry, &renderer));
        }
        let caveat = open.caveat();
        let mut json = json(inquiry, &renderer, conflict, steps.as_ref());
        if let Some(caveat) = &caveat {
            json["caveat"] = json!(caveat);
        }
        if !rules.is_empty() {
            json["rules"] = rules.iter().map(Node::to_json).collect();
        }
        Ok(Self {
            message: message(inquiry, &renderer, conflict, &met, !rules.is_empty()),
            json,
            instances: conflict.parts.iter().filter_map(|part| told(&renderer, part)).collect(),
            instances_minimal: conflict.instances_minimal,
            steps,
            rules,
            caveat,
        })
    }

    /// As text; trees are cut unless they are wanted in full.
    pub fn text(&self, full: bool) -> String {
        let mut out = self.message.clone();
        // Writing to a string cannot fail.
        if !self.instances.is_empty() {
            let more = if self.instances_minimal { "" } else { " (perhaps more than is needed)" };
            let _ = writeln!(out, "\nWhat they demand here{more}:");
            self.instances.iter().for_each(|node| out.push_str(&tree_text(node, full)));
        }
        if let Some(steps) = &self.steps {
            let _ = writeln!(out, "\nStep by step:\n{}", tree_text(steps, full).trim_end());
        }
        if !self.rules.is_empty() {
            let _ = writeln!(out, "\n{RULES}");
            self.rules.iter().for_each(|node| out.push_str(&node.to_text()));
        }
        out
    }

    /// As JSON.
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// The title and the sections of a page.
    pub fn page(&self) -> (String, Vec<Section>) {
        let demands = Section {
            heading: "What they demand here".into(),
            trees: self.instances.clone(),
            ..Section::default()
        };
        let lines = self.message.clone();
        let mut sections = vec![Section { lines, ..Section::default() }, demands];
        sections.extend(self.steps.clone().map(|steps| Section {
            heading: "Step by step".into(),
            trees: vec![steps],
            ..Section::default()
        }));
        if !self.rules.is_empty() {
            let heading = RULES.trim_end_matches(':').into();
            sections.push(Section { heading, trees: self.rules.clone(), ..Section::default() });
        }
        ("Why there is no answer set".into(), sections)
    }
}

/// The contradiction step by step, if inference finds it.
fn steps(inquiry: &Inquiry, conflict: &Conflict) -> Option<Node> {
    let items = conflict.items(inquiry);
    let inference = Inference::new(&items, inquiry.symbols());
    let mut facts = conflict.facts();
    // A fact that the steps would deny is assumed.
    loop {
        let mut k = inference.start(&facts);
        let clash = inference.run_trying(&mut k, &inquiry.control.interrupt(), TRYING)?;
        let denied = k.denied(&clash.because, &inquiry.assumptions());
        if denied.is_empty() {
            return Some(DerivationTrees::new(inquiry, &inference).clash(&clash, &k));
        }
        facts.extend(denied);
    }
}

/// Rules without which the statements of the reply would not contradict each other.
fn rules(inquiry: &Inquiry, conflict: &Conflict, steps: Option<&Node>) -> Result<Vec<Node>, Error> {
    let parts = conflict.parts.iter().flat_map(|part| match part {
        Part::Fact { spans, .. } => spans.as_slice(),
        Part::Statement { span, .. } => std::slice::from_ref(span),
    });
    let mut named: Set<Span> = parts.copied().collect();
    named.extend(steps.into_iter().flat_map(Node::spans));
    match needed::beside(inquiry, None, &named) {
        Ok(needed) => Ok(needed.nodes),
        Err(Error::Stopped(reason)) => {
            Ok(vec![Node::new(format!("stopped before these were known: {reason}"))])
        }
        Err(error) => Err(error),
    }
}

/// The name of a kind of statement, and which part of it is given up.
fn called(kind: Kind) -> &'static str {
    match kind {
        Kind::Fact => "this fact",
        Kind::Rule => "this rule",
        Kind::Constraint => "this constraint",
        Kind::Choice => "the bound of this choice",
        Kind::Comparison => "this comparison",
        Kind::Disjunction => "this disjunction",
        Kind::Edge => "this #edge",
        Kind::Other => "this statement",
    }
}

/// The place of a part and what to write beside it.
fn label(inquiry: &Inquiry, renderer: &Renderer<'_>, part: &Part) -> (Span, String) {
    match part {
        Part::Fact { atoms, spans } => {
            let span = spans.first().copied().unwrap_or(Span::NONE);
            let own: Vec<String> = atoms.iter().map(|&a| renderer.atom(a)).collect();
            let text = inquiry.sources().text(span).trim_end_matches('.').replace(' ', "");
            let mut label = match own.as_slice() {
                [one] if *one == text => "this fact".to_string(),
                [one] => format!("this fact ({one})"),
                many => format!("this fact, in {} instances", many.len()),
            };
            if spans.len() > 1 {
                label.push_str(&format!(", stated {} times", spans.len()));
            }
            (span, label)
        }
        Part::Statement { span, instances } => {
            let times = match instances.len() {
                0 | 1 => String::new(),
                n => format!(", in {n} instances"),
            };
            (*span, format!("{}{times}", called(inquiry.kind(*span))))
        }
    }
}

/// The instances of a statement in words.
fn told(renderer: &Renderer<'_>, part: &Part) -> Option<Node> {
    match part {
        Part::Fact { atoms, spans } => {
            let place = renderer.place_of(spans.first().copied().unwrap_or(Span::NONE));
            let reason = if atoms.len() == 1 { "fact" } else { "facts" }.into();
            let atoms: Vec<String> = atoms.iter().map(|&a| renderer.atom(a)).collect();
            Some(Node { text: and(&atoms), reason, place, ..Node::default() })
        }
        Part::Statement { span, instances } => {
            let mut node = Node { place: renderer.place_of(*span), ..Node::default() };
            let texts: Vec<String> = instances.iter().map(|&o| renderer.demand(o)).collect();
            match texts.as_slice() {
                [] => return None,
                [one] => node.text = one.clone(),
                many => {
                    node.text = format!("{} instances", many.len());
                    if many.iter().all(|text| *text == many[0]) {
                        node.text = format!("{}, in {}", many[0], node.text);
                    } else {
                        let told = tree::merged(many.iter().map(Node::new));
                        let most = if told.len() > SHOWN { FEW } else { SHOWN };
                        node = node.because(told, most);
                    }
                }
            }
            Some(node)
        }
    }
}

/// The rules by which facts contradict each other, where no other statement is given up with them.
fn met(inquiry: &Inquiry, conflict: &Conflict, steps: Option<&Node>) -> Vec<Span> {
    let spans = |part: &Part| match part {
        Part::Fact { spans, .. } => Some(spans.clone()),
        Part::Statement { .. } => None,
    };
    let facts: Option<Vec<Vec<Span>>> = conflict.parts.iter().map(spans).collect();
    let (Some(facts), Some(steps)) = (facts, steps) else { return Vec::new() };
    let facts = facts.concat();
    let is_rule = |span: &Span| !facts.contains(span) && inquiry.kind(*span) != Kind::Fact;
    let mut met: Vec<Span> = steps.spans().into_iter().filter(is_rule).collect();
    met.sort_unstable();
    met
}

/// The statements and facts, as source lines with carets; whether they need rules that are told below.
fn message(
    inquiry: &Inquiry,
    renderer: &Renderer<'_>,
    conflict: &Conflict,
    met: &[Span],
    needs_rules: bool,
) -> String {
    let n = conflict.parts.len();
    let title = match n {
        1 if !met.is_empty() => "no answer set: this fact and the rules contradict each other".to_string(),
        n if !met.is_empty() => format!("no answer set: these {n} facts and the rules contradict each other"),
        1 if conflict.with_rules => "no answer set, because of this rule alone".to_string(),
        n if n > 1 && conflict.with_rules => format!("no answer set: these {n} rules contradict each other"),
        0 => "no answer set: the rules contradict each other whatever is given up".to_string(),
        1 if needs_rules => "no answer set, because of this and the rules below".to_string(),
        1 => "no answer set, because of this alone".to_string(),
        _ => format!("no answer set: these {n} contradict each other"),
    };
    let mut message = Diagnostic::error(Span::NONE, title);
    let all = conflict.restores.iter().all(|r| *r == Some(true));
    for (part, restores) in conflict.parts.iter().zip(&conflict.restores) {
        let (span, mut text) = label(inquiry, renderer, part);
        if *restores == Some(true) && !all {
            text.push_str("; giving it up alone restores an answer set");
        }
        message = message.label(span, text);
        if let Part::Fact { spans, .. } = part {
            for &again in spans.iter().skip(1) {
                message = message.label(again, "the same fact");
            }
        }
    }
    for &span in met {
        message = message.label(span, called(inquiry.kind(span)).to_string());
    }
    if n > 0 {
        message = message.help(summary(conflict));
    }
    diagnostic::render(&message, inquiry.sources(), false)
}

/// The effect of giving up parts.
fn summary(conflict: &Conflict) -> String {
    let all = conflict.restores.iter().all(|r| *r == Some(true));
    match (conflict.minimal, conflict.parts.len()) {
        (true, 1) if all => "giving it up restores an answer set".into(),
        (true, _) if all => "giving up any one of them restores an answer set".into(),
        (true, 1) if conflict.restores[0] == Some(false) => {
            "giving it up is needed, but there are further contradictions".into()
        }
        (true, 1) => "it cannot hold, whatever else is given up".into(),
        (true, _) if conflict.restores.contains(&Some(false)) => {
            "without any one of them the others can hold together; there are further contradictions".into()
        }
        (true, _) => "without any one of them the others can hold together".into(),
        (false, _) => "the search for a smaller set ended early, so perhaps not all of them are needed; --time-limit=60 gives it a minute".into(),
    }
}

fn json(inquiry: &Inquiry, renderer: &Renderer<'_>, conflict: &Conflict, steps: Option<&Node>) -> Value {
    let part = |(part, restores): (&Part, &Option<bool>)| {
        let (kind, instances, spans) = match part {
            Part::Fact { atoms, spans } => {
                (Kind::Fact, atoms.iter().map(|&a| renderer.atom(a)).collect::<Vec<_>>(), spans.as_slice())
            }
            Part::Statement { span, instances } => {
                let instances = instances.iter().map(|&o| renderer.demand(o)).collect();
                (inquiry.kind(*span), instances, std::slice::from_ref(span))
            }
        };
        let places: Vec<_> =
            spans.iter().filter_map(|&s| renderer.place_of(s)).map(|p| p.to_json()).collect();
        let mut value = json!({
            "kind": format!("{kind:?}").to_lowercase(),
            "place": places.first(),
            "instances": instances,
            "restores": restores,
        });
        if places.len() > 1 {
            value["places"] = places.into();
        }
        value
    };
    let parts: Vec<serde_json::Value> = conflict.parts.iter().zip(&conflict.restores).map(part).collect();
    json!({
        "satisfiable": false,
        "parts": parts,
        "minimal": conflict.minimal,
        "instances_minimal": conflict.instances_minimal,
        "steps": steps.map(Node::to_json),
    })
}
