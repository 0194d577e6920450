"""Random calls on clingo's own library and on ours, compared seed by seed.

    python compare_traces.py CLINGO_PYTHON OUR_PYTHON FIRST COUNT [SCRIPT]

SCRIPT is traces.py, program_traces.py, propagator_traces.py, theory_atom_traces.py or theory_traces.py. With one Python for both, SCRIPT is told --own for clingo's
library, as theory_traces.py wants it. A seed at which clingo contradicts itself, crashes or does not come to an end is left out, and
counted; we may not.
"""

import pathlib
import subprocess
import sys
import tempfile

import seeds

# What propagator_traces.py writes if a propagator and constraints come to different answers.
CONTRADICTION = "PROPAGATOR"


def is_wrong(line):
    return CONTRADICTION in line or line.split(" ")[1:2] == [seeds.LOST]


def start(script, python, first, count, folder, name, *more):
    out = open(pathlib.Path(folder, name), "w", encoding="utf-8")
    return subprocess.Popen([python, script, str(first), str(count), *more], stdout=out, stderr=subprocess.DEVNULL)


def main():
    theirs, ours, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    script = pathlib.Path(__file__).with_name(sys.argv[5] if len(sys.argv) > 5 else "traces.py")
    with tempfile.TemporaryDirectory() as folder:
        more = ["--own"] if theirs == ours else []
        runs = [start(script, theirs, first, count, folder, "a", *more), start(script, ours, first, count, folder, "b")]
        codes = [run.wait() for run in runs]
        lines = [pathlib.Path(folder, name).read_text(encoding="utf-8").splitlines() for name in "ab"]
    different = left_out = 0
    for a, b in zip(*lines):
        if is_wrong(a) and not is_wrong(b):
            left_out += 1
        elif a != b or is_wrong(b):
            different += 1
            if different <= 10:
                print("seed", a.split(" ")[0], "differs:")
                for x, y in zip(a.split("|"), b.split("|")):
                    if x != y:
                        print("  clingo:", x[:600])
                        print("  asp:   ", y[:600])
                        break
    print(f"traces: {count} of {script.stem} from seed {first}, {left_out} left out, {different} differ")
    if different or left_out > count // 20 or codes != [0, 0] or len(lines[0]) != count or len(lines[1]) != count:
        print("exit codes", codes, "lines", len(lines[0]), len(lines[1]), *(line[:200] for line in lines[1][-3:]))
        sys.exit(1)


if __name__ == "__main__":
    main()
