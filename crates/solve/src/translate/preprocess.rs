//! Preprocessing: plain rules become supports of atoms by bodies, reduced by a few linear passes.
//!
//! The passes, in order:
//! 1. facts are true;                                        `a.  b :- a, c.`     =>  `b :- c.`
//! 2. bodies are normalised and shared, rules that support only themselves are dropped;
//!    `a :- a, b.  c :- d, e.  f :- e, d.`   =>   `c :- B.  f :- B.`
//! 3. disjunctions are shifted;                              `a | b :- B.`        =>  `a :- B, not b.  b :- B, not a.`
//! 4. atoms without support are false, and what follows ([`constants`](crate::translate::constants));
//! 5. equivalent atoms and bodies are merged ([`equivalence`](crate::translate::equivalence)).
//!
//! Invariant: answer sets are preserved, and each atom of the program keeps its value through its class. Shifting alone
//! loses answer sets of disjunctions with a cycle through two head atoms; a second-level check handles these, so the
//! disjunctions are kept beside their shifted rules.

use crate::translate::body_table::{BodyTable, Node, Value};
use crate::translate::classes::Classes;
use crate::translate::prepared::{DisjunctionRow, Prepared, Support, Trace};
use crate::translate::stages::Passes;
use crate::translate::{constants, equivalence};
use asp_base::csr::Csr;
use asp_base::index_vec::Idx;
use asp_program::defined::derived_since;
use asp_program::ground_program::ExternalValue;
use asp_program::{AtomId, Body, Head, Literal, Program, RuleId, RuleRef};

/// The part of a program that has been translated before: atoms that are given, and rules that are not read again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Previous {
    /// Number of rules.
    pub(crate) rules: usize,
    /// The value of each given atom.
    pub(crate) values: Vec<Value>,
}

/// Collects supports while rules are read.
struct Reader<'a> {
    program: &'a Program,
    previous: &'a Previous,
    values: Vec<Value>,
    bodies: BodyTable,
    heads: Vec<u32>,
    supports: Vec<Support>,
    constraints: Vec<RuleId>,
    disjunctions: Vec<DisjunctionRow>,
    disjunction_heads: Vec<AtomId>,
    shifted: Vec<Node>,
    /// The next auxiliary atom.
    next_atom: usize,
    trace: Option<Trace>,
}

/// Runs all passes on the rules after those of `previous`. Given atoms that no new rule derives may have any value.
pub(crate) fn preprocess(program: &Program, previous: &Previous, passes: Passes) -> Prepared {
    let mut reader = Reader::new(program, previous);
    if passes.trace {
        reader.trace = Some(Trace::default());
        reader.bodies.keep_sums_apart();
    }
    if passes.constants {
        reader.mark_facts();
    }
    reader.read_rules();
    let externals = reader.read_externals();
    let Reader {
        mut values,
        mut bodies,
        heads,
        supports,
        constraints,
        disjunctions,
        disjunction_heads,
        shifted,
        next_atom,
        trace,
        ..
    } = reader;
    // Some numbers reserved for auxiliary atoms were not needed.
    let atoms = values.len();
    values[next_atom..].fill(Value::False);
    let pairs = heads.iter().copied().zip(supports.iter().copied());
    let mut supports = Csr::group(atoms, pairs);
    // A choice with the same body as a rule adds nothing: `a :- B` sorts just before `{a} :- B`.
    supports.sort_and_dedup_by(|a, b| a.node() == b.node());
    bodies.finish();
    let mut classes = Classes::new(atoms + bodies.len());
    classes.log = passes.trace.then(Vec::new);
    let redundant = vec![false; bodies.len()];
    let mut is_shifted = Vec::new();
    if !shifted.is_empty() {
        is_shifted = vec![false; bodies.len()];
        for node in shifted.iter().filter(|n| !n.is_constant() && n.index() >= atoms) {
            is_shifted[bodies.body_of(*node).index()] = true;
        }
    }
    let mut prepared = Prepared {
        atoms,
        bodies,
        supports,
        values,
        constraints,
        disjunctions,
        disjunction_heads,
        shifted,
        is_shifted,
        redundant,
        classes,
        externals,
        trace,
    };
    if passes.constants {
        constants::propagate(&mut prepared);
    }
    merge_constants(&mut prepared);
    equivalence::merge(&mut prepared, program, passes.equivalences);
    prepared
}

/// Merges atoms of known value with that value.
fn merge_constants(p: &mut Prepared) {
    for (i, &v) in p.values.iter().enumerate() {
        match v {
            Value::Unknown => {}
            Value::True => p.classes.merge(Node::at(i), Node::TRUE),
            Value::False => p.classes.merge(Node::at(i), Node::FALSE),
        }
    }
}

impl<'a> Reader<'a> {
    fn new(program: &'a Program, previous: &'a Previous) -> Self {
        let rules = program.rules.iter().skip(previous.rules);
        let wide = rules.filter(|r| matches!(r.head, Head::Disjunction(h) if h.len() > 1)).count();
        let atoms = program.atoms.len();
        let mut values = previous.values.clone();
        values.resize(atoms + wide, Value::Unknown);
        Self {
            program,
            previous,
            values,
            bodies: BodyTable::new(atoms + wide),
            heads: Vec::new(),
            supports: Vec::new(),
            constraints: Vec::new(),
            disjunctions: Vec::new(),
            disjunction_heads: Vec::new(),
            shifted: Vec::new(),
            next_atom: atoms,
            trace: None,
        }
    }

    fn mark_facts(&mut self) {
        for rule in self.program.rules.iter().skip(self.previous.rules) {
            if let (Head::Disjunction(&[a]), Body::Normal([])) = (rule.head, rule.body) {
                self.values[a.0 as usize] = Value::True;
            }
        }
    }

    fn read_rules(&mut self) {
        let program = self.program;
        let long = |r: &RuleRef<'_>| !r.head.atoms().is_empty() && r.body.literals().len() > 1;
        self.bodies.reserve(program.rules.iter().skip(self.previous.rules).filter(long).count());
        for i in self.previous.rules..program.rules.len() {
            let id = RuleId(i as u32);
            let rule = program.rules.get(id);
            let (heads, choice) = match rule.head {
                Head::Disjunction(h) => (h, false),
                Head::Choice(h) => (h, true),
            };
            if heads.is_empty() {
                if !choice {
                    self.constraints.push(id);
                }
                continue;
            }
            if heads.iter().all(|h| self.values[h.0 as usize] == Value::True) {
                continue;
            }
            let body = match rule.body {
                Body::Normal(literals) => self.bodies.add_normal(literals, &self.values),
                Body::Weight { bound, literals, weights } => {
                    self.bodies.add_weight(bound, literals, weights, &self.values)
                }
            };
            if body == Node::FALSE {
                continue;
            }
            if let Some(trace) = &mut self.trace {
                trace.bodies.push((id, body));
            }
            let own: &[Literal] = match rule.body {
                Body::Normal(literals) => literals,
                Body::Weight { .. } => &[],
            };
            if choice || heads.len() == 1 {
                for &h in heads {
                    if !own.contains(&Literal::pos(h)) {
                        self.support(h, body, choice);
                    }
                }
            } else if !heads
                .iter()
                .any(|&h| self.values[h.0 as usize] == Value::True || own.contains(&Literal::pos(h)))
            {
                self.disjunction(id, heads, body);
            }
        }
    }

    fn support(&mut self, head: AtomId, body: Node, choice: bool) {
        let own = Node::of(Literal::pos(head));
        if self.values[head.0 as usize] != Value::True && body != own {
            self.heads.push(head.0);
            self.supports.push(Support::new(body, choice));
        }
    }

    fn disjunction(&mut self, rule: RuleId, heads: &[AtomId], body: Node) {
        let mut distinct = heads.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        if let &[h] = distinct.as_slice() {
            return self.support(h, body, false);
        }
        // A body of several literals gets an atom, to keep the shifted bodies short.
        let first = if body.is_constant() {
            None
        } else if body.index() < self.program.atoms.len() {
            Some(Literal::new(AtomId(body.index() as u32), body.is_neg()))
        } else {
            let aux = AtomId(self.next_atom as u32);
            self.next_atom += 1;
            self.support(aux, body, false);
            if let Some(trace) = &mut self.trace {
                trace.aux.push((rule, Node::of(Literal::pos(aux))));
            }
            Some(Literal::pos(aux))
        };
        let mut shifted: Vec<Literal> = Vec::with_capacity(distinct.len());
        for &h in &distinct {
            shifted.clear();
            shifted.extend(first);
            shifted.extend(distinct.iter().filter(|&&o| o != h).map(|&o| Literal::neg(o)));
            let node = self.bodies.add_normal(&shifted, &self.values);
            self.shifted.push(node);
            if let Some(trace) = &mut self.trace {
                trace.shifted.push((rule, h, node));
            }
            if node != Node::FALSE {
                self.support(h, node, false);
            }
        }
        self.disjunction_heads.extend_from_slice(&distinct);
        let body = first.map_or(Node::TRUE, Node::of);
        self.disjunctions.push(DisjunctionRow { body, heads_end: self.disjunction_heads.len() as u32 });
    }

    /// Underived external, given and theory atoms can be chosen freely; theory atoms without a theory are external.
    fn read_externals(&mut self) -> Vec<(AtomId, ExternalValue)> {
        let given = self.previous.values.len();
        if !self.program.has_open_atoms() && given == 0 {
            return Vec::new();
        }
        let mut last: Vec<Option<ExternalValue>> = vec![None; self.program.atoms.len()];
        for atom in self.program.theory.free_atoms(0) {
            last[atom.0 as usize] = Some(ExternalValue::Free);
        }
        for &(a, v) in &self.program.externals {
            last[a.0 as usize] = Some(v);
        }
        last[..given].fill(Some(ExternalValue::Free));
        for h in derived_since(self.program, self.previous.rules) {
            last[h.0 as usize] = None;
        }
        let mut externals = Vec::new();
        for (i, v) in last.into_iter().enumerate() {
            if let Some(v) = v.filter(|&v| v != ExternalValue::Release && self.values[i] == Value::Unknown) {
                if i >= given {
                    externals.push((AtomId(i as u32), v));
                }
                self.support(AtomId(i as u32), Node::TRUE, true);
            }
        }
        externals
    }
}
