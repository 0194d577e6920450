"""What the pages and examples show is what comes out."""

import doctest
import importlib
import pathlib
import pkgutil
import subprocess
import sys
import unittest

import asp

PACKAGE = pathlib.Path(__file__).resolve().parent.parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Pages(unittest.TestCase):
    def test_page(self):
        page = PACKAGE.parent.parent / "docs" / "python.md"
        # A block's end is no output.
        text = page.read_text().replace("\n```", "\n\n")
        test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
        runner = doctest.DocTestRunner(optionflags=FLAGS)
        out = []
        runner.run(test, out=out.append)
        self.assertEqual(runner.summarize(verbose=False).failed, 0, "".join(out))
        self.assertGreater(len(test.examples), 40)

    def test_docstrings(self):
        for module in pkgutil.iter_modules(asp.__path__, "asp."):
            if module.name != "asp._asp":
                self.assertEqual(doctest.testmod(importlib.import_module(module.name), optionflags=FLAGS).failed, 0, module.name)
        self.assertEqual(doctest.testmod(asp).failed, 0)

    def test_everything_is_documented(self):
        for name in asp.__all__:
            thing = getattr(asp, name)
            self.assertTrue(thing.__doc__, name)
            for own in dir(thing) if isinstance(thing, type) else ():
                if not own.startswith("_") and not issubclass(thing, (Exception, str)):
                    self.assertTrue(getattr(thing, own).__doc__, f"{name}.{own}")

    def test_examples(self):
        examples = sorted((PACKAGE / "examples").glob("*.py"))
        self.assertGreater(len(examples), 2)
        for example in examples:
            run = subprocess.run([sys.executable, "-P", example], capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            expected = example.with_suffix(".out").read_text()
            self.assertEqual(run.stdout, expected, example.name)


if __name__ == "__main__":
    unittest.main()
