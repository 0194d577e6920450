#!/usr/bin/env bash
# The replacement of clingo's library as one wheel: `pip install` of it puts the package clingo of an environment on asp, and
# `pip uninstall asp-clingo-module` puts it back. Who installs it needs no compiler.
#   bindings/python/wheel.sh FOLDER [LIBCLINGO]   default: the library that cargo has built last
# The name of the wheel says which systems it is for: those with a C library as new as the newest that it asks for.
set -euo pipefail
out="$(realpath -m "$1")"
library="${2:+$(realpath "$2")}"
cd "$(dirname "$0")/../.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

if [ -z "$library" ]; then
    library="$(find target -maxdepth 2 -name libclingo.so -printf '%T@ %p\n' | sort -n | tail -1 | cut -d ' ' -f 2)"
fi
# Symbols for debuggers make it twenty times as large.
strip --strip-debug -o "$work/libclingo.so" "$library"

python3 -m venv "$work/venv"
pip=("$work/venv/bin/python" -m pip --disable-pip-version-check --quiet)
"${pip[@]}" install --retries 5 "wheel>=0.40"
ASP_LIBCLINGO="$work/libclingo.so" "${pip[@]}" wheel --no-deps --wheel-dir "$work/wheels" ./bindings/python
"$work/venv/bin/python" -m zipfile -e "$work"/wheels/*.whl "$work/unpacked"
# manylinux2014 is the oldest that packages for Python are made for.
newest="$( (echo GLIBC_2.17 && find "$work/unpacked" -name '*.so*' -exec readelf --version-info {} +) | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1)"
platform="manylinux_${newest#GLIBC_}_$(uname -m)"
"$work/venv/bin/python" -m wheel tags --remove --platform-tag "${platform/./_}" "$work"/wheels/*.whl >/dev/null
mkdir -p "$out"
mv "$work"/wheels/*.whl "$out"
echo "$out"/asp_clingo_module-*.whl
