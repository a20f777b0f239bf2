"""A history as one page: a time line, and the picture of the state after each commit that changed
something, on the same places.
"""

from __future__ import annotations

from collections.abc import Mapping

from topograph.findings import Severity
from topograph.histories.records import CHANGED, FIRST, OPEN, UNREAD, CommitChange, History
from topograph.histories.texts import change_lines, first_line
from topograph.questions.model import Model
from topograph.questions.texts.layout import count
from topograph.viz.scene.states import NetworkState, states_drawn
from topograph.viz.timeline import Kind, Moment, render

MOST_LINES = 20
"""Lines of a commit in the page."""


def page_of(history: History, states: Mapping[str, Model]) -> str:
    """The page of a history. ``states`` are the networks after the commits that are drawn, by name.
    Linear in their servers and links, beside the places of the servers and the signs of each state.
    """
    drawn = [one for one in history.commits if one.commit.commit in states]
    scenes = {}
    if drawn:
        found = states_drawn(
            [
                NetworkState(one.commit.title, one.commit.when, states[one.commit.commit])
                for one in drawn
            ]
        )
        scenes = {
            one.commit.commit: state.scene for one, state in zip(drawn, found.states, strict=True)
        }
    moments = [
        Moment(
            one.commit.commit,
            one.commit.when,
            one.commit.title,
            kind_of(one),
            _lines(one),
            scenes.get(one.commit.commit),
        )
        for one in history.commits
    ]
    where = history.folder or "the repository"
    return render(f"History of {where}", first_line(history), moments, [*_notes(history, drawn)])


def kind_of(one: CommitChange) -> Kind:
    """What a commit is on the time line."""
    if one.result in (FIRST, UNREAD):
        return Kind(one.result)
    if one.result == OPEN:
        return Kind.OPEN
    found = one.behaviour
    if found is None:
        return Kind.SAME
    errors = any(brought.severity == str(Severity.ERROR) for brought in found.findings)
    loses = (
        found.reach.lost_count,
        found.deliveries.lost,
        found.deliveries.duplicated,
        found.would_lose,
        found.would_duplicate,
        found.rejections,
        errors,
        [row for row in found.outcomes if not row.goes_otherwise and not row.now_passed],
    )
    if any(loses):
        return Kind.WORSE
    gains = found.reach.gained_count, found.deliveries.gained, found.would_gain
    if any(gains) and not found.left_open:
        return Kind.BETTER
    return Kind.OTHER


def _lines(one: CommitChange) -> tuple[str, ...]:
    lines = [*change_lines(one)]
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], f"and {len(lines) - MOST_LINES:,} more"]
    return tuple(lines)


def _notes(history: History, drawn: list[CommitChange]) -> list[str]:
    changed = sum(one.result in (FIRST, CHANGED) for one in history.commits)
    if changed <= len(drawn):
        return []
    left = count(changed - len(drawn), "earlier state")
    return [f"The last {len(drawn):,} states are drawn; {left} are not."]
