#!/usr/bin/env bash
# Compiles program.cc and propagator.cc against the headers of an installed package clingo and our library, and looks at what they print.
#   cpp.sh HEADERS LIBRARY_FOLDER
set -euo pipefail
here="$(dirname "$0")"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
ln -s "$(cd "$2" && pwd)/libclingo.so" "$work/libclingo.so.4"
for name in program propagator; do
    "${CXX:-g++}" -std=c++17 -O0 -I "$1" "$here/$name.cc" -o "$work/$name" "$work/libclingo.so.4" -Wl,-rpath,"$work"
done
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
diff <("$work/propagator") - <<'END'
3 holes: 0
3 holes: 0
4 holes: 24
4 holes: 24
5 holes: 120
5 holes: 120
error mine
END
echo "a C++ program runs on it"
