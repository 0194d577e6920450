//! An editor that talks to `asp lsp` as editors do: over pipes, in JSON-RPC.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout};
use std::time::Duration;

use serde_json::{Value, json};

use super::spawn;

/// The editor and its server.
pub struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: i32,
    /// The last messages about each text.
    pub messages: BTreeMap<String, Value>,
    /// All else that the server said by itself.
    pub said: Vec<Value>,
}

/// The place of a byte of a text: lines end at `\n`, columns are UTF-16.
pub fn place(text: &str, byte: usize) -> Value {
    let before = &text[..byte];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    json!({ "line": line, "character": before[start..].encode_utf16().count() })
}

/// The place of the first occurrence of a needle, in which `^` marks the place itself.
pub fn find(text: &str, needle: &str) -> Value {
    let mark = needle.find('^').expect("a mark");
    let at = text.find(&needle.replace('^', "")).unwrap_or_else(|| panic!("{needle} in {text}"));
    place(text, at + mark)
}

impl Editor {
    /// Starts a server; nothing has been said.
    pub fn silent(folder: &Path) -> Self {
        let mut child = spawn::command(["lsp"]).current_dir(folder).spawn().expect("the server starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output, last: 0, messages: BTreeMap::new(), said: Vec::new() }
    }

    /// Starts a server that waits for its reviews however long they take.
    pub fn new(folder: &Path) -> Self {
        Self::with(folder, json!({}), json!({ "wait": 600, "seconds": 600, "questionSeconds": 600 }))
    }

    pub fn with(folder: &Path, capabilities: Value, options: Value) -> Self {
        let mut editor = Self::silent(folder);
        let params = json!({ "capabilities": capabilities, "initializationOptions": options });
        editor.ask("initialize", params);
        editor.tell("initialized", json!({}));
        editor
    }

    /// Sends the bytes of a message.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let header = format!("Content-Length: {}\r\n\r\n", bytes.len());
        self.send_raw(&[header.as_bytes(), bytes].concat());
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        // It may have gone.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        self.send_bytes(message.to_string().as_bytes());
    }

    /// Sends a notification.
    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    /// Sends a request and returns its number.
    pub fn begin(&mut self, method: &str, params: Value) -> i32 {
        self.last += 1;
        self.send(json!({ "id": self.last, "method": method, "params": params }));
        self.last
    }

    /// The next message of the server; none at its end.
    pub fn next(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).expect("it can be read") == 0 {
                return None;
            }
            if line.trim().is_empty() {
                break;
            }
            if let Some(n) = line.strip_prefix("Content-Length: ") {
                length = n.trim().parse().expect("a number");
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).expect("all of it");
        Some(serde_json::from_slice(&bytes).expect("JSON"))
    }

    /// The whole response to a request.
    pub fn response(&mut self, id: i32) -> Value {
        loop {
            let message = self.next().expect("the server answers");
            if message["method"] == "textDocument/publishDiagnostics" {
                let uri = message["params"]["uri"].as_str().expect("a URI").to_string();
                self.messages.insert(uri, message["params"].clone());
            } else if message["id"] == id && message.get("method").is_none() {
                return message;
            } else {
                self.said.push(message);
            }
        }
    }

    /// The result of a request.
    #[track_caller]
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        let response = self.response(id);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].clone()
    }

    /// The error of a request.
    #[track_caller]
    pub fn refused(&mut self, method: &str, params: Value) -> (i64, String) {
        let id = self.begin(method, params);
        let response = self.response(id);
        let error = &response["error"];
        let text = error["message"].as_str().unwrap_or_else(|| panic!("{method}: {response}"));
        (error["code"].as_i64().expect("a code"), text.to_string())
    }

    /// Opens a text.
    pub fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "asp", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces a text.
    pub fn replace(&mut self, uri: &str, version: i32, text: &str) {
        let document = json!({ "uri": uri, "version": version });
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    /// Asks about a place in a text.
    #[track_caller]
    pub fn ask_at(&mut self, method: &str, uri: &str, position: &Value) -> Value {
        self.ask(method, json!({ "textDocument": { "uri": uri }, "position": position }))
    }

    /// The messages about a text, once all is known of it.
    pub fn messages_of(&mut self, uri: &str) -> Vec<Value> {
        let everything =
            json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1_000_000, "character": 0 } });
        self.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": everything }));
        let told = self.messages.get(uri).and_then(|m| m["diagnostics"].as_array());
        told.cloned().unwrap_or_default()
    }

    /// Says goodbye; the exit code, and what was said on standard error.
    pub fn close(mut self) -> (Option<i32>, String) {
        let id = self.begin("shutdown", Value::Null);
        self.response(id);
        self.tell("exit", Value::Null);
        self.end()
    }

    /// Ends the connection.
    pub fn end(mut self) -> (Option<i32>, String) {
        self.input = None;
        while self.next().is_some() {}
        let status = self.child.wait().expect("it ends");
        let mut text = String::new();
        self.child.stderr.take().expect("a pipe").read_to_string(&mut text).expect("UTF-8");
        (status.code(), text)
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        self.input = None;
        for _ in 0..100 {
            if self.child.try_wait().is_ok_and(|status| status.is_some()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
    }
}
