//! Texts to rules: what was added since the last time, including what incremental programs and queries imply.

use super::{Control, Error, Source, ground_input};
use asp_base::diagnostic::{Diagnostic, Severity, WarningKind};
use asp_base::span::{Sources, Span};
use asp_base::symbol::{StrId, SymView, Symbols};
use asp_ground::{GroundOptions, Grounder};
use asp_integers::Compiler;
use asp_program::Program;
use asp_rewrite::symmetry::symmetric_inequality;
use asp_solve::EnumMode;
use asp_syntax::loader::{FileLoader, Loader};
use asp_syntax::{self as syntax, ast};

/// The lint for names in data that a constant replaces.
const CONSTANT_IN_DATA: WarningKind = WarningKind::Lint("constant-in-data");

/// Changes a parsed program before it is grounded.
pub(crate) type Edit = Box<dyn FnMut(&mut ast::Program, &mut Symbols, &Sources) + Send>;

/// How far a program has been processed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Texts.
    Texts,
    /// A ground program, by grounding parts of the texts.
    Grounded,
    /// A ground program that was read.
    Read {
        /// Whether it has several steps.
        in_steps: bool,
    },
}

/// The texts of a program, and what parsing has found in them.
pub(super) struct Texts {
    pub(super) sources: Sources,
    /// Texts that have not been parsed.
    pub(super) pending: Vec<Source>,
    pub(super) loader: Box<dyn Loader + Send>,
    pub(super) edit: Option<Edit>,
    pub(super) phase: Phase,
    /// Whether they include the incremental mode.
    pub(super) incremental: bool,
    /// The query of ASP-Core-2.
    pub(super) query: Option<String>,
    /// The program as parsed, while functions have integers instead of atoms.
    pub(super) with_values: Option<Box<Parsed>>,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            sources: Sources::new(),
            pending: Vec::new(),
            loader: Box::new(FileLoader),
            edit: None,
            phase: Phase::Texts,
            incremental: false,
            query: None,
            with_values: None,
        }
    }
}

impl Texts {
    /// Parses texts; messages go to `diagnostics`.
    fn parse(
        &mut self,
        texts: Vec<Source>,
        symbols: &mut Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> ast::Program {
        let inputs = texts.into_iter().map(Source::into_input).collect();
        let parsed = syntax::parse(inputs, symbols, &mut self.sources, &mut *self.loader);
        diagnostics.extend(parsed.diagnostics);
        parsed.program
    }
}

/// The text that `#include <incmode>.` adds to a program.
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
        if self.texts.pending.is_empty() && (self.grounder.is_some() || self.is_ground_input()) {
            return Ok(());
        }
        let pending = std::mem::take(&mut self.texts.pending);
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
        let waiting = if self.texts.pending.iter().all(|s| ground_input::is_of_command_line(&s.name)) {
            std::mem::take(&mut self.texts.pending)
        } else {
            self.parse()?;
            Vec::new()
        };
        let given = self.parse_texts(waiting);
        let part =
            (self.symbols.intern(name), params.iter().map(|p| self.symbols.intern(p)).collect::<Vec<_>>());
        let input = syntax::Input::new("<block>", text);
        let (symbols, sources) = (&mut self.symbols, &mut self.texts.sources);
        let mut parsed =
            syntax::parse_part(vec![input], (part.0, &part.1), symbols, sources, &mut *self.texts.loader);
        self.diagnostics.extend(parsed.diagnostics);
        parsed.program.statements.splice(0..0, given.statements);
        self.take_in(parsed.program)
    }

    /// Adds a program that is parsed, or built as a syntax tree ([`tables_mut`](Self::tables_mut)).
    pub fn take_in(&mut self, mut parsed: ast::Program) -> Result<(), Error> {
        let is_builtin = |s: &ast::Statement| matches!(s.kind, ast::StatementKind::IncludeBuiltin { .. });
        if parsed.statements.iter().any(is_builtin) && !self.texts.incremental {
            self.texts.incremental = true;
            parsed.statements.extend(self.parse_texts(vec![Source::new("<incmode>", INCMODE)]).statements);
        }
        let is_query = |s: &ast::Statement| matches!(s.kind, ast::StatementKind::Query(_));
        if let Some(query) = parsed.statements.iter().find(|s| is_query(s)).map(|s| s.span) {
            let text =
                self.texts.sources.text(query).trim_end_matches(['?', ' ', '\t', '\r', '\n']).to_string();
            let source = Source::new("<query>", format!("#show. #show {text} : {text}."));
            parsed.statements.extend(self.parse_texts(vec![source]).statements);
            self.texts.query = Some(text);
        }
        let is_script = |s: &ast::Statement| matches!(s.kind, ast::StatementKind::Script { .. });
        let embeds_scripts = parsed.statements.iter().any(is_script);
        let has_scripts = embeds_scripts || self.callbacks.functions.is_some();
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
        if let Some(edit) = self.texts.edit.as_mut() {
            edit(&mut parsed, &mut self.symbols, &self.texts.sources);
        }
        if let Some(first) = self.texts.with_values.take() {
            // Later texts may read atoms.
            self.ground_with_atoms(*first)?;
        }
        let settings = &self.settings;
        let is_first = self.grounder.is_none() && !has_scripts && !self.texts.incremental;
        let plain =
            !matches!(settings.solve.enum_mode, EnumMode::Brave | EnumMode::Cautious | EnumMode::Query);
        let values = if is_first && plain && parsed.has_values { settings.ground.values } else { None };
        let grounder = self.grounder.get_or_insert_with(|| {
            // The main function of a script may add what reads any atom.
            let may_grow = self.texts.incremental || embeds_scripts;
            let answers_only = settings.ground.answers_only && !may_grow;
            let lazy = settings.ground.lazy.filter(|_| !has_scripts && !embeds_scripts);
            Grounder::new(GroundOptions { answers_only, values, lazy, ..settings.ground.clone() })
        });
        let is_given = |s: &ast::Statement| {
            self.texts.sources.file_of(s.span).is_some_and(|f| ground_input::is_of_command_line(&f.name))
        };
        let constant = |s: &ast::Statement| match s.kind {
            ast::StatementKind::Const { name, is_override: true, .. } if is_given(s) => Some(name),
            _ => None,
        };
        let given: Vec<_> = parsed.statements.iter().filter_map(constant).collect();
        if grounder.add(&parsed, &given, &mut self.symbols, &mut self.diagnostics) && !invalid {
            let keeps = grounder.keeps_values();
            self.texts.with_values = keeps.then(|| Box::new(Parsed { program: parsed, given }));
            Ok(())
        } else {
            Err(Error::Parse(self.report("parsing failed")))
        }
    }

    /// Starts again with a parsed program whose values are now all atoms. Its messages have been reported already.
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

    /// Whether there are errors. Fails on them, unless the settings say to go on.
    pub(super) fn check_for_errors(&self) -> Result<bool, Error> {
        let failed = self.diagnostics.iter().any(|d| d.severity == Severity::Error);
        if failed && !self.settings.ground.review {
            return Err(Error::Parse(self.report("parsing failed")));
        }
        Ok(failed)
    }

    /// Warns once of each name in tables and grids that a constant replaces. In programs that is intended.
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
            if !self.texts.sources.is_made(fact.span) {
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
        self.texts.parse(texts, &mut self.symbols, &mut self.diagnostics)
    }
}

fn symmetry_note(span: Span) -> Diagnostic {
    let kind = WarningKind::Lint("symmetric-inequality");
    Diagnostic::info(kind, span, "this rule says the same of each pair twice")
        .caption("`<` is enough, with half the instances")
}
