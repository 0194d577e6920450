//! Ground atoms that the solver has to decide, and literals over them.
//!
//! Invariant: an atom that is known to be true (a fact) or false has no entry; arguments lie in one flat array.

use asp_base::index_vec::Idx;
use asp_base::signature::Signature;
use asp_base::symbol::{Sym, Symbols};

asp_base::define_index! {
    /// A ground atom of the program.
    pub struct AtomId
}

/// An atom or its default negation; bit 0 set means negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal(u32);

impl Literal {
    /// A literal from an atom and a sign.
    #[inline]
    pub fn new(atom: AtomId, negative: bool) -> Self {
        debug_assert!(atom.0 < 1 << 31);
        Self(atom.0 << 1 | u32::from(negative))
    }
    /// The atom itself.
    #[inline]
    pub fn pos(atom: AtomId) -> Self {
        Self::new(atom, false)
    }
    /// `not atom`
    #[inline]
    pub fn neg(atom: AtomId) -> Self {
        Self::new(atom, true)
    }
    /// The atom, without the sign.
    #[inline]
    pub fn atom(self) -> AtomId {
        AtomId(self.0 >> 1)
    }
    /// Whether it is negated.
    #[inline]
    pub fn is_neg(self) -> bool {
        self.0 & 1 == 1
    }
    /// As a number: twice the atom, plus one if negated.
    #[inline]
    pub fn code(self) -> u32 {
        self.0
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;
    #[inline]
    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// All atoms: named ones with signature and arguments, auxiliary ones without.
#[derive(Clone, Debug, Default)]
pub struct AtomTable {
    signatures: Vec<Signature>,
    /// Index of the signature, or [`AUX`], and where the arguments start.
    rows: Vec<(u32, u32)>,
    args: Vec<Sym>,
}

const AUX: u32 = u32::MAX;

impl AtomTable {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }
    /// Number of atoms.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
    /// Registers a signature; the caller keeps the number and calls this once per signature.
    pub fn add_signature(&mut self, signature: Signature) -> u32 {
        self.signatures.push(signature);
        self.signatures.len() as u32 - 1
    }
    /// All signatures by number.
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }
    /// Adds a named atom; the caller ensures that it is added only once. `args` has the signature's arity.
    #[inline]
    pub fn add(&mut self, signature: u32, args: &[Sym]) -> AtomId {
        debug_assert_eq!(self.signatures[signature as usize].arity as usize, args.len());
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        self.rows.push((signature, start));
        AtomId::from_usize(self.rows.len() - 1)
    }
    /// Adds an auxiliary atom.
    #[inline]
    pub fn add_aux(&mut self) -> AtomId {
        self.rows.push((AUX, 0));
        AtomId::from_usize(self.rows.len() - 1)
    }
    /// Names an auxiliary atom, for readers of formats that name atoms after their rules.
    pub fn set_name(&mut self, atom: AtomId, signature: u32, args: &[Sym]) {
        debug_assert_eq!(self.signatures[signature as usize].arity as usize, args.len());
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        self.rows[atom.index()] = (signature, start);
    }
    /// Signature and arguments of a named atom, `None` for an auxiliary one.
    pub fn get(&self, atom: AtomId) -> Option<(Signature, &[Sym])> {
        let (sig, start) = self.rows[atom.index()];
        let sig = *self.signatures.get(sig as usize)?;
        Some((sig, &self.args[start as usize..start as usize + sig.arity as usize]))
    }
    /// All atoms in order of arrival.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = AtomId> + ExactSizeIterator + use<> {
        (0..self.rows.len()).map(AtomId::from_usize)
    }
    /// Appends an atom's text; auxiliary atoms print as `#aux(n)`.
    pub fn write(&self, atom: AtomId, symbols: &Symbols, out: &mut String) {
        match self.get(atom) {
            Some((sig, args)) => symbols.write_atom(sig.name, args, sig.negative, out),
            None => {
                use std::fmt::Write as _;
                let _ = write!(out, "#aux({})", atom.0);
            }
        }
    }
}
