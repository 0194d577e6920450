//! Messages of the protocol on standard input and output.
//!
//! Invariant: a message that cannot be read costs that message only: its length says where the next one begins. A header that
//! cannot be read ends the connection, for then nobody knows where anything begins.

use std::io::{self, BufRead, Read as _, Write};

use lsp_server::Message;
use serde_json::{Value, json};

/// The longest message that is taken; longer ones are passed over.
const MAX_MESSAGE: u64 = 256 << 20;

pub(super) enum Incoming {
    Message(Message),
    /// No message, with what is to be said about it.
    Malformed(Value),
    /// The connection ended.
    End,
}

/// Reads a message.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Incoming> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(4096).read_until(b'\n', &mut line)? == 0 {
            return Ok(Incoming::End);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        match (text, text.split_once(':')) {
            ("", _) if length.is_some() => break,
            // Blank lines between messages do no harm.
            ("", _) => {}
            (_, Some((name, value))) => {
                if name.trim().eq_ignore_ascii_case("content-length") {
                    length = Some(value.trim().parse::<u64>().map_err(|_| no_header(text))?);
                }
            }
            _ => return Err(no_header(text)),
        }
    }
    let length = length.unwrap_or(0);
    if length > MAX_MESSAGE {
        io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
        return Ok(malformed(-32600, "the message is longer than 256 MB", Value::Null));
    }
    let mut bytes = Vec::new();
    if input.by_ref().take(length).read_to_end(&mut bytes)? < length as usize {
        return Ok(Incoming::End);
    }
    let value: Value = match serde_json::from_slice(&bytes) {
        Ok(value) => value,
        Err(error) => return Ok(malformed(-32700, &format!("this is not JSON: {error}"), Value::Null)),
    };
    let id = value.get("id").filter(|id| id.is_string() || id.is_number()).cloned().unwrap_or(Value::Null);
    match serde_json::from_value(value) {
        Ok(message) => Ok(Incoming::Message(message)),
        Err(_) => Ok(malformed(-32600, "this is not a message of the protocol", id)),
    }
}

fn no_header(line: &str) -> io::Error {
    let start: String = line.chars().take(40).flat_map(char::escape_debug).collect();
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("an editor sends `Content-Length: N` here, this is `{start}`"),
    )
}

fn malformed(code: i32, message: &str, id: Value) -> Incoming {
    Incoming::Malformed(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }))
}

/// Writes a message.
pub(super) fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_message_costs_itself_only() {
        let good = r#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#;
        let mut text = String::new();
        for body in ["{", "[1]", r#"{"id":{}}"#, good] {
            text.push_str(&format!("Content-Length: {}\r\nX: y\r\n\r\n{body}", body.len()));
        }
        let mut input = text.as_bytes();
        for _ in 0..3 {
            assert!(matches!(read(&mut input), Ok(Incoming::Malformed(_))));
        }
        assert!(matches!(read(&mut input), Ok(Incoming::Message(Message::Request(_)))));
        assert!(matches!(read(&mut input), Ok(Incoming::End)));
        for broken in ["hello\r\n", "Content-Length: x\r\n\r\n{}", "Content-Type: y\r\n\r\n{}"] {
            assert!(read(&mut broken.as_bytes()).is_err(), "{broken}");
        }
        assert!(matches!(read(&mut "Content-Length: 9\r\n\r\n{".as_bytes()), Ok(Incoming::End)));
    }
}
