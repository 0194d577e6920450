#!/usr/bin/env python3
"""clingo-dl's command line with optimisation, which its package for Python leaves out: dl.py [--minimize VARIABLE] FILES ARGUMENTS

Each plan sets a bound for the next one, in one multi-shot run, as the program clingo-dl does it.
"""
import sys

from clingo import Function, Number
from clingo.application import clingo_main
from clingodl.__main__ import ClingoDLApp, ast

variable = sys.argv.pop(sys.argv.index("--minimize") + 1) if "--minimize" in sys.argv else None
arguments = [a for a in sys.argv[1:] if a != "--minimize"]


class App(ClingoDLApp):
    def main(self, control, files):
        if not variable:
            return super().main(control, files)
        theory = self._ClingoDLApp__theory
        theory.register(control)
        with ast.ProgramBuilder(control) as builder:
            add = lambda statement: theory.rewrite_ast(statement, builder.add)
            ast.parse_files(files, add)
            ast.parse_string(f"#program bound(b). &diff {{ {variable}-0 }} <= b-1.", add)
        control.ground([("base", [])])
        cost = None
        while True:
            theory.prepare(control)
            before = cost
            with control.solve(on_model=theory.on_model, yield_=True) as handle:
                for model in handle:
                    key = theory.lookup_symbol(Function(variable))
                    cost = theory.get_value(model.thread_id, key)
                    break
            if cost == before:
                print("UNSATISFIABLE" if cost is None else f"Cost: {cost}\nFinished")
                return
            control.ground([("bound", [Number(cost)])])


sys.exit(int(clingo_main(App("clingo-dl"), arguments)))
