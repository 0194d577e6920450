"""The packages clingcon and clingo-dl as pip installs them, run by whatever library the package clingo is on.

    python theories.py [--own]       one line a scenario, as JSON; --own: on clingo's own library in any case
"""

import ctypes
import json
import pathlib
import subprocess
import sys
import tempfile

if "--own" in sys.argv:
    # The package falls back to its own library.
    sys.modules["_clingo"] = None

from clingo import Control, Number
from clingo.ast import ProgramBuilder, parse_string
from clingcon import ClingconTheory
from clingodl import ClingoDLTheory


class Location(ctypes.Structure):
    """What dladdr tells."""

    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p), ("at", ctypes.c_void_p)]


def library():
    """The file that functions of clingo.h come from, for all that ask the process for them, as both packages do."""
    process = ctypes.CDLL(None)
    location = Location()
    process.dladdr.argtypes = [ctypes.c_void_p, ctypes.POINTER(Location)]
    process.dladdr(ctypes.cast(process.clingo_control_register_propagator, ctypes.c_void_p), ctypes.byref(location))
    return location.file.decode()


class Run:
    """A program with a theory."""

    def __init__(self, theory, text, *arguments, **configuration):
        self.theory = theory()
        # Whether answers tell what the theory adds to models, not what it assigns.
        self.extended = False
        for key, value in configuration.items():
            self.theory.configure(key.replace("_", "-"), value)
        self.control = Control(["0", *arguments])
        self.theory.register(self.control)
        with ProgramBuilder(self.control) as builder:
            parse_string(text, lambda statement: self.theory.rewrite_ast(statement, builder.add))

    def ground(self, *parts):
        self.control.ground(parts or [("base", [])])
        self.theory.prepare(self.control)

    def solve(self, only=None, **options):
        """All answers: what is shown, and what the theory assigns, as far as its name begins with something."""
        found = []

        def see(model):
            self.theory.on_model(model)
            values = {str(key): value for key, value in self.theory.assignment(model.thread_id)}
            shown = sorted(str(s) for s in model.symbols(shown=True) if not s.name.startswith("__"))
            extra = sorted(str(s) for s in model.symbols(theory=True))
            assigned = sorted([k, str(v)] for k, v in values.items() if only is None or k.startswith(only))
            found.append([shown, extra if self.extended else assigned])

        result = self.control.solve(on_model=see, on_statistics=self.theory.on_statistics, **options)
        assert result.exhausted
        return sorted(found)


SEND = """
letter(s;e;n;d;m;o;r;y).
&dom { 0..9 } = X :- letter(X).
&sum { 1000*s; 100*e; 10*n; 1*d; 1000*m; 100*o; 10*r; 1*e } = sum.
&sum { 10000*m; 1000*o; 100*n; 10*e; 1*y } = sum.
&dom { 0..99999 } = sum.
&sum { m } != 0.
&distinct { X : letter(X) }.
"""


def send(**configuration):
    run = Run(ClingconTheory, SEND, **configuration)
    run.ground()
    return run.solve()


MIXED = """
#const n = 4.
&dom { 0..n } = x(I) :- I = 1..3.
{ a; b }.
&sum { x(1); x(2) } <= 3 :- a.
&sum { x(1); -1*x(2) } >= 2 :- not a.
c :- &sum { x(I) : I = 1..3 } >= 7.
:- b, c.
d :- &sum { x(3) } = 2, &sum { 2*x(1) } != 4.
:- not b, d, a.
"""


def mixed(**configuration):
    run = Run(ClingconTheory, MIXED, **configuration)
    run.ground()
    return run.solve("x")


def shown():
    run = Run(ClingconTheory, "&dom { 0..2 } = x(I) :- I = 1..2. &dom { 1..2 } = y. { a }. &sum { x(1); y } <= 2 :- a. &show { x/1 }.")
    run.ground()
    run.extended = True
    return run.solve()


def different():
    run = Run(ClingconTheory, "&dom { 1..4 } = q(I) :- I = 1..4. &distinct { q(I)+0 : I = 1..4 }. &distinct { q(I)-I : I = 1..4 }. &distinct { q(I)+I : I = 1..4 }.")
    run.ground()
    return run.solve()


KNAPSACK = """
item(1,5,9). item(2,4,6). item(3,3,5). item(4,2,2). item(5,6,11).
{ in(I) : item(I,_,_) }.
&dom { 0..1 } = n(I) :- item(I,_,_).
&sum { n(I) } = 1 :- in(I).
&sum { n(I) } = 0 :- not in(I), item(I,_,_).
&sum { W*n(I) : item(I,W,_) } <= 11.
&maximize { V*n(I) : item(I,_,V) }.
#show in/1.
"""


def knapsack(**configuration):
    run = Run(ClingconTheory, KNAPSACK, **configuration)
    run.ground()
    # Better and better ones; the last is the best, of which there is one.
    values = {1: 9, 2: 6, 3: 5, 4: 2, 5: 11}
    return max(sum(values[int(key[2:-1])] for key, value in assigned if value == "1") for _, assigned in run.solve("n"))


def constraint_steps():
    run = Run(
        ClingconTheory,
        "&dom { 0..5 } = x. { a }. &sum { x } >= 3 :- a."
        "#program step(t). { b(t) }. &dom { 0..5 } = y(t). &sum { y(t) } > t :- b(t). &sum { y(t); x } <= 4. :- not b(t), a. #external e(t). &sum { x } != t :- e(t).",
    )
    run.ground()
    found = [run.solve()]
    for step in (1, 2):
        run.ground(("step", [Number(step)]))
        run.control.assign_external(next(a.symbol for a in run.control.symbolic_atoms.by_signature("e", 1) if a.symbol.arguments[0].number == step), True)
        found.append(run.solve())
    return found


JOBS = """
#const horizon = 11.
task(1,1,3). task(1,2,2). task(1,3,2). task(2,1,2). task(2,3,1). task(2,2,4). task(3,2,4). task(3,3,3).
next(1,1,2). next(1,2,3). next(2,1,3). next(2,3,2). next(3,2,3).
&diff { s(J,M) - s(J,N) } <= -D :- next(J,M,N), task(J,M,D).
{ before(I,J,M) } :- task(I,M,_), task(J,M,_), I < J.
&diff { s(I,M) - s(J,M) } <= -D :- before(I,J,M), task(I,M,D).
&diff { s(J,M) - s(I,M) } <= -D :- not before(I,J,M), task(I,M,_), I < J, task(J,M,D).
&diff { 0 - s(J,M) } <= 0 :- task(J,M,_).
#show before/3.
"""


BOUND = "&diff { s(J,M) - 0 } <= horizon-D :- task(J,M,D)."


def jobs(horizon, **configuration):
    text = JOBS.replace("horizon = 11", "horizon = %d" % horizon) + BOUND
    run = Run(ClingoDLTheory, text, **configuration)
    run.ground()
    return run.solve()


def shortest():
    """The least horizon, step by step: each adds a bound under an external atom."""
    text = JOBS + "&diff { s(J,M) - end } <= -D :- task(J,M,D). #program bound(b). #external at(b). &diff { end - 0 } <= b :- at(b)."
    run = Run(ClingoDLTheory, text)
    run.ground()
    found = []
    for bound in (16, 14, 12, 11, 10, 9):
        run.ground(("bound", [Number(bound)]))
        atom = next(a.symbol for a in run.control.symbolic_atoms.by_signature("at", 1) if a.symbol.arguments[0].number == bound)
        run.control.assign_external(atom, True)
        answers = run.solve("end")
        found.append([bound, [shown for shown, _ in answers]])
        run.control.release_external(atom)
    return found


def bare(**configuration):
    text = "{ a; b }. c :- &diff { x - y } <= 2. &diff { y - x } <= -2 :- a. &diff { x - y } <= 1 :- b. &diff { z - x } <= 4 :- c. :- not c, not a."
    run = Run(ClingoDLTheory, text, **configuration)
    run.ground()
    return [shown for shown, _ in run.solve()]


def application(module, text, *arguments):
    """The answers of a package's own program, and its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "program.lp")
        path.write_text(text, encoding="utf-8")
        own = "sys.modules['_clingo'] = None; " if "--own" in sys.argv else ""
        code = f"import runpy, sys; {own}sys.argv = {[module, str(path), '0', *arguments]!r}; runpy.run_module({module!r}, run_name='__main__')"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    lines = run.stdout.splitlines()
    answers = [lines[i + 1 : i + 4] for i, line in enumerate(lines) if line.startswith("Answer:")]
    return [run.returncode, sorted(answers), [line for line in lines if line.startswith("Models")]]


SCENARIOS = {
    "send more money": send,
    "send more money, lazily": lambda: send(refine_reasons="0", translate_clauses="0"),
    "mixed": mixed,
    "mixed, without order clauses": lambda: mixed(add_order_clauses="0", translate_distinct="0"),
    "shown": shown,
    "different": different,
    "knapsack": knapsack,
    "knapsack, translated": lambda: knapsack(translate_minimize="1"),
    "constraints in steps": constraint_steps,
    "jobs": lambda: [jobs(horizon) for horizon in (10, 11, 12)],
    "jobs, full propagation": lambda: jobs(12, propagate="full"),
    "jobs, inverse propagation": lambda: jobs(12, propagate="inverse"),
    "shortest": shortest,
    "bare": bare,
    "bare, otherwise": lambda: bare(propagate_root="3", propagate_budget="5", add_mutexes="1", sort_edges="weight"),
    "program clingcon": lambda: application("clingcon", MIXED, "--const=n=3"),
    "program clingo-dl": lambda: application("clingodl", JOBS + BOUND),
}


def main():
    print(json.dumps(["library", library()]))
    for name, scenario in SCENARIOS.items():
        print(json.dumps([name, scenario()]), flush=True)


if __name__ == "__main__":
    main()
