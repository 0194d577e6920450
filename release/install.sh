#!/usr/bin/env bash
# Installs asp for this machine, Linux or macOS, from a release's archive whose checksum it compares:
#   curl -fsSL https://repository.invalid/asp/releases/latest/download/install.sh | bash
# ASP_VERSION is another version than the last one, ASP_HOME another folder than ~/.local, ASP_RELEASES another place.
set -euo pipefail

main() {
    local releases="${ASP_RELEASES:-https://repository.invalid/asp/releases/download}" home="${ASP_HOME:-${HOME:-}/.local}"
    local version="${ASP_VERSION:-0.1.0}" machine system target name folder
    if [ "$home" = /.local ]; then
        echo "there is no HOME: set ASP_HOME to a folder" >&2
        exit 1
    fi
    machine="$(uname -m)"
    if [ "$machine" = arm64 ]; then machine=aarch64; fi
    system="$(uname -s)"
    case "$system" in
        Linux) target="$machine-unknown-linux-musl" ;;
        Darwin) target="$machine-apple-darwin" ;;
        *)
            echo "there is no archive for $system that this script can install" >&2
            exit 1
            ;;
    esac
    case "$machine" in
        x86_64 | aarch64) ;;
        *)
            echo "there is no archive for $machine; from the sources: cargo install asp" >&2
            exit 1
            ;;
    esac
    name="asp-$version-$target"
    folder="$(mktemp -d)"
    # shellcheck disable=SC2064
    trap "rm -r '$folder'" EXIT
    for file in "$name.tar.gz" "$name.tar.gz.sha256"; do
        curl --proto '=https,file' -fsSL --retry 3 -o "$folder/$file" "$releases/v$version/$file"
    done
    (
        cd "$folder"
        if command -v sha256sum >/dev/null; then sha256sum --quiet -c "$name.tar.gz.sha256"; else shasum -a 256 -c "$name.tar.gz.sha256" >/dev/null; fi
        tar -xf "$name.tar.gz"
    )
    mkdir -p "$home/bin" "$home/share"
    # A program that runs keeps its file, and gets a new one beside it: what is written over is busy, or loses its signature.
    for file in "$folder/$name/bin/"*; do
        cp "$file" "$home/bin/.$(basename "$file").new"
        mv -f "$home/bin/.$(basename "$file").new" "$home/bin/$(basename "$file")"
    done
    cp -R "$folder/$name/share/." "$home/share/"
    echo "asp $version is in $home/bin"
    case ":$PATH:" in
        *":$home/bin:"*) ;;
        *) echo "put it on your path: export PATH=\"$home/bin:\$PATH\"" ;;
    esac
}

# All of it, or nothing if the script was cut off.
main
