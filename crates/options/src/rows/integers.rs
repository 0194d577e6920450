//! Rows of the options of clingcon, for constraints over integers.
//! Most tune how clingcon makes literals and clauses as it goes, and have no counterpart here.

use super::{Read, if_it, set};
use crate::spec::Group::Integers;
use crate::spec::OptionSpec;
use crate::spec::Takes::{Flag, Required};
use crate::spec::{noted, works};
use crate::value::Value;
use asp_integers::MAX_VALUE;

/// The pattern of options that may be meant for one thread.
const PER_THREAD: &str = "yes=1='true|no=0='false,N0-63?";

pub(crate) const ROWS: &[OptionSpec] = &[
    works(
        Integers,
        2,
        "min-int",
        Required("I"),
        "N",
        "The least value of integer variables [-1073741823]",
        |v, r| bound(v, &mut r.options.integers.least),
    ),
    works(
        Integers,
        2,
        "max-int",
        Required("I"),
        "N",
        "The greatest value of integer variables [1073741823]",
        |v, r| bound(v, &mut r.options.integers.greatest),
    ),
    works(
        Integers,
        2,
        "value-atoms",
        Required("N0-10000"),
        "N",
        "An atom for each value of variables with at most N (0 to 10000) values [10]",
        |v, r| set(&mut r.options.integers.atoms, v.number(0).unwrap_or_default()),
    ),
    noted(Integers, 3, "shift-constraints", Flag, "", "Move constraints of integrity constraints to heads")
        .negatable()
        .read(|v, _| if_it(!v.is_no())),
    noted(Integers, 3, "sort-constraints", Flag, "", "Sort the elements of constraints")
        .negatable()
        .read(|v, _| if_it(!v.is_no())),
    noted(Integers, 3, "translate-clauses", Required("N,N?"), "N,M", "Clauses for a constraint, and for all"),
    noted(Integers, 3, "literals-only", Flag, "", "Make literals but no clauses")
        .negatable()
        .read(|v, _| if_it(v.is_no())),
    noted(Integers, 3, "translate-pb", Required("F"), "R", "Which constraints become weight constraints"),
    noted(Integers, 3, "translate-distinct", Required("N"), "N", "Weight constraints for `&distinct`"),
    noted(Integers, 3, "translate-opt", Required("N|max"), "N", "Literals for an objective"),
    noted(Integers, 3, "add-order-clauses", Flag, "", "Clauses between literals of a variable")
        .negatable()
        .read(|v, _| if_it(v.is_no())),
    noted(
        Integers,
        3,
        "order-heuristic",
        Required("none|max-chain,N0-63?"),
        "HOW",
        "Decisions on literals of variables",
    )
    .read(|v, _| if_it(v.item(0) == Some(0))),
    noted(Integers, 3, "sign-value", Required("I|'+|'-,N0-63?"), "HOW", "Signs of literals of variables"),
    noted(Integers, 3, "refine-reasons", Required(PER_THREAD), "HOW", "Better reasons in propagation")
        .read(|v, _| if_it(v.item(0) == Some(0))),
    noted(Integers, 3, "refine-introduce", Required(PER_THREAD), "HOW", "New literals in reasons")
        .read(|v, _| if_it(v.item(0) == Some(0))),
    noted(Integers, 3, "propagate-chain", Required(PER_THREAD), "HOW", "The nearest literal as a reason")
        .read(|v, _| if_it(v.item(0) == Some(0))),
    noted(Integers, 3, "split-all", Required(PER_THREAD), "HOW", "Split all domains before an answer")
        .read(|v, _| if_it(v.item(0) == Some(1))),
    noted(Integers, 3, "check-solution", Flag, "", "Verify answers")
        .negatable()
        .read(|v, _| if_it(!v.is_no())),
    noted(Integers, 3, "check-state", Flag, "", "Verify the state of the search")
        .negatable()
        .read(|v, _| if_it(v.is_no())),
];

fn bound(v: &Value<'_>, to: &mut i64) -> Read {
    let value = v.integer(0).filter(|n| (-MAX_VALUE..=MAX_VALUE).contains(n));
    set(to, value.ok_or_else(|| v.is_wrong())?)
}
