//! Random literals, conditions, aggregates and bodies.

use super::super::tree::{Tree, list, optional, seq, term, text};
use super::{Generator, RELATIONS, Scope, Variable};

impl Generator<'_> {
    pub(super) fn comparison(&mut self, scope: &Scope) -> Tree {
        let relation = self.pick(&RELATIONS);
        if self.chance(0.15) {
            // No operations here: if one is undefined for every binding, clingo takes the negated chain as true; if it
            // is undefined for the current binding only, as false.
            let (left, middle, right) = (self.simple(scope), self.simple(scope), self.simple(scope));
            let second = self.pick(&RELATIONS);
            return seq([left, text(relation), middle, optional(seq([text(second), right]))]);
        }
        let left = self.value(scope, 2);
        let right = if self.chance(0.5) { self.small() } else { self.value(scope, 2) };
        seq([left, text(relation), right])
    }

    /// A literal without local variables.
    pub(super) fn literal(&mut self, scope: &Scope) -> Tree {
        match self.weighted(&[5.0, 3.5, 1.0, 1.2, 0.3, 0.15]) {
            0 => self.body_atom(scope, true),
            1 => {
                let a = self.body_atom(scope, false);
                seq([text("not "), a])
            }
            2 => {
                let a = self.body_atom(scope, false);
                seq([optional(text("not ")), text("not "), a])
            }
            3 => self.comparison(scope),
            4 => {
                let c = self.comparison(scope);
                seq([optional(text("not ")), c])
            }
            _ => text(self.pick(&["#true", "#false", "not #false", "not not #true"])),
        }
    }

    /// A conjunction with new variables: binders and literals, for the condition of an element.
    pub(super) fn condition(&mut self, outer: &Scope) -> (Scope, Vec<Tree>) {
        let mut scope = outer.clone();
        let mut literals = Vec::new();
        let count = self.weighted(&[3.0, 4.0, 1.0]);
        self.declare(&mut scope, count, &mut literals);
        let extra = self.weighted(&[3.0, 4.0, 1.0]);
        for _ in 0..extra {
            let l = self.literal(&scope);
            literals.push(l);
        }
        (scope, literals)
    }

    pub(super) fn conditional_literal(&mut self, scope: &Scope) -> Tree {
        let (inner, condition) = self.condition(scope);
        let head = match self.below(10) {
            0 => text("#false"),
            1 => self.comparison(&inner),
            2..4 => {
                let a = self.body_atom(&inner, false);
                seq([text("not "), a])
            }
            4 => {
                let a = self.body_atom(&inner, false);
                seq([text("not not "), a])
            }
            _ => self.body_atom(&inner, true),
        };
        seq([head, text(" : "), list(", ", 0, condition)])
    }

    /// `rel term` or `term rel`, perhaps neither.
    pub(super) fn guards(&mut self, scope: &Scope, function: &str) -> (Tree, Tree) {
        let bound = |g: &mut Self| {
            if matches!(function, "#min" | "#max") && g.chance(0.2) {
                term(text(g.pick(&["#inf", "#sup", "x", "\"s\"", "f(1)"])))
            } else if g.chance(0.15) {
                g.value(scope, 1)
            } else {
                g.small()
            }
        };
        let left = if self.chance(0.5) {
            let b = bound(self);
            let relation = self.pick(&RELATIONS);
            optional(seq([b, text(format!(" {relation} "))]))
        } else {
            text("")
        };
        let right = if self.chance(0.6) || left == text("") {
            let b = bound(self);
            let relation = self.pick(&RELATIONS);
            optional(seq([text(format!(" {relation} ")), b]))
        } else {
            text("")
        };
        (left, right)
    }

    pub(super) fn function(&mut self) -> &'static str {
        self.pick(&["#count", "#sum", "#sum", "#sum", "#sum+", "#min", "#max"])
    }

    /// The terms before the colon of an aggregate element.
    pub(super) fn tuple(&mut self, scope: &Scope, function: &str) -> Tree {
        let mut terms = Vec::new();
        if function == "#count" && self.chance(0.05) {
            return text("");
        }
        terms.push(if function != "#count" && self.chance(0.5) {
            self.small()
        } else {
            self.value(scope, 1)
        });
        if function == "head #sum+" {
            // With negative weights or bounds clingo follows no single rule.
            terms[0] = term(text(self.below(4).to_string()));
        }
        for _ in 0..self.weighted(&[3.0, 2.0, 0.5]) {
            let t = self.value(scope, 1);
            terms.push(t);
        }
        list(",", 1, terms)
    }

    pub(super) fn aggregate_elements(&mut self, scope: &Scope, function: &str) -> Tree {
        let mut elements = Vec::new();
        for _ in 0..1 + self.below(3) {
            let (inner, condition) = self.condition(scope);
            let tuple = self.tuple(&inner, function);
            elements.push(seq([tuple, text(" : "), list(", ", 0, condition)]));
        }
        list(" ; ", 0, elements)
    }

    /// A body aggregate without assignment.
    pub(super) fn aggregate(&mut self, scope: &Scope) -> Tree {
        let sign = match self.weighted(&[6.0, 2.0, 1.0]) {
            0 => text(""),
            1 => optional(text("not ")),
            _ => optional(text("not not ")),
        };
        self.negated |= sign != text("");
        if self.chance(0.25) {
            let mut elements = Vec::new();
            for _ in 0..1 + self.below(3) {
                let (inner, condition) = self.condition(scope);
                // No negated comparisons: their alternatives are one element in clingo.
                let l = match self.below(5) {
                    0 => self.comparison(&inner),
                    1 => seq([text("not "), self.body_atom(&inner, false)]),
                    2 => seq([optional(text("not ")), text("not "), self.body_atom(&inner, false)]),
                    _ => self.body_atom(&inner, true),
                };
                elements.push(seq([l, text(" : "), list(", ", 0, condition)]));
            }
            let left = if self.chance(0.5) { optional(self.small()) } else { text("") };
            let right = if self.chance(0.5) { optional(self.small()) } else { text("") };
            return seq([sign, left, text(" { "), list(" ; ", 0, elements), text(" } "), right]);
        }
        let function = self.function();
        let elements = self.aggregate_elements(scope, function);
        let (left, right) = self.guards(scope, function);
        seq([sign, left, text(format!("{function} {{ ")), elements, text(" }"), right])
    }

    /// `V = #sum {...}` with a bound on `V`.
    pub(super) fn assignment(&mut self, scope: &mut Scope, body: &mut Vec<Tree>) {
        let function = self.function();
        let elements = self.aggregate_elements(scope, function);
        let name = self.variable_name();
        if self.chance(0.8) {
            body.push(seq([text(format!("{name} = {function} {{ ")), elements, text(" }")]));
        } else {
            body.push(seq([text(format!("{function} {{ ")), elements, text(format!(" }} = {name}"))]));
        }
        body.push(text(format!("-3 <= {name} <= 5")));
        scope.variables.push(Variable { name, finite: false });
    }

    /// A theory atom. Its conditions are plain: clingo has its own treatment of undefined terms in them.
    pub(super) fn theory_atom(&mut self, scope: &Scope) -> Tree {
        let condition = self.pick(&["dom(U)", "dom(U), p(U)", "q(U)", "U = 1..2, not a"]);
        let x = self.simple(scope);
        if self.chance(0.5) {
            seq([text("&t { U"), optional(seq([text(","), x])), text(format!(" : {condition} }} >= 1"))])
        } else {
            seq([text("&u("), x, text(format!(") {{ U : {condition} }}"))])
        }
    }

    /// The body of a rule: its scope and its elements.
    pub(super) fn body(&mut self, most_variables: usize, least: usize) -> (Scope, Vec<Tree>) {
        self.fresh = 0;
        let mut scope = Scope::default();
        let mut body = Vec::new();
        let count = self.below(most_variables + 1);
        self.declare(&mut scope, count, &mut body);
        let profile = self.profile;
        if profile.arithmetic > 0.0 && !scope.variables.is_empty() && self.chance(0.1) {
            let name = self.variable_name();
            let finite = scope.variables.iter().all(|v| v.finite);
            let value = self.value(&scope, 2);
            body.push(seq([text(format!("{name} = ")), value]));
            scope.variables.push(Variable { name, finite });
        }
        let assigns = profile.aggregate > 0.0 && self.chance(profile.aggregate * 0.08);
        if assigns {
            self.assignment(&mut scope, &mut body);
        }
        let more = least + self.weighted(&[3.0, 4.0, 2.0, 0.5]);
        // For which values of an aggregate there are instances may differ, and theory atoms are free in each.
        let theory = if self.theory && !self.all_given && !assigns { 1.0 } else { 0.0 };
        for _ in 0..more {
            let element = match self.weighted(&[5.0, profile.conditional, profile.aggregate, theory]) {
                0 => self.literal(&scope),
                1 => self.conditional_literal(&scope),
                2 => self.aggregate(&scope),
                _ => self.theory_atom(&scope),
            };
            body.push(element);
        }
        // The order of body elements is free too.
        if self.chance(0.5) {
            for i in (1..body.len()).rev() {
                let j = self.below(i + 1);
                body.swap(i, j);
            }
        }
        (scope, body)
    }
}
