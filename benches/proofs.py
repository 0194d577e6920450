#!/usr/bin/env python3
"""What it costs to log and to check proofs of optima and of programs with integers: a table of docs/proofs.md.

    proofs.py ASP ASP_CHECK

For each program, the number of steps, and the processor time of a run, of a run with `--proof`, and of the check: the least of
three each.
"""

import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def library(*names):
    return "".join(f'#include "{name}.lp". ' for name in names)


def cover(nodes, edges, seed):
    rng = random.Random(seed)
    pairs = sorted({tuple(sorted(rng.sample(range(nodes), 2))) for _ in range(edges)})
    facts = "".join(f"e({a},{b}). " for a, b in pairs)
    return facts + f"{{ in(0..{nodes - 1}) }}. :- e(X,Y), not in(X), not in(Y). :~ in(X). [1+X\\3,X]"


def clauses(atoms, number, seed):
    """Clauses of which as few as possible are to fail."""
    rng = random.Random(seed)
    literal = lambda v: rng.choice(["", "not "]) + f"x({v})"
    body = lambda: ", ".join(literal(v) for v in rng.sample(range(1, atoms + 1), 3))
    return f"{{ x(1..{atoms}) }}.\n" + "".join(f":~ {body()}. [1,{i}]\n" for i in range(number))


BOUNDS, CORES = "--opt-strategy=bb", "--opt-strategy=usc"
EQUATION = """v(1..3). &dom { 0..300 } = x(I) :- v(I). &sum { 12*x(1); 28*x(2); -45*x(3) } = 13.
    &sum { x(1); x(2); x(3) } <= 250."""
EQUATIONS = """v(1..4). &dom { 0..60 } = x(I) :- v(I). &distinct { x(I) : v(I) }. &sum { x(1) } > x(3).
    &sum { x(1); x(2); x(3); x(4) } = 63. &sum { 7*x(1); -11*x(2); 13*x(3); -17*x(4) } = 5."""
RUNS = [
    ("`tsp11`, by bounds", library("tsp", "tsp11"), [BOUNDS]),
    ("`tsp11`, by cores", library("tsp", "tsp11"), [CORES]),
    ("`school4`, two levels, by bounds", library("timetable", "school4"), [BOUNDS]),
    ("`school4`, two levels, by cores", library("timetable", "school4"), [CORES]),
    ("vertex cover with weights, 60 nodes, by bounds", cover(60, 120, 1), [BOUNDS]),
    ("vertex cover with weights, 200 nodes, by cores", cover(200, 450, 1), [CORES]),
    ("260 random clauses over 40 atoms, as few as possible false, by cores", clauses(40, 260, 1), [CORES]),
    ("`golomb6`, integers", library("golomb-ruler", "golomb6"), []),
    ("`ft06`, integers", library("job-shop", "ft06"), []),
    ("an equation of three integers, all 343 answer sets", EQUATION, ["0"]),
    ("equations of four integers, no answer set", EQUATIONS, ["0"]),
]


def run(command):
    """Processor time, the least of three, and output."""
    times = []
    for _ in range(3):
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        output = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        times.append(usage.ru_utime + usage.ru_stime)
    return min(times), output.decode()


def main():
    asp, check = (os.path.abspath(path) for path in sys.argv[1:])
    print("| program | steps | run | with `--proof` | `asp-check` |\n|---|---|---|---|---|")
    for name, program, options in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            with open("p.lp", "w") as file:
                file.write(program)
            single, _ = run([asp, "p.lp", "-q", *options])
            logged, _ = run([asp, "p.lp", "-q", "--proof=proof", *options])
            checked, said = run([check, "proof"])
            if not said.startswith("Certified"):
                sys.exit(f"{name}: {said}")
            with open("proof/steps.pbp") as file:
                steps = sum(1 for _ in file) - 5
            os.chdir(ROOT)
            print(f"| {name} | {steps:,} | {single:.3f} | {logged:.3f} | {checked:.3f} |", flush=True)


if __name__ == "__main__":
    main()
