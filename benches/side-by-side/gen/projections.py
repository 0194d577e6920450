"""Predicates of many arguments of which each rule needs a few, n deep: projections, plain and under negation."""
from _common import emit, parser, rng

a = parser(__doc__, width=7).parse_args()
r, n = rng(a), a.n
emit(f"#const n = {n}.", f"v(0..{a.width - 1}).", """layer(0..n).
1 { p(0,X,Y,Z,U) : v(Y), v(Z), v(U) } 2 :- v(X).
p(L+1,Y,X,U,Z) :- p(L,X,Y,Z,U), not q(L,Y,_,_), layer(L+1).
q(L,X,Y,Z) :- p(L,X,Y,_,Z), not blocked(L,X), p(L,_,Z,Y,_).
p(L+1,X,Z,Y,U) :- q(L,X,Y,Z), p(L,_,_,X,U), layer(L+1).
hit(L,X) :- p(L,X,_,_,_), q(L,_,X,_).
:- layer(L), v(X), v(Y), X < Y, hit(L,X), hit(L,Y), not q(L,X,_,_), not q(L,Y,_,_).
:- layer(L), not p(L,_,_,_,_).
#show p/5.""")
emit(*(f"blocked({l},{r.randrange(a.width)})." for l in range(n + 1)))
