"""Sliding puzzle, planned step by step: n x n tiles, mixed by a random walk."""
from _common import emit, parser, rng

a = parser(__doc__, moves=20).parse_args()
r, n = rng(a), a.n
grid, gap, last = [*range(1, n * n), 0], n * n - 1, None
for _ in range(a.moves):
    x, y = gap % n, gap // n
    near = [(x + dx, y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    near = [x + y * n for x, y in near if 0 <= x < n and 0 <= y < n and x + y * n != last]
    to = r.choice(near)
    grid[gap], grid[to], last, gap = grid[to], 0, gap, to
emit("#include <incmode>.", f"#const size = {n}.", """#program base.
cell(1..size,1..size).
next((X,Y),(X+DX,Y+DY)) :- cell(X,Y), cell(X+DX,Y+DY), |DX|+|DY| = 1, DX = -1..1, DY = -1..1.
goal(T,((T-1) \\ size + 1, (T-1) / size + 1)) :- T = 1..size*size-1.
at(T,C,0) :- start(T,C).
#program step(t).
1 { move(T,C,D,t) : at(T,C,t-1), next(C,D) } 1.
:- move(T,C,D,t), at(_,D,t-1).
at(T,D,t) :- move(T,_,D,t).
at(T,C,t) :- at(T,C,t-1), not move(T,_,_,t).
done(t) :- at(T,C,t) : goal(T,C).
#program check(t).
:- not done(t), query(t).
#program base.
#show move/4.""")
emit(*(f"start({t},({i % n + 1},{i // n + 1}))." for i, t in enumerate(grid) if t))
