//! Nodes to text, as clingo prints them.
//!
//! Invariant: the text of a node depends only on its type and attributes, so any node can be printed in any place; what
//! remains to be printed is on a stack, so nothing recurses.

use std::fmt::Write as _;

use super::node::{Ast, Name, Node, Value};
use super::schema::{Attribute, Type};
use crate::error::Fail;
use crate::symbol::{Symbol, to_text};

/// What is to be printed.
enum Step {
    Ast(Ast),
    Text(&'static str),
    Number(i32),
    Symbol(Symbol),
}

/// The text of a node.
pub fn print(ast: &Ast) -> Result<String, Fail> {
    let mut printer = Printer { out: String::with_capacity(64), steps: Vec::with_capacity(64), begin: 0 };
    printer.node(ast)?;
    printer.steps.reverse();
    while let Some(step) = printer.steps.pop() {
        match step {
            Step::Ast(ast) => {
                printer.begin = printer.steps.len();
                printer.node(&ast)?;
                let begin = printer.begin;
                printer.steps[begin..].reverse();
            }
            step => step.write(&mut printer.out)?,
        }
    }
    Ok(printer.out)
}

impl Step {
    /// Writes what is no node.
    fn write(&self, out: &mut String) -> Result<(), Fail> {
        match self {
            Step::Text(text) => out.push_str(text),
            Step::Number(n) => {
                let _ = write!(out, "{n}");
            }
            Step::Symbol(symbol) => out.push_str(&to_text(*symbol)?),
            Step::Ast(_) => {}
        }
        Ok(())
    }
}

/// Values by index.
struct Values<'a>(&'a [Value]);

impl<'a> Values<'a> {
    fn number(&self, place: usize) -> i32 {
        if let Some(Value::Number(n)) = self.0.get(place) { *n } else { 0 }
    }
    fn text(&self, place: usize) -> Name {
        if let Some(Value::Text(text)) = self.0.get(place) { text } else { "" }
    }
    fn texts(&self, place: usize) -> &'a [Name] {
        if let Some(Value::Texts(texts)) = self.0.get(place) { texts } else { &[] }
    }
    /// The nodes of an attribute of any kind.
    fn asts(&self, place: usize) -> &'a [Ast] {
        self.0.get(place).map_or(&[], Value::children)
    }
}

/// Relations by number.
pub const RELATIONS: [&str; 6] = [">", "<", "<=", ">=", "!=", "="];
/// Binary operators by number.
pub const OPERATORS: [&str; 9] = ["^", "?", "&", "+", "-", "*", "/", "\\", "**"];
/// Functions of aggregates by number.
pub const FUNCTIONS: [&str; 5] = ["#count", "#sum", "#sum+", "#min", "#max"];

/// A word of a list by number; empty if the number is not in the list.
fn word(words: &[&'static str], number: i32) -> &'static str {
    usize::try_from(number).ok().and_then(|i| words.get(i).copied()).unwrap_or("")
}

struct Printer {
    /// The text so far.
    out: String,
    /// What follows; that of the node that is being processed in order of appearance, reversed afterwards.
    steps: Vec<Step>,
    /// Where the steps of that node begin.
    begin: usize,
}

impl Printer {
    fn text(&mut self, text: &'static str) {
        if self.steps.len() == self.begin {
            self.out.push_str(text);
        } else if !text.is_empty() {
            self.steps.push(Step::Text(text));
        }
    }
    fn asts(&mut self, asts: &[Ast]) {
        self.steps.extend(asts.iter().cloned().map(Step::Ast));
    }
    fn list(&mut self, asts: &[Ast], separator: &'static str) {
        for (i, ast) in asts.iter().enumerate() {
            if i > 0 {
                self.text(separator);
            }
            self.steps.push(Step::Ast(ast.clone()));
        }
    }
    fn texts(&mut self, texts: &[Name], separator: &'static str) {
        for (i, text) in texts.iter().enumerate() {
            if i > 0 {
                self.text(separator);
            }
            self.text(text);
        }
    }
    /// Something before a list, if there is one.
    fn after(&mut self, before: &'static str, asts: &[Ast], separator: &'static str) {
        if !asts.is_empty() {
            self.text(before);
            self.list(asts, separator);
        }
    }
    /// ` { a; b }`, without the blank before it.
    fn set(&mut self, elements: &[Ast]) {
        self.text("{ ");
        if !elements.is_empty() {
            self.list(elements, "; ");
            self.text(" ");
        }
        self.text("}");
    }
    /// Terms and their condition.
    fn element(&mut self, terms: &[Ast], condition: &[Ast]) {
        self.list(terms, ",");
        self.after(": ", condition, ", ");
    }
    fn signature(&mut self, word: &'static str, v: &Values<'_>) {
        self.text(word);
        self.text(if v.number(3) == 0 { " -" } else { " " });
        self.text(v.text(1));
        self.text("/");
        self.steps.push(Step::Number(v.number(2)));
        self.text(".");
    }
    /// A directive about an atom or term up to its body.
    fn directive(&mut self, word: &'static str, subject: &[Ast], body: &[Ast]) {
        self.text(word);
        self.asts(subject);
        self.after(" : ", body, "; ");
        self.text(".");
    }
    /// `term rel `
    fn left_guard(&mut self, guard: &[Ast]) -> Result<(), Fail> {
        for guard in guard {
            let term = guard.read(Attribute::Term, |v| v.children().first().cloned())?;
            let relation = guard.read(Attribute::Comparison, number)?;
            self.steps.push(Step::Ast(term));
            self.text(" ");
            self.text(word(&RELATIONS, relation));
            self.text(" ");
        }
        Ok(())
    }
    /// A tuple or function term without its name.
    fn arguments(&mut self, name: Name, arguments: &[Ast]) {
        if !name.is_empty() && arguments.is_empty() {
            return;
        }
        self.text("(");
        self.list(arguments, ",");
        self.text(if name.is_empty() && arguments.len() == 1 { ",)" } else { ")" });
    }
    /// `f(a;b)` for functions with one name, else `(a;b)`.
    fn pool(&mut self, pool: &[Ast]) {
        match pool {
            [] => return self.text("(1/0)()"),
            [one] => return self.steps.push(Step::Ast(one.clone())),
            _ => {}
        }
        let parts: Option<Vec<_>> = pool.iter().map(function).collect();
        let same =
            parts.filter(|p| p.iter().all(|(name, external, _)| (*name, *external) == (p[0].0, p[0].1)));
        match same {
            Some(parts) => {
                self.text(if parts[0].1 { "@" } else { "" });
                self.text(parts[0].0);
                self.text("(");
                for (i, (name, _, arguments)) in parts.iter().enumerate() {
                    self.text(if i > 0 { ";" } else { "" });
                    self.list(arguments, ",");
                    self.text(if name.is_empty() && arguments.len() == 1 { "," } else { "" });
                }
                self.text(")");
            }
            None => {
                self.text("(");
                self.list(pool, ";");
                self.text(")");
            }
        }
    }
    /// The definition of a theory term, indented.
    fn theory_term(&mut self, term: &Ast) -> Result<(), Fail> {
        self.text("  ");
        self.text(term.read(Attribute::Name, |v| if let Value::Text(t) = v { Some(*t) } else { None })?);
        self.text(" {\n    ");
        let operators = term.read(Attribute::Operators, |v| Some(v.children().to_vec()))?;
        self.list(&operators, ";\n    ");
        self.text("\n  }");
        Ok(())
    }

    fn node(&mut self, ast: &Ast) -> Result<(), Fail> {
        let body = ast.body();
        let v = Values(&body.values);
        match ast.kind {
            Type::Id | Type::Variable | Type::Comment => self.text(v.text(1)),
            Type::SymbolicTerm => {
                if let Some(Value::Symbol(symbol)) = body.values.get(1) {
                    self.steps.push(Step::Symbol(*symbol));
                }
            }
            Type::UnaryOperation => {
                self.text(word(&["-", "~", "|"], v.number(1)));
                self.asts(v.asts(2));
                self.text(word(&["", "", "|"], v.number(1)));
            }
            Type::BinaryOperation => {
                self.text("(");
                self.asts(v.asts(2));
                self.text(word(&OPERATORS, v.number(1)));
                self.asts(v.asts(3));
                self.text(")");
            }
            Type::Interval => {
                self.text("(");
                self.asts(v.asts(1));
                self.text("..");
                self.asts(v.asts(2));
                self.text(")");
            }
            Type::Function => {
                self.text(if v.number(3) != 0 { "@" } else { "" });
                self.text(v.text(1));
                self.arguments(v.text(1), v.asts(2));
            }
            Type::Pool => {
                let pool = v.asts(1).to_vec();
                drop(body);
                self.pool(&pool);
            }
            Type::BooleanConstant => self.text(if v.number(0) != 0 { "#true" } else { "#false" }),
            Type::SymbolicAtom => self.asts(v.asts(0)),
            Type::Comparison => {
                self.asts(v.asts(0));
                self.asts(v.asts(1));
            }
            Type::Guard => {
                self.text(" ");
                self.text(word(&RELATIONS, v.number(0)));
                self.text(" ");
                self.asts(v.asts(1));
            }
            Type::ConditionalLiteral => self.element(v.asts(1), v.asts(2)),
            Type::Aggregate => {
                let (left, elements, right) = (v.asts(1).to_vec(), v.asts(2).to_vec(), v.asts(3).to_vec());
                drop(body);
                self.left_guard(&left)?;
                self.set(&elements);
                self.asts(&right);
            }
            Type::BodyAggregate | Type::HeadAggregate => {
                let (left, elements, right) = (v.asts(1).to_vec(), v.asts(3).to_vec(), v.asts(4).to_vec());
                let function = word(&FUNCTIONS, v.number(2));
                drop(body);
                self.left_guard(&left)?;
                self.text(function);
                self.text(" ");
                self.set(&elements);
                self.asts(&right);
            }
            Type::BodyAggregateElement | Type::TheoryAtomElement => self.element(v.asts(0), v.asts(1)),
            Type::HeadAggregateElement => {
                self.list(v.asts(0), ",");
                self.text(": ");
                self.asts(v.asts(1));
            }
            Type::Disjunction => self.list(v.asts(1), "; "),
            Type::TheorySequence => {
                let (kind, terms) = (v.number(1), v.asts(2));
                self.text(word(&["(", "{", "["], kind));
                self.list(terms, ",");
                self.text(if kind == 0 && terms.len() == 1 { "," } else { "" });
                self.text(word(&[")", "}", "]"], kind));
            }
            Type::TheoryFunction => {
                self.text(v.text(1));
                if !v.asts(2).is_empty() {
                    self.text("(");
                    self.list(v.asts(2), ",");
                    self.text(")");
                }
            }
            Type::TheoryUnparsedTermElement => {
                for operator in v.texts(0) {
                    self.text(operator);
                    self.text(" ");
                }
                self.asts(v.asts(1));
            }
            Type::TheoryUnparsedTerm => {
                let elements = v.asts(1).to_vec();
                drop(body);
                let bare = match &elements[..] {
                    [one] => one.read(Attribute::Operators, is_empty)?,
                    _ => false,
                };
                self.text(if bare { "" } else { "(" });
                self.list(&elements, " ");
                self.text(if bare { "" } else { ")" });
            }
            Type::TheoryGuard => {
                self.text(v.text(0));
                self.text(" ");
                self.asts(v.asts(1));
            }
            Type::TheoryAtom => {
                self.text("&");
                self.asts(v.asts(1));
                self.text(" ");
                self.set(v.asts(2));
                self.after(" ", v.asts(3), "");
            }
            Type::Literal => {
                self.text(word(&["", "not ", "not not "], v.number(1)));
                self.asts(v.asts(2));
            }
            Type::TheoryOperatorDefinition => {
                self.text(v.text(1));
                self.text(" : ");
                self.steps.push(Step::Number(v.number(2)));
                self.text(", ");
                self.text(word(&["unary", "binary, left", "binary, right"], v.number(3)));
            }
            Type::TheoryTermDefinition => {
                self.text(v.text(1));
                self.text(" {\n  ");
                self.list(v.asts(2), ";\n");
                self.text("\n}");
            }
            Type::TheoryGuardDefinition => {
                self.text("{ ");
                self.texts(v.texts(0), ", ");
                self.text(if v.texts(0).is_empty() { "}, " } else { " }, " });
                self.text(v.text(1));
            }
            Type::TheoryAtomDefinition => {
                self.text("&");
                self.text(v.text(2));
                self.text("/");
                self.steps.push(Step::Number(v.number(3)));
                self.text(": ");
                self.text(v.text(4));
                self.after(", ", v.asts(5), "");
                self.text(", ");
                self.text(word(&["head", "body", "any", "directive"], v.number(1)));
            }
            Type::Rule => {
                self.asts(v.asts(1));
                self.after(" :- ", v.asts(2), "; ");
                self.text(".");
            }
            Type::Definition => {
                self.text("#const ");
                self.text(v.text(1));
                self.text(" = ");
                self.asts(v.asts(2));
                self.text(if v.number(3) == 0 { ". [override]" } else { "." });
            }
            Type::ShowSignature if v.text(1).is_empty() => self.text("#show."),
            Type::ShowSignature => self.signature("#show", &v),
            Type::ProjectSignature => self.signature("#project", &v),
            Type::Defined => self.signature("#defined", &v),
            Type::ShowTerm => self.directive("#show ", v.asts(1), v.asts(2)),
            Type::ProjectAtom => self.directive("#project ", v.asts(1), v.asts(2)),
            Type::Minimize => {
                self.text(":~ ");
                self.list(v.asts(4), "; ");
                self.text(". [");
                self.asts(v.asts(1));
                self.text("@");
                self.asts(v.asts(2));
                self.after(",", v.asts(3), ",");
                self.text("]");
            }
            Type::Script => {
                self.text("#script (");
                self.text(v.text(1));
                self.text(")");
                self.text(v.text(2));
                self.text("#end.");
            }
            Type::Program => {
                self.text("#program ");
                self.text(v.text(1));
                self.after("(", v.asts(2), ", ");
                self.text(if v.asts(2).is_empty() { "." } else { ")." });
            }
            Type::External => {
                self.directive("#external ", v.asts(1), v.asts(2));
                self.text(" [");
                self.asts(v.asts(3));
                self.text("]");
            }
            Type::Edge => {
                self.text("#edge (");
                self.asts(v.asts(1));
                self.text(",");
                self.asts(v.asts(2));
                self.text(")");
                self.after(" : ", v.asts(3), "; ");
                self.text(".");
            }
            Type::Heuristic => {
                self.directive("#heuristic ", v.asts(1), v.asts(2));
                self.text(" [");
                self.asts(v.asts(3));
                self.text("@");
                self.asts(v.asts(4));
                self.text(",");
                self.asts(v.asts(5));
                self.text("]");
            }
            Type::TheoryDefinition => {
                let (name, terms, atoms) = (v.text(1), v.asts(2).to_vec(), v.asts(3).to_vec());
                drop(body);
                self.text("#theory ");
                self.text(name);
                self.text(" {\n");
                for (i, term) in terms.iter().enumerate() {
                    self.text(if i > 0 { ";\n" } else { "" });
                    self.theory_term(term)?;
                }
                for (i, atom) in atoms.iter().enumerate() {
                    self.text(if i + terms.len() > 0 { ";\n  " } else { "  " });
                    self.steps.push(Step::Ast(atom.clone()));
                }
                self.text(if terms.is_empty() && atoms.is_empty() { "}." } else { "\n}." });
            }
        }
        Ok(())
    }
}

/// An integer value.
pub fn number(value: &Value) -> Option<i32> {
    if let Value::Number(n) = value { Some(*n) } else { None }
}

/// Whether a list is empty.
fn is_empty(value: &Value) -> Option<bool> {
    match value {
        Value::Texts(texts) => Some(texts.is_empty()),
        Value::Asts(asts) => Some(asts.is_empty()),
        _ => None,
    }
}

/// A function's name, whether it is external, and its arguments.
fn function(ast: &Ast) -> Option<(Name, bool, Vec<Ast>)> {
    let node: &Node = ast;
    if node.kind != Type::Function {
        return None;
    }
    let body = node.body();
    let v = Values(&body.values);
    Some((v.text(1), v.number(3) != 0, v.asts(2).to_vec()))
}
