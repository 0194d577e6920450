//! The constructs of random programs, and how often they occur.

/// How often each construct occurs: probabilities, or weights among alternatives.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Name, for messages.
    pub name: &'static str,
    /// Conditional literals in bodies.
    pub conditional: f64,
    /// Body aggregates.
    pub aggregate: f64,
    /// Head aggregates.
    pub head_aggregate: f64,
    /// Disjunctive heads.
    pub disjunction: f64,
    /// Objectives.
    pub optimise: f64,
    /// `#show`.
    pub show: f64,
    /// `#project`.
    pub project: f64,
    /// `#external`.
    pub external: f64,
    /// Whether conditions of `#external` are over what rules derive, too.
    pub derived_externals: bool,
    /// Classical negation.
    pub classical: f64,
    /// Strings, functions, tuples, `#inf`, `#sup` in facts and terms.
    pub rich_terms: f64,
    /// Pools.
    pub pool: f64,
    /// Arithmetic.
    pub arithmetic: f64,
    /// `#edge`, `#heuristic`, `#const`, `#defined`, theory atoms, comments.
    pub directives: f64,
    /// Brave and cautious consequences.
    pub consequences: f64,
    /// Variables that comparisons bind, as a weight among binding literals.
    pub bounds: f64,
    /// Whether to generate programs about bounds instead.
    pub comparisons: bool,
}

impl Profile {
    /// Normal and choice rules, constraints, conditional literals, simple aggregates.
    pub fn basic() -> Profile {
        Profile {
            name: "basic",
            conditional: 0.7,
            aggregate: 0.4,
            head_aggregate: 0.0,
            disjunction: 0.0,
            optimise: 0.0,
            show: 0.25,
            project: 0.0,
            external: 0.0,
            derived_externals: false,
            classical: 0.1,
            rich_terms: 0.15,
            pool: 0.1,
            arithmetic: 0.4,
            directives: 0.0,
            consequences: 0.0,
            bounds: 0.5,
            comparisons: false,
        }
    }
    /// Aggregates of all kinds, recursive ones too.
    pub fn aggregates() -> Profile {
        Profile { name: "aggregates", aggregate: 3.0, head_aggregate: 1.2, ..Profile::basic() }
    }
    /// Disjunctive programs.
    pub fn disjunctive() -> Profile {
        Profile {
            name: "disjunctive",
            disjunction: 4.0,
            aggregate: 0.6,
            head_aggregate: 0.2,
            rich_terms: 0.05,
            ..Profile::basic()
        }
    }
    /// Programs with objectives.
    pub fn optimise() -> Profile {
        Profile {
            name: "optimise",
            optimise: 1.0,
            disjunction: 0.3,
            aggregate: 0.6,
            head_aggregate: 0.2,
            ..Profile::basic()
        }
    }
    /// Everything.
    pub fn all() -> Profile {
        Profile {
            name: "all",
            conditional: 0.7,
            aggregate: 1.2,
            head_aggregate: 0.5,
            disjunction: 0.8,
            optimise: 0.25,
            show: 0.3,
            project: 0.15,
            external: 0.3,
            derived_externals: false,
            classical: 0.15,
            rich_terms: 0.3,
            pool: 0.2,
            arithmetic: 0.6,
            directives: 0.15,
            consequences: 0.2,
            bounds: 0.5,
            comparisons: false,
        }
    }
    /// Many externals, which depend on what rules derive.
    pub fn externals() -> Profile {
        Profile {
            name: "externals",
            external: 0.7,
            derived_externals: true,
            optimise: 0.0,
            show: 0.0,
            project: 0.0,
            ..Profile::all()
        }
    }
    /// Bounds that bind, or do not: programs are unsafe as often as not.
    pub fn bounds() -> Profile {
        Profile { name: "bounds", comparisons: true, ..Profile::basic() }
    }
    /// By name.
    pub fn named(name: &str) -> Option<Profile> {
        [
            Self::basic(),
            Self::aggregates(),
            Self::disjunctive(),
            Self::optimise(),
            Self::all(),
            Self::bounds(),
            Self::externals(),
        ]
        .into_iter()
        .find(|p| p.name == name)
    }
}
