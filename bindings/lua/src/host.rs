//! The interpreter: it runs scripts, and calls their functions for `@f(...)`.
//!
//! Invariant: no lock is held while a function of a script runs.

use std::sync::{Arc, Mutex, PoisonError};

use mlua::{Error, Function, Lua, MultiValue, Table, Value};

use crate::terms::Terms;
use asp_base::symbol::{Sym, Symbols};
use asp_control::FunctionCall;
use asp_control::{Control, Script};

/// What is done before a script runs.
type Begin = dyn Fn() + Send + Sync;

/// The interpreter of a control's scripts.
pub struct Host {
    lua: Lua,
    /// Its terms.
    pub terms: Terms,
    /// The head of a run's results comes before what scripts print.
    begin: Box<Begin>,
    /// The functions of the `ground` call that is running, which precede global ones.
    context: Mutex<Option<Table>>,
}

impl Host {
    /// An interpreter, for one control. A function is called before each script.
    pub fn new(begin: impl Fn() + Send + Sync + 'static) -> Result<Arc<Self>, String> {
        let begin = Box::new(begin);
        let host = Self { lua: Lua::new(), terms: Terms::default(), begin, context: Mutex::default() };
        host.set_up().map_err(|error| told(&error))?;
        Ok(Arc::new(host))
    }

    fn set_up(&self) -> mlua::Result<()> {
        let module = self.lua.create_table()?;
        self.terms.register(&self.lua, &module)?;
        module.set("__version__", env!("CARGO_PKG_VERSION"))?;
        let globals = self.lua.globals();
        globals.get::<Table>("package")?.get::<Table>("loaded")?.set("clingo", &module)?;
        globals.set("clingo", module)?;
        // What scripts print and what the run prints come in their order.
        self.lua.load("io.stdout:setvbuf('no')").exec()
    }

    /// Runs a script. Its lines are counted as in its file.
    pub fn run(&self, script: &Script<'_>) -> Result<(), String> {
        let place = script.sources.locate(script.span);
        let (name, line) = place.map_or(("", 1), |(file, line, _)| (&file.name, line));
        self.run_text(name, line as usize, script.code)
    }

    /// Runs the text of a script that stands at a line of a file.
    pub fn run_text(&self, name: &str, line: usize, code: &str) -> Result<(), String> {
        (self.begin)();
        let code = format!("{}{code}", "\n".repeat(line.saturating_sub(1)));
        self.lua.load(code).set_name(format!("@{name}")).exec().map_err(|error| told(&error))
    }

    /// The values of a call `@f(...)`; `None` if there is no such function.
    pub fn call(&self, symbols: &mut Symbols, call: &FunctionCall<'_>) -> Result<Option<Vec<Sym>>, String> {
        let name = symbols.str(call.name).to_string();
        let values = || -> mlua::Result<Option<Vec<Value>>> {
            let Some(function) = self.function(&name)? else { return Ok(None) };
            let arguments: mlua::Result<MultiValue> =
                call.arguments.iter().map(|&sym| self.terms.to_lua(&self.lua, symbols, sym)).collect();
            match function.call(arguments?)? {
                Value::Table(several) => several.sequence_values().collect::<mlua::Result<_>>().map(Some),
                one => Ok(Some(vec![one])),
            }
        };
        match values() {
            Ok(None) => Ok(None),
            Ok(Some(values)) => values
                .iter()
                .map(|value| self.terms.read_into(value, symbols).map_err(|error| told(&error)))
                .collect::<Result<_, _>>()
                .map(Some),
            Err(error) => Err(told(&error)),
        }
    }

    /// The function with a name: of the context, or of the scripts.
    fn function(&self, name: &str) -> mlua::Result<Option<Function>> {
        let context = self.context.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(Value::Function(function)) = context.map(|own| own.get(name)).transpose()? {
            return Ok(Some(function));
        }
        self.lua.globals().get(name)
    }

    /// Functions of one `ground` call, which precede global ones.
    pub fn set_context(&self, context: Option<Table>) {
        *self.context.lock().unwrap_or_else(PoisonError::into_inner) = context;
    }

    /// Lets a program call the functions of the scripts.
    pub fn install(self: &Arc<Self>, control: &mut Control) {
        let host = Arc::clone(self);
        control.set_functions(move |symbols, call| {
            Ok(host.call(symbols, call)?.unwrap_or_else(|| call.undefined()))
        });
    }

    /// Whether a script has a function that makes the calls of a run.
    pub fn has_main(&self) -> bool {
        self.main().is_some()
    }

    /// The function that makes the calls of the run, if there is one.
    pub fn main(&self) -> Option<Function> {
        self.lua.globals().get("main").ok().flatten()
    }
}

/// What went wrong: from where it was called, and last what it was.
fn told(error: &Error) -> String {
    let (what, trace) = taken_apart(error);
    trace.map_or_else(|| what.clone(), |trace| format!("{trace}\n{what}"))
}

/// What went wrong, and from where it was called.
pub fn taken_apart(error: &Error) -> (String, Option<String>) {
    let mut cause = error;
    let mut calls = None;
    while let Error::CallbackError { traceback, cause: inner } = cause {
        calls = calls.or(Some(traceback.as_str()));
        cause = inner;
    }
    let text = match cause {
        Error::RuntimeError(text) | Error::SyntaxError { message: text, .. } => text.clone(),
        other => other.to_string(),
    };
    let (what, own) =
        text.split_once("\nstack traceback:").map_or((text.as_str(), None), |(what, own)| (what, Some(own)));
    let calls = own.or(calls.map(|calls| calls.trim_start_matches("stack traceback:"))).map(str::trim_end);
    let calls = calls.filter(|calls| !calls.trim().is_empty());
    (what.trim_end().to_string(), calls.map(|calls| format!("stack traceback:{calls}")))
}
