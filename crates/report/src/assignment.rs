//! The values of integer variables, and what they cost, as clingcon prints them.
//!
//! Invariant: in text they follow the atoms on lines of their own; elsewhere values are terms `__csp(x,1)` among the others, and
//! only the cost is added here. Values of functions are atoms `p(x,1)` among the others.

use asp_base::symbol::{Sym, Symbols};
use asp_program::integers::kept::Digits;
use asp_program::{Literal, Program};
use asp_solve::Model;

use super::output::push_int;

/// How a value is known.
#[derive(Clone, Debug)]
enum Shown {
    /// It is the value if the literal holds; with its show entry.
    If(Option<Literal>, u32),
    /// Read from binary digits, with the number of the variable, and the text after the value.
    Digits(Digits, usize, Vec<u8>),
}

/// The values of integer variables, ready to be printed.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    text: Vec<u8>,
    /// Each value with the end of its text, without the number if that is read from digits.
    values: Vec<(Shown, usize)>,
    /// Names, and values with their texts, until they are sorted.
    pending: Vec<(Sym, Shown, Vec<u8>)>,
    /// Costs of any answer set and of values, by level, the most important one first; none if they are not printed.
    objectives: Vec<(i64, Vec<(Literal, i64)>)>,
    is_text: bool,
    /// The text before and after the cost.
    around_cost: [String; 2],
    /// The text before, in and after a range of values.
    around_range: [&'static str; 3],
}

impl Assignment {
    /// No values so far; `None` if a program has no integers. `around_cost`: the text before and after the cost, if it is
    /// printed.
    pub(super) fn new(
        program: &Program,
        is_text: bool,
        around_cost: Option<[String; 2]>,
        around_range: [&'static str; 3],
    ) -> Option<Self> {
        let integers = &program.integers;
        // Values that are atoms are printed as atoms, and their costs as those of atoms.
        let are_atoms = !integers.functions.is_empty();
        let (is_text, around_cost) = (is_text && !are_atoms, around_cost.filter(|_| !are_atoms));
        let levels = integers.objectives.values().rev().filter(|_| around_cost.is_some());
        let objectives: Vec<_> = levels.cloned().collect();
        let has_digits = integers.variables.iter().any(|known| known.digits.is_some());
        let wanted = !integers.is_empty() && (is_text || !objectives.is_empty() || has_digits);
        wanted.then(|| Self {
            text: Vec::new(),
            values: Vec::new(),
            pending: Vec::new(),
            objectives,
            is_text,
            around_cost: around_cost.unwrap_or_default(),
            around_range,
        })
    }

    /// Adds a value.
    pub(super) fn add(
        &mut self,
        name: Sym,
        value: i64,
        literal: Option<Literal>,
        entry: u32,
        symbols: &Symbols,
    ) {
        let text = format!("{}={value} ", symbols.display(name)).into_bytes();
        self.pending.push((name, Shown::If(literal, entry), text));
    }

    /// Adds the values read from digits, each with the text before and after the number, and sorts all by name.
    pub(super) fn finish(
        &mut self,
        program: &Program,
        symbols: &Symbols,
        around: impl Fn(Sym) -> (Vec<u8>, Vec<u8>),
    ) {
        for (variable, known) in program.integers.variables.iter().enumerate().filter(|(_, k)| k.shown) {
            if let Some(digits) = &known.digits {
                let (before, after) = around(known.name);
                self.pending.push((known.name, Shown::Digits(digits.clone(), variable, after), before));
            }
        }
        self.pending.sort_by(|a, b| symbols.cmp(a.0, b.0));
        for (_, shown, text) in std::mem::take(&mut self.pending) {
            self.text.extend_from_slice(&text);
            self.values.push((shown, self.text.len()));
        }
    }

    /// Appends the values that no show entry stands for.
    fn write_values(&self, model: &Model<'_>, out: &mut Vec<u8>) {
        let estimate = !model.shown.is_empty();
        let mut start = 0;
        for (shown, end) in &self.values {
            let text = &self.text[start..*end];
            start = *end;
            match shown {
                Shown::If(literal, entry) => {
                    let holds = match estimate {
                        true => model.shown.get(*entry as usize).copied().unwrap_or(false),
                        false => literal.is_none_or(|l| model.holds(l)),
                    };
                    if holds {
                        out.extend_from_slice(text);
                    }
                }
                Shown::Digits(digits, variable, after) => {
                    let value = match estimate {
                        true => model.ranges.get(*variable).copied().flatten(),
                        false => Some(digits.value(|l| model.holds(l))).map(|value| (value, value)),
                    };
                    let Some(range) = value else { continue };
                    out.extend_from_slice(text);
                    self.write_range(range, out);
                    out.extend_from_slice(after);
                }
            }
        }
    }

    /// Appends a value, or the least and the greatest of several.
    fn write_range(&self, (least, greatest): (i64, i64), out: &mut Vec<u8>) {
        if least == greatest {
            return push_int(out, least);
        }
        let [before, between, after] = self.around_range.map(str::as_bytes);
        out.extend_from_slice(before);
        push_int(out, least);
        out.extend_from_slice(between);
        push_int(out, greatest);
        out.extend_from_slice(after);
    }

    /// Appends values to others, each with a separator.
    pub(super) fn write_terms(&self, model: &Model<'_>, out: &mut Vec<u8>) {
        if !self.is_text {
            self.write_values(model, out);
        }
    }

    /// Whether they stand on lines of their own.
    pub(super) fn is_apart(&self) -> bool {
        self.is_text
    }

    /// Appends the values of a model; `any` tells whether anything stands before them.
    pub(super) fn write(&self, model: &Model<'_>, any: bool, out: &mut Vec<u8>) {
        let estimate = !model.shown.is_empty();
        if self.is_text {
            out.extend_from_slice(b"\nAssignment:\n");
            let before = out.len();
            self.write_values(model, out);
            if out.len() > before {
                out.pop();
            }
        }
        if estimate || self.objectives.is_empty() {
            return;
        }
        let [before, after] = &self.around_cost;
        // A separator stands between two values only.
        let before = if any || self.is_text { before } else { before.trim_start_matches([',', ' ']) };
        out.extend_from_slice(before.as_bytes());
        for (i, (constant, costs)) in self.objectives.iter().enumerate() {
            let held = costs.iter().filter(|c| model.holds(c.0));
            if i > 0 {
                out.push(b' ');
            }
            push_int(out, held.fold(*constant, |sum, c| sum.saturating_add(c.1)));
        }
        out.extend_from_slice(after.as_bytes());
    }
}
