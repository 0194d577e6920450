//! Negated literals that grounding leaves out of a rule's instance, since nothing derives their atoms.
//!
//! Invariant: what is said belongs to the instance. Which one it is, its positive literals tell: a variable is replaced where all ways
//! to match them with those that are written agree, and stays as written elsewhere.

use super::Renderer;
use asp_base::map::{Map, Set};
use asp_base::symbol::{StrId, Sym, SymView};
use asp_program as ground;
use asp_program::rule::{Body, RuleRef};
use asp_syntax::ast::{Atom, BodyElementKind, Literal, LiteralKind, Sign, StatementKind, Term, TermKind};
use asp_syntax::print;

/// How many ways to match are looked at; of a rule with more, nothing is said.
const MAX_WAYS: usize = 1000;

/// Values of variables.
type Binding = Map<StrId, Sym>;

/// A ground atom: name, sign and arguments.
type Known<'a> = (StrId, bool, &'a [Sym]);

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
    /// The negated literals, as text, of a rule's instance whose atoms nothing derives.
    pub(super) fn absent(&self, rule: &RuleRef<'_>) -> Vec<String> {
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
        gone.map(|(literal, _)| print::literal(&instance(literal, &agreed), self.inquiry.symbols())).collect()
    }

    /// The names that constants of the program replace.
    fn constants(&self) -> &Set<StrId> {
        self.constants.get_or_init(|| {
            let ground = self.inquiry.control.as_ground();
            ground.constants().filter_map(|(name, _)| self.inquiry.symbols().find_name(name)).collect()
        })
    }

    /// Whether an atom's arguments are variables and values, none of which a constant replaces.
    fn is_plain(&self, atom: &Atom) -> bool {
        let constants = self.constants();
        let is_plain = |t: &Term| match &t.kind {
            TermKind::Variable(_) | TermKind::Symbol(_) => true,
            TermKind::Function { name, args, external: false } => {
                args.iter().all(Vec::is_empty) && !constants.contains(name)
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
                TermKind::Function { name, args, external: false }
                    if args.iter().all(Vec::is_empty) && !self.constants().contains(name) =>
                {
                    match self.inquiry.symbols().view(value) {
                        SymView::Fun { name: own, args: [], negative: false } if own == *name => {}
                        _ => return None,
                    }
                }
                _ => {}
            }
        }
        Some(binding)
    }
}

fn instance(literal: &Literal, binding: &Binding) -> Literal {
    let mut literal = literal.clone();
    if let LiteralKind::Atom(atom) = &mut literal.kind {
        for term in atom.args.iter_mut().flatten() {
            if let TermKind::Variable(name) = term.kind
                && let Some(&value) = binding.get(&name)
            {
                term.kind = TermKind::Symbol(value);
            }
        }
    }
    literal
}
