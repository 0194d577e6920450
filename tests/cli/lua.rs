//! Scripts in Lua, where it is built in (`--features lua`): functions for `@f(...)`, `main(prg)`, errors at their places.
//!
//! What clingo 5.4 with Lua prints for these programs is the same but for messages, the order of models, and times.

use crate::support::spawn;

fn run(program: &str, arguments: &[&str]) -> spawn::Run {
    let all: Vec<&str> = ["-"].iter().chain(arguments).copied().collect();
    spawn::run(all, program)
}

/// What is printed between the head and the summary, without times.
#[track_caller]
fn printed(program: &str, arguments: &[&str]) -> String {
    let run = run(program, arguments);
    let lines = run
        .stdout
        .lines()
        .skip(2)
        .take_while(|l| !l.ends_with("SATISFIABLE") && !["UNKNOWN", "OPTIMUM FOUND"].contains(l));
    let lines = lines.map(|line| line.split(" (Time").next().unwrap_or(line));
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    lines.filter(|line| *line != "Solving...").collect::<Vec<_>>().join("\n")
}

#[test]
fn functions_have_values() {
    let program = "
#script (lua)
function twice(x) return 2 * x.number end
function several(x) return {x, 'text', clingo.Function('f', {x, clingo.Tuple{}}), clingo.Infimum} end
function none() return {} end
#end.
a(@twice(3)). b(@several(1)). c(@none()). d(@twice(X)) :- X = 1..2.
";
    let run1 = run(program, &["-V0"]);
    let mut found: Vec<&str> = run1.stdout.lines().next().unwrap_or("").split(' ').collect();
    found.sort_unstable();
    assert_eq!(
        found,
        ["a(6)", "b(\"text\")", "b(#inf)", "b(1)", "b(f(1,()))", "d(2)", "d(4)"],
        "{}",
        run1.stderr
    );
    assert_eq!(run1.code, Some(30));
}

/// What only the first call reads may be read by a later one.
#[test]
fn main_adds_readers_of_atoms_that_no_answer_shows() {
    let program = "
#script (lua)
function main(prg)
  prg:ground({{'base', {}}})
  prg:add('later', {}, ':- not p(1,2).')
  prg:ground({{'later', {}}})
  print('found', prg:solve{}.satisfiable)
end
#end.
{ a(1..2) }. p(X,Y) :- a(X), a(Y). :- p(X,Y), X > Y+5. #show a/1.
";
    for rewritings in ["--rewrite=eager", "--rewrite=all"] {
        let printed = printed(program, &[rewritings]);
        assert!(printed.contains("found\ttrue"), "{rewritings}: {printed}");
    }
}

#[test]
fn main_makes_the_calls() {
    let program = "
#script (lua)
function main(prg)
  prg:ground({{'base', {}}})
  for t = 1, 3 do
    prg:ground({{'step', {t}}})
    prg:assign_external(clingo.Function('query', {t}), true)
    local result = prg:solve{on_model = function(m) print(t, m:contains(clingo.Function('p', {t})), #m:symbols{atoms=true}) end}
    print(result, result.satisfiable, result.exhausted)
    prg:release_external(clingo.Function('query', {t}))
  end
end
#end.
{ p(0) }.
#program step(t).
{ p(t) } :- p(t-1).
#external query(t).
:- query(t), t < 3, not p(t).
:- query(3).
#show.
";
    assert_eq!(
        printed(program, &[]),
        "1\ttrue\t3\nAnswer: 1\n\nSAT\ttrue\tfalse\n2\ttrue\t4\nAnswer: 1\n\nSAT\ttrue\tfalse\nUNSAT\tfalse\ttrue"
    );
}

#[test]
fn models_are_read_and_steered() {
    let program = "
#script (lua)
local c = require('clingo')
function main(prg)
  prg.configuration.solve.models = 0
  prg:add('more', {'n'}, 'fact(n). q(@own(n)). #show t : a.')
  prg:ground({{'base', {}}, {'more', {7}}}, {own = function(n) return {n, n.number + 1} end})
  local count = 0
  local handle = prg:solve{yield = true, assumptions = {{c.Function('b'), false}}}
  for m in handle:iter() do count = count + 1; last = m end
  print(count, handle:get(), pcall(function() return last.cost end))
  prg:solve{on_model = function(m)
    m.context:add_clause{{c.Function('a'), true}, {c.Function('fact', {7}), false}}
    m:extend{c.Function('seen', {m.number})}
    local terms = m:symbols{terms = true}
    print(m.number, m:contains(c.Function('a')), terms[1], #m:symbols{shown = true})
    return m.number < 2
  end}
  print(prg:solve{assumptions = {{c.Function('fact', {7}), false}}})
  print(prg:get_const('k'), prg:get_const('none'), prg.is_conflicting)
  for atom in prg.symbolic_atoms:by_signature('q', 1) do print(atom.symbol, atom.is_fact, atom.is_external) end
  print(prg.symbolic_atoms:lookup(c.Function('e')).is_external, prg.symbolic_atoms:lookup(c.Function('nope')))
end
#end.
#const k = 3. { a; b }. #external e. #show fact/1.
";
    let text = printed(program, &[]);
    let first = text.lines().find(|line| line.contains("SAT"));
    assert!(
        first.is_some_and(|l| l.starts_with("2\tSAT\tfalse\t") && l.contains("this model is gone")),
        "{text}"
    );
    let steered =
        "1\ttrue\tt\t2\nAnswer: 1\nseen(1) t fact(7)\n2\ttrue\tt\t2\nAnswer: 2\nseen(2) t fact(7)\n";
    assert!(text.contains(steered), "{text}");
    assert!(
        text.ends_with("UNSAT\n3\tnil\tfalse\nq(7)\ttrue\tfalse\nq(8)\ttrue\tfalse\ntrue\tnil"),
        "{text}"
    );
}

#[test]
fn optimisation_and_ground_output() {
    let program = "
#script (lua)
function main(prg)
  prg:ground({{'base', {}}})
  prg:solve{on_model = function(m) print(m.cost[1]) end}
end
#end.
2 { a(1..3) }. #minimize { X : a(X) }.
";
    let text = printed(program, &["-q"]);
    assert!(text.ends_with('3'), "{text}");
    let run1 = run(program, &["--text"]);
    assert!(run1.stdout.contains(":~a(1).[1@0]"), "{}", run1.stdout);
    assert!(!run1.stdout.contains("Solving"), "{}", run1.stdout);
}

#[test]
fn terms_are_values() {
    let program = "
#script (lua)
local c = clingo
local f = c.Function('f', {1, 'x', c.Tuple{1}}, false)
print(f, f.name, #f.arguments, f.positive, f.negative, f.type == c.SymbolType.Function, f.type)
print(c.Number(3).number, c.String('a').string, c.Infimum < c.Supremum, c.Number(3) == c.Number(3), c.Number(4) <= c.Number(3))
print(c.parse_term('f(1+2)'), c.Function('', {1, 2}), c.Tuple{}, c.Number(1).name, f.arguments[2])
print(pcall(c.Function, 'f', {true}))
print((pcall(c.parse_term, 'f(X)')))
#end.
";
    let expect = "-f(1,\"x\",(1,))\tf\t3\tfalse\ttrue\ttrue\tFunction\n3\ta\ttrue\ttrue\tfalse\nf(3)\t(1,2)\t()\tnil\t\"x\"\nfalse\t";
    let text = printed(program, &[]);
    assert!(text.starts_with(expect) && text.contains("a value of type boolean is no term"), "{text}");
    assert!(text.contains("\nfalse\n"), "{text}");
}

#[test]
fn errors_have_their_places() {
    for (script, rest, what) in [
        ("function f(x) error('bad') end", "a(@f(1)).", "error: <stdin>:3: bad\n --> <stdin>:5:3"),
        ("x = = 1", "", "<stdin>:3: unexpected symbol near '='"),
        ("error('at once')", "", "<stdin>:3: at once"),
        ("function f(x) return nil end", "a(@f(1)).", "error: a value of type nil is no term"),
        (
            "function main(prg) prg:ground({{'base', {}}}) error('end') end",
            "",
            "*** ERROR: (asp): main: <stdin>:3: end\n",
        ),
        ("function main(prg) prg:backend() end", "", "`backend` of the control is not supported in Lua"),
        (
            "function main(prg) prg.configuration.solve.models = 'x' end",
            "",
            "'x' invalid value for: 'models'",
        ),
        ("function main(prg) prg.configuration.solve.proof = 'x' end", "", "`proof` cannot be set here"),
        (
            "function main(prg) prg.configuration.solve.solve_limit = 0; prg:ground({{'base', {}}}); error(prg:solve()) end",
            "{ a }.",
            "main: UNKNOWN",
        ),
        ("function main(prg) prg:solve{['async'] = true} end", "", "not supported in Lua"),
        ("function main(prg) prg:add('base', {}, 'a :-') end", "", "parsing failed"),
        (
            "function main(prg) prg:ground({{'base', {}}}); prg:solve{on_model = function() prg:cleanup() end} end",
            "a.",
            "the control cannot be used while a solve call is open",
        ),
        (
            "function main(prg) p = prg; prg:ground({{'base', {}}}) end function f() p:ground({{'base', {}}}) end",
            "a(@f()).",
            "the control cannot be used while it grounds",
        ),
    ] {
        let run = run(&format!("\n#script (lua)\n{script}\n#end.\n{rest}\n"), &[]);
        assert!(run.stderr.contains(what), "{script}: {}", run.stderr);
        // Models that were found count.
        assert!(matches!(run.code, Some(65 | 95)), "{script}: {}", run.stderr);
        assert!(
            run.stdout.contains("UNKNOWN") || run.stdout.contains("SATISFIABLE"),
            "{script}: {}",
            run.stdout
        );
    }
    let run = run("#script (lua)\nfunction f() return 1 end\n#end.\na(@g(1)). b(@f()).\n", &["-V0"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(30), "b(1)\nSATISFIABLE\n"));
    assert!(run.stderr.contains("no script defines `@g`"), "{}", run.stderr);
}

#[test]
fn a_deep_term_crosses_the_border() {
    let program = "
#script (lua)
function grow(x) return clingo.Function('s', {x}) end
#end.
n(1). p(1,z). p(N+1,@grow(X)) :- p(N,X), N < 3000.
";
    let run = run(program, &["-q"]);
    assert_eq!(run.code, Some(30), "{}", run.stderr);
}
