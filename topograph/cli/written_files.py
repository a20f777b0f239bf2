"""Files that commands write: all of one or nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from topograph.errors import UsageError

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
    """Write all of it or nothing. Raises UsageError if the file cannot be written."""
    # Names that are no text in any encoding become visible; in JSON this is their own escape.
    data = text.encode("utf-8", "backslashreplace")
    if output == STDOUT or output in _STANDARD_OUTPUT:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    place = Path(output)
    part = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        if place.exists() and not place.is_file():  # a device, a pipe
            place.write_bytes(data)
            return
        part.write_bytes(data)
        part.replace(place)
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror or error}.") from error
    finally:
        part.unlink(missing_ok=True)
