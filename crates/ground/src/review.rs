//! Likely mistakes, reported whether or not the program is grounded: undefined predicates, constants that are set and do not
//! occur, shows without effect, errors in parts that are not grounded.
//!
//! Invariant: each place is reported once; what could not be parsed may define anything.

use std::cell::LazyCell;

use super::Grounder;
use super::call::define;
use super::texts::Part;
use asp_base::diagnostic::{Diagnostic, Severity, WarningKind};
use asp_base::map::Set;
use asp_base::nearest::{MAX_COMPARED, nearest, slip};
use asp_base::signature::Signature;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_program::rule::{Body, Head, RuleRef};
use asp_program::{Program, RuleSource};
use asp_rewrite::lint::{never, variables, whole};
use asp_rewrite::predicate::{PredId, Predicate};
use asp_rewrite::rule::Rule;
use asp_rewrite::translate::translator::Translator;
use asp_rewrite::{dependency, lint, safety};
use asp_syntax::ast::{self, Statement, StatementKind};
use asp_syntax::print;

const REPLACED_PARAMETER: WarningKind = WarningKind::Lint("replaced-parameter");
/// The most arguments that a hint writes out.
const MAX_SHOWN: usize = 8;
/// A statement that leaves no answer set.
const LEAVES_NONE: WarningKind = WarningKind::Lint("leaves-none");

/// Whether the names differ by one inserted, deleted, transposed or, in long names, replaced letter.
pub(super) fn is_certain(name: &str, other: &str) -> bool {
    let sorted = |s: &str| {
        let mut letters: Vec<char> = s.chars().collect();
        letters.sort_unstable();
        letters
    };
    let (letters, others) = (sorted(name), sorted(other));
    let is_replaced = letters.len() == others.len() && letters != others;
    slip(name, other) == Some(1) && (!is_replaced || letters.len() > 5)
}

impl Grounder {
    /// Looks for errors in the parts that are not grounded; what they define counts as defined.
    pub(super) fn review_other_parts(
        &mut self,
        parts: &[(StrId, Vec<Sym>)],
        symbols: &mut Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let is_grounded = |part: &Part| parts.iter().any(|wanted| part.fits(wanted));
        let others = self.texts.parts.iter_mut().filter(|part| !is_grounded(part));
        for part in others {
            for &fact in &part.facts {
                define(fact, &mut self.predicates, symbols);
            }
            if std::mem::replace(&mut part.reviewed, true) {
                continue;
            }
            let (predicates, projections) = (&mut self.predicates, &mut self.projections);
            let theories = &self.texts.theories;
            let values = &self.texts.constants;
            let mut translator =
                Translator::new(symbols, predicates, values, theories, projections, diagnostics);
            for s in &part.statements {
                translator.statement(s, RuleSource::NONE);
            }
            let mut rules = std::mem::take(&mut translator.rules);
            rules.retain_mut(|rule| safety::check(rule, values, symbols, diagnostics));
        }
    }

    /// Theory atoms must be defined even in parts that are not grounded; in the others, the translation checks it.
    pub(super) fn check_theory_atoms(
        &mut self,
        parts: &[(StrId, Vec<Sym>)],
        symbols: &Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for part in &mut self.texts.parts {
            let from = std::mem::replace(&mut part.checked, part.statements.len());
            if parts.iter().any(|wanted| part.fits(wanted)) {
                continue;
            }
            for atom in part.statements[from..].iter().flat_map(ast::Statement::theory_atoms) {
                let arity = atom.args.first().map_or(0, Vec::len);
                diagnostics.extend(self.texts.theories.missing(atom.name, arity, atom.span, symbols));
            }
        }
    }

    /// Warns about constants that are shown where the atoms of that name are meant: `#show p.`
    pub(super) fn report_shown_constants(&mut self, symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) {
        for s in self.texts.parts.iter().flat_map(|p| &p.statements) {
            let ast::StatementKind::ShowTerm { term, body } = &s.kind else { continue };
            let all_are_shown = self.texts.shows.signatures.is_none();
            let is_own = |e: &ast::BodyElement| {
                matches!(&e.kind, ast::BodyElementKind::Literal(l)
                    if l.sign == ast::Sign::None && print::plain_literal(l, symbols) == print::plain_term(term, symbols))
            };
            if all_are_shown
                && body.iter().any(is_own)
                && self.reports.lints.insert(("shown-constant", s.span))
            {
                let text = "all atoms are shown, with or without this";
                let help = "add `#show.`, which hides what nothing else shows";
                diagnostics.push(Diagnostic::info(WarningKind::Other, s.span, text).help(help));
            }
            let ast::TermKind::Function { name, args, external: false } = &term.kind else { continue };
            if !body.is_empty() {
                continue;
            }
            if let [list] = &args[..]
                && !list.is_empty()
                && term
                    .walk()
                    .all(|t| !matches!(t.kind, ast::TermKind::Variable(_) | ast::TermKind::Anonymous))
            {
                let arity = list.len() as u32;
                let signature = Signature { name: *name, arity, negative: false };
                let is_defined = self.predicates.find(signature).is_some_and(|p| self.predicates[p].defined);
                if is_defined && self.reports.lints.insert(("shown-constant", s.span)) {
                    let (name, written) = (symbols.str(*name), print::plain_term(term, symbols));
                    let text =
                        format!("this shows the term `{written}` always, whether or not the atom holds");
                    let hides = if all_are_shown { "#show. " } else { "" };
                    diagnostics.push(Diagnostic::info(WarningKind::Other, s.span, text).help(format!(
                        "`#show {name}/{arity}.` shows all atoms that hold, `{hides}#show {written} : {written}.` this one"
                    )));
                }
                continue;
            }
            if args.iter().any(|list| !list.is_empty()) {
                continue;
            }
            let defined = self.predicates.iter().map(|(_, p)| p).filter(|p| p.defined && !p.auxiliary);
            let same: Vec<u32> =
                defined.filter(|p| p.signature.name == *name).map(|p| p.signature.arity).collect();
            let Some(arity) = same.iter().min().filter(|&&n| n > 0) else { continue };
            if self.reports.lints.insert(("shown-constant", s.span)) {
                let name = symbols.str(*name);
                let text = format!("this shows the constant `{name}`, not atoms");
                diagnostics.push(
                    Diagnostic::info(WarningKind::Other, s.span, text)
                        .help(format!("`#show {name}/{arity}.` shows the atoms")),
                );
            }
        }
    }

    /// Warns about parameters that constants of the same names replace.
    pub(super) fn report_replaced_parameters(
        &mut self,
        symbols: &Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for part in &self.texts.parts {
            let Some(first) = part.statements.first() else { continue };
            for name in part.params.iter().filter(|name| self.texts.constants.contains_key(*name)) {
                if self.reports.lints.insert((REPLACED_PARAMETER.name(), first.span)) {
                    let (name, part) = (symbols.str(*name), symbols.str(part.name));
                    let text =
                        format!("the constant `{name}` replaces the parameter `{name}` of the part `{part}`");
                    let help = "another name for one of them keeps them apart";
                    diagnostics.push(Diagnostic::warning(REPLACED_PARAMETER, first.span, text).help(help));
                }
            }
        }
    }

    /// Lints on all statements together, when the first parts are grounded. Heads and bodies may be missing if something could
    /// not be read.
    pub(super) fn report_whole(&mut self, symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) {
        if std::mem::replace(&mut self.reports.whole, true) {
            return;
        }
        let texts = &self.texts;
        let is_defined = |name: StrId, arity: u32| {
            let signature = Signature { name, arity, negative: false };
            self.predicates.find(signature).is_some_and(|p| self.predicates[p].defined)
                || texts.kept.names.values().any(|&kept| kept == name)
        };
        let is_constant = |name: StrId| {
            texts.constants.contains_key(&name) || texts.parts.iter().any(|part| part.params.contains(&name))
        };
        let mut facts: Vec<(Signature, Span)> = Vec::new();
        let mut known: Set<Signature> = Set::default();
        for &(fact, span) in &texts.fact_places {
            if let SymView::Fun { name, args, negative } = symbols.view(fact) {
                let signature = Signature { name, arity: args.len() as u32, negative };
                if known.insert(signature) {
                    facts.push((signature, span));
                }
            }
        }
        let shown = texts.shows.signatures.as_deref();
        let is_whole = texts.unread.is_empty();
        let (is_defined, is_constant): (&dyn Fn(_, _) -> _, &dyn Fn(_) -> _) = (&is_defined, &is_constant);
        let statements = texts.parts.iter().flat_map(|part| &part.statements);
        let variables = &variables::variables(statements.clone(), symbols);
        let mut constants: Vec<(StrId, Sym)> =
            texts.constants.iter().map(|(&name, &value)| (name, value)).collect();
        constants.sort_unstable_by_key(|c| c.0);
        let (facts, constants) = (&facts, &constants);
        let places = || texts.fact_places.iter().map(|f| f.0);
        let data = &never::data(statements.clone(), places(), symbols);
        let terms = LazyCell::new(|| never::terms(statements.clone(), places(), symbols));
        let is_term = &|name: StrId, arity: u32| terms.contains(&(name, arity));
        let known = whole::Known {
            is_defined,
            shown,
            facts,
            is_whole,
            is_constant,
            constants,
            is_term,
            data,
            variables,
        };
        for message in whole::check(statements.clone(), &known, symbols) {
            let name = message.kind.map_or("", WarningKind::name);
            let place = message.labels.first().map_or(Span::NONE, |l| l.span);
            if self.reports.lints.insert((name, place)) {
                diagnostics.push(message);
            }
        }
    }

    /// Warns about signatures of `#show` that occur in no head.
    pub(super) fn report_unmatched_shows(
        &mut self,
        later: &Set<Signature>,
        symbols: &Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for &(s, span) in &self.texts.shows.places {
            // A function whose values are integers is not shown with another number of arguments. Atoms only in bodies are
            // reported by themselves.
            let is_known = |p| self.predicates[p].defined || !self.predicates[p].first_use.is_none();
            let defined = self.predicates.find(s).is_some_and(is_known)
                || !s.negative && self.texts.kept.names.values().any(|&name| name == s.name);
            if !defined
                && !later.contains(&s)
                && !self.texts.unread.may_define(s.name)
                && (self.reports.lints.insert((lint::SHOW_UNMATCHED.name(), span))
                    || self.options.gringo_order)
            {
                let sign = if s.negative { "-" } else { "" };
                let name = symbols.str(s.name);
                let text = format!("no rule has the head `{sign}{name}/{}`", s.arity);
                let others = self.predicates.iter().map(|(_, p)| p).filter(|p| p.defined && !p.auxiliary);
                let same =
                    others.filter(|p| (p.signature.name, p.signature.negative) == (s.name, s.negative));
                // A wrong arity is a mistake, and clingo reports it, too.
                diagnostics.push(match same.min_by_key(|p| p.signature.arity.abs_diff(s.arity)) {
                    Some(p) => Diagnostic::info(WarningKind::AtomUndefined, span, text)
                        .help(format!("did you mean `{sign}{name}/{}`?", p.signature.arity)),
                    None => {
                        let others = self.predicates.iter().map(|(_, p)| p);
                        let others = others.filter(|p| p.defined && !p.auxiliary);
                        let near = others
                            .filter_map(|p| Some((slip(name, symbols.str(p.signature.name))?, p.signature)));
                        match near.min_by_key(|(d, near)| (*d, near.arity.abs_diff(s.arity))) {
                            Some((_, near)) => {
                                let sign = if near.negative { "-" } else { "" };
                                let near = format!("{sign}{}/{}", symbols.str(near.name), near.arity);
                                Diagnostic::warning(WarningKind::AtomUndefined, span, text)
                                    .help(format!("did you mean `{near}`?"))
                            }
                            None => Diagnostic::info(lint::SHOW_UNMATCHED, span, text),
                        }
                    }
                });
            }
        }
    }

    /// The arguments of a predicate's fact, all of them names or all numbers, if it has no other.
    fn only_fact(&self, signature: Signature, symbols: &Symbols) -> Option<Vec<Sym>> {
        let of = |&(fact, _): &(Sym, Span)| match symbols.view(fact) {
            SymView::Fun { name, args, negative }
                if (name, args.len() as u32, negative)
                    == (signature.name, signature.arity, signature.negative) =>
            {
                Some(args)
            }
            _ => None,
        };
        let mut facts = self.texts.fact_places.iter().filter_map(of);
        let args = facts.next().filter(|_| facts.next().is_none())?;
        let is_name = |s: &&Sym| matches!(symbols.view(**s), SymView::Fun { args: [], .. });
        let is_number = |s: &Sym| symbols.as_num(*s).is_some();
        let are_alike = args.iter().all(|s| is_name(&s)) || args.iter().all(is_number);
        (are_alike && args.len() <= MAX_SHOWN).then(|| args.to_vec())
    }

    /// Predicates of facts that nothing reads or names, with this arity.
    fn unread_facts(&self, arity: u32, symbols: &Symbols) -> Vec<Signature> {
        let mut found: Vec<Signature> = Vec::new();
        // A part that is grounded later may read them.
        if self.texts.parts.len() > 1 {
            return found;
        }
        for &(fact, _) in &self.texts.fact_places {
            let SymView::Fun { name, args, negative } = symbols.view(fact) else { continue };
            let signature = Signature { name, arity: args.len() as u32, negative };
            // What a picture is made of is read by nothing else.
            if symbols.str(name).starts_with("render_") {
                continue;
            }
            let is_read = |p: PredId| !self.predicates[p].first_use.is_none();
            let is_shown = |shown: &[Signature]| shown.contains(&signature);
            if signature.arity == arity
                && arity > 0
                && !found.contains(&signature)
                && !self.predicates.find(signature).is_none_or(is_read)
                && !self.texts.shows.signatures.as_deref().is_some_and(is_shown)
            {
                found.push(signature);
            }
        }
        found
    }

    /// The predicate with facts from whose atom, and nothing else, a rule derives an undefined predicate, with the same
    /// variables.
    fn exchanged(&self, undefined: &Predicate, symbols: &Symbols) -> Option<PredId> {
        let place = undefined.first_use;
        let around = |s: &&Statement| s.span.lo <= place.lo && place.hi <= s.span.hi;
        let statement = self.texts.parts.iter().flat_map(|part| &part.statements).find(around)?;
        let StatementKind::Rule { head, body } = &statement.kind else { return None };
        let ast::HeadKind::Literal(head) = &head.kind else { return None };
        let [ast::BodyElement { kind: ast::BodyElementKind::Literal(body), .. }] = &body[..] else {
            return None;
        };
        let (ast::LiteralKind::Atom(atom), ast::LiteralKind::Atom(own)) = (&head.kind, &body.kind) else {
            return None;
        };
        let variables = |l: &ast::Literal| {
            let mut names: Vec<StrId> = l.terms().flat_map(|t| t.variables().map(|v| v.0)).collect();
            names.sort_unstable();
            names.dedup();
            names
        };
        let [args] = &atom.args[..] else { return None };
        let signature = Signature { name: atom.name, arity: args.len() as u32, negative: atom.negative };
        let pred = self.predicates.find(signature)?;
        let is_fact = |&(fact, _): &(Sym, Span)| {
            matches!(symbols.view(fact), SymView::Fun { name, args, negative }
                if (name, args.len() as u32, negative) == (signature.name, signature.arity, signature.negative))
        };
        let is_it = (head.sign, body.sign) == (ast::Sign::None, ast::Sign::None)
            && own.name == undefined.signature.name
            && self.texts.fact_places.iter().any(is_fact)
            && variables(head) == variables(body);
        is_it.then_some(pred)
    }

    /// The predicates of facts in parts that are not grounded now. As in gringo, libraries get no warning about them; none in
    /// other orders than gringo's.
    pub(super) fn later_facts(&self, parts: &[(StrId, Vec<Sym>)], symbols: &Symbols) -> Set<Signature> {
        let mut found: Set<Signature> = Set::default();
        if !self.options.gringo_order {
            return found;
        }
        let others = self.texts.parts.iter().filter(|part| !parts.iter().any(|wanted| part.fits(wanted)));
        for part in others {
            for &fact in &part.facts {
                if let SymView::Fun { name, args, negative } = symbols.view(fact) {
                    found.insert(Signature { name, arity: args.len() as u32, negative });
                }
            }
            for statement in &part.statements {
                if let Some(atom) = part.plain_fact(statement) {
                    let signature =
                        |arity| Signature { name: atom.name, arity: arity as u32, negative: atom.negative };
                    found.extend(atom.args.iter().map(|args| signature(args.len())));
                }
            }
        }
        found
    }

    /// Warns about predicates that are used and never defined, once each, with the nearest name.
    pub(super) fn report_undefined(
        &mut self,
        later: &Set<Signature>,
        (rules, facts): (&[Rule], &[(PredId, Sym)]),
        symbols: &Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let mut used: Vec<&Predicate> =
            self.predicates.iter().map(|(_, p)| p).filter(|p| !p.defined).collect();
        if self.options.gringo_order {
            // Predicates are not numbered in the order of the text.
            used.sort_by_key(|p| p.first_use.lo);
        }
        let own = self.predicates.iter().map(|(_, q)| q).filter(|q| q.defined && !q.auxiliary);
        let mut own: Vec<Signature> = own.map(|q| q.signature).collect();
        if own.len() * used.len() > MAX_COMPARED {
            own.clear();
        }
        let statements = self.texts.parts.iter().flat_map(|part| &part.statements);
        let variables = LazyCell::new(|| variables::variables(statements, symbols));
        let derivable = LazyCell::new(|| dependency::derivable(rules, facts, &self.predicates));
        for p in used {
            let name = p.signature.name;
            if p.first_use.is_none()
                || self.texts.unread.may_define(name)
                || later.contains(&p.signature)
                || !self.reports.places.insert((p.first_use, Vec::new()))
            {
                continue;
            }
            let name = |s: &Signature| {
                format!("{}{}/{}", if s.negative { "-" } else { "" }, symbols.str(s.name), s.arity)
            };
            let text = format!("atom does not occur in any rule head: `{}`", name(&p.signature));
            let mut note = Diagnostic::info(WarningKind::AtomUndefined, p.first_use, text);
            let is_value = self.texts.expander.is_value(p.first_use);
            if is_value {
                // Instances that use it are left out.
                let text =
                    format!("this never has a value: no rule head is an atom of `{}`", name(&p.signature));
                note = Diagnostic::warning(WarningKind::AtomUndefined, p.first_use, text);
                let arity = p.signature.arity.saturating_sub(1);
                if variables.contains(&(p.signature.name, arity)) {
                    let name = symbols.str(p.signature.name);
                    let written = if arity == 0 { name.to_string() } else { format!("{name}(...)") };
                    diagnostics.push(note.help(format!(
                        "`$` is for values of predicates; `{name}` is an integer variable: `&sum {{ {written} }} < 3` compares it"
                    )));
                    continue;
                }
            }
            let target = symbols.str(p.signature.name);
            // A predicate that needs this one is not meant by it.
            let is_likely = |s: &Signature| {
                s.arity == p.signature.arity && is_certain(target, symbols.str(s.name))
                    || self.predicates.find(*s).is_some_and(|s| derivable.contains(&s))
            };
            let near = own
                .iter()
                .filter_map(|s| Some((slip(target, symbols.str(s.name))?, *s)))
                .filter(|(_, s)| is_likely(s))
                .min_by_key(|(d, s)| {
                    (*d, s.arity.abs_diff(p.signature.arity), s.negative != p.signature.negative)
                });
            // A name that is shown, too, is no slip.
            let is_shown = self.texts.shows.signatures.iter().flatten().any(|s| *s == p.signature);
            let near = near.filter(|(d, _)| *d == 0 || !is_shown);
            if p.signature.negative
                && let Some((0, s)) = near.filter(|(_, s)| !s.negative && s.arity == p.signature.arity)
            {
                let text = format!("atom does not occur in any rule head: `{}`", name(&p.signature));
                note = Diagnostic::warning(WarningKind::AtomUndefined, p.first_use, text);
                let plain = symbols.str(s.name);
                note = note.help(format!(
                    "`-{plain}` holds where a rule says so; that `{plain}` does not hold is written `not {plain}`"
                ));
            } else if let ("true" | "false", 0) = (target, p.signature.arity) {
                note = note.help(format!("the truth value is written `#{target}`"));
            } else if let Some((_, s)) = near {
                // An instance may well state a predicate with another number of arguments, or another short name.
                if s.arity == p.signature.arity && is_certain(target, symbols.str(s.name)) {
                    note.severity = Severity::Warning;
                }
                let value = match s.arity {
                    _ if !is_value => String::new(),
                    0 => " It has no argument".to_string(),
                    1 => format!(" Its value is `${}`", symbols.str(s.name)),
                    n => {
                        let arguments = vec!["_"; (n as usize - 1).min(MAX_SHOWN)].join(",");
                        let more = if n as usize > MAX_SHOWN + 1 { ",..." } else { "" };
                        format!(" Its value is `${}({arguments}{more})`", symbols.str(s.name))
                    }
                };
                let is_one = s.name == p.signature.name && p.signature.arity == 1 && s.arity > 1;
                let facts = is_one.then(|| self.only_fact(s, symbols)).flatten();
                if facts.as_ref().is_none_or(|args| args.iter().all(|&a| symbols.as_num(a).is_some())) {
                    note = note.help(format!("did you mean `{}`?{value}", name(&s)));
                }
                if let Some(args) = facts {
                    let written: Vec<String> = args.iter().map(|&s| symbols.display(s)).collect();
                    let range = match args[..] {
                        [lo, hi] if symbols.as_num(lo) < symbols.as_num(hi) => {
                            format!(", a range `{target}({}..{})`", written[0], written[1])
                        }
                        _ => String::new(),
                    };
                    let written = written.join(";");
                    note = note
                        .help(format!("several facts are written with `;`: `{target}({written})`{range}"));
                }
            } else if let Some(head) = self.exchanged(p, symbols) {
                note = note.help(format!(
                    "{} has facts, and nothing derives `{}`: are head and body of this rule exchanged?",
                    self.written(head, symbols),
                    name(&p.signature)
                ));
            } else if let [only] = self.unread_facts(p.signature.arity, symbols)[..] {
                note = note.help(format!("nothing reads the facts of `{}`: are they meant?", name(&only)));
            }
            diagnostics.push(note);
        }
    }

    /// Whether an instance may be missing: a body reads what no head derives.
    fn lacks_input(&self) -> bool {
        self.texts.has_defined || self.predicates.iter().any(|(_, p)| !p.defined && !p.first_use.is_none())
    }

    /// Names the statement that excludes all answer sets, as its body always holds, or its bounds never do.
    pub(super) fn report_refuted(
        &mut self,
        program: &Program,
        from: usize,
        values: Option<(RuleSource, String)>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        // In later steps, more may hold, and a question, which keeps facts, has its own answer.
        let is_incomplete = self.options.review && self.lacks_input();
        if !self.texts.unread.is_empty()
            || self.texts.parts.len() > 1
            || is_incomplete
            || self.options.keep_facts
        {
            return;
        }
        let refutes = |r: &RuleRef<'_>| matches!((r.head, r.body), (Head::Disjunction([]), Body::Normal([])));
        let Some(rule) = program.rules.iter().skip(from).find(refutes) else { return };
        let place = program.sources.get(rule.source.0 as usize).copied().unwrap_or(Span::NONE);
        if self.reports.lints.insert((LEAVES_NONE.name(), place)) {
            let text = "there is no answer set: this is violated whatever is chosen";
            let own = values.filter(|(source, _)| *source == rule.source);
            let told = Diagnostic::info(LEAVES_NONE, place, text);
            let told = told.caption(own.map_or(String::new(), |(_, values)| values));
            diagnostics.push(told.help("`asp why-unsat` says what contradicts it"));
        }
    }

    /// Warns about constants that are set but occur in no text of the program.
    pub(super) fn report_unknown_constants(
        program: &ast::Program,
        given: &[StrId],
        symbols: &Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        // Included files may contain other constants.
        let reads_more = |s: &Statement| matches!(s.kind, StatementKind::IncludeBuiltin { .. });
        if given.is_empty() || program.statements.iter().any(reads_more) {
            return;
        }
        let mut words: Set<String> = Set::default();
        let mut defined: Vec<&str> = Vec::new();
        for s in &program.statements {
            match &s.kind {
                StatementKind::Const { name, is_override: true, .. } if given.contains(name) => continue,
                StatementKind::Const { name, .. } => defined.push(symbols.str(*name)),
                _ => {}
            }
            let text = print::statement(s, symbols);
            let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
            words.extend(text.split(|c| !is_word(c)).map(str::to_string));
        }
        for &name in given {
            let text = symbols.str(name);
            if words.contains(text) || program.fact_constants.contains(&name) {
                continue;
            }
            let message = format!("the program has no constant `{text}` that could be given a value");
            let mut note = Diagnostic::info(WarningKind::Other, Span::NONE, message);
            if let Some(near) = nearest(text, defined.iter().copied()) {
                note = note.help(format!("did you mean `-c {near}=...`?"));
            } else if !defined.is_empty() {
                note = note.help(format!("it has `{}`", defined.join("`, `")));
            }
            diagnostics.push(note);
        }
    }
}
