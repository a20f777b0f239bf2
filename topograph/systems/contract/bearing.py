"""What findings do to links, before anything is compiled (``FindingKind.bearing``).

A finding that is decided from facts may say that a server does not start, or that a link does
not come up (``stops``) or may not (``opens``). A system gives what its rules found as
``Concerned``, and ``effects`` works out what becomes of each link::

    found = [Concerned(TL_21, finding, server="NORTH", other="SOUTH")]
    effects({("NORTH", "SOUTH"): ("NORTH",)}, found)

The system then writes the effect where it makes the link: a guard that never holds, or one of kind
``forwarding.graph.OPEN``. Nothing else reads findings to decide about messages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from topograph.findings import Finding, Source
from topograph.records import record
from topograph.rules import FindingKind

Ends = tuple[str, str]
"""The names of the two ends of a link, in order."""


@record
class Concerned:
    """A finding, and what it is about: ``server`` as a whole where ``other`` is empty, else the
    link that ``server`` configures to ``other``.
    """

    kind: FindingKind
    finding: Finding
    server: str
    other: str = ""

    @property
    def acts(self) -> bool:
        """Whether its bearing takes anything away from what is certain."""
        return self.kind.bearing is not None and self.kind.bearing.effect in ("stops", "opens")


@record
class Effect:
    """What becomes of a link: it does not come up (``stops``), or whether it does is not known;
    in words, and by which rule and line.
    """

    stops: bool
    because: str
    rule: str
    source: Source


def effects(
    links: Mapping[Ends, Collection[str]], found: Iterable[Concerned]
) -> dict[Ends, Effect]:
    """By link what findings do to it; links with the servers that configure them.

    What concerns a server concerns all of its links. A link that both ends configure comes up if
    either side gets it up: it is stopped only if both are, and left open only if neither is
    without a finding. Of several the first counts that stops, else the first. Linear.
    """
    of_server: dict[str, list[Concerned]] = defaultdict(list)
    of_side: dict[Ends, list[Concerned]] = defaultdict(list)
    for one in found:
        if one.acts:
            (of_side[one.server, one.other] if one.other else of_server[one.server]).append(one)
    result: dict[Ends, Effect] = {}
    if not of_server and not of_side:
        return result
    for ends, configured_by in links.items():
        worst = [effect for end in ends if (effect := _worst(of_server[end]))]
        sides = [
            _worst(of_side[side, ends[1] if side == ends[0] else ends[0]])
            for side in sorted(configured_by)
        ]
        if sides and None not in sides:
            # The side that comes nearest to getting it up decides.
            worst += sorted((one for one in sides if one), key=lambda one: one.stops)[:1]
        if worst:
            result[ends] = min(worst, key=lambda one: not one.stops)
    return result


def effects_on_servers(found: Iterable[Concerned]) -> dict[str, Effect]:
    """By server what findings do to it as a whole. Linear."""
    of_server: dict[str, list[Concerned]] = defaultdict(list)
    for one in found:
        if one.acts and not one.other:
            of_server[one.server].append(one)
    return {name: effect for name, all_ in of_server.items() if (effect := _worst(all_))}


def _worst(found: Sequence[Concerned]) -> Effect | None:
    """The effect of several findings on one thing: the first that stops it, else the first."""
    if not found:
        return None
    one = min(found, key=_opens)
    because = one.finding.message.rstrip(".")
    return Effect(not _opens(one), because, one.finding.rule, one.finding.source)


def _opens(one: Concerned) -> bool:
    return one.kind.bearing is None or one.kind.bearing.effect == "opens"
