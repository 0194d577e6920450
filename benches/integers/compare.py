#!/usr/bin/env python3
"""Side-by-side timing of asp, clingcon, clingo-dl (where there are only differences) and, for information, CP-SAT.

    python3 compare.py --asp ../../target/release/asp --python VENV/bin/python [--class C]... [--systems asp,clingcon] [NAME ...]

VENV has clingcon, clingo-dl and ortools. Runs alternate. Times are CPU seconds of user and system, medians of --runs, at least
0.03; a run past --timeout CPU seconds counts as that. Start-up of Python is taken off; of CP-SAT only the solver's own time
counts. With --seeds N, rows that do not ask for all answers run N times with asp and clingcon, with `--seed=1` to `--seed=N`
and 2 % random decisions, so that the luck of one run decides nothing. A run of more than 5 s is not repeated. Results (status,
optimum, number of answers) are compared; the exit status is 1 if any differ or asp fails.
`--markdown FILE` writes the table between `<!-- integers -->` and `<!-- end -->` of a page, from the rows of --json.
"""
import argparse
import json
import math
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "side-by-side"))
import compare  # noqa: E402

SYSTEMS = ["asp", "clingcon", "clingo-dl", "cp-sat"]


def verdict(system, row, text):
    """Status, optimum, number of answers: what must agree."""
    models = re.search(r"(?m)^Models\s*: (\d+)(\+?)", text)
    count = models.group(1) if models and not models.group(2) else ""
    if re.search(r"(?m)^UNKNOWN|rror:", text) or not models and "OPTIMUM" not in text:
        return None
    if row["best"]:
        cost = re.findall(r"(?m)^(?:Optimization|Cost)\s*: (-?\d+)", text)
        if system == "clingo-dl":
            return ("OPTIMUM FOUND", cost[-1]) if "Finished" in text and cost else None
        if not cost or not count and "OPTIMUM" not in text:
            return None
        return "OPTIMUM FOUND", cost[-1]
    if re.search(r"(?m)^UNSATISFIABLE", text):
        return ("UNSATISFIABLE",)
    return ("SATISFIABLE", count) if count and row["all"] else ("SATISFIABLE",)


class Runner:
    def __init__(self, a):
        self.a, self.asp, self.python = a, shlex.split(a.asp), shlex.split(a.python)
        self.starts = {"asp": 0.0, "cp-sat": 0.0}
        for name, command in (("clingcon", ["-m", "clingcon"]), ("clingo-dl", [os.path.join(HERE, "dl.py")])):
            times = [compare.run([*self.python, *command, "--version"], 60, a.memory)[0] for _ in range(5)]
            self.starts[name] = statistics.median(times)

    def program(self, row, dl):
        words = [*map(str, row["gen"]), *(["--dl"] if dl else [])]
        path = os.path.join(self.a.cache, "integers_" + "_".join(w.strip("-") for w in words) + ".lp")
        script = os.path.join(HERE, "gen", words[0] + ".py")
        with open(path, "w") as sink:
            subprocess.run([sys.executable, script, *words[1:]], stdout=sink, check=True)
        return path

    def command(self, system, row):
        number = "0" if row["best"] or row["all"] else "1"
        quiet = ["-q"] if row["all"] else []
        if system == "cp-sat":
            words = list(map(str, row["gen"]))
            script = os.path.join(HERE, "gen", words[0] + ".py")
            return [*self.python, script, *words[1:], "--model", "--seconds", str(self.a.timeout)]
        path = self.program(row, system == "clingo-dl")
        if system == "asp":
            return [*self.asp, path, number, *quiet, *self.a.options]
        if system == "clingcon":
            return [*self.python, "-m", "clingcon", path, number, *quiet]
        return [*self.python, os.path.join(HERE, "dl.py"), path, "1", *(["--minimize", "end"] if row["best"] else [])]

    def once(self, system, command, row):
        """-> (seconds, MB, verdict; None without one in time)"""
        limit = self.a.timeout
        limited = ["prlimit", f"--cpu={math.ceil(limit + self.starts[system]) + (5 if system == 'cp-sat' else 0)}", *command]
        seconds, mb, code, text = compare.run(limited, 6 * limit + 10, self.a.memory)
        if system == "cp-sat":
            own = re.search(r"(?m)^CPU Time\s*: ([0-9.]+)s", text)
            seconds = float(own.group(1)) if own else limit
        found = verdict(system, row, text) if code is not None else None
        late = seconds - self.starts[system] >= limit
        return (limit if late or found is None else max(seconds - self.starts[system], compare.FLOOR)), mb, (None if late else found), code


def gmean(xs):
    return math.exp(sum(map(math.log, xs)) / len(xs)) if xs else float("nan")


def summary(rows, key="clingcon"):
    """Lines with the geometric means of asp's times by those of another system."""
    out = []
    classes = [*dict.fromkeys(r["class"] for r in rows), None]
    for cls in classes:
        part = [r["asp"]["s"] / r[key]["s"] for r in rows if cls in (None, r["class"]) and r.get("asp") and r.get(key)]
        if part:
            out.append(f"{cls or 'all'}: {len(part)} rows, asp/{key}: geometric mean {gmean(part):.3f}, worst {max(part):.3f}")
    return out


def markdown(rows, limit):
    number = lambda r: "" if not r else f"> {limit:g}" if r["s"] >= limit else f"{r['s']:.2f}"
    lines = []
    for cls in dict.fromkeys(r["class"] for r in rows):
        part = [r for r in rows if r["class"] == cls]
        ratios = [r["asp"]["s"] / r["clingcon"]["s"] for r in part]
        lines += [f"**{cls}**: geometric mean {gmean(ratios):.2f} of clingcon's time, worst {max(ratios):.2f}", "",
                  "| benchmark | asp s | clingcon s | clingo-dl s | CP-SAT s | asp MB | clingcon MB | result |",
                  "|---|--:|--:|--:|--:|--:|--:|---|"]
        for r in part:
            mb = [f"{r[s]['mb']:.0f}" for s in ("asp", "clingcon")]
            lines.append(f"| {r['name']} | {' | '.join(number(r.get(s)) for s in SYSTEMS)} | {' | '.join(mb)} | {r['result']} |")
        lines.append("")
    ratios = [r["asp"]["s"] / r["clingcon"]["s"] for r in rows]
    near = [r for r in rows if r.get("cp-sat")]
    within = sum(r["asp"]["s"] < limit and r["asp"]["s"] <= 3 * r["cp-sat"]["s"] for r in near)
    lines.append(f"All {len(rows)} rows: geometric mean **{gmean(ratios):.2f}** of clingcon's time, worst {max(ratios):.2f}; "
                 f"within 3 times CP-SAT on {within} of {len(near)}.")
    return "\n".join(lines)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--asp")
    ap.add_argument("--python", help="a Python that has clingcon, clingo-dl and ortools")
    ap.add_argument("--set", default=os.path.join(HERE, "rows.json"))
    ap.add_argument("--class", dest="classes", action="append")
    ap.add_argument("--systems", default=",".join(SYSTEMS))
    ap.add_argument("--runs", type=int, default=1)
    ap.add_argument("--seeds", type=int, default=0)
    ap.add_argument("--timeout", type=float, default=20)
    ap.add_argument("--memory", type=int, default=10000, help="MB of address space for each run")
    ap.add_argument("--cache", default=os.path.join(tempfile.gettempdir(), "asp-bench"))
    ap.add_argument("--options", type=shlex.split, default=[], help="more arguments for asp")
    ap.add_argument("--json")
    ap.add_argument("--markdown", help="the page to write")
    ap.add_argument("--note", default="", help="a line under the table")
    ap.add_argument("names", nargs="*")
    a = ap.parse_args()
    if not a.asp:
        rows, bad = json.load(open(a.json)), 0
    else:
        rows, bad = measure(a)
    print(*summary(rows), *summary(rows, "clingo-dl"), *summary(rows, "cp-sat"), sep="\n")
    if a.markdown:
        text = open(a.markdown).read()
        body = markdown(rows, a.timeout) + (f"\n\n*{a.note}*" if a.note else "")
        text = re.sub(r"(?s)(<!-- integers -->\n).*?(<!-- end -->)", lambda m: f"{m[1]}\n{body}\n{m[2]}", text)
        open(a.markdown, "w").write(text)
    return 1 if bad or not rows else 0


def measure(a):
    os.makedirs(a.cache, exist_ok=True)
    runner, wanted, rows, bad = Runner(a), a.systems.split(","), [], 0
    print(f"{'benchmark':<28}{'class':<14}" + "".join(f"{s + ' s':>12}" for s in SYSTEMS) + f"{'ratio':>8}{'asp MB':>8}  result", flush=True)
    for row in json.load(open(a.set)):
        if a.names and row["name"] not in a.names or a.classes and row["class"] not in a.classes:
            continue
        row = {"best": False, "all": False, "dl": False, **row}
        systems = [s for s in SYSTEMS if s in wanted and (s != "clingo-dl" or row["dl"])]
        commands = {s: runner.command(s, row) for s in systems}
        runs = {s: [] for s in systems}
        for k in range(max(a.runs, a.seeds)):
            for s in systems:
                seeded = a.seeds > 0 and not row["all"] and s in ("asp", "clingcon")
                if k >= (a.seeds if seeded else a.runs) or k > 0 and runs[s][0][0] >= 5:
                    continue
                seed = [f"--seed={k + 1}", "--rand-freq=0.02"] if seeded else []
                runs[s].append(runner.once(s, [*commands[s], *seed], row))
        entry = {"name": row["name"], "class": row["class"], "result": "no result"}
        for s in systems:
            entry[s] = {"s": statistics.median(r[0] for r in runs[s]), "mb": statistics.median(r[1] for r in runs[s]), "all": [round(r[0], 3) for r in runs[s]]}
        found = {s: {r[2] for r in runs[s]} - {None} for s in systems}
        all_found = set().union(*found.values())
        # What refuses or falls over without a result is no timeout.
        refused = [s for s in systems if any(r[2] is None and r[3] not in (None, -9, -24, 10, 20, 30, 11, 0) for r in runs[s])]
        if len(all_found) > 1:
            entry["result"], bad = "DIFFERENT: " + " ".join(f"{s}: {sorted(v)}" for s, v in found.items() if v), bad + 1
        elif all_found:
            entry["result"] = " ".join(x for x in next(iter(all_found)) if x)
        if refused:
            entry["result"] += f" ({', '.join(refused)}: refused)"
        rows.append(entry)
        if a.json:
            with open(a.json, "w") as sink:
                json.dump(rows, sink, indent=1)
        times = "".join(f"{entry[s]['s']:>12.3f}" if s in entry else f"{'':>12}" for s in SYSTEMS)
        ratio = f"{entry['asp']['s'] / entry['clingcon']['s']:>8.2f}" if "clingcon" in entry and "asp" in entry else f"{'':>8}"
        print(f"{row['name']:<28}{row['class']:<14}{times}{ratio}{entry.get('asp', {}).get('mb', 0):>8.0f}  {entry['result']}", flush=True)
    return rows, bad


if __name__ == "__main__":
    sys.exit(main())
