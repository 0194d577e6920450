#!/usr/bin/env bash
# Makes dist/asp-VERSION.vsix, the extension for Visual Studio Code, from a copy of its sources.
set -euo pipefail
cd "$(dirname "$0")/.."
dist="${ASP_DIST:-$PWD/dist}"
version="$(python3 release/project.py version)"
mkdir -p "$dist"
stage="$(mktemp -d)"
trap 'rm -r "$stage"' EXIT
cp -r editors/vscode "$stage/vscode"
cd "$stage/vscode"
npm ci --no-audit --no-fund --ignore-scripts --loglevel=error
npm test --silent >/dev/null
npm run --silent package -- --out "$dist/asp-$version.vsix"
