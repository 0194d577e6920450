"""Project with n tasks, precedences and four resources: the shortest, or with --bound one that is no longer.
Resources are sums over the tasks that run when one begins."""
from _common import finish, parser, rng

a = parser(__doc__, resources=4, strength=30, bound=0).parse_args()
r, n = rng(a), a.n
length = [r.randint(1, 10) for _ in range(n)]
before = sorted({(i, j) for j in range(1, n) for i in r.sample(range(max(0, j - 12), j), min(j, r.randint(1, 3)))})
uses = {(i, k): r.randint(1, 10) for i in range(n) for k in range(a.resources) if r.random() < 0.5}
# Between what one task needs and what the earliest plan does.
start = [0] * n
for i, j in sorted(before, key=lambda e: e[1]):
    start[j] = max(start[j], start[i] + length[i])
capacity = []
for k in range(a.resources):
    peak = max(sum(uses.get((i, k), 0) for i in range(n) if start[i] <= t < start[i] + length[i]) for t in range(sum(length)))
    least = max([u for (_, l), u in uses.items() if l == k], default=1)
    capacity.append(least + (peak - least) * a.strength // 100)
# Tasks one by one as early as possible.
plan, horizon = {}, 0
for j in range(n):
    t = max([plan[i] + length[i] for i, k in before if k == j], default=0)
    busy = lambda t, k: sum(uses.get((i, k), 0) for i in plan if plan[i] <= t < plan[i] + length[i]) + uses.get((j, k), 0)
    while any(busy(u, k) > capacity[k] for u in range(t, t + length[j]) for k in range(a.resources) if (j, k) in uses):
        t += 1
    plan[j] = t
    horizon = max(horizon, t + length[j])
horizon = a.bound or horizon
program = "".join(f"task({i},{d}).\n" for i, d in enumerate(length))
program += "".join(f"before({i},{j}).\n" for i, j in before)
program += "".join(f"uses({i},{k},{u}).\n" for (i, k), u in sorted(uses.items()))
program += "".join(f"capacity({k},{c}).\n" for k, c in enumerate(capacity))
program += f"""
#const h = {horizon}.
&diff {{ 0-s(I) }} <= 0 :- task(I,D).
&diff {{ s(I)-end }} <= -D :- task(I,D).
&diff {{ end-0 }} <= h.
&diff {{ s(I)-s(J) }} <= -D :- before(I,J), task(I,D).
after(I,J) :- before(I,J).
after(I,L) :- after(I,J), before(J,L).
rival(I,J) :- uses(I,R,U), uses(J,R,V), I != J, not after(I,J), not after(J,I).
begun(I,J) :- rival(I,J), &diff {{ s(I)-s(J) }} <= 0.
ended(I,J) :- rival(I,J), task(I,D), &diff {{ s(I)-s(J) }} <= -D.
:- uses(J,R,V), capacity(R,C), #sum {{ U,I : begun(I,J), not ended(I,J), uses(I,R,U) }} > C-V.
""" + ("" if a.bound or a.dl else "&minimize { end }.\n")


def model(m):
    s = [m.NewIntVar(0, horizon, "") for _ in range(n)]
    end = m.NewIntVar(0, horizon, "")
    for i in range(n):
        m.Add(s[i] + length[i] <= end)
    for i, j in before:
        m.Add(s[i] + length[i] <= s[j])
    for k in range(a.resources):
        users = [i for i in range(n) if (i, k) in uses]
        m.AddCumulative([m.NewFixedSizeIntervalVar(s[i], length[i], "") for i in users], [uses[i, k] for i in users], capacity[k])
    if not a.bound:
        m.Minimize(end)


finish(a, program, model)
