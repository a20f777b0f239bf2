"""Messages that only pass a queue manager: what is told of them at once is what stepping them one
by one comes to, and so is the graph that is made of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from drawn.ibm_mq import DrawnManagers

import topograph
from topograph.errors import TopographError
from topograph.systems.coverage import NotShownHere
from topograph.systems.ibm_mq.lint import messages_circulate
from topograph.systems.ibm_mq.lint.every_message_dead_lettered import every_message_dead_lettered
from topograph.systems.ibm_mq.objects.channels import Channels
from topograph.systems.ibm_mq.objects.clusters import Clusters
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork
from topograph.systems.ibm_mq.routing import entries, lookup, passing
from topograph.systems.ibm_mq.routing.lookup import Lookup
from topograph.systems.ibm_mq.routing.positions import (
    ANY_QUEUE,
    ARRIVE,
    OPEN,
    ChannelArrival,
    MqPosition,
    position,
)
from topograph.systems.ibm_mq.routing.resolution import opened
from topograph.systems.ibm_mq.routing.ways import PutRefused
from topograph.systems.stepping.estate import SteppingEstate
from topograph.tracing.closure import Closure, close
from topograph.tracing.states import Ended, State, Stepping, Systems, Way, never
from topograph.tracing.told_steps import StepTexts, ToldStep
from topograph.tracing.trace import Ending, Kind

NAMES = ("A", "B", "C", "D", "E")
QUEUES = ("APP", "OUT", "ALI", "TEL", "B")


def drawn_tree(number: int) -> Mapping[str, str]:
    """Queue managers that send to each other over few names, so that these mean several things:
    queues of the names of queue managers, aliases that lead to each other, definitions that are
    refused, channels without an end or with two."""
    chance = random.Random(number)
    faults = chance.choice((0, 0, 0.1, 0.3))
    names = NAMES[: chance.randint(2, 5)]
    files: dict[str, list[str]] = {name: [f"* Queue manager name: {name}"] for name in names}
    known = (*names, "X", "Y")
    members = chance.sample(names, chance.choice((0, 0, len(names) - 1, len(names))))

    def amiss() -> bool:
        return chance.random() < faults

    for here in names:
        others = [one for one in names if one != here]
        sent = chance.sample(others, chance.randint(1, len(others)))
        lines = files[here]
        for other in sent:
            get = chance.choice((" GET(DISABLED)", " PUT(DISABLED)")) if amiss() else ""
            usage = "NORMAL" if amiss() else "XMITQ"
            lines.append(f"DEFINE QLOCAL({other}) USAGE({usage}){get}")
            channel = "ALL" if amiss() else f"{here}.{other}"
            if not amiss():
                lines.append(
                    f"DEFINE CHANNEL({channel}) CHLTYPE(SDR) XMITQ({other}) CONNAME('{other}')"
                )
            if not amiss():
                fast = chance.choice(("", " NPMSPEED(NORMAL)"))
                files[other].append(f"DEFINE CHANNEL({channel}) CHLTYPE(RCVR){fast}")
        if here in members:
            lines += _membership(chance, here, members, faults)
        if chance.random() < 0.6:
            default = chance.choice(known if amiss() else sent)
            lines.append(f"ALTER QMGR DEFXMITQ({default})")
        if chance.random() < 0.3:
            lines += ["ALTER QMGR DEADQ(DLQ)", "DEFINE QLOCAL(DLQ)"]
        for _ in range(chance.randint(1, 5)):
            lines.append(_definition(chance, known, known if amiss() else sent))
    return {f"{name}.mqsc": "\n".join([*lines, ""]) for name, lines in files.items()}


def _membership(
    chance: random.Random, here: str, members: Sequence[str], faults: float
) -> Iterator[str]:
    """What makes a queue manager a member of a cluster, or of two."""
    cluster = chance.choice(("K", "K", "L"))
    yield f"ALTER QMGR REPOS({cluster})"
    yield f"DEFINE CHANNEL(K.{here}) CHLTYPE(CLUSRCVR) CLUSTER(K) CONNAME('{here}')"
    if chance.random() < faults:
        yield f"DEFINE CHANNEL(L.{here}) CHLTYPE(CLUSRCVR) CLUSTER(L) CONNAME('{here}')"
    other = chance.choice(members)
    yield f"DEFINE CHANNEL(K.{other}) CHLTYPE(CLUSSDR) CLUSTER(K) CONNAME('{other}')"
    yield f"DEFINE QLOCAL(SHARED) CLUSTER(K) DEFBIND({chance.choice(('OPEN', 'NOTFIXED'))})"
    if chance.random() < faults:
        put = chance.choice(("PUT(DISABLED)", "GET(DISABLED)"))
        yield f"DEFINE QLOCAL(SYSTEM.CLUSTER.TRANSMIT.QUEUE) USAGE(XMITQ) {put}"
    if chance.random() < faults:
        yield f"DEFINE QLOCAL(OWN) USAGE(XMITQ) CLCHNAME('K.{chance.choice(members)}')"
    if chance.random() < faults:
        yield "ALTER QMGR DEFCLXQ(CHANNEL)"
    if chance.random() < 0.3:
        alias, real = chance.choice((*NAMES, "X")), chance.choice((*NAMES, " "))
        yield f"DEFINE QREMOTE({alias}) RNAME(' ') RQMNAME('{real}') CLUSTER(K)"


def _definition(chance: random.Random, known: Sequence[str], sent: Sequence[str]) -> str:
    queue, manager = chance.choice((*QUEUES, *known)), chance.choice(known)
    through = chance.choice(("", f" XMITQ({chance.choice(sent)})"))
    target = chance.choice(QUEUES)
    remote = f"DEFINE QREMOTE({queue}) RNAME({target}) RQMNAME({manager}){through}"
    alias = f"DEFINE QREMOTE({manager}) RNAME(' ') RQMNAME({chance.choice(known)}){through}"
    return chance.choice(
        (
            remote,
            alias,
            remote,
            alias,
            f"DEFINE QALIAS({queue}) TARGET({target})",
            f"DEFINE QLOCAL({queue})",
            f"DEFINE QMODEL({queue})",
            f"DEFINE QLOCAL({queue}) STREAMQ({target})",
            f"DEFINE QLOCAL({queue}) CLUSTER(K)",
            f"DEFINE QREMOTE({manager}) RNAME(' ') RQMNAME(' ')",
            f"DEFINE QALIAS({queue}) TARGET({target}) NOSUCH(1)",
        )
    )


def estate_of(files: Mapping[str, str], folder: Path) -> SteppingEstate | None:
    """The estate of some files; None where they cannot be read."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    try:
        (part,) = topograph.read(folder)._model.parts
    except TopographError:
        return None
    assert isinstance(part.estate, SteppingEstate)
    return SteppingEstate(part.estate.sources, part.estate.side_inputs)


def step_by_step(estate: SteppingEstate) -> Systems:
    """The systems of an estate without what they know of messages that only pass."""
    return {name: replace(own, passing=None, alike=never) for name, own in estate.systems.items()}


def rows_of(closed: Closure) -> Mapping[str, object]:
    tables = closed.tables
    kinds = ("servers", "points", "guards", "links", "forwards")
    return {"findings": closed.findings, **{one: list(getattr(tables, one)) for one in kinds}}


ESTATES = [*((DrawnManagers, number) for number in range(20)), *((None, n) for n in range(60))]


@pytest.mark.parametrize(
    ("drawn", "number"),
    ESTATES,
    ids=[f"{'tree' if not one else 'drawn'}-{n}" for one, n in ESTATES],
)
def test_a_graph_is_that_of_every_message_stepped_by_itself(
    drawn: type[DrawnManagers] | None, number: int, tmp_path: Path
) -> None:
    files = drawn_tree(number) if drawn is None else drawn(number).files
    estate = estate_of(files, tmp_path / "estate")
    if estate is None:
        return
    found, slow = close(estate.systems, estate.seams), close(step_by_step(estate), estate.seams)
    assert rows_of(found) == rows_of(slow)
    for state in _states(estate.systems["ibm_mq"]):
        _is_as_stepped(estate, state)


MODEL = """* Queue manager name: A
DEFINE QMODEL(APP)
DEFINE QALIAS(ALI) TARGET(OUT)
DEFINE QLOCAL(OUT)
DEFINE QLOCAL(B) USAGE(XMITQ)
DEFINE CHANNEL(A.B) CHLTYPE(SDR) XMITQ(B) CONNAME('b')
DEFINE CHANNEL(B.A) CHLTYPE(RCVR)
"""
SENDER = """* Queue manager name: B
DEFINE QLOCAL(A) USAGE(XMITQ)
DEFINE CHANNEL(B.A) CHLTYPE(SDR) XMITQ(A) CONNAME('a')
DEFINE CHANNEL(A.B) CHLTYPE(RCVR)
DEFINE QREMOTE(FAR) RNAME(APP) RQMNAME(A) XMITQ(A)
DEFINE QREMOTE(TEL) RNAME(ALI) RQMNAME(A)
"""


def test_a_model_queue_takes_what_is_put_there_and_nothing_that_a_channel_brings(
    tmp_path: Path,
) -> None:
    estate = estate_of({"A.mqsc": MODEL, "B.mqsc": SENDER}, tmp_path / "estate")
    assert estate is not None
    found, slow = close(estate.systems, estate.seams), close(step_by_step(estate), estate.seams)
    assert rows_of(found) == rows_of(slow)
    states = [*_states(estate.systems["ibm_mq"])]
    assert sum(_is_as_stepped(estate, state) for state in states) > 10


@pytest.mark.parametrize("number", range(10))
def test_messages_that_end_where_they_begin_begin_in_the_same_states(
    number: int, tmp_path: Path
) -> None:
    files = DrawnManagers(number).files if number % 2 else drawn_tree(number)
    more = {"Z.mqsc": "* Queue manager name: Z\nDEFINE QLOCAL('Q \u00fc\"x')\nDEFINE QLOCAL(R)\n"}
    estate = estate_of({**files, **more}, tmp_path / "estate")
    if estate is None:
        return
    own = estate.systems["ibm_mq"]
    assert own.beginning is not None
    assert own.passing is not None
    begins, states = list(own.beginning()), list(own.entries())
    ended = [one for one in begins if isinstance(one, Ended)]
    assert [(one.server, one.object, one.data) for one in begins] == [
        (one.server, one.object, one.data) for one in states
    ]
    assert any(one.object == "R" for one in ended)
    for one in ended:
        passage = own.passing(State(*one))
        assert passage is not None
        assert (passage.out, tuple(passage.inside)) == (None, ())
    keys = [own.loop_key(one) for one in states]
    assert all(keys.count(own.loop_key(State(*one))) == 1 for one in ended)


def test_messages_do_pass(tmp_path: Path) -> None:
    estates = [estate_of(drawn_tree(number), tmp_path / str(number)) for number in range(20)]
    passed = [
        state
        for estate in estates
        if estate is not None
        for state in _states(estate.systems["ibm_mq"])
        if _is_as_stepped(estate, state)
    ]
    assert len(passed) > 300


@pytest.mark.parametrize("number", range(40))
def test_members_of_a_cluster_know_each_other_alike(number: int, tmp_path: Path) -> None:
    files = DrawnManagers(number).files if number % 2 else drawn_tree(number)
    estate = estate_of(files, tmp_path / "estate")
    if estate is None:
        return

    def looked_up() -> Lookup:
        network = MqNetwork(estate.sources["ibm_mq"], estate.side_inputs)
        return Lookup(network, Clusters(network), Channels(network))

    def told(found: Callable[[], Sequence[object]]) -> object:
        try:
            return list(found())
        except PutRefused as refused:
            return refused.why
        except NotShownHere as unknown:
            return unknown.not_shown

    shared, managers = looked_up(), looked_up().network.managers
    for server in managers:
        for name in (*shared.clusters.members(server), *shared.clusters.aliases(server)):
            to = MqPosition(server, OPEN, ANY_QUEUE, name)
            if told(partial(_named, shared, to)) == [None]:
                alone = told(partial(_opened, looked_up(), to))
                assert told(partial(entries._to_member, shared, server, name)) == alone


def _named(estate: Lookup, at: MqPosition) -> Sequence[object]:
    return [estate.network.queue(at.server, at.queue_manager)]


def _opened(estate: Lookup, at: MqPosition) -> Sequence[Way]:
    return opened(estate, at).ways


def _states(own: Stepping) -> Iterator[State]:
    """The states in which messages begin, what they get to, and other names over the same
    channels."""
    waiting, seen = list(own.entries()), set[State]()
    loaded = {one.name for one in own.servers if one.loaded}
    while waiting and len(seen) < 200:
        state = waiting.pop()
        if state in seen or state.server not in loaded:
            continue
        seen.add(state)
        yield state
        waiting += [way.to for way in own.step(state).ways if isinstance(way.to, State)]
        at = position(state)
        if at.phase != ARRIVE or at.arrival is None:
            continue
        for name, manager in (("APP", "X"), (ANY_QUEUE, "NOBODY"), ("OUT", at.server), ("Q", "B")):
            came = ChannelArrival(at.arrival.channel, at.arrival.sender, "", name, manager)
            yield MqPosition(at.server, ARRIVE, name, manager, arrival=came).state()
            yield MqPosition(at.server, OPEN, name, manager, arrival=came).state()
            yield MqPosition(at.server, OPEN, name, manager).state()


def _is_as_stepped(estate: SteppingEstate, state: State) -> bool:
    """Whether a message only passes; then it takes the steps that each state has by itself."""
    own = estate.systems["ibm_mq"]
    assert own.passing is not None
    passage = own.passing(state)
    if passage is None:
        return False
    inside: list[Way] = []
    keys = []
    while True:
        (way,) = own.step(state).ways
        assert (way.kind, way.guard, way.position) == (Kind.COPY, None, None)
        if isinstance(way.to, Ending):
            assert passage.out is None
            break
        assert isinstance(way.to, State)
        here, state = state.server, way.to
        if state.server != here:
            assert passage.out is not None
            assert replace(passage.out, to=state) == way
            assert (passage.server, passage.key()) == (state.server, own.loop_key(state))
            assert passage.state() == state
            break
        inside.append(way)
        keys.append(own.loop_key(state))
    texts = StepTexts()
    told = [ToldStep(way, passage.named).text(texts) for way in passage.inside]
    assert told == [ToldStep(way).text(texts) for way in inside]
    assert list(passage.between()) == keys
    return True


@pytest.mark.parametrize("number", range(30))
def test_checks_find_what_they_find_where_every_message_is_stepped(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    estate = estate_of(drawn_tree(number), tmp_path / "estate")
    assert estate is not None
    source, side_inputs = estate.sources["ibm_mq"], estate.side_inputs

    def findings() -> list[object]:
        network = MqNetwork(source, side_inputs)
        known = Lookup(network, Clusters(network), Channels(network))
        circulating = messages_circulate.messages_circulate.find(known)
        return [*circulating, *every_message_dead_lettered.find(known)]

    found = findings()
    monkeypatch.setattr(passing, "passing_from", lambda *_: None)
    monkeypatch.setattr(messages_circulate, "passing_from", lambda *_: None)
    monkeypatch.setattr(messages_circulate, "_any_comes_back", lambda *_: True)
    assert found == findings()


PART = "AMQ8409I: Display Queue details.\n   QUEUE(ALI)   TYPE(QALIAS)\n"
"""An alias of which no target is shown."""


@pytest.mark.parametrize("more", ["", PART], ids=["a script", "an alias shown in part"])
def test_a_blank_name_matters_where_it_does_for_those_that_may_be_in_clusters(
    more: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "* Queue manager name: A\nDEFINE QLOCAL(Q)\nDEFINE QALIAS(B) TARGET(Q)\n"
    estate = estate_of({"A.mqsc": f"{script}{more}"}, tmp_path / "estate")
    assert estate is not None
    entered = [state.data for state in estate.systems["ibm_mq"].entries()]
    monkeypatch.setattr(lookup, "stands_alone", lambda *_: False)
    other = SteppingEstate(estate.sources, estate.side_inputs)
    assert entered == [state.data for state in other.systems["ibm_mq"].entries()]
    assert any("blank" in one for one in entered) == bool(more)
