//! `asp lsp` under random edits: whatever led to a text, the answers are those of a server that never saw another.

use serde_json::{Value, json};

use crate::support::editor::{Editor, place};

const TEXTS: [&str; 2] = ["file:///no-such-folder/a.lp", "file:///no-such-folder/b.lp"];

/// What is written: pieces of programs, wrong ones and strange ones among them.
const PIECES: &[&str] = &[
    "p(1..3).\n",
    "q(X) :- p(X), not r(X,_).\n",
    "{ s(X,Y) : p(X), q(Y) } = n :- t.\n",
    "#const n = 2.\n",
    "#include \"b.lp\".\n",
    "#include \"a.lp\".\n",
    "#show s/2. ",
    "% about \u{1d11e}\u{fc}\u{20ac}\nt.\n",
    "%@test: count 3\n",
    "%* \u{1d11e}\n *%",
    ":- s(X,Y), s(Y,X), X != Y.\n",
    "#program step(t). u(t) :- u(t-1).\n",
    "v(\"\u{1d11e}\",Z) :- w(Z). ",
    "x(X :- .",
    "\u{1d11e}",
    "\r\n",
    "\r",
    "\n",
    "(",
    ").",
    "p",
    "X",
    "%*",
    "*%",
    "\"",
    "#",
    " ",
    ":-",
    "#sum { C,X : c(X,C) } > 1.",
    "-q(1;2,3).",
    "&diff { a } <= 1.\n",
    "\u{feff}",
    "\u{0}",
];

/// Requests about a place, and about a text.
const AT: [&str; 8] = [
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/signatureHelp",
    "textDocument/prepareRename",
    "textDocument/rename",
];
const WHOLE: [&str; 7] = [
    "textDocument/documentSymbol",
    "textDocument/semanticTokens/full",
    "textDocument/foldingRange",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "textDocument/codeAction",
    "textDocument/formatting",
];

/// Random numbers, the same on every machine.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n.max(1) as u64) as usize
    }
    fn boundary(&mut self, text: &str) -> usize {
        let at = self.below(text.len() + 1);
        (0..=at).rev().find(|&i| text.is_char_boundary(i)).expect("there is 0")
    }
}

/// The place of a byte, as the protocol counts: lines end at `\n`, `\r\n` and `\r`.
fn position(text: &str, byte: usize) -> Value {
    if !text.contains('\r') {
        return place(text, byte);
    }
    let (mut line, mut start) = (0, 0);
    for (i, c) in text[..byte].char_indices() {
        let within = c == '\r' && text[i + 1..].starts_with('\n');
        if c == '\n' || (c == '\r' && !within) {
            (line, start) = (line + 1, i + 1);
        }
    }
    json!({ "line": line, "character": text[start..byte].encode_utf16().count() })
}

/// One edit, a few of them at once, or a place far outside of the text.
fn edit(rng: &mut Rng, text: &mut String) -> Value {
    let (a, b) = (rng.boundary(text), rng.boundary(text));
    let (mut lo, mut hi) = (a.min(b), a.max(b));
    if rng.below(3) > 0 {
        hi = (lo..=text.len().min(lo + rng.below(12)))
            .rev()
            .find(|&i| text.is_char_boundary(i))
            .expect("lo is one");
    }
    // Between the two characters of a line break there is no place.
    let inside = |i: usize, text: &str| text[..i].ends_with('\r') && text[i..].starts_with('\n');
    (lo, hi) = (lo - usize::from(inside(lo, text)), hi + usize::from(inside(hi, text)));
    let new = PIECES[rng.below(PIECES.len())];
    let range = json!({ "start": position(text, lo), "end": position(text, hi) });
    text.replace_range(lo..hi, new);
    json!({ "range": range, "text": new })
}

/// All answers about texts.
fn answers(editor: &mut Editor, texts: &[String; 2], seed: u64) -> Vec<Value> {
    let mut rng = Rng(seed);
    let mut found = Vec::new();
    for (uri, text) in TEXTS.iter().zip(texts) {
        found.push(editor.messages_of(uri).into());
        let everything =
            json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 999 } });
        for method in WHOLE {
            let params = json!({
                "textDocument": { "uri": uri },
                "range": everything,
                "context": { "diagnostics": [] },
                "options": { "tabSize": 4, "insertSpaces": true },
            });
            let id = editor.begin(method, params);
            found.push(editor.response(id));
        }
        for method in AT {
            let at = rng.boundary(text);
            let name = ["renamed", "Renamed"][rng.below(2)];
            let params = json!({
                "textDocument": { "uri": uri },
                "position": position(text, at),
                "newName": name,
                "context": { "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false },
            });
            let id = editor.begin(method, params);
            found.push(editor.response(id));
        }
    }
    found.iter_mut().filter_map(Value::as_object_mut).for_each(|response| drop(response.remove("id")));
    found
}

fn check(seed: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut rng = Rng(seed);
    let mut editor = Editor::new(folder.path());
    let mut texts = [String::new(), String::new()];
    TEXTS.iter().for_each(|uri| editor.open(uri, ""));
    let mut version = 1;
    for round in 0..4 {
        for _ in 0..rng.below(12) {
            let which = rng.below(2);
            version += 1;
            let changes: Vec<Value> = (0..=rng.below(3)).map(|_| edit(&mut rng, &mut texts[which])).collect();
            let document = json!({ "uri": TEXTS[which], "version": version });
            editor.tell(
                "textDocument/didChange",
                json!({ "textDocument": document, "contentChanges": changes }),
            );
            if rng.below(4) == 0 {
                // A question in between, whose answer may be that the text has changed.
                let at = position(&texts[which], rng.boundary(&texts[which]));
                editor.begin(
                    "textDocument/hover",
                    json!({ "textDocument": { "uri": TEXTS[which] }, "position": at }),
                );
            }
        }
        let seen = answers(&mut editor, &texts, seed + round);
        let mut fresh = Editor::new(folder.path());
        TEXTS.iter().zip(&texts).for_each(|(uri, text)| fresh.open(uri, text));
        let wanted = answers(&mut fresh, &texts, seed + round);
        for (a, b) in seen.iter().zip(&wanted) {
            assert_eq!(a, b, "seed {seed}, round {round}, texts {texts:?}");
            assert_ne!(a["error"]["code"], -32603, "seed {seed}, texts {texts:?}");
        }
        assert_eq!(fresh.close(), (Some(0), String::new()), "seed {seed}");
    }
    assert_eq!(editor.close(), (Some(0), String::new()), "seed {seed}");
}

/// More with `ASP_RANDOM_SEED` and `ASP_RANDOM_COUNT`.
#[test]
fn answers_are_those_of_a_fresh_server() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (from, count) = (number("ASP_RANDOM_SEED", 0), number("ASP_RANDOM_COUNT", 25));
    for seed in from..from + count {
        check(seed);
    }
}

#[test]
fn places_outside_of_the_text_do_no_harm() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut editor = Editor::new(folder.path());
    editor.open(TEXTS[0], "a\u{1d11e}.\nb.");
    let far = json!({ "line": 4_294_967_295_u64, "character": 4_294_967_295_u64 });
    let inside = json!({ "line": 0, "character": 2 });
    for range in [
        json!({ "start": far, "end": far }),
        json!({ "start": far, "end": inside }),
        json!({ "start": inside, "end": inside }),
        json!({ "start": { "line": 0, "character": 99 }, "end": { "line": 1, "character": 0 } }),
    ] {
        let document = json!({ "uri": TEXTS[0], "version": 2 });
        let change = json!({ "range": range, "text": "c. " });
        editor
            .tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
        for at in [&far, &inside] {
            for method in ["textDocument/hover", "textDocument/completion", "textDocument/references"] {
                let params = json!({ "textDocument": { "uri": TEXTS[0] }, "position": at, "context": { "includeDeclaration": true, "triggerKind": 1 } });
                editor.ask(method, params);
            }
        }
    }
    assert_eq!(editor.close(), (Some(0), String::new()));
}

#[test]
fn large_texts_are_held() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut editor = Editor::new(folder.path());
    // Past the limit nothing is said; the text is followed all the same.
    let text = "p(1,2,3,4,5).\n".repeat(400_000);
    editor.open(TEXTS[0], &text);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 400_000, "character": 0 } });
    let document = json!({ "uri": TEXTS[0], "version": 2 });
    assert_eq!(editor.messages_of(TEXTS[0]), Vec::<Value>::new());
    let change = json!({ "range": range, "text": "a :- b(." });
    editor.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    assert_eq!(editor.messages_of(TEXTS[0]).len(), 1);
    assert_eq!(editor.close(), (Some(0), String::new()));
}
