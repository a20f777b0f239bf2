"""One network of queue managers, as ``tracing.states.Stepping``."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from topograph.assumptions import Assumption
from topograph.errors import UsageError
from topograph.findings import Finding
from topograph.forwarding.graph import Server
from topograph.message import Message
from topograph.outcomes import Confidence, Outcome
from topograph.side_inputs import SideInputs
from topograph.systems.contract.system import FactSource, Row
from topograph.systems.coverage import NotShown, NotShownHere
from topograph.systems.ibm_mq.objects.attributes import NOUNS, place, value
from topograph.systems.ibm_mq.objects.channels import SENDING, Channels
from topograph.systems.ibm_mq.objects.clusters import Clusters
from topograph.systems.ibm_mq.objects.names import is_default
from topograph.systems.ibm_mq.objects.private import touched_by
from topograph.systems.ibm_mq.objects.queue_managers import Manager, MqNetwork, parts
from topograph.systems.ibm_mq.routing import (
    any_queue,
    arrival,
    entries,
    links,
)
from topograph.systems.ibm_mq.routing.lookup import Lookup, needs_blank
from topograph.systems.ibm_mq.routing.onward import is_untouched, onward
from topograph.systems.ibm_mq.routing.outages import asking
from topograph.systems.ibm_mq.routing.passing import beginning, fans_alike, passing
from topograph.systems.ibm_mq.routing.positions import (
    ARRIVE,
    OPEN,
    PUBLISH,
    PUT,
    ChannelArrival,
    MqPosition,
    position,
)
from topograph.systems.ibm_mq.routing.stations import station
from topograph.systems.ibm_mq.routing.ways import PutRefused, evaluate, one_way
from topograph.tracing.states import (
    Component,
    Loops,
    OnLoop,
    Outage,
    Standing,
    State,
    Stepping,
    Transition,
)
from topograph.tracing.trace import Note
from topograph.words.did_you_mean import did_you_mean

NOTES = (Note("authority", "authority not evaluated"),)
NOT_DETECTED = Assumption(
    "C-7", "M", "the loop follows from the definitions; no queue manager notices it or ends it"
)


WHERE_IT_ENDS = (
    Outcome.DELIVERED,
    Outcome.DISCARDED,
    Outcome.DLQ,
    Outcome.REJECTED,
    Outcome.UNDETERMINED,
)
"""Not HELD: a message that a channel cannot put stays at the queue manager that sends it (M-13)."""

_LEADING_ON = (
    (NOUNS, "queues"),
    (SENDING, "channels"),
    (("CLUSRCVR",), "cluster-receiver channels"),
)
"""Classes of objects over which messages leave a queue manager."""


def load(source: FactSource, side_inputs: SideInputs) -> Stepping:
    """The queue managers of one network. Reads one fact of each; the rest when it is asked for."""
    return stepping_of(MqNetwork(source, side_inputs))


def stepping_of(network: MqNetwork, servers: Sequence[Server] | None = None) -> Stepping:
    """The same of objects, also while something is out of order; ``servers`` where they are known,
    as an outage changes nothing about them."""
    rules = MqRules(Lookup(network, Clusters(network), Channels(network)))
    step = lru_cache(maxsize=1 << 14)(rules.step)
    known = rules.servers() if servers is None else servers
    return Stepping(
        servers=known,
        entries=partial(entries.entries, rules.estate),
        entries_at=lambda servers: entries.entries(rules.estate, only=servers),
        begins=partial(entries.begins, rules.estate),
        standing=Standing(
            any_queue.stands_for_any,
            partial(any_queue.looked_up, rules.estate),
            partial(any_queue.leaving, rules.estate),
            any_queue.sent_to,
            any_queue.sent_beyond,
            partial(any_queue.alike, rules.estate),
            partial(any_queue.begun, rules.estate),
        ),
        address=entries.address,
        enter=rules.enter,
        step=step,
        evaluate=evaluate,
        passing=partial(passing, rules.estate),
        beginning=partial(beginning, rules.estate),
        alike=partial(fans_alike, rules.estate),
        loop_key=_key,
        on_loop=OnLoop(Loops.STATIC, rule="M-15", confidence=Confidence.M, position=NOT_DETECTED),
        beyond=Outcome.EXTERNAL,
        told_where_it_ends=WHERE_IT_ENDS,
        named=partial(entries.named_servers, rules.estate),
        notes=NOTES,
        checks=tuple(rules.checks()),
        show=rules.show,
        joined=rules.estate.clusters.joined,
        components=rules.components,
        without=partial(_without, rules.estate, known, step),
        asking=asking(rules.estate),
        takes=partial(links.entered, rules.estate),
        reply=rules.reply,
        station=partial(station, rules.estate),
        touched_by=partial(touched_by, network),
    )


def _without(
    estate: Lookup,
    servers: Sequence[Server],
    intact: Callable[[State], Transition],
    outage: Outage,
) -> Stepping:
    """The same while something is out of order: positions whose ways do not depend on it keep those
    that they have while nothing is."""
    found, out = stepping_of(estate.network.without(outage), servers), parts(outage)
    if estate.network.outage:
        return found

    def as_before(state: State) -> bool:
        at = position(state)
        return at.phase != PUT and is_untouched(estate, at, out)

    def step(state: State) -> Transition:
        return intact(state) if as_before(state) else found.step(state)

    return replace(found, step=lru_cache(maxsize=1 << 14)(step), as_before=as_before)


def _key(state: State) -> Hashable:
    return position(state).key


class MqRules:
    """What the queue managers of a network do with messages."""

    def __init__(self, estate: Lookup) -> None:
        self.estate = estate

    def servers(self) -> list[Server]:
        """The loaded queue managers, by name. One whose queues no file shows may lead anywhere,
        and so may one with a channel to a member of its clusters that is not loaded (C-6).
        """
        return [
            self._server(name, manager) for name, manager in self.estate.network.managers.items()
        ]

    def _server(self, name: str, manager: Manager) -> Server:
        if (unknown := self._leads_on(name, manager)) is not None:
            return Server(name, "ibm_mq", True, manager.source, unknown.text, open_ended=True)
        absent = tuple(self.estate.clusters.absent_at_channels(name))
        told = (*manager.unread, *(f"{one} is not loaded" for one in absent))
        return Server(
            name, "ibm_mq", True, manager.source, "; ".join(told), open_ended=bool(absent)
        )

    def _leads_on(self, name: str, manager: Manager) -> NotShown | None:
        """Why a queue manager may lead to more than is shown; None where it does not. Linear in its
        queues and channels, and in the queue managers of which output is loaded."""
        network = self.estate.network
        if name in network.partly_shown:
            for classes, what in _LEADING_ON:
                if isinstance(found := network.missing(name, classes, "", what), NotShown):
                    return found
            for one in (*network.queues.of(name), *network.channels.of(name)):
                if one.partial:
                    text = f"the output shows {one.label} of {name} in part"
                    return NotShown(text, one.source)
            if (unended := network.coverages(name).unended) is not None:
                return unended
            if isinstance(default := manager.valued("DEFXMITQ"), NotShown):
                return default
        if self.estate.clusters.receivers(name):
            for other in network.partly_shown:
                if other != name and (unsure := self.estate.clusters.membership(other)):
                    return unsure
        return None

    def enter(self, server: str, message: Message) -> State:
        """Where a message begins: put by an application, or come in over a channel. A name that
        no queue has is refused on the way, as the product does. Raises UsageError for a channel
        that does not exist, and for options that do not go together."""
        named = message.destination
        if message.arrives_over:
            return self._arriving(server, message)
        if message.header:
            raise UsageError(
                "--header says with what a message comes in over a channel: give "
                "--arrives-over CHANNEL as well."
            )
        if named.type == "topic":
            return MqPosition(server, PUBLISH, named.name).state()
        if named.at and message.queue_manager not in (None, named.at):
            raise UsageError(
                f"{named} and --queue-manager {message.queue_manager!r} name two queue managers."
            )
        manager = named.at or (message.queue_manager or "").strip()
        blank = not manager and needs_blank(self.estate, server, named.name)
        reply = (message.reply_to, message.reply_to_queue_manager) if message.reply_to else ()
        phase = PUT if reply else OPEN
        return MqPosition(
            server, phase, named.name, manager or server, blank=blank, reply=reply
        ).state()

    def _arriving(self, server: str, message: Message) -> State:
        channel = message.arrives_over
        if arrival.receiving(self.estate, server, channel) is None:
            known = [one.name for one in self.estate.network.channels.of(server)]
            raise UsageError(
                f"{server} has no receiving channel {channel!r}.{did_you_mean(channel, known)}"
            )
        name, _, manager = message.header.rpartition("@")
        if message.header and not (name and manager):
            raise UsageError(f"--header takes QUEUE@QMGR, not {message.header!r}.")
        if not message.header:
            name, manager = (
                message.destination.name,
                message.destination.at or message.queue_manager or server,
            )
        sender, queue = arrival.sender_of(self.estate, server, channel)
        came = ChannelArrival(channel, sender, queue, name, manager)
        reply = (
            (message.reply_to, message.reply_to_queue_manager or sender) if message.reply_to else ()
        )
        return MqPosition(server, ARRIVE, name, manager, reply=reply, arrival=came).state()

    def reply(self, state: State, message: Message) -> State | None:  # noqa: ARG002
        """A message that was taken says where replies go (M-10): the program that took it puts
        the reply there, at its own queue manager.
        """
        at = position(state)
        if not at.reply:
            return None
        queue, manager = at.reply
        return MqPosition(at.server, OPEN, queue, manager or at.server).state()

    def step(self, state: State) -> Transition:
        """All ways of a message."""
        at = position(state)
        left_out = self.estate.network.left_out(at.server)
        found = self._ways(at)
        return replace(found, assumptions=(*found.assumptions, *left_out)) if left_out else found

    def _ways(self, at: MqPosition) -> Transition:
        try:
            return self._shown_ways(at)
        except NotShownHere as unknown:
            return arrival.not_shown(at, unknown.not_shown)

    def _shown_ways(self, at: MqPosition) -> Transition:
        """The ways as far as the loaded files show what decides. Raises NotShownHere."""
        try:
            if entries.is_symbolic(at):
                return replace(onward(self.estate, at), symbolic=True)
            return self._put(at) if at.phase == PUT else onward(self.estate, at)
        except PutRefused as refused:
            return arrival.refused(self.estate, at, refused)

    def _put(self, at: MqPosition) -> Transition:
        """M-10: the reply-to fields of a message that is put."""
        queue, manager = at.reply
        found = self.estate.network.queue(at.server, queue)
        source = self.estate.network.managers[at.server].source
        if not manager and found is not None and found.noun == "QREMOTE" and value(found, "RNAME"):
            reply = (value(found, "RNAME"), value(found, "RQMNAME") or at.server)
            text, source = f"{queue} is an alias of the reply-to queue", place(found, "RNAME")
        else:
            reply = (queue, manager or at.server)
            text = (
                f"{queue} is not an alias of a reply-to queue"
                if not manager
                else "the sender names the queue manager"
            )
        to = at.goes(phase=OPEN, reply=reply)
        assumptions = self.estate.network.doubts(found)
        return one_way(
            to,
            f"{text}: replies go to {reply[0]}@{reply[1]}",
            "M-10",
            source,
            assumptions=assumptions,
        )

    def checks(self) -> Iterator[partial[Iterable[Finding]]]:
        """The lint rules."""
        from topograph.systems.ibm_mq.checks import checks

        for check in checks():
            yield partial(check, self.estate)

    def components(self) -> list[Component]:
        """What may fail beside queue managers: channels that send, cluster-receiver channels
        (for all who send over them), listeners; none of the objects that new ones are made like.
        Reads all of them.
        """
        network = self.estate.network
        found = [
            Component("channel", one.name, one.server, "ibm_mq", one.source)
            for one in network.channels.all()
            if one.channel_type in (*SENDING, "CLUSRCVR") and not is_default(one.name)
        ]
        found += [
            Component("listener", one.name, one.server, "ibm_mq", one.source)
            for one in network.listeners.all()
        ]
        return list({(one.kind, one.server, one.name): one for one in reversed(found)}.values())[
            ::-1
        ]

    def show(self, what: str) -> Iterator[Row] | None:
        """Rows of ``show WHAT``."""
        from topograph.systems.ibm_mq.show import rows

        return rows(self.estate, what)
