#!/usr/bin/env python3
"""The reference system as a persistent process, for the random comparison.

Reads requests from standard input and answers each with one line of JSON on
standard output. A request is a header line `LENGTH JSON` and then LENGTH bytes
of program text; the JSON is `{"args": [...], "limit": N}` with the arguments
for `clingo.Control`. Replies:

    {"status": "error", "message": TEXT}      rejected
    {"status": "many"}                        more than N models
    {"status": "sat" | "unsat",
     "models": [[[SYMBOL, ...], [COST, ...], OPTIMAL], ...]}   in order

Run it with a Python that has the clingo package (5.8.3).
"""
import json
import signal
import sys

import clingo


def solve(text, args, limit):
    messages = []
    try:
        control = clingo.Control(args, logger=lambda code, message: messages.append(message), message_limit=5)
        control.add("base", [], text)
        control.ground([("base", [])])
        models = []
        with control.solve(yield_=True) as handle:
            for model in handle:
                if len(models) >= limit:
                    return {"status": "many"}
                symbols = sorted(str(symbol) for symbol in model.symbols(shown=True))
                models.append([symbols, model.cost, model.optimality_proven])
            result = handle.get()
    except RuntimeError as error:
        return {"status": "error", "message": "\n".join([*messages, str(error)])}
    return {"status": "sat" if result.satisfiable else "unsat", "models": models}


def main():
    stdin, stdout = sys.stdin.buffer, sys.stdout
    while header := stdin.readline():
        length, request = header.split(b" ", 1)
        text = stdin.read(int(length)).decode()
        request = json.loads(request)
        signal.alarm(20)  # a program that takes longer ends this process
        reply = solve(text, request["args"], request["limit"])
        signal.alarm(0)
        stdout.write(json.dumps(reply) + "\n")
        stdout.flush()


if __name__ == "__main__":
    main()
