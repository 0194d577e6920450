//! The options of a control in Lua: `prg.configuration.solve.models = 0`.
//!
//! Invariant: a value is read as on the command line, and takes effect with the next call; one that cannot be read changes
//! nothing.

use std::sync::Arc;

use mlua::{Error, IntoLua, Lua, MetaMethod, Result, UserData, UserDataMethods, Value};

use super::session::Session;
use asp_options::args::{self, GivenOption};
use asp_options::raw::Action;
use asp_options::spec::Scope;
use asp_options::usage::UsageError;
use asp_options::{check, table};

/// Where options stand. All of them may be written in each, as their names are different.
const SECTIONS: [&str; 3] = ["solve", "solver", "asp"];

/// The options, or a section of them.
pub(super) struct Section(Arc<Session>);

impl Section {
    pub(super) fn root(session: &Arc<Session>) -> Self {
        Self(Arc::clone(session))
    }

    fn get(&self, lua: &Lua, name: &str) -> Result<Value> {
        if SECTIONS.contains(&name) {
            return Self(Arc::clone(&self.0)).into_lua(lua);
        }
        let long = name.replace('_', "-");
        let changes = &self.0.lock().changes;
        let given = changes.iter().rev().find(|(own, _)| *own == long);
        given.map(|(_, value)| value.as_str()).into_lua(lua)
    }

    fn set(&self, name: &str, value: &Value) -> Result<()> {
        let value = match value {
            Value::Boolean(on) => if *on { "yes" } else { "no" }.to_string(),
            other => other.to_string()?,
        };
        let wrong = |why: UsageError| Error::runtime(why.text("asp"));
        let mut state = self.0.lock();
        let mut changes = state.changes.clone();
        let long = name.replace('_', "-");
        if table::find(&long).is_some_and(|spec| spec.scope > Scope::Call) {
            return Err(Error::runtime(format!("`{name}` cannot be set here")));
        }
        changes.retain(|(own, _)| *own != long);
        changes.push((long, value));
        let given: Vec<String> = std::env::args().skip(1).collect();
        let given = args::parse(&given).map_err(wrong)?;
        let kept = given.options.iter().filter(|own| changes.iter().all(|(name, _)| name != own.spec.long));
        let all: Vec<String> = kept
            .map(GivenOption::word)
            .chain(changes.iter().map(|(name, value)| format!("--{name}={value}")))
            .collect();
        let parsed = args::parse(&all).map_err(wrong)?;
        match check::check(&parsed) {
            Ok(Action::Run(options)) => {
                (state.options, state.changes) = (options, changes);
                Ok(())
            }
            Ok(_) => Err(Error::runtime(format!("`{name}` cannot be set here"))),
            Err(why) => Err(Error::runtime(why.message)),
        }
    }
}

impl UserData for Section {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Index, |lua, this, name: Value| match name {
            Value::String(name) => this.get(lua, &name.to_str()?),
            // All threads search as configured here.
            _ => Self(Arc::clone(&this.0)).into_lua(lua),
        });
        methods.add_meta_method(MetaMethod::NewIndex, |_, this, (name, value): (String, Value)| {
            this.set(&name, &value)
        });
    }
}
