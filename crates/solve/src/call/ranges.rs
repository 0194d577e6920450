//! The least and greatest values of variables with binary digits over all models, or their only ones.
//!
//! Binary search, digit by digit from the most significant one: is there a model with the settled digits and the better value of the
//! next one? So at most one search is made for each digit.
//! Invariant: both ends of a range are values of models, and no model is better in the settled digits.

use crate::call::SolveCall;
use crate::options::Projection;
use asp_engine::store::literal::Lit;
use asp_program::integers::kept::Digits;

/// An end of a range, and how many of its greatest digits no model improves.
#[derive(Clone, Copy, Debug)]
struct End {
    /// Without the base.
    value: u64,
    settled: usize,
}

/// The values of a variable so far.
struct Range {
    /// Its number in the program.
    variable: usize,
    base: i64,
    /// The greatest first.
    digits: Vec<Lit>,
    /// The least and the greatest; none before the first model.
    ends: Option<[End; 2]>,
}

impl Range {
    /// Whether a number has a digit.
    fn has(&self, value: u64, digit: usize) -> bool {
        value >> (self.digits.len() - 1 - digit) & 1 == 1
    }

    /// The literal that says that a digit is that of a number.
    fn as_in(&self, value: u64, digit: usize) -> Lit {
        let lit = self.digits[digit];
        if self.has(value, digit) { lit } else { !lit }
    }

    /// The only value so far, without the base.
    fn only(&self) -> Option<u64> {
        let [least, greatest] = self.ends?;
        (least.value == greatest.value).then_some(least.value)
    }

    fn add(&mut self, value: u64) {
        let [least, greatest] = self.ends.get_or_insert([End { value, settled: 0 }; 2]);
        least.value = least.value.min(value);
        greatest.value = greatest.value.max(value);
    }

    /// Skips the better digits of an end; returns the next worse one.
    fn next_digit(&mut self, side: usize) -> Option<usize> {
        let mut end = self.ends?[side];
        while end.settled < self.digits.len() && self.has(end.value, end.settled) == (side == 1) {
            end.settled += 1;
        }
        self.ends.as_mut()?[side] = end;
        (end.settled < self.digits.len()).then_some(end.settled)
    }
}

/// The values of all variables with digits that are shown.
pub(crate) struct Ranges {
    all: Vec<Range>,
    /// The variable and the side whose next digit is asked for.
    asked: Option<(usize, usize)>,
}

impl Ranges {
    /// No values so far. A projection on atoms leaves values out.
    pub(crate) fn new(call: &SolveCall<'_>) -> Self {
        let variables = call.program.integers.variables.iter().enumerate();
        let wanted = call.options.projection != Projection::Project;
        let all = variables.filter(|(_, known)| wanted && known.shown).filter_map(|(variable, known)| {
            let Digits { base, literals } = known.digits.as_ref()?;
            let digits = literals.iter().rev().map(|&l| call.t.lit(l)).collect();
            Some(Range { variable, base: *base, digits, ends: None })
        });
        Self { all: all.collect(), asked: None }
    }

    /// Adds the values of the engine's model.
    pub(crate) fn add_model(&mut self, call: &SolveCall<'_>) {
        for range in &mut self.all {
            let bit = |&l: &Lit| u64::from(call.t.engine.value(l) == Some(true));
            let value = range.digits.iter().fold(0, |value, l| value << 1 | bit(l));
            range.add(value);
        }
    }

    /// The literals of a model with a better end, to search for next; `None` if there is none.
    pub(crate) fn next_question(&mut self) -> Option<Vec<Lit>> {
        let from = self.asked.map_or(0, |(at, _)| at);
        for at in from..self.all.len() {
            for side in 0..2 {
                let range = &mut self.all[at];
                let Some(digit) = range.next_digit(side) else { continue };
                let value = range.ends?[side].value;
                let mut question: Vec<Lit> = (0..=digit).map(|k| range.as_in(value, k)).collect();
                question[digit] = !question[digit];
                self.asked = Some((at, side));
                return Some(question);
            }
        }
        None
    }

    /// Records that no model is an answer to the last question.
    pub(crate) fn settle(&mut self) {
        let Some((at, side)) = self.asked else { return };
        if let Some(ends) = &mut self.all[at].ends {
            ends[side].settled += 1;
        }
    }

    /// Literals of which at least one holds in a model where a variable differs from its only value.
    pub(crate) fn changes(&self) -> impl Iterator<Item = Lit> {
        let only = self.all.iter().filter_map(|range| Some((range, range.only()?)));
        only.flat_map(|(range, value)| (0..range.digits.len()).map(move |k| !range.as_in(value, k)))
    }

    /// The digit, from a position on, of a variable with only one value so far that may differ in other models.
    pub(crate) fn next_candidate(&self, call: &SolveCall<'_>, from: usize) -> Option<(usize, Lit)> {
        let digits = self.all.iter().flat_map(|range| {
            (0..range.digits.len()).map(move |k| range.only().map(|value| range.as_in(value, k)))
        });
        let mut open = digits.enumerate().skip(from).filter_map(|(at, lit)| Some((at, lit?)));
        open.find(|&(_, lit)| call.t.engine.fixed(lit) != Some(true))
    }

    /// How many variables are known to have one value in all models, and how many may.
    pub(crate) fn certain(&self, call: &SolveCall<'_>) -> (u64, u64) {
        let is_fixed = |range: &Range| range.digits.iter().all(|&l| call.t.engine.fixed(l).is_some());
        let only = self.all.iter().filter(|range| range.only().is_some());
        only.fold((0, 0), |(certain, open), range| match is_fixed(range) {
            true => (certain + 1, open),
            false => (certain, open + 1),
        })
    }

    /// How many variables there are.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// By variable of the program: its least and its greatest value; with `only`, if these are the same.
    pub(crate) fn values(&self, variables: usize, only: bool) -> Vec<Option<(i64, i64)>> {
        let mut values = vec![None; variables];
        for range in self.all.iter().filter(|range| !only || range.only().is_some()) {
            let value = |end: End| range.base.saturating_add_unsigned(end.value);
            values[range.variable] = range.ends.map(|[least, greatest]| (value(least), value(greatest)));
        }
        values
    }
}
