//! Atoms as users write them in questions.
//!
//! Invariant: an atom's text is what the program prints for it.

use crate::inquiry::Inquiry;
use crate::matching::Matcher;
use crate::renderer::list;
use asp_base::span::Sources;
use asp_base::symbol::{StrId, SymView, Symbols};
use asp_control::Control;
use asp_syntax::ast::{BodyElement, BodyElementKind, LiteralKind, Sign, StatementKind, Term, TermKind};
use asp_syntax::{self as syntax, NoFiles};

/// What a claim about an integer variable, `x = 3` or `x >= 3`, has in place of the name of a predicate.
pub const VALUE: &str = "=";

/// The relations between an integer variable and a number that can be asked about, longer ones before their beginnings.
const RELATIONS: [&str; 7] = ["<=", ">=", "!=", "==", "=", "<", ">"];

/// The variable's name, the relation and the number of a claim as [`parse`] gives it.
pub fn claim(text: &str) -> Option<(&str, &str, &str)> {
    let mut parts = text.rsplitn(3, ' ');
    let (number, relation, name) = (parts.next()?, parts.next()?, parts.next()?);
    (RELATIONS.contains(&relation) && number.parse::<i64>().is_ok()).then_some((name, relation, number))
}

/// A claim about an integer variable as a user writes it, with single blanks around its relation.
fn compared(text: &str) -> Option<String> {
    let at = text.rfind(['=', '<', '>'])?;
    let relation = RELATIONS.iter().find(|r| text[..=at].ends_with(**r))?;
    let number: i64 = text[at + 1..].trim().parse().ok()?;
    let name = text[..=at].strip_suffix(relation)?.trim();
    let name = term(name.strip_prefix('$').unwrap_or(name))?;
    let relation = if *relation == "==" { "=" } else { relation };
    Some(format!("{name} {relation} {number}"))
}

/// Parses an atom, or a claim about an integer variable: its text as the program prints it, its name and its arity; the error is
/// a message.
pub fn parse(text: &str) -> Result<(String, String, usize), String> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Err("expected an atom, such as p(1,a)".into());
    }
    if let Some(atom) = trimmed.strip_prefix("not ") {
        return Err(format!(
            "`{trimmed}` is not an atom; `asp why-not '{}'` asks why it does not hold",
            atom.trim()
        ));
    }
    if let Some(claim) = compared(trimmed) {
        return Ok((claim, VALUE.into(), 2));
    }
    let mut symbols = Symbols::new();
    let mut parse = |fact: &str| {
        let input = vec![syntax::Input::new("<atom>", fact)];
        let parsed = syntax::parse(input, &mut symbols, &mut Sources::new(), &mut NoFiles);
        (parsed, symbols.clone())
    };
    let fact = format!("{}.", trimmed.trim_end_matches('.'));
    let (parsed, symbols) = parse(&fact);
    let told = match (parsed.program.facts.as_slice(), parsed.program.statements.as_slice()) {
        ([fact], []) if parsed.diagnostics.is_empty() => match symbols.view(fact.atom) {
            SymView::Fun { name, args, negative } => {
                let sign = if negative { "-" } else { "" };
                Some((symbols.display(fact.atom), format!("{sign}{}", symbols.str(name)), args.len()))
            }
            _ => return Err(format!("`{text}` is not an atom")),
        },
        // A computed term, such as -x.
        ([], [_]) if parsed.diagnostics.is_empty() => evaluated(&fact),
        _ => None,
    };
    // A number, string or tuple may be shown.
    let told = told.or_else(|| {
        let (parsed, symbols) = parse(&format!("p({trimmed})."));
        let [fact] = parsed.program.facts.as_slice() else { return None };
        let SymView::Fun { args: [term], .. } = symbols.view(fact.atom) else { return None };
        let is_term = !matches!(symbols.view(*term), SymView::Fun { name, .. } if name != StrId::EMPTY);
        (parsed.diagnostics.is_empty() && is_term).then(|| (symbols.display(*term), String::new(), 1))
    });
    told.ok_or_else(|| {
        format!("`{text}` is not a ground atom; write it as answer sets show it, such as p(1,a)")
    })
}

/// What can be asked about instead of an atom with variables: its instances that may hold; `None` if it is no such atom.
pub fn instances(inquiry: &Inquiry, text: &str) -> Option<String> {
    let mut matcher = Matcher::new(inquiry);
    matcher.widen();
    let input = vec![syntax::Input::new("<atom>", format!(":- {}.", text.trim()))];
    let parsed = syntax::parse(input, &mut matcher.symbols, &mut Sources::new(), &mut NoFiles);
    let [statement] = &parsed.program.statements[..] else { return None };
    let StatementKind::Rule { body, .. } = &statement.kind else { return None };
    let [BodyElement { kind: BodyElementKind::Literal(literal), .. }] = &body[..] else { return None };
    let LiteralKind::Atom(atom) = &literal.kind else { return None };
    let is_open = |term: &Term| matches!(term.kind, TermKind::Variable(_) | TermKind::Anonymous);
    if literal.sign != Sign::None || !atom.terms().flat_map(Term::walk).any(is_open) {
        return None;
    }
    let text = text.trim();
    let mut found = matcher.atoms(atom);
    found.sort_unstable();
    Some(match found.is_empty() {
        true => format!(
            "`{text}` is not a ground atom, and no rule derives an instance of it; write it without variables, such as p(1,a)"
        ),
        false => {
            format!(
                "`{text}` is not a ground atom; ask about one of its instances, such as {}",
                list(found, ", ")
            )
        }
    })
}

/// The text of a ground term as a program prints it.
fn term(text: &str) -> Option<String> {
    let mut symbols = Symbols::new();
    let input = vec![syntax::Input::new("<term>", format!("p({}).", text.trim()))];
    let parsed = syntax::parse(input, &mut symbols, &mut Sources::new(), &mut NoFiles);
    let ([fact], []) = (parsed.program.facts.as_slice(), parsed.program.statements.as_slice()) else {
        return None;
    };
    let SymView::Fun { args: &[term], .. } = symbols.view(fact.atom) else { return None };
    (parsed.diagnostics.is_empty() && symbols.as_num(term).is_none()).then(|| symbols.display(term))
}

/// The only atom of a program that consists of one fact.
fn evaluated(fact: &str) -> Option<(String, String, usize)> {
    let mut control = Control::new();
    control.set_loader(NoFiles);
    control.settings.ground.keep_facts = true;
    control.settings.ground.instance_limit = Some(2);
    control.add(fact);
    control.ground().ok()?;
    let (program, symbols) = (control.program(), control.symbols());
    let mut facts = program.facts.ids();
    let (atom, None, 0) = (facts.next()?, facts.next(), program.atoms.len()) else { return None };
    let (signature, args) = program.facts.get(atom)?;
    let mut text = String::new();
    program.facts.write(atom, symbols, &mut text);
    let sign = if signature.negative { "-" } else { "" };
    Some((text, format!("{sign}{}", symbols.str(signature.name)), args.len()))
}
