"""The documented interface of the package clingo, on our library: each part of it in a program of its own.

    VENV/bin/python -m unittest discover -s bindings/python/tests
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import _clingo
import clingo
import clingo.ast
from clingo import Control, Function, Infimum, Number, String, Supremum, SymbolType, Tuple_, parse_term
from clingo.backend import Observer
from clingo.solving import ModelType
from clingo.symbol import Symbol
from clingo.theory_atoms import TheoryTermType


def solve(control, **options):
    """All models, each as a sorted list of its shown symbols, and the result."""
    models = []
    with control.solve(yield_=True, **options) as handle:
        for model in handle:
            models.append(sorted(map(str, model.symbols(shown=True))))
        return sorted(models), handle.get()


def grounded(text, *arguments, **options):
    control = Control(["0", *arguments], **options)
    control.add("base", [], text)
    control.ground([("base", [])])
    return control


class Library(unittest.TestCase):
    def test_the_library_is_ours(self):
        self.assertTrue(_clingo.ffi.string(_clingo.lib.asp_version()))
        self.assertEqual(clingo.core.version(), (5, 8, 3))
        self.assertIs(sys.modules["clingo._internal"]._lib, _clingo.lib)


class Options(unittest.TestCase):
    def test_warnings_are_told_that_are_wanted(self):
        told = []
        for arguments in [], ["-Wno-atom-undefined"], ["--warn=none"], ["--warn=none", "--warn=atom-undefined"]:
            codes = []
            grounded("a :- b. c(1/0).", *arguments, logger=lambda code, _: codes.append(code.name))
            told.append(codes)
        both = ["OperationUndefined", "AtomUndefined"]
        self.assertEqual([sorted(codes, reverse=True) for codes in told], [both, both[:1], [], both[1:]])

    def test_options_of_the_command_line_alone_are_unknown(self):
        for option in ["--text", "--outf=2", "--lemma-out=x", "--proof=x", "--json=a=b", "--fast-exit", "--reify-sccs"]:
            with self.subTest(option), self.assertRaisesRegex(RuntimeError, "unknown option"):
                Control([option])

    def test_texts_that_are_no_terms(self):
        for text, why in ("p(1,", "expected a term"), ("f(X)", "variable"), ("1/0", "not a term"), ("", "expected a term"):
            with self.subTest(text), self.assertRaisesRegex(RuntimeError, f"^parsing failed: `.*`: .*{why}"):
                parse_term(text, logger=lambda *_: None)

    def test_a_callback_that_does_not_say_why_it_failed(self):
        """Not with the text of some earlier error."""
        lib, ffi = _clingo.lib, _clingo.ffi

        @ffi.callback("clingo_solve_event_callback_t")
        def refuse(*_):
            return False

        control = grounded("a.")
        with self.assertRaises(RuntimeError):
            parse_term("p(1,", logger=lambda *_: None)
        handle = ffi.new("clingo_solve_handle_t **")
        if lib.clingo_control_solve(control._rep, 0, ffi.NULL, 0, refuse, ffi.NULL, handle):
            self.assertFalse(lib.clingo_solve_handle_get(handle[0], ffi.new("clingo_solve_result_bitset_t *")))
        self.assertEqual(ffi.string(lib.clingo_error_message()), b"a callback failed without saying why")

    def test_the_optimum_counts_as_optimal(self):
        for arguments, optimal in ([], 1), (["--opt-mode=optN"], 2), (["--opt-mode=enum"], 0), (["--opt-mode=ignore"], 0):
            control = grounded("{ a; b }. #minimize { 1: a }.", *arguments)
            control.solve()
            self.assertEqual(control.statistics["summary"]["models"]["optimal"], optimal, arguments)


class GroundPrograms(unittest.TestCase):
    """aspif, in all places where clingo reads it."""

    TEXT = "asp 1 0 0\n1 1 1 1 0 0\n4 1 a 1 1\n0\n"

    def answers(self, control):
        control.ground([("base", [])])
        found = []
        control.solve(on_model=lambda model: found.append(str(model)))
        return sorted(found), [str(atom.symbol) for atom in control.symbolic_atoms]

    def test_places(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "a.aspif")
            with open(name, "w", encoding="utf-8") as file:
                file.write(self.TEXT)
            for read in (
                lambda control: control.add("base", [], self.TEXT),
                lambda control: control.load(name),
                lambda control: control.load_aspif([name]),
                lambda control: clingo.ast.parse_string(self.TEXT, self.fail_unless_part, control),
                lambda control: clingo.ast.parse_files([name], self.fail_unless_part, control),
            ):
                control = Control(["0"])
                read(control)
                self.assertEqual(self.answers(control), (["", "a"], ["a"]))

    def fail_unless_part(self, node):
        self.assertEqual(str(node), "#program base.")

    def test_atoms_are_looked_up_among_many(self):
        # 20,000 atoms, each looked up: not by a walk over all.
        numbers = range(1, 20_001)
        shown = "".join(f"4 {len(f'p({n})')} p({n}) 1 {n}\n" for n in numbers)
        control = Control()
        control.add("base", [], f"asp 1 0 0\n1 1 20000 {' '.join(map(str, numbers))} 0 0\n{shown}0\n")
        control.ground([("base", [])])
        start = time.process_time()
        for n in numbers:
            self.assertEqual(str(control.symbolic_atoms[Function("p", [Number(n)])].symbol), f"p({n})")
        self.assertLess(time.process_time() - start, 5)
        self.assertIsNone(control.symbolic_atoms[Function("p", [Number(0)])])
        self.assertNotIn(Function("q"), control.symbolic_atoms)

    def test_not_with_a_program(self):
        control = Control(["0"], logger=lambda *_: None)
        control.add("base", [], "b.")
        with self.assertRaises(RuntimeError):
            control.add("base", [], self.TEXT)

    def test_constants_are_looked_for_in_the_first_program(self):
        told = []
        control = Control(["-c", "n=3"], logger=lambda code, text: told.append(text))
        control.add("base", [], "p(n). #const n = 1.")
        control.ground([("base", [])])
        self.assertEqual([str(a.symbol) for a in control.symbolic_atoms], ["p(3)"])
        self.assertFalse([text for text in told if "has no constant" in text])


class Symbols(unittest.TestCase):
    def test_parts(self):
        term = parse_term('f(1,"x",-g(()),#inf,#sup,(1,))')
        self.assertEqual(term.name, "f")
        self.assertEqual([a.type for a in term.arguments][:2], [SymbolType.Number, SymbolType.String])
        self.assertTrue(term.arguments[2].negative)
        self.assertEqual(term.arguments[3:5], [Infimum, Supremum])
        self.assertEqual(str(term), 'f(1,"x",-g(()),#inf,#sup,(1,))')
        self.assertEqual(Function("f", [Number(1)]), parse_term("f(2-1)"))
        self.assertEqual(hash(Tuple_([Number(1)])), hash(parse_term("(1,)")))
        self.assertTrue(Number(3) < String("a") < Function("f", [Number(1)]))
        self.assertRaises(RuntimeError, lambda: Number(1).name)
        self.assertRaises(RuntimeError, lambda: parse_term("f(X)"))
        self.assertEqual(len({Function("a"), parse_term("a"), Function("a", [], False)}), 2)
        self.assertTrue(term.match("f", 6))

    def test_numbers_beyond_c(self):
        control = grounded("big(3000000000).")
        (symbol,) = (a.symbol for a in control.symbolic_atoms)
        self.assertEqual(str(symbol), "big(3000000000)")
        with self.assertRaisesRegex(RuntimeError, "does not fit 32 bits"):
            symbol.arguments[0].number

    def test_ends_while_models_are_found(self):
        # A search in its own thread may come to a model just then.
        script = '''
import clingo
control = clingo.Control(["0"])
control.add("base", [], "{ a(1..3) }.")
control.ground([("base", [])])
for i in range(2000):
    with control.solve(yield_=True, async_=True) as handle:
        if i % 3:
            handle.resume()
        for _ in range(i % 50):
            pass
        handle.cancel()
'''
        subprocess.run([sys.executable, "-c", script], check=True, timeout=60)

    def test_threads(self):
        made = []
        work = lambda: made.append([Function("t", [Number(i), String(str(i % 7))]) for i in range(3000)])
        threads = [threading.Thread(target=work) for _ in range(6)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        self.assertTrue(all(m == made[0] for m in made))


class Grounding(unittest.TestCase):
    def test_parts_and_constants(self):
        control = Control(["-c", "n=2"])
        control.add("base", [], "p(1..n). #const m = n+1.")
        control.add("step", ["k"], "q(k) :- p(k).")
        control.ground([("base", []), ("step", [Number(2)]), ("step", [Number(9)])])
        self.assertEqual(sorted(str(a.symbol) for a in control.symbolic_atoms), ["p(1)", "p(2)", "q(2)"])
        self.assertEqual((control.get_const("m"), control.get_const("nothing")), (Number(3), None))

    def test_functions(self):
        class Context:
            def twice(self, x):
                return Number(2 * x.number)

            def upto(self, x):
                return [Number(i) for i in range(x.number)]

            def broken(self):
                raise ValueError("mine")

        control = Control()
        control.add("p(@twice(4)). q(X,@upto(X)) :- X = 1..2. r(@upto(@twice(1))). s :- 1 = @upto(3). t :- 7 = @upto(3).")
        control.ground([("base", [])], context=Context())
        atoms = sorted(str(a.symbol) for a in control.symbolic_atoms)
        self.assertEqual(atoms, ["p(8)", "q(1,0)", "q(2,0)", "q(2,1)", "r(0)", "r(1)", "s"])
        control.add("more", [], "x(@broken()).")
        with self.assertRaisesRegex(ValueError, "mine"):
            control.ground([("more", [])], context=Context())

    def test_messages(self):
        told = []
        control = Control(logger=lambda code, text: told.append((code, text)))
        self.assertRaisesRegex(RuntimeError, "parsing failed", control.add, "base", [], "p(")
        self.assertIn("<block>:1:", told[-1][1])
        control = Control(logger=lambda code, text: told.append((code, text)))
        control.add("base", [], "p(X).")
        self.assertRaisesRegex(RuntimeError, "grounding stopped", control.ground, [("base", [])])
        self.assertTrue(told[-1][1].startswith("<block>:1:3-4: error: unsafe"), told[-1][1])
        self.assertRaisesRegex(RuntimeError, "unknown option: 'nonsense'", Control, ["--nonsense"])

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.lp")
            with open(path, "w", encoding="utf-8") as file:
                file.write("{a}. b :- a.")
            control = Control(["0"])
            control.load(path)
            control.ground()
            self.assertEqual(solve(control)[0], [[], ["a", "b"]])
            self.assertRaises(RuntimeError, control.load, path + ".missing")


class Solving(unittest.TestCase):
    def test_modes(self):
        control = grounded("1 { a; b; c } 2.")
        for options in ({}, {"async_": True}, {"yield_": True}, {"yield_": True, "async_": True}):
            seen = []
            told = []
            note = {"on_model": lambda m: seen.append(str(m)), "on_finish": lambda r: told.append(r.satisfiable)}
            if not options:
                result = control.solve(**note)
            else:
                with control.solve(**note, **options) as handle:
                    if "yield_" in options:
                        while True:
                            handle.resume()
                            handle.wait()
                            if handle.model() is None:
                                break
                    else:
                        self.assertTrue(handle.wait(60))
                    result = handle.get()
            self.assertEqual((len(seen), told, result.exhausted), (6, [True], True), options)

    def test_stops(self):
        control = grounded("{ p(1..40) }.")
        with control.solve(async_=True) as handle:
            self.assertFalse(handle.wait(0.05))
            handle.cancel()
            self.assertFalse(handle.get().exhausted)
        with control.solve(async_=True) as handle:
            control.interrupt()
            self.assertTrue(handle.get().interrupted)
        control.configuration.solve.models = 1
        self.assertTrue(control.solve().satisfiable)

    def test_models(self):
        control = grounded("{a; b}. c. #show a/0. #show d : b. #minimize { 1@2 : a; 2@1 : not b }.", "--opt-mode=ignore")

        def see(model):
            self.assertEqual(model.type, ModelType.StableModel)
            self.assertEqual(model.contains(Function("d")), False)
            self.assertTrue(model.contains(Function("c")))
            literal = control.symbolic_atoms[Function("a")].literal
            self.assertEqual(model.is_true(literal), model.contains(Function("a")))
            model.extend([Function("extra")])
            self.assertEqual(list(map(str, model.symbols(theory=True))), ["extra"])
            everything = set(model.symbols(atoms=True)) | set(model.symbols(atoms=True, complement=True))
            self.assertEqual({str(s) for s in everything}, {"a", "b", "c"})

        self.assertEqual(control.solve(on_model=see).exhausted, True)
        self.assertEqual(solve(control)[0], [[], ["a"], ["a", "d"], ["d"]])

    def test_a_model_after_its_time(self):
        control = grounded("{a}.")
        with control.solve(yield_=True) as handle:
            models = list(handle)
        with self.assertRaisesRegex(RuntimeError, "not there any more"):
            models[0].symbols(atoms=True)

    def test_optimisation(self):
        control = grounded("{a; b}. :- not a, not b. :~ a. [3@2] :~ b. [1@1]")
        with control.solve(yield_=True) as handle:
            last = [(m.cost, m.priority) for m in handle][-1]
            self.assertTrue(handle.get().exhausted)
        self.assertEqual(last, ([0, 1], [2, 1]))
        control.remove_minimize()
        self.assertEqual(len(solve(control)[0]), 3)
        control.configuration.solve.models = 1
        self.assertEqual(len(solve(control)[0]), 1)

    def test_consequences(self):
        for mode, expected in (("brave", ["a", "b", "c"]), ("cautious", ["c"])):
            control = grounded("1 { a; b } 1. c.", f"--enum-mode={mode}")
            models = []
            with control.solve(yield_=True) as handle:
                for model in handle:
                    models.append(sorted(map(str, model.symbols(shown=True))))
            self.assertEqual(models[-1], expected)

    def test_assumptions_and_cores(self):
        control = grounded("{a; b; c}. :- a, b.")
        literal = {str(a.symbol): a.literal for a in control.symbolic_atoms}
        with control.solve(assumptions=[(Function(x), True) for x in "abc"], yield_=True) as handle:
            self.assertTrue(handle.get().unsatisfiable)
            self.assertEqual(set(handle.core()), {literal["a"], literal["b"]})
        self.assertEqual(len(solve(control, assumptions=[-literal["a"]])[0]), 4)
        self.assertTrue(control.solve(assumptions=[(Function("nowhere"), True)]).unsatisfiable)
        self.assertTrue(control.solve(assumptions=[(Function("nowhere"), False)]).satisfiable)

    def test_clauses_at_models(self):
        control = grounded("{a; b; c}.")
        block = lambda m: m.context.add_nogood([(Function(x), m.contains(Function(x))) for x in "ab"])
        seen = []
        control.solve(on_model=lambda m: (seen.append(1), block(m))[0])
        self.assertEqual(len(seen), 4)
        self.assertEqual(len(solve(control)[0]), 8)

    def test_externals(self):
        control = grounded("#external e. a :- e. b :- not e.")
        atom = control.symbolic_atoms[Function("e")]
        self.assertTrue(atom.is_external)
        self.assertEqual(solve(control)[0], [["b"]])
        control.assign_external(Function("e"), True)
        self.assertEqual(solve(control)[0], [["a", "e"]])
        control.assign_external(Function("e"), None)
        self.assertEqual(len(solve(control)[0]), 2)
        control.release_external(atom.literal)
        self.assertEqual(solve(control)[0], [["b"]])
        self.assertFalse(control.symbolic_atoms[Function("e")].is_external)

    def test_errors_in_callbacks(self):
        control = grounded("{a}.")

        def fail(*_):
            raise KeyError("mine")

        self.assertRaises(KeyError, control.solve, on_model=fail)
        self.assertEqual(len(solve(control)[0]), 2)
        inner = []

        def again(_):
            try:
                control.solve()
            except RuntimeError as error:
                inner.append(str(error))

        control.solve(on_model=again)
        self.assertTrue(inner and "Program updates not supported!" in inner[0])


class Atoms(unittest.TestCase):
    def test_symbolic_atoms(self):
        control = grounded("p(1..3). {q(1..2)}. -r :- q(1).")
        atoms = control.symbolic_atoms
        self.assertEqual(len(atoms), 6)
        self.assertEqual(sorted(atoms.signatures), [("p", 1, True), ("q", 1, True), ("r", 0, False)])
        self.assertEqual([str(a.symbol) for a in atoms.by_signature("q", 1)], ["q(1)", "q(2)"])
        self.assertTrue(atoms[parse_term("p(2)")].is_fact)
        literals = [a.literal for a in atoms]
        self.assertEqual(len(set(literals)), 6)
        self.assertTrue(min(literals) >= 1)
        self.assertIsNone(atoms[parse_term("p(9)")])
        self.assertIn(parse_term("-r"), atoms)

    def test_theory_atoms(self):
        control = grounded(
            "#theory t { x { + : 1, binary, left; - : 2, unary }; &s/1 : x, {<=}, x, any }. {a}. &s(1) { 1+2, [b] : a; -3 } <= f(x)."
        )
        (atom,) = control.theory_atoms
        self.assertEqual(str(atom), "&s(1){(1+2),[b]: a;(-3)}<=f(x)")
        self.assertEqual((atom.term.name, atom.guard[0], str(atom.guard[1])), ("s", "<=", "f(x)"))
        first = atom.elements[0]
        self.assertEqual([t.type for t in first.terms], [TheoryTermType.Function, TheoryTermType.List])
        self.assertEqual(first.condition, [control.symbolic_atoms[Function("a")].literal])
        self.assertEqual(first.terms[0].arguments[1].number, 2)


class Ground(unittest.TestCase):
    def test_backend(self):
        control = Control(["0"])
        with control.backend() as backend:
            x, y, z = (backend.add_atom(Function(name)) for name in "xyz")
            backend.add_rule([x, y], [], choice=True)
            backend.add_weight_rule([z], 3, [(x, 1), (y, 2)])
            backend.add_rule([], [x, -y])
            backend.add_minimize(1, [(-y, 4)])
            backend.add_external(backend.add_atom(Function("e")), clingo.TruthValue.Free)
        control.add("base", [], "seen(x) :- x. seen(z) :- z.")
        control.ground([("base", [])])
        control.configuration.solve.opt_mode = "ignore"
        self.assertEqual(len(solve(control)[0]), 6)
        with control.backend() as backend:
            backend.add_assume([y])
        self.assertEqual(len(solve(control)[0]), 4)
        self.assertEqual(len(solve(control)[0]), 6)
        with control.backend() as backend:
            backend.add_rule([backend.add_atom(Function("f"))])
        self.assertTrue(control.symbolic_atoms[Function("f")].is_fact)

    def test_theory_through_the_backend(self):
        control = Control()
        with control.backend() as backend:
            one = backend.add_theory_term_number(1)
            name = backend.add_theory_term_string("sum")
            pair = backend.add_theory_term_function("pair", [one, one])
            element = backend.add_theory_element([pair], [])
            backend.add_theory_atom_with_guard(name, [element], "<=", one)
        self.assertEqual([str(a) for a in control.theory_atoms], ["&sum{pair(1,1)}<=1"])

    def test_observer(self):
        events = []

        class Watch(Observer):
            def init_program(self, incremental):
                events.append("init")

            def begin_step(self):
                events.append("begin")

            def rule(self, choice, head, body):
                events.append(("rule", choice, len(head), len(body)))

            def output_atom(self, symbol, atom):
                events.append((str(symbol), atom != 0))

            def end_step(self):
                events.append("end")

        control = Control()
        control.register_observer(Watch())
        control.add("base", [], "a. {b}. c :- b.")
        control.ground([("base", [])])
        control.solve()
        self.assertEqual((events[:2], events[-1]), (["init", "begin"], "end"))
        rules = sorted(e for e in events if e[0] == "rule")
        self.assertEqual(rules, [("rule", False, 1, 0), ("rule", False, 1, 1), ("rule", True, 1, 0)])
        self.assertEqual({("a", False), ("b", True), ("c", True)}, {e for e in events if len(e) == 2})


class Trees(unittest.TestCase):
    def test_configuration(self):
        control = grounded("{a; b}.")
        self.assertIn("solve", control.configuration.keys)
        control.configuration.solve.models = 1
        self.assertEqual(control.configuration.solve.models, "1")
        self.assertEqual(len(solve(control)[0]), 1)
        control.configuration.solver[0].heuristic = "Berkmin"
        self.assertTrue(control.configuration.solve.description("models"))
        with self.assertRaises(RuntimeError):
            control.configuration.solve.enum_mode = "nonsense"
        with self.assertRaises((RuntimeError, AttributeError)):
            control.configuration.solve.nonsense = 1

    def test_groups_of_the_configuration_have_clingo_s_descriptions(self):
        configuration = Control().configuration
        found = {name: configuration.description(name) for name in ("tester", "solve", "asp", "solver")}
        self.assertEqual(found, {name: name.capitalize() + " Options" for name in found})

    @staticmethod
    def by_path(control, path):
        """A value of the statistics by its path, as C and C++ read it."""
        lib, ffi = _clingo.lib, _clingo.ffi
        statistics, key, value = ffi.new("clingo_statistics_t const**"), ffi.new("uint64_t*"), ffi.new("double*")
        assert lib.clingo_control_statistics(control._rep, statistics) and lib.clingo_statistics_root(statistics[0], key)
        if not lib.clingo_statistics_map_at(statistics[0], key[0], path.encode(), key):
            return None
        return value[0] if lib.clingo_statistics_value_get(statistics[0], key[0], value) else None

    def test_statistics(self):
        control = grounded("{a; b}. :- a, b.", "--stats=2")
        control.solve(on_statistics=lambda step, accu: (step.update({"mine": [1, {"two": 2}]}), accu.update({"sum": 3})))
        statistics = control.statistics
        self.assertEqual(statistics["summary"]["models"]["enumerated"], 3)
        self.assertEqual(statistics["user_step"], {"mine": [1.0, {"two": 2.0}]})
        self.assertEqual(statistics["user_accu"], {"sum": 3.0})
        self.assertEqual(self.by_path(control, "summary.models.enumerated"), 3)
        self.assertEqual(self.by_path(control, "solving.solver.0.choices"), statistics["solving"]["solver"][0]["choices"])
        self.assertIsNone(self.by_path(control, "summary.models.nothing"))
        self.assertIsNone(self.by_path(control, "solving.solver.7"))
        self.assertIn("choices", statistics["solving"]["solvers"])
        self.assertIn("lemmas", statistics["solving"]["solver"][0]["extra"])


class Misuse(unittest.TestCase):
    def test_freed_and_wrong(self):
        lib, ffi = _clingo.lib, _clingo.ffi
        control = ffi.new("clingo_control_t **")
        self.assertTrue(lib.clingo_control_new(ffi.NULL, 0, ffi.NULL, ffi.NULL, 20, control))
        size = ffi.new("size_t *")
        atoms = ffi.new("clingo_symbolic_atoms_t const **")
        self.assertTrue(lib.clingo_control_symbolic_atoms(control[0], atoms))
        self.assertTrue(lib.clingo_symbolic_atoms_size(atoms[0], size))
        lib.clingo_control_free(control[0])
        self.assertFalse(lib.clingo_symbolic_atoms_size(atoms[0], size))
        self.assertFalse(lib.clingo_control_cleanup(control[0]))
        self.assertIn(b"not there any more", ffi.string(lib.clingo_error_message()))
        number = ffi.new("int *")
        self.assertFalse(lib.clingo_symbol_number(0xDEADBEEF, number))
        lib.clingo_control_free(ffi.NULL)

    def test_memory_of_controls(self):
        code = (
            "import resource\nfrom clingo import Control\n"
            "def run(n):\n"
            "    for i in range(n):\n"
            "        c = Control(['0'], logger=lambda *_: None); c.add('base', [], '{a(1..50)}. b :- a(1).'); c.ground(); c.solve(assumptions=[])\n"
            "run(100); before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
            "import sys\n"
            "from clingo import Control\n"
        )
        code = code.replace("c.solve(assumptions=[])", "c.configuration.solve.models = 1; c.solve()")
        code += "run(1000); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
        grown = int(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
        self.assertLess(grown, 20_000, "KiB more after 1,000 controls")


if __name__ == "__main__":
    unittest.main()
