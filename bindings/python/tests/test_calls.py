"""Calls whose results programs rely on: each the same on asp and on clingo's own library, which runs the same lines.

What other files here compare is not in it: steps.py (theory atoms, clauses of propagators, parts), test_words.py (terms of theories,
values, messages of directives), test_cleanup.py, test_numbers.py and test_observers.py.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import later
from side_by_side import Mine, control, tell

import clingo
from clingo import Control, Function, Number
from clingo.application import Application, clingo_main
from clingo.ast import ProgramBuilder, parse_string


def grounded(text, *arguments, told=None):
    new = control(text, *arguments, told=told)
    new.ground([("base", [])])
    return new


def answers(control):
    found = []
    control.solve(on_model=lambda model: found.append(sorted(map(str, model.symbols(atoms=True)))))
    return sorted(found)


def released():
    """An external atom that was released stays so, whatever is assigned."""
    control = grounded("#external a. b :- a. { c }.", "0")
    told = [answers(control)]
    control.assign_external(Function("a"), True)
    told.append(answers(control))
    control.release_external(Function("a"))
    told.append(answers(control))
    for value in (True, None):
        told += [tell(lambda value=value: control.assign_external(Function("a"), value)), answers(control)]
    return told


def conditions():
    """Atoms without a name in conditions of theory elements."""
    control = grounded("#theory t { u { }; &p/0 : u, any }. { a }.")
    with control.backend() as backend:
        atoms = [backend.add_atom(), backend.add_atom()]
        for atom in atoms:
            backend.add_rule([atom], [], True)
        name, number = backend.add_theory_term_string("p"), backend.add_theory_term_number(1)
        conditions = [[atoms[0]], [atoms[0], -atoms[1]], [-atoms[1]]]
        elements = [backend.add_theory_element([number], condition) for condition in conditions]
        backend.add_theory_atom(name, [*elements, backend.add_theory_element([], [])])
    return [[str(atom), *map(str, atom.elements)] for atom in control.theory_atoms]


class Edges:
    def __init__(self):
        self.all = []

    def acyc_edge(self, node_u, node_v, condition):
        self.all.append([node_u, node_v, list(condition)])


def edges():
    told = []
    for text in (
        "{ a; b; c }. #edge (c,d). #edge (b,c). #edge (a,a).",
        "{ x }. #edge (1,2) : x. #edge (2,3). #edge (3,1) : not x.",
        "{ x(1..3) }. #edge (X,X+1) : x(X).",
    ):
        watch, control = Edges(), Control()
        control.register_observer(watch)
        control.add("base", [], text)
        control.ground([("base", [])])
        with control.backend() as backend:
            backend.add_acyc_edge(7, 9, [])
        control.solve()
        told.append(watch.all)
    return told


def undefined():
    told = []
    for text in ("#show x/3.", "a :- b.", "a(1/0).", "p(1). q :- p(1,2).", "a(X) :- b(X), c(X).", "a(1+b). c(1/0). d(-x)."):
        infos = []
        grounded(text, told=infos)
        told.append(infos)
    for arguments in (["-c", "n=2"], ["-cn=2", "--const=m=f(1)"]):
        infos = []
        new = Control(arguments, logger=lambda code, text: infos.append(text))
        new.add("base", [], "a.")
        new.ground([("base", [])])
        told.append([tell(lambda: new.get_const("n")), infos])
    return told


def keys():
    control = Control()
    configuration = control.configuration
    groups = ("solve", "asp", "solver", "tester")
    return [
        configuration.keys,
        configuration.solve.keys,
        configuration.solver[0].keys,
        [configuration.description(group) for group in groups],
    ]


def statistics():
    """The shape of the tree."""
    control = grounded("{ a; b }. #minimize { 1 : a }.", "0", "--stats=2")
    control.solve()

    def shape(value):
        if isinstance(value, dict):
            return {key: shape(of) for key, of in sorted(value.items())}
        return [shape(of) for of in value[:1]] if isinstance(value, list) else "number"

    summary = control.statistics["summary"]
    return [shape(control.statistics), summary["costs"], summary["models"]]


def errors_of_functions():
    """What a function raises, by who runs it; and what is said when it is asked for again."""

    def fail(*_):
        raise Mine("mine")

    class Failing:
        def init(self, init):
            for atom in init.symbolic_atoms:
                init.add_watch(init.solver_literal(atom.literal))

    told = []
    for name in ("on_model", "init", "check", "decide"):
        for options in ({}, {"yield_": True}, {"async_": True}, {"yield_": True, "async_": True}):
            control = grounded("{ a; b }.")
            options = dict(options)
            if name == "on_model":
                options[name] = fail
            else:
                failing = Failing()
                setattr(failing, name, fail)
                control.register_propagator(failing)

            def run():
                result = control.solve(**options)
                if len(options) == (name == "on_model"):
                    return result
                with result as handle:
                    said = [tell(lambda: list(handle))] if options.get("yield_") else []
                    return said + [tell(handle.get), tell(handle.get)]

            told.append([name, list(options), tell(run)])
    return told


def errors():
    told = []
    for arguments in (["--nothing"], ["--models=x"], ["-t0"], ["--no-flg"]):
        told.append(tell(lambda arguments=arguments: Control(arguments)))
    control = grounded("a.")
    for run in (
        lambda: Function("a").number,
        lambda: Number(1).arguments,
        lambda: control.configuration.nothing,
        lambda: setattr(control.configuration.solve, "models", "x"),
        lambda: control.statistics["x"],
        lambda: control.get_const("x"),
        lambda: control.ground([("base", [Number(1)])]),
        lambda: control.ground([("nowhere", [])]),
        lambda: control.symbolic_atoms[Function("b")],
        lambda: control.add("base", [], "b :- ."),
        lambda: control.load("nothing.lp"),
    ):
        told.append(tell(run))
    return told


def ground_texts():
    """Which texts in aspif are taken."""
    told = []
    for text in (
        "asp 1 0 0\n1 0 1 1 0 0\n4 1 a 1 1\n0\n",
        "asp 1 0 0 incremental\n1 0 1 1 0 0\n0\n",
        "asp 1 0\n0\n",
        "asp 1 0 0 other\n0\n",
        "asp 1 0 0\n1 0 1 1 0 0\n",
        "asp 1 0 0\n1 0 1 1 0 0\n0\n1 0 1 2 0 0\n0\n",
    ):
        with tempfile.NamedTemporaryFile("w", suffix=".lp") as file:
            file.write(text)
            file.flush()

            def run():
                new = Control(["0"], logger=lambda *_: None)
                new.load(file.name)
                new.ground([("base", [])])
                return answers(new)

            # Only whether there is an error: what is wrong is said in other words.
            told.append(tell(run).split(":")[0])
    return told


def trees():
    told = []
    for text in (
        "&p { } <= f().",
        "&p { f() : a; g(1) } = f(x).",
        "#script (lua) x = 1 #end.",
        "a(f(),()).",
        "p(). q :- p().",
        "{ a; b } < 2.",
        "#minimize { X@2,Y : p(X,Y) }.",
        "a(1..2;3).",
        "#edge (a,b;c,d) : x.",
        "a;b:c;d :- e:f,g; h.",
    ):
        nodes = []
        parse_string(text, nodes.append)
        told.append(list(map(str, nodes)))
    return told


def order():
    """Atoms come as they are grounded."""
    told = []
    for text in (
        "p(1..3). q(X) :- p(X). { r(X) : p(X) }. s(X) :- r(X), not t(X). t(X) :- s(X).",
        "b :- a. { a }. d :- c. { c }.",
        "{ x(3..5) }. { x(1..2) }. y(X) :- x(X), X > 2. y(X) :- x(X), X < 2.",
        "p(b). p(a). q(X) :- p(X). p(c).",
        "p(c;a;b). q(X) :- p(X).",
        "p(b;a;c) :- q. q.",
        "p(2;1). p(3).",
        "e(1,(2;3)). f(X) :- e(1,X).",
        "{ c(N) } :- n(N). n(1..2). d(N) ; e(N) :- c(N), n(N).",
        "-z. -a. z. -b. b. -p(1;2). c. d :- -p(1).",
        "b(1;2). a. b(3). c(1..2). -x. { y }. z :- -x.",
        "a. b(1;2). y. #program part(t). -n(t). m(t). k. -l.",
    ):
        control = clingo.Control(["0"], logger=lambda *_: None)
        control.add("base", [], text)
        control.ground([("part", [Number(1)]), ("base", []), ("part", [Number(2)])])
        told.append([str(atom.symbol) for atom in control.symbolic_atoms])
        found = []
        control.solve(on_model=lambda model: found.append([str(symbol) for symbol in model.symbols(atoms=True)]))
        told.append(sorted(found))
    return told


def built(control, text):
    """Adds a text as trees."""
    with ProgramBuilder(control) as builder:
        parse_string(text, builder.add)


def added_during_calls():
    """What is added at a model, while a call waits, or by a function of the program's is there once the call has ended."""
    told = []
    with tempfile.NamedTemporaryFile("w", suffix=".lp") as file:
        file.write("#program text. loaded.")
        file.flush()

        def add(name):
            control.add("text", [], f"text({name}).")
            control.add("given", ["t"], f"given({name},t).")
            control.add("text", [], f"#program other. other({name}).")
            built(control, f"#program tree(t). tree({name},t). tree :- not other.")
            built(control, f"again({name}).")
            control.load(file.name)
            return Number(1)

        class Context:
            def add(self):
                return add("grounding")

        def ground():
            one = [Number(1)]
            control.ground([("text", []), ("given", one), ("other", []), ("tree", one)])
            told.append(answers(control))

        control = grounded("{ a }.", "0")
        control.solve(on_model=lambda model: add("model") and None)
        ground()
        with control.solve(yield_=True) as handle:
            for model in handle:
                add("waiting")
        ground()
        control.add("function", [], "function(@add()).")
        control.ground([("function", [])], context=Context())
        ground()
    return told


def refused_during_calls():
    """A text that cannot be read is refused at once, and with it all later ones and the whole program."""
    told = []
    with tempfile.NamedTemporaryFile("w", suffix=".lp") as file:
        file.write("c.")
        file.flush()
        for wrong in (
            lambda control: control.add("base", [], "b(."),
            lambda control: control.load("there_is_no_such_file.lp"),
            lambda control: control.add("base", [], "b(X)."),
        ):
            for during in (True, False):
                said = []
                control = grounded("{ a }.", told=said)
                steps = [
                    lambda control=control, wrong=wrong: wrong(control),
                    lambda control=control: control.add("base", [], "b."),
                    lambda control=control, file=file: control.load(file.name),
                    lambda control=control: built(control, "b."),
                ]
                if during:
                    with control.solve(yield_=True):
                        told += map(tell, steps)
                else:
                    told += map(tell, steps)
                told += [len(said) > 0, tell(lambda control=control: control.ground([("base", [])]))]
    return told


class Named(Application):
    pass


def applications():
    """How an application without a name, or without a version, calls itself."""
    told = []
    for words in ([], ["name"], ["version"], ["name", "version"]):
        for arguments in (["--version"], ["--outf=1"], ["--outf=2"], []):
            command = [sys.executable, __file__, "--application", *words, "--", *arguments]
            own = ["--own"] if "--own" in sys.argv else []
            done = subprocess.run([*command[:2], *own, *command[2:]], capture_output=True, text=True, input="a.", check=False)
            told.append([words, arguments, done.returncode, done.stdout.splitlines()[:2]])
    return told


def application(words):
    place = words.index("--")
    new = Named()
    if "name" in words[:place]:
        new.program_name = "mine"
    if "version" in words[:place]:
        new.version = "7.1"
    sys.exit(clingo_main(new, words[place + 1 :]))


PARTS = [
    released, conditions, edges, undefined, keys, statistics, errors_of_functions, errors, ground_texts, trees, order, added_during_calls,
    refused_during_calls, applications, *later.PARTS,
]  # fmt: skip


class Calls(unittest.TestCase):
    def test_all_are_those_of_clingo(self):
        command = [sys.executable, __file__, "--own"]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        for part, line in zip(PARTS, lines, strict=True):
            for ours, theirs in zip(json.loads(json.dumps(part())), json.loads(line), strict=True):
                with self.subTest(part.__name__):
                    self.assertEqual(ours, theirs)

    def test_what_cannot_be_added_after_a_call_is_told(self):
        """Texts added during a call are read again after it: a file may be gone, and there may be a theory of the same name."""
        theory = "#theory t { u { }; &s/0 : u, any }."
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "gone.lp")
            for after in (
                lambda control: control.add("q", [], "after."),
                lambda control: built(control, "after."),
                lambda control: control.ground([("q", [])]),
                # What needs no text tells of it, too.
                lambda control: (control.assign_external(Function("a"), True), control.ground([("q", [])])),
            ):
                path.write_text("gone.")
                told = []
                control = grounded("{ a }. " + theory, "0", told=told)
                with control.solve(yield_=True):
                    control.add("q", [], f'#include "{path}". bad.')
                    control.add("q", [], theory)
                    control.add("q", [], "kept.")
                path.unlink()
                self.assertEqual(told, [])
                with self.assertRaisesRegex(RuntimeError, "parsing failed|grounding stopped because of errors"):
                    after(control)
                self.assertEqual([code for code, _ in told], ["RuntimeError"] * 2)
                self.assertRegex(told[0][1], "file could not be opened:\n  .*gone.lp\n")
                self.assertIn("theory `t` is defined twice", told[1][1])
                self.assertEqual(answers(control), [[], ["a"]])


if __name__ == "__main__":
    if "--application" in sys.argv:
        application(sys.argv[sys.argv.index("--application") + 1 :])
    elif "--own" in sys.argv:
        for part in PARTS:
            print(json.dumps(part()))
    else:
        unittest.main()
