#!/usr/bin/env bash
# Builds a C and a C++ program that find the library by CMake and by pkg-config, and runs them. What is not installed is left out.
#   find.sh HEADERS LIBRARY_FOLDER
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
headers="$(cd "$1" && pwd)"
library="$(cd "$2" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir "$work/lib"
ln -s "$library/libclingo.so" "$work/lib/libclingo.so"
ln -s libclingo.so "$work/lib/libclingo.so.4"
cat > "$work/version.c" <<'END'
#include <clingo.h>
#include <stdio.h>
int main(void) {
    int version[3];
    clingo_version(&version[0], &version[1], &version[2]);
    printf("%d.%d.%d\n", version[0], version[1], version[2]);
    return 0;
}
END
cat > "$work/solve.cc" <<'END'
#include <clingo.hh>
#include <iostream>
int main() {
    Clingo::Control control{{"0"}};
    control.add("base", {}, "1 { a; b } 1.");
    control.ground({{"base", {}}});
    int models = 0;
    for (auto const &model : control.solve()) models += model.symbols().size();
    std::cout << models << std::endl;
}
END
check() {
    [ "$("$1/version")" = 5.8.3 ] && [ "$("$1/solve")" = 2 ]
    echo "found by $2"
}
if command -v cmake >/dev/null; then
    cat > "$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(find C CXX)
find_package(Clingo 5.5 REQUIRED)
add_executable(version version.c)
add_executable(solve solve.cc)
target_link_libraries(version PRIVATE libclingo)
target_link_libraries(solve PRIVATE libclingo)
END
    cmake -S "$work" -B "$work/made" -DClingo_DIR="$here/../cmake" -DASP_LIBRARY_DIR="$work/lib" -DCLINGO_INCLUDE_DIR="$headers" >"$work/log" 2>&1 ||
        { cat "$work/log"; exit 1; }
    cmake --build "$work/made" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    check "$work/made" CMake
else
    echo "found by CMake: LEFT OUT, it is not installed"
fi
if command -v pkg-config >/dev/null; then
    sed "/^#/d; s#@libdir@#$work/lib#; s#@includedir@#$headers#" "$here/../cmake/clingo.pc.in" > "$work/clingo.pc"
    mkdir "$work/pc"
    flags() { PKG_CONFIG_PATH="$work" pkg-config "$@" clingo; }
    flags --atleast-version=5.5
    # shellcheck disable=SC2046
    "${CC:-cc}" "$work/version.c" $(flags --cflags) -o "$work/pc/version" $(flags --libs) -Wl,-rpath,"$work/lib"
    # shellcheck disable=SC2046
    "${CXX:-g++}" -std=c++17 "$work/solve.cc" $(flags --cflags) -o "$work/pc/solve" $(flags --libs) -Wl,-rpath,"$work/lib"
    check "$work/pc" pkg-config
else
    echo "found by pkg-config: LEFT OUT, it is not installed"
fi
