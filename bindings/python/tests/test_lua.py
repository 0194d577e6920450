"""Scripts in Lua, which is built into the library: functions of programs that controls load, add and build."""

import tempfile
import unittest
from pathlib import Path

from clingo import Control, Number
from clingo.ast import ProgramBuilder, parse_string

SCRIPT = """
#script (lua)
function double(n) return 2 * n.number end
function range(a, b)
    local all = {}
    for n = a.number, b.number do all[#all + 1] = n end
    return all
end
function pair(a) return clingo.Function("pair", {a, clingo.String("x")}) end
#end.
"""
RULES = "a(@double(X)) :- X = @range(1,3). b(@pair(c)). { c(@double(7)) }."
WANTED = ["a(2)", "a(4)", "a(6)", 'b(pair(c,"x"))', "c(14)"]


def atoms(control):
    return sorted(str(atom.symbol) for atom in control.symbolic_atoms)


class Lua(unittest.TestCase):
    def test_functions_of_texts_files_and_trees(self):
        added = Control()
        added.add("base", [], SCRIPT + RULES)
        built = Control()
        with ProgramBuilder(built) as builder:
            parse_string(SCRIPT + RULES, builder.add)
        loaded = Control()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "program.lp")
            file.write_text(SCRIPT + RULES)
            loaded.load(str(file))
        for control in (added, built, loaded):
            control.ground([("base", [])])
            self.assertEqual(atoms(control), WANTED)

    def test_each_control_has_its_own(self):
        first, second = Control(), Control()
        first.add("base", [], "#script (lua) function f() return 1 end #end. p(@f()).")
        second.add("base", [], "#script (lua) function f() return 2 end #end. q(s(1)). p(@f()).")
        for control in (first, second):
            control.ground([("base", [])])
        self.assertEqual(atoms(first), ["p(1)"])
        self.assertEqual(atoms(second), ["p(2)", "q(s(1))"])

    def test_the_callers_functions_precede(self):
        class Context:
            def double(self, n):
                return Number(3 * n.number)

        control = Control()
        control.add("base", [], SCRIPT + "a(@double(5)).")
        control.ground([("base", [])], Context())
        self.assertEqual(atoms(control), ["a(15)"])

    def test_errors_are_told_at_their_place(self):
        control = Control()
        control.add("base", [], "#script (lua)\nfunction f() error('mine') end\n#end.\np(@f()).")
        self.assertRaisesRegex(RuntimeError, "<block>:2: mine", control.ground, [("base", [])])
        told = []
        control = Control(logger=lambda code, text: told.append(text))
        self.assertRaises(RuntimeError, control.add, "base", [], "#script (lua)\nfunction\n#end.")
        self.assertIn("<block>:3:", "".join(told))


if __name__ == "__main__":
    unittest.main()
