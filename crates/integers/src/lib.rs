//! Constraints over integers: theory atoms over variables with finite domains become plain rules over value atoms.
//!
//! `read` turns theory atoms into constraints, `bounds` narrows the domains by unconditional ones. Then a variable with few
//! values, or whose values products and `&distinct` need, gets an atom for each, exactly one of which holds, and constraints
//! over such variables become weight rules (`encode`). Other variables get binary digits, atoms that may be chosen, and their
//! constraints are kept for the solver, which has their bounds on its trail (`keep`). So whatever works for atoms (enumeration,
//! projection, threads, assumptions, objectives) works for integers.
//!
//! Invariants: the answer sets of the program with these rules are the pairs of an answer set and an assignment of values; a
//! variable keeps the values that it had when it was first encoded, since later steps only add constraints. A program whose
//! variables have too many values is refused, never cut short.

mod bounds;
mod constraint;
mod encode;
mod keep;
mod limits;
mod plain;
mod read;
mod reify;
mod tasks;
mod values;

use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::map::{Map, Set};
use asp_base::nearest::nearest;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_program::ground_program::{Program, Show, ShowItem};
use asp_program::integers::column::Column;
use asp_program::integers::domain::Domain;
use asp_program::integers::state::Known;
use asp_program::integers::{Integers, Variable};
use asp_program::rule::{Body, Head, RuleId};
use asp_program::{AtomId, Literal};
use constraint::{Sum, Test};

pub use limits::{Limits, MAX_VALUE};
pub use plain::write_plain;

/// A condition that rules can express.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Formula {
    Is(bool),
    Literal(Literal),
}

/// The state between steps of a program.
#[derive(Debug, Default)]
pub struct Compiler {
    /// The program's integers, moved here while they are lowered.
    data: Integers,
    /// The number of rules processed.
    rules: usize,
    /// Theory atoms that certainly hold, or do not.
    certain: Map<AtomId, bool>,
    /// Literals for sums that are greater than 0.
    positive: Map<Sum, Formula>,
    /// Literals for comparisons with 0.
    reified: Map<(Sum, Test), Formula>,
    /// Columns of products and sums.
    columns: Map<Sum, Column>,
    /// The numbers of products that the solver keeps.
    product_of: Map<Vec<Variable>, u32>,
    /// Signatures and terms of `&show`.
    signatures: Option<Vec<(StrId, usize)>>,
    named: Vec<Sym>,
    /// Literals of rules so far.
    size: usize,
    /// Why the program was refused.
    refused: Option<Box<Diagnostic>>,
}

impl Compiler {
    /// The variable of a name; a new one may have any value.
    pub(crate) fn variable(&mut self, name: Sym, span: Span, limits: Limits) -> Variable {
        let next = Variable(self.data.variables.len() as u32);
        let variable = *self.data.of_name.entry(name).or_insert(next);
        if variable == next {
            let domain = Domain::of(limits.least, limits.greatest);
            self.data.variables.push(Known {
                name,
                span,
                domain,
                shown: false,
                column: None,
                digits: None,
                is_distinct: false,
                has_domain: false,
                is_narrowed: false,
            });
        }
        variable
    }

    /// Whether a variable is to be shown.
    pub(crate) fn shows(&self, name: Sym, symbols: &Symbols) -> bool {
        let Some(signatures) = &self.signatures else { return true };
        let of_signature = match symbols.view(name) {
            SymView::Fun { name, args, negative: false } => signatures.contains(&(name, args.len())),
            _ => false,
        };
        of_signature || self.named.contains(&name)
    }

    /// Writes what is new as rules, or keeps it for the solver, and returns a warning, if there is one. An error is for the
    /// user, and all later calls return it again. Pre: the program is the same in all calls.
    pub fn lower(
        &mut self,
        program: &mut Program,
        symbols: &mut Symbols,
        limits: Limits,
    ) -> Result<Option<Diagnostic>, Box<Diagnostic>> {
        if !program.theory.integers {
            return Ok(None);
        }
        if let Some(refused) = &self.refused {
            return Err(refused.clone());
        }
        if program.integers.atoms == program.theory.atoms.len() {
            return Ok(None);
        }
        self.data = std::mem::take(&mut program.integers);
        let result = self.lower_new(program, symbols, limits);
        self.refused = result.clone().err();
        program.integers = std::mem::take(&mut self.data);
        result
    }

    fn lower_new(
        &mut self,
        program: &mut Program,
        symbols: &mut Symbols,
        limits: Limits,
    ) -> Result<Option<Diagnostic>, Box<Diagnostic>> {
        let (first, shown) = (self.data.variables.len(), self.signatures.is_some());
        let read = self.read(program, symbols, limits)?;
        if !limits.open {
            self.note_certain(program);
            if !self.data.functions.is_empty() {
                self.check_functions(&read, symbols, limits)?;
            }
            bounds::narrow(self, first, &read);
        }
        let read_shows = read.shows.is_some();
        self.encode(program, symbols, first, read, limits)?;
        self.show(program, symbols, if read_shows { 0 } else { first });
        if read_shows && !shown {
            self.hide(program, symbols, first);
        }
        // Bounds were not looked for.
        Ok(if limits.open { None } else { self.unbounded(symbols, first, limits) })
    }

    /// A warning about new variables that nothing bounds.
    fn unbounded(&self, symbols: &Symbols, first: usize, limits: Limits) -> Option<Diagnostic> {
        let is_open = |known: &&Known| {
            known.domain.bounds().is_some_and(|(low, high)| low == limits.least || high == limits.greatest)
        };
        if let Some(told) = self.without_domain(symbols, first) {
            return Some(told);
        }
        let mut open = self.data.variables[first..]
            .iter()
            .filter(|k| k.digits.is_some() && !k.has_domain)
            .filter(is_open);
        let known = open.next()?;
        let others = match open.count() {
            0 => String::new(),
            1 => " (and one more)".into(),
            n => format!(" (and {n} more)"),
        };
        let name = symbols.display(known.name);
        let (low, high) = known.domain.bounds()?;
        let (low_open, high_open) = (low == limits.least, high == limits.greatest);
        let message = match (low_open, high_open) {
            (true, false) => format!(
                "nothing bounds the integer variable `{name}`{others} below: it may be {low} to {high}"
            ),
            (false, true) => format!(
                "nothing bounds the integer variable `{name}`{others} above: it may be {low} to {high}"
            ),
            _ => format!("nothing bounds the integer variable `{name}`{others}: it may be {low} to {high}"),
        };
        let written: Vec<String> =
            self.data.variables.iter().filter(|k| k.has_domain).map(|k| symbols.display(k.name)).collect();
        let help = match nearest(&name, written.iter().map(String::as_str)) {
            Some(near) => {
                format!("did you mean `{near}`? otherwise give it a domain: `&dom {{ a..b }} = {name}.`")
            }
            None => format!("give it a domain: `&dom {{ a..b }} = {name}.`"),
        };
        let told = Diagnostic::warning(WarningKind::Other, known.span, message);
        Some(told.caption("it is mentioned here").help(help))
    }

    /// A warning about a new variable without a domain among variables of its function that have one.
    fn without_domain(&self, symbols: &Symbols, first: usize) -> Option<Diagnostic> {
        let function = |name: Sym| match symbols.view(name) {
            SymView::Fun { name, args, .. } if !args.is_empty() => Some((name, args.len())),
            _ => None,
        };
        let mut siblings: Map<(StrId, usize), (usize, usize)> = Map::default();
        for known in &self.data.variables {
            if let Some(function) = function(known.name) {
                let numbers = siblings.entry(function).or_default();
                numbers.0 += usize::from(known.has_domain);
                numbers.1 += 1;
            }
        }
        // One of many is a slip, several may be meant.
        let is_alone = |known: &&Known| {
            let numbers = function(known.name).and_then(|f| siblings.get(&f));
            !known.has_domain && numbers.is_some_and(|&(with, all)| with >= 3 && with + 1 == all)
        };
        let known = self.data.variables[first..].iter().find(is_alone)?;
        let (of, arity) = function(known.name)?;
        let (name, with) = (symbols.display(known.name), siblings[&(of, arity)].0);
        let of = format!("{}/{arity}", symbols.str(of));
        let message =
            format!("`{name}` has no domain, while the {with} other integer variables of `{of}` have one");
        let told =
            Diagnostic::warning(WarningKind::Other, known.span, message).caption("it is mentioned here");
        // A variable in equations only, as `dist(source)`, is intended; one with the arguments of another is a slip.
        let sorted = |name: Sym| {
            let mut args =
                if let SymView::Fun { args, .. } = symbols.view(name) { args.to_vec() } else { Vec::new() };
            args.sort_unstable();
            args
        };
        let mut others =
            self.data.variables.iter().filter(|k| k.has_domain && function(k.name) == function(known.name));
        let meant = others.find(|k| sorted(k.name) == sorted(known.name))?;
        Some(told.help(format!("did you mean `{}`?", symbols.display(meant.name))))
    }

    /// Theory atoms that are facts, or that a constraint rules out.
    fn note_certain(&mut self, program: &Program) {
        for id in self.rules..program.rules.len() {
            let rule = program.rules.get(RuleId(id as u32));
            match (rule.head, rule.body) {
                (Head::Disjunction([atom]), Body::Normal([])) => {
                    self.certain.entry(*atom).or_insert(true);
                }
                (Head::Disjunction([]), Body::Normal([literal])) => {
                    self.certain.entry(literal.atom()).or_insert(literal.is_neg());
                }
                _ => {}
            }
        }
        self.rules = program.rules.len();
    }

    /// Shows the values of the variables from `first` on that are not shown yet, by name.
    fn show(&mut self, program: &mut Program, symbols: &mut Symbols, first: usize) {
        let name = symbols.intern("__csp");
        self.data.csp = Some(name);
        let wanted = |known: &&Known| !known.shown && self.shows(known.name, symbols);
        let mut new: Vec<&Known> = self.data.variables[first..].iter().filter(wanted).collect();
        new.sort_by(|a, b| symbols.cmp(a.name, b.name));
        let names: Set<Sym> = new.iter().map(|known| known.name).collect();
        for known in &new {
            let atom =
                self.data.functions.atom(known.name, symbols).map(|(name, args)| (name, args.to_vec()));
            for &(value, literal) in known.column.iter().flat_map(|c| &c.0) {
                let value = symbols.num(value);
                let item = match &atom {
                    // Values of functions are like atoms.
                    Some((name, args)) => {
                        ShowItem::Term(symbols.fun(*name, &[&args[..], &[value]].concat(), false))
                    }
                    None => ShowItem::Value(symbols.fun(name, &[known.name, value], false)),
                };
                let condition = program.push_literals(literal.as_slice());
                program.shows.push(Show { item, condition });
            }
        }
        let name = symbols.intern("__digit");
        for known in new {
            for (k, literal) in known.digits.iter().flat_map(|d| &d.literals).enumerate() {
                let worth = symbols.num(1 << k);
                let item = ShowItem::Digit(symbols.fun(name, &[known.name, worth], false));
                let condition = program.push_literals(&[*literal]);
                program.shows.push(Show { item, condition });
            }
        }
        self.data.variables[first..].iter_mut().for_each(|known| known.shown |= names.contains(&known.name));
    }

    /// Hides values of the first variables that were shown before there was a `&show`.
    fn hide(&mut self, program: &mut Program, symbols: &Symbols, first: usize) {
        let hidden = |known: &&Known| known.shown && !self.shows(known.name, symbols);
        let names: Set<Sym> =
            self.data.variables[..first].iter().filter(hidden).map(|known| known.name).collect();
        if names.is_empty() {
            return;
        }
        // It has no rule.
        let never = program.atoms.add_aux();
        let never = program.push_literals(&[Literal::pos(never)]);
        for show in &mut program.shows {
            if show.item.worth(symbols).is_some_and(|(name, _)| names.contains(&name)) {
                show.condition = never;
            }
        }
        self.data.variables.iter_mut().for_each(|known| known.shown &= !names.contains(&known.name));
    }
}
