//! The grammar's actions for theory atoms, theory terms and theory definitions.
//!
//! Invariant: as for all actions, no tree is deeper than [`MAX_DEPTH`].

use super::*;

impl Builder<'_> {
    pub(crate) fn theory_atom(
        &self,
        l: u32,
        name: StrId,
        args: Option<Vec<Vec<Term>>>,
        elements: Vec<TheoryElement>,
        guard: Option<(StrId, TheoryTerm)>,
        r: u32,
    ) -> TheoryAtom {
        let args = args.unwrap_or_else(|| vec![vec![]]);
        TheoryAtom { name, args, elements, guard, span: Span::new(l, r) }
    }
    /// A theory term without parts.
    pub(crate) fn theory_leaf(&self, l: u32, kind: TheoryTermKind, r: u32) -> TheoryTerm {
        TheoryTerm { kind, span: Span::new(l, r), depth: 1 }
    }
    pub(crate) fn theory_number(&mut self, l: u32, r: u32) -> Built<TheoryTerm> {
        let symbol = self.number_symbol(l, r)?;
        Ok(self.theory_leaf(l, TheoryTermKind::Symbol(symbol), r))
    }
    pub(crate) fn theory_string(&mut self, l: u32, r: u32) -> TheoryTerm {
        let symbol = self.string_symbol(l, r);
        self.theory_leaf(l, TheoryTermKind::Symbol(symbol), r)
    }
    /// A theory term with parts.
    pub(crate) fn theory_node(
        &self,
        l: u32,
        parts: Vec<TheoryTerm>,
        kind: impl FnOnce(Vec<TheoryTerm>) -> TheoryTermKind,
        r: u32,
    ) -> Built<TheoryTerm> {
        let depth = parts.iter().map(|t| t.depth).max().unwrap_or(0);
        self.check_theory_depth(l, depth, r)?;
        Ok(TheoryTerm { kind: kind(parts), span: Span::new(l, r), depth: depth + 1 })
    }
    fn check_theory_depth(&self, l: u32, depth: u16, r: u32) -> Built<()> {
        if depth < MAX_DEPTH {
            return Ok(());
        }
        fail(Diagnostic::error(Span::new(l, r), format!("terms may be nested at most {MAX_DEPTH} deep")))
    }
    /// Operators and terms in sequence; a single term without operators is itself. A theory's binary operators may nest
    /// the terms as deeply as there are terms, so their number counts as depth.
    pub(crate) fn theory_sequence(
        &self,
        l: u32,
        mut parts: Vec<(Vec<StrId>, TheoryTerm)>,
        r: u32,
    ) -> Built<TheoryTerm> {
        if parts.len() == 1
            && parts.iter().all(|(ops, _)| ops.is_empty())
            && let Some((_, t)) = parts.pop()
        {
            return Ok(t);
        }
        let below = parts.iter().map(|(_, t)| usize::from(t.depth)).max().unwrap_or(0);
        let operators: usize = parts.iter().map(|(ops, _)| ops.len()).sum();
        let depth = u16::try_from(below + operators).unwrap_or(u16::MAX);
        self.check_theory_depth(l, depth, r)?;
        Ok(TheoryTerm { kind: TheoryTermKind::Unparsed(parts), span: Span::new(l, r), depth: depth + 1 })
    }

    pub(crate) fn theory_definition(
        &self,
        name: StrId,
        items: Vec<Result<TheoryTermDefinition, TheoryAtomDefinition>>,
    ) -> Built<TheoryDefinition> {
        let mut definition = TheoryDefinition { name, terms: Vec::new(), atoms: Vec::new() };
        for item in items {
            match item {
                Ok(term) => definition.terms.push(term),
                Err(atom) => definition.atoms.push(atom),
            }
        }
        Ok(definition)
    }
    pub(crate) fn theory_atom_definition(
        &self,
        l: u32,
        name: StrId,
        arity: u32,
        element: StrId,
        guard: Option<(Vec<StrId>, StrId)>,
        kind: Span,
    ) -> Built<TheoryAtomDefinition> {
        let span = Span::new(l, kind.hi);
        let kind = match self.at(kind.lo, kind.hi) {
            "head" => TheoryAtomKind::Head,
            "body" => TheoryAtomKind::Body,
            "any" => TheoryAtomKind::Any,
            "directive" => TheoryAtomKind::Directive,
            other => {
                let message =
                    format!("theory atoms occur in `head`, `body`, `any` or `directive`, not in `{other}`");
                return fail(Diagnostic::error(kind, message));
            }
        };
        Ok(TheoryAtomDefinition { name, arity, element, guard, kind, span })
    }
    /// An operator of a theory definition.
    pub(crate) fn theory_operator(
        &self,
        l: u32,
        op: StrId,
        priority: u32,
        arity: Span,
        associativity: Option<Span>,
    ) -> Built<TheoryOperator> {
        let text = |s: Span| self.at(s.lo, s.hi);
        let fixity = match (text(arity), associativity.map(|s| (s, text(s)))) {
            ("unary", None) => Fixity::Unary,
            ("unary", Some((s, _))) => {
                return fail(Diagnostic::error(s, "a unary operator associates neither left nor right"));
            }
            ("binary", Some((_, "left"))) => Fixity::Left,
            ("binary", Some((_, "right"))) => Fixity::Right,
            ("binary", Some((s, other))) => {
                return fail(Diagnostic::error(s, format!("expected `left` or `right`, found `{other}`")));
            }
            ("binary", None) => {
                return fail(
                    Diagnostic::error(arity, "a binary operator needs its associativity")
                        .help("write `binary, left` or `binary, right`"),
                );
            }
            (other, _) => {
                return fail(Diagnostic::error(
                    arity,
                    format!("expected `unary` or `binary`, found `{other}`"),
                ));
            }
        };
        let hi = associativity.unwrap_or(arity).hi;
        Ok(TheoryOperator { op, priority, fixity, span: Span::new(l, hi) })
    }
}
