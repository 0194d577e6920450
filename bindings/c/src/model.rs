//! Models: the contents of an answer set, readable as long as its call exists.
//!
//! Invariant: everything readable was copied when the model was found, so the search may have moved on.

use std::collections::HashSet;
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use asp::program::ShowItem;
use asp::program::{AtomId, Literal};
use asp::{Answer, Ground, Place, Symbol as Sym};

use crate::control::{Control, lock};
use crate::error::{Fail, ok};
use crate::ffi::{Array, Out};
use crate::literals::Value;
use crate::map::SymbolMap;
use crate::registry::Handle;
use crate::solve::{CALLS, Solve};
use crate::symbol::Symbol;

/// What C holds for a model: the number of its call and its own.
pub struct Model;

/// A model at the moment it was found.
pub struct Snapshot {
    /// Its number in its call.
    pub number: u64,
    /// A bit for each atom.
    atoms: Vec<u64>,
    /// With consequences: which show entries are in the estimate.
    shown: Vec<bool>,
    /// Names and values of integers that no show entry stands for.
    values: Vec<[Sym; 2]>,
    pub costs: Vec<i64>,
    optimal: AtomicBool,
    /// The thread that has found it.
    thread: u32,
    /// Symbols that the caller added.
    extended: Mutex<Vec<Symbol>>,
}

const SHOWN: u32 = 2;
const ATOMS: u32 = 4;
const TERMS: u32 = 8;
const THEORY: u32 = 16;
const COMPLEMENT: u32 = 32;

impl Snapshot {
    /// Copies an answer; `is_optimal` says whether it is known to be, or to consist of what is.
    pub fn of(answer: &Answer<'_>, thread: u32, is_optimal: bool) -> Self {
        let model = answer.model();
        let count = answer.program().atoms.len();
        let mut atoms = vec![0_u64; count.div_ceil(64)];
        for atom in 0..count {
            atoms[atom / 64] |= u64::from(model.contains(AtomId(atom as u32))) << (atom % 64);
        }
        Self {
            number: model.number,
            atoms,
            shown: model.shown.to_vec(),
            values: answer.values_without_terms().to_vec(),
            costs: model.costs.to_vec(),
            optimal: AtomicBool::new(is_optimal),
            thread,
            extended: Mutex::default(),
        }
    }

    /// What the caller has added, as texts.
    pub fn added(&self) -> Result<Vec<String>, Fail> {
        lock(&self.extended).iter().map(|&symbol| crate::symbol::to_text(symbol)).collect()
    }

    /// Whether it is known to be optimal.
    pub fn is_optimal(&self) -> bool {
        self.optimal.load(Ordering::Relaxed)
    }

    /// The search has proven that it is optimal.
    pub fn prove(&self) {
        self.optimal.store(true, Ordering::Relaxed);
    }

    /// Of consequences: whether a show entry is in the estimate.
    pub fn shows(&self, entry: usize) -> bool {
        self.shown.get(entry).copied().unwrap_or(false)
    }

    pub fn contains(&self, atom: AtomId) -> bool {
        let word = self.atoms.get(atom.0 as usize / 64).copied().unwrap_or(0);
        word >> (atom.0 % 64) & 1 == 1
    }
    pub fn holds(&self, literal: Literal) -> bool {
        self.contains(literal.atom()) != literal.is_neg()
    }
    /// Whether a literal, by its number, holds.
    fn is_true(&self, literal: i32, ground: Ground<'_>, control: &Control) -> Result<bool, Fail> {
        Ok(match control.numbers().value(literal, ground)? {
            Value::True => true,
            Value::False => false,
            Value::Open(literal) => self.holds(literal),
        })
    }

    fn symbols(&self, show: u32, ground: Ground<'_>, map: &mut SymbolMap) -> Result<Vec<Symbol>, Fail> {
        let wanted = show & COMPLEMENT == 0;
        let mut out = Vec::new();
        let table = ground.symbols();
        if show & ATOMS != 0 {
            for predicate in 0..ground.predicates() {
                let rows = ground.predicate(predicate).map_or(0, |p| p.1);
                for row in 0..rows {
                    let place = Place { predicate, row };
                    let Some(known) = ground.atom(place) else { continue };
                    let holds = known.is_fact || known.atom.is_some_and(|atom| self.contains(atom));
                    if holds == wanted {
                        out.push(map.known_atom(table, place, &known)?);
                    }
                }
            }
        }
        if show & (SHOWN | TERMS) != 0 {
            self.shown_symbols(show, ground, map, &mut out)?;
        }
        if show & THEORY != 0 && wanted {
            out.extend_from_slice(&lock(&self.extended));
        }
        Ok(out)
    }

    /// What is shown: atoms before terms.
    fn shown_symbols(
        &self,
        show: u32,
        ground: Ground<'_>,
        map: &mut SymbolMap,
        out: &mut Vec<Symbol>,
    ) -> Result<(), Fail> {
        let (table, program) = (ground.symbols(), ground.program());
        let wanted = show & COMPLEMENT == 0;
        // Atoms that are shown are among all atoms.
        let with_atoms = show & SHOWN != 0 && show & ATOMS == 0;
        let mut terms = Vec::new();
        let mut seen = HashSet::new();
        for (entry, item, condition) in program.shown() {
            let is_term = item.plain_term().is_some();
            if !is_term && !with_atoms {
                continue;
            }
            let holds = match self.shown.get(entry) {
                Some(&shown) => shown,
                None => condition.iter().all(|&l| self.holds(l)),
            };
            if holds != wanted {
                continue;
            }
            if !is_term && ground.is_hidden(item) {
                continue;
            }
            let symbol = match item {
                ShowItem::Digit(_) => continue,
                ShowItem::Fact(term) | ShowItem::Term(term) | ShowItem::Value(term) => {
                    map.symbol(table, term)?
                }
                ShowItem::Atom(atom) => match program.atoms.get(atom) {
                    Some(named) => map.program_atom(table, atom, named)?,
                    None => continue,
                },
            };
            if !is_term {
                out.push(symbol);
            } else if seen.insert(symbol) {
                terms.push(symbol);
            }
        }
        if wanted {
            for &[name, value] in &self.values {
                let arguments = [map.symbol(table, name)?, map.symbol(table, value)?];
                terms.push(Symbol::function("__csp", &arguments, false)?);
            }
        }
        out.extend(terms);
        Ok(())
    }
}

impl Model {
    /// What C holds of a model of a call.
    pub fn handle(call: usize, number: u64) -> Handle<Self> {
        Handle::of_two(call, number)
    }
}

impl Handle<Model> {
    /// The call and the model; an error once they are gone.
    fn get(self) -> Result<(Arc<Solve>, Arc<Snapshot>), Fail> {
        let (call, number) = self.two();
        let gone = || Fail::logic("this model is not there any more: its time ends when the search goes on");
        let call = CALLS.get(call).map_err(|_| gone())?;
        let model = call.run().model.clone().filter(|m| m.number & 0xffff_ffff == number).ok_or_else(gone)?;
        Ok((call, model))
    }
    fn read<T>(
        self,
        run: impl FnOnce(&Snapshot, Ground<'_>, &mut SymbolMap, &Control) -> Result<T, Fail>,
    ) -> Result<T, Fail> {
        let (call, model) = self.get()?;
        call.control.read(|ground, map| run(&model, ground, map, &call.control))
    }
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_model_type(model: Handle<Model>, kind: Out<c_int>) -> bool {
    ok(|| {
        kind.set(model.get()?.0.kind);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_model_number(model: Handle<Model>, number: Out<u64>) -> bool {
    ok(|| {
        number.set(model.get()?.1.number);
        Ok(())
    })
}

thread_local! {
    /// The symbols whose number was asked for last; they are asked for next.
    static LAST: std::cell::RefCell<Option<(usize, u64, u32, Vec<Symbol>)>> = const { std::cell::RefCell::new(None) };
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_model_symbols_size(model: Handle<Model>, show: u32, size: Out<usize>) -> bool {
    ok(|| {
        let symbols = model.read(|m, ground, map, _| m.symbols(show, ground, map))?;
        size.set(symbols.len());
        let (call, number) = model.two();
        LAST.set(Some((call, number, show, symbols)));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_model_symbols(
    model: Handle<Model>,
    show: u32,
    symbols: Out<Symbol>,
    size: usize,
) -> bool {
    ok(|| {
        let (call, number) = model.two();
        match LAST.take() {
            Some((c, n, s, list)) if (c, n, s) == (call, number, show) => symbols.fill(&list, size),
            _ => symbols.fill(&model.read(|m, ground, map, _| m.symbols(show, ground, map))?, size),
        }
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_model_contains(model: Handle<Model>, atom: Symbol, contained: Out<bool>) -> bool {
    ok(|| {
        contained.set(model.read(|m, ground, map, _| {
            let known = map.place(ground, atom)?.and_then(|place| ground.atom(place));
            Ok(known.is_some_and(|k| k.is_fact || k.atom.is_some_and(|atom| m.contains(atom))))
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_model_is_true(model: Handle<Model>, literal: i32, result: Out<bool>) -> bool {
    ok(|| {
        result.set(model.read(|m, ground, _, control| m.is_true(literal, ground, control))?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_model_is_consequence(
    model: Handle<Model>,
    literal: i32,
    result: Out<c_int>,
) -> bool {
    ok(|| {
        result
            .set(model.read(|m, ground, _, control| Ok(c_int::from(m.is_true(literal, ground, control)?)))?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_model_cost_size(model: Handle<Model>, size: Out<usize>) -> bool {
    ok(|| {
        size.set(model.get()?.1.costs.len());
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_model_cost(model: Handle<Model>, costs: Out<i64>, size: usize) -> bool {
    ok(|| costs.fill(&model.get()?.1.costs, size))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_model_priority(model: Handle<Model>, priorities: Out<c_int>, size: usize) -> bool {
    ok(|| {
        let levels = model.read(|m, ground, _, _| {
            let levels = ground.program().objectives.iter().take(m.costs.len());
            let narrow = |n: i64| {
                c_int::try_from(n)
                    .map_err(|_| Fail::runtime(format!("the priority {n} does not fit 32 bits")))
            };
            levels.map(|l| narrow(l.priority)).collect::<Result<Vec<_>, Fail>>()
        })?;
        priorities.fill(&levels, size)
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_model_optimality_proven(model: Handle<Model>, proven: Out<bool>) -> bool {
    ok(|| {
        proven.set(model.get()?.1.is_optimal());
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_model_thread_id(model: Handle<Model>, id: Out<u32>) -> bool {
    ok(|| {
        id.set(model.get()?.1.thread);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_model_extend(model: Handle<Model>, symbols: Array<Symbol>, size: usize) -> bool {
    ok(|| {
        let symbols = symbols.slice(size);
        symbols.iter().try_for_each(|s| s.kind().map(|_| ()))?;
        lock(&model.get()?.1.extended).extend_from_slice(symbols);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_model_context(model: Handle<Model>, control: Out<Handle<Solve>>) -> bool {
    ok(|| {
        control.set(Handle::new(model.get()?.0.number, 0));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_solve_control_add_clause(
    control: Handle<Solve>,
    clause: Array<i32>,
    size: usize,
) -> bool {
    ok(|| control.get()?.add_clause(clause.slice(size)))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_solve_control_symbolic_atoms(
    control: Handle<Solve>,
    atoms: Out<Handle<Control>>,
) -> bool {
    ok(|| {
        atoms.set(Handle::new(control.get()?.control.number, 0));
        Ok(())
    })
}
