//! Programs of the caller's that behave like the command line: their own options, their own main function, results as text.
//!
//! Invariant: what is printed of models and calls comes from the control that the program was given, whoever makes its
//! calls.

pub mod console;
mod options;

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

use asp_options::help;
use asp_options::raw::{self, Action};
use asp_options::usage::{UsageError, UsageErrorKind};
use asp_options::{args, check};
use asp_run::stderr::tell;
use asp_run::usage::exit_code;

use crate::control::ground::Callbacks;
use crate::control::{CONTROLS, Control, Slot};
use crate::error::{Fail, guard};
use crate::ffi::{Array, Text, text_for_c};
use crate::logger::{Logger, LoggerCallback};
use crate::registry::{Handle, Registry};
use crate::script;
use crate::solve::Solve;
use console::{Console, ModelPrinter};
use options::{OPTIONS, Options};

/// A program of the caller's, as C writes it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Application {
    program_name: Option<extern "C" fn(*mut c_void) -> Text>,
    version: Option<extern "C" fn(*mut c_void) -> Text>,
    message_limit: Option<extern "C" fn(*mut c_void) -> u32>,
    main: Option<extern "C" fn(Handle<Control>, *const *const c_char, usize, *mut c_void) -> bool>,
    logger: LoggerCallback,
    printer: Option<ModelPrinter>,
    register_options: Option<extern "C" fn(Handle<Options>, *mut c_void) -> bool>,
    validate_options: Option<extern "C" fn(*mut c_void) -> bool>,
}

/// A program and what its functions are handed.
struct Program {
    application: Application,
    data: *mut c_void,
    name: String,
    version: String,
}

impl Program {
    fn new(application: Application, data: *mut c_void) -> Result<Self, Fail> {
        let text = |get: Option<extern "C" fn(*mut c_void) -> Text>, default: &str| match get {
            Some(get) => get(data).get().map(str::to_string),
            None => Ok(default.to_string()),
        };
        let name = text(application.program_name, "clingo")?;
        let version = text(application.version, crate::version::CLINGO)?;
        Ok(Self { application, data, name, version })
    }

    /// Says what is wrong with the options, and returns the exit code.
    fn refuse(&self, error: &UsageError) -> c_int {
        self.tell(&error.text(&self.name));
        c_int::from(exit_code(error.kind))
    }

    /// Prints an error.
    fn tell(&self, text: &str) {
        tell(&format!("*** ERROR: ({}): {text}", self.name));
        tell(&format!("*** Info : ({}): Try '--help' for usage information", self.name));
    }

    /// An error about an option of the caller's.
    fn own(fail: &Fail) -> UsageError {
        let text = fail.message.to_string_lossy();
        let is_syntax = ["requires a value!", "does not take a value!"].iter().any(|end| text.ends_with(end));
        UsageError::new(if is_syntax { UsageErrorKind::Syntax } else { UsageErrorKind::Option }, text)
    }

    fn run(&self, arguments: &[String]) -> Result<c_int, Fail> {
        let Self { application, data, name, version } = self;
        let number = Registry::<Options>::reserve();
        let options = Arc::new(Options::default());
        OPTIONS.insert(number, options.clone());
        let register = application.register_options;
        let registered = Fail::unless(|| register.is_none_or(|r| r(Handle::new(number, 0), *data)));
        OPTIONS.remove(number);
        if let Err(fail) = registered {
            return Ok(self.refuse(&Self::own(&fail)));
        }
        let rest = match options.take(arguments) {
            Ok(rest) => rest,
            Err(fail) => return Ok(self.refuse(&Self::own(&fail))),
        };
        let parsed = match args::parse(&rest) {
            Ok(parsed) => parsed,
            Err(why) => return Ok(self.refuse(&why)),
        };
        let head = format!("{name} version {version}");
        let mut chosen = match check::check(&parsed) {
            Ok(Action::Run(chosen)) => chosen,
            Ok(Action::Help(level)) => {
                let own = options.help(level);
                print(&format!(
                    "{head}\nusage: {name} [number] [options] [files]\n\n{own}{}",
                    help::options(level, asp_run::terminal::help_width())
                ));
                return Ok(0);
            }
            Ok(Action::Version) => {
                print(&format!("{head}\n{}", asp_run::version::build()));
                return Ok(0);
            }
            Ok(_) => {
                let message = "this option is asp's own";
                return Ok(self.refuse(&UsageError::new(UsageErrorKind::Argument, message)));
            }
            Err(why) => return Ok(self.refuse(&why)),
        };
        if let Err(fail) =
            Fail::unless(|| application.validate_options.is_none_or(|validate| validate(*data)))
        {
            // As clingo: the message is the caller's, and so is the exit code.
            self.tell(&fail.message.to_string_lossy());
            return Ok(0);
        }
        chosen.style.program = head;
        let limit = application.message_limit.map_or(20, |limit| limit(*data));
        let console = Console::new(name, chosen.clone(), application.logger.is_some());
        if let Some(print) = application.printer {
            console.set_printer(print, *data);
        }
        let inner = console.run.control();
        let console = Arc::new(console);
        let own = parsed.of_control();
        let logger = Logger::new(application.logger, *data, limit);
        let control = Control::around(inner, &chosen, &own, logger, Some(console.clone()))?;
        let result = self.run_main(&control, &console, &chosen);
        let code = match result {
            Ok(Some(code)) => code,
            Ok(None) => control.with(|inner| Ok(console.finish(inner)))?,
            Err(fail) => console.fail(&fail),
        };
        crate::solve::close_all(&control);
        CONTROLS.remove(control.number);
        Ok(c_int::from(asp_run::Run::exit_code(code)))
    }

    /// Runs the main function: the caller's, that of a script, or that of the command line. The exit code, if the run is over.
    fn run_main(
        &self,
        control: &Arc<Control>,
        console: &Arc<Console>,
        chosen: &raw::Options,
    ) -> Result<Option<u8>, Fail> {
        if let Some(code) = console.run.missing_file() {
            return Ok(Some(code));
        }
        if let Some(main) = self.application.main {
            console.run.begin();
            console.run.open_call();
            control.write_instead(chosen)?;
            let texts = chosen.files.iter().map(|file| text_for_c(file));
            let texts: Vec<CString> = texts.collect::<Result<_, _>>()?;
            let pointers: Vec<*const c_char> = texts.iter().map(|t| t.as_ptr()).collect();
            Fail::unless(|| {
                main(Handle::new(control.number, 0), pointers.as_ptr(), pointers.len(), self.data)
            })?;
            return Ok(None);
        }
        console.run.head();
        if let Err(code) = control.borrow("reading", |inner| console.run.read_files_of(inner))? {
            return Ok(Some(code));
        }
        if control.lua.has_main() {
            return Err(Fail::runtime(
                "`main` of a script in Lua is run by the program asp, not by programs on its library",
            ));
        }
        if script::has_main()? {
            console.run.begin();
            console.run.open_call();
            control.write_instead(chosen)?;
            script::main(control)?;
            return Ok(None);
        }
        let is_plain = control.with(|inner| Ok(console.run.is_plain(inner)))?;
        if self.application.printer.is_some() && is_plain {
            console.run.begin();
            console.run.open_call();
            crate::control::ground::ground_base(control)?;
            let handle = Solve::start(control, 0, &[], None, null_mut())?;
            handle.get()?.close()?;
            return Ok(None);
        }
        let code = control.borrow("solving", |inner| {
            Callbacks::install(control, inner);
            let code = console.run.solve_or_write(inner);
            inner.clear_functions();
            code
        })?;
        Ok(Some(code))
    }
}

fn print(text: &str) {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    // Who reads may be gone.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

impl Control {
    /// Takes the engine's control away, does something with it and brings it back.
    fn borrow<T>(&self, why: &'static str, run: impl FnOnce(&mut asp::Control) -> T) -> Result<T, Fail> {
        let mut inner = self.take(why)?;
        let result = run(&mut inner);
        self.put(Slot::Here(inner));
        Ok(result)
    }
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
        Program::new(application, data)?.run(&arguments).inspect_err(|fail| {
            tell(&format!("*** ERROR: (asp): {}", fail.message.to_string_lossy()));
        })
    })
}
