"""What the answer to one question says of each server and link of a picture, as it is collected: marks, notes, paths with numbered steps, and the links
where messages end."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from topograph.outcomes import NotForwarded
from topograph.questions.answers import Step, Stopped, Undetermined
from topograph.questions.texts.layout import place
from topograph.questions.texts.walks import REASONS
from topograph.viz.scene import BlockDrawn, CommandDrawn, GroupDrawn, LinkDrawn, Mark, PathDrawn, StepDrawn


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
            if link.source == step.source and step.cost in (None, link.cost) and link.leads(step.from_)
        ]
        links = [link for link in links if link.leads(step.from_)] or links
        return next(iter((*same, *links)), None)


@dataclass
class Said:
    """What an answer says. ``start`` is the server the picture spreads from, ``way`` the one path that it shows from left to right (both may
    be empty); ``named`` the servers the question is about, with those on that path."""

    title: str = ""
    start: str = ""
    way: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    servers: dict[str, tuple[Mark, str]] = field(default_factory=dict)
    links: dict[str, tuple[Mark, str]] = field(default_factory=dict)
    paths: list[PathDrawn] = field(default_factory=list)
    blocks: list[BlockDrawn] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    commands: list[CommandDrawn] = field(default_factory=list)
    groups: list[GroupDrawn] = field(default_factory=list)

    def drawn_paths(self, ids: Collection[str]) -> Iterator[PathDrawn]:
        """The paths with the links that are in the picture; equal steps stay one object."""
        cut: dict[int, StepDrawn] = {}
        for path in self.paths:
            if all(step.link in ids for step in path.steps):
                yield path
                continue
            steps = []
            for step in path.steps:
                if step.link not in ids:
                    step = cut.setdefault(id(step), dataclasses.replace(step, link=""))  # noqa: PLW2901
                steps.append(step)
            yield dataclasses.replace(path, steps=tuple(steps))


class Marking:
    """Collects what one answer says."""

    def __init__(
        self,
        servers: Sequence[str],
        links: Sequence[LinkDrawn],
        label: Callable[[str, str], str] = lambda _, name: name,
    ) -> None:
        self.all_servers = servers
        self.label = label
        self.all_links = links
        self.book = LinkBook(links)
        self.said = Said()
        self._steps: dict[StepDrawn, StepDrawn] = {}

    def server(self, name: str, state: Mark, note: str = "") -> None:
        self.said.servers[name] = (state, note)

    def link(self, found: LinkDrawn | None, state: Mark, note: str = "") -> None:
        if found is not None:
            self.said.links[found.id] = (state, note)

    def path(
        self, title: str, servers: Sequence[str], steps: Iterable[Step], *, shown: bool = True, together: str = ""
    ) -> None:
        """A path with the steps of an answer; its links are marked, unless it is one of several that are looked at together."""
        drawn = []
        for number, step in enumerate(steps, 1):
            link = self.book.of(step)
            if not together:
                self.link(link, Mark.PATH)
            drawn.append(
                self.one(
                    StepDrawn(
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
                )
            )
        self.said.paths.append(PathDrawn(title, tuple(servers), tuple(drawn), shown, together))

    def one(self, step: StepDrawn) -> StepDrawn:
        """The step, as one object for all paths that it is in."""
        return self._steps.setdefault(step, step)

    def configured_path(self, title: str, servers: Sequence[str], *, shown: bool, together: str = "") -> None:
        """A path of which the answer gives the servers: each step has the place that configures its link."""
        steps = []
        for number, (here, there) in enumerate(itertools.pairwise(servers), 1):
            link = next(iter(self.book.between(here, there)), None)
            if link is not None:
                steps.append(self.one(StepDrawn(number, here, there, link.id, link.zone, "", "", (), link.source)))
        self.said.paths.append(PathDrawn(title, tuple(servers), tuple(steps), shown, together))

    def blocks(self, stopped: Iterable[Stopped]) -> None:
        """The links that a message does not take; a link that a path uses in the other direction stays marked so."""
        for stop in stopped:
            link = next(iter(self.book.between(stop.at, stop.to)), None) if stop.to not in ("", stop.at) else None
            reason = REASONS.get(stop.reason, stop.reason)
            if link is None:
                reason = _AT_SERVER.get(stop.reason, reason)
            block = BlockDrawn(
                stop.at,
                stop.to or stop.at,
                link.id if link else "",
                reason,
                stop.guard,
                str(stop.value),
                stop.source,
                stop.reason == NotForwarded.SELECTOR,
            )
            if not block.certain:
                reason = f"not certain: {reason}"
                block = dataclasses.replace(block, reason=reason)
            self.said.blocks.append(block)
            if link is not None and self.said.links.get(link.id, (Mark.NONE, ""))[0] is not Mark.PATH:
                self.link(link, Mark.BLOCKED, f"{stop.at} to {stop.to}: {reason}")

    def undetermined(self, entries: Iterable[Undetermined]) -> None:
        for entry in entries:
            where = place(entry.source)
            self.server(
                entry.server,
                Mark.UNDETERMINED,
                f"cannot be decided: {entry.because}{f' ({where})' if where else ''}",
            )


_AT_SERVER: Mapping[str, str] = {
    NotForwarded.SELECTOR: "the subscriber's own selector refuses it",
    NotForwarded.ACL: "a permission is missing",
}
"""Where a message ends at a server and not on a link."""
