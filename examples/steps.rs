//! Plans with a growing horizon, one program part per step: `cargo run --example steps`.
//!
//! A robot walks from 0 to 5, one or two at a time; the goal of a step is an external atom that is released when the
//! horizon grows.

use asp::{Control, Error};

const PROGRAM: &str = "
    at(0,0).
    #program step(t).
    1 { move(1..2,t) } 1.
    at(P+D,t) :- at(P,t-1), move(D,t).
    #external goal(t).
    :- goal(t), not at(5,t).
    #show move/2.
";

/// Runs the example, and checks what it finds.
pub(crate) fn main() -> Result<(), Error> {
    let mut control = Control::new();
    control.add(PROGRAM);
    control.ground()?;
    for t in 1.. {
        let step = control.number(t);
        control.ground_parts(&[("step", vec![step])])?;
        let goal = control.function("goal", &[step]);
        control.assign_external(goal, true)?;
        let mut plans = Vec::new();
        let mut answers = control.answers().start()?;
        while let Some(answer) = answers.next()? {
            plans.push(answer.to_string());
        }
        drop(answers);
        if !plans.is_empty() {
            plans.iter().for_each(|plan| println!("{plan}"));
            assert_eq!((t, plans.len()), (3, 3));
            break;
        }
        println!("no plan of {t} steps");
        control.release_external(goal)?;
    }
    Ok(())
}
