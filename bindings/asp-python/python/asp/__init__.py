"""Answer set programming: facts in, answers out, and why.

>>> import asp
>>> for model in asp.Control("1 { seat(1..2) } 1.").solve():
...     print(model)
seat(2)
seat(1)
"""

from ._asp import Columns, Model, Result, Solve, Term, __version__
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
from ._predicates import predicate
from ._replies import Contradiction, Cost, Explanation, Hint, Hints, Instance, Node, Part, Reply, Sets
from ._tables import table

__all__ = [
    "Columns",
    "Contradiction",
    "Control",
    "Cost",
    "Error",
    "Explanation",
    "GroundingError",
    "Hint",
    "Hints",
    "Instance",
    "Interrupted",
    "Message",
    "Model",
    "Name",
    "Node",
    "OverflowError",
    "ParseError",
    "Part",
    "Reply",
    "Result",
    "Sets",
    "Solve",
    "Term",
    "TimeoutError",
    "UsageError",
    "__version__",
    "predicate",
    "table",
]
