//! The options of a control as a tree of keys, as in clingo.
//!
//! Invariants: a written value is read as on the command line, and takes effect with the next call; one that cannot be
//! read changes nothing.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_int};
use std::sync::OnceLock;

use asp_options::{args, spec::Takes, table};

use crate::control::{Control, lock};
use crate::error::{Fail, ok};
use crate::ffi::{Out, Text};
use crate::options;
use crate::read_back::{is_on, whole};
use crate::registry::Handle;
use crate::symbol::{intern_text, name_of};

const VALUE: c_int = 1;
const ARRAY: c_int = 2;
const MAP: c_int = 4;

/// Keys of `solver`, and the defaults of a control.
const SOLVER: &[(&str, &str)] = &[
    ("opt_strategy", "bb,lin"),
    ("opt_usc_shrink", "no"),
    ("opt_heuristic", "no"),
    ("restart_on_model", "0"),
    ("lookahead", "no"),
    ("heuristic", "vsids,92"),
    ("init_moms", "1"),
    ("score_res", "auto"),
    ("score_other", "all"),
    ("sign_def", "asp"),
    ("sign_fix", "0"),
    ("berk_huang", "0"),
    ("vsids_acids", "0"),
    ("vsids_progress", "no"),
    ("nant", "0"),
    ("dom_mod", "no"),
    ("save_progress", "160"),
    ("init_watches", "least"),
    ("update_mode", "propagate"),
    ("acyc_prop", "1"),
    ("seed", "1"),
    ("no_lookback", "false"),
    ("forget_on_step", "no"),
    ("strengthen", "recursive,all,yes"),
    ("otfs", "2"),
    ("update_lbd", "less,0"),
    ("update_act", "0"),
    ("reverse_arcs", "0"),
    ("contraction", "no"),
    ("loops", "shared"),
    ("partial_check", "no"),
    ("sign_def_disj", "asp"),
    ("rand_freq", "0"),
    ("rand_prob", "no"),
    ("restarts", "l,60"),
    ("reset_restarts", "no"),
    ("local_restarts", "1"),
    ("counter_restarts", "no"),
    ("block_restarts", "no"),
    ("shuffle", "no"),
    ("deletion", "basic,50,activity"),
    ("del_grow", "no"),
    ("del_cfl", "+,2000,100,20"),
    ("del_init", "3,10,4294967285"),
    ("del_estimate", "1"),
    ("del_max", "2000000,0"),
    ("del_glue", "2,0"),
    ("del_on_restart", "0"),
];

const SOLVE: &[(&str, &str)] = &[
    ("solve_limit", "umax,umax"),
    ("parallel_mode", "1,compete"),
    ("global_restarts", "no"),
    ("distribute", "conflict,global,4,4194303"),
    ("integrate", "gp,1024,all"),
    ("enum_mode", "auto"),
    ("project", "no"),
    ("models", "-1"),
    ("opt_mode", "opt"),
    ("opt_stop", "no"),
];

const ASP: &[(&str, &str)] = &[
    ("trans_ext", "dynamic"),
    ("eq", "3"),
    ("backprop", "0"),
    ("supp_models", "0"),
    ("no_ufs_check", "0"),
    ("no_gamma", "0"),
    ("eq_dfs", "0"),
    ("dlp_old_map", "0"),
];

const COMMON: &[(&str, &str)] =
    &[("configuration", "auto"), ("share", "auto"), ("learn_explicit", "0"), ("sat_prepro", "no")];

const ROOT: &[(&str, &str)] = &[("stats", "0"), ("parse_ext", "false"), ("parse_maxsat", "false")];

/// A key of the tree.
struct Node {
    name: &'static str,
    kind: c_int,
    /// For a value: its default; `None` for the tester, which searches like the solver.
    default: Option<&'static str>,
    /// Whether it belongs to the tester.
    tester: bool,
    children: Vec<u32>,
}

/// The tree; a key's number is its index, and the root has 0.
fn tree() -> &'static [Node] {
    static TREE: OnceLock<Vec<Node>> = OnceLock::new();
    TREE.get_or_init(|| {
        let mut nodes =
            vec![Node { name: "", kind: MAP, default: None, tester: false, children: Vec::new() }];
        let map = |nodes: &mut Vec<Node>, parent: u32, name, kind, tester| {
            let number = nodes.len() as u32;
            nodes.push(Node { name, kind, default: None, tester, children: Vec::new() });
            nodes[parent as usize].children.push(number);
            number
        };
        let values = |nodes: &mut Vec<Node>, parent: u32, list: &[(&'static str, &'static str)]| {
            for &(name, default) in list {
                let number = nodes.len() as u32;
                let tester = nodes[parent as usize].tester;
                let default = (!tester).then_some(default);
                nodes.push(Node { name, kind: VALUE, default, tester, children: Vec::new() });
                nodes[parent as usize].children.push(number);
            }
        };
        let tester = map(&mut nodes, 0, "tester", MAP, true);
        let inner = map(&mut nodes, tester, "solver", MAP | ARRAY, true);
        values(&mut nodes, inner, SOLVER);
        values(&mut nodes, tester, COMMON);
        let solve = map(&mut nodes, 0, "solve", MAP, false);
        values(&mut nodes, solve, SOLVE);
        let asp = map(&mut nodes, 0, "asp", MAP, false);
        values(&mut nodes, asp, ASP);
        let solver = map(&mut nodes, 0, "solver", MAP | ARRAY, false);
        values(&mut nodes, solver, SOLVER);
        values(&mut nodes, 0, COMMON);
        values(&mut nodes, 0, ROOT);
        nodes
    })
}

fn node(key: u32) -> Result<&'static Node, Fail> {
    tree().get(key as usize).ok_or_else(|| Fail::runtime("there is no such key in the configuration"))
}

/// The options given: arguments, and values by their keys.
#[derive(Clone, Debug, Default)]
pub struct Configuration {
    /// Arguments that are not values of the tree.
    arguments: Vec<String>,
    values: BTreeMap<u32, String>,
    /// How many entries `solver` has: as many as the arguments ask for threads, whatever is written later.
    solvers: usize,
}

/// The key of an option.
fn key_of(long: &str) -> Option<u32> {
    let name = long.replace('-', "_");
    let is_it = |n: &&(usize, &Node)| n.1.kind == VALUE && !n.1.tester && n.1.name == name;
    tree().iter().enumerate().find(|n| is_it(&n)).map(|(key, _)| key as u32)
}

impl Configuration {
    /// The configuration for some arguments.
    pub fn of(arguments: &[String]) -> Result<Self, Fail> {
        let mut new = Self::default();
        let parsed = args::parse(arguments).map_err(|wrong| Fail::runtime(wrong.text("libclingo")))?;
        for given in &parsed.options {
            let long = given.spec.long;
            let value = match (given.value, given.negated) {
                (_, true) => Some("no"),
                (None, _) if matches!(given.spec.takes, Takes::Flag) => Some("1"),
                (None, _) if long == "stats" => Some("1"),
                (None, _) if long == "project" => Some("auto,3"),
                (None, _) if long == "lookahead" => Some("atom"),
                (None, _) if long == "sat-prepro" => Some("2"),
                (value, _) => value,
            };
            match (key_of(long), value) {
                (Some(key), Some(value)) => {
                    new.values.insert(key, value.to_string());
                }
                _ => new.arguments.push(given.word()),
            }
        }
        new.solvers = new.threads();
        Ok(new)
    }

    /// Arguments for this configuration.
    fn arguments(&self) -> Vec<String> {
        let mut all = self.arguments.clone();
        for (&key, value) in &self.values {
            let Some(node) = tree().get(key as usize) else { continue };
            let long = node.name.replace('_', "-");
            let Some(spec) = table::find(&long) else { continue };
            if node.default.is_some_and(|default| default == value) && spec.long != "models" {
                continue;
            }
            match spec.takes {
                Takes::Flag if is_on(value) => all.push(format!("--{long}")),
                Takes::Flag => {}
                _ if value == "no" && spec.negatable => all.push(format!("--no-{long}")),
                _ => all.push(format!("--{long}={value}")),
            }
        }
        all
    }

    /// The number of threads.
    fn threads(&self) -> usize {
        let value = key_of("parallel-mode").and_then(|key| self.values.get(&key));
        let number = value.and_then(|v| v.split(',').next()?.parse().ok());
        number.unwrap_or(1).max(1)
    }

    /// The level of statistics.
    pub fn statistics(&self) -> u32 {
        let value = key_of("stats").and_then(|key| self.values.get(&key));
        value.map_or(0, |v| v.parse().unwrap_or_else(|_| u32::from(is_on(v))))
    }
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_configuration(
    control: Handle<Control>,
    configuration: Out<Handle<Control>>,
) -> bool {
    ok(|| {
        configuration.set(Handle::new(control.get()?.number, 0));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_configuration_root(_: Handle<Control>, key: Out<u32>) -> bool {
    key.set(0);
    true
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_configuration_type(_: Handle<Control>, key: u32, kind: Out<c_int>) -> bool {
    ok(|| {
        kind.set(node(key)?.kind);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_configuration_description(
    _: Handle<Control>,
    key: u32,
    description: Out<*const c_char>,
) -> bool {
    ok(|| {
        let node = node(key)?;
        let option = table::find(&node.name.replace('_', "-"));
        let text = match (node.kind, option) {
            (VALUE, Some(option)) => option.help,
            _ => match node.name {
                "tester" => "Tester Options",
                "solve" => "Solve Options",
                "asp" => "Asp Options",
                "solver" => "Solver Options",
                _ => "Options",
            },
        };
        description.set(name_of(intern_text(text)?));
        Ok(())
    })
}

fn array(key: u32) -> Result<&'static Node, Fail> {
    let node = node(key)?;
    if node.kind & ARRAY == 0 { Err(Fail::runtime(format!("'{}' is no array", node.name))) } else { Ok(node) }
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_configuration_array_size(
    configuration: Handle<Control>,
    key: u32,
    size: Out<usize>,
) -> bool {
    ok(|| {
        let is_tester = array(key)?.tester;
        let solvers = lock(&configuration.get()?.configuration).solvers;
        size.set(if is_tester { 0 } else { solvers });
        Ok(())
    })
}

/// See clingo.h. All threads search as configured here, or as in a portfolio.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_configuration_array_at(
    _: Handle<Control>,
    key: u32,
    _offset: usize,
    subkey: Out<u32>,
) -> bool {
    ok(|| {
        array(key)?;
        subkey.set(key);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_configuration_map_size(_: Handle<Control>, key: u32, size: Out<usize>) -> bool {
    ok(|| {
        size.set(node(key)?.children.len());
        Ok(())
    })
}

fn child(key: u32, name: &str) -> Result<Option<u32>, Fail> {
    // A path may be written with dots.
    let mut at = key;
    for part in name.split('.') {
        match node(at)?.children.iter().find(|&&c| tree()[c as usize].name == part) {
            Some(&next) => at = next,
            None if part.parse::<u32>().is_ok() && node(at)?.kind & ARRAY != 0 => {}
            None => return Ok(None),
        }
    }
    Ok(Some(at))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_configuration_map_has_subkey(
    _: Handle<Control>,
    key: u32,
    name: Text,
    result: Out<bool>,
) -> bool {
    ok(|| {
        result.set(child(key, name.get()?)?.is_some());
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_configuration_map_subkey_name(
    _: Handle<Control>,
    key: u32,
    offset: usize,
    name: Out<*const c_char>,
) -> bool {
    ok(|| {
        let found = node(key)?.children.get(offset);
        let found = found.ok_or_else(|| Fail::runtime("the map has fewer keys"))?;
        name.set(name_of(intern_text(tree()[*found as usize].name)?));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_configuration_map_at(
    _: Handle<Control>,
    key: u32,
    name: Text,
    subkey: Out<u32>,
) -> bool {
    ok(|| {
        let name = name.get()?;
        let found = child(key, name)?;
        subkey.set(found.ok_or_else(|| Fail::runtime(format!("the configuration has no key '{name}'")))?);
        Ok(())
    })
}

fn value(configuration: Handle<Control>, key: u32) -> Result<Option<String>, Fail> {
    let control = configuration.get()?;
    let node = node(key)?;
    if node.kind != VALUE {
        return Err(Fail::runtime(format!("'{}' is no value", node.name)));
    }
    let given = lock(&control.configuration).values.get(&key).cloned();
    Ok(given.map(|text| whole(node.name, text)).or_else(|| node.default.map(str::to_string)))
}

/// A value without the blanks before its numbers, as clasp reads it.
fn without_spaces(text: &str) -> String {
    let part = |part: &str| {
        let number = part.trim_start();
        let is_number = number.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+');
        if is_number { number.trim_start_matches('+') } else { part }.to_string()
    };
    text.split(',').map(part).collect::<Vec<_>>().join(",")
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_configuration_value_is_assigned(
    configuration: Handle<Control>,
    key: u32,
    assigned: Out<bool>,
) -> bool {
    ok(|| {
        assigned.set(value(configuration, key)?.is_some());
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_configuration_value_get_size(
    configuration: Handle<Control>,
    key: u32,
    size: Out<usize>,
) -> bool {
    ok(|| {
        size.set(value(configuration, key)?.unwrap_or_default().len() + 1);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_configuration_value_get(
    configuration: Handle<Control>,
    key: u32,
    text: Out<c_char>,
    size: usize,
) -> bool {
    ok(|| text.text(&value(configuration, key)?.unwrap_or_default(), size))
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_configuration_value_set(
    configuration: Handle<Control>,
    key: u32,
    text: Text,
) -> bool {
    ok(|| {
        let control = configuration.get()?;
        let node = node(key)?;
        if node.kind != VALUE {
            return Err(Fail::runtime("could not set option value"));
        }
        if node.tester {
            return Err(Fail::runtime("the tester is configured by the argument --tester=OPTIONS"));
        }
        let text = text.get()?;
        let mut changed = lock(&control.configuration).clone();
        changed.values.insert(key, without_spaces(text));
        // With the words of clingo, which some compare.
        let read = options::read(&changed.arguments());
        let read = read.map_err(|_| Fail::runtime("could not set option value"))?;
        control.apply_next(read)?;
        *lock(&control.configuration) = changed;
        Ok(())
    })
}
