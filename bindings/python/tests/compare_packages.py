#!/usr/bin/env python3
"""Packages on clingo from PyPI, unchanged, each at its own documented example: the same on asp and on clingo's own library.

    compare_packages.py PYTHON_ON_ASP [NAME ...]

The environment has all of them (.ci/steps/bindings.sh). Within it clingo's own library is what the package clingo falls back
to where importing `_clingo` fails. What is compared is standard output and the exit code, but for times, numbers of literals
and what has no order: answers, and the words of a line. Printed are seconds, asp and clingo.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent / "packages"
WITHOUT = "raise ImportError('on clingo itself')\n"


def readme(package, language, number):
    return [str(HERE / "readme.py"), package, language, str(number)]


def asprin(example, *options):
    return ["bin/asprin", f"{example}.lp", *options]


def plingo(*options):
    return ["bin/plingo", "birds.lp", "--frontend=lpmln-alt", *options]


def lpx(*options):
    return ["-m", "clingolpx", "rationals.lp", *options]


CASES = [
    ("plingo", plingo()),
    ("plingo", plingo("--all")),
    ("plingo", plingo("--query=residentBird(jo)", "--all")),
    ("plingo", plingo("--query=residentBird(jo)", "--opt-enum", "-q1")),
    ("plingo", plingo("--query=residentBird(jo)", "--balanced=1")),
    ("plingo", plingo("--two-solve-calls", "--all")),
    ("plingo", plingo("--unsat", "--all")),
    ("asprin", asprin("example1", "0")),
    ("asprin", asprin("example2", "0")),
    ("asprin", asprin("example3", "0")),
    ("asprin", asprin("example1", "0", "--approximation=weak")),
    ("asprin", asprin("example2", "0", "--approximation=heuristic")),
    ("asprin", asprin("cp_tree", "0")),
    ("asprin", asprin("cp_acyclic", "0")),
    ("asprin", asprin("cp_general", "0")),
    ("clintest", readme("clintest", "python", 0)),
    ("clingox", [str(HERE / "doctests.py"), *(f"clingox.{name}" for name in "ast backend program reify theory".split())]),
    ("clingexplaid", readme("clingexplaid", "python", 0)),
    ("clingexplaid", readme("clingexplaid", "python", 2)),
    ("clingexplaid", readme("clingexplaid", "python", 3)),
    ("clingexplaid", readme("clingexplaid", "python", 6)),
    ("clingo-lpx", lpx("0")),
    ("clingo-lpx", lpx("0", "--strict")),
    ("clingo-lpx", lpx("0", "--propagate-conflicts")),
    ("viasp", [str(HERE / "viasp_graph.py")]),
    ("clinguin", [str(HERE / "clinguin_ui.py")]),
]


def run(python, arguments, site, own, folder):
    """The output and the exit code of one run, and how long it took."""
    environment = dict(os.environ, PYTHONHASHSEED="0", PYTHONWARNINGS="ignore")
    paths = [str(HERE)]
    if "clingexplaid" in arguments:
        # The present one; clinguin needs an older one.
        paths.append(str(pathlib.Path(python).parent.parent / "newer"))
    if own:
        paths.insert(0, folder)
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    words = list(arguments)
    if words[0].startswith("bin/"):
        words[0] = str(pathlib.Path(python).parent / words[0][4:])
    # Names of files are printed, long ones shortened by clingo.
    work = pathlib.Path(site, "asprin", "examples") if words[0].endswith("asprin") else HERE
    begin = time.perf_counter()
    done = subprocess.run([python, *words], env=environment, cwd=work, capture_output=True, text=True, timeout=600, check=False)
    return done.stdout, done.stderr, done.returncode, time.perf_counter() - begin


def normal(text):
    """Without times and numbers of literals; answers in one order, terms of a line too."""
    text = re.sub(r" \(Time: .*?\)|\b0x[0-9a-f]+", "", text)
    text = re.sub(r"^(\d+:|Answer: \d+|(Probability of Answer) \d+:|.*Time  *:.*)", r"\2", text, flags=re.M)
    text = re.sub(r"\[\d+,([+-])\],?", r"[\1]", text)
    lines = [" ".join(sorted(line.split())) for line in text.splitlines()]
    return sorted(lines)


def main():
    python, *names = sys.argv[1:]
    python = os.path.abspath(python)
    ask = "import sysconfig, _clingo; _clingo.lib.asp_version; print(sysconfig.get_path('platlib'))"
    site = subprocess.run([python, "-c", ask], check=True, capture_output=True, text=True).stdout.strip()
    differ = count = 0
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "_clingo.py").write_text(WITHOUT)
        for name, arguments in CASES:
            if names and name not in names:
                continue
            count += 1
            ours = run(python, arguments, site, False, folder)
            theirs = run(python, arguments, site, True, folder)
            shown = " ".join(pathlib.Path(word).name if "/" in word else word for word in arguments)
            # One whose documentation shows a failure prints to standard error.
            told = [(normal(one[0] or one[1]), one[2]) for one in (ours, theirs)]
            if told[0] == told[1] and told[0][0]:
                print(f"{name}: {ours[3]:.2f} {theirs[3]:.2f}  {shown}", flush=True)
                continue
            differ += 1
            print(f"{name}: DIFFERS, {shown}")
            for which, one in (("asp", ours), ("clingo", theirs)):
                print(f"--- {which}, exit code {one[2]}\n{one[0]}{one[1]}", flush=True)
    print(f"packages: {count} examples, {differ} differ")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
