//! The known name nearest to a misspelt one.
//!
//! The distance counts inserted, deleted, replaced and transposed letters (optimal string alignment). Invariant:
//! options, files, predicates and directives share one rule, so that every suggestion is equally trustworthy.

/// The most pairs of names compared for one message; programs with more predicates are generated.
pub const MAX_COMPARED: usize = 4_000_000;

/// The distance between a name and a known one; `None` if it is too great for a typing error. A third of the letters
/// may differ; a single letter never suggests another.
pub fn slip(name: &str, known: &str) -> Option<usize> {
    let letters = name.chars().count();
    let is_near = |distance: &usize| 3 * distance <= letters + 1;
    let at_least = letters.abs_diff(known.chars().count());
    Some(at_least).filter(is_near).map(|_| strsim::osa_distance(name, known)).filter(is_near)
}

/// The candidate nearest to an unknown name, the first if several are; `None` if none is near.
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
