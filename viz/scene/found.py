"""Findings in a picture: at the link that a finding is about, or at its server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from topograph.findings import Finding, Severity, Source, distinct
from topograph.forwarding.graph import Server
from topograph.viz.scene.records import FindingDrawn, FindingsCounted, LinkDrawn

MOST = 2_000
"""Findings that a picture lists, the worst first; the others are counted where they belong, and
``check`` lists all.
"""


def drawn_findings(
    findings: Iterable[Finding], servers: Sequence[tuple[str, Server]], links: Sequence[LinkDrawn]
) -> tuple[tuple[FindingDrawn, ...], tuple[FindingsCounted, ...]]:
    """The findings that are about a link or a server, worst first, then by place, and where the
    list is cut how many more there are at each. ``servers`` are what each is called in the
    picture, and its record.

    A finding is about a link where the line that it cites configures that link alone, and its
    server is an end of it. Else it is about the server that it names; of several with that name,
    and where it names none that is there, about the one whose file it cites, if there is but one. n
    log n.
    """
    named: dict[str, list[tuple[str, Server]]] = {}
    in_file: dict[str, list[tuple[str, Server]]] = {}
    for label, server in servers:
        named.setdefault(server.name, []).append((label, server))
        if server.source.file:
            in_file.setdefault(server.source.file, []).append((label, server))
    at_line: dict[Source, list[LinkDrawn]] = {}
    for link in links:
        at_line.setdefault(_line(link.source), []).append(link)

    found = []
    for finding in sorted(
        distinct(findings), key=lambda one: (-one.severity.rank, one.source, one.rule, one.message)
    ):
        own = named.get(finding.server, [])
        if len(own) != 1:
            file = finding.source.file
            of_file = (
                [one for one in own if one[1].source.file == file] if own else in_file.get(file, [])
            )
            own = of_file if len(of_file) == 1 else []
        label = own[0][0] if own else ""
        cited = at_line.get(_line(finding.source), []) if finding.source.line else []
        at_link = cited[0].id if len(cited) == 1 and (not label or label in cited[0].ends) else ""
        if label or at_link:
            words = (finding.rule, finding.severity, finding.message, finding.source)
            found.append(FindingDrawn(*words, server="" if at_link else label, link=at_link))
    return tuple(found[:MOST]), _counted(found[MOST:])


def _counted(findings: Sequence[FindingDrawn]) -> tuple[FindingsCounted, ...]:
    numbers = Counter((one.server, one.link, one.severity) for one in findings)
    at = dict.fromkeys((server, link) for server, link, _ in numbers)
    return tuple(
        FindingsCounted(*one, numbers[(*one, Severity.ERROR)], numbers[(*one, Severity.WARNING)])
        for one in at
    )


def _line(source: Source) -> Source:
    return Source(source.file, source.line)
