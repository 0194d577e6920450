#!/usr/bin/env python3
"""Makes an archive, and its checksum beside it: release/archive.py FOLDER FILE.tar.gz|FILE.zip

The same files make the same archive: in the order of their names, without times and owners.
"""

import gzip
import hashlib
import pathlib
import sys
import tarfile
import zipfile


def is_program(path):
    """Whether a file is to be run."""
    return path.parent.name == "bin" or path.suffix == ".sh"


def main():
    """Packs a folder, which is the archive's only entry at its top."""
    folder, archive = map(pathlib.Path, sys.argv[1:])
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
            for path in files:
                entry = zipfile.ZipInfo(path.relative_to(folder.parent).as_posix(), (1980, 1, 1, 0, 0, 0))
                entry.external_attr = (0o755 if is_program(path) else 0o644) << 16
                packed.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    else:
        with open(archive, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as zipped:
            with tarfile.open(fileobj=zipped, mode="w") as packed:
                for path in files:
                    entry = tarfile.TarInfo(path.relative_to(folder.parent).as_posix())
                    entry.size = path.stat().st_size
                    entry.mode = 0o755 if is_program(path) else 0o644
                    with open(path, "rb") as file:
                        packed.addfile(entry, file)
    checksum = hashlib.sha256(archive.read_bytes()).hexdigest()
    line = f"{checksum}  {archive.name}\n"
    archive.with_name(archive.name + ".sha256").write_text(line, encoding="utf-8", newline="\n")
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    print(line, end="")


if __name__ == "__main__":
    main()
