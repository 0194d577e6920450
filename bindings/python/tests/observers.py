"""What observers are told of programs, one line of JSON for each: run by compare_observers.py under clingo and under asp.

    observers.py FILE           programs, one a line
    observers.py FROM COUNT     random ones, by their seeds

Each line has the program, what is told, and the answer sets of what is told, by a control that gets nothing else.
"""

import json
import pathlib
import random
import sys

from clingo import Control, Function, Number, Symbol


class Told:
    """All that is said, in its order, but for what frames it."""

    def __init__(self):
        self.all = []

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)

        def tell(*arguments):
            if name not in ("init_program", "begin_step", "end_step"):
                self.all.append([name, *map(plain, arguments)])

        return tell


def plain(value):
    if isinstance(value, Symbol):
        return str(value)
    if isinstance(value, (bool, int, str)) and type(value).__module__ == "builtins":
        return value
    if isinstance(value, (list, tuple)):
        return list(map(plain, value))
    return value.name.rstrip("_")


def told(program):
    control, watch = Control(logger=lambda *_: None), Told()
    control.register_observer(watch)
    control.add("base", [], program)
    control.ground([("base", [])])
    control.solve()
    return watch.all


def models(control):
    """Shown symbols and costs of all answer sets, optimal or not."""
    control.configuration.solve.models = 0
    control.configuration.solve.opt_mode = "ignore"
    found = []
    control.solve(on_model=lambda m: found.append(sorted(map(str, m.symbols(shown=True)))))
    return sorted(found)


def again(statements):
    """Answer sets of a program that consists of what was told."""
    control = Control(["0"])
    atoms, free = {}, []
    with control.backend() as backend:

        def atom(number):
            if number not in atoms:
                atoms[number] = backend.add_atom()
            return atoms[number]

        def literal(number):
            return atom(number) if number > 0 else -atom(-number)

        shown = []
        heads = {a for s in statements if s[0] in ("rule", "weight_rule") for a in s[2]}
        for name, *rest in statements:
            if name == "rule":
                choice, head, body = rest
                backend.add_rule(list(map(atom, head)), list(map(literal, body)), choice)
            elif name == "weight_rule":
                choice, head, bound, body = rest
                backend.add_weight_rule(list(map(atom, head)), bound, [(literal(l), w) for l, w in body], choice)
            elif name == "output_atom":
                shown.append((rest[0], [literal(rest[1])] if rest[1] else []))
            elif name == "output_term":
                shown.append((rest[0], list(map(literal, rest[1]))))
            elif name == "external" and rest[0] not in heads:
                value = {"Free": 0, "True": 1}.get(rest[1])
                if value == 1:
                    backend.add_rule([atom(rest[0])], [])
                elif value == 0:
                    backend.add_rule([atom(rest[0])], [], True)
            elif name.startswith("theory_atom") and rest[0]:
                free.append(rest[0])
        for number in set(free) - heads:
            backend.add_rule([atom(number)], [], True)
        names = {}
        for number, (text, condition) in enumerate(shown):
            show = backend.add_atom(Function("shown", [Number(number)]))
            names[f"shown({number})"] = text
            backend.add_rule([show], condition)
    found = set()
    for model in models(control):
        found.add(tuple(sorted({names[s] for s in model if s in names})))
    return sorted(map(list, found))


def atoms_of(rng):
    return rng.choice("abcd") if rng.random() < 0.7 else rng.choice(["p(1)", "p(2)", "q(1)", "q(2)"])


def literal_of(rng):
    return rng.choice(["", "", "", "not ", "not not "]) + atoms_of(rng)


def condition_of(rng, most=2):
    count = rng.randint(0, most)
    return " : " + ", ".join(literal_of(rng) for _ in range(count)) if count else ""


def guard_of(rng, text, choice=False):
    low, high = rng.randint(-1 if not choice else 0, 2), rng.randint(0, 3)
    kind = rng.randrange(5 if choice else 6)
    if kind == 0:
        return f"{low} <= {text}"
    if kind == 1:
        return f"{text} <= {high}"
    if kind == 2:
        return f"{low} <= {text} <= {high}"
    if kind == 3:
        return f"{text} = {high}"
    if kind == 4:
        return text if choice else f"{text} > {low}"
    return f"{text} != {high}"


def aggregate_of(rng):
    function = rng.choice(["#sum", "#sum", "#count", "#min", "#max", "#sum+", ""])
    elements = []
    for _ in range(rng.randint(1, 3)):
        if not function:
            elements.append(literal_of(rng) + condition_of(rng, 1))
        else:
            weight = rng.randint(-1, 3) if rng.random() < 0.3 else rng.randint(1, 3)
            elements.append(f"{weight},{rng.choice('xyz')}" + condition_of(rng))
    sign = rng.choice(["", "", "not ", "not not "])
    return sign + guard_of(rng, f"{function} {{ {' ; '.join(elements)} }}")


def body_of(rng):
    parts = []
    for _ in range(rng.randint(0, 3)):
        kind = rng.random()
        if kind < 0.7:
            parts.append(literal_of(rng))
        elif kind < 0.9:
            parts.append(aggregate_of(rng))
        else:
            parts.append(literal_of(rng) + condition_of(rng))
    return " :- " + "; ".join(parts) if parts else ""


def statement_of(rng):
    kind = rng.random()
    if kind < 0.4:
        return atoms_of(rng) + body_of(rng) + "."
    if kind < 0.55:
        return "{ " + "; ".join(atoms_of(rng) for _ in range(rng.randint(1, 3))) + " }" + body_of(rng) + "."
    if kind < 0.65:
        elements = "; ".join(atoms_of(rng) + condition_of(rng, 1) for _ in range(rng.randint(1, 3)))
        return guard_of(rng, "{ " + elements + " }", True) + body_of(rng) + "."
    if kind < 0.7:
        elements = "; ".join(
            f"{rng.randint(1, 3)},{rng.choice('xyz')} : {atoms_of(rng)}" + condition_of(rng, 1) for _ in range(rng.randint(1, 3))
        )
        return guard_of(rng, rng.choice(["#sum", "#count", "#max", "#min"]) + " { " + elements + " }") + body_of(rng) + "."
    if kind < 0.8:
        return " ; ".join(atoms_of(rng) + (condition_of(rng, 1) if rng.random() < 0.3 else "") for _ in range(2)) + body_of(rng) + "."
    if kind < 0.88:
        return (body_of(rng).strip() or ":- a, b") + "."
    if kind < 0.92:
        return f"#minimize {{ {rng.randint(-1, 3)}@{rng.randint(0, 1)},{rng.choice('xy')}{condition_of(rng)} }}."
    if kind < 0.95:
        return f"#show {rng.choice('st')}{condition_of(rng)}."
    if kind < 0.97:
        return f"#external {atoms_of(rng)}. [{rng.choice(['true', 'false', 'free'])}]"
    return "{ p(X) : q(X) }. r(X) :- p(X), not q(X)."


def random_program(seed):
    rng = random.Random(seed)
    return " ".join(["{ a; b }.", *(statement_of(rng) for _ in range(rng.randint(1, 6)))])


def main():
    if len(sys.argv) == 2:
        programs = [line for line in pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").splitlines() if line]
    else:
        first, count = map(int, sys.argv[1:])
        programs = map(random_program, range(first, first + count))
    for program in programs:
        statements = told(program)
        control = Control(["0"], logger=lambda *_: None)
        control.add("base", [], program)
        control.ground([("base", [])])
        own = sorted(map(list, {tuple(sorted(set(m))) for m in models(control)}))
        print(json.dumps([program, statements, own, again(statements)]))


if __name__ == "__main__":
    main()
