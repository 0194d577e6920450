"""Facts in and answers out by column, and predicates as classes."""

import pickle
import random
import unittest
from typing import Any, Union

import asp
from asp import Name, Term

try:
    import numpy
    import pandas
    import pyarrow
except ImportError:
    numpy = pandas = pyarrow = None


@asp.predicate
class Cell:
    row: int
    column: int
    value: Union[int, Name]


@asp.predicate(name="at", negative=True)
class NotAt:
    where: "Place"
    label: str


@asp.predicate
class Place:
    x: int
    colour: Name


@asp.predicate
class Flag:
    pass


@asp.predicate
class Loose:
    one: Any
    two: tuple
    three: Term


def facts(*arguments, **options):
    return str(asp.Control().add_table("p", *arguments, **options).first()).split()


class TablesIn(unittest.TestCase):
    def test_mappings_and_rows(self):
        columns = {"a": [1, 2], "b": ["x", "y"]}
        self.assertEqual(facts(columns), ['p(1,"x")', 'p(2,"y")'])
        self.assertEqual(facts(columns, constants=True), ["p(1,x)", "p(2,y)"])
        self.assertEqual(facts(columns, ["b"]), ['p("x")', 'p("y")'])
        self.assertEqual(facts([(1, Name("x")), (2, (3, Term("f", 4)))]), ["p(1,x)", "p(2,(3,f(4)))"])
        self.assertEqual(facts([]), [])
        self.assertEqual(str(asp.Control().add_table("-p", [(1,)]).first()), "-p(1)")

    def test_wrong_tables(self):
        for wrong in ({"a": [1], "b": [1, 2]}, [(1,), (1, 2)], ["ab"], [1], {"a": 3}):
            with self.assertRaises(asp.UsageError):
                facts(wrong)
        for wrong in ({"a": [1.5]}, {"a": [None]}, {"a": [2**63]}):
            with self.assertRaises((TypeError, OverflowError)):
                facts(wrong)
        for wrong in ("P", "", "not", "a b", "f(X)"):
            with self.assertRaises(asp.UsageError):
                asp.Control().add_table(wrong, [(1,)])
        with self.assertRaises(asp.UsageError):
            facts({"a": ["two words"]}, constants=True)
        with self.assertRaises(asp.UsageError):
            facts({"a": [1]}, ["b"])

    def test_tables_that_nothing_reads(self):
        program = "late(X) :- arrives(X,T), T > 9."
        for name, rows, words in (
            ("arives", [("a", 10)], "nothing reads `arives/2`; the program reads `arrives/2`"),
            ("arrives", [("a", 10, 1)], "the program reads `arrives/2`: it has 3 columns"),
        ):
            with self.subTest(name), self.assertRaisesRegex(asp.UsageError, words):
                asp.Control(program).add_table(name, rows).first()
        self.assertEqual(len(asp.Control(program).add_table("arrives", [("a", 10)]).add_table("other", [(1,)]).first()["late"]), 1)
        model = asp.Control(program + " seen :- early(1). {early(1)}.").add_table("arrives", [("a", 10)]).first()
        self.assertIsInstance(model["early/1"], list)
        self.assertEqual(model["nowhere"], [])
        for key in ("arrive", "arrives/3", "erly"):
            with self.subTest(key), self.assertRaisesRegex(asp.UsageError, "did you mean `(arrives/2|early/1)`"):
                model[key]
        with self.assertRaisesRegex(asp.UsageError, "has 2 columns, and names were given for 3"):
            model.table("arrives", ["a", "b", "c"])

    def test_facts_that_nothing_reads(self):
        with self.assertRaisesRegex(asp.UsageError, "nothing reads `persn/1`; the program reads `person/1`: did you mean that"):
            asp.Control("works(P) :- person(P).").add_facts(["persn(ann)"]).first()
        with self.assertRaisesRegex(asp.UsageError, "there is no predicate `work/1`; did you mean `works/1`"):
            asp.Control("{ works(ann) }.").first(assume=["work(ann)"])
        self.assertIsNone(asp.Control("{ works(ann) }.").first(assume=["works(bob)"]))
        self.assertIsNone(asp.Control("{ works(ann) }.").first(assume=["rests(ann)"]))

    def test_rows_that_are_mappings(self):
        rows = [{"who": "ann", "day": 1}, {"who": "bob", "day": 2}]
        for data in (rows, tuple(rows), iter(rows)):
            model = asp.Control().add_table("off", data, constants=data is rows and ["who"] or True).first()
            self.assertEqual(model["off"], [("ann", 1), ("bob", 2)])
        self.assertEqual(asp.Control().add_table("off", rows, ["day"]).first()["off"], [(1,), (2,)])
        for wrong, words in (
            ([*rows, {"who": "cy"}], "row 2 has no column `day`"),
            ([*rows, {"who": "cy", "day": 3, "hour": 1}], "row 2 has a column `hour`"),
            ({"a": "xyz"}, "column `a` is 'xyz'; a column is a list"),
            ({"a": 1}, "column `a` is 1; a column is a list"),
        ):
            with self.subTest(words), self.assertRaisesRegex(asp.UsageError, words):
                asp.Control().add_table("off", wrong)

    def test_tables_have_names(self):
        program = ":- p(X), q(X)."
        reply = asp.Control(program).add_table("p", [(1,)]).add_table("q", [(1,)]).why_unsat()
        self.assertEqual({part.file for part in reply.parts} - {"<text>"}, {"<table p>", "<table q>"})

    def test_constants_by_column(self):
        columns = {"who": ["ann"], "what": ["Tea Room"], "n": [2]}
        self.assertEqual(facts(columns, constants=["who"]), ['p(ann,"Tea', 'Room",2)'])
        self.assertEqual(facts([("ann", "Bob")], constants=[0]), ['p(ann,"Bob")'])
        self.assertEqual(facts(columns, ["n", "who"], constants=["who"]), ["p(2,ann)"])
        with self.assertRaisesRegex(asp.UsageError, "no column `whom`"):
            facts(columns, constants=["whom"])
        with self.assertRaises(TypeError):
            facts(columns, constants="who")
        if pyarrow:
            self.assertEqual(facts(pyarrow.table({"a": ["x"], "b": ["Y"]}), constants=["a"]), ['p(x,"Y")'])
        if pandas:
            self.assertEqual(facts(pandas.DataFrame({"a": ["x"], "b": ["Y"]}), constants=["a"]), ['p(x,"Y")'])

    def test_floats_that_are_whole(self):
        self.assertEqual(facts({"a": [1.0, 2]}), ["p(1)", "p(2)"])
        with self.assertRaisesRegex(TypeError, "row 1: 1.5 is no whole number"):
            facts({"a": [1, 1.5]})
        if pandas:
            self.assertEqual(facts(pandas.DataFrame({"a": [1.0, 2.0]})), ["p(1)", "p(2)"])
            self.assertEqual(facts(pandas.DataFrame({"a": pandas.Categorical(["x", "y"])})), ['p("x")', 'p("y")'])
            for column, words in (
                ([1.5], "no whole number"),
                ([True], "astype"),
                (pandas.to_datetime(["2026-01-02"]), "strftime"),
            ):
                with self.subTest(column), self.assertRaisesRegex(asp.UsageError, words):
                    facts(pandas.DataFrame({"a": column}))
        if pyarrow:
            self.assertEqual(facts(pyarrow.table({"x": pyarrow.array([1.0, 2.0])})), ["p(1)", "p(2)"])

    def test_mistakes_are_told_at_their_rows(self):
        with self.assertRaisesRegex(asp.UsageError, r"row 1 is \(3,\), of length 1; the first is \(1, 2\)"):
            facts([(1, 2), (3,)])
        with self.assertRaisesRegex(asp.UsageError, "row 2: `Tea Room` is no name"):
            facts({"a": ["x", "y", "Tea Room"]}, constants=True)
        with self.assertRaisesRegex(TypeError, "row 1: "):
            facts({"a": [1, None]})
        if pandas:
            with self.assertRaisesRegex(asp.UsageError, "column `a`, row 1: 2.5 is no whole number"):
                facts(pandas.DataFrame({"a": [1.0, 2.5, 3.5]}))
            with self.assertRaisesRegex(asp.UsageError, "column `a`, row 2: a missing value"):
                facts(pandas.DataFrame({"a": [1.0, 2.0, None]}))

    @unittest.skipUnless(numpy, "needs numpy")
    def test_numpy(self):
        self.assertEqual(facts(numpy.array([[1, 2], [3, 4]])), ["p(1,2)", "p(3,4)"])
        self.assertEqual(facts(numpy.array([[1, 2], [3, 4]], dtype=numpy.uint8).T), ["p(1,3)", "p(2,4)"])
        named = numpy.array([(1, "x"), (2, "y")], dtype=[("n", "i4"), ("s", "U5")])
        self.assertEqual(facts(named), ['p(1,"x")', 'p(2,"y")'])
        self.assertEqual(facts({"a": numpy.arange(3)[::-1], "b": [5, 6, 7]}), ["p(2,5)", "p(1,6)", "p(0,7)"])
        self.assertEqual(str(Term(numpy.int32(-3))), "-3")
        for wrong in (numpy.array([1, 2]), numpy.array([[1.5]]), numpy.array([[True]]), {"a": numpy.array([2**63], dtype="u8")}):
            with self.assertRaises(asp.UsageError):
                facts(wrong)

    @unittest.skipUnless(pandas, "needs pandas")
    def test_pandas(self):
        frame = pandas.DataFrame({"n": [1, 2], "s": ["x", "y"]})
        self.assertEqual(facts(frame), ['p(1,"x")', 'p(2,"y")'])
        self.assertEqual(facts(frame, ["s", "n"], constants=True), ["p(x,1)", "p(y,2)"])
        self.assertEqual(facts(frame["n"].to_frame()), ["p(1)", "p(2)"])
        self.assertEqual(facts(frame[frame.n > 1]), ['p(2,"y")'])
        with self.assertRaises((asp.UsageError, TypeError)):
            facts(pandas.DataFrame({"n": [1, None]}))
        with self.assertRaises(asp.UsageError):
            facts(frame, ["none"])
        twice = pandas.DataFrame([[1, 2]], columns=["n", "n"])
        self.assertEqual(facts(twice), ["p(1,2)"])
        with self.assertRaisesRegex(asp.UsageError, "2 columns `n`"):
            facts(twice, ["n"])
        self.assertEqual(facts(pandas.DataFrame({"n": pandas.Series([], dtype=float)})), [])
        for column in (pandas.array([1, None], dtype="Int64"), [1, None], ["x", None]):
            with self.subTest(column), self.assertRaisesRegex((asp.UsageError, TypeError), "missing value"):
                facts(pandas.DataFrame({"n": column}))

    @unittest.skipUnless(pyarrow, "needs pyarrow")
    def test_arrow(self):
        kinds = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
        for kind in kinds:
            table = pyarrow.table({"n": pyarrow.array([1, 2, 3], kind)})
            self.assertEqual(facts(table), ["p(1)", "p(2)", "p(3)"], kind)
            self.assertEqual(facts(table.slice(1)), ["p(2)", "p(3)"], kind)
        for kind in ("string", "large_string", "string_view"):
            table = pyarrow.table({"s": pyarrow.array(["x", "é"], kind)})
            self.assertEqual(facts(table), ['p("x")', 'p("é")'], kind)
        table = pyarrow.table({"s": pyarrow.array(["x", "y", "x"]).dictionary_encode(), "n": [1, 2, 3]})
        self.assertEqual(facts(table, constants=True), ["p(x,1)", "p(y,2)", "p(x,3)"])
        self.assertEqual(facts(table, ["n"]), ["p(1)", "p(2)", "p(3)"])
        self.assertEqual(facts(pyarrow.concat_tables([table, table]), ["n"]), ["p(1)", "p(2)", "p(3)"])
        self.assertEqual(facts(table.to_batches()[0].to_struct_array(), ["n"]), ["p(1)", "p(2)", "p(3)"])
        self.assertEqual(facts(table.slice(3)), [])
        wrong = [[1.5], [None], [True], [2**63], [[1]]]
        for values in wrong:
            with self.assertRaises((asp.UsageError, OverflowError)):
                facts(pyarrow.table({"x": pyarrow.array(values) if values != [2**63] else pyarrow.array(values, "uint64")}))
        with self.assertRaisesRegex(asp.UsageError, "`none`"):
            facts(table, ["none"])
        with self.assertRaises(asp.UsageError):
            facts(pyarrow.array([1, 2]))
        before = pyarrow.total_allocated_bytes()
        large = pyarrow.table({"n": list(range(100_000))})
        facts(large.slice(0, 1))
        del large, table
        self.assertLessEqual(pyarrow.total_allocated_bytes(), before)

    def test_added_in_steps(self):
        control = asp.Control("q(X) :- p(X).")
        self.assertEqual(str(control.first()), "")
        control.add_table("p", [(1,)])
        self.assertEqual(str(control.first()), "p(1) q(1)")
        control.add_facts(["p(2)", Term("p", 3)], part="later")
        self.assertEqual(len(control.first()), 2)
        control.ground(["later", "base"])
        self.assertEqual(len(control.first()), 6)


class TablesOut(unittest.TestCase):
    def setUp(self):
        self.control = asp.Control('p(1..3,7). q(1,a). q("b",(2,f(3))). { r(1) }. s. t(1). t(1,2).')
        self.model = self.control.first()

    def test_lists(self):
        columns = self.model.table("p", ["x", "y"])
        self.assertEqual(columns.to_dict(), {"x": [1, 2, 3], "y": [7, 7, 7]})
        self.assertEqual(columns.rows(), self.model["p"])
        self.assertEqual((len(columns), columns.names, columns["x"], columns[1]), (3, ["x", "y"], [1, 2, 3], [7, 7, 7]))
        self.assertEqual(self.model.table("q").to_dict(), {"arg1": [1, "b"], "arg2": ["a", (2, Term("f", 3))]})
        self.assertIsInstance(self.model.table("q")["arg2"][0], Name)
        self.assertEqual(len(self.model.table("s")), 1)
        self.assertEqual(self.model.table("none", ["a"]).to_dict(), {"a": []})
        self.assertEqual(self.model.table("t/1")[0], [1])
        self.assertEqual(self.model.table("t", ["a", "b"]).rows(), [(1, 2)])
        with self.assertRaises(ValueError):
            self.model.table("t")
        with self.assertRaises(KeyError):
            columns["z"]

    def test_several_models(self):
        models = asp.Control("1 { p(1..3) } 1.").all()
        columns = asp.table(models, "p", ["n"])
        self.assertEqual(columns.names, ["model", "n"])
        self.assertEqual(sorted(columns["n"]), [1, 2, 3])
        self.assertEqual(columns["model"], [1, 2, 3])
        both = asp.table([self.model, *models], "p/1", ["n"])
        self.assertEqual(len(both), 3)
        self.assertEqual(len(asp.table([], "p", ["n"])), 0)

    @unittest.skipUnless(pyarrow, "needs numpy, pandas and pyarrow")
    def test_numpy_pandas_arrow(self):
        columns = self.model.table("p", ["x", "y"])
        arrays = columns.to_numpy()
        self.assertEqual(arrays["x"].dtype, numpy.int64)
        self.assertEqual(arrays["x"].tolist(), [1, 2, 3])
        arrays["x"][0] = 5
        self.assertEqual(columns["x"], [1, 2, 3])
        self.assertEqual(self.model.table("q").to_numpy()["arg1"].tolist(), [1, "b"])
        frame = columns.to_pandas()
        self.assertEqual(frame["y"].sum(), 21)
        self.assertEqual(facts(frame), ["p(1,7)", "p(2,7)", "p(3,7)"])
        table = columns.to_arrow()
        self.assertEqual(table.to_pydict(), columns.to_dict())
        self.assertEqual(table.schema.field("x").type, pyarrow.int64())
        self.assertEqual(pyarrow.record_batch(columns).to_pydict(), columns.to_dict())
        texts = self.model.table("q").to_arrow().to_pydict()
        self.assertEqual(texts, {"arg1": ["1", "b"], "arg2": ["a", "(2,f(3))"]})
        self.assertEqual(facts(columns), ["p(1,7)", "p(2,7)", "p(3,7)"])
        del columns
        self.assertEqual(table.num_rows, 3)
        capsule = self.model.table("p").__arrow_c_stream__()
        del capsule

    @unittest.skipUnless(pyarrow, "needs numpy, pandas and pyarrow")
    def test_random_tables_come_back(self):
        for seed in range(100):
            rng = random.Random(seed)
            rows = rng.randrange(1, 20)
            numbers = [rng.randrange(-(2**rng.randrange(63)), 2**rng.randrange(63)) for _ in range(rows)]
            words = ["".join(rng.choice('ab"\\\né ') for _ in range(rng.randrange(4))) for _ in range(rows)]
            expected = sorted(set(zip(numbers, words)))
            for data in (
                {"n": numbers, "w": words},
                pandas.DataFrame({"n": numbers, "w": words}),
                pyarrow.table({"n": numbers, "w": words}),
                list(zip(numbers, words)),
            ):
                columns = asp.Control().add_table("p", data).first().table("p", ["n", "w"])
                self.assertEqual(sorted(columns.rows()), expected, seed)
                self.assertEqual(sorted(zip(*columns.to_arrow().to_pydict().values())), expected, seed)


class Predicates(unittest.TestCase):
    def test_in_and_out(self):
        control = asp.Control("cell(R,C+1,V) :- cell(R,C,V), C < 2. -at(place(X,red),\"l\") :- cell(X,_,_). flag.")
        control.add_facts([Cell(1, 1, 5), Cell(2, 1, Name("x"))])
        model = control.first()
        self.assertEqual(sorted(model.of(Cell), key=str), [Cell(1, 1, 5), Cell(1, 2, 5), Cell(2, 1, "x"), Cell(2, 2, "x")])
        self.assertEqual(model.of(NotAt), [NotAt(Place(1, Name("red")), "l"), NotAt(Place(2, Name("red")), "l")])
        self.assertEqual(model.of(Flag), [Flag()])
        self.assertEqual(model.of(Loose), [])
        self.assertIn(Cell(1, 2, 5), model)
        self.assertNotIn(Cell(1, 2, 6), model)
        self.assertEqual(str(Cell(1, 2, 5)), "cell(1,2,5)")
        self.assertEqual(str(NotAt(Place(1, "red"), "l")), '-at(place(1,red),"l")')
        self.assertEqual(Term(Place(1, "red")), Term("place", 1, Name("red")))
        self.assertEqual(pickle.loads(pickle.dumps(Cell(1, 2, 3))), Cell(1, 2, 3))
        self.assertTrue(control.is_satisfiable(assume=[Cell(1, 2, 5)]))
        self.assertFalse(control.is_satisfiable(assume=[(Cell(1, 2, 5), False)]))

    def test_what_does_not_fit_is_told(self):
        with self.assertRaisesRegex(asp.UsageError, 'cell\\(1,2,"s"\\)'):
            asp.Control('cell(1,2,"s").').first().of(Cell)
        with self.assertRaises(asp.UsageError):
            asp.Control("a.").first().of(int)
        loose = asp.Control("loose(1,(2,3),f(4)). loose(a,(),b).").first().of(Loose)
        self.assertEqual(loose, [Loose(1, (2, 3), Term("f", 4)), Loose("a", (), Term(Name("b")))])
        for cell, field in (Cell("x", 1, 2), "row is int, not 'x'"), (Cell(1, 2, "text"), "value is"):
            with self.assertRaisesRegex(asp.UsageError, f"^Cell.{field}"):
                asp.Control().add_facts([cell])
        with self.assertRaisesRegex(asp.UsageError, "two columns are called `x`"):
            asp.Control("p(1,2).").first().table("p", ["x", "x"])
        for wrong in ([1], ['"s"'], [(1, 2)], ["a("], [1.5]):
            with self.assertRaises((asp.UsageError, TypeError)):
                asp.Control().add_facts(wrong)


if __name__ == "__main__":
    unittest.main()
