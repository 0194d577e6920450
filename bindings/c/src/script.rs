//! Scripting languages that the caller has registered, to run `#script (...) ... #end.`
//!
//! Invariant: a registered language stays registered for the lifetime of the process.

use std::ffi::{c_char, c_void};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use asp::symbol::Symbols;

use crate::control::ground::{List, Location, SymbolCallback, collect};
use crate::control::{Control, lock};
use crate::error::{Fail, guard, ok};
use crate::ffi::{Array, Text};
use crate::place::Place;
use crate::registry::Handle;
use crate::symbol::{Symbol, intern_text, name_of};

/// A scripting language, as C writes it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Script {
    execute: Option<extern "C" fn(*const Location, *const c_char, *mut c_void) -> bool>,
    call: Option<
        extern "C" fn(
            *const Location,
            *const c_char,
            *const Symbol,
            usize,
            SymbolCallback,
            List,
            *mut c_void,
        ) -> bool,
    >,
    callable: Option<extern "C" fn(*const c_char, *mut bool, *mut c_void) -> bool>,
    main: Option<extern "C" fn(Handle<Control>, *mut c_void) -> bool>,
    free: Option<extern "C" fn(*mut c_void)>,
    version: *const c_char,
}

struct Language {
    name: String,
    script: Script,
    data: *mut c_void,
    version: &'static str,
}

// SAFETY: the pointers are handed to the language's own functions, which clingo.h asks to be callable from anywhere.
unsafe impl Send for Language {}

/// The language that is built in.
const LUA: &str = "lua";

static LANGUAGES: Mutex<Vec<Language>> = Mutex::new(Vec::new());

fn languages() -> MutexGuard<'static, Vec<Language>> {
    LANGUAGES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The interpreter of a control's scripts in Lua, once there is one. A language that the caller has registered under that name
/// precedes it.
#[derive(Clone, Default)]
pub struct Lua(Arc<Mutex<Option<Arc<asp_lua::Host>>>>);

impl Lua {
    fn get(&self) -> Option<Arc<asp_lua::Host>> {
        lock(&self.0).clone()
    }

    fn run(&self, name: &str, line: usize, code: &str) -> Result<(), Fail> {
        let host = {
            let mut place = lock(&self.0);
            match &*place {
                Some(host) => host.clone(),
                None => place.insert(asp_lua::Host::new(|| {}).map_err(Fail::runtime)?).clone(),
            }
        };
        host.run_text(name, line, code).map_err(Fail::runtime)
    }

    /// Lets a control run scripts, those in Lua by this interpreter.
    pub fn serve(&self, control: &mut asp::Control) {
        let scripts = self.clone();
        control.set_scripts(move |script| run(script, &scripts));
    }

    /// Whether there are scripts.
    pub fn is_there(&self) -> bool {
        lock(&self.0).is_some()
    }

    /// Whether one of them has a function `main`.
    pub fn has_main(&self) -> bool {
        self.get().is_some_and(|host| host.has_main())
    }

    /// The values of a call `@f(...)`; `None` if there is no such function.
    pub fn call(
        &self,
        symbols: &mut Symbols,
        call: &asp::FunctionCall<'_>,
    ) -> Result<Option<Vec<asp::Symbol>>, Fail> {
        self.get().map_or(Ok(None), |host| host.call(symbols, call)).map_err(Fail::runtime)
    }
}

/// Whether any language is registered.
pub fn is_there() -> bool {
    !languages().is_empty()
}

/// Whether a language is registered, or built in.
pub fn has(name: &str) -> bool {
    name == LUA || languages().iter().any(|l| l.name == name)
}

/// The functions of each language and its data.
fn all() -> Vec<(Script, *mut c_void)> {
    languages().iter().map(|l| (l.script, l.data)).collect()
}

fn callable(script: &Script, name: *const c_char, data: *mut c_void) -> Result<bool, Fail> {
    let Some(callable) = script.callable else { return Ok(false) };
    let mut there = false;
    Fail::unless(|| callable(name, &mut there, data))?;
    Ok(there)
}

/// Calls a function of the first language that has it; whether there is one.
pub fn call(
    location: &Location,
    name: &str,
    arguments: &[Symbol],
    values: &mut Vec<Symbol>,
) -> Result<bool, Fail> {
    let text = name_of(intern_text(name)?);
    for (script, data) in all() {
        let Some(call) = script.call else { continue };
        if callable(&script, text, data)? {
            let (start, size, list) = (arguments.as_ptr(), arguments.len(), List(values));
            Fail::unless(|| call(location, text, start, size, collect, list, data))?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Runs a script of a program.
pub fn run(script: &asp::Script<'_>, lua: &Lua) -> Result<(), String> {
    let place = Location::of(Place::of(script.span, script.sources));
    let result = place.and_then(|place| execute(script.language, &place, script.code, lua));
    result.map_err(|fail| fail.message.to_string_lossy().into_owned())
}

/// Runs the text of a script.
pub fn execute(language: &str, location: &Location, code: &str, lua: &Lua) -> Result<(), Fail> {
    let found = languages().iter().find(|l| l.name == language).map(|l| (l.script, l.data));
    if found.is_none() && language == LUA {
        let file = Text::new(location.begin_file);
        return lua.run(file.get()?, location.begin_line, code);
    }
    let Some((script, data)) = found else {
        return Err(Fail::runtime(format!("{language} support not available")));
    };
    let Some(execute) = script.execute else { return Ok(()) };
    let code = name_of(intern_text(code)?);
    Fail::unless(|| execute(location, code, data))
}

/// Whether a language has a function `main`.
pub fn has_main() -> Result<bool, Fail> {
    for (script, data) in all() {
        if script.main.is_some() && callable(&script, c"main".as_ptr(), data)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Runs the function `main` of a language that has one; returns whether there was one.
pub fn main(control: &Control) -> Result<bool, Fail> {
    for (script, data) in all() {
        let Some(main) = script.main else { continue };
        if callable(&script, c"main".as_ptr(), data)? {
            Fail::unless(|| main(Handle::new(control.number, 0), data))?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_register_script(name: Text, script: Array<Script>, data: *mut c_void) -> bool {
    ok(|| {
        let name = name.get()?.to_string();
        let script = *script.get().ok_or_else(|| Fail::logic("there is no script"))?;
        let version = if script.version.is_null() { "" } else { Text::from(script.version).get()? };
        let version = intern_text(version)?;
        let mut languages = languages();
        languages.retain(|l| l.name != name);
        languages.push(Language { name, script, data, version });
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_script_version(name: Text) -> *const c_char {
    guard(std::ptr::null(), || {
        let name = name.get()?;
        Ok(languages().iter().find(|l| l.name == name).map_or(std::ptr::null(), |l| name_of(l.version)))
    })
}
