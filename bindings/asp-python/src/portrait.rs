//! Pictures of models.

use asp::Symbol;
use asp::unstable::base::symbol::{SymView, Symbols};
use asp::unstable::questions::portrait::{Named, Portrait};

use crate::code;
use crate::model::Model;

/// Hands on what a picture of a model is made from.
pub(crate) fn of<R>(model: &Model, draw: impl FnOnce(&Portrait<'_>) -> R) -> R {
    let mut symbols = Symbols::new();
    let mut bytes = Vec::new();
    let named = |symbols: &Symbols, term: Symbol| -> Option<Named> {
        match symbols.view(term) {
            SymView::Fun { name, args, negative: false } => Some((symbols.str(name).into(), args.to_vec())),
            _ => None,
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
    let holds = list(&mut model.holding(), &mut symbols);
    let possible = list(&mut model.table.all(), &mut symbols);
    let mut facts: Vec<Named> = Vec::new();
    for fact in model.table.facts() {
        facts.extend(code::decode(fact, &mut symbols).and_then(|term| named(&symbols, term)));
    }
    draw(&Portrait { symbols: &symbols, facts: &facts, possible: &possible, holds: &holds, several: false })
}
