"""Robots that slide until something stops them, planned step by step: n x n board with walls."""
from _common import emit, parser, rng

a = parser(__doc__, moves=6, robots=4).parse_args()
r, n = rng(a), a.n
cells = [(x, y) for x in range(n) for y in range(n)]
DIRS = [(1, 0), (-1, 0), (0, 1), (0, -1)]
walls = set()
while len(walls) < n * n // 3:
    (x, y), (dx, dy) = r.choice(cells), r.choice(DIRS)
    walls |= {(x, y, dx, dy), (x + dx, y + dy, -dx, -dy)}
start = r.sample(cells, a.robots)
at = list(start)
for k in range(a.moves):
    who = 0 if k == a.moves - 1 else r.randrange(a.robots)
    while True:
        dx, dy = r.choice(DIRS)
        x, y = at[who]
        while (x, y, dx, dy) not in walls and (x + dx, y + dy) in cells and (x + dx, y + dy) not in at:
            x, y = x + dx, y + dy
        if (x, y) != at[who] or r.random() < 0.1:
            break
    at[who] = (x, y)
emit("#include <incmode>.", f"#const n = {n}.", """#program base.
cell(0..n-1,0..n-1).
dir(1,0). dir(-1,0). dir(0,1). dir(0,-1).
#program step(t).
1 { move(R,DX,DY,t) : robot(R), dir(DX,DY) } 1.
go(X,Y,DX,DY,t) :- move(R,DX,DY,t), at(R,X,Y,t-1).
go(X+DX,Y+DY,DX,DY,t) :- go(X,Y,DX,DY,t), cell(X+DX,Y+DY), not wall(X,Y,DX,DY), not at(_,X+DX,Y+DY,t-1).
at(R,X,Y,t) :- move(R,DX,DY,t), go(X,Y,DX,DY,t), not go(X+DX,Y+DY,DX,DY,t).
at(R,X,Y,t) :- at(R,X,Y,t-1), not move(R,_,_,t).
#program check(t).
:- query(t), goal(R,X,Y), not at(R,X,Y,t).
#program base.
#show move/4.""")
emit(*(f"robot({i}). at({i},{x},{y},0)." for i, (x, y) in enumerate(start)), "goal(0,%d,%d)." % at[0],
     *(f"wall({x},{y},{dx},{dy})." for x, y, dx, dy in sorted(walls)))
