# shellcheck shell=bash
# The binary in the hands of others: engines that share work, editors, browsers; and what is given to users.

# target/debug/asp as `cargo test` builds it: `cargo build` would compile it anew, as the tests want more of some dependencies.
binary() {
    cargo test --quiet --no-run --test cli
}

# Cubes on real engines.
cubes() {
    local ray="${ASP_RAY_VENV:-$tools/asp-ray}"
    environment "$ray" ray ray
    binary
    tests/cluster/run.sh "$asp" "$ray/bin/python"
}

# The language server and the tools for agents in real clients.
editors() {
    local clients="${ASP_EDITORS_VENV:-$tools/asp-editors}"
    binary
    environment "$clients" "pytest_lsp, mcp" pytest-lsp==1.0.1 pytest mcp==2.3.0
    ASP="$asp" "$clients/bin/python" -m pytest -q -p no:cacheprovider editors/tests
    ASP="$asp" nvim --headless -u NONE -S editors/tests/neovim.lua
    node --test editors/vscode/test.js
}

# WebAssembly prints what the native program prints, and the page does what it should in a browser.
page() {
    binary
    release/page.sh
    node web/embed.mjs --check
    node web/test/replay.mjs "$asp" web/dist/asp.wasm
    node web/test/page.mjs --asp "$asp"
}

# What is given to users, as the release workflow makes it: each used far from the sources. Packages are tried here, not speed, so
# what is not built yet is compiled without optimisation, in half the time; the page is built.
release() {
    export CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
    export CARGO_PROFILE_RELEASE_DEBUG=false CARGO_PROFILE_WEB_OPT_LEVEL=3
    ASP_CI_TOOLS="$tools" release/rehearse.sh "$work/release"
}
