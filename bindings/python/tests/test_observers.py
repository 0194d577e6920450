"""What observers are told, as docs/clingo-api.md shows it."""

import pathlib
import re
import unittest

from clingo import Control, Symbol

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "clingo-api.md"


class Told:
    """All that is said, in its order, but for what frames it."""

    def __init__(self):
        self.all = []

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)

        def tell(*arguments):
            if name not in ("init_program", "begin_step", "end_step"):
                self.all.append(f"{name}({', '.join(map(text, arguments))})")

        return tell


def text(value):
    if isinstance(value, Symbol):
        return str(value)
    if isinstance(value, (bool, int, str)) and type(value).__module__ == "builtins":
        return repr(value)
    if isinstance(value, (list, tuple)):
        open_, close = "()" if isinstance(value, tuple) else "[]"
        return open_ + ", ".join(map(text, value)) + close
    return value.name.rstrip("_")


def told(program):
    control, watch = Control(), Told()
    control.register_observer(watch)
    control.add("base", [], program)
    control.ground([("base", [])])
    control.solve()
    return watch.all


def rows():
    section = PAGE.read_text(encoding="utf-8").split("## What observers are told\n")[1].split("\n## ")[0]
    for line in section.splitlines():
        cells = re.findall(r"`` ?(.*?) ?``|`(.*?)`", line) if line.startswith("| `") else []
        if cells:
            first, *calls = [a or b for a, b in cells]
            yield first.replace("\\|", "|"), calls


class Observers(unittest.TestCase):
    def test_the_page_shows_what_is_told(self):
        all_rows = list(rows())
        self.assertGreater(len(all_rows), 12)
        for program, calls in all_rows:
            with self.subTest(program):
                self.assertEqual(told(program), calls)


if __name__ == "__main__":
    unittest.main()
