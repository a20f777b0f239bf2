"""What all answers have: ``Answer``, its JSON form, and the records that several kinds of answer
are made of. See ``answers``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.inexact import Cause, Inexact
from topograph.records import record

if TYPE_CHECKING:
    import pandas

_SHOWN_BY = "topograph.questions.frames"
"""The module that shows answers, loaded when one is shown. It knows every kind of answer; this
module, which all of them import, knows none.
"""

_DOUBTED_BY = "topograph.questions.undecided"
"""The module that tells what an answer leaves open, loaded for the same reason."""

_ATOMS = frozenset({str, int, float, bool, type(None)})


ASIDE: Mapping[str, bool] = {"aside": True}
"""The metadata of a field that is no part of an answer's content: what only pictures ask for, and
what is worked out when they do. It is in no form in which answers are written."""


@cache
def written_fields(kind: Any) -> tuple[str, ...]:
    """The names of a dataclass's fields, without those that are ASIDE."""
    return tuple(field.name for field in dataclasses.fields(kind) if "aside" not in field.metadata)


@cache
def labels(kind: Any) -> tuple[tuple[str, str], ...]:
    """(name in JSON, name of the field) of each field of a dataclass that is written."""
    return tuple((name.rstrip("_"), name) for name in written_fields(kind))


def plain(value: Any) -> Any:
    """``value`` as plain JSON types. Mapping keys become text, tuples and lists become lists.
    Linear in the entries.
    """
    kind = type(value)
    if kind in _ATOMS:  # first: nine of ten values of a long answer
        return value
    if kind is tuple or kind is list:  # what they hold is looked at here, for each call costs
        return [item if type(item) in _ATOMS else plain(item) for item in value]
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if dataclasses.is_dataclass(kind):
        return {
            label: item if type(item) in _ATOMS else plain(item)
            for label, name in labels(kind)
            for item in (getattr(value, name),)
        }
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(item) for item in value]
    return value


@record
class Caution:
    """Something the reader of the answer has to know: ``rule`` or kind, in words, with its
    place.
    """

    rule: str
    """The rule, or the kind of warning."""
    message: str
    """What to know."""
    source: Source | None = None
    """Where it comes from, if it has a place."""


@record
class ZoneHops:
    """Hops inside one zone on a path, in path order (R15)."""

    zone: str
    """The zone."""
    hops: int
    """Hops inside it before the path leaves it."""


@record
class Step:
    """One link of a path. ``guards`` are the texts of the predicates a message must pass;
    ``cost`` is None where the system has none.
    """

    from_: str
    """The server the step leads from."""
    to: str
    """The server it leads to."""
    zone: str
    """The zone of the link; empty where there are no zones."""
    rule: str
    """The rule that permits the step."""
    confidence: str
    """How sure the rule is."""
    guards: tuple[str, ...]
    """What a message must be like to take it, in words; empty if any may."""
    source: Source
    """The configuration line of the link."""
    cost: int | None = None
    """The cost of the link; null where the system has none."""
    system: str = ""
    """The system that both servers run."""
    link: str = ""
    """The name of the link where links have names of their own, such as a channel."""


@record
class DecidedIf:
    """What would be known of a server that the loaded files leave open, under an assumption."""

    rule: str
    """The rule of the assumption."""
    text: str
    """What would have to hold; `assumptions` has it too, with what holds otherwise."""
    reached: bool
    """Whether the server is then reached."""


@record
class NeededRoute:
    """A link that no loaded file shows, of a server whose files are not all loaded."""

    towards: str
    """The server that the link would lead to, or to one that reaches it."""
    zones: tuple[str, ...] = ()
    """The zones that the link could be in, one of them; empty: any, but for `except_zones`."""
    except_zones: tuple[str, ...] = ()
    """The zones that it could not be in."""


@record
class NeededRoutes:
    """What a server whose files are not all loaded would need for the answer to change."""

    server: str
    """The server."""
    routes: tuple[NeededRoute, ...]
    """The links it would need, all of them; two are not in one 1hop zone."""
    legal: bool
    """Whether the network could be legal with them (R20)."""


@record
class Undetermined:
    """A server of which the loaded files do not say whether it is reached, or the budget ended
    before it was known.
    """

    server: str
    """The server."""
    because: str
    """Why it cannot be said."""
    source: Source
    """The line that leaves it open."""
    system: str = ""
    """The system that the server runs."""
    path: tuple[str, ...] = ()
    """Server names, from the one asked from up to the one whose files leave it open; empty where
    no path leads there.
    """
    steps: tuple[Step, ...] = ()
    """One a link of the path."""
    decided_if: DecidedIf | None = None
    """Under which assumption it would be decided, and how; null where under none."""
    would_need: tuple[NeededRoutes, ...] = ()
    """For the server to be reached over links that no loaded file shows: what other servers would
    need, one of these at least; empty where that was not judged.
    """
    destination: str = ""
    """The destination of the copy that is left open, where it is not that of the message: a
    bridge would make it.
    """


@record
class Doubt:
    """One thing that an answer leaves open."""

    server: str
    """The server that it is about; empty where it is about the whole answer."""
    because: str
    """Why it is not decided."""
    source: Source = Source("")
    """The line that leaves it open, if there is one."""

    def __str__(self) -> str:
        said = f"{self.server}: {self.because}" if self.server else self.because
        return f"{said} ({self.source})" if self.source.file else said


@record
class Stopped:
    """A link the message does not take. ``reason`` is a condition of NOT_FORWARDED; ``guard``
    the text of the predicate that failed; ``value`` FALSE or UNKNOWN."""

    at: str
    """The server the message is at."""
    to: str
    """The server it does not go on to; the same one where a subscriber or the server itself
    refuses it.
    """
    reason: str
    """The condition of NOT_FORWARDED."""
    guard: str
    """What decides it, in words."""
    value: str
    """FALSE, or UNKNOWN where a property that is asked for is missing."""
    source: Source
    """The line that decides it."""
    rule: str = ""
    """The rule that stops it."""
    system: str = ""
    """The system that both servers run."""
    destination: str = ""
    """The destination of the copy that stops, where it is not that of the message: a bridge made
    it.
    """
    path: tuple[str, ...] = ()
    """Server names, from the one asked from to `at`; empty where the message enters anew on its
    way.
    """
    steps: tuple[Step, ...] = ()
    """One a link of the path."""
    lacking: tuple[str, ...] = ()
    """The properties that a selector asks for and the message does not have, by name, where that
    leaves the selector UNKNOWN.
    """


@record(kw_only=True)
class Answer:
    """What all answers carry. ``exact`` is False as soon as a budget was hit, or part is
    undecided that is not listed in a field of its own. ``redaction`` is the fingerprint of the
    key with which hosts, users and client ids were replaced; empty where they were not."""

    question: ClassVar[str] = ""
    rows_field: ClassVar[str] = ""
    """The field that ``to_frame`` turns into rows."""

    snapshot: str
    """The id of the snapshot that was asked."""
    network: str
    """The network in it."""
    engine: str
    """`memory` or `neo4j`: who walked."""
    exact: bool = True
    """False if the budget (`--budget`) ended, or links or files that are not known leave part
    undecided: more may hold than is listed. `inexact_because` names the causes; a warning
    `budget` says what the budget cut."""
    assumptions: tuple[Assumption, ...] = ()
    """What the answer rests on where rules or files leave it open, by rule and text."""
    warnings: tuple[Caution, ...] = ()
    """What the reader has to know."""
    redaction: str = ""
    """The fingerprint of the key with which hosts, users and client ids were replaced; empty
    where they were not.
    """
    inexact_because: tuple[Inexact, ...] = ()
    """Why `exact` is false, cause by cause; empty where it is true."""

    @property
    def cut(self) -> bool:
        """Whether the budget, or the most entries that are listed, ended the answer: what it does
        not list may hold all the same.
        """
        return any(one.cause in (Cause.BUDGET, Cause.LIMIT) for one in self.inexact_because)

    def undecided(self) -> tuple[Doubt, ...]:
        """What the answer leaves open, each with why and where: servers that are undetermined or
        not reached for certain, parts of a message's way whose end is not known, receivers that
        are chosen at run time, and why the answer is not exact. None if all is decided. Linear
        in the answer."""
        found: tuple[Doubt, ...] = import_module(_DOUBTED_BY).undecided(self)
        return found

    @property
    def violation(self) -> bool:
        """True if the command ends with exit code 1: the answer is a violation."""
        return False

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        kind: Any = type(self)
        body = {label: plain(getattr(self, name)) for label, name in labels(kind)}
        return {"question": self.question, **body}

    def to_frame(self) -> pandas.DataFrame:
        """The answer's list as a pandas DataFrame, one row an entry, nested values as in the
        JSON form (``frames.to_frame``). Needs pandas.
        """
        frame: pandas.DataFrame = import_module(_SHOWN_BY).to_frame(self)
        return frame

    def _repr_html_(self) -> str:
        """What a notebook shows: the sentence and the table of the answer."""
        html: str = import_module(_SHOWN_BY).to_html(self)
        return html


@record(kw_only=True)
class SeveralAnswers(Answer):
    """The answers of one question about each of several servers: what a pattern in place of a name
    stands for. ``exact`` if all of them are."""

    rows_field: ClassVar[str] = "answers"

    asked: str
    """The question; ``question`` in JSON."""
    about: tuple[dict[str, str], ...] = ()
    """Of each answer the servers that it is about, by parameter."""
    answers: tuple[Answer, ...]
    """The answers, in the order of the names."""

    @property
    def question(self) -> str:  # type: ignore[override]
        return self.asked

    @property
    def violation(self) -> bool:
        return any(one.violation for one in self.answers)
