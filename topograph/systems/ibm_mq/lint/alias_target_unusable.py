"""ML-05: alias leads nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ibm_mq.checked import each, finding_at, queues_of
from topograph.systems.ibm_mq.objects.attributes import keyword, value
from topograph.words.articles import with_article

if TYPE_CHECKING:
    from collections.abc import Iterator

    from topograph.facts.ibm_mq import Queue
    from topograph.systems.ibm_mq.routing.lookup import Lookup

ALIAS_TARGET_UNUSABLE = FindingKind(
    "alias-target-unusable", Severity.ERROR, about="destination", bearing=Bearing("walked")
)
ML_05 = Rule(
    "ML-05",
    "Alias leads nowhere",
    "An alias queue leads to another alias or to a missing target.",
    (ALIAS_TARGET_UNUSABLE,),
    check=True,
)


@lint(ML_05)
def alias_target_unusable(estate: Lookup) -> Iterator[Finding]:
    """ML-05 (M-05)."""
    return each(queues_of(estate, "QALIAS"), lambda one: _of_alias(estate, one))


def _of_alias(estate: Lookup, one: Queue) -> Iterator[Finding]:
    target = value(one, "TARGET")
    if keyword(one, "TARGTYPE") == "TOPIC":
        if not any(topic.name == target for topic in estate.network.topics.of(one.server)):
            estate.network.absent(one.server, ("TOPIC",), target, f"topic object {target}")
            yield finding_at(
                one,
                ML_05,
                f"Alias {one.name} names topic object {target}, which does not exist.",
                "TARGET",
            )
        return
    found = estate.network.queue(one.server, target) if target else None
    if found is None and not (target and estate.clusters.queues(one.server, target)):
        yield finding_at(
            one,
            ML_05,
            f"Alias {one.name} names {target or 'nothing'}, which does not exist.",
            "TARGET",
        )
    elif found is not None and found.noun in ("QALIAS", "QMODEL"):
        message = (
            f"Alias {one.name} names {target}, which is {with_article(found.noun)} of the same "
            "queue manager: 2001."
        )
        yield finding_at(one, ML_05, message, "TARGET")
