"""ML-02: transmission queue wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import channels_of, each, finding_at, queues_of
from topograph.systems.ibm_mq.objects.attributes import value
from topograph.systems.ibm_mq.objects.channels import SENDING
from topograph.systems.ibm_mq.routing.transmission import is_transmission_queue
from topograph.words.articles import with_article

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from topograph.facts.ibm_mq import Described
    from topograph.systems.ibm_mq.routing.lookup import Lookup

TRANSMISSION_QUEUE_UNUSABLE = FindingKind(
    "transmission-queue-unusable", Severity.ERROR, about="destination", bearing=Bearing("walked")
)
ML_02 = Rule(
    "ML-02",
    "Transmission queue wrong",
    "A transmission queue is missing, of another type, or without USAGE(XMITQ).",
    (TRANSMISSION_QUEUE_UNUSABLE,),
    check=True,
)


@lint(ML_02)
def transmission_queue_unusable(estate: Lookup) -> Iterator[Finding]:
    """ML-02: XMITQ of a remote queue or channel is missing, of another type, or not of
    USAGE(XMITQ) (M-03).
    """
    users: Iterable[Described] = (*queues_of(estate, "QREMOTE"), *channels_of(estate, *SENDING))
    return each(users, lambda one: _of_user(estate, one))


def _of_user(estate: Lookup, one: Described) -> Iterator[Finding]:
    name = value(one, "XMITQ")
    if not name:
        return
    queue = estate.network.queue(one.server, name)
    if queue is None:
        what = "does not exist"
    elif queue.noun != "QLOCAL":
        what = f"is {with_article(queue.noun)}"
    elif not is_transmission_queue(queue):
        what = "has USAGE(NORMAL)"
    else:
        return
    message = f"The transmission queue {name} of {one.name} {what}."
    yield finding_at(one, ML_02, message, "XMITQ")
