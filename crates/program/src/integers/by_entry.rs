//! Values of integer variables, from answer sets given by show entry.

use super::state::Known;
use crate::ground_program::{Program, ShowItem};
use asp_base::symbol::{StrId, Sym, SymView, Symbols};

/// Name and arguments of `start(a,5)`, the atom that a picture draws.
pub type ValueAtom = (StrId, Vec<Sym>);

/// The atoms `start(a,5)` for values, by name; only functions have them.
pub fn value_atoms(mut values: Vec<(Sym, i64)>, symbols: &Symbols) -> Vec<ValueAtom> {
    values.sort_by(|a, b| symbols.cmp(a.0, b.0).then(a.1.cmp(&b.1)));
    let atom = |(name, value): (Sym, i64)| {
        let SymView::Fun { name, args, negative: false } = symbols.view(name) else { return None };
        Some((name, [args, &[Sym::small(value)?]].concat()))
    };
    values.into_iter().filter_map(atom).collect()
}

/// The shown variables, to read their values from answer sets given by show entry.
pub struct ByEntry {
    /// By name, also as text; with the value apart from the digits, if it has digits.
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
            let Some((name, worth)) = item.worth(symbols) else { continue };
            let list = if let ShowItem::Digit(_) = item { &mut digits } else { &mut values };
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

    /// The entries of values that are atoms, with name and value.
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
    /// The names and values of the variables shown in an answer set, which is given by show entry.
    #[doc(hidden)] // Of the stages.
    pub fn values_of(&self, shown: &[bool], symbols: &Symbols) -> Vec<(Sym, i64)> {
        ByEntry::new(self, symbols).values(shown)
    }
}
