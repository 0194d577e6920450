//! Asks what is possible under assumptions, and which of them cannot hold together: `cargo run --example assumptions`.

use asp::{Control, Error};

/// Runs the example, and checks what it finds.
pub(crate) fn main() -> Result<(), Error> {
    let mut control = Control::new();
    control.add(
        "dish(soup;fish;cake).  { eat(D) : dish(D) }.
         :- eat(fish), eat(soup).  price(soup,4). price(fish,9). price(cake,5).
         :- #sum { P,D : eat(D), price(D,P) } > 12.",
    );
    let mut eat = |dish: &str| control.parse_term(&format!("eat({dish})"));
    let (soup, fish, cake) = (eat("soup")?, eat("fish")?, eat("cake")?);

    let mut answers = control.answers().assume(soup, true).limit(0).start()?;
    while let Some(answer) = answers.next()? {
        println!("with soup: {answer}");
        assert!(!answer.contains(fish));
    }
    assert_eq!(answers.finish().models, 2);

    let mut answers = control.answers().assume(cake, true).assume(fish, true).start()?;
    assert!(answers.next()?.is_none());
    let core = answers.core();
    drop(answers);
    let names: Vec<String> =
        core.iter().map(|assumption| control.term(assumption.atom).to_string()).collect();
    println!("not together: {}", names.join(" and "));
    assert_eq!(core.len(), 2);
    Ok(())
}
