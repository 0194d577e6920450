"""Shared helpers of the generators (standard library; `--model` needs ortools)."""
import argparse
import random
import sys
import time


def parser(doc, **defaults):
    p = argparse.ArgumentParser(description=doc)
    p.add_argument("n", type=int, help="size")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--dl", action="store_true", help="as clingo-dl reads it: no domains, no objective")
    p.add_argument("--model", action="store_true", help="solve it with CP-SAT instead of printing a program")
    p.add_argument("--seconds", type=float, default=60, help="time limit of CP-SAT")
    for key, default in defaults.items():
        flag = "--" + key.replace("_", "-")
        if isinstance(default, tuple):
            p.add_argument(flag, choices=default, default=default[0])
        elif default is False:
            p.add_argument(flag, action="store_true")
        else:
            p.add_argument(flag, type=type(default), default=default)
    return p


def rng(a):
    return random.Random(a.seed * 1000003 + a.n)


def finish(a, program, model, every=False):
    """Prints the program; with --model, solves what `model(m)` adds to a CP-SAT model and prints the result as asp does.
    If it returns something, that is the objective's value for a solver; with `every`, solutions are counted."""
    if not a.model:
        sys.stdout.write(program.strip() + "\n#show.\n")
        return
    from ortools.sat.python import cp_model

    class Count(cp_model.CpSolverSolutionCallback):
        number = 0

        def on_solution_callback(self):
            self.number += 1

    m, s, count = cp_model.CpModel(), cp_model.CpSolver(), Count()
    model(m)
    s.parameters.num_workers = 1
    s.parameters.max_time_in_seconds = a.seconds
    s.parameters.enumerate_all_solutions = every
    start = time.process_time()
    status = s.Solve(m, count)
    seconds = time.process_time() - start
    if status == cp_model.OPTIMAL and m.HasObjective():
        print(f"OPTIMUM FOUND\nOptimization : {round(s.ObjectiveValue())}")
    elif status == cp_model.OPTIMAL or status == cp_model.FEASIBLE and not m.HasObjective() and not every:
        print(f"SATISFIABLE\nModels       : {count.number}" + ("" if every else "+"))
    else:
        print("UNSATISFIABLE\nModels       : 0" if status == cp_model.INFEASIBLE else "UNKNOWN")
    print(f"CPU Time     : {seconds:.3f}s")
