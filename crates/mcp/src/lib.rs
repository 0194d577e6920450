//! Tools for agents (`asp mcp`): a server of the Model Context Protocol, revision 2025-06-18, on standard input and output.
//!
//! [`tools`] defines the tools and their arguments, [`call`] runs asp. Invariants: one call runs at a time, within the limits;
//! while it runs, pings are answered and cancellations obeyed; a malformed message gets a protocol error. A server of tools
//! needs only these few methods of the protocol; a library for it would bring a runtime along.

mod call;
mod reply;
mod tools;

use std::collections::VecDeque;
use std::env;
use std::io::{self, BufRead as _, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use asp_run::confined::Folder;
use asp_run::{exit, stdout, watch};
use call::Call;

/// Supported revisions, the latest first: no difference between them matters here. The one between them has batches.
const REVISIONS: [&str; 2] = ["2025-06-18", "2024-11-05"];
/// The longest message, in bytes.
const LONGEST: u64 = 16 << 20;
/// How often messages are looked for while a call runs.
const PERIOD: Duration = Duration::from_millis(20);

/// The limits of a call.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub seconds: u32,
    /// Megabytes of memory.
    pub megabytes: u32,
    /// Kilobytes of a reply's data.
    pub kilobytes: u32,
}

/// Serves until the input ends, or a signal comes; the exit code says which. Files are read below the folder, or the working
/// folder if none is given; below a root, which would be all of the disk, none.
///
/// # Errors
/// If the folder cannot be entered.
pub fn serve(limits: Limits, folder: Option<&Path>) -> io::Result<u8> {
    if let Some(folder) = folder {
        env::set_current_dir(folder)?;
        return Ok(answer_all(limits));
    }
    let here = env::current_dir()?;
    if here.parent().is_some() {
        return Ok(answer_all(limits));
    }
    let empty = Folder::new(std::iter::empty())?;
    env::set_current_dir(empty.path())?;
    let code = answer_all(limits);
    // A folder in use is not removed everywhere.
    env::set_current_dir(here)?;
    Ok(code)
}

fn answer_all(limits: Limits) -> u8 {
    let (sender, receiver) = mpsc::sync_channel(64);
    let read = move || {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            match input.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
                Ok(1..) if sender.send(line).is_ok() => {}
                _ => return,
            }
        }
    };
    if thread::Builder::new().name("input".into()).spawn(read).is_err() {
        return exit::STOPPED;
    }
    let ending = watch::catch_signals(exit::STOPPED).unwrap_or_default();
    let mut server = Server { limits, receiver, waiting: VecDeque::new(), ending };
    while let Some(message) = server.next() {
        server.answer(&message);
    }
    if server.ending.load(Ordering::Relaxed) { exit::STOPPED } else { 0 }
}

struct Server {
    limits: Limits,
    receiver: Receiver<Vec<u8>>,
    /// Messages that came while a call ran.
    waiting: VecDeque<Value>,
    /// Whether a signal has come: then nothing is left behind.
    ending: Arc<AtomicBool>,
}

/// An error of JSON-RPC: its code, and what is wrong.
struct Wrong(i32, String);

impl Server {
    /// The next message.
    fn next(&mut self) -> Option<Value> {
        if let Some(message) = self.waiting.pop_front() {
            return Some(message);
        }
        while !self.ending.load(Ordering::Relaxed) {
            match self.receiver.recv_timeout(5 * PERIOD) {
                Ok(line) => {
                    if let Some(message) = read(&line) {
                        return Some(message);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    }

    fn answer(&mut self, message: &Value) {
        let id = message.get("id").filter(|id| !id.is_null());
        let Some(method) = message.get("method").and_then(Value::as_str) else {
            // To an answer nothing is said, as nothing was asked.
            if message.get("result").or(message.get("error")).is_none() {
                let why = Wrong(-32600, "a message has a method, which is a text".into());
                reply(id.unwrap_or(&Value::Null), Err(why));
            }
            return;
        };
        let Some(id) = id else { return };
        let params = message.get("params").unwrap_or(&Value::Null);
        let result = match method {
            "initialize" => Ok(initialize(params)),
            "ping" => Ok(json!({})),
            "tools/list" => Ok(json!({ "tools": tools::list() })),
            "tools/call" => match self.call(id, params) {
                Some(result) => result,
                // A cancelled call needs no answer.
                None => return,
            },
            _ => Err(Wrong(-32601, format!("there is no method {method}"))),
        };
        reply(id, result);
    }

    /// Runs a tool; nothing if it was cancelled.
    fn call(&mut self, id: &Value, params: &Value) -> Option<Result<Value, Wrong>> {
        let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
        let Some(tool) = tools::find(name) else {
            return Some(Err(Wrong(-32602, format!("there is no tool {name}"))));
        };
        let none = json!({});
        let arguments = params.get("arguments").unwrap_or(&none);
        let mut told = Vec::new();
        loop {
            let run = match tool.next(arguments, self.limits, &told) {
                Ok(Some(run)) => run,
                Ok(None) => return Some(Ok(tool.result(&told, self.limits))),
                Err(why) => return Some(Ok(failure(&why))),
            };
            let mut call = match Call::begin(&run, self.limits) {
                Ok(call) => call,
                Err(why) => return Some(Ok(failure(&format!("asp could not run here: {why}")))),
            };
            told.push(loop {
                if let Some(told) = call.told() {
                    break told;
                }
                if self.listen(id) {
                    return None;
                }
            });
        }
    }

    /// Reads messages for a moment; returns whether one cancels the call with that number, or a signal ends the server.
    fn listen(&mut self, id: &Value) -> bool {
        if self.ending.load(Ordering::Relaxed) {
            return true;
        }
        match self.receiver.recv_timeout(PERIOD) {
            Ok(line) => {
                let Some(message) = read(&line) else { return false };
                let method = message.get("method").and_then(Value::as_str);
                match method {
                    Some("notifications/cancelled") => {
                        let cancelled = message.get("params").and_then(|p| p.get("requestId"));
                        if cancelled == Some(id) {
                            return true;
                        }
                        self.waiting.retain(|m| m.get("id") != cancelled || cancelled.is_none());
                    }
                    Some("ping") => self.answer(&message),
                    _ => self.waiting.push_back(message),
                }
                false
            }
            Err(RecvTimeoutError::Timeout) => false,
            // The input has ended: earlier requests are answered. The wait returns at once, so this one waits.
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(PERIOD);
                false
            }
        }
    }
}

/// A message of a line; what is none is answered.
fn read(line: &[u8]) -> Option<Value> {
    if line.trim_ascii().is_empty() {
        return None;
    }
    match serde_json::from_slice::<Value>(line) {
        Ok(message) if message.is_object() => Some(message),
        Ok(_) => {
            reply(&Value::Null, Err(Wrong(-32600, "a message is an object".into())));
            None
        }
        Err(why) => {
            reply(&Value::Null, Err(Wrong(-32700, format!("this is no JSON: {why}"))));
            None
        }
    }
}

fn reply(id: &Value, result: Result<Value, Wrong>) {
    let message = match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(Wrong(code, why)) => {
            json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } })
        }
    };
    stdout::print_bytes(format!("{message}\n").as_bytes());
}

/// The result of a tool that failed.
fn failure(why: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": why }], "isError": true })
}

fn initialize(params: &Value) -> Value {
    let asked = params.get("protocolVersion").and_then(Value::as_str);
    let revision = REVISIONS.into_iter().find(|r| Some(*r) == asked).unwrap_or(REVISIONS[0]);
    json!({
        "protocolVersion": revision,
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "asp", "title": "Answer set programming", "version": env!("CARGO_PKG_VERSION") },
        "instructions": "Programs are in clingo's language. Write rules, then loop: `check` until it has no errors, `solve`, and \
            compare with what you expect; `why` an atom holds, `explain` why another does not, `why-unsat` if there is no \
            answer set. Keep what you expect as %@test comments, and run `test`.",
    })
}
