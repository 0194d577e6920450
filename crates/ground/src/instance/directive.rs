//! Instances of directives: objectives, shown terms, projection, externals, heuristics, edges.
//!
//! Invariant: a directive with unsuitable terms is dropped, and reported once per place.

use super::head::possible;
use super::tuples::{NO_COST, ignored};
use crate::domain::table::Row;
use crate::join::machine::Machine;
use crate::sink::Sink;
use asp_base::symbol::{Sym, SymView};
use asp_program::ground_program::{
    Edge, ExternalValue, Heuristic, HeuristicModifier, MinimizeElement, Show, ShowItem,
};
use asp_program::{AtomId, Literal};
use asp_rewrite::dependency::undefined;
use asp_rewrite::rule::{Atom, Rule, Term};

/// Writes a term to be shown.
pub(crate) fn show(m: &mut Machine<'_>, rule: &Rule, term: &Term) {
    if let Some(s) = m.eval(term) {
        let condition = m.state.program.push_literals(&m.literals);
        m.state.program.shows.push(Show { item: ShowItem::Term(s), condition });
    } else if m.state.options.gringo_order && !undefined(term) && !matches!(term, Term::External(..)) {
        // What never has a value gringo finds beforehand.
        let start = m.scratch.len();
        let zeros = with_zeros(m, term);
        m.scratch.push(zeros);
        ignored(m, rule.span, start, "the term has no value");
        m.scratch.truncate(start);
    }
}

/// A term with 0 in place of what has no value, as gringo tells of it.
fn with_zeros(m: &mut Machine<'_>, term: &Term) -> Sym {
    let zeros =
        |m: &mut Machine<'_>, args: &[Term]| args.iter().map(|t| with_zeros(m, t)).collect::<Vec<_>>();
    match term {
        Term::Fun(name, negative, args) => {
            let args = zeros(m, args);
            m.state.symbols.fun(*name, &args, *negative)
        }
        Term::Tuple(args) => {
            let args = zeros(m, args);
            m.state.symbols.tuple(&args)
        }
        _ => m.eval(term).unwrap_or_else(|| m.state.symbols.num(0)),
    }
}

/// Writes an atom to project on.
pub(crate) fn project(m: &mut Machine<'_>, atom: &Atom) {
    if let Some(row) = known_row(m, atom) {
        m.state.project(atom.pred, row);
    }
}

/// Writes an edge.
pub(super) fn edge(m: &mut Machine<'_>, sink: Sink, u: &Term, v: &Term) {
    if let (Some(from), Some(to)) = (m.eval(u), m.eval(v)) {
        let condition = m.state.program.push_literals(&m.literals);
        m.state.program.edges.push(Edge { from, to, condition, source: sink.source });
    }
}

/// The ground atom of a directive's atom, if it may hold and is not a fact.
fn known_atom(m: &mut Machine<'_>, atom: &Atom) -> Option<AtomId> {
    let row = known_row(m, atom)?;
    if m.state.domains[atom.pred].is_fact(row) { None } else { m.state.domains[atom.pred].atom(row) }
}

/// The row of a directive's atom, if it may hold.
fn known_row(m: &mut Machine<'_>, atom: &Atom) -> Option<Row> {
    let start = m.eval_args(&atom.args)?;
    let row = m.state.domains[atom.pred].find(&m.scratch[start..]);
    m.scratch.truncate(start);
    row
}

/// Writes a tuple of the objective.
pub(crate) fn minimize(
    m: &mut Machine<'_>,
    sink: Sink,
    rule: &Rule,
    (weight, priority): (&Term, &Term),
    tuple: &[Term],
) {
    let (Some(w), Some(p)) = (m.eval(weight), m.eval(priority)) else { return };
    let (Some(weight), Some(priority)) = (m.state.symbols.as_num(w), m.state.symbols.as_num(p)) else {
        // `#max` over no chosen tuple: an objective on a last time has no time to minimise.
        let atoms = &m.state.program.atoms;
        let is_derived = |l: &Literal| atoms.get(l.atom()).is_none_or(|(_, args)| args.contains(&Sym::INF));
        if w == Sym::INF && !m.state.options.gringo_order && m.literals.iter().any(is_derived) {
            return;
        }
        let start = m.scratch.len();
        m.scratch.extend([w, p]);
        if m.eval_args(tuple).is_some() {
            ignored(m, rule.span, start, NO_COST);
        }
        m.scratch.truncate(start);
        return;
    };
    let Some(start) = m.eval_args(tuple) else { return };
    let tuple = m.state.program.push_terms(&m.scratch[start..]);
    m.scratch.truncate(start);
    let condition = m.state.program.push_literals(&m.literals);
    m.state.program.minimize.push(MinimizeElement {
        weight,
        priority,
        tuple,
        condition,
        source: sink.source,
    });
}

/// Writes an external atom.
pub(crate) fn external(m: &mut Machine<'_>, sink: Sink, rule: &Rule, atom: &Atom, value: &Term) {
    let Some(v) = m.eval(value) else { return };
    let value = match constant_name(m, v) {
        Some("true") => ExternalValue::True,
        Some("false") => ExternalValue::False,
        Some("free") => ExternalValue::Free,
        Some("release") => ExternalValue::Release,
        _ => {
            m.state.messages.report(
                rule.span,
                |d| d.help("one of true, false, free and release is expected in the brackets"),
                "external ignored",
            );
            return;
        }
    };
    let Some(row) = possible(m, sink, atom.pred, &atom.args) else { return };
    if let (Some(a), false) = (m.state.domains[atom.pred].atom(row), m.state.domains[atom.pred].is_fact(row))
    {
        m.state.program.externals.push(a, value);
    }
}

fn constant_name<'m>(m: &'m Machine<'_>, s: Sym) -> Option<&'m str> {
    match m.state.symbols.view(s) {
        SymView::Fun { name, args: [], negative: false } => Some(m.state.symbols.str(name)),
        _ => None,
    }
}

/// Writes a heuristic directive.
pub(super) fn heuristic(m: &mut Machine<'_>, rule: &Rule, atom: &Atom, terms: [&Term; 3]) {
    let Some(atom) = known_atom(m, atom) else { return };
    let mut values = [Sym::INF; 3];
    for (v, t) in values.iter_mut().zip(terms) {
        let Some(s) = m.eval(t) else { return };
        *v = s;
    }
    let modifier = match constant_name(m, values[2]) {
        Some("level") => Some(HeuristicModifier::Level),
        Some("sign") => Some(HeuristicModifier::Sign),
        Some("factor") => Some(HeuristicModifier::Factor),
        Some("init") => Some(HeuristicModifier::Init),
        Some("true") => Some(HeuristicModifier::True),
        Some("false") => Some(HeuristicModifier::False),
        _ => None,
    };
    let bias = m.state.symbols.as_num(values[0]).and_then(|n| i32::try_from(n).ok());
    let priority = m.state.symbols.as_num(values[1]).and_then(|n| u32::try_from(n).ok());
    let (Some(bias), Some(priority), Some(modifier)) = (bias, priority, modifier) else {
        let wrong = [("weight", bias.is_none()), ("priority", priority.is_none()), ("modifier", true)];
        let wrong = wrong.iter().find(|(_, is_wrong)| *is_wrong).map_or("", |(name, _)| name);
        let help = "its weight and priority must be small integers and its modifier one of level, sign, \
                    factor, init, true and false";
        let text = format!("heuristic directive ignored: `{wrong}`");
        m.state.messages.report(rule.span, |d| d.help(help), &text);
        return;
    };
    // It may be a condition, too.
    let mut condition = m.literals.clone();
    if let Some(own) = condition.iter().rposition(|&l| l == Literal::pos(atom)) {
        condition.remove(own);
    }
    let condition = m.state.program.push_literals(&condition);
    m.state.program.heuristics.push(Heuristic { atom, modifier, bias, priority, condition });
}
