#!/usr/bin/env python3
"""Runs asp, and CP-SAT if its package is there, on the families of optimisation, and prints what they took as a table.

run.py --asp BIN [--other "name=BIN OPTIONS"]... [--limit S] [--seeds 1,2] [--sizes 0,1,2] [--no-cpsat] [--json OUT] [family ...]

CPU seconds count, at least 0.03; what is not proven in time counts with the limit. Optima must agree: otherwise the exit status is 1.
CP-SAT has one worker, with `linearization_level` 1 and 2; the better one counts."""
import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile

import families

FLOOR = .03


def limited(seconds):
    return lambda: resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 2))


def spent(command, seconds):
    """The lines of a command's output and the CPU seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=limited(seconds))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout.splitlines(), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def asp(command, path, seconds):
    lines, cpu = spent([*command, path, "--outf=jsonl", "-q1"], seconds)
    cost = proven = None
    for line in lines:
        if line.startswith("{"):
            told = json.loads(line)
            if told.get("costs"):
                cost = sum(told["costs"])
            if told.get("result") == "OPTIMUM FOUND":
                proven = cost
    return dict(seconds=cpu if proven is not None else seconds, proven=proven, best=cost)


def cpsat(name, size, seed, level, seconds):
    lines, _ = spent([sys.executable, __file__, "--model", name, str(size), str(seed), str(level), str(seconds)], seconds + 10)
    told = json.loads(lines[-1]) if lines else dict(seconds=seconds, proven=None, best=None)
    return told if told["seconds"] <= seconds else dict(told, seconds=seconds, proven=None)


def solve(name, size, seed, level, seconds):
    """CP-SAT on one problem; prints what it found."""
    import time
    from ortools.sat.python import cp_model
    what = families.problem(name, size, seed)
    start = time.process_time()
    model = cp_model.CpModel()
    model.minimize(what.model(model))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = level
    solver.parameters.max_time_in_seconds = 3 * seconds
    status = solver.solve(model)
    has = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    best = round(solver.objective_value) if has else None
    print(json.dumps(dict(seconds=time.process_time() - start, proven=best if status == cp_model.OPTIMAL else None, best=best)))


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def main():
    if sys.argv[1:2] == ["--model"]:
        name, size, seed, level, seconds = sys.argv[2:]
        return solve(name, int(size), int(seed), int(level), float(seconds))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--asp", required=True)
    parser.add_argument("--other", action="append", default=[], help="another command: NAME=BIN OPTIONS")
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--sizes", default="0,1,2")
    parser.add_argument("--no-cpsat", action="store_true")
    parser.add_argument("--json")
    parser.add_argument("families", nargs="*")
    given = parser.parse_args()
    commands = {"asp": given.asp.split()}
    for other in given.other:
        name, command = other.split("=", 1)
        commands[name] = command.split()
    rows, bad = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for name in given.families or families.FAMILIES:
            for size in map(int, given.sizes.split(",")):
                for seed in map(int, given.seeds.split(",")):
                    path = os.path.join(folder, f"{name}.lp")
                    what = families.problem(name, size, seed)
                    with open(path, "w") as file:
                        file.write(what.program)
                    row = {system: asp(command, path, given.limit) for system, command in commands.items()}
                    if not given.no_cpsat:
                        both = [cpsat(name, size, seed, level, given.limit) for level in (1, 2)]
                        row["CP-SAT"] = min(both, key=lambda r: (r["proven"] is None, r["seconds"]))
                    optima = {r["proven"] for r in row.values() if r["proven"] is not None}
                    bad += len(optima) > 1
                    rows.append(dict(family=name, size=size, seed=seed, results=row))
                    cells = [f"{max(r['seconds'], FLOOR):.2f}" if r["proven"] is not None else f">{given.limit:.0f} ({r['best']})" for r in row.values()]
                    print(f"| {name} {size} seed {seed} | " + " | ".join(cells) + " |" + (f" DIFFERENT {optima}" if len(optima) > 1 else ""), flush=True)
                    if given.json:
                        with open(given.json, "w") as file:
                            json.dump(rows, file)
    systems = [s for s in rows[0]["results"] if s != "asp"]
    for system in systems:
        by_family = {}
        for row in rows:
            times = [max(FLOOR, row["results"][s]["seconds"]) for s in ("asp", system)]
            by_family.setdefault(row["family"], []).append(times[0] / times[1])
        print(f"\nasp / {system}: " + ", ".join(f"{f} {mean(r):.2f}" for f, r in by_family.items()))
        print(f"all: {mean([x for r in by_family.values() for x in r]):.2f}")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
