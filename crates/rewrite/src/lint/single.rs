//! What is legal in one statement and hardly ever meant: terms compared where values of a predicate were meant, intervals
//! without members, bounds that no set of the elements meets.
//!
//! Invariant: only what is written with numbers is judged; a constant may have another value in another run.

use super::weighed::{Counted, atom_as_weight};
use super::whole::Known;
use super::{TERM_COMPARED, habits, never, variables};
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::nearest::nearest;
use asp_base::span::Span;
use asp_base::symbol::{StrId, SymView, Symbols};
use asp_syntax::ast::*;
use asp_syntax::print;

/// `5..1`
const EMPTY_INTERVAL: WarningKind = WarningKind::Lint("empty-interval");
/// `anna-maria`
const HYPHENATED_NAME: WarningKind = WarningKind::Lint("hyphenated-name");
/// The most arguments of a predicate whose value may be meant by its name.
const MAX_ARITY: u32 = 4;
/// `3 { a; b }`
const BOUNDS_UNMET: WarningKind = WarningKind::Lint("bounds-unmet");

/// All lints on a statement.
pub(super) fn check(
    statement: &Statement,
    known: &Known<'_>,
    symbols: &Symbols,
    found: &mut Vec<Diagnostic>,
) {
    let parts = statement.kind.parts();
    statement.kind.each_term(&mut |t| {
        let mut told = Span::NONE;
        for t in t.walk() {
            interval(t, symbols, found);
            habits::term(t, symbols, found);
            // Of `a-b-c`, the whole.
            let is_within = told.lo <= t.span.lo && t.span.hi <= told.hi;
            if !is_within && let Some(warning) = hyphen(t, known, symbols) {
                found.push(warning);
                told = t.span;
            }
        }
    });
    let mut literals: Vec<&Literal> = parts.body.iter().flat_map(BodyElement::literals).collect();
    if let Some(head) = parts.head {
        if let HeadKind::Choice { elements, .. } = &head.kind {
            elements.iter().for_each(|e| chosen_comparison(&e.literal, symbols, found));
        }
        for (literal, condition) in head.derived() {
            literals.extend(condition);
            if matches!(head.kind, HeadKind::Literal(_)) {
                literals.push(literal);
            }
        }
        literals.extend(head.conditions());
        if let HeadKind::Choice { guards, elements } = &head.kind {
            found.extend(every_bound(guards, symbols));
            bounds(guards, Some(elements), head.span, known, symbols, found);
        }
    }
    for element in parts.body {
        if let BodyElementKind::Aggregate { function, guards, .. } = &element.kind
            && matches!(
                function,
                AggregateFunction::Count | AggregateFunction::Sum | AggregateFunction::SumPlus
            )
        {
            unknown_bound(guards, known, symbols, found);
        }
        if let BodyElementKind::Aggregate { sign: Sign::None, guards, .. } = &element.kind {
            let (least, most) = limits(guards, symbols);
            if least > most {
                found.push(Diagnostic::warning(BOUNDS_UNMET, element.span, no_number(least, most)));
            }
        }
        if let BodyElementKind::Aggregate {
            function: AggregateFunction::Sum | AggregateFunction::SumPlus,
            elements,
            ..
        } = &element.kind
        {
            let counted = elements.iter().filter_map(|e| {
                let (weight, tuple) = e.tuple.split_first()?;
                let condition = e.condition.iter().collect();
                Some(Counted { weight, priority: None, tuple, condition: Some(condition), is_weak: false })
            });
            found.extend(counted.filter_map(|counted| atom_as_weight(&counted, known, symbols)));
        }
        if let BodyElementKind::Aggregate { function: AggregateFunction::Count, elements, .. } = &element.kind
        {
            // Terms of several names tell apart what is counted.
            if elements.iter().all(|e| counted_name(e) == counted_name(&elements[0])) {
                elements.iter().for_each(|e| found.extend(term_counted(e, known, symbols)));
            }
        }
        if let BodyElementKind::SetAggregate { guards, elements, .. } = &element.kind {
            // A literal in a body binds variables of its own.
            let binds = |e: &ConditionalLiteral| e.literal.terms().any(|t| t.variables().next().is_some());
            let counted = if elements.iter().any(binds) { None } else { Some(&elements[..]) };
            bounds(guards, counted, element.span, known, symbols, found);
        }
    }
    if let StatementKind::Minimize { weight, priority, tuple, body, .. } = &statement.kind {
        let condition = body.iter().map(|e| match &e.kind {
            BodyElementKind::Literal(literal) => Some(literal),
            _ => None,
        });
        let is_weak = body.first().is_some_and(|e| e.span.lo < weight.span.lo);
        let (priority, condition) = (priority.as_ref(), condition.collect());
        found.extend(atom_as_weight(
            &Counted { weight, priority, tuple, condition, is_weak },
            known,
            symbols,
        ));
    }
    variables::weight(statement, known, symbols, found);
    variables::domains(statement, symbols, found);
    never::check(&parts, &literals, known, symbols, found);
    habits::check(&parts, &literals, known, symbols, found);
    for literal in literals {
        compared(literal, parts.body, known, symbols, found);
        variables::compared(literal, known, symbols, found);
    }
}

pub(super) fn number(t: &Term, symbols: &Symbols) -> Option<i64> {
    match &t.kind {
        TermKind::Symbol(s) => match symbols.view(*s) {
            SymView::Num(n) => Some(n),
            _ => None,
        },
        TermKind::Unary(UnaryOp::Minus, t) => number(t, symbols)?.checked_neg(),
        _ => None,
    }
}

fn interval(t: &Term, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    let TermKind::Interval(lo, hi) = &t.kind else { return };
    let (Some(lo), Some(hi)) = (number(lo, symbols), number(hi, symbols)) else { return };
    if lo > hi {
        found.push(empty_interval((lo, hi), t.span));
    }
}

pub(super) fn empty_interval((lo, hi): (i64, i64), span: Span) -> Diagnostic {
    let told = Diagnostic::warning(EMPTY_INTERVAL, span, "this interval has no members");
    told.help(format!("did you mean `{hi}..{lo}`?"))
}

/// A name from which a name is subtracted, or names and numbers.
fn hyphen(t: &Term, known: &Known<'_>, symbols: &Symbols) -> Option<Diagnostic> {
    let is_name = |t: &Term| match &t.kind {
        TermKind::Function { name, args, external: false } => {
            args.iter().all(Vec::is_empty) && !(known.is_constant)(*name)
        }
        _ => false,
    };
    // `n-1` may be meant for a constant that another file defines.
    let (mut left, mut text, mut names) = (t, String::new(), 0);
    while let TermKind::Binary(BinaryOp::Sub, first, last) = &left.kind {
        if !is_name(last) && number(last, symbols).is_none() {
            return None;
        }
        names += usize::from(is_name(last));
        text = format!("-{}{text}", print::plain_term(last, symbols));
        left = first;
    }
    if names == 0 || !is_name(left) {
        return None;
    }
    let first = print::plain_term(left, symbols);
    text.insert_str(0, &first);
    let told = format!("`{text}` is a difference, and `{first}` is no number");
    let help = format!("a name has no hyphen: write `{}` or `\"{text}\"`", text.replace('-', "_"));
    Some(Diagnostic::warning(HYPHENATED_NAME, t.span, told).help(help))
}

/// How many values a term without variables of its own has at most.
fn size(t: &Term, symbols: &Symbols) -> Option<u64> {
    match &t.kind {
        TermKind::Interval(lo, hi) => {
            let length = number(hi, symbols)?.checked_sub(number(lo, symbols)?)?.checked_add(1)?;
            u64::try_from(length.max(0)).ok()
        }
        TermKind::Function { args, external: false, .. } => {
            args.iter().try_fold(0u64, |sum, list| sum.checked_add(product(list, symbols)?))
        }
        TermKind::Pool(ts) => ts.iter().try_fold(0u64, |sum, t| sum.checked_add(size(t, symbols)?)),
        TermKind::Tuple(ts) => product(ts, symbols),
        TermKind::Unary(_, t) => size(t, symbols),
        TermKind::Binary(_, s, t) => size(s, symbols)?.checked_mul(size(t, symbols)?),
        TermKind::Symbol(_) | TermKind::Variable(_) => Some(1),
        _ => None,
    }
}

fn product(ts: &[Term], symbols: &Symbols) -> Option<u64> {
    ts.iter().try_fold(1u64, |product, t| product.checked_mul(size(t, symbols)?))
}

/// `{ a; b } = 1..2`: each value of the interval is a bound of its own.
fn every_bound(guards: &Guards, symbols: &Symbols) -> Option<Diagnostic> {
    let (_, t) = guards.right.iter().find(|(relation, _)| *relation == Relation::Equal)?;
    let TermKind::Interval(lo, hi) = &t.kind else { return None };
    if let (Some(lo), Some(hi)) = (number(lo, symbols), number(hi, symbols))
        && lo >= hi
    {
        return None;
    }
    let (lo, hi) = (print::plain_term(lo, symbols), print::plain_term(hi, symbols));
    let text = "each value of the interval is to be the number at once";
    let told = Diagnostic::warning(BOUNDS_UNMET, t.span, text);
    Some(told.help(format!("for at least {lo} and at most {hi}, write `{lo} {{ ... }} {hi}`")))
}

/// Warns about bounds that are constants without a value, or texts.
fn unknown_bound(guards: &Guards, known: &Known<'_>, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    let told = |t| unset(t, known, symbols).or_else(|| text(t, symbols)).or_else(|| atom(t, known, symbols));
    found.extend(guards.terms().filter_map(told));
}

/// A term as a bound where the value of a predicate is wanted.
fn atom(t: &Term, known: &Known<'_>, symbols: &Symbols) -> Option<Diagnostic> {
    let t = value(t, known)?;
    let TermKind::Function { name, args, .. } = &t.kind else { return None };
    let arity = arity(args) + 1;
    let (written, name) = (print::plain_term(t, symbols), symbols.str(*name));
    let text = format!("`{written}` is a term here, not the value of `{name}/{arity}`");
    let told = Diagnostic::warning(TERM_COMPARED, t.span, text).caption(meaning(false, false, true));
    let inner = written.strip_suffix(')')?;
    let variable = variable_for(name)?;
    Some(told.help(format!("write `{inner},{variable})` in the body, and `{variable}` here")))
}

/// The number of arguments of a term; of a pool, those of the first.
pub(super) fn arity(args: &[Vec<Term>]) -> u32 {
    args.first().map_or(0, Vec::len) as u32
}

/// The variable that a hint gives to the value of a predicate.
fn variable_for(name: &str) -> Option<char> {
    name.trim_start_matches('_').chars().next().map(|first| first.to_ascii_uppercase())
}

/// A text where a number is wanted.
fn text(t: &Term, symbols: &Symbols) -> Option<Diagnostic> {
    let TermKind::Symbol(s) = &t.kind else { return None };
    let SymView::Str(text) = symbols.view(*s) else { return None };
    let told = format!("`{}` is a string, and numbers are less than it", symbols.display(*s));
    let told = Diagnostic::warning(TERM_COMPARED, t.span, told);
    Some(match symbols.str(text).parse::<i64>() {
        Ok(number) => told.help(format!("did you mean `{number}`? a number has no quotes")),
        Err(_) => told,
    })
}

/// A constant without a value where a number is wanted: no number is equal to it, and all are less.
fn unset(t: &Term, known: &Known<'_>, symbols: &Symbols) -> Option<Diagnostic> {
    let TermKind::Function { name, args, external: false } = &t.kind else { return None };
    if (known.is_constant)(*name) || !args.iter().all(Vec::is_empty) {
        return None;
    }
    let arity = (1..=MAX_ARITY).find(|&arity| (known.is_defined)(*name, arity));
    let name = symbols.str(*name);
    let text = format!("`{name}` is a constant without a value, and numbers are less than it");
    let told = Diagnostic::warning(TERM_COMPARED, t.span, text);
    if let Some(arity) = arity {
        let variable = variable_for(name)?;
        let others = if arity == 1 { "" } else { "...," };
        return Some(told.help(format!(
            "`{name}/{arity}` is a predicate: write `{name}({others}{variable})` in the body, and `{variable}` here"
        )));
    }
    if let Some(near) = nearest(name, known.constants.iter().map(|c| symbols.str(c.0))) {
        return Some(told.help(format!("did you mean `{near}`?")));
    }
    Some(told.help(format!(
        "set it, `#const {name} = 3.`, or write a variable, which begins with a capital letter"
    )))
}

/// The least and the greatest number that bounds allow.
fn limits(guards: &Guards, symbols: &Symbols) -> (i64, i64) {
    let (mut least, mut most) = (i64::MIN, i64::MAX);
    let left = guards.left.iter().map(|(t, relation)| (relation.flip(), t));
    for (relation, t) in left.chain(guards.right.iter().map(|(relation, t)| (*relation, t))) {
        let Some(n) = number(t, symbols) else { continue };
        match relation {
            Relation::Greater => least = least.max(n.saturating_add(1)),
            Relation::GreaterEqual => least = least.max(n),
            Relation::Less => most = most.min(n.saturating_sub(1)),
            Relation::LessEqual => most = most.min(n),
            Relation::Equal => (least, most) = (least.max(n), most.min(n)),
            Relation::NotEqual => {}
        }
    }
    (least, most)
}

fn no_number(least: i64, most: i64) -> String {
    format!("no number is at least {least} and at most {most}")
}

/// Warns about a bound that no set of the elements meets, as far as it is known how many there are.
fn bounds(
    guards: &Guards,
    elements: Option<&[ConditionalLiteral]>,
    span: Span,
    known: &Known<'_>,
    symbols: &Symbols,
    found: &mut Vec<Diagnostic>,
) {
    unknown_bound(guards, known, symbols, found);
    let (least, most) = limits(guards, symbols);
    let least = least.max(0);
    let atoms = elements.and_then(|all| {
        all.iter().try_fold(0u64, |sum, e| {
            let LiteralKind::Atom(atom) = &e.literal.kind else { return None };
            let own = atom.args.iter().try_fold(0u64, |sum, list| sum.checked_add(product(list, symbols)?));
            sum.checked_add(own.filter(|_| e.condition.is_empty())?)
        })
    });
    let text = match atoms {
        _ if least > most => no_number(least, most),
        _ if most < 0 => "a number of atoms is never negative".to_string(),
        Some(atoms) if u64::try_from(least).is_ok_and(|least| least > atoms) => {
            let s = if atoms == 1 { "" } else { "s" };
            format!("at least {least} of {atoms} atom{s} never hold")
        }
        _ => return,
    };
    found.push(Diagnostic::warning(BOUNDS_UNMET, span, text));
}

/// The name of the function that is a tuple's only term.
fn counted_name(element: &BodyAggregateElement) -> Option<StrId> {
    match &element.tuple[..] {
        [Term { kind: TermKind::Function { name, .. }, .. }] => Some(*name),
        _ => None,
    }
}

/// `#count { p(X) : n(X) }`: a term that looks like an atom is counted, whether or not the atom holds.
fn term_counted(element: &BodyAggregateElement, known: &Known<'_>, symbols: &Symbols) -> Option<Diagnostic> {
    let [term] = &element.tuple[..] else { return None };
    let TermKind::Function { name, args, external: false } = &term.kind else { return None };
    let [list] = &args[..] else { return None };
    let arity = list.len() as u32;
    let says_so = |l: &Literal| match &l.kind {
        LiteralKind::Atom(a) => a.name == *name,
        _ => false,
    };
    if list.is_empty() || !(known.is_defined)(*name, arity) || element.condition.iter().any(says_so) {
        return None;
    }
    let written = print::plain_term(term, symbols);
    let text = format!("`{written}` is a term here, and counts whether or not the atom holds");
    let mut condition = vec![written.clone()];
    condition.extend(element.condition.iter().map(|l| print::plain_literal(l, symbols)));
    let help = format!("to count what holds, write `{{ {written} : {} }}`", condition.join(", "));
    Some(Diagnostic::warning(TERM_COMPARED, term.span, text).help(help))
}

/// Warns about `{ v(R) = 1..9 }`, which chooses nothing.
fn chosen_comparison(literal: &Literal, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
    let LiteralKind::Comparison(left, rest) = &literal.kind else { return };
    let [(Relation::Equal, right)] = &rest[..] else { return };
    let TermKind::Function { name, args, external: false } = &left.kind else { return };
    let ([args], Sign::None) = (&args[..], literal.sign) else { return };
    let text = "this is a comparison of terms, and chooses nothing";
    let told = Diagnostic::warning(TERM_COMPARED, literal.span, text);
    if args.iter().any(|t| matches!(t.kind, TermKind::Interval(..) | TermKind::Pool(_))) {
        let args: Vec<String> = args.iter().map(|t| print::plain_term(t, symbols)).collect();
        let left = format!("{}({})", symbols.str(*name), args.join(","));
        let right = print::plain_term(right, symbols);
        found.push(told.help(format!("a bound stands behind the braces: `{{ {left} }} = {right}`")));
        return;
    }
    let mut terms: Vec<String> = args.iter().map(|t| print::plain_term(t, symbols)).collect();
    terms.push(print::plain_term(right, symbols));
    let meant = format!("{}({})", symbols.str(*name), terms.join(","));
    found.push(told.help(format!("did you mean `{meant}`? a choice is made of atoms: `{{ {meant} }} = 1`")));
}

/// Warns about comparisons of terms that have the names of predicates with one more argument.
fn compared(
    literal: &Literal,
    body: &[BodyElement],
    known: &Known<'_>,
    symbols: &Symbols,
    found: &mut Vec<Diagnostic>,
) {
    let LiteralKind::Comparison(first, rest) = &literal.kind else { return };
    let mut left = first;
    for (relation, right) in rest {
        let sides = [left, right];
        left = right;
        let order = !matches!(relation, Relation::Equal | Relation::NotEqual);
        let values = sides.map(|t| value(t, known));
        let plain = sides.map(|t| matches!(t.kind, TermKind::Variable(_) | TermKind::Anonymous));
        // A variable may stand for the term, unless it is to be a number.
        let is_alias = |i: usize| plain[i] && !order && !is_ordered(sides[i], literal, body);
        let is_meant = match values {
            [None, None] => {
                // Where both hold, they stand for their arguments.
                let holds = |t: &Term| {
                    let text = print::plain_term(t, symbols);
                    body.iter()
                        .flat_map(BodyElement::literals)
                        .any(|l| print::plain_literal(l, symbols) == text)
                };
                if sides.iter().all(|t| holds(t)) {
                    continue;
                }
                if let Some(told) = atoms_compared(literal.span, sides, *relation, known, symbols) {
                    found.push(told);
                    return;
                }
                // `X > limit`, `A+B = limit`: where a number is, one is wanted. Names may be compared with names.
                let computes = |t: &Term| matches!(t.kind, TermKind::Binary(..) | TermKind::Unary(..));
                let is_name = |t: &Term| match &t.kind {
                    TermKind::Function { name, args, .. } => (known.is_term)(*name, arity(args)),
                    _ => false,
                };
                for (t, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                    let may_be_number = || matches!(other.kind, TermKind::Variable(_)) && !is_name(t);
                    if computes(other) || order && may_be_number() {
                        found.extend(unset(t, known, symbols));
                    }
                }
                continue;
            }
            [Some(_), Some(_)] => false,
            [Some(_), None] => is_alias(1),
            [None, Some(_)] => is_alias(0),
        };
        let other = match values {
            [Some(_), None] => Some(right),
            [None, Some(_)] => Some(sides[0]),
            _ => None,
        };
        let is_term = |t: &Term| {
            let bare = |t: &Term| {
                matches!(t.kind, TermKind::Function { .. } | TermKind::Tuple(_) | TermKind::Pool(_))
            };
            bare(t) || matches!(&t.kind, TermKind::Symbol(s) if matches!(symbols.view(*s), SymView::Str(_)))
        };
        if is_meant || other.is_some_and(is_term) {
            continue;
        }
        let Some(term) = values.into_iter().flatten().next() else { continue };
        let TermKind::Function { name, args, .. } = &term.kind else { continue };
        let arity = arity(args) + 1;
        let name = symbols.str(*name);
        let computed = sides.iter().any(|t| is_computed(t) && value(t, known).is_some());
        let now = meaning(computed, other.is_none(), order);
        let written = print::plain_term(term, symbols);
        let text = format!("`{written}` is a term here, not the value of `{name}/{arity}`");
        let meant: Vec<String> = sides.iter().map(|t| with_values(t, known, symbols)).collect();
        let told = Diagnostic::warning(TERM_COMPARED, literal.span, text).caption(now);
        let help = format!("did you mean `{} {} {}`?", meant[0], relation.as_str(), meant[1]);
        found.push(told.help(help));
        return;
    }
}

/// Whether a variable is computed with, or compared by order, elsewhere in a body.
fn is_ordered(variable: &Term, here: &Literal, body: &[BodyElement]) -> bool {
    let TermKind::Variable(name) = variable.kind else { return false };
    let is_it = |t: &Term| matches!(t.kind, TermKind::Variable(n) if n == name);
    body.iter().flat_map(BodyElement::literals).filter(|l| l.span != here.span).any(|l| {
        let LiteralKind::Comparison(first, rest) = &l.kind else { return false };
        let orders = rest.iter().any(|(r, _)| !matches!(r, Relation::Equal | Relation::NotEqual));
        let mut sides = std::iter::once(first).chain(rest.iter().map(|(_, t)| t));
        sides.any(|t| orders && is_it(t) || is_computed(t) && t.walk().any(is_it))
    })
}

/// `color(X,C) != color(Y,C)`: two terms that look like atoms of one predicate.
fn atoms_compared(
    span: Span,
    [left, right]: [&Term; 2],
    relation: Relation,
    known: &Known<'_>,
    symbols: &Symbols,
) -> Option<Diagnostic> {
    let atom = |t: &Term| match &t.kind {
        TermKind::Function { name, args, external: false } => match &args[..] {
            [list] if !list.is_empty() => Some((*name, list.len() as u32)),
            _ => None,
        },
        _ => None,
    };
    let (name, arity) = atom(left).filter(|&of| atom(right) == Some(of) && (known.is_defined)(of.0, of.1))?;
    let [one, other] = [left, right].map(|t| print::plain_term(t, symbols));
    let text = format!("`{one}` and `{other}` are terms here, not atoms of `{}/{arity}`", symbols.str(name));
    let help = format!(
        "whether atoms hold is said by `{one}`, `not {other}` in a body; what is compared are variables"
    );
    let caption = meaning(false, true, !matches!(relation, Relation::Equal | Relation::NotEqual));
    Some(Diagnostic::warning(TERM_COMPARED, span, text).caption(caption).help(help))
}

/// What the comparison of terms with names means: whether one is computed with, whether both sides are such terms, whether it asks
/// which is less.
pub(super) fn meaning(computed: bool, both: bool, order: bool) -> &'static str {
    match (computed, both, order) {
        (true, ..) => "terms cannot be computed with: this never has a value, and leaves out the rule",
        (_, true, _) => "terms are compared by their names and arguments",
        (.., false) => "a number is never equal to such a term",
        (.., true) => "each number is less than any such term",
    }
}

pub(super) fn is_computed(t: &Term) -> bool {
    matches!(t.kind, TermKind::Binary(..) | TermKind::Unary(..) | TermKind::Absolute(_))
}

/// The first term, in a sum or alone, that could be a value: its name is that of a predicate with one more argument.
pub(super) fn value<'a>(t: &'a Term, known: &Known<'_>) -> Option<&'a Term> {
    named(t, known, &|name, args| match args {
        [list] => {
            let arity = list.len() as u32;
            (known.is_defined)(name, arity + 1) && !(arity > 0 && (known.is_term)(name, arity))
        }
        _ => false,
    })
}

/// The first term, in a sum or alone, whose name and argument lists are wanted.
pub(super) fn named<'a>(
    t: &'a Term,
    known: &Known<'_>,
    is_wanted: &dyn Fn(StrId, &[Vec<Term>]) -> bool,
) -> Option<&'a Term> {
    let within = |t: &'a Term| named(t, known, is_wanted);
    match &t.kind {
        TermKind::Function { name, args, external: false } if !(known.is_constant)(*name) => {
            is_wanted(*name, args).then_some(t)
        }
        TermKind::Unary(_, t) => within(t),
        TermKind::Binary(_, s, t) => within(s).or_else(|| within(t)),
        TermKind::Absolute(ts) => ts.iter().find_map(within),
        _ => None,
    }
}

/// A term, with `$` before what could be a value.
fn with_values(t: &Term, known: &Known<'_>, symbols: &Symbols) -> String {
    let mut t = t.clone();
    mark(&mut t, known);
    print::plain_term(&t, symbols)
}

fn mark(t: &mut Term, known: &Known<'_>) {
    if matches!(t.kind, TermKind::Unary(..) | TermKind::Binary(..) | TermKind::Absolute(_)) {
        t.each_part_mut(&mut |t| mark(t, known));
    } else if let Some(Term { kind: TermKind::Function { name, args, .. }, .. }) = value(t, known) {
        t.kind = TermKind::Value { name: *name, args: args.clone() };
    }
}
