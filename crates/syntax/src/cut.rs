//! The tokens of one statement, up to its period or the bracket after it.
//!
//! Invariant: a statement ends at the first period, whatever brackets are open, or before a token that can only start a
//! statement, so that an error never spreads to the next one. Text that is no token is reported here.

use super::error::{End, nearest_directive};
use super::lexer::Lexer;
use super::token::{LexError, Token};
use asp_base::diagnostic::Diagnostic;
use asp_base::span::Span;

/// Cuts the tokens of one statement off the lexer's stream.
pub struct Cut<'t, 'v> {
    /// The text that statements are cut from.
    pub text: &'t str,
    /// The position of its first byte.
    pub start: u32,
    /// Positions of bytes that were replaced because they are not UTF-8.
    pub bad: &'v [usize],
    /// Where the tokens go.
    pub tokens: &'v mut Vec<(u32, Token, u32)>,
    /// The first error, if any; the statement is then not parsed.
    pub error: Option<Diagnostic>,
}

impl<'t> Cut<'t, '_> {
    fn span(&self, lo: usize, hi: usize) -> Span {
        Span::new(self.start + lo as u32, self.start + hi as u32)
    }

    /// Reads the tokens of the next statement: none at the end of the text.
    pub fn statement(&mut self, lexer: &mut Lexer<'t>) -> End {
        self.tokens.clear();
        lexer.start_statement();
        // Whether the period has been read and a bracket follows.
        let mut in_bracket = false;
        while let Some((lo, token, hi)) = lexer.next_token() {
            let token = match token {
                Ok(token) => token,
                Err(error) => {
                    self.lex_error(lexer, error, lo, hi);
                    continue;
                }
            };
            if token.starts_statement() && !self.tokens.is_empty() {
                *lexer = Lexer::new(self.text, lo);
                return End::Before(self.span(lo, hi));
            }
            let next = self.text.as_bytes().get(hi).copied();
            if token == Token::Slash && matches!(next, Some(b'/' | b'*')) {
                if next == Some(b'/') && self.divides(lo) {
                    let error = Diagnostic::error(self.span(lo, lo + 2), "integers are divided by one sign");
                    self.fail(error.caption("perhaps `/` is meant here"));
                    *lexer = Lexer::new(self.text, lo + 2);
                    continue;
                }
                self.foreign_comment(lexer, lo, next == Some(b'*'));
                if self.tokens.is_empty() {
                    return End::Complete;
                }
                continue;
            }
            if token == Token::Dot && self.is_decimal(lo, next) {
                self.fail(
                    Diagnostic::error(self.span(lo, hi), "there are no decimal fractions")
                        .help("scale the numbers to integers"),
                );
                continue;
            }
            if token == Token::UnknownDirective {
                self.unknown_directive(lo, hi);
            }
            if token == Token::String && !self.bad.is_empty() {
                self.check_string(lo, hi);
            }
            self.tokens.push((self.start + lo as u32, token, self.start + hi as u32));
            match token {
                Token::Dot if in_bracket => return End::Complete,
                Token::Dot => {
                    let first = self.tokens.first().map(|t| t.1);
                    let continues = matches!(
                        first,
                        Some(Token::Weak | Token::External | Token::Heuristic | Token::Const)
                    );
                    let mut ahead = lexer.clone();
                    if !continues || !matches!(ahead.next_token(), Some((_, Ok(Token::OpenBracket), _))) {
                        return End::Complete;
                    }
                    in_bracket = true;
                }
                Token::CloseBracket if in_bracket => return End::Complete,
                Token::Question if lexer.clone().next_token().is_none() => {
                    if let Some(last) = self.tokens.last_mut() {
                        last.1 = Token::Query;
                    }
                    return End::Complete;
                }
                Token::CloseParen if self.tokens.len() == 4 && self.tokens[0].1 == Token::Script => {
                    match lexer.script_text() {
                        Some((lo, token, hi)) => {
                            self.tokens.push((self.start + lo as u32, token, self.start + hi as u32));
                        }
                        None => {
                            let first = self.tokens[0];
                            let span = Span::new(first.0, first.2);
                            self.fail(
                                Diagnostic::error(span, "this script has no end")
                                    .help("the text of a script ends with `#end.`"),
                            );
                        }
                    }
                }
                _ => {}
            }
        }
        End::File
    }

    fn fail(&mut self, d: Diagnostic) {
        self.error.get_or_insert(d);
    }

    /// Whether a period stands between digits inside parentheses, where no statement can end, or before a number that begins none.
    fn is_decimal(&self, lo: usize, next: Option<u8>) -> bool {
        let before = lo.checked_sub(1).map(|i| self.text.as_bytes()[i]);
        let digits = [before, next].iter().all(|b| b.is_some_and(|b| b.is_ascii_digit()));
        let rest = self.text[lo + 1..].trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
        let count = |kind| self.tokens.iter().filter(|t| t.1 == kind).count();
        digits
            && (rest.starts_with(['.', ',', ';', ')', ']', '}', '@'])
                || count(Token::OpenParen) > count(Token::CloseParen))
    }

    /// Whether `//` stands between two operands, as in `X//2 = 1`.
    fn divides(&self, lo: usize) -> bool {
        if !self.tokens.last().is_some_and(|t| t.1.ends_term()) {
            return false;
        }
        let rest = self.text[lo + 2..].trim_start_matches([' ', '\t']);
        let operand = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let after = operand.trim_start_matches([' ', '\t']);
        rest.starts_with('(')
            || operand.len() < rest.len()
                && after
                    .starts_with([',', '.', ';', ')', '}', ']', ':', '=', '<', '>', '!', '+', '-', '*', '/'])
    }

    /// `// ...` or `/* ... */`
    fn foreign_comment(&mut self, lexer: &mut Lexer<'t>, lo: usize, block: bool) {
        self.fail(Diagnostic::error(self.span(lo, lo + 2), "this is not how comments are written").help(
            "comments start with `%` and reach to the end of the line, or stand between `%*` and `*%`",
        ));
        let rest = &self.text[lo..];
        let end = if block { rest.find("*/").map(|i| i + 2) } else { rest.find('\n') };
        *lexer = Lexer::new(self.text, end.map_or(self.text.len(), |i| lo + i));
    }

    fn unknown_directive(&mut self, lo: usize, hi: usize) {
        let word = &self.text[lo..hi];
        let mut d = Diagnostic::error(self.span(lo, hi), format!("`{word}` is not known"));
        if matches!(word, "#avg" | "#average" | "#mean") {
            d = d.help("an average is a sum over a count: `S = #sum { W,X : p(X,W) }, N = #count { X : p(X,W) }, A = S/N`");
        } else if word == "#define" {
            d = d.help("a constant is defined by `#const name = 3.`; `#defined p/1.` says that `p` may have no rules");
        } else if word == "#domain" {
            d = d.help("variables have no domains of their own: each rule names its own, as in `p(X) :- n(X), q(X).`");
        } else if word == "#hide" {
            d = d.help("what is shown is told instead: `#show p/2.` shows the atoms of `p` with two arguments, `#show.` none");
        } else if let Some(near) = nearest_directive(word, self.tokens.is_empty()) {
            d = d.help(format!("did you mean `{near}`?"));
        }
        self.fail(d);
    }

    fn check_string(&mut self, lo: usize, hi: usize) {
        let next = self.bad.partition_point(|&b| b < lo);
        if let Some(&at) = self.bad.get(next).filter(|&&at| at < hi) {
            self.invalid_utf8(at);
        }
    }

    fn invalid_utf8(&mut self, at: usize) {
        let hi = at + char::REPLACEMENT_CHARACTER.len_utf8();
        self.fail(
            Diagnostic::error(self.span(at, hi), "the text is not UTF-8 here")
                .help("save the file in the encoding UTF-8; other bytes are allowed in comments only"),
        );
    }

    fn lex_error(&mut self, lexer: &mut Lexer<'t>, error: LexError, lo: usize, hi: usize) {
        if error == LexError::UnclosedComment {
            let d = Diagnostic::error(self.span(lo, lo + 2), "this comment is not closed")
                .help("comments that start with `%*` end with `*%` and may be nested; `%` inside them reaches to the end of its line");
            self.fail(d);
            *lexer = Lexer::new(self.text, self.text.len());
            return;
        }
        let rest = &self.text[lo..];
        let Some(c) = rest.chars().next() else { return };
        if c == '"' {
            self.bad_string(lexer, lo);
            return;
        }
        let hi = hi.max(lo + c.len_utf8());
        let end = lo + c.len_utf8();
        if c == char::REPLACEMENT_CHARACTER && self.bad.binary_search(&lo).is_ok() {
            self.invalid_utf8(lo);
            return;
        }
        let shown = if c.is_control() { format!("U+{:04X}", c as u32) } else { format!("`{c}`") };
        let mut d = Diagnostic::error(self.span(lo, end.min(hi)), format!("unexpected character {shown}"));
        d = match c {
            '!' if rest[1..].trim_start().starts_with(['.', ',']) => {
                d.help("there is no cut: the order of rules and literals plays no role")
            }
            '!' => d.help("default negation is written `not`, \"not equal\" `!=`"),
            '\'' => d.help("strings are written in double quotes"),
            '#' => {
                d.help("a directive's name follows its `#` at once, as in `#show`; comments start with `%`")
            }
            '\0' => d.help("this looks like a binary file"),
            '\u{201c}' | '\u{201d}' | '\u{201e}' => {
                d.help("strings are written in straight double quotes: `\"...\"`")
            }
            '\u{2212}' | '\u{2013}' => d.help("minus is written `-`"),
            '\u{2264}' => d.help("\"at most\" is written `<=`"),
            '\u{2265}' => d.help("\"at least\" is written `>=`"),
            '\u{2260}' => d.help("\"not equal\" is written `!=`"),
            '\u{ac}' => d.help("default negation is written `not`, classical negation `-`"),
            '\u{2190}' => d.help("rules are written `head :- body.`"),
            '\u{2227}' => d.help("the elements of a body are separated by `,`"),
            '\u{2228}' => d.help("alternatives of a head are separated by `;`"),
            c if c.is_alphabetic() => d.help(
                "names are made of a-z, A-Z, 0-9, `_` and `'`; strings may have any letter, as in `\"Zoë\"`",
            ),
            '\u{a0}' => d.help("this is a no-break space; use an ordinary one"),
            _ => d,
        };
        self.fail(d);
    }

    /// A quote that starts no string: unclosed, or with a bad escape inside.
    fn bad_string(&mut self, lexer: &mut Lexer<'t>, lo: usize) {
        let bytes = self.text.as_bytes();
        let mut at = lo + 1;
        let mut bad_escape = None;
        while at < bytes.len() && bytes[at] != b'\n' && bytes[at] != b'"' {
            if bytes[at] == b'\\' {
                if !matches!(bytes.get(at + 1), Some(b'n' | b'"' | b'\\')) {
                    bad_escape.get_or_insert(at);
                }
                at += 1;
                if bytes.get(at) == Some(&b'\n') {
                    break;
                }
            }
            at += 1;
        }
        let closed = bytes.get(at) == Some(&b'"');
        let d = match bad_escape {
            Some(escape) if closed => {
                let c = self.text[escape + 1..].chars().next().unwrap_or(' ');
                let span = self.span(escape, escape + 1 + c.len_utf8());
                Diagnostic::error(span, format!("unknown escape `\\{}` in a string", c.escape_default()))
                    .help(
                        "a string may contain `\\n`, `\\\"` and `\\\\`; a backslash itself is written `\\\\`",
                    )
            }
            _ => Diagnostic::error(self.span(lo, lo + 1), "this string is not closed on its line")
                .help("strings end with `\"`; a line break inside is written `\\n`"),
        };
        self.fail(d);
        let mut next = if closed { at + 1 } else { at.min(bytes.len()) };
        while !self.text.is_char_boundary(next) {
            next += 1;
        }
        *lexer = Lexer::new(self.text, next);
    }
}
