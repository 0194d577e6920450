//! clingo's recorded outcomes for random programs: one hash per seed of each profile.
//!
//! `tests/recorded/outcomes.txt` has a section for each profile. Its first line is `profile NAME DIGEST`, where the
//! digest is of the texts of all programs of the section: if it differs from that of the generator's programs, the
//! records belong to other programs. Then line `n` is for seed `n`: a hash of the outcome (whether the program is
//! rejected; or its answer sets with repetitions and costs, in a normal form), or the reason why there is none (see
//! `Reason`). Brave and cautious consequences have one model; of an optimum only the costs count, with
//! `--opt-mode=optN` all optimal models: see `Mode::select`.

use super::compare::{MOST_MODELS, comparable, differ_in_vacuity, gave_up, is_large};
use super::exchange;
use super::generator::{Profile, generate};
use super::library;
use super::oracle::Oracle;
use super::outcome::{Mode, Outcome};
use super::tree::render;
use super::update;
use std::fmt::Write as _;
use std::ops::Range;

/// The profiles, each with the number of its recorded seeds.
pub fn profiles() -> [(Profile, u64); 6] {
    [
        (Profile::basic(), 3000),
        (Profile::aggregates(), 4000),
        (Profile::disjunctive(), 3000),
        (Profile::optimise(), 3000),
        (Profile::all(), 7000),
        (Profile::bounds(), 3000),
    ]
}

/// Why a program is skipped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// More answer sets than are asked for.
    Many,
    /// clingo takes more than 20 seconds.
    Late,
    /// clingo fails with an internal error.
    Broken,
    /// clingo finds different answer sets with and without preprocessing.
    Divided,
    /// No literal of the objective can hold, and one of the systems sees it in grounding already.
    Vacuous,
    /// Integers beyond 32 bits occur, or numbers of more than nine digits.
    Large,
}

impl Reason {
    const ALL: [(Reason, &str); 6] = [
        (Reason::Many, "many"),
        (Reason::Late, "late"),
        (Reason::Broken, "broken"),
        (Reason::Divided, "divided"),
        (Reason::Large, "large"),
        (Reason::Vacuous, "vacuous"),
    ];

    fn word(self) -> &'static str {
        Reason::ALL.iter().find(|r| r.0 == self).expect("all are listed").1
    }
}

/// The record of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Record {
    /// The hash of its outcome.
    Outcome(u64),
    /// Why there is none.
    LeftOut(Reason),
}

/// A program of a profile.
pub struct Subject {
    /// Its text.
    pub program: String,
    /// The question.
    pub mode: Mode,
}

/// The program of a seed.
pub fn subject(profile: &Profile, seed: u64) -> Subject {
    let case = generate(profile, seed);
    Subject { program: render(&case.statements), mode: case.mode }
}

impl Subject {
    /// What the text and the question contribute to a section's digest.
    pub fn digest(&self, seed: u64) -> u64 {
        let mut hash = Hash::new();
        hash.number(seed);
        hash.text(&self.program);
        hash.text(&format!("{:?}", self.mode));
        hash.end()
    }

    /// This system's outcome.
    pub fn solve(&self) -> Outcome {
        library::solve(&self.program, self.mode, MOST_MODELS)
    }

    /// The hash of an outcome in the records; `None` if it is of a kind that is never recorded.
    pub fn hash(&self, outcome: &Outcome) -> Option<u64> {
        let mut hash = Hash::new();
        match comparable(&self.program, outcome.clone()) {
            Outcome::TooMany | Outcome::Unfinished => return None,
            Outcome::Rejected(_) => hash.text("rejected"),
            Outcome::Models(models) => {
                hash.number(models.len() as u64);
                for model in &models {
                    hash.number(model.shown.len() as u64);
                    model.shown.iter().for_each(|symbol| hash.text(symbol));
                    hash.number(model.costs.len() as u64);
                    model.costs.iter().for_each(|&cost| hash.number(cost as u64));
                }
            }
        }
        Some(hash.end())
    }

    /// The record to be written.
    pub fn record(&self, oracle: &mut Oracle) -> Record {
        let outcome = oracle.solve(&self.program, self.mode, MOST_MODELS);
        let plain = oracle.solve_plainly(&self.program, self.mode, MOST_MODELS);
        let reason = if outcome == Outcome::TooMany || plain == Outcome::TooMany {
            Reason::Many
        } else if outcome == Outcome::Unfinished || plain == Outcome::Unfinished {
            Reason::Late
        } else if gave_up(&outcome) {
            Reason::Broken
        } else if self.hash(&outcome) != self.hash(&plain) {
            Reason::Divided
        } else {
            let own = self.solve();
            if is_large(&outcome) || is_large(&own) {
                Reason::Large
            } else if differ_in_vacuity(&outcome, &own) {
                Reason::Vacuous
            } else {
                return Record::Outcome(self.hash(&outcome).expect("an outcome to record"));
            }
        };
        Record::LeftOut(reason)
    }
}

/// The records of a profile.
pub struct Section {
    /// The profile.
    pub profile: Profile,
    /// The sum of the digests of its programs.
    pub digest: u64,
    /// By seed.
    pub records: Vec<Record>,
}

const FILE: &str = "outcomes.txt";

/// The recorded sections, in the order of [`profiles`].
pub fn read() -> Vec<Section> {
    let text = std::fs::read_to_string(exchange::path(FILE)).expect("tests/recorded/outcomes.txt is there");
    let mut sections: Vec<Section> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("profile ") {
            let (name, digest) = rest.split_once(' ').expect("a name and a digest");
            let profile = Profile::named(name).unwrap_or_else(|| panic!("no profile {name}"));
            let digest = u64::from_str_radix(digest, 16).expect("a digest");
            sections.push(Section { profile, digest, records: Vec::new() });
        } else if let Some(section) = sections.last_mut() {
            let reason = Reason::ALL.iter().find(|r| r.1 == line).map(|r| Record::LeftOut(r.0));
            let number = || u64::from_str_radix(line, 16).unwrap_or_else(|e| panic!("{line}: {e}"));
            section.records.push(reason.unwrap_or_else(|| Record::Outcome(number())));
        }
    }
    sections
}

/// The file's text for sections.
pub fn text(sections: &[Section]) -> String {
    let mut out =
        String::from("# tests/support/records.rs describes this file, tests/README.md how it is made.\n");
    for section in sections {
        let _ = writeln!(out, "profile {} {:016x}", section.profile.name, section.digest);
        for record in &section.records {
            let _ = match record {
                Record::Outcome(hash) => writeln!(out, "{hash:016x}"),
                Record::LeftOut(reason) => writeln!(out, "{}", reason.word()),
            };
        }
    }
    out
}

/// Writes sections to the file.
pub fn write(sections: &[Section]) {
    update::write(exchange::path(FILE), text(sections));
}

/// Calls `work` on each number of a range, in several threads, each with a state of its own; returns the results in
/// order.
pub fn in_parallel<S, T: Send>(
    range: Range<usize>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> T + Sync,
) -> Vec<T> {
    let next = std::sync::atomic::AtomicUsize::new(range.start);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut results: Vec<(usize, T)> = std::thread::scope(|scope| {
        let one = || {
            let (mut state, mut done) = (state(), Vec::new());
            loop {
                let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                if i >= range.end {
                    return done;
                }
                done.push((i, work(&mut state, i)));
            }
        };
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        threads.into_iter().flat_map(|t| t.join().expect("no panic")).collect()
    });
    results.sort_unstable_by_key(|r| r.0);
    results.into_iter().map(|r| r.1).collect()
}

/// FNV-1a with 64 bits (G. Fowler, L. C. Noll, P. Vo): simple, and the same everywhere.
struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    fn number(&mut self, n: u64) {
        self.bytes(&n.to_le_bytes());
    }
    /// Adds a text with its length, so that two consecutive texts differ from their concatenation.
    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }
    fn end(self) -> u64 {
        self.0
    }
}
