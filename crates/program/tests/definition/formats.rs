//! Round trips through the ground formats, golden outputs, and malformed inputs.

use asp_base::symbol::Symbols;
use asp_oracle::brute_force::{AnswerSet, answer_sets};
use asp_oracle::random::Random;
use asp_program::aspif::AspifWriter;
use asp_program::aspif_read::AspifReader;
use asp_program::dimacs;
use asp_program::ground_program::{Program, Show, ShowItem};
use asp_program::lower::lower;
use asp_program::reify::{ReifyOptions, ReifyWriter};
use asp_program::text::to_text;
use asp_program::{Literal, smodels};

use crate::to_aspif;

/// Shown atoms and costs of each answer set, sorted.
fn shown(program: &Program, symbols: &Symbols) -> Vec<(Vec<String>, Vec<i64>)> {
    let describe =
        |s: &AnswerSet| (s.shown(program, symbols), s.objective_costs(&program.objectives).unwrap());
    let mut sets: Vec<_> = answer_sets(program, symbols).iter().map(describe).collect();
    sets.sort_unstable();
    sets
}

/// A random lowered program that shows all its named atoms.
fn lowered(seed: u64) -> (Program, Symbols) {
    let Random { symbols, mut program, .. } = Random::new(seed);
    for atom in program.atoms.ids() {
        if program.atoms.get(atom).is_some() {
            let condition = program.push_literals(&[Literal::pos(atom)]);
            program.shows.push(Show { item: ShowItem::Atom(atom), condition });
        }
    }
    lower(&mut program, &symbols).unwrap();
    (program, symbols)
}

fn read_aspif(text: &str) -> Result<(Program, Symbols), String> {
    let (mut program, mut symbols) = (Program::new(), Symbols::new());
    let mut reader = AspifReader::new(text.as_bytes());
    while reader.read_step(&mut program, &mut symbols).map_err(|e| e.to_string())? {}
    Ok((program, symbols))
}

#[test]
fn aspif_keeps_answer_sets_and_costs() {
    for seed in 0..500 {
        let (program, symbols) = lowered(seed);
        let text = to_aspif(&program, &symbols);
        let (again, again_symbols) = read_aspif(&text).unwrap();
        assert_eq!(shown(&program, &symbols), shown(&again, &again_symbols), "seed {seed}\n{text}");
    }
}

#[test]
fn smodels_keeps_answer_sets_and_order_of_costs() {
    for seed in 0..500 {
        let (program, symbols) = lowered(seed);
        let mut text = Vec::new();
        smodels::write(&program, &symbols, &mut text).unwrap();
        let (mut again, mut again_symbols) = (Program::new(), Symbols::new());
        smodels::read_forced(&text, None, false, &mut again, &mut again_symbols).unwrap();
        let (a, b) = (shown(&program, &symbols), shown(&again, &again_symbols));
        let sets = |s: &[(Vec<String>, Vec<i64>)]| s.iter().map(|x| x.0.clone()).collect::<Vec<_>>();
        let text = String::from_utf8_lossy(&text);
        assert_eq!(sets(&a), sets(&b), "seed {seed}\n{text}");
        // A negative constant cannot be expressed: costs differ by the same amount everywhere.
        let difference = |i: usize| a[i].1.iter().zip(&b[i].1).map(|(x, y)| x - y).collect::<Vec<_>>();
        assert!((1..a.len()).all(|i| difference(i) == difference(0)), "seed {seed}\n{text}");
    }
}

const ASPIF: &str = "asp 1 0 0
1 1 2 1 2 0 0
1 0 1 3 1 2 3 1 1 2 1 -4 2
1 0 2 5 6 0 2 1 -2
1 0 0 0 2 1 2
3 1 1
5 4 0
7 1 1 1 2 1 2
8 0 1 1 1
8 1 0 1 2
9 0 0 7
9 1 1 3 dom
9 2 2 1 1 0
9 4 0 2 2 0 1 3
9 5 0 1 1 0
2 1 2 1 5 -2 -1
4 1 a 1 1
4 4 f(b) 1 2
4 1 t 2 1 -3
4 4 k\"1\" 0
6 1 -6
0
";

#[test]
fn aspif_reads_all_directives() {
    let (program, symbols) = read_aspif(ASPIF).unwrap();
    let expected = "{a;f(b)}.
x_2:-2<=#sum{1,0:a;1,1:f(b);2,2:not x_3}.
x_4;x_5:-a,not f(b).
:-a,f(b).
:~a.[5@1,0]
:~not f(b).[-1@1,1]
:-x_5.
&dom{dom(7),7: x_2}.
#external x_3.[free]
#heuristic a:f(b).[1@2,sign]
#edge(0,1):a.
#edge(1,0):f(b).
#project a.
#show a/0.
#show f/1.
#show t:a,not x_2.
#show k\"1\".
";
    assert_eq!(to_text(&program, &symbols), expected);
    // Atoms are numbered by first mention. A term is shown by an atom, which then has its name, and by one that never holds if it
    // always is shown.
    let own = [
        ("x_2:-2<=#sum{1,0:a;1,1:f(b);2,2:not x_3}", "x_3:-2<=#sum{1,0:a;1,1:f(b);2,2:not x_2}"),
        (":-a,f(b).\n", ":-a,f(b).\nt:-a,not x_3.\n"),
        ("dom(7),7: x_2", "dom(7),7: x_3"),
        ("#external x_3", "#external x_2"),
        ("#show t:a,not x_2.", "#show t/0."),
        ("\"1\".", "\"1\":not x_7."),
    ];
    let expected = own.iter().fold(expected.to_string(), |text, (was, is)| text.replace(was, is));
    let (again, again_symbols) = read_aspif(&to_aspif(&program, &symbols)).unwrap();
    assert_eq!(to_text(&again, &again_symbols), expected);
}

#[test]
fn aspif_steps_add_up() {
    let text =
        "asp 1 0 0 incremental\n1 1 1 1 0 0\n2 0 1 1 3\n4 1 a 1 1\n0\n1 0 1 2 0 1 1\n2 0 2 2 4 1 -1\n0\n";
    let (mut program, mut symbols) = (Program::new(), Symbols::new());
    let mut reader = AspifReader::new(text.as_bytes());
    let mut writer = AspifWriter::new(true);
    let mut out = Vec::new();
    while reader.read_step(&mut program, &mut symbols).unwrap() {
        writer.write(&mut program, &symbols, &mut out).unwrap();
    }
    assert!(reader.is_incremental());
    assert_eq!(program.objectives[0].literals.iter().map(|l| l.1).collect::<Vec<_>>(), [2, 4]);
    let expected = text.replace("2 0 2 2 4 1 -1", "2 0 2 1 -1 2 4");
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    assert_eq!(read_aspif(text).err().as_deref(), Some(expected));
}

#[test]
fn malformed_aspif_names_the_line() {
    check_error("", "line 1: 'asp 1 0 0' expected");
    check_error("asp 2 0 0\n", "line 1: version 2.0 of the format is not supported");
    check_error("asp 1 0 0\n1 0 1 1 0 0\n", "line 3: directive expected, found end of file");
    check_error("asp 1 0 0\n1 0 1 x 0 0\n0\n", "line 2: atom expected, found 'x'");
    check_error("asp 1 0 0\n1 0 1 0 0 0\n0\n", "line 2: atom 0 is not in 1..2147483647");
    check_error("asp 1 0 0\n1 0 1 1 0 1\n0\n", "line 2: literal expected, found end of line");
    check_error("asp 1 0 0\n1 0 1 1 0 1 2 3\n0\n", "line 2: end of line expected, found '3'");
    check_error("asp 1 0 0\n1 0 1 1 1 2 1 2 -1\n0\n", "line 2: weight -1 is not in 0..9223372036854775807");
    check_error("asp 1 0 0\n4 9 a 0\n0\n", "line 2: the text ends early");
    let wrong_length = "line 2: a blank expected after the text, whose length may be wrong";
    check_error("asp 1 0 0\n4 2 a 1 1\n0\n", wrong_length);
    check_error("asp 1 0 0\n4 1 ab 1 1\n0\n", wrong_length);
    check_error("asp 1 0 0\n9 1 0 2 abc\n0\n", "line 2: end of line expected, found 'c'");
    check_error("asp 1 0 0\n9 5 0 3 0\n0\n", "line 2: theory term 3 is not defined");
    check_error("asp 1 0 0\n17\n0\n", "line 2: directive 17 is not in 0..10");
    check_error("asp 1 0 0\n0\n0\n", "line 3: input goes on after the end of the only step");
    check_error(
        "asp 1 0 0\n2 1 99999999999999999999\n0\n",
        "line 2: number of literals is outside the 64-bit range",
    );
}

/// A good text that is cut or changed must be read or refused without a panic.
#[test]
fn broken_inputs_never_panic() {
    let (program, symbols) = lowered(11);
    let mut text = Vec::new();
    smodels::write(&program, &symbols, &mut text).unwrap();
    let opb = b"* c\nmin: +2 x1 -3 x2 +1 x3 ;\n+1 x1 +2 ~x2 >= 1 ;\n+1 x1 x2 +1 x3 = 1 ;\n".to_vec();
    let wcnf = b"c x\np wcnf 3 3 10\n10 1 -2 0\n3 -3 0\n2 -1 2 0\n".to_vec();
    let mut rng = asp_base::rng::Rng::new(3);
    for good in [ASPIF.as_bytes().to_vec(), text, opb, wcnf] {
        for round in 0..good.len() + 500 {
            let mut bad = good.clone();
            if round < good.len() {
                bad.truncate(round);
            } else {
                let at = rng.below(bad.len() as u64) as usize;
                bad[at] = b"0129- \nxa~;"[rng.below(11) as usize];
            }
            let (mut program, mut symbols) = (Program::new(), Symbols::new());
            let _ = AspifReader::new(&bad).read_step(&mut program, &mut symbols);
            let _ = smodels::read_forced(&bad, None, false, &mut program, &mut symbols);
            for format in [dimacs::Format::Cnf, dimacs::Format::Wcnf, dimacs::Format::Opb] {
                let mut program = Program::new();
                let _ = dimacs::read(&bad, format, &mut program, &mut symbols);
            }
        }
    }
}

#[track_caller]
fn check_dimacs(text: &str, expected: &[(&[&str], &[i64])]) {
    let (mut program, mut symbols) = (Program::new(), Symbols::new());
    let format = dimacs::recognize(text.as_bytes()).unwrap();
    dimacs::read(text.as_bytes(), format, &mut program, &mut symbols).unwrap();
    let sets = shown(&program, &symbols);
    let sets: Vec<(Vec<&str>, &[i64])> =
        sets.iter().map(|s| (s.0.iter().map(String::as_str).collect(), &s.1[..])).collect();
    let expected: Vec<(Vec<&str>, &[i64])> = expected.iter().map(|e| (e.0.to_vec(), e.1)).collect();
    assert_eq!(sets, expected);
}

#[test]
fn dimacs_and_opb() {
    check_dimacs(
        "c x\np cnf 3 2\n1 -2 0\n2 3 0\n",
        &[
            (&["x(1)", "x(2)"], &[]),
            (&["x(1)", "x(2)", "x(3)"], &[]),
            (&["x(1)", "x(3)"], &[]),
            (&["x(3)"], &[]),
        ],
    );
    check_dimacs(
        "p wcnf 2 3 10\n10 1 2 0\n3 -1 0\n2 -1 -2 0\n",
        &[(&["x(1)"], &[3]), (&["x(1)", "x(2)"], &[5]), (&["x(2)"], &[0])],
    );
    check_dimacs(
        "h 1 2 0\n3 -1 0\n2 -1 -2 0\n4 0\n",
        &[(&["x(1)"], &[7]), (&["x(1)", "x(2)"], &[9]), (&["x(2)"], &[4])],
    );
    check_dimacs(
        "* #variable= 3 #constraint= 2\nmin: +2 x1 -3 x2 +1 x3 ;\n+1 x1 +2 ~x2 >= 1 ;\n+1 x1 +1 x2 +1 x3 = 2 ;\n",
        &[(&["x(1)", "x(2)"], &[-1]), (&["x(1)", "x(3)"], &[3])],
    );
    check_dimacs("+1 x1 x2 -1 ~x1 >= 0 ;\n", &[(&["x(1)"], &[]), (&["x(1)", "x(2)"], &[])]);
}

/// Those that occur, if there is no header: memory does not follow a number alone.
#[test]
fn variables_are_those_of_the_header() {
    check_dimacs("+1 x100000000 +1 x3 >= 2 ;\n", &[(&["x(100000000)", "x(3)"], &[])]);
    check_dimacs("h 200000000 0\n2 -4 0\n", &[(&["x(200000000)"], &[0]), (&["x(200000000)", "x(4)"], &[2])]);
    for text in [
        "p cnf 2 1\n1 3 0\n",
        "p wcnf 2 1 9\n9 1 -3 0\n",
        "* #variable= 2 #constraint= 1\n+1 x1 +1 x3 >= 1 ;\n",
    ] {
        let format = dimacs::recognize(text.as_bytes()).unwrap();
        let (mut program, mut symbols) = (Program::new(), Symbols::new());
        let said = dimacs::read(text.as_bytes(), format, &mut program, &mut symbols).unwrap_err().to_string();
        assert!(said.contains("variable 3, but the header declares 2"), "{said}");
    }
}

#[test]
fn reified_programs_list_their_components() {
    let text = "asp 1 0 0\n5 1 2\n1 1 1 2 0 0\n1 0 1 3 0 1 2\n1 0 1 2 0 1 3\n1 0 1 5 1 3 2 2 2 -3 1\n\
                2 1 1 2 3\n4 1 a 1 2\n0\n";
    let (program, symbols) = read_aspif(text).unwrap();
    let mut out = Vec::new();
    let options = ReifyOptions { sccs: true, ..ReifyOptions::default() };
    ReifyWriter::new(options).write(&program, &symbols, &mut out).unwrap();
    let expected = "atom_tuple(0).
atom_tuple(0,2).
literal_tuple(0).
rule(choice(0),normal(0)).
atom_tuple(1).
atom_tuple(1,3).
literal_tuple(1).
literal_tuple(1,2).
rule(disjunction(1),normal(1)).
literal_tuple(2).
literal_tuple(2,3).
rule(disjunction(0),normal(2)).
atom_tuple(2).
atom_tuple(2,4).
weighted_literal_tuple(0).
weighted_literal_tuple(0,2,2).
weighted_literal_tuple(0,-3,1).
rule(disjunction(2),sum(0,3)).
weighted_literal_tuple(1).
weighted_literal_tuple(1,2,3).
minimize(1,1).
output(a,1).
external(1,false).
scc(0,2).
scc(0,3).
";
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}
