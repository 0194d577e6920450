//! Texts and files to nodes, as in clingo.h.

use std::ffi::c_void;
use std::io::Read as _;

use asp::Source;
use asp::message::{Diagnostic, Severity};
use asp::syntax::Input;
use asp_options::warnings::Warnings;

use super::functions::{AstCallback, Receiver};
use super::read::read;
use super::trees::Trees;
use crate::control::Control;
use crate::control::unread;
use crate::error::{Fail, ok};
use crate::ffi::{Array, Text};
use crate::layout::Texts;
use crate::logger::{Logger, LoggerCallback};
use crate::registry::Handle;

/// Reads texts, passes on the nodes, and reports messages.
fn parse(
    inputs: Vec<Input>,
    early: Vec<Diagnostic>,
    receiver: Receiver,
    mut logger: Logger,
) -> Result<(), Fail> {
    let (late, sources) = read(inputs, &mut |ast| receiver.take(&ast))?;
    let messages: Vec<Diagnostic> = early.into_iter().chain(late).collect();
    let texts = Texts { sources: &sources, trees: &Trees::default(), constants: &|_| None };
    let told = logger.texts(&messages, &texts, &Warnings::default());
    logger.tell_all(told);
    match messages.iter().any(|d| d.severity == Severity::Error) {
        true => Err(Fail::runtime("syntax error")),
        false => Ok(()),
    }
}

/// Splits off ground programs in aspif: they go to the control, if there is one, and have no nodes.
fn take_ground(inputs: Vec<Input>, control: Handle<Control>) -> Result<Vec<Input>, Fail> {
    let is_ground = |input: &Input| input.text.trim_ascii_start().starts_with(b"asp ");
    let (ground, others): (Vec<_>, Vec<_>) = inputs.into_iter().partition(is_ground);
    if !ground.is_empty() && control.number() != 0 {
        control.get()?.with(|inner| {
            ground.into_iter().for_each(|input| inner.add_source(Source::new(input.name, input.text)));
            Ok(inner.parse()?)
        })?;
    }
    Ok(others)
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_parse_string(
    program: Text,
    callback: AstCallback,
    data: *mut c_void,
    control: Handle<Control>,
    logger: LoggerCallback,
    logger_data: *mut c_void,
    limit: u32,
) -> bool {
    ok(|| {
        let inputs = take_ground(vec![Input::new("<string>", program.bytes()?)], control)?;
        parse(inputs, Vec::new(), Receiver { callback, data }, Logger::new(logger, logger_data, limit))
    })
}

/// See clingo.h. The last file comes first, as in clingo.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_ast_parse_files(
    files: Array<Text>,
    size: usize,
    callback: AstCallback,
    data: *mut c_void,
    control: Handle<Control>,
    logger: LoggerCallback,
    logger_data: *mut c_void,
    limit: u32,
) -> bool {
    ok(|| {
        let names = files.slice(size).iter().map(|f| f.get()).collect::<Result<Vec<&str>, Fail>>()?;
        let names = if names.is_empty() { vec!["-"] } else { names };
        let (mut inputs, mut missing) = (Vec::new(), Vec::new());
        for name in names {
            let mut text = Vec::new();
            let (shown, found) = match name {
                "-" => ("<stdin>", std::io::stdin().lock().read_to_end(&mut text).map(|_| text)),
                name => (name, std::fs::read(name)),
            };
            match found {
                Ok(text) => inputs.push(Input::new(shown, text)),
                Err(why) => missing.push(unread(name, &why)),
            }
        }
        inputs.reverse();
        parse(
            take_ground(inputs, control)?,
            missing,
            Receiver { callback, data },
            Logger::new(logger, logger_data, limit),
        )
    })
}
