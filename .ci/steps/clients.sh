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

# The language server in real clients.
editors() {
    local clients="${ASP_EDITORS_VENV:-$tools/asp-editors}"
    binary
    environment "$clients" pytest_lsp pytest-lsp==1.0.1 pytest
    ASP="$asp" "$clients/bin/python" -m pytest -q -p no:cacheprovider editors/tests
    ASP="$asp" nvim --headless -u NONE -S editors/tests/neovim.lua
    node --test editors/vscode/test.js
    # The extension as a package, made beside the sources.
    cp -r editors/vscode "$work/vscode"
    (cd "$work/vscode" && npm install --no-audit --no-fund --loglevel=error && npm run --silent package)
    echo "vscode: $(cd "$work/vscode" && ls ./*.vsix)"
}

# WebAssembly prints what the native program prints, and the page does what it should in a browser.
page() {
    binary
    web/dist-page.sh
    node web/test/replay.mjs "$asp" web/dist/asp.wasm
    node web/test/page.mjs --asp "$asp"
}

# What is given to users: the archives, and a binary as `cargo install` makes it, each used far from the sources.
release() {
    local host folder="$work/release"
    host="$(rustc -vV | sed -n 's/^host: //p')"
    web/dist-binaries.sh
    (cd dist && sha256sum --quiet -c ./*.sha256)
    # The same flags and target: it is compiled once.
    ASP_PAGE="$PWD/web/dist" cargo install --quiet --locked --path . --target "$host" --root "$folder/installed"
    cargo install --quiet --locked --path bindings/check --root "$folder/installed"
    tar -xf dist/asp-*-"$host".tar.gz -C "$folder"
    cd "$folder" || return
    for binary in ./asp-*/bin/asp ./installed/bin/asp; do
        local code=0
        "$binary" futoshiki.lp grid4.lp 0 --show-grid -V0 >grid || code=$?
        [ "$code" = 30 ]
        grep -q '^│ 2 < 3 > 1  4 │$' grid
        serves "$binary"
    done
    ./installed/bin/asp --proof=proof -q futoshiki.lp grid4.lp || [ $? = 10 ]
    ./installed/bin/asp-check proof
    echo "released: the archive and the installed binaries run, with the page in them"
}

# Whether `asp serve` has a page in it and gives it.
serves() {
    local link
    coproc served { exec "$1" serve; }
    read -r link <&"${served[0]}"
    python3 - "$link" <<'END'
import sys, urllib.request
page = urllib.request.urlopen(sys.argv[1], timeout=20).read().decode()
assert "page.js" in page, page[:200]
END
    kill "$served_PID"
    wait "$served_PID" || true
}
