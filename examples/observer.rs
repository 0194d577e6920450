//! The ground program, statement by statement, as it grows: `cargo run --example observer`.
//!
//! After each step only what is new is looked at.

use asp::program::{AtomId, Body, Head, Literal};
use asp::{Control, Error};

/// A rule as text.
fn written(control: &Control, head: &[AtomId], body: &[Literal]) -> String {
    let name = |atom: AtomId| {
        let mut text = String::new();
        control.program().atoms.write(atom, control.symbols(), &mut text);
        text
    };
    let literal = |l: &Literal| format!("{}{}", if l.is_neg() { "not " } else { "" }, name(l.atom()));
    let head: Vec<String> = head.iter().map(|&atom| name(atom)).collect();
    let body: Vec<String> = body.iter().map(literal).collect();
    format!("{} :- {}.", head.join("; "), body.join(", "))
}

/// Runs the example, and checks what it finds.
pub(crate) fn main() -> Result<(), Error> {
    let mut control = Control::new();
    control.add(
        "#program base.  { on(0) }.
         #program step(t).  on(t) :- on(t-1), not off(t).  { off(t) }.",
    );
    let mut seen = 0;
    let mut found = Vec::new();
    for step in 0..3 {
        match step {
            0 => control.ground()?,
            n => {
                let n = control.number(n);
                control.ground_parts(&[("step", vec![n])])?;
            }
        }
        let rules = &control.program().rules;
        for rule in rules.iter().skip(seen) {
            let text = match (rule.head, rule.body) {
                (Head::Choice(head), Body::Normal(body)) => format!("{{}} {}", written(&control, head, body)),
                (head, body) => written(&control, head.atoms(), body.literals()),
            };
            println!("step {step}: {text}");
            found.push(text);
        }
        seen = rules.len();
    }
    assert_eq!(found.iter().filter(|text| text.starts_with("{}")).count(), 3, "{found:?}");
    assert!(found.contains(&"on(2) :- on(1), not off(2).".to_string()), "{found:?}");
    Ok(())
}
