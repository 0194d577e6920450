"""Exceptions and messages, with places and advice."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ._asp import Model, Result


@dataclass(frozen=True)
class Message:
    """A message about a program."""

    severity: str
    """"error", "warning" or "info"."""
    code: Optional[str]
    """The name under which the command line switches it; errors have none."""
    message: str
    """One line that says what is wrong."""
    file: Optional[str]
    """The file, or the name of the text."""
    line: Optional[int]
    """The line, from 1."""
    column: Optional[int]
    """The column, from 1, in characters."""
    help: str
    """What to do about it; may be empty."""
    text: str
    """All of it as the command line prints it: the source line, a caret, advice."""

    def __str__(self) -> str:
        return self.text


class Error(Exception):
    """What all exceptions of this package are."""

    message: str
    """What is wrong, in one line."""
    messages: list[Message]
    """The messages behind it."""

    def __init__(self, message: str, messages: Optional[list[Message]] = None) -> None:
        self.messages = list(messages or [])
        self.message = self.messages[0].message if self.messages else message
        super().__init__(message, self.messages)

    def __str__(self) -> str:
        texts = [m.text for m in self.messages]
        return "\n".join([str(self.args[0]), *texts])

    def _first(self) -> Optional[Message]:
        return self.messages[0] if self.messages else None

    @property
    def file(self) -> Optional[str]:
        """The file of the first message."""
        first = self._first()
        return first.file if first else None

    @property
    def line(self) -> Optional[int]:
        """Its line, from 1."""
        first = self._first()
        return first.line if first else None

    @property
    def column(self) -> Optional[int]:
        """Its column, from 1."""
        first = self._first()
        return first.column if first else None

    @property
    def help(self) -> str:
        """What to do about it; may be empty."""
        first = self._first()
        return first.help if first else ""


class ParseError(Error):
    """A text is no program."""


class GroundingError(Error):
    """Grounding found an error."""


class OverflowError(Error, builtins.OverflowError):
    """A sum of the program does not fit 64 bits."""


class UsageError(Error, ValueError):
    """A function of this package is used in a way that makes no sense."""


class Interrupted(Error):
    """Something was stopped before the answer was known."""

    result: Optional["Result"] = None
    """The outcome of the call until then, with the best model so far."""
    models: list["Model"] = []
    """The models found so far, where all were asked for."""


class TimeoutError(Interrupted, builtins.TimeoutError):
    """The time limit has passed before the answer was known."""
