"""Questions and pictures."""

import base64
import re
import unittest
import xml.dom.minidom

import asp

PROGRAM = """
cell(1..2,1..2).
1 { value(R,C,1..2) } 1 :- cell(R,C).
:- value(R,C,V), value(R,D,V), C < D.
:- value(R,C,V), value(S,C,V), R < S.
:- given(R,C,V), not value(R,C,V).
#show value/3.
"""


class Questions(unittest.TestCase):
    def setUp(self):
        self.open = asp.Control(PROGRAM)
        self.closed = asp.Control(PROGRAM).add_table("given", [(1, 1, 2)])
        self.wrong = asp.Control(PROGRAM).add_facts(["given(1,1,2)", "given(1,2,2)"])

    def test_optimal(self):
        control = asp.Control("1 { a; b; c } 2. #minimize { 1,a : a; 1,b : b; 3,c : c }.")
        self.assertEqual((control.count(), control.count(optimal=True)), (6, 2))
        self.assertEqual(control.why_not("c", optimal=True).verdict, "never")
        self.assertEqual(control.why_not("c").verdict, "sometimes")
        self.assertEqual(control.unique(optimal=True).verdict, "several")
        self.assertEqual(len(control.diverse(3, optimal=True).models), 2)
        self.assertEqual(str(control.candidates(optimal=True)).split(), ["possible:", "a", "b"])
        self.assertTrue({str(model) for model in control.sample(4, optimal=True).models} <= {"a", "b"})

    def test_costs(self):
        control = asp.Control("1 { a; b }. #minimize { 3 : a; 5 : b }.")
        self.assertEqual(sorted(model.costs for model in control.all()), [(3,), (5,), (8,)])
        self.assertIn(control.first().costs, [(3,), (5,), (8,)])
        self.assertEqual(asp.Control("a.").first().costs, ())
        cost = control.cost()
        self.assertEqual((cost.verdict, cost.costs, cost.total), ("optimal", (3,), 3))
        self.assertIn("Least cost: 3.", str(cost))
        self.assertIn("no answer set costs less than 3", str(control.why_cost()))
        self.assertEqual(asp.Control("a.").cost().verdict, "no objective")
        self.assertEqual(asp.Control("{ a }. :- a. :- not a. #minimize { 1 : a }.").cost().verdict, "no answer set")

    def test_check(self):
        self.assertEqual(asp.Control("a.").check(), [])
        [message] = asp.Control("edge(1,2). r :- egde(1,2).").check()
        self.assertEqual((message.code, message.severity), ("atom-undefined", "warning"))
        [message] = asp.Control("a :- b c.").check()
        self.assertEqual(message.severity, "error")

    def test_how_many(self):
        self.assertEqual((self.open.count(), self.closed.count(), self.wrong.count()), (2, 1, 0))
        self.assertEqual(asp.Control("{ a(1..100) }.").count(), 2**100)
        self.assertEqual(asp.Control("{ a; b }. #show a/0.").count(project=True), 2)
        verdicts = [control.unique().verdict for control in (self.open, self.closed, self.wrong)]
        self.assertEqual(verdicts, ["several", "unique", "no answer set"])
        two = self.open.unique()
        self.assertEqual(len(two), 2)
        self.assertNotEqual(two[0], two[1])
        self.assertIn("only in the first", two.text)
        self.assertEqual(self.closed.unique()[0], self.closed.first())

    def test_what_is_possible(self):
        self.assertEqual(len(self.open.candidates()[0]), 8)
        self.assertEqual(self.closed.candidates()[0], self.closed.first())
        self.assertEqual(len(self.closed.candidates(by_inference=True)), 1)
        self.assertEqual(self.wrong.candidates().verdict, "no answer set")
        hints = self.closed.hint(0)
        self.assertEqual((hints.verdict, hints.open), ("all", 0))
        forced = {hint.atom for hint in hints.hints}
        self.assertTrue(forced)
        self.assertTrue(all(atom in self.closed.first() for atom in forced))
        self.assertEqual({hint.level for hint in hints.hints}, {"inference"})
        self.assertIn("Hint 1", str(hints))
        self.assertEqual(self.wrong.hint().hints, [])

    def test_why(self):
        why = self.closed.why("value(2,2,2)")
        self.assertEqual(why.verdict, "always")
        self.assertIn("holds in every answer set", why.text)
        self.assertIn("given(1,1,2)", [node.text for node in why.tree.walk()])
        self.assertTrue(any(node.line for node in why.tree.walk()))
        self.assertIs(why.minimal, True)
        self.assertEqual(self.closed.why_not(asp.Term("value", 2, 2, 1)).verdict, "never")
        self.assertEqual(self.open.why("value(1,1,1)").verdict, "sometimes")
        self.assertEqual(self.open.why("nothing(1)").verdict, "unknown")
        self.assertEqual(self.wrong.why("value(1,1,1)").verdict, "no answer set")
        with self.assertRaises(asp.UsageError):
            self.open.why("value(")

    def test_why_not_at_all(self):
        conflict = self.wrong.why_unsat()
        self.assertEqual(conflict.verdict, "unsatisfiable")
        self.assertTrue(conflict.minimal)
        self.assertEqual([p.text for p in conflict.parts if p.kind == "fact"], ["given(1,1,2).", "given(1,2,2)."])
        self.assertIn("contradict each other", conflict.text)
        self.assertIsNotNone(conflict.steps)
        self.assertEqual(self.open.why_unsat().verdict, "satisfiable")
        self.assertEqual(self.open.why_unsat().parts, [])

    def test_samples(self):
        drawn = self.open.sample(20, seed=1)
        self.assertEqual((drawn.verdict, len(drawn)), ("uniform", 20))
        self.assertEqual({str(m) for m in drawn}, {str(m) for m in self.open.all()})
        self.assertEqual([str(m) for m in drawn], [str(m) for m in self.open.sample(20, seed=1)])
        self.assertEqual(self.wrong.sample().verdict, "no answer set")

    def test_diverse(self):
        control = asp.Control("{ p(1..4) }.")
        far = control.diverse(2)
        self.assertEqual((far.verdict, far.data["distances"], len(far)), ("some", [None, 4], 2))
        self.assertEqual(set(map(str, far[0])) ^ set(map(str, far[1])), {f"p({n})" for n in range(1, 5)})
        self.assertIn("(distance 4)", far.text)
        self.assertEqual(control.diverse(20).verdict, "all")
        self.assertEqual(self.wrong.diverse().verdict, "no answer set")

    def test_generate(self):
        latin = (
            "1 { v(R,C,1..n) } 1 :- R = 1..n, C = 1..n. :- v(R,C,V), v(R,D,V), C < D. :- v(R,C,V), v(S,C,V), R < S."
            ":- given(R,C,V), not v(R,C,V). #const n = 3.\n%@clue given(R,C,V) : v(R,C,V)\n#show v/3."
        )
        puzzle = asp.Control(latin, const={"n": 4})
        made = [puzzle.generate(seed=seed) for seed in range(4)]
        for instance in made:
            self.assertTrue(instance)
            self.assertIn("#const n = 4. [override]", instance.facts)
            self.assertEqual(instance.facts.count("given"), instance.clues)
            sets = [str(m) for m in asp.Control(latin + instance.facts).all()]
            self.assertEqual(sets, [str(instance.solution)])
            self.assertTrue(instance.minimal)
            self.assertEqual(str(instance).splitlines()[0].count("% "), 1)
        self.assertEqual(len({i.facts for i in made}), 4)
        self.assertEqual(made[2].facts, puzzle.generate(seed=2).facts)
        with self.assertRaisesRegex(asp.UsageError, '"easy", "medium"'):
            puzzle.generate(difficulty="evil")
        with self.assertRaisesRegex(asp.Error, "does not say what a clue is"):
            asp.Control("a.").generate()
        with self.assertRaisesRegex(asp.Error, "has no such constant; there are: n"):
            asp.Control(latin, const={"m": 4}).generate()
        self.assertEqual(asp.Control(latin + " :- v(1,1,V).").generate().verdict, "no answer set")
        none = asp.Control("1 { a; b }.\n%@clue c : 1 = 1").generate(draws=2)
        self.assertEqual((bool(none), none.verdict, none.facts), (False, "none fits", None))

    def test_integers(self):
        control = asp.Control("{ a }. &dom { 0..3 } = x. &dom { 0..500 } = f(1). &sum { x; f(1) } = 502.")
        x, f = asp.Name("x"), asp.Term("f", 1)
        found = {(model.integers[x], model.integers[f]) for model in control.sample(20, seed=1)}
        self.assertEqual(found, {(2, 500), (3, 499)})
        for model in control.unique():
            self.assertEqual(model.integers[x] + model.integers[f], 502)
            self.assertTrue(str(model).endswith(f"x={model.integers[x]} f(1)={model.integers[f]}"), str(model))
        self.assertEqual(control.candidates()[0].integers, {})
        wide = [*asp.Control("&dom { 0..90000; 95000 } = x. &sum { x } > 89998.").solve()]
        self.assertEqual(len(set(wide)), 3)
        tasks = asp.Control("duration(a,3). &dom { 4..900 } = start(a). &sum { start(a) } <= 4.")
        self.assertIn("a │███│ 4-7", tasks.sample(1)[0].picture())

    def test_the_program_as_it_is(self):
        control = asp.Control("#external on. a :- on. #program step(t). b(@f(t)).", functions={"f": lambda t: t + 1})
        control.ground(["base", ("step", [1])])
        self.assertEqual(str(control.unique()[0]), "b(2)")
        control.assign("on", True)
        self.assertEqual(str(control.unique()[0]), "on a b(2)")
        self.assertEqual(control.why("a").verdict, "always")
        self.assertEqual(asp.Control("p(n).", const={"n": 3}).why("p(3)").verdict, "always")

    def test_limits_and_errors(self):
        large = asp.Control("p(1..3000). q(X,Y,Z) :- p(X), p(Y), p(Z).")
        for question in (large.count, large.unique, large.why_unsat, large.hint, lambda **o: large.why("q(1,1,1)", **o)):
            with self.assertRaises(asp.TimeoutError):
                question(timeout=0.1)
        for question in (asp.Control("a(X).").count, asp.Control("a(").why_unsat):
            with self.assertRaises(asp.Error) as caught:
                question()
            self.assertEqual(caught.exception.line, 1)

    def test_random_programs_by_all_answer_sets(self):
        import random

        for seed in range(40):
            rng = random.Random(seed)
            atoms = "abcd"
            rules = ["{ a; b; c; d }."]
            for _ in range(rng.randrange(1, 6)):
                body = ", ".join(("not " if rng.random() < 0.5 else "") + rng.choice(atoms) for _ in range(rng.randrange(1, 3)))
                rules.append(f"{rng.choice(['', *atoms])} :- {body}.")
            control = asp.Control(" ".join(rules))
            models = [set(map(str, model)) for model in control.all()]
            self.assertEqual(control.count(), len(models), rules)
            self.assertEqual(control.unique().verdict, ["no answer set", "unique", "several"][min(2, len(models))])
            if models:
                self.assertEqual(set(map(str, control.candidates()[0])), set.union(*models), rules)
                for model in control.sample(3, seed=seed):
                    self.assertIn(set(map(str, model)), models)
            for atom in atoms:
                holds = [atom in model for model in models]
                kind = "no answer set" if not holds else "always" if all(holds) else "sometimes" if any(holds) else "never"
                verdict = control.why(atom).verdict
                self.assertIn(verdict, [kind, "unknown"] if kind == "never" else [kind], (rules, atom))
            self.assertEqual(control.why_unsat().verdict, "satisfiable" if models else "unsatisfiable")


class Pictures(unittest.TestCase):
    def test_grids(self):
        model = asp.Control(PROGRAM).add_table("given", [(1, 1, 2)]).first()
        self.assertIn("2", model.picture())
        svg = model.svg()
        self.assertTrue(svg.startswith("<svg"))
        xml.dom.minidom.parseString(svg)
        self.assertEqual(svg, model._repr_svg_())
        page = model._repr_html_()
        data = re.search(r"base64,([^\"]*)", page).group(1)
        self.assertEqual(base64.b64decode(data).decode(), svg)
        self.assertIn("value(1,1,2)", page)

    def drawn(self, program):
        model = asp.Control(program).first()
        svg = model.svg()
        self.assertEqual(svg, model._repr_svg_())
        data = re.search(r"base64,([^\"]*)", model._repr_html_()).group(1)
        self.assertEqual(base64.b64decode(data).decode(), svg)
        root = xml.dom.minidom.parseString(svg).documentElement
        texts = [node.firstChild.data for node in root.getElementsByTagName("text") if node.firstChild]
        return model.picture(), texts, root

    def test_tables(self):
        roster = "shift(ann,mon,early). shift(ann,tue,late). shift(bob,mon,late). shift(bob,tue,early)."
        picture, texts, _ = self.drawn(roster)
        self.assertIn("│ ann │ early │ late  │", picture)
        self.assertLessEqual({"ann", "bob", "mon", "tue", "early", "late"}, set(texts))
        picture, texts, _ = self.drawn('likes(ann,"<b>").')
        self.assertIn("<b>", picture)
        self.assertIn("<b>", texts)

    def test_bars(self):
        jobs = "duration(a,3). duration(b,2). 1 { start(J,0..4) } 1 :- duration(J,_). :- start(a,X), X != 1.   :- start(b,X), X != 4. #show start/2."
        picture, texts, root = self.drawn(jobs)
        self.assertIn("a │███  │ 1-4", picture)
        self.assertLessEqual({"a", "b"}, set(texts))
        bars = {rect.getAttribute("width") for rect in root.getElementsByTagName("rect")}
        self.assertGreater(len(bars), 1)

    def test_routes(self):
        picture, texts, _ = self.drawn("drive(van,depot,ulm). drive(van,ulm,kiel). drive(van,kiel,depot).")
        self.assertIn("van: depot -> ulm -> kiel -> depot", picture)
        self.assertTrue(any("ulm" in text for text in texts), texts)

    def test_without_a_picture(self):
        model = asp.Control("a. b.").first()
        self.assertIsNone(model.svg())
        self.assertIsNone(model.picture())
        self.assertIn("a b", model._repr_html_())

    def test_explanations(self):
        page = asp.Control("a. b :- a.").why("b")._repr_html_()
        self.assertIn("<iframe", page)
        self.assertIsNone(asp.Control("a.").unique()._repr_html_())


if __name__ == "__main__":
    unittest.main()
