"""The answer of ``services``. See ``answers``."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from topograph.findings import Source
from topograph.judgement import Told
from topograph.questions.answers.base import Answer, Step
from topograph.records import record


@record
class ServiceReached:
    """A connector of a service, as one listener sees it; also any other receiver of the same
    address that gets what the clients of the listener send.
    """

    server: str
    """The server of the connector."""
    kind: str
    """What the files call it; `receiver` for what is not a connector."""
    name: str
    """Its name; of a receiver that of the client or container."""
    outside: str
    """The host and port that it connects to; empty for a receiver."""
    judgement: str
    """Whether connections of the listener get there: `yes`; `one_of`: decided at run time, and
    `because` says when; `later`; `if`; `unknown`; `no`."""
    conditions: tuple[str, ...] = ()
    """All that the judgement depends on: `one_of`, `later`, `if`."""
    path: tuple[str, ...] = ()
    """Servers from the listener to the connector, both included; empty where no path is certain."""
    hops: int | None = None
    """Links on that path; null without a path."""
    cost: int | None = None
    """Their cost; null without a path."""
    steps: tuple[Step, ...] = ()
    """One a link of the path."""
    because: str = ""
    """Why not, why that is not known, or when."""
    rule: str = ""
    """The rule behind it."""
    source: Source = Source("")
    """The line of the connector."""


@record
class ServiceListener:
    """A listener, and where its clients are connected."""

    server: str
    """The server of the listener."""
    kind: str
    """What the files call it."""
    name: str
    """Its name."""
    outside: str
    """The host and port that clients connect to."""
    judgement: str
    """Whether its clients are served: `yes` if somebody takes their connections whatever is chosen,
    else as of `connectors`."""
    conditions: tuple[str, ...]
    """All that the judgement depends on."""
    connectors: tuple[ServiceReached, ...]
    """The connectors of its address: those that get the next connection first, then by cost and
    server."""
    needs: tuple[str, ...] | None
    """The single failures that leave its clients without any connector, as `impact --fail` takes
    them; its own server is none of them. Null where the loaded files do not show the whole
    network, or nobody serves it."""
    because: str
    """Why its clients are not served, or why that is not known."""
    rule: str
    """The rule behind it."""
    source: Source
    """The line of the listener."""
    listener: str = ""
    """The name of the listener with several addresses of which this is one; empty for others."""
    chosen: str = ""
    """How its connections get to this address, of a listener with several: `priority` or
    `weighted`, with its value, as `priority 2`."""


@record
class ServiceConnector:
    """A connector, and whose clients it serves."""

    server: str
    """The server of the connector."""
    kind: str
    """What the files call it."""
    name: str
    """Its name."""
    outside: str
    """The host and port that it connects to."""
    listeners: tuple[str, ...]
    """The servers of listeners whose connections get there, for certain or by a choice at run
    time, by name."""
    source: Source
    """The line of the connector."""


@record
class Service:
    """The listeners and connectors of one address."""

    destination: str
    """The address that joins them, as `propagate` takes it."""
    listeners: tuple[ServiceListener, ...]
    """By server, then by place in its files; empty where no loaded file has any."""
    connectors: tuple[ServiceConnector, ...]
    """The same of connectors."""


@record(kw_only=True)
class ServicesAnswer(Answer):
    """``services``: which listener reaches which connector, by address."""

    question: ClassVar[str] = "services"
    rows_field: ClassVar[str] = "services"

    services: tuple[Service, ...]
    """By address."""
    address: str = ""
    """The one address that was asked about; empty for all."""
    server: str = ""
    """The one server that was asked about; empty for all."""
    listener: str = ""
    """The name of the listeners that were asked about; empty for all."""

    @property
    def listeners(self) -> tuple[ServiceListener, ...]:
        """The listeners of all services."""
        return tuple(one for service in self.services for one in service.listeners)

    @property
    def with_own_clients(self) -> tuple[ServiceListener, ...]:
        """The listeners, one with several addresses once: by that which is served best."""
        best: dict[tuple[str, ...], ServiceListener] = {}
        for one in self.listeners:
            key = (one.server, one.listener) if one.listener else (one.server, str(one.source))
            # some of its addresses is served where it says when this one is taken
            taken = bool(one.listener and one.because) and one.judgement in (
                Told.LATER,
                Told.ONE_OF,
            )
            told = replace(one, judgement=str(Told.YES)) if taken else one
            known = best.get(key)
            if known is None or _BEST.index(told.judgement) < _BEST.index(known.judgement):
                best[key] = told
        return tuple(best.values())


_BEST = [str(one) for one in (*reversed([*Told][:-1]), Told.NO)]
"""The judgements of a listener, the best for its clients first."""
