"""What a question is, as data: its name, what it answers, its parameters, its answer and examples
that run.

The command line, its help and completion, and the pages in ``docs/questions`` are derived from
these records; asking is a function elsewhere. Only the standard library is imported here, and the
records are named tuples, which are defined in a third of the time of dataclasses: they lie on the
way of every command.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class ParameterKind(Enum):
    """What a parameter's value is; the text names it for a reader of the command line."""

    SERVER = "server"
    """The name of a server or router of the network."""
    DESTINATION = "destination"
    """``topic:NAME``, ``queue:NAME``, ``address:NAME``."""
    PROPERTIES = "property"
    """Properties of a message: ``NAME=VALUE``, the value typed as a selector's literal."""
    SUBSCRIBERS = "subscriber"
    """``SERVER:DEST``, such as ``B:topic:orders``."""
    CLIENTS = "CSV file"
    """A file of clients; in Python the clients themselves."""
    OBSERVED = "JSON file"
    """A file of names that servers were seen to hold; in Python server to (name, via) pairs."""
    FAILURES = "failure"
    """``server:NAME`` or ``route:A-B``."""
    USER = "user"
    TEXT = "text"
    PATH = "routing path"
    """``BUS:DESTINATION,BUS:DESTINATION,...``; the bus may be left out."""
    COUNT = "number from 1 up"
    FLAG = "flag"
    CHOICE = "choice"
    """One of ``choices``."""
    FILE = "file"
    """A file that is read."""
    STATE = "snapshot or folder"
    """A state of the network: a snapshot, folder, archive or git revision."""
    ASKED = "what to ask about"
    """What ``-s`` names, in another place."""
    WRITTEN = "file to write"
    """A file that the command writes; what may only read has no such parameter."""


class Parameter(NamedTuple):
    """One parameter. ``name`` is its keyword in Python; ``option`` its spelling on the command
    line, empty for one that stands in its place.

    ``choices`` are pairs of value and meaning. ``several``: may be given more than once. ``only``
    is ``command`` or ``python`` for a parameter that the other form does not have, empty for both.
    ``alone`` is the value of an option that stands without one, empty where it needs one.
    ``in_python`` is what only readers of the page need: how Python spells it. ``servers`` are the
    servers that the option is for, such as "routers"; empty for those of every system.
    """

    name: str
    kind: ParameterKind
    help: str
    option: str = ""
    metavar: str = ""
    required: bool = False
    default: object = None
    choices: tuple[tuple[str, str], ...] = ()
    several: bool = False
    only: str = ""
    alone: str = ""
    in_python: str = ""
    servers: str = ""


class Example(NamedTuple):
    """A command that runs: ``words`` after ``topograph``, what they ask, and the exit code they
    end with on ``examples/<estate>``.
    """

    words: str
    asks: str
    exit_code: int = 0
    estate: str = "estate"


class Question(NamedTuple):
    """One question.

    ``title`` is its line in a list, ``description`` what it answers (paragraphs divided by an empty
    line). ``answers`` are the names of its answer types in ``topograph.questions.answers``, or
    ``MODULE:NAME`` of another module, the usual one first; ``key`` the fields that tell the entries
    of the answer's list apart.
    ``module`` is that of ``topograph.questions`` whose function of the question's name answers it,
    ``texts`` that of ``topograph.questions.texts`` that writes its answers; empty where the module
    has the question's name too.
    ``violation`` says when the exit code is 1 (``if ...``), empty where it never is. ``outcomes``
    and ``conditions`` are values of ``topograph.outcomes`` that the answer may hold; ``python`` is
    its form in Python. ``engines`` are those that can walk for it. The first of ``examples`` is the
    worked one.
    """

    name: str
    title: str
    description: str
    parameters: tuple[Parameter, ...]
    answers: tuple[str, ...]
    key: tuple[str, ...]
    python: str
    examples: tuple[Example, ...]
    violation: str = ""
    outcomes: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    engines: tuple[str, ...] = ("memory", "neo4j")
    module: str = ""
    texts: str = ""

    def parameter(self, name: str) -> Parameter:
        """The parameter of that name. Raises KeyError."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        raise KeyError(name)
