"""One command of a change script, of any system."""

from __future__ import annotations

from topograph.credentials import (
    SET,
    name_without_secret,
    without_arguments,
    without_credentials,
)
from topograph.findings import Finding, Source
from topograph.records import record


@record(kw_only=True)
class Command:
    """A command that somebody wants to give to a server.

    ``text`` is the line as written, without secrets: it, ``connected`` and ``fault`` hold no
    credentials, whatever they are made of. ``connected`` is what the script connected to
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", without_arguments(self.text))
        connected = self.connected
        clean = without_arguments if "://" in connected else name_without_secret
        object.__setattr__(self, "connected", clean(connected))
        object.__setattr__(self, "fault", without_credentials(self.fault))


def unknown_command(shown: str) -> str:
    """The ``fault`` of a command that topograph does not know and that is near one that it knows:
    most are typing errors. ``shown`` is what may be shown of it.

    >>> unknown_command("frobnicate (set)")
    "topograph does not know the command 'frobnicate ...' (an unknown command counts as refused)"
    """
    return f"{not_known(shown)} (an unknown command counts as refused)"


def not_known(shown: str) -> str:
    """That topograph does not know a command, of which ``shown`` is what may be shown.

    >>> not_known("frobnicate")
    "topograph does not know the command 'frobnicate'"
    """
    first = f"{shown.removesuffix(SET)}..." if shown.endswith(f" {SET}") else shown
    named = "this command" if not first or SET in first else f"the command '{first}'"
    return f"topograph does not know {named}"


@record
class Script:
    """The commands of a change script in order, and what was noticed while reading it."""

    commands: tuple[Command, ...]
    findings: tuple[Finding, ...] = ()
