//! The dependency graph of predicates and its components, in the order in which rules are instantiated.
//!
//! Two levels: components of the graph with all edges are visited in topological order, and inside each the components of the
//! edges that are not negated. So everything that a rule reads without `not` outside its own component is complete when the rule
//! is instantiated; what it reads under `not` may be incomplete only inside the outer component. Source: Kaminski and Schaub,
//! *On the foundations of grounding in answer set programming*, TPLP 2023, for the refinement.

use std::cmp::Reverse;
use std::ops::Range;

use super::predicate::{PredId, Predicates};
use super::rule::{Atom, Head, HeadLiteral, Literal, Rule, Term, Var, literal_vars};
use super::unify::Unifiable;
use asp_base::csr::Csr;
use asp_base::map::{Map, Set};
use asp_base::scc;
use asp_base::symbol::{Sym, Symbols};
use asp_syntax::ast::{BinaryOp, Sign};

/// The order of instantiation.
#[derive(Clone, Debug, Default)]
pub struct Components {
    /// Number of the component that completes each predicate.
    pub of_predicate: Vec<u32>,
    /// The predicates that each component derives, in order.
    pub members: Vec<Vec<PredId>>,
    /// The ranges of components on each cycle of the graph with all edges, in order, with the predicates that they derive.
    pub cycles: Vec<(Range<usize>, Vec<PredId>)>,
    /// Rules (by number) of each component, in order of the text; the last component holds what derives nothing.
    pub rules: Vec<Vec<u32>>,
    /// Rules whose heads have elements that gringo grounds from the last to the first.
    pub from_last: Vec<u32>,
}

/// The predicates that may have atoms: those of facts, those that are defined without a rule, and what rules make of them.
///
/// By counting what bodies still lack, in linear time (Dowling and Gallier, Linear-time algorithms for testing the
/// satisfiability of propositional Horn formulae, J. Logic Programming 1, 1984).
pub fn derivable(rules: &[Rule], facts: &[(PredId, Sym)], predicates: &Predicates) -> Set<PredId> {
    // Heads, with the number of atoms that their bodies lack.
    let mut heads: Vec<(PredId, u32)> = Vec::new();
    let mut readers: Map<PredId, Vec<usize>> = Map::default();
    let mut add = |head: PredId, literals: &mut dyn Iterator<Item = &Literal>| {
        let mut lacking = 0;
        for l in literals {
            if let Literal::Atom(Sign::None, a) = l {
                readers.entry(a.pred).or_default().push(heads.len());
                lacking += 1;
            }
        }
        heads.push((head, lacking));
    };
    for rule in rules {
        match &rule.head {
            Head::Atom(a) | Head::External(a, _) => add(a.pred, &mut rule.body.iter()),
            head => {
                for e in head.elements() {
                    if let Some(atom) = e.atom() {
                        add(atom.pred, &mut rule.body.iter().chain(e.literals()));
                    }
                }
            }
        }
    }
    let derived: Set<PredId> = heads.iter().map(|h| h.0).collect();
    let without_rule = predicates.iter().filter(|(p, known)| known.defined && !derived.contains(p));
    let certain = heads.iter().filter(|h| h.1 == 0).map(|h| h.0);
    let mut found: Set<PredId> =
        without_rule.map(|(p, _)| p).chain(facts.iter().map(|f| f.0)).chain(certain).collect();
    let mut open: Vec<PredId> = found.iter().copied().collect();
    while let Some(pred) = open.pop() {
        for &reader in readers.get(&pred).into_iter().flatten() {
            let (head, lacking) = &mut heads[reader];
            *lacking -= 1;
            if *lacking == 0 && found.insert(*head) {
                open.push(*head);
            }
        }
    }
    found
}

/// Calls `f(predicate, positive)` for each predicate that a literal reads.
pub fn reads(l: &Literal, f: &mut impl FnMut(PredId, bool)) {
    read_atoms(l, &mut |a, sign| f(a.pred, sign == Sign::None));
}

/// Calls `f(atom, its sign)` for each atom that a literal reads.
pub fn read_atoms<'r>(l: &'r Literal, f: &mut impl FnMut(&'r Atom, Sign)) {
    match l {
        Literal::Atom(sign, a) => f(a, *sign),
        // Of an aggregate without guards nothing is asked.
        Literal::Aggregate(a) if a.guards.is_empty() => {}
        Literal::Aggregate(a) => {
            let conditions = a.elements.iter().map(|e| &e.condition).filter(|c| !never_holds(c));
            conditions.flatten().for_each(|l| read_atoms(l, f));
        }
        Literal::Conditional(c) => {
            c.condition.iter().chain(c.heads.iter().flatten()).for_each(|l| read_atoms(l, f));
        }
        Literal::Theory(_, a) => a.elements.iter().flat_map(|e| &e.condition).for_each(|l| read_atoms(l, f)),
        Literal::Compare(..) | Literal::Range(..) | Literal::False(_) => {}
    }
}

/// Calls `f(predicate, positive)` for each predicate that a rule reads, in its body and in its head's conditions.
pub fn rule_reads(rule: &Rule, f: &mut impl FnMut(PredId, bool)) {
    atoms_read(rule, &mut |a, sign| f(a.pred, sign == Sign::None));
}

fn atoms_read<'r>(rule: &'r Rule, f: &mut impl FnMut(&'r Atom, Sign)) {
    rule.body.iter().for_each(|l| read_atoms(l, f));
    match &rule.head {
        Head::Disjunction(elements) | Head::Aggregate { elements, .. } => {
            for e in elements {
                e.condition.iter().for_each(|l| read_atoms(l, f));
                if let HeadLiteral::Other(any) = &e.literal {
                    any.iter().flatten().for_each(|l| read_atoms(l, f));
                }
            }
        }
        Head::Theory(a) => a.elements.iter().flat_map(|e| &e.condition).for_each(|l| read_atoms(l, f)),
        _ => {}
    }
}

/// Orders rules over `predicates` predicates.
pub fn order(rules: &[Rule], predicates: usize) -> Components {
    let mut edges: Vec<(u32, u32, bool)> = Vec::new();
    let mut heads: Vec<Vec<u32>> = Vec::with_capacity(rules.len());
    let mut read: Vec<(u32, bool)> = Vec::new();
    for rule in rules {
        let mut head = Vec::new();
        rule.head.for_each_atom(&mut |a| head.push(a.pred.0));
        head.sort_unstable();
        head.dedup();
        read.clear();
        atoms_read(rule, &mut |a, sign| read.push((a.pred.0, sign == Sign::None)));
        read.sort_unstable();
        read.dedup();
        edges.extend(head.iter().flat_map(|&h| read.iter().map(move |&(p, positive)| (h, p, positive))));
        heads.push(head);
    }
    edges.sort_unstable();
    edges.dedup();
    let outer = components(predicates, edges.iter().map(|&(h, p, _)| (h, p)));
    let inside = |e: &&(u32, u32, bool)| e.2 && outer[e.0 as usize] == outer[e.1 as usize];
    let inner = components(predicates, edges.iter().filter(inside).map(|&(h, p, _)| (h, p)));
    // Inner components, sorted by outer and then inner number: both are topological.
    let mut pairs: Vec<(u32, u32)> = (0..predicates).map(|p| (outer[p], inner[p])).collect();
    let of_pair = pairs.clone();
    pairs.sort_unstable();
    pairs.dedup();
    let of_predicate: Vec<u32> =
        of_pair.iter().map(|pair| pairs.binary_search(pair).unwrap_or(0) as u32).collect();
    let mut by_component = vec![Vec::new(); pairs.len() + 1];
    for (i, head) in heads.iter().enumerate() {
        let component = head.iter().map(|&h| of_predicate[h as usize] as usize).min().unwrap_or(pairs.len());
        by_component[component].push(i as u32);
    }
    let mut members = vec![Vec::new(); by_component.len()];
    for (p, &c) in of_predicate.iter().enumerate() {
        members[c as usize].push(PredId(p as u32));
    }
    let mut own = vec![false; predicates];
    edges.iter().filter(|e| e.0 == e.1).for_each(|e| own[e.0 as usize] = true);
    let (mut cycles, mut start) = (Vec::new(), 0);
    for around in pairs.chunk_by(|a, b| a.0 == b.0) {
        let range = start..start + around.len();
        start = range.end;
        let within: Vec<PredId> = members[range.clone()].iter().flatten().copied().collect();
        if within.len() > 1 || within.iter().any(|p| own[p.0 as usize]) {
            cycles.push((range, within));
        }
    }
    Components { of_predicate, members, cycles, rules: by_component, from_last: Vec::new() }
}

/// The same by statements instead of predicates, in gringo's order: an atom's last value counts, and the atoms known by then
/// decide which statements are left. It goes from the last statement to the first, and before each to those whose heads it may
/// read, those of its last atom first. Projections of atoms with anonymous variables come last. A statement of a part grounded
/// with several arguments counts once: its copies stay in the order of the calls. What derives nothing comes last, except
/// `in_order`, where it comes as in gringo.
pub fn order_statements(rules: &[Rule], predicates: usize, in_order: bool, symbols: &Symbols) -> Components {
    let mut heads: Vec<Vec<(u32, &Atom)>> = vec![Vec::new(); predicates];
    for (r, rule) in rules.iter().enumerate() {
        rule.head.for_each_atom(&mut |a| heads[a.pred.0 as usize].push((r as u32, a)));
    }
    let mut edges: Vec<(u32, u32, bool)> = Vec::new();
    let heads: Vec<Unifiable<'_>> = heads.into_iter().map(|atoms| Unifiable::new(atoms, symbols)).collect();
    let met = |a: &Atom| heads[a.pred.0 as usize].with(a);
    let mut projections: Vec<Vec<u32>> = Vec::new();
    for (r, rule) in rules.iter().enumerate().filter(|(_, rule)| !is_dropped(rule)) {
        projections.extend(projected(rule).map(met));
        let mut read: Vec<(&Atom, Sign)> = Vec::new();
        atoms_read(rule, &mut |a, sign| read.push((a, sign)));
        for (a, sign) in read.into_iter().rev() {
            edges.extend(met(a).into_iter().map(|to| (r as u32, to, sign == Sign::None)));
        }
    }
    let all = Csr::group(rules.len(), edges.iter().map(|e| (e.0, e.1)));
    let successor = |node: u32, i: u32| all.row(node as usize).get(i as usize).copied();
    let (mut outer, mut visited, mut count) = (vec![0; rules.len()], Vec::new(), 0);
    let mut on_cycle = vec![None; rules.len()];
    let mut last = None;
    let mut first = Map::default();
    let mut visits: Vec<u32> = (0..rules.len() as u32).collect();
    // gringo takes facts that need no grounding when it has read them all, the first one first.
    let is_fact =
        |r: &Rule| in_order && r.body.is_empty() && r.vars.is_empty() && matches!(r.head, Head::Atom(_));
    visits.sort_by_cached_key(|&r| {
        let (rule, place) = (&rules[r as usize], *first.entry(rules[r as usize].span).or_insert(r));
        let fact = is_fact(rule);
        (fact, if fact { u32::MAX - place } else { place }, Reverse(rule.source), r)
    });
    let roots = projections.into_iter().rev().flatten().chain(visits.into_iter().rev());
    let from_last = if in_order { from_last(rules, roots.clone(), &all) } else { Vec::new() };
    scc::components(rules.len(), roots, successor, |members| {
        let cycle = members.len() > 1 || all.row(members[0] as usize).contains(&members[0]);
        for &m in members {
            (outer[m as usize], on_cycle[m as usize]) = (count, cycle.then_some(count));
        }
        visited.extend_from_slice(members);
        count += 1;
    });
    edges.retain(|&(from, to, positive)| positive && outer[from as usize] == outer[to as usize]);
    let inside = Csr::group(rules.len(), edges.iter().map(|e| (e.0, e.1)));
    let successor = |node: u32, i: u32| inside.row(node as usize).get(i as usize).copied();
    let derives = |&r: &u32| {
        let mut any = false;
        rules[r as usize].head.for_each_atom(&mut |_| any = true);
        any
    };
    // Underived predicates are complete at once.
    let mut out = Components {
        of_predicate: vec![0; predicates],
        rules: vec![Vec::new()],
        from_last,
        ..Components::default()
    };
    scc::components(rules.len(), visited, successor, |members| {
        if in_order || members.iter().any(derives) {
            let c = out.rules.len();
            match on_cycle[members[0] as usize] {
                Some(cycle) if last == Some(cycle) => {
                    if let Some((range, _)) = out.cycles.last_mut() {
                        range.end = c + 1;
                    }
                }
                Some(_) => out.cycles.push((c..c + 1, Vec::new())),
                None => {}
            }
            last = on_cycle[members[0] as usize];
            out.rules.push(members.to_vec());
        }
    });
    out.rules.push((0..rules.len() as u32).filter(|r| !in_order && !derives(r)).collect());
    out.members = vec![Vec::new(); out.rules.len()];
    for (c, component) in out.rules.iter().enumerate() {
        for &r in component {
            rules[r as usize].head.for_each_atom(&mut |a| {
                out.of_predicate[a.pred.0 as usize] = c as u32;
                out.members[c].push(a.pred);
            });
        }
        out.members[c].sort_unstable();
        out.members[c].dedup();
    }
    for (range, predicates) in &mut out.cycles {
        predicates.extend(out.members[range.clone()].iter().flatten());
    }
    let underived = (0..predicates).filter(|&p| heads[p].is_empty()).map(|p| PredId(p as u32));
    out.members[0].extend(underived);
    out
}

/// The rules whose head elements are grounded one by one, if no statement before them reads these: to gringo the elements are
/// statements, taken from the last to the first like all others.
fn from_last(rules: &[Rule], roots: impl Iterator<Item = u32>, reads: &Csr<u32>) -> Vec<u32> {
    let has_parts = |rule: &Rule| match &rule.head {
        Head::Aggregate { elements, guards, .. } => {
            elements.len() > 1 && (!guards.is_empty() || elements.iter().any(|e| !e.condition.is_empty()))
        }
        Head::Disjunction(elements) => elements.len() > 1 && elements.iter().any(|e| !e.condition.is_empty()),
        _ => false,
    };
    let (mut visited, mut found) = (vec![false; rules.len()], Vec::new());
    let mut next = Vec::new();
    for root in roots {
        if !visited[root as usize] && has_parts(&rules[root as usize]) {
            found.push(root);
        }
        next.push(root);
        while let Some(node) = next.pop() {
            if !std::mem::replace(&mut visited[node as usize], true) {
                next.extend_from_slice(reads.row(node as usize));
            }
        }
    }
    found
}

/// Whether gringo's order is cheap: the product of atoms read and heads that may match is small.
pub fn is_ordered_cheaply(rules: &[Rule], predicates: usize) -> bool {
    const MOST: u64 = 1_000_000;
    let mut heads = vec![0u64; predicates];
    rules.iter().for_each(|rule| rule.head.for_each_atom(&mut |a| heads[a.pred.0 as usize] += 1));
    let mut pairs = 0;
    rules.iter().for_each(|rule| atoms_read(rule, &mut |a, _| pairs += heads[a.pred.0 as usize]));
    pairs <= MOST
}

/// Whether rules read a negated atom that is incomplete when grounding by predicates, but complete, or in part, when grounding
/// by statements.
pub fn sharpens(rules: &[Rule], by_predicate: &Components, symbols: &Symbols) -> bool {
    let mut negative: Vec<(u32, &Atom)> = Vec::new();
    for (c, own) in by_predicate.rules.iter().enumerate() {
        for &r in own {
            atoms_read(&rules[r as usize], &mut |a, sign| {
                if sign != Sign::None && by_predicate.of_predicate[a.pred.0 as usize] as usize >= c {
                    negative.push((r, a));
                }
            });
        }
    }
    if negative.is_empty() {
        return false;
    }
    let by_statement = order_statements(rules, by_predicate.of_predicate.len(), false, symbols);
    let mut of_rule = vec![0; rules.len()];
    let mut heads: Vec<Vec<(u32, &Atom)>> = vec![Vec::new(); by_predicate.of_predicate.len()];
    for (c, own) in by_statement.rules.iter().enumerate() {
        for &r in own {
            of_rule[r as usize] = c;
            rules[r as usize].head.for_each_atom(&mut |a| heads[a.pred.0 as usize].push((r, a)));
        }
    }
    let heads: Vec<Unifiable<'_>> = heads.into_iter().map(|atoms| Unifiable::new(atoms, symbols)).collect();
    negative.iter().any(|&(r, a)| {
        let met = heads[a.pred.0 as usize].with(a);
        met.iter().any(|&from| of_rule[from as usize] < of_rule[r as usize])
    })
}

/// Whether an operation of the head or of the body has no value: such a statement is dropped first.
fn is_dropped(rule: &Rule) -> bool {
    let head = match &rule.head {
        Head::Atom(a) | Head::External(a, _) | Head::Project(a) | Head::Heuristic { atom: a, .. } => {
            a.args.iter().any(undefined)
        }
        Head::Minimize { weight, priority, tuple } => {
            [weight, priority].into_iter().chain(tuple).any(undefined)
        }
        Head::Show(term) => undefined(term),
        _ => false,
    };
    head || never_holds(&rule.body)
}

/// Whether some literal has an operation without a value: what needs it is dropped first.
fn never_holds(literals: &[Literal]) -> bool {
    literals.iter().any(|l| match l {
        Literal::Atom(_, a) => a.args.iter().any(undefined),
        Literal::Compare(_, s, t, _) => undefined(s) || undefined(t),
        _ => false,
    })
}

/// The atoms of a body that gringo projects: those with an anonymous variable beside something that is no comparison.
fn projected(rule: &Rule) -> impl Iterator<Item = &Atom> {
    let counts = |l: &&Literal| !matches!(l, Literal::Compare(..) | Literal::Range(..) | Literal::False(_));
    let is_alone = rule.body.iter().filter(counts).count() < 2;
    let mut uses = vec![0u32; rule.vars.len()];
    for l in rule.body.iter().filter(|_| !is_alone) {
        literal_vars(l, &mut |v| uses[v.0 as usize] += 1);
    }
    rule.body.iter().filter_map(move |l| match l {
        Literal::Atom(Sign::None, a) if !is_alone => {
            let mut is_projected = false;
            let is_anonymous = |v: Var| uses[v.0 as usize] == 1 && rule.vars[v.0 as usize].name.is_none();
            a.args.iter().for_each(|t| t.for_each_var(&mut |v| is_projected |= is_anonymous(v)));
            is_projected.then_some(a)
        }
        _ => None,
    })
}

/// Whether an operation of a term never has a value. An operation with a value has been folded.
pub fn undefined(t: &Term) -> bool {
    let constant = |t: &Term| matches!(t, Term::Sym(_));
    let no_number = |t: &Term| match t {
        Term::Sym(s) => s.as_small().is_none(),
        t => matches!(t, Term::Fun(..) | Term::Tuple(_)),
    };
    let zero = |t: &Term| matches!(t, Term::Sym(s) if s.as_small() == Some(0));
    match t {
        Term::Unary(_, t, _) | Term::Absolute(t, _) => constant(t) || undefined(t),
        Term::Binary(op, s, t, _) => {
            constant(s) && constant(t)
                || no_number(s)
                || no_number(t)
                || zero(t) && matches!(op, BinaryOp::Div | BinaryOp::Mod)
                || undefined(s)
                || undefined(t)
        }
        Term::Fun(_, _, args) | Term::Tuple(args) => args.iter().any(undefined),
        _ => false,
    }
}

/// The component of each node; a node's successors have the same or a smaller number. `edges` come sorted by source.
fn components(nodes: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Vec<u32> {
    let successors = Csr::group(nodes, edges);
    let (mut of, mut count) = (vec![0; nodes], 0);
    let successor = |node: u32, i: u32| successors.row(node as usize).get(i as usize).copied();
    scc::components(nodes, 0..nodes as u32, successor, |members| {
        members.iter().for_each(|&m| of[m as usize] = count);
        count += 1;
    });
    of
}
