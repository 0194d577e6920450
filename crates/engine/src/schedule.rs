//! Schedules: sequences of conflict counts for restarts and deletions.
//!
//! Invariant: every number is at least 1; a schedule depends only on how often it has fired.
//! Source: Luby, Sinclair and Zuckerman, *Optimal speedup of Las Vegas algorithms*, IPL 1993.

/// How the numbers of a schedule grow.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Growth {
    /// They stay the same.
    None,
    /// As Luby's sequence does.
    Luby,
    /// By a factor each time.
    Factor(f64),
    /// By a summand each time.
    Summand(u64),
}

/// A sequence of numbers of conflicts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Schedule {
    /// The first one, and the unit of Luby's sequence.
    pub first: u64,
    /// How they grow.
    pub growth: Growth,
    /// After this many, the sequence starts again, the next time after one more (0: never).
    pub repeat: u64,
}

/// Luby's sequence at a position, counted from 0: 1 1 2 1 1 2 4 ...
fn luby(position: u64) -> u64 {
    let mut at = position.saturating_add(1);
    loop {
        let bits = u64::BITS - at.leading_zeros();
        // 2^bits - 1 is the length of the shortest complete sequence that reaches the position.
        if at == (u64::MAX >> (u64::BITS - bits)) {
            return 1 << (bits - 1);
        }
        at -= (1 << (bits - 1)) - 1;
    }
}

/// A schedule in progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sequence {
    schedule: Schedule,
    at: u64,
    repeat: u64,
}

impl Sequence {
    pub(crate) fn new(schedule: Schedule) -> Self {
        Self { schedule, at: 0, repeat: schedule.repeat }
    }
    pub(crate) fn length(&self) -> u64 {
        let first = self.schedule.first;
        let length = match self.schedule.growth {
            Growth::None => first,
            Growth::Luby => first.saturating_mul(luby(self.at)),
            // Casts saturate.
            Growth::Factor(f) => (first as f64 * f.powf(self.at as f64)) as u64,
            Growth::Summand(n) => first.saturating_add(n.saturating_mul(self.at)),
        };
        length.max(1)
    }
    /// Goes on to the next number.
    pub(crate) fn advance(&mut self) {
        self.at += 1;
        if self.repeat > 0 && self.at >= self.repeat {
            self.at = 0;
            self.repeat += 1;
        }
    }
    /// Starts again.
    pub(crate) fn rewind(&mut self) {
        self.at = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(growth: Growth, repeat: u64, expect: &[u64]) {
        let mut sequence = Sequence::new(Schedule { first: 10, growth, repeat });
        let lengths: Vec<u64> = expect
            .iter()
            .map(|_| {
                let length = sequence.length();
                sequence.advance();
                length
            })
            .collect();
        assert_eq!(lengths, expect);
    }

    #[test]
    fn sequences() {
        check(Growth::None, 0, &[10, 10, 10]);
        check(Growth::Luby, 0, &[10, 10, 20, 10, 10, 20, 40, 10, 10, 20, 10, 10, 20, 40, 80, 10]);
        check(Growth::Factor(1.5), 0, &[10, 15, 22, 33]);
        check(Growth::Summand(3), 0, &[10, 13, 16, 19]);
        check(Growth::Summand(3), 2, &[10, 13, 10, 13, 16, 10, 13, 16, 19, 10]);
        check(Growth::Factor(1e300), 0, &[10, u64::MAX, u64::MAX]);
    }
}
