//! Controls as in clingo.h.

use std::ffi::{c_int, c_void};

use asp::message::{Diagnostic, Span};

use super::ground::{GroundCallback, Part, ground};
use super::{CONTROLS, Control, Slot, lock};
use crate::error::{Fail, guard, ok};
use crate::ffi::{Array, Out, Text};
use crate::literals::Value;
use crate::logger::{Logger, LoggerCallback, UNREAD};
use crate::observer::Names;
use crate::registry::Handle;
use crate::solve::{self, EventCallback, Solve};
use crate::symbol::Symbol;

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_new(
    arguments: Array<Text>,
    size: usize,
    logger: LoggerCallback,
    data: *mut c_void,
    limit: u32,
    control: Out<Handle<Control>>,
) -> bool {
    ok(|| {
        let arguments = arguments.slice(size).iter();
        let arguments: Vec<String> =
            arguments.map(|a| a.get().map(str::to_string)).collect::<Result<_, _>>()?;
        let new = Control::new(&arguments, Logger::new(logger, data, limit))?;
        control.set(Handle::new(new.number, 0));
        Ok(())
    })
}

/// See clingo.h. Ends the control's calls; whoever frees it may have freed what their functions need, so these are not called.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_free(control: Handle<Control>) {
    ok(|| {
        if let Some(control) = CONTROLS.remove(control.number()) {
            solve::mute_all(&control);
            solve::close_all(&control);
        }
        Ok(())
    });
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_load(control: Handle<Control>, file: Text) -> bool {
    ok(|| {
        let source = read(file.get()?);
        control.get()?.add(Box::new(move |inner, _| {
            add_file(inner, source.clone())?;
            Ok(inner.parse()?)
        }))
    })
}

/// A file's text; or what is said if there is none.
fn read(file: &str) -> Result<asp::Source, Diagnostic> {
    let (name, text) = match file {
        "-" => {
            let mut text = Vec::new();
            ("<stdin>", std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut text).map(|_| text))
        }
        _ => (file, std::fs::read(file)),
    };
    text.map(|text| asp::Source::new(name, text)).map_err(|why| unread(name, &why))
}

/// The message about a file that cannot be read: why not, unless it is just not there.
pub fn unread(name: &str, why: &std::io::Error) -> Diagnostic {
    let message = Diagnostic::error(Span::NONE, format!("{UNREAD}{name}"));
    match why.kind() {
        std::io::ErrorKind::NotFound => message,
        _ => message.help(why.to_string()),
    }
}

fn add_file(inner: &mut asp::Control, source: Result<asp::Source, Diagnostic>) -> Result<(), Fail> {
    let source = source.map_err(|message| {
        inner.push_diagnostic(message);
        Fail::runtime("parsing failed")
    })?;
    inner.add_source(source);
    Ok(())
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_load_aspif(
    control: Handle<Control>,
    files: Array<Text>,
    size: usize,
) -> bool {
    ok(|| {
        let control = control.get()?;
        control.may_change()?;
        control.with(|inner| {
            if inner.has_begun() {
                return Err(Fail::runtime("incremental aspif programs are not supported"));
            }
            for file in files.slice(size) {
                add_file(inner, read(file.get()?))?;
            }
            Ok(inner.read_ground()?)
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_add(
    control: Handle<Control>,
    name: Text,
    parameters: Array<Text>,
    size: usize,
    program: Text,
) -> bool {
    ok(|| {
        let control = control.get()?;
        let parameters = parameters.slice(size).iter();
        let parameters = parameters.map(|p| p.get().map(str::to_string));
        let parameters: Vec<String> = parameters.collect::<Result<_, _>>()?;
        let (name, program) = (name.get()?.to_string(), program.get()?.to_string());
        control.add(Box::new(move |inner, _| {
            let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
            match inner.add_part(&name, &parameters, &program) {
                Err(asp::Error::Parse(_)) => Err(Fail::runtime("parsing failed")),
                result => Ok(result?),
            }
        }))
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_ground(
    control: Handle<Control>,
    parts: Array<Part>,
    size: usize,
    callback: GroundCallback,
    data: *mut c_void,
) -> bool {
    ok(|| ground(&*control.get()?, parts.slice(size), callback, data))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_solve(
    control: Handle<Control>,
    mode: u32,
    assumptions: Array<i32>,
    size: usize,
    notify: EventCallback,
    data: *mut c_void,
    handle: Out<Handle<Solve>>,
) -> bool {
    ok(|| {
        handle.set(Solve::start(&control.get()?, mode, assumptions.slice(size), notify, data)?);
        Ok(())
    })
}

/// See clingo.h. Programs are simplified when they are translated; this is about what symbolic atoms show.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_cleanup(control: Handle<Control>) -> bool {
    ok(|| {
        let control = control.get()?;
        if control.is_away() {
            return Ok(());
        }
        control.with(|inner| {
            control.clean_up(inner);
            Ok(())
        })
    })
}

fn set_external(control: Handle<Control>, literal: i32, value: Option<c_int>) -> Result<(), Fail> {
    let control = control.get()?;
    control.may_change()?;
    control.with(|inner| {
        if literal == 0 {
            return Ok(());
        }
        let Value::Open(literal) = control.numbers().value(literal, inner.as_ground())? else {
            return Ok(());
        };
        let flip = |value: bool| value != literal.is_neg();
        inner.set_external_atom(
            literal.atom(),
            match value {
                None => asp::backend::ExternalValue::Release,
                Some(1) if flip(true) => asp::backend::ExternalValue::True,
                Some(2) if flip(false) => asp::backend::ExternalValue::True,
                Some(1 | 2) => asp::backend::ExternalValue::False,
                Some(0) => asp::backend::ExternalValue::Free,
                Some(_) => return Err(Fail::runtime("this is no truth value")),
            },
        );
        Ok(())
    })?;
    control.tell_observers(Names::Later)
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_assign_external(
    control: Handle<Control>,
    literal: i32,
    value: c_int,
) -> bool {
    ok(|| set_external(control, literal, Some(value)))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_release_external(control: Handle<Control>, literal: i32) -> bool {
    ok(|| set_external(control, literal, None))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_is_conflicting(control: Handle<Control>) -> bool {
    guard(false, || {
        let control = control.get()?;
        // An error shows with the next call.
        control.with(|inner| Ok(inner.check_conflicting().unwrap_or_else(|_| inner.is_conflicting())))
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_remove_minimize(control: Handle<Control>) -> bool {
    ok(|| {
        control.get()?.with(|inner| {
            inner.remove_objective();
            Ok(())
        })
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_update_project(
    control: Handle<Control>,
    atoms: Array<u32>,
    size: usize,
    append: bool,
) -> bool {
    ok(|| {
        let control = control.get()?;
        control.with(|inner| {
            let mut list = Vec::new();
            for &number in atoms.slice(size) {
                let number =
                    i32::try_from(number).map_err(|_| Fail::runtime(format!("{number} is not an atom")))?;
                // Facts, and numbers without an atom, do not distinguish models.
                if let (1.., Value::Open(literal)) =
                    (number, control.numbers().value(number.max(1), inner.as_ground())?)
                {
                    list.push(literal.atom());
                }
            }
            inner.project_on(&list, append);
            Ok(())
        })
    })
}

/// See clingo.h. It may be called from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_interrupt(control: Handle<Control>) {
    ok(|| {
        control.get()?.interrupt.stop(asp::StopReason::Interrupted);
        Ok(())
    });
}

/// See clingo.h. Not served: there is no clasp here.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_clasp_facade(_: Handle<Control>, _: Out<*mut c_void>) -> bool {
    ok(|| Err(Fail::runtime("clingo_control_clasp_facade: asp has an engine of its own, and no clasp")))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_set_enable_enumeration_assumption(
    control: Handle<Control>,
    enable: bool,
) -> bool {
    ok(|| {
        lock(&control.get()?.switches).enumeration_assumption = enable;
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_get_enable_enumeration_assumption(control: Handle<Control>) -> bool {
    guard(false, || Ok(lock(&control.get()?.switches).enumeration_assumption))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_set_enable_cleanup(control: Handle<Control>, enable: bool) -> bool {
    ok(|| {
        lock(&control.get()?.switches).cleanup = enable;
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_get_enable_cleanup(control: Handle<Control>) -> bool {
    guard(false, || Ok(lock(&control.get()?.switches).cleanup))
}

fn constant(control: Handle<Control>, name: Text) -> Result<Option<Symbol>, Fail> {
    let control = control.get()?;
    let name = name.get()?;
    if control.is_away() {
        return Ok(lock(&control.known.constants).get(name).copied());
    }
    control.with(|inner| {
        inner.parse()?;
        let value = inner.constant(name);
        value.map(|value| control.map().symbol(inner.symbols(), value)).transpose()
    })
}

/// See clingo.h. A name that is not a constant stands for itself.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_get_const(
    control: Handle<Control>,
    name: Text,
    symbol: Out<Symbol>,
) -> bool {
    ok(|| {
        let value = constant(control, name)?;
        symbol.set(value.map_or_else(|| Symbol::function(name.get()?, &[], false), Ok)?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_has_const(control: Handle<Control>, name: Text, exists: Out<bool>) -> bool {
    ok(|| {
        exists.set(constant(control, name)?.is_some());
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_symbolic_atoms(
    control: Handle<Control>,
    atoms: Out<Handle<Control>>,
) -> bool {
    ok(|| {
        atoms.set(Handle::new(control.get()?.number, 0));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_theory_atoms(control: Handle<Control>, atoms: Out<Handle<Control>>) -> bool {
    clingo_control_symbolic_atoms(control, atoms)
}

impl Drop for Control {
    fn drop(&mut self) {
        // What a call has borrowed is returned before the control ends.
        *lock(&self.slot) = Slot::Away("gone");
    }
}
