//! HTTP/1.1 (RFC 9112), as much of it as browsers send to a page of this machine: one request a connection.
//!
//! Invariants: a head is whole before anything is decided on it, and a body is read only by who asks for it, so a request that is
//! refused waits for nothing; each request has its time; at most [`MAX_CONNECTIONS`] connections are open, and one from which something is
//! still awaited makes way for a new one. So threads and descriptors are bounded, whoever connects.

use std::io::{self, Read as _, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The most connections at a time.
const MAX_CONNECTIONS: usize = 64;
/// How many more there may be that were ended and have not noticed yet.
const MAX_ENDING: usize = 32;
/// How long a request may take to arrive.
const REQUEST_TIME: Duration = Duration::from_secs(20);
/// How long a client that is refused may go on sending.
const LINGER_TIME: Duration = Duration::from_secs(3);
/// How long an answer may take to leave, but for runs.
const ANSWER_TIME: Duration = Duration::from_secs(60);
/// How long to wait if no connection can be accepted, as if there are no descriptors.
const RETRY_AFTER: Duration = Duration::from_millis(20);
const MAX_HEAD: usize = 64 << 10;

/// An answer that is sent instead of what was asked for: a status and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Refusal(pub(super) u16, pub(super) String);

fn refuse<T>(code: u16, why: &str) -> Result<T, Refusal> {
    Err(Refusal(code, why.into()))
}

/// A connection that is open.
struct Entry {
    number: u64,
    stream: Arc<TcpStream>,
    /// Whether something is awaited from the client.
    waits: bool,
}

/// All connections that are open.
#[derive(Default)]
struct Table {
    last: u64,
    /// How many connections have owners: those in the list, and those ended without having noticed yet.
    alive: usize,
    entries: Vec<Entry>,
}

/// The connections of a server.
#[derive(Clone, Default)]
pub(super) struct Connections(Arc<Mutex<Table>>);

impl Connections {
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Accepts connections and handles each in a thread of its own. Never returns.
    pub(super) fn serve(
        &self,
        listener: &TcpListener,
        handle: &(impl Fn(Connection) + Clone + Send + 'static),
    ) {
        loop {
            while self.lock().alive >= MAX_CONNECTIONS + MAX_ENDING {
                thread::sleep(RETRY_AFTER / 10);
            }
            let Ok((stream, _)) = listener.accept() else {
                self.make_way();
                thread::sleep(RETRY_AFTER);
                continue;
            };
            let Some(connection) = self.open(stream) else { continue };
            let handle = handle.clone();
            // A connection without a thread is closed.
            let _ = thread::Builder::new().name("request".into()).spawn(move || handle(connection));
        }
    }

    /// Takes a connection in, unless all that are open are being answered.
    fn open(&self, stream: TcpStream) -> Option<Connection> {
        if self.lock().entries.len() >= MAX_CONNECTIONS && !self.make_way() {
            return None;
        }
        let stream = Arc::new(stream);
        let mut table = self.lock();
        table.last += 1;
        table.alive += 1;
        let number = table.last;
        table.entries.push(Entry { number, stream: stream.clone(), waits: true });
        drop(table);
        Some(Connection { number, stream, all: self.clone() })
    }

    /// Ends the connection that has kept the server waiting for longest; whether there was one.
    fn make_way(&self) -> bool {
        let mut table = self.lock();
        let Some(oldest) = table.entries.iter().position(|entry| entry.waits) else { return false };
        let entry = table.entries.remove(oldest);
        // Its thread sees the end of what is sent.
        let _ = entry.stream.shutdown(Shutdown::Both);
        true
    }

    /// Ends all connections.
    pub(super) fn end(&self) {
        for entry in self.lock().entries.drain(..) {
            let _ = entry.stream.shutdown(Shutdown::Both);
        }
    }
}

/// A connection; it is closed with its owner.
pub(super) struct Connection {
    number: u64,
    stream: Arc<TcpStream>,
    all: Connections,
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut table = self.all.lock();
        table.alive -= 1;
        table.entries.retain(|entry| entry.number != self.number);
    }
}

impl Connection {
    /// Says whether something is awaited from the client.
    fn waits(&self, waits: bool) {
        let mut table = self.all.lock();
        if let Some(entry) = table.entries.iter_mut().find(|entry| entry.number == self.number) {
            entry.waits = waits;
        }
    }

    /// Reads some bytes before a time.
    fn read(&self, buffer: &mut [u8], until: Instant) -> Result<usize, Refusal> {
        let late = || Refusal(408, "the request did not arrive in time".into());
        let left =
            until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()).ok_or_else(late)?;
        // A time that cannot be set is not kept.
        let _ = self.stream.set_read_timeout(Some(left));
        match (&*self.stream).read(buffer) {
            Ok(0) => refuse(400, "the request ended early"),
            Ok(n) => Ok(n),
            Err(why) if matches!(why.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                Err(late())
            }
            Err(why) => refuse(400, &why.to_string()),
        }
    }

    /// Reads the head of a request; an error has been answered.
    pub(super) fn request(self) -> Option<Request> {
        match self.head() {
            Ok((head, rest)) => {
                let until = Instant::now() + REQUEST_TIME;
                let parsed = Head::parse(&head);
                // Where a request ends that cannot be parsed is unknown.
                let (head, refusal) = match parsed {
                    Ok(head) => (head, None),
                    Err(refusal) => (Head::default(), Some(refusal)),
                };
                let length = head.length;
                let request = Request { connection: self, head, length, rest, until };
                match refusal {
                    None => Some(request),
                    Some(refusal) => {
                        request.refuse(&refusal);
                        None
                    }
                }
            }
            Err(Refusal(code, why)) => {
                // A client that sends no head may not listen either.
                let _ = self.answer(code, &[], why.as_bytes());
                None
            }
        }
    }

    /// The head, and what came of the body with it.
    fn head(&self) -> Result<(String, Vec<u8>), Refusal> {
        let until = Instant::now() + REQUEST_TIME;
        let mut bytes = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            let n = self.read(&mut buffer, until)?;
            // The end may have begun before.
            let from = bytes.len().saturating_sub(3);
            bytes.extend_from_slice(&buffer[..n]);
            if let Some(end) = bytes[from..].windows(4).position(|end| end == b"\r\n\r\n") {
                let rest = bytes.split_off(from + end + 4);
                bytes.truncate(from + end);
                return Ok((String::from_utf8_lossy(&bytes).into_owned(), rest));
            }
            if bytes.len() > MAX_HEAD {
                return refuse(431, "the head of this request is too long");
            }
        }
    }

    fn answer(&self, code: u16, headers: &[(&str, &str)], body: &[u8]) -> io::Result<()> {
        let reason = match code {
            200 => "OK",
            400 => "Bad Request",
            403 => "Forbidden",
            404 => "Not Found",
            408 => "Request Timeout",
            409 => "Conflict",
            411 => "Length Required",
            413 => "Content Too Large",
            431 => "Request Header Fields Too Large",
            _ => "Error",
        };
        let mut head =
            format!("HTTP/1.1 {code} {reason}\r\nContent-Length: {}\r\nConnection: close\r\n", body.len());
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        self.stream.set_write_timeout(Some(ANSWER_TIME))?;
        let mut stream = &*self.stream;
        stream.write_all(&[head.as_bytes(), body].concat())?;
        stream.flush()
    }

    /// Reads and discards remaining input: closed before, the connection would be reset and the answer lost.
    fn linger(&self) {
        self.waits(true);
        let _ = self.stream.shutdown(Shutdown::Write);
        let until = Instant::now() + LINGER_TIME;
        let mut buffer = vec![0; 64 << 10];
        while self.read(&mut buffer, until).is_ok() {}
    }
}

#[derive(Default)]
pub(super) struct Head {
    /// The method, as `GET`.
    pub(super) method: String,
    /// The path with its query.
    pub(super) url: String,
    headers: Vec<(String, String)>,
    /// The bytes of the body.
    pub(super) length: u64,
}

/// A request whose head has arrived.
pub(super) struct Request {
    connection: Connection,
    pub(super) head: Head,
    /// How many bytes of the body have not been taken.
    length: u64,
    /// Their beginning, read so far.
    rest: Vec<u8>,
    until: Instant,
}

impl Head {
    /// Reads a head without the blank line at its end.
    pub(super) fn parse(text: &str) -> Result<Self, Refusal> {
        let mut head = Self::default();
        let mut lines = text.split("\r\n");
        let mut words = lines.next().unwrap_or_default().split(' ');
        match (words.next(), words.next(), words.next(), words.next()) {
            (Some(method), Some(url), Some(version), None) if version.starts_with("HTTP/1.") => {
                head.method = method.into();
                head.url = url.into();
            }
            _ => return refuse(400, "this is no request of HTTP/1"),
        }
        for line in lines {
            match line.split_once(':') {
                Some((name, value)) if !name.is_empty() && !name.contains([' ', '\t']) => {
                    head.headers.push((name.to_ascii_lowercase(), value.trim().into()));
                }
                _ => return refuse(400, "this is no header"),
            }
        }
        for name in ["host", "origin", "content-length"] {
            if head.headers.iter().filter(|(n, _)| n == name).count() > 1 {
                return refuse(400, "a header is there twice");
            }
        }
        match head.header("content-length").map(str::parse::<u64>) {
            Some(Ok(length)) => head.length = length,
            Some(Err(_)) => return refuse(400, "the length is no number"),
            None if head.header("transfer-encoding").is_some() => return refuse(411, "a length is needed"),
            None => {}
        }
        Ok(head)
    }

    /// The value of a header; its name in small letters.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

impl Request {
    /// Reads the body, if it is no longer than this.
    pub(super) fn body(&mut self, most: u64) -> Result<Vec<u8>, Refusal> {
        if self.length > most {
            return Err(Refusal(413, format!("this is longer than {} MB", most >> 20)));
        }
        if self.head.header("expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
            // A client that does not wait for it sends the body in any case.
            let _ = (&*self.connection.stream).write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
        }
        // A body that is only announced takes no memory.
        let mut body = std::mem::take(&mut self.rest);
        let mut buffer = vec![0; 64 << 10];
        while (body.len() as u64) < self.length {
            let n = self.connection.read(&mut buffer, self.until)?;
            body.extend_from_slice(&buffer[..n]);
        }
        body.truncate(self.length as usize);
        self.length = 0;
        self.connection.waits(false);
        Ok(body)
    }

    /// Sends an answer.
    pub(super) fn respond(self, code: u16, headers: &[(&str, &str)], body: &[u8]) -> io::Result<()> {
        self.connection.answer(code, headers, body)?;
        if self.length > self.rest.len() as u64 {
            self.connection.linger();
        }
        Ok(())
    }

    fn refuse(self, Refusal(code, why): &Refusal) {
        // A client that has gone needs no answer.
        let _ = self.respond(*code, &[], why.as_bytes());
    }

    /// The connection, for an answer that is written piece by piece, including its head. Pre: the body was read.
    pub(super) fn into_writer(self) -> Connection {
        self.connection.waits(false);
        self.connection
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self.stream).write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        (&*self.stream).flush()
    }
}
