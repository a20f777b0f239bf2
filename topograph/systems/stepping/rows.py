"""What systems whose messages go step by step add to a published network
(``forwarding.descriptions.DatabaseRows``), the same for all of them.

Points, guards and walks are those of one graph that they share; destinations are what each system
shows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from topograph.facts import Fact
from topograph.findings import Source
from topograph.forwarding.descriptions import (
    OF_EVERY_SYSTEM,
    DestinationShown,
    no_bridges,
    no_message_guards,
    no_names,
    no_route_urls,
    plain_guard_words,
    plain_words,
)
from topograph.forwarding.graph import ForwardingGraph
from topograph.side_inputs import SideInputs
from topograph.systems.fact_sources import FactList
from topograph.systems.registry import system
from topograph.systems.stepping.destinations import destinations as shown

STATEMENTS: Mapping[str, str] = {
    **OF_EVERY_SYSTEM,
    "servers": "`show servers` in memory",
    "routes": "`show routes` in memory",
    "destinations": "`show destinations` in memory",
    "message-reach": "`reach` in memory",
    "guards": "the guards of the points in memory",
    "findings": "`check` in memory",
    "channel-down": "the walks over the points in memory without the steps of the channel",
    "channels": "`show channels` in memory",
    "channels-without-tls": "the attributes of the channels",
    "clusters": "the cluster-receiver channels and REPOS",
    "dead-letters": "DEADQ, and the exception destinations of `show destinations`",
    "durable-subscribers": "the subscriptions of `show` whose topic fits",
}
"""See ``DatabaseRows``."""

point_words = plain_words
"""See ``forwarding.descriptions.plain_words``."""

guard_words = plain_guard_words
"""Nothing beside the text of a guard."""

bridges = no_bridges
"""Messages go on by steps, not by bridges between destinations."""

route_urls = no_route_urls
names_by_server = no_names

message_guards = no_message_guards
"""``trace`` follows a message."""

_TYPES = {"topicspace": "topic"}
"""Types of destinations that the database calls otherwise."""


def destinations(facts: Iterable[Fact]) -> Iterator[DestinationShown]:
    """The destinations of the system that the facts are of as ``show`` lists them, with where
    each leads.
    """
    known = list(facts)
    if not known:
        return
    load = system(known[0].system).stepping
    assert load is not None  # only such systems use this
    own = load(FactList(known), SideInputs())
    for row in shown(known[0].system, own) or ():
        kind = str(row["type"]).lower()
        key = str(row["server"]), _TYPES.get(kind, kind), str(row["name"])
        onward = row.get("leads_to", ())
        leads_to = tuple(map(str, onward)) if isinstance(onward, list) else ()
        details = str(row.get("details", ""))
        yield DestinationShown(*key, _source(row["source"]), leads_to=leads_to, details=details)


def _source(value: object) -> Source:
    assert isinstance(value, Mapping)  # rows of ``show`` have sources as JSON
    return Source(value["file"], value["line"] or 0, value["column"] or 0)


def doubts(graph: ForwardingGraph) -> Iterator[str]:
    """Servers that may lead anywhere say why in ``incomplete``."""
    return ("" for _ in graph.servers)


def cut_off(graph: ForwardingGraph) -> Collection[int]:  # noqa: ARG001
    """None."""
    return ()
