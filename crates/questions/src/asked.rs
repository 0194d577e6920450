//! The interface for questions: a program and a question in, a reply out.

use num_bigint::BigUint;
use serde_json::{Value, json};

use super::listing::Printer;
use super::phrases::{CONSISTENT, NO_ANSWER_SET, no_others};
use super::verdict::Verdict;
use super::why::{self as reasons, About};
use super::{candidates, cost as costs, hint as hints, puzzle as puzzles, unique, why_unsat};
use asp_base::interrupt::StopReason;
use asp_control::{Control, Error, Report, Source};
use asp_explain::count::sample::{self, Drawn};
use asp_explain::count::{self, Effort};
use asp_explain::generate::{Difficulty, Made, Puzzle, Wish};
use asp_explain::hint::{self, End};
use asp_explain::inquiry::Inquiry;
use asp_explain::inquiry::relaxed_facts::Which;
use asp_explain::renderer::Renderer;
use asp_explain::tree::{self, Section};
use asp_explain::{atom, cost, diverse, optimal};
use asp_picture::svg;

/// A program that is asked about: it is made, from its texts, as often as needed.
pub struct Subject<'s> {
    /// The program, in the order in which it is read.
    pub texts: &'s [Source],
    /// Makes an empty control with the right settings.
    pub empty: &'s dyn Fn() -> Control,
    /// Grounds what the question is about.
    pub ground: &'s dyn Fn(&mut Control) -> Result<(), Error>,
    /// Whether it is about the answer sets of least cost only, where there is an objective.
    pub optimal: bool,
}

/// A question about the answer sets of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Why an atom holds.
    Why(String),
    /// Why an atom does not hold.
    WhyNot(String),
    /// Why there is no answer set.
    WhyUnsat,
    /// The costs of an optimal answer set, by statement.
    Cost,
    /// Why none costs less.
    WhyCost,
    /// Decided atoms: at most this many, 0 for all.
    Hint(usize),
    /// The values that are still possible.
    Candidates {
        /// As far as plain inference knows.
        by_inference: bool,
    },
    /// Whether there is exactly one answer set.
    Unique,
    /// How many answer sets there are.
    Count {
        /// Whether answer sets that show the same count as one.
        project: bool,
        /// How much is done before another method is tried.
        effort: Effort,
    },
    /// Answer sets at random.
    Sample {
        /// How many.
        number: u64,
        /// Where the random numbers begin.
        seed: u64,
        /// As for counting.
        project: bool,
        /// As for counting.
        effort: Effort,
    },
    /// This many answer sets, each as far from those before it as possible.
    Diverse(u64),
    /// A new instance of the puzzle that the program is.
    Generate(Wish),
}

/// An answer to a question, as data and in the forms in which it is shown.
pub struct Reply {
    /// The outcome in a word.
    pub verdict: Verdict,
    /// As the command line prints it.
    pub text: String,
    /// The same with whole trees.
    pub full: String,
    /// As JSON.
    pub json: Value,
    /// As a page, if it is an explanation.
    pub page: Option<String>,
    /// Answer sets, by show entry of the control.
    pub sets: Vec<Vec<bool>>,
    /// Of integer variables without atoms for their values: the least and greatest possible value.
    pub ranges: Vec<Option<(i64, i64)>>,
    /// The grounded program, where there are answer sets.
    pub control: Option<Control>,
}

impl Reply {
    fn new(verdict: Verdict, text: impl Into<String>, json: Value) -> Self {
        let text = text.into();
        let full = text.clone();
        Self { verdict, text, full, json, page: None, sets: Vec::new(), ranges: Vec::new(), control: None }
    }

    fn none(json: Value) -> Self {
        Self::new(Verdict::NoAnswerSet, NO_ANSWER_SET, json)
    }

    fn with_page(mut self, (title, sections): (String, Vec<Section>)) -> Self {
        self.page = Some(tree::page(&title, &sections));
        self
    }

    fn with_sets(mut self, sets: Vec<Vec<bool>>, control: Control) -> Self {
        (self.sets, self.control) = (sets, Some(control));
        self
    }
}

/// Why there is no reply: the error, and the control whose texts its messages point into.
pub type Failure = Box<(Error, Control)>;

impl Subject<'_> {
    fn open(&self, which: &Which) -> Result<Inquiry, Failure> {
        Inquiry::open(self.texts, self.empty, self.ground, which)
    }

    /// The same with the answer sets left out that are not meant.
    fn meant(&self, which: Which) -> Result<Which, Failure> {
        if !self.optimal {
            return Ok(which);
        }
        let plain = self.open(&Which { files: Some(Vec::new()), ..Which::default() })?;
        let optimum = cost::optimum(&plain).map_err(|e| self.failed(e))?;
        Ok(Which { optimum, ..which })
    }

    /// The program as it is, ready for the solver.
    fn grounded(&self, keep_facts: bool) -> Result<Control, Failure> {
        let mut control = (self.empty)();
        control.settings.ground.keep_facts = keep_facts;
        control.settings.integers.tell_values();
        self.texts.iter().for_each(|text| control.add_source(text.clone()));
        let made = (self.ground)(&mut control).and_then(|()| control.lower());
        let is_meant = self.optimal && made.is_ok() && !control.program().objectives.is_empty();
        let made = if is_meant { optimal::keep_best(&mut control).map(drop) } else { made };
        match made {
            Ok(()) => Ok(control),
            Err(error) => Err(Box::new((error, control))),
        }
    }

    fn failed(&self, error: Error) -> Failure {
        Box::new((error, (self.empty)()))
    }
}

/// Asks a question about a program.
pub fn ask(subject: &Subject<'_>, question: &Question) -> Result<Reply, Failure> {
    let stopped = |reason: StopReason| subject.failed(Error::Stopped(reason));
    let again = |which: &Which| subject.open(which).ok();
    match question {
        Question::Why(atom) | Question::WhyNot(atom) => {
            let not = matches!(question, Question::WhyNot(_));
            let atom = atom::parse(atom).map_err(|_| subject.failed(Error::NotATerm(atom.clone())))?;
            let which = subject.meant(reasons::which())?;
            let inquiry = subject.open(&which)?;
            let about = About { atom, not, given: None, which };
            let told = reasons::answer(inquiry, &again, about).map_err(|e| subject.failed(e))?;
            let mut reply = Reply::new(told.verdict.clone(), told.text(false), told.json());
            reply.full = told.text(true);
            Ok(reply.with_page(told.page()))
        }
        Question::WhyUnsat => {
            let which = Which { sums: true, integers: true, ..Which::default() };
            let inquiry = subject.open(&which)?;
            let told = why_unsat::answer(inquiry, &which, &again, false).map_err(|e| subject.failed(e))?;
            let Some(told) = told else {
                return Ok(Reply::new(Verdict::Satisfiable, CONSISTENT, json!({ "satisfiable": true })));
            };
            let mut reply = Reply::new(Verdict::Unsatisfiable, told.text(false), told.json().clone());
            reply.full = told.text(true);
            Ok(reply.with_page(told.page()))
        }
        Question::Cost | Question::WhyCost => cost_of(subject, *question == Question::WhyCost),
        Question::Hint(wanted) => hint_of(subject, *wanted),
        Question::Candidates { by_inference: true } => {
            let inquiry = subject.open(&subject.meant(Which::default())?)?;
            let possible = hint::possible(&inquiry);
            Ok(candidates_of(inquiry.control, possible))
        }
        Question::Candidates { by_inference: false } => {
            let mut control = subject.grounded(true)?;
            let possible = count::brave(&mut control).map_err(stopped)?;
            Ok(candidates_of(control, possible))
        }
        Question::Unique => {
            let mut control = subject.grounded(true)?;
            let (sets, all) = count::first(&mut control, 2, true).map_err(stopped)?;
            let Some((verdict, text)) = unique::told(&control, &sets, all) else {
                return Err(stopped(StopReason::StepLimit));
            };
            let json = json!({ "answer": verdict.to_string() });
            Ok(Reply::new(verdict, text, json).with_sets(sets, control))
        }
        Question::Count { project, effort } => {
            let mut control = subject.grounded(false)?;
            let number: BigUint = count::count(&mut control, *project, *effort).map_err(stopped)?;
            let json = json!({ "count": number.to_string() });
            let text = format!("{number}\n");
            Ok(Reply::new(Verdict::Number(number), text, json))
        }
        Question::Sample { number, seed, project, effort } => {
            let mut control = subject.grounded(true)?;
            let mut sets: Vec<Vec<bool>> = Vec::new();
            let keep = |shown: &[bool]| sets.push(shown.to_vec());
            let drawn = sample::sample(&mut control, *number, *seed, *project, *effort, keep);
            let (verdict, steps) = match drawn.map_err(stopped)? {
                Drawn::Uniformly => (Verdict::Uniform, None),
                Drawn::ByWalk(steps) => (Verdict::Walk, Some(steps)),
                Drawn::Refused(steps) => (Verdict::Refused, Some(steps)),
                Drawn::Nothing => return Ok(Reply::none(json!({ "drawn": "no answer set" }))),
            };
            let printer = Printer::new(&control);
            let text = (1..).zip(&sets).map(|(n, set)| format!("Answer: {n}\n{}\n", printer.text(set)));
            let text: String = text.collect();
            let json = json!({ "drawn": verdict.to_string(), "steps": steps });
            Ok(Reply::new(verdict, text, json).with_sets(sets, control))
        }
        Question::Diverse(number) => {
            let control = subject.grounded(true)?;
            let printer = Printer::new(&control);
            let (mut sets, mut distances, mut text) = (Vec::new(), Vec::new(), String::new());
            let keep = |member: &diverse::Member| {
                sets.push(member.shown.clone());
                distances.push(member.distance);
                text.push_str(&printer.member(sets.len(), member));
            };
            diverse::diverse(&control, *number, keep).map_err(stopped)?;
            if sets.is_empty() && *number > 0 {
                return Ok(Reply::none(json!({ "distances": [] })));
            }
            let are_all = (sets.len() as u64) < *number;
            if are_all {
                text.push_str(&no_others(sets.len()));
            }
            let verdict = if are_all { Verdict::All } else { Verdict::Some };
            Ok(Reply::new(verdict, text, json!({ "distances": distances })).with_sets(sets, control))
        }
        Question::Generate(wish) => instance_of(subject, *wish),
    }
}

fn instance_of(subject: &Subject<'_>, wish: Wish) -> Result<Reply, Failure> {
    let refused = |why: String| subject.failed(Error::Parse(Report::told(&why)));
    let (puzzle, _) = Puzzle::of(subject.texts, subject.empty).map_err(|unfit| refused(unfit.to_string()))?;
    let made = match puzzle.make(wish)? {
        Made::Instance(instance) => {
            let facts = puzzles::text(&puzzle, &instance);
            let text = puzzles::heading(&puzzle, &instance, wish) + &facts;
            let picture = puzzles::pictures(&instance).map(|[puzzle, _]| puzzle);
            let drawing = picture.as_ref().map(|p| svg::file(&[(String::new(), svg::draw(p))]));
            let picture = picture.map(|p| p.lines(false).join("\n"));
            let difficulty = instance.difficulty.map(Difficulty::word);
            let json = json!({ "facts": facts, "clues": instance.clues,
                "difficulty": difficulty, "minimal": instance.minimal, "picture": picture, "svg": drawing });
            return Ok(
                Reply::new(Verdict::Made, text, json).with_sets(vec![instance.solution], instance.control)
            );
        }
        made => made,
    };
    let why = puzzles::why_none(&puzzle, &made, wish);
    let verdict = match made {
        Made::NoSolution => Verdict::NoAnswerSet,
        Made::NoneFits => Verdict::NoneFits,
        _ => return Err(refused(why)),
    };
    Ok(Reply::new(verdict, format!("{why}\n"), json!({ "facts": null })))
}

fn candidates_of(control: Control, possible: Option<count::Possible>) -> Reply {
    match possible {
        None => Reply::none(json!({ "answer": "no answer set" })),
        Some(possible) => {
            let text = candidates::text(&control, &possible);
            let reply = Reply::new(Verdict::Possible, text, json!({ "answer": "possible" }));
            Reply { ranges: possible.ranges, ..reply.with_sets(vec![possible.shown], control) }
        }
    }
}

fn cost_of(subject: &Subject<'_>, why: bool) -> Result<Reply, Failure> {
    let which = Which { files: Some(Vec::new()), integers: why, ..Which::default() };
    let inquiry = subject.open(&which)?;
    if let Some(said) = costs::nothing(&inquiry) {
        return Ok(Reply::new(Verdict::NoObjective, format!("{said}\n"), json!({ "levels": null })));
    }
    let Some((_, levels)) = cost::best(&inquiry).map_err(|e| subject.failed(e))? else {
        return Ok(Reply::none(json!({ "levels": null })));
    };
    let renderer = Renderer::new(&inquiry);
    if !why {
        let text = |full| costs::text(&inquiry, &renderer, &levels, full);
        let mut reply = Reply::new(Verdict::Optimal, text(false), costs::json(&inquiry, &renderer, &levels));
        reply.full = text(true);
        return Ok(reply.with_page(("What it costs".into(), costs::sections(&inquiry, &renderer, &levels))));
    }
    let (mut text, mut values, mut sections) =
        (format!("{}\n", costs::line(&levels)), Vec::new(), Vec::new());
    for (index, level) in levels.iter().enumerate() {
        let reason = cost::why_not_less(&inquiry, &levels, index, false, &mut |_| ());
        let reason = reason.map_err(|e| subject.failed(e))?;
        let message = costs::message(&inquiry, &levels, index, &reason);
        text.push_str(&format!("\n{message}"));
        values.push(costs::reason_json(&renderer, &inquiry, level, &reason));
        sections.push(Section { lines: message, ..Section::default() });
    }
    let reply = Reply::new(Verdict::Optimal, text, json!({ "levels": values }));
    Ok(reply.with_page(("Why it does not cost less".into(), sections)))
}

fn hint_of(subject: &Subject<'_>, wanted: usize) -> Result<Reply, Failure> {
    let mut inquiry = subject.open(&subject.meant(hint::which())?)?;
    hints::speak(&mut inquiry);
    let renderer = Renderer::new(&inquiry);
    let (mut texts, mut fulls, mut values, mut sections) =
        (String::new(), String::new(), Vec::new(), Vec::new());
    let end = hint::hints(&inquiry, wanted, |hint| {
        let number = values.len() + 1;
        texts.push_str(&hints::text(number, hint, false));
        fulls.push_str(&hints::text(number, hint, true));
        values.push(hints::json(hint, &renderer));
        sections.push(hints::section(number, hint, &renderer));
    });
    let (verdict, left) = match end.map_err(|e| subject.failed(e))? {
        End::Stopped(reason) => return Err(subject.failed(Error::Stopped(reason))),
        End::NoAnswerSet => return Ok(Reply::none(json!({ "hints": [], "open": null }))),
        End::Enough => (Verdict::Some, None),
        End::All(left) => (Verdict::All, Some(left)),
    };
    if let Some(left) = left {
        let rest = hints::rest(left, values.is_empty());
        texts.push_str(&rest);
        fulls.push_str(&rest);
    }
    let mut reply = Reply::new(verdict, texts, hints::summary(values, left));
    reply.full = fulls;
    Ok(reply.with_page(("What is already decided".into(), sections)))
}
