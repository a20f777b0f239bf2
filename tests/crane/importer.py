"""From the bytes of a ``*.crane`` file to facts."""

from __future__ import annotations

from collections.abc import Mapping

from crane.facts import Rule
from topograph.files import FileReport
from topograph.findings import Source
from topograph.importers.reading import Bundle, Options, Reading, Recognised, Role


def recognise(path: str, data: bytes) -> Recognised | None:
    first = data.decode("utf-8", "replace").split("\n", 1)[0].split()
    return (
        Recognised(path, Role.MAIN, server=first[1])
        if len(first) == 2 and first[0] == "crane"
        else None
    )


def read(bundle: Bundle, contents: Mapping[str, bytes], options: Options) -> Reading:
    facts = []
    for file in bundle.files:
        for number, line in enumerate(
            contents[file.path].decode("utf-8", "replace").splitlines()[1:], 2
        ):
            words = line.split()
            if len(words) > 1:
                place = Source(file.path, number, 1)
                facts.append(
                    Rule(
                        bundle=bundle.id,
                        server=bundle.server,
                        source=place,
                        name=words[0],
                        does=words[1],
                        words=tuple(words[2:]),
                    )
                )
    reports = tuple(
        FileReport(f.path, "read", f.part, "crane", bundle.server, len(facts)) for f in bundle.files
    )
    return Reading(tuple(facts), (), reports)
