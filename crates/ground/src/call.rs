//! One grounding call: the rules of the parts are prepared, put in order, and run.
//!
//! Invariant: a call appends to the program; a call that fails leaves errors among the diagnostics.

use super::decisive::Decisive;
use super::function::{Caller, Callers, FunctionCall};
use super::improve;
use super::improve::chase::Keys;
use super::improve::functional::Functional;
use super::improve::lazy::Kept;
use super::instantiate::Instantiator;
use super::join::machine::Machine;
use super::parity::Parity;
use super::readers::Readers;
use super::state::{Endless, Flow, Halt, Messages, Opens, Pending, Progress, State};
use super::texts::Part;
use super::{Externals, GroundError, Grounder, component, spelling, swapped};
use asp_base::diagnostic::{Diagnostic, Severity, WarningKind};
use asp_base::index_vec::IndexVec;
use asp_base::interrupt::{Interrupt, StopReason};
use asp_base::map::Set;
use asp_base::signature::Signature;
use asp_base::span::{Sources, Span};
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_program::defined::drop_dead_tuples;
use asp_program::{AtomId, Program, RuleSource};
use asp_rewrite::constants::{self, Constants};
use asp_rewrite::dependency::{self, Components};
use asp_rewrite::improve::Rewriting;
use asp_rewrite::improve::demand::Hidden;
use asp_rewrite::improve::sharing::Shared;
use asp_rewrite::lint::{self, TERM_COMPARED, columns, kinds, termination};
use asp_rewrite::predicate::{PredId, Predicates};
use asp_rewrite::rule::{Head, Rule, Term};
use asp_rewrite::safety;
use asp_rewrite::translate::translator::Translator;
use asp_rewrite::unify::HeadPatterns;
use asp_syntax::ast::Statement;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::Instant;

/// The number of a call's instances at which a warning says that grounding may not end.
const MANY_INSTANCES: u64 = 1_000_000;
/// After how many instances a review ends if a recursion may not end.
const MOST_OF_ENDLESS: u64 = 20_000;

/// The rules and facts of a call's parts.
#[derive(Default)]
struct Prepared {
    rules: Vec<Rule>,
    facts: Vec<(PredId, Sym)>,
    /// Signatures of `#project p/n.`
    projects: Vec<Signature>,
    /// The components of the rules' predicates.
    components: Components,
    decisive: Decisive,
    /// Warnings about recursion that may not end, for grounding that takes long.
    endless: Vec<Diagnostic>,
}

/// How a call ended.
struct Stopped {
    /// The statement that ran last.
    current: Span,
    /// The expected number of instances.
    outlook: Option<(u64, String)>,
    /// Warnings that nobody has heard of so far.
    untold: Vec<Diagnostic>,
    /// The first constraint that is violated in any case, and the values of its variables.
    refuted: Option<(RuleSource, String)>,
}

/// In which order rules run, and what they may derive.
struct Plan {
    prepared: Prepared,
    components: Components,
    heads: HeadPatterns,
    parity: Parity,
    drops_dead_tuples: bool,
}

impl Plan {
    fn new(
        mut prepared: Prepared,
        predicates: usize,
        frees_theory_atoms: bool,
        in_order: bool,
        symbols: &Symbols,
    ) -> Self {
        let (rules, components) = (&mut prepared.rules, std::mem::take(&mut prepared.components));
        let in_order = in_order && dependency::is_ordered_cheaply(rules, predicates);
        let parity = Parity::of(rules, frees_theory_atoms, in_order);
        let drops_dead_tuples = parity.drops_dead_tuples(rules, &components, symbols);
        let (components, heads) = if parity.by_statements() {
            let components = dependency::order_statements(rules, predicates, in_order, symbols);
            let numbered = components.rules.iter().zip(0..);
            let heads = numbered.flat_map(|(own, c)| own.iter().map(move |&r| (r, c)));
            for &r in &components.from_last {
                let head = &mut rules[r as usize].head;
                if let Head::Aggregate { elements, .. } | Head::Disjunction(elements) = head {
                    elements.reverse();
                }
            }
            let heads = HeadPatterns::of(heads.map(|(r, c)| (&rules[r as usize], Some(c))));
            (components, heads)
        } else {
            (components, HeadPatterns::of(rules.iter().map(|r| (r, None))))
        };
        Self { prepared, components, heads, parity, drops_dead_tuples }
    }
}

/// Whether errors are among diagnostics.
fn fatal(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// Drops "operation undefined" messages whose cause, an undefined term, was reported already.
fn drop_consequences(diagnostics: &mut Vec<Diagnostic>) {
    let place = |d: &Diagnostic| d.labels.first().map(|l| l.span);
    let is = |d: &Diagnostic, kind| d.kind == Some(kind);
    let told: Vec<Span> = diagnostics.iter().filter(|d| is(d, TERM_COMPARED)).filter_map(place).collect();
    let within = |a: Span, b: Span| b.lo <= a.lo && a.hi <= b.hi;
    diagnostics.retain(|d| {
        let follows = |span| told.iter().any(|&t| within(span, t) || within(t, span));
        !(is(d, WarningKind::OperationUndefined) && place(d).is_some_and(follows))
    });
}

impl Grounder {
    /// Grounds parts with their arguments into `program`, after what it already contains.
    pub fn ground(
        &mut self,
        parts: &[(StrId, Vec<Sym>)],
        symbols: &mut Symbols,
        program: &mut Program,
        interrupt: &Interrupt,
        diagnostics: &mut Vec<Diagnostic>,
        callers: Callers<'_>,
    ) -> Result<(), GroundError> {
        let before = diagnostics.len();
        let prepared = self.prepare(parts, symbols, program, interrupt, diagnostics)?;
        let start = Instant::now();
        let places = &self.texts.fact_places;
        let suspects =
            spelling::suspects(&prepared.rules, &prepared.facts, places, &self.predicates, symbols);
        let (rules, objective) = (program.rules.len(), program.minimize.len());
        let definitions = program.definitions.len();
        let together = swapped::together(&prepared.rules, &self.predicates);
        if self.options.review && !prepared.endless.is_empty() {
            let limit = self.options.instance_limit.map_or(MOST_OF_ENDLESS, |n| n.min(MOST_OF_ENDLESS));
            self.options.instance_limit = Some(limit);
        }
        // Those over integers say something of their own.
        let frees_theory_atoms = !self.texts.theories.integers;
        let plan = Plan::new(
            prepared,
            self.predicates.len(),
            frees_theory_atoms,
            self.options.gringo_order,
            symbols,
        );
        let sources = callers.sources;
        let (result, stopped) = self.run(plan, symbols, program, interrupt, diagnostics, callers);
        self.recorder.journal.nanoseconds += start.elapsed().as_nanos() as u64;
        if result.is_err() || self.options.review {
            diagnostics.extend(stopped.untold);
        }
        match result {
            Ok(()) if fatal(&diagnostics[before..]) => Err(GroundError::Invalid),
            Ok(()) => {
                if !self.options.gringo_order {
                    drop_consequences(diagnostics);
                }
                self.report_misspelt(&suspects, symbols, diagnostics);
                self.report_outside(&suspects, sources, symbols, diagnostics);
                self.report_columns(&suspects, &together, symbols, diagnostics);
                self.report_constant_objective(program, objective, diagnostics);
                self.report_idle_objective(program, symbols, diagnostics);
                Self::warn_of_merged_weights(program, (definitions, objective), diagnostics);
                self.report_refuted(program, rules, stopped.refuted, diagnostics);
                Ok(())
            }
            Err(Halt::Failed | Halt::TooMany) => Err(GroundError::Invalid),
            Err(Halt::Stopped(reason)) => {
                if reason == StopReason::MemoryLimit && !stopped.current.is_none() {
                    let message = format!("grounding was stopped after {} instances", self.instances);
                    let mut remark =
                        Diagnostic::remark(message).label(stopped.current, "this was being instantiated");
                    if let Some((expected, why)) = stopped.outlook {
                        remark = remark.help(format!("about {expected} instances are expected: {why}"));
                    }
                    diagnostics.push(remark);
                }
                Err(GroundError::Stopped(reason))
            }
        }
    }

    /// The rules and facts of the parts, safe and without lints unreported, with the components of their predicates.
    fn prepare(
        &mut self,
        parts: &[(StrId, Vec<Sym>)],
        symbols: &mut Symbols,
        program: &mut Program,
        interrupt: &Interrupt,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Prepared, GroundError> {
        let before = diagnostics.len();
        let go_on = || interrupt.poll().map_or(Ok(()), |reason| Err(GroundError::Stopped(reason)));
        let statements = self.texts.parts.iter().flat_map(|p| &p.statements[p.checked..]);
        self.texts.theories.add_integers(statements.flat_map(Statement::theory_atoms), symbols);
        program.theory.integers = self.texts.theories.integers;
        program.integers.functions = self.texts.kept.clone();
        if !self.options.review {
            self.check_theory_atoms(parts, symbols, diagnostics);
        }
        let (mut prepared, facts) = self.translate(parts, symbols, program, interrupt, diagnostics);
        go_on()?;
        if self.options.review {
            self.review_other_parts(parts, symbols, diagnostics);
        }
        let constants = &self.texts.constants;
        prepared.rules.retain_mut(|r| go_on().is_ok() && safety::check(r, constants, symbols, diagnostics));
        go_on()?;
        // Under review, errors of parsing count, too: the program is incomplete.
        let invalid = fatal(if self.options.review { diagnostics } else { &diagnostics[before..] });
        if invalid && !self.options.review {
            return Err(GroundError::Invalid);
        }
        prepared.facts =
            facts.into_iter().filter_map(|f| Some((define(f, &mut self.predicates, symbols)?, f))).collect();
        let later = self.later_facts(parts, symbols);
        self.report_undefined(&later, (&prepared.rules, &prepared.facts), symbols, diagnostics);
        self.make_domains();
        self.note_externals(program);
        let Prepared { rules, facts, components, decisive, endless, .. } = &mut prepared;
        // Rewritten rules are not what was written.
        lint::check(rules, facts, &self.predicates, symbols, &mut self.reports.lints, diagnostics);
        *decisive = Decisive::of(rules, &self.externals.predicates);
        if self.options.rewritings.has(Rewriting::Denial) {
            let domains = &self.domains;
            let given: Set<PredId> = facts.iter().map(|f| f.0).collect();
            let stays = |p: PredId| domains[p].len() > 0 || given.contains(&p) || decisive.contains(p);
            let journal = self.options.explain.then_some(&mut self.recorder.journal);
            improve::deny(rules, stays, &self.predicates, symbols, journal);
        }
        *components = dependency::order(rules, self.predicates.len());
        let (predicates, lints) = (&self.predicates, &mut self.reports.lints);
        columns::check(rules, facts, &self.texts.fact_places, predicates, symbols, lints, diagnostics);
        termination::endless(rules, facts, components, symbols, lints, endless);
        let is_first = !self.reports.whole;
        self.report_whole(symbols, diagnostics);
        if self.texts.unread.is_empty() && self.texts.parts.len() == 1 && is_first {
            let (predicates, domains, lints) = (&self.predicates, &self.domains, &mut self.reports.lints);
            let is_open = &|p: PredId| domains[p].len() > 0;
            let elsewhere = kinds::Elsewhere { is_open, constants: &self.texts.constants };
            kinds::check(rules, facts, elsewhere, predicates, symbols, lints, diagnostics);
        }
        self.report_unmatched_shows(&later, symbols, diagnostics);
        self.report_shown_constants(symbols, diagnostics);
        self.report_replaced_parameters(symbols, diagnostics);
        if invalid { Err(GroundError::Invalid) } else { Ok(prepared) }
    }

    /// The parts' statements as rules, and their facts, with constants replaced. Incomplete if interrupted.
    fn translate(
        &mut self,
        parts: &[(StrId, Vec<Sym>)],
        symbols: &mut Symbols,
        program: &mut Program,
        interrupt: &Interrupt,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> (Prepared, Vec<Sym>) {
        self.projections.begin();
        let in_order = self.options.gringo_order;
        let (predicates, projections) = (&mut self.predicates, &mut self.projections);
        let theories = &self.texts.theories;
        let mut rules_of = |statements: &mut dyn Iterator<Item = &Statement>,
                            values: &Constants,
                            symbols: &mut Symbols,
                            predicates: &mut Predicates| {
            let mut translator =
                Translator::new(symbols, predicates, values, theories, projections, diagnostics);
            translator.from_last = in_order;
            for s in statements.take_while(|_| interrupt.poll().is_none()) {
                let source = RuleSource(program.sources.len() as u32);
                program.sources.push(s.span);
                translator.statement(s, source);
            }
            translator.rules
        };
        let (mut prepared, mut facts, mut said) = (Prepared::default(), Vec::new(), Vec::new());
        for (part, args) in chosen(&self.texts.parts, parts, in_order) {
            // As in gringo, a constant replaces a parameter of its name, and parameters replace names in its value.
            let mut values: Constants = part.params.iter().copied().zip(args.iter().copied()).collect();
            let given = if values.is_empty() { None } else { Some(values.clone()) };
            values.extend(self.texts.constants.iter().map(|(&name, &value)| {
                let replaced = given.as_ref().and_then(|given| constants::replace(value, given, symbols));
                (name, replaced.unwrap_or(value))
            }));
            let mut rules = part.statements.iter().filter(|s| !in_order || part.fixed_fact(s).is_none());
            prepared.rules.append(&mut rules_of(&mut rules, &values, symbols, predicates));
            prepared.projects.extend_from_slice(&part.projects);
            if !in_order {
                facts.extend(replaced(&part.facts, &values, symbols));
                continue;
            }
            // With parameters they are rules.
            let mut is_rule = |fact: &Sym| {
                given.as_ref().is_some_and(|given| replace_in_atom(*fact, given, symbols) != Some(*fact))
            };
            let (rules, fixed): (Vec<Sym>, Vec<Sym>) = part.facts.iter().partition(|fact| is_rule(fact));
            for fact in replaced(&rules, &values, symbols) {
                define(fact, predicates, symbols);
                facts.push(fact);
            }
            said.push((part, fixed, values));
        }
        // gringo takes facts up after rules: of each part those of negated atoms last, and those of pools after the others.
        for ((part, fixed, values), negative) in said.iter().flat_map(|said| [(said, false), (said, true)]) {
            for fact in replaced(fixed, values, symbols) {
                if matches!(symbols.view(fact), SymView::Fun { negative: n, .. } if n == negative) {
                    define(fact, predicates, symbols);
                    facts.push(fact);
                }
            }
            let is_one = |s: &&Statement| part.fixed_fact(s).is_some_and(|a| a.negative == negative);
            let mut pools = part.statements.iter().filter(is_one);
            for rule in rules_of(&mut pools, values, symbols, predicates) {
                match as_fact(&rule, predicates, symbols) {
                    Some(fact) => facts.push(fact),
                    None => prepared.rules.push(rule),
                }
            }
        }
        (prepared, facts)
    }

    /// Takes note of the predicates of atoms that became external since the last call.
    fn note_externals(&mut self, program: &Program) {
        let Externals { predicates, seen } = &mut self.externals;
        for &(atom, _) in program.externals.get(*seen..).unwrap_or_default() {
            let signature = program.atoms.get(atom).map(|(signature, _)| signature);
            predicates.extend(signature.and_then(|s| self.predicates.find(s)));
        }
        *seen = program.externals.len();
    }

    /// The predicates whose atoms are left out unless a rule of this call reads them.
    fn hidden(&self, rules: &[Rule], facts: &[(PredId, Sym)]) -> Hidden {
        let (options, shown) = (&self.options, &self.texts.shows.signatures);
        let wanted = [Rewriting::Demand, Rewriting::Unfolding].into_iter().any(|r| options.rewritings.has(r));
        if !options.answers_only || !wanted || self.texts.query.is_some() {
            return Hidden::default();
        }
        let projected = |signature| self.texts.parts.iter().any(|part| part.projects.contains(&signature));
        let facts: Set<PredId> = facts.iter().map(|f| f.0).collect();
        let has_atoms = |p: PredId| {
            let signature = self.predicates[p].signature;
            let opposite = Signature { negative: !signature.negative, ..signature };
            self.predicates[p].auxiliary
                || self.domains[p].len() > 0
                || self.predicates.find(opposite).is_some()
                || facts.contains(&p)
        };
        Hidden::of(rules, self.predicates.len(), has_atoms, |p| {
            let signature = self.predicates[p].signature;
            shown.as_ref().is_none_or(|shown| shown.contains(&signature)) || projected(signature)
        })
    }

    /// Runs the rules and writes what follows from their atoms; also returns the statement that ran last.
    fn run(
        &mut self,
        mut plan: Plan,
        symbols: &mut Symbols,
        program: &mut Program,
        interrupt: &Interrupt,
        diagnostics: &mut Vec<Diagnostic>,
        Callers { caller, listener, .. }: Callers<'_>,
    ) -> (Flow, Stopped) {
        let untold = std::mem::take(&mut plan.prepared.endless);
        let listener = listener.map(|hear| hear as &mut dyn FnMut(&Diagnostic));
        let warning = RefCell::new(Endless { listener, untold, after: self.instances + MANY_INSTANCES });
        let Prepared { rules, facts, projects, decisive, .. } = &plan.prepared;
        let first_atom = AtomId(program.atoms.len() as u32);
        let first_tuple = program.minimize.len();
        let readers = Readers::new(rules, self.hidden(rules, facts), decisive);
        // Functions of a script that was not read have no values here, which is not a mistake.
        let mut unread = |_: &mut Symbols, _: &FunctionCall<'_>| Ok(Vec::new());
        let sources = Sources::default();
        let is_unread = self.options.review && self.texts.unread.texts && caller.is_none();
        let caller =
            if is_unread { Some(Caller { functions: &mut unread, sources: &sources }) } else { caller };
        let mut state = State {
            symbols,
            program,
            complete: IndexVec::from_elem(false, self.domains.len()),
            domains: &mut self.domains,
            predicates: &mut self.predicates,
            pending: Pending { heads: &plan.heads, component: 0 },
            parity: plan.parity,
            options: &self.options,
            opens: Opens::default(),
            closed: Set::default(),
            messages: Messages {
                diagnostics,
                reported: &mut self.reports.places,
                constants: &self.texts.constants,
                failed: false,
                undefined: 0,
                refuted: None,
            },
            progress: Progress {
                interrupt,
                instances: self.instances,
                most: u64::MAX,
                current: Span::NONE,
                outlook: None,
            },
            caller,
            warning,
            first_atom,
        };
        state.add_facts(facts);
        let mut run = Instantiator {
            machine: Machine::new(state),
            theory: &mut self.theory,
            recorder: &mut self.recorder,
            shared: Shared::default(),
            functional: Functional::default(),
            keys: Keys::default(),
            readers,
            kept: Kept::default(),
        };
        let result = component::run_all(&mut run, rules, &plan.components);
        let state = &mut run.machine.state;
        let result = result.and_then(|()| {
            if !run.kept.batch.constraints.is_empty() {
                state.program.lazy.push(Arc::new(run.kept.batch));
            }
            run.theory.drop_unused(state.program);
            state.write_consistency(&mut self.written.consistent);
            state.write_shows(self.texts.shows.signatures.as_deref(), &mut self.written.shown);
            state.write_projection(projects, &mut self.written.projected);
            if plan.drops_dead_tuples {
                drop_dead_tuples(state.program, first_tuple);
            }
            state.poll()
        });
        let closed = state.closed.iter().map(|&p| state.predicates[p].signature);
        run.recorder.journal.closed.extend(closed);
        self.instances = state.progress.instances;
        let untold = std::mem::take(&mut state.warning.get_mut().untold);
        let (current, outlook) = (state.progress.current, state.progress.outlook.take());
        let refuted = state.messages.refuted.take();
        (result, Stopped { current, outlook, untold, refuted })
    }
}

/// The predicate of a fact, which is defined from now on.
pub(super) fn define(fact: Sym, predicates: &mut Predicates, symbols: &Symbols) -> Option<PredId> {
    let SymView::Fun { name, args, negative } = symbols.view(fact) else { return None };
    let pred = predicates.get(Signature { name, arity: args.len() as u32, negative });
    predicates[pred].defined = true;
    Some(pred)
}

/// The fact that a rule says without a body, variables and arithmetic.
fn as_fact(rule: &Rule, predicates: &Predicates, symbols: &mut Symbols) -> Option<Sym> {
    let Head::Atom(atom) = &rule.head else { return None };
    if !rule.body.is_empty() {
        return None;
    }
    let value = |term: &Term| if let Term::Sym(value) = term { Some(*value) } else { None };
    let args = atom.args.iter().map(value).collect::<Option<Vec<Sym>>>()?;
    let Signature { name, negative, .. } = predicates[atom.pred].signature;
    Some(symbols.fun(name, &args, negative))
}

/// The parts of a call, with their arguments, in the order of the text, as in gringo.
fn chosen<'p, 'w>(
    all: &'p [Part],
    wanted: &'w [(StrId, Vec<Sym>)],
    in_order: bool,
) -> Vec<(&'p Part, &'w [Sym])> {
    let fitting = |wanted: &'w (StrId, Vec<Sym>)| {
        all.iter().enumerate().filter(|p| p.1.fits(wanted)).map(|(at, part)| (at, part, &wanted.1[..]))
    };
    let mut chosen: Vec<(usize, &Part, &[Sym])> = wanted.iter().flat_map(fitting).collect();
    if in_order {
        chosen.sort_by_key(|c| c.0);
    }
    chosen.into_iter().map(|(_, part, args)| (part, args)).collect()
}

/// Facts with their constants replaced, without those whose arguments have no value.
fn replaced(facts: &[Sym], values: &Constants, symbols: &mut Symbols) -> Vec<Sym> {
    if values.is_empty() {
        return facts.to_vec();
    }
    facts.iter().filter_map(|&fact| replace_in_atom(fact, values, symbols)).collect()
}

/// Replaces constants in the arguments of a fact; `None` if one of them has no value. A predicate's own name is never
/// replaced.
fn replace_in_atom(f: Sym, values: &Constants, symbols: &mut Symbols) -> Option<Sym> {
    let SymView::Fun { name, args, negative } = symbols.view(f) else { return Some(f) };
    let args: Vec<Sym> = args.to_vec();
    let replaced: Vec<Sym> =
        args.iter().map(|&a| constants::replace(a, values, symbols)).collect::<Option<_>>()?;
    Some(if args == replaced { f } else { symbols.fun(name, &replaced, negative) })
}
