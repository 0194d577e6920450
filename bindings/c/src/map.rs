//! The translation between symbols of the boundary and those of one control.
//!
//! Invariant: an entry remains valid, since both tables only grow; only symbols that cross the boundary have entries.

use std::collections::HashMap;

use asp::backend::AtomId;
use asp::symbol::Signature;
use asp::symbol::{StrId, SymView, Symbols};
use asp::{Ground, KnownAtom, Place, Symbol as Sym};
use rustc_hash::FxBuildHasher;

use crate::error::Fail;
use crate::symbol::{Symbol, SymbolKind};

/// The symbols of a control that have crossed the boundary.
#[derive(Default)]
pub struct SymbolMap {
    /// By the handle in the control, halved; integers that fit in a handle have no entry.
    outward: Vec<Option<Symbol>>,
    /// The atoms of the ground program by number, `#inf` for those that have not crossed.
    atoms: Vec<Symbol>,
    /// The other ones, facts, by predicate and row.
    facts: Vec<Vec<Symbol>>,
    inward: HashMap<Symbol, Sym, FxBuildHasher>,
    /// The places of atoms that were looked up.
    places: HashMap<Symbol, Place, FxBuildHasher>,
    /// How many atoms of a program that was read as ground have their place in it.
    placed: u32,
}

impl SymbolMap {
    fn known(&self, sym: Sym) -> Option<Symbol> {
        match sym.as_small() {
            Some(n) => Symbol::number(n).ok(),
            None => self.outward.get(sym.raw() as usize / 2).copied().flatten(),
        }
    }

    /// The symbol of the boundary for one of a control.
    pub fn symbol(&mut self, symbols: &Symbols, sym: Sym) -> Result<Symbol, Fail> {
        if let Some(known) = self.known(sym) {
            return Ok(known);
        }
        // Terms whose arguments have to come first; the next one last.
        let mut todo = vec![sym];
        while let Some(&sym) = todo.last() {
            if self.known(sym).is_some() {
                todo.pop();
                continue;
            }
            let view = symbols.view(sym);
            let args: &[Sym] = match view {
                SymView::Fun { args, .. } | SymView::Tuple(args) => args,
                _ => &[],
            };
            let waiting = todo.len();
            todo.extend(args.iter().filter(|&&a| self.known(a).is_none()));
            if todo.len() > waiting {
                continue;
            }
            let symbol = match view {
                SymView::Inf => Symbol::INFIMUM,
                SymView::Sup => Symbol::SUPREMUM,
                SymView::Num(n) => Symbol::number(n)?,
                SymView::Str(text) => Symbol::string(symbols.str(text))?,
                SymView::Fun { name, args, negative } => self.atom(symbols, name, args, negative)?,
                SymView::Tuple(args) => self.atom(symbols, StrId::EMPTY, args, false)?,
            };
            self.note(symbol, sym);
            todo.pop();
        }
        self.known(sym).ok_or_else(|| Fail::runtime("a symbol has no handle"))
    }

    /// The symbol of an atom at a place.
    pub fn known_atom(
        &mut self,
        symbols: &Symbols,
        place: Place,
        atom: &KnownAtom<'_>,
    ) -> Result<Symbol, Fail> {
        let KnownAtom { signature, arguments, .. } = *atom;
        if let Some(id) = atom.atom {
            return self.program_atom(symbols, id, (signature, arguments));
        }
        let (predicate, row) = (place.predicate as usize, place.row as usize);
        let known = self.facts.get(predicate).and_then(|rows| rows.get(row)).copied();
        if let Some(known) = known.filter(|&known| known != Symbol::INFIMUM) {
            return Ok(known);
        }
        let symbol = self.atom(symbols, signature.name, arguments, signature.negative)?;
        if self.facts.len() <= predicate {
            self.facts.resize_with(predicate + 1, Vec::new);
        }
        note_at(&mut self.facts[predicate], row, symbol);
        Ok(symbol)
    }

    /// The symbol of an atom of the ground program.
    pub fn program_atom(
        &mut self,
        symbols: &Symbols,
        id: AtomId,
        (signature, arguments): (Signature, &[Sym]),
    ) -> Result<Symbol, Fail> {
        let known = self.atoms.get(id.0 as usize).copied();
        if let Some(known) = known.filter(|&known| known != Symbol::INFIMUM) {
            return Ok(known);
        }
        let symbol = self.atom(symbols, signature.name, arguments, signature.negative)?;
        note_at(&mut self.atoms, id.0 as usize, symbol);
        Ok(symbol)
    }

    /// The symbol of an atom, which the control need not hold as a term.
    pub fn atom(
        &mut self,
        symbols: &Symbols,
        name: StrId,
        args: &[Sym],
        negative: bool,
    ) -> Result<Symbol, Fail> {
        let mut short = [Symbol::INFIMUM; 8];
        let name = symbols.str(name);
        if args.len() <= short.len() {
            for (place, &arg) in short.iter_mut().zip(args) {
                *place = self.symbol(symbols, arg)?;
            }
            return Symbol::function(name, &short[..args.len()], negative);
        }
        let args: Vec<Symbol> = args.iter().map(|&a| self.symbol(symbols, a)).collect::<Result<_, _>>()?;
        Symbol::function(name, &args, negative)
    }

    fn note(&mut self, symbol: Symbol, sym: Sym) {
        if sym.as_small().is_none() {
            let row = sym.raw() as usize / 2;
            if self.outward.len() <= row {
                self.outward.resize(row + 1, None);
            }
            self.outward[row] = Some(symbol);
            self.inward.insert(symbol, sym);
        }
    }

    /// The symbol of a control for one of the boundary, created if the control does not have it.
    pub fn intern(&mut self, symbols: &mut Symbols, symbol: Symbol) -> Result<Sym, Fail> {
        self.convert(symbol, |part| {
            Some(match part {
                Part::Infimum => Sym::INF,
                Part::Supremum => Sym::SUP,
                Part::Number(n) => symbols.num(n),
                Part::String(text) => symbols.string(text),
                Part::Function(name, args, negative) if !name.is_empty() || negative => {
                    let name = symbols.intern(name);
                    symbols.fun(name, args, negative)
                }
                Part::Function(_, args, _) => symbols.tuple(args),
            })
        })
        .and_then(|sym| sym.ok_or_else(|| Fail::runtime("a symbol could not be made")))
    }

    /// The symbol of a control for one of the boundary, if the control has it.
    pub fn find(&mut self, symbols: &Symbols, symbol: Symbol) -> Result<Option<Sym>, Fail> {
        self.convert(symbol, |part| match part {
            Part::Infimum => Some(Sym::INF),
            Part::Supremum => Some(Sym::SUP),
            Part::Number(n) => symbols.find_num(n),
            Part::String(text) => symbols.find_string(symbols.find_name(text)?),
            Part::Function(name, args, negative) if !name.is_empty() || negative => {
                symbols.find_fun(symbols.find_name(name)?, args, negative)
            }
            Part::Function(_, args, _) => symbols.find_tuple(args),
        })
    }

    /// The place of an atom, if there is one.
    pub fn place(&mut self, ground: Ground<'_>, symbol: Symbol) -> Result<Option<Place>, Fail> {
        if let Some(&place) = self.places.get(&symbol) {
            return Ok(Some(place));
        }
        let SymbolKind::Function { name, arguments, negative } = symbol.kind()? else { return Ok(None) };
        if ground.is_ground_input() {
            // There, the engine has no index.
            self.place_all(ground)?;
            return Ok(self.places.get(&symbol).copied());
        }
        let symbols = ground.symbols();
        let Some(name) = symbols.find_name(name).filter(|_| !name.is_empty()) else { return Ok(None) };
        let mut args = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            match self.find(symbols, argument)? {
                Some(argument) => args.push(argument),
                None => return Ok(None),
            }
        }
        let place = ground.find(name, &args, negative);
        if let Some(place) = place {
            self.places.insert(symbol, place);
        }
        Ok(place)
    }

    fn place_all(&mut self, ground: Ground<'_>) -> Result<(), Fail> {
        let atoms = &ground.program().atoms;
        if self.placed as usize == atoms.len() {
            return Ok(());
        }
        let predicates: HashMap<Signature, u32, FxBuildHasher> =
            atoms.signatures().iter().copied().zip(0..).collect();
        for id in atoms.ids().skip(self.placed as usize) {
            if let Some(atom) = atoms.get(id)
                && let Some(&predicate) = predicates.get(&atom.0)
            {
                let symbol = self.program_atom(ground.symbols(), id, atom)?;
                self.places.entry(symbol).or_insert(Place { predicate, row: id.0 });
            }
            self.placed = id.0 + 1;
        }
        Ok(())
    }

    fn convert(
        &mut self,
        symbol: Symbol,
        mut make: impl FnMut(Part<'_>) -> Option<Sym>,
    ) -> Result<Option<Sym>, Fail> {
        // Most are known or integers, which need no list.
        if let Some(&sym) = self.inward.get(&symbol) {
            return Ok(Some(sym));
        }
        if let SymbolKind::Number(n) = symbol.kind()? {
            let sym = make(Part::Number(n));
            if let Some(sym) = sym {
                self.note(symbol, sym);
            }
            return Ok(sym);
        }
        let mut todo = vec![symbol];
        let mut args = Vec::new();
        while let Some(&symbol) = todo.last() {
            if self.inward.contains_key(&symbol) {
                todo.pop();
                continue;
            }
            let part = match symbol.kind()? {
                SymbolKind::Infimum => Part::Infimum,
                SymbolKind::Supremum => Part::Supremum,
                SymbolKind::Number(n) => Part::Number(n),
                SymbolKind::String(text) => Part::String(text),
                SymbolKind::Function { name, arguments, negative } => {
                    let waiting = todo.len();
                    args.clear();
                    for &a in arguments {
                        match (self.inward.get(&a), a.kind()?) {
                            (Some(&sym), _) => args.push(sym),
                            (None, SymbolKind::Number(n)) => match make(Part::Number(n)) {
                                Some(sym) => args.push(sym),
                                None => return Ok(None),
                            },
                            (None, _) => todo.push(a),
                        }
                    }
                    if todo.len() > waiting {
                        continue;
                    }
                    Part::Function(name, &args, negative)
                }
            };
            let Some(sym) = make(part) else { return Ok(None) };
            self.note(symbol, sym);
            todo.pop();
        }
        Ok(self.inward.get(&symbol).copied())
    }
}

fn note_at(list: &mut Vec<Symbol>, place: usize, symbol: Symbol) {
    if list.len() <= place {
        list.resize(place + 1, Symbol::INFIMUM);
    }
    list[place] = symbol;
}

/// The structure of a control's symbol.
enum Part<'a> {
    Infimum,
    Supremum,
    Number(i64),
    String(&'a str),
    Function(&'a str, &'a [Sym], bool),
}
