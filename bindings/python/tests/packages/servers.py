"""Starts a package's server, and asks it."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(url, session=None, data=None):
    """What a server answers, as JSON if it is."""
    headers = {"Content-Type": "application/json"}
    if session is not None:
        headers["Authorization"] = f"Bearer {session}"
    body = None if data is None else json.dumps(data).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=60) as answer:
        text = answer.read().decode()
    try:
        return json.loads(text)
    except ValueError:
        return text


@contextlib.contextmanager
def running(program, arguments, url, health):
    """The program of the environment's `bin` with some arguments, until the end of the block."""
    command = [sys.executable, os.path.join(os.path.dirname(sys.executable), program), *arguments]
    with open("server.log", "w", encoding="utf-8") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        for _ in range(600):
            try:
                ask(url + health)
                break
            except OSError:
                if server.poll() is not None:
                    break
                time.sleep(0.1)
        else:
            sys.exit(f"{program} does not answer")
        if server.poll() is not None:
            sys.exit(open("server.log", encoding="utf-8").read())
        yield
    finally:
        server.terminate()
        server.wait()
