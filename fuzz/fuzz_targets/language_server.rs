//! Bytes as a session of an editor: the first says whether they are the connection itself or a text with requests about it.
//! Each request has one response, and nothing in it is an internal error.
#![no_main]

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// What is asked at places of the text.
const ASKED: [&str; 14] = [
    "completion",
    "definition",
    "references",
    "hover",
    "rename",
    "prepareRename",
    "formatting",
    "documentSymbol",
    "documentHighlight",
    "codeAction",
    "codeLens",
    "inlayHint",
    "foldingRange",
    "semanticTokens/full",
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((&how, rest)) = bytes.split_first() else { return };
    if how % 4 == 0 {
        serve(rest.to_vec());
        return;
    }
    let (text, requests) = rest.split_at(rest.len() - rest.len().min(usize::from(how) / 4));
    let messages = session(&String::from_utf8_lossy(text), requests);
    let mut input = Vec::new();
    let mut awaited = BTreeMap::new();
    for message in &messages {
        if let Some(id) = message.get("id") {
            awaited.insert(id.as_i64().expect("a number"), 0);
        }
        let body = message.to_string();
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("memory takes it");
    }
    let told = serve(input);
    for message in &told {
        if let Some(count) = message["id"].as_i64().and_then(|id| awaited.get_mut(&id)) {
            *count += 1;
        }
        assert!(!message.to_string().contains("internal error"), "{message}");
    }
    assert!(awaited.values().all(|&count| count == 1), "{awaited:?}");
});

/// Opens a text, asks and edits at places that the bytes name, and ends.
fn session(text: &str, bytes: &[u8]) -> Vec<Value> {
    let document = json!({ "uri": "untitled:a.lp" });
    let opened = json!({ "uri": "untitled:a.lp", "languageId": "asp", "version": 0, "text": text });
    let mut messages = vec![
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": { "capabilities": {} } }),
        json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": opened } }),
    ];
    for (at, piece) in (1..).zip(bytes.chunks_exact(4)) {
        let place = |line: u8, character: u8| json!({ "line": line % 16, "character": character % 64 });
        let (from, to) = (place(piece[1], piece[2]), place(piece[1].wrapping_add(piece[3] / 64), piece[3]));
        let range = json!({ "start": from, "end": to });
        let inserted = ["", "X", "p(1).", "é𝄞\n"][usize::from(piece[3]) % 4];
        let which = usize::from(piece[0]) % (ASKED.len() + 2);
        let message = match ASKED.get(which) {
            Some(method) => json!({
                "jsonrpc": "2.0", "id": at, "method": format!("textDocument/{method}"),
                "params": {
                    "textDocument": document, "position": from, "range": range, "newName": "q",
                    "context": { "diagnostics": [], "includeDeclaration": true },
                    "options": { "tabSize": 4, "insertSpaces": true },
                },
            }),
            None => json!({
                "jsonrpc": "2.0", "method": "textDocument/didChange",
                "params": {
                    "textDocument": { "uri": "untitled:a.lp", "version": at },
                    "contentChanges": [{ "range": range, "text": inserted }],
                },
            }),
        };
        messages.push(message);
    }
    messages.push(json!({ "jsonrpc": "2.0", "id": 1000, "method": "shutdown" }));
    messages.push(json!({ "jsonrpc": "2.0", "method": "exit" }));
    messages
}

/// What the server says to all of that.
fn serve(input: Vec<u8>) -> Vec<Value> {
    let output = Shared::default();
    asp_lsp::serve(Cursor::new(input), output.clone(), true);
    let bytes = output.0.lock().expect("nobody panics").clone();
    let mut rest = &bytes[..];
    let mut told = Vec::new();
    while let Some(end) = rest.windows(4).position(|four| four == b"\r\n\r\n") {
        let head = std::str::from_utf8(&rest[..end]).expect("a head");
        let length: usize = head.trim_start_matches("Content-Length: ").parse().expect("a length");
        let (body, after) = rest[end + 4..].split_at(length);
        told.push(serde_json::from_slice(body).expect("JSON"));
        rest = after;
    }
    assert!(rest.is_empty());
    told
}

/// Bytes that are looked at when the server has gone.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
