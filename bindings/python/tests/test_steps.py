"""Programs in steps on our library: scenarios whose results are those of clingo's own library."""

import json
import pathlib
import subprocess
import sys
import unittest

import _clingo

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import steps


class Scenarios(unittest.TestCase):
    def test_results_are_those_of_clingo(self):
        self.assertTrue(_clingo.ffi.string(_clingo.lib.asp_version()))
        command = [sys.executable, steps.__file__, "--own"]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        self.assertEqual(len(lines), len(steps.SCENARIOS))
        for line in lines:
            name, expected = json.loads(line)
            with self.subTest(name):
                self.assertEqual(json.loads(json.dumps(steps.SCENARIOS[name]())), expected)


if __name__ == "__main__":
    unittest.main()
