//! The trees that programs were built from, for messages: a built program has places and no text.
//!
//! Invariant: trees of the part `base` are kept until it is grounded, others as long as the control.

use super::node::{Ast, Location};
use super::print::print;
use super::schema::Type;

/// Statements, each with the first position that stands for its places, in ascending order.
#[derive(Default)]
pub struct Trees {
    list: Vec<Tree>,
}

struct Tree {
    start: u32,
    ast: Ast,
    is_base: bool,
}

/// Lines and columns of a place.
pub type Ends = ((u32, u32), (u32, u32));

impl Trees {
    /// Keeps a statement whose places begin at a position.
    pub fn note(&mut self, start: u32, ast: Ast, is_base: bool) {
        self.list.push(Tree { start, ast, is_base });
    }

    /// Drops what is not grounded again.
    pub fn forget(&mut self) {
        self.list.retain(|tree| !tree.is_base);
    }

    /// The nodes below the statement that a position belongs to, each before those below it.
    fn nodes(&self, position: u32) -> impl Iterator<Item = Ast> {
        let next = self.list.partition_point(|tree| tree.start <= position);
        let mut open: Vec<Ast> = next.checked_sub(1).map(|i| self.list[i].ast.clone()).into_iter().collect();
        std::iter::from_fn(move || {
            let ast = open.pop()?;
            open.extend(ast.children().into_iter().rev());
            Some(ast)
        })
    }

    /// What stands at a place: the innermost node.
    pub fn at(&self, position: u32, ends: Ends) -> Option<Ast> {
        self.nodes(position).filter(|ast| ends_of(ast.body().location) == ends).last()
    }

    /// The first term from the beginning of a place on: the outermost.
    pub fn term(&self, position: u32, ends: Ends) -> Option<Ast> {
        if let Some(objective) = self.at(position, ends).filter(|ast| ast.kind == Type::Minimize) {
            return objective.children().first().cloned();
        }
        let begin = |ast: &Ast| ends_of(ast.body().location).0;
        let terms = self.nodes(position).filter(|ast| is_term(ast.kind) && begin(ast) >= ends.0);
        terms.min_by_key(begin)
    }

    /// Where the weight, the priority or the modifier of a directive `#heuristic` stands.
    pub fn heuristic(&self, position: u32, ends: Ends, number: usize) -> Option<Ast> {
        let is_it = |ast: &Ast| ast.kind == Type::Heuristic && ends_of(ast.body().location) == ends;
        let directive = self.nodes(position).find(is_it)?;
        let children = directive.children();
        let part = children.len().checked_sub(3)? + number;
        children.get(part).cloned()
    }

    /// The first variable of a name from a place on.
    pub fn variable(&self, position: u32, ends: Ends, name: &str) -> Option<Ends> {
        let is_it = |ast: &Ast| {
            ast.kind == Type::Variable
                && ends_of(ast.body().location).0 >= ends.0
                && print(ast).is_ok_and(|text| text == name)
        };
        self.nodes(position).find(is_it).map(|ast| ends_of(ast.body().location))
    }
}

/// Lines and columns of a node.
pub fn ends_of(Location { begin, end }: Location) -> Ends {
    let short = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    ((short(begin.line), short(begin.column)), (short(end.line), short(end.column)))
}

fn is_term(kind: Type) -> bool {
    use Type as T;
    let terms = [T::Variable, T::SymbolicTerm, T::UnaryOperation, T::BinaryOperation, T::Function, T::Pool];
    terms.contains(&kind) || kind == T::Interval
}
