//! Random programs under random options: threads, strategies, projections, consequences, objectives, rewritings,
//! limits. A quarter are runs of the binary, with configurations and options of the search by name, and JSON output. A
//! run must report what the definition says, or with a limit a part of it, and must claim nothing that was not proven.
//!
//! `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` set the first seed, which is printed, and the number of runs; a failure is shrunk.

use crate::support::generator::{Profile, generate};
use crate::support::hunt::{number, seed_of_commit};
use crate::support::records::in_parallel;
use crate::support::subject;
use crate::support::tree::{Tree, render, shrink, text};
use crate::support::wish::Wish;
use asp::{Control, Interrupt, StopReason};
use asp_base::rng::Rng;
use asp_base::symbol::Symbols;
use asp_oracle::brute_force;
use asp_program::ground_program::ShowItem;
use asp_program::{AtomId, Literal, Program};
use asp_solve::{EnumMode, Event, Flow, Model, OptMode, Projection, SolveOptions, SolveResult};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Number of runs in the normal test suite.
const RUNS: u64 = 500;
/// The number of atoms up to which all worlds are tried; larger programs are compared with a run without options.
const FEW_ATOMS: usize = 13;
/// Programs with more answer sets are skipped.
const MOST: usize = 300;

/// A shown thing: whether it is an atom, and its text. Facts are distinguished from terms that look like them.
pub(super) type Item = (Kind, String);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Fact,
    Atom,
    Term,
}

/// An answer set, as far as runs are compared by it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Set {
    pub(super) items: BTreeSet<Item>,
    /// `#project` atoms.
    pub(super) projected: BTreeSet<String>,
    pub(super) costs: Vec<i64>,
}

/// A program prepared for the solver; `None` if it is rejected or too large.
fn prepared(program: &str, wish: Option<&Wish>, interrupt: Interrupt) -> Option<Control> {
    let mut control = Control::with_interrupt(interrupt);
    if let Some(wish) = wish {
        control.settings.ground.rewritings = wish.rewritings;
    }
    control.settings.ground.instance_limit = Some(20_000);
    control.add(program);
    control.ground().and_then(|()| control.lower()).ok()?;
    Some(control)
}

fn name(program: &Program, symbols: &Symbols, atom: AtomId) -> String {
    let mut text = String::new();
    program.atoms.write(atom, symbols, &mut text);
    text
}

/// What a show entry shows.
fn item(program: &Program, symbols: &Symbols, item: ShowItem) -> Item {
    let mut text = String::new();
    program.write_shown(item, symbols, &mut text);
    let kind = match item {
        ShowItem::Atom(_) => Kind::Atom,
        ShowItem::Fact(_) => Kind::Fact,
        ShowItem::Term(_) | ShowItem::Value(_) | ShowItem::Digit(_) => Kind::Term,
    };
    (kind, text)
}

/// The answer set in which literals hold.
fn set(program: &Program, symbols: &Symbols, costs: &[i64], holds: &dyn Fn(Literal) -> bool) -> Set {
    let shown = program.shown().filter(|(_, _, condition)| condition.iter().all(|&l| holds(l)));
    let projected = program.project.iter().flatten().filter(|&&a| holds(Literal::pos(a)));
    Set {
        items: shown.map(|(_, shown, _)| item(program, symbols, shown)).collect(),
        projected: projected.map(|&a| name(program, symbols, a)).collect(),
        costs: costs.to_vec(),
    }
}

/// All answer sets; by the definition, if there are few atoms.
fn expected(program: &str) -> Option<Vec<Set>> {
    let mut control = prepared(program, None, Interrupt::new())?;
    let mut found = Vec::new();
    let options =
        SolveOptions { models: Some(MOST as u64 + 1), opt_mode: OptMode::Enum, ..SolveOptions::default() };
    let receive = &mut |event: Event<'_>, program: &Program, symbols: &Symbols| {
        if let Event::Model(model) = event {
            found.push(set(program, symbols, model.costs, &|l| model.holds(l)));
        }
        Flow::Continue
    };
    let result = control.solve_events(&options, &[], receive).ok()?;
    if !result.exhausted || found.len() > MOST {
        return None;
    }
    let (program, symbols) = (control.program(), control.symbols());
    if program.atoms.len() <= FEW_ATOMS {
        let mut by_definition = Vec::new();
        for model in brute_force::answer_sets(program, symbols) {
            let costs = model.objective_costs(&program.objectives)?;
            let mut levels: Vec<(i64, i64)> =
                program.objectives.iter().zip(costs).map(|(o, cost)| (-o.priority, cost)).collect();
            levels.sort_by_key(|level| level.0);
            let costs: Vec<i64> = levels.into_iter().map(|level| level.1).collect();
            by_definition.push(set(program, symbols, &costs, &|l| model.contains(l.atom()) != l.is_neg()));
        }
        return Some(by_definition);
    }
    Some(found)
}

/// The reports of a run.
#[derive(Default)]
struct Report {
    sets: Vec<(Set, bool)>,
    /// The last estimate of consequences.
    estimate: Option<BTreeSet<Item>>,
    proven: bool,
    lower: Vec<i64>,
    result: SolveResult,
}

/// Stops a run when its time is over; until what is returned is dropped.
fn watch(wish: &Wish, interrupt: Interrupt) -> std::sync::mpsc::Sender<()> {
    let stop = wish.stop.unwrap_or(30_000_000);
    let (done, wait) = std::sync::mpsc::channel::<()>();
    std::thread::spawn(move || {
        if wait
            .recv_timeout(Duration::from_micros(stop))
            .is_err_and(|e| e == std::sync::mpsc::RecvTimeoutError::Timeout)
        {
            interrupt.stop(StopReason::TimeLimit);
        }
    });
    done
}

/// The same by what answers print.
fn report_of_terms(program: &str, wish: &Wish, options: &SolveOptions) -> Option<Report> {
    let interrupt = Interrupt::new();
    let mut control = prepared(program, Some(wish), interrupt.clone())?;
    let _watch = watch(wish, interrupt);
    let mut report = Report::default();
    let mut handle = control.answers().options(|o| *o = options.clone()).start().ok()?;
    while let Ok(Some(event)) = handle.next_event() {
        let (costs, optimal) = match event {
            Event::Model(model) => (model.costs.to_vec(), model.optimal),
            Event::Optimum => {
                report.proven = true;
                continue;
            }
            Event::LowerBound(lower) => {
                report.lower = lower.to_vec();
                continue;
            }
        };
        let terms = handle.answer()?;
        let mut items: BTreeSet<Item> = terms.terms().map(|t| (Kind::Atom, t.to_string())).collect();
        let ranges = terms.ranges().filter(|(_, least, greatest)| least < greatest);
        items.extend(ranges.map(|(name, a, b)| (Kind::Atom, format!("__csp({name},{a}..{b})"))));
        if wants_consequences(options) {
            report.estimate = Some(items);
        } else {
            report.sets.push((Set { items, projected: BTreeSet::new(), costs }, optimal));
        }
    }
    report.result = handle.finish();
    Some(report)
}

fn report(program: &str, wish: &Wish, options: &SolveOptions) -> Option<Report> {
    let interrupt = Interrupt::new();
    let mut control = prepared(program, Some(wish), interrupt.clone())?;
    let _watch = watch(wish, interrupt);
    let mut report = Report::default();
    let consequences = wants_consequences(options);
    let add = |report: &mut Report, model: &Model<'_>, program: &Program, symbols: &Symbols| {
        if consequences {
            let shows = program.shown().filter(|(entry, ..)| model.shown.get(*entry) == Some(&true));
            report.estimate = Some(shows.map(|(_, shown, _)| item(program, symbols, shown)).collect());
        } else {
            let set = with_facts_as_atoms(set(program, symbols, model.costs, &|l| model.holds(l)));
            report.sets.push((set, model.optimal));
        }
    };
    let result = control.solve_events(options, &[], &mut |event, program, symbols| {
        match event {
            Event::Model(model) => add(&mut report, &model, program, symbols),
            Event::Optimum => report.proven = true,
            Event::LowerBound(lower) => report.lower = lower.to_vec(),
        }
        Flow::Continue
    });
    report.result = result.ok()?;
    Some(report)
}

/// The same by the binary, whose JSON does not tell facts, atoms and terms apart.
fn report_of_binary(program: &str, wish: &Wish, options: &SolveOptions) -> Result<Report, String> {
    let arguments = wish.arguments(options).unwrap_or_default();
    let reported = subject::reported(program, &arguments)?;
    let mut report = Report { lower: reported.lower, ..Report::default() };
    report.result.exhausted = reported.exhausted;
    report.result.satisfiable = matches!(reported.result.as_str(), "SATISFIABLE" | "OPTIMUM FOUND");
    report.proven = reported.result == "OPTIMUM FOUND";
    for model in reported.models {
        // What integers cost is no part of the answer set.
        let shown = model.shown.into_iter().filter(|text| !text.starts_with("__csp_cost("));
        let items = shown.map(|text| (Kind::Atom, text)).collect();
        if wants_consequences(options) {
            report.estimate = Some(items);
            report.result.costs = Some(model.costs).filter(|c| !c.is_empty());
        } else {
            report.sets.push((Set { items, projected: BTreeSet::new(), costs: model.costs }, model.optimal));
        }
    }
    Ok(report)
}

/// An answer set as JSON tells it.
fn plain(set: &Set) -> Set {
    let items = set.items.iter().map(|item| (Kind::Atom, item.1.clone())).collect();
    Set { items, projected: BTreeSet::new(), costs: set.costs.clone() }
}

/// The same with facts as other atoms: which atoms grounding finds to be facts depends on the rewritings.
fn with_facts_as_atoms(set: Set) -> Set {
    let kind = |kind| if kind == Kind::Fact { Kind::Atom } else { kind };
    Set { items: set.items.into_iter().map(|(k, name)| (kind(k), name)).collect(), ..set }
}

fn wants_consequences(options: &SolveOptions) -> bool {
    matches!(options.enum_mode, EnumMode::Brave | EnumMode::Cautious | EnumMode::Query)
}

/// How often each set occurs.
fn counted<'a>(sets: impl Iterator<Item = &'a Set>, key: &dyn Fn(&Set) -> Set) -> BTreeMap<Set, usize> {
    let mut count = BTreeMap::new();
    for set in sets {
        *count.entry(key(set)).or_insert(0) += 1;
    }
    count
}

/// What is wrong with a run; `None` if nothing is, or if there is nothing to compare. `of_terms`: only what answers print is
/// looked at.
pub(super) fn wrong(program: &str, wish: &Wish, all: &[Set], of_terms: bool) -> Option<String> {
    let mut options = wish.options.clone();
    let has_costs = all.first().is_some_and(|s| !s.costs.is_empty());
    if let Some(at) = wish.bounds.filter(|_| has_costs && options.opt_mode != OptMode::Ignore) {
        options.opt_bounds = all[at % all.len()].costs.clone();
    }
    if let Some(at) = wish.stop_at.filter(|_| has_costs) {
        options.opt_stop = all[at % all.len()].costs.clone();
    }
    let by_binary = wish.command.is_some() || of_terms;
    let report = if wish.command.is_some() {
        match report_of_binary(program, wish, &options) {
            Ok(report) => report,
            Err(message) => return Some(message),
        }
    } else {
        let report = if of_terms { report_of_terms } else { report };
        match catch_unwind(AssertUnwindSafe(|| report(program, wish, &options))) {
            Ok(report) => report?,
            Err(_) => return Some("panic".into()),
        }
    };
    let uses_costs = has_costs && options.opt_mode != OptMode::Ignore;
    // Consequences within a projection tell facts apart: they are not projected on.
    let tells_facts = wants_consequences(&options) && options.projection == Projection::Project;
    // The costs of a run that ignores them are not reported.
    let strip = |s: &Set| {
        let s = Set { costs: if uses_costs { s.costs.clone() } else { Vec::new() }, ..s.clone() };
        if tells_facts { s } else { with_facts_as_atoms(s) }
    };
    let bounded: Vec<Set> = all
        .iter()
        .filter(|s| options.opt_bounds.is_empty() || s.costs <= options.opt_bounds)
        .map(strip)
        .collect();
    let optimises = uses_costs && matches!(options.opt_mode, OptMode::Opt | OptMode::OptN);
    let best = bounded.iter().map(|s| &s.costs).min().filter(|_| optimises).cloned();
    let optimal: Vec<Set> =
        bounded.iter().filter(|s| best.as_ref().is_none_or(|b| s.costs == *b)).cloned().collect();
    let told = |s: &Set| if by_binary { plain(s) } else { s.clone() };
    let Report { sets, estimate, result, .. } = &report;
    let complain = |what: &str| {
        Some(format!("{what}\nreported {sets:#?}\n{estimate:?}\n{result:?}\nexpected {bounded:#?}"))
    };

    if result.exhausted && result.stopped.is_some() {
        return complain("stopped, and nothing is left");
    }
    let is_good_enough = |costs: &Vec<i64>| !options.opt_stop.is_empty() && *costs <= options.opt_stop;
    let reached = optimises && sets.iter().map(|(s, _)| &s.costs).chain(&result.costs).any(is_good_enough);
    if !result.exhausted && !reached && !wish.is_limited() {
        return complain("ended early without a limit");
    }
    if result.satisfiable != (!sets.is_empty() || estimate.is_some()) {
        return complain("satisfiable without an answer set, or the other way round");
    }
    if result.exhausted && !result.satisfiable && !bounded.is_empty() {
        return complain("there is an answer set");
    }
    for (set, flagged) in sets {
        if !bounded.iter().any(|s| told(s) == *set) {
            return complain("this is no answer set");
        }
        if *flagged && best.as_ref().is_some_and(|b| set.costs != *b) {
            return complain("not optimal");
        }
    }
    if let Some(best) = &best {
        if report.lower.as_slice() > best.as_slice() {
            return complain(&format!("wrong lower bound {:?}", report.lower));
        }
        let last = sets.iter().map(|(s, _)| &s.costs).min().or(result.costs.as_ref());
        if (report.proven || result.exhausted) && last != Some(best) {
            return complain("proven, but not the best");
        }
    }
    if wants_consequences(&options) {
        // JSON does not tell what of the shown is projected on; the binary never ignores #project here, as clingo.
        let projects = options.projection == Projection::Project || program.contains("#project");
        if by_binary && projects && options.projection != Projection::Show {
            return None;
        }
        return consequences(&report, &options, &optimal, optimises, by_binary).and_then(complain);
    }
    let key = |s: &Set| match options.projection {
        Projection::None => s.clone(),
        // The binary does not project on names that begin with `_`, other than the values of integer variables.
        Projection::Show => Set {
            items: s.items.iter().filter(|i| !by_binary || is_projected(&i.1)).cloned().collect(),
            projected: BTreeSet::new(),
            costs: Vec::new(),
        },
        Projection::Project => Set { items: BTreeSet::new(), costs: Vec::new(), ..s.clone() },
    };
    // On the way to the optimum there are others, and only one of several optimal ones is reported.
    let way = optimises && options.opt_mode == OptMode::Opt;
    let found = sets.iter().filter(|(_, flagged)| !optimises || *flagged).map(|(s, _)| s);
    let (found, mut wanted) = (counted(found, &key), counted(optimal.iter(), &key));
    if options.projection != Projection::None {
        wanted.values_mut().for_each(|n| *n = 1);
    }
    if by_binary {
        let kinds = std::mem::take(&mut wanted);
        kinds.iter().for_each(|(set, n)| *wanted.entry(plain(set)).or_insert(0) += n);
    }
    // How often an answer set occurs depends on which theory atoms remain.
    let theory = program.contains("#theory");
    let often = |n: usize| if theory { 1 } else { n };
    if !way && found.iter().any(|(set, n)| wanted.get(set).is_none_or(|&w| often(*n) > often(w))) {
        return complain("an answer set comes too often");
    }
    if !way
        && result.exhausted
        && wanted.iter().any(|(set, &w)| found.get(set).is_none_or(|&n| often(n) < often(w)))
    {
        return complain("an answer set is missing");
    }
    None
}

/// Whether the binary projects on a shown atom or term.
fn is_projected(name: &str) -> bool {
    !name.starts_with('_') || name.starts_with("__csp(")
}

/// What is wrong with reported consequences.
fn consequences(
    report: &Report,
    options: &SolveOptions,
    sets: &[Set],
    optimises: bool,
    by_binary: bool,
) -> Option<&'static str> {
    // Without enumeration of optimal models, they are the consequences of whatever was found on the way.
    if optimises && options.opt_mode == OptMode::Opt {
        return None;
    }
    let Some(estimate) = &report.estimate else { return None };
    let brave = options.enum_mode == EnumMode::Brave;
    let members = |s: &Set| -> BTreeSet<Item> {
        if options.projection == Projection::Project {
            s.projected.iter().map(|name| (Kind::Atom, name.clone())).collect()
        } else {
            s.items.clone()
        }
    };
    let mut sum: Option<BTreeSet<Item>> = None;
    for members in sets.iter().map(members) {
        sum = Some(match sum {
            None => members,
            Some(sum) if brave => &sum | &members,
            Some(sum) => &sum & &members,
        });
    }
    let sum = sum?;
    // The binary does not tell atoms and terms apart that look the same; each is a consequence by itself.
    let of_atoms = |items: &BTreeSet<Item>| -> BTreeSet<Item> {
        let all = options.projection != Projection::Project;
        let items = items.iter().filter(|i| all || i.0 == Kind::Atom);
        items.map(|i| (if by_binary || i.0 == Kind::Fact { Kind::Atom } else { i.0 }, i.1.clone())).collect()
    };
    let estimate = of_atoms(estimate);
    // Not everything that is projected on is shown.
    let shown: BTreeSet<Item> = match options.projection {
        Projection::Project => {
            let possible: BTreeSet<Item> = sets.iter().flat_map(|s| s.items.iter().cloned()).collect();
            &sum & &possible
        }
        _ => of_atoms(&sum),
    };
    // On the way to the optimum there were others.
    let whole = report.result.exhausted;
    let (estimate, shown) = by_ranges(estimate, shown, whole);
    match (brave, whole) {
        (_, true) if estimate != shown => Some("other consequences"),
        (true, false) if !optimises && !estimate.is_subset(&shown) => Some("too many consequences"),
        (false, false) if !optimises && !shown.is_subset(&estimate) => Some("too few consequences"),
        _ => None,
    }
}

/// Reported and expected consequences, the latter with the least and the greatest value of each variable of which the former
/// have a range; if they are not the `whole`, that may be smaller.
fn by_ranges(
    estimate: BTreeSet<Item>,
    mut expected: BTreeSet<Item>,
    whole: bool,
) -> (BTreeSet<Item>, BTreeSet<Item>) {
    let mut reported = BTreeSet::new();
    for (kind, text) in estimate {
        let range = text.strip_suffix(')').and_then(|text| {
            let (name, range) = text.rsplit_once(',')?;
            let (least, greatest) = range.split_once("..")?;
            Some((format!("{name},"), least.parse::<i64>().ok()?, greatest.parse::<i64>().ok()?))
        });
        let Some((name, least, greatest)) = range else {
            reported.insert((kind, text));
            continue;
        };
        let value = |item: &Item| item.1.strip_prefix(&name)?.strip_suffix(')')?.parse::<i64>().ok();
        let values: BTreeSet<i64> = expected.iter().filter_map(value).collect();
        expected.retain(|item| value(item).is_none());
        let ends = values.first().zip(values.last()).map(|(&a, &b)| (a, b));
        let fits = !whole && ends.is_some_and(|(a, b)| a <= least && greatest <= b);
        reported.insert((
            kind,
            if fits { format!("{name}{ends:?}") } else { format!("{name}{:?}", Some((least, greatest))) },
        ));
        expected.insert((kind, format!("{name}{ends:?}")));
    }
    (reported, expected)
}

/// The statements and the options of a seed.
fn case(seed: u64) -> (Vec<Tree>, Wish) {
    let mut rng = Rng::new(seed ^ 0x5eed);
    let profiles =
        [Profile::all(), Profile::optimise(), Profile::all(), Profile::disjunctive(), Profile::aggregates()];
    let mut profile = profiles[rng.below(profiles.len() as u64) as usize].clone();
    // The options determine the question.
    (profile.consequences, profile.optimise) = (0.0, profile.optimise.max(0.4));
    let mut statements = generate(&profile, seed).statements;
    let wish = Wish::random(&mut rng);
    statements.extend(wish.extra.iter().map(|&extra| text(extra)));
    (statements, wish)
}

/// What is wrong with a run of these statements; `Ok(false)` if nothing was compared.
fn tried(statements: &[Tree], wish: &Wish) -> Result<bool, String> {
    let program = render(statements);
    let Some(all) = expected(&program) else { return Ok(false) };
    wrong(&program, wish, &all, false).map_or(Ok(true), Err)
}

#[test]
fn runs_under_random_options_are_right() {
    let first = number("ASP_RANDOM_SEED", seed_of_commit());
    let count = number("ASP_RANDOM_COUNT", RUNS);
    eprintln!("{count} runs under random options, ASP_RANDOM_SEED={first}");
    let results = in_parallel(
        0..count as usize,
        || (),
        |(), i| {
            let (statements, wish) = case(first + i as u64);
            tried(&statements, &wish).map(|compared| (compared, wish.command.is_some()))
        },
    );
    let of_kind = |kind: (bool, bool)| results.iter().filter(|r| **r == Ok(kind)).count();
    let by_binary = of_kind((true, true));
    let compared = of_kind((true, false)) + by_binary;
    let mut failures = 0;
    let failed = (first..).zip(&results).filter_map(|(seed, r)| Some((seed, r.as_ref().err()?)));
    for (seed, message) in failed.take(number("ASP_RANDOM_FAILURES", 5) as usize) {
        let (statements, wish) = case(seed);
        let small = shrink(statements.clone(), 1000, &mut |s| tried(s, &wish).is_err());
        // With a limit of time, it may not happen again.
        let what = tried(&small, &wish).or_else(|_| tried(&small, &wish)).err();
        let what = what.unwrap_or_else(|| format!("not again; at first: {message}"));
        let how = wish
            .arguments(&wish.options)
            .map_or_else(|| format!("{wish:#?}"), |a| format!("asp {}", a.join(" ")));
        eprintln!("== seed {seed}, {how}\n{}{what}", render(&small));
        failures += 1;
    }
    eprintln!("{compared} of {count} compared, {by_binary} of them runs of the binary");
    assert_eq!(failures, 0, "wrong runs, see above; the first seed was {first}");
    assert!(compared as u64 * 4 >= count * 3, "only {compared} of {count} were compared");
    assert!(
        by_binary as u64 * 6 >= count.saturating_sub(100),
        "only {by_binary} runs of the binary were compared"
    );
}
