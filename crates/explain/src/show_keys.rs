//! Show keys: entries of `#show` with the same key show the same, which an answer set shows once.
//!
//! Invariant: a term that several statements show has one key; an atom and a term that look the same have two, as in `asp`'s
//! output.

use asp_base::map::Map;
use asp_program::Program;
use asp_program::ground_program::ShowItem;

/// The key of each show entry, numbered from 0 in order of first entries.
pub fn of(program: &Program) -> Vec<usize> {
    let mut numbers: Map<(u8, u32), usize> = Map::default();
    let mut number = |item: ShowItem| {
        let key = match item {
            ShowItem::Atom(atom) => (0, atom.0),
            ShowItem::Fact(term) => (1, term.raw()),
            ShowItem::Term(term) | ShowItem::Value(term) | ShowItem::Digit(term) => (2, term.raw()),
        };
        let next = numbers.len();
        *numbers.entry(key).or_insert(next)
    };
    program.shows.iter().map(|show| number(show.item)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_control::Control;

    #[track_caller]
    fn check(text: &str, expect: &[usize]) {
        let mut control = Control::new();
        control.add(text);
        control.ground().expect("it grounds");
        assert_eq!(of(control.program()), expect, "{text}");
    }

    #[test]
    fn terms_are_one_thing_for_all_reasons() {
        check("{a;b}. #show t : a. #show t : b. #show b/0.", &[0, 0, 1]);
        check("{a;b}. #show a/0. #show a : b.", &[0, 1]);
        check("a. {b}. #show a/0. #show a : b.", &[0, 1]);
    }
}
