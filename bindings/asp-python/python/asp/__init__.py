"""Answer set programming: facts in, answers out, and why.

>>> import asp
>>> for model in asp.Control("1 { seat(1..2) } 1.").solve():
...     print(model)
seat(2)
seat(1)
"""

from ._asp import Model, Result, Solve, Term, __version__
from ._control import Control
from ._errors import (
    Error,
    GroundingError,
    Interrupted,
    Message,
    OverflowError,
    ParseError,
    TimeoutError,
    UsageError,
)
from ._names import Name

__all__ = [
    "Control",
    "Error",
    "GroundingError",
    "Interrupted",
    "Message",
    "Model",
    "Name",
    "OverflowError",
    "ParseError",
    "Result",
    "Solve",
    "Term",
    "TimeoutError",
    "UsageError",
    "__version__",
]
