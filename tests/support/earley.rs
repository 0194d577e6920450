//! Which productions of the grammar a statement uses: Earley's parser over the grammar as data.
//!
//! Source: J. Earley, *An efficient context-free parsing algorithm*, 1970, with nullable symbols skipped at prediction
//! (J. Aycock, R. N. Horspool, *Practical Earley parsing*, 2002). The grammar is LR(1), so there is one derivation.

use super::grammar::{Grammar, Name, Symbol};
use std::collections::{BTreeSet, HashMap};

/// What was read over a symbol.
#[derive(Clone, Copy)]
enum Child {
    Token,
    Nothing(Name),
    /// A complete item: its set and place in it.
    Complete(usize, usize),
}

type Item = (usize, usize, usize);

/// The item from which an item was advanced, and over what.
type Back = Option<((usize, usize), Child)>;

#[derive(Default)]
struct Set {
    items: Vec<(Item, Back)>,
    known: HashMap<Item, usize>,
}

impl Set {
    fn add(&mut self, item: Item, back: Back) {
        if !self.known.contains_key(&item) {
            self.known.insert(item, self.items.len());
            self.items.push((item, back));
        }
    }
}

/// Recognises statements.
pub struct Recognizer<'g> {
    grammar: &'g Grammar,
    /// By nonterminal: the production by which it is empty, if it can be.
    empty: Vec<Option<usize>>,
}

impl<'g> Recognizer<'g> {
    /// A recogniser for a grammar.
    pub fn new(grammar: &'g Grammar) -> Self {
        let mut empty: Vec<Option<usize>> = vec![None; grammar.names.len()];
        loop {
            let mut changed = false;
            for (i, p) in grammar.productions.iter().enumerate() {
                let vanishes = |s: &Symbol| matches!(s, Symbol::Nonterminal(n) if empty[*n].is_some());
                if empty[p.head].is_none() && p.symbols.iter().all(vanishes) {
                    empty[p.head] = Some(i);
                    changed = true;
                }
            }
            if !changed {
                return Recognizer { grammar, empty };
            }
        }
    }

    /// The productions that derive the terminals; `None` if they are not a statement.
    pub fn productions(&self, terminals: &[String]) -> Option<BTreeSet<usize>> {
        let grammar = self.grammar;
        let mut sets: Vec<Set> = (0..=terminals.len()).map(|_| Set::default()).collect();
        for &p in &grammar.of[grammar.start] {
            sets[0].add((p, 0, 0), None);
        }
        for at in 0..sets.len() {
            let mut i = 0;
            while i < sets[at].items.len() {
                let (item @ (p, dot, origin), _) = sets[at].items[i];
                let here = (at, i);
                i += 1;
                let production = &grammar.productions[p];
                match production.symbols.get(dot) {
                    Some(Symbol::Terminal(t)) => {
                        if terminals.get(at) == Some(t) {
                            sets[at + 1].add((p, dot + 1, origin), Some((here, Child::Token)));
                        }
                    }
                    Some(Symbol::Nonterminal(n)) => {
                        for &q in &grammar.of[*n] {
                            sets[at].add((q, 0, at), None);
                        }
                        if self.empty[*n].is_some() {
                            sets[at].add((p, dot + 1, origin), Some((here, Child::Nothing(*n))));
                        }
                    }
                    None if origin < at => {
                        let waiting: Vec<(usize, Item)> =
                            sets[origin].items.iter().map(|(item, _)| *item).enumerate().collect();
                        for (j, (q, d, o)) in waiting {
                            let next = grammar.productions[q].symbols.get(d);
                            if next == Some(&Symbol::Nonterminal(production.head)) {
                                let back = ((origin, j), Child::Complete(here.0, here.1));
                                sets[at].add((q, d + 1, o), Some(back));
                            }
                        }
                    }
                    None => debug_assert!(item.1 == 0 || origin == at),
                }
            }
        }
        let last = terminals.len();
        let done = |&(p, dot, origin): &Item| {
            let production = &grammar.productions[p];
            production.head == grammar.start && dot == production.symbols.len() && origin == 0
        };
        let found = sets[last].items.iter().position(|(item, _)| done(item))?;
        let mut used = BTreeSet::new();
        let mut open = vec![(last, found)];
        while let Some((set, place)) = open.pop() {
            let (item, mut back) = sets[set].items[place];
            used.insert(item.0);
            while let Some((previous, child)) = back {
                match child {
                    Child::Token => {}
                    Child::Nothing(n) => self.nothing(n, &mut used),
                    Child::Complete(set, place) => open.push((set, place)),
                }
                back = sets[previous.0].items[previous.1].1;
            }
        }
        Some(used)
    }

    /// Adds the productions by which a nonterminal is empty.
    fn nothing(&self, n: Name, used: &mut BTreeSet<usize>) {
        let Some(p) = self.empty[n] else { return };
        if used.insert(p) {
            for s in &self.grammar.productions[p].symbols {
                if let Symbol::Nonterminal(n) = s {
                    self.nothing(*n, used);
                }
            }
        }
    }
}
