"""Packages of others on our library, unchanged, each at its own work: clorm, clingraph, telingo.

    VENV/bin/pip install clorm clingraph && VENV/bin/pip install --no-deps telingo
    VENV/bin/python -m unittest discover -s bindings/python/tests
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import _clingo
import clingo


def is_ours():
    return sys.modules["clingo._internal"]._lib is _clingo.lib and bool(_clingo.lib.asp_version())


class Clorm(unittest.TestCase):
    """Facts from typed classes and answers back into them."""

    def test_facts_in_and_answers_out(self):
        self.assertTrue(is_ours())
        from clorm import ConstantStr, FactBase, Predicate, desc, ph1_
        from clorm.clingo import Control

        class Driver(Predicate):
            name: ConstantStr

        class Item(Predicate):
            name: str
            weight: int

        class Assignment(Predicate, name="assigned"):
            item: str
            driver: ConstantStr

        drivers = [Driver(name=n) for n in ("anna", "bert")]
        items = [Item(name=f"item {i}", weight=i) for i in range(1, 6)]
        control = Control(["0"], unifier=[Driver, Item, Assignment])
        control.add("base", [], """
            { assigned(I,D) : driver(D) } = 1 :- item(I,_).
            :- driver(D), #sum { W,I : assigned(I,D), item(I,W) } > 8.
            #show assigned/2.
        """)
        control.add_facts(FactBase(drivers + items))
        control.ground([("base", [])])
        plans = []
        with control.solve(yield_=True) as handle:
            for model in handle:
                facts = model.facts(atoms=True)
                query = facts.query(Assignment, Item).join(Assignment.item == Item.name)
                query = query.where(Assignment.driver == ph1_).order_by(desc(Item.weight))
                loads = [sum(query.bind(d.name).select(Item.weight).all()) for d in drivers]
                self.assertEqual(sum(loads), 15)
                self.assertLessEqual(max(loads), 8)
                plans.append(tuple(sorted((a.item, a.driver) for a in facts.query(Assignment).all())))
        # Subsets of {1,...,5} with a sum of 7 or 8.
        self.assertEqual((len(plans), len(set(plans))), (6, 6))

    def test_monkey_patched_clingo_and_symbols(self):
        from clorm import Predicate, parse_fact_string, unify
        from typing import Tuple

        class Cell(Predicate):
            at: Tuple[int, int]
            value: int

        facts = parse_fact_string("cell((1,2),3). cell((2,1),-4).", [Cell])
        self.assertEqual(sorted(c.value for c in facts), [-4, 3])
        symbol = clingo.parse_term("cell((1,2),3)")
        self.assertEqual(tuple(list(unify([Cell], [symbol]))[0].at), (1, 2))
        self.assertEqual(Cell(at=(1, 2), value=3).symbol, symbol)


class Clingraph(unittest.TestCase):
    """Facts to graphs, as source of graphviz."""

    def test_facts_to_source(self):
        self.assertTrue(is_ours())
        from clingraph.graphviz import compute_graphs
        from clingraph.orm import Factbase

        facts = Factbase(prefix="viz_")
        facts.add_fact_string("""
            viz_graph(main). viz_node(a,main). viz_node(b,main). viz_edge((a,b),main).
            viz_attr(node,a,label,"first"). viz_attr(edge,(a,b),color,"red"). viz_attr(graph,main,rankdir,"LR").
        """)
        source = compute_graphs(facts)["main"].source
        for part in ('a [label=first]', "a -- b [color=red]", "rankdir=LR"):
            self.assertIn(part, source)

    def test_each_model_a_graph(self):
        from clingraph.clingo_utils import ClingraphContext, add_elements_ids
        from clingraph.graphviz import compute_graphs
        from clingraph.orm import Factbase

        control = clingo.Control(["0"])
        add_elements_ids(control)
        control.add("base", [], """
            { e(1,2); e(2,3) }.
            graph(g). node(1..3,g). edge((X,Y),g) :- e(X,Y).
            attr(node,N,label,@concat("n",N)) :- node(N,g).
        """)
        control.ground([("base", [])], ClingraphContext())
        sources = []
        control.solve(on_model=lambda m: sources.append(Factbase.from_model(m, default_graph="g")))
        graphs = [compute_graphs(facts)["g"].source for facts in sources]
        self.assertEqual(sorted(graph.count("--") for graph in graphs), [0, 1, 1, 2])
        self.assertTrue(all("label=n3" in graph for graph in graphs))



PLAN = """
#program initial.
at(0).
#program dynamic.
{ move(1) } . 
at(X+1) :- 'at(X), move(1).
at(X) :- 'at(X), not move(1).
#program always.
&tel { >* (~ at(3) | >? at(3)) }.
#program final.
:- not at(2).
:- not &tel { <? (at(1) & < at(0)) }.
#show at/1.
"""


class Telingo(unittest.TestCase):
    """Temporal programs, solved step by step, by its own command line."""

    def run_telingo(self, program, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "program.lp")
            file.write_text(program)
            command = [sys.executable, "-m", "telingo", str(file), *arguments]
            return subprocess.run(command, capture_output=True, text=True, timeout=300)

    def test_a_plan(self):
        self.assertTrue(is_ours())
        done = self.run_telingo(PLAN, "--imax=10", "0")
        self.assertEqual(done.returncode & 10, 10, done.stdout + done.stderr)
        self.assertIn("Answer: 1", done.stdout)
        self.assertRegex(done.stdout, r"State 0:\s+at\(0\)\s+State 1:\s+at\(1\)\s+State 2:\s+at\(2\)")
        self.assertIn("SATISFIABLE", done.stdout)


if __name__ == "__main__":
    unittest.main()
