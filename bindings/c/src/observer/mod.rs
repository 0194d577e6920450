//! Observers of the ground program: what grounding and calls add is passed on statement by statement.
//!
//! Invariant: statements have the form and the order of aspif as gringo writes it, with the numbers that atoms have everywhere;
//! each fact is passed on as a rule for its number.

mod sink;
mod statement;

use std::ffi::c_void;
use std::fs::File;
use std::io::BufWriter;

use asp::backend::AtomId;
use asp::program::ShowItem;
use asp::{Ground, GroundFormat, GroundWriter, Place};

use crate::control::{CONTROLS, Control, Slot, lock};
use crate::error::{Fail, ok};
use crate::ffi::{Array, Text};
use crate::map::SymbolMap;
use crate::registry::Handle;
use crate::symbol::Symbol;
use sink::{Observer, Sink};
use statement::Statement;

/// An observer, and what has been passed on to it.
pub struct Watch {
    sink: Sink,
    writer: GroundWriter,
    /// Number of rows of each predicate searched for facts.
    rows: Vec<u32>,
}

/// The observers of a control.
#[derive(Default)]
pub struct Watches {
    /// The last one first.
    list: Vec<Watch>,
    /// Those that were registered during a call, and whether one replaces solving.
    late: Vec<(Sink, bool)>,
    /// Whether the program has begun, and the step. Who is registered later is not told what was before.
    told: bool,
    begun: bool,
    /// Files to which it is written in other formats than aspif.
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

impl Watch {
    /// Passes on what is new; `assumptions` end a step.
    fn tell(&mut self, step: Option<&[i32]>, new: &News<'_>, control: &Control) -> Result<(), Fail> {
        // First, as grounding comes upon them.
        for &fact in &new.facts {
            let head = vec![fact as u32];
            self.sink.tell(&Statement::Rule { choice: false, head, body: Vec::new() })?;
        }
        let mut outputs = new.outputs.iter();
        for line in new.text.lines() {
            let statement = if line.starts_with("4 ") {
                let Some(&(symbol, atom)) = outputs.next() else { continue };
                let atom = match atom {
                    Output::Atom(atom) => Some(control.numbers().of_atom(atom) as u32),
                    Output::Fact => Some(0),
                    Output::Term => None,
                };
                Some(Statement::of_output(line, symbol, atom, control)?)
            } else {
                Statement::of_line(line, control)?
            };
            statement.map_or(Ok(()), |statement| self.sink.tell(&statement))?;
        }
        if let Some(assumptions) = step {
            if !assumptions.is_empty() {
                self.sink.tell(&Statement::Assume(assumptions.to_vec()))?;
            }
            self.sink.end_step()?;
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
    outputs: Vec<(Symbol, Output)>,
}

/// What kind of thing is shown.
#[derive(Clone, Copy)]
enum Output {
    Atom(AtomId),
    Fact,
    Term,
}

/// Finds new facts.
fn facts(watch: &mut Watch, control: &Control, ground: Ground<'_>, atoms: Option<u32>, news: &mut News<'_>) {
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
}

/// Finds new show entries.
fn shown(watch: &Watch, ground: Ground<'_>, map: &mut SymbolMap, news: &mut News<'_>) -> Result<(), Fail> {
    let (program, symbols) = (ground.program(), ground.symbols());
    for &entry in watch.writer.outputs() {
        let output = match program.shows[entry].item {
            ShowItem::Atom(atom) => {
                let Some((signature, args)) = program.atoms.get(atom) else { continue };
                (map.atom(symbols, signature.name, args, signature.negative)?, Output::Atom(atom))
            }
            ShowItem::Fact(term) => (map.symbol(symbols, term)?, Output::Fact),
            ShowItem::Term(term) | ShowItem::Value(term) | ShowItem::Digit(term) => {
                (map.symbol(symbols, term)?, Output::Term)
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
        let (mut watches, told, begun) = {
            let mut own = lock(&self.watches);
            let told = std::mem::replace(&mut own.told, true);
            (std::mem::take(&mut own.list), told, std::mem::replace(&mut own.begun, step.is_none()))
        };
        if watches.is_empty() {
            return Ok(());
        }
        let told = watches.iter_mut().try_for_each(|watch| {
            if !told {
                watch.sink.init(!self.is_single_shot())?;
            }
            if !begun {
                watch.sink.begin_step()?;
            }
            let mut text = Vec::new();
            match names {
                Names::Now => inner.write_ground(&mut watch.writer, &mut text)?,
                Names::Later => inner.write_unnamed(&mut watch.writer, &mut text)?,
            }
            let mut news = News { text: String::from_utf8_lossy(&text), ..News::default() };
            // Only grounding finds facts that no rule states, so that no predicate has new ones while a backend goes on.
            if names == Names::Now || watch.rows.is_empty() {
                facts(watch, self, inner.as_ground(), atoms, &mut news);
            }
            shown(watch, inner.as_ground(), &mut self.map(), &mut news)?;
            watch.tell(step, &news, self)
        });
        let mut own = lock(&self.watches);
        watches.append(&mut own.list);
        own.list = watches;
        told
    }

    /// Registers an observer, during a call when that has ended.
    fn watch(&self, sink: Sink, replace: bool) -> Result<(), Fail> {
        lock(&self.watches).late.push((sink, replace));
        let number = self.number;
        self.when_back(Box::new(move |inner, _| CONTROLS.get(number)?.watch_late(inner)))
    }

    /// Begins with the observers that have been registered.
    fn watch_late(&self, inner: &mut asp::Control) -> Result<(), Fail> {
        let mut own = lock(&self.watches);
        for (sink, replace) in std::mem::take(&mut own.late) {
            self.numbers().follow(inner.as_ground());
            let mut writer = inner.step_writer();
            let mut rows = Vec::new();
            if own.told {
                inner.write_ground(&mut writer, &mut std::io::sink())?;
                let ground = inner.as_ground();
                rows.extend((0..ground.predicates()).map(|p| ground.predicate(p).map_or(0, |known| known.1)));
            }
            own.replace |= replace;
            own.list.insert(0, Watch { sink, writer, rows });
        }
        Ok(())
    }

    /// Whether there is an observer.
    pub fn is_observed(&self) -> bool {
        !lock(&self.watches).is_empty()
    }

    /// Passes on what a backend has added since the last time.
    pub fn tell_observers(&self, names: Names) -> Result<(), Fail> {
        let mut watches = lock(&self.watches);
        if watches.is_empty() {
            (watches.told, watches.begun) = (true, true);
            return Ok(());
        }
        drop(watches);
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
        control.watch(Sink::Caller(observer, data), replace)
    })
}

/// See clingo.h. The file is emptied when it is registered, and complete up to a call when that begins.
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
            0..=3 => Some(GroundFormat::Reify { sccs: kind & 1 != 0, steps: kind & 2 != 0 }),
            4 => None,
            5 => Some(GroundFormat::Smodels),
            _ => return Err(Fail::runtime("this is no type of backend")),
        };
        let path = file.get()?;
        let file = File::create(path)
            .map_err(|error| Fail::runtime(format!("{path} cannot be written: {error}")))?;
        let Some(format) = format else {
            return control.watch(Sink::File(BufWriter::new(file)), replace);
        };
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
