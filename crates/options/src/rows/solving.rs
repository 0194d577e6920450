//! Rows of the options of solving: the wanted answer sets, and threads.

use super::{Read, set};
use crate::cube;
use crate::raw::{Project, Raw};
use crate::spec::Group::Solving;
use crate::spec::Takes::{Optional, Required};
use crate::spec::{Effect, OptionSpec, Scope, noted, works};
use crate::usage::UsageError;
use crate::value::Value;
use asp_solve::{CoreTactics, EnumMode, OptMode, OptStrategy, Relaxation, Topology};

pub(crate) const ROWS: &[OptionSpec] = &[
    works(
        Solving,
        1,
        "models",
        Required("I"),
        "N",
        "Find at most N answer sets (0: all); a bare N means the same",
        |v, r| set(&mut r.options.solve.models, v.integer(0).and_then(|n| u64::try_from(n).ok())),
    )
    .short('n'),
    works(
        Solving,
        1,
        "enum-mode",
        Required("bt|record|domrec|brave|cautious|query|auto|user"),
        "MODE",
        "How to enumerate; brave: union of answer sets, cautious: intersection",
        |v, r| {
            use EnumMode::{Auto, Backtrack, Brave, Cautious, DomainRecord, Query, Record, User};
            let modes = [Backtrack, Record, DomainRecord, Brave, Cautious, Query, Auto, User];
            set(&mut r.options.solve.enum_mode, v.pick(0, &modes)?)
        },
    )
    .short('e'),
    works(
        Solving,
        1,
        "project",
        Optional("show|project|auto,N0-3? no=0='off='false N1-7"),
        "WHAT",
        "Tell answer sets apart only by shown or by #project atoms",
        |v, r| {
            let kinds = [Project::Show, Project::Project, Project::Auto];
            let kind = match v.alternative() {
                0 if !v.is_no() => v.pick_or(0, Project::Auto, &kinds)?,
                2 => Project::Auto,
                _ => Project::No,
            };
            set(&mut r.options.project, kind)
        },
    )
    .negatable(),
    works(
        Solving,
        1,
        "opt-mode",
        Required("opt|enum|optn|ignore,I*"),
        "MODE[,BOUND...]",
        "opt: one optimum, optN: all, enum: within bounds, ignore",
        |v, r| {
            let solve = &mut r.options.solve;
            solve.opt_mode = v.pick(0, &[OptMode::Opt, OptMode::Enum, OptMode::OptN, OptMode::Ignore])?;
            set(&mut solve.opt_bounds, v.integers(1))
        },
    ),
    works(
        Solving,
        2,
        "cube",
        Required("S"),
        "ID@FILE",
        "Search only a cube of the program, as `asp cubes` wrote it to the file",
        |v, r| {
            let cube = cube::find(v.text()).map_err(|why| UsageError::configuration(format!("'cube': {why}")))?;
            set(&mut r.options.cube, Some(cube))
        },
    )
    .scope(Scope::Run),
    works(
        Solving,
        2,
        "bound-file",
        Required("S"),
        "FILE",
        "Use better costs that other runs append to the file, and append own ones",
        |v, r| set(&mut r.options.bound_file, Some(v.text().to_string())),
    )
    .scope(Scope::Run),
    works(
        Solving,
        2,
        "proof",
        Required("S"),
        "DIR",
        "Write a proof of the result to the directory, for `asp-check`",
        |v, r| set(&mut r.options.proof, Some(v.text().to_string())),
    )
    .scope(Scope::Run),
    works(
        Solving,
        2,
        "opt-stop",
        Required("I,I* no='off='false"),
        "BOUND,...",
        "Stop at the first answer set whose costs are within the bounds",
        |v, r| set(&mut r.options.solve.opt_stop, v.integers(0)),
    ),
    works(
        Solving,
        2,
        "start",
        Required("S"),
        "FILE",
        "Begin the search at an earlier answer: text, JSON or facts",
        |v, r| set(&mut r.options.start, Some(v.text().to_string())),
    )
    .scope(Scope::Run),
    works(
        Solving,
        2,
        "near",
        Required("S"),
        "FILE[@LEVEL]",
        "Minimize the difference from an earlier answer, by default on a level below all others",
        |v, r| {
            let level = v.text().rsplit_once('@').and_then(|(file, level)| Some((file, level.parse().ok()?)));
            let (file, level) = level.map_or((v.text(), None), |(file, level)| (file, Some(level)));
            set(&mut r.options.near, Some((file.to_string(), level)))
        },
    )
    .scope(Scope::Run),
    works(
        Solving,
        2,
        "gap",
        Required("F0-100 no='off='false"),
        "P",
        "Stop when the costs are proven to be within P percent of the optimum",
        |v, r| {
            // Percent to millionths; a gap is never taken for wider than it was given.
            let millionths = v.decimal(0).map(|percent| (percent * 10_000.0).floor() as u64);
            set(&mut r.options.solve.opt_gap.relative, millionths)
        },
    ),
    works(
        Solving,
        2,
        "gap-abs",
        Required("N0-18446744073709551615 no='off='false"),
        "N",
        "Stop when the costs are proven to be within N of the optimum",
        |v, r| set(&mut r.options.solve.opt_gap.absolute, v.number(0)),
    ),
    works(
        Solving,
        2,
        "opt-strategy",
        Required("bb,lin=0|hier=1|inc=2|dec=3? usc,oll|one|k|pmres|disjoint|succinct|stratify|N* N0-19"),
        "STRATEGY",
        "bb: branch and bound, usc: core-guided",
        opt_strategy,
    ),
    works(
        Solving,
        1,
        "parallel-mode",
        Required("N1-64,compete|split?"),
        "THREADS",
        "Search with this many threads",
        |v, r| {
            let solve = &mut r.options.solve;
            solve.threads = v.small(0).unwrap_or(1);
            set(&mut solve.split, v.item(1) == Some(1))
        },
    )
    .short('t'),
    works(
        Solving,
        2,
        "solve-limit",
        Required("N,N? no='off='false"),
        "CONFLICTS[,RESTARTS]",
        "Stop the search after this many conflicts or restarts",
        solve_limit,
    ),
    noted(Solving, 3, "global-restarts", Required("N N,'F,N1- N,'L,N1-,N? N,x,N1-,F1-,N? N,+,N1-,N,N? no='off='false"), "POLICY", "Restart all threads together"),
    works(
        Solving,
        3,
        "distribute",
        Required("all|short|conflict|loop,global|local?,N0-127?,N? all|short|conflict|loop,N0-127?,N? no=0='off='false"),
        "POLICY",
        "Which nogoods threads share: types, LBD, length",
        distribute,
    )
    .negatable(),
    works(
        Solving,
        3,
        "integrate",
        Required("all|unsat|gp|active,N?,all|ring|cube|cubex?"),
        "POLICY",
        "Which shared nogoods a thread takes, and from whom",
        integrate,
    ),
];

fn opt_strategy(v: &Value<'_>, r: &mut Raw) -> Read {
    use OptStrategy::{CoreGuided, Decreasing, Hierarchical, Increasing, Linear};
    let optimize = &mut r.solver().optimize;
    if v.alternative() == 2 {
        // As older versions of clasp have it: the tactics of `bb`, then those of `usc` as a sum.
        let number = v.number(0).unwrap_or(0);
        let descent = [Linear, Hierarchical, Increasing, Decreasing];
        optimize.strategy = descent.get(number as usize).copied().unwrap_or(CoreGuided);
        if let Some(tactics) = number.checked_sub(4) {
            let relaxation = if tactics & 4 != 0 { Relaxation::Pmres } else { Relaxation::Oll };
            let (disjoint, stratify) = (tactics & 1 != 0, tactics & 8 != 0);
            optimize.cores = CoreTactics { relaxation, disjoint, stratify, ..optimize.cores };
        }
        return Ok(Effect::Full);
    }
    if v.alternative() == 0 {
        optimize.strategy = v.pick_or(1, Linear, &[Linear, Hierarchical, Increasing, Decreasing])?;
        return Ok(Effect::Full);
    }
    optimize.strategy = CoreGuided;
    core_tactics(v, &mut optimize.cores);
    Ok(Effect::Full)
}

/// The tactics after `usc`: all of them, unless some are named or given as a sum of 1 (disjoint), 2 (succinct, which is
/// always on) and 4 (stratify). A number after `k` is the size of its counters.
fn core_tactics(v: &Value<'_>, cores: &mut CoreTactics) {
    let mut named: Option<u64> = None;
    let mut at = 1;
    while let Some(item) = v.item(at) {
        match item {
            0 => cores.relaxation = Relaxation::Oll,
            1 => cores.relaxation = Relaxation::One,
            2 => {
                let size = v.small(at + 1);
                at += usize::from(size.is_some());
                cores.relaxation = Relaxation::Bounded(size.filter(|&n| n > 0));
            }
            3 => cores.relaxation = Relaxation::Pmres,
            item => {
                let bits = [1, 2, 4].get(item - 4).copied().or_else(|| v.number(at));
                named = Some(named.unwrap_or(0) | bits.unwrap_or(0));
            }
        }
        at += 1;
    }
    if let Some(bits) = named {
        cores.disjoint = bits & 1 != 0;
        cores.stratify = bits & 4 != 0;
    }
}

fn solve_limit(v: &Value<'_>, r: &mut Raw) -> Read {
    if v.is_no() {
        return Ok(Effect::Full);
    }
    r.options.solve.no_search = v.numbers(0, &[]).contains(&0);
    // The greatest number means no limit.
    let limit = |at| v.number(at).filter(|n| (1..u64::from(u32::MAX)).contains(n));
    let solve = &mut r.options.solve;
    (solve.conflict_limit, solve.restart_limit) = (limit(0), limit(1));
    Ok(Effect::Full)
}

/// Loop nogoods cannot be shared without conflict nogoods.
fn distribute(v: &Value<'_>, r: &mut Raw) -> Read {
    // There may be a mode between the types and the numbers.
    let first = if v.alternative() == 1 { 1 } else { 2 };
    let lbd = v.small(first).unwrap_or(4);
    let length = v.number(first + 1).map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
    let kinds = [(length, lbd), (length.min(3), lbd), (length, lbd), (0, 0)];
    let sharing = &mut r.options.solve.sharing;
    (sharing.length, sharing.lbd) = if v.is_no() { (0, 0) } else { v.pick(0, &kinds)? };
    Ok(Effect::Full)
}

/// All integrated clauses are kept like learned ones.
fn integrate(v: &Value<'_>, r: &mut Raw) -> Read {
    let sharing = &mut r.options.solve.sharing;
    sharing.only_unit = v.item(0) == Some(1);
    sharing.only_open = v.item(0) == Some(3);
    let topologies = [Topology::All, Topology::Ring, Topology::Cube, Topology::CubeAcross];
    set(&mut sharing.topology, v.pick_or(2, Topology::All, &topologies)?)
}
