"""Every question that the planted estate can be asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plain_questions import plain_questions

from topograph.network import Network
from topograph.questions.records.configuration import SHOW

SHOWN = [what for parameter in SHOW.parameters for what, _ in parameter.choices]


def asked(network: Network) -> Iterator[tuple[str, Any]]:
    """Every question, at every server it can be asked of; with its name."""
    servers = network.server_names()
    yield "cycles", network.cycles(strict=True)
    yield "interests", network.interests()
    for question, given in plain_questions(servers):
        yield question, getattr(network, question)(**given)
    yield "hops", network.hops_matrix()
    for what in SHOWN:
        yield "show", network.show(what)
    for server in servers:
        yield "reach", network.reach(server)
        yield "reach", network.reach(server, servers[0], reply=True)
        yield "hops", network.hops(server, servers[0])
        yield "paths", network.paths(server, servers[-1])
    for topic in ("orders", "secure.a", "more"):
        yield "propagate", network.propagate("ALPHA", f"topic:{topic}", {"kind": "x"}, user="BETA")
        yield "trace", network.trace("ALPHA", f"topic:{topic}", {"kind": "x"}, user="BETA")
    for router in ("THREE", "FOUR"):
        yield "trace", network.trace(router, "address:queue")
    yield "services", network.services()
    yield "impact", network.impact(["server:THREE"])
    yield "impact", network.impact(sweep=True)
    yield "audit", network.audit("delete route TWO", at="ALPHA")
