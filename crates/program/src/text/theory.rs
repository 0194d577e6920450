//! Theory atoms as text: operators in infix and in parentheses, as gringo prints them.

use std::fmt::Write as _;

use super::line::Text;
use crate::Program;
use crate::ground_program::{TheoryAtom, TheoryTerm, TheoryTermId};
use asp_base::symbol::Symbols;

/// The text of a theory term.
pub fn theory_term(program: &Program, symbols: &Symbols, term: TheoryTermId) -> String {
    let mut nowhere = std::io::sink();
    let mut text = Text::plain(program, symbols, &mut nowhere);
    text.theory_term(term);
    text.line
}

/// The text of a theory atom.
pub fn theory_atom(program: &Program, symbols: &Symbols, atom: &TheoryAtom) -> String {
    let mut nowhere = std::io::sink();
    let mut text = Text::plain(program, symbols, &mut nowhere);
    text.theory_atom(atom);
    text.line
}

impl Text<'_> {
    pub(super) fn theory_atom(&mut self, atom: &TheoryAtom) {
        let program = self.program;
        self.line.push('&');
        self.theory_term(atom.term);
        self.line.push('{');
        for (i, &id) in atom.elements.iter().enumerate() {
            self.line.push_str(if i > 0 { "; " } else { "" });
            let element = &program.theory.elements[id.0 as usize];
            for (i, &term) in element.terms.iter().enumerate() {
                self.line.push_str(if i > 0 { "," } else { "" });
                self.theory_term(term);
            }
            let condition = program.literals(element.condition);
            if !condition.is_empty() || element.terms.is_empty() {
                self.line.push_str(": ");
                self.literals(condition);
            }
        }
        self.line.push('}');
        if let Some((operator, term)) = atom.guard {
            self.theory_term(operator);
            self.line.push('(');
            self.theory_term(term);
            self.line.push(')');
        }
    }

    /// Appends a theory term, with an explicit stack since terms may be deep.
    fn theory_term(&mut self, term: TheoryTermId) {
        enum Step {
            Term(TheoryTermId),
            Operator(TheoryTermId),
            Text(&'static str),
        }
        let theory = &self.program.theory;
        let mut todo = vec![Step::Term(term)];
        while let Some(step) = todo.pop() {
            let id = match step {
                Step::Text(text) => {
                    self.line.push_str(text);
                    continue;
                }
                Step::Operator(id) => {
                    // An operator that is a word needs spaces.
                    if let TheoryTerm::Symbol(name) = theory.terms[id.0 as usize] {
                        let name = self.symbols.str(name);
                        let word = name == "not";
                        let before = word && !self.line.ends_with('(');
                        self.line.push_str(if before { " " } else { "" });
                        self.line.push_str(name);
                        self.line.push_str(if word { " " } else { "" });
                    }
                    continue;
                }
                Step::Term(id) => id,
            };
            let (open, close, args) = match &theory.terms[id.0 as usize] {
                TheoryTerm::Number(n) => {
                    let _ = if *n < 0 { write!(self.line, "({n})") } else { write!(self.line, "{n}") };
                    continue;
                }
                TheoryTerm::Symbol(name) => {
                    self.line.push_str(self.symbols.str(*name));
                    continue;
                }
                TheoryTerm::Function(name, args) => {
                    if self.is_operator(*name) && (1..=2).contains(&args.len()) {
                        self.line.push('(');
                        todo.push(Step::Text(")"));
                        if let [left, right] = args[..] {
                            todo.extend([Step::Term(right), Step::Operator(*name), Step::Term(left)]);
                        } else {
                            todo.extend([Step::Term(args[0]), Step::Operator(*name)]);
                        }
                        continue;
                    }
                    todo.push(Step::Text(")"));
                    for (i, &arg) in args.iter().enumerate().rev() {
                        todo.push(Step::Term(arg));
                        todo.push(Step::Text(if i > 0 { "," } else { "(" }));
                    }
                    if args.is_empty() {
                        todo.push(Step::Text("("));
                    }
                    todo.push(Step::Term(*name));
                    continue;
                }
                TheoryTerm::Tuple(args) => ("(", if args.len() == 1 { ",)" } else { ")" }, args),
                TheoryTerm::List(args) => ("[", "]", args),
                TheoryTerm::Set(args) => ("{", "}", args),
            };
            self.line.push_str(open);
            todo.push(Step::Text(close));
            for (i, &arg) in args.iter().enumerate().rev() {
                todo.push(Step::Term(arg));
                todo.push(Step::Text(if i > 0 { "," } else { "" }));
            }
        }
    }

    fn is_operator(&self, name: TheoryTermId) -> bool {
        let TheoryTerm::Symbol(name) = self.program.theory.terms[name.0 as usize] else { return false };
        let name = self.symbols.str(name);
        name == "not"
            || !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '"' || c == '\'')
    }
}
