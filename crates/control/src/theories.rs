//! User-defined theories: propagators that last from call to call and are initialised before each.
//!
//! Invariant: a theory is initialised once per call, when everything known has been translated.

use super::known::Ground;
use super::{Control, Error};
use asp_base::symbol::Sym;
use asp_program::ground_program::TheoryElementId;
use asp_program::{AtomId, Literal};
use asp_solve::SolveOptions;
use asp_solve::theory::assignment::Assignment;
use asp_solve::theory::host::Host;
use asp_solve::theory::journal::{Entry, SumKind};
use asp_solve::theory::member::Member;
use asp_solve::theory::search::Search;
use asp_solve::theory::setup::{Cost, Setup};
use asp_solve::theory::{CheckMode, Failure, Misuse};

/// A propagator that lasts from call to call; see [`Control::add_theory`].
///
/// Literals are numbers other than 0; the negative number is the complement, and 1 always holds. An error of a function
/// ends the call with [`Error::Theory`].
pub trait Theory: Send {
    /// Called before each call: the place to learn the literals of atoms, and to watch them.
    fn init(&mut self, init: &mut Init<'_, '_>) -> Result<(), Failure> {
        let _ = init;
        Ok(())
    }
    /// Called with watched literals that became true since the last time, once all other propagation is at its fixpoint.
    fn propagate(&mut self, search: &mut Search<'_, '_>, changes: &[i32]) -> Result<(), Failure> {
        let _ = (search, changes);
        Ok(())
    }
    /// Called for each level that is undone, while the assignment still counts it, with those of its literals that
    /// [`propagate`](Self::propagate) was called with. They no longer have a value.
    fn undo(&mut self, assignment: Assignment<'_>, changes: &[i32]) {
        let _ = (assignment, changes);
    }
    /// Called on total assignments, unless [`Init::check_mode`] is changed. An answer set is found if no clause is violated
    /// afterwards.
    fn check(&mut self, search: &mut Search<'_, '_>) -> Result<(), Failure> {
        let _ = search;
        Ok(())
    }
    /// Called before a decision: an unassigned literal, to be made true instead of the solver's `own`; 0 leaves it to
    /// others.
    fn decide(&mut self, assignment: Assignment<'_>, own: i32) -> Result<i32, Failure> {
        let _ = (assignment, own);
        Ok(0)
    }
    /// Whether [`decide`](Self::decide) is to be called.
    fn decides(&self) -> bool {
        false
    }
    /// A copy for another thread, numbered from 1, where [`propagate`](Self::propagate) and the like are called on its own
    /// state. `None`: it works in one thread only. Several threads search for one answer set, if it is not found at once.
    fn fork(&self, thread: u32) -> Option<Box<dyn Theory>> {
        let _ = thread;
        None
    }
}

struct Hosted(Box<dyn Theory>);

impl Member for Hosted {
    fn propagate(&mut self, search: &mut Search<'_, '_>, changes: &[i32]) -> Result<(), Failure> {
        self.0.propagate(search, changes)
    }
    fn undo(&mut self, assignment: Assignment<'_>, changes: &[i32]) {
        self.0.undo(assignment, changes);
    }
    fn check(&mut self, search: &mut Search<'_, '_>) -> Result<(), Failure> {
        self.0.check(search)
    }
    fn decide(&mut self, assignment: Assignment<'_>, own: i32) -> Result<i32, Failure> {
        self.0.decide(assignment, own)
    }
    fn decides(&self) -> bool {
        self.0.decides()
    }
    fn fork(&self, thread: u32) -> Option<Box<dyn Member>> {
        self.0.fork(thread).map(|theory| Box::new(Hosted(theory)) as Box<dyn Member>)
    }
}

/// The operations of a theory before a call.
pub struct Init<'i, 's> {
    ground: Ground<'i>,
    setup: &'i mut Setup<'s>,
    threads: u32,
}

impl<'i> Init<'i, '_> {
    /// The result of grounding.
    pub fn ground(&self) -> Ground<'i> {
        self.ground
    }
    /// The atoms of a predicate with their arguments, in the order of grounding, without facts and underivable atoms.
    pub fn atoms(&mut self, name: &str, arity: usize) -> Vec<(&'i [Sym], i32)> {
        let (program, symbols) = (self.ground.program(), self.ground.symbols());
        let named: Vec<(&'i [Sym], AtomId)> = program
            .atoms
            .ids()
            .filter_map(|id| {
                let (signature, args) = program.atoms.get(id)?;
                let fits = symbols.str(signature.name) == name && args.len() == arity && !signature.negative;
                fits.then_some((args, id))
            })
            .collect();
        named.into_iter().map(|(args, id)| (args, self.literal(Literal::pos(id)))).collect()
    }
    /// The number of a literal of the program.
    pub fn literal(&mut self, literal: Literal) -> i32 {
        self.setup.literal(literal)
    }
    /// A literal that holds if the condition of a theory element does.
    pub fn condition(&mut self, element: TheoryElementId) -> i32 {
        let program = self.ground.program();
        let Some(element) = program.theory.elements.get(element.0 as usize) else { return -1 };
        self.setup.conjunction(program.literals(element.condition))
    }
    /// The number of threads that the options ask for, numbered from 0.
    pub fn threads(&self) -> u32 {
        self.threads
    }
    /// The assignment at level 0.
    pub fn assignment(&self) -> Assignment<'_> {
        self.setup.assignment()
    }
    /// Calls [`Theory::propagate`] in each thread when a literal has become true, now and in further calls.
    pub fn add_watch(&mut self, literal: i32) -> Result<(), Misuse> {
        (0..self.threads).try_for_each(|thread| self.setup.add_watch(literal, thread))
    }
    /// The same in one thread.
    pub fn add_watch_in(&mut self, thread: u32, literal: i32) -> Result<(), Misuse> {
        self.setup.add_watch(literal, thread)
    }
    /// Stops watching a literal.
    pub fn remove_watch(&mut self, literal: i32) -> Result<(), Misuse> {
        (0..self.threads).try_for_each(|thread| self.setup.remove_watch(literal, thread))
    }
    /// The same in one thread.
    pub fn remove_watch_in(&mut self, thread: u32, literal: i32) -> Result<(), Misuse> {
        self.setup.remove_watch(literal, thread)
    }
    /// Without effect: with theories, no literal is simplified away.
    pub fn freeze(&mut self, literal: i32) -> Result<(), Misuse> {
        self.setup.freeze(literal)
    }
    /// When [`Theory::check`] is called.
    pub fn check_mode(&mut self) -> &mut CheckMode {
        self.setup.check_mode()
    }
    /// Whether [`Theory::undo`] is also called for levels at which `check` was called but no watched literal became true.
    pub fn undo_checks(&mut self) -> &mut bool {
        self.setup.undo_checks()
    }
    /// A new literal.
    pub fn add_literal(&mut self) -> i32 {
        self.setup.add_literal()
    }
    /// Adds a clause. `false`: there is no answer set.
    pub fn add_clause(&mut self, clause: &[i32]) -> Result<bool, Misuse> {
        self.setup.add(Entry::Clause(clause.to_vec()))
    }
    /// Relates a literal to a sum: the weights of true literals reach the bound, or equal it. `false`: there is no answer
    /// set.
    pub fn add_sum(
        &mut self,
        literal: i32,
        terms: &[(i32, i64)],
        bound: i64,
        kind: SumKind,
        equal: bool,
    ) -> Result<bool, Misuse> {
        self.setup.add(Entry::Sum { literal, terms: terms.to_vec(), bound, kind, equal })
    }
    /// Adds costs for a literal that holds, in this call and all further ones.
    pub fn add_cost(&mut self, literal: i32, weight: i64, priority: i64) -> Result<(), Misuse> {
        self.setup.add_cost((literal, weight, priority))
    }
    /// Propagates what follows from what was added. `false`: there is no answer set.
    pub fn propagate(&mut self) -> bool {
        self.setup.propagate()
    }
}

impl Control {
    /// Adds a user-defined constraint that lasts from call to call. Before each call it gets the literals that it needs;
    /// during the search it is notified of those that it watches and answers with clauses.
    ///
    /// ```
    /// use asp::propagator::{Failure, Init, Lifetime, Search, Theory};
    ///
    /// /// No two neighbours are chosen together.
    /// struct Apart(Vec<i32>);
    ///
    /// impl Theory for Apart {
    ///     fn init(&mut self, init: &mut Init<'_, '_>) -> Result<(), Failure> {
    ///         self.0 = init.atoms("at", 1).iter().map(|atom| atom.1).collect();
    ///         Ok(self.0.iter().try_for_each(|&at| init.add_watch(at))?)
    ///     }
    ///     fn propagate(&mut self, search: &mut Search<'_, '_>, changes: &[i32]) -> Result<(), Failure> {
    ///         for pair in self.0.windows(2).filter(|p| changes.contains(&p[0]) || changes.contains(&p[1])) {
    ///             if !search.add_clause(&[-pair[0], -pair[1]], Lifetime::default())? {
    ///                 break;
    ///             }
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut control = asp::Control::new();
    /// control.add("{ at(1..4) }.");
    /// control.add_theory(Apart(Vec::new()));
    /// assert_eq!(control.solve(0, |_| true)?.models, 8);
    /// # Ok::<(), asp::Error>(())
    /// ```
    pub fn add_theory(&mut self, theory: impl Theory + 'static) {
        self.callbacks.add_theory(Box::new(Hosted(Box::new(theory))));
    }

    /// Initialises each theory for a call.
    pub(super) fn set_up_theories(&mut self, options: &SolveOptions) -> Result<(), Error> {
        let Some(host) = self.callbacks.theories.as_ref().map(Host::new) else { return Ok(()) };
        let Self { program, symbols, grounder, session, .. } = self;
        let Some(translation) = session.translation_mut() else { return Ok(()) };
        let ground = Ground { program, symbols, grounder: grounder.as_ref() };
        let threads = options.threads.max(1);
        let costs = host.set_up(translation, threads, |member, setup| {
            let Some(Hosted(theory)) = member.as_any().downcast_mut::<Hosted>() else { return Ok(()) };
            theory.init(&mut Init { ground, setup, threads })
        });
        let costs = costs.map_err(|failure| Error::Theory(failure.into()))?;
        if costs.is_empty() { Ok(()) } else { self.add_costs(&host, &costs, options) }
    }

    /// Ends a step: theories have seen its atoms. Constraints over integers are not user-defined and keep theirs.
    pub(super) fn end_theory_step(&mut self) {
        self.program.theory.past = self.program.theory.atoms.len();
        self.program.externals.end_step(self.program.atoms.len());
        if let Some(grounder) = self.grounder.as_mut().filter(|_| !self.program.theory.integers) {
            grounder.end_theory_step();
        }
    }

    /// Adds the costs of theories to the objective; a literal outside the program is replaced by an equivalent atom.
    fn add_costs(&mut self, host: &Host, costs: &[Cost], options: &SolveOptions) -> Result<(), Error> {
        let mut ties: Vec<(i32, Literal)> = Vec::new();
        for &(number, weight, priority) in costs {
            let literal = match host.theories().program_literal(number) {
                Some(literal) => literal,
                None => {
                    let mut backend = self.backend();
                    let atom = backend.auxiliary();
                    backend.rule(true, &[atom], &[]);
                    ties.push((number, Literal::pos(atom)));
                    Literal::pos(atom)
                }
            };
            self.backend().minimize(priority, &[(literal, weight)]);
        }
        self.lower()?;
        self.translate(options);
        if let Some(translation) = self.session.translation_mut() {
            host.tie(translation, &ties);
        }
        Ok(())
    }
}
