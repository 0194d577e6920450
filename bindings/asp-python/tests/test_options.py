"""Options of a control: each one that it takes gives what the binary finds with it, others are unknown.

What the binary finds is recorded in tests/golden/doors.json by tests/cli/doors.rs.
"""

import json
import pathlib
import re
import tempfile
import unittest

import asp

ROOT = pathlib.Path(__file__).resolve().parents[3]
DOORS = json.loads((ROOT / "tests/golden/doors.json").read_text())


class Doors(unittest.TestCase):
    def test_what_only_the_command_line_takes_is_unknown(self):
        self.assertGreater(len(DOORS["refused"]), 40)
        for name, word in DOORS["refused"]:
            with self.subTest(name), self.assertRaises(asp.UsageError) as caught:
                asp.Control(options=[word])
            self.assertEqual(str(caught.exception), f"In context '<asp>': unknown option: '{name}'")
        with self.assertRaisesRegex(asp.UsageError, "`file.lp` is no option"):
            asp.Control(options=["file.lp"])

    def test_each_option_gives_what_the_binary_finds(self):
        self.assertGreater(len(DOORS["found"]), 120)
        for case in DOORS["found"]:
            with self.subTest(option=case["option"], words=" ".join(case["words"])):
                control = asp.Control(case["program"], options=case["words"])
                call = control.solve()
                models = list(call)
                found = [sorted(str(model).split()) for model in models]
                result = call.result
                if not result.satisfiable:
                    verdict = "UNSATISFIABLE" if result.exhausted else "UNKNOWN"
                elif models[-1].costs and result.exhausted:
                    verdict = "OPTIMUM FOUND"
                else:
                    verdict = "SATISFIABLE"
                if "=optN" not in " ".join(case["words"]):
                    self.assertEqual(verdict, case["result"])
                if "models" in case:
                    # JSON has integers as atoms.
                    wanted = [[re.sub(r"^__csp\((.*),(.*)\)$", r"\1=\2", atom) for atom in model] for model in case["models"]]
                    self.assertEqual(sorted(found), sorted(map(sorted, wanted)))
                if "last" in case:
                    self.assertEqual(found[-1] if found else None, case["last"])
                if "number" in case:
                    self.assertEqual(len(found), case["number"])
                if "costs" in case:
                    self.assertEqual(list(models[-1].costs) if models else None, case["costs"])
                if "messages" in case:
                    self.assertEqual(len(control.messages), case["messages"])

    def test_a_warning_counts_as_an_error_if_wanted(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "twice.lp"
            file.write_text("a.")
            program = f'#include "{file}". #include "{file}".'
            self.assertEqual(str(asp.Control(program).first()), "a")
            for act in asp.Control.parse, asp.Control.ground, asp.Control.first:
                control = asp.Control(program, options="--warn=error")
                self.assertRaisesRegex(asp.ParseError, "counts as an error", act, control)
                self.assertEqual(len(control.messages), 1)

    def test_what_a_call_says_precedes_the_options(self):
        control = asp.Control("{ a; b }. #show a/0. #minimize { 1 : a }.", options="--models=1 --opt-mode=ignore --project=show")
        self.assertEqual([len(list(control.solve(n))) for n in (0, 1)], [2, 1])
        self.assertEqual(len(list(control.solve())), 1)
        self.assertEqual(len(list(control.solve(0, optimize="bound", bound=[0]))), 1)
        self.assertEqual(len(list(asp.Control("{ a; b }.", options="").solve())), 4)
