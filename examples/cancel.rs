//! Stops a call from another thread and continues where it was: `cargo run --example cancel`.

use std::time::Duration;

use asp::options::{Rewriting, Rewritings};
use asp::{Control, Error, StopReason};

/// Runs the example, and checks what it finds.
pub(crate) fn main() -> Result<(), Error> {
    let mut control = Control::new();
    // Eleven pigeons in ten holes, without the rewriting that makes this easy.
    control.settings.ground.rewritings = Rewritings::all().without(Rewriting::ValueSets);
    control.add("{ in(P,1..10) } = 1 :- P = 1..11.  :- in(P,H), in(Q,H), P < Q.");
    let interrupt = control.interrupt();
    let mut answers = control.answers().limit(1).start()?;
    let stopper = std::thread::spawn({
        let interrupt = interrupt.clone();
        move || {
            std::thread::sleep(Duration::from_millis(5));
            interrupt.stop(StopReason::Interrupted);
        }
    });
    match answers.next() {
        Err(Error::Stopped(reason)) => println!("stopped: {reason}"),
        Ok(_) => println!("that was too quick to be stopped"),
        Err(error) => return Err(error),
    }
    // A thread that panicked has not stopped anything.
    let _ = stopper.join();
    interrupt.reset();
    assert!(answers.next()?.is_none());
    assert!(answers.finish().exhausted);
    Ok(())
}
