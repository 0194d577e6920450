#!/usr/bin/env python3
"""The pages under docs/ as a site: release/site.py MDBOOK OUT [PAGE]

MDBOOK makes the book; PAGE is the folder of the page, which examples run in. Links to what is no page of the book lead to the
repository. All links within the site are checked.
"""

import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"(\]\()([^)\s]+)(\))")


def repository():
    """The address of the repository."""
    return re.search(r'(?m)^repository = "(.*)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8")).group(1)


def tag():
    """The tag of this version, whose files the links mean: those of a branch change."""
    return "v" + re.search(r'(?m)^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8")).group(1)


def rewritten(text, page, pages):
    """The text with links that fit the book; `page` is its place in the repository."""

    def link(found):
        target = found.group(2)
        if re.match(r"[a-z]+:|#", target):
            return found.group(0)
        path, _, anchor = target.partition("#")
        place = (ROOT / page).parent.joinpath(path).resolve()
        if not place.exists():
            sys.exit(f"{page}: {target} is not there")
        name = place.relative_to(ROOT).as_posix()
        to = pages.get(name) or f"{repository()}/{'tree' if place.is_dir() else 'blob'}/{tag()}/{name}"
        return found.group(1) + to + ("#" + anchor if anchor else "") + found.group(3)

    return LINK.sub(link, text)


class Links(html.parser.HTMLParser):
    """What a file links to, and where it can be linked to."""

    def __init__(self):
        super().__init__()
        self.targets, self.anchors = [], {""}

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            if value and (tag, name) in {("a", "href"), ("link", "href"), ("script", "src"), ("img", "src")}:
                self.targets.append(value)


def broken(site):
    """Links within the site that lead nowhere."""
    files = {}
    for path in site.rglob("*.html"):
        files[path.resolve()] = links = Links()
        links.feed(path.read_text(encoding="utf-8"))
    for path, links in files.items():
        # Of the page for what is not found, links are those of a root that is known later.
        if path.name in {"404.html", "toc.html"} or "page" in path.relative_to(site).parts:
            continue
        for target in links.targets:
            if re.match(r"[a-z]+:|//", target):
                continue
            place, _, anchor = urllib.parse.unquote(target).partition("#")
            to = (path.parent / place).resolve() if place else path
            if to.is_dir():
                to = to / "index.html"
            if not to.exists() or (anchor and to in files and anchor not in files[to].anchors):
                yield f"{path.relative_to(site)}: {target}"


def main():
    """Makes the site."""
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    mdbook, out = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    summary = (ROOT / "release/site/SUMMARY.md").read_text(encoding="utf-8")
    named = re.findall(r"\]\((\S+\.md)\)", summary)
    pages = {"README.md" if name == "index.md" else f"docs/{name}": name for name in named}
    missing = sorted(p.name for p in (ROOT / "docs").glob("*.md") if p.name not in named)
    if missing:
        sys.exit(f"release/site/SUMMARY.md does not name {', '.join(missing)}")
    with tempfile.TemporaryDirectory() as folder:
        book = pathlib.Path(folder)
        shutil.copytree(ROOT / "release/site", book, dirs_exist_ok=True)
        (book / "src").mkdir()
        (book / "SUMMARY.md").rename(book / "src/SUMMARY.md")
        for page, name in pages.items():
            text = (ROOT / page).read_text(encoding="utf-8")
            (book / "src" / name).write_text(rewritten(text, page, pages), encoding="utf-8", newline="\n")
        shutil.rmtree(out, ignore_errors=True)
        subprocess.run([mdbook, "build", str(book), "--dest-dir", str(out)], check=True)
    if len(sys.argv) > 3:
        shutil.copytree(sys.argv[3], out / "page")
    wrong = list(broken(out))
    if wrong:
        sys.exit("links that lead nowhere:\n" + "\n".join(wrong))
    print(f"site: {len(pages)} pages, no link within it is broken")


if __name__ == "__main__":
    main()
