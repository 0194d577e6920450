"""Random calls of the package clingo's interface, run by whatever library it is on.

    python traces.py FIRST COUNT        one line a seed: the seed, and what its calls came to

Two environments that print the same lines agree: one with clingo's own library, one with ours. What libraries are free to
choose (numbers of literals, the order of models, which of several cores) is not printed.
"""

import random

import seeds
from clingo import Control, Function, Number
from clingo.symbol import parse_term


KEPT = ["k1", "k2", "k3"]


def names(symbols):
    return " ".join(sorted(map(str, symbols)))


class Trace:
    """A program with its parts, externals and rules from the backend, in steps."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.out = []
        self.step = 0
        self.external = []
        self.free = []
        self.has_costs = False
        # Whether there are no more models; how clingo treats such a program is not compared.
        self.dead = False

    def atom(self):
        return self.random.choice(["a", "b", "c", "d", "p(1)", "p(2)", "q(1,x)"])

    def literal(self):
        return self.random.choice(["", "", "not ", "not not "]) + self.atom()

    def body(self, most):
        return ", ".join(self.literal() for _ in range(self.random.randint(1, most)))

    def statement(self):
        kind = self.random.randrange(14)
        if kind < 3:
            return "{ %s; %s }." % (self.atom(), self.atom())
        if kind < 8:
            return "%s :- %s." % (self.atom(), self.body(3))
        if kind == 8:
            return ":- %s, %s." % (self.body(2), self.literal())
        if kind == 9:
            return "%s." % self.random.choice(["p(X) :- X = 1..2, not a", "r(X+1) :- p(X)", "s :- #count { X : p(X) } >= 1", "e(1..3)"])
        if kind == 10:
            return "1 { %s; %s } 1 :- %s." % (self.atom(), self.atom(), self.body(1))
        if kind == 11:
            return "%s ; %s :- %s." % (self.atom(), self.atom(), self.body(2))
        if kind == 12:
            self.has_costs = True
            return ":~ %s. [%d@%d, %d]" % (self.body(2), self.random.randint(-2, 3), self.random.randint(1, 2), self.random.randrange(9))
        return "#show. #show %s : %s." % (self.random.choice(["t(1)", "u", "p(1)"]), self.literal()) if self.random.random() < 0.3 else "v :- s."

    def run(self):
        arguments = ["0"]
        if self.random.random() < 0.15:
            arguments += ["-c", "n=%d" % self.random.randint(1, 3)]
        self.control = Control(arguments, logger=lambda *_: None)
        # Which atoms clingo removes when it simplifies is not compared.
        self.control.enable_cleanup = False
        text = "\n".join(self.statement() for _ in range(self.random.randint(2, 8)))
        for name in self.random.sample(["x", "y", "z"], self.random.randint(0, 2)):
            text += "\n#external %s. w(%s) :- %s." % (name, name, name)
            self.external.append(name)
        # Atoms that every grounder keeps, whatever it knows about the others.
        text += "\n{ k1; k2; k3 }. #const n = 2. e(n)."
        self.control.add("base", [], text)
        self.control.add("part", ["k"], "g(k) :- not h(k). { h(k) }. i(k,X) :- g(k), e(X). j(k) :- h(k), not w(x).")
        self.control.ground([("base", [])])
        self.note("const", str(self.control.get_const("n")), str(self.control.get_const("m")))
        for _ in range(self.random.randint(1, 4)):
            self.act()
        return self.out

    def note(self, *what):
        self.out.append(" ".join(map(str, what)))

    def atoms(self):
        atoms = self.control.symbolic_atoms
        self.note("facts", names(a.symbol for a in atoms.by_signature("e", 1) if a.is_fact))
        self.note("atoms", [(str(a.symbol), a.is_fact, a.is_external) for a in (atoms[Function(k)] for k in KEPT)])
        self.note("signatures", sorted(s for s in atoms.signatures if s[0] in "abcdekpqrsxyz"))
        self.note("e", names(a.symbol for a in atoms.by_signature("e", 1)), len(atoms) == sum(1 for _ in atoms))
        found = atoms[parse_term("e(1)")]
        self.note("find", found is not None and str(found.symbol), atoms[Function("nowhere")] is None)
        for name in self.external if not self.dead else ():
            self.note("external", name, atoms[Function(name)].is_external)

    def act(self):
        kind = self.random.randrange(9)
        if kind == 0 and self.step < 3 and not self.dead:
            self.step += 1
            self.control.ground([("part", [Number(self.step)])])
        elif kind == 1 and self.external:
            name = self.random.choice(self.external)
            value = self.random.choice([True, False, None])
            self.control.assign_external(Function(name), value)
        elif kind == 2 and self.external and self.random.random() < 0.4:
            name = self.external.pop()
            self.control.release_external(Function(name))
        elif kind == 3:
            self.backend()
        elif kind == 4:
            self.atoms()
        elif kind == 5:
            self.cores()
        elif kind == 6:
            mode = self.random.choice(["brave", "cautious"])
            self.control.configuration.solve.enum_mode = mode
            self.control.configuration.solve.opt_mode = "ignore"
            last = None
            with self.control.solve(yield_=True) as handle:
                for model in handle:
                    last = names(model.symbols(shown=True))
                self.note(mode, last, handle.get())
            self.control.configuration.solve.enum_mode = "auto"
            self.control.configuration.solve.opt_mode = "opt"
        self.solve()

    def backend(self):
        with self.control.backend() as backend:
            new = Function("new", [Number(len(self.free))])
            atom = backend.add_atom(new)
            extra = backend.add_atom()
            self.free.append(new)
            other = [self.control.symbolic_atoms[Function(k)].literal for k in KEPT]
            body = [literal * self.random.choice([1, -1]) for literal in other]
            kind = self.random.randrange(5)
            if kind == 0:
                backend.add_rule([atom], body)
            elif kind == 1:
                backend.add_rule([atom], [], True)
            elif kind == 2:
                backend.add_rule([extra, atom], [], True)
                backend.add_rule([], [extra, -atom])
            elif kind == 3:
                backend.add_weight_rule([atom], 2, [(abs(l), self.random.randint(1, 3)) for l in other])
            else:
                backend.add_rule([atom])

    def assumptions(self):
        pool = [Function(k) for k in KEPT] + [parse_term("e(2)")] + [Function(e) for e in self.external]
        chosen = self.random.sample(pool, self.random.randint(0, min(len(pool), 4)))
        return [(symbol, self.random.random() < 0.6) for symbol in chosen]

    def cores(self):
        assumed = self.assumptions()
        self.control.configuration.solve.opt_mode = "ignore"
        with self.control.solve(assumptions=assumed, yield_=True) as handle:
            result = handle.get()
            self.note("assumed", [(str(s), v) for s, v in assumed], result)
            if result.unsatisfiable:
                # Any core will do, but it has to be one.
                core = set(handle.core())
        if result.unsatisfiable:
            literal = {s: self.control.symbolic_atoms[s].literal for s, _ in assumed}
            again = [(s, v) for s, v in assumed if (literal[s] if v else -literal[s]) in core]
            self.note("core", self.control.solve(assumptions=again))
        self.control.configuration.solve.opt_mode = "opt"

    def solve(self):
        mode = self.random.randrange(6)
        models = []
        costs = []

        def see(model):
            shown = names(model.symbols(shown=True))
            true = names(model.symbols(atoms=True))
            terms = names(model.symbols(terms=True))
            false = set(model.symbols(atoms=True, complement=True))
            assert false.isdisjoint(model.symbols(atoms=True))
            facts = all(model.contains(a.symbol) for a in self.control.symbolic_atoms if a.is_fact)
            agree = all(model.is_true(a.literal) == model.contains(a.symbol) for a in map(self.control.symbolic_atoms.__getitem__, map(Function, KEPT)))
            assert agree and model.context.symbolic_atoms[Function("k1")].literal != 0
            models.append((shown, true, terms, facts, len(model.cost) == len(model.priority)))
            # A level without remaining tuples may or may not be reported.
            costs.append([cost for cost in model.cost if cost != 0])

        solve = self.control.configuration.solve
        if mode == 0:
            result = self.control.solve(on_model=see)
        elif mode == 1:
            with self.control.solve(yield_=True) as handle:
                for model in handle:
                    see(model)
                result = handle.get()
        elif mode == 2:
            with self.control.solve(on_model=see, async_=True) as handle:
                while not handle.wait(10):
                    pass
                result = handle.get()
        elif mode == 3:
            with self.control.solve(yield_=True, async_=True) as handle:
                while True:
                    handle.resume()
                    handle.wait()
                    model = handle.model()
                    if model is None:
                        break
                    see(model)
                result = handle.get()
        elif mode == 4:
            solve.models = 1
            finished = []
            result = self.control.solve(on_model=see, on_finish=lambda r: finished.append(str(r)))
            solve.models = 0
            self.note("one", len(models) > 0, finished == [str(result)], result.satisfiable)
            models, costs = [], costs if self.has_costs else []
        else:
            solve.opt_mode = "optN"
            result = self.control.solve(on_model=lambda m: see(m) if not m.cost or m.optimality_proven else None)
            solve.opt_mode = "opt"
        self.dead |= bool(result.unsatisfiable)
        exhausted = result.exhausted if mode != 4 else None
        self.note("solve", result.satisfiable, result.unsatisfiable, exhausted, result.interrupted)
        if self.has_costs and mode != 5:
            # Only the last model is known to be optimal.
            self.note("costs", costs[-1:] if mode != 4 else None)
        else:
            self.note("models", len(models), sorted(models))
        statistics = self.control.statistics
        self.note("statistics", sorted(statistics["summary"].keys()), sorted(statistics["problem"]["lp"]), statistics["summary"]["call"] >= 0)
        self.note("enumerated", statistics["summary"]["models"]["enumerated"] if mode in (0, 1) and not self.has_costs else None)
        if not self.has_costs:
            self.note("conflicting", self.control.is_conflicting if result.satisfiable else None)


if __name__ == "__main__":
    seeds.run(Trace)
