#!/usr/bin/env bash
# Builds the page into web/dist: what a web server needs, and asp.html, which is all of it in one file.
#   web/build.sh            with asp as WebAssembly (see build-wasm.sh)
#   web/build.sh --no-wasm  the page alone
#   web/build.sh --embed    the page alone, and into web/embedded, which is compiled into `asp`
# Needs node 20 and npm.
set -euo pipefail
cd "$(dirname "$0")"
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund >&2
if [ "${1:-}" = --no-wasm ]; then
    node build.mjs
elif [ "${1:-}" = --embed ]; then
    node build.mjs
    node embed.mjs
else
    # By itself, not within the arguments of node: there a failure would be lost.
    wasm="$(./build-wasm.sh)"
    node build.mjs --wasm "$wasm"
fi
