"""Answers as text that a person reads: the answer in a sentence, then what it rests on, each
step with rule and file:line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from topograph.inexact import Cause, Inexact
from topograph.questions.answers.base import Answer
from topograph.questions.texts import audits, courses, impact, messages, names, tables, walks
from topograph.questions.texts.layout import PLAIN, Page, Style, closing

RENDERERS: Mapping[str, Callable[[Any, Page], None]] = {
    "ReachAnswer": walks.reach,
    "HopsAnswer": walks.hops,
    "HopsMatrixAnswer": walks.hops_matrix,
    "PathsAnswer": walks.paths,
    "CyclesAnswer": names.cycles,
    "InterestsAnswer": names.interests,
    "PropagateAnswer": messages.propagate,
    "TraceAnswer": courses.trace,
    "ImpactAnswer": impact.impact,
    "AuditAnswer": audits.audit,
    "CheckAnswer": tables.check,
    "ShowAnswer": tables.show,
}
"""How each type of answer, by its name, is written on a page."""


def text(answer: Answer, style: Style = PLAIN, *, full: bool = False) -> str:
    """The text form of an answer, ending in a line feed; with ``full`` what is otherwise counted is
    listed. Pure; the same answer and style give the same text.

    The first line is the answer in a sentence; the last names snapshot, network and engine. Servers
    are always listed in full; long lists of steps end in how many are left. Raises KeyError for a
    type of answer that has no text form.
    """
    page = Page(style, caveats(answer, below=True), full=full)
    RENDERERS[type(answer).__name__](answer, page)
    closing(page, answer)
    return page.text()


def caveats(answer: Answer, *, below: bool = False) -> list[str]:
    """What keeps an answer from being exact, a sentence a cause; ``below``: the answer goes on
    to say where it stands.
    """
    if not (answer.exact or answer.inexact_because):
        return ["Not certain: more may hold than is listed."]
    return [
        f"Not certain: {one.message}{_behind(one, below=below)}." for one in answer.inexact_because
    ]


def _behind(one: Inexact, *, below: bool) -> str:
    if one.cause in (Cause.UNRESOLVED_LINK, Cause.NOT_LOADED):
        return " (below)" if below else ""
    return "" if one.cause is Cause.ILLEGAL_NETWORK else "; more may hold than is listed"
