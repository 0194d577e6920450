//! Runs one `%@test`, and reports differences from its expectation.
//!
//! Invariant: a program under test is read, grounded and solved as on the command line. `contains` and `lacks` are
//! checked by adding a constraint that excludes what is expected, so they need no enumeration and see hidden atoms;
//! with an objective, they refer to the optimal answer sets.

use std::collections::BTreeSet;
use std::path::Path;

use crate::expectation::{Expectation, Test};
use crate::library::{self, LibraryLoader};
use crate::open;
use crate::run::steps::Steps;
use asp_analysis::buffers::{BufferLoader, Buffers};
use asp_base::diagnostic::Severity;
use asp_base::interrupt::{Interrupt, StopReason};
use asp_control::{Control, Error, Source};
use asp_options::disk;
use asp_options::warnings::Warnings;
use asp_report::answer_set::{AnswerTable, Rendering};
use asp_report::diagnostic;
use asp_solve::{Event, Flow, OptMode};

/// How many unexpected or missing answer sets are printed.
const SHOWN: usize = 5;

/// The results of a run.
struct Solved {
    satisfiable: bool,
    exhausted: bool,
    /// Number of answer sets (optimal ones, if there is an objective), as far as they were enumerated.
    count: u64,
    sets: Vec<BTreeSet<String>>,
    costs: Option<Vec<i64>>,
    /// The last step of the incremental mode, from 0.
    steps: u64,
}

/// How many answer sets to find and to keep.
#[derive(Clone, Copy)]
struct Wanted {
    /// Find this many, 0 for all.
    models: u64,
    /// Keep this many.
    keep: usize,
}

/// A constraint added to the program, and upper bounds on the costs of answer sets.
struct Extra {
    constraint: String,
    costs: Vec<i64>,
}

/// Runs a test of the file `path` with the given text; the error says what is wrong, in indented lines.
/// Texts that are open in an editor are read from there.
pub fn run(
    test: &Test,
    path: &Path,
    text: &[u8],
    buffers: &Buffers,
    warnings: &Warnings,
    interrupt: &Interrupt,
) -> Result<(), String> {
    let subject = Subject { test, path, text, buffers, warnings, interrupt };
    let solve = |extra: Option<Extra>, wanted| subject.solve(extra, wanted);
    // An (optimal) answer set that satisfies a constraint; there must be some without it.
    let against = |constraint: String| -> Result<Option<Solved>, String> {
        let one = Wanted { models: 1, keep: 1 };
        let best = solve(None, one)?;
        if !best.satisfiable {
            return Err("  expected an answer set, found none".into());
        }
        let costs = best.costs.unwrap_or_default();
        Ok(Some(solve(Some(Extra { constraint, costs }), one)?).filter(|found| found.satisfiable))
    };
    let list = |sets: &[BTreeSet<String>], mark: &str| -> String {
        let line = |set: &BTreeSet<String>| {
            format!("\n  {mark} {{{}}}", set.iter().cloned().collect::<Vec<_>>().join(" "))
        };
        let more = sets.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!("\n  {mark} and {more} more") } else { String::new() };
        sets.iter().take(SHOWN).map(line).collect::<String>() + &more
    };
    match &test.expectation {
        Expectation::Satisfiable(wanted) => {
            let found = solve(None, Wanted { models: 1, keep: 1 })?;
            match (wanted, found.satisfiable) {
                (true, false) => Err("  expected an answer set, found none".into()),
                (false, true) => {
                    Err(format!("  expected no answer set, found one{}", list(&found.sets, "+")))
                }
                _ => Ok(()),
            }
        }
        Expectation::Count(wanted) => {
            let found = solve(None, Wanted { models: wanted.saturating_mul(10) + 1000, keep: SHOWN })?;
            if found.count == *wanted && found.exhausted {
                return Ok(());
            }
            let least = if found.exhausted { "" } else { "at least " };
            let few = found.count as usize <= SHOWN;
            let sets = if few { list(&found.sets, "+") } else { String::new() };
            Err(format!("  expected {}, found {least}{}{sets}", answer_sets(*wanted), found.count))
        }
        Expectation::Optimum(wanted) => {
            let found = solve(None, Wanted { models: 1, keep: 0 })?;
            let costs = |costs: &[i64]| costs.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
            match &found.costs {
                Some(best) if best == wanted => Ok(()),
                Some(best) => Err(format!("  expected costs {}, found {}", costs(wanted), costs(best))),
                None if found.satisfiable => Err("  expected costs, but nothing is minimized".into()),
                None => Err(format!("  expected costs {}, found no answer set", costs(wanted))),
            }
        }
        Expectation::Sets(wanted) => {
            let found = solve(None, Wanted { models: 100_000, keep: 100_000 })?;
            let sets: BTreeSet<_> = found.sets.into_iter().collect();
            let missing: Vec<_> = wanted.difference(&sets).cloned().collect();
            let surplus: Vec<_> = sets.difference(wanted).cloned().collect();
            if missing.is_empty() && surplus.is_empty() {
                return Ok(());
            }
            let numbers = format!("  expected {}, found {}", answer_sets(wanted.len() as u64), sets.len());
            Err(format!("{numbers}{}{}", list(&missing, "-"), list(&surplus, "+")))
        }
        Expectation::Contains(atoms) => {
            let Some(found) = against(format!(":- {}.", atoms.join(", ")))? else { return Ok(()) };
            // Hidden atoms may hold nevertheless, so only shown ones are compared.
            let shown = |atom: &&String| found.sets.iter().any(|set| set.contains(*atom));
            let missing: Vec<&str> = atoms.iter().filter(|a| !shown(a)).map(String::as_str).collect();
            let sets = list(&found.sets, "+");
            Err(format!("  expected {} in each answer set, found one without{sets}", missing.join(", ")))
        }
        Expectation::Lacks(atoms) => {
            let body: Vec<String> = atoms.iter().map(|atom| format!("not {atom}")).collect();
            let Some(found) = against(format!(":- {}.", body.join(", ")))? else { return Ok(()) };
            let sets = list(&found.sets, "+");
            Err(format!("  expected no answer set with {}, found one{sets}", atoms.join(" or ")))
        }
        Expectation::Steps(wanted) => {
            let found = solve(None, Wanted { models: 1, keep: 0 })?;
            if found.steps == *wanted {
                return Ok(());
            }
            Err(format!("  expected the end at step {wanted}, found it at step {}", found.steps))
        }
        Expectation::Error(part) => match solve(None, Wanted { models: 1, keep: 0 }) {
            Ok(_) => Err("  expected an error, found none".into()),
            Err(text) if text.contains(part.as_str()) => Ok(()),
            Err(text) => Err(format!("  expected an error with `{part}`, found\n{text}")),
        },
    }
}

fn answer_sets(n: u64) -> String {
    format!("{n} answer set{}", if n == 1 { "" } else { "s" })
}

/// The bytes of a file that a test names: next to the file that contains the test, in a folder `instances` or
/// `programs` next to that file's folder, or where the command line would find it.
pub fn read(name: &str, path: &Path, buffers: &Buffers) -> Result<Source, String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let up = folder.parent().map(|up| [up.join("instances"), up.join("programs")]);
    let nearby = std::iter::once(folder.to_path_buf()).chain(up.into_iter().flatten());
    for candidate in nearby.map(|f| f.join(name)) {
        let name = candidate.display().to_string();
        if let Some(text) = buffers.get(&name) {
            return Ok(Source::new(name, text.as_bytes()));
        }
        if let Ok(bytes) = disk::read(&candidate) {
            return Ok(Source::new(name, bytes));
        }
    }
    match library::read(name) {
        Ok(found) => Ok(Source::new(found.name, found.bytes)),
        Err(error) => Err(format!("  file could not be opened: {name} ({error})")),
    }
}

struct Subject<'a> {
    test: &'a Test,
    path: &'a Path,
    text: &'a [u8],
    buffers: &'a Buffers,
    warnings: &'a Warnings,
    interrupt: &'a Interrupt,
}

impl Subject<'_> {
    fn solve(&self, extra: Option<Extra>, wanted: Wanted) -> Result<Solved, String> {
        let mut control = open::with_constants(self.interrupt.clone(), &self.test.consts);
        control.set_loader(BufferLoader { buffers: self.buffers.clone(), rest: LibraryLoader });
        control.add_source(Source::new(self.path.display().to_string(), self.text));
        for name in &self.test.files {
            control.add_source(read(name, self.path, self.buffers)?);
        }
        let result = call(&mut control, extra, wanted);
        let errors: String = control
            .take_diagnostics()
            .iter()
            .filter(|d| d.severity == Severity::Error || self.warnings.rejects(d))
            .map(|d| diagnostic::render(d, control.sources(), false))
            .collect();
        match result {
            _ if !errors.is_empty() => {
                Err(errors.lines().map(|l| format!("  {l}")).collect::<Vec<_>>().join("\n"))
            }
            Ok(found) => Ok(found),
            Err(Error::Stopped(StopReason::MemoryLimit)) => Err("  stopped by the memory limit".into()),
            Err(Error::Stopped(StopReason::TimeLimit)) => Err("  stopped by the time limit".into()),
            Err(error) => Err(format!("  {}", error.summary())),
        }
    }
}

fn call(control: &mut Control, extra: Option<Extra>, wanted: Wanted) -> Result<Solved, Error> {
    control.parse()?;
    // A constraint on the atoms of the last step can be added only once the incremental mode has ended.
    if control.is_incremental() {
        let mut steps = Steps::new(control);
        let mut last = None;
        let mut number = 0;
        while let Some(parts) = steps.next(control) {
            control.ground_parts(&parts)?;
            steps.open_query(control);
            let (found, done) = once(control, wanted, &[], |result| steps.are_done(result))?;
            last = Some(found);
            if done {
                break;
            }
            number += 1;
        }
        let Some(mut found) = last else { return Err(Error::Format("no step was made".into())) };
        if let Some(Extra { constraint, costs }) = extra.filter(|_| found.satisfiable) {
            control.add_source(Source::new("<test>", format!("#program test_. {constraint}")));
            control.ground_parts(&[("test_", Vec::new())])?;
            found = once(control, wanted, &costs, |_| true)?.0;
        }
        found.steps = number;
        return Ok(found);
    }
    let costs = extra.as_ref().map_or(Vec::new(), |extra| extra.costs.clone());
    if let Some(extra) = extra {
        control.add_source(Source::new("<test>", extra.constraint));
    }
    control.ground()?;
    Ok(once(control, wanted, &costs, |_| true)?.0)
}

/// One solve call, restricted to answer sets within these costs, if given, and whether it was the last one.
fn once(
    control: &mut Control,
    wanted: Wanted,
    costs: &[i64],
    done: impl Fn(&asp_solve::SolveResult) -> bool,
) -> Result<(Solved, bool), Error> {
    control.lower()?;
    let program = control.program();
    let objective = costs.is_empty() && (!program.objectives.is_empty() || !program.minimize.is_empty());
    let mut options = control.settings.solve.clone();
    options.models = Some(if objective { 0 } else { wanted.models });
    if !costs.is_empty() {
        (options.opt_mode, options.opt_bounds) = (OptMode::Enum, costs.to_vec());
    } else if objective {
        // More than one optimal answer set is needed only for counting.
        options.opt_mode = if wanted.models > 1 { OptMode::OptN } else { OptMode::Opt };
    }
    let plain = Rendering::Text { prefix: String::new(), suffix: String::new() };
    let separator = "\n";
    let table = AnswerTable::new(control.program(), control.symbols(), &plain, separator, false);
    let (mut sets, mut count) = (Vec::new(), 0);
    let best_only = objective && wanted.models > 1;
    let result = control.solve_events(&options, &[], &mut |event, _, _| {
        let Event::Model(model) = event else { return Flow::Continue };
        if best_only && !model.optimal {
            return Flow::Continue;
        }
        count += 1;
        if objective && !best_only {
            // Each answer set is better than the previous ones.
            sets.clear();
        }
        if sets.len() < wanted.keep {
            let mut text = Vec::new();
            table.write(&model, &mut text);
            let text = String::from_utf8_lossy(&text).into_owned();
            sets.push(text.lines().filter(|l| !l.is_empty()).map(String::from).collect());
        }
        if best_only && count >= wanted.models { Flow::Stop } else { Flow::Continue }
    })?;
    if let Some(reason) = result.stopped {
        return Err(Error::Stopped(reason));
    }
    let last = done(&result);
    let found = Solved {
        satisfiable: result.satisfiable,
        exhausted: result.exhausted,
        count,
        sets,
        costs: result.costs,
        steps: 0,
    };
    Ok((found, last))
}
