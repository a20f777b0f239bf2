"""Pictures of systems whose messages go step by step: queue managers, devices and buses, their
links, and traces.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import networkx
import pytest
from drawn.networks import example
from systems import three_systems

import topograph
from topograph.extensions import OWN
from topograph.findings import Source
from topograph.questions.answers import End
from topograph.systems import system
from topograph.viz.formats import dot, graphml, mermaid
from topograph.viz.page import page_of
from topograph.viz.scene.records import LinkStyle, Mark, Scene
from topograph.viz.svg.document import svg


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> topograph.Network:
    root = tmp_path_factory.mktemp("port")
    three_systems.write(root)
    return topograph.read(root)


def of(tmp_path: Path, system: str) -> topograph.Network:
    three_systems.write(tmp_path, system)
    return topograph.read(tmp_path)


def marks(scene: Scene) -> dict[str, Mark]:
    return {server.name: server.mark for server in scene.servers if server.mark}


def test_servers_and_links_have_the_words_of_their_system_where_it_is_the_only_one(
    tmp_path: Path,
) -> None:
    scene = of(tmp_path, "ibm_mq").scene()
    words = "queue managers (2 of them only named by others), 7 channels and 1 cluster."
    assert scene.verdict.endswith(words)
    assert (scene.server_noun, scene.link_noun) == ("queue manager", "channel")
    assert {server.shape for server in scene.servers} == {"box"}


def test_servers_of_several_systems_have_shapes_and_names_of_their_own(
    network: topograph.Network,
) -> None:
    scene = network.scene()
    shown = {server.name: (server.shape, server.kind) for server in scene.servers}
    assert shown["QM1"] == ("box", "IBM MQ queue manager")
    assert shown["Yard"] == ("bar", "SIBus bus")
    assert shown["crane"] == ("device", "WebSphere MQ Everyplace queue manager")
    assert "servers" in scene.verdict
    assert "links" in scene.verdict


def test_each_kind_of_link_has_a_name_a_role_and_a_line(network: topograph.Network) -> None:
    roles = {(link.ends, link.name, link.role, link.line) for link in network.scene().links}
    assert {
        (("QM1", "QM2"), "QM1.QM2", "channel", "solid"),
        (("QM1", "QM2"), "TO.QM2", "cluster channel", "dash-dot"),
        (("QM1", "harbour"), "HARBOUR.XMITQ@QM1", "listener", "wide-dots"),
        (("Yard", "Office"), "to Office", "bus link", "long-dashes"),
        (("Yard", "QM1"), "to QM1", "MQ link", "wide-dashes"),
        (("crane", "harbour"), "", "connection", "dashes"),
        (("harbour", "QM1"), "ORDERS", "bridge", "dash-dot-dot"),
        (("harbour", "crane"), "TO.CRANES", "collection", "dots"),
    } <= roles


def test_what_one_line_configures_is_one_link_whatever_has_to_hold_for_a_message(
    network: topograph.Network,
) -> None:
    """A collection that a message waits for until it is triggered is one link, not one for each
    of its conditions.
    """
    (collection,) = [link for link in network.scene().links if link.role == "collection"]
    assert collection.ends == ("harbour", "crane")


def test_one_way_links_of_one_role_share_a_line_whichever_way_they_lead(
    network: topograph.Network,
) -> None:
    scene = network.scene()
    between = [link for link in scene.links if set(link.ends) == {"QM1", "QM2"}]
    lines = {}
    for link in between:
        lines.setdefault(link.parallel, []).append(link.name)
    assert sorted(map(sorted, lines.values())) == [["QM1.QM2"], ["TO.QM1", "TO.QM2"]]
    assert {link.parallels for link in between} == {2}
    assert len({link.id for link in between}) == 3


def test_no_two_kinds_of_links_look_alike() -> None:
    lines = [line for name in OWN for line in system(name).wording.link_roles.values()]
    assert len(lines) == len(set(lines))


def test_a_trace_is_one_path_for_each_choice_with_its_hops_and_its_end(
    network: topograph.Network,
) -> None:
    answer = network.trace("QM1", "queue:CRANES")
    scene = network.scene(answer)
    assert scene.title == "What happens to a message to queue:CRANES sent at QM1?"
    assert marks(scene) == {"QM1": Mark.ASKED, "QM2": Mark.ONE_OF, "QM3": Mark.ONE_OF}
    assert [path.servers for path in scene.paths] == [("QM1", "QM2"), ("QM1", "QM3")]
    assert [(step.number, step.from_, step.to) for step in scene.paths[0].steps] == [
        (1, "QM1", "QM2"),
        (2, "QM2", "QM2"),
    ]
    assert "if QM2 is chosen" in scene.paths[0].title
    assert any("TO.QM2" in text for text in scene.paths[0].steps[0].guards)
    links = {link.id: link for link in scene.links}
    assert links[scene.paths[0].steps[0].link].name == "TO.QM2"
    assert [path.shown for path in scene.paths] == [True, False]


def test_a_trace_over_seams_is_drawn_over_the_links_between_the_systems(
    network: topograph.Network,
) -> None:
    scene = network.scene(network.trace("crane", "ORDERS@QM1"))
    links = {link.id: link for link in scene.links}
    (path,) = scene.paths
    assert path.servers == ("crane", "harbour", "QM1")
    assert [links[step.link].role for step in path.steps if step.link] == ["connection", "bridge"]
    assert marks(scene) == {"crane": Mark.ASKED, "harbour": Mark.TRANSIT, "QM1": Mark.DELIVERED}


def test_a_message_that_is_held_or_refused_stops_at_its_server_with_the_reason(
    network: topograph.Network,
) -> None:
    for queue, words in (
        ("NOWHERE", "no channel of QM1 reads NO.READER"),
        ("CLOSED", "PUT(DISABLED)"),
    ):
        scene = network.scene(network.trace("QM1", f"queue:{queue}"))
        (block,) = scene.blocks
        assert (block.at, block.to) == ("QM1", "QM1")
        assert words in block.reason
        assert block.source.file == "QM1.mqsc"


def test_what_happens_now_is_drawn_before_what_happens_later(network: topograph.Network) -> None:
    scene = network.scene(network.trace("harbour", "JOBS@crane"))
    now, later = scene.paths
    assert (now.servers, later.servers) == (("harbour",), ("harbour", "crane"))
    assert "triggered" in later.title
    assert marks(scene) == {"harbour": Mark.ASKED, "crane": Mark.LATER}
    assert [server.here for server in scene.servers if server.here] == [Mark.HELD]


def test_the_way_of_a_reply_is_a_path_of_its_own() -> None:
    network = topograph.read(Path(__file__).parents[2] / "examples" / "mixed")
    message = {"reply_to": "ANSWERS", "home_servers": "triggered", "reply": True}
    scene = network.scene(network.trace("SCANNER1", "ORDERS@HQ", **message))
    there, back = scene.paths
    assert there.servers == ("SCANNER1", "GATE", "HQ", "Shop")
    assert back.servers == ("Shop", "HQ", "GATE", "SCANNER1")
    assert back.title.startswith("reply from ")


def test_a_trace_between_systems_that_share_a_name_keeps_them_apart(tmp_path: Path) -> None:
    three_systems.write(tmp_path)
    (tmp_path / "Yard.mqsc").write_text("DEFINE QLOCAL(A)\n", encoding="utf-8")
    network = topograph.read(tmp_path)
    scene = network.scene(network.trace("sibus:Yard", "queue:orders"))
    assert marks(scene) == {"sibus:Yard": Mark.ASKED, "QM1": Mark.DELIVERED}
    (path,) = scene.paths
    assert [step.link for step in path.steps] == ["sibus:Yard-QM1", ""]
    reach = network.scene(network.reach("sibus:Yard"))
    assert any(
        kind == "warning" and "Several systems have a server Yard" in text
        for kind, text in reach.facts
    )


def test_other_formats_name_channels_and_kinds(network: topograph.Network) -> None:
    scene = network.scene()
    assert "QM1 to QM2; QM1.QM2; channel" in dot(scene)
    assert "QM1.QM2" in mermaid(scene)
    made = networkx.parse_graphml(graphml(scene))
    assert made.nodes["QM1"]["kind"] == "IBM MQ queue manager"
    assert {(data["name"], data["role"]) for *_, data in made.edges(data=True)} >= {
        ("QM1.QM2", "channel")
    }
    assert {link.style for link in scene.links} == {LinkStyle.ONE_WAY}


def test_a_trace_of_routes_marks_the_link_that_is_closed() -> None:
    network = topograph.read(Path(__file__).parents[2] / "examples" / "estate")
    scene = network.scene(network.trace("HQ", "topic:orders", {"country": "Spain"}))
    found = marks(scene)
    assert (found["HQ"], found["LONDON"], found["MADRID"]) == (
        Mark.ASKED,
        Mark.TRANSIT,
        Mark.DELIVERED,
    )
    assert any((block.at, block.to) == ("HQ", "SINGAPORE") for block in scene.blocks)


STOP = "M-4-9H4L9-4V4L4 9H-4L-9 4V-4Z"
"""The outline of a stop sign in a drawing."""


def test_a_message_that_only_waits_has_a_clock_and_no_stop_sign() -> None:
    devices = example("mqe_devices")
    scene = devices.scene(devices.trace("harbour", "JOBS@crane7"))
    assert [(block.at, block.waits) for block in scene.blocks] == [("harbour", True)]
    drawing = svg(scene)
    assert STOP not in drawing
    assert "waits here: see below" in drawing
    assert "goes no further" not in drawing
    markup = page_of(scene)
    assert "Where it waits" in markup
    assert '<li class="waits">' in markup


def test_a_message_that_is_refused_or_may_wait_keeps_the_stop_sign_or_the_question_mark() -> None:
    orders = example("sibus_orders")
    refused = orders.scene(orders.trace("Archive", "queue:ORDERS.IN"))
    assert [block.waits for block in refused.blocks] == [False]
    assert STOP in svg(refused)
    managers = example("queue_managers")
    answer = managers.propagate("STORE1", "queue:TILL")
    end = End(
        outcome="HELD",
        server="WEST",
        destination="ORDERS",
        ending="HELD(WEST)",
        because="the channel is stopped",
        rule="M-11",
        source=Source(""),
    )
    sure = managers.scene(dataclasses.replace(answer, ends=(end,)))
    assert [block.waits for block in sure.blocks if block.at == "WEST"] == [True]
    perhaps = (dataclasses.replace(end, judgement="one_of", conditions=("one_of",)),)
    told = managers.scene(dataclasses.replace(answer, ends=perhaps))
    assert not any(block.waits or block.certain for block in told.blocks)
