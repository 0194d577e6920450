#!/usr/bin/env python3
"""clingcon as a persistent process, for the random comparison of constraints over integers.

Reads requests from standard input: a line with the number of bytes, then a program. Answers each with one line of JSON: a list of
answers, each a list of shown atoms and a list of values, or a text if clingcon rejects the program. Needs clingcon 5.2.1.
"""
import json
import sys

from clingcon import ClingconTheory
from clingo import Control
from clingo.ast import ProgramBuilder, parse_string


def solve(text):
    theory = ClingconTheory()
    control = Control(["0"], logger=lambda code, message: None)
    theory.register(control)
    with ProgramBuilder(control) as builder:
        parse_string(text, lambda statement: theory.rewrite_ast(statement, builder.add))
    control.ground([("base", [])])
    theory.prepare(control)
    answers = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            values = sorted(f"{name}={value}" for name, value in theory.assignment(model.thread_id))
            answers.append([sorted(str(s) for s in model.symbols(shown=True)), values])
    return answers


def main():
    while line := sys.stdin.buffer.readline():
        text = sys.stdin.buffer.read(int(line)).decode()
        try:
            reply = solve(text)
        except RuntimeError as error:
            reply = str(error)
        print(json.dumps(reply), flush=True)


main()
