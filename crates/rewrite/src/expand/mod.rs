//! Values of predicates and constraints over several terms, expanded: a pass over the syntax tree before all others.
//!
//! `$p(X)` is a variable `P` with the literal `p(X,P)`, which joins the condition of the element in which it stands, or else the
//! body: `$p(X)+1 <= $q :- d(X).` becomes `P+1 <= Q :- d(X); p(X,P); q(Q).` So an instance in which something has no value is
//! left out, as in arithmetic. A weight that is the only term of its tuple is a summand of its own: the tuple gets the
//! text of the weight and the variables. [`value`] does this; [`global`] expands `#distinct`, `#disjoint` and `#cumulative`.
//!
//! Invariant: the resulting statements contain none of these and mean the same; new variables differ from all others of the
//! statement; all spans are those of the text.

mod functions;
mod global;
mod kept;
mod reader;
mod rename;
#[cfg(test)]
mod tests;
mod theory;
mod value;

use crate::translate::scope::{Scope, name_globals};
use asp_base::diagnostic::{Diagnostic, Severity};
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_base::symbol::{StrId, Symbols};
use asp_syntax::ast::*;
use asp_syntax::print;
pub use kept::Changed;
use value::Values;

/// The name of auxiliary predicates, with a number: they hold when something starts.
const AUXILIARY: &str = "start";

/// Expands the statements of a program, one after the other.
#[derive(Default)]
pub struct Expander {
    /// The prefix of auxiliary predicates: `#` hides them from users.
    prefix: String,
    /// How many auxiliary predicates there are.
    auxiliaries: u32,
    /// Parameters of the program part.
    params: Vec<StrId>,
    /// How often each weight occurs in objectives.
    weights: Map<String, u32>,
    /// Where values stand.
    values: Set<Span>,
    /// Predicates with values: names and numbers of arguments.
    functions: Set<(StrId, usize)>,
}

/// The context within one statement.
struct Statements<'a> {
    expander: &'a mut Expander,
    symbols: &'a mut Symbols,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// All variables so far.
    names: Set<StrId>,
    /// Those of the rule's own level, in the order of the text.
    globals: Vec<StrId>,
    span: Span,
    out: Vec<Statement>,
}

impl Expander {
    /// An expander whose auxiliary predicates are unknown to users.
    pub fn hidden() -> Self {
        Self { prefix: "#".into(), ..Self::default() }
    }
    /// An expander whose auxiliary predicates users may write; they are none of these.
    pub fn visible(names: &Set<StrId>, symbols: &Symbols) -> Self {
        let mut prefix = String::new();
        while names.iter().any(|&n| symbols.str(n).starts_with(&format!("{prefix}{AUXILIARY}"))) {
            prefix.push('_');
        }
        Self { prefix, ..Self::default() }
    }

    /// Whether a value stands at a place.
    pub fn is_value(&self, span: Span) -> bool {
        self.values.contains(&span)
    }

    /// Whether values of a predicate occur.
    pub fn is_function(&self, name: StrId, arity: usize) -> bool {
        self.functions.contains(&(name, arity))
    }

    /// How many auxiliary predicates were made.
    pub fn auxiliaries(&self) -> u32 {
        self.auxiliaries
    }

    /// The expanded program; `None` if there is nothing to expand, or with errors.
    pub fn program(
        &mut self,
        program: &Program,
        symbols: &mut Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Program> {
        if !program.has_values {
            return None;
        }
        self.params.clear();
        let statements =
            program.statements.iter().flat_map(|s| self.statement(s, symbols, diagnostics)).collect();
        Some(Program {
            statements,
            facts: program.facts.clone(),
            fact_constants: program.fact_constants.clone(),
            unread: program.unread.clone(),
            has_values: false,
        })
    }

    /// The statements that one stands for.
    pub fn statement(
        &mut self,
        s: &Statement,
        symbols: &mut Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<Statement> {
        if let StatementKind::Part { params, .. } = &s.kind {
            self.params = params.iter().map(|p| p.0).collect();
        }
        if let StatementKind::Query(atom) = &s.kind {
            let value = |t: &&Term| matches!(t.kind, TermKind::Value { .. });
            if let Some(t) = atom.terms().flat_map(Term::walk).find(value) {
                let text = "a query cannot contain the value of a predicate";
                diagnostics
                    .push(Diagnostic::error(t.span, text).help("define an atom by a rule, and ask for that"));
            }
        }
        if !is_needed(s) {
            return vec![s.clone()];
        }
        let mut scope = Scope::default();
        name_globals(&s.kind, &mut scope);
        let mut globals: Vec<_> = scope.global.iter().map(|(&name, &v)| (v, name)).collect();
        globals.sort_unstable();
        let mut statements = Statements {
            names: value::names(&s.kind),
            globals: globals.into_iter().map(|g| g.1).collect(),
            span: s.span,
            expander: self,
            symbols,
            diagnostics,
            out: Vec::new(),
        };
        statements.expand(s.kind.clone());
        statements.out
    }
}

/// Whether a statement has to be expanded.
pub fn is_needed(s: &Statement) -> bool {
    value::occurs(&s.kind)
}

impl Statements<'_> {
    fn expand(&mut self, mut kind: StatementKind) {
        let mut values = Values::default();
        let is_constraint = is_constraint(&kind);
        let body = kind.body_mut().map(std::mem::take).unwrap_or_default();
        // The head of a constraint must not be broken.
        let mut broken = None;
        let mut out = Vec::new();
        for mut e in body {
            if let BodyElementKind::Global { sign: Sign::Not, atom } = &mut e.kind
                && is_constraint
                && broken.is_none()
            {
                broken = Some(atom.clone());
                continue;
            }
            self.body_element(&mut e, &mut values);
            values.flush(&mut out);
            out.push(e);
        }
        let parts = kind.parts_mut();
        if let Some(head) = parts.head {
            self.head(head, &mut values, &mut broken);
        }
        parts.atom.into_iter().for_each(|a| self.atom(a, &mut values));
        let weighs =
            |rows: &[Vec<&mut Term>]| rows.first().and_then(|r| r.first()).is_some_and(|t| value::is_in(t));
        let is_weighed = weighs(&parts.rows);
        let weight = parts.rows.first().and_then(|r| r.first()).map(|t| print::term(t, self.symbols));
        parts.rows.into_iter().flatten().for_each(|t| self.term(t, &mut values));
        if let (StatementKind::Minimize { tuple, .. }, Some(weight), true) = (&mut kind, weight, is_weighed)
            && tuple.is_empty()
        {
            let own = self.globals.clone().into_iter().chain(values.arguments.iter().copied());
            let own: Vec<StrId> = own.collect();
            let tag = tag(&weight, &mut self.expander.weights);
            tuple.push(self.string(&tag));
            tuple.extend(own.into_iter().map(|name| variable(name, self.span)));
            tuple.extend(self.params());
        }
        values.flush(&mut out);
        if let Some(atom) = broken {
            self.constraint(&atom, out);
            return;
        }
        if let Some(body) = kind.body_mut() {
            *body = out;
        }
        self.out.push(Statement { kind, span: self.span });
    }

    /// The parameters of the program part, as terms.
    fn params(&self) -> impl Iterator<Item = Term> + use<> {
        let span = self.span;
        let constant = move |name| TermKind::Function { name, args: vec![vec![]], external: false };
        self.expander.params.clone().into_iter().map(move |p| term(constant(p), span))
    }

    fn string(&mut self, text: &str) -> Term {
        term(TermKind::Symbol(self.symbols.string(text)), self.span)
    }

    /// A variable that occurs nowhere, named after something.
    fn fresh(&mut self, like: &str) -> StrId {
        fresh(like, &mut self.names, self.symbols)
    }

    fn error(&mut self, d: Diagnostic) {
        debug_assert!(d.severity == Severity::Error);
        self.diagnostics.push(d);
    }
}

/// A variable that is none of those known, named after something.
fn fresh(like: &str, names: &mut Set<StrId>, symbols: &mut Symbols) -> StrId {
    let start = like.find(|c| c != '_' && c != '\'').unwrap_or(0);
    let (before, rest) = like.split_at(start);
    let mut chars = rest.chars();
    let first = chars.next().map_or('V', |c| c.to_ascii_uppercase());
    let base = format!("{before}{first}{}", chars.as_str().trim_end_matches(|c: char| c.is_ascii_digit()));
    let mut number = 1u32;
    loop {
        let name = if number == 1 { base.clone() } else { format!("{base}{number}") };
        let name = symbols.intern(&name);
        if names.insert(name) {
            return name;
        }
        number += 1;
    }
}

/// Distinguishes a weight from others: its text, with a number from the second occurrence on.
fn tag(weight: &str, known: &mut Map<String, u32>) -> String {
    let text = weight.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(weight);
    let count = known.entry(text.to_string()).or_insert(0);
    *count += 1;
    if *count == 1 { text.to_string() } else { format!("{text} #{count}") }
}

/// Whether a statement has no head.
fn is_constraint(kind: &StatementKind) -> bool {
    let StatementKind::Rule { head, .. } = kind else { return false };
    let HeadKind::Literal(l) = &head.kind else { return false };
    matches!((&l.kind, l.sign), (LiteralKind::Boolean(false), Sign::None))
}

/// A term of shallow parts.
fn term(kind: TermKind, span: Span) -> Term {
    let mut t = Term { kind, span, depth: 1 };
    t.depth = 1 + parts_of(&t);
    t
}

/// The depth of the deepest part.
fn parts_of(t: &Term) -> u16 {
    match &t.kind {
        TermKind::Binary(_, a, b) => a.depth.max(b.depth),
        TermKind::Tuple(ts) | TermKind::Pool(ts) => ts.iter().map(|t| t.depth).max().unwrap_or(0),
        _ => 0,
    }
}

fn variable(name: StrId, span: Span) -> Term {
    term(TermKind::Variable(name), span)
}

fn binary(op: BinaryOp, a: Term, b: Term) -> Term {
    let span = a.span.to(b.span);
    term(TermKind::Binary(op, Box::new(a), Box::new(b)), span)
}

/// `a relation b`
fn compare(a: Term, relation: Relation, b: Term, span: Span) -> Literal {
    Literal { sign: Sign::None, kind: LiteralKind::Comparison(a, vec![(relation, b)]), span }
}

fn in_body(l: Literal) -> BodyElement {
    BodyElement { span: l.span, kind: BodyElementKind::Literal(l) }
}
