//! Controls: the path of a program from text to answer sets.
//!
//! Invariants: the engine's control is in one place only, here or with the call that grounds or solves, so that nothing
//! is read while it changes; no lock is held while a user-defined function runs.

pub mod cleanup;
mod functions;
pub mod ground;

use std::collections::HashMap;
use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use asp::backend::AtomId;
use asp::options::OptMode;
use asp::{Ground, GroundWriter, Interrupt};
use asp_options::raw::Options;
use asp_options::warnings::Warnings;

use crate::app::console::Console;
use crate::configuration::Configuration;
use crate::error::Fail;
use crate::literals::Numbers;
use crate::logger::{ERROR, Logger};
use crate::map::SymbolMap;
use crate::observer::Watches;
use crate::registry::{Handle, Registry};
use crate::statistics::Tree;
use crate::theory::Kept;

/// All controls.
pub static CONTROLS: Registry<Control> = Registry::new();

/// Where the engine's control is.
pub enum Slot {
    /// Here.
    Here(Box<asp::Control>),
    /// With an operation that changes it.
    Away(&'static str),
    /// With a call, which does not change the results of grounding.
    ///
    /// Invariant: what is borrowed lives until the call has given the control back.
    Solving(Ground<'static>),
}

/// A control as C sees it.
pub struct Control {
    /// Its number.
    pub number: usize,
    /// Stops whatever is running.
    pub interrupt: Interrupt,
    /// The engine's control.
    slot: Mutex<Slot>,
    /// The symbols of the boundary in the control.
    map: Mutex<SymbolMap>,
    /// Numbers of atoms and facts.
    numbers: Mutex<Numbers>,
    /// The external atoms, for some extent of the program.
    externals: Mutex<(Extent, Vec<AtomId>)>,
    /// What calls have found of atoms.
    pub cleaned: Mutex<cleanup::Cleaned>,
    /// Whether that is something: atoms are read often, and mostly it is not.
    pub has_cleaned: AtomicBool,
    /// Arrays that were given to C.
    kept: Mutex<HashMap<Kept, Box<[i32]>>>,
    /// What a user-defined program prints.
    pub console: Option<Arc<Console>>,
    /// Observers of the ground program.
    pub watches: Mutex<Watches>,
    /// Files to which the ground program is written.
    pub files: Mutex<Vec<(GroundWriter, File)>>,
    /// The statistics.
    pub statistics: Mutex<Tree>,
    /// The options given.
    pub configuration: Mutex<Configuration>,
    /// Runs its scripts in Lua.
    pub lua: crate::script::Lua,
    /// Where messages go.
    logger: Mutex<Logger>,
    /// Which warnings are told.
    warnings: Warnings,
    /// Settings that the caller may change.
    pub switches: Mutex<Switches>,
    /// Whether the program has an error, so that nothing of it is grounded, as in clingo.
    refused: AtomicBool,
    /// Whether the options promise that there is one call only, and whether there was one.
    single_shot: (bool, AtomicBool),
    /// The state of its program builder.
    pub building: Mutex<crate::ast::Building>,
}

/// How many externals, rules, head aggregates and disjunctions a program has.
type Extent = (usize, usize, usize, usize);

/// Settings that the caller may change.
#[derive(Clone, Debug)]
pub struct Switches {
    /// Enumeration ends with its call.
    pub enumeration_assumption: bool,
    /// Programs are simplified between calls.
    pub cleanup: bool,
    /// What projection the options ask for.
    pub project: asp_options::raw::Project,
}

/// Locks a mutex, even if a thread panicked while holding it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Handle<Control> {
    /// The control.
    pub fn get(self) -> Result<Arc<Control>, Fail> {
        CONTROLS.get(self.number())
    }
}

impl Control {
    /// Makes a control from arguments.
    pub fn new(arguments: &[String], logger: Logger) -> Result<Arc<Self>, Fail> {
        let (own_layout, arguments) = &crate::options::take_layout(arguments)?;
        let options = crate::options::read(arguments)?;
        let mut control = asp::Control::new();
        if let Some(other) = options.consts.iter().find(|definition| !definition.contains('=')) {
            return Err(Fail::runtime(format!("'{other}' defines no constant: name=term is expected")));
        }
        options.texts().into_iter().for_each(|text| control.add_source(text));
        Self::around(control, &options, arguments, logger.laid_out(*own_layout), None)
    }

    /// A control of the engine's as C sees it, with the options and the arguments that it was made from.
    pub fn around(
        mut control: asp::Control,
        options: &Options,
        arguments: &[String],
        logger: Logger,
        console: Option<Arc<Console>>,
    ) -> Result<Arc<Self>, Fail> {
        let configuration = Configuration::of(arguments)?;
        let lua = crate::script::Lua::default();
        let scripts = lua.clone();
        control.set_scripts(move |script| crate::script::run(script, &scripts));
        let number = Registry::<Self>::reserve();
        let new = Arc::new(Self {
            number,
            interrupt: control.interrupt(),
            slot: Mutex::new(Slot::Here(Box::new(control))),
            map: Mutex::default(),
            numbers: Mutex::default(),
            externals: Mutex::default(),
            cleaned: Mutex::default(),
            has_cleaned: AtomicBool::new(false),
            kept: Mutex::default(),
            lua,
            logger: Mutex::new(logger),
            warnings: options.warnings.clone(),
            console,
            watches: Mutex::default(),
            files: Mutex::default(),
            statistics: Mutex::default(),
            configuration: Mutex::new(configuration),
            switches: Mutex::new(Switches {
                enumeration_assumption: true,
                cleanup: true,
                project: options.project,
            }),
            refused: AtomicBool::new(false),
            single_shot: (options.noted.contains(&"single-shot"), AtomicBool::new(false)),
            building: Mutex::default(),
        });
        new.with(|inner| {
            new.apply(options, inner);
            Ok(())
        })?;
        CONTROLS.insert(number, new.clone());
        Ok(new)
    }

    /// Runs a function on the engine's control, then reports its messages.
    pub fn with<T>(&self, run: impl FnOnce(&mut asp::Control) -> Result<T, Fail>) -> Result<T, Fail> {
        let (result, (messages, told)) = {
            let mut slot = lock(&self.slot);
            match &mut *slot {
                Slot::Here(control) => (run(control), self.messages(control)),
                Slot::Away(why) => return Err(Fail::logic(format!("the control is {why} now"))),
                Slot::Solving(_) => return Err(Fail::logic("the control is solving now")),
            }
        };
        self.tell(messages);
        result.and_then(|value| told.map(|()| value))
    }

    /// The messages of the engine's control, unless they are printed as the command line does; an error if a warning among
    /// them counts as one.
    pub fn messages(&self, inner: &mut asp::Control) -> (Vec<(i32, String)>, Result<(), Fail>) {
        let mut messages = inner.take_diagnostics();
        if self.console.is_none() {
            // Packages give constants to programs that need not have them.
            messages.retain(|message| !message.message.starts_with("the program has no constant "));
        }
        let refused = self.warnings.refuse(&messages).map_err(Fail::runtime);
        let told = match self.console.as_ref().filter(|console| !console.has_logger) {
            Some(console) => {
                messages.into_iter().for_each(|message| inner.push_diagnostic(message));
                console.run.report(inner);
                Vec::new()
            }
            None => lock(&self.logger).texts(&messages, inner.sources(), &self.warnings),
        };
        (told, refused)
    }

    /// Reports messages.
    pub fn tell(&self, messages: Vec<(i32, String)>) {
        if messages.iter().any(|message| message.0 == ERROR) {
            self.refused.store(true, Ordering::Relaxed);
        }
        for (code, text) in messages {
            // The user-defined function may call functions here, so it is called without the lock.
            let due = lock(&self.logger).due();
            if let Some(logger) = due {
                logger.tell(code, &text);
            }
        }
    }

    /// Reads the results of grounding, between calls or during one.
    pub fn read<T>(
        &self,
        run: impl FnOnce(Ground<'_>, &mut SymbolMap) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        self.read_ground(|ground| run(ground, &mut lock(&self.map)))
    }

    /// Reads the results of grounding, without the symbols of the boundary.
    pub fn read_ground<T>(&self, run: impl FnOnce(Ground<'_>) -> Result<T, Fail>) -> Result<T, Fail> {
        let slot = lock(&self.slot);
        let ground = match &*slot {
            Slot::Here(control) => control.as_ground(),
            Slot::Solving(ground) => *ground,
            Slot::Away(why) => return Err(Fail::logic(format!("the control is {why} now"))),
        };
        run(ground)
    }

    /// The symbols of the boundary in the control. Must not be called inside [`read`](Self::read).
    pub fn map(&self) -> MutexGuard<'_, SymbolMap> {
        lock(&self.map)
    }

    /// Numbers of atoms and facts.
    pub fn numbers(&self) -> MutexGuard<'_, Numbers> {
        lock(&self.numbers)
    }

    /// Takes the engine's control, leaving the reason.
    pub fn take(&self, why: &'static str) -> Result<Box<asp::Control>, Fail> {
        let mut slot = lock(&self.slot);
        match std::mem::replace(&mut *slot, Slot::Away(why)) {
            Slot::Here(control) => Ok(control),
            other => {
                let what = match &other {
                    Slot::Away(why) => why,
                    _ => "solving",
                };
                let fail = Fail::logic(format!("the control is {what} now"));
                *slot = other;
                Err(fail)
            }
        }
    }

    /// An array at a fixed address: its beginning and its length.
    pub fn keep(&self, what: Kept, make: impl FnOnce() -> Vec<i32>) -> (*const i32, usize) {
        let mut kept = lock(&self.kept);
        let list = kept.entry(what).or_insert_with(|| make().into());
        (list.as_ptr(), list.len())
    }

    /// Reads a file.
    pub fn load(&self, file: &str) -> Result<(), Fail> {
        self.with(|inner| {
            functions::read_file(inner, file)?;
            Ok(inner.parse()?)
        })
    }

    /// An error if the program must not change any more.
    pub fn may_change(&self) -> Result<(), Fail> {
        let (promised, called) = &self.single_shot;
        if *promised && called.load(Ordering::Relaxed) {
            return Err(Fail::runtime("Program updates not supported!"));
        }
        Ok(())
    }

    /// An error if the program has one.
    pub fn accepted(&self, what: &str) -> Result<(), Fail> {
        match self.refused.load(Ordering::Relaxed) {
            true => Err(Fail::runtime(what)),
            false => Ok(()),
        }
    }

    /// Notes that a call begins; an error if there must be no further one.
    pub fn begin_call(&self) -> Result<(), Fail> {
        self.may_change()?;
        self.single_shot.1.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Puts options into effect.
    pub fn apply(&self, options: &Options, inner: &mut asp::Control) {
        options.apply(&mut inner.settings);
        // Clauses may be added at any model.
        inner.settings.solve.takes_clauses = true;
        lock(&self.switches).project = options.project;
    }

    /// Records the result of a call.
    pub fn note_call(&self, inner: &mut asp::Control, result: &asp::SolveResult) {
        self.note_end(inner);
        let level = lock(&self.configuration).statistics();
        let counted = inner.statistics();
        let mut tree = lock(&self.statistics);
        tree.set_level(level);
        let mut result = result.clone();
        // As clingo counts: the last model of a search for one optimum is optimal once the search is over.
        if inner.settings.solve.opt_mode == OptMode::Opt && result.exhausted && result.costs.is_some() {
            result.optimal_models = 1;
        }
        tree.note(&result, &counted, inner.program());
    }

    /// Whether an atom is external.
    pub fn is_external(&self, atom: AtomId, ground: Ground<'_>) -> bool {
        let program = ground.program();
        let extent = (
            program.externals.len(),
            program.rules.len(),
            program.head_aggregates.len(),
            program.disjunctions.len(),
        );
        let mut known = lock(&self.externals);
        if known.0 != extent {
            *known = (extent, ground.externals());
        }
        known.1.binary_search(&atom).is_ok()
    }

    /// Sets where the engine's control is now.
    pub fn put(&self, slot: Slot) {
        *lock(&self.slot) = slot;
    }
}
