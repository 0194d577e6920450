//! What can be read, never holds, and is written by who knows another language: a variable that is to get a new value, a number
//! compared with a term, a literal beside its negation, functions that there are not, `1-4` for `1..4`.
//!
//! Invariant: nothing here depends on other statements but for which names are constants.

use super::habits::{ALWAYS_HOLDS, NEVER_HOLDS, NO_FUNCTION, dash};
use super::single::arity;
use super::whole::Known;
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::map::Set;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_syntax::ast::*;
use asp_syntax::print;
use asp_syntax::walk::Parts;

/// `p :- p, q.`
const HEAD_IN_BODY: WarningKind = WarningKind::Lint("head-in-body");
/// `p :- q, not p.`
const SELF_DENIAL: WarningKind = WarningKind::Lint("self-denial");

/// Functions of other languages, and what is written here.
const FUNCTIONS: [(&str, usize, &str); 10] = [
    ("abs", 1, "the absolute value is written `|X|`"),
    ("min", 1, "the least is an aggregate: `Z = #min { X : p(X) }`"),
    ("max", 1, "the greatest is an aggregate: `Z = #max { X : p(X) }`"),
    ("min", 2, "the least is an aggregate: `Z = #min { X; Y }`"),
    ("max", 2, "the greatest is an aggregate: `Z = #max { X; Y }`"),
    ("mod", 2, "the remainder is written `X \\ Y`"),
    ("div", 2, "division is written `X / Y`"),
    ("pow", 2, "a power is written `X ** Y`"),
    ("sqr", 1, "a square is written `X ** 2`"),
    ("sqrt", 1, "there are no roots: write `R*R <= X, X < (R+1)*(R+1)` with a domain for `R`"),
];

/// All lints on a statement; `compared` are the literals that may be comparisons.
pub(super) fn check(
    parts: &Parts<'_>,
    compared: &[&Literal],
    known: &Known<'_>,
    symbols: &Symbols,
    found: &mut Vec<Diagnostic>,
) {
    for literal in compared {
        let LiteralKind::Comparison(first, rest) = &literal.kind else { continue };
        let terms = std::iter::once(first).chain(rest.iter().map(|(_, t)| t));
        terms.clone().for_each(|t| function(t, known, symbols, found));
        let mut left = first;
        for (relation, right) in rest {
            pair(literal, left, *relation, right, known, symbols, found);
            left = right;
        }
    }
    // Who computes in the body means a term in the head.
    let computes = parts.body.iter().any(|e| matches!(e.kind, BodyElementKind::Aggregate { .. }));
    for (literal, _) in parts.head.iter().filter(|_| !computes).flat_map(|head| head.derived()) {
        if let LiteralKind::Atom(atom) = &literal.kind {
            atom.terms().for_each(|t| function(t, known, symbols, found));
        }
    }
    let literal = |e: &'_ BodyElement| matches!(e.kind, BodyElementKind::Literal(_));
    let body: Vec<&Literal> =
        parts.body.iter().filter(|e| literal(e)).flat_map(BodyElement::literals).collect();
    // Of a pool or an interval, two literals of the same text may mean two atoms.
    let atoms = body.iter().filter(|l| matches!(&l.kind, LiteralKind::Atom(a) if is_one(a)));
    let denied: Vec<(&Literal, String)> = atoms
        .clone()
        .filter(|l| l.sign == Sign::Not)
        .map(|l| (*l, print::plain_literal(l, symbols).trim_start_matches("not ").to_string()))
        .collect();
    if let Some(head) = parts.head
        && let HeadKind::Literal(head) = &head.kind
        && head.sign == Sign::None
        && let LiteralKind::Atom(own) = &head.kind
    {
        let same = |l: &&&Literal| match &l.kind {
            LiteralKind::Atom(a) => {
                l.sign == Sign::None
                    && a.name == own.name
                    && print::plain_literal(l, symbols) == print::plain_literal(head, symbols)
            }
            _ => false,
        };
        if let Some(same) = atoms.clone().find(same) {
            let message = "this rule derives nothing: its body needs its own head";
            let told = Diagnostic::warning(HEAD_IN_BODY, same.span, message).label(head.span, "");
            found.push(told.help("perhaps another variable is meant, or another predicate"));
        }
    }
    if denied.is_empty() {
        return;
    }
    for (denied, text) in &denied {
        let same = |l: &&&Literal| l.sign == Sign::None && print::plain_literal(l, symbols) == *text;
        if let Some(same) = atoms.clone().find(same) {
            let message = "this body never holds: it wants an atom to hold and not to hold";
            found.push(Diagnostic::warning(NEVER_HOLDS, denied.span, message).label(same.span, ""));
        }
    }
    if let Some(head) = parts.head
        && let HeadKind::Literal(head) = &head.kind
        && head.sign == Sign::None
        && matches!(head.kind, LiteralKind::Atom(_))
        && let Some((denied, _)) =
            denied.iter().find(|(_, text)| *text == print::plain_literal(head, symbols))
    {
        let message = "a rule that denies its own head derives nothing: it is a constraint";
        let told = Diagnostic::info(SELF_DENIAL, denied.span, message);
        found.push(
            told.help("if it is meant as one, write `:-` and the rest of the body; else name an exception"),
        );
    }
}

fn is_one(atom: &Atom) -> bool {
    let is_many = |t: &Term| match &t.kind {
        TermKind::Interval(..) | TermKind::Pool(_) => true,
        TermKind::Absolute(terms) => terms.len() > 1,
        TermKind::Function { args, .. } => args.len() > 1,
        _ => false,
    };
    atom.args.len() == 1 && !atom.terms().any(|t| t.walk().any(is_many))
}

fn number(t: &Term, symbols: &Symbols) -> Option<i64> {
    match &t.kind {
        TermKind::Symbol(s) => symbols.as_num(*s),
        _ => None,
    }
}

fn variable(t: &Term) -> Option<StrId> {
    if let TermKind::Variable(name) = t.kind { Some(name) } else { None }
}

/// Whether a term is a number wherever it has a value: what is negated may be an atom's name.
fn is_number(t: &Term, symbols: &Symbols) -> bool {
    match &t.kind {
        TermKind::Unary(UnaryOp::Minus, t) => is_number(t, symbols),
        TermKind::Unary(..) | TermKind::Binary(..) => true,
        _ => number(t, symbols).is_some(),
    }
}

/// Two sides of a comparison.
fn pair(
    literal: &Literal,
    left: &Term,
    relation: Relation,
    right: &Term,
    known: &Known<'_>,
    symbols: &Symbols,
    found: &mut Vec<Diagnostic>,
) {
    if literal.sign != Sign::None {
        return;
    }
    let warn = |kind: WarningKind, text: String| Diagnostic::warning(kind, literal.span, text);
    for (one, relation, other) in [(left, relation, right), (right, relation.flip(), left)] {
        if let (Relation::Equal, TermKind::Binary(BinaryOp::Sub, a, b)) = (relation, &other.kind)
            && let (Some(a), Some(b), Some(_)) = (number(a, symbols), number(b, symbols), variable(one))
            && let Some(told) = dash(a, b, literal.span)
        {
            found.push(told);
            return;
        }
        if let (Relation::Equal, Some(name)) = (relation, variable(one))
            && let TermKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) = &other.kind
            // `Y = 4-Y` has a value.
            && let Some((_, rest)) = [(a, b), (b, a)]
                .into_iter()
                .take(if *op == BinaryOp::Add { 2 } else { 1 })
                .find(|(own, _)| variable(own) == Some(name))
            && number(rest, symbols) != Some(0)
        {
            let (name, sign) = (symbols.str(name), if *op == BinaryOp::Add { '+' } else { '-' });
            let only = match number(rest, symbols) {
                Some(_) => ", which is not another one".into(),
                None => format!(": this holds only where `{}` is 0", print::plain_term(rest, symbols)),
            };
            let told = warn(NEVER_HOLDS, format!("`{name}` has one value in a rule{only}"));
            found.push(told.help(format!(
                "a new value needs a variable of its own, as in `New = {name}{sign}{}`",
                print::plain_operand(rest, symbols)
            )));
            return;
        }
        if let TermKind::Function { name, args, external: false } = &one.kind
            && let [args] = &args[..]
            && !args.is_empty()
            && is_number(other, symbols)
            && !(known.is_defined)(*name, args.len() as u32 + 1)
            && !known.variables.contains(&(*name, args.len() as u32))
            && !FUNCTIONS.iter().any(|f| f.0 == symbols.str(*name))
            && relation != Relation::NotEqual
        {
            let told = match relation {
                Relation::Equal => warn(NEVER_HOLDS, "a number is never equal to such a term".into()),
                Relation::Greater | Relation::GreaterEqual => {
                    warn(ALWAYS_HOLDS, "this always holds: each number is less than such a term".into())
                }
                _ => warn(NEVER_HOLDS, "this never holds: each number is less than such a term".into()),
            };
            let term = print::plain_term(one, symbols);
            let inner = term.strip_suffix(')').unwrap_or(&term);
            let value = print::plain_term(other, symbols);
            let sign = relation.as_str();
            let help = match (known.is_defined)(*name, args.len() as u32) {
                true => format!(
                    "`{term}` holds or does not; how many atoms hold is bounded behind the braces: `{{ ... }} {sign} {value}`"
                ),
                false if relation != Relation::Equal => format!(
                    "there are no functions with values; a value is an argument of an atom: `{inner},V), V {sign} {value}`"
                ),
                false => format!("there are no functions with values; an atom says it: `{inner},{value})`"),
            };
            found.push(told.help(help));
            return;
        }
    }
    if let (Some(a), Some(b)) = (variable(left), variable(right))
        && a == b
        && matches!(relation, Relation::NotEqual | Relation::Less | Relation::Greater)
    {
        found.push(warn(NEVER_HOLDS, "a value is never different from itself".into()));
    }
}

/// Whether other languages compute with terms like that.
fn computes(t: &Term, symbols: &Symbols) -> bool {
    match &t.kind {
        TermKind::Variable(_) | TermKind::Binary(..) => true,
        TermKind::Symbol(s) => matches!(symbols.view(*s), SymView::Num(_)),
        _ => false,
    }
}

/// The functions of other languages that are terms of facts, of atoms in bodies, or of atoms in heads with more than numbers.
pub fn data<'a>(
    statements: impl Iterator<Item = &'a Statement>,
    facts: impl Iterator<Item = Sym>,
    symbols: &Symbols,
) -> Set<(StrId, u32)> {
    let known = |(name, arity, _): &(&str, usize, &str)| Some((symbols.find_name(name)?, *arity as u32));
    let wanted: Set<(StrId, u32)> = FUNCTIONS.iter().filter_map(known).collect();
    let mut found: Set<(StrId, u32)> = Set::default();
    if wanted.is_empty() {
        return found;
    }
    let args = |term: Sym| match symbols.view(term) {
        SymView::Fun { args, .. } | SymView::Tuple(args) => args,
        _ => &[],
    };
    for fact in facts {
        let mut terms: Vec<Sym> = args(fact).to_vec();
        while let Some(term) = terms.pop() {
            if let SymView::Fun { name, args, .. } = symbols.view(term) {
                found.extend(Some((name, args.len() as u32)).filter(|f| wanted.contains(f)));
            }
            terms.extend(args(term));
        }
    }
    for (atom, in_body) in statements.flat_map(atoms) {
        for t in atom.terms().flat_map(Term::walk) {
            if let TermKind::Function { name, args, external: false } = &t.kind
                && let [args] = &args[..]
                && (in_body || !args.iter().all(|t| computes(t, symbols)))
            {
                found.extend(Some((*name, args.len() as u32)).filter(|f| wanted.contains(f)));
            }
        }
    }
    found
}

/// The constants and functions that are arguments of facts or terms in atoms, with their arities.
pub fn terms<'a>(
    statements: impl Iterator<Item = &'a Statement>,
    facts: impl Iterator<Item = Sym>,
    symbols: &Symbols,
) -> Set<(StrId, u32)> {
    let function = |term: Sym| match symbols.view(term) {
        SymView::Fun { name, args, .. } => Some((name, args.len() as u32)),
        _ => None,
    };
    let mut found: Set<(StrId, u32)> = Set::default();
    for fact in facts {
        if let SymView::Fun { args, .. } = symbols.view(fact) {
            found.extend(args.iter().filter_map(|&arg| function(arg)));
        }
    }
    for (atom, _) in statements.flat_map(atoms) {
        found.extend(atom.terms().flat_map(Term::walk).filter_map(|t| match &t.kind {
            TermKind::Symbol(s) => function(*s),
            TermKind::Function { name, args, external: false } => Some((*name, arity(args))),
            _ => None,
        }));
    }
    found
}

/// The atoms of a statement's body and heads, and whether each is in the body.
fn atoms(statement: &Statement) -> impl Iterator<Item = (&Atom, bool)> {
    let parts = statement.kind.parts();
    let body = parts.body.iter().flat_map(BodyElement::literals).map(|l| (l, true));
    let heads = parts.head.into_iter().flat_map(|head| head.derived()).map(|(l, _)| (l, false));
    body.chain(heads).filter_map(|(literal, in_body)| match &literal.kind {
        LiteralKind::Atom(atom) => Some((atom, in_body)),
        _ => None,
    })
}

/// The call of a function that there is not, somewhere in a term of a comparison or head.
fn function(t: &Term, known: &Known<'_>, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    for t in t.walk() {
        let TermKind::Function { name, args, external: false } = &t.kind else { continue };
        let [args] = &args[..] else { continue };
        let is_it = |f: &&(&str, usize, &str)| f.0 == symbols.str(*name) && f.1 == args.len();
        if let Some((_, _, help)) = FUNCTIONS.iter().find(is_it)
            && args.iter().all(|t| computes(t, symbols))
            && !known.data.contains(&(*name, args.len() as u32))
        {
            let written: Vec<String> = args.iter().map(|t| print::plain_term(t, symbols)).collect();
            let text =
                format!("`{}({})` is a term, and computes nothing", symbols.str(*name), written.join(","));
            found.push(Diagnostic::warning(NO_FUNCTION, t.span, text).help(*help));
        }
    }
}
