"""TL-04: a global topic without a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.facts.ems import EmsDestination
from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ems.destinations.pattern_set import PatternSet
from topograph.systems.ems.destinations.topics import is_temporary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ems.checked import Checked
    from topograph.systems.ems.network.configured import Configured

GLOBAL_TOPIC_WITHOUT_LIMIT = FindingKind(
    "global-topic-without-limit",
    Severity.WARNING,
    Remedy(
        "Set maxbytes or maxmsgs on the topic at {server}.",
        "While a neighbour is down, what waits for it can fill the store of {server}.",
    ),
    about="destination",
    bearing=Bearing("nothing", "A limit says how many messages are kept, not who gets them."),
)
TL_04 = Rule(
    "TL-04",
    "Global topic without a limit",
    (
        "A server forwards a global topic that has neither maxbytes nor maxmsgs, so what waits "
        "for a lost neighbour can fill its store."
    ),
    (GLOBAL_TOPIC_WITHOUT_LIMIT,),
    check=True,
)


@lint(TL_04)
def without_limit(checked: Checked) -> Iterator[Finding]:
    """A global topic without maxbytes or maxmsgs on a server that forwards it (F9)."""
    forwarding = {end for link in checked.estate.links for end in link.ends}
    for configured in checked.servers:
        if configured.name in forwarding:
            yield from _of(configured)


def _of(configured: Configured) -> Iterator[Finding]:
    topics = [f for f in configured.of(EmsDestination) if f.type == "topic"]
    limited = [
        t.name
        for t in topics
        if any(key.lower() in ("maxbytes", "maxmsgs") for key, _ in t.properties)
    ]
    # Of temporary topics nothing but their own patterns is inherited (R84).
    inherited = {
        kind: PatternSet(name for name in limited if is_temporary(name) or not kind)
        for kind in (False, True)
    }
    for topic in topics:
        if ("global", "true") in topic.properties and not inherited[
            is_temporary(topic.name)
        ].contains(topic.name):
            yield TL_04.at(
                topic.source,
                f"{topic.name} is global at {configured.name} and has neither maxbytes "
                "nor maxmsgs: what is stored for a neighbour that is "
                "down is bounded by the server only.",
                server=configured.name,
            )
