"""Constants as values of Python."""

import re

_NAME = re.compile(r"_*[a-z][A-Za-z0-9_']*")


def is_name(text: str) -> bool:
    """Whether a text is the name of a constant, function or predicate."""
    return text != "not" and _NAME.fullmatch(text) is not None


class Name(str):
    """A constant of a program, such as ``red``: a ``str`` that goes back into programs as a constant, not as a string.

    >>> from asp import Name, Term
    >>> str(Term("colour", 1, Name("red"))), str(Term("colour", 1, "red"))
    ('colour(1,red)', 'colour(1,"red")')
    """

    __slots__ = ()

    def __getnewargs__(self) -> tuple[str]:
        return (str(self),)
