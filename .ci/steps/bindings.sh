# shellcheck shell=bash
# The libraries for other languages.

# libclingo's interface: the package clingo of an environment of its own runs on asp. Not part of `cargo test`, for it needs
# a C compiler.
bindings() {
    cargo test -p asp-clingo
    cargo build -p asp-clingo
    binary
    local ours="${ASP_BINDINGS_VENV:-$tools/asp-bindings-clingo-5.8.3}" headers
    environment "$ours" "clingo, clingcon, clingodl, clorm, clingraph" \
        clingo==5.8.3 clingcon==5.2.1 clingo-dl==1.5.0 clorm==1.6.3 clingraph==1.2.6
    if ! "$ours/bin/python" -c 'import telingo' 2>/dev/null; then
        # It asks for an older clingo, and runs on this one.
        pip "$ours" --no-deps telingo==2.1.3
    fi
    python3 bindings/python/install.py "$ours"
    "$ours/bin/python" -m unittest discover -s bindings/python/tests
    "$ASP_ORACLE_PYTHON" bindings/c/tests/ast/compare.py --ours "$ours/bin/python" --count 200
    "$ours/bin/python" bindings/c/tests/ast/solve.py tests/corpus/*.lp programs/*.lp
    local traces=bindings/python/tests/compare_traces.py
    python3 $traces "$ASP_ORACLE_PYTHON" "$ours/bin/python" 0 300
    python3 $traces "$ASP_ORACLE_PYTHON" "$ours/bin/python" 0 300 program_traces.py
    python3 $traces "$ASP_ORACLE_PYTHON" "$ours/bin/python" 0 500 propagator_traces.py
    python3 $traces "$ASP_ORACLE_PYTHON" "$ours/bin/python" 0 500 theory_atom_traces.py
    python3 $traces "$ours/bin/python" "$ours/bin/python" 0 150 theory_traces.py
    python3 bindings/python/tests/compare_observers.py "$ASP_ORACLE_PYTHON" "$ours/bin/python" 0 300
    python3 bindings/python/tests/compare_runs.py "$ASP_ORACLE_PYTHON" "$ours/bin/python" "$asp"
    headers="$("$ASP_ORACLE_PYTHON" -c 'import clingo, os; print(os.path.dirname(clingo.__file__))')"
    bindings/c/tests/cpp.sh "$headers" target/debug
    timeout 120 bindings/c/tests/random_calls.sh "$headers" target/debug 1 200000
    bindings/c/tests/find.sh "$headers" target/debug
    # As a package: the wheel with the library in it.
    bindings/python/wheel.sh "$work/wheels" target/debug/libclingo.so
    bindings/python/tests/wheel.sh "$work"/wheels/*.whl
}

# Packages that stand on clingo, each at its own documented example, as it does on clingo.
ecosystem() {
    cargo build -p asp-clingo
    binary
    local ours="${ASP_ECOSYSTEM_VENV:-$tools/asp-ecosystem-clingo-5.8.3}"
    environment "$ours" "plingo, asprin, clinguin, viasp, clintest, clingox, clingolpx" \
        plingo==1.1.0 asprin==3.1.2 clinguin==2.8.5 viasp==2.3.0.post3 clintest==0.4.0 clingox==1.2.1 \
        clingo-lpx==1.3.0.post1 clingexplaid==1.4.0 musclingo==0.1.2 networkx==3.4.2
    if [ ! -d "$ours/newer" ]; then
        # clinguin asks for an older clingo, and runs on this one; it needs an older clingexplaid.
        pip "$ours" --no-deps clingo==5.8.3
        pip "$ours" --no-deps --target "$ours/newer" clingexplaid==1.5.1
    fi
    python3 bindings/python/install.py "$ours"
    python3 bindings/python/tests/compare_packages.py "$ours/bin/python"
    need aspcud
    if command -v aspcud >/dev/null; then bindings/python/tests/aspcud.sh "$asp"; fi
}

# The package asp for Python, as a wheel in an environment of its own.
package() {
    local environment="${ASP_PACKAGE_VENV:-$tools/asp-package}"
    environment "$environment" "maturin, mypy, numpy, pandas, pyarrow" maturin mypy numpy pandas pandas-stubs pyarrow
    bindings/asp-python/test.sh "$environment"
}
