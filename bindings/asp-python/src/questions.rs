//! Questions about a control's program: it is made again for each, with what was said to it so far.

use std::sync::Arc;

use asp::{Error, Source, Symbol};
use asp_questions::{self as questions, Difficulty, Effort, Question, Subject, Verdict};
use pyo3::prelude::*;

use crate::code;
use crate::error;
use crate::functions::Functions;
use crate::hook::{Hook, limit};
use crate::model::Model;
use crate::session::{Core, Shared};
use crate::shown::Table;

/// What a program is made of.
struct Recipe {
    sources: Vec<Source>,
    parts: Vec<(String, Vec<Box<[u8]>>)>,
    externals: Vec<(Box<[u8]>, Option<bool>)>,
    settings: asp::options::Settings,
    functions: Option<Functions>,
}

impl Recipe {
    fn of(core: &Core) -> Self {
        let recipe = &core.recipe;
        let mut sources = recipe.sources.clone();
        for (part, origin, facts) in &recipe.facts {
            let mut text = format!("#program {part}.\n");
            for &fact in facts {
                text.push_str(&core.control.symbols().display(fact));
                text.push_str(".\n");
            }
            sources.push(Source::new(origin.clone(), text));
        }
        let mut parts: Vec<(String, Vec<Box<[u8]>>)> = Vec::new();
        for part in &recipe.parts {
            if !parts.contains(part) {
                parts.push(part.clone());
            }
        }
        if parts.is_empty() {
            parts.push(("base".into(), Vec::new()));
        }
        let functions = recipe.functions.clone();
        let (externals, settings) = (recipe.externals.clone(), core.control.settings.clone());
        Self { sources, parts, externals, settings, functions }
    }

    fn empty(&self, hook: &Hook) -> asp::Control {
        let mut control = asp::Control::with_interrupt(hook.interrupt.clone());
        control.settings = self.settings.clone();
        if let Some(functions) = &self.functions {
            functions.clone().install(&mut control, hook.clone());
        }
        control
    }

    fn ground(&self, control: &mut asp::Control) -> Result<(), Error> {
        control.parse()?;
        for (name, arguments) in &self.parts {
            let arguments: Vec<Symbol> =
                arguments.iter().filter_map(|a| code::decode(a, control.symbols_mut())).collect();
            control.ground_parts(&[(name, arguments)])?;
        }
        for (atom, value) in &self.externals {
            let Some(atom) = code::decode(atom, control.symbols_mut()) else { continue };
            match value {
                Some(value) => control.assign_external(atom, *value)?,
                None => control.free_external(atom)?,
            }
        }
        Ok(())
    }
}

/// A reply's parts, for the class `Reply` of the package.
pub(crate) type Told = (String, String, String, String, Option<String>, Vec<Py<Model>>);

/// A question by its name in the package.
pub(crate) fn named(name: &str, atom: String, number: u64, seed: u64, flag: bool) -> Question {
    match name {
        "why" => Question::Why(atom),
        "why_not" => Question::WhyNot(atom),
        "why_unsat" => Question::WhyUnsat,
        "cost" => Question::Cost,
        "why_cost" => Question::WhyCost,
        "hint" => Question::Hint(number as usize),
        "candidates" => Question::Candidates { by_inference: flag },
        "unique" => Question::Unique,
        "diverse" => Question::Diverse(number),
        "count" => Question::Count { project: flag, effort: Effort::default() },
        _ => Question::Sample { number, seed, project: flag, effort: Effort::default() },
    }
}

/// How hard an instance shall be, by its word.
pub(crate) fn difficulty(py: Python<'_>, word: &str) -> PyResult<Difficulty> {
    Difficulty::ALL.into_iter().find(|level| level.word() == word).ok_or_else(|| {
        let levels = Difficulty::ALL.map(Difficulty::word).join("\", \"");
        error::usage(py, &format!("difficulty=\"{word}\": there are \"{levels}\""))
    })
}

/// Asks a question.
pub(crate) fn ask(
    py: Python<'_>,
    shared: &Shared,
    question: &Question,
    timeout: Option<f64>,
    optimal: bool,
) -> PyResult<Told> {
    let limit = limit(timeout)?;
    let recipe = {
        let mut state = shared.lock(py)?;
        Recipe::of(shared.idle(py, &mut state)?)
    };
    // The question has a hook of its own, so that others may use the control meanwhile.
    let hook = Hook::new();
    let _asked = shared.asks(hook.interrupt.clone());
    let (reply, exception) = hook.run(py, limit, || {
        let subject = Subject {
            texts: &recipe.sources,
            empty: &|| recipe.empty(&hook),
            ground: &|control| recipe.ground(control),
            optimal,
        };
        questions::ask(&subject, question)
    });
    if let Some(exception) = exception {
        return Err(exception);
    }
    let reply = reply.map_err(|failure| error::of(py, &failure.0, failure.1.sources()))?;
    let mut models = Vec::new();
    if let Some(control) = &reply.control {
        let mut table = Table::default();
        table.extend(control.program(), control.symbols());
        table.note_facts(control.as_ground());
        table.note_predicates(control.as_ground());
        let table = Arc::new(table);
        // What is possible is of several answer sets: variables have several values.
        let valued = (reply.verdict != Verdict::Possible).then_some(control);
        for (number, set) in (1..).zip(&reply.sets) {
            models.push(Py::new(py, Model::from_entries(number, set, &table, valued))?);
        }
    }
    Ok((reply.verdict.to_string(), reply.text, reply.full, reply.json.to_string(), reply.page, models))
}
