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
]


def once(told):
    """Each message once, and without places of directives that are left out."""
    return sorted({text if "directive" not in text else text[text.index("info") :] for _, text in told})


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
