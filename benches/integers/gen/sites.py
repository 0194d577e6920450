"""Sites and customers: n customers are served by open sites, amounts are integers: the least cost of sites and transport."""
from _common import finish, parser, rng

a = parser(__doc__, sites=4).parse_args()
r, n = rng(a), a.n
need = [r.randint(5, 20) for _ in range(n)]
room = [sum(need) // 2 + r.randint(-5, 10) for _ in range(a.sites)]
rent = [r.randint(50, 150) for _ in range(a.sites)]
way = {(s, c): r.randint(1, 15) for s in range(a.sites) for c in range(n)}
program = """
{ open(S) } :- site(S,M,R).
&dom { 0..D } = x(S,C) :- site(S,M,R), customer(C,D).
&dom { 0..R } = rent(S) :- site(S,M,R).
&sum { rent(S) } = R :- site(S,M,R), open(S).
&sum { x(S,C) : site(S,M,R) } = D :- customer(C,D).
&sum { x(S,C) : customer(C,D) } <= M :- site(S,M,R).
&sum { x(S,C) : customer(C,D) } <= 0 :- site(S,M,R), not open(S).
&minimize { W*x(S,C) : way(S,C,W); rent(S) : site(S,M,R) }.
""" + "".join(f"site({s},{m},{k}).\n" for s, (m, k) in enumerate(zip(room, rent)))
program += "".join(f"customer({c},{d}).\n" for c, d in enumerate(need)) + "".join(f"way({s},{c},{w}).\n" for (s, c), w in way.items())


def model(m):
    x = {key: m.NewIntVar(0, need[key[1]], "") for key in way}
    opened = [m.NewBoolVar("") for _ in room]
    for c in range(n):
        m.Add(sum(x[s, c] for s in range(a.sites)) == need[c])
    for s in range(a.sites):
        m.Add(sum(x[s, c] for c in range(n)) <= room[s] * opened[s])
    m.Minimize(sum(w * x[key] for key, w in way.items()) + sum(k * o for k, o in zip(rent, opened)))


finish(a, program, model)
