"""Random programs with random propagators, run by whatever library the package clingo is on.

    python propagator_traces.py FIRST COUNT       one line a seed: the seed, and what its calls came to

Each seed is a program in some steps and a set of nogoods that a propagator sees to: in its functions of some kind, by clauses
of some lifetime, with watches that come and go. The same program with the nogoods as constraints must have the same answers,
and the line tells of both. What libraries are free to choose (numbers of literals, the order of models) is not printed.
"""

import random

import seeds
from clingo import Control, Function, Number
from clingo.propagator import PropagatorCheckMode, PropagatorUndoMode
from clingo.symbol import parse_term

POOL = ["a", "b", "c", "d", "p(1)", "p(2)", "p(3)"]
# Ways to search, and to go through the answers.
OPTIONS = [
    ["--opt-mode=optN"],
    ["--opt-mode=optN"],
    ["--opt-mode=optN", "--opt-strategy=usc"],
    ["--opt-mode=optN", "--restart-on-model"],
    ["--opt-mode=ignore", "--enum-mode=record"],
    ["--opt-mode=ignore", "--lookahead=atom"],
    ["--opt-mode=ignore", "--sat-prepro=2"],
    ["--opt-mode=ignore", "--heuristic=Domain", "--dom-mod=true,show"],
    ["--opt-mode=ignore", "--project=show"],
    ["--opt-mode=ignore", "--enum-mode=brave"],
    ["--opt-mode=ignore", "--enum-mode=cautious"],
]
MODES = [PropagatorCheckMode.Off, PropagatorCheckMode.Total, PropagatorCheckMode.Fixpoint, PropagatorCheckMode.Both]


class Nogoods:
    """Sees to it that of each list of literals not all hold."""

    def __init__(self, trace, nogoods):
        r = trace.random
        self.nogoods = nogoods
        self.watches = r.random() < 0.7
        self.mode = r.choice(MODES[1:]) if not self.watches else r.choice(MODES)
        self.undo_mode = r.choice(list(PropagatorUndoMode))
        # What holds at the root is told once, but a clause of a call is there for that call only.
        self.lifetime = {"tag": self.mode != PropagatorCheckMode.Off and r.random() < 0.4, "lock": r.random() < 0.4}
        self.propagates = r.random() < 0.6
        self.eager = r.random() < 0.5
        self.own = r.random() < 0.2
        self.adds = r.random() < 0.3
        # What is told, by thread; and how often.
        self.told = []
        self.inits = 0
        self.seed = r.random()

    def init(self, init):
        self.inits += 1
        self.random = random.Random(self.seed)
        atoms = init.symbolic_atoms
        self.literal = {}
        for number, name in enumerate(POOL, 1):
            atom = atoms[parse_term(name)]
            literal = init.solver_literal(atom.literal) if atom is not None else -1
            self.literal[number], self.literal[-number] = literal, -literal
        # Each literal once, and no two that contradict each other: clingo does not always see to that itself.
        clauses = [{-self.literal[l] for l in nogood} for nogood in self.nogoods]
        self.clauses = [sorted(clause) for clause in clauses if not any(-l in clause for l in clause)]
        if self.adds and self.inits == 1 and self.clauses and not init.add_clause(self.clauses[0]):
            return
        if self.watches:
            for literal in set(self.literal.values()):
                init.add_watch(literal)
        init.check_mode, init.undo_mode = self.mode, self.undo_mode
        if self.inits == 1:
            self.told = []
        if not init.propagate():
            return
        self.extra = None

    def look(self, control):
        assignment = control.assignment
        for clause in self.clauses:
            if any(assignment.is_true(l) for l in clause):
                continue
            open_ = {l for l in clause if assignment.is_free(l)}
            if len(open_) > 1 and not (self.eager and self.random.random() < 0.3):
                continue
            if self.own and self.extra is None:
                self.extra = control.add_literal()
                if not control.add_clause([self.extra]) or not control.propagate():
                    return
            if not control.add_clause(clause, **self.lifetime):
                return
            if self.propagates and not control.propagate():
                return

    def propagate(self, control, changes):
        for literal in changes:
            assert control.assignment.is_true(literal) and literal not in self.told
        self.told += changes
        if self.mode in (PropagatorCheckMode.Off, PropagatorCheckMode.Total) or self.eager:
            self.look(control)

    def check(self, control):
        if self.watches:
            assert all(control.assignment.is_true(literal) for literal in self.told)
        if self.mode != PropagatorCheckMode.Total or control.assignment.is_total:
            self.look(control)

    def undo(self, thread_id, assignment, changes):
        for literal in reversed(changes):
            assert self.told.pop() == literal and assignment.is_free(literal)


class Wishing(Nogoods):
    """Decides, too."""

    def __init__(self, trace, nogoods):
        super().__init__(trace, nogoods)
        r = trace.random
        self.wishes = [r.choice([1, -1]) * r.randint(1, len(POOL)) for _ in range(r.randint(1, 3))]

    def decide(self, thread_id, assignment, fallback):
        for wish in self.wishes:
            if assignment.is_free(self.literal[wish]):
                return self.literal[wish]
        return 0


class Trace:
    """A program in steps, once with a propagator, once with constraints."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.out = []

    def literal(self):
        return self.random.choice(["", "", "not ", "not not "]) + self.random.choice(POOL)

    def body(self, most):
        return ", ".join(self.literal() for _ in range(self.random.randint(1, most)))

    def statement(self):
        kind = self.random.randrange(10)
        atom = self.random.choice(POOL)
        if kind < 4:
            return "{ %s; %s }." % (atom, self.random.choice(POOL))
        if kind < 7:
            return "%s :- %s." % (atom, self.body(3))
        if kind == 7:
            return ":- %s, %s." % (self.body(2), self.literal())
        if kind == 8:
            return "1 { %s; %s } 1 :- %s." % (atom, self.random.choice(POOL), self.body(1))
        return "%s ; %s :- %s." % (atom, self.random.choice(POOL), self.body(2))

    def nogood(self):
        count = len(POOL)
        return [self.random.choice([1, 1, -1]) * self.random.randint(1, count) for _ in range(self.random.randint(1, 4))]

    def run(self):
        text = "\n".join(self.statement() for _ in range(self.random.randint(2, 8)))
        text += "\n#external x. y :- x, not a. { k1; k2 }. :- k1, k2, b."
        part = "{ s(t) }. u(t) :- s(t), not x. :- s(t), s(t-1), p(1)."
        if self.random.random() < 0.3:
            text += "\n#minimize { 1,a : a; 2,b : b; -1,p : p(1); 1,k : k1 }."
        nogoods = [self.nogood() for _ in range(self.random.randint(1, 6))]
        threads = ["-t2"] if self.random.random() < 0.1 else []
        options = self.random.choice(OPTIONS)
        self.projects = "--project=show" in options
        if self.projects:
            text += "\n#show a/0. #show d/0. #show k1/0. #show y/0."
        # Consequences are what the last model says.
        self.consequences = "brave" in options[-1] or "cautious" in options[-1]
        self.is_plain = not threads and "#minimize" not in text and not self.consequences and not self.projects
        self.controls = []
        for by_propagator in (True, False):
            control = Control(["0", *options, *([] if by_propagator else threads)], logger=lambda *_: None)
            control.enable_cleanup = False
            control.add("base", [], text)
            control.add("part", ["t"], part)
            if by_propagator:
                split = self.random.randint(0, len(nogoods))
                for some in (nogoods[:split], nogoods[split:]):
                    if some:
                        control.register_propagator(self.random.choice([Nogoods, Wishing])(self, some))
            else:
                name = lambda l: POOL[l - 1] if l > 0 else "not " + POOL[-l - 1]
                control.add("base", [], "\n".join(":- %s." % ", ".join(map(name, nogood)) for nogood in nogoods))
            control.ground([("base", [])])
            self.controls.append(control)
        for step in range(1, self.random.randint(2, 4)):
            self.act(step)
            found = [self.solve(control) for control in self.controls]
            if found[0] != found[1]:
                self.out.append("PROPAGATOR %s CONSTRAINTS" % found[0])
            self.out.append(found[1])
        return self.out

    def act(self, step):
        kind = self.random.randrange(5)
        value = self.random.choice([True, False, None])
        self.assumptions = [(Function(k), self.random.random() < 0.5) for k in ("k1", "k2") if self.random.random() < 0.3]
        heuristic = self.random.choice(["Berkmin", "Vsids", "Vmtf"])
        for control in self.controls:
            if kind == 0:
                control.ground([("part", [Number(step)])])
            elif kind == 1:
                control.assign_external(Function("x"), value)
            elif kind == 2:
                control.configuration.solver.heuristic = heuristic
        self.mode = self.random.randrange(3)
        self.blocks = self.is_plain and self.random.random() < 0.3

    def solve(self, control):
        found = []

        def see(model):
            if self.blocks:
                # One answer for each choice among k1 and k2.
                choice = [(Function(k), model.contains(Function(k))) for k in ("k1", "k2")]
                model.context.add_nogood(choice)
                found.append(" ".join(str(k) for k, holds in choice if holds))
            elif self.consequences:
                found[:] = [" ".join(sorted(map(str, model.symbols(atoms=True))))]
            elif self.projects:
                found.append(" ".join(sorted(map(str, model.symbols(shown=True)))))
            elif not model.cost or model.optimality_proven:
                found.append(" ".join(sorted(map(str, model.symbols(atoms=True)))) + str([c for c in model.cost if c]))

        options = {"assumptions": self.assumptions}
        if self.mode == 0:
            with control.solve(yield_=True, **options) as handle:
                for model in handle:
                    see(model)
                result = handle.get()
        else:
            result = control.solve(on_model=see, **options) if self.mode == 1 else self.solve_asynchronously(control, see, options)
        # Literals that are added make more models of the same atoms.
        return "%s %s %s" % (result.satisfiable, result.exhausted, sorted(set(found)))

    def solve_asynchronously(self, control, see, options):
        with control.solve(on_model=see, async_=True, **options) as handle:
            return handle.get()


if __name__ == "__main__":
    seeds.run(Trace)
