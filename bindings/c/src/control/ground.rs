//! Grounding, with user-defined functions for `@f(...)`.

use std::cmp::Ordering;
use std::ffi::{c_char, c_void};
use std::sync::{Arc, Mutex};

use asp::symbol::Symbols;
use asp::{FunctionCall, Symbol as Sym};

use crate::control::{Control, Slot, lock};
use crate::error::Fail;
use crate::ffi::{Array, Text};
use crate::logger::ERROR;
use crate::place::Place;
use crate::script;
use crate::symbol::{Symbol, intern_text, name_of};

/// A program part to ground, as C writes it.
#[repr(C)]
pub struct Part {
    name: Text,
    params: Array<Symbol>,
    size: usize,
}

/// A place in a program, as C reads it.
#[repr(C)]
pub struct Location {
    /// Where it begins and ends: files, lines and columns from 1.
    pub begin_file: *const c_char,
    /// See `begin_file`.
    pub end_file: *const c_char,
    /// See `begin_file`.
    pub begin_line: usize,
    /// See `begin_file`.
    pub end_line: usize,
    /// See `begin_file`.
    pub begin_column: usize,
    /// See `begin_file`.
    pub end_column: usize,
}

impl Location {
    /// A place for C; a span without a place has empty names.
    pub fn of(place: Option<Place<'_>>) -> Result<Self, Fail> {
        let place = place.unwrap_or(Place { file: "", begin: (1, 1), end: (1, 1) });
        let file = name_of(intern_text(place.file)?);
        Ok(Self {
            begin_file: file,
            end_file: file,
            begin_line: place.begin.0 as usize,
            end_line: place.end.0 as usize,
            begin_column: place.begin.1 as usize,
            end_column: place.end.1 as usize,
        })
    }
}

/// Takes the values of a call.
pub type SymbolCallback = extern "C" fn(Array<Symbol>, usize, List) -> bool;

/// The user-defined function for `@f(...)`.
pub type GroundCallback = Option<
    extern "C" fn(
        *const Location,
        *const c_char,
        *const Symbol,
        usize,
        *mut c_void,
        SymbolCallback,
        List,
    ) -> bool,
>;

/// A list that a user-defined function passes back to [`collect`].
#[repr(transparent)]
pub struct List(pub *mut Vec<Symbol>);

/// Receives the values of a call: adds them to a list.
pub extern "C" fn collect(symbols: Array<Symbol>, size: usize, list: List) -> bool {
    // SAFETY: the pointer was handed to the caller's function together with this one, and the list that it points to is alive
    // until that function returns; the caller does not call this one later.
    if let Some(list) = unsafe { list.0.as_mut() } {
        list.extend_from_slice(symbols.slice(size));
    }
    true
}

/// What `@f(...)` calls: the user-defined function, or those of registered scripts.
pub struct Callbacks {
    control: &'static Control,
    callback: GroundCallback,
    data: *mut c_void,
    /// The error of the user-defined function.
    failed: Arc<Mutex<Option<Fail>>>,
}

// SAFETY: the pointer is handed to the caller's function and never read here; grounding runs in the thread that called.
unsafe impl Send for Callbacks {}

impl Callbacks {
    /// Lets scripts be called while the control is away.
    pub fn install(control: &Control, inner: &mut asp::Control) {
        if script::is_there() || control.lua.is_there() {
            Self::of(control, None, std::ptr::null_mut()).set(inner);
        }
    }

    fn of(control: &Control, callback: GroundCallback, data: *mut c_void) -> Self {
        // SAFETY: the control is taken from its place until grounding ends, and the function is taken from it then.
        let control: &'static Control = unsafe { &*std::ptr::from_ref(control) };
        Self { control, callback, data, failed: Arc::default() }
    }

    fn set(self, inner: &mut asp::Control) {
        inner.set_functions(move |symbols, call| self.call(symbols, call));
    }

    fn call(&self, symbols: &mut Symbols, call: &FunctionCall<'_>) -> Result<Vec<Sym>, String> {
        self.values(symbols, call).map_err(|fail| {
            let text = fail.message.to_string_lossy().into_owned();
            lock(&self.failed).get_or_insert(fail);
            text
        })
    }

    fn values(&self, symbols: &mut Symbols, call: &FunctionCall<'_>) -> Result<Vec<Sym>, Fail> {
        let arguments: Vec<Symbol> = {
            let mut map = self.control.map();
            call.arguments.iter().map(|&a| map.symbol(symbols, a)).collect::<Result<_, _>>()?
        };
        let name = symbols.str(call.name).to_string();
        let location = Location::of(Place::of(call.span, call.sources))?;
        let mut values: Vec<Symbol> = Vec::new();
        match self.callback {
            Some(callback) => {
                let name = name_of(intern_text(&name)?);
                let (start, size) = (arguments.as_ptr(), arguments.len());
                let list = List(&mut values);
                Fail::unless(|| callback(&location, name, start, size, self.data, collect, list))?;
            }
            None if !script::call(&location, &name, &arguments, &mut values)? => {
                let values = self.control.lua.call(symbols, call)?;
                return Ok(values.unwrap_or_else(|| call.undefined()));
            }
            None => {}
        }
        let mut map = self.control.map();
        values.iter().map(|&value| map.intern(symbols, value)).collect()
    }
}

/// Grounds the part `base` of a control's program.
pub fn ground_base(control: &Control) -> Result<(), Fail> {
    let base = Part { name: Text::new(c"base".as_ptr()), params: Array::new(std::ptr::null()), size: 0 };
    ground(control, &[base], None, std::ptr::null_mut())
}

/// Compares the arguments of two parts: fewer before more, then one by one.
fn by_arguments(symbols: &Symbols, a: &[Sym], b: &[Sym]) -> Ordering {
    let each = a.iter().zip(b).map(|(&a, &b)| symbols.cmp(a, b));
    a.len().cmp(&b.len()).then_with(|| each.fold(Ordering::Equal, Ordering::then))
}

/// Grounds parts of a control's program.
pub fn ground(
    control: &Control,
    parts: &[Part],
    callback: GroundCallback,
    data: *mut c_void,
) -> Result<(), Fail> {
    control.may_change()?;
    control.catch_up();
    control.messages.check("grounding stopped because of errors")?;
    let mut inner = control.take("grounding")?;
    let functions = Callbacks::of(control, callback, data);
    let failed = functions.failed.clone();
    if callback.is_some() || script::is_there() || control.lua.is_there() {
        functions.set(&mut inner);
    }
    let result = (|| {
        let mut named = Vec::with_capacity(parts.len());
        for part in parts {
            let mut map = control.map();
            let params = part.params.slice(part.size).iter();
            let params: Result<Vec<_>, Fail> = params.map(|&p| map.intern(inner.symbols_mut(), p)).collect();
            named.push((part.name.get()?, params?));
        }
        // Instances of a part come in the order of their arguments, and so do their atoms.
        named.sort_by(|a, b| a.0.cmp(b.0).then_with(|| by_arguments(inner.symbols(), &a.1, &b.1)));
        if lock(&control.switches).cleanup {
            control.clean_up(&mut inner);
        }
        inner.parse()?;
        control.note_constants(&mut inner)?;
        let atoms = inner.program().atoms.len() as u32;
        let rules = inner.program().rules.len();
        inner.ground_parts(&named)?;
        let checked = control.drop_redefinitions(&mut inner, rules);
        control.note_step(&inner);
        control.observe(&mut inner, None, Some(atoms)).and(checked)
    })();
    inner.clear_functions();
    let (mut messages, told) =
        control.messages.take(&mut inner, &control.messages.trees, control.console.as_deref());
    lock(&control.messages.trees).forget();
    control.apply_postponed(&mut inner);
    control.put(Slot::Here(inner));
    let failed = lock(&failed).take();
    if failed.is_some() {
        // The caller knows its own error.
        messages.retain(|message| message.0 != ERROR);
    }
    control.messages.tell(messages);
    failed.map_or(result.and(told), Err)
}
