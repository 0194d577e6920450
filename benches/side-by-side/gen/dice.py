"""Labelled dice: letters on n dice of six sides, such that the letters of each word are on different dice."""
from _common import emit, parser, rng

a = parser(__doc__, words=0).parse_args()
r, n = rng(a), a.n
letters = list(range(6 * n))
r.shuffle(letters)
dice = [letters[6 * d:6 * d + 6] for d in range(n)]
for w in range(a.words or 4 * n):
    word = [r.choice(d) for d in r.sample(dice, 4)]
    emit(f"word({w},{','.join('l%d' % l for l in word)}).")
emit(f"letter({';'.join('l%d' % l for l in range(6 * n))}).", f"die(1..{n}).", """
1 { on(L,D) : die(D) } 1 :- letter(L).
:- die(D), not 6 { on(L,D) : letter(L) } 6.
different(L,M) :- word(_,A,B,C,D), L = (A;B;C;D), M = (A;B;C;D), L != M, on(L,N), on(M,O), N != O.
:- word(_,A,B,C,D), L = (A;B;C;D), M = (A;B;C;D), L != M, not different(L,M).
#show on/2.""")
