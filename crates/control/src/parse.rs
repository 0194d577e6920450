//! Texts to rules: what was added since the last time, including what incremental programs and queries imply.

use super::{Control, Error, Source, ground_input};
use asp_base::diagnostic::{Diagnostic, Severity, WarningKind};
use asp_base::span::Span;
use asp_base::symbol::{StrId, SymView};
use asp_ground::{GroundOptions, Grounder};
use asp_integers::Compiler;
use asp_program::Program;
use asp_rewrite::symmetry::symmetric_inequality;
use asp_solve::EnumMode;
use asp_syntax::{self as syntax, ast};

/// The lint for names in data that a constant replaces.
const CONSTANT_IN_DATA: WarningKind = WarningKind::Lint("constant-in-data");

/// What `#include <incmode>.` adds to a program.
const INCMODE: &str = "#program check(t). #external query(t).";

/// A program that was parsed, and the constants that the command line sets.
pub(super) struct Parsed {
    program: ast::Program,
    given: Vec<StrId>,
}

impl Control {
    /// Parses what was added since the last time. A text whose first lines are those of a ground program is read as
    /// one.
    pub fn parse(&mut self) -> Result<(), Error> {
        if self.has_ground_text() {
            return self.read_ground_alone();
        }
        if self.pending.is_empty() && (self.grounder.is_some() || self.is_ground_input()) {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        let parsed = self.parse_texts(pending);
        self.take_in(parsed)
    }

    /// Adds text to a program part with parameters: it begins in this part instead of `base`. A ground program in aspif may be
    /// added to a control without a program.
    ///
    /// ```
    /// let mut control = asp::Control::new();
    /// control.add_part("step", &["t"], "at(t).")?;
    /// let three = control.number(3);
    /// control.ground_parts(&[("step", vec![three])])?;
    /// assert_eq!(control.atoms("at", 1)[0].term().to_string(), "at(3)");
    /// # Ok::<(), asp::Error>(())
    /// ```
    pub fn add_part(&mut self, name: &str, params: &[&str], text: &str) -> Result<(), Error> {
        if self.grounder.is_none() && ground_input::is_aspif(text.as_bytes()) {
            self.add_source(Source::new("<block>", text));
            return self.parse();
        }
        // Constants of the command line are looked for in the first program that is added.
        let waiting = if self.pending.iter().all(|s| ground_input::is_of_command_line(&s.name)) {
            std::mem::take(&mut self.pending)
        } else {
            self.parse()?;
            Vec::new()
        };
        let given = self.parse_texts(waiting);
        let part =
            (self.symbols.intern(name), params.iter().map(|p| self.symbols.intern(p)).collect::<Vec<_>>());
        let input = syntax::Input::new("<block>", text);
        let (symbols, sources) = (&mut self.symbols, &mut self.sources);
        let mut parsed =
            syntax::parse_part(vec![input], (part.0, &part.1), symbols, sources, &mut *self.loader);
        self.diagnostics.extend(parsed.diagnostics);
        parsed.program.statements.splice(0..0, given.statements);
        self.take_in(parsed.program)
    }

    /// Adds a program that is parsed, or built as a syntax tree ([`tables_mut`](Self::tables_mut)).
    pub fn take_in(&mut self, mut parsed: ast::Program) -> Result<(), Error> {
        let is_builtin = |s: &ast::Statement| matches!(s.kind, ast::StatementKind::IncludeBuiltin { .. });
        if parsed.statements.iter().any(is_builtin) && !self.incremental {
            self.incremental = true;
            parsed.statements.extend(self.parse_texts(vec![Source::new("<incmode>", INCMODE)]).statements);
        }
        let is_query = |s: &ast::Statement| matches!(s.kind, ast::StatementKind::Query(_));
        if let Some(query) = parsed.statements.iter().find(|s| is_query(s)).map(|s| s.span) {
            let text = self.sources.text(query).trim_end_matches(['?', ' ', '\t', '\r', '\n']).to_string();
            let source = Source::new("<query>", format!("#show. #show {text} : {text}."));
            parsed.statements.extend(self.parse_texts(vec![source]).statements);
            self.query = Some(text);
        }
        let is_script = |s: &ast::Statement| matches!(s.kind, ast::StatementKind::Script { .. });
        let has_scripts = parsed.statements.iter().any(is_script) || self.functions.is_some();
        let mut invalid = self.check_for_errors()?;
        if !invalid {
            self.run_scripts(&mut parsed);
            invalid = self.check_for_errors()?;
        }
        for statement in &parsed.statements {
            if let Some(span) = symmetric_inequality(statement, &self.symbols) {
                self.diagnostics.push(symmetry_note(span));
            }
        }
        self.warn_of_constants_in_data(&parsed);
        if let Some(edit) = self.edit.as_mut() {
            edit(&mut parsed, &mut self.symbols, &self.sources);
        }
        if let Some(first) = self.with_values.take() {
            // What comes now may read atoms.
            self.ground_with_atoms(*first)?;
        }
        let settings = &self.settings;
        let is_first = self.grounder.is_none() && !has_scripts && !self.incremental;
        let plain =
            !matches!(settings.solve.enum_mode, EnumMode::Brave | EnumMode::Cautious | EnumMode::Query);
        let values = if is_first && plain && parsed.has_values {
            Some(settings.values).filter(|&values| values > 0)
        } else {
            None
        };
        let grounder = self.grounder.get_or_insert_with(|| {
            Grounder::new(GroundOptions {
                keep_facts: settings.keep_facts,
                open_rules: settings.open_rules,
                open_bounds: settings.open_bounds,
                instance_limit: Some(settings.instance_limit).filter(|&limit| limit > 0),
                rewritings: settings.rewritings,
                answers_only: settings.answers_only && !self.incremental,
                values,
                profile: settings.profile,
                explain: settings.explain_rewrites,
                review: settings.review,
            })
        });
        let is_given = |s: &ast::Statement| {
            self.sources.file_of(s.span).is_some_and(|f| ground_input::is_of_command_line(&f.name))
        };
        let constant = |s: &ast::Statement| match s.kind {
            ast::StatementKind::Const { name, is_override: true, .. } if is_given(s) => Some(name),
            _ => None,
        };
        let given: Vec<_> = parsed.statements.iter().filter_map(constant).collect();
        if grounder.add(&parsed, &given, &mut self.symbols, &mut self.diagnostics) && !invalid {
            let keeps = grounder.keeps_values();
            self.with_values = keeps.then(|| Box::new(Parsed { program: parsed, given }));
            Ok(())
        } else {
            Err(Error::Parse(self.report("parsing failed")))
        }
    }

    /// Begins again with a program that was parsed: all values are atoms. What there was to say of it has been said.
    pub(super) fn ground_with_atoms(&mut self, parsed: Parsed) -> Result<(), Error> {
        let Some(old) = self.grounder.take() else { return Ok(()) };
        (self.program, self.integers) = (Program::new(), Compiler::default());
        let before = self.diagnostics.len();
        let mut grounder = Grounder::new(GroundOptions { values: None, ..old.options().clone() });
        let added = grounder.add(&parsed.program, &parsed.given, &mut self.symbols, &mut self.diagnostics);
        self.grounder = Some(grounder);
        if !added {
            return Err(Error::Parse(self.report("parsing failed")));
        }
        self.diagnostics.truncate(before);
        Ok(())
    }

    /// Whether there are errors that the caller wants to look past.
    pub(super) fn check_for_errors(&self) -> Result<bool, Error> {
        let failed = self.diagnostics.iter().any(|d| d.severity == Severity::Error);
        if failed && !self.settings.review {
            return Err(Error::Parse(self.report("parsing failed")));
        }
        Ok(failed)
    }

    /// Warns of names in tables and grids that a constant replaces, each once. In a program that is what constants are for.
    fn warn_of_constants_in_data(&mut self, parsed: &ast::Program) {
        let is_replaced = |s: &ast::Statement| match s.kind {
            ast::StatementKind::Const { name, .. } if parsed.fact_constants.contains(&name) => Some(name),
            _ => None,
        };
        let mut names: Vec<StrId> = parsed.statements.iter().filter_map(is_replaced).collect();
        names.dedup();
        for fact in &parsed.facts {
            if names.is_empty() {
                return;
            }
            if !self.sources.is_made(fact.span) {
                continue;
            }
            let mut terms = vec![fact.atom];
            let mut found = None;
            while let Some(term) = terms.pop() {
                match self.symbols.view(term) {
                    SymView::Fun { name, args: [], .. } => {
                        found = found.or(names.iter().position(|&n| n == name));
                    }
                    SymView::Fun { args, .. } | SymView::Tuple(args) => terms.extend(args),
                    _ => {}
                }
            }
            let Some(at) = found else { continue };
            let name = self.symbols.str(names.swap_remove(at));
            let text = format!("`{name}` in the data is replaced by the value of the constant `{name}`");
            let told = Diagnostic::warning(CONSTANT_IN_DATA, fact.span, text);
            self.diagnostics.push(told.help("give the constant another name, or write a string in the data"));
        }
    }

    pub(super) fn parse_texts(&mut self, texts: Vec<Source>) -> ast::Program {
        let inputs = texts.into_iter().map(Source::into_input).collect();
        let parsed = syntax::parse(inputs, &mut self.symbols, &mut self.sources, &mut *self.loader);
        self.diagnostics.extend(parsed.diagnostics);
        parsed.program
    }
}

fn symmetry_note(span: Span) -> Diagnostic {
    let kind = WarningKind::Lint("symmetric-inequality");
    Diagnostic::info(kind, span, "this rule says the same of each pair twice")
        .caption("`<` is enough, with half the instances")
}
