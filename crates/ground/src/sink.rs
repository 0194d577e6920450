//! Where the instances of a rule go: into the ground program, or nowhere, if only the derived atoms are needed.
//!
//! A rule whose nested parts read a growing domain derives atoms round by round and is written when its component is
//! complete. Invariant: deriving adds atoms and facts to the program, never a rule or a definition that depends on a
//! body.

use asp_program::ground_program::{Defined, Definition};
use asp_program::{AtomId, Literal, Program, RuleSource};
use asp_syntax::ast::Sign;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    /// They are written.
    Write,
    /// They derive atoms; those that are facts are recorded as such if `facts`.
    Derive { facts: bool },
}

/// Where the instances of a rule go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sink {
    /// The statement that they come from.
    pub(super) source: RuleSource,
    target: Target,
}

impl Sink {
    /// Writes instances.
    pub(super) fn write(source: RuleSource) -> Self {
        Self { source, target: Target::Write }
    }
    /// Derives atoms. With `facts`, atoms derived by a certain body become facts; otherwise all stay open, like those of a
    /// choice.
    pub(super) fn derive(source: RuleSource, facts: bool) -> Self {
        Self { source, target: Target::Derive { facts } }
    }
    /// Whether instances are written.
    #[inline]
    pub(super) fn writes(self) -> bool {
        self.target == Target::Write
    }
    /// Whether an atom that certainly holds becomes a fact.
    #[inline]
    pub(super) fn makes_facts(self) -> bool {
        self.target != Target::Derive { facts: false }
    }
    /// Writes a rule.
    #[inline]
    pub(super) fn rule(self, program: &mut Program, choice: bool, head: &[AtomId], body: &[Literal]) {
        if self.writes() {
            program.rules.add(choice, head, body, self.source);
        }
    }
    /// An auxiliary atom with a definition; `None` if nothing is written.
    pub(super) fn define(
        self,
        program: &mut Program,
        definition: impl FnOnce(&mut Program) -> Definition,
    ) -> Option<AtomId> {
        self.writes().then(|| {
            let definition = definition(program);
            let atom = program.atoms.add_aux();
            program.definitions.push(Defined { atom, definition, source: self.source });
            atom
        })
    }
    /// A literal for `not not atom`; if nothing is written, the atom itself, which is just as open.
    pub(super) fn double_negation(self, program: &mut Program, atom: AtomId) -> Literal {
        self.define(program, |_| Definition::Negation(atom)).map_or(Literal::pos(atom), Literal::neg)
    }
    pub(super) fn signed(self, program: &mut Program, sign: Sign, atom: AtomId) -> Literal {
        match sign {
            Sign::None => Literal::pos(atom),
            Sign::Not => Literal::neg(atom),
            Sign::NotNot => self.double_negation(program, atom),
        }
    }
}
