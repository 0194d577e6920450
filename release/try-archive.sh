#!/usr/bin/env bash
# Installs the archive in dist for a target of this machine as a user would, and tries what is installed:
#   release/try-archive.sh TARGET [HOME]    HOME is the folder that it is installed in, a temporary one if none is given
set -euo pipefail
cd "$(dirname "$0")/.."
dist="$(cd "${ASP_DIST:-dist}" && pwd)"
version="$(python3 release/project.py version)"
work="$(mktemp -d)"
server=""
trap 'if [ -n "$server" ]; then kill "$server"; fi; rm -rf "$work"' EXIT
home="${2:-$work/home}"
mkdir -p "$work/releases/v$version"
cp "$dist/asp-$version-$1".{tar.gz,zip}* "$work/releases/v$version" 2>/dev/null || true
case "$1" in
    *windows*)
        # What PowerShell installs from is a server; the user's Path is not the one of this folder afterwards.
        (cd "$work/releases" && exec python -m http.server --bind 127.0.0.1 8765) >/dev/null 2>&1 &
        server=$!
        sleep 3
        ASP_RELEASES=http://127.0.0.1:8765 ASP_HOME="$(cygpath -w "$home")" powershell -NoProfile -ExecutionPolicy Bypass -File release/install.ps1
        suffix=.exe
        ;;
    *)
        ASP_RELEASES="file://$work/releases" ASP_HOME="$home" bash release/install.sh
        suffix=""
        ;;
esac
release/first-run.sh "$home/bin/asp$suffix"
code=0
(cd "$work" && "$home/bin/asp$suffix" --proof=proof -q futoshiki.lp grid4.lp) || code=$?
[ "$code" = 10 ]
"$home/bin/asp-check$suffix" "$work/proof"
