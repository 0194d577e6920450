#!/usr/bin/env bash
# Builds the wheel with the libraries of `cargo build`, installs it in a virtual environment that has maturin, mypy, numpy,
# pandas and pyarrow, and runs its tests there: bindings/asp-python/test.sh VENV
set -euo pipefail
cd "$(dirname "$0")/../.."
venv="$1"
wheels="$(mktemp -d)"
trap 'rm -rf "$wheels"' EXIT
cargo build --quiet
export ASP_BINARY="$PWD/target/debug/asp"
"$venv/bin/maturin" build --quiet --profile dev --manifest-path bindings/asp-python/Cargo.toml --interpreter "$venv/bin/python" --out "$wheels"
"$venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheels"/*.whl
cd bindings/asp-python
"$venv/bin/python" -P -m unittest discover -s tests
(cd "$wheels" && "$venv/bin/mypy" --no-error-summary --strict -p asp)
