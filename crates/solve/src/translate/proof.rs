//! The names of a translation's variables in a proof, and the proof steps of preprocessing.
//!
//! Bodies that have become equal are equivalent, and so are nodes that were merged, in the order of the merges: each follows
//! from those before. Invariant: every variable of the completion gets a name.

use crate::translate::body_table::Node;
use crate::translate::prepared::Prepared;
use asp_base::map::Map;
use asp_engine::proof::ProofLog;
use asp_engine::proof::rules::{FALSE, Name, Rules, TRUE};
use asp_engine::proof::sums::Source;
use asp_engine::store::literal::Lit;
use asp_program::defined::derived_since;
use asp_program::ground_program::{Edge, ExternalValue};
use asp_program::{AtomId, Body, Head, Literal, Program};

/// The name of a literal.
pub fn name_of(literal: Literal) -> Name {
    let name = literal.atom().0 as Name + 1;
    if literal.is_neg() { -name } else { name }
}

/// The rules of a lowered program; `optimal`: the proof is about all optimal answer sets.
pub(crate) fn rules_of(program: &Program, optimal: bool) -> Rules {
    // In aspif, constant costs are those of an atom that always holds.
    let has_truth = program.objectives.iter().any(|o| o.constant != 0);
    let mut rules = Rules::new(program.atoms.len(), has_truth);
    for rule in program.rules.iter() {
        let choice = matches!(rule.head, Head::Choice(_));
        let heads = rule.head.atoms().iter().map(|&h| name_of(Literal::pos(h)));
        let literals = rule.body.literals().iter().map(|&l| name_of(l));
        match rule.body {
            Body::Normal(_) => rules.add(choice, heads, literals.map(|l| (l, 1)), None),
            Body::Weight { bound, weights, .. } => {
                rules.add(choice, heads, literals.zip(weights.iter().copied()), Some(bound));
            }
        }
    }
    if let Some(truth) = rules.truth() {
        rules.add(false, [truth].into_iter(), [].into_iter(), None);
    }
    if optimal {
        rules.may_be_cheaper();
    }
    rules.finish();
    let mut last: Map<AtomId, ExternalValue> =
        program.theory.free_atoms(0).map(|a| (a, ExternalValue::Free)).collect();
    derived_since(program, 0).for_each(|a| _ = last.remove(&a));
    last.extend(program.externals.iter().copied());
    let mut last: Vec<(AtomId, ExternalValue)> = last.into_iter().collect();
    last.sort_unstable_by_key(|e| e.0);
    for (atom, value) in last {
        let name = name_of(Literal::pos(atom));
        match value {
            ExternalValue::Free => _ = rules.free.insert(name),
            ExternalValue::True => {
                rules.free.insert(name);
                rules.given.push(name);
            }
            ExternalValue::False | ExternalValue::Release => {}
        }
    }
    let condition = |e: &Edge| program.literals(e.condition).first().map_or(TRUE, |&l| name_of(l));
    rules.edges = program.edges.iter().map(condition).collect();
    rules.given.extend(program.assumptions.iter().map(|&l| name_of(l)));
    rules
}

/// Names all variables, and logs what follows from preprocessing.
pub(crate) fn name_variables(
    log: &mut ProofLog,
    p: &Prepared,
    truth: Lit,
    lit_of: impl Fn(Node) -> Option<Lit>,
) {
    let Some(trace) = &p.trace else { return };
    let own_atoms = log.rules.own_atoms;
    let mut names: Vec<Name> = vec![0; p.atoms + p.bodies.len()];
    for (a, name) in names.iter_mut().enumerate().take(own_atoms) {
        *name = a as Name + 1;
    }
    log.name(truth, TRUE);
    // Implied by the definitions of disjunctive heads, though not by propagation in each direction.
    for i in 0..log.rules.rules.len() {
        let rule = &log.rules.rules[i];
        if !rule.is_disjunctive() {
            continue;
        }
        // The body cannot hold while another head is false.
        let needed = |h: Name| rule.needs(|a| a == h);
        let never = |h: Name| rule.heads.iter().any(|&other| other != h && needed(other));
        let heads: Vec<(Name, Name, bool)> =
            rule.heads.iter().map(|&h| (h, rule.support(h), never(h))).collect();
        for (head, shifted, never) in heads {
            if never {
                log.implies(shifted, FALSE);
            } else {
                log.implies(shifted, head);
            }
        }
    }
    let of_rule = |log: &ProofLog, rule: usize| log.rules.rules[rule].body;
    let bodies = trace.bodies.iter().chain(&trace.aux).map(|&(rule, node)| (rule.0 as usize, None, node));
    let shifted = trace.shifted.iter().map(|&(rule, head, node)| (rule.0 as usize, Some(head), node));
    for (rule, head, node) in bodies.chain(shifted) {
        let own = match head {
            None => of_rule(log, rule),
            Some(head) => log.rules.rules[rule].support(name_of(Literal::pos(head))),
        };
        if node.is_constant() || own == 0 {
            continue;
        }
        let own = if node.is_neg() { -own } else { own };
        let known = &mut names[node.index()];
        if *known == 0 {
            *known = own;
            log.note_node(node.index(), rule);
        } else if *known != own {
            log.equal(*known, own);
        }
    }
    let signed = |names: &[Name], node: Node| match node {
        Node::TRUE => TRUE,
        Node::FALSE => -TRUE,
        node if node.is_neg() => -names[node.index()],
        node => names[node.index()],
    };
    for &(child, root) in p.classes.log.iter().flatten() {
        let (child, root) = (signed(&names, child), signed(&names, root));
        if child != 0 && root != 0 {
            log.equal(child, root);
        }
    }
    for (i, &name) in names.iter().enumerate() {
        let node = Node::at(i);
        let Some(lit) = lit_of(node) else { continue };
        if name == 0 {
            continue;
        }
        log.locate(name, lit);
        if p.classes.find_const(node) == node {
            log.name(lit, name);
        }
    }
    merge_terms(log);
}

/// The clause that gives an atom support: a step, if supports have become equal and it is shorter than the axiom.
pub(crate) fn note_support(log: &mut ProofLog, atom: usize, clause: &[Lit]) {
    if atom < log.rules.own_atoms {
        let atom = atom as Name + 1;
        let mut supports: Vec<Name> = log.rules.rules_of(atom).map(|r| r.support(atom)).collect();
        supports.sort_unstable();
        supports.dedup();
        if supports.len() + 1 == clause.len() {
            return;
        }
    }
    log.rup(clause);
}

/// Sums in which two literals have become one variable, with that variable once.
fn merge_terms(log: &mut ProofLog) {
    for i in 0..log.rules.rules.len() {
        let rule = &log.rules.rules[i];
        let n = rule.terms.len() as i64;
        if rule.bound > 1 && rule.bound < n || rule.terms.iter().any(|t| t.1 != 1) {
            log.merge_terms(Source::Rule(i));
        }
    }
}
