"""viasp: the first program of its description, all its answer sets marked, and the graph that its server makes of them."""

import os
import tempfile

from readme import blocks
from servers import ask, free_port, running


def mark(url):
    from viasp import Control

    with open("hamiltonian.lp", "w", encoding="utf-8") as file:
        file.write(blocks("viasp", "prolog")[0])
    control = Control(["0"], viasp_backend_url=url)
    control.load("hamiltonian.lp")
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        for model in handle:
            control.viasp.mark(model)
    control.viasp.show()
    return control.viasp.get_session_id()


def text(symbol):
    arguments = ",".join(map(text, symbol.get("arguments", [])))
    return f"{symbol['name']}({arguments})" if "name" in symbol else str(symbol["number"])


def main():
    from viasp.shared.defaults import GRAPH_PATH

    # It keeps graphs from run to run.
    GRAPH_PATH.unlink(missing_ok=True)
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with running("viasp_backend", ["--host", "127.0.0.1", "-p", str(port)], url, "/healthcheck"):
        session = mark(url)
        for step in ask(url + "/graph/sorted_program", session):
            print(step["id"], sorted(step["rules"]["str_"]))
            nodes = ask(f"{url}/graph/children/{step['hash']}", session)
            for new in sorted(sorted(text(atom["symbol"]) for atom in node["diff"]) for node in nodes):
                print("   ", *new)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        main()
