#!/usr/bin/env python3
"""Publishes on crates.io what is not there in this version: release/publish/crates.py

crates.io takes five new names at once, then one each ten minutes: this waits, and goes on with those that are left. It can be run
again at any time. ASP_CRATES_INDEX and ASP_CRATES_WAIT are another index and other seconds than crates.io's.
"""

import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INDEX = os.environ.get("ASP_CRATES_INDEX", "https://index.crates.io")
API = os.environ.get("ASP_CRATES_API", "https://crates.io/api/v1/crates")
WAIT = float(os.environ.get("ASP_CRATES_WAIT", "620"))
# How crates.io says that it takes no more for now, or that its index is older than what it has.
LATER = ("429", "too many", "Too Many Requests", "try again after", "already exists", "already uploaded")


def ours():
    """Names and versions of what is published."""
    command = ["cargo", "metadata", "--format-version=1", "--no-deps", "--locked"]
    told = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout)
    return {package["name"]: package["version"] for package in told["packages"]}, {
        package["name"] for package in told["packages"] if package["publish"] == []
    }, {package["name"]: package["repository"] or "" for package in told["packages"] if package["publish"] != []}


def versions(name):
    """The versions that the index has; none of a name that nobody has."""
    folder = {1: "1", 2: "2", 3: f"3/{name[:1]}"}.get(len(name), f"{name[:2]}/{name[2:4]}")
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{INDEX}/{folder}/{name}", headers={"User-Agent": "asp-release"}), timeout=60) as answer:
            lines = answer.read().decode().splitlines()
    except (urllib.error.HTTPError, urllib.error.URLError) as error:
        if getattr(error, "code", None) in {404, 410} or isinstance(getattr(error, "reason", None), FileNotFoundError):
            return []
        raise
    return [json.loads(line)["vers"] for line in lines if line]


def strangers(packages):
    """Those of the packages that are on crates.io, but not of this repository."""
    found = []
    for name, repository in packages.items():
        if not versions(name):
            continue
        request = urllib.request.Request(f"{API}/{name}", headers={"User-Agent": "asp-release"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            theirs = json.loads(answer.read())["crate"].get("repository") or ""
        # crates.io asks for no more than one request a second.
        time.sleep(min(WAIT, 1))
        if theirs.rstrip("/").removesuffix(".git") != repository.rstrip("/"):
            found.append(f"{name} is somebody else's: its repository is {theirs or 'not told'}")
    return found


def main():
    """Publishes, and waits."""
    sys.stdout.reconfigure(encoding="utf-8", newline="\n", line_buffering=True)
    packages, private, repositories = ours()
    taken = strangers(repositories)
    if taken:
        sys.exit("\n".join(taken))
    last, stuck = None, 0
    while True:
        there = {name for name, version in packages.items() if name not in private and version in versions(name)}
        left = sorted(packages.keys() - private - there)
        print(f"crates.io: {len(there)} are there, {len(left)} are to come{': ' * bool(left)}{', '.join(left)}")
        if not left:
            return 0
        stuck = stuck + 1 if left == last else 0
        if stuck > 4:
            sys.exit("crates.io takes none of them")
        last = left
        command = ["cargo", "publish", "--workspace", "--locked", "--no-verify"]
        for name in sorted(there | private):
            command += ["--exclude", name]
        run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace")
        print(run.stdout, end="")
        if run.returncode == 0:
            continue
        if not any(mark in run.stdout for mark in LATER):
            return run.returncode
        time.sleep(WAIT)


if __name__ == "__main__":
    sys.exit(main())
