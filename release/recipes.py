#!/usr/bin/env python3
"""How others' package managers install a release's archives: release/recipes.py DIST

Writes into DIST, beside the archives that are there, what names them by their addresses and checksums: asp.rb, a formula for a tap of
Homebrew, and recipe.yaml, a recipe for conda (rattler-build).
"""

import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# How Homebrew and conda name the systems of the archives.
SYSTEMS = {
    "x86_64-unknown-linux-musl": (("on_linux", "on_intel"), "linux and x86_64"),
    "aarch64-unknown-linux-musl": (("on_linux", "on_arm"), "linux and aarch64"),
    "x86_64-apple-darwin": (("on_macos", "on_intel"), "osx and x86_64"),
    "aarch64-apple-darwin": (("on_macos", "on_arm"), "osx and arm64"),
    "x86_64-pc-windows-msvc": (None, "win and x86_64"),
}

FORMULA = """class Asp < Formula
  desc "Answer set programming with reasons"
  homepage "{homepage}"
  version "{version}"
  license "MIT"
{sources}
  def install
    bin.install Dir["bin/*"]
    man1.install "share/man/man1/asp.1"
    bash_completion.install "share/bash-completion/completions/asp"
    zsh_completion.install "share/zsh/site-functions/_asp"
    fish_completion.install "share/fish/vendor_completions.d/asp.fish"
  end

  test do
    assert_match "Unique", shell_output("#{{bin}}/asp unique futoshiki.lp grid4.lp")
  end
end
"""

RECIPE = """package:
  name: asp-solver
  version: "{version}"

source:
{sources}
build:
  number: 0
  script:
    - if: unix
      then:
        - mkdir -p $PREFIX/bin $PREFIX/share
        - cp -R bin/. $PREFIX/bin/
        - cp -R share/. $PREFIX/share/
      else:
        - if not exist %LIBRARY_BIN% mkdir %LIBRARY_BIN%
        - copy bin\\*.exe %LIBRARY_BIN%

tests:
  - script:
      - asp unique futoshiki.lp grid4.lp

about:
  homepage: {homepage}
  repository: {repository}
  license: MIT
  license_file:
    - LICENSE
    - LICENSES-of-packages.txt
    - LICENSES-of-the-page.txt
  summary: Answer set programming with reasons
"""


def main():
    """Writes both."""
    dist = pathlib.Path(sys.argv[1])
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    told = {name: re.search(rf'(?m)^{name} = "(.*)"$', manifest).group(1) for name in ("version", "repository", "homepage")}
    formula, recipe = "", ""
    for target, (brew, conda) in SYSTEMS.items():
        for archive in sorted(dist.glob(f"asp-{told['version']}-{target}.*")):
            if archive.suffix not in {".gz", ".zip"}:
                continue
            address = f"{told['repository']}/releases/download/v{told['version']}/{archive.name}"
            checksum = hashlib.sha256(archive.read_bytes()).hexdigest()
            if brew:
                system, machine = brew
                formula += f'\n  {system} do\n    {machine} do\n      url "{address}"\n      sha256 "{checksum}"\n    end\n  end\n'
            recipe += f"  - if: {conda}\n    then:\n      url: {address}\n      sha256: {checksum}\n"
    if not recipe:
        sys.exit(f"{dist} has no archive of version {told['version']}")
    for name, form, sources in (("asp.rb", FORMULA, formula), ("recipe.yaml", RECIPE, recipe)):
        (dist / name).write_text(form.format(sources=sources, **told), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
