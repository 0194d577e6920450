//! Nodes without pools: all the nodes that a node with pools stands for.
//!
//! Invariants: nodes without pools are passed on unchanged. The order is clingo's: within a list that of [`product`];
//! among the attributes of a node the last one changes fastest, and a statement's body slowest. Elements of aggregates
//! become several elements; so do conditional literals of bodies and disjunctions for each of their conditions. Nothing
//! recurses.

use std::sync::Arc;

use super::node::{Ast, Node, Value};
use super::schema::{Attribute, Type};
use crate::error::Fail;

/// More nodes than this are an error.
const LIMIT: usize = 1 << 24;

/// The alternatives of a node.
struct Alternatives {
    nodes: Vec<Ast>,
    /// How many consecutive ones differ only in their conditions; 1 except for conditional literals.
    conditions: usize,
}

/// How the nodes of an attribute are combined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Left as they are.
    Keep,
    /// One of each.
    Product,
    /// All in place of the one.
    InPlace,
    /// All conditions in place, then one of each.
    Conditions,
}

fn way(kind: Type, attribute: Attribute) -> Way {
    match (kind, attribute) {
        (Type::Aggregate | Type::BodyAggregate | Type::HeadAggregate, Attribute::Elements) => Way::InPlace,
        (Type::TheoryAtom, Attribute::Elements) => Way::InPlace,
        (Type::TheoryAtom, Attribute::Guard) | (Type::TheoryAtomElement, Attribute::Terms) => Way::Keep,
        (Type::Disjunction, Attribute::Elements) | (_, Attribute::Body) => Way::Conditions,
        (
            Type::TheorySequence
            | Type::TheoryFunction
            | Type::TheoryUnparsedTermElement
            | Type::TheoryUnparsedTerm
            | Type::TheoryGuard
            | Type::TheoryTermDefinition
            | Type::TheoryAtomDefinition
            | Type::TheoryDefinition
            | Type::Definition
            | Type::Program,
            _,
        ) => Way::Keep,
        _ => Way::Product,
    }
}

/// A node whose parts are being processed.
struct Frame {
    ast: Ast,
    values: Vec<Value>,
    parts: Vec<Ast>,
    done: Vec<Alternatives>,
}

impl Frame {
    fn new(ast: Ast) -> Self {
        let values = ast.body().values.clone();
        let shape = ast.kind.shape().iter().zip(&values);
        let parts = shape.filter(|(a, _)| way(ast.kind, a.attribute) != Way::Keep);
        let parts = parts.flat_map(|(_, v)| v.children().iter().cloned()).collect();
        Frame { ast, values, parts, done: Vec::new() }
    }

    /// The alternatives of the node, given those of its parts.
    fn finish(self) -> Result<Alternatives, Fail> {
        let Frame { ast, values, parts, done } = self;
        if ast.kind == Type::Pool {
            let nodes: Vec<Ast> = done.into_iter().flat_map(|a| a.nodes).collect();
            return check(nodes.len()).map(|()| Alternatives { nodes, conditions: 1 });
        }
        if parts.iter().zip(&done).all(|(part, a)| matches!(&a.nodes[..], [one] if Arc::ptr_eq(one, part))) {
            return Ok(Alternatives { nodes: vec![ast], conditions: 1 });
        }
        // By attribute: its possible values.
        let mut choices: Vec<Vec<Value>> = Vec::with_capacity(values.len());
        let mut done = done.into_iter();
        for (argument, value) in ast.kind.shape().iter().zip(values) {
            let way = way(ast.kind, argument.attribute);
            let count = if way == Way::Keep { 0 } else { value.children().len() };
            let of: Vec<Alternatives> = done.by_ref().take(count).collect();
            choices.push(match value {
                _ if way == Way::Keep => vec![value],
                Value::Ast(_) => of.into_iter().flat_map(|a| a.nodes).map(Value::Ast).collect(),
                Value::Optional(Some(_)) => {
                    of.into_iter().flat_map(|a| a.nodes).map(|a| Value::Optional(Some(a))).collect()
                }
                Value::Asts(_) if way == Way::InPlace => {
                    vec![Value::Asts(of.into_iter().flat_map(|a| a.nodes).collect())]
                }
                Value::Asts(_) => {
                    let lists = if way == Way::Conditions { by_condition(of) } else { whole(of) };
                    product(&lists)?.into_iter().map(Value::Asts).collect()
                }
                value => vec![value],
            });
        }
        let conditions = match ast.kind {
            Type::ConditionalLiteral => choices.last().map_or(1, Vec::len),
            _ => 1,
        };
        // The slowest first.
        let mut order: Vec<usize> = (0..choices.len()).collect();
        order.sort_by_key(|&i| ast.kind.shape()[i].attribute != Attribute::Body);
        let total = choices.iter().try_fold(1usize, |n, c| n.checked_mul(c.len())).unwrap_or(usize::MAX);
        check(total)?;
        let location = ast.body().location;
        let mut nodes = Vec::with_capacity(total);
        for number in 0..total {
            let mut rest = number;
            let mut chosen = vec![0; choices.len()];
            for &i in order.iter().rev() {
                chosen[i] = rest % choices[i].len();
                rest /= choices[i].len();
            }
            let values = chosen.iter().zip(&choices).map(|(&at, values)| values[at].clone()).collect();
            nodes.push(Node::new(ast.kind, location, values));
        }
        Ok(Alternatives { nodes, conditions })
    }
}

fn check(count: usize) -> Result<(), Fail> {
    if count <= LIMIT { Ok(()) } else { Err(Fail::runtime("the pools stand for too many terms")) }
}

fn whole(of: Vec<Alternatives>) -> Vec<Vec<Ast>> {
    of.into_iter().map(|a| a.nodes).collect()
}

/// For each condition of each node, the nodes with that condition.
fn by_condition(of: Vec<Alternatives>) -> Vec<Vec<Ast>> {
    let mut lists = Vec::new();
    for Alternatives { nodes, conditions } in of {
        for first in 0..conditions {
            lists.push(nodes.iter().skip(first).step_by(conditions).cloned().collect());
        }
    }
    lists
}

/// All ways to take one element of each list: for each list, the combinations so far with its first element, then each
/// of them with all the others.
fn product(lists: &[Vec<Ast>]) -> Result<Vec<Vec<Ast>>, Fail> {
    let total = lists.iter().try_fold(1usize, |n, l| n.checked_mul(l.len())).unwrap_or(usize::MAX);
    check(total.saturating_mul(lists.len().max(1)))?;
    let mut rows: Vec<Vec<Ast>> = vec![Vec::with_capacity(lists.len())];
    for list in lists {
        let Some((first, others)) = list.split_first() else { return Ok(Vec::new()) };
        let more: Vec<Vec<Ast>> = rows
            .iter()
            .flat_map(|row| others.iter().map(|other| row.iter().chain([other]).cloned().collect()))
            .collect();
        rows.iter_mut().for_each(|row| row.push(first.clone()));
        rows.extend(more);
    }
    Ok(rows)
}

/// The alternatives of a node, with all pools in it resolved.
fn all(ast: &Ast) -> Result<Alternatives, Fail> {
    let mut stack = vec![Frame::new(ast.clone())];
    loop {
        let top = stack.last_mut();
        let next = top.and_then(|frame| frame.parts.get(frame.done.len()).cloned());
        if let Some(part) = next {
            stack.push(Frame::new(part));
            continue;
        }
        let Some(frame) = stack.pop() else { return Err(Fail::runtime("nothing to unpool")) };
        let finished = frame.finish()?;
        match stack.last_mut() {
            Some(above) => above.done.push(finished),
            None => return Ok(finished),
        }
    }
}

/// The alternatives of a node. Without `other`, only the conditions of a conditional literal are unpooled; without
/// `condition`, these are not.
pub fn unpool(ast: &Ast, other: bool, condition: bool) -> Result<Vec<Ast>, Fail> {
    let conditional = ast.kind == Type::ConditionalLiteral;
    match (other, condition) {
        (true, true) => return Ok(all(ast)?.nodes),
        (true, false) if !conditional => return Ok(all(ast)?.nodes),
        (false, false) => return Ok(vec![ast.clone()]),
        _ if !conditional => return Ok(vec![ast.clone()]),
        _ => {}
    }
    let (location, values) = {
        let body = ast.body();
        (body.location, body.values.clone())
    };
    let place = ast.place(if condition { Attribute::Condition } else { Attribute::Literal })?;
    let parts = values[place].children().iter().map(|part| Ok(all(part)?.nodes));
    let lists = product(&parts.collect::<Result<Vec<_>, Fail>>()?)?;
    let nodes = lists.into_iter().filter_map(|list| {
        let mut values = values.clone();
        values[place] = match &values[place] {
            Value::Asts(_) => Value::Asts(list),
            _ => Value::Ast(list.into_iter().next()?),
        };
        Some(Node::new(ast.kind, location, values))
    });
    Ok(nodes.collect())
}
