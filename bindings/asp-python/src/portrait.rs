//! Pictures of models.

use asp::Symbol;
use asp::symbol::{SymView, Symbols};
use asp_questions::portrait::{Named, Portrait};

use crate::code;
use crate::model::Model;

/// Hands on what a picture of a model is made from.
pub(crate) fn of<R>(model: &Model, draw: impl FnOnce(&Portrait<'_>) -> R) -> R {
    let mut symbols = Symbols::new();
    let mut bytes = Vec::new();
    let named = |symbols: &Symbols, term: Symbol| -> Option<Named> {
        let SymView::Fun { name, args, negative: false } = symbols.view(term) else { return None };
        match (symbols.str(name), args) {
            // The value 5 of the integer variable `start(a)` is drawn as `start(a,5)`.
            ("__csp", &[variable, value]) => match symbols.view(variable) {
                SymView::Fun { name, args, negative: false } => {
                    Some((symbols.str(name).into(), [args, &[value]].concat()))
                }
                _ => None,
            },
            (name, args) => Some((name.into(), args.to_vec())),
        }
    };
    let mut list = |entries: &mut dyn Iterator<Item = u32>, symbols: &mut Symbols| -> Vec<Named> {
        let atom = |entry| {
            bytes.clear();
            model.table.encode(entry, &mut bytes);
            code::decode(&bytes, symbols).and_then(|term| named(symbols, term))
        };
        entries.filter_map(atom).collect()
    };
    let mut holds = list(&mut model.holding(), &mut symbols);
    let mut possible = list(&mut model.table.all(), &mut symbols);
    for (name, value) in model.values() {
        let Some(term) = code::decode(name, &mut symbols) else { continue };
        let value = symbols.num(*value);
        let Some((name, mut args)) = named(&symbols, term) else { continue };
        args.push(value);
        // Of variables with few values, they are there.
        if !holds.iter().any(|(other, its)| (other, its) == (&name, &args)) {
            holds.push((name.clone(), args.clone()));
            possible.push((name, args));
        }
    }
    let mut facts: Vec<Named> = Vec::new();
    for fact in model.table.facts() {
        facts.extend(code::decode(fact, &mut symbols).and_then(|term| named(&symbols, term)));
    }
    draw(&Portrait { symbols: &symbols, facts: &facts, possible: &possible, holds: &holds, several: false })
}
