"""How the messages of a network end (``endings.SharedEndings``) as columns, to be kept with its
reading: a later question works out only what it asks, and nothing is stepped again but what
a failure concerns.

The states have their numbers, and so have the endings and the servers that take messages; what a
state comes to is worked out when it is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import pairwise
from operator import or_
from typing import Protocol, TypeVar

import numpy as np

from topograph.findings import Source
from topograph.forwarding.points import Ints, Labels
from topograph.forwarding.texts import Texts
from topograph.message import Message
from topograph.tracing.comparison import EndingAt
from topograph.tracing.ending_nodes import At, Node, Onward, Ways, joined
from topograph.tracing.ending_table import EndingTable, Ends
from topograph.tracing.endings import EndsAfter, SharedEndings
from topograph.tracing.states import State, Systems
from topograph.tracing.trace import Kind

T = TypeVar("T")

Asked = Mapping[tuple[str, tuple[str, ...]], Sequence[int]]
"""By system and what may be out of order, the states whose steps ask about it."""

Written = Labels | Ints | Sequence[str]
"""A column that is to be kept."""


class Columns(Protocol):
    """The columns of a table that was kept."""

    def __len__(self) -> int: ...

    def numbers(self, name: str) -> Ints:
        """A column of numbers."""
        ...

    def labels(self, name: str) -> Labels:
        """A column of texts that repeat."""
        ...

    def texts(self, name: str) -> Texts:
        """A column of texts."""
        ...


def tables_of(
    endings: SharedEndings, begins: Sequence[At], asked: Asked
) -> Mapping[str, Mapping[str, Written]] | None:
    """What is kept of endings, the states in which messages begin, and of what steps ask; None
    where some are left to traces. Linear in the states and their ways."""
    nodes = [one for one in endings.nodes if one is not None]
    if len(nodes) != len(endings.states):
        return None
    states = [state for _, state in endings.states]
    ways = [one for node in nodes for one in node.onward]
    return {
        "states": {
            "system": _labels(system for system, _ in endings.states),
            "server": _labels(one.server for one in states),
            "object": _labels(one.object for one in states),
            "data": [one.data for one in states],
            "rank": _ints(map(endings.rank_of, range(len(states)))),
            "ways": _ints(len(node.onward) for node in nodes),
            "branches": _ints(node.branches for node in nodes),
            "doubt": _ints(node.doubt for node in nodes),
            "more": _ints(node.more for node in nodes),
        },
        "ways": {
            "kind": _labels(one.kind.value for one in ways),
            "to": _ints(one.to for one in ways),
            "ending": _ints(one.ends.possible.bit_length() - 1 for one in ways),
            "taking": _ints(one.ends.taking.bit_length() - 1 for one in ways),
            "held": _ints(one.ends.held for one in ways),
            "asked": _labels(json.dumps(one.asked) for one in ways),
            "rule": _labels(one.rule for one in ways),
            "file": _labels(one.source.file for one in ways),
            "line": _ints(one.source.line for one in ways),
            "column": _ints(one.source.column for one in ways),
        },
        "endings": {
            name: _labels(getattr(one, name) for one in endings.table.endings)
            for name in ("system", "server", "destination", "outcome")
        },
        "takers": {"server": endings.table.servers},
        "begins": {"state": _ints(endings.number[one] for one in begins)},
        "asked": {
            "part": _labels(json.dumps(part) for part, own in asked.items() for _ in own),
            "state": _ints(number for own in asked.values() for number in own),
        },
    }


def _labels(texts: Iterable[str]) -> Labels:
    every = list(texts)
    return Labels.of(every, len(every))


def _ints(values: Iterable[int]) -> Ints:
    return np.fromiter(values, np.int32)


class KeptEndings(SharedEndings):
    """The endings of ``tables_of``: the same functions, of states that are known already. Each
    record is made when it is asked for."""

    def __init__(self, systems: Systems, message: Message, tables: Mapping[str, Columns]) -> None:
        table = EndingTable()
        columns = ("system", "server", "destination", "outcome")
        for one in zip(*(tables["endings"].labels(name).texts() for name in columns), strict=True):
            table.bit(EndingAt(*one))
        for server in tables["takers"].texts("server"):
            table.take(server)
        super().__init__(systems, message, table)
        states, ways = tables["states"], tables["ways"]
        self.begins: list[int] = tables["begins"].numbers("state").tolist()
        self._asked_about = tables["asked"]
        self._size = len(states)
        self._system, self._server = states.labels("system"), states.labels("server")
        self._object, self._data = states.labels("object"), states.texts("data")
        self._rank = states.numbers("rank").tolist()
        self._starts = [0, *np.cumsum(states.numbers("ways")).tolist()]
        self._flags = [states.numbers(name).tolist() for name in ("branches", "doubt", "more")]
        self._to: list[int] = ways.numbers("to").tolist()
        self._ending: list[int] = ways.numbers("ending").tolist()
        self._takes: list[int] = ways.numbers("taking").tolist()
        self._held, self._kind = ways.numbers("held"), ways.labels("kind")
        self._asks, self._rule = ways.labels("asked"), ways.labels("rule")
        self._file, self._line = ways.labels("file"), ways.numbers("line")
        self._column = ways.numbers("column")
        self._new: dict[At, int] = {}
        self.states = _Made(self._size, self._state)  # type: ignore[assignment]
        self.nodes = _Made(self._size, self._node)  # type: ignore[assignment]
        self._ends = _Made(self._size, self._come_to)  # type: ignore[assignment]
        self._before = _Made(self._size, self._states_before)  # type: ignore[assignment]

    def ends(self, at: At) -> Ends | None:
        return self.ends_of(self._number(at))

    def place_of(self, number: int) -> tuple[str, str]:
        return self._system[number], self._server[number]

    def onward(self, number: int) -> Iterator[int]:
        return (to for to in self._to[self._starts[number] : self._starts[number + 1]] if to >= 0)

    def at_server(self, server: str) -> Sequence[int]:
        return self._at_server.get(server, ())

    def last_first(self, numbers: Iterable[int] | None = None) -> list[int]:
        if numbers is not None:
            return super().last_first(numbers)
        found: list[int] = np.argsort(np.array(self._rank), kind="stable").tolist()
        return found

    def taking_of(self, number: int) -> int:
        return self._taking[number]

    @property
    def all_now(self) -> bool:
        return Kind.LATER.value not in self._kind.values

    def ways(self) -> Ways:
        onward, taking = [], []
        for start, end in pairwise(self._starts):
            onward.append(tuple({to: None for to in self._to[start:end] if to >= 0}))
            taking.append(self._taken(start, end))
        return Ways(self.last_first(), onward, taking)

    def ending_in(self) -> Mapping[int, Sequence[int]]:
        found: dict[int, list[int]] = {}
        for number, (start, end) in enumerate(pairwise(self._starts)):
            for ending in self._ending[start:end]:
                if ending >= 0:
                    found.setdefault(ending, []).append(number)
        return found

    def asked_about(self) -> Asked:
        """What steps ask about, as it was kept."""
        parts = self._asked_about.labels("part")
        states = self._asked_about.numbers("state").tolist()
        found: dict[int, list[int]] = {}
        for code, state in zip(parts.codes.tolist(), states, strict=True):
            found.setdefault(code, []).append(state)
        return {_part(parts.values[code]): own for code, own in found.items()}

    def _taken(self, start: int, end: int) -> int:
        taking = 0
        for one in self._takes[start:end]:
            if one >= 0:
                taking |= 1 << one
        return taking

    @cached_property
    def _taking(self) -> list[int]:
        """By state, the servers that take a message in it or behind it. Linear in the ways."""
        found = [0] * self._size
        for number in self.last_first():
            start, end = self._starts[number], self._starts[number + 1]
            taking = self._taken(start, end)
            for to in self._to[start:end]:
                if to >= 0:
                    taking |= found[to]
            found[number] = taking
        return found

    @cached_property
    def _at_server(self) -> Mapping[str, list[int]]:
        found: dict[int, list[int]] = {}
        for number, code in enumerate(self._server.codes.tolist()):
            found.setdefault(code, []).append(number)
        return {self._server.values[code]: own for code, own in found.items()}

    def _state(self, number: int) -> At:
        state = State(self._server[number], self._object[number], self._data[number])
        return self._system[number], state

    def _node(self, number: int) -> Node:
        ways = range(self._starts[number], self._starts[number + 1])
        branches, doubt, more = (bool(flags[number]) for flags in self._flags)
        return Node(tuple(map(self._way, ways)), branches, doubt=doubt, more=more)

    def _way(self, row: int) -> Onward:
        asked = self._asks[row]
        return Onward(
            Kind(self._kind[row]),
            self._to[row],
            self._ends_at(row),
            () if asked == _NOBODY else tuple(json.loads(asked)),
            self._rule[row],
            Source(self._file[row], int(self._line[row]), int(self._column[row])),
        )

    def _ends_at(self, row: int) -> Ends:
        ending, taking = self._ending[row], self._takes[row]
        if ending < 0:
            return Ends()
        bit = 1 << ending
        return Ends(bit, bit, 1 << taking if taking >= 0 else 0, bool(self._held[row]))

    @cached_property
    def _sole(self) -> list[int]:
        """By state, the one that it leads to where each message just goes there (-1: it does
        not)."""
        starts = np.array(self._starts[:-1])
        alone = (np.diff(self._starts) == 1) & ~np.array(self._flags[0], np.bool_)
        copied = self._kind.codes == (*self._kind.values, Kind.COPY.value).index(Kind.COPY.value)
        to = np.array([*self._to, -1])[starts]
        found: list[int] = np.where(alone & np.append(copied, False)[starts], to, -1).tolist()
        return found

    def _where_ways_part(self, number: int, after: EndsAfter) -> int:
        while number not in after.nodes and (to := self._sole[number]) >= 0:
            number = to
        return number

    def _with_others(
        self, number: int, nodes: Mapping[int, Node | None], found: Mapping[int, Ends | None]
    ) -> Ends | None:
        if number in nodes:
            return super()._with_others(number, nodes, found)
        if (to := self._sole[number]) >= 0:
            return found[to] if to in found else self._ends[to]
        if not self._copied[number]:
            return super()._with_others(number, nodes, found)
        each = {to: found[to] if to in found else self._ends[to] for to in self.onward(number)}
        return None if None in each.values() else self._all_of(number, each)

    @cached_property
    def _copied(self) -> list[bool]:
        """By state, whether messages take each of several ways."""
        others = np.array([one != Kind.COPY.value for one in self._kind.values], np.bool_)
        counts = np.concatenate([[0], np.cumsum(others[self._kind.codes])])
        starts = np.array(self._starts)
        copied = counts[starts[1:]] == counts[starts[:-1]]
        found: list[bool] = (copied & np.array(self._flags[0], np.bool_)).tolist()
        return found

    def _all_of(self, number: int, ends: Mapping[int, Ends | None]) -> Ends:
        """What a state comes to of which each way is taken (``ending_nodes.joined``)."""
        possible, certain, taking, same = 0, 0, 0, True
        for one in ends.values():
            assert one is not None
            possible |= one.possible
            taking |= one.taking
            same = same and one.certain is one.possible
        if not same:
            certain = reduce(or_, (one.certain for one in ends.values() if one is not None), 0)
        start, end = self._starts[number], self._starts[number + 1]
        own = 0
        for ending in self._ending[start:end]:
            if ending >= 0:
                own |= 1 << ending
        possible |= own
        return Ends(possible, possible if same else certain | own, taking | self._taken(start, end))

    def _come_to(self, number: int) -> Ends:
        """What a state comes to. Linear in the ways behind it that were not asked for before."""
        known, waiting = self._ends, [number]
        while waiting:
            now = waiting[-1]
            missing = [to for to in self.onward(now) if to not in known]  # type: ignore[comparison-overlap]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if now in known:  # type: ignore[comparison-overlap]
                continue
            if (to := self._sole[now]) >= 0:
                known[now] = known[to]
                continue
            if self._copied[now]:
                known[now] = self._all_of(now, {to: known[to] for to in self.onward(now)})
                continue
            node = self.nodes[now]
            assert node is not None
            known[now] = joined(node, (known[to] for to in self.onward(now)))
        found = known[number]
        assert found is not None
        return found

    def _states_before(self, number: int) -> Sequence[int]:
        first, last = self._led_from[0][number : number + 2]
        return self._led_from[1][first:last]

    @cached_property
    def _led_from(self) -> tuple[list[int], list[int]]:
        """The states whose ways lead to each: where those of one begin, and all of them."""
        to = np.array(self._to, np.int64)
        begins = np.repeat(np.arange(self._size), np.diff(self._starts))[to >= 0]
        to = to[to >= 0]
        order = np.argsort(to, kind="stable")
        starts = np.searchsorted(to[order], np.arange(self._size + 1))
        return starts.tolist(), begins[order].tolist()

    @cached_property
    def _asking(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = {}
        for number in self._that_ask:
            for server in {name for one in self._node(number).onward for name in one.asked}:
                found.setdefault(server, []).append(number)
        return found

    @cached_property
    def _asking_on(self) -> set[int]:
        systems = self.systems
        return {one for one in self._that_ask if systems[self._system[one]].asks_on}

    @cached_property
    def _that_ask(self) -> Sequence[int]:
        """The states that end by the answers of servers."""
        nobody = [code for code, one in enumerate(self._asks.values) if one == _NOBODY]
        rows = np.flatnonzero(~np.isin(self._asks.codes, nobody))
        found: list[int] = np.unique(np.searchsorted(self._starts, rows, side="right") - 1).tolist()
        return found

    def _number(self, at: At) -> int:
        system, state = at
        known = self._numbers.get((system, state.server, state.object, state.data))
        if known is None:
            return self._new.setdefault(at, self._size + len(self._new))
        return known

    def _forget(self, known: int) -> None:  # noqa: ARG002
        self._new = {}

    @cached_property
    def _numbers(self) -> Mapping[tuple[str, str, str, str], int]:
        columns = (self._system.texts(), self._server.texts(), self._object.texts())
        each = zip(*columns, self._data, strict=True)
        return {key: number for number, key in enumerate(each)}


_NOBODY = json.dumps(())


def _part(text: str) -> tuple[str, tuple[str, ...]]:
    system, part = json.loads(text)
    return system, tuple(part)


class _Made(dict[int, T]):
    """The records of so many numbers, each made when it is first asked for."""

    def __init__(self, size: int, make: Callable[[int], T]) -> None:
        super().__init__()
        self.size, self.make = size, make

    def __missing__(self, number: int) -> T:
        found = self[number] = self.make(number)
        return found

    def __len__(self) -> int:
        return self.size
