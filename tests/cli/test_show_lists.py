"""``show`` of bridges, durables, subscribers, links and factories, of every system that has
them, and of one server.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import topograph
from topograph.cli.group import topograph as command
from topograph.errors import UnknownServer
from topograph.questions.text import text

EXAMPLES = Path(__file__).parents[2] / "examples"


def place(row: dict[str, object]) -> str:
    source = row["source"]
    assert isinstance(source, dict)
    return f"{source['file']}:{source['line']}"


def test_bridges_name_both_destinations_and_the_selector() -> None:
    shown = topograph.read(EXAMPLES / "retail").show("bridges", server="NORTH")
    (row,) = shown.rows
    assert (row["from"], row["to"], row["selector"]) == (
        "queue:restock",
        "queue:orders@HQ",
        "quantity > 0",
    )
    assert place(row) == "north/bridges.conf:2"
    assert text(shown).splitlines()[0] == "Bridges of NORTH: 1."


def test_bridges_of_devices_lead_to_a_queue_manager_and_back() -> None:
    rows = topograph.read(EXAMPLES / "mqe_devices").show("bridges").rows
    assert [(row["type"], row["from"], row["to"], place(row)) for row in rows] == [
        ("bridge queue", "ORDERS@harbour", "HQ1", "harbour.yaml:13"),
        ("transmission-queue listener", "HARBOUR.XMITQ@HQ1", "harbour", "harbour.yaml:15"),
    ]


def test_bridges_of_routers_stand_between_an_address_and_a_port(tmp_path: Path) -> None:
    (tmp_path / "r.conf").write_text(
        "router {\n id: R\n}\n"
        "tcpListener {\n host: 0.0.0.0\n port: 5000\n address: orders\n}\n"
        "tcpConnector {\n host: backend\n port: 6000\n address: orders\n}\n"
    )
    rows = topograph.read(tmp_path).show("bridges").rows
    assert [(row["type"], row["from"], row["to"], place(row)) for row in rows] == [
        ("tcpListener", "0.0.0.0:5000", "address:orders", "r.conf:4"),
        ("tcpConnector", "address:orders", "backend:6000", "r.conf:9"),
    ]


def test_durables_are_those_of_files_and_those_that_servers_listed() -> None:
    rows = topograph.read(EXAMPLES / "retail").show("durables").rows
    assert {
        (row["server"], row["name"], row["destination"], row["known"], place(row)) for row in rows
    } == {
        ("HQ", "archive", "topic:prices.>", "configured", "head-office/durables.conf:1"),
        ("MEADOW", "till", "topic:sales.meadow", "observed", "meadow/subscriptions.txt:7"),
    }


def test_an_administrative_subscription_is_durable_and_names_its_queue(tmp_path: Path) -> None:
    (tmp_path / "QM.mqsc").write_text(
        "ALTER QMGR\nDEFINE QLOCAL(IN)\nDEFINE SUB(S1) TOPICSTR('prices/eu') DEST(IN) "
        "SELECTOR('n > 1')\n"
    )
    network = topograph.read(tmp_path)
    for what in ("durables", "subscribers"):
        (row,) = network.show(what).rows
        assert (row["server"], row["name"], row["destination"], row["leads_to"]) == (
            "QM",
            "S1",
            "topic:prices/eu",
            "IN",
        )
        assert (row["selector"], place(row)) == ("n > 1", "QM.mqsc:3")


def test_subscribers_say_how_each_is_known() -> None:
    rows = topograph.read(EXAMPLES / "estate").show("subscribers").rows
    known = {(row["server"], row["type"], row["destination"], row["known"]) for row in rows}
    assert {
        ("CANADA", "durable", "topic:orders", "configured"),
        ("HQ", "bridge", "topic:orders", "configured"),
        ("MADRID", "client", "topic:orders", "declared"),
    } <= known
    routers = topograph.read(EXAMPLES / "routers").show("subscribers", server="LON").rows
    assert [(row["destination"], row["client_id"], place(row)) for row in routers] == [
        ("address:alerts", "desk-london", "topograph.yaml:13")
    ]


@pytest.mark.parametrize(
    ("example", "server", "expected"),
    [
        ("estate", "VAULT", {("HQ", "VAULT", "link"), ("MIRROR", "VAULT", "link")}),
        ("routers", "SHOP", {("PAR", "SHOP", "uplink")}),
        ("queue_managers", "STORE1", {("HUB", "STORE1", "channel"), ("STORE1", "HUB", "channel")}),
        (
            "sibus_orders",
            "Orders",
            {("Archive", "Orders", "bus link"), ("Orders", "Archive", "bus link")},
        ),
        ("mqe_devices", "depot", {("harbour", "depot", "connection")}),
    ],
)
def test_links_of_every_system_with_their_place(
    example: str, server: str, expected: set[tuple[str, str, str]]
) -> None:
    rows = topograph.read(EXAMPLES / example).show("links", server=server).rows
    assert {(row["from"], row["to"], row["kind"]) for row in rows} == expected
    assert all(int(place(row).rpartition(":")[2]) > 0 for row in rows)


def test_one_server_of_several_systems_is_named_with_its_system(tmp_path: Path) -> None:
    (tmp_path / "tibemsd.conf").write_text("server = A\nrouting = enabled\nqueues = queues.conf\n")
    (tmp_path / "queues.conf").write_text("q\n")
    (tmp_path / "r.conf").write_text("router {\n id: A\n}\naddress {\n prefix: x\n}\n")
    network = topograph.read(tmp_path)
    assert [row["name"] for row in network.show("destinations", server="ems:A").rows] == ["q"]
    assert [
        row["name"] for row in network.show("destinations", server="amq_interconnect:A").rows
    ] == ["x"]


def test_every_list_can_be_asked_of_one_server() -> None:
    network = topograph.read(EXAMPLES / "estate")
    rows = {
        what: network.show(what, server="VAULT").rows
        for what in ("servers", "zones", "routes", "files", "interests")
    }
    assert [row["server"] for row in rows["servers"]] == ["VAULT"]
    assert [row["zone"] for row in rows["zones"]] == ["BACKUP"]
    assert {row["server"] for row in rows["files"]} == {"VAULT"}
    assert {row["server"] for row in rows["interests"]} == {"VAULT"}
    assert len(rows["routes"]) == 2
    with pytest.raises(UnknownServer, match="VAULT"):
        network.show("routes", server="VALT")


def test_the_command_refuses_a_server_that_is_not_there() -> None:
    done = CliRunner().invoke(
        command,
        ["show", "bridges", "--server", "NORHT", "-s", str(EXAMPLES / "retail")],
        standalone_mode=False,
    )
    assert isinstance(done.exception, UnknownServer)
    assert "NORTH" in str(done.exception)


@pytest.mark.parametrize(
    ("example", "systems"),
    [
        ("estate", []),
        ("mixed", ["IBM MQ", "MQe", "SIBus"]),
        ("queue_managers", ["IBM MQ"]),
        ("mqe_devices", ["MQe"]),
        ("sibus_orders", ["SIBus"]),
        ("routers", ["clients of AMQ Interconnect"]),
    ],
)
def test_factories_that_no_file_of_a_system_holds_are_said_not_to_be_read(
    example: str, systems: list[str]
) -> None:
    shown = topograph.read(EXAMPLES / example).show("factories")
    said = [one.message for one in shown.warnings if one.rule == "not-read"]
    assert [one.partition(" are not read: ")[0].split(" ", 3)[-1] for one in said] == systems
    assert all(one in text(shown) for one in said)


def test_only_the_system_of_the_server_asked_about_is_said_not_to_have_factories() -> None:
    network = topograph.read(EXAMPLES / "mixed")
    (bus,) = [row for row in network.show("servers").rows if row["system"] == "sibus"][:1]
    (said,) = network.show("factories", server=str(bus["server"])).warnings
    assert (said.rule, "SIBus" in said.message) == ("not-read", True)
