"""The answer about a change: ``audit``. See ``answers``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import ClassVar

from topograph.findings import Source
from topograph.questions.answers.base import ASIDE, Answer, Caution, Step
from topograph.questions.answers.impact import OutcomeChanged
from topograph.questions.answers.names import Duplicate
from topograph.questions.answers.trace import MessageFollowed
from topograph.records import record

Pair = tuple[str, str]
"""Two servers: from, to."""


@record
class AuditBefore:
    """The network before the change."""

    legal: bool | str
    """`true`, `false`, or `"unknown"` where the budget ended first."""
    duplicates: tuple[Duplicate, ...] = ()
    """Names that servers hold twice already."""
    judged: bool = True
    """Whether any system of the network has a rule against more than one path."""


@record
class AuditStep:
    """One command, in order."""

    command: str
    """The command as written, without secrets."""
    source: Source
    """Its line."""
    server: str
    """The server that it is given to."""
    result: str
    """`accepted`; `no-effect`: it changes nothing that decides about messages; `refused`: it is
    not applied; `conflict`: accepted now, refused later; `undetermined`: nobody can say with the
    loaded files."""
    reach_lost_so_far: tuple[Pair, ...] = ()
    """Ordered pairs that reached each other before the change and do not after this command."""
    reach_lost_count: int = 0
    """How many there are: of many, some are listed."""
    notes: tuple[Caution, ...] = ()
    """What else the command does."""
    system: str = ""
    """The system that the server runs."""


@record
class Rejection:
    """Why a command is refused, or will be, or why that cannot be said."""

    command: str
    """The command as written, without secrets."""
    source: Source
    """Its line."""
    server: str
    """The server that it is given to."""
    rule: str
    """The rule."""
    message: str
    """In words; what a server prints stands in double quotes."""
    at: tuple[str, ...]
    """The servers that notice it."""
    duplicates: tuple[Duplicate, ...]
    """The names that servers would hold twice."""
    paths: tuple[tuple[str, ...], ...]
    """Both paths of the first of them."""
    when: str
    """`now`, or when a route that is down comes up."""
    detected: str = ""
    """`endpoint`: an end of the new route notices it when the route is created; `downstream`:
    another server does.
    """
    undetermined: bool = False
    """Whether the loaded files leave it open."""
    flows: tuple[tuple[Step, ...], ...] = ()
    """The same two paths step by step, each with its configuration line."""


@record
class ReachChanged:
    """Ordered pairs of servers, by name (`SYSTEM:name` where several systems have one of that
    name). Of many, some are listed. Who is certainly reached afterwards, that is who was before,
    with those gained and without those lost."""

    gained: tuple[Pair, ...] = ()
    """Pairs of which it is certain after the change, and was not before, that the first reaches
    the second."""
    lost: tuple[Pair, ...] = ()
    """Pairs that it separates: certain before, and certainly not so afterwards."""
    undetermined: tuple[Pair, ...] = ()
    """Pairs of which the loaded files, a choice at run time or the budget leave it open before or
    after."""
    gained_count: int = 0
    """How many pairs are connected."""
    lost_count: int = 0
    """How many pairs are separated."""
    undetermined_count: int = 0
    """How many are left open."""


@record
class HopsMoved:
    """A pair of servers whose path has another length."""

    from_: str
    """The first server."""
    to: str
    """The last server."""
    before: int
    """Hops before the change."""
    after: int
    """Hops after it."""


@record
class HopsChanged:
    """Pairs whose path has another length, by name. Of many, some are listed."""

    longer: tuple[HopsMoved, ...] = ()
    """Longer than before."""
    shorter: tuple[HopsMoved, ...] = ()
    """Shorter than before."""
    longer_count: int = 0
    """How many are longer."""
    shorter_count: int = 0
    """How many are shorter."""


@record
class DeliveryMoved:
    """A server whose subscribers get other messages than before: the message that shows it was
    followed before and after.
    """

    server: str
    """The server of the subscriber."""
    destination: str
    """The destination."""
    witness: dict[str, object]
    """The properties of a message that shows it."""
    source: Source
    """The line that decides it: of the link, or of the selector."""
    from_: str = ""
    """A server at which the message was published."""
    publishers: int = 0
    """Of how many servers such messages are concerned."""
    subscriber: str = ""
    """How the subscriber is known: configured, observed, declared or assumed."""
    copies: int = 0
    """How many copies come after the change."""
    published: str = ""
    """The destination that the message was sent to, where it is another one: a bridge copied it."""

    @property
    def message(self) -> str:
        """The message in words: where it was sent, its properties, and what copied it there."""
        values = ", ".join(f"{name} = {value!r}" for name, value in sorted(self.witness.items()))
        copied = f", copied to {self.destination}" if self.published else ""
        like = f" with {values}" if values else ""
        return f"a message to {self.published or self.destination}{like}{copied}"


@record
class DeliveriesChanged:
    """Deliveries to subscribers that are known."""

    gained: tuple[DeliveryMoved, ...] = ()
    """What they get now."""
    lost: tuple[DeliveryMoved, ...] = ()
    """What they no longer get."""
    duplicated: tuple[DeliveryMoved, ...] = ()
    """What they get more than once."""


@record
class LinkMoved:
    """A link that a change brings, takes away or alters."""

    from_: str
    """One of its two servers."""
    to: str
    """The other one."""
    zone: str = ""
    """The zone of the link; empty where there are no zones."""
    zone_type: str = ""
    """The type of that zone."""
    configured_by: str = ""
    """The server that configures it, or `active-active`."""
    cost: int | None = None
    """The cost of the link; null where the system has none."""
    one_way: bool = False
    """Whether messages pass from the first server to the second only."""
    name: str = ""
    """What it is called in the configuration, if it has a name."""
    role: str = ""
    """What kind of link it is, where there are several."""
    source: Source = Source("")
    """Its configuration line; of a link that goes, the one before."""
    system: str = ""
    """The system that the first server runs."""
    to_system: str = ""
    """The system that the second server runs."""
    before: tuple[str, ...] = ()
    """Of a link that is altered: what was so before only."""
    after: tuple[str, ...] = ()
    """What is so after the change only."""


@record
class ServerMoved:
    """A server that only one of two states of the network has."""

    server: str
    """Its name."""
    system: str
    """The system that it runs."""
    loaded: bool
    """Whether its own configuration is loaded, or others only name it."""
    source: Source
    """Its configuration line, or the first that names it."""
    still_named: bool = False
    """Of a server whose configuration the change takes away: whether others still lead to it, so
    that what it does afterwards is not known."""


@record
class ServersChanged:
    """Servers by name. Of many, some are listed."""

    added: tuple[ServerMoved, ...] = ()
    """Servers that the change brings, or names for the first time."""
    removed: tuple[ServerMoved, ...] = ()
    """Servers that are gone, or whose configuration is; or that nothing names any longer."""
    added_count: int = 0
    """How many come."""
    removed_count: int = 0
    """How many go."""


@record
class LinksChanged:
    """Links by their servers. Of many, some are listed."""

    added: tuple[LinkMoved, ...] = ()
    """Links that the change brings."""
    removed: tuple[LinkMoved, ...] = ()
    """Links that it takes away."""
    changed: tuple[LinkMoved, ...] = ()
    """Links on which it alters something: zone, cost, who configures them, or what messages have
    to be like to pass.
    """
    added_count: int = 0
    """How many come."""
    removed_count: int = 0
    """How many go."""
    changed_count: int = 0
    """How many are altered."""


@record
class AuditState:
    """A state of the network that is compared."""

    snapshot: str
    """The id of its snapshot."""
    network: str
    """Its network."""
    revision: str = ""
    """The git revision and commit that it was read out of; empty for a snapshot or a folder."""


@record
class EntryMoved:
    """An entry of the configuration that a change was to bring or take away and did not, or the
    other way round.
    """

    change: str
    """`added`: the entry comes with the change; `removed`: it goes."""
    kind: str
    """What it is: `route`, `destination`, `bridge` and so on."""
    server: str
    """The server that has it."""
    name: str
    """Its name."""
    source: Source
    """Its line: in the script or in what is there, whichever has it."""
    system: str = ""
    """The system that the server runs."""


@record
class PolicyEvidence:
    """What decides about a policy: one case, or all cases together."""

    text: str
    """What is so, in words."""
    path: tuple[str, ...] = ()
    """The servers of the path that shows it, if one does."""
    source: Source = Source("")
    """The configuration line behind it, if there is one."""


@record
class PolicyResult:
    """A policy, judged on the network after the change."""

    id: str
    """What the policy is called."""
    result: str
    """`pass`; `fail`; `undetermined`: the loaded files, or the budget, do not decide it."""
    evidence: tuple[PolicyEvidence, ...]
    """The cases that decide it. Of many, some are listed."""
    evidence_count: int = 0
    """How many there are."""
    rule: str = ""
    """What it asks for, by its key in the file."""
    because: str = ""
    """Why it is there, as the file says."""
    source: Source = Source("")
    """Its line."""
    severity: str = "block"
    """`block`; `warn`: what becomes of it does not change the verdict."""
    blocks: bool = False
    """Whether it keeps the verdict from `accept`: it does not pass, its severity is `block`, and
    no waiver stands."""
    before: str = ""
    """What it came to before the change, where it does not pass; empty where nobody looked."""
    waiver: str = ""
    """Why it may fail, who says so and until when, if there is a waiver."""


@record
class InterestMoved:
    """A name that a server holds only before or only after."""

    server: str
    """The server that holds it."""
    name: str
    """The name."""
    via: str
    """The neighbour that it comes from."""


@record
class InterestChanged:
    """Names that servers hold, each from a neighbour: what comes from another one is gained and
    lost. Of many, some are listed.
    """

    gained: tuple[InterestMoved, ...] = ()
    """Held after the change only."""
    lost: tuple[InterestMoved, ...] = ()
    """Held before it only."""
    gained_count: int = 0
    """How many are gained."""
    lost_count: int = 0
    """How many are lost."""


@record
class SinglePoints:
    """Links (`A-B`) that both states have, where a system wants more than one path."""

    new: tuple[str, ...] = ()
    """Links that become the only way between some servers."""
    gone: tuple[str, ...] = ()
    """Links that there is another way around now."""


@record
class FindingBrought:
    """An error or a warning about the configuration that only the state after has."""

    severity: str
    """`error` or `warning`."""
    rule: str
    """The rule that it rests on, or the kind of finding where it rests on none."""
    message: str
    """What is wrong, and what that means."""
    effect: str
    """What it does to the verdict: `rejects`: what it is about does not come up, or its server
    does not start; `undetermined`: it is an error, or messages go round; `told`: it is a warning.
    """
    source: Source = Source("")
    """Where it stands."""
    server: str = ""
    """The server concerned; empty where it is about none."""
    kind: str = ""
    """The kind of finding."""


@record
class LeftOpen:
    """Something that nobody can say of a change, so that it cannot be accepted."""

    polarity: str
    """`unknown`: the loaded files do not say it; `not_looked_at`: the search ended first."""
    because: str
    """What is not known, or was left out."""
    source: Source = Source("")
    """Where it comes from, if it has a place."""
    remedy: str = ""
    """How to look at it; empty where it takes files that are not loaded."""


Follow = Callable[[OutcomeChanged], tuple[MessageFollowed, MessageFollowed] | None]
"""What happens to the message of a line of ``outcomes`` before and after the change; None where
nobody can say, or it takes too long."""


@record(kw_only=True)
class AuditAnswer(Answer):
    """``audit``: what a change does, command by command, and whether it should go in."""

    question: ClassVar[str] = "audit"
    rows_field: ClassVar[str] = "steps"

    verdict: str
    """`accept`, `reject`, or `undetermined` where the loaded files do not decide it."""
    before: AuditBefore
    """The network as it is."""
    steps: tuple[AuditStep, ...]
    """Each command, in order."""
    rejections: tuple[Rejection, ...]
    """Why commands are refused, in order."""
    reach: ReachChanged
    """Who reaches whom, after all commands."""
    hops: HopsChanged
    """How far it is."""
    deliveries: DeliveriesChanged
    """What known subscribers get."""
    would_gain: tuple[DeliveryMoved, ...] = ()
    """What subscribers would get that are only supposed to be there."""
    would_lose: tuple[DeliveryMoved, ...] = ()
    """What they would no longer get."""
    links: LinksChanged = LinksChanged()
    """Links that come, go or are altered."""
    interest: InterestChanged = InterestChanged()
    """Names that servers hold, and from which neighbour."""
    single_points: SinglePoints = SinglePoints()
    """Links whose failure separates servers in one of the two states only, where the system
    wants more than one path.
    """
    outcomes: tuple[OutcomeChanged, ...] = ()
    """Destinations of servers whose messages end in another way, where the system tells them one
    by one.
    """
    compared: tuple[AuditState, ...] = ()
    """Where two states are compared: before and after."""
    servers: ServersChanged = ServersChanged()
    """Servers that come or go."""
    replayed: bool = False
    """Whether a saved change is compared with what is there: the differences are then those from
    what the change was to give.
    """
    missing: tuple[EntryMoved, ...] = ()
    """What the change was to do to the configuration and is not there."""
    besides: tuple[EntryMoved, ...] = ()
    """What else came into the configuration, or went."""
    policy: tuple[PolicyResult, ...] = ()
    """Each policy that was given, in order."""
    findings: tuple[FindingBrought, ...] = ()
    """Errors and warnings that `check` has of the state after and not of the one before, errors
    first. Of many, some are listed."""
    left_open: tuple[LeftOpen, ...] = ()
    """What keeps the verdict from `accept` without speaking against the change."""
    unknown_alike: int = 0
    """How many servers, or links, are not known in the same way before and after."""
    anchor: Source = Source("")
    """A file that is there after the change, for what has no place of its own."""
    files_gone: tuple[str, ...] = ()
    """Files that are cited and that the state after does not have."""
    would_duplicate: tuple[DeliveryMoved, ...] = ()
    """What subscribers would get more than once that are only supposed to be there."""
    unchanged: bool = False
    """Whether the two states that are compared say the same, so that nothing differs."""
    follow: Follow | None = field(default=None, compare=False, repr=False, metadata=ASIDE)
    """How the messages of ``outcomes`` are followed, for pictures."""

    @property
    def violation(self) -> bool:
        """Whether the change is not accepted."""
        return self.verdict != "accept"
