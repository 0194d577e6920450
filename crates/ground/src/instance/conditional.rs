//! Conditional literals in bodies: `h : c` holds if `h` does for each instance of `c` that holds.
//!
//! Invariant: instances whose head is certain vanish; one with a certain condition and a single head literal becomes that
//! literal; one with a certain condition and an impossible head drops the rule's instance. An auxiliary atom replaces the rest,
//! or all of them where that determines whether an atom is external.

use crate::compile::CompiledConditional;
use crate::join::machine::{Holds, Machine};
use crate::sink::Sink;
use crate::state::Halt;
use asp_program::Literal;
use asp_program::ground_program::{ConditionalElement, Definition};

/// Runs a conditional literal; returns whether the rule's instance may still hold.
pub(crate) fn check(
    m: &mut Machine<'_>,
    mut sink: Sink,
    conditional: &CompiledConditional,
) -> Result<Holds, Halt> {
    let height = m.literals.len();
    let mut direct: Vec<Literal> = Vec::new();
    let mut elements: Vec<ConditionalElement> = Vec::new();
    let (mut impossible, mut open) = (false, conditional.recursive);
    m.run(&mut sink, &conditional.condition, &mut |m, sink| {
        if impossible {
            return Ok(());
        }
        let end = m.literals.len();
        let (mut heads, mut certain) = (Vec::new(), false);
        for steps in &conditional.heads {
            m.run(sink, steps, &mut |m, _| {
                match &m.literals[end..] {
                    [] => certain = true,
                    [one] => heads.push(*one),
                    // Only one literal of an alternative is an atom; the others have become ranges and equations.
                    many => heads.extend(many.last()),
                }
                Ok(())
            })?;
        }
        if certain {
            return Ok(());
        }
        heads.sort_unstable();
        heads.dedup();
        match (&heads[..], &m.literals[height..end]) {
            ([], []) => impossible = true,
            ([one], []) => direct.push(*one),
            (_, condition) if sink.writes() => {
                let condition = m.state.program.push_literals(condition);
                let head = m.state.program.push_literals(&heads);
                elements.push(ConditionalElement { head, condition });
            }
            _ => open = true,
        }
        Ok(())
    })?;
    if impossible {
        return Ok(Holds::No);
    }
    if !sink.writes() {
        return Ok(if open || !direct.is_empty() { Holds::Open } else { Holds::Yes });
    }
    let mut whole = false;
    if let Some(least) = conditional.whole_from {
        direct.sort_unstable();
        direct.dedup();
        whole = direct.len() + elements.len() >= least;
    }
    if whole {
        for literal in direct.drain(..) {
            let head = m.state.program.push_literals(&[literal]);
            let condition = m.state.program.push_literals(&[]);
            elements.push(ConditionalElement { head, condition });
        }
    }
    m.literals.append(&mut direct);
    if whole || !elements.is_empty() {
        let recursive = conditional.recursive;
        let definition = |_: &mut _| Definition::Conjunction { elements, recursive };
        m.literals.extend(sink.define(m.state.program, definition).map(Literal::pos));
    }
    Ok(Holds::Yes)
}
