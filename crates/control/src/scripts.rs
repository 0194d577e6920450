//! Scripts in programs: `#script (language) ... #end.`
//!
//! Invariant: a script runs once, in its place among the added texts, before any of them is grounded.

use super::Control;
use super::callbacks::Callbacks;
use asp_base::diagnostic::Diagnostic;
use asp_base::span::{Sources, Span};
use asp_syntax::ast;

/// A script of a program.
pub struct Script<'a> {
    /// As `#script (language)` names it.
    pub language: &'a str,
    /// Its code.
    pub code: &'a str,
    /// Its place.
    pub span: Span,
    /// The texts that [`span`](Self::span) points into.
    pub sources: &'a Sources,
}

/// Runs scripts. An error may have several lines; the last one says what went wrong.
pub(super) type Scripts = dyn FnMut(&Script<'_>) -> Result<(), String> + Send;

impl Control {
    /// Sets the interpreter of scripts. Without one, scripts are errors.
    ///
    /// ```
    /// let mut control = asp::Control::new();
    /// control.set_scripts(|script| {
    ///     assert_eq!((script.language, script.code), ("tiny", "x = 1"));
    ///     Err("the tiny language does nothing".into())
    /// });
    /// control.add("#script (tiny) x = 1 #end.");
    /// assert!(control.ground().unwrap_err().to_string().contains("does nothing"));
    /// ```
    pub fn set_scripts(&mut self, scripts: impl FnMut(&Script<'_>) -> Result<(), String> + Send + 'static) {
        self.callbacks.scripts = Some(Box::new(scripts));
    }

    /// Runs the scripts of a parsed program, and takes them out of it.
    pub(super) fn run_scripts(&mut self, parsed: &mut ast::Program) {
        let Self { callbacks: Callbacks { scripts: Some(scripts), .. }, symbols, texts, diagnostics, .. } =
            self
        else {
            return;
        };
        let sources = &texts.sources;
        parsed.statements.retain(|statement| {
            let ast::StatementKind::Script { language } = &statement.kind else { return true };
            let text = sources.text(statement.span);
            let script =
                Script { language: symbols.str(*language), code: code(text), span: statement.span, sources };
            if let Err(why) = scripts(&script) {
                diagnostics.push(Diagnostic::of_script(statement.span, &why));
            }
            false
        });
    }
}

/// The code of a script, without surrounding blanks.
fn code(statement: &str) -> &str {
    let inner = statement.split_once(')').map_or("", |(_, rest)| rest);
    let inner = inner.rsplit_once("#end").map_or(inner, |(code, _)| code);
    inner.trim_matches([' ', '\t', '\r'])
}
