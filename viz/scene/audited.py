"""What the answer of ``audit`` says of a picture of the network before: the links that come, go,
are altered or refused, the two paths of a refusal, the servers that lose or gain, and the
commands with what is apart after each."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from topograph.credentials import shown_command
from topograph.forwarding.graph import Server
from topograph.forwarding.reached import LinkShown
from topograph.judgement import Told
from topograph.outcomes import Truth
from topograph.questions.answers import (
    AuditAnswer,
    DeliveryMoved,
    Duplicate,
    LinkMoved,
    OutcomeChanged,
    Rejection,
    ServerMoved,
)
from topograph.questions.texts.audits import (
    Ended,
    Heading,
    circulates,
    message_of,
    nothing_to_tell,
    to_look_at,
    why,
)
from topograph.questions.texts.layout import count, listed, place, plural_of
from topograph.questions.texts.verdicts import ends_better, no_longer_taken
from topograph.systems.registry import server_noun
from topograph.viz.scene.changed_ways import changed_ways
from topograph.viz.scene.ends_moved import of_end_moved, waiting
from topograph.viz.scene.judged import Claim, mark_of, of_moved
from topograph.viz.scene.marking import CollectedNotes, Marking
from topograph.viz.scene.pairs import (
    ROWS,
    PairsDrawn,
    apart_from,
    pair_rows,
    pairs_group,
    standing_out,
)
from topograph.viz.scene.parts import parts_group, separation
from topograph.viz.scene.records import (
    BlockDrawn,
    CommandDrawn,
    GroupDrawn,
    LinkDrawn,
    Mark,
    RowDrawn,
)
from topograph.words.visible import clean

_CIRCULATE = "messages-circulate"
"""The warning that messages go round for ever, which none of the commands says."""

UNNAMED = "change"
"""What lines of commands are cited by that stand in no file."""

ROWS_OF_A_COMMAND = 20
"""Lines of pairs that stand below a command; all pairs are counted."""

REFUSALS_DRAWN = 100
"""Names held twice whose paths can be looked at."""

_FIRST = (
    Mark.DUPLICATE,
    Mark.CIRCULATES,
    Mark.CUT_OFF,
    Mark.LOSES,
    Mark.HELD,
    Mark.ELSEWHERE,
    Mark.APART,
    Mark.GOES,
    Mark.WOULD_LOSE,
    Mark.COMES,
    Mark.UNDETERMINED,
    Mark.BETTER,
    Mark.GAINS,
    Mark.WOULD_GAIN,
    Mark.NONE,
)
"""Of several marks of a server the first of these."""


def servers_that_come(answer: AuditAnswer, servers: Sequence[Server]) -> tuple[Server, ...]:
    """The servers that only come with the change, or would come with a route that is refused."""
    found = {
        one.server: Server(one.server, one.system, one.loaded, one.source)
        for one in answer.servers.added
    }
    known = {server.name for server in servers}
    for one in answer.rejections:
        for step in itertools.chain(*one.flows):
            for name in (step.from_, step.to):
                found.setdefault(name, Server(name, step.system, loaded=False, source=step.source))
    return tuple(server for name, server in sorted(found.items()) if name not in known)


def links_that_come(
    answer: AuditAnswer, links: Sequence[LinkShown]
) -> tuple[tuple[LinkShown, Mark], ...]:
    """The links that come with the change, and those that a refused command would bring: the
    steps of its two paths that no link takes.
    """
    coming = [(_shown(one), Mark.COMES) for one in answer.links.added]
    taken = {frozenset(link.ends) for link in (*links, *(link for link, _ in coming))}
    types = {link.zone: link.zone_type for link in links}
    for one in answer.rejections:
        for step in itertools.chain(*one.flows):
            ends = (min(step.from_, step.to), max(step.from_, step.to))
            if frozenset(ends) not in taken:
                taken.add(frozenset(ends))
                link = LinkShown(
                    ends, step.zone, types.get(step.zone, ""), one.server, step.cost, step.source
                )
                coming.append((link, Mark.REFUSED))
    return tuple(coming)


def _shown(one: LinkMoved) -> LinkShown:
    return LinkShown(
        (one.from_, one.to),
        one.zone,
        one.zone_type,
        one.configured_by,
        one.cost,
        one.source,
        one.one_way,
        one.system,
        name=one.name,
        role=one.role,
        systems=(one.system, one.to_system),
    )


def audited(answer: AuditAnswer, marking: Marking) -> None:
    """Marks, paths and lists of a judged change. Linear in the answer, sorting aside."""
    said = marking.said
    files = list(dict.fromkeys(step.source.file for step in answer.steps))
    said.title = "What is different after the change?"
    if files:
        said.title = (
            f"What would the commands of {listed(files)} do?"
            if files != [UNNAMED]
            else "What would these commands do?"
        )
    round_ = (one.message for one in answer.warnings if one.rule == _CIRCULATE)
    told = list(map(clean, dict.fromkeys((*round_, *to_look_at(answer)))))
    said.told = told or [nothing_to_tell(answer)]
    if answer.before.legal is False:
        names = count(len(answer.before.duplicates), "name")
        said.facts.append(
            (
                "note",
                (
                    f"The network is illegal before the change already: {names} held twice "
                    "(topograph cycles)."
                ),
            )
        )
    notes = CollectedNotes(marking, _FIRST)
    _links(answer, marking)
    _refusals(answer, marking, notes)
    _reach(answer, marking, notes)
    _deliveries(answer, notes)
    _outcomes(answer, notes)
    for moved, state in ((answer.servers.removed, Mark.GOES), (answer.servers.added, Mark.COMES)):
        for one in moved:
            notes.add(one.server, state, _why_listed(one, state))
    notes.mark()
    changed_ways(answer, marking, shown=not said.paths)
    marking.passed("on a path of the answer")
    said.commands = [_command(answer, number) for number in range(len(answer.steps))]
    said.groups = [group for group in _groups(answer) if group.total]
    ends = (
        end
        for links in (answer.links.removed, answer.links.added, answer.links.changed)
        for one in links
        for end in (one.from_, one.to)
    )
    blocked = (end for block in said.blocks for end in (block.at, block.to))
    paths = (server for path in said.paths if path.shown for server in path.servers)
    known = set(marking.all_servers)
    said.named = tuple(
        dict.fromkeys(name for name in (*blocked, *paths, *ends, *notes.first()) if name in known)
    )


def _links(answer: AuditAnswer, marking: Marking) -> None:
    for one in answer.links.removed:
        marking.link(_drawn(one, marking, Mark.NONE), Mark.GOES, "the change takes this link away")
    for one in answer.links.changed:
        words = "; ".join(
            (*(f"before: {text}" for text in one.before), *(f"after: {text}" for text in one.after))
        )
        marking.link(
            _drawn(one, marking, Mark.NONE),
            Mark.ALTERED,
            clean(f"the change alters this link: {words}"),
        )
    doubtful = {
        rejection.source: rejection for rejection in answer.rejections if rejection.undetermined
    }
    later = {
        rejection.source: rejection for rejection in answer.rejections if rejection.when != "now"
    }
    for one in answer.links.added:
        state, note = mark_of(Claim.COMES), "the change brings this link"
        if one.source in doubtful:
            state, note = mark_of(Claim.COMES, Told.UNKNOWN), why(doubtful[one.source])
        elif one.source in later:
            note = f"accepted now, but {why(later[one.source])}"
        marking.link(_drawn(one, marking, Mark.COMES), state, clean(note))


def _drawn(one: LinkMoved, marking: Marking, state: Mark) -> LinkDrawn | None:
    """The link in the picture, of parallel ones that of its line, else of its name."""
    links = [link for link in marking.book.between(one.from_, one.to) if link.mark is state]
    same = [link for link in links if link.source == one.source]
    named = [link for link in links if link.name == clean(one.name)]
    return next(iter((*same, *named, *links)), None)


def _refusals(answer: AuditAnswer, marking: Marking, notes: CollectedNotes) -> None:
    drawn = 0
    for one in answer.rejections:
        for server in one.at:
            names = [entry.paths[0][0] for entry in one.duplicates if entry.server == server]
            if names:
                told = Told.UNKNOWN if one.undetermined else Told.YES
                would = "would" if told is Told.YES else "may"
                words = f"{would} know {listed(names)} over two routes"
                notes.add(server, mark_of(Claim.ILLEGAL, told), words)
        if answer.steps:
            _block(one, answer, marking)
        for number, entry in enumerate(_shown_first(one)):
            if drawn < REFUSALS_DRAWN and len(entry.paths) > 1:
                _two_paths(one, entry, marking, first=drawn == 0, flows=number == 0)
                drawn += 1
    total = sum(len(one.duplicates) for one in answer.rejections)
    if total > REFUSALS_DRAWN:
        text = (
            f"Paths are listed for the first {REFUSALS_DRAWN} of {total:,} names that would "
            "be held twice."
        )
        marking.said.facts.append(("note", text))


def _shown_first(one: Rejection) -> list[Duplicate]:
    """The names held twice, that of the paths with evidence first."""
    return sorted(one.duplicates, key=lambda entry: entry.paths[:2] != one.paths[:2])


def _two_paths(
    one: Rejection, entry: Duplicate, marking: Marking, *, first: bool, flows: bool
) -> None:
    title = clean(f"{entry.server} would know {entry.paths[0][0]} over two routes")
    for number, servers in enumerate(entry.paths[:2]):
        words = clean(f"path {number + 1}: {' to '.join(servers)}")
        if flows and len(one.flows) > number:
            marking.path(words, servers, one.flows[number], shown=first, together=title)
        else:
            marking.configured_path(words, servers, shown=first, together=title)


def _block(one: Rejection, answer: AuditAnswer, marking: Marking) -> None:
    """The sign of a refusal: on the link that will not be, or may not be, else at the server
    that the command is given to.
    """
    touched = [(moved, Mark.COMES) for moved in answer.links.added] + [
        (moved, Mark.NONE) for moved in answer.links.changed
    ]
    links = [
        _drawn(moved, marking, state) for moved, state in touched if moved.source == one.source
    ]
    links += [
        link
        for link in marking.all_links
        if link.mark is Mark.REFUSED and link.source == one.source
    ]
    link = next((link for link in links if link is not None and one.server in link.ends), None)
    to = next((end for end in link.ends if end != one.server), one.server) if link else one.server
    text = f"{'cannot be decided' if one.undetermined else 'refused'}{'' if one.when == 'now' else f' {one.when}'}"  # noqa: E501
    reason = clean(f"{text}{' with' if one.duplicates else ':'} {one.message}")
    value = str(Truth.UNKNOWN) if one.undetermined else ""
    block = BlockDrawn(
        one.server,
        to,
        link.id if link else "",
        reason,
        clean(shown_command(one.command)),
        value,
        one.source,
    )
    marking.said.blocks.append(block)
    if link is not None and link.mark is Mark.REFUSED:
        told = Told.UNKNOWN if one.undetermined else Told.YES
        marking.link(link, mark_of(Claim.REFUSED, told), clean(f"will not be: {why(one)}"))


def _reach(answer: AuditAnswer, marking: Marking, notes: CollectedNotes) -> None:
    reach = answer.reach
    lost = PairsDrawn.of(reach.lost)
    found = separation(lost)
    marking.said.parts = found.parts
    for server, words in apart_from(lost, "no longer reaches", "no longer reached by").items():
        notes.add(server, mark_of(found.claims[server]), words)
    joined = standing_out(reach.gained)
    gained = PairsDrawn.of(reach.gained)
    for server, words in apart_from(gained, "now reaches", "now reached by").items():
        notes.add(server, mark_of(Claim.GAINS) if server in joined else Mark.NONE, words)
    open_ = standing_out(reach.undetermined)
    undetermined = PairsDrawn.of(reach.undetermined)
    for server, words in apart_from(
        undetermined, "left open whether it reaches", "left open whether reached by"
    ).items():
        if server in open_:
            notes.add(server, mark_of(Claim.REACHED, Told.UNKNOWN), words)
    for what, kept, number in (
        ("no longer reach each other", reach.lost, reach.lost_count),
        ("reach each other now", reach.gained, reach.gained_count),
        ("are left open", reach.undetermined, reach.undetermined_count),
    ):
        if number > len(kept):
            text = (
                f"{number:,} ordered pairs {what}; the picture marks the servers of the "
                f"first {len(kept):,}."
            )
            marking.said.facts.append(("note", text))


def _deliveries(answer: AuditAnswer, notes: CollectedNotes) -> None:
    for rows, claim, verb in (
        ((*answer.deliveries.lost, *answer.would_lose), Claim.LOSES, "lose messages"),
        (answer.deliveries.duplicated, Claim.LOSES, "get messages more than once"),
        ((*answer.deliveries.gained, *answer.would_gain), Claim.GAINS, "get more messages"),
    ):
        moved: dict[tuple[str, Told], list[DeliveryMoved]] = {}
        for row in rows:
            moved.setdefault((row.server, of_moved(row)), []).append(row)
        for (server, told), own in moved.items():
            words = f"subscribers {verb}"
            if told is Told.IF:
                words = f"subscribers would {verb}, if there are any"
            more = (
                f", and {count(len(own) - 1, 'other')} listed next to the picture"
                if len(own) > 1
                else ""
            )
            notes.add(
                server,
                mark_of(claim, told),
                (
                    f"{words}, such as {message_of(own[0])} from {own[0].from_} "
                    f"({place(own[0].source)}){more}"
                ),
            )


def _why_listed(one: ServerMoved, state: Mark) -> str:
    """Why a server is among those that come or go."""
    if state is Mark.COMES:
        return "the change brings it"
    if one.still_named:
        return "the change takes its configuration away, and others still lead to it"
    return "the change takes it away: nothing names it any longer"


def _outcomes(answer: AuditAnswer, notes: CollectedNotes) -> None:
    """Messages that end in another way, those that nobody takes any longer first."""
    waiting(answer.outcomes, notes, "after the change")
    told: dict[str, list[OutcomeChanged]] = {}
    for one in sorted(
        answer.outcomes,
        key=lambda one: (
            not circulates(one),
            not no_longer_taken(one),
            one.goes_otherwise,
            ends_better(one),
        ),
    ):
        told.setdefault(one.server, []).append(one)
    for server, own in told.items():
        more = (
            f", and {count(len(own) - 1, 'other destination')} listed next to the picture"
            if len(own) > 1
            else ""
        )
        first = own[0]
        how = (
            "go another way"
            if first.goes_otherwise
            else "end better"
            if ends_better(first)
            else "end in another way"
        )
        words = (
            f"messages to {first.destination} {how}: {_ends(first.before)} "
            f"becomes {_ends(first.after)}"
        )
        for claim in dict.fromkeys(map(of_end_moved, own)):
            notes.add(server, mark_of(claim), f"{words} ({place(first.source)}){more}")


def _ends(outcomes: Sequence[str]) -> str:
    return ", ".join(outcomes) or "nothing"


def _command(answer: AuditAnswer, number: int) -> CommandDrawn:
    step = answer.steps[number]
    pairs = PairsDrawn.of(step.reach_lost_so_far)
    found = separation(pairs)
    numbers: dict[str, int] = {}
    for server in itertools.chain(*step.reach_lost_so_far):
        numbers[server] = numbers.get(server, 0) + 1
    return CommandDrawn(
        number + 1,
        step.server,
        clean(shown_command(step.command)),
        step.result,
        step.source,
        tuple(clean(note.message) for note in step.notes),
        pair_rows(pairs, ROWS_OF_A_COMMAND),
        step.reach_lost_count,
        tuple((name, mark_of(found.claims[name]), own) for name, own in sorted(numbers.items())),
        found.parts,
    )


def _groups(answer: AuditAnswer) -> Iterable[GroupDrawn]:
    reach, hops, deliveries, links = answer.reach, answer.hops, answer.deliveries, answer.links
    lost = PairsDrawn.of(reach.lost)
    yield parts_group(separation(lost))
    yield pairs_group(Heading.LOST, Mark.CUT_OFF, lost, reach.lost_count)
    yield _of_deliveries(Heading.LOSE, Mark.LOSES, deliveries.lost)
    yield _of_deliveries(Heading.TWICE, Mark.LOSES, deliveries.duplicated)
    yield _of_deliveries(Heading.WOULD_LOSE, Mark.WOULD_LOSE, answer.would_lose)
    ended = Ended.of(answer.outcomes)
    yield _of_outcomes(Heading.ELSEWHERE, Mark.ELSEWHERE, ended.elsewhere)
    yield _of_outcomes(Heading.OTHER_WAY, Mark.ELSEWHERE, ended.other_way)
    yield _of_outcomes(Heading.BETTER, Mark.BETTER, ended.better)
    yield _of_links("Links that go", Mark.GOES, links.removed, links.removed_count)
    yield _of_links("Links that come", Mark.COMES, links.added, links.added_count)
    yield _of_links("Links that are altered", Mark.ALTERED, links.changed, links.changed_count)
    yield pairs_group(
        Heading.OPEN,
        Mark.UNDETERMINED,
        PairsDrawn.of(reach.undetermined),
        reach.undetermined_count,
    )
    yield pairs_group(Heading.GAINED, Mark.GAINS, PairsDrawn.of(reach.gained), reach.gained_count)
    yield _of_deliveries(Heading.GET, Mark.GAINS, deliveries.gained)
    yield _of_deliveries(Heading.WOULD_GET, Mark.WOULD_GAIN, answer.would_gain)
    for heading, moved, total in (
        (Heading.FARTHER, hops.longer, hops.longer_count),
        (Heading.NEARER, hops.shorter, hops.shorter_count),
    ):
        rows = (
            RowDrawn((one.from_, one.to), f"{count(one.before, 'hop')}, now {one.after}")
            for one in moved[:ROWS]
        )
        yield GroupDrawn(
            heading, Mark.NONE, tuple(rows), total, count(total, "ordered pair"), total > ROWS
        )
    for verb, state, servers, total in (
        ("go", Mark.GOES, answer.servers.removed, answer.servers.removed_count),
        ("come", Mark.COMES, answer.servers.added, answer.servers.added_count),
    ):
        noun = server_noun(one.system for one in servers)
        rows = (RowDrawn((one.server,), _how_known(one), (), one.source) for one in servers[:ROWS])
        title = f"{plural_of(noun).capitalize()} that {verb}"
        yield GroupDrawn(title, state, tuple(rows), total, count(total, noun), total > ROWS)


def _how_known(one: ServerMoved) -> str:
    if one.still_named:
        return "its configuration is gone, others still name it"
    return "" if one.loaded else "only named by others"


def _of_outcomes(heading: str, state: Mark, outcomes: Sequence[OutcomeChanged]) -> GroupDrawn:
    rows = (
        RowDrawn(
            (one.server,),
            clean(one.destination),
            (clean(f"before: {_ends(one.before)}"), clean(f"after: {_ends(one.after)}"), one.rule),
            one.source,
        )
        for one in outcomes[:ROWS]
    )
    total = len(outcomes)
    return GroupDrawn(heading, state, tuple(rows), total, count(total, "destination"), total > ROWS)


def _of_deliveries(heading: str, state: Mark, rows: Sequence[DeliveryMoved]) -> GroupDrawn:
    drawn = tuple(map(_of_delivery, rows[:ROWS]))
    return GroupDrawn(
        heading,
        state,
        drawn,
        len(rows),
        count(len(rows), "delivery", "deliveries"),
        len(rows) > ROWS,
    )


def _of_delivery(one: DeliveryMoved) -> RowDrawn:
    known = (
        "nobody is known there" if one.subscriber == "assumed" else f"subscriber {one.subscriber}"
    )
    where = (
        f"published at {one.from_}"
        if one.publishers < 2
        else f"published at {one.from_} or any of {one.publishers - 1:,} others"
    )
    copies = f"{one.copies} copies" if one.copies > 1 else ""
    details = filter(None, (f"such as {message_of(one)}, {where}", known, copies))
    return RowDrawn((one.server,), clean(one.destination), tuple(map(clean, details)), one.source)


def _of_links(heading: str, state: Mark, links: Sequence[LinkMoved], total: int) -> GroupDrawn:
    rows = []
    for one in links[:ROWS]:
        zone = f"zone {one.zone} ({one.zone_type})" if one.zone else ""
        words = ", ".join(
            filter(None, (one.name, one.role, zone, f"cost {one.cost}" if one.cost else ""))
        )
        details = (
            *(f"before: {text}" for text in one.before),
            *(f"after: {text}" for text in one.after),
        )
        joint = "to" if one.one_way else "and"
        rows.append(
            RowDrawn(
                (one.from_, one.to), clean(words), tuple(map(clean, details)), one.source, joint
            )
        )
    return GroupDrawn(heading, state, tuple(rows), total, count(total, "link"), total > ROWS)
