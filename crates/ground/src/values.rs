//! Functions whose values are integers instead of atoms.
//!
//! Invariant: only a program that is grounded once and alone has them.

use super::{GroundOptions, Grounder};
use asp_base::symbol::{StrId, Symbols};
use asp_program::integers::functions::Functions;
use asp_program::journal::Rewritten;
use asp_rewrite::constants;
use asp_rewrite::expand::Changed;
use asp_rewrite::improve::Rewriting;
use asp_syntax::ast;

/// Functions in a `#distinct` become integers only if they have this many times more values.
const MORE_IF_DISTINCT: u64 = 10;

impl Grounder {
    /// Keeps functions with integer values in a program that is grounded once and alone, if there are any.
    pub(super) fn keep_values(
        &mut self,
        program: &ast::Program,
        symbols: &mut Symbols,
    ) -> Option<ast::Program> {
        let options = &self.options;
        let (values, wanted) = (options.values, options.rewritings.has(Rewriting::Values));
        let is_whole =
            self.texts.parts.is_empty() && !program.unread.texts && program.unread.names.is_empty();
        // Rewriting values would change which external atoms have rules.
        let has_externals =
            program.statements.iter().any(|s| matches!(s.kind, ast::StatementKind::External { .. }));
        if !wanted || !is_whole || options.review || options.open_rules || has_externals {
            return None;
        }
        let values = values?;
        let constants = constants::evaluate(program, &[], symbols, &mut Vec::new());
        let kept = self.texts.expander.keep(program, &constants, values, symbols)?;
        self.texts.kept = Functions {
            names: kept.names,
            least: values,
            least_of_distinct: (values - 1) * MORE_IF_DISTINCT,
        };
        if options.explain {
            let entry = |c: Changed| Rewritten {
                name: Rewriting::Values.name().to_string(),
                span: c.span,
                was: c.was,
                became: c.became,
                instances: None,
                expected: None,
            };
            self.recorder.journal.rewritten.extend(kept.changed.into_iter().map(entry));
        }
        Some(kept.program)
    }

    /// Whether the values of some functions are integers.
    pub fn keeps_values(&self) -> bool {
        !self.texts.kept.is_empty()
    }

    /// Whether the program reads values of a predicate, as `$p(X)`.
    pub fn is_function(&self, name: StrId, arity: usize) -> bool {
        self.texts.expander.is_function(name, arity)
    }

    pub fn options(&self) -> &GroundOptions {
        &self.options
    }
}
