"""Peg solitaire, planned step by step: a position from which n jumps leave one peg."""
from _common import emit, parser, rng

a = parser(__doc__, side=6).parse_args()
r, n, side = rng(a), a.n, a.side
cells = {(x, y) for x in range(side) for y in range(side)}
while True:  # backwards from one peg; a position may have no jump that could lead to it
    pegs = {r.choice(sorted(cells))}
    for _ in range(n):
        jumps = [((x + 2 * dx, y + 2 * dy), (x + dx, y + dy), (x, y)) for x, y in sorted(pegs)
                 for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        jumps = [j for j in jumps if j[0] in cells - pegs and j[1] in cells - pegs]
        if not jumps:
            break
        start, over, end = r.choice(jumps)
        pegs = pegs - {end} | {start, over}
    if len(pegs) == n + 1:
        break
emit("#include <incmode>.", f"#const side = {side}.", """#program base.
cell(0..side-1,0..side-1).
dir(1,0). dir(-1,0). dir(0,1). dir(0,-1).
#program step(t).
1 { jump(X,Y,DX,DY,t) : peg(X,Y,t-1), peg(X+DX,Y+DY,t-1), dir(DX,DY), cell(X+2*DX,Y+2*DY) } 1.
:- jump(X,Y,DX,DY,t), peg(X+2*DX,Y+2*DY,t-1).
over(X+DX,Y+DY,t) :- jump(X,Y,DX,DY,t).
peg(X+2*DX,Y+2*DY,t) :- jump(X,Y,DX,DY,t).
peg(X,Y,t) :- peg(X,Y,t-1), not jump(X,Y,_,_,t), not over(X,Y,t).
#program check(t).
:- query(t), 2 { peg(X,Y,t) }.
#program base.
#show jump/5.""", *(f"peg({x},{y},0)." for x, y in sorted(pegs)))
