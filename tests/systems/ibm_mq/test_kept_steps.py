"""What is worked out once for many positions is what each of them would come to by itself: queues
that take everything, positions that an outage does not concern, and the text of a position."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest
from by_traces import by_traces
from drawn.ibm_mq import DrawnManagers
from hypothesis import given
from hypothesis import strategies as st

import topograph
from topograph.errors import TopographError
from topograph.systems.coverage import NotShownHere
from topograph.systems.ibm_mq.estate import stepping_of
from topograph.systems.ibm_mq.objects.channels import Channels
from topograph.systems.ibm_mq.objects.clusters import Clusters
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork
from topograph.systems.ibm_mq.routing import plain_queues, resolution
from topograph.systems.ibm_mq.routing.lookup import Lookup
from topograph.systems.ibm_mq.routing.positions import OPEN, ChannelArrival, MqPosition
from topograph.systems.ibm_mq.routing.ways import PutRefused
from topograph.systems.stepping.estate import SteppingEstate
from topograph.tracing.states import Component, Outage, State, Stepping, Transition

MOST = 150
"""States of an estate that are stepped."""


def network_of(number: int, folder: Path) -> MqNetwork | None:
    """The queue managers of a drawn estate; None where it cannot be read."""
    for name, content in DrawnManagers(number).files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    try:
        (part,) = topograph.read(folder)._model.parts
    except TopographError:
        return None
    assert isinstance(part.estate, SteppingEstate)
    return MqNetwork(part.estate.sources["ibm_mq"], part.estate.side_inputs)


def looked_up(network: MqNetwork) -> Lookup:
    return Lookup(network, Clusters(network), Channels(network))


@pytest.mark.parametrize("number", range(40))
def test_a_queue_that_takes_everything_is_resolved_as_any_other(
    number: int, tmp_path: Path
) -> None:
    network = network_of(number, tmp_path / "estate")
    if network is None:
        return
    estate, slow = looked_up(network), looked_up(network)
    for server in network.managers:
        for queue in network.queues.of(server):
            for blank, bind, copy in ((False, "", ""), (True, "OPEN", ""), (False, "", "streamed")):
                at = MqPosition(server, OPEN, queue.name, server, blank, bind, copy=copy)
                found = plain_queues.taken(estate, at)
                if found is not None:
                    assert found == resolution.opened(slow, at), at


def test_most_queues_that_say_nothing_take_everything(tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_text(
        "* Queue manager name: A\nDEFINE QLOCAL(X) DESCR('x') MAXMSGL(9)\nDEFINE QLOCAL(Y) "
        "PUT(DISABLED)\nDEFINE QALIAS(Z) TARGET(X)\n"
    )
    (part,) = topograph.read(tmp_path)._model.parts
    assert isinstance(part.estate, SteppingEstate)
    estate = looked_up(MqNetwork(part.estate.sources["ibm_mq"], part.estate.side_inputs))
    taken = {name: plain_queues.taken(estate, MqPosition("A", OPEN, name, "A")) for name in "XYZ"}
    assert [name for name, found in taken.items() if found is not None] == ["X"]


def states_of(own: Stepping) -> Iterator[State]:
    """The states that messages get to, as far as the loaded queue managers."""
    loaded = {one.name for one in own.servers if one.loaded}
    waiting, seen = list(own.entries()), set[State]()
    while waiting and len(seen) < MOST:
        state = waiting.pop(0)
        if state in seen or state.server not in loaded:
            continue
        seen.add(state)
        yield state
        waiting += [way.to for way in own.step(state).ways if isinstance(way.to, State)]


def outages(own: Stepping) -> Iterator[Outage]:
    names = [one.name for one in own.servers]
    yield from (Outage(servers=frozenset([name])) for name in names)
    yield Outage(links=frozenset([frozenset(names[:2])]))
    yield from (Outage(components=frozenset([one])) for one in own.components())
    yield Outage(frozenset(names[:1]), components=frozenset([*own.components()][:3]))


def stepped(own: Stepping, state: State) -> Transition | str:
    try:
        return own.step(state)
    except (PutRefused, NotShownHere) as error:
        return repr(error)


@pytest.mark.parametrize("number", range(12))
def test_what_an_outage_does_not_concern_steps_as_before(number: int, tmp_path: Path) -> None:
    network = network_of(number, tmp_path / "estate")
    if network is None:
        return
    own = stepping_of(network)
    assert own.without is not None
    states = list(states_of(own))
    kept = 0
    for outage in outages(own):
        without, alone = own.without(outage), stepping_of(network.without(outage))
        assert without.servers == alone.servers
        for state in states:
            assert stepped(without, state) == stepped(alone, state), (outage, state)
            if without.as_before(state):
                kept += 1
                assert stepped(own, state) == stepped(alone, state), (outage, state)
    assert kept, "nothing was kept"


def test_a_component_of_another_kind_is_no_part_of_an_outage(tmp_path: Path) -> None:
    network = network_of(1, tmp_path / "estate")
    assert network is not None
    own = stepping_of(network)
    assert own.without is not None
    server = own.servers[0].name
    without = own.without(
        Outage(components=frozenset([Component("service", "S", server, "ibm_mq")]))
    )
    assert all(without.as_before(state) for state in states_of(own))


NAMES = st.text(max_size=6) | st.sampled_from(["", "*", "*other", 'a"b', "ü\n\u2028", "\x00"])
POSITIONS = st.builds(
    MqPosition,
    server=NAMES,
    phase=NAMES,
    name=NAMES,
    queue_manager=NAMES,
    blank=st.booleans(),
    bind=NAMES,
    queue=NAMES,
    member=NAMES,
    channel=NAMES,
    reply=st.lists(NAMES, max_size=2).map(tuple),
    copy=NAMES,
    published=st.booleans(),
    arrival=st.none() | st.builds(ChannelArrival, NAMES, NAMES, NAMES, NAMES, NAMES),
    excluded=st.lists(NAMES, max_size=3).map(tuple),
)


@given(POSITIONS)
def test_the_text_of_a_position_is_json_of_what_is_not_blank(at: MqPosition) -> None:
    said = {
        one.name: getattr(at, one.name)
        for one in sorted(fields(at), key=lambda one: one.name)
        if one.name != "server" and (getattr(at, one.name) or one.name == "arrival")
    }
    if at.arrival is None:
        del said["arrival"]
    else:
        came = sorted(fields(at.arrival), key=lambda one: one.name)
        said["arrival"] = {
            one.name: text for one in came if (text := getattr(at.arrival, one.name))
        }
    assert at.state().data == json.dumps(said, ensure_ascii=False)


@given(POSITIONS)
def test_equal_positions_have_one_hash(at: MqPosition) -> None:
    again = replace(at)
    assert again == at
    assert hash(again) == hash(at)
    assert at.goes(name="other").data == replace(at, name="other").state().data


@pytest.mark.parametrize("number", range(8))
def test_a_sweep_counts_what_traces_tell_of_each_failure(number: int, tmp_path: Path) -> None:
    if network_of(number, tmp_path / "estate") is None:
        return
    network = topograph.read(tmp_path / "estate").within(None)
    for row in network.impact(sweep=True).failures[:6]:
        answer = network.impact([row.failed])
        with by_traces():
            traced = topograph.read(tmp_path / "estate").within(None).impact([row.failed])
        assert traced == answer, row.failed
        assert (row.lost, row.changed) == (len(answer.lost), len(answer.changed)), row.failed
