//! Pseudo-Boolean constraints: `sum of weights of true literals >= degree`.
//!
//! In normal form each variable occurs once, weights are positive, and terms are sorted by variable. Two constraints that say
//! the same about the same terms then are equal. All arithmetic is checked: a number beyond 128 bits rejects the proof.

use std::collections::HashMap;

use crate::{Checked, reject};

/// A variable: a position in the list of names.
pub type Var = u32;

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

impl Lit {
    /// The literal of a variable.
    pub fn new(var: Var, negative: bool) -> Lit {
        Lit(var << 1 | u32::from(negative))
    }
    pub fn var(self) -> Var {
        self.0 >> 1
    }
    /// Whether it is a negation.
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
    /// Position in lists by literal.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What a variable is called: `x5`, `b3`, `d3_5`, `z1` are an atom, a body, a body without the other heads, and what a step
/// defines, `o1` demands lower costs than the optimal ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Name {
    /// An atom by its number.
    Atom(u32),
    /// The body that occurs first in this rule.
    Body(u32),
    /// The body of this rule holds, and no head but this one does.
    Head(u32, u32),
    /// What a step defines, by its number.
    Defined(u32),
    /// The costs are lower than those of the claim's answer sets.
    Cheaper,
}

/// The variables by name.
#[derive(Debug, Default)]
pub struct Names {
    count: Var,
    /// By number: the variable and one more, or 0.
    atoms: Vec<Var>,
    bodies: Vec<Var>,
    defined: Vec<Var>,
    cheaper: Vec<Var>,
    heads: HashMap<(u32, u32), Var>,
}

impl Names {
    /// The variable of a name; a new one if there is none.
    pub fn var(&mut self, name: Name) -> Var {
        let list = match name {
            Name::Atom(n) => (&mut self.atoms, n as usize),
            Name::Body(n) => (&mut self.bodies, n as usize),
            Name::Defined(n) => (&mut self.defined, n as usize),
            Name::Cheaper => (&mut self.cheaper, 0),
            Name::Head(rule, head) => {
                let var = *self.heads.entry((rule, head)).or_insert(self.count);
                self.count = self.count.max(var + 1);
                return var;
            }
        };
        let (list, at) = list;
        if at >= list.len() {
            list.resize(at + 1, 0);
        }
        if list[at] == 0 {
            self.count += 1;
            list[at] = self.count;
        }
        list[at] - 1
    }
    fn find(&self, name: Name) -> Option<Var> {
        let list = match name {
            Name::Atom(n) => self.atoms.get(n as usize),
            Name::Body(n) => self.bodies.get(n as usize),
            Name::Defined(n) => self.defined.get(n as usize),
            Name::Cheaper => self.cheaper.first(),
            Name::Head(rule, head) => return self.heads.get(&(rule, head)).copied(),
        };
        list.and_then(|var| var.checked_sub(1))
    }
    /// Number of variables.
    pub fn len(&self) -> usize {
        self.count as usize
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// The literal that a word names, if the variable is known.
    pub fn literal(&self, word: &str) -> Checked<Lit> {
        let (negative, name) = match word.strip_prefix('~') {
            Some(name) => (true, name),
            None => (false, word),
        };
        match Self::parse(name).and_then(|name| self.find(name)) {
            Some(var) => Ok(Lit::new(var, negative)),
            None => reject(format!("`{word}` is no literal of the program")),
        }
    }
    /// The variable that a step defines. It must be new, and no number above all others by much.
    pub fn define(&mut self, word: &str) -> Checked<Var> {
        match Self::parse(word) {
            Some(name @ Name::Defined(n))
                if self.find(name).is_none() && n as usize <= self.defined.len() + 1 =>
            {
                Ok(self.var(name))
            }
            _ => reject(format!("`{word}` is no new variable")),
        }
    }
    fn parse(name: &str) -> Option<Name> {
        let number = |digits: &str| digits.parse::<u32>().ok().filter(|_| !digits.starts_with('+'));
        match name.split_at_checked(1) {
            Some(("x", n)) => number(n).map(Name::Atom),
            Some(("b", n)) => number(n).map(Name::Body),
            Some(("z", n)) => number(n).map(Name::Defined),
            Some(("o", "1")) => Some(Name::Cheaper),
            Some(("d", rest)) => {
                rest.split_once('_').and_then(|(rule, head)| Some(Name::Head(number(rule)?, number(head)?)))
            }
            _ => None,
        }
    }
}

/// A constraint in normal form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// Weights and literals.
    pub terms: Vec<(i128, Lit)>,
    /// What the sum must reach.
    pub degree: i128,
}

fn sum(a: i128, b: i128) -> Checked<i128> {
    a.checked_add(b).map_or_else(|| reject("a number exceeds 128 bits"), Ok)
}

fn product(a: i128, b: i128) -> Checked<i128> {
    a.checked_mul(b).map_or_else(|| reject("a number exceeds 128 bits"), Ok)
}

impl Constraint {
    /// Brings terms with any weights into normal form: `w * l = w - w * ~l`.
    pub fn new(mut terms: Vec<(i128, Lit)>, mut degree: i128) -> Checked<Constraint> {
        terms.sort_by_key(|t| t.1);
        let mut normal: Vec<(i128, Lit)> = Vec::with_capacity(terms.len());
        let mut at = 0;
        while at < terms.len() {
            let var = terms[at].1.var();
            let (mut positive, mut negative) = (0, 0);
            while at < terms.len() && terms[at].1.var() == var {
                let (weight, lit) = terms[at];
                let side = if lit.is_negative() { &mut negative } else { &mut positive };
                *side = sum(*side, weight)?;
                at += 1;
            }
            // p * x + n * ~x = n + (p - n) * x
            let weight = sum(positive, product(negative, -1)?)?;
            degree = sum(degree, product(negative, -1)?)?;
            if weight > 0 {
                normal.push((weight, Lit::new(var, false)));
            } else if weight < 0 {
                degree = sum(degree, product(weight, -1)?)?;
                normal.push((product(weight, -1)?, Lit::new(var, true)));
            }
        }
        Constraint { terms: normal, degree }.checked()
    }
    /// Whatever propagation adds up must fit, too.
    fn checked(self) -> Checked<Constraint> {
        let total = self.terms.iter().try_fold(0, |total, t| sum(total, t.0))?;
        sum(total, self.degree.checked_abs().unwrap_or(i128::MAX))?;
        Ok(self)
    }
    /// At least one of the literals.
    pub fn clause(literals: impl IntoIterator<Item = Lit>) -> Checked<Constraint> {
        Constraint::new(literals.into_iter().map(|l| (1, l)).collect(), 1)
    }
    /// Whether every assignment satisfies it.
    pub fn is_trivial(&self) -> bool {
        self.degree <= 0
    }
    /// Whether one true literal suffices.
    pub fn is_clause(&self) -> bool {
        self.degree > 0 && self.terms.iter().all(|t| t.0 >= self.degree)
    }
    /// The sum of two constraints.
    pub fn plus(&self, other: &Constraint) -> Checked<Constraint> {
        let mut degree = sum(self.degree, other.degree)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut rest = other.terms.iter().copied().peekable();
        for &(weight, lit) in &self.terms {
            while let Some(term) = rest.next_if(|t| t.1.var() < lit.var()) {
                terms.push(term);
            }
            match rest.next_if(|t| t.1.var() == lit.var()) {
                None => terms.push((weight, lit)),
                Some((more, l)) if l == lit => terms.push((sum(weight, more)?, lit)),
                // One of both holds, so the lesser weight always counts.
                Some((opposite, l)) => {
                    degree = sum(degree, -weight.min(opposite))?;
                    terms.extend(Some((weight - opposite, lit)).filter(|t| t.0 > 0));
                    terms.extend(Some((opposite - weight, l)).filter(|t| t.0 > 0));
                }
            }
        }
        terms.extend(rest);
        Constraint { terms, degree }.checked()
    }
    pub fn times(&self, factor: i128) -> Checked<Constraint> {
        if factor < 0 {
            return reject("a constraint is multiplied by a negative number");
        }
        let terms = self.terms.iter().filter(|_| factor > 0);
        let terms = terms.map(|&(w, l)| Ok((product(w, factor)?, l))).collect::<Checked<_>>()?;
        Constraint { terms, degree: product(self.degree, factor)? }.checked()
    }
    /// Division, everything rounded up.
    pub fn over(&self, divisor: i128) -> Checked<Constraint> {
        if divisor <= 0 {
            return reject("a constraint is divided by a number that is not positive");
        }
        let up = |n: i128| n.div_euclid(divisor) + i128::from(n.rem_euclid(divisor) != 0);
        let terms = self.terms.iter().map(|&(w, l)| (up(w), l)).collect();
        Constraint::new(terms, up(self.degree))
    }
    /// For `S >= degree` unless `own` is false: that `own` holds if `S >= degree` does.
    pub fn converse(&self, own: Lit) -> Checked<Constraint> {
        let others = || self.terms.iter().filter(|t| t.1 != !own);
        let least = sum(others().map(|t| t.0).sum::<i128>(), 1 - self.degree)?;
        Constraint::new(others().map(|&(w, l)| (w, !l)).chain([(least, own)]).collect(), least)
    }
    /// No weight exceeds the degree.
    pub fn saturated(&self) -> Constraint {
        let most = self.degree.max(0);
        let terms = self.terms.iter().map(|&(w, l)| (w.min(most), l)).filter(|t| t.0 > 0).collect();
        Constraint { terms, degree: self.degree }
    }
    /// Reads `WEIGHT LITERAL ... >= DEGREE`.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>, names: &Names) -> Checked<Constraint> {
        let number = |word: &str| match word.parse::<i64>().map(i128::from).or_else(|_| word.parse()) {
            Ok(number) => Ok(number),
            Err(_) => reject(format!("`{word}` is no number")),
        };
        let mut terms = Vec::new();
        let mut words = words.into_iter();
        loop {
            match (words.next(), words.next()) {
                (Some(">="), Some(degree)) if words.next().is_none() => {
                    return Constraint::new(terms, number(degree)?);
                }
                (Some(weight), Some(literal)) => terms.push((number(weight)?, names.literal(literal)?)),
                _ => return reject("a constraint does not end in `>= DEGREE`"),
            }
        }
    }
}
