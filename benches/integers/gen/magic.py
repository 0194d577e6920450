"""Magic square: all numbers differ, equal sums."""
from _common import finish, parser

a = parser(__doc__, all=False).parse_args()
n, total = a.n, a.n * (a.n ** 2 + 1) // 2
symmetry = """
&sum { x(1,1) } < x(1,n).  &sum { x(1,1) } < x(n,1).  &sum { x(1,1) } < x(n,n).  &sum { x(1,n) } < x(n,1).
"""
program = f"""
#const n = {n}. #const total = {total}. d(1..n).
&dom {{ 1..n*n }} = x(R,C) :- d(R), d(C).
&distinct {{ x(R,C) : d(R), d(C) }}.
&sum {{ x(R,C) : d(C) }} = total :- d(R).
&sum {{ x(R,C) : d(R) }} = total :- d(C).
&sum {{ x(R,R) : d(R) }} = total.
&sum {{ x(R,n+1-R) : d(R) }} = total.
{symmetry}"""


def model(m):
    x = [[m.NewIntVar(1, n * n, "") for _ in range(n)] for _ in range(n)]
    m.AddAllDifferent([v for row in x for v in row])
    for i in range(n):
        m.Add(sum(x[i]) == total)
        m.Add(sum(row[i] for row in x) == total)
    m.Add(sum(x[i][i] for i in range(n)) == total)
    m.Add(sum(x[i][n - 1 - i] for i in range(n)) == total)
    for small, great in (((0, 0), (0, n - 1)), ((0, 0), (n - 1, 0)), ((0, 0), (n - 1, n - 1)), ((0, n - 1), (n - 1, 0))):
        m.Add(x[small[0]][small[1]] < x[great[0]][great[1]])


finish(a, program, model, every=a.all)
