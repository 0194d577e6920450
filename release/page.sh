#!/usr/bin/env bash
# Makes dist/asp-page-VERSION.tar.gz, which a web server gives as it is, dist/asp-VERSION.html, and their checksums.
set -euo pipefail
cd "$(dirname "$0")/.."
dist="${ASP_DIST:-$PWD/dist}"
version="$(python3 release/project.py version)"
rm -rf web/dist
web/build.sh
mkdir -p "$dist"
stage="$(mktemp -d)"
trap 'rm -r "$stage"' EXIT
cp -r web/dist "$stage/asp-page-$version"
python3 release/dependencies.py licenses wasm32-wasip1 >"$stage/asp-page-$version/LICENSES-of-packages.txt"
python3 release/archive.py "$stage/asp-page-$version" "$dist/asp-page-$version.tar.gz"
cp web/dist/asp.html "$dist/asp-$version.html"
(cd "$dist" && sha256sum "asp-$version.html" | tee "asp-$version.html.sha256")
