"""Runs a trace for each of some seeds, `SCRIPT FIRST COUNT`, and prints what it came to, a line a seed."""

import sys


def run(trace):
    """What `trace(seed).run()` notes, or the error that it ends with."""
    first, count = map(int, sys.argv[1:3])
    for seed in range(first, first + count):
        try:
            out = trace(seed).run()
        except Exception as error:  # pylint: disable=broad-except
            out = ["error %s" % type(error).__name__, str(error)[:200]]
        print(seed, "|".join(out), flush=True)
