#!/usr/bin/env bash
# Makes the wheel of the replacement for clingo's library in dist/wheels, for Linux on this machine: release/module.sh PYTHON
# PYTHON has cargo-zigbuild and ziglang, which link with an old glibc.
set -euo pipefail
cd "$(dirname "$0")/.."
target="$(uname -m)-unknown-linux-gnu"
PATH="$(dirname "$(command -v "$1")"):$PATH" cargo zigbuild --quiet --release --locked -p asp-clingo --target "$target.2.17"
bindings/python/wheel.sh "${ASP_DIST:-$PWD/dist}/wheels" "target/$target/release/libclingo.so"
