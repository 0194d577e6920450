"""Job shop or open shop: n jobs on --machines machines, or a known instance. The shortest plan, or with --bound one that is no longer."""
from _common import finish, parser, rng

KNOWN = {
    "ft06": """2 1 0 3 1 6 3 7 5 3 4 6
        1 8 2 5 4 10 5 10 0 10 3 4
        2 5 3 4 5 8 0 9 1 1 4 7
        1 5 0 5 2 5 3 3 4 8 5 9
        2 9 1 3 4 5 5 4 0 3 3 1
        1 3 3 3 5 9 0 10 4 4 2 1""",
    "ft10": """0 29 1 78 2 9 3 36 4 49 5 11 6 62 7 56 8 44 9 21
        0 43 2 90 4 75 9 11 3 69 1 28 6 46 5 46 7 72 8 30
        1 91 0 85 3 39 2 74 8 90 5 10 7 12 6 89 9 45 4 33
        1 81 2 95 0 71 4 99 6 9 8 52 7 85 3 98 9 22 5 43
        2 14 0 6 1 22 5 61 3 26 4 69 8 21 7 49 9 72 6 53
        2 84 1 2 5 52 3 95 8 48 9 72 0 47 6 65 4 6 7 25
        1 46 0 37 3 61 2 13 6 32 5 21 9 32 8 89 7 30 4 55
        2 31 0 86 1 46 5 74 4 32 6 88 8 19 9 48 7 36 3 79
        0 76 1 69 3 76 5 51 2 85 9 11 6 40 7 89 4 26 8 74
        1 85 0 13 2 61 6 7 8 64 9 76 5 47 3 52 4 90 7 45""",
}
a = parser(__doc__, instance=("", *KNOWN), machines=0, longest=20, open=False, form=("diff", "sum"), bound=0).parse_args()
r = rng(a)
if a.instance:
    numbers = [list(map(int, line.split())) for line in KNOWN[a.instance].splitlines()]
    jobs = [list(zip(row[::2], row[1::2])) for row in numbers]
else:
    machines = a.machines or a.n
    jobs = [[(k, r.randint(1, a.longest)) for k in r.sample(range(machines), machines)] for _ in range(a.n)]
machines = len(jobs[0])
# One job after the other on each machine, in one order for all: no plan needs more.
free, horizon = [0] * machines, 0
for job in jobs:
    time = 0
    for k, d in job:
        free[k] = time = max(free[k], time) + d
horizon = a.bound or max(free)
if a.form == "diff":
    before = lambda x, d, y: f"&diff {{ {x}-{y} }} <= -{d}"
else:
    before = lambda x, d, y: f"&sum {{ {x}; {d} }} <= {y}"
program = "".join(f"op({j},{k},{m},{d}).\n" for j, job in enumerate(jobs, 1) for k, (m, d) in enumerate(job, 1))
program += f"#const h = {horizon}.\n"
if a.dl or a.form == "diff":
    program += "&diff { 0-s(J,K) } <= 0 :- op(J,K,M,D).\n&diff { end-0 } <= h.\n"
else:
    program += "&dom { 0..h } = s(J,K) :- op(J,K,M,D).\n&dom { 0..h } = end.\n"
program += f"""{before("s(J,K)", "D", "end")} :- op(J,K,M,D).
conflict(I,K,J,L) :- op(I,K,M,D), op(J,L,M,E), I < J.
"""
program += """conflict(J,K,J,L) :- op(J,K,M,D), op(J,L,N,E), K < L.
""" if a.open else f"""{before("s(J,K)", "D", "s(J,K+1)")} :- op(J,K,M,D), op(J,K+1,N,E).
"""
program += f"""1 {{ before(I,K,J,L); before(J,L,I,K) }} 1 :- conflict(I,K,J,L).
{before("s(I,K)", "D", "s(J,L)")} :- before(I,K,J,L), op(I,K,M,D).
"""
if not a.bound and not a.dl:
    program += "&minimize { end }.\n"


def model(m):
    end = m.NewIntVar(0, horizon, "")
    on, of = {}, {}
    for j, job in enumerate(jobs):
        last = None
        for k, d in job:
            s = m.NewIntVar(0, horizon, "")
            interval = m.NewFixedSizeIntervalVar(s, d, "")
            on.setdefault(k, []).append(interval)
            of.setdefault(j, []).append(interval)
            m.Add(s + d <= end)
            if last is not None and not a.open:
                m.Add(last <= s)
            last = s + d
    for intervals in [*on.values(), *(of.values() if a.open else ())]:
        m.AddNoOverlap(intervals)
    if not a.bound:
        m.Minimize(end)


finish(a, program, model)
