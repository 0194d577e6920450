"""Solves programs: ``python -m asp FILES [NUMBER]``, as a first try; the program ``asp`` does more.

A file that is not there is looked up in the library of puzzles. NUMBER is how many answer sets are printed, 0 for all; without it
one, or with an objective better and better ones. The exit code is clingo's: 10 for answer sets, 20 for none, 30 for all of them.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from . import Control, Error
from ._asp import library


def main(arguments: Sequence[str]) -> int:
    """Reads the arguments, solves and prints."""
    number = int(arguments[-1]) if arguments and arguments[-1].isdecimal() else None
    files = arguments if number is None else arguments[:-1]
    if not files or any(name.startswith("-") for name in files):
        print(__doc__, file=sys.stderr)
        return 64
    try:
        return solve(files, number)
    except (Error, OSError) as error:
        print(error, file=sys.stderr)
        return 65


def solve(files: Sequence[str], number: int | None) -> int:
    """Prints the answer sets of the files."""
    control = Control()
    for name in files:
        text = None if os.path.exists(name) else library(name)
        if text is None:
            control.load(name)
        else:
            control.add(text, name=name)
    found = 0
    with control.solve(number or 0) as call:
        for found, model in enumerate(call, 1):
            costs = f"\nOptimization: {' '.join(map(str, model.costs))}" if model.costs else ""
            print(f"Answer: {found}\n{model}{costs}", flush=True)
            if number is None and not model.costs:
                break
    result = call.result
    print("OPTIMUM FOUND" if result.optimal else "SATISFIABLE" if found else "UNSATISFIABLE")
    return (30 if result.exhausted else 10) if found else 20


def run() -> None:
    """The command ``asp-engine``."""
    # Atoms have any characters, whatever the code page of a pipe.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:
        # Who reads has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(74)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    run()
