"""For files whose lines run on asp and, with --own, on clingo's own library: imported before clingo."""

import sys

if "--own" in sys.argv:
    # The package falls back to clingo's own library.
    sys.modules["_clingo"] = None

from clingo import Control


class Mine(Exception):
    """What functions raise."""


def tell(run):
    """What a function returns, or what it raises."""
    try:
        return repr(run())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def control(text, *arguments, told=None):
    """A control with a program; messages are added to `told`."""
    new = Control(list(arguments), logger=lambda code, text: told is not None and told.append([code.name, text]))
    new.add("base", [], text)
    return new
