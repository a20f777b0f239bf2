"""What each commit of a branch changed in what the network does: every state compared with the one
before, as ``audit --before --after`` compares two.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from topograph.audit.comparing import compare
from topograph.audit.findings_brought import brought
from topograph.errors import UsageError
from topograph.histories.records import (
    ALIKE,
    CHANGED,
    FIRST,
    OPEN,
    SAME,
    UNREAD,
    Behaviour,
    CommitChange,
    History,
)
from topograph.histories.states import States, Unread, told
from topograph.opening.selection import EVERYTHING, Selection
from topograph.questions.answers.audit import AuditAnswer
from topograph.questions.model import Model
from topograph.records import record
from topograph.store.commits import Commit, Commits, place_of
from topograph.store.git_objects import GitObjects

MOST_DRAWN = 150
"""States that are drawn, the last ones."""


def history(
    path: str | os.PathLike[str],
    *,
    since: str | None = None,
    until: str | None = None,
    most: int | None = None,
    chosen: Selection = EVERYTHING,
    seconds: float | None = 10.0,
    draw: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> History:
    """What each commit changed in what the network of a folder does. ``path`` is a folder in a
    repository, or a revision with a folder (``main:conf``), which is then the last state.

    The commits are those that change what the folder holds, of ``until`` (the one that is checked
    out), its first parent and so on, back to ``since``, but at most the last ``most``; before them
    stands the state that they begin from.
    Only what differs between two commits is read. ``seconds`` is the time for each comparison. With
    ``draw`` the answer has a ``page`` of the states (``histories.page``). ``progress`` is told what
    is being done.

    Raises UsageError for an unknown revision, for ``since`` that the others do not lead back to,
    and where the folder can be read in no commit; InputError for a repository that cannot be read.
    Linear in the commits, and in the size of the network for each that changes it.
    """
    place = place_of(path)
    if until is not None:
        place = replace(place, tip=until)
    with GitObjects(place.repository) as objects:
        states = States(Commits(objects), place, chosen, seconds)
        line = _line(states, since, most)
        drawn: dict[str, Model] = {}
        found: list[CommitChange] = []
        for number, (one, model) in enumerate(_changes(states, line.commits), 1):
            progress(f"Commit {number:,} of {len(line.commits):,}")
            found.append(one)
            if draw and model is not None and one.result in (FIRST, CHANGED):
                drawn[one.commit.commit] = model
                while len(drawn) > MOST_DRAWN:
                    del drawn[next(iter(drawn))]
    if all(one.result == UNREAD for one in found):
        raise UsageError(_why_unread(found))
    counts = Counter(one.result for one in found)
    told_of = History(
        folder=place.folder,
        tip=place.tip,
        commits=tuple(found),
        counts={name: counts[name] for name in (CHANGED, ALIKE, OPEN, UNREAD)}
        | {SAME: line.passed},
        exact=all(one.exact for one in found),
        cut=line.cut,
    )
    if not draw:
        return told_of
    from topograph.histories.page import page_of

    progress("Drawing")
    return replace(told_of, page=page_of(told_of, drawn))


@record(slots=False)
class _Line:
    """The commits that a history tells of, the first state first: how many others there are between
    them, which do not touch the folder, and why there are not all."""

    commits: Sequence[Commit]
    passed: int
    cut: str = ""


def _line(states: States, since: str | None, most: int | None) -> _Line:
    """The last commits that change what the folder holds, and the one before them. A commit and
    the trees that lead to the folder are read of each."""
    commits, tip = states.commits, states.place.tip
    until = None if since is None else commits.named(since)
    changing: list[Commit] = []
    passed = 0
    line = commits.line(commits.named(tip), until)
    last = next(line)
    for before in line:
        if states.content(before) != states.content(last):
            changing.append(last)
        else:
            passed += 1
        last = before
        if len(changing) == most:
            break
    cut = ""
    if last.parents and last.parents[0] in commits.missing:
        cut = f"{last.short} is the first commit of a shallow clone (git fetch --unshallow)"
    elif len(changing) == most and last.parents:
        cut = f"the last {most:,} commits that change the folder are told of"
    elif until is not None and last.name != until.name:
        raise UsageError(
            f"{tip} does not lead back to {since}, if of every merge the first parent is "
            f"followed. Name a commit that git log --first-parent {tip} lists."
        )
    found = [last, *reversed(changing)]
    while len(found) > 1 and not states.content(found[0]):  # before the folder was made
        del found[0]
    return _Line(found, passed, cut)


def _changes(states: States, line: Sequence[Commit]) -> Iterator[tuple[CommitChange, Model | None]]:
    """Each commit with what it changed, and the network after it where it can be read."""
    last: Model | None = None
    for commit in line:
        state = states.of(commit)
        if isinstance(state, Unread):
            yield CommitChange(told(commit), UNREAD, state.because), None
            continue
        if last is None:
            yield CommitChange(told(commit), FIRST, servers=_servers(state)), state
        else:
            yield change_between(commit, last, state), state
        last = state


def change_between(commit: Commit, before: Model, after: Model) -> CommitChange:
    """What a commit changed, by the network before it and with it. Raises nothing that the two
    networks could be the reason of: where they have no system in common, everything of the one
    goes and of the other comes, which is told as a state that begins anew."""
    try:
        answer = compare(before, after)
    except UsageError as error:
        return CommitChange(told(commit), FIRST, str(error), _servers(after))
    behaviour = behaviour_of(answer, before, after)
    result = CHANGED if behaviour.differs else OPEN if behaviour.left_open else ALIKE
    return CommitChange(
        told(commit),
        result,
        "",
        _servers(after),
        None if result == ALIKE else behaviour,
        answer.exact,
        answer.inexact_because,
        answer,
    )


def behaviour_of(answer: AuditAnswer, before: Model, after: Model) -> Behaviour:
    """What an audit of two states says that they do differently, with the findings that go."""
    systems = {place.system for side in (before, after) for place in side.places()}
    return Behaviour(
        answer.servers,
        answer.links,
        answer.reach,
        answer.hops,
        answer.deliveries,
        answer.interest,
        answer.single_points,
        answer.would_gain,
        answer.would_lose,
        answer.would_duplicate,
        answer.outcomes,
        answer.rejections,
        answer.findings,
        ()
        if answer.unchanged
        else brought(after.records.findings, before.records.findings, systems),
        answer.left_open,
    )


def _servers(model: Model) -> int:
    return len(model.server_names())


def _why_unread(found: Sequence[CommitChange]) -> str:
    return next((one.because for one in reversed(found) if one.because), "nothing is read")
