//! Syntax trees: a program is read, changed and added: `cargo run --example syntax`.
//!
//! Constraints that contradict each other are given heads, so that the fewest are broken.

use asp::options::OptMode;
use asp::syntax::ast::{HeadKind, LiteralKind, StatementKind};
use asp::syntax::{Input, NoFiles, parse, print};
use asp::{Control, Error};

const PROGRAM: &str =
    "1 { colour(N,(red;green)) } 1 :- node(N).  node(1..3).  edge(1,2).  edge(2,3).  edge(3,1).
:- edge(X,Y), colour(X,C), colour(Y,C).";

/// Runs the example, and checks what it finds.
pub(crate) fn main() -> Result<(), Error> {
    let mut control = Control::new();
    let (symbols, sources) = control.tables_mut();
    let mut read =
        |text: &str| parse(vec![Input::new("example", text)], symbols, sources, &mut NoFiles).program;
    let mut program = read(PROGRAM);
    let breaks = read("broken(X,Y) :- edge(X,Y).").statements.remove(0);
    let StatementKind::Rule { head: broken, .. } = breaks.kind else { unreachable!("it is a rule") };
    for statement in &mut program.statements {
        if let StatementKind::Rule { head, .. } = &mut statement.kind
            && let HeadKind::Literal(literal) = &head.kind
            && matches!(literal.kind, LiteralKind::Boolean(false))
        {
            *head = broken.clone();
        }
    }
    let printed = print::program(&program, symbols);
    println!("{printed}");
    assert!(printed.contains("broken(X,Y) :- edge(X,Y); colour(X,C); colour(Y,C)."), "{printed}");
    control.take_in(program)?;
    control.add(":~ broken(X,Y). [1,X,Y]");
    let mut answers = control.answers().options(|options| options.opt_mode = OptMode::OptN).start()?;
    let mut optimal = 0;
    while let Some(answer) = answers.next()? {
        if answer.is_optimal() {
            assert_eq!(answer.costs(), [1]);
            optimal += 1;
        }
    }
    // Two of three nodes have the same colour.
    assert_eq!(optimal, 6);
    Ok(())
}
