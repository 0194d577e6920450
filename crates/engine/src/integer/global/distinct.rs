//! All-different constraints: bounds consistency by Hall intervals.
//!
//! Variables are taken by rising upper bounds, each to the first free place at or after its lower bound. An interval whose
//! places are used up is a Hall interval: variables with other upper bounds lie after it. Negating all numbers gives the
//! upper bounds. The explanation says that the variables of a Hall interval lie within it; the interval is found again on
//! demand. Source: López-Ortiz, Quimper, Tromp and van Beek, *A fast and simple algorithm for bounds consistency of the
//! alldifferent constraint*, IJCAI 2003; Katsirelos, *Nogood processing in CSPs*, 2008, for explanations.

use super::{Bound, Finding, Past, View};

/// Variables whose values differ pairwise.
#[derive(Clone, Debug)]
pub struct Distinct(pub Vec<View>);

/// Where a path in a forest of links that rise ends.
fn end(links: &[usize], mut at: usize) -> usize {
    while links[at] > at {
        at = links[at];
    }
    at
}

/// Lets what lies on a path link to somewhere else.
fn shorten(links: &mut [usize], mut at: usize, to: usize, target: usize) {
    while at != to {
        at = std::mem::replace(&mut links[at], target);
    }
}

impl Distinct {
    fn views(&self, mirrored: bool) -> Vec<View> {
        self.0.iter().map(|&v| if mirrored { v.negated() } else { v }).collect()
    }

    pub(super) fn propagate(&self, least: &[i64], found: &mut Vec<Finding>) -> u64 {
        for mirrored in [false, true] {
            raise_lower_bounds(&self.views(mirrored), mirrored, least, found);
        }
        self.0.len() as u64 * 4
    }

    pub(super) fn explain(&self, finding: Finding, past: Past, bounds: &mut Vec<Bound>) {
        let mirrored = finding.note[1] == 1;
        let views = self.views(mirrored);
        let low = |v: View| past.least(v.side) + v.offset;
        let high = |v: View| -past.least(v.side.opposite()) + v.offset;
        // The interval ends here, and starts at the lower bound of one of its variables.
        let (last, above) = match finding.bound {
            None => (finding.note[0], None),
            Some((_, value)) => {
                let above = views[finding.note[0] as usize];
                (value + above.offset - 1, Some(above))
            }
        };
        let own = above.map(|_| finding.note[0] as usize);
        let within = (0..views.len()).filter(|&i| Some(i) != own).map(|i| views[i]);
        let mut within: Vec<View> = within.filter(|&v| high(v) <= last).collect();
        within.sort_by_key(|&v| -low(v));
        let most = above.map_or(i64::MAX, low);
        for count in 1..=within.len() {
            let first = low(within[count - 1]);
            let room = i128::from(last) - i128::from(first) + 1 - count as i128;
            // What was found together with it may have left too few places since, where variables are the same.
            let above = above.filter(|_| room == 0 && first <= most);
            if room < 0 || above.is_some() {
                for &view in &within[..count] {
                    bounds.extend([view.at_least(first), view.at_most(last)]);
                }
                bounds.extend(above.map(|v| v.at_least(first)));
                return;
            }
        }
        debug_assert!(false, "{finding:?} has no Hall interval");
    }
}

/// Lists new lower bounds.
fn raise_lower_bounds(views: &[View], mirrored: bool, least: &[i64], found: &mut Vec<Finding>) {
    // Each variable has the places from its lower bound up to, not including, its end.
    let ranges: Vec<(i64, i64)> = views.iter().map(|v| (v.least(least), v.greatest(least) + 1)).collect();
    let mut points: Vec<i64> = ranges.iter().flat_map(|r| [r.0, r.1]).collect();
    points.sort_unstable();
    points.dedup();
    let rank = |n: i64| points.partition_point(|&p| p < n) + 1;
    // With a point before the first, and one after the last.
    let point = |rank: usize| match rank {
        0 => points[0] - 2,
        r if r > points.len() => points[points.len() - 1] + 2,
        r => points[r - 1],
    };
    let ranks = points.len() + 2;
    // By rank: where there is room next, how much room is left before it, and where a Hall interval that begins here ends.
    let mut room: Vec<usize> = (0..ranks).map(|r| r.saturating_sub(1)).collect();
    let mut halls = room.clone();
    let mut left: Vec<i64> = (0..ranks).map(|r| if r == 0 { 0 } else { point(r) - point(r - 1) }).collect();
    let mut order: Vec<usize> = (0..views.len()).collect();
    order.sort_by_key(|&i| ranges[i].1);
    for i in order {
        let (from, to) = (rank(ranges[i].0), rank(ranges[i].1));
        let mut place = end(&room, from + 1);
        let before = room[place];
        left[place] -= 1;
        if left[place] == 0 {
            room[place] = place + 1;
            place = end(&room, place + 1);
            room[place] = before;
        }
        shorten(&mut room, from + 1, place, place);
        let used_up = point(place) - point(to);
        if left[place] < used_up {
            if !mirrored {
                found.push(Finding { bound: None, note: [ranges[i].1 - 1, 0] });
            }
            return;
        }
        if halls[from] > from {
            let last = end(&halls, halls[from]);
            found.push(Finding {
                bound: Some(views[i].at_least(point(last))),
                note: [i as i64, mirrored.into()],
            });
            shorten(&mut halls, from, last, last);
        }
        if left[place] == used_up {
            let at = halls[to];
            shorten(&mut halls, at, before - 1, to);
            halls[to] = before - 1;
        }
    }
}
