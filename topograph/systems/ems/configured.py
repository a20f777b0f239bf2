"""What EMS servers have beside destinations, for a database: durables and other subscriptions,
listeners, and where queues and bridges lead.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from topograph.digits import is_digits
from topograph.facts import Fact
from topograph.facts.ems import EmsBridge, EmsDestination, EmsDurable, EmsServer
from topograph.facts.ems_names import is_wildcard
from topograph.facts.ems_observed import EmsObservedSubscription
from topograph.findings import Source
from topograph.forwarding.configured import (
    Thing,
    Tie,
    declared,
    destination,
    leads_to,
    of_elements,
    subscription,
)
from topograph.side_inputs import SideInputs


def configured(
    facts: Sequence[Fact], side_inputs: SideInputs, servers: Collection[str]
) -> Iterator[Thing | Tie]:
    """See ``forwarding.configured.Configured``."""
    yield from declared(side_inputs, servers, _pattern)
    for fact in facts:
        if isinstance(fact, EmsDurable):
            type_ = "durable of another server" if fact.route else "durable"
            yield from _taken(
                fact,
                type_,
                f"topic:{fact.topic}",
                fact.name,
                known="configured",
                client=fact.client_id,
                selector=fact.selector or fact.unread,
            )
        elif isinstance(fact, EmsObservedSubscription):
            kind = (
                "durable" if fact.durable else "consumer" if fact.type == "queue" else "subscriber"
            )
            type_ = kind if fact.client else f"{kind} of {fact.route or 'the server itself'}"
            hidden = "has one that is not shown" if fact.selector == "yes" else ""
            yield from _taken(
                fact,
                type_,
                f"{fact.type}:{fact.name}",
                fact.durable,
                known="observed",
                client=fact.client_id,
                user=fact.user,
                selector=hidden,
            )
        elif isinstance(fact, EmsServer):
            yield from _listeners(fact)
        elif isinstance(fact, EmsDestination) and fact.type == "queue":
            if fact.owner not in ("", fact.server):
                start = destination(fact.server, fact.name, "queue")
                yield leads_to(start, destination(fact.owner, fact.name, "queue"), "routed queue")
        elif isinstance(fact, EmsBridge):
            start = destination(fact.server, fact.source_name, fact.source_type)
            end = destination(fact.server, fact.target_name, fact.target_type)
            yield leads_to(start, end, "bridge", condition=fact.selector or fact.unread)


def _taken(
    fact: Fact,
    type_: str,
    taken: str,
    name: str,
    *,
    known: str,
    client: str = "",
    user: str = "",
    selector: str = "",
) -> Iterator[Thing | Tie]:
    return subscription(
        fact.server,
        type_,
        taken,
        name,
        fact.source,
        _pattern,
        known=known,
        durable=type_.startswith("durable"),
        client_id=client,
        user=user,
        selector=selector,
    )


def _pattern(topic: str) -> tuple[str, str]:
    """A topic or pattern as a regular expression, and the separator behind the name that it is for
    (R80).

    >>> _pattern("orders.*")
    ('orders\\\\.[^\\\\.]*\\\\.', '.')
    """
    if not is_wildcard(topic):
        return re.escape(topic) + r"\.", "."
    if topic == ">":
        return "(?s:.*)", "."
    *first, last = topic.split(".")
    # Only in last place a > stands for anything (R81).
    begin = of_elements(".".join(first), ".", "*", "", least=0) if first else ""
    return begin + of_elements(last, ".", "*", ">", least=1), "."


def _listeners(fact: EmsServer) -> Iterator[Thing | Tie]:
    for url in fact.listen:
        last = url.rpartition(":")[2].lstrip("/")
        yield Thing(
            "Listener",
            fact.server,
            url,
            fact.place("listen") if fact.source != Source("") else fact.source,
            values=(
                ("address", url),
                ("port", last if is_digits(last) else ""),
                ("tls", "ssl" if url.startswith("ssl:") else ""),
            ),
        )
