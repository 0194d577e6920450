//! What a ground program means as constraints: the axioms of a proof.
//!
//! An answer set satisfies all of these, if the variables of bodies have the values of what they stand for:
//!
//! - a body's variable holds if and only if the body does (a body that is one literal is that literal);
//! - if the body of a rule holds, so does one of its heads, unless they are chosen;
//! - an atom that holds has a *support*: a rule with it in the head whose body holds and, for a disjunction, whose other
//!   heads are false; rules whose bodies cannot hold without the atom itself are no supports;
//! - more generally, no set of true atoms is *unfounded*. A set is unfounded if each rule with one of its atoms in the head
//!   has a body that fails or that needs an atom of the set, or (a disjunction) has another true head outside the set. So if
//!   there are literals, the *escapes*, such that all rules are like that when all escapes are false, then an atom of the
//!   set holds only if an escape does;
//! - the edges that are there form no cycle.
//!
//! Source: Clark, *Negation as failure*, 1978; Leone, Rullo and Scarcello, *Disjunctive stable models*, 1997; Faber,
//! *Unfounded sets for disjunctive logic programs with arbitrary aggregates*, LPNMR 2005.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::aspif::{Literal, Program, Rule};
use crate::constraint::{Constraint, Lit, Name, Names};
use crate::{Checked, reject};

/// A body as the constraints see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Body {
    /// It always holds.
    True,
    /// It holds if a literal does.
    Literal(Lit),
    /// It is only in an integrity constraint, and has no variable.
    Unnamed,
}

/// The variables of a program, and its axioms.
#[derive(Debug)]
pub struct Axioms<'a> {
    program: &'a Program,
    /// The names of variables.
    pub names: Names,
    /// By rule.
    bodies: Vec<Body>,
    /// By atom: its rules.
    rules_of: Vec<Vec<usize>>,
    /// The completion, without what is trivial.
    pub completion: Vec<Constraint>,
}

impl<'a> Axioms<'a> {
    /// The axioms of a program with this many atoms.
    pub fn new(program: &'a Program, atoms: u32) -> Checked<Axioms<'a>> {
        if atoms < program.atoms {
            return reject("the program has more atoms than the claim says");
        }
        let mut names = Names::default();
        for atom in 1..=atoms {
            names.var(Name::Atom(atom));
        }
        let mut rules_of = vec![Vec::new(); atoms as usize + 1];
        for (i, rule) in program.rules.iter().enumerate() {
            for &head in &rule.heads {
                rules_of[head as usize].push(i);
            }
        }
        let mut axioms = Axioms { program, names, bodies: Vec::new(), rules_of, completion: Vec::new() };
        axioms.complete(atoms)?;
        Ok(axioms)
    }

    /// The literal of a literal of the program.
    pub fn literal(&mut self, literal: Literal) -> Lit {
        Lit::new(self.names.var(Name::Atom(literal.unsigned_abs())), literal < 0)
    }

    /// Adds an axiom, unless it is trivial.
    fn add(&mut self, terms: Vec<(i128, Lit)>, degree: i128) -> Checked<()> {
        let axiom = Constraint::new(terms, degree)?;
        if !axiom.is_trivial() {
            self.completion.push(axiom);
        }
        Ok(())
    }

    /// `own` holds if and only if the sum of the terms reaches the bound.
    fn define(&mut self, own: Lit, terms: &[(i128, Lit)], bound: i128) -> Checked<()> {
        let rest = terms.iter().map(|t| t.0).sum::<i128>() - bound + 1;
        let holds = terms.iter().copied().chain([(bound, !own)]).collect();
        let fails = terms.iter().map(|&(w, l)| (w, !l)).chain([(rest, own)]).collect();
        self.add(holds, bound)?;
        self.add(fails, rest)
    }

    fn complete(&mut self, atoms: u32) -> Checked<()> {
        let program = self.program;
        // By bound and terms.
        type Sum<'p> = (i128, &'p [(Literal, i128)]);
        let mut known: HashMap<Sum<'_>, Lit> = HashMap::new();
        for (number, rule) in (1..).zip(&program.rules) {
            let terms: Vec<(i128, Lit)> = rule.body.iter().map(|&(l, w)| (w, self.literal(l))).collect();
            let body = match *terms.as_slice() {
                _ if rule.bound <= 0 => Body::True,
                [(weight, literal)] if weight >= rule.bound => Body::Literal(literal),
                _ if rule.heads.is_empty() => Body::Unnamed,
                _ => Body::Literal(match known.get(&(rule.bound, rule.body.as_slice())) {
                    Some(&own) => own,
                    None => {
                        let own = Lit::new(self.names.var(Name::Body(number)), false);
                        known.insert((rule.bound, rule.body.as_slice()), own);
                        self.define(own, &terms, rule.bound)?;
                        own
                    }
                }),
            };
            self.bodies.push(body);
            self.satisfy(rule, body, &terms)?;
            if is_disjunctive(rule) {
                for &head in &rule.heads {
                    let own = Lit::new(self.names.var(Name::Head(number, head)), false);
                    let others = rule.heads.iter().filter(|&&h| h != head);
                    let mut terms: Vec<(i128, Lit)> =
                        others.map(|&h| (1, Lit::new(self.names.var(Name::Atom(h)), true))).collect();
                    let all = rule.heads.len() as i128;
                    match body {
                        Body::Literal(body) => {
                            terms.push((1, body));
                            self.define(own, &terms, all)?;
                        }
                        _ => self.define(own, &terms, all - 1)?,
                    }
                }
            }
        }
        for atom in 1..=atoms {
            self.support(atom)?;
        }
        let forced = program.externals.iter().filter(|e| *e.1 == Some(true)).map(|e| *e.0 as Literal);
        let given: Vec<Literal> = forced.chain(program.assumptions.iter().copied()).collect();
        for literal in given {
            let literal = self.literal(literal);
            self.add(vec![(1, literal)], 1)?;
        }
        Ok(())
    }

    /// The rule holds.
    fn satisfy(&mut self, rule: &Rule, body: Body, terms: &[(i128, Lit)]) -> Checked<()> {
        if rule.choice {
            return Ok(());
        }
        let mut clause: Vec<(i128, Lit)> =
            rule.heads.iter().map(|&h| (1, self.literal(h as Literal))).collect();
        match body {
            Body::True => {}
            Body::Literal(body) => clause.push((1, !body)),
            Body::Unnamed => {
                let total: i128 = terms.iter().map(|t| t.0).sum();
                let fails = terms.iter().map(|&(w, l)| (w, !l)).collect();
                return self.add(fails, total - rule.bound + 1);
            }
        }
        self.add(clause, 1)
    }

    /// An atom that holds has a support.
    fn support(&mut self, atom: u32) -> Checked<()> {
        if self.program.externals.get(&atom).is_some_and(|value| *value != Some(false)) {
            return Ok(());
        }
        let alone = HashSet::from([atom]);
        let mut clause = vec![(1, Lit::new(self.names.var(Name::Atom(atom)), true))];
        for i in self.rules_of[atom as usize].clone() {
            let rule = &self.program.rules[i];
            if needs(rule, &alone) {
                continue;
            }
            let support = if is_disjunctive(rule) {
                Lit::new(self.names.var(Name::Head(i as u32 + 1, atom)), false)
            } else {
                match self.bodies[i] {
                    Body::Literal(body) => body,
                    _ => return Ok(()),
                }
            };
            clause.push((1, support));
        }
        // A rule may support an atom twice over.
        clause.sort_by_key(|t| t.1);
        clause.dedup();
        self.add(clause, 1)
    }

    /// Checks that a constraint follows from a set of atoms being unfounded when its other literals are false.
    ///
    /// The constraint is `sum of ~a over the set + n * (sum of escapes) >= n`, where `n` is the size of the set.
    pub fn check_loop(&mut self, atoms: &[u32], constraint: &Constraint) -> Checked<()> {
        let set: HashSet<u32> = atoms.iter().copied().collect();
        let size = set.len() as i128;
        if size == 0 || size != atoms.len() as i128 {
            return reject("an unfounded set is empty or has an atom twice");
        }
        let mut members = HashSet::new();
        for &atom in atoms {
            if atom as usize >= self.rules_of.len() {
                return reject("an unfounded set has an unknown atom");
            }
            if self.program.externals.get(&atom).is_some_and(|value| *value != Some(false)) {
                return reject("an unfounded set has an external atom");
            }
            members.insert(Lit::new(self.names.var(Name::Atom(atom)), true));
        }
        let mut escapes: HashSet<Lit> = HashSet::new();
        for &(weight, lit) in &constraint.terms {
            // That a member is false may be an escape, too.
            let escape = weight - i128::from(members.remove(&lit));
            if escape == size {
                escapes.insert(lit);
            } else if escape != 0 {
                return reject("the constraint of an unfounded set has a wrong weight");
            }
        }
        if !members.is_empty() || constraint.degree != size {
            return reject("the constraint of an unfounded set is not about all of its atoms");
        }
        let mut seen = HashSet::new();
        for &atom in atoms {
            for i in self.rules_of[atom as usize].clone() {
                if seen.insert(i) && !self.is_blocked(i, &set, &escapes) {
                    return reject(format!("a set of atoms is not unfounded: rule {} supports it", i + 1));
                }
            }
        }
        Ok(())
    }

    /// Checks that a constraint says that not all of some edges are there. They must form a cycle, each beginning where the one
    /// before ends.
    pub fn check_cycle(&mut self, numbers: &[usize], constraint: &Constraint) -> Checked<()> {
        let program = self.program;
        let edge = |&n: &usize| n.checked_sub(1).and_then(|at| program.edges.get(at));
        let Some(edges) = numbers.iter().map(edge).collect::<Option<Vec<_>>>() else {
            return reject("a cycle has an unknown edge");
        };
        let next = edges.iter().cycle().skip(1);
        if edges.is_empty() || edges.iter().zip(next).any(|(edge, next)| edge.to != next.from) {
            return reject("the edges of a witness form no cycle");
        }
        let conditions: BTreeSet<Literal> = edges.iter().flat_map(|e| e.condition.iter().copied()).collect();
        let gone = Constraint::clause(conditions.into_iter().map(|l| !self.literal(l)))?;
        if gone == *constraint { Ok(()) } else { reject("the constraint of a cycle is not about its edges") }
    }

    /// Whether a rule cannot derive an atom of the set from outside when all escapes are false.
    fn is_blocked(&mut self, i: usize, set: &HashSet<u32>, escapes: &HashSet<Lit>) -> bool {
        let rule = &self.program.rules[i];
        // Its body fails.
        if matches!(self.bodies[i], Body::Literal(body) if escapes.contains(&body)) {
            return true;
        }
        // Its body needs atoms of the set, or literals that are escapes.
        let mut most = 0;
        for &(literal, weight) in &rule.body {
            let inside = literal > 0 && set.contains(&literal.unsigned_abs());
            if !inside && !escapes.contains(&self.literal(literal)) {
                most += weight;
            }
        }
        if most < rule.bound {
            return true;
        }
        if !is_disjunctive(rule) {
            return false;
        }
        // A head outside the set is true whenever the body holds.
        let mut others = rule.heads.iter().filter(|h| !set.contains(h));
        if others.any(|&h| needs(rule, &HashSet::from([h]))) {
            return true;
        }
        // Another head is true, whether we know it or have only "the body fails or another head holds".
        let mut others = rule.heads.iter().filter(|h| !set.contains(h));
        if others.any(|&h| escapes.contains(&!self.literal(h as Literal))) {
            return true;
        }
        let inside: Vec<u32> = rule.heads.iter().copied().filter(|h| set.contains(h)).collect();
        match *inside.as_slice() {
            [head] => escapes.contains(&Lit::new(self.names.var(Name::Head(i as u32 + 1, head)), false)),
            _ => false,
        }
    }
}

/// Whether one of several heads must hold.
pub fn is_disjunctive(rule: &Rule) -> bool {
    !rule.choice && rule.heads.len() > 1
}

/// Whether a body cannot hold without atoms of a set.
fn needs(rule: &Rule, set: &HashSet<u32>) -> bool {
    let outside = rule.body.iter().filter(|t| t.0 < 0 || !set.contains(&t.0.unsigned_abs()));
    outside.map(|t| t.1).sum::<i128>() < rule.bound
}
