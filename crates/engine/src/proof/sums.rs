//! Steps for sums: their constraints with the engine's variables, and what at-most-one groups inside them imply.
//!
//! A sum with blocks propagates more than its constraint, since only the best literal left of a block counts. If the literals left
//! weigh at most `m`, the constraint plus `m` times "at most one of the block" says that to unit propagation; if `m` is negative,
//! `-m` times "at least one" does. One such step is written for each explanation, and deleted after what was learned from it.
//! "At most one" is derived when it is first needed, from an axiom that has the whole group, else from its pairs.
//! Invariant: which literals are left is seen from the clause of the explanation alone, so a wrong explanation is no valid step.
//! Source: Gocht, Martins, Nordström and Oertel, *Certified CNF translations for pseudo-Boolean solving*, SAT 2022.

use super::cores::Output;
use super::opb::Opb;
use super::rules::{FALSE, Name, TRUE};
use super::{ProofLog, put_number};
use crate::store::assignment::{Assignment, ReasonKind};
use crate::store::literal::{Lit, Var};
use asp_base::map::{Map, Set};

/// The origin of a sum in the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// The body of a rule, by its position.
    Rule(usize),
    /// The costs that a proof demands.
    Demand,
    /// The sum of a counter, by the number of its output.
    Output(usize),
}

/// One direction of a sum's definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Side {
    /// Its definition.
    pub source: Source,
    /// That the sum misses its bound, not that it reaches it.
    pub misses: bool,
}

impl Side {
    pub(crate) fn other(self) -> Self {
        Self { misses: !self.misses, ..self }
    }
}

/// A constraint of the proof.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Axiom(u64),
    Label(u64),
}

/// A constraint with the engine's variables, `sum of weights >= degree`.
struct Derived {
    step: Step,
    /// By variable: the weight of its positive literal.
    weights: Map<Var, i128>,
    /// With the names that the step has.
    terms: Vec<(Name, i128)>,
}

/// An at-most-one set of literals.
struct Block {
    members: Vec<Lit>,
    at_most: Option<Step>,
    at_least: Option<Step>,
}

/// An installed sum with blocks.
struct Installed {
    /// The side implied by a literal; [`Lit::NONE`] for the unconditional one.
    sides: Map<Lit, Side>,
    /// Blocks, and whether one literal of each holds.
    blocks: Vec<(u32, bool)>,
}

#[derive(Default)]
pub(super) struct Sums {
    /// The origin of the sum being added.
    origin: Option<Side>,
    /// By node of the translation: the rule whose body gave it its name.
    rules: Map<usize, usize>,
    /// The costs, if the proof demands less.
    demand: Vec<(Name, i128)>,
    /// The outputs of counters, in the order of their names.
    pub(super) outputs: Vec<Output>,
    derived: Vec<Derived>,
    by_side: Map<Side, Option<usize>>,
    /// By literal of the program: the label of the clause for "it implies the engine's literal".
    renamed: Map<Name, u64>,
    blocks: Vec<Block>,
    known_blocks: Map<Vec<Lit>, u32>,
    /// By weight constraint of the engine.
    installed: Vec<Option<Installed>>,
    /// By literal: rules that are at-most-one groups with it.
    groups: Option<Map<Lit, Vec<usize>>>,
    /// Steps to be deleted after the next clause, and what they say.
    pub(super) pending: Vec<u64>,
    explained: Set<Vec<u8>>,
    /// By literal: whether it is in the current clause.
    marks: Vec<bool>,
}

impl ProofLog {
    /// The sum of a rule's body has become a node of the translation.
    pub fn note_node(&mut self, node: usize, rule: usize) {
        self.sums.rules.entry(node).or_insert(rule);
    }
    /// The next sum that is added to the engine is the body of this node.
    pub fn sum_of_node(&mut self, node: usize) {
        self.sums.origin =
            self.sums.rules.get(&node).map(|&rule| Side { source: Source::Rule(rule), misses: false });
    }
    /// The next sum added to the engine is this one; `None`: no sum is being added any more.
    pub fn sum_is(&mut self, origin: Option<Side>) {
        self.sums.origin = origin;
    }
    /// The sum being added is the negation of its origin.
    pub fn negate_sum(&mut self) {
        self.sums.origin = self.sums.origin.map(Side::other);
    }
    /// The origin of the sum being added.
    pub(crate) fn origin(&self) -> Option<Side> {
        self.sums.origin
    }
    /// The proof demands costs.
    pub fn demand(&mut self, terms: Vec<(Name, i128)>) {
        self.sums.demand = terms;
        self.merge_terms(Source::Demand);
    }
    /// An installed sum has blocks. Explanations of it are logged from now on.
    pub(crate) fn install(
        &mut self,
        constraint: u32,
        sides: impl Iterator<Item = (Lit, Side)>,
        blocks: &[&(bool, Vec<(Lit, i64)>)],
    ) {
        let known = &mut self.sums.known_blocks;
        let mut numbers = Vec::with_capacity(blocks.len());
        for (exact, terms) in blocks {
            let mut members: Vec<Lit> = terms.iter().map(|t| t.0).collect();
            members.sort_unstable();
            let next = self.sums.blocks.len() as u32;
            let number = *known.entry(members.clone()).or_insert(next);
            if number == next {
                self.sums.blocks.push(Block { members, at_most: None, at_least: None });
            }
            numbers.push((number, *exact));
        }
        let at = constraint as usize;
        if at >= self.sums.installed.len() {
            self.sums.installed.resize_with(at + 1, || None);
        }
        self.sums.installed[at] = Some(Installed { sides: sides.collect(), blocks: numbers });
    }
    /// Whether explanations of a weight constraint need steps.
    pub(crate) fn has_blocks(&self, constraint: u32) -> bool {
        matches!(self.sums.installed.get(constraint as usize), Some(Some(_)))
    }
    /// Deletes the steps that the last clauses needed.
    pub(crate) fn drop_pending(&mut self) {
        if self.sums.pending.is_empty() {
            return;
        }
        self.sums.explained.clear();
        self.line.clear();
        self.line.extend_from_slice(b"del id");
        for label in self.sums.pending.drain(..) {
            put_step(Step::Label(label), &mut self.line);
        }
        self.line.extend_from_slice(b" ;\n");
        self.flush_line();
    }

    /// A weight constraint explains a clause by which it implied a literal ([`Lit::NONE`] in a conflict): the constraint plus
    /// multiples of its blocks, which implies the literal by unit propagation. `false`: there is nothing to be logged.
    pub(crate) fn explain(
        &mut self,
        constraint: u32,
        clause: &[Lit],
        implied: Lit,
        assignment: &Assignment,
    ) -> bool {
        let before = if implied == Lit::NONE { u32::MAX } else { assignment.position_of(implied) };
        let Some(Some(installed)) = self.sums.installed.get(constraint as usize) else { return false };
        let side = clause.iter().map(|&l| !l).chain([Lit::NONE]).find_map(|l| installed.sides.get(&l));
        let (Some(&side), blocks) = (side, installed.blocks.clone()) else { return false };
        if clause.iter().any(|&l| self.name_of(l) == TRUE) {
            return false;
        }
        let Some(at) = self.derive(side) else {
            self.leave_gap("a sum with blocks is no axiom");
            return false;
        };
        let mut marks = std::mem::take(&mut self.sums.marks);
        marks.resize(assignment.values.len().max(marks.len()), false);
        clause.iter().for_each(|l| marks[l.code()] = true);
        let mut multiples: Vec<(u32, i128)> = Vec::new();
        for (block, exact) in blocks {
            let members = &self.sums.blocks[block as usize].members;
            let gone = |l: Lit| {
                marks[l.code()] || assignment.is_fixed_false(l) && assignment.position_of(l) < before
            };
            let (mut left, mut most) = (0, if exact { i128::MIN } else { 0 });
            for &lit in members.iter().filter(|&&l| !gone(l)) {
                let weight = self.sums.derived[at].weights.get(&lit.var()).copied().unwrap_or(0);
                most = most.max(if lit.is_neg() { -weight } else { weight });
                left += 1;
            }
            let chosen = members.iter().any(|&l| marks[(!l).code()] && !l != implied);
            if !chosen && left > 1 && most != 0 {
                multiples.push((block, most));
            }
        }
        clause.iter().for_each(|l| marks[l.code()] = false);
        self.sums.marks = marks;
        if multiples.is_empty() {
            return true;
        }
        let mut text = Vec::new();
        put_step(self.sums.derived[at].step, &mut text);
        for (block, multiple) in multiples {
            let step = if multiple > 0 { self.at_most(block, assignment) } else { self.at_least(block) };
            put_step(step, &mut text);
            put_multiple(multiple.unsigned_abs(), &mut text);
        }
        if !self.sums.explained.contains(&text) {
            let label = self.pol(&text);
            self.sums.pending.push(label);
            self.sums.explained.insert(text);
        }
        true
    }
    /// Literals hold at the root because of steps that wait to be deleted.
    pub(crate) fn facts(&mut self, facts: impl Iterator<Item = Lit>) {
        if !self.sums.pending.is_empty() {
            facts.for_each(|lit| self.put_rup(&[lit]));
            self.drop_pending();
        }
    }
    /// Two thresholds of one sum: reaching the bound of the second implies reaching that of the first. `false`: their
    /// constraints do not show this.
    pub(crate) fn order(&mut self, first: (Lit, Side), second: (Lit, Side)) -> bool {
        let (Some(reached), Some(missed)) = (self.derive(second.1), self.derive(first.1.other())) else {
            return false;
        };
        let (a, b) = (&self.sums.derived[reached], &self.sums.derived[missed]);
        let Some((var, &weight)) = a.weights.iter().min_by_key(|t| t.0) else { return false };
        let Some(&other) = b.weights.get(var) else { return false };
        let (factor, by) = (other.abs(), weight.abs());
        let opposite = |(var, w): (&Var, &i128)| {
            let other = b.weights.get(var).copied().unwrap_or(0);
            w.checked_mul(factor).zip(other.checked_mul(by)).is_some_and(|(w, o)| w == -o)
        };
        if a.weights.len() != b.weights.len() || !a.weights.iter().all(opposite) {
            return false;
        }
        let mut text = Vec::new();
        put_step(a.step, &mut text);
        text.push(b' ');
        put_number(factor, &mut text);
        text.extend_from_slice(b" *");
        put_step(b.step, &mut text);
        put_multiple(by.unsigned_abs(), &mut text);
        let label = self.pol(&text);
        self.sums.pending.push(label);
        self.rup(&[first.0, !second.0]);
        true
    }
    /// Exactly-one groups, the rows, are covered by as many at-most-one groups, the columns: one of each column holds. All
    /// are rules without bounds other than 2.
    pub fn count_groups(&mut self, rows: &[usize], columns: &[usize]) {
        let mut all = Vec::new();
        for (i, &row) in rows.iter().enumerate() {
            let names: Vec<Name> = self.rules.rules[row].terms.iter().map(|t| t.0).collect();
            put_step(Step::Label(self.clause(&names)), &mut all);
            all.extend_from_slice(if i > 0 { b" +" } else { b"" });
        }
        let steps: Vec<Option<Step>> = columns.iter().map(|&c| self.group(c)).collect();
        let Some(steps) = steps.into_iter().collect::<Option<Vec<Step>>>() else {
            return self.leave_gap("a group is no axiom");
        };
        for i in 0..columns.len() {
            let mut text = all.clone();
            for (_, &step) in steps.iter().enumerate().filter(|s| s.0 != i) {
                put_step(step, &mut text);
                text.extend_from_slice(b" +");
            }
            self.pol(&text);
        }
        if columns.len() < rows.len() {
            let mut text = all;
            for &step in &steps {
                put_step(step, &mut text);
                text.extend_from_slice(b" +");
            }
            self.pol(&text);
        }
    }

    /// If two of a sum's literals have become one engine variable, derives the sum with the engine's variables.
    pub fn merge_terms(&mut self, source: Source) {
        let terms = self.terms_of(source);
        let mut vars: Vec<Name> =
            terms.iter().map(|t| self.engine_name(t.0).abs()).filter(|&v| v != TRUE).collect();
        vars.sort_unstable();
        if vars.windows(2).any(|w| w[0] == w[1]) {
            self.derive(Side { source, misses: false });
            self.derive(Side { source, misses: true });
        }
    }
    fn terms_of(&self, source: Source) -> Vec<(Name, i128)> {
        match source {
            Source::Rule(rule) => {
                self.rules.rules[rule].terms.iter().map(|&(l, w)| (l, i128::from(w))).collect()
            }
            Source::Demand => self.sums.demand.clone(),
            Source::Output(output) => self.sums.outputs[output].members.iter().map(|&l| (l, 1)).collect(),
        }
    }
    /// The demanded costs with the engine's variables.
    pub(super) fn demand_step(&mut self) -> Option<Step> {
        let at = self.derive(Side { source: Source::Demand, misses: true })?;
        Some(self.sums.derived[at].step)
    }
    /// The engine's literal for a name, or an equivalent one.
    fn engine_name(&mut self, name: Name) -> Name {
        match self.literal(name) {
            Some(lit) => self.name_of(lit),
            None => name,
        }
    }
    fn literal(&self, name: Name) -> Option<Lit> {
        let lit = self.lits.get(name.unsigned_abs() as usize).copied().filter(|&lit| lit != Lit::NONE)?;
        Some(if name < 0 { !lit } else { lit })
    }
    /// One direction of a sum's definition, with the engine's variables. `None`: it is not an axiom.
    fn derive(&mut self, side: Side) -> Option<usize> {
        if let Some(&known) = self.sums.by_side.get(&side) {
            return known;
        }
        let found = self.derive_new(side);
        self.sums.by_side.insert(side, found);
        found
    }
    fn derive_new(&mut self, side: Side) -> Option<usize> {
        let numbers = self.axioms.get_or_insert_with(|| Opb::numbers(&self.rules));
        let axiom = match side.source {
            Source::Rule(rule) => {
                let (reaches, misses) = numbers.of_rule(rule, &self.rules);
                Step::Axiom(if side.misses { misses? } else { reaches? })
            }
            Source::Demand if side.misses => Step::Axiom(numbers.count + 1),
            Source::Demand => return None,
            Source::Output(output) => self.sums.outputs[output].steps[usize::from(side.misses)],
        };
        let mut text = Vec::new();
        put_step(axiom, &mut text);
        let (mut is_axiom, mut weights) = (true, Map::default());
        let mut terms = self.terms_of(side.source);
        for (name, weight) in &mut terms {
            *weight *= if side.misses { -1 } else { 1 };
            let own = self.engine_name(*name);
            if own.abs() == TRUE {
                continue;
            }
            if let Some(lit) = self.literal(*name) {
                *weights.entry(lit.var()).or_insert(0) += if lit.is_neg() { -*weight } else { *weight };
            }
            if own != *name {
                let sign = weight.signum() as Name;
                let label = self.rename(sign * *name, sign * own);
                put_step(Step::Label(label), &mut text);
                put_multiple(weight.unsigned_abs(), &mut text);
                is_axiom = false;
                *name = own;
            }
        }
        let step = if is_axiom { axiom } else { Step::Label(self.pol(&text)) };
        weights.retain(|_, w| *w != 0);
        self.sums.derived.push(Derived { step, weights, terms });
        Some(self.sums.derived.len() - 1)
    }
    /// The label of the clause that a name implies the engine's one.
    fn rename(&mut self, name: Name, own: Name) -> u64 {
        if let Some(&label) = self.sums.renamed.get(&name) {
            return label;
        }
        let label = self.clause(&[own, -name]);
        self.sums.renamed.insert(name, label);
        label
    }
    /// Writes a clause that follows by unit propagation; returns its label.
    pub(super) fn clause(&mut self, names: &[Name]) -> u64 {
        let label = self.begin(b"rup");
        for &name in names.iter().filter(|&&n| n != FALSE) {
            self.line.extend_from_slice(b" 1 ");
            self.rules.put_name(name, &mut self.line);
        }
        self.line.extend_from_slice(b" >= 1 ;\n");
        self.flush_line();
        label
    }
    /// Writes a sum of constraints; returns its label.
    pub(super) fn pol(&mut self, text: &[u8]) -> u64 {
        let label = self.begin(b"pol");
        if text.first() != Some(&b' ') {
            self.line.push(b' ');
        }
        self.line.extend_from_slice(text);
        self.line.extend_from_slice(b" ;\n");
        self.flush_line();
        label
    }
    /// Begins a line with a new label.
    pub(super) fn begin(&mut self, kind: &[u8]) -> u64 {
        let label = self.labels.next;
        self.labels.next += 1;
        self.line.clear();
        self.line.extend_from_slice(b"@l");
        put_number(label, &mut self.line);
        self.line.push(b' ');
        self.line.extend_from_slice(kind);
        label
    }

    /// At least one literal of a block holds.
    fn at_least(&mut self, block: u32) -> Step {
        if let Some(step) = self.sums.blocks[block as usize].at_least {
            return step;
        }
        let names = self.names_of(block);
        let step = Step::Label(self.clause(&names));
        self.sums.blocks[block as usize].at_least = Some(step);
        step
    }
    fn names_of(&mut self, block: u32) -> Vec<Name> {
        let members = self.sums.blocks[block as usize].members.clone();
        members.into_iter().map(|l| self.name_of(l)).collect()
    }
    /// At most one literal of a block holds.
    fn at_most(&mut self, block: u32, assignment: &Assignment) -> Step {
        if let Some(step) = self.sums.blocks[block as usize].at_most {
            return step;
        }
        let step = match self.group_around(block, assignment) {
            Some(step) => step,
            None => self.pairs(block),
        };
        self.sums.blocks[block as usize].at_most = Some(step);
        step
    }
    /// "At most one" from an axiom over a superset of a block's literals.
    fn group_around(&mut self, block: u32, assignment: &Assignment) -> Option<Step> {
        let names = self.names_of(block);
        if self.sums.groups.is_none() {
            let groups = self.find_groups(assignment);
            self.sums.groups = Some(groups);
        }
        let groups = self.sums.groups.as_ref()?;
        let mut members = self.sums.blocks[block as usize].members.iter();
        let mut common = groups.get(members.next()?)?.clone();
        for lit in members {
            let of = groups.get(lit)?;
            common.retain(|rule| of.binary_search(rule).is_ok());
        }
        let is_axiom = |rule: &&usize| self.rules.rules[**rule].body == 0;
        let rule = *common.iter().find(is_axiom).or(common.first())?;
        let at = self.derive(Side { source: Source::Rule(rule), misses: true })?;
        let body = self.rules.rules[rule].body;
        let mut text = Vec::new();
        put_step(self.sums.derived[at].step, &mut text);
        if body != 0 {
            let unit = self.clause(&[-body]);
            put_step(Step::Label(unit), &mut text);
            put_multiple(self.rules.rules[rule].terms.len() as u128 - 1, &mut text);
        }
        let mut whole = body == 0;
        for &(name, weight) in &self.sums.derived[at].terms {
            if name.abs() != TRUE && !names.contains(&name) {
                // The literal is left out: it holds or it does not.
                text.push(b' ');
                self.rules.put_name(if weight < 0 { name } else { -name }, &mut text);
                text.extend_from_slice(b" +");
                whole = false;
            }
        }
        if whole { Some(self.sums.derived[at].step) } else { Some(Step::Label(self.pol(&text))) }
    }
    /// Rules that are at-most-one groups in force at the root, by the engine's literals.
    fn find_groups(&self, assignment: &Assignment) -> Map<Lit, Vec<usize>> {
        let mut groups: Map<Lit, Vec<usize>> = Map::default();
        for (i, rule) in self.rules.rules.iter().enumerate() {
            let unit = rule.bound == 2 && rule.terms.len() > 2 && rule.terms.iter().all(|t| t.1 == 1);
            // An implication of a sum is a step only after the sum being explained.
            let implied = |l| match assignment.reason_of(l).kind() {
                ReasonKind::Weight(constraint) => self.has_blocks(constraint),
                _ => false,
            };
            let fails = |l| assignment.is_fixed_false(l) && !implied(l);
            if !unit || rule.body != 0 && !self.literal(rule.body).is_some_and(fails) {
                continue;
            }
            for lit in rule.terms.iter().filter_map(|t| self.literal(t.0)) {
                groups.entry(lit).or_default().push(i);
            }
        }
        groups
    }
    /// "At most one" of a rule that says so, with the program's names.
    fn group(&mut self, rule: usize) -> Option<Step> {
        let numbers = self.axioms.get_or_insert_with(|| Opb::numbers(&self.rules));
        let axiom = numbers.of_rule(rule, &self.rules).1?;
        let (body, size) = (self.rules.rules[rule].body, self.rules.rules[rule].terms.len());
        if body == 0 {
            return Some(Step::Axiom(axiom));
        }
        let unit = self.clause(&[-body]);
        let mut text = Vec::new();
        put_step(Step::Axiom(axiom), &mut text);
        put_step(Step::Label(unit), &mut text);
        put_multiple(size as u128 - 1, &mut text);
        Some(Step::Label(self.pol(&text)))
    }
    /// "At most one" from pairs: if it is known of `m` literals, `m - 1` times that and the pairs of one more, divided by `m`.
    fn pairs(&mut self, block: u32) -> Step {
        let names = self.names_of(block);
        let mut labels = Vec::new();
        let mut text = Vec::new();
        for (m, &new) in names.iter().enumerate().skip(1) {
            if m > 1 {
                text.push(b' ');
                put_number(m - 1, &mut text);
                text.extend_from_slice(b" *");
            }
            for &old in &names[..m] {
                let label = self.clause(&[-old, -new]);
                labels.push(label);
                put_step(Step::Label(label), &mut text);
                text.extend_from_slice(if m > 1 { b" +" } else { b"" });
            }
            if m > 1 {
                text.push(b' ');
                put_number(m, &mut text);
                text.extend_from_slice(b" d");
            }
        }
        let step = self.pol(&text);
        self.sums.pending.append(&mut labels);
        Step::Label(step)
    }
}

/// Appends the name of a constraint.
pub(super) fn put_step(step: Step, text: &mut Vec<u8>) {
    let (mark, number): (&[u8], u64) = match step {
        Step::Axiom(number) => (b" ", number),
        Step::Label(number) => (b" @l", number),
    };
    text.extend_from_slice(mark);
    put_number(number, text);
}

/// Appends that the last constraint is multiplied and added.
pub(super) fn put_multiple(factor: u128, text: &mut Vec<u8>) {
    if factor != 1 {
        text.push(b' ');
        put_number(factor, text);
        text.extend_from_slice(b" *");
    }
    text.extend_from_slice(b" +");
}
