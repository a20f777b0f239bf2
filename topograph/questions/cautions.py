"""What answers have to say of the servers and systems that they are about, as cautions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from topograph.findings import Source
from topograph.forwarding.graph import OPEN, STANDBY, STOPPED, ForwardingGraph
from topograph.forwarding.servers import incomplete
from topograph.inexact import Cause, Doubt, Inexact, links_unresolved, not_loaded
from topograph.questions.answers.base import Caution
from topograph.questions.model import Model, Part
from topograph.systems.contract.system import System
from topograph.systems.registry import system

Reason = Doubt | tuple[str, Source]
"""A doubt, or its words and place where the loaded files do not show something."""

UNDECIDED_LISTED = 5
"""Reasons why an answer about the whole network is not exact that are named before the rest is
counted.
"""


def not_shown(undecided: Sequence[Reason]) -> list[Caution]:
    """Why an answer about the whole network is not exact: the first reasons, each by the rule
    that leaves it open, and how many more there are.
    """
    reasons = [Doubt(*each) for each in undecided]
    listed = [Caution(one.rule, one.because, one.source) for one in reasons[:UNDECIDED_LISTED]]
    if more := reasons[UNDECIDED_LISTED:]:
        listed.append(
            Caution(
                more[0].rule,
                f"the same holds for {len(more)} more; `topograph check` lists them",
                more[0].source,
            )
        )
    return listed


def inexact_where(
    graphs: Iterable[ForwardingGraph], undecided: Iterable[Reason]
) -> tuple[Inexact, ...]:
    """Why an answer is not exact that the loaded files leave open, of the reasons (with their
    places) that are given: of how many links it is not known where they lead, what else is not
    shown, and what a rule leaves open. Linear in the links."""
    reasons = [Doubt(*each) for each in undecided]
    ruled = [one.because for one in reasons if one.rule != Cause.NOT_LOADED]
    places = {one.source: one.because for one in reversed(reasons) if one.rule == Cause.NOT_LOADED}
    found: list[Inexact] = []
    for graph in graphs:
        links: dict[str, set[Source]] = {}
        for link in graph.links:
            if link.source in places and not link.carries and link.role not in (STANDBY, STOPPED):
                kind = system(graph.servers[link.a].system)
                links.setdefault(kind.wording.opened_by or kind.wording.link_noun, set()).add(
                    link.source
                )
        for noun, sources in sorted(links.items()):
            found.append(links_unresolved(len(sources), noun))
            places = {
                source: because for source, because in places.items() if source not in sources
            }
    if places:
        found.append(not_loaded([*dict.fromkeys(places.values())]))
    if ruled:
        found.append(not_loaded([*dict.fromkeys(ruled)], Cause.RULE))
    return tuple(found)


def incomplete_servers(graph: ForwardingGraph, servers: Iterable[int]) -> tuple[Caution, ...]:
    """A caution for every loaded server whose configuration is incomplete, by the rule of its
    system.
    """
    return tuple(
        Caution(
            system(graph.servers[n].system).citing.incomplete_rule,
            f"{graph.servers[n].name}: {graph.servers[n].incomplete}",
            graph.servers[n].source,
        )
        for n in incomplete(graph.servers, servers)
    )


def open_links(
    graph: ForwardingGraph, points: Collection[int] | None = None
) -> tuple[Caution, ...]:
    """A caution for every link of which a finding leaves open whether it comes up, with the line
    of the finding; with ``points`` for those that lead to one of these. Linear in the guards."""
    guards = graph.guards_of(OPEN)
    if points is not None and guards:
        guards &= {guard for point in points for guard in graph.points[point].guards}
    named = (graph.guards[number] for number in sorted(guards))
    return tuple(Caution("undetermined", one.text, one.source) for one in named)


def observed_stops(model: Model, part: Part, servers: Iterable[int]) -> tuple[Caution, ...]:
    """A caution for every link of these servers over which nothing went when it was observed.
    Linear in the findings, which are read only for systems that have such."""
    kinds = {name: system(name).citing.observed_stops for name in part.systems}
    if not any(kinds.values()):
        return ()
    names = {part.graph.servers[n].name for n in frozenset(servers)}
    stops = frozenset().union(*kinds.values())
    found = [one for one in model.records.findings if one.kind in stops and one.server in names]
    listed = [Caution(one.rule, one.message, one.source) for one in found[:CUT_OFF_LISTED]]
    if len(found) > CUT_OFF_LISTED:
        more = (
            f"{len(found) - CUT_OFF_LISTED:,} more links took nothing when they were "
            "observed: check lists them"
        )
        listed.append(Caution(found[0].rule, more))
    return tuple(listed)


CUT_OFF_LISTED = 10
"""Servers that are cut off which an answer names one by one."""


def cut_off(part: Part, servers: Iterable[int]) -> tuple[Caution, ...]:
    """A caution for every server of these that a setting of its own keeps out of the network,
    with the line of the setting.
    """
    why = part.paths.cut_off(part.graph)
    found = [why[number] for number in sorted(set(servers)) if number in why]
    listed = [Caution("cut-off", *each) for each in found[:CUT_OFF_LISTED]]
    if len(found) > CUT_OFF_LISTED:
        listed.append(
            Caution("cut-off", f"the same holds for {len(found) - CUT_OFF_LISTED} more servers")
        )
    return tuple(listed)


def doubled(system: System) -> tuple[Caution, ...]:
    """What an answer says where a server is reached over more than one path: nothing in a system
    that has nothing against it.
    """
    return (Caution(*system.citing.doubled),) if system.citing.doubled else ()


def long_replies(system: System) -> tuple[Caution, ...]:
    """What an answer says of replies over more than one link."""
    return (Caution(*system.citing.long_replies),) if system.citing.long_replies else ()
