//! Symbols as text, and text as symbols.
//!
//! Invariant: nothing recurses, however deep a term is.

use std::fmt::Write as _;

use super::{Symbol, SymbolKind};
use crate::error::Fail;
use crate::map::SymbolMap;

/// The text of a symbol, as clingo prints it.
pub fn to_text(symbol: Symbol) -> Result<String, Fail> {
    enum Step {
        Symbol(Symbol),
        Text(&'static str),
    }
    let mut out = String::new();
    let mut todo = vec![Step::Symbol(symbol)];
    while let Some(step) = todo.pop() {
        let symbol = match step {
            Step::Text(text) => {
                out.push_str(text);
                continue;
            }
            Step::Symbol(symbol) => symbol,
        };
        match symbol.kind()? {
            SymbolKind::Infimum => out.push_str("#inf"),
            SymbolKind::Supremum => out.push_str("#sup"),
            SymbolKind::Number(n) => {
                let _ = write!(out, "{n}");
            }
            SymbolKind::String(text) => asp::symbol::write_quoted(text, &mut out),
            SymbolKind::Function { name, arguments, negative } => {
                if negative {
                    out.push('-');
                }
                out.push_str(name);
                if arguments.is_empty() && !name.is_empty() {
                    continue;
                }
                out.push('(');
                todo.push(Step::Text(if arguments.len() == 1 && name.is_empty() { ",)" } else { ")" }));
                for (i, &argument) in arguments.iter().enumerate().rev() {
                    todo.push(Step::Symbol(argument));
                    if i > 0 {
                        todo.push(Step::Text(","));
                    }
                }
            }
        }
    }
    Ok(out)
}

/// The symbol for a text: a term without variables, whose arithmetic is evaluated. Only the error says what is wrong.
pub fn parse(text: &str) -> Result<Symbol, Fail> {
    let mut control = asp::Control::new();
    let term = control.evaluate_term(text);
    let term = term.map_err(|error| match &error {
        asp::Error::Parse(report) => {
            let why = report.diagnostics().first().map_or("", |d| &d.message);
            Fail::runtime(format!("parsing failed: `{text}`: {why}"))
        }
        _ => error.into(),
    })?;
    SymbolMap::default().symbol(control.symbols(), term)
}
