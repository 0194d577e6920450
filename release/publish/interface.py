#!/usr/bin/env python3
"""Whether a version may follow a release, by what others may use: release/publish/interface.py TAG VERSION

Compares tests/golden/api/asp.txt, which a test keeps complete, with that of the tag. What is gone or has changed needs a major
version, before 1.0 a minor one.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECORD = "tests/golden/api/asp.txt"


def main():
    """Compares."""
    tag, version = sys.argv[1:]
    command = ["git", "show", f"{tag}:{RECORD}"]
    before = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout.splitlines()
    now = (ROOT / RECORD).read_text(encoding="utf-8").splitlines()
    gone = sorted(set(before) - set(now))
    old, new = (tuple(int(part) for part in name.removeprefix("v").split("-")[0].split(".")) for name in (tag, version))
    # The numbers that stay while nothing that is used breaks.
    kept = 1 if old[0] else 2
    for line in gone:
        print(f"gone since {tag}: {line}")
    if gone and old[:kept] == new[:kept]:
        sys.exit(f"{version} may not follow {tag}: {len(gone)} lines of {RECORD} are gone")
    print(f"interface: {version} may follow {tag}")


if __name__ == "__main__":
    main()
