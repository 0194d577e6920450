//! Theory atoms to constraints.
//!
//! A term is multiplied out into a sum of products: `2*(x+y)-3` is `2*x + 2*y - 3`. A term that is not arithmetic names a
//! variable. Comparisons are moved to one side, so that a sum is compared with 0. Invariant: what cannot be read is an error
//! with its place.

use std::collections::BTreeMap;

use super::constraint::{Constraint, Pattern, Posted, Read, Sum, Task, Test};
use super::{Compiler, Limits, MAX_VALUE};
use asp_base::diagnostic::Diagnostic;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, SymView, Symbols, unescape};
use asp_program::ground_program::{Program, TheoryAtom, TheoryElement, TheoryTerm, TheoryTermId};
use asp_program::integers::Variable;
use asp_program::integers::name_of;

/// Parts of a product that is multiplied out before it is an error.
const MAX_PARTS: usize = 1_000_000;
/// The greatest exponent of a power of a variable.
const MAX_FACTORS: i64 = 64;

type Error = Box<Diagnostic>;
type Factors = BTreeMap<Vec<Variable>, i128>;

struct Reader<'a> {
    integers: &'a mut Compiler,
    program: &'a Program,
    symbols: &'a mut Symbols,
    limits: Limits,
    /// The current atom.
    span: Span,
    /// Whether products of variables are allowed.
    products: bool,
}

impl Compiler {
    /// Reads the theory atoms that are new.
    pub(crate) fn read(
        &mut self,
        program: &Program,
        symbols: &mut Symbols,
        limits: Limits,
    ) -> Result<Read, Error> {
        let mut read = Read::default();
        let start = std::mem::replace(&mut self.data.atoms, program.theory.atoms.len());
        let mut reader =
            Reader { integers: self, program, symbols, limits, span: Span::NONE, products: false };
        for atom in &program.theory.atoms[start..] {
            reader.span = atom.span;
            reader.atom(atom, &mut read)?;
        }
        for pattern in read.shows.iter().flatten() {
            match *pattern {
                Pattern::Signature(name, arity) => {
                    self.signatures.get_or_insert_default().push((name, arity));
                }
                Pattern::Name(name) => self.named.push(name),
            }
        }
        if read.shows.is_some() {
            self.signatures.get_or_insert_default();
        }
        Ok(read)
    }
}

impl Reader<'_> {
    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Error> {
        Err(Box::new(Diagnostic::error(self.span, message)))
    }

    fn overflow<T>(&self) -> Result<T, Error> {
        self.wrong("numbers in this constraint do not fit 64 bits")
    }

    fn atom(&mut self, atom: &TheoryAtom, read: &mut Read) -> Result<(), Error> {
        let program = self.program;
        let Some(name) = name_of(program, self.symbols, atom) else { return Ok(()) };
        let name = name.to_string();
        let elements: Vec<&TheoryElement> =
            atom.elements.iter().map(|e| &program.theory.elements[e.0 as usize]).collect();
        if elements.iter().any(|e| !program.literals(e.condition).is_empty()) {
            return self.wrong("conditions in constraints over integers must be facts").map_err(|d| {
                Box::new(d.help("write a constraint for each case, with the condition in the body"))
            });
        }
        // Numbers and variables that only tell elements apart follow the terms that count.
        let Some(terms) = elements.iter().map(|e| e.terms.first().copied()).collect::<Option<Vec<_>>>()
        else {
            return self.wrong("an element of a constraint over integers is a term");
        };
        let (kind, side) = match name.strip_prefix("__").and_then(|n| n.rsplit_once('_')) {
            Some((kind, side)) => (kind, side),
            None => (&name[..], "h"),
        };
        self.products = kind == "nsum";
        let tuple =
            |n: usize| -> Vec<&[TheoryTermId]> { elements.iter().filter_map(|e| e.terms.get(..n)).collect() };
        let args = self.arguments(atom);
        if ["count", "element", "table"].contains(&kind) && args.is_empty() {
            return self.wrong(format!("`&{kind}` needs an argument"));
        }
        let constraint = match kind {
            "sum" | "nsum" => self.comparison(atom, &terms)?,
            "diff" => {
                self.is_difference(atom, &terms)?;
                self.comparison(atom, &terms)?
            }
            "distinct" => {
                Constraint::Distinct(terms.iter().map(|&t| self.sum(&[t])).collect::<Result<_, _>>()?)
            }
            "disjoint" => {
                let tasks = terms.iter().map(|&t| self.task(t, None)).collect::<Result<Vec<_>, _>>()?;
                Constraint::Disjoint(tasks.into_iter().filter(|t| t.length > 0).collect())
            }
            "cumulative" => self.cumulative(atom, &tuple(2))?,
            "count" => self.count(atom, &args, &terms)?,
            "element" => self.element(atom, &args, &tuple(2))?,
            "table" => self.table(&args, &tuple(args.len()))?,
            "dom" => self.domain(atom, &terms)?,
            "minimize" | "maximize" => return self.objective(&terms, kind == "maximize", read),
            "show" => {
                let patterns = terms.iter().map(|&t| self.pattern(t)).collect::<Result<Vec<_>, _>>()?;
                read.shows.get_or_insert_default().extend(patterns);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let Some(head) = atom.atom else { return self.wrong("this is no directive") };
        read.posted.push(Posted { atom: head, strict: side == "b", constraint, span: self.span });
        Ok(())
    }

    fn comparison(&mut self, atom: &TheoryAtom, terms: &[TheoryTermId]) -> Result<Constraint, Error> {
        let (sum, test) = self.compared(atom, terms)?;
        Ok(Constraint::Compare(sum, test))
    }

    /// A sum compared with the right side, as one compared with 0; `>=` and `>` negate it.
    fn compared(&mut self, atom: &TheoryAtom, terms: &[TheoryTermId]) -> Result<(Sum, Test), Error> {
        let Some((operator, right)) = atom.guard else {
            return self.wrong("this constraint needs a comparison after its elements");
        };
        let mut factors = self.factors(terms, 1)?;
        for (product, factor) in self.factors(&[right], -1)? {
            *factors.entry(product).or_default() += factor;
        }
        let Some(sum) = Sum::of(factors) else { return self.overflow() };
        let TheoryTerm::Symbol(operator) = self.program.theory.terms[operator.0 as usize] else {
            return self.wrong("this is no comparison");
        };
        let moved = match self.symbols.str(operator) {
            "<=" => Some((sum, Test::AtMost)),
            "=" => Some((sum, Test::Equal)),
            "!=" => Some((sum, Test::NotEqual)),
            "<" => sum.constant.checked_add(1).map(|constant| (Sum { constant, ..sum }, Test::AtMost)),
            ">=" => sum.subtracted_from(0).map(|sum| (sum, Test::AtMost)),
            ">" => sum.subtracted_from(1).map(|sum| (sum, Test::AtMost)),
            _ => return self.wrong("this is no comparison"),
        };
        moved.map_or_else(|| self.overflow(), Ok)
    }

    /// `&diff` has one element, a difference, and a number on its right side.
    fn is_difference(&mut self, atom: &TheoryAtom, terms: &[TheoryTermId]) -> Result<(), Error> {
        let is_minus = |s: &Self, t: TheoryTermId| matches!(s.operator(t), Some(("-", [_, _])));
        let right = atom.guard.and_then(|(_, t)| self.symbol(t));
        let number = right.is_some_and(|s| self.symbols.as_num(s).is_some());
        let ends =
            terms.first().and_then(|&t| self.operator(t)).map_or(Vec::new(), |(_, ends)| ends.to_vec());
        let are_variables = ends.into_iter().all(|end| self.symbol(end).is_some());
        if terms.len() == 1 && is_minus(self, terms[0]) && are_variables && number {
            return Ok(());
        }
        self.wrong("a difference constraint is written `&diff { x-y } <= n`")
    }

    /// The terms after the name of an atom, as in `&count(3)`.
    fn arguments(&self, atom: &TheoryAtom) -> Vec<TheoryTermId> {
        match &self.program.theory.terms[atom.term.0 as usize] {
            TheoryTerm::Function(_, args) => args.to_vec(),
            _ => Vec::new(),
        }
    }

    /// A task `start @ length`, and what it needs.
    fn task(&mut self, term: TheoryTermId, demand: Option<TheoryTermId>) -> Result<Task, Error> {
        let parts = match self.operator(term) {
            Some(("@", &[start, length])) => Some((start, length)),
            _ => None,
        };
        let Some((start, length)) = parts else {
            return self.wrong(match demand {
                None => "an element of `&disjoint` is written `start @ length`",
                Some(_) => "an element of `&cumulative` is written `start @ length, demand`",
            });
        };
        let Some(length) = self.number(length).filter(|&n| n >= 0) else {
            return self.wrong("the length of an interval is an integer of at least 0");
        };
        let Some(demand) = demand.map_or(Some(1), |d| self.number(d).filter(|&n| n >= 0)) else {
            return self.wrong("what a task needs is an integer of at least 0");
        };
        Ok(Task { start: self.sum(&[start])?, length, demand })
    }

    fn number(&mut self, term: TheoryTermId) -> Option<i64> {
        self.symbol(term).and_then(|s| self.symbols.as_num(s))
    }

    fn cumulative(&mut self, atom: &TheoryAtom, elements: &[&[TheoryTermId]]) -> Result<Constraint, Error> {
        let Some(capacity) = atom.guard.and_then(|(_, right)| self.number(right)) else {
            return self
                .wrong("`&cumulative { start @ length, demand } <= capacity` compares with an integer");
        };
        let mut tasks = Vec::new();
        for element in elements {
            let &[task, demand] = *element else { continue };
            tasks.push(self.task(task, Some(demand))?);
        }
        if capacity < 0 {
            return Ok(Constraint::Any(Vec::new()));
        }
        tasks.retain(|t| t.demand > 0 && t.length > 0);
        // All demands above the capacity are equivalent.
        tasks.iter_mut().for_each(|t| t.demand = t.demand.min(capacity.saturating_add(1)));
        Ok(Constraint::Cumulative(tasks, capacity))
    }

    /// How many elements have a value.
    fn count(
        &mut self,
        atom: &TheoryAtom,
        args: &[TheoryTermId],
        terms: &[TheoryTermId],
    ) -> Result<Constraint, Error> {
        let (rest, test) = self.compared(atom, &[])?;
        let operator = atom.guard.map(|(operator, _)| &self.program.theory.terms[operator.0 as usize]);
        let factor = match operator {
            Some(&TheoryTerm::Symbol(name)) if [">=", ">"].contains(&self.symbols.str(name)) => -1,
            _ => 1,
        };
        let sums = terms.iter().map(|&t| self.difference(t, args[0])).collect::<Result<_, _>>()?;
        Ok(Constraint::Count { sums, factor, rest, test })
    }

    fn difference(&mut self, left: TheoryTermId, right: TheoryTermId) -> Result<Sum, Error> {
        let mut factors = self.factors(&[left], 1)?;
        for (product, factor) in self.factors(&[right], -1)? {
            *factors.entry(product).or_default() += factor;
        }
        Sum::of(factors).map_or_else(|| self.overflow(), Ok)
    }

    /// The value of an element with an index, compared with the right side.
    fn element(
        &mut self,
        atom: &TheoryAtom,
        args: &[TheoryTermId],
        elements: &[&[TheoryTermId]],
    ) -> Result<Constraint, Error> {
        let mut lists = Vec::new();
        for element in elements {
            let index = self.difference(args[0], element[0])?;
            lists.push(vec![(index, Test::Equal), self.compared(atom, &element[1..])?]);
        }
        Ok(Constraint::Any(lists))
    }

    /// The values of the arguments are those of one of the elements.
    fn table(&mut self, args: &[TheoryTermId], rows: &[&[TheoryTermId]]) -> Result<Constraint, Error> {
        let mut lists = Vec::new();
        for row in rows {
            let equal = |(&arg, &value): (&TheoryTermId, &TheoryTermId)| {
                Ok((self.difference(arg, value)?, Test::Equal))
            };
            lists.push(args.iter().zip(*row).map(equal).collect::<Result<_, Error>>()?);
        }
        Ok(Constraint::Any(lists))
    }

    fn domain(&mut self, atom: &TheoryAtom, terms: &[TheoryTermId]) -> Result<Constraint, Error> {
        let mut ranges = Vec::new();
        for &term in terms {
            let (low, high) = match self.operator(term) {
                Some(("..", &[low, high])) => (low, high),
                _ => (term, term),
            };
            let ends = [low, high].map(|t| self.symbol(t).and_then(|s| self.symbols.as_num(s)));
            let [Some(low), Some(high)] = ends else {
                return self
                    .wrong("a domain consists of integers and ranges of integers: `&dom { 1..3; 5 } = x`");
            };
            if [low, high].iter().any(|n| !(-MAX_VALUE..=MAX_VALUE).contains(n)) {
                return self.wrong(format!("a value lies outside of {}..{MAX_VALUE}", -MAX_VALUE));
            }
            ranges.push((low, high));
        }
        let name = atom.guard.and_then(|(_, t)| self.symbol(t));
        match name.filter(|&n| self.symbols.as_num(n).is_none()) {
            Some(name) => {
                Ok(Constraint::Domain(self.integers.variable(name, self.span, self.limits), ranges))
            }
            None => self.wrong("a domain belongs to a variable: `&dom { 1..3 } = x`"),
        }
    }

    fn objective(&mut self, terms: &[TheoryTermId], maximize: bool, read: &mut Read) -> Result<(), Error> {
        let mut levels: BTreeMap<i64, Vec<TheoryTermId>> = BTreeMap::new();
        for &term in terms {
            let (term, level) = match self.operator(term) {
                Some(("@", &[term, level])) => {
                    (term, self.symbol(level).and_then(|s| self.symbols.as_num(s)))
                }
                _ => (term, Some(0)),
            };
            let Some(level) = level else {
                return self.wrong("the level of an objective is an integer: `&minimize { x@2 }`");
            };
            levels.entry(level).or_default().push(term);
        }
        if terms.is_empty() && self.integers.data.functions.is_empty() {
            levels.entry(0).or_default();
        }
        for (level, terms) in levels {
            let mut factors = self.factors(&terms, if maximize { -1 } else { 1 })?;
            if let Some((sum, _)) = read.objectives.get(&level) {
                *factors.entry(Vec::new()).or_default() += i128::from(sum.constant);
                for (factor, product) in &sum.terms {
                    *factors.entry(product.clone()).or_default() += i128::from(*factor);
                }
            }
            let Some(sum) = Sum::of(factors) else { return self.overflow() };
            read.objectives.insert(level, (sum, self.span));
        }
        Ok(())
    }

    fn pattern(&mut self, term: TheoryTermId) -> Result<Pattern, Error> {
        let parts = match self.operator(term) {
            Some(("/", &[name, arity])) => Some((name, arity)),
            _ => None,
        };
        let pattern = match parts {
            Some((name, arity)) => {
                let arity = self.symbol(arity).and_then(|s| self.symbols.as_num(s));
                let arity = arity.and_then(|n| usize::try_from(n).ok());
                let name = self.symbol(name).map(|s| self.symbols.view(s));
                match (name, arity) {
                    (Some(SymView::Fun { name, args: [], negative: false }), Some(arity)) => {
                        Some(Pattern::Signature(name, arity))
                    }
                    _ => None,
                }
            }
            None => {
                let name = self.symbol(term).filter(|&s| self.symbols.as_num(s).is_none());
                name.map(|name| {
                    // As any variable that is mentioned, it has a value.
                    self.integers.variable(name, self.span, self.limits);
                    Pattern::Name(name)
                })
            }
        };
        pattern.map_or_else(|| self.wrong("write `&show { x/n; f(1) }`"), Ok)
    }

    fn sum(&mut self, terms: &[TheoryTermId]) -> Result<Sum, Error> {
        let factors = self.factors(terms, 1)?;
        Sum::of(factors).map_or_else(|| self.overflow(), Ok)
    }

    /// Multiplies terms out and adds them.
    fn factors(&mut self, terms: &[TheoryTermId], sign: i128) -> Result<Factors, Error> {
        let mut out = Factors::new();
        // Products of a factor, variables, and terms that are to be multiplied out.
        let mut todo: Vec<(i128, Vec<Variable>, Vec<TheoryTermId>)> =
            terms.iter().rev().map(|&t| (sign, Vec::new(), vec![t])).collect();
        let mut parts = 0;
        while let Some((mut factor, mut variables, mut rest)) = todo.pop() {
            parts += 1;
            let Some(term) = rest.pop() else {
                variables.sort_unstable();
                if variables.len() > 1 && !self.products {
                    return self
                        .wrong("only `&nsum` takes products of variables")
                        .map_err(|d| Box::new(d.help("name the product: `&nsum { x*y } = z`")));
                }
                let sum = out.entry(variables).or_default();
                *sum += factor;
                if sum.unsigned_abs() > 1 << 64 {
                    return self.overflow();
                }
                continue;
            };
            if parts > MAX_PARTS || rest.len() > MAX_PARTS {
                return self.wrong("this constraint has too many terms once it is multiplied out");
            }
            let divides = matches!(self.operator(term), Some(("/" | "\\", _)));
            match self.operator(term) {
                Some(("+", &[a, b])) => {
                    todo.push((factor, variables.clone(), with(&rest, b)));
                    todo.push((factor, variables, with(&rest, a)));
                }
                Some(("-", &[a, b])) => {
                    todo.push((-factor, variables.clone(), with(&rest, b)));
                    todo.push((factor, variables, with(&rest, a)));
                }
                Some(("-", &[a])) => todo.push((-factor, variables, with(&rest, a))),
                Some(("*", &[a, b])) => {
                    rest.extend([a, b]);
                    todo.push((factor, variables, rest));
                }
                operator => {
                    let power = match operator {
                        Some(("**", &[base, exponent])) => Some((base, exponent)),
                        _ => None,
                    };
                    let symbol = self.symbol(term);
                    let number = symbol.map(|s| self.symbols.as_num(s));
                    match (number, symbol, power) {
                        (Some(Some(n)), ..) => match factor.checked_mul(n.into()) {
                            Some(n) if n.unsigned_abs() < 1 << 100 => factor = n,
                            _ => return self.overflow(),
                        },
                        (_, Some(name), _) => {
                            variables.push(self.integers.variable(name, self.span, self.limits));
                        }
                        (_, None, Some((base, exponent))) => {
                            let exponent = self.symbol(exponent).and_then(|s| self.symbols.as_num(s));
                            match exponent.filter(|e| (0..=MAX_FACTORS).contains(e)) {
                                Some(n) => rest.extend((0..n).map(|_| base)),
                                None => return self.wrong("an exponent is an integer from 0 to 64"),
                            }
                        }
                        _ => {
                            let wrong = self
                                .wrong("this constraint has a term that is neither linear nor a variable");
                            let help =
                                "`x/2`, rounded down, is `q` in `&sum { 2*q; r } = x.  &dom { 0..1 } = r.`";
                            return wrong.map_err(|d| if divides { Box::new(d.help(help)) } else { d });
                        }
                    }
                    todo.push((factor, variables, rest));
                }
            }
        }
        Ok(out)
    }

    fn operator(&self, term: TheoryTermId) -> Option<(&str, &[TheoryTermId])> {
        let theory = &self.program.theory;
        let TheoryTerm::Function(name, args) = &theory.terms[term.0 as usize] else { return None };
        let TheoryTerm::Symbol(name) = theory.terms[name.0 as usize] else { return None };
        let name = self.symbols.str(name);
        let is_operator = ["+", "-", "*", "/", "\\", "**", "..", "@"].contains(&name);
        is_operator.then_some((name, args))
    }

    /// The symbol that a term stands for; arithmetic with numbers is carried out.
    fn symbol(&mut self, term: TheoryTermId) -> Option<Sym> {
        // Arguments come before the terms that have them.
        for i in self.integers.data.terms.len()..=term.0 as usize {
            let symbol = self.evaluate(TheoryTermId(i as u32));
            self.integers.data.terms.push(symbol);
        }
        self.integers.data.terms[term.0 as usize]
    }

    fn evaluate(&mut self, term: TheoryTermId) -> Option<Sym> {
        let known = |s: &Self, args: &[TheoryTermId]| -> Option<Vec<Sym>> {
            args.iter().map(|a| s.integers.data.terms.get(a.0 as usize).copied().flatten()).collect()
        };
        let program = self.program;
        match &program.theory.terms[term.0 as usize] {
            TheoryTerm::Number(n) => Some(self.symbols.num(*n)),
            TheoryTerm::Symbol(name) => Some(self.constant(*name)),
            TheoryTerm::Tuple(args) => {
                let args = known(self, args)?;
                Some(self.symbols.tuple(&args))
            }
            TheoryTerm::Function(name, args) => {
                let args = known(self, args)?;
                if let Some((operator, _)) = self.operator(term) {
                    let numbers: Option<Vec<i64>> = args.iter().map(|&a| self.symbols.as_num(a)).collect();
                    return match (numbers.as_deref(), &args[..]) {
                        (Some(&[a, b]), _) => arithmetic(operator, a, b).map(|n| self.symbols.num(n)),
                        (Some(&[a]), _) if operator == "-" => a.checked_neg().map(|n| self.symbols.num(n)),
                        (None, &[a]) if operator == "-" => match self.symbols.view(a) {
                            SymView::Fun { name, args, negative } => {
                                let args = args.to_vec();
                                Some(self.symbols.fun(name, &args, !negative))
                            }
                            _ => None,
                        },
                        _ => None,
                    };
                }
                let TheoryTerm::Symbol(name) = program.theory.terms[name.0 as usize] else { return None };
                Some(self.symbols.fun(name, &args, false))
            }
            TheoryTerm::List(_) | TheoryTerm::Set(_) => None,
        }
    }

    /// A constant or a string as written.
    fn constant(&mut self, name: StrId) -> Sym {
        let text = self.symbols.str(name);
        if !text.starts_with('"') {
            return self.symbols.constant(name);
        }
        let text = unescape(text).into_owned();
        self.symbols.string(&text)
    }
}

fn with(terms: &[TheoryTermId], term: TheoryTermId) -> Vec<TheoryTermId> {
    let mut all = Vec::with_capacity(terms.len() + 1);
    all.extend_from_slice(terms);
    all.push(term);
    all
}

/// Arithmetic as clingcon's: quotients are rounded towards 0, a negative power of an integer is one, too.
fn arithmetic(operator: &str, a: i64, b: i64) -> Option<i64> {
    match operator {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        "\\" => a.checked_rem(b),
        "**" => match (a, u32::try_from(b)) {
            (_, Ok(b)) => a.checked_pow(b),
            (1, Err(_)) => Some(1),
            (-1, Err(_)) => Some(if b % 2 == 0 { 1 } else { -1 }),
            (0, Err(_)) => None,
            (_, Err(_)) => Some(0),
        },
        _ => None,
    }
}
