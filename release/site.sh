#!/usr/bin/env bash
# Makes dist/asp-site-VERSION.tar.gz: the documentation, and the page below page/. release/site.sh FOLDER, where mdBook is, or will be.
set -euo pipefail
cd "$(dirname "$0")/.."
dist="${ASP_DIST:-$PWD/dist}"
version="$(python3 release/project.py version)"
mdbook="$1/bin/mdbook"
if [ ! -x "$mdbook" ]; then
    cargo install --quiet --locked mdbook --version 0.4.52 --no-default-features --features search --root "$1"
fi
if [ ! -f web/dist/asp.wasm ]; then web/build.sh; fi
mkdir -p "$dist"
stage="$(mktemp -d)"
trap 'rm -r "$stage"' EXIT
release/site.py "$mdbook" "$stage/asp-site-$version" web/dist
python3 release/archive.py "$stage/asp-site-$version" "$dist/asp-site-$version.tar.gz"
