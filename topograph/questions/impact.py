"""``impact``: what the failure of servers and routes does, or of every one of them in turn."""

from __future__ import annotations

from collections.abc import Sequence

from topograph.errors import NotApplicable, UsageError
from topograph.forwarding.reached import shown_links
from topograph.questions.answers import FailureCounted, ImpactAnswer, Lost, Rerouted
from topograph.questions.model import Model, Part
from topograph.systems.protocol import Failure

FORMS = "server:NAME or route:A-B"


def impact(model: Model, fail: Sequence[str] = (), *, sweep: bool = False) -> ImpactAnswer:
    """What happens if all of ``fail`` (``server:X``, ``route:A-B``) fail together, or with ``sweep`` each server and route alone.

    Computed in memory over the facts: failures change the routes themselves. Raises UnknownServer, UsageError for a route that is not
    there, NotApplicable where no part of the network can answer.
    """
    if bool(fail) == sweep:
        raise UsageError(f"Say what fails (--fail {FORMS}), or ask for each in turn with --sweep alone.")
    # The estate of a part that does not judge failures is not loaded.
    asked = [part for part in model.parts if part.system.judges_failures]
    judged = [(part, failures) for part in asked if (failures := part.estate.failures) is not None]
    if not judged:
        present = ", ".join(part.system.name for part in model.parts) or "nothing"
        raise NotApplicable(f"impact does not answer for {present}, which is what network {model.network} runs.")
    common = model.common(judged[0][0], "memory")
    if sweep:
        rows = [(row, part) for part, failures in judged for row in failures.sweep()]
        rows.sort(key=lambda entry: (-entry[0].lost, -entry[0].moved, entry[0].failed))
        counted = tuple(
            FailureCounted(row.failed, row.lost, row.moved, row.source, part.system.name) for row, part in rows
        )
        return ImpactAnswer(**common, warnings=model.warnings, failed=(), failures=counted)
    part, failure = _what_fails(model, [part for part, _ in judged], fail)
    failures = next(known for other, known in judged if other is part)
    found = failures.effect(failure)
    system = part.system.name
    return ImpactAnswer(
        **common,
        warnings=model.warnings,
        failed=tuple(fail),
        lost=tuple(Lost(a, b, failures.lost_outcome, system) for a, b in found.lost),
        rerouted=tuple(
            Rerouted(one.from_, one.to, one.before, one.after, one.cost_before, one.cost_after, system)
            for one in found.moved
        ),
        taken_over=tuple({"edge": edge, "before": before, "after": after} for edge, before, after in found.taken_over),
        transient={"max_seconds": failures.seconds, "outcome": failures.meanwhile},
    )


def _what_fails(model: Model, parts: Sequence[Part], fail: Sequence[str]) -> tuple[Part, Failure]:
    servers: set[str] = set()
    links: set[frozenset[str]] = set()
    concerned: list[Part] = []
    for text in fail:
        kind, colon, name = text.partition(":")
        if kind == "server" and name:
            place = model.locate(name)
            part = place.part
            servers.add(place.name)
        elif kind == "route" and colon:
            part, ends = _route(model, name)
            links.add(ends)
        else:
            raise UsageError(f"{text!r} is nothing that can fail here; say {FORMS}.")
        if part not in parts:
            raise NotApplicable(f"impact does not answer for {part.system.name}, which {text} is of.")
        concerned.append(part)
    if any(part is not concerned[0] for part in concerned):
        raise UsageError("What fails together has to be of one system.")
    return concerned[0], Failure(frozenset(servers), frozenset(links))


def _route(model: Model, name: str) -> tuple[Part, frozenset[str]]:
    """The link that ``A-B`` names; names may hold a hyphen themselves."""
    known = [
        (part, frozenset(link.ends))
        for part in model.parts
        for link in shown_links(part.graph)
        if name in (f"{link.ends[0]}-{link.ends[1]}", f"{link.ends[1]}-{link.ends[0]}")
    ]
    if not known:
        raise UsageError(f"There is no route {name} in network {model.network}; `topograph show routes` lists them.")
    return known[0]
