#!/usr/bin/env python3
"""CPU seconds of each question about the hardest instance of each program of the library.

    cargo build --release && benches/explanations.py [--all] [PROGRAM...]

For each program the last instance is taken that its tests name (`--all`: every one). What is asked:

    unique, count, candidates   of the instance
    hint                        three hints, and all of them
    why, why-not                an atom that must hold (the longest of three), one that cannot
    why-unsat                   the instance with a wrong clue: the first number of its facts that can be changed by
                                one so that there is no answer set, else a shown atom that no answer set has;
                                of a plan, one step less than it takes

The table goes to standard output, in Markdown. A question that takes more than 20 CPU seconds is stopped.
"""
import os, re, resource, subprocess, sys, tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ASP = os.environ.get("ASP", str(ROOT / "target/release/asp"))
LIMIT = 20


def run(*arguments, limit=LIMIT):
    """CPU seconds, exit code and standard output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    cap = lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    done = subprocess.run([ASP, *map(str, arguments)], capture_output=True, text=True, preexec_fn=cap)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, done.returncode, done.stdout


def shown(out):
    """The atoms of the first answer set printed."""
    lines = out.splitlines()
    return next((lines[i + 1].split() for i, l in enumerate(lines) if l.startswith("Answer:")), [])


def wrong_atoms(atoms):
    """Atoms like those shown that are not shown: the last argument is another one's."""
    for a in atoms:
        head = re.match(r"(.*[(,])[^,()]*\)$", a)
        for b in atoms if head else []:
            last = re.match(r".*[(,]([^,()]*)\)$", b)
            other = f"{head[1]}{last[1]})" if last else a
            if other.split("(")[0] == b.split("(")[0] and other not in atoms:
                yield other


def wrong_clue(program, instance, folder):
    """A file with one number changed, so that nothing solves it; and an atom that no answer set has."""
    text = instance.read_text()
    body = text
    file = folder / instance.name
    tried = 0
    facts = [m for m in re.finditer(r"\b[a-z]\w*\([^()]*?(\d+)\)\.", body)]
    lines = {"in", "region", "box", "floor", "wall", "house", "size", "cell", "edge", "node", "player"}
    for m in facts:
        if m[0].split("(")[0] in lines or tried > 10:
            continue
        for step in (1, -1):
            tried += 1
            changed = f"{body[:m.start(1)]}{int(m[1]) + step}{body[m.end(1):]}"
            file.write_text(changed)
            if run(program, file, "-q", limit=5)[1] == 20:
                return file, f"`{m[0]}` {step:+d}"
    atoms = shown(run(program, instance)[2])
    for atom in list(wrong_atoms(atoms))[:10]:
        file.write_text(f"{body}\n{atom}.\n")
        if run(program, file, "-q", limit=5)[1] == 20:
            return file, f"`{atom}.`"
    return None, ""


def main():
    everything = "--all" in sys.argv
    wanted = [a for a in sys.argv[1:] if not a.startswith("-")]
    print("| instance | unique | count | candidates | hint -n 3 | hint -n 0 | why | why-not | why-unsat | wrong clue |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for program in sorted((ROOT / "programs").glob("*.lp")):
        if wanted and program.stem not in wanted:
            continue
        tests = re.findall(r"^%@test ([\w-]+\.lp)", program.read_text(), re.M)
        names = list(dict.fromkeys(tests))
        for name in names if everything else names[-1:]:
            print(row(program, ROOT / "instances" / name), flush=True)


def row(program, instance):
    cells = [f"{program.stem} {instance.stem}"]

    def add(*times):
        worst = max(times, key=lambda t: t[0])
        over = " (stopped)" if worst[1] not in (0, 1, 3, 20) else ""
        cells.append(f"{worst[0]:.2f}{over}")

    for question in (["unique"], ["count"], ["candidates"], ["hint", "-n", "3"], ["hint", "-n", "0"]):
        add(run(*question, program, instance))
    atoms = shown(run(program, instance)[2])
    sure = [a for a in atoms if "(" in a]
    picked = {sure[0], sure[len(sure) // 2], sure[-1]} if sure else set()
    add(*[run("why", a, program, instance) for a in sorted(picked)] or [(0, 0, "")])
    add(*[run("why-not", a, program, instance) for a in list(wrong_atoms(atoms))[:1]] or [(0, 0, "")])
    plan = re.search(rf"^%@test {instance.name}: steps (\d+)", program.read_text(), re.M)
    if plan:
        add(run("why-unsat", f"--steps={int(plan[1]) - 1}", program, instance))
        cells.append(f"{int(plan[1]) - 1} steps")
        return f"| {' | '.join(cells)} |"
    with tempfile.TemporaryDirectory() as folder:
        file, clue = wrong_clue(program, instance, Path(folder))
        add(run("why-unsat", program, file)) if file else cells.append("")
        cells.append(clue)
    return f"| {' | '.join(cells)} |"


main()
