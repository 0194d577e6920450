"""`python -m asp`, as users call it."""

import pathlib
import subprocess
import sys
import tempfile
import unittest


def run(*arguments, folder):
    done = subprocess.run([sys.executable, "-P", "-m", "asp", *arguments], cwd=folder, capture_output=True, encoding="utf-8", timeout=120)
    return done.stdout, done.stderr, done.returncode


class Main(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments):
        return run(*arguments, folder=self.folder)

    def test_a_puzzle_of_the_library(self):
        out, err, code = self.call("futoshiki.lp", "grid4.lp", "0")
        self.assertEqual((err, code), ("", 30))
        self.assertIn("cell_has_number(1,1,2)", out)
        self.assertTrue(out.startswith("Answer: 1\n") and out.endswith("\nSATISFIABLE\n") and "Answer: 2" not in out, out)
        self.assertEqual(self.call("futoshiki", "grid4", "0")[0], out)

    def test_own_files_come_first(self):
        (self.folder / "grid4.lp").write_text("{ mine }.")
        out, _, code = self.call("grid4.lp", "0")
        self.assertEqual(sorted(out.splitlines()), ["", "Answer: 1", "Answer: 2", "SATISFIABLE", "mine"])
        self.assertEqual(code, 30)
        out, _, code = self.call("grid4.lp")
        self.assertEqual((out.count("Answer"), code), (1, 10))

    def test_costs_and_no_answers(self):
        (self.folder / "best.lp").write_text("1 { p(1..3) }. #minimize { X : p(X) }.")
        out, _, code = self.call("best.lp")
        self.assertTrue(out.endswith("p(1)\nOptimization: 1\nOPTIMUM FOUND\n"), out)
        self.assertEqual(code, 30)
        (self.folder / "none.lp").write_text("a. :- a.")
        self.assertEqual(self.call("none.lp"), ("UNSATISFIABLE\n", "", 20))

    def test_what_is_wrong(self):
        (self.folder / "wrong.lp").write_text("a :- .b")
        for arguments, code, text in [
            (["wrong.lp"], 65, "wrong.lp:1"),
            (["missing.lp"], 65, "missing.lp"),
            ([], 64, "python -m asp"),
            (["--help"], 64, "python -m asp"),
            (["5"], 64, "python -m asp"),
        ]:
            out, err, found = self.call(*arguments)
            self.assertEqual((out, found), ("", code), arguments)
            self.assertIn(text, err)
            self.assertNotIn("Traceback", err)


if __name__ == "__main__":
    unittest.main()
