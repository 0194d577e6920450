//! What only a look at all statements shows: heads that nothing reads, atoms that only support each other, and terms that are
//! compared where the values of a predicate were meant.
//!
//! Invariants: statements are only read, each once, and in the order of the text; what a name means is decided by the program
//! alone, so that an atom is never called impossible because an instance is missing: recursion counts only without a first case.

use std::iter;

use super::single;
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::map::{Map, Set};
use asp_base::nearest::{MAX_COMPARED, slip};
use asp_base::signature::Signature;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, Symbols};
use asp_syntax::ast::*;

/// A head that nothing reads or shows.
const UNUSED_HEAD: WarningKind = WarningKind::Lint("unused-head");
/// The same beside a name that is read and differs by a slip.
const MISSPELT_HEAD: WarningKind = WarningKind::Lint("misspelt-head");
/// Atoms that support only each other.
const UNSUPPORTED: WarningKind = WarningKind::Lint("unsupported");

/// Predicates of reified programs, with one argument and with two.
const REIFIED: [&str; 4] = ["atom_tuple", "literal_tuple", "weighted_literal_tuple", "theory_tuple"];

/// How many other places a message shows.
const MAX_PLACES: usize = 4;

/// What is known besides the statements.
pub struct Known<'a> {
    /// Whether a predicate has an atom in some head, fact or `#external`.
    pub is_defined: &'a dyn Fn(StrId, u32) -> bool,
    /// The signatures of `#show`; `None` if all is shown.
    pub shown: Option<&'a [Signature]>,
    /// Facts and their places.
    pub facts: &'a [(Signature, Span)],
    /// Whether all statements could be read.
    pub is_whole: bool,
    /// Whether a name is replaced by a value.
    pub is_constant: &'a dyn Fn(StrId) -> bool,
    /// The constants with values, in the order of their names' numbers.
    pub constants: &'a [(StrId, Sym)],
    /// Whether a constant or function, by name and number of arguments, is a term of an atom.
    pub is_term: &'a dyn Fn(StrId, u32) -> bool,
    /// Functions, by name and number of arguments, that are terms on purpose though other languages compute with them.
    pub data: &'a Set<(StrId, u32)>,
    /// Names and numbers of arguments of integer variables.
    pub variables: &'a Set<(StrId, u32)>,
}

/// What a predicate occurs as.
#[derive(Default)]
struct Use {
    /// First head of a rule.
    head: Option<Span>,
    /// First fact.
    fact: Option<Span>,
    /// How many facts.
    facts: u32,
    /// Whether a `;` between arguments makes an atom with fewer of them, as in `p(a,1;2)`.
    is_split: bool,
    /// Whether a `;` stands between its arguments.
    is_pool: bool,
    /// Whether its atoms may come from elsewhere.
    is_open: bool,
    /// Whether something but its own rules reads it.
    is_read: bool,
}

/// The predicates of a program.
#[derive(Default)]
struct Inventory {
    uses: Map<Signature, Use>,
    /// As they come.
    order: Vec<Signature>,
    /// Heads and what each needs.
    rules: Vec<(Signature, Vec<Signature>)>,
}

/// All lints on whole programs.
pub fn check<'a>(
    statements: impl Iterator<Item = &'a Statement>,
    known: &Known<'_>,
    symbols: &Symbols,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut inventory = Inventory::default();
    for statement in statements {
        single::check(statement, known, symbols, &mut found);
        inventory.add(statement);
    }
    for &(signature, span) in known.facts {
        let of = inventory.at(signature);
        of.fact.get_or_insert(span);
        of.facts += 1;
    }
    if known.is_whole {
        inventory.unused(known, symbols, &mut found);
        inventory.unsupported(symbols, &mut found);
    }
    found
}

fn signatures(atom: &Atom) -> impl Iterator<Item = Signature> {
    let of =
        |args: &Vec<Term>| Signature { name: atom.name, arity: args.len() as u32, negative: atom.negative };
    atom.args.iter().map(of)
}

fn atom(literal: &Literal) -> Option<&Atom> {
    match &literal.kind {
        LiteralKind::Atom(atom) => Some(atom),
        _ => None,
    }
}

/// The atoms that a list of literals needs.
fn needs<'a>(literals: impl Iterator<Item = &'a Literal>) -> Vec<Signature> {
    let positive = literals.filter(|l| l.sign == Sign::None).filter_map(atom);
    // Any member of a pool is enough.
    positive.filter(|a| a.args.len() == 1).flat_map(signatures).collect()
}

impl Inventory {
    fn at(&mut self, signature: Signature) -> &mut Use {
        self.uses.entry(signature).or_insert_with(|| {
            self.order.push(signature);
            Use::default()
        })
    }

    fn add(&mut self, statement: &Statement) {
        let parts = statement.kind.parts();
        let mut heads = Vec::new();
        if let Some(head) = parts.head {
            let plain = |e: &'_ BodyElement| matches!(e.kind, BodyElementKind::Literal(_));
            let body = needs(parts.body.iter().filter(|e| plain(e)).flat_map(BodyElement::literals));
            for (literal, condition) in head.derived() {
                let Some(atom) = atom(literal).filter(|_| literal.sign == Sign::None) else { continue };
                // With pools and intervals, facts are rules without a body.
                let is_fact = parts.body.is_empty() && matches!(head.kind, HeadKind::Literal(_));
                let is_split = atom.args.windows(2).any(|lists| lists[0].len() != lists[1].len());
                let is_pool = atom.args.len() > 1;
                for signature in signatures(atom) {
                    let known = self.at(signature);
                    let first = if is_fact { &mut known.fact } else { &mut known.head };
                    first.get_or_insert(atom.span);
                    known.is_split |= is_split;
                    known.is_pool |= is_pool;
                    let needed = body.iter().copied().chain(needs(condition.iter())).collect();
                    self.rules.push((signature, needed));
                    heads.push(signature);
                }
            }
            let conditions = head.derived().flat_map(|(_, condition)| condition).chain(head.conditions());
            self.read(conditions, &heads);
        }
        self.read(parts.body.iter().flat_map(BodyElement::literals), &heads);
        match &statement.kind {
            StatementKind::External { atom, .. } => {
                signatures(atom).for_each(|s| self.at(s).is_open = true);
            }
            StatementKind::ProjectSignature(s) | StatementKind::Defined(s) => {
                let (name, arity, negative) = (s.name, s.arity, s.negative);
                let known = self.at(Signature { name, arity, negative });
                (known.is_open, known.is_read) = (true, true);
            }
            _ => {
                let atom = parts.atom.into_iter().flat_map(signatures);
                atom.for_each(|s| self.at(s).is_read = true);
            }
        }
    }

    /// Notes what literals of a statement with some heads read.
    fn read<'a>(&mut self, literals: impl Iterator<Item = &'a Literal>, heads: &[Signature]) {
        for signature in literals.filter_map(atom).flat_map(signatures) {
            let known = self.at(signature);
            known.is_read |= !heads.contains(&signature);
        }
    }

    /// Heads that nothing reads or shows, and facts beside a name that they may have been meant to have.
    fn unused(&self, known: &Known<'_>, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
        let write = |s: &Signature| {
            format!("{}{}/{}", if s.negative { "-" } else { "" }, symbols.str(s.name), s.arity)
        };
        let read = self.order.iter().filter(|s| {
            let of = &self.uses[*s];
            of.is_read && (of.head.is_some() || of.fact.is_some())
        });
        let mut read: Vec<&Signature> = read.collect();
        if read.len() * self.order.len() > MAX_COMPARED {
            read.clear();
        }
        let made_of: Set<(Signature, Signature)> =
            self.rules.iter().flat_map(|(head, needed)| needed.iter().map(|s| (*head, *s))).collect();
        for signature in &self.order {
            let this = &self.uses[signature];
            let name = symbols.str(signature.name);
            let Some(place) = this.head.or(this.fact) else { continue };
            let is_shown = known.shown.is_none_or(|shown| shown.contains(signature));
            // Pictures are drawn of atoms that are hidden.
            if this.is_read
                || this.is_open
                || known.shown.is_some() && is_shown
                || name.starts_with("render_")
            {
                continue;
            }
            let alike = |other: &&Signature| {
                // Rules may well make one predicate of another with the same name, and facts of two kinds may share it. An argument
                // is missing where there is one beside many.
                let is_one = this.is_pool || this.facts == 1 && self.uses[*other].facts >= 3;
                let other_arity = this.head.is_none()
                    && other.name == signature.name
                    && other.arity > 0
                    && signature.arity > 0
                    && is_one
                    && !REIFIED.contains(&name);
                // `row(1..4). rows(4).`
                let is_number_of = this.fact.is_some()
                    && self.uses[*other].fact.is_some()
                    && name.strip_suffix('s') == Some(symbols.str(other.name));
                !is_number_of
                    && other.negative == signature.negative
                    && (other.arity == signature.arity || other_arity)
                    && *other != signature
            };
            let near = read.iter().copied().filter(alike);
            let near = near.filter_map(|s| Some((slip(name, symbols.str(s.name))?, s)));
            let near = near.filter(|(_, s)| !made_of.contains(&(*signature, **s)));
            let near = near.min_by_key(|(distance, _)| *distance).map(|(_, s)| s);
            match near {
                Some(near)
                    if near.name == signature.name || is_slip(name, symbols.str(near.name), is_shown) =>
                {
                    let reads = if is_shown { "nothing reads" } else { "nothing reads or shows" };
                    let text = format!("{reads} `{}`", write(signature));
                    let told = Diagnostic::warning(MISSPELT_HEAD, place, text);
                    found.push(told.help(match this.is_split && near.name == signature.name {
                        true => format!(
                            "a `;` between arguments begins another list of them: for two atoms of `{}`, write the pool in parentheses, as `(1;2)`",
                            write(near)
                        ),
                        false => format!("did you mean `{}`?", write(near)),
                    }));
                }
                _ if this.head.is_some() && !is_shown => {
                    let text = format!("nothing reads or shows `{}`", write(signature));
                    let help = format!("`#show {}.` shows it", write(signature));
                    found.push(Diagnostic::info(UNUSED_HEAD, place, text).help(help));
                }
                _ => {}
            }
        }
    }

    /// Predicates whose rules all need atoms that need them first.
    fn unsupported(&self, symbols: &Symbols, found: &mut Vec<Diagnostic>) {
        let mut holds: Map<Signature, bool> = Map::default();
        for (signature, known) in self.order.iter().map(|s| (s, &self.uses[s])) {
            holds.insert(*signature, known.head.is_none() || known.fact.is_some() || known.is_open);
        }
        let mut missing: Vec<usize> = Vec::with_capacity(self.rules.len());
        let mut readers: Map<Signature, Vec<usize>> = Map::default();
        let mut queue: Vec<Signature> = Vec::new();
        for (i, (head, needed)) in self.rules.iter().enumerate() {
            let mut count = 0;
            for s in needed.iter().filter(|s| !holds[*s]) {
                count += 1;
                readers.entry(*s).or_default().push(i);
            }
            missing.push(count);
            if count == 0 && !holds[head] {
                queue.push(*head);
            }
        }
        while let Some(signature) = queue.pop() {
            if holds.insert(signature, true) == Some(true) {
                continue;
            }
            for &i in readers.get(&signature).into_iter().flatten() {
                missing[i] -= 1;
                if missing[i] == 0 {
                    queue.push(self.rules[i].0);
                }
            }
        }
        let never: Vec<(&Signature, Span)> =
            self.order.iter().filter(|s| !holds[*s]).filter_map(|s| Some((s, self.uses[s].head?))).collect();
        let write = |s: &Signature| {
            format!("`{}{}/{}`", if s.negative { "-" } else { "" }, symbols.str(s.name), s.arity)
        };
        let Some(&(first, place)) = never.first() else { return };
        let text = match &never[..] {
            [_] => format!("{} never holds: each rule for it needs it first", write(first)),
            _ => {
                let names: Vec<String> = never.iter().take(MAX_PLACES).map(|(s, _)| write(s)).collect();
                let more = if never.len() > MAX_PLACES { " and others" } else { "" };
                format!("{}{more} never hold: each rule for them needs one of them first", names.join(", "))
            }
        };
        let told = Diagnostic::warning(UNSUPPORTED, place, text);
        let told = never.iter().skip(1).take(MAX_PLACES).fold(told, |d, (_, span)| d.label(*span, ""));
        found.push(
            told.help("write a rule or fact to begin with; a choice `{ a }` may hold without a reason"),
        );
    }
}

/// Whether one name is probably the other with a slip. Of what is shown, a name that is longer by an ending, or has another
/// letter in one place, is probably a name of its own.
fn is_slip(name: &str, other: &str, is_shown: bool) -> bool {
    let digits = |s: &str| s.trim_end_matches(|c: char| c.is_ascii_digit()).to_string();
    if digits(name) == digits(other) {
        return false;
    }
    let (long, short) = if name.len() > other.len() { (name, other) } else { (other, name) };
    let ending = long.strip_prefix(short).is_some_and(|e| matches!(e, "s" | "d" | "ed" | "r" | "n" | "_"));
    let sorted = |s: &str| {
        let mut letters: Vec<char> = s.chars().collect();
        letters.sort_unstable();
        letters
    };
    let is_swapped = sorted(name) == sorted(other);
    // A letter more or less makes other words of short ones: `win` and `in`.
    if short.chars().count() < 3 && !is_swapped {
        return false;
    }
    let replaced = name.chars().count() == other.chars().count() && !is_swapped;
    !is_shown
        || short.chars().count() >= 4
            && !ending
            && !replaced
            && iter::once(slip(name, other)).all(|d| d == Some(1))
}
