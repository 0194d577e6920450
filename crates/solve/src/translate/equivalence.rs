//! Equivalent atoms and bodies become one class with one solver variable.
//!
//! A union-find over signed nodes. An atom whose supports all have one representative (and force it) is merged with it;
//! a body that shrinks to one literal is merged with that literal; bodies whose literals have the same representatives
//! are merged. Each merge may enable others, so rounds repeat while they are worthwhile. Invariant: nodes of a class
//! have the same value in every answer set. Classes say nothing about foundedness: positive cycles are still found on
//! the original atoms and bodies.
//!
//! Source: Gebser, Kaufmann, Neumann and Schaub, *Advanced Preprocessing for Answer Set Solving*, ECAI 2008.

use crate::translate::body_table::{BodyId, Node};
use crate::translate::prepared::Prepared;
use asp_base::map::hash_words;
use asp_program::{Body, Program};
use hashbrown::HashTable;

/// The greatest number of rounds over atoms and bodies.
const ROUNDS: usize = 6;

/// Runs the pass; if it is not `enabled`, uses only constraints of one literal.
pub(crate) fn merge(p: &mut Prepared, program: &Program, enabled: bool) {
    for &id in &p.constraints {
        if let Body::Normal(&[l]) = program.rules.get(id).body {
            p.classes.merge(Node::of(l), Node::FALSE);
        }
    }
    if !enabled {
        return p.classes.flatten();
    }
    let mut scratch = Scratch::default();
    for _ in 0..ROUNDS {
        let before = p.classes.merges;
        merge_atoms(p);
        if p.classes.contradiction {
            break;
        }
        if p.classes.merges == before && scratch.rounds > 0 {
            break;
        }
        let mid = p.classes.merges;
        scratch.merge_bodies(p);
        let gain = p.classes.merges - mid;
        if gain == 0 || p.classes.contradiction || (gain * 64) < p.bodies.len() as u64 {
            break;
        }
    }
    if !p.classes.contradiction {
        merge_atoms(p);
    }
    p.classes.flatten();
}

/// Merges atoms with their supports; pushes values of atoms down to their supports.
fn merge_atoms(p: &mut Prepared) {
    for a in 0..p.atoms {
        let own = p.classes.find(Node::at(a));
        let mut live: Option<Node> = None;
        let mut several = false;
        let mut forced = false;
        for i in p.support_range(a) {
            let s = p.support_at(i);
            let node = p.classes.find(s.node());
            if node == Node::FALSE {
                continue;
            }
            if own == Node::FALSE && !s.is_choice() {
                p.classes.merge(node, Node::FALSE);
                continue;
            }
            if node == Node::TRUE && !s.is_choice() {
                p.classes.merge(Node::at(a), Node::TRUE);
            }
            several |= live.is_some_and(|l| l != node);
            forced |= !s.is_choice();
            live = Some(node);
        }
        if own == Node::FALSE || several {
            continue;
        }
        match live {
            None if own != Node::TRUE => p.classes.merge(Node::at(a), Node::FALSE),
            // A fact has lost its supports; any other atom that must hold without support means that there is no answer
            // set.
            None if p.values[a] != crate::translate::body_table::Value::True => {
                p.classes.contradiction = true
            }
            Some(node) if forced => p.classes.merge(Node::at(a), node),
            // The atom must hold: so must its only support.
            Some(node) if own == Node::TRUE && p.values[a] != crate::translate::body_table::Value::True => {
                p.classes.merge(node, Node::TRUE)
            }
            _ => {}
        }
    }
}

#[derive(Default)]
struct Scratch {
    codes: Vec<u32>,
    /// Literals of bodies in the table by representative, and where they end.
    pool: Vec<u32>,
    rows: Vec<(u32, u32, Node)>,
    table: HashTable<u32>,
    rounds: usize,
}

impl Scratch {
    /// Merges bodies that have become equal, constant or single literals.
    fn merge_bodies(&mut self, p: &mut Prepared) {
        self.rounds += 1;
        self.pool.clear();
        self.rows.clear();
        self.table.clear();
        for b in 0..p.bodies.len() as u32 {
            let body = BodyId(b);
            if p.bodies.weights(body).is_some() {
                continue;
            }
            let node = p.bodies.node(body);
            let value = p.classes.find(node);
            self.codes.clear();
            let mut changed = false;
            let mut falsified = false;
            for &l in p.bodies.literals(body) {
                let rep = p.classes.find(Node::of(l));
                if value == Node::TRUE {
                    p.classes.merge(rep, Node::TRUE);
                    continue;
                }
                changed |= rep != Node::of(l);
                if rep == Node::FALSE {
                    falsified = true;
                    break;
                }
                if rep != Node::TRUE {
                    self.codes.push(rep.code());
                }
            }
            if value == Node::TRUE {
                continue;
            }
            if falsified {
                p.classes.merge(node, Node::FALSE);
                continue;
            }
            if changed {
                self.codes.sort_unstable();
                self.codes.dedup();
                if self.codes.windows(2).any(|w| w[0] ^ w[1] == 1) {
                    p.classes.merge(node, Node::FALSE);
                    continue;
                }
            }
            match *self.codes.as_slice() {
                [] => p.classes.merge(node, Node::TRUE),
                [c] => p.classes.merge(node, Node::from_code(c)),
                _ => self.share(p, node),
            }
        }
    }

    fn share(&mut self, p: &mut Prepared, node: Node) {
        let Self { codes, pool, rows, table, .. } = self;
        let slice = |row: &(u32, u32, Node)| row.0 as usize..row.1 as usize;
        let hash = hash_words(1, codes.iter().copied());
        if let Some(&r) = table.find(hash, |&r| pool[slice(&rows[r as usize])] == codes[..]) {
            p.classes.merge(node, rows[r as usize].2);
            p.redundant[node.index() - p.atoms] = true;
            return;
        }
        let start = pool.len() as u32;
        pool.extend_from_slice(codes);
        rows.push((start, pool.len() as u32, node));
        let id = rows.len() as u32 - 1;
        table.insert_unique(hash, id, |&r| hash_words(1, pool[slice(&rows[r as usize])].iter().copied()));
    }
}
