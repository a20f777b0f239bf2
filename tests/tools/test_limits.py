"""What no call can do: write, read outside the roots, outlast its time, or be taken for another
command line.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import psutil
import pytest
from tools.clients import Result, ask, call, connected, in_a_loop

from topograph.errors import NotInstalled
from topograph.questions.question import Parameter, ParameterKind
from topograph.questions.records import QUESTIONS
from topograph.tools import calls
from topograph.tools.definitions import Limits, called, command_line, input_schema, parameters
from topograph.tools.errors import ToolError
from topograph.tools.roots import Roots

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
LIMITS = Limits(budget=5, timeout=30)
SCRIPT = "create route E url=tcp://e.example.net:7222 zone_name=Z zone_type=mhop\n"
each_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)


@pytest.fixture
def estate(tmp_path: Path) -> Path:
    """A folder that is served, with a script; and files beside it that are not to be read."""
    folder = tmp_path / "served"
    for file in sorted((EXAMPLES / "mhop-star" / "legal").rglob("*")):
        if file.is_file():
            to = folder / "conf" / file.relative_to(EXAMPLES / "mhop-star" / "legal")
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(file.read_bytes())
    (folder / "change.txt").write_text(SCRIPT)
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "hidden.txt").write_text("delete topic KEEP-THIS\n")
    (folder / "link.txt").symlink_to(secret / "hidden.txt")
    (folder / "linked").symlink_to(secret)
    return folder


def options(folder: Path, *more: str) -> list[str]:
    return ["-s", str(folder / "conf"), "--root", str(folder), *more]


def content(folder: Path) -> Mapping[str, tuple[int, bytes]]:
    return {
        str(file.relative_to(folder)): (file.lstat().st_mtime_ns, file.read_bytes())
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


@each_question
def test_no_tool_has_a_parameter_that_writes(question: Any) -> None:
    schema = input_schema(question, LIMITS)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["additionalProperties"] is False
    written = {one.name for one in question.parameters if one.kind is ParameterKind.WRITTEN}
    assert not written & set(schema["properties"])
    assert not {"snapshot", "engine", "format", "show_cypher"} & set(schema["properties"])
    own = [called(one) for one in parameters(question)]
    assert len({*own, "network", "budget"}) == len(own) + 2


@pytest.mark.slow
def test_every_file_that_is_not_called_written_is_read(tmp_path: Path) -> None:
    """A parameter that writes, and is recorded as one that reads, would be in a tool."""
    place = tmp_path / "missing" / "file"
    for question in QUESTIONS:
        for one in question.parameters:
            if one.kind not in (*_FILES, ParameterKind.WRITTEN) or one.only == "python":
                continue
            assert one.option, one.name
            words = [question.name, f"{one.option}={place}"]
            if one.name in ("before", "after", "replay"):
                words = ["audit", f"--before={place}", f"--after={place}"]
            elif question.name == "audit" and one.name != "change":
                words.append(f"--change=B={EXAMPLES / 'changes' / 'route-b-d.txt'}")
            elif question.name in ("propagate", "trace"):
                words += ["--destination=topic:x", "--", "A"]
            done = subprocess.run(
                [
                    *(sys.executable, "-P", "-m", "topograph", words[0]),
                    *("-s", str(EXAMPLES / "mhop-star" / "legal"), *words[1:]),
                ],
                capture_output=True,
                text=True,
                check=False,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )
            assert done.returncode in (2, 3), (words, done.stderr)
            told_to_write = "cannot be written" in done.stderr
            assert told_to_write == (one.kind is ParameterKind.WRITTEN), (words, done.stderr)


_FILES = (
    *(ParameterKind.FILE, ParameterKind.STATE, ParameterKind.OBSERVED, ParameterKind.CLIENTS),
)


def test_nothing_is_written_and_nothing_outside_is_read(estate: Path) -> None:
    before, beside = content(estate), content(estate.parent / "secret")
    outside = [
        "../secret/hidden.txt",
        str(estate.parent / "secret" / "hidden.txt"),
        "link.txt",
        "linked/hidden.txt",
        "A=../secret/hidden.txt",
        "A=link.txt",
        "/etc/passwd",
        "A=/etc/passwd",
        "conf/../../secret/hidden.txt",
    ]
    tried = [
        *(("audit", {"change": [one]}) for one in outside),
        ("audit", {"change": ["A=change.txt"], "policy": ["../secret/hidden.txt"]}),
        ("audit", {"before": "conf", "after": "../secret"}),
        ("audit", {"before": "linked", "after": "conf"}),
        ("audit", {"replay": "link.txt"}),
        ("propagate", {"from": "A", "message": "linked/hidden.txt"}),
        ("trace", {"from": "A", "destination": "topic:x", "clients": "link.txt"}),
        ("interests", {"observed": "link.txt"}),
    ]
    results = ask(options(estate), tried)
    for (name, arguments), result in zip(tried, results, strict=True):
        assert result.error, (name, arguments)
        assert "is outside the folders that this server reads" in result.text, arguments
        assert "KEEP-THIS" not in result.text
    states = ["neo4j:1", "HEAD:conf", "git:HEAD", "http://example.net/conf:1"]
    refused = [("audit", {"before": one, "after": "conf"}) for one in states]
    writing = [
        ("audit", {"change": ["A=change.txt"], option: "out.json"})
        for option in ("save", "sarif", "junit", "markdown")
    ]
    asked = [("reach", {"from": "A", "snapshot": "/etc"}), ("import", {}), ("view", {})]
    worded = [("reach", {"from": "--help"}), ("reach", {"from": "-s/etc"})]
    for result in ask(options(estate), [*refused, *writing, *asked, *worded]):
        assert result.error
    assert content(estate) == before
    assert content(estate.parent / "secret") == beside


@pytest.mark.slow
def test_what_lies_in_the_roots_is_read(estate: Path) -> None:
    change, observed, both = ask(
        options(estate),
        [
            ("audit", {"change": ["A=change.txt"]}),
            ("interests", {"observed": "listed"}),
            ("audit", {"before": "conf", "after": "./conf"}),
        ],
    )
    assert change.answer is not None
    assert change.answer["steps"][0]["source"]["file"] == "change.txt"
    assert not observed.error, observed.text
    assert both.answer is not None
    assert both.answer["verdict"] == "accept"


@pytest.mark.slow
def test_links_in_folders_archives_and_snapshots_do_not_lead_out(estate: Path) -> None:
    (estate / "other").mkdir()
    (estate / "other" / "tibemsd.conf").symlink_to(estate.parent / "secret" / "hidden.txt")
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("../../secret/tibemsd.conf", "server = OUT\nrouting = enabled\n")
        link = zipfile.ZipInfo("a/tibemsd.conf")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, str(estate.parent / "secret" / "hidden.txt"))
    (estate / "bad.zip").write_bytes(data.getvalue())
    (estate / "kept").mkdir()
    (estate / "kept" / "manifest.json").symlink_to(estate.parent / "secret" / "hidden.txt")
    before = content(estate.parent / "secret")
    tried = [("audit", {"before": "conf", "after": one}) for one in ("other", "bad.zip", "kept")]
    for result in ask(options(estate), tried):
        assert "KEEP-THIS" not in json.dumps(result.answer) + result.text
        assert result.error or result.exit_code != 0
    assert content(estate.parent / "secret") == before


def test_a_state_that_is_a_snapshot_has_no_link_that_leads_out(estate: Path) -> None:
    kept = estate / "kept"
    (kept / "data").mkdir(parents=True)
    (kept / "manifest.json").symlink_to(estate.parent / "secret" / "hidden.txt")
    state = Parameter("after", ParameterKind.STATE, "", option="--after")
    with pytest.raises(ToolError, match="outside the folders"):
        Roots((estate.resolve(),)).check(state, "kept")


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("reach", {}, "'from' is a required property"),
        ("reach", {"from": 7}, "from: 7 is not of type 'string'"),
        ("reach", {"from": "A", "reply": "yes"}, "reply: 'yes' is not of type 'boolean'"),
        ("reach", {"from": "A", "more": 1}, "'more' was unexpected"),
        ("reach", {"from": "A", "expect": "maybe"}, "is not one of"),
        ("reach", {"from": "A" * 5_000}, "is too long"),
        ("reach", {"from": "A\0B"}, "holds a NUL character"),
        ("reach", {"from": "A", "budget": 0}, "0 is less than or equal to the minimum of 0"),
        ("reach", {"from": "A", "budget": 6}, "6 is greater than the maximum of 5"),
        ("paths", {"from": "A", "to": "B", "maximum": 0}, "0 is less than the minimum of 1"),
        ("hops", {"to": "A"}, "to needs from."),
        ("show", {"what": "server"}, "is not one of"),
        ("propagate", {"from": "A", "properties": "a=1"}, "is not of type 'array'"),
        ("nothing", {}, "There is no tool 'nothing'."),
    ],
)
def test_a_call_that_does_not_fit_is_an_error_that_names_the_argument(
    name: str, arguments: dict[str, Any], said: str
) -> None:
    pytest.importorskip("mcp")
    from topograph.tools.server import Served, make

    served = Served(EXAMPLES / "mhop-star" / "legal", None, Roots(()), LIMITS)

    async def asked() -> None:
        await served.call(name, arguments, calls.Calls(1))

    with pytest.raises(ToolError, match=said.replace("'", ".").replace("(", ".")[:60]):
        in_a_loop(asked)
    assert make(served, calls.Calls(1)).name == "topograph"


def test_values_are_never_options() -> None:
    (audit,) = [one for one in QUESTIONS if one.name == "audit"]
    (reach,) = [one for one in QUESTIONS if one.name == "reach"]
    given = {"change": ["--save=x"], "policy": ["-o"], "accept_undetermined": True}
    words = command_line(audit, given, lambda *_: None)
    assert words == [
        *("audit", "--change=--save=x", "--policy=-o", "--accept-undetermined"),
        "--",
    ]
    assert command_line(reach, {"from": "--help", "to": "-s"}, lambda *_: None) == [
        *("reach", "--", "--help", "-s"),
    ]


def test_without_roots_a_call_names_no_file() -> None:
    (audit,) = [one for one in QUESTIONS if one.name == "audit"]
    with pytest.raises(ToolError, match="Start it with --root DIR"):
        command_line(audit, {"change": ["x"]}, Roots(()).check)


@pytest.mark.slow
def test_a_call_ends_with_its_time_and_the_server_goes_on(estate: Path) -> None:
    os.mkfifo(estate / "waits.txt")  # reading it never ends

    async def asked() -> tuple[Result, float, Result]:
        async with connected(options(estate, "--timeout", "6")) as session:
            begun = time.monotonic()
            late = await call(session, "audit", {"change": ["A=waits.txt"]})
            taken = time.monotonic() - begun
            return late, taken, await call(session, "check", {"rule": "R13"})

    late, taken, after = in_a_loop(asked)
    assert late.error
    assert "took longer than 6 s, reading included, and was ended" in late.text
    assert taken < 60
    assert after.answer is not None or "took longer" in after.text
    assert not list(_children_that_read(estate / "waits.txt"))


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL, None])
def test_a_server_that_ends_takes_its_calls_with_it(
    estate: Path, number: signal.Signals | None
) -> None:
    """By a signal, or when its client closes standard input."""
    os.mkfifo(estate / "waits.txt")
    server = subprocess.Popen(
        [sys.executable, "-P", "-m", "topograph", "mcp", *options(estate)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    about = {"protocolVersion": "2025-06-18", "capabilities": {}}
    about["clientInfo"] = {"name": "test", "version": "1"}
    assert server.stdin is not None
    assert server.stdout is not None
    for message in (
        {"id": 1, "method": "initialize", "params": about},
        {"method": "notifications/initialized"},
        {
            "id": 2,
            "method": "tools/call",
            "params": {"name": "audit", "arguments": {"change": ["A=waits.txt"]}},
        },
    ):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()
    server.stdout.readline()
    until = time.monotonic() + 60
    while not (children := list(_children_of(server.pid))) and time.monotonic() < until:
        time.sleep(0.2)
    assert children
    if number is None:
        server.stdin.close()
    else:
        server.send_signal(number)
    codes = {None: 0, signal.SIGKILL: -signal.SIGKILL}
    assert server.wait(60) == codes.get(number, 128 + (number or 0))
    server.stdin.close()
    server.stdout.close()
    assert server.stderr is not None
    assert "Traceback" not in server.stderr.read()
    server.stderr.close()
    _, alive = psutil.wait_procs(children, timeout=20)
    for child in alive:
        child.kill()
    assert not alive


def _children_of(number: int) -> Iterator[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        yield from psutil.Process(number).children(recursive=True)


def _children_that_read(file: Path) -> Iterator[int]:
    for process in psutil.process_iter(["cmdline"]):
        if f"--change=A={file.name}" in (process.info["cmdline"] or []):
            yield process.pid


def test_an_answer_that_is_too_large_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "LARGEST", 100)
    words = ["cycles", "-s", str(EXAMPLES / "mhop-star" / "legal"), "--format=json"]

    async def asked() -> None:
        await calls.Calls(1).run(words, ROOT, 60)

    with pytest.raises(ToolError, match="The answer is larger than"):
        in_a_loop(asked)


def test_a_server_of_what_is_not_there_says_what_can_be_served(tmp_path: Path) -> None:
    for place in ("nothing", "neo4j:ID", "HEAD:conf"):
        done = _served(["-s", place], tmp_path)
        assert done.returncode in (2, 3)
        assert "Traceback" not in done.stderr
        assert done.stdout == ""


def test_without_the_sdk_the_command_says_what_installs_it() -> None:
    code = (
        "import sys, importlib.machinery as m\n"
        "find = m.PathFinder.find_spec.__func__\n"
        "m.PathFinder.find_spec = classmethod(\n"
        "    lambda cls, name, *more: None if name == 'mcp' else find(cls, name, *more))\n"
        "from topograph.cli.main import exit_code\n"
        "assert exit_code(['reach', 'A', '-s', 'examples/mhop-star/legal']) == 0\n"
        "sys.exit(exit_code(['mcp', '-s', 'examples/mhop-star/legal']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == NotInstalled.exit_code
    assert "The MCP server needs mcp, which is not installed. To install it: " in done.stderr
    assert "'mcp>=2.0'" in done.stderr
    assert "Traceback" not in done.stderr


def _served(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "topograph", "mcp", *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
