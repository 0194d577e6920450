#!/usr/bin/env bash
# Makes the packages for crates.io in dist/crates, and builds and runs `asp` from them alone, as `cargo install asp` would.
set -euo pipefail
cd "$(dirname "$0")/.."
dist="${ASP_DIST:-$PWD/dist}/crates"
rm -rf "$dist"
mkdir -p "$dist"
rm -f target/package/*.crate
cargo package --quiet --workspace --locked --no-verify --allow-dirty --exclude asp-oracle --exclude asp-clingo --exclude asp-python
mv target/package/*.crate "$dist"
stage="$(mktemp -d)"
trap 'rm -r "$stage"' EXIT
patches=()
for package in "$dist"/*.crate; do
    tar -xf "$package" -C "$stage"
    name="$(basename "$package" .crate)"
    patches+=(--config "patch.crates-io.${name%-*}.path='$stage/$name'")
done
version="$(python3 release/project.py version)"
# That it builds is what matters here.
CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=false CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}" cargo build --quiet --manifest-path "$stage/asp-$version/Cargo.toml" "${patches[@]}"
echo "crates: $(find "$dist" -name '*.crate' | wc -l) packages, and asp builds from them"
