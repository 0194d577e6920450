"""`asp mcp` in a real client, the package `mcp`: each tool, limits, files, cancellation."""

import asyncio
import json
import os
import subprocess
import time

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ASP = os.environ.get("ASP", "asp")
PLACES = {"file", "line", "column", "end_line", "end_column"}


def talk(folder, conversation, *arguments):
    """Starts a server in the folder, and lets the conversation call its tools."""

    async def main():
        server = StdioServerParameters(command=ASP, args=["mcp", *arguments], cwd=str(folder), env=dict(os.environ))
        async with stdio_client(server) as (read, write):
            async with ClientSession(read, write) as session:
                await session.initialize()

                async def call(tool, **given):
                    result = await session.call_tool(tool, given)
                    return (False if result.is_error is None else result.is_error), result.structured_content, result.content[0].text

                return await conversation(session, call)

    return asyncio.run(asyncio.wait_for(main(), 120))


def test_tools_are_described(tmp_path):
    async def conversation(session, _):
        return (await session.list_tools()).tools

    tools = talk(tmp_path, conversation)
    assert [tool.name for tool in tools] == ["check", "solve", "count", "why", "why-unsat", "explain", "fmt", "test"]
    assert all(tool.description and tool.input_schema["type"] == "object" for tool in tools)
    assert "atom" in next(tool for tool in tools if tool.name == "why").input_schema["required"]


def test_check_repair_test(tmp_path):
    """The loop that the page for agents describes."""

    async def conversation(_, call):
        _, told, _ = await call("check", program="p(X) :- q(Y).\nq(1).\n")
        assert told["errors"] == 1
        error = next(m for m in told["diagnostics"] if m["severity"] == "error")
        assert error["message"] == "unsafe variable `X`"
        place = error["spans"][0]
        assert PLACES <= place.keys() and (place["file"], place["line"], place["column"]) == ("program.lp", 1, 3)
        program = "p(X) :- q(X).\nq(1).\n%@test: count 1\n%@test: contains p(1)\n"
        assert (await call("check", program=program))[1]["errors"] == 0
        _, told, _ = await call("test", program=program)
        assert told["passed"] and told["tests"] == 2
        _, told, _ = await call("test", program=program.replace("count 1", "count 2"))
        assert not told["passed"] and "program.lp:3" in told["text"]
        _, told, _ = await call("fmt", program="p(X):-q(X).")
        assert told["program"] == "p(X) :- q(X).\n"

    talk(tmp_path, conversation)


def test_check_tells_what_asp_check_tells(tmp_path):
    """Errors, warnings and lints, with their help."""
    undefined = "node(1..3). { assign(N,C) : colour(C) } = 1 :- nodes(N). colour(red;blue)."
    programs = [undefined, "a(1). c(1). b(X) :- a(X), c(Y).", "p(X) :- q(Y).\nq(1).\nr :- s.", "a :- .b", "a."]

    async def conversation(_, call):
        told = [(await call("check", program=program))[1]["diagnostics"] for program in programs]
        codes = [{(m["severity"], m["code"]) for m in messages} for messages in told]
        assert ("warning", "atom-undefined") in codes[0] and told[0][0]["help"] == ["did you mean `node/1`?"]
        assert ("info", "singleton-variable") in codes[1]
        for program, messages in zip(programs, told):
            (tmp_path / "program.lp").write_text(program)
            said = subprocess.run([ASP, "check", "--message-format=json", "program.lp"], capture_output=True, cwd=tmp_path).stdout.decode()
            assert messages == [json.loads(line) for line in said.splitlines()]

    talk(tmp_path, conversation)


def test_nothing_is_no_success(tmp_path):
    """What could not be read, did not end, or has no tests is told from what is right."""
    many = "p(X) :- q.\n" * 20_000

    async def conversation(_, call):
        failed, told, _ = await call("check", files=["nofile.lp"])
        assert failed and told["errors"] == 1 and "nofile.lp" in told["diagnostics"][0]["message"], told
        failed, told, text = await call("check", program=many)
        assert told["errors"] is None and failed or told["errors"] > 0 and told["more"] > 0, told
        assert len(told["diagnostics"]) <= 100 and len(text) < 1 << 17
        failed, told, text = await call("solve", program="p(n).", constants={"n": ""})
        assert failed and "no term" in text
        for tool in ["solve", "count"]:
            failed, told, _ = await call(tool, program="p(n).", constants={"n": ")"})
            assert failed, told
        failed, told, _ = await call("test", program="a.")
        assert not told["passed"] and told["tests"] == 0, told
        failed, told, _ = await call("test", program="a :- .b\n%@test: sat\n")
        assert not told["passed"], told

    talk(tmp_path, conversation, "--time-limit=5")


def test_answers(tmp_path):
    async def conversation(_, call):
        failed, told, _ = await call("solve", program="{ a; b }. :- a, b.", models=0)
        assert not failed and told["Models"]["Number"] == 3 and told["exit_code"] == 30
        _, told, _ = await call("solve", program="1 { p(1..n) }. #minimize { X : p(X) }.", constants={"n": 7})
        assert told["Result"] == "OPTIMUM FOUND" and told["Models"]["Costs"] == [1]
        _, told, _ = await call("solve", program="{ a }. b.", consequences="cautious", models=0)
        assert told["Call"][0]["Witnesses"][-1]["Value"] == ["b"]
        _, told, _ = await call("count", program="{ p(1..20) }.")
        assert told["count"] == 2**20
        _, told, _ = await call("why", program="a :- b.\nb.\n", atom="a")
        assert told["explanation"]["holds"] == "always" and told["explanation"]["why"]["place"]["line"] == 1
        _, told, _ = await call("explain", program="a :- b.\n{ b }. :- b.\n", atom="a")
        assert told["question"] == "why-not"
        _, told, _ = await call("explain", program="a.", atom="a")
        assert told["question"] == "why"
        _, told, _ = await call("why-unsat", program="a.\n:- a.\n")
        assert {part["place"]["line"] for part in told["explanation"]["parts"]} == {1, 2}
        failed, told, _ = await call("solve", program="a :- .b")
        assert failed and "program.lp:1" in told["messages"]

    talk(tmp_path, conversation)


def test_files_of_the_folder_and_no_others(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "secret.lp").write_text("secret.")
    (folder / "own.lp").write_text('own. #include "part.lp".')
    (folder / "part.lp").write_text("part.")
    (folder / "link.lp").symlink_to(tmp_path / "secret.lp")

    async def conversation(_, call):
        _, told, _ = await call("solve", files=["own.lp"])
        assert sorted(told["Call"][0]["Witnesses"][0]["Value"]) == ["own", "part"]
        for name in ["../secret.lp", str(tmp_path / "secret.lp"), "link.lp", "--html=x", "folder/../../secret.lp", "-"]:
            failed, told, text = await call("solve", files=[name])
            assert failed and "secret\"" not in text, (name, text)
        for name in ["../secret.lp", str(tmp_path / "secret.lp"), "link.lp"]:
            failed, told, text = await call("solve", program=f'#include "{name}".')
            assert failed and "secret" not in str(told.get("Call")), (name, text)
        _, told, _ = await call("fmt", program="a.")
        failed, _, _ = await call("fmt", files=["own.lp"])
        assert failed
        failed, _, _ = await call("why", program="a.", atom="--html=made.html")
        assert failed
        # Nothing is written, and no script runs.
        script = "#script (python)\nopen('made', 'w')\n#end.\na."
        failed, told, _ = await call("solve", program=script)
        assert failed

    talk(folder, conversation)
    assert sorted(os.listdir(folder)) == ["link.lp", "own.lp", "part.lp"]
    assert (folder / "own.lp").read_text() == 'own. #include "part.lp".'


def test_tests_of_files(tmp_path):
    """`test` finds files where `solve` does: in the folder, and in the library."""
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "secret.lp").write_text("secret.\n%@test: sat\n")
    (folder / "good.lp").write_text("a.\n%@test: count 1\n")
    (folder / "bad.lp").write_text('#include "good.lp".\n%@test: count 2\n')
    (folder / "link.lp").symlink_to(tmp_path / "secret.lp")

    async def conversation(_, call):
        _, told, _ = await call("test", files=["good.lp"])
        assert told["passed"] and "1 passed, 0 failed" in told["text"], told
        _, told, _ = await call("test", files=["good.lp", "bad.lp"])
        assert not told["passed"] and "bad.lp:2" in told["text"] and "1 passed, 1 failed" in told["text"], told
        _, told, _ = await call("test", files=["futoshiki.lp"])
        assert told["passed"] and "embedded" in told["messages"], told
        for name in ["link.lp", "nowhere.lp"]:
            _, told, _ = await call("test", files=[name])
            assert not told["passed"] and told["exit_code"] == 65, told
            assert "secret" not in told["text"] and "the page" not in told["messages"], told

    talk(folder, conversation)


def test_what_is_too_long(tmp_path):
    """Of answer sets that are too many to be told, what stands below them is."""

    async def conversation(_, call):
        failed, told, text = await call("solve", program="{ p(1..15) }.", models=0)
        assert not failed and "too_long" in told and len(text) < 1 << 17
        assert told["Models"]["Number"] == 2**15 and told["Result"] == "SATISFIABLE" and told["exit_code"] == 30
        # As many as fit, each of them whole.
        witnesses = told["Call"][0]["Witnesses"]
        assert len(witnesses) > 100 and len({tuple(sorted(w["Value"])) for w in witnesses}) == len(witnesses)
        failed, told, text = await call("solve", program="{ p(1..12) }.", models=0)
        assert not failed and "too_long" in told and told["Models"]["Number"] == 4096 and 100 < len(told["Call"][0]["Witnesses"]) < 4096
        failed, told, text = await call("test", program="a.\n" + "%@test: contains b\n" * 3000)
        assert not told["passed"] and told["tests"] == 3000 and "too_long" in told and len(text) < 1 << 17
        failed, told, text = await call("fmt", program="a(1..3).\n" * 20000)
        assert failed and told["program"] is None and "too_long" in told

    talk(tmp_path, conversation)


def test_reply_limit(tmp_path):
    async def conversation(_, call):
        _, told, _ = await call("solve", program="{ p(1..5) }.", models=0)
        few = len(told["Call"][0]["Witnesses"])
        assert 0 < few < 32 and "too_long" in told

    talk(tmp_path, conversation, "--reply-limit=1")


def test_folder(tmp_path):
    """Files are read below the folder that is named; below a root none are."""
    (tmp_path / "own.lp").write_text("own.")

    async def reads(_, call):
        failed, told, _ = await call("solve", files=["own.lp"])
        return not failed and told["Call"][0]["Witnesses"][0]["Value"] == ["own"]

    async def reads_below_root(_, call):
        failed, told, _ = await call("solve", files=[str(tmp_path / "own.lp").lstrip("/")])
        assert (await call("solve", program="a."))[1]["Result"] == "SATISFIABLE"
        return not failed

    assert talk("/", reads, f"--folder={tmp_path}")
    assert not talk("/", reads_below_root)
    assert talk("/", reads_below_root, "--folder=/")
    gone = subprocess.run([ASP, "mcp", "--folder=nowhere"], input=b"", capture_output=True, cwd=tmp_path, timeout=60)
    assert gone.returncode == 65 and b"nowhere" in gone.stderr


def test_limits_and_cancellation(tmp_path):
    endless = "n(0). n(N+1) :- n(N)."

    async def conversation(session, call):
        begun = time.monotonic()
        _, told, _ = await call("solve", program=endless)
        assert time.monotonic() - begun < 20 and told["exit_code"] != 30
        # Who gives up is not waited for.
        waiting = asyncio.create_task(session.call_tool("solve", {"program": endless}))
        await asyncio.sleep(0.3)
        waiting.cancel()
        _, told, _ = await call("solve", program="a.")
        assert told["Result"] == "SATISFIABLE"

    talk(tmp_path, conversation, "--time-limit=2")


def test_wrong_use(tmp_path):
    async def conversation(session, call):
        for given in [{}, {"program": 1}, {"program": "a.", "models": -1}, {"files": "a.lp"}, {"program": "a.", "constants": {"-q": 1}}]:
            assert (await call("solve", **given))[0], given
        assert (await call("why", program="a."))[0]
        # What no schema has.
        for tool, name, value in [("solve", "bogus", 1), ("solve", "atom", "a"), ("check", "models", 1), ("test", "constants", {}),
                                  ("fmt", "constants", {"n": 1}), ("fmt", "files", ["a.lp"])]:
            failed, _, text = await call(tool, program="a.", **{name: value})
            assert failed and f"`{tool}` takes no `{name}`" in text, text
        for constants in [1, [], {"n": None}, {"n": 1.5}, {"n": [1]}]:
            assert (await call("solve", program="p(n).", constants=constants))[0], constants
        with pytest.raises(Exception, match="no tool"):
            await session.call_tool("frobnicate", {})
        await session.send_ping()

    talk(tmp_path, conversation)


def test_what_is_no_message(tmp_path):
    lines = b'nonsense\n[]\n{"jsonrpc":"2.0","id":5,"method":7}\n{"jsonrpc":"2.0","id":6}\n{"jsonrpc":"2.0","id":7,"result":{}}\n{"jsonrpc":"2.0","id":1,"method":"nothing"}\n\n{"jsonrpc":"2.0","method":"nothing"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n'
    said = subprocess.run([ASP, "mcp"], input=lines, capture_output=True, cwd=tmp_path, timeout=60, check=True).stdout.decode().splitlines()
    said = [json.loads(line) for line in said]
    assert [m.get("error", {}).get("code") for m in said] == [-32700, -32600, -32600, -32600, -32601, None]
    assert [m["id"] for m in said] == [None, None, 5, 6, 1, 2]
    assert said[-1] == {"jsonrpc": "2.0", "id": 2, "result": {}}
