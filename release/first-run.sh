#!/usr/bin/env bash
# Whether a binary solves the README's puzzle, in an empty folder: release/first-run.sh ASP
set -euo pipefail
asp="$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
folder="$(mktemp -d)"
trap 'rm -r "$folder"' EXIT
cd "$folder"
code=0
"$asp" futoshiki.lp grid4.lp 0 --show-grid -V0 >grid || code=$?
cat grid
[ "$code" = 30 ]
grep -q '^│ 2 < 3 > 1  4 │' grid
"$asp" unique futoshiki.lp grid4.lp >verdict
grep -q '^Unique' verdict
