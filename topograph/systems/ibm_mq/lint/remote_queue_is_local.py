"""ML-01: remote queue that is not remote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import each, finding_at, queues_of
from topograph.systems.ibm_mq.objects.attributes import value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.facts.ibm_mq import Queue
    from topograph.systems.ibm_mq.routing.lookup import Lookup

REMOTE_QUEUE_IS_LOCAL = FindingKind(
    "remote-queue-is-local", Severity.ERROR, about="destination", bearing=Bearing("walked")
)
ML_01 = Rule(
    "ML-01",
    "Remote queue that is not remote",
    "A remote definition has RNAME but no other queue manager.",
    (REMOTE_QUEUE_IS_LOCAL,),
    check=True,
)


@lint(ML_01)
def remote_queue_is_local(estate: Lookup) -> Iterator[Finding]:
    """ML-01: RNAME set and RQMNAME blank or local (M-02)."""
    return each(queues_of(estate, "QREMOTE"), _of_queue)


def _of_queue(one: Queue) -> Iterator[Finding]:
    manager = value(one, "RQMNAME")
    if value(one, "RNAME") and manager in ("", one.server):
        what = "is the local queue manager" if manager else "is blank"
        message = (
            f"RQMNAME of remote queue {one.name} {what}: every open of it fails with "
            "2087. It works only as an alias of a reply-to queue."
        )
        yield finding_at(one, ML_01, message, "RQMNAME")
