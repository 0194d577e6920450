//! Pictures of real answer sets, drawn by the binary: each file of tests/picture/ contains a command line and its
//! output.
//!
//! `ASP_UPDATE=1` rewrites the files.

use crate::support::update;
use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Standard output, standard error and exit code of a command line, run in tests/picture with a page of 80 columns.
fn run(line: &str) -> (String, String, Option<i32>) {
    let words = line.split_whitespace().skip(1).map(|w| w.trim_matches('\''));
    let output = Command::new(env!("CARGO_BIN_EXE_asp"))
        .current_dir(root().join("tests/picture"))
        .env("ASP_PATH", root())
        .env("COLUMNS", "80")
        .args(words)
        .output()
        .expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

/// The files of tests/picture/ with an extension.
fn files(extension: &str) -> Vec<std::path::PathBuf> {
    let folder = std::fs::read_dir(root().join("tests/picture")).expect("tests/picture");
    let mut found: Vec<_> = folder.map(|entry| entry.expect("an entry").path()).collect();
    found.retain(|path| path.extension().is_some_and(|e| e == extension));
    found.sort();
    found
}

#[test]
fn pictures_as_text() {
    let update = update::is_wanted();
    let mut wrong = Vec::new();
    let files = files("txt");
    assert!(files.len() >= 15, "only {} pictures", files.len());
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a picture");
        let (line, expected) = text.split_once('\n').expect("a command line");
        let (printed, messages, _) = run(line.strip_prefix("$ ").expect("a command line"));
        // Where files were found is not compared here.
        let messages = messages.lines().filter(|l| !l.contains(".lp is "));
        let messages: String = messages.map(|l| format!("{l}\n")).collect();
        let printed = messages + &printed;
        if update {
            update::write(&path, format!("{line}\n{printed}"));
        } else if printed != expected {
            wrong.push(format!("{}:\n{line}\n{printed}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A file of a temporary folder.
fn program(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("program.lp"), text).expect("a file");
    folder
}

/// The binary on a program's text.
#[track_caller]
fn draw(text: &str, columns: &str, arguments: &[&str]) -> (String, String, Option<i32>) {
    let folder = program(text);
    let output = Command::new(env!("CARGO_BIN_EXE_asp"))
        .current_dir(folder.path())
        .env("COLUMNS", columns)
        .arg("program.lp")
        .args(arguments)
        .output()
        .expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

#[test]
fn several_answer_sets_stand_side_by_side() {
    let board = "{ queen(R,C) : C = 1..6 } = 1 :- R = 1..6. :- queen(R,C), queen(S,C), R < S. \
                 :- queen(R,C), queen(S,D), R < S, S-R = |D-C|.";
    for (columns, widest) in [("80", 4), ("60", 3), ("20", 1)] {
        let (out, _, code) = draw(board, columns, &["0", "--show-grid", "-V0"]);
        assert_eq!(code, Some(30));
        assert_eq!(out.matches('Q').count(), 24, "{out}");
        assert_eq!(out.lines().map(|l| l.matches('┌').count()).max(), Some(widest), "{columns}:\n{out}");
    }
}

#[test]
fn quiet_levels_hold_for_pictures() {
    let board = "{ queen(1..2,1..2) } = 1. #minimize { R,R : queen(R,C) }.";
    let (all, ..) = draw(board, "80", &["--opt-mode=optN", "0", "--show-grid"]);
    let (last, ..) = draw(board, "80", &["--opt-mode=optN", "0", "--show-grid", "-q1"]);
    let (none, ..) = draw(board, "80", &["0", "--show-grid", "-q"]);
    assert_eq!(last.matches('Q').count(), 2, "{last}");
    assert!(all.matches('┌').count() >= 3, "{all}");
    assert!(!none.contains('┌'), "{none}");
    assert!(last.contains("Optimization: 1\n") && last.contains("OPTIMUM FOUND"), "{last}");
}

/// A page may be passed on and must not reveal the author's folders.
#[test]
fn pages_name_files_without_their_folders() {
    let folder = program("p(1,1,1). p(1,2,2). #show p/3.");
    let file = folder.path().join("program.lp");
    let file = file.to_str().expect("a path in UTF-8");
    let page = folder.path().join("page.html");
    let to = page.to_str().expect("a path in UTF-8");
    for arguments in [&[file, "--html", to][..], &["why", "p(1,1,1)", file, "--html", to]] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_asp")).args(arguments).output().expect("the binary runs");
        assert!(output.status.code().is_some_and(|code| code != 1), "{output:?}");
        let text = std::fs::read_to_string(&page).expect("a page");
        let title = text.split("</h1>").next().expect("a head");
        assert!(!title.contains(folder.path().to_str().expect("a path in UTF-8")), "{title}");
    }
}

#[test]
fn hostile_sizes_are_refused_with_a_message() {
    for text in [
        "p(1,1,1). p(1,1000000000,2). q(-9223372036854775807,1). q(9223372036854775807,2).",
        "q(-9223372036854775807,1). q(9223372036854775807,2).",
        "edge(1..30,1..30). edge(X,X+1) :- X = 31..500.",
        "render_size(9223372036854775807,9223372036854775807). a.",
    ] {
        let (out, err, code) = draw(text, "80", &["--show-grid"]);
        assert_eq!(code, Some(30), "{text}\n{out}{err}");
        assert!(err.contains("nothing to draw"), "{text}\n{out}{err}");
    }
    let (_, err, code) = draw("p(1,1).", "80", &["--show-grid=P"]);
    assert!(code == Some(1) && err.contains("invalid value"), "{err}");
}

#[test]
fn texts_of_any_kind_are_drawn_aligned() {
    let text = "p(1,1,\"界\"). p(1,2,\"a\\nb\"). p(2,1,f(x)). p(2,2,\"0123456789012345678901234567890\").";
    let (out, ..) = draw(text, "80", &["--show-grid", "-V0"]);
    assert!(out.contains("界") && out.contains("f(x)") && out.contains('…'), "{out}");
    assert_eq!(out.lines().count(), 5, "{out}");
}

/// The pages about pictures, data and new puzzles show what the binary prints; a file that a page shows with `cat` exists.
/// `ASP_UPDATE=1` rewrites the pages.
#[cfg(unix)]
#[test]
fn pages_show_what_is_printed() {
    let update = update::is_wanted();
    for name in ["docs/pictures.md", "docs/data.md", "docs/generate.md"] {
        let page = std::fs::read_to_string(root().join(name)).expect("a page");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (mut anew, mut commands, mut inside) = (String::new(), 0, false);
        let mut lines = page.lines().peekable();
        while let Some(line) = lines.next() {
            anew.push_str(line);
            anew.push('\n');
            inside = if line.starts_with("```") { line == "```console" } else { inside };
            let Some(command) = line.strip_prefix("$ ").filter(|_| inside) else { continue };
            let mut shown = String::new();
            while let Some(next) = lines.next_if(|l| !l.starts_with("```") && !l.starts_with("$ ")) {
                shown.push_str(next);
                shown.push('\n');
            }
            let words: Vec<&str> = command.split_whitespace().collect();
            if let ["cat", file] = words.as_slice() {
                std::fs::write(folder.path().join(file), &shown).expect("written");
                anew.push_str(&shown);
                continue;
            }
            // As a reader would type it.
            let binary = Path::new(env!("CARGO_BIN_EXE_asp")).parent().expect("a folder");
            let others = std::env::var_os("PATH").unwrap_or_default();
            let folders = std::iter::once(binary.to_path_buf()).chain(std::env::split_paths(&others));
            let path = std::env::join_paths(folders).expect("a path");
            let output = Command::new("bash")
                .args(["-c", command])
                .current_dir(folder.path())
                .env("COLUMNS", "80")
                .env("PATH", path)
                .output()
                .expect("bash runs");
            let both = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
            let both: String = both
                .lines()
                .filter(|l| !l.contains("Time") && !l.contains("of the embedded library"))
                .map(|l| format!("{}\n", l.trim_end()))
                .collect();
            commands += 1;
            if !update {
                assert_eq!(both, shown, "{name}: {command}");
            }
            anew.push_str(&both);
        }
        assert!(commands > 4, "{name}: only {commands} commands");
        if update {
            update::write(root().join(name), anew);
        }
    }
}

/// The elements of a drawing are properly nested.
#[track_caller]
fn check_xml(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let body = text.strip_prefix("<!DOCTYPE html>").unwrap_or(text);
    for (i, _) in body.match_indices('<') {
        let tag = &body[i + 1..i + body[i..].find('>').expect("a tag ends")];
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or("");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.ends_with('/') && name != "meta" {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(!body.contains("NaN") && !body.contains("inf\""), "{body}");
}

#[test]
fn files_are_drawn_as_before() {
    let update = update::is_wanted();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cases = [
        ("futoshiki.svg", "futoshiki.lp grid4.lp"),
        ("sudoku.svg", "sudoku.lp sudoku9-sas.lp"),
        ("skyscraper.svg", "skyscraper.lp skyscraper4.lp"),
        ("killer-sudoku.svg", "killer-sudoku.lp killer9-easy.lp"),
        ("slitherlink.svg", "slitherlink.lp slither4.lp"),
        ("kakuro.svg", "kakuro.lp kakuro4.lp"),
        ("nonogram.svg", "nonogram.lp heart.lp"),
        ("hitori.svg", "hitori.lp hitori4.lp"),
        ("graph-colouring.svg", "graph-colouring.lp australia.lp pinned-colours.lp"),
        // By its cost, since a search for it would be drawn with its times.
        ("tsp.svg", "tsp.lp tsp6.lp pinned-trip.lp --opt-mode=enum,233"),
        ("rendered.svg", "colours.lp"),
        ("hashi.svg", "hashi.lp hashi5.lp"),
        ("masyu.svg", "masyu.lp masyu5.lp"),
        ("words.svg", "words.lp"),
        ("rendered-graph.svg", "network.lp"),
        ("queens.html", "queens.lp queen.lp -c n=6"),
        ("path.html", "path.lp"),
    ];
    for (name, line) in cases {
        let file = folder.path().join(name);
        let option = format!("--{}", name.rsplit('.').next().unwrap_or_default());
        let (_, messages, code) = run(&format!("asp {line} 0 -q {option} {}", file.to_string_lossy()));
        assert_eq!(code, Some(30), "{name}: {messages}");
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{name}: {e}: {messages}"));
        check_xml(&text);
        let kept = root().join("tests/picture").join(name);
        if update {
            update::write(&kept, &text);
        } else {
            let expected = std::fs::read_to_string(&kept).expect("a picture");
            assert!(text == expected, "{name} is drawn differently: see it, then ASP_UPDATE=1");
        }
    }
}

/// The bounds of an optimisation stand beside its picture, or alone.
#[test]
fn bounds_are_drawn_over_time() {
    let objective = "{ t(1..20) }. #maximize { (X*X*7)\\23+9,X : t(X) }. :- #sum { X : t(X) } > 70.";
    for shown in ["#show t/1.", "#show."] {
        let folder = program(&format!("{objective} {shown}"));
        let status = Command::new(env!("CARGO_BIN_EXE_asp"))
            .current_dir(folder.path())
            .args(["program.lp", "--svg=a.svg", "--html=a.html", "-q"])
            .output()
            .expect("the binary runs");
        assert_eq!(status.status.code(), Some(30));
        for name in ["a.svg", "a.html"] {
            let text = std::fs::read_to_string(folder.path().join(name)).expect("a file");
            check_xml(&text);
            assert!(text.contains("best -") && text.contains(", at least -"), "{text}");
        }
    }
}

#[test]
fn files_that_cannot_be_written_are_told() {
    let (_, err, code) = draw("p(1,1,1).", "80", &["--svg", "nowhere/a.svg"]);
    assert!(code == Some(1) && err.contains("no folder nowhere"), "{err}");
    let (_, err, code) = draw("p(1,1,1).", "80", &["--svg", "."]);
    assert!(code == Some(1) && err.contains("'--svg': . is a folder; name another file"), "{err}");
    let (_, err, code) = draw("p(1,1,1).", "80", &["--svg", "a.svg", "--html", "a.svg"]);
    assert!(code == Some(1) && err.contains("by this command; name another file"), "{err}");
    if cfg!(target_os = "linux") {
        let (_, err, code) = draw("p(1,1,1).", "80", &["--svg", "/dev/full"]);
        assert!(code == Some(74) && err.contains("could not be written"), "{err}");
    }
    let (_, err, code) = draw("p(1,1,1). :- p(1,1,1).", "80", &["--svg", "a.svg"]);
    assert!(code == Some(20) && err.contains("a.svg is not written"), "{err}");
    let (out, err, code) = draw("a.", "80", &["--svg", "a.svg", "--html=a.html"]);
    assert!(code == Some(30) && err.contains("nothing to draw") && out.contains("\na\n"), "{out}{err}");
}

#[test]
fn texts_in_files_are_escaped() {
    let folder = program(
        "p(1,1,\"<script>&\\\"\"). render_fill(1,1,\"red\\\" onload=\\\"x\"). render_title(\"</svg>\").",
    );
    let status = Command::new(env!("CARGO_BIN_EXE_asp"))
        .current_dir(folder.path())
        .args(["program.lp", "--svg=a.svg", "--html=a.html", "-q"])
        .output()
        .expect("the binary runs");
    assert_eq!(status.status.code(), Some(30));
    for name in ["a.svg", "a.html"] {
        let text = std::fs::read_to_string(folder.path().join(name)).expect("a file");
        check_xml(&text);
        assert!(
            !text.contains("<script") && !text.contains("onload=\"") && text.contains("&lt;script&gt;"),
            "{text}"
        );
    }
}

#[test]
fn names_of_colours_fill_their_cells() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let drawn = |values: &str| {
        let program = format!(
            "c({values}). {{ cell(R,C,X) : c(X) }} = 1 :- R = 1..2, C = 1..2. cell(1,1,X) :- X = #min {{ Y : c(Y) }}. #show cell/3."
        );
        std::fs::write(folder.path().join("p.lp"), program).expect("a file");
        let run = crate::support::spawn::run_in(folder.path(), ["p.lp", "-V0", "--svg=p.svg"], "");
        assert_eq!(run.code, Some(10), "{}", run.stderr);
        std::fs::read_to_string(folder.path().join("p.svg")).expect("a picture")
    };
    assert!(drawn("blue;red").contains("#7aa9e0"));
    // Initials are values like others, and so is a list with a name that is no colour.
    assert!(!drawn("b;r").contains("#7aa9e0") && !drawn("blue;ann").contains("#7aa9e0"));
}

/// A plan is drawn step by step: with `%t` a file for each, on a page with numbers that choose one.
#[test]
fn plans_have_pictures_of_their_steps() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let program = "block(a;b). on(a,b,0). on(b,table,0).\n\
                   { move(B,L,T) : block(B), L = (table;a;b), B != L } = 1 :- T = 1..2.\n\
                   on(B,L,T) :- move(B,L,T). on(B,L,T) :- on(B,L,T-1), T = 1..2, not move(B,_,T).\n\
                   :- move(B,L,T), on(_,B,T-1). :- move(B,L,T), on(_,L,T-1), L != table. :- move(B,L,T), on(B,L,T-1).\n\
                   :- not on(b,a,2). #show move/3. #show on/3.\n";
    std::fs::write(path("plan.lp"), program).expect("a program");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_asp"));
        let output = command.current_dir(folder.path()).args(arguments).output().expect("the binary runs");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    run(&["plan.lp", "--svg=plan-%t.svg", "--html=plan.html"]);
    let svg = |step: u32| std::fs::read_to_string(path(&format!("plan-{step}.svg"))).expect("a picture");
    assert!(svg(0).contains("table") && svg(1) != svg(2) && !path("plan-3.svg").exists());
    let page = std::fs::read_to_string(path("plan.html")).expect("a page");
    assert!(page.matches("type=\"radio\"").count() == 3 && !page.contains("<script"), "{page}");
    // What has no steps is told, and no page of other answer sets has any.
    std::fs::write(path("plain.lp"), "{ v(1..2,1..2,1..2) } = 4.\n").expect("a program");
    std::fs::write(path("none.lp"), "p(a,b). q(b,c).\n").expect("a program");
    let told = run(&["none.lp", "--svg=none-%t.svg"]);
    assert!(told.contains("none-%t.svg is not written: what is shown has no steps"), "{told}");
    run(&["plain.lp", "--html=plain.html"]);
    assert!(!std::fs::read_to_string(path("plain.html")).expect("a page").contains("type=\"radio\""));
}
