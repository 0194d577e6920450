"""Lot sizes: n periods, --products products, setups are atoms, amounts and stocks integers: the least cost."""
from _common import finish, parser, rng

a = parser(__doc__, products=2, capacity=0).parse_args()
r, n, p = rng(a), a.n, a.products
demand = [[r.randint(0, 20) for _ in range(n)] for _ in range(p)]
setup = [r.randint(20, 60) for _ in range(p)]
hold = [r.randint(1, 3) for _ in range(p)]
capacity = a.capacity or 15 * p
program = f"""
#const n = {n}. #const capacity = {capacity}. time(1..n).
&dom {{ 0..capacity }} = made(P,T) :- product(P,S,H), time(T).
&dom {{ 0..{n * 20} }} = stock(P,T) :- product(P,S,H), time(T).
&dom {{ 0..S }} = cost(P,T) :- product(P,S,H), time(T).
&sum {{ stock(P,0) }} = 10 :- product(P,S,H).
{{ setup(P,T) }} :- product(P,S,H), time(T).
&sum {{ made(P,T) }} = 0 :- product(P,S,H), time(T), not setup(P,T).
&sum {{ cost(P,T) }} = S :- product(P,S,H), setup(P,T).
&sum {{ stock(P,T-1); made(P,T) }} = stock(P,T) + D :- demand(P,T,D).
&sum {{ made(P,T) : product(P,S,H) }} <= capacity :- time(T).
&minimize {{ H*stock(P,T) : product(P,S,H), time(T); cost(P,T) : product(P,S,H), time(T) }}.
""" + "".join(f"product({i},{s},{h}).\n" for i, (s, h) in enumerate(zip(setup, hold), 1))
program += "".join(f"demand({i},{t},{d}).\n" for i, row in enumerate(demand, 1) for t, d in enumerate(row, 1))


def model(m):
    cost, made = 0, [[m.NewIntVar(0, capacity, "") for _ in range(n)] for _ in range(p)]
    for i in range(p):
        stock = 10
        for t in range(n):
            on, left = m.NewBoolVar(""), m.NewIntVar(0, n * 20, "")
            m.Add(made[i][t] == 0).OnlyEnforceIf(on.Not())
            m.Add(stock + made[i][t] == left + demand[i][t])
            stock, cost = left, cost + hold[i] * left + setup[i] * on
    for t in range(n):
        m.Add(sum(row[t] for row in made) <= capacity)
    m.Minimize(cost)


finish(a, program, model)
