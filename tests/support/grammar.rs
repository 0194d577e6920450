//! The grammar file as data: productions over terminals and nonterminals, with macros and optional symbols expanded.
//!
//! Reads the subset of LALRPOP's notation that the grammar uses, and panics at anything else, so that no production is
//! overlooked.

use std::collections::HashMap;

/// The grammar's text.
pub const TEXT: &str = include_str!("../../crates/syntax/src/grammar.lalrpop");

/// A nonterminal's number.
pub type Name = usize;

/// A symbol of a production.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Symbol {
    /// A token, as the grammar names it.
    Terminal(String),
    /// A nonterminal.
    Nonterminal(Name),
}

/// One alternative of a nonterminal.
#[derive(Clone, Debug)]
pub struct Production {
    /// What it produces.
    pub head: Name,
    /// Its symbols.
    pub symbols: Vec<Symbol>,
    /// The parser's action.
    pub action: String,
}

/// A grammar.
pub struct Grammar {
    /// Names of the nonterminals.
    pub names: Vec<String>,
    /// All productions.
    pub productions: Vec<Production>,
    /// By nonterminal: its productions.
    pub of: Vec<Vec<usize>>,
    /// The nonterminal of a statement.
    pub start: Name,
    /// From the parser's tokens (their `Debug` names) to terminals.
    pub tokens: HashMap<String, String>,
}

/// A piece of the grammar's text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Word(String),
    Text(String),
    Mark(char),
    Arrow,
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    for line in text.lines().filter(|l| !l.trim_start().starts_with("//")) {
        let chars: Vec<char> = line.chars().collect();
        let mut i = 0;
        while i < chars.len() {
            let c = chars[i];
            let start = i;
            i += 1;
            if c == '"' {
                let mut text = String::new();
                while chars[i] != '"' {
                    if chars[i] == '\\' {
                        i += 1;
                    }
                    text.push(chars[i]);
                    i += 1;
                }
                i += 1;
                out.push(Piece::Text(text));
            } else if c.is_alphanumeric() || c == '_' {
                while i < chars.len() && (chars[i].is_alphanumeric() || chars[i] == '_') {
                    i += 1;
                }
                out.push(Piece::Word(chars[start..i].iter().collect()));
            } else if c == '=' && chars.get(i) == Some(&'>') {
                i += 1;
                if chars.get(i) == Some(&'?') {
                    i += 1;
                }
                out.push(Piece::Arrow);
            } else if !c.is_whitespace() {
                out.push(Piece::Mark(c));
            }
        }
    }
    out
}

/// A symbol before macros are expanded.
#[derive(Clone, Debug)]
enum Raw {
    Terminal(String),
    Name(String, Vec<Raw>),
    Optional(Box<Raw>),
}

struct Definition {
    parameters: Vec<String>,
    alternatives: Vec<(Vec<Raw>, String)>,
}

struct Reader {
    pieces: Vec<Piece>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<&Piece> {
        self.pieces.get(self.at)
    }
    fn next(&mut self) -> Piece {
        self.at += 1;
        self.pieces[self.at - 1].clone()
    }
    fn is(&self, c: char) -> bool {
        self.peek() == Some(&Piece::Mark(c))
    }
    fn take(&mut self, c: char) -> bool {
        let found = self.is(c);
        self.at += usize::from(found);
        found
    }
    fn expect(&mut self, c: char) {
        assert!(self.take(c), "`{c}` expected before {:?}", &self.pieces[self.at..][..8]);
    }
    fn word(&mut self) -> String {
        match self.next() {
            Piece::Word(w) => w,
            other => panic!("a name expected, not {other:?}"),
        }
    }

    /// `name<parameters>: type = alternatives`
    fn definition(&mut self) -> (String, Definition) {
        let mut name = self.word();
        if name == "pub" {
            name = self.word();
        }
        let mut parameters = Vec::new();
        if self.take('<') {
            while !self.take('>') {
                parameters.push(self.word());
                self.take(',');
            }
        }
        self.expect(':');
        while !self.take('=') {
            self.next();
        }
        let braces = self.take('{');
        let end = if braces { '}' } else { ';' };
        let mut alternatives = Vec::new();
        while !self.take(end) {
            alternatives.push(self.alternative(end));
            self.take(',');
        }
        if braces {
            self.take(';');
        }
        (name, Definition { parameters, alternatives })
    }

    fn alternative(&mut self, end: char) -> (Vec<Raw>, String) {
        let mut symbols = Vec::new();
        while !self.is(end) && !self.is(',') && self.peek() != Some(&Piece::Arrow) {
            symbols.extend(self.symbol());
        }
        let mut action = String::new();
        if self.peek() == Some(&Piece::Arrow) {
            self.next();
            let mut depth = 0;
            while depth > 0 || !(self.is(end) || self.is(',')) {
                match self.next() {
                    Piece::Mark(c @ ('(' | '{' | '[')) => {
                        depth += 1;
                        action.push(c);
                    }
                    Piece::Mark(c @ (')' | '}' | ']')) => {
                        depth -= 1;
                        action.push(c);
                    }
                    Piece::Mark(c) => action.push(c),
                    Piece::Word(w) => action.push_str(&w),
                    Piece::Text(t) => action.push_str(&t),
                    Piece::Arrow => action.push_str("=>"),
                }
            }
        }
        (symbols, action)
    }

    /// A symbol; `None` for a position.
    fn symbol(&mut self) -> Option<Raw> {
        let symbol = match self.next() {
            Piece::Text(t) => Some(Raw::Terminal(t)),
            Piece::Mark('@') => {
                self.word();
                None
            }
            Piece::Mark('<') => {
                if self.peek() == Some(&Piece::Word("mut".into())) {
                    self.next();
                }
                if self.pieces.get(self.at + 1) == Some(&Piece::Mark(':')) {
                    self.at += 2;
                }
                let inner = self.symbol();
                self.expect('>');
                inner
            }
            Piece::Word(w) => {
                let mut arguments = Vec::new();
                if self.is('<') && w.starts_with("List") {
                    self.next();
                    while !self.take('>') {
                        arguments.extend(self.symbol());
                        self.take(',');
                    }
                }
                Some(Raw::Name(w, arguments))
            }
            other => panic!("a symbol expected, not {other:?}"),
        };
        if self.take('?') { symbol.map(|s| Raw::Optional(Box::new(s))) } else { symbol }
    }
}

/// Turns definitions into productions, each instance of a macro once.
struct Expander {
    definitions: HashMap<String, Definition>,
    names: Vec<String>,
    numbers: HashMap<String, Name>,
    productions: Vec<Production>,
}

impl Expander {
    fn show(&self, symbol: &Symbol) -> String {
        match symbol {
            Symbol::Terminal(t) => format!("\"{t}\""),
            Symbol::Nonterminal(n) => self.names[*n].clone(),
        }
    }

    fn number(&mut self, name: &str) -> (Name, bool) {
        if let Some(&n) = self.numbers.get(name) {
            return (n, false);
        }
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), self.names.len() - 1);
        (self.names.len() - 1, true)
    }

    fn symbol(&mut self, raw: &Raw, bound: &HashMap<String, Symbol>) -> Symbol {
        match raw {
            Raw::Terminal(t) => Symbol::Terminal(t.clone()),
            Raw::Optional(inner) => {
                let inner = self.symbol(inner, bound);
                let (head, new) = self.number(&format!("{}?", self.show(&inner)));
                if new {
                    let action = String::new();
                    self.productions.push(Production { head, symbols: vec![], action: action.clone() });
                    self.productions.push(Production { head, symbols: vec![inner], action });
                }
                Symbol::Nonterminal(head)
            }
            Raw::Name(name, arguments) => {
                if let Some(symbol) = bound.get(name) {
                    return symbol.clone();
                }
                let arguments: Vec<Symbol> = arguments.iter().map(|a| self.symbol(a, bound)).collect();
                let shown: Vec<String> = arguments.iter().map(|a| self.show(a)).collect();
                let full =
                    if shown.is_empty() { name.clone() } else { format!("{name}<{}>", shown.join(", ")) };
                let (head, new) = self.number(&full);
                if new {
                    let definition = self.definitions.get(name).unwrap_or_else(|| panic!("no {name}"));
                    let bound: HashMap<String, Symbol> =
                        definition.parameters.iter().cloned().zip(arguments).collect();
                    for (symbols, action) in definition.alternatives.clone() {
                        let symbols = symbols.iter().map(|s| self.symbol(s, &bound)).collect();
                        self.productions.push(Production { head, symbols, action });
                    }
                }
                Symbol::Nonterminal(head)
            }
        }
    }
}

impl Grammar {
    /// The grammar of a statement.
    pub fn read() -> Grammar {
        let (_, rest) = TEXT.split_once("enum Token {").expect("the tokens");
        let (tokens, rest) = rest.split_once("}\n}\n").expect("the end of the tokens");
        let mut map = HashMap::new();
        let pairs = pieces(tokens);
        for pair in pairs.split(|p| *p == Piece::Mark(',')).filter(|p| !p.is_empty()) {
            let (Piece::Text(terminal), Some(Piece::Word(token))) = (&pair[0], pair.last()) else {
                panic!("no pair: {pair:?}")
            };
            map.insert(token.clone(), terminal.clone());
        }
        let mut reader = Reader { pieces: pieces(rest), at: 0 };
        let mut definitions = HashMap::new();
        while reader.peek().is_some() {
            let (name, definition) = reader.definition();
            definitions.insert(name, definition);
        }
        let plain = |d: &Definition| d.parameters.is_empty();
        let all: Vec<String> =
            definitions.iter().filter(|(_, d)| plain(d)).map(|(name, _)| name.clone()).collect();
        let (names, numbers, productions) = (Vec::new(), HashMap::new(), Vec::new());
        let mut expander = Expander { definitions, names, numbers, productions };
        let start = expander.symbol(&Raw::Name("Statement".into(), Vec::new()), &HashMap::new());
        for name in all {
            assert!(expander.numbers.contains_key(&name), "{name} is never used");
        }
        let Symbol::Nonterminal(start) = start else { unreachable!("a nonterminal") };
        let mut of = vec![Vec::new(); expander.names.len()];
        for (i, p) in expander.productions.iter().enumerate() {
            of[p.head].push(i);
        }
        Grammar { names: expander.names, productions: expander.productions, of, start, tokens: map }
    }

    /// A production as text.
    pub fn show(&self, production: usize) -> String {
        let p = &self.productions[production];
        let symbols: Vec<String> = p
            .symbols
            .iter()
            .map(|s| match s {
                Symbol::Terminal(t) => format!("\"{t}\""),
                Symbol::Nonterminal(n) => self.names[*n].clone(),
            })
            .collect();
        format!("{} -> {}", self.names[p.head], symbols.join(" "))
    }
}
