//! Joins that several rules share are done once: `#1(X,Z) :- e(X,Y), e(Y,Z), f(X,Z).`
//!
//! What is shared is an auxiliary predicate with its definition: either one that another rule's projection or
//! decomposition made, or a new one for the largest part that the bodies of some rules have in common up to renaming of
//! variables, if the join costs more than reading its result. [`super::cut`] has the proof for replacing the part by
//! the definition; here the part is found by an injective renaming, under which the definition is the same.

use super::cut::Body;
use super::estimate;
use super::exchange::same_up_to;
use super::{Rewriting, Rewritings, Sizes};
use crate::predicate::PredId;
use crate::rule::{Atom, Head, Literal, Rule, Term, Var, literal_vars};
use crate::safety;
use asp_base::map::Map;
use asp_syntax::ast::Sign;

/// Steps of the search for a renaming.
const MAX_TRIES: u32 = 2000;

/// Number of rules whose bodies are compared with each other; number of their literals.
const MAX_RULES: usize = 500;
const MAX_LITERALS: usize = 16;

/// `pred(scope) :- rule.body.`
#[derive(Clone, Debug)]
pub struct Definition {
    /// The new predicate.
    pub pred: PredId,
    /// Arguments of the new predicate.
    pub scope: Vec<Var>,
    /// Its definition.
    pub body: Vec<Literal>,
}

impl Definition {
    /// The auxiliary atom's arguments in place of a literal of which `scope` is needed, if it is defined by that literal.
    pub fn in_place_of(&self, literal: &Literal, scope: &[Var]) -> Option<Vec<Term>> {
        let ([own], mut renaming) = (self.body.as_slice(), Renaming::default()) else { return None };
        let fits = self.scope.len() == scope.len() && renaming.literal(own, literal);
        let args: Option<Vec<Var>> = self.scope.iter().map(|v| renaming.to.get(v).copied()).collect();
        let args = args.filter(|args| fits && args.iter().all(|v| scope.contains(v)))?;
        Some(args.into_iter().map(Term::Var).collect())
    }
}

/// A join that several rules have in common.
#[derive(Clone, Debug)]
pub struct Common {
    /// The first of the rules, with the join as its body.
    pub rule: Rule,
    /// The variables that any of the rules needs, ascending.
    pub scope: Vec<Var>,
    /// How many rules contain it.
    pub uses: usize,
}

/// Common joins and auxiliary predicates of one call.
#[derive(Debug, Default)]
pub struct Shared {
    /// Joins that have not been looked at yet.
    pub common: Vec<Common>,
    /// Auxiliary predicates that were made.
    pub definitions: Vec<Definition>,
}

impl Shared {
    /// Looks for joins that rules have in common.
    pub fn new(rules: &[&Rule], rewritings: Rewritings) -> Self {
        let sharing = rewritings.has(Rewriting::Sharing) && rules.len() > 1;
        Self { common: if sharing { common(rules) } else { Vec::new() }, definitions: Vec::new() }
    }
}

/// An injective renaming of variables.
#[derive(Clone, Debug, Default)]
struct Renaming {
    to: Map<Var, Var>,
    from: Map<Var, Var>,
}

impl Renaming {
    fn pair(&mut self, v: Var, w: Var) -> bool {
        *self.to.entry(v).or_insert(w) == w && *self.from.entry(w).or_insert(v) == v
    }

    fn term(&mut self, s: &Term, t: &Term) -> bool {
        same_up_to(s, t, &mut |v, w| self.pair(v, w))
    }

    fn literal(&mut self, l: &Literal, m: &Literal) -> bool {
        match (l, m) {
            (Literal::Atom(s, a), Literal::Atom(t, b)) => {
                s == t && a.pred == b.pred && a.args.iter().zip(&b.args).all(|(x, y)| self.term(x, y))
            }
            (Literal::Compare(r, a, b, _), Literal::Compare(q, c, d, _)) => {
                r == q && self.term(a, c) && self.term(b, d)
            }
            (Literal::Range(t, a, b, _), Literal::Range(u, c, d, _)) => {
                self.term(t, u) && self.term(a, c) && self.term(b, d)
            }
            _ => false,
        }
    }
}

/// Finds in a body the literals of `part` up to renaming: their positions, and the renaming.
fn embed(part: &[Literal], body: &[Literal]) -> Option<(Vec<usize>, Renaming)> {
    fn search(
        part: &[Literal],
        body: &[Literal],
        places: &mut Vec<usize>,
        renaming: Renaming,
        tries: &mut u32,
    ) -> Option<Renaming> {
        let Some(l) = part.get(places.len()) else { return Some(renaming) };
        for (j, m) in body.iter().enumerate() {
            *tries = tries.saturating_sub(1);
            let fits = match (l, m) {
                (Literal::Atom(_, a), Literal::Atom(_, b)) => a.pred == b.pred,
                (Literal::Compare(..), Literal::Compare(..)) | (Literal::Range(..), Literal::Range(..)) => {
                    true
                }
                _ => false,
            };
            if *tries == 0 || !fits || places.contains(&j) {
                continue;
            }
            let mut next = renaming.clone();
            if next.literal(l, m) {
                places.push(j);
                if let Some(found) = search(part, body, places, next, tries) {
                    return Some(found);
                }
                places.pop();
            }
        }
        None
    }
    let mut places = Vec::new();
    let found = search(part, body, &mut places, Renaming::default(), &mut MAX_TRIES.clone())?;
    Some((places, found))
}

impl Definition {
    /// The definition that a common join would get.
    pub fn of(c: &Common) -> Self {
        Self { pred: PredId(0), scope: c.scope.clone(), body: c.rule.body.clone() }
    }

    /// The rule with the defined part replaced, if it contains that part and uses no hidden variable elsewhere.
    pub fn replace(&self, rule: &Rule, body: &Body) -> Option<Rule> {
        let (mut part, renaming) = embed(&self.body, &rule.body)?;
        part.sort_unstable();
        let (hidden, _) = body.split(&part);
        let scope: Vec<Var> = self.scope.iter().filter_map(|v| renaming.to.get(v).copied()).collect();
        let open = renaming.to.values().filter(|w| !scope.contains(w));
        if !part.iter().all(|&i| body.movable[i]) || !open.into_iter().all(|w| hidden.contains(w)) {
            return None;
        }
        // Replacing one atom by another gains nothing.
        if part.len() == 1 && hidden.is_empty() {
            return None;
        }
        Some(super::cut::apply(rule, &part, &scope, self.pred).1)
    }
}

/// The largest joins that bodies of several rules have in common.
pub(crate) fn common(rules: &[&Rule]) -> Vec<Common> {
    if rules.len() > MAX_RULES {
        return Vec::new();
    }
    let mut out: Vec<Common> = Vec::new();
    // Pairs of joined atoms, under a name that is independent of the variables' names.
    let mut pairs: Map<String, Vec<(usize, usize, usize)>> = Map::default();
    let mut names: Vec<String> = Vec::new();
    for (r, rule) in rules.iter().enumerate().filter(|(_, r)| r.body.len() <= MAX_LITERALS) {
        for i in 0..rule.body.len() {
            for j in (0..rule.body.len()).filter(|&j| j != i) {
                let Some(name) = pair_name(&rule.body[i], &rule.body[j]) else { continue };
                let places = pairs.entry(name.clone()).or_default();
                if places.is_empty() {
                    names.push(name);
                }
                if places.last().is_none_or(|p| p.0 != r) {
                    places.push((r, i, j));
                }
            }
        }
    }
    for name in names {
        let places = &pairs[&name];
        if places.len() < 2 {
            continue;
        }
        let (first, i, j) = places[0];
        let users: Vec<&Rule> = places.iter().map(|p| rules[p.0]).collect();
        // Extend the pair while all the rules contain it.
        let mut part = vec![i, j];
        let body = |part: &[usize]| part.iter().map(|&k| rules[first].body[k].clone()).collect::<Vec<_>>();
        for k in 0..rules[first].body.len() {
            if part.contains(&k) || !is_plain(&rules[first].body[k]) {
                continue;
            }
            part.push(k);
            let grown = body(&part);
            let safe = safety::binds_all(&grown, &mut vec![false; rules[first].vars.len()]);
            if !safe || !users[1..].iter().all(|u| embed(&grown, &u.body).is_some()) {
                part.pop();
            }
        }
        let join = body(&part);
        // The same join may have been found from another of its pairs.
        let known = |c: &Common| {
            c.rule.span == rules[first].span
                && c.rule.body.len() == join.len()
                && embed(&join, &c.rule.body).is_some()
        };
        if out.iter().any(known) {
            continue;
        }
        let mut scope: Vec<Var> = Vec::new();
        for user in &users {
            let Some((places, renaming)) = embed(&join, &user.body) else { continue };
            for (&v, &w) in &renaming.to {
                let used = |l: &Literal| {
                    let mut any = false;
                    literal_vars(l, &mut |x| any |= x == w);
                    any
                };
                let outside = (0..user.body.len()).any(|k| !places.contains(&k) && used(&user.body[k]));
                if (outside || super::cut::is_kept(user, w)) && !scope.contains(&v) {
                    scope.push(v);
                }
            }
        }
        scope.sort_unstable();
        let rule = Rule { body: join, ..rules[first].clone() };
        out.push(Common { rule, scope, uses: users.len() });
    }
    // The largest first: a smaller one may be part of it.
    out.sort_by_key(|c| std::cmp::Reverse(c.rule.body.len()));
    out
}

fn is_plain(l: &Literal) -> bool {
    matches!(l, Literal::Atom(Sign::None, _) | Literal::Compare(..))
}

/// A name for a pair of positive atoms with a common variable, the same for all pairs that differ only in variables'
/// names.
fn pair_name(l: &Literal, m: &Literal) -> Option<String> {
    let (Literal::Atom(Sign::None, a), Literal::Atom(Sign::None, b)) = (l, m) else { return None };
    let mut numbers: Vec<Var> = Vec::new();
    let mut shared = false;
    let mut name = String::new();
    for (atom, second) in [(a, false), (b, true)] {
        let known = numbers.len();
        name.push_str(&format!("{}(", atom.pred.0));
        for t in &atom.args {
            let mut number = |v: Var| {
                let n = numbers.iter().position(|&w| w == v);
                shared |= second && n.is_some_and(|n| n < known);
                n.unwrap_or_else(|| {
                    numbers.push(v);
                    numbers.len() - 1
                })
            };
            let renamed = t.map_vars(&mut |v| Var(number(v) as u32));
            match &renamed {
                Term::Var(v) => name.push_str(&format!("{},", v.0)),
                Term::Sym(s) => name.push_str(&format!("s{},", s.raw())),
                // Other terms are compared when the join is looked for.
                _ => name.push_str("t,"),
            }
        }
        name.push(')');
    }
    shared.then_some(name)
}

/// Whether doing a join once is worth an auxiliary predicate.
pub fn pays(c: &Common, sizes: &mut dyn Sizes, eager: bool) -> bool {
    let Some(body) = Body::new(&c.rule, sizes, eager) else { return false };
    let certain = c.rule.body.iter().all(|l| match l {
        Literal::Atom(_, a) => sizes.is_complete(a.pred) && sizes.is_all_facts(a.pred),
        _ => true,
    });
    if !body.movable.iter().all(|&m| m) {
        return false;
    }
    let (rows, values) = estimate::join(body.sizes.iter());
    let result = estimate::values(&c.scope, rows, &values);
    let uses = c.uses as f64;
    // A row that is not certain costs a ground rule.
    let row = if certain { 1.0 } else { 4.0 };
    let saved = (uses - 1.0) * body.work - (uses + 1.0) * result * row;
    eager || saved > 500.0 && saved > 0.3 * uses * body.work
}

/// The rule that defines a common join.
pub fn definition(c: &Common, pred: PredId) -> (Rule, Definition) {
    let args = c.scope.iter().copied().map(Term::Var).collect();
    let atom = Atom { pred, args, span: asp_base::span::Span::NONE };
    let rule = Rule { head: Head::Atom(atom), ..c.rule.clone() };
    (rule, Definition { pred, ..Definition::of(c) })
}
