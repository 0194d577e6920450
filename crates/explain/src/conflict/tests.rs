//! Conflicts of random programs, by brute force.

use super::*;
use crate::random::{self, Role, Statement};

fn lines(inquiry: &Inquiry, spans: &[Span]) -> Vec<usize> {
    spans.iter().map(|&s| inquiry.sources().locate(s).expect("a place").1 as usize - 1).collect()
}

/// A program with statements that may be given up.
struct Given<'a> {
    statements: &'a [Statement],
    /// By statement: whether it is a fact that cannot be given up.
    held: Vec<bool>,
    /// Whether the conflict is one of rules.
    rules: bool,
}

impl Given<'_> {
    /// The program in which these statements are in force, and of facts only these atoms (all if none are listed).
    fn text(&self, kept: &[(usize, Vec<String>)]) -> String {
        let mut text = String::new();
        for (i, s) in self.statements.iter().enumerate() {
            let atoms: Vec<&String> = kept.iter().filter(|k| k.0 == i).flat_map(|k| &k.1).collect();
            match kept.iter().find(|k| k.0 == i) {
                Some(_) if !atoms.is_empty() => {
                    text.push_str(&s.off);
                    atoms.iter().for_each(|a| text.push_str(&format!(" {a}.")));
                }
                Some(_) => text.push_str(&s.text),
                None if s.role == Role::Rule && !self.rules => text.push_str(&s.text),
                None if s.role == Role::Fact && self.held[i] => text.push_str(&s.text),
                None => text.push_str(&s.off),
            }
            text.push('\n');
        }
        text
    }
}

/// Explains a program and checks every claim; returns whether there was a conflict, and one of rules.
fn check(statements: &[Statement]) -> (bool, bool) {
    let text = random::text(statements);
    let mut inquiry = random::open(&text, false, false);
    let possible = random::is_satisfiable(&text);
    let explain =
        |inquiry: &Inquiry, rules| explain(inquiry, rules, false, &mut |_| {}).expect("no overflow");
    let mut explained = explain(&inquiry, false);
    if explained == Explained::Rules {
        inquiry = random::open(&text, false, true);
        explained = explain(&inquiry, true);
    }
    let conflict = match explained {
        Explained::Rules => panic!("only rules: {text}"),
        Explained::Consistent => {
            assert!(possible, "nothing contradicts:\n{text}");
            return (false, false);
        }
        Explained::Stopped(reason) => panic!("{reason}: {text}"),
        Explained::Conflict(conflict) => conflict,
    };
    assert!(!possible, "a conflict:\n{text}");
    assert!(conflict.minimal && conflict.instances_minimal && !conflict.parts.is_empty(), "{text}");
    let freed: Vec<usize> = lines(&inquiry, &inquiry.facts.iter().map(|f| f.1).collect::<Vec<_>>());
    let held = (0..statements.len()).map(|i| !freed.contains(&i)).collect();
    let given = Given { statements, held, rules: conflict.with_rules };
    let renderer = crate::renderer::Renderer::new(&inquiry);
    // For each part: its statements, each with those of its atoms that are kept.
    let parts: Vec<Vec<(usize, Vec<String>)>> = conflict
        .parts
        .iter()
        .map(|part| match part {
            Part::Statement { span, .. } => vec![(lines(&inquiry, &[*span])[0], Vec::new())],
            Part::Fact { atoms, spans } => {
                let atoms: Vec<String> = atoms.iter().map(|&a| renderer.atom(a)).collect();
                lines(&inquiry, spans).into_iter().map(|line| (line, atoms.clone())).collect()
            }
        })
        .collect();
    let alone = given.text(&parts.concat());
    assert!(
        !random::is_satisfiable(&alone),
        "the parts alone have an answer set:\n{text}\n{parts:?}\n{alone}"
    );
    let all: Vec<(usize, Vec<String>)> = (0..statements.len()).map(|i| (i, Vec::new())).collect();
    for (i, part) in parts.iter().enumerate() {
        let names = part[0].1.clone();
        for left_out in 0..names.len().max(1) {
            let mut kept = parts.clone();
            match names.is_empty() || names.len() == 1 {
                true => {
                    kept.remove(i);
                }
                false => kept[i].iter_mut().for_each(|(_, atoms)| {
                    atoms.remove(left_out);
                }),
            }
            let less = given.text(&kept.concat());
            assert!(random::is_satisfiable(&less), "part {i} is not needed:\n{text}\n{parts:?}\n{less}");
        }
        let others: Vec<_> = all.iter().filter(|k| part.iter().all(|p| p.0 != k.0)).cloned().collect();
        let rest = Given { rules: true, held: given.held.clone(), statements }.text(&others);
        if names.is_empty() || part.iter().all(|p| !statements[p.0].text.contains(';')) {
            assert_eq!(
                Some(random::is_satisfiable(&rest)),
                conflict.restores[i],
                "part {i}:\n{text}\n{rest}"
            );
        }
    }
    (true, conflict.with_rules)
}

#[test]
fn conflicts_of_random_programs() {
    let count = std::env::var("ASP_RANDOM_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let start = std::env::var("ASP_RANDOM_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let (mut conflicts, mut of_rules) = (0, 0);
    for seed in start..start + count {
        println!("seed {seed}");
        let (conflict, rules) = check(&random::program(seed));
        conflicts += usize::from(conflict);
        of_rules += usize::from(rules);
    }
    println!("{conflicts} conflicts, {of_rules} of rules");
    assert!(count < 300 || conflicts > 60 && of_rules > 10, "{conflicts} conflicts, {of_rules} of rules");
}
