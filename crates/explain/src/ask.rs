//! The questions as functions of a program's text, for random tests and fuzzing.
//!
//! Invariant: a reply is what the corresponding subcommand finds out, as plain data; shown terms are marked, so that
//! they are not mistaken for equal atoms.

use super::conflict::{self, Explained};
use super::count::sample::{self, Drawn, Effort};
use super::hint::{self, End};
use super::inquiry::Inquiry;
use super::inquiry::relaxed_facts::Which;
use super::why::{self, Answer, Asked};
use super::words::Words;
use super::{atom, cells, count, diverse, things};
use asp_base::interrupt::{Interrupt, StopReason};
use asp_control::{Control, Error, Source};
use asp_program::Literal;
use asp_program::ground_program::ShowItem;
use asp_program::integers::ByEntry;
use asp_syntax::NoFiles;

/// A question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether there is exactly one answer set.
    Unique,
    /// The number of answer sets; up to `few` are enumerated before other methods are tried.
    Count {
        /// Whether answer sets that show the same count as one.
        project: bool,
        /// How many are enumerated first.
        few: u64,
    },
    /// Answer sets at random.
    Sample {
        /// As for `Count`.
        project: bool,
        /// How many draws.
        number: u64,
        /// The seed of the random numbers.
        seed: u64,
        /// Whether to use random walks even if there are few answer sets.
        walk: bool,
    },
    /// That many answer sets that differ as much as possible.
    Diverse(u64),
    /// What is still possible.
    Candidates {
        /// Use plain inference only.
        by_inference: bool,
    },
    /// What is decided.
    Hint,
    /// Why there is no answer set.
    WhyUnsat,
    /// Why an atom holds.
    Why(String),
    /// Why an atom does not hold.
    WhyNot(String),
}

/// In which answer sets an atom holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// In every answer set.
    Always,
    /// In some.
    Sometimes,
    /// In none.
    Never,
}

/// A set of shown atoms and terms.
pub type Shown = Vec<String>;

/// A reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// The program is rejected, or too large.
    Rejected(String),
    /// There was no result within the limits.
    Stopped,
    /// There is no answer set.
    NoAnswerSet,
    /// Answer sets, and whether these are all.
    Sets(Vec<Shown>, bool),
    /// A number.
    Number(String),
    /// What is possible.
    Possible(Shown),
    /// What is forced, and the number of open atoms, if known.
    Hints(Vec<String>, Option<usize>),
    /// In which answer sets the atom holds.
    Atom(Holds),
    /// There are answer sets.
    Consistent,
    /// The number of statements and facts that contradict each other, and whether each is needed.
    Conflict(usize, bool),
}

fn stopped(_: StopReason) -> Reply {
    Reply::Stopped
}

fn failed(error: &Error) -> Reply {
    match error {
        Error::Stopped(_) => Reply::Stopped,
        error => Reply::Rejected(error.summary()),
    }
}

/// What the program may show: by entry, its thing and its text; none of digits.
struct Names(Vec<(usize, Option<String>)>, ByEntry);

impl Names {
    fn new(control: &Control) -> Self {
        let (program, symbols) = (control.program(), control.symbols());
        let name = |show: &asp_program::ground_program::Show| {
            let text = cells::text(show.item, program, symbols);
            match show.item {
                ShowItem::Atom(_) | ShowItem::Fact(_) => Some(text),
                ShowItem::Term(_) | ShowItem::Value(_) => Some(format!("{text} (term)")),
                ShowItem::Digit(_) => None,
            }
        };
        let names = program.shows.iter().map(name);
        Self(things::of(program).into_iter().zip(names).collect(), ByEntry::new(program, symbols))
    }

    fn of(&self, shown: &[bool]) -> Shown {
        let mut names = self.of_entries(shown);
        names.extend(self.1.terms(shown).into_iter().map(|value| format!("{value} (term)")));
        names.sort();
        names
    }

    /// Without values that are read from digits.
    fn of_entries(&self, shown: &[bool]) -> Shown {
        let holding = self.0.iter().zip(shown).filter(|(_, shown)| **shown);
        let mut holding: Vec<(usize, &String)> =
            holding.filter_map(|((thing, name), _)| Some((*thing, name.as_ref()?))).collect();
        holding.sort();
        holding.dedup_by_key(|name| name.0);
        holding.into_iter().map(|name| name.1.clone()).collect()
    }

    fn of_possible(&self, control: &Control, possible: &count::Possible) -> Shown {
        let mut names = self.of_entries(&possible.shown);
        let variables = &control.program().integers.variables;
        names.extend(variables.iter().zip(&possible.ranges).filter_map(|(known, range)| {
            let (least, greatest) = (*range)?;
            Some(format!("{} in {least}..{greatest}", control.symbols().display(known.name)))
        }));
        names.sort();
        names
    }
}

/// Asks a question about a program with at most `instances` instances.
pub fn ask(text: &str, question: &Question, interrupt: &Interrupt, instances: u64) -> Reply {
    match question {
        Question::Hint
        | Question::WhyUnsat
        | Question::Why(_)
        | Question::WhyNot(_)
        | Question::Candidates { by_inference: true } => {
            let make = || {
                let mut control = Control::with_interrupt(interrupt.clone());
                control.set_loader(NoFiles);
                control
            };
            let ground = |control: &mut Control| {
                control.settings.instance_limit = match control.settings.instance_limit {
                    0 => instances,
                    limit => limit.min(instances),
                };
                control.ground()
            };
            let open = |rules: bool| {
                let unsat = *question == Question::WhyUnsat;
                let which = Which { sums: unsat || rules, rules, integers: unsat, ..Which::default() };
                let opened = Inquiry::open(&[Source::new("input", text)], &make, &ground, &which);
                opened.map_err(|failure| failure.0)
            };
            open(false)
                .and_then(|inquiry| about(&inquiry, question, &|| open(true)))
                .unwrap_or_else(|e| failed(&e))
        }
        _ => {
            let mut control = Control::with_interrupt(interrupt.clone());
            control.set_loader(NoFiles);
            control.settings.instance_limit = instances;
            control.settings.integers.tell_values();
            control.add(text);
            match control.ground().and_then(|()| control.lower()) {
                Ok(()) => plainly(&mut control, question).unwrap_or_else(stopped),
                Err(error) => failed(&error),
            }
        }
    }
}

/// Questions about an unchanged program.
fn plainly(control: &mut Control, question: &Question) -> Result<Reply, StopReason> {
    let names = Names::new(control);
    let mut sets: Vec<Shown> = Vec::new();
    Ok(match *question {
        Question::Count { project, few } => {
            Reply::Number(count::count_from(control, project, few)?.to_string())
        }
        Question::Sample { project, number, seed, walk } => {
            let effort = match walk {
                true => Effort { work: 0, kept: 1, steps: 200 },
                false => Effort { work: 100_000, kept: 5_000, steps: 100 },
            };
            match sample::sample(control, number, seed, project, effort, |s| sets.push(names.of(s)))? {
                Drawn::Nothing => Reply::NoAnswerSet,
                Drawn::Refused(_) => Reply::Stopped,
                Drawn::Uniformly | Drawn::ByWalk(_) => Reply::Sets(sets, false),
            }
        }
        Question::Diverse(number) => {
            diverse::diverse(control, number, |member| sets.push(names.of(&member.shown)))?;
            let all = (sets.len() as u64) < number;
            Reply::Sets(sets, all)
        }
        Question::Candidates { .. } => match count::brave(control)? {
            Some(possible) => Reply::Possible(names.of_possible(control, &possible)),
            None => Reply::NoAnswerSet,
        },
        _ => {
            let (found, all) = count::first(control, 2, true)?;
            Reply::Sets(found.iter().map(|s| names.of(s)).collect(), all)
        }
    })
}

/// Questions about a program whose facts are relaxed.
fn about(
    inquiry: &Inquiry,
    question: &Question,
    again: &dyn Fn() -> Result<Inquiry, Error>,
) -> Result<Reply, Error> {
    let reply = |explained| match explained {
        Explained::Consistent => Some(Reply::Consistent),
        Explained::Conflict(found) => Some(Reply::Conflict(found.parts.len(), found.minimal)),
        Explained::Stopped(_) => Some(Reply::Stopped),
        Explained::Rules => None,
    };
    Ok(match question {
        Question::Candidates { .. } => match hint::possible(inquiry) {
            Some(possible) => {
                let names = Names::new(&inquiry.control);
                Reply::Possible(names.of_possible(&inquiry.control, &possible))
            }
            None => Reply::NoAnswerSet,
        },
        Question::WhyUnsat => match reply(conflict::explain(inquiry, false, false, &mut |_| {})?) {
            Some(reply) => reply,
            None => reply(conflict::explain(&again()?, true, false, &mut |_| {})?).unwrap_or(Reply::Stopped),
        },
        Question::Why(text) | Question::WhyNot(text) => {
            let not = matches!(question, Question::WhyNot(_));
            let Ok((text, name, arity)) = atom::parse(text) else {
                return Ok(Reply::Rejected("no atom".into()));
            };
            match why::find(inquiry, &text, &name, arity) {
                Asked::Fact => Reply::Atom(Holds::Always),
                Asked::NoInstance(_) | Asked::NoPredicate(_) | Asked::Shown | Asked::NoVariable => {
                    Reply::Atom(Holds::Never)
                }
                Asked::Atom(atom) => match why::why(inquiry, Literal::new(atom, not))? {
                    Answer::Always(_) if !not => Reply::Atom(Holds::Always),
                    Answer::Never(_) if not => Reply::Atom(Holds::Always),
                    Answer::Always(_) | Answer::Never(_) => Reply::Atom(Holds::Never),
                    Answer::Sometimes(..) | Answer::Here(..) => Reply::Atom(Holds::Sometimes),
                    Answer::NoAnswerSet | Answer::NotGiven(_) => Reply::NoAnswerSet,
                    Answer::Stopped(_) => Reply::Stopped,
                },
            }
        }
        _ => {
            let words = Words::new(inquiry);
            let mut forced = Vec::new();
            let end = hint::hints(inquiry, 0, |hint| forced.push(hint.what.text(&words)))?;
            match end {
                End::NoAnswerSet => Reply::NoAnswerSet,
                End::Stopped(_) => Reply::Stopped,
                End::All(open, _) => Reply::Hints(forced, Some(open)),
                End::Enough => Reply::Hints(forced, None),
            }
        }
    })
}
