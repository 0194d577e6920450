#!/usr/bin/env python3
"""What observers are told, on clingo and on asp.

    compare_observers.py PYTHON_WITH_CLINGO PYTHON_ON_ASP FROM COUNT     random programs
    compare_observers.py PYTHON_WITH_CLINGO PYTHON_ON_ASP FILE [-v]      programs, one a line

It counts the programs of which the same is told to the letter, and those of which the same is told but for numbers and
order. What is told must have the answer sets of the program, and the conditions of its directives those of clingo. One program of a
thousand may have other answer sets than clingo finds: where what is under a condition on a cycle depends on that condition,
gringo drops some that hold; and clingo finds two of the four of `{ a; b }. d. p : d ; d : b :- #count { 2 : d; 1 : a } <= 2.`
"""

import collections
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def lines(python, arguments):
    done = subprocess.run([python, HERE / "observers.py", *arguments], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def signatures(statements):
    """Statements without numbers: each atom is known by where it occurs, to some depth."""
    names = collections.defaultdict(str)
    for name, *rest in statements:
        if name == "output_atom":
            names[rest[1]] += rest[0]

    def described(atoms):
        def literal(number):
            text = atoms[abs(number)]
            return ("-" if number < 0 else "") + text

        out = []
        for name, *rest in statements:
            if name == "rule":
                out.append(f"{rest[0]} {sorted(map(literal, rest[1]))} <- {sorted(map(literal, rest[2]))}")
            elif name == "weight_rule":
                body = sorted((literal(l), w) for l, w in rest[3])
                out.append(f"{rest[0]} {sorted(map(literal, rest[1]))} <- {rest[2]} {body}")
            elif name == "minimize":
                out.append(f"{rest[0]} {sorted((literal(l), w) for l, w in rest[1])}")
            elif name in ("output_atom", "external"):
                out.append(f"{name} {literal(rest[-1 if name == 'output_atom' else 0]) if rest[1] else ''} {rest[:1] if name == 'output_atom' else rest[1]}")
            elif name == "output_term":
                out.append(f"{name} {rest[0]} {sorted(map(literal, rest[1]))}")
            else:
                out.append(name)
        return out

    atoms = collections.defaultdict(str, names)
    for _ in range(4):
        where = collections.defaultdict(list)
        texts = described(atoms)
        for text, (name, *rest) in zip(texts, statements):
            if name in ("rule", "weight_rule"):
                body = rest[2] if name == "rule" else [l for l, _ in rest[3]]
                for a in rest[1]:
                    where[a].append("h" + text)
                for l in body:
                    where[abs(l)].append("b" + ("-" if l < 0 else "") + text)
        atoms = collections.defaultdict(str)
        for atom, places in where.items():
            atoms[atom] = str(hash((names[atom], tuple(sorted(places)))))
    return sorted(described(atoms))


def shown(models):
    """Without the conditions of directives."""
    without = [[[text for text in texts if not text.startswith("?")], costs] for texts, costs in models]
    return sorted(model for place, model in enumerate(without) if model not in without[:place])


def main():
    clingo, ours, *rest = sys.argv[1:]
    verbose = "-v" in rest
    rest = [word for word in rest if word != "-v"]
    count, exact, same, others, wrong = 0, 0, 0, 0, []
    for theirs, own in zip(lines(clingo, rest), lines(ours, rest), strict=True):
        count += 1
        exact += theirs[1] == own[1]
        alike = signatures(theirs[1]) == signatures(own[1])
        same += alike
        other = own[2] != theirs[2]
        others += other
        if other:
            print(f"OTHER: {own[0]}\n  clingo {theirs[2]}\n  asp {own[2]}")
        if shown(own[3]) != own[2] or (own[3] != theirs[3] and not other):
            wrong.append(own[0])
            print(f"WRONG: {own[0]}\n  clingo {theirs[2]}\n  asp {own[2]}\n  told {own[3]}\n  {own[1]}")
        elif verbose and theirs[1] != own[1]:
            print(f"--- {own[0]}" + ("" if alike else "   (other shapes)"))
            for who, told in (("clingo", theirs[1]), ("asp", own[1])):
                print(f"{who}:", *(f"{name}({', '.join(map(str, values))})" for name, *values in told), sep="\n    ")
    print(
        f"observers: {count} programs, {exact} the same to the letter, {same} but for numbers and order, "
        f"{others} with other answer sets than clingo, {len(wrong)} wrong"
    )
    sys.exit(bool(wrong) or others > count // 1000 + 1)


main()
