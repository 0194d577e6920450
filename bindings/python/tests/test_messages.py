"""Messages of the library: laid out as clingo lays them out, and the same where they are no errors."""

import json
import subprocess
import sys
import tempfile
import unittest

if "--own" in sys.argv:
    # The package falls back to clingo's own library.
    sys.modules["_clingo"] = None

from clingo import Control, parse_term
from clingo.ast import ProgramBuilder, parse_string

TEXTS = [
    (["-c", "n=2"], "a."),
    ([], "a :- b."),
    ([], "a(1+b). c(1/0). d(-x)."),
    ([], "p(X) :- X = @f(1)."),
    ([], "#external c : d. x :- e, f(1).\nx :- not g."),
    ([], "a. #show a : b."),
    ([], "a :- not c(1/0). b :- c(f(1/0))."),
    ([], "a :- { c(1/0); b } 1. b."),
]

# What gringo says again for each instance is compared once.
TUPLES = [
    "{ b }. a :- #sum { x,1 : b; 2,y : b } > 1.",
    "a :- #sum { f(X),X : X=1..2 } > 1. c :- #min { x } > 1. d :- #count { x } > 0.",
    "p(-1). p(2). a :- #sum+ { X : p(X) } > 1. { b }. c :- not #sum+ { X : p(X), b } > 1.",
    "{ b }. #minimize { x : b }. #maximize { y@2,7 : b; 1@2,7 : b }.",
    '{ b }. #minimize { 1@x : b; "}@"@3 : b }.\n:~ b.\n  [ y@1, \n3]',
    "p(1..2). { b }. #minimize { (Y,Y)@Y,2 : p(Y), b; #inf : b }. #maximize { (Y,1)@Y,2 : b, p(Y) }.",
    "p(1..2). { b }. #sum { x : b : not b; y,1 : c : b } 4. #sum { (Y,Y) : q(Y) : p(Y), b } > 3.",
    "p(1..2). { b }. a(X) :- p(X), #sum { f(X) : b; 2,\n  Y : p(Y) } > 1.",
    "p(a). q(1+X;2*X;1*X;3-2*X;2*(X+1);-(X+1);X*X;X/2;-X+1;X+0) :- p(X).",
    "p(a). q(f(X-1),\n  X*2+1) :- p(X), not p(X+1). a :- p(X), X+1 < 3.",
    "#const m = 2. p(a). q(X+m) :- p(X). q(X+n) :- p(X). q(~X) :- p(X). #external e(X+1) : p(X).",
    "q(1/0). s(1). t(1). r(X) :- s(X), X = #sum { X,2 : t(X) }. b :- c(2).",
    "{ b }. p(a). #heuristic b : p(X). [X@1,true]",
    "{ b }. #heuristic b.\n [1@x,  true]",
    "{ b }. #heuristic b. [1, 1+2]",
    "{ b }. p(a;3). #heuristic b : p(X). [1@X,sign]",
    "p(a;b). #show X+2 : p(X). #show f(X) : p(X).",
    "p(a). #show f(X+1,\n  (X*2,b)) : p(X).",
    "p(a). a :- not c(X+1), p(X).",
    "d(1,2). a(X) :- d(X,Y), #sum { X,X,Y : d(X,_); Y,X : d(Y,_) } >= 1, #count { 1,X : d(X,Y) } > 0.",
]

# Programs whose trees are added while a call is on.
LATE = ["r :- zz.", "{ r }. r(1) :- #sum { x : r } > 0.", "{ r }. #heuristic r. [x,sign]", "#program p. r :- zz."]


def once(told):
    """Each message once."""
    return sorted({text for _, text in told})


def built(text):
    """The infos about a program that is built from trees."""
    told = []
    control = Control(logger=lambda code, message: told.append([code.name, message.replace("<string>", "<block>")]))
    with ProgramBuilder(control) as builder:
        parse_string(text, builder.add)
    control.ground([("base", [])])
    return told


def infos(arguments, text):
    told = []
    control = Control(arguments, logger=lambda code, message: told.append([code.name, message]))
    control.add("base", [], text)
    control.ground([("base", [])])
    return told


def built_late(text):
    """What is told of trees that are added while a call is on."""
    told = []
    control = Control(logger=lambda code, message: told.append(message))
    control.add("base", [], "a.")
    control.ground([("base", [])])

    def add(_):
        with ProgramBuilder(control) as builder:
            parse_string(text, builder.add)

    control.solve(on_model=add)
    control.ground([("base", []), ("p", [])])
    return told


def again():
    """Signatures of `#show` without atoms are told of with each call of `ground`."""
    told = []
    control = Control(logger=lambda code, message: told.append([code.name, message]))
    control.add("base", [], "#show p/1. #show q/1.")
    control.add("later", [], "q(1).")
    for part in ("base", "base", "later"):
        control.ground([(part, [])])
    return told


def terms():
    told = []
    for text in ("p(1/0)", "f(1+a)", "p("):
        try:
            parse_term(text, logger=lambda code, message: told.append(message))
        except RuntimeError:
            told.append("error")
    return told


def everything():
    """What is compared, piece by piece."""
    for text in TEXTS:
        yield infos(*text)
    for text in TUPLES:
        yield once(infos([], text))
        yield once(built(text))
    for text in LATE:
        yield built_late(text)
    yield again()
    yield [infos(arguments, "p(a).") for arguments in (["--", "0"], ["-c", "a=2", "--"], ["--", "x"])]
    yield terms()


class Messages(unittest.TestCase):
    def test_infos_are_those_of_clingo(self):
        command = [sys.executable, __file__, "--own"]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        for ours, theirs in zip(everything(), lines, strict=True):
            with self.subTest(ours):
                self.assertEqual(ours, json.loads(theirs))

    def test_why_a_file_cannot_be_read_is_a_note(self):
        """clingo reads a folder as an empty file."""
        told = []
        with tempfile.TemporaryDirectory() as folder:
            control = Control(logger=lambda _, message: told.append(message))
            self.assertRaises(RuntimeError, control.load, folder)
            self.assertEqual(told[0].splitlines()[:2], ["<cmd>: error: file could not be opened:", f"  {folder}"])
            self.assertRegex(told[0].splitlines()[2], "^note: Is a directory")

    def test_errors_have_their_layout(self):
        told = []
        control = Control(logger=lambda code, message: told.append(message))
        control.add("base", [], "a(X).")
        self.assertRaises(RuntimeError, control.ground, [("base", [])])
        lines = told[-1].split("\n")
        self.assertEqual(lines[:2], ["<block>:1:3-4: error: unsafe variable `X`:", "  X"])
        self.assertTrue(all("note: " in line for line in lines[2:-1]), lines)
        self.assertEqual(lines[-1], "")

    def test_the_layout_of_the_command_line(self):
        told = infos(["--message-layout=asp"], "a :- b.")
        self.assertEqual(told[0][0], "AtomUndefined")
        self.assertEqual(told[0][1].splitlines()[:2], ["info: atom does not occur in any rule head: `b/0` [atom-undefined]", " --> <block>:1:6"])
        self.assertEqual(infos(["--message-layout=clingo"], "a :- b."), infos([], "a :- b."))
        self.assertRaisesRegex(RuntimeError, "'x' invalid value for: 'message-layout'", Control, ["--message-layout=x"])


if __name__ == "__main__":
    if "--own" in sys.argv:
        for piece in everything():
            print(json.dumps(piece), flush=True)
    else:
        unittest.main()
