//! Proofs of a call's results: what can be proven, the log of the search, and the files.
//!
//! A claim is about the ground program: it has certain answer sets, and with one more constraint ("none of these answer
//! sets", "costs less than the last one", "another consequence") it has none. Invariant: what cannot be proven is refused
//! beforehand, with a reason.

use std::io;

use super::Control;
use asp_base::map::Map;
use asp_engine::proof::opb::Opb;
use asp_engine::proof::rules::{FALSE, Name, TRUE};
use asp_engine::proof::{Loop, ProofEnd, ProofSink};
use asp_integers::write_plain;
use asp_program::ground_program::{Literals, Show};
use asp_program::{Literal, Program, RuleSource};
use asp_solve::optimize::combined::{Combined, combined};
use asp_solve::translate::proof::name_of;
use asp_solve::{EnumMode, OptMode, Projection, SolveOptions, SolveResult};

/// The claim of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The answer sets found are some.
    Some,
    /// They are all, perhaps none.
    All,
    /// They are all, up to what is shown.
    Shown,
    /// They are all, up to projection.
    Projected,
    /// The last one is optimal.
    Optimum,
    /// Their intersection is that of all answer sets.
    Cautious,
    /// Their union is that of all answer sets.
    Brave,
}

impl Claim {
    fn word(self) -> &'static str {
        match self {
            Claim::Some => "some",
            Claim::All => "all",
            Claim::Shown => "shown",
            Claim::Projected => "projected",
            Claim::Optimum => "optimum",
            Claim::Cautious => "cautious",
            Claim::Brave => "brave",
        }
    }
}

/// A proof without its steps, which have been written.
pub struct Proof {
    /// The claim, and the answer sets.
    pub claim: Vec<u8>,
    /// The constraints in OPB.
    pub formula: Vec<u8>,
    /// How many constraints the formula has.
    pub constraints: u64,
    /// The unfounded sets, one for each of the last constraints.
    pub witnesses: Vec<u8>,
    /// Whether the steps end in a contradiction, so that nothing is left. Otherwise they say nothing, and are left out.
    pub is_refuted: bool,
}

impl Proof {
    /// The text before the steps, given the number of constraints, which does not change its length.
    pub fn head(constraints: u64) -> String {
        format!("pseudo-Boolean proof version 3.0\nf {constraints:20} ;\n")
    }
    /// The text after the steps.
    pub fn end(&self) -> String {
        let conclusion = if self.is_refuted {
            "rup >= 1 ;\noutput NONE ;\nconclusion UNSAT"
        } else {
            "output NONE ;\nconclusion NONE"
        };
        format!("{conclusion} ;\nend pseudo-Boolean proof ;\n")
    }
}

/// The options with which a call like this can be proven; the error says what cannot.
pub fn options_for_proof(options: &SolveOptions) -> Result<SolveOptions, &'static str> {
    let mut options = options.clone();
    match options.enum_mode {
        EnumMode::Auto | EnumMode::Backtrack | EnumMode::Record => options.enum_mode = EnumMode::Record,
        EnumMode::Brave | EnumMode::Cautious => {}
        EnumMode::Query => return Err("consequences by '--enum-mode=query'"),
        EnumMode::DomainRecord | EnumMode::User => return Err("this enumeration mode"),
    }
    let refused = [
        (options.threads > 1, "a search by several threads"),
        (
            !options.undistinguished.is_empty(),
            "a projection that leaves out names beginning with an underscore (hide them: '#show')",
        ),
        (options.translate.supported, "supported models"),
        (!options.solver.learning.enabled, "a search that learns nothing"),
        (
            !options.opt_bounds.is_empty(),
            "what bounds of costs exclude (an optimum can be: '--opt-mode' without bounds)",
        ),
        (options.lemmas.is_some(), "a search whose nogoods are written"),
        (
            options.projection == Projection::Project
                && matches!(options.enum_mode, EnumMode::Brave | EnumMode::Cautious),
            "consequences of atoms that a directive names",
        ),
    ];
    if let Some((_, what)) = refused.into_iter().find(|r| r.0) {
        return Err(what);
    }
    Ok(options)
}

impl Control {
    /// Prepares the lowered program for a proof of a call with these options; the error says what cannot be proven.
    #[doc(hidden)] // For the other crates, not for users.
    pub fn prepare_proof(&mut self, options: &SolveOptions) -> Result<(), &'static str> {
        self.may_prove(options)?;
        let consequences = matches!(options.enum_mode, EnumMode::Brave | EnumMode::Cautious);
        let tells = consequences || options.projection == Projection::Show;
        let again = self.shown_again(tells)?;
        write_plain(&mut self.program)?;
        if options.projection == Projection::Project {
            // Without a directive, on nothing.
            self.program.project.get_or_insert_default();
        }
        // A term is written with one condition; its atom is to be one of the program, which the proof is about.
        for places in again {
            self.join_conditions(&places);
        }
        if tells {
            for i in 0..self.program.shows.len() {
                self.program.shows[i].condition = self.one_literal(self.program.shows[i].condition);
            }
        }
        for i in 0..self.program.edges.len() {
            self.program.edges[i].condition = self.one_literal(self.program.edges[i].condition);
        }
        Ok(())
    }

    /// An equivalent condition of at most one literal: several literals get an atom.
    fn one_literal(&mut self, condition: Literals) -> Literals {
        let p = &mut self.program;
        let literals = p.literals(condition).to_vec();
        if literals.len() < 2 {
            return condition;
        }
        let atom = p.atoms.add_aux();
        p.rules.add(false, &[atom], &literals, RuleSource::NONE);
        p.push_literals(&[Literal::pos(atom)])
    }

    /// The places of each term that is shown several times. Fails if that `matters` and the term looks like an atom.
    fn shown_again(&self, matters: bool) -> Result<Vec<Vec<usize>>, &'static str> {
        let (p, mut number_of, mut places) = (&self.program, Map::default(), Vec::<Vec<usize>>::new());
        for (i, show) in p.shows.iter().enumerate() {
            let mut text = String::new();
            p.write_shown(show.item, &self.symbols, &mut text);
            let next = places.len();
            let number = *number_of.entry(text).or_insert(next);
            if number == next {
                places.push(Vec::new());
            }
            places[number].push(i);
        }
        places.retain(|all| all.len() > 1);
        // To the solver these differ.
        let is_atom = |i: &usize| p.shows[*i].item.plain_term().is_none();
        if matters && places.iter().flatten().any(is_atom) {
            return Err("what is shown, where a term looks like a shown atom,");
        }
        places.iter_mut().for_each(|all| all.retain(|i| !is_atom(i)));
        places.retain(|all| all.len() > 1);
        Ok(places)
    }

    /// Gives a term shown at several places one condition: an atom derived by each of its conditions.
    fn join_conditions(&mut self, places: &[usize]) {
        let p = &mut self.program;
        let conditions: Vec<Vec<Literal>> =
            places.iter().map(|&i| p.literals(p.shows[i].condition).to_vec()).collect();
        let joined = if conditions.iter().any(Vec::is_empty) {
            p.push_literals(&[])
        } else {
            let atom = p.atoms.add_aux();
            for condition in &conditions {
                p.rules.add(false, &[atom], condition, RuleSource::NONE);
            }
            p.push_literals(&[Literal::pos(atom)])
        };
        places.iter().for_each(|&i| p.shows[i].condition = joined);
    }

    fn may_prove(&self, options: &SolveOptions) -> Result<(), &'static str> {
        let p = &self.program;
        let derived = |a: &asp_program::AtomId| p.rules.iter().any(|r| r.head.atoms().contains(a));
        let consequences = matches!(options.enum_mode, EnumMode::Brave | EnumMode::Cautious);
        let optimises = !p.objectives.is_empty() && matches!(options.opt_mode, OptMode::Opt | OptMode::OptN);
        let refused = [
            (self.texts.incremental || self.came_in_steps(), "a program in steps"),
            (!p.theory.atoms.is_empty() && !p.theory.integers, "theory atoms"),
            (p.externals.iter().any(|e| derived(&e.0)), "external atoms that rules derive"),
            (self.session.has_callers() || !self.callbacks.propagators.is_empty(), "propagators"),
            (
                consequences && optimises && options.opt_mode == OptMode::Opt,
                "consequences while the optimum is searched for (those of optimal answer sets: '--opt-mode=optN')",
            ),
            (optimises && combined(p).is_none(), "costs whose levels together exceed 64 bits"),
        ];
        refused.into_iter().find(|r| r.0).map_or(Ok(()), |(_, what)| Err(what))
    }

    /// Logs the steps of the next call, which must be the only one.
    #[doc(hidden)] // For the other crates, not for users.
    pub fn log_proof(&mut self, sink: ProofSink) {
        self.session.log_proof(sink);
    }

    /// Ends the log after the call. `None` if nothing was logged; an error says why there is no proof.
    #[doc(hidden)] // For the other crates, not for users.
    pub fn take_proof(&mut self, options: &SolveOptions, result: &SolveResult) -> Option<io::Result<Proof>> {
        let end = self.session.take_proof()?;
        if let Some(error) = end.error {
            return Some(Err(error));
        }
        let optimises = !self.program.objectives.is_empty() && result.satisfiable && result.exhausted;
        let optimal = optimises && options.opt_mode == OptMode::OptN;
        let claim = match options.enum_mode {
            _ if !result.exhausted => Claim::Some,
            EnumMode::Cautious if result.satisfiable => Claim::Cautious,
            EnumMode::Brave if result.satisfiable => Claim::Brave,
            _ if optimises && options.opt_mode == OptMode::Opt => Claim::Optimum,
            _ if options.projection == Projection::Show => Claim::Shown,
            _ if options.projection == Projection::Project => Claim::Projected,
            _ => Claim::All,
        };
        if claim == Claim::Some && end.models.is_empty() {
            return Some(Err(io::Error::other("the search ended before it found anything")));
        }
        let gap = end.gap.filter(|_| claim != Claim::Some);
        Some(gap.map_or(Ok(self.proof(end, claim, optimal)), |why| Err(io::Error::other(why))))
    }

    /// `optimal`: of the optimal answer sets only.
    fn proof(&self, mut end: ProofEnd, claim: Claim, optimal: bool) -> Proof {
        if claim == Claim::Some {
            end.loops.clear();
        }
        if claim == Claim::Optimum {
            end.models.drain(..end.models.len().saturating_sub(1));
        }
        let atoms = self.program.atoms.len();
        for model in &mut end.models {
            // The atom for constant costs.
            model.resize(end.rules.num_atoms().max(atoms), true);
        }
        let (which, atoms) = (if optimal { "optimal " } else { "" }, end.rules.num_atoms());
        let mut text = format!("asp-proof 1\nclaim {which}{}\natoms {atoms}\n", claim.word());
        for model in &end.models {
            text.push_str("model");
            model.iter().enumerate().filter(|m| *m.1).for_each(|(a, _)| put(a + 1, &mut text));
            text.push('\n');
        }
        let mut opb = Opb::new(&end.rules);
        opb.completion();
        if optimal || claim == Claim::Optimum {
            demand_cost(&self.program, &end.models, &mut opb);
        }
        let or = end.rules.cheaper.filter(|_| optimal).unwrap_or(FALSE);
        demand(&self.program, &end.models, claim, or, &mut opb);
        let mut witnesses = String::new();
        for found in &end.loops {
            opb.add_loop(found);
            let (word, numbers) = match found {
                Loop::Unfounded { atoms, .. } => ("", atoms),
                Loop::Cycle { edges, .. } => ("edges", edges),
            };
            witnesses.push_str(word);
            numbers.iter().for_each(|&n| put(n, &mut witnesses));
            witnesses.push('\n');
        }
        let (count, mut formula) = (opb.count, opb.text);
        let head = format!("* #variable= {} #constraint= {count}\n", end.rules.num_vars());
        formula.splice(0..0, head.into_bytes());
        Proof {
            claim: text.into_bytes(),
            formula,
            constraints: count,
            witnesses: witnesses.into_bytes(),
            is_refuted: claim != Claim::Some,
        }
    }
}

/// Appends a number after a space.
fn put(number: impl itoa::Integer, text: &mut String) {
    text.push(' ');
    text.push_str(itoa::Buffer::new().format(number));
}

/// Bounds the costs by the last model's; strictly, if the proof is only about cheaper ones or their literal holds.
fn demand_cost(program: &Program, models: &[Vec<bool>], opb: &mut Opb<'_>) {
    let Combined { terms: sum, constant, .. } = combined(program).unwrap_or_default();
    let held = models.last().into_iter().flat_map(|m| sum.iter().filter(|t| holds(m, t.0)));
    let cost: i128 = held.map(|t| i128::from(t.1)).sum();
    let constant = opb.rules.truth().map(|truth| (truth, constant));
    let cost = cost + constant.map_or(0, |t| t.1);
    let terms = sum.iter().map(|&(l, w)| (name_of(l), i128::from(w))).chain(constant);
    let less = (opb.rules.cheaper.unwrap_or(TRUE), 1);
    opb.add(terms.chain([less]).map(|(l, w)| (l, -w)), -cost);
}

fn holds(model: &[bool], l: Literal) -> bool {
    model[l.atom().0 as usize] != l.is_neg()
}

/// The constraint that cannot be satisfied in addition if the claim holds, unless a literal holds.
fn demand(program: &Program, models: &[Vec<bool>], claim: Claim, or: Name, opb: &mut Opb<'_>) {
    match claim {
        Claim::Some | Claim::Optimum => {}
        Claim::All => {
            for model in models {
                let other = |(a, &held): (usize, &bool)| {
                    let name = a as Name + 1;
                    (if held { -name } else { name }, 1)
                };
                opb.add(model.iter().enumerate().map(other).chain([(or, 1)]), 1);
            }
        }
        Claim::Shown | Claim::Projected => {
            let mut shown: Vec<Literal> = if claim == Claim::Shown {
                let shown = program.shows.iter().filter_map(|s| program.literals(s.condition).first());
                shown.copied().collect()
            } else {
                program.project.iter().flatten().map(|&a| Literal::pos(a)).collect()
            };
            shown.sort_unstable();
            shown.dedup();
            for model in models {
                let other = |&l: &Literal| if holds(model, l) { -name_of(l) } else { name_of(l) };
                let mut others: Vec<Name> = shown.iter().map(other).chain([or]).collect();
                // A literal and its complement may both be shown: the values of a variable that has two.
                others.sort_unstable();
                others.dedup();
                opb.add(others.into_iter().map(|n| (n, 1)), 1);
            }
        }
        Claim::Cautious | Claim::Brave => {
            let brave = claim == Claim::Brave;
            let shown = program.shows.iter().filter(|s| {
                let condition = program.literals(s.condition);
                let held = |m: &Vec<bool>| condition.iter().all(|&l| holds(m, l));
                if brave { !models.iter().any(held) } else { models.iter().all(held) }
            });
            let change = |s: &Show| {
                program.literals(s.condition).first().map(|&l| if brave { name_of(l) } else { -name_of(l) })
            };
            let mut names: Vec<Name> = shown.filter_map(change).chain([or]).collect();
            names.sort_unstable();
            names.dedup();
            opb.add(names.into_iter().map(|n| (n, 1)), 1);
        }
    }
}
