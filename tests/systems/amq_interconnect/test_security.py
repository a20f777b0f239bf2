"""Connections that SASL or TLS keeps from opening (T-14), against an independent account of which
connections open, on networks drawn from a number.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import rustworkx as rx
from systems.amq_interconnect.bearings import A, B

import topograph
from topograph.systems.amq_interconnect.network.security import Security, refusal

MECHANISMS = ("", "ANONYMOUS", "PLAIN", "EXTERNAL", "EXTERNAL PLAIN", "plain, anonymous")
PROFILE = "sslProfile {\n  name: tls\n  certFile: /c\n}\n"


def opens(listener: Mapping[str, str], connector: Mapping[str, str]) -> bool | None:
    """Whether a connection opens, None where the two files do not say it: the table of the
    specification, written down once more."""
    here, there = (
        {one.upper() for one in end.get("saslMechanisms", "").replace(",", " ").split()}
        for end in (connector, listener)
    )
    tls_here, tls_there = "sslProfile" in connector, "sslProfile" in listener
    if here and there and not here & there:
        return False
    if tls_here != tls_there and (tls_here or listener.get("requireSsl") == "yes"):
        return False
    only_external = there == {"EXTERNAL"} or (here and there and here & there == {"EXTERNAL"})
    if not tls_here and only_external:
        return None
    if listener.get("authenticatePeer") == "yes":
        if {"ANONYMOUS"} in (here, there, here & there):
            return None
        if not (here or tls_here or "saslUsername" in connector):
            return None
    if not tls_here and listener.get("requireEncryption") == "yes":
        return False if here and there else None
    return True


def ends() -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """All pairs of a listener and a connector that differ in what T-14 looks at."""
    for mechanisms, tls, need, user in itertools.product(
        itertools.product(MECHANISMS, repeat=2),
        itertools.product((True, False), repeat=2),
        ("", "requireSsl", "requireEncryption", "authenticatePeer"),
        (True, False),
    ):
        listener, connector = ({"saslMechanisms": one} if one else {} for one in mechanisms)
        for end, has in zip((listener, connector), tls, strict=True):
            if has:
                end["sslProfile"] = "tls"
        if need == "requireSsl" and not tls[0]:
            continue
        if need:
            listener[need] = "yes"
        if user:
            connector["saslUsername"] = "a"
        yield listener, connector


def security(end: Mapping[str, str]) -> Security:
    names = frozenset(end.get("saslMechanisms", "").upper().replace(",", " ").split())
    return Security(
        names or None,
        end.get("sslProfile", ""),
        end.get("requireSsl") == "yes",
        end.get("requireEncryption") == "yes",
        end.get("authenticatePeer") == "yes",
        "saslUsername" in end,
    )


def test_every_pair_of_ends_opens_or_not_as_the_specification_says():
    for listener, connector in ends():
        why = refusal(security(connector), security(listener))
        found = True if why is None else False if why.stops else None
        assert found == opens(listener, connector), (listener, connector, why)


@pytest.mark.parametrize(
    ("listener", "connector"),
    [({}, {"sslProfile": "none"}), ({"sslProfile": "none", "requireSsl": "yes"}, {})],
    ids=["of the connector", "of a listener that requires TLS"],
)
def test_what_an_undefined_profile_does_is_not_known(listener, connector):
    why = refusal(security(connector), security(listener), ["the sslProfile none"])
    assert why is not None
    assert not why.stops


def test_what_a_dump_does_not_show_is_not_judged():
    assert refusal(None, security({"requireSsl": "yes", "sslProfile": "tls"})) is None


def lines(end: Mapping[str, str]) -> str:
    return "".join(f"  {name}: {value}\n" for name, value in end.items())


def drawn(number: int) -> tuple[dict[str, str], list[tuple[str, str, int, bool | None]]]:
    """Files of a network, and its connections: the two routers, cost, and whether it opens."""
    draw = random.Random(number)
    pairs = list(ends())
    names = [f"R{one}" for one in range(draw.randint(3, 7))]
    texts = {name: f"router {{\n  mode: interior\n  id: {name}\n}}\n" + PROFILE for name in names}
    links = []
    for place, (a, b) in enumerate(itertools.combinations(names, 2)):
        if draw.random() < 0.4:
            continue
        listener, connector = draw.choice(pairs) if draw.random() < 0.6 else ({}, {})
        cost, port = draw.randint(1, 4), 1000 + place
        where = f"  host: {a.lower()}\n  port: {port}\n  role: inter-router\n  cost: {cost}\n"
        texts[a] += f"listener {{\n{where}{lines(listener)}}}\n"
        texts[b] += f"connector {{\n{where}{lines(connector)}}}\n"
        links.append((a, b, cost, opens(listener, connector)))
    return {f"{name}.conf": text for name, text in texts.items()}, links


def costs(names: list[str], links: list[tuple[str, str, int]]) -> dict[tuple[str, str], int]:
    """The least cost of every ordered pair that is joined."""
    number = {name: place for place, name in enumerate(names)}
    graph: rx.PyGraph[str, int] = rx.PyGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from([(number[a], number[b], cost) for a, b, cost in links])
    found = rx.all_pairs_dijkstra_path_lengths(graph, float)
    joined = {
        (names[a], names[b]): int(cost) for a, row in found.items() for b, cost in row.items()
    }
    return joined | {(name, name): 0 for name in names}


@pytest.mark.parametrize("number", range(40))
def test_drawn_networks_reach_what_is_joined_for_certain_and_leave_open_what_may_be(
    tmp_path: Path, number: int
):
    files, links = drawn(number)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    network = topograph.read(tmp_path)
    names = sorted(name.removesuffix(".conf") for name in files)
    sure = costs(names, [(a, b, cost) for a, b, cost, up in links if up])
    all_up = costs(names, [(a, b, cost) for a, b, cost, up in links if up is not False])
    for start in names:
        answer = network.reach(start)
        reached = {one.server: one.cost for one in answer.servers}
        assert reached == {
            end: cost for (first, end), cost in sure.items() if first == start and end != start
        }
        assert {one.server for one in answer.undetermined} == {
            end for first, end in all_up if first == start and end != start
        } - reached.keys()
        for end, least in reached.items():
            as_cheap = any(
                all_up.get((start, x), 99) + cost + all_up.get((y, end), 99) <= least
                for a, b, cost, up in links
                if up is None
                for x, y in ((a, b), (b, a))
            )
            rules = {one.rule for one in network.hops(start, end).assumptions}
            assert ("T-4" in rules) == as_cheap, (start, end)


def test_a_connection_that_a_dump_shows_open_is_a_link_whatever_the_files_say(tmp_path: Path):
    (tmp_path / "a.conf").write_text(A.removesuffix("}\n") + "  saslMechanisms: EXTERNAL\n}\n")
    (tmp_path / "b.conf").write_text(B.removesuffix("}\n") + "  saslMechanisms: PLAIN\n}\n")
    assert [one.server for one in topograph.read(tmp_path).reach("B").servers] == []
    (tmp_path / "b.json").write_text(
        '[{"type": "org.apache.qpid.dispatch.router", "id": "B", "identity": "router/0"},'
        ' {"type": "org.apache.qpid.dispatch.connector", "name": "connector/a:1", "host": "a",'
        ' "port": "1", "role": "inter-router", "connectionStatus": "SUCCESS", "identity": "c/1"},'
        ' {"type": "org.apache.qpid.dispatch.connection", "identity": "1", "container": "A",'
        ' "host": "a:1", "dir": "out", "role": "inter-router"}]'
    )
    assert [one.server for one in topograph.read(tmp_path).reach("B").servers] == ["A"]
