//! Integers: constraints of theory atoms over variables with finite domains become plain rules over value atoms.
//!
//! `read` turns theory atoms into constraints, `bounds` narrows the domains by those that hold in any case. Then a variable with few
//! values, or whose values products and `&distinct` ask for, gets an atom for each, exactly one of which holds, and constraints over
//! such variables become weight rules (`encode`). Other variables get binary digits, atoms that may be chosen, and their constraints
//! are kept for the solver, whose trail has their bounds (`keep`). So whatever works for atoms (enumeration, projection, threads,
//! assumptions, objectives) works for integers.
//!
//! Invariants: the answer sets of the program with these rules are the pairs of an answer set and an assignment of values; a
//! variable keeps the values that it had when it was first encoded, since later steps only add constraints. A program whose
//! variables have too many values is refused, never cut short.

mod bounds;
pub mod column;
pub mod constraint;
mod domain;
mod encode;
pub mod functions;
mod keep;
pub mod kept;
pub mod plain;
pub mod read;
mod reify;
pub mod state;
mod tasks;
mod values;

use super::atom_table::{AtomId, Literal};
use super::ground_program::{Program, Show, ShowItem, TheoryAtom, TheoryTerm, TheoryTermId};
use super::rule::{Body, Head, RuleId};
use super::shown::pair;
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::map::Set;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use constraint::Variable;
pub(crate) use state::Integers;
use state::Known;
pub use state::{GREATEST, Limits};
use std::collections::BTreeSet;

/// Name and arguments of `start(a,5)`, the atom that a picture draws.
pub type ValueAtom = (StrId, Vec<Sym>);

/// The atoms `start(a,5)` that stand for values, by name; others than functions have none.
pub fn value_atoms(mut values: Vec<(Sym, i64)>, symbols: &Symbols) -> Vec<ValueAtom> {
    values.sort_by(|a, b| symbols.cmp(a.0, b.0).then(a.1.cmp(&b.1)));
    let atom = |(name, value): (Sym, i64)| {
        let SymView::Fun { name, args, negative: false } = symbols.view(name) else { return None };
        Some((name, [args, &[Sym::small(value)?]].concat()))
    };
    values.into_iter().filter_map(atom).collect()
}

/// The shown variables, to read their values from answer sets that are given by show entry.
pub struct ByEntry {
    /// By name, which is there as text, too, with the value without digits if it has digits.
    variables: Vec<(Sym, String, Option<i64>)>,
    /// Entries of values, with their variable and the value.
    values: Vec<(usize, usize, i64)>,
    /// Entries of digits, with their variable and what they are worth.
    digits: Vec<(usize, usize, i64)>,
}

impl ByEntry {
    /// The entries of a program.
    pub fn new(program: &Program, symbols: &Symbols) -> Self {
        let integers = &program.integers;
        let shown = integers.variables.iter().filter(|known| known.shown);
        let variable =
            |known: &Known| (known.name, symbols.display(known.name), known.digits.as_ref().map(|d| d.base));
        let mut variables: Vec<(Sym, String, Option<i64>)> = shown.map(variable).collect();
        variables.sort_by(|a, b| symbols.cmp(a.0, b.0));
        let (mut values, mut digits) = (Vec::new(), Vec::new());
        for (entry, item, _) in program.shown() {
            let (term, list) = match item {
                ShowItem::Value(term) => (term, &mut values),
                ShowItem::Digit(term) => (term, &mut digits),
                ShowItem::Atom(_) | ShowItem::Fact(_) | ShowItem::Term(_) => continue,
            };
            let Some((name, worth)) = pair(term, symbols) else { continue };
            // A variable that was hidden later has entries that never hold.
            if let Ok(variable) = variables.binary_search_by(|v| symbols.cmp(v.0, name)) {
                list.push((entry, variable, worth));
            }
        }
        Self { variables, values, digits }
    }

    /// The entries that are digits, by variable.
    pub fn digits(&self) -> Vec<Vec<usize>> {
        let mut entries = vec![Vec::new(); self.variables.len()];
        self.digits.iter().for_each(|&(entry, variable, _)| entries[variable].push(entry));
        entries.retain(|entries| !entries.is_empty());
        entries
    }

    /// The entries of values that are atoms of their own, with name and value.
    pub fn entries(&self) -> impl Iterator<Item = (usize, Sym, i64)> {
        self.values.iter().map(|&(entry, variable, value)| (entry, self.variables[variable].0, value))
    }

    /// Names and values, by name.
    pub fn values(&self, shown: &[bool]) -> Vec<(Sym, i64)> {
        let mut values: Vec<(Sym, i64)> = self.variables.iter().map(|v| (v.0, v.2.unwrap_or(0))).collect();
        let entries = self.values.iter().chain(&self.digits).filter(|e| shown[e.0]);
        entries.for_each(|&(_, variable, worth)| values[variable].1 += worth);
        values
    }

    /// As they are printed: `x=1`.
    pub fn texts(&self, shown: &[bool]) -> Vec<String> {
        let values = self.values(shown).into_iter().zip(&self.variables);
        values.map(|((_, value), (_, name, _))| format!("{name}={value}")).collect()
    }

    /// The values of variables with digits as terms.
    pub fn terms(&self, shown: &[bool]) -> Vec<String> {
        let values = self.values(shown).into_iter().zip(&self.variables).filter(|(_, v)| v.2.is_some());
        values.map(|((_, value), (_, name, _))| format!("__csp({name},{value})")).collect()
    }
}

impl Program {
    /// The names and values of the variables that an answer set shows, which is given by show entry.
    #[doc(hidden)] // Of the stages.
    pub fn values_of(&self, shown: &[bool], symbols: &Symbols) -> Vec<(Sym, i64)> {
        ByEntry::new(self, symbols).values(shown)
    }
}

/// Takes theory atoms that were read from a ground program for constraints over integers, if one has a name that no other theory
/// has, or all have names of constraints, or one is a domain and none is a sum of another theory. Others beside them are another
/// theory's.
pub(crate) fn recognise(program: &mut Program, symbols: &Symbols) {
    let atoms = &program.theory.atoms;
    let mut names = atoms.iter().map(|atom| read::name_of(program, symbols, atom));
    let all = !atoms.is_empty() && names.clone().all(|name| name.is_some());
    let is_sum_of_another = |atom: &TheoryAtom| {
        let own = read::name_of(program, symbols, atom);
        own.is_none() && read::written_name(program, symbols, atom).is_some()
    };
    let has_domain = || {
        let found = atoms.iter().any(|atom| read::is_domain(program, symbols, atom));
        found && !atoms.iter().any(is_sum_of_another)
    };
    if all || names.any(|name| name.is_some_and(read::is_sided)) || has_domain() {
        program.theory.integers = true;
    }
}

/// A warning about theory atoms of a ground program that have names of constraints over integers but are not taken for such.
pub fn look_alikes(program: &Program, symbols: &Symbols) -> Option<Diagnostic> {
    if program.theory.integers {
        return None;
    }
    let names = program.theory.atoms.iter().filter_map(|atom| read::written_name(program, symbols, atom));
    let names: BTreeSet<&str> = names.collect();
    let names: Vec<String> = names.into_iter().map(|name| format!("`&{name}`")).collect();
    if names.is_empty() {
        return None;
    }
    let message = format!(
        "theory atoms {} are not taken for constraints over integers: they may hold or not",
        names.join(", ")
    );
    let help = "if they are meant as such, solve the program that this one was made from, without a `#theory` for them";
    Some(Diagnostic::warning(WarningKind::Other, Span::NONE, message).help(help))
}

/// The atoms that demand constraints where they hold.
pub fn demands(program: &Program, symbols: &Symbols) -> Set<AtomId> {
    let is_head = |atom: &&TheoryAtom| {
        let name = read::name_of(program, symbols, atom).filter(|_| program.theory.integers);
        name.is_some_and(|name| !name.ends_with("_b"))
    };
    program.theory.atoms.iter().filter(is_head).filter_map(|atom| atom.atom).collect()
}

/// The variables of a constraint, in the order of the text; it has been read.
pub fn variables_of(program: &Program, atom: &TheoryAtom) -> Vec<Variable> {
    let (theory, integers) = (&program.theory, &program.integers);
    let elements = atom.elements.iter().flat_map(|e| &theory.elements[e.0 as usize].terms);
    let mut todo: Vec<TheoryTermId> = elements.copied().chain(atom.guard.map(|g| g.1)).collect();
    if let TheoryTerm::Function(_, args) = &theory.terms[atom.term.0 as usize] {
        todo.extend(args);
    }
    todo.reverse();
    let (mut found, mut seen) = (Vec::new(), Set::default());
    while let Some(term) = todo.pop() {
        let known = integers.symbol(term.0 as usize).and_then(|name| integers.of_name.get(&name));
        match (known, &theory.terms[term.0 as usize]) {
            (Some(variable), _) if seen.insert(*variable) => found.push(*variable),
            (None, TheoryTerm::Function(_, args) | TheoryTerm::Tuple(args)) => todo.extend(args.iter().rev()),
            _ => {}
        }
    }
    found
}

/// Whether all constraints over integers are rules.
pub(crate) fn is_lowered(program: &Program) -> bool {
    !program.theory.integers
        || program.integers.refused.is_none() && program.integers.atoms == program.theory.atoms.len()
}

/// Writes what is new as rules, or keeps it for the solver, and returns a warning about it, if there is one. An error is for the
/// user; then it is one forever.
pub fn lower(
    program: &mut Program,
    symbols: &mut Symbols,
    limits: Limits,
) -> Result<Option<Diagnostic>, Box<Diagnostic>> {
    if is_lowered(program) {
        return Ok(None);
    }
    let mut integers = std::mem::take(&mut program.integers);
    let result = match integers.refused.take() {
        Some(refused) => Err(refused),
        None => integers.lower(program, symbols, limits),
    };
    integers.refused = result.clone().err();
    program.integers = integers;
    result
}

impl Integers {
    fn lower(
        &mut self,
        program: &mut Program,
        symbols: &mut Symbols,
        limits: Limits,
    ) -> Result<Option<Diagnostic>, Box<Diagnostic>> {
        let (first, shown) = (self.variables.len(), self.signatures.is_some());
        let read = self.read(program, symbols, limits)?;
        if !limits.open {
            self.note_certain(program);
            if !self.functions.is_empty() {
                self.check_functions(&read, symbols, limits)?;
            }
            bounds::narrow(self, first, &read);
        }
        let read_shows = read.shows.is_some();
        self.encode(program, symbols, first, read, limits)?;
        self.show(program, symbols, if read_shows { 0 } else { first });
        if read_shows && !shown {
            self.hide(program, symbols, first);
        }
        Ok(self.unbounded(symbols, first, limits))
    }

    /// A warning about new variables that nothing bounds.
    fn unbounded(&self, symbols: &Symbols, first: usize, limits: Limits) -> Option<Diagnostic> {
        let is_open = |known: &&Known| {
            known.domain.bounds().is_some_and(|(low, high)| low == limits.least || high == limits.greatest)
        };
        let mut open =
            self.variables[first..].iter().filter(|k| k.digits.is_some() && !k.has_domain).filter(is_open);
        let known = open.next()?;
        let others = match open.count() {
            0 => String::new(),
            1 => " (and one more)".into(),
            n => format!(" (and {n} more)"),
        };
        let name = symbols.display(known.name);
        let (low, high) = known.domain.bounds()?;
        let message =
            format!("nothing bounds the integer variable `{name}`{others}: it may be {low} to {high}");
        Some(
            Diagnostic::warning(WarningKind::Other, known.span, message)
                .caption("it is mentioned here")
                .help(format!("give it a domain: `&dom {{ a..b }} = {name}.`")),
        )
    }

    /// Theory atoms that are facts, or that a constraint rules out.
    fn note_certain(&mut self, program: &Program) {
        for id in self.rules..program.rules.len() {
            let rule = program.rules.get(RuleId(id as u32));
            match (rule.head, rule.body) {
                (Head::Disjunction([atom]), Body::Normal([])) => {
                    self.certain.entry(*atom).or_insert(true);
                }
                (Head::Disjunction([]), Body::Normal([literal])) => {
                    self.certain.entry(literal.atom()).or_insert(literal.is_neg());
                }
                _ => {}
            }
        }
        self.rules = program.rules.len();
    }

    /// Shows the values of the variables from `first` on that are not shown yet, by name.
    fn show(&mut self, program: &mut Program, symbols: &mut Symbols, first: usize) {
        let name = symbols.intern("__csp");
        self.csp = Some(name);
        let wanted = |known: &&Known| !known.shown && self.shows(known.name, symbols);
        let mut new: Vec<&Known> = self.variables[first..].iter().filter(wanted).collect();
        new.sort_by(|a, b| symbols.cmp(a.name, b.name));
        let names: Set<Sym> = new.iter().map(|known| known.name).collect();
        for known in &new {
            let atom = self.functions.atom(known.name, symbols).map(|(name, args)| (name, args.to_vec()));
            for &(value, literal) in known.column.iter().flat_map(|c| &c.0) {
                let value = symbols.num(value);
                let item = match &atom {
                    // Values of functions are like atoms.
                    Some((name, args)) => {
                        ShowItem::Term(symbols.fun(*name, &[&args[..], &[value]].concat(), false))
                    }
                    None => ShowItem::Value(symbols.fun(name, &[known.name, value], false)),
                };
                let condition = program.push_literals(literal.as_slice());
                program.shows.push(Show { item, condition });
            }
        }
        let name = symbols.intern("__digit");
        for known in new {
            for (k, literal) in known.digits.iter().flat_map(|d| &d.literals).enumerate() {
                let worth = symbols.num(1 << k);
                let item = ShowItem::Digit(symbols.fun(name, &[known.name, worth], false));
                let condition = program.push_literals(&[*literal]);
                program.shows.push(Show { item, condition });
            }
        }
        self.variables[first..].iter_mut().for_each(|known| known.shown |= names.contains(&known.name));
    }

    /// Hides values of the first variables that were shown before there was a `&show`.
    fn hide(&mut self, program: &mut Program, symbols: &Symbols, first: usize) {
        let hidden = |known: &&Known| known.shown && !self.shows(known.name, symbols);
        let names: Set<Sym> = self.variables[..first].iter().filter(hidden).map(|known| known.name).collect();
        if names.is_empty() {
            return;
        }
        // It has no rule.
        let never = program.atoms.add_aux();
        let never = program.push_literals(&[Literal::pos(never)]);
        for show in &mut program.shows {
            let (ShowItem::Value(term) | ShowItem::Digit(term)) = show.item else { continue };
            if pair(term, symbols).is_some_and(|(name, _)| names.contains(&name)) {
                show.condition = never;
            }
        }
        self.variables.iter_mut().for_each(|known| known.shown &= !names.contains(&known.name));
    }
}
