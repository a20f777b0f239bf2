"""ML-03: no channel reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import each, finding_at, queues_of
from topograph.systems.ibm_mq.objects.attributes import value
from topograph.systems.ibm_mq.objects.channels import SENDING
from topograph.systems.ibm_mq.routing.transmission import is_transmission_queue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.facts.ibm_mq import Queue
    from topograph.systems.ibm_mq.routing.lookup import Lookup

TRANSMISSION_QUEUE_WITHOUT_CHANNEL = FindingKind(
    "transmission-queue-without-channel",
    Severity.WARNING,
    Remedy(
        "Define a sender channel for the queue, or remove it.",
        "Messages put on it stay there.",
    ),
    about="destination",
    bearing=Bearing("walked"),
)
ML_03 = Rule(
    "ML-03",
    "No channel reads it",
    "No channel reads the transmission queue: messages stay on it.",
    (TRANSMISSION_QUEUE_WITHOUT_CHANNEL,),
    check=True,
)


@lint(ML_03)
def transmission_queue_without_channel(estate: Lookup) -> Iterator[Finding]:
    """ML-03 (M-11)."""
    return each(queues_of(estate, "QLOCAL"), lambda one: _of_queue(estate, one))


def _of_queue(estate: Lookup, one: Queue) -> Iterator[Finding]:
    if not is_transmission_queue(one) or one.name.startswith("SYSTEM.") or value(one, "CLCHNAME"):
        return
    if not estate.channels.readers(one.server, one.name):
        estate.network.absent(one.server, SENDING, "", "channels")
        message = (
            f"No channel of {one.server} reads the transmission queue {one.name}: messages "
            "stay on it, unless a program takes them. Name the queue in XMITQ of a sender or "
            "server channel, or delete it."
        )
        yield finding_at(one, ML_03, message)
