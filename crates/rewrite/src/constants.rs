//! Evaluation of `#const` definitions, in any order.
//!
//! Invariant: the constants in a value have been replaced; a definition that depends on itself is an error, as is a
//! second one for a name unless one of them says `[override]`.

use super::arithmetic;
use asp_base::diagnostic::{Diagnostic, Severity, WarningKind};
use asp_base::map::Map;
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, Symbols};
use asp_syntax::ast::{Program, StatementKind, Term, TermKind};

/// Values of constants by name.
pub type Constants = Map<StrId, Sym>;

struct Definition<'a> {
    value: &'a Term,
    name_span: Span,
    is_override: bool,
}

/// Whether a term is just the constant.
fn is_itself(name: StrId, value: &Term) -> bool {
    matches!(&value.kind, TermKind::Function { name: n, args, external: false } if *n == name && args.iter().all(Vec::is_empty))
}

/// Evaluates all definitions of a program; `given` (from the command line) takes precedence over `[default]`
/// definitions, which are all those without `[override]`.
pub fn evaluate(
    program: &Program,
    given: &[(StrId, Sym)],
    symbols: &mut Symbols,
    diagnostics: &mut Vec<Diagnostic>,
) -> Constants {
    let mut definitions: Map<StrId, Definition<'_>> = Map::default();
    let mut order = Vec::new();
    for statement in &program.statements {
        let StatementKind::Const { name, name_span, value, is_override } = &statement.kind else { continue };
        if is_itself(*name, value) {
            // `#const a = a.` defines nothing.
            continue;
        }
        let new = Definition { value, name_span: *name_span, is_override: *is_override };
        match definitions.get(name) {
            Some(old) if old.is_override == new.is_override => {
                let text = symbols.str(*name);
                diagnostics.push(
                    Diagnostic::error(*name_span, format!("the constant `{text}` is defined twice"))
                        .caption("second definition")
                        .label(old.name_span, "first definition")
                        .help(format!(
                            "remove one of them, or give a default on the command line with -c {text}=..."
                        )),
                );
            }
            Some(old) if old.is_override => {}
            old => {
                if old.is_none() {
                    order.push(*name);
                }
                definitions.insert(*name, new);
            }
        }
    }
    let mut values = Constants::default();
    for &(name, value) in given {
        if !definitions.get(&name).is_some_and(|d| d.is_override) {
            values.insert(name, value);
        }
    }
    // Depth-first over the definitions; `open` is the path, for the cycle's message.
    let mut failed: Map<StrId, ()> = Map::default();
    for root in order {
        let mut open: Vec<StrId> = vec![root];
        while let Some(&name) = open.last() {
            if values.contains_key(&name) || failed.contains_key(&name) {
                open.pop();
                continue;
            }
            let Some(definition) = definitions.get(&name) else {
                open.pop();
                continue;
            };
            let is_open =
                |n: &StrId| definitions.contains_key(n) && !values.contains_key(n) && !failed.contains_key(n);
            match definition.value.walk().filter_map(constant).filter(is_open).last() {
                Some(next) if open.contains(&next) => {
                    let cycle: Vec<&str> = open
                        .iter()
                        .skip_while(|&&n| n != next)
                        .chain([&next])
                        .map(|&n| symbols.str(n))
                        .collect();
                    diagnostics.push(
                        Diagnostic::error(definition.name_span, "cyclic constant definition")
                            .caption(cycle.join(" -> ")),
                    );
                    failed.insert(name, ());
                }
                Some(next) => open.push(next),
                None => {
                    match value(definition.value, &values, symbols) {
                        Ok(v) => {
                            values.insert(name, v);
                        }
                        Err(d) if d.severity == Severity::Error => {
                            diagnostics.push(d);
                            failed.insert(name, ());
                        }
                        Err(note) => {
                            let mut names = definition.value.walk().filter_map(constant);
                            if !names.any(|name| program.unread.may_define(name)) {
                                diagnostics.push(note);
                            }
                            values.insert(name, undefined(symbols));
                        }
                    }
                    open.pop();
                }
            }
        }
    }
    values
}

/// The name of a term that is a constant.
fn constant(t: &Term) -> Option<StrId> {
    match &t.kind {
        TermKind::Function { name, args, external: false } if args.iter().all(Vec::is_empty) => Some(*name),
        _ => None,
    }
}

/// The value of a term without variables, pools and intervals.
pub fn value(t: &Term, constants: &Constants, symbols: &mut Symbols) -> Result<Sym, Diagnostic> {
    let no_value = |e| match e {
        arithmetic::NoValue::Undefined => no_value_note(t.span),
        arithmetic::NoValue::Overflow => Diagnostic::error(t.span, "the result does not fit 64 bits"),
    };
    match &t.kind {
        TermKind::Symbol(s) => Ok(*s),
        TermKind::Function { name, args, external: false } if args.len() == 1 => {
            if args[0].is_empty() {
                let undefined = undefined(symbols);
                if constants.get(name) == Some(&undefined) {
                    return Err(no_value_note(t.span));
                }
                return Ok(constants.get(name).copied().unwrap_or_else(|| symbols.constant(*name)));
            }
            let args = args[0].iter().map(|a| value(a, constants, symbols)).collect::<Result<Vec<_>, _>>()?;
            Ok(symbols.fun(*name, &args, false))
        }
        TermKind::Tuple(ts) => {
            let args = ts.iter().map(|a| value(a, constants, symbols)).collect::<Result<Vec<_>, _>>()?;
            Ok(symbols.tuple(&args))
        }
        TermKind::Unary(op, a) => {
            let a = value(a, constants, symbols)?;
            arithmetic::unary(symbols, *op, a).map_err(no_value)
        }
        TermKind::Absolute(ts) if ts.len() == 1 => {
            let a = value(&ts[0], constants, symbols)?;
            arithmetic::absolute(symbols, a).map_err(no_value)
        }
        TermKind::Binary(op, a, b) => {
            let (a, b) = (value(a, constants, symbols)?, value(b, constants, symbols)?);
            arithmetic::binary(symbols, *op, a, b).map_err(no_value)
        }
        TermKind::Function { external: true, .. } => Err(no_value_note(t.span)),
        _ => Err(Diagnostic::error(t.span, "a constant term is expected here")
            .help("variables, pools and intervals have no single value")),
    }
}

/// Stands for a constant without a value: no term of a program can be equal to it.
pub fn undefined(symbols: &mut Symbols) -> Sym {
    let name = symbols.intern("#undefined");
    symbols.constant(name)
}

fn no_value_note(span: Span) -> Diagnostic {
    Diagnostic::info(WarningKind::OperationUndefined, span, "operation undefined in the value of a constant")
        .help("what uses the constant is left out")
}

/// A ground term with its constants replaced recursively; `None` if one of them has no value.
pub fn replace(s: Sym, constants: &Constants, symbols: &mut Symbols) -> Option<Sym> {
    use asp_base::symbol::SymView;
    if s.as_small().is_some() || constants.is_empty() {
        return Some(s);
    }
    let undefined = undefined(symbols);
    // Explicit stack: (term, arguments replaced so far).
    enum Step {
        Visit(Sym),
        Build(Sym, usize),
    }
    let (mut todo, mut done) = (vec![Step::Visit(s)], Vec::new());
    while let Some(step) = todo.pop() {
        match step {
            Step::Visit(s) => match symbols.view(s) {
                SymView::Fun { name, args: [], negative: false } => {
                    let value = constants.get(&name).copied().unwrap_or(s);
                    if value == undefined {
                        return None;
                    }
                    done.push(value);
                }
                SymView::Fun { args, .. } | SymView::Tuple(args) if !args.is_empty() => {
                    todo.push(Step::Build(s, args.len()));
                    todo.extend(args.iter().rev().map(|&a| Step::Visit(a)));
                }
                _ => done.push(s),
            },
            Step::Build(s, n) => {
                let args = done.split_off(done.len() - n);
                let built = match symbols.view(s) {
                    SymView::Fun { name, negative, .. } => symbols.fun(name, &args, negative),
                    _ => symbols.tuple(&args),
                };
                done.push(built);
            }
        }
    }
    Some(done.pop().unwrap_or(s))
}
