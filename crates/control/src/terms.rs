//! Terms for the caller: constructed or parsed.

use super::{Control, Error, Source};
use asp_base::diagnostic::{Diagnostic, Severity};
use asp_base::span::Span;
use asp_base::symbol::Sym;
use asp_base::term::Term;
use asp_program::scan;
use asp_rewrite::constants;
use asp_syntax::ast::StatementKind;

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

    /// A tuple of any arity.
    pub fn tuple(&mut self, args: &[Sym]) -> Sym {
        self.symbols.tuple(args)
    }

    /// Reads a ground term as terms are printed, `at(1,(2,"x"))`: without blanks, arithmetic or intervals. Fails if the
    /// text is not such a term.
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

    /// The value of a term without variables; arithmetic is evaluated: `at(1+1)` is `at(2)`. Fails if it has none.
    ///
    /// ```
    /// let mut control = asp::Control::new();
    /// let value = control.evaluate_term("at(2**3, |-1|)")?;
    /// assert_eq!(control.term(value).to_string(), "at(8,1)");
    /// assert!(control.evaluate_term("at(X)").is_err());
    /// # Ok::<(), asp::Error>(())
    /// ```
    pub fn evaluate_term(&mut self, text: &str) -> Result<Sym, Error> {
        if let Some(term) = scan::parse_term(text, &mut self.symbols) {
            return Ok(term);
        }
        let before = self.diagnostics.len();
        let source = Source::new("<string>", format!("#const value'={text}."));
        let parsed = self.parse_texts(vec![source]);
        let is_alone = parsed.facts.is_empty()
            && matches!(&parsed.statements[..], [s] if matches!(s.kind, StatementKind::Const { .. }));
        let values = constants::evaluate(&parsed, &[], &mut self.symbols, &mut self.diagnostics);
        let name = self.symbols.intern("value'");
        match values.get(&name) {
            Some(&value) if is_alone && self.diagnostics.len() == before => Ok(value),
            _ => {
                if !self.diagnostics.iter().any(|d| d.severity == Severity::Error) {
                    let text = format!("`{text}` is not a term with a value");
                    self.diagnostics.push(Diagnostic::error(Span::NONE, text));
                }
                let report = self.report("parsing failed");
                self.diagnostics.retain(|d| d.severity != Severity::Error);
                Err(Error::Parse(report))
            }
        }
    }

    /// The term behind a handle.
    pub fn term(&self, symbol: Sym) -> Term<'_> {
        Term::new(&self.symbols, symbol)
    }
}
