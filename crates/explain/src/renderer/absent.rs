//! Negated literals that grounding leaves out of a rule's instance, since nothing derives their atoms.
//!
//! Invariant: what is said belongs to the instance as far as its positive literals tell the variables; others stay as written.

use super::Renderer;
use asp_base::map::{Map, Set};
use asp_base::symbol::{StrId, Sym, SymView};
use asp_program as ground;
use asp_program::rule::{Body, RuleRef};
use asp_syntax::ast::{Atom, BodyElementKind, Literal, LiteralKind, Sign, StatementKind, Term, TermKind};
use asp_syntax::print;

/// Values of variables.
type Binding = Map<StrId, Sym>;

impl Renderer<'_> {
    /// The negated literals, as text, of a rule's instance whose atoms nothing derives.
    pub(super) fn absent(&self, rule: &RuleRef<'_>) -> Vec<String> {
        let Body::Normal(body) = rule.body else { return Vec::new() };
        let Some(statement) = self.inquiry.statement(self.inquiry.span(rule.source)) else {
            return Vec::new();
        };
        let StatementKind::Rule { body: written, .. } = &statement.kind else { return Vec::new() };
        let (mut positive, mut negated): (Vec<&Atom>, Vec<&Literal>) = (Vec::new(), Vec::new());
        for element in written {
            let BodyElementKind::Literal(literal) = &element.kind else { continue };
            match (&literal.kind, literal.sign) {
                (LiteralKind::Atom(atom), Sign::None) => positive.push(atom),
                (LiteralKind::Atom(_), Sign::Not) => negated.push(literal),
                _ => {}
            }
        }
        let atoms = &self.inquiry.program().atoms;
        if negated.len() <= body.iter().filter(|l| l.is_neg()).count() {
            return Vec::new();
        }
        // Two atoms of a body may be one in an instance, but mostly they are not.
        let (mut binding, mut used) = (Binding::default(), Set::default());
        for atom in positive {
            let [own] = &atom.args[..] else { continue };
            let matching = |l: &ground::Literal| {
                let (signature, args) = atoms.get(l.atom()).filter(|_| !l.is_neg())?;
                let fits =
                    (atom.name, own.len(), atom.negative) == (signature.name, args.len(), signature.negative);
                Some((l.atom(), self.matched(own, args, &binding).filter(|_| fits)?))
            };
            let found = body.iter().filter_map(matching).min_by_key(|(atom, _)| used.contains(atom));
            if let Some((atom, bound)) = found {
                used.insert(atom);
                binding = bound;
            }
        }
        let is_absent = |literal: &Literal| {
            let LiteralKind::Atom(atom) = &literal.kind else { return false };
            let is_left = |l: &&ground::Literal| {
                atoms.get(l.atom()).is_some_and(|(signature, args)| {
                    (atom.name, atom.negative) == (signature.name, signature.negative)
                        && matches!(&atom.args[..], [own] if own.len() == args.len()
                            && self.matched(own, args, &binding).is_some())
                })
            };
            atom.args.len() == 1 && !body.iter().filter(|l| l.is_neg()).any(|l| is_left(&l))
        };
        let instance =
            |literal: &&Literal| print::literal(&instance(literal, &binding), self.inquiry.symbols());
        negated.iter().filter(|literal| is_absent(literal)).map(instance).collect()
    }

    /// The binding under which terms have these values, as far as they are variables and constants.
    fn matched(&self, terms: &[Term], values: &[Sym], binding: &Binding) -> Option<Binding> {
        let mut binding = binding.clone();
        for (term, &value) in terms.iter().zip(values) {
            match &term.kind {
                TermKind::Variable(name) if *binding.entry(*name).or_insert(value) != value => return None,
                TermKind::Symbol(own) if *own != value => return None,
                TermKind::Function { name, args, external: false } if args.iter().all(Vec::is_empty) => {
                    // A constant may have been replaced.
                    match self.inquiry.symbols().view(value) {
                        SymView::Fun { name: own, args: [], .. } if own != *name => return None,
                        _ => {}
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
