"""A script of MQSC given to random queue managers leaves what an import of the folder finds that
a second reading has edited.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from brute_force.mqsc_changes import Manager, Said, manager, script
from draws import draws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import topograph
from topograph.facts.plain import to_plain
from topograph.facts.rows import encode, without_places
from topograph.forwarding.graph import GraphTables
from topograph.importers.ibm_mq.commands import read_script
from topograph.questions.model import Part
from topograph.systems.contract.changes import after_both
from topograph.systems.contract.system import Change
from topograph.systems.fact_sources import ChangedFacts
from topograph.systems.ibm_mq import changes

pytestmark = pytest.mark.slow

ESTATES = draws(75)
MANAGERS = ("QA", "QB", "QC")
PLACE = re.compile(r"[\w./-]+\.mqsc(:\d+)*")
ORDER = re.compile(r"#\d+")
NUMBERED = frozenset({"source", "previous", "target", "link", "guards"})


def part_of(managers: Sequence[Manager], folder: Path) -> Part:
    for one in managers:
        (folder / f"{one.name}.mqsc").write_text(one.text(), "utf-8")
    (part,) = topograph.read(folder)._model.parts
    return part


def facts_of(source: Any) -> Counter[tuple[str, str, str, str]]:
    """What the facts say, wherever they stand and in whatever order their attributes are."""
    found: Counter[tuple[str, str, str, str]] = Counter()
    for fact in source.facts():
        row = encode(fact)
        payload = json.loads(without_places(row["payload"]))
        payload["attributes"] = sorted((one["name"], one["value"]) for one in payload["attributes"])
        found[row["kind"], row["server"], row["name"], json.dumps(payload, sort_keys=True)] += 1
    return found


def tables_of(tables: GraphTables) -> Counter[str]:
    """The rows of the tables without places, and without the numbers that follow from the order
    of the definitions in a file.
    """

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: strip(item) for key, item in value.items() if key not in NUMBERED}
        if isinstance(value, list):
            return [strip(item) for item in value]
        return ORDER.sub("", PLACE.sub("", value)) if isinstance(value, str) else value

    rows = (*tables.servers, *tables.points, *tables.links, *tables.guards)
    return Counter(f"{type(row).__name__} {strip(to_plain(row))}" for row in rows)


def applied(source: Any, server: str, text: str) -> tuple[list[bool], Change]:
    """Whether the commands of a script are accepted, and what all of them change."""
    change, accepted = Change(), []
    for one in read_script(text.encode(), "change.mqsc").commands:
        edit = changes.edit(ChangedFacts(source, change), server, one)
        assert edit.refused is None or (
            edit.change == Change() and not edit.refused.undetermined
        ), edit.refused
        accepted.append(edit.refused is None)
        change = after_both(change, edit.change)
    return accepted, change


def layout(random: Random, said: Sequence[Said]) -> str:
    """The commands as people write them: on several lines, in small letters where that says the
    same, with comments between.
    """
    lines = []
    for one in said:
        text = str(one)
        if random.random() < 0.3:
            head, blank, rest = text.partition(" ")
            text = head.lower() + blank + rest
        if random.random() < 0.3 and (at := text.find(") ")) > 0:
            text = f"{text[: at + 1]} +\n   {text[at + 2 :]}"
        lines += ["* a comment", text] if random.random() < 0.2 else [text]
    return "\n".join(lines) + "\n"


@settings(max_examples=ESTATES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32 - 1))
def test_a_script_leaves_what_an_import_of_the_edited_folder_finds(seed: int) -> None:
    random = Random(seed)
    start = [manager(random, name) for name in MANAGERS]
    said, expected, after = script(random, start[0], random.randrange(1, 12))
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as edited:
        before = part_of(start, Path(folder))
        wanted = part_of([after, *start[1:]], Path(edited))
        source = before.facts_of("ibm_mq")
        accepted, change = applied(source, "QA", layout(random, said))
        assert accepted == expected, [str(one) for one in said]
        assert facts_of(ChangedFacts(source, change)) == facts_of(wanted.facts_of("ibm_mq")), [
            str(one) for one in said
        ]
        tables = before.estate.apply(change).compile().tables
        assert tables_of(tables) == tables_of(wanted.estate.compile().tables)
