//! Random questions about random programs, against all answer sets of the program.
//!
//! The answer sets come from an enumeration, each checked by the definition, and if there are few atoms they are
//! compared with brute force (`tests/support/library.rs`). A fifth of the questions are asked of the binary, with JSON
//! output and exit codes, the others of `asp_questions`, as every front end does. `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT`
//! set the first seed and the number of questions, `ASP_RANDOM_FAILURES` the number of failures after which it ends. The
//! first seed is printed; failures are shrunk.

use crate::support::generator::{Profile, generate};
use crate::support::hunt::number;
use crate::support::integers::{Kind as IntegerKind, Program as Integers};
use crate::support::library;
use crate::support::outcome::{Mode, Outcome};
use crate::support::spawn;
use crate::support::tree::{Tree, render, shrink, text};
use asp::{Control, Error, Interrupt, Source, StopReason};
use asp_base::rng::Rng;
use asp_base::span::Sources;
use asp_base::symbol::{SymView, Symbols};
use asp_explain::cells;
use asp_program::ground_program::ShowItem;
use asp_program::integers::ByEntry;
use asp_program::{AtomId, AtomTable, Program};
use asp_questions::{Effort, Question, Subject, Verdict, ask};
use asp_solve::{Event, OptMode, SolveOptions};
use asp_syntax::ast::{BodyElement, Head, LiteralKind, StatementKind, TermKind, UnaryOp};
use asp_syntax::{Input, NoFiles};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// Number of questions in every run.
const QUESTIONS: u64 = 500;
/// Counts that are made without enumeration and given up.
static GIVEN_UP: AtomicU64 = AtomicU64::new(0);
/// Number of questions about one program.
const EACH: u64 = 5;
/// The greatest number of answer sets of a program.
const SETS: u64 = 300;
/// The greatest number of instances.
const INSTANCES: u64 = 3000;

/// Walks, however few answer sets there are; and at most some work for exact draws.
const WALKS: Effort = Effort { first: 5_000, work: 0, kept: 1, steps: 200 };
const DRAWS: Effort = Effort { first: 5_000, work: 100_000, kept: 5_000, steps: 100 };

/// Typical sources of errors: cycles, disjunctions in them, edges, terms that look like atoms,
/// external atoms with rules that facts decide, grids beside which other atoms are open.
const EXTRAS: [&str; 30] = [
    "a :- b. b :- a.",
    "a | b.",
    "a | b | c :- not p(1).",
    "p(X) :- q(X). q(X) :- p(X).",
    "a | b. a :- b. b :- a.",
    "{ a; b; c }.",
    "{ p(1..2); q(1..2) }.",
    "#edge (1,2) : a. #edge (2,1) : b. #edge (2,2) : c.",
    "#edge (X,Y) : p(X), q(Y).",
    "#show b : a. #show b/0.",
    "#show t : p(X). #show t : q(X).",
    "#show s(X,Y) : p(X), q(Y). #show -s(X) : p(X), not a.",
    "#show (X,a) : p(X). #show X : q(X), b.",
    "{ q(X) } :- p(X). #show f(X+1) : q(X). #show.",
    "#external x. [free] c :- x.",
    "#external x. [true] x | q(1) :- a. q(1).",
    "#external x. [true] x :- a, not q(1). q(1).",
    "#external x. [free] { x : not q(1) } :- a. { q(1) }.",
    "#external x. [true] x :- a : q(1). q(1).",
    "#external x. [true] x :- y. y : q(2) :- b. q(2). z : not q(2) :- a.",
    "#external x. [true] { x : x; a } >= 1.",
    "#external x. [free] 1 { x : x, b; c }. { b }.",
    "#external x. [true] x :- y, not b. y :- a, not y.",
    "#external x. [true] { x } :- y : p(X). y :- q(X), not y.",
    "r((1..2,1..2),Z) :- q(Z). q(1).",
    "r((1..2,1..2),1..2) :- q(1).",
    "a :- 1 #sum { 1 : b; 1 : c; -1 : p(1) }. b :- a.",
    "{ a; b } 1 :- c. c :- a. c :- p(1).",
    "b :- #count { X : p(X) } > 0. p(1) :- b.",
    ":- not a.",
];

/// A set of shown atoms and terms; terms are marked, so that they are not mistaken for equal atoms.
type Shown = Vec<String>;

/// In which answer sets an atom holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Holds {
    Always,
    Sometimes,
    Never,
}

/// What the library and the binary reply, as far as it is compared.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Reply {
    /// The program is rejected, or too large.
    Rejected(String),
    /// There was no result within the limits.
    Stopped,
    NoAnswerSet,
    /// Answer sets, and whether these are all.
    Sets(Vec<Shown>, bool),
    Number(String),
    /// What is possible.
    Possible(Shown),
    /// What is forced, and the number of open atoms, if known.
    Hints(Vec<String>, Option<usize>),
    Atom(Holds),
    /// There are answer sets.
    Consistent,
    /// The number of statements and facts that contradict each other, and whether each is needed.
    Conflict(usize, bool),
}

/// An answer set: what it shows, and its atoms.
struct AnswerSet {
    shown: BTreeSet<String>,
    atoms: BTreeSet<String>,
}

/// All answer sets of a program.
struct Known {
    sets: Vec<AnswerSet>,
    /// Shown atoms that are not facts.
    atoms: BTreeSet<String>,
    /// The different sets of shown things.
    distinct: BTreeSet<BTreeSet<String>>,
    /// Shown terms that do not look like atoms of the program, which hints take for atoms.
    terms: BTreeSet<String>,
    /// Integer variables that may have several values by their show entries.
    open: BTreeSet<String>,
}

/// The value that a hint `x = 5` tells, as it is shown.
fn value(hint: &str) -> Option<String> {
    let (name, value) = hint.split_once(" = ")?;
    Some(format!("__csp({name},{value}) (term)"))
}

/// Expected and reported things, without the values of variables of which ranges are reported: these must be right.
fn without_ranges(
    mut brave: BTreeSet<String>,
    possible: &Shown,
    by_inference: bool,
) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut reported = BTreeSet::new();
    for text in possible {
        let range = text.split_once(" in ").and_then(|(name, range)| {
            let (least, greatest) = range.split_once("..")?;
            Some((name, least.parse::<i64>().ok()?, greatest.parse::<i64>().ok()?))
        });
        let Some((name, least, greatest)) = range else {
            reported.insert(text.clone());
            continue;
        };
        let before = format!("__csp({name},");
        let value = |term: &String| term.strip_prefix(&before)?.strip_suffix(") (term)")?.parse::<i64>().ok();
        let values: BTreeSet<i64> = brave.iter().filter_map(value).collect();
        brave.retain(|term| value(term).is_none());
        let ends = values.first().copied().zip(values.last().copied());
        let fits = match by_inference {
            true => ends.is_none_or(|(a, b)| least <= a && b <= greatest),
            false => ends == Some((least, greatest)),
        };
        if !fits {
            brave.insert(format!("{name}: {values:?}"));
        }
    }
    (brave, reported)
}

fn name(table: &AtomTable, atom: AtomId, control: &Control) -> String {
    let mut text = String::new();
    table.write(atom, control.symbols(), &mut text);
    text
}

/// All answer sets; `None` if there are too many, or the program is invalid.
fn known(text: &str) -> Option<Known> {
    let mut control = Control::new();
    control.settings.ground.instance_limit = Some(INSTANCES);
    control.settings.ground.keep_facts = true;
    control.add(text);
    control.ground().and_then(|()| control.lower()).ok()?;
    let program = control.program();
    let facts: BTreeSet<String> = program.facts.ids().map(|a| name(&program.facts, a, &control)).collect();
    let names: Vec<Option<String>> = program
        .atoms
        .ids()
        .map(|a| program.atoms.get(a).is_some().then(|| name(&program.atoms, a, &control)))
        .collect();
    let shows: Vec<String> = program
        .shows
        .iter()
        .map(|show| match show.item {
            ShowItem::Atom(atom) => name(&program.atoms, atom, &control),
            ShowItem::Fact(term) => control.symbols().display(term),
            ShowItem::Term(term) | ShowItem::Value(term) | ShowItem::Digit(term) => {
                format!("{} (term)", control.symbols().display(term))
            }
        })
        .collect();
    let open = open_variables(program, &shows);
    let of_atoms = program.shows.iter().zip(&shows).filter(|(s, _)| matches!(s.item, ShowItem::Atom(_)));
    let atoms = of_atoms.map(|(_, text)| text.clone()).collect();
    let mut sets = Vec::new();
    let options = SolveOptions {
        models: Some(SETS + 1),
        opt_mode: OptMode::Ignore,
        threads: 1,
        ..SolveOptions::default()
    };
    let mut handle = control.answers().options(|o| *o = options).start().ok()?;
    while let Ok(Some(event)) = handle.next_event() {
        let Event::Model(_) = event else { continue };
        let answer = handle.answer()?;
        let (program, model) = (answer.program(), answer.model());
        let holds = |c| program.literals(c).iter().all(|&l| model.holds(l));
        let shown = program.shows.iter().zip(&shows).filter(|(s, _)| holds(s.condition));
        // Values are told apart from the atoms that stand for them.
        let mut shown: BTreeSet<String> = shown.map(|(_, text)| text.clone()).collect();
        shown.retain(|text| !["__csp(", "__digit("].iter().any(|name| text.starts_with(name)));
        shown.extend(answer.values().map(|(name, value)| format!("__csp({name},{value}) (term)")));
        let mut atoms = facts.clone();
        let named = names.iter().enumerate().filter(|&(a, _)| model.contains(AtomId(a as u32)));
        atoms.extend(named.filter_map(|(_, name)| name.clone()));
        sets.push(AnswerSet { shown, atoms });
    }
    if !handle.finish().exhausted {
        return None;
    }
    let distinct = sets.iter().map(|s| s.shown.clone()).collect();
    let terms = terms_apart(text, control.program(), control.symbols());
    Some(Known { sets, atoms, distinct, terms, open })
}

/// The shown terms without those that a statement writes as an atom of the program would be written.
fn terms_apart(text: &str, program: &Program, symbols: &Symbols) -> BTreeSet<String> {
    let taken = shown_as_predicates(text);
    let shown = program.shows.iter().filter_map(|show| match show.item {
        ShowItem::Term(term) => Some(symbols.display(term)),
        _ => None,
    });
    let apart = |term: &String| {
        let name = term.trim_start_matches('-').split('(').next().unwrap_or_default();
        !taken.contains(name)
    };
    shown.filter(apart).collect()
}

/// The names of the terms in `#show` statements that are those of predicates that the program mentions.
fn shown_as_predicates(text: &str) -> BTreeSet<String> {
    let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
    let input = Input::new("input", text);
    let program = asp_syntax::parse(vec![input], &mut symbols, &mut sources, &mut NoFiles).program;
    let (mut names, mut shown) = (BTreeSet::new(), BTreeSet::new());
    for fact in &program.facts {
        if let SymView::Fun { name, .. } = symbols.view(fact.atom) {
            names.insert(name);
        }
    }
    for statement in &program.statements {
        let parts = statement.kind.parts();
        let derived = parts.head.into_iter().flat_map(|head| {
            head.derived().flat_map(|(literal, condition)| std::iter::once(literal).chain(condition))
        });
        let others = parts.head.into_iter().flat_map(Head::conditions);
        for literal in derived.chain(others).chain(parts.body.iter().flat_map(BodyElement::literals)) {
            if let LiteralKind::Atom(atom) = &literal.kind {
                names.insert(atom.name);
            }
        }
        names.extend(parts.atom.map(|atom| atom.name));
        if let StatementKind::ShowSignature(of) | StatementKind::ProjectSignature(of) = &statement.kind {
            names.insert(of.name);
        }
        if let StatementKind::ShowTerm { term, .. } = &statement.kind {
            let inner = if let TermKind::Unary(UnaryOp::Minus, inner) = &term.kind { inner } else { term };
            if let TermKind::Function { name, .. } = inner.kind {
                shown.insert(name);
            }
        }
    }
    names.intersection(&shown).map(|&name| symbols.str(name).to_owned()).collect()
}

/// Integer variables with several entries.
fn open_variables(program: &Program, shows: &[String]) -> BTreeSet<String> {
    let mut open = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for (text, show) in shows.iter().zip(&program.shows) {
        let inner =
            text.strip_prefix("__csp(").or(text.strip_prefix("__digit(")).and_then(|t| t.rsplit_once(','));
        let Some((name, _)) = inner else { continue };
        if text.starts_with("__digit(") || !program.literals(show.condition).is_empty() && !seen.insert(name)
        {
            open.insert(name.to_owned());
        }
    }
    open
}

fn set(shown: &Shown) -> BTreeSet<String> {
    shown.iter().cloned().collect()
}

fn distance(a: &BTreeSet<String>, b: &BTreeSet<String>) -> usize {
    a.symmetric_difference(b).count()
}

impl Known {
    /// What is wrong with a reply.
    fn wrong(&self, question: &Question, reply: &Reply) -> Option<String> {
        let none = self.sets.is_empty();
        let fits = match (question, reply) {
            // Domains have been narrowed by constraints, for good.
            (Question::WhyUnsat, Reply::Rejected(why)) if why.contains("cannot be told") => none,
            // Wide domains that are searched, but that these questions would need as clauses.
            (_, Reply::Rejected(why))
                if (none || !self.open.is_empty()) && why.contains("cannot be solved") =>
            {
                GIVEN_UP.fetch_add(1, Ordering::Relaxed);
                true
            }
            (_, Reply::Rejected(_)) => false,
            (Question::Count { effort, .. }, Reply::Stopped) if effort.first == 1 => {
                GIVEN_UP.fetch_add(1, Ordering::Relaxed);
                true
            }
            (_, Reply::Stopped) => matches!(question, Question::Sample { .. }),
            (Question::Unique, Reply::Sets(found, all)) => {
                let wanted = self.distinct.len();
                found.len() == wanted.min(2)
                    && (*all == (wanted < 2) || wanted == 2)
                    && self.are_distinct(found)
            }
            (Question::Count { project, .. }, Reply::Number(n)) => {
                *n == if *project { self.distinct.len() } else { self.sets.len() }.to_string()
            }
            (Question::Sample { number, .. }, Reply::Sets(found, _)) => {
                found.len() as u64 == *number && found.iter().all(|s| self.distinct.contains(&set(s)))
            }
            (Question::Diverse(number), Reply::Sets(found, all)) => {
                self.is_diverse(found, *number as usize, *all)
            }
            (Question::Candidates { by_inference }, Reply::Possible(possible)) => {
                let brave: BTreeSet<String> = self.distinct.iter().flatten().cloned().collect();
                let (brave, possible) = without_ranges(brave, possible, *by_inference);
                if *by_inference { brave.is_subset(&possible) } else { brave == possible && !none }
            }
            (Question::Hint(_), Reply::Hints(forced, open)) => {
                let values: Vec<String> = forced.iter().filter_map(|hint| value(hint)).collect();
                let certain = |term: &&String| self.distinct.iter().all(|s| s.contains(*term));
                // What the domains tell is no hint.
                if values.iter().any(|term| !certain(&term)) || self.misses_values(&values) {
                    return Some(format!("-- {question:?}: {reply:?}, {:?}\n", self.distinct));
                }
                let forced: Vec<&String> = forced.iter().filter(|hint| value(hint).is_none()).collect();
                let mark = |term: &String| format!("{term} (term)");
                let atom = |s: &AnswerSet, a: &String| s.atoms.contains(a);
                let term = |s: &AnswerSet, t: &String| self.terms.contains(t) && s.shown.contains(&mark(t));
                let varies = |a: &String, holds: &dyn Fn(&AnswerSet, &String) -> bool| {
                    let number = self.sets.iter().filter(|s| holds(s, a)).count();
                    number > 0 && number < self.sets.len()
                };
                let undecided = self.atoms.iter().filter(|a| varies(a, &atom)).count()
                    + self.terms.iter().filter(|t| varies(t, &term)).count();
                // What is told may be an atom or a term.
                let always = |a: &&String| self.sets.iter().all(|s| atom(s, a) || term(s, a));
                let never = |a: &&String| self.sets.iter().all(|s| !atom(s, a) && !term(s, a));
                let is_right = |hint: &String| match hint.strip_prefix("not ") {
                    Some(atom) => never(&&atom.to_owned()),
                    None => always(&hint),
                };
                !none && forced.into_iter().all(is_right) && *open == Some(undecided)
            }
            (Question::WhyUnsat, Reply::Consistent) => !none,
            (Question::WhyUnsat, Reply::Conflict(..)) => none,
            (Question::Why(atom) | Question::WhyNot(atom), Reply::Atom(holds)) => {
                let number = self.sets.iter().filter(|s| s.atoms.contains(atom)).count();
                let expected = match number {
                    0 => Holds::Never,
                    n if n == self.sets.len() => Holds::Always,
                    _ => Holds::Sometimes,
                };
                !none && *holds == expected
            }
            (_, Reply::NoAnswerSet) => none,
            _ => false,
        };
        (!fits).then(|| {
            let sets: Vec<String> = self.sets.iter().take(20).map(|s| format!("  {:?}", s.shown)).collect();
            format!("-- {question:?}: {reply:?}\n-- {} answer sets\n{}\n", self.sets.len(), sets.join("\n"))
        })
    }

    /// Whether a value that is the same in all answer sets, where the variable may have others by its atoms, is none of these.
    fn misses_values(&self, values: &[String]) -> bool {
        let Some(first) = self.distinct.first() else { return false };
        let same =
            first.iter().filter(|t| t.starts_with("__csp(") && self.distinct.iter().all(|s| s.contains(*t)));
        let open =
            same.filter(|term| self.open.iter().any(|name| term.starts_with(&format!("__csp({name},"))));
        open.into_iter().any(|term| !values.contains(term))
    }

    fn are_distinct(&self, found: &[Shown]) -> bool {
        let sets: BTreeSet<BTreeSet<String>> = found.iter().map(set).collect();
        sets.len() == found.len() && sets.is_subset(&self.distinct)
    }

    /// Whether each is as far from the previous ones as possible.
    fn is_diverse(&self, found: &[Shown], number: usize, all: bool) -> bool {
        let sets: Vec<BTreeSet<String>> = found.iter().map(set).collect();
        let far = |i: usize| {
            let nearest = |s: &BTreeSet<String>| sets[..i].iter().map(|b| distance(s, b)).min();
            nearest(&sets[i]) == self.distinct.iter().filter_map(nearest).max()
        };
        let complete = found.len() == number.min(self.distinct.len());
        self.are_distinct(found) && complete && all == (found.len() < number) && (1..sets.len()).all(far)
    }
}

fn question(rng: &mut Rng, known: &Known) -> Question {
    let project = rng.chance(0.5);
    match rng.below(14) {
        0 => Question::Unique,
        1 | 2 => Question::Count { project, effort: Effort { first: 1, ..Effort::default() } },
        3 => Question::Count { project, effort: Effort::default() },
        4 => Question::Sample { project, number: 3, seed: rng.next_u64(), effort: WALKS },
        5 => Question::Sample { project, number: 3, seed: rng.next_u64(), effort: DRAWS },
        6 | 7 => Question::Diverse(1 + rng.below(4)),
        8 => Question::Candidates { by_inference: false },
        9 => Question::Candidates { by_inference: true },
        10 | 11 => Question::Hint(0),
        12 if rng.chance(0.5) || known.sets.is_empty() => Question::WhyUnsat,
        _ => {
            let mut atoms: Vec<&String> =
                known.sets.iter().flat_map(|s| &s.atoms).chain(&known.atoms).collect();
            atoms.sort_unstable();
            atoms.dedup();
            let atom = match atoms.len() {
                0 => "a".to_owned(),
                n => atoms[rng.below(n as u64) as usize].clone(),
            };
            if rng.chance(0.5) { Question::WhyNot(atom) } else { Question::Why(atom) }
        }
    }
}

/// The subcommand that asks a question, if it answers with JSON, a number or its exit code.
fn subcommand(question: &Question) -> Option<Vec<&str>> {
    Some(match question {
        Question::Unique => vec!["unique", "-q"],
        Question::Count { project: false, .. } => vec!["count", "-q"],
        Question::Count { project: true, .. } => vec!["count", "-q", "--project"],
        Question::Hint(_) => vec!["hint", "-q", "-n", "0", "--format=json"],
        Question::WhyUnsat => vec!["why-unsat", "-q", "--format=json"],
        Question::Why(atom) => vec!["why", "-q", "--format=json", "--", atom],
        Question::WhyNot(atom) => vec!["why-not", "-q", "--format=json", "--", atom],
        _ => return None,
    })
}

/// The reply of the binary; the error is one that contradicts its exit code.
fn binary(program: &str, question: &Question) -> Option<Result<Reply, String>> {
    let arguments = subcommand(question)?;
    let run = spawn::run(&arguments, program);
    let told = || format!("{arguments:?}: exit code {:?}\n{}{}", run.code, run.stdout, run.stderr);
    if run.stdout.contains("__digit") || run.stderr.contains("__digit") {
        return Some(Err(told()));
    }
    if run.code == Some(65) {
        return Some(Ok(Reply::Rejected(run.stderr)));
    }
    let json = || serde_json::from_str::<Value>(&run.stdout).map_err(|_| told());
    Some((|| {
        let (code, reply) = match question {
            Question::Unique => match run.code {
                Some(0) => return Ok(Reply::Sets(vec![Vec::new()], true)),
                Some(1) => return Ok(Reply::Sets(vec![Vec::new(); 2], false)),
                _ => (20, Reply::NoAnswerSet),
            },
            Question::Count { .. } => {
                let number = run.stdout.trim_end().to_owned();
                (if number == "0" { 20 } else { 0 }, Reply::Number(number))
            }
            Question::Hint(_) => {
                let reply = of_json(question, &json()?).ok_or_else(told)?;
                let code = match &reply {
                    Reply::NoAnswerSet => 20,
                    Reply::Hints(forced, _) => i32::from(forced.is_empty()),
                    _ => 0,
                };
                (code, reply)
            }
            Question::WhyUnsat => {
                let reply = of_json(question, &json()?).ok_or_else(told)?;
                (i32::from(reply == Reply::Consistent), reply)
            }
            _ => {
                let not = matches!(question, Question::WhyNot(_));
                match json()?["holds"].as_str() {
                    Some("always") => (i32::from(not), Reply::Atom(Holds::Always)),
                    Some("sometimes") => (0, Reply::Atom(Holds::Sometimes)),
                    Some("never") => (i32::from(!not), Reply::Atom(Holds::Never)),
                    Some("unknown") => (3, Reply::Atom(Holds::Never)),
                    Some("no answer set") => (20, Reply::NoAnswerSet),
                    _ => return Err(told()),
                }
            }
        };
        if run.code == Some(code) { Ok(reply) } else { Err(told()) }
    })())
}

/// A reply as JSON, where all front ends have the same.
fn of_json(question: &Question, json: &Value) -> Option<Reply> {
    Some(match question {
        Question::Hint(_) => {
            let open = json["open"].as_u64().map(|n| n as usize);
            let name = |hint: &Value| {
                let not = if hint["holds"] == false { "not " } else { "" };
                format!("{not}{}", hint["atom"].as_str().unwrap_or("?"))
            };
            let forced: Vec<String> = json["hints"].as_array()?.iter().map(name).collect();
            match (forced.is_empty(), open) {
                (true, None) => Reply::NoAnswerSet,
                _ => Reply::Hints(forced, open),
            }
        }
        Question::WhyUnsat => match json["satisfiable"].as_bool()? {
            true => Reply::Consistent,
            false => Reply::Conflict(json["parts"].as_array().map_or(0, Vec::len), json["minimal"] == true),
        },
        _ => match json["holds"].as_str()? {
            "always" => Reply::Atom(Holds::Always),
            "sometimes" => Reply::Atom(Holds::Sometimes),
            "never" | "unknown" => Reply::Atom(Holds::Never),
            "no answer set" => Reply::NoAnswerSet,
            _ => return None,
        },
    })
}

/// What a reply's control shows by entry. With values that have digits, or without, as where a set is that of several answer sets.
fn names(control: &Control, shown: &[bool], with_values: bool) -> Shown {
    let (program, symbols) = (control.program(), control.symbols());
    let holding = program.shows.iter().zip(shown).filter(|(_, shown)| **shown);
    let mut names: BTreeSet<String> = holding
        .filter_map(|(show, _)| {
            let text = cells::text(show.item, program, symbols);
            match show.item {
                ShowItem::Atom(_) | ShowItem::Fact(_) => Some(text),
                ShowItem::Term(_) | ShowItem::Value(_) => Some(format!("{text} (term)")),
                ShowItem::Digit(_) => None,
            }
        })
        .collect();
    if with_values {
        let terms = ByEntry::new(program, symbols).terms(shown);
        names.extend(terms.into_iter().map(|value| format!("{value} (term)")));
    }
    names.into_iter().collect()
}

/// The reply of the library, as all front ends ask it.
fn of_library(program: &str, question: &Question, interrupt: &Interrupt) -> Reply {
    let texts = [Source::new("input", program)];
    let subject = Subject {
        texts: &texts,
        empty: &|| Control::with_interrupt(interrupt.clone()),
        ground: &Control::ground,
        optimal: false,
    };
    let reply = match ask(&subject, question) {
        Ok(reply) => reply,
        Err(failure) => {
            return match failure.0 {
                Error::Stopped(_) => Reply::Stopped,
                error => Reply::Rejected(error.summary()),
            };
        }
    };
    let sets = |all| match &reply.control {
        Some(control) => Reply::Sets(reply.sets.iter().map(|s| names(control, s, true)).collect(), all),
        None => Reply::Rejected("no control".into()),
    };
    match question {
        Question::Count { .. } => Reply::Number(reply.verdict.to_string()),
        _ if reply.verdict == Verdict::NoAnswerSet => Reply::NoAnswerSet,
        Question::Unique => sets(reply.verdict == Verdict::Unique),
        Question::Sample { .. } if reply.verdict == Verdict::Refused => Reply::Stopped,
        Question::Sample { .. } => sets(false),
        Question::Diverse(_) => sets(reply.verdict == Verdict::All),
        Question::Candidates { .. } => {
            let (Some(control), [shown]) = (&reply.control, &reply.sets[..]) else {
                return Reply::Rejected("no set".into());
            };
            let mut possible = names(control, shown, false);
            let variables = control.program().integers.variables.iter().zip(&reply.ranges);
            possible.extend(variables.filter_map(|(known, range)| {
                let (least, greatest) = (*range)?;
                Some(format!("{} in {least}..{greatest}", control.symbols().display(known.name)))
            }));
            Reply::Possible(possible)
        }
        _ => of_json(question, &reply.json).unwrap_or(Reply::Rejected("other JSON".into())),
    }
}

/// What is wrong with the reply to a question about a program: of the library, or if it is so asked, of the binary.
fn failure(program: &str, known: &Known, question: &Question, of_binary: bool) -> Option<String> {
    match of_binary.then(|| binary(program, question)).flatten() {
        // It prints the answer sets of `unique` for readers; only their number is compared.
        Some(Ok(Reply::Sets(sets, _))) => {
            return (sets.len() != known.distinct.len().min(2))
                .then(|| format!("-- {} of {question:?}\n", sets.len()));
        }
        Some(Ok(reply)) => return known.wrong(question, &reply),
        Some(Err(message)) => return Some(format!("-- {message}\n")),
        None => {}
    }
    let interrupt = Interrupt::new();
    let (done, wait) = mpsc::channel::<()>();
    let flag = interrupt.clone();
    let watch = std::thread::spawn(move || {
        if wait.recv_timeout(Duration::from_secs(20)) == Err(mpsc::RecvTimeoutError::Timeout) {
            flag.stop(StopReason::TimeLimit);
        }
    });
    let reply = catch_unwind(AssertUnwindSafe(|| of_library(program, question, &interrupt)));
    drop(done);
    let _ = watch.join();
    match reply {
        Ok(reply) => known.wrong(question, &reply),
        Err(_) => Some(format!("-- {question:?}: PANIC\n")),
    }
}

/// Whether the program of a seed has constraints over integers.
fn has_integers(seed: u64) -> bool {
    seed % 5 == 4
}

/// The program of a seed with constraints over integers.
fn integers(seed: u64) -> Integers {
    Integers::random(seed, if seed.is_multiple_of(2) { IntegerKind::Small } else { IntegerKind::Wide })
}

/// The statements of a seed.
fn statements(seed: u64) -> Vec<Tree> {
    if has_integers(seed) {
        let all = integers(seed).text;
        let base = all.split("#program").next().unwrap_or_default();
        return base.lines().filter(|l| !l.is_empty()).map(text).collect();
    }
    let profiles = [Profile::basic(), Profile::aggregates(), Profile::disjunctive(), Profile::all()];
    let mut rng = Rng::new(seed);
    let mut statements = match rng.chance(0.7) {
        true => generate(&profiles[rng.below(4) as usize], seed).statements,
        false => Vec::new(),
    };
    let extras = rng.below(if statements.is_empty() { 7 } else { 4 });
    statements.extend((0..extras).map(|_| text(EXTRAS[rng.below(EXTRAS.len() as u64) as usize])));
    statements
}

#[test]
fn questions_about_random_programs() {
    let first = number("ASP_RANDOM_SEED", 0);
    let count = number("ASP_RANDOM_COUNT", QUESTIONS);
    let _ = writeln!(std::io::stderr(), "{count} questions from seed {first}");
    let (mut asked, mut by_binary, mut of_integers, mut failures, mut seed) = (0, 0, 0, 0, first);
    while asked < count && failures < number("ASP_RANDOM_FAILURES", 5) {
        seed += 1;
        let statements = statements(seed - 1);
        let program = render(&statements);
        let Some(all) = known(&program) else { continue };
        if has_integers(seed - 1)
            && let Some(answers) = integers(seed - 1).all(0, SETS as usize)
        {
            assert_eq!(all.sets.len(), answers.len(), "seed {}\n{program}", seed - 1);
            of_integers += EACH;
        }
        if let Outcome::Rejected(message) = library::solve(&program, Mode::OptIgnore, SETS as usize) {
            panic!("seed {}: {message}\n{program}", seed - 1);
        }
        let mut rng = Rng::new(seed);
        for _ in 0..EACH {
            let question = question(&mut rng, &all);
            let of_binary = rng.chance(0.2);
            asked += 1;
            by_binary += u64::from(of_binary && subcommand(&question).is_some());
            let Some(found) = failure(&program, &all, &question, of_binary) else { continue };
            let fails = |s: &[Tree]| {
                let program = render(s);
                known(&program).and_then(|all| failure(&program, &all, &question, of_binary))
            };
            let small = shrink(statements.clone(), 500, &mut |s| fails(s).is_some());
            let found = fails(&small).unwrap_or(found);
            let _ = writeln!(std::io::stderr(), "== seed {}\n{}{found}", seed - 1, render(&small));
            failures += 1;
            break;
        }
    }
    assert_eq!(failures, 0, "wrong replies, see above");
    let given_up = GIVEN_UP.load(Ordering::Relaxed);
    assert!(given_up <= 4 + asked / 200, "{given_up} of {asked} questions are given up");
    let _ = writeln!(
        std::io::stderr(),
        "{asked} questions, {by_binary} of them asked of the binary, {of_integers} about integers, {given_up} given up"
    );
    assert!(of_integers > 0);
    assert!(asked >= count && by_binary * 12 >= count.saturating_sub(100));
}

/// Whatever is asked, values are told as numbers: nothing is said of the binary digits that variables have inside.
#[test]
fn no_question_is_answered_with_digits() {
    let first = number("ASP_RANDOM_SEED", 0);
    for seed in first..first + number("ASP_RANDOM_COUNT", 60) / 10 {
        let program = Integers::random(seed, IntegerKind::Wide).text;
        let base = program.split("#program").next().unwrap_or_default();
        for question in [
            "candidates -q",
            "candidates -q --by-inference",
            "hint -q -n 0",
            "unique -q",
            "diverse -q -n 3",
            "sample -q -n 3",
            "count -q",
            "cost -q",
            "cost -q --format=json",
            "why-cost -q",
            "why-unsat -q",
            "why -q a",
            "why-not -q a",
            "--enum-mode=brave",
            "--enum-mode=cautious --outf=2",
            "--enum-mode=query --outf=jsonl",
            "--outf=csv",
            "--text",
            "--stats=2",
        ] {
            let arguments: Vec<&str> = question.split(' ').chain(["--time-limit=5"]).collect();
            let run = spawn::run(&arguments, base);
            let told = format!("{question}: exit code {:?}\n{base}{}{}", run.code, run.stdout, run.stderr);
            assert!(
                !told.contains("__digit") && !told.contains("a part of the value"),
                "seed {seed}, {told}"
            );
            assert!(
                !told.contains("panicked") && run.code.is_some_and(|code| code < 66),
                "seed {seed}, {told}"
            );
        }
    }
}
