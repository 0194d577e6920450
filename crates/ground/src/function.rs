//! User-defined functions, called by terms `@f(...)`.

use std::cell::Cell;

use asp_base::diagnostic::Diagnostic;
use asp_base::span::{Sources, Span};
use asp_base::symbol::{StrId, Sym, Symbols};
use asp_base::term::Term;

/// User-defined functions: a call to its values, or to an error message.
pub type Functions = dyn FnMut(&mut Symbols, &FunctionCall<'_>) -> Result<Vec<Sym>, String> + Send;

/// A call of a user-defined function.
#[derive(Clone, Debug)]
pub struct FunctionCall<'a> {
    /// The name after `@`.
    pub name: StrId,
    pub arguments: &'a [Sym],
    /// Where it is called.
    pub span: Span,
    /// The texts that [`span`](Self::span) points into.
    pub sources: &'a Sources,
    undefined: Cell<bool>,
}

impl<'a> FunctionCall<'a> {
    /// Reports that there is no such function: the call has no value, like an undefined operation.
    pub fn undefined(&self) -> Vec<Sym> {
        self.undefined.set(true);
        Vec::new()
    }
    pub fn argument(&self, symbols: &'a Symbols, place: usize) -> Option<Term<'a>> {
        self.arguments.get(place).map(|&argument| Term::new(symbols, argument))
    }
}

/// The user-defined functions, and the texts that call them.
pub struct Caller<'a> {
    /// Evaluates `@f(...)`.
    pub functions: &'a mut Functions,
    /// The texts, for messages.
    pub sources: &'a Sources,
}

/// Receives each message at once, during grounding.
pub type Listener<'a> = &'a mut dyn FnMut(&Diagnostic);

/// Whom a grounding call asks and tells.
#[derive(Default)]
pub struct Callers<'a> {
    /// The user-defined functions.
    pub caller: Option<Caller<'a>>,
    /// Receives the warning that grounding may not end at once; without it, the warning is given if the call is stopped.
    pub listener: Option<Listener<'a>>,
    /// The texts, for warnings that ask in which file a statement stands.
    pub sources: Option<&'a Sources>,
}

impl Caller<'_> {
    /// The values of a call; `None` if there is no such function.
    pub(super) fn call(
        &mut self,
        symbols: &mut Symbols,
        name: StrId,
        arguments: &[Sym],
        span: Span,
    ) -> Option<Result<Vec<Sym>, String>> {
        let call = FunctionCall { name, arguments, span, sources: self.sources, undefined: Cell::new(false) };
        let values = (self.functions)(symbols, &call);
        (!call.undefined.get()).then_some(values)
    }
}
