"""The server: the questions as tools, over standard input and output."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
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
from topograph.tools import calls
from topograph.tools.definitions import Limits, command_line, description, input_schema
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


@dataclass(frozen=True, slots=True)
class Served:
    """What is served: a snapshot, folder or archive by its absolute path, perhaps one network of
    it, the folders that calls may name files in, and what no call can exceed.
    """

    snapshot: Path
    network: str | None
    roots: Roots
    limits: Limits

    def tools(self) -> list[types.Tool]:
        """A tool for each question."""
        return [
            types.Tool(
                name=one.name,
                title=one.title,
                description=description(one),
                input_schema=self._input(one),
                output_schema=answer_schema(one, described=False),
                annotations=_ANNOTATIONS,
            )
            for one in QUESTIONS
        ]

    def _input(self, question: Question) -> dict[str, Any]:
        return input_schema(question, self.limits, network=self.network is None)

    async def call(self, name: str, arguments: dict[str, Any], running: calls.Calls) -> calls.Told:
        """Ask a question. Raises ToolError."""
        question = next((one for one in QUESTIONS if one.name == name), None)
        if question is None:
            listed = ", ".join(one.name for one in QUESTIONS)
            raise ToolError(f"There is no tool {name!r}. The tools are {listed}.")
        self._validate(question, arguments)
        given = dict(arguments)
        given.setdefault("budget", self.limits.budget)
        if self.network is not None:
            given["network"] = self.network
        words = command_line(question, given, self.roots.check)
        pinned = ["-s", str(self.snapshot), "--engine=memory", "--format=json"]
        return await running.run(
            [words[0], *pinned, *words[1:]], self.roots.first, self.limits.timeout
        )

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
        content=[types.TextContent(type="text", text=one) for one in texts],
        structured_content=dict(told.answer),
        _meta={"topograph/exitCode": told.exit_code},
    )


def _refused(error: ToolError) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=str(error))], is_error=True
    )


def make(served: Served, running: calls.Calls) -> Server[Any]:
    """The server, not yet connected."""
    tools = served.tools()

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
            f"Answers questions about the messaging configuration {served.snapshot.name}: who "
            "reaches whom, who gets a message, what a change does. Nothing is written and no "
            "server is contacted. Every step names its file and line. An answer with exact: "
            "false, or with undetermined entries, is not complete: say so. Begin with show "
            "servers."
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
