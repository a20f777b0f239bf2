"""Standard output that nobody reads any more. Needs nothing but the standard library (see
``main``).
"""

from __future__ import annotations

import os
import sys


class OutputClosed(Exception):
    """Nobody reads the output any more: no failure. Not an OSError, which click would turn into
    exit code 1.
    """


def discard_stdout() -> None:
    """Send the rest of the output nowhere: its reader is gone (``topograph ... | head``), or its
    disk is full.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
