"""Where what is told of a change is shown, for tools that show everything at a line of a file."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from topograph.findings import Source
from topograph.questions.answers.audit import AuditAnswer
from topograph.questions.model import Model


def with_places(answer: AuditAnswer, before: Model, after: Model) -> AuditAnswer:
    """The answer about two states with a file that is there afterwards, and with the files that it
    cites and that are gone. Linear in the answer and in the files.
    """
    files = [one for one in after.records.files if one.status != "skipped"]
    there = {one.path for one in after.records.files}
    read = [one.path for one in files if one.status == "read"] or [one.path for one in files]
    was = {one.path for one in before.records.files} - there
    gone = sorted(was & {one.file for one in _sources(answer)}) if was else ()
    return replace(
        answer, anchor=Source(min(read), 1) if read else Source(""), files_gone=tuple(gone)
    )


def _sources(value: Any) -> Iterator[Source]:
    """Every place in an answer."""
    if isinstance(value, Source):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _sources(one)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _sources(getattr(value, field.name))
