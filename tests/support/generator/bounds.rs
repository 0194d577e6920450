//! Random programs about bounds: comparisons of linear terms that bind variables, or do not, in every place.
//!
//! About half of the programs are unsafe. Two cases in which clingo follows other rules are left out: operations that
//! are undefined for constants (clingo drops the place before it checks variables), and local variables of a lone head
//! element with the name of another element's.

use super::super::outcome::Mode;
use super::super::tree::{Tree, list, optional, seq, term, text};
use super::{Case, Generator};

const RELATIONS: [&str; 10] = ["<", "<=", ">", ">=", "<", "<=", ">", ">=", "=", "!="];

impl Generator<'_> {
    pub(super) fn bounds_program(&mut self) -> Case {
        let mut statements: Vec<Tree> = (0..1 + self.below(3)).map(|_| self.bounds_statement()).collect();
        let facts = ["q(0..2).", "{ q(1;2;a) }.", "q(f(1)). q(1).", "q(2). { r(1..2) }."];
        statements.push(optional(text(self.pick(&facts))));
        let objective = statements.iter().any(|s| s.to_string().starts_with(":~"));
        Case { statements, mode: if objective { Mode::OptEnum } else { Mode::All } }
    }

    fn integer(&mut self) -> Tree {
        let n = self.below(8) as i64 - 3;
        text(n.to_string())
    }

    fn linear(&mut self, names: &[&str], depth: u32) -> Tree {
        let tree = match self.below(20) {
            0..8 => text(self.pick(names)),
            8..12 => self.integer(),
            12 => seq([text("-1*"), text(self.pick(names))]),
            13 | 14 if depth > 0 => {
                let n = self.integer();
                seq([n, text("*("), self.linear(names, depth - 1), text(")")])
            }
            15..19 if depth > 0 => {
                let (a, b) = (self.linear(names, depth - 1), self.linear(names, depth - 1));
                seq([a, text(self.pick(&["+", "-", "+-"])), b])
            }
            _ if depth > 0 && self.chance(0.3) => match self.below(4) {
                0 => seq([text("|"), text(self.pick(names)), text("|")]),
                1 => seq([text(self.pick(names)), text("*"), text(self.pick(names))]),
                2 => seq([text("("), text(self.pick(names)), text(";"), self.integer(), text(")")]),
                _ => seq([self.integer(), text(".."), self.integer()]),
            },
            _ => text(self.pick(names)),
        };
        term(tree)
    }

    fn chain(&mut self, names: &[&str]) -> Tree {
        let sign = self.pick(&["", "", "", "", "not ", "not not "]);
        let mut parts = vec![optional(text(sign)), self.linear(names, 2)];
        for k in 0..self.pick(&[1, 1, 1, 2, 2, 3]) {
            let link = seq([text(self.pick(&RELATIONS)), self.linear(names, 2)]);
            parts.push(if k == 0 { link } else { optional(link) });
        }
        seq(parts)
    }

    /// Literals over some variables, most of which they bound.
    fn bounded(&mut self, names: &[&str], most: usize) -> Vec<Tree> {
        let mut out = Vec::new();
        for v in names {
            let low = self.below(5) as i64 - 2;
            match self.below(10) {
                0..6 => out.push(text(format!("{low} <= {v} <= {}", low + self.below(5) as i64 - 1))),
                6 => out.push(text(format!("{v} {} {low}", self.pick(&RELATIONS)))),
                _ => {}
            }
        }
        for _ in 0..self.below(most + 1) {
            out.push(self.chain(names));
        }
        if self.chance(0.3) {
            let v = self.pick(names);
            let shape = self.pick(&["q(#)", "not q(#)", "q(#+1)", "q(2*#)", "q(f(#))", "r(#)"]);
            out.push(text(shape.replace('#', v)));
        }
        for i in (1..out.len()).rev() {
            let j = self.below(i + 1);
            out.swap(i, j);
        }
        out
    }

    fn bounds_statement(&mut self) -> Tree {
        let names = &["X", "Y", "Z"][..1 + self.below(3)];
        let (first, last) = (names[0], names[names.len() - 1]);
        let mut body = self.bounded(names, 3);
        // In any case it is not a local variable.
        body.push(text(format!("{first} = {first}")));
        let local = ["U", first];
        let literal = |g: &mut Self, local: &[&str]| match g.below(4) {
            0 => text("not q(U)"),
            1 => g.chain(local),
            _ => text("q(U)"),
        };
        match self.below(12) {
            0 => {
                let condition = self.bounded(&local, 1);
                let (relation, function) = (self.pick(&RELATIONS), self.pick(&["count", "sum", "max"]));
                let guard = self.pick(names);
                let open = text(format!("{guard} {relation} #{function} {{ U,{first} : "));
                body.push(seq([open, list(", ", 0, condition), text(" }")]));
            }
            1 => {
                let l = literal(self, &local);
                let condition = self.bounded(&local, 1);
                body.push(seq([text("1 { "), l, text(" : "), list(", ", 0, condition), text(" }")]));
            }
            2 | 3 => {
                let l = literal(self, &local);
                let condition = self.bounded(&local, 1);
                body.push(seq([l, text(" : "), list(", ", 0, condition)]));
            }
            _ => {}
        }
        let body = list("; ", 0, body);
        let own = ["W", first];
        let head = match self.below(14) {
            0 => return seq([text(format!("#show s({first}) : ")), body, text(".")]),
            1 => return seq([text(format!("#external x({first}) : ")), body, text(". [true]")]),
            2 => return seq([text(format!("#edge ({first},{last}) : ")), body, text(".")]),
            3 => return seq([text(":~ "), body, text(format!(". [{first},{last}]"))]),
            4 => text(format!("{{ p({first}) }}")),
            5 => self.chain(names),
            6 => {
                let sign = optional(text(self.pick(&["", "not "])));
                // No pools here: their members are one disjunct.
                let left = seq([text(self.pick(names)), text("-"), self.integer()]);
                let right = self.linear(names, 0);
                let relation = self.pick(&RELATIONS[..8]);
                seq([text(format!("p({first}) ; ")), sign, left, text(relation), right])
            }
            7 => seq([text("p(W) : "), self.condition_of(&own)]),
            8 | 9 => {
                let l = self.head_literal(&own);
                let open = self.pick(&["{ ", "1 { ", "#sum { W : "]);
                seq([text(open), l, text(" : "), self.condition_of(&own), text(" }")])
            }
            10 => text(""),
            _ => text(format!("p({})", names.join(","))),
        };
        seq([head, text(" :- "), body, text(".")])
    }

    fn condition_of(&mut self, names: &[&str]) -> Tree {
        let condition = self.bounded(names, 1);
        list(", ", 0, condition)
    }

    fn head_literal(&mut self, names: &[&str]) -> Tree {
        match self.below(4) {
            0 => self.chain(names),
            1 => text("p(W,X)"),
            _ => text("p(W)"),
        }
    }
}
