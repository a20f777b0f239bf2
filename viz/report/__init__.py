"""A report as one HTML file: everything that matters stands in its markup, and scripts make it
answer.

``render`` fills ``template.html`` with a ``topograph.reporting.Report``, a drawing of the network,
and the data of the picture. The page of a picture (``topograph.viz.page``) gives picture, style and
scripts, to which those of this folder are added. ``page.ReportPage`` is what Python users hold.

What was read from a configuration is hostile: it goes into the markup through autoescaping, with
control characters and direction overrides made visible, or as JSON. The content-security-policy is
that of ``page``: what this module put there, by hash, and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Template
from markupsafe import Markup

from topograph.digits import digits
from topograph.findings import Severity
from topograph.portable.arrays import Texts
from topograph.questions.texts.layout import count, plural_of
from topograph.reporting.report import FileRow, FindingGroup, HopRange, Report
from topograph.viz.page import (
    Assets,
    bundle,
    environment,
    own_text,
    picture_values,
    vendored,
)
from topograph.viz.page.compact import folder_of, table, without_names
from topograph.viz.page.embedding import embedded
from topograph.viz.page.form import Form
from topograph.viz.page.packing import packed
from topograph.viz.report.losses import losses
from topograph.viz.report.witnesses import witnesses
from topograph.viz.scene.records import Scene
from topograph.viz.svg.document import element, element_style
from topograph.words.visible import clean, readable, shortened

FINDINGS = 200
"""Findings that stand in the markup; the data holds all."""

ROWS = 100
"""Rows of zones, servers and files that stand in the markup."""

DIGESTS = 1_000
"""Files up to which the SHA-256 of each is in the report; of more that of each in the markup and
that of their list: digests cannot be packed.
"""

NAME = 48
"""Characters of a name that are shown; of a longer one its middle is left out, and all of it
stands in its title.
"""

_PACKAGE = "topograph.viz.report"


def render(
    report: Report,
    nodes: Sequence[Mapping[str, Any]],
    edges: Sequence[Mapping[str, Any]],
    scene: Scene,
    still: Scene,
    engine: Mapping[str, Any],
) -> str:
    """The report as HTML. ``nodes`` and ``edges`` are pyvis' of the picture of ``scene``, in
    which what a user set wins; ``still`` is what is drawn for readers without scripts, and for
    print; ``engine`` is what the page answers questions from (``topograph.portable``). Equal
    arguments give equal text, on one build of zlib. Linear in report and scene."""
    groups = _first_findings(report.groups)
    worst = {
        one.server: Severity(one.severity)
        for group in reversed(report.groups)
        for one in group.findings
        if one.server
    }
    form = Form(engine, report.destinations)
    shown = form.values() | {
        "header": report.header,
        "verdict": report.verdict,
        "first": report.first,
        "first_order": report.first_order,
        "found": _found(report),
        "sections": _sections(report),
        "changes": report.changes,
        "still": still,
        "longest": NAME,
        "most_digests": DIGESTS,
        "code": assets().packed,
        "groups": groups,
        "own_findings": True,
        "total_findings": sum(report.counts.values()),
        "zones": report.zones[:ROWS],
        "zones_total": len(report.zones),
        "matrix": report.matrix,
        "open_cells": bool(report.matrix and report.matrix.open),
        "later_cells": bool(report.matrix and report.matrix.later),
        "servers": report.servers[:ROWS],
        "servers_total": len(report.servers),
        "tables": report.tables,
        "answers": report.answers,
        "provenance": report.provenance,
        "files": report.provenance.files[:ROWS],
        "not_understood": report.provenance.not_understood[:ROWS],
        "glossary": report.glossary,
        "drawing": Markup(element(still, "still", worst)),  # noqa: S704
        "embedded": _embedded(report, nodes, edges, scene, form),
        "witnesses": witnesses(report.changes) if report.changes else [],
        "losses": "; ".join(losses(report.changes, report.header.server_noun))
        if report.changes
        else "",
    }
    meanings = {term.term: term.meaning for term in report.glossary.rules}
    template = _template()
    return template.render(
        **picture_values(scene), **assets().in_markup(), **shown, meanings=meanings
    )


@cache
def assets() -> Assets:
    """Those of a report: what a picture has, the style of the drawing in the markup, and what
    this folder adds. ``script`` unpacks what is ``vendored``, of which the last is our own; the
    markup has these packed."""
    style = "\n".join(
        (
            own_text("style.css"),
            f".still {{ {element_style()} }}",
            own_text("style.css", _PACKAGE),
            own_text("ask.css"),
        )
    )
    return Assets(style, (*vendored(), bundle("report")), bundle("unpack"))


@cache
def _template() -> Template:
    here = dict.fromkeys(("template.html", "changes.html"), _PACKAGE)
    made = environment(
        lambda name: _unindented(own_text(name, here.get(name, "topograph.viz.page")))
    )
    made.filters |= {
        "middle": _middle,
        "json": json.dumps,
        "capital": lambda text: text[:1].upper() + text[1:],
        "words": lambda text: text.replace("_", " ").replace("-", " "),
        "day": _day,
        "hops": _hops,
        "standing": _standing,
        "value": _value,
        "misread": _misread,
        "owners": _owners,
        "lines": lambda text: Markup("\n").join(readable(line) for line in text.split("\n")),
        "plural": plural_of,
    }
    return made.get_template("template.html")


def _unindented(source: str) -> str:
    """A template without what its lines begin with: rows stand in a report by the hundred."""
    return "\n".join(line.lstrip(" ") for line in source.split("\n"))


def _middle(name: str) -> str:
    """A name without its middle where it is long.

    >>> _middle("A" * 60)
    'AAAAAAAAAAAAAAAAAAAAAAAA…AAAAAAAAAAAAAAAAAAAAAAA'
    """
    return shortened(name, NAME)


_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def _day(moment: str) -> str:
    """
    >>> _day("2026-03-04T09:05:53Z")
    '4 March 2026, 09:05 UTC'
    """
    date, _, time = moment.partition("T")
    year, month, day = date.split("-")
    return f"{digits(day, 1)} {_MONTHS[digits(month, 1) - 1]} {year}, {time[:5]} UTC"


def _hops(cell: HopRange) -> str:
    """What stands in a cell of the matrix."""
    if not cell.reached:
        return "?" if cell.open else "–"
    hops = f"{cell.least}" if cell.least == cell.most else f"{cell.least}–{cell.most}"
    return f"({hops})" if cell.later == cell.reached else hops


def _standing(cell: HopRange) -> str:
    if cell.reached == cell.pairs and not cell.later:
        return "all"
    return "part" if cell.reached else "open" if cell.open else "unreached"


def _value(value: object) -> str:
    """A value of a row of ``topograph show`` for people."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        if "file" in value and "line" in value:
            return ":".join(str(value[key]) for key in ("file", "line", "column") if value.get(key))
        return ", ".join(f"{key}={_value(item)}" for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_value, value))
    return str(value)


def _misread(file: FileRow) -> str:
    unsupported = sum(one.unsupported for one in file.reports)
    said = [{"not-read": "not read", "partly-read": "read in part"}.get(file.status, "")]
    said.append(f"{unsupported:,} not supported" if unsupported else "")
    said += sorted({one.note for one in file.reports})
    return "; ".join(filter(None, said))


def _owners(file: FileRow) -> str:
    """The servers that read a file; of many their number."""
    servers = sorted({one.server for one in file.reports if one.server})
    if len(servers) > 3:
        return f"{len(servers):,} servers"
    return ", ".join(map(_middle, servers)) or file.reports[0].role


def _first_findings(groups: Sequence[FindingGroup]) -> list[dict[str, Any]]:
    """The first FINDINGS findings by group. Each group has its heading, and its share in turn:
    at least ten of each as long as there is room.
    """
    left = FINDINGS
    share = dict.fromkeys(range(len(groups)), 0)
    for most in (10, FINDINGS):
        for number, group in enumerate(groups):
            more = min(left, max(0, min(most, len(group.findings)) - share[number]))
            share[number] += more
            left -= more
    return [
        {
            "label": group.label,
            "severity": group.severity,
            "name": group.name,
            "sentence": group.sentence,
            "findings": group.findings[: share[number]],
            "total": len(group.findings),
        }
        for number, group in enumerate(groups)
    ]


def _found(report: Report) -> tuple[str, str, str]:
    """Errors and warnings for the first screen: the number, the words behind it, and how they
    stand.
    """
    errors, warnings = (report.counts.get(severity, 0) for severity in ("error", "warning"))
    files = report.header.files_with_findings
    where = f" in {count(files, 'file')}" if files else ""
    if errors:
        also = f" and {count(warnings, 'warning')}" if warnings else ""
        return f"{errors:,}", f"{'error' if errors == 1 else 'errors'}{also}{where}", "wrong"
    return (
        f"{warnings:,}",
        f"{'warning' if warnings == 1 else 'warnings'}{where}",
        "doubtful" if warnings else "",
    )


def _sections(report: Report) -> list[tuple[str, str]]:
    """The sections that are there, with what they are called in the contents."""
    found = [("changes", "What changes")] if report.changes else []
    found += [("ask", "Ask"), ("picture", "Picture"), ("findings", "Findings")]
    found += [("zones", "Zones")] if report.zones else []
    found += [("matrix", "Hops")] if report.matrix else []
    found.append(("inventory", plural_of(report.header.server_noun).capitalize()))
    found += [(table.what, table.what.capitalize()) for table in report.tables]
    found += [(f"answer-{number}", one.title) for number, one in enumerate(report.answers, 1)]
    return [*found, ("provenance", "Provenance"), ("glossary", "Rules and words")]


def _embedded(
    report: Report,
    nodes: Sequence[Mapping[str, Any]],
    edges: Sequence[Mapping[str, Any]],
    scene: Scene,
    form: Form,
) -> list[tuple[str, str, Markup]]:
    """The data of the page: (id, type, text). What is smaller packed is packed; that of the
    picture is unpacked first (``page/packed/unpack.js``), the rest later (``unpacked.js``).
    """
    found: list[tuple[str, object]] = [
        ("data", embedded(nodes, edges, scene)),
        *form.data(scene),
    ]
    more = {name: table(rows) for name, rows in _rows_beyond(report).items() if rows}
    if more:
        found.append(("more-rows", more))
    beyond = _findings_beyond(report)
    if beyond:
        found.append(("more-findings", beyond))
    return [packed(id_, value) for id_, value in found]


def _rows_beyond(report: Report) -> dict[str, list[list[object]]]:
    """The cells of the rows of servers, zones and files that do not stand in the markup, in its
    columns; a name first.
    """
    zoned = bool(report.zones)
    servers = [
        [
            one.name,
            one.system,
            "only named" if not one.loaded else "loaded in part" if one.incomplete else "loaded",
            *([", ".join(one.zones)] if zoned else []),
            one.neighbours,
            one.findings,
            str(one.source) if one.loaded else "",
        ]
        for one in report.servers[ROWS:]
    ]
    zones = [
        [one.name, one.type, len(one.servers), one.links, one.findings, ", ".join(one.servers[:8])]
        for one in report.zones[ROWS:]
    ]
    files = [
        [
            one.path,
            one.status.replace("-", " "),
            _owners(one),
            sum(each.read for each in one.reports),
            sum(each.ignored for each in one.reports),
            sum(each.unsupported for each in one.reports),
            (one.sha256 or "not kept") if len(report.provenance.files) <= DIGESTS else "",
        ]
        for one in report.provenance.files[ROWS:]
    ]
    return {
        name: [[clean(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
        for name, rows in (("inventory", servers), ("zones", zones), ("files", files))
    }


def _findings_beyond(report: Report) -> dict[str, Any]:
    """All findings, where not all of them stand in the markup: severity, rule or kind, message,
    server, link, place, excerpt; each text once.
    """
    if sum(len(group.findings) for group in report.groups) <= FINDINGS:
        return {}
    texts = Texts()
    rows = [
        [
            texts(one.severity),
            texts(group.label),
            texts(
                without_names(
                    clean(one.message),
                    (one.server, *(one.link or ("", "")), folder_of(str(one.source))),
                )
            ),
            texts(one.server),
            [texts(name) for name in one.link],
            texts(str(one.source)),
            texts(clean(one.excerpt)),
        ]
        for group in report.groups
        for one in group.findings
    ]
    return {"rows": table(rows), "texts": list(texts.index)}
