"""Knapsack of n things, each up to --copies times, with --rows capacities: the greatest value."""
from _common import finish, parser, rng

a = parser(__doc__, copies=10, rows=2).parse_args()
r, n = rng(a), a.n
weight = [[r.randint(10, 99) for _ in range(n)] for _ in range(a.rows)]
value = [sum(row[i] for row in weight) // a.rows + r.randint(-8, 8) for i in range(n)]
capacity = [sum(row) * a.copies // 3 for row in weight]
program = f"""
&dom {{ 0..{a.copies} }} = x(I) :- value(I,V).
&sum {{ W*x(I) : weight(K,I,W) }} <= C :- capacity(K,C).
&maximize {{ V*x(I) : value(I,V) }}.
""" + "".join(f"value({i},{v}).\n" for i, v in enumerate(value, 1))
for k, row in enumerate(weight, 1):
    program += f"capacity({k},{capacity[k - 1]}).\n" + "".join(f"weight({k},{i},{w}).\n" for i, w in enumerate(row, 1))


def model(m):
    x = [m.NewIntVar(0, a.copies, "") for _ in range(n)]
    for row, c in zip(weight, capacity):
        m.Add(sum(w * v for w, v in zip(row, x)) <= c)
    m.Minimize(-sum(w * v for w, v in zip(value, x)))


finish(a, program, model)
