"""The packages clingcon and clingo-dl, unchanged, on our library: their answers are those on clingo's own."""

import json
import pathlib
import subprocess
import sys
import unittest

import _clingo
import clingo

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import theories


class Theories(unittest.TestCase):
    def test_the_library_is_ours(self):
        self.assertTrue(_clingo.ffi.string(_clingo.lib.asp_version()))
        self.assertIs(sys.modules["clingo._internal"]._lib, _clingo.lib)
        # What the packages' own extension modules are bound to.
        ours = pathlib.Path(_clingo.__file__).parent / "libclingo.so.4"
        self.assertEqual(pathlib.Path(theories.library()), ours)
        self.assertEqual(clingo.core.version(), (5, 8, 3))

    def test_answers_are_those_on_the_own_library_of_clingo(self):
        command = [sys.executable, theories.__file__, "--own"]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        self.assertEqual(len(lines), 1 + len(theories.SCENARIOS))
        name, library = json.loads(lines[0])
        self.assertEqual(pathlib.Path(library).parent.name, "clingo")
        for line in lines[1:]:
            name, expected = json.loads(line)
            with self.subTest(name):
                self.assertEqual(json.loads(json.dumps(theories.SCENARIOS[name]())), expected)

    def test_answers_are_right(self):
        ((_, assigned),) = theories.send()
        value = dict(assigned)
        number = lambda word: int("".join(value[letter] for letter in word))
        self.assertEqual(number("send") + number("more"), number("money"))
        self.assertEqual(theories.knapsack(), 20)
        shortest = dict(theories.shortest())
        self.assertTrue(shortest[11] and not shortest[10] and not shortest[9])


if __name__ == "__main__":
    unittest.main()
