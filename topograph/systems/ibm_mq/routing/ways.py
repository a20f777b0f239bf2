"""How steps of IBM MQ are written down: rejections with their reason codes, and ways under a
condition on the message.
"""

from __future__ import annotations

from collections.abc import Iterable

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.graph import UNDECIDED, Guard
from topograph.message import Message, Properties
from topograph.outcomes import Confidence, Truth
from topograph.tracing.states import State, Transition, Verdict, Way
from topograph.tracing.trace import Ending

REASONS = {
    2001: "MQRC_ALIAS_BASE_Q_TYPE_ERROR",
    2051: "MQRC_PUT_INHIBITED",
    2053: "MQRC_Q_FULL",
    2057: "MQRC_Q_TYPE_ERROR",
    2082: "MQRC_UNKNOWN_ALIAS_BASE_Q",
    2085: "MQRC_UNKNOWN_OBJECT_NAME",
    2087: "MQRC_UNKNOWN_REMOTE_Q_MGR",
    2091: "MQRC_XMIT_Q_TYPE_ERROR",
    2092: "MQRC_XMIT_Q_USAGE_ERROR",
    2184: "MQRC_REMOTE_Q_NAME_ERROR",
    2189: "MQRC_CLUSTER_RESOLUTION_ERROR",
    2196: "MQRC_UNKNOWN_XMIT_Q",
    2197: "MQRC_UNKNOWN_DEF_XMIT_Q",
    2198: "MQRC_DEF_XMIT_Q_TYPE_ERROR",
    2199: "MQRC_DEF_XMIT_Q_USAGE_ERROR",
    2268: "MQRC_CLUSTER_PUT_INHIBITED",
    2270: "MQRC_NO_DESTINATIONS_AVAILABLE",
}
"""The reason codes that resolution ends with."""

L = Confidence.L
M = Confidence.M
H = Confidence.H


class PutRefused(Exception):
    """A put that a queue manager refuses: reason code, why, and the evidence. ``not_known`` says
    what no loaded file shows, where that decides.
    """

    def __init__(
        self,
        code: int,
        why: str,
        rule: str,
        source: Source,
        *,
        confidence: Confidence = H,
        assumptions: Iterable[Assumption] = (),
        not_known: str = "",
    ) -> None:
        super().__init__(why)
        self.not_known = not_known
        self.code, self.why, self.rule, self.source = code, why, rule, source
        self.confidence, self.assumptions = confidence, tuple(assumptions)


def one_way(
    to: State | Ending,
    text: str,
    rule: str,
    source: Source,
    *,
    confidence: Confidence = H,
    assumptions: Iterable[Assumption] = (),
) -> Transition:
    """The transition of a state that has one way."""
    return Transition((Way(to, text, rule, confidence, source),), tuple(assumptions))


NONPERSISTENT = Guard("nonpersistent", "persistence", "the message is not persistent")


def undecided(name: str, because: str, source: Source) -> Guard:
    """A condition that the loaded files do not decide."""
    return Guard(f"undecided/{name}", UNDECIDED, because, source=source)


def selecting(selector: str, source: Source) -> Guard:
    """The selector of a subscription."""
    return Guard(f"selector/{selector}", "selector", selector, source=source)


def is_persistent(message: Message) -> bool | None:
    """Whether a message is persistent, as its sender says (by an option, or by JMSDeliveryMode)
    or, of one that comes over a link, by its reliability; None where nothing says it.
    """
    if message.persistent is not None:
        return message.persistent
    mode = message.properties.get("JMSDeliveryMode")
    if mode is not None:
        return mode == "PERSISTENT"
    reliability = message.reliability.upper()
    if reliability.endswith("PERSISTENT"):
        return not reliability.endswith("NONPERSISTENT")
    return None


def _for_selectors(message: Message) -> Properties:
    """The properties as a selector sees them: an option that says whether the message is
    persistent sets JMSDeliveryMode.
    """
    if message.persistent is None:
        return message.properties
    mode = "PERSISTENT" if message.persistent else "NON_PERSISTENT"
    return {**message.properties, "JMSDeliveryMode": mode}


def evaluate(guard: Guard, message: Message) -> Verdict:
    """Whether a guard holds for a message."""
    match guard.kind:
        case "persistence":
            persistent = is_persistent(message)
            if persistent is None:
                note = (
                    "whether the message is persistent is not given: use --persistent or "
                    "--nonpersistent"
                )
                return Verdict(Truth.UNKNOWN, known=False, note=note)
            return Verdict(Truth.FALSE if persistent else Truth.TRUE)
        case "selector":
            from topograph.errors import InvalidSelector
            from topograph.selectors import parse

            try:
                judged = parse(guard.text).evaluate(_for_selectors(message))
            except InvalidSelector:
                return Verdict(
                    Truth.UNKNOWN, known=False, note=f"the selector {guard.text} cannot be read"
                )
            return Verdict(judged)
        case _:
            return Verdict(Truth.UNKNOWN, known=False, note=guard.text)
