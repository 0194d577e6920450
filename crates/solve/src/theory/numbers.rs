//! Numbers of literals, as theories see them: 1 always holds, and each further variable of the engine has one.
//!
//! Invariants: a number never changes its meaning: an atom, a conjunction, or a literal that a theory has added, whatever the
//! engine's literal for it is; negated literals have negated numbers.

use crate::theory::Misuse;
use crate::translate::Translation;
use asp_base::index_vec::Idx;
use asp_base::map::Map;
use asp_engine::Engine;
use asp_engine::store::literal::{Lit, Var};
use asp_program::Literal;

/// The meaning of a number.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Meaning {
    /// The constant true.
    Truth,
    Program(Literal),
    /// A conjunction of literals of the program.
    Conjunction(Vec<Literal>),
    /// A literal that a theory has added for good.
    Own,
    /// A literal that a theory has added for the current call.
    Volatile,
    /// A variable of this translation.
    Inner,
    /// Nothing any more.
    Gone,
}

/// The numbers of an engine's literals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    /// By number, less one.
    lits: Vec<Lit>,
    meanings: Vec<Meaning>,
    /// By variable: the number of its positive literal.
    of_var: Vec<i32>,
    /// Further numbers of variables, of their positive literals.
    aliases: Map<Var, Vec<i32>>,
    conjunctions: Map<Vec<Literal>, i32>,
}

impl Numbers {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.lits.len()
    }
    /// The engine's literal with a number.
    #[inline]
    pub(crate) fn lit(&self, number: i32) -> Result<Lit, Misuse> {
        match self.lits.get((number.unsigned_abs() as usize).wrapping_sub(1)) {
            Some(&lit) => Ok(if number < 0 { !lit } else { lit }),
            None => Err(Misuse::Literal(number)),
        }
    }
    /// The number of a literal; 0 for one that [`sync`](Self::sync) has not seen.
    #[inline]
    pub(crate) fn number(&self, lit: Lit) -> i32 {
        let number = self.of_var.get(lit.var().index()).copied().unwrap_or(0);
        if lit.is_neg() { -number } else { number }
    }
    /// All numbers of a literal.
    pub(crate) fn numbers(&self, lit: Lit) -> impl Iterator<Item = i32> {
        let more = if self.aliases.is_empty() { None } else { self.aliases.get(&lit.var()) };
        let more = more.into_iter().flatten().map(move |&n| if lit.is_neg() { -n } else { n });
        std::iter::once(self.number(lit)).chain(more)
    }
    /// Whether a number is that of a literal of the current call.
    pub(crate) fn is_volatile(&self, number: i32) -> bool {
        self.meanings.get((number.unsigned_abs() as usize).wrapping_sub(1)) == Some(&Meaning::Volatile)
    }
    /// The program's literal that a number stands for, if it is one.
    pub(crate) fn program_literal(&self, number: i32) -> Option<Literal> {
        match self.meanings.get((number.unsigned_abs() as usize).wrapping_sub(1)) {
            Some(&Meaning::Program(literal)) if number > 0 => Some(literal),
            Some(&Meaning::Program(literal)) => Some(Literal::new(literal.atom(), !literal.is_neg())),
            _ => None,
        }
    }
    /// Numbers the variables that are new.
    #[inline]
    pub(crate) fn sync(&mut self, engine: &Engine) {
        while self.of_var.len() < engine.num_vars() {
            let lit = Lit::pos(Var::from_usize(self.of_var.len()));
            self.add(lit, Meaning::Inner);
        }
    }
    fn add(&mut self, lit: Lit, meaning: Meaning) -> i32 {
        self.lits.push(lit);
        self.meanings.push(meaning);
        let number = self.lits.len() as i32;
        self.enter(number, lit);
        number
    }
    /// Notes the number of a literal.
    fn enter(&mut self, number: i32, lit: Lit) {
        let (at, number) = (lit.var().index(), if lit.is_neg() { -number } else { number });
        if self.of_var.len() <= at {
            self.of_var.resize(at + 1, 0);
        }
        if self.of_var[at] == 0 {
            self.of_var[at] = number;
        } else {
            self.aliases.entry(lit.var()).or_default().push(number);
        }
    }
    /// The number of a literal that means something.
    fn name(&mut self, lit: Lit, meaning: impl FnOnce(bool) -> Meaning) -> i32 {
        let number = self.number(lit);
        let place = &mut self.meanings[number.unsigned_abs() as usize - 1];
        if *place == Meaning::Inner {
            *place = meaning(number < 0);
        }
        number
    }
    /// The number of a program's literal.
    pub(crate) fn of_literal(&mut self, literal: Literal, t: &Translation) -> i32 {
        self.sync(&t.engine);
        let flip =
            |negative| if negative { Literal::new(literal.atom(), !literal.is_neg()) } else { literal };
        self.name(t.lit(literal), |negative| Meaning::Program(flip(negative)))
    }
    /// The number of a conjunction.
    pub(crate) fn of_conjunction(&mut self, literals: &[Literal], t: &mut Translation) -> i32 {
        match literals {
            [] => return 1,
            [literal] => return self.of_literal(*literal, t),
            _ => {}
        }
        if let Some(&known) = self.conjunctions.get(literals) {
            return known;
        }
        let lit = t.conjunction(literals);
        self.sync(&t.engine);
        // A conjunction that turned out to be a literal keeps a number of its own.
        let number = match self.meanings[self.number(lit).unsigned_abs() as usize - 1] {
            Meaning::Inner if !lit.is_neg() => self.name(lit, |_| Meaning::Conjunction(literals.to_vec())),
            _ => self.add(lit, Meaning::Conjunction(literals.to_vec())),
        };
        self.conjunctions.insert(literals.to_vec(), number);
        number
    }
    /// A number for a literal that was added, for good or for the current call.
    pub(crate) fn of_new(&mut self, var: Var, is_volatile: bool, engine: &Engine) -> i32 {
        self.sync(engine);
        self.name(Lit::pos(var), |_| if is_volatile { Meaning::Volatile } else { Meaning::Own })
    }
    /// Forgets the literals of the current call; they are false from now on.
    pub(crate) fn end_call(&mut self) -> Vec<Lit> {
        let mut gone = Vec::new();
        for (meaning, &lit) in self.meanings.iter_mut().zip(&self.lits) {
            if *meaning == Meaning::Volatile {
                *meaning = Meaning::Gone;
                gone.push(lit);
            }
        }
        gone
    }
    /// Finds the literals of a new translation.
    pub(crate) fn renew(&mut self, t: &mut Translation) {
        self.of_var.clear();
        self.aliases.clear();
        if self.lits.is_empty() {
            self.lits.push(t.atoms.truth);
            self.meanings.push(Meaning::Truth);
        }
        let truth = t.atoms.truth;
        for at in 0..self.lits.len() {
            let lit = match &self.meanings[at] {
                Meaning::Truth => truth,
                Meaning::Program(literal) => t.lit(*literal),
                Meaning::Conjunction(literals) => t.conjunction(literals),
                Meaning::Own => {
                    let var = t.engine.new_var();
                    t.engine.freeze(var);
                    Lit::pos(var)
                }
                Meaning::Volatile | Meaning::Inner | Meaning::Gone => {
                    self.meanings[at] = Meaning::Gone;
                    self.lits[at] = !truth;
                    continue;
                }
            };
            self.lits[at] = lit;
            self.enter(at as i32 + 1, lit);
        }
        // The first translation numbers all variables in order.
        let unnumbered: Vec<usize> = (0..self.of_var.len()).filter(|&v| self.of_var[v] == 0).collect();
        for var in unnumbered {
            self.add(Lit::pos(Var::from_usize(var)), Meaning::Inner);
        }
        self.sync(&t.engine);
    }
}
