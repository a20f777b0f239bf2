"""Output that lists some types of entities only: what no output shows is not absent (D-1, 3.5)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import topograph
from topograph import Network

LONG = "org.apache.qpid.dispatch."
OF_THE_TOOL = [
    {"type": "connection", "identity": "90", "role": "normal", "container": "client"},
    {"type": "router.address", "identity": "91", "key": "L$management"},
    {"type": "router.link", "identity": "92", "linkType": "endpoint", "linkDir": "in"},
]
"""What every router has while a tool asks it for everything (D-7)."""

DECIDING = ["listener", "connector", "address", "linkRoute", "autoLink", "exchange", "router.link"]
WORDS = {
    "listener": "listeners",
    "connector": "connectors",
    "address": "address entries",
    "linkRoute": "link routes",
    "autoLink": "autolinks",
    "exchange": "exchanges",
    "router.link": "receivers",
}


def read(folder: Path, output: str, mode: str = "interior") -> Network:
    """A router that listens, of which the file is loaded, and router A of which ``output`` is."""
    (folder / "hub.conf").write_text(
        "router {\n mode: interior\n id: HUB\n}\nlistener {\n host: hub\n port: 5001\n"
        " role: inter-router\n}\n",
        encoding="utf-8",
    )
    router = {"type": "router", "id": "A", "mode": mode, "version": "1.19.0"}
    told = commanded("router", [router]) + output
    (folder / "a.txt").write_text(told, encoding="utf-8")
    return topograph.read(folder)


def commanded(type_: str, rows: list[dict[str, Any]]) -> str:
    """What a query of one type prints."""
    rows = [row | {"type": f"{LONG}{row['type']}"} for row in rows]
    return f"$ qdmanage query -r A --type {type_}\n{json.dumps(rows)}\n"


def without(*types: str) -> str:
    """Queries of all types that decide about messages but some, none of which finds anything, and
    of the connections."""
    asked = [one for one in [*DECIDING, "connection"] if one not in types]
    return "".join(commanded(one, []) for one in asked)


def test_a_router_without_connections_shown_may_be_joined_with_any(tmp_path: Path) -> None:
    network = read(tmp_path, without("connection", "connector"))
    for start, end in (("A", "HUB"), ("HUB", "A")):
        answer = network.reach(start)
        assert (answer.servers, answer.unreachable) == ((), ())
        (open_,) = answer.undetermined
        assert open_.server == end
        assert "no loaded output shows its connections" in open_.because
    assert network.hops("HUB", "A").reachable == "unknown"
    assert "partition" not in {row["kind"] for row in network.check().findings}


@pytest.mark.parametrize("shown", ["connection", "connector"])
def test_connections_or_connectors_show_that_a_router_is_joined_with_none(
    shown: str, tmp_path: Path
) -> None:
    """Connectors are who connects to whom, as in files; connections are those that are up."""
    types = {"connection", "connector"} - {shown}
    assert read(tmp_path, without(*types)).reach("HUB").unreachable == ("A",)


@pytest.mark.parametrize(("mode", "open_"), [("interior", False), ("edge", True)])
def test_the_router_table_shows_the_connections_of_an_interior_router_only(
    mode: str, open_: bool, tmp_path: Path
) -> None:
    """An edge router has no rows of routers (3.4, E-5)."""
    table = commanded("router.node", [{"type": "router.node", "id": "A"}])
    network = read(tmp_path, without("connection", "connector") + table, mode)
    assert bool(network.reach("HUB").undetermined) is open_


@pytest.mark.parametrize("type_", DECIDING)
def test_a_delivery_rests_on_each_type_that_no_output_shows(type_: str, tmp_path: Path) -> None:
    """An entry, link route, autolink, exchange or receiver of A may take the message."""
    network = read(tmp_path, without(type_))
    answer = network.propagate("A", "address:jobs", subscribers=["A:address:jobs"])
    assert [one.server for one in answer.deliveries] == ["A"]
    (rests,) = [one.text for one in answer.assumptions if "is not shown of A" in one.text]
    assert f"no loaded output shows all of its {WORDS[type_]}" in rests
    nobody = network.propagate("A", "address:jobs", assume=False)
    assert [one.server for one in nobody.undetermined] == ["A"]


def test_a_delivery_where_everything_is_shown_rests_on_nothing_unseen(tmp_path: Path) -> None:
    network = read(tmp_path, without())
    answer = network.propagate("A", "address:jobs", subscribers=["A:address:jobs"])
    assert not [one for one in answer.assumptions if "not shown" in one.text]
    assert answer.undetermined == ()


def test_a_query_of_all_types_shows_that_what_it_lacks_is_absent(tmp_path: Path) -> None:
    rows = [row | {"type": f"{LONG}{row['type']}"} for row in OF_THE_TOOL]
    rows.append({"type": f"{LONG}router", "id": "A", "mode": "interior", "version": "1.19.0"})
    network = read(tmp_path, "$ cat whole.json\n" + json.dumps(rows))
    assert network.reach("HUB").unreachable == ("A",)
    answer = network.propagate("A", "address:jobs", subscribers=["A:address:jobs"])
    assert not [one for one in answer.assumptions if "not shown" in one.text]


@pytest.mark.parametrize(
    ("command", "type_"),
    [
        ("qdmanage delete --type linkRoute --name x\n", "linkRoute"),
        ("qdmanage create --type address prefix=jobs distribution=multicast\n", "address"),
    ],
)
def test_a_command_about_a_type_that_no_output_shows_is_not_judged(
    command: str, type_: str, tmp_path: Path
) -> None:
    audit = read(tmp_path, without(type_)).audit(command, at="A")
    (step,) = audit.steps
    assert (audit.verdict, step.result) == ("undetermined", "undetermined")
    (refused,) = audit.rejections
    assert refused.rule == "D-1"
    assert refused.message.startswith(f"no loaded output shows all entities of type {type_} of A")
