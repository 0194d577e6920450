//! The dependency graph of predicates and its components, in the order in which rules are instantiated.
//!
//! Two levels: components of the graph with all edges are visited in topological order, and inside each the components
//! of the positive edges, so that all that a rule reads positively outside its own component is complete when the rule
//! is instantiated; what it reads negatively may be incomplete only inside the outer component. Source: Tarjan,
//! *Depth-first search and linear graph algorithms*, SIAM J. Comput. 1972 (iterative here); Kaminski and Schaub, *On
//! the foundations of grounding in answer set programming*, TPLP 2023, for the refinement.

use super::predicate::PredId;
use super::rule::{HeadLiteral, Literal, Rule};
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
    let all = Graph::new(predicates, edges.iter().map(|&(h, p, _)| (h, p)));
    let outer = all.components();
    let positive = Graph::new(
        predicates,
        edges
            .iter()
            .filter(|&&(h, p, pos)| pos && outer.of[h as usize] == outer.of[p as usize])
            .map(|&(h, p, _)| (h, p)),
    );
    let inner = positive.components();
    // Inner components, sorted by outer and then inner number: both are topological.
    let mut pairs: Vec<(u32, u32)> = (0..predicates).map(|p| (outer.of[p], inner.of[p])).collect();
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

struct Graph {
    start: Vec<u32>,
    targets: Vec<u32>,
}

struct Partition {
    /// Component of each node; a node's successors have the same or a smaller number.
    of: Vec<u32>,
}

impl Graph {
    /// `edges` sorted by source.
    fn new(nodes: usize, edges: impl Iterator<Item = (u32, u32)>) -> Self {
        let (mut start, mut targets) = (vec![0u32; nodes + 1], Vec::new());
        for (from, to) in edges {
            targets.push(to);
            start[from as usize + 1] = targets.len() as u32;
        }
        for i in 1..=nodes {
            start[i] = start[i].max(start[i - 1]);
        }
        Self { start, targets }
    }

    fn components(&self) -> Partition {
        const UNSEEN: u32 = u32::MAX;
        let n = self.start.len() - 1;
        let (mut index, mut low) = (vec![UNSEEN; n], vec![0u32; n]);
        let mut of = vec![UNSEEN; n];
        let (mut stack, mut path): (Vec<u32>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
        let (mut next, mut components) = (0, 0);
        for root in 0..n as u32 {
            if index[root as usize] != UNSEEN {
                continue;
            }
            path.push((root, self.start[root as usize]));
            index[root as usize] = next;
            low[root as usize] = next;
            next += 1;
            stack.push(root);
            while let Some(&mut (v, ref mut edge)) = path.last_mut() {
                let vi = v as usize;
                if *edge < self.start[vi + 1] {
                    let w = self.targets[*edge as usize] as usize;
                    *edge += 1;
                    if index[w] == UNSEEN {
                        index[w] = next;
                        low[w] = next;
                        next += 1;
                        stack.push(w as u32);
                        path.push((w as u32, self.start[w]));
                    } else if of[w] == UNSEEN {
                        low[vi] = low[vi].min(index[w]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent as usize] = low[parent as usize].min(low[vi]);
                }
                if low[vi] == index[vi] {
                    while let Some(w) = stack.pop() {
                        of[w as usize] = components;
                        if w == v {
                            break;
                        }
                    }
                    components += 1;
                }
            }
        }
        Partition { of }
    }
}
