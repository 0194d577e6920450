//! The process-wide table of strings and function terms.
//!
//! Invariants: a record is written once, before its handle is returned, and never moves; two records are never equal.
//! Integers that fit 61 bits, `#inf` and `#sup` are stored in the handle alone.

use std::cell::Cell;
use std::cmp::Ordering;
use std::ffi::{c_char, c_int};
use std::hash::{BuildHasher, Hasher};
use std::sync::atomic::{AtomicU32, Ordering as Memory};
use std::sync::{Mutex, OnceLock, PoisonError};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::error::Fail;

/// A ground term. The last three bits are its type, as numbered by clingo; the others are the integer or the row.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symbol(u64);

const NUMBER: u64 = 1;
/// An integer that does not fit the handle.
const BIG: u64 = 2;
const STRING: u64 = 4;
const FUNCTION: u64 = 5;

/// What a symbol is.
#[derive(Clone, Copy, Debug)]
pub enum SymbolKind {
    /// `#inf`
    Infimum,
    Number(i64),
    /// A string, without quotes.
    String(&'static str),
    /// A constant, a function term, or with an empty name a tuple.
    Function {
        /// Its name; a 0 follows it in memory.
        name: &'static str,
        arguments: &'static [Symbol],
        /// Whether it is classically negated.
        negative: bool,
    },
    /// `#sup`
    Supremum,
}

struct Record {
    name: &'static str,
    arguments: Box<[Symbol]>,
    hash: u64,
    tag: u64,
    negative: bool,
    number: i64,
}

/// Rows are stored in chunks of doubling size; the first has 1024.
const FIRST: u32 = 1024;
static CHUNKS: [OnceLock<Box<[OnceLock<Record>]>>; 22] = [const { OnceLock::new() }; 22];
static LENGTH: AtomicU32 = AtomicU32::new(0);

const SHARDS: usize = 64;
/// Rows with a part of their hashes: what is looked up or moved touches no record but its own.
static LOOKUP: [Mutex<HashTable<(u32, u32)>>; SHARDS] = [const { Mutex::new(HashTable::new()) }; SHARDS];
static NAMES: [Mutex<HashTable<&'static str>>; SHARDS] = [const { Mutex::new(HashTable::new()) }; SHARDS];

/// The chunk of a row and the place in it.
fn place(row: u32) -> (usize, usize) {
    let chunk = (row / FIRST + 1).ilog2();
    (chunk as usize, (row - FIRST * ((1 << chunk) - 1)) as usize)
}

fn record(row: u32) -> Option<&'static Record> {
    let (chunk, index) = place(row);
    CHUNKS.get(chunk)?.get()?.get(index)?.get()
}

fn push(record: Record) -> Result<u32, Fail> {
    let row = LENGTH.fetch_add(1, Memory::Relaxed);
    let (chunk, index) = place(row);
    let full = || Fail::new(crate::error::Code::BadAlloc, "there are too many symbols");
    let chunk_size = (FIRST as usize) << chunk;
    let chunk = CHUNKS.get(chunk).ok_or_else(full)?;
    let rows = chunk.get_or_init(|| std::iter::repeat_with(OnceLock::new).take(chunk_size).collect());
    let _ = rows[index].set(record);
    Ok(row)
}

/// The part of a table for a hash, by bits in the middle: a hash table tells its entries apart by the first and the last ones.
fn shard<T>(shards: &[Mutex<T>; SHARDS], hash: u64) -> std::sync::MutexGuard<'_, T> {
    shards[(hash >> 40) as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
}

/// The place of a part of a hash in a table, which goes by the first and the last bits.
fn spread(part: u32) -> u64 {
    u64::from(part).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn hash_text(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

thread_local! {
    /// The text that was interned last: atoms of one predicate come one after the other.
    static LAST: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// A text that lives as long as the process, with a 0 after it.
pub fn intern_text(text: &str) -> Result<&'static str, Fail> {
    // Where the thread ends, nothing is kept.
    if let Some(last) = LAST.try_with(Cell::get).ok().flatten().filter(|last| *last == text) {
        return Ok(last);
    }
    let known = intern_anew(text)?;
    let _ = LAST.try_with(|last| last.set(Some(known)));
    Ok(known)
}

fn intern_anew(text: &str) -> Result<&'static str, Fail> {
    if text.as_bytes().contains(&0) {
        return Err(Fail::runtime("a text contains a byte 0"));
    }
    let hash = hash_text(text);
    let mut names = shard(&NAMES, hash);
    if let Some(known) = names.find(hash, |known| *known == text) {
        return Ok(known);
    }
    let with_end: &'static str = Box::leak(format!("{text}\0").into_boxed_str());
    let new = &with_end[..text.len()];
    names.insert_unique(hash, new, |known| hash_text(known));
    Ok(new)
}

/// An interned text as C reads it. Pre: it is one of [`intern_text`], so a 0 follows.
pub fn name_of(text: &'static str) -> *const c_char {
    text.as_ptr().cast()
}

fn hash_record(tag: u64, name: &str, arguments: &[Symbol], negative: bool) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    hasher.write_u64(tag << 1 | u64::from(negative));
    hasher.write(name.as_bytes());
    arguments.iter().for_each(|a| hasher.write_u64(a.0));
    hasher.finish()
}

impl Symbol {
    /// `#inf`
    pub const INFIMUM: Self = Self(0);
    /// `#sup`
    pub const SUPREMUM: Self = Self(7);

    pub fn number(n: i64) -> Result<Self, Fail> {
        let shifted = n << 3;
        if shifted >> 3 == n { Ok(Self(shifted as u64 | NUMBER)) } else { Self::row(BIG, "", &[], false, n) }
    }
    pub fn string(text: &str) -> Result<Self, Fail> {
        Self::row(STRING, text, &[], false, 0)
    }
    /// A constant, a function term, or with an empty name a tuple.
    pub fn function(name: &str, arguments: &[Symbol], negative: bool) -> Result<Self, Fail> {
        Self::row(FUNCTION, name, arguments, negative, 0)
    }

    fn row(tag: u64, name: &str, arguments: &[Symbol], negative: bool, number: i64) -> Result<Self, Fail> {
        let hash = hash_record(tag, name, arguments, negative) ^ number as u64;
        let mut lookup = shard(&LOOKUP, hash);
        let part = hash as u32;
        let same = |&(other, row): &(u32, u32)| {
            other == part
                && record(row).is_some_and(|r| {
                    r.hash == hash
                        && r.tag == tag
                        && r.negative == negative
                        && r.number == number
                        && *r.arguments == *arguments
                        && r.name == name
                })
        };
        let handle = |row: u32| Self(u64::from(row) << 3 | tag);
        if let Some(&(_, row)) = lookup.find(spread(part), same) {
            return Ok(handle(row));
        }
        if let Some(unknown) = arguments.iter().find(|a| a.kind().is_err()) {
            unknown.kind()?;
        }
        let name = intern_text(name)?;
        let row = push(Record { name, arguments: arguments.into(), hash, tag, negative, number })?;
        lookup.insert_unique(spread(part), (part, row), |entry| spread(entry.0));
        Ok(handle(row))
    }

    fn record(self) -> Result<&'static Record, Fail> {
        let row = u32::try_from(self.0 >> 3).ok();
        let known = row.and_then(record).filter(|r| r.tag == self.0 & 7);
        known.ok_or_else(|| Fail::runtime("this handle stands for no symbol"))
    }

    /// What it is; an error for a handle that this table has not returned.
    pub fn kind(self) -> Result<SymbolKind, Fail> {
        Ok(match self.0 & 7 {
            NUMBER => SymbolKind::Number(self.0 as i64 >> 3),
            BIG => SymbolKind::Number(self.record()?.number),
            STRING => SymbolKind::String(self.record()?.name),
            FUNCTION => {
                let Record { name, arguments, negative, .. } = self.record()?;
                SymbolKind::Function { name, arguments, negative: *negative }
            }
            0 => SymbolKind::Infimum,
            7 => SymbolKind::Supremum,
            _ => return Err(Fail::runtime("this handle stands for no symbol")),
        })
    }

    /// The number of its type in clingo.h.
    pub fn type_number(self) -> c_int {
        match self.0 & 7 {
            BIG => NUMBER as c_int,
            tag => tag as c_int,
        }
    }

    /// The same for equal terms, and the same from run to run.
    pub fn hash(self) -> u64 {
        match self.0 & 7 {
            STRING | FUNCTION => self.record().map_or(0, |r| r.hash),
            _ => FxBuildHasher.hash_one(self.0),
        }
    }

    /// The order of terms: `#inf`, integers, constants and `()`, negated ones, strings, functions and tuples by arity, name
    /// and arguments, negated ones, `#sup`. Unknown handles stand together.
    pub fn order(self, other: Self) -> Ordering {
        let (mut a, mut b) = (self, other);
        while a != b {
            let (Ok(x), Ok(y)) = (a.kind(), b.kind()) else { return a.0.cmp(&b.0) };
            let order = rank(&x).cmp(&rank(&y)).then_with(|| match (&x, &y) {
                (SymbolKind::Number(m), SymbolKind::Number(n)) => m.cmp(n),
                (SymbolKind::String(s), SymbolKind::String(t)) => s.cmp(t),
                (
                    SymbolKind::Function { name: m, arguments: xs, .. },
                    SymbolKind::Function { name: n, arguments: ys, .. },
                ) => xs.len().cmp(&ys.len()).then_with(|| m.cmp(n)),
                _ => Ordering::Equal,
            });
            let (SymbolKind::Function { arguments: xs, .. }, SymbolKind::Function { arguments: ys, .. }) =
                (x, y)
            else {
                return order;
            };
            // Equal terms have equal handles, so the first arguments with different ones decide.
            match xs.iter().zip(ys).find(|(x, y)| x != y) {
                Some((x, y)) if order == Ordering::Equal => (a, b) = (*x, *y),
                _ => return order,
            }
        }
        Ordering::Equal
    }

    /// The constant or function term in a row.
    pub fn of_row(row: u64) -> Self {
        Self(row << 3 | FUNCTION)
    }
    /// The handle as a word.
    pub fn raw(self) -> u64 {
        self.0
    }
}

fn rank(kind: &SymbolKind) -> u8 {
    match kind {
        SymbolKind::Infimum => 0,
        SymbolKind::Number(_) => 1,
        SymbolKind::Function { arguments: [], negative: false, .. } => 2,
        SymbolKind::Function { arguments: [], negative: true, .. } => 3,
        SymbolKind::String(_) => 4,
        SymbolKind::Function { negative: false, .. } => 5,
        SymbolKind::Function { negative: true, .. } => 6,
        SymbolKind::Supremum => 7,
    }
}
