#!/usr/bin/env bash
# Compiles program.cc against the headers of an installed package clingo and our library, and looks at what it prints.
#   cpp.sh HEADERS LIBRARY_FOLDER
set -euo pipefail
here="$(dirname "$0")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
ln -s "$(cd "$2" && pwd)/libclingo.so" "$work/libclingo.so.4"
"${CXX:-g++}" -std=c++17 -O0 -I "$1" "$here/program.cc" -o "$work/program" "$work/libclingo.so.4" -Wl,-rpath,"$work"
diff <("$work/program") - <<'END'
call top at 1
p(1) p(2) q 
p(1) p(3) q 
p(1) q 
p(2) p(3) q 
p(2) q 
p(3) q 
error In context '<libclingo>': unknown option: 'nonsense'
1 5
END
echo "a C++ program runs on it"
