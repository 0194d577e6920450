//! Random programs with constraints over integers, and their answers by the definition.
//!
//! A program is made as data and written as text. Its answers are found without constraints: in bodies they are atoms that may hold
//! or not, in heads atoms that are derived; then every assignment of values is tried with every answer set, and kept if the atoms
//! in bodies say what is so, and what heads demand is so. Variables with very many values stand in an equation with others, which
//! leaves few to try. A program may have steps, each of which adds rules, variables and objectives.

pub mod constraint;

use asp_base::rng::Rng;
use constraint::{Constraint, Element, GREATEST, NAMES, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub use constraint::Kind;

/// The values of a variable that are tried.
#[derive(Clone, Debug)]
enum Values {
    Listed(Vec<i64>),
    /// Those whose multiple lies between the value of one of the elements and that plus a width.
    Near(i64, Vec<Element>, i64),
}

/// What is there up to a step.
#[derive(Clone, Debug, Default)]
struct Part {
    plain: String,
    variables: usize,
    bodies: usize,
    heads: usize,
    objectives: usize,
    weights: usize,
    shows: usize,
}

/// A random program.
pub struct Program {
    /// Its text.
    pub text: String,
    /// Whether variables have very many values; then values of a constraint may not fit 64 bits.
    pub wide: bool,
    /// Whether it has numbers that may be refused, or must be if costs do not fit 64 bits.
    pub may_be_refused: bool,
    /// The step from which on it must be refused.
    pub refused_from: Option<usize>,
    /// The same with atoms in place of constraints, which may hold or not in bodies, by steps.
    parts: Vec<Part>,
    values: Vec<Values>,
    bodies: Vec<Constraint>,
    heads: Vec<Constraint>,
    /// Elements with their level and sign.
    objectives: Vec<(i64, i128, Vec<Element>)>,
    /// Weights, levels and atoms of `#minimize`.
    weights: Vec<(i64, i64, &'static str)>,
    /// Variables that `&show` names.
    shows: Vec<Vec<usize>>,
    /// Predicates that are shown, if not all.
    shown: Option<Vec<&'static str>>,
    /// Atoms that are projected on.
    pub projected: Vec<&'static str>,
}

/// An answer by the definition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Answer {
    /// What is shown: atoms, and values as `__csp(x,1)`.
    pub shown: BTreeSet<String>,
    /// Atoms, shown or not.
    pub atoms: BTreeSet<String>,
    /// All values.
    pub values: Vec<i64>,
    /// Its costs, the most important level first.
    pub costs: Vec<i64>,
}

/// Shown atoms and values, sorted.
pub type Pair = (Vec<String>, Vec<String>);
/// All answers.
pub type Answers = BTreeSet<Pair>;

impl Program {
    /// A program for a seed.
    pub fn random(seed: u64, kind: Kind) -> Self {
        let fixed = kind != Kind::Wide && seed % 4 == 1;
        let mut source = Source { rng: Rng::new(seed), kind, hidden: Vec::new(), huge: false, fixed };
        let start = Part { plain: String::from("p(1..3). { a; b }.\n"), ..Part::default() };
        let mut out = Program {
            text: start.plain.clone(),
            wide: kind == Kind::Wide,
            may_be_refused: false,
            refused_from: None,
            parts: vec![start],
            values: Vec::new(),
            bodies: Vec::new(),
            heads: Vec::new(),
            objectives: Vec::new(),
            weights: Vec::new(),
            shows: Vec::new(),
            shown: None,
            projected: Vec::new(),
        };
        let s = &mut source;
        if kind == Kind::Small && s.chance(40) {
            (s.huge, out.may_be_refused) = (true, true);
        }
        let variables = s.between(1, if kind == Kind::Clingcon { 3 } else { 4 });
        for v in 0..variables {
            out.variable(v > 0 && kind == Kind::Wide, s);
        }
        let rules = s.between(if kind == Kind::Wide { 0 } else { 1 }, if kind == Kind::Wide { 3 } else { 5 });
        (0..rules).for_each(|_| out.rule(s));
        if kind != Kind::Clingcon {
            out.directives(s);
        }
        out.end_part();
        if kind == Kind::Small && s.chance(4) {
            for step in 1..=s.between(1, 2) {
                out.step(step, s);
            }
        }
        out
    }

    /// How many steps follow the base program.
    pub fn steps(&self) -> usize {
        self.parts.len() - 1
    }

    fn part(&mut self) -> &mut Part {
        self.parts.last_mut().expect("a part")
    }

    /// Writes the same to the program and to the plain one.
    fn write(&mut self, text: &str) {
        self.text.push_str(text);
        self.part().plain.push_str(text);
    }

    fn end_part(&mut self) {
        let (variables, bodies, heads) = (self.values.len(), self.bodies.len(), self.heads.len());
        let (objectives, weights, shows) = (self.objectives.len(), self.weights.len(), self.shows.len());
        let plain = std::mem::take(&mut self.part().plain);
        *self.part() = Part { plain, variables, bodies, heads, objectives, weights, shows };
    }

    /// A constraint as a head without a body.
    fn fact(&mut self, constraint: Constraint) {
        self.text.push_str(&format!("{}. ", constraint.text()));
        let plain = format!("h({}).\n", self.heads.len());
        self.part().plain.push_str(&plain);
        self.heads.push(constraint);
    }

    /// A variable and its domain; a wide one stands in an equation with others.
    fn variable(&mut self, wide: bool, s: &mut Source) {
        let (v, name) = (self.values.len(), NAMES[self.values.len()]);
        if wide {
            self.wide_variable(s);
            return;
        }
        let mut ranges = s.ranges();
        let base = if s.kind == Kind::Wide && s.chance(2) { 5_000 } else { 0 };
        ranges.iter_mut().for_each(|r| *r = (r.0 + base, r.1 + base));
        let low = ranges.iter().map(|r| r.0).min().unwrap_or(0);
        let high = ranges.iter().map(|r| r.1).max().unwrap_or(0);
        let values: Vec<i64> = (low..=high.max(low)).collect();
        let hidden = s.one(&values);
        s.hidden.push(hidden);
        self.values.push(Values::Listed(values));
        if !s.chance(4) || low > high {
            self.fact(Constraint::Domain(ranges, v));
        } else if s.chance(2) {
            let text = format!("&sum {{ {name}; {name} }} <= {}. ", 2 * high + s.between(0, 1));
            self.text.push_str(&text);
            self.text.push_str(&format!(":- &sum {{ {name} }} < {low}.\n"));
        } else {
            let text = format!(":- not &diff {{ {name}-0 }} <= {high}. &sum {{ {low} }} <= {name}.\n");
            self.text.push_str(&text);
        }
        self.text.push('\n');
    }

    fn wide_variable(&mut self, s: &mut Source) {
        let v = self.values.len();
        let alone = |factor: i64| Element { terms: vec![(factor, vec![v])], ..Element::constant(0) };
        let compare = |left, operator, right| Constraint::Compare { name: "sum", left, operator, right };
        let element = |s: &mut Source| {
            let terms = (0..s.between(1, 2)).map(|_| {
                let other = s.between(0, v as i64 - 1) as usize;
                let small = s.hidden[other].abs() <= 6_000;
                let factor = s.one(&[1, 1, -1, 2, 1000, 77_777, -99_991][..if small { 7 } else { 4 }]);
                (factor, vec![other])
            });
            Element { terms: terms.collect(), ..Element::constant(s.between(-3, 900_000)) }
        };
        let factor = s.one(&[1, 1, 1, 2, -1, 1000]);
        let mut near = vec![element(s)];
        let mut width = 0;
        match s.rng.below(4) {
            // Two ends.
            0 => {
                width = s.between(0, 2);
                let over = Element { constant: near[0].constant + width, ..near[0].clone() };
                self.fact(compare(vec![alone(factor)], ">=", near[0].clone()));
                self.fact(compare(vec![alone(factor)], "<=", over));
            }
            // One equation or another.
            1 => {
                near.push(element(s));
                for (element, body) in near.iter().zip(["a", "not a"]) {
                    let constraint = compare(vec![alone(factor)], "=", element.clone());
                    self.text.push_str(&format!("{} :- {body}. ", constraint.text()));
                    let plain = format!("h({}) :- {body}.\n", self.heads.len());
                    self.part().plain.push_str(&plain);
                    self.heads.push(constraint);
                }
            }
            2 => {
                let constraint = compare(vec![near[0].clone()], "=", alone(factor));
                self.text.push_str(&format!(":- not {}. ", constraint.text()));
                let plain = format!(":- not t({}).\n", self.bodies.len());
                self.part().plain.push_str(&plain);
                self.bodies.push(constraint);
            }
            _ => self.fact(compare(vec![alone(factor)], "=", near[0].clone())),
        }
        let value = (near[0].value(&s.hidden) / i128::from(factor))
            .clamp(-i128::from(GREATEST), GREATEST.into()) as i64;
        s.hidden.push(value);
        self.values.push(Values::Near(factor, near, width));
        let low = (value - s.between(0, 1_000_000)).max(-GREATEST);
        let high = (value + s.between(0, 1_000_000)).min(GREATEST);
        match s.rng.below(4) {
            0 => {}
            1 if low < value - 5 => self.fact(Constraint::Domain(vec![(low, value - 5), (value, high)], v)),
            _ => self.fact(Constraint::Domain(vec![(low, high)], v)),
        }
        self.text.push('\n');
    }

    /// A rule: of the base program, or of a step, which defines no atom again.
    fn rule(&mut self, s: &mut Source) {
        let step = self.parts.len() - 1;
        let named = ["a", "b", "c", "d"];
        let mut body: Vec<(String, String)> = Vec::new();
        for _ in 0..s.between(0, 2) {
            let sign = s.one(&["", "", "not ", "not not "]);
            if s.chance(2) && self.bodies.len() < 5 + 2 * step {
                let constraint = Constraint::random(false, s);
                body.push((
                    format!("{sign}{}", constraint.text()),
                    format!("{sign}t({})", self.bodies.len()),
                ));
                self.bodies.push(constraint);
            } else {
                let literal = format!("{sign}{}", s.one(&named));
                body.push((literal.clone(), literal));
            }
        }
        let (head, plain) = match s.rng.below(8) {
            0..=3 => {
                let constraint = Constraint::random(true, s);
                self.heads.push(constraint);
                let constraint = &self.heads[self.heads.len() - 1];
                (constraint.text(), format!("h({})", self.heads.len() - 1))
            }
            // clingcon turns `&diff` in a constraint into a head with `>`, and rejects that.
            4 if !body.is_empty()
                && (s.kind != Kind::Clingcon || !body.iter().any(|b| b.0.contains("&diff"))) =>
            {
                (String::new(), String::new())
            }
            5 if step > 0 => (format!("{{ e({step}) }}"), format!("{{ e({step}) }}")),
            5 => ("{ c }".into(), "{ c }".into()),
            _ if step > 0 => (format!("g({step})"), format!("g({step})")),
            _ => {
                let name = s.one(&["c", "d"]);
                (name.into(), name.into())
            }
        };
        let part = self.parts.last_mut().expect("a part");
        for (text, head, which) in [(&mut self.text, head, 0), (&mut part.plain, plain, 1)] {
            let body: Vec<&str> = body.iter().map(|b| if which == 0 { &b.0[..] } else { &b.1[..] }).collect();
            let arrow = if body.is_empty() { String::new() } else { format!(":- {}", body.join(", ")) };
            text.push_str(&format!("{head} {arrow}.\n"));
        }
    }

    /// Objectives, and what is shown or projected on.
    fn directives(&mut self, s: &mut Source) {
        if s.chance(3) {
            for _ in 0..s.between(1, 2) {
                let products = s.chance(6);
                let elements = Constraint::elements(products, 2, s);
                let (level, sign) = (s.one(&[0, 0, 1, 2]), s.one(&[1, 1, -1]));
                let at = if level == 0 { String::new() } else { format!(" @ {level}") };
                let each = elements.iter().map(|e| format!("{}{at}{}", e.text(), e.condition));
                let name = if sign < 0 { "maximize" } else { "minimize" };
                let list = each.collect::<Vec<_>>().join("; ");
                let statement = format!("&{name} {{ {list} }}.\n");
                // One that stands there twice counts once.
                if self.text.contains(&statement) {
                    continue;
                }
                self.text.push_str(&statement);
                // Products are for `&nsum` alone.
                if elements.iter().any(|e| e.times != 0 && e.terms.iter().any(|t| t.1.len() > 1)) {
                    self.refused_from.get_or_insert(self.parts.len() - 1);
                }
                self.objectives.push((level, sign, elements));
            }
        }
        if s.chance(5) {
            let (weight, level) = (s.between(-2, 2), s.between(0, 3));
            self.write(&format!("#minimize {{ {weight}@{level},1 : a; 1,2 : b }}.\n"));
            self.weights.extend([(weight, level, "a"), (1, 0, "b")]);
        }
        if s.chance(6) {
            let shows: Vec<usize> = (0..self.values.len()).filter(|_| s.chance(2)).collect();
            let list: Vec<&str> = shows
                .iter()
                .map(|&v| match NAMES[v] {
                    "x" => "x/0",
                    "f(1)" => "f/1",
                    name => name,
                })
                .collect();
            self.text.push_str(&format!("&show {{ {} }}.\n", list.join("; ")));
            self.shows.push(shows);
        }
        if self.parts.len() > 1 {
            return;
        }
        if s.chance(6) {
            let names: Vec<&str> = ["a", "c", "p"].into_iter().filter(|_| s.chance(2)).collect();
            self.text.push_str("#show.\n");
            for name in &names {
                self.text.push_str(&format!("#show {name}/{}.\n", u8::from(*name == "p")));
            }
            self.shown = Some(names);
        }
        if s.chance(6) {
            self.projected = ["a", "b", "c"].into_iter().filter(|_| s.chance(2)).collect();
            for name in &self.projected {
                self.text.push_str(&format!("#project {name}.\n"));
            }
        }
        if s.chance(100) {
            let wrong = s.one(&["x/0", "7\\0", "0**(-1)", "x/2", "2**x", "(1/0)*x", "\"a\"/1", "x*x"]);
            self.text.push_str(&format!("&sum {{ {wrong} }} <= 3.\n"));
            self.refused_from = Some(0);
        }
    }

    fn step(&mut self, step: i64, s: &mut Source) {
        self.text.push_str(&format!("#program step{step}.\n"));
        self.parts.push(Part::default());
        if self.values.len() < NAMES.len() && s.chance(3) {
            self.variable(false, s);
        }
        (0..s.between(0, 3)).for_each(|_| self.rule(s));
        self.directives(s);
        self.end_part();
    }

    /// The answer sets of the plain program with its parts up to a step.
    fn plain_sets(&self, step: usize) -> Vec<BTreeSet<String>> {
        let mut control = asp::Control::new();
        for part in &self.parts[..=step] {
            control.add(&part.plain);
        }
        let bodies = self.parts[step].bodies;
        if bodies > 0 {
            control.add(&format!("{{ t(0..{}) }}.", bodies - 1));
        }
        control.settings.solve.opt_mode = asp_solve::OptMode::Ignore;
        let mut sets = Vec::new();
        control
            .solve(0, |answer| {
                sets.push(answer.terms().map(|t| t.to_string()).collect());
                true
            })
            .unwrap_or_else(|e| panic!("{e}\n{}", self.parts[step].plain));
        sets
    }

    /// The values of a variable to be tried, given those before it.
    fn candidates(&self, v: usize, before: &[i64]) -> Vec<i64> {
        match &self.values[v] {
            Values::Listed(values) => values.clone(),
            Values::Near(factor, elements, width) => {
                let mut all: BTreeSet<i64> = BTreeSet::new();
                for element in elements {
                    let least = element.value(before);
                    let products = least..=least + i128::from(*width);
                    let values = products.filter(|n| n % i128::from(*factor) == 0);
                    let values = values.map(|n| n / i128::from(*factor));
                    all.extend(values.filter(|n| n.abs() <= GREATEST.into()).map(|n| n as i64));
                }
                all.into_iter().collect()
            }
        }
    }

    /// All answers after a step, by the definition; `None` if there are more than a number, or costs do not fit 64 bits.
    pub fn all(&self, step: usize, most: usize) -> Option<Vec<Answer>> {
        let (sets, part) = (self.plain_sets(step), &self.parts[step]);
        let mut found = Vec::new();
        let mut todo: Vec<Vec<i64>> = vec![Vec::new()];
        while let Some(values) = todo.pop() {
            if values.len() < part.variables {
                let next = self.candidates(values.len(), &values);
                todo.extend(next.into_iter().map(|v| [&values[..], &[v]].concat()));
                continue;
            }
            let holds = |all: &[Constraint]| -> Vec<bool> { all.iter().map(|c| c.holds(&values)).collect() };
            let (bodies, heads) = (holds(&self.bodies[..part.bodies]), holds(&self.heads[..part.heads]));
            for set in &sets {
                let has = |kind: &str, i: usize| set.contains(&format!("{kind}({i})"));
                if bodies.iter().enumerate().all(|(i, &c)| c == has("t", i))
                    && heads.iter().enumerate().all(|(i, &c)| c || !has("h", i))
                {
                    found.push(self.answer(part, set, &values)?);
                }
                if found.len() > most {
                    return None;
                }
            }
        }
        Some(found)
    }

    fn answer(&self, part: &Part, set: &BTreeSet<String>, values: &[i64]) -> Option<Answer> {
        let helper = |a: &&String| a.starts_with("h(") || a.starts_with("t(");
        let atoms: BTreeSet<String> = set.iter().filter(|a| !helper(a)).cloned().collect();
        let name = |a: &str| a.split('(').next().unwrap_or(a).to_owned();
        let is_shown = |a: &&String| self.shown.as_ref().is_none_or(|n| n.contains(&&name(a)[..]));
        let mut shown: BTreeSet<String> = atoms.iter().filter(is_shown).cloned().collect();
        let shows = &self.shows[..part.shows];
        for v in 0..values.len() {
            if shows.is_empty() || shows.iter().any(|s| s.contains(&v)) {
                shown.insert(format!("__csp({},{})", NAMES[v], values[v]));
            }
        }
        let mut costs: BTreeMap<i64, i128> = BTreeMap::new();
        for (level, sign, elements) in &self.objectives[..part.objectives] {
            for e in elements.iter().filter(|e| e.times != 0) {
                *costs.entry(-level).or_default() += sign * e.value(values);
            }
            // Without elements it is one of level 0.
            if elements.iter().all(|e| e.times == 0) {
                costs.entry(0).or_default();
            }
        }
        // The same tuple counts once.
        for (weight, level, atom) in self.weights[..part.weights].iter().collect::<BTreeSet<_>>() {
            let cost = if atoms.contains(*atom) { i128::from(*weight) } else { 0 };
            *costs.entry(-level).or_default() += cost;
        }
        let costs = costs.into_values().map(|c| i64::try_from(c).ok()).collect::<Option<_>>()?;
        Some(Answer { shown, atoms, values: values.to_vec(), costs })
    }

    /// Whether there is something to minimise after a step.
    pub fn has_objective(&self, step: usize) -> bool {
        let part = &self.parts[step];
        part.objectives + part.weights > 0
    }

    /// The best answers of the base program by the definition, and their costs, as clingcon tells them.
    pub fn answers(&self) -> (Answers, Vec<i64>) {
        let all = self.all(0, usize::MAX).expect("costs of 64 bits");
        let best = all.iter().map(|a| a.costs.clone()).min().unwrap_or_default();
        let pairs = all.iter().filter(|a| a.costs == best).map(|a| {
            let (values, atoms) = a.shown.iter().cloned().partition(|t: &String| t.starts_with("__csp"));
            pair(atoms, values)
        });
        (pairs.collect(), best)
    }
}

/// Atoms, and values as an assignment.
pub fn pair(mut atoms: Vec<String>, values: Vec<String>) -> Pair {
    let assignment = |term: String| -> Option<String> {
        let (name, value) = term.strip_prefix("__csp(")?.strip_suffix(')')?.rsplit_once(',')?;
        Some(format!("{name}={value}"))
    };
    let mut values: Vec<String> = values.into_iter().filter_map(assignment).collect();
    atoms.sort();
    values.sort();
    (atoms, values)
}

/// Programs by seeds: most have small domains.
pub fn by_seed(seeds: Range<u64>) -> impl Iterator<Item = (u64, Program)> {
    seeds.map(|seed| (seed, Program::random(seed, if seed % 4 == 3 { Kind::Wide } else { Kind::Small })))
}
