"""How messages of one graph are followed, as JSON: what ``viz/page/engine/messaging.js`` reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.portable.arrays import Texts, packed
from topograph.portable.selector_trees import SelectorEntries, header_defaults
from topograph.questions.model import Part
from topograph.questions.propagate import asked_by
from topograph.systems.contract.portable import PortableMessaging
from topograph.systems.contract.portable_messages import (
    Expression,
    PortableEntry,
    PortableGuard,
    PortableMessages,
    PortableSelector,
    PortableServer,
    PortableSubscriber,
    PortableWay,
)
from topograph.tracing.trace import Trace


def messages_of(part: Part, texts: Texts) -> dict[str, Any] | None:
    """The section of one part; None where its system lets nobody follow messages without it.
    Reads the facts of the part. Linear in them.
    """
    make = part.system.capabilities.portable
    offered = None if make is None else make()
    if part.form != "closed" or not isinstance(offered, PortableMessaging):
        return None
    facts = part.facts_of(part.graph.system).facts
    return _Writing(texts).section(offered.messages(facts, part.side_inputs, part.graph))


class _Writing:
    """Patterns, and lists of entries that several servers have, are written once."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self.patterns: dict[str, int] = {}
        self.lists: dict[tuple[tuple[Any, ...], ...], int] = {}

    def section(self, told: PortableMessages) -> dict[str, Any]:
        places = [place for _, _, place in told.places]
        section = {
            "types": list(told.types),
            "declined": [list(one) for one in told.declined],
            "guards": [self._guard(guard) for guard in told.guards],
            "selectors": self._selectors(told.selectors),
            "defaults": header_defaults(),
            "places": {
                "point": packed([point for point, _, _ in told.places]),
                "guard": packed([guard for _, guard, _ in told.places]),
                "file": self.texts.column(place.file for place in places),
                "line": packed([place.line for place in places]),
                "column": packed([place.column for place in places]),
            },
            "servers": [self._server(one) for one in told.servers],
            "subscribers": [self._subscriber(one) for one in told.subscribers],
            "somewhere": packed(told.somewhere),
            "beside": self._doubts(told.beside),
            "unseenTakers": self._doubts(told.unseen_takers),
            "unseenCopies": self._doubts(told.unseen_copies),
            "seen": [asdict(one) for one in told.seen],
            "texts": dict(told.texts),
            "rules": dict(told.rules),
            "positions": {name: _position(one) for name, one in told.positions.items()},
            "readings": [list(one) for one in told.readings],
            "onward": [
                [server, name, self._way(way)]
                for (server, name), way in sorted(told.onward.items(), key=lambda one: one[0])
            ],
            "mostCopies": told.most_copies,
            "limits": dict(told.limits),
        }
        return section | {
            "patterns": list(self.patterns),
            "entries": [list(map(list, one)) for one in self.lists],
        }  # last: complete only now

    def _way(self, way: PortableWay) -> dict[str, Any]:
        if not isinstance(way, Trace):
            return {
                "selector": way.selector,
                "ways": {truth: self._way(one) for truth, one in way.ways.items()},
            }
        return {
            "steps": [
                {
                    "after": step.after,
                    "at": step.at,
                    "to": step.to,
                    "zone": step.zone,
                    "rule": step.rule,
                    "confidence": step.confidence,
                    "guards": list(step.guards),
                    "source": self._source(step.source),
                    "text": step.text,
                    "object": step.object,
                }
                for step in way.steps
            ],
            "branches": [
                {
                    "of": branch.of,
                    "kind": str(branch.kind),
                    "last": branch.last,
                    "choice": branch.choice,
                    "pick": branch.pick,
                    "condition": branch.condition,
                    "ending": None
                    if branch.ending is None
                    else {
                        "outcome": str(branch.ending.outcome),
                        "told": str(branch.ending),
                        "asks": sorted(asked_by(branch.ending)),
                        **{name: str(value) for name, value in branch.ending.arguments.items()},
                    },
                }
                for branch in way.branches
            ],
            "visited": list(way.visited),
            "assumptions": [_position(one) for one in way.assumptions],
            "open": [[one.server, one.because, self._source(one.source)] for one in way.open],
        }

    def _pattern(self, pattern: str) -> int:
        return self.patterns.setdefault(pattern, len(self.patterns))

    def _source(self, source: Source | None) -> list[int] | None:
        return None if source is None else [self.texts(source.file), source.line, source.column]

    def _expression(self, one: Expression) -> Expression:
        """The same with patterns by number."""
        kind, *rest = one
        if kind == "matches":
            return [kind, *(self._pattern(pattern) for pattern in rest)]
        if kind in ("all", "any", "if"):
            return [kind, *(self._expression(part) for part in rest)]
        return one

    def _guard(self, guard: PortableGuard) -> dict[str, Any]:
        """What is empty or false is left out."""
        found = {
            "asks": self._expression(guard.asks),
            "reason": guard.reason,
            "interest": guard.interest,
            "selector": guard.selector,
            "replaced": guard.replaced,
            "atEnd": guard.at_end,
            "patterns": [self._pattern(pattern) for pattern in guard.patterns],
            "lines": [
                [self._pattern(pattern), self._source(source)] for pattern, source in guard.lines
            ],
            "waits": self._source(guard.waits),
            "met": guard.met,
            "lacking": guard.lacking,
            "secure": [self._pattern(pattern) for pattern in guard.secure],
        }
        shown = {name: value for name, value in found.items() if value}
        return (
            shown
            | {"source": self._source(guard.source)}
            | ({"at": guard.at} if guard.at >= 0 else {})
        )

    def _server(self, server: PortableServer) -> list[Any]:
        file = server.entries[0].source.file if server.entries else ""
        entries = tuple(self._entry(one, file) for one in server.entries)
        publishes = None if server.publishes is None else self._expression(server.publishes)
        return [
            self.lists.setdefault(entries, len(self.lists)),
            self.texts(file),
            self._source(server.main),
            self._source(server.fallback),
            int(server.complete),
            publishes,
            None if server.alone is None else [self._pattern(pattern) for pattern in server.alone],
        ]

    def _entry(self, one: PortableEntry, file: str) -> tuple[Any, ...]:
        """A file that is not that of the first entry is named."""
        short = self._pattern(one.pattern), int(one.secure), one.source.line, one.source.column
        return short if one.source.file == file else (*short, self.texts(one.source.file))

    def _selectors(self, selectors: Iterable[PortableSelector]) -> list[dict[str, Any]]:
        entries = SelectorEntries()
        return [
            {
                "text": one.text,
                **({"notUnderstood": one.fault} if one.fault else entries.of(one.text)),
            }
            for one in selectors
        ]

    def _doubts(self, doubts: Iterable[tuple[int, str, Source]]) -> list[list[Any]]:
        """Servers by number, each with why something is not known there and the place."""
        return [[number, why, self._source(source)] for number, why, source in doubts]

    def _subscriber(self, one: PortableSubscriber) -> dict[str, Any]:
        return {
            "server": one.server,
            "pattern": self._pattern(one.pattern),
            "known": one.known,
            "selector": one.selector,
            "text": one.selector_text,
            "reliable": one.reliable,
            "delivers": one.delivers,
            "note": one.note,
            "source": self._source(one.source),
            "unsure": one.unsure,
            "called": one.called,
            "copy": None if one.copy is None else asdict(one.copy),
        }


def _position(one: Assumption) -> dict[str, str]:
    return asdict(one)
