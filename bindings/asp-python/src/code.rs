//! Ground terms that belong to no control: each is a string of bytes, in prefix order.
//!
//! Invariants: two terms are equal if and only if their bytes are; nothing here recurses, however deep a term is. A
//! head is followed by its arguments, as many as it says.

use std::cmp::Ordering;
use std::fmt::Write as _;

use asp::Symbol;
use asp::symbol::{SymView, Symbols, write_quoted};

const INF: u8 = 0;
const NUM: u8 = 1;
const STR: u8 = 2;
const FUN: u8 = 3;
const NEG: u8 = 4;
const TUPLE: u8 = 5;
const SUP: u8 = 6;

/// What a term begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Head<'a> {
    Infimum,
    Number(i64),
    String(&'a str),
    Function { name: &'a str, arity: usize, negative: bool },
    Tuple(usize),
    Supremum,
}

impl Head<'_> {
    /// How many terms follow as arguments.
    pub(crate) fn arity(&self) -> usize {
        match *self {
            Head::Function { arity, .. } | Head::Tuple(arity) => arity,
            _ => 0,
        }
    }

    /// Places in the order of terms, before arity, name and arguments.
    fn rank(&self) -> u8 {
        match self {
            Head::Infimum => 0,
            Head::Number(_) => 1,
            Head::Function { arity: 0, negative: false, .. } | Head::Tuple(0) => 2,
            Head::Function { arity: 0, negative: true, .. } => 3,
            Head::String(_) => 4,
            Head::Function { negative: false, .. } | Head::Tuple(_) => 5,
            Head::Function { negative: true, .. } => 6,
            Head::Supremum => 7,
        }
    }

    fn cmp(&self, other: &Head<'_>) -> Ordering {
        let name = |head: &Head<'_>| match *head {
            Head::Function { name, .. } => name.to_string(),
            _ => String::new(),
        };
        self.rank().cmp(&other.rank()).then_with(|| match (self, other) {
            (Head::Number(a), Head::Number(b)) => a.cmp(b),
            (Head::String(a), Head::String(b)) => a.cmp(b),
            (a, b) => a.arity().cmp(&b.arity()).then_with(|| name(a).cmp(&name(b))),
        })
    }
}

/// Appends a head.
pub(crate) fn push(head: Head<'_>, out: &mut Vec<u8>) {
    let mut text = |tag: u8, arity: Option<usize>, text: &str| {
        out.push(tag);
        out.extend(arity.map(|n| (n as u32).to_le_bytes()).into_iter().flatten());
        out.extend((text.len() as u32).to_le_bytes());
        out.extend(text.as_bytes());
    };
    match head {
        Head::Infimum => out.push(INF),
        Head::Supremum => out.push(SUP),
        Head::Number(n) => {
            out.push(NUM);
            out.extend(n.to_le_bytes());
        }
        Head::String(s) => text(STR, None, s),
        Head::Function { name, arity, negative } => text(if negative { NEG } else { FUN }, Some(arity), name),
        Head::Tuple(arity) => {
            out.push(TUPLE);
            out.extend((arity as u32).to_le_bytes());
        }
    }
}

/// The head at the beginning of some bytes, and what follows; `None` if they are no term.
pub(crate) fn split(bytes: &[u8]) -> Option<(Head<'_>, &[u8])> {
    fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
        let (number, rest) = bytes.split_first_chunk::<4>()?;
        Some((u32::from_le_bytes(*number) as usize, rest))
    }
    fn text(bytes: &[u8]) -> Option<(&str, &[u8])> {
        let (len, rest) = number(bytes)?;
        let (text, rest) = rest.split_at_checked(len)?;
        Some((std::str::from_utf8(text).ok()?, rest))
    }
    let (&tag, rest) = bytes.split_first()?;
    Some(match tag {
        INF => (Head::Infimum, rest),
        SUP => (Head::Supremum, rest),
        NUM => {
            let (number, rest) = rest.split_first_chunk::<8>()?;
            (Head::Number(i64::from_le_bytes(*number)), rest)
        }
        STR => {
            let (string, rest) = text(rest)?;
            (Head::String(string), rest)
        }
        FUN | NEG => {
            let (arity, rest) = number(rest)?;
            let (name, rest) = text(rest)?;
            (Head::Function { name, arity, negative: tag == NEG }, rest)
        }
        TUPLE => {
            let (arity, rest) = number(rest)?;
            (Head::Tuple(arity), rest)
        }
        _ => return None,
    })
}

/// The first term of some bytes, and what follows.
pub(crate) fn first(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (mut rest, mut open) = (bytes, 1usize);
    while open > 0 {
        let (head, after) = split(rest)?;
        open = open - 1 + head.arity();
        rest = after;
    }
    Some(bytes.split_at(bytes.len() - rest.len()))
}

/// Whether some bytes are exactly one term.
pub(crate) fn is_term(bytes: &[u8]) -> bool {
    first(bytes).is_some_and(|(_, rest)| rest.is_empty())
}

/// The arguments of a term.
pub(crate) fn arguments(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (head, mut rest) = split(bytes).unwrap_or((Head::Infimum, &[]));
    (0..head.arity()).map_while(move |_| {
        let (argument, after) = first(rest)?;
        rest = after;
        Some(argument)
    })
}

/// The order of terms: as heads differ first, for equal ones have as many arguments.
pub(crate) fn cmp(mut a: &[u8], mut b: &[u8]) -> Ordering {
    while let (Some((x, after_x)), Some((y, after_y))) = (split(a), split(b)) {
        if x != y {
            match x.cmp(&y) {
                Ordering::Equal => {}
                order => return order,
            }
        }
        (a, b) = (after_x, after_y);
    }
    Ordering::Equal
}

/// Appends a term of a table.
pub(crate) fn encode(symbols: &Symbols, term: Symbol, out: &mut Vec<u8>) {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match symbols.view(term) {
            SymView::Inf => push(Head::Infimum, out),
            SymView::Sup => push(Head::Supremum, out),
            SymView::Num(n) => push(Head::Number(n), out),
            SymView::Str(text) => push(Head::String(symbols.str(text)), out),
            SymView::Fun { name, args, negative } => {
                push(Head::Function { name: symbols.str(name), arity: args.len(), negative }, out);
                open.extend(args.iter().rev());
            }
            SymView::Tuple(args) => {
                push(Head::Tuple(args.len()), out);
                open.extend(args.iter().rev());
            }
        }
    }
}

/// The term in a table.
pub(crate) fn decode(mut bytes: &[u8], symbols: &mut Symbols) -> Option<Symbol> {
    // Heads whose arguments are not complete, with how many they have been promised and where theirs begin.
    let mut open: Vec<(Head<'_>, usize)> = Vec::new();
    let mut done: Vec<Symbol> = Vec::new();
    loop {
        let (head, rest) = split(bytes)?;
        bytes = rest;
        match head {
            Head::Infimum => done.push(Symbol::INF),
            Head::Supremum => done.push(Symbol::SUP),
            Head::Number(n) => done.push(symbols.num(n)),
            Head::String(text) => done.push(symbols.string(text)),
            Head::Function { .. } | Head::Tuple(_) => open.push((head, done.len())),
        }
        while let Some(&(head, from)) = open.last() {
            if done.len() < from + head.arity() {
                break;
            }
            let term = match head {
                Head::Function { name, negative, .. } => {
                    let name = symbols.intern(name);
                    symbols.fun(name, &done[from..], negative)
                }
                _ => symbols.tuple(&done[from..]),
            };
            open.pop();
            done.truncate(from);
            done.push(term);
        }
        if open.is_empty() {
            return done.pop();
        }
    }
}

/// The text of a term, as answer sets show it.
pub(crate) fn text(mut bytes: &[u8]) -> String {
    let mut out = String::new();
    // What is left of each list of arguments, and how it ends.
    let mut open: Vec<(usize, &str)> = Vec::new();
    while let Some((head, rest)) = split(bytes) {
        bytes = rest;
        match head {
            Head::Infimum => out.push_str("#inf"),
            Head::Supremum => out.push_str("#sup"),
            // Writing to a string cannot fail.
            Head::Number(n) => drop(write!(out, "{n}")),
            Head::String(text) => write_quoted(text, &mut out),
            Head::Function { name, arity, negative } => {
                out.push_str(if negative { "-" } else { "" });
                out.push_str(name);
                if arity > 0 {
                    out.push('(');
                    open.push((arity, ")"));
                    continue;
                }
            }
            Head::Tuple(arity) => {
                out.push('(');
                if arity > 0 {
                    open.push((arity, if arity == 1 { ",)" } else { ")" }));
                    continue;
                }
                out.push(')');
            }
        }
        while let Some((left, end)) = open.last_mut() {
            *left -= 1;
            if *left > 0 {
                out.push(',');
                break;
            }
            out.push_str(end);
            open.pop();
        }
    }
    out
}

/// The term that a text says: as answer sets show it.
pub(crate) fn parse(text: &str) -> Option<Vec<u8>> {
    let mut symbols = Symbols::new();
    let term = asp::symbol::parse_term(text.trim(), &mut symbols)?;
    let mut out = Vec::new();
    encode(&symbols, term, &mut out);
    Some(out)
}
