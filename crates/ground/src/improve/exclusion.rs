//! Writes pairwise exclusions as one at-most-one constraint per group instead of pairs.
//!
//! [`asp_rewrite::improve::exclusion`] recognises them and has the proof. One pass over the body of one side groups its
//! instances by key; each group is written in its smallest form: as a weight constraint over its members, over auxiliary atoms
//! for its classes, or as pairs.
//!
//! Invariant: members are ordered by group, then by instantiation; the output depends on nothing else.

use super::threshold;
use crate::domain::table::Table;
use crate::instantiate::Instantiator;
use crate::join::machine::Machine;
use crate::join::plan::{self, PlanStep, Source};
use crate::sink::Sink;
use crate::state::{Flow, Halt};
use asp_program::Literal as GroundLiteral;
use asp_program::journal::{Count, Rewritten};
use asp_rewrite::improve::Rewriting;
use asp_rewrite::improve::exclusion::{self, Exclusion};
use asp_rewrite::print;
use asp_rewrite::rule::{Head, Literal, Rule, Term};
use asp_syntax::ast::Sign;

/// Instances of the body of one side.
struct Members {
    /// Group, and where the literals end.
    all: Vec<(u32, u32)>,
    literals: Vec<GroundLiteral>,
    /// The numbers of the classes' values, for one member after the other.
    classes: Vec<u32>,
}

impl Members {
    fn literals(&self, member: u32) -> &[GroundLiteral] {
        let start = if member == 0 { 0 } else { self.all[member as usize - 1].1 };
        &self.literals[start as usize..self.all[member as usize].1 as usize]
    }
}

/// Grounds a constraint as an exclusion; `false` if it is not one and has to be instantiated as written.
pub(crate) fn try_rule(run: &mut Instantiator<'_>, rule: &Rule) -> Result<bool, Halt> {
    if !run.machine.state.options.rewritings.has(Rewriting::Exclusion) || !is_candidate(rule) {
        return Ok(false);
    }
    let state = &run.machine.state;
    let Some(found) = exclusion::recognise(rule, state, state.symbols) else { return Ok(false) };
    if threshold::keep_in_place_of_groups(run, rule, &found)? {
        return Ok(true);
    }
    let (instances, mut pairs, mut became) = (run.machine.state.progress.instances, 0, Vec::new());
    for e in &found {
        pairs += run_exclusion(run, rule, e)?;
        if run.machine.state.options.explain {
            became.push(shown(run, rule, e));
        }
    }
    if run.machine.state.options.explain {
        let state = &run.machine.state;
        let instances = Some((Count::Exactly(pairs), state.progress.instances - instances));
        let entry = state.rewritten(Rewriting::Exclusion.name(), rule, became);
        run.recorder.journal.rewritten.push(Rewritten { instances, ..entry });
    }
    Ok(true)
}

/// An exclusion in the syntax of the language.
fn shown(run: &Instantiator<'_>, rule: &Rule, e: &Exclusion) -> String {
    let printer = print::Printer::new(rule, run.machine.state.predicates, run.machine.state.symbols);
    let members = e.body.iter().map(|l| printer.literal(l)).collect::<Vec<_>>().join(", ");
    let tuple = if e.classes.is_empty() {
        let mut vars = Vec::new();
        e.body.iter().for_each(|l| {
            asp_rewrite::rule::literal_vars(l, &mut |v| {
                if !vars.contains(&v) && !e.key[..e.shared].contains(&Term::Var(v)) {
                    vars.push(v);
                }
            });
        });
        vars.into_iter().map(|v| printer.term(&Term::Var(v))).collect()
    } else {
        e.classes.iter().map(|t| printer.term(t)).collect::<Vec<_>>()
    };
    let key = e.key.iter().map(|t| printer.term(t)).collect::<Vec<_>>().join(", ");
    let condition: String = e.condition.iter().map(|l| format!(", {}", printer.literal(l))).collect();
    let place = if key.is_empty() { String::new() } else { format!("  % for each ({key})") };
    format!(":- 2 <= #count {{ {} : {members} }}{condition}.{place}", tuple.join(","))
}

fn run_exclusion(run: &mut Instantiator<'_>, rule: &Rule, e: &Exclusion) -> Result<u64, Halt> {
    let once = vec![false; rule.vars.len()];
    let (steps, order) = run.plan(&e.body, &once);
    let mut bound = once.clone();
    for t in &e.key[..e.shared] {
        t.for_each_var(&mut |v| bound[v.0 as usize] = true);
    }
    let source = &|_| Source::All;
    let condition = plan::compile(&e.condition, &mut bound, &once, source, None, false, &mut run.context());
    let body = Rule { head: Head::Constraint, body: e.body.clone(), ..rule.clone() };
    run.note_order(&body, &order, None);
    let (m, mut sink) = (&mut run.machine, Sink::write(rule.source));
    m.start(rule.vars.len());
    let mut keys = Table::new(e.key.len());
    let mut values: Vec<Table> = e.classes.iter().map(|_| Table::new(1)).collect();
    let mut members = Members { all: Vec::new(), literals: Vec::new(), classes: Vec::new() };
    m.run(&mut sink, &steps, &mut |m, _| {
        let Some(start) = m.eval_args(&e.key) else { return Ok(()) };
        let (group, _) = keys.insert(&m.scratch[start..]);
        m.scratch.truncate(start);
        let Some(start) = m.eval_args(&e.classes) else { return Ok(()) };
        for (table, value) in values.iter_mut().zip(&m.scratch[start..]) {
            members.classes.push(table.insert(std::slice::from_ref(value)).0);
        }
        m.scratch.truncate(start);
        members.literals.extend_from_slice(&m.literals);
        members.all.push((group, members.literals.len() as u32));
        Ok(())
    })?;
    let mut order: Vec<u32> = (0..members.all.len() as u32).collect();
    order.sort_by_key(|&member| members.all[member as usize].0);
    // From here on, what is written counts as instances.
    m.state.progress.instances -= members.all.len() as u64;
    let mut pairs = 0;
    let mut writer = Writer { sink, condition: &condition, exclusion: e, members: &members };
    for group in order.chunk_by(|&a, &b| members.all[a as usize].0 == members.all[b as usize].0) {
        if group.len() > 1 {
            let row = members.all[group[0] as usize].0;
            for (t, &value) in e.key[..e.shared].iter().zip(keys.args(row)) {
                t.for_each_var(&mut |v| m.regs[v.0 as usize] = value);
            }
            pairs += writer.group(m, group)?;
        }
        m.state.poll()?;
    }
    Ok(if e.twice { 2 * pairs } else { pairs })
}

/// Writes groups.
struct Writer<'a> {
    sink: Sink,
    condition: &'a [PlanStep],
    exclusion: &'a Exclusion,
    members: &'a Members,
}

impl Writer<'_> {
    fn class(&self, member: u32, number: usize) -> u32 {
        self.members.classes[member as usize * self.exclusion.classes.len() + number]
    }

    /// Writes one group; returns the number of pairs that it stands for.
    fn group(&mut self, m: &mut Machine<'_>, group: &[u32]) -> Result<u64, Halt> {
        // Classes that members share.
        let mut sharing: Vec<usize> = Vec::new();
        let mut values: Vec<u32> = Vec::new();
        for number in 0..self.exclusion.classes.len() {
            values.clear();
            values.extend(group.iter().map(|&m| self.class(m, number)));
            values.sort_unstable();
            values.dedup();
            if values.len() < group.len() {
                sharing.push(number);
            }
        }
        let single = group.iter().all(|&m| self.members.literals(m).len() <= 1);
        match sharing[..] {
            [] => {
                let n = group.len() as u64;
                let pairs = n * (n - 1) / 2;
                if !single && n <= 3 {
                    self.pairs(m, group, &[])
                } else {
                    let mut parts = group.chunks(1);
                    self.at_most_one(m, &mut parts)?;
                    Ok(pairs)
                }
            }
            [number] => {
                let mut sorted = group.to_vec();
                sorted.sort_by_key(|&m| self.class(m, number));
                let parts = || sorted.chunk_by(|&a, &b| self.class(a, number) == self.class(b, number));
                let n = sorted.len() as u64;
                let same: u64 = parts().map(|p| p.len() as u64 * (p.len() as u64 - 1) / 2).sum();
                let pairs = n * (n - 1) / 2 - same;
                // Either one rule per member and one constraint, or as many constraints as pairs.
                if pairs <= n + 1 {
                    return self.pairs(m, group, &sharing);
                }
                self.at_most_one(m, &mut parts())?;
                Ok(pairs)
            }
            _ => self.pairs(m, group, &sharing),
        }
    }

    /// Writes the pairs that differ in the given classes; returns their number.
    fn pairs(&self, m: &mut Machine<'_>, group: &[u32], classes: &[usize]) -> Result<u64, Halt> {
        let mut pairs = 0;
        for (i, &a) in group.iter().enumerate() {
            for &b in &group[..i] {
                if classes.iter().all(|&c| self.class(a, c) != self.class(b, c)) {
                    let height = m.literals.len();
                    m.literals.extend_from_slice(self.members.literals(b));
                    m.literals.extend_from_slice(self.members.literals(a));
                    self.constraint(m)?;
                    m.literals.truncate(height);
                    pairs += 1;
                }
            }
            m.state.poll()?;
        }
        Ok(pairs)
    }

    /// Writes that members of at most one of the parts hold.
    fn at_most_one(&self, m: &mut Machine<'_>, parts: &mut dyn Iterator<Item = &[u32]>) -> Flow {
        let (mut facts, mut body) = (0u32, Vec::new());
        for part in parts {
            let members = || part.iter().map(|&m| self.members.literals(m));
            if members().any(<[GroundLiteral]>::is_empty) {
                facts += 1;
            } else if let [[one]] = members().collect::<Vec<_>>()[..] {
                body.push((*one, 1));
            } else {
                let aux = m.state.program.atoms.add_aux();
                for literals in members() {
                    self.sink.rule(m.state.program, false, &[aux], literals);
                    m.state.progress.instances += 1;
                }
                body.push((GroundLiteral::pos(aux), 1));
            }
        }
        let height = m.literals.len();
        match facts {
            0 if body.len() == 2 => {
                m.literals.extend(body.iter().map(|l| l.0));
                self.constraint(m)?;
            }
            0 if self.condition.is_empty() => {
                m.state.program.rules.add_weight(false, &[], 2, &body, self.sink.source);
                m.state.progress.instances += 1;
            }
            0 => {
                let aux = m.state.program.atoms.add_aux();
                m.state.program.rules.add_weight(false, &[aux], 2, &body, self.sink.source);
                m.literals.push(GroundLiteral::pos(aux));
                self.constraint(m)?;
            }
            1 => {
                for (l, _) in body {
                    m.literals.push(l);
                    self.constraint(m)?;
                    m.literals.truncate(height);
                }
            }
            _ => self.constraint(m)?,
        }
        m.literals.truncate(height);
        Ok(())
    }

    /// Writes a constraint on the current literals for each instance of the condition.
    fn constraint(&self, m: &mut Machine<'_>) -> Flow {
        if self.condition.is_empty() {
            m.state.progress.instances += 1;
            self.sink.rule(m.state.program, false, &[], &m.literals);
            return Ok(());
        }
        m.run(&mut { self.sink }, self.condition, &mut |m, _| {
            self.sink.rule(m.state.program, false, &[], &m.literals);
            Ok(())
        })
    }
}

/// Whether a rule can be an exclusion at all.
fn is_candidate(rule: &Rule) -> bool {
    let atom = |l: &Literal| match l {
        Literal::Atom(Sign::None, a) => Some(a.pred),
        _ => None,
    };
    let atoms: Vec<_> = rule.body.iter().filter_map(atom).collect();
    matches!(rule.head, Head::Constraint) && atoms.iter().enumerate().any(|(i, p)| atoms[..i].contains(p))
}
