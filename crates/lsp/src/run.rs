//! The questions that lenses ask: run a test, answer sets, whether there is just one, why there is none.
//!
//! Invariant: a question is about the open texts as they are when it is asked, with the files and constants of a `%@test`
//! where it is asked beside one; it ends at its time limit with what it has found.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use lsp_types::{ExecuteCommandParams, Uri};
use serde_json::Value;

use super::client::Refusal;
use super::documents::Documents;
use asp_analysis::buffers::BufferLoader;
use asp_analysis::project::Entry;
use asp_base::diagnostic::Severity;
use asp_base::interrupt::Interrupt;
use asp_base::term::Term;
use asp_control::{Control, Error, Ground, Place, Source};
use asp_explain::count;
use asp_explain::inquiry::relaxed_facts::Which;
use asp_explain::inquiry::{Inquiry, Verdict};
use asp_explain::why;
use asp_options::warnings::Warnings;
use asp_program::Literal;
use asp_questions::phrases::CONSISTENT;
use asp_questions::{unique, why_unsat};
use asp_report::diagnostic;
use asp_run::expectation::{Test, tests};
use asp_run::extent::Extent;
use asp_run::library::LibraryLoader;
use asp_run::open;
use asp_run::trial;
use asp_solve::Model;

pub(super) const TEST: &str = "asp.runTest";
pub(super) const ANSWERS: &str = "asp.answers";
pub(super) const UNIQUE: &str = "asp.unique";
pub(super) const WHY_UNSAT: &str = "asp.whyUnsat";

/// The commands that the editor may send, each with the URI of a text and, beside a `%@test`, its line from 0.
pub(super) const COMMANDS: [&str; 4] = [TEST, ANSWERS, UNIQUE, WHY_UNSAT];

/// Answer sets that are shown.
const SHOWN: u64 = 5;
/// Lines of an explanation.
const LINES: usize = 15;

/// A program to ask about.
#[derive(Clone)]
struct Program {
    texts: Vec<Source>,
    consts: Vec<String>,
    loader: BufferLoader<LibraryLoader>,
}

/// A question.
pub(super) struct Asked {
    command: String,
    key: String,
    test: Option<Test>,
    /// The texts that it is about.
    texts: Vec<Entry>,
    loader: BufferLoader<LibraryLoader>,
}

/// An answer.
pub(super) struct Answer {
    /// In a few words.
    pub(super) title: String,
    /// Whether it is good news, as a test that passed.
    pub(super) is_good: bool,
    /// All of it.
    pub(super) text: String,
    /// The last answer set that was found.
    pub(super) last: Option<Last>,
}

/// An answer set, to be asked about.
#[derive(Clone)]
pub(super) struct Last {
    pub(super) texts: Vec<Entry>,
    program: Program,
    /// All atoms that hold: name, number of arguments, text.
    atoms: Arc<Vec<(String, u32, String)>>,
}

impl Asked {
    /// The question of a command.
    pub(super) fn read(params: &ExecuteCommandParams, documents: &Documents) -> Result<Self, Refusal> {
        if !COMMANDS.contains(&params.command.as_str()) {
            return Err(Refusal::told(format!("there is no command `{}`", params.command)));
        }
        let uri = params.arguments.first().and_then(|v| serde_json::from_value::<Uri>(v.clone()).ok());
        let view = uri.and_then(|uri| documents.view(&uri));
        let view = view.ok_or_else(|| Refusal::told("the first argument is the URI of an open text"))?;
        let line = params.arguments.get(1).and_then(Value::as_u64);
        let find =
            |line: u64| tests(&view.index.text).into_iter().flatten().find(|t| t.line as u64 == line + 1);
        let test = line.and_then(find);
        if test.is_none() && (line.is_some() || params.command == TEST) {
            return Err(Refusal::told("there is no `%@test` on that line"));
        }
        let texts = documents.project.program(&view.key);
        Ok(Self {
            command: params.command.clone(),
            key: view.key,
            test,
            texts,
            loader: documents.project.loader(),
        })
    }

    fn text(&self) -> Arc<str> {
        self.texts.iter().find(|e| e.key == self.key).map(|e| e.index.text.clone()).unwrap_or_default()
    }

    pub(super) fn answer(&self, interrupt: &Interrupt) -> Answer {
        let result = match (self.command.as_str(), &self.test) {
            (TEST, Some(test)) => return self.run_test(test, interrupt),
            (ANSWERS, _) => self.program().and_then(|p| self.answers(&p, interrupt)),
            (UNIQUE, _) => self.program().and_then(|p| one(&p, interrupt)),
            _ => self.program().and_then(|p| no_answer(&p, interrupt)),
        };
        result.unwrap_or_else(|text| {
            let title = text.lines().next().unwrap_or("").to_string();
            Answer { title, is_good: false, text, last: None }
        })
    }

    fn run_test(&self, test: &Test, interrupt: &Interrupt) -> Answer {
        let (path, text) = (Path::new(&self.key), self.text());
        let result =
            trial::run(test, path, text.as_bytes(), &self.loader.buffers, &Warnings::default(), interrupt);
        let (is_good, word) = (result.is_ok(), if result.is_ok() { "ok" } else { "FAILED" });
        let title = format!("{word}  {}", test.text);
        let text = match result {
            Ok(()) => title.clone(),
            Err(why) => format!("{title}\n{}", why.trim_end()),
        };
        Answer { title, is_good, text, last: None }
    }

    /// The program: the text, with what a test adds to it.
    fn program(&self) -> Result<Program, String> {
        let mut texts = vec![Source::new(self.key.clone(), self.text().as_bytes())];
        let test = self.test.iter();
        for name in test.clone().flat_map(|t| &t.files) {
            texts.push(trial::read(name, Path::new(&self.key), &self.loader.buffers)?);
        }
        let consts = test.flat_map(|t| t.consts.clone()).collect();
        Ok(Program { texts, consts, loader: self.loader.clone() })
    }

    fn answers(&self, program: &Program, interrupt: &Interrupt) -> Result<Answer, String> {
        let mut control = program.grounded(interrupt, false)?;
        let (mut text, mut count, mut atoms, mut costs) = (String::new(), 0, Vec::new(), String::new());
        // With an objective each is better than the one before: the last one counts.
        let is_optimizing = !control.program().objectives.is_empty();
        let limit = if is_optimizing { 0 } else { SHOWN + 1 };
        let mut handle = control.answers().limit(limit).start().map_err(|e| e.to_string())?;
        let more = loop {
            match handle.next() {
                Ok(Some(_)) if count == SHOWN && !is_optimizing => break ", there are more",
                Ok(Some(_)) => {}
                Ok(None) => break "",
                Err(Error::Stopped(_)) => break ", then stopped",
                Err(error) => return Err(error.to_string()),
            }
            let Some(answer) = handle.answer() else { break "" };
            count += 1;
            let shown = answer.to_string();
            if is_optimizing {
                costs = answer.costs().iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
                text.clear();
            }
            let cost = if is_optimizing { format!("   (cost {costs})") } else { String::new() };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "Answer: {count}{cost}\n{}", shown.trim_end());
            atoms = holding(handle.ground(), answer.model());
        };
        drop(handle);
        let title = match count {
            0 if more.is_empty() => "No answer set".to_string(),
            0 => "Stopped before an answer set was found".to_string(),
            _ if is_optimizing && more.is_empty() => format!("Optimum found, cost {costs}"),
            _ if is_optimizing => format!("Stopped at cost {costs}, the best so far"),
            1 => format!("1 answer set{more}"),
            n => format!("{n} answer sets{more}"),
        };
        let text = format!("{title}\n{text}");
        let last = (count > 0).then(|| Last {
            texts: self.texts.clone(),
            program: program.clone(),
            atoms: Arc::new(atoms),
        });
        Ok(Answer { title, is_good: count > 0, text, last })
    }
}

impl Program {
    /// A control without the texts.
    fn empty(&self, interrupt: &Interrupt) -> Control {
        let mut control = open::with_constants(interrupt.clone(), &self.consts);
        control.set_loader(self.loader.clone());
        control
    }

    fn extent(&self, interrupt: &Interrupt) -> Extent {
        let (program, interrupt) = (self.clone(), interrupt.clone());
        Extent::new(self.texts.clone(), None, Box::new(move || program.empty(&interrupt)))
    }

    /// The program, grounded and made ready for the solver; its errors otherwise.
    fn grounded(&self, interrupt: &Interrupt, keep_facts: bool) -> Result<Control, String> {
        let mut control = self.empty(interrupt);
        control.settings.ground.keep_facts = keep_facts;
        self.texts.iter().for_each(|t| control.add_source(t.clone()));
        let result = self.extent(interrupt).ground(&mut control).and_then(|()| control.lower());
        result.map_err(|error| errors(&mut control, &error)).map(|()| control)
    }

    /// The program opened for questions.
    fn inquiry(&self, which: &Which, extent: &Extent, interrupt: &Interrupt) -> Result<Inquiry, String> {
        let texts = Inquiry::open(&self.texts, &|| self.empty(interrupt), &|c| extent.ground(c), which);
        texts.map_err(|failure| {
            let (error, mut control) = *failure;
            errors(&mut control, &error)
        })
    }
}

/// The errors of a program as text.
fn errors(control: &mut Control, error: &Error) -> String {
    let found = control.take_diagnostics();
    let errors = found.iter().filter(|d| d.severity == Severity::Error);
    let text: String = errors.map(|d| diagnostic::render(d, control.sources(), false)).collect();
    match (text.as_str(), error) {
        ("", Error::Stopped(reason)) => format!("Stopped before this was known: {reason}"),
        ("", error) => error.summary(),
        _ => text,
    }
}

/// Whether there is just one answer set.
fn one(program: &Program, interrupt: &Interrupt) -> Result<Answer, String> {
    let mut control = program.grounded(interrupt, true)?;
    let stopped = |reason| format!("Stopped before this was known: {reason}");
    let (sets, all) = count::first(&mut control, 2, true).map_err(stopped)?;
    let Some((verdict, mut text)) = unique::told(&control, &sets, all) else {
        return Err("Stopped before this was known".into());
    };
    if !control.program().objectives.is_empty() {
        text.push_str("All answer sets are meant, whatever they cost.\n");
    }
    let title = text.lines().next().unwrap_or("").to_string();
    Ok(Answer { title, is_good: verdict == asp_questions::Verdict::Unique, text, last: None })
}

/// Why there is no answer set.
fn no_answer(program: &Program, interrupt: &Interrupt) -> Result<Answer, String> {
    let extent = program.extent(interrupt);
    let which = Which { sums: true, integers: true, ..Which::default() };
    let inquiry = program.inquiry(&which, &extent, interrupt)?;
    let again = |which: &Which| program.inquiry(which, &extent, interrupt).ok();
    let text = match why_unsat::answer(inquiry, &which, &again, false) {
        Ok(None) => CONSISTENT.to_string(),
        Ok(Some(told)) => told.text(false),
        Err(Error::Stopped(reason)) => return Err(format!("Stopped before this was known: {reason}")),
        Err(error) => return Err(error.summary()),
    };
    let title = text.lines().next().unwrap_or("").trim_start_matches("error: ").to_string();
    Ok(Answer { title, is_good: true, text, last: None })
}

/// All atoms that hold in a model: name, number of arguments, text.
fn holding(ground: Ground<'_>, model: &Model<'_>) -> Vec<(String, u32, String)> {
    let mut found = Vec::new();
    let symbols = ground.symbols();
    for predicate in 0..ground.predicates() {
        let Some((signature, rows)) = ground.predicate(predicate) else { continue };
        for row in 0..rows {
            let Some(atom) = ground.atom(Place { predicate, row }) else { continue };
            if atom.is_fact || atom.atom.is_some_and(|a| model.contains(a)) {
                let text = Term::atom(symbols, signature, atom.arguments).to_string();
                found.push((symbols.str(signature.name).to_string(), signature.arity, text));
            }
        }
    }
    found
}

impl Last {
    /// The atoms of a predicate that hold, in the order of grounding.
    pub(super) fn atoms_of(&self, name: &str, arity: u32) -> Vec<&str> {
        let own = self.atoms.iter().filter(|a| a.0 == name && a.1 == arity);
        own.map(|a| a.2.as_str()).collect()
    }

    /// Whether an atom holds.
    pub(super) fn holds(&self, atom: &str) -> bool {
        self.atoms.iter().any(|a| a.2 == atom)
    }

    /// Why an atom holds in this answer set; none if that cannot be found out in time.
    pub(super) fn why(&self, atom: &str, interrupt: &Interrupt) -> Option<String> {
        let extent = self.program.extent(interrupt);
        let which = Which { sums: true, ..Which::default() };
        let inquiry = self.program.inquiry(&which, &extent, interrupt).ok()?;
        let (ground, symbols) = (inquiry.program(), inquiry.symbols());
        let holding: BTreeSet<&str> = self.atoms.iter().map(|a| a.2.as_str()).collect();
        let (mut assumed, mut asked) = (inquiry.assumptions(), None);
        for id in ground.atoms.ids() {
            let mut text = String::new();
            ground.atoms.write(id, symbols, &mut text);
            if text == atom {
                asked = Some(id);
            }
            assumed.push(Literal::new(id, !holding.contains(text.as_str())));
        }
        let Some(asked) = asked else {
            return Some("a fact, or it follows from facts alone".into());
        };
        match inquiry.oracle().ok()?.ask(&assumed) {
            Verdict::Found(model) => Some(why::derivation(&inquiry, asked, &model).to_text_within(LINES).0),
            _ => None,
        }
    }
}
