//! Functions whose values stay integers: they have no atoms.
//!
//! `{ p(X,L..U) } = 1 :- d(X).` says that each `X` of `d` has one value. If `p` is read only as `$p(X)`, and only where constraints over
//! integers say the same, this becomes `$p(X) :- d(X).` (there is a value) and `&dom { L..U } = $p(X) :- $p(X).`; a reader
//! `$p(X)+1 <= $q.` becomes `&sum { $p(X)+1 } <= $q :- $p(X), $q.` ([`reader`](super::reader) does this). So an instance
//! whose value is missing is left out, as with atoms.
//!
//! What only the ground program shows is checked there (`asp-integers`, in `values`): that each variable has one domain, that
//! sums are over numbers, that conditions are facts. If not, the program is grounded again with atoms.
//!
//! Invariant: answer sets are the same, with `p(x,v)` for a variable with a value. A function used in any other way has atoms.

use super::functions::{Function, Functions, choice};
use super::reader::{Misfit, Reader};
use super::{Expander, theory, value};
use crate::constants::Constants;
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_syntax::ast::*;
use asp_syntax::print;

/// A statement that changed: its place, what it was, and what it became.
pub struct Changed {
    /// Where it stands.
    pub span: Span,
    /// The statement as it was written.
    pub was: String,
    /// The statements that replace it.
    pub became: Vec<String>,
}

/// The rewritten program.
pub struct Kept {
    pub program: Program,
    /// The names of variables, each with the name of its function's atoms.
    pub names: Map<StrId, StrId>,
    /// The statements that changed.
    pub changed: Vec<Changed>,
}

impl Expander {
    /// A whole program with functions of at least `least` values kept as integers; `None` if there are none.
    pub fn keep(
        &mut self,
        program: &Program,
        constants: &Constants,
        least: u64,
        symbols: &mut Symbols,
    ) -> Option<Kept> {
        if !program.has_values || !program.statements.iter().all(may_stand_beside) {
            return None;
        }
        let mut functions = Functions { names: Map::default(), constants, tuples: Vec::new() };
        functions.names = candidates(program, &functions, least, symbols);
        functions.tuples = tuples(program, &functions, symbols);
        let (statements, changed) = loop {
            if functions.names.is_empty() {
                return None;
            }
            match convert(program, &functions, symbols) {
                Ok(done) => break done,
                Err(unfit) => functions.names.retain(|f, _| !unfit.contains(f)),
            }
        };
        let mut names: Vec<(Function, StrId)> = functions.names.iter().map(|(&f, &v)| (f, v)).collect();
        names.sort_unstable();
        let shows = shows(program, &names, symbols);
        self.functions.extend(names.iter().map(|n| n.0));
        Some(Kept {
            program: Program {
                statements: statements.into_iter().chain(shows).collect(),
                facts: program.facts.clone(),
                fact_constants: program.fact_constants.clone(),
                unread: program.unread.clone(),
                has_values: true,
            },
            names: names.into_iter().map(|((name, _), variable)| (variable, name)).collect(),
            changed,
        })
    }
}

/// Whether a statement belongs in a program that is grounded once, without constraints over integers of its own.
fn may_stand_beside(s: &Statement) -> bool {
    let is_other = matches!(
        s.kind,
        StatementKind::Part { .. }
            | StatementKind::Theory(_)
            | StatementKind::Script { .. }
            | StatementKind::Include { .. }
            | StatementKind::IncludeBuiltin { .. }
            | StatementKind::Query(_)
    );
    !is_other && s.theory_atoms().next().is_none()
}

/// Functions whose values a statement chooses, that no other mentions as atoms, and that have enough values, as far as known.
fn candidates(
    program: &Program,
    functions: &Functions<'_>,
    least: u64,
    symbols: &mut Symbols,
) -> Map<Function, StrId> {
    let mut found: Map<Function, StrId> = Map::default();
    let mut mentioned: Set<Function> = Set::default();
    let mut read: Set<Function> = Set::default();
    let mut shown: Set<Function> = Set::default();
    for s in &program.statements {
        s.kind.each_value(&mut |name, arity, _| _ = read.insert((name, arity as usize)));
        if let Some(choice) = choice(s) {
            let ends = choice.ends.map(|t| functions.number(t, symbols));
            let wide = match ends {
                [Some(low), Some(high)] => low <= high && high.abs_diff(low) >= least.saturating_sub(1),
                _ => true,
            };
            let name = symbols.str(choice.function.0);
            if wide && !name.starts_with('_') {
                let variable = symbols.intern(&format!("#${name}"));
                if found.insert(choice.function, variable).is_some() {
                    mentioned.insert(choice.function);
                }
            } else {
                mentioned.insert(choice.function);
            }
            mention_body(choice.body, &mut mentioned);
            continue;
        }
        let parts = s.kind.parts();
        if let Some(head) = parts.head {
            for (literal, condition) in head.derived() {
                [literal].into_iter().chain(condition).for_each(|l| mention(l, &mut mentioned));
            }
            head.conditions().for_each(|l| mention(l, &mut mentioned));
        }
        parts.atom.into_iter().for_each(|a| mention_atom(a, &mut mentioned));
        mention_body(parts.body, &mut mentioned);
        match &s.kind {
            StatementKind::ProjectSignature(r) => _ = mentioned.insert((r.name, r.arity as usize)),
            StatementKind::ShowSignature(r) => _ = shown.insert((r.name, r.arity as usize)),
            // A term that looks like an atom of a function is told apart from it.
            StatementKind::ShowTerm { term, .. }
                if !mention_term(term, functions, symbols, &mut mentioned) =>
            {
                return Map::default();
            }
            _ => {}
        }
    }
    for f in &program.facts {
        if let SymView::Fun { name, args, .. } = symbols.view(f.atom) {
            mentioned.insert((name, args.len()));
        }
    }
    // Functions read or shown with another number of arguments: mistakes that messages report.
    let other: Set<StrId> =
        read.iter().chain(&shown).filter(|f| !found.contains_key(*f)).map(|f| f.0).collect();
    found.retain(|f, _| read.contains(f) && !mentioned.contains(f) && !other.contains(&f.0));
    found
}

/// Notes the functions that a shown term may resemble as atoms; `false` if it may be any.
fn mention_term(
    term: &Term,
    functions: &Functions<'_>,
    symbols: &mut Symbols,
    mentioned: &mut Set<Function>,
) -> bool {
    let mut open = vec![term];
    while let Some(t) = open.pop() {
        if let Some(known) = functions.ground(t, symbols) {
            if let SymView::Fun { name, args, .. } = symbols.view(known) {
                mentioned.insert((name, args.len()));
            }
            continue;
        }
        match &t.kind {
            TermKind::Function { name, args, external: false } => {
                mentioned.extend(args.iter().map(|list| (*name, list.len())));
            }
            TermKind::Pool(terms) => open.extend(terms),
            TermKind::Variable(_)
            | TermKind::Anonymous
            | TermKind::Function { .. }
            | TermKind::Value { .. } => {
                return false;
            }
            // Numbers, or terms without a name, or negated.
            TermKind::Symbol(_)
            | TermKind::Unary(..)
            | TermKind::Absolute(_)
            | TermKind::Binary(..)
            | TermKind::Interval(..)
            | TermKind::Tuple(_) => {}
        }
    }
    true
}

fn mention_body(body: &[BodyElement], mentioned: &mut Set<Function>) {
    body.iter().flat_map(BodyElement::literals).for_each(|l| mention(l, mentioned));
}

fn mention(l: &Literal, mentioned: &mut Set<Function>) {
    if let LiteralKind::Atom(atom) = &l.kind {
        mention_atom(atom, mentioned);
    }
}

fn mention_atom(atom: &Atom, mentioned: &mut Set<Function>) {
    mentioned.extend(atom.args.iter().map(|list| (atom.name, list.len())));
}

/// The tuples of objectives, by the number of their statement.
fn tuples(
    program: &Program,
    functions: &Functions<'_>,
    symbols: &mut Symbols,
) -> Vec<(usize, Vec<Option<Sym>>)> {
    let mut found = Vec::new();
    for (i, s) in program.statements.iter().enumerate() {
        if let StatementKind::Minimize { weight, tuple, .. } = &s.kind {
            // A weight alone is told apart from all others.
            if !tuple.is_empty() || !value::is_in(weight) {
                found.push((i, tuple.iter().map(|t| functions.ground(t, symbols)).collect()));
            }
        }
    }
    found
}

/// The statements with the functions' values as integers, or the functions that some reader does not permit.
fn convert(
    program: &Program,
    functions: &Functions<'_>,
    symbols: &mut Symbols,
) -> Result<(Vec<Statement>, Vec<Changed>), Set<Function>> {
    let (mut out, mut changed, mut unfit) = (Vec::new(), Vec::new(), Set::default());
    let mut objective: Vec<TheoryElement> = Vec::new();
    for (i, s) in program.statements.iter().enumerate() {
        let chosen = choice(s).filter(|c| functions.names.contains_key(&c.function));
        let mut reads: Vec<Function> = Vec::new();
        s.kind.each_value(&mut |name, arity, _| {
            let function = (name, arity as usize);
            if functions.names.contains_key(&function) {
                reads.push(function);
            }
        });
        if chosen.is_none() && reads.is_empty() {
            out.push(s.clone());
            continue;
        }
        let mut reader = Reader::new(s, i, functions, symbols);
        let converted = match &chosen {
            Some(choice) => reader.choice(choice),
            None => reader.statement(s),
        };
        match converted {
            Ok(()) => {
                let text = |s: &Statement, symbols: &Symbols| print::statement(s, symbols).replace("#$", "$");
                let (new, costs) = (reader.out, reader.objective);
                changed.push(Changed {
                    span: s.span,
                    was: text(s, symbols),
                    became: new.iter().map(|s| text(s, symbols)).collect(),
                });
                // One directive has all costs: equal ones would be taken for the same.
                if costs.is_empty() {
                    out.extend(new);
                }
                objective.extend(costs);
            }
            Err(Misfit) => unfit.extend(chosen.map(|c| c.function).into_iter().chain(reads)),
        }
    }
    if let Some(span) = objective.first().map(|e| e.span) {
        let atom = theory::atom("minimize", objective, None, span, symbols);
        let head = Head { kind: HeadKind::Theory(atom), span };
        out.push(Statement { kind: StatementKind::Rule { head, body: Vec::new() }, span });
    }
    if unfit.is_empty() { Ok((out, changed)) } else { Err(unfit) }
}

/// The statements that show values, except those of atoms with other shows.
fn shows(program: &Program, names: &[(Function, StrId)], symbols: &mut Symbols) -> Option<Statement> {
    let says = |s: &Statement| match &s.kind {
        StatementKind::ShowNothing => Some(None),
        StatementKind::ShowSignature(r) => Some(Some((r.name, r.arity as usize, r.negative))),
        _ => None,
    };
    let said: Vec<_> = program.statements.iter().filter_map(says).collect();
    if said.is_empty() {
        return None;
    }
    let span = program.statements.first()?.span;
    let shown: Vec<_> =
        names.iter().filter(|((name, arity), _)| said.contains(&Some((*name, *arity, false)))).collect();
    let mut elements = Vec::new();
    for ((_, arity), variable) in shown {
        let name = theory::function(*variable, Vec::new(), span);
        let tuple = vec![theory::operation(name, "/", theory::number(*arity as i64 - 1, span), symbols)];
        elements.push(TheoryElement { tuple, condition: Vec::new(), span });
    }
    let atom = theory::atom("show", elements, None, span, symbols);
    let head = Head { kind: HeadKind::Theory(atom), span };
    Some(Statement { kind: StatementKind::Rule { head, body: Vec::new() }, span })
}
