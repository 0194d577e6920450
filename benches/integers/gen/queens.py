"""n queens as three all-different constraints, the first solution or --all."""
from _common import finish, parser

a = parser(__doc__, all=False).parse_args()
program = f"""
d(1..{a.n}).
&dom {{ 1..{a.n} }} = q(R) :- d(R).
&distinct {{ q(R) : d(R) }}.
&distinct {{ q(R)+R : d(R) }}.
&distinct {{ q(R)-R : d(R) }}.
"""


def model(m):
    q = [m.NewIntVar(1, a.n, "") for _ in range(a.n)]
    for sign in (0, 1, -1):
        m.AddAllDifferent([v + sign * i for i, v in enumerate(q)])


finish(a, program, model, every=a.all)
