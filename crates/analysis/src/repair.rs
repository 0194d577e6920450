//! The edits of `asp check --fix`: the advice of messages on text that cannot be read, or is misread.
//!
//! Invariant: an edit is kept only if afterwards its message is gone, no message before its end is new, and no head has
//! become one of several alternatives.

use crate::fix::{Edit, fixes};
use asp_base::diagnostic::{Diagnostic, Severity, WarningKind};
use asp_format::parse_alone;

/// How many edits are made at most.
const MAX_EDITS: usize = 1000;

/// A text with all that could be repaired, and what was done, each with its line.
pub fn repair(text: &str) -> (String, Vec<(usize, String)>) {
    let (mut text, mut done) = (text.to_string(), Vec::new());
    let mut at = 0;
    while done.len() < MAX_EDITS {
        let steps = steps(&text);
        let Some(step) = steps.get(at) else { break };
        let better = step.fixes.iter().find_map(|(title, edit)| {
            let mut next = text.clone();
            next.replace_range(edit.range.clone(), &edit.text);
            let after = self::steps(&next).get(at).map(|s| s.place);
            let passed = step.place.max(edit.range.start + edit.text.len());
            let is_better = after.is_none_or(|place| place > passed) && joined(&next) <= joined(&text);
            is_better.then_some((title, edit.range.start, next))
        });
        match better {
            Some((title, place, next)) => {
                done.push((text[..place].matches('\n').count() + 1, title.clone()));
                text = next;
            }
            None => at += 1,
        }
    }
    (text, done)
}

/// How many heads seem to be joined that are alternatives.
fn joined(text: &str) -> usize {
    let is_joined = |d: &&Diagnostic| d.kind == Some(WarningKind::Lint("head-conjunction"));
    parse_alone("", text.as_bytes()).parsed.diagnostics.iter().filter(is_joined).count()
}

/// A message and the ways to follow it.
struct Step {
    place: usize,
    fixes: Vec<(String, Edit)>,
}

/// The messages that leave no doubt, by their places.
fn steps(text: &str) -> Vec<Step> {
    let alone = parse_alone("", text.as_bytes());
    let start = alone.sources.files().first().map_or(0, |f| f.start);
    let is_clear = |d: &&Diagnostic| {
        let lint = matches!(d.kind, Some(WarningKind::Lint("missing-period" | "head-condition")));
        d.severity == Severity::Error || lint
    };
    let step = |d: &Diagnostic| {
        let place = d.labels.first()?.span.lo.saturating_sub(start) as usize;
        let fixes = fixes(d, &alone.sources, text, start).into_iter().map(|f| (f.title, f.edit));
        Some(Step { place, fixes: fixes.collect() })
    };
    let mut steps: Vec<Step> = alone.parsed.diagnostics.iter().filter(is_clear).filter_map(step).collect();
    steps.sort_by_key(|s| s.place);
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, wanted: &str) {
        assert_eq!(repair(text).0, wanted);
        // What is whole stays.
        assert_eq!(repair(wanted).0, wanted);
    }

    #[test]
    fn periods() {
        check("q(1..3)\n:- q(3).", "q(1..3).\n:- q(3).");
        check("q(1..3)\n{ p(X) : q(X) }.", "q(1..3).\n{ p(X) : q(X) }.");
        check("a :- b\n:- c.", "a :- b.\n:- c.");
        check("a :- b\nc :- d.", "a :- b.\nc :- d.");
        check("a :- b,\nc :- d.", "a :- b.\nc :- d.");
        check("a :- b,\n#show a/0.", "a :- b.\n#show a/0.");
        check("{ a }\n1 { b } 1.\nc", "{ a }.\n1 { b } 1.\nc.");
        check("p(1)\nq(2).\nr(3)\n:- p(X), q(X).", "p(1).\nq(2).\nr(3).\n:- p(X), q(X).");
        check("x(X) :- p(X), X < 3\n-c(2).", "x(X) :- p(X), X < 3.\n-c(2).");
    }

    #[test]
    fn separators() {
        check("q(X) :- p(X) X > 1.", "q(X) :- p(X), X > 1.");
        check("{ a(1) b(2) }.", "{ a(1); b(2) }.");
        check("road(a,b) road(b,c). road(c,d).", "road(a,b). road(b,c). road(c,d).");
        check("being(farmer) being(X) :- thing(X).", "being(farmer). being(X) :- thing(X).");
        check("link(X,Y) road(X,Y).", "link(X,Y) :- road(X,Y).");
        check("{ station(T) town(T) }.", "{ station(T) : town(T) }.");
        check("#minimize { 1,T station(T) }.", "#minimize { 1,T : station(T) }.");
        check("n(N) :- N = #count { G sits(G,S) }.", "n(N) :- N = #count { G : sits(G,S) }.");
        check("a :- b(X) c :- d(X).", "a :- b(X) c :- d(X).");
        check("a :- b(R C).", "a :- b(R, C).");
        check("#const limit 15.", "#const limit = 15.");
        check("q(1).\n&sum { x } <= 3\n&sum { x } >= 1.", "q(1).\n&sum { x } <= 3.\n&sum { x } >= 1.");
        check("r(1)\n-q(3).", "r(1).\n-q(3).");
        check("q :- r(1)\n&sum { x } >= 1.", "q :- r(1).\n&sum { x } >= 1.");
        check("a :- b\n   c.", "a :- b,\n   c.");
    }

    #[test]
    fn brackets_and_bodies() {
        check("1 { p(X) : q(X) } 1 : r(Y).", "1 { p(X) : q(X) } 1 :- r(Y).");
        check("a :- b, no c.", "a :- b, not c.");
        check("cell(R,C) : R=1..3, C=1..3.", "cell(R,C) :- R=1..3, C=1..3.");
        check(":~ take(X) [X].", ":~ take(X). [X]");
        check(":~ take(X)\n  [X@2,X].", ":~ take(X). [X@2,X]");
        check("#minimize [ X : take(X) ].", "#minimize { X : take(X) }.");
        check("#cosnt n = 3. a := b. P(1).", "#const n = 3. a :- b. p(1).");
    }

    #[test]
    fn what_cannot_be_repaired_stays() {
        check("a :- (b. c.", "a :- (b. c.");
        // Two arguments, or a name of two words.
        check("q :- p(a b).", "q :- p(a b).");
        for text in [
            "#minimize [ take(X) = X ].",
            "last(M) :- M = #max { at(_,S,_) : S }.",
            "guest('Ann Smith').",
            "guest(Ann Smith).",
            "#define limit 15.",
            "sat x(1), y(1).",
            "show (X,P) : city(X,P).",
            "p(R,C((R-1)/3)) :- q(R).",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn no_text_becomes_a_comment() {
        let after = "q(Y) :- p(X), Y = X/2, Y > 0.\nr :- q(1).";
        check("q(Y) :- p(X), Y = X//2, Y > 0.\nr :- q(1).", after);
        check("half(X,X//2) :- p(X).\nr(1).", "half(X,X/2) :- p(X).\nr(1).");
        check("p(1). // all of it\nq.", "p(1). % all of it\nq.");
        check("a :- b, // and so on\n  c.", "a :- b, % and so on\n  c.");
    }

    #[test]
    fn what_is_meant_stays() {
        for text in [
            "path(X,Y)\n:- edge(X,Y).\ngoal\n:- path(1,2).",
            "{ a(X) : b(X,Y) }\n:- c(Y).",
            "goal\n  :- path(1,2).",
            "a(X) : b(X) :- c.",
            "a(X) : b(X) ; c.",
            "1 <=\n{ a }.",
            "p(1,\n-q).",
            "a :- X =\n-b(X).",
        ] {
            check(text, text);
        }
    }
}
