"""What a call leaves for later ones, and what later steps may still change: lines for test_calls.py."""

import random
import re
import tempfile

from side_by_side import control, tell

import clingo
from clingo import Function, Number


def grounded(text, *arguments, told=None):
    new = control(text, *arguments, told=told)
    new.ground([("base", [])])
    return new


def shown(model):
    return " ".join(sorted(map(str, model.symbols(shown=True))))


def answers(control):
    found = []
    control.solve(on_model=lambda model: found.append(shown(model)))
    return sorted(found)


def settled():
    """An atom that a call has seen becomes external no more; what only a backend named does once it was cleaned up."""
    told = []
    for cleanup in (True, False):
        for text in ("a :- b, not b. { b }.", "a ; b. b.", "{ a }.", "{ b }.", "{ a } :- b. #external b.", "#external a. b :- a."):
            new = grounded(text, "0")
            new.enable_cleanup = cleanup
            answers(new)
            for value in (True, None, False):
                new.assign_external(Function("a"), value)
                told.append([cleanup, text, value, answers(new)])
            new.release_external(Function("a"))
            told.append(answers(new))
    for cleanup in (True, False):
        new = grounded("{ b }.", "0")
        new.enable_cleanup = cleanup
        with new.backend() as backend:
            backend.add_atom(Function("a"))
        answers(new)
        new.add("next", [], "#external a. [true] e :- a.")
        new.ground([("next", [])])
        told.append([answers(new), new.symbolic_atoms[Function("a")].is_external])
    return told


def parameters():
    told = []
    for text in ("#const m = k. q(m). q(m+1).", "#const m = f(k). q(m).", "#const k = 7. q(k).", "#const m = k. #const l = m. q(l,m,k)."):
        for arguments in ([], ["-c", "m=9"], ["-c", "k=5"]):
            new = control("#program step(k). " + text, *arguments)
            new.ground([("base", []), ("step", [Number(3)])])
            told.append([text, arguments, answers(new)])
    return told


def instances():
    """Instances of a part that are grounded together come in the order of their arguments, whatever the order of the call."""
    told = []
    symbols = [Function("c"), Number(3), clingo.String("c"), Function("a", [Number(1)]), Function("b"), Number(-1), Number(3), clingo.Infimum]
    pairs = [[Number(2), Number(1)], [Number(1), Function("x")], [Number(1), Number(5)]]
    for calls in (
        [[("p", [symbol]) for symbol in symbols]],
        [[("p", [symbol])] for symbol in symbols[:6]],
        [[("q", pair) for pair in pairs]],
        [[("q", pairs[0]), ("p", [Number(9)]), ("base", []), ("q", pairs[1]), ("p", [Number(8)])]],
        [[("p", [Number(9)]), ("q", pairs[0]), ("p", [Number(8)]), ("q", pairs[1]), ("base", [])]],
    ):
        new = control("{ b(1) }. b(0). #program p(t). { a(t) }. x(t) :- a(t). #program q(t,u). { a(t+u;10) }. y(u,t).")
        for parts in calls:
            new.ground(parts)
        told.append([str(atom.symbol) for atom in new.symbolic_atoms])
    return told


def random_program(seed):
    chosen = random.Random(seed)
    names = "abcd"
    rules = ["{ a; b; c }."]
    for _ in range(chosen.randint(1, 3)):
        literals = [chosen.choice(["", "not "]) + chosen.choice(names) for _ in range(2)]
        rules.append(chosen.choice(["d :- %s, %s.", ":- %s, %s."]) % tuple(literals))
    if chosen.random() < 0.4:
        rules.append("#project %s. #project %s." % tuple(chosen.sample(names, 2)))
    return " ".join(rules)


def kept():
    """Calls of which the enumeration does not end with them: what is left for the next ones."""
    told = []
    for seed in range(40):
        text = random_program(seed)
        for mode in ("record", "brave", "cautious"):
            new = grounded(text, "0")
            new.enable_enumeration_assumption = False
            new.configuration.solve.enum_mode = mode
            first = answers(new)
            # Of consequences the last ones, and what is no artefact of a translation: shown atoms.
            told.append([text, mode, first if mode == "record" else bool(first), answers(new)])
        # Answer by answer, all are found once, but for those at which calls end.
        new = grounded(text, "0")
        new.enable_enumeration_assumption = False
        new.configuration.solve.enum_mode = "record"
        seen = set()
        for _ in range(3):
            with new.solve(yield_=True) as handle:
                for count, model in enumerate(handle):
                    seen.add(shown(model))
                    if count == 2:
                        break
        told.append([text, sorted(seen | set(answers(new)))])
        new = grounded(text, "0")
        new.enable_enumeration_assumption = False
        new.configuration.solve.enum_mode = "record"
        forbid = [(Function("a"), False), (Function("b"), False)]
        with new.solve(yield_=True) as handle:
            for model in handle:
                # Where the search does not go on, it does not count.
                model.context.add_clause(forbid)
                break
        told.append([text, answers(new)])
        new.enable_enumeration_assumption = True
        told.append([text, answers(new)])
    return told


def consequences():
    told = []
    for text in (
        "{ a; b }. #project a. #show b/0.",
        "{ a; b; c }. :- not a, not b. #show a/0. #show b/0. #show t : c.",
        "{ a; b }. :- not a. #project b.",
        "{ a; b }. :- not a. #project a. #project b.",
        "{ a; b }. #show x : a, b. #show x : not a. #show y : not b, not a.",
        "{ a; b; c } = 2. #minimize { 1,x : a }.",
    ):
        for mode in ("brave", "cautious"):
            for best in ("opt", "optN"):
                new = grounded(text, "0")
                new.configuration.solve.enum_mode = mode
                new.configuration.solve.opt_mode = best
                found = []

                def note(model, found=found):
                    atoms = sorted(map(str, model.symbols(atoms=True)))
                    found.append([shown(model), atoms, model.contains(Function("c")), model.cost, model.optimality_proven])

                new.solve(on_model=note)
                told.append([text, mode, best, found[-1]])
    return told


def again():
    """Rules that define atoms of earlier steps again are dropped, with an error, and the control goes on."""
    new = grounded("{ b }. #program s. b. #program u. z.", "0")
    told = [answers(new)]
    for part in (("s", []), ("u", [])):
        told += [tell(lambda part=part: new.ground([part])).split("<")[0], answers(new)]
    literal = new.symbolic_atoms[Function("b")].literal

    def define():
        with new.backend() as backend:
            backend.add_rule([literal], [])

    return [*told, tell(define).split("<")[0], answers(new)]


def endings():
    """Limits that the last answer set reaches, calls that are cancelled, and proofs of optima."""
    told = []
    for models, text in ((1, "a."), (1, "{ a }."), (2, "{ a }."), (3, "{ a }."), (1, "a. :- a."), (1, "{ a }. #minimize { 1 : a }.")):
        for best in ("opt", "optN"):
            new = grounded(text, str(models))
            new.configuration.solve.opt_mode = best
            last = []
            result = new.solve(on_last=lambda model, last=last: last.append([model.cost, model.optimality_proven]))
            told.append([models, text, best, repr(result), last, new.statistics["summary"]["signal"]])
    new = grounded("{ a; b }.", "0")
    for ends in (lambda handle: None, lambda handle: handle.cancel(), lambda handle: [*handle]):
        finished = []
        with new.solve(yield_=True, on_finish=lambda result, finished=finished: finished.append(repr(result))) as handle:
            ends(handle)
        told.append([finished, new.statistics["summary"]["signal"]])
    return told + [tell(lambda text=text: grounded(text).is_conflicting) for text in ("a. :- a.", "{ a }. :- a. :- not a.", "{ a }.")]


def within():
    """What may be read and written during a call."""
    new = grounded("#const n = 3. { a }. b(n).", "0")
    told = []

    def look(model):
        told.extend([str(new.get_const("n")), str(new.get_const("m"))])
        told.append(tell(lambda: setattr(new.configuration.solve, "models", 1)))
        told.append(tell(lambda: new.assign_external(Function("a"), True)))
        told.append(tell(lambda: new.ground([("base", [])])))
        told.append(tell(lambda: new.statistics))

    told.append(answers(new))
    new.solve(on_model=look)
    return [*told, len(answers(new)), new.configuration.solve.models]


def undefined():
    """Facts of parts that are not grounded yet count as heads, if their arguments are values by then."""
    heads = ("s(t).", "s(t*t).", "s((t,1)).", "s(f(t)).", "s(f((t,1))).", "s(|t|).", "s(t+1).", "s(1).", "s(1+1).", "s((1,2)).", "s(1..2).")
    heads += ("s(X) :- X = t.", "{ s(t) }.", "s(9) :- t = 3.", "#external s(t).", "s(t,1; 2).", "s(t; 1).", "s(t) :- 1 < 2.", "-s(t).", "s.")
    told = []
    for parameters in ([], ["t"]):
        for head in heads:
            messages = []
            new = control("#const n = 1. { b }. :- b, not s(9).", told=messages)
            new.add("step", parameters, head if parameters else re.sub(r"\bt\b", "n", head))
            new.ground([("base", [])])
            told.append([head, parameters, list(messages)])
    return told


def counted():
    """A caller's statistics of a step stay from call to call."""
    new = grounded("{ a }.", "0")
    told = []

    def add(step, accu):
        step["list"] = [1]
        told.append(sorted(step.keys()))
        step[str(len(told))] = len(told)

    for _ in range(3):
        new.solve(on_statistics=add)
    return [*told, sorted(new.statistics["user_step"])]


def numbers():
    """Negative numbers of theories that come from values."""
    theory = "#theory t { u { - : 1, unary }; &s/0 : u, head; &d/1 : u, head }. "
    told = []
    for text in ("&d(-3) { 1 }.", "&s { X : X = (-1;f(-1);(-1,2)) }.", "&s { f(-1); X : X = f(-1) }."):
        for atom in grounded(theory + text).theory_atoms:
            terms = [term for element in atom.elements for term in element.terms] + list(atom.term.arguments)
            told.append([str(atom), sorted([str(term), str(term.type)] for term in terms)])
    return told


def warned():
    told = []
    for arguments in (["--opt-mode=enum"], ["-e", "brave", "1"], ["-e", "brave"], ["1"], ["-e", "cautious", "--opt-mode=optN", "1"]):
        for text in ("{ a }.", "{ a }. #minimize { 1 : a }."):
            messages = []
            new = grounded(text, *arguments, told=messages)
            new.solve()
            told.append([arguments, text, messages])
    messages = []
    new = control("b :- c. #program s. c. #program t(k). d(k) :- e(k). #external x.", told=messages)
    new.ground([("base", [])])
    return [*told, messages]


def read_back():
    told = []
    for key, values in {
        "solve.project": "0 1 auto no show,3", "solver.rand_freq": "no 0.5", "solver.restarts": "no l,100 x,100,1.5",
        "solver.opt_strategy": "usc,1 usc,3 5 bb", "solver.dom_mod": "1,16 level,show no", "sat_prepro": "2 no 3,10,20 2,iter=5",
        "asp.eq": "-1 3", "solver.del_init": "3.0,10,20", "solver.deletion": "basic,50 no ipheap,75,mixed", "solver.del_grow": "1.1 no",
        "solver.no_lookback": "no yes", "solver.init_moms": "yes no", "solver.restart_on_model": "yes no", "solver.del_cfl": "no l,100",
        "solve.solve_limit": "-1 5 -1,3", "solve.distribute": "all,4 conflict no", "solve.global_restarts": "5 no 5,l,100",
    }.items():  # fmt: skip
        for value in values.split():
            new = clingo.Control()
            place, name = new.configuration, key.split(".")
            for part in name[:-1]:
                place = getattr(place, part)
            setattr(place, name[-1], value)
            told.append([key, value, getattr(place, name[-1])])
    return told


def let_go():
    """An external atom that was released is there until a call has seen that, and a clean-up after it."""
    new = grounded("#external a. { b }. #program more. c.", "0")
    told = []
    for step in (
        lambda: answers(new),
        lambda: new.release_external(Function("a")),
        lambda: new.ground([("more", [])]),
        new.cleanup,
        lambda: answers(new),
        new.cleanup,
    ):
        step()
        told.append([str(atom.symbol) for atom in new.symbolic_atoms])
    # Also if the call before has found that it cannot hold.
    new = grounded("#external a. :- a. { b }.", "0")
    new.assign_external(Function("a"), True)
    told.append(answers(new))
    for step in (lambda: new.release_external(Function("a")), new.cleanup, lambda: new.ground([]), lambda: answers(new), new.cleanup):
        step()
        told.append([str(atom.symbol) for atom in new.symbolic_atoms])
    return told


def solvers():
    """How many entries `solver` has is settled by the arguments."""
    told = []
    for arguments in ([], ["-t2"]):
        new = clingo.Control(arguments)
        told.append(len(new.configuration.solver))
        new.configuration.solve.parallel_mode = "3"
        new.solve()
        told.append(len(new.configuration.solver))
    return told


class Heard:
    """What an observer, or a propagator, hears of, without numbers."""

    def __init__(self):
        self.all = []

    def init_program(self, incremental):
        self.all.append("program")

    def begin_step(self):
        self.all.append("begin")

    def end_step(self):
        self.all.append("end")

    def rule(self, choice, head, body):
        self.all.append(["rule", choice, len(head), len(body)])

    def external(self, atom, value):
        self.all.append(["external", str(value)])

    def output_atom(self, symbol, atom):
        self.all.append(str(symbol))


class Asked:
    def __init__(self):
        self.all = []

    def init(self, init):
        self.all.append(sorted(str(atom.symbol) for atom in init.symbolic_atoms))
        init.check_mode = clingo.PropagatorCheckMode.Total

    def check(self, control):
        self.all.append("check")


def registered():
    """Who is registered late hears of what comes later; during a call, of what comes after it."""
    told = []
    for when in ("model", "waiting", "finished", "grounded", "solved", "external"):
        new = grounded("{ a }. f. #external e.", "0")
        heard, asked = Heard(), Asked()

        def register(new=new, heard=heard, asked=asked):
            new.register_observer(heard)
            new.register_propagator(asked)

        if when == "model":
            new.solve(on_model=lambda model, register=register: register() if model.number == 1 else None)
        elif when == "waiting":
            with new.solve(yield_=True) as handle:
                handle.model()
                register()
        elif when == "finished":
            new.solve(on_finish=lambda result, register=register: register())
        elif when == "grounded":
            register()
        elif when == "solved":
            new.solve()
            register()
        else:
            new.assign_external(Function("e"), True)
            register()
            new.assign_external(Function("e"), False)
        told += [when, list(heard.all), list(asked.all)]
        new.add("next", [], "{ b } :- a. g.")
        new.ground([("next", [])])
        new.solve()
        told += [heard.all, asked.all[0], len(asked.all)]
    return told


def named():
    """Atoms of a backend beside a program in aspif are shown."""
    told = []
    with tempfile.NamedTemporaryFile("w", suffix=".aspif") as file:
        file.write("asp 1 0 0 incremental\n1 1 2 1 2 0 0\n4 1 a 1 1\n4 1 b 1 2\n0\n")
        file.flush()
        new = clingo.Control(["0"])
        new.load_aspif([file.name])
        for name in ("x", "y"):
            with new.backend() as backend:
                backend.add_rule([backend.add_atom(Function(name, [Number(1)]))], [], True)
            told.append(answers(new))
    return told


PARTS = [instances, registered, named, settled, parameters, kept, consequences, again, endings, within, undefined, counted, numbers, warned, read_back, let_go, solvers]
