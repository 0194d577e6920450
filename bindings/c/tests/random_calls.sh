#!/usr/bin/env bash
# Makes random calls on our library, see random_calls.c; under a tool that is named, such as valgrind.
#   random_calls.sh HEADERS LIBRARY_FOLDER SEED CALLS [TOOL ...]
set -euo pipefail
here="$(dirname "$0")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
ln -s "$(cd "$2" && pwd)/libclingo.so" "$work/libclingo.so.4"
"${CC:-cc}" -O1 -g -Wall -Werror -pthread -I "$1" "$here/random_calls.c" -o "$work/random_calls" "$work/libclingo.so.4" -Wl,-rpath,"$work"
"${@:5}" "$work/random_calls" "$3" "$4"
