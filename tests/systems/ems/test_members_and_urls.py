"""What becomes of routes to a fault-tolerant pair when one member fails: judged by their URLs
(R6, R7).
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import topograph
from topograph.network import Network

ADDRESSES = {1: "tcp://c1.x:7222", 2: "tcp://c2.x:7222", 0: "tcp://vip.x:7222"}
"""Where the members listen, and an address of which no file says whose it is."""


def server(folder: Path, name: str, listen: str, routes: str = "", more: str = "") -> None:
    folder.mkdir()
    main = f"server={name}\nlisten={listen}\nrouting=enabled\nroutes=routes.conf\n{more}"
    (folder / "tibemsd.conf").write_text(main)
    (folder / "routes.conf").write_text(routes)


def route(name: str, urls: str) -> str:
    return f"[{name}]\nurl={urls}\nzone_name=Z\nzone_type=1hop\n"


def pair(root: Path, named: list[int], *, back: set[int]) -> Network:
    """EDGE with a route to some addresses of the pair CORE; members of it with a route back."""
    urls = ",".join(ADDRESSES[one] for one in named)
    server(root / "edge", "EDGE", "tcp://edge.x:7222", route("CORE", urls))
    for member in (1, 2):
        own = route("EDGE", "tcp://edge.x:7222") if member in back else ""
        other = f"ft_active={ADDRESSES[3 - member]}\n"
        server(root / f"core{member}", "CORE", ADDRESSES[member], own, other)
    return topograph.read(root)


@pytest.mark.parametrize("seed", range(40))
def test_a_route_is_lost_with_the_only_member_that_it_names(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    named = chance.sample([0, 1, 2], chance.randint(1, 2))
    both = chance.random() < 0.3
    network = pair(tmp_path, named, back={1, 2} if both else set())
    for failed in (1, 2):
        answer = network.impact(f"member:CORE:{failed}")
        lost = {(one.from_, one.to) for one in answer.lost}
        if both or 3 - failed in named or len(named) == 2:
            assert (lost, answer.exact) == (set(), True)
        elif named == [failed]:
            assert (lost, answer.exact) == ({("CORE", "EDGE"), ("EDGE", "CORE")}, True)
        else:
            assert (lost, answer.exact) == (set(), False)
            assert [one.rule for one in answer.warnings] == ["R7"]
    found = [one for one in network.check().findings if one["rule"] == "TL-27"]
    alone = named in ([1], [2])
    assert [one["severity"] for one in found] == (["info" if both else "warning"] if alone else [])
    if alone:
        assert ADDRESSES[3 - named[0]] in str(found[0]["message"])


def test_only_the_member_that_takes_over_counts_for_a_route_back(tmp_path: Path) -> None:
    network = pair(tmp_path, [1], back={1})
    assert len(network.impact("member:CORE:1").lost) == 2
    assert network.impact("member:CORE:2").lost == ()


def test_one_json_file_with_the_urls_of_both_members_is_a_pair(tmp_path: Path) -> None:
    server(tmp_path / "edge", "EDGE", "tcp://edge.x:7222", route("CORE", "tcp://c1.x:7222"))
    core = {
        "server": "CORE",
        "routing": "enabled",
        "primary_listens": [{"url": "tcp://c1.x:7222"}],
        "secondary_listens": [{"url": "tcp://c2.x:7222"}],
    }
    (tmp_path / "tibemsd.json").write_text(json.dumps({"tibemsd": core}))
    network = topograph.read(tmp_path)
    assert len(network.impact("member:CORE:1").lost) == 2
    second = network.impact("member:CORE:2")
    assert (second.lost, second.exact) == ((), True)
    assert network.impact("member:CORE:1").taken_over == (
        {"edge": "CORE", "before": "tcp://c1.x:7222", "after": "tcp://c2.x:7222"},
    )


def test_a_member_whose_file_is_not_loaded_may_take_over(tmp_path: Path) -> None:
    both = f"{ADDRESSES[1]},{ADDRESSES[2]}"
    server(tmp_path / "edge", "EDGE", "tcp://edge.x:7222", route("CORE", both))
    away = f"ft_active={ADDRESSES[2]}\n"
    server(tmp_path / "core1", "CORE", ADDRESSES[1], more=away)
    answer = topograph.read(tmp_path).impact("member:CORE:1")
    assert (answer.lost, answer.exact) == ((), False)
    assert "the member that takes over is not loaded" in answer.inexact_because[0].message


def test_one_text_alone_is_no_list_of_letters(tmp_path: Path) -> None:
    network = pair(tmp_path, [1, 2], back=set())
    assert network.impact("server:EDGE") == network.impact(["server:EDGE"])
    asked = network.impact("route:CORE-EDGE", subscribers="EDGE:topic:a")
    assert asked == network.impact(["route:CORE-EDGE"], subscribers=["EDGE:topic:a"])
    told = network.propagate("CORE", "topic:a", subscribers="EDGE:topic:a")
    assert told == network.propagate("CORE", "topic:a", subscribers=["EDGE:topic:a"])


def test_a_doubt_by_a_rule_bears_its_number(tmp_path: Path) -> None:
    server(tmp_path / "edge", "EDGE", "tcp://edge.x:7222", route("CORE", "tcp://c.x:7222"))
    server(tmp_path / "core", "CORE", "tcp://c.x:7222")
    for name, global_ in (("edge", "a.b global\na.>"), ("core", "a.b global\na.>")):
        main = tmp_path / name / "tibemsd.conf"
        main.write_text(f"{main.read_text()}topics=topics.conf\n")
        (tmp_path / name / "topics.conf").write_text(f"{global_}\n")
    answer = topograph.read(tmp_path).impact("server:CORE", subscribers="EDGE:topic:a.>")
    assert [one.rule for one in answer.warnings] == ["R46"]
    assert [one.cause for one in answer.inexact_because] == ["rule"]
