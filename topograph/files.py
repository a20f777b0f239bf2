"""What became of one imported file: a row of `show files`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of one file, for ``show files``. ``status``: ``read``, ``partly-read``, ``not-read``, ``unclaimed``, ``skipped``.
    The counts are entries or directives (not bytes): read, ignored (comments and blank lines do not count), unsupported."""

    path: str
    status: str
    role: str = ""
    system: str = ""
    server: str = ""
    read: int = 0
    ignored: int = 0
    unsupported: int = 0
    note: str = ""
