"""What lint rules of routers look at."""

from __future__ import annotations

from collections.abc import Mapping

from topograph.records import record
from topograph.systems.amq_interconnect.messages.model import MessageNetwork
from topograph.systems.amq_interconnect.network.routers import Router


@record
class Checked:
    """A network of routers, and its loaded routers by name. ``outside`` is the number of
    connectors that lead to no loaded router.
    """

    network: MessageNetwork
    loaded: Mapping[str, Router]
    outside: int
