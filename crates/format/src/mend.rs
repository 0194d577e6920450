//! Improvements with the same meaning: variables that occur once, pairs that are found twice.
//!
//! Invariant: the answer sets stay the same. A variable becomes `_` only where it is an argument of an atom that has to
//! hold in a body or condition, and nothing is computed with it; elsewhere (under `not`, in a head, in the tuple of an
//! aggregate) `_` would have another meaning.

use super::Alone;
use asp_base::map::Map;
use asp_base::span::Span;
use asp_base::symbol::StrId;
use asp_rewrite::symmetry::symmetric_inequality;
use asp_syntax::ast::*;

/// A limit on rounds that no text reaches.
const MAX_ROUNDS: usize = 100;

/// A replacement of the text under a span of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// Where.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// Mends a text as far as possible; returns it with the number of changes. Pre: it has no syntax errors.
pub fn mend(name: &str, text: &str) -> (String, usize) {
    let (mut text, mut changes) = (text.to_string(), 0);
    for _ in 0..MAX_ROUNDS {
        let alone = super::parse_alone(name, text.as_bytes());
        let edits = if alone.is_sound() { edits(&alone) } else { Vec::new() };
        if edits.is_empty() {
            break;
        }
        changes += edits.len();
        text = apply(&alone, &text, edits);
    }
    (text, changes)
}

/// The text with the changes applied.
fn apply(alone: &Alone, text: &str, mut edits: Vec<Edit>) -> String {
    let start = alone.sources.files().first().map_or(0, |f| f.start);
    edits.sort_by_key(|e| e.span);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for edit in edits {
        let (lo, hi) = ((edit.span.lo - start) as usize, (edit.span.hi - start) as usize);
        out.push_str(&text[at..lo]);
        out.push_str(&edit.text);
        at = hi;
    }
    out.push_str(&text[at..]);
    out
}

/// Changes to a text that can be made together.
pub fn edits(alone: &Alone) -> Vec<Edit> {
    let mut found = Vec::new();
    for statement in &alone.parsed.program.statements {
        singletons(statement, alone, &mut found);
        if let Some(between) = symmetric_inequality(statement, &alone.symbols) {
            let text = alone.sources.text(between);
            let sign = text.find("!=").or_else(|| text.find("<>"));
            if let Some(at) = sign.filter(|_| !text.contains('%')) {
                let lo = between.lo + at as u32;
                found.push(Edit { span: Span::new(lo, lo + 2), text: "<".into() });
            }
        }
    }
    found
}

/// Where a variable occurs in a statement.
#[derive(Default)]
struct Occurrences {
    /// Number of occurrences, and whether `_` may replace the first, by name.
    of: Map<StrId, (u32, Span, bool)>,
    order: Vec<StrId>,
    /// Whether this is the condition of a tuple that is a weight alone: equal weights count once, which is often a
    /// mistake that `_` would hide.
    collapses: bool,
}

fn singletons(statement: &Statement, alone: &Alone, found: &mut Vec<Edit>) {
    let mut all = Occurrences::default();
    all.statement(statement);
    for name in &all.order {
        let meant = alone.symbols.str(*name).starts_with('_');
        if let Some(&(1, span, true)) = all.of.get(name).filter(|_| !meant) {
            found.push(Edit { span, text: "_".into() });
        }
    }
}

impl Occurrences {
    fn statement(&mut self, statement: &Statement) {
        let parts = statement.kind.parts();
        parts.head.iter().for_each(|head| self.head(head));
        parts.atom.iter().for_each(|atom| self.atom(atom, false));
        parts.rows.iter().flatten().for_each(|t| self.term(t, false));
        self.collapses = matches!(&statement.kind, StatementKind::Minimize { tuple, .. } if tuple.is_empty());
        self.body(parts.body);
        self.collapses = false;
    }

    fn head(&mut self, head: &Head) {
        match &head.kind {
            HeadKind::Literal(literal) => self.literal(literal, false),
            HeadKind::Disjunction(elements) => elements.iter().for_each(|e| self.conditional(e)),
            HeadKind::Choice { guards, elements } => {
                self.guards(guards);
                elements.iter().for_each(|e| self.conditional(e));
            }
            HeadKind::Aggregate { function, guards, elements } => {
                self.guards(guards);
                for e in elements {
                    e.tuple.iter().for_each(|t| self.term(t, false));
                    self.literal(&e.literal, false);
                    self.weighed(*function, &e.tuple, &e.condition);
                }
            }
            HeadKind::Theory(atom) => self.theory(atom),
            HeadKind::Global(atom) => self.global(atom),
        }
    }

    fn body(&mut self, body: &[BodyElement]) {
        for element in body {
            match &element.kind {
                BodyElementKind::Literal(literal) => self.literal(literal, true),
                BodyElementKind::Conditional(element) => self.conditional(element),
                BodyElementKind::Aggregate { function, guards, elements, .. } => {
                    self.guards(guards);
                    for e in elements {
                        e.tuple.iter().for_each(|t| self.term(t, false));
                        self.weighed(*function, &e.tuple, &e.condition);
                    }
                }
                BodyElementKind::SetAggregate { guards, elements, .. } => {
                    self.guards(guards);
                    elements.iter().for_each(|e| self.conditional(e));
                }
                BodyElementKind::Theory { atom, .. } => self.theory(atom),
                BodyElementKind::Global { atom, .. } => self.global(atom),
            }
        }
    }

    /// The condition of an element.
    fn weighed(&mut self, function: AggregateFunction, tuple: &[Term], condition: &[Literal]) {
        let is_sum = matches!(function, AggregateFunction::Sum | AggregateFunction::SumPlus);
        self.collapses = is_sum && tuple.len() == 1;
        self.literals(condition);
        self.collapses = false;
    }

    fn guards(&mut self, guards: &Guards) {
        guards.left.iter().for_each(|(t, _)| self.term(t, false));
        guards.right.iter().for_each(|(_, t)| self.term(t, false));
    }

    fn conditional(&mut self, element: &ConditionalLiteral) {
        self.literal(&element.literal, false);
        self.literals(&element.condition);
    }

    fn literals(&mut self, literals: &[Literal]) {
        literals.iter().for_each(|l| self.literal(l, true));
    }

    fn literal(&mut self, literal: &Literal, holds: bool) {
        match &literal.kind {
            LiteralKind::Atom(atom) => self.atom(atom, holds && literal.sign == Sign::None),
            LiteralKind::Boolean(_) | LiteralKind::Comparison(..) => {
                literal.terms().for_each(|t| self.term(t, false));
            }
        }
    }

    fn atom(&mut self, atom: &Atom, holds: bool) {
        self.lists(&atom.args, holds && !self.collapses);
    }

    /// Arguments; a pool stands for several atoms, and a variable may occur in one of them or in each.
    fn lists(&mut self, lists: &[Vec<Term>], replaceable: bool) {
        let replaceable = replaceable && lists.len() == 1;
        lists.iter().flatten().for_each(|t| self.term(t, replaceable));
    }

    fn variable(&mut self, name: StrId, span: Span, replaceable: bool) {
        let order = &mut self.order;
        let known = self.of.entry(name).or_insert_with(|| {
            order.push(name);
            (0, span, replaceable)
        });
        known.0 += 1;
    }

    fn term(&mut self, term: &Term, replaceable: bool) {
        match &term.kind {
            TermKind::Variable(name) => self.variable(*name, term.span, replaceable),
            TermKind::Symbol(_) | TermKind::Anonymous => {}
            TermKind::Unary(_, t) => self.term(t, false),
            TermKind::Binary(_, s, t) | TermKind::Interval(s, t) => {
                self.term(s, false);
                self.term(t, false);
            }
            TermKind::Function { args, external, .. } => self.lists(args, replaceable && !external),
            // Values of different atoms are distinguished by their arguments.
            TermKind::Value { args, .. } => self.lists(args, false),
            TermKind::Tuple(ts) => ts.iter().for_each(|t| self.term(t, replaceable)),
            TermKind::Absolute(ts) | TermKind::Pool(ts) => ts.iter().for_each(|t| self.term(t, false)),
        }
    }

    fn global(&mut self, atom: &GlobalAtom) {
        atom.terms().for_each(|t| self.term(t, false));
        // `#cumulative` counts every instance.
        self.collapses = atom.kind == GlobalKind::Cumulative;
        atom.elements.iter().for_each(|e| self.literals(&e.condition));
        self.collapses = false;
    }

    fn theory(&mut self, atom: &TheoryAtom) {
        self.lists(&atom.args, false);
        for e in &atom.elements {
            e.tuple.iter().for_each(|t| self.theory_term(t));
            // Elements are counted by the values of all variables of their conditions.
            self.collapses = true;
            self.literals(&e.condition);
            self.collapses = false;
        }
        atom.guard.iter().for_each(|(_, t)| self.theory_term(t));
    }

    fn theory_term(&mut self, term: &TheoryTerm) {
        match &term.kind {
            TheoryTermKind::Variable(name) => self.variable(*name, term.span, false),
            TheoryTermKind::Symbol(_) | TheoryTermKind::Constant(_) => {}
            TheoryTermKind::Function(_, ts)
            | TheoryTermKind::Tuple(ts)
            | TheoryTermKind::List(ts)
            | TheoryTermKind::Set(ts) => ts.iter().for_each(|t| self.theory_term(t)),
            TheoryTermKind::Unparsed(parts) => parts.iter().for_each(|(_, t)| self.theory_term(t)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, wanted: &str) {
        assert_eq!(mend("t", text).0, wanted);
    }

    #[test]
    fn variables_that_occur_once() {
        check("a :- p(X,f(Y)), q(X).", "a :- p(X,f(_)), q(X).");
        check("{ a(X) : p(X,Y) }.", "{ a(X) : p(X,_) }.");
        check("a :- #count { X : p(X,Y) } > 1.", "a :- #count { X : p(X,_) } > 1.");
        check(":~ p(X,Y). [1,X]", ":~ p(X,_). [1,X]");
        check("#show a : p(X).", "#show a : p(_).");
        check("a :- p(X+1), not q(Y), r(_Z), X = Z.", "a :- p(X+1), not q(Y), r(_Z), X = Z.");
        check("a :- p(X;1).", "a :- p(X;1).");
        // The term that distinguishes the weights may be missing; with `_` the lint would be silent.
        for text in ["a :- #sum { W : p(I,W) } > 1.", "#minimize { W@2 : p(I,W) }.", ":~ p(I,W). [W]"] {
            check(text, text);
        }
        check("a :- #sum { W,I : p(I,J,W) } > 1.", "a :- #sum { W,I : p(I,_,W) } > 1.");
        check("a :- #max { W : p(I,W) } > 1.", "a :- #max { W : p(_,W) } > 1.");
        check("a :- { p(X) } > 1.", "a :- { p(X) } > 1.");
    }

    #[test]
    fn pairs_that_are_found_twice() {
        check(":- p(X), p(Y), X != Y.", ":- p(X), p(Y), X < Y.");
        check(":- p(X), p(Y), X <> Y.", ":- p(X), p(Y), X < Y.");
        check(":- p(X), p(Y), X %* ! *% != Y.", ":- p(X), p(Y), X %* ! *% != Y.");
        // The second is no longer symmetric once the first has been mended.
        check(":- p(X), p(Y), p(Z), X != Y, Y != Z, X != Z.", ":- p(X), p(Y), p(Z), X < Y, Y != Z, X != Z.");
    }
}
