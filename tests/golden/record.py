#!/usr/bin/env python3
"""Records what clingo prints for the invocations of cases.txt.

    python3 -m venv VENV && VENV/bin/pip install clingo==5.8.3
    VENV/bin/python record.py

writes recorded.txt beside this file: for each case its standard output and exit code. It runs libclingo's own command
line, as the clingo program does (the package's `python -m clingo` always exits with 0).
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


def main():
    if sys.argv[1:2] == ["--become"]:
        clingo(sys.argv[2:])
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
