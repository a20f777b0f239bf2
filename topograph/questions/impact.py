"""``impact``: what the failure of servers and routes does, or of every one of them in turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from topograph.errors import NotApplicable, UsageError
from topograph.questions.answers import FailureCounted, ImpactAnswer, Lost, Rerouted
from topograph.questions.model import Model, Part
from topograph.systems import answering

FORMS = "server:NAME or route:A-B"


def impact(model: Model, fail: Sequence[str] = (), *, sweep: bool = False) -> ImpactAnswer:
    """What happens if all of ``fail`` (``server:X``, ``route:A-B``) fail together, or with ``sweep`` each server and route alone.

    Computed in memory over the facts: failures change the routes themselves. Raises UnknownServer, UsageError for a route that is not
    there, NotApplicable where no part of the network can answer.
    """
    if bool(fail) == sweep:
        raise UsageError(f"Say what fails (--fail {FORMS}), or ask for each in turn with --sweep alone.")
    parts = [part for part in model.parts if hasattr(answering(part.system), "topology_of")]
    if not parts:
        present = ", ".join(part.system for part in model.parts) or "nothing"
        raise NotApplicable(f"impact does not answer for {present}, which is what network {model.network} runs.")
    common = {**model.common(parts[0]), "engine": "memory", "warnings": model.warnings}
    if sweep:
        rows = [row for part in parts for row in _system(part).sweep(_topology(model, part))]
        rows.sort(key=lambda row: (-row.lost, -row.moved, row.failed))
        counted = tuple(FailureCounted(row.failed, row.lost, row.moved, row.source) for row in rows)
        return ImpactAnswer(**common, failed=(), failures=counted)  # type: ignore[arg-type]
    part, routers, links = _what_fails(model, parts, fail)
    system = _system(part)
    found = system.impact(_topology(model, part), system.Failure(frozenset(routers), frozenset(links)))
    return ImpactAnswer(
        **common,  # type: ignore[arg-type]
        failed=tuple(fail),
        lost=tuple(Lost(a, b, system.LOST) for a, b in found.lost),
        rerouted=tuple(
            Rerouted(one.from_, one.to, one.before, one.after, one.cost_before, one.cost_after) for one in found.moved
        ),
        taken_over=tuple({"edge": edge, "before": before, "after": after} for edge, before, after in found.taken_over),
        transient={
            "max_seconds": system.REMEMBERED_SECONDS,
            "outcome": system.MEANWHILE,
        },
    )


def _system(part: Part) -> Any:
    return answering(part.system).failing()


def _topology(model: Model, part: Part) -> Any:
    if "topology" not in part.kept:
        part.kept["topology"] = answering(part.system).topology_of(model.source.facts, model.side_inputs)
    return part.kept["topology"]


def _what_fails(model: Model, parts: Sequence[Part], fail: Sequence[str]) -> tuple[Part, set[str], set[frozenset[str]]]:
    routers: set[str] = set()
    links: set[frozenset[str]] = set()
    concerned: list[Part] = []
    for text in fail:
        kind, colon, name = text.partition(":")
        if kind == "server" and name:
            part = model.part_of(name)
            routers.add(name)
        elif kind == "route" and colon:
            part, ends = _route(model, name)
            links.add(ends)
        else:
            raise UsageError(f"{text!r} is nothing that can fail here; say {FORMS}.")
        if part not in parts:
            raise NotApplicable(f"impact does not answer for {part.system}, which {text} is of.")
        concerned.append(part)
    if any(part is not concerned[0] for part in concerned):
        raise UsageError("What fails together has to be of one system.")
    return concerned[0], routers, links


def _route(model: Model, name: str) -> tuple[Part, frozenset[str]]:
    """The link that ``A-B`` names; names may hold a hyphen themselves."""
    known = [
        (part, frozenset(link.ends))
        for part in model.parts
        for link in answering(part.system).links(part.graph)
        if name in (f"{link.ends[0]}-{link.ends[1]}", f"{link.ends[1]}-{link.ends[0]}")
    ]
    if not known:
        raise UsageError(f"There is no route {name} in network {model.network}; `topograph show routes` lists them.")
    return known[0]
