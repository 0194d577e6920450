#!/usr/bin/env bash
# Makes wheels of asp-engine in dist/wheels for each target that is named, one for all versions of Python; of the target `sdist`
# their source distribution: release/wheels.sh PYTHON TARGET... PYTHON has maturin, and for Linux ziglang, which links with an old glibc.
set -euo pipefail
cd "$(dirname "$0")/.."
dist="${ASP_DIST:-$PWD/dist}/wheels"
python="$1"
shift
manifest=bindings/asp-python/Cargo.toml
mkdir -p "$dist"
# maturin looks for ziglang in the first python3 of the path.
PATH="$("$python" -c 'import os, sys; print(os.path.dirname(sys.executable))'):$PATH"
export PATH
# Beside its own licence, which `license-files` finds.
packages=bindings/asp-python/LICENSES-of-packages.txt
trap 'rm -f "$packages"' EXIT
for target; do
    if [ "$target" = sdist ]; then
        "$python" -m maturin sdist --manifest-path "$manifest" --out "$dist"
        continue
    fi
    python3 release/dependencies.py licenses "$target" asp-python >"$packages"
    options=(--release --locked --strip --manifest-path "$manifest" --interpreter "$python" --target "$target" --out "$dist")
    case "$target" in
        *-linux-gnu) options+=(--zig --compatibility manylinux2014) ;;
        *-linux-musl) options+=(--zig --compatibility musllinux_1_2) ;;
    esac
    "$python" -m maturin build --quiet "${options[@]}"
done
ls "$dist"
