"""What a change leaves unknown that was known before, or that it touches. What is unknown in the
same way before and after is counted, not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from topograph.audit.verdict import unknown
from topograph.engines.memory import MemoryEngine
from topograph.findings import Source
from topograph.forwarding.graph import Closed, ForwardingGraph, Server
from topograph.outcomes import Outcome
from topograph.questions.answers.audit import LeftOpen, LinksChanged, ReachChanged
from topograph.questions.answers.base import Caution
from topograph.questions.answers.impact import OutcomeChanged
from topograph.systems import system_of

NAMED = 3
"""Cases of one kind that are named before the rest is counted."""

_OPEN = (Outcome.UNDETERMINED, Outcome.OPAQUE)


def new_unknowns(before: ForwardingGraph, after: ForwardingGraph) -> tuple[Sequence[LeftOpen], int]:
    """The servers of which less is known afterwards than before, and how many are unknown alike.
    Linear in the servers.
    """
    if before is after:
        return (), sum(map(_is_open, after.servers))
    found, alike = [], 0
    known = {(one.system, one.name): one for one in before.servers}
    loaded = {one.name: one for one in before.servers if one.loaded}
    there = {one.name for one in after.servers if one.loaded}
    for server in after.servers:
        was = known.get((server.system, server.name))
        if was is None and not server.loaded and server.name not in there:
            was = loaded.get(server.name)  # to the system that names it, it is one of its own
        because = _less_known(was, server)
        if because:
            found.append(unknown(because, server.source))
        elif was is not None and _is_open(server):
            alike += 1
    return found, alike


def _is_open(server: Server) -> bool:
    return not server.loaded or server.open_ended or bool(server.incomplete)


def _less_known(was: Server | None, now: Server) -> str:
    """Why less is known of a server than before; empty where no less is. Of a server that is only
    named now, its links tell what is open."""
    if not now.loaded:
        gone = was is not None and was.loaded
        return f"the files of {now.name} are gone, and others still name it" if gone else ""
    new = now.incomplete if was is None or now.incomplete != was.incomplete else ""
    if new:
        return f"{now.name}: {new}"
    if now.open_ended and (was is None or not was.open_ended):
        return f"{now.name} may have links that the loaded files do not show"
    return ""


def pairs_open(reach: ReachChanged) -> Iterator[LeftOpen]:
    """The pairs of servers that the change touches and of which nobody can say whether they reach
    each other.
    """
    number = reach.undetermined_count
    if number:
        shown = ", ".join(f"{start} to {end}" for start, end in reach.undetermined[:NAMED])
        more = ", ..." if number > NAMED else ""
        what = "1 pair of servers" if number == 1 else f"{number:,} pairs of servers"
        yield unknown(f"it is not known whether {what} still reach each other: {shown}{more}")


def outcomes_open(rows: Iterable[OutcomeChanged]) -> Iterator[LeftOpen]:
    """The messages whose end is not known any longer, or in another way than before."""
    for row in rows:
        new = [one for one in row.after if one.startswith(_OPEN) and one not in row.before]
        if new:
            text = (
                "it is not known what becomes of messages to "
                f"{row.destination} at {row.server}: {new[0]}"
            )
            yield unknown(text, row.source)


def undecided(cautions: Iterable[Caution]) -> Iterator[LeftOpen]:
    """What the comparison of deliveries left undecided."""
    for one in cautions:
        if one.rule == "undecided":
            yield unknown(one.message.removeprefix("undecided: "), one.source or Source(""))


def second_paths(after: ForwardingGraph, links: LinksChanged) -> Iterator[LeftOpen]:
    """The new links with which routes that no file shows may bring a second path, where a rule
    forbids that: what a command that creates the link is told, too. A walk.
    """
    rules = system_of(after).capabilities
    if rules.names is None or rules.cycles is None or not links.added:
        return
    doubt = rules.names().unknowns(after, MemoryEngine(after), Closed())
    if not doubt.open_ended:
        return
    for link in links.added:
        a, b = (after.server_number[name] for name in (link.from_, link.to))
        why = doubt.unreached(a, b)
        if why is not None:
            yield unknown(
                f"{why[0]}: with the new link between {link.from_} and {link.to} they may bring "
                "a second path",
                link.source,
            )
            return
