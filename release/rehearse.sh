#!/usr/bin/env bash
# Does on this machine what the release workflow does on Linux, tries what comes out of it where nothing else is, and lists it:
#   release/rehearse.sh FOLDER          all of it, into that folder
#   release/rehearse.sh FOLDER npm page these parts
# Needs what .ci/run needs. What cannot be tried is told as LEFT OUT, with the reason.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
ASP_DIST="$(cd "$1" && pwd)"
export ASP_DIST CARGO_INCREMENTAL=0
shift
parts=("$@")
if [ ${#parts[@]} = 0 ]; then parts=(papers systems binary page npm extension wheels module crates site); fi
target="$(uname -m)-unknown-linux-musl"
version="$(python3 release/project.py version)"
environment="${ASP_CI_TOOLS:-${TMPDIR:-/tmp}}/asp-release"
python="$environment/bin/python"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# Python's tools of a release, in the versions that the workflow takes.
tools() {
    local list lists=()
    for list in build check rehearse; do lists+=(-r "release/tools/$list.txt"); done
    if cat release/tools/*.txt | cmp -s - "$environment/tools"; then return; fi
    python3 -m venv --clear "$environment" &&
        "$python" -m pip install --quiet --disable-pip-version-check --retries 5 --require-hashes "${lists[@]}" &&
        cat release/tools/*.txt >"$environment/tools"
}

# ready PART: whether what the part needs is here; tells what is not.
ready() {
    local tool needed=()
    case "$1" in
        page | npm | extension | site) needed=(node npm) ;;
        systems) needed=(rustup) ;;
    esac
    for tool in "${needed[@]}"; do
        if ! command -v "$tool" >/dev/null; then
            echo "$1: LEFT OUT, there is no $tool"
            return 1
        fi
    done
    case "$1" in
        papers | binary | wheels | module)
            if ! tools; then
                echo "$1: LEFT OUT, its tools cannot be installed by pip"
                return 1
            fi
            ;;
    esac
}

# has TARGET: whether Rust can build for it; rustup fetches what lacks.
has() {
    if rustup target list --installed 2>/dev/null | grep -qx "$1"; then return; fi
    if rustup target add "$1" >"$work/rustup" 2>&1; then return; fi
    echo "$1: LEFT OUT, rustup cannot install this target"
    return 1
}

# Workflows, the citation, versions, names.
papers() {
    release/project.py version
    release/project.py notes >/dev/null
    "$environment/bin/zizmor" --offline --pedantic --quiet .github
    "$environment/bin/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/*.yml
    "$environment/bin/check-jsonschema" --builtin-schema vendor.dependabot .github/dependabot.yml
    "$environment/bin/check-jsonschema" --builtin-schema vendor.citation-file-format CITATION.cff
    named
    plain
    published
}

# What is published, and how: all files of a release, crates.io where it takes five names, an earlier version on npm, sites.
published() {
    local folder="$work/published" file
    mkdir -p "$folder/dist" "$folder/bin" "$folder/index" "$folder/sites"
    # Every file that is expected, and then one too few and one too many.
    python3 - "$folder/dist" "$version" <<'END'
import pathlib, sys
sys.path.insert(0, "release/publish")
import complete
for name in complete.expected(sys.argv[2]):
    path = pathlib.Path(sys.argv[1], name.replace("*", "1"))
    path.parent.mkdir(exist_ok=True)
    path.touch()
END
    release/publish/complete.py "$folder/dist"
    for file in "$folder"/dist/wheels/*musllinux_1_2_x86_64.whl; do mv "$file" "$folder/musl.whl"; done
    if release/publish/complete.py "$folder/dist" 2>/dev/null; then return 1; fi
    mv "$folder/musl.whl" "$file"
    touch "$folder/dist/wheels/asp_engine-$version-cp311-abi3-linux_x86_64.whl"
    if release/publish/complete.py "$folder/dist" 2>/dev/null; then return 1; fi
    # The recipe for conda, as rattler-build reads it for each system.
    release/recipes.py "$folder/dist"
    "$python" - "$folder/dist" <<'END'
import hashlib, pathlib, sys
from rattler_build import PlatformConfig, RenderConfig, Stage0Recipe, VariantConfig
dist = pathlib.Path(sys.argv[1])
recipe = Stage0Recipe.from_yaml((dist / "recipe.yaml").read_text(encoding="utf-8"))
systems = {"linux-64": "x86_64-unknown-linux", "linux-aarch64": "aarch64-unknown-linux", "osx-64": "x86_64-apple", "osx-arm64": "aarch64-apple", "win-64": "windows"}
for system, target in systems.items():
    config = RenderConfig(platform=PlatformConfig(target_platform=system))
    rendered = [variant.recipe.to_dict() for variant in recipe.render(VariantConfig(), config)]
    sources = [source for each in rendered for source in each["source"]]
    assert len(sources) == 1 and target in sources[0]["url"], (system, sources)
    assert sources[0]["sha256"] == hashlib.sha256((dist / sources[0]["url"].rsplit("/", 1)[1]).read_bytes()).hexdigest(), sources
print(f"recipe for conda: read for {len(systems)} systems")
END
    # A cargo that takes ten at once.
    cat >"$folder/bin/cargo" <<'END'
#!/usr/bin/env python3
import json, os, pathlib, subprocess, sys
if sys.argv[1] == "metadata":
    os.execv(os.environ["REAL_CARGO"], ["cargo", *sys.argv[1:]])
told = json.loads(subprocess.run([os.environ["REAL_CARGO"], "metadata", "--format-version=1", "--no-deps"], check=True, capture_output=True).stdout)
without = {name for option, name in zip(sys.argv, sys.argv[1:]) if option == "--exclude"}
assert all(p["name"] in without for p in told["packages"] if p["publish"] == [])
for number, package in enumerate(p for p in told["packages"] if p["name"] not in without):
    if number == 10:
        sys.exit("error: the remote server responded with an error (status 429 Too Many Requests): Please try again after a while")
    name = package["name"]
    path = pathlib.Path(os.environ["INDEX"], f"3/{name[0]}" if len(name) == 3 else f"{name[:2]}/{name[2:4]}", name)
    assert not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"name": name, "vers": package["version"]}) + "\n")
END
    cat >"$folder/bin/npm" <<'END'
#!/usr/bin/env bash
case "$1 $3" in
    "view repository.url") echo "${THEIRS:-}" ;;
    view*) echo "${THERE:-}" ;;
    *) echo "$*" ;;
esac
END
    chmod +x "$folder"/bin/*
    REAL_CARGO="$(command -v cargo)" INDEX="$folder/index" ASP_CRATES_INDEX="file://$folder/index" ASP_CRATES_WAIT=0 PATH="$folder/bin:$PATH" \
        release/publish/crates.py | tee "$folder/crates" | tail -1
    [ "$(grep -c 'status 429' "$folder/crates")" = 2 ]
    # Run again, all are ours; and one of them a stranger's.
    python3 - "$folder" <<'END'
import json, os, pathlib, subprocess, sys
folder = pathlib.Path(sys.argv[1])
(folder / "api").mkdir()
told = json.loads(subprocess.run(["cargo", "metadata", "--format-version=1", "--no-deps", "--locked"], check=True, capture_output=True).stdout)
for package in told["packages"]:
    (folder / "api" / package["name"]).write_text(json.dumps({"crate": {"repository": package["repository"]}}))
there = {**os.environ, "ASP_CRATES_INDEX": f"file://{folder}/index", "ASP_CRATES_API": f"file://{folder}/api", "ASP_CRATES_WAIT": "0"}
assert subprocess.run(["release/publish/crates.py"], env=there, capture_output=True).returncode == 0
(folder / "api/asp-data").write_text(json.dumps({"crate": {"repository": "https://host.example/other"}}))
again = subprocess.run(["release/publish/crates.py"], env=there, capture_output=True, encoding="utf-8")
assert again.returncode == 1 and "asp-data is somebody else's" in again.stderr, again
END
    if command -v node >/dev/null; then
        mkdir -p "$folder/package"
        local said before
        for before in 1.2.3 1.2.3-rc.1; do
            echo '{"name": "x", "version": "'"$before"'"}' >"$folder/package/package.json"
            tar -C "$folder" -czf "$folder/x.tgz" package
            said="$(PATH="$folder/bin:$PATH" release/publish/npm.sh "$folder/x.tgz")"
            case "$before $said" in
                "1.2.3 publish --provenance --access public $folder/x.tgz" | "1.2.3-rc.1 publish --provenance --access public --tag next $folder/x.tgz") ;;
                *) echo "npm: FAILED, $said" && return 1 ;;
            esac
        done
        THERE=1 PATH="$folder/bin:$PATH" release/publish/npm.sh "$folder/x.tgz" | grep 'is there'
        if THEIRS=git+https://host.example/other.git PATH="$folder/bin:$PATH" release/publish/npm.sh "$folder/x.tgz" 2>/dev/null; then return 1; fi
    fi
    # Sites of several releases.
    for file in 0.9.0 0.10.0 0.11.0-rc.1; do
        mkdir -p "$folder/asp-site-$file/page"
        echo "$file" | tee "$folder/asp-site-$file/index.html" >"$folder/asp-site-$file/page/index.html"
        tar -C "$folder" -czf "$folder/sites/asp-site-$file.tar.gz" "asp-site-$file"
    done
    release/publish/versions.py "$folder/sites" "$folder/site"
    [ "$(cat "$folder/site/latest/index.html") $(cat "$folder/site/0.9.0/page/index.html")" = "0.10.0 0.9.0" ]
    [ "$(grep -o '"../[^"]*"' "$folder/site/versions/index.html" | tr -d '\n')" = '"../0.11.0-rc.1/""../0.10.0/""../0.9.0/"' ]
    grep -q '"https://page.invalid/versions/"' "$folder/site/404.html"
}

# The scripts write UTF-8 and line feeds where Python's own choice is another one, as on Windows; no file is opened by that choice.
plain() {
    local careful=(env LC_ALL=C PYTHONCOERCECLOCALE=0 PYTHONUTF8=0 PYTHONIOENCODING=cp1252 python3 -X warn_default_encoding -W error::EncodingWarning)
    local told="$work/plain"
    mkdir -p "$told/x/bin"
    echo program >"$told/x/bin/asp"
    "${careful[@]}" release/dependencies.py licenses x86_64-pc-windows-msvc >"$told/licenses"
    "${careful[@]}" release/dependencies.py sbom x86_64-pc-windows-msvc >"$told/sbom"
    "${careful[@]}" release/project.py notes >"$told/notes"
    "${careful[@]}" release/project.py placeholders >"$told/placeholders"
    "${careful[@]}" release/project.py version >"$told/version"
    "${careful[@]}" release/archive.py "$told/x" "$told/asp-$version-x86_64-pc-windows-msvc.zip" >"$told/archived"
    "${careful[@]}" release/recipes.py "$told"
    local file
    for file in "$told"/*; do
        case "$file" in *.zip | */x) continue ;; esac
        iconv -f utf-8 -t utf-8 "$file" >/dev/null
        if grep -q $'\r' "$file" && [ "$(basename "$file")" != licenses ]; then
            echo "$file: FAILED, a line ends in CR"
            return 1
        fi
    done
    # Names of people that no other encoding of a system has.
    LC_ALL=C grep -q $'[\x80-\xff]' "$told/licenses"
    echo "scripts: they write UTF-8 in any environment"
}

# The commands that set names and a version, on a copy: nothing is left to be set, and all agree.
named() {
    git clone --quiet --shared . "$work/named"
    (
        cd "$work/named"
        release/project.py set --repository=https://host.example/owner/asp/ --page=https://page.example --publisher=p --mail=m@host.example >/dev/null
        release/project.py placeholders --strict
        grep -q -e '--repo owner/asp`' docs/install.md && grep -q -e '--repo owner/asp`' .github/SECURITY.md
        if command -v npm >/dev/null; then
            release/project.py set-version 7.8.9 >/dev/null
            release/project.py version v7.8.9
            # What others may use loses a line: by a later patch it may not, by a later minor version before 1.0 it may.
            git -c user.name=x -c user.email=x@host.example commit --quiet --all --message=release && git tag v0.4.0
            sed -i '$d' tests/golden/api/asp.txt
            release/publish/interface.py v0.4.0 0.5.0
            if release/publish/interface.py v0.4.0 0.4.1 2>/dev/null; then return 1; fi
            release/project.py notes >"$work/notes"
            grep -q '^### ' "$work/notes"
            cargo metadata --quiet --locked --format-version=1 >/dev/null
            # A candidate leaves the section open for the release after it.
            release/project.py set-version 7.9.0-rc.1 >/dev/null
            sed -i 's/^## \[Unreleased\]$/&\n\n### Fixed\n\n- After 7.8.9./' CHANGELOG.md
            release/project.py notes | grep -q 'After 7.8.9'
            release/project.py set-version 7.9.0 >/dev/null
            release/project.py notes | grep -q 'After 7.8.9'
        fi
    )
    rm -rf "$work/named"
}

# Whether it compiles for other systems, and with the oldest Rust.
systems() {
    local other
    for other in x86_64-pc-windows-gnu aarch64-apple-darwin; do
        if has "$other"; then
            cargo check --quiet --locked -p asp --target "$other"
            echo "compiles for $other"
        fi
    done
    release/oldest-rust.sh
}

# The archive, as the installer installs it, and `cargo install` from the sources; without node.
binary() {
    if ! has "$target"; then return; fi
    release/binaries.sh "$target"
    local name="asp-$version-$target"
    (cd "$ASP_DIST" && sha256sum --quiet -c "$name.tar.gz.sha256")
    "$python" -c 'import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
wrong = JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1]).read())
sys.exit(str(wrong) if wrong else 0)' "$ASP_DIST/$name.cdx.json"
    release/try-archive.sh "$target" "$work/home"
    mkdir -p "$work/releases/v$version"
    cp "$ASP_DIST/$name".tar.gz* "$work/releases/v$version"
    # Once more, while it runs.
    # shellcheck disable=SC2034
    coproc running { exec "$work/home/bin/asp" mcp; }
    # shellcheck disable=SC2154
    local process="$running_PID"
    ASP_RELEASES="file://$work/releases" ASP_HOME="$work/home" bash release/install.sh >/dev/null
    kill "$process"
    wait "$process" || true
    if ldd "$work/home/bin/asp" 2>&1 | grep -q '=>'; then
        echo "FAILED: the program needs libraries of the system"
        return 1
    fi
    cargo install --quiet --locked --path . --target "$target" --root "$work/installed"
    local asp
    for asp in "$work/home/bin/asp" "$work/installed/bin/asp"; do
        release/first-run.sh "$asp"
        serves "$asp"
    done
    # As in the container, where there is nothing else.
    "$environment/bin/hadolint" release/Dockerfile
    if [ "$(id -u)" = 0 ]; then
        mkdir -p "$work/container/bin"
        cp "$work/home/bin/asp" "$work/container/bin/"
        chroot "$work/container" /bin/asp unique futoshiki.lp grid4.lp >/dev/null
        # Docker mounts these; the last says where the program is.
        mkdir -p "$work/container/dev" "$work/container/proc/self"
        mkdir -m 1777 "$work/container/dev/shm"
        touch "$work/container/dev/null"
        ln -s /bin/asp "$work/container/proc/self/exe"
        chmod 755 "$work" "$work/container"
        echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","arguments":{"program":"{a}."}}}' |
            env "$(sed -n 's/^ENV //p' release/Dockerfile)" chroot --userspec=65534:65534 "$work/container" /bin/asp mcp | grep -q '"count":2'
    fi
    recipes "$name"
    "$work/home/bin/asp" --generate=bash | cmp - "$work/home/share/bash-completion/completions/asp"
    echo "released: the installed archive and the installed sources run, with the page in them"
}

# The package for Debian, installed; the recipes for others, as far as their languages can be read here.
recipes() {
    if command -v dpkg-deb >/dev/null; then
        mkdir -p "$work"/debian/var/lib/dpkg/{info,updates}
        touch "$work/debian/var/lib/dpkg/status"
        dpkg --root="$work/debian" --log=/dev/null --force-not-root --force-depends -i "$ASP_DIST"/asp-solver_*.deb >/dev/null
        release/first-run.sh "$work/debian/usr/bin/asp" >/dev/null
        echo "released: the package for Debian is installed and runs"
    else
        echo "the package for Debian: LEFT OUT, there is no dpkg-deb"
    fi
    release/recipes.py "$ASP_DIST"
    "$python" - "$ASP_DIST/$1.tar.gz" "$ASP_DIST/recipe.yaml" "$ASP_DIST/asp.rb" <<'END'
import hashlib, pathlib, sys
from ruamel.yaml import YAML
archive, recipe, formula = map(pathlib.Path, sys.argv[1:])
source = YAML(typ="safe").load(recipe)["source"][0]["then"]
checksum = hashlib.sha256(archive.read_bytes()).hexdigest()
assert source["sha256"] == checksum and source["url"].endswith(archive.name), source
assert f'sha256 "{checksum}"' in formula.read_text()
END
    if command -v ruby >/dev/null; then
        ruby -wc "$ASP_DIST/asp.rb"
    else
        echo "the formula for Homebrew: LEFT OUT, there is no ruby"
    fi
}

# Whether `asp serve` gives the page that is built in.
serves() {
    local link served
    coproc served { exec env -u ASP_PATH PATH= "$1" serve; }
    # shellcheck disable=SC2154
    local process="$served_PID"
    read -r link <&"${served[0]}"
    python3 - "$link" <<'END'
import gzip, sys, urllib.request
link = sys.argv[1]
assert "page.js" in urllib.request.urlopen(link, timeout=20).read().decode()
script = urllib.request.urlopen(link.split("?")[0] + "page.js", timeout=20).read()
assert len(gzip.decompress(script)) > 400_000
END
    kill "$process"
    wait "$process" || true
}

page() {
    release/page.sh
    tar -xf "$ASP_DIST/asp-page-$version.tar.gz" -C "$work"
    ls "$work/asp-page-$version"
    node web/embed.mjs --check
}

# The package in an empty folder: Node, Chromium, types; beside clingo-wasm.
npm_package() {
    release/npm.sh
    node web/test/package.mjs "$ASP_DIST/asp-wasm-$version.tgz"
}

# The extension's package has what its manifest names, and nothing of its sources.
extension() {
    release/extension.sh
    python3 - "$ASP_DIST/asp-$version.vsix" <<'END'
import json, sys, zipfile
packed = zipfile.ZipFile(sys.argv[1])
names = {name.removeprefix("extension/") for name in packed.namelist() if name.startswith("extension/")}
manifest = json.loads(packed.read("extension/package.json"))
contributed = manifest["contributes"]
files = [manifest["main"], manifest["icon"]]
files += [each["path"] for each in contributed["grammars"]] + [each["configuration"] for each in contributed["languages"]]
lacking = [file for file in files if file.removeprefix("./") not in names]
assert not lacking, f"FAILED: the extension lacks {lacking}"
assert {"license.txt", "readme.md"} <= {name.lower() for name in names}, names
strangers = [name for name in names if name.startswith("node_modules/") or name in {"extension.js", "test.js", "package-lock.json"}]
assert not strangers, f"FAILED: the extension carries {strangers}"
print(f"extension: {len(names)} files, with all that its manifest names")
END
}

site() {
    release/site.sh "$environment/mdbook"
    release/publish/versions.py "$ASP_DIST" "$work/site"
    node web/test/site.mjs "$work/site"
}

# The wheel in a fresh environment, and the source distribution.
wheels() {
    release/wheels.sh "$python" sdist "$(uname -m)-unknown-linux-gnu"
    release/publish/wheels.sh "$python" "$ASP_DIST/wheels"
    release/try-wheel.sh python3 "$(released)"
    # As pip builds it where there is no wheel; quickly.
    MATURIN_PEP517_ARGS="--profile dev" CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=false CARGO_TARGET_DIR="$PWD/target" "$python" -m pip wheel --quiet --disable-pip-version-check \
        --no-deps --wheel-dir "$work/built" "$ASP_DIST"/wheels/*.tar.gz
    echo "wheel: the source distribution builds $(cd "$work/built" && ls)"
    # For musl as the workflow makes it, but not optimised; there is no Python for musl here to run it.
    if has "$target"; then
        ASP_DIST="$work/musl" CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_TARGET_DIR="$PWD/target/musl-wheel" \
            release/wheels.sh "$python" "$target" >/dev/null
        release/publish/wheels.sh "$python" "$work/musl/wheels" >/dev/null
        unzip -q "$work"/musl/wheels/*.whl -d "$work/musl/wheel"
        [ "$(readelf -d "$work"/musl/wheel/asp/*.so | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')" = libc.so ]
        echo "wheel: $(cd "$work/musl/wheels" && ls) needs musl's libc.so alone"
    fi
}

# The wheel that puts the package clingo on asp, in a fresh environment and out of it again.
module() {
    release/module.sh "$python"
    release/publish/wheels.sh "$python" "$ASP_DIST/wheels"
    bindings/python/tests/wheel.sh "$ASP_DIST"/wheels/asp_clingo_module-*.whl
}

# The binary that some tests compare with.
released() {
    if [ -x "$work/home/bin/asp" ]; then
        echo "$work/home/bin/asp"
    else
        echo "target/debug/asp"
    fi
}

crates() {
    release/packages.sh
}

for part in "${parts[@]}"; do
    printf '\n-- %s\n' "$part"
    begun=$SECONDS
    if ready "$part"; then
        case "$part" in
            npm) npm_package ;;
            papers | systems | binary | page | extension | wheels | module | crates | site) "$part" ;;
            *)
                echo "there is no part $part"
                exit 1
                ;;
        esac
    fi
    echo "-- $part: $((SECONDS - begun)) s"
done
printf '\n-- what a release consists of\n'
(cd "$ASP_DIST" && find . -type f ! -name '*.sha256' ! -path './crates/*' -printf '%P\n' | sort | while read -r file; do
    printf '%10d  %s  %s\n' "$(stat -c %s "$file")" "$(sha256sum "$file" | cut -c1-16)" "$file"
done)
release/project.py placeholders
