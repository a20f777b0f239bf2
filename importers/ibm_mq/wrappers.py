"""Where in a file MQSC stands."""

from __future__ import annotations

from topograph.importers.ibm_mq import recognition
from topograph.importers.ibm_mq.reader import Estate, Reader
from topograph.importers.ibm_mq.rows import rows_of
from topograph.importers.positions.places import Placing
from topograph.importers.reading import Role


def role_of(text: str) -> Role | None:
    """What a file is."""
    return recognition.role_of(text)


def first_name(text: str, role: Role) -> str:  # noqa: ARG001
    """The first queue manager that a file names itself; empty if none."""
    return recognition.named_in(text)


def read_into(estate: Estate, text: str, path: str, role: Role) -> None:  # noqa: ARG001
    """Read a file into an estate."""
    Reader(estate, Placing(path)).read(rows_of(text))
