//! Options of a program of the caller's, beside those of the command line.
//!
//! Invariant: they are taken out of the arguments before the command line is read, so one of asp's own may have the same name.

use std::ffi::{CString, c_char, c_void};
use std::sync::Mutex;

use asp_options::table::OPTIONS as KNOWN;

use crate::control::lock;
use crate::error::{Fail, ok};
use crate::ffi::Text;
use crate::registry::{Handle, Registry};

/// What an option of the caller's does with its value.
#[derive(Clone, Copy)]
enum Target {
    Parse(extern "C" fn(*const c_char, *mut c_void) -> bool, *mut c_void),
    Flag(*mut bool),
}

/// An option of the caller's.
struct OptionOf {
    group: String,
    long: String,
    short: Option<char>,
    level: u8,
    help: String,
    value: String,
    target: Target,
    multi: bool,
    seen: bool,
    /// Whether there is one of that name before it.
    is_second: bool,
}

impl OptionOf {
    /// One that may be given once and takes no value, before its name is known.
    fn new(group: &str, help: &str, target: Target) -> Self {
        Self {
            group: group.to_string(),
            long: String::new(),
            short: None,
            level: 0,
            help: help.to_string(),
            value: String::new(),
            target,
            multi: false,
            seen: false,
            is_second: false,
        }
    }
}

/// The options of a program of the caller's.
#[derive(Default)]
pub struct Options(Mutex<Vec<OptionOf>>);

// SAFETY: the pointers are handed to the caller's functions, or written to while `clingo_main` runs, in its thread.
unsafe impl Send for Options {}
// SAFETY: as above; the list is behind a lock.
unsafe impl Sync for Options {}

/// Those of programs that are being registered.
pub static OPTIONS: Registry<Options> = Registry::new();

fn add(options: Handle<Options>, name: &str, option: OptionOf) -> Result<(), Fail> {
    let options = OPTIONS.get(options.number())?;
    let mut parts = name.split(',');
    let mut option = OptionOf { long: parts.next().unwrap_or_default().to_string(), ..option };
    for part in parts {
        match part.strip_prefix('@') {
            Some(level) => option.level = level.parse().unwrap_or(0),
            None => option.short = part.chars().next(),
        }
    }
    let mut list = lock(&options.0);
    let is_same = |o: &OptionOf| o.long == option.long || (o.short.is_some() && o.short == option.short);
    option.is_second = list.iter().any(is_same) || option.long == "help" || option.short == Some('h');
    list.push(option);
    Ok(())
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_options_add(
    options: Handle<Options>,
    group: Text,
    option: Text,
    description: Text,
    parse: Option<extern "C" fn(*const c_char, *mut c_void) -> bool>,
    data: *mut c_void,
    multi: bool,
    argument: Text,
) -> bool {
    ok(|| {
        let parse = parse.ok_or_else(|| Fail::logic("an option needs a function that reads its value"))?;
        let value = if argument.is_null() { "<arg>" } else { argument.get()? };
        let new = OptionOf::new(group.get()?, description.get()?, Target::Parse(parse, data));
        let new = OptionOf { value: format!("={value}"), multi, ..new };
        add(options, option.get()?, new)
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_options_add_flag(
    options: Handle<Options>,
    group: Text,
    option: Text,
    description: Text,
    target: *mut bool,
) -> bool {
    ok(|| {
        if target.is_null() {
            return Err(Fail::logic("a flag needs a place for its value"));
        }
        let new = OptionOf::new(group.get()?, description.get()?, Target::Flag(target));
        add(options, option.get()?, new)
    })
}

/// What an argument says, if it is one of the caller's options: its target, its name, its value.
type Given = (Target, String, Option<String>);

impl Options {
    /// Takes the caller's options out of the arguments.
    pub fn take(&self, arguments: &[String]) -> Result<Vec<String>, Fail> {
        if let Some(second) = lock(&self.0).iter().find(|o| o.is_second) {
            return Err(Fail::logic(format!("duplicate option: '{}'", second.long)));
        }
        let mut rest = Vec::new();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            if argument == "--" {
                rest.push(argument.clone());
                rest.extend(arguments.cloned());
                break;
            }
            let Some((target, long, joined)) = self.find(argument)? else {
                rest.push(argument.clone());
                continue;
            };
            match target {
                Target::Flag(flag) => {
                    if joined.is_some() {
                        return Err(Fail::runtime(format!("'{long}' does not take a value!")));
                    }
                    let value = !argument.starts_with("--no-") || long.starts_with("no-");
                    // SAFETY: the caller gave the place of the flag for as long as `clingo_main` runs; it is not null.
                    unsafe { flag.write(value) }
                }
                Target::Parse(parse, data) => {
                    let value = joined.or_else(|| arguments.next().cloned());
                    let value = value.ok_or_else(|| {
                        let name = argument.trim_start_matches('-');
                        Fail::runtime(format!("'{name}' requires a value!"))
                    })?;
                    let text = CString::new(value.as_str()).map_err(|_| invalid(&value, &long))?;
                    if !parse(text.as_ptr(), data) {
                        return Err(invalid(&value, &long));
                    }
                }
            }
        }
        Ok(rest)
    }

    fn find(&self, argument: &str) -> Result<Option<Given>, Fail> {
        let mut list = lock(&self.0);
        let (at, value) = match argument.strip_prefix("--") {
            Some(text) => {
                let (name, value) = match text.split_once('=') {
                    Some((name, value)) => (name, Some(value)),
                    None => (text, None),
                };
                let denied = || {
                    let at = named(&list, name.strip_prefix("no-")?)?;
                    matches!(list[at].target, Target::Flag(_)).then_some(at)
                };
                match named(&list, name).or_else(denied) {
                    Some(at) => (at, value),
                    None => return Ok(None),
                }
            }
            None => {
                let mut letters = argument.chars();
                let (Some('-'), Some(short)) = (letters.next(), letters.next()) else { return Ok(None) };
                let Some(at) = list.iter().position(|o| o.short == Some(short)) else { return Ok(None) };
                let value = letters.as_str();
                (at, (!value.is_empty()).then(|| value.strip_prefix('=').unwrap_or(value)))
            }
        };
        let option = &mut list[at];
        if std::mem::replace(&mut option.seen, true) && !option.multi {
            return Err(Fail::runtime(format!("multiple occurrences: '{}'", option.long)));
        }
        Ok(Some((option.target, option.long.clone(), value.map(str::to_string))))
    }

    /// The help for options up to a level, group by group.
    pub fn help(&self, level: u8) -> String {
        let list = lock(&self.0);
        let mut groups: Vec<&str> = Vec::new();
        for option in list.iter().filter(|o| o.level < level) {
            if !groups.contains(&option.group.as_str()) {
                groups.push(&option.group);
            }
        }
        let mut text = String::new();
        for group in groups {
            text.push_str(&format!("{group}:\n\n"));
            for option in list.iter().filter(|o| o.level < level && o.group == group) {
                let short = option.short.map_or(String::new(), |short| format!(",-{short}"));
                let value = match short.is_empty() {
                    true => option.value.clone(),
                    false => option.value.replacen('=', " ", 1),
                };
                let name = format!("--{}{short}{value}", option.long);
                text.push_str(&format!("  {name:<24}: {}\n", option.help));
            }
            text.push('\n');
        }
        text
    }
}

/// The option of a long name, or of the beginning of one that no other option has.
fn named(list: &[OptionOf], name: &str) -> Option<usize> {
    let begins = |o: &&OptionOf| o.long.starts_with(name);
    let is_only =
        || list.iter().filter(begins).count() == 1 && !KNOWN.iter().any(|o| o.long.starts_with(name));
    let exact = list.iter().position(|o| o.long == name);
    exact.or_else(|| is_only().then(|| list.iter().position(|o| begins(&o))).flatten())
}

fn invalid(value: &str, name: &str) -> Fail {
    Fail::runtime(format!("'{value}' invalid value for: '{name}'"))
}
