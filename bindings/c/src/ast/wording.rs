//! What clingo's messages say of a term, and where: gringo writes sums and products of one variable as `(2*X+1)`, and places them
//! at the variable.

use asp::syntax::Input;

use super::node::{Ast, Location, Value};
pub use super::print::print;
use super::read::read;
use super::schema::Type;
use crate::symbol::SymbolKind;

/// No deeper terms are looked into.
const MAX_DEPTH: u32 = 50;

/// The values of constants that are numbers.
pub type Constants<'a> = &'a dyn Fn(&str) -> Option<i64>;

/// `factor * variable + summand`, or a number.
#[derive(Clone, Copy)]
struct Linear {
    factor: i64,
    variable: Option<(&'static str, Location)>,
    summand: i64,
}

impl Linear {
    fn number(summand: i64) -> Self {
        Self { factor: 0, variable: None, summand }
    }

    fn times(self, n: i64) -> Option<Self> {
        let is_lost = n == 0 && self.variable.is_some();
        let (factor, summand) = (self.factor.checked_mul(n)?, self.summand.checked_mul(n)?);
        (!is_lost).then_some(Self { factor, summand, ..self })
    }

    fn plus(self, other: Self) -> Option<Self> {
        let (with, without) = if self.variable.is_some() { (self, other) } else { (other, self) };
        let summand = with.summand.checked_add(without.summand)?;
        without.variable.is_none().then_some(Self { summand, ..with })
    }
}

/// A term as gringo reads it, if it is linear.
fn linear(ast: &Ast, constants: Constants<'_>, depth: u32) -> Option<Linear> {
    let body = ast.body();
    let (location, values) = (body.location, body.values.clone());
    drop(body);
    let below = |value: &Value| linear(value.children().first()?, constants, depth.checked_sub(1)?);
    match (ast.kind, &values[..]) {
        (Type::Variable, [_, Value::Text(name)]) if *name != "_" => {
            Some(Linear { factor: 1, variable: Some((name, location)), summand: 0 })
        }
        (Type::SymbolicTerm, [_, Value::Symbol(symbol)]) => match symbol.kind().ok()? {
            SymbolKind::Number(n) => Some(Linear::number(n)),
            SymbolKind::Function { name, arguments: [], negative: false } => {
                constants(name).map(Linear::number)
            }
            _ => None,
        },
        // `-`
        (Type::UnaryOperation, [_, Value::Number(0), argument]) => below(argument)?.times(-1),
        // `+`, `-`, `*`
        (Type::BinaryOperation, [_, Value::Number(op @ 3..=5), left, right]) => {
            let (left, right) = (below(left)?, below(right)?);
            match (op, left.variable, right.variable) {
                (3, ..) => left.plus(right),
                (4, ..) => left.plus(right.times(-1)?),
                (_, _, None) => left.times(right.summand),
                (_, None, _) => right.times(left.summand),
                _ => None,
            }
        }
        _ => None,
    }
}

/// What is said of a term, and its place.
pub fn told(ast: &Ast, constants: Constants<'_>) -> Option<(String, Location)> {
    let location = ast.body().location;
    let argument = ast.children().first().map(|first| first.kind);
    let is_sign = ast.kind == Type::UnaryOperation && argument == Some(Type::Variable);
    let operations = [Type::UnaryOperation, Type::BinaryOperation];
    if operations.contains(&ast.kind)
        && !is_sign
        && let Some(Linear { factor, variable: Some((name, at)), summand }) =
            linear(ast, constants, MAX_DEPTH)
    {
        let text = match (factor, summand) {
            (1, _) => format!("({name}+{summand})"),
            (_, 0) => format!("({factor}*{name})"),
            _ => format!("({factor}*{name}+{summand})"),
        };
        return Some((text, at));
    }
    let text = print(ast).ok()?;
    let is_open = ast.kind == Type::UnaryOperation && !text.starts_with('|');
    Some((if is_open { format!("({text})") } else { text }, location))
}

/// The node of a term that is written somewhere, with places within the text from line 1, column 1 on.
pub fn term(text: &str) -> Option<(Ast, Shift)> {
    let before = "x(";
    let mut found = None;
    let mut receive = |ast: Ast| {
        if ast.kind == Type::Rule {
            found = Some(ast);
        }
        Ok(())
    };
    let (messages, _) = read(vec![Input::new("", format!("{before}{text}\n)."))], &mut receive).ok()?;
    // The rule, its literal, the literal's atom, and the atom's function.
    let mut ast = found.filter(|_| messages.is_empty())?;
    for _ in 0..4 {
        ast = ast.children().into_iter().next()?;
    }
    Some((ast, Shift(before.len())))
}

/// How far the first line is shifted.
pub struct Shift(usize);

impl Shift {
    /// A place within a text as one of the text's file, where it begins at a line and column.
    pub fn place(&self, location: Location, from: (u32, u32)) -> super::Ends {
        let place = |line: usize, column: usize| match line {
            0 | 1 => (from.0, from.1 + column.saturating_sub(1 + self.0) as u32),
            line => (from.0 + (line - 1) as u32, column as u32),
        };
        (place(location.begin.line, location.begin.column), place(location.end.line, location.end.column))
    }
}
