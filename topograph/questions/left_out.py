"""What makes every answer about a network inexact, whatever is asked: that its files are of several
estates; what a mistake in topograph.yaml leaves out, where it could have decided the answer; and
what they rest on: that servers which are not set up yet begin as topograph.yaml says.

``model.answered`` does it for all questions: none can forget it.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Protocol, TypeVar

from topograph.assumptions import Assumption
from topograph.findings import Finding, Source
from topograph.inexact import Cause, Inexact, copies, estates, guessed_name, left_out
from topograph.questions.answers.base import Answer, Caution
from topograph.records import record
from topograph.rules.unnumbered import COPY_NOT_READ, SEVERAL_ESTATES
from topograph.side_inputs import LeftOut, SideInputs, yaml_text
from topograph.systems.registry import system


class Asked(Protocol):
    """What is asked about, as far as it matters here: a ``model.Model``."""

    @property
    def side_inputs(self) -> SideInputs:
        """What topograph.yaml says."""
        ...

    @property
    def revision(self) -> str:
        """The git revision that it was read out of; empty where it was not."""
        ...

    @property
    def asked_as(self) -> str:
        """What ``-s`` names it by where that is configuration; empty for a snapshot."""
        ...

    @property
    def findings(self) -> Sequence[Finding]:
        """The findings of the network."""
        ...

    def server_systems(self) -> set[str]:
        """The systems that its servers run."""
        ...

    def defined_at(self, name: str) -> Collection[Source]:
        """Where the servers of a name are defined, one a system; none where there is none."""
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

MOST = 5
"""Servers of two descriptions that an answer lists."""

NO_EFFECT = frozenset({"sites", "waivers", "owners"})
"""Sections that decide no answer: what no question uses yet, and what only says which findings
count."""

GUESSED_NAME = "guessed-name"
"""The kind of a warning that the name of a server may be another one."""

ALWAYS = frozenset({"include", "exclude"})
"""Sections that every answer depends on."""

A = TypeVar("A", bound=Answer)


@record(slots=False)
class Said:
    """What the answers to a question say of mistakes in topograph.yaml, and of servers that stand
    there alone."""

    warnings: tuple[Caution, ...] = ()
    inexact: tuple[Inexact, ...] = ()
    assumptions: tuple[Assumption, ...] = ()

    @property
    def several_estates(self) -> Inexact | None:
        """That the files are of several estates; None where they are of one."""
        return next((one for one in self.inexact if one.cause is Cause.SEVERAL_ESTATES), None)


def said_of(model: Asked, question: str) -> Said:
    """What the answers to a question about a network say: a warning for each mistake that could
    decide them, and that they are not exact. Reads the findings only where there is any."""
    mistakes, apart = _of_mistakes(model, question), _of_estates(model)
    chosen = Said() if question in _ABOUT_FILES else _of_choices(model)
    return Said(
        (*apart.warnings, *mistakes.warnings, *chosen.warnings),
        (*apart.inexact, *mistakes.inexact, *chosen.inexact),
        () if question in _ABOUT_FILES else tuple(_of_new_servers(model)),
    )


_ABOUT_FILES = frozenset({"check", "show files", "show findings"})
"""The questions that no new server can decide."""


def _of_new_servers(model: Asked) -> Iterator[Assumption]:
    """That a server which nobody has set up begins as its entry in topograph.yaml says."""
    for entry in model.side_inputs.new:
        if entry.source in model.defined_at(entry.server):
            text = (
                f"{entry.server} is a new server that begins as {entry.source} says, without "
                "routes, destinations or users: it is declared, not read"
            )
            yield Assumption("new", "M", text, "what its own files say counts")


def _of_estates(model: Asked) -> Said:
    """That the files are of several estates: nobody can say of which an answer is."""
    found = model.side_inputs.contradictions
    if not found:
        return Said()
    folders = list(dict.fromkeys(folder for one in found for folder in one.folders))
    single = [one for one in folders if not any(_holds(one, other) for other in folders)]
    found = tuple(one for one in found if not one.alike) or found
    how = "alike" if found[0].alike else "differently"
    names = list(dict.fromkeys(one.server for one in found))
    why = estates(folders, names, [asking(model, one) for one in single], how)
    warnings = (
        Caution(
            SEVERAL_ESTATES.kind,
            f"{one.server} is described at {one.sources[0]} and at {one.sources[1]}, {how}",
            one.sources[1],
        )
        for one in found[:MOST]
    )
    return Said(tuple(warnings), (why,))


def _of_choices(model: Asked) -> Said:
    """That of files which describe a server otherwise one is read, by its name or its date; that
    the name of a server is a guess, and may be that of another."""
    found = [one for one in model.side_inputs.choices if one.kind == "copy"]
    why = []
    if found:
        first = found[0]
        leave = f"--exclude {shlex.quote(first.source.file)}"
        why.append(copies(len(found), first.source.file, first.file, leave))
    warnings = [
        Caution(
            COPY_NOT_READ.kind,
            f"{one.file} is read, and {one.source.file}, which differs, is left aside",
            one.source,
        )
        for one in found[:MOST]
    ]
    named = [one for one in model.side_inputs.choices if one.kind == "name"]
    for one in named[:MOST]:
        entry = f"servers: {{{yaml_text(one.file)}: {yaml_text(one.source.file)}}}"
        why.append(guessed_name(one.source.file, one.server, one.file, entry))
        message = f"the name {one.server} is made of that of the file; did you mean {one.file}?"
        warnings.append(Caution(GUESSED_NAME, message, one.source))
    return Said(tuple(warnings), tuple(why))


def _holds(folder: str, other: str) -> bool:
    return folder != other and (folder == "." or other.startswith(f"{folder}/"))


def asking(model: Asked, folder: str) -> str:
    """What asks about one folder of a network alone."""
    if not model.asked_as:
        return f"import {folder} alone"
    revision, colon, _ = model.asked_as.partition(":") if model.revision else ("", "", "")
    folder, _, inside = folder.partition("!")  # an archive, and a folder in it
    path = folder if colon else posixpath.normpath(posixpath.join(model.asked_as, folder))
    chosen = f" --include {shlex.quote(inside.strip('/') + '/')}" if inside.strip("/") else ""
    return f"-s {shlex.quote(f'{revision}{colon}{path}')}{chosen}"


def _of_mistakes(model: Asked, question: str) -> Said:
    places = list(dict.fromkeys(one.source for one in _deciding(model, question)))
    if not places:
        return Said()
    wanted = frozenset(places)
    why = {one.source: one for one in reversed(model.findings) if one.source in wanted}
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
    if said.assumptions:
        every = _with(answer.assumptions, said.assumptions)
        answer = replace(answer, assumptions=tuple(sorted(every, key=_BY_RULE)))
    if not said.warnings:
        return answer
    return replace(
        answer,
        exact=False,
        inexact_because=_with(answer.inexact_because, said.inexact),
        warnings=_with(answer.warnings, said.warnings),
    )


_BY_RULE = attrgetter("rule", "text")


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
    return ALWAYS.union(*(one for one in read if one is not None))
