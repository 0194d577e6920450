"""Messages of the library: laid out as clingo lays them out, and the same where they are no errors."""

import json
import subprocess
import sys
import unittest

if "--own" in sys.argv:
    # The package falls back to clingo's own library.
    sys.modules["_clingo"] = None

from clingo import Control, parse_term

TEXTS = [
    (["-c", "n=2"], "a."),
    ([], "a :- b."),
    ([], "a(1+b). c(1/0). d(-x)."),
    ([], "p(X) :- X = @f(1)."),
    ([], "#external c : d. x :- e, f(1).\nx :- not g."),
    ([], "a. #show a : b."),
]


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


class Messages(unittest.TestCase):
    def test_infos_are_those_of_clingo(self):
        command = [sys.executable, __file__, "--own"]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        self.assertEqual([infos(*text) for text in TEXTS] + [terms()], [json.loads(line) for line in lines])

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
        for text in TEXTS:
            print(json.dumps(infos(*text)), flush=True)
        print(json.dumps(terms()))
    else:
        unittest.main()
