//! Program text to nodes: parsed by the same parser, then turned into nodes with clingo's places.
//!
//! Invariants: nodes come in the same order as from clingo: `#program base.` before each text and after each included
//! text, a comment before the statement or `#minimize` element that ends after it. Wrong statements are left out and
//! reported.

mod literal;
mod place;
mod statement;
mod term;

pub use literal::{FUNCTIONS, RELATIONS};
pub use term::BINARY;

use std::ops::Range;

use asp::message::{Diagnostic, Sources, Span};
use asp::symbol::{StrId, Symbols};
use asp::syntax::FileLoader;
use asp::syntax::{Input, parse_pieces};
use asp::syntax::{Piece, comments};

use super::node::{Ast, Location, Name, Node, Value};
use super::schema::Type;
use crate::error::Fail;
use crate::map::SymbolMap;
use crate::symbol::intern_text;
use place::{Lines, Tokens};

/// What is said of a form that clingo does not have.
fn foreign(form: &str) -> Fail {
    Fail::runtime(format!("`{form}` has no form in clingo's syntax trees; `asp --expand` writes it out"))
}

/// Turns the trees of one statement into nodes.
struct Reader<'a> {
    lines: &'a Lines,
    tokens: Tokens<'a>,
    text: &'a str,
    start: u32,
    symbols: &'a Symbols,
    map: &'a mut SymbolMap,
    /// By name of the parser: the interned name.
    names: &'a mut Vec<Option<Name>>,
    /// Whether the place of a tuple includes its parentheses, as in the value of a constant.
    keep_parentheses: bool,
}

impl Reader<'_> {
    fn name(&mut self, name: StrId) -> Result<Name, Fail> {
        let index = name.0 as usize;
        if let Some(Some(known)) = self.names.get(index) {
            return Ok(known);
        }
        if self.names.len() <= index {
            self.names.resize(index + 1, None);
        }
        let interned = intern_text(self.symbols.str(name))?;
        self.names[index] = Some(interned);
        Ok(interned)
    }
    /// The place of some tokens.
    fn location(&self, tokens: &Range<usize>) -> Location {
        let (lo, hi) = self.tokens.ends(tokens);
        self.lines.location(lo, hi)
    }
    /// The place of a span.
    fn place(&self, span: Span) -> Location {
        self.location(&self.tokens.within(span))
    }
    fn text_between(&self, lo: u32, hi: u32) -> &str {
        self.text.get((lo - self.start) as usize..(hi - self.start) as usize).unwrap_or("")
    }
}

/// `#program base.` at the beginning of a text.
fn base(lines: &Lines) -> Result<Ast, Fail> {
    let at = lines.position(0);
    let location = Location { begin: at, end: at };
    let values = vec![Value::Location, Value::Text(intern_text("base")?), Value::Asts(Vec::new())];
    Ok(Node::new(Type::Program, location, values))
}

/// Reads texts and passes on nodes.
struct Run<'a> {
    /// The lines of each text so far, with the position of its first byte.
    lines: Vec<(u32, Lines)>,
    map: SymbolMap,
    names: Vec<Option<Name>>,
    receive: &'a mut dyn FnMut(Ast) -> Result<(), Fail>,
    /// Statements that have no nodes.
    errors: Vec<(Span, Fail)>,
}

impl Run<'_> {
    fn piece(&mut self, piece: Piece<'_>, symbols: &Symbols) -> Result<(), Fail> {
        let (file, range, tokens, statements) = match piece {
            Piece::Begin { file } => {
                if !self.lines.iter().any(|l| l.0 == file.start) {
                    let lines = Lines::new(intern_text(&file.name)?, file.start, &file.text);
                    self.lines.push((file.start, lines));
                }
                let lines = self.lines.iter().find(|l| l.0 == file.start);
                return lines.map_or(Ok(()), |(_, lines)| (self.receive)(base(lines)?));
            }
            Piece::Statement { file, range, tokens, statements } => (file, range, tokens, statements),
        };
        if !self.lines.iter().any(|l| l.0 == file.start) {
            let lines = Lines::new(intern_text(&file.name)?, file.start, &file.text);
            self.lines.push((file.start, lines));
        }
        let Some((_, lines)) = self.lines.iter().find(|l| l.0 == file.start) else { return Ok(()) };
        let mut notes = Vec::new();
        let mut from = range.start;
        for &(lo, _, hi) in tokens {
            notes.extend(comments(&file.text, from..(lo - file.start) as usize));
            from = (hi - file.start) as usize;
        }
        notes.extend(comments(&file.text, from..range.end));
        let mut notes = notes.into_iter().peekable();
        if !statements.is_empty() {
            let mut reader = Reader {
                lines,
                tokens: Tokens::new(tokens),
                text: &file.text,
                start: file.start,
                symbols,
                map: &mut self.map,
                names: &mut self.names,
                keep_parentheses: false,
            };
            match reader.statements(&statements) {
                Ok(found) => {
                    for (ast, read) in found {
                        let read = tokens.get(read).map_or(0, |t| (t.0 - file.start) as usize);
                        while let Some(note) = notes.next_if(|n| n.start < read) {
                            (self.receive)(comment(lines, &file.text, file.start, note)?)?;
                        }
                        (self.receive)(ast)?;
                    }
                }
                Err(fail) => self.errors.push((statements[0].span, fail)),
            }
        }
        notes.try_for_each(|note| (self.receive)(comment(lines, &file.text, file.start, note)?))
    }
}

fn comment(lines: &Lines, text: &str, start: u32, range: Range<usize>) -> Result<Ast, Fail> {
    let written = text.get(range.clone()).unwrap_or("");
    let is_block = written.starts_with("%*");
    let written = if is_block { written } else { written.strip_suffix('\r').unwrap_or(written) };
    let (lo, hi) = (start + range.start as u32, start + (range.start + written.len()) as u32);
    let values =
        vec![Value::Location, Value::Text(intern_text(written)?), Value::Number(i32::from(is_block))];
    Ok(Node::new(Type::Comment, lines.location(lo, hi), values))
}

/// Reads texts one after the other. Returns the messages and the texts that they point into; an error only if `receive` has one.
pub fn read(
    inputs: Vec<Input>,
    receive: &mut dyn FnMut(Ast) -> Result<(), Fail>,
) -> Result<(Vec<Diagnostic>, Sources), Fail> {
    let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
    let mut run =
        Run { lines: Vec::new(), map: SymbolMap::default(), names: Vec::new(), receive, errors: Vec::new() };
    let mut failed = None;
    let mut watch = |piece: Piece<'_>, symbols: &Symbols| {
        failed = run.piece(piece, symbols).err();
        failed.is_none()
    };
    let mut diagnostics = parse_pieces(inputs, &mut symbols, &mut sources, &mut FileLoader, &mut watch);
    if let Some(fail) = failed {
        return Err(fail);
    }
    diagnostics.extend(
        run.errors.into_iter().map(|(span, fail)| Diagnostic::error(span, fail.message.to_string_lossy())),
    );
    Ok((diagnostics, sources))
}
