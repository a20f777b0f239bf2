"""The questions that need nothing but names of servers, and how each is asked: what tests that ask
every question add to those that they ask with parameters of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from topograph.questions.question import Parameter, ParameterKind
from topograph.questions.records import QUESTIONS

OWN = frozenset(
    (
        *("reach", "hops", "paths", "interests", "propagate", "trace", "services", "impact"),
        *("audit", "show"),
    )
)
"""The questions that such tests ask themselves; a question that needs more than servers is one."""

MOST = 4
"""Servers that are asked about one by one."""


def plain_questions(names: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Each question with its arguments in Python: with as few as it takes, and where it can be
    asked about a server, about each of the first.
    """
    for question in QUESTIONS:
        if question.name in OWN:
            continue
        parameters = [one for one in question.parameters if one.only != "command"]
        needed = [one for one in parameters if one.required]
        assert all(map(_is_server, needed)), f"add {question.name} to OWN, and ask it there"
        yield question.name, {one.name: names[0] for one in needed}
        if any(map(_is_server, parameters)):
            for name in names[:MOST]:
                yield question.name, {one.name: name for one in parameters if _is_server(one)}


def plain_lines(name: str, *values: str) -> list[list[str]]:
    """The command lines of a question for servers of these names: each stands for all of them."""
    (question,) = [one for one in QUESTIONS if one.name == name and name not in OWN]
    own = [one for one in question.parameters if _is_server(one) and one.only != "python"]
    alone = [] if any(one.required for one in own) else [[]]
    about = [
        [word for one in own for word in filter(None, (one.option, value))] for value in values
    ]
    return [*alone, *(about if own else ())]


def _is_server(parameter: Parameter) -> bool:
    return parameter.kind is ParameterKind.SERVER
