#!/usr/bin/env python3
"""Runs of the command line with scripts, and of programs on clingo's application interface: clingo and asp print the same.

    compare_runs.py PYTHON_WITH_CLINGO PYTHON_ON_ASP ASP

What is compared: exit codes and standard output, but for times, names of the system, and the order of answer sets. Whether
there is something on standard error; of what scripts write there, all.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RUNS = HERE / "runs"
# What the binary runs for scripts: with clingo's library it is clingo's command line with Python.
CLINGO = HERE.parent.parent.parent / "crates" / "run" / "src" / "run" / "script.py"

SCRIPTS = {
    "functions.lp": ["", "0", "0 --outf=2", "0 -V0", "0 -q1", "0 --outf=1", "0 --outf=3", "-q2", "0 -e cautious"],
    "several.lp": ["", "-c n=5", "0 --text"],
    "main.lp": ["", "0", "0 --outf=2", "-V0", "-q", "-q1", "0 --outf=1", "-q2,2,2", "-q0,0,0", "--stats"],
    "optimize.lp": ["", "--outf=2", "-q1"],
    "backend.lp": ["0", "0 -c n=3", "0 -c n=3 --outf=2"],
    "error_in_function.lp": ["", "--outf=2", "-V0"],
    "wrong_value.lp": [""],
    "error_in_main.lp": ["0", "0 -V0"],
    "error_at_once.lp": ["", "--outf=2"],
    "syntax_error.lp": ["", "--outf=2"],
    "cobol.lp": ["", "--outf=2"],
    "idle.lp": ["", "--outf=2", "-V0"],
    "incremental.lp": ["", "0 --outf=2"],
}

PROGRAMS = [
    ("", "choice.lp 0"),
    ("", "best.lp 0 -V0"),
    ("", "choice.lp 0 --outf=3"),
    ("", "choice.lp 0 -q"),
    ("", "choice.lp 0 --quiet=2,2,2"),
    ("", "best.lp"),
    ("", "best.lp -q1"),
    ("", "best.lp -q1,0"),
    ("", "best.lp -q2,0"),
    ("", "best.lp --stats"),
    ("", "best.lp --outf=1"),
    ("", "best.lp -k 3 -z"),
    ("", "best.lp --many 2 --many=4 --flog"),
    ("", "best.lp --time-limit=50 --opt-mode=optN 0"),
    ("", "best.lp -k"),
    ("", "best.lp --nummer"),
    ("", "best.lp --nummer=0"),
    ("", "best.lp --nummer=x"),
    ("", "best.lp --nummer=200"),
    ("", "best.lp --nummer=2 -k 3"),
    ("", "best.lp --unknown"),
    ("", "best.lp --outf=9"),
    ("", "nothing.lp"),
    ("", "best.lp nothing.lp"),
    ("plain", "best.lp -V0"),
    ("error", "best.lp"),
    ("idle", "best.lp"),
    ("two", "best.lp -q"),
    ("stop", "choice.lp 0"),
    ("error in print", "choice.lp -q2"),
    ("default", "best.lp nothing.lp"),
    ("logging", "choice.lp -q"),
    ("twice", "best.lp"),
]


def normal(text, times=True):
    """A text without what may differ."""
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if isinstance(data, dict):
        for key in ("Time", "Solver"):
            data.pop(key, None)
        for call in data.get("Call", []):
            for key in ("Start", "Stop"):
                call.pop(key, None)
            for witness in call.get("Witnesses", []):
                witness.pop("Time", None)
                witness["Value"] = sorted(witness.get("Value", []))
            call.get("Witnesses", []).sort(key=json.dumps)
        return json.dumps(data, indent=1)
    text = re.sub(r"\d+\.\d+s", "TIME", text)
    text = re.sub(r"^(% )?(clingo|asp) version .*", r"\1SYSTEM", text, flags=re.M)
    # What statistics count is the system's own.
    text = re.sub(r"^(\w[\w -]*|  \w+) +: .*\n", lambda m: m.group(0) if known(m.group(1)) else "", text, flags=re.M)
    lines = [" ".join(sorted(line.split())) if is_answer(line) else line.rstrip() for line in text.splitlines()]
    return "\n".join(sorted_answers(lines))


KNOWN = {"Models", "Calls", "Time", "CPU Time", "  Optimum", "  Optimal", "Optimization", "Answer"}


def known(key):
    return key.rstrip() in KNOWN or key.startswith("Answer")


def is_answer(line):
    return bool(re.fullmatch(r"[a-z(][^A-Z:\[]*", line))


def sorted_answers(lines):
    """Blocks of answers in one order, with numbers in that order."""
    out, blocks = [], []
    for line in [*lines, None]:
        if line is not None and re.match(r"(% )?Answer: \d+", line):
            blocks.append([re.sub(r"\d+", "N", line)])
            continue
        ends = line is None or line == "" and blocks and len(blocks[-1]) > 1
        ends = ends or line is not None and re.match(r"[A-Z]|-----|%|=====", line) and "Optimization" not in line
        if blocks and not ends:
            blocks[-1].append(re.sub(r"^model \d+", "model N", line))
            continue
        out += [line for block in sorted(blocks) for line in block]
        blocks = []
        if line is not None:
            out.append(line)
    return out


def run(command, mode=""):
    environment = {**os.environ, "MODE": mode, "PYTHONUNBUFFERED": "1"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=RUNS, env=environment, timeout=120)
    return done.returncode, done.stdout, done.stderr


def compare(name, theirs, ours, differ):
    same = theirs[0] == ours[0] and normal(theirs[1]) == normal(ours[1]) and bool(theirs[2]) == bool(ours[2])
    # What scripts say there stands alone.
    quiet = not re.search(r"error|info|ERROR|Traceback|Warn", theirs[2])
    same = same and (not quiet or sorted(theirs[2].splitlines()) == sorted(ours[2].splitlines()))
    if not same:
        differ.append(name)
        for who, (code, out, err) in (("clingo", theirs), ("asp", ours)):
            print(f"--- {name}: {who}, exit code {code}\n{normal(out)}\n--- standard error\n{err}")


def main():
    clingo, ours, asp = sys.argv[1:]
    os.environ["ASP_PYTHON"] = ours
    # A run elsewhere: names of files as they stand.
    asp = str(pathlib.Path(asp).resolve())
    differ, count = [], 0
    for file, rows in SCRIPTS.items():
        for row in rows:
            count += 1
            arguments = [file, *row.split()]
            compare(" ".join(arguments), run([clingo, "-u", CLINGO, *arguments]), run([asp, *arguments]), differ)
    for mode, row in PROGRAMS:
        count += 1
        arguments = ["application.py", *row.split()]
        name = f"{mode or 'plain'}: {row}"
        compare(name, run([clingo, *arguments], mode), run([asp, "python", *arguments], mode), differ)
    print(f"runs: {count} with scripts and applications, {len(differ)} differ")
    sys.exit(bool(differ))


main()
