//! The page's server (`asp serve`): the page of `web/`, with this program as its engine.
//!
//! [`http`] reads requests, [`guard`] decides which are answered, [`page`] has the page's files, [`job`] runs the page's jobs.
//! Invariants: only this machine can connect; every action needs the token that only the printed link has; files are written in
//! one folder, by plain names, and a file that was not opened or saved here is overwritten only on the page's demand.

mod answers;
mod guard;
mod http;
mod job;
mod page;

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use asp_options::disk;
use asp_run::failure::note;
use asp_run::watch::{self, TICK};
use asp_run::{exit, library, stdout};
use guard::Guard;
use http::{Connection, Connections, Refusal, Request};
use page::Page;

/// How long runs have to end when the server does.
const SHUTDOWN_TIME: Duration = Duration::from_secs(3);
const MAX_BODY: u64 = 64 << 20;
/// The content security policy of the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'nonce-asp-style'; \
     style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

struct Site {
    guard: Guard,
    page: Page,
    /// The files that are open in the page at first.
    files: Vec<PathBuf>,
    /// The files that Save overwrites without asking again: those that were opened or saved here.
    own: Mutex<BTreeSet<String>>,
    scripts: bool,
    /// Whether the server is about to end.
    ending: Arc<AtomicBool>,
    /// How many runs there are.
    running: AtomicUsize,
}

/// Serves the page of that folder, or of this program, with these files open at first, until Ctrl-C; the error says why
/// it cannot.
pub fn serve(files: Vec<PathBuf>, port: u16, page: Option<&Path>, scripts: bool) -> Result<(), String> {
    let (mut names, mut own) = (BTreeSet::new(), BTreeSet::new());
    for file in &files {
        readable(file)?;
        let name = plain_name(file);
        if file.is_file() {
            own.insert(name.clone());
        }
        if !names.insert(name.clone()) {
            return Err(format!("two of these files are named {name}, by which the page tells them apart"));
        }
    }
    let page = Page::find(page)?;
    let closed = |why: io::Error| format!("port {port} cannot be opened: {why}");
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(closed)?;
    let port = listener.local_addr().map_err(closed)?.port();
    let guard = Guard::new(port)?;
    stdout::print(&format!("http://127.0.0.1:{port}/?token={}\n", guard.token()));
    note("open this link in a browser on this machine; Ctrl-C ends");
    let ending = watch::catch_signals(exit::STOPPED).unwrap_or_default();
    let site = Arc::new(Site {
        guard,
        page,
        files,
        own: Mutex::new(own),
        scripts,
        ending,
        running: AtomicUsize::new(0),
    });
    let (answering, connections) = (site.clone(), Connections::default());
    let all = connections.clone();
    let answer = move |connection: Connection| {
        if let Some(request) = connection.request() {
            // A client that has gone needs no answer.
            let _ = answering.answer(request);
        }
    };
    thread::Builder::new()
        .name("accept".into())
        .spawn(move || all.serve(&listener, &answer))
        .map_err(|why| format!("no thread can be started here: {why}"))?;
    while !site.ending.load(Ordering::Relaxed) {
        thread::sleep(TICK);
    }
    // All runs end with the server and remove their folders, those without a client, too.
    let begun = Instant::now();
    while site.running.load(Ordering::Relaxed) > 0 && begun.elapsed() < SHUTDOWN_TIME {
        if begun.elapsed() > SHUTDOWN_TIME / 3 {
            connections.end();
        }
        thread::sleep(TICK);
    }
    Ok(())
}

/// Whether a file can be opened in the page.
fn readable(file: &Path) -> Result<(), String> {
    let name = file.to_string_lossy();
    match library::read(&name) {
        Ok(found) if found.bytes.len() as u64 > MAX_BODY => Err(format!("{name} is too long for a page")),
        Ok(_) => Ok(()),
        Err(why) => Err(format!("file could not be opened: {name} ({why})")),
    }
}

/// The name of a file without its folders.
fn plain_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Sends an answer with the headers that all have.
fn respond(request: Request, code: u16, kind: &str, body: &[u8]) -> io::Result<()> {
    respond_with(request, code, kind, &[], body)
}

/// The same, with more headers.
fn respond_with(
    request: Request,
    code: u16,
    kind: &str,
    more: &[(&str, &str)],
    body: &[u8],
) -> io::Result<()> {
    let all = [
        ("Content-Type", kind),
        ("Content-Security-Policy", POLICY),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    ];
    request.respond(code, &[&all[..], more].concat(), body)
}

fn tell(request: Request, code: u16, message: &str) -> io::Result<()> {
    respond(request, code, "text/plain; charset=utf-8", message.as_bytes())
}

impl Site {
    fn answer(&self, mut request: Request) -> io::Result<()> {
        if let Err(why) = self.guard.admits(&request.head) {
            return tell(request, 403, &why);
        }
        let url = request.head.url.clone();
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        if request.head.method == "GET"
            && let Some(file) = self.page.file(path)
        {
            let bytes = if path == "/" { self.shell(&file.bytes, query) } else { file.bytes };
            let encoding = if file.packed { &[("Content-Encoding", "gzip")][..] } else { &[] };
            return respond_with(request, 200, file.kind, encoding, &bytes);
        }
        if !self.guard.knows_token(&request.head) {
            return tell(request, 403, "this needs the link that asp serve printed");
        }
        let body = match request.body(MAX_BODY) {
            Ok(body) => body,
            Err(Refusal(code, why)) => return tell(request, code, &why),
        };
        match (request.head.method.as_str(), path) {
            ("GET", "/files") => respond(request, 200, "application/json", self.opened().as_bytes()),
            ("PUT", _) if path.starts_with("/files/") => {
                let name = decoded(&path["/files/".len()..]);
                match self.save(&name, &body, query == "replace") {
                    Ok(()) => tell(request, 200, "saved"),
                    Err(Refusal(code, why)) => tell(request, code, &why),
                }
            }
            ("POST", "/run") => match job::Job::read(&body) {
                Ok(job) => {
                    self.running.fetch_add(1, Ordering::Relaxed);
                    let told = job.run(request.into_writer(), self.scripts, &self.ending);
                    self.running.fetch_sub(1, Ordering::Relaxed);
                    told
                }
                Err(why) => tell(request, 400, &why),
            },
            _ => tell(request, 404, "there is nothing here"),
        }
    }

    /// The page, with the token for who has the link.
    fn shell(&self, bytes: &[u8], query: &str) -> Vec<u8> {
        let html = String::from_utf8_lossy(bytes);
        let given = query.split('&').find_map(|part| part.strip_prefix("token="));
        if !given.is_some_and(|token| self.guard.is_token(token)) {
            return b"<!DOCTYPE html><title>asp</title><p>Open the link that <code>asp serve</code> printed."
                .to_vec();
        }
        let meta = format!("<meta name=\"asp-token\" content=\"{}\">\n</head>", self.guard.token());
        html.replacen("</head>", &meta, 1).into_bytes()
    }

    /// The files that are open at first.
    fn opened(&self) -> String {
        let read = |file: &PathBuf| {
            let found = library::read(&file.to_string_lossy()).ok()?;
            Some(json!({ "name": plain_name(file), "text": String::from_utf8_lossy(&found.bytes) }))
        };
        json!(self.files.iter().filter_map(read).collect::<Vec<_>>()).to_string()
    }

    /// Writes a file: an opened one in place, any other into the working folder. An existing file that was neither opened nor
    /// saved here is replaced only on demand, and a link, which may lead out of the folder, never.
    fn save(&self, name: &str, bytes: &[u8], replace: bool) -> Result<(), Refusal> {
        if !guard::is_plain(name) {
            return Err(Refusal(400, "a name without folders is needed".into()));
        }
        let opened = self.files.iter().find(|file| plain_name(file) == name);
        let path = opened.cloned().unwrap_or_else(|| PathBuf::from(name));
        if opened.is_none() && fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
            return Err(Refusal(403, format!("{name} is a link, and was not opened here")));
        }
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let written = if replace || own.contains(name) {
            disk::replace(&path, bytes)
        } else {
            OpenOptions::new()
                .write(true)
                .create_new(true)
                .open(&path)
                .and_then(|mut file| file.write_all(bytes))
        };
        match written {
            Ok(()) => {
                own.insert(name.to_string());
                Ok(())
            }
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {
                Err(Refusal(409, format!("{name} is there already, and was not opened here")))
            }
            Err(why) => Err(Refusal(400, format!("{} cannot be written: {why}", path.display()))),
        }
    }
}

/// A part of a path without its `%XX`.
fn decoded(part: &str) -> String {
    let mut out = Vec::new();
    let mut rest = part.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = |bytes: &[u8]| u8::from_str_radix(std::str::from_utf8(bytes.get(..2)?).ok()?, 16).ok();
        match (first, hex(after)) {
            (b'%', Some(byte)) => {
                out.push(byte);
                rest = &after[2..];
            }
            _ => {
                out.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
