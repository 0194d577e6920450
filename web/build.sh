#!/bin/sh
# Builds the page into web/dist: what a web server needs, and asp.html, which is all of it in one file.
#   web/build.sh            with asp as WebAssembly (see build-wasm.sh)
#   web/build.sh --no-wasm  the page alone, for `asp serve`
# Needs node 20 and npm.
set -eu
cd "$(dirname "$0")"
[ -d node_modules ] || npm ci --no-audit --no-fund >&2
if [ "${1:-}" = --no-wasm ]; then
    node build.mjs
else
    node build.mjs --wasm "$(cd .. && realpath "$(web/build-wasm.sh)")"
fi
