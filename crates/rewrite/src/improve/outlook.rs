//! The expected number of instances of a rule, and why no rewriting reduces it.
//!
//! Invariant: nothing here decides how a rule is grounded.

use super::Sizes;
use super::estimate::{self, Size};
use super::sums;
use crate::predicate::Predicates;
use crate::print::Printer;
use crate::rule::{Head, Literal, Rule, Var, literal_vars};
use asp_base::symbol::Symbols;

/// The sizes of a rule's literals.
pub(super) fn parts(rule: &Rule, sizes: &mut dyn Sizes) -> Vec<Size> {
    let never = vec![false; rule.vars.len()];
    rule.body.iter().map(|l| estimate::size(l, &never, sizes)).collect()
}

/// The expected work of a rule as it stands.
pub fn work(rule: &Rule, sizes: &mut dyn Sizes) -> f64 {
    estimate::work(&parts(rule, sizes))
}

/// The expected number of instances of a rule as it stands.
pub fn instances(rule: &Rule, sizes: &mut dyn Sizes) -> f64 {
    estimate::join(parts(rule, sizes).iter()).0
}

/// Which rewriting would make the instances of a rule fewer, or why none does.
pub fn why(rule: &Rule, predicates: &Predicates, symbols: &Symbols) -> String {
    let printer = Printer::new(rule, predicates, symbols);
    if sums::count(&rule.body) > 0 {
        return "the values of an aggregate multiply; `compared-sums` would merge them if they were only compared, linearly".into();
    }
    if let Head::Atom(head) = &rule.head {
        let in_head = |v: Var| head.args.iter().any(|t| t.has(v));
        let mut all = true;
        rule.body.iter().for_each(|l| literal_vars(l, &mut |v| all &= in_head(v)));
        let atom = print_signature(head, predicates, symbols);
        return match all {
            true => format!(
                "each instance has an atom of its own; `unfolding` would put the body into what reads {atom} if answers did \
                 not show it (`#show`) and only constraints read it"
            ),
            false => format!(
                "the other variables are joined to those of {atom} in too many ways for a cut (`decomposition`) to \
                 divide the work by 3"
            ),
        };
    }
    let widest = rule.body.iter().filter(|l| matches!(l, Literal::Compare(..)));
    let count = |l: &Literal| {
        let mut vars: Vec<Var> = Vec::new();
        literal_vars(l, &mut |v| vars.push(v));
        vars.sort_unstable();
        vars.dedup();
        vars.len()
    };
    match widest.max_by_key(|l| count(l)).filter(|l| count(l) > 1) {
        Some(l) => format!(
            "`{}` is only known when its variables are, so no cut (`decomposition`) divides the work by 3; `equations` \
             would make a sum of it if its variables were the values of functions and it were linear",
            printer.literal(l)
        ),
        None => "its literals share their variables in a circle, so no cut (`decomposition`) divides the work by 3".into(),
    }
}

fn print_signature(head: &crate::rule::Atom, predicates: &Predicates, symbols: &Symbols) -> String {
    match &predicates[head.pred] {
        p if p.auxiliary => "it".to_string(),
        p => format!("`{}/{}`", symbols.str(p.signature.name), p.signature.arity),
    }
}
