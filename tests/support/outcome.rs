//! The outcome of a program, in a form in which two systems can be compared.

use std::collections::BTreeSet;
use std::fmt::{self, Display};

/// The question asked about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// All answer sets.
    All,
    /// All answer sets, distinguished by what is shown.
    ProjectShow,
    /// All answer sets, distinguished by `#project` atoms (which must be what is shown).
    Project,
    /// What is shown in some answer set.
    Brave,
    /// What is shown in all answer sets.
    Cautious,
    /// The optimum.
    Opt,
    /// All optimal answer sets.
    OptN,
    /// The optimum by unsatisfiable cores.
    OptCore,
    /// All answer sets with their costs.
    OptEnum,
    /// All answer sets, the objective ignored.
    OptIgnore,
    /// All supported models.
    Supported,
}

impl Mode {
    /// Command-line arguments that ask the question.
    pub fn arguments(self) -> &'static [&'static str] {
        match self {
            Mode::All => &["0"],
            Mode::ProjectShow => &["0", "--project=show"],
            Mode::Project => &["0", "--project=project"],
            Mode::Brave => &["0", "--enum-mode=brave"],
            Mode::Cautious => &["0", "--enum-mode=cautious"],
            Mode::Opt => &["0"],
            Mode::OptN => &["0", "--opt-mode=optN"],
            Mode::OptCore => &["0", "--opt-strategy=usc"],
            Mode::OptEnum => &["0", "--opt-mode=enum"],
            Mode::OptIgnore => &["0", "--opt-mode=ignore"],
            Mode::Supported => &["0", "--supp-models"],
        }
    }

    /// Whether each answer set is reported, so that their number can be limited.
    pub fn counts(self) -> bool {
        use Mode::{All, OptEnum, OptIgnore, Project, ProjectShow, Supported};
        matches!(self, All | ProjectShow | Project | OptEnum | OptIgnore | Supported)
    }

    /// The part of a sequence of models that does not depend on the order of search, in a normal form.
    pub fn select(self, models: impl Iterator<Item = Model>) -> Outcome {
        let mut models: Vec<Model> = models.collect();
        match self {
            Mode::Brave | Mode::Cautious => models = models.pop().into_iter().collect(),
            Mode::Opt | Mode::OptCore => {
                // Which optimal model is found depends on the search.
                models = models.pop().into_iter().collect();
                models.iter_mut().for_each(|m| m.shown.clear());
            }
            // Without an objective no model is called optimal.
            Mode::OptN => models.retain(|m| m.optimal || m.costs.is_empty()),
            _ => {}
        }
        for model in &mut models {
            model.shown.sort_unstable();
            model.optimal = false;
        }
        models.sort_unstable();
        Outcome::Models(models)
    }
}

/// One model.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Model {
    /// Shown symbols.
    pub shown: Vec<String>,
    /// Costs, most important level first.
    pub costs: Vec<i64>,
    /// Whether it was known to be optimal when it was reported.
    pub optimal: bool,
}

/// The answer to a question, comparable between systems.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Models in a normal form, sorted, with repetitions.
    Models(Vec<Model>),
    /// The program is rejected; the message.
    Rejected(String),
    /// More models than asked for.
    TooMany,
    /// Not done in time.
    Unfinished,
}

impl Outcome {
    /// What is shown in each model, if all are known.
    pub fn shown(self) -> Option<Vec<BTreeSet<String>>> {
        match self {
            Outcome::Models(models) => {
                Some(models.into_iter().map(|m| m.shown.into_iter().collect()).collect())
            }
            _ => None,
        }
    }

    /// The same with each model only once.
    pub fn once(mut self) -> Outcome {
        if let Outcome::Models(models) = &mut self {
            models.dedup();
        }
        self
    }

    /// The same without levels that are 0 in all models.
    pub fn without_vacuous_levels(mut self) -> Outcome {
        if let Outcome::Models(models) = &mut self {
            for level in (0..models.first().map_or(0, |m| m.costs.len())).rev() {
                if models.iter().all(|m| m.costs.get(level) == Some(&0)) {
                    models.iter_mut().for_each(|m| {
                        m.costs.remove(level);
                    });
                }
            }
        }
        self
    }

    /// Whether two systems agree; messages may differ.
    pub fn agrees(&self, other: &Outcome) -> bool {
        matches!((self, other), (Outcome::Rejected(_), Outcome::Rejected(_))) || self == other
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Models(models) => {
                writeln!(f, "{} models", models.len())?;
                for model in models.iter().take(40) {
                    writeln!(f, "  {{{}}} {:?}", model.shown.join(" "), model.costs)?;
                }
                Ok(())
            }
            Outcome::Rejected(message) => writeln!(f, "rejected: {message}"),
            Outcome::TooMany => writeln!(f, "too many models"),
            Outcome::Unfinished => writeln!(f, "unfinished"),
        }
    }
}
