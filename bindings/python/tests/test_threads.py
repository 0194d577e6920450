"""Propagators in several threads: each thread has a state of its own, which is that of its model when that is reported."""

import random
import threading
import unittest

from clingo import Control
from clingo.propagator import PropagatorCheckMode


class Colours:
    """Neighbours have different colours: nogoods of two literals, added when the first is true, or when all have values."""

    def __init__(self, edges, lazy):
        self.edges, self.lazy = edges, lazy
        self.states, self.inits, self.wrong = None, 0, []

    def init(self, init):
        self.inits += 1
        self.atoms = {}
        for atom in init.symbolic_atoms.by_signature("at", 2):
            literal = init.solver_literal(atom.literal)
            node, colour = (argument.number for argument in atom.symbol.arguments)
            self.atoms[node, colour] = literal
            init.add_watch(literal)
        self.names = {literal: name for name, literal in self.atoms.items()}
        if self.states is None:
            self.states = [set() for _ in range(init.number_of_threads)]
        if self.lazy:
            init.check_mode = PropagatorCheckMode.Total

    def neighbours(self, node):
        return [b if a == node else a for a, b in self.edges if node in (a, b)]

    def propagate(self, control, changes):
        state = self.states[control.thread_id]
        for literal in changes:
            if literal in state or not control.assignment.is_true(literal):
                self.wrong.append("told twice, or of what is not true")
            state.add(literal)
        if self.lazy:
            return
        for literal in changes:
            node, colour = self.names[literal]
            for other in self.neighbours(node):
                if not control.add_clause([-literal, -self.atoms[other, colour]]):
                    return

    def see(self, model):
        pass

    def undo(self, thread_id, assignment, changes):
        state = self.states[thread_id]
        for literal in changes:
            if literal not in state:
                self.wrong.append("undone, but not told")
            state.discard(literal)

    def check(self, control):
        state = self.states[control.thread_id]
        if any(control.assignment.is_true(literal) != (literal in state) for literal in self.names):
            self.wrong.append("a state that is not that of its thread")
        for (node, colour), literal in self.atoms.items():
            for other in self.neighbours(node) if literal in state else []:
                if self.atoms[other, colour] in state and not control.add_clause([-literal, -self.atoms[other, colour]]):
                    return


class Patient(Colours):
    """The first thread comes to no end before another one has reported a model: it always goes back to the beginning, and has a
    long chain of literals to follow from there. Some ten rounds are enough; it gives up after thousands."""

    def __init__(self, edges):
        super().__init__(edges, False)
        self.reported = threading.Event()
        self.rounds = 5000
        self.chain = []

    def check(self, control):
        super().check(control)
        if control.thread_id or not control.assignment.is_total or self.reported.is_set() or not self.rounds:
            return
        self.rounds -= 1
        if not self.chain:
            self.chain = [control.add_literal() for _ in range(20000)]
            for one, other in zip(self.chain, self.chain[1:]):
                if not (control.add_clause([-one, other]) and control.add_clause([one, -other])):
                    return
        control.add_clause([control.add_literal()])

    def see(self, model):
        if model.thread_id:
            self.reported.set()


def graph(seed, nodes, degree):
    generator = random.Random(seed)
    edges = set()
    while len(edges) < int(nodes * degree):
        a, b = sorted(generator.sample(range(nodes), 2))
        edges.add((a, b))
    return sorted(edges)


TEXT = "1 { at(N,C) : C = 1..3 } 1 :- node(N). "


def calls(nodes, edges, theory, *arguments):
    """Three calls: whether each has an answer, and what was wrong about it."""
    found, wrong = [], []
    control = Control(["1", *arguments])
    control.add("base", [], TEXT + "node(0..%d)." % (nodes - 1) + "{ more }.")
    control.add("step", ["n"], "seen(n). { chosen(n) }.")
    if theory:
        control.register_propagator(theory)
    else:
        control.add("base", [], "".join(":- at(%d,C), at(%d,C). " % edge for edge in edges))
    control.ground([("base", [])])
    threads = set()

    def see(model):
        threads.add(model.thread_id)
        true = {(a.arguments[0].number, a.arguments[1].number) for a in model.symbols(atoms=True) if a.name == "at"}
        colours = dict(true)
        if len(true) != nodes or any(colours[a] == colours[b] for a, b in edges):
            wrong.append("no colouring")
        if theory:
            theory.see(model)
            if {theory.names[l] for l in theory.states[model.thread_id]} != true:
                wrong.append("the state of the model's thread is not its own")
        model.context.add_clause([])

    found.append(control.solve(on_model=see).satisfiable)
    with control.solve(yield_=True) as handle:
        for model in handle:
            see(model)
        found.append(handle.get().satisfiable)
    found.append(control.solve(on_model=see, async_=True).get().satisfiable)
    return found, wrong, threads


class Threads(unittest.TestCase):
    def test_several_threads_find_what_one_finds(self):
        answers = set()
        for seed in range(16):
            lazy, patient = seed % 4 == 3, seed % 4 == 2
            nodes = 24 if lazy else 250
            edges = graph(seed, nodes, 2 if patient else 2.34)
            expected, _, _ = calls(nodes, edges, None)
            theory = Patient(edges) if patient else Colours(edges, lazy)
            found, wrong, threads = calls(nodes, edges, theory, "-t%d" % (2 + seed // 4 % 2))
            with self.subTest(seed):
                self.assertEqual(found, expected)
                self.assertEqual(wrong + theory.wrong, [])
                self.assertEqual(theory.inits, 3)
                if patient:
                    self.assertTrue(any(threads))
            answers.update(found)
        self.assertEqual(answers, {True, False})

    def test_an_error_in_any_thread_ends_the_call(self):
        class Failing(Patient):
            def propagate(self, control, changes):
                if control.thread_id == 1:
                    raise ValueError("in a helper")
                super().propagate(control, changes)

        for seed in range(2):
            edges = graph(seed, 250, 2)
            theory = Failing(edges)
            with self.subTest(seed), self.assertRaises((ValueError, RuntimeError)):  # clingo: "[1]: in a helper"
                calls(250, edges, theory, "-t2")

    def test_watches_are_those_of_a_thread(self):
        class Watching:
            def init(self, init):
                (atom,) = init.symbolic_atoms.by_signature("a", 0)
                literal = init.solver_literal(atom.literal)
                self.threads, self.told = init.number_of_threads, 0
                init.add_watch(literal, 1)
                init.add_watch(-literal)
                init.remove_watch(-literal, 0)

            def propagate(self, control, changes):
                self.told += control.thread_id == 0

        watching = Watching()
        control = Control(["0", "-t2"])
        control.add("base", [], "{a}.")
        control.register_propagator(watching)
        control.ground([("base", [])])
        control.solve()
        self.assertEqual((watching.threads, watching.told), (2, 0))


if __name__ == "__main__":
    unittest.main()
