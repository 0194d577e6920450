//! The values of integer variables, and what they cost, as clingcon prints them.
//!
//! Invariant: in text they follow the atoms on lines of their own; elsewhere values are terms `__csp(x,1)` among the others, and
//! only the cost is added here.

use crate::base::symbol::{Sym, Symbols};
use crate::program::{Literal, Program};
use crate::solve::Model;

use super::output::push_int;

/// The values of integer variables, ready to be printed.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    text: Vec<u8>,
    /// Literal, show entry and end of the text of each value.
    values: Vec<(Option<Literal>, u32, usize)>,
    /// Costs of any answer set and of values, by level, the most important one first; none if they are not printed.
    objectives: Vec<(i64, Vec<(Literal, i64)>)>,
    is_text: bool,
    /// What stands before and after the cost.
    around_cost: [String; 2],
}

impl Assignment {
    /// No values so far; `None` if a program has no integers.
    /// `around_cost` is what stands before and after the cost, if that is printed.
    pub(super) fn new(program: &Program, is_text: bool, around_cost: Option<[String; 2]>) -> Option<Self> {
        let levels = program.integers.objectives.values().rev().filter(|_| around_cost.is_some());
        let objectives: Vec<_> = levels.cloned().collect();
        let wanted = !program.integers.is_empty() && (is_text || !objectives.is_empty());
        let around_cost = around_cost.unwrap_or_default();
        wanted.then(|| Self { text: Vec::new(), values: Vec::new(), objectives, is_text, around_cost })
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
        self.text.extend_from_slice(format!("{}={value} ", symbols.display(name)).as_bytes());
        self.values.push((literal, entry, self.text.len()));
    }

    /// Appends the values of a model; `any` tells whether anything stands before them.
    pub(super) fn write(&self, model: &Model<'_>, any: bool, out: &mut Vec<u8>) {
        let estimate = !model.shown.is_empty();
        if self.is_text {
            out.extend_from_slice(b"\nAssignment:\n");
            let (before, mut start) = (out.len(), 0);
            for &(literal, entry, end) in &self.values {
                let holds = match estimate {
                    true => model.shown.get(entry as usize).copied().unwrap_or(false),
                    false => literal.is_none_or(|l| model.holds(l)),
                };
                if holds {
                    out.extend_from_slice(&self.text[start..end]);
                }
                start = end;
            }
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
