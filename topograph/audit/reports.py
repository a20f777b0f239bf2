"""An audit for other tools: SARIF 2.1.0 for code scanning, JUnit XML for pipelines, Markdown for
a pull request. Pure: an answer to a text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from topograph.credentials import shown_command
from topograph.findings import Source
from topograph.questions.answers.audit import (
    AuditAnswer,
    AuditStep,
    DeliveryMoved,
    Pair,
    PolicyResult,
    Rejection,
)
from topograph.questions.answers.base import Step
from topograph.questions.answers.impact import OutcomeChanged
from topograph.questions.lasting import NOT_LASTING
from topograph.questions.sarif import Json, described, descriptor, document, location
from topograph.questions.text import apart, caveats
from topograph.questions.texts.audits import LOOK_AT, compared, lead, nothing_to_tell, to_look_at
from topograph.questions.texts.layout import count
from topograph.questions.texts.outcomes import changed_outcome
from topograph.questions.texts.policies import noted
from topograph.questions.texts.policies import told as result_of
from topograph.records import record
from topograph.words.visible import clean

OWN_RESULTS: Mapping[str, tuple[str, str]] = {
    "not-looked-at": ("Not looked at", "The search ended before this was compared."),
    "not-known": ("Not known", "The loaded files do not say it, and the change touches it."),
    "policy": ("Policy", "A policy does not hold after the change, or cannot be decided."),
    "deliveries-lost": ("Lost deliveries", "A known subscriber no longer gets a message."),
    "deliveries-gained": ("Gained deliveries", "A known subscriber gets a message now."),
    "deliveries-duplicated": ("Doubled deliveries", "A known subscriber gets a message twice."),
    "would-lose": (
        "Lost deliveries, if subscribed",
        "A subscriber, if it is there, loses a message.",
    ),
    "would-gain": (
        "Gained deliveries, if subscribed",
        "A subscriber, if it is there, gets a message.",
    ),
    "outcome-changed": ("Changed outcome", "A message ends differently after the change."),
    "change-missing": ("Missing change", "A part of the change is not in the new configuration."),
    "change-besides": ("Other change", "The new configuration differs in more than the change."),
    "reach-lost": ("Lost reach", "Servers no longer reach each other after the change."),
    "reach-gained": ("Gained reach", "Servers reach each other after the change."),
}
"""Name and sentence of the results that rest on no rule of a system."""


@record
class _Reported:
    """Something that a reader has to look at: the rule or the kind of result, how bad it is
    (``error``, ``warning``, ``note``), a sentence, where it stands, and the refusal that it is,
    if it is one.
    """

    rule: str
    level: str
    text: str
    source: Source
    rejection: Rejection | None = None
    waiver: str = ""

    def __str__(self) -> str:
        return f"{self.source}: {self.text}" if self.source.file else self.text


def _reported(answer: AuditAnswer) -> Iterator[_Reported]:
    """Everything that a reader has to look at, in the order of the answer."""
    for warning in answer.warnings:
        if warning.rule in NOT_LASTING:
            source = warning.source or Source("")
            yield _Reported(warning.rule, "warning", warning.message, source)
    for open_ in answer.left_open:
        remedy = f" ({open_.remedy})" if open_.remedy else ""
        rule = {"not_looked_at": "not-looked-at"}.get(open_.polarity, "not-known")
        yield _Reported(rule, "warning", f"{open_.because}{remedy}", open_.source)
    for found in answer.findings:
        level = {"rejects": "error", "undetermined": "warning"}.get(found.effect, "warning")
        yield _Reported(found.rule, level, found.message, found.source)
    for one in answer.rejections:
        level = "warning" if one.undetermined else "error"
        yield _Reported(one.rule, level, _of_rejection(one), one.source, one)
    for policy in answer.policy:
        if policy.result != "pass":
            level = "error" if policy.result == "fail" and policy.blocks else "warning"
            yield _Reported(
                f"policy-{policy.rule}",
                level,
                _of_policy(policy),
                _place_of(policy),
                waiver="" if policy.blocks else policy.waiver,
            )
    for step in answer.steps:
        for note in step.notes:
            yield _Reported(note.rule, "note", note.message, note.source or step.source)
    yield from _deliveries(answer)
    for moved in answer.outcomes:
        rule, level = moved.rule or "outcome-changed", "note" if moved.goes_otherwise else "warning"
        yield _Reported(rule, level, _of_outcome(moved), moved.source)
    for rule, what, entries in (
        ("change-missing", "is part of the change and is missing: not", answer.missing),
        ("change-besides", "is not part of the change:", answer.besides),
    ):
        for entry in entries:
            text = f"{entry.kind} {entry.name} of {entry.server} {what} {entry.change}"
            yield _Reported(rule, "error", text, entry.source)
    yield from _reach(answer)


def _deliveries(answer: AuditAnswer) -> Iterator[_Reported]:
    for rule, level, what, rows in (
        ("deliveries-lost", "warning", "no longer gets", answer.deliveries.lost),
        ("deliveries-duplicated", "warning", "gets more than once", answer.deliveries.duplicated),
        ("would-lose", "warning", "would no longer get, if it is there,", answer.would_lose),
        ("deliveries-gained", "note", "gets now", answer.deliveries.gained),
        ("would-gain", "note", "would get, if it is there,", answer.would_gain),
    ):
        for row in rows:
            yield _Reported(rule, level, _of_delivery(row, what), row.source)


def _reach(answer: AuditAnswer) -> Iterator[_Reported]:
    reach = answer.reach
    for rule, level, what, number, rows in (
        ("reach-lost", "warning", "no longer reach each other", reach.lost_count, reach.lost),
        ("reach-gained", "note", "reach each other now", reach.gained_count, reach.gained),
    ):
        if number:
            pairs = ", ".join(f"{start} to {end}" for start, end in rows[:3])
            text = f"{number:,} ordered pairs of servers {what}: {pairs}"
            yield _Reported(rule, level, text, _place_of_pairs(answer, rows))


def _place_of_pairs(answer: AuditAnswer, pairs: Sequence[Pair]) -> Source:
    """A line behind pairs that are gained or lost: the first command, else the first link that
    comes, goes or is altered, one at a server of the pairs if there is any. None for none."""
    if answer.steps:
        return answer.steps[0].source
    links = answer.links
    moved = (*links.removed, *links.changed, *links.added)
    servers = {name for pair in pairs for name in pair}
    ordered = sorted(moved, key=lambda one: not {one.from_, one.to} & servers)
    places = [one.source for one in ordered if one.source.file]
    there = [one for one in places if one.file not in answer.files_gone]
    return next(iter((*there, *places)), Source(""))


def _of_rejection(one: Rejection) -> str:
    when = "" if one.when == "now" else f" {one.when}"
    said = "cannot be decided" if one.undetermined else f"refused{when}"
    paths = "; ".join(" to ".join(path) for path in one.paths)
    return f"{said}: {one.message}{f' (paths: {paths})' if paths else ''}"


def _of_policy(policy: PolicyResult) -> str:
    more = policy.evidence_count - 1
    because = f" ({policy.because})" if policy.because else ""
    behind = noted(policy)
    because += f" ({behind})" if behind else ""
    said = "fails" if policy.result == "fail" else "is undetermined"
    return (
        f"policy {policy.id} {said}: "
        f"{policy.evidence[0].text}{f' (and {more:,} more)' if more else ''}{because}"
    )


def _place_of(policy: PolicyResult) -> Source:
    """The configuration line that decides about a policy; its own where there is none."""
    return next((one.source for one in policy.evidence if one.source.file), policy.source)


def _of_delivery(row: DeliveryMoved, what: str) -> str:
    return f"a subscriber at {row.server} {what} {row.message} from {row.from_}"


def _of_outcome(one: OutcomeChanged) -> str:
    what = "goes another way" if one.goes_otherwise else "ends differently"
    return f"a message to {one.destination} at {one.server} {what}: {changed_outcome(one)}"


def sarif(answer: AuditAnswer, version: str) -> str:
    """SARIF 2.1.0: a result for each refusal, and for the differences and notes of one cause, which
    are those of one rule at one line; refusals with the two paths as code flows through
    configuration lines. Paths are relative to the repository (``%SRCROOT%``)."""
    results = [_result(alike, answer) for alike in _by_cause(answer)]
    properties = {
        "verdict": answer.verdict,
        "snapshot": answer.snapshot,
        "network": answer.network,
    }
    return document(results, version, _described, properties)


def _described(number: str) -> Json:
    """A rule as code scanning shows it; the results that rest on none have words of their own."""
    if number in OWN_RESULTS or number.startswith("policy-"):
        name, sentence = OWN_RESULTS.get(number, OWN_RESULTS["policy"])
        return descriptor(number, name, sentence, [])
    return described(number)


MOST_IN_RESULT = 20
"""Texts that one result lists; it counts the others."""


def _by_cause(answer: AuditAnswer) -> list[list[_Reported]]:
    """What is reported, each refusal by itself, the rest together where rule, level, line and
    waiver are the same: a server that goes is one thing to look at, whatever it reached. In the
    order of the answer; linear.
    """
    groups: dict[object, list[_Reported]] = {}
    for number, one in enumerate(_reported(answer)):
        alike = (one.rule, one.level, one.source, one.waiver)
        groups.setdefault(alike if one.rejection is None else number, []).append(one)
    return list(groups.values())


def _listed(alike: Sequence[_Reported]) -> str:
    """The texts of one cause, a line each; of very many, some."""
    texts = list(dict.fromkeys(clean(one.text) for one in alike))
    more = len(texts) - MOST_IN_RESULT
    return "\n".join([*texts[:MOST_IN_RESULT], *([f"and {more:,} more"] if more > 0 else [])])


def _result(alike: Sequence[_Reported], answer: AuditAnswer) -> Json:
    """A result at its place. Code scanning refuses a file with a result without one, and shows
    none in a file that is gone: what has no place, or had it there, is shown at a file that is
    there."""
    one, text = alike[0], _listed(alike)
    mark = hashlib.sha256(f"{one.rule}\0{one.text}\0{one.source.file}".encode()).hexdigest()
    result: Json = {
        "ruleId": one.rule,
        "level": one.level,
        "message": {"text": text},
        "partialFingerprints": {"topograph/v1": mark},
    }
    shown = _shown_at(one.source, answer)
    if shown != one.source and one.source.file:
        result["message"] = {"text": f"{text} (was at {clean(str(one.source))})"}
    result["locations"] = [{"physicalLocation": location(shown)}]
    if one.waiver:
        result["suppressions"] = [
            {"kind": "external", "status": "accepted", "justification": clean(one.waiver)}
        ]
    if one.rejection is not None and one.rejection.flows:
        result["codeFlows"] = [
            {"threadFlows": [{"locations": [_hop(step) for step in flow]}]}
            for flow in one.rejection.flows
        ]
    return result


def _shown_at(source: Source, answer: AuditAnswer) -> Source:
    """The place itself, unless there is none, or its file is not there or lies outside."""
    outside = source.file.startswith("../") or Path(source.file).is_absolute()
    if source.file and not outside and source.file not in answer.files_gone:
        return source
    return answer.anchor if answer.anchor.file else source if source.file else _NOWHERE


_NOWHERE = Source(".", 1)
"""The place of what has none, in an answer that cites no file at all."""


def _hop(step: Step) -> Json:
    said = {
        "text": clean(
            f"{step.from_} to {step.to}{f' in zone {step.zone}' if step.zone else ''} ({step.rule})"
        )
    }
    at: Json = {"message": said}
    if step.source.file:
        at["physicalLocation"] = location(step.source)
    return {"location": at}


def junit(answer: AuditAnswer) -> str:
    """JUnit XML: a test case a command and a policy, failed where it is refused or does not
    hold, an error where nobody can say; one case where two states are compared."""
    cases = []
    counts = {"failure": 0, "error": 0, "skipped": 0}
    for step in answer.steps:
        case = ET.Element(
            "testcase",
            classname=_xml(step.server),
            name=_xml(f"{step.source.file}:{step.source.line} {step.command}"),
        )
        for one in _of_step(answer, step):
            kind = "error" if one.undetermined else "failure"
            counts[kind] += 1
            ET.SubElement(case, kind, type=_xml(one.rule), message=_xml(_of_rejection(one)))
        cases.append(case)
    if not answer.steps:
        case = ET.Element("testcase", classname=_xml(answer.network), name="before and after")
        for found in _reported(answer):
            if found.rejection is not None or (
                found.level == "error" and found.rule in ("change-missing", "change-besides")
            ):
                counts["failure"] += 1
                ET.SubElement(case, "failure", type=_xml(found.rule), message=_xml(str(found)))
        cases.append(case)
    if (gate := _gate_case(answer, counts)) is not None:
        cases.append(gate)
    for policy in answer.policy:
        case = ET.Element("testcase", classname=_xml("policy"), name=_xml(policy.id))
        if policy.result != "pass" and not policy.blocks:
            counts["skipped"] += 1
            ET.SubElement(case, "skipped", message=_xml(_of_policy(policy)))
        elif policy.result != "pass":
            kind = "failure" if policy.result == "fail" else "error"
            counts[kind] += 1
            failed = ET.SubElement(
                case, kind, type=_xml(policy.rule), message=_xml(_of_policy(policy))
            )
            failed.text = _xml("\n".join(f"{one.text} ({one.source})" for one in policy.evidence))
        cases.append(case)
    about = {
        "name": "topograph audit",
        "tests": str(len(cases)),
        "failures": str(counts["failure"]),
        "errors": str(counts["error"]),
        "skipped": str(counts["skipped"]),
    }
    suite = ET.Element("testsuite", about)
    suite.extend(cases)
    said = ET.SubElement(suite, "system-out")
    said.text = _xml("\n".join(found.text for found in _reported(answer)))
    suites = ET.Element("testsuites")
    suites.append(suite)
    ET.indent(suites)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"
    )


def _gate_case(answer: AuditAnswer, counts: dict[str, int]) -> ET.Element | None:
    """A test case for what a change brings and what is not known or was not looked at; None where
    there is nothing of that.
    """
    if not answer.left_open and not any(one.effect != "told" for one in answer.findings):
        return None
    case = ET.Element(
        "testcase", classname=_xml(answer.network), name="everything is known and was looked at"
    )
    for found in answer.findings:
        if found.effect == "told":
            continue
        kind = "failure" if found.effect == "rejects" else "error"
        counts[kind] += 1
        ET.SubElement(case, kind, type=_xml(found.rule), message=_xml(found.message))
    for one in answer.left_open:
        counts["error"] += 1
        text = f"{one.because}{f' ({one.remedy})' if one.remedy else ''}"
        ET.SubElement(case, "error", type=_xml(one.polarity), message=_xml(text))
    return case


def _of_step(answer: AuditAnswer, step: AuditStep) -> Sequence[Rejection]:
    return [
        one for one in answer.rejections if one.source == step.source and one.server == step.server
    ]


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _xml(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return _NOT_IN_XML.sub("\ufffd", text)


def markdown(answer: AuditAnswer) -> str:
    """Markdown for a comment at a pull request. What stands in it came out of files: nothing of
    it is markup, mentions anybody or links anywhere.
    """
    titles = {"accept": "accept", "reject": "**reject**", "undetermined": "**undetermined**"}
    lines = [f"### topograph audit: {titles[answer.verdict]}", ""]
    lines += [*map(_plain, lead(answer, apart(answer), caveats(answer))), ""]
    if states := compared(answer):
        lines += [_plain(states), ""]
    told = list(_reported(answer))
    first = list(to_look_at(answer))
    if not first and not answer.missing and not answer.besides:
        lines.append(_plain(nothing_to_tell(answer)))
    lines += [f"* {_plain(one)}" for one in first[:LOOK_AT]]
    if len(first) > LOOK_AT:
        lines.append(f"* and {count(len(first) - LOOK_AT, 'thing')} more, below")
    lines += ["", "| | server | result | command |", "|---|---|---|---|"] if answer.steps else []
    for step in answer.steps:
        place = f"{step.source.file}:{step.source.line}"
        command = _plain(shown_command(step.command))
        lines.append(f"| {_plain(place)} | {_plain(step.server)} | {step.result} | {command} |")
    lines += ["", "| | policy | result | |", "|---|---|---|---|"] if answer.policy else []
    for policy in answer.policy:
        behind = noted(policy)
        said = _plain(policy.evidence[0].text + (f" ({behind})" if behind else ""))
        place = _plain(str(policy.source))
        lines.append(f"| {place} | {_plain(policy.id)} | {result_of(policy)} | {said} |")
    if told:
        lines += ["", "<details><summary>Everything that changes</summary>", ""]
        lines += [f"* {one.level}: {_plain(one.text)}{_at(one.source)}" for one in told]
        lines += ["", "</details>"]
    lines += ["", f"snapshot {_plain(answer.snapshot)}, network {_plain(answer.network)}"]
    return "\n".join(lines) + "\n"


def _at(source: Source) -> str:
    return f" ({_plain(str(source))})" if source.file else ""


_MARKUP = re.compile(
    r"""(?P<mark>[\\`*\[\]<>|~$]|(?<!\w)_|_(?!\w))"""
    r"""|(?P<named>[@#](?=\w)|&(?=[#\w]))"""
    r"""|(?P<link>:(?=//)|(?<=www)\.)"""
    r"""|(?P<first>\A[-+=#:](?=[\s=#+-]|\Z)|\A\d+[.)](?=\s|\Z)|!(?=\[))""",
    re.IGNORECASE,
)


def _plain(text: str) -> str:
    """A text that Markdown shows as it stands: what would be markup where it stands has a
    backslash. ``@`` and ``#`` before a name, which would mention people and issues all the same,
    and what makes a link of an address, are written as character references."""
    return _MARKUP.sub(_escaped, clean(text))


def _escaped(match: re.Match[str]) -> str:
    if match["mark"]:
        return f"\\{match.group()}"
    found = match.group()
    return f"{found[:-1]}&#{ord(found[-1])};"
