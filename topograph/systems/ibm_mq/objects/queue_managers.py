"""The objects of the queue managers of a network, with the defaults of the product (ibm_mq.md C1),
read when they are asked for.

Of a network of a thousand queue managers, a message concerns a few: facts are read by server and by
name, and all together only once many were asked for (when the graph is made).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property

from topograph.assumptions import Assumption
from topograph.facts.ibm_mq import (
    Channel,
    ChannelRule,
    ChannelStatus,
    ClusterQueue,
    ClusterQueueManager,
    Described,
    Listener,
    Namelist,
    OtherStatus,
    Queue,
    QueueManager,
    QueueStatus,
    Shown,
    Subscription,
    Topic,
)
from topograph.facts.ibm_mq_names import CLUSTER_TRANSMIT_QUEUE
from topograph.facts.ibm_mq_templates import is_template
from topograph.facts.shown import EVERY
from topograph.findings import Source
from topograph.records import record
from topograph.side_inputs import SideInputs
from topograph.systems.contract.ambiguities import Readings
from topograph.systems.contract.system import FactSource
from topograph.systems.coverage import (
    Absent,
    AssumedAbsent,
    Coverages,
    Default,
    Found,
    Missing,
    NotShown,
    NotShownHere,
    Sought,
    Stated,
    Valued,
)
from topograph.systems.ibm_mq.ambiguities import C9, C10, C11
from topograph.systems.ibm_mq.objects.attributes import NOUNS, as_shown, labels, place, value
from topograph.systems.ibm_mq.objects.fact_maps import Facts
from topograph.systems.ibm_mq.objects.united import effect, united
from topograph.tracing.states import Outage

_CLUSTER_TRANSMIT = "SYSTEM.CLUSTER.TRANSMIT."

DEFAULT_OBJECTS: Mapping[str, tuple[str, str]] = {
    CLUSTER_TRANSMIT_QUEUE: ("QLOCAL", "XMITQ"),
    "SYSTEM.ADMIN.CHANNEL.EVENT": ("QLOCAL", "NORMAL"),
    "SYSTEM.ADMIN.COMMAND.QUEUE": ("QLOCAL", "NORMAL"),
    "SYSTEM.ADMIN.PERFM.EVENT": ("QLOCAL", "NORMAL"),
    "SYSTEM.ADMIN.QMGR.EVENT": ("QLOCAL", "NORMAL"),
    "SYSTEM.ADMIN.TRACE.ROUTE.QUEUE": ("QLOCAL", "NORMAL"),
    "SYSTEM.CHANNEL.INITQ": ("QLOCAL", "NORMAL"),
    "SYSTEM.DEAD.LETTER.QUEUE": ("QLOCAL", "NORMAL"),
    "SYSTEM.DEFAULT.INITIATION.QUEUE": ("QLOCAL", "NORMAL"),
    "SYSTEM.DEFAULT.LOCAL.QUEUE": ("QLOCAL", "NORMAL"),
    "SYSTEM.DEFAULT.MODEL.QUEUE": ("QMODEL", "NORMAL"),
}
"""Queues that every new queue manager has, and most files do not show: noun and USAGE (C-11)."""


@record(slots=False)
class Manager:
    """One loaded queue manager: what several files say of it, the first that says something
    counting.
    """

    name: str
    facts: tuple[QueueManager, ...]
    readings: Readings = Readings()
    unshown: NotShown | None = None
    """Why what no file states of it is not known; None where that is its default."""

    @property
    def source(self) -> Source:
        return self.facts[0].source

    @property
    def dump(self) -> bool:
        """Whether all attributes of the queue manager are shown."""
        return any(fact.dump for fact in self.facts)

    @property
    def unread(self) -> tuple[str, ...]:
        """What could not be read, in sentences."""
        return tuple(dict.fromkeys(text for fact in self.facts for text in fact.unread))

    def stating(self, name: str) -> QueueManager | None:
        """The fact that sets an attribute."""
        return self._setting.get(name)

    @cached_property
    def _setting(self) -> Mapping[str, QueueManager]:
        """By attribute, the first fact that sets it."""
        return {one.name: fact for fact in reversed(self.facts) for one in fact.attributes}

    def get(self, name: str, default: str = "") -> str:
        """An attribute, or its default. Raises NotShownHere."""
        match self.valued(name, default):
            case Stated(value=text) | Default(value=text):
                return text
            case NotShown() as unknown:
                raise NotShownHere(unknown)

    def valued(self, name: str, default: str = "") -> Valued:
        """What is known of an attribute."""
        fact = self.stating(name)
        if fact is not None:
            return Stated(fact.get(name, default))
        where = next((one.source for one in self.facts if one.partial), None)
        if self.unshown is not None and not self.dump:
            where = self.unshown.source
        if where is not None:
            return NotShown(f"no loaded file shows {name} of {self.name}", where)
        return Default(default)

    def stated(self, name: str) -> str:
        """An attribute as far as a file states it. Nothing is concluded from an empty one."""
        fact = self.stating(name)
        return fact.get(name) if fact else ""

    def place(self, name: str) -> Source:
        """Where an attribute stands, else where the queue manager does."""
        fact = self.stating(name)
        return place(fact, name) if fact else self.source

    def is_shown(self, name: str) -> bool:
        """Whether a file sets an attribute, or shows that it is blank."""
        return self.dump or self.stating(name) is not None

    def unsure(self, name: str) -> Iterator[Assumption]:
        """What is not certain of an attribute: that the command was taken which sets it."""
        fact = self.stating(name)
        if fact is None:
            return
        text = f"{name} of {self.name} is as {place(fact, name)} sets it"
        otherwise = f"the command was refused, and {name} is as it was before"
        if fact.unknown:
            known = f"{text}, although no version knows {', '.join(fact.unknown)}"
            yield Assumption("C-10", "L", known, otherwise)
        if fact.doubt:
            yield Assumption("C4", "L", text, f"{otherwise}: {fact.doubt}")

    def blank(self, name: str, meaning: str, otherwise: str) -> Iterator[Assumption]:
        """That an attribute is blank which no file sets and no dump shows is an assumption
        (C-11).
        """
        if not self.is_shown(name):
            text = f"{name} of {self.name} is blank: {meaning}"
            other = f"it is set where no loaded file shows it: {otherwise}"
            yield self.readings.said(C11, {"blank": text, "not_known": other})

    def not_known(self, name: str) -> str:
        """Why it is not known what an attribute is, where topograph.yaml says that no file shows
        it; empty where it is known (C-11).
        """
        if self.is_shown(name) or self.readings.takes(C11, "blank"):
            return ""
        return (
            f"no loaded file shows {name} of {self.name}, as "
            f"{self.readings.stated[C11.position].source} says"
        )


Part = tuple[str, str, str]
"""What may be out of order: a channel, a listener of a queue manager, a queue manager, or what is
between two."""


def parts(outage: Outage) -> set[Part]:
    """What an outage answers otherwise (``MqNetwork.asked``). Linear in the outage."""
    found: set[Part] = {("server", one, "") for one in outage.servers}
    found |= {("link", min(ends), max(ends)) for ends in outage.links}
    return found | {
        (one.kind, one.server, one.name if one.kind == "channel" else "")
        for one in outage.components
    }


@record(slots=False)
class StoppedChannel:
    """A channel that does not run: where that is said, and what it rests on."""

    source: Source
    assumptions: tuple[Assumption, ...] = ()


class MqNetwork:
    """The queue managers of one network and their objects."""

    def __init__(self, source: FactSource, side_inputs: SideInputs) -> None:
        self.source, self.side_inputs = source, side_inputs
        self.readings = Readings.of(side_inputs, "ibm_mq")
        self.outage = Outage()
        self.asked: set[Part] = set()
        """What of an outage was asked about, since somebody last began to note it."""
        self.queues = Facts(source, Queue, self.readings)
        self.channels = Facts(source, Channel, self.readings)
        self.listeners = Facts(source, Listener, self.readings)
        self.namelists = Facts(source, Namelist, self.readings)
        self.topics = Facts(source, Topic, self.readings)
        self.subscriptions = Facts(source, Subscription, self.readings)
        self.channel_status = Facts(source, ChannelStatus, self.readings)
        self.queue_status = Facts(source, QueueStatus, self.readings)
        self.other_status = Facts(source, OtherStatus, self.readings)
        self.channel_rules = Facts(source, ChannelRule, self.readings)
        self.cluster_managers = Facts(source, ClusterQueueManager, self.readings)
        self.cluster_queues = Facts(source, ClusterQueue, self.readings)
        self.transmitting: dict[tuple[str, str], Queue] = {}
        """Transmission queues that were looked at and take messages."""
        self._defaults: dict[tuple[str, str], Queue] = {}
        self._deleted: dict[tuple[str, str], bool] = {}
        self._claiming: dict[str, list[tuple[str, Queue]]] = {}
        self._by_name: dict[str, dict[str, list[Queue]]] = {}
        self._left_out: dict[str, tuple[Assumption, ...]] = {}
        self._coverages: dict[str, Coverages] = {}
        self._of_any_name: dict[str, Queue | None] = {}

    @cached_property
    def managers(self) -> Mapping[str, Manager]:
        """The loaded queue managers, by name: one fact of each is read."""
        found: dict[str, list[QueueManager]] = {}
        for fact in self.source.facts((QueueManager.kind,)):
            if isinstance(fact, QueueManager):
                found.setdefault(fact.server, []).append(fact)
        return {
            name: Manager(name, tuple(facts), self.readings, self._unshown(name, facts))
            for name, facts in sorted(found.items())
        }

    @cached_property
    def _statements(self) -> Mapping[str, tuple[Shown, ...]]:
        """What output says of how much it shows, by queue manager."""
        found: dict[str, list[Shown]] = {}
        for fact in self.source.facts((Shown.kind,)):
            if isinstance(fact, Shown):
                found.setdefault(fact.server, []).append(fact)
        return {server: tuple(facts) for server, facts in found.items()}

    def _coverages_of(self, server: str, facts: Sequence[QueueManager]) -> Coverages:
        if server not in self._coverages:
            statements = self._statements.get(server, ())
            shown_in = {one.bundle for one in statements}
            scripted = any(one.bundle not in shown_in for one in facts)
            self._coverages[server] = Coverages(server, statements, scripted, facts[0].source, "C4")
        return self._coverages[server]

    def _unshown(self, server: str, facts: Sequence[QueueManager]) -> NotShown | None:
        """Why attributes that no file states of a queue manager are not known."""
        coverages = self._coverages_of(server, facts)
        if coverages.scripted:
            return None
        of_all = [one for one in coverages.statements if EVERY in one.attributes]
        all_shown = Coverages(server, tuple(of_all), False, facts[0].source, "C4")
        found = all_shown.missing(("QMGR",), "", "attributes")
        return found if isinstance(found, NotShown) else None

    def objects_named(self, server: str, name: str) -> Sequence[Queue]:
        """The queue objects of one name: more than one where several files define it (C-9)."""
        if server not in self._by_name:
            by_name: dict[str, list[Queue]] = {}
            for fact in self.queues.of(server):
                by_name.setdefault(fact.name, []).append(fact)
            self._by_name[server] = {each: united(all_) for each, all_ in by_name.items()}
        return self._by_name[server].get(name, ())

    def find(self, server: str, name: str) -> Sought[Queue]:
        """The queue object of a name, of whatever type; all types share one name space. A SYSTEM
        queue that every queue manager has is there although no file shows it: its ``doubt`` says
        so."""
        chosen = self._defined(server, name)
        return Found(chosen) if chosen is not None else self._not_defined(server, name)

    def _not_defined(self, server: str, name: str) -> Sought[Queue]:
        """``find`` of a name that no file defines or alters."""
        if name in DEFAULT_OBJECTS or self._is_cluster_queue_of_a_channel(server, name):
            if not self._is_deleted(server, name):
                return Found(self._default_object(server, name))
            return Absent()
        missing = self.missing(server, NOUNS, name, f"queue {name}")
        if isinstance(missing, NotShown) and self._is_deleted(server, name):
            return Absent()
        return missing

    def _defined(self, server: str, name: str) -> Queue | None:
        """The queue object of a name that a file defines or alters; of several the one that is
        used (C-9)."""
        found = self.objects_named(server, name)
        if found:
            used = found[-1 if len(found) > 1 and self.readings.takes(C9, "last") else 0]
            return self._altered_default(server, used) if used.verb == "ALTER" else used
        return None

    def queue(self, server: str, name: str) -> Queue | None:
        """What ``find`` finds; None of what is absent or assumed to be. Raises NotShownHere."""
        chosen = self._defined(server, name)
        if chosen is not None:
            return chosen
        match self._not_defined(server, name):
            case Found(object=queue):
                return queue
            case Absent() | AssumedAbsent():
                return None
            case NotShown() as unknown:
                raise NotShownHere(unknown)

    def missing(self, server: str, classes: Sequence[str], name: str, what: str) -> Missing:
        """What is known of an object of some classes that no loaded file shows; of an empty name,
        of all others that are not shown."""
        if server not in self.managers:
            return Absent()
        return self.coverages(server).missing(classes, name, what)

    def absent(
        self, server: str, classes: Sequence[str], name: str, what: str
    ) -> tuple[Assumption, ...]:
        """What it rests on that what ``missing`` looks for is not there. Raises NotShownHere."""
        match self.missing(server, classes, name, what):
            case Absent():
                return ()
            case AssumedAbsent(assumptions=found):
                return found
            case NotShown() as unknown:
                raise NotShownHere(unknown)

    def queue_of_any_name(self, server: str) -> Queue | None:
        """The first queue whose name is text of a template: what it becomes may have any name."""
        if server not in self._of_any_name:
            own = (one for one in self.queues.of(server) if one.template)
            self._of_any_name[server] = next((one for one in own if is_template(one.name)), None)
        return self._of_any_name[server]

    def coverages(self, server: str) -> Coverages:
        """How much of the objects of a loaded queue manager is shown."""
        return self._coverages_of(server, self.managers[server].facts)

    @cached_property
    def partly_shown(self) -> Sequence[str]:
        """The loaded queue managers of which output is loaded, by name: of all others everything
        is known that their scripts make."""
        return sorted(self._statements.keys() & self.managers.keys())

    def _altered_default(self, server: str, altered: Queue) -> Queue:
        """A queue that a file alters and does not define: what it does not alter is as the
        product makes it.
        """
        known = altered.name in DEFAULT_OBJECTS or self._is_cluster_queue_of_a_channel(
            server, altered.name
        )
        if not known or altered.states("USAGE"):
            return altered
        return replace(
            altered,
            attributes=(
                *self._default_object(server, altered.name).attributes,
                *altered.attributes,
            ),
        )

    def _is_deleted(self, server: str, name: str) -> bool:
        """Whether a file deletes a queue that every new queue manager has."""
        if (server, name) not in self._deleted:
            facts = self.source.facts((Queue.kind,), server, labels(name))
            self._deleted[server, name] = any(
                isinstance(one, Queue) and one.verb == "DELETE" for one in facts
            )
        return self._deleted[server, name]

    def _is_cluster_queue_of_a_channel(self, server: str, name: str) -> bool:
        """Whether DEFCLXQ(CHANNEL) makes a transmission queue of that name (M-26)."""
        return (
            name.startswith(_CLUSTER_TRANSMIT)
            and self.managers[server].get("DEFCLXQ").upper() == "CHANNEL"
        )

    def _default_object(self, server: str, name: str) -> Queue:
        from topograph.facts.ibm_mq import Attribute

        if (server, name) in self._defaults:
            return self._defaults[server, name]
        noun, usage = DEFAULT_OBJECTS.get(name, ("QLOCAL", "XMITQ"))
        manager = self.managers[server]
        doubt = "no loaded file shows it; every new queue manager has it"
        found = self._defaults[server, name] = Queue(
            bundle=manager.facts[0].bundle,
            server=server,
            source=manager.source,
            name=name,
            noun=noun,
            attributes=(Attribute("USAGE", usage),),
            doubt=doubt,
        )
        return found

    def claiming(self, server: str) -> Sequence[tuple[str, Queue]]:
        """The local queues of a queue manager that take cluster-sender channels, each with the
        channels' name or pattern (CLCHNAME).
        """
        if server not in self._claiming:
            self._claiming[server] = [
                (pattern, queue)
                for queue in self.queues.of(server)
                if queue.noun == "QLOCAL" and (pattern := as_shown(queue, "CLCHNAME"))
            ]
        return self._claiming[server]

    def clusters(self, described: Described) -> tuple[str, ...]:
        """The clusters that CLUSTER and CLUSNL name."""
        named, namelist = value(described, "CLUSTER"), value(described, "CLUSNL")
        return self._named(described.server, named, namelist)

    def repositories(self, server: str) -> tuple[str, ...]:
        """The clusters of which a queue manager holds a full repository: those that REPOS and
        REPOSNL name. Raises NotShownHere."""
        manager = self.managers[server]
        return self._named(server, manager.get("REPOS"), manager.get("REPOSNL"))

    def _named(self, server: str, name: str, namelist: str) -> tuple[str, ...]:
        """A name, and those of a namelist; what is blank is left out."""
        found = [name]
        if namelist:
            lists = [one for one in self.namelists.of(server) if one.name == namelist]
            if not lists:
                self.absent(server, ("NAMELIST",), namelist, f"namelist {namelist}")
            for one in lists:
                names = one.attribute("NAMES")
                found += names.items if names else ()
        return tuple(dict.fromkeys(one for one in found if one))

    def channel(self, server: str, name: str, types: Iterable[str]) -> Channel | None:
        """The channel of a name with one of some types."""
        among = tuple(types)
        return next(
            (
                one
                for one in self.channels.of(server)
                if one.name == name and one.channel_type in among
            ),
            None,
        )

    def stopped(self, server: str, channel: str) -> StoppedChannel | None:
        """Why a channel does not run: it is out of order, or all its observed states say that it
        is stopped.
        """
        self.asked.add(("channel", server, channel))
        for one in self.outage.components:
            if (one.kind, one.server, one.name) == ("channel", server, channel):
                return StoppedChannel(one.source)
        found = [one for one in self.channel_status.of(server) if one.name == channel]
        states = [one.get("STATUS").upper() for one in found]
        if not found or any(state != "STOPPED" for state in states):
            return None
        text = f"channels are as they were observed ({found[0].source})"
        return StoppedChannel(
            found[0].source, (Assumption("M-11", "M", text, "they were started or stopped since"),)
        )

    def waiting(self, server: str, channel: str) -> tuple[Assumption, ...]:
        """That a channel gets its connection which was seen trying and not running (M-11); empty
        for all others.
        """
        found = [one for one in self.channel_status.of(server) if one.name == channel]
        states = {one.get("STATUS").upper() for one in found}
        if not states or states - {"RETRYING", "BINDING", "STARTING", "INITIALIZING", "REQUESTING"}:
            return ()
        text = (
            f"channel {channel} of {server}, which was {found[0].get('STATUS').lower()} when "
            f"it was observed ({found[0].source}), gets its connection"
        )
        return (Assumption("M-11", "M", text, "messages wait on its transmission queue"),)

    def stopped_listeners(self, server: str) -> set[str]:
        """The listeners of a queue manager that are known to be stopped."""
        found = self.other_status.of(server)
        return {
            one.name
            for one in found
            if one.noun == "LSSTATUS" and one.get("STATUS").upper() == "STOPPED"
        }

    def cut_off(self, server: str, other: str) -> bool:
        """Whether a queue manager, or what is between two, is out of order."""
        link = "link", min(server, other), max(server, other)
        self.asked |= {("server", other, ""), link}
        return other in self.outage.servers or frozenset((server, other)) in self.outage.links

    def stopped_by_outage(self, server: str) -> set[str]:
        """The listeners of a queue manager that are out of order."""
        self.asked.add(("listener", server, ""))
        return {
            one.name
            for one in self.outage.components
            if (one.kind, one.server) == ("listener", server)
        }

    def without(self, outage: Outage) -> MqNetwork:
        """The same while something is out of order. Shares what was read."""
        found = copy(self)
        found.outage, found.asked = outage, set()
        return found

    def doubts(self, *used: Described | None) -> Iterator[Assumption]:
        """What is not certain of objects that an answer rests on (C-9, C-10, C-11)."""
        for one in used:
            if one is None:
                continue
            others: Sequence[Described] = ()
            if isinstance(one, Queue):
                same = self.objects_named(one.server, one.name)
                if same and (len(same) > 1 or same[0] is not one):
                    others = [each for each in same if effect(each) != effect(one)]
            elif isinstance(one, Channel):
                others = self.channels.others(one)
            for other in others:
                text = f"{one.name} of {one.server} is as {one.source} defines it"
                otherwise = f"it is as {other.source} defines it"
                last = self.readings.takes(C9, "last")
                yield self.readings.said(
                    C9, {"first": otherwise if last else text, "last": text if last else otherwise}
                )
            if one.unknown:
                text = (
                    f"{one.label} of {one.server} exists, although no version knows "
                    f"{', '.join(one.unknown)}"
                )
                otherwise = "the command was refused and the object does not exist"
                yield self.readings.said(C10, {"exists": text, "refused": otherwise})
            if one.like:
                yield self._like(one)
            if one.doubt:
                default = isinstance(one, Queue) and one.name in DEFAULT_OBJECTS and not others
                if default:
                    text = f"{one.label} of {one.server} is as the product makes it: {one.doubt}"
                    yield Assumption("C-11", "L", text, "it was altered or deleted")
                    continue
                rule = "C-11" if one.name.startswith("SYSTEM.") else "C-9"
                yield Assumption(
                    rule, "L", f"{one.label} of {one.server} is as it is read here", one.doubt
                )

    def _like(self, made: Described) -> Assumption:
        """What an object rests on that is made like one which its file does not define."""
        text = (
            f"{made.label} of {made.server} has what its own command sets, and nothing else from "
            f"{made.like}, which it is made like"
        )
        found = self.objects_named(made.server, made.like) if isinstance(made, Queue) else ()
        otherwise = f"{made.like} sets more, or is not there, and the command was refused"
        if found:
            otherwise = f"it has what {made.like} sets, too ({found[0].source})"
        return Assumption("C4", "L", text, otherwise)

    def not_defined(self, server: str, name: str) -> Iterator[Assumption]:
        """That a queue does not exist whose definition the queue manager refuses, or which may
        stand behind the end of a text that is cut off."""
        yield from refusals(one for one in self.queues.refused(server) if one.name == name)
        found = self.missing(server, NOUNS, name, f"queue {name}")
        if isinstance(found, AssumedAbsent) and self.coverages(server).unended is not None:
            yield from found.assumptions

    def no_channels(
        self, server: str, types: Iterable[str], queue: str = ""
    ) -> Iterator[Assumption]:
        """The same of channels of some types: with ``queue`` of those that were to read it."""
        among = tuple(types)
        yield from refusals(
            one
            for one in self.channels.refused(server)
            if one.channel_type in among and value(one, "XMITQ") == queue
        )

    def left_out(self, server: str) -> tuple[Assumption, ...]:
        """That objects of a queue manager do not exist whose commands topograph.yaml says to
        have been refused (C-10).
        """
        if server not in self._left_out and self.readings.takes(C10, "exists"):
            self._left_out[server] = ()
        if server not in self._left_out:
            found = [
                one.label
                for one in self.source.facts((), server)
                if isinstance(one, Described) and one.unknown and one.verb != "REFUSED"
            ]
            some = f"{', '.join(found[:5])}{' and so on' if len(found) > 5 else ''}"
            text = (
                f"commands of {server} with attributes that no version knows were refused: "
                f"there is no {some}"
            )
            said = self.readings.said(C10, {"exists": f"{server} has {some}", "refused": text})
            self._left_out[server] = (said,) if found else ()
        return self._left_out[server]


_CALLED: Mapping[type[Described], str] = {Topic: "topic object", Subscription: "subscription"}
"""What objects are called whose labels are only their names."""


def refusals(refused: Iterable[Described]) -> Iterator[Assumption]:
    """That objects do not exist whose definitions their queue managers refuse."""
    for one in refused:
        what = f"{_CALLED.get(type(one), '')} {one.label}".lstrip()
        text = f"{one.server} has no {what}: it refuses the command at {one.source} ({one.doubt})"
        otherwise = f"it has one all the same, as of before the command at {one.source}"
        yield Assumption("C4", "M", text, otherwise)
