"""Knapsack equations: n variables from 0 to --greatest, --rows equations with random factors. By default they have a solution and the
first is wanted; --all counts. With --frobenius the right side is the greatest without a solution."""
from _common import finish, parser, rng

a = parser(__doc__, greatest=1000, factors=100, rows=1, all=False, frobenius=False).parse_args()
r, n = rng(a), a.n
factor = [[r.randint(a.factors // 2, a.factors) for _ in range(n)] for _ in range(a.rows)]
hidden = [r.randint(0, a.greatest) for _ in range(n)]
side = [sum(f * x for f, x in zip(row, hidden)) for row in factor]
if a.frobenius:
    # The greatest number that is no sum of these: known by looking at each.
    factor = factor[:1]
    reach = bytearray(a.factors * a.factors * 2)
    reach[0] = 1
    for i in range(len(reach)):
        reach[i] |= any(i >= f and reach[i - f] for f in factor[0])
    side = [max(i for i in range(len(reach)) if not reach[i])]
program = f"""
v(1..{n}).
&dom {{ 0..{a.greatest} }} = x(I) :- v(I).
""" + "".join(f"&sum {{ {'; '.join(f'{f}*x({i})' for i, f in enumerate(row, 1))} }} = {b}.\n" for row, b in zip(factor, side))


def model(m):
    x = [m.NewIntVar(0, a.greatest, "") for _ in range(n)]
    for row, b in zip(factor, side):
        m.Add(sum(f * v for f, v in zip(row, x)) == b)


finish(a, program, model, every=a.all)
