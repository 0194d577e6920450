//! The tokens of the input language, recognised by a generated automaton.
//!
//! Invariant: a token is its kind only; what it says is read from the text under its span, so that a buffer of tokens is
//! small and copying a token is free. Operators inside theory atoms are recognised by the lexer.

use logos::{FilterResult, Lexer, Logos};

/// Why the text at some place is no token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LexError {
    /// A character that no token starts with.
    #[default]
    Unexpected,
    /// `%*` without its `*%`.
    UnclosedComment,
}

/// The kinds of tokens.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[logos(error = LexError)]
#[logos(skip(r"[ \t\r\n]+"))]
#[logos(skip("%([^*\n][^\n]*)?", allow_greedy = true))]
pub enum Token {
    /// `a`, `_a'b`; not `not`
    #[regex("[_']*[a-z][A-Za-z0-9_']*")]
    Identifier,
    /// `X`, `_X'`
    #[regex("[_']*[A-Z][A-Za-z0-9_']*")]
    Variable,
    /// `_`
    #[token("_")]
    Anonymous,
    /// `12`, `0x1F`, `0o17`, `0b101`
    #[regex("0|[1-9][0-9]*|0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+")]
    Number,
    /// `"..."` with `\n`, `\\` and `\"`
    #[regex(r#""([^"\\\n]|\\["\\n])*""#)]
    String,
    /// `not`
    #[token("not")]
    Not,
    /// `.`
    #[token(".")]
    Dot,
    /// `..`
    #[token("..")]
    Dots,
    /// `,`
    #[token(",")]
    Comma,
    /// `;`
    #[token(";")]
    Semicolon,
    /// `:`
    #[token(":")]
    Colon,
    /// `:-`
    #[token(":-")]
    If,
    /// `:~`
    #[token(":~")]
    Weak,
    /// `(`
    #[token("(")]
    OpenParen,
    /// `)`
    #[token(")")]
    CloseParen,
    /// `{`
    #[token("{")]
    OpenBrace,
    /// `}`
    #[token("}")]
    CloseBrace,
    /// `[`
    #[token("[")]
    OpenBracket,
    /// `]`
    #[token("]")]
    CloseBracket,
    /// `|`
    #[token("|")]
    Bar,
    /// `@`
    #[token("@")]
    At,
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Star,
    /// `**`
    #[token("**")]
    StarStar,
    /// `/`
    #[token("/")]
    Slash,
    /// `\`
    #[token("\\")]
    Backslash,
    /// `&`
    #[token("&")]
    And,
    /// `?`
    #[token("?")]
    Question,
    /// `^`
    #[token("^")]
    Caret,
    /// `~`
    #[token("~")]
    Tilde,
    /// `<`
    #[token("<")]
    Less,
    /// `<=`
    #[token("<=")]
    LessEqual,
    /// `>`
    #[token(">")]
    Greater,
    /// `>=`
    #[token(">=")]
    GreaterEqual,
    /// `=` or `==`
    #[token("=")]
    #[token("==")]
    Equal,
    /// `!=` or `<>`
    #[token("!=")]
    #[token("<>")]
    NotEqual,
    /// `#count`
    #[token("#count")]
    Count,
    /// `#sum`
    #[token("#sum")]
    Sum,
    /// `#sum+`
    #[token("#sum+")]
    SumPlus,
    /// `#min`
    #[token("#min")]
    Min,
    /// `#max`
    #[token("#max")]
    Max,
    /// `$`
    #[token("$")]
    Dollar,
    /// `#distinct`
    #[token("#distinct")]
    Distinct,
    /// `#disjoint`
    #[token("#disjoint")]
    Disjoint,
    /// `#cumulative`
    #[token("#cumulative")]
    Cumulative,
    /// `#show`
    #[token("#show")]
    Show,
    /// `#project`
    #[token("#project")]
    Project,
    /// `#defined`
    #[token("#defined")]
    Defined,
    /// `#external`
    #[token("#external")]
    External,
    /// `#heuristic`
    #[token("#heuristic")]
    Heuristic,
    /// `#edge`
    #[token("#edge")]
    Edge,
    /// `#const`
    #[token("#const")]
    Const,
    /// `#include`
    #[token("#include")]
    Include,
    /// `#program`
    #[token("#program")]
    Program,
    /// `#theory`
    #[token("#theory")]
    Theory,
    /// `#script`
    #[token("#script")]
    Script,
    /// `#minimize`, `#minimise`
    #[token("#minimize")]
    #[token("#minimise")]
    Minimize,
    /// `#maximize`, `#maximise`
    #[token("#maximize")]
    #[token("#maximise")]
    Maximize,
    /// `#true`
    #[token("#true")]
    True,
    /// `#false`
    #[token("#false")]
    False,
    /// `#inf`, `#infimum`
    #[token("#inf")]
    #[token("#infimum")]
    Infimum,
    /// `#sup`, `#supremum`
    #[token("#sup")]
    #[token("#supremum")]
    Supremum,
    /// `#` and a name that means nothing
    #[regex("#[A-Za-z_][A-Za-z0-9_]*", priority = 1)]
    UnknownDirective,
    /// The text of a script with its `#end`; made by the lexer.
    ScriptText,
    /// An operator inside a theory atom or theory definition; made by the lexer.
    TheoryOperator,
    /// The `?` that ends a query; made by the lexer.
    Query,
    /// `%* ... *%`; skipped.
    #[token("%*", block_comment)]
    BlockComment,
}

fn block_comment(lexer: &mut Lexer<'_, Token>) -> FilterResult<Token, LexError> {
    match block_comment_end(lexer.remainder()) {
        Some(n) => {
            lexer.bump(n);
            FilterResult::Skip
        }
        None => FilterResult::Error(LexError::UnclosedComment),
    }
}

/// Length of what is left of a block comment after its `%*`. Comments nest, and a `%` inside starts a comment to the
/// end of its line, as everywhere.
pub fn block_comment_end(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let (mut at, mut depth) = (0, 1usize);
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'%', Some(b'*')) => {
                depth += 1;
                at += 2;
            }
            (b'*', Some(b'%')) => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            (b'%', _) => at += bytes[at..].iter().position(|&b| b == b'\n')?,
            _ => at += 1,
        }
    }
    None
}

/// The words that begin with `#`, as written above: the derived automaton does not list its words.
pub fn words() -> impl Iterator<Item = &'static str> {
    let tokens = include_str!("token.rs")
        .lines()
        .filter_map(|l| l.trim().strip_prefix("#[token(\"")?.strip_suffix("\")]"));
    tokens.filter(|word| word.starts_with('#'))
}

impl Token {
    /// Whether the elements in the braces behind it are tuples with conditions.
    pub(crate) fn has_tuples(self) -> bool {
        use Token::*;
        matches!(self, Count | Sum | SumPlus | Min | Max | Minimize | Maximize)
    }

    /// Whether a term can end with it, so that an operator follows and not an operand.
    pub fn ends_term(self) -> bool {
        use Token::*;
        matches!(
            self,
            Identifier | Variable | Anonymous | Number | String | CloseParen | Bar | Infimum | Supremum
        )
    }

    /// Whether it can only be the first of a statement.
    pub(crate) fn starts_statement(self) -> bool {
        use Token::*;
        matches!(
            self,
            Weak | Show
                | Project
                | Defined
                | External
                | Heuristic
                | Edge
                | Const
                | Include
                | Program
                | Theory
                | Script
                | Minimize
                | Maximize
        )
    }
}
