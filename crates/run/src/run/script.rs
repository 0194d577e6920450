//! Programs with scripts: those in Lua run here, if Lua is built in; for those in Python the run is handed over to Python, whose
//! clingo runs on asp.
//!
//! Invariants: nothing has been printed before the run is handed over; a program without scripts never starts anything.

use std::fs::{File, OpenOptions};
use std::io::{Seek as _, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{env, io};

use super::state::State;
use crate::python::{Python, become_program};
use asp_base::diagnostic::Diagnostic;
use asp_base::span::Span;
use asp_control::{Control, Source};
#[cfg(feature = "lua")]
use asp_lua::Host;

/// The program for Python.
const RUN: &str = include_str!("script.py");

/// Of scripts in Lua, where no interpreter is built in: why, and how to get one.
#[cfg(not(feature = "lua"))]
const NO_LUA: &str = "this asp was built without Lua: build it with `cargo build --release --features lua` (which needs a C compiler), or \
                      write the script in Python";

/// The scripts of a run.
#[derive(Default)]
pub(super) struct Scripts {
    /// Where the first script in Python stands.
    first: Arc<Mutex<Option<Span>>>,
    /// Standard input, if it may be needed again.
    input: Mutex<Option<Vec<u8>>>,
    /// The interpreter of scripts in Lua, once there is one.
    #[cfg(feature = "lua")]
    lua: Arc<Mutex<Option<Arc<Host>>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Scripts {
    /// Notes the scripts of the programs that a control parses. Calls of those in Python cannot be proven.
    #[cfg_attr(not(feature = "lua"), expect(unused_variables))]
    pub(super) fn watch(&self, control: &mut Control, shared: &Arc<Mutex<State>>, proves: bool) {
        let first = Arc::clone(&self.first);
        #[cfg(feature = "lua")]
        let (lua, shared) = (Arc::clone(&self.lua), Arc::clone(shared));
        control.set_scripts(move |script| match script.language {
            "python" if proves => {
                Err("'proof': what a script in Python solves cannot be proven yet; write the ground \
                                       program with --text or --mode=gringo, and prove that"
                    .into())
            }
            "python" => {
                lock(&first).get_or_insert(script.span);
                Ok(())
            }
            #[cfg(feature = "lua")]
            "lua" if env::var_os("ASP_LUA").is_some() => Err(env::var("ASP_LUA").unwrap_or_default()),
            #[cfg(feature = "lua")]
            "lua" => {
                let mut host = lock(&lua);
                let host = match &mut *host {
                    Some(host) => host,
                    none => {
                        let shared = Arc::clone(&shared);
                        none.insert(Host::new(move || {
                            super::state::lock(&shared).begin();
                        })?)
                    }
                };
                host.run(script)
            }
            #[cfg(not(feature = "lua"))]
            "lua" => Err(NO_LUA.into()),
            other => Err(format!("{other} support not available: scripts are written in python or lua")),
        });
    }

    /// The interpreter of scripts in Lua, if there are some.
    #[cfg(feature = "lua")]
    pub(super) fn lua(&self) -> Option<Arc<Host>> {
        lock(&self.lua).clone()
    }

    /// Whether texts that are not parsed yet may have scripts, or include one that has.
    pub(super) fn may_be_in(&self, texts: &[Source]) -> bool {
        let there = texts.iter().any(|text| may_have_scripts(&text.text));
        if there {
            let input = texts.iter().find(|text| text.name == "<stdin>");
            *lock(&self.input) = input.map(|text| text.text.clone());
        }
        there
    }

    /// Standard input, which has been read, as a file without a name.
    fn input(&self) -> io::Result<Option<File>> {
        let Some(text) = lock(&self.input).take() else { return Ok(None) };
        let path = env::temp_dir().join(format!("asp-{}.lp", std::process::id()));
        let mut file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
        std::fs::remove_file(&path)?;
        file.write_all(&text)?;
        file.rewind()?;
        Ok(Some(file))
    }

    /// Runs the same command line where the scripts run, if there are some: its exit code, or why it cannot run.
    pub(super) fn run(&self) -> Option<Result<u8, Diagnostic>> {
        let span = (*lock(&self.first))?;
        let python = match Python::find(None) {
            Ok(python) => python,
            Err(missing) => {
                let message = format!("this script cannot run: {}", missing.what);
                return Some(Err(Diagnostic { help: missing.help, ..Diagnostic::error(span, message) }));
            }
        };
        Some(
            self.run_python(&python).map_err(|why| {
                Diagnostic::error(span, format!("Python cannot be run for this script: {why}"))
            }),
        )
    }

    /// Runs it in Python. Returns only on failure, or where a process cannot replace itself.
    fn run_python(&self, python: &Python) -> io::Result<u8> {
        let mut command = python.command();
        command.args(["-u", "-c", &format!("exec({RUN:?}, {{}})")]).args(env::args_os().skip(1));
        if let Some(input) = self.input()? {
            command.stdin(input);
        }
        become_program(command)
    }
}

fn may_have_scripts(text: &[u8]) -> bool {
    let begins = |rest: &[u8]| rest.starts_with(b"script") || rest.starts_with(b"include");
    text.contains(&b'#') && text.split(|&byte| byte == b'#').skip(1).any(begins)
}
