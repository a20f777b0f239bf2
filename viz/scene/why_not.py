"""The list of a picture of ``reach`` that says of servers which are not reached why not: what
becomes of messages that are addressed to them, or that no link leads there.
"""

from __future__ import annotations

from topograph.questions.answers import NotReached, ReachAnswer
from topograph.questions.texts.layout import count
from topograph.systems.registry import server_noun
from topograph.viz.scene.marking import Said
from topograph.viz.scene.records import GroupDrawn, Mark, RowDrawn
from topograph.words.visible import clean

LISTED = 40
"""Servers that are listed; of the others a note says that they are not."""

TITLE = "Not reached: why"


def why_not(answer: ReachAnswer, said: Said) -> None:
    """A row for each of the first servers that are not reached; no list where the system does not
    address messages to servers. The cost of a trace a row."""
    servers = answer.not_reached()
    if answer.why_not is None or not servers:
        return
    found = [one for one in map(answer.why_not, servers[:LISTED]) if one is not None]
    if not found:
        return
    unit = count(len(found), server_noun([answer.system]))
    said.groups.append(GroupDrawn(TITLE, Mark.NONE, tuple(map(_row, found)), len(found), unit))
    if len(servers) > LISTED:
        text = (
            f"Why servers are not reached is listed for the first {LISTED} of {len(servers):,}; "
            f"topograph reach {answer.from_} SERVER says it of each."
        )
        said.facts.append(("note", clean(text)))


def _row(one: NotReached) -> RowDrawn:
    details = (one.rule, *(f"if {text}" for text in one.assumed))
    return RowDrawn((one.server,), clean(one.told), tuple(map(clean, details)), one.source)
