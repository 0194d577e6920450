"""Programs in steps, with theory atoms, propagators and parts, run by whatever library the package clingo is on.

    python steps.py [--own]       one line a scenario, as JSON; --own: on clingo's own library in any case

A scenario returns what every library must agree on: sets of models, never the order in which they are found.
"""

import json
import sys

if "--own" in sys.argv:
    # The package falls back to its own library.
    sys.modules["_clingo"] = None

from clingo import Control, Function, Number
from clingo.backend import TruthValue
from clingo.propagator import PropagatorCheckMode

THEORY = "#theory t { x { - : 1, unary }; &a/1 : x, any; &d/0 : x, directive; &h/1 : x, head }. "


def control(text, *arguments, **parts):
    new = Control(["0", *arguments], logger=lambda *_: None)
    new.add("base", [], THEORY + text)
    for name, part in parts.items():
        new.add(name, [], part)
    new.ground([("base", [])])
    return new


def answers(control, **options):
    """What is shown; and whether there are answers."""
    found = []
    result = control.solve(on_model=lambda m: found.append(" ".join(sorted(map(str, m.symbols(shown=True))))), **options)
    return [sorted(found), str(result)]


def listed(control):
    return sorted(str(atom) for atom in control.theory_atoms)


def theory_literals(control):
    return {str(atom): atom.literal for atom in control.theory_atoms}


def rule_for_a_theory_atom(head, later=False, choice=False):
    """A rule of the backend, whatever it is, defines a theory atom: it is not free any more."""
    c = control("{q}. p :- &a(1) { }.")
    atom, q = theory_literals(c)["&a(1){}"], c.symbolic_atoms[Function("q")].literal
    before = answers(c) if later else None
    with c.backend() as backend:
        extra = backend.add_atom()
        body = {"q": [q], "never": [extra], "contradiction": [q, -q], "itself": [atom]}[head]
        backend.add_rule([atom], body, choice)
    return [before, answers(c), answers(c, assumptions=[atom])]


def theory_atoms_of_a_text():
    """A rule that can never apply defines, too."""
    texts = ["&a(1) { } :- q, not q.", "&a(1) { } :- &a(1) { }.", "&h(1) { } :- q, not q.", "p :- &a(1) { }, q, not q."]
    return [answers(control("{q}. p :- &a(1) { }. " + text)) for text in texts]


def externals_that_are_theory_atoms():
    found = []
    for value in (TruthValue.True_, TruthValue.False_, TruthValue.Free, TruthValue.Release):
        c = control("{q}. p :- &a(1) { }.")
        with c.backend() as backend:
            backend.add_external(theory_literals(c)["&a(1){}"], value)
        found.append(answers(c))
    return found


def made_by_the_backend():
    c = control("{q}. p :- &a(1) { }.")
    with c.backend() as backend:
        name = lambda number: backend.add_theory_term_function("a", [backend.add_theory_term_number(number)])
        first, again = backend.add_theory_atom(name(2), []), backend.add_theory_atom(name(2), [])
        same = backend.add_theory_atom(name(1), [], backend.add_atom())
        x = backend.add_theory_term_string("x")
        elements = [backend.add_theory_element([x], [first]) for _ in range(2)]
        directive = [backend.add_theory_atom(backend.add_theory_term_string("d"), [], 0) for _ in range(2)]
        backend.add_rule([backend.add_atom(Function("r"))], [first])
    names = listed(c)
    return [first == again, same == theory_literals(c)["&a(1){}"], elements[0] == elements[1], directive, names, answers(c)]


def made_of_atoms_of_earlier_steps():
    """An atom that a call has found without rules stays false if it is made a theory atom; an external one stays free."""
    found = []
    for how in ("unnamed", "named", "external", "rule", "theory", "unseen"):
        c = control("{q}.", part="{r}.")
        with c.backend() as backend:
            atom = backend.add_atom(Function("z")) if how == "named" else backend.add_atom()
            backend.add_rule([backend.add_atom(Function("y"))], [atom])
            if how == "external":
                backend.add_external(atom, TruthValue.Free)
            elif how == "rule":
                backend.add_rule([atom], [c.symbolic_atoms[Function("q")].literal])
            elif how == "theory":
                name = backend.add_theory_term_function("a", [backend.add_theory_term_number(2)])
                backend.add_theory_atom(name, [], atom)
        before = None if how == "unseen" else answers(c)
        c.ground([("part", [])])
        with c.backend() as backend:
            name = backend.add_theory_term_function("a", [backend.add_theory_term_number(1)])
            same = backend.add_theory_atom(name, [], atom) == atom
        found.append([same, before, answers(c), answers(c, assumptions=[atom])])
    return found


def externals_with_their_own_negation():
    """A rule that denies what it derives leaves an atom external."""
    found = []
    texts = ("g :- not g.", "{a}. g :- not g, a.", "{g} :- not g.", "g ; h :- not g.", "{a}. a ; g :- not g.", "{a}. g :- not not g, a.", "{g} :- not not g.")
    for text in texts:
        for value in (True, False, None):
            c = control("#external g. " + text)
            before = c.symbolic_atoms[Function("g")].is_external
            c.assign_external(Function("g"), value)
            found.append([text, value, before, answers(c)])
    return found


def choices_about_the_next_step():
    """What a step asks of the next one does not hold, unless that is grounded with it or before."""
    found = []
    for orders in ([[1], [2], [3]], [[3], [2], [1]], [[1, 2, 3]], [[2, 3], [1]]):
        for base in ("", "{b(4)}.", "#external b(4)."):
            for bounds in ("", "1 "):
                c = control(base)
                c.add("s", ["t"], bounds + "{a(t); b(t)} 1 :- not not b(t+1).")
                for order in orders:
                    c.ground([("s", [Number(t)]) for t in order])
                    found.append(answers(c))
    return found


class Listing:
    """Tells which theory atoms there are when it is set up."""

    def __init__(self):
        self.found = []

    def init(self, init):
        self.found.append(sorted(map(str, init.theory_atoms)))


def listings():
    """Theory atoms belong to the step that grounds them: the next step's are others."""
    c = Control(["0"])
    c.add("base", [], THEORY + "{q}. p :- &a(1) { }. &d { }.")
    c.add("step", ["t"], "r(t) :- &a(1) { }. s(t) :- &a(t) { }. &d { }.")
    listing = Listing()
    c.register_propagator(listing)
    c.ground([("base", [])])
    found = [listed(c)]
    for part in ([], [("step", [Number(2)]), ("step", [Number(3)])], [], [("step", [Number(4)])]):
        see = lambda model: found.append(listed(c)) if model.number == 1 else None
        found.append(str(c.solve(on_model=see)))
        found.append(listed(c))
        if part:
            c.ground(part)
            found.append(listed(c))
    return [found, listing.found, len(answers(c)[0])]


class Adding:
    """Adds a clause of a literal and one of its own, and tells whether that is true at once."""

    def __init__(self, name, **lifetime):
        self.name, self.lifetime, self.found = name, lifetime, []

    def init(self, init):
        self.literal = init.solver_literal(init.symbolic_atoms[Function(self.name)].literal)
        init.add_watch(self.literal)

    def propagate(self, control, changes):
        if not self.found:
            literal = control.add_literal()
            added = control.add_clause([-self.literal, literal], **self.lifetime) and control.propagate()
            self.found.append([added, control.assignment.is_true(literal), control.assignment.decision_level, control.assignment.root_level])


def under_assumptions(**lifetime):
    c = control("{a; b}.")
    adding = Adding("a", **lifetime)
    c.register_propagator(adding)
    c.solve(assumptions=[(Function("a"), True)])
    return adding.found


class Jumping:
    """When everything has a value but for one atom, adds a clause that is unit far below."""

    def init(self, init):
        self.literals = sorted(init.solver_literal(atom.literal) for atom in init.symbolic_atoms)
        for literal in self.literals:
            init.add_watch(literal)
            init.add_watch(-literal)
        self.found = []
        self.levels = []

    def propagate(self, control, changes):
        assignment = control.assignment
        open_ = [literal for literal in self.literals if assignment.is_free(literal)]
        if self.found:
            # Where the search goes on.
            self.levels.append([assignment.decision_level, assignment.is_true(self.wanted)])
        elif len(open_) == 1 and assignment.decision_level >= assignment.root_level + 3:
            self.wanted = open_[0]
            first = assignment.decision(assignment.root_level + 1)
            self.found.append(control.add_clause([-first, self.wanted]))
            self.found.append([assignment.has_conflict, assignment.is_free(self.wanted), control.propagate()])
            try:
                control.add_clause([first, self.wanted])
            except RuntimeError:
                self.found.append("error")


def jumps(*assumptions):
    c = control("{a; b; c; d; e}.")
    c.configuration.solve.models = 1
    jumping = Jumping()
    c.register_propagator(jumping)
    c.solve(assumptions=[(Function(name), True) for name in assumptions])
    return [jumping.found, jumping.levels[0]]


class Empty:
    """Adds the empty clause."""

    def __init__(self, place, **lifetime):
        self.place, self.lifetime, self.inits, self.threads = place, lifetime, 0, 0

    def init(self, init):
        self.inits += 1
        self.threads = init.number_of_threads
        init.check_mode = PropagatorCheckMode.Both
        if self.place == "init":
            init.add_clause([])

    def check(self, control):
        if self.place == "check":
            control.add_clause([], **self.lifetime)


def empty(place, **lifetime):
    c = control("{a}.")
    propagator = Empty(place, **lifetime)
    c.register_propagator(propagator)
    found = [[str(c.solve()), c.is_conflicting] for _ in range(2)]
    return [found, propagator.inits]


class Paying:
    """An atom costs, and another never holds."""

    def init(self, init):
        first, self.second = (init.solver_literal(init.symbolic_atoms[Function(name)].literal) for name in "ab")
        init.add_minimize(first, 2, 1)
        # A literal that is none of the program's makes the program grow.
        init.add_minimize(-1, 1, 1)
        init.add_watch(self.second)
        self.checks = 0

    def propagate(self, control, changes):
        control.add_clause([-self.second])

    def check(self, control):
        self.checks += 1


def paying(*arguments):
    """A propagator is called although what it has added to the objective changes the program."""
    c = control("{a; b; c}.", "--opt-mode=optN", *arguments)
    propagator = Paying()
    c.register_propagator(propagator)
    found = []
    for _ in range(2):
        optimal = []
        c.solve(on_model=lambda m: m.optimality_proven and optimal.append(sorted(map(str, m.symbols(atoms=True)))))
        found.append([sorted(optimal), propagator.checks > 0])
    return found


def set_up(text, *arguments, assumptions=()):
    """How often a propagator is set up in two calls, and for how many threads."""
    c = control(text, *arguments)
    propagator = Empty("nowhere")
    c.register_propagator(propagator)
    found = [answers(c, assumptions=[(Function(a), value) for a, value in assumptions]) for _ in range(2)]
    return [found, propagator.inits, propagator.threads]


def shown_late():
    c = control("a. b. {x}.")
    found = [answers(c)]
    c.add("later", [], "#show a/0. c.")
    found.append(answers(c))
    c.ground([("later", [])])
    found.append(answers(c))
    c.add("more", [], "#show b/0. #show d/0. {d}.")
    c.ground([("more", [])])
    found.append(answers(c))
    hidden = []
    c.solve(on_model=lambda m: hidden.append(sorted(map(str, m.symbols(atoms=True)))))
    return [found, sorted(hidden)]


def projected_late():
    c = control("{a; b}.", "--project", one="#project a/0. {y}.", two="#project b/0.")
    found = [len(answers(c)[0])]
    for part in ("one", "two"):
        c.ground([(part, [])])
        found.append(len(answers(c)[0]))
    c = control("{a; b}. #project a/0.", "--project", one="#project b/0. {y}.", two="#project y.")
    for part in ("one", "two"):
        found.append(len(answers(c)[0]))
        c.ground([(part, [])])
    return [*found, len(answers(c)[0])]


def single_shot():
    c = Control(["0", "--single-shot"])
    c.add("base", [], "{a}. #external e.")
    c.add("part", [], "b.")

    def backend():
        with c.backend() as changed:
            changed.add_rule([changed.add_atom(Function("z"))])

    found = []
    for what in (
        lambda: c.ground([("base", [])]),
        lambda: c.ground([("part", [])]),
        backend,
        lambda: answers(c),
        lambda: c.ground([("part", [])]),
        lambda: answers(c),
        lambda: c.assign_external(Function("e"), True),
        backend,
        lambda: c.add("more", [], "c."),
        lambda: c.ground([("more", [])]),
    ):
        try:
            found.append(what())
        except RuntimeError as error:
            found.append(str(error))
    return found


SCENARIOS = {
    "rules for theory atoms": lambda: [rule_for_a_theory_atom(head) for head in ("q", "never", "contradiction", "itself")],
    "choices of theory atoms": lambda: [rule_for_a_theory_atom(head, choice=True) for head in ("q", "never", "itself")],
    "rules for theory atoms of earlier steps": lambda: rule_for_a_theory_atom("q", later=True),
    "theory atoms of a text": theory_atoms_of_a_text,
    "externals that are theory atoms": externals_that_are_theory_atoms,
    "made by the backend": made_by_the_backend,
    "made of atoms of earlier steps": made_of_atoms_of_earlier_steps,
    "listings": listings,
    "under assumptions": lambda: [under_assumptions(), under_assumptions(tag=True), under_assumptions(lock=True)],
    "jumps": lambda: [jumps(), jumps("b")],
    "empty clauses": lambda: [empty("init"), empty("check"), empty("check", tag=True), empty("check", lock=True)],
    "set up": lambda: [
        set_up("{a}."),
        set_up(":- not a."),
        set_up("a. :- a."),
        set_up("a. {b}.", assumptions=[("a", False)]),
        set_up("{a}.", "-t2"),
    ],
    "objectives of propagators": lambda: [paying(), paying("--heuristic=Domain", "--dom-mod=true,show")],
    "shown late": shown_late,
    "projected late": projected_late,
    "single shot": single_shot,
    "externals with their own negation": externals_with_their_own_negation,
    "choices about the next step": choices_about_the_next_step,
}


def main():
    for name, scenario in SCENARIOS.items():
        print(json.dumps([name, scenario()]), flush=True)


if __name__ == "__main__":
    main()
