//! Blanks between the tokens of a statement, and where its lines may be broken.
//!
//! Terms are written without blanks, `p(X+1,(a;b))`; literals, relations, colons and arrows have one on each side. The
//! meaning of an ambiguous token (`-`, `|`, `&`, `@`, `~`) depends on whether an operand precedes it.

use asp_syntax::token::Token;

/// An open bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Open {
    Paren,
    /// Braces; whether the colon of an element has been read.
    Brace(bool),
    Bracket,
    /// `|` of an absolute value.
    Bar,
}

/// The least rank of places inside brackets.
pub(crate) const INNER: u32 = 2;

/// How a token is spaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spacing {
    /// Whether a blank stands before it.
    pub blank: bool,
    /// If a line may be broken after it: the smaller, the better; below [`INNER`] outside all brackets.
    pub rank: Option<u32>,
    /// Whether a rule that does not fit on one line is broken after it.
    pub splits: bool,
}

/// How a token affects the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// The start, or an opening bracket: no blank follows.
    Tight,
    /// A comma or semicolon between terms.
    TightSeparator,
    /// The end of an operand.
    Operand,
    /// A word, relation, arrow, separator: a blank follows.
    Loose,
}

/// Decides how each token of a statement is spaced.
pub fn places(tokens: &[Token]) -> Vec<Spacing> {
    let mut places = Vec::with_capacity(tokens.len());
    let mut open: Vec<Open> = Vec::new();
    let mut role = Role::Tight;
    let is_include = tokens.first() == Some(&Token::Include);
    for (i, &token) in tokens.iter().enumerate() {
        let depth = open.len() as u32;
        let mut place = Spacing { blank: matches!(role, Role::Operand | Role::Loose), ..Spacing::default() };
        let operand = role == Role::Operand;
        role = match token {
            Token::Dot => {
                place.blank = false;
                Role::Loose
            }
            Token::Query => {
                place.blank = false;
                Role::Loose
            }
            Token::Comma | Token::Semicolon => {
                // In a theory atom `:;` would be one operator.
                place.blank = i > 0 && tokens[i - 1] == Token::Colon;
                let semicolon = token == Token::Semicolon;
                let loose = match open.last_mut() {
                    None => true,
                    Some(Open::Brace(colon)) => {
                        let loose = semicolon || *colon;
                        *colon &= !semicolon;
                        loose
                    }
                    Some(_) => false,
                };
                place.rank = Some(2 * depth + u32::from(!semicolon) + if loose { 0 } else { 2 });
                if loose { Role::Loose } else { Role::TightSeparator }
            }
            Token::If => {
                place.splits = i > 0;
                Role::Loose
            }
            Token::Colon => {
                if let Some(Open::Brace(colon)) = open.last_mut() {
                    *colon = true;
                }
                place.blank |= i > 0;
                Role::Loose
            }
            Token::OpenParen => {
                // After a name it opens arguments; `not (` and `#edge (` are words.
                let name = i > 0 && operand && matches!(tokens[i - 1], Token::Identifier | Token::Variable);
                place.blank &= !name;
                open.push(Open::Paren);
                Role::Tight
            }
            Token::OpenBracket => {
                open.push(Open::Bracket);
                Role::Tight
            }
            Token::OpenBrace => {
                open.push(Open::Brace(false));
                Role::Loose
            }
            Token::CloseParen | Token::CloseBracket => {
                place.blank = false;
                open.pop();
                Role::Operand
            }
            Token::CloseBrace => {
                place.blank = i > 0 && tokens[i - 1] != Token::OpenBrace;
                open.pop();
                Role::Operand
            }
            Token::Bar if operand && open.last() == Some(&Open::Bar) => {
                place.blank = false;
                open.pop();
                Role::Operand
            }
            Token::Bar if operand => {
                place.rank = Some(2 * depth);
                Role::Loose
            }
            Token::Bar => {
                open.push(Open::Bar);
                Role::Tight
            }
            Token::Minus | Token::Tilde | Token::At | Token::And if !operand => Role::Tight,
            Token::Dollar => Role::Tight,
            Token::Plus
            | Token::Minus
            | Token::Star
            | Token::StarStar
            | Token::Slash
            | Token::Backslash
            | Token::And
            | Token::Question
            | Token::Caret
            | Token::Tilde
            | Token::At
            | Token::Dots => {
                place.blank = false;
                Role::Tight
            }
            // The brackets of `#include <name>`.
            Token::Less if is_include => Role::Tight,
            Token::Greater if is_include => {
                place.blank = false;
                Role::Operand
            }
            Token::TheoryOperator if !operand => {
                // Two adjacent operators would be read as one.
                let next = tokens.get(i + 1);
                if next == Some(&Token::TheoryOperator) { Role::Loose } else { Role::Tight }
            }
            Token::Identifier
            | Token::Variable
            | Token::Anonymous
            | Token::Number
            | Token::String
            | Token::Infimum
            | Token::Supremum => Role::Operand,
            _ => Role::Loose,
        };
        places.push(place);
    }
    places
}
