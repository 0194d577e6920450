//! The lines in which two texts differ, in the unified format.
//!
//! Invariant: the lines marked ` ` and `-` are the old text's, those marked ` ` and `+` the new one's. Source: Myers,
//! *An O(ND) difference algorithm and its variations*, 1986, in the crate `similar`.

use similar::{Algorithm, DiffTag, capture_diff_slices, group_diff_ops};

/// Lines around a change.
const CONTEXT: usize = 3;

/// The unified diff of two texts with the file's name; empty if they are the same.
pub fn unified(name: &str, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let mut out = format!("--- {name}\n+++ {name} (formatted)\n");
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    if old == new {
        out.push_str("(only line ends differ)\n");
        return out;
    }
    for hunk in group_diff_ops(capture_diff_slices(Algorithm::Myers, &old, &new), CONTEXT) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let olds = first.old_range().start..last.old_range().end;
        let news = first.new_range().start..last.new_range().end;
        let (old_line, new_line) = (olds.start + 1, news.start + 1);
        out.push_str(&format!("@@ -{old_line},{} +{new_line},{} @@\n", olds.len(), news.len()));
        for change in hunk {
            let mut push = |mark: &str, lines: &[&str]| {
                lines.iter().for_each(|line| out.extend([mark, line, "\n"]));
            };
            if change.tag() == DiffTag::Equal {
                push(" ", &old[change.old_range()]);
            } else {
                push("-", &old[change.old_range()]);
                push("+", &new[change.new_range()]);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_with_their_surroundings() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\nten\n";
        let wanted =
            "--- f\n+++ f (formatted)\n@@ -2,8 +2,9 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n 9\n+ten\n";
        assert_eq!(unified("f", old, new), wanted);
        assert_eq!(unified("f", old, old), "");
        assert_eq!(unified("f", "1\r\n", "1\n"), "--- f\n+++ f (formatted)\n(only line ends differ)\n");
    }
}
