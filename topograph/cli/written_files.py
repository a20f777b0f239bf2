"""Files that commands write: all of one or nothing."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import glob
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from topograph.errors import UsageError, not_written

STDOUT = "-"
"""The name of a file that stands for standard output."""

_PART = ".part"

_STANDARD_OUTPUT = frozenset({"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"})
"""Its names in the file system. Opened anew, a file that it goes to would be written from its
beginning, over what the command writes there."""


_OTHER_FORMATS = frozenset(
    {
        ".bmp", ".csv", ".doc", ".docx", ".drawio", ".emf", ".eps", ".gif", ".heic", ".jpeg",
        ".jpg", ".odg", ".pdf", ".png", ".ppt", ".pptx", ".ps", ".tif", ".tiff", ".vsd", ".vsdx",
        ".webp", ".xlsx",
    }
)  # fmt: skip
"""Endings of file names that say a format which nothing here is written in."""


def check_format(output: str, written: str, others: str = "") -> None:
    """Raises UsageError for a file whose name says a format that topograph does not write, where
    ``written`` would stand under that name; ``others`` says what else there is."""
    ending = Path(output).suffix.lower()
    if ending in _OTHER_FORMATS:
        raise UsageError(
            f"{output} would hold {written}: topograph writes no {ending[1:]}. Name a file that "
            f"ends with .{written}{others}."
        )


def write_file(output: str, text: str) -> None:
    """Write all of it or nothing. Raises UsageError if the file cannot be written, BackendError
    where the disk has no room for it.

    The text goes to a file beside it, which then takes its name. What a process left there that
    was killed meanwhile is removed by the next one that writes the same file."""
    # Names that are no text in any encoding become visible; in JSON this is their own escape.
    data = text.encode("utf-8", "backslashreplace")
    if output == STDOUT or output in _STANDARD_OUTPUT:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    place = Path(output)
    try:
        if place.exists() and not place.is_file():  # a device, a pipe
            place.write_bytes(data)
            return
        with _part_of(place, data) as part:
            part.replace(place)
    except OSError as error:
        raise not_written(output, error) from error


def write_new_file(place: Path, text: str) -> None:
    """As ``write_file``, where nothing of that name may be there: FileExistsError."""
    try:
        with _part_of(place, text.encode("utf-8", "backslashreplace")) as part:
            try:
                place.hardlink_to(part)
            except FileExistsError:
                raise
            except OSError:  # a file system without links
                if place.exists():
                    raise FileExistsError(errno.EEXIST, "It is there", str(place)) from None
                part.replace(place)
    except FileExistsError:
        raise
    except OSError as error:
        raise not_written(str(place), error) from error


@contextlib.contextmanager
def _part_of(place: Path, data: bytes) -> Iterator[Path]:
    """A new file with all of the bytes beside another, locked and removed at the end of the block,
    if it still has its name."""
    _remove_abandoned(place)
    while True:
        part = place.with_name(f".{_short(place.name)}.{os.urandom(4).hex()}{_PART}")
        with part.open("xb") as file:
            try:
                with contextlib.suppress(OSError):  # a file system without locks
                    fcntl.flock(file, fcntl.LOCK_EX)
                if os.fstat(file.fileno()).st_nlink:  # else taken for abandoned before the lock
                    file.write(data)
                    file.flush()
                    yield part
                    return
            finally:
                with contextlib.suppress(OSError):
                    part.unlink()


def _remove_abandoned(place: Path) -> None:
    """Remove what killed processes left of a file: what nobody has locked."""
    for part in place.parent.glob(f".{glob.escape(_short(place.name))}.????????{_PART}"):
        with contextlib.suppress(OSError), part.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            part.unlink()


def _short(name: str) -> str:
    """A name with room for what is put around it; a system takes 255 bytes."""
    return name if len(os.fsencode(name)) <= 230 else name[:57]
