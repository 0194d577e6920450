//! The texts of a program that were read and not yet grounded: parts, constants, theories, shows.
//!
//! Invariant: adding a text grounds nothing; what earlier texts define remains defined.

use super::Grounder;
use asp_base::diagnostic::{Diagnostic, Severity, WarningKind};
use asp_base::signature::Signature;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, Symbols};
use asp_program::integers::functions::Functions;
use asp_rewrite::constants::{self, Constants};
use asp_rewrite::expand::Expander;
use asp_rewrite::lint::columns;
use asp_rewrite::theory::Theories;
use asp_syntax::ast::{self, Statement, StatementKind, TermKind};

/// A program part: what follows `#program name(params).`
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) name: StrId,
    pub(super) params: Vec<StrId>,
    pub(super) statements: Vec<Statement>,
    pub(super) facts: Vec<Sym>,
    /// Signatures of `#project p/n.`, which project on the atoms that are known when the part is grounded.
    pub(super) projects: Vec<Signature>,
    /// How many statements have been searched for theory atoms without a definition.
    pub(super) checked: usize,
    /// Whether it was reviewed without being grounded.
    pub(super) reviewed: bool,
}

impl Part {
    /// Whether it is the part that a call names with arguments.
    pub(super) fn fits(&self, (name, args): &(StrId, Vec<Sym>)) -> bool {
        self.name == *name && self.params.len() == args.len()
    }

    /// The atom of a statement without a body, if all its arguments have values before the part is grounded.
    pub(super) fn plain_fact<'s>(&self, statement: &'s Statement) -> Option<&'s ast::Atom> {
        fact(statement, |term| is_plain(term, &self.params))
    }

    /// The same, whatever the parameters are.
    pub(super) fn fixed_fact<'s>(&self, statement: &'s Statement) -> Option<&'s ast::Atom> {
        fact(statement, |term| is_value(term, &self.params))
    }
}

fn fact(statement: &Statement, is: impl Fn(&ast::Term) -> bool) -> Option<&ast::Atom> {
    if let StatementKind::Rule { head, body } = &statement.kind
        && body.is_empty()
        && let ast::HeadKind::Literal(literal) = &head.kind
        && let (ast::Sign::None, ast::LiteralKind::Atom(atom)) = (literal.sign, &literal.kind)
        && atom.args.iter().flatten().all(is)
    {
        return Some(atom);
    }
    None
}

/// Whether gringo evaluates a term of a head before the part is grounded: parameters stand alone or below names.
fn is_plain(term: &ast::Term, params: &[StrId]) -> bool {
    match &term.kind {
        TermKind::Symbol(_) => true,
        TermKind::Function { args, external, .. } => {
            !external && args.iter().flatten().all(|term| is_plain(term, params))
        }
        TermKind::Pool(terms) => terms.iter().all(|term| is_plain(term, params)),
        TermKind::Tuple(terms) | TermKind::Absolute(terms) => terms.iter().all(|term| is_value(term, params)),
        TermKind::Unary(_, term) => is_value(term, params),
        TermKind::Binary(_, left, right) => is_value(left, params) && is_value(right, params),
        _ => false,
    }
}

/// Whether a term has a value whatever the parameters are.
fn is_value(term: &ast::Term, params: &[StrId]) -> bool {
    let is_param = matches!(&term.kind, TermKind::Function { name, args, external: false }
        if args.iter().all(Vec::is_empty) && params.contains(name));
    match &term.kind {
        TermKind::Function { args, external, .. } => {
            !external && !is_param && args.iter().flatten().all(|term| is_value(term, params))
        }
        _ => is_plain(term, params),
    }
}

/// The contents of the texts.
pub(super) struct Texts {
    pub(super) parts: Vec<Part>,
    pub(super) constants: Constants,
    pub(super) theories: Theories,
    pub(super) shows: Shows,
    /// The query of ASP-Core-2, if there is one.
    pub(super) query: Option<(ast::Atom, Span)>,
    /// What may be defined in what could not be read.
    pub(super) unread: ast::Unread,
    pub(super) expander: Expander,
    /// Whether a `#defined` says that an instance may state atoms.
    pub(super) has_defined: bool,
    /// Functions whose values are integers.
    pub(super) kept: Functions,
    /// Places of the first facts.
    pub(super) fact_places: Vec<(Sym, Span)>,
}

/// `#show p/n.`
#[derive(Default)]
pub(super) struct Shows {
    /// The shown signatures; `None` for everything.
    pub(super) signatures: Option<Vec<Signature>>,
    /// Whether the first of them came when there were shown atoms.
    pub(super) late: bool,
    pub(super) places: Vec<(Signature, Span)>,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            parts: Vec::new(),
            constants: Constants::default(),
            theories: Theories::default(),
            shows: Shows::default(),
            query: None,
            unread: ast::Unread::default(),
            expander: Expander::hidden(),
            has_defined: false,
            kept: Functions::default(),
            fact_places: Vec::new(),
        }
    }
}

impl Texts {
    fn part(&mut self, name: StrId, params: Vec<StrId>) -> usize {
        let found = self.parts.iter().position(|p| p.name == name && p.params.len() == params.len());
        if let Some(i) = found
            && self.parts[i].params == params
        {
            return i;
        }
        self.parts.push(Part {
            name,
            params,
            statements: Vec::new(),
            facts: Vec::new(),
            projects: Vec::new(),
            checked: 0,
            reviewed: false,
        });
        self.parts.len() - 1
    }
}

impl Grounder {
    /// Adds a program without grounding it. `given` are the constants set on the command line, as `#const` statements of the
    /// program. Errors are pushed as diagnostics; `false` if there are any.
    pub fn add(
        &mut self,
        program: &ast::Program,
        given: &[StrId],
        symbols: &mut Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> bool {
        let before = diagnostics.len();
        let kept = self.keep_values(program, symbols);
        let program = kept.as_ref().unwrap_or(program);
        let expanded = self.texts.expander.program(program, symbols, diagnostics);
        let program = expanded.as_ref().unwrap_or(program);
        // Constants of earlier texts remain defined.
        let mut known: Vec<(StrId, Sym)> =
            self.texts.constants.iter().map(|(&name, &value)| (name, value)).collect();
        known.sort_unstable();
        self.texts.constants = constants::evaluate(program, &known, symbols, diagnostics);
        if self.texts.parts.is_empty() && diagnostics.len() == before {
            Self::report_unknown_constants(program, given, symbols, diagnostics);
        }
        let base = symbols.intern("base");
        let mut current = self.texts.part(base, Vec::new());
        for s in &program.statements {
            match &s.kind {
                StatementKind::Part { name, params } => {
                    for (i, (param, span)) in params.iter().enumerate() {
                        if let Some((_, first)) = params[..i].iter().find(|p| p.0 == *param) {
                            let text = format!("the parameter `{}` occurs twice", symbols.str(*param));
                            diagnostics.push(Diagnostic::error(*span, text).label(*first, "first here"));
                        }
                    }
                    current = self.texts.part(*name, params.iter().map(|p| p.0).collect());
                }
                StatementKind::Const { .. } => {}
                StatementKind::ShowNothing => {
                    self.shown_signatures();
                }
                StatementKind::ShowSignature(r) => {
                    self.shown_signatures().push(signature(r));
                    self.texts.shows.places.push((signature(r), s.span));
                }
                StatementKind::ProjectSignature(r) => {
                    self.texts.parts[current].projects.push(signature(r));
                }
                StatementKind::Defined(r) => {
                    let pred = self.predicates.get(signature(r));
                    self.predicates[pred].defined = true;
                    self.texts.has_defined = true;
                }
                StatementKind::Script { language } => {
                    let language = symbols.str(*language);
                    if self.options.review {
                        // It may define anything.
                        self.texts.unread.texts = true;
                        let text = "a script is not run by a check: what depends on it is not looked at";
                        diagnostics.push(Diagnostic::info(WarningKind::Other, s.span, text));
                        continue;
                    }
                    diagnostics.push(
                        Diagnostic::error(s.span, format!("`#script ({language})` does not run here"))
                            .help("the command line runs it: `asp FILE`; for the library see `Control::set_scripts`"),
                    );
                }
                StatementKind::Theory(t) => self.texts.theories.add(t, s.span, symbols, diagnostics),
                StatementKind::Query(atom) => self.texts.query = Some((atom.clone(), s.span)),
                StatementKind::Include { .. } | StatementKind::IncludeBuiltin { .. } => {}
                StatementKind::Rule { .. }
                | StatementKind::Minimize { .. }
                | StatementKind::ShowTerm { .. }
                | StatementKind::ProjectAtom { .. }
                | StatementKind::External { .. }
                | StatementKind::Heuristic { .. }
                | StatementKind::Edge { .. } => self.texts.parts[current].statements.push(s.clone()),
            }
        }
        self.texts.unread.names.extend(&program.unread.names);
        self.texts.unread.texts |= program.unread.texts;
        for f in &program.facts {
            let i = self.texts.part(f.part, Vec::new());
            self.texts.parts[i].facts.push(f.atom);
            if self.texts.fact_places.len() < columns::MAX_FACTS {
                self.texts.fact_places.push((f.atom, f.span));
            }
        }
        !diagnostics[before..].iter().any(|d| d.severity == Severity::Error)
    }

    /// The signatures of `#show p/n.`, now that there is one.
    fn shown_signatures(&mut self) -> &mut Vec<Signature> {
        let shows = &mut self.texts.shows;
        shows.late |= shows.signatures.is_none() && self.written.shown.iter().any(|&rows| rows > 0);
        shows.signatures.get_or_insert_default()
    }
}

fn signature(r: &ast::SignatureRef) -> Signature {
    Signature { name: r.name, arity: r.arity, negative: r.negative }
}
