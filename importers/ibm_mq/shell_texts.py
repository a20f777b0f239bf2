"""What a script of a shell holds for queue managers."""

from __future__ import annotations

from dataclasses import dataclass, field

from topograph.importers.ibm_mq.rows import Row
from topograph.records import record


@dataclass(slots=True)
class Text:
    """Lines of MQSC for one queue manager; ``name`` is empty where the script does not say
    which. ``file`` is the file it is written into.
    """

    rows: list[Row] = field(default_factory=list)
    name: str = ""
    file: str = ""

    @property
    def line(self) -> int:
        """Where it begins."""
        return self.rows[0].number if self.rows else 0


@dataclass(slots=True)
class Created:
    """A crtmqm: the queue manager and what it sets: pairs of attribute (PORT for a listener) and
    value.
    """

    name: str
    line: int
    settings: list[tuple[str, str]] = field(default_factory=list)
    applied: list[tuple[str, str]] = field(default_factory=list)
    """The files that are applied when it starts: ``ini`` or ``mqsc``, and the file (-ii, -ic)."""
    variables: dict[str, str] = field(default_factory=dict)
    """What the files' inserts stand for (-iv)."""


@dataclass(slots=True)
class ShellScript:
    """What a script holds; ``others`` counts its own lines."""

    texts: list[Text] = field(default_factory=list)
    yaml: dict[int, str] = field(default_factory=dict)
    """Lines of the here-documents that are YAML, by number, with a mark between documents."""
    created: list[Created] = field(default_factory=list)
    fed: list[Fed] = field(default_factory=list)
    """What runs in runmqsc and does not stand in the script."""
    lost: list[Lost] = field(default_factory=list)
    others: int = 0
    job: bool = False
    """Whether it is a job of z/OS, whose data sets are files that may be loaded."""


@record
class Fed:
    """A runmqsc that reads a file which the script does not write; ``name`` is the queue
    manager. ``member`` says that the file is a member of a data set.
    """

    file: str
    name: str
    line: int
    member: bool = False


@record
class Lost:
    """What a runmqsc reads and only a run of the script could tell: the output of ``command``; of a
    job, why it is not known."""

    command: str
    name: str
    line: int
