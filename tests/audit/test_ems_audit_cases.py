"""The audit of EMS scripts against vectors: networks, scripts, and what the specification says
of them (``vectors/ems_audit_cases.json``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

import topograph
from topograph import errors
from topograph.audit import GivenScript
from topograph.questions.answers import AuditAnswer, DeliveryMoved
from topograph.questions.answers.audit import Pair
from topograph.questions.text import text

VECTORS = json.loads(
    (Path(__file__).parents[1] / "vectors" / "ems_audit_cases.json").read_text(encoding="utf-8")
)
CASES: list[dict[str, Any]] = VECTORS["cases"]


def pairs(found: Iterable[Pair]) -> list[str]:
    return sorted(f"{start}>{end}" for start, end in found)


def moved(rows: Iterable[DeliveryMoved]) -> list[str]:
    return sorted({f"{row.server} {row.destination}" for row in rows})


def asked(case: Mapping[str, Any], folder: Path) -> AuditAnswer:
    for name, content in (VECTORS["networks"][case["network"]] | case.get("files", {})).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    scripts = [
        GivenScript(one["text"].encode(), f"change{n}", one["at"])
        for n, one in enumerate(case["scripts"], 1)
    ]
    return topograph.read(folder).audit(scripts, down=case.get("down", ()))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_change_is_judged_as_specified(case: dict[str, Any], tmp_path: Path) -> None:
    expect: dict[str, Any] = case["expect"]
    if "error" in expect:
        with pytest.raises(getattr(errors, expect["error"]), match=expect.get("error_says")):
            asked(case, tmp_path)
        return
    answer = asked(case, tmp_path)
    rows = {
        "would_lose": answer.would_lose,
        "would_gain": answer.would_gain,
        "deliveries_lost": answer.deliveries.lost,
        "deliveries_gained": answer.deliveries.gained,
        "deliveries_duplicated": answer.deliveries.duplicated,
    }
    found: dict[str, object] = {
        "verdict": answer.verdict,
        "before_legal": answer.before.legal,
        "results": [step.result for step in answer.steps],
        "servers": [step.server for step in answer.steps],
        "lines": [step.source.line for step in answer.steps],
        "rules": [one.rule for one in answer.rejections],
        "when": [one.when for one in answer.rejections],
        "detected": [one.detected for one in answer.rejections],
        "at_servers": [list(one.at) for one in answer.rejections],
        "gained": pairs(answer.reach.gained),
        "lost": pairs(answer.reach.lost),
        **{name: moved(of) for name, of in rows.items()},
    }
    wanted = {key: value for key, value in expect.items() if key in found}
    assert {key: found[key] for key in wanted} == wanted
    # Parts of lists: what is named has to be among what is found.
    doubled = {
        f"{one.server} {one.name.split('.')[1]}"
        for each in answer.rejections
        for one in each.duplicates
    }
    notes = " | ".join(note.message for step in answer.steps for note in step.notes)
    messages = " | ".join(one.message for one in answer.rejections)
    kinds = {one.rule for one in answer.warnings}
    assert set(expect.get("names", ())) <= doubled
    assert all(
        [*path] in [[*one] for one in answer.rejections[0].paths]
        for path in expect.get("paths", ())
    )
    assert all(part in notes for part in expect.get("notes", ())), notes
    assert not any(part in notes for part in expect.get("no_notes", ())), notes
    assert all(part in messages for part in expect.get("messages", ())), messages
    assert set(expect.get("warnings", ())) <= kinds
    assert kinds.isdisjoint(expect.get("no_warnings", ()))
    for name, of in rows.items():
        assert set(expect.get(f"{name}_any", ())) <= set(moved(of)), name
    assert text(answer).startswith(("Accept", "Reject", "Undetermined"))
    unknown = {key.removesuffix("_any") for key in expect} - found.keys()
    assert unknown <= {"names", "paths", "notes", "no_notes", "messages", "warnings", "no_warnings"}
