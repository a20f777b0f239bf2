"""Questions about several servers at once: a pattern in place of a name is asked for each server
that it fits, and the answers are one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from itertools import product
from typing import Any

import click

from topograph.cli.options import ANSWERED, ONE_ANSWER, SARIF, Asking
from topograph.errors import UsageError
from topograph.questions.answers.base import Answer, SeveralAnswers
from topograph.questions.question import ParameterKind, Question

MOST = 1_000
"""Answers to one command."""


def asking_each(question: Question, ask: Callable[..., None]) -> Callable[..., None]:
    """The function of a command, which is asked once for each server that patterns stand for. Where
    they stand for one, that is asked as if it was named."""
    named = tuple(
        one.name
        for one in question.parameters
        if one.kind is ParameterKind.SERVER and one.only != "python"
    )
    if not named:
        return ask

    @wraps(ask)
    def asked(asking: Asking, **given: Any) -> None:
        from topograph.questions.server_patterns import is_pattern

        patterns = {name: given[name] for name in named if is_pattern(given.get(name) or "")}
        if not patterns:
            ask(asking, **given)
            return
        network = asking.open()
        found = {name: network.servers_called(text) for name, text in patterns.items()}
        every = [dict(zip(found, names, strict=True)) for names in product(*found.values())]
        if len(every) == 1:
            ask(asking, **given | every[0])
            return
        _check_number(every, patterns)
        files = [name for name in ("sarif", "junit", "markdown") if given.get(name)]
        if files or asking.form == SARIF:
            raise click.UsageError(
                f"{(files or [SARIF])[0].upper()} is written of one answer, and "
                f"{_quoted(patterns)} fits {len(every):,} servers."
            )
        answers: list[Answer] = []
        violations: list[bool] = []
        context = click.get_current_context()

        def keep(answer: Answer, violation: bool | None) -> None:
            answers.append(answer)
            violations.append(answer.violation if violation is None else violation)

        outer = {name: context.meta[name] for name in (ANSWERED,) if name in context.meta}
        context.meta[ANSWERED] = keep
        for one in every:
            ask(asking, **given | one)
        del context.meta[ANSWERED]
        context.meta.update(outer)
        asking.tell(_together(question, answers, every), violation=any(violations), full=True)

    return asked


def _check_number(every: list[dict[str, str]], patterns: Mapping[str, str]) -> None:
    """Raises UsageError where the answers are too many, or go into a picture, which is of one."""
    words = _quoted(patterns)
    if ONE_ANSWER in click.get_current_context().meta:
        names = ", ".join(sorted({name for one in every for name in one.values()})[:5])
        raise UsageError(f"A picture shows one answer, and {words} fits several servers: {names}.")
    if len(every) > MOST:
        raise UsageError(
            f"{words} stands for {len(every):,} answers, and a command gives {MOST:,} at most. "
            "Narrow the pattern; `hops --matrix` and `show servers` are about all servers."
        )


def _quoted(patterns: Mapping[str, str]) -> str:
    """Patterns as they stand in a sentence."""
    return " and ".join(repr(text) for text in patterns.values())


def _together(
    question: Question, answers: list[Answer], every: list[dict[str, str]]
) -> SeveralAnswers:
    first = answers[0]
    because = dict.fromkeys(cause for one in answers for cause in one.inexact_because)
    return SeveralAnswers(
        asked=question.name,
        snapshot=first.snapshot,
        network=first.network,
        engine=first.engine,
        redaction=first.redaction,
        exact=all(one.exact for one in answers),
        inexact_because=tuple(because),
        about=tuple({name.rstrip("_"): text for name, text in one.items()} for one in every),
        answers=tuple(answers),
    )
