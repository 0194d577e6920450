//! The index of one text: statements, names with their places and roles, comments, what it includes.
//!
//! Invariants: all places are bytes of the text, on boundaries of characters; names come in the order of the text, and a name
//! that stands for several predicates (`p(1;2,3)`) comes once for each.

use std::ops::Range;
use std::sync::Arc;

use super::kinds::{ItemKind, Kind, Role};
use super::place::Lines;
use asp_base::span::{Sources, Span};
use asp_base::symbol::{Symbols, unescape};
use asp_syntax::ast::{
    Atom, BodyElement, Head, HeadKind, Literal, LiteralKind, Sign, SignatureRef, Statement, StatementKind,
};
use asp_syntax::token::Token;
use asp_syntax::written::{Piece, comments};
use asp_syntax::{Input, NoFiles, parse_pieces};

/// A name where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    pub range: Range<usize>,
    pub kind: Kind,
    pub role: Role,
    /// The statement that it stands in.
    pub item: usize,
}

#[derive(Clone, Debug)]
pub struct Item {
    /// From its first token to its last.
    pub range: Range<usize>,
    /// Its tokens in the text's list.
    pub tokens: Range<usize>,
    pub kind: ItemKind,
    /// The comment right above it.
    pub doc: Option<Range<usize>>,
    /// The number of the program part that it stands in: that of the last `#program`, from 1, or 0.
    pub part: usize,
}

/// An `#include "..."`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Include {
    pub path: String,
    /// The string, quotes and all.
    pub range: Range<usize>,
}

/// A token: its bytes and its kind.
pub type TextToken = (usize, Token, usize);

#[derive(Clone, Debug)]
pub struct TextIndex {
    pub text: Arc<str>,
    pub lines: Lines,
    pub tokens: Vec<TextToken>,
    pub items: Vec<Item>,
    pub names: Vec<Name>,
    pub comments: Vec<Range<usize>>,
    pub includes: Vec<Include>,
}

impl TextIndex {
    /// The index of a text.
    pub fn new(text: Arc<str>) -> Self {
        let mut index = Self {
            lines: Lines::new(&text),
            text: text.clone(),
            tokens: Vec::new(),
            items: Vec::new(),
            names: Vec::new(),
            comments: Vec::new(),
            includes: Vec::new(),
        };
        let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
        let inputs = vec![Input::new("", text.as_bytes())];
        let mut part = 0;
        // Its messages are told by those who check the program.
        let _ = parse_pieces(inputs, &mut symbols, &mut sources, &mut NoFiles, &mut |piece, symbols| {
            if let Piece::Statement { file, range, tokens, statements } = piece {
                let start = file.start;
                let tokens =
                    tokens.iter().map(|&(lo, t, hi)| ((lo - start) as usize, t, (hi - start) as usize));
                index.add(range, tokens.collect(), &statements, start, &mut part, symbols);
            }
            true
        });
        index
    }

    /// The text of a range.
    pub fn slice(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or("")
    }

    fn add(
        &mut self,
        range: Range<usize>,
        tokens: Vec<TextToken>,
        statements: &[Statement],
        start: u32,
        part: &mut usize,
        symbols: &Symbols,
    ) {
        let text = self.text.clone();
        let mut at = range.start;
        let (mut above, mut first) = (None, true);
        for &(lo, _, hi) in &tokens {
            let before = self.comments.len();
            self.comments.extend(within(&text, at..lo));
            if first {
                above = doc(&text, &self.comments[before..], lo);
            }
            (at, first) = (hi, false);
        }
        self.comments.extend(within(&text, at..range.end));
        let (Some(&(lo, head, _)), Some(&(_, _, hi))) = (tokens.first(), tokens.last()) else { return };
        let item_kind = item_kind(head, statements, &tokens);
        *part += usize::from(item_kind == ItemKind::Part);
        let from = self.tokens.len();
        if head == Token::Include
            && let Some(&(lo, _, hi)) = tokens.iter().find(|t| t.1 == Token::String)
        {
            self.includes.push(Include { path: unescape(&text[lo..hi]).into_owned(), range: lo..hi });
        }
        let item = self.items.len();
        let mut names = Names { tokens: &tokens, start, found: Vec::new() };
        statements.iter().for_each(|s| names.statement(s));
        names.found.sort_unstable();
        names.found.dedup();
        self.items.push(Item {
            range: lo..hi,
            tokens: from..from + tokens.len(),
            kind: item_kind,
            doc: above,
            part: *part,
        });
        let mut of_atoms = names.found.into_iter().peekable();
        let kind = statements.first().map(|s| &s.kind);
        for (i, &(lo, token, hi)) in tokens.iter().enumerate() {
            let mut push = |kind, role| self.names.push(Name { range: lo..hi, kind, role, item });
            let mut is_predicate = false;
            while let Some((_, kind, role)) = of_atoms.next_if(|found| found.0 == i) {
                push(kind, role);
                is_predicate = true;
            }
            match token {
                Token::Variable => push(Kind::Variable, Role::Use),
                Token::Identifier if !is_predicate => {
                    let place = Plain { kind, item: item_kind, tokens: &tokens, text: &text, symbols };
                    if let Some((kind, role)) = place.of(i) {
                        push(kind, role);
                    }
                }
                _ => {}
            }
        }
        self.tokens.extend(tokens);
    }

    /// The name that an offset is in or right behind; several if they start at the same place.
    pub fn names_at(&self, offset: usize) -> &[Name] {
        let end = self.names.partition_point(|n| n.range.start <= offset);
        let Some(last) = end.checked_sub(1).map(|i| &self.names[i]) else { return &[] };
        if last.range.end < offset {
            return &[];
        }
        let begin = self.names[..end].partition_point(|n| n.range.start < last.range.start);
        &self.names[begin..end]
    }

    /// The names of a statement.
    pub fn names_of(&self, item: usize) -> &[Name] {
        let begin = self.names.partition_point(|n| n.item < item);
        let end = self.names.partition_point(|n| n.item <= item);
        &self.names[begin..end]
    }

    /// The statement that an offset is in or behind.
    pub fn item_at(&self, offset: usize) -> Option<usize> {
        self.items.partition_point(|item| item.range.start <= offset).checked_sub(1)
    }

    pub fn token_at(&self, offset: usize) -> Option<TextToken> {
        let i = self.tokens.partition_point(|t| t.0 <= offset).checked_sub(1)?;
        (offset < self.tokens[i].2).then(|| self.tokens[i])
    }

    /// Whether an offset is in a comment, its end among it.
    pub fn is_in_comment(&self, offset: usize) -> bool {
        let i = self.comments.partition_point(|c| c.start < offset);
        i.checked_sub(1).is_some_and(|i| offset <= self.comments[i].end)
    }

    /// A comment's words: without its signs and without the lines for machines, such as `%@test`.
    pub fn words(&self, comment: &Range<usize>) -> String {
        let strip = |line: &str| {
            let line = line.trim();
            let line = line.strip_prefix("%*").unwrap_or(line).trim_start_matches('%');
            let line = line.strip_suffix("*%").unwrap_or(line);
            line.strip_prefix(' ').unwrap_or(line).trim_end().to_string()
        };
        let lines = self.slice(comment).lines().filter(|l| !l.trim_start().starts_with("%@"));
        lines.map(strip).collect::<Vec<_>>().join("\n").trim_matches('\n').to_string()
    }
}

/// The comments in a range; one that never ends goes no further than the range.
fn within(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    comments(text, range).map(move |c| c.start..c.end.min(end))
}

/// The kind of a statement.
fn item_kind(first: Token, statements: &[Statement], tokens: &[TextToken]) -> ItemKind {
    let Some(statement) = statements.first() else {
        // An include is no statement once it has been followed.
        let read = first == Token::Include && tokens.get(1).is_some_and(|t| t.1 == Token::String);
        return if read { ItemKind::Include } else { ItemKind::Broken };
    };
    match &statement.kind {
        StatementKind::Rule { head, body } => match &head.kind {
            HeadKind::Literal(Literal { kind: LiteralKind::Boolean(false), .. }) => ItemKind::Constraint,
            HeadKind::Literal(_) if body.is_empty() => ItemKind::Fact,
            HeadKind::Global(_) => ItemKind::Constraint,
            _ => ItemKind::Rule,
        },
        StatementKind::Minimize { .. } => ItemKind::Objective,
        StatementKind::Const { .. } => ItemKind::Const,
        StatementKind::Part { .. } => ItemKind::Part,
        StatementKind::Include { .. } | StatementKind::IncludeBuiltin { .. } => ItemKind::Include,
        _ => ItemKind::Directive,
    }
}

/// The comments right above a place, of which each has lines of its own.
fn doc(text: &str, comments: &[Range<usize>], below: usize) -> Option<Range<usize>> {
    let mut found: Option<Range<usize>> = None;
    let mut next = below;
    for comment in comments.iter().rev() {
        let line = text[..comment.start].rfind('\n').map_or(0, |i| i + 1);
        let alone = text[line..comment.start].trim().is_empty();
        let between = &text[comment.end..next];
        if !alone || between.matches('\n').count() != 1 || !between.trim().is_empty() {
            break;
        }
        found = Some(comment.start..found.map_or(comment.end, |f| f.end));
        next = comment.start;
    }
    found
}

/// Finds the predicates of a statement.
struct Names<'a> {
    tokens: &'a [TextToken],
    start: u32,
    /// Token, what it stands for, and its role.
    found: Vec<(usize, Kind, Role)>,
}

impl Names<'_> {
    fn name(&mut self, span: Span, arity: u32, negative: bool, role: Role) {
        let lo = span.lo.saturating_sub(self.start) as usize;
        let from = self.tokens.partition_point(|t| t.0 < lo);
        let at = self.tokens[from..].iter().position(|t| t.1 == Token::Identifier);
        self.found.extend(at.map(|i| (from + i, Kind::Predicate { arity, negative }, role)));
    }
    fn atom(&mut self, atom: &Atom, role: Role) {
        for args in &atom.args {
            self.name(atom.span, args.len() as u32, atom.negative, role);
        }
    }
    fn literal(&mut self, literal: &Literal, role: Role) {
        if let LiteralKind::Atom(atom) = &literal.kind {
            self.atom(atom, role);
        }
    }
    fn signature(&mut self, s: &SignatureRef) {
        self.name(s.span, s.arity, s.negative, Role::Mention);
    }
    fn statement(&mut self, statement: &Statement) {
        let parts = statement.kind.parts();
        for (literal, condition) in parts.head.into_iter().flat_map(Head::derived) {
            self.literal(literal, if literal.sign == Sign::None { Role::Define } else { Role::Use });
            condition.iter().for_each(|l| self.literal(l, Role::Use));
        }
        parts.head.into_iter().flat_map(Head::conditions).for_each(|l| self.literal(l, Role::Use));
        statement.kind.each_value(&mut |_, arity, span| self.name(span, arity, false, Role::Use));
        let role = match statement.kind {
            StatementKind::External { .. } => Role::Define,
            _ => Role::Mention,
        };
        parts.atom.into_iter().for_each(|atom| self.atom(atom, role));
        parts.body.iter().flat_map(BodyElement::literals).for_each(|l| self.literal(l, Role::Use));
        match &statement.kind {
            StatementKind::ShowSignature(s)
            | StatementKind::ProjectSignature(s)
            | StatementKind::Defined(s) => self.signature(s),
            StatementKind::Query(atom) => self.atom(atom, Role::Use),
            _ => {}
        }
    }
}

/// The words of `#heuristic` and the like, which are no constants of the program.
const MODIFIERS: [&str; 6] = ["level", "sign", "true", "false", "factor", "init"];

/// Names that are no predicates.
struct Plain<'a> {
    kind: Option<&'a StatementKind>,
    item: ItemKind,
    tokens: &'a [TextToken],
    text: &'a str,
    symbols: &'a Symbols,
}

impl Plain<'_> {
    /// The kind and role of the name at a token, if any.
    fn of(&self, i: usize) -> Option<(Kind, Role)> {
        let token = |i: Option<usize>| i.and_then(|i| self.tokens.get(i)).map(|t| t.1);
        let (before, after) = (token(i.checked_sub(1)), token(Some(i + 1)));
        let text = &self.text[self.tokens[i].0..self.tokens[i].2];
        let behind = || self.tokens[..i].iter().any(|t| t.1 == Token::Dot);
        match self.kind {
            None if self.item == ItemKind::Broken => return Some((Kind::Unknown, Role::Mention)),
            None | Some(StatementKind::Theory(_) | StatementKind::Script { .. }) => return None,
            Some(StatementKind::IncludeBuiltin { .. }) => return None,
            Some(StatementKind::Part { .. }) if i == 1 => return Some((Kind::Part, Role::Define)),
            Some(StatementKind::Part { .. }) => return Some((Kind::Parameter, Role::Define)),
            Some(StatementKind::Const { name, .. }) if i == 1 && self.symbols.str(*name) == text => {
                return Some((Kind::Constant, Role::Define));
            }
            Some(StatementKind::Const { .. } | StatementKind::External { .. }) if behind() => return None,
            Some(StatementKind::Heuristic { .. }) if behind() && MODIFIERS.contains(&text) => return None,
            _ => {}
        }
        let theory = || !token(i.checked_sub(2)).is_some_and(Token::ends_term);
        Some(match before {
            Some(Token::At) if after == Some(Token::OpenParen) => (Kind::External, Role::Use),
            Some(Token::And) if theory() => (Kind::Theory, Role::Use),
            _ if after == Some(Token::OpenParen) => (Kind::Function, Role::Use),
            _ => (Kind::Constant, Role::Use),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of a text with what they stand for, in short.
    #[track_caller]
    fn check(text: &str, wanted: &str) {
        let index = TextIndex::new(text.into());
        let short = |name: &Name| {
            let role = match name.role {
                Role::Define => "!",
                Role::Use => "",
                Role::Mention => "?",
            };
            let kind = match name.kind {
                Kind::Predicate { arity, negative } => format!("{}{arity}", if negative { "-" } else { "" }),
                Kind::Variable => "v".into(),
                Kind::Constant => "c".into(),
                Kind::Function => "f".into(),
                Kind::External => "@".into(),
                Kind::Theory => "t".into(),
                Kind::Part => "p".into(),
                Kind::Parameter => "a".into(),
                Kind::Unknown => "u".into(),
            };
            format!("{}:{kind}{role}", index.slice(&name.range))
        };
        assert_eq!(index.names.iter().map(short).collect::<Vec<_>>().join(" "), wanted);
    }

    #[test]
    fn names_and_their_roles() {
        check("p(1..n,f(X)) :- - q(X;Y,a), not r.", "p:2! n:c f:f X:v q:-1 q:-2 X:v Y:v a:c r:0");
        check("a. -b(c). #const n = m.", "a:0! b:-1! c:c n:c! m:c");
        check(
            "{ a(X) : b(X) } = k :- #sum { W,X : c(X,W) } > 1, d : e.",
            "a:1! X:v b:1 X:v k:c W:v X:v c:2 X:v W:v d:0 e:0",
        );
        check("#show p/1. #show -q/2. #show f(X) : p(X).", "p:1? q:-2? f:f X:v p:1 X:v");
        check("#external e(X) : d(X). [false]", "e:1! X:v d:1 X:v");
        check("#heuristic a(X) : b. [X@1,sign]", "a:1? X:v b:0 X:v");
        check(
            "#program step(t). &diff { x } <= 1 :- a, 1 = @f(X & y).",
            "step:p! t:a! diff:t x:c a:0 f:@ X:v y:c",
        );
        check("p(X :- q. r :- p.", "p:u? X:v q:u? r:0! p:0");
        check(
            "#minimize { $p(a)@2 }. #distinct { $q(X) : d(X) }. $r($s) < 2.",
            "p:2 a:c q:2 X:v d:1 X:v r:2 s:1",
        );
        check("#minimize { C@2,X : c(X,C) ; 1 : d }. :~ e. [1]", "C:v X:v c:2 X:v C:v d:0 e:0");
        check("#theory t { x { + : 1, unary }; &a/0 : x, any }. #script (lua) f() #end. b.", "b:0!");
    }

    #[test]
    fn comments_above_statements() {
        let text = "% head\n\n% one\n% two\na. % behind\nb.\n%@test: sat\n% c\nc :- a.\n%* d *%\nd.";
        let index = TextIndex::new(text.into());
        let docs: Vec<_> =
            index.items.iter().map(|i| i.doc.as_ref().map(|d| index.words(d)).unwrap_or_default()).collect();
        assert_eq!(docs, ["one\ntwo", "", "c", "d"]);
        assert_eq!(index.comments.len(), 7);
    }

    #[test]
    fn a_comment_that_never_ends() {
        for text in ["%* a\nb.", "a. %* b c", "a :- %* b\n, c.\nd.", "% a\n%* b", "p(%*\n"] {
            let index = TextIndex::new(text.into());
            assert!(index.comments.iter().all(|c| c.start <= c.end && c.end <= text.len()), "{text}");
        }
    }

    #[test]
    fn includes_and_parts() {
        let index =
            TextIndex::new("#include \"a b.lp\". #include <incmode>. a. #program p. b. #program q. c".into());
        assert_eq!(index.includes, [Include { path: "a b.lp".into(), range: 9..17 }]);
        let parts: Vec<_> = index.items.iter().map(|i| (i.kind, i.part)).collect();
        let (i, f, p) = (ItemKind::Include, ItemKind::Fact, ItemKind::Part);
        assert_eq!(parts, [(i, 0), (i, 0), (f, 0), (p, 1), (f, 1), (p, 2), (ItemKind::Broken, 2)]);
    }
}
