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
    /// The terms that rules derive in place of the statements that show them.
    pub shown: Shown,
    /// A claim about an integer variable, `x = 3`: a rule derives [`ASKED`] where it is true.
    pub value: Option<String>,
    /// Priority and cost of each level of an optimal answer set: those that cost more are left out. Empty: none is.
    pub optimum: Vec<(i64, i64)>,
}

/// Shown terms that rules derive, so that questions take them for atoms.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Shown {
    #[default]
    None,
    /// Those with this name, after a `-` if negated, and number of arguments. Other terms than functions have no name.
    Named(String, usize),
    /// All that do not look like atoms of the program.
    All,
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

/// What became of the facts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relaxed {
    /// Where those stand that are relaxed.
    pub(crate) freed: Vec<Span>,
    /// The names of those that stay since they decide about external atoms, each once.
    pub(crate) deciding: Vec<StrId>,
}

/// Relaxes facts other than those of predicates that decide about external atoms.
pub(crate) fn relax(
    program: &mut Program,
    symbols: &mut Symbols,
    sources: &Sources,
    (which, caution): (&Which, Caution),
    deciding: &Set<StrId>,
) -> Relaxed {
    let mut relaxed = Relaxed::default();
    if caution == Caution::All {
        return relaxed;
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
                if deciding.contains(&atom.name) {
                    relaxed.deciding.push(atom.name);
                } else if literal.sign == Sign::None && fits && !held.contains(&atom.name) {
                    let element = ConditionalLiteral {
                        literal: literal.clone(),
                        condition: Vec::new(),
                        span: literal.span,
                    };
                    head.kind = HeadKind::Choice { guards: Guards::default(), elements: vec![element] };
                    relaxed.freed.push(s.span);
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
        if deciding.contains(&name) {
            relaxed.deciding.push(name);
            return true;
        }
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
        relaxed.freed.push(span);
        false
    });
    choices.append(&mut program.statements);
    program.statements = choices;
    relaxed.deciding.sort_unstable();
    relaxed.deciding.dedup();
    relaxed
}

/// Replaces the statements that show terms by rules.
pub(crate) fn derive_shown(program: &mut Program, symbols: &Symbols, which: &Shown) {
    match which {
        Shown::None => {}
        Shown::Named(name, arity) => {
            let bare = name.strip_prefix('-');
            let is_named = |own: &Atom| {
                symbols.str(own.name) == bare.unwrap_or(name)
                    && own.negative == bare.is_some()
                    && own.args.iter().all(|args| args.len() == *arity)
            };
            for statement in &mut program.statements {
                derive_term(statement, &is_named);
            }
        }
        Shown::All => {
            let taken = predicates(program, symbols);
            let chooses = |s: &Statement| {
                matches!(s.kind, StatementKind::ShowNothing | StatementKind::ShowSignature(_))
            };
            let shows_all = !program.statements.iter().any(chooses);
            for mut statement in std::mem::take(&mut program.statements) {
                let span = statement.span;
                let derived = derive_term(&mut statement, &|own| !taken.contains(&own.name));
                program.statements.push(statement);
                if !shows_all {
                    let show = |s| Statement { span, kind: StatementKind::ShowSignature(s) };
                    program.statements.extend(derived.into_iter().map(show));
                }
            }
        }
    }
}

/// The names of all predicates that a program mentions.
fn predicates(program: &Program, symbols: &Symbols) -> Set<StrId> {
    let name = |fact: &Fact| match symbols.view(fact.atom) {
        SymView::Fun { name, .. } => Some(name),
        _ => None,
    };
    let mut names: Set<StrId> = program.facts.iter().filter_map(name).collect();
    for s in &program.statements {
        let parts = s.kind.parts();
        if let Some(head) = parts.head {
            head_names(head, &mut |name, _| _ = names.insert(name));
            head.conditions().for_each(|l| literal_name(l, &mut |name, _| _ = names.insert(name)));
        }
        names.extend(parts.atom.map(|atom| atom.name));
        body_names(parts.body, &mut |name, _| _ = names.insert(name));
        s.kind.each_value(&mut |name, _, _| _ = names.insert(name));
        if let StatementKind::ShowSignature(s) | StatementKind::ProjectSignature(s) = &s.kind {
            names.insert(s.name);
        }
    }
    names
}

/// Replaces a statement by a rule if it shows a term that is meant; the signatures of what the rule derives.
fn derive_term(s: &mut Statement, is_meant: &dyn Fn(&Atom) -> bool) -> Vec<SignatureRef> {
    let StatementKind::ShowTerm { term, body } = &mut s.kind else { return Vec::new() };
    let span = term.span;
    let (negative, name, args) = shown(term);
    let atom = Atom { name, args, negative, span };
    if !is_meant(&atom) {
        return Vec::new();
    }
    let arities = atom.args.iter().map(|args| args.len() as u32);
    let derived = arities.map(|arity| SignatureRef { name, arity, negative, span }).collect();
    let literal = Literal { sign: Sign::None, kind: LiteralKind::Atom(atom), span };
    let head = Head { kind: HeadKind::Literal(literal), span };
    s.kind = StatementKind::Rule { head, body: std::mem::take(body) };
    derived
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

/// The predicates that decide whether a rule is left for an external atom, where there are such rules, or what bounds in
/// heads leave below the body of such a statement; empty if nothing but facts decides about external atoms.
pub(crate) fn deciding(program: &Program) -> Set<StrId> {
    let (mut own, mut read) = (Vec::new(), Vec::new());
    for s in &program.statements {
        if let StatementKind::External { atom, body, .. } = &s.kind {
            own.push(atom.name);
            body_names(body, &mut |name, _| read.push(name));
        }
    }
    if own.is_empty() {
        return Set::default();
    }
    let mut needs: Map<StrId, Vec<StrId>> = Map::default();
    let mut bounded = Vec::new();
    let mut has_rules = false;
    for s in &program.statements {
        let StatementKind::Rule { head, body } = &s.kind else { continue };
        let is_fact = body.is_empty() && matches!(head.kind, HeadKind::Literal(_));
        let mut names = Vec::new();
        body_names(body, &mut |name, _| names.push(name));
        let mut heads = Vec::new();
        head_names(head, &mut |name, derived| if derived { &mut heads } else { &mut names }.push(name));
        // A fact satisfies a disjunction, and counts for bounds.
        names.extend_from_slice(&heads);
        has_rules |= !is_fact && heads.iter().any(|name| own.contains(name));
        if let HeadKind::Aggregate { .. }
        | HeadKind::Choice { guards: Guards { left: Some(_), .. }, .. }
        | HeadKind::Choice { guards: Guards { right: Some(_), .. }, .. } = &head.kind
        {
            bounded.extend_from_slice(&heads);
        }
        heads.into_iter().for_each(|name| needs.entry(name).or_default().extend_from_slice(&names));
    }
    let below = closure(read.clone(), &needs);
    if !has_rules && !bounded.iter().any(|name| below.contains(name)) {
        return Set::default();
    }
    read.append(&mut own);
    closure(read, &needs)
}

/// Predicates whose facts decide which atoms are external: those that the body of such a statement, or a rule below it,
/// reads in another way than by a positive literal.
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
    let mut hold = |name, kept: bool| {
        if kept {
            held.push(name);
        }
    };
    for s in &program.statements {
        let body = match &s.kind {
            StatementKind::External { body, .. } => body,
            StatementKind::Rule { head, body } => {
                let mut below = false;
                head_names(head, &mut |name, derived| below |= derived && read.contains(&name));
                if !below {
                    continue;
                }
                let conditions = head.derived().flat_map(|(_, condition)| condition);
                conditions.for_each(|l| literal_name(l, &mut |name, not| hold(name, not)));
                body
            }
            _ => continue,
        };
        for element in body {
            let plain = matches!(element.kind, BodyElementKind::Literal(_));
            element.literals().for_each(|l| literal_name(l, &mut |name, not| hold(name, not || !plain)));
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
