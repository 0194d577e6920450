//! The words that begin with `#`: their purpose and syntax.

/// Word, what it is for, and an example.
pub(super) const DIRECTIVES: &[(&str, &str, &str)] = &[
    ("#show", "Shows these atoms or terms, and no others.", "#show p/2.\n#show X : p(X,_)."),
    ("#const", "Gives a constant a value, unless the command line does.", "#const n = 4."),
    ("#include", "Reads another text here.", "#include \"grid.lp\"."),
    ("#defined", "Says that a predicate may be without a rule.", "#defined edge/2."),
    ("#program", "Begins a program part.", "#program step(t)."),
    ("#external", "Atoms that are false until somebody outside makes them true.", "#external p(X) : q(X)."),
    ("#minimize", "Prefers answer sets with the least sum.", "#minimize { C@1,X : cost(X,C) }."),
    ("#maximize", "Prefers answer sets with the greatest sum.", "#maximize { V@1,X : value(X,V) }."),
    ("#heuristic", "Tells the search what to try first.", "#heuristic p(X) : q(X). [1@1,true]"),
    ("#project", "Answer sets that agree on these atoms count once.", "#project p/1."),
    ("#edge", "The graph of these edges has no cycle.", "#edge (X,Y) : next(X,Y)."),
    ("#theory", "Declares theory atoms.", "#theory t { term { + : 1, binary, left }; &a/0 : term, any }."),
    ("#script", "A script, which is not run.", "#script (python) #end."),
    ("#count", "The number of different tuples.", "#count { X : p(X) } <= 2"),
    ("#sum", "The sum of the first terms of different tuples.", "#sum { W,X : p(X,W) } >= 3"),
    ("#sum+", "The same without negative weights.", "#sum+ { W,X : p(X,W) } >= 3"),
    ("#min", "The least of the first terms.", "M = #min { X : p(X) }"),
    ("#max", "The greatest of the first terms.", "M = #max { X : p(X) }"),
    ("#distinct", "All of these terms have different values.", "#distinct { $v(X) : p(X) }."),
    (
        "#disjoint",
        "Intervals, each with its start and its length, do not overlap.",
        "#disjoint { $start(J)@D : job(J,D) }.",
    ),
    (
        "#cumulative",
        "At no time do intervals need more than this: each has a start, a length and what it needs.",
        "#cumulative { $start(J)@D,R : job(J,D,R) } <= 5.",
    ),
    ("#true", "It always holds.", "#true"),
    ("#false", "It never holds.", "#false"),
    ("#inf", "The least term.", "#inf"),
    ("#sup", "The greatest term.", "#sup"),
];

/// The purpose of a word, and an example.
pub(super) fn find(word: &str) -> Option<(&'static str, &'static str)> {
    let word = match word {
        "#minimise" => "#minimize",
        "#maximise" => "#maximize",
        "#infimum" => "#inf",
        "#supremum" => "#sup",
        word => word,
    };
    DIRECTIVES.iter().find(|d| d.0 == word).map(|d| (d.1, d.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_described() {
        for word in asp_syntax::token::words() {
            assert!(find(word).is_some(), "{word}");
        }
    }
}
