"""What observers are told, as docs/clingo-api.md shows it."""

import pathlib
import re
import tempfile
import time
import unittest

from clingo import Control, Function, Number, Observer, Symbol
from clingo.backend import HeuristicType, TruthValue
from clingo.control import BackendType

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


    def test_a_backend_is_told_as_it_speaks(self):
        """In the order of its calls, each before the next; names when it ends, before the call that shows them."""
        control, watch = Control(), Told()
        control.register_observer(watch)
        control.add("base", [], "a. {c}.")
        control.ground([("base", [])])
        watch.all.clear()
        with control.backend() as backend:
            x, y = backend.add_atom(Function("x")), backend.add_atom()
            backend.add_minimize(1, [(x, 1)])
            backend.add_rule([x], [], True)
            self.assertEqual(len(watch.all), 2)
            backend.add_weight_rule([y], 1, [(x, 1)])
            backend.add_external(y, TruthValue.True_)
            backend.add_heuristic(x, HeuristicType.Level, 1, 2, [])
            backend.add_rule([], [x, -y])
        control.solve([(Function("x"), True)])
        told = [
            f"minimize(1, [({x}, 1)])",
            f"rule(True, [{x}], [])",
            f"weight_rule(False, [{y}], 1, [({x}, 1)])",
            f"external({y}, True)",
            f"heuristic({x}, Level, 1, 2, [])",
            f"rule(False, [], [{x}, {-y}])",
            f"output_atom(x, {x})",
            f"assume([{x}])",
        ]
        self.assertEqual(watch.all, told)

    def test_telling_takes_time_by_what_is_new(self):
        def seconds(observed, name):
            control = Control()
            if observed:
                control.register_observer(Observer())
            begun = time.process_time()
            with control.backend() as backend:
                for number in range(20000):
                    atom = backend.add_atom(name(number))
                    backend.add_rule([atom], [], True)
            return time.process_time() - begun

        for name in (lambda number: Function("a", [Number(number)]), lambda number: Function(f"a{number}")):
            self.assertLess(seconds(True, name), 5 * seconds(False, name) + 0.5)

    def test_a_text_that_ends_early_in_c_is_an_error(self):
        """One that has a 0 inside."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "zero.lp")
            file.write_bytes(b'#theory t { u { }; &s/0 : u, any }. &s { "x\0y" }.')
            control = Control()
            control.register_observer(Told())
            control.load(str(file))
            with self.assertRaisesRegex(RuntimeError, "a text contains a byte 0"):
                control.ground([("base", [])])
            with self.assertRaisesRegex(RuntimeError, "a text contains a byte 0"):
                str(next(control.theory_atoms))

    def test_values_of_external_atoms_are_told_at_once(self):
        control, watch = Control(), Told()
        control.register_observer(watch)
        control.add("base", [], "#external x.")
        control.ground([("base", [])])
        for change, told in (
            (lambda: control.assign_external(Function("x"), True), "True"),
            (lambda: control.assign_external(Function("x"), None), "Free"),
            (lambda: control.release_external(Function("x")), "Release"),
        ):
            change()
            self.assertEqual(watch.all[-1], f"external(1, {told})")

    def test_what_is_only_told_is_not_solved(self):
        control = Control()
        control.register_observer(Told(), True)
        control.add("base", [], "a. { b }.")
        control.ground([("base", [])])
        for assumed in ([], [(Function("a"), False)], [(Function("c"), True)]):
            self.assertEqual(str(control.solve(assumed)), "UNKNOWN")

    def test_frames_of_steps(self):
        """A backend begins a step, too; a control of one call says that it is."""

        class Frames:
            def __init__(self):
                self.all = []

            def init_program(self, incremental):
                self.all.append(incremental)

            def begin_step(self):
                self.all.append("begin")

            def end_step(self):
                self.all.append("end")

        for arguments, incremental in ([], True), (["--single-shot"], False):
            control, watch = Control(arguments), Frames()
            control.register_observer(watch)
            with control.backend():
                self.assertEqual(watch.all, [incremental, "begin"])
            control.solve()
            self.assertEqual(watch.all, [incremental, "begin", "end"])

    def test_names_of_a_backend_reach_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "program.aspif"
            control = Control()
            control.register_backend(BackendType.Aspif, str(file), False)
            with control.backend() as backend:
                backend.add_rule([backend.add_atom(Function("x"))], [], True)
            control.solve()
            del control
            self.assertIn("4 1 x 1 1", file.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    unittest.main()
