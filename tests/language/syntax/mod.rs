//! Tests of the parser as text to text. `accepted.txt` and `rejected.txt` have one input per line that clingo 5.8.3
//! accepts or rejects, as we must.

use std::collections::BTreeMap;

use asp::message::Diagnostic;
use asp_base::span::Sources;
use asp_base::symbol::Symbols;
use asp_report::diagnostic::render;
use asp_syntax::{Input, Loader, MAX_ERRORS, NoFiles, parse, print};

/// Texts by name.
#[derive(Default)]
struct Texts(BTreeMap<String, String>);

impl Loader for Texts {
    fn resolve(&mut self, path: &str, _: &str) -> Option<String> {
        self.0.contains_key(path).then(|| path.to_string())
    }
    fn identity(&mut self, name: &str) -> Option<String> {
        Some(name.to_string())
    }
    fn read(&mut self, name: &str) -> Result<Vec<u8>, String> {
        self.0.get(name).map(|t| t.clone().into_bytes()).ok_or_else(|| "no such text".into())
    }
}

struct Outcome {
    printed: String,
    diagnostics: Vec<Diagnostic>,
    messages: String,
}

fn run(name: &str, bytes: &[u8], texts: Texts) -> Outcome {
    let (mut symbols, mut sources, mut texts) = (Symbols::new(), Sources::new(), texts);
    let parsed = parse(vec![Input::new(name, bytes)], &mut symbols, &mut sources, &mut texts);
    Outcome {
        printed: print::program(&parsed.program, &symbols),
        messages: {
            // Lints are reported only on request.
            let is_lint = |d: &&Diagnostic| matches!(d.kind, Some(asp::message::WarningKind::Lint(_)));
            let told = parsed.diagnostics.iter().filter(|d| !is_lint(d));
            told.map(|d| render(d, &sources, false)).collect()
        },
        diagnostics: parsed.diagnostics,
    }
}

fn run_text(text: &str) -> Outcome {
    run("t.lp", text.as_bytes(), Texts::default())
}

/// Parses, prints, and parses and prints what was printed.
#[track_caller]
fn check(input: &str, expected: &str) {
    let first = run_text(input);
    assert_eq!(first.messages, "", "{input}");
    assert_eq!(first.printed.trim_end(), expected);
    let again = run_text(&first.printed);
    assert_eq!(again.messages, "", "{}", first.printed);
    assert_eq!(again.printed, first.printed);
}

/// Terms as people write them have the parentheses that they need, and no others.
#[test]
fn plain_terms() {
    let operators = ["+", "-", "*", "/", "\\", "**", "&", "?", "^"];
    let mut terms: Vec<String> = ["X", "-1", "f(X+1)", "-X", "~X", "|X-1|"].map(String::from).to_vec();
    let leaves = terms.clone();
    for operator in operators {
        terms.extend(leaves.iter().take(3).map(|a| format!("({a}{operator}2)")));
    }
    let simple = terms.clone();
    for operator in operators {
        for (a, b) in simple.iter().flat_map(|a| simple.iter().map(move |b| (a, b))) {
            terms.push(format!("({a}{operator}{b})"));
        }
    }
    terms.extend(simple.iter().map(|t| format!("-{t}")));
    let read = |term: &str| {
        let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
        let text = format!("p({term}) :- q(X), r(X..{term}).");
        let parsed = parse(vec![Input::new("t.lp", text)], &mut symbols, &mut sources, &mut NoFiles);
        assert!(parsed.diagnostics.is_empty(), "{term}");
        let full = print::program(&parsed.program, &symbols);
        let mut plain = String::new();
        parsed.program.statements[0].kind.each_term(&mut |t| {
            if plain.is_empty() {
                plain = print::plain_term(t, &symbols);
            }
        });
        (full, plain)
    };
    for term in &terms {
        let (full, plain) = read(term);
        assert_eq!(read(&plain).0, full, "{term} {plain}");
        // Without any one pair of parentheses it is another term.
        for (open, close) in pairs(&plain) {
            let without = [&plain[..open], &plain[open + 1..close], &plain[close + 1..]].concat();
            assert_ne!(read(&without).0, full, "{plain} {without}");
        }
    }
    assert_eq!(read("((2*X)+1)").1, "2*X+1");
    assert_eq!(read("(2*(X+1))-(3-X)").1, "2*(X+1)-(3-X)");
}

/// Parentheses around operations, which stand behind no name.
fn pairs(term: &str) -> Vec<(usize, usize)> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for (i, c) in term.char_indices() {
        match c {
            '(' => open.push(i),
            ')' => found.extend(open.pop().map(|open| (open, i))),
            _ => {}
        }
    }
    found.retain(|&(open, _)| !term[..open].ends_with('f'));
    found
}

#[track_caller]
fn check_error(input: &str, expected: &str) {
    assert_eq!(run_text(input).messages.trim_end(), expected.trim_matches('\n'), "{input}");
}

#[track_caller]
fn check_message(input: &str, expected: &str) {
    let got: Vec<String> = run_text(input).diagnostics.into_iter().map(|d| d.message).collect();
    assert_eq!(got, [expected], "{input}");
}

#[test]
fn accepted_as_by_clingo() {
    for line in include_str!("accepted.txt").lines() {
        let first = run_text(line);
        assert_eq!(first.messages, "", "{line}");
        let again = run_text(&first.printed);
        assert_eq!(again.messages, "", "{line} as {}", first.printed);
        let sorted = |s: &str| {
            let mut lines: Vec<String> = s.lines().map(str::to_string).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&again.printed), sorted(&first.printed), "{line}");
    }
}

#[test]
fn rejected_as_by_clingo() {
    for line in include_str!("rejected.txt").lines() {
        assert!(!run_text(line).diagnostics.is_empty(), "accepted: {line}");
    }
}

#[test]
fn terms() {
    check("p(0x1F,0o17,0b101,12,0).", "p(31,15,5,12,0).");
    check("p(-5**2+X) :- q.", "p(((-5**2)+X)) :- q.");
    check("p(2**3**2, 1..2+3, ~1&2, |X-1|) :- q(X).", "p((2**(3**2)),(1..(2+3)),(~1&2),|(X-1)|) :- q(X).");
    check("p(1^2?3&4+5*6**7).", "p((1^(2?(3&(4+(5*(6**7))))))).");
    check("p(1-2-3, 1/2*3\\4, 1..2..3).", "p(((1-2)-3),(((1/2)*3)\\4),((1..2)..3)).");
    check("p((1;2),(1,2;3),(1,;3),(;),(),(,)).", "p((1;2),((1,2);3),((1,);3),(();()),(),()).");
    check("p(1;2,3). p(;). p(a;).", "p(1;2,3).\np(;).\np(a;).");
    check("p(X,_) :- @f(X;1,Y) = 1, @g = X.", "p(X,_) :- @f(X;1,Y) = 1; @g = X.");
    check("p(|1;X|) :- ||X|-1| = 1.", "p(|1;X|) :- |(|X|-1)| = 1.");
    check("p(#infimum,#sup,\"a\\n\\\"\\\\\").", "p(#inf,#sup,\"a\\n\\\"\\\\\").");
    check("p(_a',__b,'c,_X') :- a(_X').", "p(_a',__b,'c,_X') :- a(_X').");
}

#[test]
fn facts_are_symbols() {
    let text = "p(1,\"a\",b,f(c,-2),(),(1,),((3)),(1,2,)). -q. -r(g()). p(1..2). s(#sup).";
    let (mut symbols, mut sources) = (Symbols::new(), Sources::new());
    let parsed = parse(vec![Input::new("t", text)], &mut symbols, &mut sources, &mut NoFiles);
    let facts: Vec<String> = parsed.program.facts.iter().map(|f| symbols.display(f.atom)).collect();
    assert_eq!(facts, ["p(1,\"a\",b,f(c,-2),(),(1,),3,(1,2))", "-q", "-r(g)", "s(#sup)"]);
    assert_eq!(parsed.program.statements.len(), 1);
    let mut names: Vec<&str> = parsed.program.fact_constants.iter().map(|&n| symbols.str(n)).collect();
    names.sort();
    assert_eq!(names, ["b", "c", "g"]);
    assert_eq!(sources.text(parsed.program.facts[1].span), "-q.");
}

#[test]
fn program_parts() {
    check(
        "a. #program p(t). a(t). b. #program q. c. #program base. d.",
        "a.\n#program q.\nc.\n#program base.\nd.\n#program p(t).\na(t).\nb.",
    );
}

#[test]
fn rules() {
    check("a :- b, not c; not not -d, #true.", "a :- b; not c; not not -d; #true.");
    check("a|b , c : d, e ; f : .", "a; b; c : d, e; f.");
    check(":- . :- a.", "#false.\n#false :- a.");
    check("a :- b : c, d ; e : ; f.", "a :- b : c, d; e:; f.");
    check("not a. not not b :- c.", "not a.\nnot not b :- c.");
    check("1 < X <= Y != Z :- p(X,Y,Z), not X == Y.", "1 < X <= Y != Z :- p(X,Y,Z); not X = Y.");
    check("-a(1) = b. a||b|=1.", "-a(1) = b.\na; |b| = 1.");
    check("1 { a; b : c, not d } 2.", "1 <= { a; b : c, not d } <= 2.");
    check("{a} = 1. X {a} :- X = 1.", "{ a } = 1.\nX <= { a } :- X = 1.");
    check("1 #sum+ { 1,a : b : c; : d } < 3.", "1 <= #sum+ { 1,a : b : c;  : d } < 3.");
    check(
        "a :- not 1 #count { X,Y : p(X), q(Y); : } 2, {a;b:c} 3.",
        "a :- not 1 <= #count { X,Y : p(X), q(Y); : } <= 2; { a; b : c } <= 3.",
    );
    check("a :- X = #min{1}, #max{} != 3.", "a :- X = #min { 1 }; #max { } != 3.");
}

#[test]
fn statements() {
    check(":~ a, b. [1@2,c] :~ c. [X]", ":~ a; b. [1@2,c]\n:~ c. [X]");
    check(
        "#minimize { 1@2,3 : a, b; 4 }. #maximise { W,X : p(W,X) }.",
        ":~ a; b. [1@2,3]\n:~ . [4]\n#maximize { W,X : p(W,X) }.",
    );
    check(
        "#show. #show a/1. #show - a / 1. #show a/1 : b. #show (a/1). #show X/2 : p(X).",
        "#show.\n#show a/1.\n#show -a/1.\n#show (a/1) : b.\n#show (a/1).\n#show (X/2) : p(X).",
    );
    check(
        "#project a/1. #project a(X) : p(X). #defined -a/2.",
        "#project a/1.\n#project a(X) : p(X).\n#defined -a/2.",
    );
    check("#external a. b. #external c : d. [true] e.", "b.\ne.\n#external a.\n#external c : d. [true]");
    check(
        "#heuristic a : b. [1@2,sign] #edge (1,X;2,3) : p(X).",
        "#heuristic a : b. [1@2,sign]\n#edge (1,X;2,3) : p(X).",
    );
    check("#const n = 3. #const m = n+1. [override]", "#const n = 3.\n#const m = (n+1). [override]");
    check("#script (lua) x = \"1.\" %* #end. a.", "a.\n#script (lua) #end.");
    check("#include <incmode>. a.", "a.\n#include <incmode>.");
    check("a. b(1)? % the query", "a.\nb(1)?");
    check("a :- b ? 3 = 1.", "a :- (b?3) = 1.");
}

#[test]
fn theories() {
    check("&diff { a - b } <= 3.", "&diff { a - b } <= 3.");
    check(
        "a :- &sum(X) { x; -y : p, X = 1; : q } >= -2 + z, b.",
        "a :- &sum(X) { x; - y : p, X = 1;  : q } >= - 2 + z; b.",
    );
    check(
        "a :- not &t, &u{f(1,g),[a,b],{},(a,),(),(a)}.",
        "a :- not &t { }; &u { f(1,g),[a,b],{},(a,),(),a }.",
    );
    check("&a { a - (b + c) - - d; not x, 1..2 }.", "&a { a - (b + c) - - d; not x,1 .. 2 }.");
    check("&a{a;-b}.", "&a { a ;- b }.");
    check(
        "#theory t { x { - : 1, unary; + : 2, binary, left }; &a/1 : x, { <=, >= }, x, any; &b/0 : x, directive }.",
        "#theory t { x { - : 1, unary; + : 2, binary, left }; &a/1 : x, { <=, >= }, x, any; &b/0 : x, directive }.",
    );
}

#[test]
fn comments_and_blanks() {
    check("%* a %* b *% . *% a. % b.\n%\nc.%* x\n*%", "a.\nc.");
    check("\u{feff}a.\r\nb :- a.\r\n", "a.\nb :- a.");
    check("", "");
    check("% only a comment", "");
}

#[test]
fn bytes_that_are_not_utf8() {
    let in_comment = run("t.lp", b"a. % \xfc\n", Texts::default());
    assert_eq!((in_comment.printed.as_str(), in_comment.messages.as_str()), ("a.\n", ""));
    for bytes in [&b"a.\np(\"\xfc\")."[..], b"a.\nb :- c\xff."] {
        let bad = run("t.lp", bytes, Texts::default());
        assert!(bad.messages.contains("the text is not UTF-8 here\n --> t.lp:2:"), "{}", bad.messages);
    }
}

#[test]
fn includes() {
    let texts = || {
        let texts = [("b.lp", "b. #include \"c.lp\"."), ("c.lp", "#program x(t). c(t). #include \"b.lp\".")];
        Texts(texts.map(|(n, t)| (n.to_string(), t.to_string())).into())
    };
    let outcome = run("a.lp", b"#program y. #include \"b.lp\". a.", texts());
    assert_eq!(outcome.printed, "#program y.\nb.\n#program base.\na.\n#program x(t).\nc(t).\n");
    assert_eq!(outcome.diagnostics.len(), 1);
    assert_eq!(outcome.diagnostics[0].message, "file `b.lp` is already included");
    check_error(
        "a. #include \"nope.lp\". b.",
        r#"
error: file `nope.lp` not found
 --> t.lp:1:4
  |
1 | a. #include "nope.lp". b.
  |    ^^^^^^^^^^^^^^^^^^^
  |
  = help: it was looked for in the working folder
"#,
    );
    check_message("#include <nope>.", "there is no built-in file <nope>");
}

#[test]
fn messages() {
    check_error(
        "a :- b(X, c(Y), d.",
        "
error: syntax error: expected `)`, `,` or `;`, found `.`
 --> t.lp:1:18
  |
1 | a :- b(X, c(Y), d.
  |       -          ^
  |       |
  |       this parenthesis is still open
",
    );
    check_error(
        "edge(1,2)\nedge(2,3).",
        "
error: syntax error: expected `,`, `;`, `:`, `:-` or `.`, found `edge`
 --> t.lp:2:1
  |
1 | edge(1,2)
  |          - perhaps a `.` is missing here
2 | edge(2,3).
  | ^^^^
",
    );
    check_error(
        "#show p/1\n#const n = 3.",
        "
error: syntax error: expected `:` or `.`, found `#const`
 --> t.lp:2:1
  |
1 | #show p/1
  |          - perhaps a `.` is missing here
2 | #const n = 3.
  | ^^^^^^
",
    );
    check_error(
        "x :- a =< b.",
        "
error: syntax error: expected a term, found `<`
 --> t.lp:1:9
  |
1 | x :- a =< b.
  |         ^
  |
  = help: \"at most\" is written `<=`
",
    );
    check_error(
        "Edge(1,2) :- a.",
        "
error: syntax error: expected `,`, `;`, `:`, `:-` or `.`, found `(`
 --> t.lp:1:5
  |
1 | Edge(1,2) :- a.
  |     ^
  |
  = help: names of predicates and functions start with a lower-case letter: `edge(`
",
    );
    check_error(
        "a :- X+1, b.",
        "
error: expected an atom or a comparison, found a term
 --> t.lp:1:6
  |
1 | a :- X+1, b.
  |      ^^^ this is neither true nor false
  |
  = help: compare the term with another one, as in `X+1 = Y`
",
    );
    check_error(
        "p(99999999999999999999).",
        "
error: this integer does not fit 64 bits
 --> t.lp:1:3
  |
1 | p(99999999999999999999).
  |   ^^^^^^^^^^^^^^^^^^^^ the largest is 9223372036854775807
",
    );
    check_error(
        "p(\"a\\tb\").",
        r#"
error: unknown escape `\t` in a string
 --> t.lp:1:5
  |
1 | p("a\tb").
  |     ^^
  |
  = help: a string may contain `\n`, `\"` and `\\`; a backslash itself is written `\\`
"#,
    );
    check_error(
        "#shw a/1.",
        "
error: `#shw` is not known
 --> t.lp:1:1
  |
1 | #shw a/1.
  | ^^^^
  |
  = help: did you mean `#show`?
",
    );
}

#[test]
fn messages_in_one_line() {
    check_message("y := b.", "syntax error: expected a literal, `;`, `:-` or `.`, found `=`");
    check_message("z :- #count X : p(X).", "syntax error: expected `{`, found `X`");
    check_message("// comment\na.", "this is not how comments are written");
    check_message("p(1.5). q.", "there are no decimal fractions");
    check_message("p(\"abc).\nq.", "this string is not closed on its line");
    check_message("a. %* b.", "this comment is not closed");
    check_message("#script (lua) x", "this script has no end");
    check_message("a :- not not not b.", "syntax error: expected a literal, found `not`");
    check_message("p(007).", "syntax error: expected `)`, `,` or `;`, found `0`");
    check_message("a :- b, .", "syntax error: expected a literal, found `.`");
    check_message("a :- b).", "syntax error: expected `,`, `;`, `:` or `.`, found `)`");
    check_message(":~ a.", "syntax error: expected `[` after the period");
    check_message("a", "syntax error: expected `,`, `;`, `:`, `:-` or `.`, found the end of the file");
    check_message("#const n = X.", "the value of a constant cannot contain a variable");
    check_message("#const n = 1. [foo]", "expected `default` or `override`, found `foo`");
    check_message("p(X) :- q(X), !r(X).", "unexpected character `!`");
    check_message("a.\0", "unexpected character U+0000");
    check_message("#defined a.", "expected a predicate with its arity");
}

#[test]
fn errors_are_independent_and_capped() {
    let outcome = run_text("a b. c. d e. f.");
    assert_eq!(outcome.diagnostics.len(), 2);
    assert_eq!(outcome.printed, "c.\nf.\n");
    let outcome = run_text(&"a b. ".repeat(25));
    assert_eq!(outcome.diagnostics.len(), MAX_ERRORS + 1);
    assert_eq!(outcome.diagnostics[MAX_ERRORS].message, "5 more syntax errors");
}

#[test]
fn enormous_lines_are_cut() {
    let text = format!("{}p(1 2). {}", "p(1). ".repeat(200_000), "p(1). ".repeat(200_000));
    let messages = run_text(&text).messages;
    assert!(messages.contains("--> t.lp:1:1200005\n"), "{messages}");
    assert!(messages.len() < 600 && !messages.contains(":::"), "{messages}");
}

#[test]
fn nothing_nested_overflows_the_stack() {
    const N: usize = 100_000;
    let deep =
        |open: &str, inner: &str, close: &str| [open.repeat(N), inner.into(), close.repeat(N)].concat();
    let fine = [
        format!("p({}).", deep("(", "1", ")")),
        format!("p({}).", deep("f(", "1", ")")),
        format!("p(X) :- q({}).", deep("(", "X", ")")),
        format!("&a {{ {} }}.", deep("(", "1", ")")),
        format!("p(X) :- q({}X).", "1,".repeat(N)),
        format!("p({}1).", "1+".repeat(N)),
        format!("a :- {}b.", "c(X), ".repeat(N)),
    ];
    for text in fine {
        assert_eq!(run_text(&text).messages, "");
    }
    let too_deep = [
        format!("p(X) :- q({}).", deep("f(", "X", ")")),
        format!("p({}1).", "-".repeat(N)),
        format!("p({}1).", "1**".repeat(N)),
        format!("p({}).", deep("(1;", "1", ")")),
        format!("p({}) :- q.", deep("|", "1", "|")),
        format!("&a {{ {} }}.", deep("[", "1", "]")),
        format!("&a {{ {} 1 }}.", "- ".repeat(N)),
    ];
    for text in too_deep {
        check_message(&text, "terms may be nested at most 1000 deep");
    }
    let wrong = [
        format!("a :- {}b.", "not ".repeat(N)),
        format!("p({}.", "(".repeat(N)),
        "{".repeat(N),
        format!("%* {}", "%* ".repeat(N)),
        format!("p(\"{}", "a".repeat(N)),
        format!("#script (lua) {}", "x".repeat(N)),
        "!".repeat(N),
        "\0".repeat(N),
        "\" ".repeat(N),
        "?".repeat(N),
        "a? ".repeat(N),
    ];
    for text in wrong {
        assert_eq!(run_text(&text).diagnostics.len(), 1);
    }
}
