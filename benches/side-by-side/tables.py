#!/usr/bin/env python3
"""Measures and writes the tables of docs/performance.md.

    python3 tables.py --asp ../../target/release/asp --clingo "VENV/bin/python oracle.py" [PART ...]

PART is one or more of: classes growth stages memory startup printing (default: all). What is measured is kept in
--results (a JSON file), and the page is written from that, so parts can be measured again one by one; without --asp the
page is only written anew. The tables stand between the lines `<!-- PART -->` and `<!-- end -->` of the page.
"""
import argparse
import datetime
import json
import math
import os
import platform
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

import compare

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "..", "..", "docs", "performance.md")
SIZES = [9, 15, 20, 25, 30, 40, 50]
FAMILIES = [
    ("Futoshiki, pairwise constraints, no clues", [(n, ["futoshiki", n, "--hints", 0, "--ineqs", 0]) for n in SIZES]),
    ("Futoshiki, pairwise constraints, with clues", [(n, ["futoshiki", n]) for n in SIZES]),
    ("Sudoku, pairwise constraints", [(k * k, ["sudoku", k]) for k in (3, 4, 5, 6, 7)]),
    ("Queens, pairwise constraints", [(n, ["queens", n]) for n in SIZES]),
    ("Skyscrapers", [(n, ["skyscraper", n]) for n in (5, 6, 7, 8, 9, 10)]),
]


def gmean(xs):
    return math.exp(sum(map(math.log, xs)) / len(xs)) if xs else float("nan")


class Measure:
    def __init__(self, a):
        self.a = a
        self.asp, self.clingo = shlex.split(a.asp), shlex.split(a.clingo)
        os.makedirs(a.cache, exist_ok=True)
        self.startup = statistics.median(compare.run([*self.clingo, "--version"], 60, a.memory)[0] for _ in range(5))
        self.rows = json.load(open(os.path.join(HERE, "open.json")))

    def once(self, command, timeout=None):
        return compare.run(command, timeout or self.a.timeout, self.a.memory)

    def classes(self):
        rows = os.path.join(self.a.cache, "classes.json")
        command = [sys.executable, os.path.join(HERE, "compare.py"), "--asp", self.a.asp, "--clingo", self.a.clingo,
                   "--runs", str(self.a.runs), "--seeds", str(self.a.seeds), "--timeout", str(self.a.timeout), "--json", rows]
        subprocess.run(command, cwd=HERE)
        return json.load(open(rows))

    def growth(self):
        table = []
        for family, sizes in FAMILIES:
            gave_up = {"asp": False, "clingo": False}
            for n, gen in sizes:
                path = compare.program({"gen": gen}, self.a.cache)
                row = {"family": family, "n": n}
                for name, command in (("asp", self.asp), ("clingo", self.clingo)):
                    if gave_up[name]:
                        continue
                    seconds, mb, code, _ = self.once([*command, path, "-q"], 60)
                    gave_up[name] = code is None
                    off = self.startup if name == "clingo" else 0
                    row[name] = None if code is None else [max(seconds - off, 0.0), mb]
                print(row, flush=True)
                table.append(row)
        return table

    def stages(self):
        table = []
        for row in self.rows:
            path = compare.program(row, self.a.cache)
            _, _, code, text = self.once([*self.asp, path, *row["args"], "-V2", "-q"])
            def seconds(key):
                return sum(map(float, re.findall(rf"(?m)^{key}\s*: ([0-9.]+)s", text)))
            if code is None or not seconds("Time"):
                continue
            table.append({"name": row["name"], "reading": seconds("Reading"), "preprocessing": seconds("Preprocessing"),
                          "solving": float(re.search(r"Solving: ([0-9.]+)s", text).group(1)), "total": seconds("Time")})
        return table

    def memory(self):
        empty = os.path.join(self.a.cache, "empty.lp")
        open(empty, "w").close()
        base = {name: self.once([*command, empty])[1] for name, command in (("asp", self.asp), ("clingo", self.clingo))}
        table = []
        for row in self.rows:
            if row["class"] != "grounding":
                continue
            path = compare.program(row, self.a.cache)
            _, mb_asp, code, _ = self.once([*self.asp, path, "-q"])
            _, mb_clingo, code_clingo, text = self.once([*self.clingo, path, "-q", "--stats"])
            rules = re.search(r"(?m)^Rules\s*: (\d+)", text)
            if code is None or code_clingo is None or not rules:
                continue
            table.append({"name": row["name"], "rules": int(rules.group(1)), "asp": mb_asp - base["asp"],
                          "clingo": mb_clingo - base["clingo"]})
        return table

    def startup_part(self):
        table = []
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.lp")
            with open(path, "w") as f:
                f.write("a.\n")
            for what, arguments in (("`asp --version`", ["--version"]), ("one fact", [path]),
                                    ("`futoshiki.lp grid4.lp 0`", ["futoshiki.lp", "grid4.lp", "0"])):
                times = []
                for _ in range(40):
                    start = time.perf_counter()
                    subprocess.run([*self.asp, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    times.append(time.perf_counter() - start)
                mb = self.once([*self.asp, *arguments])[1]
                table.append({"what": what, "median": statistics.median(times), "least": min(times), "mb": mb})
        return table

    def printing(self):
        path = compare.program({"gen": ["latin", 5]}, self.a.cache)
        table = []
        for what, options in (("counted (`-q`)", ["-q"]), ("text", []), ("`--outf=2`", ["--outf=2"]),
                              ("`--outf=jsonl`", ["--outf=jsonl"])):
            row = {"what": what}
            for name, command in (("asp", self.asp), ("clingo", self.clingo)):
                if name == "clingo" and "--outf=jsonl" in options:
                    continue
                # Into a pipe that is read, as a script does.
                line = " ".join(map(shlex.quote, [*command, path, "-n", "0", *options]))
                runs = [self.once(["bash", "-c", f"{line} | cat > /dev/null"])[0] for _ in range(3)]
                row[name] = statistics.median(runs) - (self.startup if name == "clingo" else 0)
            table.append(row)
        return table


def number(x, digits=3):
    return "–" if x is None else f"{x:.{digits}f}"


def write_classes(rows):
    out = []
    for cls in dict.fromkeys(r["class"] for r in rows):
        part = [r for r in rows if r["class"] == cls]
        out += ["", f"**{cls}**: geometric mean {gmean([r['ratio'] for r in part]):.3f}, worst {max(r['ratio'] for r in part):.3f}", "",
                "| benchmark | asp s | clingo s | ratio | asp conflicts | clingo conflicts | asp MB | clingo MB | result |",
                "|---|--:|--:|--:|--:|--:|--:|--:|---|"]
        out += [f"| {r['name']} | {r['asp_s']:.3f} | {r['clingo_s']:.3f} | {r['ratio']:.3f} | {number(r['asp_conflicts'], 0)} | {number(r['clingo_conflicts'], 0)} | {r['asp_mb']:.0f} | {r['clingo_mb']:.0f} | {r['result']} |"
                for r in part]
    out += ["", f"All {len(rows)} rows: geometric mean **{gmean([r['ratio'] for r in rows]):.3f}**, "
            f"worst row {max(r['ratio'] for r in rows):.3f}, {sum('DIFFERENT' in r['result'] for r in rows)} different results."]
    return out


def write_growth(rows):
    out = []
    for family in dict.fromkeys(r["family"] for r in rows):
        out += ["", f"**{family}**", "", "| n | asp s | clingo s | asp MB | clingo MB |", "|--:|--:|--:|--:|--:|"]
        for r in rows:
            if r["family"] != family:
                continue
            def cell(name, i, digits):
                if name not in r:
                    return "–"
                return "> 60" if r[name] is None and i == 0 else "–" if r[name] is None else f"{r[name][i]:.{digits}f}"
            out.append(f"| {r['n']} | {cell('asp', 0, 3)} | {cell('clingo', 0, 3)} | {cell('asp', 1, 0)} | {cell('clingo', 1, 0)} |")
    return out


def write_stages(rows):
    out = ["", "| benchmark | reading and grounding s | preprocessing s | search s | preprocessing's share |", "|---|--:|--:|--:|--:|"]
    share = lambda r: r["preprocessing"] / max(r["total"], 0.001)
    out += [f"| {r['name']} | {r['reading']:.3f} | {r['preprocessing']:.3f} | {r['solving']:.2f} | {100 * share(r):.0f} % |" for r in rows]
    long = [r for r in rows if r["total"] >= 0.05]
    out += ["", f"Largest share among runs of 0.05 s and more: {100 * max(map(share, long), default=0):.0f} %."]
    return out


def write_memory(rows):
    out = ["", "| benchmark | ground rules | asp MB | clingo MB | asp bytes a rule | clingo bytes a rule | ratio |", "|---|--:|--:|--:|--:|--:|--:|"]
    for r in rows:
        each = lambda name: r[name] * 2**20 / r["rules"]
        out.append(f"| {r['name']} | {r['rules']} | {r['asp']:.0f} | {r['clingo']:.0f} | {each('asp'):.0f} | {each('clingo'):.0f} | {r['asp'] / r['clingo']:.2f} |")
    out += ["", f"Geometric mean of the ratios: {gmean([max(r['asp'], 0.1) / max(r['clingo'], 0.1) for r in rows]):.2f}."]
    return out


def write_startup(rows):
    return ["", "| run | median ms | least ms | MB |", "|---|--:|--:|--:|",
            *[f"| {r['what']} | {1000 * r['median']:.1f} | {1000 * r['least']:.1f} | {r['mb']:.1f} |" for r in rows]]


def write_printing(rows):
    return ["", "| output | asp s | clingo s | clingo / asp |", "|---|--:|--:|--:|",
            *[f"| {r['what']} | {number(r['asp'], 2)} | {number(r.get('clingo'), 2)} | {number(r['clingo'] / r['asp'], 1) if 'clingo' in r else '–'} |"
              for r in rows]]


WRITERS = {"classes": write_classes, "growth": write_growth, "stages": write_stages, "memory": write_memory,
           "startup": write_startup, "printing": write_printing}


def machine(commit):
    model = ""
    try:
        model = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read()).group(1)
    except (OSError, AttributeError):
        pass
    return f"{model or platform.processor()}, {os.cpu_count()} cores; commit {commit}; {datetime.date.today().isoformat()}"


def write_page(page, results):
    text = open(page).read()
    for part, result in results.items():
        lines = [*WRITERS[part](result["rows"]), "", f"*{result['machine']}*", ""]
        pattern = re.compile(rf"(<!-- {part} -->\n).*?(<!-- end -->)", re.S)
        if not pattern.search(text):
            sys.exit(f"no <!-- {part} --> in {page}")
        text = pattern.sub(lambda m: m.group(1) + "\n".join(lines) + m.group(2), text)
    open(page, "w").write(text)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--asp")
    ap.add_argument("--clingo")
    ap.add_argument("--runs", type=int, default=3)
    ap.add_argument("--seeds", type=int, default=8)
    ap.add_argument("--timeout", type=float, default=60)
    ap.add_argument("--memory", type=int, default=10000, help="MB of address space for each run")
    ap.add_argument("--cache", default=os.path.join(tempfile.gettempdir(), "asp-bench"))
    ap.add_argument("--results", default=os.path.join(tempfile.gettempdir(), "asp-bench", "results.json"))
    ap.add_argument("--page", default=PAGE)
    ap.add_argument("parts", nargs="*", choices=[*WRITERS, []])
    a = ap.parse_args()
    results = json.load(open(a.results)) if os.path.exists(a.results) else {}
    if a.asp:
        if not a.clingo:
            ap.error("--clingo is needed to measure")
        measure = Measure(a)
        git = subprocess.run(["git", "-C", HERE, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
        for part in a.parts or WRITERS:
            print(f"== {part}", flush=True)
            rows = getattr(measure, "startup_part" if part == "startup" else part)()
            results[part] = {"machine": machine(git.stdout.strip() or "unknown"), "rows": rows}
            json.dump(results, open(a.results, "w"), indent=1)
    write_page(a.page, results)


if __name__ == "__main__":
    main()
