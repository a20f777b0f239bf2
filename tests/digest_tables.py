"""Tables of short digests of whole answers: ``NAME: DIGEST DIGEST ...`` a line."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def table(path: Path) -> dict[str, list[str]]:
    """The digests by name."""
    parted = (line.partition(": ") for line in path.read_text(encoding="utf-8").splitlines())
    return {name: digests.split() for name, _, digests in parted}


def digest(said: str) -> str:
    return hashlib.sha256(said.encode("utf-8", "backslashreplace")).hexdigest()[:4]


def write(path: Path, found: Iterable[tuple[object, Iterable[str]]]) -> None:
    """Writes the digests of some answers by name."""
    lines = (f"{name}: {' '.join(map(digest, answers))}\n" for name, answers in found)
    path.write_text("".join(lines), encoding="utf-8")


def differing(expected: list[str], found: Iterable[tuple[str, str]]) -> list[str]:
    """The questions, each with its answer, whose answers have another digest now."""
    answers = list(found)
    assert len(answers) == len(expected)
    return [
        f"{question}\n{said}"
        for (question, said), then in zip(answers, expected, strict=True)
        if digest(said) != then
    ]
