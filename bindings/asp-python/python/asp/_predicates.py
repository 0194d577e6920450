"""Predicates as dataclasses."""

from __future__ import annotations

import dataclasses
import re
import types
from collections.abc import Callable
from typing import Any, Optional, TypeVar, Union, dataclass_transform, get_args, get_origin, get_type_hints, overload

from ._asp import Model, Term
from ._errors import UsageError
from ._names import Name

_T = TypeVar("_T")


@dataclasses.dataclass(frozen=True)
class Signature:
    """What a class made by :func:`predicate` stands for."""

    name: str
    arity: int
    negative: bool


@overload
def predicate(cls: type[_T], /) -> type[_T]: ...
@overload
def predicate(*, name: Optional[str] = None, negative: bool = False) -> Callable[[type[_T]], type[_T]]: ...
@dataclass_transform(frozen_default=True, order_default=True)
def predicate(cls: Optional[type[Any]] = None, /, *, name: Optional[str] = None, negative: bool = False) -> Any:
    """Makes a class with annotated fields stand for a predicate: a frozen dataclass whose instances are atoms.

    Its name is that of the class in small letters (``HasNumber`` is ``has_number``), unless ``name`` says so. Fields are
    ``int``, ``str``, ``asp.Name`` (a constant), ``asp.Term``, a ``tuple``, another such class, a union of these, or ``Any``.

    >>> import asp
    >>> @asp.predicate
    ... class Cell:
    ...     row: int
    ...     colour: asp.Name
    >>> control = asp.Control("next(X+1, C) :- cell(X, C).").add_facts([Cell(1, asp.Name("red"))])
    >>> control.first().of(Cell)
    [Cell(row=1, colour='red')]
    """

    def make(cls: type[Any]) -> type[Any]:
        made = dataclasses.dataclass(frozen=True, order=True)(cls)
        fields = dataclasses.fields(made)
        own = name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", made.__name__).lower()
        made.__asp_signature__ = Signature(own, len(fields), negative)
        made.__asp_term__ = _term
        made.__str__ = _text  # type: ignore[assignment]
        return made

    return make if cls is None else make(cls)


def signature(cls: type[Any]) -> Signature:
    """What a class stands for."""
    found = getattr(cls, "__asp_signature__", None)
    if not isinstance(found, Signature):
        raise UsageError(f"{cls.__name__} is not a predicate; it becomes one by @asp.predicate")
    return found


def _term(self: Any) -> Term:
    own = signature(type(self))
    fields = dataclasses.fields(self)
    values = [getattr(self, field.name) for field in fields]
    for place, (value, kind) in enumerate(zip(values, _kinds(type(self)))):
        if not _suits(value, kind):
            wanted = kind.__name__ if isinstance(kind, type) else kind
            raise UsageError(f"{type(self).__name__}.{fields[place].name} is {wanted}, not {value!r}")
        if kind is Name and type(value) is str:
            values[place] = Name(value)
    return Term(own.name, *values, negative=own.negative)


def _text(self: Any) -> str:
    return str(Term(self))


def _kinds(cls: type[Any]) -> tuple[Any, ...]:
    known = cls.__dict__.get("__asp_kinds__")
    if known is None:
        try:
            hints = get_type_hints(cls)
        except NameError:  # A class in a function, with annotations as texts.
            hints = {}
        known = tuple(hints.get(field.name, Any) for field in dataclasses.fields(cls))
        cls.__asp_kinds__ = known
    return known


def _suits(value: Any, kind: Any) -> bool:
    """Whether a field of some type may have a value; that it is a term is checked where it becomes one."""
    base = get_origin(kind) or kind
    if base in (Union, types.UnionType):
        # A text is a constant only where the field cannot be a string.
        options = get_args(kind)
        return any(isinstance(value, Name) if option is Name else _suits(value, option) for option in options)
    if base in (Any, Term) or not isinstance(base, type):
        return True
    return isinstance(value, str if base is Name else base) or (base is int and hasattr(value, "__index__"))


def _fit(value: Any, kind: Any) -> Any:
    """A value as a field of some type; LookupError if it is none."""
    if kind is Any:
        return value
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        for option in get_args(kind):
            try:
                return _fit(value, option)
            except LookupError:
                pass
        raise LookupError
    if isinstance(kind, type) and hasattr(kind, "__asp_signature__"):
        own = signature(kind)
        if own.arity == 0 and isinstance(value, Name) and value == own.name:
            return kind()
        if isinstance(value, Term) and (value.name, len(value), value.negative) == (own.name, own.arity, own.negative):
            return kind(*map(_fit, value.arguments, _kinds(kind)))
        raise LookupError
    if kind is Term:
        return Term(value)
    if isinstance(origin or kind, type) and isinstance(value, origin or kind):
        return value
    raise LookupError


def instances(model: Model, cls: type[_T]) -> list[_T]:
    own = signature(cls)
    kinds = _kinds(cls)
    found = []
    exact = all(kind is Any for kind in kinds)
    for values in model[f"{'-' if own.negative else ''}{own.name}/{own.arity}"]:
        try:
            found.append(cls(*values) if exact else cls(*map(_fit, values, kinds)))
        except LookupError:
            atom = Term(own.name, *values, negative=own.negative)
            raise UsageError(f"{atom} is no {cls.__name__}: its values are of other types") from None
    return found
