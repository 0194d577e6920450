#!/usr/bin/env python3
"""The sites of several releases as one: release/publish/versions.py ARCHIVES OUT

ARCHIVES is a folder with asp-site-VERSION.tar.gz of each. OUT gets each below its number, the last release below latest/ as well,
a list of all below versions/, and links from the root; page/ is the last release's page, whose links hold programs. What is not
there is 404.html.
"""

import pathlib
import re
import shutil
import sys
import tarfile

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
{body}
"""
# What stands behind the # of a link is the reader's program.
MOVED = """<script>location.replace("{to}" + location.search + location.hash)</script>
<p>It is <a href="{to}">here</a>."""
# Shown in the place of what is not there, at any depth: its links are whole.
LOST = """<h1>There is no such page</h1>
<p>It may have been another version's: <a href="https://page.invalid/versions/">all versions</a>, <a href="https://page.invalid/latest/">the last release's documentation</a>."""


def order(version):
    """What sorts versions: one that comes before a release stands before it."""
    numbers, _, rest = version.partition("-")
    parts = [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"[.-]", rest)]
    return [int(number) for number in numbers.split(".")], not rest, parts


def main():
    """Unpacks and links."""
    archives, out = map(pathlib.Path, sys.argv[1:])
    found = {path.name[len("asp-site-") : -len(".tar.gz")]: path for path in archives.glob("asp-site-*.tar.gz")}
    if not found:
        sys.exit(f"{archives} has no site")
    versions = sorted(found, key=order, reverse=True)
    latest = next((version for version in versions if "-" not in version), versions[0])
    shutil.rmtree(out, ignore_errors=True)
    for version in versions:
        with tarfile.open(found[version]) as packed:
            packed.extractall(out, filter="data")
        (out / f"asp-site-{version}").rename(out / version)
    shutil.copytree(out / latest, out / "latest")
    items = "".join(
        f'<li><a href="../{version}/">{version}</a>{" (the last release)" * (version == latest)}\n' for version in versions
    )
    for place, title, body in [
        ("versions/index.html", "asp: all versions", f"<h1>asp: all versions</h1>\n<ul>\n{items}</ul>"),
        ("index.html", "asp", MOVED.format(to="latest/")),
        ("page/index.html", "asp", MOVED.format(to="../latest/page/")),
        ("404.html", "asp: no such page", LOST),
    ]:
        path = out / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(PAGE.format(title=title, body=body), encoding="utf-8", newline="\n")
    print(f"site: {len(versions)} versions, the last one is {latest}")


if __name__ == "__main__":
    main()
