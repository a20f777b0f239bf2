"""What the answer to one question says of each server and link of a picture, as it is collected:
marks, notes, paths with numbered steps, and the links where messages end."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from topograph.judgement import Told
from topograph.outcomes import NotForwarded, Truth
from topograph.questions.answers import DecidedIf, Step, Stopped, Undetermined
from topograph.questions.texts.layout import listed, place
from topograph.questions.texts.needed import needed
from topograph.questions.texts.walks import REASONS, by_assumption
from topograph.viz.scene.judged import Claim, mark_of
from topograph.viz.scene.records import (
    BlockDrawn,
    CommandDrawn,
    GroupDrawn,
    LinkDrawn,
    Mark,
    PartDrawn,
    PathDrawn,
    StepDrawn,
)
from topograph.viz.scene.stops import causes_first
from topograph.words.visible import clean

OPEN = "open"
"""The kind of a fact that says what would change an answer."""


class LinkBook:
    """The links of a network by their two ends."""

    def __init__(self, links: Iterable[LinkDrawn]) -> None:
        self._between: dict[frozenset[str], list[LinkDrawn]] = {}
        for link in links:
            self._between.setdefault(frozenset(link.ends), []).append(link)

    def between(self, first: str, second: str) -> Sequence[LinkDrawn]:
        """All links of two servers, parallel ones in their order."""
        return self._between.get(frozenset((first, second)), ())

    def of(self, step: Step) -> LinkDrawn | None:
        """The link a step takes: of parallel ones that of its place and cost, else the first."""
        links = self.between(step.from_, step.to)
        same = [
            link
            for link in links
            if link.source == step.source
            and step.cost in (None, link.cost)
            and link.leads(step.from_)
        ]
        links = [link for link in links if link.leads(step.from_)] or links
        return next(iter((*same, *links)), None)


def as_decided(entry: Undetermined) -> str:
    """What is said of a server that the files leave open; an assumption may decide it."""
    if entry.decided_if is None:
        return "cannot be decided"
    reached = "reached" if entry.decided_if.reached else "not reached"
    return f"{reached}, as far as the loaded files show"


def why_open(entry: Undetermined) -> str:
    """What the note of a server says that the files leave open."""
    where = place(entry.source)
    return f"{as_decided(entry)}: {entry.because}{f' ({where})' if where else ''}"


def only_for(steps: Iterable[Step]) -> str:
    """Which messages a path carries, as the end of its title; empty where it carries all."""
    guards = list(dict.fromkeys(guard for step in steps for guard in step.guards))
    return ", " + "; ".join(guards) if guards else ""


def over(steps: Iterable[Step]) -> str:
    """The links of a path, where they have names, as the end of its figures."""
    links = [step.link for step in steps if step.link]
    return f" over {listed(links, LINKS_NAMED)}" if links else ""


LINKS_NAMED = 8
"""Links of a path that its title names before the rest is counted."""


@dataclass
class Said:
    """What an answer says. ``named`` are the servers that the question is about, with those on
    the path that it shows. ``here`` is what becomes of the message at a server that is ASKED,
    ``attached`` what is said of brokers and containers by name.
    """

    title: str = ""
    named: tuple[str, ...] = ()
    servers: dict[str, tuple[Mark, str]] = field(default_factory=dict)
    here: dict[str, Mark] = field(default_factory=dict)
    attached: dict[str, tuple[Mark, str]] = field(default_factory=dict)
    links: dict[str, tuple[Mark, str]] = field(default_factory=dict)
    paths: list[PathDrawn] = field(default_factory=list)
    blocks: list[BlockDrawn] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    commands: list[CommandDrawn] = field(default_factory=list)
    groups: list[GroupDrawn] = field(default_factory=list)
    parts: tuple[PartDrawn, ...] = ()

    def states(self) -> set[Mark]:
        """The signs that servers have, those inside the ring of the server asked from included."""
        return {state for state, _ in self.servers.values()} | {*self.here.values()}

    def ends(self) -> tuple[str, ...]:
        """The servers where messages end, with those on the way there; the first causes first.
        What only repeats a cause is counted there.
        """
        causes = (block for block in self.blocks if block.repeats < 0)
        return tuple(
            dict.fromkeys(
                name
                for block in causes
                for name in (*(step.from_ for step in block.way), block.at, block.to)
            )
        )

    def drawn(self, ids: Collection[str]) -> tuple[tuple[PathDrawn, ...], tuple[BlockDrawn, ...]]:
        """The paths and blocks with the links that are in the picture; equal steps stay one
        object.
        """
        cut: dict[int, StepDrawn] = {}

        def kept(steps: tuple[StepDrawn, ...]) -> tuple[StepDrawn, ...]:
            if all(step.link in ids for step in steps):
                return steps
            return tuple(
                step
                if step.link in ids
                else cut.setdefault(id(step), dataclasses.replace(step, link=""))
                for step in steps
            )

        paths = tuple(
            path
            if (steps := kept(path.steps)) is path.steps
            else dataclasses.replace(path, steps=steps)
            for path in self.paths
        )
        blocks = tuple(
            dataclasses.replace(
                block, link=block.link if block.link in ids else "", way=kept(block.way)
            )
            for block in self.blocks
        )
        return paths, blocks


class Marking:
    """Collects what one answer says."""

    def __init__(
        self,
        servers: Sequence[str],
        links: Sequence[LinkDrawn],
        label: Callable[[str, str], str] = lambda _, name: name,
        unloaded: Collection[str] = (),
    ) -> None:
        self.unloaded = frozenset(unloaded)
        self.all_servers = servers
        self.label = label
        self.all_links = links
        self.book = LinkBook(links)
        self.said = Said()
        self._links = {link.id: link for link in links}
        self._steps: dict[StepDrawn, StepDrawn] = {}
        self._drawn: dict[tuple[int, int], tuple[Step, StepDrawn]] = {}

    def server(self, name: str, state: Mark, note: str = "") -> None:
        self.said.servers[name] = (state, note)

    def attached(self, name: str, state: Mark, note: str, order: Sequence[Mark]) -> None:
        """Say something of a broker or container: of several marks the first of ``order`` is
        drawn, all notes are kept."""
        known, before = self.said.attached.get(name, (state, ""))
        notes = "; ".join(dict.fromkeys(filter(None, (before, clean(note)))))
        self.said.attached[name] = min(known, state, key=order.index), notes

    def asked(self, name: str, note: str) -> None:
        """Mark the server asked from. What was said of it before is drawn inside its ring."""
        before = self.said.servers.get(name, (Mark.NONE, ""))[0]
        if before not in (Mark.NONE, Mark.TRANSIT, Mark.MAYBE_TRANSIT, Mark.ASKED):
            self.said.here[name] = before
        self.server(name, Mark.ASKED, note)

    def passed(self, note: str = "passed through") -> None:
        """Mark the servers on the paths of which nothing else is said."""
        known = set(self.all_servers)
        for path in self.said.paths:
            for name in path.servers:
                before, said = self.said.servers.get(name, (Mark.NONE, ""))
                if name in known and before is Mark.NONE:
                    self.server(name, mark_of(Claim.ON_WAY), "; ".join(filter(None, (said, note))))

    def link(self, found: LinkDrawn | None, state: Mark, note: str = "") -> None:
        if found is not None:
            self.said.links[found.id] = (state, note)

    def path_link(self, link: str) -> None:
        """Mark a link, by id, as one of a path."""
        self.link(self._links.get(link), Mark.PATH)

    def followed(self, path: PathDrawn) -> None:
        """A path with what the message passes inside the servers; its links are marked."""
        for step in path.steps:
            self.path_link(step.link)
        self.said.paths.append(path)

    def path(
        self,
        title: str,
        servers: Sequence[str],
        steps: Iterable[Step],
        *,
        shown: bool = True,
        together: str = "",
    ) -> None:
        """A path with the steps of an answer; its links are marked, unless it is one of several
        that are looked at together.
        """
        drawn = self.way(steps)
        if not together:
            for step in drawn:
                self.path_link(step.link)
        self.said.paths.append(PathDrawn(title, tuple(servers), drawn, shown, together))

    def one(self, step: StepDrawn) -> StepDrawn:
        """The step, as one object for all paths that it is in."""
        return self._steps.setdefault(step, step)

    def configured_path(
        self, title: str, servers: Sequence[str], *, shown: bool, together: str = ""
    ) -> None:
        """A path of which the answer gives the servers: each step has the place that configures
        its link.
        """
        steps = []
        for number, (here, there) in enumerate(itertools.pairwise(servers), 1):
            link = next(iter(self.book.between(here, there)), None)
            if link is not None:
                steps.append(
                    self.one(
                        StepDrawn(number, here, there, link.id, link.zone, "", "", (), link.source)
                    )
                )
        self.said.paths.append(PathDrawn(title, tuple(servers), tuple(steps), shown, together))

    def blocks(
        self,
        stopped: Iterable[Stopped],
        left_open: Iterable[Undetermined] = (),
        certain: Collection[str] | None = None,
        ends: Iterable[BlockDrawn] = (),
    ) -> None:
        """The links that a message does not take, and the servers whose files leave open where
        it goes, each with the way that leads there from the sender. ``certain`` are all servers
        that get the message, where that is known; ``ends`` are blocks of other kinds. A link that
        a path uses in the other direction stays marked so."""
        found = [*self._open_ends(left_open, certain), *map(self._block, stopped), *ends]
        zones = {link.id: link.zone for link in self.all_links} if found else {}
        self.said.blocks += causes_first(found, zones, _OF_ZONES)
        for block in found:
            if block.at != block.to:
                self._weakly(
                    self._links.get(block.link),
                    mark_of(Claim.STOPPED, Told.YES if block.certain else Told.UNKNOWN),
                    f"{block.at} to {block.to}: {block.reason}",
                )

    def way(self, steps: Iterable[Step]) -> tuple[StepDrawn, ...]:
        """The steps of an answer, numbered from 1, each as one object for all paths and ways
        that it is in.
        """
        return tuple([self._step(number, step) for number, step in enumerate(steps, 1)])

    def _step(self, number: int, step: Step) -> StepDrawn:
        """A step of the answer as it is drawn. Paths share their beginnings, step objects with
        them: each is drawn once.
        """
        known = self._drawn.get((number, id(step)))
        if known is None or known[0] is not step:
            link = self.book.of(step)
            drawn = StepDrawn(
                number,
                step.from_,
                step.to,
                link.id if link else "",
                step.zone,
                step.rule,
                step.confidence,
                step.guards,
                step.source,
                step.cost,
            )
            known = self._drawn[number, id(step)] = step, self.one(drawn)
        return known[1]

    def _block(self, stop: Stopped) -> BlockDrawn:
        link = (
            next(iter(self.book.between(stop.at, stop.to)), None)
            if stop.to not in ("", stop.at)
            else None
        )
        reason = REASONS.get(stop.reason, stop.reason)
        if link is None:
            reason = _AT_SERVER.get(stop.reason, reason)
        way = self.way(stop.steps)
        self._passed(way)
        block = BlockDrawn(
            stop.at,
            stop.to or stop.at,
            link.id if link else "",
            reason,
            stop.guard,
            str(stop.value),
            stop.source,
            stop.reason == NotForwarded.SELECTOR,
            way,
        )
        return block if block.certain else dataclasses.replace(block, reason=f"{UNSURE}{reason}")

    def _open_ends(
        self, entries: Iterable[Undetermined], certain: Collection[str] | None
    ) -> Iterator[BlockDrawn]:
        """One block for all servers that are left open at the end of the same path, with the
        first reason.
        """
        ends: dict[tuple[tuple[str, ...], DecidedIf | None], list[Undetermined]] = {}
        for entry in entries:
            if entry.path:
                ends.setdefault((entry.path, entry.decided_if), []).append(entry)
        for (path, _), together in ends.items():
            first, end = together[0], path[-1]
            way = self.way(first.steps)
            sure = self._sure_steps(way, end, together, certain)
            self._passed(way[:sure])
            for step in way[sure:]:
                words = "whether messages get over it is not known"
                self._weakly(self._links.get(step.link), Mark.UNDETERMINED, words)
                if step.to != end:
                    perhaps = mark_of(Claim.ON_WAY, Told.UNKNOWN), "messages may pass here"
                    self.said.servers.setdefault(step.to, perhaps)
            if sure < len(way) and end not in self.said.servers:
                self.server(end, Mark.UNDETERMINED, f"{as_decided(first)}: {first.because}")
            names = [one.server for one in together]
            who = "" if names == [end] else f"{listed(names)}: "
            yield BlockDrawn(
                end,
                end,
                "",
                f"{who}{as_decided(first)}",
                first.because,
                str(Truth.UNKNOWN),
                first.source,
                way=way,
            )

    def _sure_steps(
        self,
        way: Sequence[StepDrawn],
        end: str,
        left_open: Sequence[Undetermined],
        certain: Collection[str] | None,
    ) -> int:
        """How many of the steps to a server that leaves something open are certainly taken.
        Where nobody says who gets a message, the last one is not if the server has no files or
        is left open itself."""
        if certain is not None:
            return next(
                (number for number, step in enumerate(way) if step.to not in certain), len(way)
            )
        return max(
            0, len(way) - (end in self.unloaded or any(one.server == end for one in left_open))
        )

    def _passed(self, way: Sequence[StepDrawn]) -> None:
        """Links and servers on the way to a block, where nothing else is said of them."""
        for step in way:
            self._weakly(self._links.get(step.link), Mark.TRANSIT, "")
            if step.to not in self.said.servers:
                self.server(step.to, Mark.TRANSIT, "messages pass here")

    def _weakly(self, found: LinkDrawn | None, state: Mark, note: str) -> None:
        """Mark a link of which nothing stronger is said."""
        if found is None:
            return
        before = self.said.links.get(found.id, (Mark.NONE, ""))[0]
        if before not in _STRONGER or _STRONGER.index(state) < _STRONGER.index(before):
            self.link(found, state, note)

    def undetermined(self, entries: Iterable[Undetermined]) -> None:
        for entry in entries:
            self.server(entry.server, Mark.UNDETERMINED, why_open(entry))

    def needed(self, entries: Sequence[Undetermined]) -> None:
        """What servers would need for those left open to be reached, as the text form says it."""
        for alike in by_assumption(entries).values():
            self.said.facts.extend((OPEN, clean(paragraph)) for paragraph in needed(alike))


class CollectedNotes:
    """What is said of each server, collected: of several marks the first of ``order`` is drawn,
    and all notes stand beside it.
    """

    def __init__(self, marking: Marking, order: Sequence[Mark]) -> None:
        self._marking = marking
        self._order = order
        self._known = set(marking.all_servers)
        self._said: dict[str, list[tuple[Mark, str]]] = {}

    def add(self, server: str, state: Mark, note: str) -> None:
        """Say something of a server that is in the network."""
        if server in self._known:
            self._said.setdefault(server, []).append((state, note))

    def mark(self) -> None:
        """Mark all servers of which something was said."""
        for server, said in self._said.items():
            state = min((one for one, _ in said), key=self._order.index)
            self._marking.server(
                server, state, clean("; ".join(dict.fromkeys(note for _, note in said)))
            )

    def first(self) -> list[str]:
        """The servers, those of which most has to be known first."""
        return sorted(
            self._said,
            key=lambda name: (min(self._order.index(state) for state, _ in self._said[name]), name),
        )


UNSURE = "not certain: "
"""What stands before the reason of a block that the loaded files leave open."""

_OF_ZONES = frozenset((REASONS[NotForwarded.ZONE], UNSURE + REASONS[NotForwarded.ZONE]))
"""Reasons that say no more than how far a message goes inside a zone."""

_STRONGER = (Mark.PATH, Mark.TRANSIT, Mark.UNDETERMINED, Mark.BLOCKED)
"""Of several marks of a link the first of these."""

_AT_SERVER: Mapping[str, str] = {
    NotForwarded.SELECTOR: "the subscriber's own selector refuses it",
    NotForwarded.ACL: "a permission is missing",
}
"""Where a message ends at a server and not on a link."""
