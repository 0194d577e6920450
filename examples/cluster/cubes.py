#!/usr/bin/env python3
"""Searches the cubes of a program on the cores of this machine, or on the machines of a Ray cluster.

    cubes.py [OPTIONS] FILES AND OPTIONS OF GROUNDING -- OPTIONS OF SOLVING

    cubes.py -n 64 queens.lp -c n=12 -- 0 -q
    cubes.py --engine ray --time 60 schedule.lp plant.lp -- --quiet=1

The program is grounded once. A cube that is not closed in time is split again, with twice the time for its parts; one
whose worker is lost is searched again. Better costs reach the other cubes while they run. Results stay in a folder, from
which the same call goes on.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

ENDED = {0, 1, 10, 11, 20, 30}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--asp", default="asp", help="the program, by its path on all machines")
    parser.add_argument("--engine", choices=["local", "ray"], default="local")
    parser.add_argument("--address", help="of the Ray cluster; without it one is started on this machine")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="searches at a time on this machine")
    parser.add_argument("-n", "--number", type=int, default=16, help="cubes to begin with")
    parser.add_argument("--parts", type=int, default=4, help="parts of a cube that is split again")
    parser.add_argument("--time", type=float, default=60, help="seconds for a cube, before it is split")
    parser.add_argument("--folder", type=pathlib.Path, help="for the ground program, cubes and results")
    parser.add_argument("program", nargs="+", help="files and options of grounding")
    own, solving = partition(sys.argv[1:])
    known, program = parser.parse_known_args(own)
    known.program += program
    known.solving = solving
    return known


def partition(words):
    """Words before and after `--`."""
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


def run(command, **more):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)
    if done.returncode not in ENDED:
        raise RuntimeError(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def write(path, text):
    """All of a file or nothing, also for readers on other machines."""
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.rename(path)


def search(asp, program, cubes, cube, seconds, solving, bounds):
    """The result of a cube, as JSON."""
    command = [asp, program, f"--cube={cube}@{cubes}", "--outf=2", f"--time-limit={seconds}"]
    return run(command + solving + ([f"--bound-file={bounds}"] if bounds else []))


def best_of(lines):
    """Of the lines of a file of bounds the one with the best costs: numbers, and behind a tab an answer set."""
    return min(lines, key=lambda line: [int(word) for word in line.split("\t")[0].split()], default=None)


class Driver:
    """Which cubes are open, and what closes them."""

    def __init__(self, options, engine):
        self.options, self.engine = options, engine
        self.folder = options.folder or pathlib.Path(tempfile.mkdtemp(prefix="cubes-"))
        self.results = self.folder / "results"
        self.results.mkdir(parents=True, exist_ok=True)
        self.program = self.folder / "program.aspif"
        self.bounds = self.folder / "bounds"
        if not self.program.exists():
            write(self.program, run([options.asp, "--mode=gringo", *options.program]))
        self.started = self.splits = 0

    def split(self, parent=None):
        """The cubes of the program, or of one of its cubes: their file and names."""
        asp, solving = self.options.asp, self.options.solving
        path = self.folder / ("cubes.jsonl" if parent is None else f"cubes-{parent[1]}.jsonl")
        if not path.exists():
            number = self.options.number if parent is None else self.options.parts
            within = [] if parent is None else [f"--cube={parent[1]}@{parent[0]}"]
            write(path, run([asp, "cubes", "-n", number, self.program, *solving, *within]))
        return [(path, json.loads(line)["id"]) for line in path.read_text().splitlines()[1:]]

    def close(self):
        """Searches until every cube is closed."""
        waiting = [(cube, self.options.time) for cube in self.split()]
        running = {}
        while waiting or running:
            while waiting and len(running) < self.engine.slots:
                (cubes, cube), seconds = waiting.pop()
                result = self.results / f"{cube}.json"
                if result.exists() and json.loads(result.read_text())["Cube"]["Closed"]:
                    continue
                parts = self.folder / f"cubes-{cube}.jsonl"
                if parts.exists():
                    waiting += [(part, 2 * seconds) for part in self.split((cubes, cube))]
                    continue
                self.started += 1
                running[self.engine.start(self, cubes, cube, seconds)] = (cubes, cube), seconds
            for future in self.engine.wait(running):
                (cubes, cube), seconds = running.pop(future)
                try:
                    text = self.engine.result(future)
                except Exception as error:  # A worker that is lost: its cube is as open as before.
                    print(f"cube {cube} is searched again: {error}", file=sys.stderr)
                    waiting.append(((cubes, cube), seconds))
                    continue
                write(self.results / f"{cube}.json", text)
                result = json.loads(text)
                if not result["Cube"]["Closed"] and "TIME LIMIT" in result:
                    self.splits += 1
                    waiting += [(part, 2 * seconds) for part in self.split((cubes, cube))]

    def merge(self):
        files = [self.folder / "cubes.jsonl", *sorted(self.folder.glob("cubes-*.jsonl"))]
        results = sorted(self.results.glob("*.json"))
        bounds = ["--bound-file", self.bounds] if optimises(self) else []
        self.engine.finish(self)
        command = [self.options.asp, "merge", *files, *bounds, "--results", *results]
        print(f"{self.started} searches, {self.splits} cubes split again, results in {self.folder}", file=sys.stderr)
        return subprocess.run([str(word) for word in command]).returncode


class Local:
    """Processes of this machine."""

    def __init__(self, options):
        self.slots = options.workers
        self.pool = concurrent.futures.ThreadPoolExecutor(self.slots)

    def start(self, driver, cubes, cube, seconds):
        options = driver.options
        bounds = driver.bounds if optimises(driver) else None
        words = options.asp, driver.program, cubes, cube, seconds, options.solving, bounds
        return self.pool.submit(search, *words)

    def finish(self, driver):
        """The runs have shared the file of bounds."""

    def wait(self, running):
        return concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done

    def result(self, future):
        return future.result()


class Ray:
    """Tasks of a Ray cluster, with an actor that knows the best answer set."""

    def __init__(self, options):
        import ray

        self.ray = ray
        if options.address:
            ray.init(address=options.address, log_to_driver=False)
        else:
            ray.init(num_cpus=options.workers, include_dashboard=False, log_to_driver=False)
        self.slots = 2 * int(ray.cluster_resources().get("CPU", 1))

        @ray.remote(num_cpus=0, max_restarts=3, max_task_retries=3)
        class Best:
            def __init__(self):
                self.line = None

            def exchange(self, line):
                self.line = best_of([known for known in (line, self.line) if known is not None])
                return self.line

        @ray.remote(num_cpus=1, max_retries=3)
        def task(asp, program, cubes, cube, seconds, solving, best):
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                (folder / "program.aspif").write_text(program)
                (folder / "cubes.jsonl").write_text(cubes)
                bounds = folder / "bounds" if best is not None else None
                over = threading.Event()
                exchanging = threading.Thread(target=exchange, args=(best, bounds, over))
                exchanging.start()
                try:
                    paths = folder / "program.aspif", folder / "cubes.jsonl"
                    return search(asp, *paths, cube, seconds, solving, bounds)
                finally:
                    over.set()
                    exchanging.join()

        def exchange(best, bounds, over):
            """Carries answer sets between a search and the actor, until the search is over and once more then."""
            ended = best is None
            while not ended:
                ended = over.wait(0.1)
                text = bounds.read_text() if bounds.exists() else ""
                own = best_of(text[: text.rfind("\n") + 1].splitlines())
                known = ray.get(best.exchange.remote(own))
                if known is not None and known != own:
                    with bounds.open("a") as file:
                        file.write(known + "\n")

        self.task, self.best, self.program = task, Best.remote(), None
        self.files = {}

    def start(self, driver, cubes, cube, seconds):
        options = driver.options
        if self.program is None:
            self.program = self.ray.put(driver.program.read_text())
        if cubes not in self.files:
            self.files[cubes] = self.ray.put(cubes.read_text())
        best = self.best if optimises(driver) else None
        words = options.asp, self.program, self.files[cubes], cube, seconds, options.solving, best
        return self.task.remote(*words)

    def wait(self, running):
        return self.ray.wait(list(running), num_returns=1)[0]

    def result(self, future):
        return self.ray.get(future)

    def finish(self, driver):
        """The best answer set goes where the runs of one machine have it."""
        line = self.ray.get(self.best.exchange.remote(None))
        write(driver.bounds, line + "\n" if line else "")


def optimises(driver):
    """Whether one of the best answer sets is looked for: aspif has a line `2 ...` for each level of an objective."""
    other = any(word.startswith(("--opt-mode", "-e", "--enum-mode")) for word in driver.options.solving)
    if other:
        return False
    with driver.program.open() as file:
        return any(line.startswith("2 ") for line in file)


def main():
    options = arguments()
    start = time.monotonic()
    driver = Driver(options, Ray(options) if options.engine == "ray" else Local(options))
    driver.close()
    print(f"closed in {time.monotonic() - start:.2f} s", file=sys.stderr)
    sys.exit(driver.merge())


if __name__ == "__main__":
    main()
