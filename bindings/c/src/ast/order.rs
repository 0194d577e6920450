//! The order of nodes, their equality, and a hash consistent with it.
//!
//! Invariants: places are ignored; nodes are compared by the numbers of their types, then attribute by attribute, a
//! missing node before any other. Nothing recurses.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use super::node::{Ast, Value};
use crate::symbol::Symbol;

enum Step {
    /// To be compared.
    Pair(Ast, Ast),
    /// Decides if nothing before it did.
    Decided(Ordering),
}

/// How two nodes compare.
pub fn compare(a: &Ast, b: &Ast) -> Ordering {
    let mut todo = vec![Step::Pair(a.clone(), b.clone())];
    while let Some(step) = todo.pop() {
        let (a, b) = match step {
            Step::Pair(a, b) => (a, b),
            Step::Decided(Ordering::Equal) => continue,
            Step::Decided(order) => return order,
        };
        if Arc::ptr_eq(&a, &b) {
            continue;
        }
        if a.kind != b.kind {
            return a.kind.cmp(&b.kind);
        }
        let left = a.body().values.clone();
        let right = b.body();
        let from = todo.len();
        for (x, y) in left.iter().zip(&right.values) {
            match (x, y) {
                (Value::Number(x), Value::Number(y)) => todo.push(Step::Decided(x.cmp(y))),
                (Value::Symbol(x), Value::Symbol(y)) => todo.push(Step::Decided(x.order(*y))),
                (Value::Text(x), Value::Text(y)) => todo.push(Step::Decided(x.cmp(y))),
                (Value::Texts(x), Value::Texts(y)) => todo.push(Step::Decided(x.cmp(y))),
                _ => {
                    let (x, y) = (x.children(), y.children());
                    todo.extend(x.iter().zip(y).map(|(x, y)| Step::Pair(x.clone(), y.clone())));
                    todo.push(Step::Decided(x.len().cmp(&y.len())));
                }
            }
        }
        todo[from..].reverse();
    }
    Ordering::Equal
}

/// A hash that is the same for equal nodes.
pub fn hash(ast: &Ast) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    let mut todo = vec![ast.clone()];
    while let Some(ast) = todo.pop() {
        ast.kind.hash(&mut hasher);
        for value in &ast.body().values {
            match value {
                Value::Number(n) => n.hash(&mut hasher),
                Value::Symbol(symbol) => Symbol::hash(*symbol).hash(&mut hasher),
                Value::Text(text) => text.hash(&mut hasher),
                Value::Texts(texts) => texts.hash(&mut hasher),
                _ => {
                    value.children().len().hash(&mut hasher);
                    todo.extend(value.children().iter().cloned());
                }
            }
        }
    }
    hasher.finish()
}
