//! The atoms from which a picture is made: the facts of a program, and its shown symbols.
//!
//! The value 5 of an integer variable `start(a)` is an atom `start(a,5)`, made for the picture.
//! Invariant: an atom occurs once, classically negated ones never.

use asp_base::map::Set;
use asp_base::symbol::{Sym, Symbols};
pub use asp_picture::{Atom, Wanted, vocabulary};
use asp_program::ground_program::ShowItem;
use asp_program::integers::{self, ByEntry, ValueAtom};
use asp_program::rule::{Body, Head};
use asp_program::{AtomId, Literal, Program};
use asp_solve::Model;

/// The atoms that a constraint alone forbids: they are drawn nowhere, and make no grid larger.
fn forbidden(program: &Program) -> Set<AtomId> {
    let alone = program.rules.iter().filter_map(|rule| match (rule.head, rule.body) {
        (Head::Disjunction([]), Body::Normal(&[literal])) if !literal.is_neg() => Some(literal.atom()),
        _ => None,
    });
    alone.collect()
}

/// All facts of a program, as far as they were kept.
pub fn facts<'a>(program: &'a Program, symbols: &'a Symbols) -> Vec<Atom<'a>> {
    let table = &program.facts;
    let atoms = table.ids().filter_map(|id| table.get(id));
    let atoms = atoms.filter(|(signature, _)| !signature.negative);
    let mut all: Vec<Atom<'a>> =
        atoms.map(|(signature, args)| Atom { name: symbols.str(signature.name), args }).collect();
    if table.is_empty() {
        // Ground programs have no facts of their own; whatever is always shown is a fact, too.
        let always = program.shows.iter().filter(|s| program.literals(s.condition).is_empty());
        let terms = always.filter(|s| s.item.term().is_some());
        all.extend(terms.filter_map(|s| atom_of(program, symbols, s.item)));
    }
    all
}

fn atom_of<'a>(program: &'a Program, symbols: &'a Symbols, item: ShowItem) -> Option<Atom<'a>> {
    let (signature, args) = program.shown_atom(item, symbols).filter(|(signature, _)| !signature.negative)?;
    Some(Atom { name: symbols.str(signature.name), args })
}

fn holds(program: &Program, entry: usize, model: Option<&Model<'_>>) -> bool {
    model.is_none_or(|m| m.shows(entry, program.literals(program.shows[entry].condition)))
}

/// The values of the shown integer variables: either all possible ones, for variables with digits the least and the greatest, or
/// those of a model.
pub fn values_of(program: &Program, symbols: &Symbols, model: Option<&Model<'_>>) -> Vec<ValueAtom> {
    let by_entry = ByEntry::new(program, symbols);
    let entries = by_entry.entries().filter(|&(entry, ..)| holds(program, entry, model));
    let mut values: Vec<(Sym, i64)> = entries.map(|(_, name, value)| (name, value)).collect();
    for (number, known) in program.integers.variables.iter().enumerate().filter(|(_, known)| known.shown) {
        let Some(digits) = &known.digits else { continue };
        let ends = match model {
            None => known.domain.bounds(),
            Some(m) if m.shown.is_empty() => {
                let value = digits.value(|l| m.holds(l));
                Some((value, value))
            }
            // Of brave consequences, only a value that is the same in all answers can be drawn.
            Some(m) => m.ranges.get(number).copied().flatten().filter(|(least, greatest)| least == greatest),
        };
        let Some((least, greatest)) = ends else { continue };
        values.push((known.name, least));
        values.extend((least < greatest).then_some((known.name, greatest)));
    }
    integers::value_atoms(values, symbols)
}

/// The same as atoms.
pub fn as_atoms<'a>(values: &'a [ValueAtom], symbols: &'a Symbols) -> impl Iterator<Item = Atom<'a>> {
    values.iter().map(|(name, args)| Atom { name: symbols.str(*name), args })
}

/// Shown symbols other than values of integer variables, the `render_...` atoms, and the wanted predicate even if it is hidden:
/// either all that may hold, or those of a model.
pub fn atoms_of<'a>(
    program: &'a Program,
    symbols: &'a Symbols,
    wanted: Option<&Wanted>,
    model: Option<&Model<'_>>,
) -> Vec<Atom<'a>> {
    let mut found = Vec::new();
    let forbidden = if model.is_none() { forbidden(program) } else { Set::default() };
    let may_hold = |condition: &[Literal]| {
        condition.iter().all(|literal| literal.is_neg() || !forbidden.contains(&literal.atom()))
    };
    for (i, show) in program.shows.iter().enumerate() {
        if !show.item.is_of_integer()
            && holds(program, i, model)
            && may_hold(program.literals(show.condition))
        {
            found.extend(atom_of(program, symbols, show.item));
        }
    }
    let shown = found.len();
    let mine =
        |name: &str| name.starts_with(vocabulary::PREFIX) || wanted.is_some_and(|wanted| wanted.name == name);
    for (table, facts) in [(&program.facts, true), (&program.atoms, false)] {
        let signatures: Vec<bool> = table.signatures().iter().map(|s| mine(symbols.str(s.name))).collect();
        if !signatures.contains(&true) {
            continue;
        }
        for id in table.ids() {
            let Some((signature, args)) = table.get(id) else { continue };
            let name = symbols.str(signature.name);
            if !signature.negative && mine(name) && (facts || model.is_none_or(|m| m.contains(id))) {
                found.push(Atom { name, args });
            }
        }
    }
    if found.len() > shown {
        let mut seen = Set::default();
        found.retain(|atom| seen.insert((atom.name, atom.args)));
    }
    found
}
