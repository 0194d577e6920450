//! The known name that a misspelt one is nearest to.
//!
//! The distance counts inserted, deleted, replaced and transposed letters (optimal string alignment). Invariant: one
//! rule for options, files, predicates and directives alike, so that a suggestion is worth as much everywhere.

/// How far a name is from a known one; `None` if that is too far for a slip of the finger. A third of the letters may be
/// wrong; a single letter never says which other one was meant.
pub fn slip(name: &str, known: &str) -> Option<usize> {
    let distance = strsim::osa_distance(name, known);
    (3 * distance <= name.chars().count() + 1).then_some(distance)
}

/// The candidate nearest to a name that is none of them, the first of several; `None` if no candidate is near.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let near = candidates.into_iter().filter_map(|c| Some((slip(name, c)?, c)));
    near.filter(|&(distance, _)| distance > 0).min_by_key(|&(distance, _)| distance).map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger() {
        for (name, expect) in [
            ("modles", Some("models")),
            ("model", Some("models")),
            ("models", None),
            ("mdoel", Some("models")),
            ("m", None),
            ("quite", Some("quiet")),
            ("nothing", None),
        ] {
            assert_eq!(nearest(name, ["models", "quiet", "n"]), expect, "{name}");
        }
    }
}
