"""What the answer of ``impact`` says of a picture of the network before: what fails, who no
longer reaches whom, where messages are missed, stored or end elsewhere, and the paths before and
after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topograph.judgement import Told
from topograph.questions.answers import FailureCounted, ImpactAnswer, Interruption, OutcomeChanged
from topograph.questions.answers.impact import separated
from topograph.questions.texts.impact import copies_along, events_of, stored_of
from topograph.questions.texts.layout import count, listed, place
from topograph.viz.scene.ends_moved import of_end_moved, waiting
from topograph.viz.scene.judged import Claim, mark_of, of_interruption
from topograph.viz.scene.marking import CollectedNotes, Marking
from topograph.viz.scene.pairs import ROWS, PairsDrawn, apart_from, pairs_group
from topograph.viz.scene.parts import parts_group, separation
from topograph.viz.scene.records import GroupDrawn, LinkDrawn, Mark, RowDrawn
from topograph.words.visible import clean

PATHS_DRAWN = 100
"""Pairs that reach each other by another path whose paths can be looked at; all are counted."""

_FIRST = (
    Mark.DOWN,
    Mark.CUT_OFF,
    Mark.CRITICAL,
    Mark.CIRCULATES,
    Mark.LOSES,
    Mark.ELSEWHERE,
    Mark.APART,
    Mark.WOULD_LOSE,
    Mark.HELD,
    Mark.TRANSIT,
    Mark.LOST,
    Mark.AFFECTS,
    Mark.BETTER,
    Mark.UNDETERMINED,
    Mark.HARMLESS,
    Mark.NONE,
)
"""Of several marks of a server the first of these."""

_WITH_ENDS = (
    *_FIRST[: _FIRST.index(Mark.ELSEWHERE)],
    Mark.HELD,
    *(mark for mark in _FIRST[_FIRST.index(Mark.ELSEWHERE) :] if mark is not Mark.HELD),
)
"""The same where it is known how messages end: that they wait at a server tells more than that
those which are put there end in another way."""


def failed(answer: ImpactAnswer, marking: Marking) -> None:
    """Marks, paths and lists of a failure, or of every one alone. Linear in the answer, sorting
    aside.
    """
    said = marking.said
    notes = CollectedNotes(marking, _WITH_ENDS if answer.changed else _FIRST)
    if answer.failed:
        said.title = clean(f"What happens if {events_of(answer.failed)}?")
        _down(answer, marking, notes)
        _lost(answer, marking, notes)
        _messages(answer, marking, notes)
        _rerouted(answer, marking)
        said.groups = [group for group in (*said.groups, *_groups(answer)) if group.total]
        if answer.transient:
            words = (
                f"For at most {answer.transient['max_seconds']} s: {answer.transient['outcome']}"
            )
            said.told.append(clean(words))
    else:
        said.title = "What does each single failure do?"
        _swept(answer, marking, notes)
        said.groups = [group for group in (_failures(answer.failures),) if group.total]
    if answer.left_out:
        said.facts.append(("note", clean(f"Left out by the budget: {listed(answer.left_out, 8)}.")))
    notes.mark()
    marking.passed("on a path before or after")
    down = (
        end for link in marking.all_links if _state(marking, link) in _LINKS for end in link.ends
    )
    said.named = tuple(
        dict.fromkeys(
            (*notes.first(), *down, *(one for path in said.paths for one in path.servers))
        )
    )


_LINKS = (Mark.DOWN, Mark.CRITICAL)


def _state(marking: Marking, link: LinkDrawn) -> Mark:
    return marking.said.links.get(link.id, (Mark.NONE, ""))[0]


def _down(answer: ImpactAnswer, marking: Marking, notes: CollectedNotes) -> None:
    """The servers and links that fail, a failed server's links with it. What has no place in the
    picture is said beside it.
    """
    unplaced = []
    for text in answer.failed:
        servers, links = _concerned(text, marking)
        whole = text.startswith("server:")
        for server in servers:
            notes.add(server, mark_of(Claim.DOWN), "fails" if whole else clean(f"{text} fails"))
        for link in links:
            marking.link(link, mark_of(Claim.DOWN), clean(f"{text} fails"))
        if whole:
            for link in marking.all_links:
                if not servers.isdisjoint(link.ends):
                    marking.link(
                        link, mark_of(Claim.DOWN), clean(f"{listed(sorted(servers))} fails")
                    )
        if not (servers or links):
            unplaced.append(text)
    if unplaced:
        marking.said.facts.append(("note", clean(f"Not in the picture: {listed(unplaced)}.")))


def _concerned(text: str, marking: Marking) -> tuple[set[str], list[LinkDrawn]]:
    """The servers and links in the picture that the text of a failure (``server:X``,
    ``route:A-B``, ``channel:Q:C``) names.
    """
    kind, _, name = text.partition(":")
    known = set(marking.all_servers)
    if kind == "server":
        return {one for one in (name, name.partition(":")[2]) if one in known}, []
    links = marking.all_links
    if kind == "route":
        ends = (name, name.rpartition(":")[2])
        return set(), [
            link
            for link in links
            if {"-".join(link.ends), "-".join(link.ends[::-1])}.intersection(ends)
        ]
    first, _, rest = name.partition(":")
    if kind == "suspended":
        return set(), [
            link
            for link in links
            if (rest in link.ends and first in link.ends) or (not rest and first in link.ends)
        ]
    named = [
        link
        for link in links
        if link.name and (link.name == name or (link.name == rest and first in link.ends))
    ]
    if named:
        return set(), named
    return ({first} if first in known else set()), []


def _lost(answer: ImpactAnswer, marking: Marking, notes: CollectedNotes) -> None:
    """The servers of the pairs that are lost; brokers out of reach, which are marked themselves.
    That a server no longer reaches one of these alone is a note.
    """
    pairs = PairsDrawn.of_groups(separated(answer.lost))
    found = separation(pairs)
    marking.said.parts = found.parts
    marking.said.groups.append(parts_group(found))
    for server, words in apart_from(pairs, "no longer reaches", "no longer reached by").items():
        notes.add(server, mark_of(found.claims[server]), words)
    for one in answer.containers:
        words = f"does not reach {one.container} meanwhile ({place(one.source)})"
        for server in one.servers:
            notes.add(server, Mark.NONE, words)
        of = f"out of reach of {listed(one.servers, 8)}"
        if one.container in marking.all_servers:
            notes.add(one.container, mark_of(Claim.OUT_OF_REACH), of)
        marking.attached(one.container, mark_of(Claim.OUT_OF_REACH), of, _FIRST)


def _messages(answer: ImpactAnswer, marking: Marking, notes: CollectedNotes) -> None:
    """Where messages are missed, wait, or end elsewhere."""
    for one in answer.gaps:
        certain = of_interruption(one)
        supposed = "" if certain is Told.YES else ", if anybody subscribes here"
        for server in one.subscribers:
            words = f"misses {_what(one)} meanwhile{supposed}"
            notes.add(server, mark_of(Claim.LOSES, certain), words)
        _interrupted(one, marking, "are missed meanwhile")
    for kept in answer.retained:
        towards = f"for {kept.neighbour}" if kept.neighbour else "for a client"
        notes.add(kept.at, mark_of(Claim.WAITS), f"stores {_what(kept)} {towards} meanwhile")
        _interrupted(kept, marking, "wait meanwhile")
    told: dict[str, list[OutcomeChanged]] = {}
    for moved in answer.changed:
        told.setdefault(moved.server, []).append(moved)
    waiting(answer.changed, notes, "meanwhile")
    for server, own in told.items():
        first = own[0]
        more = (
            f", and {count(len(own) - 1, 'other destination')} listed next to the picture"
            if len(own) > 1
            else ""
        )
        what = (
            f"clients of {first.destination} are served nowhere"
            if first.service
            else f"messages to {first.destination} end in another way"
        )
        words = f"{what}: {_ends(first.before)} becomes {_ends(first.after)}"
        for claim in dict.fromkeys(map(of_end_moved, own)):
            notes.add(server, mark_of(claim), f"{words} ({place(first.source)}){more}")
    for moved_edge in answer.taken_over:
        words = f"goes over {moved_edge['after']} instead of {moved_edge['before']}"
        notes.add(moved_edge["edge"], mark_of(Claim.PASSES), words)


def _what(one: Interruption) -> str:
    return f"messages to {one.destination}" if one.destination else "whatever goes that way"


def _interrupted(one: Interruption, marking: Marking, words: str) -> None:
    """The link that messages would go over, unless it is the one that fails."""
    for link in marking.book.between(one.at, one.neighbour) if one.neighbour else ():
        if _state(marking, link) is not Mark.DOWN:
            marking.link(link, mark_of(Claim.STOPPED), clean(f"{_what(one)} {words}"))


def _ends(outcomes: Sequence[str]) -> str:
    return ", ".join(outcomes) or "nothing"


def _rerouted(answer: ImpactAnswer, marking: Marking) -> None:
    """The path after and the path before of each pair, at once."""
    for number, one in enumerate(answer.rerouted[:PATHS_DRAWN]):
        title = f"{one.from_} to {one.to}: after and before"
        for words, servers, cost in (
            ("after", one.after, one.cost_after),
            ("before", one.before, one.cost_before),
        ):
            text = clean(f"{words}: {' to '.join(servers)}, cost {cost}")
            marking.configured_path(text, servers, shown=number == 0, together=title)
    if len(answer.rerouted) > PATHS_DRAWN:
        text = (
            f"Paths are listed for the first {PATHS_DRAWN} of "
            f"{count(len(answer.rerouted), 'pair')} that reach each other by another path."
        )
        marking.said.facts.append(("note", text))


def _swept(answer: ImpactAnswer, marking: Marking, notes: CollectedNotes) -> None:
    """What becomes of the rest if one of the servers, brokers or links fails. A link is marked
    only if something is then lost."""
    for one in answer.failures:
        claim, told = _of_failure(one, exact=answer.exact)
        state = mark_of(claim, told)
        words = f"if {one.failed} fails: {_counts(one)}"
        kind, _, name = one.failed.partition(":")
        if kind == "broker":
            marking.attached(name, state, words, _FIRST)
            continue
        servers, links = _concerned(one.failed, marking)
        if kind == "server" or claim is not Claim.HARMLESS:
            for server in servers:
                notes.add(server, state, words)
        for link in links if claim is Claim.CRITICAL else ():
            marking.link(link, state, clean(words))


def _of_failure(one: FailureCounted, *, exact: bool) -> tuple[Claim, Told]:
    """What a failure does to others. That it does nothing is known of an exact answer only."""
    if one.lost or one.containers or one.gaps:
        return Claim.CRITICAL, Told.YES
    if one.changed or one.services or one.retained or one.queues:
        return Claim.AFFECTS, Told.YES
    return Claim.HARMLESS, Told.YES if exact else Told.NOT_LOOKED_AT


def _groups(answer: ImpactAnswer) -> Iterator[GroupDrawn]:
    pairs = PairsDrawn.of_groups(separated(answer.lost))
    yield pairs_group("No longer reach each other", Mark.CUT_OFF, pairs, pairs.count)
    yield _group(
        "Brokers out of reach",
        Mark.LOST,
        [
            RowDrawn(
                (one.container,),
                clean(f"of {listed(one.servers, 8)}"),
                (clean(one.outcome),),
                one.source,
            )
            for one in answer.containers
        ],
    )
    yield _group(
        "What becomes of messages",
        Mark.ELSEWHERE,
        [
            RowDrawn(
                (one.server,),
                clean(one.destination),
                (
                    clean(f"before: {_ends(one.before)}"),
                    clean(f"meanwhile: {_ends(one.after)}"),
                    one.rule,
                ),
                one.source,
            )
            for one in answer.changed
        ],
    )
    yield _group("Missed meanwhile", Mark.LOSES, [_interruption(one) for one in answer.gaps])
    yield _group(
        "Stored meanwhile",
        Mark.HELD,
        [_interruption(one, stored_of(one)) for one in answer.retained],
    )
    yield _group(
        "What takes over",
        Mark.NONE,
        [
            RowDrawn((one["edge"],), clean(f"{one['before']} becomes {one['after']}"))
            for one in answer.taken_over
        ],
    )
    yield _group(
        "By another path",
        Mark.NONE,
        [
            RowDrawn(
                (one.from_, one.to),
                "",
                (
                    clean(f"before: {' to '.join(one.before)} (cost {one.cost_before})"),
                    clean(f"after: {' to '.join(one.after)} (cost {one.cost_after})"),
                ),
            )
            for one in answer.rerouted
        ],
    )


def _group(title: str, state: Mark, rows: Sequence[RowDrawn]) -> GroupDrawn:
    return GroupDrawn(title, state, tuple(rows[:ROWS]), len(rows), str(len(rows)), len(rows) > ROWS)


def _interruption(one: Interruption, stored: str = "") -> RowDrawn:
    ends = (one.at, one.neighbour) if one.neighbour else (one.at,)
    who = listed(one.subscribers, 8) if one.subscribers else "nobody known"
    assumed = f" ({one.assumed} assumed)" if one.assumed else ""
    details = filter(
        None,
        (f"for subscribers at {who}{assumed}", stored, one.reason + copies_along(one), one.rule),
    )
    return RowDrawn(
        ends,
        clean(one.destination or "whatever goes that way"),
        tuple(map(clean, details)),
        one.source,
        "for",
    )


def _failures(failures: Sequence[FailureCounted]) -> GroupDrawn:
    rows = [
        RowDrawn((), clean(f"{one.failed}: {_counts(one)}"), (), one.source)
        for one in failures[:ROWS]
    ]
    total = len(failures)
    return GroupDrawn(
        "Failures, worst first", Mark.CRITICAL, tuple(rows), total, str(total), total > ROWS
    )


def _counts(one: FailureCounted) -> str:
    """What a failure does, in numbers."""
    counts = (
        (one.lost, f"{count(one.lost, 'ordered pair')} lost"),
        (one.own, f"{one.own:,} with itself"),
        (one.containers, f"{count(one.containers, 'way')} to brokers lost"),
        (one.own_containers, f"{one.own_containers:,} of itself to brokers"),
        (one.gaps, f"{one.gaps:,} missed"),
        (one.services, f"{count(one.services, 'service')} lost"),
        (one.own_services, f"{one.own_services:,} of its services"),
        (one.changed - one.services, f"{one.changed - one.services:,} end otherwise"),
        (one.rerouted, f"{one.rerouted:,} by another path"),
        (one.retained, f"{one.retained:,} stored"),
        (one.queues, f"{count(one.queues, 'queue')} waiting"),
    )
    return ", ".join(words for number, words in counts if number) or "nothing changes"
