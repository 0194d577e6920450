#!/usr/bin/env python3
"""What it costs to search a program in cubes: the table of docs/cluster.md.

    cubes.py ASP [NUMBER]

For each program, the processor time of one run; of all runs on NUMBER cubes (16) together, as a multiple of that ("work"); and
of splitting and the longest of the runs ("path"): what a run takes with a machine for each cube. Grounding counts in each run.
Both ways must find the same.
"""

import json
import os
import random
import subprocess
import sys
import tempfile


def queens(n):
    return f"""1 {{ queen(R,C) : C=1..{n} }} 1 :- R=1..{n}. :- queen(R,C), queen(S,C), R<S.
        :- queen(R,C), queen(S,D), R<S, |R-S|=|C-D|. #show queen/2."""


def clauses(variables, ratio, seed):
    rng = random.Random(seed)
    literal = lambda v: rng.choice(["", "not "]) + f"x({v})"
    body = lambda: ", ".join(literal(v) for v in rng.sample(range(1, variables + 1), 3))
    return f"{{ x(1..{variables}) }}.\n" + "".join(f":- {body()}.\n" for _ in range(int(variables * ratio)))


def tours(nodes, degree, seed):
    rng = random.Random(seed)
    edges = {(a, b) for a in range(nodes) for b in rng.sample(range(nodes), degree) if a != b}
    facts = "".join(f"edge({a},{b},{rng.randint(1, 20)}). " for a, b in sorted(edges))
    return facts + """node(X) :- edge(X,_,_). node(Y) :- edge(_,Y,_).
        1 { in(X,Y) : edge(X,Y,_) } 1 :- node(X). 1 { in(X,Y) : edge(X,Y,_) } 1 :- node(Y).
        r(0). r(Y) :- r(X), in(X,Y). :- node(X), not r(X). :~ in(X,Y), edge(X,Y,C). [C,X,Y]"""


def colours(nodes, edges, seed):
    rng = random.Random(seed)
    pairs = {tuple(sorted(rng.sample(range(nodes), 2))) for _ in range(edges)}
    facts = "".join(f"e({a},{b}). " for a, b in sorted(pairs))
    return facts + f"""1 {{ c(X,(r;g;b)) }} 1 :- X=0..{nodes - 1}. :- e(X,Y), c(X,C), c(Y,C).
        u(X) :- c(X,r), X < {nodes // 2}. #show u/1."""


PROGRAMS = [
    ("all 12 queens", queens(12), ["0"]),
    ("random clauses, 260 atoms, no answer set", clauses(260, 4.6, 1), []),
    ("all magic squares of order 4", '#include "magic-square.lp". #include "magic4.lp".', ["0"]),
    ("shortest tour, 36 nodes", tours(36, 10, 3), []),
    ("projected colourings, 60 nodes", colours(60, 120, 2), ["0", "--project"]),
]


def run(command):
    """Output and processor time."""
    child = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE)
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return output.decode(), usage.ru_utime + usage.ru_stime


def verdict(result):
    models = result["Models"]
    return result["Result"], models.get("Costs", models["Number"])


def main():
    asp, number = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 16
    print(f"| program | one run, s | {number} cubes: work | path |\n|---|---|---|---|")
    for name, program, options in PROGRAMS:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            with open("p.lp", "w") as file:
                file.write(program)
            whole, single = run([asp, "p.lp", *options, "--outf=2", "-q"])
            cubes, splitting = run([asp, "cubes", "-n", number, "p.lp", *options])
            with open("cubes", "w") as file:
                file.write(cubes)
            optimises = ["--bound-file=bounds"] if "Costs" in json.loads(whole)["Models"] else []
            times, results = [], []
            for line in cubes.splitlines()[1:]:
                cube = json.loads(line)["id"]
                output, seconds = run([asp, "p.lp", *options, "--outf=2", "-q", f"--cube={cube}@cubes", *optimises])
                times.append(seconds)
                results.append(f"{cube}.json")
                with open(results[-1], "w") as file:
                    file.write(output)
            merged, _ = run([asp, "merge", "cubes", "--format=json", *optimises, "--results", *results])
            merged = json.loads(merged)
            together = merged["Result"], merged["Costs"] or merged["Models"]
            if together != verdict(json.loads(whole)):
                sys.exit(f"{name}: {together} of cubes, {verdict(json.loads(whole))} of one run")
            work, path = sum(times) + splitting, max(times, default=0) + splitting
            print(f"| {name} | {single:.2f} | {work / single:.2f} | {path / single:.2f} |", flush=True)


if __name__ == "__main__":
    main()
