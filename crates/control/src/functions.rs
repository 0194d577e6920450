//! User-defined functions that programs call: `@f(...)`.

use super::Control;
use asp_base::diagnostic::Diagnostic;
use asp_base::span::Sources;
use asp_base::symbol::{Sym, Symbols};

pub use asp_ground::function::{FunctionCall, Functions};

impl Control {
    /// Defines what `@f(...)` in programs calls. A call may have several values, or none; the rule that contains it has
    /// an instance for each. An error ends grounding with a message that names the place.
    ///
    /// ```
    /// let mut control = asp::Control::new();
    /// control.set_functions(|symbols, call| match symbols.str(call.name) {
    ///     "divisors" => {
    ///         let n = call.argument(symbols, 0).and_then(|n| n.number()).ok_or("divisors of what?")?;
    ///         Ok((1..=n).filter(|d| n % d == 0).map(|d| symbols.num(d)).collect())
    ///     }
    ///     name => Err(format!("there is no function {name}")),
    /// });
    /// control.add("d(N, @divisors(N)) :- N = 6..7.");
    /// control.ground()?;
    /// assert_eq!(control.atoms("d", 2).len(), 6);
    /// control.add("#program more. e(@divisors(a)).");
    /// let error = control.ground_parts(&[("more", Vec::new())]).unwrap_err();
    /// assert!(error.to_string().contains("divisors of what?"));
    /// # Ok::<(), asp::Error>(())
    /// ```
    pub fn set_functions(
        &mut self,
        functions: impl FnMut(&mut Symbols, &FunctionCall<'_>) -> Result<Vec<Sym>, String> + Send + 'static,
    ) {
        self.callbacks.functions = Some(Box::new(functions));
    }

    /// Sets a listener for the warning, at a million instances, that grounding may not end. Without one,
    /// [`take_diagnostics`](Self::take_diagnostics) returns the warning if grounding is stopped.
    pub fn set_listener(&mut self, listener: impl FnMut(&Diagnostic, &Sources) + Send + 'static) {
        self.callbacks.listener = Some(Box::new(listener));
    }

    /// Removes the functions.
    pub fn clear_functions(&mut self) {
        self.callbacks.functions = None;
    }
}
