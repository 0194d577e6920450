//! Tables and facts that the program does not read because of a slip in their name or a wrong number of columns.
//!
//! Invariant: only facts beside a predicate that is read and has no atoms is wrong; a program may leave others unread.

use asp::Symbol;
use asp::message::slip;
use asp::symbol::{Signature, SymView};

use crate::session::Core;

impl Core {
    /// What is wrong with a table that nothing reads, beside a predicate that is read and has no atoms.
    pub(crate) fn unread_table(&mut self) -> Option<String> {
        let ground = self.control.as_ground();
        let symbols = ground.symbols();
        let write = |s: &Signature| {
            format!("`{}{}/{}`", if s.negative { "-" } else { "" }, symbols.str(s.name), s.arity)
        };
        let all: Vec<(Signature, u32, bool)> = (0..ground.predicates())
            .filter_map(|p| ground.predicate(p).map(|(s, rows)| (s, rows, ground.is_read(p))))
            .collect();
        std::mem::take(&mut self.tables).into_iter().find_map(|table| {
            if all.iter().any(|(s, _, is_read)| *s == table && *is_read) {
                return None;
            }
            let name = symbols.str(table.name);
            let empty = all.iter().filter(|(_, rows, is_read)| *is_read && *rows == 0);
            let near = empty.filter_map(|(s, ..)| Some((slip(name, symbols.str(s.name))?, s)));
            let (distance, near) =
                near.min_by_key(|(distance, s)| (*distance, s.arity.abs_diff(table.arity)))?;
            let what = match distance {
                0 if table.arity == 1 => "it has 1 column".to_string(),
                0 => format!("it has {} columns", table.arity),
                _ => "did you mean that?".to_string(),
            };
            Some(format!("nothing reads {}; the program reads {}: {what}", write(&table), write(near)))
        })
    }

    /// What is wrong with an atom that is taken to hold, if its predicate is unknown beside one of a similar name.
    pub(crate) fn unknown_predicate(&self, atom: Symbol) -> Option<String> {
        let ground = self.control.as_ground();
        let symbols = ground.symbols();
        let SymView::Fun { name, args, .. } = symbols.view(atom) else { return None };
        let (name, arity) = (symbols.str(name), args.len() as u32);
        let known = || (0..ground.predicates()).filter_map(|p| ground.predicate(p).map(|(s, _)| s));
        if known().any(|s| (symbols.str(s.name), s.arity) == (name, arity)) {
            return None;
        }
        let near = known().filter_map(|s| Some((slip(name, symbols.str(s.name))?, s)));
        let (_, near) = near.min_by_key(|(distance, s)| (*distance, s.arity.abs_diff(arity)))?;
        let near = format!("{}/{}", symbols.str(near.name), near.arity);
        let atom = symbols.display(atom);
        Some(format!("`{atom}`: there is no predicate `{name}/{arity}`; did you mean `{near}`?"))
    }
}
