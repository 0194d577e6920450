//! Whether each claim of `why-not` about atoms that no rule derives is true: in small random programs with recursion over two
//! predicates, numbers that are calculated, intervals, conditional literals and predicates without atoms.
//!
//! A claim becomes a rule over facts, which are the atoms that some answer set has, or those that all have. Who tells the answer sets is
//! chosen by the caller: the library, or another system.

use super::hunt::one;
use super::named::{Judge, reply};
use asp::Control;
use asp_base::rng::Rng;
use asp_questions::Question;
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of claims by kind, and of programs.
#[derive(Default, Debug)]
pub struct Claims {
    pub programs: u64,
    pub by_kind: BTreeMap<&'static str, u64>,
}

/// A line of an explanation.
struct Line {
    depth: usize,
    /// `X = 1, Y = 2`, before the text.
    values: String,
    /// Without the values of variables and the place.
    text: String,
}

/// What must hold, as the body of a rule.
#[derive(PartialEq, Eq, PartialOrd, Ord, Clone)]
enum Claim {
    /// In no answer set.
    Never(String),
    /// In all answer sets.
    Always(String),
}

/// Literals of which at least the first has the variables `X` and `Y`, and others.
fn body(rng: &mut Rng, head: &str) -> String {
    let number = |rng: &mut Rng| rng.below(7) as i64 - 1;
    let term = |rng: &mut Rng| match rng.below(8) {
        0 => "X+1".to_string(),
        1 => "X-1".to_string(),
        2 => "Y".to_string(),
        3 => "2*X".to_string(),
        4 => format!("{}-X", number(rng)),
        _ => "X".to_string(),
    };
    let own = |rng: &mut Rng| one(&["p", "q", "q", "p", "-p"], rng).to_string();
    let mut parts = vec![match rng.below(10) {
        0..4 => format!("{}({})", own(rng), one(&["X", "X+1", "X-1", "1-X"], rng)),
        4..6 => one(&["e(X,Y)", "e(Y,X)", "r(X,Y)", "r(Y,X)"], rng).to_string(),
        6 => format!("X = {}..{}", number(rng), one(&["4", "n", "a"], rng)),
        7 => "u(X)".to_string(),
        _ => one(&["d(X)", "c(X)", "v(X)"], rng).to_string(),
    }];
    for _ in 0..rng.below(4) {
        let term = term(rng);
        parts.push(match rng.below(14) {
            0 | 1 => format!("{}({term})", own(rng)),
            2 => one(&["e(X,Y)", "e(Y,X)", "r(X,Y)", "Y = X+1", "X = Y+1"], rng).to_string(),
            3 => format!("{term} {} {}", one(&["<", "<=", ">", "!=", "="], rng), number(rng)),
            4 => format!("not {}({term})", one(&["c", "d", "p", "q", "v"], rng)),
            5 => one(&["c(Y) : e(X,Y)", "not c(Y) : e(X,Y)", "u(Y) : d(Y), Y < X"], rng).to_string(),
            6 => format!("{term} = {}..Y", number(rng)),
            7 => format!("{} {{ c(Z) : e(X,Z) }}", rng.below(3)),
            8 => "u(Y)".to_string(),
            9 => format!("e({term},_)"),
            10 | 11 => aggregate(rng),
            _ => one(&["d(Y)", "c(Y)", "Y = X", "v(Y)"], rng).to_string(),
        });
    }
    // Recursion that calculates ends by a bound.
    if rng.chance(0.7) || head.contains(['+', '*', '/']) {
        parts.push(format!("X < {}, X > {}", 2 + rng.below(5), -(rng.below(4) as i64) - 1));
    }
    parts.join("; ")
}

/// An aggregate or a conditional literal over `X`.
fn aggregate(rng: &mut Rng) -> String {
    let of = one(&["#count { Z", "#sum { Z", "#sum+ { Z-2", "#count { Z,X"], rng);
    let which = one(&["e(X,Z)", "e(X,Z), c(Z)", "e(Z,X), not c(Z)", "d(Z), Z < X", "d(Z), not c(Z)"], rng);
    let bound = format!("{} {}", one(&["<", ">", ">", "=", ">="], rng), rng.below(8) as i64 - 1);
    match rng.below(5) {
        0 => {
            one(&["c(Y) : e(X,Y)", "not c(Y) : d(Y), Y > 0", "v(Y) : d(Y)", "e(X,Z) : d(Z)"], rng).to_string()
        }
        1 => format!(
            "{} {{ {} }}",
            1 + rng.below(4),
            one(&["c(Z) : e(X,Z)", "d(Z) : e(X,Z)", "not c(Z) : d(Z)"], rng)
        ),
        _ => format!("{of} : {which} }} {bound}"),
    }
}

/// A program, one statement a line.
fn program(rng: &mut Rng) -> String {
    let number = |rng: &mut Rng| rng.below(6) as i64;
    let mut lines = vec!["#const n = 3.".to_string()];
    for _ in 0..1 + rng.below(4) {
        lines.push(format!("e({},{}).", number(rng), number(rng)));
    }
    let data =
        ["d(0..2).", "d(1;4).", "d(a).", "d(1..n).", "d(3). d(f(1)).", "d(1..a).", "d(#inf).", "d(5;\"s\")."];
    for _ in 0..1 + rng.below(2) {
        lines.push(one(&data, rng).to_string());
    }
    let open = [
        "{ c(X) : d(X) } 2.",
        "{ c(1..3) }.",
        "c(X) | v(X) :- d(X).",
        "c(X) :- d(X), not v(X). v(X) :- d(X), not c(X).",
        "#external c(X) : d(X). [free]",
        "#external p(4). [free]",
        "#external q(X) : d(X). [free]",
        "p(1) | q(2).",
        "{ p(0) }.",
        "{ q(X) } :- p(X), d(X).",
        ":- c(1).",
        ":- p(X), q(X), X > 3.",
        "#show.",
        "#show p/1.",
    ];
    for _ in 0..1 + rng.below(3) {
        lines.push(one(&open, rng).to_string());
    }
    for _ in 0..rng.below(3) {
        lines.push(format!(
            "{}({}).",
            one(&["p", "q", "p"], rng),
            one(&["0", "1", "2", "a", "1..2", "#sup"], rng)
        ));
    }
    let heads = [
        "p(X)",
        "p(X)",
        "q(X)",
        "q(X)",
        "p(X+1)",
        "q(X+1)",
        "p(X-1)",
        "q(X-1)",
        "r(X,Y)",
        "r(X+1,Y)",
        "{ p(X) }",
        "{ q(X+1) }",
        "p(X) | q(X)",
        "p(2*X)",
        "p(X*X)",
        "q(6/X)",
        "-p(X)",
        "q(X..X+1)",
        "p(1..X)",
    ];
    for _ in 0..2 + rng.below(4) {
        let head = one(&heads, rng);
        lines.push(format!("{head} :- {}.", body(rng, head)));
    }
    for _ in 0..rng.below(3) {
        lines.push(format!(
            "{} :- {}; {}.",
            one(&["p(X)", "q(X)", "q(X)"], rng),
            one(&["d(X)", "e(X,Y)", "X = 0..3"], rng),
            aggregate(rng)
        ));
    }
    lines.join("\n") + "\n"
}

/// The lines of a tree.
fn lines(text: &str) -> Vec<Line> {
    let read = |line: &str| {
        let start = line.find(|c| !"|`- ".contains(c)).unwrap_or(0);
        // A minus belongs to a number or an atom.
        let start = if line[..start].ends_with('-') { start - 1 } else { start };
        let (mut text, mut own) = (line[start..].split("  [").next().unwrap_or_default(), "");
        if let Some((values, rest)) = text.split_once(": ")
            && values.starts_with("with ")
        {
            (text, own) = (rest, &values[5..]);
        }
        Line { depth: start / 3, values: own.to_string(), text: text.to_string() }
    };
    text.lines().map(read).collect()
}

/// The line above another to which that belongs.
fn above_of<'l>(lines: &'l [Line], line: &Line) -> Option<&'l Line> {
    let at = lines.iter().position(|other| std::ptr::eq(other, line))?;
    lines[..at].iter().rfind(|before| before.depth < line.depth)
}

/// What is claimed of the value of an aggregate, or of an instance of a conditional literal.
fn value_of(element: &str, why: &str) -> Result<Vec<(&'static str, Claim)>, String> {
    if let Some(atom) = why.strip_prefix("no rule derives ") {
        return Ok(vec![("instance", Claim::Never(atom.to_string()))]);
    }
    if let Some(atom) = why.strip_suffix(" always holds") {
        return Ok(vec![("instance", Claim::Always(atom.to_string()))]);
    }
    let why = why.strip_prefix("in any case ").unwrap_or(why);
    let value = why.strip_prefix("the count is ").or(why.strip_prefix("the sum is "));
    let (Some(value), Some(open), Some(close)) = (value, element.find(['#', '{']), element.find('}')) else {
        return if why.is_empty() { Ok(Vec::new()) } else { Err(format!("{why}?")) };
    };
    let (least, most) =
        value.strip_prefix("from ").and_then(|v| v.split_once(" to ")).unwrap_or((value, value));
    let aggregate = &element[open..=close];
    let claim = |relation, bound| format!("{aggregate} {relation} {bound}");
    Ok(vec![("value", Claim::Never(claim(">", most))), ("value", Claim::Always(claim(">=", least)))])
}

/// That the head of a rule is another atom under some values.
fn other_head(written: &str, head: &str, values: &str) -> Option<(&'static str, Claim)> {
    let (name, args) = head.strip_suffix(')')?.split_once('(')?;
    let at = written
        .match_indices(&format!("{name}("))
        .map(|(at, _)| at)
        .find(|&at| !written[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-'))?;
    let own = written[at + name.len() + 1..].split(')').next()?;
    let is_told = !own.contains("..") && !values.is_empty();
    is_told.then(|| ("other head", Claim::Never(format!("{values}, ({own},) != ({args},)"))))
}

/// What a line claims, and of which kind that is; or what is wrong with it by the lines before it.
fn claims(lines: &[Line], at: usize) -> Result<Vec<(&'static str, Claim)>, String> {
    let line = &lines[at];
    if line.text.starts_with("no instance of `") {
        return Ok(Vec::new());
    }
    let cannot = line.text.split_once(" cannot hold").map(|(what, why)| (what, why.trim_start_matches(": ")));
    let (what, reason) = match cannot.or(line.text.split_once(": ")) {
        Some((what, reason)) => (what, reason),
        None => (line.text.as_str(), ""),
    };
    let mut found = Vec::new();
    if cannot.is_some() {
        found.push(("cannot hold", Claim::Never(what.to_string())));
        found.extend(value_of(what, reason)?);
    }
    let above = |line: &Line| lines[..at].iter().rfind(|before| before.depth < line.depth);
    let goal = |text: &str| {
        let text = text.strip_prefix("no rule derives ").or(text.strip_prefix("not "))?;
        Some(text.strip_prefix("any ").unwrap_or(text).to_string())
    };
    let goal_of = |line: &Line| goal(line.text.split(": ").next().unwrap_or_default());
    if let Some(atom) = what.strip_prefix("no rule derives ").or(what.strip_prefix("there is no ")) {
        for atom in atom.strip_prefix("any ").unwrap_or(atom).split(", ") {
            found.push(("no atom", Claim::Never(atom.to_string())));
        }
    } else if let Some(comparison) =
        what.strip_suffix(" does not hold").filter(|c| c.contains(['=', '<', '>']))
    {
        found.push(("comparison", Claim::Never(comparison.to_string())));
    } else if let Some((value, values)) = what.split_once(" is not in ") {
        found.push(("not in", Claim::Never(format!("{value} = {values}"))));
    } else if let Some(head) = what.strip_prefix("the head is ") {
        let rule = above(line).ok_or("no rule")?;
        let goal = above_of(lines, rule).and_then(goal_of).ok_or("no goal")?;
        if goal == head {
            return Err(format!("it derives {goal}"));
        }
        let written =
            rule.text.trim_start_matches("no instance of `").split(" :- ").next().unwrap_or_default();
        found.extend(other_head(written, head, &line.values));
    } else if let Some(term) = what.strip_suffix(" is undefined") {
        found.push(("undefined", Claim::Never(format!("_ = {term}"))));
    } else if let Some(head) = what.strip_prefix("the head of this rule is ") {
        let goal = above(line).and_then(goal_of).ok_or("no goal")?;
        found.push(("head", Claim::Never(format!("{goal} = {head}"))));
    } else if let Some(atom) = what.strip_suffix(" always holds") {
        found.push(("always", Claim::Always(atom.to_string())));
    } else if let Some(values) = what.strip_suffix(" has no values") {
        found.push(("no values", Claim::Never(format!("_ = {values}"))));
    } else if let Some(atom) = what.strip_suffix(" holds in no answer set.") {
        found.push(("verdict", Claim::Never(atom.to_string())));
    }
    if let Some((name, _)) = reason.strip_suffix(" holds in any answer set").and_then(|r| r.split_once('/')) {
        let name = name.strip_prefix("no ").unwrap_or(name);
        let arity = if name == "r" { "_,_" } else { "_" };
        found.push(("no predicate", Claim::Never(format!("{name}({arity})"))));
    } else if let Some(rest) = reason.strip_prefix("argument ") {
        let (rest, number) = match rest.contains(" a number") {
            true => (rest.replace(" a number", ""), ", X = -99..99"),
            false => (rest.to_string(), ""),
        };
        let words: Vec<&str> = rest.split(' ').collect();
        let [place, "of", name, "is", "never", side, bound] = words[..] else {
            return Err(format!("{rest}?"));
        };
        let args = match (name, place) {
            ("r", "1") => "X,_",
            ("r", _) => "_,X",
            _ => "X",
        };
        let side = if side == "below" { '<' } else { '>' };
        found.push(("never beyond", Claim::Never(format!("{name}({args}), X {side} {bound}{number}"))));
    } else if reason == "this goes in a circle" {
        // Variables have the names of their rules.
        let named = |goal: Option<String>| goal.map(|goal| goal.replace(['Y', 'Z'], "X"));
        let own = named(goal(what));
        let (mut depth, mut is_above) = (line.depth, false);
        for line in lines[..at].iter().rev() {
            if line.depth < depth {
                depth = line.depth;
                is_above |= named(goal_of(line)) == own;
            }
        }
        if !is_above {
            return Err(format!("no circle: {}", line.text));
        }
        found.push(("circle", Claim::Never(own.unwrap_or_default())));
    } else if reason == "told below" {
        let own = goal(what);
        if !lines[at + 1..].iter().any(|line| line.depth == 1 && goal_of(line) == own) {
            return Err(format!("not told below: {what}"));
        }
    } else if reason == "told already" {
        let told =
            |own: &str| lines.iter().any(|line| line.text != *own && goal_of(line).as_deref() == Some(own));
        if let Some(own) = goal(what)
            .into_iter()
            .flat_map(|all| all.split(", ").map(str::to_string).collect::<Vec<_>>())
            .find(|own| !told(own))
        {
            return Err(format!("not told: {own}"));
        }
    }
    Ok(found)
}

/// Those of some bodies that hold over facts.
fn hold(facts: &BTreeSet<String>, bodies: &[&String]) -> Vec<String> {
    let is_safe = |body: &&&String| {
        let mut control = Control::new();
        control.add(&format!("t :- {body}.\n"));
        control.ground().is_ok()
    };
    // Variables that are open say nothing that can be tested.
    let bodies: Vec<&&String> = bodies.iter().filter(is_safe).collect();
    let mut text: String = facts.iter().map(|fact| format!("{fact}.\n")).collect();
    for (i, body) in bodies.iter().enumerate() {
        text.push_str(&format!("t({i}) :- {body}.\n"));
    }
    // Different answer sets may have an atom and its negation.
    let text = text.replace("-p(", "not_p(");
    let mut control = Control::new();
    control.settings.ground.keep_facts = true;
    control.add(&text);
    control.add("#show t/1.\n");
    control.ground().unwrap_or_else(|error| panic!("{error}"));
    let (program, symbols) = (control.program(), control.symbols());
    let names: BTreeSet<String> = program
        .facts
        .ids()
        .map(|atom| {
            let mut text = String::new();
            program.facts.write(atom, symbols, &mut text);
            text
        })
        .collect();
    bodies
        .iter()
        .enumerate()
        .filter(|(i, _)| names.contains(&format!("t({i})")))
        .map(|(_, b)| (**b).clone())
        .collect()
}

/// What is wrong with the replies to questions about a program.
fn wrong(program: &str, rng: &mut Rng, judge: &mut Judge<'_>, seen: &mut Claims) -> Option<String> {
    // Who tells the answer sets tells what they show.
    let whole: Vec<&str> = program.lines().filter(|line| !line.starts_with("#show")).collect();
    let sets = judge(&(whole.join("\n") + "\n")).filter(|sets| !sets.is_empty())?;
    seen.programs += 1;
    let some: BTreeSet<String> = sets.iter().flatten().cloned().collect();
    let all: BTreeSet<String> =
        some.iter().filter(|a| sets.iter().all(|s| s.contains(*a))).cloned().collect();
    for _ in 0..6 {
        let number = |rng: &mut Rng| rng.below(13) as i64 - 4;
        let atom = match rng.below(6) {
            0 => format!("r({},{})", number(rng), number(rng)),
            1 => format!("-p({})", number(rng)),
            2 | 3 => format!("q({})", number(rng)),
            _ => format!("p({})", number(rng)),
        };
        let told = reply(program, &Question::WhyNot(atom.clone()));
        for (text, is_full) in [(&told.text, false), (&told.full, true)] {
            let lines = lines(text);
            let report = |why: String| Some(format!("{atom}: {why}\n{text}"));
            let mut found = Vec::new();
            for at in 0..lines.len() {
                match claims(&lines, at) {
                    Ok(claims) => found.extend(claims),
                    // What it refers to may be left out.
                    Err(_) if !is_full => {}
                    Err(why) => return report(why),
                }
            }
            let (mut never, mut always) = (BTreeSet::new(), BTreeSet::new());
            for (kind, claim) in &found {
                *seen.by_kind.entry(kind).or_default() += 1;
                match claim {
                    Claim::Never(body) => never.insert(body),
                    Claim::Always(body) => always.insert(body),
                };
            }
            let false_ones = hold(&some, &never.into_iter().collect::<Vec<_>>());
            let always: Vec<&String> = always.into_iter().collect();
            let true_ones = hold(&all, &always);
            if let Some(body) = false_ones.first() {
                return report(format!("there is {body}"));
            }
            if let Some(body) = always.into_iter().find(|body| !true_ones.contains(body)) {
                return report(format!("not always {body}"));
            }
        }
    }
    None
}

/// Whether grounding ends soon.
fn ends(program: &str) -> bool {
    let mut control = Control::new();
    control.settings.ground.instance_limit = Some(2000);
    control.add(program);
    control.ground().is_ok()
}

/// Asks about random programs; at most so many failures.
pub fn hunt(first: u64, count: u64, failures: u64, judge: &mut Judge<'_>) -> Claims {
    let (mut seen, mut failed) = (Claims::default(), Vec::new());
    for seed in first..first + count {
        let mut rng = Rng::new(seed);
        let text = program(&mut rng);
        let from = rng.below(u64::MAX);
        let mut ask = |text: &str, seen: &mut Claims| wrong(text, &mut Rng::new(from), judge, seen);
        if !ends(&text) {
            continue;
        }
        let Some(mut why) = ask(&text, &mut seen) else { continue };
        let mut kept: Vec<&str> = text.lines().collect();
        // Statements that the failure does not need.
        let mut at = 0;
        while at < kept.len() {
            let line = kept.remove(at);
            match ask(&(kept.join("\n") + "\n"), &mut Claims::default()) {
                Some(other) => why = other,
                None => {
                    kept.insert(at, line);
                    at += 1;
                }
            }
        }
        failed.push(format!("ASP_RANDOM_SEED={seed}\n{}\n{why}", kept.join("\n")));
        if failed.len() as u64 >= failures {
            break;
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n----\n"));
    eprintln!("{seen:?}");
    seen
}
