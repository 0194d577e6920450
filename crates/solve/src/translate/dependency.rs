//! Strongly connected components of the positive dependency graph, over atoms and bodies.
//!
//! Atoms point to the bodies that may support them, bodies to their positive atoms; atoms known to be false, or derived
//! independently, are left out. Only components of two or more nodes matter: atoms in others cannot be unfounded if the
//! completion holds.

use crate::translate::body_table::{BodyId, Node, Value};
use crate::translate::prepared::Prepared;
use asp_base::scc;

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

/// Finds the components.
pub(crate) fn components(p: &Prepared) -> Components {
    let nodes = p.atoms + p.bodies.len();
    let mut found = Components::default();
    let roots = (0..p.atoms as u32).filter(|&a| is_open(p, a as usize));
    scc::components(
        nodes,
        roots,
        |node, i| successor(p, node, i),
        |members| {
            if members.len() > 1 {
                found.number.resize(nodes, 0);
                found.count += 1;
                members.iter().for_each(|&m| found.number[m as usize] = found.count);
            }
        },
    );
    found
}

/// Whether an atom can be in a positive cycle at all.
#[inline]
pub(crate) fn is_open(p: &Prepared, atom: usize) -> bool {
    p.values[atom] == Value::Unknown && p.classes.find_const(Node::at(atom)) != Node::FALSE
}

/// The successor at a position, `None` past the last; a successor that is left out is replaced by the node itself.
#[inline]
fn successor(p: &Prepared, node: u32, position: u32) -> Option<u32> {
    if (node as usize) < p.atoms {
        let s = p.supports(node as usize).get(position as usize)?.node();
        let skip = s.is_constant()
            || (p.classes.find_const(s) == Node::FALSE && !p.is_shifted_body(s))
            || (s.index() < p.atoms && (s.is_neg() || !is_open(p, s.index())));
        Some(if skip { node } else { s.index() as u32 })
    } else {
        let l = p.bodies.literals(BodyId(node - p.atoms as u32)).get(position as usize)?;
        Some(if l.is_neg() || !is_open(p, l.atom().0 as usize) { node } else { l.atom().0 })
    }
}
