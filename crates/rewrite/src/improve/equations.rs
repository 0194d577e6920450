//! Joins of functional atoms through linear comparisons: `:- s(a,S), s(b,T), S+3 > T.` becomes
//! `:- #key(a), #key(b), #sum { S,0 : s(a,S); -T,1 : s(b,T) } > -3.`
//!
//! An atom is *functional* in some columns if for each value of the other columns, its *key*, exactly one atom holds in every
//! answer set: a choice without a body says so of just these atoms. A variable is *free* if it stands in one such column and else
//! only in comparisons that are linear in free variables, or that mention free variables of that atom alone. `#key` holds the
//! keys, as facts; comparisons of the second kind count atoms: `1 <= #count { 0 : s(a,S), S\2 = 0 }`.
//!
//! Products of free variables are summands, too: `#sum { U*V,2 : s(a,U), s(b,V); ... }`; see [`super::elements`].
//!
//! The weight of an objective may be linear in free variables, too: then each atom counts by itself. The tuples get two more
//! terms, the numbers of the statement and of the atom, so that no two are equal; see [`splits`].
//!
//! Proof that the answer sets stay the same. The predicates are complete, so none of them depends positively on the head: no
//! loop has both the head and their atoms. For a given set of atoms in which each key has its one atom, an instance of the new
//! body holds if and only if its keys exist, the rest holds and the values of the atoms satisfy all comparisons: exactly if some
//! instance of the old body holds. So both rules support the same atoms in the same sets, in completion and loop formulas (Lin and
//! Zhao, *ASSAT*, AIJ 2004; for aggregates outside of loops, Faber, *Unfounded sets for disjunctive logic programs with arbitrary
//! aggregates*, LPNMR 2005). Values are integers and small enough that no sum can overflow; what is not linear may stand alone
//! beside a sum, where a term is compared in the order of terms as before.

use super::Sizes;
use super::cut::is_kept;
use super::elements::{Placed, Product, aggregate, rename, weight};
use super::estimate::{self, Size};
use super::linear_form::{Form, Guard, Numbers, form, inline, negated_form, polynomial};
use crate::predicate::PredId;
use crate::rule::{Atom, Head, Literal, Rule, Term, Var, VarInfo, literal_vars};
use crate::safety;
use crate::unify::all_unify;
use asp_base::span::Span;
use asp_base::symbol::{Sym, Symbols};
use asp_syntax::ast::{AggregateFunction, Relation, Sign};

/// A sum pays if the join makes so many times its work, and so much more.
const MIN_FACTOR: f64 = 6.0;
const MIN_SAVED: f64 = 2000.0;
/// If each comparison is of two values, most instances would be binary clauses, which suit the search better: then this many
/// times, this much more, and this much for each pair of keys; or very many times.
const MIN_FOR_PAIRS: [f64; 3] = [10.0, 100_000.0, 4000.0];
const MIN_PAIRS_FACTOR: f64 = 100.0;
/// Bodies with more literals are left alone.
const MAX_LITERALS: usize = 1000;
/// Sums over more values of one key are slow to propagate.
pub(super) const MAX_VALUES: f64 = 10_000.0;
/// No sum of values may exceed this.
pub(super) const MAX_SUM: i128 = 1 << 60;

/// A predicate that is functional in some columns.
#[derive(Clone, Debug)]
pub struct Function {
    /// Number of keys.
    pub keys: f64,
    /// Number of atoms.
    pub rows: f64,
    /// By column of the values: the least and the greatest, if all are integers.
    pub ranges: Vec<Option<(i64, i64)>>,
}

/// The pass's view of the domains.
pub trait Functions: Sizes {
    /// The value of a term that is an integer.
    fn number(&self, term: Sym) -> Option<i64>;
    /// The function of a predicate in these columns (ascending), if it is one.
    fn function(&mut self, pred: PredId, columns: &[usize]) -> Option<Function>;
}

/// A functional atom of a body.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) literal: usize,
    atom: Atom,
    columns: Vec<usize>,
    pub(super) function: Function,
}

type Terms = Vec<Placed>;

/// One sum with its guards.
#[derive(Clone, Debug)]
struct Sum {
    /// In order of the sources.
    terms: Terms,
    products: Vec<Product>,
    guards: Vec<(Relation, Guard)>,
    span: Span,
}

/// A body that pays to be rewritten.
#[derive(Clone, Debug)]
pub struct Equations {
    body: Vec<Literal>,
    /// For each literal: whether it stays.
    stays: Vec<bool>,
    sources: Vec<Source>,
    sums: Vec<Sum>,
    /// Comparisons that mention free variables of one source only.
    alone: Vec<(usize, usize)>,
    /// The weight of an objective, if it has free variables: terms as in a sum, and the rest.
    weight: Option<(Terms, Guard)>,
}

/// How a body may be rewritten.
#[derive(Clone, Copy, Debug, Default)]
pub struct May {
    /// Whether it pays or not.
    pub eager: bool,
    /// The weight of an objective may be split.
    pub split: bool,
}

/// Recognises a body. Where products form no sum, or none that pays, their variables may stay in the body.
pub fn recognise(rule: &Rule, known: &mut dyn Functions, may: May) -> Option<Equations> {
    let is_product = |t: &Term| matches!(t, Term::Binary(..));
    let may_multiply =
        rule.body.iter().any(|l| matches!(l, Literal::Compare(_, s, t, _) if is_product(s) || is_product(t)));
    let with_products = may_multiply.then(|| recognise_by(&polynomial, rule, known, may)).flatten();
    with_products.or_else(|| recognise_by(&form, rule, known, may))
}

/// Finds the form of a comparison.
type Former<'a> = &'a dyn Fn(Relation, &Term, &Term, &dyn Fn(Var) -> bool, Numbers<'_>) -> Option<Form>;

fn recognise_by(former: Former<'_>, rule: &Rule, known: &mut dyn Functions, may: May) -> Option<Equations> {
    let is_weighted = may.split && matches!(rule.head, Head::Minimize { .. });
    let compares = rule.body.iter().any(|l| matches!(l, Literal::Compare(..)));
    if rule.body.len() > MAX_LITERALS || !compares && !is_weighted {
        return None;
    }
    let candidates = |body: &[Literal]| -> Vec<usize> {
        let is_one = |l: &Literal| match l {
            Literal::Atom(Sign::None, a) => known.is_complete(a.pred) && !known.is_all_facts(a.pred),
            _ => false,
        };
        (0..body.len()).filter(|&i| is_one(&body[i])).collect()
    };
    if candidates(&rule.body).len() < 2 {
        return None;
    }
    let kept = |v: Var| match &rule.head {
        Head::Minimize { priority, tuple, .. } if is_weighted => {
            let constraint = Rule { head: Head::Constraint, ..rule.clone() };
            priority.has(v) || tuple.iter().any(|t| t.has(v)) || is_kept(&constraint, v)
        }
        _ => is_kept(rule, v),
    };
    let (body, weight) = inline(rule, &kept);
    let weight = weight.filter(|_| is_weighted);
    let at = candidates(&body);
    let mut homes = homes(rule, &body, &at, &kept);
    loop {
        settle(former, (&body, weight.as_ref()), &at, &mut homes, known);
        let mut all = true;
        let mut sources = Vec::new();
        for &literal in &at {
            let Literal::Atom(_, atom) = &body[literal] else { continue };
            match source(literal, atom, &homes, (&body, weight.as_ref()), known) {
                Some(source) => sources.push(source),
                None => {
                    let own = |home: &Option<usize>| *home == Some(literal);
                    all &= !homes.iter().any(own);
                    homes.iter_mut().filter(|h| own(h)).for_each(|h| *h = None);
                }
            }
        }
        if all {
            let found = equations(former, (body, weight.as_ref()), sources, &homes, known)?;
            let pays = may.eager || found.pays(rule, known);
            return (pays && found.is_safe(rule, &kept)).then_some(found);
        }
    }
}

/// Whether the weight of an objective may be split: no other statement has the same tuple. Returns the length of the longest
/// tuple of all, and the number of the statement.
pub fn splits(rule: &Rule, rules: &[Rule], symbols: &Symbols) -> Option<(usize, usize)> {
    let Head::Minimize { priority, tuple, .. } = &rule.head else { return None };
    let (mut longest, mut number) = (0, None);
    for (i, other) in rules.iter().enumerate() {
        let Head::Minimize { priority: p, tuple: t, .. } = &other.head else { continue };
        longest = longest.max(t.len());
        if std::ptr::eq(rule, other) {
            number = Some(i);
        } else if all_unify(tuple, t, symbols)
            && all_unify(std::slice::from_ref(priority), std::slice::from_ref(p), symbols)
        {
            return None;
        }
    }
    Some((longest, number?))
}

/// For each variable the atom that binds it, if it may be free.
fn homes(rule: &Rule, body: &[Literal], at: &[usize], kept: &dyn Fn(Var) -> bool) -> Vec<Option<usize>> {
    let mut count = vec![0u32; rule.vars.len()];
    at.iter().for_each(|&i| literal_vars(&body[i], &mut |v| count[v.0 as usize] += 1));
    let mut homes = vec![None; rule.vars.len()];
    for &i in at {
        let Literal::Atom(_, a) = &body[i] else { continue };
        for t in &a.args {
            if let Term::Var(v) = t
                && count[v.0 as usize] == 1
                && !kept(*v)
            {
                homes[v.0 as usize] = Some(i);
            }
        }
    }
    homes
}

/// The role of a literal for free variables.
enum Says {
    Nothing,
    /// Something of those of one atom.
    Alone(usize),
    /// A linear comparison of those of several.
    Linear(Form),
    /// Something else.
    Other,
}

fn says(
    former: Former<'_>,
    l: &Literal,
    homes: &[Option<usize>],
    facts: &dyn Fn(PredId) -> bool,
    number: Numbers<'_>,
) -> Says {
    let (mut of, mut several, mut others) = (None, false, false);
    literal_vars(l, &mut |v| match homes[v.0 as usize] {
        None => others = true,
        Some(home) => {
            several |= of.is_some_and(|of| of != home);
            of = Some(home);
        }
    });
    let Some(home) = of else { return Says::Nothing };
    match l {
        Literal::Compare(..) | Literal::Range(..) if !several => Says::Alone(home),
        Literal::Atom(Sign::None, a) if !several && !others && facts(a.pred) => Says::Alone(home),
        Literal::Compare(relation, s, t, _) => {
            let is_free = |v: Var| homes[v.0 as usize].is_some();
            former(*relation, s, t, &is_free, number).map_or(Says::Other, Says::Linear)
        }
        _ => Says::Other,
    }
}

/// Takes away what is not free, until all that is left is.
fn settle(
    former: Former<'_>,
    (body, weight): (&[Literal], Option<&Term>),
    at: &[usize],
    homes: &mut [Option<usize>],
    known: &dyn Functions,
) {
    let facts = |p: PredId| known.is_complete(p) && known.is_all_facts(p);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (i, l) in body.iter().enumerate() {
            if !at.contains(&i) && matches!(says(former, l, homes, &facts, &|s| known.number(s)), Says::Other)
            {
                literal_vars(l, &mut |v| changed |= homes[v.0 as usize].take().is_some());
            }
        }
        if let Some(w) = weight.filter(|w| weight_form(w, homes, known).is_none()) {
            w.for_each_var(&mut |v| changed |= homes[v.0 as usize].take().is_some());
        }
    }
}

/// The weight of an objective as a sum of free variables and a rest, which may have none.
fn weight_form(weight: &Term, homes: &[Option<usize>], known: &dyn Functions) -> Option<Form> {
    let is_free = |v: Var| homes[v.0 as usize].is_some();
    let mut any = false;
    weight.for_each_var(&mut |v| any |= is_free(v));
    let zero = Term::Sym(Sym::small(0)?);
    if !any {
        let guard = Guard::Exact(weight.clone());
        return Some(Form { terms: Vec::new(), products: Vec::new(), relation: Relation::Equal, guard });
    }
    let form = form(Relation::Equal, weight, &zero, &is_free, &|s| known.number(s))?;
    // Without a value for the rest, no part counts.
    matches!(&form.guard, Guard::Sum(_, rest) if rest.is_empty()).then_some(form)
}

/// An atom as a source: functional in the columns of all its free variables, or of those that are used.
fn source(
    literal: usize,
    atom: &Atom,
    homes: &[Option<usize>],
    (body, weight): (&[Literal], Option<&Term>),
    known: &mut dyn Functions,
) -> Option<Source> {
    let mut used = vec![false; homes.len()];
    weight.into_iter().for_each(|w| w.for_each_var(&mut |v| used[v.0 as usize] = true));
    body.iter().enumerate().filter(|(i, _)| *i != literal).for_each(|(_, l)| {
        literal_vars(l, &mut |v| used[v.0 as usize] = true);
    });
    let columns = |which: &dyn Fn(Var) -> bool| -> Vec<usize> {
        let free = |t: &Term| matches!(t, Term::Var(v) if homes[v.0 as usize] == Some(literal) && which(*v));
        (0..atom.args.len()).filter(|&c| free(&atom.args[c])).collect()
    };
    let needed = columns(&|v| used[v.0 as usize]);
    if needed.is_empty() {
        return None;
    }
    [columns(&|_| true), needed].into_iter().find_map(|columns| {
        let function = known.function(atom.pred, &columns)?;
        (function.rows <= MAX_VALUES * function.keys).then_some(())?;
        Some(Source { literal, atom: atom.clone(), columns, function })
    })
}

/// Puts the parts together; `None` if no comparison or weight joins two atoms.
fn equations(
    former: Former<'_>,
    (body, weight): (Vec<Literal>, Option<&Term>),
    sources: Vec<Source>,
    homes: &[Option<usize>],
    known: &dyn Functions,
) -> Option<Equations> {
    let place = |home: usize| sources.iter().position(|s| s.literal == home);
    let mut stays: Vec<bool> = (0..body.len()).map(|i| place(i).is_none()).collect();
    let (mut sums, mut alone): (Vec<Sum>, _) = (Vec::new(), Vec::new());
    for (i, l) in body.iter().enumerate() {
        if !stays[i] {
            continue;
        }
        match says(former, l, homes, &|_| true, &|s| known.number(s)) {
            Says::Nothing => continue,
            Says::Other => return None,
            Says::Alone(home) => alone.push((i, place(home)?)),
            Says::Linear(form) => {
                let Literal::Compare(.., span) = l else { return None };
                add(&mut sums, form, &sources, homes, *span)?;
            }
        }
        stays[i] = false;
    }
    let weight = match weight.map(|w| weight_form(w, homes, known)) {
        Some(form) => Some(form?).filter(|f| !f.terms.is_empty()),
        None => None,
    };
    let weight = match weight {
        Some(form) => Some((placed(&form.terms, &sources, homes)?, negated_form(form)?.guard)),
        None => None,
    };
    let several = |terms: &[Placed]| terms.iter().any(|t| t.1 != terms[0].1);
    let joins = !sums.is_empty() || weight.as_ref().is_some_and(|w| several(&w.0));
    joins.then_some(Equations { body, stays, sources, sums, alone, weight })
}

/// Adds a comparison to the sum of the same terms, if there is one. `None` if values are no integers, or too large.
fn add(
    sums: &mut Vec<Sum>,
    mut form: Form,
    sources: &[Source],
    homes: &[Option<usize>],
    span: Span,
) -> Option<()> {
    form.terms.sort_unstable_by_key(|t| t.1);
    if form.terms.first().is_some_and(|t| t.0 < 0) {
        form = negated_form(form)?;
    }
    let terms = placed(&form.terms, sources, homes)?;
    let products = form.products.iter().map(|(c, vars)| Product::new(*c, vars, sources, homes));
    let products: Vec<Product> = products.collect::<Option<_>>()?;
    let same = |s: &&mut Sum| s.terms == terms && s.products == products && s.guards.len() < 2;
    match sums.iter_mut().find(same) {
        Some(sum) => sum.guards.push((form.relation, form.guard)),
        None => sums.push(Sum { terms, products, guards: vec![(form.relation, form.guard)], span }),
    }
    Some(())
}

/// Terms with the places of their sources. `None` if values are no integers, or too large.
fn placed(terms: &[(i64, Var)], sources: &[Source], homes: &[Option<usize>]) -> Option<Terms> {
    let mut out = Vec::with_capacity(terms.len());
    let mut greatest = 0;
    for &(coefficient, v) in terms {
        let home = homes[v.0 as usize]?;
        let place = sources.iter().position(|s| s.literal == home)?;
        greatest += i128::from(coefficient).abs() * sources[place].greatest(v)?;
        out.push((coefficient, place, v));
    }
    // The terms of one source are one element.
    out.sort_by_key(|t| t.1);
    (greatest <= MAX_SUM).then_some(out)
}

impl Equations {
    /// The rest of the body, with the keys of the sources.
    fn rest(&self, keys: &dyn Fn(PredId, &[usize]) -> PredId) -> Vec<Literal> {
        let key = |s: &Source| {
            let args = s.keys().map(|c| s.atom.args[c].clone()).collect();
            let pred = keys(s.atom.pred, &s.columns);
            Literal::Atom(Sign::None, Atom { pred, args, span: s.atom.span })
        };
        let stays = self.body.iter().zip(&self.stays).filter(|(_, stays)| **stays);
        stays.map(|(l, _)| l.clone()).chain(self.sources.iter().map(key)).collect()
    }

    /// Whether the sums are less work than the join.
    fn pays(&self, rule: &Rule, known: &mut dyn Functions) -> bool {
        let never = vec![false; rule.vars.len()];
        let old: Vec<Size> = self.body.iter().map(|l| estimate::size(l, &never, known)).collect();
        let mut new = Vec::new();
        let mut elements = 0.0;
        for (i, size) in old.iter().enumerate() {
            if self.stays[i] {
                new.push(size.clone());
            }
        }
        for s in &self.sources {
            let mut size = old[s.literal].clone();
            let keeps = |v: Var| s.keys().any(|c| s.atom.args[c].has(v));
            size.vars.retain(|x| keeps(x.0));
            size.rows = (size.rows * s.function.keys / s.function.rows.max(1.0)).max(1.0);
            size.vars.iter_mut().for_each(|x| x.1 = x.1.min(size.rows));
            new.push(size);
            elements += s.function.rows / s.function.keys.max(1.0);
        }
        elements += self.sums.iter().flat_map(|s| &s.products).map(|p| p.size(&self.sources)).sum::<f64>();
        let joined = estimate::join(new.iter()).0;
        let (was, now) = (estimate::work(&old), estimate::work(&new) + joined * elements);
        let is_pair = |s: &Sum| {
            let (Some(first), Some(last)) = (s.terms.first(), s.terms.last()) else { return false };
            let (first, last) = (first.1, last.1);
            s.products.is_empty()
                && s.guards.len() == 1
                && s.terms.iter().all(|t| [first, last].contains(&t.1))
        };
        let is_pair = self.weight.is_none() && self.sums.iter().all(is_pair);
        let [factor, saved, each] = MIN_FOR_PAIRS;
        let many = was >= factor * now && was - now >= saved && was >= each * joined;
        let factor = if is_pair { MIN_PAIRS_FACTOR } else { MIN_FACTOR };
        is_pair && many || was >= factor * now && was - now >= MIN_SAVED
    }

    /// Whether what stays binds all that the rest of the rule needs.
    fn is_safe(&self, rule: &Rule, kept: &dyn Fn(Var) -> bool) -> bool {
        let rest = self.rest(&|p, _| p);
        let mut bound = vec![false; rule.vars.len()];
        let mut safe = safety::binds_all(&rest, &mut bound);
        let mut need = |v: Var| safe &= bound[v.0 as usize] || self.is_free(v);
        self.sums.iter().flat_map(|s| &s.guards).for_each(|g| g.1.for_each_var(&mut need));
        self.alone.iter().for_each(|&(i, _)| literal_vars(&self.body[i], &mut need));
        if let (Some((_, rest)), Head::Minimize { tuple, .. }) = (&self.weight, &rule.head) {
            rest.for_each_var(&mut need);
            // The tuple tells instances apart.
            safe &= (0..rule.vars.len() as u32)
                .map(Var)
                .all(|v| !bound[v.0 as usize] || tuple.contains(&Term::Var(v)));
        }
        let used = (0..rule.vars.len() as u32).map(Var).filter(|&v| kept(v));
        safe && used.into_iter().all(|v| bound[v.0 as usize] || rule.vars[v.0 as usize].local)
    }

    fn is_free(&self, v: Var) -> bool {
        self.sources.iter().any(|s| s.columns.iter().any(|&c| s.atom.args[c] == Term::Var(v)))
    }

    /// The number of sums whose conjunction is an instance, including comparisons of one source.
    pub fn sums(&self) -> usize {
        self.sums.len() + self.alone.len()
    }

    /// The sources' predicates with the columns of their values.
    pub fn functions(&self) -> impl Iterator<Item = (PredId, &[usize])> {
        self.sources.iter().map(|s| (s.atom.pred, &s.columns[..]))
    }

    /// The rules; `keys` names the predicate of the keys of a function, `split` is the result of [`splits`].
    pub fn rules(
        &self,
        rule: &Rule,
        split: Option<(usize, usize)>,
        keys: &dyn Fn(PredId, &[usize]) -> PredId,
        symbols: &mut Symbols,
    ) -> Vec<Rule> {
        let mut out = Rule { body: self.rest(keys), ..rule.clone() };
        for place in 0..self.sources.len() {
            let alone = self.alone.iter().filter(|a| a.1 == place).map(|a| &self.body[a.0]);
            let alone: Vec<&Literal> = alone.collect();
            if !alone.is_empty() {
                let (mut condition, to) = self.atom(place, &mut out);
                condition.extend(alone.iter().map(|l| rename(l, &to)));
                let one = (Relation::GreaterEqual, Term::Sym(symbols.num(1)));
                let elements = vec![(vec![Term::Sym(symbols.num(0))], condition)];
                let span = self.sources[place].atom.span;
                out.body.push(aggregate(AggregateFunction::Count, vec![one], elements, span, &out.vars));
            }
        }
        for sum in &self.sums {
            let mut elements = Vec::new();
            for terms in sum.terms.chunk_by(|a, b| a.1 == b.1) {
                let (condition, to) = self.atom(terms[0].1, &mut out);
                let number = Term::Sym(symbols.num(terms[0].1 as i64));
                elements.push((vec![weight(terms, &to, sum.span), number], condition));
            }
            for (i, product) in sum.products.iter().enumerate() {
                let (mut condition, mut to) = (Vec::new(), Vec::new());
                for place in product.places() {
                    let (atom, own) = self.atom(place, &mut out);
                    condition.extend(atom);
                    to.extend(own);
                }
                let number = Term::Sym(symbols.num((self.sources.len() + i) as i64));
                let coefficient = Term::Sym(symbols.num(product.coefficient()));
                elements.push((vec![product.weight(&to, coefficient, sum.span), number], condition));
            }
            let guards = sum.guards.iter().map(|(r, g)| (*r, g.term(sum.span, symbols))).collect();
            out.body.push(aggregate(AggregateFunction::Sum, guards, elements, sum.span, &out.vars));
        }
        match (&self.weight, &rule.head, split) {
            (Some((terms, rest)), Head::Minimize { priority, tuple, .. }, Some((longest, number))) => {
                let with = |weight: Term, place: i64, body: Vec<Literal>, symbols: &mut Symbols| {
                    let mut tuple = tuple.clone();
                    tuple.resize(longest, Term::Sym(symbols.num(0)));
                    tuple.push(Term::Sym(symbols.num(number as i64)));
                    tuple.push(Term::Sym(symbols.num(place)));
                    let head = Head::Minimize { weight, priority: priority.clone(), tuple };
                    Rule { head, body, ..out.clone() }
                };
                let mut rules = Vec::new();
                for terms in terms.chunk_by(|a, b| a.1 == b.1) {
                    let place = terms[0].1;
                    let atom = Literal::Atom(Sign::None, self.sources[place].atom.clone());
                    let body = out.body.iter().cloned().chain([atom]).collect();
                    rules.push(with(weight(terms, &[], rule.span), place as i64, body, symbols));
                }
                if !rest.is_zero() {
                    rules.push(with(rest.term(rule.span, symbols), -1, out.body.clone(), symbols));
                }
                rules
            }
            _ => vec![out],
        }
    }

    /// The atom of a source with variables of its own in place of the free ones.
    fn atom(&self, place: usize, rule: &mut Rule) -> (Vec<Literal>, Vec<(Var, Var)>) {
        let Source { atom, columns, .. } = &self.sources[place];
        let mut to = Vec::new();
        let mut args = atom.args.clone();
        for &c in columns {
            if let Term::Var(v) = args[c] {
                let own = Var(rule.vars.len() as u32);
                rule.vars.push(VarInfo { local: true, ..rule.vars[v.0 as usize] });
                to.push((v, own));
                args[c] = Term::Var(own);
            }
        }
        (vec![Literal::Atom(Sign::None, Atom { args, ..atom.clone() })], to)
    }
}

impl Source {
    /// The greatest absolute value of a variable; `None` if not all its values are integers.
    pub(super) fn greatest(&self, v: Var) -> Option<i128> {
        let column = self.columns.iter().position(|&c| self.atom.args[c] == Term::Var(v))?;
        let (least, most) = self.function.ranges[column]?;
        Some(i128::from(least).abs().max(i128::from(most).abs()))
    }

    /// The columns of the key.
    fn keys(&self) -> impl Iterator<Item = usize> {
        (0..self.atom.args.len()).filter(|c| !self.columns.contains(c))
    }
}
