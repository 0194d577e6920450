#!/usr/bin/env bash
# Makes dist/asp-page-VERSION.tar.gz, dist/asp-VERSION.html and their checksums.
set -euo pipefail
cd "$(dirname "$0")/.."
version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)"
rm -rf web/dist
web/build.sh
mkdir -p dist
# The same files make the same archive.
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C web --transform "s,^dist,asp-page-$version," -cf - dist |
    gzip -n -9 > "dist/asp-page-$version.tar.gz"
cp web/dist/asp.html "dist/asp-$version.html"
(cd dist && sha256sum "asp-page-$version.tar.gz" "asp-$version.html" > "asp-page-$version.sha256" && cat "asp-page-$version.sha256")
