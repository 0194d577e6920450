//! The different things that a program may show; an answer set shows each once.
//!
//! Invariant: a term that is shown for several reasons is one thing; an atom and a term that look the same are two, as
//! in `asp`'s output.

use asp_base::map::Map;
use asp_program::Program;
use asp_program::ground_program::ShowItem;

/// For each show entry: the number of its thing, from 0 in order of first entries.
pub fn of(program: &Program) -> Vec<usize> {
    let mut numbers: Map<(u8, u32), usize> = Map::default();
    let mut facts = program.shown_facts.iter().peekable();
    let mut number = |(i, item): (u32, ShowItem)| {
        while facts.next_if(|range| range.end <= i).is_some() {}
        let is_fact = facts.peek().is_some_and(|range| range.contains(&i));
        let key = match item {
            ShowItem::Atom(atom) => (0, atom.0),
            ShowItem::Term(term) => (if is_fact { 1 } else { 2 }, term.raw()),
        };
        let next = numbers.len();
        *numbers.entry(key).or_insert(next)
    };
    (0..).zip(&program.shows).map(|(i, show)| number((i, show.item))).collect()
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
