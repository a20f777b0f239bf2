"""The server: the questions and ``survey`` as tools, over standard input and output."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from topograph.questions.question import Question
from topograph.questions.records import QUESTIONS
from topograph.questions.schemas import answer_schema
from topograph.records import record
from topograph.store.names import holds_snapshot
from topograph.surveying.question import SURVEY
from topograph.tools import calls
from topograph.tools.definitions import (
    Limits,
    about_files,
    command_line,
    description,
    input_schema,
)
from topograph.tools.errors import ToolError
from topograph.tools.roots import Roots
from topograph.version import __version__

AT_ONCE = 2
"""Calls that run at the same time; further ones wait, and their time runs."""

LONGEST_TEXT = 4_000
"""Characters of the text beside an answer."""

_ANNOTATIONS = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


@record
class Served:
    """What is served: a snapshot, folder or archive by its absolute path, perhaps one network of
    it, the folders that calls may name files in, and what no call can exceed.
    """

    snapshot: Path
    network: str | None
    roots: Roots
    limits: Limits

    def records(self) -> Mapping[str, Question]:
        """What has a tool, by name: every question, and ``survey`` where the files themselves are
        served and not a snapshot of them.
        """
        files = () if holds_snapshot(self.snapshot) else (SURVEY,)
        return {one.name: one for one in (*files, *QUESTIONS)}

    def tools(self) -> list[types.Tool]:
        """The tool of each record."""
        return [
            types.Tool(
                name=one.name,
                title=one.title,
                description=description(one),
                input_schema=self._input(one),
                output_schema=answer_schema(one, described=False),
                annotations=_ANNOTATIONS,
            )
            for one in self.records().values()
        ]

    def _input(self, question: Question) -> dict[str, Any]:
        return input_schema(question, self.limits, network=self.network is None)

    async def call(self, name: str, arguments: dict[str, Any], running: calls.Calls) -> calls.Told:
        """Ask a question. Raises ToolError."""
        records = self.records()
        question = records.get(name)
        if question is None:
            listed = ", ".join(records)
            raise ToolError(f"There is no tool {name!r}. The tools are {listed}.")
        self._validate(question, arguments)
        words = self._command_line(question, arguments)
        return await running.run(words, self.roots.first, self.limits.timeout)

    def _command_line(self, question: Question, arguments: Mapping[str, Any]) -> list[str]:
        """The command line of a call, with what is served."""
        given = dict(arguments)
        if about_files(question):
            name, *words = command_line(question, given, self.roots.check)
            return [name, "--format=json", *words, str(self.snapshot)]
        given.setdefault("budget", self.limits.budget)
        if self.network is not None:
            given["network"] = self.network
        name, *words = command_line(question, given, self.roots.check)
        pinned = ["-s", str(self.snapshot), "--engine=memory", "--format=json"]
        return [name, *pinned, *words]

    def _validate(self, question: Question, arguments: dict[str, Any]) -> None:
        errors = jsonschema.Draft202012Validator(self._input(question)).iter_errors(arguments)
        worst = jsonschema.exceptions.best_match(errors)
        if worst is not None:
            where = ".".join(map(str, worst.absolute_path)) or question.name
            raise ToolError(f"{where}: {_short(worst.message)}")


def _short(message: str) -> str:
    """A message without the middle of a long value that it quotes."""
    return message if len(message) <= 400 else f"{message[:200]}...{message[-200:]}"


def result_of(told: calls.Told) -> types.CallToolResult:
    """An answer as the result of a tool."""
    texts = [told.text[:LONGEST_TEXT]]
    if len(told.text) > LONGEST_TEXT:
        texts[0] += "\n... (structuredContent holds the whole answer)"
    if told.beside:
        texts.append(told.beside[:LONGEST_TEXT])
    return types.CallToolResult(
        content=[_text(one) for one in texts],
        structured_content=sendable(told.answer),
        _meta={"topograph/exitCode": told.exit_code},
    )


def _refused(error: ToolError) -> types.CallToolResult:
    return types.CallToolResult(content=[_text(str(error))], is_error=True)


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=sendable(text))


def sendable(value: Any) -> Any:
    """A value of JSON whose texts can all be sent: half a surrogate pair, which stands for a byte
    of a path that is not UTF-8, is written as ``\\udcff``. Linear in the value.

    >>> sendable({"path": ["a" + chr(0xDCFF), 1]})
    {'path': ['a\\\\udcff', 1]}
    """
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, Mapping):
        return {sendable(name): sendable(one) for name, one in value.items()}
    return [sendable(one) for one in value] if isinstance(value, list) else value


def make(served: Served, running: calls.Calls) -> Server[Any]:
    """The server, not yet connected."""
    tools = served.tools()
    name = sendable(served.snapshot.name)
    first = f"{SURVEY.name}, then " if SURVEY.name in served.records() else ""

    async def list_tools(
        _context: ServerRequestContext[Any], _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(
        _context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        try:
            return result_of(await served.call(params.name, params.arguments or {}, running))
        except ToolError as error:
            return _refused(error)

    return Server(
        "topograph",
        version=__version__,
        title="topograph",
        instructions=(
            f"Answers questions about the messaging configuration {name}: who "
            "reaches whom, who gets a message, what a change does. Nothing is written and no "
            "server is contacted. Every step names its file and line. An answer with exact: "
            "false, or with undetermined entries, is not complete: say so. Begin with "
            f"{first}show servers."
        ),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def serve(served: Served) -> None:
    """Serve until standard input closes."""
    anyio.run(_serve, served)


async def _serve(served: Served) -> None:
    server = make(served, calls.Calls(AT_ONCE))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_end_by_signal)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _end_by_signal() -> None:
    """End the process by SIGINT and SIGTERM; calls end with it. Whoever reads standard input waits
    in a thread, which nothing else ends.
    """
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as received:
        async for number in received:
            os._exit(128 + number)
