//! Why atoms of random programs hold or not: the verdict is checked by brute force, and each step of a derivation by
//! itself.

use super::*;
use crate::random::{self, Statement};
use asp_control::Control;
use asp_oracle::brute_force;

/// The answer sets of a program as texts of atoms, including facts.
fn answer_sets(text: &str) -> Vec<Set<String>> {
    let mut control = Control::new();
    control.settings.ground.keep_facts = true;
    control.add(text);
    control.ground().unwrap_or_else(|e| panic!("{e:?}: {text}"));
    let (program, symbols) = (control.program(), control.symbols());
    let write = |table: &asp_program::AtomTable, atom| {
        let mut text = String::new();
        table.write(atom, symbols, &mut text);
        text
    };
    let facts: Vec<String> = program.facts.ids().map(|a| write(&program.facts, a)).collect();
    let sets = brute_force::answer_sets(program, symbols);
    sets.iter()
        .map(|s| s.atoms(program, symbols).into_iter().chain(facts.iter().cloned()).collect())
        .collect()
}

/// Whether a node is about an atom with a name.
fn is_atom(node: &Node) -> bool {
    !node.text.contains(['{', ' '])
}

/// The steps that a step depends on, through those without a named atom.
fn rests_on(node: &Node) -> Vec<&Node> {
    let mut found = Vec::new();
    let mut open: Vec<&Node> = node.children.iter().collect();
    while let Some(next) = open.pop() {
        if is_atom(next) { found.push(next) } else { open.extend(&next.children) }
    }
    found
}

/// Checks each step of a derivation in an answer set.
fn check_derivation(statements: &[Statement], node: &Node, set: &Set<String>, text: &str) {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        open.extend(&node.children);
        let told = || format!("{} in\n{text}", node.to_text());
        assert!(!node.text.is_empty(), "{}", told());
        if !is_atom(node) {
            continue;
        }
        assert_eq!(set.contains(&node.text), node.reason != "does not hold", "{}", told());
        let leaf =
            ["fact", "does not hold", "told already", "given from outside"].contains(&node.reason.as_str());
        if leaf {
            assert!(node.children.is_empty(), "{}", told());
            continue;
        }
        let line = node.place.as_ref().unwrap_or_else(|| panic!("no place: {}", told())).line as usize;
        let statement = &statements[line - 1];
        let chosen = node.reason == "chosen";
        let open = node.reason == ONE_OF_ITS_HEAD || node.reason == NEED_EACH_OTHER;
        assert!(chosen || open || node.reason == "by this rule", "{}", told());
        let mut step = if chosen { statement.off.clone() } else { statement.text.clone() };
        if node.reason == NEED_EACH_OTHER {
            let others = set.iter().filter(|&other| *other != node.text);
            others.for_each(|other| step.push_str(&format!("\n{other}.")));
        }
        for other in rests_on(node) {
            let fails = if other.reason == "does not hold" { ":- " } else { "" };
            step.push_str(&format!("\n{fails}{}.", other.text));
        }
        let sets = answer_sets(&step);
        let derives = sets.iter().filter(|s| s.contains(&node.text)).count();
        assert!(derives > 0 && (chosen || open || derives == sets.len()), "{}\nby\n{step}", told());
    }
}

/// Asks about every atom in an answer set that is given, and in what is none.
fn check_given(
    statements: &[Statement],
    inquiry: &Inquiry,
    atoms: &[AtomId],
    set: &Set<String>,
    sets: &[Set<String>],
) {
    let text = random::text(statements);
    let renderer = Renderer::new(inquiry);
    let mut list: Vec<&str> = set.iter().map(String::as_str).collect();
    list.sort_unstable();
    let given = ModelFilter::read(&list.join(" ")).expect("an answer set");
    for &atom in atoms {
        let name = renderer.atom(atom);
        for negative in [false, true] {
            let literal = Literal::new(atom, negative);
            let (answer, derived) = why_in(inquiry, literal, &given).expect("no overflow");
            if let Some(derived) = derived {
                assert!(set.contains(&name), "{name} in {list:?}: {text}");
                check_derivation(statements, &derived, set, &text);
            }
            match answer {
                Answer::Always(_) => assert!(sets.iter().all(|s| s.contains(&name) != negative), "{text}"),
                Answer::Never(_) => assert!(sets.iter().all(|s| s.contains(&name) == negative), "{text}"),
                Answer::Here(node, holds) => {
                    assert_eq!(set.contains(&name), holds, "{name} in {list:?}: {text}");
                    assert!(sets.iter().any(|s| s.contains(&name) != holds), "{name}: {text}");
                    if holds {
                        check_derivation(statements, &node, set, &text);
                    }
                }
                other => panic!("{other:?} in {list:?}: {text}"),
            }
        }
    }
    let Some(first) = list.pop() else { return };
    let less: Set<String> = list.iter().map(|s| s.to_string()).collect();
    if let (Some(&atom), false) = (atoms.first(), sets.contains(&less)) {
        let given = ModelFilter::read(&list.join(" ")).expect("atoms");
        let told = why_in(inquiry, Literal::pos(atom), &given).expect("no overflow");
        assert!(matches!(told.0, Answer::NotGiven(_)), "without {first}: {told:?}: {text}");
    }
}

/// Asks about every atom; returns how many hold in some answer sets only, and how many in all or none.
fn check(statements: &[Statement]) -> (usize, usize) {
    let text = random::text(statements);
    let sets = answer_sets(&text);
    let inquiry = random::open(&text, true, true);
    let renderer = Renderer::new(&inquiry);
    let (mut sometimes, mut settled) = (0, 0);
    let atoms: Vec<AtomId> =
        inquiry.program().atoms.ids().filter(|&a| inquiry.program().atoms.get(a).is_some()).collect();
    for set in sets.iter().take(3) {
        check_given(statements, &inquiry, &atoms, set, &sets);
    }
    for atom in atoms {
        let name = renderer.atom(atom);
        let holding = sets.iter().filter(|s| s.contains(&name)).count();
        for negative in [false, true] {
            let count = if negative { sets.len() - holding } else { holding };
            let answer = why(&inquiry, Literal::new(atom, negative)).expect("no overflow");
            match answer {
                Answer::NoAnswerSet => assert!(sets.is_empty(), "{name}: {text}"),
                Answer::Always(forced) => {
                    assert!(count == sets.len() && count > 0, "{name} always: {text}");
                    assert!(!forced.why.text.is_empty());
                    settled += 1;
                }
                Answer::Never(forced) => {
                    assert!(count == 0 && !sets.is_empty(), "{name} never: {text}");
                    assert!(!forced.why.text.is_empty());
                    settled += 1;
                }
                Answer::Sometimes(node, model) => {
                    assert!(count > 0 && count < sets.len(), "{name} sometimes: {text}");
                    let named = inquiry
                        .program()
                        .atoms
                        .ids()
                        .filter(|&a| model[a.0 as usize] && inquiry.program().atoms.get(a).is_some());
                    let set: Set<String> = named.map(|a| renderer.atom(a)).collect();
                    assert!(sets.contains(&set), "{set:?}: {text}");
                    assert_eq!(set.contains(&name), !negative, "{text}");
                    if negative {
                        let lines: Vec<String> = node.children.iter().map(Node::to_text).collect();
                        let different: Set<&String> = lines.iter().collect();
                        assert_eq!(
                            lines.len(),
                            different.len(),
                            "a line twice: {} in\n{text}",
                            node.to_text()
                        );
                        assert!(node.children.iter().all(|c| !c.text.is_empty()), "{}", node.to_text());
                    } else {
                        check_derivation(statements, &node, &set, &text);
                    }
                    sometimes += 1;
                }
                Answer::Here(..) | Answer::NotGiven(_) => panic!("nothing was given: {text}"),
                Answer::Stopped(reason) => panic!("{reason}: {text}"),
            }
        }
    }
    (sometimes, settled)
}

#[test]
fn atoms_of_random_programs() {
    let count = std::env::var("ASP_RANDOM_COUNT").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let start = std::env::var("ASP_RANDOM_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let (mut sometimes, mut settled) = (0, 0);
    for seed in start..start + count {
        println!("seed {seed}");
        let found = check(&random::program(seed));
        (sometimes, settled) = (sometimes + found.0, settled + found.1);
    }
    println!("{sometimes} open, {settled} settled");
    assert!(count < 300 || sometimes > 100 && settled > 100, "{sometimes} open, {settled} settled");
}
