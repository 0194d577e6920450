//! Two texts as the lines that differ, in the unified format.
//!
//! Invariant: the lines marked ` ` and `-` are the old text's, those marked ` ` and `+` the new one's. Source: Myers,
//! *An O(ND) difference algorithm and its variations*, 1986; past a bound the middle is shown as replaced as a whole.

/// Lines around a change.
const CONTEXT: usize = 3;
/// Differences past which no shortest script is looked for.
const MAX_DIFFERENCES: usize = 2000;

/// A line of a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Line<'t> {
    Same(&'t str),
    Old(&'t str),
    New(&'t str),
}

/// The unified diff of two texts with the file's name; empty if they are the same.
pub fn unified(name: &str, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let script = script(&old.lines().collect::<Vec<_>>(), &new.lines().collect::<Vec<_>>());
    let changed = |l: &Line<'_>| !matches!(l, Line::Same(_));
    let mut out = format!("--- {name}\n+++ {name} (formatted)\n");
    let (mut old_line, mut new_line, mut i) = (1, 1, 0);
    while let Some(first) = script[i..].iter().position(changed) {
        // The hunk: from some lines before the change to where nothing changes for long.
        let start = i + first.saturating_sub(CONTEXT);
        let (mut end, mut quiet) = (i + first, 0);
        while end < script.len() && quiet <= 2 * CONTEXT {
            quiet = if changed(&script[end]) { 0 } else { quiet + 1 };
            end += 1;
        }
        end -= quiet.saturating_sub(CONTEXT);
        old_line += start - i;
        new_line += start - i;
        let hunk = &script[start..end];
        let olds = hunk.iter().filter(|l| !matches!(l, Line::New(_))).count();
        let news = hunk.iter().filter(|l| !matches!(l, Line::Old(_))).count();
        out.push_str(&format!("@@ -{old_line},{olds} +{new_line},{news} @@\n"));
        for line in hunk {
            let (mark, text) = match line {
                Line::Same(text) => (' ', text),
                Line::Old(text) => ('-', text),
                Line::New(text) => ('+', text),
            };
            out.push(mark);
            out.push_str(text);
            out.push('\n');
        }
        old_line += olds;
        new_line += news;
        i = end;
    }
    if old.lines().eq(new.lines()) {
        out.push_str("(only line ends differ)\n");
    }
    out
}

/// A shortest way from the old lines to the new ones.
fn script<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let mut out: Vec<Line<'t>> = old[..head].iter().map(|l| Line::Same(l)).collect();
    middle(&old[head..old.len() - tail], &new[head..new.len() - tail], &mut out);
    out.extend(old[old.len() - tail..].iter().map(|l| Line::Same(l)));
    out
}

fn middle<'t>(old: &[&'t str], new: &[&'t str], out: &mut Vec<Line<'t>>) {
    let (n, m) = (old.len(), new.len());
    // reach[k]: how far in `old` one gets on diagonal k with so many differences; all rounds are kept.
    let width = (n + m).min(MAX_DIFFERENCES);
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    let mut found = false;
    for d in 0..=width {
        let mut row = vec![0; 2 * d + 1];
        for i in (0..=2 * d).step_by(2) {
            let k = i as isize - d as isize;
            let before = |k: isize| {
                let last: &Vec<usize> = &rounds[d - 1];
                let at = k + d as isize - 1;
                usize::try_from(at).ok().and_then(|at| last.get(at).copied())
            };
            let mut x = match d {
                0 => 0,
                _ => {
                    let down = before(k + 1);
                    let right = before(k - 1).map(|x| x + 1);
                    down.max(right).unwrap_or(0)
                }
            };
            let y = |x: usize| x as isize - k;
            while x < n && y(x) >= 0 && (y(x) as usize) < m && old[x] == new[y(x) as usize] {
                x += 1;
            }
            row[i] = x;
            found |= k == n as isize - m as isize && x >= n;
        }
        rounds.push(row);
        if found {
            break;
        }
    }
    if !found {
        out.extend(old.iter().map(|l| Line::Old(l)));
        out.extend(new.iter().map(|l| Line::New(l)));
        return;
    }
    let mut back = Vec::new();
    let (mut x, mut y) = (n, m);
    for d in (0..rounds.len()).rev() {
        let k = x as isize - y as isize;
        let at = |k: isize| {
            let last = rounds.get(d.checked_sub(1)?)?;
            last.get(usize::try_from(k + d as isize - 1).ok()?).copied()
        };
        let (down, right) = (at(k + 1), at(k - 1).map(|x| x + 1));
        // Where this round's path came from before its equal lines.
        let start = if d == 0 { 0 } else { down.max(right).unwrap_or(0) };
        while x > start {
            x -= 1;
            y -= 1;
            back.push(Line::Same(old[x]));
        }
        if d == 0 {
            break;
        }
        if down.is_some() && down >= right {
            y -= 1;
            back.push(Line::New(new[y]));
        } else {
            x -= 1;
            back.push(Line::Old(old[x]));
        }
    }
    out.extend(back.into_iter().rev());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Rng;

    #[test]
    fn changes_with_their_surroundings() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\nten\n";
        let wanted =
            "--- f\n+++ f (formatted)\n@@ -2,8 +2,9 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n 9\n+ten\n";
        assert_eq!(unified("f", old, new), wanted);
        assert_eq!(unified("f", old, old), "");
    }

    #[test]
    fn scripts_lead_from_one_text_to_the_other() {
        let mut rng = Rng::new(5);
        for _ in 0..300 {
            let mut lines = |most: u64| -> Vec<&str> {
                let n = rng.below(most);
                (0..n).map(|_| ["a", "b", "c"][rng.below(3) as usize]).collect()
            };
            let (old, new) = (lines(12), lines(12));
            let script = script(&old, &new);
            let side = |other: fn(&Line<'_>) -> bool| -> Vec<&str> {
                let kept = script.iter().filter(|l| !other(l));
                kept.map(|l| match l {
                    Line::Same(t) | Line::Old(t) | Line::New(t) => *t,
                })
                .collect()
            };
            assert_eq!(side(|l| matches!(l, Line::New(_))), old);
            assert_eq!(side(|l| matches!(l, Line::Old(_))), new);
        }
    }
}
