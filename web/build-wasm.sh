#!/usr/bin/env bash
# Builds asp for WebAssembly (wasm32-wasip1): prints the path of the file. With --check it only looks whether it compiles
# without warnings.
#
# Needs a Rust that has the target, by `rustup target add wasm32-wasip1`, or Debian's with the sources of the standard library,
# which is then compiled, too:
#   apt-get install --no-install-recommends rustc-web cargo-web rust-web-src lld wasi-libc
set -euo pipefail
cd "$(dirname "$0")/.."
target="${ASP_WASM_TARGET_DIR:-target/web}"
cargo=cargo
options=(--profile web --target wasm32-wasip1 --target-dir "$target" --bin asp)
if ! rustup target list --installed 2>/dev/null | grep -qx wasm32-wasip1 && [ -x /usr/bin/rustc ] && [ -d /usr/lib/wasm32-wasi ] && [ -x /usr/bin/wasm-ld ]; then
    # Debian's libc for this target is older than the one that Rust expects: threads, which it lacks, are imports
    # that fail (web/src/host.js), and its start file is named here.
    cargo=/usr/bin/cargo
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_WASIP1_LINKER=/usr/bin/wasm-ld
    export CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="-Clink-self-contained=no -Clink-arg=/usr/lib/wasm32-wasi/crt1-command.o -Lnative=/usr/lib/wasm32-wasi -Clink-arg=--allow-undefined"
    options+=(-Z "build-std=std,panic_abort")
fi
if [ "${1:-}" = --check ]; then
    said="$(mktemp)"
    trap 'rm -f "$said"' EXIT
    "$cargo" check "${options[@]}" 2>&1 | tee "$said" >&2
    if grep -q '^warning' "$said"; then exit 1; fi
    exit
fi
"$cargo" build "${options[@]}" >&2
realpath "$target/wasm32-wasip1/web/asp.wasm"
