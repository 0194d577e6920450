//! Clues that a half turn of the grid takes to each other's places.
//!
//! Invariant: each clue is in exactly one group; a group holds the clues of one kind at a place and at its image.

use std::collections::BTreeMap;

use asp_base::map::Map;
use asp_base::symbol::Sym;
use asp_base::symbol::{SymView, Symbols};

/// Where a clue stands.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Place {
    /// `p(R,C)`, `p(R,C,V)`
    Cell(i64, i64),
    /// `p(R,C,S,D)`, the lesser cell first
    Between((i64, i64), (i64, i64)),
    /// `p(Side,Line,V)`
    Edge(char, i64),
}

fn place(term: Sym, symbols: &Symbols) -> Option<Place> {
    let SymView::Fun { args, .. } = symbols.view(term) else { return None };
    let numbers: Option<Vec<i64>> = args.iter().take(4).map(|&a| symbols.as_num(a)).collect();
    match (args.len(), numbers.as_deref()) {
        (2 | 3, Some(&[r, c, ..])) => Some(Place::Cell(r, c)),
        (4, Some(&[r, c, s, d])) => Some(Place::Between((r, c).min((s, d)), (r, c).max((s, d)))),
        (3, None) => match (symbols.view(args[0]), symbols.as_num(args[1])?) {
            (SymView::Fun { name, args: [], .. }, line) => {
                let side = symbols.str(name);
                let known = ["n", "e", "s", "w"].contains(&side);
                known.then(|| Place::Edge(side.chars().next().unwrap_or('n'), line))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Groups of clues, by index; each clue comes with its kind. `None` if some clue has no place in a grid.
pub(super) fn groups(clues: &[(usize, Sym)], symbols: &Symbols) -> Option<Vec<Vec<usize>>> {
    let places: Vec<Place> = clues.iter().map(|&(_, c)| place(c, symbols)).collect::<Option<_>>()?;
    let (mut rows, mut columns) = ((i64::MAX, i64::MIN), (i64::MAX, i64::MIN));
    let widen = |range: &mut (i64, i64), x: i64| *range = (range.0.min(x), range.1.max(x));
    for place in &places {
        let cells = match *place {
            Place::Cell(r, c) => vec![(r, c)],
            Place::Between(a, b) => vec![a, b],
            Place::Edge('n' | 's', line) => {
                widen(&mut columns, line);
                continue;
            }
            Place::Edge(_, line) => {
                widen(&mut rows, line);
                continue;
            }
        };
        for (r, c) in cells {
            widen(&mut rows, r);
            widen(&mut columns, c);
        }
    }
    let turn = |x: i64, range: (i64, i64)| range.0.checked_add(range.1)?.checked_sub(x);
    let cell = |(r, c): (i64, i64)| Some((turn(r, rows)?, turn(c, columns)?));
    let image = |place: &Place| -> Option<Place> {
        Some(match *place {
            Place::Cell(r, c) => cell((r, c)).map(|(r, c)| Place::Cell(r, c))?,
            Place::Between(a, b) => {
                let (a, b) = (cell(a)?, cell(b)?);
                Place::Between(a.min(b), a.max(b))
            }
            Place::Edge(side, line) => match side {
                'n' => Place::Edge('s', turn(line, columns)?),
                's' => Place::Edge('n', turn(line, columns)?),
                'e' => Place::Edge('w', turn(line, rows)?),
                _ => Place::Edge('e', turn(line, rows)?),
            },
        })
    };
    let mut at: Map<(usize, Place), Vec<usize>> = Map::default();
    let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (i, place) in places.iter().enumerate() {
        let kind = clues[i].0;
        let key = (kind, place.clone().min(image(place)?));
        let group = at.entry(key).or_default();
        group.push(i);
        let first = group[0];
        found.entry(first).or_default().push(i);
    }
    Some(found.into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_control::Control;

    #[track_caller]
    fn check(clues: &str, expect: Option<&[&[usize]]>) {
        let mut control = Control::new();
        let terms: Vec<(usize, Sym)> =
            clues.split(' ').map(|t| (0, control.parse_term(t).expect("a term"))).collect();
        let expect = expect.map(|groups| groups.iter().map(|g| g.to_vec()).collect::<Vec<_>>());
        assert_eq!(groups(&terms, control.symbols()), expect, "{clues}");
    }

    #[test]
    fn clues_that_a_half_turn_exchanges() {
        check("g(1,1,5) g(1,2,7) g(3,3,1) g(2,2,4)", Some(&[&[0, 2], &[1], &[3]]));
        check("q(1,1) q(2,3) q(2,1) q(1,3)", Some(&[&[0, 1], &[2, 3]]));
        check("gt(1,1,1,2) gt(2,1,2,2) gt(1,1,2,1)", Some(&[&[0, 1], &[2]]));
        check("clue(n,1,2) clue(s,3,2) clue(e,1,1) clue(w,3,1)", Some(&[&[0, 1], &[2, 3]]));
        check("same(a,b)", None);
        check("clue(x,1,1)", None);
    }
}
