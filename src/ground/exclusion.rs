//! Pairwise exclusion written as one at-most-one constraint a group.
//!
//! `:- p(R,C,N), p(R,D,N), C != D.` over n rows, columns and numbers has n^4 instances; it says that for each key (R,N)
//! at most one atom p(R,_,N) holds, which one pass over the domain writes as n^2 weight constraints `2 <= sum`.
//!
//! Proof that the answer sets stay the same: let A and B be the two literals over one predicate, s the exchange of their
//! variables position by position. The rule is taken only if s maps the rest of the body (the comparison that tells A
//! and B apart aside) to itself, and the rest over A's side can be true of facts only. Then a pair of atoms is excluded
//! exactly if both meet the rest with the same key: the values of the variables that s fixes and of the terms t with
//! t = s(t) in the body. Being so related is an equivalence, its classes are the groups, and within a group all pairs
//! that the comparison tells apart are excluded. `<` on a side that s reverses excludes the same pairs as `!=`. If the
//! comparison looks at a part of what differs only, members of a group that agree on that part are not excluded: such
//! groups are written pair by pair.

use super::component::{context, prepare};
use super::domain::Table;
use super::instantiate::{Flow, Instantiator};
use super::plan::{self, Source};
use super::{compile, instantiate::Halt};
use crate::base::map::Map;
use crate::base::symbol::Sym;
use crate::program::Literal as GroundLiteral;
use crate::rewrite::predicate::PredId;
use crate::rewrite::rule::{Atom, Head, Literal, Rule, Term, Var};
use crate::rewrite::translate::literal_vars;
use crate::syntax::ast::{BinaryOp, Relation, Sign, UnaryOp};

/// A constraint recognised as pairwise exclusion.
struct Exclusion {
    /// The body over one side: the literal itself first.
    body: Vec<Literal>,
    /// Terms whose values make the key.
    key: Vec<Term>,
    /// Terms that tell members apart, if not all of the arguments outside the key do.
    class: Option<Vec<Term>>,
}

/// Handles a constraint as exclusion; `false` if it is none and has to be instantiated as written.
pub(super) fn try_rule(run: &mut Instantiator<'_>, rule: &Rule) -> Result<bool, Halt> {
    if !matches!(rule.head, Head::Constraint) {
        return Ok(false);
    }
    let variants = split_absolute(rule);
    let mut found = Vec::with_capacity(variants.len());
    for body in &variants {
        match recognise(body, run) {
            Some(e) => found.push(e),
            None => return Ok(false),
        }
    }
    for e in &found {
        run_exclusion(run, rule, e)?;
    }
    Ok(true)
}

/// `|s| = |t|` holds if `s = t` or `s = -t`: one body for each.
fn split_absolute(rule: &Rule) -> Vec<Vec<Literal>> {
    let at = rule.body.iter().position(|l| {
        matches!(l, Literal::Compare(Relation::Equal, Term::Absolute(..), Term::Absolute(..), _))
    });
    let Some(at) = at else { return vec![rule.body.clone()] };
    let Literal::Compare(_, Term::Absolute(s, _), Term::Absolute(t, _), span) = &rule.body[at] else {
        return vec![rule.body.clone()];
    };
    let with = |right: Term| {
        let mut body = rule.body.clone();
        body[at] = Literal::Compare(Relation::Equal, (**s).clone(), right, *span);
        body
    };
    vec![with((**t).clone()), with(Term::Unary(UnaryOp::Minus, t.clone(), *span))]
}

/// The exchange of the two literals' variables.
struct Exchange {
    /// Partner of each variable that is exchanged.
    partner: Map<Var, Var>,
    /// Variables of the first literal that are exchanged, in order of position.
    first: Vec<Var>,
}

impl Exchange {
    fn side(&self, v: Var) -> Side {
        match self.partner.get(&v) {
            None => Side::Shared,
            Some(_) if self.first.contains(&v) => Side::First,
            Some(_) => Side::Second,
        }
    }

    fn term(&self, t: &Term) -> Term {
        let var = |v: &Var| self.partner.get(v).copied().unwrap_or(*v);
        match t {
            Term::Sym(_) => t.clone(),
            Term::External(n, args, span) => {
                Term::External(*n, args.iter().map(|a| self.term(a)).collect(), *span)
            }
            Term::Var(v) => Term::Var(var(v)),
            Term::Fun(n, s, args) => Term::Fun(*n, *s, args.iter().map(|a| self.term(a)).collect()),
            Term::Tuple(args) => Term::Tuple(args.iter().map(|a| self.term(a)).collect()),
            Term::Unary(op, a, span) => Term::Unary(*op, Box::new(self.term(a)), *span),
            Term::Absolute(a, span) => Term::Absolute(Box::new(self.term(a)), *span),
            Term::Binary(op, a, b, span) => {
                Term::Binary(*op, Box::new(self.term(a)), Box::new(self.term(b)), *span)
            }
            Term::Linear { coefficient, var: v, offset, span } => {
                Term::Linear { coefficient: *coefficient, var: var(v), offset: *offset, span: *span }
            }
            Term::Negated(v, span) => Term::Negated(var(v), *span),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Shared,
    First,
    Second,
    Mixed,
}

fn joined(sides: impl Iterator<Item = Side>) -> Side {
    sides.fold(Side::Shared, |a, b| match (a, b) {
        (Side::Shared, s) | (s, Side::Shared) => s,
        (a, b) if a == b => a,
        _ => Side::Mixed,
    })
}

fn term_side(t: &Term, x: &Exchange) -> Side {
    let mut sides = Vec::new();
    t.for_each_var(&mut |v| sides.push(x.side(v)));
    joined(sides.into_iter())
}

/// Equality of terms without regard to where they stand.
fn same_term(a: &Term, b: &Term) -> bool {
    let all =
        |xs: &[Term], ys: &[Term]| xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same_term(x, y));
    match (a, b) {
        (Term::Sym(x), Term::Sym(y)) => x == y,
        (Term::Var(x), Term::Var(y)) | (Term::Negated(x, _), Term::Negated(y, _)) => x == y,
        (Term::Fun(n, s, xs), Term::Fun(m, t, ys)) => n == m && s == t && all(xs, ys),
        (Term::Tuple(xs), Term::Tuple(ys)) => all(xs, ys),
        (Term::Unary(o, x, _), Term::Unary(p, y, _)) => o == p && same_term(x, y),
        (Term::Absolute(x, _), Term::Absolute(y, _)) => same_term(x, y),
        (Term::Binary(o, x, y, _), Term::Binary(p, v, w, _)) => o == p && same_term(x, v) && same_term(y, w),
        (
            Term::Linear { coefficient: c, var: v, offset: o, .. },
            Term::Linear { coefficient: d, var: w, offset: p, .. },
        ) => c == d && v == w && o == p,
        _ => false,
    }
}

fn mirrored(l: &Literal, m: &Literal, x: &Exchange) -> bool {
    match (l, m) {
        (Literal::Atom(s, a), Literal::Atom(t, b)) => {
            s == t && a.pred == b.pred && a.args.iter().zip(&b.args).all(|(p, q)| same_term(&x.term(p), q))
        }
        (Literal::Compare(r, a, b, _), Literal::Compare(q, c, d, _)) => {
            let (a, b) = (x.term(a), x.term(b));
            r == q && same_term(&a, c) && same_term(&b, d)
                || r.flip() == *q && same_term(&a, d) && same_term(&b, c)
        }
        (Literal::Range(t, a, b, _), Literal::Range(u, c, d, _)) => {
            [(t, u), (a, c), (b, d)].iter().all(|(p, q)| same_term(&x.term(p), q))
        }
        _ => false,
    }
}

/// Whether a literal holds of facts only.
fn is_certain(l: &Literal, run: &Instantiator<'_>) -> bool {
    match l {
        Literal::Atom(_, a) => run.complete[a.pred] && run.domains[a.pred].is_all_facts(),
        Literal::Compare(..) | Literal::Range(..) => true,
        _ => false,
    }
}

fn recognise(body: &[Literal], run: &Instantiator<'_>) -> Option<Exclusion> {
    // The two literals: the only two of one predicate that is not all facts.
    let open: Vec<(usize, &Atom)> = body
        .iter()
        .enumerate()
        .filter_map(|(i, l)| match l {
            Literal::Atom(Sign::None, a) if !run.domains[a.pred].is_all_facts() => Some((i, a)),
            _ => None,
        })
        .collect();
    let [(i, a), (j, b)] = open[..] else { return None };
    if a.pred != b.pred || !run.complete[a.pred] || a.args.is_empty() {
        return None;
    }
    let x = exchange(a, b)?;
    let rest: Vec<&Literal> = (0..body.len()).filter(|&k| k != i && k != j).map(|k| &body[k]).collect();
    if !rest.iter().all(|l| is_certain(l, run)) {
        return None;
    }
    let side = |l: &Literal| {
        let mut sides = Vec::new();
        literal_vars(l, &mut |v| sides.push(x.side(v)));
        joined(sides.into_iter())
    };
    let (mut own, mut other, mut mixed) = (vec![body[i].clone()], Vec::new(), Vec::new());
    for l in rest {
        match side(l) {
            Side::Shared | Side::First => own.push(l.clone()),
            Side::Second => other.push(l),
            Side::Mixed => mixed.push(l),
        }
    }
    // Each literal of one side has its mirror image on the other.
    let first: Vec<&Literal> = own[1..].iter().filter(|l| side(l) == Side::First).collect();
    if first.len() != other.len()
        || !first.iter().all(|l| other.iter().any(|m| mirrored(l, m, &x)))
        || !other.iter().all(|l| first.iter().any(|m| mirrored(l, m, &x)))
    {
        return None;
    }
    // Shared variables make the key; so do terms equated with their mirror images.
    let mut shared: Vec<Var> = Vec::new();
    own.iter().for_each(|l| {
        literal_vars(l, &mut |v| {
            if x.side(v) == Side::Shared && !shared.contains(&v) {
                shared.push(v);
            }
        })
    });
    shared.sort_unstable();
    let mut key: Vec<Term> = shared.into_iter().map(Term::Var).collect();
    let mut apart: Option<Vec<Var>> = None;
    for l in mixed {
        let Literal::Compare(relation, s, t, _) = l else { return None };
        if *relation == Relation::Equal {
            key.push(separated(s, t, &x, run)?);
        } else {
            // One comparison tells the two apart.
            if apart.is_some() {
                return None;
            }
            apart = Some(told_apart(*relation, s, t, &x)?);
        }
    }
    let apart = apart?;
    let all = x.first.iter().all(|v| apart.contains(v));
    let class = (!all).then(|| apart.into_iter().map(Term::Var).collect());
    // The one-sided body must bind its variables by itself.
    let vars = 1 + own.iter().chain(body).map(max_var).max().unwrap_or(0);
    let mut bound = vec![false; vars];
    while own.iter().fold(false, |c, l| crate::rewrite::safety::bind_literal(l, &mut bound) | c) {}
    let mut safe = true;
    own.iter().for_each(|l| literal_vars(l, &mut |v| safe &= bound[v.0 as usize]));
    key.iter().for_each(|t| t.for_each_var(&mut |v| safe &= bound[v.0 as usize]));
    safe.then_some(Exclusion { body: own, key, class })
}

fn max_var(l: &Literal) -> usize {
    let mut max = 0;
    literal_vars(l, &mut |v| max = max.max(v.0 as usize));
    max
}

fn exchange(a: &Atom, b: &Atom) -> Option<Exchange> {
    let mut x = Exchange { partner: Map::default(), first: Vec::new() };
    for (s, t) in a.args.iter().zip(&b.args) {
        match (s, t) {
            (Term::Var(v), Term::Var(w)) if v != w => {
                let known = (x.partner.get(v), x.partner.get(w));
                match known {
                    (None, None) => {
                        x.partner.insert(*v, *w);
                        x.partner.insert(*w, *v);
                        x.first.push(*v);
                    }
                    (Some(p), Some(q)) if p == w && q == v && x.first.contains(v) => {}
                    _ => return None,
                }
            }
            (s, t) if same_term(s, t) => {}
            _ => return None,
        }
    }
    // A variable cannot be exchanged in one place and shared in another.
    let fixed_ok = a.args.iter().zip(&b.args).all(|(s, t)| {
        let mut ok = true;
        if same_term(s, t) {
            s.for_each_var(&mut |v| ok &= !x.partner.contains_key(&v));
        }
        ok
    });
    (fixed_ok && !x.first.is_empty()).then_some(x)
}

/// The term over the first side whose equality with its mirror image `s = t` says.
fn separated(s: &Term, t: &Term, x: &Exchange, run: &Instantiator<'_>) -> Option<Term> {
    for (u, v) in [(s, t), (t, s)] {
        if term_side(u, x) == Side::First && same_term(&x.term(u), v) {
            return Some(u.clone());
        }
    }
    // A linear equation: first - mirrored first = 0.
    let span = crate::base::span::Span::NONE;
    let difference = Term::Binary(BinaryOp::Sub, Box::new(s.clone()), Box::new(t.clone()), span);
    let sum = plan::linear(&difference, run.symbols)?;
    if sum.constant != 0 {
        return None;
    }
    let coefficient = |v: Var| sum.terms.iter().find(|(_, w)| *w == v).map_or(0, |(c, _)| *c);
    let mut key: Option<Term> = None;
    for &(c, v) in &sum.terms {
        match x.side(v) {
            Side::First => {
                if coefficient(*x.partner.get(&v)?) != c.checked_neg()? {
                    return None;
                }
                let term = Term::Linear { coefficient: c, var: v, offset: 0, span };
                key = Some(match key {
                    None => term,
                    Some(k) => Term::Binary(BinaryOp::Add, Box::new(k), Box::new(term), span),
                });
            }
            Side::Second if coefficient(*x.partner.get(&v)?) == c.checked_neg()? => {}
            _ => return None,
        }
    }
    key
}

/// The first side's variables in which the two must differ, if a comparison says no more than that.
fn told_apart(relation: Relation, s: &Term, t: &Term, x: &Exchange) -> Option<Vec<Var>> {
    if !matches!(relation, Relation::NotEqual | Relation::Less | Relation::Greater) {
        return None;
    }
    let first = |s: &Term| match s {
        Term::Var(v) => Some(vec![*v]),
        Term::Tuple(args) => {
            args.iter().map(|a| if let Term::Var(v) = a { Some(*v) } else { None }).collect()
        }
        _ => None,
    };
    if !same_term(&x.term(s), t) {
        return None;
    }
    let vars: Vec<Var> = first(s)?;
    // All of one side: either may come first.
    let sides = joined(vars.iter().map(|&v| x.side(v)));
    let vars: Vec<Var> = vars.into_iter().filter(|v| x.partner.contains_key(v)).collect();
    match sides {
        Side::First => Some(vars),
        Side::Second => vars.iter().map(|v| x.partner.get(v).copied()).collect(),
        _ => None,
    }
}

fn run_exclusion(run: &mut Instantiator<'_>, rule: &Rule, e: &Exclusion) -> Flow {
    let compiled = compile::compile(
        &Rule {
            head: Head::Constraint,
            body: Vec::new(),
            vars: rule.vars.clone(),
            span: rule.span,
            source: rule.source,
        },
        &|_| false,
        &mut context(run),
    );
    let mut bound = vec![false; rule.vars.len()];
    let steps = plan::compile(
        &e.body,
        &mut bound,
        &vec![false; rule.vars.len()],
        &|_| Source::All,
        None,
        false,
        &mut context(run),
    );
    prepare(run, rule, &compiled);
    let mut keys = Table::new(e.key.len());
    // Members: group, atom (none for a fact), class.
    let mut members: Vec<(u32, Option<GroundLiteral>, Option<Sym>)> = Vec::new();
    run.run(&compiled, &steps, &mut |run| {
        let Some(start) = run.eval_args(&e.key) else { return Ok(()) };
        let (group, _) = keys.insert(&run.scratch[start..]);
        run.scratch.truncate(start);
        let class = match &e.class {
            None => None,
            Some(terms) => {
                let Some(start) = run.eval_args(terms) else { return Ok(()) };
                let class = run.symbols.tuple(&run.scratch[start..]);
                run.scratch.truncate(start);
                Some(class)
            }
        };
        members.push((group, run.literals.last().copied(), class));
        Ok(())
    })?;
    members.sort_by_key(|m| m.0);
    for group in members.chunk_by(|a, b| a.0 == b.0) {
        write_group(run, group);
        run.poll()?;
    }
    Ok(())
}

fn write_group(run: &mut Instantiator<'_>, group: &[(u32, Option<GroundLiteral>, Option<Sym>)]) {
    if group.len() < 2 {
        return;
    }
    let mut classes: Vec<Sym> = group.iter().filter_map(|m| m.2).collect();
    classes.sort_unstable();
    let parts = classes.len();
    classes.dedup();
    if classes.len() < parts {
        for (i, a) in group.iter().enumerate() {
            for b in group[..i].iter().filter(|b| b.2 != a.2) {
                let body: Vec<GroundLiteral> = b.1.iter().chain(&a.1).copied().collect();
                run.program.rules.add(false, &[], &body, run.source);
            }
        }
        return;
    }
    let facts = group.iter().filter(|m| m.1.is_none()).count();
    let literals = || group.iter().filter_map(|m| m.1);
    run.instances += 1;
    match facts {
        0 if group.len() == 2 => {
            let body: Vec<GroundLiteral> = literals().collect();
            run.program.rules.add(false, &[], &body, run.source);
        }
        0 => {
            let body: Vec<(GroundLiteral, i64)> = literals().map(|l| (l, 1)).collect();
            run.program.rules.add_weight(false, &[], 2, &body, run.source);
        }
        1 => {
            for l in literals() {
                run.program.rules.add(false, &[], &[l], run.source);
            }
        }
        _ => {
            run.program.rules.add(false, &[], &[], run.source);
        }
    }
}

/// Whether rules over a predicate can be exclusions at all.
pub(super) fn is_candidate(rule: &Rule) -> bool {
    let atoms: Vec<PredId> = rule
        .body
        .iter()
        .filter_map(|l| match l {
            Literal::Atom(Sign::None, a) => Some(a.pred),
            _ => None,
        })
        .collect();
    matches!(rule.head, Head::Constraint) && atoms.iter().enumerate().any(|(i, p)| atoms[..i].contains(p))
}
