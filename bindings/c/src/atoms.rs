//! Symbolic atoms: the atoms found by grounding, by predicate and by symbol.
//!
//! Invariant: an iterator is a predicate and a row in it, which remain valid when the program grows; the end is
//! neither.

use std::sync::atomic::Ordering;

use asp::{Ground, KnownAtom, Place};

use crate::control::{Control, lock};
use crate::error::{Fail, ok};
use crate::ffi::{Array, Out};
use crate::registry::Handle;
use crate::symbol::{Signature, Symbol};

/// A place among the atoms, or the end. The last bit says whether to iterate over one predicate only.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iter(u64);

const END: Iter = Iter(u64::MAX);

impl Iter {
    fn new(place: Place, one: bool) -> Self {
        Self(u64::from(place.predicate) << 33 | u64::from(place.row) << 1 | u64::from(one))
    }
    fn place(self) -> Place {
        Place { predicate: (self.0 >> 33) as u32, row: (self.0 >> 1) as u32 }
    }
    fn is_one(self) -> bool {
        self.0 & 1 == 1
    }
}

/// What is known of the atom at a place, unless it is gone.
fn known<'a>(place: Place, ground: Ground<'a>, control: &Control) -> Option<KnownAtom<'a>> {
    if !control.known.has_cleaned.load(Ordering::Relaxed) {
        return ground.atom(place);
    }
    let cleaned = lock(&control.known.cleaned);
    let known = ground.atom(place).filter(|known| !cleaned.is_gone(known))?;
    Some(KnownAtom { is_fact: cleaned.is_fact(&known), ..known })
}

/// The first atom from a place on.
fn from(mut place: Place, one: bool, ground: Ground<'_>, control: &Control) -> Iter {
    let predicates = ground.predicates();
    while place.predicate < predicates {
        let rows = ground.predicate(place.predicate).map_or(0, |p| p.1);
        while place.row < rows {
            if known(place, ground, control).is_some() {
                return Iter::new(place, one);
            }
            place.row += 1;
        }
        if one {
            break;
        }
        place = Place { predicate: place.predicate + 1, row: 0 };
    }
    END
}

fn at<T>(
    atoms: Handle<Control>,
    iterator: Iter,
    run: impl FnOnce(&KnownAtom<'_>, Place, Ground<'_>, &Control) -> Result<T, Fail>,
) -> Result<T, Fail> {
    let control = atoms.get()?;
    control.read_ground(|ground| {
        let place = iterator.place();
        let known = if iterator == END { None } else { known(place, ground, &control) };
        let known = known.ok_or_else(|| Fail::logic("this iterator is at no atom"))?;
        run(&known, place, ground, &control)
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbolic_atoms_size(atoms: Handle<Control>, size: Out<usize>) -> bool {
    ok(|| {
        let control = atoms.get()?;
        size.set(control.read_ground(|ground| {
            if ground.is_ground_input() {
                let all = ground.program().atoms.ids().filter(|&id| ground.program().atoms.get(id).is_some());
                return Ok(all.count());
            }
            let rows = |predicate| {
                let count = ground.predicate(predicate).map_or(0, |p| p.1);
                (0..count).map(move |row| Place { predicate, row })
            };
            let all = (0..ground.predicates()).flat_map(rows);
            if lock(&control.known.cleaned).is_empty() {
                return Ok(all.count());
            }
            Ok(all.filter(|&place| known(place, ground, &control).is_some()).count())
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbolic_atoms_begin(
    atoms: Handle<Control>,
    signature: Array<Signature>,
    iterator: Out<Iter>,
) -> bool {
    ok(|| {
        let control = atoms.get()?;
        iterator.set(control.read_ground(|ground| {
            let Some(wanted) = signature.get() else {
                return Ok(from(Place { predicate: 0, row: 0 }, false, ground, &control));
            };
            let (name, positive) = wanted.name()?;
            let Some(name) = ground.symbols().find_name(name) else { return Ok(END) };
            let fits = |p: &u32| {
                ground.predicate(*p).is_some_and(|(s, _)| {
                    s.name == name && s.arity == wanted.arity() && s.negative != positive
                })
            };
            let predicate = (0..ground.predicates()).find(fits);
            Ok(predicate.map_or(END, |predicate| from(Place { predicate, row: 0 }, true, ground, &control)))
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbolic_atoms_end(atoms: Handle<Control>, iterator: Out<Iter>) -> bool {
    ok(|| {
        atoms.get()?;
        iterator.set(END);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbolic_atoms_find(
    atoms: Handle<Control>,
    symbol: Symbol,
    iterator: Out<Iter>,
) -> bool {
    ok(|| {
        let control = atoms.get()?;
        iterator.set(control.read(|ground, map| {
            let place = map.place(ground, symbol)?.filter(|&place| known(place, ground, &control).is_some());
            Ok(place.map_or(END, |place| Iter::new(place, false)))
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbolic_atoms_iterator_is_equal_to(
    _: Handle<Control>,
    a: Iter,
    b: Iter,
    equal: Out<bool>,
) -> bool {
    equal.set(a == b || a != END && b != END && a.place() == b.place());
    true
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbolic_atoms_symbol(
    atoms: Handle<Control>,
    iterator: Iter,
    symbol: Out<Symbol>,
) -> bool {
    ok(|| {
        let control = atoms.get()?;
        symbol.set(control.read(|ground, map| {
            let known = if iterator == END { None } else { ground.atom(iterator.place()) };
            let known = known.ok_or_else(|| Fail::logic("this iterator is at no atom"))?;
            map.known_atom(ground.symbols(), iterator.place(), &known)
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbolic_atoms_is_fact(
    atoms: Handle<Control>,
    iterator: Iter,
    fact: Out<bool>,
) -> bool {
    ok(|| {
        fact.set(at(atoms, iterator, |known, _, _, _| Ok(known.is_fact))?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbolic_atoms_is_external(
    atoms: Handle<Control>,
    iterator: Iter,
    external: Out<bool>,
) -> bool {
    ok(|| {
        external.set(at(atoms, iterator, |known, _, ground, control| {
            Ok(!known.is_fact && known.atom.is_some_and(|atom| control.is_external(atom, ground)))
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbolic_atoms_literal(
    atoms: Handle<Control>,
    iterator: Iter,
    literal: Out<i32>,
) -> bool {
    ok(|| {
        literal.set(at(atoms, iterator, |known, place, ground, control| {
            Ok(control.numbers().of_known(place, known, ground))
        })?);
        Ok(())
    })
}

fn signatures(atoms: Handle<Control>) -> Result<Vec<Signature>, Fail> {
    atoms.get()?.read_ground(|ground| {
        let all = (0..ground.predicates()).filter_map(|p| ground.predicate(p));
        all.map(|(s, _)| Signature::new(ground.symbols().str(s.name), s.arity, !s.negative)).collect()
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbolic_atoms_signatures_size(atoms: Handle<Control>, size: Out<usize>) -> bool {
    ok(|| {
        size.set(signatures(atoms)?.len());
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbolic_atoms_signatures(
    atoms: Handle<Control>,
    list: Out<Signature>,
    size: usize,
) -> bool {
    ok(|| list.fill(&signatures(atoms)?, size))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbolic_atoms_next(
    atoms: Handle<Control>,
    iterator: Iter,
    next: Out<Iter>,
) -> bool {
    ok(|| {
        if iterator == END {
            return Err(Fail::logic("this iterator is at the end"));
        }
        let Place { predicate, row } = iterator.place();
        let place = Place { predicate, row: row + 1 };
        let control = atoms.get()?;
        next.set(control.read_ground(|ground| Ok(from(place, iterator.is_one(), ground, &control)))?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_symbolic_atoms_is_valid(
    atoms: Handle<Control>,
    iterator: Iter,
    valid: Out<bool>,
) -> bool {
    ok(|| {
        let control = atoms.get()?;
        let there =
            |ground: Ground<'_>| iterator != END && known(iterator.place(), ground, &control).is_some();
        valid.set(control.read_ground(|ground| Ok(there(ground)))?);
        Ok(())
    })
}
