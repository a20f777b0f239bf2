"""The guards of the graph of stepping systems, by number: what ways ask of a message, what is
chosen at run time, what a way rests on, and what is noted of a server.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace

from topograph.assumptions import Assumption
from topograph.findings import Source
from topograph.forwarding.graph import Guard
from topograph.tracing.assembly import AT_RUN_TIME, PERHAPS_JOINED, PERHAPS_TAKEN
from topograph.tracing.states import Way
from topograph.tracing.trace import Kind

NOTHING: frozenset[int] = frozenset()
"""No guard."""


class NumberedGuards:
    """The guards so far: ``rows`` by number. Equal ids are one guard."""

    def __init__(self) -> None:
        self.rows: list[Guard] = []
        self._numbers: dict[str, int] = {}

    def of_way(
        self, system: str, ways: Sequence[Way], number: int, kind: Kind
    ) -> frozenset[int] | None:
        """The guards of a way; None for an ``else`` that an earlier one leaves nothing to."""
        way = ways[number]
        if kind is Kind.COPY and way.kind is not Kind.ELSE and way.guard is None:
            return NOTHING
        found = [] if way.guard is None else [self._guard(system, way.guard)]
        if way.kind is Kind.ELSE:
            if any(one.kind is Kind.ELSE and one.guard is None for one in ways[:number]):
                return None
            earlier = [one.guard for one in ways[:number] if one.guard is not None]
            if earlier:
                found.append(self._negation(system, earlier))
        if str(kind) in AT_RUN_TIME:
            text = way.choice_of or way.choice or way.condition or way.text
            words = (
                "when"
                if kind is Kind.LATER
                else "decided by code that no file shows"
                if kind is Kind.OPAQUE
                else "chosen at run time"
            )
            guard = Guard(
                f"{kind}/{system}/{text}", str(kind), f"{words}: {text}", source=way.source
            )
            found.append(self._number(guard))
        return frozenset(found)

    def _guard(self, system: str, guard: Guard) -> int:
        return self._number(replace(guard, id=f"{system}/{guard.id}"))

    def _negation(self, system: str, earlier: Sequence[Guard]) -> int:
        ids = [f"{system}/{guard.id}" for guard in earlier]
        text = " and ".join(f"not ({guard.text})" for guard in earlier)
        for guard in earlier:
            self._guard(system, guard)
        return self._number(
            Guard(f"else/{'|'.join(ids)}", "else", text, json.dumps(ids), earlier[0].source)
        )

    def _number(self, guard: Guard) -> int:
        """The number of a guard. One that stands at several places has no place of its own."""
        number = self._numbers.setdefault(guard.id, len(self.rows))
        if number == len(self.rows):
            self.rows.append(guard)
        elif self.rows[number].source != guard.source:
            self.rows[number] = replace(self.rows[number], source=Source(""))
        return number

    def of_position(self, position: Assumption, source: Source) -> int:
        """The guard that says what it rests on that a way leads to another server: it asks nothing
        of a message."""
        body = json.dumps(asdict(position), sort_keys=True, ensure_ascii=False)
        name = f"position:{position.rule}:{position.text}"
        return self._number(Guard(name, "position", position.text, body, source))

    def perhaps_taken(self, server: int, way: Way, position: Assumption) -> None:
        """Note that something which is not loaded may take messages on from a server: a guard that
        stands nowhere.
        """
        body = json.dumps(asdict(position), sort_keys=True, ensure_ascii=False)
        self._number(
            Guard(
                f"{PERHAPS_TAKEN}{server}/{way.perhaps_taken}",
                "position",
                way.perhaps_taken,
                body,
                way.source,
            )
        )

    def perhaps_joined(self, servers: Iterable[int], assumption: Assumption) -> None:
        """Note servers that others may join which are not loaded: a guard that stands nowhere."""
        numbers = ",".join(map(str, servers))
        body = json.dumps(asdict(assumption), sort_keys=True, ensure_ascii=False)
        name = f"{PERHAPS_JOINED}{numbers}/{assumption.text}"
        self._number(Guard(name, "position", assumption.text, body))
