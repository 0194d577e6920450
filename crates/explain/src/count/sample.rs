//! Answer sets drawn at random.
//!
//! If they can be counted within limits, or are few, each draw is exactly uniform; otherwise draws come from a tested
//! random walk (`walk`), or there are none. Invariant: what is drawn does not depend on the speed of the machine.

use super::walk::{Walked, Walks};
use super::{Effort, bound, first, ready, within};
use asp_base::interrupt::StopReason;
use asp_base::rng::Rng;
use asp_control::Control;

/// How a sample was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Drawn {
    /// Each answer set was equally likely in each draw.
    Uniformly,
    /// By random walks of this many steps, which passed the test.
    ByWalk(u64),
    /// Not at all: even walks of this many steps did not pass the test.
    Refused(u64),
    /// There is no answer set.
    Nothing,
}

/// Draws answer sets of a lowered program, independently of each other. The receiver gets what is shown, by show entry.
pub fn sample(
    control: &mut Control,
    number: u64,
    seed: u64,
    project: bool,
    effort: Effort,
    mut receive: impl FnMut(&[bool]),
) -> Result<Drawn, StopReason> {
    let mut rng = Rng::new(seed);
    let (found, few) = first(control, effort.first.min(effort.kept), project)?;
    if few {
        return Ok(draw_from(&found, number, &mut rng, receive));
    }
    drop(found);
    let mut drawn = 0;
    if let Some(mut ready) = ready(control, project).filter(|r| r.is_exact())
        && let Some(counter) = &mut ready.counter
    {
        counter.give_up_after(effort.work);
        let mut counted = within(counter.count(), control)?.is_some();
        while counted && drawn < number {
            counter.give_up_after(effort.work);
            counted = match within(counter.sample(&mut rng), control)? {
                None => false,
                Some(values) => {
                    let holds = |&l: &u32| values[l as usize / 2] == Some(l & 1 == 0);
                    let shown: Vec<bool> = ready.formula.shown.iter().map(holds).collect();
                    receive(&shown);
                    drawn += 1;
                    true
                }
            };
        }
        if drawn == number {
            return Ok(Drawn::Uniformly);
        }
    }
    if bound::bits(control, project, seed)? <= (effort.kept as f64).log2() {
        let (found, all) = first(control, effort.kept, project)?;
        if all {
            return Ok(draw_from(&found, number - drawn, &mut rng, receive));
        }
    }
    let walks = Walks::new(control, project, &mut rng);
    Ok(match walks.draw(number - drawn, effort.steps, receive)? {
        Walked::Passed(steps) => Drawn::ByWalk(steps),
        Walked::Failed(steps) => Drawn::Refused(steps),
        Walked::Nowhere => Drawn::Nothing,
    })
}

fn draw_from(found: &[Vec<bool>], number: u64, rng: &mut Rng, mut receive: impl FnMut(&[bool])) -> Drawn {
    if found.is_empty() {
        return Drawn::Nothing;
    }
    for _ in 0..number {
        receive(&found[rng.below(found.len() as u64) as usize]);
    }
    Drawn::Uniformly
}
