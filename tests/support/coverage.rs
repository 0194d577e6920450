//! The constructs of a syntax tree by name, and the list of all.
//!
//! Every `match` here lists all variants, so that a new construct does not compile until it has a name.

use asp_syntax::ast::*;
use std::collections::BTreeSet;

/// Names of constructs.
pub type Seen = BTreeSet<String>;

const SIGNS: [Sign; 3] = [Sign::None, Sign::Not, Sign::NotNot];

/// All names that a corpus must have.
pub fn required() -> Seen {
    let mut all = Seen::new();
    let statements = "rule,minimize,maximize,show nothing,show signature,show negative signature,show term,\
         project signature,project atom,defined,external,external with value,heuristic,heuristic with priority,edge,\
         const,const override,part,part with parameters,theory,include builtin,priority,no priority";
    all.extend(statements.split(',').map(|s| s.trim().to_owned()));
    for f in AggregateFunction::ALL {
        for place in ["body", "head"] {
            for guards in ["no guard", "left guard", "right guard", "both guards"] {
                all.insert(format!("{place} {} with {guards}", f.as_str()));
            }
        }
        all.insert(format!("{} without elements", f.as_str()));
    }
    for sign in SIGNS {
        for what in ["aggregate", "set aggregate", "theory atom"] {
            if !(what == "theory atom" && sign == Sign::NotNot) {
                all.insert(format!("{what} under {sign:?}"));
            }
        }
        for place in ["body", "condition", "conditional", "head", "disjunct", "choice element", "set element"]
        {
            for what in ["atom", "comparison", "boolean"] {
                all.insert(format!("{place}: {what} under {sign:?}"));
            }
        }
    }
    for r in Relation::ALL {
        all.insert(format!("comparison {}", r.as_str()));
        all.insert(format!("left guard {}", r.as_str()));
        all.insert(format!("right guard {}", r.as_str()));
    }
    all.extend(BinaryOp::ALL.iter().map(|o| format!("operator {o:?}")));
    let rest = "operator Minus,operator Complement,number or string,variable,anonymous variable,absolute value,\
         absolute value pool,interval,function,function pool,constant,external function,empty tuple,unary tuple,tuple,\
         pool,chain,classical negation,atom pool,choice without bounds,choice with bounds,disjunction,\
         disjunct with condition,theory head,theory atom without elements,theory guard,theory condition,\
         theory symbol,theory variable,theory function,theory tuple,theory list,theory set,theory operators,\
         fixity Unary,fixity Left,fixity Right,kind Head,kind Body,kind Any,kind Directive";
    all.extend(rest.split(',').map(|s| s.trim().to_owned()));
    all
}

/// The constructs of a program.
pub struct Visitor {
    /// The constructs found.
    pub seen: Seen,
}

impl Visitor {
    fn mark(&mut self, name: impl Into<String>) {
        self.seen.insert(name.into());
    }

    /// Visits everything.
    pub fn program(&mut self, program: &Program) {
        program.statements.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Rule { head, body } => {
                self.mark("rule");
                self.head(head);
                self.body(body);
            }
            StatementKind::Minimize { weight, priority, tuple, body, maximize } => {
                self.mark(if *maximize { "maximize" } else { "minimize" });
                self.mark(if priority.is_some() { "priority" } else { "no priority" });
                self.term(weight);
                priority.iter().chain(tuple).for_each(|t| self.term(t));
                self.body(body);
            }
            StatementKind::ShowNothing => self.mark("show nothing"),
            StatementKind::ShowSignature(signature) => {
                self.mark(if signature.negative { "show negative signature" } else { "show signature" });
            }
            StatementKind::ShowTerm { term, body } => {
                self.mark("show term");
                self.term(term);
                self.body(body);
            }
            StatementKind::ProjectSignature(_) => self.mark("project signature"),
            StatementKind::ProjectAtom { atom, body } => {
                self.mark("project atom");
                self.atom(atom);
                self.body(body);
            }
            StatementKind::Defined(_) => self.mark("defined"),
            StatementKind::External { atom, body, value } => {
                self.mark(if value.is_some() { "external with value" } else { "external" });
                self.atom(atom);
                self.body(body);
            }
            StatementKind::Heuristic { atom, body, weight, priority, modifier } => {
                self.mark(if priority.is_some() { "heuristic with priority" } else { "heuristic" });
                self.atom(atom);
                self.body(body);
                [weight, modifier].into_iter().chain(priority).for_each(|t| self.term(t));
            }
            StatementKind::Edge { pairs, body } => {
                self.mark("edge");
                pairs.iter().for_each(|(u, v)| {
                    self.term(u);
                    self.term(v);
                });
                self.body(body);
            }
            StatementKind::Const { value, is_override, .. } => {
                self.mark(if *is_override { "const override" } else { "const" });
                self.term(value);
            }
            StatementKind::Part { params, .. } => {
                self.mark(if params.is_empty() { "part" } else { "part with parameters" });
            }
            StatementKind::Theory(definition) => {
                self.mark("theory");
                for operator in definition.terms.iter().flat_map(|t| &t.operators) {
                    self.mark(format!("fixity {:?}", operator.fixity));
                }
                definition.atoms.iter().for_each(|a| self.mark(format!("kind {:?}", a.kind)));
            }
            StatementKind::IncludeBuiltin { .. } => self.mark("include builtin"),
            // A script is rejected, an include is replaced by its contents, and clingo has no queries.
            StatementKind::Script { .. } | StatementKind::Include { .. } | StatementKind::Query(_) => {}
        }
    }

    fn head(&mut self, head: &Head) {
        match &head.kind {
            HeadKind::Literal(literal) => self.literal(literal, "head"),
            HeadKind::Disjunction(elements) => {
                self.mark("disjunction");
                for element in elements {
                    if !element.condition.is_empty() {
                        self.mark("disjunct with condition");
                    }
                    self.conditional(element, "disjunct");
                }
            }
            HeadKind::Choice { guards, elements } => {
                let bounds = guards.left.is_some() || guards.right.is_some();
                self.mark(if bounds { "choice with bounds" } else { "choice without bounds" });
                self.guards(guards);
                elements.iter().for_each(|e| self.conditional(e, "choice element"));
            }
            HeadKind::Aggregate { function, guards, elements } => {
                let guard = self.guards(guards);
                self.mark(format!("head {} with {guard}", function.as_str()));
                for element in elements {
                    element.tuple.iter().for_each(|t| self.term(t));
                    self.literal(&element.literal, "head aggregate element");
                    element.condition.iter().for_each(|l| self.literal(l, "condition"));
                }
            }
            HeadKind::Theory(atom) => {
                self.mark("theory head");
                self.theory_atom(atom);
            }
            HeadKind::Global(atom) => self.global(atom),
        }
    }

    fn body(&mut self, body: &[BodyElement]) {
        for element in body {
            match &element.kind {
                BodyElementKind::Literal(literal) => self.literal(literal, "body"),
                BodyElementKind::Conditional(literal) => self.conditional(literal, "conditional"),
                BodyElementKind::Aggregate { sign, function, guards, elements } => {
                    let guard = self.guards(guards);
                    self.mark(format!("body {} with {guard}", function.as_str()));
                    self.mark(format!("aggregate under {sign:?}"));
                    if elements.is_empty() {
                        self.mark(format!("{} without elements", function.as_str()));
                    }
                    for element in elements {
                        element.tuple.iter().for_each(|t| self.term(t));
                        element.condition.iter().for_each(|l| self.literal(l, "condition"));
                    }
                }
                BodyElementKind::SetAggregate { sign, guards, elements } => {
                    self.guards(guards);
                    self.mark(format!("set aggregate under {sign:?}"));
                    elements.iter().for_each(|e| self.conditional(e, "set element"));
                }
                BodyElementKind::Theory { sign, atom } => {
                    self.mark(format!("theory atom under {sign:?}"));
                    self.theory_atom(atom);
                }
                BodyElementKind::Global { atom, .. } => self.global(atom),
            }
        }
    }

    /// Not required: clingo, which the corpus is compared with, has neither these nor values.
    fn global(&mut self, atom: &GlobalAtom) {
        self.mark(atom.kind.as_str());
        atom.terms().for_each(|t| self.term(t));
        atom.elements.iter().flat_map(|e| &e.condition).for_each(|l| self.literal(l, "condition"));
    }

    fn guards(&mut self, guards: &Guards) -> &'static str {
        if let Some((term, relation)) = &guards.left {
            self.mark(format!("left guard {}", relation.as_str()));
            self.term(term);
        }
        if let Some((relation, term)) = &guards.right {
            self.mark(format!("right guard {}", relation.as_str()));
            self.term(term);
        }
        match (&guards.left, &guards.right) {
            (None, None) => "no guard",
            (Some(_), None) => "left guard",
            (None, Some(_)) => "right guard",
            (Some(_), Some(_)) => "both guards",
        }
    }

    fn conditional(&mut self, literal: &ConditionalLiteral, place: &str) {
        self.literal(&literal.literal, place);
        literal.condition.iter().for_each(|l| self.literal(l, "condition"));
    }

    fn literal(&mut self, literal: &Literal, place: &str) {
        let what = match &literal.kind {
            LiteralKind::Boolean(_) => "boolean",
            LiteralKind::Atom(atom) => {
                self.atom(atom);
                "atom"
            }
            LiteralKind::Comparison(first, rest) => {
                self.term(first);
                if rest.len() > 1 {
                    self.mark("chain");
                }
                for (relation, term) in rest {
                    self.mark(format!("comparison {}", relation.as_str()));
                    self.term(term);
                }
                "comparison"
            }
        };
        self.mark(format!("{place}: {what} under {:?}", literal.sign));
    }

    fn atom(&mut self, atom: &Atom) {
        if atom.negative {
            self.mark("classical negation");
        }
        if atom.args.len() > 1 {
            self.mark("atom pool");
        }
        atom.args.iter().flatten().for_each(|t| self.term(t));
    }

    fn term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Symbol(_) => self.mark("number or string"),
            TermKind::Variable(_) => self.mark("variable"),
            TermKind::Anonymous => self.mark("anonymous variable"),
            TermKind::Unary(op, t) => {
                self.mark(format!("operator {op:?}"));
                self.term(t);
            }
            TermKind::Absolute(terms) => {
                self.mark(if terms.len() > 1 { "absolute value pool" } else { "absolute value" });
                terms.iter().for_each(|t| self.term(t));
            }
            TermKind::Binary(op, s, t) => {
                self.mark(format!("operator {op:?}"));
                self.term(s);
                self.term(t);
            }
            TermKind::Interval(s, t) => {
                self.mark("interval");
                self.term(s);
                self.term(t);
            }
            TermKind::Function { args, external, .. } => {
                self.mark(match (external, args.len(), args.first().is_none_or(Vec::is_empty)) {
                    (true, _, _) => "external function",
                    (false, 2.., _) => "function pool",
                    (false, _, true) => "constant",
                    (false, _, false) => "function",
                });
                args.iter().flatten().for_each(|t| self.term(t));
            }
            TermKind::Value { args, .. } => {
                self.mark("value");
                args.iter().flatten().for_each(|t| self.term(t));
            }
            TermKind::Tuple(terms) => {
                self.mark(["empty tuple", "unary tuple", "tuple"][terms.len().min(2)]);
                terms.iter().for_each(|t| self.term(t));
            }
            TermKind::Pool(terms) => {
                self.mark("pool");
                terms.iter().for_each(|t| self.term(t));
            }
        }
    }

    fn theory_atom(&mut self, atom: &TheoryAtom) {
        atom.args.iter().flatten().for_each(|t| self.term(t));
        if atom.elements.is_empty() {
            self.mark("theory atom without elements");
        }
        for element in &atom.elements {
            element.tuple.iter().for_each(|t| self.theory_term(t));
            if !element.condition.is_empty() {
                self.mark("theory condition");
            }
            element.condition.iter().for_each(|l| self.literal(l, "condition"));
        }
        if let Some((_, term)) = &atom.guard {
            self.mark("theory guard");
            self.theory_term(term);
        }
    }

    fn theory_term(&mut self, term: &TheoryTerm) {
        match &term.kind {
            TheoryTermKind::Symbol(_) => self.mark("theory symbol"),
            TheoryTermKind::Variable(_) => self.mark("theory variable"),
            TheoryTermKind::Constant(_) => self.mark("theory function"),
            TheoryTermKind::Function(_, args) => {
                self.mark("theory function");
                args.iter().for_each(|t| self.theory_term(t));
            }
            TheoryTermKind::Tuple(terms) => {
                self.mark("theory tuple");
                terms.iter().for_each(|t| self.theory_term(t));
            }
            TheoryTermKind::List(terms) => {
                self.mark("theory list");
                terms.iter().for_each(|t| self.theory_term(t));
            }
            TheoryTermKind::Set(terms) => {
                self.mark("theory set");
                terms.iter().for_each(|t| self.theory_term(t));
            }
            TheoryTermKind::Unparsed(parts) => {
                self.mark("theory operators");
                parts.iter().for_each(|(_, t)| self.theory_term(t));
            }
        }
    }
}
