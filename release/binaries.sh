#!/usr/bin/env bash
# Makes dist/asp-VERSION-TARGET.tar.gz (.zip for Windows) for each target that is named: asp, asp-check, completions, the man page
# and licences; its bill of materials; their checksums; for Linux, where dpkg-deb is, a package for Debian. ASP_DIST is another folder than dist. Each target is built and run here,
# so it must be one of this machine's.
set -euo pipefail
cd "$(dirname "$0")/.."
dist="${ASP_DIST:-$PWD/dist}"
version="$(python3 release/project.py version)"
mkdir -p "$dist"
# Windows has no C runtime of its own that Rust's default could use.
export CARGO_TARGET_X86_64_PC_WINDOWS_MSVC_RUSTFLAGS="-C target-feature=+crt-static"
for target; do
    cargo build --release --locked --bin asp --target "$target"
    cargo build --release --locked -p asp-check --target "$target"
    name="asp-$version-$target" suffix="" archive=tar.gz
    case "$target" in *windows*) suffix=.exe archive=zip ;; esac
    stage="$(mktemp -d)"
    folder="$stage/$name"
    mkdir -p "$folder/bin" "$folder/share/man/man1" "$folder/share/bash-completion/completions" \
        "$folder/share/zsh/site-functions" "$folder/share/fish/vendor_completions.d"
    asp="$folder/bin/asp$suffix"
    cp "target/$target/release/asp$suffix" "target/$target/release/asp-check$suffix" "$folder/bin/"
    # What debuggers need is five sixths of it.
    if command -v strip >/dev/null; then strip "$folder/bin/"*; fi
    if grep -qaiE 'vcruntime[0-9_]*\.dll' "$folder/bin/"*; then
        echo "FAILED: a program needs a C runtime that is not part of Windows" >&2
        exit 1
    fi
    "$asp" --generate=man >"$folder/share/man/man1/asp.1"
    "$asp" --generate=bash >"$folder/share/bash-completion/completions/asp"
    "$asp" --generate=zsh >"$folder/share/zsh/site-functions/_asp"
    "$asp" --generate=fish >"$folder/share/fish/vendor_completions.d/asp.fish"
    cp README.md LICENSE CHANGELOG.md release/Dockerfile "$folder/"
    cp web/embedded/LICENSES.txt "$folder/LICENSES-of-the-page.txt"
    python3 release/dependencies.py licenses "$target" >"$folder/LICENSES-of-packages.txt"
    python3 release/dependencies.py sbom "$target" >"$dist/$name.cdx.json"
    python3 release/archive.py "$folder" "$dist/$name.$archive"
    case "$target" in
        *linux*) if command -v dpkg-deb >/dev/null; then release/debian.sh "$folder" "$target" "$dist"; fi ;;
    esac
    rm -r "$stage"
done
