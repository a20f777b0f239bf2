"""What is wrong or risky in the configuration after a change and was not before it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from topograph.audit.differences import LISTED
from topograph.audit.verdict import unknown
from topograph.findings import Finding, Severity
from topograph.questions.answers.audit import FindingBrought, LeftOpen
from topograph.questions.answers.base import Caution
from topograph.systems.rule_texts import finding_kind

ROUND = frozenset({"alias-circle", "bridges-feed-each-other", "messages-circulate", "push-circle"})
"""Kinds of findings that say that messages go round without end."""

_PLACE = re.compile(r"(?<![^\s:()])[^\s:()]+\.\w+(?::\d+){1,2}")
"""A file with a line, as messages cite it: where it stands is no part of what is wrong."""
_FOLDER = re.compile(r"(?<![^\s:()'\"])[^\s:()'\"]+/")
"""The folders of a file, of which the same holds."""


def brought(
    before: Iterable[Finding], after: Iterable[Finding], systems: Collection[str]
) -> tuple[FindingBrought, ...]:
    """The errors and warnings that only the second of two states has, by kind, server and
    message, errors first. Linear in both; only what is not the same word for word is looked at
    for places that moved.
    """
    held, found = _word_for_word(before), _word_for_word(after)
    fresh = [one for key, one in found.items() if key not in held]
    alike = {(one.kind, one.server) for one in fresh}
    moved = {
        said(one)
        for key, one in held.items()
        if key not in found and (one.kind, one.server) in alike
    }
    new: dict[tuple[str, ...], Finding] = {}
    for one in fresh:
        if (key := said(one)) not in moved:
            new.setdefault(key, one)
    ordered = sorted(new.values(), key=lambda one: (-one.severity.rank, one.source, one.message))
    return tuple(_told(one, sorted(systems)) for one in ordered[:LISTED])


def _word_for_word(findings: Iterable[Finding]) -> dict[tuple[str, ...], Finding]:
    return {
        (one.kind, one.severity, one.server, one.message): one
        for one in findings
        if one.severity is not Severity.INFO
    }


def said(one: Finding) -> tuple[str, ...]:
    """What a finding says, wherever it stands."""
    return one.kind, str(one.severity), one.server, _FOLDER.sub("", _PLACE.sub("", one.message))


def _told(one: Finding, systems: list[str]) -> FindingBrought:
    return FindingBrought(
        str(one.severity),
        one.rule or one.kind,
        one.message,
        _effect(one, systems),
        one.source,
        one.server,
        one.kind,
    )


def _effect(one: Finding, systems: list[str]) -> str:
    """What a finding that a change brings does to the verdict. An error of which nobody has said
    what it does to messages leaves that open."""
    if one.severity is Severity.WARNING:
        return "undetermined" if one.kind in ROUND else "told"
    record = finding_kind(one.kind, one.rule, systems)
    stops = record is not None and record.bearing is not None and record.bearing.effect == "stops"
    return "rejects" if stops else "undetermined"


def links_left_open(
    found: Iterable[FindingBrought], systems: Collection[str]
) -> Iterator[LeftOpen]:
    """The findings that leave open what becomes of a link which a change brings."""
    for one in found:
        record = finding_kind(one.kind, one.rule, sorted(systems))
        if record is None or record.bearing is None:
            continue
        if record.about == "link" and record.bearing.effect == "opens":
            yield unknown(one.message, one.source)


def cautions_of(found: Iterable[FindingBrought]) -> Iterator[Caution]:
    """The findings as warnings of an answer."""
    for one in found:
        yield Caution(one.kind, one.message, one.source)
