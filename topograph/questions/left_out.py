"""What a mistake in topograph.yaml leaves out, said with every answer that it could have decided.

``model.answered`` does it for all questions: none can forget it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from topograph.findings import Finding
from topograph.inexact import Inexact, left_out
from topograph.questions.answers.base import Answer, Caution
from topograph.side_inputs import LeftOut, SideInputs
from topograph.systems.registry import system


class Asked(Protocol):
    """What is asked about, as far as it matters here: a ``model.Model``."""

    @property
    def side_inputs(self) -> SideInputs:
        """What topograph.yaml says."""
        ...

    @property
    def findings(self) -> Sequence[Finding]:
        """The findings of the network."""
        ...

    def server_systems(self) -> set[str]:
        """The systems that its servers run."""
        ...


_OF_NO_MATTER: Mapping[str, frozenset[str]] = dict.fromkeys(
    (
        *("reach", "hops", "paths", "cycles"),
        *(f"show {what}" for what in ("servers", "routes", "links", "zones", "bridges", "files")),
    ),
    frozenset({"clients"}),
)
"""By question (``show`` with what it shows) the sections of topograph.yaml that cannot decide its
answers."""

NO_EFFECT = frozenset({"sites"})
"""Sections that no question uses yet."""

A = TypeVar("A", bound=Answer)


@dataclass(frozen=True)
class Said:
    """What the answers to a question say of mistakes in topograph.yaml."""

    warnings: tuple[Caution, ...] = ()
    inexact: tuple[Inexact, ...] = ()


def said_of(model: Asked, question: str) -> Said:
    """What the answers to a question about a network say: a warning for each mistake that could
    decide them, and that they are not exact. Reads the findings only where there is any."""
    places = list(dict.fromkeys(one.source for one in _deciding(model, question)))
    if not places:
        return Said()
    why = {one.source: one for one in reversed(model.findings) if one.source in places}
    warnings = tuple(
        Caution(why[place].kind, why[place].message, place)
        if place in why
        else Caution("side-inputs-invalid", "this entry is left out: `check` says why", place)
        for place in places
    )
    return Said(warnings, (left_out([str(place) for place in places]),))


def with_left_out(answer: A, model: Asked) -> A:
    """An answer that says so where a mistake in topograph.yaml could have decided it."""
    said = said_of(model, " ".join(filter(None, (answer.question, getattr(answer, "what", "")))))
    if not said.warnings:
        return answer
    return replace(
        answer,
        exact=False,
        inexact_because=_with(answer.inexact_because, said.inexact),
        warnings=_with(answer.warnings, said.warnings),
    )


T = TypeVar("T")


def _with(known: tuple[T, ...], more: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys((*known, *more)))


def _deciding(model: Asked, question: str) -> Iterable[LeftOut]:
    if not model.side_inputs.left_out:
        return ()
    sections = _sections(model) - _OF_NO_MATTER.get(question, frozenset())
    return [one for one in model.side_inputs.left_out if not one.section or one.section in sections]


def _sections(model: Asked) -> frozenset[str]:
    """The sections that say something of the systems of a network."""
    read = [system(name).side_inputs for name in model.server_systems()]
    if None in read:
        return frozenset(one.section for one in model.side_inputs.left_out) - NO_EFFECT
    return frozenset().union(*(one for one in read if one is not None))
