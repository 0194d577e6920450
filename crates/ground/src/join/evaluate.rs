//! Values of terms under the current binding, and matching of values against patterns.
//!
//! Invariant: a term without a value (clingo's "operation undefined") drops the current instance and is reported once
//! per place; a value that exceeds 64 bits is an error at its place.

use super::machine::Machine;
use super::plan::{Linear, Match};
use crate::state::{Halt, State};
use asp_base::diagnostic::{Diagnostic, WarningKind};
use asp_base::span::Span;
use asp_base::symbol::{StrId, Sym, SymView};
use asp_rewrite::arithmetic::{self, NoValue};
use asp_rewrite::rule::Term;
use asp_syntax::ast::UnaryOp;

impl Machine<'_> {
    /// The value of a term whose variables are bound.
    #[inline]
    pub(crate) fn eval(&mut self, t: &Term) -> Option<Sym> {
        match t {
            Term::Sym(s) => Some(*s),
            Term::Var(v) => Some(self.regs[v.0 as usize]),
            Term::Linear { coefficient, var, offset, span } => {
                let n = self.state.symbols.as_num(self.regs[var.0 as usize]);
                let Some(n) = n else { return self.state.messages.no_value(NoValue::Undefined, *span) };
                match n.checked_mul(*coefficient).and_then(|n| n.checked_add(*offset)) {
                    Some(n) => Some(self.state.symbols.num(n)),
                    None => self.state.messages.no_value(NoValue::Overflow, *span),
                }
            }
            _ => self.eval_compound(t),
        }
    }

    fn eval_compound(&mut self, t: &Term) -> Option<Sym> {
        let (value, span) = match t {
            Term::Fun(_, _, args) | Term::Tuple(args) => {
                let start = self.scratch.len();
                for a in args {
                    let Some(v) = self.eval(a) else {
                        self.scratch.truncate(start);
                        return None;
                    };
                    self.scratch.push(v);
                }
                let args = &self.scratch[start..];
                let value = match t {
                    Term::Fun(name, negative, _) => self.state.symbols.fun(*name, args, *negative),
                    _ => self.state.symbols.tuple(args),
                };
                self.scratch.truncate(start);
                return Some(value);
            }
            Term::Negated(v, span) => {
                (arithmetic::unary(self.state.symbols, UnaryOp::Minus, self.regs[v.0 as usize]), *span)
            }
            Term::Unary(op, a, span) => {
                let a = self.eval(a)?;
                (arithmetic::unary(self.state.symbols, *op, a), *span)
            }
            Term::Absolute(a, span) => {
                let a = self.eval(a)?;
                (arithmetic::absolute(self.state.symbols, a), *span)
            }
            Term::Binary(op, a, b, span) => {
                let a = self.eval(a)?;
                let b = self.eval(b)?;
                (arithmetic::binary(self.state.symbols, *op, a, b), *span)
            }
            // Always a literal of its own; see `call`.
            Term::External(..) => return None,
            Term::Sym(_) | Term::Var(_) | Term::Linear { .. } => return self.eval(t),
        };
        match value {
            Ok(v) => Some(v),
            Err(e) => self.state.messages.no_value(e, span),
        }
    }

    /// The values of a user-defined function; there may be none.
    pub(crate) fn call(&mut self, name: StrId, args: &[Term], span: Span) -> Result<Vec<Sym>, Halt> {
        let Some(start) = self.eval_args(args) else { return Ok(Vec::new()) };
        let State { caller, symbols, .. } = &mut self.state;
        let values =
            caller.as_mut().and_then(|caller| caller.call(symbols, name, &self.scratch[start..], span));
        self.scratch.truncate(start);
        match values {
            Some(Ok(values)) => Ok(values),
            Some(Err(why)) => {
                self.state.messages.diagnostics.push(Diagnostic::of_script(span, &why));
                self.state.messages.failed = true;
                Err(Halt::Failed)
            }
            None => {
                self.state.messages.undefined += 1;
                if self.state.messages.is_new(span) {
                    let name = self.state.symbols.str(name).to_string();
                    self.state.messages.diagnostics.push(
                        Diagnostic::info(WarningKind::OperationUndefined, span, "operation undefined")
                            .caption(format!("no script defines `@{name}`"))
                            .help("instances that need its value are dropped"),
                    );
                }
                Ok(Vec::new())
            }
        }
    }

    /// Evaluates arguments onto `scratch`. Returns where they start, or nothing (leaving `scratch` as it was) if one
    /// has no value.
    #[inline]
    pub(crate) fn eval_args(&mut self, args: &[Term]) -> Option<usize> {
        let start = self.scratch.len();
        for t in args {
            match self.eval(t) {
                Some(v) => self.scratch.push(v),
                None => {
                    self.scratch.truncate(start);
                    return None;
                }
            }
        }
        Some(start)
    }

    /// The value of a sum under the current binding; `None` if a variable is not an integer.
    pub(crate) fn sum(&self, l: &Linear) -> Option<i128> {
        let mut total = i128::from(l.constant);
        for &(c, v) in &l.terms {
            total += i128::from(c) * i128::from(self.state.symbols.as_num(self.regs[v.0 as usize])?);
        }
        Some(total)
    }

    /// Matches a value; binds variables on the way.
    #[inline]
    pub(crate) fn matches(&mut self, m: &Match, value: Sym) -> bool {
        match m {
            Match::Bind(v) => {
                self.regs[v.0 as usize] = value;
                true
            }
            Match::Is(s) => *s == value,
            Match::Same(v) => self.regs[v.0 as usize] == value,
            _ => self.matches_compound(m, value),
        }
    }

    fn matches_compound(&mut self, m: &Match, value: Sym) -> bool {
        let (list, args) = match (m, self.state.symbols.view(value)) {
            (Match::Equal(t), _) => return self.eval(t) == Some(value),
            (&Match::Solve(c, v, o), SymView::Num(n)) => {
                let Some(rest) = n.checked_sub(o) else { return false };
                if rest.checked_rem(c) != Some(0) {
                    return false;
                }
                let Some(x) = rest.checked_div(c) else { return false };
                self.regs[v.0 as usize] = self.state.symbols.num(x);
                return true;
            }
            (&Match::Negate(v), _) => {
                let negated = arithmetic::unary(self.state.symbols, UnaryOp::Minus, value);
                return negated.map(|x| self.regs[v.0 as usize] = x).is_ok();
            }
            (Match::Fun(name, negative, list), SymView::Fun { name: n, args, negative: s })
                if n == *name && s == *negative =>
            {
                (list, args)
            }
            (Match::Tuple(list), SymView::Tuple(args)) => (list, args),
            (Match::Is(_) | Match::Same(_) | Match::Bind(_), _) => return self.matches(m, value),
            _ => return false,
        };
        if list.len() != args.len() {
            return false;
        }
        // The table may grow while matching, so arguments are read one at a time.
        (0..list.len()).all(|i| {
            let arg = match self.state.symbols.view(value) {
                SymView::Fun { args, .. } | SymView::Tuple(args) => args[i],
                _ => return false,
            };
            self.matches(&list[i], arg)
        })
    }
}
