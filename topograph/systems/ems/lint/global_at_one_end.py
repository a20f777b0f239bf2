"""TL-03: a topic that is global at one end of a route."""

from __future__ import annotations

from typing import TYPE_CHECKING

from topograph.findings import Finding, Severity
from topograph.rules import Bearing, FindingKind, Remedy, Rule
from topograph.systems.contract.lint import lint
from topograph.systems.ems.checked import Checked, listed, topic_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from topograph.systems.ems.destinations.guards import ServerSettings
    from topograph.systems.ems.network.links import EmsLink

GLOBAL_AT_ONE_END = FindingKind(
    "global-at-one-end",
    Severity.WARNING,
    Remedy(
        "Make the topic global at {server} too, or at neither end.",
        "Messages on it do not cross the route to {server}.",
    ),
    about="direction",
    bearing=Bearing("walked"),
)
GLOBAL_IN_PART_AT_ONE_END = FindingKind(
    "global-in-part-at-one-end",
    Severity.WARNING,
    Remedy(
        "Make the same topics global at {server}.",
        "The topics that are not global at {server} do not cross the route.",
    ),
    about="direction",
    bearing=Bearing("walked"),
)
TL_03 = Rule(
    "TL-03",
    "Global on one side only",
    "The topic is global at one end of a route only, so the route does not carry it.",
    (
        GLOBAL_AT_ONE_END,
        GLOBAL_IN_PART_AT_ONE_END,
    ),
    check=True,
)


@lint(TL_03)
def global_at_one_end(checked: Checked) -> Iterator[Finding]:
    """Topics global at one end that meet no global topic of the other, or not with all
    their names (R42); one finding of each kind a link and direction."""
    for link in checked.estate.links:
        yield from _of(link, checked.known)


def _of(link: EmsLink, known: Mapping[str, ServerSettings]) -> Iterator[Finding]:
    if not all(end in known and not known[end].topics_missing for end in link.ends):
        return
    for here, there in (link.ends, link.ends[::-1]):
        others = known[there].global_set
        own = sorted(known[here].global_names - known[there].global_names)
        lone: list[str] = []
        met: list[str] = []
        for pattern in own:
            (met if others.overlaps(pattern) else lone).append(pattern)
        if lone:
            yield TL_03.at(
                topic_source(known[here], lone[0]),
                f"{listed(lone)} {'is' if len(lone) == 1 else 'are'} global at {here} "
                f"and not at {there}: "
                "not carried by the route between them.",
                kind=GLOBAL_AT_ONE_END,
                server=there,
            )
        partly = [pattern for pattern in met if not others.covers(pattern)]
        if partly:
            meets = others.overlapping(partly[0])
            yield TL_03.at(
                topic_source(known[here], partly[0]),
                f"{listed(partly)} {'is' if len(partly) == 1 else 'are'} global at "
                f"{here} and only in part at {there} "
                f"({listed(meets)} of {partly[0]}): the route between them does not "
                "carry the other topics.",
                kind=GLOBAL_IN_PART_AT_ONE_END,
                server=there,
            )
