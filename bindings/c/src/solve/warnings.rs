//! What clingo's logger hears about the options of a call.

use asp::options::{EnumMode, OptMode, SolveOptions};
use asp::program::Program;

use crate::control::Control;
use crate::logger::OTHER;

impl Control {
    /// Warns about options that mean less than they seem to, whatever is solved. Again only once they have changed.
    pub fn warn_of_options(&self, options: &SolveOptions) {
        let mut texts = Vec::new();
        let threads = options.threads as usize;
        // Counting them reads files of the system, which takes longer than a small call.
        let processors = match threads {
            0 | 1 => 1,
            _ => std::thread::available_parallelism().map_or(1, usize::from),
        };
        if threads > processors {
            texts.push(format!("Oversubscription: #Threads={threads} exceeds logical CPUs={processors}."));
        }
        if options.enum_mode == EnumMode::DomainRecord && !options.domain_heuristic {
            texts.push("Reasoning mode requires domain heuristic and is ignored.".to_string());
        }
        self.messages.tell_new(texts);
    }

    /// Warns about options that do not fit each other or the program, at each call.
    pub fn warn_of_call(&self, options: &SolveOptions, program: &Program) {
        self.warn_of_options(options);
        let has_objective = !program.minimize.is_empty() || !program.objectives.is_empty();
        let optimises = has_objective && options.opt_mode == OptMode::Opt;
        let ends_optimal = has_objective && options.opt_mode == OptMode::OptN;
        let limited = options.models.is_some_and(|models| models != 0);
        let consequences =
            matches!(options.enum_mode, EnumMode::Brave | EnumMode::Cautious | EnumMode::Query);
        let unbounded = has_objective && options.opt_mode == OptMode::Enum && options.opt_bounds.is_empty();
        let all = [
            (unbounded, "opt-mode=enum: No bound given, optimize statement ignored."),
            (optimises && consequences, "Optimization: Consequences may depend on enumeration order."),
            (optimises && limited, "#models not 0: optimality of last model not guaranteed."),
            (
                consequences && limited && !ends_optimal,
                "#models not 0: last model may not cover consequences.",
            ),
        ];
        let due = all.into_iter().filter(|(applies, _)| *applies);
        self.messages.tell(due.map(|(_, text)| (OTHER, text.to_string())).collect());
    }
}
