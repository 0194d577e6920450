//! Facts that the caller adds as terms instead of text.

use super::{Control, Error};
use asp_base::span::Span;
use asp_base::symbol::Sym;
use asp_syntax::ast;

impl Control {
    /// Adds facts to a program part without parameters. Terms that are no atoms are left out.
    ///
    /// ```
    /// let mut control = asp::Control::new();
    /// let (one, two) = (control.number(1), control.number(2));
    /// let facts = [control.function("edge", &[one, two]), control.function("edge", &[two, one])];
    /// control.add_facts("base", facts)?;
    /// control.ground()?;
    /// assert_eq!(control.atoms("edge", 2).len(), 2);
    /// # Ok::<(), asp::Error>(())
    /// ```
    pub fn add_facts(&mut self, part: &str, facts: impl IntoIterator<Item = Sym>) -> Result<(), Error> {
        self.parse()?;
        let part = self.symbols.intern(part);
        let facts = facts.into_iter().map(|atom| ast::Fact { atom, span: Span::NONE, part }).collect();
        self.take_in(ast::Program { facts, ..ast::Program::default() })
    }
}
