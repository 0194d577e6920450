//! What is claimed, and what is certified of it.
//!
//! A claim that is more than "these are some answer sets" says that nothing else exists: the formula has a constraint that
//! demands something else, and the steps show that this is impossible. Of optimal answer sets, what is demanded is something
//! else at the same costs or, if the literal `o1` holds, lower costs. Invariant: the sentence says no more than what was
//! checked.

use std::collections::{BTreeMap, BTreeSet};

use crate::aspif::{Literal, Program};
use crate::axioms::Axioms;
use crate::constraint::{Constraint, Lit, Name};
use crate::{Checked, Files, reject, stable, steps};

/// What is claimed of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// These are answer sets.
    Some,
    /// There are no others.
    All,
    /// No others show anything else.
    Shown,
    /// No others have other values of what is projected on.
    Projected,
    /// It is one, and none costs less.
    Optimum,
    /// What all of them show is what all answer sets show.
    Cautious,
    /// What one of them shows is what some answer set shows.
    Brave,
}

/// An answer set: the atoms that hold, in order.
type Model = Vec<u32>;

/// A claim with its answer sets.
struct Claim {
    kind: Kind,
    /// Whether only optimal answer sets count.
    optimal: bool,
    atoms: u32,
    models: Vec<Model>,
}

impl Claim {
    /// Reads a claim about a program that has at most so many atoms.
    fn parse(bytes: &[u8], most: usize) -> Checked<Claim> {
        let Ok(text) = std::str::from_utf8(bytes) else { return reject("the claim is not UTF-8") };
        let mut lines = text.lines();
        if lines.next() != Some("asp-proof 1") {
            return reject("the claim does not begin with `asp-proof 1`");
        }
        let claimed = lines.next().and_then(|line| line.strip_prefix("claim ")).unwrap_or_default();
        let (optimal, kind) = match claimed.strip_prefix("optimal ") {
            Some(kind) => (true, kind),
            None => (false, claimed),
        };
        let kind = match kind {
            "some" if !optimal => Kind::Some,
            "all" => Kind::All,
            "shown" => Kind::Shown,
            "projected" => Kind::Projected,
            "optimum" if !optimal => Kind::Optimum,
            "cautious" => Kind::Cautious,
            "brave" => Kind::Brave,
            _ => return reject("the claim is of an unknown kind"),
        };
        let count = lines.next().and_then(|line| line.strip_prefix("atoms "));
        let Some(atoms) = count.and_then(|n| n.parse::<u32>().ok()) else {
            return reject("the claim does not say how many atoms there are");
        };
        if atoms as usize > most {
            return reject("the claim has more atoms than the program and the formula");
        }
        let mut models = Vec::new();
        for line in lines {
            let mut words = line.split_ascii_whitespace();
            if words.next() != Some("model") {
                return reject("a line of the claim is no model");
            }
            let mut model = Model::new();
            for word in words {
                match word.parse::<u32>() {
                    Ok(atom) if atom > 0 && atom <= atoms => model.push(atom),
                    _ => return reject(format!("`{word}` is no atom")),
                }
            }
            model.sort_unstable();
            model.dedup();
            models.push(model);
        }
        Ok(Claim { kind, optimal, atoms, models })
    }
}

fn holds(model: &Model, literal: Literal) -> bool {
    model.binary_search(&literal.unsigned_abs()).is_ok() == (literal > 0)
}

/// Checks all files of a proof; returns what is certified.
pub fn check(files: &Files) -> Checked<String> {
    let program = Program::parse(&files.program)?;
    // Each atom is named by the program, or the formula says that it does not hold.
    let claim = Claim::parse(&files.claim, files.program.len() + files.formula.len())?;
    let mut axioms = Axioms::new(&program, claim.atoms)?;
    for model in &claim.models {
        let mut set = vec![false; claim.atoms as usize + 1];
        model.iter().for_each(|&atom| set[atom as usize] = true);
        stable::check(&program, &set)?;
    }
    let formula = formula(files, &claim, &program, &mut axioms)?;
    let refuted = steps::check(&files.steps, formula, &mut axioms.names)?;
    if !refuted && claim.kind != Kind::Some {
        return reject("the steps do not show that there is nothing else");
    }
    sentence(&program, &claim)
}

/// The constraints of the formula: the axioms, what the claim excludes, and what follows from unfounded sets.
fn formula(
    files: &Files,
    claim: &Claim,
    program: &Program,
    axioms: &mut Axioms<'_>,
) -> Checked<Vec<Constraint>> {
    let mut expected = std::mem::take(&mut axioms.completion);
    for constraint in demands(claim, program, axioms)? {
        if !constraint.is_trivial() {
            expected.push(constraint);
        }
    }
    let (Ok(text), Ok(sets)) = (std::str::from_utf8(&files.formula), std::str::from_utf8(&files.witnesses))
    else {
        return reject("the formula or the witnesses are not UTF-8");
    };
    let mut formula = Vec::new();
    let mut sets = sets.lines();
    for line in text.lines().filter(|line| !line.starts_with('*')) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Some((&";", words)) = words.split_last() else {
            return reject("a line of the formula does not end in `;`");
        };
        let constraint = Constraint::parse(words.iter().copied(), &axioms.names)?;
        let number = formula.len() + 1;
        match expected.get(formula.len()) {
            Some(axiom) if *axiom == constraint => {}
            Some(_) => {
                return reject(format!("constraint {number} is not what the program and the claim mean"));
            }
            None => {
                let Some(set) = sets.next() else {
                    return reject(format!("constraint {number} has no witness"));
                };
                fn numbers<T: std::str::FromStr>(text: &str) -> Checked<Vec<T>> {
                    let numbers = text.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
                    let numbers: Option<Vec<T>> = numbers;
                    numbers.map_or_else(|| reject("a witness is no list of numbers"), Ok)
                }
                match set.strip_prefix("edges ") {
                    Some(edges) => axioms.check_cycle(&numbers(edges)?, &constraint)?,
                    None => axioms.check_loop(&numbers(set)?, &constraint)?,
                }
            }
        }
        formula.push(constraint);
    }
    if formula.len() < expected.len() || sets.next().is_some() {
        return reject("the formula is incomplete");
    }
    Ok(formula)
}

/// What there would have to be besides if the claim were wrong.
fn demands(claim: &Claim, program: &Program, axioms: &mut Axioms<'_>) -> Checked<Vec<Constraint>> {
    let models = &claim.models;
    let mut demands = Vec::new();
    let cheaper = claim.optimal.then(|| Lit::new(axioms.names.var(Name::Cheaper), false));
    if claim.optimal || claim.kind == Kind::Optimum {
        demands.push(costs_less(program, models, cheaper, axioms)?);
    }
    demands.extend(match claim.kind {
        Kind::Some | Kind::Optimum => Vec::new(),
        Kind::All => {
            let mut other = |model: &Model| {
                let literals = (1..=claim.atoms as Literal).map(|a| if holds(model, a) { -a } else { a });
                Constraint::clause(literals.map(|l| axioms.literal(l)).chain(cheaper))
            };
            models.iter().map(&mut other).collect::<Checked<_>>()?
        }
        Kind::Shown | Kind::Projected => {
            let shown = distinguishing(program, claim.kind)?;
            let mut other = |model: &Model| {
                let literals: BTreeSet<Literal> =
                    shown.iter().map(|&l| if holds(model, l) { -l } else { l }).collect();
                Constraint::clause(literals.into_iter().map(|l| axioms.literal(l)).chain(cheaper))
            };
            models.iter().map(&mut other).collect::<Checked<_>>()?
        }
        Kind::Cautious | Kind::Brave => {
            if models.is_empty() {
                return reject("consequences need answer sets");
            }
            let literals: BTreeSet<Literal> = conditions(program)?
                .into_iter()
                .filter(|&l| match claim.kind {
                    Kind::Cautious => models.iter().all(|m| holds(m, l)),
                    _ => !models.iter().any(|m| holds(m, l)),
                })
                .map(|l| if claim.kind == Kind::Cautious { -l } else { l })
                .collect();
            vec![Constraint::clause(literals.into_iter().map(|l| axioms.literal(l)).chain(cheaper))?]
        }
    });
    Ok(demands)
}

/// The costs are at most those of the answer sets, which all cost the same; less if the literal holds, or if there is none.
fn costs_less(
    program: &Program,
    models: &[Model],
    cheaper: Option<Lit>,
    axioms: &mut Axioms<'_>,
) -> Checked<Constraint> {
    let terms = weighted(program)?;
    // The sum of all weights fits, so that those that hold do, too.
    let cost = |m: &Model| terms.iter().filter(|t| holds(m, t.0)).map(|t| t.1).sum::<i128>();
    let costs: BTreeSet<i128> = models.iter().map(cost).collect();
    let (Some(&cost), 1) = (costs.first(), costs.len()) else {
        return reject("there is no optimal answer set, or two have different costs");
    };
    let saved = terms.iter().map(|&(l, w)| (-w, axioms.literal(l)));
    Constraint::new(saved.chain(cheaper.map(|l| (-1, l))).collect(), i128::from(cheaper.is_none()) - cost)
}

/// The literals that tell results apart.
fn distinguishing(program: &Program, kind: Kind) -> Checked<Vec<Literal>> {
    if kind != Kind::Projected {
        return conditions(program);
    }
    match &program.projected {
        Some(atoms) => Ok(atoms.iter().map(|&a| a as Literal).collect()),
        None => reject("the program does not say what is projected on"),
    }
}

/// The literals under which something is shown, apart from what is always shown.
fn conditions(program: &Program) -> Checked<Vec<Literal>> {
    let mut texts = BTreeMap::new();
    let mut literals = Vec::new();
    for show in &program.shows {
        if *texts.entry(&show.text).or_insert(&show.condition) != &show.condition {
            return reject(format!("`{}` is shown under several conditions", show.text));
        }
        match *show.condition.as_slice() {
            [] => {}
            [literal] => literals.push(literal),
            _ => return reject(format!("`{}` is shown under several conditions", show.text)),
        }
    }
    Ok(literals)
}

/// The costs as one sum: a level counts more than all levels below it together.
fn weighted(program: &Program) -> Checked<Vec<(Literal, i128)>> {
    let large = || reject("the costs of all levels together exceed 128 bits");
    let (mut terms, mut factor, mut total) = (Vec::new(), 1i128, 0i128);
    for level in program.costs.values() {
        for &(literal, weight) in level {
            let Some(weight) = weight.checked_mul(factor) else { return large() };
            let Some(sum) = weight.checked_abs().and_then(|w| total.checked_add(w)) else { return large() };
            total = sum;
            terms.push((literal, weight));
        }
        let Some(next) = total.checked_add(1) else { return large() };
        factor = next;
    }
    Ok(terms)
}

/// The costs of an answer set, the most important level first.
fn costs(program: &Program, model: &Model) -> String {
    let level = |terms: &Vec<(Literal, i128)>| {
        terms.iter().filter(|t| holds(model, t.0)).map(|t| t.1).sum::<i128>().to_string()
    };
    program.costs.values().rev().map(level).collect::<Vec<_>>().join(" ")
}

/// What was certified.
fn sentence(program: &Program, claim: &Claim) -> Checked<String> {
    let models = &claim.models;
    let different: BTreeSet<&Model> = models.iter().collect();
    if different.len() != models.len() {
        return reject("an answer set is listed twice");
    }
    if matches!(claim.kind, Kind::Shown | Kind::Projected) {
        let distinguishing = distinguishing(program, claim.kind)?;
        let result = |m: &Model| distinguishing.iter().map(|&l| holds(m, l)).collect();
        let results: BTreeSet<Vec<bool>> = models.iter().map(result).collect();
        if results.len() != models.len() {
            return reject("two answer sets show the same");
        }
    }
    let first = models.first().unwrap_or(const { &Model::new() });
    // The answer sets that the claim is about.
    let (set, costs) = match claim.optimal {
        false => ("answer set", String::new()),
        true => ("optimal answer set", format!(", with costs {}", self::costs(program, first))),
    };
    let comma = if claim.optimal { "," } else { "" };
    let what = match (claim.kind, models.len()) {
        (Kind::Some, 0) => return reject("nothing is claimed"),
        (Kind::Some, 1) => "the ground program has an answer set; others were not looked for".to_string(),
        (Kind::Some, n) => format!("the ground program has at least {n} answer sets"),
        (Kind::All | Kind::Shown | Kind::Projected, 0) => "the ground program has no answer set".to_string(),
        (Kind::All, 1) => format!("the ground program has exactly one {set}{costs}"),
        (Kind::All, n) => format!("the ground program has exactly {n} {set}s{costs}"),
        (Kind::Shown, 1) => format!("the ground program has an {set}{costs}, and all of them show the same"),
        (Kind::Shown, n) => {
            format!(
                "what the {set}s of the ground program{costs}{comma} show are exactly {n} different results"
            )
        }
        (Kind::Projected, 1) => {
            format!("all {set}s of the ground program{costs}{comma} have the same projection")
        }
        (Kind::Projected, n) => {
            format!("the {set}s of the ground program{costs}{comma} have exactly {n} different projections")
        }
        (Kind::Optimum, _) => {
            let costs = self::costs(program, first);
            format!("the ground program has an answer set with costs {costs}, and none with lower costs")
        }
        (Kind::Cautious | Kind::Brave, _) => {
            let held = |literal: Option<&Literal>| {
                literal.is_none_or(|&l| match claim.kind {
                    Kind::Cautious => models.iter().all(|m| holds(m, l)),
                    _ => models.iter().any(|m| holds(m, l)),
                })
            };
            let mut texts: Vec<&str> =
                program.shows.iter().filter(|s| held(s.condition.first())).map(|s| s.text.as_str()).collect();
            let mut known = BTreeSet::new();
            texts.retain(|&text| known.insert(text));
            let all = if claim.kind == Kind::Cautious { "all" } else { "some" };
            let texts = texts.join(" ");
            let this =
                if texts.is_empty() { "nothing".to_string() } else { format!("exactly this:\n{texts}\n") };
            format!("the ground program has {set}s{costs}, and what {all} of them show is {this}")
        }
    };
    let gap = if what.ends_with('\n') { "" } else { ". " };
    Ok(format!("Certified: {what}{gap}Grounding is not covered: see whether program.aspif is what you mean."))
}
