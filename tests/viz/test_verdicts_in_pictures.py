"""What is worst stands first in a picture, and no picture tells more damage than there is: drawn
rings of EMS, routers that lose a broker only, changes that make messages go round for ever.
"""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from drawn.networks import read_files

from topograph.viz.scene.judged import MARK_WORDS, PART_WORDS
from topograph.viz.scene.records import Mark
from topograph.viz.svg.document import svg


def ems(routes: list[tuple[str, str]], servers: list[str]) -> dict[str, str]:
    files = {}
    for server in servers:
        files[f"{server}/tibemsd.conf"] = (
            f"server = {server}\nlisten = tcp://7222\nrouting = enabled\n"
            "topics = topics.conf\nroutes = routes.conf\n"
        )
        files[f"{server}/topics.conf"] = ">\n"
        files[f"{server}/routes.conf"] = "".join(
            f"[{to}]\n  url=tcp://{to}.example:7222\n  zone_name=Z\n  zone_type=mhop\n\n"
            for start, to in routes
            if start == server
        )
    return files


@pytest.mark.parametrize("number", range(24))
def test_the_picture_of_a_ring_says_illegal_and_marks_every_link_of_it(
    number: int, tmp_path: Path
) -> None:
    at = random.Random(number)
    size = at.randint(3, 7)
    ring = [f"R{place}" for place in range(size)]
    tail = [f"T{place}" for place in range(at.randint(0, 3))]
    around = list(zip(ring, [*ring[1:], ring[0]], strict=True))
    hanging = list(itertools.pairwise([at.choice(ring), *tail]))
    whole = at.random() < 0.7
    missing = None if whole else around.pop(at.randrange(size))
    network = read_files(tmp_path, ems([*around, *hanging], [*ring, *tail]))
    scene = network.scene()
    marked = {frozenset(link.ends) for link in scene.links if link.mark is Mark.DUPLICATE}
    if missing is None:
        assert scene.verdict.startswith("Illegal: ")
        assert marked == set(map(frozenset, around))
        assert f"link: {MARK_WORDS[Mark.DUPLICATE]}" in svg(scene)
    else:
        assert "llegal" not in scene.verdict
        assert not marked
    part = network.scene(around=ring[0], depth=0)
    assert part.verdict.endswith(f"1 of {size + len(tail)} servers and 0 links.")
    assert part.verdict.startswith("Illegal: ") == whole


ROUTER = "router {{\n  mode: interior\n  id: {name}\n}}\n"
LISTENER = "listener {{\n  host: 127.0.0.1\n  port: {port}\n  role: inter-router\n}}\n"
CONNECTOR = (
    "connector {{\n  name: {name}\n  host: {host}\n  port: {port}\n  role: inter-router\n}}\n"
)
BROKER = (
    "connector {\n  name: store\n  host: store.example\n  port: 5672\n  role: route-container\n}\n"
    "autoLink {\n  address: kept\n  direction: in\n  connection: store\n}\n"
    "autoLink {\n  address: kept\n  direction: out\n  connection: store\n}\n"
    "address {\n  prefix: kept\n  waypoint: yes\n}\n"
)


@pytest.mark.parametrize("number", range(20))
def test_routers_that_lose_a_broker_only_are_not_cut_off(number: int, tmp_path: Path) -> None:
    """Full meshes, and meshes with a tail behind the router that fails."""
    at = random.Random(number)
    names = [f"M{place}" for place in range(at.randint(3, 5))]
    fails = names[0]
    tail = ["TAIL"] if at.random() < 0.4 else []
    files = {}
    links = [*itertools.combinations(names, 2), *((fails, one) for one in tail)]
    ports = {name: 25_000 + place for place, name in enumerate((*names, *tail))}
    for name, port in ports.items():
        text = ROUTER.format(name=name) + LISTENER.format(port=port)
        for first, second in links:
            if second == name:
                host, there = "127.0.0.1", ports[first]
                text += CONNECTOR.format(name=f"to{first}", host=host, port=there)
        files[f"{name}.conf"] = text + (BROKER if name == fails else "")
    network = read_files(tmp_path, files)
    answer = network.impact([f"server:{fails}"])
    scene = network.scene(answer)
    apart = {one.name for one in scene.servers if one.mark in (Mark.CUT_OFF, Mark.APART)}
    lost = {end for pair in answer.lost for end in (pair.from_, pair.to)}
    assert apart == (set(names[1:]) | set(tail) if tail else set()) == lost
    assert [one.mark for one in scene.attached] == [Mark.LOST]
    assert MARK_WORDS[Mark.LOST] in svg(scene)
    assert (PART_WORDS in svg(scene)) == bool(tail)
    assert [part.servers for part in scene.parts] == (
        [tuple(names[1:]), tuple(tail)] if tail else []
    )


def manager(name: str, other: str, more: str) -> str:
    return (
        f"* Queue manager name: {name}\n"
        f"DEFINE QLOCAL('{other}') USAGE(XMITQ)\n"
        f"DEFINE CHANNEL('{name}.{other}') CHLTYPE(SDR) TRPTYPE(TCP) XMITQ('{other}') "
        f"CONNAME('{other.lower()}(1414)')\n"
        f"DEFINE CHANNEL('{other}.{name}') CHLTYPE(RCVR) TRPTYPE(TCP)\n{more}\n"
    )


def test_a_change_that_makes_messages_go_round_is_drawn_and_said_first(tmp_path: Path) -> None:
    network = read_files(
        tmp_path,
        {
            "QA.mqsc": manager("QA", "QB", "DEFINE QREMOTE('X') RNAME('X') RQMNAME('QB')"),
            "QB.mqsc": manager("QB", "QA", "DEFINE QLOCAL('X')"),
        },
    )
    change = "DELETE QLOCAL('X')\nDEFINE QREMOTE('X') RNAME('X') RQMNAME('QA')\n"
    scene = network.scene(network.audit(change, at="QB"))
    assert {one.name: one.mark for one in scene.servers} == {
        "QA": Mark.CIRCULATES,
        "QB": Mark.CIRCULATES,
    }
    assert "circulate" in scene.told[0]
    assert MARK_WORDS[Mark.CIRCULATES] in svg(scene)
