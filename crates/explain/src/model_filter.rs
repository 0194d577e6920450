//! A filter on answer sets: those that show the given atoms and terms and nothing else, which constraints added to the program enforce.
//!
//! Invariant: what looks the same counts as the same; of several answer sets that show the same any one is taken.

use std::collections::{BTreeMap, BTreeSet};

use super::inquiry::relaxed_facts::Shown;
use super::inquiry::{Inquiry, Oracle};
use super::renderer::name_of;
use super::{atom, cells};
use asp_base::symbol::{StrId, SymView, Symbols};
use asp_control::{Control, Error};
use asp_program::ground_program::ShowItem;
use asp_program::{AtomId, AtomTable, Literal, Program, RuleSource};
use asp_syntax::NoFiles;

/// How lines begin that are not part of an answer set.
const VERDICTS: [&str; 4] = ["SATISFIABLE", "OPTIMUM FOUND", "Optimization:", "UNKNOWN"];

/// What an answer set shows, by text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelFilter(BTreeSet<String>);

impl ModelFilter {
    /// Reads what `asp` prints: atoms and terms with blanks between them, or facts; of several answer sets the last one.
    pub fn read(text: &str) -> Result<Self, String> {
        let shown = shown(last_answer(text));
        let mut control = Control::new();
        control.set_loader(NoFiles);
        control.settings.ground.keep_facts = true;
        control.settings.integers.tell_values();
        control.settings.ground.instance_limit = Some(shown.len() as u64 + 1);
        shown.iter().for_each(|item| control.add(&format!("shown({item}).\n")));
        let read = control.ground().is_ok();
        let (program, symbols) = (control.program(), control.symbols());
        let term = |id| match program.facts.get(id) {
            Some((s, &[term])) if symbols.str(s.name) == "shown" => Some(symbols.display(term)),
            _ => None,
        };
        let terms: Option<BTreeSet<String>> = program.facts.ids().map(term).collect();
        let written: BTreeSet<&str> = shown.iter().copied().collect();
        match terms.filter(|terms| read && program.rules.is_empty() && terms.len() <= written.len()) {
            Some(terms) => Ok(Self(terms)),
            None => {
                let wrong = shown.iter().find_map(|item| atom::parse(item).err());
                Err(wrong
                    .unwrap_or_else(|| "what is given is no answer set: a term stands for several".into()))
            }
        }
    }

    /// A solver for the answer sets that are meant; why there are none, as far as that needs no search.
    pub(crate) fn oracle(&self, inquiry: &Inquiry) -> Result<Result<Oracle, String>, Error> {
        let (mut program, symbols) = (inquiry.program().clone(), inquiry.symbols());
        let possible = possible(inquiry, &program, symbols);
        if let Some(item) = self.0.iter().find(|item| !possible.contains_key(*item)) {
            return Ok(Err(format!("no answer set shows {item}")));
        }
        for (item, conditions) in &possible {
            let is_always = conditions.iter().any(Vec::is_empty);
            match (self.0.contains(item), conditions.as_slice()) {
                (true, _) if is_always => {}
                (false, _) if is_always => return Ok(Err(format!("each answer set shows {item}"))),
                (true, [alone]) => {
                    alone.iter().for_each(|&l| _ = program.rules.add(false, &[], &[!l], RuleSource::NONE));
                }
                (true, several) => {
                    let shown = program.atoms.add_aux();
                    several.iter().for_each(|c| _ = program.rules.add(false, &[shown], c, RuleSource::NONE));
                    program.rules.add(false, &[], &[Literal::neg(shown)], RuleSource::NONE);
                }
                (false, all) => {
                    all.iter().for_each(|c| _ = program.rules.add(false, &[], c, RuleSource::NONE));
                }
            }
        }
        Oracle::new(program, symbols, inquiry.control.interrupt()).map(Ok)
    }
}

/// What the program may show, and when.
fn possible(inquiry: &Inquiry, program: &Program, symbols: &Symbols) -> BTreeMap<String, Vec<Vec<Literal>>> {
    let mut possible: BTreeMap<String, Vec<Vec<Literal>>> = BTreeMap::new();
    let is_nameless = matches!(&inquiry.shown, Shown::Named(name, _) if name.is_empty());
    for show in &program.shows {
        let text = match show.item {
            ShowItem::Atom(atom) => name_of(&program.atoms, atom, symbols),
            ShowItem::Fact(fact) | ShowItem::Term(fact) => match symbols.view(fact) {
                // The atom without a name that stands for a term.
                SymView::Fun { name: StrId::EMPTY, args: &[term], .. } => symbols.display(term),
                SymView::Tuple(&[term]) if is_nameless => symbols.display(term),
                _ => cells::text(show.item, program, symbols),
            },
            term => cells::text(term, program, symbols),
        };
        possible.entry(text).or_default().push(program.literals(show.condition).to_vec());
    }
    let Shown::Named(name, arity) = &inquiry.shown else { return possible };
    // A rule derives what a statement shows.
    let (bare, negative) = name.strip_prefix('-').map_or((name.as_str(), false), |bare| (bare, true));
    let is_shown = |table: &AtomTable, atom: AtomId| {
        table.get(atom).is_some_and(|(s, _)| {
            let own = if s.name == StrId::EMPTY { "" } else { symbols.str(s.name) };
            own == bare && s.arity as usize == *arity && s.negative == negative
        })
    };
    for atom in program.atoms.ids().filter(|&a| is_shown(&program.atoms, a)) {
        possible.entry(name_of(&program.atoms, atom, symbols)).or_default().push(vec![Literal::pos(atom)]);
    }
    for atom in program.facts.ids().filter(|&a| is_shown(&program.facts, a)) {
        possible.entry(name_of(&program.facts, atom, symbols)).or_default().push(Vec::new());
    }
    possible
}

/// The last answer set of what a run has printed, and the whole text if it is none.
fn last_answer(text: &str) -> &str {
    let mut found = None;
    let mut at = 0;
    let mut heading = false;
    for line in text.split_inclusive('\n') {
        if heading {
            found = Some(line);
        }
        heading = line.starts_with("Answer:") || line.trim_end() == "ANSWER";
        at += line.len();
        if heading && at == text.len() {
            found = Some("");
        }
    }
    found.unwrap_or(text)
}

/// The atoms and terms in a text, without what separates them.
fn shown(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut from, mut depth, mut quoted, mut escaped, mut comment) = (0, 0usize, false, false, false);
    let mut next = text.char_indices().peekable();
    while let Some((at, c)) = next.next() {
        comment |= at == from && VERDICTS.iter().any(|verdict| text[at..].starts_with(verdict));
        if comment {
            (comment, from) = (c != '\n', at + 1);
            continue;
        }
        if quoted {
            quoted = c != '"' || escaped;
            escaped = c == '\\' && !escaped;
            continue;
        }
        match c {
            '"' => quoted = true,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = c == '.' && next.peek().is_none_or(|n| n.1.is_whitespace());
        if depth == 0 && (c.is_whitespace() || c == ',' || c == '%' || ends) {
            found.push(&text[from..at]);
            (from, comment) = (at + c.len_utf8(), c == '%');
        }
    }
    if !comment {
        found.push(&text[from..]);
    }
    found.retain(|item| !item.is_empty());
    found
}

#[cfg(test)]
mod tests;
