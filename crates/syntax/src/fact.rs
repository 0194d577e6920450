//! Plain ground facts straight from tokens to symbols, without syntax trees.
//!
//! Invariants: what is recognised here means the same as what the grammar would have built; arguments may be nested as deep
//! as the text says, since both stacks are explicit; the stacks are reused, so a fact allocates nothing but its symbols.

use super::build::parse_number;
use super::token::Token;
use asp_base::map::Set;
use asp_base::symbol::{StrId, Sym, Symbols, unescape};

/// A function or tuple whose arguments are being read.
struct Frame {
    /// Where its arguments start on the stack of values.
    base: usize,
    /// The function's name; `None` for parentheses.
    name: Option<StrId>,
    /// Whether a comma was read.
    comma: bool,
}

/// The recogniser with its stacks.
#[derive(Default)]
pub(crate) struct FactReader {
    values: Vec<Sym>,
    frames: Vec<Frame>,
    /// Whether a name (by number) occurs as a constant in a fact.
    constants: Vec<bool>,
}

impl FactReader {
    /// The atom, if the tokens of a statement are a plain fact. `text` reads from position `start`.
    pub(crate) fn read(
        &mut self,
        tokens: &[(u32, Token, u32)],
        text: &str,
        start: u32,
        symbols: &mut Symbols,
    ) -> Option<Sym> {
        let slice = |i: usize| {
            let (l, _, r) = tokens[i];
            &text[(l - start) as usize..(r - start) as usize]
        };
        let kind = |i: usize| tokens.get(i).map(|t| t.1);
        let negative = kind(0)? == Token::Minus;
        let mut at = usize::from(negative);
        if kind(at)? != Token::Identifier {
            return None;
        }
        let name = symbols.intern(slice(at));
        match kind(at + 1)? {
            Token::Dot => return (at + 2 == tokens.len()).then(|| symbols.fun(name, &[], negative)),
            Token::OpenParen => {}
            _ => return None,
        }
        at += 2;
        self.values.clear();
        self.frames.clear();
        self.frames.push(Frame { base: 0, name: Some(name), comma: false });
        let mut operand = true;
        loop {
            let token = kind(at)?;
            let frame = self.frames.last_mut()?;
            if operand && token != Token::CloseParen {
                let value = match token {
                    Token::Identifier => {
                        let name = symbols.intern(slice(at));
                        if kind(at + 1) == Some(Token::OpenParen) {
                            self.frames.push(Frame {
                                base: self.values.len(),
                                name: Some(name),
                                comma: false,
                            });
                            at += 2;
                            continue;
                        }
                        self.constant(name, symbols)
                    }
                    Token::Number => symbols.num(parse_number(slice(at))?),
                    Token::Minus if kind(at + 1) == Some(Token::Number) => {
                        at += 1;
                        symbols.num(-parse_number(slice(at))?)
                    }
                    Token::String => symbols.string(&unescape(slice(at))),
                    Token::Infimum => Sym::INF,
                    Token::Supremum => Sym::SUP,
                    Token::OpenParen => {
                        self.frames.push(Frame { base: self.values.len(), name: None, comma: false });
                        at += 1;
                        continue;
                    }
                    _ => return None,
                };
                self.values.push(value);
                operand = false;
            } else if token == Token::Comma {
                frame.comma = true;
                operand = true;
            } else if token == Token::CloseParen {
                let (base, name, comma) = (frame.base, frame.name, frame.comma);
                let count = self.values.len() - base;
                // A comma before the parenthesis: only in tuples, and after a term.
                if operand && comma && (name.is_some() || count == 0) {
                    return None;
                }
                self.frames.pop();
                if self.frames.is_empty() {
                    let atom = symbols.fun(name?, &self.values, negative);
                    let ends = kind(at + 1) == Some(Token::Dot) && at + 2 == tokens.len();
                    return ends.then_some(atom);
                }
                let value = match name {
                    Some(name) if count == 0 => self.constant(name, symbols),
                    Some(name) => symbols.fun(name, &self.values[base..], false),
                    None if count == 1 && !comma => self.values[base],
                    None => symbols.tuple(&self.values[base..]),
                };
                self.values.truncate(base);
                self.values.push(value);
                operand = false;
            } else {
                return None;
            }
            at += 1;
        }
    }

    fn constant(&mut self, name: StrId, symbols: &mut Symbols) -> Sym {
        let i = name.0 as usize;
        if i >= self.constants.len() {
            self.constants.resize(i + 1, false);
        }
        self.constants[i] = true;
        symbols.constant(name)
    }

    /// The names of all constants read so far.
    pub(crate) fn into_constants(self) -> Set<StrId> {
        let used = self.constants.iter().enumerate().filter(|&(_, &used)| used);
        used.map(|(i, _)| StrId(i as u32)).collect()
    }
}
