"""From the bytes of a ``*.barge`` file to facts."""

from __future__ import annotations

from collections.abc import Mapping

from barge.facts import Barge
from topograph.files import FileReport
from topograph.findings import Source
from topograph.importers.reading import Bundle, Options, Reading, Recognised, Role


def recognise(path: str, data: bytes) -> Recognised | None:
    words = data.decode("utf-8", "replace").split()
    return (
        Recognised(path, Role.MAIN, server=words[1])
        if words[:1] == ["barge"] and len(words) > 1
        else None
    )


def read(bundle: Bundle, contents: Mapping[str, bytes], options: Options) -> Reading:
    (file,) = bundle.files
    words = contents[file.path].decode("utf-8", "replace").split()
    back = words[3] if words[2:3] == ["back"] else ""
    fact = Barge(bundle=bundle.id, server=bundle.server, source=Source(file.path, 1, 1), back=back)
    return Reading(
        (fact,), (), (FileReport(file.path, "read", file.part, "barge", bundle.server, 1),)
    )
