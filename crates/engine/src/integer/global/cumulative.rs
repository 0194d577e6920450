//! Cumulative constraints: tasks that run at the same time never exceed a capacity.
//!
//! A task certainly runs from its latest start to its earliest end. The demands of these parts add up to a profile over
//! time; where a task does not fit on top of it, it starts later, or, with time reversed, ends earlier. The explanation is
//! about one time, or about a stretch if the task moves past very many: the parts that certainly run there, no more than
//! needed. Source: Le Pape, *Des systèmes d'ordonnancement flexibles et opportunistes*, 1988, for the time-table; Schutt,
//! Feydy, Stuckey and Wallace, *Explaining the cumulative propagator*, Constraints 2011, for explanations at points.

use super::{Bound, Finding, Past, View};

/// A start, a length greater than 0, and what is needed meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    /// When it starts.
    pub start: View,
    /// How long it runs, at least 1.
    pub length: i64,
    /// What it needs meanwhile.
    pub demand: i64,
}

impl Task {
    /// The same with time reversed: it starts when it ended.
    pub(super) fn mirrored(self) -> Self {
        let View { side, offset } = self.start;
        Self { start: View { side, offset: offset + self.length }.negated(), ..self }
    }
    /// The earliest start and the latest one.
    #[inline]
    pub(super) fn starts(&self, least: &[i64]) -> (i64, i64) {
        (self.start.least(least), self.start.greatest(least))
    }
    /// The same before a position of the trail.
    pub(super) fn starts_before(&self, past: Past) -> (i64, i64) {
        let View { side, offset } = self.start;
        (past.least(side) + offset, -past.least(side.opposite()) + offset)
    }
}

/// Tasks, and how much there is for all of them.
#[derive(Clone, Debug)]
pub struct Cumulative {
    /// What is to be done.
    pub tasks: Vec<Task>,
    /// What the tasks that run at a time may need together.
    pub capacity: i64,
}

/// A stretch of time, and what is certainly needed in it.
#[derive(Clone, Copy, Debug)]
struct Segment {
    from: i64,
    to: i64,
    height: i64,
}

/// The most steps by which a task is moved past a stretch.
const MAX_STEPS: i64 = 4;

impl Cumulative {
    fn task(&self, at: usize, mirrored: bool) -> Task {
        if mirrored { self.tasks[at].mirrored() } else { self.tasks[at] }
    }

    pub(super) fn propagate(&self, least: &[i64], open: bool, found: &mut Vec<Finding>) -> u64 {
        for mirrored in [false, true] {
            let tasks: Vec<Task> = (0..self.tasks.len()).map(|i| self.task(i, mirrored)).collect();
            let profile = profile(&tasks, least);
            if let Some(over) = profile.iter().find(|s| s.height > self.capacity) {
                found.push(Finding { bound: None, note: [over.from, 0] });
                break;
            }
            for (i, task) in tasks.iter().enumerate() {
                let mut start = task.starts(least).0;
                let first = profile.partition_point(|s| s.to <= start);
                for segment in &profile[first..] {
                    if segment.from >= start + task.length {
                        break;
                    }
                    let own = task.certain(least).filter(|c| c.0 <= segment.from && segment.to <= c.1);
                    let others = segment.height - own.map_or(0, |_| task.demand);
                    if others + task.demand <= self.capacity {
                        continue;
                    }
                    while start < segment.to {
                        let many = open || (segment.to - start) / task.length > MAX_STEPS;
                        let next = if many { segment.to } else { segment.to.min(start + task.length) };
                        let since = if many { segment.from } else { next - 1 };
                        let note = [since, 2 * i as i64 + i64::from(mirrored)];
                        found.push(Finding { bound: Some(task.start.at_least(next)), note });
                        start = next;
                    }
                    // Past the next stretch only what was not applied would lead.
                    if open {
                        break;
                    }
                }
            }
        }
        self.tasks.len() as u64 * 4
    }

    pub(super) fn explain(&self, finding: Finding, past: Past, bounds: &mut Vec<Bound>) {
        let [from, which] = finding.note;
        let (own, mirrored) = (finding.bound.map(|_| (which / 2) as usize), which % 2 == 1);
        let mut free = self.capacity;
        let mut to = from + 1;
        if let (Some(own), Some((_, value))) = (own, finding.bound) {
            let task = self.task(own, mirrored);
            to = value + task.start.offset;
            free -= task.demand;
            bounds.push(task.start.at_least(from - task.length + 1));
        }
        let others = (0..self.tasks.len()).filter(|&i| Some(i) != own).map(|i| self.task(i, mirrored));
        let runs = |task: &Task| {
            let (earliest, latest) = task.starts_before(past);
            latest <= from && earliest + task.length >= to
        };
        let mut running: Vec<Task> = others.filter(runs).collect();
        running.sort_by_key(|t| -t.demand);
        for task in running {
            if free < 0 {
                return;
            }
            free -= task.demand;
            bounds.extend([task.start.at_most(from), task.start.at_least(to - task.length)]);
        }
        debug_assert!(free < 0, "{finding:?} is not explained");
    }
}

impl Task {
    /// When it certainly runs.
    fn certain(&self, least: &[i64]) -> Option<(i64, i64)> {
        let (earliest, latest) = self.starts(least);
        let end = earliest + self.length;
        (latest < end).then_some((latest, end))
    }
}

/// What is certainly needed, in order of time.
fn profile(tasks: &[Task], least: &[i64]) -> Vec<Segment> {
    let mut changes: Vec<(i64, i64)> = Vec::new();
    for task in tasks {
        if let Some((from, to)) = task.certain(least) {
            changes.extend([(from, task.demand), (to, -task.demand)]);
        }
    }
    changes.sort_unstable();
    let mut segments: Vec<Segment> = Vec::new();
    let (mut time, mut height) = (0, 0);
    for (at, change) in changes {
        if height > 0 && at > time {
            segments.push(Segment { from: time, to: at, height });
        }
        (time, height) = (at, height + change);
    }
    segments
}
