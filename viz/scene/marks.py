"""What an answer says of each server and link of a picture: marks, notes, paths with numbered
steps, and the links where messages end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from topograph.errors import NotApplicable
from topograph.judgement import Condition, Told
from topograph.outcomes import Outcome, Truth
from topograph.questions.answers import (
    Answer,
    AuditAnswer,
    CyclesAnswer,
    Delivery,
    Duplicate,
    End,
    HopsAnswer,
    ImpactAnswer,
    PathsAnswer,
    PropagateAnswer,
    ReachAnswer,
    ReachedServer,
    RedundantPaths,
    Ring,
    ServicesAnswer,
    Step,
    TraceAnswer,
)
from topograph.questions.texts.extent import as_far
from topograph.questions.texts.layout import count, listed, zones
from topograph.questions.texts.messages import is_published, who
from topograph.questions.texts.walks import REASONS
from topograph.viz.scene.audited import audited
from topograph.viz.scene.failed import failed
from topograph.viz.scene.judged import FIRST, Claim, mark_of, of_fate, of_reached, of_stop
from topograph.viz.scene.marking import Marking, Said, only_for, over, why_open
from topograph.viz.scene.recipient_ways import RecipientWays
from topograph.viz.scene.records import BlockDrawn, GroupDrawn, LinkDrawn, Mark, RowDrawn
from topograph.viz.scene.served import served
from topograph.viz.scene.traced import traced
from topograph.viz.scene.why_not import why_not

_LEAVES_OPEN = (ReachAnswer, HopsAnswer, PathsAnswer, PropagateAnswer, TraceAnswer)
"""Answers that list the servers which the loaded files leave open."""

PATHS_SHOWN = 12
"""Deliveries up to which all paths are shown with their steps; of more, each is there to be
looked at alone.
"""

RINGS_DRAWN = 100
"""Rings that are listed, each with an example that can be looked at; all servers and links
concerned are marked.
"""

RING_ROUTES = 200
"""Routes of a ring that are listed."""


def mark(
    answer: Answer | None,
    servers: Sequence[str],
    links: Sequence[LinkDrawn],
    label: Callable[[str, str], str] = lambda _, name: name,
    unloaded: Collection[str] = (),
) -> Said:
    """What ``answer`` says of these servers and links; nothing where it is None. ``label`` is what
    a server of a system is called, ``unloaded`` are the servers without files. Raises NotApplicable
    for an answer without a picture.

    Linear in the answer."""
    if answer is None:
        return Said()
    if type(answer) not in _MARKERS:
        known = ", ".join(sorted({kind.question for kind in _MARKERS}))
        raise NotApplicable(
            f"There is no picture of this answer of {answer.question}; pictures are of {known}."
        )
    marking = Marking(servers, links, label, unloaded)
    _MARKERS[type(answer)](answer, marking)
    if isinstance(answer, _LEAVES_OPEN):
        marking.needed(answer.undetermined)
    if isinstance(answer, (ReachAnswer, HopsAnswer, PathsAnswer, CyclesAnswer)):
        marking.passed()
    return marking.said


def mark_legality(
    verdict: CyclesAnswer | None, servers: Sequence[str], links: Sequence[LinkDrawn]
) -> Said:
    """What the picture of a network says of its rings, where it is illegal: every link of each,
    and which may be refused. Linear in the routes of the rings."""
    marking = Marking(servers, links)
    if verdict is not None and verdict.legal is False:
        by_name = _by_name(marking)
        for ring in verdict.rings:
            if ring.pairs:
                _ring(ring, by_name, marking)
    return marking.said


def _by_name(marking: Marking) -> Mapping[str, Sequence[LinkDrawn]]:
    """The links by their ends in alphabetical order, as answers name routes."""
    found: dict[str, list[LinkDrawn]] = {}
    for link in marking.all_links:
        found.setdefault("-".join(sorted(link.ends)), []).append(link)
    return found


def _reach(answer: ReachAnswer, marking: Marking) -> None:
    said = marking.said
    one = answer.to is not None
    for entry in answer.servers:
        marking.path(
            (
                f"{'from' if answer.reply else 'to'} {entry.server}, "
                f"{_figures(entry)}{only_for(entry.steps)}"
            ),
            entry.path,
            entry.steps,
            shown=one,
        )
        told = of_reached(entry)
        note = f"{'its reply arrives' if answer.reply else 'reached'} in {_figures(entry)}"
        chosen = "" if told is Told.YES else ", later" if told is Told.LATER else CHOSEN
        state = mark_of(Claim.TARGET if one else Claim.REACHED, told)
        marking.server(entry.server, state, f"{note}{chosen}")
    for name in answer.unreachable:
        none = "no reply arrives" if answer.reply else "not reached"
        marking.server(
            name,
            mark_of(Claim.REACHED, Told.NO),
            f"{none}{as_far(answer)}",
        )
    marking.undetermined(answer.undetermined)
    marking.blocks(
        answer.stopped,
        answer.undetermined,
        None if one else {entry.server for entry in answer.servers},
    )
    marking.asked(answer.from_, "asked from")
    why_not(answer, said)
    if answer.to is None:
        said.title = (
            f"From which servers does a reply reach {answer.from_}?"
            if answer.reply
            else f"Which servers does a message published at {answer.from_} reach?"
        )
        said.named = (answer.from_,)
        return
    said.title = (
        f"Does a reply of {answer.to} reach {answer.from_}, and over which path?"
        if answer.reply
        else f"Does {answer.from_} reach {answer.to}, and over which path?"
    )
    way = answer.servers[0].path if answer.servers else ()
    said.named = (answer.from_, answer.to, *way)


def _figures(entry: ReachedServer) -> str:
    by_zone = zones(entry.zone_hops)
    cost = f", cost {entry.cost}" if entry.cost is not None else ""
    return f"{count(entry.hops, 'hop')}{f' ({by_zone})' if by_zone else ''}{cost}"


def _hops(answer: HopsAnswer, marking: Marking) -> None:
    said = marking.said
    said.title = f"How many hops is it from {answer.from_} to {answer.to}?"
    way: tuple[str, ...] = ()
    told, waits = (Told.LATER, ", later") if answer.later else (Told.YES, "")
    if answer.reachable is True and answer.route_hops is None:
        none = f"reached{waits}; the shortest path was not found"
        marking.server(answer.to, mark_of(Claim.TARGET, told), none)
    elif answer.reachable is True:
        by_zone = zones(answer.zone_hops)
        cost = f", cost {answer.cost}" if answer.cost is not None else ""
        figures = (
            f"{count(answer.route_hops or 0, 'hop')}{f' ({by_zone})' if by_zone else ''}{cost}"
        )
        marking.server(answer.to, mark_of(Claim.TARGET, told), f"reached in {figures}{waits}")
        if answer.steps:
            marking.path(
                f"to {answer.to}, {figures}{only_for(answer.steps)}", answer.path, answer.steps
            )
            way = answer.path
    elif answer.reachable is False:
        none = f"not reached{as_far(answer)}"
        marking.server(answer.to, mark_of(Claim.TARGET, Told.NO), none)
    else:
        marking.server(answer.to, Mark.UNDETERMINED, "cannot be decided")
        marking.undetermined(answer.undetermined)
    marking.blocks(answer.stopped, answer.undetermined)
    marking.asked(answer.from_, "asked from")
    said.named = (answer.from_, answer.to, *way)


def _paths(answer: PathsAnswer, marking: Marking) -> None:
    said = marking.said
    said.title = f"Which paths lead from {answer.from_} to {answer.to}?"
    for number, path in enumerate(answer.paths, 1):
        cost = f", cost {path.cost}" if path.cost is not None else ""
        by_zone = zones(path.zone_hops)
        figures = f"{count(path.route_hops, 'hop')}{f' ({by_zone})' if by_zone else ''}{cost}"
        unsure = "" if path.certain else ", later" if path.later else ", not certain"
        title = f"path {number}: {figures}{over(path.steps)}{unsure}{only_for(path.steps)}"
        marking.path(title, path.servers, path.steps)
    if answer.paths:
        told = _of_paths(answer)
        words = f"reached over {count(len(answer.paths), 'path')}"
        if told is Told.ONE_OF:
            words = f"{words}, not for certain"
        if told is Told.LATER:
            words = f"{words}, later"
        if told is Told.UNKNOWN:
            words = "cannot be decided"
        marking.server(answer.to, mark_of(Claim.TARGET, told), words)
    else:
        told = Told.NO if answer.exact else Told.NOT_LOOKED_AT
        none = "no permitted path" if answer.exact else "no permitted path found"
        marking.server(answer.to, mark_of(Claim.TARGET, told), none)
    if not answer.paths:
        marking.undetermined(answer.undetermined)
    marking.blocks(answer.stopped, () if answer.paths else answer.undetermined)
    marking.asked(answer.from_, "asked from")
    said.named = (
        answer.from_,
        answer.to,
        *(server for path in answer.paths for server in path.servers),
    )


def _of_paths(answer: PathsAnswer) -> Told:
    """How certain it is that some path leads there: what the surest of them says."""
    each = {of_reached(path) for path in answer.paths}
    if Told.YES in each:
        return Told.YES
    if answer.undetermined:
        return Told.UNKNOWN
    return Told.LATER if Told.LATER in each else Told.ONE_OF


def _redundant(
    part: RedundantPaths, by_name: Mapping[str, Sequence[LinkDrawn]], marking: Marking
) -> None:
    for name in part.routers:
        marking.server(
            name,
            Mark.REDUNDANT,
            f"joined by more than one path with {count(len(part.routers) - 1, 'other router')}",
        )
    for words in part.links:
        for link in by_name.get(words, ()):
            marking.link(link, Mark.REDUNDANT, "part of a redundant path")


def _cycles(answer: CyclesAnswer, marking: Marking) -> None:
    said = marking.said
    strictly = " (checked strictly)" if answer.strict else ""
    said.title = f"Does any server have more than one path to another{strictly}?"
    by_name = _by_name(marking)
    for part in answer.redundant:
        _redundant(part, by_name, marking)
    wanted = {part.system for part in answer.redundant}
    for ring in answer.rings:
        if ring.system in wanted or not ring.pairs:
            continue
        _ring(ring, by_name, marking)
    for circle in answer.circles:
        for way in circle.ways if circle.certain else ():
            for link in by_name.get("-".join(sorted((way.from_, way.to))), ()):
                marking.link(link, mark_of(Claim.ILLEGAL), "messages go round for ever over it")
    examples = _examples(answer)
    names: dict[str, dict[str, tuple[str, ...]]] = {}
    for duplicate in answer.duplicates:
        names.setdefault(duplicate.server, {})[duplicate.name] = duplicate.via
        if not answer.rings:
            for words in duplicate.routes:
                for link in by_name.get(words, ()):
                    marking.link(link, mark_of(Claim.ILLEGAL), _REFUSABLE)
    for number, (duplicate, others) in enumerate(examples[:RINGS_DRAWN]):
        # Two paths collide: they are looked at at once. Where there are more, each is looked at
        # alone.
        title = f"{duplicate.name} at {duplicate.server}"
        more = f" (of {others + 1:,} names)" if others else ""
        together = f"{title}{more}" if len(duplicate.paths) == 2 else ""
        for path in duplicate.paths:
            last = path[-2] if len(path) > 1 else path[0]
            marking.configured_path(
                f"{title} via {last}", path, shown=number == 0, together=together
            )
    for server, held in names.items():
        (name, via), *left = held.items()
        twice = f", and {count(len(left), 'other name')} twice" if left else ""
        marking.server(
            server, mark_of(Claim.ILLEGAL), f"would hold {name} via {listed(via)}{twice}"
        )
    if len(examples) > RINGS_DRAWN:
        said.facts.append(
            (
                "note",
                f"An example is drawn for the first {RINGS_DRAWN} of {len(examples):,} rings; "
                "all servers and links concerned are marked.",
            )
        )
    said.named = tuple(
        dict.fromkeys(
            s for duplicate in answer.duplicates for path in duplicate.paths for s in path
        )
    )


_REFUSABLE = "after a restart this route may be the one that is refused"


def _ring(ring: Ring, by_name: Mapping[str, Sequence[LinkDrawn]], marking: Marking) -> None:
    """All routes of a ring, marked as one; those that may be refused are listed, where any may."""
    refusable = [route for route in ring.routes if route.refusable] or ring.routes
    refused = {(route.from_, route.to) for route in refusable}
    title = (
        f"Ring of {count(len(ring.servers), 'server')}"
        if ring.cycles == 1
        else f"{count(len(ring.servers), 'server')} in rings that share routes"
    )
    words = f"{title[0].lower()}{title[1:]}"
    for route in ring.routes:
        note = f"{words}: {_REFUSABLE}" if (route.from_, route.to) in refused else words
        for link in by_name.get("-".join(sorted((route.from_, route.to))), ()):
            marking.link(link, mark_of(Claim.ILLEGAL), note)
    if len(marking.said.groups) < RINGS_DRAWN:
        rows = tuple(
            RowDrawn((route.from_, route.to), "", source=route.source, joint="and")
            for route in refusable[:RING_ROUTES]
        )
        unit = count(len(refusable), "route")
        cut = len(refusable) > RING_ROUTES
        marking.said.groups.append(
            GroupDrawn(title, Mark.DUPLICATE, rows, len(refusable), unit, cut)
        )


def _examples(answer: CyclesAnswer) -> list[tuple[Duplicate, int]]:
    """For each ring the first name that arrives twice because of it, and how many others do; each
    name that is in no ring. Linear in routes and names."""
    ring_of = {
        (ring.system, *ends): number
        for number, ring in enumerate(answer.rings)
        for route in ring.routes
        for ends in ((route.from_, route.to), (route.to, route.from_))
    }
    found: dict[object, tuple[Duplicate, int]] = {}
    for one in answer.duplicates:
        ring: object = ring_of.get((one.system, one.server, one.via[0]), one)
        first, others = found.get(ring, (one, -1))
        found[ring] = first, others + 1
    return list(found.values())


def _propagate(answer: PropagateAnswer, marking: Marking) -> None:
    said = marking.said
    destination = str(answer.message.get("destination", ""))
    sent = "published" if is_published(destination) else "sent"
    said.title = (
        f"Who gets a message to {destination}{_properties(answer.message)} {sent} at "
        f"{answer.from_}?"
    )
    shown = len(answer.deliveries) <= PATHS_SHOWN
    ways = RecipientWays(answer, marking)
    stored = {
        delivery.path[-1]: delivery
        for delivery in answer.deliveries
        if delivery.outcome == Outcome.DEPOSITED and delivery.path
    }
    # The farthest first: its path has most of the steps.
    for delivery in sorted(
        answer.deliveries, key=lambda delivery: (-delivery.hops, delivery.server)
    ):
        hops = f"in {count(delivery.hops, 'hop')}" if delivery.hops else "here"
        end = delivery.receiver or delivery.server
        end = end if end.endswith(delivery.server) else f"{end} at {delivery.server}"
        chosen = ", one of several" if delivery.choice == "one_of" else ""
        title = f"to {end}, {count(delivery.hops, 'hop')}{chosen}"
        inside = ways.of(delivery, title, shown=shown)
        if inside is not None:
            marking.followed(inside)
        elif delivery.steps:
            servers, steps, out_of = _from_the_sender(answer.from_, delivery, stored)
            marking.path(
                f"to {end}, {count(len(steps), 'hop')}{out_of}{chosen}", servers, steps, shown=shown
            )
        state = mark_of(*of_fate(delivery))
        note = _delivered(delivery, hops, destination, answer.from_)
        _note(marking, delivery.server, state, note)
        if delivery.outcome == Outcome.DEPOSITED and delivery.receiver:
            marking.attached(delivery.receiver, state, f"at {delivery.server}: {note}", FIRST)
    for one in answer.ends:
        _note(marking, one.server, mark_of(*of_fate(one)), _ended(one))
    got = {delivery.server for delivery in answer.deliveries}
    for entry in answer.undetermined:
        if entry.server not in got:
            _note(marking, entry.server, Mark.UNDETERMINED, why_open(entry))
    for stop in answer.stopped:
        if stop.to in ("", stop.at) and stop.at not in got:
            certain = of_stop(stop) is Told.YES
            words = "received, not delivered" if certain else "received, not certain"
            why = stop.guard or REASONS.get(stop.reason, stop.reason)
            state = Mark.TRANSIT if certain else Mark.UNDETERMINED
            _note(marking, stop.at, state, f"{words}: {why}")
    for name in answer.received:
        if name not in said.servers:
            marking.server(name, Mark.TRANSIT, "the message passes here, and nobody gets it")
    certain_at = {answer.from_, *got, *answer.received}
    ends = [
        _end_block(one)
        for one in answer.ends
        if not _takes_it(one) and not _is_the_senders(one, answer)
    ]
    marking.blocks(answer.stopped, answer.undetermined, certain_at, ends)
    _get_nothing(answer, marking)
    own = [
        f"{stop.guard or REASONS.get(stop.reason, stop.reason)}"
        for stop in answer.stopped
        if stop.at == stop.to == answer.from_ and stop.at in got
    ]
    here = said.servers.get(answer.from_, (Mark.NONE, ""))[1]
    blocked = _not_sent(answer, marking)
    marking.asked(answer.from_, "; ".join(filter(None, (blocked or "published here", here, *own))))
    said.named = (
        answer.from_,
        *(server for delivery in answer.deliveries for server in delivery.path),
    )


def _get_nothing(answer: PropagateAnswer, marking: Marking) -> None:
    """The servers to which the message is certainly not sent on, where nothing else is said of
    them and no path that is left open leads there."""
    open_ = {name for entry in answer.undetermined for name in (entry.server, *entry.path)}
    open_ |= {stop.to for stop in answer.stopped if of_stop(stop) is not Told.YES}
    for stop in answer.stopped if answer.exact else ():
        if stop.to in open_ or stop.to in ("", stop.at) or stop.to in marking.said.servers:
            continue
        reason = REASONS.get(stop.reason, stop.reason)
        note = f"gets nothing: {stop.at} does not send the message on: {reason}"
        marking.server(stop.to, mark_of(Claim.SENT_ON, Told.NO), note)


def _note(marking: Marking, server: str, state: Mark, note: str) -> None:
    """Say one thing more of a server: the first of its marks is drawn, all notes stand."""
    if server in marking.said.servers:
        known, before = marking.said.servers[server]
        state, note = min(known, state, key=FIRST.index), f"{before}; {note}"
    marking.server(server, state, note)


def _ended(end: End) -> str:
    """What a server's note says of a message that ends there."""
    when = f", {end.when}" if end.when else "".join(_CONDITIONS[one] for one in end.conditions)
    return f"{end.ending}{when}: {end.because}"


def _takes_it(end: End) -> bool:
    """Whether nothing stops at an end: the message goes on, or leaves what is loaded."""
    return end.goes_on or of_fate(end)[0] is Claim.PASSES


def _is_the_senders(end: End, answer: PropagateAnswer) -> bool:
    """Whether an end is what the sender is told, which has a sign of its own."""
    return answer.sender is not None and end.outcome == answer.sender.outcome in _SENDER


def _end_block(end: End) -> BlockDrawn:
    """The sign beside the server where a message ends."""
    reason = f"{end.when}: {end.because}" if end.when else end.because
    claim, told = of_fate(end)
    if told is Told.YES:
        waits = claim is Claim.WAITS
        return BlockDrawn(
            end.server, end.server, "", reason, end.ending, "", end.source, waits=waits
        )
    return BlockDrawn(end.server, end.server, "", reason, "", Truth.UNKNOWN, end.source)


def _from_the_sender(
    sender: str, delivery: Delivery, stored: Mapping[str, Delivery]
) -> tuple[tuple[str, ...], tuple[Step, ...], str]:
    """The path of a delivery with its steps, from the sender on: what a container lets out again
    begins anew there, and has been stored before.
    """
    first = delivery.path[0]
    if first == sender:
        return delivery.path, delivery.steps, ""
    before = stored.get(first)
    if before is None:
        return delivery.path, delivery.steps, f", from {first} on, where a container lets it out"
    return (
        (*before.path, *delivery.path[1:]),
        (*before.steps, *delivery.steps),
        f", stored at {first} in between",
    )


def _delivered(delivery: Delivery, hops: str, destination: str, sender: str) -> str:
    """What a server's note says of one delivery: who gets it, how often, and whether that is
    only one of the choices.
    """
    copies = f", {delivery.copies} copies" if delivery.copies != 1 else ""
    chosen = "".join(_CONDITIONS[one] for one in delivery.conditions)
    if delivery.judgement == Told.UNKNOWN:
        chosen = _OPAQUE
    if delivery.outcome == Outcome.DEPOSITED:
        return f"stored {hops} by the container {delivery.receiver}{copies}{chosen}"
    outcome = "" if delivery.outcome == Outcome.DELIVERED else f", {delivery.outcome}"
    if delivery.path and delivery.path[0] != sender:
        hops = f"{hops} from {delivery.path[0]} on, where a container lets it out,"
    taker = who(delivery, destination)
    to = f" to {delivery.receiver}" if delivery.receiver else ""
    if delivery.receiver and delivery.subscriber == "assumed":
        return f"would be delivered {hops}{to}, if there were one{copies}{chosen}"
    if delivery.subscriber == "assumed" and delivery.outcome == Outcome.DELIVERED:
        return (
            f"would be delivered {hops}, if anybody subscribes; nobody is known "
            f"here{copies}{chosen}"
        )
    return f"delivered {hops}{to}{': ' * bool(taker)}{taker}{copies}{outcome}{chosen}"


CHOSEN = ", if that is chosen at run time"

_CONDITIONS: Mapping[str, str] = {
    Condition.ONE_OF: CHOSEN,
    Condition.LATER: ", later",
    Condition.IF: "",
}
"""When somebody gets the message, where that is not certain; who is assumed is said otherwise."""

_OPAQUE = ", if code that no file shows decides so"


def _not_sent(answer: PropagateAnswer, marking: Marking) -> str:
    """What the note of the sender's server says where nothing is sent, with the block that stops
    it; "" where it is sent.
    """
    sender = answer.sender
    if sender is None or sender.outcome not in _SENDER:
        return ""
    words = _SENDER[sender.outcome]
    told = " ".join(filter(None, (sender.condition, sender.description)))
    certain = Told.UNKNOWN if sender.outcome == Outcome.UNDETERMINED else Told.YES
    if marking.said.servers.get(answer.from_, (Mark.TRANSIT, ""))[0] is Mark.TRANSIT:
        marking.server(answer.from_, mark_of(Claim.ENDS, certain))
    if certain is Told.YES:
        block = BlockDrawn(
            answer.from_, answer.from_, "", words, told, str(Truth.FALSE), sender.source
        )
        marking.said.blocks.append(block)
    return f"{words}: {told}"


_SENDER: Mapping[str, str] = {
    Outcome.REFUSED: "the sender is refused",
    Outcome.NO_CREDIT: "the sender gets no credit",
    Outcome.UNDETERMINED: "whether the sender gets credit cannot be decided",
}


def _properties(message: Mapping[str, Any]) -> str:
    """`` with country = 'Spain'``, as a selector would write the values."""
    properties = message.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        return ""
    return " with " + " and ".join(
        _condition(name, entry["value"]) for name, entry in properties.items()
    )


def _condition(name: str, value: object) -> str:
    return f"{name} IS NULL" if value is None else f"{name} = {_literal(value)}"


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)


_MARKERS: Mapping[type[Answer], Callable[[Any, Marking], None]] = {
    ReachAnswer: _reach,
    HopsAnswer: _hops,
    PathsAnswer: _paths,
    CyclesAnswer: _cycles,
    PropagateAnswer: _propagate,
    TraceAnswer: traced,
    ServicesAnswer: served,
    ImpactAnswer: failed,
    AuditAnswer: audited,
}
"""The answers that have a picture."""
