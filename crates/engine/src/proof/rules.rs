//! The rules of a ground program as a proof sees them: named body sums, and unfounded sets.
//!
//! A body is a sum of literals that reaches a bound. A body that is no single literal has a variable, the same for equal
//! bodies; a rule with several heads has one more for each head, "the body holds and no other head does". Atom `n` is `xn`,
//! the body that occurs first in rule `i` is `bi`, the variable of its head `n` is `di_n`. In a proof about optimal answer sets,
//! `o1` demands lower costs.
//! Invariant: the checker, which shares no code with this, derives the same from the ground program in aspif.

use super::put_number;
use asp_base::csr::Csr;
use asp_base::map::{Map, Set};

/// A literal of the proof: the number of a variable, negated or not.
pub type Name = i32;
/// The constant true.
pub const TRUE: Name = Name::MAX;
/// The constant false.
pub const FALSE: Name = -Name::MAX;

/// One rule.
#[derive(Clone, Debug)]
pub struct Rule {
    pub(crate) choice: bool,
    /// Sorted, each once.
    pub heads: Vec<Name>,
    /// Sorted by literal, each literal once, with its weight.
    pub terms: Vec<(Name, i64)>,
    /// The bound that the weights of true terms reach if the body holds.
    pub bound: i64,
    /// The literal for the body; 0 without heads, if it is no literal.
    pub body: Name,
    /// Whether the body's variable is defined here.
    pub(crate) defines: bool,
    /// The variable of the first head, if there are several heads of which one must hold.
    pub(crate) shifted: Option<Name>,
}

impl Rule {
    /// Whether the rule is a disjunction with several heads.
    pub fn is_disjunctive(&self) -> bool {
        self.shifted.is_some()
    }
    /// Whether the body cannot hold without some of its atoms.
    pub fn needs(&self, inside: impl Fn(Name) -> bool) -> bool {
        let rest = self.terms.iter().filter(|t| t.0 < 0 || !inside(t.0));
        rest.map(|t| i128::from(t.1)).sum::<i128>() < i128::from(self.bound)
    }
    /// The variable that supports a head.
    pub fn support(&self, head: Name) -> Name {
        match (self.shifted, self.heads.binary_search(&head)) {
            (Some(first), Ok(at)) => first + at as Name,
            _ => self.body,
        }
    }
}

/// The meaning of a variable beyond the atoms.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Body { rule: u32 },
    Shifted { rule: u32, head: Name },
    Cheaper,
}

/// All rules.
#[derive(Debug, Default)]
pub struct Rules {
    /// Number of atoms of the ground program, without one that aspif may need for constant costs.
    pub own_atoms: usize,
    atoms: usize,
    /// In the order of the ground program.
    pub rules: Vec<Rule>,
    meanings: Vec<Meaning>,
    bodies: Map<(i64, Vec<(Name, i64)>), Name>,
    /// By atom: its rules.
    by_head: Csr<u32>,
    /// Atoms that may have any value.
    pub free: Set<Name>,
    /// Literals that hold.
    pub given: Vec<Name>,
    /// Demands lower costs than the optimal ones, if the proof is about all optimal answer sets.
    pub cheaper: Option<Name>,
    /// The literals under which the program's edges are there.
    pub edges: Vec<Name>,
}

impl Rules {
    /// No rules over this many atoms, and one more that always holds if `has_truth`.
    pub fn new(own_atoms: usize, has_truth: bool) -> Self {
        Self { own_atoms, atoms: own_atoms + usize::from(has_truth), ..Self::default() }
    }
    /// The atom that stands for constant costs.
    pub fn truth(&self) -> Option<Name> {
        (self.atoms > self.own_atoms).then_some(self.atoms as Name)
    }
    /// Number of atoms.
    pub fn num_atoms(&self) -> usize {
        self.atoms
    }
    /// Number of variables.
    pub fn num_vars(&self) -> usize {
        self.atoms + self.meanings.len()
    }
    /// Appends a rule; `bound` is `None` if all literals must hold.
    pub fn add(
        &mut self,
        choice: bool,
        heads: impl Iterator<Item = Name>,
        terms: impl Iterator<Item = (Name, i64)>,
        bound: Option<i64>,
    ) {
        let number = self.rules.len() as u32 + 1;
        let mut heads: Vec<Name> = heads.collect();
        heads.sort_unstable();
        heads.dedup();
        let mut terms: Vec<(Name, i64)> = terms.collect();
        terms.sort_unstable_by_key(|t| t.0);
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same && bound.is_some() {
                kept.1 = kept.1.saturating_add(next.1);
            }
            same
        });
        let bound = bound.unwrap_or(terms.len() as i64);
        let mut defines = false;
        let body = match *terms.as_slice() {
            _ if bound <= 0 => TRUE,
            [(l, w)] if w >= bound => l,
            _ if heads.is_empty() => 0,
            _ => {
                let next = self.num_vars() as Name + 1;
                let own = *self.bodies.entry((bound, terms.clone())).or_insert(next);
                defines = own == next;
                if defines {
                    self.meanings.push(Meaning::Body { rule: number });
                }
                own
            }
        };
        let shifted = (!choice && heads.len() > 1).then_some(self.num_vars() as Name + 1);
        if shifted.is_some() {
            self.meanings.extend(heads.iter().map(|&head| Meaning::Shifted { rule: number, head }));
        }
        self.rules.push(Rule { choice, heads, terms, bound, body, defines, shifted });
    }
    /// The proof is about all optimal answer sets. To be called after the last rule.
    pub fn may_be_cheaper(&mut self) {
        self.meanings.push(Meaning::Cheaper);
        self.cheaper = Some(self.num_vars() as Name);
    }
    /// To be called after the last rule.
    pub fn finish(&mut self) {
        let heads = self.rules.iter().zip(0..).flat_map(|(r, i)| r.heads.iter().map(move |&h| (h as u32, i)));
        self.by_head = Csr::group(self.atoms + 1, heads);
        self.bodies = Map::default();
    }
    /// The rules with an atom in their heads.
    pub fn rules_of(&self, atom: Name) -> impl Iterator<Item = &Rule> {
        self.by_head.row(atom as usize).iter().map(|&i| &self.rules[i as usize])
    }
    /// Appends the name of a literal. Variables beyond the rules are `z1`, `z2`, ...
    pub(crate) fn put_name(&self, name: Name, line: &mut Vec<u8>) {
        if name < 0 {
            line.push(b'~');
        }
        let var = name.unsigned_abs() as usize;
        let mut put = |letter: u8, n: u64| {
            line.push(letter);
            put_number(n, line);
        };
        let Some(beyond) = var.checked_sub(self.atoms + 1) else { return put(b'x', var as u64) };
        match self.meanings.get(beyond) {
            None => put(b'z', (var - self.num_vars()) as u64),
            Some(Meaning::Cheaper) => put(b'o', 1),
            Some(&Meaning::Body { rule }) => put(b'b', rule.into()),
            Some(&Meaning::Shifted { rule, head }) => {
                put(b'd', rule.into());
                put(b'_', head as u64);
            }
        }
    }
    /// Literals, all false, of which one must hold if an atom of the set does: any rule that could derive one from outside
    /// needs one. Those of the search's reason go first, so that its clause follows. `None`: some rule can derive one.
    pub(crate) fn escapes(
        &self,
        set: &[Name],
        is_reason: &dyn Fn(Name) -> bool,
        is_false: &dyn Fn(Name) -> bool,
    ) -> Option<Vec<Name>> {
        let inside: Set<Name> = set.iter().copied().collect();
        let mut escapes = Vec::new();
        let mut seen: Set<u32> = Set::default();
        for &atom in set {
            for &i in self.by_head.row(atom as usize) {
                let rule = &self.rules[i as usize];
                if !seen.insert(i) || rule.needs(|a| inside.contains(&a)) || self.blocks_itself(rule, &inside)
                {
                    continue;
                }
                if !self.escape(rule, &inside, is_reason, &mut escapes)
                    && !self.escape(rule, &inside, is_false, &mut escapes)
                {
                    // False literals may have been removed before the search.
                    escapes.push(Some(rule.body).filter(|&body| body != TRUE)?);
                }
            }
        }
        escapes.sort_unstable();
        escapes.dedup();
        Some(escapes)
    }
    /// Whether the body of a disjunction cannot hold without a head outside the set.
    fn blocks_itself(&self, rule: &Rule, set: &Set<Name>) -> bool {
        let mut others = rule.heads.iter().filter(|h| !set.contains(*h));
        rule.is_disjunctive() && others.any(|&h| rule.needs(|a| a == h))
    }
    /// Appends what prevents a rule from deriving an atom of the set; `false` if nothing does.
    fn escape(
        &self,
        rule: &Rule,
        inside: &Set<Name>,
        is_false: &dyn Fn(Name) -> bool,
        escapes: &mut Vec<Name>,
    ) -> bool {
        let open = rule.terms.iter().filter(|t| !is_false(t.0)).map(|t| i128::from(t.1));
        let fails = is_false(rule.body) || open.sum::<i128>() < i128::from(rule.bound);
        let other = rule.heads.iter().copied().find(|&h| !inside.contains(&h) && is_false(-h));
        let other = other.filter(|_| rule.is_disjunctive());
        let mut own = rule.heads.iter().filter(|h| inside.contains(*h));
        if let (true, Some(&head), None) = (rule.is_disjunctive(), own.next(), own.next())
            && (fails || other.is_some() || is_false(rule.support(head)))
        {
            // It fails if the body does or another head holds.
            escapes.push(rule.support(head));
        } else if fails {
            escapes.push(rule.body);
        } else if let Some(other) = other {
            escapes.push(-other);
        } else {
            let outside = || rule.terms.iter().filter(|t| t.0 < 0 || !inside.contains(&t.0));
            let rest: i128 = outside().filter(|t| !is_false(t.0)).map(|t| i128::from(t.1)).sum();
            if rest >= i128::from(rule.bound) {
                return false;
            }
            escapes.extend(outside().map(|t| t.0).filter(|&l| is_false(l)));
        }
        true
    }
}
