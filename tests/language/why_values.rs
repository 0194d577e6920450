//! `asp why x=3` and `asp why-not x=3` on random constraints over integers: the verdict is that of all assignments, the
//! statements named are enough to force it, and none of them can be left out if that is claimed.
//!
//! `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` choose other programs.

use crate::support::hunt::number;
use crate::support::integers::constraint::compare;
use crate::support::spawn;
use asp_base::rng::Rng;
use serde_json::Value;

const VARIABLES: usize = 3;

/// `sum of weights * variables <relation> bound`, if the atom `a` has a value.
struct Constraint {
    weights: [i64; VARIABLES],
    relation: &'static str,
    bound: i64,
    only_if: Option<bool>,
}

struct Program {
    /// Least and greatest values.
    domains: [(i64, i64); VARIABLES],
    constraints: Vec<Constraint>,
}

impl Constraint {
    /// One that these values satisfy, most of them only just.
    fn random(rng: &mut Rng, values: [i64; VARIABLES]) -> Self {
        let weights = std::array::from_fn(|_| (rng.below(7) as i64 - 3) * i64::from(rng.chance(0.7)));
        let sum: i64 = weights.iter().zip(values).map(|(w, v): (&i64, i64)| w * v).sum();
        let room = rng.below(3) as i64;
        let (relation, bound) = [
            ("<=", sum + room),
            (">=", sum - room),
            ("<", sum + 1 + room),
            (">", sum - 1 - room),
            ("=", sum),
            ("!=", sum + 1 + room),
        ][rng.below(6) as usize];
        let only_if = rng.chance(0.3).then(|| rng.chance(0.5));
        Self { weights, relation, bound, only_if }
    }

    fn holds(&self, values: [i64; VARIABLES], a: bool) -> bool {
        let sum: i64 = self.weights.iter().zip(values).map(|(w, v)| w * v).sum();
        self.only_if.is_some_and(|wanted| wanted != a)
            || compare(sum.into(), self.relation, self.bound.into())
    }

    fn text(&self) -> String {
        let terms: Vec<String> = (0..VARIABLES).map(|i| format!("{}*{}", self.weights[i], name(i))).collect();
        let body = match self.only_if {
            None => "",
            Some(true) => " :- a",
            Some(false) => " :- not a",
        };
        format!("&sum {{ {} }} {} {}{body}.", terms.join("; "), self.relation, self.bound)
    }
}

fn name(variable: usize) -> char {
    ['x', 'y', 'z'][variable]
}

impl Program {
    fn random(rng: &mut Rng) -> Self {
        let domain = |rng: &mut Rng| {
            let least = rng.below(7) as i64 - 3;
            (least, least + rng.below(10) as i64)
        };
        let mut domains = std::array::from_fn(|_| domain(rng));
        // One with more values than become atoms.
        let wide = rng.chance(0.5);
        domains[0].1 += if wide { 1000 } else { 0 };
        let values = domains.map(|(least, most)| least + rng.below((most - least + 1) as u64) as i64);
        Self {
            domains,
            constraints: (0..2 + rng.below(5)).map(|_| Constraint::random(rng, values)).collect(),
        }
    }

    /// One statement a line; the first is the choice of `a`.
    fn lines(&self) -> Vec<String> {
        let domain =
            |i: usize| format!("&dom {{ {} .. {} }} = {}.", self.domains[i].0, self.domains[i].1, name(i));
        let constraints = self.constraints.iter().map(Constraint::text);
        std::iter::once("{ a }.".to_owned()).chain((0..VARIABLES).map(domain)).chain(constraints).collect()
    }

    /// The values of one variable in all answer sets.
    fn values(&self, variable: usize) -> Vec<i64> {
        let [x, y, z] = self.domains.map(|(least, most)| least..=most);
        let mut found = Vec::new();
        for x in x {
            for y in y.clone() {
                for z in z.clone() {
                    for a in [false, true] {
                        if self.constraints.iter().all(|c| c.holds([x, y, z], a)) {
                            found.push([x, y, z][variable]);
                        }
                    }
                }
            }
        }
        found
    }
}

/// Whether some lines and a constraint more have an answer set; `None` if that is not known in time.
fn is_satisfiable(lines: &[&String], more: &str) -> Option<bool> {
    let text: Vec<&str> = lines.iter().map(|l| l.as_str()).chain([more]).collect();
    match spawn::run(["-q", "--time-limit=20"], &text.join("\n")).code {
        Some(10 | 30) => Some(true),
        Some(20) => Some(false),
        Some(1) => None,
        other => panic!("exit code {other:?}\n{}", text.join("\n")),
    }
}

/// Indices of the lines that an explanation names.
fn places(node: &Value, found: &mut Vec<usize>) {
    if let Some(line) = node["place"]["line"].as_u64() {
        found.push(line as usize - 1);
    }
    for part in node["because"].as_array().into_iter().flatten() {
        places(part, found);
    }
}

#[test]
fn values_are_explained_by_what_forces_them() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 80));
    let (mut forced, mut minimal) = (0, 0);
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let program = Program::random(&mut rng);
        let variable = rng.below(VARIABLES as u64) as usize;
        let values = program.values(variable);
        let (least, most) = program.domains[variable];
        let asked = match rng.chance(0.5) && !values.is_empty() {
            true => values[rng.below(values.len() as u64) as usize],
            false => least + rng.below((most - least + 1) as u64) as i64,
        };
        let wanted = match values.iter().filter(|&&v| v == asked).count() {
            _ if values.is_empty() => "no answer set",
            0 => "never",
            n if n == values.len() => "always",
            _ => "sometimes",
        };
        let lines = program.lines();
        let text = lines.join("\n");
        let question = if rng.chance(0.5) { "why" } else { "why-not" };
        let atom = format!("{}={asked}", name(variable));
        let run = spawn::run([question, "-q", "--format=json", &atom], &text);
        let told = || format!("ASP_RANDOM_SEED={seed}\n{text}\n{question} {atom}\n{run:?}");
        let json: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", told()));
        assert_eq!(json["holds"].as_str(), Some(wanted), "{}", told());
        if !["always", "never"].contains(&wanted) {
            continue;
        }
        let mut named = Vec::new();
        places(&json["why"], &mut named);
        named.sort_unstable();
        named.dedup();
        let otherwise =
            format!("&sum {{ {} }} {} {asked}.", name(variable), if wanted == "always" { "!=" } else { "=" });
        // The choice is no reason, and without it `a` would be false.
        let of = |left_out: usize| -> Vec<&String> {
            let kept = (0..lines.len()).filter(|i| *i == 0 || named.contains(i) && *i != left_out);
            kept.map(|i| &lines[i]).collect()
        };
        assert!(
            is_satisfiable(&of(lines.len()), &otherwise) != Some(true),
            "not enough: {named:?}\n{}",
            told()
        );
        forced += 1;
        if json["minimal"] == true {
            for &line in named.iter().filter(|&&line| line != 0) {
                assert!(
                    is_satisfiable(&of(line), &otherwise) != Some(false),
                    "line {} is not needed\n{}",
                    line + 1,
                    told()
                );
            }
            minimal += 1;
        }
    }
    eprintln!("values: {forced} of {count} forced, {minimal} by a set of statements that is called minimal");
    assert!(forced * 4 > count && minimal * 2 > forced);
}
