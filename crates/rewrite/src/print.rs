//! Rules as text, with the names that variables had in the program.
//!
//! Auxiliary predicates are written `#N/arity` as `#N(X,Y)`, variables without a name `_N`: neither can be read back.

use std::fmt::Write as _;

use super::predicate::Predicates;
use super::rule::{
    Aggregate, Atom, Conditional, Head, HeadElement, HeadLiteral, Literal, Rule, Term, TheoryAtom,
    TheoryTerm, Var,
};
use asp_base::symbol::Symbols;
use asp_syntax::ast::{AggregateFunction, Relation, Sign, UnaryOp};

/// One rule.
pub fn rule(rule: &Rule, predicates: &Predicates, symbols: &Symbols) -> String {
    Printer::new(rule, predicates, symbols).rule(rule)
}

/// Writes parts of one rule.
pub struct Printer<'a> {
    rule: &'a Rule,
    predicates: &'a Predicates,
    symbols: &'a Symbols,
}

impl<'a> Printer<'a> {
    /// For one rule.
    pub fn new(rule: &'a Rule, predicates: &'a Predicates, symbols: &'a Symbols) -> Self {
        Self { rule, predicates, symbols }
    }

    fn rule(&self, rule: &Rule) -> String {
        let head = self.head(&rule.head);
        let body = self.list(&rule.body, ", ", |l| self.literal(l));
        match (head.is_empty(), body.is_empty()) {
            (false, true) => format!("{head}."),
            (true, _) => format!(":- {body}."),
            _ => format!("{head} :- {body}."),
        }
    }

    fn list<T>(&self, items: &[T], separator: &str, each: impl Fn(&T) -> String) -> String {
        items.iter().map(each).collect::<Vec<_>>().join(separator)
    }

    fn terms(&self, ts: &[Term]) -> String {
        self.list(ts, ",", |t| self.term(t))
    }

    /// A variable's name.
    pub(crate) fn var(&self, v: Var) -> String {
        match self.rule.vars.get(v.0 as usize).and_then(|v| v.name) {
            Some(name) => self.symbols.str(name).to_string(),
            None => format!("_{}", v.0),
        }
    }

    /// The text of a term, with parentheses where they are needed.
    pub fn term(&self, t: &Term) -> String {
        match t {
            Term::Sym(s) => self.symbols.display(*s),
            Term::Var(v) => self.var(*v),
            Term::Fun(name, negative, args) => {
                let sign = if *negative { "-" } else { "" };
                format!("{sign}{}({})", self.symbols.str(*name), self.terms(args))
            }
            Term::Tuple(args) if args.len() == 1 => format!("({},)", self.terms(args)),
            Term::Tuple(args) => format!("({})", self.terms(args)),
            Term::Unary(UnaryOp::Minus, a, _) => format!("-{}", self.operand(a)),
            Term::Unary(UnaryOp::Complement, a, _) => format!("~{}", self.operand(a)),
            Term::Absolute(a, _) => format!("|{}|", self.term(a)),
            Term::Binary(op, a, b, _) => {
                let sign = op.as_str();
                format!("{}{sign}{}", self.operand(a), self.operand(b))
            }
            Term::Linear { coefficient, var, offset, .. } => {
                let mut out = match coefficient {
                    1 => String::new(),
                    -1 => "-".to_string(),
                    c => format!("{c}*"),
                };
                out.push_str(&self.var(*var));
                if *offset != 0 {
                    let _ = write!(out, "{offset:+}");
                }
                out
            }
            Term::Negated(v, _) => format!("-{}", self.var(*v)),
            Term::External(name, args, _) => {
                format!("@{}({})", self.symbols.str(*name), self.terms(args))
            }
        }
    }

    fn operand(&self, t: &Term) -> String {
        match t {
            Term::Binary(..) | Term::Unary(..) | Term::Negated(..) => format!("({})", self.term(t)),
            Term::Linear { coefficient, offset, .. } if (*coefficient, *offset) != (1, 0) => {
                format!("({})", self.term(t))
            }
            t => self.term(t),
        }
    }

    fn atom(&self, a: &Atom) -> String {
        let p = &self.predicates[a.pred];
        let sign = if p.signature.negative { "-" } else { "" };
        let name = if p.auxiliary {
            format!("#{}", a.pred.0)
        } else {
            self.symbols.str(p.signature.name).to_string()
        };
        let args = if a.args.is_empty() { String::new() } else { format!("({})", self.terms(&a.args)) };
        format!("{sign}{name}{args}")
    }

    /// A body literal.
    pub fn literal(&self, l: &Literal) -> String {
        match l {
            Literal::Atom(sign, a) => format!("{}{}", negation(*sign), self.atom(a)),
            Literal::Compare(r, s, t, _) => {
                format!("{} {} {}", self.term(s), r.as_str(), self.term(t))
            }
            Literal::Range(t, call @ Term::External(..), ..) => {
                format!("{} = {}", self.term(t), self.operand(call))
            }
            Literal::Range(t, lo, hi, _) => {
                format!("{} = {}..{}", self.term(t), self.operand(lo), self.operand(hi))
            }
            Literal::False(_) => "#false".to_string(),
            Literal::Aggregate(a) => self.aggregate(a),
            Literal::Conditional(c) => self.conditional(c),
            Literal::Theory(sign, a) => format!("{}{}", negation(*sign), self.theory(a)),
        }
    }

    fn condition(&self, ls: &[Literal]) -> String {
        if ls.is_empty() { String::new() } else { format!(" : {}", self.list(ls, ", ", |l| self.literal(l))) }
    }

    fn guards(&self, guards: &[(Relation, Term)]) -> String {
        guards.iter().map(|(r, t)| format!(" {} {}", r.as_str(), self.term(t))).collect()
    }

    fn aggregate(&self, a: &Aggregate) -> String {
        let elements = self
            .list(&a.elements, "; ", |e| format!("{}{}", self.terms(&e.tuple), self.condition(&e.condition)));
        format!("{}{} {{ {elements} }}{}", negation(a.sign), function(a.function), self.guards(&a.guards))
    }

    fn conditional(&self, c: &Conditional) -> String {
        let head = self.list(&c.heads, " | ", |h| self.list(h, ", ", |l| self.literal(l)));
        format!("({head}{})", self.condition(&c.condition))
    }

    fn theory(&self, a: &TheoryAtom) -> String {
        format!("&{}({}) {{ ... }}", self.symbols.str(a.name), self.theory_terms(&a.args))
    }

    /// Theory terms with their operators in front: `+(X,1)`.
    fn theory_terms(&self, ts: &[TheoryTerm]) -> String {
        self.list(ts, ",", |t| match t {
            TheoryTerm::Plain(t) => self.term(t),
            TheoryTerm::Function(name, ts) => {
                format!("{}({})", self.symbols.str(*name), self.theory_terms(ts))
            }
            TheoryTerm::Tuple(ts) => format!("({})", self.theory_terms(ts)),
            TheoryTerm::List(ts) => format!("[{}]", self.theory_terms(ts)),
            TheoryTerm::Set(ts) => format!("{{{}}}", self.theory_terms(ts)),
        })
    }

    fn element(&self, e: &HeadElement) -> String {
        let literal = match &e.literal {
            HeadLiteral::Atom(a) => self.atom(a),
            HeadLiteral::Other(ls) => self.list(ls, " | ", |l| self.list(l, ", ", |l| self.literal(l))),
        };
        format!("{literal}{}", self.condition(&e.condition))
    }

    fn head(&self, head: &Head) -> String {
        let directive = |name: &str, rest: String| format!("#{name} {rest}");
        match head {
            Head::Constraint => String::new(),
            Head::Atom(a) => self.atom(a),
            Head::Disjunction(es) => self.list(es, " | ", |e| self.element(e)),
            Head::Aggregate { function: f, set, guards, elements } => {
                let elements = self.list(elements, "; ", |e| match set {
                    true => self.element(e),
                    false => format!("{} : {}", self.terms(&e.tuple), self.element(e)),
                });
                let function = if *set { "" } else { function(*f) };
                format!("{function}{{ {elements} }}{}", self.guards(guards))
            }
            Head::Theory(a) => self.theory(a),
            Head::Minimize { weight, priority, tuple } => {
                let tuple: String = tuple.iter().map(|t| format!(",{}", self.term(t))).collect();
                directive("minimize", format!("{}@{}{tuple}", self.term(weight), self.term(priority)))
            }
            Head::Show(t) => directive("show", self.term(t)),
            Head::Project(a) => directive("project", self.atom(a)),
            Head::External(a, t) => directive("external", format!("{} = {}", self.atom(a), self.term(t))),
            Head::Heuristic { atom, .. } => directive("heuristic", self.atom(atom)),
            Head::Edge(u, v) => directive("edge", format!("({},{})", self.term(u), self.term(v))),
        }
    }
}

fn negation(sign: Sign) -> &'static str {
    match sign {
        Sign::None => "",
        Sign::Not => "not ",
        Sign::NotNot => "not not ",
    }
}

fn function(f: AggregateFunction) -> &'static str {
    match f {
        AggregateFunction::Count => "#count",
        AggregateFunction::Sum => "#sum",
        AggregateFunction::SumPlus => "#sum+",
        AggregateFunction::Min => "#min",
        AggregateFunction::Max => "#max",
    }
}
