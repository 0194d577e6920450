# shellcheck shell=bash
# The tests of asp itself: alone, beside clingo, and with what checks its proofs.

# clingo is compared with, never linked. Constraints over integers are compared with clingcon.
clingo() {
    environment "$oracle" "clingo; assert clingo.__version__ == '5.8.3'" clingo==5.8.3
    if ! "$ASP_ORACLE_PYTHON" -c 'import clingcon' 2>/dev/null; then
        pip "$oracle" --no-deps clingcon==5.2.1
    fi
    "$ASP_ORACLE_PYTHON" -c 'import clingo, clingcon; print("clingo", clingo.__version__)'
}

# The README's test command, as it stands there.
tests() {
    cargo test
}

# What needs clingo, and is left out there: see tests/README.md.
tests_with_clingo() {
    cargo test --test oracle -- --ignored
}

lua() {
    cargo test --features lua --test cli -- lua
}

# Each verdict of random programs is certified by asp-check, and by VeriPB.
proofs() {
    if [ ! -x "$ASP_VERIPB" ]; then
        cargo install --quiet veripb --version 3.0.2 --root "$(dirname "$(dirname "$ASP_VERIPB")")"
    fi
    cargo test -p asp-check
}
