"""What symbolic atoms show after calls: those that cannot hold are gone, those that always hold are facts."""

import json
import pathlib
import random
import subprocess
import sys
import unittest

if "--own" in sys.argv:
    # The package falls back to clingo's own library.
    sys.modules["_clingo"] = None

from clingo import Control, Function

TEXTS = {
    "basic": "{a}. :- a. b :- not a. c :- not b. {d}. e :- d. f :- e.",
    "externals": "#external x. {a}. :- a. b :- x. c :- not x. #external y. d :- y, a.",
    "constraints": "{a;b}. :- not a. c :- a. d :- c, b. 1 {e;f} 1. :- e. g :- f.",
    "no answers": "f. {a}. :- a. :- not a. #external e.",
    "choices": "p :- not q. q :- not p. {s}. t :- s, p. u :- q, not q.",
    "sums": "{a;b;c}. :- #count { X: a, X = 1; X: b, X = 2 } < 2. d :- #sum { 1: a; 2: c } >= 1. e :- not c, not a.",
    "disjunctions": "a | b. c :- a. c :- b. :- a. d :- not c. {z}. :- z, b.",
}


def atoms(control):
    found = sorted([str(a.symbol), a.is_fact, a.is_external] for a in control.symbolic_atoms)
    single = [[str(s.symbol) for s in control.symbolic_atoms.by_signature(name, 0)] for name in "abc"]
    looked = [control.symbolic_atoms[Function(name)] is not None for name in "abc"]
    return [found, len(control.symbolic_atoms), single, looked]


def scenario(text, mode):
    control = Control(["0"], logger=lambda *_: None)
    control.add("base", [], text)
    control.add("next", [], "new.")
    control.add("again", [], "{a}.")
    control.ground([("base", [])])
    found = [atoms(control)]
    if mode == "at once":
        control.cleanup()
        return [*found, atoms(control)]
    control.enable_cleanup = mode != "disabled"
    found.append([str(control.solve()), atoms(control)])
    if mode == "explicit":
        control.cleanup()
    elif not control.is_conflicting:
        control.ground([("next", [])])
    found.append(atoms(control))
    if mode == "explicit" and not control.is_conflicting:
        # What is gone may be derived by later parts.
        if control.symbolic_atoms[Function("a")] is None:
            control.ground([("again", [])])
            found.append(atoms(control))
    return found


SCENARIOS = {
    name + ", " + mode: (lambda text=text, mode=mode: scenario(text, mode))
    for name, text in TEXTS.items()
    for mode in ("at once", "explicit", "grounding", "disabled")
}


class Scenarios(unittest.TestCase):
    def test_results_are_those_of_clingo(self):
        command = [sys.executable, __file__, "--own"]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        self.assertEqual(len(lines), len(SCENARIOS))
        for line in lines:
            name, expected = json.loads(line)
            with self.subTest(name):
                self.assertEqual(json.loads(json.dumps(SCENARIOS[name]())), expected)


class Claims(unittest.TestCase):
    """Whatever is found, it is right: of random programs that grow, as long as nothing is defined again."""

    def test_random_programs(self):
        found = {"gone": 0, "facts": 0}
        for seed in range(300):
            with self.subTest(seed):
                self.steps(random.Random(seed), found)
        self.assertGreater(min(found.values()), 100, found)

    def steps(self, generator, found):
        control = Control(["0"], logger=lambda *_: None)
        names, text = [], []
        for step in range(3):
            own = ["a%d_%d" % (step, i) for i in range(4)]
            lines = ["{ %s }." % "; ".join(own[:2])]
            for _ in range(4):
                body = [generator.choice(["", "not "]) + generator.choice(names + own) for _ in range(2)]
                lines.append("%s :- %s." % (generator.choice(own[2:] + [""]), ", ".join(body)))
            names += own
            text += lines
            control.add("p%d" % step, [], " ".join(lines))
            control.ground([("p%d" % step, [])])
            listed = {str(atom.symbol) for atom in control.symbolic_atoms}
            models = []
            control.solve(on_model=lambda model: models.append({str(s) for s in model.symbols(atoms=True)}))
            if not models:
                return
            control.cleanup()
            left = {str(atom.symbol): atom.is_fact for atom in control.symbolic_atoms}
            facts = {name for name in left if left[name]}
            self.assertLessEqual(facts, set.intersection(*models))
            self.assertFalse((listed - set(left)) & set.union(*models))
            self.assertLessEqual(set(left), listed)
            found["gone"] += len(listed - set(left))
            found["facts"] += len(facts)


if __name__ == "__main__":
    if "--own" in sys.argv:
        for name, run in SCENARIOS.items():
            print(json.dumps([name, run()]), flush=True)
    else:
        unittest.main()
