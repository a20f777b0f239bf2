"""What a change does to the names that servers hold, to links that nothing replaces, and to
bridges.
"""

from __future__ import annotations

from pathlib import Path

import topograph
from topograph.network import Network
from topograph.questions.text import text


def ems(folder: Path, routes: dict[str, list[tuple[str, str, str]]], **more: str) -> Network:
    for server, own in routes.items():
        place = folder / server.lower()
        place.mkdir(parents=True)
        (place / "tibemsd.conf").write_text(
            f"server = {server}\nrouting = enabled\nroutes = routes.conf\ntopics = "
            "topics.conf\nqueues = queues.conf\nbridges = bridges.conf\n"
        )
        (place / "routes.conf").write_text(
            "".join(
                f"[{to}]\n url = tcp://{to}:7222\n zone_name = {zone}\n zone_type = {type_}\n"
                for to, zone, type_ in own
            )
        )
        (place / "topics.conf").write_text("news global\n>\n")
        (place / "queues.conf").write_text(">\n")
        (place / "bridges.conf").write_text(more.get(server, ""))
    return topograph.read(folder)


def test_interest_per_server(tmp_path: Path) -> None:
    network = ems(tmp_path, {"A": [("B", "M", "mhop"), ("C", "M", "mhop")], "B": [], "C": []})
    answer = network.audit("delete route C\n", at="A")
    assert [(one.server, one.name, one.via) for one in answer.interest.lost] == [
        ("A", "$TMP$.C.>", "C"),
        ("B", "$TMP$.C.>", "A"),
        ("C", "$TMP$.A.>", "A"),
        ("C", "$TMP$.B.>", "A"),
    ]
    assert answer.interest.gained == ()
    assert (answer.interest.gained_count, answer.interest.lost_count) == (0, 4)
    assert topograph.compare(network, topograph.read(tmp_path)).interest.lost == ()
    assert "Names from another" not in text(answer)


def test_interest_that_comes_from_another_neighbour(tmp_path: Path) -> None:
    network = ems(
        tmp_path,
        {
            "A": [("B", "M", "mhop"), ("C", "M", "mhop")],
            "B": [("D", "M", "mhop")],
            "C": [],
            "D": [],
        },
    )
    moved = network.audit("delete route D\n", at="B")
    assert ("A", "$TMP$.D.>", "B") in {
        (one.server, one.name, one.via) for one in moved.interest.lost
    }
    script = [
        topograph.audit.GivenScript(b"delete route D\n", "b", "B"),
        topograph.audit.GivenScript(
            b"create route D url=tcp://d:7222 zone_name=M zone_type=mhop\n", "c", "C"
        ),
    ]
    answer = network.audit(script)
    assert ("A", "$TMP$.D.>", "C") in {
        (one.server, one.name, one.via) for one in answer.interest.gained
    }
    assert ("A", "$TMP$.D.>", "B") in {
        (one.server, one.name, one.via) for one in answer.interest.lost
    }
    assert answer.reach.lost == ()
    told = text(answer)
    assert "Names from another neighbour than before (6 names)\n" in told
    assert "A  $TMP$.D.>  from B  now from C" in told


def test_bridges_that_bring_a_second_copy_are_told(tmp_path: Path) -> None:
    network = ems(tmp_path, {"A": [("B", "M", "mhop")], "B": []}, B="[topic:news]\n  queue=q\n")
    for server, queues in (("a", "q global\n>\n"), ("b", "q@A\n>\n")):
        (tmp_path / server / "queues.conf").write_text(queues)
    network = topograph.read(tmp_path)
    answer = network.audit("create bridge source=topic:news target=queue:q\n", at="A")
    (row,) = [one for one in answer.deliveries.duplicated if one.destination == "queue:q"]
    assert (row.server, row.copies, row.source.file) == ("A", 2, "change")
    assert "subscribers get messages more than once" in text(answer)


def routers(folder: Path, links: list[tuple[str, str]]) -> Network:
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted({end for link in links for end in link}):
        lines = [f"router {{\n    mode: interior\n    id: {name}\n}}\n"]
        lines.append(
            f"listener {{\n    host: {name.lower()}\n    port: 5672\n    role: inter-router\n}}\n"
        )
        lines += [
            (
                f"connector {{\n    name: to-{other}\n    host: {other.lower()}\n    port: "
                f"5672\n    role: inter-router\n}}\n"
            )
            for one, other in links
            if one == name
        ]
        (folder / f"{name}.conf").write_text("".join(lines))
    return topograph.read(folder)


def test_links_that_become_the_only_way(tmp_path: Path) -> None:
    network = routers(tmp_path, [("A", "B"), ("B", "C"), ("A", "C"), ("C", "D")])
    answer = network.audit("qdmanage delete --type connector --name to-C", at="A")
    assert answer.single_points.new == ("A-B", "B-C")
    assert answer.single_points.gone == ()
    assert "Links that become the only way between some servers\n  A-B and B-C" in text(answer)
    back = network.audit(
        "qdmanage create --type connector --name x host=d port=5672 role=inter-router", at="B"
    )
    assert back.single_points.new == ()
    assert back.single_points.gone == ("C-D",)


def test_of_many_servers_some_are_asked_and_the_answer_says_so(tmp_path: Path) -> None:
    spokes = [f"S{number:03d}" for number in range(205)]
    network = ems(
        tmp_path, {"A": [(one, "M", "mhop") for one in spokes], **{one: [] for one in spokes}}
    )
    answer = network.audit("delete route S204\n", at="A")
    (said,) = [one.message for one in answer.warnings if one.rule == "not-compared"]
    assert said == "from which neighbours names come was compared at 200 of 206 servers"
    assert ("S000", "$TMP$.S204.>", "A") in {
        (one.server, one.name, one.via) for one in answer.interest.lost
    }


def test_a_selector_changes_no_names_and_nothing_is_said_of_them(tmp_path: Path) -> None:
    spokes = [f"S{number:03d}" for number in range(205)]
    network = ems(
        tmp_path, {"A": [(one, "M", "mhop") for one in spokes], **{one: [] for one in spokes}}
    )
    answer = network.audit('setprop route S204 outgoing_topic=news selector="a = 1"\n', at="A")
    assert answer.would_lose
    assert answer.interest.gained == answer.interest.lost == ()
    assert "not-compared" not in {one.rule for one in answer.warnings}
