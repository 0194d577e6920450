//! Random small programs that are safe and whose grounding ends, with every construct of the language.
//!
//! Safety: a rule's variables are chosen first, each with a literal that binds it. Termination: a head takes complex
//! terms only over variables that range over given facts; over others it gets a comparison that keeps values small.

use super::outcome::Mode;
use super::tree::{Tree, either, list, optional, seq, term, text};
use asp::base::rng::Rng;

/// How often which construct turns up: probabilities, or weights among alternatives.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Name, for messages.
    pub name: &'static str,
    /// Conditional literals in bodies.
    pub conditional: f64,
    /// Body aggregates.
    pub aggregate: f64,
    /// Head aggregates.
    pub head_aggregate: f64,
    /// Disjunctive heads.
    pub disjunction: f64,
    /// Objectives.
    pub optimise: f64,
    /// `#show`.
    pub show: f64,
    /// `#project`.
    pub project: f64,
    /// `#external`.
    pub external: f64,
    /// Classical negation.
    pub classical: f64,
    /// Strings, functions, tuples, `#inf`, `#sup` in facts and terms.
    pub rich_terms: f64,
    /// Pools.
    pub pool: f64,
    /// Arithmetic.
    pub arithmetic: f64,
    /// `#edge`, `#heuristic`, `#const`, `#defined`, theory atoms, comments.
    pub directives: f64,
    /// Brave and cautious consequences.
    pub consequences: f64,
}

impl Profile {
    /// Normal and choice rules, constraints, conditional literals, simple aggregates.
    pub fn basic() -> Profile {
        Profile {
            name: "basic",
            conditional: 0.7,
            aggregate: 0.4,
            head_aggregate: 0.0,
            disjunction: 0.0,
            optimise: 0.0,
            show: 0.25,
            project: 0.0,
            external: 0.0,
            classical: 0.1,
            rich_terms: 0.15,
            pool: 0.1,
            arithmetic: 0.4,
            directives: 0.0,
            consequences: 0.0,
        }
    }
    /// Aggregates of all kinds, recursive ones too.
    pub fn aggregates() -> Profile {
        Profile { name: "aggregates", aggregate: 3.0, head_aggregate: 1.2, ..Profile::basic() }
    }
    /// Disjunctive programs.
    pub fn disjunctive() -> Profile {
        Profile {
            name: "disjunctive",
            disjunction: 4.0,
            aggregate: 0.6,
            head_aggregate: 0.2,
            rich_terms: 0.05,
            ..Profile::basic()
        }
    }
    /// Programs with objectives.
    pub fn optimise() -> Profile {
        Profile {
            name: "optimise",
            optimise: 1.0,
            disjunction: 0.3,
            aggregate: 0.6,
            head_aggregate: 0.2,
            ..Profile::basic()
        }
    }
    /// Everything.
    pub fn all() -> Profile {
        Profile {
            name: "all",
            conditional: 0.7,
            aggregate: 1.2,
            head_aggregate: 0.5,
            disjunction: 0.8,
            optimise: 0.25,
            show: 0.3,
            project: 0.15,
            external: 0.15,
            classical: 0.15,
            rich_terms: 0.3,
            pool: 0.2,
            arithmetic: 0.6,
            directives: 0.15,
            consequences: 0.2,
        }
    }
    /// By name.
    pub fn named(name: &str) -> Option<Profile> {
        [Self::basic(), Self::aggregates(), Self::disjunctive(), Self::optimise(), Self::all()]
            .into_iter()
            .find(|p| p.name == name)
    }
}

/// A program and the question to ask about it.
pub struct Case {
    /// The statements.
    pub statements: Vec<Tree>,
    /// The question.
    pub mode: Mode,
}

/// The case of a seed.
pub fn generate(profile: &Profile, seed: u64) -> Case {
    let mut generator = Generator {
        rng: Rng::new(seed),
        profile,
        numbers: Vec::new(),
        extras: Vec::new(),
        classical: false,
        constant: false,
        theory: false,
        fresh: 0,
        given: false,
        all_given: false,
        whole: false,
    };
    generator.program()
}

/// The variables of a rule and what is known of them.
#[derive(Clone, Debug, Default)]
struct Scope {
    variables: Vec<Variable>,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    /// Ranges over values that no rule derives.
    finite: bool,
}

struct Generator<'a> {
    rng: Rng,
    profile: &'a Profile,
    /// The integers of `dom`.
    numbers: Vec<i64>,
    /// Other terms in `dom`.
    extras: Vec<&'static str>,
    classical: bool,
    constant: bool,
    theory: bool,
    fresh: u32,
    /// Whether positive atoms are over given facts only. In conditions of heads with bounds and of disjuncts the
    /// reference system misses what depends on the same head: `{ a ; b : a } = 2.` has no answer set there.
    given: bool,
    /// Whether negative ones are, too: which instances of an external there are may depend on when its body is looked
    /// at.
    all_given: bool,
    /// Whether heads are without pools.
    whole: bool,
}

const PROPOSITIONS: [&str; 5] = ["a", "b", "c", "d", "e'"];
const UNARY: [&str; 3] = ["p", "q", "_s"];
const RELATIONS: [&str; 7] = ["<", "<=", ">", ">=", "=", "!=", "=="];

impl Generator<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u64) as usize
    }
    fn chance(&mut self, p: f64) -> bool {
        self.rng.chance(p)
    }
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
    /// An index drawn by weight.
    fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut x = self.rng.unit() * weights.iter().sum::<f64>();
        for (i, w) in weights.iter().enumerate() {
            x -= w;
            if x < 0.0 {
                return i;
            }
        }
        weights.iter().rposition(|&w| w > 0.0).unwrap_or(0)
    }
    fn variable_name(&mut self) -> String {
        self.fresh += 1;
        match self.fresh {
            1 => "X".to_owned(),
            2 => "Y".to_owned(),
            3 => "Z".to_owned(),
            4 => "_W'".to_owned(),
            n => format!("V{n}"),
        }
    }

    fn program(&mut self) -> Case {
        let profile = self.profile;
        let mut statements = Vec::new();
        self.numbers = match self.below(6) {
            0 => vec![1],
            1 => vec![0, 1],
            2 => vec![-1, 0, 1],
            3 => vec![1, 2, 3],
            _ => vec![1, 2],
        };
        if self.chance(profile.rich_terms) {
            let all = [
                "x", "y", "\"s\"", "f(1)", "f(x,2)", "(1,2)", "(x,)", "()", "#inf", "#sup", "-x", "-f(1)",
                "\"\"",
            ];
            self.extras =
                (0..1 + self.below(2)).map(|_| all[self.rng.below(all.len() as u64) as usize]).collect();
        }
        self.classical = self.chance(profile.classical);
        self.constant = self.chance(profile.directives);
        self.theory = self.chance(profile.directives * 0.4);
        if self.constant {
            let value = self.pick(&["1", "2", "1+1", "x", "(3-k2)", "f(1)"]);
            statements.push(text(format!("#const k = {value}.")));
            if value.contains("k2") {
                statements.push(text("#const k2 = 1."));
            }
        }
        if self.theory {
            statements.push(text(
                "#theory th { t { + : 1, binary, left; - : 2, unary }; &t/0 : t, {<=, >=}, t, body; &u/1 : t, any }.",
            ));
        }
        statements.extend(self.domain());
        let rules = 2 + self.below(7);
        for _ in 0..rules {
            statements.push(self.rule());
        }
        if self.chance(0.85) {
            let open = self.opener();
            statements.push(open);
        }
        let mut modes = vec![Mode::All; 6];
        if self.chance(profile.optimise) {
            for _ in 0..1 + self.below(3) {
                let objective = self.objective();
                statements.push(objective);
            }
            modes = vec![Mode::Opt, Mode::OptN, Mode::OptN, Mode::OptCore, Mode::OptEnum, Mode::OptIgnore];
        } else {
            modes.push(Mode::ProjectShow);
            if self.chance(profile.consequences) {
                modes = vec![Mode::Brave, Mode::Cautious];
            }
        }
        if self.chance(profile.project) && modes.contains(&Mode::All) {
            statements.extend(self.projection());
            modes = vec![Mode::Project];
        } else if self.chance(profile.show) {
            for _ in 0..1 + self.below(2) {
                let show = self.show();
                statements.push(show);
            }
        }
        if self.chance(profile.external) {
            let external = self.external();
            statements.push(external);
        }
        while self.chance(profile.directives) {
            let directive = self.directive();
            statements.push(directive);
        }
        // Statements may come in any order.
        for i in (1..statements.len()).rev() {
            let j = self.below(i + 1);
            statements.swap(i, j);
        }
        let mode = self.pick(&modes);
        if mode == Mode::ProjectShow {
            // Names with an underscore are not projected on by the reference system.
            statements.iter_mut().for_each(|s| s.rename("_s", "s"));
        }
        Case { statements, mode }
    }

    /// Facts: `dom/1` and `edge/2`.
    fn domain(&mut self) -> Vec<Tree> {
        let mut out = Vec::new();
        let (first, last) = (self.numbers[0], self.numbers[self.numbers.len() - 1]);
        if first < last && self.chance(0.6) {
            out.push(text(format!("dom({first}..{last}).")));
        } else if self.chance(0.3) {
            let values: Vec<Tree> = self.numbers.iter().map(|n| text(n.to_string())).collect();
            out.push(seq([text("dom("), list(";", 1, values), text(").")]));
        } else {
            out.extend(self.numbers.iter().map(|n| text(format!("dom({n})."))));
        }
        out.extend(self.extras.iter().map(|x| text(format!("dom({x})."))));
        for _ in 0..self.below(5) {
            let (x, y) = (self.constant_term(), self.constant_term());
            out.push(seq([text("edge("), x, text(","), y, text(").")]));
        }
        out
    }

    /// A term without variables.
    fn constant_term(&mut self) -> Tree {
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
    fn small(&mut self) -> Tree {
        let n = self.below(6) as i64 - 1;
        term(text(n.to_string()))
    }

    /// A constant or a variable.
    fn simple(&mut self, scope: &Scope) -> Tree {
        if !scope.variables.is_empty() && self.chance(0.75) {
            let v = self.below(scope.variables.len());
            term(text(scope.variables[v].name.clone()))
        } else {
            self.constant_term()
        }
    }

    /// Any term over the scope's variables; no pools or intervals.
    fn value(&mut self, scope: &Scope, depth: u32) -> Tree {
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
    fn compound(&mut self, scope: &Scope, depth: u32) -> Tree {
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
    fn body_argument(&mut self, scope: &Scope, positive: bool) -> Tree {
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

    /// A predicate over arguments that `argument` makes.
    fn predicate(&mut self, arguments: &mut dyn FnMut(&mut Self) -> Tree) -> Tree {
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
    fn body_atom(&mut self, scope: &Scope, positive: bool) -> Tree {
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
    fn head_atom(&mut self, scope: &Scope, guards: &mut Vec<Tree>) -> Tree {
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

    /// An atom that only disjunctions with conditions derive and only constraints read: where such a disjunction is
    /// recursive the reference system loses rules.
    fn final_atom(&mut self, scope: &Scope, pools: bool) -> Tree {
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

    /// A literal that binds a variable; whether its values are given facts.
    fn binder(&mut self, name: &str) -> (Tree, bool) {
        let tree = |s: &str| text(s.replace('#', name));
        match self.weighted(&[6.0, 1.0, 0.7, 0.5, 1.2, 0.6, 0.7, 0.4]) {
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
            _ => (tree("dom(#)"), true),
        }
    }

    /// New variables with their binders.
    fn declare(&mut self, scope: &mut Scope, count: usize, binders: &mut Vec<Tree>) {
        for _ in 0..count {
            let name = self.variable_name();
            let (binder, finite) = self.binder(&name);
            binders.push(optional(binder));
            scope.variables.push(Variable { name, finite });
        }
    }

    fn comparison(&mut self, scope: &Scope) -> Tree {
        let relation = self.pick(&RELATIONS);
        if self.chance(0.15) {
            // No operations here: with one that is undefined whatever the binding, the reference system takes the
            // negated chain as true, with one that is undefined for the binding at hand as false.
            let (left, middle, right) = (self.simple(scope), self.simple(scope), self.simple(scope));
            let second = self.pick(&RELATIONS);
            return seq([left, text(relation), middle, optional(seq([text(second), right]))]);
        }
        let left = self.value(scope, 2);
        let right = if self.chance(0.5) { self.small() } else { self.value(scope, 2) };
        seq([left, text(relation), right])
    }

    /// A literal without local variables.
    fn literal(&mut self, scope: &Scope) -> Tree {
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
    fn condition(&mut self, outer: &Scope) -> (Scope, Vec<Tree>) {
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

    fn conditional_literal(&mut self, scope: &Scope) -> Tree {
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
    fn guards(&mut self, scope: &Scope, function: &str) -> (Tree, Tree) {
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

    fn function(&mut self) -> &'static str {
        self.pick(&["#count", "#sum", "#sum", "#sum", "#sum+", "#min", "#max"])
    }

    /// The terms before the colon of an aggregate element.
    fn tuple(&mut self, scope: &Scope, function: &str) -> Tree {
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
            // With negative weights or bounds the reference system follows no one rule.
            terms[0] = term(text(self.below(4).to_string()));
        }
        for _ in 0..self.weighted(&[3.0, 2.0, 0.5]) {
            let t = self.value(scope, 1);
            terms.push(t);
        }
        list(",", 1, terms)
    }

    fn aggregate_elements(&mut self, scope: &Scope, function: &str) -> Tree {
        let mut elements = Vec::new();
        for _ in 0..1 + self.below(3) {
            let (inner, condition) = self.condition(scope);
            let tuple = self.tuple(&inner, function);
            elements.push(seq([tuple, text(" : "), list(", ", 0, condition)]));
        }
        list(" ; ", 0, elements)
    }

    /// A body aggregate without assignment.
    fn aggregate(&mut self, scope: &Scope) -> Tree {
        let sign = match self.weighted(&[6.0, 2.0, 1.0]) {
            0 => text(""),
            1 => optional(text("not ")),
            _ => optional(text("not not ")),
        };
        if self.chance(0.25) {
            let mut elements = Vec::new();
            for _ in 0..1 + self.below(3) {
                let (inner, condition) = self.condition(scope);
                // No negated comparisons: their alternatives are one element in the reference system.
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
    fn assignment(&mut self, scope: &mut Scope, body: &mut Vec<Tree>) {
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

    /// A theory atom. Its conditions are plain: in them the reference system treats what is undefined in its own way.
    fn theory_atom(&mut self, scope: &Scope) -> Tree {
        let condition = self.pick(&["dom(U)", "dom(U), p(U)", "q(U)", "U = 1..2, not a"]);
        let x = self.simple(scope);
        if self.chance(0.5) {
            seq([text("&t { U"), optional(seq([text(","), x])), text(format!(" : {condition} }} >= 1"))])
        } else {
            seq([text("&u("), x, text(format!(") {{ U : {condition} }}"))])
        }
    }

    /// The body of a rule: its scope and its elements.
    fn body(&mut self, most_variables: usize, least: usize) -> (Scope, Vec<Tree>) {
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
        // For which values of an aggregate there are instances is another matter, and theory atoms are free in each.
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

    fn finish(head: Tree, body: Vec<Tree>) -> Tree {
        if body.is_empty() {
            seq([head, text(".")])
        } else {
            seq([head, text(" :- "), list("; ", 0, body), text(".")])
        }
    }

    fn rule(&mut self) -> Tree {
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
        // A theory atom is free, and doubles the answer sets, as long as a rule with it is left: so it gets one that
        // no simplification removes.
        let head = if body.iter().any(|b| b.to_string().contains('&')) { text("{ t }") } else { head };
        Self::finish(head, body)
    }

    /// A rule that makes something free.
    fn opener(&mut self) -> Tree {
        match self.below(4) {
            0 => text("{ a; b; c }."),
            1 => text("{ p(X) : dom(X) }."),
            2 => text("{ q(X) } :- dom(X)."),
            _ => text("{ a }. { p(X) : dom(X) } :- a."),
        }
    }

    fn choice(&mut self, scope: &Scope, guards: &mut Vec<Tree>) -> Tree {
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

    fn disjunction(&mut self, scope: &Scope, guards: &mut Vec<Tree>) -> Tree {
        let separator = self.pick(&["; ", " | "]);
        let mut elements = Vec::new();
        let conditional = self.chance(0.3);
        // The reference system loses recursive rules with pools in disjunctive heads, and with conditions.
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

    fn head_aggregate(&mut self, scope: &Scope, guards: &mut Vec<Tree>) -> Tree {
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

    fn objective(&mut self) -> Tree {
        let maximize = self.chance(0.3);
        if self.chance(0.4) {
            let (scope, body) = self.body(2, 1);
            let w = if self.chance(0.5) { self.small() } else { self.value(&scope, 1) };
            let at = if self.chance(0.4) { self.small() } else { text("0") };
            let mut terms = Vec::new();
            for _ in 0..self.below(3) {
                let t = self.value(&scope, 1);
                terms.push(seq([text(","), t]));
            }
            return seq([
                text(":~ "),
                list("; ", 0, body),
                text(". ["),
                w,
                optional(seq([text("@"), at])),
                list("", 0, terms),
                text("]"),
            ]);
        }
        self.fresh = 0;
        let mut elements = Vec::new();
        for _ in 0..1 + self.below(3) {
            let (scope, condition) = self.condition(&Scope::default());
            let w = if self.chance(0.5) { self.small() } else { self.value(&scope, 1) };
            let at = if self.chance(0.4) { optional(seq([text("@"), self.small()])) } else { text("") };
            let mut terms = Vec::new();
            for _ in 0..self.below(3) {
                let t = self.value(&scope, 1);
                terms.push(seq([text(","), t]));
            }
            elements.push(seq([w, at, list("", 0, terms), text(" : "), list(", ", 0, condition)]));
        }
        let word = if maximize { "#maximize { " } else { "#minimize { " };
        seq([text(word), list(" ; ", 0, elements), text(" }.")])
    }

    fn signature(&mut self) -> String {
        let minus = if self.classical && self.chance(0.3) { "-" } else { "" };
        let signature = self.pick(&["a/0", "b/0", "c/0", "p/1", "q/1", "_s/1", "r/2", "dom/1", "none/3"]);
        format!("{minus}{signature}")
    }

    fn show(&mut self) -> Tree {
        match self.below(8) {
            0 => text("#show."),
            1..4 => text(format!("#show {}.", self.signature())),
            _ => {
                let (scope, body) = self.body(2, 1);
                let t = self.value(&scope, 2);
                seq([text("#show "), t, text(" : "), list("; ", 0, body), text(".")])
            }
        }
    }

    /// `#project` and `#show` for the same signatures.
    fn projection(&mut self) -> Vec<Tree> {
        let mut out = Vec::new();
        for _ in 0..1 + self.below(3) {
            let signature = self.signature();
            out.push(seq([text(format!("#project {signature}. ")), text(format!("#show {signature}."))]));
        }
        out
    }

    /// An external atom that no rule derives: whether one that has rules, all of which go away in grounding, is still
    /// external is another matter.
    fn external(&mut self) -> Tree {
        (self.given, self.all_given) = (true, true);
        let (scope, body) = self.body(1, 0);
        (self.given, self.all_given) = (false, false);
        let atom = if self.chance(0.4) {
            text("x")
        } else {
            let t = self.value(&scope, 1);
            seq([text("x("), t, text(")")])
        };
        let value = self.pick(&["", "[true]", "[false]", "[free]", "[release]"]);
        seq([text("#external "), atom, text(" : "), list("; ", 0, body), text(". "), optional(text(value))])
    }

    fn directive(&mut self) -> Tree {
        match self.below(6) {
            0 => text(self.pick(&[
                "#edge (X,Y) : r(X,Y).",
                "#edge (1,2) : a. #edge (2,1) : b.",
                "#edge (X,X+1;X+1,X) : p(X).",
            ])),
            1 => text(self.pick(&[
                "#heuristic a. [1@2,true]",
                "#heuristic p(X) : dom(X). [X,level]",
                "#heuristic q(X) : dom(X), not a. [2,sign]",
            ])),
            2 => text(format!("#defined {}.", self.signature())),
            3 => text(self.pick(&["% a :- b.", "%* a. %* b. *% c. *%"])),
            4 => text("#program base."),
            _ => text("a(1) :- #false. % no news"),
        }
    }
}
