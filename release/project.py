#!/usr/bin/env python3
"""Names and versions of the project, in whatever file they stand.

    release/project.py placeholders [--strict]      names that a maintainer has yet to set, and the files they stand in
    release/project.py set --repository=URL --page=URL --publisher=NAME --mail=ADDRESS
    release/project.py version [TAG]                the version; fails if a manifest, or the tag, has another one
    release/project.py set-version VERSION          writes it into all manifests, and closes the changelog's section
    release/project.py notes                        what the changelog says of this version
"""

import argparse
import datetime
import pathlib
import re
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What stands for each name. `.invalid` is a domain that nobody can have.
PLACEHOLDERS = {
    "repository": "https://repository.invalid/asp",
    "page": "https://page.invalid",
    "publisher": "publisher-placeholder",
    "mail": "maintainer@mail.invalid",
}
# Owner and name of the repository, as GitHub's commands take them: the end of its address.
SLUG = "owner-placeholder/repository-placeholder"
# Manifests with a version of their own, and how it stands there: the first match counts.
VERSIONS = {
    "Cargo.toml": r'(?m)^version = "(.*)"$',
    "bindings/asp-python/Cargo.toml": r'(?m)^version = "(.*)"$',
    "bindings/python/pyproject.toml": r'(?m)^version = "(.*)"$',
    "bindings/c/Cargo.toml": r'(?m)^version = "(.*)"$',
    "bindings/check/Cargo.toml": r'(?m)^version = "(.*)"$',
    "editors/vscode/package.json": r'"version": "(.*)"',
    "web/package.json": r'"version": "(.*)"',
    "web/npm/package.json": r'"version": "(.*)"',
    "CITATION.cff": r"(?m)^version: (.*)$",
    "release/install.sh": r"ASP_VERSION:-(.*)\}",
    "release/install.ps1": r'else \{ "(\d.*)" \}',
}


def files():
    """Texts that git knows and that may hold a name."""
    told = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout
    for name in told.split("\0"):
        path = ROOT / name
        if name and path.is_file() and path != pathlib.Path(__file__).resolve():
            try:
                yield path, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


def places():
    """The files of each placeholder that is left."""
    found = {}
    for path, text in files():
        for name, stands in [*PLACEHOLDERS.items(), ("repository", SLUG)]:
            where = path.relative_to(ROOT).as_posix()
            if stands in text and where not in found.setdefault(name, []):
                found[name].append(where)
    return {name: where for name, where in found.items() if where}


def write(path, text):
    """Replaces a file's text; lines end alike on all systems."""
    path.write_text(text, encoding="utf-8", newline="\n")


def tell_placeholders(arguments):
    """Says which names are yet to be set."""
    found = places()
    for name, where in found.items():
        print(f"to be set: {name} ({PLACEHOLDERS[name]}) in {len(where)} files: {', '.join(where[:3])}{', ...' * (len(where) > 3)}")
    if not found:
        print("all names are set")
    return 1 if found and arguments.strict else 0


def set_names(arguments):
    """Puts names where their placeholders stand."""
    given = {PLACEHOLDERS[name]: getattr(arguments, name).rstrip("/") for name in PLACEHOLDERS if getattr(arguments, name)}
    if arguments.repository:
        if arguments.repository.rstrip("/").endswith(".git"):
            sys.exit("the repository's address is that of its page, without .git")
        given[SLUG] = urllib.parse.urlsplit(arguments.repository).path.strip("/")
    for path, text in files():
        new = text
        for stands, value in given.items():
            new = new.replace(stands, value)
        if new != text:
            write(path, new)
            print(path.relative_to(ROOT).as_posix())
    return 0


def version_in(name):
    """The version that a manifest has."""
    return re.search(VERSIONS[name], (ROOT / name).read_text(encoding="utf-8")).group(1)


def tell_version(arguments):
    """Prints the version, if all agree on it."""
    version = version_in("Cargo.toml")
    wrong = {name: version_in(name) for name in VERSIONS if version_in(name) != version}
    pattern = r'(?m)^(asp-[a-z]+) = \{ path = "[^"]*", version = "(.*)" \}'
    for name, other in re.findall(pattern, (ROOT / "Cargo.toml").read_text(encoding="utf-8")):
        if other != version:
            wrong[f"{name} in Cargo.toml"] = other
    if arguments.tag and arguments.tag != f"v{version}":
        wrong["the tag"] = arguments.tag
    for where, other in wrong.items():
        print(f"{where} has {other}, Cargo.toml has {version}", file=sys.stderr)
    print(version)
    return 1 if wrong else 0


def set_version(arguments):
    """Writes a version into all manifests, and gives the changelog's open section its name."""
    old, new = version_in("Cargo.toml"), arguments.version
    if not re.fullmatch(r"\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?", new):
        sys.exit(f"{new} is no version")
    for name, pattern in VERSIONS.items():
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        found = re.search(pattern, text)
        text = text[: found.start(1)] + new + text[found.end(1) :]
        if name == "Cargo.toml":
            text = re.sub(r'(?m)^(asp-[a-z]+ = \{ path = "[^"]*", version = )"[^"]*"', rf'\1"{new}"', text)
        write(path, text)
    today = datetime.date.today().isoformat()
    citation = ROOT / "CITATION.cff"
    text = re.sub(r"(?m)^date-released: .*$", f"date-released: {today}", citation.read_text(encoding="utf-8"))
    write(citation, text)
    changelog = ROOT / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    # What comes before a release leaves the section open for it.
    if "-" not in new:
        write(changelog, text.replace("## [Unreleased]", f"## [Unreleased]\n\n## [{new}] - {today}", 1))
    # The packages of this repository in the lock files of others.
    subprocess.run(["cargo", "update", "--quiet", "--workspace", "--offline"], cwd=ROOT, check=True)
    subprocess.run(["npm", "install", "--package-lock-only", "--ignore-scripts"], cwd=ROOT / "web", check=True)
    lock = ROOT / "editors/vscode/package-lock.json"
    write(lock, re.sub(r'("version": )"[^"]*"', rf'\1"{new}"', lock.read_text(encoding="utf-8"), count=2))
    print(f"{old} -> {new}; now: web/build.sh --embed, commit, tag v{new}")
    return 0


def tell_notes(_):
    """Prints the changelog's section of this version, or the open one."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"(?ms)^## \[([^\]]*)\][^\n]*\n(.*?)(?=^## \[|\Z)", text))
    version = version_in("Cargo.toml")
    notes = sections.get("Unreleased" if "-" in version else version, "")
    if not notes.strip() and "-" not in version and version not in sections:
        notes = sections.get("Unreleased", "")
    if not notes.strip():
        sys.exit("the changelog says nothing of this version")
    print(notes.strip())
    return 0


def main():
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("placeholders")
    command.add_argument("--strict", action="store_true", help="fail if there are any")
    command.set_defaults(run=tell_placeholders)
    command = commands.add_parser("set")
    for name, stands in PLACEHOLDERS.items():
        command.add_argument(f"--{name}", help=f"in the place of {stands}")
    command.set_defaults(run=set_names)
    command = commands.add_parser("version")
    command.add_argument("tag", nargs="?")
    command.set_defaults(run=tell_version)
    command = commands.add_parser("set-version")
    command.add_argument("version")
    command.set_defaults(run=set_version)
    commands.add_parser("notes").set_defaults(run=tell_notes)
    arguments = parser.parse_args()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", newline="\n")
    sys.exit(arguments.run(arguments))


if __name__ == "__main__":
    main()
