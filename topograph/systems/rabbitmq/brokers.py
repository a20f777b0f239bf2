"""Which cluster a URI leads to (RQ-27)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topograph.facts import Fact
from topograph.facts.rabbitmq import RabbitAddress, RabbitBroker
from topograph.findings import Source
from topograph.side_inputs import SideInputs
from topograph.systems.rabbitmq.places import DEFAULT_VHOST, Place

_USUAL_PORTS = ("", "5672", "5671")
_HERE = ("localhost", "::1")


class Brokers:
    """Hosts and clusters of one network. A host is the cluster that topograph.yaml says, else the
    one that is called so, or whose node is called ``rabbit@HOST``."""

    def __init__(
        self, files: Mapping[str, Sequence[RabbitBroker]], side_inputs: SideInputs
    ) -> None:
        self.files = files
        self.stated = {one.host.lower(): one.server for one in side_inputs.hosts}
        self.called: dict[str, str] = {}
        for name in sorted(files, reverse=True):
            host = name.rpartition("@")[2].lower()
            self.called[host] = name
            self.called[name.lower()] = name
        self.named: dict[str, Source] = {}
        """Hosts that are no loaded cluster, each with the first place that names it."""

    def at(self, addresses: Sequence[RabbitAddress], fact: Fact) -> str:
        """The cluster that addresses of one lead to: of the first that is loaded, else of the
        first."""
        found = [self._one(address, fact.server) for address in addresses] or [fact.server]
        name = next((one for one in found if one in self.files), found[0])
        if name not in self.files:
            self.named.setdefault(name, fact.source)
        return name

    def _one(self, address: RabbitAddress, here: str) -> str:
        host = address.host
        if not host:
            return here
        for key in (f"{host}:{address.port}", host):
            if key in self.stated:
                return self.stated[key]
        if host in self.called:
            return self.called[host]
        if address.port in _USUAL_PORTS and (host in _HERE or host.startswith("127.")):
            return here
        usual = address.port in _USUAL_PORTS
        return host if usual else f"{host}:{address.port}"

    def place(
        self,
        addresses: Sequence[RabbitAddress],
        fact: Fact,
        type_: str,
        name: str,
        vhost: str | None,
    ) -> Place:
        """An object there. ``vhost`` is the virtual host of URIs that name none; None: the default
        one."""
        stated = next((one.vhost for one in addresses if one.vhost is not None), None)
        at = stated if stated is not None else DEFAULT_VHOST if vhost is None else vhost
        return Place(self.at(addresses, fact), at, type_, name)
