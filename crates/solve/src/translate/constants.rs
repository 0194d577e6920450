//! Constant propagation on rules: consequences of facts and of atoms without support.
//!
//! Invariant: a value set here holds in every answer set, and an atom set to true is derived without depending on
//! itself (Fitting's operator; atoms that only support each other are left to the unfounded-set check). It takes one
//! linear pass, and no time if there is nothing to start from, as for programs from the grounder.

use crate::translate::body_table::{BodyId, Node, Value};
use crate::translate::prepared::Prepared;
use asp_base::csr::Csr;

struct Propagation<'a> {
    p: &'a mut Prepared,
    /// Atoms and bodies (as nodes) that have a value but have not been visited.
    queue: Vec<u32>,
    body_values: Vec<Value>,
    /// By normal body: literals whose values are still unknown.
    missing: Vec<u32>,
    /// By weight body: the amount missing to the bound, and by how much the bound can still be exceeded.
    sums: Vec<(i128, i128)>,
    live_supports: Vec<u32>,
    /// Bodies by literal code.
    occurrences: Csr<u32>,
    /// `head << 2 | choice << 1 | sign` by node.
    dependents: Csr<u32>,
}

/// Runs the pass; values are stored in `values` for atoms and in the classes for bodies.
pub(crate) fn propagate(p: &mut Prepared) {
    let starts = |p: &Prepared, a: usize| {
        p.values[a] == Value::Unknown
            && match p.supports(a) {
                [] => true,
                s => s.iter().any(|s| s.node() == Node::TRUE && !s.is_choice()),
            }
    };
    if !(0..p.atoms).any(|a| starts(p, a)) {
        return;
    }
    let mut run = Propagation::new(p);
    run.start();
    while let Some(node) = run.queue.pop() {
        if (node as usize) < run.p.atoms {
            run.visit_atom(node);
        }
        run.visit_dependents(node);
    }
    let atoms = run.p.atoms;
    for (i, v) in run.body_values.iter().enumerate() {
        match v {
            Value::Unknown => {}
            Value::True => run.p.classes.merge(Node::at(atoms + i), Node::TRUE),
            Value::False => run.p.classes.merge(Node::at(atoms + i), Node::FALSE),
        }
    }
}

impl<'a> Propagation<'a> {
    fn new(p: &'a mut Prepared) -> Self {
        let bodies = p.bodies.len();
        let ids = || (0..bodies as u32).map(BodyId);
        let occurrences = Csr::group(
            2 * p.atoms,
            ids().flat_map(|b| p.bodies.literals(b).iter().map(move |l| (l.code(), b.0))),
        );
        let dependents = Csr::group(
            p.atoms + bodies,
            (0..p.atoms).flat_map(|a| {
                p.supports(a).iter().filter(|s| !s.node().is_constant()).map(move |s| {
                    let flags = u32::from(s.is_choice()) << 1 | u32::from(s.node().is_neg());
                    (s.node().index() as u32, (a as u32) << 2 | flags)
                })
            }),
        );
        let sums = if p.bodies.has_weights() {
            ids()
                .map(|b| {
                    p.bodies.weights(b).map_or((0, 0), |(bound, w)| {
                        let total: i128 = w.iter().map(|&w| i128::from(w)).sum();
                        (i128::from(bound), total - i128::from(bound))
                    })
                })
                .collect()
        } else {
            Vec::new()
        };
        Self {
            queue: Vec::new(),
            body_values: vec![Value::Unknown; bodies],
            missing: ids().map(|b| p.bodies.literals(b).len() as u32).collect(),
            sums,
            live_supports: (0..p.atoms).map(|a| p.supports(a).len() as u32).collect(),
            occurrences,
            dependents,
            p,
        }
    }

    fn start(&mut self) {
        for a in 0..self.p.atoms {
            if self.p.values[a] != Value::Unknown {
                continue;
            }
            if self.live_supports[a] == 0 {
                self.set_atom(a as u32, Value::False);
            } else if self.p.supports(a).iter().any(|s| s.node() == Node::TRUE && !s.is_choice()) {
                self.set_atom(a as u32, Value::True);
            }
        }
    }

    fn set_atom(&mut self, atom: u32, value: Value) {
        let slot = &mut self.p.values[atom as usize];
        if *slot == Value::Unknown {
            *slot = value;
            self.queue.push(atom);
        }
    }

    fn set_body(&mut self, body: u32, value: Value) {
        let slot = &mut self.body_values[body as usize];
        if *slot == Value::Unknown {
            *slot = value;
            self.queue.push(self.p.atoms as u32 + body);
        }
    }

    fn visit_atom(&mut self, atom: u32) {
        let holds = atom << 1 | u32::from(self.p.values[atom as usize] == Value::False);
        for (code, true_now) in [(holds, true), (holds ^ 1, false)] {
            for i in self.occurrences.range(code as usize) {
                let b = self.occurrences.item(i);
                let weight = self.p.bodies.weights(BodyId(b)).map(|(_, w)| {
                    let literals = self.p.bodies.literals(BodyId(b));
                    let at = literals.partition_point(|l| l.code() < code);
                    i128::from(w[at])
                });
                match weight {
                    None if true_now => {
                        self.missing[b as usize] -= 1;
                        if self.missing[b as usize] == 0 {
                            self.set_body(b, Value::True);
                        }
                    }
                    None => self.set_body(b, Value::False),
                    Some(w) if true_now => {
                        self.sums[b as usize].0 -= w;
                        if self.sums[b as usize].0 <= 0 {
                            self.set_body(b, Value::True);
                        }
                    }
                    Some(w) => {
                        self.sums[b as usize].1 -= w;
                        if self.sums[b as usize].1 < 0 {
                            self.set_body(b, Value::False);
                        }
                    }
                }
            }
        }
    }

    /// Atoms that the node supports.
    fn visit_dependents(&mut self, node: u32) {
        let value = match (node as usize).checked_sub(self.p.atoms) {
            None => self.p.values[node as usize],
            Some(b) => self.body_values[b],
        };
        for i in self.dependents.range(node as usize) {
            let d = self.dependents.item(i);
            let (head, choice, negated) = (d >> 2, d & 2 != 0, d & 1 != 0);
            if (value == Value::True) != negated {
                if !choice {
                    self.set_atom(head, Value::True);
                }
            } else {
                self.live_supports[head as usize] -= 1;
                if self.live_supports[head as usize] == 0 {
                    self.set_atom(head, Value::False);
                }
            }
        }
    }
}
