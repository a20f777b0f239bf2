"""A client of the SDK that asks ``topograph mcp`` over standard input and output, as an assistant
does.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import anyio
from mcp import ClientSession, StdioServerParameters, stdio_client

T = TypeVar("T")

Call = tuple[str, Mapping[str, Any]]


class Result(NamedTuple):
    """What a call gives: its answer (None for an error), its texts, whether it is an error."""

    answer: Mapping[str, Any] | None
    texts: tuple[str, ...]
    error: bool
    exit_code: int | None

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


def in_a_loop(function: Callable[[], Awaitable[T]]) -> T:
    """What an asynchronous function gives, in a thread that has no event loop yet: a browser that
    other tests of this process drive keeps one running in theirs."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(anyio.run, function).result()


def ask(options: Sequence[str], calls: Iterable[Call], **environment: str) -> list[Result]:
    """The results of calls, one after the other, of a server that is started with options. The
    client holds each answer to the schema that the tool has.
    """
    results: list[Result] = []

    async def asked() -> None:
        async with connected(options, **environment) as session:
            for name, arguments in calls:
                results.append(await call(session, name, arguments))

    in_a_loop(asked)
    return results


async def call(session: ClientSession, name: str, arguments: Mapping[str, Any]) -> Result:
    found = await session.call_tool(name, dict(arguments))
    return Result(
        found.structured_content,
        tuple(one.text for one in found.content),
        bool(found.is_error),
        (found.meta or {}).get("topograph/exitCode"),
    )


class connected:  # noqa: N801  # used as a function
    """A session with a server, for ``async with``."""

    def __init__(self, options: Sequence[str], **environment: str) -> None:
        self._server = StdioServerParameters(
            command=sys.executable,
            args=["-P", "-m", "topograph", "mcp", *options],
            env={"PYTHONPATH": str(Path(__file__).resolve().parents[2]), **environment},
        )

    async def __aenter__(self) -> ClientSession:
        self._transport = stdio_client(self._server)
        streams = await self._transport.__aenter__()
        self._session = ClientSession(*streams)
        session = await self._session.__aenter__()
        await session.initialize()
        await session.list_tools()
        return session

    async def __aexit__(self, *error: Any) -> None:
        await self._session.__aexit__(*error)
        await self._transport.__aexit__(*error)
