"""n things get different ranks; wishes say which of two should come first, and by how much: the least sum of what is missing."""
from _common import finish, parser, rng

a = parser(__doc__, wishes=0).parse_args()
r, n = rng(a), a.n
wishes = [(*r.sample(range(1, n + 1), 2), r.randint(1, 3), r.randint(1, 4)) for _ in range(a.wishes or 3 * n)]
program = f"""
thing(1..{n}).
&dom {{ 1..{n} }} = rank(I) :- thing(I).
&distinct {{ rank(I) : thing(I) }}.
&dom {{ 0..{n + 3} }} = lack(K) :- wish(K,I,J,D,W).
&sum {{ rank(I); D }} <= rank(J) + lack(K) :- wish(K,I,J,D,W).
&minimize {{ W*lack(K) : wish(K,I,J,D,W) }}.
""" + "".join(f"wish({k},{','.join(map(str, w))}).\n" for k, w in enumerate(wishes))


def model(m):
    rank = [m.NewIntVar(1, n, "") for _ in range(n + 1)]
    m.AddAllDifferent(rank[1:])
    cost = 0
    for i, j, d, w in wishes:
        lack = m.NewIntVar(0, n + 3, "")
        m.Add(rank[i] + d <= rank[j] + lack)
        cost += w * lack
    m.Minimize(cost)


finish(a, program, model)
