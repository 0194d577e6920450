"""Completes a Latin square with holes."""
from _common import finish, parser, rng

a = parser(__doc__, holes=42).parse_args()
r, n = rng(a), a.n
order = [r.sample(range(n), n) for _ in range(3)]
square = [[order[2][(order[0][i] + order[1][j]) % n] + 1 for j in range(n)] for i in range(n)]
# Swaps of 2x2 subsquares take it away from the cyclic one.
for _ in range(n * n):
    i, k, j = r.randrange(n), r.randrange(n), r.randrange(n)
    other = square[k].index(square[i][j])
    if i != k and square[k][j] == square[i][other]:
        for row in (square[i], square[k]):
            row[j], row[other] = row[other], row[j]
holes = set(r.sample([(i, j) for i in range(n) for j in range(n)], n * n * a.holes // 100))
clues = [(i + 1, j + 1, square[i][j]) for i in range(n) for j in range(n) if (i, j) not in holes]
program = f"""
d(1..{n}).
&dom {{ 1..{n} }} = x(R,C) :- d(R), d(C).
&distinct {{ x(R,C) : d(C) }} :- d(R).
&distinct {{ x(R,C) : d(R) }} :- d(C).
&sum {{ x(R,C) }} = V :- clue(R,C,V).
""" + "".join(f"clue({i},{j},{v}).\n" for i, j, v in clues)


def model(m):
    x = [[m.NewIntVar(1, n, "") for _ in range(n)] for _ in range(n)]
    for i in range(n):
        m.AddAllDifferent(x[i])
        m.AddAllDifferent([row[i] for row in x])
    for i, j, v in clues:
        m.Add(x[i - 1][j - 1] == v)


finish(a, program, model)
