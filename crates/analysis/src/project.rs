//! The texts open in the editor and those that they include, each indexed once.
//!
//! A *root* is an open text that no other open one includes; a root with its includes is a program. Texts connected by includes
//! are a *group*: a name means the same in all of them. Invariant: everything here is a function of the open texts and the
//! files, whatever edits led to them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::SystemTime;

use super::buffers::{BufferLoader, Buffers, key};
use super::kinds::{Kind, Role};
use super::text::{Name, TextIndex};
use asp_syntax::Loader;

/// Texts of programs past this many bytes are not indexed.
pub(crate) const MAX_TEXT: usize = 4 << 20;
/// The most texts of a program that are looked at.
const MAX_TEXTS: usize = 500;

/// A text with its index.
#[derive(Clone, Debug)]
pub struct Entry {
    pub key: String,
    pub index: Arc<TextIndex>,
}

/// An open text; its index is made when it is asked for.
#[derive(Debug)]
struct Open {
    text: Arc<str>,
    index: RefCell<Option<Arc<TextIndex>>>,
}

/// A file that is not open: when it was written, and its index.
#[derive(Debug)]
struct File {
    written: Option<(SystemTime, u64)>,
    index: Arc<TextIndex>,
}

/// The open texts, and what is known of files.
#[derive(Debug)]
pub struct Project<L> {
    open: BTreeMap<String, Open>,
    files: RefCell<BTreeMap<String, File>>,
    buffers: Buffers,
    rest: L,
}

/// A predicate, by name and number of arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Predicate {
    pub name: String,
    /// How many arguments it has.
    pub arity: u32,
}

impl<L: Loader + Clone> Project<L> {
    /// Nothing open; `rest` finds the files.
    pub fn new(rest: L) -> Self {
        Self { open: BTreeMap::new(), files: RefCell::default(), buffers: Buffers::default(), rest }
    }

    /// Opens a text, or changes it.
    pub fn set(&mut self, key: String, text: Arc<str>) {
        self.open.insert(key, Open { text, index: RefCell::default() });
        self.snapshot();
    }

    /// Closes a text.
    pub fn close(&mut self, key: &str) {
        self.open.remove(key);
        self.snapshot();
    }

    fn snapshot(&mut self) {
        self.buffers = Buffers::new(self.open.iter().map(|(key, open)| (key.clone(), open.text.clone())));
    }

    /// A loader for them.
    pub fn loader(&self) -> BufferLoader<L> {
        BufferLoader { buffers: self.buffers.clone(), rest: self.rest.clone() }
    }

    /// The text of an open text.
    pub fn text(&self, key: &str) -> Option<&Arc<str>> {
        self.open.get(key).map(|open| &open.text)
    }

    /// The names of the open texts.
    pub fn open(&self) -> impl Iterator<Item = &String> {
        self.open.keys()
    }

    /// The index of a text, open or not; none if it cannot be read or is too large.
    pub fn index(&self, key: &str) -> Option<Arc<TextIndex>> {
        if let Some(open) = self.open.get(key) {
            let make = || Arc::new(TextIndex::new(open.text.clone()));
            let mut index = open.index.borrow_mut();
            return (open.text.len() <= MAX_TEXT).then(|| index.get_or_insert_with(make).clone());
        }
        let data = std::fs::metadata(key).ok();
        let written = data.and_then(|d| Some((d.modified().ok()?, d.len())));
        if written.is_some_and(|(_, bytes)| bytes > MAX_TEXT as u64) {
            return None;
        }
        let mut files = self.files.borrow_mut();
        if let Some(file) = files.get(key).filter(|file| file.written == written) {
            return Some(file.index.clone());
        }
        let bytes = self.rest.clone().read(key).ok()?;
        let index = Arc::new(TextIndex::new(String::from_utf8_lossy(&bytes).into()));
        files.insert(key.to_string(), File { written, index: index.clone() });
        Some(index)
    }

    pub(crate) fn included(&self, from: &str, index: &TextIndex) -> Vec<String> {
        let mut loader = self.loader();
        index.includes.iter().filter_map(|i| loader.resolve(&i.path, from)).map(|name| key(&name)).collect()
    }

    /// A text and all that it includes.
    pub fn program(&self, root: &str) -> Vec<Entry> {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        let mut open = vec![root.to_string()];
        while let Some(key) = open.pop() {
            if found.len() >= MAX_TEXTS || !seen.insert(key.clone()) {
                continue;
            }
            let Some(index) = self.index(&key) else { continue };
            open.extend(self.included(&key, &index).into_iter().rev());
            found.push(Entry { key, index });
        }
        found
    }

    /// The open texts that no other open one includes; of a circle, the first.
    pub fn roots(&self) -> Vec<String> {
        let below = |key: &String| -> BTreeSet<String> {
            self.program(key).into_iter().map(|e| e.key).filter(|k| k != key).collect()
        };
        let programs: Vec<(&String, BTreeSet<String>)> = self.open.keys().map(|k| (k, below(k))).collect();
        let is_root = |(key, below): &&(&String, BTreeSet<String>)| {
            !programs
                .iter()
                .any(|(other, texts)| texts.contains(*key) && (!below.contains(*other) || *other < *key))
        };
        programs.iter().filter(is_root).map(|(key, _)| (*key).clone()).collect()
    }

    /// The programs that a text is part of, by their roots.
    pub fn roots_of(&self, key: &str) -> Vec<String> {
        let holds = |root: &String| self.program(root).iter().any(|e| e.key == key);
        self.roots().into_iter().filter(holds).collect()
    }

    /// The texts that hang together with one, itself among them.
    pub fn group(&self, key: &str) -> Vec<Entry> {
        let mut programs: Vec<Vec<Entry>> = self.open.keys().map(|k| self.program(k)).collect();
        let mut group: BTreeMap<String, Entry> = BTreeMap::new();
        group.extend(self.program(key).into_iter().map(|e| (e.key.clone(), e)));
        loop {
            let (joined, rest): (Vec<_>, Vec<_>) =
                programs.into_iter().partition(|p| p.iter().any(|e| group.contains_key(&e.key)));
            if joined.is_empty() {
                return group.into_values().collect();
            }
            group.extend(joined.into_iter().flatten().map(|e| (e.key.clone(), e)));
            programs = rest;
        }
    }
}

/// The predicates of some texts and where they are named, in the order of texts and places.
pub fn predicates(texts: &[Entry]) -> BTreeMap<Predicate, Vec<(usize, Name)>> {
    let mut found: BTreeMap<Predicate, Vec<(usize, Name)>> = BTreeMap::new();
    for (i, entry) in texts.iter().enumerate() {
        for name in &entry.index.names {
            if let Kind::Predicate { arity, .. } = name.kind {
                let predicate = Predicate { name: entry.index.slice(&name.range).to_string(), arity };
                found.entry(predicate).or_default().push((i, name.clone()));
            }
        }
    }
    found
}

/// Where a predicate is named in some texts.
pub fn places<'a>(
    texts: &'a [Entry],
    name: &'a str,
    arity: u32,
) -> impl Iterator<Item = (&'a Entry, &'a Name)> {
    texts.iter().flat_map(move |entry| {
        let same = move |n: &&Name| {
            matches!(n.kind, Kind::Predicate { arity: own, .. } if own == arity)
                && entry.index.slice(&n.range) == name
        };
        entry.index.names.iter().filter(same).map(move |n| (entry, n))
    })
}

/// How the first statement that defines a predicate writes it, and the comment above that.
pub fn described(texts: &[Entry], name: &str, arity: u32) -> Option<(String, Option<String>)> {
    let (entry, first) = places(texts, name, arity).find(|(_, n)| n.role == Role::Define)?;
    let item = &entry.index.items[first.item];
    let tokens = &entry.index.tokens[item.tokens.clone()];
    let at = tokens.iter().position(|t| t.0 == first.range.start)?;
    let signature = written(&entry.index, &tokens[at..]);
    let doc = item.doc.as_ref().map(|d| entry.index.words(d)).filter(|words| !words.is_empty());
    Some((signature, doc))
}

/// An atom as it is written, from its name to the parenthesis that closes its arguments.
fn written(index: &TextIndex, tokens: &[super::text::TextToken]) -> String {
    use asp_syntax::token::Token;
    let mut depth = 0;
    let mut end = tokens.first().map_or(0, |t| t.2);
    for &(_, token, hi) in &tokens[1.min(tokens.len())..] {
        match token {
            Token::OpenParen => depth += 1,
            Token::CloseParen => depth -= 1,
            _ if depth == 0 => break,
            _ => {}
        }
        end = hi;
        if depth == 0 {
            break;
        }
    }
    let start = tokens.first().map_or(0, |t| t.0);
    index.slice(&(start..end)).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
