"""What crossing the border costs: nanoseconds of processor time, the least of some runs.

With the package clingo in the same environment its costs stand beside ours. Use a wheel that was built with optimisation:

    maturin build --release --manifest-path bindings/asp-python/Cargo.toml --out DIRECTORY
    pip install DIRECTORY/*.whl numpy pandas pyarrow clingo
    python bindings/asp-python/benches/costs.py
"""

import gc
import pickle
import time

import numpy
import pandas
import pyarrow

import asp

try:
    import clingo
except ImportError:
    clingo = None

ROWS = 200_000
rows: list[tuple[str, float, float | None]] = []


def cost(number, run, make=lambda: None, times=5):
    """Nanoseconds for each of so many things, of which one run makes or reads all."""
    best = float("inf")
    for _ in range(times):
        given = make()
        gc.collect()
        gc.disable()
        start = time.process_time()
        run(given)
        best = min(best, time.process_time() - start)
        gc.enable()
    return best / number * 1e9


def row(what, ours, theirs=None):
    rows.append((what, ours, theirs))


def main():
    numbers = list(range(ROWS))
    columns = {"a": numbers, "b": [n * 7 % 1000 for n in numbers]}
    words = [f"w{n % 5000}" for n in numbers]
    arrays = {name: numpy.array(column) for name, column in columns.items()}
    frame, table = pandas.DataFrame(arrays), pyarrow.table(arrays)
    mixed = pyarrow.table({"a": numbers, "w": words})
    values = 2 * ROWS

    def add(data, **options):
        return cost(values, lambda control: control.add_table("p", data, **options), asp.Control)

    theirs = None
    if clingo:

        def backend(control):
            with control.backend() as into:
                for a, b in zip(columns["a"], columns["b"]):
                    into.add_rule([into.add_atom(clingo.Function("p", [clingo.Number(a), clingo.Number(b)]))])

        theirs = cost(values, backend, clingo.Control, 2)
    row("facts in, a value: numpy", add(arrays), theirs)
    row("facts in, a value: pandas", add(frame), theirs)
    row("facts in, a value: Arrow", add(table), theirs)
    row("facts in, a value: Arrow, numbers and texts", add(mixed), theirs)
    row("facts in, a value: lists", add(columns), theirs)

    def loaded(add=True):
        control = asp.Control()
        return control.add_table("p", table) if add else control

    row("grounding these facts, a value", cost(values, lambda c: c.ground(), loaded))
    model = loaded().first()
    words_out = asp.Control().add_table("p", mixed).first()
    if clingo:
        control = clingo.Control()
        backend(control)
        control.ground([])
        handle = control.solve(yield_=True)
        their_model = handle.model()

        def their_columns(_):
            atoms = [symbol.arguments for symbol in their_model.symbols(atoms=True)]
            return [a.number for a, _ in atoms], [b.number for _, b in atoms]

        theirs = cost(values, their_columns, times=2)
    row("answers out, a value: numpy", cost(values, lambda _: model.table("p").to_numpy()), theirs)
    row("answers out, a value: pandas", cost(values, lambda _: model.table("p").to_pandas()), theirs)
    row("answers out, a value: Arrow", cost(values, lambda _: model.table("p").to_arrow()), theirs)
    row("answers out, a value: Arrow, numbers and texts", cost(values, lambda _: words_out.table("p").to_arrow()), theirs)
    row("answers out, a value: lists", cost(values, lambda _: model.table("p").to_dict()), theirs)
    row("answers out, an atom: tuples", cost(ROWS, lambda _: model["p"]), 2 * theirs if theirs else None)

    symbols = (lambda _: their_model.symbols(shown=True)) if clingo else None
    model.terms
    row("an atom of model.terms", cost(ROWS, lambda _: model.terms), cost(ROWS, symbols) if clingo else None)

    some = range(100_000)
    make = (lambda _: [clingo.Function("f", [clingo.Number(n), clingo.Number(n)]) for n in some]) if clingo else None
    row("a term of two numbers, made", cost(len(some), lambda _: [asp.Term("f", n, n) for n in some]), cost(len(some), make) if clingo else None)
    ours = [asp.Term("f", n, n) for n in some]
    if clingo:
        their = make(None)
        read = cost(len(some), lambda _: [(t.name, t.arguments[0].number, t.arguments[1].number) for t in their])
    row("a term, read: name and two arguments", cost(len(some), lambda _: [(t.name, *t.arguments) for t in ours]), read if clingo else None)
    row("a term, pickled", cost(len(some), lambda _: pickle.dumps(ours)))

    program = "{ a(1..15) }."

    def iterate(control):
        for _ in control.solve():
            pass

    def their_iterate(control):
        with control.solve(yield_=True) as handle:
            for _ in handle:
                pass

    def their_control():
        control = clingo.Control(["0"])
        control.add("base", [], program)
        control.ground([("base", [])])
        return control

    def our_control():
        return asp.Control(program).ground()

    row("a model, iterated", cost(2**15, iterate, our_control), cost(2**15, their_iterate, their_control) if clingo else None)

    called = "#program call(n). a(@f(X)) :- X = 1..n."
    count = 20_000

    def our_call(control):
        control.ground([("call", [count])], functions={"f": lambda n: n})

    class Context:
        def f(self, n):
            return n

    def their_called():
        control = clingo.Control()
        control.add("base", [], called)
        return control

    their_call = (lambda c: c.ground([("call", [clingo.Number(count)])], context=Context())) if clingo else None
    row("a call of a function @f(X)", cost(count, our_call, lambda: asp.Control(called)), cost(count, their_call, their_called) if clingo else None)

    print(f"asp {asp.__version__}" + (f", clingo {clingo.__version__}" if clingo else "") + "; nanoseconds")
    print("| | asp | clingo | times |\n|---|--:|--:|--:|")
    for what, ours, theirs in rows:
        print(f"| {what} | {ours:.0f} | {f'{theirs:.0f}' if theirs else ''} | {f'{theirs / ours:.1f}' if theirs else ''} |")


if __name__ == "__main__":
    main()
