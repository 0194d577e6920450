//! The examples run, and each checks its own results.

#[path = "../../examples/assumptions.rs"]
mod assumptions;
#[path = "../../examples/cancel.rs"]
mod cancel;
#[path = "../../examples/futoshiki.rs"]
mod futoshiki;
#[path = "../../examples/observer.rs"]
mod observer;
#[path = "../../examples/propagator.rs"]
mod propagator;
#[path = "../../examples/statistics.rs"]
mod statistics;
#[path = "../../examples/steps.rs"]
mod steps;
#[path = "../../examples/syntax.rs"]
mod syntax;
#[path = "../../examples/theory.rs"]
mod theory;

#[test]
fn they_run() {
    for (name, run) in [
        ("assumptions", assumptions::main as fn() -> _),
        ("cancel", cancel::main),
        ("futoshiki", futoshiki::main),
        ("observer", observer::main),
        ("propagator", propagator::main),
        ("statistics", statistics::main),
        ("steps", steps::main),
        ("syntax", syntax::main),
        ("theory", theory::main),
    ] {
        let ended: Result<(), asp::Error> = run();
        assert!(ended.is_ok(), "{name}: {ended:?}");
    }
}

#[test]
fn all_of_them() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = include_str!("examples.rs");
    for entry in std::fs::read_dir(root.join("examples")).expect("the examples") {
        let entry = entry.expect("a file");
        let name = entry.file_name().to_string_lossy().into_owned();
        // Folders hold examples in other languages, which have tests of their own.
        assert!(
            entry.path().is_dir() || page.contains(&format!("../../examples/{name}")),
            "{name} does not run in the tests"
        );
    }
}
