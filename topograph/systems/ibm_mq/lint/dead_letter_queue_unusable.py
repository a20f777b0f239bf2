"""ML-08: dead-letter queue wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import each
from topograph.systems.ibm_mq.routing.transmission import is_transmission_queue
from topograph.words.articles import with_article

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.systems.ibm_mq.objects.queue_managers import Manager
    from topograph.systems.ibm_mq.routing.lookup import Lookup

DEAD_LETTER_QUEUE_UNUSABLE = FindingKind(
    "dead-letter-queue-unusable", Severity.ERROR, about="server", bearing=Bearing("walked")
)
ML_08 = Rule(
    "ML-08",
    "Dead-letter queue wrong",
    "DEADQ names a queue that is not defined or not local.",
    (DEAD_LETTER_QUEUE_UNUSABLE,),
    check=True,
)


@lint(ML_08)
def dead_letter_queue_unusable(estate: Lookup) -> Iterator[Finding]:
    """ML-08 (M-13)."""
    return each(estate.network.managers.values(), lambda one: _of_manager(estate, one))


def _of_manager(estate: Lookup, manager: Manager) -> Iterator[Finding]:
    name = manager.get("DEADQ")
    if not name:
        return
    queue = estate.network.queue(manager.name, name)
    if queue is None or queue.noun != "QLOCAL" or is_transmission_queue(queue):
        what = (
            "does not exist"
            if queue is None
            else f"is not a local queue of USAGE(NORMAL) but {with_article(queue.noun)}"
        )
        yield ML_08.at(
            manager.place("DEADQ"), f"DEADQ names {name}, which {what}.", server=manager.name
        )
