#!/usr/bin/env bash
# Installs the wheel of asp-engine that fits this machine in a fresh environment, solves with it, and runs the package's tests
# from it: release/try-wheel.sh PYTHON ASP, where ASP is the binary that some tests compare with.
set -euo pipefail
cd "$(dirname "$0")/.."
wheels="${ASP_DIST:-$PWD/dist}/wheels"
root="$PWD"
python="$1"
asp="$(cd "$(dirname "$2")" && pwd)/$(basename "$2")"
folder="$(mktemp -d)"
trap 'rm -r "$folder"' EXIT
"$python" -m venv "$folder/environment"
python="$folder/environment/bin/python"
if [ ! -x "$python" ]; then python="$folder/environment/Scripts/python"; fi
"$python" -m pip install --quiet --disable-pip-version-check --no-index --find-links "$wheels" --only-binary :all: asp-engine
cd "$folder"
# The README's puzzle by two commands: that was the first.
code=0
"$python" -m asp futoshiki.lp grid4.lp 0 >said || code=$?
echo "wheel: python -m asp futoshiki.lp grid4.lp 0"
cat said
[ "$code" = 30 ]
grep -q 'cell_has_number(1,1,2)' said
code=0
"$(dirname "$python")/asp-engine" futoshiki.lp grid4.lp 0 >again || code=$?
[ "$code" = 30 ]
cmp said again
"$python" -c 'import importlib.metadata as m; assert any("licenses/LICENSES-of-packages" in str(f) for f in m.files("asp-engine"))'
"$python" -c 'import asp
futoshiki = "{ cell(R,C,N) : N = 1..4 } = 1 :- R = 1..4, C = 1..4. :- cell(R,C,N), cell(R,D,N), C < D. :- cell(R,C,N), cell(Q,C,N), R < Q."
print("wheel:", len(asp.Control(futoshiki).all()), "squares of order 4")' | tee "$folder/said"
grep -q '^wheel: 576 ' "$folder/said"
"$python" -m pip install --quiet --disable-pip-version-check numpy pandas pyarrow
# The tests look for examples and pages of the repository, and not for its sources: -P.
cd "$root/bindings/asp-python"
ASP_BINARY="$asp" "$python" -P -m unittest discover -s tests
