//! Terms as weights where the values of a predicate were meant, or its atoms counted.
//!
//! Invariant: what is proposed is a whole element or statement that binds its variables; where it might not, nothing is.

use super::TERM_COMPARED;
use super::whole::Known;
use asp_base::diagnostic::Diagnostic;
use asp_base::symbol::Symbols;
use asp_syntax::ast::*;
use asp_syntax::print;

/// What an objective or a sum counts.
pub(super) struct Counted<'a> {
    pub(super) weight: &'a Term,
    pub(super) priority: Option<&'a Term>,
    pub(super) tuple: &'a [Term],
    /// `None`: there are others than literals.
    pub(super) condition: Option<Vec<&'a Literal>>,
    /// Whether it is written as a weak constraint.
    pub(super) is_weak: bool,
}

impl Counted<'_> {
    /// The same with another weight, which an atom in the condition binds.
    fn with(&self, weight: &str, atom: String, symbols: &Symbols) -> Option<String> {
        let condition = self.condition.as_ref()?;
        let terms = || {
            let own = [self.weight].into_iter().chain(self.priority).chain(self.tuple);
            own.chain(condition.iter().flat_map(|l| l.terms())).flat_map(Term::walk)
        };
        let is_taken = |t: &Term| match &t.kind {
            TermKind::Variable(name) => symbols.str(*name) == weight,
            _ => false,
        };
        let is_blank = |t: &Term| matches!(t.kind, TermKind::Anonymous);
        if terms().any(is_taken) || self.weight.walk().any(is_blank) {
            return None;
        }
        let mut told: Vec<String> = self.tuple.iter().map(|t| print::plain_term(t, symbols)).collect();
        if told.is_empty() {
            for (name, _) in self.weight.variables() {
                let name = symbols.str(name).to_string();
                if !told.contains(&name) {
                    told.push(name);
                }
            }
        }
        if told.is_empty() {
            told.push(print::plain_term(self.weight, symbols));
        }
        let level = self.priority.map_or(String::new(), |p| format!("@{}", print::plain_term(p, symbols)));
        let tuple = format!("{weight}{level},{}", told.join(","));
        let mut literals: Vec<String> = condition.iter().map(|l| print::plain_literal(l, symbols)).collect();
        if !literals.contains(&atom) {
            literals.push(atom);
        }
        let condition = literals.join(", ");
        Some(if self.is_weak {
            format!(":~ {condition}. [{tuple}]")
        } else {
            format!("{tuple} : {condition}")
        })
    }
}

/// `#sum { p(X) : n(X) }`: a term that looks like an atom, or its value, has no weight. Of variables that nothing binds something
/// else is said.
pub(super) fn atom_as_weight(
    counted: &Counted<'_>,
    known: &Known<'_>,
    symbols: &Symbols,
) -> Option<Diagnostic> {
    let term = counted.weight;
    let TermKind::Function { name, args, external: false } = &term.kind else { return None };
    let ([list], false) = (&args[..], (known.is_constant)(*name)) else { return None };
    let arity = list.len() as u32;
    let is_defined = |arity| (known.is_defined)(*name, arity);
    let is_bound = counted.condition.as_ref().is_none_or(|condition| !condition.is_empty());
    if list.is_empty()
        || !is_bound && term.variables().next().is_some()
        || known.variables.contains(&(*name, arity))
    {
        return None;
    }
    let written = print::plain_term(term, symbols);
    let inner = written.strip_suffix(')')?;
    let help = match (is_defined(arity), is_defined(arity + 1)) {
        (_, true) => counted
            .with("V", format!("{inner},V)"), symbols)
            .map(|meant| format!("a value is bound by the condition: `{meant}`")),
        (true, _) => counted
            .with("1", written.clone(), symbols)
            .map(|meant| format!("an atom stands in the condition, and a number is the weight: `{meant}`")),
        _ => return None,
    };
    let text = format!("`{written}` is a term here and no number, so that it counts nothing");
    let told = Diagnostic::warning(TERM_COMPARED, term.span, text);
    Some(match help {
        Some(help) => told.help(help),
        None => told,
    })
}
