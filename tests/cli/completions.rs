//! Shell completions and the man page, as a user's shell and `man` read them. Bash is required; zsh, fish and groff
//! check the output for them if they are installed, and it is inspected in any case.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

fn generated(what: &str) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_asp")).arg(format!("--generate={what}")).output().unwrap();
    assert!(run.status.success());
    String::from_utf8(run.stdout).unwrap()
}

fn is_installed(program: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// Types lines into a bash that has sourced the completions, with Tab where `\t` stands, and returns what the lines
/// became. Needs Python for the terminal.
const PYTHON: &str = r#"
import os, pty, select, subprocess, sys, time
os.chdir(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    os.environ.update(PS1="", TERM="dumb", INPUTRC="/dev/null")
    os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
def until(mark):
    data = b""
    end = time.time() + 20
    while mark not in data and time.time() < end:
        if select.select([fd], [], [], 0.2)[0]:
            data += os.read(fd, 65536)
    return data
os.write(fd, b"bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; source ./asp.bash; asp() { printf '<%s>' \"$@\"; echo; }; echo re''ady\n")
until(b"ready\r\n")
for line in sys.argv[2:]:
    os.write(fd, line.encode().decode("unicode_escape").encode())
    time.sleep(0.3)
    os.write(fd, b"\n")
    out = until(b">\r\n").decode()
    print(out[out.index("<"):].strip())
os.write(fd, b"exit\n")
"#;

#[test]
fn bash_completes_options_values_and_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("asp.bash"), generated("bash")).unwrap();
    fs::write(folder.path().join("unusual-name.lp"), "a.").unwrap();
    let typed = [
        r"asp --opt-mo\t",
        r"asp --mode=gri\t",
        r"asp --mode gri\t",
        r"asp --opt-strategy=us\t",
        r"asp 0 unu\t",
        r"asp unu\t",
        r"asp --generate=fi\t",
        r"asp cou\t",
    ];
    let run = Command::new("python3")
        .args(["-c", PYTHON])
        .arg(folder.path())
        .args(typed)
        .output()
        .expect("python3 is there");
    let lines = String::from_utf8(run.stdout).unwrap().replace('\r', "");
    assert_eq!(
        lines.lines().collect::<Vec<_>>(),
        [
            "<--opt-mode>",
            "<--mode=gringo>",
            "<--mode><gringo>",
            "<--opt-strategy=usc>",
            "<0><unusual-name.lp>",
            "<unusual-name.lp>",
            "<--generate=fish>",
            "<count>",
        ],
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
}

#[track_caller]
fn accepts(shell: &str, arguments: &[&str], script: &Path) {
    let run = Command::new(shell).args(arguments).arg(script).output().unwrap();
    assert!(
        run.status.success() && run.stderr.is_empty(),
        "{shell}: {}",
        String::from_utf8_lossy(&run.stderr)
    );
}

#[test]
fn zsh_and_fish_accept_their_scripts() {
    let folder = tempfile::tempdir().unwrap();
    for (shell, arguments, all) in [
        ("zsh", &["-n"][..], &["#compdef asp", "'--opt-mode=[", "'-n+[", "(bash zsh fish man)"][..]),
        ("fish", &["-n"], &["complete -c asp", " -l opt-mode ", " -s n ", "clingo\\t''"]),
    ] {
        let text = generated(shell);
        for part in all {
            assert!(text.contains(part), "{shell}: no {part}");
        }
        if is_installed(shell) {
            let script = folder.path().join(shell);
            fs::write(&script, text).unwrap();
            accepts(shell, arguments, &script);
        }
    }
}

#[test]
fn the_man_page_can_be_read() {
    let text = generated("man");
    for part in [".TH asp 1", ".SH SYNOPSIS", "opt\\-strategy", "memory\\-limit", "ASP_PATH", "futoshiki.lp"]
    {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    if !is_installed("groff") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("asp.1");
    fs::write(&page, text).unwrap();
    let run = Command::new("groff").args(["-man", "-Tascii", "-P-c"]).arg(&page).output().unwrap();
    assert!(run.stderr.is_empty(), "{}", String::from_utf8_lossy(&run.stderr));
    // Bold and underlined letters come as two with a backspace between.
    let shown = String::from_utf8(run.stdout).unwrap();
    let mut plain = String::new();
    for c in shown.chars() {
        if c == '\u{8}' {
            plain.pop();
        } else {
            plain.push(c);
        }
    }
    for part in
        ["SYNOPSIS", "--opt-strategy", "--memory-limit", "Solving options", "ASP_PATH", "futoshiki.lp"]
    {
        assert!(plain.to_lowercase().contains(&part.to_lowercase()), "no {part} in\n{plain}");
    }
}
