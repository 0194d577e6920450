//! An answer set at the moment it is found.

use std::fmt;
use std::sync::OnceLock;

use super::known::{Ground, Known, known};
use asp_base::map::Set;
use asp_base::signature::Signature;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_base::term::Term;
use asp_program::Program;
use asp_program::ground_program::ShowItem;
use asp_program::integers::state::Known as Integer;
use asp_report::answer_set::{AnswerTable, Rendering};
use asp_solve::Model;

/// An answer set at the moment it is found; with brave or cautious consequences, the estimate so far.
///
/// It prints as on the command line: everything shown, on one line.
#[derive(Clone, Copy)]
pub struct Answer<'a> {
    pub(super) model: Model<'a>,
    pub(super) ground: Ground<'a>,
    pub(super) table: &'a OnceLock<AnswerTable>,
    /// Names and values of integer variables that are not shown as terms.
    pub(super) values: &'a [[Sym; 2]],
    /// Shown atoms whose last arguments are integers.
    pub(super) atoms: &'a [(StrId, Vec<Sym>)],
}

impl<'a> Answer<'a> {
    /// Its number, from 1.
    pub fn number(&self) -> u64 {
        self.model.number
    }
    /// Its costs, most important level first; none without an objective.
    pub fn costs(&self) -> &'a [i64] {
        self.model.costs
    }
    /// Whether its costs are known to be optimal, as when all optimal answer sets are enumerated.
    pub fn is_optimal(&self) -> bool {
        self.model.optimal
    }
    /// Everything shown: atoms and terms, each once, in the order in which they are printed.
    pub fn terms(&self) -> impl Iterator<Item = Term<'a>> {
        let (model, Ground { program, symbols, .. }) = (self.model, self.ground);
        let mut seen: Set<Sym> = Set::default();
        let csp = program.integers.csp;
        let values = self.values.iter().filter_map(move |pair| {
            let signature = Signature { name: csp?, arity: 2, negative: false };
            Some(Term::atom(symbols, signature, pair))
        });
        let shown = program.shown().filter_map(move |(entry, item, condition)| match item {
            ShowItem::Digit(_) => None,
            _ if !model.shows(entry, condition) => None,
            ShowItem::Fact(term) | ShowItem::Term(term) | ShowItem::Value(term) => {
                seen.insert(term).then(|| Term::new(symbols, term))
            }
            ShowItem::Atom(atom) => {
                let (signature, args) = program.atoms.get(atom)?;
                Some(Term::atom(symbols, signature, args))
            }
        });
        let atoms = self.atoms.iter().map(move |(name, args)| {
            let signature = Signature { name: *name, arity: args.len() as u32, negative: false };
            Term::atom(symbols, signature, args)
        });
        shown.chain(values).chain(atoms)
    }
    /// The shown integer variables and their values, by name. Empty for consequences: see [`ranges`](Self::ranges).
    pub fn values(&self) -> impl Iterator<Item = (Term<'a>, i64)> {
        let (model, Ground { symbols, .. }) = (self.model, self.ground);
        let are_atoms = !self.ground.program.integers.functions.is_empty();
        let known = self.variables().filter(move |_| model.shown.is_empty() && !are_atoms);
        known.filter_map(move |(_, known)| {
            Some((Term::new(symbols, known.name), known.value(|l| model.holds(l))?))
        })
    }
    /// For consequences: the integer variables with too many values for terms, by name, with the least and greatest value
    /// in any answer set so far; for cautious ones only those with a single value.
    pub fn ranges(&self) -> impl Iterator<Item = (Term<'a>, i64, i64)> {
        let (model, Ground { symbols, .. }) = (self.model, self.ground);
        self.variables().filter_map(move |(number, known)| {
            let (least, greatest) = (*model.ranges.get(number)?)?;
            Some((Term::new(symbols, known.name), least, greatest))
        })
    }
    /// The integer variables with too many values for terms, each with its value.
    pub fn values_without_terms(&self) -> &'a [[Sym; 2]] {
        self.values
    }
    /// The integer variables that are shown, with their numbers, by name.
    fn variables(&self) -> impl Iterator<Item = (usize, &'a Integer)> + use<'a> {
        let Ground { program, symbols, .. } = self.ground;
        let mut known: Vec<_> = program.integers.variables.iter().enumerate().collect();
        known.retain(|(_, known)| known.shown);
        known.sort_by(|a, b| symbols.cmp(a.1.name, b.1.name));
        known.into_iter()
    }
    /// Whether an atom holds, shown or not.
    pub fn contains(&self, atom: Sym) -> bool {
        match known(atom, self.ground) {
            Known::Fact => true,
            Known::Atom(atom) => self.model.contains(atom),
            Known::Never => self.has_value(atom),
        }
    }
    /// Whether an atom is the value of a function that has integers.
    fn has_value(&self, atom: Sym) -> bool {
        let Ground { program, symbols, .. } = self.ground;
        let SymView::Fun { name, args, negative: false } = symbols.view(atom) else { return false };
        let Some((&last, args)) = args.split_last() else { return false };
        let Some(value) = symbols.as_num(last) else { return false };
        let is_it = |variable: Sym| program.integers.functions.atom(variable, symbols) == Some((name, args));
        let known = program.integers.variables.iter().find(|known| is_it(known.name));
        known.and_then(|known| known.value(|l| self.model.holds(l))) == Some(value)
    }
    /// The solver's model.
    pub fn model(&self) -> &Model<'a> {
        &self.model
    }
    /// The ground program.
    pub fn program(&self) -> &'a Program {
        self.ground.program
    }
    /// The symbol table of the run.
    pub fn symbols(&self) -> &'a Symbols {
        self.ground.symbols
    }
}

/// The layout of answer sets on one line each.
fn plain_table(Ground { program, symbols, .. }: Ground<'_>) -> AnswerTable {
    let plain = Rendering::Text { prefix: String::new(), suffix: String::new() };
    AnswerTable::new(program, symbols, &plain, " ", false)
}

impl fmt::Display for Answer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        self.table.get_or_init(|| plain_table(self.ground)).write(&self.model, &mut text);
        f.pad(&String::from_utf8_lossy(&text))
    }
}
