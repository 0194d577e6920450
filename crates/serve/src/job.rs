//! A run requested by the page: a process of this program in a folder of its own, whose output is sent on as it comes.
//!
//! Invariants: the process sees the page's texts before the files of the working folder, and can name no file to write
//! outside its folder, nor read one outside it and the working folder; it ends when the page does not listen any more, and with
//! the server; the folder is gone afterwards.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::Duration;
use std::{fs, thread};

use serde::Deserialize;
use serde_json::{Value, json};

use super::answers::Output;
use asp_run::confined::{Folder, Owned, stays};

/// After this long without output an empty line is sent, to see whether the client is still there.
pub(super) const HEARTBEAT: Duration = Duration::from_millis(300);
/// How long output is collected.
const PERIOD: Duration = Duration::from_millis(40);
/// The number of pieces of output that may wait to be sent: beyond that none are read, so the process waits, too.
const MAX_WAITING: usize = 8;
/// Replaces the interpreters of scripts.
const SCRIPTS_OFF: &str = "(scripts are off: asp serve --scripts)";
/// Subcommands that the page has no use for.
const REFUSED: [&str; 5] = ["python", "serve", "mcp", "watch", "cubes"];

/// A job as the page sends it.
#[derive(Deserialize)]
pub(super) struct Job {
    args: Vec<String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    stdin: String,
    /// Files that the page reads afterwards.
    #[serde(default)]
    wants: Vec<String>,
    /// Whether the output is lines of answer sets.
    #[serde(default)]
    answers: bool,
}

/// Whether an argument names no file outside the folder, in any way in which options take their values.
fn is_harmless(argument: &str) -> bool {
    let outside =
        |part: &str| part.starts_with(['/', '\\', '~']) || part.split(['/', '\\']).any(|c| c == "..");
    // A value may follow the letters of short options: -qo/x.
    let attached = argument.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    let attached = attached.map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric()));
    !argument.contains('\0')
        && !attached.is_some_and(outside)
        && argument.split(['=', ',', '@']).all(|part| !outside(part))
}

/// Whether an argument can only be an atom, whatever its terms say: `p("../x")`.
fn is_atom(argument: &str) -> bool {
    let name = argument.split_once('(').map_or("", |(name, _)| name);
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
    is_name && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && argument.ends_with(')')
}

impl Job {
    /// Reads and checks a job.
    pub(super) fn read(body: &[u8]) -> Result<Self, String> {
        let job: Self = serde_json::from_slice(body).map_err(|why| format!("this is no job: {why}"))?;
        if let Some(name) = job.names().find(|name| !stays(name)) {
            return Err(format!("`{name}` is no name of a file here"));
        }
        if job.args.first().is_some_and(|first| REFUSED.contains(&first.as_str())) {
            return Err("the page does not run this subcommand".into());
        }
        let asks = job.args.first().is_some_and(|first| first == "why" || first == "why-not");
        match job.args.iter().find(|a| !(is_harmless(a) || asks && is_atom(a))) {
            Some(argument) => {
                Err(format!("`{argument}` names a file outside the page; run asp in a terminal for that"))
            }
            None => Ok(job),
        }
    }

    /// The files of its folder that it names.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.files.keys().chain(&self.wants)
    }

    /// Runs it and writes the answer: JSON arrays, one a line.
    pub(super) fn run(&self, mut to: impl Write, scripts: bool, ending: &AtomicBool) -> io::Result<()> {
        to.write_all(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nCache-Control: no-store\r\n\
              X-Content-Type-Options: nosniff\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
        )?;
        let result = Folder::new(self.files.iter()).and_then(|folder| {
            let child = self.begin(&folder, scripts)?;
            self.attend(child, folder.path(), &mut to, ending)
        });
        if let Err(why) = &result {
            let message = format!("asp could not run here: {why}");
            chunk(&mut to, &json!(["end", { "code": null, "trap": message, "files": {} }]))?;
        }
        to.write_all(b"0\r\n\r\n")?;
        to.flush()
    }

    fn begin(&self, folder: &Folder, scripts: bool) -> io::Result<Child> {
        let off = (!scripts).then_some(SCRIPTS_OFF);
        let mut command = folder.command(&self.args, off)?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    }

    /// Sends what the process prints until it ends, nobody listens, or the server is ending.
    fn attend(&self, child: Child, folder: &Path, to: &mut dyn Write, ending: &AtomicBool) -> io::Result<()> {
        let mut child = Owned(child);
        let (sender, receiver) = mpsc::sync_channel(MAX_WAITING);
        pass(child.0.stdout.take(), 0, sender.clone())?;
        pass(child.0.stderr.take(), 1, sender)?;
        if let Some(mut input) = child.0.stdin.take() {
            let text = self.stdin.clone();
            // A process that reads no input closes it.
            thread::Builder::new()
                .name("input".into())
                .spawn(move || drop(input.write_all(text.as_bytes())))?;
        }
        let mut outputs = [
            Output::new(if self.answers { "answers" } else { "out" }, self.answers),
            Output::new("err", false),
        ];
        loop {
            let ended = match receiver.recv_timeout(HEARTBEAT) {
                Ok((which, bytes)) => {
                    outputs[which].push(&bytes);
                    let until = std::time::Instant::now() + PERIOD;
                    let mut ended = false;
                    while let Some(left) = until.checked_duration_since(std::time::Instant::now()) {
                        match receiver.recv_timeout(left) {
                            Ok((which, bytes)) => outputs[which].push(&bytes),
                            Err(RecvTimeoutError::Timeout) => break,
                            Err(RecvTimeoutError::Disconnected) => {
                                ended = true;
                                break;
                            }
                        }
                    }
                    ended
                }
                Err(RecvTimeoutError::Timeout) => {
                    write!(to, "1\r\n\n\r\n").and_then(|()| to.flush())?;
                    false
                }
                Err(RecvTimeoutError::Disconnected) => true,
            };
            for told in outputs.iter_mut().filter_map(|o| o.take(ended)) {
                chunk(to, &told)?;
            }
            if ended {
                break;
            }
            if ending.load(Ordering::Relaxed) {
                return Err(io::Error::other("the server has ended"));
            }
        }
        let code = child.0.wait()?.code();
        let read = |name: &String| Some((name.clone(), fs::read_to_string(folder.join(name)).ok()?));
        let files: BTreeMap<String, String> = self.wants.iter().filter_map(read).collect();
        let trap = if code.is_none() { json!("it was ended by a signal") } else { Value::Null };
        chunk(to, &json!(["end", { "code": code, "trap": trap, "files": files }]))
    }
}

/// Sends what can be read from a pipe, by its number.
fn pass(
    pipe: Option<impl Read + Send + 'static>,
    which: usize,
    sender: SyncSender<(usize, Vec<u8>)>,
) -> io::Result<()> {
    let Some(mut pipe) = pipe else { return Ok(()) };
    let read = move || {
        let mut buffer = vec![0; 64 << 10];
        while let Ok(n @ 1..) = pipe.read(&mut buffer) {
            if sender.send((which, buffer[..n].to_vec())).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("output".into()).spawn(read).map(drop)
}

/// Writes a line as a chunk of the answer.
fn chunk(to: &mut dyn Write, value: &Value) -> io::Result<()> {
    let line = format!("{value}\n");
    write!(to, "{:x}\r\n{line}\r\n", line.len())?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_stay_in_their_folder() {
        let read = |args: &[&str], file: &str| {
            Job::read(json!({ "args": args, "files": { file: "" } }).to_string().as_bytes())
        };
        assert!(read(&["a.lp", "-c", "n=3/2", "--html=out.html"], "a.lp").is_ok());
        assert!(read(&["why", "p(a/b)", "a.lp"], "sub/a.lp").is_ok());
        assert!(read(&["why", "--", "-p(1/2)", "a.lp"], "a.lp").is_ok());
        assert!(read(&["why", "--in", "x.txt", "--", "p(\"a/../b\",/x)", "a.lp"], "a.lp").is_ok());
        for args in [
            &["--html=/etc/x"][..],
            &["--svg", "/x"],
            &["--svg=../x"],
            &["--lemma-out=a/../../x"],
            &["--csv=p=/etc/passwd"],
            &["~/x"],
            &["python", "x.py"],
            &["serve"],
            &["why", "--in", "/etc/x", "--", "a", "a.lp"],
            &["why", "--", "a", "/etc/x"],
            &["why", "a", "--", "/etc/x"],
            &["why", "--html=/x(a)", "a"],
            &["generate", "futoshiki", "-o/tmp/x"],
            &["generate", "futoshiki", "-qo../x"],
            &["p(\"a/../x\")"],
        ] {
            assert!(read(args, "a.lp").is_err(), "{args:?}");
        }
        for file in ["/etc/x", "../x", "a/../../x", "", "a\\b"] {
            assert!(read(&["a.lp"], file).is_err(), "{file:?}");
        }
    }
}
