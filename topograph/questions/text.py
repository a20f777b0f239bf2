"""Answers as text that a person reads: the answer in a sentence, then what it rests on, each step with rule and file:line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from topograph.questions.answer import Answer
from topograph.questions.texts import audits, courses, messages, names, tables, walks
from topograph.questions.texts.layout import PLAIN, Page, Style, closing

NOT_EXACT = "Not exact: the search ended early, or part is undecided (an illegal network, files that are not loaded); more may hold than is listed."

RENDERERS: Mapping[str, Callable[[Any, Page], None]] = {
    "ReachAnswer": walks.reach,
    "HopsAnswer": walks.hops,
    "HopsMatrixAnswer": walks.hops_matrix,
    "PathsAnswer": walks.paths,
    "CyclesAnswer": names.cycles,
    "InterestsAnswer": names.interests,
    "PropagateAnswer": messages.propagate,
    "TraceAnswer": courses.trace,
    "ImpactAnswer": courses.impact,
    "AuditAnswer": audits.audit,
    "CheckAnswer": tables.check,
    "ShowAnswer": tables.show,
}
"""How each type of answer, by its name, is written on a page."""


def text(answer: Answer, style: Style = PLAIN) -> str:
    """The text form of an answer, ending in a line feed. Pure; the same answer and style give the same text.

    The first line is the answer in a sentence; the last names snapshot, network and engine. Servers are always listed in full;
    long lists of steps end in how many are left. Raises KeyError for a type of answer that has no text form.
    """
    page = Page(style, caveat="" if answer.exact else NOT_EXACT)
    RENDERERS[type(answer).__name__](answer, page)
    closing(page, answer)
    return page.text()
