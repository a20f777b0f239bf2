"""From the bytes of a ``*.relay`` file to facts and findings. Never raises, and drops nothing
without a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from relay.facts import Peer, Relay
from topograph.facts import Fact
from topograph.files import FileReport
from topograph.findings import Finding, Severity, Source
from topograph.importers.reading import Bundle, Options, Reading, Recognised, Role

_RELAY = re.compile(r"relay\s+(\S+)\Z")
_FORWARD = re.compile(r"forward\s+(\S+)(?:\s+when\s+(\S+)\s*=\s*(\S+))?\Z")


def recognise(path: str, data: bytes) -> Recognised | None:
    """A file is a relay's if its first entry says so; by content, whatever the name."""
    for _, text in _entries(data):
        found = _RELAY.match(text)
        return Recognised(path, Role.MAIN, server=found[1]) if found else None
    return None


def read(bundle: Bundle, contents: Mapping[str, bytes], options: Options) -> Reading:
    """The facts of one relay. ``bundle.server`` is the name that ``recognise`` found."""
    facts: list[Fact] = []
    findings: list[Finding] = []
    for file in bundle.files:
        for line, text in _entries(contents[file.path]):
            source = Source(file.path, line, 1)
            if forward := _FORWARD.match(text):
                peer, name, value = forward.groups()
                when = (name, value) if name else ()
                facts.append(
                    Peer(
                        bundle=bundle.id, server=bundle.server, source=source, name=peer, when=when
                    )
                )
            elif _RELAY.match(text) and not facts:
                facts.append(Relay(bundle=bundle.id, server=bundle.server, source=source))
            else:
                message = "This line is not understood; it is left out."
                findings.append(
                    Finding(
                        "not-understood",
                        Severity.WARNING,
                        message,
                        source,
                        excerpt=text,
                        server=bundle.server,
                    )
                )
    return Reading(
        tuple(facts), tuple(findings), tuple(_reports(bundle, len(facts), len(findings)))
    )


def _entries(data: bytes) -> Iterator[tuple[int, str]]:
    """(line number, text) of every line that is neither empty nor a comment."""
    for number, line in enumerate(data.decode("utf-8", errors="replace").splitlines(), start=1):
        text = line.partition("#")[0].strip()
        if text:
            yield number, text


def _reports(bundle: Bundle, read: int, unsupported: int) -> Iterator[FileReport]:
    """The row of ``show files``: what became of every entry."""
    for file in bundle.files:
        status = "partly-read" if unsupported else "read"
        yield FileReport(
            file.path,
            status,
            file.part,
            bundle.system,
            bundle.server,
            read,
            unsupported=unsupported,
        )
