"""Lint rules of service integration buses (outcomes.md 4.1): what their pages in docs/rules do not
show.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from topograph.facts.sibus import SibusBus
from topograph.opening.folders import read_snapshot
from topograph.side_inputs import SideInputs
from topograph.systems.fact_sources import FactList
from topograph.systems.registry import system

from .buses import network, script

QUEUES = ("Queue A", "Queue C")


def test_an_exception_destination_that_is_a_topic_space_is_an_error(tmp_path):
    lines = ("Queue A -exceptionDestination T", "TopicSpace T")
    found = network(tmp_path, {"b.py": script("B", *lines)}).check().findings
    assert [(one["rule"], one["severity"], one["kind"]) for one in found] == [
        ("SL-04", "error", "exception-destination-no-queue")
    ]


def test_sound_buses_have_no_findings(tmp_path):
    assert network(tmp_path, {"b.py": script("B", *QUEUES)}).check().findings == ()


def test_sl15_a_mediation_that_changes_one_path_only(tmp_path):
    entry = "mediations:\n- destination: A\n  forward_path: [C]\n"
    files = {"b.py": script("B", *QUEUES, "mediate A M"), "topograph.yaml": entry}
    (found,) = network(tmp_path, files).check().findings
    assert (found["rule"], found["source"]["line"]) == ("SL-15", 2)


def test_sl03_a_default_path_of_an_alias_for_an_address_on_another_bus(tmp_path):
    alias = "Alias X -aliasBus Far -targetBus B -targetName A"
    lines = (*QUEUES, f"{alias} -defaultForwardRoutingPath [[Far X]]")
    (found,) = network(tmp_path, {"b.py": script("B", *lines)}).check().findings
    assert (found["rule"], found["source"]["line"]) == ("SL-03", 5)
    assert "form a cycle: X@B -> X@B." in found["message"]


@pytest.mark.parametrize(
    ("version", "severity"),
    [
        ("", "warning"),
        ("8.0.0.15", "warning"),
        ("8.5", "error"),
        ("8.5.5", "error"),
        ("9", "error"),
    ],
)
def test_sl02_a_topic_space_within_a_path_is_an_error_from_8_5_on(tmp_path, version, severity):
    """No importer reads the version yet: outcomes.md 4.1 says what follows from it."""
    lines = ("Queue A -defaultForwardRoutingPath [[B T] [B A]]", "TopicSpace T")
    (tmp_path / "b.py").write_text(script("B", *lines))
    read = read_snapshot(tmp_path).facts(tmp_path.name)
    facts = [
        replace(fact, version=version) if isinstance(fact, SibusBus) else fact for fact in read
    ]
    stepping = system("sibus").stepping(FactList(facts), SideInputs())
    found = [one for check in stepping.checks for one in check() if one.rule == "SL-02"]
    assert [str(one.severity) for one in found] == [severity]
