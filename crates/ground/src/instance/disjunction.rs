//! Disjunctions in heads: the disjuncts under a binding, and the rule for them.
//!
//! A disjunct is a conjunction of literals under any of its conditions. Invariant: an atom of a disjunct becomes
//! possible only once it is known that no disjunct is true.

use crate::compile::{CompiledHeadElement, CompiledRule};
use crate::join::machine::Machine;
use crate::sink::Sink;
use crate::state::Flow;
use asp_base::map::{Map, Set};
use asp_base::symbol::Sym;
use asp_program::ground_program::{ConditionalElement, Disjunction};
use asp_program::{AtomId, Literal};
use asp_rewrite::predicate::PredId;

/// One disjunct: the conjunction of its literals, under any of its conditions.
#[derive(Default)]
struct Disjunct {
    literals: Vec<Literal>,
    /// Atoms of the conjunction that are not facts. They become possible once it is known that no disjunct is true.
    atoms: Vec<(PredId, Vec<Sym>)>,
    /// Whether an atom of the conjunction is a fact.
    has_fact: bool,
    /// Whether a member of the conjunction is false.
    never: bool,
    conditions: Vec<Vec<Literal>>,
}

impl Disjunct {
    /// Whether it holds in any case.
    fn is_true(&self) -> bool {
        !self.never
            && self.literals.is_empty()
            && self.atoms.is_empty()
            && self.conditions.iter().any(Vec::is_empty)
    }
}

/// Handles one instance of a rule with a disjunctive head.
pub(crate) fn emit(m: &mut Machine<'_>, mut sink: Sink, compiled: &CompiledRule) -> Flow {
    let height = m.literals.len();
    let mut heads: Vec<(Literal, Vec<Literal>)> = Vec::new();
    let mut groups: Map<Vec<Sym>, Disjunct> = Map::default();
    let mut order: Vec<Vec<Sym>> = Vec::new();
    for e in &compiled.elements {
        m.run(&mut sink, &e.condition, &mut |m, sink| {
            let end = m.literals.len();
            let Some(start) = m.eval_args(&e.tuple) else { return m.state.check_failure() };
            let key = m.scratch.split_off(start);
            let mut group = groups.remove(&key).unwrap_or_default();
            if group.conditions.is_empty() {
                order.push(key.clone());
            }
            group.conditions.push(m.literals[height..end].to_vec());
            let result = m.run(sink, &e.ranges, &mut |m, sink| add_instance(m, *sink, e, &mut group));
            groups.insert(key, group);
            result
        })?;
    }
    if m.state.messages.failed {
        return Ok(());
    }
    if groups.values().any(Disjunct::is_true) {
        let is_idle = groups.values().any(|g| g.is_true() && !g.has_fact);
        let is_plain = compiled.elements.iter().all(|e| e.condition.is_empty());
        if is_plain && !is_idle && m.state.parity.by_statements() {
            let before = order.iter().filter_map(|key| groups.get(key)).take_while(|g| !g.is_true());
            for (pred, args) in before.flat_map(|g| &g.atoms) {
                let (row, _) = m.state.domains[*pred].insert(args);
                m.state.atom_of(*pred, row, sink.source);
            }
        }
        return Ok(());
    }
    for key in order {
        if let Some(group) = groups.remove(&key) {
            finish(m, sink, group, &mut heads);
        }
    }
    if !sink.writes() {
        return Ok(());
    }
    if m.state.parity.in_order {
        let mut seen = Set::default();
        heads.retain(|head| seen.insert(head.clone()));
    } else {
        heads.sort();
        heads.dedup();
    }
    let mut body = m.literals.clone();
    if compiled.whole && compiled.elements.iter().any(|e| !e.condition.is_empty()) {
        let aux = m.state.program.atoms.add_aux();
        sink.rule(m.state.program, false, &[aux], &body);
        body = vec![Literal::pos(aux)];
    }
    if heads.iter().all(|(_, c)| c.is_empty()) {
        // `a ; not b :- c.` is `a :- c, not not b.`
        let mut atoms = Vec::with_capacity(heads.len());
        for (l, _) in heads {
            if l.is_neg() {
                body.push(sink.double_negation(m.state.program, l.atom()));
            } else {
                atoms.push(l.atom());
            }
        }
        sink.rule(m.state.program, false, &atoms, &body);
        return Ok(());
    }
    let elements = heads
        .iter()
        .map(|(l, c)| ConditionalElement {
            head: m.state.program.push_literals(&[*l]),
            condition: m.state.program.push_literals(c),
        })
        .collect();
    let body = m.state.program.push_literals(&body);
    let after = m.state.program.rules.len();
    m.state.program.disjunctions.push(Disjunction { elements, body, source: sink.source, after });
    Ok(())
}

/// Adds an instance of a disjunct's literal to the conjunction.
fn add_instance(m: &mut Machine<'_>, mut sink: Sink, e: &CompiledHeadElement, group: &mut Disjunct) -> Flow {
    if let Some((pred, args)) = &e.atom {
        // An atom without a value counts as true, as in clingo.
        if let Some(start) = m.eval_args(args) {
            let args = m.scratch.split_off(start);
            let domain = &m.state.domains[*pred];
            match domain.find(&args) {
                Some(row) if domain.is_fact(row) => group.has_fact = true,
                _ => group.atoms.push((*pred, args)),
            }
        }
        return m.state.check_failure();
    }
    let (end, undefined) = (m.literals.len(), m.state.messages.undefined);
    let (mut holds, mut literal) = (false, None);
    for other in &e.other {
        m.run(&mut sink, other, &mut |m, _| {
            match m.literals.get(end) {
                Some(&l) => literal = Some(l),
                None => holds = true,
            }
            Ok(())
        })?;
    }
    // Without a value it counts as true, too.
    if holds || m.state.messages.undefined > undefined {
        return Ok(());
    }
    match literal {
        Some(literal) => group.literals.push(literal),
        None => group.never = true,
    }
    Ok(())
}

/// Turns a disjunct into literals with conditions.
fn finish(m: &mut Machine<'_>, sink: Sink, mut group: Disjunct, heads: &mut Vec<(Literal, Vec<Literal>)>) {
    if group.never {
        return;
    }
    for (pred, args) in group.atoms {
        let (row, _) = m.state.domains[pred].insert(&args);
        group.literals.push(Literal::pos(m.state.atom_of(pred, row, sink.source)));
    }
    group.literals.sort_unstable();
    group.literals.dedup();
    let certain = group.conditions.iter().any(Vec::is_empty);
    if !sink.writes() {
        return;
    }
    let literal = match group.literals[..] {
        [literal] => literal,
        _ => Literal::pos(conjunction(m, sink, &group.literals)),
    };
    if certain {
        heads.push((literal, Vec::new()));
    } else {
        heads.extend(group.conditions.into_iter().map(|c| (literal, c)));
    }
}

/// An atom equivalent to all of the literals, which are derived with it.
fn conjunction(m: &mut Machine<'_>, sink: Sink, literals: &[Literal]) -> AtomId {
    let atom = m.state.program.atoms.add_aux();
    sink.rule(m.state.program, false, &[atom], literals);
    for &l in literals {
        let this = Literal::pos(atom);
        if l.is_neg() {
            sink.rule(m.state.program, false, &[], &[this, Literal::pos(l.atom())]);
        } else {
            sink.rule(m.state.program, false, &[l.atom()], &[this]);
        }
    }
    atom
}
