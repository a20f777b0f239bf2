"""How facts of queue managers are asked for: few one by one, many all together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from topograph.facts import Fact
from topograph.facts.ibm_mq import Queue
from topograph.findings import Source
from topograph.systems.contract.ambiguities import Readings
from topograph.systems.fact_sources import FactList
from topograph.systems.ibm_mq.objects.fact_maps import MANY, Facts

QUEUES = tuple(
    Queue(
        bundle=f"{number}.mqsc",
        server=f"QM{number}",
        source=Source(f"{number}.mqsc", 1),
        name=f"Q{number}",
        noun="QLOCAL",
    )
    for number in range(MANY + 3)
)


@dataclass(frozen=True)
class Counting(FactList):
    """Facts that remember what they were asked for."""

    asked: list[object] = field(default_factory=list)

    def facts(
        self,
        kinds: Sequence[str] = (),
        server: str | Collection[str] = "",
        names: Collection[str] | None = None,
    ) -> Sequence[Fact]:
        self.asked.append(server or names)
        return super().facts(kinds, server, names)


def test_after_many_questions_for_one_server_all_facts_are_read_together() -> None:
    source = Counting(QUEUES)
    facts = Facts(source, Queue, Readings())
    assert [facts.of(queue.server) for queue in QUEUES] == [(queue,) for queue in QUEUES]
    assert source.asked == [*(queue.server for queue in QUEUES[:MANY]), None]


def test_after_many_questions_for_one_name_all_facts_are_read_together() -> None:
    source = Counting(QUEUES)
    facts = Facts(source, Queue, Readings())
    assert [facts.named([queue.label]) for queue in QUEUES] == [[queue] for queue in QUEUES]
    assert source.asked == [*([queue.label] for queue in QUEUES[:MANY]), None]


def test_what_was_asked_is_not_asked_again() -> None:
    source = Counting(QUEUES)
    facts = Facts(source, Queue, Readings())
    for _ in range(2):
        assert facts.of("QM1") == (QUEUES[1],)
        assert facts.named(["QLOCAL Q2", "QLOCAL none"]) == [QUEUES[2]]
    assert source.asked == ["QM1", ["QLOCAL Q2", "QLOCAL none"]]
