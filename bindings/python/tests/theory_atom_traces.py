"""Random programs with theory atoms and a random theory for them, run by whatever library the package clingo is on.

    python theory_atom_traces.py FIRST COUNT       one line a seed: the seed, and what its calls came to

Each seed is a program in some steps with theory atoms in bodies, in heads and as directives, to which a backend adds rules for
theory atoms and theory atoms of its own. The theory sees to some nogoods over atoms and conditions, and takes directives for
an objective. A line tells which theory atoms are listed when, and all answers with those that hold. What libraries are free to
choose (numbers of literals, orders) is not printed.
"""

import itertools
import random

import seeds
from clingo import Control, Function, Number
from propagator_traces import Nogoods, Wishing

ATOMS = ["a", "b", "c", "d"]
# Different answers; a trace that has more ends there.
MOST = 2000
OPTIONS = [
    [],
    [],
    ["--opt-strategy=usc"],
    ["--enum-mode=record"],
    ["--restart-on-model"],
    ["--heuristic=Domain", "--dom-mod=true,show"],
]
THEORY = """
#theory t {
    x { - : 1, unary };
    &some/1 : x, any;
    &less/1 : x, head;
    &open/1 : x, body;
    &cost/1 : x, directive
}.
"""


class Elements:
    """A theory: `some` and `open` need an element whose condition holds, `less` one whose condition does not, and of atoms of a
    call with one number at most one holds. The conditions of a directive's elements cost what its number says."""

    def init(self, init):
        self.inits += 1
        self.random = random.Random(self.seed)
        atoms = {}
        # Those that cannot hold need not be listed; it is open which these are, and they make no difference.
        for atom in init.theory_atoms:
            name, number = atom.term.name, atom.term.arguments[0].number
            conditions = [init.solver_literal(element.condition_id) for element in atom.elements]
            if name == "cost":
                for literal in conditions if self.pays else []:
                    init.add_minimize(literal, number, 1)
                continue
            literal = init.solver_literal(atom.literal)
            atoms.setdefault(number, {})[atom.literal] = literal
            if conditions:
                self.add([-literal] + [-c if name == "less" else c for c in conditions])
        for literals in atoms.values():
            # Atoms that are found to be equal may have one literal, and are two nevertheless.
            for pair in itertools.combinations(sorted(literals.values()), 2):
                self.add([-literal for literal in pair])
        if self.adds and self.inits == 1 and self.clauses and not init.add_clause(self.clauses[0]):
            return
        for literal in {literal for clause in self.clauses for literal in clause}:
            init.freeze_literal(literal)
            if self.watches:
                init.add_watch(literal)
                init.add_watch(-literal)
        init.check_mode, init.undo_mode = self.mode, self.undo_mode
        if self.inits == 1:
            self.told = []
        if not init.propagate():
            return
        self.extra = None

    def add(self, clause):
        clause = set(clause)
        if not any(-literal in clause for literal in clause):
            self.clauses.append(sorted(clause))


class Plain(Elements, Nogoods):
    """It watches and checks."""


class Deciding(Elements, Wishing):
    """It decides, too."""

    def decide(self, thread_id, assignment, fallback):
        literals = sorted({literal for clause in self.clauses for literal in clause})
        open_ = [literal for literal in literals if assignment.is_free(literal)]
        return open_[0] if open_ and self.random.random() < 0.5 else 0


class Trace:
    """A program in steps."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.out = []
        # Theory atoms: program literals, by what they are and when they were listed first.
        self.known = {}
        # Those that have rules.
        self.defined = set()
        # Atoms without names and rules.
        self.plain = []
        self.step = 0

    def pick(self, *of):
        return self.random.choice(of)

    def literal(self):
        return self.pick("", "", "not ") + self.pick(*ATOMS)

    def theory_atom(self, names, number=None):
        elements = ["%s : %s" % (term, self.literal()) for term in ("x", "y", "z")[: self.random.randrange(3)]]
        return "&%s(%s) { %s }" % (self.pick(*names), number or self.random.randint(1, 3), "; ".join(elements))

    def body_literal(self, number=None):
        if self.random.random() < 0.6:
            return self.pick("", "", "not ") + self.theory_atom(["some", "open"], number)
        return self.literal()

    def statement(self, number=None):
        kind = self.random.randrange(9)
        body = ", ".join(self.body_literal(number) for _ in range(self.random.randint(1, 2)))
        head = "r(t)" if number else self.pick(*ATOMS)
        if kind < 3:
            return "%s :- %s." % (head, body)
        if kind == 3:
            return ":- %s, %s." % (body, self.literal())
        if kind == 4:
            return "{ %s } :- %s." % (head, body)
        if kind < 7:
            return "%s :- %s." % (self.theory_atom(["some", "less"], number), ", ".join(self.literal() for _ in range(self.random.randint(1, 2))))
        if kind == 7:
            return ":~ %s. [%d, u%s]" % (self.body_literal(number), self.pick(1, 2), number or "")
        return "%s." % self.theory_atom(["cost"], number)

    def named(self, atoms):
        names = {}
        for atom in self.control.symbolic_atoms:
            names[atom.literal], names[-atom.literal] = str(atom.symbol), "not " + str(atom.symbol)
        for atom in atoms:
            elements = ["%s:%s" % (e.terms[0], ",".join(sorted(names.get(l, "?") for l in e.condition))) for e in atom.elements]
            yield "%s{%s}" % (atom.term, ";".join(sorted(elements))), atom.literal

    def listed(self, where, atoms):
        """Tells which theory atoms are listed."""
        found = sorted(self.named(atoms))
        for name, literal in found:
            if literal != 0 and literal not in self.known.values():
                self.known["%s@%d" % (name, self.step)] = literal
        self.out.append("%s %s" % (where, [name for name, _ in found]))

    def run(self):
        text = THEORY + "\n".join(self.statement() for _ in range(self.random.randint(2, 6)))
        # Each may hold, so that no literal is simplified away.
        text += "\n{ %s }. { k1; k2 }. #external e. :- e, a." % "; ".join(ATOMS)
        part = "{ s(t) }. " + " ".join(self.statement("t" if self.random.random() < 0.5 else None) for _ in range(self.random.randint(1, 3)))
        # An atom has its rules in one step.
        for atom in ATOMS:
            part = part.replace("%s :- " % atom, "r(t) :- ").replace("{ %s } :- " % atom, "{ r(t) } :- ")
        self.control = Control(["0", "--opt-mode=optN", *self.pick(*OPTIONS)], logger=lambda *_: None)
        self.control.enable_cleanup = False
        self.control.add("base", [], text)
        self.control.add("part", ["t"], part)
        theory = self.pick(Plain, Deciding)(self, [])
        theory.clauses, theory.pays = [], self.random.random() < 0.7
        if self.random.random() < 0.9:
            self.control.register_propagator(theory)
        self.control.ground([("base", [])])
        self.listed("ground", self.control.theory_atoms)
        for self.step in range(1, self.random.randint(2, 5)):
            self.act()
            if not self.solve():
                # There is nothing to compare any more: clingo grounds nothing after that.
                break
        return self.out

    def act(self):
        if self.step > 1 and self.random.random() < 0.6:
            for number in range(self.step, self.step + self.pick(1, 1, 2)):
                if (number, "grounded") not in self.defined:
                    self.defined.add((number, "grounded"))
                    self.control.ground([("part", [Number(number)])])
            self.listed("step", self.control.theory_atoms)
        if self.random.random() < 0.5:
            self.control.assign_external(Function("e"), self.pick(True, False, None))
        if self.random.random() < 0.5:
            with self.control.backend() as backend:
                for _ in range(self.random.randint(1, 3)):
                    self.extend(backend)
            self.listed("backend", self.control.theory_atoms)

    def program_literal(self):
        return self.control.symbolic_atoms[Function(self.pick("k1", "k2"))].literal * self.pick(1, -1)

    def extend(self, backend):
        kind = self.random.randrange(6)
        present = sorted(name for name, literal in self.named(self.control.theory_atoms) if literal != 0)
        if kind < 2 and present:
            # A rule for a theory atom of this step.
            literal = dict(self.named(self.control.theory_atoms))[self.pick(*present)]
            body = [self.program_literal() for _ in range(self.random.randint(0, 2))]
            if literal in self.plain:
                # Of an earlier step, perhaps: clingo does not define it again.
                return
            backend.add_rule([literal], body, self.random.random() < 0.3)
        elif kind == 2 and self.known:
            # A constraint with any of them.
            literal = self.known[self.pick(*sorted(self.known))]
            backend.add_rule([], [literal * self.pick(1, -1), self.program_literal()])
        elif kind == 3:
            term = backend.add_theory_term_function(self.pick("some", "less"), [backend.add_theory_term_number(self.random.randint(1, 3))])
            x = backend.add_theory_term_string("x")
            elements = [backend.add_theory_element([x], [self.program_literal()])][: self.random.randrange(2)]
            atom = backend.add_theory_atom(term, elements)
            new = backend.add_atom(Function("n", [Number(len(self.known)), Number(self.random.randrange(1000))]))
            backend.add_rule([new], [atom * self.pick(1, -1)])
        elif kind == 5:
            if self.plain and self.random.random() < 0.6:
                term = backend.add_theory_term_function("some", [backend.add_theory_term_number(self.random.randint(1, 3))])
                backend.add_theory_atom(term, [], self.pick(*self.plain))
                return
            self.plain.append(backend.add_atom())
            new = backend.add_atom(Function("m", [Number(len(self.plain))]))
            backend.add_rule([new], [self.plain[-1] * self.pick(1, -1)])
        elif kind == 4:
            weight = self.pick(1, 2)
            if self.known:
                backend.add_minimize(self.pick(0, 1), [(self.known[self.pick(*sorted(self.known))], weight)])

    def assumptions(self):
        pool = [self.control.symbolic_atoms[Function(k)].literal for k in ("k1", "k2")]
        pool += [self.known[name] for name in sorted(self.known)]
        chosen = self.random.sample(pool, self.random.randrange(min(3, len(pool))))
        return [literal * self.pick(1, -1) for literal in chosen]

    def solve(self):
        # Literals that are added make more models of the same atoms.
        found = set()

        def see(model):
            if model.cost and not model.optimality_proven:
                return True
            if not found:
                self.listed("model", self.control.theory_atoms)
            true = [name for name in sorted(self.known) if model.is_true(self.known[name])]
            found.add("%s %s %s" % (" ".join(sorted(map(str, model.symbols(atoms=True)))), true, [c for c in model.cost if c]))
            return len(found) < MOST

        assumptions = self.assumptions() if self.random.random() < 0.5 else []
        if self.random.random() < 0.5:
            result = self.control.solve(on_model=see, assumptions=assumptions)
        else:
            with self.control.solve(yield_=True, assumptions=assumptions) as handle:
                for model in handle:
                    if not see(model):
                        break
                result = handle.get() if len(found) < MOST else None
        self.listed("after", self.control.theory_atoms)
        if len(found) >= MOST:
            self.out.append("many")
            return False
        self.out.append("%s %s %s" % (result.satisfiable, result.exhausted, sorted(found)))
        # A call under assumptions does not say whether there are answers without them.
        return bool(result.satisfiable) or bool(assumptions) and bool(self.control.solve().satisfiable)


if __name__ == "__main__":
    seeds.run(Trace)
