//! Proof steps of core-guided optimisation: counters, cores, and the resulting bounds on costs.
//!
//! A counter's output is a new variable, defined in both directions. A core is a clause, `S >= 1` of its literals `S`, and the
//! outputs `z2, ..., zn` of its counter, "at least so many hold", give `S >= 1 + z2 + ... + zn`: `n - 1` times what was known
//! of one output less, the definition of the new one, and "it is 0 or 1" of all others, divided by `n`. The demanded costs plus
//! these, as often as was paid, are the demand in terms of what is left to be paid: at the end a contradiction, and before that
//! it shows which literals are too costly.
//! Invariant: what is paid for an output is at most what was paid for the one before.
//! Source: Berg, Bogaerts, Nordström, Oertel and Vandesande, *Certified core-guided MaxSAT solving*, CADE 2023.

use super::rules::{FALSE, Name, TRUE};
use super::sums::{Side, Source, Step, put_multiple, put_step};
use super::{ProofLog, put_number};
use crate::store::literal::Lit;

/// A new variable that holds if and only if at least some number of literals do.
pub(super) struct Output {
    pub(super) members: Vec<Name>,
    /// That they reach the number if it holds, and that they miss it otherwise.
    pub(super) steps: [Step; 2],
}

/// Literals of which at least one holds, or does if another literal, the carry, does.
struct Core {
    carry: Option<Name>,
    /// The second and further outputs.
    outputs: Vec<Name>,
    /// By number of outputs: what holds with them.
    steps: Vec<Step>,
    /// By number of outputs: what was paid for the last of them; first for the core.
    paid: Vec<i128>,
}

/// The cores that were paid for.
#[derive(Default)]
pub(super) struct Ledger {
    cores: Vec<Core>,
}

impl ProofLog {
    /// Defines a new variable: at least `n` of the members hold. It belongs to the next sum that is added.
    pub fn define(&mut self, own: Lit, members: &[Lit], n: usize) {
        let name = self.lits.len() as Name;
        self.lits.push(own);
        self.name(own, name);
        let members: Vec<Name> = members.iter().map(|&l| self.name_of(l)).collect();
        if members.iter().any(|m| m.abs() == TRUE) {
            self.leave_gap("a core has a constant");
        }
        let reaches = self.define_side(&members, -name, n);
        let complements: Vec<Name> = members.iter().map(|m| -m).collect();
        let misses = self.define_side(&complements, name, members.len() + 1 - n);
        let number = self.sums.outputs.len();
        self.sums.outputs.push(Output { members, steps: [reaches, misses] });
        self.sum_is(Some(Side { source: Source::Output(number), misses: false }));
    }
    /// This many of the terms hold, or `own` does.
    fn define_side(&mut self, terms: &[Name], own: Name, n: usize) -> Step {
        let label = self.begin(b"red");
        let weighted = terms.iter().map(|&t| (t, 1)).chain([(own, n)]);
        for (name, weight) in weighted {
            self.line.push(b' ');
            put_number(weight, &mut self.line);
            self.line.push(b' ');
            self.rules.put_name(name, &mut self.line);
        }
        self.line.extend_from_slice(b" >= ");
        put_number(n, &mut self.line);
        self.line.extend_from_slice(b" : ");
        self.rules.put_name(own.abs(), &mut self.line);
        self.line.extend_from_slice(if own > 0 { b" -> 1 ;\n" } else { b" -> 0 ;\n" });
        self.flush_line();
        Step::Label(label)
    }

    /// A core-guided search begins.
    pub fn begin_cores(&mut self) {
        self.ledger = Ledger::default();
    }
    /// At least one of the literals holds, if the carry does; this core was paid for. Returns its number.
    pub fn core(&mut self, literals: &[Lit], carry: Option<Lit>, paid: i128) -> usize {
        let mut names: Vec<Name> = literals.iter().map(|&l| self.name_of(l)).collect();
        let carry = carry.map(|l| self.name_of(l));
        names.extend(carry.map(|c| -c));
        let step = Step::Label(self.clause(&names));
        self.ledger.cores.push(Core { carry, outputs: Vec::new(), steps: vec![step], paid: vec![paid] });
        self.ledger.cores.len() - 1
    }
    /// Others are paid for in place of this core.
    pub fn replace_core(&mut self, core: usize) {
        self.ledger.cores[core].paid.clear();
    }
    /// The next output of a core's counter is this one, and is paid for.
    pub fn add_output(&mut self, core: usize, own: Lit, paid: i128) {
        let name = self.name_of(own);
        let Core { carry, outputs, steps, .. } = &self.ledger.cores[core];
        let number = name as usize - self.rules.num_vars() - 1;
        let (Some(&known), Some(output)) = (steps.last(), self.sums.outputs.get(number)) else { return };
        let n = outputs.len() as u64 + 2;
        let mut text = Vec::new();
        put_step(known, &mut text);
        text.push(b' ');
        put_number(n - 1, &mut text);
        text.extend_from_slice(b" *");
        put_step(output.steps[0], &mut text);
        text.extend_from_slice(b" +");
        for &other in outputs.iter().chain(carry) {
            text.push(b' ');
            self.rules.put_name(-other, &mut text);
            text.extend_from_slice(b" +");
        }
        text.push(b' ');
        put_number(n, &mut text);
        text.extend_from_slice(b" d");
        let step = Step::Label(self.pol(&text));
        let core = &mut self.ledger.cores[core];
        core.outputs.push(name);
        core.steps.push(step);
        core.paid.push(paid);
    }
    /// More is paid for the `n`-th output of a core's counter.
    pub fn pay_output(&mut self, core: usize, n: usize, paid: i128) {
        if let Some(known) = self.ledger.cores[core].paid.get_mut(n - 1) {
            *known += paid;
        }
    }
    /// No model costs less than the best one.
    pub fn close(&mut self) {
        self.reformulate();
        self.implies(self.rules.cheaper.unwrap_or(TRUE), FALSE);
        self.drop_pending();
    }
    /// The demanded costs, in terms of what remains to be paid. Deleted after the next clause.
    fn reformulate(&mut self) {
        let Some(demand) = self.demand_step() else { return };
        let mut text = Vec::new();
        put_step(demand, &mut text);
        for core in &self.ledger.cores {
            let next = core.paid.iter().skip(1).chain([&0]);
            for ((&step, paid), next) in core.steps.iter().zip(&core.paid).zip(next) {
                if paid > next {
                    put_step(step, &mut text);
                    put_multiple((paid - next).unsigned_abs(), &mut text);
                }
            }
        }
        let label = self.pol(&text);
        self.sums.pending.push(label);
    }
    /// Literals that what is left to be paid excludes.
    pub fn too_costly(&mut self, literals: impl Iterator<Item = Lit>) {
        self.reformulate();
        self.facts(literals.map(|l| !l));
    }
}
