//! Strongly connected components of the positive dependency graph, over atoms and bodies.
//!
//! Atoms point to the bodies that may support them, bodies to their positive atoms; what is known to be false, or
//! derived without help, is left out. Only components of two nodes or more matter: atoms in others cannot be unfounded
//! once the completion holds. Tarjan's algorithm with an explicit stack.
//!
//! Source: R. Tarjan, *Depth-first search and linear graph algorithms*, SIAM J. Comput. 1972.

use crate::solve::translate::body_table::{BodyId, Node, Value};
use crate::solve::translate::preprocess::Prepared;

/// Components of a program.
#[derive(Debug, Default)]
pub(crate) struct Components {
    /// By node: number of its component from 1, or 0 if it is alone; empty if the program is tight.
    number: Vec<u32>,
    /// How many there are.
    pub(crate) count: u32,
}

impl Components {
    /// Component of a node, 0 if it is alone.
    #[inline]
    pub(crate) fn of(&self, index: usize) -> u32 {
        self.number.get(index).copied().unwrap_or(0)
    }
    /// Whether there is no positive recursion.
    pub(crate) fn is_tight(&self) -> bool {
        self.count == 0
    }
}

const DONE: u32 = u32::MAX;

struct Search<'a> {
    p: &'a Prepared,
    /// 0 before the visit, then the order of visits; [`DONE`] when the component is known.
    order: Vec<u32>,
    /// Open nodes in order of visits.
    open: Vec<u32>,
    /// Node, next successor, least order reached.
    path: Vec<(u32, u32, u32)>,
    visits: u32,
    number: Vec<u32>,
    count: u32,
}

/// Finds the components.
pub(crate) fn components(p: &Prepared) -> Components {
    let nodes = p.atoms + p.bodies.len();
    let mut search = Search {
        p,
        order: vec![0; nodes],
        open: Vec::new(),
        path: Vec::new(),
        visits: 0,
        number: Vec::new(),
        count: 0,
    };
    for a in 0..p.atoms as u32 {
        if search.order[a as usize] == 0 && search.counts(a) {
            search.visit(a);
        }
    }
    Components { number: search.number, count: search.count }
}

/// Whether an atom can be in a positive cycle at all.
#[inline]
pub(crate) fn is_open(p: &Prepared, atom: usize) -> bool {
    p.values[atom] == Value::Unknown && p.classes.find_const(Node::at(atom)) != Node::FALSE
}

impl Search<'_> {
    #[inline]
    fn counts(&self, node: u32) -> bool {
        is_open(self.p, node as usize)
    }

    /// The successor at a position, `None` past the last; a successor that does not count is the node itself.
    #[inline]
    fn successor(&self, node: u32, position: u32) -> Option<u32> {
        let p = self.p;
        if (node as usize) < p.atoms {
            let s = p.supports(node as usize).get(position as usize)?.node();
            let skip = s.is_constant()
                || (p.classes.find_const(s) == Node::FALSE && !p.is_shifted_body(s))
                || (s.index() < p.atoms && (s.is_neg() || !self.counts(s.index() as u32)));
            Some(if skip { node } else { s.index() as u32 })
        } else {
            let l = p.bodies.literals(BodyId(node - p.atoms as u32)).get(position as usize)?;
            Some(if l.is_neg() || !self.counts(l.atom().0) { node } else { l.atom().0 })
        }
    }

    fn enter(&mut self, node: u32) {
        self.visits += 1;
        self.order[node as usize] = self.visits;
        self.open.push(node);
        self.path.push((node, 0, self.visits));
    }

    fn visit(&mut self, root: u32) {
        self.enter(root);
        while let Some(&(node, position, low)) = self.path.last() {
            if let Some(next) = self.successor(node, position) {
                let top = self.path.len() - 1;
                self.path[top].1 += 1;
                match self.order[next as usize] {
                    0 => self.enter(next),
                    DONE => {}
                    order => self.path[top].2 = low.min(order),
                }
                continue;
            }
            self.path.pop();
            if let Some(above) = self.path.last_mut() {
                above.2 = above.2.min(low);
            }
            if low == self.order[node as usize] {
                self.close(node);
            }
        }
    }

    /// Takes a complete component from the open nodes.
    fn close(&mut self, root: u32) {
        if self.open.last() == Some(&root) {
            self.open.pop();
            self.order[root as usize] = DONE;
            return;
        }
        if self.number.is_empty() {
            self.number = vec![0; self.order.len()];
        }
        self.count += 1;
        while let Some(node) = self.open.pop() {
            self.order[node as usize] = DONE;
            self.number[node as usize] = self.count;
            if node == root {
                break;
            }
        }
    }
}
