//! Facts that may be given up: `f.` becomes the choice `{ f }.`, which questions assume to hold.
//!
//! A fact is equivalent to its choice together with the constraint that it holds, so nothing changes as long as all are
//! assumed. However, such facts no longer decide anything during grounding. So those facts stay that decide which terms
//! exist: where a sum or count is assigned to a variable and, at higher levels of caution, below negation, or
//! everywhere; those that decide what the bounds of a head `#sum+` mean; and those that decide which atoms are external
//! other than by positive literals. Invariant: a statement keeps its span, so that instances are traced to the fact as it
//! was written.

use asp_base::map::{Map, Set};
use asp_base::span::{Sources, Span};
use asp_base::symbol::{StrId, SymView, Symbols};
use asp_syntax::ast::*;

/// Which facts are relaxed.
#[derive(Clone, Debug, Default)]
pub struct Which {
    /// The files whose facts are relaxed; `None` for all.
    pub files: Option<Vec<String>>,
    /// Whether to relax facts with intervals, too; they usually describe what exists rather than what is given.
    pub intervals: bool,
    /// Whether to relax facts in assigned sums and counts, if that does not make the program large.
    pub sums: bool,
    /// Whether atoms that rules certainly derive keep these rules.
    pub rules: bool,
    /// Whether constraints over integers may be given up, if that can be.
    pub integers: bool,
    /// The name and arity of a term: a rule derives it in place of the statement that shows it.
    pub shown: Option<(String, usize)>,
    /// A claim about an integer variable, `x = 3`: a rule derives [`ASKED`] where it is true.
    pub value: Option<String>,
    /// Priority and cost of each level of an optimal answer set: those that cost more are left out. Empty: none is.
    pub optimum: Vec<(i64, i64)>,
}

/// The atom that stands for a value.
pub const ASKED: &str = "__asked";

/// Which facts stay, in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Caution {
    /// Only those that decide what bounds mean and which atoms are external.
    Bounds,
    /// Also those that assigned sums depend on.
    Sums,
    /// Also those that negative literals depend on.
    Negation,
    /// All.
    All,
}

/// Relaxes facts; returns the spans of those that are relaxed.
pub(crate) fn relax(
    program: &mut Program,
    symbols: &mut Symbols,
    sources: &Sources,
    which: &Which,
    caution: Caution,
) -> Vec<Span> {
    let mut freed = Vec::new();
    if caution == Caution::All {
        return freed;
    }
    let held = held(program, symbols, caution);
    let base = symbols.intern("base");
    let wanted = |span: Span| match &which.files {
        None => !span.is_none(),
        Some(files) => {
            sources.file_of(span).is_some_and(|f| files.iter().any(|name| same_file(name, &f.name)))
        }
    };
    let mut part = base;
    for s in &mut program.statements {
        match &mut s.kind {
            StatementKind::Part { name, params } => {
                part = if params.is_empty() { *name } else { StrId::EMPTY }
            }
            StatementKind::Rule { head, body } if body.is_empty() && part == base && wanted(s.span) => {
                let HeadKind::Literal(literal) = &head.kind else { continue };
                let LiteralKind::Atom(atom) = &literal.kind else { continue };
                let fits = which.intervals || !atom.terms().any(has_interval);
                if literal.sign == Sign::None && fits && !held.contains(&atom.name) {
                    let element = ConditionalLiteral {
                        literal: literal.clone(),
                        condition: Vec::new(),
                        span: literal.span,
                    };
                    head.kind = HeadKind::Choice { guards: Guards::default(), elements: vec![element] };
                    freed.push(s.span);
                }
            }
            _ => {}
        }
    }
    let mut choices = Vec::new();
    program.facts.retain(|fact| {
        if fact.part != base || !wanted(fact.span) {
            return true;
        }
        let SymView::Fun { name, args, negative } = symbols.view(fact.atom) else { return true };
        if held.contains(&name) {
            return true;
        }
        let span = fact.span;
        let term = |&a| Term { kind: TermKind::Symbol(a), span, depth: 1 };
        let args = vec![args.iter().map(term).collect()];
        let atom = Atom { name, args, negative, span };
        let literal = Literal { sign: Sign::None, kind: LiteralKind::Atom(atom), span };
        let elements = vec![ConditionalLiteral { literal, condition: Vec::new(), span }];
        let head = Head { kind: HeadKind::Choice { guards: Guards::default(), elements }, span };
        choices.push(Statement { kind: StatementKind::Rule { head, body: Vec::new() }, span });
        freed.push(span);
        false
    });
    choices.append(&mut program.statements);
    program.statements = choices;
    freed
}

/// Replaces the statements that show a term with a name and arity by rules.
pub(crate) fn derive_shown(program: &mut Program, symbols: &Symbols, name: &str, arity: usize) {
    for s in &mut program.statements {
        let StatementKind::ShowTerm { term, body } = &mut s.kind else { continue };
        let (negative, own, args) = shown(term);
        let bare = name.strip_prefix('-');
        if symbols.str(own) == bare.unwrap_or(name)
            && negative == bare.is_some()
            && args.iter().all(|a| a.len() == arity)
        {
            let atom = Atom { name: own, args, negative, span: term.span };
            let literal = Literal { sign: Sign::None, kind: LiteralKind::Atom(atom), span: term.span };
            let head = Head { kind: HeadKind::Literal(literal), span: term.span };
            s.kind = StatementKind::Rule { head, body: std::mem::take(body) };
        }
    }
}

/// A shown term as an atom: whether it is negated, its name and its arguments. A term that is no function by its form
/// is the argument of an atom without a name.
pub(crate) fn shown(term: &Term) -> (bool, StrId, Vec<Vec<Term>>) {
    let (negative, inner) = match &term.kind {
        TermKind::Unary(UnaryOp::Minus, inner) => (true, &**inner),
        _ => (false, term),
    };
    match &inner.kind {
        TermKind::Function { name, args, external: false } => (negative, *name, args.clone()),
        _ => (false, StrId::EMPTY, vec![vec![term.clone()]]),
    }
}

/// Whether a file of a run is the one that a user names: the same path or the same last component.
pub(crate) fn same_file(wanted: &str, name: &str) -> bool {
    let last = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or("").to_string();
    let stem = |path: &str| last(path).trim_end_matches(".lp").to_string();
    wanted == name || stem(wanted) == stem(name)
}

fn has_interval(t: &Term) -> bool {
    t.walk().any(|t| matches!(t.kind, TermKind::Interval(..)))
}

/// Names of the predicates whose facts stay.
fn held(program: &Program, symbols: &Symbols, caution: Caution) -> Set<StrId> {
    let mut needs: Map<StrId, Vec<StrId>> = Map::default();
    let mut held: Vec<StrId> = Vec::new();
    let number = |t: &Term| if let TermKind::Symbol(s) = t.kind { symbols.as_num(s) } else { None };
    let positive = |t: &Term| number(t).is_some_and(|n| n >= 0);
    for s in &program.statements {
        let StatementKind::Rule { head, body } = &s.kind else { continue };
        let mut names = Vec::new();
        body_names(body, &mut |name, negative| {
            names.push(name);
            if negative && caution >= Caution::Negation {
                held.push(name);
            }
        });
        head_names(head, &mut |name, derived| {
            if derived {
                needs.entry(name).or_default().extend_from_slice(&names);
            } else {
                names.push(name);
            }
        });
        if caution >= Caution::Sums {
            assigned(body, &mut held);
        }
        if let HeadKind::Aggregate { function: AggregateFunction::SumPlus, elements, .. } = &head.kind
            && elements.iter().any(|e| !e.tuple.first().is_some_and(positive))
        {
            // With negative weights, certain atoms decide what its guards mean.
            held.extend_from_slice(&names);
            head_names(head, &mut |name, _| held.push(name));
        }
    }
    external(program, &needs, &mut held);
    of_integers(program, &mut held);
    closure(held, &needs)
}

/// Predicates in conditions of theory atoms that the program does not define: constraints over integers, where they are facts.
fn of_integers(program: &Program, held: &mut Vec<StrId>) {
    let mut defined: Set<StrId> = Set::default();
    for s in &program.statements {
        if let StatementKind::Theory(definition) = &s.kind {
            defined.extend(definition.atoms.iter().map(|atom| atom.name));
        }
    }
    let mut hold = |atom: &TheoryAtom| {
        if !defined.contains(&atom.name) {
            let conditions = atom.elements.iter().flat_map(|element| &element.condition);
            conditions.for_each(|l| literal_name(l, &mut |name, _| held.push(name)));
        }
    };
    for s in &program.statements {
        let StatementKind::Rule { head, body } = &s.kind else { continue };
        if let HeadKind::Theory(atom) = &head.kind {
            hold(atom);
        }
        for element in body {
            if let BodyElementKind::Theory { atom, .. } = &element.kind {
                hold(atom);
            }
        }
    }
}

/// These predicates and all that their rules read.
fn closure(mut open: Vec<StrId>, needs: &Map<StrId, Vec<StrId>>) -> Set<StrId> {
    let mut all: Set<StrId> = Set::default();
    while let Some(name) = open.pop() {
        if all.insert(name) {
            open.extend(needs.get(&name).into_iter().flatten());
        }
    }
    all
}

/// Predicates whose facts decide which atoms are external: those that the body of such a statement, or of a rule below
/// it, reads in another way than by a positive literal.
fn external(program: &Program, needs: &Map<StrId, Vec<StrId>>, held: &mut Vec<StrId>) {
    let mut read = Vec::new();
    for s in &program.statements {
        if let StatementKind::External { body, .. } = &s.kind {
            body_names(body, &mut |name, _| read.push(name));
        }
    }
    if read.is_empty() {
        return;
    }
    let read = closure(read, needs);
    for s in &program.statements {
        let body = match &s.kind {
            StatementKind::External { body, .. } => body,
            StatementKind::Rule { head, body } => {
                let mut below = false;
                head_names(head, &mut |name, derived| below |= derived && read.contains(&name));
                if !below {
                    continue;
                }
                body
            }
            _ => continue,
        };
        for element in body {
            let plain = matches!(element.kind, BodyElementKind::Literal(_));
            element.literals().for_each(|l| {
                literal_name(l, &mut |name, negative| {
                    if negative || !plain {
                        held.push(name);
                    }
                });
            });
        }
    }
}

fn literal_name(l: &Literal, found: &mut dyn FnMut(StrId, bool)) {
    if let LiteralKind::Atom(atom) = &l.kind {
        found(atom.name, l.sign != Sign::None);
    }
}

/// Names of predicates in a body, and whether they are negated.
fn body_names(body: &[BodyElement], found: &mut dyn FnMut(StrId, bool)) {
    body.iter().flat_map(BodyElement::literals).for_each(|l| literal_name(l, found));
}

/// Names of predicates in a head, and whether they are derived (or only read).
fn head_names(head: &Head, found: &mut dyn FnMut(StrId, bool)) {
    for (literal, condition) in head.derived() {
        condition.iter().for_each(|l| literal_name(l, &mut |name, _| found(name, false)));
        literal_name(literal, &mut |name, _| found(name, true));
    }
}

/// Calls `f` with the atoms that a head may derive.
pub(crate) fn head_atoms(head: &Head, f: &mut dyn FnMut(&Atom)) {
    for (literal, _) in head.derived() {
        if let (LiteralKind::Atom(atom), Sign::None) = (&literal.kind, literal.sign) {
            f(atom);
        }
    }
}

/// Predicates in an aggregate whose value is assigned to a variable that nothing else binds.
fn assigned(body: &[BodyElement], held: &mut Vec<StrId>) {
    let mut bound: Set<StrId> = Set::default();
    for element in body {
        if let BodyElementKind::Literal(Literal { sign: Sign::None, kind: LiteralKind::Atom(atom), .. }) =
            &element.kind
        {
            bound.extend(atom.terms().flat_map(Term::variables).map(|(name, _)| name));
        }
    }
    let assigns = |guards: &Guards| {
        let left = guards.left.iter().map(|(t, r)| (t, *r));
        let right = guards.right.iter().map(|(r, t)| (t, *r));
        left.chain(right)
            .any(|(t, r)| r == Relation::Equal && t.variables().any(|(name, _)| !bound.contains(&name)))
    };
    for element in body {
        let sums = match &element.kind {
            BodyElementKind::Aggregate { guards, function, .. } => {
                !matches!(function, AggregateFunction::Min | AggregateFunction::Max) && assigns(guards)
            }
            BodyElementKind::SetAggregate { guards, .. } => assigns(guards),
            _ => false,
        };
        if sums {
            body_names(std::slice::from_ref(element), &mut |name, _| held.push(name));
        }
    }
}
