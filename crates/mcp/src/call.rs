//! A run of asp for a tool: what it prints, within limits.
//!
//! Invariant: it ends shortly after its time limit, and what is kept of its output is limited.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::process::Stdio;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use asp_run::confined::{Folder, Owned};

use super::Limits;

/// The limit on kept output, in bytes: of its beginning, and of the end of longer output.
const MOST: u64 = 1 << 20;
const END: usize = 1 << 16;
/// The time that a run has to end by itself after its limit.
const GRACE: Duration = Duration::from_secs(3);
/// Replaces the interpreters of scripts.
const SCRIPTS_OFF: &str = "(scripts do not run in asp mcp)";

pub(super) struct Run {
    pub(super) args: Vec<String>,
    pub(super) files: BTreeMap<String, String>,
    /// The files that are read again afterwards.
    pub(super) wants: Vec<String>,
}

/// The output of a run.
pub(super) struct Told {
    /// None if it was ended.
    pub(super) code: Option<i32>,
    pub(super) out: String,
    /// Whether something in the middle of it was not kept.
    pub(super) is_cut: bool,
    pub(super) err: String,
    pub(super) files: BTreeMap<String, String>,
}

/// A run that has begun.
pub(super) struct Call {
    child: Owned,
    outputs: Option<[JoinHandle<Kept>; 2]>,
    wants: Vec<String>,
    until: Instant,
    folder: Folder,
}

impl Call {
    pub(super) fn begin(run: &Run, limits: Limits) -> io::Result<Self> {
        let folder = Folder::new(run.files.iter())?;
        let mut command = folder.command(&run.args, Some(SCRIPTS_OFF))?;
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let mut child = Owned(child);
        let outputs = Some([gather(child.0.stdout.take())?, gather(child.0.stderr.take())?]);
        let until = Instant::now() + Duration::from_secs(limits.seconds.into()) + GRACE;
        Ok(Self { child, outputs, wants: run.wants.clone(), until, folder })
    }

    /// The output, once it has ended.
    pub(super) fn told(&mut self) -> Option<Told> {
        let code = match self.child.0.try_wait() {
            Ok(Some(status)) => status.code(),
            Ok(None) if Instant::now() < self.until => return None,
            // It is late, or cannot be asked.
            _ => {
                let _ = self.child.0.kill();
                None
            }
        };
        let [out, err] = self.outputs.take()?.map(|output| output.join().unwrap_or_default());
        let text = |kept: &Kept| String::from_utf8_lossy(&kept.bytes).into_owned();
        let read = |name: &String| {
            Some((name.clone(), std::fs::read_to_string(self.folder.path().join(name)).ok()?))
        };
        let files = self.wants.iter().filter_map(read).collect();
        Some(Told { code, out: text(&out), is_cut: out.is_cut, err: text(&err), files })
    }
}

/// Kept output.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    is_cut: bool,
}

/// Reads a pipe to its end, and keeps its beginning and its end.
fn gather(pipe: Option<impl Read + Send + 'static>) -> io::Result<JoinHandle<Kept>> {
    let read = move || {
        let mut kept = Kept::default();
        if let Some(mut pipe) = pipe {
            // A pipe that cannot be read has ended.
            let _ = pipe.by_ref().take(MOST).read_to_end(&mut kept.bytes);
            let mut end = End::default();
            let _ = io::copy(&mut pipe, &mut end);
            // Cut output is marked, and is not JSON.
            kept.is_cut = end.is_cut;
            if end.is_cut {
                kept.bytes.extend_from_slice(b"\n...\n");
            }
            kept.bytes.extend_from_slice(&end.kept);
        }
        kept
    };
    thread::Builder::new().name("output".into()).spawn(read)
}

/// Keeps the last bytes that are written to it.
#[derive(Default)]
struct End {
    kept: Vec<u8>,
    is_cut: bool,
}

impl io::Write for End {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.kept.extend_from_slice(bytes);
        if self.kept.len() > 4 * END {
            self.kept.drain(..self.kept.len() - END);
            self.is_cut = true;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
