//! Writes lowered programs as facts about themselves, for meta-encodings (`--output=reify`).
//!
//! Atoms have the same numbers as in aspif; equal tuples share one number within a step. Source: Kaminski, Romero,
//! Schaub, Wanko, *How to build your own ASP-based system?!*, TPLP 2023, section on reification.

use std::fmt::Write as _;
use std::io;

use super::atom_table::{AtomId, Literal};
use super::ground_program::{ExternalValue, Objective, Program, ShowItem, TheoryTerm, TheoryTermId, since};
use super::rule::{Body, Head};
use super::written::{Written, number, signed};
use asp_base::map::{Map, Set};
use asp_base::scc;
use asp_base::symbol::{Sym, Symbols, write_quoted};

/// What to write beside the program itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReifyOptions {
    /// Announce that there may be several steps.
    pub incremental: bool,
    /// `scc(component,atom)` for the positive dependency graph.
    pub sccs: bool,
    /// The number of the step as the last argument of each fact; tuples are numbered anew in each step.
    pub steps: bool,
}

/// Writes a program that may grow; each call writes one step.
#[derive(Clone, Debug, Default)]
pub struct ReifyWriter {
    options: ReifyOptions,
    step: usize,
    tuples: Map<(&'static str, Vec<[i64; 2]>), usize>,
    counts: Map<&'static str, usize>,
    components: usize,
    written: Written,
    objectives: Vec<Objective>,
}

impl ReifyWriter {
    /// A writer that has written nothing.
    pub fn new(options: ReifyOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Ends a fact whose last argument has been written.
    fn end(&self, out: &mut String) {
        if self.options.steps {
            let _ = write!(out, ",{}", self.step);
        }
        out.push_str(").\n");
    }

    fn fact(&self, out: &mut String, text: std::fmt::Arguments<'_>) {
        let _ = out.write_fmt(text);
        self.end(out);
    }

    /// The number of a tuple of some kind, which is written if it is new. A row is an element and its weight, or a
    /// position and an element for ordered tuples.
    fn tuple(&mut self, kind: &'static str, rows: Vec<[i64; 2]>, out: &mut String) -> usize {
        let key = (kind, rows);
        if let Some(&id) = self.tuples.get(&key) {
            return id;
        }
        let count = self.counts.entry(kind).or_default();
        let id = *count;
        *count += 1;
        self.fact(out, format_args!("{kind}({id}"));
        let pairs = matches!(kind, "weighted_literal_tuple" | "theory_tuple");
        for [first, second] in &key.1 {
            if pairs {
                self.fact(out, format_args!("{kind}({id},{first},{second}"));
            } else {
                self.fact(out, format_args!("{kind}({id},{first}"));
            }
        }
        self.tuples.insert(key, id);
        id
    }

    fn atoms(&mut self, atoms: &[AtomId], out: &mut String) -> usize {
        let rows = distinct(atoms.iter().map(|&a| number(a)));
        self.tuple("atom_tuple", rows, out)
    }

    fn literals(&mut self, literals: &[Literal], out: &mut String) -> usize {
        let rows = distinct(literals.iter().map(|&l| signed(l)));
        self.tuple("literal_tuple", rows, out)
    }

    /// Weights of equal literals are added up, since facts are a set.
    fn weighted(&mut self, literals: impl Iterator<Item = (Literal, i64)>, out: &mut String) -> usize {
        let mut places: Map<i64, usize> = Map::default();
        let mut rows: Vec<[i64; 2]> = Vec::new();
        for (literal, weight) in literals {
            let place = *places.entry(signed(literal)).or_insert(rows.len());
            match rows.get_mut(place) {
                Some(row) => row[1] = row[1].saturating_add(weight),
                None => rows.push([signed(literal), weight]),
            }
        }
        self.tuple("weighted_literal_tuple", rows, out)
    }

    /// Writes as a step what is new in a lowered program. Errors if `out` does.
    pub fn write(
        &mut self,
        program: &Program,
        symbols: &Symbols,
        sink: &mut dyn io::Write,
    ) -> io::Result<()> {
        debug_assert!(program.is_lowered());
        let mut text = String::new();
        let out = &mut text;
        if self.step == 0 && self.options.incremental {
            out.push_str("tag(incremental).\n");
        }
        if self.options.steps {
            self.tuples.clear();
            self.counts.clear();
        }
        for rule in program.rules.iter().skip(self.written.rules) {
            let head = self.atoms(rule.head.atoms(), out);
            let kind = if matches!(rule.head, Head::Choice(_)) { "choice" } else { "disjunction" };
            match rule.body {
                Body::Normal(literals) => {
                    let body = self.literals(literals, out);
                    self.fact(out, format_args!("rule({kind}({head}),normal({body})"));
                }
                Body::Weight { bound, literals, weights } => {
                    let pairs = literals.iter().copied().zip(weights.iter().copied());
                    let body = self.weighted(pairs, out);
                    self.fact(out, format_args!("rule({kind}({head}),sum({body},{bound})"));
                }
            }
            if out.len() > 1 << 16 {
                sink.write_all(out.as_bytes())?;
                out.clear();
            }
        }
        for objective in program.objectives.iter().rev() {
            if self.objectives.contains(objective) {
                continue;
            }
            let mut literals = objective.literals.clone();
            if objective.constant != 0 {
                // An atom that only the output has, true by a fact.
                let after_all =
                    if self.options.incremental { (1 << 31) - 2 } else { program.atoms.len() as u32 };
                let truth = AtomId(after_all);
                let (head, body) = (self.atoms(&[truth], out), self.literals(&[], out));
                self.fact(out, format_args!("rule(disjunction({head}),normal({body})"));
                literals.push((Literal::pos(truth), objective.constant));
            }
            let tuple = self.weighted(literals.into_iter(), out);
            self.fact(out, format_args!("minimize({},{tuple}", objective.priority));
        }
        for &atom in since(program.project.as_deref().unwrap_or(&[]), self.written.project) {
            self.fact(out, format_args!("project({}", number(atom)));
        }
        let mut terms: Set<(Sym, usize)> = Set::default();
        for show in since(&program.shows, self.written.shows) {
            let tuple = self.literals(program.literals(show.condition), out);
            if let ShowItem::Term(term) = show.item
                && !terms.insert((term, tuple))
            {
                continue;
            }
            out.push_str("output(");
            program.write_shown(show.item, symbols, out);
            self.fact(out, format_args!(",{tuple}"));
        }
        for &(atom, value) in since(&program.externals, self.written.externals) {
            let value = match value {
                ExternalValue::True => "true",
                ExternalValue::False => "false",
                ExternalValue::Free => "free",
                ExternalValue::Release => "release",
            };
            self.fact(out, format_args!("external({},{value}", number(atom)));
        }
        for &literal in since(&program.assumptions, self.written.assumptions) {
            self.fact(out, format_args!("assume({}", signed(literal)));
        }
        for h in since(&program.heuristics, self.written.heuristics) {
            let tuple = self.literals(program.literals(h.condition), out);
            let (atom, modifier) = (number(h.atom), h.modifier.as_str());
            self.fact(out, format_args!("heuristic({atom},{modifier},{},{},{tuple}", h.bias, h.priority));
        }
        for edge in since(&program.edges, self.written.edges) {
            let tuple = self.literals(program.literals(edge.condition), out);
            let [from, to] = self.written.nodes(edge, symbols);
            self.fact(out, format_args!("edge({from},{to},{tuple}"));
        }
        self.theory(program, symbols, out);
        if self.options.sccs {
            for component in components(program, self.written.rules) {
                for atom in component {
                    self.fact(out, format_args!("scc({},{}", self.components, number(atom)));
                }
                self.components += 1;
            }
        }
        self.step += 1;
        self.objectives.clone_from(&program.objectives);
        self.written.note(program);
        sink.write_all(out.as_bytes())
    }

    fn terms(&mut self, terms: &[TheoryTermId], out: &mut String) -> usize {
        let rows = (0..).zip(terms).map(|(i, t)| [i, i64::from(t.0)]).collect();
        self.tuple("theory_tuple", rows, out)
    }

    fn theory(&mut self, program: &Program, symbols: &Symbols, out: &mut String) {
        let theory = &program.theory;
        for (id, term) in theory.terms.iter().enumerate().skip(self.written.theory.0) {
            match term {
                TheoryTerm::Number(n) => self.fact(out, format_args!("theory_number({id},{n}")),
                TheoryTerm::Symbol(name) => {
                    let _ = write!(out, "theory_string({id},");
                    write_quoted(symbols.str(*name), out);
                    self.end(out);
                }
                TheoryTerm::Function(name, args) => {
                    let args = self.terms(args, out);
                    self.fact(out, format_args!("theory_function({id},{},{args}", name.0));
                }
                TheoryTerm::Tuple(args) | TheoryTerm::List(args) | TheoryTerm::Set(args) => {
                    let kind = match term {
                        TheoryTerm::Tuple(_) => "tuple",
                        TheoryTerm::List(_) => "list",
                        _ => "set",
                    };
                    let args = self.terms(args, out);
                    self.fact(out, format_args!("theory_sequence({id},{kind},{args}"));
                }
            }
        }
        for (id, element) in theory.elements.iter().enumerate().skip(self.written.theory.1) {
            let terms = self.terms(&element.terms, out);
            let condition = self.literals(program.literals(element.condition), out);
            self.fact(out, format_args!("theory_element({id},{terms},{condition}"));
        }
        for atom in since(&theory.atoms, self.written.theory.2) {
            let rows = distinct(atom.elements.iter().map(|e| e.0.into()));
            let elements = self.tuple("theory_element_tuple", rows, out);
            let (n, term) = (atom.atom.map_or(0, number), atom.term.0);
            match atom.guard {
                None => self.fact(out, format_args!("theory_atom({n},{term},{elements}")),
                Some((operator, right)) => {
                    let (operator, right) = (operator.0, right.0);
                    self.fact(out, format_args!("theory_atom({n},{term},{elements},{operator},{right}"));
                }
            }
        }
    }
}

/// Each number once, in order of first occurrence.
fn distinct(numbers: impl Iterator<Item = i64>) -> Vec<[i64; 2]> {
    let mut seen = Set::default();
    numbers.filter(|&n| seen.insert(n)).map(|n| [n, 0]).collect()
}

/// Components of two atoms or more of the positive dependency graph of the rules from `start` on, each
/// sorted.
fn components(program: &Program, start: usize) -> Vec<Vec<AtomId>> {
    let size = program.atoms.len();
    let mut successors: Vec<Vec<u32>> = vec![Vec::new(); size];
    for rule in program.rules.iter().skip(start) {
        for head in rule.head.atoms() {
            let positive = rule.body.literals().iter().filter(|l| !l.is_neg());
            successors[head.0 as usize].extend(positive.map(|l| l.atom().0));
        }
    }
    let successor = |atom: u32, i: u32| successors[atom as usize].get(i as usize).copied();
    let mut result = Vec::new();
    scc::components(size, 0..size as u32, successor, |members| {
        if members.len() > 1 {
            let mut component: Vec<AtomId> = members.iter().copied().map(AtomId).collect();
            component.sort_unstable();
            result.push(component);
        }
    });
    result
}
