#!/usr/bin/env bash
# Makes the wheel of the replacement for clingo's library in dist/wheels, for Linux on this machine with glibc 2.17 or later:
# release/module.sh PYTHON, which has ziglang and cargo-zigbuild.
set -euo pipefail
cd "$(dirname "$0")/.."
machine="$(uname -m)"
target="$machine-unknown-linux-gnu"
python="$(command -v "$1")"
# cargo looks for zigbuild there, and that for ziglang in the first python3.
PATH="$(dirname "$python"):$PATH"
export PATH
cargo zigbuild --quiet --release --locked -p asp-clingo --target "$target.2.17"
python3 release/dependencies.py licenses "$target" asp-clingo >bindings/python/LICENSES-of-packages.txt
trap 'rm -f bindings/python/LICENSES-of-packages.txt' EXIT
CC="$python -m ziglang cc -target $machine-linux-gnu.2.17" bindings/python/wheel.sh "${ASP_DIST:-$PWD/dist}/wheels" "target/$target/release/libclingo.so"
