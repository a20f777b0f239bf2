"""Members of clusters, and channels to queue managers outside of them, written as MQSC."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from topograph.network import Network
from topograph.questions.answers import TraceAnswer


def member(name: str, clusters: Mapping[str, str], *more: str) -> str:
    """A member of some clusters: for each the full repository that it refers to; ``itself`` makes
    it one of the two repositories, which refers to the other one."""
    lines = []
    full = [cluster for cluster, to in clusters.items() if to.startswith("itself ")]
    for cluster, to in clusters.items():
        other = to.removeprefix("itself ")
        lines += [
            f"DEFINE CHANNEL({cluster}.{name}) CHLTYPE(CLUSRCVR) CLUSTER({cluster}) "
            f"CONNAME('{name.lower()}(1414)')",
            f"DEFINE CHANNEL({cluster}.{other}) CHLTYPE(CLUSSDR) CLUSTER({cluster}) "
            f"CONNAME('{other.lower()}(1414)')",
        ]
    lines += [f"ALTER QMGR REPOS({cluster})" for cluster in full]
    return "\n".join([*lines, "ALTER QMGR DEADQ(DEAD)", "DEFINE QLOCAL(DEAD)", *more])


def link(here: str, there: str) -> tuple[str, str]:
    """A sender at one queue manager, whose transmission queue has the name of the other, and the
    receiver of it there."""
    name = f"{here}.{there}"
    return (
        f"DEFINE QLOCAL({there}) USAGE(XMITQ)\nDEFINE CHANNEL({name}) CHLTYPE(SDR) "
        f"XMITQ({there}) CONNAME('{there.lower()}(1414)')",
        f"DEFINE CHANNEL({name}) CHLTYPE(RCVR)",
    )


def hops(answer: TraceAnswer) -> list[str]:
    """The queue managers that a message gets to, in order."""
    return [step.to for step in answer.steps if step.to]


def over(answer: TraceAnswer) -> list[str]:
    """The transmission queues from which channels take a message, in order."""
    return [step.object for step in answer.steps if step.to]


def errors(network: Network) -> set[str]:
    """The rules of the errors and warnings that ``check`` finds."""
    rows: Iterable[Mapping[str, object]] = network.show("findings").rows
    return {str(row["rule"]) for row in rows if row["severity"] in ("error", "warning")}
