//! Counters of the tuples that hold for each key of a constraint.
//!
//! A match of the body is recorded if its tuple is new; the records of a key form a list, and all of them a stack in the order
//! of the events that made them.
//!
//! Invariant: no key has more records than permitted, except during a conflict; the literals of a record are those of facts and
//! of events up to its own.

use super::matcher::Matcher;
use asp_base::map::hash_words;
use asp_base::symbol::Sym;
use asp_engine::store::literal::Lit;
use asp_program::lazy::Count;
use hashbrown::HashTable;

const NONE: u32 = u32::MAX;

/// Lists of words of one length, each once.
#[derive(Debug, Default)]
struct Words {
    arity: usize,
    words: Vec<u32>,
    count: u32,
    lookup: HashTable<u32>,
}

impl Words {
    fn of(&self, number: u32) -> &[u32] {
        &self.words[number as usize * self.arity..][..self.arity]
    }
    fn find(&self, words: &[u32]) -> Option<u32> {
        let hash = hash_words(0, words.iter().copied());
        self.lookup.find(hash, |&n| self.of(n) == words).copied()
    }
    fn add(&mut self, words: &[u32]) -> u32 {
        if let Some(known) = self.find(words) {
            return known;
        }
        let number = self.count;
        self.count += 1;
        self.words.extend_from_slice(words);
        let (all, arity) = (&self.words, self.arity);
        let hash = |&n: &u32| hash_words(0, all[n as usize * arity..][..arity].iter().copied());
        self.lookup.insert_unique(hash(&number), number, hash);
        number
    }
}

/// A tuple that holds.
#[derive(Clone, Copy, Debug)]
struct Record {
    key: u32,
    tuple: u32,
    /// The one before for the same key.
    previous: u32,
    /// Where its literals begin.
    start: u32,
    /// The number of the event, from 1 on; 0 for facts.
    event: u32,
}

/// The tuples of a constraint.
#[derive(Debug, Default)]
pub(super) struct Counter {
    keys: Words,
    tuples: Words,
    /// By key: how many tuples hold, and the last record.
    by_key: Vec<(u32, u32)>,
    /// By tuple: whether it holds.
    holds: Vec<bool>,
    records: Vec<Record>,
    lits: Vec<Lit>,
    words: Vec<u32>,
}

impl Counter {
    /// A counter without records.
    pub(super) fn new(count: &Count) -> Self {
        let keys = Words { arity: count.key.len(), ..Words::default() };
        // The key's number is the first word.
        let tuples = Words { arity: count.tuple.len() + 1, ..Words::default() };
        Self { keys, tuples, ..Self::default() }
    }
    fn read_key(&mut self, count: &Count, m: &Matcher) {
        self.words.clear();
        self.words.extend(count.key.iter().map(|&v| m.values[v as usize].raw()));
    }
    /// The tuple of a match; `None` if it is an integer that is not small.
    fn read_tuple(&mut self, key: u32, count: &Count, m: &mut Matcher) -> Option<()> {
        self.words.clear();
        self.words.push(key);
        for side in &count.tuple {
            self.words.push(side.value(&m.values, &mut m.stack)?.raw());
        }
        Some(())
    }
    /// Records a match whose literals are all true. Returns its key and the number of its tuples, if the tuple is new.
    pub(super) fn add(&mut self, count: &Count, m: &mut Matcher, event: u32) -> Option<(u32, u32)> {
        self.read_key(count, m);
        let key = self.keys.add(&self.words);
        if self.by_key.len() <= key as usize {
            self.by_key.push((0, NONE));
        }
        self.read_tuple(key, count, m)?;
        let tuple = self.tuples.add(&self.words);
        if self.holds.len() <= tuple as usize {
            self.holds.push(false);
        }
        if std::mem::replace(&mut self.holds[tuple as usize], true) {
            return None;
        }
        let (counted, last) = &mut self.by_key[key as usize];
        self.records.push(Record { key, tuple, previous: *last, start: self.lits.len() as u32, event });
        self.lits.extend_from_slice(&m.chosen);
        *last = self.records.len() as u32 - 1;
        *counted += 1;
        Some((key, *counted))
    }
    /// The key of a match with an open literal, if its tuple would be one too many.
    pub(super) fn is_last(&mut self, count: &Count, m: &mut Matcher) -> Option<u32> {
        self.read_key(count, m);
        let key = self.keys.find(&self.words)?;
        if self.by_key[key as usize].0 < count.most {
            return None;
        }
        self.read_tuple(key, count, m)?;
        let known = self.tuples.find(&self.words);
        (!known.is_some_and(|t| self.holds[t as usize])).then_some(key)
    }
    /// Appends the literals of all records of a key.
    pub(super) fn explain(&self, key: u32, lits: &mut Vec<Lit>) {
        let mut at = self.by_key[key as usize].1;
        while let Some(record) = self.records.get(at as usize) {
            let end = self.records.get(at as usize + 1).map_or(self.lits.len(), |next| next.start as usize);
            lits.extend_from_slice(&self.lits[record.start as usize..end]);
            at = record.previous;
        }
    }
    /// The values of a key.
    pub(super) fn key(&self, key: u32, out: &mut Vec<Sym>) {
        out.clear();
        out.extend(self.keys.of(key).iter().map(|&word| Sym::from_raw(word)));
    }
    /// Forgets the records of events after a number of them.
    pub(super) fn undo(&mut self, events: u32) {
        while let Some(&record) = self.records.last()
            && record.event > events
        {
            self.records.pop();
            self.lits.truncate(record.start as usize);
            self.holds[record.tuple as usize] = false;
            self.by_key[record.key as usize].0 -= 1;
            self.by_key[record.key as usize].1 = record.previous;
        }
    }
}
