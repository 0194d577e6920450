//! The values of the parameters of program parts, each time that a part was grounded.

use std::rc::Rc;

use crate::inquiry::Inquiry;
use crate::matching::Binding;
use asp_base::span::Span;
use asp_base::symbol::StrId;
use asp_syntax::ast::{Statement, StatementKind};

/// Values of parameters, one for each time.
pub(crate) type Steps = Rc<[Binding]>;

/// All statements but plain facts and the beginnings of parts, each with the values of the parameters of its part.
pub(crate) fn of_statements(inquiry: &Inquiry) -> Vec<(&Statement, Steps)> {
    let base = || steps(inquiry, inquiry.symbols().find_name("base"), &[]);
    let (mut own, mut file) = (base(), "");
    let mut found = Vec::new();
    for statement in inquiry.statements() {
        // Each file begins in the part that is always grounded.
        if let Some((source, ..)) = inquiry.sources().locate(statement.span)
            && source.name != file
        {
            (own, file) = (base(), &source.name);
        }
        match &statement.kind {
            StatementKind::Part { name, params } => {
                let params: Vec<StrId> = params.iter().map(|(name, _)| *name).collect();
                own = steps(inquiry, Some(*name), &params);
            }
            _ => found.push((statement, own.clone())),
        }
    }
    found
}

/// The names of the parameters of all parts.
pub(crate) fn parameters(inquiry: &Inquiry) -> Vec<StrId> {
    let params = |statement: &Statement| match &statement.kind {
        StatementKind::Part { params, .. } => params.iter().map(|(name, _)| *name).collect(),
        _ => Vec::new(),
    };
    inquiry.statements().into_iter().flat_map(params).collect()
}

/// Those of the statement at a place.
pub(crate) fn of(inquiry: &Inquiry, span: Span) -> Steps {
    let known = of_statements(inquiry).into_iter().find(|(statement, _)| statement.span == span);
    known.map_or_else(|| vec![Binding::default()].into(), |(_, steps)| steps)
}

fn steps(inquiry: &Inquiry, name: Option<StrId>, params: &[StrId]) -> Steps {
    let mut steps: Vec<Binding> = Vec::new();
    for (of, args) in inquiry.control.grounded_parts() {
        let step: Binding = params.iter().copied().zip(args.iter().copied()).collect();
        if Some(*of) == name && params.len() == args.len() && !steps.contains(&step) {
            steps.push(step);
        }
    }
    steps.into()
}
