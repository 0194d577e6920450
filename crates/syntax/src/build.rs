//! The grammar's actions: they build trees from pieces of text and smaller trees.
//!
//! Invariant: no tree deeper than [`MAX_DEPTH`] is ever built, so the recursion of every later pass, and of dropping
//! the tree, is bounded.

mod theory;

use lalrpop_util::ParseError;

use super::ast::*;
use super::token::Token;
use asp_base::diagnostic::Diagnostic;
use asp_base::span::Span;
use asp_base::symbol::{self, StrId, Sym, Symbols};

/// The result of an action that can fail.
pub(crate) type Built<T> = Result<T, ParseError<u32, Token, Box<Diagnostic>>>;

/// The context of the grammar's actions.
pub(crate) struct Builder<'s> {
    /// The table for names and symbols.
    pub symbols: &'s mut Symbols,
    /// The text that is being parsed.
    pub text: &'s str,
    /// The position of its first byte.
    pub start: u32,
    /// Where finished statements go.
    pub statements: &'s mut Vec<Statement>,
    /// Set when something is built that has to be expanded.
    pub has_values: &'s mut bool,
}

/// A body element without its sign.
pub(crate) enum BodyHead {
    /// `l { ... } u`
    Set(Guards, Vec<ConditionalLiteral>),
    /// `l #sum { ... } u`
    Aggregate(AggregateFunction, Guards, Vec<BodyAggregateElement>),
    /// `&a { ... }`
    Theory(TheoryAtom),
    /// `#distinct { ... }` and the like
    Global(GlobalAtom),
}

impl BodyHead {
    pub(crate) fn element(self, sign: Sign, span: Span) -> BodyElement {
        let kind = match self {
            BodyHead::Set(guards, elements) => BodyElementKind::SetAggregate { sign, guards, elements },
            BodyHead::Aggregate(function, guards, elements) => {
                BodyElementKind::Aggregate { sign, function, guards, elements }
            }
            BodyHead::Theory(atom) => BodyElementKind::Theory { sign, atom },
            BodyHead::Global(atom) => BodyElementKind::Global { sign, atom },
        };
        BodyElement { kind, span }
    }
}

fn fail<T>(d: Diagnostic) -> Built<T> {
    Err(ParseError::User { error: Box::new(d) })
}

fn too_deep<T>(span: Span) -> Built<T> {
    let message = format!("terms may be nested at most {MAX_DEPTH} deep");
    fail(
        Diagnostic::error(span, message)
            .help("long sums and nested terms can be split over several rules or facts"),
    )
}

/// `s op t` under a span; a long sum is balanced. `None` if the term would be too deep.
pub fn balanced(op: BinaryOp, s: Term, t: Term, span: Span) -> Option<Term> {
    let node = |op, s: Box<Term>, t: Box<Term>, span| {
        let below = s.depth.max(t.depth);
        let term = || Term { kind: TermKind::Binary(op, s, t), span, depth: below + 1 };
        (below < MAX_DEPTH).then(term)
    };
    if s.depth < MAX_UNBALANCED_DEPTH {
        return node(op, Box::new(s), Box::new(t), span);
    }
    // A long sum: `(a + b) + c` is `a + (b + c)`; `c` joins `b` while `b` is the shallower side.
    match (s.kind, op) {
        (TermKind::Binary(inner @ (BinaryOp::Add | BinaryOp::Sub), a, b), BinaryOp::Add | BinaryOp::Sub)
            if b.depth + 1 < a.depth =>
        {
            let op = match (inner, op) {
                (BinaryOp::Add, op) => op,
                (_, BinaryOp::Add) => BinaryOp::Sub,
                _ => BinaryOp::Add,
            };
            let within = b.span.to(t.span);
            let b = balanced(op, *b, t, within)?;
            node(inner, a, Box::new(b), span)
        }
        (kind, op) => node(op, Box::new(Term { kind, ..s }), Box::new(t), span),
    }
}

/// The value of a number as written, if it fits.
pub(crate) fn parse_number(s: &str) -> Option<i64> {
    let (digits, radix) = match s.as_bytes() {
        [b'0', b'x', ..] => (&s[2..], 16),
        [b'0', b'o', ..] => (&s[2..], 8),
        [b'0', b'b', ..] => (&s[2..], 2),
        _ => (s, 10),
    };
    i64::from_str_radix(digits, radix).ok()
}

/// Sums that are deeper than this are balanced.
const MAX_UNBALANCED_DEPTH: u16 = 200;

/// The absolute value of the least integer: one more than the greatest integer.
const MIN_INTEGER_MAGNITUDE: &str = "9223372036854775808";

/// The error for a number that does not fit.
pub(crate) fn number_too_large(span: Span) -> Diagnostic {
    Diagnostic::error(span, "this integer does not fit 64 bits")
        .caption(format!("the largest is {}", i64::MAX))
}

impl Builder<'_> {
    /// The text between two positions.
    fn at(&self, l: u32, r: u32) -> &str {
        &self.text[(l - self.start) as usize..(r - self.start) as usize]
    }

    /// Whether the text of a term starts with a parenthesis.
    fn is_parenthesized(&self, t: &Term) -> bool {
        self.text.as_bytes().get((t.span.lo - self.start) as usize) == Some(&b'(')
    }

    /// Interns the text between two positions.
    pub(crate) fn name(&mut self, l: u32, r: u32) -> StrId {
        let text = &self.text[(l - self.start) as usize..(r - self.start) as usize];
        self.symbols.intern(text)
    }

    // ---- terms ----

    fn node(&self, l: u32, below: u16, kind: TermKind, r: u32) -> Built<Term> {
        if below >= MAX_DEPTH {
            return too_deep(Span::new(l, r));
        }
        Ok(Term { kind, span: Span::new(l, r), depth: below + 1 })
    }

    /// A term without parts.
    pub(crate) fn symbol(&self, l: u32, symbol: Sym, r: u32) -> Term {
        Term { kind: TermKind::Symbol(symbol), span: Span::new(l, r), depth: 1 }
    }
    pub(crate) fn number(&mut self, l: u32, r: u32) -> Built<Term> {
        let symbol = self.number_symbol(l, r)?;
        Ok(self.symbol(l, symbol, r))
    }
    fn number_symbol(&mut self, l: u32, r: u32) -> Built<Sym> {
        match parse_number(self.at(l, r)) {
            Some(n) => Ok(self.symbols.num(n)),
            // The sign comes later, in `unary`.
            None if self.at(l, r) == MIN_INTEGER_MAGNITUDE && self.is_negated(l) => {
                Ok(self.symbols.num(i64::MIN))
            }
            None => fail(number_too_large(Span::new(l, r))),
        }
    }
    /// Whether a minus sign before a position is a negation, not a subtraction.
    fn is_negated(&self, l: u32) -> bool {
        let before = self.text[..(l - self.start) as usize].trim_ascii_end();
        before.strip_suffix('-').is_some_and(|before| {
            let before = before.trim_ascii_end();
            let ends_operand = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '"' | ')' | '|');
            let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
            !before.ends_with(ends_operand) || word == Some("not")
        })
    }
    /// An integer that is an arity or a priority.
    pub(crate) fn small_number(&self, l: u32, r: u32) -> Built<u32> {
        match parse_number(self.at(l, r)).and_then(|n| u32::try_from(n).ok()) {
            Some(n) => Ok(n),
            None => fail(Diagnostic::error(Span::new(l, r), "this number is too large here")),
        }
    }
    fn string_symbol(&mut self, l: u32, r: u32) -> Sym {
        let text = &self.text[(l - self.start) as usize..(r - self.start) as usize];
        self.symbols.string(&symbol::unescape(text))
    }
    pub(crate) fn string(&mut self, l: u32, r: u32) -> Term {
        let symbol = self.string_symbol(l, r);
        self.symbol(l, symbol, r)
    }
    /// The contents of a string.
    pub(crate) fn unescaped(&self, l: u32, r: u32) -> String {
        symbol::unescape(self.at(l, r)).into_owned()
    }
    /// A named variable.
    pub(crate) fn variable(&mut self, l: u32, r: u32) -> Term {
        Term { kind: TermKind::Variable(self.name(l, r)), span: Span::new(l, r), depth: 1 }
    }
    /// `_`
    pub(crate) fn anonymous(&self, l: u32, r: u32) -> Term {
        Term { kind: TermKind::Anonymous, span: Span::new(l, r), depth: 1 }
    }
    /// A constant, function or external function.
    pub(crate) fn function(
        &self,
        l: u32,
        name: StrId,
        args: Vec<Vec<Term>>,
        external: bool,
        r: u32,
    ) -> Built<Term> {
        let below = args.iter().flatten().map(|t| t.depth).max().unwrap_or(0);
        self.node(l, below, TermKind::Function { name, args, external }, r)
    }
    /// `$p(...)`
    pub(crate) fn value(&mut self, l: u32, name: StrId, args: Vec<Vec<Term>>, r: u32) -> Built<Term> {
        *self.has_values = true;
        let below = args.iter().flatten().map(|t| t.depth).max().unwrap_or(0);
        self.node(l, below, TermKind::Value { name, args }, r)
    }
    /// `op t`
    pub(crate) fn unary(&self, l: u32, op: UnaryOp, t: Term) -> Built<Term> {
        let r = t.span.hi;
        if let (UnaryOp::Minus, TermKind::Symbol(symbol)) = (op, &t.kind)
            && self.at(t.span.lo, r) == MIN_INTEGER_MAGNITUDE
        {
            return Ok(self.symbol(l, *symbol, r));
        }
        self.node(l, t.depth, TermKind::Unary(op, Box::new(t)), r)
    }
    /// `s op t`
    pub(crate) fn binary(&self, op: BinaryOp, s: Term, t: Term) -> Built<Term> {
        let span = s.span.to(t.span);
        match balanced(op, s, t, span) {
            Some(term) => Ok(term),
            None => too_deep(span),
        }
    }
    /// `s..t`
    pub(crate) fn interval(&self, s: Term, t: Term) -> Built<Term> {
        let (l, r) = (s.span.lo, t.span.hi);
        self.node(l, s.depth.max(t.depth), TermKind::Interval(Box::new(s), Box::new(t)), r)
    }
    /// `|t|`
    pub(crate) fn absolute(&self, l: u32, ts: Vec<Term>, r: u32) -> Built<Term> {
        let below = ts.iter().map(|t| t.depth).max().unwrap_or(0);
        self.node(l, below, TermKind::Absolute(ts), r)
    }
    /// `(t)`, a tuple, or a pool of both.
    pub(crate) fn parenthesized(&self, l: u32, items: Vec<(Vec<Term>, bool, Span)>, r: u32) -> Built<Term> {
        let single = items.len() == 1;
        let mut terms = Vec::with_capacity(items.len());
        for (mut item, comma, span) in items {
            let span = if single { Span::new(l, r) } else { span };
            if item.len() == 1 && !comma {
                if let Some(mut t) = item.pop() {
                    t.span = span;
                    terms.push(t);
                }
                continue;
            }
            let below = item.iter().map(|t| t.depth).max().unwrap_or(0);
            terms.push(self.node(span.lo, below, TermKind::Tuple(item), span.hi)?);
        }
        if single && let Some(t) = terms.pop() {
            return Ok(t);
        }
        let below = terms.iter().map(|t| t.depth).max().unwrap_or(0);
        self.node(l, below, TermKind::Pool(terms), r)
    }

    // ---- atoms and literals ----

    /// Reads a term as an atom.
    pub(crate) fn atom(&self, t: Term) -> Built<Atom> {
        let span = t.span;
        let is_plain = |t: &Term| matches!(t.kind, TermKind::Function { external: false, .. });
        let not_atom = |t: &Term| {
            let is_comparison_like = matches!(t.kind, TermKind::Binary(..) | TermKind::Interval(..));
            let mut d = Diagnostic::error(span, "expected an atom or a comparison, found a term")
                .caption("this is neither true nor false");
            d = match &t.kind {
                TermKind::Variable(_) => {
                    d.help("a variable stands for a term; write it as an argument, as in `p(X)`")
                }
                TermKind::Value { .. } => {
                    d.help("`$p(X)` is the last argument of an atom; compare it, as in `$p(X) = 1`")
                }
                TermKind::Function { external: true, .. } => {
                    d.help("compare the result of the call, as in `@f(X) = 1`")
                }
                TermKind::Function { .. } | TermKind::Tuple(_) | TermKind::Pool(_) => {
                    d.help("atoms are written without parentheses around them")
                }
                TermKind::Unary(UnaryOp::Complement, _) => d.help("default negation is written `not`"),
                TermKind::Binary(BinaryOp::Sub, left, right) if is_plain(left) && is_plain(right) => {
                    d.help("a name has no hyphen, as in `bus_stop`")
                }
                _ if is_comparison_like => d.help("compare the term with another one, as in `X+1 = Y`"),
                _ => d,
            };
            fail(d)
        };
        if self.is_parenthesized(&t) {
            return not_atom(&t);
        }
        match t.kind {
            TermKind::Function { name, args, external: false } => {
                Ok(Atom { name, args, negative: false, span })
            }
            TermKind::Unary(UnaryOp::Minus, inner) if !self.is_parenthesized(&inner) => match inner.kind {
                TermKind::Function { name, args, external: false } => {
                    Ok(Atom { name, args, negative: true, span })
                }
                _ => not_atom(&inner),
            },
            _ => not_atom(&t),
        }
    }

    /// `#distinct { ... }` and the like: its elements have what it needs.
    pub(crate) fn global(
        &mut self,
        l: u32,
        kind: GlobalKind,
        elements: Vec<GlobalElement>,
        bound: Option<(Relation, Term)>,
        r: u32,
    ) -> Built<GlobalAtom> {
        *self.has_values = true;
        let name = kind.as_str();
        let example = match kind {
            GlobalKind::Distinct => "its elements are terms: `#distinct { $v(X) : p(X) }`",
            GlobalKind::Disjoint => {
                "its elements are starts and lengths: `#disjoint { $start(X)@D : job(X,D) }`"
            }
            GlobalKind::Cumulative => {
                "its elements are starts, lengths and amounts: `#cumulative { $start(X)@D,R : job(X,D,R) } <= 5`"
            }
        };
        let wrong = |span: Span, text: String| fail(Diagnostic::error(span, text).help(example));
        for e in &elements {
            match (kind, &e.duration, &e.amount) {
                (GlobalKind::Distinct, Some(t), _) => {
                    return wrong(t.span, format!("the elements of `{name}` have no length"));
                }
                (GlobalKind::Distinct | GlobalKind::Disjoint, _, Some(t)) => {
                    return wrong(t.span, format!("the elements of `{name}` have no amount"));
                }
                (GlobalKind::Disjoint | GlobalKind::Cumulative, None, _) => {
                    let end = Span::new(e.term.span.hi, e.term.span.hi);
                    return wrong(end, format!("an element of `{name}` needs a length: `@` and a term"));
                }
                _ => {}
            }
        }
        if let Some((relation, t)) = &bound
            && !matches!(relation, Relation::Less | Relation::LessEqual)
        {
            let text = format!("`{name}` has an upper bound: `<` or `<=`, not `{}`", relation.as_str());
            return wrong(Span::new(l, t.span.hi), text);
        }
        Ok(GlobalAtom { kind, elements, bound, span: Span::new(l, r) })
    }

    /// A body's conditional literal; one without a condition is a literal.
    pub(crate) fn body_conditional(&self, c: ConditionalLiteral) -> BodyElement {
        BodyElement { span: c.span, kind: BodyElementKind::Conditional(c) }
    }

    pub(crate) fn disjunction(&self, l: u32, mut elements: Vec<ConditionalLiteral>, r: u32) -> Head {
        let span = Span::new(l, r);
        let plain = elements.len() == 1 && elements.iter().all(|e| e.condition.is_empty());
        match if plain { elements.pop() } else { None } {
            Some(one) => Head { kind: HeadKind::Literal(one.literal), span },
            None => Head { kind: HeadKind::Disjunction(elements), span },
        }
    }

    /// The head of an integrity constraint.
    pub(crate) fn no_head(&self, l: u32, r: u32) -> Head {
        let span = Span::new(l, r);
        let literal = Literal { sign: Sign::None, kind: LiteralKind::Boolean(false), span };
        Head { kind: HeadKind::Literal(literal), span }
    }

    // ---- statements ----

    /// Adds a statement.
    pub(crate) fn push(&mut self, l: u32, kind: StatementKind, r: u32) {
        self.statements.push(Statement { kind, span: Span::new(l, r) });
    }

    /// `:~ body. [w@p,t]`
    pub(crate) fn weak(
        &self,
        (weight, priority, tuple): (Term, Option<Term>, Vec<Term>),
        body: Vec<BodyElement>,
    ) -> StatementKind {
        StatementKind::Minimize { weight, priority, tuple, body, maximize: false }
    }

    /// `#minimize { ... }`: a statement for each element.
    #[allow(clippy::type_complexity)]
    pub(crate) fn optimize(
        &mut self,
        l: u32,
        maximize: bool,
        elements: Vec<((Term, Option<Term>, Vec<Term>), Vec<Literal>, Span)>,
        r: u32,
    ) {
        let single = elements.len() == 1;
        for ((weight, priority, tuple), condition, span) in elements {
            let body = condition
                .into_iter()
                .map(|l| BodyElement { span: l.span, kind: BodyElementKind::Literal(l) })
                .collect();
            let kind = StatementKind::Minimize { weight, priority, tuple, body, maximize };
            let span = if single { Span::new(l, r) } else { span };
            self.statements.push(Statement { kind, span });
        }
    }

    /// The signature that a term `p/n` or `-p/n` denotes.
    fn signature(&self, t: &Term) -> Option<SignatureRef> {
        let TermKind::Binary(BinaryOp::Div, name, arity) = &t.kind else { return None };
        if self.is_parenthesized(t) || self.is_parenthesized(arity) {
            return None;
        }
        let TermKind::Symbol(arity) = arity.kind else { return None };
        let arity = u32::try_from(self.symbols.as_num(arity)?).ok()?;
        let (name, negative) = match &name.kind {
            TermKind::Unary(UnaryOp::Minus, inner) if !self.is_parenthesized(name) => (&**inner, true),
            _ => (&**name, false),
        };
        match &name.kind {
            TermKind::Function { name: id, external: false, .. }
                if self.at(name.span.lo, name.span.hi) == self.symbols.str(*id) =>
            {
                Some(SignatureRef { name: *id, arity, negative, span: t.span })
            }
            _ => None,
        }
    }

    /// `#show t.`
    pub(crate) fn show(&self, term: Term) -> StatementKind {
        // With a comment inside, it is a division, as in clingo, where a signature is one token.
        let commented = self.at(term.span.lo, term.span.hi).contains('%');
        match self.signature(&term).filter(|_| !commented) {
            Some(signature) => StatementKind::ShowSignature(signature),
            None => StatementKind::ShowTerm { term, body: Vec::new() },
        }
    }
    /// `#project t.`
    pub(crate) fn project(&self, term: Term) -> Built<StatementKind> {
        if let Some(signature) = self.signature(&term) {
            return Ok(StatementKind::ProjectSignature(signature));
        }
        Ok(StatementKind::ProjectAtom { atom: self.atom(term)?, body: Vec::new() })
    }
    /// `#defined t.`
    pub(crate) fn defined(&self, term: Term) -> Built<StatementKind> {
        match self.signature(&term) {
            Some(signature) => Ok(StatementKind::Defined(signature)),
            None => fail(
                Diagnostic::error(term.span, "expected a predicate with its arity")
                    .help("write `#defined name/arity.`, as in `#defined edge/2.`"),
            ),
        }
    }

    /// `#const n = t. [kind]`
    pub(crate) fn constant(
        &self,
        name: StrId,
        name_span: Span,
        value: Term,
        kind: Option<Span>,
    ) -> Built<StatementKind> {
        if let Some((span, what)) = not_constant(&value) {
            return fail(Diagnostic::error(span, format!("the value of a constant cannot contain {what}")));
        }
        let is_override = match kind.map(|k| (k, self.at(k.lo, k.hi))) {
            None | Some((_, "default")) => false,
            Some((_, "override")) => true,
            Some((k, other)) => {
                return fail(Diagnostic::error(
                    k,
                    format!("expected `default` or `override`, found `{other}`"),
                ));
            }
        };
        Ok(StatementKind::Const { name, name_span, value, is_override })
    }
}

/// The first subterm that a constant's value must not contain, and what it is.
fn not_constant(t: &Term) -> Option<(Span, &'static str)> {
    t.walk().find_map(|t| match &t.kind {
        TermKind::Variable(_) | TermKind::Anonymous => Some((t.span, "a variable")),
        TermKind::Value { .. } => {
            Some((t.span, "the value of a predicate, which differs between answer sets"))
        }
        TermKind::Interval(..) => Some((t.span, "an interval")),
        TermKind::Pool(_) => Some((t.span, "a pool")),
        TermKind::Absolute(ts) if ts.len() > 1 => Some((t.span, "a pool")),
        TermKind::Function { args, .. } if args.len() > 1 => Some((t.span, "a pool")),
        _ => None,
    })
}
