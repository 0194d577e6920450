#!/usr/bin/env bash
# Makes dist/asp-VERSION-TARGET.tar.gz for each target that is named (this machine's without any), with the page built in, and
# their checksums. Other targets need `rustup target add TARGET` and a linker for it.
set -euo pipefail
cd "$(dirname "$0")/.."
version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)"
host="$(rustc -vV | sed -n 's/^host: //p')"
web/build.sh --no-wasm
mkdir -p dist
[ $# -gt 0 ] || set -- "$host"
for target; do
    ASP_PAGE="$PWD/web/dist" cargo build --release --locked --bin asp --target "$target"
    name="asp-$version-$target"
    stage="$(mktemp -d)"
    mkdir -p "$stage/$name/bin"
    cp "target/$target/release/asp" "$stage/$name/bin/" 2>/dev/null || cp "target/$target/release/asp.exe" "$stage/$name/bin/"
    # What debuggers need is five sixths of it.
    if [ "$target" = "$host" ] && command -v strip >/dev/null; then
        strip "$stage/$name/bin/"*
    fi
    cp README.md LICENSE CHANGELOG.md web/dist/LICENSES.txt "$stage/$name/"
    tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$stage" -cf - "$name" | gzip -n -9 > "dist/$name.tar.gz"
    rm -r "$stage"
    (cd dist && sha256sum "$name.tar.gz" > "$name.tar.gz.sha256" && cat "$name.tar.gz.sha256")
done
