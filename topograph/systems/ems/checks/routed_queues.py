"""Lint of routed queues: whether the server that owns one is known, is a neighbour, has the
queue and lets messages in (TL-10 to TL-12; R100-R107).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from topograph.facts import Fact
from topograph.facts.ems import EmsDestination, EmsGrant, EmsGroup, EmsServer
from topograph.findings import Finding
from topograph.outcomes import Truth
from topograph.records import record
from topograph.rules import FindingKind, Rule
from topograph.rules.ems_findings import (
    HOME_QUEUE_NOT_GLOBAL,
    QUEUE_GRANT_MISSING,
    QUEUE_RECEIVE_GRANT_MISSING,
    ROUTED_QUEUE_HOME_DYNAMIC,
    ROUTED_QUEUE_NO_HOME,
    ROUTED_QUEUE_NO_ROUTE,
    ROUTED_QUEUE_OWNER_UNKNOWN,
    TL_10,
    TL_11,
    TL_12,
)
from topograph.systems.ems.destinations.pattern_set import PatternSet
from topograph.systems.ems.destinations.topics import is_wildcard
from topograph.systems.ems.network.configured import Configured
from topograph.systems.ems.network.links import EmsConfiguration
from topograph.systems.ems.queues.model import entries_of, permission


def routed_queues(estate: EmsConfiguration) -> Iterator[Finding]:
    """The findings on ``Q@OWNER`` entries, by server and file. What a file that was not found
    could say is not called missing. Linear in the queues and grants."""
    neighbours: dict[str, set[str]] = {}
    for link in estate.links:
        for end in link.ends:
            neighbours.setdefault(end, set()).add(link.other(end))
    queues = {name: _Queues.of(configured) for name, configured in estate.servers.items()}
    for name in sorted(estate.servers):
        for queue in entries_of(estate.servers[name].member.facts):
            if queue.owner and queue.owner != name and not is_wildcard(queue.name):
                yield from _routed_queue(queue, estate, neighbours.get(name, set()), queues)
                yield from _grants(queue, queues)


@record(slots=False)
class _Queues:
    """The facts of one server that concern queues: those about each name, and those about all of
    them.
    """

    general: Sequence[Fact]
    named: Mapping[str, Sequence[EmsDestination | EmsGrant]]
    patterns: PatternSet

    @classmethod
    def of(cls, configured: Configured) -> _Queues:
        """Linear in the facts of the server."""
        named: dict[str, list[EmsDestination | EmsGrant]] = {}
        for fact in configured.member.facts:
            if isinstance(fact, EmsDestination | EmsGrant) and fact.type == "queue":
                named.setdefault(fact.name, []).append(fact)
        general = [
            fact for fact in configured.member.facts if isinstance(fact, EmsServer | EmsGroup)
        ]
        return cls(general, named, PatternSet(named))

    def about(self, name: str) -> list[Fact]:
        """The facts that decide what the server does with a queue."""
        return [
            *self.general,
            *(fact for pattern in self.patterns.containing(name) for fact in self.named[pattern]),
        ]

    def entries(self, name: str) -> list[EmsDestination]:
        """The entry of the queue, and the patterns that match it."""
        return entries_of(self.about(name))


def _routed_queue(
    queue: EmsDestination,
    estate: EmsConfiguration,
    neighbours: set[str],
    queues: Mapping[str, _Queues],
) -> Iterator[Finding]:
    owner = estate.servers.get(queue.owner)
    here = estate.servers[queue.server]
    if owner is None:
        connected = (
            "" if queue.owner in neighbours else f", and no route of {queue.server} leads to it"
        )
        text = f"its owner {queue.owner} is not among the imported servers{connected}"
        yield _finding(queue, TL_11, ROUTED_QUEUE_OWNER_UNKNOWN, text)
        return
    if queue.owner not in neighbours and not any(
        "routes" in one.member.server.missing for one in (here, owner)
    ):
        text = (
            f"no route connects {queue.server} with {queue.owner}, and a queue is routed one "
            "hop only (R103)"
        )
        yield _finding(queue, TL_11, ROUTED_QUEUE_NO_ROUTE, text)
    if "queues" in owner.member.server.missing:
        return
    entries = queues[queue.owner].entries(queue.name)
    home = [entry for entry in entries if entry.name == queue.name]
    own = [entry for entry in home if entry.owner in ("", queue.owner)]
    patterns = [entry for entry in entries if is_wildcard(entry.name)]
    if home and not own:
        text = (
            f"{queue.owner} has it as a routed queue itself ({home[0].source}: of "
            f"{home[0].owner}), so it has no home there"
        )
        yield _finding(queue, TL_11, ROUTED_QUEUE_NO_HOME, text)
    elif not own and patterns:
        text = (
            f"{queue.owner} has it only by the pattern {patterns[0].name} "
            f"({patterns[0].source}); whether a routed message "
            "creates the queue there is not documented"
        )
        yield _finding(queue, TL_11, ROUTED_QUEUE_HOME_DYNAMIC, text)
    elif not own:
        text = f"queues.conf of {queue.owner} has no queue {queue.name}"
        yield _finding(queue, TL_11, ROUTED_QUEUE_NO_HOME, text)
    elif not any(("global", "true") in entry.properties for entry in (*own, *patterns)):
        text = f"the queue is not global at its home {queue.owner} ({own[0].source})"
        yield _finding(queue, TL_12, HOME_QUEUE_NOT_GLOBAL, text)


def _grants(queue: EmsDestination, queues: Mapping[str, _Queues]) -> Iterator[Finding]:
    """TL-10: a secure routed queue without what the server at the other end needs, in either
    direction (R107; A23 for ``receive``).
    """
    if queue.owner not in queues:
        return
    for start, end in ((queue.server, queue.owner), (queue.owner, queue.server)):
        for at, user, wanted, kind in (
            (end, start, "send", QUEUE_GRANT_MISSING),
            (start, end, "receive", QUEUE_RECEIVE_GRANT_MISSING),
        ):
            asked = permission(at, queues[at].about(queue.name), user, queue.name, wanted)
            if asked.truth is not Truth.FALSE:
                continue
            other = (
                ""
                if wanted == "send"
                else "; one of the guides asks for that, the later one does not (A23)"
            )
            yield TL_10.at(
                asked.source,
                f"{queue.name} is secure at {at}: for messages from {start} to {end} its "
                "acl.conf needs the line "
                f"QUEUE={queue.name} USER={user} PERM={wanted}{other}",
                kind=kind,
                server=at,
            )


def _finding(queue: EmsDestination, rule: Rule, kind: FindingKind, text: str) -> Finding:
    message = f"the routed queue {queue.name}@{queue.owner} of {queue.server}: {text}."
    return rule.at(queue.source, message, kind=kind, server=queue.server)
