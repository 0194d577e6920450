//! Bytes as a request to the page's server: its head is read or refused, only requests for this server are admitted, and a
//! job names no file outside its folder. What a run would print is told in valid JSON.
#![no_main]
#![allow(dead_code, unused_imports)]

#[path = "../../crates/serve/src/answers.rs"]
mod answers;
#[path = "../../crates/serve/src/guard.rs"]
mod guard;
#[path = "../../crates/serve/src/http.rs"]
mod http;
#[path = "../../crates/serve/src/job.rs"]
mod job;

use std::path::{Component, Path};

use answers::Output;
use guard::Guard;
use http::{Head, Refusal};
use job::Job;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let (head, body) = end.map_or((bytes, &[][..]), |end| (&bytes[..end], &bytes[end + 4..]));
    match Head::parse(&String::from_utf8_lossy(head)) {
        Ok(head) => {
            let guard = Guard::new(8017).expect("random numbers");
            let host = head.header("host").unwrap_or_default().to_ascii_lowercase();
            let is_own = host == "127.0.0.1:8017" || host == "localhost:8017";
            assert!(is_own || guard.admits(&head).is_err(), "{host}");
            assert!(!guard.knows_token(&head));
        }
        Err(Refusal(code, why)) => assert!((400..500).contains(&code) && !why.is_empty()),
    }
    match Job::read(body) {
        Ok(job) => {
            for name in job.names() {
                let inside = Path::new(name)
                    .components()
                    .all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
                assert!(inside && !name.contains('\0'), "{name:?}");
            }
        }
        Err(why) => assert!(!why.is_empty()),
    }
    tell(body);
});

/// Output that comes in pieces is told whole, in whatever pieces it comes.
fn tell(bytes: &[u8]) {
    let mut output = Output::new("out", false);
    let mut text = String::new();
    let mut add = |told: Option<serde_json::Value>| {
        text.extend(told.as_ref().and_then(|told| told[1].as_str()));
    };
    for piece in bytes.chunks(7) {
        output.push(piece);
        add(output.take(false));
    }
    add(output.take(true));
    assert_eq!(text, String::from_utf8_lossy(bytes));
    let mut answers = Output::new("answers", true);
    answers.push(bytes);
    let _ = answers.take(true);
}
