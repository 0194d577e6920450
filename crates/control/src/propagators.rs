//! User-defined propagators: made for each translation, and again when the program has grown.

use super::{AtomLits, Control};
use asp_engine::propagator::Propagator;
use asp_solve::SolveOptions;

/// Makes a propagator for a program's atoms.
pub(super) type Maker = Box<dyn FnMut(&AtomLits<'_>) -> Box<dyn Propagator> + Send>;

impl Control {
    /// Adds a user-defined constraint. `make` is called with the ground program's atoms before the first solve call, and
    /// again whenever the program has grown; its new propagator replaces the previous one.
    ///
    /// ```
    /// use asp::propagator::{AtomLits, Conflict, Context, Keep, Lit, Propagator, View};
    ///
    /// /// No two neighbours are chosen together.
    /// struct Apart(Vec<(Lit, Lit)>);
    ///
    /// impl Propagator for Apart {
    ///     fn attach(&mut self, context: &mut Context<'_>) {
    ///         self.0.iter().for_each(|p| [p.0, p.1].into_iter().for_each(|lit| context.watch(lit)));
    ///     }
    ///     fn propagate(&mut self, context: &mut Context<'_>, changed: &[Lit]) -> Result<(), Conflict> {
    ///         for pair in self.0.iter().filter(|p| changed.contains(&p.0) || changed.contains(&p.1)) {
    ///             context.add_nogood(&[pair.0, pair.1], Keep::Always)?;
    ///         }
    ///         Ok(())
    ///     }
    ///     fn explain(&mut self, _: View<'_>, _: Lit, _: u32, _: &mut Vec<Lit>) {}
    /// }
    ///
    /// let mut control = asp::Control::new();
    /// control.add("{ at(1..4) }.");
    /// control.add_propagator(|atoms: &AtomLits<'_>| {
    ///     let at = atoms.of("at", 1);
    ///     Box::new(Apart(at.windows(2).map(|p| (p[0].1, p[1].1)).collect()))
    /// });
    /// let found = control.solve(0, |_| true)?;
    /// assert_eq!(found.models, 8);
    /// # Ok::<(), asp::Error>(())
    /// ```
    pub fn add_propagator(
        &mut self,
        make: impl FnMut(&AtomLits<'_>) -> Box<dyn Propagator> + Send + 'static,
    ) {
        self.callbacks.propagators.push(Box::new(make));
        self.callbacks.installed = None;
    }

    /// Translates what is new in the lowered program, for solve calls with these options. They would do it themselves;
    /// doing it here allows measuring it separately.
    #[doc(hidden)] // For the other crates, not for users.
    pub fn translate(&mut self, options: &SolveOptions) {
        let options = self.call_options(options);
        self.session.translate(&self.program, &options);
        if self.callbacks.installed != Some(self.session.generation()) {
            self.callbacks.installed = Some(self.session.generation());
            for (number, make) in self.callbacks.propagators.iter_mut().enumerate() {
                let (program, symbols, session) = (&self.program, &self.symbols, &self.session);
                let propagator = make(&AtomLits { program, symbols, session });
                self.session.set_propagator(number, propagator);
            }
        }
    }
}
