//! Writes pairwise exclusions as one at-most-one constraint a group, never as pairs.
//!
//! [`crate::rewrite::improve::exclusion`] recognises them and has the proof. One pass over the one-sided body groups its
//! instances by key; each group is written as it fits best: as a weight constraint over its members, over auxiliary
//! atoms for its classes, or as pairs where these are fewer.
//!
//! Invariant: members come in order of group, then of instantiation, so the output depends on nothing else.

use super::component::{context, prepare};
use super::domain::Table;
use super::instantiate::{Flow, Halt, Instantiator};
use super::plan::{self, Source, Step};
use super::{compile, improve};
use crate::program::Literal as GroundLiteral;
use crate::program::journal::Count;
use crate::rewrite::improve::Rewriting;
use crate::rewrite::improve::exclusion::{self, Exclusion};
use crate::rewrite::print;
use crate::rewrite::rule::{Head, Literal, Rule, Term};
use crate::syntax::ast::Sign;

/// Instances of the one-sided body.
struct Members {
    /// Group, and where the literals end.
    all: Vec<(u32, u32)>,
    literals: Vec<GroundLiteral>,
    /// Numbers of the classes' values, one after the other, by member.
    classes: Vec<u32>,
}

impl Members {
    fn literals(&self, member: u32) -> &[GroundLiteral] {
        let start = if member == 0 { 0 } else { self.all[member as usize - 1].1 };
        &self.literals[start as usize..self.all[member as usize].1 as usize]
    }
}

/// Handles a constraint as exclusion; `false` if it is none and has to be instantiated as written.
pub(super) fn try_rule(run: &mut Instantiator<'_>, rule: &Rule) -> Result<bool, Halt> {
    if !run.rewritings.has(Rewriting::Exclusion) || !is_candidate(rule) {
        return Ok(false);
    }
    let sizes = improve::Seen { domains: run.domains, complete: &run.complete };
    let Some(found) = exclusion::recognise(rule, &sizes, run.symbols) else { return Ok(false) };
    let (instances, mut pairs, mut became) = (run.instances, 0, Vec::new());
    for e in &found {
        pairs += run_exclusion(run, rule, e)?;
        if run.explaining {
            became.push(shown(run, rule, e));
        }
    }
    if run.explaining {
        let was = print::rule(rule, run.predicates, run.symbols);
        let after = run.instances - instances;
        run.note_rewriting(
            Rewriting::Exclusion.name().to_string(),
            rule,
            was,
            became,
            Count::Exactly(pairs),
            after,
        );
    }
    Ok(true)
}

/// What an exclusion became, in the syntax of the language.
fn shown(run: &Instantiator<'_>, rule: &Rule, e: &Exclusion) -> String {
    let printer = print::Printer::new(rule, run.predicates, run.symbols);
    let members = e.body.iter().map(|l| printer.literal(l)).collect::<Vec<_>>().join(", ");
    let tuple = if e.classes.is_empty() {
        let mut vars = Vec::new();
        e.body.iter().for_each(|l| {
            crate::rewrite::translate::literal_vars(l, &mut |v| {
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
    let bare = Rule { head: Head::Constraint, body: Vec::new(), ..rule.clone() };
    let compiled = compile::compile(&bare, &|_| false, &mut context(run));
    let once = vec![false; rule.vars.len()];
    let mut bound = once.clone();
    let mut context = context(run);
    let steps = plan::compile(&e.body, &mut bound, &once, &|_| Source::All, None, false, &mut context);
    let order = std::mem::take(&mut context.order);
    bound.fill(false);
    for t in &e.key[..e.shared] {
        t.for_each_var(&mut |v| bound[v.0 as usize] = true);
    }
    let condition =
        plan::compile(&e.condition, &mut bound, &once, &|_| Source::All, None, false, &mut context);
    let body = Rule { head: Head::Constraint, body: e.body.clone(), ..rule.clone() };
    run.note_order(&body, &order, None);
    prepare(run, rule, &compiled);
    let mut keys = Table::new(e.key.len());
    let mut values: Vec<Table> = e.classes.iter().map(|_| Table::new(1)).collect();
    let mut members = Members { all: Vec::new(), literals: Vec::new(), classes: Vec::new() };
    run.run(&compiled, &steps, &mut |run| {
        let Some(start) = run.eval_args(&e.key) else { return Ok(()) };
        let (group, _) = keys.insert(&run.scratch[start..]);
        run.scratch.truncate(start);
        let Some(start) = run.eval_args(&e.classes) else { return Ok(()) };
        for (table, value) in values.iter_mut().zip(&run.scratch[start..]) {
            members.classes.push(table.insert(std::slice::from_ref(value)).0);
        }
        run.scratch.truncate(start);
        members.literals.extend_from_slice(&run.literals);
        members.all.push((group, members.literals.len() as u32));
        Ok(())
    })?;
    let mut order: Vec<u32> = (0..members.all.len() as u32).collect();
    order.sort_by_key(|&m| members.all[m as usize].0);
    // From here on instances are what is written.
    run.instances -= members.all.len() as u64;
    let mut pairs = 0;
    let mut writer = Writer { compiled: &compiled, condition: &condition, exclusion: e, members: &members };
    for group in order.chunk_by(|&a, &b| members.all[a as usize].0 == members.all[b as usize].0) {
        if group.len() > 1 {
            let row = members.all[group[0] as usize].0;
            for (t, &value) in e.key[..e.shared].iter().zip(keys.args(row)) {
                t.for_each_var(&mut |v| run.regs[v.0 as usize] = value);
            }
            pairs += writer.group(run, group)?;
        }
        run.poll()?;
    }
    Ok(if e.twice { 2 * pairs } else { pairs })
}

/// Writes groups.
struct Writer<'a> {
    compiled: &'a compile::CompiledRule,
    condition: &'a [Step],
    exclusion: &'a Exclusion,
    members: &'a Members,
}

impl Writer<'_> {
    fn class(&self, member: u32, number: usize) -> u32 {
        self.members.classes[member as usize * self.exclusion.classes.len() + number]
    }

    /// Writes one group; gives the number of pairs that it stands for.
    fn group(&mut self, run: &mut Instantiator<'_>, group: &[u32]) -> Result<u64, Halt> {
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
                    self.pairs(run, group, &[])
                } else {
                    let mut parts = group.chunks(1);
                    self.at_most_one(run, &mut parts)?;
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
                // A rule a member and one constraint, or as many constraints as pairs.
                if pairs <= n + 1 {
                    return self.pairs(run, group, &sharing);
                }
                self.at_most_one(run, &mut parts())?;
                Ok(pairs)
            }
            _ => self.pairs(run, group, &sharing),
        }
    }

    /// Writes the pairs that differ in the given classes; gives their number.
    fn pairs(&self, run: &mut Instantiator<'_>, group: &[u32], classes: &[usize]) -> Result<u64, Halt> {
        let mut pairs = 0;
        for (i, &a) in group.iter().enumerate() {
            for &b in &group[..i] {
                if classes.iter().all(|&c| self.class(a, c) != self.class(b, c)) {
                    let height = run.literals.len();
                    run.literals.extend_from_slice(self.members.literals(b));
                    run.literals.extend_from_slice(self.members.literals(a));
                    self.constraint(run)?;
                    run.literals.truncate(height);
                    pairs += 1;
                }
            }
            run.poll()?;
        }
        Ok(pairs)
    }

    /// Writes that at most one of the parts has a member that holds.
    fn at_most_one(&self, run: &mut Instantiator<'_>, parts: &mut dyn Iterator<Item = &[u32]>) -> Flow {
        let (mut facts, mut body) = (0u32, Vec::new());
        for part in parts {
            let members = || part.iter().map(|&m| self.members.literals(m));
            if members().any(<[GroundLiteral]>::is_empty) {
                facts += 1;
            } else if let [[one]] = members().collect::<Vec<_>>()[..] {
                body.push((*one, 1));
            } else {
                let aux = run.program.atoms.add_aux();
                for literals in members() {
                    run.program.rules.add(false, &[aux], literals, run.source);
                    run.instances += 1;
                }
                body.push((GroundLiteral::pos(aux), 1));
            }
        }
        let height = run.literals.len();
        match facts {
            0 if body.len() == 2 => {
                run.literals.extend(body.iter().map(|l| l.0));
                self.constraint(run)?;
            }
            0 if self.condition.is_empty() => {
                run.program.rules.add_weight(false, &[], 2, &body, run.source);
                run.instances += 1;
            }
            0 => {
                let aux = run.program.atoms.add_aux();
                run.program.rules.add_weight(false, &[aux], 2, &body, run.source);
                run.literals.push(GroundLiteral::pos(aux));
                self.constraint(run)?;
            }
            1 => {
                for (l, _) in body {
                    run.literals.push(l);
                    self.constraint(run)?;
                    run.literals.truncate(height);
                }
            }
            _ => self.constraint(run)?,
        }
        run.literals.truncate(height);
        Ok(())
    }

    /// Writes a constraint on the current literals for each instance of the condition.
    fn constraint(&self, run: &mut Instantiator<'_>) -> Flow {
        if self.condition.is_empty() {
            run.instances += 1;
            run.program.rules.add(false, &[], &run.literals, run.source);
            return Ok(());
        }
        run.run(self.compiled, self.condition, &mut |run| {
            run.program.rules.add(false, &[], &run.literals, run.source);
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
