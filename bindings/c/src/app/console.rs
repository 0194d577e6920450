//! What a program of the caller's prints of its calls: what the command line prints of a run.
//!
//! Invariant: no lock of a control or a call is held while a model is printed, since the caller's function may read it.

use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use asp::options::SolveOptions;
use asp::program::Program;
use asp::symbol::Symbols;
use asp::{Answer, SolveResult, StopReason};
use asp::{Event, Flow};
use asp_options::raw::Options;
use asp_run::{OpenCall, Run};

use crate::control::lock;
use crate::error::{Fail, ok};
use crate::model::Model;
use crate::registry::{Handle, Registry};

/// The function that prints a model as the command line does.
pub type DefaultPrinter = extern "C" fn(Handle<Vec<u8>>) -> bool;
/// The caller's function that prints a model.
pub type ModelPrinter = extern "C" fn(Handle<Model>, DefaultPrinter, Handle<Vec<u8>>, *mut c_void) -> bool;

/// Models as the command line prints them, while the caller's function runs.
static TEXTS: Registry<Vec<u8>> = Registry::new();

extern "C" fn print_text(text: Handle<Vec<u8>>) -> bool {
    ok(|| {
        use std::io::Write as _;
        let text = TEXTS.get(text.number())?;
        let mut out = std::io::stdout().lock();
        // Who reads may be gone.
        let _ = out.write_all(&text).and_then(|()| out.flush());
        Ok(())
    })
}

/// The model that is being printed, and what printing failed with.
#[derive(Default)]
struct Current {
    call: usize,
    number: u64,
    fail: Option<Fail>,
}

/// What is printed.
pub struct Console {
    pub run: Run,
    /// Whether messages go to the caller.
    pub has_logger: bool,
    call: Mutex<Option<OpenCall>>,
    current: Arc<Mutex<Current>>,
    /// Why a call was stopped.
    stopped: Mutex<Option<StopReason>>,
}

struct Data(*mut c_void);

// SAFETY: the pointer is handed to the caller's functions and never read here; models are printed by the thread that tells of
// them, as clingo.h has it.
unsafe impl Send for Data {}

impl Console {
    /// What a program with a name prints.
    pub fn new(name: &str, options: Box<Options>, has_logger: bool) -> Self {
        Self {
            run: Run::of_program(name, options),
            has_logger,
            call: Mutex::default(),
            current: Arc::default(),
            stopped: Mutex::default(),
        }
    }

    /// Lets a function of the caller's print models.
    pub fn set_printer(&self, print: ModelPrinter, data: *mut c_void) {
        let (current, data) = (self.current.clone(), Data(data));
        self.run.set_printer(move |text| {
            let data = &data;
            let model = {
                let current = lock(&current);
                Model::handle(current.call, current.number)
            };
            let number = Registry::<Vec<u8>>::reserve();
            TEXTS.insert(number, Arc::new(text.to_vec()));
            let printed = Fail::unless(|| print(model, print_text, Handle::new(number, 0), data.0));
            TEXTS.remove(number);
            if let Err(fail) = printed {
                lock(&current).fail.get_or_insert(fail);
            }
        });
    }

    /// A call begins.
    pub fn begin_call(&self, control: &mut asp::Control, options: &SolveOptions) -> Result<(), Fail> {
        self.run.open_call();
        let call = self.run.begin_call(control, options.clone(), self.run.seconds())?;
        *lock(&self.call) = Some(call);
        Ok(())
    }

    /// Something happens in a call with a number. Whether to go on.
    pub fn event(
        &self,
        number: usize,
        event: Event<'_>,
        program: &Program,
        symbols: &Symbols,
    ) -> Result<bool, Fail> {
        if let Event::Model(model) = &event {
            let mut current = lock(&self.current);
            (current.call, current.number) = (number, model.number);
        }
        let Some(mut call) = lock(&self.call).take() else { return Ok(true) };
        let flow = self.run.event(&mut call, event, program, symbols);
        *lock(&self.call) = Some(call);
        match lock(&self.current).fail.take() {
            Some(fail) => Err(fail),
            None => Ok(flow != Flow::Stop),
        }
    }

    /// A model of a call with a number is printed, with what the caller has added to it. Whether to go on.
    pub fn model(&self, number: usize, answer: &Answer<'_>, added: &[String]) -> Result<bool, Fail> {
        if let Some(call) = lock(&self.call).as_mut() {
            self.run.add_terms(call, added);
        }
        self.event(number, Event::Model(*answer.model()), answer.program(), answer.symbols())
    }

    /// A call ends.
    pub fn end_call(&self, result: &SolveResult, has_open_externals: bool) -> Result<(), Fail> {
        let Some(call) = lock(&self.call).take() else { return Ok(()) };
        if let Some(reason) = result.interrupted() {
            *lock(&self.stopped) = Some(reason);
        }
        self.run.end_call(call, result.clone(), has_open_externals);
        lock(&self.current).fail.take().map_or(Ok(()), Err)
    }

    /// The end; returns the exit code.
    pub fn finish(&self, control: &mut asp::Control) -> u8 {
        if let Some(reason) = lock(&self.stopped).take() {
            self.run.interrupt().stop(reason);
        }
        self.run.end(control)
    }

    /// The end after an error; returns the exit code.
    pub fn fail(&self, fail: &Fail) -> u8 {
        match self.run.interrupt().poll() {
            Some(reason) => self.run.fail(&asp::Error::Stopped(reason)),
            None => self.run.fail_with(&fail.message.to_string_lossy()),
        }
    }
}
