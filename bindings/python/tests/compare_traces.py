"""Random calls on clingo's own library and on ours, compared seed by seed.

    python compare_traces.py CLINGO_PYTHON OUR_PYTHON FIRST COUNT
"""

import pathlib
import subprocess
import sys
import tempfile

TRACES = pathlib.Path(__file__).with_name("traces.py")


def start(python, first, count, folder, name):
    out = open(pathlib.Path(folder, name), "w", encoding="utf-8")
    return subprocess.Popen([python, TRACES, str(first), str(count)], stdout=out, stderr=subprocess.STDOUT)


def main():
    theirs, ours, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    with tempfile.TemporaryDirectory() as folder:
        runs = [start(theirs, first, count, folder, "a"), start(ours, first, count, folder, "b")]
        codes = [run.wait() for run in runs]
        lines = [pathlib.Path(folder, name).read_text(encoding="utf-8").splitlines() for name in "ab"]
    different = 0
    for a, b in zip(*lines):
        if a != b:
            different += 1
            if different <= 10:
                print("seed", a.split(" ")[0], "differs:")
                for x, y in zip(a.split("|"), b.split("|")):
                    if x != y:
                        print("  clingo:", x[:600])
                        print("  asp:   ", y[:600])
                        break
    print(f"traces: {count} from seed {first}, {different} differ")
    if different or codes != [0, 0] or len(lines[0]) != count or len(lines[1]) != count:
        print("exit codes", codes, "lines", len(lines[0]), len(lines[1]), *lines[1][-3:])
        sys.exit(1)


if __name__ == "__main__":
    main()
