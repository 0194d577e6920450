"""Course timetabling with weighted soft constraints: rooms, spread over the days, compact curricula, stability of rooms."""
from _common import emit, parser, rng

a = parser(__doc__, days=5, slots=4, load=75).parse_args()
r, n = rng(a), a.n
rooms = max(2, round(n * 3 * 100 / a.load / (a.days * a.slots)))
emit(f"day(0..{a.days - 1}). slot(0..{a.slots - 1}). period(D,S) :- day(D), slot(S).")
for c in range(n):
    emit(f"course({c},{r.randrange(n * 2 // 3 + 1)},{r.randint(2, 4)},{r.randint(2, 4)},{r.randint(10, 120)}).")
    for _ in range(r.randint(0, 3)):
        emit(f"blocked({c},{r.randrange(a.days)},{r.randrange(a.slots)}).")
for k in range(rooms):
    emit(f"room({k},{r.randint(30, 130)}).")
for k in range(max(2, n * 2 // 5)):
    emit(*(f"curriculum({k},{c})." for c in r.sample(range(n), min(n, r.randint(2, 4)))))
emit("""
L { held(C,D,S) : period(D,S), not blocked(C,D,S) } L :- course(C,_,L,_,_).
1 { in(C,D,S,R) : room(R,_) } 1 :- held(C,D,S).
:- period(D,S), room(R,_), 2 { in(C,D,S,R) : course(C,_,_,_,_) }.
:- period(D,S), course(_,T,_,_,_), 2 { held(C,D,S) : course(C,T,_,_,_) }.
clash(K,D,S,C-1) :- curriculum(K,_), period(D,S), C = 2..4, C { held(X,D,S) : curriculum(K,X) }.
small(C,D,S,R,N-Z) :- in(C,D,S,R), course(C,_,_,_,N), room(R,Z), N > Z.
on(C,D) :- held(C,D,_).
missing(C,M-N) :- course(C,_,_,M,_), N = 0..M-1, { on(C,D) : day(D) } N.
busy(K,D,S) :- held(C,D,S), curriculum(K,C).
alone(K,D,S) :- busy(K,D,S), not busy(K,D,S-1), not busy(K,D,S+1).
uses(C,R) :- in(C,_,_,R).
#minimize { 50,K,D,S,N : clash(K,D,S,N) }.
#minimize { P,C,D,S : small(C,D,S,R,P) }.
#minimize { 5,C,P : missing(C,P) }.
#minimize { 2,K,D,S : alone(K,D,S) }.
#minimize { 1,C,R : uses(C,R) }.
#show held/3. #show in/4.""")
