"""A schedule by columns: tasks from a table, the best plan back as one, with a limit of time."""

import asp

RULES = """
1 { start(T, 0..horizon) } 1 :- task(T, _).
:- start(T,S), task(T,D), S + D > horizon.
:- start(T,S), start(U,R), T != U, task(T,D), uses(T,M), uses(U,M), S <= R, R < S + D.
:- before(T,U), start(T,S), start(U,R), task(T,D), R < S + D.
end(E) :- E = #max { S+D : start(T,S), task(T,D) }.
#minimize { E : end(E) }.
#show start/2.
"""


def main() -> None:
    control = asp.Control(RULES, const={"horizon": 12})
    control.add_table("task", {"name": ["wash", "dry", "fold", "cook"], "hours": [2, 3, 1, 4]}, constants=True)
    control.add_table("uses", [(asp.Name("wash"), 1), (asp.Name("dry"), 2), (asp.Name("cook"), 1)])
    control.add_facts(["before(wash,dry)", "before(dry,fold)"])
    try:
        plan = control.optimal(timeout=20)
    except asp.TimeoutError as late:
        plan = late.result.best if late.result else None
    assert plan is not None
    print("ends after", plan.costs[0])
    starts = plan.table("start", ["task", "hour"]).to_dict()
    for hour, task in sorted(zip(starts["hour"], starts["task"])):
        if task in ("wash", "dry"):
            print(hour, task)


main()
