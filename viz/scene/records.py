"""A picture as data: what is drawn of a network and of one answer about it, before anyone decides
pixels.

``picture`` makes a ``Scene`` of an estate and an answer, ``layout`` places its servers; ``page``
writes it as one HTML file, ``formats`` as dot, GraphML or Mermaid. All lists have a stated order,
so that equal answers give equal files: servers by name, links by ends, zones by name.

``view.View`` holds a scene as pyvis nodes and edges, and gives all three to ``page.render(nodes,
edges, scene)``. Of what stands in the scene it sets ``id``, ``label``, ``title``, ``x``, ``y`` (a
node; ``id`` and ``label`` are the server's name) and ``id``, ``from``, ``to``, ``title`` (an edge;
``id`` is the link's). Any other attribute there (``color``, ``shape``, ``size``, ``width``,
``hidden``...), and a label or place that is not the scene's, was set by the user and wins over the
page's own looks. Nodes and edges whose id is not in the scene are the user's, drawn as pyvis
attributes say; a server or link of the scene without a node or edge was taken out by the user.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum

from topograph.findings import Severity, Source
from topograph.outcomes import Truth
from topograph.records import record


class Mark(StrEnum):
    """What the answer says of a server or a link; told apart by shape, line and text as well as
    by colour.
    """

    NONE = ""
    """The answer says nothing about it: drawn plainly (estate), or faded (beside an answer)."""
    ASKED = "asked"
    """The server asked from."""
    TARGET = "target"
    """The server asked about, reached; where it is not, it is UNREACHABLE or UNDETERMINED."""
    REACHED = "reached"
    UNREACHABLE = "unreachable"
    UNDETERMINED = "undetermined"
    DELIVERED = "delivered"
    """A subscriber gets the message here."""
    STORED = "stored"
    """A container outside of the network keeps the message."""
    WOULD_DELIVER = "would-deliver"
    """A subscriber would get the message here; nobody is known there."""
    ONE_OF = "one-of"
    """One of several servers that are marked so is reached, or gets the message; which one is
    chosen at run time.
    """
    LATER = "later"
    """The message gets here when something else has happened."""
    MAY_END = "may-end"
    """The message ends here undelivered if that is chosen at run time."""
    TRANSIT = "transit"
    """The message passes here, and nobody gets it."""
    MAYBE_TRANSIT = "maybe-transit"
    """The message may pass here: a path that is not certain leads over this server."""
    PATH = "path"
    """A link that a path of the answer uses."""
    BLOCKED = "blocked"
    """A link that the message does not take."""
    DUPLICATE = "duplicate"
    """A link or server of a multi-path cycle (R20, R23)."""
    NOTHING = "nothing"
    """The message is not sent on to this server, and nobody there gets it."""
    HELD = "held"
    """The message waits here."""
    ASIDE = "aside"
    """The message is put aside here, on a dead-letter queue or an exception destination."""
    REJECTED = "rejected"
    """The message ends here, and nobody gets it."""
    CIRCULATES = "circulates"
    """The message comes back here: it goes round for ever."""
    REDUNDANT = "redundant"
    """A server or link of a redundant part, where that is wanted."""
    CUT_OFF = "cut-off"
    """A server of a part of the network that is separated from other parts (``Scene.parts``)."""
    APART = "apart"
    """A server that no longer reaches, or is no longer reached by, some others; or one of a part
    that is larger than all parts together that are cut off from it.
    """
    LOST = "lost"
    """A broker or container that servers no longer reach."""
    LOSES = "loses"
    """A server whose known subscribers lose messages, or get them more than once."""
    WOULD_LOSE = "would-lose"
    """A server whose subscribers would lose messages; nobody is known there."""
    ELSEWHERE = "elsewhere"
    """A server where messages are put that end in another way than before."""
    BETTER = "better"
    """A server where messages are put that end better than before: somebody gets them who did not,
    and nothing is lost."""
    GAINS = "gains"
    """A server that more servers reach, or whose known subscribers get more messages."""
    WOULD_GAIN = "would-gain"
    """A server whose subscribers would get more messages; nobody is known there."""
    COMES = "comes"
    """A server or link that a change brings."""
    GOES = "goes"
    """A server or link that a change takes away."""
    ALTERED = "altered"
    """A link that stays and lets other messages pass, or has other properties."""
    REFUSED = "refused"
    """A link that would come and will not be."""
    DOWN = "down"
    """A server or link that fails."""
    CRITICAL = "critical"
    """A server, link or broker whose failure alone takes something away."""
    AFFECTS = "affects"
    """One whose failure alone takes no server from others, and changes where messages end."""
    HARMLESS = "harmless"
    """One whose failure alone takes nothing from others."""


MOST_NAMED = 60
"""Links up to which a picture has the names of their kinds at their lines."""

HOST = "host"
"""The shape of what only unresolved links lead to: it is drawn small, since it need not be a
server of its own.
"""


class LinkStyle(StrEnum):
    """How a link is configured; each has a line style of its own."""

    ACTIVE_ACTIVE = "active-active"
    """Both ends configure it (R4)."""
    ACTIVE_PASSIVE = "active-passive"
    """One end configures it, the other accepts it (R3)."""
    PLAIN = "plain"
    """The system makes no such difference."""
    UPLINK = "uplink"
    """From an edge router to an interior one (E-1)."""
    ONE_WAY = "one-way"
    """Messages pass from the first of its ends to the second only; ``configured_by`` is then the
    first.
    """
    STANDBY = "standby"
    """It carries nothing as long as another link works."""
    UNRESOLVED = "unresolved"
    """It is configured, and it is not known where it leads or what passes it
    (``LinkDrawn.because``).
    """
    IDLE = "idle"
    """It is configured, and no message of the loaded files takes it (``LinkDrawn.because``)."""


@record
class ServerDrawn:
    """A server. ``note`` says in one line what the answer says of it; ``x``, ``y`` are layout
    units, about 100 between neighbours, y downwards. ``hidden`` counts its neighbours that are
    not in the picture, ``behind`` the servers that are reached over them and are not in the
    picture either. ``shape`` is that of its system (``systems.contract.system.Shape``), or HOST;
    ``kind`` says in words what it is. ``here`` is what becomes of the message at a server that is
    ASKED: it is drawn inside its ring. ``holds`` is what it holds, such as its queues: each kind
    with the number of those and the names of the first of them, by name. ``stack`` counts the
    servers that are drawn as this one (``folding``), 0 where it is one."""

    name: str
    system: str
    loaded: bool
    incomplete: str
    zones: tuple[str, ...]
    source: Source
    mark: Mark = Mark.NONE
    note: str = ""
    x: float = 0.0
    y: float = 0.0
    hidden: int = 0
    shape: str = "circle"
    kind: str = "server"
    behind: int = 0
    here: Mark = Mark.NONE
    holds: tuple[tuple[str, int, tuple[str, ...]], ...] = ()
    stack: int = 0

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All signs that it has."""
        return tuple(mark for mark in (self.mark, self.here) if mark)


@record
class LinkDrawn:
    """A link between two servers. ``parallel`` counts from 0 among the lines between the same two
    servers, in order of cost and source, ``parallels`` is how many lines there are: one for each
    link, but one-way links of one role share a line, whichever way they lead. ``name`` is what the
    link is called in the configuration, ``role`` what kind of link it is, ``line`` how that is
    drawn (``systems.contract.system.Line``). ``configured_by`` is the end that configures it, ""
    where both do or it does not matter. ``note`` as for servers. ``because`` says why it is not
    known where an unresolved link leads, or that nothing takes an idle one. A link that a path uses
    is PATH even where a message in the other direction is blocked (``Scene.blocks`` has that).
    """

    id: str
    ends: tuple[str, str]
    zone: str
    zone_type: str
    style: LinkStyle
    configured_by: str
    cost: int | None
    source: Source
    parallel: int = 0
    parallels: int = 1
    mark: Mark = Mark.NONE
    note: str = ""
    name: str = ""
    role: str = ""
    line: str = "solid"
    because: str = ""

    def leads(self, from_: str) -> bool:
        """Whether messages may pass over it out of this end."""
        return self.style is not LinkStyle.ONE_WAY or self.ends[0] == from_


@record
class ZoneDrawn:
    """A connected part of a zone, or another set of servers with a name, drawn as a labelled hull
    around its servers. ``kind`` is the noun for what it is (``zone``, ``cluster``), ``type`` that
    of a zone: ``1hop``, ``mhop`` or "" where it is not known.

    Parts of one zone that never meet (A10) are entries of their own. ``links`` are the ids of its
    links in the picture: no link is in two entries. ``tree`` is True where these make no cycle: a
    convex hull of such a part would cover whatever hangs on it, so it is drawn as a broad band
    along its links. ``mesh`` is True where its one-way links join each of three or more servers
    with every other one, both ways. ``colour`` is the number of its colour and pattern
    (``zone_colours``).
    """

    name: str
    type: str
    servers: tuple[str, ...]
    links: tuple[str, ...] = ()
    tree: bool = False
    colour: int = 0
    kind: str = "zone"
    mesh: bool = False

    @property
    def title(self) -> str:
        """Its name, with its type where it has one: ``WAN (mhop)``, ``SALES (cluster)``. A zone
        of unknown type has its name alone.
        """
        about = self.type or ("" if self.kind == "zone" else self.kind)
        return f"{self.name} ({about})" if about else self.name


@record
class PassedDrawn:
    """What an object of a server does with a message, with its evidence."""

    text: str
    rule: str
    confidence: str
    source: Source


@record
class StationDrawn:
    """An object of a server that has the message on its way: the kind of object in the words of its
    system (``alias queue``), "" where it has none, and its name; what it does with the message, in
    order. ``mark`` says how certain it is that the message gets there: NONE for certain, else
    ONE_OF, LATER or UNDETERMINED; ``sure`` how sure the rules are, said only where they are not.
    ``server`` is where it is, "" where that is the server of its step: a message that a server
    refuses is at the one before again.
    """

    kind: str
    name: str
    passed: tuple[PassedDrawn, ...]
    mark: Mark = Mark.NONE
    sure: str = ""
    server: str = ""
    moved: Mark = Mark.NONE
    """Of a message followed before and after a change: GOES for what it passes only before, COMES
    for what it passes only after, ALTERED for what does something else with it."""


@record
class StepDrawn:
    """One step of a path: its number from 1, where it stands in the picture (``link``: the id of
    a ``LinkDrawn``, "" where the link is not in the picture), and its evidence. ``guards`` are
    what the message has to satisfy, or of a trace what happens before it gets on. A step from a
    server to itself is what becomes of the message in the end. Equal steps of several paths are
    one object, so that a file can hold each once. ``inside`` is what the message passes in server
    ``from_`` before it goes on, ``over`` what it then goes over, in words, of messages that are
    followed step by step."""

    number: int
    from_: str
    to: str
    link: str
    zone: str
    rule: str
    confidence: str
    guards: tuple[str, ...]
    source: Source
    cost: int | None = None
    inside: tuple[StationDrawn, ...] = ()
    over: str = ""


@record
class PathDrawn:
    """A path of the answer with its steps in order. ``title`` names it for the reader (``to MADRID,
    3 hops``).

    ``shown`` is False for paths of which there are many (a reach of everything has one a server):
    they are there to be looked at one at a time. Paths with the same ``together`` (their title, not
    "") are looked at at once, each in a line style of its own.
    """

    title: str
    servers: tuple[str, ...]
    steps: tuple[StepDrawn, ...]
    shown: bool = True
    together: str = ""
    end: Mark = Mark.NONE
    """What becomes of the message where a path of a trace ends."""
    ending: str = ""
    """The same in words, with what it depends on."""
    reply: bool = False
    """Whether it is the path of a reply."""
    state: str = ""
    """``before`` or ``after``: of which state of the network it is, where a change is judged. The
    first path of each state is shown; others with the same ``together`` are other ways of the
    message, to be looked at instead of it."""


@record
class BlockDrawn:
    """A link that the message does not take: it is drawn up to the block, with the reason beside
    it.

    ``at`` and ``to`` are equal, and ``link`` is "", where the message ends at the server itself (a
    subscriber's own selector, a grant). ``reason`` is the text for the reader (``the route selector
    does not let it pass``), ``guard`` what stands behind it, ``value`` FALSE or UNKNOWN.
    ``predicate``: ``guard`` is a predicate on the message, which has that value; else it is an
    explanation, which has none.

    ``way`` are the steps that lead there from where the message is sent, numbered from 1; what is
    left open may be left open from the last of them on. ``repeats`` is the place in
    ``Scene.blocks`` of the block that this one only repeats, -1 for a cause: a cause and its
    repetitions are one sign, counted. Causes stand before repetitions.

    ``waits``: the message is not stopped for good, it certainly waits at the server ``at``.
    """

    at: str
    to: str
    link: str
    reason: str
    guard: str
    value: str
    source: Source
    predicate: bool = False
    way: tuple[StepDrawn, ...] = ()
    repeats: int = -1
    waits: bool = False

    @property
    def certain(self) -> bool:
        """Whether it is known that nothing goes on. A selector that is UNKNOWN of a message
        certainly does not select it; an explanation that is UNKNOWN is one that the loaded files
        leave open."""
        return self.predicate or self.value != Truth.UNKNOWN


@record
class RowDrawn:
    """A line of a group: the servers it is about (two are joined by ``joint``), what is said of
    them, further lines, and its place.
    """

    servers: tuple[str, ...]
    text: str
    details: tuple[str, ...] = ()
    source: Source = Source("")
    joint: str = "to"


@record
class GroupDrawn:
    """A list beside the picture. ``mark`` is that of its servers or links in the picture;
    ``total`` says how many rows there are, of which so many stand here; ``unit`` counts them
    (``6 ordered pairs``), ``cut`` says that not all are listed."""

    title: str
    mark: Mark
    rows: tuple[RowDrawn, ...]
    total: int
    unit: str = ""
    cut: bool = False


@record
class PartDrawn:
    """Servers that a failure or a change separates from all servers of other parts; its
    ``letter`` is the sign of each."""

    letter: str
    servers: tuple[str, ...]


@record
class CommandDrawn:
    """A command of a change script: its number from 1, the server that it is given to, its
    result, and what else it does. ``apart`` are the pairs that no longer reach each other after
    it (``apart_count``: how many there are), by first server; ``marks`` the servers concerned as
    they are drawn when the command is chosen, each with its number of pairs, ``parts`` the parts
    that lose each other then."""

    number: int
    server: str
    text: str
    result: str
    source: Source
    notes: tuple[str, ...] = ()
    apart: tuple[RowDrawn, ...] = ()
    apart_count: int = 0
    marks: tuple[tuple[str, Mark, int], ...] = ()
    parts: tuple[PartDrawn, ...] = ()


@record
class AttachedDrawn:
    """What servers connect to without its being one, a broker for example: drawn beside the
    first of its ``servers``, at ``x``, ``y`` from it. ``mark`` and ``note`` as for servers.
    """

    name: str
    kind: str
    servers: tuple[str, ...]
    source: Source
    x: float = 0.0
    y: float = 0.0
    mark: Mark = Mark.NONE
    note: str = ""


@record
class FindingDrawn:
    """A finding of ``check`` at the link or the server that it is about (one of the two is "")."""

    rule: str
    severity: Severity
    message: str
    source: Source
    server: str = ""
    link: str = ""


@record
class FindingsCounted:
    """Findings at a server or a link (one of the two is "") that are counted and not listed."""

    server: str
    link: str
    errors: int
    warnings: int


@record
class RuleFound:
    """The findings of one severity and rule in the files of the whole network: ``label`` is the
    rule, or the kind of what rests on none, ``name`` what the rule is called ("" where it has no
    name), ``first`` some of the ``total`` findings, each with its place."""

    label: str
    name: str
    severity: Severity
    total: int
    first: tuple[tuple[str, Source], ...]


@record
class Scene:
    """One picture. ``title`` is the question as a sentence, ``verdict`` the answer as one;
    ``facts`` are further short lines (exactness, assumptions, warnings), each ``(kind, text)`` with
    kind ``assumption``, ``warning``, ``inexact``, ``open`` or ``note``.

    ``question`` is the answer's (``reach``, ``hops``, ``paths``, ``cycles``, ``propagate``,
    ``trace``, ``impact``, ``audit``), or ``estate``. ``told`` are the things to look at first, each
    a sentence, worst first; ``commands`` and ``groups`` lists beside the picture.
    ``server_noun`` and ``link_noun`` are what servers and links are called here, ``zones`` the
    zones and all other named sets of servers. ``hidden`` counts
    the servers of the network that are not in the picture (neighbourhood mode), ``around`` names
    the servers it is about. ``findings`` are worst first.
    """

    question: str
    title: str
    verdict: str
    network: str
    snapshot: str
    engine: str
    exact: bool
    servers: tuple[ServerDrawn, ...]
    links: tuple[LinkDrawn, ...]
    zones: tuple[ZoneDrawn, ...]
    paths: tuple[PathDrawn, ...] = ()
    blocks: tuple[BlockDrawn, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    around: tuple[str, ...] = ()
    hidden: int = 0
    server_noun: str = "server"
    link_noun: str = "link"
    told: tuple[str, ...] = ()
    commands: tuple[CommandDrawn, ...] = ()
    groups: tuple[GroupDrawn, ...] = ()
    findings: tuple[FindingDrawn, ...] = ()
    attached: tuple[AttachedDrawn, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    """Rules and confidences that stand at steps, with what they mean."""
    unseen: tuple[tuple[Mark, int], ...] = ()
    """How many servers that are not in the picture have which mark."""
    parts: tuple[PartDrawn, ...] = ()
    """The parts into which a failure or a change separates servers."""
    standing: str = ""
    """How the answer stands (``standing.Standing``): the sign and colour before the verdict."""
    more_findings: tuple[FindingsCounted, ...] = ()
    """Those beside ``findings``, where these are cut."""
    checked: tuple[RuleFound, ...] | None = None
    """All findings of ``check`` by rule, worst first; None where nobody looked for them."""
    legality: str = ""
    """Whether the network is legal, as a sentence; "" where the verdict says so, where no system
    of it has a rule for that, and in the picture of an answer.
    """

    @property
    def group_noun(self) -> str:
        """What the entries of ``zones`` are called: their kind, where all are of one; empty where
        there are none.
        """
        kinds = {zone.kind for zone in self.zones}
        return kinds.pop() if len(kinds) == 1 else "group" if kinds else ""

    @property
    def worst(self) -> Mapping[str, Severity]:
        """The severest finding about each server that has any."""
        return {one.server: one.severity for one in reversed(self.findings) if one.server}

    @property
    def named_roles(self) -> frozenset[str]:
        """The kinds of links whose names are at their lines: where there are more than two kinds,
        all but one that is more frequent than all others. Linear in the links.
        """
        roles = Counter(link.role for link in self.links if link.role)
        if len(roles) < 3 or len(self.links) > MOST_NAMED:
            return frozenset()
        (usual, most), (_, second) = roles.most_common(2)
        return frozenset(roles) - {usual} if most > second else frozenset(roles)

    @property
    def shows_costs(self) -> bool:
        """Whether costs stand at the links: not where every link has the cost 1, which says
        nothing.
        """
        return any(link.cost not in (None, 1) for link in self.links)
