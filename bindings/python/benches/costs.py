"""What one thing costs through the package clingo, on clingo's library and on ours: microseconds of processor time.

    python bindings/python/benches/costs.py CLINGO_PYTHON OUR_PYTHON [ROUNDS]

Each round runs both, one process each, in turn; of the rounds (5) the median counts. Use a library that was built with
optimisation (`bindings/python/install.py VENV --library target/release/libclingo.so`).
"""

import gc
import json
import statistics
import subprocess
import sys
import time


def measure(only=()):
    """Measures each row once; of some runs of a row the least counts."""
    import clingo
    from clingo import ast

    Function, Number = clingo.Function, clingo.Number
    rows = {}

    def cost(name, count, run, make=lambda: None, times=3):
        if only and name not in only:
            return
        best = float("inf")
        for _ in range(times):
            given = make()
            gc.collect()
            gc.disable()
            start = time.process_time()
            run(given)
            best = min(best, time.process_time() - start)
            gc.enable()
        rows[name] = best / count * 1e6

    def control(text="", arguments=(), ground=True):
        new = clingo.Control(list(arguments), logger=lambda *_: None)
        new.add("base", [], text)
        if ground:
            new.ground([("base", [])])
        return new

    def each(items):
        for _ in items:
            pass

    many = range(50_000)
    # New symbols each time: those of the run before exist already.
    fresh = iter(range(0, 10**9, 10**6))

    def new_terms(start):
        for n in many:
            Function("f", [Number(start + n), Number(n)])

    cost("symbol: a function of two numbers, made", len(many), new_terms, lambda: next(fresh))
    cost("symbol: the same again", len(many), lambda _: [Function("f", [Number(n), Number(n)]) for n in many])
    terms = [Function("f", [Number(n), Number(n)]) for n in many]
    cost("symbol: its name and two arguments, read", len(many), lambda _: [(t.name, t.arguments[0].number, t.arguments[1].number) for t in terms])
    cost("symbol: written", len(many), lambda _: [str(t) for t in terms])
    cost("symbol: compared", len(many), lambda _: [a < b for a, b in zip(terms, terms[1:])])
    cost("symbol: hashed", len(many), lambda _: [hash(t) for t in terms])
    cost("symbol: `parse_term`", 10_000, lambda _: [clingo.parse_term("f(1,g(x))") for _ in range(10_000)])

    facts = "p(1..50000). #external e. { q(1..1000) }."
    grounded = control(facts)
    atoms = grounded.symbolic_atoms
    cost("atom: iterated", 51_000, lambda _: each(atoms))
    cost("atom: iterated, symbol and fact read", 51_000, lambda _: [(a.symbol, a.is_fact) for a in atoms])
    cost("atom: by signature", 50_000, lambda _: [a.symbol for a in atoms.by_signature("p", 1)])
    names = [Function("p", [Number(n)]) for n in range(1, 10_001)]
    cost("atom: looked up", 10_000, lambda _: [atoms[n] for n in names])

    handle = grounded.solve(yield_=True)
    model = handle.model()
    cost("model: an atom of `symbols(shown=True)`", 50_000, lambda _: model.symbols(shown=True))
    cost("model: an atom of `symbols(atoms=True)`", 50_000, lambda _: model.symbols(atoms=True))
    cost("model: `contains`", 10_000, lambda _: [model.contains(n) for n in names])
    handle.cancel()

    choice = "{ a(1..14) }."
    number = 2**14
    cost("model: `on_model`", number, lambda c: c.solve(on_model=lambda m: None), lambda: control(choice, ["0"]))

    def pull(c, **options):
        with c.solve(yield_=True, **options) as models:
            each(models)

    cost("model: pulled", number, pull, lambda: control(choice, ["0"]))
    cost("model: pulled, asynchronous", number, lambda c: pull(c, async_=True), lambda: control(choice, ["0"]))

    def with_atoms(c):
        c.solve(on_model=lambda m: m.symbols(shown=True) and None)

    cost("model: `on_model` with its atoms", number, with_atoms, lambda: control(choice, ["0"]))

    def backend(c):
        with c.backend() as into:
            for n in range(20_000):
                into.add_rule([into.add_atom(names[n % 10_000])])

    cost("fact: by the backend", 20_000, backend, control)
    text = " ".join(f"r({n},{n})." for n in range(20_000))
    cost("fact: as text, added and grounded", 20_000, lambda c: (c.add("base", [], text), c.ground([("base", [])])), lambda: control(ground=False))

    class Context:
        def f(self, x):
            return x

    calls = "a(@f(X)) :- X = 1..10000."
    cost("callback: `@f(X)`", 10_000, lambda c: c.ground([("base", [])], context=Context()), lambda: control(calls, ground=False))

    class Observer:
        def rule(self, choice, head, body):
            pass

    def observed():
        c = control("{ b(1..10000) }. a(X) :- b(X).", ground=False)
        c.register_observer(Observer())
        return c

    def observe(c):
        c.ground([("base", [])])
        c.solve()

    cost("callback: of an observer", 20_000, observe, observed)

    class Propagator:
        calls = 0

        def init(self, init):
            for atom in init.symbolic_atoms.by_signature("a", 1):
                init.add_watch(init.solver_literal(atom.literal))
                init.add_watch(-init.solver_literal(atom.literal))

        def propagate(self, ctl, changes):
            self.calls += 1

    propagators = []

    def watched():
        c = control(choice, ["0"])
        propagators.append(Propagator())
        c.register_propagator(propagators[-1])
        return c

    name = "callback: `propagate`"
    cost(name, 1, lambda c: c.solve(), watched)
    if name in rows:
        rows[name] /= max(propagators[-1].calls, 1)

    rules = "\n".join(f"a({n},X) :- b(X,Y{n}), not c(X+{n}), 1 <= #sum {{ Z,X : d(Z) }}." for n in range(1_000))
    nodes = []
    cost("syntax: a rule parsed", 1_000, lambda _: ast.parse_string(rules, lambda s: None))
    ast.parse_string(rules, nodes.append)
    cost("syntax: a rule printed", 1_000, lambda _: [str(n) for n in nodes])
    class Renamer(ast.Transformer):
        def visit_Variable(self, node):
            return node.update(name=node.name + "_")

    cost("syntax: a rule walked through and rebuilt", 1_000, lambda _: [Renamer().visit(n) for n in nodes])
    cost("syntax: a rule copied deeply", 1_000, lambda _: [n.__deepcopy__({}) for n in nodes])

    def built(c):
        with ast.ProgramBuilder(c) as builder:
            for node in nodes[1:]:
                builder.add(node)

    cost("syntax: a rule added by a builder", 1_000, built, lambda: control(ground=False))
    spot = nodes[1].location

    def build(_):
        for n in range(10_000):
            ast.Function(spot, "f", [ast.SymbolicTerm(spot, Number(n))], 0)

    cost("syntax: two nodes made", 10_000, build)

    theory = control("#theory t { u { + : 1, binary, left }; &s/1 : u, { <= }, u, any }. { a(1..2000) }. &s(X) { X+1 : a(X) } <= X :- a(X).")

    def read_theory(_):
        for atom in theory.theory_atoms:
            (atom.term.arguments, [e.terms for e in atom.elements], atom.guard, atom.literal)

    cost("theory: an atom read", 2_000, read_theory)
    cost("control: made, and a solve call", 200, lambda _: [control("{ a }.").solve() for _ in range(200)])

    def steps(c):
        for n in range(200):
            c.assign_external(Function("e"), n % 2 == 0)
            c.solve()

    cost("control: an external assigned, and a solve call", 200, steps, lambda: control("{ a(1..100) }. #external e. b :- e."))
    return rows


def main():
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(sys.argv[2:])))
        return
    pythons, rounds = sys.argv[1:3], int(sys.argv[3]) if len(sys.argv) > 3 else 5
    runs = ([], [])
    for _ in range(rounds):
        for python, found in zip(pythons, runs):
            done = subprocess.run([python, __file__, "--measure", *sys.argv[4:]], check=True, capture_output=True, text=True)
            found.append(json.loads(done.stdout))
    print("| microseconds | asp | clingo | times |\n|---|--:|--:|--:|")
    for name in runs[0][0]:
        theirs, ours = (statistics.median(run[name] for run in found) for found in runs)
        print(f"| {name} | {ours:.2f} | {theirs:.2f} | {theirs / ours:.2f} |")


if __name__ == "__main__":
    main()
