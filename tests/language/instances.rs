//! Random CNF, weighted CNF and pseudo-Boolean instances, read from their formats, against brute force over all
//! assignments: the number of models, and the least cost.
//!
//! Most go through the library, some through `asp --mode=clasp` as a user would. `ASP_INSTANCES_COUNT` and
//! `ASP_INSTANCES_SEED` set the number of instances of each kind and the first seed.

use crate::support::spawn;
use asp::Control;
use asp::Source;
use asp_base::rng::Rng;
use asp_solve::{Flow, OptMode, OptStrategy, SolveOptions};

const VARIABLES: u32 = 8;

/// The expected result: the number of models that satisfy all hard constraints, and the least cost if there are costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Truth {
    models: u64,
    best: Option<i128>,
}

/// A product of literals (`3` or `-3`).
type Product = Vec<i64>;

fn literal_holds(literal: i64, world: u32) -> bool {
    (world >> (literal.abs() - 1) & 1 == 1) == (literal > 0)
}

fn clause_holds(clause: &[i64], world: u32) -> bool {
    clause.iter().any(|&l| literal_holds(l, world))
}

/// A sum of weighted products.
#[derive(Clone, Debug, Default)]
struct Sum(Vec<(i64, Product)>);

impl Sum {
    fn value(&self, world: u32) -> i128 {
        let holds = |p: &Product| p.iter().all(|&l| literal_holds(l, world));
        self.0.iter().filter(|t| holds(&t.1)).map(|t| i128::from(t.0)).sum()
    }
    fn text(&self) -> String {
        let factor = |l: &i64| format!("{}x{}", if *l < 0 { "~" } else { "" }, l.abs());
        let term =
            |(w, p): &(i64, Product)| format!("{w:+} {}", p.iter().map(factor).collect::<Vec<_>>().join(" "));
        self.0.iter().map(term).collect::<Vec<_>>().join(" ")
    }
    /// Whether the sum of all weights, and a bound, fit 64 bits.
    fn fits(&self, bound: i64) -> bool {
        let all: u128 = self.0.iter().map(|t| u128::from(t.0.unsigned_abs())).sum();
        all + u128::from(bound.unsigned_abs()) < i64::MAX as u128
    }
}

/// The truth, by brute force.
fn truth(feasible: impl Fn(u32) -> bool, cost: Option<&dyn Fn(u32) -> i128>) -> Truth {
    let worlds: Vec<u32> = (0..1u32 << VARIABLES).filter(|&w| feasible(w)).collect();
    Truth { models: worlds.len() as u64, best: cost.and_then(|cost| worlds.iter().map(|&w| cost(w)).min()) }
}

fn literal(rng: &mut Rng) -> i64 {
    let variable = 1 + rng.below(u64::from(VARIABLES)) as i64;
    if rng.chance(0.5) { variable } else { -variable }
}

fn load(text: &str) -> Result<Control, String> {
    let mut control = Control::new();
    control.add_source(Source::new("random", text));
    control.read_ground().map_err(|e| format!("{e:?}"))?;
    control.lower().map_err(|e| format!("{e:?}"))?;
    Ok(control)
}

/// What the library finds, or why it rejects the instance.
fn found(text: &str, strategy: OptStrategy) -> Result<Truth, String> {
    let mut control = load(text)?;
    let mut seen = std::collections::BTreeSet::new();
    let all = SolveOptions { models: Some(0), opt_mode: OptMode::Ignore, ..SolveOptions::default() };
    let result = control
        .solve_events(&all, &[], &mut |event, program, _| {
            if let asp_solve::Event::Model(m) = event {
                let atoms = program.atoms.ids();
                assert!(seen.insert(atoms.map(|a| m.contains(a)).collect::<Vec<_>>()), "a model twice");
            }
            Flow::Continue
        })
        .unwrap();
    assert!(result.exhausted);
    let models = result.models;
    let mut options = SolveOptions::default();
    options.solver.optimize.strategy = strategy;
    let result = control.solve_events(&options, &[], &mut |_, _, _| Flow::Continue).unwrap();
    assert_eq!(result.satisfiable, models > 0);
    assert!(result.exhausted || result.costs.is_none());
    Ok(Truth { models, best: result.costs.map(|c| i128::from(c[0])) })
}

/// A small part of what the binary prints about an instance on standard input.
fn printed(text: &str, arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    let run = spawn::run([&["--mode=clasp", "-q", "--outf=2"], arguments].concat(), text);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let fields = [
        json["Result"].to_string(),
        json["Models"]["Number"].to_string(),
        json["Models"]["Costs"].to_string(),
    ];
    (run.code, fields.to_vec())
}

/// Compares one instance through the library and, sometimes, through the binary.
#[track_caller]
fn compare(seed: u64, text: &str, expected: Truth) {
    let strategy = OptStrategy::ALL[seed as usize % OptStrategy::ALL.len()];
    let actual = found(text, strategy).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
    assert_eq!(actual, expected, "seed {seed} {strategy:?}\n{text}");
    if seed.is_multiple_of(40) {
        let (code, fields) = printed(text, &["0", "--opt-mode=ignore"]);
        let result = if expected.models > 0 { "\"SATISFIABLE\"" } else { "\"UNSATISFIABLE\"" };
        assert_eq!(fields[..2], [result.to_string(), expected.models.to_string()], "seed {seed}\n{text}");
        assert_eq!(code, Some(if expected.models > 0 { 30 } else { 20 }), "seed {seed}\n{text}");
        if let Some(best) = expected.best {
            let usc = if seed.is_multiple_of(80) { "--opt-strategy=usc" } else { "--opt-strategy=bb" };
            let (code, fields) = printed(text, &[usc]);
            assert_eq!(fields[0], "\"OPTIMUM FOUND\"", "seed {seed}\n{text}");
            assert_eq!(
                (code, fields[2].as_str()),
                (Some(30), format!("[{best}]").as_str()),
                "seed {seed}\n{text}"
            );
        }
    }
}

fn seeds(count: u64) -> std::ops::Range<u64> {
    let number =
        |name: &str, default| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let first = number("ASP_INSTANCES_SEED", 0);
    first..first + number("ASP_INSTANCES_COUNT", count)
}

#[test]
fn random_cnf() {
    let mut satisfiable = 0;
    for seed in seeds(2000) {
        let mut rng = Rng::new(seed);
        let clauses: Vec<Vec<i64>> = (0..8 + rng.below(40))
            .map(|_| (0..1 + rng.below(3) + rng.below(2)).map(|_| literal(&mut rng)).collect())
            .filter(|c: &Vec<i64>| c.len() > 1 || seed % 3 == 0)
            .collect();
        let mut text = format!("c seed {seed}\np cnf {VARIABLES} {}\n", clauses.len());
        for clause in &clauses {
            clause.iter().for_each(|l| text += &format!("{l} "));
            text += if rng.chance(0.1) { "\n0\n" } else { "0\n" };
        }
        let expected = truth(|w| clauses.iter().all(|c| clause_holds(c, w)), None);
        satisfiable += u64::from(expected.models > 0);
        compare(seed, &text, expected);
    }
    let all = seeds(2000).count() as u64;
    assert!(satisfiable * 5 > all && (all - satisfiable) * 5 > all, "{satisfiable} of {all} are satisfiable");
}

#[test]
fn random_weighted_cnf() {
    for seed in seeds(2000) {
        let mut rng = Rng::new(seed);
        let largest = [9, 1, 1 << 40, i64::MAX as u64 / 40][seed as usize / 7 % 4];
        let clauses: Vec<(Option<i64>, Vec<i64>)> = (0..8 + rng.below(20))
            .map(|_| {
                let weight = (!rng.chance(0.3)).then(|| 1 + rng.below(largest) as i64);
                (weight, (0..1 + rng.below(3)).map(|_| literal(&mut rng)).collect())
            })
            .collect();
        let newer = seed % 2 == 1;
        let mut text = if newer {
            String::from("c the format of 2022\n")
        } else {
            format!("p wcnf {VARIABLES} {} {}\n", clauses.len(), i64::MAX)
        };
        for (weight, clause) in &clauses {
            match weight {
                Some(weight) => text += &format!("{weight} "),
                None if newer => text += "h ",
                None => text += &format!("{} ", i64::MAX),
            }
            clause.iter().for_each(|l| text += &format!("{l} "));
            text += "0\n";
        }
        // In the newer format only variables that occur are known: the others occur in clauses that always hold.
        let occurs = |v: i64| clauses.iter().any(|(_, clause)| clause.iter().any(|l| l.abs() == v));
        if newer {
            let absent = (1..=i64::from(VARIABLES)).filter(|&v| !occurs(v));
            let named: String = absent.map(|v| format!("h {v} -{v} 0\n")).collect();
            text = text.replacen("c the format of 2022\n", &format!("h 1 -1 0\n{named}"), 1);
        }
        let hard = |w: u32| clauses.iter().all(|(weight, c)| weight.is_some() || clause_holds(c, w));
        let cost = |w: u32| -> i128 {
            let broken = clauses.iter().filter(|(_, c)| !clause_holds(c, w));
            broken.filter_map(|c| c.0).map(i128::from).sum()
        };
        compare(seed, &text, truth(hard, Some(&cost)));
    }
}

/// Sums of literals; with products in some instances, and with weights near the limits of 64 bits in others. What does
/// not fit is rejected, never answered incorrectly.
#[test]
fn random_pseudo_boolean() {
    let (mut rejected, mut large) = (0, 0);
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let products = seed % 4 == 1;
        let scale = [7, 7, 3, 1 << 33, i64::MAX as u64 / 3][seed as usize / 11 % 5];
        let sum = |rng: &mut Rng| -> Sum {
            let term = |rng: &mut Rng| {
                let weight = 1 + rng.below(scale) as i64;
                let factors = if products { 1 + rng.below(3) } else { 1 };
                let product = (0..factors).map(|_| literal(rng)).collect();
                (if rng.chance(0.3) { -weight } else { weight }, product)
            };
            Sum((0..2 + rng.below(5)).map(|_| term(rng)).collect())
        };
        let constraints: Vec<(Sum, i64, &str)> = (0..1 + rng.below(6))
            .map(|_| {
                let sum = sum(&mut rng);
                let reached = sum.value(rng.below(1 << VARIABLES) as u32);
                // Most equalities can be satisfied.
                let relation = if rng.chance(0.2) { "=" } else { ">=" };
                let bound = if relation == "=" || rng.chance(0.3) {
                    reached.clamp(i64::MIN.into(), i64::MAX.into()) as i64
                } else {
                    rng.below(scale) as i64 - 1
                };
                (sum, bound, relation)
            })
            .collect();
        let objective = (!rng.chance(0.3)).then(|| sum(&mut rng));
        let mut text = format!("* #variable= {VARIABLES} #constraint= {}\n", constraints.len());
        if let Some(sum) = &objective {
            text += &format!("min: {} ;\n", sum.text());
        }
        // Every variable is known.
        for v in 1..=VARIABLES {
            text += &format!("+1 x{v} >= 0 ;\n");
        }
        for (sum, bound, relation) in &constraints {
            text += &format!("{} {relation} {bound} ;\n", sum.text());
        }
        let holds = |w: u32| {
            constraints.iter().all(|(sum, bound, relation)| match *relation {
                "=" => sum.value(w) == i128::from(*bound),
                _ => sum.value(w) >= i128::from(*bound),
            })
        };
        let cost = |w: u32| objective.as_ref().map_or(0, |o| o.value(w));
        let expected = truth(holds, objective.is_some().then_some(&cost));
        let fits = constraints.iter().all(|(sum, bound, _)| sum.fits(*bound))
            && objective.as_ref().is_none_or(|o| o.fits(0));
        large += u64::from(fits && scale > 100);
        if let (false, Err(message)) = (fits, load(&text)) {
            assert!(message.contains("64-bit"), "seed {seed}: {message}\n{text}");
            rejected += 1;
            continue;
        }
        compare(seed, &text, expected);
    }
    assert!(rejected > 0 && large * 10 > seeds(3000).count() as u64, "{rejected} rejected, {large} large");
}
