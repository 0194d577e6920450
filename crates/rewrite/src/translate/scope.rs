//! The variables of a rule: numbers for names, and which names belong to the rule's own level.
//!
//! Invariant: a name has one variable at the rule's own level, and one in each element where it is local; names that
//! occur at the rule's own level are numbered first, in the order of the text.

use crate::rule::{Var, VarInfo};
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_base::symbol::StrId;
use asp_syntax::ast::{self, Sign, StatementKind, TermKind, TheoryTermKind};
use asp_syntax::walk::Parts;

/// The variables of the rule under translation.
#[derive(Default)]
pub(crate) struct Scope {
    pub(crate) vars: Vec<VarInfo>,
    pub(crate) global: Map<StrId, Var>,
    /// Names of the rule's own level that elements do not see: they stand in disjuncts that move to the body.
    unseen: Set<StrId>,
    /// Names of the current element, if inside one.
    pub(crate) local: Option<Map<StrId, Var>>,
}

impl Scope {
    pub(crate) fn named(&mut self, name: StrId, span: Span) -> Var {
        if let Some(&v) = self.global.get(&name)
            && (self.local.is_none() || !self.unseen.contains(&name))
        {
            return v;
        }
        let fresh = Var(self.vars.len() as u32);
        let (map, local) = match &mut self.local {
            Some(map) => (map, true),
            None => (&mut self.global, false),
        };
        let v = *map.entry(name).or_insert(fresh);
        if v == fresh {
            self.vars.push(VarInfo { name: Some(name), span, local });
        }
        v
    }
    pub(crate) fn fresh(&mut self, span: Span) -> Var {
        self.vars.push(VarInfo { name: None, span, local: self.local.is_some() });
        Var(self.vars.len() as u32 - 1)
    }
    /// Runs `f` inside an element.
    pub(crate) fn element<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.local.replace(Map::default());
        let result = f(self);
        self.local = outer;
        result
    }
    /// The named variables of a literal, in order of appearance.
    pub(crate) fn variables(&mut self, l: &ast::Literal) -> Vec<Var> {
        let mut out = Vec::new();
        for (name, span) in l.terms().flat_map(ast::Term::variables) {
            let v = self.named(name, span);
            if !out.contains(&v) {
                out.push(v);
            }
        }
        out
    }
    /// Those of the variables that belong to the rule's own level, in order.
    pub(crate) fn globals(&self, vars: Set<Var>) -> Vec<Var> {
        let mut out: Vec<Var> = vars.into_iter().filter(|&v| self.is_global(v)).collect();
        out.sort_unstable();
        out
    }
    fn is_global(&self, v: Var) -> bool {
        !self.vars[v.0 as usize].local
    }
}

/// Numbers the variables of a statement's own level.
pub(crate) fn name_globals(kind: &StatementKind, scope: &mut Scope) {
    let Parts { head, atom, rows, body } = kind.parts();
    let mut terms: Vec<&ast::Term> = rows.into_iter().flatten().collect();
    let mut guards: Vec<&ast::Guards> = Vec::new();
    let mut literals: Vec<&ast::Literal> = Vec::new();
    let mut moving: Vec<&ast::Literal> = Vec::new();
    let mut theory_guards: Vec<&ast::TheoryTerm> = Vec::new();
    match head.map(|h| &h.kind) {
        None => {}
        Some(ast::HeadKind::Literal(l)) => literals.push(l),
        Some(ast::HeadKind::Disjunction(elements)) => {
            for e in elements.iter().filter(|e| e.condition.is_empty()) {
                let derives =
                    matches!(e.literal.kind, ast::LiteralKind::Atom(_)) && e.literal.sign == Sign::None;
                if derives { &mut literals } else { &mut moving }.push(&e.literal);
            }
        }
        Some(ast::HeadKind::Choice { guards: g, .. } | ast::HeadKind::Aggregate { guards: g, .. }) => {
            guards.push(g);
        }
        Some(ast::HeadKind::Global(a)) => terms.extend(a.bound.iter().map(|(_, t)| t)),
        Some(ast::HeadKind::Theory(a)) => {
            terms.extend(a.args.iter().flatten());
            theory_guards.extend(a.guard.iter().map(|(_, t)| t));
        }
    }
    for e in body {
        match &e.kind {
            ast::BodyElementKind::Literal(l) => literals.push(l),
            ast::BodyElementKind::Conditional(_) => {}
            ast::BodyElementKind::Aggregate { guards: g, .. }
            | ast::BodyElementKind::SetAggregate { guards: g, .. } => guards.push(g),
            ast::BodyElementKind::Global { atom, .. } => terms.extend(atom.bound.iter().map(|(_, t)| t)),
            ast::BodyElementKind::Theory { atom, .. } => {
                terms.extend(atom.args.iter().flatten());
                theory_guards.extend(atom.guard.iter().map(|(_, t)| t));
            }
        }
    }
    terms.extend(guards.into_iter().flat_map(ast::Guards::terms));
    terms.extend(literals.into_iter().flat_map(ast::Literal::terms));
    terms.extend(atom.into_iter().flat_map(ast::Atom::terms));
    let seen: Set<StrId> = terms.iter().flat_map(|t| t.variables()).map(|v| v.0).collect();
    terms.extend(moving.into_iter().flat_map(ast::Literal::terms));
    // In order of appearance, so that numbers follow the text.
    terms.sort_by_key(|t| t.span);
    for (name, span) in terms.into_iter().flat_map(ast::Term::variables) {
        scope.named(name, span);
        if !seen.contains(&name) {
            scope.unseen.insert(name);
        }
    }
    theory_guards.into_iter().for_each(|t| name_theory_variables(t, scope));
}

fn name_theory_variables(t: &ast::TheoryTerm, scope: &mut Scope) {
    match &t.kind {
        TheoryTermKind::Symbol(_) | TheoryTermKind::Constant(_) | TheoryTermKind::Variable(StrId::EMPTY) => {}
        TheoryTermKind::Variable(name) => {
            scope.named(*name, t.span);
        }
        TheoryTermKind::Function(_, ts)
        | TheoryTermKind::Tuple(ts)
        | TheoryTermKind::List(ts)
        | TheoryTermKind::Set(ts) => ts.iter().for_each(|t| name_theory_variables(t, scope)),
        TheoryTermKind::Unparsed(parts) => parts.iter().for_each(|(_, t)| name_theory_variables(t, scope)),
    }
}

/// Whether a literal has variables.
pub(super) fn has_variables(l: &ast::Literal) -> bool {
    let is_variable = |t: &ast::Term| matches!(t.kind, TermKind::Variable(_) | TermKind::Anonymous);
    l.terms().flat_map(ast::Term::walk).any(is_variable)
}

/// The places of the anonymous variables of a literal.
pub(crate) fn anonymous(l: &ast::Literal) -> Vec<Span> {
    l.terms().flat_map(ast::Term::anonymous).collect()
}
