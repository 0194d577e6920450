//! Random rules: heads of every kind, and what is free.

use super::super::tree::{Tree, list, optional, seq, text};
use super::{Generator, RELATIONS, Scope};

impl Generator<'_> {
    pub(super) fn finish(head: Tree, body: Vec<Tree>) -> Tree {
        if body.is_empty() {
            seq([head, text(".")])
        } else {
            seq([head, text(" :- "), list("; ", 0, body), text(".")])
        }
    }

    pub(super) fn rule(&mut self) -> Tree {
        let profile = self.profile;
        let kind = self.weighted(&[
            6.0,
            2.0,
            profile.disjunction,
            profile.head_aggregate,
            0.9,
            0.2,
            0.2,
            if self.theory { 0.3 } else { 0.0 },
        ]);
        let (scope, mut body) = self.body(2, usize::from(matches!(kind, 0 | 4)));
        let mut guards = Vec::new();
        let head = match kind {
            0 => self.head_atom(&scope, &mut guards),
            1 => self.choice(&scope, &mut guards),
            2 => self.disjunction(&scope, &mut guards),
            3 => self.head_aggregate(&scope, &mut guards),
            4 => {
                if profile.disjunction > 0.0 && self.chance(0.2) {
                    let a = self.final_atom(&scope, false);
                    body.push(seq([optional(text("not ")), a]));
                }
                text(self.pick(&["", "", "", "#false"]))
            }
            5 => self.comparison(&scope),
            6 => {
                let a = self.body_atom(&scope, false);
                seq([optional(text("not ")), text("not "), a])
            }
            _ => {
                let t = self.simple(&scope);
                seq([text("&u(1) { "), t, text(" }")])
            }
        };
        body.append(&mut guards);
        // A theory atom is free, and doubles the answer sets, as long as a rule that contains it remains: so it gets a
        // rule that no simplification removes.
        let head = if body.iter().any(|b| b.to_string().contains('&')) { text("{ t }") } else { head };
        Self::finish(head, body)
    }

    /// A rule that makes something free to hold or not.
    pub(super) fn opener(&mut self) -> Tree {
        match self.below(4) {
            0 => text("{ a; b; c }."),
            1 => text("{ p(X) : dom(X) }."),
            2 => text("{ q(X) } :- dom(X)."),
            _ => text("{ a }. { p(X) : dom(X) } :- a."),
        }
    }

    pub(super) fn choice(&mut self, scope: &Scope, guards: &mut Vec<Tree>) -> Tree {
        let (lower, upper) = (self.chance(0.3), self.chance(0.3));
        self.given = lower || upper;
        let mut elements = Vec::new();
        for _ in 0..1 + self.below(2) {
            let element = if self.chance(0.4) {
                let (inner, mut condition) = self.condition(scope);
                let mut local = Vec::new();
                let a = self.head_atom(&inner, &mut local);
                condition.append(&mut local);
                seq([a, text(" : "), list(", ", 0, condition)])
            } else {
                self.head_atom(scope, guards)
            };
            elements.push(element);
        }
        self.given = false;
        let bound = |g: &mut Self| {
            if g.chance(0.2) {
                let relation = g.pick(&RELATIONS);
                let b = g.value(scope, 1);
                (seq([b.clone(), text(format!(" {relation} "))]), seq([text(format!(" {relation} ")), b]))
            } else {
                let b = g.small();
                (b.clone(), b)
            }
        };
        let left = if lower { optional(bound(self).0) } else { text("") };
        let right = if upper { optional(bound(self).1) } else { text("") };
        seq([left, text(" { "), list("; ", 0, elements), text(" } "), right])
    }

    pub(super) fn disjunction(&mut self, scope: &Scope, guards: &mut Vec<Tree>) -> Tree {
        let separator = self.pick(&["; ", " | "]);
        let mut elements = Vec::new();
        let conditional = self.chance(0.3);
        // clingo loses recursive rules with pools or conditions in disjunctive heads.
        self.whole = true;
        for _ in 0..2 + self.below(2) {
            let element = if conditional && self.chance(0.6) {
                self.given = true;
                let (inner, mut condition) = self.condition(scope);
                self.given = false;
                let mut local = Vec::new();
                let a = self.final_atom(&inner, false);
                condition.append(&mut local);
                if condition.is_empty() {
                    condition.push(text("#true"));
                }
                seq([a, text(" : "), list(", ", 1, condition)])
            } else if self.chance(0.1) {
                let a = self.body_atom(scope, false);
                seq([optional(text("not ")), text("not "), a])
            } else if conditional {
                self.final_atom(scope, true)
            } else {
                self.head_atom(scope, guards)
            };
            elements.push(element);
        }
        self.whole = false;
        list(separator, 1, elements)
    }

    pub(super) fn head_aggregate(&mut self, scope: &Scope, guards: &mut Vec<Tree>) -> Tree {
        let function = self.function();
        let place = if function == "#sum+" { "head #sum+" } else { function };
        let mut elements = Vec::new();
        for _ in 0..1 + self.below(3) {
            let element = if self.chance(0.5) {
                self.given = true;
                let (inner, mut condition) = self.condition(scope);
                self.given = false;
                let mut local = Vec::new();
                let a = self.head_atom(&inner, &mut local);
                condition.append(&mut local);
                let tuple = self.tuple(&inner, place);
                seq([tuple, text(" : "), a, text(" : "), list(", ", 0, condition)])
            } else {
                let a = self.head_atom(scope, guards);
                let tuple = self.tuple(scope, place);
                seq([tuple, text(" : "), a])
            };
            elements.push(element);
        }
        let (left, right) = self.guards(scope, function);
        seq([left, text(format!("{function} {{ ")), list(" ; ", 0, elements), text(" }"), right])
    }
}
