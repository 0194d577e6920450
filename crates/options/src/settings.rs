//! Options to the settings of a control and the texts that they add to its program.
//!
//! Invariant: runs, subcommands and libraries all use this. What no option sets (whether clauses may be added, how many
//! values make an integer) is left to the caller.

use asp_control::{Control, Settings, Source};
use asp_program::ground_program::ShowItem;
use asp_solve::{EnumMode, Projection, SolveOptions};

use crate::raw::{Options, Project};

impl Options {
    /// Settings with these options.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        self.apply(&mut settings);
        settings
    }

    /// Applies the options to settings that the caller may have changed.
    pub fn apply(&self, settings: &mut Settings) {
        settings.ground.instance_limit = self.ground_limit;
        settings.ground.rewritings = self.rewritings;
        settings.ground.profile = self.profile;
        settings.ground.explain = self.explain_rewrites;
        settings.forced = self.forced;
        settings.directives_by_name = self.directives_by_name;
        settings.max_sat = self.max_sat;
        settings.keep_numbers = self.names_atoms_by_number();
        settings.integers = self.integers;
        if self.pictures.is_any() {
            // Pictures are made of atoms.
            settings.integers.tell_values();
        }
        settings.solve = self.solve.clone();
    }

    /// Texts that come before all others: constants, which override other definitions, and what is shown.
    pub fn texts(&self) -> Vec<Source> {
        let mut texts: Vec<Source> = self.consts.iter().map(|definition| constant(definition)).collect();
        if !self.show_preds.is_empty() {
            let shown = self.show_preds.iter().map(|(name, arity)| format!("#show {name}/{arity}.\n"));
            texts.push(Source::new("<command line>", shown.collect::<String>()));
        }
        texts
    }
}

/// The text for a constant, `NAME=TERM`.
pub fn constant(definition: &str) -> Source {
    Source::new(format!("<{definition}>"), format!("#const {definition}. [override]"))
}

impl Project {
    /// Sets the projection of a call, which may depend on the program.
    pub fn apply(self, solve: &mut SolveOptions, control: &Control) {
        let (mode, has_directive) = (solve.enum_mode, control.program().project.is_some());
        let consequences = matches!(mode, EnumMode::Brave | EnumMode::Cautious | EnumMode::Query);
        let unprojected = self == Self::Auto && mode == EnumMode::DomainRecord;
        let wanted = if unprojected { Self::No } else { self };
        solve.projection = wanted.resolve(has_directive, consequences);
        solve.undistinguished.clear();
        if solve.projection != Projection::Show {
            return;
        }
        let (program, symbols) = (control.program(), control.symbols());
        let is_hidden = |item: ShowItem| {
            let atom = program.shown_atom(item, symbols).filter(|_| !item.is_of_integer());
            atom.is_some_and(|(s, _)| !s.negative && symbols.str(s.name).starts_with('_'))
        };
        // As in clasp, they are shown but do not tell answer sets apart.
        let hidden = program.shown().filter(|&(_, item, _)| is_hidden(item));
        solve.undistinguished = hidden.map(|(entry, ..)| entry as u32).collect();
    }
}
