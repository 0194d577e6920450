"""Propagators written in Python on our library: scenarios whose results are those of clingo's own library, and bad use."""

import json
import pathlib
import subprocess
import sys
import threading
import unittest

import _clingo
import clingo
from clingo import Control, Function, Number
from clingo.propagator import PropagatorCheckMode

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import propagators
from propagators import grounded, models


class Scenarios(unittest.TestCase):
    def test_results_are_those_of_clingo(self):
        self.assertTrue(_clingo.ffi.string(_clingo.lib.asp_version()))
        command = [sys.executable, propagators.__file__, "--own"]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        self.assertEqual(len(lines), len(propagators.SCENARIOS))
        for line in lines:
            name, expected = json.loads(line)
            with self.subTest(name):
                self.assertEqual(json.loads(json.dumps(propagators.SCENARIOS[name]())), expected)

    def test_results_are_those_of_constraints(self):
        pigeons = models(grounded(propagators.PIGEONS % (4, 3) + ":- place(P,H), place(Q,H), P < Q."))
        self.assertEqual(propagators.pigeons(4, 3), pigeons)
        colours = models(grounded(propagators.GRAPH + ":- edge(X,Y), colour(X,C), colour(Y,C)."))
        self.assertEqual(propagators.colours(PropagatorCheckMode.Total), colours)
        values = models(grounded("1 { v(X,1..4) } 1 :- X = 1..4. :- v(1,X), v(2,Y), X > Y. :- v(X,V), v(Y,V), X < Y."))
        self.assertEqual(propagators.alldifferent(), values)

    def test_sums_by_definition(self):
        for kind in (-1, 0, 1):
            for equal in (False, True):
                for is_reified in (False, True):
                    arguments = (kind, equal, is_reified)
                    self.assertEqual(propagators.sums(*arguments), propagators.sums_by_definition(*arguments), arguments)

    def test_undo_is_told(self):
        propagators.mirrored(PropagatorCheckMode.Both, clingo.propagator.PropagatorUndoMode.Always)


class Functions:
    """A propagator whose functions are given."""

    def __init__(self, **functions):
        self.given = functions
        for name, function in functions.items():
            setattr(self, name, function)


def watch_all(init):
    for atom in init.symbolic_atoms:
        literal = init.solver_literal(atom.literal)
        init.add_watch(literal)
        init.add_watch(-literal)


class BadUse(unittest.TestCase):
    def solve(self, **functions):
        control = grounded("{ a; b; c }. :- a, b, c.")
        control.register_propagator(Functions(**functions))
        return models(control)

    def test_literals_that_are_none(self):
        seen = []

        def init(init):
            watch_all(init)
            assignment = init.assignment
            for call in (
                lambda: init.add_watch(1000),
                lambda: init.add_watch(0),
                lambda: init.remove_watch(-1000),
                lambda: init.add_watch(1, 3),
                lambda: init.freeze_literal(1000),
                lambda: init.add_clause([1000]),
                lambda: init.add_weight_constraint(1000, [], 1),
                lambda: init.add_weight_constraint(1, [(1000, 1)], 1),
                lambda: init.add_minimize(1000, 1),
                lambda: assignment.value(1000),
                lambda: assignment.is_true(-(2**31)),
                lambda: assignment.level(0),
                lambda: assignment.decision(1),
                lambda: assignment.trail.begin(1),
                lambda: assignment.trail.end(7),
            ):
                self.assertRaises(RuntimeError, call)
            self.assertFalse(assignment.has_literal(1000) or assignment.has_literal(0))
            self.assertEqual(init.solver_literal(100), -1)
            seen.append("init")

        def check(control):
            for call in (
                lambda: control.add_clause([1000]),
                lambda: control.add_watch(1000),
                lambda: control.assignment.is_false(1000),
            ):
                self.assertRaises(RuntimeError, call)
            self.assertFalse(control.has_watch(1000))
            control.remove_watch(1000)
            seen.append("check")

        def decide(thread_id, assignment, fallback):
            seen.append("decide")
            return [1000, -1, fallback, 1][len(seen) % 4]

        self.assertEqual(len(self.solve(init=init, check=check, decide=decide)), 7)
        self.assertEqual(set(seen), {"init", "check", "decide"})

    def test_objects_after_their_time(self):
        kept = []

        def check(control):
            kept.append((control, control.assignment))

        def init(init):
            watch_all(init)
            kept.append((init, init.assignment))

        self.assertEqual(len(self.solve(init=init, check=check)), 7)
        for control, assignment in kept:
            gone = "only while the function runs"
            self.assertRaisesRegex(RuntimeError, gone, assignment.value, 1)
            self.assertRaisesRegex(RuntimeError, gone, control.add_clause, [1])
            self.assertRaisesRegex(RuntimeError, gone, control.propagate)
            self.assertEqual((assignment.decision_level, assignment.is_total), (0, False))

    def test_what_is_done_at_the_wrong_time(self):
        seen = []

        cast = lambda kind, rep: _clingo.ffi.cast(kind + " *", rep)

        def undo(thread_id, assignment, changes):
            control = clingo.propagator.PropagateControl(cast("clingo_propagate_control_t", assignment._rep))
            self.assertRaisesRegex(RuntimeError, "where literals are undone", control.add_clause, [1])
            seen.append(list(assignment.trail))

        def propagate(control, changes):
            # What init may do.
            other = clingo.propagator.PropagateInit(cast("clingo_propagate_init_t", control._rep))
            self.assertRaisesRegex(RuntimeError, "before the search only", other.add_literal)
            seen.append(control.thread_id)

        self.assertEqual(len(self.solve(init=watch_all, propagate=propagate, undo=undo)), 7)
        self.assertIn(0, seen)
        self.assertIn([1], [trail[:1] for trail in seen if trail])

    def test_after_a_conflict(self):
        seen = []

        def check(control):
            literals = [l for l in control.assignment.trail if l != 1]
            if len(seen) < 3:
                seen.append(control.add_clause([-l for l in literals]))
                self.assertTrue(control.assignment.has_conflict)
                self.assertFalse(control.propagate())
                self.assertRaisesRegex(RuntimeError, "there is a conflict", control.add_clause, [1])
                self.assertRaisesRegex(RuntimeError, "there is a conflict", control.add_literal)

        self.assertEqual((len(self.solve(check=check)), seen), (4, [False] * 3))

    def test_no_answer_before_the_search(self):
        def init(init):
            literal = init.solver_literal(init.symbolic_atoms[Function("a")].literal)
            self.assertTrue(init.add_clause([literal]))
            self.assertFalse(init.add_clause([-literal]) and init.propagate())
            self.assertTrue(init.assignment.has_conflict)
            self.assertFalse(init.propagate())

        self.assertEqual(self.solve(init=init), [])

    def test_errors_of_functions(self):
        def fail(*_):
            raise KeyError("mine")

        control = grounded("{ a; b }.")
        for name in ("init", "propagate", "check", "decide"):
            functions = {"init": watch_all, name: fail}
            self.assertRaises(KeyError, self.solve, **functions)
            propagator = Functions(**functions)
            control = grounded("{ a; b }.")
            control.register_propagator(propagator)
            for options in ({}, {"yield_": True}, {"async_": True}, {"yield_": True, "async_": True}):
                # Another thread's error is told in words.
                expected = RuntimeError if options.get("async_") and name != "init" else KeyError
                with self.assertRaises(expected):
                    with control.solve(**options) as handle:
                        if options.get("yield_"):
                            list(handle)
                        handle.get()
            setattr(propagator, name, watch_all if name == "init" else lambda *_: 0)
            self.assertEqual(len(models(control)), 4, name)

    def test_calls_from_within(self):
        seen = []

        def check(outer):
            self.assertRaisesRegex(RuntimeError, "updates not supported", control.ground, [("base", [])])
            self.assertEqual(len(control.symbolic_atoms), 2)
            # Another control is another matter; what belongs to this one waits.
            inside = []
            other = grounded("{ x }.")

            def inner(control):
                self.assertRaisesRegex(RuntimeError, "only while", outer.add_clause, [1])
                inside.append(control.assignment.is_total)

            other.register_propagator(Functions(check=inner))
            self.assertEqual((len(models(other)), inside), (2, [True, True]))
            seen.append(outer.assignment.is_total)

        control = grounded("{ a; b }.")
        control.register_propagator(Functions(check=check))
        self.assertEqual((len(models(control)), seen), (4, [True] * 4))

    def test_a_call_that_waits_for_itself(self):
        for form in ({"yield_": True}, {"yield_": True, "async_": True}):
            told = []

            def check(_):
                for wait in handles[0].get, handles[0].model:
                    self.assertRaisesRegex(RuntimeError, "within itself", wait)
                told.append(True)

            handles = []
            control = grounded("a.")
            started = threading.Event()
            control.register_propagator(Functions(init=lambda _: None, check=lambda c: started.wait(10) and check(c)))
            with control.solve(**form) as handle:
                handles.append(handle)
                started.set()
                self.assertTrue(handle.get().satisfiable)
            self.assertEqual(told, [True], form)

    def test_a_call_that_is_left(self):
        told = []
        control = grounded("{ a(1..12) }.")
        control.register_propagator(
            Functions(
                init=watch_all,
                propagate=lambda control, changes: told.extend(changes),
                undo=lambda thread_id, assignment, changes: [told.pop() for _ in changes],
            )
        )
        for _ in range(3):
            with control.solve(yield_=True) as handle:
                self.assertIsNotNone(handle.model())
                self.assertGreaterEqual(len(told), 12)
            # Only what holds at the root is left, which is nothing.
            self.assertLess(len(told), 12)
        with control.solve(async_=True) as handle:
            handle.cancel()
        self.assertLess(len(told), 12)

    def test_steps_with_changes_of_the_configuration(self):
        def check(control):
            true = [l for l in literals if control.assignment.is_true(l)]
            if len(true) > 1:
                control.add_clause([-l for l in true[:2]], lock=True)

        literals = []

        def init(init):
            found = [init.solver_literal(a.literal) for a in init.symbolic_atoms]
            self.assertTrue(not literals or literals == found)
            literals[:] = found

        control = grounded("{ a; b; c }.")
        control.register_propagator(Functions(init=init, check=check))
        for heuristic in ("Vsids", "Berkmin", "Vmtf"):
            control.configuration.solver.heuristic = heuristic
            self.assertEqual(models(control), ["", "a", "b", "c"])


if __name__ == "__main__":
    unittest.main()
