//! Auxiliary atoms as text: by their definitions, or by the rules that derive them.
//!
//! Invariant: of a conjunction, conditions that the facts decide are left out.

use super::aggregates::derived_by_facts;
use super::{Renderer, and, list};
use asp_base::signature::Signature;
use asp_base::symbol::Sym;
use asp_program::AtomId;
use asp_program::ground_program::{ConditionalElement, Definition};
use asp_program::rule::{Body, RuleRef};
use asp_syntax::ast::{self, StatementKind};

impl Renderer<'_> {
    /// What an atom without a name stands for, by the rules that derive it: `p(1,_)`, or their bodies.
    pub(super) fn condition(&self, atom: AtomId, depth: u32) -> String {
        let program = self.inquiry.program();
        let rules = self.derived.get(&atom).map_or(&[][..], Vec::as_slice);
        let rules: Vec<_> = rules.iter().map(|&id| program.rules.get(id)).collect();
        if rules.is_empty() || depth == 0 {
            let place = rules.first().and_then(|rule| self.place_of(self.inquiry.span(rule.source)));
            return match place {
                Some(place) => format!("a condition of `{}`", place.text),
                None => "a condition that grounding has added".into(),
            };
        }
        if let Some(text) = self.pattern(&rules) {
            return text;
        }
        let bodies = rules.iter().map(|rule| match rule.body {
            Body::Normal(literals) => and(self.literals(literals, depth - 1)),
            Body::Weight { bound, literals, weights } => {
                format!("{} is at least {bound}", self.sum(literals, weights, depth - 1))
            }
        });
        list(bodies, " or ")
    }

    /// The literal with `_` that projection turned into these rules, if it did.
    fn pattern(&self, rules: &[RuleRef<'_>]) -> Option<String> {
        let (program, symbols) = (self.inquiry.program(), self.inquiry.symbols());
        let bodies = rules.iter().map(|rule| match rule.body {
            Body::Normal(&[literal]) if !literal.is_neg() => program.atoms.get(literal.atom()),
            _ => None,
        });
        let bodies: Vec<(Signature, &[Sym])> = bodies.collect::<Option<_>>()?;
        let &(signature, first) = bodies.first()?;
        if bodies.iter().any(|b| b.0 != signature) {
            return None;
        }
        let mut open: Vec<bool> =
            (0..first.len()).map(|i| bodies.iter().any(|(_, args)| args[i] != first[i])).collect();
        // With few instances, only the source text shows which arguments are left open.
        let statement = self.inquiry.statement(self.inquiry.span(rules.first()?.source));
        for a in statement.map(body_atoms).unwrap_or_default() {
            let args = a.args.first().filter(|args| a.name == signature.name && args.len() == open.len());
            let is_open = |t: &ast::Term| matches!(t.kind, ast::TermKind::Anonymous);
            if let Some(args) = args.filter(|args| open.iter().zip(*args).all(|(&o, t)| !o || is_open(t))) {
                args.iter().zip(&mut open).for_each(|(t, open)| *open |= is_open(t));
                break;
            }
        }
        let term = |(&t, &open): (&Sym, &bool)| if open { "_".into() } else { symbols.display(t) };
        let args: Vec<String> = first.iter().zip(&open).map(term).collect();
        let sign = if signature.negative { "-" } else { "" };
        let name = symbols.str(signature.name);
        Some(if args.is_empty() {
            format!("{sign}{name}")
        } else {
            format!("{sign}{name}({})", args.join(","))
        })
    }

    /// What the definition of an atom says.
    pub(super) fn definition(&self, definition: &Definition, depth: u32) -> String {
        let program = self.inquiry.program();
        match definition {
            Definition::Negation(atom) => format!("not {}", self.atom_within(*atom, depth)),
            Definition::Conjunction { elements, .. } => {
                let certain = self.certain.get_or_init(|| derived_by_facts(self.inquiry));
                let part = |e: &ConditionalElement| {
                    let (head, condition) = (program.literals(e.head), program.literals(e.condition));
                    let mut open = condition.to_vec();
                    open.retain(|l| l.is_neg() || !certain.contains(&l.atom()));
                    // What would be told as its one atom keeps the condition, to tell them apart.
                    let shown = if elements.len() == 1 && head.len() == 1 { condition } else { &open[..] };
                    match (head, condition, shown) {
                        ([], [], _) => "#false".into(),
                        ([], [one], _) => self.literal_within(!*one, depth),
                        ([], ..) => format!("not ({})", and(self.literals(condition, depth))),
                        (_, _, []) => list(self.literals(head, depth), " or "),
                        _ => format!(
                            "({})",
                            self.under(list(self.literals(head, depth), " or "), shown, depth)
                        ),
                    }
                };
                if elements.is_empty() { "#true".into() } else { and(elements.iter().map(part)) }
            }
            Definition::Aggregate { guards, .. } => self.aggregate_of(definition, guards, depth),
        }
    }
}

/// The atoms in a statement's body, including those in aggregates and conditions.
fn body_atoms(statement: &ast::Statement) -> Vec<&ast::Atom> {
    let StatementKind::Rule { body, .. } = &statement.kind else { return Vec::new() };
    let literals = body.iter().flat_map(ast::BodyElement::literals);
    let atoms = literals.filter_map(|l| if let ast::LiteralKind::Atom(a) = &l.kind { Some(a) } else { None });
    atoms.collect()
}
