"""One command of a change script, of any system."""

from __future__ import annotations

from dataclasses import dataclass

from topograph.findings import Finding, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command that somebody wants to give to a server.

    ``text`` is the line as written, without secrets. ``connected`` is what the script connected to
    before it (a URL, as the script has it); empty where the script does not say which server it
    runs on. ``scope`` is what the command is about where commands are given to a cell of many
    servers and not to one of them (a bus, by name); nobody has to name a server then. ``fault``
    says what is wrong with the command: it is not understood, or cannot be what is meant.
    """

    text: str
    source: Source
    connected: str = ""
    scope: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Script:
    """The commands of a change script in order, and what was noticed while reading it."""

    commands: tuple[Command, ...]
    findings: tuple[Finding, ...] = ()
