"""n jobs on one machine with due times and weights: the least weighted tardiness."""
from _common import finish, parser, rng

a = parser(__doc__).parse_args()
r, n = rng(a), a.n
jobs = [(r.randint(1, 10), r.randint(1, 5)) for _ in range(n)]
total = sum(d for d, _ in jobs)
due = [r.randint(d, max(d, total * 7 // 10)) for d, _ in jobs]
program = f"""
#const h = {total}.
&dom {{ 0..h-D }} = s(J) :- job(J,D,U,W).
&dom {{ 0..h }} = late(J) :- job(J,D,U,W).
&sum {{ s(J); D-U }} <= late(J) :- job(J,D,U,W).
1 {{ before(I,J); before(J,I) }} 1 :- job(I,_,_,_), job(J,_,_,_), I < J.
&sum {{ s(I); D }} <= s(J) :- before(I,J), job(I,D,U,W).
&minimize {{ W*late(J) : job(J,D,U,W) }}.
""" + "".join(f"job({j},{d},{u},{w}).\n" for j, ((d, w), u) in enumerate(zip(jobs, due), 1))


def model(m):
    s = [m.NewIntVar(0, total - d, "") for d, _ in jobs]
    late = [m.NewIntVar(0, total, "") for _ in jobs]
    m.AddNoOverlap([m.NewFixedSizeIntervalVar(v, d, "") for v, (d, _) in zip(s, jobs)])
    for v, t, (d, _), u in zip(s, late, jobs, due):
        m.Add(v + d - u <= t)
    m.Minimize(sum(w * t for t, (_, w) in zip(late, jobs)))


finish(a, program, model)
