//! Random terms and atoms, and the literals that bind variables.

use super::super::tree::{Tree, either, list, optional, seq, term, text};
use super::{Generator, PROPOSITIONS, Scope, UNARY, Variable};

impl Generator<'_> {
    /// A term without variables.
    pub(super) fn constant_term(&mut self) -> Tree {
        if self.constant && self.chance(0.3) {
            return term(text("k"));
        }
        if !self.extras.is_empty() && self.chance(0.3) {
            return term(text(self.extras[self.rng.below(self.extras.len() as u64) as usize]));
        }
        let n = self.numbers[self.rng.below(self.numbers.len() as u64) as usize];
        term(text(n.to_string()))
    }

    /// A small integer.
    pub(super) fn small(&mut self) -> Tree {
        let n = self.below(6) as i64 - 1;
        term(text(n.to_string()))
    }

    /// A constant or a variable.
    pub(super) fn simple(&mut self, scope: &Scope) -> Tree {
        if !scope.variables.is_empty() && self.chance(0.75) {
            let v = self.below(scope.variables.len());
            term(text(scope.variables[v].name.clone()))
        } else {
            self.constant_term()
        }
    }

    /// Any term over the scope's variables; no pools or intervals.
    pub(super) fn value(&mut self, scope: &Scope, depth: u32) -> Tree {
        if depth == 0 || !self.chance(self.profile.arithmetic) {
            if self.profile.rich_terms > 0.0 && depth > 0 && self.chance(self.profile.rich_terms * 0.4) {
                return self.compound(scope, depth);
            }
            return self.simple(scope);
        }
        let a = self.value(scope, depth - 1);
        let simple = a.clone();
        let tree = match self.below(14) {
            0 => seq([text("-"), a]),
            1 => seq([text("|"), a, text("|")]),
            2 => seq([text("~"), a]),
            n => {
                let op = ["+", "-", "*", "/", "\\", "**", "&", "?", "^", "+", "-"][n - 3];
                let b = if self.chance(0.5) { self.small() } else { self.value(scope, depth - 1) };
                if self.chance(0.3) {
                    seq([text("("), a, text(op), b, text(")")])
                } else {
                    seq([a, text(op), b])
                }
            }
        };
        either(term(tree), simple)
    }

    /// A function or tuple.
    pub(super) fn compound(&mut self, scope: &Scope, depth: u32) -> Tree {
        let a = self.value(scope, depth - 1);
        let simple = a.clone();
        let tree = match self.below(5) {
            0 => seq([text("f("), a, text(")")]),
            1 => seq([text("("), a, text(",)")]),
            2 => {
                let b = self.value(scope, depth - 1);
                seq([text("("), a, text(","), b, text(")")])
            }
            3 => {
                let b = self.value(scope, depth - 1);
                seq([text("f("), a, text(","), b, text(")")])
            }
            _ => seq([text("-f("), a, text(")")]),
        };
        either(term(tree), simple)
    }

    /// A term in a body atom's argument: perhaps a pool, interval or `_`.
    pub(super) fn body_argument(&mut self, scope: &Scope, positive: bool) -> Tree {
        let roll = self.rng.unit();
        if roll < self.profile.pool * 0.3 {
            let (a, b) = (self.simple(scope), self.simple(scope));
            return either(seq([text("("), a.clone(), text(";"), b, text(")")]), a);
        }
        if roll < self.profile.pool * 0.5 && positive {
            let (a, b) = (self.small(), self.small());
            return either(seq([a.clone(), text(".."), b]), a);
        }
        if roll < self.profile.pool * 0.5 + 0.06 && positive {
            return text("_");
        }
        self.value(scope, 1)
    }

    /// A predicate with arguments made by `argument`.
    pub(super) fn predicate(&mut self, arguments: &mut dyn FnMut(&mut Self) -> Tree) -> Tree {
        let minus = if self.classical && self.chance(0.3) { "-" } else { "" };
        match self.weighted(&[4.0, 3.0, 1.0]) {
            0 => {
                let name = self.pick(&PROPOSITIONS);
                text(format!("{minus}{name}"))
            }
            1 => {
                let name = self.pick(&UNARY);
                let x = arguments(self);
                if !self.whole && self.chance(self.profile.pool * 0.15) {
                    let y = arguments(self);
                    return seq([text(format!("{minus}{name}(")), list(";", 1, vec![x, y]), text(")")]);
                }
                seq([text(format!("{minus}{name}(")), x, text(")")])
            }
            _ => {
                let (x, y) = (arguments(self), arguments(self));
                seq([text(format!("{minus}r(")), x, text(","), y, text(")")])
            }
        }
    }

    /// An atom in a body or condition.
    pub(super) fn body_atom(&mut self, scope: &Scope, positive: bool) -> Tree {
        let choices = if self.given && (positive || self.all_given) { 2 } else { 12 };
        match self.below(choices) {
            0 => {
                let x = self.body_argument(scope, positive);
                seq([text("dom("), x, text(")")])
            }
            1 => {
                let (x, y) = (self.body_argument(scope, positive), self.body_argument(scope, positive));
                seq([text("edge("), x, text(","), y, text(")")])
            }
            2 if self.profile.external > 0.0 => {
                if self.chance(0.4) {
                    return text("x");
                }
                let x = self.body_argument(scope, positive);
                seq([text("x("), x, text(")")])
            }
            _ => {
                let scope = scope.clone();
                self.predicate(&mut |g| g.body_argument(&scope, positive))
            }
        }
    }

    /// A head atom; comparisons that keep its arguments small go to `guards`.
    pub(super) fn head_atom(&mut self, scope: &Scope, guards: &mut Vec<Tree>) -> Tree {
        let scope = scope.clone();
        let mut all = Vec::new();
        let tree = self.predicate(&mut |g| {
            let roll = g.rng.unit();
            if roll < g.profile.pool * 0.3 && !g.whole {
                let (a, b) = (g.simple(&scope), g.simple(&scope));
                return either(seq([text("("), a.clone(), text(";"), b, text(")")]), a);
            }
            if roll < g.profile.pool * 0.6 {
                let (a, b) = (g.small(), g.small());
                return either(seq([a.clone(), text(".."), b]), a);
            }
            let finite = Scope { variables: scope.variables.iter().filter(|v| v.finite).cloned().collect() };
            if finite.variables.len() == scope.variables.len() {
                return g.value(&finite, 2);
            }
            if g.chance(0.7 * g.profile.arithmetic) {
                let open: Vec<&Variable> = scope.variables.iter().filter(|v| !v.finite).collect();
                let name = open[g.rng.below(open.len() as u64) as usize].name.clone();
                all.push(text(format!("-2 <= {name} <= 3")));
                let shape =
                    g.pick(&["#+1", "#-1", "3-#", "-#", "2*#", "#/2", "#\\2", "|#|", "#**2", "1+#+#"]);
                return either(term(text(shape.replace('#', &name))), term(text(name)));
            }
            g.simple(&scope)
        });
        guards.append(&mut all);
        tree
    }

    /// An atom that only disjunctions with conditions derive and only constraints read: if such a disjunction is
    /// recursive, clingo loses rules.
    pub(super) fn final_atom(&mut self, scope: &Scope, pools: bool) -> Tree {
        if self.chance(0.5) {
            return text("h");
        }
        let x = self.simple(scope);
        let roll = self.rng.unit();
        if pools && roll < self.profile.pool * 0.3 {
            let y = self.simple(scope);
            return either(
                seq([text("g("), x.clone(), text(";"), y, text(")")]),
                seq([text("g("), x, text(")")]),
            );
        }
        seq([text("g("), x, text(")")])
    }

    /// A literal that binds a variable, and whether its values are given facts.
    pub(super) fn binder(&mut self, name: &str) -> (Tree, bool) {
        let tree = |s: &str| text(s.replace('#', name));
        match self.weighted(&[6.0, 1.0, 0.7, 0.5, 1.2, 0.6, 0.7, 0.4, self.profile.bounds]) {
            0 => (tree("dom(#)"), true),
            1 => {
                let shape = self.pick(&["edge(#,_)", "edge(_,#)", "edge(#,#)", "edge(#,1)"]);
                (tree(shape), true)
            }
            2 => {
                let shape = self.pick(&["#=1..2", "#=0..1", "1=#", "#=2", "0..1=#", "2*#=2..4", "#+1=1..3"]);
                (tree(shape), true)
            }
            3 if self.profile.pool > 0.0 => {
                let shape = self.pick(&["#=(1;2)", "dom((#;#))", "dom(#;#)"]);
                (tree(shape), true)
            }
            4 if !self.given => {
                let shape = self.pick(&["p(#)", "q(#)", "_s(#)"]);
                (tree(shape), false)
            }
            5 if !self.given => {
                let shape = self.pick(&["r(#,_)", "r(1,#)", "r(#,#)"]);
                (tree(shape), false)
            }
            6 if self.profile.arithmetic > 0.0 => {
                let shape =
                    self.pick(&["dom(#+1)", "dom(2*#-1)", "dom(-#)", "dom(1-#)", "dom(2*#)", "dom(3+(-#))"]);
                (tree(shape), true)
            }
            7 if self.profile.rich_terms > 0.0 => {
                let shape = self.pick(&["dom(f(#))", "dom((#,_))", "(#,_)=(1..2,3)", "dom(f(#,_))"]);
                (tree(shape), true)
            }
            8 => {
                let shape =
                    self.pick(&["1<=#<=2", "0 < 2*# <= 4", "not # < 1, # < 3", "-1 <= -# <= 1", "2 > # > 0"]);
                (tree(shape), true)
            }
            _ => (tree("dom(#)"), true),
        }
    }

    /// New variables with their binders.
    pub(super) fn declare(&mut self, scope: &mut Scope, count: usize, binders: &mut Vec<Tree>) {
        for _ in 0..count {
            let name = self.variable_name();
            let (binder, finite) = self.binder(&name);
            binders.push(optional(binder));
            scope.variables.push(Variable { name, finite });
        }
    }
}
