"""Controls: programs on their way from text to answer sets."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Optional, Union

from ._asp import Control as _Control
from ._asp import Model, Solve, Term
from ._errors import Error, Message, UsageError
from ._names import is_name
from ._replies import Contradiction, Cost, Explanation, Hints, Instance, Reply, Sets
from ._tables import columns_of, names_of

Value = Union[int, str, tuple[Any, ...], Term]
"""A term as a value of Python."""
Atom = Union[str, Term, Any]
"""An atom: a term, its text as answer sets show it, or an instance of a class made by ``@asp.predicate``."""
Assumptions = Union[Mapping[Atom, bool], Iterable[Union[Atom, tuple[Atom, bool]]]]
"""Atoms that are taken to hold, or pairs that say whether they do, or a mapping that says so."""
Answer = Union[Model, Iterable[Atom]]
"""An earlier answer: a model, or its atoms."""
Functions = Union[Mapping[str, Callable[..., Any]], Any]
"""Where ``@f(...)`` finds ``f``: a mapping, or an object or module that has it."""

_MODES = ("models", "brave", "cautious")
_OPTIMIZE = ("", "best", "all", "bound", "ignore")
_PROJECT = ("", "shown", "project")


class Control(_Control):
    """A program on its way from text to answer sets.

    >>> import asp
    >>> control = asp.Control("1 { colour(r;g;b) } 1. :- colour(b).")
    >>> sorted(str(model) for model in control.solve())
    ['colour(g)', 'colour(r)']
    """

    def __init__(
        self,
        program: Optional[str] = None,
        *,
        files: Union[str, os.PathLike[str], Iterable[Union[str, os.PathLike[str]]]] = (),
        const: Optional[Mapping[str, Value]] = None,
        functions: Optional[Functions] = None,
        threads: int = 1,
        seed: Optional[int] = None,
        options: Union[str, Sequence[str]] = (),
    ) -> None:
        """A control with a program's text, files, or both.

        ``const`` replaces constants, ``functions`` has what ``@f(...)`` calls, ``options`` are those of the command line,
        such as ``"--opt-strategy=usc"``, as far as they are about programs and answer sets; what a call says precedes them.
        """
        self._turn = threading.RLock()
        words = options.split() if isinstance(options, str) else list(options)
        if threads != 1:
            words.append(f"--parallel-mode={threads}")
        if seed is not None:
            words.append(f"--seed={seed}")
        if words:
            self._configure(words)
        if functions is not None:
            self._set_functions(functions)
        for name, value in (const or {}).items():
            self._set_const(name, str(Term(value)))
        for file in [files] if isinstance(files, (str, os.PathLike)) else files:
            self.load(file)
        if program is not None:
            self.add(program)

    def add(self, program: str, *, name: str = "<text>") -> Control:
        """Adds program text; messages call it ``name``."""
        if not isinstance(program, str):
            raise TypeError(f"a program is a text, not of type {type(program).__name__}; files are given by files= or load()")
        self._add(name, program.encode())
        return self

    def load(self, file: Union[str, os.PathLike[str]]) -> Control:
        """Adds a file."""
        path = os.fspath(file)
        with open(path, "rb") as opened:
            self._add(path, opened.read())
        return self

    def add_facts(self, facts: Iterable[Atom], *, part: str = "base") -> Control:
        """Adds facts: instances of classes made by ``@asp.predicate``, terms, or their texts."""
        if isinstance(facts, str):
            raise TypeError(f"facts are a list of atoms, not one text: [{facts!r}], or add() for a program")
        self._add_terms(part, list(facts))
        return self

    def add_table(
        self,
        predicate: str,
        data: Any,
        names: Optional[Sequence[str]] = None,
        *,
        constants: Union[bool, Sequence[Union[str, int]]] = False,
        part: str = "base",
    ) -> Control:
        """Adds a fact of a predicate for each row of a table.

        A table is a mapping from names to columns, a DataFrame of pandas, an array of numpy with two dimensions or with named
        fields, anything that offers Arrow's tables (of pyarrow, polars, duckdb, ...), or a list of rows. ``names`` are the
        columns to take, in that order. Texts become strings; with ``constants`` constants, in all columns or in those of these
        names or numbers. Whole floats are numbers. A table that nothing reads, beside a predicate without atoms of a similar
        name or another number of columns, is an error when the program is grounded.

        >>> import asp
        >>> control = asp.Control().add_table("edge", {"from": [1, 2], "to": ["a", "b"]}, constants=True)
        >>> print(control.first())
        edge(1,a) edge(2,b)
        """
        if not isinstance(predicate, str):
            raise TypeError(f"the name of a predicate is a text, not of type {type(predicate).__name__}")
        name, negative = (predicate[1:], True) if predicate.startswith("-") else (predicate, False)
        if not is_name(name):
            raise UsageError(f"`{predicate}` is no name of a predicate")
        columns = columns_of(data, names)
        chosen: Union[bool, list[Union[str, int]]] = constants if isinstance(constants, bool) else list(constants)
        if isinstance(constants, str):
            raise TypeError(f"the columns of constants are a list of names, not one text: [{constants!r}]")
        if isinstance(chosen, list) and isinstance(columns, list):
            places = names_of(data, names)
            for column in chosen:
                if column not in places and not (isinstance(column, int) and 0 <= column < len(columns)):
                    raise UsageError(f"the table has no column `{column}` to make constants of")
            chosen = [places.index(column) if column in places else column for column in chosen]
        self._add_table(part, name, negative, columns, None if names is None else list(names), chosen)
        return self

    def parse(self) -> None:
        """Parses what was added, to find its errors before it is grounded."""
        self._parse()

    def ground(
        self,
        parts: Iterable[Union[str, tuple[str, Sequence[Value]]]] = ("base",),
        *,
        functions: Optional[Functions] = None,
        timeout: Optional[float] = None,
    ) -> Control:
        """Grounds program parts: their names, or pairs of a name and arguments.

        Solving grounds ``base`` by itself. Past ``timeout`` seconds grounding ends with :class:`asp.TimeoutError`.
        """
        if functions is not None:
            self._set_functions(functions)
        if isinstance(parts, str):
            raise TypeError(f"program parts are a list of names, not one text: [{parts!r}]")
        pairs = [(part, []) if isinstance(part, str) else (part[0], list(part[1])) for part in parts]
        self._ground(pairs, timeout)
        return self

    def solve(
        self,
        models: Optional[int] = None,
        *,
        assume: Assumptions = (),
        start: Answer = (),
        mode: Literal["models", "brave", "cautious"] = "models",
        optimize: Literal["best", "all", "bound", "ignore", ""] = "",
        project: Literal["shown", "project", ""] = "",
        bound: Sequence[int] = (),
        threads: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> Solve:
        """Begins a call: an iterator over at most ``models`` models, 0 for all, which is the default unless an option says so.

        ``assume`` takes atoms to hold, or not to. The search begins at the earlier answer ``start``: as many of its atoms as still
        hold together become the first model. With ``mode`` "brave" or "cautious" the models are estimates of what holds
        in some answer set or in all; the last one is right. With an objective they are better and better ones (``optimize``:
        "all" optimal ones, those within a ``bound``, or "ignore" it). ``project`` takes models that show the same for one.
        Past ``timeout`` seconds of work the models end, and ``result.interrupted`` says so.
        """
        for value, allowed in ((mode, _MODES), (optimize, _OPTIMIZE), (project, _PROJECT)):
            if value not in allowed:
                raise UsageError(f"`{value}` is none of {', '.join(filter(None, allowed))}")
        return self._solve(models, assume, _atoms(start), mode, optimize, project, list(bound), threads, timeout)

    def first(self, *, assume: Assumptions = (), timeout: Optional[float] = None) -> Optional[Model]:
        """An answer set with its ``costs``, None if there is none. :class:`asp.TimeoutError` if that is not known in time."""
        with self._turn:
            return self.solve(1, assume=assume, optimize="bound", timeout=timeout).first()

    def all(
        self,
        *,
        assume: Assumptions = (),
        project: Literal["shown", "project", ""] = "",
        timeout: Optional[float] = None,
    ) -> list[Model]:
        """All answer sets, whatever they cost; each knows its ``costs``."""
        with self._turn:
            return self.solve(0, assume=assume, optimize="bound", project=project, timeout=timeout).all()

    def optimal(
        self, *, assume: Assumptions = (), start: Answer = (), timeout: Optional[float] = None
    ) -> Optional[Model]:
        """An optimal answer set, None if there is none; the search begins at the earlier answer ``start``.

        :class:`asp.TimeoutError` if it is not proven to be optimal in time; ``error.result.best`` is then the best so far.
        """
        with self._turn:
            return self.solve(0, assume=assume, start=start, optimize="best", timeout=timeout).optimal()

    def stay_near(self, answer: Answer, level: Optional[int] = None) -> int:
        """Grounds what has not been grounded, and adds that answers differ as little as possible from an earlier one, as if the
        program said so: each atom of its predicates that differs costs 1, on that ``level`` or, without one, below all others.
        Returns how many of its atoms cannot hold any more.

        >>> import asp
        >>> roster = "1 { on(D,(ann;bob)) } 1 :- D = 1..3. :- ill(P,D), on(D,P)."
        >>> monday = ["on(1,ann)", "on(2,ann)", "on(3,bob)"]
        >>> control = asp.Control(roster).add_facts(["ill(ann,2)"])
        >>> control.stay_near(monday)
        0
        >>> print(control.optimal(start=monday))
        on(1,ann) on(2,bob) on(3,bob) ill(ann,2)
        """
        return self._stay_near(_atoms(answer), level)

    def brave(self, *, assume: Assumptions = (), timeout: Optional[float] = None) -> Optional[Model]:
        """What some answer set shows, None if there is no answer set."""
        with self._turn:
            return self.solve(0, assume=assume, mode="brave", timeout=timeout).last()

    def cautious(self, *, assume: Assumptions = (), timeout: Optional[float] = None) -> Optional[Model]:
        """What all answer sets show, None if there is no answer set."""
        with self._turn:
            return self.solve(0, assume=assume, mode="cautious", timeout=timeout).last()

    def is_satisfiable(self, *, assume: Assumptions = (), timeout: Optional[float] = None) -> bool:
        """Whether there is an answer set."""
        return self.first(assume=assume, timeout=timeout) is not None

    def assign(self, atom: Atom, value: Optional[bool]) -> None:
        """Makes an external atom true or false; None leaves it to the search."""
        self._assign(atom, value)

    def release(self, atom: Atom) -> None:
        """Makes an external atom false for good."""
        self._release(atom)

    def constant(self, name: str) -> Optional[Value]:
        """The value of a constant of the program, after grounding."""
        return self._const(name)

    def why(self, atom: Atom, *, optimal: bool = False, timeout: Optional[float] = None) -> Explanation:
        """Why an atom holds: in every answer set, or in one; ``optimal``: of those of least cost.

        >>> import asp
        >>> print(asp.Control("a. b :- a. { c } :- b.").why("c"))
        c holds in some answer sets, not in all; in one of them:
        c: chosen  [<text>:1]
        `- b: by this rule  [<text>:1]
           `- a: fact  [<text>:1]
        """
        return Explanation(*self._ask_about("why", atom, optimal=optimal, timeout=timeout))

    def why_not(self, atom: Atom, *, optimal: bool = False, timeout: Optional[float] = None) -> Explanation:
        """Why an atom does not hold: in any answer set, or in one; ``optimal``: of those of least cost."""
        return Explanation(*self._ask_about("why_not", atom, optimal=optimal, timeout=timeout))

    def why_unsat(self, *, timeout: Optional[float] = None) -> Contradiction:
        """Why there is no answer set: which statements and facts contradict each other."""
        return Contradiction(*self._ask_about("why_unsat", timeout=timeout))

    def cost(self, *, timeout: Optional[float] = None) -> Cost:
        """What an optimal answer set costs, statement by statement.

        >>> import asp
        >>> print(asp.Control("1 { a; b }. #minimize { 3 : a; 5 : b }.").cost().total)
        3
        """
        return Cost(*self._ask_about("cost", timeout=timeout))

    def why_cost(self, *, timeout: Optional[float] = None) -> Reply:
        """Why no answer set costs less: which statements prevent it."""
        return Reply(*self._ask_about("why_cost", timeout=timeout))

    def check(self) -> list[Message]:
        """What there is to say of the program once it is grounded: errors, warnings and lints, as `asp check` does; an empty list
        says that it is sound."""
        try:
            self.ground()
        except Error as error:
            if not error.messages:
                raise
            return [*self.messages, *(m for m in error.messages if m not in self.messages), *self._lints]
        return [*self.messages, *self._lints]

    def hint(self, number: int = 3, *, optimal: bool = False, timeout: Optional[float] = None) -> Hints:
        """What is decided already, easiest first, and why: at most this many atoms, 0 for all."""
        return Hints(*self._ask_about("hint", number=number, optimal=optimal, timeout=timeout))

    def candidates(
        self, *, by_inference: bool = False, optimal: bool = False, timeout: Optional[float] = None
    ) -> Sets:
        """What is still possible; ``by_inference``: what plain inference does not rule out."""
        return self._sets("candidates", flag=by_inference, optimal=optimal, timeout=timeout)

    def unique(self, *, optimal: bool = False, timeout: Optional[float] = None) -> Sets:
        """Whether there is exactly one answer set; if there are several, two of them."""
        return self._sets("unique", optimal=optimal, timeout=timeout)

    def count(self, *, project: bool = False, optimal: bool = False, timeout: Optional[float] = None) -> int:
        """The exact number of answer sets; ``project``: those that show the same count as one; ``optimal``: of least cost.

        >>> import asp
        >>> asp.Control("{ a(1..200) }.").count() == 2**200
        True
        """
        return int(self._ask("count", "", 0, 0, project, timeout, optimal)[0])

    def sample(
        self,
        number: int = 1,
        *,
        seed: int = 0,
        project: bool = False,
        optimal: bool = False,
        timeout: Optional[float] = None,
    ) -> Sets:
        """Answer sets at random; the same seed, the same ones."""
        return self._sets("sample", number=number, seed=seed, flag=project, optimal=optimal, timeout=timeout)

    def diverse(self, number: int = 2, *, optimal: bool = False, timeout: Optional[float] = None) -> Sets:
        """Answer sets of which each is as far from those before it as possible; `all` if there are no others."""
        return self._sets("diverse", number=number, optimal=optimal, timeout=timeout)

    def generate(
        self,
        *,
        seed: int = 0,
        difficulty: Optional[str] = None,
        symmetric: bool = False,
        draws: int = 200,
        timeout: Optional[float] = None,
    ) -> Instance:
        """A new instance of the puzzle that the program is, with one answer set; its comments say what a clue is.

        The first text is the puzzle, facts of others are the layout that all instances share. ``difficulty`` is "easy",
        "medium", "hard" or "expert"; ``symmetric``: the places of the clues look the same upside down; at most ``draws``
        solutions are drawn. The same seed makes the same instance.

        >>> import asp
        >>> pick = asp.Control("1 { pick(1..3) } 1. :- given(X), not pick(X).\\n%@clue given(X) : pick(X)")
        >>> print(pick.generate(seed=1).facts)
        given(3).
        """
        told = self._generate(seed, symmetric, difficulty, draws, timeout)
        return Instance(*told[:3], json.loads(told[3]), *told[4:])

    def _sets(self, question: str, **options: Any) -> Sets:
        return Sets(*self._told(question, "", **options))

    def _ask_about(self, question: str, atom: Atom = "", **options: Any) -> tuple[Any, ...]:
        return self._told(question, atom if isinstance(atom, str) else str(Term(atom)), **options)[:5]

    def _told(
        self,
        question: str,
        atom: str,
        number: int = 0,
        seed: int = 0,
        flag: bool = False,
        timeout: Optional[float] = None,
        optimal: bool = False,
    ) -> tuple[Any, ...]:
        asked = self._ask(question, atom, number, seed, flag, timeout, optimal)
        verdict, text, full, data, page, models = asked
        return verdict, text, full, json.loads(data), page, models


def _atoms(answer: Answer) -> list[Any]:
    """The atoms of an answer, without what else it shows."""
    if isinstance(answer, str):
        raise UsageError("an answer is a model or a list of atoms, not one text")
    if isinstance(answer, Model):
        return [term for term in answer if term.kind == "function"]
    return list(answer)
