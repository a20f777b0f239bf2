"""Autolinks and link routes over a connection to another loaded router (W-16), and what versions
refuse at the start (C-2, S-2)."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from systems.amq_interconnect.bearings import section
from systems.amq_interconnect.configured import router

import topograph


def read(folder: Path, texts: dict[str, str], side: str = "") -> topograph.network.Network:
    for name, text in texts.items():
        (folder / f"{name}.conf").write_text(text)
    (folder / "topograph.yaml").write_text(side)
    return topograph.read(folder)


def bridge(to: str) -> str:
    return section("connector", name=f"to-{to}", host=to.lower(), port=5672, role="route-container")


def out(address: str, to: str, external: str = "") -> str:
    more = {"externalAddress": external} if external else {}
    return section("autoLink", address=address, direction="out", connection=f"to-{to}", **more)


def known(answer: Any) -> list[tuple[str, str]]:
    return [(one.server, one.receiver) for one in answer.deliveries if one.subscriber != "assumed"]


def client(server: str, address: str) -> str:
    who = f"server: {server}, destination: 'address:{address}', role: receiver, client_id: r"
    return f"  - {{{who}}}\n"


@pytest.mark.parametrize("number", range(25))
def test_a_chain_of_autolinks_leads_to_the_receiver_at_its_end(tmp_path: Path, number: int):
    """Each router sends its address on to the next one, under a name of its own there; one link of
    the chain may be missing, and the last may lead back to the first."""
    draw = random.Random(number)
    names = [f"R{one}" for one in range(draw.randint(2, 5))]
    addresses = [draw.choice(["x", f"x{place}"]) for place in range(len(names))]
    missing = draw.choice([None, *range(len(names) - 1)])
    texts = {}
    for place, (name, address) in enumerate(zip(names, addresses, strict=True)):
        texts[name] = router(name, f"listener {name.lower()}:5672 normal")
        if place + 1 < len(names) and place != missing:
            there = addresses[place + 1]
            texts[name] += bridge(names[place + 1])
            texts[name] += out(address, names[place + 1], "" if there == address else there)
    if draw.random() < 0.5:
        texts[names[-1]] += bridge(names[0]) + out(addresses[-1], names[0], addresses[0])
    side = "clients:\n" + client(names[-1], addresses[-1])
    answer = read(tmp_path, texts, side).propagate(names[0], f"address:{addresses[0]}")
    # the last router has a receiver and perhaps an autolink: either gets the message, never both
    assert (known(answer) == [(names[-1], "r")]) == (missing is None)
    if missing is not None:
        assert known(answer) == []


def test_an_in_autolink_takes_from_the_other_router(tmp_path: Path):
    texts = {
        "a": router("A", "listener a:5672 normal")
        + bridge("B")
        + section("autoLink", address="x", direction="in", phase=0, connection="to-B"),
        "b": router("B", "listener b:5672 normal"),
    }
    answer = read(tmp_path, texts, "clients:\n" + client("A", "x")).propagate("B", "address:x")
    assert known(answer) == [("A", "r")]
    assert "W-16" in {one.rule for each in answer.deliveries for one in each.decisions}


def test_an_autolink_into_a_router_without_a_receiver_gives_no_credit(tmp_path: Path):
    texts = {
        "a": router("A") + bridge("B") + out("x", "B"),
        "b": router("B", "listener b:5672 normal"),
    }
    answer = read(tmp_path, texts, "").propagate("A", "address:x")
    assert known(answer) == []
    assert answer.to_dict()["sender"]["outcome"] == "NO_CREDIT"


def link_route(to: str, direction: str = "in", **more: str) -> str:
    return section("linkRoute", prefix="x", direction=direction, connection=f"to-{to}", **more)


def into(names: list[str], *more: str) -> dict[str, str]:
    """Routers, each with a listener and a link route for x to the next one."""
    texts = {}
    for name, there in zip(names, [*names[1:], ""], strict=True):
        texts[name] = router(name, f"listener {name.lower()}:5672 normal")
        texts[name] += bridge(there) + link_route(there) if there else ""
    texts[names[-1]] += "".join(more)
    return texts


@pytest.mark.parametrize("length", [2, 3, 5])
def test_a_link_route_leads_the_sender_to_the_receiver_at_the_other_router(
    tmp_path: Path, length: int
):
    names = [f"R{number}" for number in range(length)]
    side = "clients:\n" + client(names[-1], "x.y")
    answer = read(tmp_path, into(names), side).propagate(names[0], "address:x.y")
    assert known(answer) == [(names[-1], "r")]
    decided = [one.rule for one in answer.deliveries[0].decisions]
    assert decided[: length - 1] == ["W-16"] * (length - 1)
    assert [one.rule for one in answer.assumptions if one.rule == "W-16"] == ["W-16"] * (length - 1)
    assert answer.exact
    assert answer.undetermined == ()


@pytest.mark.parametrize(
    ("more", "there"),
    [
        ({"addExternalPrefix": "ext/"}, "ext/x.y"),
        ({"delExternalPrefix": "x."}, "y"),
    ],
)
def test_the_address_at_the_other_router_has_the_prefixes_of_the_link_route(
    tmp_path: Path, more: dict[str, str], there: str
):
    texts = {
        "a": router("A") + bridge("B") + link_route("B", **more),
        "b": router("B", "listener b:5672 normal"),
    }
    side = "clients:\n" + client("B", there) + client("B", "x.y")
    answer = read(tmp_path, texts, side).propagate("A", "address:x.y")
    assert [one.destination for one in answer.deliveries] == [f"address:{there}"]


def test_a_link_route_into_a_router_without_a_receiver_gives_no_credit(tmp_path: Path):
    answer = read(tmp_path, into(["A", "B"])).propagate("A", "address:x.y", assume=False)
    assert answer.to_dict()["sender"]["outcome"] == "NO_CREDIT"


def test_a_router_that_has_the_address_unavailable_refuses_what_a_link_route_brings(
    tmp_path: Path,
):
    entry = section("address", prefix="x", distribution="unavailable")
    answer = read(tmp_path, into(["A", "B"], entry)).propagate("A", "address:x.y")
    assert answer.to_dict()["sender"]["outcome"] == "REFUSED"


def test_a_receiver_is_led_to_the_other_router(tmp_path: Path):
    texts = {
        "a": router("A") + bridge("B") + link_route("B", "out"),
        "b": router("B", "listener b:5672 normal"),
    }
    network = read(tmp_path, texts, "clients:\n" + client("A", "x.y"))
    assert known(network.propagate("B", "address:x.y")) == [("B", "r")]
    assert known(network.propagate("A", "address:x.y")) == []


def test_link_routes_that_lead_back_are_left_open(tmp_path: Path):
    texts = into(["A", "B"], bridge("A"), link_route("A"))
    answer = read(tmp_path, texts).propagate("A", "address:x.y")
    assert answer.to_dict()["sender"]["outcome"] == "UNDETERMINED"


def test_a_link_route_to_one_of_several_routers_is_left_open(tmp_path: Path):
    texts = {
        "a": router("A") + bridge("B") + bridge("C") + link_route("B") + link_route("C"),
        "b": router("B", "listener b:5672 normal"),
        "c": router("C", "listener c:5672 normal"),
    }
    answer = read(tmp_path, texts, "clients:\n" + client("B", "x.y")).propagate("A", "address:x.y")
    assert answer.to_dict()["sender"]["outcome"] == "UNDETERMINED"
    assert [one.server for one in answer.undetermined] == ["B", "C"]


def test_policies_of_the_other_router_leave_open_what_a_link_route_brings(tmp_path: Path):
    texts = into(["A", "B"], section("policy", enableVhostPolicy="yes"))
    answer = read(tmp_path, texts, "clients:\n" + client("B", "x.y")).propagate("A", "address:x.y")
    assert answer.to_dict()["sender"]["outcome"] == "UNDETERMINED"
    assert [one.server for one in answer.undetermined] == ["B"]


def test_a_connection_that_sasl_keeps_from_opening_carries_no_autolink(tmp_path: Path):
    texts = {
        "a": router("A") + bridge("B").replace("}", "  saslMechanisms: PLAIN\n}") + out("x", "B"),
        "b": router("B", "listener b:5672 normal").removesuffix("}\n")
        + "  saslMechanisms: EXTERNAL\n}\n",
    }
    answer = read(tmp_path, texts, "clients:\n" + client("B", "x")).propagate("A", "address:x")
    assert known(answer) == []


PLAIN = (
    "vhost {\n  groups: {\n    $default: {\n      remoteHosts: *\n      targets: *\n    }\n  }\n}\n"
)


@pytest.mark.parametrize(
    ("version", "reached"),
    [
        ("", True),
        ("1.8", True),
        ("1.12.0", True),
        ("1.13.0", False),
        ("1.19.0", False),
        ("2.4.0", False),
    ],
)
def test_groups_without_quotes_are_read_up_to_1_12(tmp_path: Path, version: str, reached: bool):
    texts = {
        "a": router("A", "listener a:1 inter-router"),
        "b": router("B", "connector a:1 inter-router") + PLAIN,
    }
    network = read(tmp_path, texts, f'versions: {{B: "{version}"}}\n' if version else "")
    assert [one.server for one in network.reach("A").servers] == (["B"] if reached else [])
    stops = [one for one in network.check().findings if one["severity"] == "error"]
    assert bool(stops) != reached


@pytest.mark.parametrize("cost", [-1, 0, 1])
@pytest.mark.parametrize("version", ["1.19.0", "2.4.0"])
def test_a_cost_below_one_stops_skupper_router_only(tmp_path: Path, cost: int, version: str):
    texts = {
        "a": router("A", "listener a:1 inter-router 3"),
        "b": router("B", f"connector a:1 inter-router {cost}"),
    }
    network = read(tmp_path, texts, f'versions: {{B: "{version}"}}\n')
    runs = cost >= 1 or version.startswith("1")
    assert [one.server for one in network.reach("A").servers] == (["B"] if runs else [])
    assert ("S-2" in {one["rule"] for one in network.check().findings}) != runs


@pytest.mark.parametrize(
    ("type_", "attributes", "stops"),
    [
        ("tcpConnector", {"host": "h", "port": 1}, True),
        ("tcpConnector", {"address": "x", "host": "h"}, True),
        ("tcpConnector", {"address": "x", "host": "h", "port": 1}, False),
        ("tcpListener", {"address": "x"}, True),
        ("tcpListener", {"port": 1}, True),
        ("tcpListener", {"port": 1, "multiAddressStrategy": "priority"}, False),
        ("tcpListener", {"port": 1, "address": "x"}, False),
    ],
)
def test_tcp_services_need_their_attributes(tmp_path, type_, attributes, stops):
    texts = {
        "a": router("A", "listener a:1 inter-router"),
        "b": router("B", "connector a:1 inter-router") + section(type_, name="t", **attributes),
    }
    network = read(tmp_path, texts)
    assert [one.server for one in network.reach("A").servers] == ([] if stops else ["B"])


def test_an_audit_tells_who_loses_a_tcp_service(tmp_path: Path):
    connector = section("tcpConnector", name="db@1", host="h", port=1, address="db")
    texts = {
        "a": router("A", "listener a:1 inter-router") + connector,
        "b": router("B", "connector a:1 inter-router"),
    }
    answer = read(tmp_path, texts).audit("skmanage delete --type tcpConnector --name db@1", at="A")
    assert {(one.server, one.destination) for one in answer.deliveries.lost} == {
        ("A", "address:db")
    }


def policies(**allowed: str) -> str:
    """Who is in no group may attach as sender to ``targets``, as receiver to ``sources``."""
    lines = ",\n".join(f'      "{key}": "{names}"' for key, names in allowed.items())
    return section("policy", enableVhostPolicy="yes") + (
        "vhost {\n  hostname: $default\n  allowUnknownUser: true\n  groups: {\n"
        f'    "$default": {{\n      "remoteHosts": "*",\n{lines}\n    }}\n  }}\n}}\n'
    )


def joined(folder: Path, autolink: str, **own: str) -> Any:
    """NORTH with an autolink at SOUTH, which has policies, and a receiver of x there."""
    texts = {
        "north": router("NORTH", "listener north:5672 normal") + bridge("SOUTH") + autolink,
        "south": router("SOUTH", "listener south:5672 normal") + policies(**own),
    }
    return read(folder, texts, "clients:\n" + client("SOUTH", "x"))


@pytest.mark.parametrize(
    ("targets", "reached"), [("x", True), ("x*", True), ("y", False), ("", False)]
)
def test_an_autolink_attaches_where_the_policy_of_the_other_router_lets_it(
    tmp_path: Path, targets: str, reached: bool
):
    network = joined(tmp_path, out("orders", "SOUTH", "x"), targets=targets, sources="*")
    answer = network.propagate("NORTH", "address:orders")
    assert known(answer) == ([("SOUTH", "r")] if reached else [])
    refused = [one.message for one in answer.warnings if one.rule == "12"]
    said = "is left out: the policy of SOUTH lets no sender of x attach"
    assert [said in one for one in refused] == ([] if reached else [True])
    assert [one.rule for one in answer.assumptions if one.rule == "12"] == []


@pytest.mark.parametrize(("sources", "reached"), [("x", True), ("y", False)])
def test_an_autolink_receives_where_the_policy_of_the_other_router_lets_it(
    tmp_path: Path, sources: str, reached: bool
):
    in_ = section("autoLink", address="x", direction="in", connection="to-SOUTH", phase="0")
    texts = {
        "north": router("NORTH", "listener north:5672 normal") + bridge("SOUTH") + in_,
        "south": router("SOUTH", "listener south:5672 normal")
        + policies(sources=sources, targets="*"),
    }
    network = read(tmp_path, texts, "clients:\n" + client("NORTH", "x"))
    answer = network.propagate("SOUTH", "address:x")
    assert known(answer) == ([("NORTH", "r")] if reached else [])


def test_what_a_policy_says_of_an_autolink_may_depend_on_its_user(tmp_path: Path):
    network = joined(tmp_path, out("orders", "SOUTH", "x"), targets="${user}, x", sources="*")
    rules = {one.rule for one in network.propagate("NORTH", "address:orders").assumptions}
    assert rules == {"M-9"}
    text = (tmp_path / "south.conf").read_text().replace("${user}, x", "${user}")
    (tmp_path / "south.conf").write_text(text)
    answer = topograph.read(tmp_path).propagate("NORTH", "address:orders")
    assert known(answer) == [("SOUTH", "r")]
    assert [one.text for one in answer.assumptions if one.rule == "12"] == [
        "the policy of SOUTH lets a sender of x attach, which depends on its user and host"
    ]


def test_a_connection_of_autolinks_that_may_not_open_is_an_assumption(tmp_path: Path):
    open_ = section("listener", host="south", port=5672, role="normal", requireEncryption="yes")
    texts = {
        "north": router("NORTH") + bridge("SOUTH") + out("x", "SOUTH"),
        "south": router("SOUTH") + open_,
    }
    network = read(tmp_path, texts, "clients:\n" + client("SOUTH", "x"))
    answer = network.propagate("NORTH", "address:x")
    assert known(answer) == [("SOUTH", "r")]
    assert [one.rule for one in answer.assumptions] == ["T-14"]
