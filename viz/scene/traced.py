"""What the answer of ``trace`` says of a picture: the hops of each branch by number, and where
the message is delivered, held, put aside or rejected.
"""

from __future__ import annotations

from collections.abc import Sequence

from topograph.judgement import Told
from topograph.outcomes import Outcome, Truth
from topograph.questions.answers import Step, TraceAnswer, TraceBranch, TraceReply, TraceStep
from topograph.questions.texts.layout import count, place
from topograph.viz.scene.inside import Stations, over
from topograph.viz.scene.judged import (
    FIRST,
    SOMEBODY_HAS_IT,
    Branched,
    Claim,
    claim_of,
    mark_of,
    of_branch,
)
from topograph.viz.scene.marking import Marking, why_open
from topograph.viz.scene.records import (
    BlockDrawn,
    LinkDrawn,
    Mark,
    PathDrawn,
    StationDrawn,
    StepDrawn,
)


def traced(answer: TraceAnswer, marking: Marking) -> None:
    """One path for every branch that ends, with a number for each hop and one for the end; other
    readings of the documents are left out. Replies are further paths. Linear in the steps of all
    paths."""
    said = marking.said
    said.title = (
        f"What happens to a message to {answer.message.get('destination', '')} sent at "
        f"{answer.from_}?"
    )
    start = marking.label(answer.system, answer.from_)
    ends = ends_of(answer)
    notes: dict[str, list[tuple[Mark, str]]] = {}
    seen: dict[str, bool] = {}
    known = set(marking.all_servers)
    stored = stored_ways(answer, ends)
    stations = Stations(answer, marking.label)
    for number, branch in enumerate(ends):
        way = way_of(answer, branch.last)
        if way and marking.label(way[0].system, way[0].at) != start:
            # What a container lets out again has been stored there before.
            way = [*stored.get(way[0].at, ()), *way]
        claim, told = of_branch(answer, branch)
        condition = condition_of(answer, branch)
        note = note_of(branch, told, condition)
        ending = mark_of(claim, told), note
        servers = _path(answer, branch, way, start, marking, stations, ending, shown=number == 0)
        for name in servers:
            seen[name] = seen.get(name, False) or told is not Told.UNKNOWN
        last = way[-1] if way else None
        state = Mark.TRANSIT if claim is Claim.STOPPED else mark_of(claim, told)
        at = marking.label(last.system, branch.server) if last and branch.server else ""
        if at and at not in known:
            # It ends at a server that no file names: here it only passed.
            state = Mark.TRANSIT
        notes.setdefault(at if at in known else servers[-1], []).append((state, note))
        if last is not None and claim not in (*SOMEBODY_HAS_IT, Claim.PASSES):
            said.blocks.append(
                _block(last, servers[-1], condition, marking, claim=claim, told=told)
            )
    for reply in answer.replies:
        of_reply = Stations(reply, marking.label)
        for branch in ends_of(reply):
            claim, told = of_branch(reply, branch)
            ending = mark_of(claim, told), note_of(branch, told, condition_of(reply, branch))
            way = way_of(reply, branch.last)
            servers = _path(reply, branch, way, start, marking, of_reply, ending, shown=False)
            for name in servers:
                seen[name] = seen.get(name, False) or told is not Told.UNKNOWN
    for server, certain in seen.items():
        if server not in notes:
            passes = "the message passes here" if certain else "the message may pass here"
            on_way = Told.YES if certain else Told.UNKNOWN
            marking.server(server, mark_of(Claim.ON_WAY, on_way), passes)
    for entry in answer.undetermined:
        name = marking.label(entry.system, entry.server)
        notes.setdefault(name, []).append((Mark.UNDETERMINED, why_open(entry)))
    for server, own in notes.items():
        state = min((one for one, _ in own), key=FIRST.index)
        marking.server(server, state, "; ".join(dict.fromkeys(note for _, note in own)))
    _, note = said.servers.get(start, (Mark.NONE, ""))
    marking.asked(start, f"sent here; {note}" if start in notes else "sent here")
    said.named = tuple(dict.fromkeys((start, *seen)))


def note_of(branch: TraceBranch, told: Told, condition: str) -> str:
    """How a branch ends, with what that depends on."""
    if told is Told.IF and not condition:
        return f"{branch.ending}, if anybody subscribes; nobody is known here"
    return f"{branch.ending}{f', {condition}' if condition else ''}"


def ends_of(answer: Branched) -> list[TraceBranch]:
    """The branches that end, without other readings and what follows in them: what happens now
    before what happens later, deliveries first.
    """
    left_out: set[int] = set()
    found = []
    for branch in answer.branches:
        if branch.kind == "reading" or branch.of in left_out:
            left_out.add(branch.id)
        elif branch.ending:
            found.append(branch)
    return sorted(
        found,
        key=lambda one: (
            of_branch(answer, one)[1] is Told.LATER,
            claim_of(one.outcome) not in SOMEBODY_HAS_IT,
        ),
    )


def stored_ways(answer: Branched, ends: Sequence[TraceBranch]) -> dict[str, list[TraceStep]]:
    """By server the first way that ends with a container that keeps the message."""
    found: dict[str, list[TraceStep]] = {}
    for branch in ends:
        if branch.outcome == Outcome.DEPOSITED and branch.last >= 0:
            way = way_of(answer, branch.last)
            found.setdefault(way[-1].at, way)
    return found


def way_of(answer: Branched, last: int) -> list[TraceStep]:
    """The steps that lead to one, in order."""
    found = []
    while last >= 0:
        found.append(answer.steps[last])
        last = found[-1].after
    return found[::-1]


def _path(
    answer: Branched,
    branch: TraceBranch,
    way: Sequence[TraceStep],
    start: str,
    marking: Marking,
    stations: Stations,
    ending: tuple[Mark, str],
    *,
    shown: bool,
) -> tuple[str, ...]:
    """The hops of one branch, each with what happened at its server before, then the end, whose
    sign and words are ``ending``. Returns the servers passed.
    """
    servers, drawn = drawn_way(way, start, marking, stations)
    for step in drawn:
        marking.path_link(step.link)
    hops = len(servers) - 1
    condition = condition_of(answer, branch)
    reply = (
        f"reply from {answer.destination or answer.server}: "
        if isinstance(answer, TraceReply)
        else ""
    )
    title = f"{reply}{branch.ending}, {count(hops, 'hop')}{f': {condition}' if condition else ''}"
    marking.said.paths.append(
        PathDrawn(
            title,
            servers,
            drawn,
            shown,
            end=ending[0],
            ending=ending[1],
            reply=isinstance(answer, TraceReply),
        )
    )
    return servers


def drawn_way(
    way: Sequence[TraceStep], start: str, marking: Marking, stations: Stations
) -> tuple[tuple[str, ...], tuple[StepDrawn, ...]]:
    """The servers that a way leads over, and its hops, each with what the message passes at its
    server before, then what becomes of it. Linear in the steps."""
    here = marking.label(way[0].system, way[0].at) if way else start
    servers = [here]
    drawn: list[StepDrawn] = []
    before: list[str] = []
    left: list[TraceStep] = []
    for number, step in enumerate(way):
        following = way[number + 1] if number + 1 < len(way) else None
        left.append(step)
        if not step.to:
            if following is not None:
                before.append(_told(step))
                continue
            inside = stations.of(left, here)
            words = (*before, step.text)
            drawn.append(_drawn(len(drawn) + 1, step, here, here, None, words, inside))
            break
        system = (
            following.system if following is not None and following.at == step.to else step.system
        )
        there = marking.label(system, step.to)
        taken = Step(here, there, "", step.rule, step.confidence, (), step.source)
        link = marking.book.of(taken)
        words = (*before, step.text)
        drawn.append(
            _drawn(
                len(drawn) + 1,
                step,
                here,
                there,
                link,
                words,
                stations.of(left, here),
            )
        )
        before, left = [], []
        here = there
        servers.append(here)
    return tuple(servers), tuple(map(marking.one, drawn))


def _drawn(
    number: int,
    step: TraceStep,
    here: str,
    there: str,
    link: LinkDrawn | None,
    words: tuple[str, ...],
    inside: tuple[StationDrawn, ...],
) -> StepDrawn:
    zone = link.zone if link else ""
    return StepDrawn(
        number,
        here,
        there,
        link.id if link else "",
        zone,
        step.rule,
        str(step.confidence),
        words,
        step.source,
        inside=inside,
        over=over(step, zone) if here != there or step.to else "",
    )


def _told(step: TraceStep) -> str:
    """A step inside a server in one line, with its evidence."""
    evidence = ", ".join(filter(None, (step.rule, place(step.source))))
    return f"{step.text}{f' ({evidence})' if evidence else ''}"


def condition_of(answer: Branched, branch: TraceBranch) -> str:
    """When a branch is taken, over all branches that it comes out of."""
    found = []
    number = branch.id
    while number >= 0:
        one = answer.branches[number]
        if one.condition and one.kind in ("one_of", "later", "opaque", "else"):
            found.append(one.condition if one.kind != "one_of" else f"if {one.condition}")
        number = one.of
    return ", ".join(dict.fromkeys(reversed(found)))


def _not_taken(last: TraceStep, server: str, marking: Marking) -> LinkDrawn | None:
    """The link that does not take a message: the one to the server that the answer names; where it
    names none, the one that the line behind the step configures."""
    if last.towards:
        there = marking.label(last.system, last.towards)
        links = [one for one in marking.book.between(server, there) if one.leads(server)]
        same = [one for one in links if one.source == last.source]
        return next(iter((*same, *links)), None)
    return next(
        (
            one
            for one in marking.all_links
            if server in one.ends and one.source == last.source and one.leads(server)
        ),
        None,
    )


def _block(
    last: TraceStep, server: str, condition: str, marking: Marking, *, claim: Claim, told: Told
) -> BlockDrawn:
    """Where a message ends that nobody takes: at its server, or, where it is stopped, on the
    link whose configuration stops it.
    """
    to, at = server, ""
    if claim is Claim.STOPPED:
        link = _not_taken(last, server, marking)
        if link is not None:
            to, at = link.ends[link.ends[0] == server], link.id
            if marking.said.links.get(link.id, (Mark.NONE, ""))[0] is not Mark.PATH:
                marking.link(link, mark_of(Claim.STOPPED, told), last.text)
    reason = f"{condition}: {last.text}" if condition else last.text
    if told is not Told.YES:
        return BlockDrawn(server, to, at, reason, "", Truth.UNKNOWN, last.source)
    waits = claim is Claim.WAITS
    return BlockDrawn(server, to, at, reason, last.outcome, "", last.source, waits=waits)
