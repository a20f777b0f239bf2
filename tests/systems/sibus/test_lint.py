"""The lint rules of service integration buses (outcomes.md 4.1), each by its id."""

from __future__ import annotations

import pytest

from .buses import network, script

QUEUES = ("Queue A", "Queue C")


@pytest.mark.parametrize(
    ("rule", "severity", "lines"),
    [
        ("SL-01", "error", ("Queue A -defaultForwardRoutingPath [[B GONE]]",)),
        ("SL-02", "warning", ("Queue A -defaultForwardRoutingPath [[B T] [B A]]", "TopicSpace T")),
        (
            "SL-03",
            "error",
            (
                "Queue A -defaultForwardRoutingPath [[B C]]",
                "Queue C -defaultForwardRoutingPath [[B A]]",
            ),
        ),
        ("SL-04", "error", ("Queue A -exceptionDestination GONE",)),
        ("SL-04", "error", ("Queue A -exceptionDestination T", "TopicSpace T")),
        ("SL-05", "warning", ("Queue A -exceptionDestination A",)),
        (
            "SL-06",
            "warning",
            ("Queue A -exceptionDestination C", "Queue C -exceptionDestination A"),
        ),
        ("SL-07", "warning", ("Queue A -exceptionDestination '' -maxFailedDeliveries 3",)),
        ("SL-08", "error", ("WebService W",)),
        (
            "SL-09",
            "error",
            (
                "Alias A -aliasBus B -targetBus B -targetName C",
                "Alias C -aliasBus B -targetBus B -targetName A",
            ),
        ),
        (
            "SL-10",
            "error",
            (
                "WebService W -defaultForwardRoutingPath [[B A]]",
                "Queue A",
                "Alias S -aliasBus B -targetBus B -targetName W",
            ),
        ),
        (
            "SL-11",
            "warning",
            (
                "createSIBForeignBus -name B2 -routingType Direct -type SIBus",
                "Queue A -defaultForwardRoutingPath [[B2 C] ['' D]]",
            ),
        ),
        ("SL-12", "info", ("Queue A -replyDestination C -replyDestinationBus B", "Queue C")),
    ],
)
def test_a_finding_has_its_rule_and_severity_and_sound_buses_have_none(
    tmp_path, rule, severity, lines
):
    found = network(tmp_path, {"b.py": script("B", *lines)}).check().findings
    assert (rule, severity) in {(one["rule"], one["severity"]) for one in found}
    assert network(tmp_path / "sound", {"b.py": script("B", *QUEUES)}).check().findings == ()


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (
            "SL-13",
            (
                '<queue id="Q"/><alias id="X" targetDestination="Y"/><alias id="Y" '
                'targetDestination="Q"/>'
            ),
        ),
        ("SL-14", '<queue id="Q" exceptionDestination="Q"/>'),
    ],
)
def test_liberty_has_rules_of_its_own(tmp_path, rule, text):
    server = f'<server><messagingEngine id="defaultME">{text}</messagingEngine></server>'
    found = network(tmp_path, {"s/server.xml": server}).check().findings
    assert rule in {one["rule"] for one in found}


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
