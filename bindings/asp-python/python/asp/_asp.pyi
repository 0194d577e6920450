"""What is made in Rust."""

from collections.abc import AsyncIterator, Iterator, Sequence
import numpy
import pandas
from typing import Any, Literal, Optional, TypeVar, Union

from ._errors import Message

__version__: str

def library(name: str) -> Optional[str]:
    """The text of a file of the library; None if it has no such file."""

_T = TypeVar("_T")
_Value = Union[int, str, tuple[Any, ...], "Term"]

class Term:
    """A ground term: a number, a string, a constant, a function term, a tuple, #inf or #sup.

    Terms are immutable, can be pickled and hashed, and are ordered as clingo orders them.
    """

    def __init__(self, value: Any, /, *arguments: Any, negative: bool = False) -> None:
        """The term that a value is, or a function term from its name and arguments."""
    @staticmethod
    def parse(text: str) -> Term:
        """The term that a text says, written as answer sets show it."""
    @staticmethod
    def _from_bytes(bytes: bytes) -> Term: ...
    @property
    def kind(self) -> Literal["number", "string", "function", "tuple", "infimum", "supremum"]:
        """What it is; constants are functions without arguments."""
    @property
    def name(self) -> Optional[str]:
        """The name of a constant or function term."""
    @property
    def negative(self) -> bool:
        """Whether it is classically negated."""
    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments of a function term or tuple, as values."""
    @property
    def value(self) -> Any:
        """The value that it is: an int, str, Name or tuple, otherwise the term itself."""
    __match_args__ = ("name", "arguments")
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Any: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __lt__(self, other: Term) -> bool: ...
    def __le__(self, other: Term) -> bool: ...
    def __gt__(self, other: Term) -> bool: ...
    def __ge__(self, other: Term) -> bool: ...

class Model:
    """What an answer set shows, as it was when it was found."""

    @property
    def number(self) -> int:
        """Its number in the call, from 1."""
    @property
    def costs(self) -> tuple[int, ...]:
        """Its costs, most important level first; empty without an objective."""
    @property
    def optimal(self) -> bool:
        """Whether its costs are known to be optimal already."""
    @property
    def integers(self) -> dict[Term, int]:
        """The integer variables of constraints over integers with their values."""
    @property
    def terms(self) -> list[Term]:
        """What it shows, as terms."""
    def keys(self) -> list[str]:
        """The names of the predicates of which it shows atoms."""
    def to_dict(self) -> dict[str, list[tuple[Any, ...]]]:
        """All of it by predicate: names to lists of tuples."""
    def of(self, class_: type[_T]) -> list[_T]:
        """The instances of a class made by ``@asp.predicate`` that it shows."""
    def table(self, predicate: Union[str, tuple[str, int]], names: Optional[Sequence[str]] = None) -> Columns:
        """The atoms of a predicate by column, with names for the columns."""
    def picture(self) -> Optional[str]:
        """A picture of it as lines of text, as the command line draws it; None if there is nothing to draw."""
    def svg(self) -> Optional[str]:
        """A picture of it as SVG; None if there is nothing to draw."""
    def _repr_svg_(self) -> Optional[str]: ...
    def _repr_html_(self) -> Optional[str]: ...
    def __getitem__(self, key: Union[str, tuple[str, int]]) -> list[tuple[Any, ...]]:
        """The arguments of the atoms of a predicate as tuples."""
    def __len__(self) -> int: ...
    def __contains__(self, term: Any) -> bool: ...
    def __iter__(self) -> Iterator[Term]: ...

class Columns:
    """The atoms of a predicate by column: rows are atoms, columns their arguments.

    It is read by whatever reads Arrow's tables: ``pyarrow.table(columns)``, ``polars.DataFrame(columns)``.
    """

    @classmethod
    def _of(
        cls,
        models: list[Model],
        key: Union[str, tuple[str, int]],
        names: Optional[list[str]],
        numbered: bool,
    ) -> Columns: ...
    @property
    def names(self) -> list[str]:
        """The names of the columns."""
    def __len__(self) -> int: ...
    def __getitem__(self, key: Union[str, int]) -> list[Any]:
        """A column, by its name or number, as a list."""
    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists."""
    def rows(self) -> list[tuple[Any, ...]]:
        """The rows as tuples."""
    def _numbers(self, column: int) -> Optional[bytearray]: ...
    def to_numpy(self) -> dict[str, numpy.ndarray[Any, Any]]:
        """The columns as arrays of numpy, by name: of numbers, or of objects."""
    def to_pandas(self) -> pandas.DataFrame:
        """The columns as a table of pandas."""
    def to_arrow(self) -> Any:
        """The columns as a table of pyarrow."""
    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        """The columns as a stream of Arrow's C interface."""
    def __arrow_c_array__(self, requested_schema: Optional[object] = None) -> tuple[object, object]:
        """The columns as an array of Arrow's C interface."""

class Result:
    """The outcome of a call."""

    @property
    def satisfiable(self) -> Optional[bool]:
        """Whether there is an answer set; None if that is not known."""
    @property
    def exhausted(self) -> bool:
        """Whether the search came to its end."""
    @property
    def interrupted(self) -> bool:
        """Whether the call was stopped before its end."""
    @property
    def stopped(self) -> Optional[str]:
        """Why: "timeout", "cancelled", "step limit" or "memory limit"."""
    @property
    def optimal(self) -> bool:
        """Whether the best model is proven to be optimal."""
    @property
    def models(self) -> int:
        """How many models were found."""
    @property
    def costs(self) -> list[int]:
        """The costs of the best model, most important level first."""
    @property
    def lower_bounds(self) -> list[int]:
        """Proven lower bounds of the costs, as far as known."""
    @property
    def best(self) -> Optional[Model]:
        """The last model: with an objective the best so far."""
    @property
    def core(self) -> list[tuple[Term, bool]]:
        """Without an answer set: assumptions that cannot hold together."""
    @property
    def seconds(self) -> float:
        """Seconds of search."""

class Solve:
    """A call in progress: an iterator over models, an asynchronous one too, and a context manager."""

    def __iter__(self) -> Iterator[Model]: ...
    def __next__(self) -> Model: ...
    def __aiter__(self) -> AsyncIterator[Model]: ...
    async def __anext__(self) -> Model: ...
    def __enter__(self) -> Solve: ...
    def __exit__(self, *exception: object) -> None: ...
    def _next(self) -> Optional[Model]: ...
    def first(self) -> Optional[Model]:
        """The first of the models to come, None if there is none; the call ends with it."""
    def all(self) -> list[Model]:
        """All models to come. If the call is stopped, an exception that carries those found."""
    def last(self) -> Optional[Model]:
        """The last model of the call; an exception that carries the best so far if it is stopped."""
    def optimal(self) -> Optional[Model]:
        """An optimal model; any model where there is no objective."""
    def cancel(self) -> None:
        """Stops the call, from any thread."""
    def close(self) -> None:
        """Ends the call, whether there are more models or not."""
    @property
    def result(self) -> Result:
        """The outcome so far."""

class Control:
    """What asp.Control rests on."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Control: ...
    def _configure(self, words: list[str]) -> None: ...
    def _add(self, name: str, text: bytes) -> None: ...
    def _set_const(self, name: str, value: str) -> None: ...
    def _set_functions(self, functions: Any) -> None: ...
    def _add_terms(self, part: str, terms: list[Any]) -> None: ...
    def _add_table(
        self,
        part: str,
        name: str,
        negative: bool,
        data: Any,
        wanted: Optional[list[str]],
        constants: Union[bool, list[Union[str, int]]],
    ) -> int: ...
    def _ask(
        self, question: str, atom: str, number: int, seed: int, flag: bool, timeout: Optional[float], optimal: bool
    ) -> tuple[str, str, str, str, Optional[str], list[Model]]: ...
    def _generate(
        self, seed: int, symmetric: bool, difficulty: Optional[str], draws: int, timeout: Optional[float]
    ) -> tuple[str, str, str, str, Optional[str], list[Model]]: ...
    def _stay_near(self, answer: list[Any], level: Optional[int]) -> int: ...
    def _parse(self) -> None: ...
    def _ground(self, parts: list[tuple[str, list[Any]]], timeout: Optional[float]) -> None: ...
    def _assign(self, atom: Any, value: Optional[bool]) -> None: ...
    def _release(self, atom: Any) -> None: ...
    def _const(self, name: str) -> Optional[_Value]: ...
    def _solve(
        self,
        models: Optional[int],
        assume: Any,
        start: list[Any],
        mode: str,
        optimize: str,
        project: str,
        bound: Sequence[int],
        threads: Optional[int],
        timeout: Optional[float],
    ) -> Solve: ...
    def cancel(self) -> None:
        """Stops what runs, from any thread."""
    @property
    def _lints(self) -> list[Message]: ...
    @property
    def messages(self) -> list[Message]:
        """What was said about the program so far: warnings, notes and errors."""
