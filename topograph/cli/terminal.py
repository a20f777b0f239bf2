"""Writing to the terminal: every line that is no answer, file or JSON goes through here (answers:
``output``).

What a line quotes (names, paths, messages of other programs) cannot make the terminal do anything:
see ``topograph.words.visible``. Needs nothing but the standard library (see ``main``).
"""

from __future__ import annotations

import sys

from topograph.words.visible import clean


def say(*lines: str, err: bool = False) -> None:
    """Write lines to standard output, or to standard error. A line break within one is shown as
    ``\\n``. Raises OSError.
    """
    stream = sys.stderr if err else sys.stdout
    encoding = getattr(stream, "encoding", None) or "utf-8"
    for line in lines:
        stream.write(clean(line).encode(encoding, "backslashreplace").decode(encoding) + "\n")
    stream.flush()


def say_text(text: str, *, err: bool = False) -> None:
    """Write a text of several lines, each as it is."""
    say(*text.split("\n"), err=err)
