#!/usr/bin/env python3
"""Whether a release has all that it promises, and nothing else: release/publish/complete.py DIST"""

import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ARCHIVES = {
    "x86_64-unknown-linux-musl": "tar.gz",
    "aarch64-unknown-linux-musl": "tar.gz",
    "x86_64-apple-darwin": "tar.gz",
    "aarch64-apple-darwin": "tar.gz",
    "x86_64-pc-windows-msvc": "zip",
}
# How wheels name the systems that they are for.
SYSTEMS = [
    "manylinux_2_17_x86_64*",
    "manylinux_2_17_aarch64*",
    "musllinux_1_2_x86_64",
    "musllinux_1_2_aarch64",
    "macosx_*_x86_64",
    "macosx_*_arm64",
    "win_amd64",
]


def expected(version):
    """Patterns of the files of a release; each is for one file."""
    for target, suffix in ARCHIVES.items():
        yield from (f"asp-{version}-{target}.{end}" for end in (suffix, f"{suffix}.sha256", "cdx.json"))
    for machine in ("amd64", "arm64"):
        package = f"asp-solver_{version}_{machine}.deb"
        yield from (package, f"{package}.sha256")
    for packed in (f"asp-page-{version}.tar.gz", f"asp-site-{version}.tar.gz", f"asp-{version}.html"):
        yield from (packed, f"{packed}.sha256")
    yield from (f"asp-wasm-{version}.tgz", f"asp-{version}.vsix", "asp.rb", "recipe.yaml", "install.sh", "install.ps1", "Dockerfile")
    # As PyPI writes what comes before a release.
    python = re.sub(r"-(a|b|rc)[a-z]*\.?", r"\1", version)
    yield f"wheels/asp_engine-{python}.tar.gz"
    yield from (f"wheels/asp_engine-{python}-cp311-abi3-{system}.whl" for system in SYSTEMS)
    yield from (f"wheels/asp_clingo_module-{python}-cp38-abi3-{system}.whl" for system in SYSTEMS[:2])


def main():
    """Compares."""
    dist = pathlib.Path(sys.argv[1])
    version = re.search(r'(?m)^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8")).group(1)
    left = {path.relative_to(dist).as_posix() for path in dist.rglob("*") if path.is_file()}
    wrong = []
    for pattern in expected(version):
        found = fnmatch.filter(left, pattern)
        if len(found) != 1:
            wrong.append(f"{pattern}: {len(found)} files")
        left.difference_update(found)
    wrong += [f"{name}: nobody expects it" for name in sorted(left)]
    if wrong:
        sys.exit("\n".join(wrong))
    print("release: it has all its files")


if __name__ == "__main__":
    main()
