//! Raw arguments to checked options, once.
//!
//! Invariant: what [`check`] returns needs no further checking; every option of the table that works is read here.

use std::time::Duration;

use super::args::{Args, Given};
use super::configuration::Configuration;
use super::option::inputs::Inputs;
use super::option::lemmas::LemmaOptions;
use super::option::pictures::PictureOptions;
use super::pattern::{integer, unsigned};
use super::table::Standing;
use super::tuning::{core_tactics, tune};
use super::warnings::Warnings;
use crate::base::nearest::nearest;
use crate::control::GroundFormat;
use crate::program::ground_program::HeuristicModifier;
use crate::report::{Format, Level, Quiet, Style};
use crate::rewrite::improve::{Rewriting, Rewritings};
use crate::solve::engine::parameters::{InprocessParameters, SolverParameters};
use crate::solve::{
    DomainDefault, Eliminate, Elimination, EnumMode, OptMode, OptStrategy, Projection, SolveOptions,
};

/// What the program is asked to do.
#[derive(Clone, Debug)]
pub enum Action {
    /// Print help of a level.
    Help(u8),
    /// Print the version.
    Version,
    /// List the embedded programs and instances.
    List,
    /// List the warnings.
    ListWarnings,
    /// List the rewritings.
    ListRewritings,
    /// Print completions or the man page.
    Generate(String),
    /// Print the portfolio.
    Portfolio,
    /// Ground and perhaps solve.
    Run(Box<Options>),
}

/// Which stages run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Ground and solve.
    #[default]
    Clingo,
    /// Solve a ground program.
    Clasp,
    /// Ground and print.
    Gringo,
}

/// When the status line is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum When {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What projection is asked for; `auto` depends on the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Project {
    /// No projection.
    #[default]
    No,
    /// On what is shown.
    Show,
    /// On `#project` atoms.
    Project,
    /// On `#project` atoms if there is such a directive, else on what is shown.
    Auto,
}

impl Project {
    /// The solver's option, given whether the program has a `#project` directive.
    pub fn resolve(self, has_directive: bool) -> Projection {
        match self {
            Project::No => Projection::None,
            Project::Show => Projection::Show,
            Project::Project => Projection::Project,
            Project::Auto if has_directive => Projection::Project,
            Project::Auto => Projection::Show,
        }
    }
}

/// Everything a run needs to know.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Files in order; `-` is standard input.
    pub files: Vec<String>,
    /// Which stages run.
    pub mode: Mode,
    /// How to print the ground program, if that is asked for.
    pub ground_format: Option<GroundFormat>,
    /// For the solver.
    pub solve: SolveOptions,
    /// Which projection.
    pub project: Project,
    /// Whether not a single step of search is allowed (`--solve-limit=0`).
    pub no_search: bool,
    /// Costs that are good enough.
    pub opt_stop: Vec<i64>,
    /// Definitions `name=term`.
    pub consts: Vec<String>,
    /// Signatures to show: name and arity.
    pub show_preds: Vec<(String, u32)>,
    /// Which warnings are printed.
    pub warnings: Warnings,
    /// How results are printed.
    pub style: Style,
    /// Learned nogoods that are read and written.
    pub lemmas: LemmaOptions,
    /// Puzzles and tables to read as facts.
    pub inputs: Inputs,
    /// Which pictures are drawn.
    pub pictures: PictureOptions,
    /// When the status line is shown.
    pub progress: When,
    /// Stop after this time.
    pub time_limit: Option<Duration>,
    /// Stop past this many bytes.
    pub memory_limit: Option<u64>,
    /// Stop past this many ground instances.
    pub ground_limit: Option<u64>,
    /// In a ground program: the number of an atom that must be true, or the negated one of one that must be false.
    pub forced: i64,
    /// Clauses in DIMACS format need not hold: each that does not costs 1.
    pub max_sat: bool,
    /// Which rewritings the grounder does.
    pub rewritings: Rewritings,
    /// Print what each statement costs in grounding.
    pub profile: bool,
    /// Print what the grounder rewrites.
    pub explain_rewrites: bool,
    /// Names of options that were accepted without effect.
    pub noted: Vec<&'static str>,
}

/// Why a command line is not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// What is printed.
    pub message: String,
    /// The exit code.
    pub code: u8,
}

impl From<String> for Wrong {
    fn from(message: String) -> Self {
        Self { message, code: 1 }
    }
}

impl Wrong {
    /// Something that only shows when a configuration is put together.
    pub fn in_file(message: String) -> Self {
        Self { message, code: 128 }
    }
}

/// Reads the arguments.
pub fn check(args: &Args<'_>) -> Result<Action, Wrong> {
    let configuration = Configuration::read(args)?;
    let given = args;
    let args = &configuration.complete(args, 0)?;
    let text = |long: &str| args.get(long).and_then(|g| g.value);
    if let Some(given) = args.get("help") {
        return Ok(Action::Help(given.value.and_then(unsigned).map_or(1, |n| n as u8)));
    }
    for (long, action) in
        [("version", Action::Version), ("list", Action::List), ("print-portfolio", Action::Portfolio)]
    {
        if args.has(long) {
            return Ok(action);
        }
    }
    if let Some(what) = text("generate") {
        return Ok(Action::Generate(what.to_ascii_lowercase()));
    }
    let mut options =
        Options { files: args.files.iter().map(ToString::to_string).collect(), ..Options::default() };
    for given in args.options.iter().filter(|g| g.spec.long == "warn") {
        let value = given.value.unwrap_or_default().to_ascii_lowercase();
        if value == "help" {
            return Ok(Action::ListWarnings);
        }
        options.warnings.obey(&value)?;
    }
    for given in args.options.iter().filter(|g| g.spec.long == "rewrite") {
        let value = given.value.unwrap_or_default().to_ascii_lowercase();
        if value == "help" {
            return Ok(Action::ListRewritings);
        }
        options.rewritings.obey(&value).map_err(|word| unknown_rewriting(&word))?;
    }
    options.profile = args.has("profile");
    options.explain_rewrites = args.has("explain-rewrites");
    let number = |long: &str| text(long).and_then(unsigned);
    options.solve = solve_options(args)?;
    options.noted = tune(args, &mut options.solve);
    without_lookback(args)?;
    options.solve.portfolio = portfolio(args, given, &configuration, options.solve.threads)?;
    tester(args, &mut options)?;
    options.project = project(args.get("project"));
    options.no_search = text("solve-limit").is_some_and(|v| v.split(',').any(|n| unsigned(n) == Some(0)));
    options.opt_stop = text("opt-stop").map(bounds).unwrap_or_default();
    (options.lemmas, options.solve.lemmas) = LemmaOptions::check(args)?;
    options.forced = text("compute").and_then(integer).unwrap_or(0);
    options.max_sat = args.get("parse-maxsat").is_some_and(|g| !g.negated);
    options.style = style(args)?;
    options.inputs = Inputs::check(args)?;
    options.pictures = PictureOptions::check(args, &options.style)?;
    ground_output(args, &mut options);
    if options.mode == Mode::Clasp {
        // What is read as text becomes facts of a program, and there is none in this mode.
        if let Some(long) = ["grid", "csv", "json"].into_iter().find(|long| args.has(long)) {
            return Err(Wrong::from(format!(
                "In context '<asp>': '{long}' adds facts to a program, but with --mode=clasp the input is ground already"
            )));
        }
    }
    let consts = args.options.iter().filter(|g| g.spec.long == "const");
    options.consts = consts.filter_map(|g| g.value).map(String::from).collect();
    if let Some(list) = text("show-preds") {
        options.show_preds = list
            .split(',')
            .map(signature)
            .collect::<Option<_>>()
            .ok_or_else(|| format!("In context '<asp>': '{list}' invalid value for: 'show-preds'"))?;
    }
    options.progress = match text("progress") {
        Some("always") => When::Always,
        Some("never") => When::Never,
        _ => When::Auto,
    };
    options.time_limit =
        text("time-limit").and_then(integer).filter(|&n| n > 0).map(|n| Duration::from_secs(n as u64));
    options.memory_limit = number("memory-limit").filter(|&n| n > 0).map(|mb| mb.saturating_mul(1 << 20));
    options.ground_limit = number("ground-limit").filter(|&n| n > 0);
    if text("dom-mod").is_some_and(picks_components) {
        options.noted.push("dom-mod");
    }
    // The numbers are those of the input.
    if options.forced != 0 && options.mode != Mode::Clasp {
        options.noted.push("compute");
    }
    for given in args.options.iter().filter(|g| g.spec.standing == Standing::Noted) {
        if !is_default(given) && !options.noted.contains(&given.spec.long) {
            options.noted.push(given.spec.long);
        }
    }
    Ok(Action::Run(Box::new(options)))
}

fn unknown_rewriting(word: &str) -> String {
    let mut message = format!("In context '<asp>': '{word}' invalid value for: 'rewrite'");
    let names = Rewriting::ALL.iter().map(|r| r.name()).chain(["all", "none", "help"]);
    if let Some(near) = nearest(word.strip_prefix("no-").unwrap_or(word), names) {
        message.push_str(&format!("; did you mean '{near}'?"));
    }
    message
}

/// Values that ask for what happens anyway deserve no note.
fn is_default(given: &Given<'_>) -> bool {
    matches!((given.spec.long, given.value), ("share", Some("auto")) | ("preserve-facts", Some("none")))
}

/// The tester's options are options themselves.
fn tester(args: &Args<'_>, options: &mut Options) -> Result<(), Wrong> {
    let Some(text) = args.get("tester").and_then(|g| g.value) else { return Ok(()) };
    let argv: Vec<String> = text.split_ascii_whitespace().map(str::to_string).collect();
    let args = super::args::parse(&argv).map_err(|message| message.replace("'<asp>'", "'<tester>'"))?;
    let mut solve = SolveOptions::default();
    let _ = tune(&args, &mut solve);
    options.solve.tester = solve.solver;
    if solve.solver == SolverParameters::default() {
        options.noted.push("tester");
    }
    Ok(())
}

/// What asks for learning cannot go with `--no-lookback`.
fn without_lookback(args: &Args<'_>) -> Result<(), Wrong> {
    let asks = |long: &str, none: &[&str]| {
        args.get(long).is_some_and(|g| {
            let first = g.value.and_then(|v| v.split(',').next()).unwrap_or("");
            !g.negated && !none.iter().any(|n| n.eq_ignore_ascii_case(first))
        })
    };
    if !args.has("no-lookback") {
        return Ok(());
    }
    if asks("restarts", &["no", "0"]) {
        return Err(Wrong::in_file("'no-lookback': restart options disabled!".to_string()));
    }
    if asks("heuristic", &["unit", "none", "domain"]) {
        return Err(Wrong::in_file("'no-lookback': Heuristic requires lookback strategy!".to_string()));
    }
    Ok(())
}

/// How each thread searches, if the configuration has several ways.
fn portfolio(
    first: &Args<'_>,
    given: &Args<'_>,
    configuration: &Configuration,
    threads: u32,
) -> Result<Vec<SolverParameters>, Wrong> {
    let count = configuration.sets().min(threads as usize);
    if count < 2 {
        return Ok(Vec::new());
    }
    let way = |args: &Args<'_>| -> Result<SolverParameters, Wrong> {
        let mut solve = solve_options(args)?;
        let _ = tune(args, &mut solve);
        without_lookback(args)?;
        Ok(solve.solver)
    };
    let mut ways = vec![way(first)?];
    for number in 1..count {
        ways.push(way(&configuration.complete(given, number)?)?);
    }
    Ok(ways)
}

fn bounds(list: &str) -> Vec<i64> {
    list.split(',').filter_map(integer).collect()
}

fn signature(text: &str) -> Option<(String, u32)> {
    let (name, arity) = text.split_once('/')?;
    let plain = name.strip_prefix('-').unwrap_or(name);
    let rest = plain.trim_start_matches(['_', '\'']);
    let ok = rest.starts_with(|c: char| c.is_ascii_lowercase())
        && plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '\'');
    ok.then_some(())?;
    Some((name.to_string(), arity.parse().ok()?))
}

fn project(given: Option<Given<'_>>) -> Project {
    match given {
        None => Project::No,
        Some(g) if g.negated => Project::No,
        Some(g) => match g.value.map(|v| v.split(',').next().unwrap_or("").to_ascii_lowercase()).as_deref() {
            Some("no" | "0") => Project::No,
            Some("show") => Project::Show,
            Some("project") => Project::Project,
            _ => Project::Auto,
        },
    }
}

fn solve_options(args: &Args<'_>) -> Result<SolveOptions, String> {
    let lower = |long: &str| args.get(long).and_then(|g| g.value).map(str::to_ascii_lowercase);
    let mut solve = SolveOptions { threads: 1, ..SolveOptions::default() };
    solve.models = lower("models").as_deref().and_then(integer).and_then(|n| u64::try_from(n).ok());
    solve.enum_mode = match lower("enum-mode").as_deref() {
        Some("bt") => EnumMode::Backtrack,
        Some("record") => EnumMode::Record,
        Some("domrec") => EnumMode::DomainRecord,
        Some("brave") => EnumMode::Brave,
        Some("cautious") => EnumMode::Cautious,
        Some("query") => EnumMode::Query,
        Some("user") => EnumMode::User,
        _ => EnumMode::Auto,
    };
    if let Some(value) = lower("opt-mode") {
        let (mode, rest) = value.split_once(',').unwrap_or((&value, ""));
        solve.opt_mode = match mode {
            "enum" => OptMode::Enum,
            "optn" => OptMode::OptN,
            "ignore" => OptMode::Ignore,
            _ => OptMode::Opt,
        };
        solve.opt_bounds = bounds(rest);
    }
    if let Some(value) = lower("opt-strategy") {
        let mut parts = value.split(',');
        solve.solver.optimize.strategy = match (parts.next(), parts.next()) {
            (Some("usc"), _) => OptStrategy::CoreGuided,
            (_, Some("hier" | "1")) => OptStrategy::Hierarchical,
            (_, Some("inc" | "2")) => OptStrategy::Increasing,
            (_, Some("dec" | "3")) => OptStrategy::Decreasing,
            _ => OptStrategy::Linear,
        };
    }
    if let Some(tactics) = lower("opt-strategy").as_deref().and_then(|v| v.strip_prefix("usc")) {
        solve.solver.optimize.cores = core_tactics(tactics);
    }
    solve.translate.supported = args.get("supp-models").is_some() || args.get("no-ufs-check").is_some();
    solve.solver.seed = lower("seed").as_deref().and_then(integer).map_or(0, |n| n as u64);
    solve.solver.heuristic.random_frequency = lower("rand-freq").and_then(|v| v.parse().ok()).unwrap_or(0.0);
    solve.domain_default = lower("dom-mod").as_deref().and_then(domain_default);
    if let Some(value) = lower("solve-limit").filter(|v| v != "no") {
        // The greatest number stands for no limit.
        let mut limits =
            value.split(',').map(|n| unsigned(n).filter(|&n| n < u64::from(u32::MAX)).unwrap_or(0));
        solve.conflict_limit = limits.next().unwrap_or(0);
        solve.restart_limit = limits.next().unwrap_or(0);
    }
    if let Some(v) = lower("inprocess") {
        let has = |name: &str| v.split(',').any(|word| word == name);
        solve.solver.inprocess = InprocessParameters {
            probe: has("probe"),
            substitute: has("substitute"),
            subsume: has("subsume"),
            vivify: has("vivify"),
            ..solve.solver.inprocess
        };
    }
    solve.translate.elimination = elimination(args.get("sat-prepro"));
    if let Some(value) = lower("parallel-mode") {
        solve.threads = value.split(',').next().and_then(unsigned).map_or(1, |n| n as u32);
        solve.split = value.ends_with(",split");
    }
    Ok(solve)
}

/// What `--sat-prepro` asks for. Every level but 0 is variable elimination with subsumption. A limit without a key is the
/// next of iter, occ, time, frozen, size; one on time has no effect, since work is counted, not timed.
fn elimination(given: Option<Given<'_>>) -> Eliminate {
    let Some(given) = given else { return Eliminate::Auto };
    if given.negated {
        return Eliminate::No;
    }
    let mut limits = Elimination::default();
    let Some(value) = given.value else { return Eliminate::Within(limits) };
    let mut parts = value.split(',');
    if parts.next().is_some_and(|level| level == "no" || unsigned(level) == Some(0)) {
        return Eliminate::No;
    }
    const KEYS: [&str; 5] = ["iter", "occ", "time", "frozen", "size"];
    for (i, part) in parts.enumerate() {
        let (key, number) = part.split_once('=').unwrap_or((KEYS.get(i).copied().unwrap_or(""), part));
        let Some(number) = unsigned(number) else { continue };
        let small = u32::try_from(number).unwrap_or(u32::MAX);
        match key {
            "iter" => limits.rounds = small,
            "occ" => limits.occurrences = small,
            "frozen" => limits.frozen = small,
            "size" => limits.clauses = number.saturating_mul(1000),
            _ => {}
        }
    }
    Eliminate::Within(limits)
}

/// `--dom-mod`: a modifier, by name or number, and to which atoms it applies.
fn domain_default(value: &str) -> Option<DomainDefault> {
    use HeuristicModifier::{Factor, False, Init, Level, Sign, True};
    let (modifier, pick) = value.split_once(',').unwrap_or((value, "all"));
    let (modifier, bias) = match modifier {
        "level" | "1" => (Level, 1),
        "pos" | "2" => (Sign, 1),
        "true" | "3" => (True, 1),
        "neg" | "4" => (Sign, -1),
        "false" | "5" => (False, 1),
        "init" | "6" => (Init, 1),
        "factor" | "7" => (Factor, 2),
        _ => return None,
    };
    let picks = |name: &str, bit: u64| {
        pick.split(',').any(|p| p == name || unsigned(p).is_some_and(|bits| bits & bit != 0))
    };
    let all = pick.split(',').any(|p| p == "all" || unsigned(p) == Some(0));
    Some(DomainDefault { modifier, bias, all, shown: picks("show", 16), objective: picks("opt", 8) })
}

/// Whether `--dom-mod` names atoms by their component, which has no counterpart here.
fn picks_components(value: &str) -> bool {
    value.split(',').skip(1).any(|p| {
        ["scc", "hcc", "disj"].iter().any(|k| k.eq_ignore_ascii_case(p))
            || unsigned(p).is_some_and(|bits| bits & 7 != 0)
    })
}

fn style(args: &Args<'_>) -> Result<Style, String> {
    let text = |long: &str| args.get(long).and_then(|g| g.value);
    let format = match text("outf") {
        Some("1") => Format::Competition,
        Some("2") => Format::Json,
        Some("3") => Format::Nothing,
        Some(v) if v.eq_ignore_ascii_case("jsonl") => Format::JsonLines,
        _ => Format::Text,
    };
    let mut style = Style { format, ..Style::default() };
    if let Some(given) = args.get("verbose") {
        style.verbosity = given.value.and_then(unsigned).map_or(3, |n| n.min(3) as u8);
    }
    if style.format == Format::Competition {
        style.quiet = Quiet { models: Level::Last, costs: Level::Last, calls: Level::Nothing };
    }
    if let Some(given) = args.get("quiet") {
        let level = |n: &str| match unsigned(n) {
            Some(0) => Level::All,
            Some(1) => Level::Last,
            _ => Level::Nothing,
        };
        let levels: Vec<Level> = given.value.unwrap_or("2").split(',').map(level).collect();
        let models = levels.first().copied().unwrap_or(Level::Nothing);
        style.quiet = Quiet {
            models,
            costs: levels.get(1).copied().unwrap_or(models),
            calls: levels.get(2).copied().unwrap_or(Level::Nothing),
        };
    }
    if let Some(given) = args.get("stats") {
        style.stats = given.value.map_or(1, |v| v.split(',').next().and_then(unsigned).unwrap_or(1) as u8);
    }
    if let Some(format) = text("out-atomf") {
        (style.atom_prefix, style.atom_suffix) = atom_format(format)?;
    }
    if let Some(value) = text("out-ifs") {
        style.separator = match value {
            "\\n" => '\n',
            "\\t" => '\t',
            "\\v" => '\x0b',
            "\\f" => '\x0c',
            "\\r" => '\r',
            "\\\\" => '\\',
            _ => {
                let mut chars = value.chars();
                match (chars.next(), chars.next()) {
                    (Some(c), None) => c,
                    _ => return Err(format!("In context '<asp>': '{value}' invalid value for: 'out-ifs'")),
                }
            }
        };
    }
    style.hide_aux = args.has("out-hide-aux");
    Ok(style)
}

/// What stands before and after the atom in `--out-atomf`: `%0` or `%s` once, `%%` for a per cent sign.
fn atom_format(format: &str) -> Result<(String, String), String> {
    let bad = |what: &str| Err(format!("cat_atom: Invalid format string - {what}"));
    let (mut before, mut after, mut seen) = (String::new(), String::new(), false);
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        let out = if seen { &mut after } else { &mut before };
        if c != '%' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('%') => out.push('%'),
            Some('0' | 's') if !seen => seen = true,
            Some('0' | 's') => return bad("too many arguments"),
            _ => return bad("'%' must be followed by '0', 's' or '%'"),
        }
    }
    if !seen { bad("no '%0' in it") } else { Ok((before, after)) }
}

fn ground_output(args: &Args<'_>, options: &mut Options) {
    let lower = |long: &str| args.get(long).and_then(|g| g.value).map(str::to_ascii_lowercase);
    options.mode = match lower("mode").as_deref() {
        Some("clasp") => Mode::Clasp,
        Some("gringo") => Mode::Gringo,
        _ => Mode::Clingo,
    };
    options.ground_format = match lower("output").as_deref() {
        Some("text") => Some(GroundFormat::Text),
        Some("reify") => {
            Some(GroundFormat::Reify { sccs: args.has("reify-sccs"), steps: args.has("reify-steps") })
        }
        Some("smodels") => Some(GroundFormat::Smodels),
        Some(_) => Some(GroundFormat::Aspif),
        None if args.has("text") => Some(GroundFormat::Text),
        None if options.mode == Mode::Gringo => Some(GroundFormat::Aspif),
        None => None,
    };
    if let Some(given) = args.get("pre") {
        let smodels = given.value.is_some_and(|v| v.eq_ignore_ascii_case("smodels"));
        options.ground_format = Some(if smodels { GroundFormat::Smodels } else { GroundFormat::Aspif });
    }
}

#[cfg(test)]
mod tests {
    use super::super::args;
    use super::*;
    use crate::base::diagnostic::WarningKind;

    fn run(line: &str) -> Result<Action, String> {
        let argv: Vec<String> = line.split(' ').map(str::to_string).collect();
        check(&args::parse(&argv)?).map_err(|wrong| wrong.message)
    }

    #[track_caller]
    fn options(line: &str) -> Options {
        match run(line) {
            Ok(Action::Run(options)) => *options,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn solver_options() {
        let o = options(
            "a 0 -e brave --opt-mode=optN,3,-1 --opt-strategy=usc,oll -t 2 --seed=7 --solve-limit=5,umax",
        );
        assert_eq!(o.solve.models, Some(0));
        assert_eq!(o.solve.enum_mode, EnumMode::Brave);
        assert_eq!((o.solve.opt_mode, o.solve.opt_bounds.as_slice()), (OptMode::OptN, &[3, -1][..]));
        assert_eq!(
            (o.solve.solver.optimize.strategy, o.solve.threads, o.solve.solver.seed),
            (OptStrategy::CoreGuided, 2, 7)
        );
        assert_eq!((o.solve.conflict_limit, o.solve.restart_limit), (5, 0));
        assert_eq!(options("-n -1").solve.models, None);
    }

    #[test]
    fn ground_input_takes_no_facts() {
        for line in ["--mode=clasp --grid=a", "--mode=clasp --csv=p=a", "--json=p=a --mode=clasp"] {
            assert!(run(line).is_err_and(|why| why.contains("is ground already")), "{line}");
        }
        assert_eq!(options("--mode=gringo --grid=a").inputs.grids.len(), 1);
    }

    #[test]
    fn preprocessing() {
        let elimination = |line: &str| options(line).solve.translate.elimination;
        assert_eq!(elimination(""), Eliminate::Auto);
        assert_eq!(elimination("--sat-prepro=0"), Eliminate::No);
        assert_eq!(elimination("--no-sat-prepro"), Eliminate::No);
        let limits = Elimination { rounds: 3, occurrences: 9, ..Elimination::default() };
        assert_eq!(elimination("--sat-prepro=2,3,occ=9"), Eliminate::Within(limits));
        let limits = Elimination { clauses: 7000, frozen: 60, ..Elimination::default() };
        assert_eq!(elimination("--sat-prepro=1,size=7,frozen=60"), Eliminate::Within(limits));
        let passes = |line: &str| {
            let InprocessParameters { probe, substitute, subsume, vivify, .. } =
                options(line).solve.solver.inprocess;
            [probe, substitute, subsume, vivify]
        };
        assert_eq!(passes("--inprocess=probe,vivify"), [true, false, false, true]);
        assert_eq!(passes("--inprocess=no"), [false; 4]);
    }

    #[test]
    fn quiet_levels_follow_each_other() {
        let quiet = |line| {
            let q = options(line).style.quiet;
            (q.models, q.costs, q.calls)
        };
        assert_eq!(quiet("-q"), (Level::Nothing, Level::Nothing, Level::Nothing));
        assert_eq!(quiet("-q1"), (Level::Last, Level::Last, Level::Nothing));
        assert_eq!(quiet("-q2,0,1"), (Level::Nothing, Level::All, Level::Last));
        assert_eq!(quiet("--outf=1"), (Level::Last, Level::Last, Level::Nothing));
    }

    #[test]
    fn formats_of_atoms() {
        assert_eq!(atom_format("x_%0.").unwrap(), ("x_".into(), ".".into()));
        assert_eq!(atom_format("%%%s").unwrap(), ("%".into(), String::new()));
        assert!(atom_format("x").is_err() && atom_format("%0%0").is_err() && atom_format("%x").is_err());
        assert_eq!(options("--out-ifs=\\n").style.separator, '\n');
        assert!(run("--out-ifs=ab").is_err());
    }

    #[test]
    fn warnings_by_name() {
        let shows = |line| options(line).warnings.shows(WarningKind::AtomUndefined);
        assert!(
            shows("a") && !shows("-Wnone") && !shows("-Wno-atom-undefined") && shows("-Wnone --warn=all")
        );
        assert!(options("--warn=tuple-collapse").warnings.shows(WarningKind::Lint("tuple-collapse")));
        assert_eq!(
            run("-Watom-undefind").unwrap_err(),
            "In context '<asp>': 'atom-undefind' invalid value for: 'warn'; did you mean 'atom-undefined'?"
        );
    }

    #[test]
    fn noted_options_are_listed_once() {
        assert_eq!(options("--nant --eq=3 --configuration=auto").noted, ["eq", "nant"]);
        assert!(run("--configuration=trendi").unwrap_err().contains("trendy"));
        assert_eq!(options("--tester=--restarts=L,9").noted, [""; 0]);
        assert_eq!(options("--tester=--nant").noted, ["tester"]);
    }

    #[test]
    fn configurations() {
        let solver = |line: &str| options(line).solve.solver;
        assert_eq!(solver("--configuration=auto"), SolverParameters::default());
        assert_eq!(solver("--configuration=many"), SolverParameters::default());
        let tweety = solver("--configuration=Tweety");
        assert!(tweety.restart.local && tweety.heuristic.decay == 0.92);
        let other = solver("--configuration=tweety --heuristic=Vmtf");
        assert!(other.restart.local && other.heuristic.decay == 0.95);
        assert!(options("--configuration=tweety -t 3").solve.portfolio.is_empty());
        assert_eq!(options("--configuration=many -t 3").solve.portfolio.len(), 3);
        assert_eq!(options("--configuration=many -t 60").solve.portfolio.len(), 8);
        assert!(options("--configuration=frumpy").noted.is_empty());
        assert!(run("--no-lookback --restarts=L,3").is_err() && run("--no-lookback --restarts=no").is_ok());
        assert!(run("--configuration=tweety --no-lookback").is_err());
    }
}
