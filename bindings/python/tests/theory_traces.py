"""Random programs for clingcon and clingo-dl, run by whatever library the package clingo is on.

    python theory_traces.py FIRST COUNT [--own]      one line a seed: the seed, and what its calls came to

Each seed is a program with constraints over integers, or differences, in some steps, under a random configuration of its theory.
With --own it runs on clingo's own library in any case.
"""

import random

import seeds
from theories import ClingconTheory, ClingoDLTheory, Run

from clingo import Function, Number

ATOMS = ["a", "b", "c", "d"]


class Trace:
    """A program in steps."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.constraints = self.random.random() < 0.6

    def pick(self, *of):
        return self.random.choice(of)

    def literal(self):
        return self.pick("", "", "not ") + self.pick(*ATOMS)

    def plain(self):
        kind = self.random.randrange(5)
        if kind < 2:
            return "{ %s; %s }." % (self.pick(*ATOMS), self.pick(*ATOMS))
        if kind == 2:
            return ":- %s, %s." % (self.literal(), self.literal())
        return "%s :- %s." % (self.pick(*ATOMS), self.literal())

    def theory_atom(self):
        variable = lambda: self.pick("x", "y", "z")
        if not self.constraints:
            return "&diff { %s - %s } <= %d" % (variable(), self.pick("x", "y", "z", "0"), self.random.randint(-3, 4))
        kind = self.random.randrange(10)
        if kind == 9:
            return "&distinct { x; y+%d; z }" % self.random.randint(0, 2)
        terms = "; ".join("%d*%s" % (self.pick(-2, -1, 1, 1, 2, 3), variable()) for _ in range(self.random.randint(1, 3)))
        return "&sum { %s } %s %d" % (terms, self.pick("<=", ">=", "<", ">", "=", "!="), self.random.randint(-3, 6))

    def statement(self):
        kind = self.random.randrange(6)
        if kind == 0:
            return self.plain()
        atom = self.theory_atom()
        if "distinct" in atom:
            return "%s." % atom
        if kind < 4:
            return "%s :- %s." % (atom, ", ".join(self.literal() for _ in range(self.random.randint(1, 2))))
        if kind == 4:
            return "%s :- %s%s." % (self.pick(*ATOMS), self.pick("", "not "), atom)
        return ":- %s, %s." % (atom, self.literal())

    def configuration(self):
        if not self.constraints:
            return {"propagate": self.pick("no", "inverse", "partial", "partial+", "zero", "full"), "sort_edges": self.pick("no", "weight", "potential")}
        on = lambda: self.pick("0", "1")
        return {
            "refine_reasons": on(),
            "refine_introduce": on(),
            "propagate_chain": on(),
            "add_order_clauses": on(),
            "translate_clauses": self.pick("0", "1000"),
            "translate_pb": self.pick("0", "100"),
            "translate_distinct": self.pick("0", "1000"),
        }

    def run(self):
        text = "\n".join(self.statement() for _ in range(self.random.randint(3, 8)))
        text += "\n{ k }. #external e. :- e, a."
        low, high = self.random.randint(-2, 0), self.random.randint(1, 3)
        if self.constraints:
            text += "\n&dom { %d..%d } = V :- V = (x;y;z)." % (low, high)
            text += "\n#program step(t). { s(t) }. &sum { x; y } > t :- s(t). &dom { 0..2 } = w(t). &sum { w(t) } = x :- not s(t), k."
        else:
            text += "\n&diff { V - 0 } <= 9 :- V = (x;y;z). &diff { 0 - V } <= 9 :- V = (x;y;z)."
            text += "\n#program step(t). { s(t) }. &diff { x - y } <= -t :- s(t). &diff { w(t) - x } <= t. &diff { x - w(t) } <= 0 :- not s(t), k."
        theory = ClingconTheory if self.constraints else ClingoDLTheory
        run = Run(theory, text, **self.configuration())
        run.ground()
        out = [self.answers(run)]
        for step in range(1, self.random.randint(1, 3)):
            kind = self.random.randrange(3)
            if kind == 0:
                run.ground(("step", [Number(step)]))
            elif kind == 1:
                run.control.assign_external(Function("e"), self.pick(True, False, None))
            assumed = [(Function("k"), self.random.random() < 0.5)] if self.random.random() < 0.5 else []
            out.append(self.answers(run, assumptions=assumed))
        return out

    def answers(self, run, **options):
        """With differences, only what is shown: which of their atoms there are is the grounder's choice, and each value of one
        that nothing depends on is an answer of its own."""
        answers = run.solve(**options)
        return str(answers if self.constraints else sorted({" ".join(shown) for shown, _ in answers}))


if __name__ == "__main__":
    seeds.run(Trace)
