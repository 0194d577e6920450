#!/usr/bin/env bash
# A wheel of the replacement, put into an environment of its own and taken out again; no compiler is in reach.
#   bindings/python/tests/wheel.sh WHEEL
set -euo pipefail
wheel="$(realpath "$1")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
mkdir wheels
cp "$wheel" wheels
library() {
    venv/bin/python -c 'import clingo.application as a, clingo; c = clingo.Control(["0"]); c.add("base", [], "{ a; b }.")
c.ground([("base", [])]); n = []; c.solve(on_model=lambda m: n.append(1)); assert len(n) == 4
from clingo._internal import _lib; print("asp" if hasattr(_lib, "asp_version") else "clingo")'
}
# By a relative path.
CC=false venv/bin/python -m pip install --quiet --disable-pip-version-check --retries 5 wheels/*.whl
[ "$(library)" = asp ]
venv/bin/python -m pip uninstall --quiet --disable-pip-version-check --yes asp-clingo-module
[ "$(library)" = clingo ]
echo "installed: $(basename "$wheel"), $(($(stat -c %s "$wheel") / 1024)) KiB, and removed again"
