"""Answers as text that a person reads: the answer in a sentence, then what it rests on, each
step with rule and file:line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

from topograph.inexact import Cause, Inexact
from topograph.questions.answers.base import Answer, SeveralAnswers
from topograph.questions.records import QUESTIONS
from topograph.questions.texts.layout import PLAIN, Cell, Page, Style, Tone, closing


def renderer(kind: str) -> Callable[[Any, Page], None]:
    """How a type of answer, by its name, is written on a page: ``HopsMatrixAnswer`` by the function
    ``hops_matrix`` of the module of ``texts`` that the record of its question names. Raises
    KeyError for a type that no question has.
    """
    if kind == SeveralAnswers.__name__:
        return _each
    modules = {name: one.texts or one.name for one in QUESTIONS for name in one.answers}
    module = import_module(f"topograph.questions.texts.{modules[kind]}")
    function = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.removesuffix("Answer")).lower()
    written: Callable[[Any, Page], None] = getattr(module, function)
    return written


def _each(answer: SeveralAnswers, page: Page) -> None:
    """One answer below the other."""
    for one in answer.answers:
        renderer(type(one).__name__)(one, page)
        page.blank()


def text(answer: Answer, style: Style = PLAIN, *, full: bool = False) -> str:
    """The text form of an answer, ending in a line feed; with ``full`` what is otherwise counted is
    listed. Pure; the same answer and style give the same text.

    The first line is the answer in a sentence; the last names snapshot, network and engine. Servers
    are always listed in full; long lists of steps end in how many are left. Raises KeyError for a
    type of answer that has no text form.
    """
    if isinstance(answer, SeveralAnswers):
        return "\n".join(text(one, style, full=full) for one in answer.answers)
    page = Page(style, caveats(answer, below=True), full=full)
    for one in apart(answer):
        page.line(Cell(one, Tone.UNSURE))
    renderer(type(answer).__name__)(answer, page)
    closing(page, answer)
    return page.text()


def apart(answer: Answer) -> list[str]:
    """That what was asked is not one estate, before the answer: what follows is of one of them,
    and nobody can say of which.
    """
    return [
        f"{one.message[:1].upper()}{one.message[1:]}."
        for one in answer.inexact_because
        if one.cause is Cause.SEVERAL_ESTATES
    ]


def sentence(answer: Answer) -> str:
    """The answer in a sentence, as its text begins; before it what ``apart`` says."""
    return " ".join(text(answer).split("\n")[: len(apart(answer)) + 1])


def caveats(answer: Answer, *, below: bool = False) -> list[str]:
    """What keeps an answer from being exact, a sentence a cause; ``below``: the answer goes on
    to say where it stands.
    """
    if not (answer.exact or answer.inexact_because):
        return ["Not certain: this answer may be incomplete."]
    return [
        f"Not certain: {one.message}{_behind(one, below=below)}."
        for one in answer.inexact_because
        if one.cause is not Cause.SEVERAL_ESTATES
    ]


def _behind(one: Inexact, *, below: bool) -> str:
    if one.cause in (Cause.UNRESOLVED_LINK, Cause.NOT_LOADED, Cause.RULE):
        return " (below)" if below else ""
    return "" if one.cause is Cause.ILLEGAL_NETWORK else "; this answer may be incomplete"
