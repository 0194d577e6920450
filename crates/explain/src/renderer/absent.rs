//! Negated literals that grounding leaves out of a rule's instance, since nothing derives their atoms.
//!
//! Invariant: what is said belongs to the instance. Which one it is, its positive literals tell: a variable is replaced where all ways
//! to match them and its head with those that are written agree, and stays as written elsewhere. That no atom may hold is looked up.

use super::{Renderer, list};
use crate::inquiry::items::Origin;
use crate::matching::{self, Binding, Matcher, Which};
use asp_base::signature::Signature;
use asp_base::symbol::Sym;
use asp_program as ground;
use asp_program::rule::{Body, RuleRef};
use asp_syntax::ast::{Atom, BodyElementKind, Literal, LiteralKind, Sign, StatementKind, Term, TermKind};
use std::cell::RefCell;

/// How many ways to match are looked at; of a rule with more, nothing is said.
const MAX_WAYS: usize = 1000;

/// A ground atom.
type Known<'a> = (Signature, &'a [Sym]);

/// A negated literal that is left out.
pub(super) struct Absent {
    pub(super) text: String,
    /// Its atom, if all values are known.
    atom: Option<String>,
}

/// The search for the ways to match what is written with what is left of an instance.
struct Matching<'a, 'r> {
    matcher: &'r mut Matcher<'a>,
    written: Vec<&'r Atom>,
    comparisons: Vec<&'r Literal>,
    left: Vec<Known<'r>>,
    /// Whether each atom that is left is one of those that are written.
    covers: bool,
    /// Whether what is not left is looked for among what is certain.
    is_strict: bool,
    ways: Vec<Binding>,
}

impl Matching<'_, '_> {
    /// Matches the written atoms from a number on; `used` are those left that are matched so far. `false`: there are too many ways.
    fn run(&mut self, number: usize, mut binding: Binding, used: &mut Vec<bool>) -> bool {
        // An equation may bind what another literal needs.
        let mut before = usize::MAX;
        while before != binding.len() {
            before = binding.len();
            for literal in &self.comparisons {
                if let LiteralKind::Comparison(first, rest) = &literal.kind
                    && self.matcher.compare(first, rest, &mut binding) == Some(false)
                {
                    return true;
                }
            }
        }
        let Some(&atom) = self.written.get(number) else {
            if !self.covers || used.iter().all(|&used| used) {
                self.ways.push(binding);
            }
            return self.ways.len() <= MAX_WAYS;
        };
        for place in 0..self.left.len() {
            let Some(bound) = matched(self.matcher, atom, self.left[place], &binding) else { continue };
            let before = std::mem::replace(&mut used[place], true);
            if !self.run(number + 1, bound, used) {
                return false;
            }
            used[place] = before;
        }
        // Certain atoms are left out of the instance.
        let certain = self.matcher.matches(atom, Which::Certain, &binding);
        match certain.are_all && self.is_strict {
            true => certain.bindings.into_iter().all(|bound| self.run(number + 1, bound, used)),
            false => self.run(number + 1, binding, used),
        }
    }
}

impl<'a> Renderer<'a> {
    /// The negated literals of a rule's instance whose atoms nothing derives.
    pub(super) fn absent(&self, rule: &RuleRef<'_>) -> Vec<Absent> {
        let Body::Normal(body) = rule.body else { return Vec::new() };
        let Some(statement) = self.inquiry.statement(self.inquiry.span(rule.source)) else {
            return Vec::new();
        };
        let StatementKind::Rule { head, body: elements } = &statement.kind else { return Vec::new() };
        let (mut written, mut negated, mut comparisons) = (Vec::new(), Vec::new(), Vec::new());
        let mut covers = true;
        for element in elements {
            let BodyElementKind::Literal(literal) = &element.kind else {
                covers = false;
                continue;
            };
            match (&literal.kind, literal.sign) {
                (LiteralKind::Atom(atom), Sign::None) => written.push(atom),
                (LiteralKind::Atom(atom), Sign::Not) if is_plain(atom) => negated.push((literal, atom)),
                (LiteralKind::Comparison(..), Sign::None) => comparisons.push(literal),
                (LiteralKind::Comparison(..), _) => {}
                _ => covers = false,
            }
        }
        if negated.is_empty() || written.len() > 8 {
            return Vec::new();
        }
        let atoms = &self.inquiry.program().atoms;
        let known = |negative: bool| -> Vec<Known<'_>> {
            let of = body.iter().filter(|l| l.is_neg() == negative);
            of.filter_map(|l: &ground::Literal| atoms.get(l.atom())).collect()
        };
        let (left, denied) = (known(false), known(true));
        let mut used = vec![false; left.len()];
        let mut matcher = self.matcher.get_or_init(|| RefCell::new(Matcher::new(self.inquiry))).borrow_mut();
        let matcher = &mut *matcher;
        // A literal with `_` is left as an atom without a name.
        let is_strict = body.iter().all(|l| l.is_neg() || atoms.get(l.atom()).is_some());
        let ways = Vec::new();
        // The head of the instance gives values, too.
        let mut start = Binding::default();
        if let (&[own], [(of_head, _)]) = (rule.head.atoms(), &head.derived().collect::<Vec<_>>()[..])
            && let (LiteralKind::Atom(atom), Some(known)) = (&of_head.kind, atoms.get(own))
            && is_plain(atom)
            && let Some(bound) = matched(matcher, atom, known, &start)
        {
            start = bound;
        }
        let mut matching = Matching { matcher, written, comparisons, left, covers, is_strict, ways };
        if !matching.run(0, start.clone(), &mut used) {
            (matching.is_strict, matching.ways) = (false, Vec::new());
            used.fill(false);
            if !matching.run(0, start, &mut used) {
                return Vec::new();
            }
        }
        if matching.ways.is_empty() {
            return Vec::new();
        }
        let Matching { ways, matcher, .. } = matching;
        let agreed: Binding = ways[0]
            .iter()
            .filter(|(name, value)| ways.iter().all(|way| way.get(*name) == Some(*value)))
            .map(|(name, value)| (*name, *value))
            .collect();
        let mut found = Vec::new();
        for (literal, atom) in negated {
            let mut may_be_left =
                |way: &Binding| denied.iter().any(|&l| matched(matcher, atom, l, way).is_some());
            if ways.iter().any(&mut may_be_left) {
                continue;
            }
            let of_it = matcher.matches(atom, Which::Possible, &agreed);
            let is_closed = of_it.are_all && of_it.bindings.is_empty();
            let is_anonymous = |t: &Term| matches!(t.kind, TermKind::Anonymous);
            // What stands for an atom with `_` is not told apart in the instance.
            if atom.terms().any(is_anonymous) && !is_closed {
                continue;
            }
            let text = matcher.instance(literal, &agreed);
            let is_known =
                |t| is_anonymous(t) || matches!(matcher.value(t, &agreed), matching::Value::Known(_));
            let is_ground = atom.terms().all(is_known);
            let underived = text.strip_prefix("not ").filter(|_| is_ground && is_closed);
            found.push(Absent { atom: underived.map(str::to_string), text });
        }
        found
    }

    /// The atoms, as text, of negated literals that are left out of a ground rule.
    pub(crate) fn underived(&self, origin: Origin) -> Vec<String> {
        let Origin::Rule(id) = origin else { return Vec::new() };
        let rule = self.inquiry.program().rules.get(id);
        self.absent(&rule).into_iter().filter_map(|absent| absent.atom).collect()
    }
}

/// Whether an atom is one, and no term of it has several values.
fn is_plain(atom: &Atom) -> bool {
    let is_one = |t: &Term| match &t.kind {
        TermKind::Interval(..) | TermKind::Pool(_) | TermKind::Value { .. } => false,
        TermKind::Absolute(terms) => terms.len() == 1,
        TermKind::Function { args, external, .. } => !external && args.len() <= 1,
        _ => true,
    };
    atom.args.len() == 1 && atom.terms().flat_map(Term::walk).all(is_one)
}

/// The binding under which a written atom may be a ground one.
fn matched(matcher: &mut Matcher<'_>, atom: &Atom, known: Known<'_>, binding: &Binding) -> Option<Binding> {
    let (signature, terms) = matching::signature(atom)?;
    let mut binding = binding.clone();
    (signature == known.0 && matcher.all_fit(terms, known.1, &mut binding)).then_some(binding)
}

/// What is added where negated literals are told: that nothing derives their atoms.
pub(super) fn underived(absent: &[Absent]) -> String {
    let mut atoms: Vec<&str> = Vec::new();
    for atom in absent.iter().filter_map(|a| a.atom.as_deref()) {
        if !atoms.contains(&atom) {
            atoms.push(atom);
        }
    }
    if atoms.is_empty() { String::new() } else { format!("; no rule can derive {}", list(atoms, " or ")) }
}
