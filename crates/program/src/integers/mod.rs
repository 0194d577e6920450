//! The integers of a program: variables with their values, and the constraints that the solver keeps.
//!
//! The crate `asp-integers` turns theory atoms into these and rules. A variable with few values has an atom for each,
//! exactly one of which holds (`column`); any other has binary digits, atoms that may be chosen, and constraints over it
//! are kept (`kept`).
//!
//! Invariant: the answer sets of the program are the pairs of an answer set and an assignment of values.

mod by_entry;
pub mod column;
pub mod domain;
pub mod functions;
pub mod kept;
pub mod names;
pub mod state;

pub use by_entry::{ByEntry, ValueAtom, value_atoms};
pub use names::{demands, look_alikes, name_of};
pub use state::{Integers, Variable};

use super::ground_program::{Program, TheoryAtom, TheoryTerm, TheoryTermId};
use asp_base::map::Set;

/// The variables of a constraint, in the order of the text; it has been read.
pub fn variables_of(program: &Program, atom: &TheoryAtom) -> Vec<Variable> {
    let (theory, integers) = (&program.theory, &program.integers);
    let elements = atom.elements.iter().flat_map(|e| &theory.elements[e.0 as usize].terms);
    let mut todo: Vec<TheoryTermId> = elements.copied().chain(atom.guard.map(|g| g.1)).collect();
    if let TheoryTerm::Function(_, args) = &theory.terms[atom.term.0 as usize] {
        todo.extend(args);
    }
    todo.reverse();
    let (mut found, mut seen) = (Vec::new(), Set::default());
    while let Some(term) = todo.pop() {
        let known = integers.symbol(term.0 as usize).and_then(|name| integers.of_name.get(&name));
        match (known, &theory.terms[term.0 as usize]) {
            (Some(variable), _) if seen.insert(*variable) => found.push(*variable),
            (None, TheoryTerm::Function(_, args) | TheoryTerm::Tuple(args)) => todo.extend(args.iter().rev()),
            _ => {}
        }
    }
    found
}
