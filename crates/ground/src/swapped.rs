//! Swapped arguments: a rule without instances, because a variable joins a column of one atom with columns that share no term
//! with it, while they share terms with another column of that atom; or a fact whose terms have each other's kinds, compared
//! with all other atoms.
//!
//! Invariant: judged by the existing atoms, of small predicates. Columns are distinguished by domains of their terms, such as
//! `person/1` and `shift/1` without a common term. Without such domains, as for the ends of an edge, a rule without instances
//! may just lack data.

use super::Grounder;
use super::spelling::Suspects;
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, SymView, Symbols};
use asp_rewrite::lint::NEVER_MEETS;
use asp_rewrite::predicate::{PredId, Predicates};
use asp_rewrite::rule::{Atom, Head, Literal, Rule, Term, Var};
use asp_syntax::ast::Sign;

/// The lint for arguments that are swapped.
const SWAPPED: WarningKind = WarningKind::Lint("swapped-arguments");

/// The most atoms of a predicate that are examined; larger predicates are skipped.
const MAX_ROWS: u32 = 2000;
/// The most rules that are examined: those of a program written by hand.
const MAX_RULES: usize = 1000;

/// How many predicates with one argument are taken for domains.
const MAX_DOMAINS: usize = 200;

/// An argument of an atom, as far as it is examined.
#[derive(Clone, Copy, PartialEq)]
enum Argument {
    Variable(Var, Option<StrId>),
    /// A function with variables and how many arguments it has.
    Function(StrId, u32, bool),
    Other,
}

/// An atom of a body or condition.
struct Member {
    pred: PredId,
    args: Vec<Argument>,
    span: Span,
}

/// Atoms that have to hold together.
pub(super) struct Together {
    members: Vec<Member>,
    /// Those beside them that must not hold.
    denied: Vec<Member>,
    /// Whether one of them is of the predicate that their rule derives.
    is_recursive: bool,
    /// Whether their rule chooses.
    chooses: bool,
}

/// The atoms of bodies and conditions that have to hold together.
pub(super) fn together(rules: &[Rule], predicates: &Predicates) -> Vec<Together> {
    let mut found = Vec::new();
    for rule in rules.iter().filter(|r| !r.vars.is_empty()) {
        let member = |atom: &Atom| {
            let args = atom.args.iter().map(|t| match t {
                Term::Var(v) => Argument::Variable(*v, rule.vars[v.0 as usize].name),
                Term::Fun(name, negative, args) => Argument::Function(*name, args.len() as u32, *negative),
                _ => Argument::Other,
            });
            Member { pred: atom.pred, args: args.collect(), span: atom.span }
        };
        let with_sign = |literals: &[Literal], wanted: Sign| -> Vec<Member> {
            let atoms = literals.iter().filter_map(|l| match l {
                Literal::Atom(sign, atom) if *sign == wanted && !predicates[atom.pred].auxiliary => {
                    Some(member(atom))
                }
                _ => None,
            });
            atoms.collect()
        };
        for condition in rule.conditions() {
            let [mut all, mut denied] = [Sign::None, Sign::Not].map(|sign| with_sign(condition, sign));
            all.extend(with_sign(&rule.body, Sign::None));
            denied.extend(with_sign(&rule.body, Sign::Not));
            if !all.is_empty() {
                let is_recursive = rule.head.derives(|a| all.iter().any(|member| member.pred == a.pred));
                let chooses = matches!(rule.head, Head::Aggregate { .. });
                found.push(Together { members: all, denied, is_recursive, chooses });
            }
        }
        if found.len() > MAX_RULES {
            break;
        }
    }
    found
}

/// An argument of a predicate's atoms.
pub(super) type Column = (PredId, usize);

/// The terms of columns, as they are asked for.
pub(super) struct Columns<'a> {
    /// `None` of predicates with no atoms or too many.
    known: Map<Column, Option<Set<Sym>>>,
    are_apart: Map<(Column, Column), Option<bool>>,
    /// Columns of predicates with one argument.
    domains: Vec<PredId>,
    in_own_domains: Map<(Column, Column), bool>,
    read: &'a dyn Fn(PredId, usize) -> Option<Set<Sym>>,
}

impl Columns<'_> {
    pub(super) fn domains(&self) -> &[PredId] {
        &self.domains
    }

    pub(super) fn ask(&mut self, (pred, column): Column) {
        self.known.entry((pred, column)).or_insert_with(|| (self.read)(pred, column));
    }

    pub(super) fn get(&self, column: Column) -> Option<&Set<Sym>> {
        self.known.get(&column)?.as_ref()
    }

    /// Whether no term stands in both; `None` if that is not known.
    fn apart(&mut self, a: Column, b: Column) -> Option<bool> {
        if let Some(&known) = self.are_apart.get(&(a, b)) {
            return known;
        }
        self.ask(a);
        self.ask(b);
        let apart = self.get(a).zip(self.get(b)).map(|(one, other)| one.is_disjoint(other));
        self.are_apart.insert((a, b), apart);
        apart
    }

    /// Whether the terms of two columns lie in disjoint domains, or those of one in a domain of several terms, and no domain has
    /// terms of both.
    fn are_in_own_domains(&mut self, a: Column, b: Column) -> bool {
        if let Some(&known) = self.in_own_domains.get(&(a, b)) {
            return known;
        }
        self.ask(a);
        self.ask(b);
        let (mut of_a, mut of_b) = (0, 0);
        let mut common = false;
        for at in 0..self.domains.len() {
            let domain = (self.domains[at], 0);
            self.ask(domain);
            let (Some(domain), Some(one), Some(other)) = (self.get(domain), self.get(a), self.get(b)) else {
                continue;
            };
            let (meets_a, meets_b) = (!domain.is_disjoint(one), !domain.is_disjoint(other));
            common |= meets_a && meets_b;
            let weight = if domain.len() > 1 { 2 } else { 1 };
            of_a = of_a.max(if meets_a && one.is_subset(domain) { weight } else { 0 });
            of_b = of_b.max(if meets_b && other.is_subset(domain) { weight } else { 0 });
        }
        let own = of_a + of_b >= 2 && !common;
        self.in_own_domains.insert((a, b), own);
        own
    }
}

/// Two columns of an atom whose arguments are swapped, and a place where one of their variables occurs.
struct Swap<'a> {
    member: &'a Member,
    columns: (usize, usize),
    other: (usize, usize),
    is_denied: bool,
}

impl Together {
    /// Where a variable stands.
    fn places(&self, v: Var) -> impl Iterator<Item = (usize, usize)> {
        self.members.iter().enumerate().flat_map(move |(m, member)| {
            let is = move |a: &Argument| matches!(a, Argument::Variable(w, _) if *w == v);
            member.args.iter().enumerate().filter(move |(_, a)| is(a)).map(move |(i, _)| (m, i))
        })
    }

    /// Pairs of different columns in which the same variable stands.
    pub(super) fn joined(&self) -> Vec<(Column, Column)> {
        let mut pairs = Vec::new();
        for (m, member) in self.members.iter().enumerate() {
            for (i, argument) in member.args.iter().enumerate() {
                let Argument::Variable(v, _) = argument else { continue };
                let own = (member.pred, i);
                let others = self.places(*v).filter(|&place| place != (m, i));
                pairs.extend(
                    others.map(|(n, j)| (own, (self.members[n].pred, j))).filter(|pair| pair.0 != pair.1),
                );
            }
        }
        pairs
    }

    /// The first atom with arguments that are swapped, unless rules join it the other way round as well.
    fn swap(&self, columns: &mut Columns<'_>, joined: &Set<(Column, Column)>) -> Option<Swap<'_>> {
        let members = (0..).zip(&self.members).map(|(m, member)| (Some(m), member));
        for (m, member) in members.chain(self.denied.iter().map(|member| (None, member))) {
            let variables: Vec<(usize, Var)> = (0..)
                .zip(&member.args)
                .filter_map(|(i, a)| if let Argument::Variable(v, _) = a { Some((i, *v)) } else { None })
                .collect();
            for (n, &(i, v)) in variables.iter().enumerate() {
                for &(j, w) in &variables[n + 1..] {
                    let (one, other) = ((member.pred, i), (member.pred, j));
                    if v == w || !columns.are_in_own_domains(one, other) {
                        continue;
                    }
                    // As it is, and with the two columns exchanged in all atoms of the predicate; for a negated one in this atom
                    // alone.
                    let changed = |column: usize| match column {
                        c if c == i => j,
                        c if c == j => i,
                        c => c,
                    };
                    let at = |(m, column): (usize, usize)| (self.members[m].pred, column);
                    let (mut wrong, mut meets) = (None, true);
                    let mut is_both_ways = false;
                    for (own, variable) in [(i, v), (j, w)] {
                        for place in self.places(variable).filter(|&(n, c)| (Some(n), c) != (m, own)) {
                            let there = at(place);
                            if wrong.is_none() && columns.apart((member.pred, own), there) == Some(true) {
                                wrong = Some(place);
                            }
                            let is_changed = m.is_some() && there.0 == member.pred;
                            let there = if is_changed { (there.0, changed(there.1)) } else { there };
                            let pair = ((member.pred, changed(own)), there);
                            meets &= columns.apart(pair.0, pair.1) == Some(false);
                            is_both_ways |= Some(place.0) != m && joined.contains(&pair);
                        }
                    }
                    let is_meant =
                        |other: &Member| other.pred == member.pred && other.args == meant(member, i, j);
                    let is_there = || self.members.iter().chain(&self.denied).any(is_meant);
                    if let Some(other) = wrong.filter(|_| meets && !is_both_ways && !is_there()) {
                        return Some(Swap { member, columns: (i, j), other, is_denied: m.is_none() });
                    }
                }
            }
        }
        None
    }
}

/// The arguments of an atom with two of them swapped.
fn meant(member: &Member, i: usize, j: usize) -> Vec<Argument> {
    let mut args = member.args.clone();
    args.swap(i, j);
    args
}

/// Kinds of terms that distinguish columns, in words.
fn kind(sym: Sym, symbols: &Symbols) -> Option<&'static str> {
    Some(match symbols.view(sym) {
        SymView::Num(_) => "a number",
        SymView::Fun { args: [], .. } => "a name",
        SymView::Str(_) => "a string",
        _ => return None,
    })
}

impl Grounder {
    /// The terms in a column of a predicate with few atoms.
    fn column(&self, pred: PredId, column: usize) -> Option<Set<Sym>> {
        let domain = &self.domains[pred];
        if domain.len() == 0 || domain.len() > MAX_ROWS {
            return None;
        }
        Some((0..domain.len()).map(|row| domain.table().args(row)[column]).collect())
    }

    /// Name and number of arguments of a predicate, as messages write them.
    pub(super) fn written(&self, pred: PredId, symbols: &Symbols) -> String {
        format!("`{}/{}`", self.name_of(pred, symbols), self.predicates[pred].signature.arity)
    }

    fn name_of(&self, pred: PredId, symbols: &Symbols) -> String {
        let s = self.predicates[pred].signature;
        format!("{}{}", if s.negative { "-" } else { "" }, symbols.str(s.name))
    }

    /// Warns about columns that should agree: misspelt names in facts, swapped arguments, and an atom inside another.
    pub(super) fn report_columns(
        &mut self,
        suspects: &Suspects,
        all: &[Together],
        symbols: &Symbols,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let read = |pred, column| self.column(pred, column);
        let domains = self.predicates.iter().filter(|(_, p)| p.signature.arity == 1 && !p.auxiliary);
        let mut columns = Columns {
            known: Map::default(),
            are_apart: Map::default(),
            domains: domains.map(|(id, _)| id).take(MAX_DOMAINS).collect(),
            in_own_domains: Map::default(),
            read: &read,
        };
        let mut found = self.misspelt_facts(suspects, all, &mut columns, symbols);
        // Parts that are grounded one by one have more atoms later.
        let all = if self.texts.parts.len() == 1 { all } else { &[] };
        let joined: Set<(Column, Column)> = all.iter().flat_map(Together::joined).collect();
        for together in all {
            let is_told = |member: &Member| self.reports.lints.contains(&(NEVER_MEETS.name(), member.span));
            if together.members.iter().chain(&together.denied).any(is_told) {
                continue;
            }
            // A chain may lack a second step, and given data an instance that the rule is about.
            let is_open = |member: &Member| !self.domains[member.pred].is_all_facts();
            let is_judged = together.chooses || together.members.iter().any(is_open);
            if is_judged
                && !together.is_recursive
                && let Some(swap) = together.swap(&mut columns, &joined)
            {
                found.push(self.swapped(together, &swap, &columns, symbols));
            }
            found.extend(together.members.iter().filter_map(|member| self.inside(member, symbols)));
        }
        found.extend(self.swapped_facts(symbols));
        for told in found {
            let place = told.labels.first().map_or(Span::NONE, |l| l.span);
            let name = told.kind.map_or("", WarningKind::name);
            if self.reports.lints.insert((name, place)) {
                diagnostics.push(told);
            }
        }
    }

    fn swapped(
        &self,
        together: &Together,
        swap: &Swap<'_>,
        columns: &Columns<'_>,
        symbols: &Symbols,
    ) -> Diagnostic {
        let member = swap.member;
        let (first, last) = swap.columns;
        let other = &together.members[swap.other.0];
        let own = match (&member.args[first], &other.args[swap.other.1]) {
            (Argument::Variable(v, _), Argument::Variable(w, _)) if v == w => first,
            _ => last,
        };
        let example = |pred: PredId, column: usize| {
            let terms = columns.get((pred, column));
            terms.and_then(|t| t.iter().min()).map_or(String::new(), |s| symbols.display(*s).to_string())
        };
        let text = format!(
            "this {} holds: argument {} of {} is `{}` or the like, and argument {} of {} is `{}` or the like",
            if swap.is_denied { "always" } else { "never" },
            own + 1,
            self.written(member.pred, symbols),
            example(member.pred, own),
            swap.other.1 + 1,
            self.written(other.pred, symbols),
            example(other.pred, swap.other.1)
        );
        let told = Diagnostic::warning(SWAPPED, member.span, text);
        let told = if other.span == member.span { told } else { told.label(other.span, "") };
        let name = |a: &Argument| match a {
            Argument::Variable(_, Some(name)) => symbols.str(*name).to_string(),
            Argument::Variable(_, None) => "_".to_string(),
            _ => "...".to_string(),
        };
        let args: Vec<String> = meant(member, first, last).iter().map(name).collect();
        let name = self.name_of(member.pred, symbols);
        let not = if swap.is_denied { "not " } else { "" };
        told.help(format!("did you mean `{not}{name}({})`?", args.join(",")))
    }

    /// An atom inside of another, where no atom has such a term.
    fn inside(&self, member: &Member, symbols: &Symbols) -> Option<Diagnostic> {
        let (column, name, arity) = (0..).zip(&member.args).find_map(|(i, a)| match a {
            Argument::Function(name, arity, false) => {
                let is_predicate =
                    |s: &asp_base::signature::Signature| s.name == *name && s.arity == *arity && !s.negative;
                let mut defined = self.predicates.iter().map(|(_, p)| p).filter(|p| p.defined);
                defined.any(|p| is_predicate(&p.signature)).then_some((i, *name, *arity))
            }
            _ => None,
        })?;
        let is_such = |sym: &Sym| match symbols.view(*sym) {
            SymView::Fun { name: n, args, .. } => n == name && args.len() as u32 == arity,
            _ => false,
        };
        if self.column(member.pred, column)?.iter().any(is_such) {
            return None;
        }
        let s = self.predicates[member.pred].signature;
        let (pred, name) = (symbols.str(s.name), symbols.str(name));
        let text = format!(
            "`{name}(...)` is a term here, and no atom of `{pred}/{}` has one as argument {}",
            s.arity,
            column + 1
        );
        let help = format!(
            "atoms do not stand in each other: give `{name}(...)` a place of its own in the body, and join them by a variable"
        );
        Some(Diagnostic::warning(NEVER_MEETS, member.span, text).help(help))
    }

    /// Facts with two terms that have each other's kinds, compared with all other facts.
    fn swapped_facts(&self, symbols: &Symbols) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let mut kinds: Map<PredId, Option<Vec<(&'static str, u32)>>> = Map::default();
        for &(fact, span) in self.texts.fact_places.iter().take(MAX_ROWS as usize) {
            let SymView::Fun { name, args, negative } = symbols.view(fact) else { continue };
            let signature = asp_base::signature::Signature { name, arity: args.len() as u32, negative };
            let Some(pred) = self.predicates.find(signature).filter(|_| args.len() > 1) else { continue };
            // By column the first kind that two of three atoms have, and how many do.
            let most = kinds.entry(pred).or_insert_with(|| {
                let domain = &self.domains[pred];
                let rows = 0..domain.len();
                (3..=MAX_ROWS).contains(&domain.len()).then(|| {
                    let of = |column: usize| {
                        let counted = |wanted: &str| {
                            let is =
                                |&row: &u32| kind(domain.table().args(row)[column], symbols) == Some(wanted);
                            rows.clone().filter(is).count() as u32
                        };
                        let kinds = ["a number", "a name", "a string"];
                        let most = kinds.into_iter().map(|k| (k, counted(k))).max_by_key(|k| k.1);
                        most.filter(|k| k.1 < domain.len() && 3 * k.1 >= 2 * domain.len()).unwrap_or(("", 0))
                    };
                    (0..args.len()).map(of).collect()
                })
            });
            let Some(most) = most else { continue };
            let own: Vec<&str> = args.iter().map(|&arg| kind(arg, symbols).unwrap_or("")).collect();
            let swapped = (0..own.len()).find_map(|i| {
                let is = |&j: &usize| {
                    own[i] != own[j] && (own[i], own[j]) == (most[j].0, most[i].0) && most[i].1 == most[j].1
                };
                (i + 1..own.len()).find(is).map(|j| (i, j))
            });
            let Some((i, j)) = swapped else { continue };
            let (pred, arity) = (symbols.str(name), args.len());
            let text = format!(
                "argument {} of `{pred}/{arity}` is {} here and {} elsewhere, and argument {} the other way round",
                i + 1,
                own[i],
                own[j],
                j + 1
            );
            let mut args: Vec<String> = args.iter().map(|&a| symbols.display(a).to_string()).collect();
            args.swap(i, j);
            let told = Diagnostic::warning(SWAPPED, span, text);
            found.push(told.help(format!("did you mean `{pred}({})`?", args.join(","))));
        }
        found
    }
}
