"""What name resolution looks at, and what each of its rows rests on."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from topograph.assumptions import Assumption
from topograph.systems.ibm_mq.objects.attributes import NOUNS
from topograph.systems.ibm_mq.objects.channels import Channels
from topograph.systems.ibm_mq.objects.clusters import Clusters
from topograph.systems.ibm_mq.objects.queue_managers import MqNetwork
from topograph.systems.ibm_mq.routing.ways import PutRefused


@dataclass(frozen=True)
class Lookup:
    """What the rules look at: objects, clusters and channels of a network. ``copies`` is why
    copies that were asked about are refused, None for those that are not."""

    network: MqNetwork
    clusters: Clusters
    channels: Channels
    copies: dict[Hashable, PutRefused | None] = field(default_factory=dict, compare=False)


STATED = frozenset({"NR2", "NR5", "NR6", "NR10", "NR11", "NR12", "NR13"})
"""The rows of name resolution that lead on and that stand in the table of the topic "Name
resolution" of the documentation (q025990_), whether ObjectQMgrName is blank or not."""

STATED_OF_BLANK = frozenset({"NR8"})
"""Those that stand there for a blank ObjectQMgrName only."""


def is_stated(row: str, *, blank: bool = False) -> bool:
    """Whether the documentation states a row of name resolution; ``blank``: of a blank
    ObjectQMgrName.

    >>> is_stated("NR5, M-05"), is_stated("NR8"), is_stated("NR8", blank=True), is_stated("NR7")
    (True, False, True, False)
    """
    number = row.partition(",")[0]
    return number in STATED or (blank and number in STATED_OF_BLANK)


def c1(row: str, *, blank: bool = False) -> tuple[Assumption, ...]:
    """C-1: what a row of name resolution that no document states rests on; nothing for one that
    is stated.
    """
    if is_stated(row, blank=blank):
        return ()
    number = row.partition(",")[0]
    text = f"row {number} of name resolution rests on general product knowledge"
    return (
        Assumption(
            "C-1",
            "M",
            text,
            "the queue manager resolves the name another way, as dspmqrte there would show",
        ),
    )


@contextmanager
def of_row(row: str) -> Iterator[None]:
    """Names the row of name resolution in whatever is refused by one of its checks."""
    try:
        yield
    except PutRefused as refused:
        refused.rule = f"{row}, {refused.rule}"
        raise


def absence(estate: Lookup, server: str, what: str, name: str) -> tuple[Assumption, ...]:
    """What it rests on that a queue manager has no queue object of a name: that it does not stand
    in what could not be read, and what the coverage of its files says. Raises NotShownHere."""
    manager = estate.network.managers[server]
    unread = [
        Assumption(
            "C-11", "L", f"{server} has no {what}", f"it stands in what was not read: {text}"
        )
        for text in manager.unread
    ]
    none = estate.network.absent(server, NOUNS, name, f"queue {name}")
    if none and not estate.network.queues.of(server):
        text = f"{server} has no {what}: the loaded files show no queue of it"
        none = (Assumption("C-11", "L", text, "they leave its queues out"),)
    return (*unread, *none)
