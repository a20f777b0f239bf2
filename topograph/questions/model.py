"""What a question works on: one network of one snapshot, its graphs, and an engine for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Concatenate, NamedTuple, ParamSpec, TypedDict, TypeVar

from topograph.credentials import name_without_secret
from topograph.engines import Engine
from topograph.engines.memory import MemoryEngine
from topograph.errors import NotApplicable, UnknownServer
from topograph.findings import Source
from topograph.forwarding.budget import DEFAULT_SECONDS, Budget
from topograph.forwarding.components import joined_systems
from topograph.forwarding.graph import STEPPING, Closed, ForwardingGraph, Server
from topograph.forwarding.servers import ServerColumns, systems_of
from topograph.inexact import Cause, Inexact, budget_ended
from topograph.process.garbage import collector_paused
from topograph.questions.answers import Answer, Caution
from topograph.questions.left_out import with_left_out
from topograph.questions.offers import offers, systems_asked
from topograph.records import record
from topograph.store.layouts import KeptLayout
from topograph.store.origin import Origin
from topograph.systems import estate_of, paths_of, system_of
from topograph.systems.contract.system import Estate, FactSource, Paths, System
from topograph.systems.registry import title
from topograph.words.did_you_mean import did_you_mean

if TYPE_CHECKING:
    from topograph.files import FileReport
    from topograph.findings import Finding
    from topograph.questions.question import Question
    from topograph.side_inputs import SideInputs

P = ParamSpec("P")
T = TypeVar("T")


@dataclass
class Part:
    """The part of a network that one graph holds: the engine that walks it, and where the facts
    of its systems come from.
    """

    graph: ForwardingGraph
    engine: Engine
    facts_of: Callable[[str], FactSource]
    side_inputs: SideInputs

    @cached_property
    def system(self) -> System:
        """What is offered here."""
        return system_of(self.graph)

    @cached_property
    def estate(self) -> Estate:
        """The part with its facts, loaded when a question first needs them and kept."""
        return estate_of(self.graph, self.facts_of, self.side_inputs)

    def number(self, system: str, name: str) -> int | None:
        """The number of the server of a system and name; None where there is none. Linear in the
        servers, once where they are not columns."""
        servers = self.graph.servers
        if isinstance(servers, ServerColumns):
            rows = servers.name.rows_of(name)
            return next((row for row in reversed(rows) if servers.system[row] == system), None)
        return self._numbers.get((system, name))

    @cached_property
    def _numbers(self) -> Mapping[tuple[str, str], int]:
        """The numbers of the servers by system and name."""
        return {(one.system, one.name): number for number, one in enumerate(self.graph.servers)}

    @cached_property
    def systems(self) -> frozenset[str]:
        """The systems of the servers."""
        return systems_of(self.graph.servers)

    @cached_property
    def paths(self) -> Paths:
        """What reach, hops and paths ask of the system."""
        return paths_of(self.graph)

    @property
    def form(self) -> str:
        """How messages are followed here: ``closed``, over a graph that one system compiled, or
        ``stepping``.
        """
        return "stepping" if self.graph.system == STEPPING else "closed"

    def follows(self, type_: str) -> bool:
        """Whether messages to destinations of a type are followed here."""
        return self.system.destinations.get(type_) == self.form

    @cached_property
    def joined(self) -> Mapping[str, frozenset[str]]:
        """See ``joined_systems``."""
        return joined_systems(self.graph)

    def walking_all(self) -> tuple[Engine, tuple[Caution, ...]]:
        """The engine for a question that walks from every server, and what its answer says of
        that: memory where the servers are too many for the engine of this part."""
        if self.engine.name == "memory" or self.engine.ahead((), Closed()) is not None:
            return self.engine, ()
        text = (
            f"answered in memory: a walk from each of {len(self.graph.servers):,} servers "
            "takes minutes in the database"
        )
        return MemoryEngine(self.graph, self.engine.budget), (Caution("engine", text, Source("")),)


class Place(NamedTuple):
    """A server of the network: its part, its number there, its record."""

    part: Part
    number: int
    server: Server

    @property
    def name(self) -> str:
        """The bare name."""
        return self.server.name

    @property
    def system(self) -> str:
        """The system that the server runs."""
        return self.server.system


@dataclass
class Records:
    """Findings and file reports of a network, and where they come from, loaded when a question
    needs them. ``named`` is what the user called the snapshot.
    """

    load_findings: Callable[[], Sequence[Finding]]
    load_files: Callable[[], Sequence[FileReport]]
    load_origin: Callable[[], Origin] = Origin
    named: str = ""

    @cached_property
    def findings(self) -> Sequence[Finding]:
        return self.load_findings()

    @cached_property
    def files(self) -> Sequence[FileReport]:
        return self.load_files()

    @cached_property
    def origin(self) -> Origin:
        return self.load_origin()


@record
class KnownDestination:
    """A destination as questions take it (``topic:orders``), its type, and the servers whose
    files name it, as (system, name). None of them where only topograph.yaml does."""

    text: str
    type: str
    named_by: frozenset[tuple[str, str]]


@record
class KnownDestinations:
    """What ``propagate`` and ``trace`` can be asked about: what the files name without a wildcard
    and clients are attached to, and the queues that the files name, each with its server."""

    named: tuple[KnownDestination, ...]
    placed: tuple[KnownDestination, ...]


@dataclass
class Model:
    """One network of one snapshot. ``warnings`` are about how it was opened and go into every
    answer; ``redaction`` is that of the answers; ``unreadable`` are the main files that could not
    be read, of configuration that was read for the question; ``seconds`` are what one question may
    take (None: any time); ``revision`` is the git revision and commit that the configuration was
    read out of, empty where it was not; ``layout`` is where the servers stand in pictures.

    A server is (system, name). Where its system has a graph for some types of destination and steps
    for others, it stands in two parts, and its *place* is that in the graph, unless the type of a
    destination is known. It is called by its name where no other system has a server of that name,
    else ``SYSTEM:name``: its *label*.
    """

    snapshot: str
    network: str
    parts: Sequence[Part]
    records: Records
    side_inputs: SideInputs
    warnings: tuple[Caution, ...] = ()
    redaction: str = ""
    unreadable: tuple[str, ...] = ()
    seconds: float | None = DEFAULT_SECONDS
    revision: str = ""
    layout: KeptLayout = field(default_factory=KeptLayout)
    asked_as: str = ""
    """What ``-s`` names it by where that is configuration; empty for a snapshot."""
    known: KnownDestinations | None = field(default=None, init=False, repr=False, compare=False)
    """What ``questions.known_destinations`` found; None until it is asked."""

    @contextmanager
    def budget(self) -> Iterator[Budget]:
        """What one question may spend from now on; its walks end with it. One question at a time
        is asked of a model.
        """
        budget = Budget.of_seconds(self.seconds)
        before = [part.engine.budget for part in self.parts]
        for part in self.parts:
            part.engine.budget = budget
        try:
            yield budget
        finally:
            for part, earlier in zip(self.parts, before, strict=True):
                part.engine.budget = earlier

    @property
    def findings(self) -> Sequence[Finding]:
        """The findings of the network, loaded when they are asked for."""
        return self.records.findings

    def server_systems(self) -> set[str]:
        """The systems that its servers run. Linear in the servers."""
        return set().union(*(part.systems for part in self.parts))

    def defined_at(self, name: str) -> list[Source]:
        """Where the servers of a name are defined, one a system; none where there is none."""
        found = self._places.get(name, {}).values()
        return [place.part.graph.servers[place.number].source for place in found]

    @cached_property
    def _places(self) -> dict[str, dict[str, Place]]:
        """By name and system."""
        found: dict[str, dict[str, Place]] = {}
        for (system, name), places in self._in_parts.items():
            found.setdefault(name, {})[system] = places[0]
        return found

    @cached_property
    def _in_parts(self) -> dict[tuple[str, str], list[Place]]:
        """By system and name the places in all parts, that in a graph of its system first."""
        found: dict[tuple[str, str], list[Place]] = {}
        for part in self._parts_in_order:
            for number, server in enumerate(part.graph.servers):
                found.setdefault((server.system, server.name), []).append(
                    Place(part, number, server)
                )
        return found

    @property
    def _parts_in_order(self) -> list[Part]:
        """The graphs of one system first."""
        return sorted(self.parts, key=lambda part: part.form == "stepping")

    @property
    def has_several_servers(self) -> bool:
        """Whether it has more than one server; one may stand in two parts."""
        return any(len(part.graph.servers) > 1 for part in self.parts) or len(self.places()) > 1

    @cached_property
    def shared_names(self) -> frozenset[str]:
        """The names that servers of several systems have."""
        return frozenset(name for name, own in self._places.items() if len(own) > 1)

    def label(self, server: Server) -> str:
        """What a server is called in this network."""
        return (
            server.name if len(self._places[server.name]) == 1 else f"{server.system}:{server.name}"
        )

    def server_names(self) -> tuple[str, ...]:
        """The labels of all servers and routers, by name and system, those included that are
        only named by others.
        """
        return tuple(self.label(place.server) for place in self.places())

    def places(self) -> tuple[Place, ...]:
        """All servers, by name and system."""
        return self._in_order

    @cached_property
    def _in_order(self) -> tuple[Place, ...]:
        return tuple(
            place for _, own in sorted(self._places.items()) for _, place in sorted(own.items())
        )

    def locate(self, text: str, type_: str | None = None) -> Place:
        """The server that is called ``text``: a name that one system has, or ``SYSTEM:name``. With
        the type of a destination in the part where messages to such destinations are followed, if
        there is one.

        Raises UnknownServer with the nearest names, or with the qualified ones of an ambiguous
        name."""
        place = self._called(name_without_secret(text))
        return place if type_ is None else self.sending(place, type_)

    def sending(self, place: Place, type_: str) -> Place:
        """A server in the part where messages to destinations of a type are followed; ``place``
        if there is none."""
        found = self._in_parts[place.system, place.name]
        return next((one for one in found if one.part.follows(type_)), place)

    def _called(self, text: str) -> Place:
        own = self._named(text)
        if len(own) == 1:
            return next(iter(own.values()))
        if own:
            labels = " or ".join(f"{system}:{text}" for system in sorted(own))
            raise UnknownServer(
                f"Several systems of network {self.network} have a server {text!r}: write {labels}."
            )
        system, colon, name = text.partition(":")
        place = self._named(name).get(system) if colon else None
        if place is None:
            hosted = self._by_host.get(text.casefold(), [])
            if len(hosted) == 1:
                return hosted[0]
            if hosted:
                labels = " or ".join(self.label(one.server) for one in hosted)
                raise UnknownServer(f"Several servers run on {text!r}: write {labels}.")
            hint = (
                did_you_mean(text, self.server_names()) or " `topograph show servers` lists them."
            )
            raise UnknownServer(f"No server is called {text!r} in network {self.network}.{hint}")
        return place

    def _named(self, name: str) -> dict[str, Place]:
        """The servers of a name by system: one entry of ``_places``, which a question about one
        server of a hundred thousand does without. A step for each part and system."""
        found: dict[str, Place] = {}
        for part in self._parts_in_order:
            for system in sorted(part.systems):
                number = part.number(system, name)
                if number is not None and system not in found:
                    found[system] = Place(part, number, part.graph.servers[number])
        return found

    def hosts_of(self, place: Place) -> list[str]:
        """The hosts that topograph.yaml says are a server, as written and without the port."""
        found = [
            host
            for one in self.side_inputs.hosts
            if one.server == place.name
            for host in (one.host, one.host.rpartition(":")[0])
            if host
        ]
        return list(dict.fromkeys(found))

    @cached_property
    def _by_host(self) -> dict[str, list[Place]]:
        """By host, in lower case, the servers that topograph.yaml says it is."""
        found: dict[str, list[Place]] = {}
        for place in self._in_order if self.side_inputs.hosts else ():
            for host in self.hosts_of(place):
                found.setdefault(host.casefold(), []).append(place)
        return found

    def split_server(self, text: str) -> tuple[str, str]:
        """(server, rest) of ``SERVER:rest``, where SERVER may be qualified; the rest is empty
        where there is no colon behind it.
        """
        first, _, behind = text.partition(":")
        name, _, rest = behind.partition(":")
        if first not in self._places and first in self._places.get(name, {}):
            return f"{first}:{name}", rest
        return first, behind

    def offered(self, question: Question, server: str | None = None) -> Part:
        """The part (of ``server``, if one is named) whose system offers what a question asks of
        it. Raises NotApplicable, UnknownServer.
        """
        parts = self.parts if server is None else [self.locate(server).part]
        for part in parts:
            if offers(part.system, question):
                return part
        present = ", ".join(part.system.title for part in self.parts) or "nothing"
        where = f"network {self.network} holds {present}"
        if server is not None:
            where = f"{server} runs {parts[0].system.title}"
        asked = " and ".join(title(name) for name in systems_asked(question))
        raise NotApplicable(f"{question.name} is a question about {asked}; {where}.")

    def common(self, part: Part | None = None, engine: str = "") -> Common:
        """The fields every answer carries; ``engine`` is the one that walked, where it is not
        that of the part.
        """
        engine = engine or (
            part.engine.name if part else self.parts[0].engine.name if self.parts else "memory"
        )
        return {
            "snapshot": self.snapshot,
            "network": self.network,
            "engine": engine,
            "redaction": self.redaction,
        }


def answered(ask: Callable[Concatenate[Model, P], T]) -> Callable[Concatenate[Model, P], T]:
    """A question whose answer says what mistakes in topograph.yaml leave out. Every question is
    one, or is asked ``within_budget``."""

    @wraps(ask)
    def asked(model: Model, /, *args: P.args, **options: P.kwargs) -> T:
        return _as_answered(ask(model, *args, **options), model)

    return asked


def _as_answered(answer: T, model: Model) -> T:
    return with_left_out(answer, model) if isinstance(answer, Answer) else answer


def within_budget(
    ask: Callable[Concatenate[Model, Budget, P], T],
) -> Callable[Concatenate[Model, P], T]:
    """A question that is asked with a budget of its own, which is its second argument. Its answer
    is not exact if the budget ended, whatever the question makes of that."""

    @wraps(ask)
    def asked(model: Model, /, *args: P.args, **options: P.kwargs) -> T:
        with model.budget() as budget, collector_paused():
            answer = ask(model, budget, *args, **options)
        if isinstance(answer, Answer):
            answer = _not_exact(answer, budget)
        return _as_answered(answer, model)

    return asked


A = TypeVar("A", bound=Answer)


def _not_exact(answer: A, budget: Budget) -> A:
    """An answer that says so if its budget ended: who forgets what a search left out does not
    pass off what it found as everything.
    """
    if not budget.spent:
        return answer
    because, warnings = answer.inexact_because, answer.warnings
    if not any(one.cause is Cause.BUDGET for one in because):
        because = (*ended(budget), *because)
    if not any(one.rule == "budget" for one in warnings):
        warnings = (*warnings, *cut(budget, "not everything was looked at"))
    return replace(answer, exact=False, inexact_because=because, warnings=warnings)


def cut(budget: Budget, left_out: str) -> tuple[Caution, ...]:
    """What an answer says of a budget that has ended: ``left_out`` in words. Nothing where it
    has not.
    """
    if not budget.spent:
        return ()
    return (Caution("budget", f"{budget.ended} (--budget): {left_out}"),)


def ended(budget: Budget, *, doubled: bool = False) -> tuple[Inexact, ...]:
    """The causes of an answer that is not exact because of its budget; none where that has not
    ended. ``doubled``: more than one path leads to a server."""
    return budget_ended(budget.ended, doubled=doubled) if budget.spent else ()


class Common(TypedDict):
    """The fields every answer carries."""

    snapshot: str
    network: str
    engine: str
    redaction: str
