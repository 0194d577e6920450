//! Constants that are probably misspelt: a body looks for one that no atom has in that column, while the atoms have one that
//! differs by a letter, or it is a single letter, as if it were a variable; or it is a constant where the atoms have a string,
//! or the reverse; or a fact has one that a rule looks for in other atoms, which have all others of its column.
//!
//! Invariant: a suspect constant occurs nowhere else in the program, since an instance may lack what others have; a letter must
//! be in no fact, a word must occur in facts as the other kind. The time is linear in the program and a bounded part of the
//! atoms.

use super::Grounder;
use super::review::is_certain;
use super::swapped::{Column, Columns, Together};
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::map::{Map, Set};
use asp_base::signature::Signature;
use asp_base::span::{Sources, Span};
use asp_base::symbol::{Sym, SymView, Symbols};
use asp_rewrite::lint::NEVER_HOLDS;
use asp_rewrite::lint::columns::MAX_FACTS;
use asp_rewrite::predicate::{PredId, Predicate, Predicates};
use asp_rewrite::rule::{Atom, Head, Literal, Rule, Term};
use asp_syntax::ast::{self, LiteralKind, Relation, Sign, Statement};

/// The lint for a constant that is probably misspelt.
const MISSPELT_CONSTANT: WarningKind = WarningKind::Lint("misspelt-constant");

/// The most rows of a predicate that are examined.
const MAX_ROWS: u32 = 10_000;
/// How many constants are looked for.
const MAX_SOUGHT: usize = 1000;
/// Words that a comparison may name though no atom has them.
const GENERAL: [&str; 13] =
    ["none", "null", "nil", "any", "all", "more", "less", "no", "yes", "true", "false", "other", "unknown"];

/// Of how many facts it is asked which constants are in one of them.
const MAX_RARE: usize = 5_000;

/// A constant or string in an argument of a body's atom.
pub(super) struct Sought {
    pred: PredId,
    column: usize,
    constant: Sym,
    span: Span,
    /// Whether its rule has it in several atoms.
    is_repeated: bool,
}

/// Where a number stands.
#[derive(Clone, Copy, PartialEq)]
enum In {
    Atom,
    Equation,
}

/// A constant's name.
fn name(sym: Sym, symbols: &Symbols) -> Option<&str> {
    match symbols.view(sym) {
        SymView::Fun { name, args: [], negative: false } => Some(symbols.str(name)),
        _ => None,
    }
}

/// The word of a constant or string, and whether it is a string.
fn word(sym: Sym, symbols: &Symbols) -> Option<(&str, bool)> {
    match symbols.view(sym) {
        SymView::Str(text) => Some((symbols.str(text), true)),
        _ => Some((name(sym, symbols)?, false)),
    }
}

/// A constant that, alone in its column, is missing in the column's domain.
struct Stray {
    own: Column,
    wrong: Sym,
    place: Span,
    other: Column,
    near: Sym,
    /// Whether all others of its column are there.
    is_only: bool,
    /// Whether the other column is a domain that facts give, and how many terms it has.
    rank: (bool, usize),
}

/// Constants that may be misspelt.
#[derive(Default)]
pub(super) struct Suspects {
    /// Those in bodies that occur nowhere else, and those that facts have as strings, or the reverse.
    sought: Vec<Sought>,
    /// Those that occur in one fact or head only, by their column.
    rare: Map<Column, Vec<(Sym, Span)>>,
    /// Numbers in atoms of constraints, and those that variables are equated with, by the column of the first atom.
    numbers: Vec<(Sought, In)>,
}

/// The constants of a program that may be misspelt; `places` are those of the first facts.
pub(super) fn suspects(
    rules: &[Rule],
    facts: &[(PredId, Sym)],
    places: &[(Sym, Span)],
    predicates: &Predicates,
    symbols: &Symbols,
) -> Suspects {
    let mut count: Map<Sym, u32> = Map::default();
    let mut found = Suspects::default();
    let mut has_theory = false;
    for rule in rules {
        let first = found.sought.len();
        let mut literals: Vec<&Literal> = rule.body.iter().collect();
        let mut terms = rule.head.terms();
        has_theory |= matches!(rule.head, Head::Theory(_));
        let is_constraint = matches!(rule.head, Head::Constraint);
        let mut compared: Vec<(&Term, &Term, bool, Span)> = Vec::new();
        for element in rule.head.elements() {
            terms.extend(&element.tuple);
            terms.extend(element.atom().into_iter().flat_map(|a| &a.args));
            literals.extend(element.literals());
        }
        while let Some(literal) = literals.pop() {
            match literal {
                Literal::Atom(_, atom) => {
                    terms.extend(&atom.args);
                    for (column, constant) in words_of(atom, predicates, symbols) {
                        let (pred, span) = (atom.pred, atom.span);
                        found.sought.push(Sought { pred, column, constant, span, is_repeated: false });
                    }
                    if is_constraint && matches!(literal, Literal::Atom(Sign::None, _)) {
                        found.numbers.extend(numbers_of(atom, predicates, symbols));
                    }
                }
                Literal::Compare(relation, s, t, span) => {
                    terms.extend([s, t]);
                    if matches!(relation, Relation::Equal | Relation::NotEqual) {
                        let is_equal = *relation == Relation::Equal;
                        compared.extend([(s, t, is_equal, *span), (t, s, is_equal, *span)]);
                    }
                }
                Literal::Range(s, t, u, _) => terms.extend([s, t, u]),
                Literal::False(_) => {}
                Literal::Aggregate(a) => {
                    terms.extend(a.guards.iter().map(|(_, t)| t));
                    for e in &a.elements {
                        terms.extend(e.tuple.iter().filter(|_| !a.set));
                        literals.extend(&e.condition);
                    }
                }
                Literal::Conditional(c) => literals.extend(c.heads.iter().flatten().chain(&c.condition)),
                Literal::Theory(..) => has_theory = true,
            }
        }
        for (variable, constant, is_equal, span) in compared {
            let (Term::Var(_), Term::Sym(constant)) = (variable, constant) else { continue };
            let column = rule.conditions().into_iter().flatten().chain(&rule.body).find_map(|l| match l {
                Literal::Atom(Sign::None, atom) if !predicates[atom.pred].auxiliary => {
                    Some((atom.pred, atom.args.iter().position(|t| t == variable)?))
                }
                _ => None,
            });
            let Some((pred, column)) = column else { continue };
            let sought = Sought { pred, column, constant: *constant, span, is_repeated: false };
            let is_word = |(text, _): (&str, bool)| !GENERAL.contains(&text) && (is_equal || text.len() > 4);
            if word(*constant, symbols).is_some_and(is_word) {
                found.sought.push(sought);
            } else if is_equal && symbols.as_num(*constant).is_some() {
                found.numbers.push((sought, In::Equation));
            }
        }
        let atoms: Vec<(Sym, Span)> = found.sought[first..].iter().map(|s| (s.constant, s.span)).collect();
        for s in &mut found.sought[first..] {
            s.is_repeated = atoms.iter().any(|&(constant, span)| constant == s.constant && span != s.span);
        }
        while let Some(term) = terms.pop() {
            match term {
                Term::Sym(s) => *count.entry(*s).or_default() += 1,
                Term::Fun(_, _, args) | Term::Tuple(args) | Term::External(_, args, _) => terms.extend(args),
                Term::Unary(_, t, _) | Term::Absolute(t, _) => terms.push(t),
                Term::Binary(_, s, t, _) => terms.extend([&**s, &**t]),
                Term::Var(_) | Term::Linear { .. } | Term::Negated(..) => {}
            }
        }
    }
    let args = |fact: Sym| match symbols.view(fact) {
        SymView::Fun { args, .. } => args,
        _ => &[],
    };
    let mut in_facts: Map<Sym, u32> = Map::default();
    let mut words: Set<(&str, bool)> = Set::default();
    for &(_, fact) in facts.iter().take(MAX_FACTS) {
        args(fact).iter().for_each(|&arg| *in_facts.entry(arg).or_default() += 1);
        words.extend(args(fact).iter().filter_map(|&arg| word(arg, symbols)));
    }
    let times = |s: Sym| count.get(&s).map_or(0, |n| *n) + in_facts.get(&s).map_or(0, |n| *n);
    if facts.len() <= MAX_RARE {
        let places: Map<Sym, Span> = places.iter().copied().collect();
        for &(pred, fact) in facts {
            for (column, &arg) in args(fact).iter().enumerate() {
                if times(arg) == 1 && word(arg, symbols).is_some() {
                    let place = places.get(&fact).map_or(Span::NONE, |span| *span);
                    found.rare.entry((pred, column)).or_default().push((arg, place));
                }
            }
        }
        for rule in rules {
            rule.head.for_each_atom(&mut |atom| {
                for (column, constant) in words_of(atom, predicates, symbols) {
                    if times(constant) == 1 {
                        found.rare.entry((atom.pred, column)).or_default().push((constant, atom.span));
                    }
                }
            });
        }
    }
    found.sought.retain(|s| {
        let Some((text, is_string)) = word(s.constant, symbols) else { return false };
        let of_other_kind = words.contains(&(text, !is_string));
        // A letter for a variable stands in several places, but in no fact.
        let is_alone = count.get(&s.constant) == Some(&1) || !is_string && is_letter(text);
        !has_theory && !in_facts.contains_key(&s.constant) && (is_alone || of_other_kind)
    });
    found.sought.truncate(MAX_SOUGHT);
    found.numbers.truncate(MAX_SOUGHT);
    found
}

/// The constants and strings among the arguments of an atom, with their columns.
fn words_of<'a>(
    atom: &'a Atom,
    predicates: &Predicates,
    symbols: &'a Symbols,
) -> impl Iterator<Item = (usize, Sym)> + use<'a> {
    let args = if predicates[atom.pred].auxiliary { &[][..] } else { &atom.args[..] };
    args.iter().enumerate().filter_map(|(column, term)| match term {
        Term::Sym(constant) => word(*constant, symbols).map(|_| (column, *constant)),
        _ => None,
    })
}

/// The numbers among the arguments of an atom, to be looked for.
fn numbers_of(atom: &Atom, predicates: &Predicates, symbols: &Symbols) -> impl Iterator<Item = (Sought, In)> {
    let args = if predicates[atom.pred].auxiliary { &[][..] } else { &atom.args[..] };
    let (pred, span) = (atom.pred, atom.span);
    args.iter().enumerate().filter_map(move |(column, term)| match term {
        Term::Sym(constant) => {
            let sought = Sought { pred, column, constant: *constant, span, is_repeated: false };
            symbols.as_num(*constant).map(|_| (sought, In::Atom))
        }
        _ => None,
    })
}

/// Whether a name is one that a variable has in other languages.
fn is_letter(name: &str) -> bool {
    name.len() == 1 && name.starts_with(|c: char| c.is_ascii_lowercase())
}

/// Whether the names differ by one slip, except in a number or the last letter of numbered names, such as `team_a` and `team_b`.
fn is_slip(name: &str, other: &str) -> bool {
    is_like(name, other) && is_certain(name, other)
}

/// The same for a name in a rule, which is more likely a slip than one that a fact introduces.
fn is_slip_in_rule(name: &str, other: &str) -> bool {
    is_like(name, other) && (is_certain(name, other) || is_mistyped(name, other))
}

/// Whether two names may be variants, judging by numbers and last letters of numbered names.
fn is_like(name: &str, other: &str) -> bool {
    let letters = |s: &str| s.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let stem = |s: &str| s.char_indices().next_back().map_or(String::new(), |(at, _)| s[..at].to_string());
    let ends = stem(name) == stem(other) && stem(name).ends_with(|c: char| c == '_' || c.is_ascii_digit());
    name.len() >= 3 && letters(name) != letters(other) && !ends
}

/// Whether one short word is the other with another letter after the first: any letter if it has four, but only a neighbour on
/// the keyboard if it has three, since words such as `jun` and `jul` are alike.
fn is_mistyped(name: &str, other: &str) -> bool {
    let mut pairs = name.bytes().zip(other.bytes()).enumerate().filter(|(_, (a, b))| a != b);
    let (Some((at, (a, b))), None) = (pairs.next(), pairs.next()) else { return false };
    let is_next = |row: &str| row.as_bytes().windows(2).any(|two| two == [a, b] || two == [b, a]);
    let rows = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
    name.len() == other.len() && at > 0 && (name.len() > 3 || rows.into_iter().any(is_next))
}

impl Grounder {
    /// Constants of a fact or head that a rule looks for in a column without them, or that are missing in the only domain of all
    /// others of their column, with a near name or a string instead.
    pub(super) fn misspelt_facts(
        &self,
        suspects: &Suspects,
        all: &[Together],
        columns: &mut Columns<'_>,
        symbols: &Symbols,
    ) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        if suspects.rare.is_empty() {
            return found;
        }
        let joined = all.iter().flat_map(Together::joined).map(|pair| (pair, 1));
        let mut own: Vec<Column> = suspects.rare.keys().copied().collect();
        own.sort_unstable();
        let domains = columns.domains().to_vec();
        let domains = domains.iter().map(|&domain| (domain, 0));
        let with_domains = own.iter().flat_map(|&own| domains.clone().map(move |domain| ((own, domain), 2)));
        // By constant, the column that it should belong to: a given domain if there is one, with the most terms.
        let mut best: Vec<Stray> = Vec::new();
        for ((own, other), least) in joined.chain(with_domains) {
            let Some(constants) = suspects.rare.get(&own).filter(|_| own != other) else { continue };
            columns.ask(own);
            columns.ask(other);
            let (Some(terms), Some(others)) = (columns.get(own), columns.get(other)) else { continue };
            let strays = terms.iter().filter(|&t| !others.contains(t)).count();
            // Two words that stand beside each other are meant to be two.
            let near = |wrong: Sym| {
                let (text, is_string) = word(wrong, symbols).filter(|_| !self.is_value(wrong))?;
                let of_other_kind = others.iter().find(|&&t| word(t, symbols) == Some((text, !is_string)));
                let is_near = |known: &str| text.len() > 3 && is_slip(text, known);
                let near = others.iter().filter(|&&t| name(t, symbols).is_some_and(is_near));
                let near = near.filter(|_| !is_string).min_by_key(|&&t| name(t, symbols));
                of_other_kind.or(near).copied().filter(|near| !terms.contains(near))
            };
            let is_alone = |(wrong, _): &&(Sym, Span)| !others.contains(wrong);
            let wrong: Vec<(Sym, Span, Sym)> = constants
                .iter()
                .filter(is_alone)
                .filter_map(|&(wrong, place)| Some((wrong, place, near(wrong)?)))
                .collect();
            // Where others are missing, too, and like none, they are names of their own. Several slips are told of data beside a
            // domain: of two lists of names either may be wrong.
            let is_data = |(pred, _): Column| self.predicates[pred].signature.arity > 1;
            let is_one = strays == 1 || is_data(own) && !is_data(other);
            if wrong.len() < strays || !is_one || terms.len() - strays + 1 < least {
                continue;
            }
            let is_only = strays == 1;
            for (wrong, place, near) in wrong {
                let is_given = self.domains[other.0].is_all_facts() && columns.domains().contains(&other.0);
                let rank = (is_given, others.len());
                let stray = Stray { own, wrong, place, other, near, is_only, rank };
                match best.iter_mut().find(|known| (known.own, known.wrong) == (own, wrong)) {
                    Some(known) if known.rank < rank => *known = stray,
                    Some(_) => {}
                    None => best.push(stray),
                }
            }
        }
        for Stray { own, wrong, place, other, near, is_only, .. } in best {
            let (domain, wrong) = (self.written(other.0, symbols), symbols.display(wrong));
            let mut text = format!("no atom of {domain} has `{wrong}` as argument {}", other.1 + 1);
            let mut told = Diagnostic::warning(MISSPELT_CONSTANT, place, "");
            if is_only {
                text.push_str(", and all others here are there");
                told = told.caption(format!("the only one of {}", self.written(own.0, symbols)));
            }
            told.message = text;
            found.push(told.help(format!("did you mean `{}`?", symbols.display(near))));
        }
        found
    }

    /// Whether a constant of the program stands for a term.
    fn is_value(&self, term: Sym) -> bool {
        self.texts.constants.values().any(|&value| value == term)
    }

    /// Warns about variables that are to be a number outside the interval that their domain is.
    pub(super) fn report_outside(
        &mut self,
        suspects: &Suspects,
        sources: Option<&Sources>,
        symbols: &Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        // Parts that are grounded later may have more atoms, and other values of constants give other domains.
        let texts = &self.texts;
        if texts.parts.len() > 1 || !texts.unread.is_empty() || !texts.constants.is_empty() {
            return;
        }
        for (s, place) in &suspects.numbers {
            // Of a pool, another may be there; facts may just lack a number.
            let is_pool = suspects.numbers.iter().any(|(o, _)| {
                (o.span, o.pred, o.column) == (s.span, s.pred, s.column) && o.constant != s.constant
            });
            let is_list = *place == In::Equation && self.predicates[s.pred].signature.arity == 1;
            let is_data = !is_list && self.domains[s.pred].is_all_facts();
            let Some(wanted) = symbols.as_num(s.constant).filter(|_| !is_pool && !is_data) else { continue };
            let Some((low, high)) = self.interval(s.pred, s.column, symbols) else { continue };
            // Of another instance, a rule that stands apart may speak of other numbers.
            let is_apart = |known: &Predicate| {
                sources.is_some_and(|sources| self.is_apart(known.signature, s.span, sources, symbols))
            };
            let is_domain = |(p, known): (PredId, &Predicate)| {
                known.signature.arity == 1
                    && self.domains[p].is_all_facts()
                    && self.interval(p, 0, symbols) == Some((low, high))
                    && !is_apart(known)
            };
            if (low..=high).contains(&wanted) || !self.predicates.iter().any(is_domain) {
                continue;
            }
            if self.reports.lints.insert((NEVER_HOLDS.name(), s.span)) {
                let (pred, place) = (self.written(s.pred, symbols), s.column + 1);
                let text = format!(
                    "this never holds: argument {place} of {pred} is {low} to {high}, never {wanted}"
                );
                let help = "write one of these numbers, or give the domain more";
                diagnostics.push(Diagnostic::warning(NEVER_HOLDS, s.span, text).help(help));
            }
        }
    }

    /// Whether facts of a predicate stand in another file than a place.
    fn is_apart(&self, signature: Signature, place: Span, sources: &Sources, symbols: &Symbols) -> bool {
        let file = |span| sources.file_of(span).map(|file| &file.name);
        let own = file(place);
        let is_of = |name, arity, negative| {
            (name, arity, negative) == (signature.name, signature.arity as usize, signature.negative)
        };
        let is_fact = |(fact, span): &(Sym, Span)| match symbols.view(*fact) {
            SymView::Fun { name, args, negative } => is_of(name, args.len(), negative) && file(*span) != own,
            _ => false,
        };
        let is_head = |statement: &Statement| {
            let heads = statement.kind.parts().head.into_iter().flat_map(|head| head.derived());
            let mut atoms = heads.filter_map(|(literal, _)| match &literal.kind {
                LiteralKind::Atom(atom) => Some(atom),
                _ => None,
            });
            let has =
                |atom: &ast::Atom| atom.args.iter().any(|args| is_of(atom.name, args.len(), atom.negative));
            file(statement.span) != own && atoms.any(has)
        };
        self.texts.fact_places.iter().any(is_fact)
            || self.texts.parts.iter().flat_map(|part| &part.statements).any(is_head)
    }

    /// The ends of the interval that a column is, if it is one of several numbers.
    fn interval(&self, pred: PredId, column: usize, symbols: &Symbols) -> Option<(i64, i64)> {
        let domain = &self.domains[pred];
        if domain.len() < 2 || domain.len() > MAX_ROWS {
            return None;
        }
        let mut numbers: Vec<i64> = (0..domain.len())
            .map(|row| symbols.as_num(domain.table().args(row)[column]))
            .collect::<Option<_>>()?;
        numbers.sort_unstable();
        numbers.dedup();
        let (low, high) = (*numbers.first()?, *numbers.last()?);
        (numbers.len() > 1 && high.checked_sub(low)? == numbers.len() as i64 - 1).then_some((low, high))
    }

    /// Warns about constants that are looked for where no atom has them.
    pub(super) fn report_misspelt(
        &mut self,
        suspects: &Suspects,
        symbols: &Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let mut constants: Vec<&str> = self.texts.constants.keys().map(|&name| symbols.str(name)).collect();
        constants.sort_unstable();
        // The constants that no atom has there, each with a name like it.
        let absent = suspects.sought.iter().filter_map(|s| {
            let domain = &self.domains[s.pred];
            if domain.len() == 0 || domain.len() > MAX_ROWS || self.is_value(s.constant) {
                return None;
            }
            let mut column = (0..domain.len()).map(|row| domain.table().args(row)[s.column]);
            if column.clone().any(|v| v == s.constant) {
                return None;
            }
            let (wrong, is_string) = word(s.constant, symbols)?;
            let is_near = |known: &str, other: bool| {
                let slips = if is_string { is_slip } else { is_slip_in_rule };
                other == is_string && slips(wrong, known)
                    || known != wrong && known.eq_ignore_ascii_case(wrong) && wrong.len() > 2
            };
            Some((s, column.find(|&v| word(v, symbols).is_some_and(|(known, other)| is_near(known, other)))))
        });
        let absent: Vec<_> = absent.collect();
        // Where other names are absent, too, the instance has none of them.
        let others: Set<Column> =
            absent.iter().filter(|(_, near)| near.is_none()).map(|(s, _)| (s.pred, s.column)).collect();
        let mut told: Vec<(Span, Sym)> = Vec::new();
        for (s, near) in absent {
            let domain = &self.domains[s.pred];
            let column = || (0..domain.len()).map(|row| domain.table().args(row)[s.column]);
            let Some((wrong, is_string)) = word(s.constant, symbols) else { continue };
            let of_other_kind = column().find(|&v| word(v, symbols) == Some((wrong, !is_string)));
            let near = near.filter(|_| !others.contains(&(s.pred, s.column)));
            let is_number = |v: Sym| symbols.as_num(v).is_some();
            let constant = constants.iter().find(|known| is_slip_in_rule(wrong, known));
            let constant = constant.filter(|_| column().all(is_number));
            // Among numbers or longer names, a letter is meant as a variable, and so is one that joins atoms.
            let other = |v: Sym| is_number(v) || name(v, symbols).is_some_and(|n| n.len() > 1);
            let help = match of_other_kind.or(near) {
                Some(meant) => format!("did you mean `{}`?", symbols.display(meant)),
                None if is_string => continue,
                None => match constant {
                    Some(constant) => format!("did you mean `{constant}`?"),
                    None if is_letter(wrong) && (s.is_repeated || column().all(other)) => {
                        let capital = wrong.to_ascii_uppercase();
                        format!("did you mean `{capital}`? a variable begins with a capital letter")
                    }
                    None => continue,
                },
            };
            // A comparison with facts may have reported it.
            let is_new =
                !self.reports.lints.contains(&("kinds", s.span)) && !told.contains(&(s.span, s.constant));
            // An atom may have several.
            let is_here = told.iter().any(|(span, _)| *span == s.span);
            if is_new && (self.reports.lints.insert((MISSPELT_CONSTANT.name(), s.span)) || is_here) {
                told.push((s.span, s.constant));
                let (wrong, pred) = (symbols.display(s.constant), self.written(s.pred, symbols));
                let text = format!("`{wrong}` stands in no atom of {pred} there");
                diagnostics.push(Diagnostic::warning(MISSPELT_CONSTANT, s.span, text).help(help));
            }
        }
    }
}
