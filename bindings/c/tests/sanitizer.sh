#!/usr/bin/env bash
# Builds the library under the address sanitizer and makes random calls on it, then runs the C++ programs. Needs clang with
# its runtime (Debian: clang libclang-rt-14-dev). Not part of CI: it compiles everything once more.
#   sanitizer.sh HEADERS [CALLS [SEED ...]]
set -euo pipefail
tests="$(cd "$(dirname "$0")" && pwd)"
headers="$1" calls="${2:-200000}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
# rustc takes `-Z` in a stable release only where this variable says so.
cd "$tests/../../.."
RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address -C force-frame-pointers=yes" CARGO_INCREMENTAL=0 \
    cargo build --quiet -p asp-clingo --no-default-features --target x86_64-unknown-linux-gnu --target-dir target/sanitizer
library=target/sanitizer/x86_64-unknown-linux-gnu/debug
for tool in clang clang++; do
    printf '#!/bin/sh\nexec %s -fsanitize=address "$@"\n' "$tool" >"$work/$tool"
    chmod +x "$work/$tool"
done
for seed in "${@:3}"; do
    CC="$work/clang" "$tests/random_calls.sh" "$headers" "$library" "$seed" "$calls"
done
# Leaks are left out here: clingo.hh has one, see README.md.
ASAN_OPTIONS=detect_leaks=0 CXX="$work/clang++" "$tests/cpp.sh" "$headers" "$library"
