"""Replies to questions about a program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Optional

from ._asp import Model
from ._pages import of_page


@dataclass(frozen=True)
class Node:
    """A claim, and what it rests on."""

    text: str
    """The claim."""
    reason: str
    """Why, in words; may be empty."""
    file: Optional[str]
    """The file of the statement that says so."""
    line: Optional[int]
    """Its line, from 1."""
    because: list[Node] = field(repr=False)
    """What the reason rests on."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Node:
        place = data.get("place") or {}
        because = [cls._of(below) for below in data.get("because", ())]
        return cls(data["text"], data.get("reason", ""), place.get("file"), place.get("line"), because)

    def __str__(self) -> str:
        return f"{self.text}: {self.reason}" if self.reason else self.text

    def walk(self) -> Iterator[Node]:
        """This and all below it."""
        yield self
        for below in self.because:
            yield from below.walk()


@dataclass(frozen=True)
class Reply:
    """A reply: it prints as the command line prints it."""

    verdict: str
    """The outcome in a word."""
    text: str
    """As the command line prints it; large trees are cut."""
    full: str = field(repr=False)
    """The same with whole trees."""
    data: dict[str, Any] = field(repr=False)
    """As the command line's JSON says it."""
    page: Optional[str] = field(repr=False)
    """As a page of HTML."""

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> Optional[str]:
        return of_page(self.page) if self.page else None


@dataclass(frozen=True)
class Explanation(Reply):
    """Why an atom holds, or why not. ``verdict`` is "always", "sometimes", "never", "unknown" or "no answer set"."""

    @property
    def tree(self) -> Optional[Node]:
        """The explanation as a tree."""
        return Node._of(self.data["why"]) if "why" in self.data else None

    @property
    def minimal(self) -> Optional[bool]:
        """Whether none of the rules and facts that force it can be left out; None if nothing is forced."""
        return self.data.get("minimal")


@dataclass(frozen=True)
class Part:
    """A statement or fact of a contradiction."""

    kind: str
    """"fact", "rule", "constraint", "choice", "comparison", "disjunction", "edge" or "other"."""
    file: Optional[str]
    """Where it stands."""
    line: Optional[int]
    """Its line, from 1."""
    text: str
    """The text there."""
    instances: list[str]
    """Its instances that are needed, in words."""
    restores: Optional[bool]
    """Whether giving it up alone restores an answer set; None if that is not known."""


@dataclass(frozen=True)
class Contradiction(Reply):
    """Why there is no answer set. ``verdict`` is "unsatisfiable", or "satisfiable": then nothing contradicts."""

    @property
    def parts(self) -> list[Part]:
        """What contradicts each other."""
        found = []
        for part in self.data.get("parts", ()):
            place = part["place"] or {}
            found.append(
                Part(part["kind"], place.get("file"), place.get("line"), place.get("text", ""), part["instances"], part["restores"])
            )
        return found

    @property
    def minimal(self) -> bool:
        """Whether giving up any one part lets the others hold together."""
        return bool(self.data.get("minimal"))

    @property
    def steps(self) -> Optional[Node]:
        """How they lead to a contradiction, step by step."""
        steps = self.data.get("steps")
        return Node._of(steps) if steps else None


@dataclass(frozen=True)
class Cost(Reply):
    """What an optimal answer set costs. ``verdict`` is "optimal", "no objective" or "no answer set"."""

    @property
    def costs(self) -> tuple[int, ...]:
        """The costs, most important level first."""
        return tuple(level["cost"] for level in self.data["levels"] or ())

    @property
    def total(self) -> Optional[int]:
        """The cost, if there is one level."""
        return self.costs[0] if len(self.costs) == 1 else None


@dataclass(frozen=True)
class Hint:
    """An atom that is decided."""

    atom: str
    """What is decided."""
    level: str
    """How it is found: by "inference", "trial" or "search"."""
    number: int
    """Steps from what was known before."""
    why: Node
    """Why."""
    holds: bool = True
    """Whether it holds; only of atoms that mark cells it is told that they do not."""
    says: str = ""
    """It in the words of the picture: "R2C3 is 4"."""


@dataclass(frozen=True)
class Hints(Reply):
    """What is decided, easiest first. ``verdict`` is "some" (there may be others), "all" or "no answer set"."""

    @property
    def hints(self) -> list[Hint]:
        """The hints."""
        return [
            Hint(h["atom"], h["level"], h["steps"], Node._of(h["why"]), h["holds"], h["says"])
            for h in self.data["hints"]
        ]

    @property
    def open(self) -> Optional[int]:
        """How many atoms are open, if all hints were found."""
        value = self.data["open"]
        return None if value is None else int(value)


@dataclass(frozen=True)
class Sets(Reply):
    """Answer sets. ``verdict`` is, of :meth:`Control.unique`, "unique", "several" or "no answer set"; of
    :meth:`Control.candidates`, "possible" or "no answer set"; of :meth:`Control.sample`, "uniform" (each as likely as any
    other), "walk" (the ends of random walks, nearly uniform as far as that could be tested), "refused" (no fair draw is
    possible) or "no answer set".
    """

    models: list[Model] = field(repr=False)
    """The answer sets: one or two, what is possible, or those drawn."""

    def __len__(self) -> int:
        return len(self.models)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Model]:
        return iter(self.models)

    def __getitem__(self, index: int) -> Model:
        return self.models[index]


@dataclass(frozen=True)
class Instance(Reply):
    """A new instance of a puzzle. ``verdict`` is "made", "none fits" (no solution that was drawn makes one that is as
    wanted) or "no answer set" (there is no solution to draw); it prints as a file that states it.
    """

    models: list[Model] = field(repr=False)
    """Its solution, if there is an instance."""

    def __bool__(self) -> bool:
        return self.verdict == "made"

    @property
    def facts(self) -> Optional[str]:
        """What it states, as a text to add to the puzzle; None if there is no instance."""
        facts = self.data["facts"]
        return None if facts is None else str(facts).rstrip("\n")

    @property
    def solution(self) -> Optional[Model]:
        """Its only answer set."""
        return self.models[0] if self.models else None

    @property
    def clues(self) -> int:
        """How many of the facts are clues."""
        return int(self.data.get("clues", 0))

    @property
    def difficulty(self) -> Optional[str]:
        """How hard it is: "easy", "medium", "hard" or "expert"; None if that is not known."""
        return self.data.get("difficulty")

    @property
    def minimal(self) -> bool:
        """Whether no clue can be left out."""
        return bool(self.data.get("minimal"))

    def picture(self) -> Optional[str]:
        """The puzzle without its solution, as lines of text; None if there is nothing to draw."""
        return self.data.get("picture")

    def svg(self) -> Optional[str]:
        """The same as SVG."""
        return self.data.get("svg")

    def _repr_svg_(self) -> Optional[str]:
        return self.svg()
