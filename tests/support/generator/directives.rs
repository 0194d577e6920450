//! Random objectives and directives.

use super::super::tree::{Tree, list, optional, seq, text};
use super::{Generator, PROPOSITIONS, Scope, UNARY};

/// Conditions that bind what they use.
const CONDITIONS: [&str; 5] = ["dom(Y)", "dom(Y), Y < 2", "p(Y)", "a", "not a"];

impl Generator<'_> {
    pub(super) fn objective(&mut self) -> Tree {
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

    pub(super) fn signature(&mut self) -> String {
        let minus = if self.classical && self.chance(0.3) { "-" } else { "" };
        let signature = self.pick(&["a/0", "b/0", "c/0", "p/1", "q/1", "_s/1", "r/2", "dom/1", "none/3"]);
        format!("{minus}{signature}")
    }

    pub(super) fn show(&mut self) -> Tree {
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
    pub(super) fn projection(&mut self) -> Vec<Tree> {
        let mut out = Vec::new();
        for _ in 0..1 + self.below(3) {
            let signature = self.signature();
            out.push(seq([text(format!("#project {signature}. ")), text(format!("#show {signature}."))]));
        }
        out
    }

    /// External atoms, of which some have rules, also such as need the atom itself or one that cannot hold. Their bodies are over
    /// given facts unless the profile says otherwise.
    pub(super) fn external(&mut self) -> Vec<Tree> {
        let given = !self.profile.derived_externals;
        (self.given, self.all_given) = (given, given);
        let (scope, body) = self.body(1, usize::from(!given));
        (self.given, self.all_given) = (false, false);
        let atom = if given && self.negated || self.chance(0.3) {
            text("x")
        } else if self.chance(0.4) {
            text(self.pick(&PROPOSITIONS))
        } else if self.chance(0.5) {
            let t = self.value(&scope, 1);
            seq([text(self.pick(&UNARY)), text("("), t, text(")")])
        } else {
            let t = self.value(&scope, 1);
            seq([text("x("), t, text(")")])
        };
        let value = self.pick(&["", "[true]", "[false]", "[free]", "[release]"]);
        let body = list("; ", 0, body);
        let rule = |start: &[Tree]| seq(start.iter().chain(&[body.clone(), text(".")]).cloned());
        let own = match if given { 0 } else { self.below(9) } {
            4 => vec![rule(&[atom.clone(), text(" :- "), atom.clone(), text(", ")])],
            5 => vec![
                seq([text("w :- "), body.clone(), text(", not w.")]),
                rule(&[atom.clone(), text(" :- w, ")]),
            ],
            // clasp drops a rule whose body contradicts itself, but not where an atom of the grounder's hides that.
            6 => {
                let condition = text(format!(" : {}; ", self.pick(&CONDITIONS)));
                vec![rule(&[atom.clone(), text(" :- not "), atom.clone(), condition])]
            }
            7 => {
                let other = self.pick(&PROPOSITIONS);
                let start = text(format!(" :- not {other}, 1 <= #sum {{ 1 : {other} }}, "));
                vec![rule(&[atom.clone(), start])]
            }
            8 => {
                let condition = text(format!(" : {} :- not ", self.pick(&CONDITIONS)));
                vec![rule(&[atom.clone(), condition, atom.clone(), text("; ")])]
            }
            _ => Vec::new(),
        };
        let statement = seq([text("#external "), atom, text(" : "), body, text(". "), optional(text(value))]);
        own.into_iter().chain([statement]).collect()
    }

    pub(super) fn directive(&mut self) -> Tree {
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
