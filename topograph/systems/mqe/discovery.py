"""Queue discovery: whether a queue manager finds a queue at another one and makes a synchronous
remote definition of it (E-05, E-06).
"""

from __future__ import annotations

from topograph.assumptions import Assumption
from topograph.records import record
from topograph.systems.mqe.ambiguities import B1, B6
from topograph.systems.mqe.configuration import MqeConfiguration, MqeManager
from topograph.systems.mqe.connections import next_hop
from topograph.systems.mqe.resolution import resolve

DERIVED = Assumption(
    "E-06",
    "L",
    (
        "discovery needs a connection definition for the queue manager (d) and a queue that "
        "the other side finds by its own rules (e)"
    ),
    "discovery has other conditions too",
)


@record
class Discovery:
    """Whether discovery succeeds. ``failed`` is the letter of the condition of E-06 that does
    not hold, or ``B-1`` where discovery is turned off; ``code`` is that of the rejection,
    ``text`` says why in words, ``rules`` by which rules. ``unknown`` says what the loaded files
    do not tell."""

    failed: str = ""
    code: str = ""
    text: str = ""
    rules: str = ""
    unknown: str = ""
    assumptions: tuple[Assumption, ...] = ()

    @property
    def succeeds(self) -> bool:
        return not self.failed and not self.unknown


@record
class _Found:
    """Whether a queue manager finds a queue, None where that is not known; ``text`` says why it
    does not, or why it is not known.
    """

    does: bool | None
    text: str = ""


_DOES = _Found(True)


class Discoveries:
    """Discovery at all queue managers of a network. What the other side finds is kept, so that a
    long chain is gone through once.
    """

    def __init__(self, configuration: MqeConfiguration) -> None:
        self.configuration = configuration
        self._found: dict[tuple[str, str, str], _Found] = {}

    def at(self, here: MqeManager, queue: str, manager: str) -> Discovery:
        """Whether ``here`` discovers ``queue@manager``, which none of its queues takes."""
        refused, assumed = self._own_conditions(here, manager)
        if refused is not None:
            return refused
        hop = next_hop(self.configuration, here, manager)
        if hop.undecided:
            return Discovery(unknown=hop.undecided)
        if hop.problem:
            return Discovery(
                "d", "no_connection", hop.problem, "E-06 d", assumptions=(DERIVED, *hop.assumptions)
            )
        if hop.offline:
            return Discovery(
                "b", "no_connection", hop.offline, "E-06 b", assumptions=hop.assumptions
            )
        found = self._resolves(hop.to, queue, manager)
        if found.does is None:
            return Discovery(unknown=found.text, assumptions=assumed)
        if not found.does:
            text = f"{hop.to} finds no queue for {queue}@{manager}, because {found.text}"
            return Discovery(
                "e", "no_queue", text, "E-06 e", assumptions=(*assumed, *hop.assumptions, DERIVED)
            )
        return Discovery(assumptions=(*assumed, DERIVED))

    def _own_conditions(
        self, here: MqeManager, manager: str
    ) -> tuple[Discovery | None, tuple[Assumption, ...]]:
        """The conditions that need no look at another queue manager."""
        readings = self.configuration.readings
        if manager == here.name:
            return Discovery(
                "c", "no_queue", f"{manager} is the local queue manager", "E-06 c, E-08"
            ), ()
        if here.own.codebase == "c":
            return Discovery("a", "no_queue", f"{here.name} is of the C code base", "E-06 a"), ()
        if readings.takes(B1, "never"):
            never = "no queue manager discovers queues"
            return Discovery(
                "B-1", "no_queue", never, "B-1, E-06", assumptions=(readings.said(B1),)
            ), ()
        if here.own.discovery is False:
            return Discovery(
                "B-1", "no_queue", f"discovery is turned off at {here.name}", "B-1, E-06"
            ), ()
        if here.own.codebase:
            return None, ()
        text = f"{here.name}, whose code base is not stated, is of the Java code base"
        return None, (
            Assumption("E-06", "L", text, f"{here.name} discovers no queues and the put fails"),
        )

    def _resolves(self, start: str, queue: str, manager: str) -> _Found:
        """Whether ``start`` finds a queue by its own rules (E-06 e). Linear in the queue
        managers that ask each other in turn.
        """
        gone: list[tuple[str, str, str]] = []
        asked: set[tuple[str, str, str]] = set()
        key = start, queue, manager
        while True:
            if key in self._found:
                found = self._found[key]
                break
            if key in asked:
                found = _Found(False, f"{key[0]} asks for it again")
                break
            asked.add(key)
            gone.append(key)
            answer = self._asked(*key)
            if isinstance(answer, _Found):
                found = answer
                break
            key = answer
        self._found.update(dict.fromkeys(gone, found))
        return found

    def _asked(self, at: str, queue: str, manager: str) -> _Found | tuple[str, str, str]:
        """What one queue manager finds, or which one it asks in turn."""
        here = self.configuration.get(at)
        if here is None:
            return _Found(
                None,
                f"{at}, which would have to find {queue}@{manager}, is not among the loaded files",
            )
        meant = here.substitute(manager)
        if meant.in_circle and self.configuration.readings.takes(B6, "fails"):
            return _Found(
                False, f"the aliases of {manager} at {at} refer to each other in a circle (B-6)"
            )
        manager = manager if meant.in_circle else meant.target
        if resolve(here, queue, manager, self.configuration.readings).rule:
            return _DOES
        unread = _Found(None, f"{at}: {here.incomplete}")
        refused = self._own_conditions(here, manager)[0]
        if refused is not None:
            why = f"{at} has none" if refused.failed == "c" else refused.text
            return unread if here.unread else _Found(False, why)
        hop = next_hop(self.configuration, here, manager)
        if hop.undecided:
            return _Found(None, hop.undecided)
        if hop.trouble:
            return unread if here.unread else _Found(False, hop.trouble)
        return hop.to, queue, manager
