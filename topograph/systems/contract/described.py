"""What a system says of the texts that describe one server, so that two descriptions of it can be
told from two parts of one (``systems.several_estates``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from topograph.facts.fact import Fact
from topograph.findings import Source
from topograph.records import record


@record(slots=False)
class Described:
    """What one bundle says of a server: of what, by a key, and ``whole`` where it says all, so that
    what it does not say is not there. ``standby``: it may be one of the two members of a
    fault-tolerant pair, which are one server.
    """

    source: Source
    said: Mapping[Hashable, Hashable]
    whole: bool = True
    standby: bool = False

    def differs(self, other: Described) -> bool:
        """Whether not both can be of one server at one time. Linear."""
        if self.whole and other.whole:
            return self.said != other.said
        return any(self.said[key] != other.said[key] for key in self.said.keys() & other.said)


Describe = Callable[[Sequence[Fact]], Described | None]
"""Of the facts of one server in one bundle what they describe it as; None where they do not: output
of what it did, or a change of what another file makes."""

F = TypeVar("F", bound=Fact)


def one_of(facts: Iterable[Fact], cls: type[F]) -> F | None:
    """The first fact of a class."""
    return next((fact for fact in facts if isinstance(fact, cls)), None)


def contents(facts: Iterable[Fact]) -> Mapping[Hashable, Hashable]:
    """What facts say wherever they stand, by kind and name. Linear."""
    from topograph.facts.rows import encode, without_places

    found: dict[Hashable, list[str]] = {}
    for fact in facts:
        row = encode(fact)
        found.setdefault((fact.kind, row["name"]), []).append(without_places(row["payload"]))
    return {key: tuple(sorted(said)) for key, said in found.items()}
