//! Heads for the arguments that their readers bind: with `:- not ok(A,B), pair(A,B).` as the only reader, `ok(X,Y) :- p(X), q(Y).`
//! becomes `ok(X,Y) :- #1(X,Y), p(X), q(Y).`, where `#1` has the arguments of `pair`.
//!
//! A predicate qualifies if no answer shows it, plain rules alone derive it, it does not depend on itself, and only whole
//! literals of bodies read it. A *binder* restricts the arguments in a reader's body: its positive atoms over complete
//! predicates, and comparisons of their variables. `#1` has the arguments for which the binder may hold, as facts.
//!
//! Proof that the answers stay the same. The predicate's atoms are explicit definitions, as it does not depend on itself (Ferraris,
//! *Answer sets for propositional theories*, LPNMR 2005, proposition 4): the other atoms determine them, and leaving out those
//! that no rule reads changes nothing else. Where an instance of a reader reads an atom that was left out, the binder does not
//! hold, so neither does the body, whatever the literal says. Nothing that is left out is shown, and no later call reads it.

use super::Sizes;
use super::estimate::{self, Size};
use super::outlook::{parts, work};
use crate::dependency::rule_reads;
use crate::predicate::PredId;
use crate::rule::{Atom, Head, Literal, Rule, Term, Var, VarInfo, literal_vars};
use crate::safety::{bind_literal, is_bound};
use asp_base::csr::Csr;
use asp_base::map::{Map, Set};
use asp_base::scc;
use asp_base::span::Span;
use asp_syntax::ast::{Relation, Sign};

/// Demand pays if the rule is this many times the work without it, and this much more.
const MIN_FACTOR: f64 = 4.0;
const MIN_SAVED: f64 = 20_000.0;

/// A rule of this much work waits for its first reader, so that more of what that reads is complete.
const MIN_WORK_TO_WAIT: f64 = 1_000_000.0;

/// A literal that reads a predicate: its rule, by number, and its arguments.
type Reader = (usize, Vec<Term>);

/// The predicates of which only what is read needs to be grounded.
#[derive(Debug, Default)]
pub struct Hidden {
    readers: Map<PredId, Vec<Reader>>,
    derived: Set<PredId>,
    /// The rules of each predicate that is defined by plain rules and does not depend on itself.
    defined: Map<PredId, Vec<usize>>,
}

/// The arguments that the readers of a predicate bind.
#[derive(Debug)]
pub struct Demand {
    /// The arguments that all of them bind, ascending; all of them if there is no reader.
    pub positions: Vec<usize>,
    /// For each reader a rule with the binder as its body, and these arguments.
    pub binders: Vec<(Rule, Vec<Term>)>,
}

impl Hidden {
    /// Finds such predicates among those that are not `seen` from outside. `has_atoms`: predicates with atoms that do not come
    /// from these rules.
    pub fn of(
        rules: &[Rule],
        predicates: usize,
        has_atoms: impl Fn(PredId) -> bool,
        seen: impl Fn(PredId) -> bool,
    ) -> Self {
        let mut out = Self::default();
        let (mut edges, mut others, mut nested) = (Vec::new(), Set::default(), Set::default());
        for (number, rule) in rules.iter().enumerate() {
            let mut heads = Vec::new();
            rule.head.for_each_atom(&mut |a| heads.push(a.pred));
            if !matches!(rule.head, Head::Atom(_)) {
                others.extend(heads.iter().copied());
            }
            out.derived.extend(heads.iter().copied());
            heads.iter().for_each(|&h| out.defined.entry(h).or_default().push(number));
            let mut whole = 0;
            for l in &rule.body {
                if let Literal::Atom(_, a) = l {
                    out.readers.entry(a.pred).or_default().push((number, a.args.clone()));
                    whole += 1;
                }
            }
            let mut reads = Vec::new();
            rule_reads(rule, &mut |p, _| reads.push(p));
            // Whole literals come first, in the order of the body, unless there are nested ones.
            if reads.len() > whole {
                nested.extend(reads.iter().copied());
            }
            edges.extend(heads.iter().flat_map(|h| reads.iter().map(|p| (h.0, p.0))));
        }
        let successors = Csr::group(predicates, edges.iter().copied());
        let successor = |node: u32, i: u32| successors.row(node as usize).get(i as usize).copied();
        scc::components(predicates, 0..predicates as u32, successor, |members| {
            if members.len() > 1 {
                others.extend(members.iter().map(|&m| PredId(m)));
            }
        });
        others.extend(edges.iter().filter(|(h, p)| h == p).map(|e| PredId(e.0)));
        out.defined.retain(|p, _| !others.contains(p) && !has_atoms(*p));
        let fits = |p: PredId| out.defined.contains_key(&p) && !nested.contains(&p) && !seen(p);
        out.readers.retain(|&p, _| fits(p));
        for &p in out.derived.iter().filter(|&&p| fits(p)) {
            out.readers.entry(p).or_default();
        }
        out
    }

    /// The rules that define a predicate, if nothing else does.
    pub fn definition(&self, pred: PredId) -> Option<&[usize]> {
        self.defined.get(&pred).map(Vec::as_slice)
    }

    /// The rules that read a predicate, if it qualifies and only positive literals of constraints read it.
    pub fn constraints(&self, pred: PredId, rules: &[Rule]) -> Option<Vec<usize>> {
        let readers = self.readers.get(&pred)?;
        let fits = |&(number, _): &Reader| {
            let rule = &rules[number];
            let negated =
                |l: &Literal| matches!(l, Literal::Atom(s, a) if a.pred == pred && *s != Sign::None);
            matches!(rule.head, Head::Constraint) && !rule.body.iter().any(negated)
        };
        let mut numbers: Vec<usize> = readers.iter().map(|r| r.0).collect();
        numbers.dedup();
        (!numbers.is_empty() && readers.iter().all(fits)).then_some(numbers)
    }

    /// Whether a rule has such a predicate as its head, and enough work to wait for the first reader.
    pub fn may_wait(&self, rule: &Rule, sizes: &mut dyn Sizes) -> bool {
        matches!(&rule.head, Head::Atom(a) if self.readers.contains_key(&a.pred))
            && work(rule, sizes) >= MIN_WORK_TO_WAIT
    }

    /// The arguments that the readers of a predicate bind, if it qualifies and all of them bind some.
    pub fn demand(&self, pred: PredId, rules: &[Rule], sizes: &dyn Sizes) -> Option<Demand> {
        let readers = self.readers.get(&pred)?;
        let is_known = |p: PredId| sizes.is_complete(p) || !self.derived.contains(&p);
        let mut found: Vec<(Rule, &[Term])> = Vec::new();
        let mut positions: Option<Vec<usize>> = None;
        for (number, args) in readers {
            let rule = rules.get(*number)?;
            let mut bound = vec![false; rule.vars.len()];
            let body = binder(rule, &is_known, &mut bound);
            let own = (0..args.len()).filter(|&i| is_bound(&args[i], &bound));
            let before = positions.take();
            let both: Vec<usize> = own.filter(|i| before.as_ref().is_none_or(|b| b.contains(i))).collect();
            if both.is_empty() {
                return None;
            }
            positions = Some(both);
            found.push((Rule { head: Head::Constraint, body, ..rule.clone() }, args));
        }
        let positions = positions.unwrap_or_default();
        let binders = found.into_iter().map(|(mut rule, args)| {
            let args: Vec<Term> = positions.iter().map(|&i| args[i].clone()).collect();
            rule.body = connected(rule.body, &args, rule.vars.len());
            (rule, args)
        });
        Some(Demand { binders: binders.collect(), positions })
    }
}

/// The literals of a body that bind by themselves, and comparisons of their variables.
fn binder(rule: &Rule, is_known: &dyn Fn(PredId) -> bool, bound: &mut [bool]) -> Vec<Literal> {
    let candidate = |l: &&Literal| match l {
        Literal::Atom(Sign::None, a) => is_known(a.pred),
        Literal::Compare(..) | Literal::Range(..) => true,
        _ => false,
    };
    let candidates: Vec<&Literal> = rule.body.iter().filter(candidate).collect();
    while candidates.iter().fold(false, |c, l| bind_literal(l, bound) | c) {}
    let is_safe = |l: &&&Literal| {
        let mut safe = true;
        literal_vars(l, &mut |v| safe &= bound[v.0 as usize]);
        safe
    };
    candidates.iter().filter(is_safe).map(|l| (*l).clone()).collect()
}

/// The literals that have to do with the variables of some terms.
fn connected(body: Vec<Literal>, args: &[Term], vars: usize) -> Vec<Literal> {
    let mut near = vec![false; vars];
    args.iter().for_each(|t| t.for_each_var(&mut |v| near[v.0 as usize] = true));
    let mut taken = vec![false; body.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (i, l) in body.iter().enumerate().filter(|(_, l)| !matches!(l, Literal::False(_))) {
            let mut touches = false;
            literal_vars(l, &mut |v| touches |= near[v.0 as usize]);
            if touches && !std::mem::replace(&mut taken[i], true) {
                literal_vars(l, &mut |v| near[v.0 as usize] = true);
                changed = true;
            }
        }
    }
    body.into_iter().zip(taken).filter(|(_, t)| *t).map(|(l, _)| l).collect()
}

impl Demand {
    /// Whether nothing reads the predicate.
    pub fn is_none(&self) -> bool {
        self.binders.is_empty()
    }

    /// Whether the rule is less work with the demand, that of the binders included.
    pub fn pays(&self, rule: &Rule, sizes: &mut dyn Sizes) -> bool {
        let (mut now, mut rows) = (0.0, 0.0);
        for (binder, args) in &self.binders {
            let parts = parts(binder, sizes);
            let (joined, values) = estimate::join(parts.iter());
            let mut vars: Vec<Var> = Vec::new();
            args.iter().for_each(|t| t.for_each_var(&mut |v| vars.push(v)));
            now += estimate::work(&parts);
            rows += estimate::values(&vars, joined, &values);
        }
        let mut parts = parts(rule, sizes);
        let was = estimate::work(&parts);
        if !self.is_none() {
            let mut vars = Vec::new();
            self.restricted_args(rule, &mut |t| t.for_each_var(&mut |v| vars.push((v, rows))));
            parts.push(Size { vars, rows, binds: true, late: false });
            now += estimate::work(&parts);
        }
        was >= MIN_FACTOR * now && was - now >= MIN_SAVED
    }

    fn restricted_args(&self, rule: &Rule, f: &mut dyn FnMut(&Term)) {
        if let Head::Atom(a) = &rule.head {
            self.positions.iter().for_each(|&i| f(&a.args[i]));
        }
    }

    /// The rule for the arguments that have an atom of a predicate.
    pub fn restrict(&self, rule: &Rule, pred: PredId) -> Rule {
        let mut out = rule.clone();
        let (mut args, mut equations) = (Vec::new(), Vec::new());
        self.restricted_args(rule, &mut |t| {
            if t.is_pattern() {
                args.push(t.clone());
                return;
            }
            let var = Var(out.vars.len() as u32);
            out.vars.push(VarInfo { name: None, span: rule.span, local: false });
            args.push(Term::Var(var));
            equations.push(Literal::Compare(Relation::Equal, Term::Var(var), t.clone(), rule.span));
        });
        let atom = Literal::Atom(Sign::None, Atom { pred, args, span: Span::NONE });
        out.body.insert(0, atom);
        out.body.append(&mut equations);
        out
    }
}
