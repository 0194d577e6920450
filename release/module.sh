#!/usr/bin/env bash
# Makes the wheel of the replacement for clingo's library in dist/wheels, for Linux on this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
target="$(uname -m)-unknown-linux-gnu"
cargo build --quiet --release --locked -p asp-clingo --target "$target"
bindings/python/wheel.sh "${ASP_DIST:-$PWD/dist}/wheels" "target/$target/release/libclingo.so"
