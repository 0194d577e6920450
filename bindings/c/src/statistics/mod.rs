//! Statistics as a tree of keys, as in clingo, with additions by the caller.
//!
//! Invariant: a key belongs to the same entry for the lifetime of a control; an array only grows or starts again.

mod solvers;

use std::ffi::{c_char, c_int};

use asp::{SolveResult, Statistics};

use crate::control::{Control, lock};
use crate::error::{Fail, ok};
use crate::ffi::{Out, Text};
use crate::registry::Handle;
use crate::symbol::{intern_text, name_of};

const EMPTY: c_int = 0;
const VALUE: c_int = 1;
const ARRAY: c_int = 2;
const MAP: c_int = 3;

#[derive(Clone, Debug, Default)]
enum Entry {
    #[default]
    Empty,
    Value(f64),
    Array(Vec<u64>),
    Map(Vec<(String, u64)>),
}

/// All statistics of a control.
#[derive(Debug)]
pub struct Tree {
    entries: Vec<Entry>,
    /// Calls so far.
    calls: u64,
    last: SolveResult,
    /// Times and models of all calls.
    sums: Sums,
    /// Counters at the end of the previous call.
    before: Statistics,
    /// The level of statistics.
    level: u32,
    /// How many threads the last call was allowed.
    threads: u64,
    /// What has stopped the last call.
    signal: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    total: f64,
    solve: f64,
    unsat: f64,
    sat: f64,
    enumerated: u64,
    optimal: u64,
}

const ROOT: u64 = 0;
const STEP: u64 = 1;
const ACCU: u64 = 2;

impl Default for Tree {
    fn default() -> Self {
        let empty = || Entry::Map(Vec::new());
        let mut new = Self {
            entries: vec![empty(), empty(), empty()],
            calls: 0,
            last: SolveResult::default(),
            sums: Sums::default(),
            before: Statistics::default(),
            level: 0,
            threads: 1,
            signal: 0,
        };
        new.fill(&Statistics::default(), &asp::program::Program::new());
        new
    }
}

impl Tree {
    /// Sets the level of statistics, and how many threads the last call was allowed.
    pub fn configure(&mut self, level: u32, threads: u64) {
        (self.level, self.threads) = (level, threads);
    }

    /// Records the result of a call, and whether its caller ended it.
    pub fn note(
        &mut self,
        result: &SolveResult,
        statistics: &Statistics,
        program: &asp::program::Program,
        cancelled: bool,
    ) {
        // The signals that clasp names.
        self.signal = match result.interrupted() {
            None => 0,
            Some(_) if cancelled => 9,
            Some(_) => 65,
        };
        self.calls += 1;
        self.last = result.clone();
        let sums = &mut self.sums;
        sums.total += result.time.total;
        sums.solve += result.time.total;
        sums.unsat += result.time.unsat;
        sums.sat += result.time.first_model;
        sums.enumerated += result.models;
        sums.optimal += result.optimal_models;
        self.fill(statistics, program);
        self.before = statistics.clone();
    }

    /// A call begins. As in clingo, the caller's additions to the previous one stay until they are replaced.
    pub fn begin(&mut self, with_caller: bool) {
        if with_caller {
            for (name, key) in [("user_step", STEP), ("user_accu", ACCU)] {
                if let Entry::Map(list) = &mut self.entries[ROOT as usize] {
                    if !list.iter().any(|e| e.0 == name) {
                        list.push((name.to_string(), key));
                    }
                }
            }
        }
    }

    fn add(&mut self, entry: Entry) -> u64 {
        self.entries.push(entry);
        self.entries.len() as u64 - 1
    }

    /// The entry under a name in a map; a new one if there is none.
    fn child(&mut self, map: u64, name: &str) -> u64 {
        if let Entry::Map(list) = &self.entries[map as usize] {
            if let Some(known) = list.iter().find(|e| e.0 == name) {
                return known.1;
            }
        }
        let new = self.add(Entry::Empty);
        match &mut self.entries[map as usize] {
            Entry::Map(list) => list.push((name.to_string(), new)),
            other => *other = Entry::Map(vec![(name.to_string(), new)]),
        }
        new
    }

    fn set(&mut self, map: u64, name: &str, value: f64) {
        let key = self.child(map, name);
        self.entries[key as usize] = Entry::Value(value);
    }

    fn set_all(&mut self, map: u64, values: &[(&str, u64)]) {
        values.iter().for_each(|&(name, value)| self.set(map, name, value as f64));
    }

    fn list(&mut self, map: u64, name: &str, values: &[i64]) {
        let key = self.child(map, name);
        let mut keys = match std::mem::take(&mut self.entries[key as usize]) {
            Entry::Array(keys) => keys,
            _ => Vec::new(),
        };
        keys.truncate(values.len());
        while keys.len() < values.len() {
            keys.push(self.add(Entry::Empty));
        }
        for (&key, &value) in keys.iter().zip(values) {
            self.entries[key as usize] = Entry::Value(value as f64);
        }
        self.entries[key as usize] = Entry::Array(keys);
    }

    fn fill(&mut self, s: &Statistics, program: &asp::program::Program) {
        let problem = self.child(ROOT, "problem");
        let kinds = s.rule_kinds;
        for name in ["lp", "lpStep"] {
            let lp = self.child(problem, name);
            self.set_all(
                lp,
                &[
                    ("atoms", s.atoms),
                    ("atoms_aux", 0),
                    ("disjunctions", kinds.disjunctive),
                    ("disjunctions_non_hcf", 0),
                    ("bodies", s.bodies),
                    ("bodies_tr", s.bodies),
                    ("sum_bodies", kinds.weight),
                    ("sum_bodies_tr", 0),
                    ("count_bodies", 0),
                    ("count_bodies_tr", 0),
                    ("sccs", s.sccs.0),
                    ("sccs_non_hcf", 0),
                    ("gammas", 0),
                    ("ufs_nodes", s.sccs.1),
                    ("rules", s.rules),
                    ("rules_normal", s.rules.saturating_sub(kinds.choice + kinds.minimize)),
                    ("rules_choice", kinds.choice),
                    ("rules_minimize", kinds.minimize),
                    ("rules_acyc", program.edges.len() as u64),
                    ("rules_heuristic", program.heuristics.len() as u64),
                    ("rules_tr", s.rules),
                    ("rules_tr_normal", s.rules.saturating_sub(kinds.choice + kinds.minimize)),
                    ("rules_tr_choice", kinds.choice),
                    ("rules_tr_minimize", kinds.minimize),
                    ("rules_tr_acyc", program.edges.len() as u64),
                    ("rules_tr_heuristic", program.heuristics.len() as u64),
                    ("eqs", s.equivalences),
                    ("eqs_atom", s.equivalences),
                    ("eqs_body", 0),
                    ("eqs_other", 0),
                ],
            );
        }
        let generator = self.child(problem, "generator");
        let (binary, ternary, longer) = s.search.constraints;
        self.set_all(
            generator,
            &[
                ("vars", s.search.variables.0),
                ("vars_eliminated", s.search.variables.1),
                ("vars_frozen", s.search.frozen),
                ("constraints", longer),
                ("constraints_binary", binary),
                ("constraints_ternary", ternary),
                ("acyc_edges", program.edges.len() as u64),
                ("complexity", binary + ternary + longer),
            ],
        );
        let solving = self.child(ROOT, "solving");
        let before = std::mem::take(&mut self.before);
        self.solvers(solving, s, &before);
        self.summary();
        if self.level > 0 {
            let accu = self.child(ROOT, "accu");
            let sums = self.sums;
            self.times(accu, sums);
            let models = self.child(accu, "models");
            self.set_all(models, &[("enumerated", sums.enumerated), ("optimal", sums.optimal)]);
            let solving = self.child(accu, "solving");
            self.solvers(solving, s, &Statistics::default());
        }
    }

    fn times(&mut self, parent: u64, sums: Sums) {
        let times = self.child(parent, "times");
        let all = [
            ("total", sums.total),
            ("cpu", sums.total),
            ("solve", sums.solve),
            ("unsat", sums.unsat),
            ("sat", sums.sat),
        ];
        all.into_iter().for_each(|(name, value)| self.set(times, name, value));
    }

    fn summary(&mut self) {
        let summary = self.child(ROOT, "summary");
        let last = self.last.clone();
        let outcome = if last.satisfiable { 1 } else { 2 * u64::from(last.exhausted) };
        self.set_all(
            summary,
            &[
                ("call", self.calls.saturating_sub(1)),
                ("result", outcome),
                ("signal", self.signal),
                ("exhausted", u64::from(last.exhausted)),
            ],
        );
        self.list(summary, "costs", last.costs.as_deref().unwrap_or_default());
        self.list(summary, "lower", &last.lower_bounds);
        self.set_all(summary, &[("concurrency", self.threads), ("winner", 0)]);
        let time = last.time;
        let sums = Sums {
            total: time.total,
            solve: time.total,
            unsat: time.unsat,
            sat: time.first_model,
            ..Sums::default()
        };
        self.times(summary, sums);
        let models = self.child(summary, "models");
        self.set_all(models, &[("enumerated", last.models), ("optimal", last.optimal_models)]);
    }

    fn entry(&self, key: u64) -> Result<&Entry, Fail> {
        self.entries.get(key as usize).ok_or_else(|| Fail::runtime("there is no such key in the statistics"))
    }
    fn array(&self, key: u64) -> Result<&[u64], Fail> {
        match self.entry(key)? {
            Entry::Array(list) => Ok(list),
            _ => Err(Fail::runtime("this entry of the statistics is no array")),
        }
    }
    fn map(&self, key: u64) -> Result<&[(String, u64)], Fail> {
        match self.entry(key)? {
            Entry::Map(list) => Ok(list),
            _ => Err(Fail::runtime("this entry of the statistics is no map")),
        }
    }
    fn found(&self, key: u64, name: &str) -> Result<Option<u64>, Fail> {
        let own = self.map(key)?.iter().find(|e| e.0 == name).map(|e| e.1);
        if own.is_some() || !name.contains('.') {
            return Ok(own);
        }
        // A path: names of maps and places in arrays.
        let mut at = key;
        for part in name.split('.') {
            let next = match self.entry(at)? {
                Entry::Map(list) => list.iter().find(|e| e.0 == part).map(|e| e.1),
                Entry::Array(list) => part.parse().ok().and_then(|place: usize| list.get(place).copied()),
                _ => None,
            };
            let Some(next) = next else { return Ok(None) };
            at = next;
        }
        Ok(Some(at))
    }
}

fn with<T>(statistics: Handle<Control>, run: impl FnOnce(&mut Tree) -> Result<T, Fail>) -> Result<T, Fail> {
    run(&mut lock(&statistics.get()?.calls.statistics))
}

fn new_entry(kind: c_int) -> Result<Entry, Fail> {
    Ok(match kind {
        EMPTY => Entry::Empty,
        VALUE => Entry::Value(0.0),
        ARRAY => Entry::Array(Vec::new()),
        MAP => Entry::Map(Vec::new()),
        _ => return Err(Fail::runtime("this is no type of statistics")),
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_control_statistics(
    control: Handle<Control>,
    statistics: Out<Handle<Control>>,
) -> bool {
    ok(|| {
        let control = control.get()?;
        if control.is_solving() {
            return Err(Fail::runtime("statistics not (yet) available"));
        }
        statistics.set(Handle::new(control.number, 0));
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_statistics_root(statistics: Handle<Control>, key: Out<u64>) -> bool {
    ok(|| {
        statistics.get()?;
        key.set(statistics.part() as u64);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_statistics_type(statistics: Handle<Control>, key: u64, kind: Out<c_int>) -> bool {
    ok(|| {
        kind.set(with(statistics, |tree| {
            Ok(match tree.entry(key)? {
                Entry::Empty => EMPTY,
                Entry::Value(_) => VALUE,
                Entry::Array(_) => ARRAY,
                Entry::Map(_) => MAP,
            })
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_statistics_array_size(
    statistics: Handle<Control>,
    key: u64,
    size: Out<usize>,
) -> bool {
    ok(|| {
        size.set(with(statistics, |tree| Ok(tree.array(key)?.len()))?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_statistics_array_at(
    statistics: Handle<Control>,
    key: u64,
    offset: usize,
    subkey: Out<u64>,
) -> bool {
    ok(|| {
        subkey.set(with(statistics, |tree| {
            tree.array(key)?.get(offset).copied().ok_or_else(|| Fail::runtime("the array is shorter"))
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_statistics_array_push(
    statistics: Handle<Control>,
    key: u64,
    kind: c_int,
    subkey: Out<u64>,
) -> bool {
    ok(|| {
        subkey.set(with(statistics, |tree| {
            tree.array(key)?;
            let new = tree.add(new_entry(kind)?);
            if let Entry::Array(list) = &mut tree.entries[key as usize] {
                list.push(new);
            }
            Ok(new)
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_statistics_map_size(
    statistics: Handle<Control>,
    key: u64,
    size: Out<usize>,
) -> bool {
    ok(|| {
        size.set(with(statistics, |tree| Ok(tree.map(key)?.len()))?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_statistics_map_has_subkey(
    statistics: Handle<Control>,
    key: u64,
    name: Text,
    result: Out<bool>,
) -> bool {
    ok(|| {
        let name = name.get()?;
        result.set(with(statistics, |tree| Ok(tree.found(key, name)?.is_some()))?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_statistics_map_subkey_name(
    statistics: Handle<Control>,
    key: u64,
    offset: usize,
    name: Out<*const c_char>,
) -> bool {
    ok(|| {
        name.set(with(statistics, |tree| {
            let found = tree.map(key)?.get(offset);
            Ok(name_of(intern_text(&found.ok_or_else(|| Fail::runtime("the map has fewer keys"))?.0)?))
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_statistics_map_at(
    statistics: Handle<Control>,
    key: u64,
    name: Text,
    subkey: Out<u64>,
) -> bool {
    ok(|| {
        let name = name.get()?;
        subkey.set(with(statistics, |tree| {
            tree.found(key, name)?
                .ok_or_else(|| Fail::runtime(format!("the statistics have no key '{name}'")))
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_statistics_map_add_subkey(
    statistics: Handle<Control>,
    key: u64,
    name: Text,
    kind: c_int,
    subkey: Out<u64>,
) -> bool {
    ok(|| {
        let name = name.get()?;
        subkey.set(with(statistics, |tree| {
            if let Some(known) = tree.found(key, name)? {
                return Ok(known);
            }
            let entry = new_entry(kind)?;
            let new = tree.child(key, name);
            tree.entries[new as usize] = entry;
            Ok(new)
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_statistics_value_get(
    statistics: Handle<Control>,
    key: u64,
    value: Out<f64>,
) -> bool {
    ok(|| {
        value.set(with(statistics, |tree| match tree.entry(key)? {
            Entry::Value(value) => Ok(*value),
            Entry::Empty => Ok(0.0),
            _ => Err(Fail::runtime("this entry of the statistics is no value")),
        })?);
        Ok(())
    })
}

/// See clingo.h.
#[unsafe(no_mangle)]
pub extern "C" fn clingo_statistics_value_set(statistics: Handle<Control>, key: u64, value: f64) -> bool {
    ok(|| {
        with(statistics, |tree| match tree.entry(key)? {
            Entry::Value(_) | Entry::Empty => {
                tree.entries[key as usize] = Entry::Value(value);
                Ok(())
            }
            _ => Err(Fail::runtime("this entry of the statistics is no value")),
        })
    })
}
