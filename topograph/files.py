"""What became of one imported file (a row of `show files`), and whether a text names one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from topograph.credentials import name_without_secret, without_credentials
from topograph.records import record

DUMPED = "dumped on "
"""What the note of a file begins with that says when a server wrote it."""


@record
class FileReport:
    """What became of one file, for ``show files``. ``status``: ``read``, ``partly-read``,
    ``not-read``, ``unclaimed``, ``skipped``. The counts are entries or directives (not bytes):
    read, ignored (comments and blank lines do not count), unsupported."""

    path: str
    status: str
    role: str = ""
    system: str = ""
    server: str = ""
    read: int = 0
    ignored: int = 0
    unsupported: int = 0
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "server", name_without_secret(self.server))
        object.__setattr__(self, "note", without_credentials(self.note))


_ORDER = ("not-read", "partly-read", "read", "unclaimed", "skipped")
"""Of a file that several servers share, the worst that became of it counts."""


def tally(reports: Iterable[FileReport]) -> dict[str, int]:
    """How many files there are by status, each counted once, however many servers read it. Their
    sum is the number of files listed, skipped ones included. Linear."""
    status: dict[str, str] = {}
    for report in reports:
        known = status.setdefault(report.path, report.status)
        status[report.path] = min(known, report.status, key=_ORDER.index)
    found = list(status.values())
    return {name: found.count(name) for name in sorted(set(found))}


def names_file(text: str) -> bool:
    """Whether a text is the path of a file; one that can be no path at all is none."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a name, or with a NUL in it
        return False
