#!/usr/bin/env python3
"""Records what clingo prints for the invocations of cases.txt.

    python3 -m venv VENV && VENV/bin/pip install clingo==5.8.3
    VENV/bin/python record.py

writes recorded.txt beside this file: for each case its standard output and exit code. It runs libclingo's own command
line, as the clingo program does (the package's `python -m clingo` always exits with 0). `record.py values` judges the forms
of values.txt anew; more are added there by hand, on either line of their option.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def clingo(arguments):
    """Becomes clingo and never returns."""
    from clingo._internal import _ffi, _lib

    application = _ffi.new("clingo_application_t*", (_ffi.NULL,) * 8)
    argv = [_ffi.new("char[]", a.encode()) for a in arguments]
    code = _lib.clingo_main(application, argv, len(argv), _ffi.NULL)
    sys.stdout.flush()
    os._exit(code & 0xFF)


def cases():
    for line in (HERE / "cases.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, flags, arguments = (part.strip() for part in line.split("|", 2))
            if "own" not in flags.split(" "):
                yield name, flags.split(" "), arguments.split(" ")


def is_taken(form):
    """Whether clingo takes an option in this form; in a process of its own, for some forms end it."""
    child = os.fork()
    if child == 0:
        for number, text in enumerate((b"a.", b"", b"")):
            read, write = os.pipe()
            os.write(write, text)
            os.close(write)
            os.dup2(read if number == 0 else os.open(os.devnull, os.O_WRONLY), number)
        clingo([form])
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) in (0, 10, 20, 30)


def values():
    import clingo as _  # Once, before the processes.

    path = HERE / "values.txt"
    lines = path.read_text().splitlines()
    forms = {}
    for line in lines:
        if not line.startswith("#"):
            _, name, *values = line.split(" ")
            forms.setdefault(name, []).extend(values)
    out = [line for line in lines if line.startswith("#")]
    for name, values in forms.items():
        judged = [(value, is_taken(f"--{name}" + ("" if value == "-" else value))) for value in values]
        for sign, taken in (("+", True), ("-", False)):
            if chosen := [value for value, t in judged if t == taken]:
                out.append(f"{sign} {name} " + " ".join(chosen))
    path.write_text("\n".join(out) + "\n")


def main():
    if sys.argv[1:2] == ["--become"]:
        clingo(sys.argv[2:])
    if sys.argv[1:] == ["values"]:
        return values()
    out = []
    for name, flags, arguments in cases():
        child = subprocess.Popen(
            [sys.executable, str(HERE / "record.py"), "--become", *arguments], cwd=HERE / "programs",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        if "int" in flags:
            time.sleep(0.7)
            child.send_signal(signal.SIGINT)
        stdout, _ = child.communicate(timeout=20)
        out.append(f"=== {name}: exit {child.returncode}\n{stdout}")
        if stdout and not stdout.endswith("\n"):
            out.append("\n")
    (HERE / "recorded.txt").write_text("".join(out))
    run = subprocess.run([sys.executable, str(HERE / "record.py"), "--become", "--help=3"], capture_output=True, text=True)
    names = re.findall(r"^  --((?:\[no-\])?[a-z-]+)", run.stdout.split("\nusage:", 2)[1], re.M)
    (HERE / "options.txt").write_text("".join(f"{name}\n" for name in names))


main()
