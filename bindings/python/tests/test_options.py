"""Options through the library: each one that a control takes gives what the binary finds with it, others are unknown.

What the binary finds is recorded in tests/golden/doors.json by tests/cli/doors.rs.

    VENV/bin/python -m unittest discover -s bindings/python/tests
"""

import json
import pathlib
import tempfile
import unittest

from clingo import Control

ROOT = pathlib.Path(__file__).resolve().parents[3]
DOORS = json.loads((ROOT / "tests/golden/doors.json").read_text())


def ask(program, words):
    """The result, all models in their order, the last costs and the number of messages."""
    messages = []
    try:
        control = Control(words, logger=lambda _, text: messages.append(text))
        control.add("base", [], program)
        control.ground([("base", [])])
        models, costs, proven = [], None, False
        with control.solve(yield_=True) as handle:
            for model in handle:
                models.append(sorted(map(str, model.symbols(shown=True, theory=True))))
                costs, proven = model.cost, model.optimality_proven
            result = handle.get()
    except RuntimeError as error:
        return str(error), [], None, len(messages)
    if not result.satisfiable:
        return ("UNSATISFIABLE" if result.unsatisfiable else "UNKNOWN"), models, None, len(messages)
    is_optimum = bool(costs) and (proven or result.exhausted)
    return ("OPTIMUM FOUND" if is_optimum else "SATISFIABLE"), models, costs, len(messages)


class Doors(unittest.TestCase):
    def test_what_only_the_command_line_takes_is_unknown(self):
        self.assertGreater(len(DOORS["refused"]), 40)
        for name, word in DOORS["refused"]:
            if name == "verbose":
                # As in clingo, where it takes no value.
                self.assertRaisesRegex(RuntimeError, "SyntaxError: 'verbose' does not take a value!", Control, [word])
                continue
            with self.subTest(name), self.assertRaises(RuntimeError) as caught:
                Control([word])
            self.assertEqual(str(caught.exception), f"In context '<libclingo>': unknown option: '{name}'")

    def test_each_option_gives_what_the_binary_finds(self):
        self.assertGreater(len(DOORS["found"]), 120)
        for case in DOORS["found"]:
            with self.subTest(option=case["option"], words=" ".join(case["words"])):
                result, models, costs, messages = ask(case["program"], case["words"])
                if case["result"] == "UNKNOWN" and case["option"] == "ground-limit":
                    self.assertNotIn(result, ("SATISFIABLE", "UNSATISFIABLE"))
                    continue
                if "=optN" not in " ".join(case["words"]):
                    self.assertEqual(result, case["result"])
                if "models" in case:
                    self.assertEqual(sorted(models), case["models"])
                if "last" in case:
                    self.assertEqual(models[-1] if models else None, case["last"])
                if "number" in case:
                    self.assertEqual(len(models), case["number"])
                if "costs" in case:
                    self.assertEqual(costs, case["costs"])
                if "messages" in case:
                    self.assertEqual(messages, case["messages"])

    def test_a_warning_counts_as_an_error_if_wanted(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "twice.lp"
            file.write_text("a.")
            for words, fails in ([], False), (["--warn=error"], True), (["--warn=error", "--warn=no-error"], False):
                control, told = Control(words, logger=lambda *_: told.append(1)), []
                text = f'#include "{file}". #include "{file}".'
                with self.subTest(words):
                    if fails:
                        self.assertRaisesRegex(RuntimeError, "counts as an error", control.add, "base", [], text)
                    else:
                        control.add("base", [], text)
                    self.assertEqual(len(told), 1)
