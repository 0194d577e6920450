"""Solves programs three times: as text, as syntax trees through the program builder, and as printed syntax trees.

    python solve.py FILE...

The answer sets must be the same. Programs with more than 500 answer sets are left out. Values of functions, which clingo does not
have, have no syntax trees: such programs must be refused in both other ways.
"""

import sys

import clingo
from clingo.ast import ProgramBuilder, parse_files, parse_string

MOST = 500


def silent(*_):
    pass


def models(load):
    control = clingo.Control(["0"], logger=silent)
    found = []
    try:
        load(control)
        control.ground([("base", [])])
        with control.solve(yield_=True) as handle:
            for model in handle:
                shown = sorted(map(str, model.symbols(shown=True)))
                found.append((shown, list(model.cost)))
                if len(found) > MOST:
                    break
    except RuntimeError:
        return "error"
    return sorted(found)


def main(files):
    wrong = compared = 0
    for file in files:

        def trees(control):
            with ProgramBuilder(control) as builder:
                parse_files([file], builder.add, logger=silent)

        def printed(control):
            statements = []
            parse_files([file], statements.append, logger=silent)
            with ProgramBuilder(control) as builder:
                parse_string("\n".join(map(str, statements)), builder.add, logger=silent)

        text = models(lambda control: control.load(file))
        if len(text) > MOST:
            continue
        compared += 1
        with open(file, encoding="utf-8") as lines:
            has_values = any("$" in line.partition("%")[0] for line in lines)
        for way in (trees, printed):
            if models(way) != ("error" if has_values else text):
                wrong += 1
                print(f"{file}: other answer sets as {way.__name__}")
    print(f"{compared} programs solved as text and as trees, {wrong} differences")
    return int(wrong > 0 or compared == 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
