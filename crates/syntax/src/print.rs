//! Syntax trees back to text.
//!
//! Invariant: the text parses to a tree that prints the same. Operators are printed with parentheses around them, bodies
//! with `;` between their elements, comparisons and guards with their relations.

use super::ast::*;
use asp_base::symbol::{StrId, Symbols, write_quoted};

/// The whole program, a statement a line: the facts, then everything else, then queries. Program parts without statements
/// are left out.
pub fn program(p: &Program, symbols: &Symbols) -> String {
    let mut w = Printer::new(symbols);
    // The part in force, as printed; `None` for `base`.
    let mut current: Option<String> = None;
    let mut enter = |w: &mut Printer<'_>, part: Option<String>| {
        if part != current {
            w.text(part.as_deref().unwrap_or("#program base."));
            w.text("\n");
            current = part;
        }
    };
    for fact in &p.facts {
        let name = symbols.str(fact.part);
        enter(&mut w, (name != "base").then(|| format!("#program {name}.")));
        symbols.write(fact.atom, &mut w.out);
        w.text(".\n");
    }
    let mut part = None;
    let (mut queries, mut rest) = (Vec::new(), Vec::new());
    for s in &p.statements {
        match &s.kind {
            StatementKind::Query(_) => queries.push(s),
            _ => rest.push(s),
        }
    }
    for s in rest.into_iter().chain(queries) {
        if matches!(s.kind, StatementKind::Part { .. }) {
            part = Some(statement(s, symbols)).filter(|text| text != "#program base.");
            continue;
        }
        enter(&mut w, part.clone());
        w.statement(s);
        w.text("\n");
    }
    w.out
}

/// One statement.
pub fn statement(s: &Statement, symbols: &Symbols) -> String {
    Printer::new(symbols).written(|w| w.statement(s))
}

/// One term.
pub fn term(t: &Term, symbols: &Symbols) -> String {
    Printer::new(symbols).written(|w| w.term(t))
}

/// One literal.
pub fn literal(l: &Literal, symbols: &Symbols) -> String {
    Printer::new(symbols).written(|w| w.literal(l))
}

/// One term as people write it: parentheses only where operators bind otherwise.
pub fn plain_term(t: &Term, symbols: &Symbols) -> String {
    Printer::plain(symbols).written(|w| w.term(t))
}

/// The same for a term beside an operator.
pub fn plain_operand(t: &Term, symbols: &Symbols) -> String {
    Printer::plain(symbols).written(|w| w.term_above(t, UNARY))
}

/// One literal with such terms.
pub fn plain_literal(l: &Literal, symbols: &Symbols) -> String {
    Printer::plain(symbols).written(|w| w.literal(l))
}

/// The level of a term that no binary operator joins.
const UNARY: u8 = 7;

/// How tightly an operator binds, as the grammar has it; 0 is for intervals.
fn level(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Xor => 1,
        BinaryOp::Or => 2,
        BinaryOp::And => 3,
        BinaryOp::Add | BinaryOp::Sub => 4,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => 5,
        BinaryOp::Pow => 6,
    }
}

struct Printer<'a> {
    symbols: &'a Symbols,
    out: String,
    /// Whether parentheses stand around every operation.
    is_full: bool,
}

impl<'a> Printer<'a> {
    fn new(symbols: &'a Symbols) -> Self {
        Self { symbols, out: String::new(), is_full: true }
    }
    fn plain(symbols: &'a Symbols) -> Self {
        Self { is_full: false, ..Self::new(symbols) }
    }
    fn written(mut self, write: impl FnOnce(&mut Self)) -> String {
        write(&mut self);
        self.out
    }

    fn text(&mut self, s: &str) {
        self.out.push_str(s);
    }
    fn name(&mut self, id: StrId) {
        self.out.push_str(self.symbols.str(id));
    }
    fn list<T>(&mut self, items: &[T], separator: &str, mut each: impl FnMut(&mut Self, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.text(separator);
            }
            each(self, item);
        }
    }

    // ---- terms ----

    fn terms(&mut self, ts: &[Term]) {
        self.list(ts, ",", Self::term);
    }
    fn arguments(&mut self, args: &[Vec<Term>]) {
        if args.len() == 1 && args[0].is_empty() {
            return;
        }
        self.text("(");
        self.list(args, ";", |w, ts| w.terms(ts));
        self.text(")");
    }
    fn term(&mut self, t: &Term) {
        self.term_above(t, 0);
    }
    /// A term, in parentheses if its operator binds less than a level.
    fn term_above(&mut self, t: &Term, least: u8) {
        let own = match &t.kind {
            TermKind::Interval(..) => 0,
            TermKind::Binary(op, ..) => level(*op),
            _ => UNARY,
        };
        let is_enclosed = own < UNARY && (self.is_full || own < least);
        if is_enclosed {
            self.text("(");
        }
        match &t.kind {
            TermKind::Symbol(s) => self.symbols.write(*s, &mut self.out),
            TermKind::Variable(name) => self.name(*name),
            TermKind::Anonymous => self.text("_"),
            TermKind::Unary(op, t) => {
                self.text(match op {
                    UnaryOp::Minus => "-",
                    UnaryOp::Complement => "~",
                });
                self.term_above(t, UNARY);
            }
            TermKind::Absolute(ts) => {
                self.text("|");
                self.list(ts, ";", Self::term);
                self.text("|");
            }
            TermKind::Binary(op, l, r) => {
                // Powers of powers are read from the right.
                let is_power = *op == BinaryOp::Pow;
                self.term_above(l, own + u8::from(is_power));
                self.text(op.as_str());
                self.term_above(r, own + u8::from(!is_power));
            }
            TermKind::Interval(l, r) => {
                self.term_above(l, 0);
                self.text("..");
                self.term_above(r, 1);
            }
            TermKind::Function { name, args, external } => {
                if *external {
                    self.text("@");
                }
                self.name(*name);
                self.arguments(args);
            }
            TermKind::Value { name, args } => {
                self.text("$");
                self.name(*name);
                self.arguments(args);
            }
            TermKind::Tuple(ts) => {
                self.text("(");
                self.terms(ts);
                self.text(if ts.len() == 1 { ",)" } else { ")" });
            }
            TermKind::Pool(ts) => {
                self.text("(");
                self.list(ts, ";", Self::term);
                self.text(")");
            }
        }
        if is_enclosed {
            self.text(")");
        }
    }

    // ---- literals ----

    fn sign(&mut self, sign: Sign) {
        self.text(match sign {
            Sign::None => "",
            Sign::Not => "not ",
            Sign::NotNot => "not not ",
        });
    }
    fn atom(&mut self, a: &Atom) {
        if a.negative {
            self.text("-");
        }
        self.name(a.name);
        self.arguments(&a.args);
    }
    fn literal(&mut self, l: &Literal) {
        self.sign(l.sign);
        match &l.kind {
            LiteralKind::Boolean(b) => self.text(if *b { "#true" } else { "#false" }),
            LiteralKind::Atom(a) => self.atom(a),
            LiteralKind::Comparison(t, rest) => {
                self.term(t);
                for (relation, t) in rest {
                    self.relation(*relation);
                    self.term(t);
                }
            }
        }
    }
    fn relation(&mut self, r: Relation) {
        self.text(" ");
        self.text(r.as_str());
        self.text(" ");
    }
    fn condition(&mut self, c: &[Literal]) {
        if !c.is_empty() {
            self.text(" : ");
            self.list(c, ", ", Self::literal);
        }
    }
    fn conditional(&mut self, c: &ConditionalLiteral) {
        self.literal(&c.literal);
        self.condition(&c.condition);
    }

    // ---- aggregates ----

    fn guarded(&mut self, guards: &Guards, inner: impl FnOnce(&mut Self)) {
        if let Some((t, relation)) = &guards.left {
            self.term(t);
            self.relation(*relation);
        }
        inner(self);
        if let Some((relation, t)) = &guards.right {
            self.relation(*relation);
            self.term(t);
        }
    }
    fn braces<T>(&mut self, items: &[T], each: impl FnMut(&mut Self, &T)) {
        if items.is_empty() {
            self.text("{ }");
            return;
        }
        self.text("{ ");
        self.list(items, "; ", each);
        self.text(" }");
    }
    fn body_aggregate_element(&mut self, e: &BodyAggregateElement) {
        self.terms(&e.tuple);
        if e.tuple.is_empty() && e.condition.is_empty() {
            self.text(":");
        }
        self.condition(&e.condition);
    }
    fn head_aggregate_element(&mut self, e: &HeadAggregateElement) {
        self.terms(&e.tuple);
        self.text(" : ");
        self.literal(&e.literal);
        self.condition(&e.condition);
    }

    fn global(&mut self, a: &GlobalAtom) {
        self.text(a.kind.as_str());
        self.text(" ");
        self.braces(&a.elements, |w, e| {
            w.weight(&e.term, &e.duration);
            if let Some(amount) = &e.amount {
                w.text(",");
                w.term(amount);
            }
            w.condition(&e.condition);
        });
        if let Some((relation, t)) = &a.bound {
            self.relation(*relation);
            self.term(t);
        }
    }

    // ---- theory atoms ----

    fn theory_terms(&mut self, open: &str, ts: &[TheoryTerm], close: &str) {
        self.text(open);
        self.list(ts, ",", Self::theory_term);
        self.text(close);
    }
    fn theory_term(&mut self, t: &TheoryTerm) {
        match &t.kind {
            TheoryTermKind::Symbol(s) => self.symbols.write(*s, &mut self.out),
            TheoryTermKind::Variable(name) | TheoryTermKind::Constant(name) => self.name(*name),
            TheoryTermKind::Function(name, args) => {
                self.name(*name);
                self.theory_terms("(", args, ")");
            }
            TheoryTermKind::Tuple(ts) => self.theory_terms("(", ts, if ts.len() == 1 { ",)" } else { ")" }),
            TheoryTermKind::List(ts) => self.theory_terms("[", ts, "]"),
            TheoryTermKind::Set(ts) => self.theory_terms("{", ts, "}"),
            TheoryTermKind::Unparsed(parts) => {
                for (i, (ops, t)) in parts.iter().enumerate() {
                    if i > 0 {
                        self.text(" ");
                    }
                    for &op in ops {
                        self.name(op);
                        self.text(" ");
                    }
                    let nested = matches!(t.kind, TheoryTermKind::Unparsed(_));
                    self.text(if nested { "(" } else { "" });
                    self.theory_term(t);
                    self.text(if nested { ")" } else { "" });
                }
            }
        }
    }
    fn theory_atom(&mut self, a: &TheoryAtom) {
        self.text("&");
        self.name(a.name);
        self.arguments(&a.args);
        self.text(" ");
        self.braces(&a.elements, |w, e| {
            w.list(&e.tuple, ",", Self::theory_term);
            if e.tuple.is_empty() && e.condition.is_empty() {
                w.text(":");
            }
            w.condition(&e.condition);
        });
        if let Some((op, t)) = &a.guard {
            self.text(" ");
            self.name(*op);
            self.text(" ");
            self.theory_term(t);
        }
    }
    fn theory_definition(&mut self, d: &TheoryDefinition) {
        self.text("#theory ");
        self.name(d.name);
        self.text(" { ");
        self.list(&d.terms, "; ", |w, t| {
            w.name(t.name);
            w.text(" ");
            w.braces(&t.operators, |w, o| {
                w.name(o.op);
                w.text(&format!(" : {}, ", o.priority));
                w.text(match o.fixity {
                    Fixity::Unary => "unary",
                    Fixity::Left => "binary, left",
                    Fixity::Right => "binary, right",
                });
            });
        });
        if !d.terms.is_empty() && !d.atoms.is_empty() {
            self.text("; ");
        }
        self.list(&d.atoms, "; ", |w, a| {
            w.text("&");
            w.name(a.name);
            w.text(&format!("/{} : ", a.arity));
            w.name(a.element);
            if let Some((ops, term)) = &a.guard {
                w.text(", { ");
                w.list(ops, ", ", |w, &op| w.name(op));
                w.text(" }, ");
                w.name(*term);
            }
            w.text(match a.kind {
                TheoryAtomKind::Head => ", head",
                TheoryAtomKind::Body => ", body",
                TheoryAtomKind::Any => ", any",
                TheoryAtomKind::Directive => ", directive",
            });
        });
        self.text(" }.");
    }

    // ---- rules ----

    fn head(&mut self, h: &Head) {
        match &h.kind {
            HeadKind::Literal(l) => self.literal(l),
            HeadKind::Disjunction(elements) => {
                self.list(elements, "; ", Self::conditional);
                if elements.len() == 1 && elements.iter().all(|e| e.condition.is_empty()) {
                    self.text(":");
                }
            }
            HeadKind::Choice { guards, elements } => {
                self.guarded(guards, |w| w.braces(elements, Self::conditional));
            }
            HeadKind::Aggregate { function, guards, elements } => self.guarded(guards, |w| {
                w.text(function.as_str());
                w.text(" ");
                w.braces(elements, Self::head_aggregate_element);
            }),
            HeadKind::Theory(atom) => self.theory_atom(atom),
            HeadKind::Global(atom) => self.global(atom),
        }
    }
    fn body(&mut self, body: &[BodyElement]) {
        self.list(body, "; ", |w, e| match &e.kind {
            BodyElementKind::Literal(l) => w.literal(l),
            BodyElementKind::Conditional(c) => {
                w.conditional(c);
                if c.condition.is_empty() {
                    w.text(":");
                }
            }
            BodyElementKind::Aggregate { sign, function, guards, elements } => {
                w.sign(*sign);
                w.guarded(guards, |w| {
                    w.text(function.as_str());
                    w.text(" ");
                    w.braces(elements, Self::body_aggregate_element);
                });
            }
            BodyElementKind::SetAggregate { sign, guards, elements } => {
                w.sign(*sign);
                w.guarded(guards, |w| w.braces(elements, Self::conditional));
            }
            BodyElementKind::Theory { sign, atom } => {
                w.sign(*sign);
                w.theory_atom(atom);
            }
            BodyElementKind::Global { sign, atom } => {
                w.sign(*sign);
                w.global(atom);
            }
        });
    }
    fn with_body(&mut self, arrow: &str, body: &[BodyElement]) {
        if !body.is_empty() {
            self.text(arrow);
            self.body(body);
        }
        self.text(".");
    }
    fn weight(&mut self, weight: &Term, priority: &Option<Term>) {
        self.term(weight);
        if let Some(p) = priority {
            self.text("@");
            self.term(p);
        }
    }
    fn signature(&mut self, directive: &str, s: &SignatureRef) {
        self.text(directive);
        if s.negative {
            self.text("-");
        }
        self.name(s.name);
        self.text(&format!("/{}.", s.arity));
    }

    // ---- statements ----

    fn statement(&mut self, s: &Statement) {
        match &s.kind {
            StatementKind::Rule { head, body } => {
                self.head(head);
                self.with_body(" :- ", body);
            }
            StatementKind::Minimize { weight, priority, tuple, body, maximize } => {
                self.text(if *maximize { "#maximize { " } else { ":~ " });
                if !*maximize {
                    self.body(body);
                    self.text(". [");
                }
                self.weight(weight, priority);
                for t in tuple {
                    self.text(",");
                    self.term(t);
                }
                if *maximize && !body.is_empty() {
                    self.text(" : ");
                    self.list(body, ", ", |w, e| {
                        if let BodyElementKind::Literal(l) = &e.kind {
                            w.literal(l);
                        }
                    });
                }
                self.text(if *maximize { " }." } else { "]" });
            }
            StatementKind::ShowNothing => self.text("#show."),
            StatementKind::ShowSignature(s) => self.signature("#show ", s),
            StatementKind::ShowTerm { term, body } => {
                self.text("#show ");
                self.term(term);
                self.with_body(" : ", body);
            }
            StatementKind::ProjectSignature(s) => self.signature("#project ", s),
            StatementKind::ProjectAtom { atom, body } => {
                self.text("#project ");
                self.atom(atom);
                self.with_body(" : ", body);
            }
            StatementKind::Defined(s) => self.signature("#defined ", s),
            StatementKind::External { atom, body, value } => {
                self.text("#external ");
                self.atom(atom);
                self.with_body(" : ", body);
                if let Some(value) = value {
                    self.text(" [");
                    self.term(value);
                    self.text("]");
                }
            }
            StatementKind::Heuristic { atom, body, weight, priority, modifier } => {
                self.text("#heuristic ");
                self.atom(atom);
                self.with_body(" : ", body);
                self.text(" [");
                self.weight(weight, priority);
                self.text(",");
                self.term(modifier);
                self.text("]");
            }
            StatementKind::Edge { pairs, body } => {
                self.text("#edge (");
                self.list(pairs, ";", |w, (u, v)| {
                    w.term(u);
                    w.text(",");
                    w.term(v);
                });
                self.text(")");
                self.with_body(" : ", body);
            }
            StatementKind::Const { name, value, is_override, .. } => {
                self.text("#const ");
                self.name(*name);
                self.text(" = ");
                self.term(value);
                self.text(if *is_override { ". [override]" } else { "." });
            }
            StatementKind::Part { name, params } => {
                self.text("#program ");
                self.name(*name);
                if !params.is_empty() {
                    self.text("(");
                    self.list(params, ",", |w, p| w.name(p.0));
                    self.text(")");
                }
                self.text(".");
            }
            StatementKind::Theory(d) => self.theory_definition(d),
            StatementKind::Script { language } => {
                self.text("#script (");
                self.name(*language);
                self.text(") #end.");
            }
            StatementKind::Include { path } => {
                self.text("#include ");
                write_quoted(path, &mut self.out);
                self.text(".");
            }
            StatementKind::IncludeBuiltin { name } => {
                self.text("#include <");
                self.name(*name);
                self.text(">.");
            }
            StatementKind::Query(atom) => {
                self.atom(atom);
                self.text("?");
            }
        }
    }
}
