//! Rows of the options of configurations, preprocessing and learned nogoods in files.

use std::num::NonZeroI64;

use super::{Read, if_it, set};
use crate::pattern::unsigned;
use crate::raw::Raw;
use crate::spec::Group::Preprocessing;
use crate::spec::Takes::{Flag, Optional, Required};
use crate::spec::{OptionSpec, Scope, noted, works};
use crate::value::Value;
use asp_solve::{Eliminate, Elimination, SumsAsClauses};

pub(crate) const ROWS: &[OptionSpec] = &[
    works(
        Preprocessing,
        2,
        "configuration",
        Required("S"),
        "NAME",
        "Options by name: auto, frumpy, jumpy, tweety, handy, crafty, trendy, many, or a file",
        |_, _| if_it(true),
    ),
    works(
        Preprocessing,
        3,
        "tester",
        Required("S"),
        "OPTIONS",
        "Options for the search in stability tests of disjunctive programs",
        |v, r| set(&mut r.tester, Some(v.text().to_string())),
    ),
    works(
        Preprocessing,
        3,
        "parse-ext",
        Flag,
        "",
        "Edges and heuristics in names of smodels input",
        |v, r| set(&mut r.options.directives_by_name, !v.is_no()),
    )
    .scope(Scope::Control)
    .negatable(),
    works(Preprocessing, 3, "parse-maxsat", Flag, "", "Treat DIMACS input as a MaxSAT problem", |v, r| {
        set(&mut r.options.max_sat, !v.is_no())
    })
    .scope(Scope::Control)
    .negatable(),
    noted(
        Preprocessing,
        3,
        "share",
        Required("auto|problem|learnt|all|no"),
        "WHAT",
        "Sharing of constraints between threads",
    )
    .negatable()
    .read(|v, _| if_it(v.item(0) == Some(0))),
    noted(Preprocessing, 3, "learn-explicit", Flag, "", "Keep short learned nogoods as clauses"),
    works(
        Preprocessing,
        3,
        "inprocess",
        Required("probe|substitute|subsume|vivify* no"),
        "LIST",
        "What makes clauses simpler between restarts (probe,substitute,vivify)",
        inprocess,
    ),
    works(
        Preprocessing,
        2,
        "sat-prepro",
        Optional("N1-3,K?,K?,K?,K?,K? no=0='off='false"),
        "LEVEL",
        "Variable elimination; keys iter, occ, frozen, size limit it",
        elimination,
    )
    .negatable(),
    works(
        Preprocessing,
        3,
        "trans-ext",
        Required("all|choice|card|weight|scc|integ|dynamic|no"),
        "MODE",
        "Which sums become clauses: all or weight, card, integ (of constraints), scc, dynamic (small)",
        sums,
    )
    .negatable(),
    works(Preprocessing, 3, "eq", Required("N"), "N", "Equivalence preprocessing: 0 for none", equivalences),
    noted(Preprocessing, 3, "backprop", Flag, "", "Backpropagation in preprocessing").negatable(),
    works(Preprocessing, 3, "supp-models", Flag, "", "Compute supported models", |_, r| {
        set(&mut r.options.solve.translate.supported, true)
    }),
    works(Preprocessing, 3, "no-ufs-check", Flag, "", "No unfounded-set check", |_, r| {
        set(&mut r.options.solve.translate.supported, true)
    }),
    noted(Preprocessing, 3, "no-gamma", Flag, "", "No gamma rules"),
    noted(Preprocessing, 3, "eq-dfs", Flag, "", "Depth-first order in equivalence preprocessing"),
    works(Preprocessing, 3, "lemma-in", Required("S"), "FILE", "Read lemmas", |v, r| {
        set(&mut r.lemmas.from, Some(v.text().to_string()))
    })
    .scope(Scope::Run),
    works(Preprocessing, 3, "lemma-out", Required("S"), "FILE", "Write lemmas", |v, r| {
        set(&mut r.lemmas.to, Some(v.text().to_string()))
    })
    .scope(Scope::Run),
    works(Preprocessing, 3, "lemma-out-lbd", Required("N"), "N", "Write only lemmas of this LBD", |v, r| {
        set(&mut r.lemmas.filter.lbd, v.small(0).filter(|&n| n > 0).unwrap_or(u32::MAX))
    })
    .scope(Scope::Run),
    works(Preprocessing, 3, "lemma-out-max", Required("N"), "N", "Write at most this many lemmas", |v, r| {
        set(&mut r.lemmas.filter.most, v.number(0).filter(|&n| n > 0).unwrap_or(u64::MAX))
    })
    .scope(Scope::Run),
    works(
        Preprocessing,
        3,
        "lemma-out-dom",
        Required("input|output"),
        "WHICH",
        "Variables of lemmas",
        |v, r| set(&mut r.lemmas.filter.shown, v.pick(0, &[false, true])?),
    )
    .scope(Scope::Run),
    works(Preprocessing, 3, "lemma-out-txt", Flag, "", "Write lemmas as integrity constraints", |_, r| {
        set(&mut r.lemmas.as_text, true)
    })
    .scope(Scope::Run),
    noted(Preprocessing, 3, "hcc-out", Required("S"), "FILE", "Write head-cycle components")
        .scope(Scope::Run),
    works(
        Preprocessing,
        3,
        "compute",
        Required("I"),
        "LITERAL",
        "Force a literal of ground input to be true",
        |v, r| set(&mut r.options.forced, v.integer(0).and_then(NonZeroI64::new)),
    )
    .scope(Scope::Run),
];

fn inprocess(v: &Value<'_>, r: &mut Raw) -> Read {
    let bits = v.bits(0, &[1, 2, 4, 8]);
    let inprocess = &mut r.solver().inprocess;
    inprocess.probe = bits & 1 != 0;
    inprocess.substitute = bits & 2 != 0;
    inprocess.subsume = bits & 4 != 0;
    set(&mut inprocess.vivify, bits & 8 != 0)
}

/// Every level except 0 means variable elimination with subsumption. Limits without a key are, in this order, iter,
/// occ, time, frozen, size; the time limit has no effect, since work is counted, not timed.
fn elimination(v: &Value<'_>, r: &mut Raw) -> Read {
    const KEYS: [&str; 5] = ["iter", "occ", "time", "frozen", "size"];
    let elimination = &mut r.options.solve.translate.elimination;
    if v.is_no() {
        return set(elimination, Eliminate::No);
    }
    let mut limits = Elimination::default();
    for (i, part) in v.words().iter().skip(1).enumerate() {
        let (key, number) = part.split_once('=').unwrap_or((KEYS.get(i).copied().unwrap_or(""), part));
        let Some(number) = unsigned(number) else { continue };
        // 0 is no limit.
        let number = Some(number).filter(|&n| n > 0);
        let small = number.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        match key {
            "iter" => limits.rounds = small,
            "occ" => limits.occurrences = small,
            "frozen" => limits.frozen = small,
            "size" => limits.clauses = number.map(|n| n.saturating_mul(1000)),
            "time" => {}
            _ => return Err(v.is_wrong()),
        }
    }
    set(elimination, Eliminate::Within(limits))
}

/// Choices are never translated differently.
fn sums(v: &Value<'_>, r: &mut Raw) -> Read {
    use SumsAsClauses::{All, Cardinalities, Constraints, None, Recursive, Small};
    let kinds = [All, None, Cardinalities, All, Recursive, Constraints, Small, None];
    r.options.solve.translate.sums = if v.is_no() { None } else { v.pick(0, &kinds)? };
    if_it(v.item(0) != Some(1))
}

/// The number of rounds is either none or unlimited.
fn equivalences(v: &Value<'_>, r: &mut Raw) -> Read {
    let rounds = v.number(0);
    r.options.solve.translate.equivalences = rounds != Some(0);
    if_it(matches!(rounds, Some(0 | u64::MAX)))
}
