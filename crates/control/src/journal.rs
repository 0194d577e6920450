//! The journals of grounding and translation.

use super::Control;
use asp_base::index_vec::Idx as _;
use asp_base::span::Span;
use asp_ground::Grounder;
use asp_program::RuleSource;
use asp_program::journal::{Count, Journal, Kept, Rewritten};
use asp_rewrite::improve::Rewriting;
use asp_solve::value_sets;

impl Control {
    /// The constraints kept for the search: where they come from, how many instances were expected, and how many exist.
    #[doc(hidden)] // For the other crates, not for users.
    pub fn kept(&mut self) -> Vec<Kept> {
        let made = self.session.made();
        let place = |s: RuleSource| self.program.sources.get(s.index()).copied().unwrap_or(Span::NONE);
        let batches = self.program.lazy.iter().enumerate();
        let all =
            batches.flat_map(|(b, batch)| batch.constraints.iter().enumerate().map(move |(c, k)| (b, c, k)));
        all.map(|(b, c, constraint)| Kept {
            span: place(constraint.source),
            expected: constraint.expected,
            made: made.get(b).and_then(|made| made.get(c)).copied().unwrap_or(0),
        })
        .collect()
    }

    /// The value sets that the solver finds in the lowered program, by their source statements.
    #[doc(hidden)] // For the other crates, not for users.
    pub fn value_sets(&self) -> Vec<Rewritten> {
        if !self.settings.ground.rewritings.has(Rewriting::ValueSets) {
            return Vec::new();
        }
        let place = |s: RuleSource| self.program.sources.get(s.index()).copied().unwrap_or(Span::NONE);
        let text = |s: Span| self.texts.sources.text(s).split_whitespace().collect::<Vec<_>>().join(" ");
        let mut found: Vec<(Span, Span, u32, u32)> = value_sets(&self.program)
            .iter()
            .map(|v| (place(v.at_most), place(v.exactly), v.groups, v.values))
            .collect();
        found.sort_unstable();
        let same = found.chunk_by(|a, b| a == b);
        same.map(|sets| {
            let (at_most, exactly, groups, values) = sets[0];
            let n = sets.len() as u64 * u64::from(values);
            let what = if values < groups { "no answer set" } else { "exactly one of each holds" };
            Rewritten {
                name: Rewriting::ValueSets.name().to_string(),
                span: at_most,
                was: text(at_most),
                became: vec![format!(
                    "{what}: {} x {values} groups over {groups} of which exactly one holds by {}",
                    sets.len(),
                    text(exactly)
                )],
                instances: Some((Count::Exactly(n), if values < groups { n } else { 2 * n })),
                expected: None,
            }
        })
        .collect()
    }

    /// The journal of grounding, as far as the settings ask for it.
    #[doc(hidden)] // For the other crates, not for users.
    pub fn journal(&self) -> Option<&Journal> {
        self.grounder.as_ref().map(Grounder::journal)
    }
}
