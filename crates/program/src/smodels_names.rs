//! Names in the symbol table of a smodels program that stand for directives: `_edge(u,v)`, `_acyc_I_U_V` and
//! `_heuristic(a,modifier,bias,priority)`. An atom of such a name is its condition.
//!
//! Invariant: a name of any other form is an ordinary atom.

use super::atom_table::{AtomId, Literal};
use super::ground_program::{Edge, Heuristic, HeuristicModifier, Program};
use super::rule::RuleSource;
use super::scan::parse_term;
use asp_base::map::Map;
use asp_base::symbol::{Sym, SymView, Symbols};

/// The directives of the names so far; heuristics wait for the names of their atoms.
#[derive(Default)]
pub(super) struct Directives {
    atoms: Map<Sym, AtomId>,
    heuristics: Vec<(Sym, Heuristic)>,
}

impl Directives {
    /// Takes a name of an atom.
    pub(super) fn name(&mut self, name: &str, atom: AtomId, program: &mut Program, symbols: &mut Symbols) {
        let condition = [Literal::pos(atom)];
        if let Some(rest) = name.strip_prefix("_acyc_") {
            let numbers: Vec<i64> = rest.split('_').filter_map(|n| n.parse().ok()).collect();
            if let (&[_, from, to], 2) = (&numbers[..], rest.matches('_').count()) {
                let (from, to) = (symbols.num(from), symbols.num(to));
                let condition = program.push_literals(&condition);
                program.edges.push(Edge { from, to, condition, source: RuleSource::NONE });
            }
            return;
        }
        let Some(term) = parse_term(name, symbols) else { return };
        self.atoms.entry(term).or_insert(atom);
        let SymView::Fun { name, args, negative: false } = symbols.view(term) else { return };
        match (symbols.str(name), args) {
            ("_edge", &[from, to]) => {
                let condition = program.push_literals(&condition);
                program.edges.push(Edge { from, to, condition, source: RuleSource::NONE });
            }
            ("_heuristic", &[subject, modifier, bias, ref priority @ ..]) if priority.len() < 2 => {
                let bias = symbols.as_num(bias).and_then(|n| i32::try_from(n).ok());
                let given = priority.first().map(|&p| symbols.as_num(p).and_then(|n| u32::try_from(n).ok()));
                let SymView::Fun { name, args: [], negative: false } = symbols.view(modifier) else { return };
                let modifier = HeuristicModifier::ALL.into_iter().find(|m| m.as_str() == symbols.str(name));
                if let (Some(modifier), Some(bias)) = (modifier, bias)
                    && let Some(priority) = given.unwrap_or(Some(bias.unsigned_abs()))
                {
                    let condition = program.push_literals(&condition);
                    let heuristic = Heuristic { atom, modifier, bias, priority, condition };
                    self.heuristics.push((subject, heuristic));
                }
            }
            _ => {}
        }
    }

    /// Adds the heuristics of atoms that have names.
    pub(super) fn finish(self, program: &mut Program) {
        for (subject, heuristic) in self.heuristics {
            if let Some(&atom) = self.atoms.get(&subject) {
                program.heuristics.push(Heuristic { atom, ..heuristic });
            }
        }
    }
}
