//! Applies [`asp_rewrite::improve::demand`]: grounds the arguments of a predicate that its readers bind, then its rules
//! for these.
//!
//! Invariant: the auxiliary predicate of these arguments is made once, before the first restricted rule, and each rule is either
//! restricted or runs as written.

use crate::instantiate::Instantiator;
use crate::sink::Sink;
use crate::state::Halt;
use asp_base::symbol::Sym;
use asp_rewrite::predicate::PredId;
use asp_rewrite::rule::{Atom, Head, Rule, Term};

/// A rule in a better form.
pub(super) struct Restricted {
    /// With the arguments that are demanded; none if nothing reads the head.
    pub(crate) rule: Option<Rule>,
    /// How these were found, for the journal.
    pub(crate) told: Vec<String>,
}

/// Restricts a rule to what the readers of its head demand, if that pays.
pub(super) fn restrict(run: &mut Instantiator<'_>, rule: &Rule) -> Result<Option<Restricted>, Halt> {
    let Head::Atom(head) = &rule.head else { return Ok(None) };
    let readers = &mut run.readers;
    let (hidden, rules, state) = (&readers.hidden, readers.rules, &mut run.machine.state);
    let find = || hidden.demand(head.pred, rules, state).map(|d| (d, None));
    let Some((demand, pred)) = readers.known.entry(head.pred).or_insert_with(find).take() else {
        return Ok(None);
    };
    let (mut pred, mut result, mut told) = (pred, None, Vec::new());
    if run.machine.state.options.rewritings.is_eager() || demand.pays(rule, &mut run.machine.state) {
        if demand.is_none() {
            result = Some(Restricted { rule: None, told });
        } else {
            let of = match pred {
                Some(of) => of,
                None => {
                    let of = run.machine.state.add_auxiliary(demand.positions.len());
                    for binder in &demand.binders {
                        told.push(shown(run, binder, of));
                        collect(run, binder, of)?;
                    }
                    run.make_old(of);
                    run.machine.state.complete[of] = true;
                    of
                }
            };
            pred = Some(of);
            result = Some(Restricted { rule: Some(demand.restrict(rule, of)), told });
        }
    }
    run.readers.known.insert(head.pred, Some((demand, pred)));
    Ok(result)
}

/// Makes facts of the arguments for which a reader's body may hold.
fn collect(run: &mut Instantiator<'_>, (rule, args): &(Rule, Vec<Term>), of: PredId) -> Result<(), Halt> {
    let (steps, _) = run.plan(&rule.body, &vec![false; rule.vars.len()]);
    let m = &mut run.machine;
    m.start(rule.vars.len());
    let mut values: Vec<Sym> = Vec::new();
    m.run(&mut Sink::derive(rule.source, false), &steps, &mut |m, _| {
        if let Some(start) = m.eval_args(args) {
            values.clear();
            values.extend_from_slice(&m.scratch[start..]);
            m.scratch.truncate(start);
            let (row, new) = m.state.domains[of].insert(&values);
            if new {
                m.state.domains[of].set_fact(row);
            }
        }
        m.state.check_failure()
    })
}

/// How the demand of a reader is found, for the journal.
fn shown(run: &Instantiator<'_>, (rule, args): &(Rule, Vec<Term>), of: PredId) -> String {
    let atom = Atom { pred: of, args: args.clone(), span: rule.span };
    let shown = Rule { head: Head::Atom(atom), ..rule.clone() };
    run.machine.state.print(&shown)
}
