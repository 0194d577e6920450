//! The Python for programs and scripts that need it, and whether its package clingo runs on asp.
//!
//! Invariant: environment variables are set for that process only.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Says by its exit code what is missing.
const CHECK: &str = "\
import importlib.util as u, sys
if sys.version_info < (3, 6): sys.exit(103)
if u.find_spec('clingo') is None: sys.exit(104)
if u.find_spec('_clingo') is None: sys.exit(105)
try:
    import _clingo
    _clingo.lib.asp_version
except AttributeError: sys.exit(106)
except ImportError as why: sys.exit('%s' % why)
";

/// A Python that can do it.
pub struct Python {
    program: OsString,
    path: Option<OsString>,
}

/// Why there is none: what is wrong, and what to do about it.
pub struct Missing {
    /// The problem.
    pub what: String,
    /// Advice, one line each.
    pub help: Vec<String>,
}

impl Python {
    /// The one that is given, else that of `ASP_PYTHON`, else the first of the path.
    pub fn find(given: Option<&str>) -> Result<Self, Missing> {
        let named = given.map(OsString::from).or_else(|| env::var_os("ASP_PYTHON").filter(|p| !p.is_empty()));
        let programs = named.map_or_else(|| vec!["python3".into(), "python".into()], |name| vec![name]);
        let path = beside().map(|folder| {
            let others = env::var_os("PYTHONPATH").unwrap_or_default();
            let all = std::iter::once(folder).chain(env::split_paths(&others));
            // A folder whose name has the separator in it cannot be in the list.
            env::join_paths(all.filter(|p| !p.as_os_str().is_empty())).unwrap_or(others)
        });
        for program in &programs {
            let python = Self { program: program.clone(), path: path.clone() };
            if let Ok(output) = python.command().args(["-c", CHECK]).output() {
                return python.judge(&output).map_or(Ok(python), Err);
            }
        }
        let names: Vec<_> = programs.iter().map(|p| format!("`{}`", p.to_string_lossy())).collect();
        Err(Missing {
            what: format!("no Python was found: {} cannot be run", names.join(" or ")),
            help: vec![
                "install Python 3, or say where it is: --python PATH for `asp python`, ASP_PYTHON=PATH"
                    .into(),
                "it needs the package clingo, on asp: see docs/clingo-api.md".into(),
            ],
        })
    }

    /// The parts that the check found missing.
    fn judge(&self, output: &Output) -> Option<Missing> {
        let name = self.program.to_string_lossy();
        let install = format!("in asp's sources: {name} -m pip install ./bindings/python");
        let beside = "or beside this program: python3 bindings/python/install.py --beside target/release/asp";
        let (what, help) = match output.status.code() {
            Some(0) => return None,
            Some(103) => (format!("`{name}` is older than Python 3.6"), Vec::new()),
            Some(104) => (
                format!("`{name}` has no package clingo"),
                vec![format!("{name} -m pip install clingo==5.8.3"), install],
            ),
            Some(105) => (
                format!("the package clingo of `{name}` does not run on asp: there is no module _clingo"),
                vec![install, beside.into()],
            ),
            Some(106) => (
                format!(
                    "the package clingo of `{name}` does not run on asp: its module _clingo is not asp's"
                ),
                vec![install],
            ),
            _ => {
                let text = String::from_utf8_lossy(&output.stderr);
                let why = text.trim().lines().last().unwrap_or("it gives no reason").to_string();
                (format!("`{name}` cannot load asp's module _clingo: {why}"), vec![install])
            }
        };
        Some(Missing { what, help })
    }

    /// To run it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        if let Some(path) = &self.path {
            command.env("PYTHONPATH", path);
        }
        command
    }
}

/// The folder beside this program that has a module `_clingo`.
fn beside() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let folder = program.parent()?;
    let has_module = |path: &Path| {
        let mut names = path.read_dir().ok()?.filter_map(|entry| Some(entry.ok()?.file_name()));
        names.any(|name| name.to_string_lossy().starts_with("_clingo.")).then_some(())
    };
    [folder.join("python"), folder.join("../lib/asp/python")].into_iter().find(|p| has_module(p).is_some())
}

/// Becomes another program; returns only if that fails.
pub fn become_program(mut command: Command) -> std::io::Result<u8> {
    #[cfg(unix)]
    {
        Err(std::os::unix::process::CommandExt::exec(&mut command))
    }
    #[cfg(not(unix))]
    {
        Ok(command.status()?.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
    }
}
