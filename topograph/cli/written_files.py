"""Files that commands write: all of one or nothing."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

from topograph.errors import UsageError, not_written
from topograph.store.whole_files import part_of, remove_parts_of

STDOUT = "-"
"""The name of a file that stands for standard output."""

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
    where the disk has no room for it."""
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
        remove_parts_of(place)
        with part_of(place, data) as part:
            part.replace(place)
    except OSError as error:
        raise not_written(output, error) from error


def write_new_file(place: Path, text: str) -> None:
    """As ``write_file``, where nothing of that name may be there: FileExistsError."""
    try:
        remove_parts_of(place)
        with part_of(place, text.encode("utf-8", "backslashreplace")) as part:
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
