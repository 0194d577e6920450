//! Candidates: options of the search that may suit some programs better than the default.

use asp_options::configuration::preset_options;

/// Options to try, alone or upon a preset.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Candidate {
    preset: Option<&'static str>,
    options: Vec<&'static str>,
}

/// The presets and options that are tried, and whether they only concern objectives. First those that made the greatest
/// differences in `benches/side-by-side`, as time may end before all are tried.
const TRIED: [(&str, bool); 27] = [
    ("--opt-strategy=usc", true),
    ("--opt-strategy=bb", true),
    ("--heuristic=Vmtf", false),
    ("--restarts=L,100", false),
    ("--configuration=handy", false),
    ("--configuration=crafty", false),
    ("--sign-def=pos", false),
    ("--configuration=tweety", false),
    ("--opt-heuristic=sign,model", true),
    ("--restarts=x,128,1.5", false),
    ("--configuration=frumpy", false),
    ("--restarts=D,100,0.7", false),
    ("--configuration=jumpy", false),
    ("--eq=0", false),
    ("--configuration=trendy", false),
    ("--trans-ext=dynamic", false),
    ("--save-progress=160", false),
    ("--no-opt-relax", true),
    ("--inprocess=no", false),
    ("--restart-on-model", true),
    ("--deletion=basic,50", false),
    ("--cutting-planes=no", false),
    ("--init-moms", false),
    ("--strengthen=local", false),
    ("--counter-restarts=3,1023", false),
    ("--opt-strategy=bb,dec", true),
    ("--rand-freq=0.01", false),
];

impl Candidate {
    /// All of one preset or option, in the order in which they are tried.
    pub(super) fn all(has_objective: bool) -> impl Iterator<Item = Self> {
        let wanted = TRIED.iter().filter(move |(_, of_objective)| has_objective || !of_objective);
        wanted.map(|&(option, _)| match option.strip_prefix("--configuration=") {
            Some(preset) => Self { preset: Some(preset), options: Vec::new() },
            None => Self { preset: None, options: vec![option] },
        })
    }

    /// Whether this is the default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Both together; `None` if they say something of the same.
    pub(super) fn with(&self, other: &Self) -> Option<Self> {
        let clash = self.options.iter().any(|&a| other.options.iter().any(|&b| name(a) == name(b)));
        if clash || (self.preset.is_some() && other.preset.is_some()) {
            return None;
        }
        let options = self.options.iter().chain(&other.options).copied().collect();
        Some(Self { preset: self.preset.or(other.preset), options })
    }

    /// As on a command line.
    pub fn words(&self) -> Vec<String> {
        let preset = self.preset.map(|name| format!("--configuration={name}"));
        preset.into_iter().chain(self.options.iter().map(ToString::to_string)).collect()
    }

    /// As a line of a file for `--configuration`: global options of a preset count only if written out.
    pub fn line(&self) -> String {
        let own = |option: &str| self.options.iter().any(|&o| name(o) == name(option));
        let base = preset_options(self.preset.unwrap_or_default()).filter(|option| !own(option));
        let options: Vec<&str> = base.chain(self.options.iter().copied()).collect();
        format!("[tuned]: {}", options.join(" "))
    }
}

/// The name of an option with its value.
fn name(option: &str) -> &str {
    option.split('=').next().unwrap_or(option)
}

#[cfg(test)]
mod tests {
    use super::*;
    use asp_options::raw::Action;

    fn parsed(words: &[String]) -> Box<asp_options::raw::Options> {
        match asp_options::parse(words) {
            Ok(Action::Run(options)) => options,
            Ok(_) => panic!("no run: {words:?}"),
            Err(error) => panic!("{}", error.text("asp")),
        }
    }

    #[test]
    fn each_changes_something_and_is_read_back_from_its_line() {
        let file = std::env::temp_dir().join(format!("asp-tuned-{}", std::process::id()));
        let of_default = format!("{:?}", parsed(&[]).solve);
        for candidate in Candidate::all(true) {
            let options = parsed(&candidate.words());
            assert!(options.noted.is_empty(), "{candidate:?}");
            assert_ne!(format!("{:?}", options.solve), of_default, "{candidate:?}");
            std::fs::write(&file, candidate.line()).unwrap();
            let read = parsed(&[format!("--configuration={}", file.display())]);
            assert_eq!(format!("{:?}", read.solve), format!("{:?}", options.solve), "{}", candidate.line());
        }
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn what_says_the_same_is_not_combined() {
        let [vmtf, luby, handy, crafty] =
            ["--heuristic=Vmtf", "--restarts=L,100", "--configuration=handy", "--configuration=crafty"]
                .map(|word| Candidate::all(false).find(|c| c.words() == [word]).unwrap());
        assert!(vmtf.with(&vmtf).is_none() && handy.with(&crafty).is_none());
        let both = vmtf.with(&luby).and_then(|both| both.with(&handy)).unwrap();
        assert!(
            both.line().ends_with(" --heuristic=Vmtf --restarts=L,100") && !both.line().contains("Vsids")
        );
    }
}
