#!/usr/bin/env bash
# Debian's aspcud on its own examples: with asp as grounder and solver it installs the same packages as with gringo and clasp.
#   bindings/python/tests/aspcud.sh ASP
set -euo pipefail
asp="$(realpath "$1")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
for mode in gringo clasp; do
    # A program, for aspcud gives it no options of its own.
    printf '#!/bin/sh\nexec "%s" --mode=%s "$@" 2>/dev/null\n' "$asp" "$mode" >"$work/$mode"
    chmod +x "$work/$mode"
done
count=0
differ=0
ours=0
theirs=0
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
for file in /usr/share/doc/aspcud/examples/*.cudf; do
    for criterion in paranoid trendy; do
        start="$(milliseconds)"
        aspcud -c "$criterion" "$file" | sort >"$work/theirs"
        between="$(milliseconds)"
        aspcud -c "$criterion" -G "$work/gringo" -S "$work/clasp" "$file" | sort >"$work/ours"
        ours=$((ours + $(milliseconds) - between))
        theirs=$((theirs + between - start))
        count=$((count + 1))
        if ! diff "$work/theirs" "$work/ours"; then
            echo "aspcud: DIFFERS, $file by $criterion"
            differ=$((differ + 1))
        fi
    done
done
echo "packages: aspcud, $count problems, $differ differ; asp $ours ms, gringo and clasp $theirs ms"
[ "$count" -gt 0 ] && [ "$differ" = 0 ]
