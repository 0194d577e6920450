//! The list of clingo's options, against its help.

use crate::support::oracle::clingo;

#[test]
#[ignore = "needs clingo"]
fn the_list_is_that_of_the_help() {
    let help = clingo(&["--help=3"], "");
    let options = help.split("\nusage:").nth(1).unwrap();
    let names: Vec<&str> = options
        .lines()
        .filter_map(|l| l.strip_prefix("  --"))
        .map(|l| l.split(|c: char| !(c.is_ascii_lowercase() || "[]-".contains(c))).next().unwrap())
        // What follows the name: `[=<arg>]`.
        .map(|l| l.strip_suffix('[').unwrap_or(l))
        .collect();
    let listed = include_str!("../golden/options.txt");
    assert_eq!(names, listed.lines().collect::<Vec<_>>());
}
