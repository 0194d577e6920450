//! The stages up to the ground program, without the solver.

use super::outcome::{Mode, Model, Outcome};
use asp::Interrupt;
use asp::message::Severity;
use asp_base::span::Sources;
use asp_base::symbol::Symbols;
use asp_ground::{Callers, GroundOptions, Grounder};
use asp_oracle::brute_force;
use asp_program::lower::lower;
use asp_program::{Program, text};
use asp_syntax::{Input, NoFiles, parse};

/// A ground program with its terms.
pub struct Ground {
    /// The terms.
    pub symbols: Symbols,
    /// The program.
    pub program: Program,
}

/// Parses and grounds; the messages if that fails.
pub fn ground(source: &str) -> Result<Ground, String> {
    let (mut symbols, mut sources, mut program) = (Symbols::new(), Sources::new(), Program::new());
    let input = Input::new("-", source);
    let parsed = parse(vec![input], &mut symbols, &mut sources, &mut NoFiles);
    let mut diagnostics = parsed.diagnostics;
    let mut grounder = Grounder::new(GroundOptions {
        keep_facts: true,
        instance_limit: Some(200_000),
        ..GroundOptions::default()
    });
    let errors = |ds: &[asp::message::Diagnostic]| -> Vec<String> {
        ds.iter().filter(|d| d.severity == Severity::Error).map(|d| d.message.clone()).collect()
    };
    let fine =
        errors(&diagnostics).is_empty() && grounder.add(&parsed.program, &[], &mut symbols, &mut diagnostics);
    let base = [(symbols.intern("base"), Vec::new())];
    if !fine
        || grounder
            .ground(
                &base,
                &mut symbols,
                &mut program,
                &Interrupt::new(),
                &mut diagnostics,
                Callers::default(),
            )
            .is_err()
        || !errors(&diagnostics).is_empty()
    {
        return Err(format!("{:?}", errors(&diagnostics)));
    }
    Ok(Ground { symbols, program })
}

/// The ground program as text.
pub fn ground_text(source: &str) -> Result<String, String> {
    ground(source).map(|g| text::to_text(&g.program, &g.symbols))
}

/// The answer sets of the ground program by definition, before or after lowering; `None` if it has too many atoms.
pub fn by_definition(source: &str, lowered: bool, most_atoms: usize) -> Option<Outcome> {
    let mut g = match ground(source) {
        Ok(g) => g,
        Err(message) => return Some(Outcome::Rejected(message)),
    };
    if lowered && let Err(error) = lower(&mut g.program, &g.symbols) {
        return Some(Outcome::Rejected(error.to_string()));
    }
    if g.program.atoms.len() > most_atoms {
        return None;
    }
    let sets = brute_force::answer_sets(&g.program, &g.symbols);
    Some(Mode::All.select(sets.iter().map(|s| Model {
        shown: s.shown(&g.program, &g.symbols),
        costs: s.costs(&g.program, &g.symbols).unwrap_or_default(),
        optimal: false,
    })))
}
