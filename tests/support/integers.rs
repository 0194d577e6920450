//! Random programs with constraints over integers, and their answers by the definition.
//!
//! A program is made as data and written as text. Its answers are found without constraints: in bodies they are atoms that may hold
//! or not, in heads atoms that are derived; then every assignment of values is tried with every answer set, and kept if the atoms
//! in bodies say what is so, and what heads demand is so.

use asp::unstable::base::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// The names of variables.
const NAMES: [&str; 4] = ["x", "y", "f(1)", "(a,2)"];

/// A sum of products of variables, and a constant; how often it counts, and what is written after it.
#[derive(Clone, Debug)]
struct Element {
    terms: Vec<(i64, Vec<usize>)>,
    constant: i64,
    times: i64,
    condition: &'static str,
}

#[derive(Clone, Debug)]
enum Constraint {
    Compare { name: &'static str, left: Vec<Element>, operator: &'static str, right: Element },
    Distinct(Vec<Element>),
    Disjoint(Vec<(usize, i64)>),
    Domain(Vec<(i64, i64)>, usize),
}

/// A random program.
pub struct Program {
    /// Its text.
    pub text: String,
    /// The same with atoms in place of constraints, which may hold or not in bodies.
    plain: String,
    domains: Vec<Vec<i64>>,
    bodies: Vec<Constraint>,
    heads: Vec<Constraint>,
    objective: Option<Vec<Element>>,
}

/// Shown atoms and values, sorted.
pub type Pair = (Vec<String>, Vec<String>);
/// All answers.
pub type Answers = BTreeSet<Pair>;

fn one<T: Copy>(of: &[T], rng: &mut Rng) -> T {
    of[rng.below(of.len() as u64) as usize]
}

fn between(low: i64, high: i64, rng: &mut Rng) -> i64 {
    low + rng.below((high - low + 1) as u64) as i64
}

impl Element {
    fn random(variables: usize, products: bool, rng: &mut Rng) -> Self {
        let mut terms = Vec::new();
        for _ in 0..between(0, 2, rng).max(between(0, 1, rng)) {
            let mut product = vec![rng.below(variables as u64) as usize];
            if products && rng.below(2) == 0 {
                product.push(rng.below(variables as u64) as usize);
            }
            terms.push((one(&[1, 1, 1, -1, 2, -2, 3], rng), product));
        }
        let constant = if terms.is_empty() || rng.below(3) == 0 { between(-3, 3, rng) } else { 0 };
        Self { terms, constant, times: 1, condition: "" }
    }

    fn value(&self, values: &[i64]) -> i64 {
        let of = |(factor, product): &(i64, Vec<usize>)| -> i64 {
            factor * product.iter().map(|&v| values[v]).product::<i64>()
        };
        self.times * (self.constant + self.terms.iter().map(of).sum::<i64>())
    }

    fn text(&self) -> String {
        let mut out = String::new();
        for (factor, product) in &self.terms {
            let names: Vec<&str> = product.iter().map(|&v| NAMES[v]).collect();
            let sign = if *factor < 0 { "-" } else { "+" };
            if !out.is_empty() || *factor < 0 {
                out.push_str(sign);
            }
            match factor.abs() {
                1 => out.push_str(&names.join("*")),
                n => out.push_str(&format!("{n}*{}", names.join("*"))),
            }
        }
        match self.constant {
            0 if !out.is_empty() => {}
            n if n < 0 => out.push_str(&format!("-{}", -n)),
            n if out.is_empty() => out.push_str(&n.to_string()),
            n => out.push_str(&format!("+{n}")),
        }
        // What begins with an operator would be one operator with what stands before it.
        if out.starts_with('-') { format!("({out})") } else { out }
    }
}

impl Constraint {
    fn elements(variables: usize, products: bool, most: i64, rng: &mut Rng) -> Vec<Element> {
        (0..between(1, most, rng))
            .map(|_| {
                let mut e = Element::random(variables, products, rng);
                if rng.below(8) == 0 {
                    (e.times, e.condition) = one(&[(3, ": p(V)"), (2, ": p(V), V > 1"), (0, ": p(7)")], rng);
                }
                e
            })
            .collect()
    }

    fn random(variables: usize, head: bool, products: bool, rng: &mut Rng) -> Self {
        match rng.below(if head { 14 } else { 9 }) {
            0 => {
                let mut ends = [0, 1].map(|_| Element {
                    terms: vec![(1, vec![rng.below(variables as u64) as usize])],
                    constant: 0,
                    times: 1,
                    condition: "",
                });
                if rng.below(4) == 0 {
                    ends[1] = Element { terms: Vec::new(), constant: between(0, 3, rng), ..ends[1].clone() };
                }
                let right =
                    Element { terms: Vec::new(), constant: between(-3, 3, rng), times: 1, condition: "" };
                Constraint::Compare { name: "diff", left: ends.to_vec(), operator: "<=", right }
            }
            1..=8 => {
                let nonlinear = products && rng.below(4) == 0;
                let mut left = Self::elements(variables, nonlinear, 3, rng);
                if rng.below(12) == 0 {
                    left.clear();
                }
                let mut right = Element::random(variables, nonlinear, rng);
                if rng.below(2) == 0 {
                    right = Element { terms: Vec::new(), constant: between(-4, 6, rng), ..right };
                }
                let operator = one(&["<=", "<", ">=", ">", "=", "!="], rng);
                Constraint::Compare { name: if nonlinear { "nsum" } else { "sum" }, left, operator, right }
            }
            // clingcon loses answers if an element is a constant that another one has.
            9 | 10 if !products => Constraint::Distinct(
                (0..between(1, 4, rng))
                    .map(|_| Element {
                        terms: vec![(one(&[1, 1, 2, -1], rng), vec![rng.below(variables as u64) as usize])],
                        constant: between(-1, 1, rng),
                        times: 1,
                        condition: "",
                    })
                    .collect(),
            ),
            9 | 10 => Constraint::Distinct(Self::elements(variables, false, 4, rng)),
            11 => {
                let n = between(1, 3, rng);
                Constraint::Disjoint(
                    (0..n).map(|_| (rng.below(variables as u64) as usize, between(1, 2, rng))).collect(),
                )
            }
            _ => Constraint::Domain(ranges(rng), rng.below(variables as u64) as usize),
        }
    }

    fn holds(&self, values: &[i64]) -> bool {
        let differ = |mut values: Vec<i64>| {
            values.sort_unstable();
            values.windows(2).all(|w| w[0] != w[1])
        };
        match self {
            Constraint::Compare { name, left, operator, right } => {
                let left = match *name {
                    "diff" => left[0].value(values) - left[1].value(values),
                    _ => left.iter().map(|e| e.value(values)).sum::<i64>(),
                };
                let right = right.value(values);
                match *operator {
                    "<=" => left <= right,
                    "<" => left < right,
                    ">=" => left >= right,
                    ">" => left > right,
                    "=" => left == right,
                    _ => left != right,
                }
            }
            Constraint::Distinct(elements) => differ(
                elements
                    .iter()
                    .flat_map(|e| vec![Element { times: 1, ..e.clone() }.value(values); e.times as usize])
                    .collect(),
            ),
            Constraint::Disjoint(intervals) => {
                differ(intervals.iter().flat_map(|&(v, n)| values[v]..values[v] + n).collect())
            }
            Constraint::Domain(ranges, v) => ranges.iter().any(|r| r.0 <= values[*v] && values[*v] <= r.1),
        }
    }

    fn text(&self) -> String {
        let list = |elements: &[Element]| -> String {
            let each = elements.iter().map(|e| format!("{}{}", e.text(), e.condition));
            each.collect::<Vec<_>>().join("; ")
        };
        match self {
            Constraint::Compare { name: "diff", left, right, .. } => {
                format!("&diff {{ {}-{} }} <= {}", left[0].text(), left[1].text(), right.text())
            }
            Constraint::Compare { name, left, operator, right } => {
                format!("&{name} {{ {} }} {operator} {}", list(left), right.text())
            }
            Constraint::Distinct(elements) => format!("&distinct {{ {} }}", list(elements)),
            Constraint::Disjoint(intervals) => {
                let each = intervals.iter().map(|(v, n)| format!("{}@{n}", NAMES[*v]));
                format!("&disjoint {{ {} }}", each.collect::<Vec<_>>().join("; "))
            }
            Constraint::Domain(ranges, v) => {
                format!("&dom {{ {} }} = {}", ranges_text(ranges), NAMES[*v])
            }
        }
    }
}

fn ranges(rng: &mut Rng) -> Vec<(i64, i64)> {
    (0..between(1, 2, rng))
        .map(|_| {
            let low = between(-3, 3, rng);
            (low, low + between(0, 3, rng))
        })
        .collect()
}

fn ranges_text(ranges: &[(i64, i64)]) -> String {
    let number = |n: i64| if n < 0 { format!("({n})") } else { n.to_string() };
    let each = ranges
        .iter()
        .map(|r| if r.0 == r.1 { number(r.0) } else { format!("{}..{}", number(r.0), number(r.1)) });
    each.collect::<Vec<_>>().join("; ")
}

impl Program {
    /// A program for a seed. Without `all`, only what clingcon gets right: no `&nsum`, and no objective.
    pub fn random(seed: u64, all: bool) -> Self {
        let mut rng = Rng::new(seed);
        let rng = &mut rng;
        let variables = between(1, if all { 4 } else { 3 }, rng) as usize;
        let mut out = Program {
            text: String::from("p(1..3). { a; b }.\n"),
            plain: String::from("p(1..3). { a; b }.\n"),
            domains: Vec::new(),
            bodies: Vec::new(),
            heads: Vec::new(),
            objective: None,
        };
        for (v, name) in NAMES.iter().enumerate().take(variables) {
            let ranges = ranges(rng);
            let (low, high) =
                (ranges.iter().map(|r| r.0).min().unwrap(), ranges.iter().map(|r| r.1).max().unwrap());
            out.domains.push((low..=high).collect());
            if rng.below(4) > 0 {
                out.heads.push(Constraint::Domain(ranges.clone(), v));
                out.text.push_str(&format!("&dom {{ {} }} = {name}.\n", ranges_text(&ranges)));
            } else if rng.below(2) == 0 {
                out.text
                    .push_str(&format!("&sum {{ {name}; {name} }} <= {}. ", 2 * high + between(0, 1, rng)));
                out.text.push_str(&format!(":- &sum {{ {name} }} < {low}.\n"));
                continue;
            } else {
                out.text.push_str(&format!(
                    ":- not &diff {{ {name}-0 }} <= {high}. &sum {{ {low} }} <= {name}.\n"
                ));
                continue;
            }
            out.plain.push_str(&format!("h({}).\n", out.heads.len() - 1));
        }
        let named = ["a", "b", "c", "d"];
        for _ in 0..between(1, 5, rng) {
            let mut body: Vec<(String, String)> = Vec::new();
            for _ in 0..between(0, 2, rng) {
                let sign = one(&["", "", "not ", "not not "], rng);
                if rng.below(2) == 0 && out.bodies.len() < 5 {
                    let constraint = Constraint::random(variables, false, all, rng);
                    body.push((
                        format!("{sign}{}", constraint.text()),
                        format!("{sign}t({})", out.bodies.len()),
                    ));
                    out.bodies.push(constraint);
                } else {
                    let literal = format!("{sign}{}", one(&named, rng));
                    body.push((literal.clone(), literal));
                }
            }
            let (head, plain) = match rng.below(8) {
                0..=3 => {
                    let constraint = Constraint::random(variables, true, all, rng);
                    out.heads.push(constraint);
                    let constraint = &out.heads[out.heads.len() - 1];
                    (constraint.text(), format!("h({})", out.heads.len() - 1))
                }
                // clingcon turns `&diff` in a constraint into a head with `>`, and rejects that.
                4 if !body.is_empty() && (all || !body.iter().any(|b| b.0.contains("&diff"))) => {
                    (String::new(), String::new())
                }
                5 => ("{ c }".into(), "{ c }".into()),
                _ => {
                    let name = one(&["c", "d"], rng);
                    (name.into(), name.into())
                }
            };
            for (text, head, which) in [(&mut out.text, head, 0), (&mut out.plain, plain, 1)] {
                let body: Vec<&str> =
                    body.iter().map(|b| if which == 0 { &b.0[..] } else { &b.1[..] }).collect();
                let arrow = if body.is_empty() { String::new() } else { format!(":- {}", body.join(", ")) };
                text.push_str(&format!("{head} {arrow}.\n"));
            }
        }
        if !out.bodies.is_empty() {
            out.plain.push_str(&format!("{{ t(0..{}) }}.\n", out.bodies.len() - 1));
        }
        if all && rng.below(3) == 0 {
            let elements = Constraint::elements(variables, false, 2, rng);
            let list: Vec<String> = elements.iter().map(|e| format!("{}{}", e.text(), e.condition)).collect();
            out.text.push_str(&format!("&minimize {{ {} }}.\n", list.join("; ")));
            out.objective = Some(elements);
            if rng.below(2) == 0 {
                let plain = format!(
                    "#minimize {{ {}@{},1 : a; 1,2 : c }}.\n",
                    between(-2, 2, rng),
                    between(0, 1, rng)
                );
                out.text.push_str(&plain);
                out.plain.push_str(&plain);
            }
        }
        out
    }

    /// Its answers by the definition, and the costs of the best by level.
    pub fn answers(&self) -> (Answers, Option<BTreeMap<i64, i64>>) {
        let mut control = asp::Control::new();
        control.add(&self.plain);
        control.add("#show a/0. #show b/0. #show c/0. #show d/0. #show h/1. #show t/1. #show p/1.");
        control.settings.solve.opt_mode = asp::unstable::solve::OptMode::Ignore;
        let mut sets: Vec<Vec<String>> = Vec::new();
        control
            .solve(0, |answer| {
                sets.push(answer.terms().map(|t| t.to_string()).collect());
                true
            })
            .unwrap_or_else(|e| panic!("{e}\n{}", self.plain));
        let levels = self.levels();
        let mut found: Vec<(BTreeMap<i64, i64>, Pair)> = Vec::new();
        let mut values: Vec<usize> = vec![0; self.domains.len()];
        'assignments: loop {
            let chosen: Vec<i64> = values.iter().zip(&self.domains).map(|(&i, d)| d[i]).collect();
            for set in &sets {
                let has = |name: String| set.contains(&name);
                let fits =
                    self.bodies.iter().enumerate().all(|(i, c)| c.holds(&chosen) == has(format!("t({i})")))
                        && self
                            .heads
                            .iter()
                            .enumerate()
                            .all(|(i, c)| c.holds(&chosen) || !has(format!("h({i})")));
                if fits {
                    let mut shown: Vec<String> = set
                        .iter()
                        .filter(|s| !s.starts_with("h(") && !s.starts_with("t("))
                        .cloned()
                        .collect();
                    shown.sort();
                    let mut assignment: Vec<String> =
                        chosen.iter().zip(NAMES).map(|(v, name)| format!("{name}={v}")).collect();
                    assignment.sort();
                    let mut costs: BTreeMap<i64, i64> = BTreeMap::new();
                    if let Some(objective) = &self.objective {
                        *costs.entry(0).or_default() +=
                            objective.iter().map(|e| e.value(&chosen)).sum::<i64>();
                    }
                    for (weight, level, atom) in &levels {
                        *costs.entry(-level).or_default() += if has(atom.clone()) { *weight } else { 0 };
                    }
                    found.push((costs, (shown, assignment)));
                }
            }
            for i in 0..=values.len() {
                if i == values.len() {
                    break 'assignments;
                }
                values[i] += 1;
                if values[i] < self.domains[i].len() {
                    break;
                }
                values[i] = 0;
            }
        }
        let best = found.iter().map(|f| &f.0).min().cloned();
        let keep = |f: &&(BTreeMap<i64, i64>, Pair)| self.objective.is_none() || Some(&f.0) == best.as_ref();
        let answers = found.iter().filter(keep).map(|f| f.1.clone()).collect();
        (answers, best.filter(|_| self.objective.is_some()))
    }

    /// Weights with levels and atoms of `#minimize`.
    fn levels(&self) -> Vec<(i64, i64, String)> {
        let Some(at) = self.plain.find("#minimize { ") else { return Vec::new() };
        let rest = &self.plain[at + 12..];
        let (weight, rest) = rest.split_once('@').expect("a level");
        let (level, _) = rest.split_once(',').expect("a tuple");
        let [weight, level] = [weight, level].map(|n| n.parse().expect("an integer"));
        vec![(weight, level, "a".into()), (1, 0, "c".into())]
    }
}
