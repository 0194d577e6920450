//! Parses a command line into options with their values, as clasp does: options anywhere among files, unique prefixes
//! of long names, bundled short flags, values of optional arguments only when joined.
//!
//! Invariant: every value in the result matches its option's pattern, and an option that may be given only once is. The
//! messages are clingo's, with the nearest name added.

use super::pattern;
use super::spec::{OptionSpec, Scope, Takes};
use super::table::{self, OPTIONS};
use super::value::Value;
use crate::usage::{UsageError, UsageErrorKind};
use asp_base::nearest::nearest;

/// An option as given.
#[derive(Clone, Copy, Debug)]
pub struct GivenOption<'a> {
    /// Which.
    pub spec: &'static OptionSpec,
    /// Its value, if it has one.
    pub value: Option<&'a str>,
    /// Whether it was given as `--no-NAME`.
    pub negated: bool,
}

impl GivenOption<'_> {
    /// The value as the option's reader gets it.
    pub(crate) fn taken_apart(&self) -> Value<'_> {
        Value::new(self.spec.long, self.spec.takes.pattern(), self.value, self.negated)
    }

    /// The option as one word of a command line.
    pub fn word(&self) -> String {
        let no = if self.negated { "no-" } else { "" };
        let value = self.value.map_or(String::new(), |value| format!("={value}"));
        format!("--{no}{}{value}", self.spec.long)
    }
}

/// A parsed command line.
#[derive(Clone, Debug, Default)]
pub struct Args<'a> {
    /// Options in order.
    pub options: Vec<GivenOption<'a>>,
    /// Files in order.
    pub files: Vec<&'a str>,
}

impl<'a> Args<'a> {
    /// The last occurrence of an option.
    pub fn get(&self, long: &str) -> Option<GivenOption<'a>> {
        self.options.iter().rev().find(|g| g.spec.long == long).copied()
    }
    /// The options that a control takes too, as words of a command line.
    pub fn of_control(&self) -> Vec<String> {
        self.options.iter().filter(|g| g.spec.scope <= Scope::Control).map(GivenOption::word).collect()
    }
    /// Whether an option was given.
    pub(crate) fn has(&self, long: &str) -> bool {
        self.get(long).is_some()
    }
}

/// Parses a command line (without the program's name).
pub fn parse(argv: &[String]) -> Result<Args<'_>, UsageError> {
    let mut args = Args::default();
    let mut rest = argv.iter().map(String::as_str);
    while let Some(arg) = rest.next() {
        if arg == "--" {
            args.files.extend(rest.by_ref());
        } else if let Some(joined) = file_option(arg) {
            let file = joined.or_else(|| rest.next());
            args.files.push(file.ok_or_else(|| needs_value("file"))?);
        } else if let Some(long) = arg.strip_prefix("--") {
            parse_long(long, &mut rest, &mut args)?;
        } else if arg.len() > 1 && arg.starts_with('-') {
            parse_short(&arg[1..], &mut rest, &mut args)?;
        } else if arg.starts_with(|c: char| c.is_ascii_digit()) && pattern::integer(arg).is_some() {
            push(&mut args, by_name("models"), Some(arg), false)?;
        } else {
            args.files.push(arg);
        }
    }
    Ok(args)
}

/// Whether a word is the option for a file, which front ends write before each name; the name, if it is joined to it.
fn file_option(word: &str) -> Option<Option<&str>> {
    if word == "-f" || word == "--file" {
        return Some(None);
    }
    word.strip_prefix("--file=").or_else(|| word.strip_prefix("-f")).map(Some)
}

/// The value of the option whose name a function recognises; the rest of the line may be invalid.
pub fn value_anywhere(argv: &[String], is_name: impl Fn(&str) -> bool) -> Option<&str> {
    argv.iter().take_while(|arg| *arg != "--").enumerate().find_map(|(at, arg)| {
        let text = arg.strip_prefix("--")?;
        let (name, joined) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let value = joined.or_else(|| argv.get(at + 1).map(String::as_str));
        value.filter(|value| is_name(name) && !value.is_empty())
    })
}

/// Whether a name is that of an option, or a prefix of it and of no other.
pub fn is_name_of(name: &str, long: &str) -> bool {
    resolve(name).is_ok_and(|(spec, negated)| spec.long == long && !negated)
}

fn by_name(long: &str) -> &'static OptionSpec {
    table::find(long).unwrap_or(&OPTIONS[0])
}

fn parse_long<'a>(
    text: &'a str,
    rest: &mut impl Iterator<Item = &'a str>,
    args: &mut Args<'a>,
) -> Result<(), UsageError> {
    let (name, joined) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (text, None),
    };
    let (spec, negated) = resolve(name)?;
    if negated {
        // As in clingo, a negation with a value is an unknown name.
        return match joined {
            None => push(args, spec, None, true),
            Some(_) => Err(unknown(&format!("no-{}", spec.long), "--")),
        };
    }
    let value = match (spec.takes, joined) {
        (Takes::Flag, Some(v)) if !v.is_empty() => {
            return Err(syntax(format!("'{}' does not take a value!", spec.long)));
        }
        (Takes::Flag, _) => None,
        (Takes::Optional(_), v) => v.filter(|v| !v.is_empty()),
        (Takes::Required(_), Some(v)) if !v.is_empty() => Some(v),
        (Takes::Required(_), Some(_)) => return Err(needs_value(spec.long)),
        (Takes::Required(_), None) => Some(rest.next().ok_or_else(|| needs_value(spec.long))?),
    };
    push(args, spec, value, false)
}

fn parse_short<'a>(
    mut text: &'a str,
    rest: &mut impl Iterator<Item = &'a str>,
    args: &mut Args<'a>,
) -> Result<(), UsageError> {
    while let Some(letter) = text.chars().next() {
        let Some(spec) = OPTIONS.iter().find(|o| o.short == Some(letter)) else {
            return Err(unknown(&letter.to_string(), "-"));
        };
        text = &text[letter.len_utf8()..];
        match spec.takes {
            Takes::Flag => push(args, spec, None, false)?,
            Takes::Optional(_) => {
                return push(args, spec, Some(text).filter(|t| !t.is_empty()), false);
            }
            Takes::Required(_) => {
                let value = if text.is_empty() {
                    rest.next().ok_or_else(|| needs_value(&letter.to_string()))?
                } else {
                    text
                };
                return push(args, spec, Some(value), false);
            }
        }
    }
    Ok(())
}

fn push<'a>(
    args: &mut Args<'a>,
    spec: &'static OptionSpec,
    value: Option<&'a str>,
    negated: bool,
) -> Result<(), UsageError> {
    if !spec.many && args.has(spec.long) {
        return Err(UsageError::option(format!("multiple occurrences: '{}'", spec.long)));
    }
    if let (Takes::Required(p) | Takes::Optional(p), Some(v)) = (spec.takes, value)
        && !pattern::matches(p, v)
    {
        return Err(bad_value(spec, v, p));
    }
    args.options.push(GivenOption { spec, value, negated });
    Ok(())
}

/// The option for a name or unique prefix, and whether the name negates it.
fn resolve(name: &str) -> Result<(&'static OptionSpec, bool), UsageError> {
    let named = |o: &'static OptionSpec| {
        let negation = o.negatable.then(|| format!("no-{}", o.long));
        std::iter::once((o.long.to_string(), o, false)).chain(negation.map(|n| (n, o, true)))
    };
    let all: Vec<_> = OPTIONS.iter().flat_map(named).filter(|(n, ..)| n.starts_with(name)).collect();
    if let Some((_, o, negated)) = all.iter().find(|(n, ..)| n == name) {
        return Ok((o, *negated));
    }
    match all.as_slice() {
        [] => Err(unknown(name, "--")),
        [(_, o, negated)] => Ok((o, *negated)),
        several => {
            let mut names: Vec<&str> = several.iter().map(|(n, ..)| n.as_str()).collect();
            names.sort_unstable();
            Err(UsageError::option(format!(
                "ambiguous option: '{name}' could be:\n  {}\n",
                names.join("\n  ")
            )))
        }
    }
}

fn syntax(message: String) -> UsageError {
    UsageError::new(UsageErrorKind::Syntax, message)
}

fn needs_value(name: &str) -> UsageError {
    syntax(format!("'{name}' requires a value!"))
}

fn unknown(name: &str, dashes: &str) -> UsageError {
    let shown = if dashes == "-" { format!("-{name}") } else { name.to_string() };
    let mut message = format!("unknown option: '{shown}'");
    if dashes == "--" {
        let negations = OPTIONS.iter().filter(|o| o.negatable).map(|o| format!("no-{}", o.long));
        let names: Vec<String> = OPTIONS.iter().map(|o| o.long.to_string()).chain(negations).collect();
        if let Some(near) = nearest(name, names.iter().map(String::as_str)) {
            message.push_str(&format!("; did you mean '--{near}'?"));
        }
    }
    UsageError::option(message)
}

fn bad_value(spec: &OptionSpec, value: &str, pattern: &'static str) -> UsageError {
    let first = value.split(',').next().unwrap_or("").to_lowercase();
    UsageError::bad_value(spec.long, value, nearest(&first, pattern::words(pattern)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Options as `name=value` and files, or the message.
    fn show(line: &str) -> String {
        let argv: Vec<String> = line.split(' ').filter(|a| !a.is_empty()).map(str::to_string).collect();
        match parse(&argv) {
            Err(error) => error.text("asp"),
            Ok(args) => {
                let option = |g: &GivenOption<'_>| {
                    let no = if g.negated { "no-" } else { "" };
                    format!("{no}{}={}", g.spec.long, g.value.unwrap_or(""))
                };
                let mut all: Vec<String> = args.options.iter().map(option).collect();
                all.extend(args.files.iter().map(|f| format!("[{f}]")));
                all.join(" ")
            }
        }
    }

    #[track_caller]
    fn check(line: &str, expect: &str) {
        assert_eq!(show(line), expect);
    }

    #[test]
    fn five_spellings_of_all_models() {
        for line in ["a.lp -n0", "-n 0 a.lp", "--models 0 a.lp", "a.lp --models=0", "0 a.lp"] {
            check(line, "models=0 [a.lp]");
        }
    }

    #[test]
    fn values_joined_and_apart() {
        check("-q1,2 -t 2 -c n=4 -cm=5 -Wnone", "quiet=1,2 parallel-mode=2 const=n=4 const=m=5 warn=none");
        check("-V 2", "verbose= models=2");
        check("--stats=2 -q a", "stats=2 quiet= [a]");
        check("-sq", "In context '<asp>': 'q' invalid value for: 'stats'");
        check("- -- --stats", "[-] [--stats]");
        // As aspcud and other front ends name files.
        check("-f a.lp 0 -fb.lp --file=c --file d", "models=0 [a.lp] [b.lp] [c] [d]");
        check("a -f", "SyntaxError: 'file' requires a value!");
    }

    #[test]
    fn prefixes_and_negations() {
        check("--time-lim=3", "time-limit=3");
        check("--no-proj", "no-project=");
        check("--no-ufs", "no-ufs-check=");
        check("--mod=gringo", "In context '<asp>': ambiguous option: 'mod' could be:\n  mode\n  models\n");
        check("--project=no", "project=no");
    }

    #[test]
    fn errors_name_the_nearest() {
        check("--modles=3", "In context '<asp>': unknown option: 'modles'; did you mean '--models'?");
        check("--foo", "In context '<asp>': unknown option: 'foo'");
        check("-z", "In context '<asp>': unknown option: '-z'");
        check("-5", "In context '<asp>': unknown option: '-5'");
        check("-vx", "In context '<asp>': unknown option: '-x'");
        check(
            "--opt-mode=otpN",
            "In context '<asp>': 'otpN' invalid value for: 'opt-mode'; did you mean 'optn'?",
        );
        check("--outf", "SyntaxError: 'outf' requires a value!");
        check("-n", "SyntaxError: 'n' requires a value!");
        check("--text=1", "SyntaxError: 'text' does not take a value!");
        check("1 -n 2", "In context '<asp>': multiple occurrences: 'models'");
    }
}
