"""A plan that grows step by step until it reaches its goal, with a function of Python's for the moves."""

import asp

RULES = """
#program base.
at(0, 0, 0).
#program step(t).
1 { move(t, @moves()) } 1.
at(t, X+DX, Y+DY) :- at(t-1, X, Y), move(t, (DX,DY)).
:- at(t, X, Y), blocked(X, Y).
#program check(t).
#external query(t).
:- query(t), not at(t, 3, 2).
"""


def moves() -> list[tuple[int, int]]:
    """The steps of a knight that lead forward."""
    return [(1, 2), (2, 1), (2, -1), (1, -2)]


def main() -> None:
    control = asp.Control(RULES, functions={"moves": moves})
    control.add_table("blocked", [(1, 2)])
    control.ground(["base"])
    for step in range(1, 10):
        control.ground([("step", [step]), ("check", [step])])
        control.assign(asp.Term("query", step), True)
        model = control.first()
        if model is not None:
            print(step, "steps")
            return
        control.release(asp.Term("query", step))


main()
