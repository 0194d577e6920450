//! Negated literals that grounding leaves out of a rule's instance, since nothing derives their atoms.
//!
//! Invariant: what is said belongs to the instance. Which one it is, its positive literals tell: a variable is replaced where all ways
//! to match them with those that are written agree, and stays as written elsewhere.

use super::{Renderer, list};
use crate::inquiry::items::Origin;
use crate::matching::{self, Binding};
use asp_base::map::Map;
use asp_base::symbol::{StrId, Sym, SymView};
use asp_program as ground;
use asp_program::rule::{Body, RuleRef};
use asp_syntax::ast::{Atom, BodyElementKind, Literal, LiteralKind, Sign, StatementKind, Term, TermKind};
use asp_syntax::print;

/// How many ways to match are looked at; of a rule with more, nothing is said.
const MAX_WAYS: usize = 1000;

/// A ground atom: name, sign and arguments.
type Known<'a> = (StrId, bool, &'a [Sym]);

/// A negated literal that is left out.
pub(super) struct Absent {
    pub(super) text: String,
    /// Its atom, if all values are known.
    atom: Option<String>,
}

/// The search for the ways to match what is written with what is left of an instance.
struct Matching<'a> {
    renderer: &'a Renderer<'a>,
    written: Vec<&'a Atom>,
    left: Vec<Known<'a>>,
    /// Whether each atom that is left is one of those that are written.
    covers: bool,
    ways: Vec<Binding>,
}

impl Matching<'_> {
    /// Matches the written atoms from a number on; `used` are those left that are matched so far. `false`: there are too many ways.
    fn run(&mut self, number: usize, binding: &Binding, used: &mut Vec<bool>) -> bool {
        let Some(&atom) = self.written.get(number) else {
            if !self.covers || used.iter().all(|&used| used) {
                self.ways.push(binding.clone());
            }
            return self.ways.len() <= MAX_WAYS;
        };
        for place in 0..self.left.len() {
            let Some(bound) = self.renderer.matched(atom, self.left[place], binding) else { continue };
            let before = std::mem::replace(&mut used[place], true);
            if !self.run(number + 1, &bound, used) {
                return false;
            }
            used[place] = before;
        }
        // Certain atoms are left out of the instance.
        self.run(number + 1, binding, used)
    }
}

impl Renderer<'_> {
    /// The negated literals of a rule's instance whose atoms nothing derives.
    pub(super) fn absent(&self, rule: &RuleRef<'_>) -> Vec<Absent> {
        let Body::Normal(body) = rule.body else { return Vec::new() };
        let Some(statement) = self.inquiry.statement(self.inquiry.span(rule.source)) else {
            return Vec::new();
        };
        let StatementKind::Rule { body: elements, .. } = &statement.kind else { return Vec::new() };
        let (mut written, mut negated, mut covers) = (Vec::new(), Vec::new(), true);
        for element in elements {
            let BodyElementKind::Literal(literal) = &element.kind else {
                covers = false;
                continue;
            };
            match (&literal.kind, literal.sign) {
                (LiteralKind::Atom(atom), Sign::None) => written.push(atom),
                (LiteralKind::Atom(atom), Sign::Not) if self.is_plain(atom) => negated.push((literal, atom)),
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
            of.filter_map(|l: &ground::Literal| atoms.get(l.atom()))
                .map(|(s, args)| (s.name, s.negative, args))
                .collect()
        };
        let (left, denied) = (known(false), known(true));
        let mut used = vec![false; left.len()];
        let mut matching = Matching { renderer: self, written, left, covers, ways: Vec::new() };
        if !matching.run(0, &Binding::default(), &mut used) || matching.ways.is_empty() {
            return Vec::new();
        }
        let ways = matching.ways;
        let may_be_left =
            |atom: &Atom| ways.iter().any(|way| denied.iter().any(|&l| self.matched(atom, l, way).is_some()));
        let agreed: Binding = ways[0]
            .iter()
            .filter(|(name, value)| ways.iter().all(|way| way.get(*name) == Some(*value)))
            .map(|(name, value)| (*name, *value))
            .collect();
        let gone = negated.iter().filter(|(_, atom)| !may_be_left(atom));
        let told = |(literal, atom): &(&Literal, &Atom)| {
            let own = self.instance(atom, &agreed);
            let is_ground =
                own.terms().all(|t| matches!(t.kind, TermKind::Symbol(_) | TermKind::Function { .. }));
            let kind = LiteralKind::Atom(own);
            let underived = Literal { sign: Sign::None, kind: kind.clone(), span: literal.span };
            let text = |l: &Literal| print::literal(l, self.inquiry.symbols());
            Absent {
                text: text(&Literal { sign: literal.sign, kind, span: literal.span }),
                atom: is_ground.then(|| text(&underived)),
            }
        };
        gone.map(told).collect()
    }

    /// The atoms, as text, of negated literals that are left out of a ground rule.
    pub(crate) fn underived(&self, origin: Origin) -> Vec<String> {
        let Origin::Rule(id) = origin else { return Vec::new() };
        let rule = self.inquiry.program().rules.get(id);
        self.absent(&rule).into_iter().filter_map(|absent| absent.atom).collect()
    }

    /// What stands for the names of constants.
    fn constants(&self) -> &Map<StrId, Option<Sym>> {
        self.constants.get_or_init(|| matching::constants(self.inquiry))
    }

    /// Whether an atom's arguments are variables, values and constants.
    fn is_plain(&self, atom: &Atom) -> bool {
        let is_plain = |t: &Term| match &t.kind {
            TermKind::Variable(_) | TermKind::Symbol(_) => true,
            TermKind::Function { name, args, external: false } => {
                args.iter().all(Vec::is_empty) && self.constants().get(name).is_none_or(Option::is_some)
            }
            _ => false,
        };
        atom.args.len() == 1 && atom.args[0].iter().all(is_plain)
    }

    /// The binding under which a written atom may be a ground one; terms with operators may have any value.
    fn matched(&self, atom: &Atom, known: Known<'_>, binding: &Binding) -> Option<Binding> {
        let [terms] = &atom.args[..] else { return None };
        if (atom.name, atom.negative, terms.len()) != (known.0, known.1, known.2.len()) {
            return None;
        }
        let mut binding = binding.clone();
        for (term, &value) in terms.iter().zip(known.2) {
            match &term.kind {
                TermKind::Variable(name) if *binding.entry(*name).or_insert(value) != value => return None,
                TermKind::Symbol(own) if *own != value => return None,
                TermKind::Function { name, args, external: false } if args.iter().all(Vec::is_empty) => {
                    let is_it = match (self.constants().get(name), self.inquiry.symbols().view(value)) {
                        (Some(own), _) => own.is_none_or(|own| own == value),
                        (None, SymView::Fun { name: own, args: [], negative: false }) => own == *name,
                        _ => false,
                    };
                    if !is_it {
                        return None;
                    }
                }
                _ => {}
            }
        }
        Some(binding)
    }

    fn instance(&self, atom: &Atom, binding: &Binding) -> Atom {
        let mut atom = atom.clone();
        for term in atom.args.iter_mut().flatten() {
            let value = match &term.kind {
                TermKind::Variable(name) => binding.get(name).copied(),
                TermKind::Function { name, .. } => self.constants().get(name).copied().flatten(),
                _ => None,
            };
            if let Some(value) = value {
                term.kind = TermKind::Symbol(value);
            }
        }
        atom
    }
}

/// What is added where negated literals are told: that nothing derives their atoms.
pub(super) fn underived(absent: &[Absent]) -> String {
    let mut atoms: Vec<&str> = absent.iter().filter_map(|a| a.atom.as_deref()).collect();
    atoms.dedup();
    if atoms.is_empty() { String::new() } else { format!("; no rule can derive {}", list(atoms, " or ")) }
}
