//! Solve calls of a script in Lua.

use std::sync::{Arc, Mutex, PoisonError};

use mlua::{AnyUserData, Function, MetaMethod, Result, UserData, UserDataFields, UserDataMethods, Value};

use super::model::Model;
use super::session::Session;
use asp_solve::SolveResult;

/// A call as Lua has it.
pub(super) struct Handle {
    session: Arc<Session>,
    call: u64,
    on_finish: Option<Function>,
    /// Once it is over.
    outcome: Mutex<Option<Outcome>>,
}

/// How a call ended.
#[derive(Clone, Copy, Default)]
pub(super) struct Outcome {
    satisfiable: Option<bool>,
    exhausted: bool,
    interrupted: bool,
}

impl Outcome {
    fn of(result: &SolveResult) -> Self {
        let satisfiable = if result.satisfiable { Some(true) } else { result.exhausted.then_some(false) };
        Self { satisfiable, exhausted: result.exhausted, interrupted: result.interrupted().is_some() }
    }
}

impl Handle {
    pub(super) fn begin(
        session: &Arc<Session>,
        assumptions: &[(Value, bool)],
        on_finish: Option<Function>,
    ) -> Result<Self> {
        let call = session.begin_call(assumptions)?;
        Ok(Self { session: Arc::clone(session), call, on_finish, outcome: Mutex::default() })
    }

    /// The next model, if there is one; else the call ends.
    pub(super) fn next(&self) -> Result<Option<Model>> {
        match self.session.next_model(self.call)? {
            Some(number) => Ok(Some(Model::of(&self.session, self.call, number))),
            None => self.finish().map(|_| None),
        }
    }

    /// Prints the model at which the search stands. Whether to go on.
    pub(super) fn print(&self) -> Result<bool> {
        self.session.print_model()
    }

    /// Ends the call.
    pub(super) fn finish(&self) -> Result<Outcome> {
        let outcome = {
            let mut outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(known) = *outcome {
                return Ok(known);
            }
            let is_open = self.session.lock().calls == self.call;
            let ended = if is_open { Outcome::of(&self.session.end_call()) } else { Outcome::default() };
            *outcome.insert(ended)
        };
        if let Some(tell) = &self.on_finish {
            tell.call::<()>(outcome)?;
        }
        Ok(outcome)
    }
}

impl UserData for Handle {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_function("iter", |lua, this: AnyUserData| {
            lua.create_function(move |_, ()| {
                let this = this.borrow::<Self>()?;
                let model = this.next()?;
                let go_on = model.is_none() || this.print()?;
                Ok(model.filter(|_| go_on))
            })
        });
        methods.add_method("get", |_, this, ()| {
            while this.next()?.is_some() && this.print()? {}
            this.finish()
        });
        methods.add_method("cancel", |_, this, ()| this.finish().map(|_| ()));
        methods.add_method("close", |_, this, ()| this.finish().map(|_| ()));
        methods.add_method("resume", |_, _, ()| Ok(()));
        methods.add_meta_method(MetaMethod::Close, |_, this, _: Value| this.finish().map(|_| ()));
    }
}

impl UserData for Outcome {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field("__name", "clingo.SolveResult");
        fields.add_field_method_get("satisfiable", |_, this| Ok(this.satisfiable));
        fields.add_field_method_get("unsatisfiable", |_, this| Ok(this.satisfiable.map(|sat| !sat)));
        fields.add_field_method_get("unknown", |_, this| Ok(this.satisfiable.is_none()));
        fields.add_field_method_get("exhausted", |_, this| Ok(this.exhausted));
        fields.add_field_method_get("interrupted", |_, this| Ok(this.interrupted));
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            Ok(match this.satisfiable {
                Some(true) => "SAT",
                Some(false) => "UNSAT",
                None => "UNKNOWN",
            })
        });
    }
}
