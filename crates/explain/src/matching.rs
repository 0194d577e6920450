//! Written literals held against the atoms of the ground program.
//!
//! Invariant: a term whose value is not known may be anything, so where nothing matches, no instance does.

use super::inquiry::Inquiry;
use super::inquiry::formula::Values;
use asp_base::aggregate::Relation;
use asp_base::map::{Map, Set};
use asp_base::signature::Signature;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_program::Program;
use asp_rewrite::arithmetic;
use asp_syntax::ast::{Atom, BinaryOp, Literal, LiteralKind, Sign, StatementKind, Term, TermKind, UnaryOp};
use asp_syntax::print;

/// How much is done.
#[derive(Clone, Copy)]
struct Limits {
    /// How many comparisons of atoms are made in all.
    steps: usize,
    /// How many matches of a literal are looked at.
    matches: usize,
}

const LIMITS: Limits = Limits { steps: 400_000, matches: 64 };
/// The same where all is wanted.
const WIDE: Limits = Limits { steps: 20_000_000, matches: usize::MAX };

/// Values of variables.
pub(crate) type Binding = Map<StrId, Sym>;

/// What is known of a term.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Known(Sym),
    /// An operation is undefined.
    None,
    Open,
}

/// The arguments of atoms by signature.
type Table<'a> = Map<Signature, Vec<&'a [Sym]>>;

/// The atoms that literals are held against.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    /// Those that may hold.
    Possible,
    /// Those that hold in any case.
    Certain,
}

/// Matches of a literal.
pub(crate) struct Matches {
    pub(crate) bindings: Vec<Binding>,
    /// Whether these are all.
    pub(crate) are_all: bool,
}

/// Holds literals against atoms.
pub(crate) struct Matcher<'a> {
    /// The symbols of the program and computed ones.
    pub(crate) symbols: Symbols,
    constants: Map<StrId, Option<Sym>>,
    atoms: Table<'a>,
    facts: Table<'a>,
    /// By set of atoms, signature and number of an argument: the atoms with each value there.
    index: Map<(bool, Signature, usize), Map<Sym, Vec<u32>>>,
    steps: usize,
    limits: Limits,
}

/// What stands for names: values of constants; parameters of program parts may be anything.
pub(crate) fn constants(inquiry: &Inquiry) -> Map<StrId, Option<Sym>> {
    let known = inquiry.control.as_ground().constants();
    let known = known.filter_map(|(name, value)| Some((inquiry.symbols().find_name(name)?, Some(value))));
    let mut constants: Map<StrId, Option<Sym>> = known.collect();
    for statement in inquiry.statements() {
        if let StatementKind::Part { params, .. } = &statement.kind {
            constants.extend(params.iter().map(|(name, _)| (*name, None)));
        }
    }
    constants
}

/// The signature of a written atom, if it is no pool.
pub(crate) fn signature(atom: &Atom) -> Option<(Signature, &[Term])> {
    let [terms] = &atom.args[..] else { return None };
    Some((Signature { name: atom.name, arity: terms.len() as u32, negative: atom.negative }, terms))
}

impl<'a> Matcher<'a> {
    pub(crate) fn new(inquiry: &'a Inquiry) -> Self {
        let (program, symbols) = (inquiry.program(), inquiry.symbols());
        let (mut atoms, mut facts) = (Table::default(), Table::default());
        for (signature, args) in program.atoms.ids().filter_map(|a| program.atoms.get(a)) {
            atoms.entry(signature).or_default().push(args);
        }
        for (signature, args) in program.facts.ids().filter_map(|a| program.facts.get(a)) {
            atoms.entry(signature).or_default().push(args);
            facts.entry(signature).or_default().push(args);
        }
        let (symbols, constants) = (symbols.clone(), constants(inquiry));
        Self { symbols, constants, atoms, facts, index: Map::default(), steps: 0, limits: LIMITS }
    }

    /// Looks at as many matches as there are.
    pub(crate) fn widen(&mut self) {
        self.limits = WIDE;
    }

    /// Takes atoms that may hold for ones that hold in any case, or never, where they have such a value.
    pub(crate) fn assume(&mut self, program: &'a Program, values: &Values) {
        let mut refuted: Set<(Signature, &[Sym])> = Set::default();
        for atom in program.atoms.ids() {
            match (values[atom.0 as usize], program.atoms.get(atom)) {
                (Some(true), Some((signature, args))) => self.facts.entry(signature).or_default().push(args),
                (Some(false), Some(named)) => _ = refuted.insert(named),
                _ => {}
            }
        }
        for (&signature, rows) in &mut self.atoms {
            rows.retain(|row| !refuted.contains(&(signature, *row)));
        }
    }

    /// Whether no more work should be done.
    pub(crate) fn is_tired(&self) -> bool {
        self.steps >= self.limits.steps
    }

    /// The value of a term.
    pub(crate) fn value(&mut self, term: &Term, binding: &Binding) -> Value {
        let computed = match &term.kind {
            TermKind::Symbol(value) => return Value::Known(*value),
            TermKind::Variable(name) => return binding.get(name).map_or(Value::Open, |&v| Value::Known(v)),
            TermKind::Function { name, args, external: false } => {
                let [args] = &args[..] else { return Value::Open };
                if args.is_empty() {
                    return match self.constants.get(name) {
                        Some(value) => value.or(binding.get(name).copied()).map_or(Value::Open, Value::Known),
                        None => Value::Known(self.symbols.constant(*name)),
                    };
                }
                match self.values(args, binding) {
                    Ok(args) => return Value::Known(self.symbols.fun(*name, &args, false)),
                    Err(value) => return value,
                }
            }
            TermKind::Tuple(terms) => match self.values(terms, binding) {
                Ok(args) => return Value::Known(self.symbols.tuple(&args)),
                Err(value) => return value,
            },
            TermKind::Unary(op, inner) => match self.value(inner, binding) {
                Value::Known(a) => arithmetic::unary(&mut self.symbols, *op, a),
                other => return other,
            },
            TermKind::Absolute(terms) => match (&terms[..], terms.first().map(|t| self.value(t, binding))) {
                ([_], Some(Value::Known(a))) => arithmetic::absolute(&mut self.symbols, a),
                ([_], Some(other)) => return other,
                _ => return Value::Open,
            },
            TermKind::Binary(op, left, right) => {
                match (self.value(left, binding), self.value(right, binding)) {
                    (Value::Known(a), Value::Known(b)) => arithmetic::binary(&mut self.symbols, *op, a, b),
                    (Value::None, _) | (_, Value::None) => return Value::None,
                    _ => return Value::Open,
                }
            }
            _ => return Value::Open,
        };
        computed.map_or(Value::None, Value::Known)
    }

    fn values(&mut self, terms: &[Term], binding: &Binding) -> Result<Vec<Sym>, Value> {
        let mut values = Vec::with_capacity(terms.len());
        let mut open = false;
        for term in terms {
            match self.value(term, binding) {
                Value::Known(value) => values.push(value),
                Value::None => return Err(Value::None),
                Value::Open => open = true,
            }
        }
        if open { Err(Value::Open) } else { Ok(values) }
    }

    /// Whether a term may have a value; what its variables are then is added to the binding.
    pub(crate) fn fits(&mut self, term: &Term, value: Sym, binding: &mut Binding) -> bool {
        match self.value(term, binding) {
            Value::Known(own) => return own == value,
            Value::None => return false,
            Value::Open => {}
        }
        let number = self.symbols.as_num(value);
        match &term.kind {
            TermKind::Variable(name) => {
                binding.insert(*name, value);
                true
            }
            // The parameter of a part.
            TermKind::Function { name, args, external: false } if args.iter().all(Vec::is_empty) => {
                if args.len() == 1 {
                    binding.insert(*name, value);
                }
                true
            }
            TermKind::Function { name, args, external: false } => {
                let [terms] = &args[..] else { return true };
                let SymView::Fun { name: own, args, negative: false } = self.symbols.view(value) else {
                    return false;
                };
                let args = args.to_vec();
                own == *name && self.all_fit(terms, &args, binding)
            }
            TermKind::Tuple(terms) => {
                let SymView::Tuple(args) = self.symbols.view(value) else { return false };
                let args = args.to_vec();
                self.all_fit(terms, &args, binding)
            }
            TermKind::Pool(terms) => terms.iter().any(|t| self.fits(t, value, &mut binding.clone())),
            TermKind::Interval(low, high) => {
                let Some(number) = number else { return false };
                let mut end = |t: &Term| match self.value(t, binding) {
                    Value::Known(end) => self.symbols.as_num(end).ok_or(false),
                    Value::None => Err(false),
                    Value::Open => Err(true),
                };
                match (end(low), end(high)) {
                    (Err(false), _) | (_, Err(false)) => false,
                    (low, high) => {
                        !low.is_ok_and(|low| low > number) && !high.is_ok_and(|high| high < number)
                    }
                }
            }
            TermKind::Unary(UnaryOp::Minus, inner) => match number {
                Some(number) => number.checked_neg().is_none_or(|opposite| {
                    let opposite = self.symbols.num(opposite);
                    self.fits(inner, opposite, binding)
                }),
                None => true,
            },
            TermKind::Binary(op, left, right) => {
                let Some(number) = number else { return false };
                let known = |value| match value {
                    Value::Known(value) => Some(value),
                    _ => None,
                };
                let (a, b) = (known(self.value(left, binding)), known(self.value(right, binding)));
                let (inner, other) = match (op, a, b) {
                    (BinaryOp::Add, Some(a), None) => {
                        (right, self.symbols.as_num(a).map(|a| number.checked_sub(a)))
                    }
                    (BinaryOp::Add, None, Some(b)) => {
                        (left, self.symbols.as_num(b).map(|b| number.checked_sub(b)))
                    }
                    (BinaryOp::Sub, Some(a), None) => {
                        (right, self.symbols.as_num(a).map(|a| a.checked_sub(number)))
                    }
                    (BinaryOp::Sub, None, Some(b)) => {
                        (left, self.symbols.as_num(b).map(|b| b.checked_add(number)))
                    }
                    (BinaryOp::Mul, Some(factor), None) | (BinaryOp::Mul, None, Some(factor)) => {
                        let inner = if a.is_none() { left } else { right };
                        match self.symbols.as_num(factor) {
                            Some(0) if number == 0 => return true,
                            Some(factor)
                                if factor == 0 || number.checked_rem(factor).is_some_and(|r| r != 0) =>
                            {
                                return false;
                            }
                            factor => (inner, factor.map(|factor| number.checked_div(factor))),
                        }
                    }
                    _ => return true,
                };
                match other {
                    None => false,
                    Some(None) => true,
                    Some(Some(other)) => {
                        let other = self.symbols.num(other);
                        self.fits(inner, other, binding)
                    }
                }
            }
            _ => true,
        }
    }

    /// The same for each of some terms.
    pub(crate) fn all_fit(&mut self, terms: &[Term], values: &[Sym], binding: &mut Binding) -> bool {
        terms.len() == values.len() && terms.iter().zip(values).all(|(t, &v)| self.fits(t, v, binding))
    }

    /// The ways to match a written atom.
    pub(crate) fn matches(&mut self, atom: &Atom, which: Which, binding: &Binding) -> Matches {
        let mut found = Matches { bindings: Vec::new(), are_all: true };
        let Some((signature, terms)) = signature(atom) else {
            return Matches { bindings: vec![binding.clone()], are_all: false };
        };
        let is_certain = which == Which::Certain;
        let table = if is_certain { &self.facts } else { &self.atoms };
        let Some(number) = table.get(&signature).map(Vec::len) else { return found };
        let mut places: Option<Vec<u32>> = None;
        for (i, term) in terms.iter().enumerate() {
            let Value::Known(value) = self.value(term, binding) else { continue };
            let table = if is_certain { &self.facts } else { &self.atoms };
            let of_value = self.index.entry((is_certain, signature, i)).or_insert_with(|| {
                let mut by: Map<Sym, Vec<u32>> = Map::default();
                for (args, place) in table[&signature].iter().zip(0..) {
                    by.entry(args[i]).or_default().push(place);
                }
                by
            });
            let of_value = of_value.get(&value).map_or(&[][..], Vec::as_slice);
            if places.as_ref().is_none_or(|p| p.len() > of_value.len()) {
                places = Some(of_value.to_vec());
            }
        }
        let places: Box<dyn Iterator<Item = u32>> = match places {
            Some(places) => Box::new(places.into_iter()),
            None => Box::new(0..number as u32),
        };
        // Atoms that differ only where `_` stands are one match.
        let is_anonymous = |t: &Term| t.walk().any(|t| matches!(t.kind, TermKind::Anonymous));
        let mut known: Option<Set<Vec<(StrId, Sym)>>> = terms.iter().any(is_anonymous).then(Set::default);
        for place in places {
            if found.bindings.len() >= self.limits.matches || self.is_tired() {
                found.are_all = false;
                break;
            }
            self.steps += 1;
            let args = if is_certain {
                self.facts[&signature][place as usize]
            } else {
                self.atoms[&signature][place as usize]
            };
            let mut own = binding.clone();
            if !self.all_fit(terms, args, &mut own) {
                continue;
            }
            let is_new = known.as_mut().is_none_or(|known| {
                let mut values: Vec<(StrId, Sym)> = own.iter().map(|(&name, &value)| (name, value)).collect();
                values.sort_unstable();
                known.insert(values)
            });
            if is_new {
                found.bindings.push(own);
            }
        }
        found
    }

    /// The texts of the atoms that match a written one.
    pub(crate) fn atoms(&mut self, atom: &Atom) -> Vec<String> {
        let Some((signature, terms)) = signature(atom) else { return Vec::new() };
        let mut atoms = self.atoms.get(&signature).cloned().unwrap_or_default();
        atoms.retain(|args| self.all_fit(terms, args, &mut Binding::default()));
        let text = |args: &[Sym]| {
            let atom = self.symbols.fun(signature.name, args, signature.negative);
            self.symbols.display(atom)
        };
        atoms.into_iter().map(text).collect()
    }

    /// Whether a predicate has no atom that may hold.
    pub(crate) fn is_empty(&self, signature: Signature) -> bool {
        self.atoms.get(&signature).is_none_or(Vec::is_empty)
    }

    /// The least and the greatest number that atoms have at a place, and whether all values there are numbers.
    pub(crate) fn range(&self, signature: Signature, place: usize) -> Option<(i64, i64, bool)> {
        let atoms = self.atoms.get(&signature)?;
        let numbers = || atoms.iter().filter_map(|args| self.symbols.as_num(args[place]));
        Some((numbers().min()?, numbers().max()?, numbers().count() == atoms.len()))
    }

    /// Whether a comparison holds, if that is known; equations bind variables.
    pub(crate) fn compare(
        &mut self,
        first: &Term,
        rest: &[(Relation, Term)],
        binding: &mut Binding,
    ) -> Option<bool> {
        let (mut left, mut all) = (first, Some(true));
        for (relation, right) in rest {
            let (a, b) = (self.value(left, binding), self.value(right, binding));
            let holds = match (a, b, relation) {
                (Value::None, ..) | (_, Value::None, _) => None,
                (Value::Known(a), Value::Known(b), _) => Some(relation.holds(self.symbols.cmp(a, b))),
                (Value::Known(value), _, Relation::Equal) => self.equals(right, value, binding),
                (_, Value::Known(value), Relation::Equal) => self.equals(left, value, binding),
                _ => None,
            };
            match holds {
                Some(false) => return Some(false),
                Some(true) => {}
                None => all = None,
            }
            left = right;
        }
        all
    }

    fn equals(&mut self, term: &Term, value: Sym, binding: &mut Binding) -> Option<bool> {
        if !self.fits(term, value, binding) {
            return Some(false);
        }
        (self.value(term, binding) == Value::Known(value)).then_some(true)
    }

    /// Whether an atom whose terms are known holds in any case, or may hold; `None`: its terms are not known.
    pub(crate) fn is_among(&mut self, atom: &Atom, which: Which, binding: &Binding) -> Option<bool> {
        let (_, terms) = signature(atom)?;
        let named = terms.iter().filter(|t| !matches!(t.kind, TermKind::Anonymous));
        if !named.into_iter().all(|t| matches!(self.value(t, binding), Value::Known(_))) {
            return None;
        }
        let found = self.matches(atom, which, binding);
        if found.are_all || !found.bindings.is_empty() { Some(!found.bindings.is_empty()) } else { None }
    }

    /// A literal with the values that are known.
    pub(crate) fn instance(&mut self, literal: &Literal, binding: &Binding) -> String {
        let mut literal = literal.clone();
        match &mut literal.kind {
            LiteralKind::Atom(atom) => atom.args.iter_mut().flatten().for_each(|t| self.replace(t, binding)),
            LiteralKind::Comparison(first, rest) => {
                self.replace(first, binding);
                rest.iter_mut().for_each(|(_, t)| self.replace(t, binding));
            }
            LiteralKind::Boolean(_) => {}
        }
        print::plain_literal(&literal, &self.symbols)
    }

    /// A term with the values that are known.
    pub(crate) fn replaced(&mut self, term: &Term, binding: &Binding) -> Term {
        let mut term = term.clone();
        self.replace(&mut term, binding);
        term
    }

    fn replace(&mut self, term: &mut Term, binding: &Binding) {
        if let Value::Known(value) = self.value(term, binding) {
            term.kind = TermKind::Symbol(value);
            return;
        }
        match &mut term.kind {
            TermKind::Unary(_, inner) => self.replace(inner, binding),
            TermKind::Binary(_, a, b) | TermKind::Interval(a, b) => {
                self.replace(a, binding);
                self.replace(b, binding);
            }
            TermKind::Function { args, .. } => {
                args.iter_mut().flatten().for_each(|t| self.replace(t, binding))
            }
            TermKind::Tuple(terms) | TermKind::Pool(terms) | TermKind::Absolute(terms) => {
                terms.iter_mut().for_each(|t| self.replace(t, binding));
            }
            _ => {}
        }
    }

    /// Values under which literals hold in any case, whatever is chosen, if they are found.
    pub(crate) fn certain<'l>(&mut self, literals: &[&'l Literal], binding: Binding) -> Option<Binding> {
        let mut binding = binding;
        let mut open: Vec<&'l Literal> = Vec::new();
        for literal in literals {
            let holds = match (&literal.kind, literal.sign) {
                (LiteralKind::Boolean(value), Sign::None) => Some(*value),
                (LiteralKind::Comparison(first, rest), Sign::None) => self.compare(first, rest, &mut binding),
                (LiteralKind::Atom(atom), Sign::None) => self.is_among(atom, Which::Certain, &binding),
                (LiteralKind::Atom(atom), Sign::Not) => {
                    self.is_among(atom, Which::Possible, &binding).map(|may_hold| !may_hold)
                }
                _ => return None,
            };
            match holds {
                Some(true) => {}
                Some(false) => return None,
                None => open.push(literal),
            }
        }
        if open.is_empty() {
            return Some(binding);
        }
        let atom_of = |literal: &'l Literal| match (&literal.kind, literal.sign) {
            (LiteralKind::Atom(atom), Sign::None) => Some(atom),
            _ => None,
        };
        let next = open.iter().enumerate().find_map(|(i, l)| Some((i, atom_of(l)?)));
        match next {
            Some((i, atom)) => {
                // A match decides such terms entirely.
                let is_exact = atom.terms().all(|t| t.walk().all(is_structure));
                if is_exact {
                    open.remove(i);
                }
                let matches = self.matches(atom, Which::Certain, &binding);
                matches.bindings.into_iter().find_map(|b| {
                    let goes_on = is_exact || b.len() > binding.len();
                    if goes_on && !self.is_tired() { self.certain(&open, b) } else { None }
                })
            }
            // An equation may have bound what a comparison before it needs.
            None if open.len() < literals.len() => self.certain(&open, binding),
            None => None,
        }
    }
}

/// Whether a term has no value other than by those of its parts.
pub(crate) fn is_structure(term: &Term) -> bool {
    match &term.kind {
        TermKind::Symbol(_) | TermKind::Variable(_) | TermKind::Anonymous | TermKind::Tuple(_) => true,
        TermKind::Function { args, external: false, .. } => args.len() == 1,
        _ => false,
    }
}
