//! Constants and strings in one column: `p(ann)` and `p("ann")` are different facts, and so are their terms in
//! comparisons.
//!
//! Invariant: facts are only read, at most [`MAX_FACTS`] of them, and each column and comparison is reported once.

use super::habits::{QUOTED_NAME, is_quoted, quoted};
use crate::lint;
use crate::predicate::{PredId, Predicates};
use crate::rule::{Literal, Rule, Term};
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::map::{Map, Set};
use asp_base::span::Span;
use asp_base::symbol::{Sym, SymView, Symbols};
use asp_syntax::ast::{Relation, Sign};

/// A text among numbers.
const ODD_CELL: WarningKind = WarningKind::Lint("odd-cell");

/// Of so many names in a column, a single number among them is odd.
const MIN_NAMES: usize = 5;
/// So many names are compared with it.
const MAX_NAMES: usize = 100;

/// How many facts are looked at.
pub const MAX_FACTS: usize = 100_000;

/// An example of each kind that a column holds, and the fact with it.
#[derive(Default)]
struct Column {
    constant: Option<(Sym, Sym)>,
    string: Option<(Sym, Sym)>,
    number: Option<(Sym, Sym)>,
    /// The constants, as far as they are few.
    names: Vec<Sym>,
    /// How many numbers and other terms stand there.
    others: u32,
    /// A string that is a number as it is written.
    digits: Option<(Sym, Sym)>,
    /// Whether another string stands there.
    has_words: bool,
}

/// A cell that is odd in its column: where, in which fact, and in words.
struct Odd {
    place: (PredId, usize),
    fact: Sym,
    what: String,
    help: String,
}

/// Whether a number is like a name of a letter and digits, but for a digit that looks like the letter: `16` beside `l1`.
fn looks_like(number: Sym, name: Sym, symbols: &Symbols) -> bool {
    let (number, name) = (symbols.display(number), symbols.display(name));
    let letters = match number.chars().next() {
        Some('0') => "o",
        Some('1') => "li",
        Some('2') => "z",
        Some('5') => "s",
        _ => return false,
    };
    let rest = name.strip_prefix(|c: char| letters.contains(c));
    number.len() > 1 && rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
}

/// Warns about columns of facts with constants and strings, and comparisons of a column with the other kind. `places` are
/// those of the first facts.
pub fn check(
    rules: &[Rule],
    facts: &[(PredId, Sym)],
    places: &[(Sym, Span)],
    predicates: &Predicates,
    symbols: &Symbols,
    reported: &mut Set<(&'static str, Span)>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut columns: Map<(PredId, usize), Column> = Map::default();
    for &(pred, fact) in facts.iter().take(MAX_FACTS) {
        let SymView::Fun { args, .. } = symbols.view(fact) else { continue };
        for (i, &arg) in args.iter().enumerate() {
            match symbols.view(arg) {
                SymView::Fun { args: [], name, .. } => {
                    let place = || places.iter().find(|p| p.0 == fact).map_or(Span::NONE, |p| p.1);
                    let name = symbols.str(name);
                    if is_quoted(name) && reported.insert((QUOTED_NAME.name(), Span::new(pred.0, i as u32))) {
                        diagnostics.push(quoted(name, place()));
                    }
                    let column = columns.entry((pred, i)).or_default();
                    column.constant.get_or_insert((arg, fact));
                    if column.names.len() < MAX_NAMES {
                        column.names.push(arg);
                    }
                }
                SymView::Str(text) => {
                    let column = columns.entry((pred, i)).or_default();
                    column.string.get_or_insert((arg, fact));
                    let text = symbols.str(text);
                    match text.parse::<i64>() {
                        Ok(n) if n.to_string() == text => _ = column.digits.get_or_insert((arg, fact)),
                        _ => column.has_words = true,
                    }
                }
                SymView::Num(_) => {
                    let column = columns.entry((pred, i)).or_default();
                    column.number.get_or_insert((arg, fact));
                    column.others += 1;
                }
                _ => columns.entry((pred, i)).or_default().others += 1,
            }
        }
    }
    let mut odd: Vec<Odd> = Vec::new();
    let mut mixed: Vec<(PredId, usize)> = Vec::new();
    for (&place, column) in &columns {
        if let (Some(_), Some((cell, fact)), false) = (column.number, column.digits, column.has_words) {
            let written = symbols.display(cell);
            let help =
                format!("did you mean `{}`? a text is greater than each number", written.trim_matches('"'));
            odd.push(Odd {
                place,
                fact,
                what: format!("{written} is a text, and other facts have numbers"),
                help,
            });
        }
        if let (Some((cell, fact)), None, 1) = (column.number, column.string, column.others)
            && column.names.len() >= MIN_NAMES
            && facts.len() <= MAX_FACTS
            && let Some(&near) = column.names.iter().find(|name| looks_like(cell, **name, symbols))
        {
            let what = format!("{} is a number, and all other facts have names", symbols.display(cell));
            odd.push(Odd {
                place,
                fact,
                what,
                help: format!("is a letter meant, as in `{}`?", symbols.display(near)),
            });
        }
        if column.constant.is_some() && column.string.is_some() {
            mixed.push(place);
        }
    }
    odd.sort_by_key(|odd| odd.place);
    for Odd { place: (pred, i), fact, what, help } in odd {
        if reported.insert((ODD_CELL.name(), Span::new(pred.0, i as u32))) {
            let s = predicates[pred].signature;
            let text = format!("{what} as argument {} of `{}/{}`", i + 1, symbols.str(s.name), s.arity);
            let place = places.iter().find(|p| p.0 == fact).map_or(Span::NONE, |p| p.1);
            diagnostics.push(Diagnostic::warning(ODD_CELL, place, text).help(help));
        }
    }
    mixed.sort_unstable();
    for (pred, i) in mixed {
        let s = predicates[pred].signature;
        let Some(Column { constant: Some(constant), string: Some(string), .. }) = columns.get(&(pred, i))
        else {
            continue;
        };
        let (name, n, m) = (symbols.str(s.name), s.arity, i + 1);
        let text = format!("argument {m} of `{name}/{n}` is a name in some facts and a string in others");
        if reported.insert((lint::MIXED_COLUMN.name(), Span::new(pred.0, i as u32))) {
            let place = |fact: Sym| places.iter().find(|p| p.0 == fact).map_or(Span::NONE, |p| p.1);
            let (one, other) = (symbols.display(constant.0), symbols.display(string.0));
            let help = format!("`{one}` and `{other}` are of different kinds; write them all the same way");
            let message = Diagnostic::info(lint::MIXED_COLUMN, place(constant.1), text)
                .caption(format!("`{one}` is a name"))
                .label(place(string.1), format!("`{other}` is a string"));
            diagnostics.push(message.help(help));
        }
    }
    for rule in rules {
        for l in &rule.body {
            let Literal::Compare(Relation::Equal | Relation::NotEqual, s, t, span) = l else { continue };
            for (s, t) in [(s, t), (t, s)] {
                let (Term::Var(v), Term::Sym(value)) = (s, t) else { continue };
                let places = rule.body.iter().filter_map(|l| match l {
                    Literal::Atom(Sign::None, a) => {
                        Some((a.pred, a.args.iter().position(|t| *t == Term::Var(*v))?))
                    }
                    _ => None,
                });
                for place in places {
                    let Some(column) = columns.get(&place) else { continue };
                    let other = match symbols.view(*value) {
                        SymView::Str(_) if column.string.is_none() => &column.constant,
                        SymView::Fun { args: [], .. } if column.constant.is_none() => &column.string,
                        _ => &None,
                    };
                    let &Some((other, _)) = other else { continue };
                    if !reported.insert(("kinds", *span)) {
                        continue;
                    }
                    let (value, other) = (symbols.display(*value), symbols.display(other));
                    let kind = |text: &str| if text.starts_with('"') { "a string" } else { "a constant" };
                    let (one, two) = (kind(&value), kind(&other));
                    let meant = if value.starts_with('"') {
                        value.trim_matches('"').to_string()
                    } else {
                        format!("\"{value}\"")
                    };
                    let text = format!("{one} is compared with facts that have {two} there");
                    diagnostics.push(
                        Diagnostic::info(WarningKind::Other, *span, text)
                            .caption(format!("`{value}` is never equal to `{other}` or the like"))
                            .help(format!("did you mean `{meant}`?")),
                    );
                }
            }
        }
    }
}
