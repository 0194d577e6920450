//! Program texts as trees that know how they can be simplified.
//!
//! The generator builds trees, and the shrinker tries their variants; no parser is needed. A variant may be an invalid
//! program (dropping a literal can make a variable unsafe), so the systems under comparison must be asked again.

use std::fmt::{self, Display};

/// A piece of program text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// Stays as it is.
    Text(String),
    /// All of the parts, in order.
    Seq(Vec<Tree>),
    /// Parts that may be dropped, down to `least` of them.
    List {
        /// Between two parts.
        separator: &'static str,
        /// The parts.
        items: Vec<Tree>,
        /// How many must remain.
        least: usize,
    },
    /// May be dropped.
    Optional(Box<Tree>),
    /// A term: may be replaced by one inside it or by `1`.
    Term(Box<Tree>),
    /// The first may be replaced by the second, which is simpler.
    Either(Box<Tree>, Box<Tree>),
}

/// A fixed piece of text.
pub fn text(s: impl Into<String>) -> Tree {
    Tree::Text(s.into())
}

/// Several pieces in a row.
pub fn seq(parts: impl IntoIterator<Item = Tree>) -> Tree {
    Tree::Seq(parts.into_iter().collect())
}

/// A list that may lose all but `least` of its items.
pub fn list(separator: &'static str, least: usize, items: Vec<Tree>) -> Tree {
    Tree::List { separator, items, least }
}

/// A term.
pub fn term(t: Tree) -> Tree {
    Tree::Term(Box::new(t))
}

/// A piece that may be dropped.
pub fn optional(t: Tree) -> Tree {
    Tree::Optional(Box::new(t))
}

/// A piece with a simpler one that may replace it.
pub fn either(t: Tree, simpler: Tree) -> Tree {
    Tree::Either(Box::new(t), Box::new(simpler))
}

impl Tree {
    /// All variants that are one step simpler.
    pub fn variants(&self) -> Vec<Tree> {
        let mut out = Vec::new();
        match self {
            Tree::Text(_) => {}
            Tree::Seq(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    out.extend(part.variants().into_iter().map(|v| {
                        let mut parts = parts.clone();
                        parts[i] = v;
                        Tree::Seq(parts)
                    }));
                }
            }
            Tree::List { separator, items, least } => {
                let with = |items| Tree::List { separator, items, least: *least };
                if items.len() > *least {
                    for i in (0..items.len()).rev() {
                        let mut items = items.clone();
                        items.remove(i);
                        out.push(with(items));
                    }
                }
                for (i, item) in items.iter().enumerate() {
                    out.extend(item.variants().into_iter().map(|v| {
                        let mut items = items.clone();
                        items[i] = v;
                        with(items)
                    }));
                }
            }
            Tree::Optional(inner) => {
                if **inner != text("") {
                    out.push(text(""));
                }
                out.extend(inner.variants().into_iter().map(optional));
            }
            Tree::Term(inner) => {
                let mut inside = Vec::new();
                inner.subterms(&mut inside);
                out.extend(inside);
                if inner.to_string() != "1" {
                    out.push(term(text("1")));
                }
                out.extend(inner.variants().into_iter().map(term));
            }
            Tree::Either(rich, simple) => {
                out.push((**simple).clone());
                out.extend(rich.variants().into_iter().map(|v| either(v, (**simple).clone())));
            }
        }
        out
    }

    /// Replaces a piece of text everywhere.
    pub fn rename(&mut self, from: &str, to: &str) {
        match self {
            Tree::Text(s) => *s = s.replace(from, to),
            Tree::Seq(parts) | Tree::List { items: parts, .. } => {
                parts.iter_mut().for_each(|p| p.rename(from, to))
            }
            Tree::Optional(inner) | Tree::Term(inner) => inner.rename(from, to),
            Tree::Either(rich, simple) => {
                rich.rename(from, to);
                simple.rename(from, to);
            }
        }
    }

    /// The outermost terms inside.
    fn subterms(&self, out: &mut Vec<Tree>) {
        match self {
            Tree::Text(_) => {}
            Tree::Seq(parts) | Tree::List { items: parts, .. } => parts.iter().for_each(|p| p.subterms(out)),
            Tree::Optional(inner) => inner.subterms(out),
            Tree::Either(rich, _) => rich.subterms(out),
            Tree::Term(_) => out.push(self.clone()),
        }
    }
}

impl Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Text(s) => f.write_str(s),
            Tree::Seq(parts) => parts.iter().try_for_each(|p| p.fmt(f)),
            Tree::List { separator, items, .. } => items.iter().enumerate().try_for_each(|(i, item)| {
                if i > 0 {
                    f.write_str(separator)?;
                }
                item.fmt(f)
            }),
            Tree::Optional(inner) | Tree::Term(inner) | Tree::Either(inner, _) => inner.fmt(f),
        }
    }
}

/// The smallest program found for which `fails` holds, simplifying one step at a time.
///
/// Pre: `fails(&statements)`. Post: the result fails; at most `budget` programs have been tried.
pub fn shrink(
    mut statements: Vec<Tree>,
    mut budget: u32,
    fails: &mut dyn FnMut(&[Tree]) -> bool,
) -> Vec<Tree> {
    let mut attempt = |candidate: &[Tree]| {
        if budget == 0 {
            return false;
        }
        budget -= 1;
        fails(candidate)
    };
    // Whole statements first, in chunks that halve.
    let mut chunk = statements.len().div_ceil(2).max(1);
    loop {
        let mut start = 0;
        while start < statements.len() {
            let mut candidate = statements.clone();
            candidate.drain(start..(start + chunk).min(candidate.len()));
            if attempt(&candidate) {
                statements = candidate;
            } else {
                start += chunk;
            }
        }
        if chunk == 1 {
            break;
        }
        chunk = chunk.div_ceil(2);
    }
    // Then single steps anywhere, until none works.
    'again: loop {
        for i in 0..statements.len() {
            let mut candidate = statements.clone();
            candidate.remove(i);
            if attempt(&candidate) {
                statements = candidate;
                continue 'again;
            }
        }
        for i in 0..statements.len() {
            for variant in statements[i].variants() {
                let mut candidate = statements.clone();
                candidate[i] = variant;
                if attempt(&candidate) {
                    statements = candidate;
                    continue 'again;
                }
            }
        }
        return statements;
    }
}

/// The program's text, one statement per line.
pub fn render(statements: &[Tree]) -> String {
    statements.iter().map(|s| format!("{s}\n")).collect()
}
