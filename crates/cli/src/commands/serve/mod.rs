//! `asp serve`: the page of `web/`, with this program as its engine.
//!
//! [`guard`] says which requests are answered, [`page`] has the page's files, [`job`] runs what the page asks for.
//! Invariants: nothing but this machine can connect; what does anything needs the token that only the printed link has; files
//! are written in one folder, by plain names.

mod answers;
mod guard;
mod job;
mod page;

use std::fs;
use std::io::{self, Read as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Arg, ArgMatches, Command, value_parser};
use serde_json::json;
use tiny_http::{Header, Method, Request, Response, Server};

use super::failure::note;
use super::spec::Spec;
use crate::watch::{self, TICK};
use crate::{exit, library, stdout};
use guard::Guard;
use job::BEAT;
use page::Page;

/// The subcommand.
pub(crate) const SPEC: Spec = Spec { name: "serve", define, run };

/// How long runs have to end when the server does.
const PATIENCE: Duration = Duration::from_secs(3);
/// The longest request.
const LONGEST: u64 = 64 << 20;
/// The longest that is read and thrown away; no browser sends more, so whoever says so only says so.
const CLAIMED: u64 = 1 << 30;
/// What is said of longer ones.
const TOO_LONG: &str = "this is longer than 64 MB";
/// What the page may do; as it says itself, and nobody may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'nonce-asp-style'; \
     style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

fn define() -> Command {
    Command::new("serve")
        .about("Serve the page to a browser on this machine, with this program as its engine")
        .after_help(
            "It prints a link; only who has it can use the page. The files that are named are open there, and Save\n\
             writes them back; without files, the page shows what it showed last. Ctrl-C ends it.\n\
             Scripts in programs do not run unless --scripts is given.\n\n\
             Examples:\n  asp serve\n  asp serve my-puzzle.lp my-grid.lp\n\n\
             Exit codes: 0 ended by Ctrl-C, 65 a file that cannot be read, no page, or no free port.",
        )
        .arg(Arg::new("files").value_name("FILES").num_args(0..).help("Programs and instances to open"))
        .arg(
            Arg::new("port")
                .long("port")
                .value_name("N")
                .value_parser(value_parser!(u16))
                .default_value("0")
                .help("The port; 0: one that is free"),
        )
        .arg(Arg::new("page").long("page").value_name("FOLDER").help("The folder of the page, as web/build.sh makes it"))
        .arg(
            Arg::new("scripts")
                .long("scripts")
                .action(clap::ArgAction::SetTrue)
                .help("Let programs run their scripts in Python"),
        )
}

/// What is served.
struct Site {
    guard: Guard,
    page: Page,
    /// The files that are open in the page at first.
    files: Vec<PathBuf>,
    scripts: bool,
    /// Whether the server is about to end.
    ending: Arc<AtomicBool>,
}

fn run(matches: &ArgMatches) -> u8 {
    match start(matches) {
        Ok(()) => 0,
        Err(message) => {
            eprintln!("*** ERROR: (asp): {message}");
            exit::INPUT_ERROR
        }
    }
}

fn start(matches: &ArgMatches) -> Result<(), String> {
    let files: Vec<PathBuf> =
        matches.get_many::<String>("files").into_iter().flatten().map(PathBuf::from).collect();
    for file in &files {
        readable(file)?;
    }
    let page = Page::find(matches.get_one::<String>("page").map(Path::new))?;
    let port = matches.get_one::<u16>("port").copied().unwrap_or(0);
    let server = Server::http((Ipv4Addr::LOCALHOST, port))
        .map_err(|why| format!("port {port} cannot be opened: {why}"))?;
    let port = server.server_addr().to_ip().as_ref().map_or(port, SocketAddr::port);
    let guard = Guard::new(port)?;
    stdout::print(&format!("http://127.0.0.1:{port}/?token={}\n", guard.token()));
    note("open this link in a browser on this machine; Ctrl-C ends");
    let ending = watch::catch_signals(exit::STOPPED).unwrap_or_default();
    let site = Arc::new(Site { guard, page, files, scripts: matches.get_flag("scripts"), ending });
    let at_work = Arc::new(());
    while !site.ending.load(Ordering::Relaxed) {
        let Ok(request) = server.recv_timeout(BEAT) else { break };
        let Some(request) = request else { continue };
        let (site, own) = (site.clone(), at_work.clone());
        let answer = move || {
            // Who does not listen to the end needs no answer.
            let _ = site.answer(request);
            drop(own);
        };
        if thread::Builder::new().name("request".into()).spawn(answer).is_err() {
            note("no thread can be started for a request");
        }
    }
    // Runs end with the server, and leave no folders.
    let until = Instant::now() + PATIENCE;
    while Arc::strong_count(&at_work) > 1 && Instant::now() < until {
        thread::sleep(TICK);
    }
    Ok(())
}

/// Whether a file can be opened in the page.
fn readable(file: &Path) -> Result<(), String> {
    let name = file.to_string_lossy();
    match library::read(&name) {
        Ok(found) if found.bytes.len() as u64 > LONGEST => Err(format!("{name} is too long for a page")),
        Ok(_) => Ok(()),
        Err(why) => Err(format!("file could not be opened: {name} ({why})")),
    }
}

/// The name of a file without its folders.
fn plain_name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn header(name: &str, value: &str) -> Option<Header> {
    Header::from_bytes(name, value).ok()
}

/// An answer with the headers that all have.
fn response(code: u16, kind: &str, body: impl Into<Vec<u8>>) -> Response<io::Cursor<Vec<u8>>> {
    let headers = [
        ("Content-Type", kind),
        ("Content-Security-Policy", POLICY),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
    ];
    let answer = Response::from_data(body).with_status_code(code);
    headers.into_iter().filter_map(|(name, value)| header(name, value)).fold(answer, Response::with_header)
}

fn text(code: u16, message: impl Into<String>) -> Response<io::Cursor<Vec<u8>>> {
    response(code, "text/plain; charset=utf-8", message.into())
}

impl Site {
    fn answer(&self, mut request: Request) -> io::Result<()> {
        if request.body_length().is_some_and(|claimed| claimed as u64 > CLAIMED) {
            // tiny_http would make room for all of that to be rid of it.
            std::mem::forget(request.upgrade("", text(413, TOO_LONG)));
            return Ok(());
        }
        if let Err(why) = self.guard.admits(&request) {
            return request.respond(text(403, why));
        }
        let url = request.url().to_string();
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        if *request.method() == Method::Get
            && let Some((kind, bytes)) = self.page.file(path)
        {
            let bytes = if path == "/" { self.shell(&bytes, query) } else { bytes };
            return request.respond(response(200, kind, bytes));
        }
        if !self.guard.knows_token(&request) {
            return request.respond(text(403, "this needs the link that asp serve printed"));
        }
        let mut body = Vec::new();
        request.as_reader().take(LONGEST + 1).read_to_end(&mut body)?;
        if body.len() as u64 > LONGEST {
            return request.respond(text(413, TOO_LONG));
        }
        match (request.method(), path) {
            (Method::Get, "/files") => request.respond(response(200, "application/json", self.opened())),
            (Method::Put, _) if path.starts_with("/files/") => {
                let saved = self.save(&decoded(&path["/files/".len()..]), &body);
                request.respond(saved.map_or_else(|why| text(400, why), |()| text(200, "saved")))
            }
            (Method::Post, "/run") => match job::Job::read(&body) {
                Ok(job) => job.run(request.into_writer(), self.scripts, &self.ending),
                Err(why) => request.respond(text(400, why)),
            },
            _ => request.respond(text(404, "there is nothing here")),
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

    /// Writes a file: one that was opened where it is, another one into the working folder.
    fn save(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        if !guard::is_plain(name) {
            return Err("a name without folders is needed".into());
        }
        let opened = self.files.iter().find(|file| plain_name(file) == name);
        let path = opened.cloned().unwrap_or_else(|| PathBuf::from(name));
        fs::write(&path, bytes).map_err(|why| format!("{} cannot be written: {why}", path.display()))
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
