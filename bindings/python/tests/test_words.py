"""Words and values that programs compare: each the same on asp and on clingo's own library, which runs the same lines."""

import json
import subprocess
import sys
import unittest

from side_by_side import Mine, control, tell

import clingo
from clingo import Control, Function, Number, String
from clingo.ast import ProgramBuilder, parse_string

THEORY = """
#theory t { u { + : 1, unary; - : 1, unary; - : 1, binary, left; ** : 2, binary, right }; &t/1 : u, { <=, = }, u, any }.
{ x }.
&t(1) { 1; a; "s"; f(1,x); (1,2); [1]; {2}; (); {}; []; (1,); +1; 1-2; f(); g(f()); -1; 1**2; (1-2)-3; +(+1); + + 1 } <= h().
&t(X) { X : x } = f(X) :- X = 1..2.
&t((1,2)) { }. &t(f(a)) { }.
"""

# By key of the configuration, values as they are written.
VALUES = [
    ("models", ["0", " 0", "-1"]),
    ("opt_mode", ["enum, 5", "opt,1,2"]),
    ("opt_stop", ["5", "off"]),
    ("solve_limit", ["5, 6", "5", "umax"]),
    ("parallel_mode", ["4", "1", "2,split"]),
    ("project", ["auto", "show,3", "no"]),
    ("enum_mode", ["bt", "domRec"]),
    ("distribute", ["all", "all,global", "no"]),
    ("integrate", ["all"]),
    ("heuristic", ["Vsids", "vmtf", "domain,92", "vsids,95"]),
    ("restarts", ["no", "l,60"]),
    ("lookahead", ["atom", "no"]),
    ("strengthen", ["local", "no"]),
    ("counter_restarts", ["5"]),
    ("block_restarts", ["5"]),
    ("del_max", ["50"]),
    ("del_glue", ["3"]),
    ("vsids_progress", ["80"]),
    ("update_lbd", ["glucose"]),
    ("contraction", ["5"]),
    ("partial_check", ["30"]),
    ("rand_prob", ["10"]),
    ("opt_usc_shrink", ["min"]),
    ("opt_strategy", ["usc", "bb", *map(str, range(20))]),
    ("sign_fix", ["yes", "no"]),
    ("no_lookback", ["1"]),
    ("deletion", ["no"]),
    ("seed", ["7"]),
]
# What a program that prints takes, and a control in part.
REFUSED = (["-V"], ["--verbose"], ["--verbose=2"], ["-V2"], ["-q"], ["--quiet"])
SHOWN = [
    "#show x/3.",
    "a. #show a/1. #show -b/0.",
    "#show p/1. p(1).",
    "a. #show a/0. #show c/2.",
    "a :- b. #show b/0.",
    "a(X) :- b(X), c(X). #show a/1. #show b/1.",
    "#external e. #show e/0. #show -e/0.",
]


def ground(new):
    new.ground([("base", [])])


def theory():
    new = control(THEORY)
    ground(new)

    def term(t):
        return [str(t), str(t.type), tell(lambda: t.name), tell(lambda: t.number), tell(lambda: list(map(term, t.arguments)))]

    return sorted(
        json.dumps([str(a), term(a.term), [[str(e), list(map(term, e.terms))] for e in a.elements], a.guard and term(a.guard[1])])
        for a in new.theory_atoms
    )


def values():
    told = []
    for key, list_of in VALUES:
        for value in list_of:
            owner = Control()
            root = owner.configuration
            part = next(part for part in (root, root.solve, root.solver[0]) if key in part.keys)

            def set_and_get():
                setattr(part, key, value)
                return getattr(part, key)

            told.append([key, value, tell(set_and_get)])
    return told


def arguments():
    def read(words):
        owner = Control(words)
        conf = owner.configuration
        return conf.solve.models, conf.solve.project, conf.solver[0].restarts, conf.solver[0].heuristic

    return [tell(lambda: read(words)) for words in (["--project"], ["3"], ["--restarts=no"], ["--heuristic=vmtf"], ["-c", "n=2"], *REFUSED)]


def refused():
    owner = Control()
    with owner.backend() as backend:
        terms = [tell(lambda term=term: backend.add_atom(term)) for term in (Number(3), String("s"), clingo.Infimum)]
    return [*terms, tell(lambda: setattr(owner.configuration, "solve", "1"))]


def symbols():
    return [tell(run) for run in (lambda: Function("a").number, lambda: Number(1).name, lambda: String("x").arguments, lambda: clingo.Infimum.string)]


def shown():
    told = []
    for text in SHOWN:
        infos = []
        ground(control(text, told=infos))
        told.append(infos)
    return told


def errors():
    """A program that has an error is not grounded any more, whatever is added to it."""
    told = []
    for text in ("a(", "a(X).", "#const x=1. #const x=2."):
        new = Control(logger=lambda *_: None)
        told.append(tell(lambda: new.add("base", [], text)))
        told.append(tell(lambda: ground(new)))
        told.append(tell(lambda: new.add("base", [], "b.")))
        told.append(tell(lambda: ground(new)))
    # One of a function of the caller's is not the program's; a file that is not there is.
    class Context:
        def f(self):
            raise Mine("f")

    new = control("a(@f()).")
    told.append(tell(lambda: new.ground([("base", [])], Context())))
    new.add("next", [], "b.")
    told.append(tell(lambda: new.ground([("next", [])])))
    infos = []
    new = control("a.", told=infos)
    told += [tell(lambda: new.load("nothing.lp")), infos, tell(lambda: ground(new))]
    return told


def handles():
    """What a function has raised is told once."""
    def fail(model):
        raise Mine("on_model")

    new = control("{ a }.", "0")
    ground(new)
    told = []
    with new.solve(on_model=fail, yield_=True) as handle:
        told.append(tell(lambda: list(handle)))
        told.append(tell(handle.get))
    return told


def scripts():
    told = []
    # Lua is built into ours only.
    for text in ("#script (lua) x = 1 #end.", "a.\n#script (cobol)\n#end."):
        nodes = []
        parse_string(text, nodes.append)
        told.append([str(node) for node in nodes])

        def build():
            owner = Control()
            with ProgramBuilder(owner) as builder:
                for node in nodes:
                    builder.add(node)

        if "lua" not in text:
            told.append(tell(build))
    return told


class Told:
    def __init__(self):
        self.all = []

    def rule(self, choice, head, body):
        self.all.append([choice, list(head), list(body)])

    def output_atom(self, symbol, atom):
        self.all.append([str(symbol), bool(atom)])


def observed():
    """Facts come first, with the first numbers."""
    told = []
    for text in ("a. { b }. c :- b.", "a. b. c :- a, b.", "{ x }. f(1..2). y :- x, f(1).", "a :- not b. b :- not a. g."):
        watch = Told()
        new = Control()
        new.register_observer(watch)
        new.add("base", [], text)
        ground(new)
        new.solve()
        told.append(sorted(map(json.dumps, watch.all)))
    return told


PARTS = [theory, values, arguments, refused, symbols, shown, errors, handles, scripts, observed]


class Words(unittest.TestCase):
    def test_all_are_those_of_clingo(self):
        command = [sys.executable, __file__, "--own"]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        for part, line in zip(PARTS, lines, strict=True):
            for ours, theirs in zip(json.loads(json.dumps(part())), json.loads(line), strict=True):
                with self.subTest(part.__name__):
                    self.assertEqual(ours, theirs)


if __name__ == "__main__":
    if "--own" in sys.argv:
        for part in PARTS:
            print(json.dumps(part()))
    else:
        unittest.main()
