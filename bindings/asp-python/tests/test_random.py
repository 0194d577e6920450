"""Random programs, answered as the command line answers them: ASP_BINARY names it."""

import json
import os
import random
import subprocess
import tempfile
import unittest

import asp

COUNT = int(os.environ.get("ASP_RANDOM_COUNT", "300"))
SEED = int(os.environ.get("ASP_RANDOM_SEED", "0"))


def program(rng):
    """A program with choices, sums, recursion, negation, terms of every kind, `#show` and perhaps an objective."""
    values = ["1", "2", "3", "a", '"s\\"t"', "f(1,(a,))", "-7"]
    rules = [f"d({v})." for v in rng.sample(values, rng.randrange(2, 5))]
    rules.append(rng.choice(["{ p(X) : d(X) }.", "1 { p(X) : d(X) } 2.", "{ p(X) } :- d(X)."]))
    choices = [
        "q(X,Y) :- p(X), p(Y), X < Y.",
        "r(X) :- d(X), not p(X).",
        ":- #count { X : p(X) } > 2.",
        "s(N) :- N = #count { X : p(X) }.",
        "{ e(X,Y) : d(X), d(Y), X < Y } 2.",
        "t(X) :- p(X). t(Y) :- t(X), e(X,Y).",
        "-r(X) :- p(X).",
        "u ; v :- p(X).",
        ":- u, not p(1).",
        ":~ p(X). [1,X]",
        "#maximize { 2,X : r(X); 1@2,X : p(X) }.",
        "#show q/2. #show s/1.",
        "#show X : p(X). #show (X,Y) : q(X,Y).",
        "#show r/1. #show -r/1.",
        "e(1,2).",
    ]
    return "\n".join(rules + rng.sample(choices, rng.randrange(1, 7)))


def binary(*arguments):
    run = subprocess.run([os.environ["ASP_BINARY"], *arguments], capture_output=True, text=True)
    return run.stdout


@unittest.skipUnless("ASP_BINARY" in os.environ, "ASP_BINARY names the command line")
class Random(unittest.TestCase):
    def test_programs(self):
        models = 0
        for seed in range(SEED, SEED + COUNT):
            rng = random.Random(seed)
            text = program(rng)
            with tempfile.NamedTemporaryFile("w", suffix=".lp") as file:
                file.write(text)
                file.flush()
                arguments = [file.name, "0", "--outf=2", "--warn=none", "--opt-mode=ignore"]
                mode = rng.choice(["models", "models", "brave", "cautious", "optN"])
                if mode == "optN":
                    arguments[-1] = "--opt-mode=optN"
                elif mode != "models":
                    arguments.append(f"--enum-mode={mode}")
                out = json.loads(binary(*arguments))
            call = out["Call"][0].get("Witnesses", [])
            with self.subTest(seed=seed, mode=mode, program=text):
                control = asp.Control(text)
                if mode == "optN":
                    found = [m for m in control.solve(optimize="all") if m.optimal or not m.costs]
                    if found and found[0].costs:
                        costs = {tuple(m.costs) for m in found}
                        self.assertEqual(costs, {tuple(out["Models"]["Costs"])})
                        call = [w for w in call if w["Costs"] == out["Models"]["Costs"]][-len(found):]
                else:
                    found = list(control.solve(mode=mode, optimize="ignore"))
                    if mode != "models":
                        found, call = found[-1:], call[-1:]
                ours = sorted(sorted(str(m).split(" ")) for m in found)
                theirs = sorted(sorted(" ".join(w["Value"]).split(" ")) for w in call)
                self.assertEqual(ours, theirs)
                for model in found:
                    self.assertEqual([str(asp.Term.parse(str(t))) for t in model], [str(t) for t in model])
                    self.assertTrue(all(term in model for term in model))
                models += len(found)
        print(f"programs as by the command line: {COUNT}, with {models} models")


if __name__ == "__main__":
    unittest.main()
