//! Idioms of other languages (Prolog, Datalog, SQL, Python), and what to write here instead.
//!
//! Invariant: only statements that could not be read, or that do not mean what they seem to say, are reported; the
//! tokens alone decide, so that nothing depends on where the parser gave up.

mod braces;
mod legal;

use super::token::Token;
use asp_base::diagnostic::Diagnostic;
use asp_base::span::Span;

type Spanned = (u32, Token, u32);

/// The tokens of a statement with their texts.
pub(super) struct ForeignIdioms<'s> {
    /// The text of the file.
    pub(super) text: &'s str,
    /// The position of its first byte.
    pub(super) start: u32,
    pub(super) tokens: &'s [Spanned],
}

/// An idiom: its tokens and what to do.
struct Habit {
    span: Span,
    help: &'static str,
}

const QUERY: &str = "a query is written `p(X)?`, and `#show X : p(X).` shows what it would bind";

const RULE: &str = "rules are written `head :- body.`";

const NEW_VALUE: &str =
    "a variable has one value in a rule; a new one needs a variable of its own, as in `Y = X+1`";

/// Two or three adjacent tokens that form an operator elsewhere, and what to write here.
const OPERATORS: &[(&[Token], &str)] = &[
    (&[Token::Backslash, Token::Plus], "default negation is written `not`"),
    (&[Token::Backslash, Token::Equal], "\"not equal\" is written `!=`"),
    (&[Token::Equal, Token::Colon, Token::Equal], "\"equal\" is written `=`, also between numbers"),
    (&[Token::Equal, Token::Backslash, Token::Equal], "\"not equal\" is written `!=`, also between numbers"),
    (&[Token::GreaterEqual, Token::Equal], "\"at least\" is written `>=`"),
    (&[Token::LessEqual, Token::Equal], "\"at most\" is written `<=`"),
    (&[Token::Equal, Token::Equal], "\"equal\" is written `=`"),
    (&[Token::NotEqual, Token::Equal], "\"not equal\" is written `!=`"),
    (&[Token::Minus, Token::Greater], "rules are written from right to left: `head :- body.`"),
    (&[Token::Minus, Token::Colon], RULE),
    (&[Token::Minus, Token::If], RULE),
    (&[Token::Colon, Token::Anonymous], RULE),
    (&[Token::And, Token::And], "the elements of a body are separated by `,`"),
    (&[Token::Slash, Token::Equal], "\"not equal\" is written `!=`"),
    (&[Token::Slash, Token::Backslash], "the elements of a body are separated by `,`"),
    (
        &[Token::Backslash, Token::Slash],
        "alternatives of a head are separated by `;`; in a body, write a rule for each",
    ),
    (&[Token::Plus, Token::Plus], NEW_VALUE),
    (&[Token::Plus, Token::Equal], NEW_VALUE),
    (&[Token::Minus, Token::Equal], NEW_VALUE),
    (&[Token::Bar, Token::Bar], "alternatives of a head are separated by `;` or one `|`"),
];

/// Words that join two parts of a statement elsewhere, and what to write here.
const WORDS: &[(&str, &str)] = &[
    ("or", "alternatives of a head are separated by `;`; in a body, write a rule for each"),
    ("and", "the elements of a body are separated by `,`"),
    ("is", "a value is given to a variable by `=`, as in `X = Y+1`"),
    ("in", "a range is written `X = 1..9`, a choice of values `X = (a;b)`"),
    ("mod", "the remainder is written `\\`, as in `X \\ 2`"),
    ("div", "division is written `/`"),
    ("if", "rules are written `head :- body.`"),
    ("where", "rules are written `head :- body.`"),
    ("then", "rules are written from right to left: `head :- body.`"),
];

/// Words before a literal elsewhere, and what to write here.
const PREFIXES: &[(&str, &str)] = &[
    ("no", "default negation is written `not`"),
    ("non", "default negation is written `not`"),
    ("naf", "default negation is written `not`"),
    ("unless", "write `not` before the condition"),
    ("if", "the elements of a body are separated by `,`: `head :- body.`"),
    ("when", "the elements of a body are separated by `,`: `head :- body.`"),
    ("then", "rules are written from right to left: `head :- body.`"),
    ("else", "write another rule, with `not` before the condition"),
    ("for", "a body speaks of all values of its variables: `head(X) :- body(X).`"),
    (
        "forall",
        "a body speaks of all values of its variables; for all in one rule: `head :- holds(X) : body(X).`",
    ),
    ("exists", "a body holds if some values of its variables make it hold: write the literal alone"),
    ("select", QUERY),
    ("var", "variables need no declaration: they begin with a capital letter"),
    ("int", "there are no types; a domain is a predicate: `number(1..9).`"),
];

/// The most tokens of a pool that are examined.
const POOL: usize = 50;

const NO_BODY_HEAD: &str = "a rule has one `:-`; write another rule for the rest";

impl<'s> ForeignIdioms<'s> {
    fn slice(&self, i: usize) -> &'s str {
        let (lo, _, hi) = self.tokens[i];
        self.text.get((lo - self.start) as usize..(hi - self.start) as usize).unwrap_or("")
    }

    fn touch(&self, i: usize) -> bool {
        self.tokens[i].2 == self.tokens[i + 1].0
    }

    fn is(&self, i: usize, token: Token) -> bool {
        self.tokens.get(i).is_some_and(|t| t.1 == token)
    }

    fn span(&self, from: usize, to: usize) -> Span {
        Span::new(self.tokens[from].0, self.tokens[to].2)
    }

    /// Whether a value stands alone behind one that is compared: `X != 1, 2`.
    fn is_second_value(&self, i: usize) -> bool {
        let is = |place: Option<usize>, tokens: &[Token]| {
            place.and_then(|place| self.tokens.get(place)).is_some_and(|t| tokens.contains(&t.1))
        };
        let ends = self
            .tokens
            .get(i + 1)
            .is_none_or(|t| matches!(t.1, Token::Comma | Token::Semicolon | Token::Dot));
        ends && is(i.checked_sub(1), &[Token::Comma, Token::Semicolon])
            && is(i.checked_sub(2), &[self.tokens[i].1])
            && is(i.checked_sub(3), &[Token::Equal, Token::NotEqual])
    }

    /// Adds what was probably meant to the error of a statement that cannot be read; the error if there is nothing to add.
    pub(super) fn explain(&self, error: Diagnostic) -> Result<Diagnostic, Diagnostic> {
        // Once for all tokens, since there may be many.
        let first = |wanted: &[Token]| self.tokens.iter().position(|t| wanted.contains(&t.1));
        let (body, theory) = (first(&[Token::If]), first(&[Token::And, Token::Theory]));
        let habit = |i: usize| {
            let after = |place: Option<usize>| place.is_some_and(|place| place < i);
            self.habit(i, after(body), after(theory))
        };
        let Some(Habit { span, help }) = (0..self.tokens.len()).find_map(habit) else {
            return Err(error);
        };
        let mut error = error;
        error.help.clear();
        let primary = error.labels.first().map(|l| l.span);
        if primary.is_none_or(|p| p.hi < span.lo || span.hi < p.lo) {
            let word = self.text.get((span.lo - self.start) as usize..(span.hi - self.start) as usize);
            let is_not = matches!(word, Some("no" | "non" | "naf"));
            error = error.label(span, if is_not { "perhaps `not` is meant here" } else { "" });
        }
        Ok(error.help(help))
    }

    /// The idiom that starts at a token, in a body or not, and behind the sign of a theory atom or not.
    fn habit(&self, i: usize, in_body: bool, in_theory: bool) -> Option<Habit> {
        let found = |to: usize, help| Some(Habit { span: self.span(i, to), help });
        for (tokens, help) in OPERATORS {
            let last = i + tokens.len() - 1;
            let same = tokens.iter().enumerate().all(|(k, &token)| self.is(i + k, token));
            if same && (i..last).all(|k| self.touch(k)) {
                return found(last, help);
            }
        }
        if let Some((to, help)) = self.habit_of_braces(i, in_body).filter(|_| !in_theory) {
            return found(to, help);
        }
        match self.tokens[i].1 {
            Token::Colon if self.is(i + 1, Token::Equal) && self.touch(i) => {
                let help = if in_body || self.is(0, Token::Const) {
                    "\"equal\" is written `=`"
                } else {
                    "rules are written `head :- body.`"
                };
                found(i + 1, help)
            }
            Token::Bar if in_body && self.joins_atoms(i) => {
                found(i, "there is no \"or\" in a body: write a rule for each")
            }
            Token::Dots if self.is(i + 1, Token::Dot) && self.touch(i) => {
                found(i + 1, "an interval is written with two dots: `1..9`")
            }
            Token::Dots if i > 0 && self.is(i - 1, Token::Comma) => {
                found(i, "an interval stands between two numbers, without a comma: `1..9`")
            }
            Token::Colon if self.is(i + 1, Token::Number) && self.is_argument(i) => {
                found(i, "an interval is written with two dots: `1..9`")
            }
            Token::OpenParen if in_body && self.groups_condition(i) => found(
                i,
                "a literal with a condition has no parentheses: `p(X) : q(X)`, and a `;` where more follows",
            ),
            Token::OpenParen if in_body && self.groups(i) => found(
                i,
                "a body has no parentheses around literals: `,` means \"and\", and for \"or\" there is a rule for each",
            ),
            Token::Colon
                if i > 0
                    && self.is(i - 1, Token::CloseParen)
                    && matches!(
                        self.tokens.get(i + 1).map(|t| t.1),
                        Some(Token::Variable | Token::Number)
                    )
                    && matches!(
                        self.tokens.get(i + 2).map(|t| t.1),
                        Some(Token::CloseBrace | Token::Semicolon | Token::Comma)
                    ) =>
            {
                found(i, "terms stand before the colon and atoms behind it, as in `#max { S : at(_,S) }`")
            }
            Token::CloseBrace if self.is(i + 1, Token::At) => {
                found(i + 1, "the priority stands behind each weight: `#minimize { W@2,X : p(X,W) }.`")
            }
            Token::Identifier if i > 0 && self.slice(i).starts_with('\'') && self.is(0, Token::Include) => {
                found(i, "the name of a file stands in double quotes: `\"file.lp\"`")
            }
            Token::Identifier if self.is(i + 1, Token::Identifier) && self.in_arguments(i) => found(
                i + 1,
                "a name is one word, as `anna_maria`; a text with blanks stands in double quotes: `\"anna maria\"`",
            ),
            Token::Number | Token::String if self.is_second_value(i) => found(
                i,
                if self.is(i - 3, Token::Equal) {
                    "one of several values is a pool, as `X = (1;2)`; each comparison is written whole, as `X != 1, X != 2`"
                } else {
                    "each comparison is written whole, as `X != 1, X != 2`; one of several values is a pool, as `X = (1;2)`"
                },
            ),
            Token::Colon if self.is(i + 1, Token::Minus) && !self.touch(i) && !in_body => {
                found(i + 1, "rules are written `head :- body.`, with no space within the `:-`")
            }
            Token::Count | Token::Sum | Token::SumPlus | Token::Min | Token::Max
                if i > 1 && self.is(i - 1, Token::OpenParen) && self.is(i - 2, Token::Identifier) =>
            {
                found(
                    i,
                    "an aggregate is no term; its value gets a name in a body: `total(S) :- S = #sum { W,X : p(X,W) }.`",
                )
            }
            Token::Semicolon if in_theory && !in_body && self.in_pool(i) => found(
                i,
                "theory terms have no pools; a body makes an atom for each: `&dom { 1..9 } = X :- X = (a;b;c).`",
            ),
            Token::Less if self.is_arrow(i) && !in_body => found(i + 1, "rules are written `head :- body.`"),
            Token::If if in_body => found(i, NO_BODY_HEAD),
            Token::Minus if i == 0 && self.is(1, Token::Minus) && self.touch(0) => {
                found(1, "comments start with `%` and reach to the end of the line")
            }
            Token::Question if i == 0 => found(0, QUERY),
            Token::Variable | Token::Number | Token::CloseParen if self.remainder(i) => {
                found(i, "`%` starts a comment; a remainder is written `\\`, as in `X \\ 2`")
            }
            Token::Dot if i == 0 && self.rest(0).starts_with(char::is_alphabetic) => {
                found(0, "a directive starts with `#`, as in `#show p/1.`; predicates need no declaration")
            }
            Token::OpenBracket if i == 0 && self.tokens.iter().any(|t| t.1 == Token::CloseBracket) => found(
                0,
                "a weight in brackets belongs to a weak constraint, which begins with `:~`: `:~ p(X,W). [W,X]`",
            ),
            Token::OpenBracket if self.is(0, Token::Weak) => {
                found(i, "a `.` stands before the weight: `:~ p(X,W). [W,X]`")
            }
            Token::Number if self.is(i + 1, Token::Variable) && self.touch(i) => {
                found(i + 1, "a product is written with `*`, as in `2*X`")
            }
            Token::Variable if i == 1 && self.is(0, Token::Const) => {
                found(1, "the name of a constant begins with a small letter: `#const n = 3.`")
            }
            Token::Not
                if i > 0
                    && matches!(self.tokens[i - 1].1, Token::OpenParen | Token::Comma)
                    && matches!(
                        self.tokens.get(i + 1).map(|t| t.1),
                        Some(Token::Comma | Token::CloseParen | Token::Semicolon)
                    ) =>
            {
                found(i, "`not` is a keyword and no name: write `neg`, or `\"not\"` in quotes")
            }
            Token::Not
                if i > 0
                    && matches!(self.tokens[i - 1].1, Token::OpenParen | Token::Comma)
                    && self.is(i + 1, Token::Variable)
                    && matches!(
                        self.tokens.get(i + 2).map(|t| t.1),
                        Some(Token::Comma | Token::CloseParen)
                    ) =>
            {
                found(
                    i,
                    "`not` stands before an atom, not before a term: write another rule or literal for what else holds",
                )
            }
            Token::Sum | Token::SumPlus | Token::Count if i == 0 && self.lists_atoms() => found(
                0,
                "a constraint begins with `:-` and says what must not be: `:- #sum { W,X : p(X), w(X,W) } > 8.`",
            ),
            // Brackets belong after the period of a weak constraint or a heuristic, and in theory atoms.
            Token::OpenBracket if !in_theory && i.checked_sub(1).is_none_or(|p| !self.is(p, Token::Dot)) => {
                found(
                    i,
                    "there are no lists: write a tuple `(a,b,c)`, a function `cons(Head,Tail)`, or a fact for each element",
                )
            }
            Token::Identifier if i == 0 && self.slice(0) == "let" && self.is(2, Token::Equal) => {
                found(0, "a constant is defined by `#const n = 3.`")
            }
            Token::Identifier if i == 0 && self.directive() => found(
                0,
                "a directive starts with `#`, as in `#show p/1.`, `#const n = 3.` and `#include \"file.lp\".`",
            ),
            Token::Identifier => self.word(i).or_else(|| self.two_words(i)),
            Token::Variable if matches!(self.slice(i), "True" | "False") => found(
                i,
                "truth values are written `#true` and `#false`; a predicate is true or false by itself",
            ),
            _ => None,
        }
    }

    /// Whether the statement starts with the name of a directive, without its `#`, and what the directive is about.
    fn directive(&self) -> bool {
        let name = matches!(
            self.slice(0),
            "show"
                | "hide"
                | "const"
                | "include"
                | "external"
                | "defined"
                | "project"
                | "program"
                | "minimize"
                | "maximize"
        );
        let about = self.tokens.get(1).map(|t| t.1);
        name && matches!(about, Some(Token::Identifier | Token::Variable | Token::Number | Token::String))
    }

    /// The tokens in a parenthesis that begins a literal, each with the number of parentheses around it.
    fn group(&self, i: usize) -> impl Iterator<Item = (usize, Token)> {
        let begins = i > 0
            && matches!(
                self.tokens[i - 1].1,
                Token::If | Token::Comma | Token::Semicolon | Token::Not | Token::Colon
            );
        let mut depth = 0usize;
        self.tokens[i..].iter().map_while(move |t| {
            match t.1 {
                Token::OpenParen => depth += 1,
                Token::CloseParen => depth -= 1,
                _ => {}
            }
            (begins && depth > 0).then_some((depth, t.1))
        })
    }

    /// Whether a parenthesis that begins a literal has literals in it: one with a sign or a comparison.
    fn groups(&self, i: usize) -> bool {
        self.group(i).any(|(_, token)| {
            matches!(
                token,
                Token::Not
                    | Token::Equal
                    | Token::NotEqual
                    | Token::Less
                    | Token::LessEqual
                    | Token::Greater
                    | Token::GreaterEqual
            )
        })
    }

    /// Whether a parenthesis that begins a literal has a literal with a condition in it.
    fn groups_condition(&self, i: usize) -> bool {
        self.group(i).any(|t| t == (1, Token::Colon))
    }

    /// Whether a comma stands behind the only `:`, and no `:-` anywhere.
    fn lists_atoms(&self) -> bool {
        let mut behind = self.tokens.iter().skip_while(|t| t.1 != Token::Colon).skip(1);
        !self.tokens.iter().any(|t| t.1 == Token::If)
            && behind.clone().any(|t| t.1 == Token::Comma)
            && behind.all(|t| t.1 != Token::Colon)
    }

    /// Whether a `|` stands between the end of one atom and the beginning of another.
    fn joins_atoms(&self, i: usize) -> bool {
        let ends = i > 0 && matches!(self.tokens[i - 1].1, Token::CloseParen | Token::Identifier);
        let begins = self.is(i + 1, Token::Identifier) || self.is(i + 1, Token::Not);
        // Between bars stands an absolute value.
        ends && begins && self.tokens.iter().filter(|t| t.1 == Token::Bar).count() == 1
    }

    /// Whether a token stands behind a parenthesis that is open, a few tokens before.
    fn in_pool(&self, i: usize) -> bool {
        let mut closed = 0usize;
        for t in self.tokens[..i].iter().rev().take(POOL) {
            match t.1 {
                Token::OpenParen if closed == 0 => return true,
                Token::OpenParen => closed -= 1,
                Token::CloseParen => closed += 1,
                Token::OpenBrace | Token::CloseBrace => return false,
                _ => {}
            }
        }
        false
    }

    /// Whether a token stands in the arguments of an atom: behind an open parenthesis or a `,` there.
    fn in_arguments(&self, i: usize) -> bool {
        i > 1 && matches!(self.tokens[i - 1].1, Token::OpenParen) && self.is(i - 2, Token::Identifier)
    }

    /// Whether a number before a token is an argument, or the beginning of one.
    fn is_argument(&self, i: usize) -> bool {
        i > 1
            && self.is(i - 1, Token::Number)
            && matches!(self.tokens[i - 2].1, Token::OpenParen | Token::Comma)
            && self.in_pool(i)
    }

    /// The two words of a name at the beginning of a statement: `bus stop(a)`.
    fn two_words(&self, i: usize) -> Option<Habit> {
        let is_name =
            i == 0 && self.is(1, Token::Identifier) && self.is(2, Token::OpenParen) && self.touch(1);
        let gap = self.rest(0).trim_start_matches(' ');
        // `.decl` is none.
        let begins = !self.text[..(self.tokens[0].0 - self.start) as usize].ends_with('.');
        (is_name && begins && gap.starts_with(|c: char| !c.is_whitespace()))
            .then(|| Habit { span: self.span(0, 1), help: "a name is one word, as `bus_stop`" })
    }

    /// The text after a token.
    fn rest(&self, i: usize) -> &'s str {
        self.text.get((self.tokens[i].2 - self.start) as usize..).unwrap_or("")
    }

    /// Whether a comment after a term reads like a division: `X % 2 = 0`.
    fn remainder(&self, i: usize) -> bool {
        let comment = self.rest(i).trim_start_matches([' ', '\t']).strip_prefix('%');
        comment.is_some_and(|c| {
            let operand = c.trim_start_matches([' ', '\t']);
            let number = operand.trim_start_matches(|c: char| c.is_ascii_digit());
            number.len() < operand.len()
                && number.trim_start().starts_with(['=', '<', '>', '!', ',', '.', ')'])
        })
    }

    /// An arrow `<-` before an atom.
    fn is_arrow(&self, i: usize) -> bool {
        self.is(i, Token::Less) && self.is(i + 1, Token::Minus) && self.touch(i)
    }

    /// A word that is an operator elsewhere, or an aggregate without its `#`.
    fn word(&self, i: usize) -> Option<Habit> {
        let word = self.slice(i);
        if let Some(help) = self.aggregate(i) {
            return Some(Habit { span: self.span(i, i), help });
        }
        // Between the end of one part and the beginning of another.
        let ends = |t: Token| {
            matches!(
                t,
                Token::Identifier | Token::Variable | Token::Number | Token::String | Token::CloseParen
            )
        };
        let starts = |t: Token| {
            let opens = matches!(t, Token::OpenParen | Token::OpenBrace | Token::Not | Token::Minus);
            opens || matches!(t, Token::Identifier | Token::Variable | Token::Number | Token::String)
        };
        let between =
            i > 0 && ends(self.tokens[i - 1].1) && self.tokens.get(i + 1).is_some_and(|t| starts(t.1));
        let begins = i == 0 || !ends(self.tokens[i - 1].1);
        let prefix = begins
            && matches!(self.tokens.get(i + 1)?.1, Token::Identifier | Token::Variable | Token::Minus)
            && !self.touch(i);
        let known = |(w, _): &&(&str, &str)| w.eq_ignore_ascii_case(word);
        let found = WORDS.iter().filter(|_| between).find(known);
        let (_, help) = found.or_else(|| PREFIXES.iter().filter(|_| prefix).find(known))?;
        Some(Habit { span: self.span(i, i), help })
    }

    /// The name of an aggregate without its `#` before a brace.
    fn aggregate(&self, i: usize) -> Option<&'static str> {
        if !self.is(i, Token::Identifier) || !self.is(i + 1, Token::OpenBrace) {
            return None;
        }
        // `&sum` is a theory atom.
        if i > 0 && self.is(i - 1, Token::And) {
            return None;
        }
        let help = match self.slice(i) {
            "count" => "the aggregate is written `#count { X : p(X) }`",
            "sum" => "the aggregate is written `#sum { W,X : p(X,W) }`",
            "min" => "the aggregate is written `#min { X : p(X) }`",
            "max" => "the aggregate is written `#max { X : p(X) }`",
            "minimize" | "minimise" => "the directive is written `#minimize { W,X : p(X,W) }.`",
            "maximize" | "maximise" => "the directive is written `#maximize { W,X : p(X,W) }.`",
            "dom" => "what integer variables may be is written `&dom { 0..9 } = x`",
            "diff" => "a difference of integer variables is written `&diff { x - y } <= 3`",
            "distinct" => "that integer variables differ is written `&distinct { x(I) : p(I) }`",
            "cumulative" => {
                "tasks that share a resource are written `&cumulative { x(T)@D,R : task(T,D,R) } <= 3`"
            }
            _ => return None,
        };
        Some(help)
    }
}
