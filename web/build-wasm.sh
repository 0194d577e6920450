#!/bin/sh
# Builds asp for WebAssembly (wasm32-wasip1): prints the path of the file.
#
# Needs a Rust with the standard library's sources or the target itself. Debian has them:
#   apt-get install --no-install-recommends rustc-web cargo-web rust-web-src lld wasi-libc
# With rustup it is `rustup target add wasm32-wasip1`.
set -eu
cd "$(dirname "$0")/.."
target="${ASP_WASM_TARGET_DIR:-target/web}"
if [ -x /usr/bin/rustc ] && [ -d /usr/lib/wasm32-wasi ] && [ -x /usr/bin/wasm-ld ]; then
    # Debian's libc for this target is older than the one that Rust expects: threads, which it lacks, are imports
    # that fail (src/host.js), and its start file is named here.
    export RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_WASIP1_LINKER=/usr/bin/wasm-ld
    export CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="-Clink-self-contained=no -Clink-arg=/usr/lib/wasm32-wasi/crt1-command.o -Lnative=/usr/lib/wasm32-wasi -Clink-arg=--allow-undefined"
    /usr/bin/cargo build --profile web -Z build-std=std,panic_abort --target wasm32-wasip1 --target-dir "$target" --bin asp >&2
else
    cargo build --profile web --target wasm32-wasip1 --target-dir "$target" --bin asp >&2
fi
printf '%s\n' "$target/wasm32-wasip1/web/asp.wasm"
