"""What a picture of ``propagate`` shows inside the servers: for each recipient the way that
``trace`` tells, and nothing where messages do not go step by step.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from drawn.all_systems import drawn
from drawn.networks import read_files

import topograph
from topograph.errors import TopographError
from topograph.network import Network
from topograph.questions.answers import PropagateAnswer
from topograph.viz import formats
from topograph.viz.scene.inside import columns
from topograph.viz.scene.recipient_ways import RECIPIENTS
from topograph.viz.scene.records import Mark, PathDrawn

EXAMPLES = Path(__file__).parents[2] / "examples"

STEPPING = ("ibm_mq", "mqe", "sibus")


def stations(path: PathDrawn) -> list[tuple[object, ...]]:
    return [
        (column.server, place.station.kind, place.station.name, place.station.mark)
        for column in columns(path)
        for place in column.places
    ]


def hold(network: Network, words: tuple[Any, ...], how: dict[str, Any]) -> int:
    """Each delivery is a path of its servers, and each path of stations is one of ``trace``."""
    answer = network.propagate(*words, **how)
    scene = network.scene(answer)
    traced = [
        (path.end, stations(path)) for path in network.scene(network.trace(*words, **how)).paths
    ]
    assert "follow" not in answer.to_dict()
    with_stations = [path for path in scene.paths if columns(path)]
    for path in with_stations:
        # Names of several systems are qualified in pictures of a trace.
        bare = [(str(server).rpartition(":")[2], *rest) for server, *rest in stations(path)]
        assert (path.end, bare) in [
            (end, [(str(server).rpartition(":")[2], *rest) for server, *rest in told])
            for end, told in traced
        ]
    drawn_to = [tuple(name.rpartition(":")[2] for name in path.servers) for path in with_stations]
    for delivery in answer.deliveries:
        assert tuple(delivery.path) in drawn_to
    assert len(with_stations) == len(answer.deliveries)
    return len(with_stations)


@pytest.mark.parametrize("system", STEPPING)
def test_each_recipient_of_drawn_estates_has_the_way_of_trace(system: str, tmp_path: Path) -> None:
    held = 0
    for number in range(8):
        estate = drawn(system, "one", number)
        network = read_files(tmp_path / str(number), estate.files)
        for method, words, options in estate.questions():
            if method not in ("propagate", "trace"):
                continue
            how = {name: value for name, value in options.items() if name != "reply"}
            try:
                network.propagate(*words, **how)
            except TopographError:
                continue
            held += hold(network, words, how)
    assert held > 3


def test_two_recipients_of_which_one_is_chosen_fork_where_they_part() -> None:
    network = topograph.read(EXAMPLES / "queue_managers")
    assert hold(network, ("STORE1", "queue:ORDERS"), {}) == 2
    scene = network.scene(network.propagate("STORE1", "queue:ORDERS"))
    assert [path.end for path in scene.paths] == [Mark.ONE_OF, Mark.ONE_OF]
    drawing = formats.svg(scene)
    assert 'class="drawn-lanes"' in drawing
    assert "ANY.SALES" in drawing


def test_a_delivery_at_the_sender_has_a_way_inside_it() -> None:
    network = topograph.read(EXAMPLES / "sibus_orders")
    assert hold(network, ("Orders", "queue:ORDERS.IN"), {}) == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [("estate", ("HQ", "topic:orders")), ("routers", ("LON", "address:orders"))],
)
def test_messages_that_do_not_go_step_by_step_have_hops_alone(
    name: str, words: tuple[str, str]
) -> None:
    network = topograph.read(EXAMPLES / name)
    answer: PropagateAnswer = network.propagate(*words)
    assert answer.follow is None
    assert not any(columns(path) for path in network.scene(answer).paths)


def test_of_many_recipients_the_farthest_are_drawn_and_the_picture_says_so(tmp_path: Path) -> None:
    """A full repository with the queue ORDERS at more members of the cluster than are drawn."""
    more = RECIPIENTS + 7
    join = "DEFINE CHANNEL('C.TO.{0}') CHLTYPE(CLUSRCVR) CONNAME('{0}.example') CLUSTER('C')\n"
    files = {"HUB.mqsc": "ALTER QMGR REPOS('C')\n" + join.format("HUB")}
    for number in range(more):
        name = f"Q{number:03}"
        files[f"{name}.mqsc"] = (
            join.format(name)
            + "DEFINE CHANNEL('C.TO.HUB') CHLTYPE(CLUSSDR) CONNAME('HUB.example') CLUSTER('C')\n"
            + "DEFINE QLOCAL('ORDERS') CLUSTER('C') DEFBIND(NOTFIXED)\n"
        )
    files["topograph.yaml"] = "hosts:\n" + "".join(
        f"  {name.removesuffix('.mqsc')}.example: {name.removesuffix('.mqsc')}\n" for name in files
    )
    network = read_files(tmp_path, files)
    answer = network.propagate("HUB", "queue:ORDERS")
    assert len(answer.deliveries) == more
    scene = network.scene(answer)
    assert len([path for path in scene.paths if columns(path)]) == RECIPIENTS
    assert len(scene.paths) == more
    assert any(f"the farthest {RECIPIENTS} of {more} recipients" in text for _, text in scene.facts)
