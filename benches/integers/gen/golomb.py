"""Golomb ruler with n marks: the shortest; with --length, one of this length."""
from _common import finish, parser

a = parser(__doc__, length=0).parse_args()
n = a.n
longest = a.length or n * n
program = f"""
#const n = {n}. #const len = {longest}. mark(1..n).
&dom {{ 0..len }} = m(I) :- mark(I).
&sum {{ m(1) }} = 0.
&sum {{ m(I) }} < m(I+1) :- mark(I), mark(I+1).
&distinct {{ m(J)-m(I) : mark(I), mark(J), I < J }}.
&sum {{ m(2)-m(1) }} < m(n)-m(n-1).
""" + ("" if a.length else "&minimize { m(n) }.\n")


def model(m):
    x = [m.NewIntVar(0, longest, "") for _ in range(n)]
    m.Add(x[0] == 0)
    for i in range(n - 1):
        m.Add(x[i] < x[i + 1])
    m.AddAllDifferent([x[j] - x[i] for j in range(n) for i in range(j)])
    m.Add(x[1] - x[0] < x[-1] - x[-2])
    if not a.length:
        m.Minimize(x[-1])


finish(a, program, model)
