//! The steps of the built-in incremental mode (`#include <incmode>.`).
//!
//! Step 0 grounds `base` and `check(0)`, every other step `step(t)` and `check(t)`. The external `query(t)` is true and
//! that of the previous step is released. The constants `imin`, `imax` and `istop` decide when it ends.

use asp_base::symbol::Sym;
use asp_control::Control;
use asp_solve::SolveResult;

/// The result at which the steps end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Until {
    Satisfiable,
    Unsatisfiable,
    Unknown,
    Never,
}

/// The steps of a run.
#[derive(Debug)]
pub(crate) struct Steps {
    next: i64,
    least: i64,
    most: Option<i64>,
    until: Until,
}

impl Steps {
    /// Reads the constants.
    pub(crate) fn new(control: &mut Control) -> Self {
        let stop = control.constant("istop");
        let mut number = |name| control.constant(name).and_then(|s| control.symbols().as_num(s));
        let (least, most) = (number("imin").unwrap_or(0), number("imax"));
        let until = match stop.map(|s| control.symbols().display(s)).as_deref() {
            None | Some("\"SAT\"") => Until::Satisfiable,
            Some("\"UNSAT\"") => Until::Unsatisfiable,
            Some("\"UNKNOWN\"") => Until::Unknown,
            Some(_) => Until::Never,
        };
        Self { next: 0, least, most, until }
    }

    /// The steps up to the given one, ignoring the constants.
    pub(crate) fn up_to(last: i64) -> Self {
        Self { next: 0, least: 0, most: Some(last.saturating_add(1)), until: Until::Never }
    }

    /// The parts of the next step; `None` past `imax`.
    pub(crate) fn next(&mut self, control: &mut Control) -> Option<Vec<(&'static str, Vec<Sym>)>> {
        let step = self.next;
        if self.most.is_some_and(|most| step >= most) {
            return None;
        }
        self.next += 1;
        let t = control.number(step);
        if step == 0 {
            return Some(vec![("base", Vec::new()), ("check", vec![t])]);
        }
        let last = control.number(step - 1);
        let query = control.function("query", &[last]);
        // Grounding may have found that nothing depends on it.
        let _ = control.release_external(query);
        Some(vec![("step", vec![t]), ("check", vec![t])])
    }

    /// Makes the query of the last grounded step true.
    pub(crate) fn open_query(&self, control: &mut Control) {
        let t = control.number(self.next - 1);
        let query = control.function("query", &[t]);
        let _ = control.assign_external(query, true);
    }

    /// Whether the last step had the wanted result, and there were enough steps.
    pub(crate) fn are_done(&self, result: &SolveResult) -> bool {
        let reached = match self.until {
            Until::Satisfiable => result.satisfiable,
            Until::Unsatisfiable => !result.satisfiable && result.exhausted,
            Until::Unknown => !result.satisfiable && !result.exhausted,
            Until::Never => false,
        };
        reached && self.next >= self.least
    }
}
