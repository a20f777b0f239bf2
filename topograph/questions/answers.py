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
    """The rule or position, such as R30 or A17."""
    confidence: str
    """How sure it is: H, M, L (EMS); A, B, C, I (AMQ Interconnect)."""
    text: str
    """What is assumed."""
    alternative: str = ""
    """What would hold otherwise; empty if nothing else does."""


@dataclass(frozen=True, slots=True)
class Caution:
    """Something the reader of the answer has to know: ``rule`` or kind, in words, with its place."""

    rule: str
    """The rule, or the kind of warning."""
    message: str
    """What to know."""
    source: Source | None = None
    """Where it comes from, if it has a place."""


@dataclass(frozen=True, slots=True)
class ZoneHops:
    """Hops inside one zone on a path, in path order (R15)."""

    zone: str
    """The zone."""
    hops: int
    """Hops inside it before the path leaves it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One link of a path. ``guards`` are the texts of the predicates a message must pass; ``cost`` is None where the system has none."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What all answers carry. ``exact`` is False as soon as a budget was hit or the network is illegal and undecided in part. ``redaction`` is
    the fingerprint of the key with which hosts, users and client ids were replaced; empty where they were not."""

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
    """False if a search budget ended, or an illegal network leaves part undecided: more may hold than is listed."""
    assumptions: tuple[Assumption, ...] = ()
    """What the answer rests on where rules or files leave it open, by rule and text."""
    warnings: tuple[Caution, ...] = ()
    """What the reader has to know."""
    redaction: str = ""
    """The fingerprint of the key with which hosts, users and client ids were replaced; empty where they were not."""

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
    """The server."""
    hops: int
    """Routes traversed on the path."""
    zone_hops: tuple[ZoneHops, ...]
    """The same, inside each zone."""
    path: tuple[str, ...]
    """Server names, first to last, both included."""
    steps: tuple[Step, ...] = ()
    """One a link of the path."""
    cost: int | None = None
    """The sum of the costs; null where the system has none."""


@dataclass(frozen=True, slots=True)
class Undetermined:
    """A server of which the loaded files do not say whether it is reached."""

    server: str
    """The server."""
    because: str
    """Why it cannot be said."""
    source: Source
    """The line that leaves it open."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """A link the message does not take. ``reason`` is a condition of NOT_FORWARDED; ``guard`` the text of the predicate that failed;
    ``value`` FALSE or UNKNOWN."""

    at: str
    """The server the message is at."""
    to: str
    """The server it does not go on to; the same one where a subscriber or the server itself refuses it."""
    reason: str
    """The condition of NOT_FORWARDED."""
    guard: str
    """What decides it, in words."""
    value: str
    """FALSE, or UNKNOWN where a property that is asked for is missing."""
    source: Source
    """The line that decides it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachAnswer(Answer):
    """``reach``: ``servers`` never lists the server asked from; all lists by name. With ``reply`` each path is the way back: it runs from
    the server to the one asked from."""

    question: ClassVar[str] = "reach"
    rows_field: ClassVar[str] = "servers"

    from_: str
    """The server asked from."""
    to: str | None
    """The one server asked about; null for all."""
    servers: tuple[ReachedServer, ...]
    """Servers that are certainly reached."""
    unreachable: tuple[str, ...]
    """Servers that are certainly not reached."""
    undetermined: tuple[Undetermined, ...]
    """Servers of which the loaded files do not say."""
    stopped: tuple[Stopped, ...] = ()
    """With one server asked about that is not reached: the links at which messages towards it end, and why."""
    reply: bool = False
    """Whether the way of a reply was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HopsAnswer(Answer):
    """``hops FROM TO``: ``reachable`` is True, False or ``"unknown"``; the counts are None unless it is True."""

    question: ClassVar[str] = "hops"
    rows_field: ClassVar[str] = "zone_hops"

    from_: str
    """The first server."""
    to: str
    """The last server."""
    reachable: bool | str
    """`true`, `false`, or `"unknown"` where the loaded files do not say."""
    route_hops: int | None
    """Routes traversed; null unless reachable."""
    zone_hops: tuple[ZoneHops, ...]
    """The same, inside each zone, in path order."""
    cost: int | None = None
    """The sum of the costs; null where the system has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HopsMatrixAnswer(Answer):
    """``hops --matrix``: ``hops[i][j]`` from ``servers[i]`` to ``servers[j]``, None where not reached, 0 on the diagonal."""

    question: ClassVar[str] = "hops"
    rows_field: ClassVar[str] = "hops"

    servers: tuple[str, ...]
    """All servers, by name: rows and columns."""
    hops: tuple[tuple[int | None, ...], ...]
    """A row for each server; null where not certainly reached, 0 to itself."""
    undetermined: tuple[str, ...] = ()
    """Servers whose files are not loaded: None in their rows and columns, and in rows they could extend, may not mean 'no'."""


@dataclass(frozen=True, slots=True)
class PathFound:
    """One permitted path, servers first to last."""

    servers: tuple[str, ...]
    """Server names, first to last, both included."""
    route_hops: int
    """Routes traversed."""
    zone_hops: tuple[ZoneHops, ...]
    """The same, inside each zone."""
    steps: tuple[Step, ...]
    """One a link."""
    cost: int | None = None
    """The sum of the costs; null where the system has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathsAnswer(Answer):
    """``paths``: by length, then by server names; ``truncated`` if there are more than asked for, or the budget ended."""

    question: ClassVar[str] = "paths"
    rows_field: ClassVar[str] = "paths"

    from_: str
    """The first server."""
    to: str
    """The last server."""
    paths: tuple[PathFound, ...]
    """Shortest first, then by server names."""
    truncated: bool
    """Whether there are or may be more."""
    undetermined: tuple[Undetermined, ...] = ()
    """``to``, if the loaded files leave open whether it is reached, or reached over other paths too."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """``server`` would hold ``name`` over several neighbours ``via``; one path a neighbour, from the owner of the name to the server.
    ``routes`` are the links (``A-B``, by name) any of which may be the one refused after a restart."""

    server: str
    """The server that would hold the name."""
    name: str
    """The name, `$TMP$.<owner>.>`."""
    via: tuple[str, ...]
    """The neighbours it would come from, two or more."""
    paths: tuple[tuple[str, ...], ...]
    """One a neighbour, from the owner to the server."""
    routes: tuple[str, ...]
    """Links (`A-B`), any of which may be the one refused after a restart."""


@dataclass(frozen=True, slots=True)
class RedundantPaths:
    """AMQ Interconnect: routers joined by more than one path (a biconnected part of the network): wanted there."""

    routers: tuple[str, ...]
    """The routers of the part."""
    links: tuple[str, ...]
    """Its links (`A-B`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CyclesAnswer(Answer):
    """``cycles``: ``legal`` is False if any server would hold a name over two routes (R20, R23)."""

    question: ClassVar[str] = "cycles"
    rows_field: ClassVar[str] = "duplicates"

    legal: bool
    """False if a server would hold a name over more than one route."""
    duplicates: tuple[Duplicate, ...]
    """One a server and name, by server."""
    redundant: tuple[RedundantPaths, ...] = ()
    """Parts with more than one path, where that is wanted."""
    strict: bool = False
    """Whether cycles over several zones were to be refused too."""

    @property
    def violation(self) -> bool:
        return not self.legal


@dataclass(frozen=True, slots=True)
class InterestEntry:
    """A name a server holds: learned from ``via`` over ``hops`` routes."""

    name: str
    """The name, `$TMP$.<owner>.>`."""
    via: str
    """The neighbour it was learned from."""
    hops: int
    """Routes between owner and holder."""


@dataclass(frozen=True, slots=True)
class InterestDifference:
    """A name that is missing from, or unexpected in, what a server was observed to hold."""

    server: str
    """The server."""
    name: str
    """The name."""
    via: str
    """The neighbour; empty if the observation does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterestsAnswer(Answer):
    """``interests``: per server the ``$TMP$.X.>`` names it holds (R22), by name. With observations also the differences; ``compared`` are
    the servers whose observed names were compared."""

    question: ClassVar[str] = "interests"
    rows_field: ClassVar[str] = "servers"

    servers: dict[str, tuple[InterestEntry, ...]]
    """Per server the names it holds, by name."""
    undetermined: tuple[Undetermined, ...] = ()
    """Servers of which not all is known."""
    missing: tuple[InterestDifference, ...] = ()
    """Held by the rules, not observed."""
    unexpected: tuple[InterestDifference, ...] = ()
    """Observed, not held by the rules."""
    compared: tuple[str, ...] = ()
    """Servers whose observed names were compared."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What one router decided about a message."""

    at: str
    """The router."""
    text: str
    """What it decided, in words."""
    rule: str
    """The rule it decided by."""
    source: Source
    """The configuration line behind it."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A server where subscribers get the message. ``subscriber``: configured, observed, declared or assumed."""

    server: str
    """The server where the subscriber is."""
    destination: str
    """The destination it is delivered to."""
    outcome: str
    """The outcome in one word."""
    hops: int
    """Routes traversed."""
    path: tuple[str, ...]
    """Server names, first to last."""
    copies: int
    """How many times the message arrives there."""
    subscriber: str
    """How the subscriber is known: configured, observed, declared or assumed."""
    steps: tuple[Step, ...] = ()
    """One a link of the path."""
    receiver: str = ""
    """The receiver or container, where it has a name of its own."""
    choice: str = "always"
    """`always`, or `one_of`: the router chooses at run time, and `alternatives` lists what it can choose."""
    paths: tuple[tuple[str, ...], ...] = ()
    """The path of each copy, where there are several."""
    decisions: tuple[Decision, ...] = ()
    """What each router on the path decided, in order."""


@dataclass(frozen=True, slots=True)
class Sender:
    """What the sender of a message sees."""

    outcome: str
    """`accepted`, `released`, `rejected`, `modified`, `unsettled`, or of the vocabulary of outcomes: `NO_CREDIT`, `REFUSED`."""
    condition: str = ""
    """The condition of a refusal, as the product words it."""
    description: str = ""
    """Its description, or in words why there is no credit."""
    rule: str = ""
    """The rule."""
    source: Source = Source("")
    """The line behind it."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One course of events of which exactly one is taken (ONE_OF)."""

    if_: str
    """Under which condition; empty where nothing that is configured decides."""
    outcome: str
    """What the sender sees."""
    received: dict[str, int]
    """Copies by receiver."""
    deposited: dict[str, dict[str, int]]
    """Messages by container and address there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PropagateAnswer(Answer):
    """``propagate``: who gets the message, by hops then name; where it stops and why."""

    question: ClassVar[str] = "propagate"
    rows_field: ClassVar[str] = "deliveries"

    from_: str
    """The server the message is published at."""
    message: dict[str, object]
    """The message as it was understood: destination, properties with their types, user."""
    deliveries: tuple[Delivery, ...]
    """Who gets it, by hops then server."""
    stopped: tuple[Stopped, ...]
    """Where it stops, and why."""
    received: tuple[str, ...] = ()
    """Every other server the message is forwarded to, transit servers included."""
    undetermined: tuple[Undetermined, ...] = ()
    """Servers of which the loaded files do not say."""
    sender: Sender | None = None
    """What the sender sees, where the system tells it."""
    alternatives: tuple[Alternative, ...] = ()
    """The possible courses of events, where there is more than one."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One thing that happens to the message."""

    at: str
    """The server it happens at."""
    state: str
    """Where the message is, or what is decided about it, in words."""
    rule: str
    """The rule."""
    confidence: str
    """How sure the rule is."""
    outcome: str
    """The outcome of the step, with its arguments: `FORWARDED(B)`, `DELIVERED(topic:orders)`."""
    source: Source
    """The line behind it."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A course of events beside the first: its steps and the outcomes it ends in."""

    if_: str
    """Under which condition; empty where nothing that is configured decides."""
    steps: tuple[TraceStep, ...]
    """What happens, in order."""
    outcomes: tuple[str, ...]
    """How it ends: one entry a copy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceAnswer(Answer):
    """``trace``: what happens to one message, step by step. Copies stand one after the other, the steps they share once."""

    question: ClassVar[str] = "trace"
    rows_field: ClassVar[str] = "steps"

    from_: str
    """The server the message is sent at."""
    message: dict[str, object]
    """The message as it was understood."""
    steps: tuple[TraceStep, ...]
    """What happens, in order."""
    outcome: str
    """How it ends, in one word; `ONE_OF` where courses differ."""
    outcomes: tuple[str, ...]
    """How each copy ends, with arguments."""
    alternatives: tuple[Branch, ...] = ()
    """Every possible course, where there is more than one."""
    undetermined: tuple[Undetermined, ...] = ()
    """Servers of which the loaded files do not say."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A pair of servers that no longer reach each other."""

    from_: str
    """The first server."""
    to: str
    """The last."""
    outcome: str
    """What happens to messages meanwhile and afterwards."""


@dataclass(frozen=True, slots=True)
class Rerouted:
    """A pair of servers that reach each other by another path."""

    from_: str
    """The first server."""
    to: str
    """The last."""
    before: tuple[str, ...]
    """The path before."""
    after: tuple[str, ...]
    """The path afterwards."""
    cost_before: int
    """The cost of the path before."""
    cost_after: int
    """The cost of the path afterwards."""


@dataclass(frozen=True, slots=True)
class FailureCounted:
    """One failure of a sweep."""

    failed: str
    """What fails: `server:X` or `route:A-B`."""
    lost: int
    """Ordered pairs of living servers that no longer reach each other."""
    rerouted: int
    """Ordered pairs that reach each other by another path."""
    source: Source
    """Where it is configured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactAnswer(Answer):
    """``impact``: what a failure does. With a sweep ``failures`` has one row a failure, worst first, and the lists of pairs are empty."""

    question: ClassVar[str] = "impact"
    rows_field: ClassVar[str] = "lost"

    failed: tuple[str, ...]
    """What fails."""
    lost: tuple[Lost, ...] = ()
    """Ordered pairs of living servers that no longer reach each other."""
    held: tuple[dict[str, object], ...] = ()
    """What is stored until the failure is over."""
    gaps: tuple[dict[str, object], ...] = ()
    """What is not kept for whom meanwhile."""
    retained: tuple[dict[str, object], ...] = ()
    """What is kept for whom."""
    rerouted: tuple[Rerouted, ...] = ()
    """Ordered pairs that reach each other by another path, or at another cost."""
    taken_over: tuple[dict[str, str], ...] = ()
    """Edge routers whose uplink moves: edge, before, after."""
    transient: dict[str, object] | None = None
    """What holds until the failure is noticed everywhere: `max_seconds` and `outcome`."""
    failures: tuple[FailureCounted, ...] = ()
    """One a failure of a sweep, worst first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckAnswer(Answer):
    """``check``: findings of the lint rules (outcomes.md section 4), worst first, then by file and line."""

    question: ClassVar[str] = "check"
    rows_field: ClassVar[str] = "findings"

    findings: tuple[dict[str, object], ...]
    """Worst first, then by file and line: kind, severity, rule, message, server, excerpt, source."""
    counts: dict[str, int] = field(default_factory=dict)
    """How many there are of each severity."""

    @property
    def violation(self) -> bool:
        return any(entry["severity"] in ("warning", "error") for entry in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowAnswer(Answer):
    """``show WHAT``: rows of what is loaded; ``columns`` in reading order."""

    question: ClassVar[str] = "show"
    rows_field: ClassVar[str] = "rows"

    what: str
    """What is listed."""
    columns: tuple[str, ...]
    """The keys of a row in reading order."""
    rows: tuple[dict[str, object], ...]
    """One an entry."""
