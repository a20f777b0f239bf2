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


def open_closed_streams() -> None:
    """Put what reads nothing and writes nowhere in place of standard streams that are closed
    (``topograph ... >&-``): else the next file that is opened would take their place.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115


def discard_stdout() -> None:
    """Send the rest of the output nowhere: its reader is gone (``topograph ... | head``), or its
    disk is full.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
