"""n variables from 0 to --greatest in a chain of sums: the least total; choices say which of two sums holds."""
from _common import finish, parser, rng

a = parser(__doc__, greatest=1000000).parse_args()
r, n = rng(a), a.n
g = a.greatest
steps = [(i, i + 1, r.randint(2, 5), r.randint(2, 5), r.randint(g // 4, g // 2), r.randint(g // 4, g // 2)) for i in range(1, n)]
program = f"""
v(1..{n}).
&dom {{ 0..{g} }} = x(I) :- v(I).
{{ first(I) }} :- step(I,J,F,H,A,B).
&sum {{ F*x(I); x(J) }} >= A :- step(I,J,F,H,A,B), first(I).
&sum {{ x(I); H*x(J) }} >= B :- step(I,J,F,H,A,B), not first(I).
:- first(I), first(I+1).
&minimize {{ x(I) : v(I) }}.
""" + "".join(f"step({','.join(map(str, s))}).\n" for s in steps)


def model(m):
    x = [m.NewIntVar(0, g, "") for _ in range(n + 1)]
    first = [m.NewBoolVar("") for _ in range(n + 1)]
    for i, j, f, h, c, b in steps:
        m.Add(f * x[i] + x[j] >= c).OnlyEnforceIf(first[i])
        m.Add(x[i] + h * x[j] >= b).OnlyEnforceIf(first[i].Not())
        if j < n:
            m.AddBoolOr(first[i].Not(), first[j].Not())
    m.Minimize(sum(x[1:]))


finish(a, program, model)
