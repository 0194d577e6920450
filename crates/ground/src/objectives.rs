//! Likely mistakes in objectives: one that is constant, or optimal where nothing is chosen, and equal weights that count once.
//!
//! Invariant: each place is reported once.

use super::Grounder;
use asp_base::diagnostic::{Diagnostic, Severity, WarningKind};
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_base::symbol::{Sym, Symbols};
use asp_program::ground_program::{Defined, Definition, Function};
use asp_program::{Literal, Program, RuleSource};
use asp_rewrite::lint;

/// An objective that is least where nothing is chosen.
const IDLE_OBJECTIVE: WarningKind = WarningKind::Lint("idle-objective");
/// An objective over facts alone.
const CONSTANT_OBJECTIVE: WarningKind = WarningKind::Lint("constant-objective");

/// Arguments that may be anything, in parentheses.
fn blanks(arity: u32) -> String {
    if arity == 0 { String::new() } else { format!("({})", vec!["_"; arity as usize].join(",")) }
}

impl Grounder {
    /// Warns about a level of the objective that costs the same in each answer set: only facts count there.
    pub(super) fn report_constant_objective(
        &mut self,
        program: &Program,
        from: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        // Without choices there is nothing to be better.
        if program.atoms.is_empty() || program.theory.integers || self.texts.parts.len() > 1 {
            return;
        }
        let mut levels: Map<i64, (RuleSource, bool)> = Map::default();
        for element in program.minimize.iter().skip(from) {
            let level = levels.entry(element.priority).or_insert((element.source, false));
            level.1 |= !program.literals(element.condition).is_empty();
        }
        let mut fixed: Vec<(i64, RuleSource)> =
            levels.iter().filter(|(_, l)| !l.1).map(|(&priority, l)| (priority, l.0)).collect();
        fixed.sort_unstable();
        for (priority, source) in fixed {
            let place = program.sources.get(source.0 as usize).copied().unwrap_or(Span::NONE);
            if self.reports.lints.insert((CONSTANT_OBJECTIVE.name(), place)) {
                let text = match levels.len() {
                    1 => "the objective is the same in each answer set: what it counts are facts".to_string(),
                    _ => format!(
                        "level {priority} of the objective is the same in each answer set: what it counts are facts"
                    ),
                };
                let told = Diagnostic::warning(CONSTANT_OBJECTIVE, place, text);
                diagnostics.push(told.help("a condition with an atom that is chosen is missing"));
            }
        }
    }

    /// Reports an objective that is optimal where nothing is chosen, for any instance.
    pub(super) fn report_idle_objective(
        &mut self,
        program: &Program,
        symbols: &Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let texts = &self.texts;
        let is_whole = texts.unread.is_empty() && texts.parts.len() == 1 && texts.kept.names.is_empty();
        let is_negative = |s: Sym| symbols.as_num(s).is_some_and(|n| n < 0);
        let shrinks = |defined: &Defined| match &defined.definition {
            Definition::Aggregate { guards, elements, .. } => {
                let weights = elements.iter().filter_map(|e| program.terms(e.tuple).first().copied());
                weights.chain(guards.iter().map(|guard| guard.term)).any(is_negative)
            }
            _ => false,
        };
        if !is_whole
            || program.minimize.is_empty()
            || program.theory.integers
            || program.minimize.iter().any(|element| element.weight < 0)
            || program.definitions.iter().any(shrinks)
        {
            return;
        }
        let statements = texts.parts.iter().flat_map(|part| &part.statements);
        // Facts are kept apart from statements.
        let opposed = self.predicates.iter().filter(|(_, p)| p.signature.negative);
        let opposed = opposed.map(|(_, p)| p.signature.name).collect();
        let Some((place, chosen)) = lint::idle::objective(statements, opposed, symbols) else { return };
        if self.reports.lints.insert((IDLE_OBJECTIVE.name(), place)) {
            let name = format!("{}/{}", symbols.str(chosen.name), chosen.arity);
            let text = format!("the best answer set chooses nothing: no rule asks for atoms of `{name}`");
            diagnostics.push(Diagnostic::info(IDLE_OBJECTIVE, place, text).help(format!(
                "a lower bound is missing, or a constraint with `not`, as `:- not {}.`; or `#maximize` is meant",
                format_args!("{}{}", symbols.str(chosen.name), blanks(chosen.arity))
            )));
        }
    }

    /// Warns ([`lint::TUPLE_COLLAPSE`]) about a weak constraint or a sum if instances of it have equal weights.
    pub(super) fn warn_of_merged_weights(
        program: &Program,
        (definitions, objective): (usize, usize),
        diagnostics: &mut [Diagnostic],
    ) {
        let mut told: Vec<&mut Diagnostic> =
            diagnostics.iter_mut().filter(|d| d.kind == Some(lint::TUPLE_COLLAPSE)).collect();
        if told.is_empty() {
            return;
        }
        let mut first: Map<(RuleSource, i64, i64), &[Literal]> = Map::default();
        let mut merged: Set<Span> = Set::default();
        for element in program.minimize.iter().skip(objective).filter(|e| program.terms(e.tuple).is_empty()) {
            let condition = program.literals(element.condition);
            let of_weight =
                first.entry((element.source, element.priority, element.weight)).or_insert(condition);
            if *of_weight != condition {
                merged.extend(program.sources.get(element.source.0 as usize));
            }
        }
        for defined in program.definitions.iter().skip(definitions) {
            let Definition::Aggregate { function: Function::Sum, elements, .. } = &defined.definition else {
                continue;
            };
            let mut seen: Map<Sym, &[Literal]> = Map::default();
            let is_merged = elements.iter().any(|element| {
                let condition = program.literals(element.condition);
                // A weight that is chosen itself, as a colour's number, may well count once.
                let is_own = |l: &Literal| {
                    program.atoms.get(l.atom()).is_some_and(|(_, args)| {
                        program.terms(element.tuple).iter().all(|weight| args.contains(weight))
                    })
                };
                match program.terms(element.tuple) {
                    _ if condition.iter().any(is_own) => false,
                    &[weight] => *seen.entry(weight).or_insert(condition) != condition,
                    _ => false,
                }
            });
            if is_merged {
                merged.extend(program.sources.get(defined.source.0 as usize));
            }
        }
        for d in &mut told {
            // An element of a sum stands within its rule.
            let is_in = |span: &Span| merged.iter().any(|rule| rule.lo <= span.lo && span.hi <= rule.hi);
            // With another label, the element is one of two with that tuple.
            if let [label] = &d.labels[..]
                && is_in(&label.span)
            {
                (d.severity, d.kind) = (Severity::Warning, Some(lint::WEIGHT_ONCE));
            }
        }
    }
}
