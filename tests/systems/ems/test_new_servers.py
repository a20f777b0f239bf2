"""Servers that are not set up yet (``new`` of topograph.yaml): audits of routes to them are
decided, and answers say what they rest on.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph
from topograph.findings import Source
from topograph.questions.text import text

TOPICS = "orders.> global,maxbytes=1MB\n"
HUB = {
    "HUB": {
        "routes.conf": "[W]\n  url = tcp://w:7222\n  zone_name = Z\n",
        "topics.conf": TOPICS,
    },
    "W": {
        "routes.conf": "[HUB]\n  url = tcp://hub:7222\n  zone_name = Z\n",
        "topics.conf": TOPICS,
    },
}
NEW = {"topograph.yaml": 'new:\n  "NEW": {routing: enabled, listen: "tcp://new:7222"}\n'}
ROUTE = "create route NEW url=tcp://new:7222 zone_name=Z zone_type=mhop\n"


def rests_on(answer) -> list[str]:
    return [one.text for one in answer.assumptions if one.rule == "new"]


def test_a_new_server_stands_in_every_question_and_is_said_to_be_declared(estate):
    network = estate(HUB, NEW)
    said = (
        "NEW is a new server that begins as topograph.yaml:2:3 says, without routes, "
        "destinations or users: it is declared, not read"
    )
    reach = network.reach("HUB")
    assert [one.server for one in reach.servers] == ["W"]
    assert reach.unreachable == ("NEW",)
    assert (reach.exact, rests_on(reach)) == (True, [said])
    (row,) = [one for one in network.show("servers").rows if one["server"] == "NEW"]
    assert row["source"] == Source("topograph.yaml", 2, 3).to_dict()
    propagate = network.propagate("NEW", "topic:orders.a")
    assert rests_on(propagate) == [said]
    assert said in text(propagate)
    assert rests_on(network.impact(["server:W"])) == [said]
    assert rests_on(network.check()) == []


def test_a_route_to_a_new_server_is_accepted_and_tells_who_reaches_it(estate):
    answer = estate(HUB, NEW).audit(ROUTE, at="HUB")
    assert answer.verdict == "accept"
    pairs = {("HUB", "NEW"), ("W", "NEW"), ("NEW", "HUB"), ("NEW", "W")}
    assert set(answer.reach.gained) == pairs
    assert len(rests_on(answer)) == 1


def test_a_second_route_to_a_new_server_is_refused_with_both_paths(estate):
    script = (
        f"connect tcp://hub:7222\n{ROUTE}connect tcp://w:7222\n{ROUTE}"
        "connect tcp://new:7222\ncreate topic orders.> global\n"
    )
    folders = {
        name: {"tibemsd.conf": main, **files}
        for name, files in HUB.items()
        for main in [
            f"server = {name}\nlisten = tcp://{name.lower()}:7222\nrouting = enabled\n"
            "routes = routes.conf\ntopics = topics.conf\n"
        ]
    }
    answer = estate(folders, NEW).audit(script)
    assert [one.result for one in answer.steps] == ["accepted", "refused", "accepted"]
    (refused,) = answer.rejections
    assert "Implicit route" in refused.message
    assert set(refused.paths) == {("HUB", "NEW"), ("HUB", "W", "NEW")}


def test_an_undetermined_route_names_the_entry_that_decides_it(estate):
    answer = estate(HUB).audit(ROUTE, at="HUB")
    (left,) = answer.rejections
    assert (answer.verdict, left.undetermined) == ("undetermined", True)
    assert "declare it in topograph.yaml (new: {NEW: {routing: enabled}})" in left.message


def test_routing_that_is_disabled_at_a_new_server_leaves_the_route_down(estate):
    disabled = {"topograph.yaml": "new: {NEW: {routing: disabled}}\n"}
    folders = {**HUB, "HUB": {**HUB["HUB"], "routes.conf": "[NEW]\n  url = tcp://new:7222\n"}}
    network = estate(folders, disabled)
    assert "NEW" in network.reach("HUB").unreachable
    (found,) = [one for one in network.check().findings if one["kind"] == "routing-disabled"]
    assert (found["source"]["file"], found["source"]["line"]) == ("topograph.yaml", 1)


def test_a_server_that_is_configured_needs_no_entry(estate):
    network = estate(HUB, {"topograph.yaml": "new: {W: {routing: disabled}}\n"})
    answer = network.reach("HUB")
    assert [one.server for one in answer.servers] == ["W"]
    assert rests_on(answer) == []
    (found,) = [one for one in network.check().findings if one["kind"] == "side-inputs-not-used"]
    assert "W is configured in W/tibemsd.conf already" in found["message"]


def test_new_servers_of_other_systems_are_an_error_that_names_those_it_works_for(tmp_path: Path):
    (tmp_path / "QM1.mqsc").write_text("DEFINE QLOCAL(A)\n", encoding="utf-8")
    (tmp_path / "topograph.yaml").write_text("new:\n  QM2: {}\n", encoding="utf-8")
    network = topograph.read(tmp_path)
    (found,) = [one for one in network.check().findings if one["kind"] == "side-inputs-invalid"]
    assert found["message"] == (
        "new: QM2 is left out: servers can be declared of TIBCO EMS only, and no file here is. Put "
        "the files of the new server next to the others."
    )
    assert found["source"]["line"] == 2


@pytest.mark.parametrize("name", ["a.b", "x" * 65])
def test_a_name_that_no_server_can_have_is_an_error(estate, name: str):
    network = estate(HUB, {"topograph.yaml": f'new: {{"{name}": {{}}}}\n'})
    assert "server-name" in {one["kind"] for one in network.check().findings}
