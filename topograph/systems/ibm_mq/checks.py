"""The checks of IBM MQ: lint rules, stopped channels (M-11), queues that two files define (C-9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from topograph.findings import Finding
from topograph.rules.ibm_mq_findings import (
    C_9,
    CHANNEL_NOT_RUNNING,
    CHANNEL_STOPPED,
    DEFINED_IN_TWO_FILES,
    M_11,
)
from topograph.systems.contract.lint import lints
from topograph.systems.ibm_mq.checked import channels_of, queues_of
from topograph.systems.ibm_mq.objects.attributes import as_shown, place
from topograph.systems.ibm_mq.objects.channels import SENDING
from topograph.systems.ibm_mq.objects.united import effect
from topograph.systems.ibm_mq.routing.lookup import Lookup


def checks() -> Sequence[Callable[[Lookup], Iterable[Finding]]]:
    """Each check of a network."""
    rules = [one.find for one in lints("topograph.systems.ibm_mq.lint")]
    return [*rules, channel_stopped, defined_in_two_files]


def channel_stopped(estate: Lookup) -> Iterator[Finding]:
    """M-11: channels that were observed to be stopped, and nothing goes over them, or to be
    trying in vain.
    """
    for one in channels_of(estate, *SENDING, "RCVR", "RQSTR", "CLUSRCVR"):
        status = estate.network.stopped(one.server, one.name)
        if status is not None:
            where = f" on {as_shown(one, 'XMITQ')}" if as_shown(one, "XMITQ") else ""
            message = (
                f"Channel {one.name} ({one.channel_type}) was stopped when it was observed: "
                f"messages for it wait{where}."
            )
            yield M_11.at(status.source, message, kind=CHANNEL_STOPPED, server=one.server)
        elif estate.network.waiting(one.server, one.name):
            shown = next(
                each
                for each in estate.network.channel_status.of(one.server)
                if each.name == one.name
            )
            state = shown.get("STATUS").lower()
            message = (
                f"Channel {one.name} ({one.channel_type}) was {state} when it was observed: "
                "messages for it wait until it gets its connection."
            )
            yield M_11.at(shown.source, message, kind=CHANNEL_NOT_RUNNING, server=one.server)


def defined_in_two_files(estate: Lookup) -> Iterator[Finding]:
    """C-9: one queue object in two files of a queue manager that differ in what decides about
    routing; the one that is not used is cited.
    """
    seen: set[tuple[str, str]] = set()
    for one in queues_of(estate, "QLOCAL", "QALIAS", "QREMOTE", "QMODEL"):
        if (one.server, one.name) in seen:
            continue
        seen.add((one.server, one.name))
        used = estate.network.queue(one.server, one.name)
        for other in estate.network.objects_named(one.server, one.name):
            if used is not None and other is not used and effect(other) != effect(used):
                message = (
                    f"{other.label} of {other.server} is defined in {used.source}, too, and "
                    "not in the same way: that definition is used."
                )
                yield C_9.at(place(other), message, kind=DEFINED_IN_TWO_FILES, server=other.server)
