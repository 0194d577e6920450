//! Terms of the caller's: made from their parts, or read.

use super::{Control, Error};
use crate::base::symbol::Sym;
use crate::base::term::Term;
use crate::program::scan;

impl Control {
    /// An integer term.
    pub fn number(&mut self, n: i64) -> Sym {
        self.symbols.num(n)
    }

    /// A string term, from the text between its quotes.
    pub fn string(&mut self, text: &str) -> Sym {
        self.symbols.string(text)
    }

    /// A function term, or a constant if there are no arguments.
    pub fn function(&mut self, name: &str, args: &[Sym]) -> Sym {
        let name = self.symbols.intern(name);
        self.symbols.fun(name, args, false)
    }

    /// A tuple.
    pub fn tuple(&mut self, args: &[Sym]) -> Sym {
        self.symbols.tuple(args)
    }

    /// The ground term that a text says, written as terms are printed: `at(1,(2,"x"))`, without blanks, arithmetic or
    /// intervals.
    ///
    /// ```
    /// let mut control = asp::Control::new();
    /// let term = control.parse_term("at(1,(2,\"x\"))")?;
    /// assert_eq!(control.term(term).arguments().len(), 2);
    /// assert!(control.parse_term("at(1..2)").is_err());
    /// # Ok::<(), asp::Error>(())
    /// ```
    pub fn parse_term(&mut self, text: &str) -> Result<Sym, Error> {
        scan::parse_term(text, &mut self.symbols).ok_or_else(|| Error::NotATerm(text.to_string()))
    }

    /// What a handle of a term stands for.
    pub fn term(&self, symbol: Sym) -> Term<'_> {
        Term::new(&self.symbols, symbol)
    }
}
