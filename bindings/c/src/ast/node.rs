//! Nodes: a type and its attributes; reference-counted, shared between threads, and changed in place.
//!
//! Invariants: the values are those that the type's shape requires; no node contains itself, since changes of children
//! are made one at a time and refuse that; at most one node is locked at any moment, so there are no deadlocks; nothing
//! recurses, however deep a tree is.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::schema::{Attribute, Kind, Type};
use crate::error::Fail;
use crate::symbol::Symbol;

/// A text of [`crate::symbol::intern_text`].
pub type Name = &'static str;

/// The empty text, and that of `_`, with the 0 that C reads after them.
pub const EMPTY: Name = "\0".split_at(0).0;
/// See [`EMPTY`].
pub const UNDERSCORE: Name = "_\0".split_at(1).0;

/// Line and column of a place, both from 1; columns count bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The text's name.
    pub file: Name,
    pub line: usize,
    pub column: usize,
}

impl Default for Position {
    fn default() -> Self {
        Position { file: EMPTY, line: 0, column: 0 }
    }
}

/// From a place to one after the last byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Location {
    /// Where it begins.
    pub begin: Position,
    /// Where it ends.
    pub end: Position,
}

/// The value of an attribute.
#[derive(Clone, Debug)]
pub enum Value {
    Number(i32),
    Symbol(Symbol),
    /// A place; stored separately in [`Body::location`].
    Location,
    Text(Name),
    Ast(Ast),
    /// A node or none.
    Optional(Option<Ast>),
    /// Texts.
    Texts(Vec<Name>),
    /// Nodes.
    Asts(Vec<Ast>),
}

impl Value {
    /// Of which kind it is.
    pub fn kind(&self) -> Kind {
        match self {
            Value::Number(_) => Kind::Number,
            Value::Symbol(_) => Kind::Symbol,
            Value::Location => Kind::Location,
            Value::Text(_) => Kind::Text,
            Value::Ast(_) => Kind::Ast,
            Value::Optional(_) => Kind::Optional,
            Value::Texts(_) => Kind::Texts,
            Value::Asts(_) => Kind::Asts,
        }
    }
    /// The nodes in it.
    pub fn children(&self) -> &[Ast] {
        match self {
            Value::Ast(ast) | Value::Optional(Some(ast)) => std::slice::from_ref(ast),
            Value::Asts(asts) => asts,
            _ => &[],
        }
    }
}

/// The parts of a node that may change.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Its place, if the type has one.
    pub location: Location,
    /// A value for each attribute of the type's shape.
    pub values: Vec<Value>,
}

#[derive(Debug)]
pub struct Node {
    pub kind: Type,
    body: Mutex<Body>,
}

/// A counted node.
pub type Ast = Arc<Node>;

/// Locked during changes of children, so that two simultaneous changes cannot create a cycle.
static CHANGE: Mutex<()> = Mutex::new(());

impl Drop for Node {
    fn drop(&mut self) {
        let body = self.body.get_mut().unwrap_or_else(PoisonError::into_inner);
        if body.values.iter().all(|v| v.children().is_empty()) {
            return;
        }
        let mut todo = std::mem::take(&mut body.values);
        while let Some(value) = todo.pop() {
            let mut free = |ast: Ast| {
                if let Some(mut node) = Arc::into_inner(ast) {
                    let body = node.body.get_mut().unwrap_or_else(PoisonError::into_inner);
                    todo.append(&mut body.values);
                }
            };
            match value {
                Value::Ast(ast) | Value::Optional(Some(ast)) => free(ast),
                Value::Asts(asts) => asts.into_iter().for_each(free),
                _ => {}
            }
        }
    }
}

impl Node {
    /// A node. Pre: the values fit the type's shape.
    pub fn new(kind: Type, location: Location, values: Vec<Value>) -> Ast {
        debug_assert!(kind.shape().iter().map(|a| a.kind).eq(values.iter().map(Value::kind)), "{kind:?}");
        Arc::new(Node { kind, body: Mutex::new(Body { location, values }) })
    }

    /// The attributes. The guard must be dropped before another node's attributes are read.
    pub fn body(&self) -> MutexGuard<'_, Body> {
        self.body.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A node with the same attributes and the same children.
    pub fn copy(&self) -> Ast {
        let body = self.body().clone();
        Arc::new(Node { kind: self.kind, body: Mutex::new(body) })
    }

    /// The index of an attribute. An error if the type has none of that name.
    pub fn place(&self, attribute: Attribute) -> Result<usize, Fail> {
        self.kind.place(attribute).ok_or_else(|| missing(self.kind, attribute))
    }

    /// Reads an attribute in place.
    pub fn read<T>(&self, attribute: Attribute, read: impl FnOnce(&Value) -> Option<T>) -> Result<T, Fail> {
        let place = self.place(attribute)?;
        read(&self.body().values[place]).ok_or_else(|| wrong_kind(self.kind, attribute))
    }

    /// Changes an attribute in place; the second part of `change`'s result is dropped after the node is unlocked.
    pub fn change<T>(
        &self,
        attribute: Attribute,
        change: impl FnOnce(&mut Value) -> Option<T>,
    ) -> Result<T, Fail> {
        let place = self.place(attribute)?;
        let changed = change(&mut self.body().values[place]);
        changed.ok_or_else(|| wrong_kind(self.kind, attribute))
    }

    /// Changes an attribute so that it contains `child`. An error if the child contains the node.
    pub fn adopt<T>(
        self: &Ast,
        attribute: Attribute,
        child: &Ast,
        change: impl FnOnce(&mut Value, Ast) -> Option<T>,
    ) -> Result<T, Fail> {
        let alone = CHANGE.lock().unwrap_or_else(PoisonError::into_inner);
        if child.contains(self) {
            return Err(Fail::runtime("a node cannot be put into itself"));
        }
        let changed = self.change(attribute, |value| change(value, child.clone()));
        drop(alone);
        changed
    }

    /// Whether another node is this one or below it.
    fn contains(self: &Ast, other: &Ast) -> bool {
        if Arc::ptr_eq(self, other) {
            return true;
        }
        // Nothing else refers to it.
        if Arc::strong_count(other) == 1 {
            return false;
        }
        let mut seen = HashSet::new();
        let mut todo = self.children();
        while let Some(ast) = todo.pop() {
            if Arc::ptr_eq(&ast, other) {
                return true;
            }
            if seen.insert(Arc::as_ptr(&ast)) {
                todo.append(&mut ast.children());
            }
        }
        false
    }

    /// The nodes directly below it.
    pub fn children(&self) -> Vec<Ast> {
        let body = self.body();
        body.values.iter().flat_map(|value| value.children().iter().cloned()).collect()
    }

    /// A copy with copies of all nodes below.
    pub fn deep_copy(&self) -> Ast {
        let mut open = vec![Frame::of(self)];
        let mut done: Option<Ast> = None;
        while let Some(frame) = open.last_mut() {
            if let Some(copy) = done.take() {
                frame.put(copy);
            }
            match frame.child() {
                Some(child) => {
                    let child = Frame::of(child);
                    open.push(child);
                }
                None => {
                    let last = open.pop();
                    done =
                        last.map(|Frame { kind, body, .. }| Arc::new(Node { kind, body: Mutex::new(body) }));
                }
            }
        }
        done.unwrap_or_else(|| self.copy())
    }
}

/// A copy in the making: its children up to a place are copies, and the others still those of the original.
struct Frame {
    kind: Type,
    body: Body,
    /// The value that the next child is in, and the child's place there.
    next: (usize, usize),
}

impl Frame {
    fn of(node: &Node) -> Self {
        Frame { kind: node.kind, body: node.body().clone(), next: (0, 0) }
    }
    /// The next child that is to be copied.
    fn child(&mut self) -> Option<&Ast> {
        let (value, place) = &mut self.next;
        while self.body.values.get(*value)?.children().len() <= *place {
            (*value, *place) = (*value + 1, 0);
        }
        self.body.values[*value].children().get(*place)
    }
    /// Puts the copy of the next child in its place.
    fn put(&mut self, copy: Ast) {
        let (value, place) = &mut self.next;
        let slot = match self.body.values.get_mut(*value) {
            Some(Value::Ast(child) | Value::Optional(Some(child))) => Some(child),
            Some(Value::Asts(children)) => children.get_mut(*place),
            _ => None,
        };
        if let Some(slot) = slot {
            *slot = copy;
        }
        *place += 1;
    }
}

/// The error for an attribute that a type does not have.
pub fn missing(kind: Type, attribute: Attribute) -> Fail {
    Fail::runtime(format!("ast '{}' does not have attribute '{}'", kind.name(), attribute.name()))
}

fn wrong_kind(kind: Type, attribute: Attribute) -> Fail {
    let text = format!("attribute '{}' of ast '{}' is of another kind", attribute.name(), kind.name());
    Fail::runtime(text)
}
