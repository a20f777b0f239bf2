"""Messages that were sent, and what became of them: the records of a simulated course of events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from topograph.findings import Source
from topograph.outcomes import Confidence
from topograph.records import record

Path = tuple[str, ...]

OUTCOME = {
    "accept": "accepted",
    "reject": "rejected",
    "release": "released",
    "modify": "modified",
    "hold": "unsettled",
}
"""What a receiver's way of settling comes to at the sender (M-7)."""


@record
class RouterSending:
    """A question: ``count`` messages from a sender at ``router``. ``burst`` sends all at once;
    else each waits for the outcome of the one before. ``subjects`` decide at exchanges (X-1):
    message *n* has entry *n* modulo their number, "" is none; without entries they are not
    known."""

    router: str
    address: str
    count: int = 1
    anonymous: bool = False
    presettled: bool = False
    burst: bool = False
    subjects: tuple[str, ...] = ()

    def subject(self, number: int) -> str | None:
        """The subject of a message, counted from 0: "" where it has none, None where it is not
        known.
        """
        return self.subjects[number % len(self.subjects)] if self.subjects else None


@record
class RouterDecision:
    """What one router decided about a message, and by which rule and line. ``kind`` and ``name``
    are what of the router decides: an address, an autolink, a link route, an exchange."""

    at: str
    text: str
    rule: str
    source: Source = Source("")
    kind: str = ""
    name: str = ""


@record
class Remark:
    """Something the reader has to know: the rule, the text, and for a reading the alternative
    (empty for a plain warning). ``about`` are the receivers that get nothing, and ``why`` the
    reason alone, where it says that.
    """

    rule: str
    confidence: Confidence
    text: str
    alternative: str = ""
    source: Source = Source("")
    about: tuple[str, ...] = ()
    why: str = ""


@record
class RouterDelivery:
    """One copy of a message at its end: a receiver, or a container (``broker`` and the
    ``address`` there). ``path`` lists the routers of the last leg, edges included; ``decisions``
    those of that leg."""

    receiver: str
    broker: str
    address: str
    path: Path
    decisions: tuple[RouterDecision, ...]
    source: Source = Source("")
    """Where the receiver is stated, or the autolink or link route to the container."""
    waited: bool = False
    """True if it waited in a container: it entered the network there, on an earlier or this
    message's account (W-3).
    """


Copy = tuple[RouterDelivery, str]
"""One copy and its outcome at the sender (M-7)."""


@record
class MessageSent:
    """One message: its outcome at the sender, and all its copies in order."""

    outcome: str
    deliveries: tuple[RouterDelivery, ...]


@record
class SentCourse:
    """One course of events: the messages in order, and what waits in containers at its end (broker,
    address, number).

    ``cut`` says where messages go round or become too many: there the course was not followed
    any further."""

    messages: tuple[MessageSent, ...]
    stored: tuple[tuple[str, str, int], ...] = ()
    cut: tuple[RouterDecision, ...] = ()

    @property
    def outcomes(self) -> dict[str, int]:
        """Outcome to number of messages."""
        return dict(Counter(message.outcome for message in self.messages))

    @property
    def received(self) -> dict[str, dict[Path, int]]:
        """Per receiver how many copies came over each path."""
        found: dict[str, dict[Path, int]] = {}
        for delivery in self._all():
            if delivery.receiver:
                paths = found.setdefault(delivery.receiver, {})
                paths[delivery.path] = paths.get(delivery.path, 0) + 1
        return found

    @property
    def deposited(self) -> dict[str, dict[str, int]]:
        """Per container and address there the number of messages that were stored."""
        found: dict[str, dict[str, int]] = {}
        for delivery in self._all():
            if delivery.broker:
                addresses = found.setdefault(delivery.broker, {})
                addresses[delivery.address] = addresses.get(delivery.address, 0) + 1
        return found

    def _all(self) -> Sequence[RouterDelivery]:
        return [delivery for message in self.messages for delivery in message.deliveries]
