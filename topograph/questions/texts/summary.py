"""The text of ``summary``: one screen of 80 columns."""

from __future__ import annotations

import shlex
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING

from topograph.questions.texts.layout import Cell, Page, Tone, count, listed
from topograph.words.visible import clean

if TYPE_CHECKING:
    from topograph.questions.answers import SummaryAnswer, SystemSummary, WorstFinding

WIDTH = 80
"""Columns of the screen; names, places and commands are never broken."""

UNKNOWN_SHOWN = 5
"""Things that are not known which are listed before the rest is counted."""

MESSAGE = 150
"""Characters of the message of a finding."""

_MARKS = {"error": Tone.BAD, "warning": Tone.UNSURE}


def summary(answer: SummaryAnswer, page: Page) -> None:
    """What is there, whether it is legal, the worst findings, what is not known, and how to go
    on.
    """
    page.style = replace(page.style, width=min(WIDTH, page.style.width or WIDTH))
    if len(answer.systems) == 1:
        page.title(f"{answer.network}: {_system(answer.systems[0])}.")
    else:
        loaded = count(sum(one.loaded for one in answer.systems), "server")
        page.title(f"{answer.network}: {loaded} of {count(len(answer.systems), 'system')}.")
        for each in answer.systems:
            page.line(_system(each), indent=2)
    _files(answer, page)
    page.line(Cell(answer.legality, Tone.BAD if answer.legal is False else Tone.PLAIN))
    _findings(answer, page)
    if answer.unknown:
        page.section("Not known", Tone.UNSURE)
        for doubt in answer.unknown[:UNKNOWN_SHOWN]:
            page.line(str(doubt), indent=2)
        left = len(answer.unknown) - UNKNOWN_SHOWN
        if left > 0:
            page.line(Cell(f"{page.style.ellipsis} and {left:,} more", Tone.FAINT), indent=2)
    page.section("Go on with")
    for command in answer.next:
        page.line(Cell(f"# {command.asks}", Tone.FAINT), indent=2)
        words = ("topograph", shlex.join(command.words), answer.where)
        page.verbatim(" ".join(filter(None, words)), indent=2)


def _system(one: SystemSummary) -> str:
    named = f", {len(one.named):,} only named ({listed(one.named)})" if one.named else ""
    return f"{count(one.loaded, one.noun)} of {one.title}{named}, {count(one.links, 'link')}"


def _files(answer: SummaryAnswer, page: Page) -> None:
    read = answer.files.get("read", 0) + answer.files.get("partly-read", 0)
    others = [
        f"{number:,} {status.replace('-', ' ')}"
        for status, number in answer.files.items()
        if status != "read"
    ]
    page.line(f"{', '.join((count(read, 'file') + ' read', *others))}.")


def _findings(answer: SummaryAnswer, page: Page) -> None:
    counts = answer.counts
    found = [
        count(counts.get("error", 0), "error"),
        count(counts.get("warning", 0), "warning"),
        f"{counts.get('info', 0):,} for information",
    ]
    found += [f"{answer.waived:,} waived"] if answer.waived else []
    tone = Tone.BAD if counts.get("error") else Tone.UNSURE if counts.get("warning") else Tone.GOOD
    page.section(f"Findings: {', '.join(found)}", tone)
    for one in answer.worst:
        _worst(one, page)


def _worst(one: WorstFinding, page: Page) -> None:
    name = f" {one.name}" if one.name else ""
    more = f", {one.count:,} times" if one.count > 1 else ""
    page.line(Cell(f"{one.rule}{name} ({one.severity}{more})", _MARKS[one.severity]), indent=2)
    cut = f" {page.style.ellipsis}"
    page.line(textwrap.shorten(clean(one.message), MESSAGE, placeholder=cut), indent=4)
    at = f", server {one.server}" if one.server else ""
    page.line(Cell(f"{one.source}{at}", Tone.FAINT), indent=4)
