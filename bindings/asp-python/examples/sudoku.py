"""A puzzle from a text, its solution as a picture, and why a cell has its value."""

import asp

PUZZLE = """
. . 3 .
. 4 . .
. . . 1
2 . . .
"""

RULES = """
row(1..4). 1 { value(R,C,1..4) } 1 :- row(R), row(C).
:- value(R,C,V), value(R,D,V), C < D.
:- value(R,C,V), value(S,C,V), R < S.
:- value(R,C,V), value(S,D,V), (R,C) < (S,D), (R-1)/2 = (S-1)/2, (C-1)/2 = (D-1)/2.
:- given(R,C,V), not value(R,C,V).
#show value/3.
"""


@asp.predicate
class Given:
    row: int
    column: int
    value: int


def main() -> None:
    rows = enumerate(PUZZLE.split("\n")[1:-1], 1)
    cells = [(r, c, v) for r, row in rows for c, v in enumerate(row.split(), 1) if v != "."]
    control = asp.Control(RULES).add_facts([Given(r, c, int(v)) for r, c, v in cells])
    print(control.unique().verdict)
    model = control.first()
    assert model is not None
    print(model.picture())
    hint = control.hint(1).hints[0]
    print("easiest to see:", hint.why)


main()
