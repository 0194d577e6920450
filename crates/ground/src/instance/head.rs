//! Plain heads: deriving atoms and writing ground rules.
//!
//! Invariant: an atom derived by a body without literals is a fact and has no rule, unless its ground atom was used
//! before that was known; a rule whose head is a fact is not written.

use crate::domain::table::Row;
use crate::join::machine::Machine;
use crate::sink::Sink;
use crate::state::Flow;
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{Atom, Term};

/// Derives an atom from the current body.
#[inline]
pub(crate) fn derive(m: &mut Machine<'_>, sink: Sink, atom: &Atom) -> Flow {
    let Some(start) = m.eval_args(&atom.args) else { return m.state.check_failure() };
    let (row, _) = m.state.domains[atom.pred].insert(&m.scratch[start..]);
    m.scratch.truncate(start);
    let closed = m.literals.is_empty() && !m.state.opens.rules;
    if m.state.domains[atom.pred].is_fact(row) {
        if closed {
            m.state.domains[atom.pred].note_weak(row, m.state.parity.weak_facts);
        }
        return Ok(());
    }
    if closed && m.state.opens.exempt {
        m.state.closed.insert(atom.pred);
    }
    if closed && (sink.writes() || sink.makes_facts() && m.is_certain()) {
        m.state.make_fact(atom.pred, row, sink.source);
    } else {
        let atom = m.state.atom_of(atom.pred, row, sink.source);
        sink.rule(m.state.program, false, &[atom], &m.literals);
    }
    Ok(())
}

/// The row of a head atom under the current binding, derived by something other than a plain rule.
pub(crate) fn possible(m: &mut Machine<'_>, sink: Sink, pred: PredId, args: &[Term]) -> Option<Row> {
    let start = m.eval_args(args)?;
    let (row, _) = m.state.domains[pred].insert(&m.scratch[start..]);
    m.scratch.truncate(start);
    if !m.state.domains[pred].is_fact(row) {
        m.state.atom_of(pred, row, sink.source);
    }
    Some(row)
}
