//! Random options of a run: the question, the search, and the grounding.

use asp_base::rng::Rng;
use asp_engine::schedule::{Growth, Schedule};
use asp_rewrite::improve::Rewritings;
use asp_solve::{
    Antecedents, Candidates, Eliminate, Elimination, EnumMode, FirstWatches, LoopNogoods, OptMode,
    OptStrategy, PhaseRule, Projection, Relaxation, RestartRule, SearchMode, Shrink, SolveOptions,
    SolverParameters, SumsAsClauses,
};

/// What one run is asked to do.
#[derive(Clone, Debug)]
pub struct Wish {
    /// Options of the call.
    pub options: SolveOptions,
    /// If bounds on the costs are given: the number of the answer set (modulo how many there are) whose costs they are.
    pub bounds: Option<usize>,
    /// If some costs are good enough: the number of the answer set, as of `bounds`.
    pub stop_at: Option<usize>,
    /// How the program is grounded.
    pub rewritings: Rewritings,
    /// When the run is stopped from outside, in microseconds.
    pub stop: Option<u64>,
    /// Statements added to the program.
    pub extra: Vec<&'static str>,
    /// If the binary is to be run instead of the library: options of the search, which replace those in `options`, and
    /// of the output.
    pub command: Option<Vec<&'static str>>,
}

/// Options of the command line that change how answer sets are found and written, not which.
const SEARCH: [&str; 31] = [
    "--configuration=auto",
    "--configuration=frumpy",
    "--configuration=jumpy",
    "--configuration=tweety",
    "--configuration=handy",
    "--configuration=crafty",
    "--configuration=trendy",
    "--configuration=many",
    "--rewrite=none",
    "--rewrite=no-exclusion",
    "--opt-strategy=bb,hier",
    "--opt-strategy=bb,dec",
    "--opt-strategy=usc",
    "--opt-strategy=usc,pmres,disjoint,stratify",
    "--opt-strategy=usc,k,4",
    "--opt-usc-shrink=bin",
    "--opt-heuristic=sign,model",
    "--restart-on-model",
    "--heuristic=Domain",
    "--heuristic=None",
    "--dom-mod=level,show",
    "--trans-ext=all",
    "--trans-ext=dynamic",
    "--eq=0",
    "--sat-prepro=2,iter=20,occ=25",
    "--lookahead=hybrid",
    "--rand-freq=0.5",
    "--distribute=all,4",
    "--restarts=x,1,1.1",
    "--loops=no",
    "--tester=--configuration=frumpy",
];

/// Unusual projections and shown terms: of nothing, of facts, equal to atoms, repeated.
const EXTRAS: [&str; 16] = [
    "#project zz.",
    "#project zz/1.",
    "#project dom/1.",
    "#project dom(1).",
    "#project a/0.",
    "#project a. #project p/1.",
    "#project b : not c.",
    "#show.",
    "#show a/0.",
    "#show dom/1.",
    "#show p/1. #show q/1.",
    "#show a : b.",
    "#show a : b. #show a : c. #show a/0.",
    "#show p(X) : q(X).",
    "#show dom(X) : p(X).",
    "#show t : a. #show t : not b. #show u.",
];

impl Wish {
    /// The wish of a seed.
    pub fn random(rng: &mut Rng) -> Self {
        let mut options = SolveOptions::default();
        let o = &mut options;
        o.models = Some(if rng.chance(0.75) { 0 } else { 1 + rng.below(5) });
        o.projection =
            pick(rng, &[Projection::None, Projection::None, Projection::Show, Projection::Project]);
        o.enum_mode = match rng.below(9) {
            0 => EnumMode::Backtrack,
            1 => EnumMode::Record,
            2 => EnumMode::Brave,
            3 => EnumMode::Cautious,
            4 => EnumMode::Query,
            _ => EnumMode::Auto,
        };
        o.opt_mode = pick(rng, &[OptMode::Opt, OptMode::OptN, OptMode::Enum, OptMode::Ignore]);
        if rng.chance(0.1) {
            o.conflict_limit = Some(1 + rng.below(20));
        }
        if rng.chance(0.05) {
            o.restart_limit = Some(1 + rng.below(3));
        }
        o.threads = if rng.chance(0.6) { 1 } else { 1 + rng.below(4) as u32 };
        o.split = rng.chance(0.5);
        if rng.chance(0.3) {
            o.sharing.length = pick(rng, &[0, 1, 100]);
        }
        let t = &mut o.translate;
        t.equivalences = rng.chance(0.8);
        t.value_sets = rng.chance(0.8);
        t.chains = rng.chance(0.8);
        t.sums = pick(
            rng,
            &[
                SumsAsClauses::None,
                SumsAsClauses::None,
                SumsAsClauses::Cardinalities,
                SumsAsClauses::Constraints,
                SumsAsClauses::Recursive,
                SumsAsClauses::Small,
                SumsAsClauses::All,
            ],
        );
        t.elimination =
            pick(rng, &[Eliminate::Auto, Eliminate::No, Eliminate::Within(Elimination::default())]);
        o.solver = parameters(rng);
        if rng.chance(0.3) {
            o.tester = parameters(rng);
        }
        if rng.chance(0.2) {
            o.portfolio = (0..1 + rng.below(3)).map(|_| parameters(rng)).collect();
        }
        let mut rewritings = Rewritings::default();
        if rng.chance(0.4) {
            let words = ["none", "eager", "no-sharing", "no-projection", "no-decomposition", "no-exclusion"];
            // Unknown names are ignored.
            let _ = rewritings.obey(pick(rng, &words));
        }
        let stop = rng.chance(0.07).then(|| rng.below(3000));
        let extra = (0..rng.below(3)).map(|_| pick(rng, &EXTRAS)).collect();
        let bounds = rng.chance(0.2).then(|| rng.below(1000) as usize);
        let command = rng.chance(0.25).then(|| {
            let format = pick(rng, &["--outf=2", "--outf=jsonl"]);
            let mut options = vec![format];
            options.extend((0..rng.below(4)).map(|_| pick(rng, &SEARCH)));
            // None may be given twice.
            options.sort_unstable_by_key(|o| o.split('=').next());
            options.dedup_by_key(|o| o.split('=').next());
            options
        });
        let stop_at = rng.chance(0.15).then(|| rng.below(1000) as usize);
        options.no_search = rng.chance(0.03);
        Self { options, bounds, stop_at, rewritings, stop, extra, command }
    }

    /// The command line of a run of the binary on standard input, with the options of a call that this wish asks for.
    pub fn arguments(&self, options: &SolveOptions) -> Option<Vec<String>> {
        let mut arguments: Vec<String> = self.command.as_ref()?.iter().map(|&a| a.to_owned()).collect();
        let mut add = |name: &str, value: &str| arguments.push(format!("--{name}={value}"));
        let mode = match options.enum_mode {
            EnumMode::Backtrack => "bt",
            EnumMode::Record => "record",
            EnumMode::Brave => "brave",
            EnumMode::Cautious => "cautious",
            EnumMode::Query => "query",
            _ => "auto",
        };
        add("enum-mode", mode);
        let project = match options.projection {
            Projection::None => "no",
            Projection::Show => "show",
            Projection::Project => "project",
        };
        add("project", project);
        let mode = match options.opt_mode {
            OptMode::Opt => "opt",
            OptMode::OptN => "optN",
            OptMode::Enum => "enum",
            OptMode::Ignore => "ignore",
        };
        let bounds: String = options.opt_bounds.iter().map(|b| format!(",{b}")).collect();
        add("opt-mode", &format!("{mode}{bounds}"));
        add("models", &options.models.unwrap_or(0).to_string());
        let how = if options.split { "split" } else { "compete" };
        add("parallel-mode", &format!("{},{how}", options.threads));
        let limit = |n: Option<u64>| n.map_or("umax".to_owned(), |n| n.to_string());
        if options.no_search {
            add("solve-limit", "0");
        } else {
            let (conflicts, restarts) = (limit(options.conflict_limit), limit(options.restart_limit));
            add("solve-limit", &format!("{conflicts},{restarts}"));
        }
        if !options.opt_stop.is_empty() {
            let bounds: Vec<String> = options.opt_stop.iter().map(i64::to_string).collect();
            add("opt-stop", &bounds.join(","));
        }
        if let Some(stop) = self.stop {
            add("time-limit", &(stop as f64 / 1e6).max(1e-3).to_string());
        }
        add("warn", "none");
        Some(arguments)
    }

    /// Whether the run may end before everything has been found.
    pub fn is_limited(&self) -> bool {
        let o = &self.options;
        let limited = o.conflict_limit.or(o.restart_limit).is_some() || o.no_search;
        self.stop.is_some() || limited || o.models != Some(0)
    }
}

fn pick<T: Copy>(rng: &mut Rng, items: &[T]) -> T {
    items[rng.below(items.len() as u64) as usize]
}

/// The parameters of one thread: a few differ from the default.
fn parameters(rng: &mut Rng) -> SolverParameters {
    let mut p = SolverParameters { seed: rng.below(1000), ..SolverParameters::default() };
    for _ in 0..rng.below(8) {
        change(rng, &mut p);
    }
    p
}

fn change(rng: &mut Rng, p: &mut SolverParameters) {
    let soon = |rng: &mut Rng| Schedule { first: 1 + rng.below(4), growth: Growth::Summand(1), repeat: 0 };
    match rng.below(30) {
        0 => p.mode = pick(rng, &[SearchMode::Focused, SearchMode::Stable]),
        1 => p.restart.enabled = false,
        2 => p.restart.rule = RestartRule::Lbd,
        3 => p.restart.rule = RestartRule::Schedule(soon(rng)),
        4 => p.restart.on_model = true,
        5 => p.restart.local = true,
        6 => (p.restart.luby_unit, p.restart.first_stable) = (1, Some(3)),
        7 => p.reduce.schedule = Some(soon(rng)),
        8 => (p.reduce.share, p.reduce.core_lbd) = (1.0, 0),
        9 => p.reduce.enabled = false,
        10 => p.heuristic.random_frequency = pick(rng, &[0.1, 1.0]),
        11 => p.heuristic.average_activity = true,
        12 => p.heuristic.initial_activity = Some(rng.chance(0.5)),
        13 => p.heuristic.in_order = true,
        14 => p.heuristic.moved = 1,
        15 => p.heuristic.bump_reasons = false,
        16 => p.phase.rule = pick(rng, &[PhaseRule::Saved, PhaseRule::LearnedPolarity, PhaseRule::Turns]),
        17 => (p.phase.initial, p.phase.fixed) = (true, rng.chance(0.5)),
        18 => (p.phase.rephase_interval, p.phase.saved_beyond) = (Some(1), rng.below(3) as u32),
        19 => {
            p.lookahead.candidates =
                Some(pick(rng, &[Candidates::Atoms, Candidates::Bodies, Candidates::All]));
            p.lookahead.decides = rng.chance(0.5);
        }
        20 => p.learning.loops = pick(rng, &[LoopNogoods::Distinct, LoopNogoods::Never]),
        21 => (p.learning.minimize, p.learning.strengthen) = (rng.chance(0.5), rng.chance(0.5)),
        22 => p.learning.antecedents = pick(rng, &[Antecedents::Short, Antecedents::Binary]),
        23 => p.learning.watches = pick(rng, &[FirstWatches::Least, FirstWatches::Random]),
        24 | 25 => {
            p.inprocess.interval = 1 + rng.below(4);
            (p.inprocess.subsume, p.inprocess.vivify) = (true, rng.chance(0.7));
        }
        26 => {
            (p.constraint.bound_chains, p.constraint.least_group) = (rng.chance(0.5), pick(rng, &[2, 4, 9]))
        }
        27 => (p.learning.enabled, p.restart.enabled) = (false, false),
        28 => {
            p.optimize.cores.relaxation = pick(
                rng,
                &[
                    Relaxation::One,
                    Relaxation::Bounded(None),
                    Relaxation::Bounded(Some(2)),
                    Relaxation::Pmres,
                ],
            )
        }
        _ => {
            let cores = &mut p.optimize.cores;
            cores.shrink =
                pick(rng, &[None, Some(Shrink::Binary), Some(Shrink::Geometric), Some(Shrink::Forward)]);
            (cores.disjoint, cores.stratify) = (rng.chance(0.5), rng.chance(0.5));
        }
    }
    p.optimize.strategy = pick(rng, &OptStrategy::ALL);
}
