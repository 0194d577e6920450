//! Proofs of programs, made in memory, and what VeriPB says of them.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use asp_base::rng::Rng;
use asp_check::Files;
use asp_control::{Control, Proof, options_for_proof};
use asp_solve::{Flow, SolveOptions, SolveResult};

/// A file in memory.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Why there is no proof.
#[derive(Debug)]
#[allow(dead_code)] // Not every test reads the reasons.
pub enum Missing {
    /// It was refused beforehand.
    Refused(String),
    /// The log has a gap.
    Gap(String),
}

/// Solves a program text with a proof.
pub fn prove(text: &str, options: &SolveOptions) -> Result<(Files, SolveResult), Missing> {
    let refused = |what: &str| Missing::Refused(what.to_string());
    let options = options_for_proof(options).map_err(refused)?;
    let mut control = Control::new();
    control.add(text);
    control.ground().map_err(|e| Missing::Refused(e.to_string()))?;
    control.lower().map_err(|e| Missing::Refused(e.to_string()))?;
    control.prepare_proof(&options).map_err(refused)?;
    let mut program = Vec::new();
    let mut writer = control.lowered_writer();
    control.write_ground(&mut writer, &mut program).unwrap();
    let log = Shared::default();
    control.log_proof(Box::new(log.clone()));
    let result = control.solve_events(&options, &[], &mut |_, _, _| Flow::Continue).unwrap();
    let proof = control.take_proof(&options, &result).unwrap().map_err(|e| Missing::Gap(e.to_string()))?;
    let mut steps = Proof::head(proof.constraints).into_bytes();
    if proof.is_refuted {
        steps.extend_from_slice(&log.0.lock().unwrap());
    }
    steps.extend_from_slice(proof.end().as_bytes());
    let Proof { claim, formula, witnesses, .. } = proof;
    Ok((Files { program, claim, formula, witnesses, steps }, result))
}

/// The command of VeriPB, if it is there.
pub fn veripb() -> Option<String> {
    let command = std::env::var("ASP_VERIPB").unwrap_or_else(|_| "veripb".into());
    Command::new(&command).arg("--version").output().ok().map(|_| command)
}

/// Whether VeriPB accepts the constraints and steps of a proof; otherwise what it says.
pub fn verified(command: &str, dir: &Path, files: &Files) -> Result<(), String> {
    let (formula, steps) = (dir.join("formula.opb"), dir.join("steps.pbp"));
    std::fs::write(&formula, &files.formula).unwrap();
    std::fs::write(&steps, &files.steps).unwrap();
    let output = Command::new(command).args([&formula, &steps]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let refuted = String::from_utf8_lossy(&files.steps).contains("conclusion UNSAT");
    let wanted = if refuted { "s VERIFIED UNSATISFIABLE" } else { "s VERIFIED NO CONCLUSION" };
    if output.status.success() && text.contains(wanted) {
        Ok(())
    } else {
        Err(text + &String::from_utf8_lossy(&output.stderr))
    }
}

/// Where the files of a proof that failed are kept.
pub fn kept(seed: u64, files: &Files) -> String {
    let dir = std::env::temp_dir().join(format!("asp-proof-that-failed-{seed}"));
    std::fs::create_dir_all(&dir).unwrap();
    for (name, bytes) in [
        ("program.aspif", &files.program),
        ("claim.txt", &files.claim),
        ("formula.opb", &files.formula),
        ("witnesses.txt", &files.witnesses),
        ("steps.pbp", &files.steps),
    ] {
        std::fs::write(dir.join(name), bytes).unwrap();
    }
    dir.display().to_string()
}

/// How many seeds are tried: a few, or as many as the environment says.
pub fn seeds(few: u64) -> std::ops::Range<u64> {
    let from = std::env::var("ASP_PROOFS_FROM").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let count = std::env::var("ASP_PROOFS").ok().and_then(|n| n.parse().ok()).unwrap_or(few);
    from..from + count
}

/// A random question about what can be reached in a graph whose edges are chosen: positive cycles through conjunctions, sums
/// and disjunctions.
fn random_graph(rng: &mut Rng) -> String {
    let n = 3 + rng.below(3);
    let (a, b, c) = (1 + rng.below(4), 1 + rng.below(4), 2 + rng.below(2));
    let mut text = format!(
        "n(1..{n}). {{ e(X,Y) }} :- n(X), n(Y), X != Y, (X*{a}+Y*{b})\\{c} != 0.\nr(1). r(Y) :- r(X), e(X,Y).\n"
    );
    if rng.chance(0.5) {
        text += "s(1). s(2). s(Y) :- n(Y), #count { X : s(X), e(X,Y) } >= 2.\n";
        text += [":- s(3).\n", ":- not s(3).\n", "r(X) :- s(X), n(X).\n"][rng.below(3) as usize];
    }
    if rng.chance(0.4) {
        text += "u(X) | v(X) :- r(X), n(X). u(Y) :- v(X), e(X,Y). v(Y) :- u(X), e(Y,X).\n";
        text += [":- u(1).\n", ":- not v(2).\n", "", ":- u(2), v(2).\n"][rng.below(4) as usize];
    }
    text += &format!(":- #count {{ X,Y : e(X,Y) }} > {}.\n", 1 + rng.below(4));
    if rng.chance(0.8) {
        text += &format!(":- n(X), X >= {}, not r(X).\n", 2 + rng.below(n));
    }
    if rng.chance(0.3) {
        text += &format!(":- r({}).\n", 2 + rng.below(n - 1));
    }
    if rng.chance(0.3) {
        text += "#minimize { X,Y : e(X,Y) }.\n";
    }
    if rng.chance(0.3) {
        text += "#edge (X,Y) : e(X,Y), X != 2.\n";
    }
    if rng.chance(0.3) {
        text += ["#project r/1.\n", "#project e(1,X) : n(X).\n"][rng.below(2) as usize];
    }
    if rng.chance(0.5) { text + "#show r/1.\n" } else { text }
}

/// A random question about cells with values: sums over groups of which one literal holds, or at most one, sums with values, groups
/// that must differ.
fn random_cells(rng: &mut Rng) -> String {
    let (n, m) = (2 + rng.below(3), 2 + rng.below(3));
    let mut text = match rng.below(5) {
        0 => format!("{{ v(R,X) : X = 1..{m} }} 1 :- R = 1..{n}.\n"),
        1 => format!("{{ v(1..{n},1..{m}) }}. :- v(R,X), v(R,Y), X < Y.\n"),
        2 => format!("v(R,1) | v(R,2) | v(R,{m}) :- R = 1..{n}. :- v(R,X), v(R,Y), X < Y.\n"),
        _ => format!("{{ v(R,X) : X = 1..{m} }} = 1 :- R = 1..{n}.\n"),
    };
    text += "{ b(1..2) }.\n";
    if rng.chance(0.4) {
        let relation = if n == m && rng.chance(0.5) { "!= 1" } else { "> 1" };
        text += &format!(":- X = 1..{m}, {{ v(R,X) : R = 1..{n} }} {relation}.\n");
    }
    if rng.chance(0.3) {
        text += &format!("w(R,X) :- v(R,X), R = 1..{n}, X = 1..{m}.\n");
    }
    let cell = if text.contains("w(R,X)") { "w(R,X)" } else { "v(R,X)" };
    let sum = |rng: &mut Rng| {
        let weight = ["X", "X", "X*R", "X*X", "X*R-2", "3-X", "1"][rng.below(7) as usize];
        let sign = if rng.chance(0.15) { "not " } else { "" };
        let bounds = if rng.chance(0.3) { ", R > 1" } else { "" };
        let own = ["", "; 2,b : b(1)", "; 2,b : b(1); 3,c : not b(2)"][rng.below(3) as usize];
        format!("#sum {{ {weight},R,X : {sign}{cell}, R = 1..{n}, X = 1..{m}{bounds}{own} }}")
    };
    for i in 0..1 + rng.below(3) {
        let relation = ["<", ">", "=", "!=", ">="][rng.below(5) as usize];
        let bound = rng.below(n * m + 3);
        text += &match rng.below(4) {
            0 => format!(":- {} {relation} {bound}.\n", sum(rng)),
            1 => format!("c({i}) :- {} {relation} {bound}.\n", sum(rng)),
            2 => format!("s(S) :- S = {}. :- s(S), S {relation} {bound}.\n", sum(rng)),
            _ => format!("s(S) :- S = {}. b(1) :- s(S), S \\ 2 = 0. :- s({bound}), b(2).\n", sum(rng)),
        };
    }
    for _ in 0..rng.below(4) {
        let (a, b) = (1 + rng.below(n), 1 + rng.below(n));
        text += &match rng.below(4) {
            0 => format!(":- v({a},X), v({b},Y), X + Y = {}.\n", 2 + rng.below(2 * m)),
            1 => format!(":- c(0), not v({a},{}).\n", 1 + rng.below(m)),
            2 => format!(":- v({a},{}), b(1).\n", 1 + rng.below(m)),
            _ => format!(":- v({a},X), b({}), X > {}.\n", 1 + rng.below(2), rng.below(m)),
        };
    }
    if rng.chance(0.4) {
        let weight = ["X", "X*R", "2-X"][rng.below(3) as usize];
        text += &format!("#minimize {{ {weight}@{},R,X : v(R,X); 2,b : b(1) }}.\n", rng.below(2));
    }
    if rng.chance(0.3) {
        text += ["#project v/2.\n", "#project b/1.\n"][rng.below(2) as usize];
    }
    if rng.chance(0.5) { text + "#show v/2.\n" } else { text }
}

/// A random question of what must be chosen so that everything is covered, with costs on several levels.
fn random_cover(rng: &mut Rng) -> String {
    let n = 5 + rng.below(8);
    let mut text = format!("{{ p(1..{n}) }}.\n");
    for _ in 0..n + rng.below(n) {
        let size = 2 + rng.below(4);
        let parts: Vec<String> = (0..size)
            .map(|_| format!("{}p({})", if rng.chance(0.85) { "not " } else { "" }, 1 + rng.below(n)))
            .collect();
        text += &format!(":- {}.\n", parts.join(", "));
    }
    if rng.chance(0.5) {
        text += &format!("q(X,Y) :- p(X), p(Y), Y = X + {}.\n", 1 + rng.below(3));
    }
    if rng.chance(0.3) {
        text += "1 { r(1..3) } 1. r(1) :- p(1), not p(2).\n";
    }
    for level in 0..1 + rng.below(3) {
        let weight = ["1", "X", "X-3", "1+X\\3", "5*(X\\2)+1"][rng.below(5) as usize];
        let what = ["p(X)", "p(X)", "p(X), not p(X+1)", "q(X,_)", "r(X)"][rng.below(5) as usize];
        text += &format!("#minimize {{ {weight}@{level},X : {what} }}.\n");
    }
    if rng.chance(0.5) { text + "#show p/1.\n" } else { text }
}

/// A random question about integers, with few values and with many.
fn random_integers(rng: &mut Rng) -> String {
    let n = 2 + rng.below(2);
    let most = [3, 14, 45][rng.below(3) as usize];
    let mut text = format!("{{ p(1..3) }}. &dom {{ 0..{most} }} = x(X) :- X = 1..{n}.\n");
    let variable = |rng: &mut Rng| format!("{}*x({})", rng.below(5) as i64 - 2, 1 + rng.below(n));
    let sum = |rng: &mut Rng| {
        let relation = ["<=", ">=", "=", "!="][rng.below(4) as usize];
        let bound = rng.below(most) as i64 - 2;
        format!("&sum {{ {}; {} }} {relation} {bound}", variable(rng), variable(rng))
    };
    for i in 0..2 + rng.below(3) {
        text += &match rng.below(8) {
            0 => format!("{}.\n", sum(rng)),
            1 | 2 => format!("{} :- p({}).\n", sum(rng), 1 + rng.below(3)),
            3 | 4 => format!("q({i}) :- {}.\n", sum(rng)),
            5 => format!(":- {}, not p({}).\n", sum(rng), 1 + rng.below(3)),
            6 => "&distinct { x(1); x(2) } :- p(1).\n".to_string(),
            _ => format!("&disjoint {{ x(1)@{}; x(2)@{} }}.\n", 1 + rng.below(9), 1 + rng.below(9)),
        };
    }
    // Few answers.
    text += &format!("&sum {{ x(1); x(2) }} <= {}.\n", 2 + rng.below(4));
    if n == 3 {
        text += &format!("&sum {{ x(3) }} >= {}.\n", most - rng.below(3));
    }
    if rng.chance(0.2) {
        text += "&dom { 0..1; 3..4 } = x(1) :- p(2).\n";
    }
    if rng.chance(0.2) {
        text += &format!("&nsum {{ x(1)*x(2) }} <= {}.\n", rng.below(6));
    }
    if rng.chance(0.5) {
        text +=
            &format!("&minimize {{ {}; {} }}. #minimize {{ 1,X : p(X) }}.\n", variable(rng), variable(rng));
    }
    if rng.chance(0.2) { text + "#show p/1. &show { x/1 }.\n" } else { text }
}

/// A random program over some atoms: rules, choices, sums, disjunctions, constraints, costs, externals, shown terms.
pub fn random_program(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let rng = &mut rng;
    let kind = seed % 6;
    if kind == 5 {
        return random_graph(rng);
    }
    if seed % 12 == 10 {
        return random_cells(rng);
    }
    if seed % 24 == 4 {
        return random_cover(rng);
    }
    if seed % 24 == 16 {
        return random_integers(rng);
    }
    let atoms = 3 + rng.below(if kind == 4 { 22 } else { 7 });
    let positive = [0.35, 0.6, 0.85][rng.below(3) as usize];
    let atom = |rng: &mut Rng| format!("a{}", 1 + rng.below(atoms));
    let literal = |rng: &mut Rng| {
        let sign = if rng.chance(positive) { "" } else { "not " };
        format!("{sign}a{}", 1 + rng.below(atoms))
    };
    let sum = |rng: &mut Rng| {
        let n = 1 + rng.below(4);
        let unit = rng.chance(0.5);
        let terms: Vec<String> = (0..n)
            .map(|i| format!("{},{i}: {}", if unit { 1 } else { 1 + rng.below(4) }, literal(rng)))
            .collect();
        let relation = ["<=", ">=", ">=", "=", "!="][rng.below(5) as usize];
        format!("#sum{{ {} }} {relation} {}", terms.join("; "), rng.below(5))
    };
    let body = |rng: &mut Rng, least: u64| {
        let n = least + rng.below(3);
        let mut parts: Vec<String> = (0..n).map(|_| literal(rng)).collect();
        if matches!(kind, 2 | 3) && rng.chance(0.35) {
            parts.push(sum(rng));
        }
        if parts.is_empty() { String::new() } else { format!(" :- {}", parts.join(", ")) }
    };
    let mut text = String::new();
    if kind == 4 {
        // Clauses near the threshold, so that something is learned, and some definitions.
        text +=
            &format!("{{ a1; {} }}.\n", (2..=atoms).map(|i| format!("a{i}")).collect::<Vec<_>>().join("; "));
        for _ in 0..atoms * 4 + rng.below(atoms) {
            let clause: Vec<String> = (0..3)
                .map(|_| format!("{}a{}", if rng.chance(0.5) { "not " } else { "" }, 1 + rng.below(atoms)))
                .collect();
            text += &format!(":- {}.\n", clause.join(", "));
        }
        for i in 0..rng.below(4) {
            text += &format!("d{i} :- {}.\nd{i} :- {}, d{}.\n", literal(rng), literal(rng), rng.below(4));
            text += &format!(":- {}, {}d{i}.\n", literal(rng), if rng.chance(0.5) { "not " } else { "" });
        }
        if rng.chance(0.3) {
            text += &format!(":- {}.\n", sum(rng));
        }
    } else {
        for _ in 0..2 + rng.below(atoms * 2) {
            match rng.below(10) {
                0 => text += &format!("{}.\n", body(rng, 1).trim_start()),
                1 | 2 => text += &format!("{{ {}; {} }}{}.\n", atom(rng), atom(rng), body(rng, 0)),
                3 => {
                    let (low, high) = (rng.below(2), 1 + rng.below(2));
                    let (a, b, c) = (atom(rng), atom(rng), atom(rng));
                    text += &format!("{low} {{ {a}; {b}; {c} }} {high}{}.\n", body(rng, 0));
                }
                4 if kind == 1 || kind == 3 => {
                    text += &format!("{} | {}{}.\n", atom(rng), atom(rng), body(rng, 0))
                }
                5 if kind == 1 => {
                    text += &format!("{} | {} | {}{}.\n", atom(rng), atom(rng), atom(rng), body(rng, 0))
                }
                _ => {
                    let least = u64::from(rng.chance(0.8));
                    text += &format!("{}{}.\n", atom(rng), body(rng, least));
                }
            }
        }
    }
    if rng.chance(0.35) {
        for level in 0..1 + rng.below(3) {
            let terms: Vec<String> = (0..1 + rng.below(4))
                .map(|i| format!("{}@{level},{i}: {}", rng.below(9) as i64 - 2, literal(rng)))
                .collect();
            text += &format!("#minimize {{ {} }}.\n", terms.join("; "));
        }
    }
    if rng.chance(0.1) {
        text += &format!(
            "#external e. [{}]\n{} :- e.\n",
            ["true", "false", "free"][rng.below(3) as usize],
            atom(rng)
        );
    }
    if rng.chance(0.3) {
        text += "#show a1/0. #show a2/0. #show a3/0.\n";
        text += if seed % 7 == 1 {
            "#show t : a1, not a2. #show u : a2, a4.\n"
        } else if seed % 7 == 4 {
            "#show t : a1. #show t : not a2, a4. #show u : a2.\n"
        } else {
            ""
        };
    }
    if rng.chance(0.3) {
        text += "#project a1/0. #project a2/0. #project a4/0.\n";
    }
    if rng.chance(0.2) {
        for _ in 0..2 + rng.below(5) {
            let more = if seed % 5 == 2 { format!(", {}", literal(rng)) } else { String::new() };
            text += &format!("#edge ({},{}) : {}{more}.\n", rng.below(4), rng.below(4), literal(rng));
        }
    }
    text
}
