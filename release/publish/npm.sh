#!/usr/bin/env bash
# Publishes a package on npm, if it is not there: release/publish/npm.sh FILE.tgz
# NPM_TOKEN is for a first version; later npm knows the workflow as the publisher. What comes before a release is `next`, not `latest`.
set -euo pipefail
package="$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"
named() { tar -xOf "$package" package/package.json | node -p "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }
name="$(named name)" version="$(named version)"
repository="$(named repository?.url)"
theirs="$(npm view "$name" repository.url 2>/dev/null || true)"
plain() { echo "$1" | sed 's/^git+//; s/\.git$//; s:/$::'; }
if [ -n "$theirs" ] && [ "$(plain "$theirs")" != "$(plain "$repository")" ]; then
    echo "npm: $name is somebody else's: its repository is $theirs" >&2
    exit 1
fi
there="$(npm view "$name@$version" version 2>/dev/null || true)"
if [ -n "$there" ]; then
    echo "npm: $name $version is there"
    exit
fi
options=(--provenance --access public)
case "$version" in *-*) options+=(--tag next) ;; esac
if [ -n "${NPM_TOKEN:-}" ]; then
    settings="$(mktemp)"
    trap 'rm "$settings"' EXIT
    # npm reads the token from the environment.
    # shellcheck disable=SC2016
    echo '//registry.npmjs.org/:_authToken=${NPM_TOKEN}' >"$settings"
    export NPM_CONFIG_USERCONFIG="$settings"
fi
npm publish "${options[@]}" "$package"
