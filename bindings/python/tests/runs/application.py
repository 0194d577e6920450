"""A program on clingo's application interface: options, a check of them, models printed in its own way, a main function.

MODE says which of its ways it takes.
"""

import os
import sys

from clingo.application import Application, Flag, clingo_main

MODE = os.environ.get("MODE", "")


class Counter(Application):
    program_name = "counter"
    version = "1.2"
    message_limit = 7

    def __init__(self):
        self.number = 1
        self.flag = Flag()

    def parse(self, value):
        self.number = int(value) if value.isdigit() else 0
        return self.number > 0

    def register_options(self, options):
        options.add("Counter", "nummer,k", "A number", self.parse, argument="<n>")
        options.add("Counter", "many", "Numbers", self.parse, multi=True)
        options.add_flag("Counter", "flog,z,@2", "A flag", self.flag)
        if MODE == "twice":
            options.add_flag("Counter", "flog", "Another", self.flag)

    def validate_options(self):
        return self.number < 100

    def print_model(self, model, printer):
        if MODE == "plain":
            return printer()
        printer()
        print("model", model.number, model.cost, self.number, bool(self.flag), len(model.symbols(atoms=True)))
        if MODE == "error in print":
            raise ValueError("in print")

    def main(self, control, files):
        print("files", [os.path.basename(f) for f in files])
        for file in files:
            control.load(file)
        if MODE == "error":
            raise RuntimeError("in main")
        control.ground([("base", [])])
        if MODE == "idle":
            return
        if MODE == "two":
            control.solve()
        print(control.solve(on_model=lambda model: MODE != "stop"))


class Default(Application):
    """No main function: clingo's own. There clingo crashes when it prints a model."""

    program_name = "default"

    def print_model(self, model, printer):
        print("atoms:", len(model.symbols(atoms=True)))
        sys.stdout.flush()
        printer()


class Logging(Application):
    program_name = "logging"
    version = "1.0"

    def logger(self, code, message):
        print("logged", code.name)

    def main(self, control, files):
        for file in files:
            control.load(file)
        control.add("base", [], "b :- c.")
        control.ground([("base", [])])
        control.solve()


programs = {"default": Default, "logging": Logging}
code = clingo_main(programs.get(MODE, Counter)(), sys.argv[1:])
print("exit code", code)
