//! Integer variables in plain comparisons: beside `&dom { 0..9 } = start(a).`, `start(a) < 3` is about a term, not about the variable.

use super::TERM_COMPARED;
use super::habits::{INTERVAL_DASH, dash};
use super::single::{empty_interval, is_computed, meaning, named, number, value};
use super::whole::Known;
use asp_base::diagnostic::Diagnostic;
use asp_base::map::Set;
use asp_base::symbol::{StrId, Symbols};
use asp_syntax::ast::*;
use asp_syntax::print;

/// Theory atoms whose elements begin with sums of variables.
const SUMS: [&str; 7] = ["sum", "nsum", "diff", "distinct", "minimize", "maximize", "count"];

/// Names and numbers of arguments of the variables that theory atoms speak of.
pub fn variables<'a>(
    statements: impl Iterator<Item = &'a Statement>,
    symbols: &Symbols,
) -> Set<(StrId, u32)> {
    let mut found = Set::default();
    for atom in statements.flat_map(Statement::theory_atoms) {
        match symbols.str(atom.name) {
            "dom" => atom.guard.iter().for_each(|(_, t)| add(t, &mut found)),
            name if SUMS.contains(&name) => {
                atom.elements.iter().filter_map(|e| e.tuple.first()).for_each(|t| add(t, &mut found));
            }
            _ => {}
        }
    }
    found
}

fn add(t: &TheoryTerm, found: &mut Set<(StrId, u32)>) {
    match &t.kind {
        TheoryTermKind::Constant(name) => {
            found.insert((*name, 0));
        }
        TheoryTermKind::Function(name, args) => {
            found.insert((*name, args.len() as u32));
        }
        TheoryTermKind::Unparsed(parts) => parts.iter().for_each(|(_, t)| add(t, found)),
        _ => {}
    }
}

/// Warns about `&dom { 0-9 } = x.`, `&dom { 0-n } = x.` and `&dom { 9..0 } = x.`
pub(super) fn domains(statement: &Statement, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    for atom in statement.theory_atoms().filter(|a| symbols.str(a.name) == "dom") {
        for term in atom.elements.iter().flat_map(|e| &e.tuple) {
            let TheoryTermKind::Unparsed(parts) = &term.kind else { continue };
            let number = |t: &TheoryTerm| match t.kind {
                TheoryTermKind::Symbol(s) => symbols.as_num(s),
                _ => None,
            };
            let [(first, a), (between, b)] = &parts[..] else { continue };
            if let (Some(0), [op], TheoryTermKind::Constant(end)) = (number(a), &between[..], &b.kind)
                && symbols.str(*op) == "-"
                && first.is_empty()
            {
                let end = symbols.str(*end);
                let told = Diagnostic::warning(INTERVAL_DASH, term.span, format!("`0-{end}` is one number"));
                found.push(told.help(format!("an interval is written `0..{end}`")));
            }
            if let (Some(a), [op], Some(b)) = (number(a), &between[..], number(b))
                && first.is_empty()
            {
                match symbols.str(*op) {
                    "-" => found.extend(dash(a, b, term.span)),
                    ".." if a > b => found.push(empty_interval((a, b), term.span)),
                    _ => {}
                }
            }
        }
    }
}

/// Warns about a weight that is a variable of theory atoms.
pub(super) fn weight(
    statement: &Statement,
    known: &Known<'_>,
    symbols: &Symbols,
    found: &mut Vec<Diagnostic>,
) {
    let StatementKind::Minimize { weight, body, maximize, .. } = &statement.kind else { return };
    let Some(term) = variable(weight, known).filter(|t| value(t, known).is_none()) else { return };
    let mut element = print::plain_term(weight, symbols);
    let condition: Vec<String> =
        body.iter().flat_map(BodyElement::literals).map(|l| print::plain_literal(l, symbols)).collect();
    if !condition.is_empty() {
        element = format!("{element} : {}", condition.join(", "));
    }
    let atom = if *maximize { "&maximize" } else { "&minimize" };
    let text = format!("`{}` is a term here, not the integer variable", print::plain_term(term, symbols));
    let caption = "a weight that is no number leaves out the tuple";
    let told = Diagnostic::warning(TERM_COMPARED, weight.span, text).caption(caption);
    found.push(told.help(format!("did you mean `{atom} {{ {element} }}.`?")));
}

/// Warns about a comparison of terms that are variables of theory atoms.
pub(super) fn compared(literal: &Literal, known: &Known<'_>, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    let LiteralKind::Comparison(first, rest) = &literal.kind else { return };
    let mut left = first;
    for (relation, right) in rest {
        let sides = [left, right];
        left = right;
        // Of the values of a predicate something else is said.
        if sides.iter().any(|t| value(t, known).is_some()) {
            continue;
        }
        let order = !matches!(relation, Relation::Equal | Relation::NotEqual);
        // A name may be compared with other names, and a variable may stand for it.
        let is_name = |t: &Term| {
            !is_computed(t) && !order && variable(t, known).is_none() && number(t, symbols).is_none()
        };
        let Some(term) = sides.iter().find_map(|t| variable(t, known)) else { continue };
        if sides.iter().any(|t| is_name(t)) {
            continue;
        }
        let written = print::plain_term(term, symbols);
        let text = format!("`{written}` is a term here, not the integer variable");
        let computed = sides.iter().any(|t| is_computed(t) && variable(t, known).is_some());
        let both = sides.iter().all(|t| variable(t, known).is_some());
        let now = meaning(computed, both, order);
        let mut elements = Vec::new();
        summands(sides[0], "", symbols, &mut elements);
        let help = format!(
            "did you mean `&sum {{ {} }} {} {}`?",
            elements.join("; "),
            relation.as_str(),
            print::plain_term(sides[1], symbols)
        );
        found.push(Diagnostic::warning(TERM_COMPARED, literal.span, text).caption(now).help(help));
        return;
    }
}

/// The first integer variable in a sum or product, or alone.
fn variable<'a>(t: &'a Term, known: &Known<'_>) -> Option<&'a Term> {
    named(t, known, &|name, args| match args {
        [] => known.variables.contains(&(name, 0)),
        [list] => known.variables.contains(&(name, list.len() as u32)),
        _ => false,
    })
}

/// The elements of the `&sum` that a term stands for.
fn summands(t: &Term, sign: &str, symbols: &Symbols, elements: &mut Vec<String>) {
    match &t.kind {
        TermKind::Binary(BinaryOp::Add, s, t) if sign.is_empty() => {
            summands(s, "", symbols, elements);
            summands(t, "", symbols, elements);
        }
        TermKind::Binary(BinaryOp::Sub, s, t) if sign.is_empty() => {
            summands(s, "", symbols, elements);
            summands(t, "-", symbols, elements);
        }
        _ if sign.is_empty() => elements.push(print::plain_term(t, symbols)),
        _ => elements.push(format!("{sign}{}", print::plain_operand(t, symbols))),
    }
}
