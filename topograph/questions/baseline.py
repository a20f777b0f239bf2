"""Baselines: the findings that were there when a gate began, as a file. ``check`` then counts only
new ones.

A finding is known again by its fingerprint: what it is about, without lines and columns, so that it
stays the same where lines are moved in a file. Of equal ones as many are known as the file has.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from topograph.errors import InputError
from topograph.findings import Finding
from topograph.questions.answers.base import plain
from topograph.questions.answers.listings import GoneFinding
from topograph.records import record

VERSION = 1
"""Of the form of the file."""

_FIELDS = tuple(one.name for one in fields(GoneFinding))

_PLACE = re.compile(r":\d+(?::\d+)?\Z")
"""A line, or line and column, behind the name of a file."""

_LINE = re.compile(r"\blines? \d+\b")


@record(slots=False)
class Baseline:
    """The findings of a baseline by fingerprint, each as often as it was there; ``name`` is the
    file.
    """

    name: str
    entries: tuple[tuple[str, GoneFinding], ...]

    def compare(self, findings: Sequence[Finding]) -> Compared:
        """Findings by whether they are known here. Linear in both."""
        left = Counter(mark for mark, _ in self.entries)
        new: list[Finding] = []
        known: list[Finding] = []
        for finding in findings:
            mark = fingerprint(finding)
            (known if left[mark] > 0 else new).append(finding)
            left[mark] -= 1
        gone = []
        for mark, entry in self.entries:
            if left[mark] > 0:
                left[mark] -= 1
                gone.append(entry)
        return Compared(tuple(new), tuple(known), tuple(gone))


class Compared(NamedTuple):
    """Findings beside a baseline: those that it does not have, those that it has, and what it has
    besides.
    """

    new: tuple[Finding, ...]
    known: tuple[Finding, ...]
    gone: tuple[GoneFinding, ...]


def fingerprint(finding: Finding) -> str:
    """32 hexadecimal digits that say which finding this is: kind, rule, server, file, message and
    excerpt, without lines and columns, and whatever the spaces are. Stable between versions as far
    as messages are."""
    return fingerprint_of(finding.to_dict())


def fingerprint_of(entry: Mapping[str, Any]) -> str:
    """The same of a finding in its JSON form."""
    file = entry["source"]["file"]
    words = _LINE.sub("", entry["message"]).split()
    message = " ".join(_without_line(word, file) for word in words)
    parts = (entry["kind"], entry["rule"], entry["server"], file, message, entry["excerpt"])
    text = "\0".join(" ".join(part.split()) for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _without_line(word: str, file: str) -> str:
    """A word of a message without the line behind the path of a file. ``host:7222`` stays: a name
    without a folder is a file only where it is that of the finding."""
    bare = word.rstrip(".,;)")
    path = _PLACE.sub("", bare)
    of_file = path.lstrip("(") == file or ("/" in path and "://" not in path)
    return path if of_file else word


def written(findings: Iterable[Finding]) -> str:
    """The file of a baseline: JSON, an entry a line, sorted, so that a change of it reads well in
    version control.
    """
    entries = sorted(
        json.dumps({"fingerprint": fingerprint(one), **plain(_gone(one))}) for one in findings
    )
    body = ",\n".join(f"    {entry}" for entry in entries)
    listed = f"[\n{body}\n  ]" if entries else "[]"
    return f'{{\n  "version": {VERSION},\n  "findings": {listed}\n}}\n'


def _gone(finding: Finding) -> GoneFinding:
    return GoneFinding(
        str(finding.severity),
        finding.rule,
        finding.kind,
        finding.server,
        finding.source.file,
        finding.message,
    )


def read_file(path: str) -> Baseline:
    """The baseline of a file. Raises InputError."""
    try:
        return read(Path(path).read_bytes(), path)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}.") from error


def read(data: bytes, name: str) -> Baseline:
    """The baseline of a file that ``written`` made. Raises InputError for anything else."""
    try:
        document: Any = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is not a baseline: it is not JSON ({error}).") from None
    version = document.get("version") if isinstance(document, dict) else None
    if version != VERSION or not isinstance(document.get("findings"), list):
        raise InputError(
            f"{name} is not a baseline of this version. Write one with: topograph check "
            "--write-baseline FILE."
        )
    entries: list[tuple[str, GoneFinding]] = []
    needed = ("fingerprint", *_FIELDS)
    for number, entry in enumerate(document["findings"], 1):
        held = [entry.get(one) for one in needed] if isinstance(entry, dict) else [None]
        if not all(isinstance(value, str) for value in held):
            raise InputError(
                f"{name}: entry {number} of findings is not a finding: it needs "
                f"{', '.join(needed)}."
            )
        mark, *rest = map(str, held)
        entries.append((mark, GoneFinding(*rest)))
    return Baseline(name, tuple(entries))
