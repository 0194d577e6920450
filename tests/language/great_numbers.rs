//! Constraints over integers with numbers near the ends of 64 bits: random ones against all assignments, judged in 128 bits.
//!
//! A program has the right answers, or is refused as too large: never a wrong answer, never a panic (tests check overflows).
//! `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT` choose others.

use super::integers::is_refusal;
use crate::support::hunt::number;
use crate::support::integers::constraint::{OPERATORS, compare};
use asp::Control;
use asp_base::rng::Rng;
use asp_solve::{EnumMode, OptMode};
use std::collections::BTreeSet;

/// The names of variables; the first are open, the others have a value.
const NAMES: [&str; 4] = ["x", "y", "z", "w"];

/// A multiple of a variable, or of a product of two, and a constant.
#[derive(Clone)]
struct Sum {
    factor: i64,
    product: Vec<usize>,
    constant: i64,
}

enum Constraint {
    Compare(Vec<Sum>, &'static str, Sum),
    Difference(usize, usize, i64),
    Distinct(Vec<Sum>),
    Disjoint(Vec<(Sum, i64)>),
    Cumulative(Vec<(Sum, i64, i64)>, i64),
    Count(Sum, Vec<Sum>, &'static str, Sum),
    Element(Sum, Vec<(Sum, Sum)>, &'static str, Sum),
    Table(Vec<Sum>, Vec<Vec<Sum>>),
}

fn joined(parts: impl IntoIterator<Item = String>) -> String {
    parts.into_iter().collect::<Vec<_>>().join("; ")
}

impl Sum {
    /// A factor may be so great that its multiples do not fit 128 bits together with others, so there are few terms.
    fn value(&self, values: &[i64]) -> i128 {
        let product: i128 = self.product.iter().map(|&v| i128::from(values[v])).product();
        let multiple = if self.product.is_empty() { 0 } else { i128::from(self.factor) * product };
        multiple + i128::from(self.constant)
    }
    fn text(&self) -> String {
        let names: Vec<&str> = self.product.iter().map(|&v| NAMES[v]).collect();
        let number = |n: i64| match n {
            i64::MIN => "(-9223372036854775807-1)".into(),
            n if n < 0 => format!("(-{})", n.unsigned_abs()),
            n => n.to_string(),
        };
        match (&names[..], self.constant) {
            ([], n) => number(n),
            (_, 0) => format!("{}*{}", number(self.factor), names.join("*")),
            (_, n) => format!("{}*{}+{}", number(self.factor), names.join("*"), number(n)),
        }
    }
}

impl Constraint {
    fn text(&self) -> String {
        let sums = |sums: &[Sum]| joined(sums.iter().map(Sum::text));
        match self {
            Self::Compare(left, operator, right) => {
                let name = if left.iter().all(|s| s.product.len() < 2) { "sum" } else { "nsum" };
                format!("&{name} {{ {} }} {operator} {}", sums(left), right.text())
            }
            Self::Difference(a, b, n) => {
                let number = Sum { factor: 1, product: Vec::new(), constant: *n };
                format!("&diff {{ {}-{} }} <= {}", NAMES[*a], NAMES[*b], number.text())
            }
            Self::Distinct(all) => format!("&distinct {{ {} }}", sums(all)),
            Self::Disjoint(tasks) => {
                let task = |(start, length): &(Sum, i64)| format!("{}@{length}", start.text());
                format!("&disjoint {{ {} }}", joined(tasks.iter().map(task)))
            }
            Self::Cumulative(tasks, capacity) => {
                let task =
                    |(start, length, need): &(Sum, i64, i64)| format!("{}@{length},{need}", start.text());
                format!("&cumulative {{ {} }} <= {capacity}", joined(tasks.iter().map(task)))
            }
            Self::Count(value, all, operator, right) => {
                format!("&count({}) {{ {} }} {operator} {}", value.text(), sums(all), right.text())
            }
            Self::Element(index, all, operator, right) => {
                let element = |(i, e): &(Sum, Sum)| format!("{},{}", i.text(), e.text());
                let all = joined(all.iter().map(element));
                format!("&element({}) {{ {all} }} {operator} {}", index.text(), right.text())
            }
            Self::Table(args, rows) => {
                let row = |row: &Vec<Sum>| row.iter().map(Sum::text).collect::<Vec<_>>().join(",");
                format!("&table({}) {{ {} }}", row(args), joined(rows.iter().map(row)))
            }
        }
    }

    fn holds(&self, values: &[i64]) -> bool {
        let of = |sum: &Sum| sum.value(values);
        match self {
            Self::Compare(left, operator, right) => compare(left.iter().map(of).sum(), operator, of(right)),
            Self::Difference(a, b, n) => i128::from(values[*a]) - i128::from(values[*b]) <= i128::from(*n),
            Self::Distinct(all) => all.iter().map(of).collect::<BTreeSet<_>>().len() == all.len(),
            Self::Disjoint(tasks) => {
                let tasks: Vec<(i128, i64, i64)> = tasks.iter().map(|t| (of(&t.0), t.1, 1)).collect();
                fits(&tasks, 1)
            }
            Self::Cumulative(tasks, capacity) => {
                let tasks: Vec<(i128, i64, i64)> = tasks.iter().map(|t| (of(&t.0), t.1, t.2)).collect();
                fits(&tasks, *capacity)
            }
            Self::Count(value, all, operator, right) => {
                let number = all.iter().filter(|&e| of(e) == of(value)).count();
                compare(number as i128, operator, of(right))
            }
            Self::Element(index, all, operator, right) => {
                all.iter().any(|(i, e)| of(i) == of(index) && compare(of(e), operator, of(right)))
            }
            Self::Table(args, rows) => {
                rows.iter().any(|row| args.iter().zip(row).all(|(arg, value)| of(arg) == of(value)))
            }
        }
    }
}

/// Whether tasks need no more than there is when one of them starts.
fn fits(tasks: &[(i128, i64, i64)], capacity: i64) -> bool {
    let running = |time: i128| {
        let runs = |t: &&(i128, i64, i64)| t.0 <= time && time < t.0 + i128::from(t.1);
        tasks.iter().filter(runs).map(|t| i128::from(t.2)).sum::<i128>()
    };
    capacity >= 0 && tasks.iter().all(|t| running(t.0) <= i128::from(capacity))
}

struct Source {
    rng: Rng,
}

impl Source {
    fn below(&mut self, n: u64) -> usize {
        self.rng.below(n) as usize
    }
    fn few(&mut self, n: u64) -> std::ops::Range<usize> {
        0..1 + self.below(n)
    }
    fn small(&mut self) -> i64 {
        self.below(7) as i64 - 3
    }
    /// A number that is small, or near a power of two that matters.
    fn great(&mut self) -> i64 {
        if self.rng.chance(0.4) {
            return self.small();
        }
        let power = [31, 32, 40, 53, 58, 60, 61, 62, 63][self.below(9)];
        let near = (1i128 << power) + i128::from(self.small());
        let near = if self.rng.chance(0.3) { near / [2, 3, 5][self.below(3)] } else { near };
        let signed = if self.rng.chance(0.4) { -near } else { near };
        signed.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }
    /// At least 0.
    fn length(&mut self) -> i64 {
        self.great().checked_abs().unwrap_or(i64::MAX)
    }
    fn sum(&mut self, products: bool) -> Sum {
        let count = if products && self.rng.chance(0.4) { 2 } else { usize::from(self.rng.chance(0.85)) };
        let mut product: Vec<usize> = (0..count).map(|_| self.below(4)).collect();
        product.sort_unstable();
        let factor = if self.rng.chance(0.6) { [1, -1, 2][self.below(3)] } else { self.great() };
        let constant = if product.is_empty() || self.rng.chance(0.4) { self.great() } else { 0 };
        Sum { factor: if factor == 0 { 1 } else { factor }, product, constant }
    }
    /// One variable and perhaps a great offset.
    fn shifted(&mut self) -> Sum {
        let constant = if self.rng.chance(0.3) { self.great() } else { 0 };
        Sum { factor: 1, product: vec![self.below(4)], constant }
    }
    fn number(&mut self) -> Sum {
        Sum { factor: 1, product: Vec::new(), constant: self.great() }
    }
    fn sums(&mut self, n: u64, products: bool) -> Vec<Sum> {
        self.few(n).map(|_| self.sum(products)).collect()
    }
    fn operator(&mut self) -> &'static str {
        OPERATORS[self.below(6)]
    }
    fn constraint(&mut self) -> Constraint {
        match self.below(10) {
            0 | 1 => {
                let products = self.rng.chance(0.5);
                Constraint::Compare(self.sums(3, products), self.operator(), self.sum(false))
            }
            2 => Constraint::Difference(self.below(4), self.below(4), self.great()),
            3 => Constraint::Distinct(self.sums(4, false)),
            4 => Constraint::Disjoint(self.few(4).map(|_| (self.shifted(), self.length())).collect()),
            5 | 6 => {
                let tasks = self.few(4).map(|_| (self.shifted(), self.length(), self.length())).collect();
                Constraint::Cumulative(tasks, self.length())
            }
            7 => Constraint::Count(self.sum(false), self.sums(3, false), self.operator(), self.sum(false)),
            8 => {
                let elements = self.few(3).map(|_| (self.sum(false), self.sum(false))).collect();
                Constraint::Element(self.sum(false), elements, self.operator(), self.sum(false))
            }
            _ => {
                let rows = self.few(3).map(|_| vec![self.sum(false), self.number()]).collect();
                Constraint::Table(vec![self.sum(false), self.sum(false)], rows)
            }
        }
    }
}

struct Program {
    text: String,
    /// What may be: whether the condition holds, the values, and the costs.
    answers: BTreeSet<(Vec<String>, Vec<i128>)>,
    optimises: bool,
}

fn program(seed: u64) -> Program {
    let mut s = Source { rng: Rng::new(seed) };
    let mut text = String::from("{ a }.\n");
    let mut domains: Vec<Vec<i64>> = Vec::new();
    for (v, name) in NAMES.iter().enumerate() {
        let center = match s.below(4) {
            0 | 1 => s.small(),
            2 => [(1 << 30) - 20, -(1 << 30) + 20][s.below(2)],
            _ => [1 << 20, -(1 << 29)][s.below(2)],
        };
        // Few values are tried, but those of a domain may lie far apart.
        let count = [4, 3, 2, 1][v];
        let step = if s.rng.chance(0.3) { 5 } else { 1 };
        let values: Vec<i64> = (0..count).map(|i| center + i * step).collect();
        text += &format!("&dom {{ {} }} = {name}. ", joined(values.iter().map(ToString::to_string)));
        domains.push(values);
    }
    text.push('\n');
    let mut all = Vec::new();
    for _ in s.few(2) {
        let constraint = s.constraint();
        let in_body = !matches!(
            constraint,
            Constraint::Distinct(_) | Constraint::Disjoint(_) | Constraint::Cumulative(..)
        );
        let place = s.below(if in_body { 3 } else { 2 });
        let written = constraint.text();
        text += &match place {
            0 => format!("{written}.\n"),
            1 => format!("{written} :- a.\n"),
            _ => format!(":- a, {written}.\n"),
        };
        all.push((place, constraint));
    }
    let mut levels: Vec<(i64, Vec<Sum>)> = Vec::new();
    if s.rng.chance(0.3) {
        for level in 0..=s.below(2) as i64 {
            // Identical elements of two statements count once each, so there is one statement.
            levels.push((level, s.sums(3, false)));
        }
        let element =
            |(level, sums): &(i64, Vec<Sum>)| joined(sums.iter().map(|e| format!("{}@{level}", e.text())));
        text += &format!("&minimize {{ {} }}.\n", joined(levels.iter().map(element)));
    }
    let mut assignments: Vec<Vec<i64>> = vec![Vec::new()];
    for domain in &domains {
        assignments =
            assignments.iter().flat_map(|a| domain.iter().map(|&v| [&a[..], &[v]].concat())).collect();
    }
    let mut answers = BTreeSet::new();
    for values in &assignments {
        for a in [false, true] {
            let is_so = |(place, constraint): &(usize, Constraint)| match place {
                0 => constraint.holds(values),
                1 => !a || constraint.holds(values),
                _ => !a || !constraint.holds(values),
            };
            if all.iter().all(is_so) {
                let mut shown: Vec<String> =
                    NAMES.iter().zip(values).map(|(n, v)| format!("{n}={v}")).collect();
                shown.extend(a.then(|| "a".into()));
                let costs = levels.iter().rev().map(|(_, sums)| sums.iter().map(|e| e.value(values)).sum());
                answers.insert((shown, costs.collect()));
            }
        }
    }
    Program { text, answers, optimises: !levels.is_empty() }
}

/// Shown atoms and values, and costs.
type Found = BTreeSet<(Vec<String>, Vec<i128>)>;

fn control(text: &str, atoms: u64) -> Control {
    let mut control = Control::new();
    control.settings.integers.atoms = atoms;
    control.settings.integers.distinct = if atoms < 2 { atoms } else { 256 };
    control.add(text);
    control
}

/// The best answers.
fn solve(program: &Program, atoms: u64) -> Result<Found, String> {
    let mut control = control(&program.text, atoms);
    control.settings.solve.opt_mode = OptMode::OptN;
    let mut found = Found::new();
    let result = control.solve(0, |answer| {
        if program.optimises && !answer.is_optimal() {
            return true;
        }
        let mut shown: Vec<(String, i64)> = answer.values().map(|(n, v)| (n.to_string(), v)).collect();
        shown.sort_by_key(|(name, _)| NAMES.iter().position(|n| n == name));
        let mut shown: Vec<String> = shown.iter().map(|(n, v)| format!("{n}={v}")).collect();
        shown.extend(answer.terms().map(|t| t.to_string()).filter(|t| t == "a"));
        found.insert((shown, answer.costs().iter().map(|&c| c.into()).collect()));
        true
    });
    result.map(|_| found).map_err(|e| e.to_string())
}

/// How many answer sets brave and cautious consequences come from: whether there are any.
fn consequences(program: &Program, atoms: u64, mode: EnumMode) -> Result<bool, String> {
    let mut control = control(&program.text, atoms);
    control.settings.solve.enum_mode = mode;
    let mut any = false;
    let result = control.solve(0, |_| {
        any = true;
        true
    });
    result.map(|_| any).map_err(|e| e.to_string())
}

#[test]
fn great_numbers_have_the_right_answers_or_are_refused() {
    let (first, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 300));
    let (mut compared, mut satisfiable, mut refused) = (0, 0, 0);
    for seed in first..first + count {
        if std::env::var_os("ASP_RANDOM_VERBOSE").is_some() {
            eprintln!("{seed}");
        }
        let program = program(seed);
        let best = program.answers.iter().map(|a| &a.1).min().cloned();
        let expected: Found =
            program.answers.iter().filter(|a| Some(&a.1) == best.as_ref()).cloned().collect();
        for atoms in [10, 2, 0] {
            let complain = |what: String| panic!("seed {seed}, {atoms} atoms: {what}\n{}", program.text);
            match solve(&program, atoms) {
                Ok(found) if found == expected => {
                    compared += 1;
                    satisfiable += u64::from(!found.is_empty());
                }
                Ok(found) => {
                    let missing: Vec<_> = expected.difference(&found).take(3).collect();
                    let wrong: Vec<_> = found.difference(&expected).take(3).collect();
                    complain(format!("missing: {missing:?}\ntoo many: {wrong:?}"));
                }
                Err(message) if is_refusal(&message) => refused += 1,
                Err(message) => complain(message),
            }
            if program.optimises || seed % 4 > 0 {
                continue;
            }
            for mode in [EnumMode::Brave, EnumMode::Cautious] {
                match consequences(&program, atoms, mode) {
                    Ok(any) if any != expected.is_empty() => {}
                    Ok(any) => complain(format!("{mode:?}: {any}")),
                    Err(message) if is_refusal(&message) => {}
                    Err(message) => complain(message),
                }
            }
        }
    }
    eprintln!("great numbers: {compared} compared ({satisfiable} with answers), {refused} refused");
    assert!(count < 50 || compared > refused && satisfiable * 3 > compared, "hardly anything was compared");
}
