"""Terms and models as values."""

import copy
import copy
import pickle
import random
import unittest

import asp
from asp import Name, Term

TEXTS = ["#inf", "-3", "0", "12345678901234", "()", "a", "b", "-a", '""', '"a\\"b\\n"', "(1,)", "f(1)", "f(2)", "g(1)", "(1,2)", "f(a,(b,\"c\"))", "-f(1)", "#sup"]


def value(random, depth=0):
    kind = random.randrange(4 if depth > 2 else 6)
    if kind == 0:
        return random.choice([0, 1, -7, 2**40, -(2**62)])
    if kind == 1:
        return random.choice(["", "a", "two words", 'quote"', "é\n"])
    if kind == 2:
        return Name(random.choice(["a", "b", "_c", "d'"]))
    if kind == 3:
        return Term(random.choice("fgh"), negative=True)
    items = [value(random, depth + 1) for _ in range(random.randrange(3))]
    return tuple(items) if kind == 4 else (Term("f", *items) if items else Term("f", 1))


class Terms(unittest.TestCase):
    def test_texts_order_and_pickles(self):
        terms = [Term.parse(text) for text in TEXTS]
        self.assertEqual([str(term) for term in terms], TEXTS)
        shuffled = terms[:]
        random.Random(1).shuffle(shuffled)
        self.assertEqual(sorted(shuffled), terms)
        for term in terms:
            again = pickle.loads(pickle.dumps(term))
            self.assertEqual((again, hash(again), repr(again)), (term, hash(term), repr(term)))
            self.assertEqual(copy.deepcopy(term), term)
            self.assertEqual(eval(repr(term), {"Term": Term}), term)
        self.assertEqual(len(set(terms + shuffled)), len(terms))
        self.assertEqual(pickle.loads(pickle.dumps(Name("a"))), "a")
        self.assertIs(type(pickle.loads(pickle.dumps(Name("a")))), Name)

    def test_parts(self):
        term = Term("f", 1, "s", Name("c"), (2, (3,)), Term("g", 4))
        self.assertEqual(str(term), 'f(1,"s",c,(2,(3,)),g(4))')
        self.assertEqual((term.kind, term.name, term.negative, len(term)), ("function", "f", False, 5))
        self.assertEqual(term.arguments, (1, "s", "c", (2, (3,)), Term("g", 4)))
        self.assertEqual(term[-1], Term("g", 4))
        self.assertIsInstance(term[2], Name)
        self.assertNotEqual(Term("f", "c"), Term("f", Name("c")))
        with self.assertRaises(IndexError):
            term[5]
        match term:
            case Term("f", (number, *_)):
                self.assertEqual(number, 1)
        self.assertEqual([Term.parse(t).value for t in ("3", '"x"', "c", "(1,)")], [3, "x", "c", (1,)])
        for wrong in ("f(X)", "1+1", "f(", "", "1..2"):
            with self.assertRaises(asp.UsageError):
                Term.parse(wrong)
        for wrong in ("F", "not", "1f", "f g", ""):
            with self.assertRaises(ValueError):
                Term(wrong, 1)
        with self.assertRaises(ValueError):
            Term._from_bytes(b"\x01\x02")

    def test_random_values_come_back(self):
        for seed in range(500):
            rng = random.Random(seed)
            own = value(rng)
            term = Term(own)
            self.assertEqual(Term(term.value), term, seed)
            if isinstance(own, (int, str, tuple)):
                self.assertEqual(term.value, own, seed)
            self.assertEqual(Term.parse(str(term)), term, seed)
            self.assertEqual(pickle.loads(pickle.dumps(term)), term)
            answer = asp.Control("p(@value()).", functions={"value": lambda: own}).first()
            self.assertEqual(answer["p"], [(term.value,)], seed)

    def test_order_is_that_of_programs(self):
        rng = random.Random(5)
        for _ in range(60):
            a, b = Term(value(rng)), Term(value(rng))
            functions = {"a": lambda: a, "b": lambda: b}
            program = "less :- @a() < @b(). equal :- @a() = @b(). more :- @a() > @b()."
            answer = str(asp.Control(program, functions=functions).first())
            self.assertEqual(answer, "less" if a < b else "equal" if a == b else "more", (a, b))

    def test_deep_terms(self):
        depth = 100_000
        deep = Term.parse("f(" * depth + "1" + ")" * depth)
        self.assertEqual(pickle.loads(pickle.dumps(deep)), deep)
        self.assertEqual(len(str(deep)), 3 * depth + 1)
        self.assertLess(deep, Term("g", deep))
        self.assertEqual(deep[0].name, "f")


class Models(unittest.TestCase):
    def test_collections(self):
        control = asp.Control('{ a }. a. -b(1). b(2). b(2,x). t(f(1),"s",(1,2)). #show. #show a/0. #show -b/1. #show b/1. #show b/2. #show t/3. #show 7. #show (1,c).')
        model = control.first()
        self.assertEqual(model["b"], [(2,), (2, "x")])
        self.assertEqual(model["b/1"], [(2,)])
        self.assertEqual(model["b", 2], [(2, "x")])
        self.assertEqual(model["-b"], [(1,)])
        self.assertEqual(model["t"], [(Term("f", 1), "s", (1, 2))])
        self.assertEqual(model["a"], [()])
        self.assertEqual(model["none"], [])
        for atom in ("a", "-b(1)", Term("b", 2), 't(f(1),"s",(1,2))', "7", (1, Name("c"))):
            self.assertIn(atom, model)
        self.assertNotIn("b(3)", model)
        self.assertEqual(len(model), len(list(model)))
        self.assertEqual(set(map(str, model)), set(str(model).split()))
        self.assertEqual(set(model.to_dict()), {"a", "-b", "b", "t"})
        for wrong in ("b/x", 3, ("b", "x")):
            with self.assertRaises((ValueError, TypeError)):
                model[wrong]
        with self.assertRaises(TypeError):
            pickle.dumps(model)
        self.assertIs(copy.deepcopy(model), model)
        self.assertIs(copy.copy(model), model)

    def test_equal_ones_hash_equally(self):
        models = asp.Control("1 { a(1..9) } 1.").all()
        again = asp.Control("1 { a(9;8;7;6;5;4;3;2;1) } 1.").all()
        self.assertEqual(set(models), set(again))
        self.assertEqual(len(set(map(hash, models + again))), 9)

    def test_they_outlive_their_control(self):
        control = asp.Control("{ a(1..3) }. #program more. {b(1..100)}.")
        models = control.all()
        before = [str(model) for model in models]
        control.ground(["more"])
        next(control.solve())
        del control
        self.assertEqual([str(model) for model in models], before)
        self.assertEqual(len({str(m) for m in models}), 8)
        self.assertEqual(models[0], models[0])
        self.assertEqual(len([m for m in models if m == models[3]]), 1)
        self.assertEqual(asp.Control("a(1..2).").first(), asp.Control("a(2). a(1).").first())

    def test_things_shown_for_several_reasons(self):
        control = asp.Control("{ a; b }. #show. #show t : a. #show t : b. #show u : a. #show u.")
        self.assertEqual(sorted(str(m) for m in control.all()), ["t u", "t u", "t u", "u"])
        self.assertEqual(str(control.brave()), "t u")


if __name__ == "__main__":
    unittest.main()
