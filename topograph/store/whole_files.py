"""Files that are written whole or not at all: first under another name beside their place. A file
is locked as long as it has that name, so that what a killed process left is told from what another
process is writing, and is removed by the next one that writes there.
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import os
from collections.abc import Iterator
from pathlib import Path

PART = ".part"
"""How the other name ends."""


@contextlib.contextmanager
def part_of(place: Path, *data: bytes, mode: int = 0o666, lasting: bool = False) -> Iterator[Path]:
    """A new file with all of the bytes beside ``place``, to be renamed or linked in the block; what
    still has that name at its end is removed. With ``lasting`` the bytes are on the disk first.
    Raises OSError."""
    while True:
        part = place.with_name(f".{_short(place.name)}.{os.urandom(4).hex()}{PART}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with os.fdopen(os.open(part, flags, mode), "wb") as file:
            try:
                with contextlib.suppress(OSError):  # a file system without locks
                    fcntl.flock(file, fcntl.LOCK_EX)
                if os.fstat(file.fileno()).st_nlink:  # else taken for abandoned before the lock
                    file.writelines(data)
                    file.flush()
                    if lasting:
                        os.fsync(file.fileno())
                    yield part
                    return
            finally:
                with contextlib.suppress(OSError):
                    part.unlink()


def remove_parts_of(place: Path) -> None:
    """Remove what killed processes left of a file. Linear in the files of its folder."""
    for part in place.parent.glob(f".{glob.escape(_short(place.name))}.????????{PART}"):
        remove_abandoned(part)


def remove_abandoned(part: Path) -> None:
    """Remove the part of a file unless a process holds it."""
    with contextlib.suppress(OSError), part.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        part.unlink()


def _short(name: str) -> str:
    """A name with room for what is put around it; a system takes 255 bytes."""
    return name if len(os.fsencode(name)) <= 230 else name[:57]
