"""The examples answer as their pages say."""

from __future__ import annotations

from pathlib import Path

import pytest

import topograph

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def example():
    read = {}

    def network(name: str) -> topograph.Network:
        return (
            read.setdefault(name, topograph.read(EXAMPLES / name))
            if name not in read
            else read[name]
        )

    return network


def hops(answer) -> dict[str, int]:
    return {entry.server: entry.hops for entry in answer.servers}


def duplicates(answer) -> dict[tuple[str, str], tuple[str, ...]]:
    return {(entry.server, entry.name): entry.via for entry in answer.duplicates}


def outcome(answer) -> tuple[list[str], list[tuple[str, str, str]]]:
    """Who gets it, and the links it is stopped on with what the deciding predicate is."""
    delivered = [entry.server for entry in answer.deliveries]
    return delivered, sorted((entry.at, entry.to, entry.value) for entry in answer.stopped)


def test_in_a_star_of_one_mhop_zone_everybody_reaches_everybody(example):
    star = example("mhop-star/legal")

    assert hops(star.reach("B")) == {"A": 1, "C": 2, "D": 2}
    assert {(entry.name, entry.via, entry.hops) for entry in star.interests("D").servers["D"]} == {
        ("$TMP$.A.>", "A", 1),
        ("$TMP$.B.>", "A", 2),
        ("$TMP$.C.>", "A", 2),
    }
    assert star.cycles().legal


def test_a_route_that_closes_the_star_gives_two_paths(example):
    star = example("mhop-star/with-b-d")
    answer = star.cycles()

    assert not answer.legal
    assert duplicates(answer) == {
        ("A", "$TMP$.B.>"): ("B", "D"),
        ("A", "$TMP$.D.>"): ("B", "D"),
        ("B", "$TMP$.A.>"): ("A", "D"),
        ("B", "$TMP$.C.>"): ("A", "D"),
        ("B", "$TMP$.D.>"): ("A", "D"),
        ("D", "$TMP$.A.>"): ("A", "B"),
        ("D", "$TMP$.B.>"): ("A", "B"),
        ("D", "$TMP$.C.>"): ("A", "B"),
    }
    assert {entry.routes for entry in answer.duplicates} == {("A-B", "A-D", "B-D")}
    assert [path.servers for path in star.paths("A", "D").paths] == [("A", "D"), ("A", "B", "D")]


def test_a_one_hop_zone_ends_after_one_hop_and_starts_afresh_where_two_meet(example):
    zones = example("two-1hop-zones/legal")
    answer = zones.reach("A")

    assert hops(answer) == {"B": 1, "D": 1, "E": 2, "F": 2}
    assert answer.unreachable == ("C", "G")
    assert zones.hops("A", "C").reachable is False
    to_f = zones.hops("A", "F")
    assert (to_f.route_hops, [(entry.zone, entry.hops) for entry in to_f.zone_hops]) == (
        2,
        [("Z1", 1), ("Z2", 1)],
    )
    assert {(entry.name, entry.via) for entry in zones.interests("A").servers["A"]} == {
        ("$TMP$.B.>", "B"),
        ("$TMP$.D.>", "D"),
        ("$TMP$.E.>", "D"),
        ("$TMP$.F.>", "D"),
    }
    assert zones.cycles().legal


def test_the_route_from_g_to_a_gives_two_paths_to_f(example):
    zones = example("two-1hop-zones/with-g-a")

    assert duplicates(zones.cycles()) == {
        ("A", "$TMP$.F.>"): ("D", "G"),
        ("F", "$TMP$.A.>"): ("D", "G"),
    }
    assert [path.servers for path in zones.paths("A", "F").paths] == [
        ("A", "D", "F"),
        ("A", "G", "F"),
    ]


@pytest.mark.parametrize(
    ("from_", "topic", "properties", "delivered", "stopped"),
    [
        (
            "HUB",
            "orders",
            {"country": "Canada"},
            ["Canada"],
            [("HUB", "Mexico", "FALSE"), ("HUB", "USA", "FALSE")],
        ),
        (
            "HUB",
            "orders",
            {"country": "USA", "amount": 250},
            ["USA"],
            [("HUB", "Canada", "FALSE"), ("HUB", "Mexico", "FALSE")],
        ),
        (
            "HUB",
            "orders",
            {"country": "USA", "amount": 20},
            [],
            [("HUB", "Canada", "FALSE"), ("HUB", "Mexico", "FALSE"), ("HUB", "USA", "FALSE")],
        ),
        (
            "HUB",
            "orders",
            {},
            [],
            [("HUB", "Canada", "UNKNOWN"), ("HUB", "Mexico", "UNKNOWN"), ("HUB", "USA", "UNKNOWN")],
        ),
        (
            "HUB",
            "orders",
            {"country": "Mexico", "priority": 1},
            [],
            [("HUB", "Canada", "FALSE"), ("HUB", "USA", "FALSE"), ("Mexico", "Mexico", "FALSE")],
        ),
        (
            "Canada",
            "invoices.2041",
            {},
            ["HUB"],
            [("HUB", "Mexico", "FALSE"), ("HUB", "USA", "FALSE")],
        ),
    ],
)
def test_orders_go_to_the_country_that_the_selectors_let_pass(
    example, from_, topic, properties, delivered, stopped
):
    answer = example("orders").propagate(from_, f"topic:{topic}", properties)

    assert outcome(answer) == (delivered, stopped)


def test_routers_send_by_cost_and_not_by_the_direct_link(example):
    routers = example("routers")

    assert (routers.hops("PAR", "ROM").route_hops, routers.hops("PAR", "ROM").cost) == (2, 14)
    assert [(path.servers, path.cost) for path in routers.paths("LON", "FRA").paths] == [
        (("LON", "PAR", "FRA"), 14)
    ]
    assert [(path.servers, path.cost) for path in routers.paths("MAD", "ROM").paths] == [
        (("MAD", "PAR", "FRA", "ROM"), 24)
    ]
    answer = routers.cycles()
    assert answer.legal
    assert [entry.routers for entry in answer.redundant] == [("FRA", "LON", "MAD", "PAR", "ROM")]


def test_the_estate_says_what_it_cannot_know(example):
    answer = example("estate").reach("HQ")

    assert sorted(hops(answer)) == [
        "CANADA",
        "FRANKFURT",
        "LONDON",
        "MADRID",
        "MEXICO",
        "PARIS",
        "SINGAPORE",
        "USA",
        "USA-EAST",
        "VAULT",
    ]
    assert answer.unreachable == ()
    assert [(entry.server, str(entry.source)) for entry in answer.undetermined] == [
        ("MIRROR", "singapore/routes.conf:3:1"),
        ("TOKYO", "singapore/routes.conf:3:1"),
    ]


def test_the_estate_divides_orders_and_keeps_stock_out_of_madrid(example):
    estate = example("estate")
    spanish = estate.propagate("HQ", "topic:orders", {"country": "Spain"})

    assert estate.cycles().legal
    to_madrid = estate.hops("CANADA", "MADRID")
    assert [(entry.zone, entry.hops) for entry in to_madrid.zone_hops] == [
        ("REGIONS", 2),
        ("EUROPE", 1),
    ]
    archived = ("HQ", "queue:orders.archive")
    assert [(entry.server, entry.destination) for entry in spanish.deliveries] == [
        archived,
        ("MADRID", "topic:orders"),
    ]
    assert "PARIS" in spanish.received
    american = estate.propagate("HQ", "topic:orders", {"country": "USA", "amount": 250})
    assert [(entry.server, entry.destination) for entry in american.deliveries] == [
        archived,
        ("USA", "topic:orders"),
    ]
    stock = estate.propagate("LONDON", "topic:stock.tools")
    assert [entry.server for entry in stock.deliveries] == ["FRANKFURT"]


def test_the_check_of_the_estate_names_what_is_in_it_on_purpose(example):
    found = {
        entry["rule"] for entry in example("estate").check().findings if entry["severity"] != "info"
    }

    assert found == {"TL-03", "TL-05", "TL-16"}


def received(answer) -> dict[str, tuple[str, ...]]:
    """Per receiver or container the path there."""
    return {entry.receiver: entry.path for entry in answer.deliveries}


def test_routers_copy_choose_the_closest_store_on_the_way_and_refuse(example):
    routers = example("routers")
    store = "store.mesh.example.net:5672"

    assert received(routers.propagate("LON", "address:alerts")) == {
        "desk-london": ("LON",),
        "desk-madrid": ("LON", "PAR", "MAD"),
        "desk-rome": ("LON", "PAR", "FRA", "ROM"),
    }
    assert received(routers.propagate("LON", "address:prices")) == {
        "prices-madrid": ("LON", "PAR", "MAD")
    }
    order = routers.trace("LON", "address:orders")
    assert order.outcomes == (f"DEPOSITED({store}, orders)", "DELIVERED(billing)")
    assert received(routers.propagate("LON", "address:orders")) == {
        store: ("LON", "PAR", "FRA"),
        "billing": ("FRA", "ROM"),
    }
    assert received(routers.propagate("SHOP", "address:archive.2026")) == {
        "archive.mesh.example.net:5672": ("SHOP", "PAR")
    }
    refused = routers.propagate("LON", "address:retired").sender
    assert (refused.outcome, refused.source.file, refused.source.line) == (
        "REFUSED",
        "london.conf",
        53,
    )


def test_where_nobody_is_known_to_receive_the_sender_waits_and_every_router_is_asked_about(example):
    jobs = example("routers").propagate("LON", "address:jobs")

    assert jobs.sender.outcome == "NO_CREDIT"
    assert {entry.server for entry in jobs.deliveries} == {
        "LON",
        "PAR",
        "FRA",
        "MAD",
        "ROM",
        "SHOP",
    }
    assert {entry.subscriber for entry in jobs.deliveries} == {"assumed"}


def test_a_router_that_fails_is_gone_round_and_copies_and_lonely_link_routes_are_found(example):
    routers = example("routers")
    failed = routers.impact(["server:FRA"])

    assert failed.lost == ()
    (moved,) = [one for one in failed.rerouted if (one.from_, one.to) == ("LON", "ROM")]
    assert (moved.after, moved.cost_before, moved.cost_after) == (
        ("LON", "PAR", "MAD", "ROM"),
        24,
        45,
    )
    assert [warning.rule for warning in routers.cycles().warnings] == ["M-4"]
    severities = {row["rule"]: row["severity"] for row in routers.check().findings}
    assert (severities["L-4"], severities["M-4"]) == ("info", "warning")


def test_devices_of_mq_everyplace_collect_their_messages(example):
    devices = example("mqe_devices")

    waits = devices.trace("harbour", "JOBS@crane7")
    assert waits.outcomes == ("HELD(TO.CRANES, harbour, not triggered)",)
    assert devices.trace("harbour", "JOBS@crane7", home_servers="triggered").outcomes == (
        "DELIVERED(JOBS@crane7)",
    )
    assert devices.trace("harbour", "JOBS@crane8").outcomes == (
        "HELD(TO.CRANES, harbour, no collector)",
    )
    found = {
        (row["rule"], row["source"]["file"], row["source"]["line"])
        for row in devices.check().findings
    }
    assert found == {("EL-01", "harbour.yaml", 12), ("EL-02", "cranes.yaml", 24)}


def test_queues_of_mq_everyplace_are_discovered_by_java_alone(example):
    devices = example("mqe_devices")

    stock = devices.trace("crane7", "STOCK@depot")
    assert stock.outcomes == ("DELIVERED(STOCK@depot)",)
    assert [(step.at, step.rule) for step in stock.steps if step.rule == "E-05"] == [
        ("harbour", "E-05")
    ]
    assert devices.trace("crane8", "STOCK@depot").outcomes == ("REJECTED(no_queue)",)
    assert devices.trace("crane7", "ORDERS@HQ1").outcomes == ("EXTERNAL(HQ1)",)
    assert [
        one.destination for one in devices.propagate("harbour", "INVENTORY@WAREHOUSE").deliveries
    ] == ["STOCK@depot"]
    assert [entry.server for entry in devices.reach("crane7").servers] == ["depot", "harbour"]
    changed = devices.impact(["server:depot"]).to_dict()["changed"]
    assert {(one["server"], *one["after"]) for one in changed} == {
        ("crane7", "HELD(STOCK@depot, crane7, rejected by harbour) at crane7"),
        ("harbour", "REJECTED(no_connection) at harbour"),
    }
