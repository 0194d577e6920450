#!/usr/bin/env bash
# Whether what users build compiles with the Rust that Cargo.toml promises (needs rustup).
set -euo pipefail
cd "$(dirname "$0")/.."
promised="$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml | head -1)"
installed() { rustup toolchain list | sed -n "s/^\(${promised}[.0-9]*\)-.*/\1/p" | head -1; }
if [ -z "$(installed)" ]; then rustup toolchain install --no-self-update --profile minimal "$promised"; fi
cargo "+$(installed)" check --quiet --locked --workspace --target-dir target/oldest
echo "oldest Rust: all packages compile with $(installed)"
