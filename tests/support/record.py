#!/usr/bin/env python3
"""Records what the reference system makes of the corpora.

    PYTHON record.py [--check] [AREA ...]

with a Python that has the clingo package (5.8.3). For each tests/corpus/AREA.lp
it writes AREA.expected; for tests/invalid/AREA.lp it makes sure that every case
is rejected and writes the line of each complaint. `--check` writes nothing and
fails if a file would change.

A corpus is a sequence of cases, each opened by

    %%% name [-- arguments]

Arguments are added to `0` (all models); `--opt-mode=optN` is added where there
is an objective and no mode is given. A case with `%! line` lines is
one where we differ on purpose: they hold what is expected instead (after
`%! because REASON`), and nothing is recorded for it.

An expectation is the exit code, then one line for each solve call and under
it one line for each answer set: its symbols, each once, sorted, and its costs
in brackets. Only optimal answer sets are listed, for consequences only the
last; with `--opt-mode=opt` and `--opt-strategy` only the optimal cost.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

RUN = """
import os, sys
from clingo._internal import _ffi, _lib
null = _ffi.NULL
app = _ffi.new("clingo_application_t*", (null,) * 8)
args = [_ffi.new("char[]", a.encode()) for a in sys.argv[1:]]
code = _lib.clingo_main(app, args, len(args), null)
sys.stdout.flush()
os._exit(code & 0xFF)
"""


def run(text, arguments):
    command = [sys.executable, "-c", RUN, *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", timeout=20)


def cases(path):
    """Yields (name, arguments, text, own expectation)."""
    parts = re.split(r"^%%% ", path.read_text(), flags=re.M)
    assert not parts[0].strip(), f"{path}: text before the first case"
    for part in parts[1:]:
        header, text = part.split("\n", 1)
        name, _, arguments = header.partition(" -- ")
        own = [line[3:].rstrip() for line in text.splitlines() if line.startswith("%! ")]
        text = "".join(line + "\n" for line in text.splitlines() if not line.startswith("%! "))
        yield name.strip(), arguments.split(), text, own


def symbols(witness):
    return " ".join(sorted(set(witness.get("Value", []))))


def expectation(text, arguments):
    arguments = ["0", *arguments]
    if re.search(r":~|#minimi[zs]e|#maximi[zs]e", text) and not any(a.startswith("--opt-mode") for a in arguments):
        arguments.append("--opt-mode=optN")
    done = run(text, [*arguments, "--outf=2"])
    lines = [f"exit {done.returncode}"]
    if done.returncode == 65:
        return lines
    if not done.stdout.startswith("{"):
        sys.exit(f"no JSON (exit {done.returncode}) for {arguments} of\n{text}{done.stdout}{done.stderr}")
    result = json.loads(done.stdout)
    models = result["Models"]
    for call in result["Call"]:
        witnesses = call.get("Witnesses", [])
        lines.append("call")
        if "Brave" in models or "Cautious" in models or "Consequences" in models or any("brave" in a or "cautious" in a for a in arguments):
            witnesses = witnesses[-1:]
        elif "Optimal" in models and "--opt-mode=optN" in arguments:
            witnesses = witnesses[len(witnesses) - models["Optimal"]:]
        elif "Optimal" in models:
            lines += [f"  {witnesses[-1]['Costs']}"]
            continue
        lines += sorted(f"  {symbols(w)}" + (f" {w['Costs']}" if "Costs" in w else "") for w in witnesses)
    return lines


def save(path, text, check):
    if check:
        if not path.exists() or path.read_text() != text:
            sys.exit(f"{path} is out of date")
    else:
        path.write_text(text)


def corpus(path, check):
    out, names = [], set()
    for name, arguments, text, own in cases(path):
        assert name not in names, f"{path}: {name} twice"
        names.add(name)
        lines = [line for line in own if not line.startswith("because")] if own else expectation(text, arguments)
        if not own and lines == ["exit 65"]:
            print(f"{path.name}: {name} is rejected:\n{run(text, ['0', *arguments]).stderr}")
        if len(lines) > 80:
            print(f"{path.name}: {name} has {len(lines)} lines")
        out.append(f"%%% {name}\n" + "".join(line.rstrip() + "\n" for line in lines))
    save(path.with_suffix(".expected"), "".join(out), check)
    return len(out)


def invalid(path, check):
    out = []
    for name, arguments, text, own in cases(path):
        if own:
            out += [f"{name} {line[5:]}\n" for line in own if line.startswith("line ")]
            continue
        done = run(text, ["0", *arguments])
        places = re.findall(r"^-:(\d+):\d+.*error", done.stderr, flags=re.M)
        if done.returncode != 65:
            print(f"{path.name}: {name} is accepted (exit {done.returncode})")
        out.append(f"{name} {' '.join(dict.fromkeys(places)) or '-'}\n")
    save(path.with_suffix(".lines"), "".join(out), check)
    return len(out)


def main():
    check = "--check" in sys.argv
    areas = [a for a in sys.argv[1:] if not a.startswith("--")]
    tests = pathlib.Path(__file__).parent.parent
    for folder, record in (("corpus", corpus), ("invalid", invalid)):
        total = 0
        for path in sorted((tests / folder).glob("*.lp")):
            if not areas or path.stem in areas:
                os.chdir(path.parent)
                total += record(path, check)
        print(f"{folder}: {total} cases")


if __name__ == "__main__":
    main()
