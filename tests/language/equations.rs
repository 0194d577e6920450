//! Sums in place of joins of functional atoms: random programs with and without, over calls, with objectives.

use super::rewriting::{self, agree, is_rewritten, set};
use crate::support::hunt::{number, one};
use asp_base::rng::Rng;

/// One of some words.
/// What gives `f`, `g` and `k` their values: mostly exactly one for each key.
fn functions(rng: &mut Rng) -> String {
    let mut out = String::from("d(1..2). w(0;2;3). v(1,2). v(2,5). v(2,a). { c }.\n");
    out.push_str(match rng.below(24) {
        0 => "{ f(X,0..2) } 1 :- d(X).\n",
        1 => "{ f(X,0..2) } = 1 :- d(X), c.\n",
        2 => "{ f(X,V) : w(V), not c } = 1 :- d(X).\n",
        3 => "{ f(X,1..2) } = 1 :- d(X), c. f(X,1) :- d(X), not c.\n",
        4 => "{ f(X,1..2) } = 1 :- d(X). f(2,2).\n",
        5 => "{ f(X,0..X) } = 1 :- d(X), not z. z :- c, not f(1,0).\n",
        6 | 7 => "{ f(X,1;X,-2) } = 1 :- d(X).\n",
        8 | 9 => "1 { f(X,V) : w(V) } 1 :- d(X).\n",
        10 | 11 => "{ f(X,0..X) } = 1 :- d(X).\n",
        12 | 13 => "{ f(X,1..2) } = 1 :- d(X). f(3,1).\n",
        _ => "{ f(X,-1..1) } = 1 :- d(X).\n",
    });
    out.push_str(match rng.below(16) {
        0 => "{ g(1..3) } = 2.\n",
        1 => "{ g(1;2;a) } = 1.\n",
        2 => "{ g(1..2) } = 1. { g(3) } :- c.\n",
        3 => "{ g(1..2) } = 1. g(3) :- c.\n",
        4 => "{ g(1..2) } = 1. #external g(3).\n",
        5 => "{ g(1..2) } = 1. g(2) :- c.\n",
        _ => "{ g(1..3) } = 1.\n",
    });
    out.push_str(match rng.below(9) {
        0 => "{ k(V,X,W) : w(V), w(W), V != W } = 1 :- d(X).\n",
        1 => "{ k(V,X,V) : w(V) } = 1 :- d(X).\n",
        2 => "{ k(V,X,1) : w(V) } = 1 :- d(X). { k(V,X,1) : d(X) } 1 :- w(V).\n",
        3 => "{ k(V,X,1) } = 1 :- v(X,V).\n",
        _ => "{ k(V,X,1..2) : w(V) } = 1 :- d(X).\n",
    });
    out
}

/// A body over them.
fn body(rng: &mut Rng) -> String {
    let mut parts: Vec<String> = Vec::new();
    // Nothing that the rewriting does not know.
    let plain = rng.below(2) == 0;
    let key = |rng: &mut Rng| one(&["A", "B", "1", "2", "A", "3"], rng).to_string();
    let values = ["U", "V", "W", "X"];
    let n = 2 + rng.below(2) as usize;
    for value in &values[..n] {
        let key = key(rng);
        parts.push(match rng.below(8) {
            0..=3 => format!("f({key},{value})"),
            4 => format!("g({value})"),
            5 => format!("k({value},{key},_)"),
            6 => format!("k({value},{key},1)"),
            _ => format!("k({value},{key},Y)"),
        });
    }
    let used: Vec<&str> = values[..n].to_vec();
    let sum = |rng: &mut Rng| -> String {
        let mut terms = Vec::new();
        for v in &used {
            match rng.below(6) {
                0 => {}
                1 => terms.push(format!("{}*{v}", rng.below(5) as i64 - 2)),
                2 => terms.push(format!("({v}-{})", rng.below(3))),
                3 => terms.push(format!("-{v}")),
                _ => terms.push((*v).to_string()),
            }
        }
        match if plain { 9 } else { rng.below(20) } {
            0 => terms.push("A".into()),
            1 => terms.push("2*B".into()),
            2 => terms.push("Y".into()),
            3 => terms.push("Z".into()),
            4 => terms.push("a".into()),
            _ => terms.push(rng.below(4).to_string()),
        }
        terms.join("+")
    };
    for _ in 0..1 + rng.below(2) {
        let (left, right) = (sum(rng), if rng.below(2) == 0 { sum(rng) } else { rng.below(5).to_string() });
        let right = if !plain && rng.below(6) == 0 {
            one(&["A", "a", "B*B", "|A-3|", "Y"], rng).into()
        } else {
            right
        };
        parts.push(format!("{left} {} {right}", one(&["<", "<=", ">", ">=", "=", "!=", "<"], rng)));
    }
    for _ in 0..rng.below(4) / 2 {
        let v = one(&used, rng);
        parts.push(match rng.below(if plain { 5 } else { 10 }) {
            0 => format!("{v} > 0"),
            1 => format!("{v} \\ 2 = 0"),
            2 => format!("w({v})"),
            3 => format!("not w({v})"),
            4 => format!("{v} = 0..1"),
            5 => "c".into(),
            6 => "not h".into(),
            7 => format!("Z = {v}+{}", one(&used, rng)),
            8 => format!("v({v},B)"),
            _ => format!("#count {{ Q : f(Q,{v}) }} > 0"),
        });
    }
    let text = parts.join(", ");
    for name in ["A", "B", "Y", "Z"] {
        if text.contains(name) && (plain || rng.below(8) > 0) {
            parts.push(format!("d({name})"));
        }
    }
    parts.join(", ")
}

/// A random program of functional predicates and rules that join them.
fn random(rng: &mut Rng) -> String {
    let mut out = functions(rng);
    for _ in 0..1 + rng.below(2) {
        let body = body(rng);
        let arguments: Vec<&str> =
            ["A", "B", "U", "V", "Y", "Z"].into_iter().filter(|v| body.contains(v)).collect();
        let argument = if arguments.is_empty() { "1" } else { one(&arguments, rng) };
        let head = match rng.below(12) {
            0..=3 => String::new(),
            4..=6 => "h".into(),
            7 => "{ h }".into(),
            8 => "h | i".into(),
            9 => format!("h({})", one(&["A", "B", "1"], rng)),
            10 => format!("h({argument})"),
            _ => "f(1,7)".into(),
        };
        out.push_str(&format!("{head} :- {body}.\n"));
        match rng.below(5) {
            0 => out.push_str(":- not h.\n"),
            1 => out.push_str("z :- h.\n"),
            _ => {}
        }
    }
    if rng.below(4) == 0 {
        out.push_str(one(&["#show h/0.", "#show f/2.", "#show t(X) : h(X).", "#project f/2."], rng));
    }
    out
}

#[test]
fn of_random_programs() {
    let first = number("ASP_RANDOM_SEED", 0);
    let seeds = number("ASP_RANDOM_COUNT", 300);
    let (mut compared, mut rewritten) = (0, 0);
    for seed in first..first + seeds {
        let program = random(&mut Rng::new(seed));
        if agree(&program) {
            compared += 1;
            rewritten += u64::from(is_rewritten(&program, "equations"));
        }
    }
    println!("{compared} compared, {rewritten} rewritten");
    assert!(compared * 2 > seeds, "{compared} of {seeds}");
    assert!(rewritten * 7 > seeds, "{rewritten} of {seeds}");
}

/// A body whose comparisons multiply values.
fn body_of_products(rng: &mut Rng) -> String {
    let key = |rng: &mut Rng| one(&["A", "1", "2", "B", "2"], rng).to_string();
    let mut parts = vec![format!("f({},U)", key(rng)), format!("f({},V)", key(rng))];
    parts.push(one(&["g(W)", "g(W)", "k(W,1,_)", "k(W,A,1)", "k(W,2,Y)", "f(1,W)"], rng).to_string());
    let sum = |rng: &mut Rng| {
        let products = [
            "U*V",
            "V*U",
            "U*U",
            "(U+1)*(V-W)",
            "(2*U+W)*V",
            "-U*V*W",
            "U*V-V*U",
            "(U-V)*(U+V)",
            "A*U",
            "U*2",
        ];
        let others = ["0", "W", "2*W-1", "V", "10*U+W", "-3", "A", "V*W"];
        let sum = format!("{}+{}", one(&products, rng), one(&others, rng));
        if rng.below(4) == 0 { format!("{sum}-{}", one(&products, rng)) } else { sum }
    };
    for _ in 0..1 + rng.below(2) {
        let (left, right) = (sum(rng), if rng.below(2) == 0 { sum(rng) } else { rng.below(5).to_string() });
        parts.push(format!("{left} {} {right}", one(&["<", "<=", ">", ">=", "=", "!=", "!="], rng)));
    }
    if rng.below(3) == 0 {
        parts.push(one(&["U > 0", "w(V)", "c", "not z", "W < V", "Z = U*W, Z > 1"], rng).into());
    }
    let text = parts.join(", ");
    ["A", "B", "Y"].iter().filter(|v| text.contains(**v)).for_each(|v| parts.push(format!("d({v})")));
    parts.join(", ")
}

#[test]
fn of_products() {
    let first = number("ASP_RANDOM_SEED", 0);
    let seeds = number("ASP_RANDOM_COUNT", 300);
    let (mut compared, mut rewritten) = (0, 0);
    for seed in first..first + seeds {
        let rng = &mut Rng::new(seed);
        let mut program = functions(rng);
        for _ in 0..1 + rng.below(2) {
            let head = one(&["", "", "h", "{ h }", "h | i"], rng);
            program.push_str(&format!("{head} :- {}.\n", body_of_products(rng)));
        }
        if agree(&program) {
            compared += 1;
            rewritten += u64::from(is_rewritten(&program, "equations"));
        }
    }
    println!("{compared} compared, {rewritten} rewritten");
    assert!(compared * 2 > seeds, "{compared} of {seeds}");
    assert!(rewritten * 15 > seeds, "{rewritten} of {seeds}");
}

/// A product in a plain comparison is a sum of few elements, not an instance for each choice of all values.
#[test]
fn products_are_not_multiplied_out() {
    let program = "letter(a;b;c;d;e;f). { d(X,0..9) } = 1 :- letter(X). :- d(X,V), d(Y,V), X < Y.
        (10*$d(a)+$d(b))*$d(c) = 100*$d(d)+10*$d(e)+$d(f). #show d/2.";
    let run = |words: &[&str]| crate::support::spawn::run([&["-"], words].concat(), program).stdout;
    assert!(run(&["--text"]).lines().count() < 1000);
    let mut expected = 0;
    for n in 0..1_000_000u32 {
        let digits: Vec<u32> = (0..6).map(|i| n / 10u32.pow(5 - i) % 10).collect();
        let differ = digits.iter().enumerate().all(|(i, x)| !digits[..i].contains(x));
        expected += u32::from(differ && (10 * digits[0] + digits[1]) * digits[2] == n % 1000);
    }
    assert!(run(&["0", "-q"]).contains(&format!("Models       : {expected}\n")), "{expected}");
}

/// Of programs of which only answers are wanted, all of them with their costs.
fn answers(program: &str, words: &str) -> Option<Vec<String>> {
    rewriting::answers(program, set(words), |control| {
        control.settings.ground.answers_only = true;
        control.settings.solve.opt_mode = asp::options::OptMode::Enum;
    })
}

/// An objective that is linear in the values, or almost.
fn objective(rng: &mut Rng) -> String {
    let sum = one(&["U+V", "U-V", "2*U+3*V-1", "U*V", "10*U+V+A", "U+2*V+W", "Z", "U"], rng);
    let mut body = vec!["f(1,U)", one(&["f(2,V)", "g(V)", "f(A,V)", "k(V,2,_)"], rng)];
    let both = format!("{sum} {}", body.join(" "));
    if both.contains('A') {
        body.push("d(A)");
    }
    if sum.contains('W') {
        body.push("k(W,1,_)");
    }
    if sum == "Z" {
        body.push(one(&["Z = U+10*V", "Z = U", "Z = |U-V|"], rng));
    }
    if rng.below(3) == 0 {
        body.push(one(&["U < V", "U > 0", "c", "V != 0", "U+V > 1"], rng));
    }
    let tuple = match both.contains('A') {
        true => one(&[",A", "", ",A,x"], rng),
        false => one(&["", "", ",x", ",1,2"], rng),
    };
    format!(
        "#{}{{ {sum}@{}{tuple} : {} }}.\n",
        one(&["minimize", "maximize"], rng),
        rng.below(2),
        body.join(", ")
    )
}

#[test]
fn of_objectives() {
    let first = number("ASP_RANDOM_SEED", 0);
    let seeds = number("ASP_RANDOM_COUNT", 200);
    let (mut compared, mut rewritten) = (0, 0);
    for seed in first..first + seeds {
        let rng = &mut Rng::new(seed);
        let mut program = functions(rng);
        (0..1 + rng.below(2)).for_each(|_| program.push_str(&objective(rng)));
        let Some(expected) = answers(&program, "none") else { continue };
        for words in ["all", "eager"] {
            assert_eq!(answers(&program, words).expect("as many"), expected, "--rewrite={words}\n{program}");
        }
        compared += 1;
        rewritten += u64::from(is_rewritten(&program, "equations"));
    }
    println!("{compared} compared, {rewritten} rewritten");
    assert!(compared * 2 > seeds, "{compared} of {seeds}");
    assert!(rewritten * 5 > seeds, "{rewritten} of {seeds}");
}

/// A predicate that later calls add values to is read as it was.
#[test]
fn over_calls() {
    let program = "{ f(X,1..3) } = 1 :- d(X). d(1..2). :- f(1,U), f(2,V), U+V < 3.
        #program step(t).
        { f(X,4..t) } = 1 :- d(X). { e(t,1..3) } = 1. h(t) :- f(1,U), e(t,V), U+2*V > 6.
        :- e(t,U), e(t-1,V), U+V < 4. { f(3,t) }. :- f(1,U), f(2,V), e(t,W), U+V > W+6.";
    let counts = |words: &str| {
        let mut control = asp::Control::new();
        control.settings.ground.rewritings = set(words);
        control.add(program);
        let mut counts = Vec::new();
        for step in 0..4 {
            let part = [("step", vec![asp::Symbol::small(step + 3).unwrap()])];
            match step {
                0 => control.ground().unwrap(),
                _ => control.ground_parts(&part).unwrap(),
            }
            let mut found = Vec::new();
            control
                .solve(0, |answer| {
                    found.push(answer.to_string());
                    true
                })
                .unwrap();
            counts.push(found.len());
        }
        counts
    };
    let expected = counts("none");
    assert!(expected.iter().all(|&n| n > 0), "{expected:?}");
    assert_eq!(counts("all"), expected);
    assert_eq!(counts("eager"), expected);
}
