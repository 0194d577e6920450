//! A look at a program without solving: errors, warnings and lints, within limits.
//!
//! Invariant: errors hide no other messages; they end the look before anything is instantiated.

use crate::run::steps::Steps;
use asp_base::diagnostic::{Diagnostic, Severity, WarningKind};
use asp_control::{Control, Error};

/// Grounds what can be grounded, up to a number of instances: the base and, in the incremental mode, the first step.
pub fn look(control: &mut Control, instances: u64) -> Result<(), Error> {
    (control.settings.ground.instance_limit, control.settings.ground.review) = (Some(instances), true);
    let parsed = control.parse();
    if control.is_incremental() {
        // All at once, so that what a step defines is known where the base refers to it.
        let mut steps = Steps::new(control);
        let mut parts = steps.next(control).unwrap_or_default();
        parts.extend(steps.next(control).unwrap_or_default());
        control.ground_parts(&parts)?;
    } else {
        control.ground()?;
    }
    parsed?;
    control.lower()
}

/// Whether a message is about a predicate that an instance may define: no defined one has a similar name.
pub fn is_unknown_input(message: &Diagnostic) -> bool {
    message.kind == Some(WarningKind::AtomUndefined)
        && message.severity != Severity::Error
        && message.help.is_empty()
}
