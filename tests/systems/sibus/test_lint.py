"""Lint rules of service integration buses (outcomes.md 4.1): what their pages in docs/rules do not
show.
"""

from __future__ import annotations

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
