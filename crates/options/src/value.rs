//! The value of an option as its reader sees it: words by their position in the pattern, numbers by their position in
//! the value.
//!
//! Invariant: the value matches its pattern; words are written only in the pattern, readers list the meanings of the
//! words at a position in the order of the pattern, and a word without a meaning is an error.

use super::pattern::{self, Match, integer, unsigned};
use super::usage::UsageError;

/// A value that matches the pattern of its option.
pub struct Value<'a> {
    option: &'static str,
    text: Option<&'a str>,
    negated: bool,
    /// The words in lower case.
    words: Vec<String>,
    found: Match,
}

impl<'a> Value<'a> {
    /// Parses a value. Pre: it matches the pattern.
    pub fn new(option: &'static str, pattern: &str, text: Option<&'a str>, negated: bool) -> Self {
        let words = text.map(|t| t.split(',').map(str::to_ascii_lowercase).collect()).unwrap_or_default();
        let found = text.and_then(|t| pattern::find(pattern, t)).unwrap_or_default();
        Self { option, text, negated, words, found }
    }
    /// The value as given; empty if there is none.
    pub fn text(&self) -> &'a str {
        self.text.unwrap_or("")
    }
    /// Whether there is a value.
    pub(crate) fn is_given(&self) -> bool {
        self.text.is_some()
    }
    /// Whether the option is negated, or its value the word `no`.
    pub(crate) fn is_no(&self) -> bool {
        self.negated || self.found.is_no
    }
    /// The alternative of the pattern.
    pub(crate) fn alternative(&self) -> usize {
        self.found.alternative
    }
    /// The item of the pattern at a position.
    pub fn item(&self, at: usize) -> Option<usize> {
        self.found.items.get(at).copied()
    }
    /// The meaning of the item at a position.
    pub(crate) fn pick<T: Copy>(&self, at: usize, meanings: &[T]) -> Result<T, UsageError> {
        let meaning = self.item(at).and_then(|i| meanings.get(i).copied());
        meaning.ok_or_else(|| UsageError::bad_value(self.option, self.text(), None))
    }
    /// The same with a default if the value has no such position.
    pub(crate) fn pick_or<T: Copy>(&self, at: usize, default: T, meanings: &[T]) -> Result<T, UsageError> {
        if self.item(at).is_none() { Ok(default) } else { self.pick(at, meanings) }
    }
    /// The numbers for the items from a position on: words by their order in the pattern, numbers as they are.
    pub(crate) fn numbers(&self, from: usize, of_words: &[u64]) -> Vec<u64> {
        let words = self.words.iter().zip(&self.found.items).skip(from);
        words.filter_map(|(word, &item)| unsigned(word).or_else(|| of_words.get(item).copied())).collect()
    }
    /// The same numbers combined as bits; 0 for `no`.
    pub(crate) fn bits(&self, from: usize, of_words: &[u64]) -> u64 {
        if self.is_no() { 0 } else { self.numbers(from, of_words).iter().fold(0, |all, bits| all | bits) }
    }
    /// The words in lower case.
    pub fn words(&self) -> &[String] {
        &self.words
    }
    /// The number at a position.
    pub(crate) fn number(&self, at: usize) -> Option<u64> {
        self.words.get(at).and_then(|w| unsigned(w))
    }
    /// The number at a position, or the greatest that fits.
    pub(crate) fn small(&self, at: usize) -> Option<u32> {
        self.number(at).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
    }
    /// The integer at a position.
    pub(crate) fn integer(&self, at: usize) -> Option<i64> {
        self.words.get(at).and_then(|w| integer(w))
    }
    /// The integers from a position on.
    pub(crate) fn integers(&self, from: usize) -> Vec<i64> {
        self.words.iter().skip(from).filter_map(|w| integer(w)).collect()
    }
    /// The decimal number at a position.
    pub(crate) fn decimal(&self, at: usize) -> Option<f64> {
        self.words.get(at).and_then(|w| w.parse().ok()).filter(|n: &f64| n.is_finite())
    }
    /// Digits read as those after the decimal point: 95 is 0.95.
    pub(crate) fn fraction(&self, at: usize) -> Option<f64> {
        let digits = self.words.get(at).filter(|w| w.bytes().all(|b| b.is_ascii_digit()))?;
        format!("0.{digits}").parse().ok().filter(|&f: &f64| f > 0.0)
    }
    /// The error for a value that matches the pattern but is still invalid.
    pub(crate) fn is_wrong(&self) -> UsageError {
        UsageError::bad_value(self.option, self.text(), None)
    }
}
