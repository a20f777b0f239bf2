"""``impact``: what the failure of servers and routes does, or of every one of them in turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from topograph.digits import double
from topograph.engines.memory import MemoryEngine
from topograph.errors import NotApplicable, UsageError
from topograph.findings import Source
from topograph.forwarding.budget import Budget
from topograph.forwarding.reached import shown_links
from topograph.message import is_destination_type
from topograph.outcomes import Outcome
from topograph.questions.answers import (
    Caution,
    ContainerLost,
    CopyAlong,
    FailureCounted,
    Gap,
    ImpactAnswer,
    LostPairs,
    OutcomeChanged,
    Rerouted,
    Retained,
)
from topograph.questions.cautions import inexact_where, not_shown
from topograph.questions.failure_names import nearest_failure
from topograph.questions.following import GIVEN
from topograph.questions.model import Model, Part, cut, ended, within_budget
from topograph.questions.texts.layout import plural_of
from topograph.side_inputs import Client
from topograph.systems import systems_in
from topograph.systems.contract.failures import FailureCount, FailureEffect, Interrupted
from topograph.systems.contract.system import Failure, Failures
from topograph.tracing.assumptions import network_assumptions
from topograph.tracing.states import Component
from topograph.tracing.trace import Ending
from topograph.words.did_you_mean import did_you_mean
from topograph.words.several import several

FORMS = "server:NAME, route:A-B or broker:NAME"
"""What can fail in any network; systems have more (``Failures.components``)."""


KNOWN_LISTED = 5
"""Names of things that can fail which an error lists."""


@within_budget
def impact(
    model: Model,
    budget: Budget,
    fail: str | Sequence[str] = (),
    *,
    sweep: bool = False,
    rate: str = "",
    subscribers: str | Sequence[str] = (),
) -> ImpactAnswer:
    """What happens if all of ``fail`` (``server:X``, ``route:A-B``, ``broker:C``, ``channel:C``,
    ...) fail together, or with ``sweep`` each alone. ``rate`` (``MESSAGES,BYTES`` a second, either
    may be left out) says how fast each destination fills what is stored of it. ``subscribers``
    (``SERVER:DEST``) are added to those that are known.

    Computed in memory over the facts: failures change the routes themselves. Where the loaded files
    do not show the whole network, the answer is not exact. Raises UnknownServer, UsageError for a
    route or broker that is not there, NotApplicable where no part of the network can answer.
    """
    if fail and sweep:
        raise UsageError("Use --fail or --sweep, not both: a sweep looks at each failure alone.")
    if not fail and not sweep:
        raise UsageError(f"Specify --fail at least once ({FORMS}), or --sweep.")
    fail = tuple(dict.fromkeys(several(fail)))
    filling = _rate(rate)
    clients = [_subscriber(model, text) for text in several(subscribers)]
    # The estate of a part that does not judge failures is not loaded.
    asked = [part for part in model.parts if part.system.capabilities.judges_failures]
    judged = [
        (part, failures)
        for part in asked
        if (failures := part.estate.failures(part.graph, MemoryEngine(part.graph), clients))
        is not None
    ]
    if not judged:
        present = ", ".join(part.system.title for part in model.parts) or "nothing"
        raise NotApplicable(
            f"impact does not answer for {present}, which is what network {model.network} runs."
        )
    assumed = network_assumptions(part.graph for part, _ in judged)
    common: dict[str, Any] = {**model.common(judged[0][0], "memory"), "assumptions": assumed}
    if sweep:
        return _each_alone(model, judged, common, budget)
    return _together(model, judged, common, budget, fail, filling)


def _each_alone(
    model: Model,
    judged: Sequence[tuple[Part, Failures]],
    common: Mapping[str, Any],
    budget: Budget,
) -> ImpactAnswer:
    """What each single failure does, counted, worst first."""
    sweeps = [(part, failures.sweep(budget)) for part, failures in judged]
    rows = [(row, part) for part, sweep in sweeps for row in sweep.counted]
    left_out = tuple(name for _, sweep in sweeps for name in sweep.not_counted)
    rows.sort(key=lambda entry: entry[0].worst_first)
    undecided = [reason for _, failures in judged for reason in failures.undecided]
    number = len(left_out) + len(rows)
    said = cut(
        budget,
        (
            f"{len(left_out):,} of {number:,} failures were not counted; a worse one may "
            "be among them"
        ),
    )
    return ImpactAnswer(
        **common,
        exact=not (undecided or left_out),
        inexact_because=(
            *inexact_where((part.graph for part, _ in judged), undecided),
            *(ended(budget) if left_out else ()),
        ),
        warnings=(*model.warnings, *not_shown(undecided), *said),
        failed=(),
        failures=tuple(_counted(row, part, model) for row, part in rows),
        left_out=left_out,
        systems=tuple(sorted({name for part, _ in judged for name in systems_in(part.graph)})),
    )


def _counted(row: FailureCount, part: Part, model: Model) -> FailureCounted:
    return FailureCounted(
        failed=_labelled(row.failed, part, model),
        lost=row.lost,
        rerouted=row.rerouted,
        source=row.source,
        system=part.system.name,
        containers=row.containers,
        changed=row.changed,
        gaps=row.gaps,
        retained=row.retained,
        duplicates=row.duplicates,
        queues=row.queues,
        own=row.own,
        own_containers=row.own_containers,
        services=row.services,
        own_services=row.own_services,
    )


def _labelled(failed: str, part: Part, model: Model) -> str:
    """What fails, as ``--fail`` takes it: a server whose name other systems have, too, with its
    system."""
    name = failed.removeprefix("server:")
    if name == failed or name not in model.shared_names:
        return failed
    own = next(one for one in part.graph.servers if one.name == name)
    return f"server:{model.label(own)}"


def _together(
    model: Model,
    judged: Sequence[tuple[Part, Failures]],
    common: Mapping[str, Any],
    budget: Budget,
    fail: Sequence[str],
    filling: tuple[float, float],
) -> ImpactAnswer:
    """What happens if all of ``fail`` fail together. Raises UsageError, UnknownServer,
    NotApplicable."""
    part, failure = _what_fails(model, judged, fail)
    failures = next(known for other, known in judged if other is part)
    found = failures.effect(failure, budget)
    said = cut(
        budget,
        f"{len(found.not_compared):,} {plural_of(part.system.wording.server_noun)} were not "
        "compared with others; more may be lost",
    )
    idle = sorted(name for name in failure.servers if not failures.runs(name))
    undecided = [*failures.undecided, *found.undecided]
    return ImpactAnswer(
        **common,
        **_effects(found, failures, failure, part.system.name, filling),
        exact=not (undecided or found.not_compared),
        inexact_because=(
            *inexact_where([part.graph], undecided),
            *(ended(budget) if found.not_compared else ()),
        ),
        warnings=(
            *model.warnings,
            *(_not_running(part, name) for name in idle),
            *(Caution(*note) for note in found.notes),
            *not_shown(undecided),
            *said,
        ),
        failed=tuple(fail),
        **_before(found),
        left_out=found.not_compared,
        systems=systems_in(part.graph),
    )


def _effects(
    found: FailureEffect,
    failures: Failures,
    failure: Failure,
    system: str,
    filling: tuple[float, float],
) -> dict[str, Any]:
    """What is lost, missed, stored and moved, as fields of the answer."""
    transient = failures.transient(failure, found)
    return {
        "lost": LostPairs(found.lost, system) if found.lost else (),
        "held": tuple(_waiting(found, system)),
        "gaps": tuple(
            Gap(**_told(one), system=system, removed=one.removed)
            for one in found.interrupted
            if not one.kept
        ),
        "retained": tuple(_retained(one, system, filling) for one in found.interrupted if one.kept),
        "changed": tuple(
            OutcomeChanged(
                one.server,
                one.destination,
                one.before,
                one.after,
                one.rule,
                one.source,
                one.system,
                service=one.service,
                waits_at=one.waits_at,
            )
            for one in found.outcomes
        ),
        "rerouted": tuple(
            Rerouted(
                one.from_, one.to, one.before, one.after, one.cost_before, one.cost_after, system
            )
            for one in found.moved
        ),
        "taken_over": tuple(
            {"edge": edge, "before": before, "after": after}
            for edge, before, after in found.taken_over
        ),
        "containers": tuple(
            ContainerLost(name, servers, use.addresses, use.lost_outcome, use.source, system)
            for name, servers in found.containers
            for use in (failures.containers[name],)
        ),
        "transient": {"max_seconds": transient.seconds, "outcome": transient.meanwhile}
        if transient
        else None,
    }


def _before(found: FailureEffect) -> dict[str, Any]:
    """What was there to be lost, as fields of the answer."""
    if found.before is None:
        return {}
    servers = found.before.servers
    return {
        "pairs": servers * (servers - 1),
        "reached_before": found.before.reached,
        "own": found.before.own,
    }


def _not_running(part: Part, name: str) -> Caution:
    server = part.graph.servers[part.graph.server_number[name]]
    text = (
        f"{name} is not known to run ({server.incomplete}): as far as the loaded files show, "
        "its failure changes nothing"
    )
    return Caution("not-running", text, server.source)


def _subscriber(model: Model, text: str) -> Client:
    """The client that ``SERVER:DEST`` names; DEST is a topic unless it says its type. Raises
    UsageError, UnknownServer, NotApplicable.
    """
    name, destination = model.split_server(text)
    if not destination:
        raise UsageError(
            f"--subscriber takes SERVER:DEST, not {text!r} (for example --subscriber "
            "EAST:topic:orders)."
        )
    place = model.locate(name)
    system = place.part.system
    if not system.capabilities.counts_clients:
        raise NotApplicable(
            f"--subscriber {text}: what a failure does to {system.title}, which "
            f"{place.name} runs, does not depend on who subscribes."
        )
    type_, typed, _ = destination.partition(":")
    if typed and type_ not in system.destinations and is_destination_type(type_):
        known = " or ".join(f"{place.name}:{one}:NAME" for one in system.destinations)
        raise UsageError(f"--subscriber {text}: {system.title} has no {type_}. Write {known}.")
    return Client(
        place.name, destination if typed else f"topic:{destination}", source=Source(GIVEN)
    )


_RATE = re.compile(
    r"(?P<messages>[0-9]+(\.[0-9]+)?)?(,(?P<bytes>[0-9]+(\.[0-9]+)?)(?P<unit>[KMG]?B)?)?",
    re.IGNORECASE,
)
_MOST_A_SECOND = 1e18
_UNITS = {"": 1, "B": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3}


def _rate(text: str) -> tuple[float, float]:
    """Messages and bytes a second, 0 for what is not given. Raises UsageError."""
    read = _RATE.fullmatch(text.replace(" ", ""))
    if read is None:
        raise UsageError(
            f"{text!r} is not a rate. Use --rate MESSAGES,BYTES a second, such as "
            "200,500KB, or 200 alone."
        )
    unit = _UNITS[(read["unit"] or "").upper()]
    messages, size = (double(read[name] or "0") for name in ("messages", "bytes"))
    if messages is None or size is None or max(messages, size * unit) > _MOST_A_SECOND:
        raise UsageError(
            f"{text[:40]!r} is more than a server can take. Use MESSAGES,BYTES a second, such as "
            "200,500KB."
        )
    return messages, size * unit


def _told(one: Interrupted) -> dict[str, Any]:
    """What gaps and what is retained have in common. Publishers that are only supposed are not
    listed: they are all that reach the place.
    """
    supposed = "publishers" in one.assumed
    return {
        "at": one.at,
        "neighbour": one.neighbour,
        "destination": one.destination,
        "publishers": () if supposed else one.publishers,
        "subscribers": one.subscribers,
        "pairs": one.pairs,
        "assumed": one.assumed,
        "rule": one.rule,
        "confidence": one.confidence,
        "reason": one.reason,
        "source": one.source,
        "copies": tuple(
            CopyAlong(each.server, each.destination, each.taken_at, each.source)
            for each in one.copies
        ),
    }


def _retained(one: Interrupted, system: str, rate: tuple[float, float]) -> Retained:
    told = _told(one)
    if one.bound is None or not one.bound.known:
        return Retained(**told, system=system, duplicates=one.duplicates)
    bound = one.bound
    return Retained(
        **told,
        system=system,
        duplicates=one.duplicates,
        max_bytes=bound.max_bytes,
        max_messages=bound.max_messages,
        when_full=bound.when_full,
        limit_source=bound.source,
        hours=bound.hours(*rate),
    )


def _waiting(found: FailureEffect, system: str) -> Iterator[dict[str, object]]:
    """What is stored until the failure is over."""
    for moved in found.outcomes:
        for outcome in moved.after:
            if outcome.startswith(Outcome.HELD):
                yield {
                    "from": moved.server,
                    "destination": moved.destination,
                    "outcome": outcome,
                    "system": moved.system,
                }
    for one in found.interrupted:
        if one.kept:
            yield {
                "from": one.at,
                "destination": one.destination,
                "outcome": _held(one),
                "system": system,
            }


def _held(one: Interrupted) -> str:
    away = one.waits_for or (
        f"neighbour {one.neighbour} out of reach" if one.neighbour else "client away"
    )
    return str(Ending(Outcome.HELD, {"server": one.at, "reason": away}))


def _what_fails(
    model: Model, judged: Sequence[tuple[Part, Failures]], fail: Sequence[str]
) -> tuple[Part, Failure]:
    parts = [part for part, _ in judged]
    servers: dict[str, str] = {}
    containers: set[str] = set()
    links: set[frozenset[str]] = set()
    components: set[Component] = set()
    concerned: list[Part] = []
    for text in fail:
        kind, colon, name = text.partition(":")
        if kind == "server" and name:
            place = model.locate(name)
            part = place.part
            servers[place.name] = place.system
        elif kind == "route" and colon:
            part, ends = _route(model, name)
            links.add(ends)
        elif kind in ("broker", "container") and name:
            part = _holder(model, judged, name)
            containers.add(name)
        elif name and any(
            known.startswith(f"{kind}:") for _, failures in judged for known in failures.components
        ):
            part, component = _component(model, judged, kind, name)
            components.add(component)
        else:
            raise UsageError(_nothing_that_fails(model, judged, text))
        if part not in parts:
            raise NotApplicable(
                f"impact does not answer for {part.system.title}, which {text} is of."
            )
        concerned.append(part)
    if any(part is not concerned[0] for part in concerned) or len(set(servers.values())) > 1:
        raise UsageError(
            f"{' and '.join(fail)} are of several systems. Ask about those of each system alone."
        )
    system = next(iter(servers.values()), "")
    failure = Failure(
        frozenset(servers), frozenset(links), frozenset(containers), frozenset(components), system
    )
    return concerned[0], failure


def _nothing_that_fails(model: Model, judged: Sequence[tuple[Part, Failures]], text: str) -> str:
    """Why a text names nothing that can fail, and what may be written."""
    kind, _, name = text.partition(":")
    if (
        kind == "client"
        and name
        and any(part.system.capabilities.counts_clients for part, _ in judged)
    ):
        return (
            f"There is no {text} in network {model.network}: no client is known there. Add "
            f"it with --subscriber {name}, or in topograph.yaml."
        )
    first: dict[str, str] = {}
    for _, failures in judged:
        for known, components in sorted(failures.components.items()):
            one = min(components, key=lambda each: (each.server, each.name), default=None)
            if one is not None:
                first.setdefault(known.partition(":")[0], f"{one.kind}:{one.server}:{one.name}")
    forms = [
        "server:NAME",
        "route:A-B",
        "broker:NAME",
        *(f"{kind}:NAME (such as {label})" for kind, label in first.items()),
    ]
    return (
        f"{text!r} names nothing that can fail in network {model.network}. Use "
        f"{', '.join(forms[:-1])} or {forms[-1]}.{nearest_failure(model, judged, text)}"
    )


def _component(
    model: Model, judged: Sequence[tuple[Part, Failures]], kind: str, name: str
) -> tuple[Part, Component]:
    """The component that ``KIND:NAME`` or ``KIND:SERVER:NAME`` names. Raises UsageError where
    there is none, or several.
    """
    found = [
        (part, one)
        for part, failures in judged
        for known, components in failures.components.items()
        if known.startswith(f"{kind}:")
        for one in components
        if name in (one.name, f"{one.server}:{one.name}")
    ]
    if len(found) == 1:
        return found[0]
    if found:
        labels = sorted(f"{kind}:{one.server}:{one.name}" for _, one in found)
        more = (
            f", or one of {len(labels) - KNOWN_LISTED:,} more" if len(labels) > KNOWN_LISTED else ""
        )
        raise UsageError(
            f"{kind}:{name} is there at several servers. Write "
            f"{' or '.join(labels[:KNOWN_LISTED])}{more}."
        )
    known = sorted(
        f"{kind}:{one.server}:{one.name}"
        for _, failures in judged
        for text, components in failures.components.items()
        if text.startswith(f"{kind}:")
        for one in components
    )
    more = f", and {len(known) - KNOWN_LISTED:,} more" if len(known) > KNOWN_LISTED else ""
    there = (
        f"There is {known[0]}."
        if len(known) == 1
        else f"There are {', '.join(known[:KNOWN_LISTED])}{more}."
    )
    hint = did_you_mean(f"{kind}:{name}", known) or f" {there}"
    raise UsageError(f"There is no {kind}:{name} in network {model.network}.{hint}")


def _holder(model: Model, judged: Sequence[tuple[Part, Failures]], name: str) -> Part:
    """The part whose servers use a container."""
    for part, failures in judged:
        if name in failures.containers:
            return part
    known = sorted({known for _, failures in judged for known in failures.containers})
    hint = did_you_mean(name, known) or (
        f" There are {', '.join(known[:5])}." if known else " No server uses any."
    )
    raise UsageError(f"No server of network {model.network} stores in a broker {name!r}.{hint}")


def _route(model: Model, name: str) -> tuple[Part, frozenset[str]]:
    """The link that ``A-B`` names; names may hold a hyphen themselves."""
    known = [
        (part, frozenset(link.ends))
        for part in model.parts
        for link in shown_links(part.graph, standby=True)
        if name in (f"{link.ends[0]}-{link.ends[1]}", f"{link.ends[1]}-{link.ends[0]}")
    ]
    if not known:
        meant = f" Did you mean server:{name}?" if name in model.server_names() else ""
        raise UsageError(
            f"There is no route {name} in network {model.network}. Write route:A-B, as "
            f"`topograph show routes` lists them.{meant}"
        )
    return known[0]
