//! Disjunctive constraints: no two tasks run at the same time.
//!
//! Three rules: tasks that do not fit between their earliest start and latest end are a conflict (overload); a task that
//! ends too late to precede any of the tasks that end by some time follows them all (edge finding); a task that ends too
//! late to precede another follows it (detectable precedences). With time reversed, the same rules bound ends. All use sums
//! over tasks in order of their earliest starts, without a tree: quadratic in their number, which is small where it
//! matters. Explanations are as weak as the sums allow. Source: Vilím, *Global constraints in scheduling*, 2007, and
//! *Computing explanations for the unary resource constraint*, CPAIOR 2005.

use super::cumulative::Task;
use super::{Bound, Finding, Past};

/// The tasks; demands do not matter.
#[derive(Clone, Debug)]
pub struct Disjunctive(pub Vec<Task>);

/// A task with its earliest start, and the time by which it must have ended.
#[derive(Clone, Copy, Debug)]
struct Window {
    at: usize,
    task: Task,
    earliest: i64,
    deadline: i64,
}

impl Window {
    fn latest(&self) -> i64 {
        self.deadline - self.task.length
    }
}

/// How a bound was found.
const EDGE: i64 = 0;
const PRECEDENCE: i64 = 2;

impl Disjunctive {
    /// The tasks by falling earliest starts.
    fn windows(&self, mirrored: bool, starts: impl Fn(&Task) -> (i64, i64)) -> Vec<Window> {
        let window = |(at, &task): (usize, &Task)| {
            let task = if mirrored { task.mirrored() } else { task };
            let (earliest, latest) = starts(&task);
            Window { at, task, earliest, deadline: latest + task.length }
        };
        let mut windows: Vec<Window> = self.0.iter().enumerate().map(window).collect();
        windows.sort_by_key(|w| -w.earliest);
        windows
    }

    pub(super) fn propagate(&self, least: &[i64], found: &mut Vec<Finding>) -> u64 {
        for mirrored in [false, true] {
            let windows = self.windows(mirrored, |task| task.starts(least));
            let mut finding = |w: &Window, value: i64, note: i64, kind: i64| {
                let which = 4 * w.at as i64 + kind + i64::from(mirrored);
                let bound = Some(w.task.start.at_least(value));
                found.push(Finding { bound, note: [note, which] });
            };
            for w in &windows {
                let end = w.earliest + w.task.length;
                let before = |o: &&Window| o.at != w.at && o.latest() < end;
                let ready = earliest_end(windows.iter().filter(before)).0;
                if ready > w.earliest {
                    finding(w, ready, end, PRECEDENCE);
                }
            }
            let mut deadlines: Vec<i64> = windows.iter().map(|w| w.deadline).collect();
            deadlines.sort_unstable();
            deadlines.dedup();
            for deadline in deadlines {
                let inside = || windows.iter().filter(|w| w.deadline <= deadline);
                let ready = earliest_end(inside()).0;
                if ready > deadline {
                    found.push(Finding { bound: None, note: [deadline, i64::from(mirrored)] });
                    return self.work();
                }
                // Up from the earliest: the greatest end so far; down from the latest: lengths of those that start no earlier.
                let mut total: i64 = inside().map(|w| w.task.length).sum();
                let mut end = i64::MIN;
                for w in windows.iter().rev() {
                    if w.deadline <= deadline {
                        end = end.max(w.earliest + total);
                        total -= w.task.length;
                        continue;
                    }
                    // What starts as early may come first or last in the order.
                    let joined = end.max(if total > 0 { w.earliest + total } else { i64::MIN });
                    if joined > deadline.saturating_sub(w.task.length) && ready > w.earliest {
                        finding(w, ready, deadline, EDGE);
                    }
                }
            }
        }
        self.work()
    }

    fn work(&self) -> u64 {
        (self.0.len() as u64).pow(2) / 2
    }

    pub(super) fn explain(&self, finding: Finding, past: Past, bounds: &mut Vec<Bound>) {
        let [limit, which] = finding.note;
        let windows = self.windows(which % 2 == 1, |task| task.starts_before(past));
        let Some((_, value)) = finding.bound else {
            // They end before the limit, and start too late for that.
            let (_, tasks, length) = earliest_end(windows.iter().filter(|w| w.deadline <= limit));
            for w in tasks {
                let start = w.task.start;
                bounds.extend([start.at_least(limit - length + 1), start.at_most(limit - w.task.length)]);
            }
            return;
        };
        let Some(own) = windows.iter().find(|w| w.at == (which / 4) as usize) else { return };
        let value = value + own.task.start.offset;
        let others = || windows.iter().filter(|w| w.at != own.at);
        let is_edge = which & PRECEDENCE == 0;
        let before = |w: &&Window| if is_edge { w.deadline <= limit } else { w.latest() < limit };
        // They come before it, and end no earlier than the bound says.
        let (_, tasks, length) = earliest_end(others().filter(before));
        for w in &tasks {
            let latest = if is_edge { limit - w.task.length } else { limit - 1 };
            bounds.extend([w.task.start.at_least(value - length), w.task.start.at_most(latest)]);
        }
        if !is_edge {
            bounds.push(own.task.start.at_least(limit - own.task.length));
            return;
        }
        // They and the task cannot all end by the limit.
        let early = |w: &Window| Window { earliest: w.earliest.min(own.earliest), ..*w };
        let joined: Vec<Window> = others().filter(before).map(early).collect();
        let (_, tasks, length) = earliest_end(joined.iter());
        let since = limit + 1 - length - own.task.length;
        bounds.push(own.task.start.at_least(since));
        for w in tasks {
            bounds.extend([w.task.start.at_least(since), w.task.start.at_most(limit - w.task.length)]);
        }
    }
}

/// The earliest end of a set of tasks, the tasks that determine it, and their total length. Pre: in order of falling
/// earliest starts.
fn earliest_end<'a>(windows: impl Iterator<Item = &'a Window>) -> (i64, Vec<&'a Window>, i64) {
    let (mut end, mut count, mut length) = (i64::MIN, 0, 0);
    let mut all = Vec::new();
    let mut total = 0;
    for w in windows {
        total += w.task.length;
        all.push(w);
        if w.earliest + total >= end {
            (end, count, length) = (w.earliest + total, all.len(), total);
        }
    }
    all.truncate(count);
    (end, all, length)
}
