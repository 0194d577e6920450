//! Which atoms rules define, so that `#external` says nothing of them.
//!
//! Invariant: what is left out here would never support the atom in an answer set.

use super::atom_table::{AtomId, Literal};
use super::ground_program::Program;
use super::rule::{Body, Head, RuleRef};
use crate::base::map::Set;

/// The atoms that a rule may derive: not those that its body contains, with either sign, no atoms of a disjunction with
/// an atom in its body, and none at all if the body contradicts itself or a fact. As in clasp, such rules leave external
/// atoms external.
pub(crate) fn derived<'a>(rule: &RuleRef<'a>, facts: &Set<AtomId>) -> impl Iterator<Item = AtomId> + use<'a> {
    let own: &[Literal] = match rule.body {
        Body::Normal(literals) => literals,
        Body::Weight { .. } => &[],
    };
    let needs = |&h: &AtomId| own.contains(&Literal::pos(h));
    // Long bodies are not searched for contradictions: it does not pay.
    let contradicts = own.len() < 64 && own.iter().any(|l| l.is_neg() && needs(&l.atom()))
        || !facts.is_empty() && own.iter().any(|l| l.is_neg() && facts.contains(&l.atom()));
    let heads = match rule.head {
        _ if contradicts => &[],
        Head::Disjunction(heads) if heads.iter().any(needs) => &[],
        Head::Disjunction(heads) | Head::Choice(heads) => heads,
    };
    heads.iter().copied().filter(move |h| !needs(h) && !own.contains(&Literal::neg(*h)))
}

/// The atoms that stand as facts among the rules, as far as [`derived`] asks for them: where there are external atoms.
pub(crate) fn plain_facts(program: &Program) -> Set<AtomId> {
    let fact = |rule: RuleRef<'_>| match (rule.head, rule.body) {
        (Head::Disjunction(&[a]), Body::Normal([])) => Some(a),
        _ => None,
    };
    if program.externals.is_empty() {
        Set::default()
    } else {
        program.rules.iter().filter_map(fact).collect()
    }
}
