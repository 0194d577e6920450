"""Families of optimisation problems: a random instance, the program that one writes for it, and the model that one writes for CP-SAT.

Each family is a function of a size and a random generator that returns a `Problem`. Same size and seed, same problem."""
import math
import random

FAMILIES = {}


class Problem:
    """A program, what builds a model for CP-SAT, and the sign with which the objective is minimised (-1: it is maximised)."""

    def __init__(self, program, model, sign=1):
        self.program, self.model, self.sign = program, model, sign


def family(*sizes):
    def enter(build):
        FAMILIES[build.__name__] = (build, sizes)
        return build
    return enter


def problem(name, size, seed):
    build, sizes = FAMILIES[name]
    return build(random.Random(f"{name} {seed}"), *sizes[size])


def facts(name, rows):
    return "".join(f"{name}({','.join(map(str, row))}).\n" for row in rows)


def graph(rng, nodes, edges):
    pairs = [(a, b) for a in range(nodes) for b in range(a + 1, nodes)]
    return sorted(rng.sample(pairs, edges))


@family((7, 7), (10, 12), (13, 14))
def roster(rng, people, days):
    """Who works which shift: demands that may be missed at a price, dislikes, rest, no lone days."""
    demand = [(d, s, max(1, round(people * part) + rng.randint(-1, 1))) for d in range(days) for s, part in ((0, .3), (1, .25), (2, .2))]
    dislike = [(p, d, s, rng.randint(1, 5)) for p in range(people) for d in range(days) for s in range(3) if rng.random() < .4]
    least, most = days * 4 // 7, days * 5 // 7
    program = f"""{{ on(P,D,S) : S = 0..2 }} 1 :- person(P), day(D).
:- on(P,D,S), on(P,D+1,T), T < S.
busy(P,D) :- on(P,D,_).
:- person(P), not {least} {{ busy(P,D) }} {most}.
:- person(P), day(D), busy(P,D), busy(P,D+1), busy(P,D+2), busy(P,D+3), busy(P,D+4), busy(P,D+5).
lack(D,S,K) :- demand(D,S,N), K = 1..N, {{ on(P,D,S) }} N-K.
lone(P,D) :- busy(P,D), not busy(P,D-1), not busy(P,D+1).
#minimize {{ 20,D,S,K : lack(D,S,K); W,P,D,S : on(P,D,S), dislike(P,D,S,W); 3,P,D : lone(P,D) }}.
person(0..{people - 1}). day(0..{days - 1}).
""" + facts("demand", demand) + facts("dislike", dislike)

    def model(m):
        on = {(p, d, s): m.new_bool_var("") for p in range(people) for d in range(days) for s in range(3)}
        busy = {(p, d): m.new_bool_var("") for p in range(people) for d in range(days)}
        cost = [w * on[p, d, s] for p, d, s, w in dislike]
        for (p, d), b in busy.items():
            m.add(sum(on[p, d, s] for s in range(3)) == b)
            for s in range(3):
                for t in range(s):
                    if d + 1 < days:
                        m.add_bool_or(~on[p, d, s], ~on[p, d + 1, t])
            if d + 5 < days:
                m.add(sum(busy[p, d + k] for k in range(6)) <= 5)
            lone = m.new_bool_var("")
            cost.append(3 * lone)
            m.add_bool_or([~b, lone] + [busy[p, e] for e in (d - 1, d + 1) if (p, e) in busy])
        for p in range(people):
            m.add_linear_constraint(sum(busy[p, d] for d in range(days)), least, most)
        for d, s, n in demand:
            lack = m.new_int_var(0, n, "")
            m.add(sum(on[p, d, s] for p in range(people)) + lack >= n)
            cost.append(20 * lack)
        return sum(cost)
    return Problem(program, model)


@family((14, 60), (22, 80), (32, 100))
def bins(rng, things, capacity):
    """As few bins as possible."""
    sizes = sorted((rng.randint(capacity // 5, capacity * 3 // 5) for _ in range(things)), reverse=True)
    rest = []
    for size in sizes:
        fit = next((b for b, r in enumerate(rest) if r >= size), None)
        if fit is None:
            rest.append(capacity - size)
        else:
            rest[fit] -= size
    program = f"""1 {{ in(T,B) : B = 1..{len(rest)} }} 1 :- size(T,_).
:- B = 1..{len(rest)}, #sum {{ S,T : in(T,B), size(T,S) }} > {capacity}.
used(B) :- in(_,B).
:- used(B), B > 1, not used(B-1).
#minimize {{ 1,B : used(B) }}.
""" + facts("size", enumerate(sizes))

    def model(m):
        used = [m.new_bool_var("") for _ in rest]
        inside = [[m.new_bool_var("") for _ in rest] for _ in sizes]
        for row in inside:
            m.add_exactly_one(row)
        for b, u in enumerate(used):
            m.add(sum(s * row[b] for s, row in zip(sizes, inside)) <= capacity * u)
            if b:
                m.add_implication(u, used[b - 1])
        return sum(used)
    return Problem(program, model)


@family((80, 60), (160, 120), (240, 170))
def cover(rng, things, sets):
    """The cheapest sets that have everything."""
    has = [(t, s) for t in range(things) for s in sorted(rng.sample(range(sets), max(2, sets * 7 // 100)))]
    price = [rng.randint(1, 30) for _ in range(sets)]
    program = """{ take(S) } :- price(S,_).
:- has(T,_), not take(S) : has(T,S).
#minimize { P,S : take(S), price(S,P) }.
""" + facts("has", has) + facts("price", enumerate(price))

    def model(m):
        take = [m.new_bool_var("") for _ in price]
        for t in range(things):
            m.add_bool_or(take[s] for u, s in has if u == t)
        return sum(p * x for p, x in zip(price, take))
    return Problem(program, model)


@family((60, 180), (100, 300), (120, 480))
def independent(rng, nodes, edges):
    """As many nodes without an edge between them as possible."""
    pairs = graph(rng, nodes, edges)
    program = f"{{ in(0..{nodes - 1}) }}.\n:- edge(A,B), in(A), in(B).\n#maximize {{ 1,V : in(V) }}.\n" + facts("edge", pairs)

    def model(m):
        x = [m.new_bool_var("") for _ in range(nodes)]
        for a, b in pairs:
            m.add_bool_or(~x[a], ~x[b])
        return -sum(x)
    return Problem(program, model, -1)


@family((36, 80), (44, 150), (60, 150))
def cut(rng, nodes, edges):
    """Two sides with as much as possible between them."""
    pairs = [(a, b, rng.randint(1, 9)) for a, b in graph(rng, nodes, edges)]
    program = f"""{{ side(1..{nodes - 1}) }}.
cut(A,B) :- edge(A,B,_), side(A), not side(B).
cut(A,B) :- edge(A,B,_), side(B), not side(A).
#maximize {{ W,A,B : cut(A,B), edge(A,B,W) }}.
""" + facts("edge", pairs)

    def model(m):
        side = [m.new_bool_var("") for _ in range(nodes)]
        m.add(side[0] == 0)
        gain = []
        for a, b, w in pairs:
            c = m.new_bool_var("")
            m.add_bool_or(~c, side[a], side[b])
            m.add_bool_or(~c, ~side[a], ~side[b])
            gain.append(w * c)
        return -sum(gain)
    return Problem(program, model, -1)


@family((100,), (200,), (300,))
def upgrades(rng, packages):
    """Versions of packages: nothing removed if possible, little changed, little out of date."""
    versions = [(p, v) for p in range(packages) for v in (1, 2, 3)]
    needs, clashes = [], []
    for p, v in versions:
        for k in range(rng.randint(0, 3)):
            for q in rng.sample(range(packages), rng.randint(1, 2)):
                if q != p:
                    needs.append((p, v, k, q, rng.randint(1, 3)))
        q = rng.randrange(packages)
        if q != p and rng.random() < .25:
            clashes.append((p, v, q, rng.randint(1, 3)))
    present = [(p, rng.randint(1, 2)) for p in range(packages) if rng.random() < .4]
    wanted = [(p,) for p in sorted(rng.sample(range(packages), max(3, packages // 25)))]
    program = """{ in(P,V) : version(P,V) } 1 :- version(P,_).
:- in(P,V), need(P,V,K,_,_), not in(Q,W) : need(P,V,K,Q,L), version(Q,W), W >= L.
:- in(P,V), clash(P,V,Q,U), in(Q,W), W <= U.
has(P) :- in(P,_).
:- want(P), not has(P).
gone(P) :- present(P,_), not has(P).
new(P) :- present(P,V), not in(P,V).
new(P) :- has(P), not present(P,_).
old(P) :- has(P), not in(P,3).
#minimize { 1000000,P,g : gone(P); 1000,P,n : new(P); 1,P,o : old(P) }.
""" + facts("version", versions) + facts("need", needs) + facts("clash", clashes) + facts("present", present) + facts("want", wanted)

    def model(m):
        x = {key: m.new_bool_var("") for key in versions}
        has = [m.new_bool_var("") for _ in range(packages)]
        for p in range(packages):
            m.add(sum(x[p, v] for v in (1, 2, 3)) == has[p])
        groups = {}
        for p, v, k, q, low in needs:
            groups.setdefault((p, v, k), []).extend(x[q, w] for w in range(low, 4))
        for (p, v, _), any_of in groups.items():
            m.add_bool_or([~x[p, v]] + any_of)
        for p, v, q, up in clashes:
            for w in range(1, up + 1):
                m.add_bool_or(~x[p, v], ~x[q, w])
        for p, in wanted:
            m.add(has[p] == 1)
        at = dict(present)
        cost = [1000000 * (1 - has[p]) + 1000 * (1 - x[p, v]) for p, v in present]
        cost += [1000 * has[p] for p in range(packages) if p not in at] + [has[p] - x[p, 3] for p in range(packages)]
        return sum(cost)
    return Problem(program, model)


def distances(rng, nodes):
    places = [(rng.randrange(100), rng.randrange(100)) for _ in range(nodes)]
    return {(a, b): round(math.dist(places[a], places[b])) for a in range(nodes) for b in range(nodes) if a != b}


@family((14,), (20,), (30,))
def tour(rng, towns):
    """The shortest tour."""
    way = distances(rng, towns)
    program = f"""1 {{ go(A,B) : way(A,B,_) }} 1 :- town(A).
1 {{ go(A,B) : way(A,B,_) }} 1 :- town(B).
seen(0). seen(B) :- seen(A), go(A,B).
:- town(A), not seen(A).
#minimize {{ W,A,B : go(A,B), way(A,B,W) }}.
town(0..{towns - 1}).
""" + facts("way", [(a, b, w) for (a, b), w in way.items()])

    def model(m):
        go = {arc: m.new_bool_var("") for arc in way}
        m.add_circuit([(a, b, x) for (a, b), x in go.items()])
        return sum(w * go[arc] for arc, w in way.items())
    return Problem(program, model)


@family((8, 3), (10, 3), (12, 4))
def routes(rng, stops, cars):
    """Cars of a depot serve all stops: loads are limited, and the way is short."""
    way = distances(rng, stops + 1)
    load = [0] + [rng.randint(1, 9) for _ in range(stops)]
    capacity = math.ceil(sum(load) / cars) + 3
    program = f"""1 {{ by(S,C) : C = 1..{cars} }} 1 :- S = 1..{stops}.
:- C = 1..{cars}, #sum {{ L,S : by(S,C), load(S,L) }} > {capacity}.
1 {{ go(A,B) : way(A,B,_) }} 1 :- A = 1..{stops}.
1 {{ go(A,B) : way(A,B,_) }} 1 :- B = 1..{stops}.
{{ go(0,B) : way(0,B,_) }} {cars}.
:- go(A,B), A > 0, B > 0, by(A,C), not by(B,C).
:- go(0,A), go(0,B), A < B, by(A,C), by(B,C).
seen(B) :- go(0,B). seen(B) :- seen(A), go(A,B), B > 0.
:- S = 1..{stops}, not seen(S).
#minimize {{ W,A,B : go(A,B), way(A,B,W) }}.
""" + facts("way", [(a, b, w) for (a, b), w in way.items()]) + facts("load", [(s, load[s]) for s in range(1, stops + 1)])

    def model(m):
        go = {arc: m.new_bool_var("") for arc in way}
        m.add_multiple_circuit([(a, b, x) for (a, b), x in go.items()])
        m.add(sum(x for (a, _), x in go.items() if a == 0) <= cars)
        carried = [m.new_int_var(load[s], capacity, "") for s in range(stops + 1)]
        for (a, b), x in go.items():
            if a and b:
                m.add(carried[b] >= carried[a] + load[b]).only_enforce_if(x)
        return sum(w * go[arc] for arc, w in way.items())
    return Problem(program, model)


@family((5, 20), (8, 32), (10, 45))
def agents(rng, agents, jobs):
    """Each job to an agent with little enough to do, cheaply."""
    time = [(a, j, rng.randint(5, 25)) for a in range(agents) for j in range(jobs)]
    price = [(a, j, rng.randint(10, 50)) for a in range(agents) for j in range(jobs)]
    limit = [sum(t for b, _, t in time if b == a) * 8 // (10 * agents) for a in range(agents)]
    program = f"""1 {{ does(A,J) : A = 0..{agents - 1} }} 1 :- J = 0..{jobs - 1}.
:- limit(A,L), #sum {{ T,J : does(A,J), time(A,J,T) }} > L.
#minimize {{ P,A,J : does(A,J), price(A,J,P) }}.
""" + facts("time", time) + facts("price", price) + facts("limit", enumerate(limit))

    def model(m):
        does = {(a, j): m.new_bool_var("") for a, j, _ in time}
        for j in range(jobs):
            m.add_exactly_one(does[a, j] for a in range(agents))
        for a in range(agents):
            m.add(sum(t * does[b, j] for b, j, t in time if b == a) <= limit[a])
        return sum(p * does[a, j] for a, j, p in price)
    return Problem(program, model)


@family((20, 50, 6), (30, 70, 8), (40, 95, 10))
def net(rng, nodes, edges, ends):
    """The cheapest edges that connect some nodes."""
    order = rng.sample(range(nodes), nodes)
    tree = [tuple(sorted((order[i], order[rng.randrange(i)]))) for i in range(1, nodes)]
    others = [pair for pair in graph(rng, nodes, edges) if pair not in tree]
    pairs = [(a, b, rng.randint(1, 20)) for a, b in sorted(tree + others[:edges - nodes + 1])]
    needed = rng.sample(range(nodes), ends)
    program = f"""{{ use(A,B) }} :- edge(A,B,_).
on({needed[0]}). on(B) :- on(A), use(A,B). on(A) :- on(B), use(A,B).
:- end(V), not on(V).
#minimize {{ W,A,B : use(A,B), edge(A,B,W) }}.
""" + facts("edge", pairs) + facts("end", [(v,) for v in needed])

    def model(m):
        # A tree from the first end: arcs, and nodes outside of it as loops of their own.
        use = {(a, b): m.new_bool_var("") for a, b, _ in pairs}
        arcs = {}
        for a, b, _ in pairs:
            arcs[a, b], arcs[b, a] = m.new_bool_var(""), m.new_bool_var("")
            m.add(arcs[a, b] + arcs[b, a] == use[a, b])
        depth = [m.new_int_var(0, nodes, "") for _ in range(nodes)]
        for v in range(nodes):
            into = [x for (_, b), x in arcs.items() if b == v]
            if v == needed[0]:
                m.add(sum(into) == 0)
                continue
            inside = 1 if v in needed else m.new_bool_var("")
            m.add(sum(into) == inside)
            for (a, _), x in arcs.items():
                if a == v:
                    m.add(x <= inside)
        for (a, b), x in arcs.items():
            m.add(depth[b] >= depth[a] + 1).only_enforce_if(x)
        return sum(w * use[a, b] for a, b, w in pairs)
    return Problem(program, model)


@family((15, 45), (20, 70), (28, 110))
def order(rng, nodes, arcs):
    """An order of nodes with few arcs that go back."""
    pairs = [(a, b) for a in range(nodes) for b in range(nodes) if a != b]
    weighed = [(a, b, rng.randint(1, 9)) for a, b in sorted(rng.sample(pairs, arcs))]
    program = """{ out(A,B) } :- arc(A,B,_).
before(A,B) :- arc(A,B,_), not out(A,B).
before(A,C) :- before(A,B), arc(B,C,_), not out(B,C).
:- before(A,A).
#minimize { W,A,B : out(A,B), arc(A,B,W) }.
""" + facts("arc", weighed)

    def model(m):
        at = [m.new_int_var(0, nodes - 1, "") for _ in range(nodes)]
        out = {(a, b): m.new_bool_var("") for a, b, _ in weighed}
        for (a, b), x in out.items():
            m.add(at[a] < at[b]).only_enforce_if(~x)
        return sum(w * out[a, b] for a, b, w in weighed)
    return Problem(program, model)


@family((25, 5), (35, 5), (48, 5))
def load(rng, things, limits):
    """The most valuable load within several limits."""
    weight = [(k, t, rng.randint(10, 99)) for k in range(limits) for t in range(things)]
    limit = [sum(w for j, _, w in weight if j == k) // 2 for k in range(limits)]
    worth = [sum(w for _, u, w in weight if u == t) // limits + rng.randint(0, 29) for t in range(things)]
    program = """{ in(T) : worth(T,_) }.
:- limit(K,L), #sum { W,T : in(T), weight(K,T,W) } > L.
#maximize { V,T : in(T), worth(T,V) }.
""" + facts("weight", weight) + facts("limit", enumerate(limit)) + facts("worth", enumerate(worth))

    def model(m):
        x = [m.new_bool_var("") for _ in worth]
        for k, most in enumerate(limit):
            m.add(sum(w * x[t] for j, t, w in weight if j == k) <= most)
        return -sum(v * y for v, y in zip(worth, x))
    return Problem(program, model, -1)


@family((12, 3, 15), (18, 4, 20), (26, 5, 25))
def lessons(rng, courses, rooms, slots):
    """When courses are held: rooms, teachers, classes, wishes, and few days for each class."""
    count = [rng.randint(1, 3) for _ in range(courses)]
    while sum(count) > rooms * slots * .8:
        count[rng.randrange(courses)] = 1
    teacher = [rng.randrange(courses // 3) for _ in range(courses)]
    visits = [(k, c) for k in range(courses // 3) for c in sorted(rng.sample(range(courses), 4))]
    never = [(c, s) for c in range(courses) for s in range(slots) if rng.random() < .15]
    dislike = [(c, s, rng.randint(1, 9)) for c in range(courses) for s in range(slots) if rng.random() < .5]
    program = f"""N {{ at(C,S) : S = 0..{slots - 1}, not never(C,S) }} N :- count(C,N).
:- S = 0..{slots - 1}, {rooms + 1} {{ at(C,S) : count(C,_) }}.
:- S = 0..{slots - 1}, teacher(_,T), 2 {{ at(C,S) : teacher(C,T) }}.
:- S = 0..{slots - 1}, visit(K,_), 2 {{ at(C,S) : visit(K,C) }}.
there(K,S/5) :- visit(K,C), at(C,S).
#minimize {{ W,C,S : at(C,S), dislike(C,S,W); 5,K,D : there(K,D) }}.
""" + facts("count", enumerate(count)) + facts("teacher", enumerate(teacher)) + facts("visit", visits)
    program += facts("never", never) + facts("dislike", dislike)

    def model(m):
        at = {(c, s): m.new_bool_var("") for c in range(courses) for s in range(slots)}
        cost = [w * at[c, s] for c, s, w in dislike]
        for c in range(courses):
            m.add(sum(at[c, s] for s in range(slots)) == count[c])
        for c, s in never:
            m.add(at[c, s] == 0)
        classes = [[c for k, c in visits if k == v] for v in range(courses // 3)]
        for s in range(slots):
            m.add(sum(at[c, s] for c in range(courses)) <= rooms)
            for t in set(teacher):
                m.add_at_most_one(at[c, s] for c in range(courses) if teacher[c] == t)
            for members in classes:
                m.add_at_most_one(at[c, s] for c in members)
        for members in classes:
            for day in range(slots // 5):
                there = m.new_bool_var("")
                cost.append(5 * there)
                for c in members:
                    for s in range(5 * day, 5 * day + 5):
                        m.add_implication(at[c, s], there)
        return sum(cost)
    return Problem(program, model)
