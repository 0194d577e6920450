"""n pigeons with different holes among n-1, or as many as --holes."""
from _common import finish, parser

a = parser(__doc__, holes=0).parse_args()
holes = a.holes or a.n - 1
program = f"""
p(1..{a.n}).
&dom {{ 1..{holes} }} = hole(P) :- p(P).
&distinct {{ hole(P) : p(P) }}.
"""


def model(m):
    m.AddAllDifferent([m.NewIntVar(1, holes, "") for _ in range(a.n)])


finish(a, program, model)
