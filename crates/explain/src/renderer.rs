//! Ground rules and atoms as text.
//!
//! Invariant: atoms are written as in answer sets; auxiliary atoms are described by what they stand for.

mod absent;
pub(crate) mod aggregates;
mod always;
mod auxiliary;

use absent::{Absent, underived};
use std::cell::{OnceCell, RefCell};
use std::fmt::Display;

use super::inquiry::Inquiry;
use super::inquiry::items::{self, Origin};
use super::matching::Matcher;
use super::tree::SourcePlace;
use super::{atom, optimal, steps};
use asp_base::map::{Map, Set};
use asp_base::signature::Signature;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, Symbols};
use asp_program::ground_program::{Definition, Function, Guard, HeadAggregate, HeadElement, TheoryAtom};
use asp_program::integers::Variable;
use asp_program::integers::column::Column;
use asp_program::rule::{Body, Head, RuleRef};
use asp_program::{AtomId, AtomTable, Literal, RuleId, integers, text};
use asp_syntax::ast::{self, StatementKind};

/// How many elements of an aggregate are listed.
const MAX_LISTED: usize = 9;
/// How many characters of a source line are shown.
const WIDTH: usize = 160;

/// Describes ground rules of an inquiry.
pub struct Renderer<'a> {
    inquiry: &'a Inquiry,
    /// By atom: the index of its definition.
    definitions: Map<AtomId, usize>,
    /// By atom without a name or a definition: the rules that derive it.
    derived: Map<AtomId, Vec<RuleId>>,
    /// By atom: the index of its theory atom.
    theory: Map<AtomId, usize>,
    /// By atom: the integer variable and the value that it has where the literal holds.
    values: Map<AtomId, (usize, i64, bool)>,
    /// By atom: the integer variable that it is a binary digit of.
    digits: Map<AtomId, usize>,
    /// What the facts alone derive: elements of aggregates are written without it.
    certain: OnceCell<Set<AtomId>>,
    /// What holds written literals against atoms.
    matcher: OnceCell<RefCell<Matcher<'a>>>,
    /// The names of the parameters of program parts.
    parameters: OnceCell<Vec<StrId>>,
}

impl<'a> Renderer<'a> {
    /// Renderer for an inquiry.
    pub fn new(inquiry: &'a Inquiry) -> Self {
        let definitions =
            inquiry.program().definitions.iter().enumerate().map(|(i, d)| (d.atom, i)).collect();
        let program = inquiry.program();
        let mut derived: Map<AtomId, Vec<RuleId>> = Map::default();
        for (i, rule) in program.rules.iter().enumerate() {
            if let &[atom] = rule.head.atoms()
                && program.atoms.get(atom).is_none()
            {
                derived.entry(atom).or_default().push(RuleId(i as u32));
            }
        }
        let theory = program.theory.atoms.iter().zip(0..);
        let theory = theory.filter_map(|(a, i)| Some((a.atom?, i))).collect();
        let mut values = Map::default();
        for (variable, known) in program.integers.variables.iter().enumerate() {
            for (value, literal) in known.column.iter().flat_map(Column::entries) {
                values.entry(literal.atom()).or_insert((variable, value, literal.is_neg()));
            }
        }
        let digits = program.integers.digits().map(|(literal, variable, _)| (literal.atom(), variable));
        let digits = digits.collect();
        Self {
            inquiry,
            definitions,
            derived,
            theory,
            values,
            digits,
            certain: OnceCell::new(),
            matcher: OnceCell::new(),
            parameters: OnceCell::new(),
        }
    }

    pub fn atom(&self, atom: AtomId) -> String {
        self.atom_within(atom, 3)
    }

    /// Whether a literal is about the atom that a definition is of.
    pub(crate) fn defines(&self, definition: u32, literal: Literal) -> bool {
        self.inquiry.program().definitions[definition as usize].atom == literal.atom()
    }

    /// Whether an atom stands for a tuple that counts.
    pub(crate) fn is_cost(&self, atom: AtomId) -> bool {
        self.inquiry.sayings.contains_key(&atom) && self.inquiry.program().atoms.get(atom).is_none()
    }

    /// An atom as answer sets show it.
    pub(crate) fn name(&self, atom: AtomId) -> String {
        name_of(&self.inquiry.program().atoms, atom, self.inquiry.symbols())
    }

    /// The values in an answer set of the integer variables of a constraint, if this is one and they are few.
    pub(crate) fn values_in(&self, atom: AtomId, model: &[bool]) -> Option<String> {
        let program = self.inquiry.program();
        let constraint = program.theory.integers.then(|| self.theory.get(&atom)).flatten()?;
        let holds = |l: Literal| model.get(l.atom().0 as usize).is_some_and(|&held| held != l.is_neg());
        let value = |variable: &Variable| {
            let known = &program.integers.variables[variable.0 as usize];
            Some(self.value(known.name, known.value(holds)?))
        };
        let variables = integers::variables_of(program, &program.theory.atoms[*constraint]);
        let values: Vec<String> = variables.iter().map(value).collect::<Option<_>>()?;
        (1..=8).contains(&values.len()).then(|| values.join(", "))
    }

    /// The value in an answer set of the integer variable of a claim, such as `x = 2`.
    pub fn variable_in(&self, text: &str, model: &[bool]) -> Option<String> {
        let (program, symbols) = (self.inquiry.program(), self.inquiry.symbols());
        let (name, ..) = atom::claim(text)?;
        let known = program.integers.variables.iter().find(|known| symbols.display(known.name) == name)?;
        let holds = |l: Literal| model.get(l.atom().0 as usize).is_some_and(|&held| held != l.is_neg());
        Some(self.value(known.name, known.value(holds)?))
    }

    /// An integer variable with its value.
    pub fn value(&self, name: Sym, value: i64) -> String {
        format!("{} = {value}", self.inquiry.symbols().display(name))
    }

    fn atom_within(&self, atom: AtomId, depth: u32) -> String {
        let program = self.inquiry.program();
        if let Some(saying) = self.inquiry.sayings.get(&atom) {
            return saying.yes.clone();
        }
        if let (None, Some(&i), true) = (program.atoms.get(atom), self.definitions.get(&atom), depth > 0) {
            return self.definition(&program.definitions[i].definition, depth - 1);
        }
        if let Some(&i) = self.theory.get(&atom) {
            return self.theory_atom(&program.theory.atoms[i]);
        }
        if let Some(&(variable, value, negative)) = self.values.get(&atom) {
            let name = self.inquiry.symbols().display(program.integers.variables[variable].name);
            return format!("{name} {} {value}", if negative { "!=" } else { "=" });
        }
        if let Some(&variable) = self.digits.get(&atom) {
            let name = self.inquiry.symbols().display(program.integers.variables[variable].name);
            return format!("a part of the value of {name}");
        }
        if program.atoms.get(atom).is_none() {
            return self.condition(atom, depth);
        }
        name_of(&program.atoms, atom, self.inquiry.symbols())
    }

    /// A theory atom. One over integers as it is written, a domain with the name of its variable; if it has variables, its instance
    /// without the numbers that tell elements apart.
    fn theory_atom(&self, atom: &TheoryAtom) -> String {
        let (program, symbols) = (self.inquiry.program(), self.inquiry.symbols());
        let Some(place) = self.place_of(atom.span).filter(|_| program.theory.integers) else {
            return text::theory::theory_atom(program, symbols, atom);
        };
        let is_domain = integers::name_of(program, symbols, atom) == Some("dom");
        let variable = atom.guard.filter(|_| is_domain);
        let variable = variable.and_then(|(_, term)| program.integers.symbol(term.0 as usize));
        match (variable, place.text.rsplit_once('=')) {
            _ if self.has_parameter(&place.text) => self.constraint_instance(atom),
            (Some(name), Some((before, _))) => format!("{before}= {}", symbols.display(name)),
            _ if has_variable(&place.text) => self.constraint_instance(atom),
            _ => place.text,
        }
    }

    /// Whether a parameter of a program part is a word of a text.
    fn has_parameter(&self, text: &str) -> bool {
        let parameters = self.parameters.get_or_init(|| steps::parameters(self.inquiry));
        !parameters.is_empty()
            && words(text).any(|word| parameters.iter().any(|&p| self.inquiry.symbols().str(p) == word))
    }

    /// The instance of a constraint over integers.
    fn constraint_instance(&self, atom: &TheoryAtom) -> String {
        let (program, symbols) = (self.inquiry.program(), self.inquiry.symbols());
        let term = |id| {
            let text = text::theory::theory_term(program, symbols, id);
            without_parentheses(&text).to_string()
        };
        let name = integers::name_of(program, symbols, atom).unwrap_or_default();
        let name = name.strip_prefix("__").and_then(|n| n.rsplit_once('_')).map_or(name, |(name, _)| name);
        let elements = atom.elements.iter().map(|&id| {
            let element = &program.theory.elements[id.0 as usize];
            let own = element.terms.first().map_or(String::new(), |&id| term(id));
            self.under(own, program.literals(element.condition), 1)
        });
        let guard = atom.guard.map(|(operator, right)| {
            format!(" {} {}", text::theory::theory_term(program, symbols, operator), term(right))
        });
        let elements = list(elements, "; ");
        let blank = if elements.is_empty() { "" } else { " " };
        format!("&{name} {{{blank}{elements} }}{}", guard.unwrap_or_default())
    }

    pub fn literal(&self, literal: Literal) -> String {
        self.literal_within(literal, 3)
    }

    fn literal_within(&self, literal: Literal, depth: u32) -> String {
        if literal.is_neg()
            && let Some(text) = self.opposite(literal.atom(), depth)
        {
            return text;
        }
        let atom = self.atom_within(literal.atom(), depth);
        let is_joined = self.is_joined(literal.atom(), &atom);
        if !literal.is_neg() {
            if is_joined { format!("({atom})") } else { atom }
        } else if is_joined {
            format!("not ({atom})")
        } else if let Some(saying) = self.inquiry.sayings.get(&literal.atom()) {
            saying.no.clone()
        } else if let Some(inner) = atom.strip_prefix("not ") {
            inner.to_string()
        } else {
            format!("not {atom}")
        }
    }

    /// Whether the text of what an atom stands for has several parts.
    fn is_joined(&self, atom: AtomId, text: &str) -> bool {
        let program = self.inquiry.program();
        let definition = self.definitions.get(&atom).map(|&i| &program.definitions[i].definition);
        let has_parts = match definition {
            Some(definition) => matches!(definition, Definition::Conjunction { .. }),
            None => self.derived.contains_key(&atom) && !self.inquiry.sayings.contains_key(&atom),
        };
        has_parts && [" and ", " or ", " if ", "; "].iter().any(|word| text.contains(word))
    }

    fn literals<'s>(&'s self, literals: &'s [Literal], depth: u32) -> impl ExactSizeIterator<Item = String> {
        literals.iter().map(move |&l| self.literal_within(l, depth))
    }

    /// Text under a condition: as it is, if there is none.
    fn under(&self, text: String, condition: &[Literal], depth: u32) -> String {
        let condition = self.literals(condition, depth);
        if condition.len() == 0 { text } else { format!("{text} if {}", and(condition)) }
    }

    /// What a ground rule requires.
    pub fn demand(&self, origin: Origin) -> String {
        let program = self.inquiry.program();
        match origin {
            Origin::Rule(id) => {
                let rule = program.rules.get(id);
                if let Some(text) = optimal::demand(self.inquiry, id) {
                    return text;
                }
                match rule.body {
                    Body::Normal([]) if rule.head.atoms().is_empty() => {
                        self.always(self.inquiry.span(rule.source))
                    }
                    _ => self.rule(&rule),
                }
            }
            Origin::Bounds(i) => {
                let rule = &program.head_aggregates[i as usize];
                let body = self.literals(program.literals(rule.body), 2);
                let demand = self.bounds(self.written(rule), rule.set, &rule.guards, &rule.elements);
                if body.len() == 0 { demand } else { format!("if {}, then {demand}", and(body)) }
            }
            Origin::Disjunction(i) => {
                let rule = &program.disjunctions[i as usize];
                let heads = rule.elements.iter().map(|e| {
                    let head = list(self.literals(program.literals(e.head), 2), " or ");
                    let condition = self.literals(program.literals(e.condition), 2);
                    if condition.len() == 0 { head } else { format!("{head} (where {})", and(condition)) }
                });
                let heads: Vec<String> = heads.collect();
                let body = self.literals(program.literals(rule.body), 2);
                let demand = format!("{} must hold", list(&heads, " or "));
                if body.len() == 0 { demand } else { format!("if {}, then {demand}", and(body)) }
            }
            Origin::Edge(i) => {
                let edge = &program.edges[i as usize];
                let end = |t: Sym| self.inquiry.symbols().display(t);
                let when = self.under(String::new(), program.literals(edge.condition), 2);
                format!("the edge from {} to {}{when} must not lie on a cycle", end(edge.from), end(edge.to))
            }
            Origin::Definition(i) => self.definition(&program.definitions[i as usize].definition, 2),
            Origin::Support(atom) => format!("{} needs a rule that derives it", self.atom(atom)),
            Origin::Given(atom) => format!("the value of {} is given", self.atom(atom)),
        }
    }

    /// Literals of a body and those that are left out of it, each once.
    fn told(&self, literals: &[Literal], absent: &[Absent]) -> Vec<String> {
        let mut told: Vec<String> = Vec::new();
        for text in self.literals(literals, 2).chain(absent.iter().map(|a| a.text.clone())) {
            if !told.contains(&text) {
                told.push(text);
            }
        }
        told
    }

    fn rule(&self, rule: &RuleRef<'_>) -> String {
        let (head, body) = (rule.head, rule.body);
        let heads: Vec<String> = head.atoms().iter().map(|&a| self.atom_within(a, 2)).collect();
        let constraint = heads.is_empty();
        match body {
            Body::Normal([]) if constraint => "its body always holds".into(),
            Body::Normal([]) => {
                let (absent, heads) = (self.absent(rule), list(&heads, " or "));
                match absent.is_empty() {
                    true if self.has_body(rule) => format!("{heads} holds whatever is chosen"),
                    true => format!("{heads} holds"),
                    false => {
                        format!("{heads} holds if {}{}", and(self.told(&[], &absent)), underived(&absent))
                    }
                }
            }
            Body::Normal(literals) => {
                let absent = self.absent(rule);
                let parts = self.told(literals, &absent);
                let is_one = parts.len() == 1;
                let body = and(parts);
                if let (true, true, Some(one)) = (constraint, is_one, literals.first()) {
                    let must = if one.is_neg() { "must hold" } else { "must not hold" };
                    format!("{} {must}", self.atom_within(one.atom(), 2))
                } else if constraint {
                    format!("{body} must not hold together{}", underived(&absent))
                } else if let [one] = head.atoms()
                    && self.inquiry.sayings.contains_key(one)
                {
                    format!("{} if {body}", heads[0])
                } else {
                    format!("{} holds if {body}", list(&heads, " or "))
                }
            }
            Body::Weight { bound, literals, weights } => {
                let parts = self.literals(literals, 2);
                let counts = weights.iter().all(|&w| w == 1);
                if constraint && counts {
                    return format!("at most {} may hold of {}", bound.saturating_sub(1), list(parts, ", "));
                }
                let sum = self.sum(literals, weights, 2);
                if constraint {
                    format!("{sum} must be less than {bound}")
                } else {
                    format!("{} holds if {sum} is at least {bound}", list(&heads, " or "))
                }
            }
        }
    }

    /// A sum of weights.
    fn sum(&self, literals: &[Literal], weights: &[i64], depth: u32) -> String {
        let weighted = self.literals(literals, depth).zip(weights).map(|(text, w)| format!("{w}: {text}"));
        format!("the sum of {{ {} }}", list(weighted, "; "))
    }

    /// Whether the statement of a rule has a body.
    fn has_body(&self, rule: &RuleRef<'_>) -> bool {
        let statement = self.inquiry.statement(self.inquiry.span(rule.source));
        statement.is_some_and(|s| matches!(&s.kind, StatementKind::Rule { body, .. } if !body.is_empty()))
    }

    /// The function of a head aggregate as its statement has it: without negative weights, `#sum+` is ground as `#sum`.
    fn written(&self, rule: &HeadAggregate) -> Function {
        let (program, symbols) = (self.inquiry.program(), self.inquiry.symbols());
        let statement = self.inquiry.statement(self.inquiry.span(rule.source)).map(|s| &s.kind);
        let positive = |e: &HeadElement| {
            program.terms(e.tuple).first().and_then(|&t| symbols.as_num(t)).is_none_or(|n| n >= 0)
        };
        match statement {
            Some(StatementKind::Rule { head, .. })
                if matches!(
                    head.kind,
                    ast::HeadKind::Aggregate { function: ast::AggregateFunction::SumPlus, .. }
                ) && rule.elements.iter().all(positive) =>
            {
                Function::SumPlus
            }
            _ => rule.function,
        }
    }

    fn bounds(&self, function: Function, set: bool, guards: &[Guard], elements: &[HeadElement]) -> String {
        let program = self.inquiry.program();
        let part = |e: &HeadElement| {
            let atom = match e.atom {
                Some(atom) => self.atom_within(atom, 2),
                // The tuple of a set's element ends with its atom.
                None if set => program
                    .terms(e.tuple)
                    .last()
                    .map_or(String::new(), |&t| self.inquiry.symbols().display(t)),
                None => "(a fact)".into(),
            };
            let atom = self.under(atom, program.literals(e.condition), 2);
            if set { atom } else { self.element(false, program.terms(e.tuple), atom) }
        };
        let elements: Vec<_> = elements.iter().filter(|e| !self.never_holds(e.condition)).collect();
        let parts = elements.iter().map(|e| part(e));
        match self.how_many(function, guards) {
            Some(how_many) if elements.is_empty() => {
                format!("{how_many} must hold, and there is none to choose")
            }
            Some(how_many) => format!("{how_many} {} hold of {}", verb(&how_many), list(parts, ", ")),
            None => format!("{} must hold", self.aggregate(function, set, guards, parts)),
        }
    }

    /// Why a ground rule forces a literal, from the literal's point of view.
    pub(crate) fn forces(&self, origin: Origin, literal: Literal) -> String {
        let program = self.inquiry.program();
        match origin {
            Origin::Bounds(i) => {
                let rule = &program.head_aggregates[i as usize];
                let inside = rule.elements.iter().any(|e| e.atom == Some(literal.atom()));
                let all = rule.elements.iter().filter(|e| !self.never_holds(e.condition)).count();
                match self.how_many(rule.function, &rule.guards).filter(|_| inside) {
                    Some(how_many) if literal.is_neg() => {
                        format!("{how_many} of {all} {} hold", verb(&how_many))
                    }
                    Some(how_many) => {
                        let verb = verb(&how_many);
                        format!("no other is left where {how_many} of {all} {verb} hold")
                    }
                    None => self.demand(origin),
                }
            }
            Origin::Rule(id) => {
                let rule = program.rules.get(id);
                let Body::Normal(body) = rule.body else { return self.demand(origin) };
                let is_certain = body.is_empty() && !rule.head.atoms().is_empty();
                if is_certain && self.has_body(&rule) && self.absent(&rule).is_empty() {
                    return "by this rule, whatever is chosen".into();
                }
                if !body.contains(&!literal) {
                    return self.demand(origin);
                }
                let others: Vec<Literal> = body.iter().copied().filter(|&l| l != !literal).collect();
                let absent = self.absent(&rule);
                let others = self.told(&others, &absent);
                let number = others.len() + 1;
                let others = format!("{}{}", and(others), underived(&absent));
                // What is said by the opposite bound is said to hold.
                let denied = literal.is_neg() && self.opposite(literal.atom(), 3).is_none();
                match (rule.head, denied, number) {
                    (Head::Disjunction([]), true, 1) => "must not hold".into(),
                    (Head::Disjunction([]), false, 1) => "must hold".into(),
                    (Head::Disjunction([]), true, _) => format!("must not hold together with {others}"),
                    (Head::Disjunction([]), false, _) => format!("must hold if {others}"),
                    _ => self.demand(origin),
                }
            }
            _ => self.demand(origin),
        }
    }

    /// The place of the statement that a ground rule comes from.
    pub(crate) fn place(&self, origin: Origin) -> Option<SourcePlace> {
        let program = self.inquiry.program();
        let tuple = match origin {
            Origin::Rule(id) => {
                program.rules.get(id).head.atoms().first().and_then(|a| self.inquiry.tuples.get(a))
            }
            _ => None,
        };
        self.place_of(tuple.copied().unwrap_or_else(|| self.inquiry.span(items::source(program, origin))))
    }

    /// The place of a span, with its text on one line.
    pub fn place_of(&self, span: Span) -> Option<SourcePlace> {
        let (file, line, column) = self.inquiry.sources().locate(span)?;
        let words: Vec<&str> = self.inquiry.sources().text(span).split_whitespace().collect();
        let mut text: String = words.join(" ");
        if text.chars().count() > WIDTH {
            text = text.chars().take(WIDTH - 3).chain("...".chars()).collect();
        }
        let is_made = self.inquiry.sources().home(span) != span;
        let is_line = || file.text.lines().nth(line as usize - 1).is_some_and(|l| l.trim_end() == text);
        let exact = is_made && !is_line();
        Some(SourcePlace { file: file.name.clone(), line, column, text, span, exact })
    }
}

/// What a bound says of atoms: so many may hold, or must.
fn verb(how_many: &str) -> &'static str {
    if how_many.starts_with("at most") { "may" } else { "must" }
}

/// An atom as answer sets show it; one without a name stands for the term that it contains.
pub(crate) fn name_of(table: &AtomTable, atom: AtomId, symbols: &Symbols) -> String {
    let mut text = String::new();
    match table.get(atom) {
        Some((Signature { name: StrId::EMPTY, .. }, &[term])) => text = symbols.display(term),
        _ => table.write(atom, symbols, &mut text),
    }
    text
}

/// Parts with separators; if there are many, only the first ones, which alone are made, and the number of all.
pub(crate) fn list<P: Display>(
    parts: impl IntoIterator<Item = P, IntoIter: ExactSizeIterator>,
    separator: &str,
) -> String {
    let parts = parts.into_iter();
    let all = parts.len();
    let shown = if all <= MAX_LISTED + 1 { all } else { MAX_LISTED - 1 };
    let mut text: Vec<String> = parts.take(shown).map(|part| part.to_string()).collect();
    if shown < all {
        text.push(format!("... ({all} in all)"));
    }
    text.join(separator)
}

/// A term's text without the parentheses around all of it.
pub(crate) fn without_parentheses(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else { return text };
    let mut depth = 0;
    for c in inner.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        // `(1)+(2)`, and a string may hold anything.
        if depth < 0 || c == '"' {
            return text;
        }
    }
    inner
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\''))
}

/// Whether a word of a statement's text begins with a capital letter.
fn has_variable(text: &str) -> bool {
    words(text).any(|word| word.trim_start_matches('_').starts_with(char::is_uppercase))
}

/// `a, b and c`
pub fn and<P: Display>(parts: impl IntoIterator<Item = P, IntoIter: ExactSizeIterator>) -> String {
    let parts = parts.into_iter();
    if parts.len() > MAX_LISTED + 1 {
        return list(parts, ", ");
    }
    let mut parts: Vec<String> = parts.map(|part| part.to_string()).collect();
    match (parts.pop(), parts.is_empty()) {
        (None, _) => "always".into(),
        (Some(one), true) => one,
        (Some(last), false) => format!("{} and {last}", parts.join(", ")),
    }
}
