"""From a network and an answer about it to a ``Scene``: what is drawn, what it says, and where its
evidence is.

``draw`` takes plain records: servers and links as every system lists them, and one of the frozen
answers. It knows no vendor's meaning; the sentences are those of the text answers.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from topograph.findings import Finding
from topograph.forwarding.graph import Server
from topograph.forwarding.reached import LinkShown
from topograph.questions.answers import Answer, CyclesAnswer
from topograph.questions.text import caveats, sentence
from topograph.questions.texts.layout import count, listed, place, plural_of, weak
from topograph.records import record
from topograph.systems.contract.groups import ServerGroup
from topograph.systems.contract.system import Attached, System
from topograph.systems.rule_texts import rule_text
from topograph.viz.layout.blocks import Spot
from topograph.viz.layout.newcomers import place_newcomers
from topograph.viz.layout.places import places_of_part
from topograph.viz.layout.placing import place_servers
from topograph.viz.scene.attached import attached_drawn
from topograph.viz.scene.basis import rule_of
from topograph.viz.scene.checked import by_rule
from topograph.viz.scene.found import drawn_findings
from topograph.viz.scene.groups import Key, counted, drawn_groups, group_colours
from topograph.viz.scene.judged import MARK_WORDS
from topograph.viz.scene.marking import Said
from topograph.viz.scene.marks import mark, mark_legality
from topograph.viz.scene.neighbourhood import (
    OVERVIEW,
    STEPS,
    WHOLE,
    Neighbourhood,
    neighbourhood,
)
from topograph.viz.scene.records import (
    HOST,
    CommandDrawn,
    LinkDrawn,
    LinkStyle,
    Mark,
    RuleFound,
    Scene,
    ServerDrawn,
    StepDrawn,
    ZoneDrawn,
)
from topograph.viz.scene.standing import standing
from topograph.words.visible import clean

HOST_WORDS = "host that no loaded file explains"
"""``ServerDrawn.kind`` of the other end of unresolved links."""


@record(slots=False)
class EstateDrawn:
    """What there is to draw: the servers and links of one network of one snapshot, and who
    answers for it. ``systems`` say what their servers and links are called and how they are
    drawn; ``label`` is what a server of a system is called in the picture. ``coming`` are links
    that a change brings, or would bring (each with its mark), ``newcomers`` servers that only
    come with it: they have no part in where the others stand. ``places`` are those of the
    servers in all pictures of the snapshot (``places.places_of``); they are computed of servers
    and links where none are given; ``warnings`` are about the estate, not an answer,
    ``findings`` those of ``check`` (None: nobody looked); ``kinds`` and ``attached`` are those of
    ``systems.contract.system.Depicting``, ``groups`` the named sets of servers that systems state,
    without zones, ``holds`` what servers hold (``ServerDrawn.holds``); ``legality`` is
    the answer of ``cycles`` where that is to be said of the network. ``colours`` are those of
    groups in other pictures, which they keep, ``link_ids`` the ids of ``links`` in their order, if
    they have any elsewhere."""

    network: str
    snapshot: str
    engine: str
    servers: Sequence[Server]
    links: Sequence[LinkShown]
    systems: Mapping[str, System] = field(default_factory=dict)
    label: Callable[[str, str], str] = lambda system, name: name  # noqa: ARG005
    coming: Sequence[tuple[LinkShown, Mark]] = ()
    newcomers: Sequence[Server] = ()
    places: Mapping[str, Spot] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    findings: Sequence[Finding] | None = None
    kinds: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    attached: Sequence[Attached] = ()
    groups: Sequence[ServerGroup] = ()
    holds: Mapping[str, Sequence[tuple[str, int, tuple[str, ...]]]] = field(default_factory=dict)
    legality: CyclesAnswer | None = None
    colours: Mapping[Key, int] = field(default_factory=dict)
    link_ids: Sequence[str] = ()

    @cached_property
    def spots(self) -> Mapping[str, Spot]:
        """Where everybody stands in every picture of the network, whatever is asked (``places``,
        or else computed): those that a change brings beside their neighbours, without moving one
        of the others."""
        names = {server.name for server in self.servers}
        links = [*self.links, *(link for link, _ in self.coming)]
        spots = self.places or place_servers(
            sorted(names), [(link.ends, link.zone) for link in self.links]
        )
        new = {server.name for server in self.all_servers}.difference(spots)
        return place_newcomers(spots, sorted(new), [link.ends for link in links])

    @property
    def all_servers(self) -> Sequence[Server]:
        """The servers with those that come."""
        return (*self.servers, *self.newcomers)

    def system(self, name: str) -> System:
        """A system's record; where none is given, one that says nothing of its own."""
        return self.systems.get(name) or System(name, name)

    @cached_property
    def roles(self) -> Mapping[str, str]:
        """The kinds of links of all systems, each with its line. A link between two systems has
        a kind of either.
        """
        return {
            role: line
            for one in self.systems.values()
            for role, line in one.wording.link_roles.items()
        }

    @cached_property
    def nouns(self) -> tuple[str, str]:
        """What servers and links are called where all systems say the same, else the general
        words.
        """
        own = [self.system(name) for name in {server.system for server in self.servers}]
        servers, links = (
            {one.wording.server_noun for one in own},
            {one.wording.link_noun for one in own},
        )
        return servers.pop() if len(servers) == 1 else "server", links.pop() if len(
            links
        ) == 1 else "link"


def draw(
    estate: EstateDrawn,
    answer: Answer | None = None,
    *,
    around: Sequence[str] = (),
    depth: int | None = None,
    readable: int | None = OVERVIEW,
) -> Scene:
    """The picture of a network (``answer`` None), or of an answer about it.

    ``around`` and ``depth`` keep the servers within ``depth`` links of those named; without them a
    network of more than ``readable`` servers is drawn in part, and the scene says so; so is one of
    more than WHOLE servers if the paths of the answer have more than STEPS steps. Raises
    UsageError for an answer that has no picture, and for a neighbourhood too large to look at.
    About linear in links and steps, apart from parts in which every two servers have several paths
    (``layout``).
    """
    links = drawn_links(estate)
    everybody = frozenset(server.name for server in estate.all_servers)
    colours = group_colours(links, estate.groups, everybody, estate.colours)
    zones = drawn_groups(links, estate.groups, everybody, colours)
    unloaded = [server.name for server in estate.all_servers if not server.loaded]
    names = [server.name for server in estate.all_servers]
    said = (
        mark(answer, names, links, estate.label, unloaded)
        if answer
        else mark_legality(estate.legality, names, links)
    )
    near = _chosen(estate, links, zones, said, around, depth, readable)
    kept = tuple(link for link in links if near.servers.issuperset(link.ends))
    parts = drawn_groups(kept, estate.groups, near.servers, colours)
    spots, as_in_the_whole = places_of_part(
        estate.spots,
        sorted(near.servers),
        [(link.ends, link.zone) for link in kept if link.mark is not Mark.REFUSED],
    )
    findings, more_findings = drawn_findings(
        estate.findings or (),
        [(name, server) for name, server in _bare(estate) if name in near.servers],
        kept,
    )
    paths, blocks = said.drawn(frozenset(link.id for link in kept))
    unseen = _unseen(said, set(names).difference(near.servers))
    return Scene(
        question=answer.question if answer else "estate",
        title=clean(said.title or f"What does the network {estate.network} consist of?"),
        verdict=sentence(answer) if answer else _summary(estate, near, kept, parts),
        network=estate.network,
        snapshot=answer.snapshot if answer else estate.snapshot,
        engine=answer.engine if answer else estate.engine,
        exact=answer.exact if answer else True,
        servers=_servers(estate, near, parts, said, links, spots),
        links=tuple(_marked(link, said) for link in kept),
        zones=parts,
        paths=paths,
        blocks=blocks,
        facts=(
            *_once(_facts(answer), said),
            *said.facts,
            *_notes(estate, near, unseen, len(links) - len(kept), as_in_the_whole=as_in_the_whole),
        ),
        unseen=unseen,
        around=near.around,
        hidden=len({server.name for server in estate.all_servers}) - len(near.servers),
        server_noun=estate.nouns[0],
        link_noun=estate.nouns[1],
        told=tuple(said.told),
        commands=_commands(said),
        standing=standing(answer, estate.legality, said.states()),
        groups=tuple(said.groups),
        parts=said.parts,
        attached=attached_drawn(
            estate.attached, {name: spots[name] for name in near.servers}, kept, said.attached
        ),
        findings=findings,
        more_findings=more_findings,
        checked=_checked(estate),
        legality=_legality(estate.legality),
        words=_words(estate, (*(one.steps for one in paths), *(one.way for one in blocks))),
    )


def _checked(estate: EstateDrawn) -> tuple[RuleFound, ...] | None:
    """The findings by rule; None where nobody looked for any."""
    if estate.findings is None:
        return None
    return by_rule(estate.findings, sorted(estate.systems))


def _legality(verdict: CyclesAnswer | None) -> str:
    """That the network is legal, or that nobody knows; the verdict says that it is illegal."""
    if verdict is None or not verdict.judged or verdict.legal is False:
        return ""
    return clean(sentence(verdict))


def _words(estate: EstateDrawn, ways: Iterable[Sequence[StepDrawn]]) -> tuple[tuple[str, str], ...]:
    """What the rules and confidences of these steps mean, each once. Linear in the steps."""
    said = {(step.rule, step.confidence) for way in ways for step in way}
    systems = sorted(estate.systems)
    sure = {
        mark: how for one in estate.systems.values() for mark, how in one.citing.confidences.items()
    }
    rules = [(rule, rule_text(rule, systems)) for rule in sorted({rule for rule, _ in said})]
    marks = sorted({mark for _, mark in said} & set(sure))
    return (
        *((f"rule {rule}", f"{text.name}. {text.sentence}") for rule, text in rules if text.name),
        *((f"confidence {mark}", sure[mark]) for mark in marks),
    )


def _unseen(said: Said, left_out: Collection[str]) -> tuple[tuple[Mark, int], ...]:
    """How many servers that are not in the picture have which mark, in the order of marks."""
    marks = Counter(
        state for name, (state, _) in said.servers.items() if state and name in left_out
    )
    marks.update(state for name, state in said.here.items() if name in left_out)
    return tuple((mark, marks[mark]) for mark in Mark if marks[mark])


def _bare(estate: EstateDrawn) -> Iterable[tuple[str, Server]]:
    """What each server is called here, and its record with its own name: of those with a name in
    several systems, the label has the system in it.
    """
    for server in estate.servers:
        own = server.name.removeprefix(f"{server.system}:")
        yield server.name, dataclasses.replace(server, name=own) if own != server.name else server


def drawn_links(estate: EstateDrawn) -> tuple[LinkDrawn, ...]:
    """The links by ends, cost and source, each with an id that names its ends, and the line it
    is drawn on. Linear in the links, sorting aside.
    """
    ids = estate.link_ids or [""] * len(estate.links)
    between: dict[tuple[str, str], list[tuple[Mark, LinkShown, str]]] = {}
    for link, state, known in (
        *((one, Mark.NONE, own) for one, own in zip(estate.links, ids, strict=True)),
        *((*one, "") for one in estate.coming),
    ):
        between.setdefault((min(link.ends), max(link.ends)), []).append((state, link, known))
    roles = estate.roles
    found: list[LinkDrawn] = []
    taken = set(estate.link_ids)
    for pair in sorted(between):
        # Those that carry messages first: a step that does not say its link is taken to use one of
        # them.
        parallels = sorted(between[pair], key=lambda one: (bool(one[0]), *link_order(one[1])))
        lines: dict[object, int] = {}
        for number, (_, link, _) in enumerate(parallels):
            lines.setdefault(_line(link, number), len(lines))
        for number, (state, link, known) in enumerate(parallels):
            found.append(
                LinkDrawn(
                    id=known or link_id(link.ends, taken),
                    ends=link.ends,
                    zone=link.zone,
                    zone_type=link.zone_type,
                    style=_style(link),
                    configured_by=_configured_by(link),
                    cost=None if _style(link) in _WITHOUT_COST else link.cost,
                    source=link.source,
                    parallel=lines[_line(link, number)],
                    parallels=len(lines),
                    mark=state,
                    name=clean(link.name),
                    role=link.role if link.role in roles and not link.idle else "",
                    line="solid" if link.idle else roles.get(link.role, "solid"),
                    because=clean(link.because),
                )
            )
    return tuple(found)


def link_order(link: LinkShown) -> tuple[object, ...]:
    """What links of the same two servers are sorted by."""
    waits = (bool(link.because), link.standby or link.idle)
    return (*waits, link.cost or 0, link.source, link.ends, link.name)


def _line(link: LinkShown, number: int) -> object:
    """What links that share a line have in common."""
    return (link.system, link.role, link.zone, link.idle) if link.one_way else number


def link_id(ends: tuple[str, str], taken: set[str]) -> str:
    """``A-B``; a number behind it for parallel links, and where other names give the same text.
    It is then ``taken``.
    """
    name = plain = "-".join(ends)
    number = 1
    while name in taken:
        number += 1
        name = f"{plain} ({number})"
    taken.add(name)
    return name


_WITHOUT_COST = frozenset(
    {LinkStyle.UPLINK, LinkStyle.STANDBY, LinkStyle.UNRESOLVED, LinkStyle.IDLE}
)
"""Links whose cost decides nothing."""


def _style(link: LinkShown) -> LinkStyle:
    """A cost of 0 is that of an uplink (E-1): the cost of a working link is at least 1 (C-4)."""
    if link.idle:
        return LinkStyle.IDLE
    if link.because:
        return LinkStyle.UNRESOLVED
    if link.standby:
        return LinkStyle.STANDBY
    if link.one_way:
        return LinkStyle.ONE_WAY
    if link.cost is not None:
        return LinkStyle.PLAIN if link.cost else LinkStyle.UPLINK
    return (
        LinkStyle.ACTIVE_ACTIVE
        if link.configured_by == "active-active"
        else LinkStyle.ACTIVE_PASSIVE
    )


def _configured_by(link: LinkShown) -> str:
    style = _style(link)
    if style is LinkStyle.ONE_WAY:
        return link.ends[0]
    one_end = {LinkStyle.ACTIVE_PASSIVE, *_WITHOUT_COST}
    return link.configured_by if style in one_end else ""


def _chosen(
    estate: EstateDrawn,
    links: Sequence[LinkDrawn],
    zones: Sequence[ZoneDrawn],
    said: Said,
    around: Sequence[str],
    depth: int | None,
    readable: int | None,
) -> Neighbourhood:
    neighbours: dict[str, set[str]] = {server.name: set() for server in estate.all_servers}
    for link in links:
        first, second = link.ends
        neighbours[first].add(second)
        neighbours[second].add(first)
    zones_of: dict[str, set[int]] = {}
    for number, zone in enumerate(zones):
        for server in zone.servers:
            zones_of.setdefault(server, set()).add(number)
    if readable is not None and sum(len(path.steps) for path in said.paths) > STEPS:
        readable = min(readable, WHOLE)
    return neighbourhood(
        neighbours, zones_of, said.named, around, depth, readable=readable, stopped=said.ends()
    )


def _servers(
    estate: EstateDrawn,
    near: Neighbourhood,
    zones: Sequence[ZoneDrawn],
    said: Said,
    links: Sequence[LinkDrawn],
    spots: Mapping[str, Spot],
) -> tuple[ServerDrawn, ...]:
    zones_of: dict[str, list[str]] = {}
    for zone in zones:
        for name in zone.servers:
            names = zones_of.setdefault(name, [])
            if zone.name not in names:
                names.append(zone.name)
    outside = _outside(links, near.servers)
    hosts = _hosts(estate, links)
    found = []
    mixed = len({server.system for server in estate.all_servers}) > 1
    once = {server.name: server for server in reversed(estate.all_servers)}
    for _, server in sorted(once.items()):
        if server.name in near.servers:
            state, note = said.servers.get(server.name, (Mark.NONE, ""))
            found.append(
                ServerDrawn(
                    name=server.name,
                    system=server.system,
                    loaded=server.loaded,
                    incomplete=server.incomplete,
                    zones=tuple(zones_of.get(server.name, ())),
                    source=server.source,
                    mark=state,
                    note=note,
                    x=spots[server.name][0],
                    y=spots[server.name][1],
                    hidden=outside.get(server.name, (0, 0))[0],
                    behind=outside.get(server.name, (0, 0))[1],
                    here=said.here.get(server.name, Mark.NONE),
                    holds=tuple(estate.holds.get(server.name, ())),
                    shape=HOST if server.name in hosts else _shape(estate, server),
                    kind=HOST_WORDS if server.name in hosts else _kind(estate, server, mixed=mixed),
                )
            )
    return tuple(found)


def _outside(links: Iterable[LinkDrawn], shown: Collection[str]) -> Mapping[str, tuple[int, int]]:
    """Of each server with neighbours that are not in the picture: how many these are, and how
    many servers they lead to that are not in the picture, they themselves included. Linear in
    the links, and for each server in what lies behind it."""
    over: dict[str, set[str]] = {}
    beyond: dict[str, set[str]] = {}
    for link in links:
        for here, there in (link.ends, link.ends[::-1]):
            if there not in shown:
                (over if here in shown else beyond).setdefault(here, set()).add(there)
    part: dict[str, int] = {}
    sizes: list[int] = []
    for first in sorted({name for names in over.values() for name in names}):
        if first in part:
            continue
        stack, size = [first], 0
        while stack:
            name = stack.pop()
            if name not in part:
                part[name] = len(sizes)
                size += 1
                stack.extend(beyond.get(name, ()))
        sizes.append(size)
    return {
        here: (len(names), sum(sizes[one] for one in {part[name] for name in names}))
        for here, names in over.items()
    }


def _hosts(estate: EstateDrawn, links: Iterable[LinkDrawn]) -> frozenset[str]:
    """What only unresolved links lead to: hosts of which no loaded file says which server they
    are.
    """
    styles: dict[str, set[LinkStyle]] = {}
    for link in links:
        for end in link.ends:
            styles.setdefault(end, set()).add(link.style)
    named = {server.name for server in estate.all_servers if not server.loaded}
    return frozenset(name for name in named if styles.get(name) == {LinkStyle.UNRESOLVED})


def _kind(estate: EstateDrawn, server: Server, *, mixed: bool) -> str:
    """What a server is, in words; with its system where there are several."""
    own = estate.system(server.system)
    noun = estate.kinds[server.name][0] if server.name in estate.kinds else own.wording.server_noun
    return f"{own.title} {noun}" if mixed else noun


def _shape(estate: EstateDrawn, server: Server) -> str:
    return (
        estate.kinds[server.name][1]
        if server.name in estate.kinds
        else estate.system(server.system).wording.shape
    )


def _marked(link: LinkDrawn, said: Said) -> LinkDrawn:
    state, note = said.links.get(link.id, (link.mark, ""))
    return dataclasses.replace(link, mark=state, note=note) if state or note else link


def _summary(
    estate: EstateDrawn,
    near: Neighbourhood,
    links: Sequence[LinkDrawn],
    zones: Sequence[ZoneDrawn],
) -> str:
    """The verdict of an illegal network, then what is in the picture, with the size of the whole
    where that is more.
    """
    shown = [server for server in estate.servers if server.name in near.servers]
    unloaded = sum(not server.loaded for server in shown)
    aside = f" ({unloaded:,} of them only named by others)" if unloaded else ""
    idle = {
        LinkStyle.UNRESOLVED: "unresolved",
        LinkStyle.STANDBY: "on standby",
        LinkStyle.IDLE: "idle",
    }
    numbers = Counter(link.style for link in links)
    more = [f"{numbers[style]:,} more {words}" for style, words in idle.items() if numbers[style]]
    carrying = count(len(links) - sum(numbers[style] for style in idle), estate.nouns[1])
    servers = count(len(estate.servers), estate.nouns[0])
    if len(shown) < len(estate.servers):
        servers = f"{len(shown):,} of {servers}"
    parts = [
        servers + aside,
        f"{carrying} ({', '.join(more)})" if more else carrying,
    ]
    parts += counted(zones)
    size = f"{', '.join(parts[:-1])} and {parts[-1]}"
    legality = estate.legality
    if legality is None or legality.legal is not False:
        return clean(f"{size}.")
    return clean(f"{sentence(legality)} {size}.")


def _facts(answer: Answer | None) -> Iterable[tuple[str, str]]:
    """What the answer rests on and what to know about it, in the words of its text form."""
    if answer is None:
        return
    for caveat in caveats(answer):
        yield "inexact", caveat
    for assumption in answer.assumptions:
        sure = weak(assumption.confidence)
        otherwise = f"; otherwise: {assumption.alternative}" if assumption.alternative else ""
        words = f"{assumption.rule} {assumption.text}{f' ({sure})' if sure else ''}{otherwise}"
        yield "assumption", clean(words.strip())
    for caution in answer.warnings:
        where = place(caution.source)
        rule = rule_of(f"{caution.rule} ")  # a name of a kind says what its message says
        yield (
            "warning",
            clean(f"{rule} {caution.message}{f' ({where})' if where else ''}".strip()),
        )


def _once(facts: Iterable[tuple[str, str]], said: Said) -> Iterator[tuple[str, str]]:
    """The facts without the warnings that stand among the things to look at, or at a command."""
    notes = {note for command in said.commands for note in command.notes}
    for kind, text in facts:
        bare = text.removesuffix(f" ({text.rpartition(' (')[2]}") if text.endswith(")") else text
        if kind != "warning" or not (
            bare in notes or text in notes or any(text in told for told in said.told)
        ):
            yield kind, text


def _commands(said: Said) -> tuple[CommandDrawn, ...]:
    """The commands without the notes that stand among the things to look at."""
    return tuple(
        dataclasses.replace(
            command,
            notes=tuple(
                note
                for note in command.notes
                if not any(told.startswith(note) for told in said.told)
            ),
        )
        for command in said.commands
    )


def _notes(
    estate: EstateDrawn,
    near: Neighbourhood,
    unseen: Sequence[tuple[Mark, int]],
    left_out: int,
    *,
    as_in_the_whole: bool,
) -> Iterable[tuple[str, str]]:
    """What the picture leaves out, ``left_out`` links among it, and servers that are only named by
    others."""
    names = [server.name for server in estate.all_servers]
    shared = (
        sorted({name for name in names if names.count(name) > 1})
        if len(set(names)) < len(names)
        else []
    )
    if shared:
        yield (
            "warning",
            clean(
                f"Several systems have a server {listed(shared)}: here each such name "
                "means all of them."
            ),
        )
    for warning in estate.warnings:
        yield "warning", warning
    hidden = len(set(names)) - len(near.servers)
    if hidden:
        yield (
            "note",
            clean(
                f"The picture shows {len(near.servers):,} of "
                f"{count(len(estate.servers), estate.nouns[0])}: {near.left_out}. Not drawn: "
                f"{count(hidden, estate.nouns[0])}, with {count(left_out, estate.nouns[1])}."
            ),
        )
    if unseen:
        counts = ", ".join(f"{number:,} {MARK_WORDS[mark]}" for mark, number in unseen)
        yield "note", f"Of the {plural_of(estate.nouns[0])} that are not shown: {counts}."
    if not as_in_the_whole:
        yield (
            "note",
            (
                f"These {count(len(near.servers), estate.nouns[0])} are far apart in the "
                "picture of the whole network: here they have other places."
            ),
        )
    unloaded = [s.name for s in estate.servers if not s.loaded and s.name in near.servers]
    if unloaded:
        words = "is only named by others: no files of it are loaded"
        if len(unloaded) > 1:
            words = "are only named by others: no files of theirs are loaded"
        yield "note", clean(f"{listed(unloaded)} {words}.")
