"""Bin packing: n things into as few bins as possible."""
from _common import emit, parser, rng

a = parser(__doc__, capacity=100, least=20, most=50, spare=1).parse_args()
r, n = rng(a), a.n
sizes = [r.randint(a.least, a.most) for _ in range(n)]
bins = -(-sum(sizes) // a.capacity) + a.spare
emit(f"bin(1..{bins}).", *(f"thing({i},{s})." for i, s in enumerate(sizes)), f"#const capacity = {a.capacity}.", """
1 { in(I,B) : bin(B) } 1 :- thing(I,_).
:- bin(B), #sum { S,I : in(I,B), thing(I,S) } > capacity.
used(B) :- in(_,B).
:- used(B+1), bin(B), not used(B).
#minimize { 1,B : used(B) }.
#show in/2.""")
