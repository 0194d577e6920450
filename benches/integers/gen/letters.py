"""Letter sums, all solutions: 1 SEND+MORE, 2 DONALD+GERALD, 3 five words, 4 a sum to base 16. With --most, the greatest result."""
from _common import finish, parser

SUMS = {1: (10, "send more money"), 2: (10, "donald gerald robert"), 3: (10, "so many more men seem to say that"),
        4: (16, "solver search theory"), 5: (10, "send most money")}
a = parser(__doc__, most=False).parse_args()
base, words = SUMS[a.n]
words = words.split()
letters = sorted(set("".join(words)))
digits = lambda w: [(base ** k, c) for k, c in enumerate(reversed(w))]
program = f"""
letter({";".join(letters)}).
&dom {{ 0..{base - 1} }} = L :- letter(L).
&distinct {{ L : letter(L) }}.
""" + "".join(f"&sum {{ {c} }} > 0.\n" for c in sorted({w[0] for w in words}))
program += f"&sum {{ {'; '.join(f'{f}*{c}' for w in words[:-1] for f, c in digits(w))} }} = "
program += " + ".join(f"{f}*{c}" for f, c in digits(words[-1])) + ".\n"
if a.most:
    program += "&maximize { " + "; ".join(f"{f}*{c}" for f, c in digits(words[-1])) + " }.\n"


def model(m):
    v = {c: m.NewIntVar(int(c in {w[0] for w in words}), base - 1, c) for c in letters}
    m.AddAllDifferent(v.values())
    value = lambda w: sum(f * v[c] for f, c in digits(w))
    m.Add(sum(map(value, words[:-1])) == value(words[-1]))
    if a.most:
        m.Minimize(-value(words[-1]))


finish(a, program, model, every=not a.most)
