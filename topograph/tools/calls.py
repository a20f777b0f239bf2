"""A call: a command line of topograph in a process of its own, so that it ends when its time is up,
whatever it is doing, and cannot disturb the server.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE
from typing import TYPE_CHECKING, Any

from topograph.records import record
from topograph.search_paths import SAFE, safe
from topograph.tools.errors import ToolError

if TYPE_CHECKING:
    from anyio.abc import ByteReceiveStream, Process

CHILD = "topograph.cli.tool_call"
"""The module that answers: stdout is a line of JSON with the text, then the answer as JSON."""

LARGEST = 32 * 1024 * 1024
"""Bytes of an answer."""

LARGEST_ERROR = 64 * 1024
"""Bytes of what is written beside it."""

VIOLATION = 1


@record
class Told:
    """An answer: its JSON, the beginning of its text, what the command wrote beside it, and its
    exit code.
    """

    answer: Mapping[str, Any]
    text: str
    beside: str
    exit_code: int


def environment() -> dict[str, str]:
    """The environment of a call: that of the server without the addresses of databases and the
    snapshot that it may name.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("TOPOGRAPH_NEO4J_", "TOPOGRAPH_SNAPSHOT", "GIT_"))
    }
    return {**kept, **safe(kept), SAFE: "1", "NO_COLOR": "1"}


class Calls:
    """The calls of a server: ``at_once`` run at the same time, further ones wait."""

    def __init__(self, at_once: int) -> None:
        import anyio

        self._free = anyio.CapacityLimiter(at_once)

    async def run(self, words: Sequence[str], folder: Path, seconds: float) -> Told:
        """Run a command line in a folder. Raises ToolError with what the command says where it has
        no answer, or where its time, the wait included, or the largest answer is exceeded.
        """
        import anyio

        try:
            with anyio.fail_after(seconds):
                async with self._free:
                    return await self._run(words, folder)
        except TimeoutError:
            raise ToolError(
                f"The call took longer than {seconds:g} s, reading included, and was ended. Ask "
                "for less, or start the server with a larger --timeout."
            ) from None
        except OSError as error:
            raise ToolError(f"The call cannot be run: {error.strerror or error}.") from error

    async def _run(self, words: Sequence[str], folder: Path) -> Told:
        import anyio

        process = await anyio.open_process(
            [sys.executable, "-m", CHILD, *words],
            stdin=PIPE,  # the process ends when this closes: when the server is gone
            stdout=PIPE,
            stderr=PIPE,
            cwd=folder,
            env=environment(),
            start_new_session=True,
        )
        try:
            out, beside = await _read(process)
            code = await process.wait()
        finally:
            with anyio.CancelScope(shield=True):
                if process.returncode is None:
                    with suppress(ProcessLookupError):  # it ended by itself just now
                        os.killpg(process.pid, signal.SIGKILL)
                await process.aclose()
        return _told(out, beside, code)


async def _read(process: Process) -> tuple[bytes, bytes]:
    import anyio

    out, beside = bytearray(), bytearray()

    async def take(stream: ByteReceiveStream, into: bytearray, most: int) -> None:
        async for part in stream:
            into += part[: most + 1 - len(into)]
            if stream is process.stdout and len(into) > most:
                tasks.cancel_scope.cancel()

    assert process.stdout is not None
    assert process.stderr is not None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(take, process.stdout, out, LARGEST)
        tasks.start_soon(take, process.stderr, beside, LARGEST_ERROR)
    if len(out) > LARGEST:
        raise ToolError(
            f"The answer is larger than {LARGEST // 1024 // 1024} MB. Ask for less, such as one "
            "server, or use the command line."
        )
    return bytes(out), bytes(beside)


def _told(out: bytes, beside: bytes, code: int) -> Told:
    head, newline, body = out.partition(b"\n")
    said = beside.decode("utf-8", "replace").strip()
    if not newline or not body.strip():
        raise ToolError(said or f"Error: the call ended with exit code {code}.")
    return Told(json.loads(body), json.loads(head)["text"], said, code)
