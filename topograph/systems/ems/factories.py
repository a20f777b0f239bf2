"""Connection factories: which servers a client that looks one up may attach to (ems.md 1.6).
They have no effect on routing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from topograph.facts.ems import EmsFactory, EmsRoute, EmsServer
from topograph.facts.ems_urls import DEFAULT_PORT, LOOPBACK, Endpoint, endpoints
from topograph.side_inputs import SideInputs
from topograph.systems.contract.system import FactSource, Row
from topograph.systems.fact_sources import of_class

Address = tuple[str, int]


def factory_rows(source: FactSource, side_inputs: SideInputs) -> Iterator[Row]:
    """A row a factory, by server and file: the servers that its URLs lead to, as far as
    ``hosts`` of topograph.yaml, what servers listen on and the URLs of routes say which those
    are; the rest is named as not known. Linear in servers, routes and factories."""
    stated = {entry.host.lower(): entry.server for entry in side_inputs.hosts}
    known: dict[Address, set[str]] = defaultdict(set)
    own: set[tuple[str, int]] = set()
    for fact in source.facts(("server", "route")):
        if isinstance(fact, (EmsServer, EmsRoute)):
            urls = fact.listen if isinstance(fact, EmsServer) else fact.url
            name = fact.server if isinstance(fact, EmsServer) else fact.name
            for end in (end for url in urls for end in endpoints(url)):
                if _address(end)[0] not in LOOPBACK:
                    known[_address(end)].add(name)
                if isinstance(fact, EmsServer):
                    own.add((name, _address(end)[1]))
    mains = Counter(fact.server for fact in source.facts(("server",)))
    for fact in of_class(source, EmsFactory):
        found: list[str] = []
        for end in (end for url in fact.url for end in endpoints(url)):
            host, port = _address(end)
            said = stated.get(f"{host}:{port}", stated.get(host, ""))
            # `tcp://7222` is a port of the machine whose server a client asks for the factory.
            here = {fact.server} if end.host is None and (fact.server, port) in own else set()
            servers = {said} if said else here or known.get((host, port), set())
            found.append(
                " or ".join(sorted(servers))
                if servers
                else f"not known: {host or 'the default host'}:{port}"
            )
        yield {
            "server": fact.server,
            "type": fact.type,
            "name": fact.name,
            "leads_to": ", ".join(dict.fromkeys(found)) or "not known: it has no URL",
            "details": ",".join(fact.url),
            **({"configuration": fact.bundle} if mains[fact.server] > 1 else {}),
            "source": fact.source.to_dict(),
        }


def _address(end: Endpoint) -> Address:
    return (end.host or "").lower(), end.port or DEFAULT_PORT
