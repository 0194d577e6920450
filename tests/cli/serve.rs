//! `asp serve`: who is answered, what a run tells, which files are written; `asp watch`: what it shows at a save.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

struct Site {
    process: Running,
    port: u16,
    token: String,
    folder: TempDir,
}

fn asp(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
    command.args(args).current_dir(folder).env_remove("ASP_PATH").env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

impl Site {
    fn start(files: &[(&str, &str)], args: &[&str]) -> Self {
        Self::start_in(files, args, None)
    }

    /// With the page of the program itself.
    fn start_as_built() -> Self {
        Self::start_with(tempfile::tempdir().unwrap(), &["serve"], None)
    }

    /// With another folder for what is temporary.
    fn start_in(files: &[(&str, &str)], args: &[&str], temporary: Option<&Path>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        fs::create_dir(folder.path().join("page")).unwrap();
        for (name, text) in [("index.html", "<head></head>page"), ("page.js", "js"), ("style.css", "css")] {
            fs::write(folder.path().join("page").join(name), text).unwrap();
        }
        Self::start_with(folder, &[&["serve", "--page", "page"], args].concat(), temporary)
    }

    fn start_with(folder: TempDir, args: &[&str], temporary: Option<&Path>) -> Self {
        let mut command = asp(folder.path(), args);
        if let Some(path) = temporary {
            command.env("TMPDIR", path);
        }
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut link = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut link).unwrap();
        let (address, token) = link.trim().split_once("/?token=").unwrap();
        let port = address.strip_prefix("http://127.0.0.1:").unwrap().parse().unwrap();
        Self { process: Running(process), port, token: token.into(), folder }
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.port)
    }

    /// Status and body of an answer.
    fn ask(&self, method: &str, path: &str, headers: &[String], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let lines: String = headers.iter().map(|h| format!("{h}\r\n")).collect();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\n{lines}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_string())
    }

    fn own(&self) -> Vec<String> {
        vec![self.host(), format!("X-Asp-Token: {}", self.token)]
    }

    /// What a run tells.
    fn run(&self, job: &Value) -> Vec<Value> {
        let (code, body) = self.ask("POST", "/run", &self.own(), &job.to_string());
        assert_eq!(code, 200, "{body}");
        body.lines().filter(|l| l.starts_with('[')).map(|l| serde_json::from_str(l).unwrap()).collect()
    }
}

/// Every program has the page in it.
#[test]
fn the_page_is_part_of_the_program() {
    let site = Site::start_as_built();
    let (code, shell) = site.ask("GET", &format!("/?token={}", site.token), &[site.host()], "");
    assert!(code == 200 && shell.contains(r#"<script src="page.js">"#), "{shell}");
    assert_eq!(site.ask("GET", "/style.css", &[site.host()], "").0, 200);
    let mut stream = TcpStream::connect(("127.0.0.1", site.port)).unwrap();
    write!(stream, "GET /page.js HTTP/1.1\r\n{}\r\nConnection: close\r\n\r\n", site.host()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
    let head = String::from_utf8_lossy(&answer[..end]);
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("Content-Encoding: gzip"), "{head}");
    // That of gzip, of a script of this size.
    assert!(answer[end + 4..].starts_with(&[0x1f, 0x8b]) && answer.len() > 100_000, "{}", answer.len());
}

#[test]
fn only_who_has_the_link_is_answered() {
    let site = Site::start(&[("a.lp", "a.")], &["a.lp"]);
    let get = |path: &str, headers: &[String]| site.ask("GET", path, headers, "");
    let link = format!("/?token={}", site.token);
    let (code, page) = get(&link, &[site.host()]);
    assert!(
        code == 200 && page.contains(&format!("<meta name=\"asp-token\" content=\"{}\">", site.token)),
        "{page}"
    );
    assert_eq!(get("/page.js", &[site.host()]), (200, "js".to_string()));
    // Without the token there is a page that says so, and no more.
    assert!(!get("/", &[site.host()]).1.contains(&site.token));
    assert_eq!(get("/files", &[site.host()]).0, 403);
    assert_eq!(get("/files", &[site.host(), "X-Asp-Token: 0".into()]).0, 403);
    let (code, files) = get("/files", &site.own());
    assert_eq!(
        (code, serde_json::from_str::<Value>(&files).unwrap()),
        (200, json!([{ "name": "a.lp", "text": "a." }]))
    );
    // Other names of this machine, other pages.
    for headers in [
        vec![format!("Host: evil.example:{}", site.port)],
        vec![],
        vec![site.host(), "Origin: http://evil.example".into()],
        vec![site.host(), "Origin: null".into()],
        vec![site.host(), "Sec-Fetch-Site: cross-site".into()],
    ] {
        assert_eq!(get(&link, &headers).0, 403, "{headers:?}");
    }
    for path in ["/../a.lp", "/a.lp", "/page/../../a.lp", "/etc/passwd"] {
        assert_eq!(get(path, &site.own()).0, 404, "{path}");
    }
}

#[test]
fn files_are_saved_where_they_were_and_nowhere_else() {
    let site = Site::start(&[("a.lp", "a.")], &["a.lp"]);
    let put = |name: &str| site.ask("PUT", &format!("/files/{name}"), &site.own(), "b.").0;
    assert_eq!((put("a.lp"), put("my%20own.lp")), (200, 200));
    let read = |name: &str| fs::read_to_string(site.folder.path().join(name)).unwrap();
    assert_eq!((read("a.lp"), read("my own.lp")), ("b.".into(), "b.".into()));
    for name in ["..%2Fx.lp", "%2Ftmp%2Fx.lp", ".bashrc", "page%5Cx.lp", ""] {
        assert_eq!(put(name), 400, "{name}");
    }
    assert_eq!(site.ask("PUT", "/files/c.lp", &[site.host()], "b.").0, 403);
}

#[test]
fn a_run_tells_what_it_prints() {
    let site = Site::start(&[("beside.lp", "b.")], &[]);
    let job = json!({
        "args": ["a.lp", "--outf=jsonl", "0", "--html=out.html"],
        "files": { "a.lp": "#include \"beside.lp\". { p(1,1,a) }. q(\"ü\")." },
        "answers": true,
        "wants": ["out.html", "none"],
    });
    let told = site.run(&job);
    let [answers, end] = [&told[0], told.last().unwrap()];
    assert_eq!((&answers[0], &answers[1]["count"]), (&json!("answers"), &json!(2)), "{told:?}");
    assert_eq!((&end[0], &end[1]["code"]), (&json!("end"), &json!(30)));
    assert!(end[1]["files"]["out.html"].as_str().unwrap().starts_with("<!DOCTYPE html>"));
    let told = site.run(&json!({ "args": ["-", "--text"], "stdin": "p(\"ä\")." }));
    assert_eq!(told[0], json!(["out", "p(\"ä\").\n"]));
    for job in [
        json!({ "args": ["a.lp", "--svg=/tmp/x"] }),
        json!({ "args": ["python", "x"] }),
        json!({ "args": [], "files": { "../x": "" } }),
        json!({ "args": 1 }),
    ] {
        assert_eq!(site.ask("POST", "/run", &site.own(), &job.to_string()).0, 400, "{job}");
    }
    assert_eq!(site.ask("POST", "/run", &[site.host()], "{}").0, 403);
    let script = "#script (python)\nopen('ran', 'w')\n#end.";
    let told = site.run(&json!({ "args": ["a.lp"], "files": { "a.lp": script } }));
    assert!(format!("{told:?}").contains("scripts are off"), "{told:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_ends_when_nobody_listens() {
    let site = Site::start(&[], &[]);
    let body = json!({ "args": ["-", "-c", "marker=7391"], "stdin": "#const marker = 0. n(marker). n(N+1) :- n(N)." }).to_string();
    let running = || {
        let all = fs::read_dir("/proc").unwrap().flatten();
        all.filter(|e| fs::read_to_string(e.path().join("cmdline")).is_ok_and(|c| c.contains("marker=7391")))
            .count()
    };
    let until = |wanted: usize| {
        let begun = Instant::now();
        while running() != wanted {
            assert!(begun.elapsed() < Duration::from_secs(30), "{} run", running());
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let mut stream = TcpStream::connect(("127.0.0.1", site.port)).unwrap();
    let headers = site.own().join("\r\n");
    write!(stream, "POST /run HTTP/1.1\r\n{headers}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
        .unwrap();
    until(1);
    drop(stream);
    until(0);
}

/// The length that a request claims takes no memory, with and without the token.
#[test]
fn bodies_that_are_too_long_are_refused() {
    let site = Site::start(&[], &[]);
    let answer = |headers: &[String], claimed: u64, body: usize| {
        let mut stream = TcpStream::connect(("127.0.0.1", site.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let headers = headers.join("\r\n");
        write!(stream, "POST /run HTTP/1.1\r\n{headers}\r\nContent-Length: {claimed}\r\n\r\n").unwrap();
        let sent = stream.write_all(&vec![b' '; body]);
        let mut line = String::new();
        let read = BufReader::new(stream).read_line(&mut line);
        if sent.and(read.map(drop)).is_ok() { line } else { "closed".into() }
    };
    for claimed in [99_999_999_999, u64::MAX / 4, (64 << 20) + 1] {
        let body = if claimed < 1 << 30 { claimed as usize } else { 3 };
        assert!(answer(&site.own(), claimed, body).contains("413"), "{claimed}");
        let stranger = answer(&[site.host()], claimed, body);
        assert!(["413", "403", "closed"].iter().any(|code| stranger.contains(code)), "{claimed}: {stranger}");
    }
    assert_eq!(site.ask("GET", "/files", &site.own(), "").0, 200);
}

/// A run ends with the server, and its folder is gone.
#[cfg(unix)]
#[test]
fn runs_end_with_the_server() {
    let temporary = tempfile::tempdir().unwrap();
    let mut site = Site::start_in(&[], &[], Some(temporary.path()));
    let job = json!({ "args": ["a.lp", "0", "-q"], "files": { "a.lp": "{ a(1..60) }." } }).to_string();
    let mut stream = TcpStream::connect(("127.0.0.1", site.port)).unwrap();
    let headers = [site.own(), vec![format!("Content-Length: {}", job.len())]].concat().join("\r\n");
    write!(stream, "POST /run HTTP/1.1\r\n{headers}\r\n\r\n{job}").unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("200"));
    let there = || fs::read_dir(temporary.path()).unwrap().count();
    let wait = |what: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !what() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{} folders", there());
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    wait(&|| there() == 1);
    let id = site.process.0.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(site.process.0.wait().unwrap().code(), Some(0));
    wait(&|| there() == 0);
}

/// Saves over what the page did not open are refused until the page asks for them.
#[test]
fn a_file_that_was_not_opened_is_replaced_on_demand_only() {
    let site = Site::start(&[("a.lp", "a."), ("mine.lp", "mine.")], &["a.lp"]);
    let put = |name: &str, text: &str| site.ask("PUT", &format!("/files/{name}"), &site.own(), text);
    let read = |name: &str| fs::read_to_string(site.folder.path().join(name)).unwrap();
    let (code, why) = put("mine.lp", "theirs.");
    assert!(code == 409 && why.contains("mine.lp is there already"), "{code} {why}");
    assert_eq!(read("mine.lp"), "mine.");
    assert_eq!(put("mine.lp?replace", "theirs.").0, 200);
    assert_eq!((put("mine.lp", "again.").0, read("mine.lp")), (200, "again.".to_string()));
    // A new file is the page's own.
    assert_eq!((put("new.lp", "b.").0, put("new.lp", "c.").0, read("new.lp")), (200, 200, "c.".to_string()));
    assert_eq!((put("a.lp", "d.").0, read("a.lp")), (200, "d.".to_string()));
    fs::create_dir(site.folder.path().join("sub")).unwrap();
    fs::write(site.folder.path().join("sub/a.lp"), "").unwrap();
    // A link may lead anywhere.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("sub/a.lp", site.folder.path().join("link.lp")).unwrap();
        std::os::unix::fs::symlink("sub/new.lp", site.folder.path().join("loose.lp")).unwrap();
        for name in ["link.lp", "link.lp?replace", "loose.lp", "loose.lp?replace"] {
            assert!(matches!(put(name, "b."), (403, why) if why.contains("is a link")), "{name}");
        }
        assert!(read("sub/a.lp").is_empty() && !site.folder.path().join("sub/new.lp").exists());
    }
    let twice = asp(site.folder.path(), &["serve", "--page", "page", "a.lp", "sub/a.lp"]).output().unwrap();
    assert_eq!(twice.status.code(), Some(65));
    assert!(String::from_utf8_lossy(&twice.stderr).contains("two of these files are named a.lp"));
}

/// Requests that are begun, or announce a body that never comes, keep nobody out and take no threads and descriptors.
#[cfg(target_os = "linux")]
#[test]
fn half_requests_keep_nobody_out() {
    let site = Site::start(&[("a.lp", "a.")], &["a.lp"]);
    let id = site.process.0.id();
    let limit = Command::new("prlimit").args(["--nofile=256", "--pid", &id.to_string()]).status();
    assert!(limit.is_ok_and(|status| status.success()), "prlimit is there");
    let count = |what: &str| fs::read_dir(format!("/proc/{id}/{what}")).unwrap().count();
    // What the server opens for its first requests, it keeps.
    assert_eq!(site.ask("GET", "/page.js", &[site.host()], "").0, 200);
    assert_eq!(site.run(&json!({ "args": ["-"], "stdin": "a." })).last().unwrap()[1]["code"], 30);
    let (threads, files) = (count("task"), count("fd"));
    let host = site.host();
    let token = format!("X-Asp-Token: {}", site.token);
    let halves = [
        String::new(),
        "GET / HT".to_string(),
        format!("GET / HTTP/1.1\r\n{host}\r\nX: "),
        format!("POST /run HTTP/1.1\r\n{host}\r\nContent-Length: 1000\r\n\r\n{{"),
        format!("POST /run HTTP/1.1\r\n{host}\r\n{token}\r\nContent-Length: 1000\r\n\r\n{{"),
        format!(
            "PUT /files/x HTTP/1.1\r\n{host}\r\n{token}\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"
        ),
    ];
    let mut open = Vec::new();
    for half in halves.iter().cycle().take(600) {
        let mut stream = TcpStream::connect(("127.0.0.1", site.port)).unwrap();
        // The server may have given the connection up by now.
        let _ = stream.write_all(half.as_bytes());
        open.push(stream);
        if open.len() % 100 == 0 {
            assert_eq!(site.ask("GET", "/files", &site.own(), "").0, 200);
            assert!(count("task") < 150 && count("fd") < 150, "{} {}", count("task"), count("fd"));
        }
    }
    assert_eq!(site.ask("GET", "/page.js", &[site.host()], "").0, 200);
    assert_eq!(site.run(&json!({ "args": ["-"], "stdin": "a." })).last().unwrap()[1]["code"], 30);
    drop(open);
    let begun = Instant::now();
    while count("task") > threads || count("fd") > files {
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "{} threads, {} files",
            count("task"),
            count("fd")
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Who is not admitted is told so at once, whatever he announces.
#[test]
fn a_stranger_is_not_waited_for() {
    let site = Site::start(&[], &[]);
    for (host, code) in [("evil.example".to_string(), "403"), (format!("127.0.0.1:{}", site.port), "403")] {
        for body in ["Content-Length: 100", "Content-Length: 5000", "Transfer-Encoding: chunked"] {
            let mut stream = TcpStream::connect(("127.0.0.1", site.port)).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
            write!(stream, "POST /run HTTP/1.1\r\nHost: {host}\r\n{body}\r\n\r\n").unwrap();
            let mut line = String::new();
            BufReader::new(stream).read_line(&mut line).unwrap();
            assert!(
                line.contains(code) || body.starts_with("Transfer") && line.contains("411"),
                "{host} {body}: {line}"
            );
        }
    }
    for broken in [
        "",
        "GET\r\n\r\n",
        "GET / HTTP/2\r\n\r\n",
        "GET / HTTP/1.1\r\nHost\r\n\r\n",
        "\0\0\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ] {
        let mut stream = TcpStream::connect(("127.0.0.1", site.port)).unwrap();
        stream.write_all(broken.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).unwrap();
        assert!(line.contains(" 400 "), "{broken:?}: {line}");
    }
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(100_000));
    let mut stream = TcpStream::connect(("127.0.0.1", site.port)).unwrap();
    let _ = stream.write_all(long.as_bytes());
    assert_eq!(site.ask("GET", "/files", &site.own(), "").0, 200);
}

/// A client that does not read holds the run up; the server keeps little of what it prints.
#[cfg(target_os = "linux")]
#[test]
fn a_client_that_does_not_read_slows_the_run_down() {
    let site = Site::start(&[], &[]);
    let job =
        json!({ "args": ["a.lp", "0"], "files": { "a.lp": "{ a(1..60) }. b(1..3000)." }, "answers": true });
    let job = job.to_string();
    let mut stream = TcpStream::connect(("127.0.0.1", site.port)).unwrap();
    let headers = [site.own(), vec![format!("Content-Length: {}", job.len())]].concat().join("\r\n");
    write!(stream, "POST /run HTTP/1.1\r\n{headers}\r\n\r\n{job}").unwrap();
    std::thread::sleep(Duration::from_secs(4));
    let status = fs::read_to_string(format!("/proc/{}/status", site.process.0.id())).unwrap();
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap().trim().trim_end_matches(" kB");
    assert!(peak.parse::<u64>().unwrap() < 120 << 10, "{peak} kB");
}

/// Whatever names a file, nothing outside the folders of the page is read.
#[cfg(unix)]
#[test]
fn runs_read_nothing_outside_the_folders_of_the_page() {
    let elsewhere = tempfile::tempdir().unwrap();
    let secret = elsewhere.path().join("secret.lp");
    fs::write(&secret, "secret(4711).\n").unwrap();
    let secret = secret.to_str().unwrap();
    let site = Site::start(&[("beside.lp", "b. #include \"sub/c.lp\".")], &[]);
    fs::create_dir(site.folder.path().join("sub")).unwrap();
    fs::write(site.folder.path().join("sub/c.lp"), "c. #include \"../d.lp\".").unwrap();
    fs::write(site.folder.path().join("d.lp"), "d.").unwrap();
    std::os::unix::fs::symlink(secret, site.folder.path().join("link.lp")).unwrap();
    let up = format!("{}{secret}", "../".repeat(20));
    for text in [
        format!("#include \"{secret}\"."),
        format!("#include \"{up}\"."),
        "#include \"link.lp\".".to_string(),
        format!("a.\n%@test {secret}: sat"),
        format!("a.\n%@test {up}: sat"),
    ] {
        for args in
            [&["a.lp"][..], &["a.lp", "--text"], &["check", "a.lp"], &["test", "a.lp"], &["lint", "a.lp"]]
        {
            let told = format!("{:?}", site.run(&json!({ "args": args, "files": { "a.lp": text } })));
            assert!(!told.contains("4711"), "{args:?} of {text}: {told}");
            assert!(
                args[0] != "a.lp" || text.contains("%@test") || told.contains("outside"),
                "{args:?} of {text}: {told}"
            );
        }
    }
    let told = site.run(&json!({ "args": ["link.lp", "--text"] }));
    assert!(!format!("{told:?}").contains("4711"), "{told:?}");
    for argument in
        [format!("--cube=1@{secret}"), "--cube=1@../x".into(), format!("--configuration={secret}")]
    {
        let job = json!({ "args": ["a.lp", argument], "files": { "a.lp": "a." } });
        assert_eq!(site.ask("POST", "/run", &site.own(), &job.to_string()).0, 400, "{job}");
    }
    // What is in the working folder may be included, also from below.
    let told =
        site.run(&json!({ "args": ["a.lp", "--text"], "files": { "a.lp": "#include \"beside.lp\"." } }));
    assert_eq!(told[0], json!(["out", "b.\nc.\nd.\n"]), "{told:?}");
}

#[test]
fn what_cannot_be_served_is_told() {
    let folder = tempfile::tempdir().unwrap();
    for (args, message) in [
        (&["serve", "none.lp"][..], "file could not be opened: none.lp"),
        (&["serve", "--page", "none"], "none has no page; web/build.sh makes one"),
    ] {
        let output = asp(folder.path(), args).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(65) && text.contains(message), "{text}");
    }
}

#[test]
fn the_language_server_is_asked_in_one_go() {
    let site = Site::start(&[], &[]);
    let text = "% A number.\nn(1..3).\nm(X) :- n(X), X > Y.\n";
    let document = json!({ "uri": "file:///a.lp" });
    let opened = json!({ "uri": "file:///a.lp", "languageId": "asp", "version": 1, "text": text });
    let messages = [
        json!({ "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
        json!({ "method": "initialized", "params": {} }),
        json!({ "method": "textDocument/didOpen", "params": { "textDocument": opened } }),
        json!({ "id": 2, "method": "textDocument/hover", "params": { "textDocument": document, "position": { "line": 2, "character": 8 } } }),
        json!({ "id": 3, "method": "shutdown" }),
        json!({ "method": "exit" }),
    ];
    let frame = |message: &Value| {
        let mut message = message.clone();
        message["jsonrpc"] = "2.0".into();
        let body = message.to_string();
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    };
    let input: String = messages.iter().map(frame).collect();
    let told = site.run(&json!({ "args": ["lsp", "--in-turn"], "stdin": input }));
    let out: String = told.iter().filter(|t| t[0] == "out").filter_map(|t| t[1].as_str()).collect();
    assert!(out.contains("A number.") && out.contains("unsafe variable"), "{out}");
    assert_eq!(told.last().unwrap()[1]["code"], 0);
}

/// Waits until a part of what is printed, and returns all up to there.
fn wait(lines: &Receiver<String>, part: &str) -> String {
    let mut seen = String::new();
    let begun = Instant::now();
    while !seen.contains(part) {
        assert!(begun.elapsed() < Duration::from_secs(60), "no `{part}` in:\n{seen}");
        if let Ok(line) = lines.recv_timeout(Duration::from_millis(100)) {
            seen.push_str(&line);
            seen.push('\n');
        }
    }
    seen
}

#[test]
fn watch_shows_a_program_anew_at_each_save() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.lp");
    fs::write(&file, "#include \"b.lp\".\np(1,1,7). #show p/3. #show q/1.\n%@test: sat\n").unwrap();
    fs::write(folder.path().join("b.lp"), "q(1).").unwrap();
    let mut process = Running(
        asp(folder.path(), &["watch", "a.lp"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap(),
    );
    let (sender, lines) = channel();
    let outputs: [Box<dyn std::io::Read + Send>; 2] =
        [Box::new(process.0.stdout.take().unwrap()), Box::new(process.0.stderr.take().unwrap())];
    for output in outputs {
        let sender = sender.clone();
        std::thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).for_each(|line| drop(sender.send(line)));
        });
    }
    let first = wait(&lines, "waiting for changes");
    assert!(
        first.contains("== a.lp") && first.contains("1 passed, 0 failed") && first.contains("│ 7 │"),
        "{first}"
    );
    // An error ends it early; a file that is included counts.
    fs::write(folder.path().join("b.lp"), "q(X).").unwrap();
    let second = wait(&lines, "waiting for changes");
    assert!(second.contains("unsafe") && !second.contains("passed"), "{second}");
    // What takes long is ended by a save.
    fs::write(folder.path().join("b.lp"), "q(1). r(0). r(N+1) :- r(N).").unwrap();
    wait(&lines, "== a.lp");
    fs::write(folder.path().join("b.lp"), "q(2). :- p(1,1,7).").unwrap();
    let third = wait(&lines, "UNSATISFIABLE");
    assert!(third.contains("== a.lp"), "{third}");
}
