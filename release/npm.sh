#!/usr/bin/env bash
# Makes dist/asp-wasm-VERSION.tgz, the package for npm.
set -euo pipefail
cd "$(dirname "$0")/.."
dist="${ASP_DIST:-$PWD/dist}"
mkdir -p "$dist"
stage="$(mktemp -d)"
trap 'rm -r "$stage"' EXIT
[ web/node_modules/.package-lock.json -nt web/package-lock.json ] || (cd web && npm ci --no-audit --no-fund >&2)
wasm="$(web/build-wasm.sh)"
python3 release/dependencies.py licenses wasm32-wasip1 >"$stage/LICENSES-of-packages.txt"
node web/npm/build.mjs --wasm "$wasm" --out "$stage"
(cd "$stage" && npm pack --silent --pack-destination "$dist")
