//! The control of a run, as passed to Lua's `main`.

use std::path::Path;
use std::sync::Arc;

use mlua::{Error, MetaMethod, Result, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::atoms::Atoms;
use super::configuration::Section;
use super::model::pairs;
use super::session::{Session, failed};
use super::solve::{Handle, Outcome};
use asp_base::interrupt::StopReason;
use asp_base::symbol::Sym;
use asp_control::GroundFormat;

/// The control as Lua has it.
pub(super) struct Prg(Arc<Session>);

impl Prg {
    pub(super) fn of(session: &Arc<Session>) -> Self {
        Self(Arc::clone(session))
    }

    fn ground(&self, parts: &[(String, Vec<Value>)], context: Option<Table>) -> Result<()> {
        self.0.host.set_context(context);
        let result = self.0.take("used while it grounds", |control| {
            let mut named = Vec::new();
            for (name, arguments) in parts {
                let terms = &self.0.host.terms;
                let arguments = arguments.iter().map(|value| terms.read_into(value, control.symbols_mut()));
                named.push((name.as_str(), arguments.collect::<Result<Vec<Sym>>>()?));
            }
            self.0.host.install(control);
            self.0.run.ground(control, &named).map_err(|error| Error::runtime(error.summary()))
        });
        self.0.host.set_context(None);
        result
    }

    /// Writes what was grounded since the last step, instead of solving.
    fn write(&self, format: GroundFormat) -> Result<Outcome> {
        let mut writer = self.0.lock().writer.take();
        let result = self.0.take("used while it is written", |control| {
            let writer = writer.get_or_insert_with(|| control.ground_writer(format));
            self.0.run.write_step(control, writer).map_err(|error| failed(&error))
        });
        self.0.lock().writer = writer;
        result.map(|()| Outcome::default())
    }

    fn assign(&self, atom: &Value, value: Option<bool>, release: bool) -> Result<()> {
        self.0.take("used", |control| {
            let atom = self.0.host.terms.read_into(atom, control.symbols_mut())?;
            // Of atoms that are not external nothing is said, as in clingo.
            let _ = match value {
                _ if release => control.release_external(atom),
                Some(value) => control.assign_external(atom, value),
                None => control.free_external(atom),
            };
            Ok(())
        })
    }
}

/// Parts of programs: `{{"base", {}}, {"step", {1}}}`.
fn parts(list: &Table) -> Result<Vec<(String, Vec<Value>)>> {
    let part = |part: Result<Table>| {
        let part = part?;
        let arguments = part.get::<Option<Table>>(2)?;
        let arguments =
            arguments.map_or_else(|| Ok(Vec::new()), |a| a.sequence_values().collect::<Result<_>>())?;
        Ok((part.get::<String>(1)?, arguments))
    };
    list.sequence_values::<Table>().map(part).collect()
}

impl UserData for Prg {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_meta_field("__name", "clingo.Control");
        fields.add_field_method_get("is_conflicting", |_, this| {
            this.0.take("used", |control| Ok(control.is_conflicting()))
        });
        fields.add_field_method_get("configuration", |_, this| Ok(Section::root(&this.0)));
        fields.add_field_method_get("symbolic_atoms", |_, this| Ok(Atoms::of(&this.0)));
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("ground", |_, this, (list, context): (Table, Option<Table>)| {
            this.ground(&parts(&list)?, context)
        });
        methods.add_method("add", |_, this, (name, parameters, text): (String, Vec<String>, String)| {
            this.0.take("used", |control| {
                let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
                let result = control.add_part(&name, &parameters, &text);
                if this.0.run.report(control) || result.is_err() {
                    return Err(Error::runtime("parsing failed"));
                }
                Ok(())
            })
        });
        methods.add_method("load", |_, this, file: String| {
            this.0.take("used", |control| {
                control.load(Path::new(&file)).map_err(|why| Error::runtime(format!("{file}: {why}")))?;
                let result = control.parse();
                if this.0.run.report(control) || result.is_err() {
                    return Err(Error::runtime("parsing failed"));
                }
                Ok(())
            })
        });
        methods.add_method("get_const", |lua, this, name: String| {
            this.0.take("used", |control| {
                // A name that is no constant is none.
                let Some(value) = control.constant(&name) else { return Ok(Value::Nil) };
                this.0.host.terms.to_lua(lua, control.symbols(), value)
            })
        });
        methods.add_method("assign_external", |_, this, (atom, value): (Value, Option<bool>)| {
            this.assign(&atom, value, false)
        });
        methods.add_method("release_external", |_, this, atom: Value| this.assign(&atom, None, true));
        methods.add_method("cleanup", |_, this, ()| this.0.take("used", |_| Ok(())));
        methods.add_method("interrupt", |_, this, ()| {
            this.0.run.interrupt().stop(StopReason::Interrupted);
            Ok(())
        });
        methods.add_method("solve", |lua, this, options: Option<Table>| {
            let options = options.map_or_else(|| lua.create_table(), Ok)?;
            if options.get::<Option<bool>>("async")?.unwrap_or(false) {
                return Err(Error::runtime("calls that run beside the script are not supported in Lua"));
            }
            if let Some(format) = this.0.run.options.ground_format {
                return lua.create_userdata(this.write(format)?);
            }
            let handle =
                Handle::begin(&this.0, &pairs(options.get("assumptions")?)?, options.get("on_finish")?)?;
            if options.get::<Option<bool>>("yield")?.unwrap_or(false) {
                return lua.create_userdata(handle);
            }
            let on_model = options.get::<Option<mlua::Function>>("on_model")?;
            while let Some(model) = handle.next()? {
                let go_on = match &on_model {
                    Some(see) => see.call::<Value>(model)?,
                    None => Value::Nil,
                };
                if !handle.print()? || matches!(go_on, Value::Boolean(false)) {
                    break;
                }
            }
            lua.create_userdata(handle.finish()?)
        });
        methods.add_meta_method(MetaMethod::Index, |_, _, name: String| -> Result<Value> {
            Err(Error::runtime(format!(
                "`{name}` of the control is not supported in Lua; see docs/clingo-api.md"
            )))
        });
        methods.add_meta_method(MetaMethod::ToString, |_, _, ()| Ok("clingo.Control"));
    }
}
