//! The dependency graph of predicates and its components, in the order in which rules are instantiated.
//!
//! There are two levels: components of the graph with all edges are visited in topological order, and inside each the
//! components of the positive edges. So what a rule reads positively outside its own component is complete when the
//! rule is instantiated; what it reads negatively may be incomplete only inside the outer component. Source: Kaminski
//! and Schaub, *On the foundations of grounding in answer set programming*, TPLP 2023, for the refinement.

use super::predicate::PredId;
use super::rule::{HeadLiteral, Literal, Rule};
use crate::base::csr::Csr;
use crate::base::scc;
use crate::syntax::ast::Sign;

/// The order of instantiation.
#[derive(Clone, Debug, Default)]
pub struct Components {
    /// Number of the component that completes each predicate.
    pub of_predicate: Vec<u32>,
    /// Rules (by number) of each component, in order of the text; the last component holds what derives nothing.
    pub rules: Vec<Vec<u32>>,
}

/// Calls `f(predicate, positive)` for each predicate that a literal reads.
pub fn reads(l: &Literal, f: &mut impl FnMut(PredId, bool)) {
    match l {
        Literal::Atom(sign, a) => f(a.pred, *sign == Sign::None),
        Literal::Aggregate(a) => {
            a.elements.iter().flat_map(|e| &e.condition).for_each(|l| reads(l, f));
        }
        Literal::Conditional(c) => {
            c.condition.iter().chain(c.heads.iter().flatten()).for_each(|l| reads(l, f));
        }
        Literal::Theory(_, a) => a.elements.iter().flat_map(|e| &e.condition).for_each(|l| reads(l, f)),
        Literal::Compare(..) | Literal::Range(..) | Literal::False(_) => {}
    }
}

/// Calls `f(predicate, positive)` for each predicate that a rule reads, in its body and in its head's conditions.
pub fn rule_reads(rule: &Rule, f: &mut impl FnMut(PredId, bool)) {
    rule.body.iter().for_each(|l| reads(l, f));
    use super::rule::Head;
    match &rule.head {
        Head::Disjunction(elements) | Head::Aggregate { elements, .. } => {
            for e in elements {
                e.condition.iter().for_each(|l| reads(l, f));
                if let HeadLiteral::Other(any) = &e.literal {
                    any.iter().flatten().for_each(|l| reads(l, f));
                }
            }
        }
        Head::Theory(a) => a.elements.iter().flat_map(|e| &e.condition).for_each(|l| reads(l, f)),
        _ => {}
    }
}

/// Orders rules over `predicates` predicates.
pub fn order(rules: &[Rule], predicates: usize) -> Components {
    let mut edges: Vec<(u32, u32, bool)> = Vec::new();
    let mut heads: Vec<Vec<u32>> = Vec::with_capacity(rules.len());
    for rule in rules {
        let mut head = Vec::new();
        rule.head.for_each_atom(&mut |a| head.push(a.pred.0));
        head.sort_unstable();
        head.dedup();
        for &h in &head {
            rule_reads(rule, &mut |p, positive| edges.push((h, p.0, positive)));
        }
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
    Components { of_predicate, rules: by_component }
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
