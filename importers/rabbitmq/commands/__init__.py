"""Change scripts for RabbitMQ: shell scripts, and lists of such lines, with ``rabbitmqctl``,
``rabbitmqadmin`` of both versions, and ``curl`` to the management API. They are read, never run
(rabbitmq.md 8).

``calls`` divides the words of a command line, ``control``, ``admin`` and ``curl`` know the tools,
``management`` the requests that two of them send, ``definitions`` what an import brings. Entries of
commands are read by the reader of definitions, so that a command and an edited file say the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from topograph.facts.command import Script
from topograph.facts.rabbit_commands import HERE, RabbitCommand
from topograph.findings import Source
from topograph.importers import lexical
from topograph.importers.rabbitmq.commands import admin, control, curl
from topograph.importers.rabbitmq.commands.calls import (
    Fields,
    Given,
    NotKnown,
    NotMeant,
    not_known,
    several,
)
from topograph.importers.shell import Call, follow
from topograph.importers.shell.programs import name_of
from topograph.rules.rabbitmq_findings import RQ_47
from topograph.rules.unnumbered import NOT_A_SCRIPT

TOOLS = control.PROGRAMS | admin.PROGRAMS | curl.PROGRAMS
_HEAD = 65_536
"""Bytes that are looked at to tell what a script is."""
_MENTIONS = re.compile(r"rabbitmq(?:ctl|admin)|/api/", re.IGNORECASE)
_TOOL = re.compile(
    r"\brabbitmq(?:ctl|admin)\b|/api/(?:exchanges|queues|bindings|policies|operator-policies|"
    r"parameters|definitions|vhosts|permissions|topic-permissions)\b"
)
"""What runs a tool, or asks the management API for what it has."""
_ANOTHER = re.compile(r"\.(?:sh|bash|ksh|zsh)\Z", re.IGNORECASE)


def recognises(data: bytes) -> bool:
    """Whether a script gives commands to brokers of RabbitMQ. Looks at the first 64 KB; linear."""
    decoded = lexical.decode(data[:_HEAD])
    if decoded is None or not _MENTIONS.search(decoded.text):
        return False
    return any(
        _TOOL.search(line) is not None
        for line in decoded.text.split("\n")
        if not line.lstrip().startswith(("#", "::"))
    )


def read_script(data: bytes, file: str) -> Script:
    """The commands of a script in order, but for those that only show something. What is not
    understood is a command with a ``fault`` or a ``doubt``. Linear; never raises."""
    decoded = lexical.decode(data)
    if decoded is None:
        return Script((), (NOT_A_SCRIPT.at(Source(file, 1), "the file is not text", rule=RQ_47),))
    reading = _Reading(file)
    text = decoded.text.replace("\r\n", "\n")
    followed = follow(text, TOOLS)
    if followed is not None:
        reading.run(followed.calls, followed.others)
    else:
        reading.lines(text)
    return Script(tuple(reading.commands))


@dataclass
class _Reading:
    """The commands of a script as they are read."""

    file: str
    commands: list[RabbitCommand] = field(default_factory=list)

    def run(self, calls: Sequence[Call], others: Sequence[tuple[int, Call]]) -> None:
        """What a script runs, in order."""
        waiting = [*others]
        for number, call in enumerate(calls):
            while waiting and waiting[0][0] <= number:
                self.other(waiting.pop(0)[1])
            self.call(call)
        for _, call in waiting:
            self.other(call)

    def lines(self, text: str) -> None:
        """A text that is no script by the grammar of a shell: each line that is one is read, but
        nobody knows whether it is run. Linear."""
        before: list[str] = []
        for number, line in enumerate(text.split("\n"), 1):
            before.append(line)
            if line.endswith("\\"):
                continue
            whole, first = "\n".join(before), number - len(before) + 1
            before = []
            if not _MENTIONS.search(whole) or whole.lstrip().startswith(("#", "::")):
                continue
            followed = follow(whole, TOOLS)
            if followed is None or not followed.calls:
                why = "this line is not read: the script is not one of a POSIX shell"
                self.unknown(_first(whole), Source(self.file, first, 1), why)
                continue
            for call in followed.calls:
                self.call(call, first - 1, "the script is not one of a POSIX shell as a whole")

    def other(self, call: Call) -> None:
        """A program of which nothing is known: it may be another script, or one of the tools."""
        source = self.source(call)
        name = call.program
        tool = next((one for one in call.words[1:] if name_of(one) in TOOLS), "")
        unknown = any(at == 0 for at, _ in call.unknown)
        if unknown and (tool or len(call.words) > 1):
            why = not_known(call.unknown[0][1])
            self.unknown(f"{name} {tool}".strip(), source, why)
        elif name in ("source", ".") or _ANOTHER.search(name):
            shown = " ".join(call.words[:2]) if name in ("source", ".") else name
            self.unknown(shown, source, "it runs another script, which is not in this one")
        elif tool:
            why = f"whether {name} runs it is not known"
            self.unknown(f"{name} {tool}", source, why)

    def source(self, call: Call, lines: int = 0) -> Source:
        return Source(self.file, call.line + lines, call.column)

    def unknown(self, text: str, source: Source, why: str) -> None:
        self.commands.append(
            RabbitCommand(text=text, source=source, connected=HERE, verb="unknown", doubt=why)
        )

    def call(self, call: Call, lines: int = 0, doubt: str = "") -> None:
        """One run of a tool, which may be several commands, or none."""
        given = Given(call, self.source(call, lines))
        read = next(one.read for one in (control, admin, curl) if call.program in one.PROGRAMS)
        try:
            self.commands += [
                self.command(given, found, doubt) for found in self.understood(given, read(given))
            ]
        except NotMeant as why:
            part = given.unknown(*given.call.words[1:])
            if part:
                self.unknown(given.text, given.source, not_known(part))
            else:
                self.commands.append(
                    RabbitCommand(
                        text=given.text if given.understood else given.beginning,
                        source=given.source,
                        connected=given.connected,
                        verb="unknown",
                        fault=f"the command is not understood: {why}",
                    )
                )
        except NotKnown as why:
            found = {"verb": "unknown", "doubt": str(why)}
            self.commands.append(self.command(given, found, doubt))

    def understood(self, given: Given, found: Sequence[Fields]) -> Iterator[Fields]:
        """What a command says, with why nobody can know it where that is so."""
        for one in found:
            fact = one.get("fact")
            names = [one.get("name", ""), one.get("vhost", ""), getattr(fact, "name", "")]
            part = given.unknown(fact or "", *names, one.get("exchange") or "")
            why = not_known(part) if part else next(filter(None, map(several, names)), "")
            yield {"kind": getattr(fact, "kind", ""), **one, **({"doubt": why} if why else {})}

    def command(self, given: Given, found: Fields, doubt: str) -> RabbitCommand:
        connected = HERE if given.unknown(given.connected) else given.connected
        said = {"source": given.source, "conditional": given.call.conditional, **found}
        if doubt and not said.get("doubt"):
            said["doubt"] = doubt
        return RabbitCommand(text=given.text, connected=connected, **said)


def _first(text: str) -> str:
    """What may be shown of a line that is not read: its tool."""
    found = _MENTIONS.search(text)
    return found[0] if found else ""
