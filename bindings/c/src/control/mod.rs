//! Controls: the path of a program from text to answer sets.
//!
//! Invariants: the engine's control is in one place only, here or with the call that grounds or solves, so that nothing
//! is read while it changes; no lock is held while a user-defined function runs.

pub mod cleanup;
mod functions;
pub mod ground;
mod later;
mod messages;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use asp::backend::AtomId;
use asp::options::OptMode;
use asp::{Ground, Interrupt};
use asp_options::raw::Options;

use crate::app::console::Console;
use crate::configuration::Configuration;
use crate::error::Fail;
use crate::literals::Numbers;
use crate::logger::Logger;
use crate::map::SymbolMap;
use crate::observer::Watches;
use crate::registry::{Handle, Registry};
use crate::statistics::Tree;
use crate::symbol::Symbol;
use crate::theory::Kept;
pub use functions::unread;
use messages::Messages;

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

impl Slot {
    /// The error of a call that has to wait until the control is back: during a solve call with the words of clingo.
    fn refuse(&self) -> Fail {
        match self {
            Self::Away(why) if *why != SOLVING => Fail::logic(format!("the control is {why} now")),
            _ => Fail::runtime("Program updates not supported!"),
        }
    }
}

/// Why a control is away during a solve call.
pub const SOLVING: &str = "solving";

/// A control as C sees it.
pub struct Control {
    pub number: usize,
    /// Stops whatever is running.
    pub interrupt: Interrupt,
    /// The engine's control.
    slot: Mutex<Slot>,
    /// What C has been given of the program.
    pub known: Known,
    /// What a user-defined program prints.
    pub console: Option<Arc<Console>>,
    pub messages: Messages,
    /// Observers of the ground program.
    pub watches: Mutex<Watches>,
    pub calls: Calls,
    /// The options given.
    pub configuration: Mutex<Configuration>,
    /// Options that were changed during a call: those of the next one.
    postponed: Mutex<Option<Box<Options>>>,
    /// What was added during a call.
    additions: Mutex<Vec<later::Addition>>,
    /// Runs its scripts in Lua.
    pub lua: crate::script::Lua,
    /// Settings that the caller may change.
    pub switches: Mutex<Switches>,
    /// The state of its program builder.
    pub building: Mutex<crate::ast::Building>,
}

/// What C has been given of a program, and what is known of its atoms.
#[derive(Default)]
pub struct Known {
    /// The symbols of the boundary in the control.
    map: Mutex<SymbolMap>,
    /// Numbers of atoms and facts.
    numbers: Mutex<Numbers>,
    /// Arrays that were given to C.
    kept: Mutex<HashMap<Kept, Box<[i32]>>>,
    /// The external atoms, for some extent of the program.
    externals: Mutex<(Extent, Vec<AtomId>)>,
    /// What calls have found of atoms.
    pub cleaned: Mutex<cleanup::Cleaned>,
    /// How many rules there were when the backend was opened last.
    pub rules: AtomicUsize,
    /// The constants, while the engine's control is away.
    pub constants: Mutex<HashMap<String, Symbol>>,
    /// Whether that is something: atoms are read often, and mostly it is not.
    pub has_cleaned: AtomicBool,
}

/// The calls of a control.
pub struct Calls {
    pub statistics: Mutex<Tree>,
    /// Whether the options promise that there is one only, and whether there was one.
    single_shot: (bool, AtomicBool),
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
        lua.serve(&mut control);
        let number = Registry::<Self>::reserve();
        let new = Arc::new(Self {
            number,
            interrupt: control.interrupt(),
            slot: Mutex::new(Slot::Here(Box::new(control))),
            known: Known::default(),
            lua,
            messages: Messages::new(logger, options.warnings.clone()),
            console,
            watches: Mutex::default(),
            calls: Calls {
                statistics: Mutex::default(),
                single_shot: (options.noted.contains(&"single-shot"), AtomicBool::new(false)),
            },
            configuration: Mutex::new(configuration),
            postponed: Mutex::default(),
            additions: Mutex::default(),
            switches: Mutex::new(Switches {
                enumeration_assumption: true,
                cleanup: true,
                project: options.project,
            }),
            building: Mutex::default(),
        });
        new.with(|inner| {
            new.apply(options, inner);
            inner.settings.ground.gringo_order = true;
            Ok(())
        })?;
        if new.console.is_none() {
            let mut settings = asp::options::Settings::default();
            options.apply(&mut settings);
            new.warn_of_options(&settings.solve);
        }
        CONTROLS.insert(number, new.clone());
        Ok(new)
    }

    /// Runs a function on the engine's control, then reports its messages.
    pub fn with<T>(&self, run: impl FnOnce(&mut asp::Control) -> Result<T, Fail>) -> Result<T, Fail> {
        self.catch_up();
        let (result, (messages, told)) = {
            let mut slot = lock(&self.slot);
            match &mut *slot {
                Slot::Here(control) => {
                    (run(control), self.messages.take(control, &self.messages.trees, self.console.as_deref()))
                }
                slot => return Err(slot.refuse()),
            }
        };
        self.messages.tell(messages);
        result.and_then(|value| told.map(|()| value))
    }

    /// Reads the results of grounding, between calls or during one.
    pub fn read<T>(
        &self,
        run: impl FnOnce(Ground<'_>, &mut SymbolMap) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        self.read_ground(|ground| run(ground, &mut lock(&self.known.map)))
    }

    /// Reads the results of grounding, without the symbols of the boundary.
    pub fn read_ground<T>(&self, run: impl FnOnce(Ground<'_>) -> Result<T, Fail>) -> Result<T, Fail> {
        let slot = lock(&self.slot);
        let ground = match &*slot {
            Slot::Here(control) => control.as_ground(),
            Slot::Solving(ground) => *ground,
            slot @ Slot::Away(_) => return Err(slot.refuse()),
        };
        run(ground)
    }

    /// The symbols of the boundary in the control. Must not be called inside [`read`](Self::read).
    pub fn map(&self) -> MutexGuard<'_, SymbolMap> {
        lock(&self.known.map)
    }

    /// Numbers of atoms and facts.
    pub fn numbers(&self) -> MutexGuard<'_, Numbers> {
        lock(&self.known.numbers)
    }

    /// Takes the engine's control, leaving the reason.
    pub fn take(&self, why: &'static str) -> Result<Box<asp::Control>, Fail> {
        self.catch_up();
        let mut slot = lock(&self.slot);
        match std::mem::replace(&mut *slot, Slot::Away(why)) {
            Slot::Here(control) => Ok(control),
            other => {
                let fail = other.refuse();
                *slot = other;
                Err(fail)
            }
        }
    }

    /// Drops new rules, from a number on, that define an atom of an earlier step again; that there are some is an error.
    pub fn drop_redefinitions(&self, inner: &mut asp::Control, from: usize) -> Result<(), Fail> {
        let Some(atom) = inner.drop_redefinitions(from) else { return Ok(()) };
        let mut name = String::new();
        if inner.program().atoms.get(atom).is_some() {
            inner.program().atoms.write(atom, inner.symbols(), &mut name);
        }
        let number = self.numbers().of_atom(atom);
        Err(Fail::runtime(format!("redefinition of atom <'{name}',{number}>")))
    }

    /// Whether an operation has the control.
    pub fn is_away(&self) -> bool {
        !matches!(&*lock(&self.slot), Slot::Here(_))
    }

    /// Notes the constants, for functions that ask for them while the control is away.
    pub fn note_constants(&self, inner: &mut asp::Control) -> Result<(), Fail> {
        let ground = inner.as_ground();
        let mut map = self.map();
        let known = ground
            .constants()
            .map(|(name, value)| Ok((name.to_string(), map.symbol(ground.symbols(), value)?)));
        let known = known.collect::<Result<_, Fail>>()?;
        *lock(&self.known.constants) = known;
        Ok(())
    }

    /// Whether a solve call has the control.
    pub fn is_solving(&self) -> bool {
        matches!(&*lock(&self.slot), Slot::Solving(_) | Slot::Away(SOLVING))
    }

    /// An array at a fixed address: its beginning and its length.
    pub fn keep(&self, what: Kept, make: impl FnOnce() -> Vec<i32>) -> (*const i32, usize) {
        let mut kept = lock(&self.known.kept);
        let list = kept.entry(what).or_insert_with(|| make().into());
        (list.as_ptr(), list.len())
    }

    /// Whether the caller has promised a single call.
    pub fn is_single_shot(&self) -> bool {
        self.calls.single_shot.0
    }

    /// An error if the program must not change any more.
    pub fn may_change(&self) -> Result<(), Fail> {
        let (promised, called) = &self.calls.single_shot;
        if *promised && called.load(Ordering::Relaxed) {
            return Err(Fail::runtime("Program updates not supported!"));
        }
        Ok(())
    }

    /// Notes that a call begins; an error if there must be no further one.
    pub fn begin_call(&self) -> Result<(), Fail> {
        self.may_change()?;
        self.calls.single_shot.1.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Puts options into effect.
    pub fn apply(&self, options: &Options, inner: &mut asp::Control) {
        options.apply(&mut inner.settings);
        // Clauses may be added at any model.
        inner.settings.solve.takes_clauses = true;
        lock(&self.switches).project = options.project;
    }

    /// Puts options into effect, after the call that is running now if there is one.
    pub fn apply_next(&self, options: Options) -> Result<(), Fail> {
        if self.is_away() {
            *lock(&self.postponed) = Some(Box::new(options));
            return Ok(());
        }
        *lock(&self.postponed) = None;
        self.with(|inner| {
            self.apply(&options, inner);
            Ok(())
        })
    }

    /// Puts the options into effect that were changed during the call that has ended.
    pub fn apply_postponed(&self, inner: &mut asp::Control) {
        if let Some(options) = lock(&self.postponed).take() {
            self.apply(&options, inner);
        }
    }

    /// Records the result of a call, and whether its caller ended it.
    pub fn note_call(&self, inner: &mut asp::Control, result: &asp::SolveResult, cancelled: bool) {
        self.note_end(inner);
        let level = lock(&self.configuration).statistics();
        let counted = inner.statistics();
        let mut tree = lock(&self.calls.statistics);
        tree.configure(level, inner.settings.solve.threads.max(1) as u64);
        let mut result = result.clone();
        // As clingo counts: the last model of a search for one optimum is optimal once the search is over.
        if inner.settings.solve.opt_mode == OptMode::Opt && result.exhausted && result.costs.is_some() {
            result.optimal_models = 1;
        }
        tree.note(&result, &counted, inner.program(), cancelled);
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
        let mut known = lock(&self.known.externals);
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
