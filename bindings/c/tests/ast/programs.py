"""Random programs of the whole input language, laid out at random, for comparing syntax trees.

Every number is a seed; the same seed gives the same program.
"""

import random

WORD = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'")
OPERATOR = set("/!<=>+-*\\?&@|:;~^.%#")


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)
        # Parts get smaller the deeper they are.
        self.depth = 0
        self.in_theory = False

    def some(self, make, least=0, most=3, separator=","):
        out = []
        for i in range(self.r.randint(least, most)):
            if i:
                out.append(separator if isinstance(separator, str) else separator())
            out += make()
        return out

    def one(self, *ways):
        return self.r.choice(ways)()

    def chance(self, p):
        return self.r.random() < p

    def name(self):
        return self.r.choice(["a", "b", "c", "p", "q", "f", "g", "_x", "a'", "ab1"])

    def variable(self):
        return self.r.choice(["X", "Y", "Z", "_V", "X'", "_"])

    # ---- terms ----

    def leaf(self):
        r = self.r.random()
        if r < 0.35:
            return [str(self.r.choice([0, 1, 2, 7, 42]))]
        if r < 0.6:
            return [self.variable()]
        if r < 0.85:
            return [self.name()]
        return [self.r.choice(['"s"', '"a\\n\\"b\\\\"', "#inf", "#sup", "0x1F", "0b11", "0o17", "#infimum", '""'])]

    def term(self):
        self.depth += 1
        try:
            if self.depth > 4 or self.chance(0.45):
                return self.leaf()
            return self.r.choice(
                [
                    self.binary,
                    self.binary,
                    self.unary,
                    self.interval,
                    self.function,
                    self.function,
                    self.tuple,
                    self.pool,
                    self.absolute,
                    self.parentheses,
                    self.external_function,
                ]
            )()
        finally:
            self.depth -= 1

    def binary(self):
        operators = ["+", "-", "*", "/", "\\", "**", "&", "?", "^"]
        out = self.operand()
        for _ in range(self.r.choice([1, 1, 1, 2, 3])):
            out += [self.r.choice(operators)] + self.operand()
        return out

    def operand(self):
        return self.one(self.leaf, self.leaf, self.parentheses, self.unary, self.function)

    def unary(self):
        return [self.r.choice(["-", "-", "~"])] + self.one(self.leaf, self.parentheses, self.function, self.unary)

    def interval(self):
        return self.one(self.leaf, self.parentheses) + [".."] + self.one(self.leaf, self.parentheses)

    def arguments(self):
        lists = self.r.choice([1, 1, 1, 1, 2, 3])
        out = ["("]
        for i in range(lists):
            out += [";"] if i else []
            out += self.some(self.term, 0 if self.chance(0.2) else 1, 2)
        return out + [")"]

    def function(self):
        return [self.name()] + self.arguments()

    def external_function(self):
        return ["@", self.name()] + (self.arguments() if self.chance(0.8) else [])

    def parentheses(self):
        return ["("] + self.term() + [")"]

    def item(self):
        r = self.r.random()
        if r < 0.5:
            return self.term()
        if r < 0.6:
            return []
        if r < 0.65:
            return [","]
        if r < 0.8:
            return self.term() + [","]
        return self.term() + [","] + self.term()

    def tuple(self):
        out = self.some(self.term, 0, 3)
        if out and self.chance(0.3):
            out.append(",")
        return ["("] + out + [")"]

    def pool(self):
        out = ["("] + self.item()
        for _ in range(self.r.choice([1, 1, 2])):
            out += [";"] + self.item()
        return out + [")"]

    def absolute(self):
        # A pool between bars is not read in the condition of a theory atom's element.
        return ["|"] + self.some(self.term, 1, 1 if self.in_theory else 2, ";") + ["|"]

    # ---- literals ----

    def atom(self):
        minus = ["-"] if self.chance(0.15) else []
        return minus + [self.name()] + (self.arguments() if self.chance(0.6) else [])

    def relation(self):
        return self.r.choice(["<", "<=", ">", ">=", "=", "!=", "==", "<>"])

    def sign(self):
        return self.r.choice([[], [], [], ["not"], ["not", "not"]])

    def literal(self):
        r = self.r.random()
        if r < 0.7:
            return self.sign() + self.atom()
        if r < 0.95:
            out = self.sign() + self.term()
            for _ in range(self.r.choice([1, 1, 2])):
                out += [self.relation()] + self.term()
            return out
        return self.sign() + [self.r.choice(["#true", "#false"])]

    def condition(self):
        return [":"] + self.some(self.literal, 0 if self.chance(0.1) else 1, 2)

    def maybe(self, make, p=0.5):
        return make() if self.chance(p) else []

    def left(self):
        return self.term() + self.maybe(lambda: [self.relation()], 0.7)

    def right(self):
        return self.maybe(lambda: [self.relation()], 0.7) + self.term()

    def set_element(self):
        return self.literal() + self.maybe(self.condition)

    def set(self):
        return ["{"] + self.some(self.set_element, 0, 3, ";") + ["}"]

    def body_element(self):
        if self.chance(0.1):
            return self.condition()
        return self.some(self.term, 1, 2) + self.maybe(self.condition)

    def head_element(self):
        return self.some(self.term, 0, 2) + [":"] + self.literal() + self.maybe(self.condition)

    def aggregate(self, element):
        function = self.r.choice(["#count", "#sum", "#sum+", "#min", "#max"])
        return [function, "{"] + self.some(element, 0, 3, ";") + ["}"]

    def guarded(self, make):
        return self.maybe(self.left, 0.4) + make() + self.maybe(self.right, 0.4)

    # ---- theory atoms ----

    def theory_operator(self):
        return self.r.choice(["+", "-", "*", "<", "<=", "!!", "->", "..", "**", "&", "not"])

    def theory_leaf(self):
        return [self.r.choice(["1", "7", "X", "_V", "a", "b", '"s"', "#inf", "#sup"])]

    def theory_term(self):
        self.depth += 1
        try:
            if self.depth > 4 or self.chance(0.4):
                return self.theory_leaf()
            return self.one(self.theory_operators, self.theory_operators, self.theory_function, self.theory_list)
        finally:
            self.depth -= 1

    def theory_operators(self):
        out = [self.theory_operator()] if self.chance(0.3) else []
        out += self.theory_operand()
        for _ in range(self.r.choice([0, 1, 1, 2])):
            out.append(self.theory_operator())
            if self.chance(0.2):
                out.append(self.theory_operator())
            out += self.theory_operand()
        return out

    def theory_operand(self):
        return self.one(
            self.theory_leaf, self.theory_leaf, self.theory_function, lambda: ["("] + self.theory_term() + [")"]
        )

    def theory_function(self):
        return [self.name(), "("] + self.some(self.theory_term, 0, 2) + [")"]

    def theory_list(self):
        r = self.r.randrange(4)
        if r == 0:
            return ["["] + self.some(self.theory_term, 0, 3) + ["]"]
        if r == 1:
            return ["{"] + self.some(self.theory_term, 0, 3) + ["}"]
        if r == 2:
            return ["("] + self.theory_term() + [",", ")"]
        return ["("] + self.some(self.theory_term, 2, 3) + [")"]

    def theory_element(self):
        self.in_theory = True
        if self.chance(0.1):
            out = self.condition()
        else:
            out = self.some(self.theory_term, 1, 2) + self.maybe(self.condition, 0.4)
        self.in_theory = False
        return out

    def theory_atom(self):
        out = ["&", self.name()] + (self.arguments() if self.chance(0.4) else [])
        if self.chance(0.85):
            out += ["{"] + self.some(self.theory_element, 0, 3, ";") + ["}"]
            if self.chance(0.4):
                out += [self.r.choice(["<=", "=", "!=", "->"])] + self.theory_term()
        return out

    # ---- rules ----

    def head(self):
        r = self.r.random()
        if r < 0.4:
            return self.literal()
        if r < 0.55:
            return self.disjunction()
        if r < 0.75:
            return self.guarded(self.set)
        if r < 0.9:
            return self.guarded(lambda: self.aggregate(self.head_element))
        return self.theory_atom()

    def disjunction(self):
        out = self.literal() + self.maybe(self.full_condition, 0.4)
        conditional = ":" in out
        for _ in range(self.r.choice([1, 1, 2])):
            out += [self.r.choice([";", "|"] if conditional else [",", ";", "|"])] + self.literal()
            conditional = self.chance(0.4)
            out += self.full_condition() if conditional else []
        return out

    def full_condition(self):
        return [":"] + self.some(self.literal, 1, 2)

    def body(self, least=0):
        out = []
        count = self.r.randint(least, 4)
        for i in range(count):
            conditional = False
            r = self.r.random()
            if r < 0.6:
                out += self.literal()
            elif r < 0.75:
                out += self.literal() + self.condition()
                conditional = True
            elif r < 0.85:
                out += self.sign() + self.guarded(self.set)
            elif r < 0.95:
                out += self.sign() + self.guarded(lambda: self.aggregate(self.body_element))
            else:
                out += self.sign() + self.theory_atom()
            if i + 1 < count:
                out.append(";" if conditional else self.r.choice([",", ";"]))
        return out

    def colon_body(self):
        return self.maybe(lambda: [":"] + self.body(), 0.6)

    def rule(self):
        r = self.r.random()
        if r < 0.3:
            return self.head() + ["."]
        if r < 0.85:
            return self.head() + [":-"] + self.body() + ["."]
        return [":-"] + self.body() + ["."]

    # ---- directives ----

    def weighted(self):
        out = self.term() + self.maybe(lambda: ["@"] + self.term(), 0.4)
        if self.chance(0.5):
            out += [","] + self.some(self.term, 1, 2)
        return out

    def weak(self):
        return [":~"] + self.body() + [".", "["] + self.weighted() + ["]"]

    def minimize(self):
        element = lambda: self.weighted() + self.maybe(self.condition, 0.6)
        word = self.r.choice(["#minimize", "#maximize", "#minimise", "#maximise"])
        return [word, "{"] + self.some(element, 0, 3, ";") + ["}", "."]

    def signature(self):
        minus = ["-"] if self.chance(0.3) else []
        return minus + [self.name(), "/", str(self.r.randrange(4))]

    def show(self):
        r = self.r.random()
        if r < 0.1:
            return ["#show", "."]
        if r < 0.4:
            # With a comment inside, clingo reads a signature as a division.
            return ["#show " + "".join(self.signature()) + "."]
        if r < 0.6:
            return ["#show"] + self.function() + ["."]
        return ["#show"] + self.term() + [":"] + self.body(1) + ["."]

    def project(self):
        if self.chance(0.5):
            return ["#project"] + self.signature() + ["."]
        return ["#project"] + self.atom() + self.colon_body() + ["."]

    def external(self):
        out = ["#external"] + self.atom() + self.colon_body() + ["."]
        return out + self.maybe(lambda: ["["] + self.one(self.term, lambda: ["true"]) + ["]"], 0.5)

    def heuristic(self):
        weight = self.term() + self.maybe(lambda: ["@"] + self.term(), 0.4)
        modifier = self.one(self.term, lambda: [self.r.choice(["true", "sign", "level"])])
        return ["#heuristic"] + self.atom() + self.colon_body() + [".", "["] + weight + [","] + modifier + ["]"]

    def edge(self):
        pair = lambda: self.term() + [","] + self.term()
        return ["#edge", "("] + self.some(pair, 1, 3, ";") + [")"] + self.colon_body() + ["."]

    def constant_term(self):
        self.depth += 1
        try:
            r = self.r.random()
            if self.depth > 4 or r < 0.4:
                return [self.r.choice(["0", "42", "a", "b", '"s"', "#inf", "#sup"])]
            if r < 0.6:
                operator = self.r.choice(["+", "-", "*", "/", "\\", "**", "&", "?", "^"])
                return self.constant_term() + [operator] + self.constant_term()
            if r < 0.7:
                return ["-"] + ["("] + self.constant_term() + [")"]
            if r < 0.8:
                return ["("] + self.some(self.constant_term, 2, 3) + [")"]
            if r < 0.9:
                return [self.name(), "("] + self.some(self.constant_term, 1, 2) + [")"]
            return ["("] + self.constant_term() + [")"]
        finally:
            self.depth -= 1

    def constant(self):
        flag = self.r.choice([[], [], ["[", "default", "]"], ["[", "override", "]"]])
        return ["#const", self.name(), "="] + self.constant_term() + ["."] + flag

    def part(self):
        name = lambda: [self.name()]
        return ["#program", self.name()] + self.maybe(lambda: ["("] + self.some(name, 0, 2) + [")"]) + ["."]

    def defined(self):
        return ["#defined"] + self.signature() + ["."]

    def theory(self):
        def definition():
            if self.chance(0.4):
                def operator():
                    kind = self.r.choice([["unary"], ["binary", ",", "left"], ["binary", ",", "right"]])
                    return [self.theory_operator(), ":", str(self.r.randrange(9)), ","] + kind

                return [self.name(), "{"] + self.some(operator, 0, 3, ";") + ["}"]
            out = ["&", self.name(), "/", str(self.r.randrange(3)), ":", self.name(), ","]
            if self.chance(0.5):
                operators = self.some(lambda: [self.theory_operator()], 0, 3)
                out += ["{"] + operators + ["}", ",", self.name(), ","]
            return out + [self.r.choice(["head", "body", "any", "directive"])]

        return ["#theory", self.name(), "{"] + self.some(definition, 0, 3, ";") + ["}", "."]

    def script(self):
        text = self.r.choice(["", " ", "\n", "x = 1\n", "\nfor a in b:\n  pass\n", " % c\n %* d *% "])
        return [f"#script ({self.r.choice(['lua', 'python'])})" + text + " #end", "."]

    def statement(self):
        if self.chance(0.5):
            return self.rule()
        return self.one(
            self.weak,
            self.minimize,
            self.show,
            self.project,
            self.external,
            self.heuristic,
            self.edge,
            self.constant,
            self.part,
            self.defined,
            self.theory,
            self.script,
        )

    # ---- layout ----

    def gap(self):
        r = self.r.random()
        if r < 0.7:
            return " "
        if r < 0.8:
            return "\n"
        if r < 0.9:
            return "\t "
        return self.r.choice([" % note\n", " %* a *% ", "\n%\n", " %* b\n %* c *% *%\n", " %é\n", " %c\r\n"])

    def layout(self, tokens):
        out = ""
        for token in tokens:
            if out and token:
                a, b = out[-1], token[0]
                glued = (a in WORD and b in WORD) or (a in OPERATOR and b in OPERATOR) or token.startswith("[")
                if glued or self.chance(0.25):
                    out += self.gap()
            out += token
        return out

    def program(self):
        text = ""
        for _ in range(self.r.randint(1, 4)):
            text += self.layout(self.statement()) + self.gap()
        return text
