//! Random constraints: as data, as text, and what they say of values.

use asp_base::rng::Rng;

/// The names of variables.
pub const NAMES: [&str; 5] = ["x", "y", "f(1)", "(a,2)", "z"];

/// The greatest absolute value of a variable.
pub const GREATEST: i64 = (1 << 30) - 1;

/// What programs are made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// What clingcon gets right: no products, and no constants that must differ.
    Clingcon,
    /// Small domains, all constraints.
    Small,
    /// Variables with a million values, most of which others determine.
    Wide,
}

/// What random constraints are made from.
pub struct Source {
    pub rng: Rng,
    pub kind: Kind,
    /// Values of the variables so far that answers may have.
    pub hidden: Vec<i64>,
    /// Whether a number may be near the limits of 64 bits.
    pub huge: bool,
    /// Whether most variables have but one value, so that terms vanish, and right sides are variables.
    pub fixed: bool,
}

impl Source {
    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.below(of.len() as u64) as usize]
    }
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.rng.below((high - low + 1) as u64) as i64
    }
    pub fn chance(&mut self, one_of: u64) -> bool {
        self.rng.below(one_of) == 0
    }
    fn variable(&mut self) -> usize {
        self.rng.below(self.hidden.len() as u64) as usize
    }
    fn factor(&mut self) -> i64 {
        if self.kind == Kind::Wide && self.chance(3) {
            self.one(&[1000, -1000, 77_777, -99_991])
        } else if self.huge && self.chance(3) {
            self.one(&[i64::MAX, -i64::MAX, 1 << 62, 1 << 40, (1 << 61) - 7])
        } else {
            self.one(&[1, 1, 1, -1, 2, -2, 3])
        }
    }
    /// What a constraint compares with: perhaps a variable and nothing more.
    fn right(&mut self, products: bool) -> Element {
        if self.fixed && self.chance(2) {
            let alone = vec![(1, vec![self.variable()])];
            return Element { terms: alone, ..Element::constant(0) };
        }
        Element::random(products, self)
    }
    /// Ranges of a domain; those of an empty one are none, or go down.
    pub fn ranges(&mut self) -> Vec<(i64, i64)> {
        if self.fixed {
            let low = self.one(&[0, 0, 0, 1, -1, 2, 3]);
            return vec![(low, low + self.one(&[0, 0, 0, 0, 1]))];
        }
        if self.kind != Kind::Clingcon && self.chance(40) {
            return if self.chance(2) { Vec::new() } else { vec![(3, 1)] };
        }
        (0..self.between(1, 2))
            .map(|_| {
                let low = self.between(-3, 3);
                (low, low + self.between(0, 3))
            })
            .collect()
    }
}

/// A sum of products of variables, and a constant; how often it counts, and what is written after it.
#[derive(Clone, Debug)]
pub struct Element {
    pub terms: Vec<(i64, Vec<usize>)>,
    pub constant: i64,
    pub times: i128,
    pub condition: &'static str,
}

impl Element {
    pub fn constant(constant: i64) -> Self {
        Self { terms: Vec::new(), constant, times: 1, condition: "" }
    }

    pub fn random(products: bool, source: &mut Source) -> Self {
        let mut terms = Vec::new();
        for _ in 0..source.between(0, 2).max(source.between(0, 1)) {
            let mut product = vec![source.variable()];
            if products && source.chance(2) {
                product.push(source.variable());
            }
            terms.push((source.factor(), product));
        }
        let constant = if terms.is_empty() || source.chance(3) { source.between(-3, 3) } else { 0 };
        Self { terms, constant, times: 1, condition: "" }
    }

    pub fn value(&self, values: &[i64]) -> i128 {
        let of = |(factor, product): &(i64, Vec<usize>)| -> i128 {
            i128::from(*factor) * product.iter().map(|&v| i128::from(values[v])).product::<i128>()
        };
        self.times * (i128::from(self.constant) + self.terms.iter().map(of).sum::<i128>())
    }

    pub fn text(&self) -> String {
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

/// A constraint.
#[derive(Clone, Debug)]
pub enum Constraint {
    Compare {
        name: &'static str,
        left: Vec<Element>,
        operator: &'static str,
        right: Element,
    },
    Distinct(Vec<Element>),
    Disjoint(Vec<(usize, i64)>),
    Domain(Vec<(i64, i64)>, usize),
    /// Starts, lengths and demands, and the capacity.
    Cumulative(Vec<(usize, i64, i64)>, i64),
    /// How many elements have the value of the first one.
    Count(Element, Vec<Element>, &'static str, Element),
    /// The value at an index.
    Element(Element, Vec<(Element, Element)>, &'static str, Element),
    Table(Vec<Element>, Vec<Vec<Element>>),
}

/// Comparisons.
pub const OPERATORS: [&str; 6] = ["<=", "<", ">=", ">", "=", "!="];

/// Whether a comparison holds.
pub fn compare(left: i128, operator: &str, right: i128) -> bool {
    match operator {
        "<=" => left <= right,
        "<" => left < right,
        ">=" => left >= right,
        ">" => left > right,
        "=" => left == right,
        _ => left != right,
    }
}

impl Constraint {
    pub fn elements(products: bool, most: i64, source: &mut Source) -> Vec<Element> {
        (0..source.between(1, most))
            .map(|_| {
                let mut e = Element::random(products, source);
                if source.chance(8) {
                    (e.times, e.condition) =
                        source.one(&[(3, ": p(V)"), (2, ": p(V), V > 1"), (0, ": p(7)")]);
                }
                e
            })
            .collect()
    }

    pub fn random(head: bool, source: &mut Source) -> Self {
        let products = source.kind != Kind::Clingcon;
        if products && source.chance(if source.fixed { 2 } else { 4 }) {
            return Self::extension(head, source);
        }
        match source.rng.below(if head { 14 } else { 9 }) {
            0 => {
                let mut ends = [0, 1]
                    .map(|_| Element { terms: vec![(1, vec![source.variable()])], ..Element::constant(0) });
                if source.chance(4) {
                    ends[1] = Element::constant(source.between(0, 3));
                }
                let right = Element::constant(source.between(-3, 3));
                Constraint::Compare { name: "diff", left: ends.to_vec(), operator: "<=", right }
            }
            1..=8 => {
                let nonlinear = products && source.chance(4);
                let mut left = Self::elements(nonlinear, 3, source);
                if source.chance(12) {
                    left.clear();
                }
                let mut right = source.right(nonlinear);
                if source.chance(2) {
                    right = Element::constant(source.between(-4, 6));
                }
                if source.kind == Kind::Wide && !source.chance(4) {
                    // So that it is not all the same.
                    let value = left.iter().map(|e| e.value(&source.hidden)).sum::<i128>();
                    right = Element::constant(value as i64 + source.between(-1, 1));
                }
                let operator = source.one(&OPERATORS);
                Constraint::Compare { name: if nonlinear { "nsum" } else { "sum" }, left, operator, right }
            }
            // clingcon loses answers if constants are equal.
            9 | 10 if !products => Constraint::Distinct(
                (0..source.between(1, 4))
                    .map(|_| Element {
                        terms: vec![(source.one(&[1, 1, 2, -1]), vec![source.variable()])],
                        ..Element::constant(source.between(-1, 1))
                    })
                    .collect(),
            ),
            9 | 10 => Constraint::Distinct(Self::elements(false, 4, source)),
            11 => {
                let longest = if source.kind == Kind::Wide { 400_000 } else { 2 };
                let shortest = if source.kind == Kind::Clingcon { 1 } else { 0 };
                Constraint::Disjoint(
                    (0..source.between(1, 3))
                        .map(|_| (source.variable(), source.between(shortest, longest)))
                        .collect(),
                )
            }
            _ => {
                let (variable, ranges) = (source.variable(), source.ranges());
                let around = if source.kind == Kind::Wide { source.hidden[variable] } else { 0 };
                let moved = |n: i64| (n + around).clamp(-GREATEST, GREATEST);
                Constraint::Domain(ranges.iter().map(|r| (moved(r.0), moved(r.1))).collect(), variable)
            }
        }
    }

    /// What clingcon does not have.
    fn extension(head: bool, source: &mut Source) -> Self {
        let wide = source.kind == Kind::Wide;
        // A number that the variable may have, or near it.
        let near = |v: usize, source: &mut Source| {
            let around = if wide { source.hidden[v] } else { 0 };
            Element::constant(around + source.between(-2, 2))
        };
        let any = |source: &mut Source| {
            let v = source.variable();
            if source.fixed || source.chance(4) { source.right(false) } else { near(v, source) }
        };
        let argument = |v: usize, source: &mut Source| match source.chance(3) {
            true => Element::random(false, source),
            false => Element { terms: vec![(1, vec![v])], ..Element::constant(0) },
        };
        match source.rng.below(if head { 5 } else { 3 }) {
            0 => {
                let v = source.variable();
                let value = if source.chance(2) { argument(v, source) } else { near(v, source) };
                let elements = Self::elements(false, 4, source);
                let right = if source.chance(if source.fixed { 2 } else { 3 }) {
                    any(source)
                } else {
                    Element::constant(source.between(0, 2))
                };
                Constraint::Count(value, elements, source.one(&OPERATORS), right)
            }
            1 => {
                let index = source.variable();
                let entries = (0..source.between(0, 4)).map(|_| (near(index, source), any(source)));
                let entries = entries.collect();
                Constraint::Element(argument(index, source), entries, source.one(&OPERATORS), any(source))
            }
            2 => {
                let columns: Vec<usize> = (0..source.between(1, 3)).map(|_| source.variable()).collect();
                let rows = (0..source.between(0, 5)).map(|_| {
                    let entry = |&v: &usize| if source.chance(9) { any(source) } else { near(v, source) };
                    columns.iter().map(entry).collect()
                });
                let rows = rows.collect();
                Constraint::Table(columns.iter().map(|&v| argument(v, source)).collect(), rows)
            }
            _ => {
                let longest = if wide { 400_000 } else { 3 };
                let task = |s: &mut Source| (s.variable(), s.between(0, longest), s.between(0, 3));
                let tasks = (0..source.between(1, 5)).map(|_| task(source)).collect();
                let least = if source.chance(9) { -1 } else { 1 };
                Constraint::Cumulative(tasks, source.between(least, 5))
            }
        }
    }

    pub fn holds(&self, values: &[i64]) -> bool {
        match self {
            Constraint::Compare { name, left, operator, right } => {
                let left = match *name {
                    "diff" => left[0].value(values) - left[1].value(values),
                    _ => left.iter().map(|e| e.value(values)).sum::<i128>(),
                };
                compare(left, operator, right.value(values))
            }
            Constraint::Distinct(elements) => {
                let of =
                    |e: &Element| vec![Element { times: 1, ..e.clone() }.value(values); e.times as usize];
                let mut all: Vec<i128> = elements.iter().flat_map(of).collect();
                all.sort_unstable();
                all.windows(2).all(|w| w[0] != w[1])
            }
            Constraint::Disjoint(intervals) => {
                let long = intervals.iter().filter(|i| i.1 > 0);
                let mut all: Vec<(i64, i64)> = long.map(|&(v, n)| (values[v], n)).collect();
                all.sort_unstable();
                all.windows(2).all(|w| w[0].0 + w[0].1 <= w[1].0)
            }
            Constraint::Domain(ranges, v) => ranges.iter().any(|r| r.0 <= values[*v] && values[*v] <= r.1),
            Constraint::Cumulative(tasks, capacity) => {
                let needed = |time: i64| -> i64 {
                    let runs = |t: &&(usize, i64, i64)| values[t.0] <= time && time < values[t.0] + t.1;
                    tasks.iter().filter(runs).map(|t| t.2).sum()
                };
                *capacity >= 0 && tasks.iter().all(|t| needed(values[t.0]) <= *capacity)
            }
            Constraint::Count(value, elements, operator, right) => {
                let is_equal =
                    |e: &&Element| Element { times: 1, ..(*e).clone() }.value(values) == value.value(values);
                let count = elements.iter().filter(is_equal).map(|e| e.times).sum();
                compare(count, operator, right.value(values))
            }
            Constraint::Element(index, entries, operator, right) => entries.iter().any(|(at, value)| {
                at.value(values) == index.value(values)
                    && compare(value.value(values), operator, right.value(values))
            }),
            Constraint::Table(columns, rows) => rows
                .iter()
                .any(|row| columns.iter().zip(row).all(|(c, e)| e.value(values) == c.value(values))),
        }
    }

    pub fn text(&self) -> String {
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
            Constraint::Cumulative(tasks, capacity) => {
                let each = tasks.iter().map(|(v, n, r)| format!("{}@{n},{r}", NAMES[*v]));
                let right = Element::constant(*capacity).text();
                format!("&cumulative {{ {} }} <= {right}", each.collect::<Vec<_>>().join("; "))
            }
            Constraint::Count(value, elements, operator, right) => {
                format!("&count({}) {{ {} }} {operator} {}", value.text(), list(elements), right.text())
            }
            Constraint::Element(index, entries, operator, right) => {
                let each = entries.iter().map(|(at, value)| format!("{},{}", at.text(), value.text()));
                let list = each.collect::<Vec<_>>().join("; ");
                format!("&element({}) {{ {list} }} {operator} {}", index.text(), right.text())
            }
            Constraint::Table(columns, rows) => {
                let row = |row: &Vec<Element>| row.iter().map(Element::text).collect::<Vec<_>>().join(",");
                let rows: Vec<String> = rows.iter().map(row).collect();
                format!("&table({}) {{ {} }}", row(columns), rows.join("; "))
            }
            Constraint::Domain(ranges, v) => {
                format!("&dom {{ {} }} = {}", ranges_text(ranges), NAMES[*v])
            }
        }
    }
}

fn list(elements: &[Element]) -> String {
    let each = elements.iter().map(|e| format!("{}{}", e.text(), e.condition));
    each.collect::<Vec<_>>().join("; ")
}

fn ranges_text(ranges: &[(i64, i64)]) -> String {
    let number = |n: i64| if n < 0 { format!("({n})") } else { n.to_string() };
    let each = ranges
        .iter()
        .map(|r| if r.0 == r.1 { number(r.0) } else { format!("{}..{}", number(r.0), number(r.1)) });
    each.collect::<Vec<_>>().join("; ")
}
