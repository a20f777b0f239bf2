"""Definitions that several tests of IBM MQ share."""

from __future__ import annotations

from topograph.questions.answers import TraceAnswer


def rules(answer: TraceAnswer) -> set[str]:
    found = {rule for step in answer.steps for rule in step.rule.split(", ")}
    return found | {one.rule for one in answer.assumptions}


LINK = "DEFINE QLOCAL(XQ) USAGE(XMITQ)\nDEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(XQ) CONNAME('b(1414)')"
"""A transmission queue at A with a channel to B."""
RECEIVER = "DEFINE CHANNEL(C) CHLTYPE(RCVR)"

DEAD = f"{LINK}\nDEFINE QREMOTE(R) RNAME(NONE) RQMNAME(B) XMITQ(XQ)"


def cluster(name: str, more: str = "", channel: str = "", *, repository: bool = False) -> str:
    """A member of the cluster C."""
    text = (
        f"DEFINE CHANNEL(TO.{name}) CHLTYPE(CLUSRCVR) CLUSTER(C) CONNAME('{name}(1414)') "
        f"{channel}\n{more}"
    )
    return f"ALTER QMGR REPOS(C)\n{text}" if repository else text
