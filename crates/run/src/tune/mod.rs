//! Which options of the search make a user's own instances fastest: a race of candidates against the default.
//!
//! A candidate is run on one instance after the other and dropped as soon as it is clearly behind (Birattari et al., *A racing
//! algorithm for configuring metaheuristics*, 2002), each run for at most a few times as long as the default took (capping:
//! Hutter et al., *ParamILS*, 2009). Options that helped are combined; the winner is run again beside the default with other
//! seeds, as one run may be luck.
//!
//! Invariant: times of different candidates are compared for the same goal: the end of the default's run or, if that was cut
//! off, as much as it had found.

mod candidate;
mod subject;

pub use candidate::Candidate;

use std::time::{Duration, Instant};

use asp_base::interrupt::Interrupt;
use asp_control::Error;
use asp_options::raw::{Action, Options};
use subject::{Goal, Subject};

/// Added to both times before they are compared, in seconds: less is noise.
const NOISE: f64 = 0.002;
/// Runs of fewer seconds are worth repeating.
const SHORT: f64 = 1.0;
/// Where the default takes fewer seconds on all instances, there is nothing to gain.
const LEAST: f64 = 0.01;
/// A run may take this many times as long as the default's.
const CAP: f64 = 3.0;
/// A run that was cut off counts as one of this many times its length (PAR2).
const PENALTY: f64 = 2.0;
/// A candidate is dropped when its time is this many times that of its competitor, on the same instances.
const BEHIND: f64 = 1.2;
/// Options with at most this part of the default's time are worth combining.
const HELPS: f64 = 0.95;
/// Options with at most this part of the default's time with other seeds are worth writing.
const WINS: f64 = 0.9;
/// Parts of the time after which no new candidate, and no new combination, is begun.
const SINGLES: f64 = 0.6;
const COMBINED: f64 = 0.75;
/// So many seeds confirm a winner at most.
const SEEDS: usize = 8;

/// The results of one candidate.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its options.
    pub candidate: Candidate,
    /// Its time as a part of the default's: the geometric mean over the instances that it was run on.
    pub ratio: f64,
    /// The number of instances that it was run on.
    pub runs: usize,
}

/// A report of a race while it runs.
#[derive(Clone, Debug)]
pub enum Told<'a> {
    /// The default was run: by instance its name, and its seconds if it ended in time.
    Default(&'a [(&'a str, Option<f64>)], f64),
    /// A candidate was tried.
    Tried(&'a Row),
    /// So many were not tried, for time was over.
    Untried(usize),
    /// None is tried: the default takes less than so many seconds.
    Nothing(f64),
}

/// How a race ended.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The best options; the default's if nothing is clearly better.
    pub best: Candidate,
    /// Times of the best candidate with other seeds, as parts of the default's with the same ones, smallest first.
    pub seeds: Vec<f64>,
}

/// The race: the options and files of the runs, further files of which each is an instance, and the time.
#[derive(Clone, Debug)]
pub struct Race<'a> {
    /// Files and options, as on a command line.
    pub words: &'a [String],
    /// One instance each; without any, the files are one.
    pub instances: &'a [String],
    /// Seconds for all runs.
    pub within: f64,
}

/// Why a race ends without a verdict.
#[derive(Debug)]
pub enum Failed {
    /// It has been told; the exit code.
    Told(u8),
    /// A stage failed, or a limit or signal stopped it.
    Error(Error),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// One instance, as far as a race is concerned.
trait Lane {
    /// The default's seconds to the goal, with the penalty if it did not get there.
    fn usual(&self) -> f64;
    /// Seconds that a candidate takes to the goal, with the penalty if it does not get there. `options` are those of its run.
    fn seconds(&mut self, candidate: &Candidate, options: &Options) -> Result<f64, Failed>;
}

/// An instance with what the default did.
struct Measured<'a> {
    subject: Subject<'a>,
    goal: Goal,
    usual: f64,
    /// How long others may take.
    most: Duration,
}

impl Lane for Measured<'_> {
    fn usual(&self) -> f64 {
        self.usual
    }

    fn seconds(&mut self, _: &Candidate, options: &Options) -> Result<f64, Failed> {
        let outcome = self.subject.run(options, &self.goal, self.most)?;
        Ok(outcome.reached.unwrap_or(PENALTY * self.most.as_secs_f64()))
    }
}

impl Race<'_> {
    /// Runs the race. `options` are those of `words` alone.
    pub fn run(
        &self,
        options: &Options,
        interrupt: &Interrupt,
        tell: &mut dyn FnMut(Told<'_>),
    ) -> Result<Verdict, Failed> {
        let mut subjects = Vec::new();
        if self.instances.is_empty() {
            subjects.push(Subject::open(options, None, interrupt).map_err(Failed::Told)?);
        }
        for instance in self.instances {
            subjects.push(Subject::open(options, Some(instance), interrupt).map_err(Failed::Told)?);
        }
        let has_objective = subjects.iter().any(Subject::has_objective);
        // Grounding is not what is tuned, and takes what it takes.
        let begin = Instant::now();
        let mut lanes = self.lanes(subjects, options, tell)?;
        if lanes.iter().all(|lane| lane.usual < LEAST) {
            tell(Told::Nothing(LEAST));
            return Ok(Verdict { best: Candidate::default(), seeds: Vec::new() });
        }
        self.between(&mut lanes, has_objective, &|| begin.elapsed().as_secs_f64(), tell)
    }

    /// Runs the default on each instance.
    fn lanes<'a>(
        &self,
        subjects: Vec<Subject<'a>>,
        options: &Options,
        tell: &mut dyn FnMut(Told<'_>),
    ) -> Result<Vec<Measured<'a>>, Failed> {
        let cut_off = (self.within / (6.0 * subjects.len() as f64)).max(0.1);
        let (mut lanes, mut told) = (Vec::new(), Vec::new());
        for mut subject in subjects {
            let most = Duration::from_secs_f64(cut_off);
            let mut outcome = subject.run(options, &Goal::End, most)?;
            if outcome.reached.is_some_and(|seconds| seconds < SHORT) {
                // The first run pays for memory that the others find warm.
                outcome = subject.run(options, &Goal::End, most)?;
            }
            told.push((subject.name, outcome.reached));
            let (goal, seconds) = outcome.goal(cut_off);
            let usual = seconds.unwrap_or(PENALTY * cut_off);
            let most = Duration::from_secs_f64((CAP * usual + 10.0 * NOISE).min(cut_off.max(usual)));
            lanes.push(Measured { subject, goal, usual, most });
        }
        tell(Told::Default(&told, cut_off));
        Ok(lanes)
    }

    /// The race itself; `seconds` tells how long it has lasted.
    fn between(
        &self,
        lanes: &mut [impl Lane],
        has_objective: bool,
        seconds: &dyn Fn() -> f64,
        tell: &mut dyn FnMut(Told<'_>),
    ) -> Result<Verdict, Failed> {
        let passed = |part: f64| seconds() >= part * self.within;
        // The quickest instances show first who is behind.
        lanes.sort_by(|a, b| a.usual().total_cmp(&b.usual()));
        let mut best = Row { candidate: Candidate::default(), ratio: 1.0, runs: lanes.len() };
        let (mut helpful, mut untried) = (Vec::new(), 0);
        for candidate in Candidate::all(has_objective) {
            let Some(options) = self.options(&candidate, None) else { continue };
            if passed(SINGLES) {
                untried += 1;
                continue;
            }
            let row = measured(lanes, candidate, &options, 1.0)?;
            tell(Told::Tried(&row));
            if row.runs == lanes.len() && row.ratio < HELPS {
                helpful.push(row.clone());
                if row.ratio < best.ratio {
                    best = row;
                }
            }
        }
        if untried > 0 {
            tell(Told::Untried(untried));
        }
        helpful.sort_by(|a, b| a.ratio.total_cmp(&b.ratio));
        for other in helpful.iter().skip(1) {
            let Some(both) = best.candidate.with(&other.candidate) else { continue };
            let Some(options) = self.options(&both, None).filter(|_| !passed(COMBINED)) else { continue };
            let row = measured(lanes, both, &options, best.ratio)?;
            tell(Told::Tried(&row));
            if row.runs == lanes.len() && row.ratio < HELPS * best.ratio {
                best = row;
            }
        }
        self.confirmed(best.candidate, lanes, &passed)
    }

    /// The options of the runs of a candidate, if they go with what the user gave.
    fn options(&self, candidate: &Candidate, seed: Option<usize>) -> Option<Box<Options>> {
        let mut words = self.words.to_vec();
        words.extend(candidate.words());
        words.extend(seed.map(|seed| format!("--seed={seed}")));
        match asp_options::parse(&words) {
            Ok(Action::Run(options)) => Some(options),
            _ => None,
        }
    }

    /// Runs a winner and the default with other seeds, in turns.
    fn confirmed(
        &self,
        candidate: Candidate,
        lanes: &mut [impl Lane],
        passed: &dyn Fn(f64) -> bool,
    ) -> Result<Verdict, Failed> {
        let mut seeds = Vec::new();
        while !candidate.is_default() && seeds.len() < SEEDS && !passed(1.0) {
            let seed = seeds.len() + 2;
            let both =
                (self.options(&Candidate::default(), Some(seed)), self.options(&candidate, Some(seed)));
            let (Some(default), Some(other)) = both else { break };
            let mut logs = 0.0;
            for lane in lanes.iter_mut() {
                let usual = lane.seconds(&Candidate::default(), &default)?;
                logs += ratio(lane.seconds(&candidate, &other)?, usual).ln();
            }
            seeds.push((logs / lanes.len() as f64).exp());
        }
        seeds.sort_by(f64::total_cmp);
        let wins = !seeds.is_empty() && seeds[seeds.len() / 2] <= WINS;
        Ok(Verdict { best: if wins { candidate } else { Candidate::default() }, seeds })
    }
}

fn ratio(seconds: f64, usual: f64) -> f64 {
    (seconds + NOISE) / (usual + NOISE)
}

/// Runs a candidate until it is behind its competitor, whose part of the default's time is given.
fn measured(
    lanes: &mut [impl Lane],
    candidate: Candidate,
    options: &Options,
    rival: f64,
) -> Result<Row, Failed> {
    let (mut logs, mut runs) = (0.0_f64, 0);
    for lane in lanes {
        logs += ratio(lane.seconds(&candidate, options)?, lane.usual()).ln();
        runs += 1;
        if (logs / f64::from(runs)).exp() > BEHIND * rival {
            break;
        }
    }
    Ok(Row { candidate, ratio: (logs / f64::from(runs)).exp(), runs: runs as usize })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    /// A lane that takes ten seconds, times a factor for each word that options have; runs pass the time of a clock.
    struct Fake {
        factors: Vec<(&'static str, f64)>,
        clock: Rc<Cell<f64>>,
    }

    impl Lane for Fake {
        fn usual(&self) -> f64 {
            10.0
        }

        fn seconds(&mut self, candidate: &Candidate, _: &Options) -> Result<f64, Failed> {
            let words = candidate.words();
            let factors = self.factors.iter().filter(|(word, _)| words.iter().any(|w| w == word));
            let seconds = factors.fold(10.0, |seconds, (_, factor)| seconds * factor);
            self.clock.set(self.clock.get() + seconds);
            Ok(seconds)
        }
    }

    fn raced(within: f64, factors: &[&[(&'static str, f64)]]) -> (Vec<String>, Option<usize>, Verdict) {
        let clock = Rc::new(Cell::new(0.0));
        let mut lanes: Vec<Fake> =
            factors.iter().map(|f| Fake { factors: f.to_vec(), clock: clock.clone() }).collect();
        let (mut rows, mut untried) = (Vec::new(), None);
        let race = Race { words: &[], instances: &[], within };
        let verdict = race.between(&mut lanes, false, &|| clock.get(), &mut |told| match told {
            Told::Tried(row) => {
                rows.push(format!("{:.2} {} {}", row.ratio, row.runs, row.candidate.words().join(" ")));
            }
            Told::Untried(number) => untried = Some(number),
            Told::Default(..) | Told::Nothing(_) => {}
        });
        (rows, untried, verdict.unwrap_or_else(|failed| panic!("{failed:?}")))
    }

    const VMTF: &str = "--heuristic=Vmtf";
    const LUBY: &str = "--restarts=L,100";

    #[test]
    fn what_helps_is_combined_and_confirmed() {
        let (rows, untried, verdict) =
            raced(1e6, &[&[(VMTF, 0.5), (LUBY, 0.8)], &[(VMTF, 0.5), (LUBY, 0.8)]]);
        assert_eq!(verdict.best.words(), [VMTF, LUBY], "{rows:#?}");
        assert_eq!(
            (rows.last().unwrap().as_str(), untried),
            ("0.40 2 --heuristic=Vmtf --restarts=L,100", None)
        );
        assert_eq!(verdict.seeds.len(), SEEDS);
        assert!(verdict.seeds.iter().all(|s| (s - 0.4).abs() < 0.01), "{:?}", verdict.seeds);
    }

    #[test]
    fn what_is_behind_is_left() {
        let (rows, _, verdict) = raced(1e6, &[&[(VMTF, 2.0)], &[(VMTF, 0.1)]]);
        assert!(rows.contains(&format!("2.00 1 {VMTF}")), "{rows:#?}");
        assert!(verdict.best.is_default() && verdict.seeds.is_empty());
    }

    #[test]
    fn without_time_nothing_is_claimed() {
        // Time for two candidates of ten seconds each.
        let (rows, untried, verdict) = raced(20.0, &[&[(VMTF, 0.5)]]);
        assert!(rows.len() < 4 && untried.is_some_and(|n| n > 10), "{rows:#?} {untried:?}");
        assert!(verdict.seeds.len() <= 1);
        let (_, untried, verdict) = raced(0.1, &[&[(VMTF, 0.5)]]);
        assert!(untried.is_some() && verdict.best.is_default());
    }
}
