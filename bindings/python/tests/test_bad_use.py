"""Bad use at random: freed and foreign handles, arguments of wrong types, objects after their time, exceptions in every
callback, calls within calls. Each is an error or an answer, never a crash.

    VENV/bin/python bindings/python/tests/test_bad_use.py SEED CALLS       prints what came out
"""

import collections
import faulthandler
import random
import subprocess
import sys
import unittest

SEEDS, CALLS = 4, 500
PROGRAMS = (
    "{ a; b; c }. d :- a, not b. #external e(1..2).",
    "1 { p(1..4) } 2. q(X) :- p(X). #minimize { X : p(X) }. #program more(k). r(k) :- a.",
    "x(@f(1..2)). :- x(0). &t { 1; y : { z } } <= 3. #theory t { u { + : 1, unary }; &t/0 : u, { <= }, u, head }.",
    "p(X). ",
    "{ a ",
    "#const n = 3. { h(1..n) }. :~ h(X). [X@1, X] #show h/1. #show s(X) : h(X).",
    "a :- not b. b :- not a. #edge (1,2) : a. #heuristic a : b. [1, true] #project a.",
)


class Mine(Exception):
    """What the callbacks raise."""


class Run:
    """Calls at random on objects that are kept whatever becomes of their owners."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.kept = collections.defaultdict(list)
        self.told = collections.Counter()
        self.handles = []
        self.left = 0
        self.depth = 0

    def value(self):
        """An argument, often of a wrong type."""
        pick = self.random.choice
        symbols = [clingo.Number(3), clingo.String("s"), clingo.Function("a"), clingo.Function("p", [clingo.Number(1)]), clingo.Infimum]
        odd = [None, -1, 0, 1, 2, 7, 2**31, -(2**31), 2**62, 2**70, 1.5, "", "a", "p(1)", "\0", "é", b"x", (), [], {}, [1], [None], object, True]
        pairs = [("base", []), ("more", [clingo.Number(1)]), ("base", None), (symbols[2], True), (1, False), ("a", 2)]
        kinds = [odd, symbols, [pick(PROGRAMS)], pairs, [[pick(pairs) for _ in range(self.random.randrange(3))]], [self.callback(), self.observer()]]
        kinds += [[pick(objects)] for objects in self.kept.values() if objects]
        return pick(pick(kinds))

    def keep(self, thing):
        """What a call returns is used again, after its owner too."""
        kind = type(thing).__name__
        if kind == "SolveHandle":
            # The callbacks of a search are the package's to keep: it drops them with this object, on clingo's library too.
            self.handles.append(thing)
        if type(thing).__module__.startswith("clingo") or kind in ("generator", "list_iterator"):
            things = self.kept[kind]
            things.append(thing)
            if len(things) > 6:
                del things[self.random.randrange(6)]

    def callback(self):
        """A function that raises, calls the library, or answers something."""

        def call(*arguments, **_):
            for argument in arguments:
                self.keep(argument)
            what = self.random.randrange(4)
            if what == 0:
                raise Mine
            if what == 1 and self.depth < 4:
                self.call()
            return self.value() if what == 2 else None

        return call

    def observer(self):
        """An object whose every method is such a function: a propagator, an observer, a context, a transformer."""
        names = self.random.sample(METHODS, self.random.randrange(len(METHODS)))
        return type("Object", (), {name: (lambda f: lambda self, *a, **k: f(*a, **k))(self.callback()) for name in names})()

    def control(self):
        arguments = self.random.choice(([], ["0"], ["0", "--opt-mode=optN"], ["3", "-t2"], ["--bad"], [None], ["0", "--enum-mode=brave"]))
        control = clingo.Control(arguments, logger=QUIET)
        self.keep(control)
        if self.random.random() < 0.8:
            control.add("base", [], self.random.choice(PROGRAMS))
        if self.random.random() < 0.6:
            control.ground([("base", [])], context=self.observer())

    def solve(self):
        control = self.random.choice(self.kept["Control"])
        options = {name: self.random.random() < 0.4 for name in ("yield_", "async_")}
        for name in ("on_model", "on_unsat", "on_statistics", "on_finish", "on_core"):
            if self.random.random() < 0.2:
                options[name] = self.callback()
        handle = control.solve(**options)
        self.keep(handle)
        for _ in range(self.random.randrange(4)):
            if isinstance(handle, clingo.SolveHandle):
                self.keep(handle.model())
                self.random.choice((handle.resume, handle.cancel, handle.core, lambda: handle.wait(0.01)))()
        if isinstance(handle, clingo.SolveHandle) and self.random.random() < 0.7:
            handle.cancel()

    def free(self):
        """Frees or forgets something while what it gave is kept."""
        things = self.random.choice([things for things in self.kept.values() if things] or [[0]])
        thing = things.pop()
        if isinstance(thing, clingo.Control) and self.random.random() < 0.5:
            thing._free = False
            _clingo.lib.clingo_control_free(thing._rep)
            self.kept["Control"].append(thing)

    def raw(self):
        """A function of the C interface on a handle that is none of its own; pointers that it writes to are good."""
        lib, ffi = _clingo.lib, _clingo.ffi
        size, number, flag, text = ffi.new("size_t*"), ffi.new("int*"), ffi.new("bool*"), ffi.new("char const**")
        bad = self.random.choice([0, 1, 7, 0xDEADBEEF, 2**40, 2**63, 2**64 - 1, self.random.getrandbits(64)])
        at = lambda kind: ffi.cast(kind, bad)
        calls = [
            lambda: lib.clingo_symbol_number(bad, number),
            lambda: lib.clingo_symbol_name(bad, text),
            lambda: lib.clingo_symbol_to_string_size(bad, size),
            lambda: lib.clingo_symbol_type(bad),
            lambda: lib.clingo_symbol_hash(bad),
            lambda: lib.clingo_symbol_is_less_than(bad, bad ^ 1),
            lambda: lib.clingo_symbol_arguments(bad, ffi.new("clingo_symbol_t const**"), size),
            lambda: lib.clingo_control_cleanup(at("clingo_control_t*")),
            lambda: lib.clingo_control_is_conflicting(at("clingo_control_t*")),
            lambda: lib.clingo_control_free(at("clingo_control_t*")),
            lambda: lib.clingo_symbolic_atoms_size(at("clingo_symbolic_atoms_t*"), size),
            lambda: lib.clingo_symbolic_atoms_is_fact(at("clingo_symbolic_atoms_t*"), bad, flag),
            lambda: lib.clingo_theory_atoms_term_name(at("clingo_theory_atoms_t*"), bad & 0xFFFF, text),
            lambda: lib.clingo_model_context(at("clingo_model_t*"), ffi.new("clingo_solve_control_t**")),
            lambda: lib.clingo_model_symbols_size(at("clingo_model_t*"), 2, size),
            lambda: lib.clingo_solve_handle_cancel(at("clingo_solve_handle_t*")),
            lambda: lib.clingo_backend_begin(at("clingo_backend_t*")),
            lambda: lib.clingo_configuration_type(at("clingo_configuration_t*"), bad & 0xFFFFFFFF, ffi.new("unsigned*")),
            lambda: lib.clingo_statistics_type(at("clingo_statistics_t*"), bad, number),
            lambda: lib.clingo_assignment_size(at("clingo_assignment_t*")),
            lambda: lib.clingo_propagate_control_propagate(at("clingo_propagate_control_t*"), flag),
        ]
        if self.random.choice(calls)() is False:
            clingo._internal._handle_error(False)

    def member(self):
        """Reads, calls, indexes or goes through something that was kept."""
        things = [thing for things in self.kept.values() for thing in things]
        thing = self.random.choice(things)
        name = self.random.choice([n for n in dir(thing) if not n.startswith("_") or n in MAGIC] or ["__str__"])
        if name == "solve" and isinstance(thing, clingo.Control):
            # With assumptions of a wrong type the package drops the callbacks of a call in progress, on clingo's library too.
            return self.solve()
        member = getattr(thing, name)
        self.keep(member)
        if isinstance(member, int) and not isinstance(member, bool) and name != "value":
            return
        if callable(member) and name not in ("main",):
            result = member(*(self.value() for _ in range(self.random.randrange(4))))
            self.keep(result)
            if hasattr(result, "__enter__") and self.random.random() < 0.8:
                with result as inner:
                    self.keep(inner)
                    for _ in range(self.random.randrange(3)):
                        self.call()
            elif hasattr(result, "__iter__") and not isinstance(result, (str, bytes)):
                for _, part in zip(range(5), result):
                    self.keep(part)
        elif hasattr(member, "__iter__"):
            for _, part in zip(range(5), member):
                self.keep(part)

    def function(self):
        """A function of the modules."""
        name = self.random.choice(FUNCTIONS)
        module = self.random.choice([m for m in (clingo, ast) if hasattr(m, name)])
        values = [self.value() for _ in range(self.random.randrange(5))]
        if module is ast:
            # These pass pointers through `...` in C, where no library can tell of what.
            values = [value for value in values if isinstance(value, ast.AST) or not hasattr(value, "_rep")]
        self.keep(getattr(module, name)(*values))

    def parse(self):
        ast.parse_string(self.random.choice(PROGRAMS), self.random.choice((self.keep, self.callback())), logger=QUIET)

    def call(self):
        self.left -= 1
        if self.left < 0:
            return
        self.depth += 1
        steps = [self.member] * 10 + [self.control, self.solve, self.raw, self.raw, self.function, self.function, self.parse, self.free]
        try:
            self.random.choice(steps)()
            self.told["answer"] += 1
        except Exception as error:
            self.told[type(error).__name__] += 1
        finally:
            self.depth -= 1

    def run(self, calls):
        self.left = calls
        while self.left > 0:
            self.call()
        for handle in self.handles:
            try:
                handle.cancel()
            except Exception as error:
                self.told[type(error).__name__] += 1
        return self.told


# The package ends the process when a logger raises, whatever library it is on.
QUIET = lambda *_: None
METHODS = [
    *("init", "propagate", "undo", "check", "decide", "f", "init_program", "begin_step", "end_step", "rule", "weight_rule", "minimize"),
    *("output_atom", "output_term", "external", "assume", "heuristic", "acyc_edge", "theory_term_number", "theory_atom", "theory_element"),
]
MAGIC = ("__len__", "__iter__", "__getitem__", "__contains__", "__str__", "__repr__", "__eq__", "__hash__", "__lt__", "__copy__", "__deepcopy__")
FUNCTIONS = [
    *("Function", "Number", "String", "Tuple_", "parse_term", "SymbolicTerm", "Literal", "Rule", "Program", "Comparison", "Aggregate"),
    *("BinaryOperation", "Interval", "Pool", "Location", "Position", "TheoryAtomDefinition", "Variable", "Symbol"),
]


class BadUse(unittest.TestCase):
    def test_no_crash(self):
        for seed in range(SEEDS):
            done = subprocess.run([sys.executable, __file__, str(seed), str(CALLS)], capture_output=True, text=True, timeout=300)
            self.assertEqual(done.returncode, 0, f"seed {seed}: {done.stderr[-3000:]}")
            self.assertNotIn("panicked", done.stderr, f"seed {seed}")
            self.assertIn("RuntimeError", done.stdout)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        unittest.main()
    import _clingo
    import clingo
    from clingo import ast

    faulthandler.enable()
    faulthandler.dump_traceback_later(120, exit=True)
    print(dict(Run(int(sys.argv[1])).run(int(sys.argv[2]))))
