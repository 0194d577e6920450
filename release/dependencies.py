#!/usr/bin/env python3
"""What the program is made of, from `cargo metadata`:

    release/dependencies.py sbom TARGET        a bill of materials, as CycloneDX 1.5
    release/dependencies.py licenses TARGET    the licences of all packages that are compiled into it

A third word is another package of this repository than `asp`.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def compiled(target, name="asp"):
    """A package of this repository, and those that it is built from on a target, sorted by name."""
    command = ["cargo", "metadata", "--format-version=1", "--locked", f"--filter-platform={target}"]
    told = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout)
    packages = {package["id"]: package for package in told["packages"]}
    nodes = {node["id"]: node for node in told["resolve"]["nodes"]}
    root = next(p["id"] for p in told["packages"] if p["name"] == name and p["source"] is None)
    found, open_ = {root}, [root]
    while open_:
        for dependency in nodes[open_.pop()]["deps"]:
            # Those of kind null are linked; others build or test.
            linked = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if linked and dependency["pkg"] not in found:
                found.add(dependency["pkg"])
                open_.append(dependency["pkg"])
    others = sorted((packages[i] for i in found - {root}), key=lambda p: (p["name"], p["version"]))
    return packages[root], others


def component(package, kind="library"):
    """A package as CycloneDX names it."""
    purl = f"pkg:cargo/{package['name']}@{package['version']}"
    entry = {"type": kind, "bom-ref": purl, "name": package["name"], "version": package["version"], "purl": purl}
    if package.get("license"):
        entry["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    return entry


def sbom(target, name="asp"):
    """The bill of materials."""
    root, others = compiled(target, name)
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component(root, "application"), "properties": [{"name": "target", "value": target}]},
        "components": [component(package) for package in others],
    }
    print(json.dumps(bill, indent=2))


def licenses(target, name="asp"):
    """The texts, each under the packages that it is for."""
    by_text = {}
    for package in compiled(target, name)[1]:
        folder = pathlib.Path(package["manifest_path"]).parent
        named = sorted(path for path in folder.iterdir() if path.name.upper().startswith(("LICEN", "COPYING", "NOTICE", "UNLICENSE")))
        if package["source"] is None:
            continue
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in named if path.is_file()]
        name = f"{package['name']} {package['version']} ({package['license']})"
        by_text.setdefault("\n".join(texts) or "The package has no text of its licence.\n", []).append(name)
    for text, names in by_text.items():
        print(f"== {', '.join(names)}\n\n{text}")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    {"sbom": sbom, "licenses": licenses}[sys.argv[1]](*sys.argv[2:])
