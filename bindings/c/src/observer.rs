//! Observers of the ground program: what grounding and calls add is passed on statement by statement.
//!
//! Invariant: statements have the form and the order of aspif as gringo writes it, with the numbers that atoms have everywhere;
//! each fact is passed on as a rule for its number.

use std::ffi::{CString, c_char, c_int, c_void};
use std::fs::File;

use asp::backend::AtomId;
use asp::program::ShowItem;
use asp::{Ground, GroundFormat, GroundWriter, Place};

use crate::backend::WeightedLiteral;
use crate::control::{Control, Slot, lock};
use crate::error::{Fail, ok};
use crate::ffi::{Array, Text};
use crate::map::SymbolMap;
use crate::registry::Handle;
use crate::symbol::Symbol;

type Unit = Option<extern "C" fn(*mut c_void) -> bool>;
type Conditioned<A> = Option<extern "C" fn(A, *const i32, usize, *mut c_void) -> bool>;

/// The user-defined functions, as C writes them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Observer {
    init_program: Option<extern "C" fn(bool, *mut c_void) -> bool>,
    begin_step: Unit,
    end_step: Unit,
    rule: Option<extern "C" fn(bool, *const u32, usize, *const i32, usize, *mut c_void) -> bool>,
    weight_rule: Option<
        extern "C" fn(bool, *const u32, usize, i32, *const WeightedLiteral, usize, *mut c_void) -> bool,
    >,
    minimize: Option<extern "C" fn(i32, *const WeightedLiteral, usize, *mut c_void) -> bool>,
    project: Option<extern "C" fn(*const u32, usize, *mut c_void) -> bool>,
    output_atom: Option<extern "C" fn(Symbol, u32, *mut c_void) -> bool>,
    output_term: Conditioned<Symbol>,
    external: Option<extern "C" fn(u32, c_int, *mut c_void) -> bool>,
    assume: Option<extern "C" fn(*const i32, usize, *mut c_void) -> bool>,
    heuristic: Option<extern "C" fn(u32, c_int, c_int, u32, *const i32, usize, *mut c_void) -> bool>,
    acyc_edge: Option<extern "C" fn(c_int, c_int, *const i32, usize, *mut c_void) -> bool>,
    theory_term_number: Option<extern "C" fn(u32, c_int, *mut c_void) -> bool>,
    theory_term_string: Option<extern "C" fn(u32, *const c_char, *mut c_void) -> bool>,
    theory_term_compound: Option<extern "C" fn(u32, c_int, *const u32, usize, *mut c_void) -> bool>,
    theory_element: Option<extern "C" fn(u32, *const u32, usize, *const i32, usize, *mut c_void) -> bool>,
    theory_atom: Option<extern "C" fn(u32, u32, *const u32, usize, *mut c_void) -> bool>,
    theory_atom_with_guard: Option<extern "C" fn(u32, u32, *const u32, usize, u32, u32, *mut c_void) -> bool>,
}

/// An observer with its data, and what has been passed on to it.
pub struct Watch {
    observer: Observer,
    data: *mut c_void,
    writer: GroundWriter,
    /// Whether the beginning of the program, and of the step, has been passed on.
    told: bool,
    begun: bool,
    /// Number of rows of each predicate searched for facts.
    rows: Vec<u32>,
}

// SAFETY: the pointer is handed to the caller's functions and never read here; clingo.h says that they are called from the
// thread that grounds or begins a call.
unsafe impl Send for Watch {}

/// The observers of a control.
#[derive(Default)]
pub struct Watches {
    list: Vec<Watch>,
    /// Files to which the ground program is written.
    files: Vec<(GroundWriter, File)>,
    /// Whether the program is for observers only, so that nothing is solved.
    pub replace: bool,
}

impl Watches {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// Calls a user-defined function, if there is one.
macro_rules! tell {
    ($function:expr, $($argument:expr),*) => {
        match $function {
            Some(function) => Fail::unless_wrong(|| Ok(function($($argument),*)))?,
            None => {}
        }
    };
}

/// The numbers of a line of aspif, where an atom is its place in the ground program, from 1 on.
struct Line<'a> {
    rest: &'a str,
    control: &'a Control,
}

impl<'a> Line<'a> {
    fn number(&mut self) -> Result<i64, Fail> {
        let rest = self.rest.trim_start();
        let end = rest.find(' ').unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        word.parse().map_err(|_| Fail::runtime(format!("a number was expected, not {word:?}")))
    }
    fn int(&mut self) -> Result<i32, Fail> {
        let n = self.number()?;
        i32::try_from(n).map_err(|_| Fail::runtime(format!("the integer {n} does not fit 32 bits")))
    }
    fn id(&mut self) -> Result<u32, Fail> {
        let n = self.number()?;
        u32::try_from(n).map_err(|_| Fail::runtime(format!("the number {n} does not fit 32 bits")))
    }
    fn ids(&mut self) -> Result<Vec<u32>, Fail> {
        (0..self.number()?).map(|_| self.id()).collect()
    }
    /// A literal, by its number outside. 0 stands for itself.
    fn literal(&mut self) -> Result<i32, Fail> {
        let n = self.int()?;
        let number = |n: u32| self.control.numbers().of_atom(AtomId(n - 1));
        Ok(if n == 0 { 0 } else { number(n.unsigned_abs()) * n.signum() })
    }
    fn literals(&mut self) -> Result<Vec<i32>, Fail> {
        (0..self.number()?).map(|_| self.literal()).collect()
    }
    fn atom(&mut self) -> Result<u32, Fail> {
        Ok(self.literal()?.unsigned_abs())
    }
    fn atoms(&mut self) -> Result<Vec<u32>, Fail> {
        (0..self.number()?).map(|_| self.atom()).collect()
    }
    fn weighted(&mut self) -> Result<Vec<WeightedLiteral>, Fail> {
        (0..self.number()?)
            .map(|_| Ok(WeightedLiteral { literal: self.literal()?, weight: self.int()? }))
            .collect()
    }
    fn text(&mut self) -> Result<&'a str, Fail> {
        let length = self.number()? as usize;
        let rest = self.rest.strip_prefix(' ').unwrap_or(self.rest);
        let text = rest.get(..length).ok_or_else(|| Fail::runtime("a text ends early"))?;
        self.rest = &rest[length..];
        Ok(text)
    }
}

impl Watch {
    /// Passes on what is new; `assumptions` end a step.
    fn tell(&mut self, step: Option<&[i32]>, new: &News<'_>, control: &Control) -> Result<(), Fail> {
        let (o, data) = (self.observer, self.data);
        if !self.begun {
            self.begun = true;
            if !std::mem::replace(&mut self.told, true) {
                tell!(o.init_program, !control.is_single_shot(), data);
            }
            tell!(o.begin_step, data);
        }
        // First, as grounding comes upon them.
        for &fact in &new.facts {
            tell!(o.rule, false, [fact as u32].as_ptr(), 1, std::ptr::null(), 0, data);
        }
        let mut outputs = new.outputs.iter();
        for line in new.text.lines() {
            if line.starts_with("4 ") {
                if let Some(output) = outputs.next() {
                    self.output(output, line, control)?;
                }
            } else {
                self.line(line, control)?;
            }
        }
        if let Some(assumptions) = step {
            if !assumptions.is_empty() {
                tell!(o.assume, assumptions.as_ptr(), assumptions.len(), data);
            }
            tell!(o.end_step, data);
            self.begun = false;
        }
        Ok(())
    }

    /// What is shown. clingo passes the atom 0 for facts.
    fn output(&self, output: &Output, text: &str, control: &Control) -> Result<(), Fail> {
        let (o, data) = (self.observer, self.data);
        match *output {
            Output::Atom(symbol, atom) => {
                let number = atom.map_or(0, |atom| control.numbers().of_atom(atom) as u32);
                tell!(o.output_atom, symbol, number, data);
            }
            Output::Term(symbol) => {
                let mut line = Line { rest: text, control };
                line.number()?;
                line.text()?;
                let condition = line.literals()?;
                tell!(o.output_term, symbol, condition.as_ptr(), condition.len(), data);
            }
        }
        Ok(())
    }

    fn line(&self, text: &str, control: &Control) -> Result<(), Fail> {
        let (o, data) = (self.observer, self.data);
        let mut line = Line { rest: text, control };
        if text.starts_with("asp ") {
            return Ok(());
        }
        match line.number()? {
            1 => {
                let choice = line.number()? == 1;
                let head = line.atoms()?;
                if line.number()? == 0 {
                    let body = line.literals()?;
                    tell!(o.rule, choice, head.as_ptr(), head.len(), body.as_ptr(), body.len(), data);
                } else {
                    let bound = line.int()?;
                    let body = line.weighted()?;
                    tell!(
                        o.weight_rule,
                        choice,
                        head.as_ptr(),
                        head.len(),
                        bound,
                        body.as_ptr(),
                        body.len(),
                        data
                    );
                }
            }
            2 => {
                let priority = line.int()?;
                let terms = line.weighted()?;
                tell!(o.minimize, priority, terms.as_ptr(), terms.len(), data);
            }
            3 => {
                let atoms = line.atoms()?;
                tell!(o.project, atoms.as_ptr(), atoms.len(), data);
            }
            5 => {
                let (atom, value) = (line.atom()?, line.int()?);
                tell!(o.external, atom, value, data);
            }
            6 => {
                let literals = line.literals()?;
                tell!(o.assume, literals.as_ptr(), literals.len(), data);
            }
            7 => {
                let (modifier, atom) = (line.int()?, line.atom()?);
                let (bias, priority) = (line.int()?, line.id()?);
                let condition = line.literals()?;
                tell!(o.heuristic, atom, modifier, bias, priority, condition.as_ptr(), condition.len(), data);
            }
            8 => {
                let (from, to) = (line.int()?, line.int()?);
                let condition = line.literals()?;
                tell!(o.acyc_edge, from, to, condition.as_ptr(), condition.len(), data);
            }
            9 => self.theory(&mut line)?,
            // An atom is numbered now.
            10 => {
                line.atom()?;
            }
            // What is shown is passed on separately, as symbols.
            _ => {}
        }
        Ok(())
    }

    fn theory(&self, line: &mut Line<'_>) -> Result<(), Fail> {
        let (o, data) = (self.observer, self.data);
        let kind = line.number()?;
        let id = if kind < 5 { line.id()? } else { line.atom()? };
        match kind {
            0 => tell!(o.theory_term_number, id, line.int()?, data),
            1 => {
                let text = CString::new(line.text()?).unwrap_or_default();
                tell!(o.theory_term_string, id, text.as_ptr(), data);
            }
            2 => {
                let name = line.int()?;
                let arguments = line.ids()?;
                tell!(o.theory_term_compound, id, name, arguments.as_ptr(), arguments.len(), data);
            }
            4 => {
                let (terms, condition) = (line.ids()?, line.literals()?);
                let (start, size) = (condition.as_ptr(), condition.len());
                tell!(o.theory_element, id, terms.as_ptr(), terms.len(), start, size, data);
            }
            _ => {
                let term = line.id()?;
                let elements = line.ids()?;
                let (start, size) = (elements.as_ptr(), elements.len());
                if kind == 5 {
                    tell!(o.theory_atom, id, term, start, size, data);
                } else {
                    let (operator, right) = (line.id()?, line.id()?);
                    tell!(o.theory_atom_with_guard, id, term, start, size, operator, right, data);
                }
            }
        }
        Ok(())
    }
}

/// When the names of atoms are passed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    Now,
    /// A backend may go on.
    Later,
}

/// What is new in a program.
#[derive(Default)]
struct News<'a> {
    text: std::borrow::Cow<'a, str>,
    facts: Vec<i32>,
    /// By line.
    outputs: Vec<Output>,
}

/// What is shown.
enum Output {
    /// An atom, or a fact.
    Atom(Symbol, Option<AtomId>),
    Term(Symbol),
}

/// Passes on new facts and new show entries.
fn shown(
    watch: &mut Watch,
    control: &Control,
    ground: Ground<'_>,
    map: &mut SymbolMap,
    atoms: Option<u32>,
    news: &mut News<'_>,
) -> Result<(), Fail> {
    let atoms = atoms.unwrap_or(ground.program().atoms.len() as u32);
    watch.rows.resize(ground.predicates() as usize, 0);
    for predicate in 0..ground.predicates() {
        let Some((_, count)) = ground.predicate(predicate) else { continue };
        let first = std::mem::replace(&mut watch.rows[predicate as usize], count);
        for row in first..count {
            let place = Place { predicate, row };
            if ground.atom(place).is_some_and(|k| k.is_fact && k.atom.is_none()) {
                news.facts.push(control.numbers().add_fact(place, atoms));
            }
        }
    }
    let (program, symbols) = (ground.program(), ground.symbols());
    for &entry in watch.writer.outputs() {
        let output = match program.shows[entry].item {
            ShowItem::Atom(atom) => {
                let Some((signature, args)) = program.atoms.get(atom) else { continue };
                Output::Atom(map.atom(symbols, signature.name, args, signature.negative)?, Some(atom))
            }
            ShowItem::Fact(term) => Output::Atom(map.symbol(symbols, term)?, None),
            ShowItem::Term(term) | ShowItem::Value(term) | ShowItem::Digit(term) => {
                Output::Term(map.symbol(symbols, term)?)
            }
        };
        news.outputs.push(output);
    }
    Ok(())
}

impl Control {
    /// Passes on what is new to all observers; with assumptions, the step ends. After grounding: how many atoms there were
    /// before.
    pub fn observe(
        &self,
        inner: &mut asp::Control,
        step: Option<&[i32]>,
        atoms: Option<u32>,
    ) -> Result<(), Fail> {
        self.observe_all(inner, Names::Now, step, atoms)
    }

    fn observe_all(
        &self,
        inner: &mut asp::Control,
        names: Names,
        step: Option<&[i32]>,
        atoms: Option<u32>,
    ) -> Result<(), Fail> {
        let mut watches = std::mem::take(&mut lock(&self.watches).list);
        let told = watches.iter_mut().try_for_each(|watch| {
            let mut text = Vec::new();
            match names {
                Names::Now => inner.write_ground(&mut watch.writer, &mut text)?,
                Names::Later => inner.write_unnamed(&mut watch.writer, &mut text)?,
            }
            let mut news = News { text: String::from_utf8_lossy(&text), ..News::default() };
            shown(watch, self, inner.as_ground(), &mut self.map(), atoms, &mut news)?;
            watch.tell(step, &news, self)
        });
        let mut own = lock(&self.watches);
        watches.append(&mut own.list);
        own.list = watches;
        told
    }

    /// Whether there is an observer.
    pub fn is_observed(&self) -> bool {
        !lock(&self.watches).is_empty()
    }

    /// Passes on what a backend has added since the last time.
    pub fn tell_observers(&self, names: Names) -> Result<(), Fail> {
        if !self.is_observed() {
            return Ok(());
        }
        let mut inner = self.take("telling its observers")?;
        let told = self.observe_all(&mut inner, names, None, None);
        self.put(Slot::Here(inner));
        told
    }
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_register_observer(
    control: Handle<Control>,
    observer: Array<Observer>,
    replace: bool,
    data: *mut c_void,
) -> bool {
    ok(|| {
        let control = control.get()?;
        let observer = *observer.get().ok_or_else(|| Fail::logic("there is no observer"))?;
        let writer = control.with(|inner| {
            control.numbers().follow(inner.as_ground());
            Ok(inner.step_writer())
        })?;
        let mut watches = lock(&control.watches);
        watches.replace |= replace;
        let rows = Vec::new();
        watches.list.push(Watch { observer, data, writer, told: false, begun: false, rows });
        Ok(())
    })
}

/// See clingo.h. The file is written from the beginning when it is registered, and continued at each call.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_register_backend(
    control: Handle<Control>,
    kind: u32,
    file: Text,
    replace: bool,
) -> bool {
    ok(|| {
        let control = control.get()?;
        let format = match kind {
            0..=3 => GroundFormat::Reify { sccs: kind & 1 != 0, steps: kind & 2 != 0 },
            4 => GroundFormat::Aspif,
            5 => GroundFormat::Smodels,
            _ => return Err(Fail::runtime("this is no type of backend")),
        };
        let path = file.get()?;
        let file = File::create(path)
            .map_err(|error| Fail::runtime(format!("{path} cannot be written: {error}")))?;
        let writer = control.with(|inner| Ok(inner.ground_writer(format)))?;
        let mut watches = lock(&control.watches);
        watches.replace |= replace;
        watches.files.push((writer, file));
        Ok(())
    })
}

impl Control {
    /// Writes ground programs to standard output instead of solving them, if that is asked for.
    pub fn write_instead(&self, options: &asp_options::raw::Options) -> Result<(), Fail> {
        let Some(format) = options.ground_format else { return Ok(()) };
        let out = std::io::stdout();
        #[cfg(unix)]
        let file = std::os::fd::AsFd::as_fd(&out).try_clone_to_owned().map(File::from);
        #[cfg(windows)]
        let file = std::os::windows::io::AsHandle::as_handle(&out).try_clone_to_owned().map(File::from);
        let file = file.map_err(|why| Fail::runtime(format!("standard output cannot be written: {why}")))?;
        let writer = self.with(|inner| Ok(inner.ground_writer(format)))?;
        let mut watches = lock(&self.watches);
        watches.files.push((writer, file));
        watches.replace = true;
        Ok(())
    }

    /// Writes what is new to the files.
    pub fn write_files(&self, inner: &mut asp::Control) -> Result<(), Fail> {
        for (writer, file) in &mut lock(&self.watches).files {
            inner.write_ground(writer, file)?;
        }
        Ok(())
    }
}
