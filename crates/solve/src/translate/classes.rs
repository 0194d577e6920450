//! Classes of nodes that have the same value, or opposite ones: a union-find over signed nodes.
//!
//! Invariant: the representative of a class is a constant, or otherwise its first node.

use crate::translate::body_table::Node;

/// A union-find with signs.
#[derive(Debug)]
pub(crate) struct Classes {
    parent: Vec<Node>,
    /// Merges of distinct classes, including those with constants.
    pub(super) merges: u64,
    /// Merges of two nodes, neither constant.
    equivalences: u64,
    pub(super) contradiction: bool,
    /// Pairs of nodes found equal, in order, if that is recorded.
    pub(super) log: Option<Vec<(Node, Node)>>,
}

impl Classes {
    /// Classes of one node each.
    pub(crate) fn new(nodes: usize) -> Self {
        Self {
            parent: (0..nodes).map(Node::at).collect(),
            merges: 0,
            equivalences: 0,
            contradiction: false,
            log: None,
        }
    }
    /// The representative of a node.
    #[inline]
    pub(crate) fn find(&mut self, mut node: Node) -> Node {
        if node.is_constant() {
            return node;
        }
        loop {
            let up = self.parent[node.index()].xor(node.is_neg());
            if up.is_constant() || up.index() == node.index() {
                return up;
            }
            let above = self.parent[up.index()].xor(up.is_neg());
            self.parent[node.index()] = above.xor(node.is_neg());
            node = above;
            if node.is_constant() {
                return node;
            }
        }
    }
    /// The same without shortening paths.
    #[inline]
    pub(crate) fn find_const(&self, mut node: Node) -> Node {
        while !node.is_constant() {
            let up = self.parent[node.index()].xor(node.is_neg());
            if up == node {
                break;
            }
            node = up;
        }
        node
    }
    /// Makes two nodes equal.
    pub(crate) fn merge(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        if a == !b {
            self.contradiction = true;
            if let Some(log) = &mut self.log {
                log.push((a, b));
            }
            return;
        }
        self.merges += 1;
        self.equivalences += u64::from(!a.is_constant() && !b.is_constant());
        // Constants take precedence, then the earlier node.
        let (child, root) =
            if a.is_constant() || (!b.is_constant() && a.index() < b.index()) { (b, a) } else { (a, b) };
        self.parent[child.index()] = root.xor(child.is_neg());
        if let Some(log) = &mut self.log {
            log.push((child, root));
        }
    }
    /// Pairs of nodes found equal, constants not counted.
    pub(crate) fn equivalences(&self) -> u64 {
        self.equivalences
    }
    /// Whether a node was merged with its complement: there is no answer set.
    pub(crate) fn is_contradictory(&self) -> bool {
        self.contradiction
    }
    /// Shortens all paths to one step.
    pub(crate) fn flatten(&mut self) {
        for i in 0..self.parent.len() {
            self.parent[i] = self.find(Node::at(i));
        }
    }
}
