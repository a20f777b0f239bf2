"""Where the inputs of a snapshot come from in time: when they were read or written, and the
SHA-256 of each file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from topograph.digits import digits
from topograph.records import record


@record(slots=False)
class Origin:
    """When the inputs of one network are from. It is no part of a snapshot's id: equal files have
    equal ids whenever they are read.

    ``when`` is ISO 8601 in UTC, to the second; empty where nothing says it. ``means`` says what
    that moment is: the import of a snapshot, the last change of any file of a folder that is
    read for a question, or the commit of a git revision. ``digests`` maps paths to SHA-256."""

    when: str = ""
    means: Literal["imported", "changed", "committed", ""] = ""
    digests: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def changed(files: Iterable[str], digests: Mapping[str, str]) -> Origin:
    """That of files on disk: the last change of any of them. Linear in the files."""
    times = []
    for file in set(files):
        try:
            times.append(Path(file).stat().st_mtime)
        except OSError:  # gone since it was read
            continue
    return Origin(_text(max(times)), "changed", digests) if times else Origin(digests=digests)


def committed(commit: bytes, digests: Mapping[str, str]) -> Origin:
    """That of a git commit, of which ``commit`` is the content of the object.

    >>> committed(b"tree 0\\ncommitter A <a@example.net> 1700000000 +0100\\n\\nText", {}).when
    '2023-11-14T22:13:20Z'
    """
    found = re.search(
        rb"^committer .*> (\d{1,11}) [+-]\d{4}$", commit.partition(b"\n\n")[0], re.MULTILINE
    )
    return (
        Origin(_text(digits(found[1].decode(), 0)), "committed", digests)
        if found
        else Origin(digests=digests)
    )


def imported(run: str, digests: Mapping[str, str]) -> Origin:
    """That of an import, from the name of its run.

    >>> imported("20260314T092653-0f0f0f0f", {}).when
    '2026-03-14T09:26:53Z'
    """
    found = re.match(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)-", run)
    if found is None:
        return Origin(digests=digests)
    year, month, day, hour, minute, second = found.groups()
    return Origin(f"{year}-{month}-{day}T{hour}:{minute}:{second}Z", "imported", digests)


def _text(seconds: float) -> str:
    return f"{datetime.fromtimestamp(int(seconds), UTC):%Y-%m-%dT%H:%M:%SZ}"
