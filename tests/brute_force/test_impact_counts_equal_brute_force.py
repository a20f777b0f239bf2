"""What ``impact`` finds before a failure, what the failure takes, and the order of a sweep, beside
a count of pairs in plain graphs; and ``paths`` beside a count of channels.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import networkx
import pytest

import topograph
from topograph.cli.main import exit_code

pytestmark = pytest.mark.slow

SEEDS = range(24)


def routers(graph: networkx.Graph, root: Path) -> None:
    """Routers with a connector for each edge, and a listener that each names."""
    for name in graph:
        port = 20000 + name
        text = f"router {{\n id: R{name}\n mode: interior\n}}\n"
        text += f"listener {{\n host: r{name}\n port: {port}\n role: inter-router\n}}\n"
        for other in graph[name]:
            if other > name:
                text += (
                    f"connector {{\n name: c{other}\n host: r{other}\n port: {20000 + other}\n"
                    " role: inter-router\n}\n"
                )
        (root / f"R{name}.conf").write_text(text)


def ems_servers(graph: networkx.Graph, root: Path) -> None:
    """Servers with a route at both ends of each edge, all in one multi-hop zone."""
    for name in graph:
        folder = root / f"R{name}"
        folder.mkdir()
        main = f"server=R{name}\nrouting=enabled\nlisten=tcp://r{name}:7222\nroutes=routes.conf\n"
        (folder / "tibemsd.conf").write_text(main)
        (folder / "routes.conf").write_text(
            "".join(
                f"[R{other}]\nurl=tcp://r{other}:7222\nzone_name=Z\nzone_type=mhop\n"
                for other in graph[name]
            )
        )


def queue_managers(graph: networkx.Graph, root: Path) -> None:
    """Queue managers with a channel both ways and a remote queue for each edge, so that each
    reaches its neighbours and nobody else.
    """
    for name in graph:
        lines = [f"* Queue manager name: R{name}", "DEFINE QLOCAL(IN)"]
        for other in graph[name]:
            lines += [
                f"DEFINE QLOCAL(X{other}) USAGE(XMITQ)",
                f"DEFINE CHANNEL(R{name}.R{other}) CHLTYPE(SDR) XMITQ(X{other}) "
                f"CONNAME('r{other}(1414)')",
                f"DEFINE CHANNEL(R{other}.R{name}) CHLTYPE(RCVR)",
                f"DEFINE QREMOTE(TO{other}) RNAME(IN) RQMNAME(R{other}) XMITQ(X{other})",
            ]
        (root / f"R{name}.mqsc").write_text("\n".join(lines) + "\n")


def reached(graph: networkx.Graph, *, onward: bool) -> set[tuple[int, int]]:
    """The ordered pairs that reach each other; without ``onward`` neighbours only."""
    return {
        (a, b)
        for a, b in itertools.permutations(graph, 2)
        if (networkx.has_path(graph, a, b) if onward else graph.has_edge(a, b))
    }


def drawn(seed: int, *, forest: bool) -> networkx.Graph:
    chance = random.Random(seed)
    size = chance.randint(1, 7)
    graph = networkx.empty_graph(size)
    for a, b in itertools.combinations(range(size), 2):
        if chance.random() < 0.3 and not (forest and networkx.has_path(graph, a, b)):
            graph.add_edge(a, b)
    return graph


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "write", [routers, ems_servers, queue_managers], ids=lambda one: one.__name__
)
def test_a_failure_takes_pairs_that_were_there_before(seed: int, write: Any, tmp_path: Path):
    onward = write is not queue_managers
    graph = drawn(seed, forest=write is ems_servers)
    write(graph, tmp_path)
    network = topograph.read(tmp_path)
    before = reached(graph, onward=onward)
    rows = {row.failed: row for row in network.impact(sweep=True).failures}
    places = {failed: place for place, failed in enumerate(rows)}
    for failed in graph:
        rest = graph.copy()
        rest.remove_node(failed)
        after = reached(rest, onward=onward)
        among = {pair for pair in before if failed not in pair}
        answer = network.impact(f"server:R{failed}")
        assert (answer.pairs, answer.reached_before, answer.own, len(answer.lost)) == (
            len(rest) * (len(rest) - 1),
            len(among),
            len(before) - len(among),
            len(among - after),
        )
        row = rows[f"server:R{failed}"]
        assert (row.lost, row.own) == (len(among - after), len(before) - len(among))
        assert {(one.from_, one.to) for one in answer.lost} == {
            (f"R{a}", f"R{b}") for a, b in among - after
        }
        links = [name for name in rows if name.startswith("route:") and f"R{failed}" in name]
        assert all(places[f"server:R{failed}"] < places[link] for link in links)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_not_reached_before_is_not_called_reached(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    graph = drawn(seed, forest=False)
    routers(graph, tmp_path)
    for failed in graph:
        assert exit_code(["impact", "-s", str(tmp_path), "--fail", f"server:R{failed}"]) == 0
        first = capsys.readouterr().out.partition("\n")[0]
        rest = graph.copy()
        rest.remove_node(failed)
        among = {pair for pair in reached(graph, onward=True) if failed not in pair}
        lost = among - reached(rest, onward=True)
        everyone = len(rest) * (len(rest) - 1)
        if lost:
            wanted = "ordered pairs of routers no longer reach each other"
        elif not everyone:
            wanted = "there are no two other routers"
        elif not among:
            wanted = "no other pair of routers reached each other before"
        elif len(among) == everyone:
            wanted = "every other pair of routers still reaches each other"
        else:
            wanted = "every other pair of routers that reached each other before still does"
        assert wanted in first


def parallel(seed: int) -> tuple[Mapping[str, str], set[tuple[str, ...]]]:
    """Two or three queue managers in a row, some channels between the first two with several
    definitions over each, and the paths: a channel name for each step.
    """
    chance = random.Random(seed)
    far = chance.random() < 0.5
    first = ["* Queue manager name: A"]
    second = ["* Queue manager name: B", "DEFINE QLOCAL(IN)"]
    third = ["* Queue manager name: C", "DEFINE QLOCAL(IN)", "DEFINE CHANNEL(B.C) CHLTYPE(RCVR)"]
    paths = set()
    for number in range(chance.randint(1, 3)):
        channel = f"CH{number}"
        first += [
            f"DEFINE QLOCAL(X{number}) USAGE(XMITQ)",
            f"DEFINE CHANNEL({channel}) CHLTYPE(SDR) XMITQ(X{number}) CONNAME('b(1414)')",
        ]
        second += [f"DEFINE CHANNEL({channel}) CHLTYPE(RCVR)"]
        for queue in range(chance.randint(1, 3)):
            name = f"Q{number}{queue}"
            target = chance.choice(["IN", "OUT"]) if far and queue else "OUT" if far else "IN"
            first += [
                f"DEFINE QREMOTE({name}) RNAME({target}) RQMNAME(B) XMITQ(X{number})",
                *([f"DEFINE QALIAS(A{name}) TARGET({name})"] if chance.random() < 0.5 else []),
            ]
        if chance.random() < 0.5:
            first += [f"DEFINE QREMOTE(B{number}) RNAME(' ') RQMNAME(B) XMITQ(X{number})"]
        paths.add((channel, "B.C") if far else (channel,))
    if far:
        second += [
            "DEFINE QLOCAL(C) USAGE(XMITQ)",
            "DEFINE CHANNEL(B.C) CHLTYPE(SDR) XMITQ(C) CONNAME('c(1414)')",
            "DEFINE QREMOTE(OUT) RNAME(IN) RQMNAME(C)",
            "DEFINE QREMOTE(OUT2) RNAME(IN) RQMNAME(C)",
        ]
    texts = {"A": first, "B": second} | ({"C": third} if far else {})
    return {name: "\n".join(lines) + "\n" for name, lines in texts.items()}, paths


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_servers_over_the_same_channels_are_one_path(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    texts, expected = parallel(seed)
    for name, text in texts.items():
        (tmp_path / f"{name}.mqsc").write_text(text)
    asked = ["paths", "A", max(texts), "-s", str(tmp_path), "--format", "json"]
    assert exit_code(asked) == 0
    paths = json.loads(capsys.readouterr().out)["paths"]
    assert sorted(tuple(step["link"] for step in path["steps"]) for path in paths) == sorted(
        expected
    )
