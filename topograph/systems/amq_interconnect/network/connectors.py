"""Which listener a connector reaches (rule T-13): a host that could be several routers is not
guessed.

In this order: the ``hosts`` entries of topograph.yaml; a listener on exactly that host and port; a
host that is the connector's own machine (loopback, ``0.0.0.0``), where the port decides among the
routers of the machine, which ``machines`` of topograph.yaml may name; at last, by elimination, the
only router that listens on all hosts at that port in that role, if all connectors to that port name
one host. What was found so before a change stays so after it (``Settled``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from ipaddress import ip_address

from topograph.outcomes import Confidence
from topograph.records import record
from topograph.side_inputs import HostEntry, MachineEntry, SideInputs
from topograph.systems.amq_interconnect.network.routers import Router, RouterEndpoint

_ALL_HOSTS = frozenset({"", "0.0.0.0", "::", "*"})  # noqa: S104
ROUTER_ROLES = frozenset({"inter-router", "edge"})


@record
class ReachedListener:
    """The listener a connector reaches, and how sure that is. ``entry`` is the side input that
    says so.
    """

    listener: RouterEndpoint
    confidence: Confidence
    because: str
    entry: HostEntry | MachineEntry | None = None
    observed: bool = False
    """Whether a dump says that the connection is up."""


Place = tuple[str, str, str]
"""Where a connector leads: its role, host and port."""


@record
class Settled:
    """The router that a host was taken for before a change, and why: whether it is so does not
    depend on connectors to other hosts that the change brings."""

    router: str
    because: str


@record
class NotReached:
    """No listener is known: ``name`` names the router at the other end (a host:port, or what
    topograph.yaml calls it).
    """

    name: str
    because: str
    possible: tuple[RouterEndpoint, ...] = ()
    """Listeners at that port, any of which may be meant: those of the connector's own role
    first, likelier names before others.
    """
    observed: bool = False
    """Whether a dump says so."""
    entry: HostEntry | None = None
    """The ``hosts`` entry that does not lead to a listener."""
    suggested: str = ""
    """The router that an entry for the connector's host and port would lead to, as ``hosts``
    names it; empty if there is none to suggest.
    """


class Matcher:
    """Finds listeners for the connectors of a network. Built once: linear in the endpoints."""

    def __init__(
        self,
        routers: Sequence[Router],
        side_inputs: SideInputs,
        settled: Mapping[Place, Settled] | None = None,
    ) -> None:
        self.routers = {router.name: router for router in routers}
        self.by_id: dict[str, list[Router]] = {}
        self.by_port: dict[str, list[RouterEndpoint]] = {}
        for router in routers:
            self.by_id.setdefault(router.id, []).append(router)
            for listener in router.listeners:
                self.by_port.setdefault(listener.port, []).append(listener)
        self.entries = {entry.host.strip().lower(): entry for entry in side_inputs.hosts}
        self.machines = self._machines(side_inputs.machines)
        self.hosts_named = self._hosts_named(routers)
        self.settled = settled or {}
        self._one_host: dict[tuple[str, str], bool] = {}

    def _machines(self, entries: Sequence[MachineEntry]) -> Mapping[str, MachineEntry]:
        """Per router the machine that topograph.yaml says it runs on, alone or beside others."""
        named = {name: entry for entry in entries for name in entry.servers}
        return {name: named[name] for name in self.routers if name in named}

    def _hosts_named(
        self, routers: Sequence[Router]
    ) -> Mapping[tuple[str, str], dict[str, set[str]]]:
        """Per (role, port) the hosts that connectors name, each with the routers that do; a
        machine's own and mapped hosts left out.
        """
        named: dict[tuple[str, str], dict[str, set[str]]] = {}
        for router in routers:
            for connector in router.connectors:
                if (
                    connector.role not in ROUTER_ROLES
                    or is_own_machine(connector.host)
                    or self.entry(connector)
                ):
                    continue
                hosts = named.setdefault((connector.role, connector.port), {})
                hosts.setdefault(connector.host, set()).add(router.name)
        return named

    def entry(self, connector: RouterEndpoint) -> HostEntry | None:
        """The ``hosts`` entry for a connector: ``host:port`` before ``host``."""
        return self.entries.get(connector.address) or self.entries.get(connector.host)

    def find(self, connector: RouterEndpoint) -> ReachedListener | NotReached:
        entry = self.entry(connector)
        if entry is not None:
            return self.mapped(connector, entry)
        at_port = self.by_port.get(connector.port, [])
        if is_own_machine(connector.host):
            return self.on_this_machine(connector, at_port)
        exact = [listener for listener in at_port if listener.host == connector.host]
        if len({listener.router for listener in exact}) == 1:
            return ReachedListener(exact[0], Confidence.A, "the listener's host and port")
        if exact:
            return self.not_reached(
                connector, "several routers listen on that host and port", exact
            )
        return self.by_elimination(connector, at_port)

    def key(self, router: Router) -> str:
        """What ``hosts`` calls a router: its id, or its name where several files have that id."""
        return router.id if len(self.by_id[router.id]) == 1 else router.name

    def mapped(self, connector: RouterEndpoint, entry: HostEntry) -> ReachedListener | NotReached:
        routers = self.by_id.get(entry.server) or [
            router for name, router in self.routers.items() if name == entry.server
        ]
        if not routers:
            return NotReached(
                entry.server, f"topograph.yaml names {entry.server}, of which no file is loaded"
            )
        if len(routers) > 1:
            because = f"several files have the router id {entry.server}"
            possible = [
                one for router in routers for one in router.listeners if one.role == connector.role
            ]
            return replace(self.not_reached(connector, because, possible), entry=entry)
        same_port = [
            listener for listener in routers[0].listeners if listener.port == connector.port
        ]
        if same_port:
            return ReachedListener(same_port[0], Confidence.A, "topograph.yaml", entry)
        same_role = [
            listener for listener in routers[0].listeners if listener.role == connector.role
        ]
        if entry.host.strip().lower() != connector.host and same_role:
            which = f"it has one listener of role {connector.role}"
            if len(same_role) > 1:
                which = (
                    f"which of its {len(same_role)} listeners of role {connector.role} is "
                    f"meant does not follow: {same_role[0].address}"
                )
            return ReachedListener(
                same_role[0], Confidence.I, f"topograph.yaml names the router, and {which}", entry
            )
        because = f"{entry.server} (topograph.yaml) does not listen on port {connector.port}"
        if not same_role:
            because += f" and has no listener of role {connector.role}"
        suggested = self.key(routers[0]) if same_role else ""
        return NotReached(connector.address, because, entry=entry, suggested=suggested)

    def on_this_machine(
        self, connector: RouterEndpoint, at_port: Sequence[RouterEndpoint]
    ) -> ReachedListener | NotReached:
        """The machine's own host: the router's own listener, else that of the machine which
        topograph.yaml says, else the only router with a local listener at that port which may be
        on the machine."""
        local = [
            listener
            for listener in at_port
            if is_loopback(listener.host) or listener.host in _ALL_HOSTS
        ]
        own = [listener for listener in local if listener.router == connector.router]
        if own:
            return ReachedListener(own[0], Confidence.A, "its own listener")
        machine = self.machines.get(connector.router)
        if machine is not None:
            beside = [
                listener for listener in local if self.machines.get(listener.router) is machine
            ]
            if len({listener.router for listener in beside}) == 1:
                return ReachedListener(beside[0], Confidence.A, "topograph.yaml", machine)
            local = beside or [
                listener for listener in local if listener.router not in self.machines
            ]
        if len({listener.router for listener in local}) == 1:
            sure = is_loopback(local[0].host)
            because = "the port on one machine"
            return ReachedListener(local[0], Confidence.A if sure else Confidence.I, because)
        because = (
            "several routers listen on that port" if local else "no loaded router listens there"
        )
        return self.not_reached(connector, because, local)

    def by_elimination(
        self, connector: RouterEndpoint, at_port: Sequence[RouterEndpoint]
    ) -> ReachedListener | NotReached:
        possible = [listener for listener in at_port if not is_loopback(listener.host)]
        hosts = self.hosts_named.get((connector.role, connector.port), {})
        askers = {connector.router}.union(
            *(named for host, named in hosts.items() if same_host(host, connector.host))
        )
        open_to_all = [
            listener
            for listener in possible
            if listener.host in _ALL_HOSTS
            and listener.role == connector.role
            and listener.router not in askers
        ]
        before = self.settled.get((connector.role, connector.host, connector.port))
        if before is not None:
            still = [one for one in open_to_all if one.router == before.router]
            if still:
                return ReachedListener(still[0], Confidence.I, before.because)
        if (
            connector.role in ROUTER_ROLES
            and self.is_one_host(connector.role, connector.port)
            and len({one.router for one in open_to_all}) == 1
        ):
            asking = {one.router for one in possible if one.role == connector.role} & askers
            because = (
                f"no other loaded router listens for {connector.role} connections on port "
                f"{connector.port}"
                if not asking - {connector.router}
                else f"of the loaded routers that listen for {connector.role} connections on "
                f"port {connector.port}, it is the only one that does not connect to that host"
            )
            return ReachedListener(open_to_all[0], Confidence.I, because)
        others = [listener for listener in possible if listener.router != connector.router]
        if len(others) > 1:
            because = "the host could be several routers"
        elif others:
            because = "which router that host is does not follow from the files"
        else:
            because = "no loaded router listens on that port"
        return self.not_reached(connector, because, others)

    def is_one_host(self, role: str, port: str) -> bool:
        """Whether all connectors of a role to a port name one host. Linear in the hosts, once."""
        key = role, port
        if key not in self._one_host:
            named = self.hosts_named.get(key, {})
            longest = max(named, key=len, default="")
            self._one_host[key] = bool(named) and all(same_host(one, longest) for one in named)
        return self._one_host[key]

    def not_reached(
        self, connector: RouterEndpoint, because: str, possible: Sequence[RouterEndpoint]
    ) -> NotReached:
        ranked = sorted(
            possible,
            key=lambda one: (
                one.role != connector.role,
                not resembles(connector.host, self.routers[one.router].id),
                one.router,
            ),
        )
        return NotReached(connector.address, because, tuple(ranked))


@lru_cache(maxsize=1 << 12)
def is_loopback(host: str) -> bool:
    """``localhost``, ``127.0.0.1``, ``::1`` and their like.

    >>> is_loopback("127.0.0.3"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def is_own_machine(host: str) -> bool:
    """Whether a connector to this host stays on its machine: a loopback host, or an unspecified
    address, which systems take for that when they connect. What a listener means by an unspecified
    address, all addresses of its machine, says nothing of which machine that is.

    >>> (is_own_machine("localhost"), is_own_machine("0.0.0.0"), is_own_machine("::"),
    ...  is_own_machine("hub"))
    (True, True, True, False)
    """
    try:
        return is_loopback(host) or ip_address(host).is_unspecified
    except ValueError:
        return False


def same_host(one: str, other: str) -> bool:
    """Whether two names may be those of one host: they are equal, or one is the other with a
    domain. A first label alone says nothing: a service of one name in two namespaces is two.

    >>> same_host("hub", "hub.example.net"), same_host("hub.a", "hub.b"), same_host("hub", "hub2")
    (True, False, False)
    >>> same_host("10.0.0.1", "10.0.0.1"), same_host("10.0.0", "10.0.0.1")
    (True, False)
    """
    one, other = one.rstrip("."), other.rstrip(".")
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return bool(short) and long.startswith(f"{short}.") and not _is_address(long)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _host_label(host: str) -> str:
    """A host without its domain, so that ``hub`` and ``hub.example.com`` count as one; addresses
    whole.
    """
    try:
        return str(ip_address(host))
    except ValueError:
        return host.split(".", 1)[0]


def resembles(host: str, router_id: str) -> bool:
    """Whether a host's first label looks like a router id: only good for a suggestion.

    >>> resembles("interconnect-eu.amq.svc.cluster.local", "EU"), resembles("routera", "router.a"), resembles("hub", "A")
    (True, True, False)
    """  # noqa: E501
    label = _host_label(host.lower())
    plain = re.sub(r"[^a-z0-9]", "", router_id.lower())
    return bool(plain) and (
        plain in re.split(r"[^a-z0-9]+", label) or plain == re.sub(r"[^a-z0-9]", "", label)
    )
