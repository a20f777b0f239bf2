"""Names that have the form of a credential: what is said of those that others stand for."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from topograph.credentials import is_divided, is_hidden
from topograph.facts import Fact
from topograph.findings import Finding, Source
from topograph.rules.unnumbered import HIDDEN_NAME_IN_DOUBT, NAME_HIDDEN


def findings_of_names(read: Sequence[Fact], kept: Sequence[Fact]) -> list[Finding]:
    """A finding for each name of ``read`` facts that is another in the ``kept`` ones, at its first
    place. Linear."""
    first: dict[str, Fact] = {}
    names: dict[str, set[str]] = {}
    for before, after in zip(read, kept, strict=True):
        if after is not before:
            for name, shown in _changed_names(before, after):
                first.setdefault(shown, after)
                names.setdefault(shown, set()).add(name)
    return [_finding(shown, fact, len(names[shown])) for shown, fact in first.items()]


def _finding(shown: str, fact: Fact, count: int) -> Finding:
    if count > 1:
        message = (
            f"{count} different names are {shown!r} here: they have the form of credentials, of "
            "which hidden-... stands for what may be secret. Answers do not tell them apart."
        )
        return HIDDEN_NAME_IN_DOUBT.at(fact.source, message, server=fact.server)
    if is_divided(shown):
        message = (
            f"The file has another name for {shown!r}: it has the form of a credential, and where "
            "that ends is not known. Patterns that name its last parts do not fit hidden-..., "
            "which stands for them."
        )
        return HIDDEN_NAME_IN_DOUBT.at(fact.source, message, server=fact.server)
    return hidden_name(shown, fact.source, fact.server)


def hidden_name(shown: str, source: Source, server: str) -> Finding:
    """That another name stands in a file in place of ``shown``."""
    message = (
        f"The file has another name for {shown!r}: it has the form of a credential, of which "
        "hidden-... stands for what may be secret, the same wherever the name occurs."
    )
    return NAME_HIDDEN.at(source, message, server=server)


def _changed_names(before: Any, after: Any) -> Iterator[tuple[str, str]]:
    """The names that are others in a record or what it holds, each as it was and as it is."""
    if after is before:
        return
    if type(after) is str:
        if after != before and is_hidden(after):
            yield before, after
    elif isinstance(after, tuple):
        for one, other in zip(before, after, strict=True):
            yield from _changed_names(one, other)
    elif dataclasses.is_dataclass(after):
        for field in dataclasses.fields(after):
            yield from _changed_names(getattr(before, field.name), getattr(after, field.name))
