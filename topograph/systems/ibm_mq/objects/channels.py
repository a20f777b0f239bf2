"""From a transmission queue over a channel to another queue manager (C1 channel pairing, M-11,
C-14).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from topograph.assumptions import Assumption
from topograph.digits import digits
from topograph.facts.ibm_mq import Channel
from topograph.findings import Source
from topograph.records import record
from topograph.systems.coverage import Default, NotShown, NotShownHere, Stated
from topograph.systems.ibm_mq.ambiguities import C14
from topograph.systems.ibm_mq.objects.attributes import (
    as_shown,
    labels,
    value,
    valued,
)
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork
from topograph.systems.ibm_mq.objects.starting import Hindrance, hindrances, listens

SENDING = ("SDR", "SVR")
"""The types of channels that read a transmission queue; CLUSSDR reads those of clusters."""

PARTNERS = {"SDR": ("RCVR", "RQSTR"), "SVR": ("RQSTR", "RCVR"), "CLUSSDR": ("CLUSRCVR",)}
"""The types that a channel of a sending type can have at its other end."""

_ADDRESS = re.compile(r"([^(),\s]++)\s*+(?:\(\s*+(\d++)\s*+\))?")
DEFAULT_PORT = 1414

NO_PARTNER = "no partner"
"""Why a message is held whose channel has no other end where it should be."""

CANNOT_START = "no connection"
"""Why a message is held whose channel has ends that do not fit, so that it cannot start."""


@record
class ConnectionAddress:
    """An address of CONNAME."""

    host: str
    port: int = DEFAULT_PORT

    def __str__(self) -> str:
        return f"{self.host}({self.port})"


def addresses(text: str) -> list[ConnectionAddress]:
    """The addresses of a CONNAME; the default port where it has none.

    >>> [str(one) for one in addresses("earth(1415), moon")]
    ['earth(1415)', 'moon(1414)']
    """
    return [
        ConnectionAddress(host, digits(port, DEFAULT_PORT))
        for host, port in _ADDRESS.findall(text)
        if host
    ]


@record(slots=False)
class Leads:
    """Where a channel leads: to receiving channels of loaded queue managers (several where
    neither name nor address decides), or out of the loaded files (``outside`` says whereto), or
    nowhere (``reason`` why)."""

    channel: Channel
    partners: tuple[Channel, ...] = ()
    outside: str = ""
    reason: str = ""
    text: str = ""
    assumptions: tuple[Assumption, ...] = ()
    hidden: tuple[str, ...] = ()
    """Queue managers that may have the other end, too, and whose channels no loaded file shows."""
    open: NotShown | None = None
    """Why the other end is not known."""
    uncalled: bool = False
    """Whether it waits for a call that no loaded file makes."""

    @property
    def nobody_calls(self) -> Assumption:
        """Of a channel that is ``uncalled``: that no queue manager calls it that is not loaded."""
        name = f"channel {self.channel.name} of {self.channel.server}"
        return Assumption(
            "M-11",
            "M",
            f"no queue manager that is not loaded calls {name}, which has no CONNAME",
            "one does, and messages go over it",
        )


def other_end(channel: Channel) -> str:
    """The name of the server that stands for where a channel leads whose other end is in no
    loaded file (C-14): its address, or what it is.
    """
    return as_shown(channel, "CONNAME") or f"the other end of channel {channel.name}"


class Channels:
    """The message channels of a network."""

    def __init__(self, network: MqNetwork) -> None:
        self.network = network
        self._readers: dict[str, dict[str, list[Channel]]] = {}
        self._unread: dict[str, NotShown] = {}
        self._alone: dict[tuple[str, str, Source], Leads] = {}
        self._cluster_hindrances: dict[tuple[str, str, str, Source], list[Hindrance]] = {}

    def readers(self, server: str, queue: str) -> list[Channel]:
        """The channels whose XMITQ names a transmission queue, by name. Raises NotShownHere where
        the output leaves XMITQ of a channel out."""
        if server not in self._readers:
            by_queue: dict[str, list[Channel]] = {}
            for one in sorted(self.network.channels.of(server), key=lambda one: one.name):
                if one.channel_type not in SENDING:
                    continue
                match valued(one, "XMITQ"):
                    case Stated(value=name) | Default(value=name):
                        by_queue.setdefault(name, []).append(one)
                    case NotShown() as unknown:
                        self._unread.setdefault(server, unknown)
            self._readers[server] = by_queue
        if server in self._unread:
            raise NotShownHere(self._unread[server])
        return self._readers[server].get(queue, [])

    def partners(self, channel: Channel) -> list[Channel]:
        """The channels of other queue managers with the same name and a complementary type."""
        types = PARTNERS.get(channel.channel_type, ())
        found = self.network.channels.named(labels(channel.name, types))
        there = {one.server: one for one in reversed(found) if one.server != channel.server}
        return [one for _, one in sorted(there.items())]

    def leads(self, channel: Channel, queue_manager: str) -> Leads:
        """Where a sending channel leads, for messages to ``queue_manager``. Kept where it leads
        to the same for all of them: many messages take each channel."""
        hidden = self._hidden(channel, queue_manager) if self.network.partly_shown else None
        if hidden is not None:
            return hidden
        key = channel.server, channel.label, channel.source
        kept = self._alone.get(key)
        if kept is not None:
            return kept
        partners = self.partners(channel)
        if not partners:
            return self._without_partner(channel, queue_manager)
        if len(partners) > 1:
            return self._chosen(channel, partners, queue_manager)
        return self._alone.setdefault(key, self._towards(channel, partners))

    def _hidden(self, channel: Channel, queue_manager: str) -> Leads | None:
        """Where a channel may lead whose other end may be at a queue manager of which no loaded
        file shows it: the one at its address, or, where no address is stated, the one that the
        message is for; any, where that one is loaded and no loaded one has it. None where that is
        not so."""
        types = PARTNERS.get(channel.channel_type, ())
        hosts = {self.server_at(one) for one in addresses(as_shown(channel, "CONNAME"))} - {""}
        partners = self.partners(channel)
        there = {one.server for one in partners}
        meant = hosts or {queue_manager}
        if meant & there:
            return None
        if not (there or hosts) and queue_manager in self.network.managers:
            meant |= {*self.network.partly_shown}
        hidden, unknown = [], None
        for server in sorted(meant - there - {channel.server}):
            found = self.network.missing(server, types, channel.name, f"channel {channel.name}")
            if isinstance(found, NotShown):
                hidden.append(server)
                unknown = unknown or found
        if unknown is None:
            return None
        known = () if hosts else tuple(partners)
        return Leads(channel, known, hidden=tuple(hidden), open=unknown)

    def _towards(self, channel: Channel, found: Sequence[Channel]) -> Leads:
        """Where a channel leads of which these are the other ends."""
        if len(found) == 1:
            partner = found[0]
            if not value(channel, "CONNAME") and channel.channel_type == "SVR":
                calls = partner.channel_type == "RQSTR" and value(partner, "CONNAME")
                if not calls:
                    text = f"neither end of {channel.name} has a CONNAME to call the other"
                    return Leads(channel, reason="no connection", text=text)
        if len(found) > 1:
            return Leads(channel, tuple(found))
        return self._started(channel, found[0])

    def _started(self, channel: Channel, partner: Channel) -> Leads:
        """Where a channel leads that has this other end, unless something hinders it from
        starting."""
        for one in self.hindrances(channel, partner):
            if one.effect == "stops":
                return Leads(channel, (partner,), reason=CANNOT_START, text=one.text)
            return Leads(channel, (partner,), open=NotShown(one.text, one.source))
        return Leads(channel, (partner,))

    def hindrances(self, channel: Channel, partner: Channel) -> list[Hindrance]:
        """What hinders a channel from starting, what stops it first. Linear in the channel
        authentication records and listeners of the receiving queue manager."""
        found = list(hindrances(self.network, channel, partner))
        if other := self.contradicted(channel, partner):
            text = f"Channel {channel.name} has its other end at {partner.server}, but {other}."
            found.append(Hindrance("opens", "ML-04", text, channel, "CONNAME"))
        return sorted(found, key=lambda one: one.effect != "stops")

    def cluster_hindrances(
        self, server: str, receiver: Channel, manual: Channel | None
    ) -> list[Hindrance]:
        """The same of the channel that a cluster makes from a queue manager to the one of a
        cluster-receiver channel, or of the cluster-sender channel that is defined for it."""
        if manual is not None:
            return self.hindrances(manual, receiver)
        # Only channel authentication asks which queue manager sends: without it one answer is that
        # of all members.
        by_sender = bool(self.network.channel_rules.of(receiver.server))
        key = server if by_sender else "", receiver.server, receiver.name, receiver.source
        if key not in self._cluster_hindrances:
            made = replace(receiver, server=server)
            self._cluster_hindrances[key] = self.hindrances(made, receiver)
        return self._cluster_hindrances[key]

    def contradicted(self, channel: Channel, partner: Channel) -> str:
        """Why CONNAME does not lead to a partner, in words: topograph.yaml says otherwise, or no
        listener has the port.
        """
        there = addresses(as_shown(channel, "CONNAME"))
        hosts = {self.server_at(one) for one in there} - {""}
        if hosts:
            return (
                ""
                if partner.server in hosts
                else f"its CONNAME is that of {', '.join(sorted(hosts))}"
            )
        ports = self.ports(partner.server)
        if there and ports and not any(one.port in ports for one in there):
            listening = ", ".join(map(str, sorted(ports)))
            return (
                f"CONNAME({as_shown(channel, 'CONNAME')}) names no port that {partner.server} "
                f"listens on ({listening})"
            )
        return ""

    def answers(self, channel: Channel, partner: Channel, sender: str = "") -> bool:
        """Whether the queue manager at the other end can be reached: neither it, what is
        between, nor its listener is out of order. ``sender`` is who calls, where the channel is
        made out of that of the other end.
        """
        if self.network.cut_off(sender or channel.server, partner.server):
            return False
        return self.listens(
            partner.server, {one.port for one in addresses(as_shown(channel, "CONNAME"))}
        )

    def listens(self, server: str, ports: Collection[int]) -> bool:
        """Whether no listener of a queue manager with one of some ports is out of order, or was
        stopped.
        """
        return listens(self.network, server, ports)

    def ports(self, server: str) -> set[int]:
        """The ports of the TCP listeners that a queue manager is known to have."""
        found = set()
        for one in self.network.listeners.of(server):
            port = digits(one.get("PORT") or one.get("Port"))
            if port is not None and as_shown(one, "TRPTYPE").upper() in ("", "TCP"):
                found.add(port)
        return found

    def server_at(self, address: ConnectionAddress) -> str:
        """The queue manager that topograph.yaml says is at an address."""
        for entry in self.network.side_inputs.hosts:
            if entry.host in (f"{address.host}:{address.port}", str(address)):
                return entry.server
        return next(
            (
                entry.server
                for entry in self.network.side_inputs.hosts
                if entry.host == address.host
            ),
            "",
        )

    def _chosen(self, channel: Channel, partners: list[Channel], queue_manager: str) -> Leads:
        """Where a channel leads of which several queue managers have the other end. That a port
        alone tells them apart is an assumption: hosts and ports are often those of a router or an
        address translator in between (C1)."""
        found, by_port = self._confirmed(channel, partners, queue_manager)
        lead = self._towards(channel, found)
        if not by_port:
            return lead
        names = ", ".join(one.server for one in found)
        text = (
            f"channel {channel.name} of {channel.server} leads to {names}, of which only a "
            f"listener fits CONNAME({as_shown(channel, 'CONNAME')})"
        )
        others = [one.server for one in partners if one not in found]
        otherwise = (
            f"the port is that of something in between, and it leads to {' or '.join(others)}"
        )
        said = Assumption("C1", "M", text, otherwise)
        return replace(lead, assumptions=(*lead.assumptions, said))

    def _confirmed(
        self, channel: Channel, found: list[Channel], queue_manager: str
    ) -> tuple[list[Channel], bool]:
        """The partners that CONNAME leaves: by topograph.yaml, by the addresses of
        cluster-receiver channels, by listeners; then the queue manager that the message is for.
        And whether a port decided."""
        there = addresses(as_shown(channel, "CONNAME"))
        named = [
            one for one in found if one.server in {self.server_at(address) for address in there}
        ]
        if named:
            return named, False
        told = [one for one in found if self._own_addresses(one.server) & set(there)]
        if told:
            return told, False
        ports = {one.port for one in there}
        listening = [
            one for one in found if not self.ports(one.server) or self.ports(one.server) & ports
        ]
        kept = listening if listening and there else found
        return [one for one in kept if one.server == queue_manager] or kept, len(kept) < len(found)

    def _own_addresses(self, server: str) -> set[ConnectionAddress]:
        """Where a queue manager says it is reached: CONNAME of its cluster-receiver channels."""
        return {
            address
            for one in self.network.channels.of(server)
            if one.channel_type == "CLUSRCVR"
            for address in addresses(as_shown(one, "CONNAME"))
        }

    def _without_partner(self, channel: Channel, queue_manager: str) -> Leads:
        """C-14: the other end is in no loaded file."""
        address = as_shown(channel, "CONNAME")
        hosts = {self.server_at(one) for one in addresses(address)} - {""}
        loaded = sorted(hosts & set(self.network.managers)) or (
            [queue_manager] if queue_manager in self.network.managers and not hosts else []
        )
        if loaded:
            text = (
                f"{loaded[0]} has no channel {channel.name} of type "
                f"{' or '.join(PARTNERS[channel.channel_type])}"
            )
            there = address or "an address that is not given"
            texts = {
                "held": (
                    f"channel {channel.name} of {channel.server} is meant to lead to "
                    f"{loaded[0]}, which has no other end of it"
                ),
                "external": (
                    f"channel {channel.name} of {channel.server} leads to a queue manager "
                    f"that is not loaded, at {there}"
                ),
            }
            position = self.network.readings.said(C14, texts)
            if self.network.readings.takes(C14, "external"):
                return Leads(
                    channel, outside=other_end(channel), text=address, assumptions=(position,)
                )
            return Leads(channel, reason=NO_PARTNER, text=text, assumptions=(position,))
        if not address and channel.channel_type == "SVR":
            return Leads(
                channel,
                reason="no connection",
                text=f"{channel.name} has no CONNAME, and no loaded file calls it",
                uncalled=True,
            )
        if hosts:
            return Leads(channel, outside=min(hosts), text=address)
        return Leads(
            channel,
            outside=queue_manager,
            text=address,
            assumptions=tuple(_by_queue(channel, address, queue_manager)),
        )


def _by_queue(channel: Channel, address: str, queue_manager: str) -> Iterator[Assumption]:
    """That a channel leads to the queue manager that its messages are for, of which no file is
    loaded, is known from their transmission queue alone where neither the name of the channel nor
    its CONNAME names that one (C-14)."""
    known = {*re.split(r"[._/%]", channel.name.upper())}
    known |= {one.host.upper().partition(".")[0] for one in addresses(address)}
    if queue_manager and queue_manager.upper() not in known:
        at = f" (CONNAME {address})" if address else ""
        text = (
            f"channel {channel.name} of {channel.server}{at} leads to {queue_manager}, which no "
            "file shows, as the messages on its transmission queue are for that one"
        )
        yield Assumption("C-14", "M", text, "it leads to another, which need not pass them on")
