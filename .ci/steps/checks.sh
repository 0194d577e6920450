# shellcheck shell=bash
# What is found without running a test: layout, lints, shell scripts, and whether everything compiles that no other step builds.

packages() {
    need shellcheck shellcheck
    need clasp clasp
    need gringo gringo
    # Shells and a formatter that read what `asp --generate` writes for them.
    need zsh zsh
    need fish fish
    need groff groff
    need g++ g++
    need cmake cmake
    need pkg-config pkg-config
    need parallel parallel
    need munge munged
    need slurm-wlm slurmctld
    need neovim nvim
    need nodejs node
    need npm npm
    need chromium chromium
    # Reads the formula of a release.
    need ruby ruby
    # Rust for the page: Debian's, where rustup cannot get the target.
    if ! rustup target add wasm32-wasip1; then
        need rustc-web
        need cargo-web
        need rust-web-src
        need lld wasm-ld
        need wasi-libc
    fi
}

format() {
    cargo fmt --all --check
    cargo fmt --manifest-path fuzz/Cargo.toml --check
}

shell_scripts() {
    local scripts script
    # What .ci/run reads is checked with it.
    mapfile -t scripts < <(git ls-files .ci/run '*.sh' ':!.ci/*.sh')
    for script in "${scripts[@]}"; do
        if ! grep -q '^set -euo pipefail$' "$script"; then
            echo "$script: FAILED, it has no set -euo pipefail"
            return 1
        fi
    done
    shellcheck -x "${scripts[@]}"
    echo "shellcheck: ${#scripts[@]} scripts"
}

lints() {
    cargo clippy --workspace --all-targets --quiet -- -D warnings
    # The library alone.
    cargo clippy -p asp --no-default-features --lib --quiet -- -D warnings
    # With scripts in Lua, a feature that needs a C compiler.
    cargo clippy --features lua --all-targets --quiet -- -D warnings
}

# No crate names one that it does not use; those of the registry are as .ci/deny.toml allows.
dependencies() {
    local cargo_tools="$tools/asp-cargo-tools"
    if ! [ -x "$cargo_tools/bin/cargo-machete" ]; then
        cargo install --quiet --locked cargo-machete --version 0.9.2 --root "$cargo_tools"
    fi
    if ! [ -x "$cargo_tools/bin/cargo-deny" ]; then
        cargo install --quiet --locked cargo-deny --version 0.20.2 --root "$cargo_tools"
    fi
    "$cargo_tools/bin/cargo-machete"
    "$cargo_tools/bin/cargo-deny" --all-features --config .ci/deny.toml check licenses bans sources
}

wasm_check() {
    web/build-wasm.sh --check
}

# What no other step builds or runs.
others() {
    cargo clippy --manifest-path fuzz/Cargo.toml --target-dir target/fuzz --quiet -- -D warnings
    # Each benchmark once, to see that it runs.
    cargo test --quiet --bench '*'
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet
    # Scripts that no step runs, most of all those in benches.
    git ls-files -z '*.py' | xargs -0 python3 -c 'import ast, sys
for name in sys.argv[1:]:
    ast.parse(open(name, encoding="utf-8").read(), name)'
}
