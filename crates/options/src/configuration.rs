//! Configurations: options by the name of a preset, or from a file, one set per thread.
//!
//! A preset is a line of options, following clasp's description of that name in its help; options of clasp without a
//! counterpart here are left out. A file has lines `[name](preset): --option=value ...`, as `--print-portfolio` writes
//! them. Invariant: an option on the command line takes precedence over a configuration; `auto` adds nothing.

use super::args::{self, Args};
use super::spec::Group;
use crate::disk;
use crate::usage::{UsageError, UsageErrorKind};
use asp_base::nearest::nearest;

struct Preset {
    name: &'static str,
    purpose: &'static str,
    options: &'static str,
}

const PRESETS: [Preset; 6] = [
    Preset {
        name: "frumpy",
        purpose: "conservative",
        options: "--heuristic=Vsids --restarts=x,100,1.5 --deletion=basic,75 --del-init=3.0,200,40000 --del-max=400000 \
                  --del-grow=1.1 --loops=common --save-progress=180 --strengthen=local --sign-def-disj=pos",
    },
    Preset {
        name: "jumpy",
        purpose: "aggressive",
        options: "--sat-prepro=2,iter=20,occ=25 --heuristic=Vsids --restarts=L,100 --deletion=basic,75 \
                  --del-init=3.0,1000,20000 --del-grow=1.1,25,x,100,1.5 --del-cfl=x,10000,1.1 --del-glue=2 \
                  --update-lbd=glucose --strengthen=recursive --save-progress=70",
    },
    Preset {
        name: "tweety",
        purpose: "for programs with much structure",
        options: "--heuristic=Vsids,92 --restarts=L,60 --deletion=basic,50 --del-max=2000000 --del-cfl=+,2000,100,20 \
                  --del-glue=2,0 --strengthen=recursive,all --update-lbd=less --save-progress=160 \
                  --init-watches=least --local-restarts",
    },
    Preset {
        name: "handy",
        purpose: "for large problems",
        options: "--sat-prepro=2,iter=10,occ=25 --heuristic=Vsids --restarts=D,100,0.7 --deletion=sort,50 \
                  --del-max=200000 --del-init=20.0,1000,14000 --del-cfl=+,4000,600 --del-glue=2 --update-lbd=less \
                  --strengthen=recursive --save-progress=20 --loops=distinct --counter-restarts=7,1023",
    },
    Preset {
        name: "crafty",
        purpose: "for crafted problems",
        options: "--sat-prepro=2,iter=10,occ=25 --heuristic=Vsids --save-progress=180 --restarts=x,128,1.5 \
                  --deletion=basic,75 --del-init=10.0,1000,9000 --del-grow=1.1,20.0 --del-cfl=+,10000,1000 \
                  --del-glue=2 --counter-restarts=3,9973",
    },
    Preset {
        name: "trendy",
        purpose: "for industrial problems",
        options: "--sat-prepro=2,iter=20,occ=25 --heuristic=Vsids --restarts=D,100,0.7 --deletion=basic,50 \
                  --del-init=3.0,500,19500 --del-grow=1.1,20.0,x,100,1.5 --del-cfl=+,10000,2000 --del-glue=2 \
                  --strengthen=recursive --update-lbd=less --save-progress=75 --counter-restarts=3,1023 \
                  --loops=common",
    },
];

/// The portfolio. A thread that searches alone uses the first one, which adapts by itself.
const PORTFOLIO: [&str; 8] = [
    "",
    "--heuristic=Vsids --restarts=D,100,0.7 --deletion=basic,50 --del-init=3.0,500,19500 \
     --del-grow=1.1,20.0,x,100,1.5 --del-cfl=+,10000,2000 --update-lbd=less --save-progress=75 \
     --counter-restarts=3,1023 --opt-heuristic=sign --opt-strategy=usc,disjoint",
    "--heuristic=Vmtf --restarts=D,2,0.9 --loops=common --sign-def-disj=pos --restart-on-model --opt-heuristic=model",
    "--heuristic=Vsids --restarts=x,128,1.5 --deletion=basic,75 --del-init=10.0,1000,9000 --del-grow=1.1,20.0 \
     --del-cfl=+,10000,1000 --counter-restarts=3,9973 --sign-def=pos --opt-strategy=bb,hier",
    "--heuristic=Vsids,92 --restarts=L,60 --deletion=basic,50 --del-max=2000000 --del-cfl=+,2000,100,20 \
     --save-progress=160 --init-watches=least --local-restarts --opt-strategy=bb,hier",
    "--heuristic=Vsids --restarts=L,100 --deletion=basic,75 --del-init=3.0,1000,20000 --del-cfl=x,10000,1.1 \
     --update-lbd=glucose --save-progress=70 --restart-on-model --opt-heuristic=sign,model --opt-strategy=bb,inc",
    "--heuristic=Vsids --restarts=D,100,0.7 --deletion=sort,50 --del-max=200000 --del-init=20.0,1000,14000 \
     --del-cfl=+,4000,600 --save-progress=20 --loops=distinct --counter-restarts=7,1023 --rand-freq=0.01",
    "--heuristic=Vmtf,8 --restarts=x,100,1.3 --strengthen=no --deletion=basic,75 --del-init=3.0,800,9200",
];

/// Options that affect all threads: from a preset that a file builds on, they are ignored.
const GLOBAL: [&str; 4] = ["eq", "sat-prepro", "supp-models", "trans-ext"];

/// One set of options.
struct Entry {
    name: String,
    /// The options of the preset that it builds on.
    base: Vec<String>,
    argv: Vec<String>,
}

/// The configuration that a command line names.
#[derive(Default)]
pub(crate) struct Configuration {
    entries: Vec<Entry>,
}

fn split(options: &str) -> Vec<String> {
    options.split_ascii_whitespace().map(str::to_string).collect()
}

fn entry(name: &str, options: &str) -> Entry {
    Entry { name: name.to_string(), base: Vec::new(), argv: split(options) }
}

fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|p| p.name.eq_ignore_ascii_case(name))
}

impl Configuration {
    /// Reads the configuration that a command line names.
    pub(crate) fn read(args: &Args<'_>) -> Result<Self, UsageError> {
        let Some(name) = args.get("configuration").and_then(|g| g.value) else { return Ok(Self::default()) };
        let lower = name.to_ascii_lowercase();
        if let Some(preset) = preset(name) {
            return Ok(Self { entries: vec![entry(preset.name, preset.options)] });
        }
        if lower == "auto" {
            return Ok(Self::default());
        }
        if lower == "many" {
            return Ok(Self::many());
        }
        match disk::read(name) {
            Ok(bytes) => parse(name, &String::from_utf8_lossy(&bytes)),
            Err(_) => {
                let mut message = format!("Could not open config file '{name}'");
                let names = PRESETS.iter().map(|p| p.name).chain(["auto", "many"]);
                if let Some(near) = nearest(&lower, names) {
                    message.push_str(&format!("; did you mean '{near}'?"));
                }
                Err(UsageError::new(UsageErrorKind::Argument, message))
            }
        }
    }

    fn many() -> Self {
        let named = PORTFOLIO.iter().enumerate().map(|(i, options)| entry(&format!("solver.{i}"), options));
        Self { entries: named.collect() }
    }

    /// Number of sets of options.
    pub(crate) fn sets(&self) -> usize {
        self.entries.len()
    }

    /// The options of a command line, completed by those of a set.
    pub(crate) fn complete<'a>(&'a self, args: &Args<'a>, number: usize) -> Result<Args<'a>, UsageError> {
        let Some(entry) = self.entries.get(number) else { return Ok(args.clone()) };
        let context = |error: UsageError| {
            let text = error.within(format!("[{}]", entry.name)).text("asp");
            UsageError::configuration(text)
        };
        let unknown = |what: &str| context(UsageError::option(format!("unknown option: '{what}'")));
        let base = args::parse(&entry.base).map_err(context)?;
        let own = args::parse(&entry.argv).map_err(context)?;
        if let Some(file) = own.files.first() {
            return Err(unknown(file));
        }
        for given in &own.options {
            let ours = matches!(
                given.spec.group,
                Group::Solving | Group::Search | Group::Lookback | Group::Preprocessing
            ) || given.spec.long == "stats";
            if !ours || ["configuration", "tester"].contains(&given.spec.long) {
                return Err(unknown(given.spec.long));
            }
        }
        let mut all = args.clone();
        let from_base =
            base.options.iter().filter(|g| !GLOBAL.contains(&g.spec.long) && !own.has(g.spec.long));
        all.options = from_base
            .chain(&own.options)
            .filter(|g| !args.has(g.spec.long))
            .chain(&args.options)
            .copied()
            .collect();
        Ok(all)
    }
}

/// Reads a file of configurations.
fn parse(file: &str, text: &str) -> Result<Configuration, UsageError> {
    let mut entries = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let mut line = line.trim().to_string();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        while line.ends_with('\\') {
            line.pop();
            line.push(' ');
            let Some((_, next)) = lines.next() else { break };
            line.push_str(next.trim());
        }
        let invalid = || UsageError::configuration(format!("'{file}@{}': Invalid configuration", number + 1));
        let (head, options) = line.split_once(':').ok_or_else(invalid)?;
        let (name, base) = match head.trim_end().strip_suffix(')').map(|h| h.split_once('(')) {
            Some(Some((name, base))) => (name.trim(), Some(base.trim())),
            Some(None) => return Err(invalid()),
            None => (head.trim(), None),
        };
        let name = match name.strip_prefix('[') {
            Some(rest) => rest.strip_suffix(']').ok_or_else(invalid)?,
            None => name,
        };
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
        if name.is_empty() || !name.chars().all(plain) {
            return Err(invalid());
        }
        let base = match base {
            None => Vec::new(),
            Some(base) => match preset(base) {
                Some(preset) => split(preset.options),
                None => {
                    return Err(UsageError::configuration(format!(
                        "[{name}]: '{base}': Invalid base config!"
                    )));
                }
            },
        };
        entries.push(Entry { base, ..entry(name, options) });
    }
    Ok(Configuration { entries })
}

/// The options of a preset, in their order; none for other names.
pub fn preset_options(name: &str) -> impl Iterator<Item = &'static str> {
    preset(name).into_iter().flat_map(|preset| preset.options.split_ascii_whitespace())
}

/// The portfolio, as a file that `--configuration` reads.
pub fn portfolio() -> String {
    let mut text = String::from(
        "# A file for --configuration=FILE: a line for each thread, '[name]: options' or '[name](preset): options'.\n\
         # A preset is one of frumpy, jumpy, tweety, handy, crafty, trendy. Options of the command line win.\n\
         # A thread without options of its own adapts to the problem.\n",
    );
    for entry in Configuration::many().entries {
        text.push_str(format!("[{}]: {}", entry.name, entry.argv.join(" ")).trim_end());
        text.push('\n');
    }
    text
}

/// The presets, for the help.
pub fn presets() -> String {
    let mut text = String::new();
    for preset in &PRESETS {
        text.push_str(&format!("  {}: {}\n", preset.name, preset.purpose));
        let mut line = String::from("   ");
        for option in preset.options.split_ascii_whitespace() {
            if line.len() + option.len() + 1 > 100 {
                text.push_str(&line);
                text.push('\n');
                line = String::from("   ");
            }
            line.push(' ');
            line.push_str(option);
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::spec::Standing;
    use super::super::table::find;
    use super::*;

    fn names(configuration: &Configuration) -> Vec<(&str, usize)> {
        configuration.entries.iter().map(|e| (e.name.as_str(), e.argv.len())).collect()
    }

    #[track_caller]
    fn fails(text: &str, why: &str) {
        match parse("f", text).and_then(|c| c.complete(&Args::default(), 0).map(|_| ())) {
            Ok(()) => panic!("{text} is taken"),
            Err(wrong) => {
                assert_eq!((wrong.message.as_str(), wrong.kind), (why, UsageErrorKind::Configuration));
            }
        }
    }

    #[test]
    fn presets_have_options_that_work() {
        for options in PRESETS.iter().map(|p| p.options).chain(PORTFOLIO) {
            let argv = split(options);
            for given in args::parse(&argv).unwrap().options {
                assert_eq!(find(given.spec.long).unwrap().standing, Standing::Works, "{}", given.spec.long);
            }
        }
    }

    #[test]
    fn the_portfolio_is_a_file_of_configurations() {
        let Ok(read) = parse("f", &portfolio()) else { panic!("{}", portfolio()) };
        assert_eq!(names(&read), names(&Configuration::many()));
    }

    #[test]
    fn files() {
        let Ok(read) = parse("f", "# c\n\n[a.b-c](tweety): --eq=0 \\\n --restarts=no\nb:\n") else {
            panic!()
        };
        assert_eq!(names(&read), [("a.b-c", 2), ("b", 0)]);
        let argv = split("--restarts=L,9");
        let args = args::parse(&argv).unwrap();
        let Ok(all) = read.complete(&args, 0) else { panic!() };
        assert_eq!(all.get("restarts").unwrap().value, Some("L,9"));
        assert!(all.has("heuristic") && all.has("eq") && all.has("local-restarts"));
    }

    #[test]
    fn wrong_files() {
        fails("[a] --restarts=no", "'f@1': Invalid configuration");
        fails("\nx y: --restarts=no", "'f@2': Invalid configuration");
        fails("[a: --restarts=no", "'f@1': Invalid configuration");
        fails("[a](foo): --restarts=no", "[a]: 'foo': Invalid base config!");
        fails("[a]: --heuristic=bla", "In context '[a]': 'bla' invalid value for: 'heuristic'");
        fails("[a]: --configuration=many", "In context '[a]': unknown option: 'configuration'");
        fails("[a]: b.lp", "In context '[a]': unknown option: 'b.lp'");
        fails("[a]: --outf=2", "In context '[a]': unknown option: 'outf'");
    }
}
