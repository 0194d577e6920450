"""What observers are told of programs, one line of JSON for each: run by compare_observers.py under clingo and under asp.

    observers.py FILE           programs, one a line
    observers.py FROM COUNT     random ones, by their seeds

A line of several steps has ` %%% ` between them. Each line of output has the program, what is told, its answer sets, and those of
what is told, by a control that gets nothing else: with what is shown, the costs, and, of what is told, the conditions of
directives and theory elements that hold.
"""

import json
import pathlib
import random
import sys

from clingo import Control, Function, Number, Symbol
from clingo.backend import TruthValue

STEP = " %%% "
VALUES = {"Free": TruthValue.Free, "True": TruthValue.True_, "False": TruthValue.False_, "Release": TruthValue.Release}
THEORY = "#theory t { u { }; &p/0 : u, any }."
# Names of atoms of the first step, and of the second.
FIRST = (list("abcd"), ["p(1)", "p(2)", "q(1)", "q(2)"])
SECOND = (list("efg"), ["s(1)", "s(2)"])


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


def control_of(program, watch=None):
    """All steps of a program, each with a call."""
    control = Control(["0"], logger=lambda *_: None)
    if watch:
        control.register_observer(watch)
    found = []
    for number, text in enumerate(program.split(STEP)):
        part = f"step{number}"
        control.add(part, [], text)
        control.ground([(part, [])])
        found = models(control)
    return found


def told(program):
    watch = Told()
    control_of(program, watch)
    return watch.all


def models(control):
    """Shown symbols and costs of all answer sets, optimal or not."""
    control.configuration.solve.models = 0
    control.configuration.solve.opt_mode = "enum"
    found = []
    control.solve(on_model=lambda m: found.append([sorted(set(map(str, m.symbols(shown=True)))), list(m.cost)]))
    return found


def note_term(texts, name, rest):
    """Writes out a term of a theory by its number, which a later step may give to another one."""
    if name == "theory_term_compound":
        head = texts[rest[1]] if rest[1] >= 0 else str(rest[1])
        texts[rest[0]] = f"{head}({','.join(texts[t] for t in rest[2])})"
    else:
        texts[rest[0]] = str(rest[1])


def again(statements):
    """Answer sets of a program that consists of what was told."""
    control = Control(["0"], logger=lambda *_: None)
    atoms, shown, free, texts = {}, [], [], {}
    # On those a heuristic does nothing; clingo tells it.
    facts = {head[0] for name, *rest in statements if name == "rule" for choice, head, body in [rest] if not choice and not body and len(head) == 1}
    with control.backend() as backend:

        def atom(number):
            if number not in atoms:
                atoms[number] = backend.add_atom()
            return atoms[number]

        def literal(number):
            return atom(number) if number > 0 else -atom(-number)

        for name, *rest in statements:
            if name == "rule":
                choice, head, body = rest
                backend.add_rule(list(map(atom, head)), list(map(literal, body)), choice)
            elif name == "weight_rule":
                choice, head, bound, body = rest
                backend.add_weight_rule(list(map(atom, head)), bound, [(literal(l), w) for l, w in body], choice)
            elif name == "minimize":
                backend.add_minimize(rest[0], [(literal(l), w) for l, w in rest[1]])
            elif name == "output_atom":
                shown.append((rest[0], [rest[1]] if rest[1] else []))
            elif name == "output_term":
                shown.append((rest[0], rest[1]))
            elif name == "external":
                backend.add_external(atom(rest[0]), VALUES[rest[1]])
            elif name == "acyc_edge":
                backend.add_acyc_edge(rest[0], rest[1], list(map(literal, rest[2])))
                shown.append((f"? edge {rest[:2]}", rest[2]))
            elif name == "heuristic" and rest[4] and rest[0] not in facts:
                shown.append((f"? heuristic {rest[1:4]}", rest[4]))
            elif name.startswith("theory_term"):
                note_term(texts, name, rest)
            elif name == "theory_element":
                shown.append((f"? element {[texts[t] for t in rest[1]]}", rest[2]))
            elif name.startswith("theory_atom") and rest[0]:
                free.append(rest[0])
        heads = {a for s in statements if s[0] in ("rule", "weight_rule") for a in s[2]}
        for number in set(free) - heads:
            backend.add_rule([atom(number)], [], True)
        names = {}
        for number, (text, condition) in enumerate(shown):
            show = backend.add_atom(Function("shown", [Number(number)]))
            names[f"shown({number})"] = text
            backend.add_rule([show], list(map(literal, condition)))
    return [[sorted({names[s] for s in model if s in names}), cost] for model, cost in models(control)]


def with_costs(found):
    """Each answer once, in order; a level at which nothing costs anything is not there to all."""
    levels = {level for _, costs in found for level, cost in enumerate(costs) if cost}
    return sorted(json.loads(text) for text in {json.dumps([t, [c[l] for l in sorted(levels)]]) for t, c in found})


def atoms_of(rng, names=None):
    """An atom that is read; that is derived, if the names are those of the step."""
    plain, terms = names or rng.read
    return rng.choice(plain) if rng.random() < 0.7 else rng.choice(terms)


def head_of(rng):
    return atoms_of(rng, rng.derived)


def literal_of(rng):
    return rng.choice(["", "", "", "not ", "not not "]) + atoms_of(rng)


def condition_of(rng, most=2):
    count = rng.randint(0, most)
    return " : " + ", ".join(literal_of(rng) for _ in range(count)) if count else ""


def conditional_of(rng, atom):
    """An atom under a condition. What is its own condition holds, or fails, as clingo's order of grounding has it."""
    condition = condition_of(rng, 1)
    return atom if condition == " : " + atom else atom + condition


def guard_of(rng, text, choice=False):
    # No bound that holds whatever the elements: on some cycles clingo drops its rule.
    low, high = rng.randint(0, 2), rng.randint(0, 3)
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
            parts.append(conditional_of(rng, literal_of(rng)))
    return " :- " + "; ".join(parts) if parts else ""


def only_if(rng):
    """The body of a directive."""
    return body_of(rng).replace(" :- ", " : ", 1)


def statement_of(rng):
    kind = rng.random()
    if kind < 0.4:
        return head_of(rng) + body_of(rng) + "."
    if kind < 0.55:
        return "{ " + "; ".join(head_of(rng) for _ in range(rng.randint(1, 3))) + " }" + body_of(rng) + "."
    if kind < 0.65:
        elements = "; ".join(conditional_of(rng, head_of(rng)) for _ in range(rng.randint(1, 3)))
        return guard_of(rng, "{ " + elements + " }", True) + body_of(rng) + "."
    if kind < 0.7:
        elements = "; ".join(
            f"{rng.randint(1, 3)},{rng.choice('xyz')} : {head_of(rng)}" + condition_of(rng, 1) for _ in range(rng.randint(1, 3))
        )
        return guard_of(rng, rng.choice(["#sum", "#count", "#max", "#min"]) + " { " + elements + " }") + body_of(rng) + "."
    if kind < 0.8:
        return " ; ".join((conditional_of(rng, head_of(rng)) if rng.random() < 0.3 else head_of(rng)) for _ in range(2)) + body_of(rng) + "."
    if kind < 0.88:
        return (body_of(rng).strip() or ":- a, b") + "."
    if kind < 0.92:
        return f"#minimize {{ {rng.randint(-1, 3)}@{rng.randint(0, 1)},{rng.choice('xy')}{condition_of(rng)} }}."
    if kind < 0.94:
        return f"#show {rng.choice('st')}{only_if(rng)}."
    if kind < 0.95:
        return f"#edge ({','.join(rng.sample('xyz', 2))}){only_if(rng)}."
    if kind < 0.96:
        return f"#heuristic {atoms_of(rng)}{only_if(rng)}. [{rng.randint(1, 99)},true]"
    if kind < 0.97:
        elements = " ; ".join(f"{rng.choice('xy')}{condition_of(rng)}" for _ in range(rng.randint(0, 2)))
        return f"&p {{ {elements} }}." if rng.random() < 0.3 else f"{head_of(rng)} :- &p {{ {elements} }}."
    if kind < 0.98:
        return f"#external {head_of(rng)}. [{rng.choice(['true', 'false', 'free'])}]"
    if rng.derived is not FIRST:
        return ""
    return "{ p(X) : q(X) }. r(X) :- p(X), not q(X)."


def random_program(seed):
    rng = random.Random(seed)
    rng.read = rng.derived = FIRST
    steps = [" ".join([THEORY, "{ a; b }.", *(statement_of(rng) for _ in range(rng.randint(1, 6)))])]
    if rng.random() < 0.3:
        rng.derived = SECOND
        rng.read = [one + other for one, other in zip(FIRST, SECOND)]
        steps.append(" ".join(["{ e }.", *(statement_of(rng) for _ in range(rng.randint(1, 4)))]))
    return STEP.join(steps)


def main():
    if len(sys.argv) == 2:
        programs = [line for line in pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").splitlines() if line]
    else:
        first, count = map(int, sys.argv[1:])
        programs = map(random_program, range(first, first + count))
    for program in programs:
        statements = told(program)
        print(json.dumps([program, statements, with_costs(control_of(program)), with_costs(again(statements))]))


if __name__ == "__main__":
    main()
