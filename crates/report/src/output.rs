//! The one buffer that results go through on their way to standard output.
//!
//! Invariants: text leaves in the order in which it came; nothing stays in the buffer for longer than [`FLUSH_AFTER`]
//! as long as [`Output::flush_if_due`] is called (by the writer after each model, by a watcher while the search is
//! silent); after a write error the rest is dropped and [`Output::is_closed`] is true.

use std::borrow::Cow;
use std::io::{IsTerminal as _, Write};
use std::time::{Duration, Instant};

use super::mask::{mask, mask_all_but_colours};
use super::progress;

/// How long text may wait.
pub(crate) const FLUSH_AFTER: Duration = Duration::from_millis(40);
/// How many bytes may wait.
const FLUSH_SIZE: usize = 1 << 16;

/// A buffered writer that knows when to flush.
pub struct Output {
    buffer: Vec<u8>,
    sink: Box<dyn Write + Send>,
    last_flush: Instant,
    /// Whether a terminal shows it: flush after every model, mask control characters.
    eager: bool,
    closed: bool,
    failure: Option<std::io::Error>,
    /// Whether the terminal's last line is the status line.
    status: bool,
}

impl Output {
    /// Writes to standard output.
    pub fn stdout() -> Self {
        Self::new(Box::new(std::io::stdout()), std::io::stdout().is_terminal())
    }
    /// Writes nowhere: what is written stays in the buffer.
    pub(crate) fn buffered() -> Self {
        Self::new(Box::new(std::io::sink()), false)
    }
    /// Writes to a sink.
    pub(crate) fn new(sink: Box<dyn Write + Send>, eager: bool) -> Self {
        Self {
            buffer: Vec::with_capacity(2 * FLUSH_SIZE),
            sink,
            last_flush: Instant::now(),
            eager,
            closed: false,
            failure: None,
            status: false,
        }
    }
    /// The buffer, to append to.
    #[inline]
    pub fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.buffer
    }
    /// Appends text.
    #[inline]
    pub fn push(&mut self, text: &str) {
        self.buffer.extend_from_slice(text.as_bytes());
    }
    /// Appends text that may be coloured. Pre: what others wrote was masked before.
    pub fn push_coloured(&mut self, text: &str) {
        if self.eager {
            self.flush();
            self.push(&mask_all_but_colours(text));
            self.write_at(Instant::now());
        } else {
            self.push(text);
        }
    }
    /// Whether nothing can be written any more: the reader is gone, or there was an error.
    pub fn is_closed(&self) -> bool {
        self.closed
    }
    /// Why nothing can be written any more.
    pub fn failure(&self) -> Option<&std::io::Error> {
        self.failure.as_ref()
    }
    /// Flushes if there is enough text or it has waited long enough; passing `now` saves asking the clock again.
    #[inline]
    pub fn flush_if_due(&mut self, now: Instant) {
        let due = self.eager
            || self.buffer.len() >= FLUSH_SIZE
            || now.duration_since(self.last_flush) >= FLUSH_AFTER;
        if due && !self.buffer.is_empty() {
            self.flush_at(now);
        }
    }
    /// Writes everything out.
    pub fn flush(&mut self) {
        self.flush_at(Instant::now());
    }
    /// Draws or redraws the status line; the output before it must have been written.
    pub fn draw_status(&mut self, line: &str) {
        self.flush();
        progress::draw(line);
        self.status = true;
    }
    /// Removes the status line, if there is one.
    pub fn wipe_status(&mut self) {
        if std::mem::take(&mut self.status) {
            progress::wipe();
        }
    }
    fn flush_at(&mut self, now: Instant) {
        if self.eager && !self.buffer.is_empty() {
            // Both may be on the same terminal.
            self.wipe_status();
            if let Cow::Owned(masked) = mask(&String::from_utf8_lossy(&self.buffer)) {
                self.buffer = masked.into_bytes();
            }
        }
        self.write_at(now);
    }
    fn write_at(&mut self, now: Instant) {
        if !self.closed
            && let Err(error) = self.sink.write_all(&self.buffer).and_then(|()| self.sink.flush())
        {
            self.closed = true;
            self.failure = Some(error);
        }
        self.buffer.clear();
        self.last_flush = now;
    }
}

/// Appends formatted text to an [`Output`].
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{
        use std::io::Write as _;
        let _ = write!($out.buffer(), $($arg)*);
    }};
}
pub(crate) use put;

/// Appends an integer in decimal.
#[inline]
pub(crate) fn push_int(buffer: &mut Vec<u8>, n: i64) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = n.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        at -= 1;
        digits[at] = b'-';
    }
    buffer.extend_from_slice(&digits[at..]);
}

/// Appends seconds with three decimals.
#[inline]
pub(crate) fn push_seconds(buffer: &mut Vec<u8>, seconds: f64) {
    let ms = (seconds * 1000.0).round().max(0.0) as u64;
    push_int(buffer, (ms / 1000) as i64);
    let rest = ms % 1000;
    buffer.extend_from_slice(&[
        b'.',
        b'0' + (rest / 100) as u8,
        b'0' + (rest / 10 % 10) as u8,
        b'0' + (rest % 10) as u8,
    ]);
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    /// A sink whose contents can be inspected.
    #[derive(Clone, Default)]
    pub(crate) struct Shared(pub(crate) Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn waits_then_flushes() {
        let sink = Shared::default();
        let mut out = Output::new(Box::new(sink.clone()), false);
        let start = out.last_flush;
        out.push("a");
        out.flush_if_due(start);
        assert!(sink.0.lock().unwrap().is_empty());
        out.flush_if_due(start + FLUSH_AFTER);
        assert_eq!(sink.0.lock().unwrap().as_slice(), b"a");
    }

    #[test]
    fn a_gone_reader_is_noticed() {
        let mut out = Output::new(Box::new(Broken), true);
        out.push("a");
        out.flush();
        assert!(out.is_closed());
    }

    #[test]
    fn numbers() {
        let mut b = Vec::new();
        for n in [0, 7, -12, i64::MIN, i64::MAX] {
            push_int(&mut b, n);
            b.push(b' ');
        }
        push_seconds(&mut b, 12.0346);
        assert_eq!(b, b"0 7 -12 -9223372036854775808 9223372036854775807 12.035");
    }
}
