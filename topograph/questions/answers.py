"""The answers: frozen records whose fields are the JSON contract (DESIGN section 4.2).

``to_dict`` gives exactly the JSON form: a trailing ``_`` of a field name is dropped (``from_`` is ``from``), enums are their text,
tuples are lists. Fields may be added, never renamed.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from topograph.findings import Source

if TYPE_CHECKING:
    import pandas


_ATOMS = frozenset({str, int, float, bool, type(None)})


@cache
def labels(kind: Any) -> tuple[tuple[str, str], ...]:
    """(name in JSON, name of the field) of each field of a dataclass."""
    return tuple((field.name.rstrip("_"), field.name) for field in dataclasses.fields(kind))


def plain(value: Any) -> Any:
    """``value`` as plain JSON types. Mapping keys become text, tuples and lists become lists. Linear in the entries."""
    kind = type(value)
    if kind in _ATOMS:  # first: nine of ten values of a long answer
        return value
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if dataclasses.is_dataclass(kind):
        return {label: plain(getattr(value, name)) for label, name in labels(kind)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


@dataclass(frozen=True, slots=True)
class Assumption:
    """A position the answer rests on: the rule, how sure it is, what was assumed, and what would hold otherwise."""

    rule: str
    confidence: str
    text: str
    alternative: str = ""


@dataclass(frozen=True, slots=True)
class Caution:
    """Something the reader of the answer has to know: ``rule`` or kind, in words, with its place."""

    rule: str
    message: str
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class ZoneHops:
    """Hops inside one zone on a path, in path order (R15)."""

    zone: str
    hops: int


@dataclass(frozen=True, slots=True)
class Step:
    """One link of a path. ``guards`` are the texts of the predicates a message must pass; ``cost`` is None where the system has none."""

    from_: str
    to: str
    zone: str
    rule: str
    confidence: str
    guards: tuple[str, ...]
    source: Source
    cost: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What all answers carry. ``exact`` is False as soon as a budget was hit or the network is illegal and undecided in part. ``redaction`` is
    the fingerprint of the key with which hosts, users and client ids were replaced; empty where they were not."""

    question: ClassVar[str] = ""
    rows_field: ClassVar[str] = ""
    """The field that ``to_frame`` turns into rows."""

    snapshot: str
    network: str
    engine: str
    exact: bool = True
    assumptions: tuple[Assumption, ...] = ()
    warnings: tuple[Caution, ...] = ()
    redaction: str = ""

    @property
    def violation(self) -> bool:
        """True if the command ends with exit code 1: the answer is a violation."""
        return False

    def to_dict(self) -> dict[str, Any]:
        """The JSON form."""
        body = {f.name.rstrip("_"): plain(getattr(self, f.name)) for f in dataclasses.fields(self)}
        return {"question": self.question, **body}

    def to_frame(self) -> pandas.DataFrame:
        """The answer's list as a pandas DataFrame, one row an entry, nested values as in the JSON form (``frames.to_frame``). Needs pandas."""
        from topograph.questions.frames import to_frame

        return to_frame(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the sentence and the table of the answer."""
        from topograph.questions.frames import to_html

        return to_html(self)


@dataclass(frozen=True, slots=True)
class ReachedServer:
    """A server reached. ``hops`` counts routes traversed (R15); ``path`` runs from the server asked from to this one."""

    server: str
    hops: int
    zone_hops: tuple[ZoneHops, ...]
    path: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    cost: int | None = None


@dataclass(frozen=True, slots=True)
class Undetermined:
    """A server of which the loaded files do not say whether it is reached."""

    server: str
    because: str
    source: Source


@dataclass(frozen=True, slots=True)
class Stopped:
    """A link the message does not take. ``reason`` is a condition of NOT_FORWARDED; ``guard`` the text of the predicate that failed;
    ``value`` FALSE or UNKNOWN."""

    at: str
    to: str
    reason: str
    guard: str
    value: str
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachAnswer(Answer):
    """``reach``: ``servers`` never lists the server asked from; all lists by name. With ``reply`` each path is the way back: it runs from
    the server to the one asked from."""

    question: ClassVar[str] = "reach"
    rows_field: ClassVar[str] = "servers"

    from_: str
    to: str | None
    servers: tuple[ReachedServer, ...]
    unreachable: tuple[str, ...]
    undetermined: tuple[Undetermined, ...]
    stopped: tuple[Stopped, ...] = ()
    """With one server asked about that is not reached: the links at which messages towards it end, and why."""
    reply: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HopsAnswer(Answer):
    """``hops FROM TO``: ``reachable`` is True, False or ``"unknown"``; the counts are None unless it is True."""

    question: ClassVar[str] = "hops"
    rows_field: ClassVar[str] = "zone_hops"

    from_: str
    to: str
    reachable: bool | str
    route_hops: int | None
    zone_hops: tuple[ZoneHops, ...]
    cost: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HopsMatrixAnswer(Answer):
    """``hops --matrix``: ``hops[i][j]`` from ``servers[i]`` to ``servers[j]``, None where not reached, 0 on the diagonal."""

    question: ClassVar[str] = "hops"
    rows_field: ClassVar[str] = "hops"

    servers: tuple[str, ...]
    hops: tuple[tuple[int | None, ...], ...]
    undetermined: tuple[str, ...] = ()
    """Servers whose files are not loaded: None in their rows and columns, and in rows they could extend, may not mean 'no'."""


@dataclass(frozen=True, slots=True)
class PathFound:
    """One permitted path, servers first to last."""

    servers: tuple[str, ...]
    route_hops: int
    zone_hops: tuple[ZoneHops, ...]
    steps: tuple[Step, ...]
    cost: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PathsAnswer(Answer):
    """``paths``: by length, then by server names; ``truncated`` if there are more than asked for, or the budget ended."""

    question: ClassVar[str] = "paths"
    rows_field: ClassVar[str] = "paths"

    from_: str
    to: str
    paths: tuple[PathFound, ...]
    truncated: bool
    undetermined: tuple[Undetermined, ...] = ()
    """``to``, if the loaded files leave open whether it is reached, or reached over other paths too."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """``server`` would hold ``name`` over several neighbours ``via``; one path a neighbour, from the owner of the name to the server.
    ``routes`` are the links (``A-B``, by name) any of which may be the one refused after a restart."""

    server: str
    name: str
    via: tuple[str, ...]
    paths: tuple[tuple[str, ...], ...]
    routes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RedundantPaths:
    """AMQ Interconnect: routers joined by more than one path (a biconnected part of the network): wanted there."""

    routers: tuple[str, ...]
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CyclesAnswer(Answer):
    """``cycles``: ``legal`` is False if any server would hold a name over two routes (R20, R23)."""

    question: ClassVar[str] = "cycles"
    rows_field: ClassVar[str] = "duplicates"

    legal: bool
    duplicates: tuple[Duplicate, ...]
    redundant: tuple[RedundantPaths, ...] = ()
    strict: bool = False

    @property
    def violation(self) -> bool:
        return not self.legal


@dataclass(frozen=True, slots=True)
class InterestEntry:
    """A name a server holds: learned from ``via`` over ``hops`` routes."""

    name: str
    via: str
    hops: int


@dataclass(frozen=True, slots=True)
class InterestDifference:
    """A name that is missing from, or unexpected in, what a server was observed to hold."""

    server: str
    name: str
    via: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InterestsAnswer(Answer):
    """``interests``: per server the ``$TMP$.X.>`` names it holds (R22), by name. With observations also the differences; ``compared`` are
    the servers whose observed names were compared."""

    question: ClassVar[str] = "interests"
    rows_field: ClassVar[str] = "servers"

    servers: dict[str, tuple[InterestEntry, ...]]
    undetermined: tuple[Undetermined, ...] = ()
    missing: tuple[InterestDifference, ...] = ()
    unexpected: tuple[InterestDifference, ...] = ()
    compared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Delivery:
    """A server where subscribers get the message. ``subscriber``: configured, observed, declared or assumed."""

    server: str
    destination: str
    outcome: str
    hops: int
    path: tuple[str, ...]
    copies: int
    subscriber: str
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PropagateAnswer(Answer):
    """``propagate``: who gets the message, by hops then name; where it stops and why."""

    question: ClassVar[str] = "propagate"
    rows_field: ClassVar[str] = "deliveries"

    from_: str
    message: dict[str, object]
    deliveries: tuple[Delivery, ...]
    stopped: tuple[Stopped, ...]
    received: tuple[str, ...] = ()
    """Every other server the message is forwarded to, transit servers included."""
    undetermined: tuple[Undetermined, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckAnswer(Answer):
    """``check``: findings of the lint rules (outcomes.md section 4), worst first, then by file and line."""

    question: ClassVar[str] = "check"
    rows_field: ClassVar[str] = "findings"

    findings: tuple[dict[str, object], ...]
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def violation(self) -> bool:
        return any(entry["severity"] in ("warning", "error") for entry in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowAnswer(Answer):
    """``show WHAT``: rows of what is loaded; ``columns`` in reading order."""

    question: ClassVar[str] = "show"
    rows_field: ClassVar[str] = "rows"

    what: str
    columns: tuple[str, ...]
    rows: tuple[dict[str, object], ...]
