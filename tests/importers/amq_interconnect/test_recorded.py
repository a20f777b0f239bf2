"""Files that a real 1.19.0 router was started with, and what it made of them
(tests/golden/amq_interconnect).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from topograph.importers.amq_interconnect import parse_dump, parse_text, recognise
from topograph.importers.amq_interconnect.roles import AMQ_CONF, AMQ_JSON

GOLDEN = Path(__file__).parents[2] / "golden" / "amq_interconnect"
CONFIGS = sorted(GOLDEN.glob("*/configs/*"))


def steps(case: str, op: str):
    observed = json.loads((GOLDEN / case / "observed.json").read_text())
    return [step for step in observed["steps"] if step["op"] == op]


def parse(file: Path):
    return parse_text("json" if file.suffix == ".json" else "conf", file.read_text(), file.name)


@pytest.mark.parametrize("file", CONFIGS, ids=lambda file: f"{file.parts[-3][:3]}-{file.stem}")
def test_the_router_starts_exactly_if_it_did(file):
    (logged,) = steps("p13_startup_refused", "log_grep")
    started = logged["started"] if "p13" in str(file) else {}
    recognised = recognise(str(file), file.read_bytes())
    assert recognised is not None
    assert recognised.role == (AMQ_JSON if file.suffix == ".json" else AMQ_CONF)
    assert parse(file).starts == started.get(file.stem, True)


@pytest.mark.parametrize(
    ("case", "router"), [("p14_config_syntax", "SYN"), ("p11_misconfigurations", "S")]
)
def test_the_entities_in_effect_are_those_the_router_reported(case, router):
    (reported,) = steps(case, "config")
    rows = [row for of_type in reported["config"][router].values() for row in of_type]
    dumped, findings = parse_dump(json.dumps(rows))
    read = {
        (entity.type, entity.name): dict(entity.attributes)
        for entity in parse(GOLDEN / case / f"configs/{router}.conf").entities
    }
    only_running = {"name", "operStatus", "connectionStatus", "failoverUrls", "linkCapacity"}
    reported_entities = {
        (entity.type, entity.name): {
            name: value for name, value in entity.attributes if name not in only_running
        }
        for entity in dumped
    }
    kinds = {"address", "linkRoute", "autoLink", "listener", "connector"}
    assert findings == ()
    assert {key for key in read if key[0] in kinds} == {
        key for key in reported_entities if key[0] in kinds
    }
    for key, attributes in reported_entities.items():
        if key[0] in kinds:
            assert {
                name: value for name, value in read[key].items() if name not in only_running
            } == attributes, key


def test_the_deprecated_names_are_those_the_router_warned_of():
    (logged,) = steps("p14_config_syntax", "log_grep")
    deprecated = parse(GOLDEN / "p14_config_syntax/configs/SYN.conf").loaded.deprecated
    assert sorted(
        f"AGENT (warning) Attribute '{name}' of entity '{section}' has been deprecated. Use"
        for section, name in deprecated
    ) == sorted(line.rsplit(" '", 1)[0] for line in logged["log"]["SYN"])


def test_links_that_never_became_active_are_foretold():
    read = parse(GOLDEN / "p15_inactive_autolinks/configs/A.conf")
    never = {entry.name for entry in read.loaded.entries if entry.never_active}
    assert never == {"al-normal-role", "al-typo", "al-default-name", "lr-normal-role"}
    (reported, *_) = steps("p15_inactive_autolinks", "config")
    rows = [row for of_type in reported["config"]["A"].values() for row in of_type]
    assert {row["operStatus"] for row in rows if row["name"] in never} == {"inactive"}


def test_an_address_of_a_dump_without_a_distribution_is_unavailable():
    entities, findings = parse_dump((GOLDEN / "p10_unavailable/dump/A.json").read_text(), "A.json")
    addresses = [
        (e.server, e.get("prefix") or e.get("pattern"), e.get("distribution"), e.get("priority"))
        for e in entities
        if e.type == "address"
    ]
    assert findings == ()
    assert addresses == [("A", "ok", "balanced", ""), ("A", "ok/blocked/#", "unavailable", "")]
