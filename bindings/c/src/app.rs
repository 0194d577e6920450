//! User-defined programs that behave like the command line: with their own options, their own main function, and
//! results as text.
//!
//! Invariant: models and calls are printed by the control that the program was made for, whatever makes the call.

use std::ffi::{CString, c_char, c_int, c_void};
use std::io::Write as _;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use asp::SolveResult;
use asp::cli::option::args;

use crate::control::{CONTROLS, Control, lock};
use crate::error::{Fail, guard, ok};
use crate::ffi::{Array, Text};
use crate::logger::{Logger, LoggerCallback};
use crate::model::Model;
use crate::registry::{Handle, Registry};
use crate::script;
use crate::solve::Solve;

type DefaultPrinter = extern "C" fn(*mut c_void) -> bool;

/// A user-defined program, as C writes it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Application {
    program_name: Option<extern "C" fn(*mut c_void) -> Text>,
    version: Option<extern "C" fn(*mut c_void) -> Text>,
    message_limit: Option<extern "C" fn(*mut c_void) -> u32>,
    main: Option<extern "C" fn(Handle<Control>, *const *const c_char, usize, *mut c_void) -> bool>,
    logger: LoggerCallback,
    printer: Option<extern "C" fn(Handle<Model>, DefaultPrinter, *mut c_void, *mut c_void) -> bool>,
    register_options: Option<extern "C" fn(Handle<Options>, *mut c_void) -> bool>,
    validate_options: Option<extern "C" fn(*mut c_void) -> bool>,
}

/// What a user-defined option does with its value.
#[derive(Clone, Copy)]
enum Target {
    Parse(extern "C" fn(*const c_char, *mut c_void) -> bool, *mut c_void),
    Flag(*mut bool),
}

/// A user-defined option.
struct OptionOf {
    long: String,
    short: Option<char>,
    help: String,
    target: Target,
    multi: bool,
    seen: bool,
}

/// The options of a user-defined program.
pub struct Options(Mutex<Vec<OptionOf>>);

// SAFETY: the pointers are handed to the caller's functions, or written to while `clingo_main` runs, in its thread.
unsafe impl Send for Options {}
// SAFETY: as above; the list is behind a lock.
unsafe impl Sync for Options {}

static OPTIONS: Registry<Options> = Registry::new();

fn add(options: Handle<Options>, name: &str, help: &str, target: Target, multi: bool) -> Result<(), Fail> {
    let options = OPTIONS.get(options.number())?;
    let mut parts = name.split(',');
    let long = parts.next().unwrap_or_default().to_string();
    let short = parts.find(|p| !p.starts_with('@')).and_then(|p| p.chars().next());
    lock(&options.0).push(OptionOf { long, short, help: help.to_string(), target, multi, seen: false });
    Ok(())
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_options_add(
    options: Handle<Options>,
    _group: Text,
    option: Text,
    description: Text,
    parse: Option<extern "C" fn(*const c_char, *mut c_void) -> bool>,
    data: *mut c_void,
    multi: bool,
    _argument: Text,
) -> bool {
    ok(|| {
        let parse = parse.ok_or_else(|| Fail::logic("an option needs a function that reads its value"))?;
        add(options, option.get()?, description.get()?, Target::Parse(parse, data), multi)
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_options_add_flag(
    options: Handle<Options>,
    _group: Text,
    option: Text,
    description: Text,
    target: *mut bool,
) -> bool {
    ok(|| add(options, option.get()?, description.get()?, Target::Flag(target), true))
}

/// What the program of a control prints.
pub struct Printer {
    application: Application,
    data: *mut c_void,
    start: Instant,
    calls: u64,
    models: u64,
    last: SolveResult,
}

// SAFETY: the pointer is handed to the caller's functions and never read here.
unsafe impl Send for Printer {}

/// Prints a model as the command line does: the shown symbols in one line.
extern "C" fn print_symbols(model: *mut c_void) -> bool {
    ok(|| {
        let model = Handle::<Model>::from_pointer(model);
        let symbols = crate::model::shown_text(model)?;
        say(&symbols);
        Ok(())
    })
}

fn say(text: &str) {
    // The reader may be gone.
    let _ = writeln!(std::io::stdout(), "{text}");
}

impl Printer {
    /// Begins a call.
    pub fn begin(&mut self) {
        self.calls += 1;
        say("Solving...");
    }
}

/// Prints a model of a call, if its control's program prints.
pub fn print_model(call: &Solve, number: u64, costs: &[i64]) -> Result<(), Fail> {
    let (application, data) = {
        let mut printer = lock(&call.control.printer);
        let Some(printer) = printer.as_mut() else { return Ok(()) };
        printer.models += 1;
        (printer.application, printer.data)
    };
    say(&format!("Answer: {number}"));
    let model = Model::handle(call.number, number);
    match application.printer {
        Some(print) if !print(model, print_symbols, model.as_pointer(), data) => {
            return Err(Fail::of_callback());
        }
        Some(_) => {}
        None if !print_symbols(model.as_pointer()) => return Err(Fail::of_callback()),
        None => {}
    }
    if !costs.is_empty() {
        let costs: Vec<String> = costs.iter().map(ToString::to_string).collect();
        say(&format!("Optimization: {}", costs.join(" ")));
    }
    Ok(())
}

/// Records the result of a call.
pub fn note_result(control: &Control, result: &SolveResult) {
    if let Some(printer) = lock(&control.printer).as_mut() {
        printer.last = result.clone();
    }
}

/// Processes the user-defined options; returns the other arguments.
fn own_options(arguments: &[String], options: &Options) -> Result<Vec<String>, Fail> {
    let mut rest = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let found = {
            let mut list = lock(&options.0);
            let (name, joined) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value.to_string())),
                None => (argument.as_str(), None),
            };
            let is_it = |o: &&mut OptionOf| {
                name.strip_prefix("--") == Some(&o.long)
                    || o.short.is_some_and(|s| name.strip_prefix('-') == Some(&s.to_string()))
            };
            match list.iter_mut().find(is_it) {
                None => None,
                Some(option) => {
                    if std::mem::replace(&mut option.seen, true) && !option.multi {
                        let text = format!("multiple occurrences: '{}'", option.long);
                        return Err(Fail::runtime(text));
                    }
                    Some((option.target, joined, option.long.clone()))
                }
            }
        };
        let Some((target, joined, long)) = found else {
            rest.push(argument.clone());
            continue;
        };
        match target {
            Target::Flag(flag) => {
                // SAFETY: the caller gave the place of the flag for as long as `clingo_main` runs.
                unsafe { flag.write(joined.is_none_or(|v| v != "no")) }
            }
            Target::Parse(parse, data) => {
                let value = joined.or_else(|| arguments.next().cloned());
                let value = value.ok_or_else(|| Fail::runtime(format!("'{long}' requires a value!")))?;
                let text = CString::new(value.as_str()).unwrap_or_default();
                if !parse(text.as_ptr(), data) {
                    return Err(Fail::runtime(format!("'{value}' invalid value for: '{long}'")));
                }
            }
        }
    }
    Ok(rest)
}

/// Options of the command line only, which are accepted here.
const FOR_OUTPUT: [&str; 5] = ["outf", "quiet", "verbose", "time-limit", "stats"];

fn run(application: Application, arguments: &[String], data: *mut c_void) -> Result<c_int, Fail> {
    let text = |get: Option<extern "C" fn(*mut c_void) -> Text>, default: &str| match get {
        Some(get) => get(data).get().map(str::to_string),
        None => Ok(default.to_string()),
    };
    let name = text(application.program_name, "asp")?;
    let version = text(application.version, env!("CARGO_PKG_VERSION"))?;
    let number = Registry::<Options>::reserve();
    let options = Arc::new(Options(Mutex::default()));
    OPTIONS.insert(number, options.clone());
    let registered =
        application.register_options.is_none_or(|register| register(Handle::new(number, 0), data));
    OPTIONS.remove(number);
    if !registered {
        return Err(Fail::of_callback());
    }
    let rest = own_options(arguments, &options)?;
    if application.validate_options.is_some_and(|validate| !validate(data)) {
        return Err(Fail::of_callback());
    }
    let parsed = args::parse(&rest).map_err(Fail::runtime)?;
    if parsed.has("version") {
        say(&format!("{name} version {version}"));
        return Ok(0);
    }
    if parsed.has("help") {
        say(&format!("{name} version {version}\nusage: {name} [number] [options] [files]\n"));
        for option in lock(&options.0).iter() {
            say(&format!("  --{}: {}", option.long, option.help));
        }
        return Ok(0);
    }
    let files: Vec<String> = parsed.files.iter().map(ToString::to_string).collect();
    let mut own = Vec::new();
    for given in parsed.options.iter().filter(|g| !FOR_OUTPUT.contains(&g.spec.long)) {
        let no = if given.negated { "no-" } else { "" };
        let value = given.value.map_or(String::new(), |v| format!("={v}"));
        own.push(format!("--{no}{}{value}", given.spec.long));
    }
    let limit = application.message_limit.map_or(20, |limit| limit(data));
    let control = Control::new(&own, Logger::new(application.logger, data, limit))?;
    *lock(&control.printer) = Some(Printer {
        application,
        data,
        start: Instant::now(),
        calls: 0,
        models: 0,
        last: SolveResult::default(),
    });
    say(&format!("{name} version {version}"));
    let first = files.first().map_or("stdin", String::as_str);
    say(&format!("Reading from {first}{}", if files.len() > 1 { " ..." } else { "" }));
    let result = run_main(application, &control, &files, data);
    let printer = lock(&control.printer).take();
    CONTROLS.remove(control.number);
    crate::solve::close_all(&control);
    result?;
    Ok(printer.map_or(0, |printer| summary(&printer)))
}

fn run_main(
    application: Application,
    control: &Arc<Control>,
    files: &[String],
    data: *mut c_void,
) -> Result<(), Fail> {
    if let Some(main) = application.main {
        let texts: Vec<CString> =
            files.iter().map(|f| CString::new(f.as_str()).unwrap_or_default()).collect();
        let pointers: Vec<*const c_char> = texts.iter().map(|t| t.as_ptr()).collect();
        let worked = main(Handle::new(control.number, 0), pointers.as_ptr(), pointers.len(), data);
        return if worked { Ok(()) } else { Err(Fail::of_callback()) };
    }
    let read = if files.is_empty() { vec!["-".to_string()] } else { files.to_vec() };
    for file in &read {
        control.load(file)?;
    }
    if script::main(control)? {
        return Ok(());
    }
    control.with(|inner| Ok(inner.ground()?))?;
    let handle = Solve::start(control, 0, &[], None, null_mut())?;
    handle.get()?.close()
}

/// Prints the end of the output; returns the exit code.
fn summary(printer: &Printer) -> c_int {
    let Printer { last, models, calls, start, .. } = printer;
    let code = if last.satisfiable { 10 } else { 0 } + if last.exhausted { 20 } else { 0 };
    let word = match (last.satisfiable, last.exhausted) {
        (true, true) if last.costs.is_some() => "OPTIMUM FOUND",
        (true, _) => "SATISFIABLE",
        (false, true) => "UNSATISFIABLE",
        _ => "UNKNOWN",
    };
    let more = if last.satisfiable && !last.exhausted { "+" } else { "" };
    let seconds = start.elapsed().as_secs_f64();
    let solving = last.time.total;
    say(&format!("{word}\n\nModels       : {models}{more}\nCalls        : {calls}"));
    say(&format!(
        "Time         : {seconds:.3}s (Solving: {solving:.2}s 1st Model: {:.2}s Unsat: {:.2}s)",
        last.time.first_model, last.time.unsat
    ));
    say(&format!("CPU Time     : {seconds:.3}s"));
    code
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_main(
    application: Array<Application>,
    arguments: Array<Text>,
    size: usize,
    data: *mut c_void,
) -> c_int {
    guard(1, || {
        let application = *application.get().ok_or_else(|| Fail::logic("there is no application"))?;
        let arguments: Vec<String> =
            arguments.slice(size).iter().map(|a| a.get().map(str::to_string)).collect::<Result<_, _>>()?;
        run(application, &arguments, data).inspect_err(|fail| {
            eprintln!("*** ERROR: (asp): {}", fail.message.to_string_lossy());
        })
    })
}
