//! `asp lsp`: each feature, asked as an editor asks.

use serde_json::{Value, json};

use crate::support::editor::{Editor, find};

const A: &str = "file:///no-such-folder/a.lp";

/// A server with one open text.
fn with(text: &str) -> (tempfile::TempDir, Editor) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut editor = Editor::new(folder.path());
    editor.open(A, text);
    (folder, editor)
}

/// The words under ranges of a text of one line each.
fn words(text: &str, ranges: &Value, at: &str) -> Vec<String> {
    let word = |r: &Value| {
        let r = r.pointer(at).expect("a range");
        let line = text.lines().nth(r["start"]["line"].as_u64().expect("a line") as usize).expect("there");
        let units: Vec<u16> = line.encode_utf16().collect();
        let (lo, hi) =
            (r["start"]["character"].as_u64().expect("one"), r["end"]["character"].as_u64().expect("one"));
        let word = String::from_utf16(&units[lo as usize..hi as usize]).expect("whole characters");
        format!("{}:{word}", r["start"]["line"])
    };
    ranges.as_array().unwrap_or_else(|| panic!("{ranges}")).iter().map(word).collect()
}

#[test]
fn the_life_of_a_connection() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut editor = Editor::silent(folder.path());
    assert_eq!(editor.refused("textDocument/hover", json!({})).0, -32002);
    editor.tell("textDocument/didOpen", json!({ "nonsense": 1 }));
    editor.send_bytes(b"{ nonsense");
    assert_eq!(editor.next().expect("an answer")["error"]["code"], -32700);
    editor.send_bytes(b"{\"id\":[],\"method\":1}");
    assert_eq!(editor.next().expect("an answer")["error"]["code"], -32600);
    let found = editor.ask("initialize", json!({ "capabilities": {} }));
    assert_eq!(found["serverInfo"]["name"], "asp");
    assert_eq!(editor.refused("initialize", json!({ "capabilities": {} })).0, -32600);
    assert_eq!(editor.refused("textDocument/nonsense", json!({})).0, -32601);
    assert_eq!(editor.refused("textDocument/hover", json!({ "position": 1 })).0, -32602);
    // A text that is not open is no error.
    let somewhere = json!({ "line": 1, "character": 1 });
    assert_eq!(editor.ask_at("textDocument/hover", "file:///nowhere.lp", &somewhere), Value::Null);
    editor.tell("$/nonsense", json!({}));
    editor.ask("shutdown", Value::Null);
    assert_eq!(editor.refused("textDocument/hover", json!({})).0, -32600);
    editor.tell("exit", Value::Null);
    let (code, text) = editor.end();
    assert_eq!((code, text.as_str()), (Some(0), ""));
    for exit in [true, false] {
        let mut editor = Editor::new(folder.path());
        if exit {
            editor.tell("exit", Value::Null);
        }
        assert_eq!(editor.end().0, Some(1));
    }
    assert_eq!(Editor::new(folder.path()).close(), (Some(0), String::new()));
}

/// Messages that were sent before the connection ends count, however fast it ends.
#[test]
fn all_that_was_sent_is_obeyed() {
    let folder = tempfile::tempdir().expect("a folder");
    for _ in 0..20 {
        let mut editor = Editor::silent(folder.path());
        let mut bytes = String::new();
        for body in [
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
            json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" }),
            json!({ "jsonrpc": "2.0", "method": "exit" }),
        ] {
            let body = body.to_string();
            bytes.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
        }
        editor.send_raw(bytes.as_bytes());
        assert_eq!(editor.end().0, Some(0));
    }
}

#[test]
fn messages_of_all_stages() {
    let text = "a(X) :- b(X, .\nq(X) :- r(Y), a(1).\n% ü€𝄞\nv :- q(_), r(W). /* 𝄞";
    let text = text.replace(" /* 𝄞", " %* 𝄞 *% w :- x(Z,V).");
    let (_folder, mut editor) = with(&text);
    let found = editor.messages_of(A);
    let told: Vec<(u64, String)> = found
        .iter()
        .map(|m| {
            let text = m["message"].as_str().expect("a text").lines().next().expect("a line").to_string();
            (m["severity"].as_u64().expect("one"), text)
        })
        .collect();
    let wanted = [
        (1, "syntax error: expected a term, found `.`"),
        (1, "unsafe variable `X`"),
        (4, "atom does not occur in any rule head: `r/1`"),
        (3, "variable `W` occurs once"),
        (4, "atom does not occur in any rule head: `x/2`"),
        (3, "variable `Z` occurs once"),
        (3, "variable `V` occurs once"),
    ];
    assert_eq!(told, wanted.map(|(n, t)| (n, t.to_string())));
    assert!(found[1]["message"].as_str().expect("one").contains("help: bind it by a positive literal"));
    let ranges: Value = found[4..].to_vec().into();
    assert_eq!(words(&text, &ranges, "/range"), ["3:x(Z,V)", "3:Z", "3:V"]);
    // The messages go with their cause, and with the text.
    editor.replace(A, 2, "a.");
    assert_eq!(editor.messages_of(A), Vec::<Value>::new());
    assert_eq!(editor.messages[A]["version"], 2);
    editor.replace(A, 3, "a :- b");
    let found = editor.messages_of(A);
    assert_eq!(found.len(), 1);
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": A } }));
    editor.open("file:///other.lp", "");
    editor.messages_of("file:///other.lp");
    assert_eq!(editor.messages[A]["diagnostics"], json!([]));
}

#[test]
fn related_places_are_told() {
    let (_folder, mut editor) = with("p(X) :- q(X).\np(X,X) :- q(X).\na :- b\nc.");
    let found = editor.messages_of(A);
    let related: Vec<&str> = found
        .iter()
        .flat_map(|m| m["relatedInformation"].as_array().into_iter().flatten())
        .map(|r| r["message"].as_str().expect("a text"))
        .collect();
    assert_eq!(related, ["`p/1`", "perhaps a `.` is missing here"]);
    assert!(found.iter().any(|m| m["code"] == "arity-mismatch"), "{found:?}");
}

#[test]
fn what_grounding_says_comes_too() {
    let (_folder, mut editor) = with("p(1..3). q(X/(X-2)) :- p(X).\n{ r(X) } :- q(X).");
    let found = editor.messages_of(A);
    assert!(found.iter().any(|m| m["code"] == "operation-undefined"), "{found:?}");
    // A program that never ends is given up, and says so nowhere.
    editor.replace(A, 2, "p(0). p(X+1) :- p(X).");
    assert!(editor.messages_of(A).iter().any(|m| m["code"] == "termination"));
    editor.replace(A, 3, "a(1..100000). b(X,Y) :- a(X), a(Y).");
    assert_eq!(editor.messages_of(A), Vec::<Value>::new());
}

const PUZZLE: &str = "% Squares of the board\n% and more\ncell(1..3,1..3).\n#const n = 2. % how many\n\
                      { set(R,C) : cell(R,C) } = n.\n:- set(R,C), set(R,D), C < D, not -set(R,C).\n#show set/2.\n";

#[test]
fn definitions_and_references() {
    let (_folder, mut editor) = with(PUZZLE);
    let mut ask = |method: &str, needle: &str| {
        let found = editor.ask(
            method,
            json!({
                "textDocument": { "uri": A },
                "position": find(PUZZLE, needle),
                "context": { "includeDeclaration": true },
            }),
        );
        words(PUZZLE, &found, "/range")
    };
    assert_eq!(ask("textDocument/definition", ": ce^ll(R"), ["2:cell"]);
    assert_eq!(ask("textDocument/definition", ":- set^(R"), ["4:set"]);
    assert_eq!(ask("textDocument/definition", "#show ^set"), ["4:set"]);
    assert_eq!(ask("textDocument/definition", "= ^n."), ["3:n"]);
    assert_eq!(ask("textDocument/definition", "C < ^D"), ["5:D"]);
    assert_eq!(ask("textDocument/definition", "#sh^ow"), [""; 0]);
    let all = ask("textDocument/references", ":- s^et(R");
    assert_eq!(all, ["4:set", "5:set", "5:set", "5:set", "6:set"]);
    assert_eq!(ask("textDocument/references", "#const ^n"), ["3:n", "4:n"]);
    let lit = editor.ask_at("textDocument/documentHighlight", A, &find(PUZZLE, "set(R,^D)"));
    assert_eq!(words(PUZZLE, &lit, "/range"), ["5:D", "5:D"]);
    let lit = editor.ask_at("textDocument/documentHighlight", A, &find(PUZZLE, "{ s^et"));
    let kinds: Vec<u64> = lit.as_array().expect("some").iter().filter_map(|h| h["kind"].as_u64()).collect();
    assert_eq!(kinds, [3, 2, 2, 2, 2]);
}

/// The text after edits of one text.
fn edited(text: &str, edits: &Value) -> String {
    let byte = |p: &Value| {
        let line = p["line"].as_u64().expect("a line") as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut units = p["character"].as_u64().expect("a column") as usize;
        let mut at = start;
        for c in text[start..].chars() {
            if units == 0 {
                break;
            }
            units = units.saturating_sub(c.len_utf16());
            at += c.len_utf8();
        }
        at
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .unwrap_or_else(|| panic!("{edits}"))
        .iter()
        .map(|e| {
            (byte(&e["range"]["start"]), byte(&e["range"]["end"]), e["newText"].as_str().expect("a text"))
        })
        .collect();
    edits.sort_unstable();
    let mut out = text.to_string();
    for (lo, hi, new) in edits.into_iter().rev() {
        out.replace_range(lo..hi, new);
    }
    out
}

#[test]
fn renaming() {
    let text = "p(1;2,3). \u{1d11e}q(X) :- p(X), - p(X,_), X = n.\n#const n = p.\n#show p/2.\n%@test: contains p(1) p(1,2) p\n\
                #program step(t). s(t) :- p(t).";
    let text = text.replace('\u{1d11e}', "%*\u{1d11e}*%");
    let (_folder, mut editor) = with(&text);
    let mut rename = |needle: &str, name: &str| {
        let params =
            json!({ "textDocument": { "uri": A }, "position": find(&text, needle), "newName": name });
        editor.ask("textDocument/prepareRename", params.clone());
        let found = editor.ask("textDocument/rename", params);
        edited(&text, &found["changes"][A])
    };
    let renamed = rename(":- ^p(X)", "board");
    let wanted = text
        .replace("p(1;2", "board(1;2")
        .replace(":- p(X)", ":- board(X)")
        .replace("- p(X,_)", "- board(X,_)")
        .replace("p/2", "board/2")
        .replace("contains p(1) p(1,2) p", "contains board(1) board(1,2) p")
        .replace(":- p(t)", ":- board(t)");
    assert_eq!(renamed, wanted);
    assert_eq!(rename("q(^X)", "Row"), text.replace('X', "Row"));
    assert_eq!(rename("= ^n.", "m"), text.replace("= n.", "= m.").replace("const n", "const m"));
    assert_eq!(
        rename("s(^t)", "k"),
        text.replace("step(t)", "step(k)").replace("s(t) :- p(t)", "s(k) :- p(k)")
    );
    let mut refused = |needle: &str, name: &str| {
        let params =
            json!({ "textDocument": { "uri": A }, "position": find(&text, needle), "newName": name });
        editor.refused("textDocument/rename", params).1
    };
    assert!(refused("^q(X)", "Q").contains("lower-case"));
    assert!(refused("^q(X)", "not").contains("lower-case"));
    assert!(refused("^q(X)", "p").contains("already exists"));
    assert!(refused("q(^X)", "x").contains("upper-case"));
    assert!(refused("#sh^ow", "x").contains("no predicate"));
    assert!(refused("#program ^step", "x").contains("not a predicate"));
    let nothing = json!({ "textDocument": { "uri": A }, "position": find(&text, "#sh^ow") });
    assert!(editor.refused("textDocument/prepareRename", nothing).1.contains("no predicate"));
}

#[test]
fn hovering() {
    let (_folder, mut editor) = with(PUZZLE);
    let mut hover = |needle: &str| {
        let found = editor.ask_at("textDocument/hover", A, &find(PUZZLE, needle));
        found["contents"]["value"].as_str().unwrap_or("").to_string()
    };
    let cell = hover(": ^cell(R");
    assert!(cell.contains("```asp\ncell(1..3,1..3)\n```"), "{cell}");
    assert!(cell.contains("Squares of the board  \nand more"), "{cell}");
    assert!(cell.contains("`cell/2`: 1 definition, 1 use, 9 atoms in the ground program"), "{cell}");
    let n = hover("= ^n.");
    assert!(n.contains("#const n = 2.") && n.contains("2 places"), "{n}");
    assert!(hover(", C ^< D").is_empty());
    assert!(hover("set(R,^C)").contains("variable, "));
    assert!(hover("#sh^ow").contains("Shows these atoms"));
    // After an answer set has been found, it is told why an atom of it holds, as long as the text is the same.
    let text = "a(1). { b(1;2) }. c(X) :- b(X), a(X).\n:- not c(1).\n:- b(2), c(2).";
    editor.replace(A, 2, text);
    let found = editor.ask("workspace/executeCommand", json!({ "command": "asp.answers", "arguments": [A] }));
    assert!(found["text"].as_str().expect("a text").contains("c(1)"), "{found}");
    assert!(editor.said.iter().any(|m| m["method"] == "window/showMessage"), "{:?}", editor.said);
    let mut hover = |needle: &str| {
        let found = editor.ask_at("textDocument/hover", A, &find(text, needle));
        found["contents"]["value"].as_str().unwrap_or("").to_string()
    };
    let c = hover("not ^c(1)");
    assert!(
        c.contains("It holds in the last answer set.") && c.contains("c(1)") && c.contains("b(1)"),
        "{c}"
    );
    assert!(hover(", ^c(2)").contains("It does not hold"));
    assert!(hover("^c(X)").contains("In the last answer set: `c(1)`"), "{}", hover("^c(X)"));
    assert!(hover("^a(1)").contains("fact"), "{}", hover("^a(1)"));
    editor.replace(A, 3, &format!("{text} "));
    let found = editor.ask_at("textDocument/hover", A, &find(text, "not ^c(1)")).to_string();
    assert!(!found.contains("answer set"), "{found}");
}

#[test]
fn completing() {
    let text = "% a square\ncell(R,C) :- row(R), col(C).\n#const size = 3.\nrow(f(red)).\nx(Abc) :- cell(Abc,Def), c.\n#\n";
    let (_folder, mut editor) = with(text);
    let labels = |found: &Value| -> Vec<String> {
        let items = found.as_array().expect("items").iter();
        items.map(|i| i["label"].as_str().expect("a label").to_string()).collect()
    };
    let found = editor.ask_at("textDocument/completion", A, &find(text, ", c^."));
    let names = labels(&found);
    for name in ["cell/2", "col/1", "row/1", "x/1", "size", "red", "f", "Abc", "Def", "not"] {
        assert!(names.iter().any(|n| n == name), "{name}: {names:?}");
    }
    assert!(!names.contains(&"c/0".to_string()));
    let cell = found.as_array().expect("items").iter().find(|i| i["label"] == "cell/2").expect("there");
    assert_eq!(cell["documentation"], "a square");
    assert_eq!(cell["textEdit"]["newText"], "cell(");
    assert_eq!(words(text, &json!([cell["textEdit"]]), "/range"), ["4:c"]);
    let found = editor.ask_at("textDocument/completion", A, &find(text, "\n#^\n"));
    assert!(labels(&found).contains(&"#minimize".to_string()));
    assert_eq!(editor.ask_at("textDocument/completion", A, &find(text, "% a sq^uare")), json!([]));
    editor.replace(A, 2, "#include \"fut^");
    let found = editor.ask_at("textDocument/completion", A, &json!({ "line": 0, "character": 13 }));
    assert!(labels(&found).contains(&"futoshiki.lp".to_string()), "{found}");
    let help = |found: Value| {
        let one = &found["signatures"][0];
        (one["label"].as_str().unwrap_or("").to_string(), one["activeParameter"].clone())
    };
    let text = "p(Row,f(A,B)) :- q(Row,A,B). q(1,2,3).\na :- p(1,f(2,";
    editor.replace(A, 3, text);
    // The innermost name is no predicate.
    assert_eq!(editor.ask_at("textDocument/signatureHelp", A, &find(text, "f(2,^")), Value::Null);
    let found = editor.ask_at("textDocument/signatureHelp", A, &find(text, ":- p(1,^f"));
    assert_eq!(help(found), ("p(Row,f(A,B))".into(), 1.into()));
    let folder = tempfile::tempdir().expect("a folder");
    let snippets =
        json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } });
    let mut editor = Editor::with(folder.path(), snippets, json!({}));
    editor.open(A, "cell(R,1..2) :- row(R).\nce");
    let found = editor.ask_at("textDocument/completion", A, &json!({ "line": 1, "character": 2 }));
    let cell = found.as_array().expect("items").iter().find(|i| i["label"] == "cell/2").expect("there");
    assert_eq!(cell["textEdit"]["newText"], "cell(${1:R},${2:_})");
}

#[test]
fn formatting() {
    let text = "% head\na:-b.\nb.\n% tail\n";
    let (_folder, mut editor) = with(text);
    let options = json!({ "textDocument": { "uri": A }, "options": { "tabSize": 4, "insertSpaces": true } });
    let found = editor.ask("textDocument/formatting", options.clone());
    assert_eq!(found.as_array().map(Vec::len), Some(1));
    assert_eq!(found[0]["range"]["start"]["line"], 1);
    assert_eq!(edited(text, &found), "% head\na :- b.\nb.\n% tail\n");
    editor.replace(A, 2, "a:-b.\nb :- , .");
    assert_eq!(editor.ask("textDocument/formatting", options), Value::Null);
}

#[test]
fn actions_mend_what_messages_say() {
    let check = |text: &str, wanted: &[&str]| {
        let (_folder, mut editor) = with(text);
        let everything =
            json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let params =
            json!({ "textDocument": { "uri": A }, "range": everything, "context": { "diagnostics": [] } });
        let found = editor.ask("textDocument/codeAction", params);
        let actions = found.as_array().expect("actions").iter();
        let after: Vec<String> = actions.map(|a| edited(text, &a["edit"]["changes"][A])).collect();
        assert_eq!(after, wanted, "{found}");
    };
    check("a :- p(X,Y), Y=<1.", &["a :- p(X,Y), Y<=1."]);
    check("p(1). a :- p(X).", &["p(1). a :- p(_).", "p(1). a :- p(_)."]);
    check("pair(1). a :- piar(1).", &["pair(1). a :- pair(1)."]);
    check("% \u{1d11e}\na :- b(1).", &["% \u{1d11e}\n#defined b/1.\na :- b(1)."]);
    check(
        "{ p(1..3) }.\n:- p(X), p(Y), X != Y.",
        &["{ p(1..3) }.\n:- p(X), p(Y), X < Y.", "{ p(1..3) }.\n:- p(X), p(Y), X < Y."],
    );
    check("a.", &[]);
}

#[test]
fn symbols_folds_and_colours() {
    let text = "% one\n% two\na(X) :-\n  b(X).\n#const n = 1.\nb(n).\n#program step(t).\nc(t).\n";
    let (_folder, mut editor) = with(text);
    let document = json!({ "textDocument": { "uri": A } });
    let found = editor.ask("textDocument/documentSymbol", document.clone());
    let names: Vec<&str> =
        found.as_array().expect("some").iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["a/1", "n", "b/1", "#program step", "c/1"]);
    assert_eq!(found[0]["detail"], "one");
    let found = editor.ask("workspace/symbol", json!({ "query": "B" }));
    assert_eq!(found.as_array().map(Vec::len), Some(1));
    assert_eq!(found[0]["name"], "b/1");
    let found = editor.ask("textDocument/foldingRange", document.clone());
    let folds: Vec<(u64, u64)> = found
        .as_array()
        .expect("some")
        .iter()
        .map(|f| (f["startLine"].as_u64().expect("one"), f["endLine"].as_u64().expect("one")))
        .collect();
    assert_eq!(folds, [(0, 1), (2, 3), (6, 8)]);
    editor.replace(A, 2, "%*\u{1d11e}\n*% p(\"\u{fc}\",X) :- not q(X,1).");
    let found = editor.ask("textDocument/semanticTokens/full", document);
    let data: Vec<u64> = found["data"].as_array().expect("some").iter().filter_map(Value::as_u64).collect();
    let wanted = [
        [0, 0, 4, 1, 0], // the comment's lines
        [1, 0, 2, 1, 0],
        [0, 3, 1, 6, 1], // p
        [0, 2, 3, 2, 0], // the string
        [0, 4, 1, 5, 0], // X
        [0, 3, 2, 4, 0], // :-
        [0, 3, 3, 0, 0], // not
        [0, 4, 1, 6, 0], // q
        [0, 2, 1, 5, 0],
        [0, 2, 1, 3, 0],
    ];
    assert_eq!(data, wanted.concat());
}

#[test]
fn numbers_beside_the_text() {
    let text = "p(1..3).\nq(X,Y) :- p(X), p(Y).\n:- q(X,X), not r(X).\n{ r(1) }.\n";
    let (_folder, mut editor) = with(text);
    let everything = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let params = json!({ "textDocument": { "uri": A }, "range": everything });
    let found = editor.ask("textDocument/inlayHint", params.clone());
    let labels: Vec<&str> =
        found.as_array().expect("some").iter().filter_map(|h| h["label"].as_str()).collect();
    assert_eq!(labels, ["p/1: 3", "9 instances \u{b7} q/2: 9", "3 instances", "r/1: 1"]);
    // What has errors is not grounded.
    editor.replace(A, 2, &format!("{text} a :-"));
    assert_eq!(editor.ask("textDocument/inlayHint", params), json!([]));
}

#[test]
fn lenses_ask_questions() {
    let text = "{ a(1..2) } = 1. b :- a(1).\n%@test: count 2\n%@test: count 3\n%@test -c n=1: unsat\n#const n = 0. :- n = 1.\n";
    let (_folder, mut editor) = with(text);
    let found = editor.ask("textDocument/codeLens", json!({ "textDocument": { "uri": A } }));
    let lenses: Vec<(u64, Value)> = found
        .as_array()
        .expect("some")
        .iter()
        .map(|l| (l["range"]["start"]["line"].as_u64().expect("one"), l["command"].clone()))
        .collect();
    assert_eq!(lenses.iter().map(|l| l.0).collect::<Vec<_>>(), [0, 0, 0, 1, 1, 2, 2, 3, 3]);
    let mut answers = Vec::new();
    for (_, command) in &lenses {
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        let found = editor.ask("workspace/executeCommand", params);
        answers
            .push((found["ok"].as_bool().expect("one"), found["title"].as_str().expect("one").to_string()));
    }
    let wanted = [
        (true, "2 answer sets"),
        (false, "Not unique."),
        (true, "There is an answer set: there is no contradiction."),
        (true, "ok  count 2"),
        (true, "2 answer sets"),
        (false, "FAILED  count 3"),
        (true, "2 answer sets"),
        (true, "ok  -c n=1: unsat"),
        (false, "No answer set"),
    ];
    assert_eq!(answers, wanted.map(|(ok, text)| (ok, text.to_string())));
    editor.replace(A, 2, "a. :- a.");
    let found =
        editor.ask("workspace/executeCommand", json!({ "command": "asp.whyUnsat", "arguments": [A] }));
    assert!(found["text"].as_str().expect("a text").contains("these 2 contradict each other"), "{found}");
    assert_eq!(found["title"], "no answer set: these 2 contradict each other");
    editor.replace(A, 3, "a :- b(X), .");
    let found = editor.ask("workspace/executeCommand", json!({ "command": "asp.unique", "arguments": [A] }));
    assert_eq!(
        (&found["ok"], found["text"].as_str().expect("one").contains("syntax error")),
        (&false.into(), true)
    );
    // With an objective the best one is meant.
    editor.replace(A, 4, "1 { a(1..9) } 1. #maximize { X : a(X) }.");
    let found = editor.ask("workspace/executeCommand", json!({ "command": "asp.answers", "arguments": [A] }));
    assert_eq!(found["title"], "Optimum found, cost -9");
    let text = found["text"].as_str().expect("a text");
    assert!(text.contains("(cost -9)\na(9)") && text.matches("Answer:").count() == 1, "{text}");
    let found = editor.ask("workspace/executeCommand", json!({ "command": "asp.unique", "arguments": [A] }));
    assert!(found["text"].as_str().expect("a text").ends_with("whatever they cost.\n"), "{found}");
    let refused = |editor: &mut Editor, params: Value| editor.refused("workspace/executeCommand", params).1;
    assert!(refused(&mut editor, json!({ "command": "rm", "arguments": [A] })).contains("no command"));
    assert!(refused(&mut editor, json!({ "command": "asp.unique" })).contains("open text"));
    assert!(
        refused(&mut editor, json!({ "command": "asp.runTest", "arguments": [A, 7] }))
            .contains("no `%@test`")
    );
}

#[test]
fn texts_that_include_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().canonicalize().expect("there").join(name);
    let uri = |name: &str| format!("file://{}", path(name).display()).replace(' ', "%20");
    std::fs::write(path("facts.lp"), "% what is given\ngiven(1).\n").expect("a file");
    std::fs::write(path("main.lp"), "").expect("a file");
    let mut editor = Editor::new(folder.path());
    let main = "#include \"facts.lp\".\n#include \"new file.lp\".\na(X) :- given(X), more(X).\n";
    let (a, b, f) = (uri("main.lp"), uri("new file.lp"), uri("facts.lp"));
    editor.open(&a, main);
    let found = editor.messages_of(&a);
    assert_eq!(found.len(), 1, "{found:?}");
    // A text that is open and was never saved is included.
    let new = "more(1) :- nothing(Y).\nmore(Z) :- given(Z), a(Z).\n";
    editor.open(&b, new);
    assert_eq!(editor.messages_of(&a), Vec::<Value>::new());
    let found = editor.messages_of(&b);
    assert_eq!(found.len(), 2, "{found:?}");
    let at = |needle: &str| json!({ "textDocument": { "uri": a }, "position": find(main, needle), "context": { "includeDeclaration": true } });
    let found = editor.ask("textDocument/definition", at("^given"));
    assert_eq!(found[0]["uri"], f);
    let found = editor.ask("textDocument/definition", at("\"new^ file"));
    assert_eq!(found[0]["uri"], b);
    let found = editor.ask("textDocument/references", at("m^ore"));
    let uris: Vec<&Value> = found.as_array().expect("some").iter().map(|l| &l["uri"]).collect();
    assert_eq!(uris, [&json!(a), &json!(b), &json!(b)]);
    let found = editor.ask_at("textDocument/hover", &b, &find(new, "g^iven")).to_string();
    assert!(found.contains("what is given"), "{found}");
    let params = json!({ "textDocument": { "uri": b }, "position": find(new, "g^iven"), "newName": "start" });
    let found = editor.ask("textDocument/rename", params);
    let changed: Vec<&String> = found["changes"].as_object().expect("some").keys().collect();
    assert_eq!(changed, [&f, &a, &b]);
    // What changes in one text is seen from the other.
    editor.replace(&b, 2, "more(1). a(X,X) :- given(X).");
    let codes: Vec<Value> = editor.messages_of(&a).iter().map(|m| m["code"].clone()).collect();
    assert_eq!(codes, ["arity-mismatch"]);
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": b } }));
    let found = editor.messages_of(&a);
    assert!(found[0]["message"].as_str().expect("a text").contains("not found"), "{found:?}");
    assert_eq!(editor.close().0, Some(0));
}

#[test]
fn requests_are_cancelled_and_work_is_given_up() {
    let (_folder, mut editor) = with(
        "a(1..9). { b(X,Y) : a(X), a(Y) }. :- #sum { X*Y,X,Y : b(X,Y) } != 1013. :- #count { X : b(X,X) } = 3.",
    );
    let slow = "{ b(1..60,1..60) } = 60. :- b(X,Y), b(X,Z), Y < Z. :- b(Y,X), b(Z,X), Y < Z. :- b(X,Y), b(Z,W), X < Z, Y-X = W-Z. :- b(X,X). :- b(1..60,1).";
    editor.replace(A, 2, slow);
    let id = editor.begin("workspace/executeCommand", json!({ "command": "asp.unique", "arguments": [A] }));
    editor.tell("$/cancelRequest", json!({ "id": id }));
    let response = editor.response(id);
    // It may have ended before.
    assert!(response["error"]["code"] == -32800 || response.get("result").is_some(), "{response}");
    editor.tell("$/cancelRequest", json!({ "id": 12345 }));
    editor.tell("$/cancelRequest", json!({}));
    // A request that waits for a review is answered when the text changes under it.
    let id = editor.begin("textDocument/inlayHint", json!({ "textDocument": { "uri": A }, "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 1, "character": 0 } } }));
    editor.replace(A, 3, "a.");
    let response = editor.response(id);
    assert!(response["error"]["code"] == -32801 || response["result"].is_array(), "{response}");
    assert_eq!(editor.close().0, Some(0));
}

/// Prints the time; the bound is loose, for a test's build is slow.
#[test]
fn two_thousand_lines_are_answered_soon() {
    let mut text = String::from("n(1..9).\n");
    for i in 0..500 {
        text.push_str(&format!(
            "% About p{i}\np{i}(X) :- n(X), X != {i}.\n{{ q{i}(X,Y) : p{i}(X), n(Y) }} = 1.\n:- q{i}(X,Y), X > Y, p{i}(Y).\n"
        ));
    }
    let (_folder, mut editor) = with(&text);
    editor.messages_of(A);
    let mut times = Vec::new();
    for round in 0..3 {
        let start = std::time::Instant::now();
        let document = json!({ "uri": A, "version": round + 2 });
        let place = json!({ "line": 0, "character": 0 });
        let change = json!({ "range": { "start": place, "end": place }, "text": " " });
        editor
            .tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
        editor.messages_of(A);
        times.push(start.elapsed());
    }
    let best = times.iter().min().expect("three");
    println!("2000 lines: messages and numbers {} ms after a change", best.as_millis());
    assert!(best.as_secs() < 20, "{times:?}");
}
