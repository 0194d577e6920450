"""Controls, calls and models."""

import asyncio
import gc
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import weakref

import asp

# An odd number of odd degrees: there is no such graph, but search does not see that.
HARD = """
v(0..59). edge(V,(V+1)\\60; V,(7*V+3)\\60; V,(11*V+29)\\60) :- v(V). odd(0).
{ e(A,B) } :- edge(A,B), A != B.
degree(V,N) :- v(V), N = #count { A,B : e(A,B), V = (A;B) }.
:- odd(V), degree(V,N), N \\ 2 = 0. :- v(V), not odd(V), degree(V,N), N \\ 2 = 1.
"""
LARGE = "p(1..3000). q(X,Y,Z) :- p(X), p(Y), p(Z)."


def texts(models):
    return sorted(str(model) for model in models)


class Calls(unittest.TestCase):
    def test_check_tells_lints(self):
        control = asp.Control("q(1..3). lonley(X) :- q(X). #show q/1.")
        self.assertEqual([message.code for message in control.check()], ["unused-head"])
        self.assertEqual(control.messages, [])

    def test_earlier_answers(self):
        choice = "2 { on(1..6) } 4. #minimize { X@2,X : on(X) }. #show on/1. #show n(N) : N = #count { X : on(X) }."
        control = asp.Control(choice)
        begun = next(iter(control.solve(start=["on(5)", "on(6)"], optimize="bound")))
        self.assertEqual(sorted(begun["on"]), [(5,), (6,)])
        self.assertEqual(control.optimal(start=begun).costs, (3,))
        self.assertEqual(control.stay_near(["on(5)", "on(9)"], level=3), 1)
        near = control.optimal()
        self.assertEqual((near.costs, sorted(near["on"])), ((1, 6), [(1,), (5,)]))
        below = asp.Control(choice)
        below.stay_near(begun)
        self.assertEqual(below.optimal().costs, (3, 4))
        with self.assertRaises(asp.UsageError):
            control.stay_near("on(5) on(6)")

    def test_models_come_when_they_are_asked_for(self):
        calls = asp.Control("{ a; b }.").solve()
        self.assertEqual(texts(calls), ["", "a", "a b", "b"])
        self.assertTrue(calls.result.exhausted)
        self.assertIs(calls.result.satisfiable, True)
        self.assertEqual(list(calls), [])

    def test_limits_and_ways(self):
        control = asp.Control("1 { a; b; c } 2. #minimize { 2:a; 1:b; 3:c }. d :- a. #show d/0. #show b/0.")
        self.assertEqual(len(control.solve(2, optimize="ignore").all()), 2)
        self.assertEqual(control.optimal().costs, (1,))
        self.assertEqual(str(control.optimal()), "b")
        self.assertEqual(len(control.all()), 6)
        self.assertEqual(len(control.all(project="shown")), 4)
        self.assertEqual(texts(control.solve(bound=[2], optimize="bound")), ["b", "d"])
        self.assertIsNone(asp.Control("a. :- a.").first())
        self.assertIsNone(asp.Control("a. :- a.").optimal())
        self.assertEqual(str(asp.Control("a.").optimal()), "a")
        with self.assertRaises(asp.UsageError):
            control.solve(mode="bold")

    def test_consequences(self):
        control = asp.Control("1 { a; b } 1. c. #show a/0. #show b/0. #show c/0.")
        self.assertEqual(str(control.brave()).split(), ["a", "b", "c"])
        self.assertEqual(str(control.cautious()), "c")
        self.assertIsNone(asp.Control("a. :- a.").cautious())

    def test_assumptions_and_cores(self):
        control = asp.Control("{ a; b; c }. :- a, b.")
        self.assertEqual(texts(control.all(assume=["a", ("c", False)])), ["a"])
        self.assertEqual(texts(control.all(assume={"a": True, asp.Name("c"): False})), ["a"])
        call = control.solve(assume=["a", "b", "c"])
        self.assertEqual(list(call), [])
        self.assertIs(call.result.satisfiable, False)
        self.assertEqual(sorted(call.result.core), [(asp.Term.parse("a"), True), (asp.Term.parse("b"), True)])
        with self.assertRaises(asp.UsageError):
            control.solve(assume="a")
        with self.assertRaises(asp.UsageError):
            control.solve(assume=["a("])

    def test_steps_and_externals(self):
        control = asp.Control("#external on. a :- on. #program step(t). s(t).")
        control.ground()
        self.assertEqual(texts(control.all()), [""])
        control.assign("on", True)
        self.assertEqual(texts(control.all()), ["on a"])
        control.ground([("step", [1]), ("step", [asp.Name("x")])])
        self.assertEqual(str(control.first()), "on a s(1) s(x)")
        control.release("on")
        self.assertEqual(texts(control.all()), ["s(1) s(x)"])
        with self.assertRaises(asp.UsageError):
            control.assign("nothing", True)

    def test_constants_files_and_options(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "p.lp"
            file.write_text('#const n = 1. #const s = x. p(1..n). q(s). #include "more.lp".')
            (pathlib.Path(folder) / "more.lp").write_text("r.")
            control = asp.Control(files=[file], const={"n": 2, "s": "text"})
            self.assertEqual(str(control.first()), 'p(1) p(2) q("text") r')
            self.assertEqual(control.constant("n"), 2)
            self.assertIsNone(control.constant("none"))
        with self.assertRaises(FileNotFoundError):
            asp.Control(files="no such file")
        self.assertEqual(len(asp.Control("{a;b}.", options="--configuration=handy --seed=3").all()), 4)
        self.assertEqual(len(asp.Control("{a;b}.", threads=2, seed=3).all()), 4)
        for wrong in ("--no-such-option", "--help", "file.lp"):
            with self.assertRaises(asp.UsageError):
                asp.Control(options=wrong)

    def test_context_managers_and_what_was_left(self):
        control = asp.Control("{ a(1..9) }.")
        with control.solve() as call:
            next(call)
        self.assertEqual(call.result.models, 1)
        self.assertFalse(call.result.exhausted)
        self.assertIsNone(call._next())
        first, second = control.solve(), None
        next(first)
        second = control.solve()
        with self.assertRaises(asp.UsageError):
            next(first)
        self.assertEqual(sum(1 for _ in second), 512)

    def test_coroutines(self):
        async def run():
            return [str(model) async for model in asp.Control("{ a; b }.").solve()]

        self.assertEqual(sorted(asyncio.run(run())), ["", "a", "a b", "b"])

        async def stopped():
            call = asp.Control(HARD).solve()
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(call.__anext__(), 0.2)
            return call.result

        self.assertEqual(asyncio.run(stopped()).stopped, "cancelled")

    def test_messages_are_kept(self):
        control = asp.Control("a :- b.")
        control.ground()
        self.assertEqual([m.code for m in control.messages], ["atom-undefined"])
        self.assertEqual((control.messages[0].line, control.messages[0].column), (1, 6))
        self.assertIn("^", str(control.messages[0]))


class Limits(unittest.TestCase):
    def test_time_in_grounding(self):
        start = time.monotonic()
        control = asp.Control(LARGE)
        with self.assertRaises(TimeoutError):
            control.ground(timeout=0.2)
        self.assertLess(time.monotonic() - start, 1)
        with self.assertRaises(asp.UsageError):
            control.solve()
        call = asp.Control(LARGE).solve(timeout=0.2)
        self.assertEqual(list(call), [])
        self.assertTrue(call.result.interrupted)
        self.assertIsNone(call.result.satisfiable)

    def test_time_in_solving(self):
        for threads in (1, 2):
            call = asp.Control(HARD, threads=threads).solve(timeout=0.2)
            start = time.monotonic()
            self.assertEqual(list(call), [])
            self.assertLess(time.monotonic() - start, 1)
            self.assertEqual(call.result.stopped, "timeout")
            self.assertIsNone(call.result.satisfiable)
        with self.assertRaises(ValueError):
            asp.Control(HARD).solve(timeout=-1)

    def test_the_best_so_far(self):
        program = "{ x(1..60,1..3) }. :- x(I,A), x(I,B), A < B. #maximize { (I*7)\\11*A,I,A : x(I,A) }. :- x(I,A), x(J,A), (I*J)\\7 == A, I < J."
        try:
            best = asp.Control(program).optimal(timeout=0.3)
            self.assertTrue(best.costs)
        except asp.TimeoutError as stopped:
            self.assertTrue(stopped.result.best.costs)
            self.assertTrue(stopped.result.interrupted)
            self.assertFalse(stopped.result.optimal)

    def test_cancelling(self):
        control = asp.Control(HARD)
        call = control.solve()
        threading.Timer(0.2, call.cancel).start()
        self.assertIsNone(call._next())
        self.assertEqual(call.result.stopped, "cancelled")
        with self.assertRaises(asp.Interrupted):
            threading.Timer(0.2, control.cancel).start()
            control.first()

    def test_cancelling_questions(self):
        control = asp.Control(HARD)
        for ask in (control.unique, control.why_unsat, control.hint, control.count):
            timers = [threading.Timer(seconds, control.cancel) for seconds in (0.2, 0.4, 0.8)]
            for timer in timers:
                timer.start()
            start = time.monotonic()
            with self.assertRaises(asp.Interrupted):
                ask(timeout=60)
            self.assertLess(time.monotonic() - start, 10)
            for timer in timers:
                timer.cancel()
        self.assertTrue(asp.Control("{ a }.").count() == 2)

    def test_ctrl_c(self):
        for what in ("ground", "first"):
            for threads in (1, 2):
                program = LARGE if what == "ground" else HARD
                script = f"""
import asp, os, signal, threading, time
# A process that is started in the background may ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
control = asp.Control({program!r}, threads={threads})
pressed = []
def press():
    time.sleep(0.5)
    pressed.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press).start()
try:
    control.{what}()
except KeyboardInterrupt:
    print("after", time.monotonic() - pressed[0])
"""
                done = subprocess.run(
                    [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
                )
                self.assertRegex(done.stdout, "^after ", done.stderr)
                # 0.2 s are promised; a machine with much else to do needs more.
                self.assertLess(float(done.stdout.split()[1]), 1)


class Functions(unittest.TestCase):
    def test_values(self):
        def several(n):
            return [d for d in range(1, n + 1) if n % d == 0]

        def lazily(n):
            yield from range(n)

        functions = {"d": several, "l": lazily, "t": lambda *a: (a, asp.Term("f", *a)), "n": lambda: []}
        control = asp.Control('d(@d(6)). l(@l(2)). t(@t(1,a,"s",(2,))). n(@n()).', functions=functions)
        self.assertEqual(str(control.first()), 'd(1) d(2) d(3) d(6) l(0) l(1) t(((1,a,"s",(2,)),f(1,a,"s",(2,))))')

        class Context:
            def up(self, n):
                return n + 1

        control = asp.Control("a(@up(1)).").ground(functions=Context())
        self.assertEqual(control.first()["a"], [(2,)])

    def test_exceptions(self):
        def bad():
            raise KeyError("oops")

        with self.assertRaisesRegex(KeyError, "oops"):
            asp.Control("a(@bad()).", functions={"bad": bad}).ground()
        with self.assertRaises(asp.UsageError):
            asp.Control("a(@none()).", functions={}).ground()
        with self.assertRaises(TypeError):
            asp.Control("a(@f()).", functions={"f": lambda: 1.5}).ground()
        control = asp.Control("a(@f()).").ground()
        self.assertEqual([m.code for m in control.messages], ["operation-undefined"])
        control = asp.Control("a(@again()).")
        with self.assertRaisesRegex(asp.UsageError, "at work"):
            control.ground(functions={"again": lambda: control.first()})


    def test_circles_are_collected(self):
        class Context:
            def __init__(self):
                self.control = asp.Control("a(@up(1)).", functions=self)

            def up(self, n):
                return n + 1

        context = Context()
        self.assertEqual(str(context.control.first()), "a(2)")
        gone = weakref.ref(context)
        del context
        gc.collect()
        self.assertIsNone(gone())


class Errors(unittest.TestCase):
    def test_places_and_advice(self):
        with self.assertRaises(asp.ParseError) as caught:
            asp.Control("a.\nb :- c(X.").ground()
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column), ("<text>", 2, 9))
        with self.assertRaises(asp.GroundingError) as caught:
            asp.Control().add("b(X) :- not c(X).", name="mine").solve()
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column), ("mine", 1, 3))
        self.assertEqual(error.message, "unsafe variable `X`")
        self.assertIn("bind it", error.help)
        self.assertIn("^", str(error))
        self.assertIsInstance(error, asp.Error)

    def test_wrong_values(self):
        for wrong in (1.5, None, True, [1], {}, 2**63, object()):
            with self.assertRaises((TypeError, OverflowError)):
                asp.Term(wrong)
        control = asp.Control("a.")
        for call in (
            lambda: control.solve(-1),
            lambda: control.ground([1]),
            lambda: control.ground("base"),
            lambda: control.add(3),
            lambda: control.add_facts("a"),
            lambda: control.add_table(3, [(1,)]),
            lambda: control.add_table("p", None),
        ):
            with self.assertRaises((TypeError, OverflowError, AttributeError)):
                call()
        self.assertEqual(str(control.first()), "a")


class Threads(unittest.TestCase):
    def test_many_at_once(self):
        found = []

        def work(n):
            control = asp.Control(f"{{ a(1..{n}) }}.")
            found.append((n, sum(1 for _ in control.solve())))

        threads = [threading.Thread(target=work, args=(1 + n % 8,)) for n in range(24)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(found), 24)
        self.assertTrue(all(2**n == models for n, models in found))

    def test_one_control_from_several(self):
        control, wrong = asp.Control("{ a(1..6) }."), []

        def work():
            try:
                for _ in range(20):
                    if len(control.solve().all()) != 64:
                        wrong.append("models")
            except asp.UsageError:
                pass  # The others went on to another call.

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_whole_answers_from_several(self):
        control, found = asp.Control("{ a(1..4) }."), []

        def work():
            for _ in range(20):
                found.append((len(control.all()), control.first() is not None, len(control.brave())))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [(16, True, 4)] * 80)

    def test_others_run_meanwhile(self):
        control = asp.Control(HARD)
        thread = threading.Thread(target=lambda: list(control.solve(timeout=0.5)))
        thread.start()
        steps, end = 0, time.monotonic() + 0.3
        while time.monotonic() < end:
            steps += 1
        thread.join()
        self.assertGreater(steps, 1000)

    def test_after_a_fork(self):
        self.assertIsNotNone(asp.Control("a.").first(timeout=5))
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            call = asp.Control(HARD).solve(timeout=0.2)
            os._exit(0 if list(call) == [] and call.result.stopped == "timeout" else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Memory(unittest.TestCase):
    def test_nothing_grows(self):
        def resident():
            gc.collect()
            pages = pathlib.Path("/proc/self/statm").read_text().split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")

        def work(n):
            control = asp.Control(f'p(1..200). q(X, "text {n}", name{n}) :- p(X). {{ r(X) : p(X) }}.')
            model = control.first()
            self.assertEqual(len(model["q"]), 200)
            return model.terms[-1]

        if not os.path.exists("/proc/self/statm"):
            self.skipTest("no /proc")
        kept = [work(n) for n in range(100)]
        before = resident()
        kept += [work(n) for n in range(1000)]
        grown = resident() - before
        self.assertLess(grown, 8_000_000)
        self.assertEqual(len(kept), 1100)


if __name__ == "__main__":
    unittest.main()
