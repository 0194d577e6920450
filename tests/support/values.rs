//! Random programs with values of functional predicates, and their answer sets by the definition, without expanding anything.
//!
//! A program is made as data and written as text. Each function has at most one value, so every choice of values is tried: a rule's
//! instance, or an element, counts only if all of its values exist; `#distinct` and the like are looked at element by element.

use super::outcome::{Mode, Model, Outcome};
use asp_base::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The greatest number of choices of values.
const MOST_WORLDS: usize = 700;

fn one<T: Copy>(of: &[T], rng: &mut Rng) -> T {
    of[rng.below(of.len() as u64) as usize]
}

/// A function with its keys and possible values.
#[derive(Clone)]
struct Function {
    name: &'static str,
    keys: Vec<Vec<i64>>,
    values: std::ops::RangeInclusive<i64>,
    /// Whether each key has a value.
    total: bool,
}

/// Values by name and key.
type World = BTreeMap<(&'static str, Vec<i64>), i64>;
/// Values of variables.
type Env = BTreeMap<char, i64>;

#[derive(Clone)]
enum Expr {
    Number(i64),
    Variable(char),
    Value(&'static str, Vec<Expr>),
    Sum(Box<Expr>, i64, Box<Expr>),
    Product(i64, Box<Expr>),
    Distance(Box<Expr>, Box<Expr>),
}

impl Expr {
    fn eval(&self, world: &World, env: &Env) -> Option<i64> {
        Some(match self {
            Expr::Number(n) => *n,
            Expr::Variable(v) => *env.get(v)?,
            Expr::Value(name, args) => {
                let key = args.iter().map(|a| a.eval(world, env)).collect::<Option<Vec<_>>>()?;
                *world.get(&(*name, key))?
            }
            Expr::Sum(a, sign, b) => a.eval(world, env)? + sign * b.eval(world, env)?,
            Expr::Product(n, a) => n * a.eval(world, env)?,
            Expr::Distance(a, b) => (a.eval(world, env)? - b.eval(world, env)?).abs(),
        })
    }
    fn text(&self) -> String {
        match self {
            Expr::Number(n) => n.to_string(),
            Expr::Variable(v) => v.to_string(),
            Expr::Value(name, args) if args.is_empty() => format!("${name}"),
            Expr::Value(name, args) => {
                format!("${name}({})", args.iter().map(Expr::text).collect::<Vec<_>>().join(","))
            }
            Expr::Sum(a, sign, b) => {
                format!("{}{}({})", a.text(), if *sign > 0 { "+" } else { "-" }, b.text())
            }
            Expr::Product(n, a) => format!("{n}*({})", a.text()),
            Expr::Distance(a, b) => format!("|{}-({})|", a.text(), b.text()),
        }
    }
    fn has_value(&self) -> bool {
        match self {
            Expr::Number(_) | Expr::Variable(_) => false,
            Expr::Value(..) => true,
            Expr::Product(_, a) => a.has_value(),
            Expr::Sum(a, _, b) | Expr::Distance(a, b) => a.has_value() || b.has_value(),
        }
    }
    fn variables(&self, out: &mut BTreeSet<char>) {
        match self {
            Expr::Number(_) => {}
            Expr::Variable(v) => _ = out.insert(*v),
            Expr::Value(_, args) => args.iter().for_each(|a| a.variables(out)),
            Expr::Product(_, a) => a.variables(out),
            Expr::Sum(a, _, b) | Expr::Distance(a, b) => {
                a.variables(out);
                b.variables(out);
            }
        }
    }
}

const RELATIONS: [&str; 6] = ["<", "<=", ">", ">=", "=", "!="];

fn holds(a: i64, relation: &str, b: i64) -> bool {
    match relation {
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        ">=" => a >= b,
        "=" => a == b,
        _ => a != b,
    }
}

/// A comparison, perhaps negated.
#[derive(Clone)]
struct Compare(&'static str, Expr, &'static str, Expr);

impl Compare {
    fn eval(&self, world: &World, env: &Env) -> Option<bool> {
        let holds = holds(self.1.eval(world, env)?, self.2, self.3.eval(world, env)?);
        Some(holds != (self.0 == "not "))
    }
    fn text(&self) -> String {
        format!("{}{} {} {}", self.0, self.1.text(), self.2, self.3.text())
    }
}

/// An element: terms, its own variables with their domains, more conditions.
#[derive(Clone)]
struct Element {
    terms: Vec<Expr>,
    own: Vec<(char, &'static str)>,
    conditions: Vec<Compare>,
}

/// An instance of an element: its own variables, and the values of its terms.
type Instance = (Env, Vec<i64>);

impl Element {
    fn instances(&self, world: &World, env: &Env, domains: &Domains) -> Vec<Instance> {
        let mut found = Vec::new();
        for own in bindings(&self.own, &Env::new(), domains) {
            let mut all = env.clone();
            all.extend(&own);
            let holds = self.conditions.iter().all(|c| c.eval(world, &all) == Some(true));
            let terms: Option<Vec<i64>> = self.terms.iter().map(|t| t.eval(world, &all)).collect();
            if let (true, Some(terms)) = (holds, terms) {
                found.push((own, terms));
            }
        }
        found
    }
    fn condition(&self) -> String {
        let mut parts: Vec<String> = self.own.iter().map(|(v, d)| format!("{d}({v})")).collect();
        parts.extend(self.conditions.iter().map(Compare::text));
        if parts.is_empty() { String::new() } else { format!(" : {}", parts.join(", ")) }
    }
}

/// Something over elements.
#[derive(Clone)]
enum Group {
    Aggregate { function: &'static str, elements: Vec<Element>, relation: &'static str, bound: Expr },
    Distinct(Vec<Element>),
    Disjoint(Vec<Element>),
    Cumulative(Vec<Element>, Expr),
}

impl Group {
    fn text(&self) -> String {
        let list = |elements: &[Element], separators: [&str; 2]| {
            let texts = elements.iter().map(|e| {
                let terms: Vec<String> = e.terms.iter().map(Expr::text).collect();
                let mut text = terms[0].clone();
                for (i, t) in terms.iter().enumerate().skip(1) {
                    text.push_str(separators[usize::from(i > 1)]);
                    text.push_str(t);
                }
                text + &e.condition()
            });
            texts.collect::<Vec<_>>().join("; ")
        };
        match self {
            Group::Aggregate { function, elements, relation, bound } => {
                format!("{function} {{ {} }} {relation} {}", list(elements, [",", ","]), bound.text())
            }
            Group::Distinct(elements) => format!("#distinct {{ {} }}", list(elements, ["@", ","])),
            Group::Disjoint(elements) => format!("#disjoint {{ {} }}", list(elements, ["@", ","])),
            Group::Cumulative(elements, bound) => {
                format!("#cumulative {{ {} }} <= {}", list(elements, ["@", ","]), bound.text())
            }
        }
    }

    /// Whether it holds; `None` if a bound has no value.
    fn eval(&self, world: &World, env: &Env, domains: &Domains) -> Option<bool> {
        let numbered = |elements: &[Element]| -> Vec<(usize, Instance)> {
            let all = elements.iter().enumerate();
            all.flat_map(|(i, e)| e.instances(world, env, domains).into_iter().map(move |x| (i, x))).collect()
        };
        // What tells terms apart: the element, and those of its variables that the terms have.
        let by_terms = |elements: &[Element]| -> BTreeMap<(usize, Env), Vec<i64>> {
            let keyed = numbered(elements).into_iter().map(|(i, (mut own, terms))| {
                let mut used = BTreeSet::new();
                elements[i].terms.iter().for_each(|t| t.variables(&mut used));
                own.retain(|v, _| used.contains(v));
                ((i, own), terms)
            });
            keyed.collect()
        };
        Some(match self {
            Group::Aggregate { function, elements, relation, bound } => {
                let bound = bound.eval(world, env)?;
                let all = numbered(elements);
                // Lone weights are summands of their own, other tuples a set.
                let lone = |i: usize| {
                    function.starts_with("#sum")
                        && elements[i].terms.len() == 1
                        && elements[i].terms[0].has_value()
                };
                let mut tuples: BTreeSet<Vec<i64>> = BTreeSet::new();
                let mut weights: Vec<i64> = Vec::new();
                for (i, (_, terms)) in all {
                    if lone(i) || tuples.insert(terms.clone()) {
                        weights.push(terms[0]);
                    }
                }
                match *function {
                    "#count" => holds(weights.len() as i64, relation, bound),
                    "#sum" => holds(weights.iter().sum(), relation, bound),
                    "#sum+" => holds(weights.iter().filter(|w| **w > 0).sum(), relation, bound),
                    "#min" => holds(weights.iter().copied().min().unwrap_or(i64::MAX), relation, bound),
                    _ => holds(weights.iter().copied().max().unwrap_or(i64::MIN), relation, bound),
                }
            }
            Group::Distinct(elements) => {
                let all: Vec<Vec<i64>> = by_terms(elements).into_values().collect();
                (0..all.len()).all(|i| !all[..i].contains(&all[i]))
            }
            Group::Disjoint(elements) => {
                let all: Vec<Vec<i64>> = by_terms(elements).into_values().collect();
                let points = |x: &Vec<i64>| (x[0]..x[0] + x[1]).collect::<BTreeSet<i64>>();
                (0..all.len()).all(|i| all[..i].iter().all(|x| points(x).is_disjoint(&points(&all[i]))))
            }
            Group::Cumulative(elements, bound) => {
                let bound = bound.eval(world, env)?;
                let all = numbered(elements);
                let amount = |x: &Vec<i64>| x.get(2).copied().unwrap_or(1).max(0);
                let at = |t: i64| {
                    let running = all.iter().map(|x| &x.1.1).filter(|x| x[0] <= t && t < x[0] + x[1]);
                    running.map(amount).sum::<i64>()
                };
                let is_start = |t: i64| all.iter().any(|x| x.1.1[0] == t);
                // Nothing is needed before the first start; a negative bound is broken as soon as there is one.
                (-40..40).all(|t| at(t) <= bound || at(t) == 0 && !is_start(t))
            }
        })
    }
}

#[derive(Clone)]
enum Head {
    None,
    Compare(Compare),
    Atom(Expr),
    Group(Group),
}

/// A rule; the variables have domains.
#[derive(Clone)]
struct Rule {
    head: Head,
    own: Vec<(char, &'static str)>,
    compares: Vec<Compare>,
    groups: Vec<(&'static str, Group)>,
}

/// An element of an objective.
#[derive(Clone)]
struct Cost {
    element: Element,
    level: i64,
}

/// The values of unary predicates.
type Domains = BTreeMap<&'static str, Vec<i64>>;

fn bindings(own: &[(char, &'static str)], from: &Env, domains: &Domains) -> Vec<Env> {
    let mut all = vec![from.clone()];
    for (v, domain) in own {
        let with = |env: &Env| -> Vec<Env> {
            let bind = |&n: &i64| env.iter().map(|(k, v)| (*k, *v)).chain([(*v, n)]).collect();
            domains[domain].iter().map(bind).collect()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// A random program.
pub struct Program {
    /// Its text.
    pub text: String,
    functions: Vec<Function>,
    domains: Domains,
    rules: Vec<Rule>,
    costs: Vec<Cost>,
}

struct Maker<'a> {
    functions: &'a [Function],
    /// Whether terms are linear, and only their sums are aggregated.
    linear: bool,
    rng: &'a mut Rng,
}

impl Maker<'_> {
    fn key(&mut self, variables: &[(char, &'static str)]) -> Expr {
        if !variables.is_empty() && self.rng.below(4) > 0 {
            return Expr::Variable(one(variables, self.rng).0);
        }
        Expr::Number(1 + self.rng.below(2) as i64)
    }

    fn value(&mut self, variables: &[(char, &'static str)], depth: u32) -> Expr {
        let f = self.functions[self.rng.below(self.functions.len() as u64) as usize].clone();
        let arity = f.keys[0].len();
        let nested = |maker: &mut Self| {
            if depth == 0 && !maker.linear && maker.rng.below(10) == 0 {
                maker.value(variables, 1)
            } else {
                maker.key(variables)
            }
        };
        Expr::Value(f.name, (0..arity).map(|_| nested(self)).collect())
    }

    fn expr(&mut self, variables: &[(char, &'static str)]) -> Expr {
        let sum = |maker: &mut Self, other: Expr| {
            Expr::Sum(Box::new(maker.value(variables, 0)), one(&[1, -1], maker.rng), Box::new(other))
        };
        match self.rng.below(12) {
            0 | 1 => {
                let other = self.value(variables, 0);
                sum(self, other)
            }
            2 => {
                let other = self.key(variables);
                sum(self, other)
            }
            3 => Expr::Product(one(&[2, -1, 3], self.rng), Box::new(self.value(variables, 0))),
            4 if !self.linear => {
                let other = self.value(variables, 0);
                Expr::Distance(Box::new(self.value(variables, 0)), Box::new(other))
            }
            _ => self.value(variables, 0),
        }
    }

    fn compare(&mut self, variables: &[(char, &'static str)], signs: &[&'static str]) -> Compare {
        let right = match self.rng.below(3) {
            0 => self.expr(variables),
            1 => self.key(variables),
            _ => Expr::Number(self.rng.below(5) as i64 - 1),
        };
        Compare(one(signs, self.rng), self.expr(variables), one(&RELATIONS, self.rng), right)
    }

    fn element(&mut self, globals: &[(char, &'static str)], terms: usize) -> Element {
        let own: Vec<(char, &'static str)> = match self.rng.below(5) {
            0 => vec![],
            1 => vec![('K', "d"), ('L', one(&["d", "e"], self.rng))],
            _ => vec![('K', one(&["d", "d", "e"], self.rng))],
        };
        let all: Vec<(char, &'static str)> = globals.iter().chain(&own).copied().collect();
        let mut made = vec![self.expr(&all)];
        while made.len() < terms {
            made.push(match self.rng.below(4) {
                0 if !self.linear => self.value(&all, 0),
                1 => self.key(&all),
                _ => Expr::Number(1 + self.rng.below(2) as i64),
            });
        }
        let conditions = match self.rng.below(4) {
            0 if !self.linear => vec![self.compare(&all, &["", "", "not "])],
            _ => vec![],
        };
        Element { terms: made, own, conditions }
    }

    fn elements(&mut self, globals: &[(char, &'static str)], terms: usize) -> Vec<Element> {
        (0..1 + self.rng.below(3) / 2 + self.rng.below(4) / 3).map(|_| self.element(globals, terms)).collect()
    }

    fn bound(&mut self, globals: &[(char, &'static str)]) -> Expr {
        if self.rng.below(5) == 0 { self.value(globals, 0) } else { Expr::Number(self.rng.below(6) as i64) }
    }

    fn aggregate(&mut self, globals: &[(char, &'static str)]) -> Group {
        let terms = 1 + self.rng.below(3) as usize / 2;
        let functions = ["#sum", "#sum", "#sum+", "#count", "#min", "#max"];
        Group::Aggregate {
            function: one(if self.linear { &functions[..2] } else { &functions }, self.rng),
            elements: self.elements(globals, terms),
            relation: one(&RELATIONS, self.rng),
            bound: self.bound(globals),
        }
    }

    fn pairwise(&mut self, globals: &[(char, &'static str)]) -> Group {
        match self.rng.below(2) {
            0 => Group::Distinct(self.elements(globals, 1)),
            _ => Group::Disjoint(self.elements(globals, 2)),
        }
    }

    fn rule(&mut self) -> Rule {
        let own: Vec<(char, &'static str)> = match self.rng.below(4) {
            0 => vec![('I', "d")],
            1 => vec![('I', "d"), ('J', one(&["d", "e"], self.rng))],
            _ => vec![],
        };
        let compares = match self.rng.below(3) {
            0 => vec![self.compare(&own, &["", "", "not ", "not not "])],
            _ => vec![],
        };
        let groups = match self.rng.below(5) {
            0 => vec![(one(&["", "not ", "not not "], self.rng), self.aggregate(&own))],
            1 if !self.linear => {
                vec![(one(&["", "not ", "not not "], self.rng), self.pairwise(&own))]
            }
            _ => vec![],
        };
        let head = match self.rng.below(8) {
            0 if !compares.is_empty() || !groups.is_empty() => Head::None,
            0 | 1 if self.linear => Head::Atom(self.key(&own)),
            0 | 1 => Head::Atom(self.expr(&own)),
            2 | 3 => Head::Compare(self.compare(&own, &["", "", "not "])),
            4 => {
                let terms = 2 + self.rng.below(2) as usize;
                Head::Group(Group::Cumulative(self.elements(&own, terms), self.bound(&own)))
            }
            _ => Head::Group(self.pairwise(&own)),
        };
        Rule { head, own, compares, groups }
    }
}

impl Program {
    /// The program of a seed.
    pub fn random(seed: u64) -> Self {
        Self::made(seed, false)
    }

    /// The program of a seed of which most constraints are linear.
    pub fn linear(seed: u64) -> Self {
        Self::made(seed, true)
    }

    fn made(seed: u64, linear: bool) -> Self {
        let rng = &mut Rng::new(seed);
        let domains: Domains =
            [("d", (1..=2 + rng.below(2) as i64).collect()), ("e", vec![0, 1])].into_iter().collect();
        let unary: Vec<Vec<i64>> = domains["d"].iter().map(|&k| vec![k]).collect();
        let pairs: Vec<Vec<i64>> = domains["e"].iter().map(|&k| vec![1, k]).collect();
        let mut functions = Vec::new();
        let mut worlds = 1usize;
        for (name, keys) in
            [("f", unary), ("m", vec![vec![]]), ("g", pairs), ("start", vec![vec![1], vec![2]])]
        {
            let low = one(&[0, 0, -1, 1], rng);
            let values = low..=low + 1 + rng.below(3) as i64;
            let total = rng.below(if linear { 12 } else { 3 }) > 0;
            let options = (values.clone().count() + usize::from(!total)).pow(keys.len() as u32);
            if (name == "f" || rng.below(2) == 0) && worlds * options <= MOST_WORLDS {
                worlds *= options;
                functions.push(Function { name, keys, values, total });
            }
        }
        let mut maker = Maker { functions: &functions, linear, rng };
        let rules: Vec<Rule> = (0..1 + maker.rng.below(3)).map(|_| maker.rule()).collect();
        let costs: Vec<Cost> = match maker.rng.below(3) {
            0 => (0..1 + maker.rng.below(2))
                .map(|_| {
                    let mut element = maker.element(&[], 1);
                    while !element.terms[0].has_value() {
                        element = maker.element(&[], 1);
                    }
                    Cost { element, level: maker.rng.below(2) as i64 }
                })
                .collect(),
            _ => vec![],
        };
        let mut program = Program { text: String::new(), functions, domains, rules, costs };
        program.write();
        program
    }

    fn write(&mut self) {
        let mut text = String::new();
        for (name, values) in &self.domains {
            let _ = writeln!(text, "{name}({}..{}).", values[0], values[values.len() - 1]);
        }
        for f in &self.functions {
            let (low, high) = (f.values.start(), f.values.end());
            let equal = if f.total { "=" } else { "<=" };
            let _ = match f.name {
                "f" => writeln!(text, "{{ f(X,{low}..{high}) }} {equal} 1 :- d(X)."),
                "m" => writeln!(text, "{{ m({low}..{high}) }} {equal} 1."),
                "g" => writeln!(text, "{{ g(1,E,{low}..{high}) }} {equal} 1 :- e(E)."),
                name => writeln!(text, "{{ {name}(X,{low}..{high}) }} {equal} 1 :- X = 1..2."),
            };
        }
        for r in &self.rules {
            text.push_str(&match &r.head {
                Head::None => String::new(),
                Head::Compare(c) => c.text(),
                Head::Atom(e) => format!("h({})", e.text()),
                Head::Group(g) => g.text(),
            });
            let mut body: Vec<String> = r.own.iter().map(|(v, d)| format!("{d}({v})")).collect();
            body.extend(r.compares.iter().map(Compare::text));
            body.extend(r.groups.iter().map(|(sign, g)| format!("{sign}{}", g.text())));
            if !body.is_empty() {
                let _ = write!(text, " :- {}", body.join(", "));
            }
            text.push_str(".\n");
        }
        for Cost { element, level } in &self.costs {
            let _ =
                writeln!(text, "#minimize {{ {}@{level}{} }}.", element.terms[0].text(), element.condition());
        }
        self.text = text;
    }

    /// Its answer sets by the definition.
    pub fn answers(&self) -> Outcome {
        let mut worlds = vec![World::new()];
        for f in &self.functions {
            for key in &f.keys {
                let with = |world: &World| -> Vec<World> {
                    let mut all: Vec<World> = if f.total { vec![] } else { vec![world.clone()] };
                    for value in f.values.clone() {
                        let mut world = world.clone();
                        world.insert((f.name, key.clone()), value);
                        all.push(world);
                    }
                    all
                };
                worlds = worlds.iter().flat_map(with).collect();
            }
        }
        Mode::OptEnum.select(worlds.iter().filter_map(|w| self.answer(w))).without_vacuous_levels()
    }

    fn answer(&self, world: &World) -> Option<Model> {
        let mut atoms: BTreeSet<String> = BTreeSet::new();
        for (name, values) in &self.domains {
            atoms.extend(values.iter().map(|v| format!("{name}({v})")));
        }
        for ((name, key), value) in world {
            let args: Vec<String> = key.iter().chain([value]).map(i64::to_string).collect();
            atoms.insert(format!("{name}({})", args.join(",")));
        }
        for r in &self.rules {
            for env in bindings(&r.own, &Env::new(), &self.domains) {
                let compares = r.compares.iter().map(|c| c.eval(world, &env));
                let groups = r.groups.iter().map(|(sign, g)| {
                    g.eval(world, &env, &self.domains).map(|holds| holds != (*sign == "not "))
                });
                // Without a value anywhere at its own level, the instance is left out.
                let Some(body) = compares.chain(groups).collect::<Option<Vec<bool>>>() else { continue };
                let body = body.into_iter().all(|holds| holds);
                match &r.head {
                    Head::None if body => return None,
                    Head::None => {}
                    Head::Compare(c) => {
                        if c.eval(world, &env) == Some(false) && body {
                            return None;
                        }
                    }
                    Head::Atom(e) => {
                        if let (Some(value), true) = (e.eval(world, &env), body) {
                            atoms.insert(format!("h({value})"));
                        }
                    }
                    Head::Group(g) => {
                        if g.eval(world, &env, &self.domains) == Some(false) && body {
                            return None;
                        }
                    }
                }
            }
        }
        let mut levels: Vec<i64> = self.costs.iter().map(|c| c.level).collect();
        levels.sort_by_key(|l| -l);
        levels.dedup();
        let cost = |level: i64| {
            let of_level = self.costs.iter().filter(|c| c.level == level);
            let all = of_level.flat_map(|c| c.element.instances(world, &Env::new(), &self.domains));
            all.map(|x| x.1[0]).sum::<i64>()
        };
        let costs = levels.into_iter().map(cost).collect();
        Some(Model { shown: atoms.into_iter().collect(), costs, optimal: false })
    }
}

/// More answer sets than any of the programs has.
pub const MOST_ANSWERS: usize = 2000;

/// What `--expand` prints.
pub fn expanded(text: &str) -> String {
    let mut control = asp::Control::new();
    control.add(text);
    control.expanded().unwrap_or_else(|e| panic!("{e}\n{text}"))
}
