"""Runs a trace for each of some seeds, `SCRIPT FIRST COUNT`, and prints what it came to, a line a seed."""

import os
import resource
import sys

# Seconds of processor time after which a seed is given up: most take a tenth of one.
LIMIT = 30
# What the line of a seed begins with that was given up, or crashed.
LOST = "LOST"


def line(trace, seed):
    """What `trace(seed).run()` notes, or the error that it ends with."""
    try:
        out = trace(seed).run()
    except Exception as error:  # pylint: disable=broad-except
        out = ["error %s" % type(error).__name__, str(error)[:200]]
    return "|".join(out)


def run(trace):
    """Each seed has a process of its own, so that none takes the others with it."""
    first, count = map(int, sys.argv[1:3])
    for seed in range(first, first + count):
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))
            print(seed, line(trace, seed), flush=True)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        if status != 0:
            print(seed, LOST, "status", os.waitstatus_to_exitcode(status), flush=True)
