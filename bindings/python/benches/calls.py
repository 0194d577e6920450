"""What programs that make many calls cost through the package clingo: seconds of processor time, on clingo's library and on asp.

    VENV_ON_ASP/bin/python bindings/python/benches/calls.py [ROUNDS]

Each round runs both, one process each in turn, clingo's own library by making `_clingo` fail; of the rounds (3) the median counts.
"""

import statistics
import subprocess
import sys
import time

if "--own" in sys.argv:
    sys.modules["_clingo"] = None

from clingo import Control, Function, Number
from clingo.ast import ProgramBuilder, Transformer, parse_string

RULES = "".join(f"p{i}(X,Y) :- q(X,Y,{i}), not r(X), X < Y+1, #count {{ Z : s(Z,X) }} > 2.\n" for i in range(4000))


def grounded(text, *arguments):
    control = Control(list(arguments), logger=lambda *_: None)
    control.add("base", [], text)
    control.ground([("base", [])])
    return control


def names(name, number):
    return [Function(name, [Number(i)]) for i in range(1, number + 1)]


def assumptions():
    control = grounded("{ a(1..2000) }. b(X) :- a(X), not a(X+1). :- a(X), a(X+7), X\\11=0.", "1")
    atoms = names("a", 2000)
    yield
    for i in range(5000):
        control.solve(assumptions=[(atoms[i % 2000], True), (atoms[(i * 7 + 3) % 2000], False)])


def externals():
    control = grounded("#external e(1..2000). { x(X) } :- e(X). y :- x(X). :- e(X), not x(X), X\\2=0.", "1")
    atoms = names("e", 2000)
    yield
    for i in range(1500):
        control.assign_external(atoms[i % 2000], i % 3 != 0)
        control.solve()


def trees():
    yield
    nodes = []
    parse_string(RULES, nodes.append)
    sum(len(str(node)) for node in nodes)
    control = Control(logger=lambda *_: None)
    with ProgramBuilder(control) as builder:
        for node in nodes:
            builder.add(node)
    control.ground([("base", [])])


def transformed():
    class Renamed(Transformer):
        def visit_Variable(self, node):
            return node.update(name=node.name + "1")

    yield
    nodes = []
    parse_string(RULES, nodes.append)
    renamed = Renamed()
    control = Control(logger=lambda *_: None)
    with ProgramBuilder(control) as builder:
        for node in nodes:
            builder.add(renamed(node))


def backend():
    control = Control()
    yield
    with control.backend() as rules:
        last = []
        for i in range(60000):
            atom = rules.add_atom(Function("a", [Number(i)]))
            rules.add_rule([atom], last, i % 3 == 0)
            last = [atom]
    control.solve()


def atoms():
    yield
    control = grounded("{ a(1..1000000) }.")
    for atom in control.symbolic_atoms:
        (atom.symbol, atom.literal, atom.is_fact)


def growing():
    control = Control(["1"], logger=lambda *_: None)
    control.add("step", ["k"], "{ a(k,1..50) }. b(k,X) :- a(k,X), not a(k-1,X). :- b(k,X), b(k,X+1).")
    yield
    for k in range(200):
        control.ground([("step", [Number(k)])])
        control.solve()


def controls():
    yield
    for _ in range(1500):
        control = grounded("a. { b }.")
        control.solve()


ROWS = {
    "5,000 calls under assumptions over 2,000 atoms": assumptions,
    "1,500 changes of an external among 2,000, each with a call": externals,
    "4,000 rules as trees: parsed, printed, built, grounded": trees,
    "4,000 rules as trees: parsed, each variable renamed, built": transformed,
    "60,000 atoms and rules by the backend, and a call": backend,
    "a million symbolic atoms: grounded, symbol, literal and fact read": atoms,
    "200 growing steps, each with a call": growing,
    "1,500 controls, each with a call": controls,
}


def measure():
    for name, run in ROWS.items():
        steps = run()
        next(steps)
        start = time.process_time()
        next(steps, None)
        print(f"{name}\t{time.process_time() - start:.3f}", flush=True)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    found = {}
    for _ in range(rounds):
        for which in ("--own", "--ours"):
            command = [sys.executable, __file__, which]
            for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
                name, seconds = line.split("\t")
                found.setdefault((name, which), []).append(float(seconds))
    print("| seconds | asp | clingo | times |\n|---|--:|--:|--:|")
    for name in ROWS:
        theirs, ours = (statistics.median(found[name, which]) for which in ("--own", "--ours"))
        print(f"| {name} | {ours:.2f} | {theirs:.2f} | {theirs / ours:.2f} |")


if __name__ == "__main__":
    if {"--own", "--ours"} & set(sys.argv):
        measure()
    else:
        main()
