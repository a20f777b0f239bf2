"""The findings of a network as ``check`` groups them, each with what it is about in the picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from topograph.findings import Finding, Source
from topograph.forwarding.reached import shown_links
from topograph.questions.check import by_harm, label_of, with_waivers
from topograph.questions.model import Model
from topograph.reporting.report import FindingGroup, FindingShown
from topograph.systems.rule_texts import RuleText


def found_in(model: Model) -> list[Finding]:
    """Every finding once, worst first, then by file and line, as ``check`` lists them; those that
    are waived are information. n log n.
    """
    return with_waivers(model)


def grouped(
    findings: Sequence[Finding], model: Model, text: Callable[[str], RuleText]
) -> tuple[FindingGroup, ...]:
    """The findings by severity and rule, the most harmful first as ``check`` has them. n log n
    in the findings, linear in the links.
    """
    labels = labels_of(model)
    links = links_by_line(model)
    groups: dict[tuple[str, str], list[FindingShown]] = {}
    for one in findings:
        label = label_of(one)
        shown = FindingShown(
            str(one.severity),
            one.rule,
            one.kind,
            one.message,
            labels.get(one.server, ""),
            links.get((one.source.file, one.source.line), ()),
            one.source,
            one.excerpt.strip(),
        )
        groups.setdefault((str(one.severity), label), []).append(shown)
    order = by_harm(findings, {place.system for place in model.places()})
    return tuple(
        FindingGroup(str(severity), label, *text(label), tuple(groups[str(severity), label]))
        for severity, label in order
    )


def labels_of(model: Model) -> Mapping[str, str]:
    """By name the label of each server whose name is that of one server only."""
    found: dict[str, list[str]] = {}
    for place in model.places():
        found.setdefault(place.name, []).append(model.label(place.server))
    return {name: own[0] for name, own in found.items() if len(own) == 1}


def links_by_line(model: Model) -> Mapping[tuple[str, int], tuple[str, ...]]:
    """By file and line of its configuration the two ends of a link; nothing where several links
    stand there.
    """
    found: dict[tuple[str, int], set[tuple[str, ...]]] = {}
    for part in model.parts:
        for link in shown_links(part.graph):
            if link.source.line:
                found.setdefault(_line(link.source), set()).add(link.ends)
    return {line: next(iter(own)) for line, own in found.items() if len(own) == 1}


def _line(source: Source) -> tuple[str, int]:
    return source.file, source.line
