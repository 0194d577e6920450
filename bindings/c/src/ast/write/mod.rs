//! Nodes to the parser's syntax trees, which the grounder takes.
//!
//! Invariants: for any node the result is an error or a tree that the parser could have made, no deeper than
//! [`MAX_DEPTH`]; places are kept: positions stand for places of nodes ([`Places`]).

mod literal;
mod statement;
mod term;

use asp::message::{Sources, Span};
use asp::symbol::{StrId, Symbols};
use asp::syntax::ast::{MAX_DEPTH, Statement};

use super::node::{Ast, Name, Position, Value};
use super::schema::{Attribute, Type};
use super::unpool::unpool;
use crate::error::Fail;
use crate::map::SymbolMap;

/// Why a node has no tree.
pub enum Refusal {
    /// It is wrong.
    Wrong(Fail),
    /// It has a pool where the parser allows none; its alternatives have trees.
    Pool,
}

impl From<Fail> for Refusal {
    fn from(fail: Fail) -> Self {
        Refusal::Wrong(fail)
    }
}

/// A tree or why there is none.
type Made<T> = Result<T, Refusal>;

fn wrong<T>(text: impl AsRef<str>) -> Made<T> {
    Err(Refusal::Wrong(Fail::runtime(format!("invalid ast: {}", text.as_ref()))))
}

fn too_deep() -> Refusal {
    Refusal::Wrong(Fail::runtime(format!("invalid ast: terms may be nested at most {MAX_DEPTH} deep")))
}

/// Places of one statement's nodes; a span consists of the positions for its two ends.
#[derive(Default)]
struct Places {
    file: Name,
    start: u32,
    /// Line and column of each position.
    all: Vec<(u32, u32)>,
}

/// Makes trees.
struct Writer<'a> {
    symbols: &'a mut Symbols,
    map: &'a mut SymbolMap,
    places: Places,
}

impl Writer<'_> {
    fn intern(&mut self, name: Name) -> StrId {
        self.symbols.intern(name)
    }

    fn position(&mut self, at: Position) -> u32 {
        let short = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        self.places.all.push((short(at.line), short(at.column)));
        self.places.start + (self.places.all.len() - 1) as u32
    }
    /// The position for the beginning of a node.
    fn begin(&mut self, ast: &Ast) -> u32 {
        let location = ast.body().location;
        self.position(location.begin)
    }
    /// The position for the end of a node.
    fn end(&mut self, ast: &Ast) -> u32 {
        let location = ast.body().location;
        self.position(location.end)
    }
    /// Makes something of a node, with the positions for its two ends.
    fn placed<T>(&mut self, ast: &Ast, make: impl FnOnce(&mut Self, &Ast) -> Made<T>) -> Made<(T, Span)> {
        let begin = self.begin(ast);
        let made = make(self, ast)?;
        Ok((made, Span::new(begin, self.end(ast))))
    }

    /// The value of an attribute, read in place.
    fn value<T>(
        ast: &Ast,
        attribute: Attribute,
        expected: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Made<T> {
        let place = ast.place(attribute)?;
        match read(&ast.body().values[place]) {
            Some(value) => Ok(value),
            None => wrong(expected),
        }
    }
    fn number(ast: &Ast, attribute: Attribute) -> Made<i32> {
        Self::value(ast, attribute, "a number is expected", |value| match value {
            Value::Number(n) => Some(*n),
            _ => None,
        })
    }
    fn text(ast: &Ast, attribute: Attribute) -> Made<Name> {
        Self::value(ast, attribute, "a text is expected", |value| match value {
            Value::Text(text) => Some(*text),
            _ => None,
        })
    }
    fn texts(ast: &Ast, attribute: Attribute) -> Made<Vec<Name>> {
        Self::value(ast, attribute, "texts are expected", |value| match value {
            Value::Texts(texts) => Some(texts.clone()),
            _ => None,
        })
    }
    fn one(ast: &Ast, attribute: Attribute) -> Made<Ast> {
        Self::value(ast, attribute, "a node is expected", |value| match value {
            Value::Ast(child) => Some(child.clone()),
            _ => None,
        })
    }
    fn some(ast: &Ast, attribute: Attribute) -> Made<Option<Ast>> {
        Self::value(ast, attribute, "a node is expected", |value| match value {
            Value::Optional(child) => Some(child.clone()),
            _ => None,
        })
    }
    fn all(ast: &Ast, attribute: Attribute) -> Made<Vec<Ast>> {
        Self::value(ast, attribute, "nodes are expected", |value| match value {
            Value::Asts(children) => Some(children.clone()),
            _ => None,
        })
    }
    /// An element of a list by its number.
    fn choice<T: Copy>(list: &[T], number: i32, what: &str) -> Made<T> {
        match usize::try_from(number).ok().and_then(|i| list.get(i)) {
            Some(choice) => Ok(*choice),
            None => wrong(format!("invalid {what}")),
        }
    }
    /// The depth one level up. An error if that is too deep.
    fn deeper(below: u16) -> Made<u16> {
        if below < MAX_DEPTH {
            return Ok(below + 1);
        }
        Err(too_deep())
    }
}

/// The trees of a statement, and their places in the sources.
pub fn write(
    ast: &Ast,
    symbols: &mut Symbols,
    sources: &mut Sources,
    map: &mut SymbolMap,
) -> Result<Vec<Statement>, Fail> {
    if ast.kind == Type::Comment {
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    match one(ast, symbols, sources, map, &mut out) {
        Ok(()) => {}
        Err(Refusal::Wrong(fail)) => return Err(fail),
        Err(Refusal::Pool) => {
            for alternative in unpool(ast, true, true)? {
                match one(&alternative, symbols, sources, map, &mut out) {
                    Ok(()) => {}
                    Err(Refusal::Wrong(fail)) => return Err(fail),
                    Err(Refusal::Pool) => {
                        return Err(Fail::runtime("invalid ast: a pool is not allowed here"));
                    }
                }
            }
        }
    }
    Ok(out)
}

fn one(
    ast: &Ast,
    symbols: &mut Symbols,
    sources: &mut Sources,
    map: &mut SymbolMap,
    out: &mut Vec<Statement>,
) -> Made<()> {
    let file = ast.body().location.begin.file;
    let places = Places { file, start: sources.next(), all: Vec::new() };
    let mut writer = Writer { symbols, map, places };
    let statement = writer.statement(ast)?;
    let Places { file, all, .. } = writer.places;
    if sources.add_places(file.to_string(), all).is_err() {
        return wrong("there are too many places");
    }
    out.push(statement);
    Ok(())
}
