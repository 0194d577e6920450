//! The names of theory atoms that are constraints over integers, and which atoms count as such.

use std::collections::BTreeSet;

use crate::atom_table::AtomId;
use crate::ground_program::{Program, TheoryAtom, TheoryTerm, TheoryTermId};
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::map::Set;
use asp_base::span::Span;
use asp_base::symbol::Symbols;

/// Constraints whose name is the same wherever they stand.
const NAMES: [&str; 6] = ["dom", "distinct", "disjoint", "minimize", "maximize", "show"];
/// Constraints whose name in a ground program tells head from body, as `__sum_h`.
const SIDED: [&str; 7] = ["sum", "nsum", "diff", "cumulative", "count", "element", "table"];

/// The name of an atom of this theory; other theories may be there, too.
pub fn name_of<'a>(program: &Program, symbols: &'a Symbols, atom: &TheoryAtom) -> Option<&'a str> {
    text_of(program, symbols, atom).filter(|name| NAMES.contains(name) || is_sided(name))
}

/// The name of a theory atom.
fn text_of<'a>(program: &Program, symbols: &'a Symbols, atom: &TheoryAtom) -> Option<&'a str> {
    let name = match &program.theory.terms[atom.term.0 as usize] {
        TheoryTerm::Function(name, _) => *name,
        _ => atom.term,
    };
    let TheoryTerm::Symbol(name) = program.theory.terms[name.0 as usize] else { return None };
    Some(symbols.str(name))
}

/// Whether an atom is written as a domain: `&dom { 1..3; 5 } = x`.
pub fn is_domain(program: &Program, symbols: &Symbols, atom: &TheoryAtom) -> bool {
    let (theory, literal) = (&program.theory, |t: TheoryTermId| &program.theory.terms[t.0 as usize]);
    let is_text = |t: &TheoryTerm, text: &str| matches!(t, TheoryTerm::Symbol(s) if symbols.str(*s) == text);
    let is_range = |t: TheoryTermId| match literal(t) {
        TheoryTerm::Number(_) => true,
        TheoryTerm::Function(name, _) => ["..", "-"].iter().any(|o| is_text(literal(*name), o)),
        _ => false,
    };
    let mut elements = atom.elements.iter().map(|e| &theory.elements[e.0 as usize].terms[..]);
    text_of(program, symbols, atom) == Some("dom")
        && atom.guard.is_some_and(|(operator, _)| is_text(literal(operator), "="))
        && elements.all(|terms| matches!(*terms, [term, ..] if is_range(term)))
}

/// Whether only constraints over integers have this name in ground programs.
pub fn is_sided(name: &str) -> bool {
    let side = name.strip_prefix("__").and_then(|n| n.strip_suffix("_h").or_else(|| n.strip_suffix("_b")));
    side.is_some_and(|kind| SIDED.contains(&kind))
}

/// The name of an atom written like a constraint over integers, whether or not it is one.
pub fn written_name<'a>(program: &Program, symbols: &'a Symbols, atom: &TheoryAtom) -> Option<&'a str> {
    text_of(program, symbols, atom)
        .filter(|name| NAMES.contains(name) || SIDED.contains(name) || is_sided(name))
}

/// Recognises theory atoms from a ground program as constraints over integers, if one has a name that no other theory has,
/// or all have names of constraints, or one is a domain and none is a sum of another theory. The others belong to another
/// theory.
pub(crate) fn recognise(program: &mut Program, symbols: &Symbols) {
    let atoms = &program.theory.atoms;
    let mut names = atoms.iter().map(|atom| name_of(program, symbols, atom));
    let all = !atoms.is_empty() && names.clone().all(|name| name.is_some());
    let is_sum_of_another = |atom: &TheoryAtom| {
        let own = name_of(program, symbols, atom);
        own.is_none() && written_name(program, symbols, atom).is_some()
    };
    let has_domain = || {
        let found = atoms.iter().any(|atom| is_domain(program, symbols, atom));
        found && !atoms.iter().any(is_sum_of_another)
    };
    if all || names.any(|name| name.is_some_and(is_sided)) || has_domain() {
        program.theory.integers = true;
    }
}

/// A warning about theory atoms of a ground program that look like constraints over integers but are not taken for such.
pub fn look_alikes(program: &Program, symbols: &Symbols, is_text: bool) -> Option<Diagnostic> {
    if program.theory.integers {
        return None;
    }
    let names = program.theory.atoms.iter().filter_map(|atom| written_name(program, symbols, atom));
    let names: BTreeSet<&str> = names.collect();
    let names: Vec<String> = names.into_iter().map(|name| format!("`&{name}`")).collect();
    if names.is_empty() {
        return None;
    }
    if is_text {
        let message = format!(
            "{} constrains nothing: a `#theory` of this program defines it, so that it may hold or not",
            names.join(", ")
        );
        let help = "without the definition it is a constraint over integers, as for clingcon and clingo-dl";
        let own_theory = WarningKind::Lint("own-theory");
        return Some(Diagnostic::warning(own_theory, Span::NONE, message).help(help));
    }
    let message = format!(
        "theory atoms {} are not taken for constraints over integers: they may hold or not",
        names.join(", ")
    );
    let help = "if they are meant as such, solve the program that this one was made from, without a `#theory` for them";
    Some(Diagnostic::warning(WarningKind::Other, Span::NONE, message).help(help))
}

/// The atoms that demand constraints where they hold.
pub fn demands(program: &Program, symbols: &Symbols) -> Set<AtomId> {
    let is_head = |atom: &&TheoryAtom| {
        let name = name_of(program, symbols, atom).filter(|_| program.theory.integers);
        name.is_some_and(|name| !name.ends_with("_b"))
    };
    program.theory.atoms.iter().filter(is_head).filter_map(|atom| atom.atom).collect()
}
