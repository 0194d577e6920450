"""Random programs that grow by text and backend, run by whatever library the package clingo is on.

    python program_traces.py FIRST COUNT        one line a seed: the seed, and what its calls came to

Externals, assumptions, `#show`, `#project`, objectives, theory atoms, rules of a backend and an observer. What libraries are free to choose is
not printed: models are sets, and what an observer is told is solved again by a control of its own.
"""

import random

import seeds
from clingo import Control, Function, Number
from clingo._internal import _lib
from clingo.backend import Observer
from clingo.symbol import parse_term

THEORY = "#theory t { u { - : 1, unary }; &t/1 : u, { = }, u, any }.\n"
# clingo's preprocessing is not always sound: at seed 380 with more statements it finds an unfounded atom.
ARGUMENTS = ["0"] if hasattr(_lib, "asp_version") else ["0", "--eq=0"]
FREE = ["f(1)", "f(2)", "f(3)"]


def names(symbols):
    return " ".join(sorted(map(str, symbols)))


class Copy(Observer):
    """Passes on what it is told to another control."""

    def __init__(self):
        self.control = Control(ARGUMENTS, logger=lambda *_: None)
        self.todo, self.output = [], {}

    def rule(self, choice, head, body):
        self.todo.append(("rule", head, body, choice))

    def weight_rule(self, choice, head, lower_bound, body):
        self.todo.append(("weight_rule", head, lower_bound, body, choice))

    def minimize(self, priority, literals):
        self.todo.append(("minimize", priority, literals))

    def external(self, atom, value):
        self.todo.append(("external", atom, value))

    def acyc_edge(self, node_u, node_v, condition):
        self.todo.append(("acyc_edge", node_u, node_v, condition))

    def output_atom(self, symbol, atom):
        self.output[str(symbol)] = atom

    def answers(self):
        """Which answer sets there are of what was told: true named atoms."""
        with self.control.backend() as backend:
            largest = 0
            for kind, *rest in self.todo:
                atoms = [abs(x) for part in rest if isinstance(part, (list, tuple)) for x in (y[0] if isinstance(y, tuple) else y for y in part)]
                largest = max([largest, *atoms, rest[0] if kind == "external" else 0])
            self.number = getattr(self, "number", 0)
            while self.number < largest:
                self.number = backend.add_atom()
            for kind, *rest in self.todo:
                getattr(backend, "add_" + kind)(*rest)
        self.todo = []
        self.control.configuration.solve.opt_mode = "ignore"
        found = set()
        number = {name: atom for name, atom in self.output.items()}
        with self.control.solve(yield_=True) as handle:
            for model in handle:
                found.add(names(name for name, atom in number.items() if atom == 0 or model.is_true(atom)))
        return sorted(found)


class Trace:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.out = []
        self.dead = self.projects = self.costs = self.theory = False

    def choose(self, *of):
        return self.random.choice(of)

    def atom(self, step, ahead=False):
        kind = self.random.randrange(5)
        if kind == 0:
            return self.random.choice(FREE)
        step = max(0, step - self.random.randrange(2)) if not ahead else step
        return f"{self.random.choice('pqr')}({step},{self.random.randint(1, 2)})"

    def own(self, step):
        """An atom of a step's own."""
        return f"{self.random.choice('pqr')}({step},{self.random.randint(1, 2)})"

    def literal(self, step):
        return self.choose("", "", "not ", "not not ") + self.atom(step)

    def body(self, step, most=3):
        return ", ".join(self.literal(step) for _ in range(self.random.randint(1, most)))

    def aggregate(self, step):
        function = self.choose("#sum", "#count", "#min", "#max", "#sum+")
        elements = "; ".join(
            f"{self.random.randint(-2 if function != '#sum+' else 0, 3)},{i} : {self.literal(step)}" for i in range(self.random.randint(1, 3))
        )
        return f"{self.choose('', 'not ')}{function} {{ {elements} }} {self.choose('<', '<=', '>', '>=', '=', '!=')} {self.random.randint(-1, 3)}"

    def statement(self, step):
        kind = self.random.randrange(20)
        if kind < 4:
            return f"{{ {self.own(step)}; {self.own(step)} }}{self.choose('', ' 1', ' = 1')} :- {self.body(step, 2)}."
        if kind < 8:
            return f"{self.own(step)} :- {self.body(step)}."
        if kind == 8:
            return f"{self.own(step)} ; {self.own(step)} :- {self.body(step, 2)}."
        if kind == 9:
            return f":- {self.body(step)}, {self.literal(step)}."
        if kind == 10:
            return f"{self.own(step)} :- {self.aggregate(step)}."
        if kind == 11:
            return f"{self.own(step)} :- {self.aggregate(step)}, {self.literal(step)}."
        if kind == 12:
            return f"{self.own(step)} : {self.literal(step)} :- {self.body(step, 2)}."
        if kind == 13:
            return f"{self.own(step)} :- {self.atom(step)} : {self.literal(step)}; {self.literal(step)}."
        if kind == 14:
            self.costs = True
            return f"#minimize {{ {self.random.randint(-2, 3)}@{self.random.randint(1, 2)},{step},{self.random.randrange(4)} : {self.body(step, 2)} }}."
        if kind == 15:
            return f"#show {self.choose('s', 'u')}({step}) : {self.body(step, 2)}."
        if kind == 16:
            self.theory = True
            return f"{self.own(step)} :- &t({self.random.randint(1, 2)}) {{ e : {self.literal(step)} }} = {step}."
        if kind == 17:
            return f"#edge ({self.random.randrange(3)},{self.random.randrange(3)}) : {self.body(step, 2)}."
        if kind == 18:
            return f"#external x({step}). {self.own(step)} :- x({step}), {self.literal(step)}."
        return f"{{ {self.own(step)} : {self.literal(step)} }}."

    def run(self):
        self.control = Control(ARGUMENTS, logger=lambda *_: None)
        # Which atoms clingo removes when it simplifies is not compared.
        self.control.enable_cleanup = False
        self.watched = self.random.random() < 0.4
        if self.watched:
            self.copy = Copy()
            self.control.register_observer(self.copy)
        text = THEORY + "{ %s }. " % "; ".join(FREE)
        if self.random.random() < 0.3:
            text += "#show p/2. #show f/1. "
        if self.random.random() < 0.2:
            self.projects = True
            text += self.choose("#project f/1. ", "#project p/2. #project q/2. ")
        self.control.add("base", [], text)
        steps = self.random.randint(1, 3)
        for step in range(steps):
            part = "\n".join(self.statement(step) for _ in range(self.random.choice((3, 6, 10))))
            self.control.add(f"s{step}", [], part)
        self.control.ground([("base", [])])
        for step in range(steps):
            self.control.ground([(f"s{step}", [])])
            if self.random.random() < 0.3:
                self.backend(step)
            for _ in range(self.random.randint(1, 2)):
                self.solve(step)
            if self.dead:
                break
        return self.out

    def backend(self, step):
        literals = [a.literal for a in map(self.control.symbolic_atoms.__getitem__, map(parse_term, FREE))]
        with self.control.backend() as backend:
            new = backend.add_atom(Function("b", [Number(step)]))
            body = [l * self.choose(1, -1) for l in self.random.sample(literals, 2)]
            kind = self.random.randrange(5)
            if kind == 0:
                backend.add_rule([new], body, self.choose(True, False))
            elif kind == 1:
                backend.add_weight_rule([new], self.random.randint(1, 4), [(l, self.random.randint(1, 3)) for l in body], self.choose(True, False))
            elif kind == 2:
                backend.add_external(new)
                backend.add_rule([backend.add_atom(Function("c", [Number(step)]))], [new, *body])
            elif kind == 3:
                self.costs = True
                backend.add_rule([new], [], True)
                backend.add_minimize(self.random.randint(1, 2), [(l, self.random.randint(-2, 3)) for l in [new, *body]])
            else:
                other = backend.add_atom()
                backend.add_rule([new, other], body)
                backend.add_rule([], [other, literals[0]])

    def assumptions(self):
        pool = [parse_term(f) for f in FREE]
        return [(s, self.random.random() < 0.5) for s in self.random.sample(pool, self.random.randrange(3))]

    def solve(self, step):
        if self.random.random() < 0.5:
            # One that is none, or is defined, is left alone.
            self.control.assign_external(Function("x", [Number(self.random.randint(0, step))]), self.choose(True, False, None))
        configuration = self.control.configuration.solve
        mode = self.choose("all", "all", "all", "brave", "cautious", "optN")
        configuration.opt_mode = "optN" if mode == "optN" else "ignore"
        # Consequences of a projection are documented to differ.
        mode = "all" if self.projects and mode in ("brave", "cautious") else mode
        configuration.enum_mode = mode if mode in ("brave", "cautious") else "auto"
        configuration.project = "auto" if self.projects else "no"
        found, counted, last = set(), 0, None
        assumed = self.assumptions()
        with self.control.solve(assumptions=assumed, yield_=True) as handle:
            for model in handle:
                if mode == "optN" and not model.optimality_proven and model.cost:
                    continue
                last = names(model.symbols(shown=True))
                counted += 1
                if self.projects:
                    last = " ".join(w for w in last.split() if w.startswith("f("))
                costs = [(p, c) for p, c in zip(model.priority, model.cost) if c]
                found.add(f"{last} {costs if mode == 'optN' else ''}")
            result = handle.get()
        self.dead |= bool(result.unsatisfiable and not assumed)
        answers = [last] if mode in ("brave", "cautious") else sorted(found)
        self.out.append(f"{mode} {assumed} {result} {answers}")
        if mode == "all" and not self.projects and not self.theory:
            self.out.append(f"number {counted}")
        if self.watched and mode == "all" and not self.theory and not assumed and not self.projects and result.satisfiable:
            self.out.append(f"observed {self.copy.answers()}")


if __name__ == "__main__":
    seeds.run(Trace)
