"""clinguin: the window of its description, with the atoms of a small program in it, asked of its server after each click."""

import json
import os
import tempfile

from readme import blocks
from servers import ask, free_port, running

DOMAIN = "1 { p(1..3) } 2. q(X) :- p(X), not r. { r }."
# What the brave and the cautious consequences show.
WINDOW = """
elem(box, container, w).
elem(any(X), label, box) :- _any(p(X)).
elem(all(X), label, box) :- _all(q(X)).
attr(any(X), label, X) :- _any(p(X)).
"""
CLICKS = ["next_solution", "add_assumption(p(1),true)", "add_assumption(r,false)", "next_solution", "clear_assumptions"]


def normal(item):
    """The same whatever the order of elements, attributes and events."""
    if isinstance(item, dict):
        return {key: normal(value) for key, value in item.items()}
    if isinstance(item, list):
        return sorted((normal(part) for part in item), key=lambda part: json.dumps(part, sort_keys=True))
    return item


def main():
    with open("domain.lp", "w", encoding="utf-8") as file:
        file.write(DOMAIN)
    with open("window.lp", "w", encoding="utf-8") as file:
        file.write(blocks("clinguin", "prolog")[0] + WINDOW)
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    arguments = ["server", "--domain-files", "domain.lp", "--ui-files", "window.lp", "--server-port", str(port)]
    with running("clinguin", arguments, url, "/health"):
        print(json.dumps(normal(ask(url + "/")), indent=1, sort_keys=True))
        for click in CLICKS:
            answer = ask(url + "/backend", data={"function": click, "context": []})
            print(click, json.dumps(normal(answer), indent=1, sort_keys=True))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main()
