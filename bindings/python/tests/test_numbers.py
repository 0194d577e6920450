"""Numbers of program literals: small ones, each its own atom's for good, whether that is a fact or not."""

import random
import unittest

from clingo import Control, Function, Number, Observer


class Told(Observer):
    """What is told of atoms by their numbers."""

    def __init__(self):
        self.facts, self.names, self.heads = set(), {}, set()

    def rule(self, choice, head, body):
        self.heads.update(head)
        if not choice and not body and len(head) == 1:
            self.facts.add(head[0])

    def output_atom(self, symbol, atom):
        if atom:
            self.names[str(symbol)] = atom


def text(generator, step):
    lines = ["f(%d,%d)." % (step, i) for i in range(generator.randrange(4))]
    lines += ["{ c(%d,%d) }." % (step, i) for i in range(generator.randint(1, 4))]
    lines += ["d(%d,X) :- c(%d,X), not f(%d,X)." % (step, step, step)]
    generator.shuffle(lines)
    return " ".join(lines)


class Numbers(unittest.TestCase):
    def test_numbers_are_small_and_stay(self):
        for seed in range(60):
            with self.subTest(seed):
                self.steps(random.Random(seed))

    def steps(self, generator):
        control, told, known = Control(["10"], logger=lambda *_: None), Told(), {}
        control.register_observer(told)
        for step in range(generator.randint(2, 5)):
            control.add("p%d" % step, [], text(generator, step))
            control.ground([("p%d" % step, [])])
            control.enable_cleanup = False
            if generator.random() < 0.5:
                with control.backend() as backend:
                    for number in range(generator.randrange(3)):
                        symbol = Function("b", [Number(step), Number(number)])
                        known[str(symbol)] = backend.add_atom(symbol)
                        backend.add_rule([known[str(symbol)]], [], generator.random() < 0.5)
                    # A body of a fact and a choice, and an atom that has a number already.
                    atoms = list(control.symbolic_atoms)
                    one, other = generator.choice(atoms), generator.choice(atoms)
                    new = backend.add_atom(Function("n", [Number(step)]))
                    backend.add_rule([new], [one.literal, -other.literal])
                    self.assertEqual(backend.add_atom(one.symbol), one.literal)
            if generator.random() < 0.7:
                for atom in control.symbolic_atoms:
                    name = str(atom.symbol)
                    self.assertEqual(known.setdefault(name, atom.literal), atom.literal)
            if generator.random() < 0.6:
                models = []

                def see(model):
                    models.append({str(symbol) for symbol in model.symbols(atoms=True)})
                    for name, number in known.items():
                        self.assertEqual(model.is_true(number), name in models[-1], name)

                assumed = generator.sample(sorted(known.values()), min(len(known), 1))
                control.solve(on_model=see, assumptions=assumed)
                self.assertTrue(all(name in model for model in models for name, n in known.items() if n in assumed))
        for atom in control.symbolic_atoms:
            self.assertEqual(known.setdefault(str(atom.symbol), atom.literal), atom.literal)
        self.assertEqual(len(set(known.values())), len(known))
        self.assertGreater(min(known.values()), 0)
        self.assertLessEqual(max(known.values()), 3 * len(known))
        control.solve()
        for atom in control.symbolic_atoms:
            if atom.is_fact:
                self.assertIn(atom.literal, told.facts)
        for name, number in told.names.items():
            self.assertEqual(known[name], number)
        self.assertLessEqual(told.heads, set(range(1, 3 * len(known) + 3)))


class Edges(Observer):
    """The nodes of edges, and what is minimised and derived."""

    def __init__(self):
        self.edges, self.costs, self.heads = [], [], set()

    def acyc_edge(self, node_u, node_v, condition):
        self.edges.append((node_u, node_v))

    def minimize(self, priority, literals):
        self.costs += literals

    def rule(self, choice, head, body):
        self.heads.update(head)


class Observed(unittest.TestCase):
    def test_nodes_of_the_backend_keep_their_numbers(self):
        control, told = Control(), Edges()
        control.register_observer(told)
        with control.backend() as backend:
            backend.add_acyc_edge(7, 9, [])
            backend.add_acyc_edge(1, 7, [])
        control.add("base", [], "#edge(x,y). #edge(y,z).")
        control.ground([("base", [])])
        control.solve()
        self.assertEqual(set(told.edges[:2]), {(7, 9), (1, 7)})
        (x, y), (also_y, z) = sorted(told.edges[2:], key=lambda edge: edge[0] in {b for _, b in told.edges})
        self.assertEqual(y, also_y)
        self.assertEqual(len({x, y, z, 1, 7, 9}), 6)

    def test_atoms_of_the_output_alone_are_no_others(self):
        control, told = Control(["0"], logger=lambda *_: None), Edges()
        control.register_observer(told)
        control.add("base", [], "{a}. f. #minimize { 3; 2,a: a }.")
        control.add("next", [], "g. {b}.")
        control.ground([("base", [])])
        control.solve()
        before = {literal for literal, _ in told.costs} | told.heads
        control.ground([("next", [])])
        self.assertFalse({control.symbolic_atoms[Function(name)].literal for name in "bg"} & before)


if __name__ == "__main__":
    unittest.main()
