"""``check`` as SARIF 2.1.0, for code scanning: new findings, and as suppressed ones those that are
waived or in the baseline. Pure: an answer to a text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from topograph.findings import Source
from topograph.questions.answers.listings import CheckAnswer
from topograph.questions.baseline import fingerprint_of
from topograph.questions.sarif import Json, described, document, location
from topograph.words.visible import clean

_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def sarif(answer: CheckAnswer, version: str, anchor: Source, under: str = "") -> str:
    """The findings of an answer. A finding without a place in a file is shown at ``anchor``, since
    code scanning refuses results without one. ``under`` is the folder of the repository that paths
    are below; empty where they are relative to its top. Linear in the findings."""
    often: Counter[str] = Counter()
    results = [_result(*one, anchor, under, often) for one in _listed(answer)]
    properties = {"snapshot": answer.snapshot, "network": answer.network, "exact": answer.exact}
    return document(results, version, described, properties)


def _listed(answer: CheckAnswer) -> Iterator[tuple[Mapping[str, Any], str, Json]]:
    """Every finding with its state beside the baseline and its suppression; empty where there is
    none.
    """
    state = "new" if answer.baseline else ""
    for entry in answer.findings:
        yield entry, state, {}
    for entry in answer.known:
        why = f"in the baseline {answer.baseline}"
        accepted = {"kind": "external", "status": "accepted", "justification": why}
        yield entry, "unchanged", accepted
    for one in answer.waived:
        until = f" (until {one.until})" if one.until else ""
        yield (
            one.finding,
            "",
            {
                "kind": "inSource" if one.inline else "external",
                "status": "accepted",
                "justification": clean(f"{one.reason}{until} [{one.source}]"),
            },
        )


def _result(
    finding: Mapping[str, Any],
    state: str,
    suppression: Json,
    anchor: Source,
    under: str,
    often: Counter[str],
) -> Json:
    mark = fingerprint_of(finding)
    often[mark] += 1
    source = Source(**finding["source"])
    there = source.file and source.file != "." and not PurePath(source.file).is_absolute()
    shown = source if there else anchor if anchor.file else Source("topograph.yaml", 1)
    place = replace(shown, file=f"{under}/{shown.file}" if under else shown.file)
    server = f"{finding['server']}: " if finding["server"] else ""
    result: Json = {
        "ruleId": finding["rule"] or finding["kind"],
        "level": _LEVELS[finding["severity"]],
        "message": {"text": clean(f"{server}{finding['message']}")},
        "locations": [{"physicalLocation": location(place)}],
        "partialFingerprints": {"topograph/v1": f"{mark}:{often[mark]}"},
        "properties": {"kind": finding["kind"], "server": finding["server"]},
    }
    if suppression:
        result["suppressions"] = [suppression]
    if state:
        result["baselineState"] = state
    return result
