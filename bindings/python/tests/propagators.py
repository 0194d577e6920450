"""Propagators written in Python, run by whatever library the package clingo is on.

    python propagators.py [--own]       one line a scenario, as JSON; --own: on clingo's own library in any case

A scenario returns what every library must agree on: sets of models, never the order in which they are found.
"""

import itertools
import json
import sys

if "--own" in sys.argv:
    # The package falls back to its own library.
    sys.modules["_clingo"] = None

from clingo import Control, Function, Number
from clingo.propagator import PropagatorCheckMode, PropagatorUndoMode


def models(control, **options):
    found = []
    control.solve(on_model=lambda m: found.append(" ".join(sorted(map(str, m.symbols(shown=True))))), **options)
    return sorted(found)


def grounded(text, *arguments):
    control = Control(["0", *arguments])
    control.add("base", [], text)
    control.ground([("base", [])])
    return control


class Pigeons:
    """No two pigeons in one hole, by clauses for what was just placed."""

    def __init__(self):
        self.states = []
        self.places = {}

    def init(self, init):
        self.places = {}
        for atom in init.symbolic_atoms.by_signature("place", 2):
            literal = init.solver_literal(atom.literal)
            self.places.setdefault(literal, []).append(atom.symbol.arguments[1].number)
            init.add_watch(literal)
        self.states = [{} for _ in range(init.number_of_threads)]

    def propagate(self, control, changes):
        holes = self.states[control.thread_id]
        for literal in changes:
            for hole in self.places[literal]:
                other = holes.setdefault(hole, literal)
                if other != literal and not (control.add_clause([-literal, -other]) and control.propagate()):
                    return

    def undo(self, thread_id, assignment, changes):
        holes = self.states[thread_id]
        for literal in changes:
            for hole in self.places[literal]:
                if holes.get(hole) == literal:
                    del holes[hole]


PIGEONS = "1 { place(P,H) : H = 1..%d } 1 :- P = 1..%d."


def pigeons(holes, count, *arguments):
    control = grounded(PIGEONS % (holes, count), *arguments)
    control.register_propagator(Pigeons())
    return models(control)


class AllDifferent:
    """Different values, by counting: when a variable gets a value, all others lose it."""

    def init(self, init):
        self.values = {}
        self.of = {}
        for atom in init.symbolic_atoms.by_signature("v", 2):
            variable, value = atom.symbol.arguments
            literal = init.solver_literal(atom.literal)
            self.values.setdefault(value, []).append((variable, literal))
            self.of.setdefault(literal, []).append((variable, value))
            init.add_watch(literal)

    def propagate(self, control, changes):
        for literal in changes:
            for variable, value in self.of[literal]:
                for other, its in self.values[value]:
                    if other != variable and not control.assignment.is_false(its):
                        if not control.add_clause([-literal, -its]) or not control.propagate():
                            return


class Colours:
    """Neighbours have different colours: looked at when everything has a value, or at fixpoints."""

    def __init__(self, mode, **options):
        self.mode = mode
        self.options = options

    def init(self, init):
        colour = {a.symbol.arguments[0]: {} for a in init.symbolic_atoms.by_signature("colour", 2)}
        for atom in init.symbolic_atoms.by_signature("colour", 2):
            node, value = atom.symbol.arguments
            colour[node][value] = init.solver_literal(atom.literal)
        self.pairs = []
        for atom in init.symbolic_atoms.by_signature("edge", 2):
            a, b = (colour[node] for node in atom.symbol.arguments)
            self.pairs += [(a[value], b[value]) for value in a if value in b]
        init.check_mode = self.mode

    def check(self, control):
        assignment = control.assignment
        for a, b in self.pairs:
            if assignment.is_true(a) and assignment.is_true(b):
                assert not control.add_clause([-a, -b], **self.options) or assignment.decision_level == 0
                return


GRAPH = "edge(1,2). edge(2,3). edge(3,4). edge(4,1). edge(1,3). edge(4,5). 1 { colour(1..5,(r;g;b)) } 5 :- 1 = 1. :- N = 1..5, not 1 { colour(N,_) } 1. #show colour/2."


def colours(mode, **options):
    control = grounded(GRAPH)
    control.register_propagator(Colours(mode, **options))
    first = models(control)
    # Clauses of the first call are gone, or not: the answers are the same.
    assert first == models(control)
    return first


DIFFERENCES = """
#theory dl { t { - : 3, unary; - : 0, binary, left }; &diff/0 : t, {<=}, t, any }.
{ before(I,J) } :- I = 1..3, J = I+1..3.
&diff { I - J } <= -D :- before(I,J), D = I.
&diff { J - I } <= -D :- not before(I,J), I = 1..3, J = I+1..3, D = J.
:- not &diff { 1 - 3 } <= 5.
&diff { 0 - I } <= 0 :- I = 1..3.
&diff { I - 0 } <= limit - I :- I = 1..3.
b(I) :- &diff { I - 0 } <= 2, I = 1..3.
"""


class Differences:
    """Difference constraints: conflicts are negative cycles, found anew each time (Bellman and Ford)."""

    def init(self, init):
        self.edges = {}
        for atom in init.theory_atoms:
            minus = atom.elements[0].terms[0]
            a, b = map(str, minus.arguments)
            weight = self.evaluate(atom.guard[1])
            literal = init.solver_literal(atom.literal)
            self.edges.setdefault(literal, []).append((a, b, weight))
            # If it does not hold, the other way round holds.
            self.edges.setdefault(-literal, []).append((b, a, -weight - 1))
            init.add_watch(literal)
            init.add_watch(-literal)
        init.check_mode = PropagatorCheckMode.Fixpoint
        self.active = [[] for _ in range(init.number_of_threads)]

    def evaluate(self, term):
        text = str(term)
        return eval(text, {"__builtins__": {}})

    def propagate(self, control, changes):
        self.active[control.thread_id] += changes

    def undo(self, thread_id, assignment, changes):
        for literal in reversed(changes):
            assert self.active[thread_id].pop() == literal

    def check(self, control):
        edges = [(a, b, w, l) for l in self.active[control.thread_id] for a, b, w in self.edges[l]]
        distance = {node: 0 for a, b, _, _ in edges for node in (a, b)}
        before = {}
        last = None
        for _ in range(len(distance) + 1):
            last = None
            for a, b, w, literal in edges:
                if distance[b] > distance[a] + w:
                    distance[b] = distance[a] + w
                    before[b] = (a, literal)
                    last = b
        if last is None:
            return
        for _ in distance:
            last = before[last][0]
        cycle, node = [], last
        while True:
            node, literal = before[node]
            cycle.append(-literal)
            if node == last:
                break
        assert not control.add_clause(cycle)


def differences(limit, *arguments):
    control = grounded(DIFFERENCES.replace("limit", str(limit)), *arguments)
    control.register_propagator(Differences())
    return models(control)


class Wish:
    """Decides on what is wished first."""

    def __init__(self, wishes):
        self.wishes = wishes
        self.fallbacks = 0

    def init(self, init):
        atoms = init.symbolic_atoms
        self.literals = [init.solver_literal(atoms[Function(name)].literal) * sign for name, sign in self.wishes]

    def decide(self, thread_id, assignment, fallback):
        assert assignment.is_free(fallback)
        for literal in self.literals:
            if assignment.is_free(literal):
                return literal
        self.fallbacks += 1
        return 0


def first_wish(wishes):
    control = grounded("{ a; b; c; d; e }. :- a, b. :- not c, not d.")
    control.configuration.solve.models = 1
    wish = Wish(wishes)
    control.register_propagator(wish)
    return models(control)


class Mirror:
    """Keeps books of what it is told and compares them with the assignment, level by level."""

    def __init__(self, mode, undo):
        self.mode, self.undo_mode = mode, undo
        self.steps = 0

    def init(self, init):
        self.steps += 1
        self.literals = {init.solver_literal(a.literal) for a in init.symbolic_atoms}
        for literal in self.literals:
            init.add_watch(literal)
            init.add_watch(-literal)
        init.check_mode, init.undo_mode = self.mode, self.undo_mode
        self.books = [] if self.steps == 1 else self.books
        self.checked = []
        self.undone = 0

    def compare(self, assignment):
        told = [literal for _, literal in self.books]
        for level, literal in self.books:
            assert assignment.is_true(literal) and assignment.is_false(-literal)
            assert assignment.level(literal) == level == assignment.level(-literal), (level, assignment.level(literal))
        trail = list(assignment.trail)
        assert len(trail) == len(set(trail)) and all(map(assignment.is_true, trail))
        assert [l for l in trail if l in self.literals or -l in self.literals] == told, (trail, told)
        levels = [assignment.level(literal) for literal in trail]
        assert levels == sorted(levels)
        for level in range(assignment.decision_level + 1):
            part = trail[assignment.trail.begin(level):assignment.trail.end(level)]
            assert all(assignment.level(literal) == level for literal in part)
            assert level == 0 or part[0] == assignment.decision(level)
        assert assignment.root_level <= assignment.decision_level
        assert len(assignment) == sum(1 for _ in assignment) and assignment.has_literal(assignment[0])

    def propagate(self, control, changes):
        assignment = control.assignment
        assert changes and not assignment.has_conflict
        self.books += [(assignment.level(literal), literal) for literal in changes]
        self.compare(assignment)

    def check(self, control):
        assignment = control.assignment
        self.compare(assignment)
        if assignment.is_total:
            assert len(self.books) == len({abs(l) for l in self.literals})
        self.checked.append(assignment.decision_level)

    def undo(self, thread_id, assignment, changes):
        level = assignment.decision_level
        assert level > 0 and not assignment.has_conflict
        own = [literal for at, literal in self.books if at == level]
        assert own == changes, (own, changes)
        assert all(assignment.value(literal) is None for literal in changes)
        if not changes:
            assert self.undo_mode == PropagatorUndoMode.Always and level in self.checked
        self.undone += 1
        self.books = [entry for entry in self.books if entry[0] != level]
        self.checked = [at for at in self.checked if at < level]
        self.compare_below(assignment)

    def compare_below(self, assignment):
        assert all(at < assignment.decision_level and assignment.is_true(literal) for at, literal in self.books)


MIRRORED = "{ a(1..4) }. b(X) :- a(X), not a(X+1). c :- b(1), b(3). :- c, not a(2). 1 { d; e } 1 :- b(2). #external x. f :- x, a(1)."


def mirrored(mode, undo):
    control = grounded(MIRRORED)
    mirror = Mirror(mode, undo)
    control.register_propagator(mirror)
    found = [models(control)]
    found.append(models(control, assumptions=[(Function("a", [Number(2)]), True), (Function("d"), False)]))
    control.assign_external(Function("x"), True)
    found.append(models(control))
    assert mirror.undone > 0 and all(at == 0 for at, _ in mirror.books)
    return found


class AtMost:
    """At most so many of some atoms; in each step the atoms that are there then."""

    def __init__(self, bound):
        self.bound = bound
        self.inits = 0

    def init(self, init):
        self.inits += 1
        self.literals = [init.solver_literal(a.literal) for a in init.symbolic_atoms.by_signature("p", 2)]

    def check(self, control):
        true = [l for l in self.literals if control.assignment.is_true(l)]
        if len(true) > self.bound:
            control.add_clause([-l for l in true[: self.bound + 1]], lock=True)


def steps():
    control = Control(["0"])
    control.add("step", ["t"], "{ p(t,1..2) }. q(t) :- p(t,1), not p(t,2). :- p(t,2), p(t-1,2). #external n(t). :- n(t), p(t,1).")
    most = AtMost(2)
    control.register_propagator(most)
    found = []
    for step in range(1, 4):
        control.ground([("step", [Number(step)])])
        control.assign_external(Function("n", [Number(step)]), step == 2)
        found.append(models(control))
    assert most.inits == 3
    return found


class Sums:
    """Constraints that are added before the search."""

    def __init__(self, kind, equal, is_reified):
        self.kind, self.equal, self.is_reified = kind, equal, is_reified

    def init(self, init):
        p = [init.solver_literal(init.symbolic_atoms[Function("p", [Number(i)])].literal) for i in range(1, 5)]
        terms = list(zip(p, (2, 3, -1, 2)))
        assert init.add_weight_constraint(p[3] if self.is_reified else 1, terms, 3, self.kind, self.equal)
        assert init.add_clause([p[0], p[1], -p[2]])
        assert init.propagate()


def sums(kind, equal, is_reified):
    control = grounded("{ p(1..4) }.")
    control.register_propagator(Sums(kind, equal, is_reified))
    return models(control)


def sums_by_definition(kind, equal, is_reified):
    found = []
    for p in itertools.product((0, 1), repeat=4):
        total = 2 * p[0] + 3 * p[1] - p[2] + 2 * p[3]
        holds = total == 3 if equal else total >= 3
        literal = bool(p[3]) or not is_reified
        if {0: literal == holds, 1: holds or not literal, -1: literal or not holds}[kind] and (p[0] or p[1] or not p[2]):
            found.append(" ".join("p(%d)" % (i + 1) for i in range(4) if p[i]))
    return sorted(found)


class Costs:
    def init(self, init):
        if init.assignment.decision_level == 0 and not hasattr(self, "done"):
            self.done = True
            a, b = (init.solver_literal(init.symbolic_atoms[Function(n)].literal) for n in "ab")
            own = init.add_literal()
            # own if and only if a and not b.
            init.add_clause([-own, a])
            init.add_clause([-own, -b])
            init.add_clause([own, -a, b])
            init.add_minimize(own, 4, 2)
            init.add_minimize(-b, 1)
            init.add_minimize(a, -2)


def costs():
    control = grounded("{ a; b }. #minimize { 1@1 : a }.")
    control.register_propagator(Costs())
    found = []
    control.configuration.solve.opt_mode = "optN"
    for _ in range(2):
        best = []
        control.solve(on_model=lambda m: best.append((str(m), m.cost)) if m.optimality_proven else None)
        found.append(best)
    return found


class Lazy:
    """A literal that is made in the search: all of some atoms hold with it, and none without."""

    def init(self, init):
        self.p = [init.solver_literal(a.literal) for a in init.symbolic_atoms.by_signature("p", 1)]
        self.own = None

    def check(self, control):
        if self.own is None:
            self.own = control.add_literal()
            assert not control.assignment.is_total and control.assignment.is_free(self.own)
            control.add_watch(self.own)
            assert control.has_watch(self.own) and not control.has_watch(-self.own)
            control.remove_watch(self.own)
            assert not control.has_watch(self.own)
        assignment = control.assignment
        for literal in self.p:
            for clause in ([-self.own, literal], [self.own, -literal]):
                if not any(assignment.is_true(l) for l in clause):
                    if not control.add_clause(clause) or not control.propagate():
                        return


def lazy():
    control = grounded("{ p(1..3) }.")
    control.register_propagator(Lazy())
    return [models(control) for _ in range(3)]


class Conditions:
    """Literals of conditions of theory elements."""

    def init(self, init):
        self.table = []
        atoms = {str(a.symbol): init.solver_literal(a.literal) for a in init.symbolic_atoms}
        for atom in init.theory_atoms:
            for element in atom.elements:
                self.table.append((str(element), init.solver_literal(element.condition_id)))
        self.literals = atoms

    def check(self, control):
        # Nothing that is not a conjunction's value is found.
        for text, literal in self.table:
            condition = text.split(":")[1].strip() if ":" in text else ""
            value = all(
                control.assignment.is_true(self.literals[part.replace("not ", "")]) != part.startswith("not ")
                for part in condition.split(",")
                if part
            )
            assert control.assignment.is_true(literal) == value, (text, literal)


def conditions():
    control = grounded("#theory t { x { }; &s/0 : x, any }. { a; b; c }. &s { 1 : a; 2 : a, not b; 3; 4 : not c, b, a; 5 : d }. d.")
    control.register_propagator(Conditions())
    return models(control)


def two():
    """Two propagators, one after the other."""
    control = grounded("1 { v(X,1..3) } 1 :- X = 1..3. place(X,H) :- v(X,H). #show v/2.")
    control.register_propagator(AllDifferent())
    control.register_propagator(Pigeons())
    control.register_propagator(Conditionless())
    return models(control)


class Conditionless:
    """Has no functions but one that does nothing."""

    def check(self, control):
        pass


def alldifferent():
    control = grounded("1 { v(X,1..4) } 1 :- X = 1..4. :- v(1,X), v(2,Y), X > Y.")
    control.register_propagator(AllDifferent())
    return models(control)


SCENARIOS = {
    "pigeons 4 5": lambda: pigeons(4, 5),
    "pigeons 4 3": lambda: pigeons(4, 3),
    "pigeons in two threads": lambda: pigeons(4, 3, "-t2"),
    "all different": alldifferent,
    "colours, total": lambda: colours(PropagatorCheckMode.Total),
    "colours, fixpoints": lambda: colours(PropagatorCheckMode.Fixpoint),
    "colours, both, volatile": lambda: colours(PropagatorCheckMode.Both, tag=True),
    "colours, volatile, static": lambda: colours(PropagatorCheckMode.Total, tag=True, lock=True),
    "colours, static": lambda: colours(PropagatorCheckMode.Fixpoint, lock=True),
    "differences": lambda: [differences(limit) for limit in (4, 6, 8)],
    "differences in two threads": lambda: differences(7, "-t2"),
    "wishes": lambda: [
        first_wish([("a", 1), ("b", 1), ("c", -1), ("d", 1), ("e", 1)]),
        first_wish([("b", 1), ("a", 1), ("c", 1), ("d", -1), ("e", -1)]),
        first_wish([("d", -1), ("a", -1), ("b", -1), ("e", 1)]),
    ],
    "mirrors": lambda: [
        mirrored(mode, undo)
        for mode in (PropagatorCheckMode.Off, PropagatorCheckMode.Total, PropagatorCheckMode.Fixpoint, PropagatorCheckMode.Both)
        for undo in (PropagatorUndoMode.Default, PropagatorUndoMode.Always)
    ],
    "steps": steps,
    # What clingo makes of an equality that is reified, or of one that implies what always holds, is not what its header says.
    "sums": lambda: [sums(kind, False, True) for kind in (-1, 0, 1)] + [sums(kind, True, False) for kind in (0, 1)],
    "costs": costs,
    "lazy": lazy,
    "conditions": conditions,
    "two": two,
}


def main():
    for name, scenario in SCENARIOS.items():
        print(json.dumps([name, scenario()]), flush=True)


if __name__ == "__main__":
    main()
