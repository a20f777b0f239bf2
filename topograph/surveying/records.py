"""The answer of a survey: frozen records, with the JSON form that ``docs/folders.md`` describes.

Lists are in the order of names and paths unless a field says otherwise.
"""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from typing import Any, ClassVar

from topograph.records import record


class Evidence(StrEnum):
    """What says that a file is of a server, the strongest first."""

    SIDE_INPUTS = "topograph.yaml"
    """``servers`` of topograph.yaml names it."""
    STATED = "stated"
    """The file says so itself."""
    REFERENCED = "referenced"
    """A file of the server names it, or a script gives it to the server."""
    PROMPT = "prompt"
    """The prompt of the tool whose output it is shows the server, or its address."""
    FILE_NAME = "file-name"
    """Only the name of the file says so."""
    FOLDER = "folder"
    """Only its folder says so."""

    @property
    def is_guess(self) -> bool:
        """Whether nothing in a file says it."""
        return self in (Evidence.FILE_NAME, Evidence.FOLDER)


@record
class SurveyedFile:
    """A file that speaks for a server: what it is (``role``), and what says that it is the
    server's."""

    file: str
    role: str
    evidence: Evidence
    because: str


@record
class SurveyedServer:
    """A server that files configure. ``files`` begins with the strongest evidence."""

    server: str
    system: str
    guessed: bool
    """Whether its name is a guess."""
    files: tuple[SurveyedFile, ...]
    did_you_mean: str = ""
    """A server that other files name and that it may be, where its name is a guess."""


@record
class SurveyedEnvironment:
    """A folder in which servers are configured that another folder configures too."""

    folder: str
    servers: tuple[str, ...]
    """The servers of which there are several descriptions."""
    ask: str
    """What to add to a command to ask about it alone."""


@record
class SurveyedCopy:
    """A file that is not read because another one counts: by equal ``bytes``, by its ``name``
    (``part``: of a sub-file), or because it has an older ``date``."""

    file: str
    of: str
    by: str
    server: str


@record
class NamedServer:
    """A server that files name and none configures."""

    server: str
    system: str
    source: str
    """Where it is named: FILE:LINE:COLUMN."""
    may_be: tuple[str, ...]
    """Files that are not used and have its name in theirs."""
    did_you_mean: str
    """A server that is configured and whose guessed name is nearly the same; empty for none."""


@record
class LeftOutFile:
    """A file that is not read, and why."""

    file: str
    because: str


@record
class HostGuess:
    """A host that connections name, and the server in whose folder or name it is found."""

    host: str
    server: str
    because: str


@record
class Survey:
    """What a folder holds."""

    question: ClassVar[str] = "survey"
    violation: ClassVar[bool] = False
    """A survey judges nothing."""

    path: str
    """As it was given."""
    files: int
    """Files that were found."""
    servers: tuple[SurveyedServer, ...]
    environments: tuple[SurveyedEnvironment, ...]
    """Two or more folders that are separate estates; empty where all files are of one estate."""
    copies: tuple[SurveyedCopy, ...]
    named_only: tuple[NamedServer, ...]
    left_out: tuple[LeftOutFile, ...]
    hosts: tuple[HostGuess, ...] = ()

    @property
    def guessed(self) -> tuple[SurveyedServer, ...]:
        """The servers whose names are guesses."""
        return tuple(one for one in self.servers if one.guessed)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form: the fields of the records, in their order."""
        return {"question": self.question, **asdict(self)}
